package game

import (
	"strconv"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// table is a Table with hands: it gives every wake when it is due, keeps the men as they physically stand, and collects what
// comes out.
type table struct {
	*Table
	tb      testing.TB
	acuity  board.Acuity
	t       int64
	men     [64]rules.Piece
	hand    []rules.Piece
	wake    int64
	events  []Event
	replies []Reply
	state   *Snapshot
	lights  *View
	turned  bool
	tempo   int64 // tenths of the time that hands take; 0 is 10
}

func seat(tb testing.TB, o Options) *table {
	tb.Helper()
	h := &table{Table: NewTable(o), tb: tb, acuity: o.Acuity, turned: o.Orientation == "black"}
	p := rules.Start()
	if o.Start != nil {
		p = *o.Start
	}
	for _, m := range o.Moves {
		p.Play(m)
	}
	if o.Start != nil {
		h.stand(p)
	}
	h.step(board.Input{Kind: board.Wake})
	return h
}

func (h *table) stand(p rules.Position) {
	for s := range h.men {
		h.men[s] = p.At(rules.Square(s))
	}
}

func (h *table) picture() (p board.Picture) {
	for s, m := range h.men {
		p[s] = h.acuity.See(m)
	}
	if h.turned {
		p = p.Turned()
	}
	return p
}

// step gives one input at h.t, and all wakes before it.
func (h *table) step(in board.Input) Output {
	h.tb.Helper()
	in.T = h.t
	for h.wake != 0 && h.wake <= in.T {
		h.one(board.Input{Kind: board.Wake, T: h.wake})
	}
	return h.one(in)
}

func (h *table) one(in board.Input) Output {
	h.tb.Helper()
	out := h.Step(in)
	if out.Wake != 0 && out.Wake <= in.T {
		h.tb.Fatalf("at %d the table wants to be woken at %d", in.T, out.Wake)
	}
	h.wake = out.Wake
	h.events = append(h.events, out.Events...)
	h.replies = append(h.replies, out.Replies...)
	if out.Snapshot != nil {
		h.state = out.Snapshot
	}
	if out.View != nil {
		h.lights = out.View
	}
	return out
}

// wait lets time pass.
func (h *table) wait(ms int64) {
	h.tb.Helper()
	h.t += ms
	h.step(board.Input{Kind: board.Wake})
}

// hands does what a line of words says: "-e2" lifts, "+e4" sets the man down that was lifted last, "+e8:Q" sets down another
// one ("?" for one that the board does not know), "300" waits 300 ms. With ~ before it the board does not notice; "look" is a
// scan of the whole board, "!knight" answers a promotion, "@e7e5" is the move of an opponent far away.
func (h *table) hands(script string) {
	h.tb.Helper()
	for _, w := range strings.Fields(script) {
		switch {
		case w == "look":
			h.step(board.Input{Kind: board.Scan, Picture: h.picture()})
		case w[0] == '!':
			if r := h.cmd(board.Command{Verb: "promotion", Piece: w[1:]}); r.Status != "ok" {
				h.tb.Errorf("%s: %s", w, r.Message)
			}
		case w[0] == '@':
			if r := h.cmd(board.Command{Verb: "move", UCI: board.Plies{w[1:]}}); r.Status != "ok" {
				h.tb.Errorf("%s: %s", w, r.Message)
			}
		case w[0] == '~':
			h.touch(w[1:])
		case w[0] == '-' || w[0] == '+':
			s, y := h.touch(w)
			if h.turned {
				s = s.Flip()
			}
			h.step(board.Input{Kind: board.Change, Square: s, Symbol: y})
		default:
			ms, err := strconv.ParseInt(w, 10, 64)
			if err != nil {
				h.tb.Fatalf("no word: %s", w)
			}
			if h.tempo != 0 {
				ms = ms * h.tempo / 10
			}
			h.wait(ms)
		}
	}
}

// touch moves one man, and says which square shows what now.
func (h *table) touch(w string) (rules.Square, board.Symbol) {
	h.tb.Helper()
	name, piece, named := strings.Cut(w[1:], ":")
	s, ok := rules.ParseSquare(name)
	if !ok {
		h.tb.Fatalf("no square: %s", w)
	}
	p := rules.NoPiece
	switch {
	case w[0] == '-':
		h.hand = append(h.hand, h.men[s])
	case piece == "?":
		return s, board.Unknown
	case named:
		if p, ok = rules.PieceFromLetter(piece[0]); !ok {
			h.tb.Fatalf("no piece: %s", w)
		}
	case len(h.hand) == 0:
		h.tb.Fatalf("nothing in hand: %s", w)
	default:
		p = h.hand[len(h.hand)-1]
		h.hand = h.hand[:len(h.hand)-1]
	}
	h.men[s] = p
	return s, h.acuity.See(p)
}

// play makes moves as clean hands do: the victim first, a second between the moves.
func (h *table) play(moves ...string) {
	h.tb.Helper()
	for _, uci := range moves {
		p := h.physical()
		m, err := p.ParseUCI(uci)
		if err != nil {
			h.tb.Fatalf("%s in %s: %v", uci, p.FEN(), err)
		}
		h.hand = nil
		if v := m.Victim(); !m.IsCastling() && p.At(v) != rules.NoPiece {
			h.hands("-" + v.String() + " 300")
			h.hand = nil
		}
		h.hands("-" + m.From().String() + " 400")
		if m.IsCastling() {
			king, rook := m.Castling()
			h.hands("+" + king.String() + " 300 -" + m.To().String() + " 400 +" + rook.String())
		} else if r := m.Promotion(); r != rules.NoRole {
			h.hands("+" + m.To().String() + ":" + rules.NewPiece(p.Turn(), r).String())
		} else {
			h.hands("+" + m.To().String())
		}
		h.wait(1600)
	}
}

// physical is the position of the game on the table.
func (h *table) physical() rules.Position {
	if h.game == nil {
		h.tb.Fatal("no game")
	}
	line := h.tr.Report().Line
	return h.position(line)
}

func (h *table) cmd(c board.Command) Reply {
	h.tb.Helper()
	h.step(board.Input{Kind: board.Cmd, Command: &c})
	if len(h.replies) == 0 {
		h.tb.Fatalf("%s: no reply", c.Verb)
	}
	return h.replies[len(h.replies)-1]
}

// log is the events in short: type and what matters most.
func (h *table) log() string {
	var b strings.Builder
	for _, e := range h.events {
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		if e.Arbiter {
			b.WriteString("arbiter: ")
		}
		b.WriteString(e.Type)
		switch x := e.Body.(type) {
		case *Moved:
			b.WriteString(" " + x.SAN)
			if x.Illegal {
				b.WriteString(" illegal")
			}
		case *Takeback:
			b.WriteString(" " + x.Reason + " " + strings.Join(x.Undone, " "))
		case *Illegal:
			b.WriteString(" " + x.UCI + " " + x.Reason)
		case *GameEnd:
			b.WriteString(" " + x.Result + " " + x.Reason)
		case *ResultProposed:
			b.WriteString(" " + x.Result + strings.TrimPrefix(" "+x.Reason, " kings"))
		case *PromotionPending:
			b.WriteString(" " + x.Square.String())
		case *CommandDone:
			b.WriteString(" " + x.Verb)
		case *DrawClaimable:
			b.WriteString(" " + x.Kind)
		case *WeakSquare:
			b.WriteString(" " + x.Square.String() + " " + x.Kind)
		}
	}
	return b.String()
}

func (h *table) want(log string) {
	h.tb.Helper()
	if got := h.log(); got != log {
		h.tb.Errorf("events\n got %s\nwant %s", got, log)
	}
	last := map[bool]int64{false: h.opt.Seq, true: h.opt.ArbiterSeq}
	for i, e := range h.events {
		if last[e.Arbiter]++; e.Seq != last[e.Arbiter] {
			h.tb.Errorf("event %d has seq %d", i, e.Seq)
		}
	}
}

func (h *table) uci() string { return strings.Join(h.Summary().UCI, " ") }

func startOf(tb testing.TB, fen string) *rules.Position {
	tb.Helper()
	p := rules.Start()
	if fen != "" {
		var err error
		if p, err = rules.ParsePosition(fen, rules.Standard); err != nil {
			tb.Fatal(err)
		}
	}
	return &p
}

var acuities = []board.Acuity{board.Presence, board.ColorAcuity, board.PieceAcuity}

// everyAcuity runs a test on each kind of board.
func everyAcuity(t *testing.T, f func(t *testing.T, a board.Acuity)) {
	for _, a := range acuities {
		t.Run(a.String(), func(t *testing.T) {
			t.Parallel()
			f(t, a)
		})
	}
}
