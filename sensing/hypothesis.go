package sensing

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// hypothesis is one explanation of all that was seen: the line of plies, and the men that are physically not where the line
// wants them. Overlapping moves, slides and mistakes are men away from home for a while.
type hypothesis struct {
	node *node
	cost int32
	live bool   // in the beam: not to be recycled
	hash uint64 // equal for explanations that say the same; see sum

	men  [maxAway]away // sorted by man
	away int           // how many of men count
	mask uint64        // the men that are in men

	ghosts [maxSpots]spot // squares that show what nobody put there
	owed   [maxSpots]spot // squares whose man has gone without being seen to

	idleSince int64 // since when a ply could be complete that is not taken so, 0 for none
	idlePaid  int32

	lastPlace   int64
	lastPlaceOn rules.Square
	lastPlaced  rules.Color
	rests       [2]rules.Square // where each colour last set a man down

	due *node // the earliest ply of the line that was made elsewhere and is to be carried out, nil if none

	caught    int    // so many plies were there before anything was seen of them: see Overlook
	back      bool   // the last thing that happened to the line is that a ply was taken back
	uses      *use   // what was paid for, newest first; nil when nobody counts
	unseen    *node  // the last capture whose victim was not seen to go, nil if none
	exchanges int    // of the man on the promotion square
	placed    *trail // when each ply's last man was set down
	kings     string // the result the kings in the centre tell
	kingsAt   int64
}

const (
	maxAway  = 12
	maxSpots = 4
)

// away is a man that is not at home, or that shows another face there.
type away struct {
	man   manID
	at    rules.Square
	via   rules.Square // a man in the air: where it rested before, NoSquare if that was its home
	early bool         // it was set down as a reply to a ply that was not done
	slid  bool         // a ply that it could have completed was not taken so already
	face  board.Symbol // what a piece board shows for it, where that is not its piece; else 0
	lift  int32        // what its last lift was charged
	air   int32        // ms in the air before it came down where it is, 0 when that was not seen
	paid  int32        // waiting that was charged since
	stood int32        // ms that it had stood there before, as the man of a ply taken back since
	since int64        // when it came where it is
}

// spot is a square with something to settle since a time.
type spot struct {
	square rules.Square
	symbol board.Symbol // ghosts: what it shows
	owner  manID        // ghosts: the man who stands askew on beside and shows there too, else noMan
	beside rules.Square
	used   bool
	paid   int32
	since  int64
}

// trail is the times of plies, newest first.
type trail struct {
	up *trail
	t  int64
}

func (tr *trail) list(n int) []int64 {
	times := make([]int64, n)
	for i := n - 1; i >= 0 && tr != nil; i, tr = i-1, tr.up {
		times[i] = tr.t
	}
	return times
}

const longAgo = -1 << 40

// find gives the entry of a man that is away, nil for one at home.
func (h *hypothesis) find(m manID) *away {
	if h.mask>>(m&63)&1 == 0 {
		return nil
	}
	for i := range h.men[:h.away] {
		if h.men[i].man == m {
			return &h.men[i]
		}
	}
	return nil
}

// at is where a man is.
func (h *hypothesis) at(m manID) rules.Square {
	if a := h.find(m); a != nil {
		return a.at
	}
	return h.node.home[m]
}

// on is the man on a square, noMan if there is none.
func (h *hypothesis) on(s rules.Square) manID {
	for i := range h.men[:h.away] {
		if h.men[i].at == s {
			return h.men[i].man
		}
	}
	if m := h.node.who[s]; m != noMan && h.find(m) == nil {
		return m
	}
	return noMan
}

func (h *hypothesis) turn() rules.Color         { return h.node.pos.Turn() }
func (h *hypothesis) color(m manID) rules.Color { return h.node.piece[m].Color() }
func (h *hypothesis) alive(m manID) bool        { return h.node.home[m] < 64 }
func (h *hypothesis) displaced(m manID) bool    { return h.at(m) != h.node.home[m] }

