package game

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing"
)

// doMove takes a ply of an opponent who plays elsewhere. It stands at once; the players carry it out on the board, led by the lights,
// and may begin their reply before they have done.
func (t *Table) doMove(c *board.Command) *refusal {
	g, no := t.running()
	switch {
	case no != nil:
		return no
	case t.opt.Mode == Observer:
		return refuse("forbidden", "at an observed board moves are made by hand")
	case g.paused:
		return refuse("busy", "the game is paused")
	case t.unseen:
		return refuse("offline", "nothing has been seen of the board yet")
	case t.kings != "":
		return refuse("busy", "the kings in the centre say that the game ends %s", t.kings)
	case t.mirror != nil && !t.oriented:
		return refuse("busy", "which way the board stands is not known yet: say it with flip and an orientation")
	case len(c.UCI) != 1:
		return refuse("bad_value", "uci: one move such as e7e5")
	}
	p := g.line.Position()
	m, err := p.ParseUCI(c.UCI[0])
	if err != nil {
		if from, ok := rules.ParseSquare(c.UCI[0][:min(2, len(c.UCI[0]))]); ok && p.At(from) != rules.NoPiece && p.At(from).Color() != p.Turn() {
			return refuse("not_your_turn", "it is %s to move", p.Turn())
		}
		return refuse("bad_value", "uci: %v", err)
	}
	t.audit(c)
	line := append(t.line(), m)
	t.resolve(line)
	t.sure = line
	t.tr.Await(line)
	t.guide, t.illegal, t.asked = nil, nil, t.now
	t.prompt.square = rules.NoSquare
	t.remote = true
	t.commit(m, t.now)
	t.remote = false
	return nil
}

// owe tells the tracker which plies of the game, by their index, are still to be carried out.
func (t *Table) owe(due []int) {
	for _, i := range due {
		if i >= 0 && i < len(t.game.moves) {
			t.tr.Await(t.line()[:i+1])
		}
	}
}

// dues are the plies that are still to be carried out, by their index.
func dues(r *sensing.Report) (plies []int) {
	for _, d := range r.Due {
		plies = append(plies, d.Ply)
	}
	return plies
}

// awaits reports whether the board shows what stood before a ply that is to be carried out: nothing else is to be read from that.
func (t *Table) awaits(r *sensing.Report, picture board.Picture) bool {
	if len(r.Due) == 0 || t.game == nil || t.game.over() || r.Due[0].Ply > len(t.game.moves) {
		return false
	}
	p := t.game.line.At(r.Due[0].Ply)
	return picture == t.opt.see(&p)
}

// carrying reports whether a man belongs to the side whose ply is to be carried out: what is done with it is done for the opponent
// far away, and is no attempt at a move.
func (t *Table) carrying(r *sensing.Report, man rules.Piece) bool {
	for _, d := range r.Due {
		if d.Ply < len(r.Line) {
			p := t.position(r.Line[:d.Ply])
			if p.Turn() == man.Color() {
				return true
			}
		}
	}
	return false
}

// carry is what the lights say of plies that are to be carried out; nil when there are none.
func carry(r *sensing.Report) *Carry {
	if len(r.Due) == 0 {
		return nil
	}
	c := &Carry{}
	for _, d := range r.Due {
		c.Lift |= d.Lift
		c.Put |= d.Put
	}
	c.Put &^= c.Lift
	return c
}

// wrongMan is a man that was taken up in place of the one that is to be carried: of the same side, and none that a reply could
// take. To is where it was set down, or NoSquare.
func (t *Table) wrongMan(r *sensing.Report) *Shown {
	if len(r.Due) == 0 {
		return nil
	}
	p := t.position(r.Line)
	for _, d := range r.Displaced {
		if d.Home < 64 && t.carrying(r, d.Piece) && d.Piece.Color() != p.Turn() && !moved(r, d.Home) {
			return &Shown{From: d.Home, To: d.At, Victim: rules.NoSquare}
		}
	}
	for lifted := r.Lifted; lifted != 0; {
		s := lifted.Pop()
		if man := p.At(s); man != rules.NoPiece && man.Color() != p.Turn() && t.carrying(r, man) && !taken(&p, s) {
			return &Shown{From: s, To: rules.NoSquare, Victim: rules.NoSquare}
		}
	}
	return nil
}

// moved reports whether a man that belongs on a square is one that a ply still to be carried out brings there.
func moved(r *sensing.Report, home rules.Square) bool {
	for _, d := range r.Due {
		if d.Ply >= len(r.Line) {
			continue
		}
		m := r.Line[d.Ply]
		if m.IsCastling() {
			king, rook := m.Castling()
			if home == king || home == rook {
				return true
			}
		} else if home == m.To() {
			return true
		}
	}
	return false
}

// taken reports whether a legal move takes what stands on a square.
func taken(p *rules.Position, s rules.Square) bool {
	var buf [256]rules.Move
	for _, m := range p.LegalMoves(buf[:0]) {
		if !m.IsCastling() && m.Victim() == s {
			return true
		}
	}
	return false
}
