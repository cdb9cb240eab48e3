package text

import (
	"slices"
	"strings"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// man is what is known of a square: 0 nothing, '.' that it is empty, a FEN letter, or one of the constants.
type man byte

const (
	empty     man = '.'
	something man = 'x'
	white     man = '+' // some white man
	black     man = '-' // some black man
)

// startMen stand as for a new game.
var startMen = func() (m [64]man) {
	for i := range m {
		m[i] = empty
	}
	for f, l := range "RNBQKBNR" {
		m[f], m[8+f] = man(l), 'P'
		m[56+f], m[48+f] = man(l)+'a'-'A', 'p'
	}
	return m
}()

// see is the symbol that a board of an acuity gives a man; false when it cannot.
func (m man) see(a board.Acuity) (board.Symbol, bool) {
	switch {
	case m == 0:
		return 0, false
	case m == empty:
		return board.Empty, true
	case a == board.Presence:
		return board.Something, true
	case a == board.ColorAcuity && m != something:
		if m.white() {
			return board.LightMan, true
		}
		return board.DarkMan, true
	case a == board.ColorAcuity:
		return 0, false
	case m == something, m == white, m == black:
		return board.Unknown, true
	}
	return board.Symbol(m), true
}

func (m man) white() bool { return m == white || m >= 'A' && m <= 'Z' }
func (m man) pawn() bool  { return m == 'P' || m == 'p' }
func (m man) king() bool  { return m == 'K' || m == 'k' }

// as is a letter in the colour of a man.
func (m man) as(letter byte) man {
	if m.white() {
		return man(strings.ToUpper(string(letter))[0])
	}
	return man(strings.ToLower(string(letter))[0])
}

// set says what stands on a square now.
func (m *Machine) set(s rules.Square, what man) {
	sym, ok := what.see(m.p.acuity)
	if !ok {
		m.info.Bad++
		return
	}
	m.men[s] = what
	if !m.pictured {
		if !slices.Contains(m.men[:], 0) {
			m.accept(m.men)
		}
		return
	}
	if m.told[s] != sym {
		m.told[s] = sym
		m.emit(board.Input{Kind: board.Change, Square: s, Symbol: sym})
	}
}

// picture is how the board sees men, and how many squares that changes.
func (m *Machine) picture(men *[64]man) (p board.Picture, changed int, ok bool) {
	count := 0
	for i, x := range men {
		if p[i], ok = x.see(m.p.acuity); !ok {
			return p, 0, false
		}
		if x != empty {
			count++
		}
		if p[i] != m.told[i] {
			changed++
		}
	}
	return p, changed, count <= 32
}

// accept takes a whole board. Few changes are told one by one, lifts first; many as a scan.
func (m *Machine) accept(men [64]man) {
	p, changed, ok := m.picture(&men)
	if !ok {
		m.info.Bad++
		return
	}
	m.men, m.doubt, m.hand = men, doubt{}, hand{}
	switch {
	case !m.pictured || changed > doubtful:
		m.told, m.pictured = p, true
		m.emit(board.Input{Kind: board.Scan, Picture: p})
	default:
		for _, lifts := range [...]bool{true, false} {
			for s := range rules.Square(64) {
				if p[s] != m.told[s] && (p[s] == board.Empty) == lifts {
					m.told[s] = p[s]
					m.emit(board.Input{Kind: board.Change, Square: s, Symbol: p[s]})
				}
			}
		}
	}
}

const (
	sudden   = 2 // squares that change at once in normal play
	doubtful = 4 // more squares than these are told as a scan, and must be said twice by boards that say everything again
)

// doubt is a picture that may be half a message which looks like a whole one.
type doubt struct {
	open bool
	men  [64]man
}

// whole takes a picture of the board. Bytes without a check can be cut wrongly and still look like a board: what changes
// more squares than hands do counts only when the line is silent after it and nothing before it was left over
// (protocols/diy-serial.md section 4, rule 3). What is said again and again must be said twice.
func (m *Machine) whole(men [64]man) {
	p, changed, ok := m.picture(&men)
	if !ok {
		m.info.Bad++
		return
	}
	switch {
	case m.cut.bare() && (!m.pictured || changed > sudden):
		m.doubt = doubt{open: true, men: men}
		return
	case !m.cut.bare() && m.periodic() && m.pictured && changed > doubtful:
		m.answered()
		if twice, _, ok := m.picture(&m.doubt.men); !ok || twice != p {
			m.doubt.men = men
			return
		}
	}
	m.answered()
	m.accept(men)
}

// burstEnds decides about what was in doubt, when the line has been silent.
func (m *Machine) burstEnds(clean bool) {
	if !m.doubt.open || m.now < m.cut.last+m.cut.gap {
		return
	}
	m.doubt.open = false
	if !clean {
		m.info.Bad++
		return
	}
	m.answered()
	m.accept(m.doubt.men)
}

// hand is the man that was lifted last, for boards that tell where it goes.
type hand struct {
	full   bool
	from   rules.Square
	man    man
	before [64]man
}

func (m *Machine) lift(s rules.Square) {
	if m.men[s] != empty && m.men[s] != 0 {
		m.hand = hand{full: true, from: s, man: m.men[s], before: m.men}
	}
	m.set(s, empty)
}

// to puts the lifted man down, and keeps books of what a move does besides.
func (m *Machine) to(s rules.Square) {
	if !m.hand.full {
		m.set(s, something)
		return
	}
	m.book(m.hand.from, s, m.hand.man, 0)
}

func (m *Machine) back() {
	if m.hand.full {
		m.accept(m.hand.before)
	}
}

// move is a move of which only its squares are known.
func (m *Machine) move(from, to rules.Square, promotion byte) {
	what := m.men[from]
	if what == empty || what == 0 {
		if from != to && m.moved.from == from && m.moved.to == to {
			m.info.Echoes++ // said twice
			return
		}
		if l := startMen[from]; from < 16 && (l == 'P' || l == 'N') && startMen[to] == empty {
			m.info.NewGames++ // nobody moves from there but at the start of a game, which the board does not tell
			m.accept(startMen)
			what = l
		} else {
			m.info.Missed++
			what = something
		}
	}
	m.book(from, to, what, promotion)
}

// book writes down a move: the man taken, the pawn taken in passing, the rook of castling, the new piece. This is
// bookkeeping, not chess: whether the move is legal is not asked.
func (m *Machine) book(from, to rules.Square, what man, promotion byte) {
	m.moved.from, m.moved.to = from, to
	if what.king() && m.castle(from, to, what) {
		return
	}
	free := m.men[to] == empty
	if !free {
		m.set(to, empty)
	}
	m.set(from, empty)
	if what.pawn() {
		passed := rules.NewSquare(to.File(), from.Rank())
		if free && from.File() != to.File() && m.men[passed].pawn() && m.men[passed].white() != what.white() {
			m.set(passed, empty)
		}
		if last := to.Rank(); last == 0 || last == 7 {
			if promotion == 0 {
				promotion = 'q'
			}
			what = what.as(promotion)
		}
	}
	m.set(to, what)
}

// castle moves the rook of a king that goes two squares from its place, or onto a rook of its own.
func (m *Machine) castle(from, to rules.Square, king man) bool {
	rank := 0
	if !king.white() {
		rank = 7
	}
	if from.Rank() != rank || to.Rank() != rank {
		return false
	}
	rook := to
	if m.men[to] != king.as('r') {
		if from.File() != 4 || abs(to.File()-4) != 2 {
			return false
		}
		rook = rules.NewSquare(7*(to.File()/4), rank)
	}
	if m.men[rook] != king.as('r') {
		return false
	}
	kingTo, rookTo := rules.NewSquare(2, rank), rules.NewSquare(3, rank)
	if rook > from {
		kingTo, rookTo = rules.NewSquare(6, rank), rules.NewSquare(5, rank)
	}
	m.set(from, empty)
	m.set(rook, empty)
	m.set(kingTo, king)
	m.set(rookTo, king.as('r'))
	return true
}
