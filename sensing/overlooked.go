package sensing

import (
	"slices"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// Limits of the search for what was played while nobody watched.
const (
	missedPlies = 6    // at most
	missedLines = 48   // that are kept
	missedLooks = 5000 // positions whose moves are listed: by estimate a third of a second on a Pi Zero
	missedInAir = 2    // men that hands may hold at that moment

	costMissed    = 1000 // a ply
	costHeld      = 1000 // a man that hands hold, whose absence more plies may explain
	costHeldOther = 2000 // … and that is not of the side to move

	sweptMen = 4 // so many gone and none come anywhere: they were swept off
)

// Overlook says that for a while nobody has watched the board: what its next picture shows came about in an order of which nothing is
// known. Where several lines of as few plies lead there, they are as likely as one another.
func (t *Tracker) Overlook() { t.overlooked = true }

// catchUp explains the picture after a time in which nobody watched; false leaves that to who explains one change after the other,
// which does as well where no more than one ply was played, and better where little is wrong and no play leads there.
func (t *Tracker) catchUp() bool {
	base := t.beam[0].node
	if len(t.beam) > 1 || t.beam[0].away > 0 || t.beam[0].due != nil || t.recognised(base) {
		return false
	}
	s := search{acuity: t.o.Acuity, picture: &t.deb.settled, frozen: t.frozen(), looks: missedLooks}
	wrong, gone := s.compare(&base.pos)
	if wrong == 0 && gone.Len() >= sweptMen {
		return false
	}
	found := s.all(&base.pos, wrong, gone)
	if len(found) == 0 {
		if (wrong | gone).Len() <= lostSquares {
			return false
		}
		t.hold(base) // the men are being put up, or were swept off: no order of changes makes play of it
		return true
	}
	if !slices.ContainsFunc(found, func(l missedLine) bool { return len(l.moves) > 1 }) {
		return false
	}
	var beam []*hypothesis
	for _, l := range found {
		n := base
		for _, m := range l.moves {
			n = n.child(m)
			n.overlooked = true
		}
		h := atHome(n, t.trailOf(n))
		h.caught, h.cost = n.depth, int32(len(l.moves))*costMissed
		ok := true
		for air := l.air; air != 0; {
			m := n.who[air.Pop()]
			if h.cost += costHeld; h.color(m) != h.turn() {
				h.cost += costHeldOther - costHeld
			}
			ok = ok && h.set(away{man: m, at: inHand, via: rules.NoSquare, since: t.now})
		}
		if ok {
			h.uses = t.beam[0].uses
			h.sum()
			beam = append(beam, h)
		}
	}
	if len(beam) == 0 {
		return false
	}
	t.beam = beam
	t.prune()
	return true
}

// recognised reports that the picture is that of n's line or of an earlier position of it.
func (t *Tracker) recognised(n *node) bool {
	for k := 0; n != nil && k < memoryOfPlies; n, k = n.parent, k+1 {
		if t.showing(n) {
			return true
		}
	}
	return false
}

// missedLine is plies that lead to the picture, but for men that hands hold.
type missedLine struct {
	moves []rules.Move
	air   rules.Bitboard
}

// search finds the shortest lines from a position to a picture.
type search struct {
	acuity  board.Acuity
	picture *board.Picture
	frozen  rules.Bitboard // squares whose sensors say nothing
	looks   int            // that are left

	shown [2]rules.Bitboard // squares on which men of a colour are seen

	inAir int
	line  []rules.Move
	found []missedLine
}

// all finds, for each number of men in the air, all lines of the least number of plies; more men in the air only where that takes
// fewer plies, and nothing that is much less likely than something else.
func (s *search) all(p *rules.Position, wrong, gone rules.Bitboard) (lines []missedLine) {
	for sq := range rules.Square(64) {
		for _, c := range [2]rules.Color{rules.White, rules.Black} {
			if man, known := rules.PieceFromLetter(byte(s.picture[sq])); s.acuity == board.ColorAcuity && s.picture[sq] == s.acuity.See(rules.NewPiece(c, rules.Pawn)) ||
				s.acuity == board.PieceAcuity && known && man.Color() == c {
				s.shown[c] |= sq.Bit()
			}
		}
	}
	// One man may have gone in two plies where one would have done; more detours than that are less likely than an illegal move.
	most := min(missedPlies, max(wrong.Len(), gone.Len())+1)
	fewest := [missedInAir + 1]int{most + 1, most + 1, most + 1}
	limit := most*costMissed + 1
	for price := 0; price < limit; price += costMissed { // a man held is as dear as a ply
		for s.inAir = 0; s.inAir <= min(missedInAir, price/costHeld); s.inAir++ {
			plies := (price - s.inAir*costHeld) / costMissed
			if plies >= slices.Min(fewest[:s.inAir+1]) {
				continue
			}
			s.found = nil
			s.deepen(p, wrong, gone, plies)
			if s.looks < 0 {
				return nil
			}
			if len(s.found) > 0 {
				lines, fewest[s.inAir] = append(lines, s.found...), plies
				limit = min(limit, price+doubtMargin)
			}
		}
	}
	return lines[:min(len(lines), missedLines)]
}

// compare says which squares of the picture show something else than p has there, and which show nothing in its place.
func (s *search) compare(p *rules.Position) (wrong, gone rules.Bitboard) {
	for sq := range rules.Square(64) {
		w, g := s.at(p, sq)
		wrong, gone = wrong|w, gone|g
	}
	return wrong, gone
}

func (s *search) at(p *rules.Position, sq rules.Square) (wrong, gone rules.Bitboard) {
	seen, man := s.picture[sq], p.At(sq)
	switch want := s.acuity.See(man); {
	case seen == want || s.frozen.Has(sq) || seen == board.Unknown && man != rules.NoPiece:
		return 0, 0
	case seen == board.Empty:
		return 0, sq.Bit()
	}
	return sq.Bit(), 0
}

// deepen looks for lines of just so many plies more. Each ply mends at most two squares of a kind, and only castling and taking en
// passant more than one: what cannot be mended any more is not looked into.
func (s *search) deepen(p *rules.Position, wrong, gone rules.Bitboard, plies int) {
	if plies == 0 {
		if wrong == 0 && gone.Len() == s.inAir {
			s.found = append(s.found, missedLine{slices.Clone(s.line), gone})
		}
		return
	}
	if s.looks--; s.looks < 0 || len(s.found) >= missedLines {
		return
	}
	var buf [256]rules.Move
	for _, m := range p.LegalMoves(buf[:0]) {
		if r := m.Promotion(); r != rules.NoRole && r != rules.Queen && s.acuity != board.PieceAcuity {
			continue // what else it may be is asked then
		}
		after := p.After(m)
		touched := m.From().Bit() | m.To().Bit() | m.Victim().Bit()
		if m.IsCastling() {
			king, rook := m.Castling()
			touched = m.From().Bit() | m.To().Bit() | king.Bit() | rook.Bit()
		}
		w, g := wrong&^touched, gone&^touched
		for left := touched; left != 0; {
			dw, dg := s.at(&after, left.Pop())
			w, g = w|dw, g|dg
		}
		if !s.within(&after, w, g, plies-1) {
			continue
		}
		s.line = append(s.line, m)
		s.deepen(&after, w, g, plies-1)
		s.line = s.line[:len(s.line)-1]
	}
}

// within reports whether so many plies may still mend what differs. A ply brings one man to a square and takes it from another; castling
// two, and a pawn taken en passant goes too. A man is taken off by his own side, or by two plies of the other: one comes there, and goes.
func (s *search) within(p *rules.Position, wrong, gone rules.Bitboard, plies int) bool {
	more := min(plies, s.castlings(p, wrong|gone))
	if wrong.Len() > plies+more {
		return false
	}
	passed := 0
	if p.EnPassant() < 64 && plies > 0 || plies > 1 {
		passed = 1
	}
	if gone.Len() > plies+more+passed+s.inAir {
		return false
	}
	own := [2]int{(plies + 1) / 2, plies / 2} // plies of who is to move, and of the other
	for i, c := range [2]rules.Color{p.Turn(), p.Turn().Other()} {
		if (gone & p.By(c)).Len() > own[i]+own[1-i]/2+more+passed+s.inAir {
			return false
		}
		if s.acuity != board.Presence && (wrong&s.shown[c]).Len() > own[i]+more {
			return false
		}
	}
	return true
}

// castlings is how many kings that may castle have gone from where they stood.
func (s *search) castlings(p *rules.Position, differ rules.Bitboard) (n int) {
	for _, c := range [2]rules.Color{rules.White, rules.Black} {
		if p.Castling()&p.By(c) != 0 && differ.Has(p.King(c)) {
			n++
		}
	}
	return n
}

// movesOn reports that a ply has been played since nobody watched, and that it is not known what was played meanwhile: all evidence of
// that is there, and with each ply more there is more that may be wrong.
func (t *Tracker) movesOn() bool {
	best := t.beam[0]
	if best.caught == 0 || best.node.depth <= best.caught || best.node.depth >= best.caught+mergePlies {
		return false
	}
	before := best.node.ancestor(best.caught)
	return slices.ContainsFunc(t.beam[1:], func(h *hypothesis) bool {
		return h.cost-best.cost < doubtMargin && h.caught > 0 && h.node.depth >= h.caught && h.node.ancestor(h.caught) != before
	})
}
