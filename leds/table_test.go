package leds

import (
	"strconv"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/rules"
)

// sitting is a real table with simulated hands at it, in fake time.
type sitting struct {
	tb     testing.TB
	table  *game.Table
	acuity board.Acuity
	men    [64]rules.Piece
	hand   rules.Piece // lifted last
	now    int64
	wake   int64
	style  Style
	view   *game.View
	state  *game.Snapshot
	events []game.Event
	seen   func(now int64, v *game.View) // called at every moment at which anything may change
}

func sit(tb testing.TB, o game.Options, fen string) *sitting {
	tb.Helper()
	s := &sitting{tb: tb, acuity: o.Acuity, style: DefaultStyle()}
	start := rules.Start()
	if fen != "" {
		var err error
		if start, err = rules.ParsePosition(fen, rules.Standard); err != nil {
			tb.Fatal(err)
		}
	}
	o.Games, o.SettleMs, o.Start = "g", 25, &start
	if o.Brightness == 0 {
		o.Brightness = 100
	}
	s.table = game.NewTable(o)
	s.stand(start)
	s.step(board.Input{Kind: board.Scan, Picture: s.picture()})
	return s
}

func (s *sitting) stand(p rules.Position) {
	for q := range rules.NoSquare {
		s.men[q] = p.At(q)
	}
}

func (s *sitting) picture() (p board.Picture) {
	for q, m := range s.men {
		p[q] = s.acuity.See(m)
	}
	return p
}

func (s *sitting) step(in board.Input) game.Output {
	in.T = s.now
	out := s.table.Step(in)
	s.events = append(s.events, out.Events...)
	if out.View != nil {
		s.view = out.View
	}
	if out.Snapshot != nil {
		s.state = out.Snapshot
	}
	s.wake = out.Wake
	if s.seen != nil {
		s.seen(s.now, s.view)
	}
	return out
}

// wait lets time pass, with the table's wakes and the moments at which the light changes.
func (s *sitting) wait(ms int64) {
	for end := s.now + ms; s.now < end; {
		next, wakes := end, false
		if s.wake != 0 && s.wake <= next {
			next, wakes = s.wake, true
		}
		if edge := NextChange(s.view, s.now, s.style); edge != 0 && edge < next {
			next, wakes = edge, false
		}
		s.now = next
		if wakes {
			s.step(board.Input{Kind: board.Wake})
		} else if s.seen != nil {
			s.seen(s.now, s.view)
		}
	}
}

// hands plays lifts (-e2), men set down (+e4, the man lifted last; +e4:q another) and pauses in milliseconds.
func (s *sitting) hands(script string) {
	s.tb.Helper()
	for _, w := range strings.Fields(script) {
		if ms, err := strconv.ParseInt(w, 10, 64); err == nil {
			s.wait(ms)
			continue
		}
		q, ok := rules.ParseSquare(w[1:3])
		if !ok {
			s.tb.Fatalf("hands: %q", w)
		}
		switch {
		case w[0] == '-':
			s.hand, s.men[q] = s.men[q], rules.NoPiece
		case len(w) > 3:
			s.men[q], _ = rules.PieceFromLetter(w[4])
		default:
			s.men[q] = s.hand
		}
		s.step(board.Input{Kind: board.Change, Square: q, Symbol: s.acuity.See(s.men[q])})
	}
}

// command gives the table one and returns its answer.
func (s *sitting) command(c board.Command) string {
	out := s.step(board.Input{Kind: board.Cmd, Command: &c})
	if len(out.Replies) != 1 {
		return "no answer"
	}
	return out.Replies[0].Status
}

// patterns are what the squares do now, by name: "e5 fast".
func (s *sitting) patterns() string {
	p, _ := planFor(s.view, s.now, s.style)
	var words []string
	for q, l := range p {
		if l.blink != dark && l.color != (board.RGB{}) {
			words = append(words, rules.Square(q).String()+" "+blinkNames[l.blink])
		}
	}
	return strings.Join(words, ", ")
}

var blinkNames = [...]string{"dark", "steady", "slow", "fast", "flash", "1 pulse", "2 pulses", "3 pulses", "4 pulses"}

// log is what the table said, in words.
func (s *sitting) log() string {
	var words []string
	for _, e := range s.events {
		w := e.Type
		switch b := e.Body.(type) {
		case *game.Moved:
			w += " " + b.SAN
		case *game.Illegal:
			w += " " + b.UCI
		}
		words = append(words, w)
	}
	return strings.Join(words, ", ")
}