func (h *hypothesis) face(m manID) board.Symbol {
	if a := h.find(m); a != nil {
		return a.face
	}
	return 0
}

func (h *hypothesis) slid(m manID) bool {
	a := h.find(m)
	return a != nil && a.slid
}

// set says where a man is and what it shows. It reports false when more men are away than an explanation can hold.
func (h *hypothesis) set(x away) bool {
	x.paid = 0
	i := 0
	for i < h.away && h.men[i].man < x.man {
		i++
	}
	there := i < h.away && h.men[i].man == x.man
	if x.at == h.node.home[x.man] && x.face == 0 {
		if there {
			copy(h.men[i:], h.men[i+1:h.away])
			h.away--
			h.men[h.away] = away{}
			h.mask &^= 1 << x.man
		}
		return true
	}
	if !there {
		if h.away == maxAway {
			return false
		}
		copy(h.men[i+1:h.away+1], h.men[i:h.away])
		h.away++
		h.mask |= 1 << x.man
	}
	h.men[i] = x
	return true
}

// shows is the symbol under which a man is seen.
func (h *hypothesis) shows(a board.Acuity, m manID) board.Symbol {
	if f := h.face(m); f != 0 {
		return f
	}
	return a.See(h.node.piece[m])
}

// move makes n the line's end, the men staying where they are.
func (h *hypothesis) move(n *node, changed [3]manID, now int64) bool {
	var old [3]away
	for i, m := range changed {
		if m == noMan {
			continue
		}
		old[i] = away{man: m, at: h.at(m), face: h.face(m), since: now}
		if a := h.find(m); a != nil {
			old[i] = *a
		}
	}
	h.node = n
	for i, m := range changed {
		if m != noMan && !h.set(old[i]) {
			return false
		}
	}
	return true
}

func findSpot(list *[maxSpots]spot, s rules.Square) *spot {
	for i := range list {
		if list[i].used && list[i].square == s {
			return &list[i]
		}
	}
	return nil
}

// addSpot notes a spot; false when the list is full.
func addSpot(list *[maxSpots]spot, sp spot) bool {
	for i := range list {
		if !list[i].used {
			sp.used = true
			list[i] = sp
			return true
		}
	}
	return false
}

// spotted reports that a square shows what nobody put there, or has lost its man unseen.
func (h *hypothesis) spotted() bool {
	for i := range h.ghosts {
		if h.ghosts[i].used || h.owed[i].used {
			return true
		}
	}
	return false
}

func (h *hypothesis) ghost(s rules.Square) *spot { return findSpot(&h.ghosts, s) }
func (h *hypothesis) owes(s rules.Square) *spot  { return findSpot(&h.owed, s) }

// debtOf is the debt that keeps a man away from its home by the laws, 0 if none: the castling rook of one of the last two
// plies, or the pawn taken en passant.
func (h *hypothesis) debtOf(x *away) DebtKind {
	n := h.node
	for range 2 {
		if n.parent == nil || h.open(n) {
			return 0
		}
		if n.rook == x.man && x.at != n.home[x.man] {
			return RookDebt
		}
		if n.victim == x.man && n.move.IsEnPassant() && x.at == n.move.Victim() {
			return VictimDebt
		}
		n = n.parent
	}
	return 0
}

// owing reports whether the ply that ends n, one of the last two of h's line, still has an open debt.
func (h *hypothesis) owing(n *node) bool {
	if n.parent == nil || h.node.depth-n.depth > 1 || h.open(n) {
		return false
	}
	if n.rook != noMan && h.displaced(n.rook) {
		return true
	}
	return n.victim != noMan && n.move.IsEnPassant() && h.at(n.victim) == n.move.Victim()
}

// promoting reports that the last ply is a promotion whose piece nothing has settled.
func (h *hypothesis) promoting(a board.Acuity) bool {
	n := h.node
	if n.parent == nil || n.confirmed || n.move.Promotion() == rules.NoRole {
		return false
	}
	return a != board.PieceAcuity || h.face(n.mover) != 0
}

