package game

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing"
)

// standing is an attempt that stands on the board. The line without it is the game's; onward reads what is played as if it were
// accepted, and so both are kept until people or hands decide.
type standing struct {
	attempt
	said    bool
	seq     int64 // of its illegal_move
	asked   bool  // whether it may be a legal move from another start
	pressed bool  // said that it stands by the clock
	replied bool  // said that it was answered

	before rules.Position // where it was attempted
	after  rules.Position // what it leads to
	onward tracker        // from there; nil where that is no position
}

// stands begins to follow an illegal move.
func (t *Table) stands(r *sensing.Report, p *rules.Position, a attempt) *standing {
	s := &standing{attempt: a, before: *p}
	if len(r.Due) > 0 {
		return s // men that are yet to be carried would be taken for an answer
	}
	setup := p.Setup()
	setup.Board[a.from], setup.Board[a.to] = rules.NoPiece, a.piece
	for _, d := range r.Displaced { // the rook of a castling
		if d.Piece.Color() == a.piece.Color() && d.At < 64 && d.Home < 64 && d.Home != a.from {
			setup.Board[d.Home], setup.Board[d.At] = rules.NoPiece, d.Piece
		}
	}
	if a.victim < 64 && a.victim != a.to {
		setup.Board[a.victim] = rules.NoPiece
	}
	for rooks := setup.Castling; rooks != 0; {
		rook := rooks.Pop()
		color := p.At(rook).Color()
		if setup.Board[rook] != p.At(rook) || setup.Board[p.King(color)] != rules.NewPiece(color, rules.King) {
			setup.Castling &^= rook.Bit()
		}
	}
	setup.Turn, setup.EnPassant = a.piece.Color().Other(), rules.NoSquare
	after, err := setup.Position(p.Variant())
	if err != nil {
		return s // a king was taken
	}
	s.after, s.onward = after, t.track(after)
	s.onward.Observe(board.Input{T: t.now, Kind: board.Scan, Picture: t.turn(t.raw)})
	return s
}

// remember takes over what was said of the same attempt before the table was resumed.
func (s *standing) remember(old *standing) {
	if old != nil && old.piece == s.piece && old.from == s.from && old.to == s.to {
		s.said, s.seq, s.asked, s.pressed = true, old.seq, old.asked, old.pressed
	}
}

// playedOn follows an illegal move on top of which more is done: it is said at once, and that it stands, as soon as the opponent has
// completed a ply, however fast (laws A, B).
func (t *Table) playedOn(r *sensing.Report, s *standing) bool {
	if s.onward == nil || r.Match {
		return false
	}
	t.want(s.onward.NextWake())
	on := s.onward.Report()
	if len(on.Displaced)+len(on.Missing)+len(on.Extra) > 0 || len(on.Line) == 0 && on.Lifted == 0 {
		return false
	}
	if len(on.Line) == 0 || s.replied || on.Firm == 0 {
		return true
	}
	if !s.said {
		t.sayIllegal(s, &s.before, t.judge(&s.before, s.attempt))
	}
	s.replied = true
	t.sayStanding(s, on.Line[:on.Firm])
	return true
}

// pressedIllegal says that an illegal move stands because its maker has pressed the clock.
func (t *Table) pressedIllegal(s *standing) {
	if s.said && !s.pressed && !s.replied && s.onward != nil && t.clock.pressedNow && t.clock.waiting.by == s.piece.Color() {
		s.pressed = true
		t.sayStanding(s, nil)
	}
}

func (t *Table) sayStanding(s *standing, replies []rules.Move) {
	body := &IllegalStanding{UCI: s.uci(), By: s.piece.Color(), IllegalSeq: s.seq}
	p := s.after
	for i, m := range replies {
		if i == 0 {
			uci := p.UCI(m)
			body.Reply = &uci
		}
		p.Play(m)
	}
	body.FEN = p.FEN()
	t.emit(body)
}
