package text

import (
	"strings"

	"github.com/boardd/boardd/rules"
)

// square reads a square by its groups.
func (m *Machine) square(name string) (rules.Square, bool) {
	s, ok := rules.ParseSquare(strings.ToLower(name))
	if ok && m.p.o.Board.Rotate180 == "yes" {
		s = s.Flip()
	}
	return s, ok
}

// event reads what happened on a square.
func (m *Machine) event(r *rule, group func(string) string) {
	if r.Do == "back" {
		m.answered()
		m.back()
		return
	}
	s, ok := m.square(group("sq") + group("file") + group("rank"))
	if !ok {
		m.info.Bad++
		return
	}
	what, ok := m.happened(r, group("sign"), group("piece"))
	if !ok {
		m.info.Bad++
		return
	}
	m.answered()
	switch {
	case r.Do == "to":
		m.to(s)
	case what == empty:
		m.lift(s)
	default:
		m.set(s, what)
	}
}

// happened is what an event leaves on its square.
func (m *Machine) happened(r *rule, sign, piece string) (man, bool) {
	signs := &m.p.o.Event
	is := func(of string) bool { return of != "" && strings.EqualFold(of, sign) }
	what := something
	switch {
	case r.has("sign") && (is(signs.Lift) || is(signs.Empty)), !r.has("sign") && r.Do == "lift":
		return empty, true
	case r.has("sign") && is(signs.White):
		what = white
	case r.has("sign") && is(signs.Black):
		what = black
	case r.has("sign") && !is(signs.Place):
		return 0, false
	}
	if piece == "" {
		return what, true
	}
	if _, ok := rules.PieceFromLetter(piece[0]); !ok || len(piece) != 1 {
		return 0, false
	}
	switch what {
	case white:
		return man(strings.ToUpper(piece)[0]), true
	case black:
		return man(strings.ToLower(piece)[0]), true
	}
	return man(piece[0]), true
}

// moves reads a move.
func (m *Machine) moves(r *rule, group func(string) string) {
	from, to, promotion := group("from"), group("to"), group("promo")
	if u := group("uci"); len(u) >= 4 {
		from, to, promotion = u[:2], u[2:4], u[4:]
	}
	if castle := group("castle"); castle != "" {
		m.castled(castle, m.blackMoves(r, group))
		return
	}
	f, ok1 := m.square(from)
	t, ok2 := m.square(to)
	if !ok1 || !ok2 || f == t || len(promotion) > 1 {
		m.info.Bad++
		return
	}
	letter := byte(0)
	if promotion != "" {
		if letter = strings.ToLower(promotion)[0]; !strings.ContainsRune("qrbn", rune(letter)) {
			m.info.Bad++
			return
		}
	}
	m.answered()
	m.move(f, t, letter)
	m.say(m.p.ok)
}

// blackMoves says whose move a line is that names no square: by its mark, or by who moved last.
func (m *Machine) blackMoves(r *rule, group func(string) string) bool {
	if r.has("black") {
		return group("black") != ""
	}
	last := m.men[m.moved.to]
	return last != 0 && last.white()
}

// castled reads O-O and O-O-O.
func (m *Machine) castled(word string, byBlack bool) {
	king, file := man('K'), 6
	if byBlack {
		king = 'k'
	}
	if strings.Count(word, "-") == 2 {
		file = 2
	}
	for s, x := range m.men {
		if x == king {
			m.answered()
			m.move(rules.Square(s), rules.NewSquare(file, rules.Square(s).Rank()), 0)
			m.say(m.p.ok)
			return
		}
	}
	m.info.Bad++
}

// fen reads the first field of a FEN. Boards that know less write w, b and ? for men, or U and u for a white and a black one
// whose kind they do not know; b is some black man where a w stands too.
func (m *Machine) fen(text string) {
	first, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	ranks := strings.Split(first, "/")
	if len(ranks) != 8 {
		m.info.Bad++
		return
	}
	colors := strings.Contains(first, "w")
	men := blank()
	for i, rank := range ranks {
		file := 0
		for _, c := range []byte(rank) {
			if c >= '1' && c <= '8' {
				file += int(c - '0')
				continue
			}
			what, ok := fenMan(c, colors)
			if !ok || file > 7 {
				m.info.Bad++
				return
			}
			s := rules.NewSquare(file, 7-i)
			if m.p.o.Board.Rotate180 == "yes" {
				s = s.Flip()
			}
			men[s] = what
			file++
		}
		if file != 8 {
			m.info.Bad++
			return
		}
	}
	m.whole(men)
}

func fenMan(c byte, colors bool) (man, bool) {
	switch {
	case c == '?':
		return something, true
	case c == 'U', c == 'w':
		return white, true
	case c == 'u', c == 'b' && colors:
		return black, true
	}
	_, ok := rules.PieceFromLetter(c)
	return man(c), ok
}