// masked reports that a man shows itself as another piece than it is; a pawn that waits to be exchanged does not
// count, nor does one of the other colour that stands in for it.
func (h *hypothesis) masked(x *away) bool {
	q, known := rules.PieceFromLetter(byte(x.face))
	return known && q.Role() != rules.Pawn && q != h.node.piece[x.man] && !h.foreign(x.man, x.face)
}

// sum makes the hash of what the explanation says of the board.
func (h *hypothesis) sum() {
	x := h.node.key
	for i := range h.men[:h.away] {
		a := &h.men[i]
		x += mix(uint64(h.node.piece[a.man])<<24 | uint64(h.node.home[a.man])<<16 | uint64(a.at)<<8 | uint64(a.face))
	}
	for i := range h.ghosts {
		if h.ghosts[i].used {
			x += mix(1<<32 | uint64(h.ghosts[i].square))
		}
		if h.owed[i].used {
			x += mix(2<<32 | uint64(h.owed[i].square))
		}
	}
	h.hash = x
}

// mix spreads the bits of x over a word.
func mix(x uint64) uint64 {
	x = (x + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// stirred reports that ply mv of n may be complete: one of its men is not at home in h.
func (h *hypothesis) stirred(n *node, mv rules.Move) bool {
	m := n.who[mv.From()]
	return h.mask>>(m&63)&1 != 0 || mv.IsCastling() && h.mask>>(n.who[mv.To()]&63)&1 != 0
}

// same reports that two explanations say the same of the board; the likelier of them is enough.
func (h *hypothesis) same(o *hypothesis) bool {
	if h.hash != o.hash || h.away != o.away || h.kings != o.kings || h.node.key != o.node.key {
		return false
	}
	if h.node == o.node {
		for i := range h.men[:h.away] {
			if a, b := &h.men[i], &o.men[i]; a.man != b.man || a.at != b.at || a.face != b.face {
				return false
			}
		}
	} else {
		for i := range h.men[:h.away] {
			if !o.holds(&h.men[i], h.node) {
				return false
			}
		}
		if !h.node.meets(o.node, max(h.caught, o.caught)) {
			return false
		}
	}
	return sameSpots(&h.ghosts, &o.ghosts) && sameSpots(&h.owed, &o.owed)
}

// holds reports that a man like x, of a line that ends in n, is away in h too.
func (h *hypothesis) holds(x *away, n *node) bool {
	for i := range h.men[:h.away] {
		y := &h.men[i]
		if x.at == y.at && x.face == y.face && n.piece[x.man] == h.node.piece[y.man] && n.home[x.man] == h.node.home[y.man] {
			return true
		}
	}
	return false
}

// sameSpots compares as sets.
func sameSpots(a, b *[maxSpots]spot) bool {
	n := 0
	for i := range a {
		if a[i].used && findSpot(b, a[i].square) == nil {
			return false
		}
		if a[i].used {
			n++
		}
		if b[i].used {
			n--
		}
	}
	return n == 0
}

// unexplained counts the squares of the picture that the end of the line does not want, men in the air and frozen squares left out.
func (h *hypothesis) unexplained(a board.Acuity, p *board.Picture, frozen rules.Bitboard) (n int) {
	frozen |= h.owedSquares()
	for s := range p {
		m := h.node.who[s]
		want := board.Empty
		if m != noMan {
			want = h.shows(a, m)
		}
		if p[s] != want && !frozen.Has(rules.Square(s)) && !(p[s] == board.Empty && m != noMan && h.at(m) == inHand) {
			n++
		}
	}
	return n
}

// atHome has every man of n where it belongs.
func atHome(n *node, placed *trail) *hypothesis {
	return &hypothesis{node: n, placed: placed, lastPlace: longAgo, lastPlaceOn: rules.NoSquare,
		rests: [2]rules.Square{rules.NoSquare, rules.NoSquare}}
}
