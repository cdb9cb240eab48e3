package sensing

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// hypothesis is one explanation of all that was seen: the line of plies, and where the men physically are. Overlapping moves,
// slides and mistakes are men away from home for a while.
type hypothesis struct {
	node *node
	cost int32

	at    [maxMen]rules.Square
	on    [64]manID
	since [maxMen]int64        // when the man came where it is
	paid  [maxMen]int32        // waiting that was charged for it since then
	lift  [maxMen]int32        // what its last lift was charged
	face  [maxMen]board.Symbol // what a piece board shows for it, where that is not its piece; else 0

	ghosts [4]spot // squares that show what nobody put there
	owed   [4]spot // squares whose man has gone without being seen to

	idleSince int64 // since when a ply could be complete that is not taken so, 0 for none
	idlePaid  int32

	lastPlace   int64
	lastPlaceOn rules.Square
	lastPlaced  rules.Color

	exchanges int    // of the man on the promotion square
	placed    *trail // when each ply's last man was set down
	kings     string // the result the kings in the centre tell
	kingsAt   int64
}

// spot is a square with something to settle since a time; the zero value is no spot.
type spot struct {
	square rules.Square
	symbol board.Symbol // ghosts: what it shows
	since  int64
	paid   int32
	used   bool
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

// atHome puts every man of n where it belongs.
func atHome(n *node, now int64, placed *trail) *hypothesis {
	h := &hypothesis{node: n, placed: placed, lastPlace: -1 << 40}
	for s := range h.on {
		h.on[s] = noMan
	}
	for m := range h.at {
		h.at[m], h.since[m] = n.home[m], now
		if n.home[m] < 64 {
			h.on[n.home[m]] = manID(m)
		}
	}
	return h
}

func (h *hypothesis) turn() rules.Color         { return h.node.pos.Turn() }
func (h *hypothesis) color(m manID) rules.Color { return h.node.piece[m].Color() }
func (h *hypothesis) alive(m manID) bool        { return h.node.home[m] < 64 }
func (h *hypothesis) displaced(m manID) bool    { return h.at[m] != h.node.home[m] }
func (h *hypothesis) put(m manID, s rules.Square, t int64) {
	h.leave(m)
	h.at[m], h.since[m], h.paid[m] = s, t, 0
	if s < 64 {
		h.on[s] = m
	}
}

func (h *hypothesis) leave(m manID) {
	if s := h.at[m]; s < 64 && h.on[s] == m {
		h.on[s] = noMan
	}
}

// shows is the symbol under which a man is seen.
func (h *hypothesis) shows(a board.Acuity, m manID) board.Symbol {
	if h.face[m] != 0 {
		return h.face[m]
	}
	return a.See(h.node.piece[m])
}

func find(list *[4]spot, s rules.Square) *spot {
	for i := range list {
		if list[i].used && list[i].square == s {
			return &list[i]
		}
	}
	return nil
}

// add notes a spot; false when the list is full.
func add(list *[4]spot, sp spot) bool {
	for i := range list {
		if !list[i].used {
			sp.used = true
			list[i] = sp
			return true
		}
	}
	return false
}

func (h *hypothesis) ghost(s rules.Square) *spot { return find(&h.ghosts, s) }
func (h *hypothesis) owes(s rules.Square) *spot  { return find(&h.owed, s) }

// debtOf is the debt that keeps a man away from its home by the laws, 0 if none: the castling rook of one of the last two
// plies, or the pawn taken en passant.
func (h *hypothesis) debtOf(m manID) DebtKind {
	n := h.node
	for range 2 {
		if n.parent == nil {
			return 0
		}
		if n.rook == m && h.at[m] != n.home[m] {
			return RookDebt
		}
		if n.victim == m && n.move.IsEnPassant() && h.at[m] == n.move.Victim() {
			return VictimDebt
		}
		n = n.parent
	}
	return 0
}

// owing reports whether the ply that ends n, a beginning of h's line, still has an open debt.
func (h *hypothesis) owing(n *node) bool {
	if n.parent == nil {
		return false
	}
	if n.rook != noMan && h.at[n.rook] != n.home[n.rook] && n.depth > h.node.depth-2 {
		return true
	}
	return n.victim != noMan && n.move.IsEnPassant() && h.at[n.victim] == n.move.Victim()
}

// promoting reports that the last ply is a promotion whose piece nothing has settled.
func (h *hypothesis) promoting(a board.Acuity) bool {
	n := h.node
	if n.parent == nil || n.confirmed || n.move.Promotion() == rules.NoRole {
		return false
	}
	return a != board.PieceAcuity || h.face[n.mover] != 0
}

// wait charges for the time up to now: everything that stands open grows less likely, up to its cap.
func (h *hypothesis) wait(now int64, slow int64) {
	for m := range h.at {
		at, home := h.at[m], h.node.home[m]
		if at == home || home == offBoard && at >= 64 {
			continue
		}
		switch {
		case at == inHand:
			h.charge(&h.paid[m], now-h.since[m], rateCarry, capCarry)
		case h.kings != "" && h.node.piece[m].Role() == rules.King:
		case h.debtOf(manID(m)) != 0:
			h.charge(&h.paid[m], now-h.since[m], rateDebt, capDebt)
		default:
			h.charge(&h.paid[m], now-h.since[m], rateDisplaced, capDisplaced)
		}
	}
	for i := range h.ghosts {
		if g := &h.ghosts[i]; g.used {
			h.charge(&g.paid, now-g.since, rateGhost, capGhost)
		}
		if o := &h.owed[i]; o.used {
			h.charge(&o.paid, now-o.since-slow, rateOwed, capOwed)
		}
	}
	if h.idleSince != 0 {
		h.charge(&h.idlePaid, now-h.idleSince-slow, rateIdle, capIdle)
	}
}

func (h *hypothesis) charge(paid *int32, ms, rate int64, most int32) {
	if ms <= 0 || *paid >= most {
		return
	}
	due := most
	if ms*rate/1000 < int64(most) {
		due = int32(ms * rate / 1000)
	}
	if due > *paid {
		h.cost += due - *paid
		*paid = due
	}
}

// key tells hypotheses apart by what they say of the board; equal ones are merged.
func (h *hypothesis) same(o *hypothesis) bool {
	return h.node == o.node && h.at == o.at && h.face == o.face && h.kings == o.kings && sameSpots(&h.ghosts, &o.ghosts) && sameSpots(&h.owed, &o.owed)
}

func sameSpots(a, b *[4]spot) bool {
	for i := range a {
		if a[i].used != b[i].used || a[i].used && a[i].square != b[i].square {
			return false
		}
	}
	return true
}

// unexplained counts the squares of the picture that the end of the line does not want, men in the air left out.
func (h *hypothesis) unexplained(a board.Acuity, p *board.Picture) (n int) {
	for s := range p {
		m := h.node.who[s]
		want := board.Empty
		if m != noMan {
			want = h.shows(a, m)
		}
		if p[s] != want && !(p[s] == board.Empty && m != noMan && h.at[m] == inHand) {
			n++
		}
	}
	return n
}
