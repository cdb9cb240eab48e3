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
	passed func(now int64)               // called when time has come so far
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
	if o.Orientation == "black" { // men and hands are as the board is wired
		for q := range s.men[:32] {
			s.men[q], s.men[63-q] = s.men[63-q], s.men[q]
		}
	}
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
		if s.passed != nil {
			s.passed(next)
		}
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

// An illegal move by real hands at a real table: where it stands, where it belongs, and each goes dark as it is put right.
func TestIllegalMoveAndBack(t *testing.T) {
	t.Parallel()
	for _, a := range []board.Acuity{board.Presence, board.ColorAcuity, board.PieceAcuity} {
		s := sit(t, game.Options{Acuity: a}, "")
		for _, step := range []struct{ hands, want string }{
			{"1000 -e2 400 +e5 1400", ""},
			{"200", "e2 slow, e5 fast"},
			{"1400 -e5 100", "e2 slow"}, // this part is done
			{"+e2 500", ""},
			{"-e2 300 +e4 1500", "e2 steady, e4 steady"},
		} {
			if s.hands(step.hands); s.patterns() != step.want {
				t.Errorf("%v, after %s: got %q, want %q\n%s", a, step.hands, s.patterns(), step.want, s.log())
			}
		}
	}
}

// Guidance never stands in the way of play: what hands do meanwhile is understood.
func TestGuidanceDoesNotBlock(t *testing.T) {
	t.Parallel()
	// A man laid on h5 and a knight put from b1 to b3 are out of step; the rest of the board is played on.
	const astray = "1000 -e2 400 +e4 2000 -e7 400 +e5 2000 +h5:p 600 -b1 300 +b3 3000"
	for _, c := range []struct {
		name, hands string
		log         string // what is said beyond the game's start and the moves e4 and e5
		want        string // patterns in the end
	}{
		{"put right", "-b3 500 +b1 500 -h5 3000", "desync, resync", "e5 steady, e7 steady"},
		{"a nudge", "-g1 150 +g1 900 -b3 500 +b1 500 -h5 3000", "desync, resync", "e5 steady, e7 steady"},
		{"an adjusted man", "-a2 900 +a2 2000 -b3 500 +b1 500 -h5 3000", "desync, resync", "e5 steady, e7 steady"},
		{"a takeback", "-e5 500 +e7 3000 -b3 500 +b1 500 -h5 3000", "desync, takeback, resync", "e2 steady, e4 steady"},
	} {
		for _, a := range []board.Acuity{board.Presence, board.ColorAcuity, board.PieceAcuity} {
			t.Run(c.name+" "+a.String(), func(t *testing.T) {
				t.Parallel()
				s := sit(t, game.Options{Acuity: a}, "")
				s.hands(astray)
				p := s.patterns()
				if !strings.Contains(p, "b1 slow") || !strings.Contains(p, "b3 fast") || !strings.Contains(p, "h5 fast") {
					t.Fatalf("guidance is %q\n%s", p, s.log())
				}
				s.hands(c.hands)
				rest, ok := strings.CutPrefix(s.log(), "game_start, move e4, move e5, ")
				if !ok || rest != c.log || s.patterns() != c.want {
					t.Errorf("lights %q, said %s", s.patterns(), s.log())
				}
			})
		}
	}
}

// After a takeback by command the lights lead back; going on by hand instead ends the guidance.
func TestGuidanceAfterATakebackByCommand(t *testing.T) {
	t.Parallel()
	s := sit(t, game.Options{Acuity: board.ColorAcuity}, "")
	s.hands("1000 -e2 400 +e4 2000 -e7 400 +e5 2000")
	if got := s.command(board.Command{Verb: "takeback", Plies: 2, By: "test"}); got != "ok" {
		t.Fatal(got)
	}
	s.hands("2000")
	if got := s.patterns(); got != "e2 slow, e4 fast, e5 fast, e7 slow" {
		t.Errorf("both plies to go back: %q", got)
	}
	s.style.OneByOne = true
	if got := s.patterns(); got != "e2 slow, e4 fast" {
		t.Errorf("one by one: %q", got)
	}
	s.hands("-e4 400")
	if got := s.patterns(); got != "e2 slow" {
		t.Errorf("the pawn is in the hand: %q", got)
	}
	s.hands("+e2 400")
	if got := s.patterns(); got != "e5 fast, e7 slow" {
		t.Errorf("the first is done: %q", got)
	}
	s.hands("-e5 400 +e7 3000 -d2 400 +d4 3000")
	if got := s.patterns(); got != "d2 steady, d4 steady" {
		t.Errorf("played on: %q\n%s", got, s.log())
	}
}

// A game in observer mode that is full of what must not be told: nothing that the players see says a word of it.
func TestObserverLeaksNothing(t *testing.T) {
	t.Parallel()
	silent := map[string]bool{ // what an observer's board may say on the topic that everybody reads
		"game_start": true, "move": true, "takeback": true, "game_end": true, "command": true,
		"board_offline": true, "board_online": true,
	}
	for _, a := range []board.Acuity{board.Presence, board.ColorAcuity, board.PieceAcuity} {
		for _, one := range []bool{false, true} {
			s := sit(t, game.Options{Acuity: a, Mode: game.Observer}, "")
			s.style.OneByOne, s.style.OneSquare = one, one
			lit := func(now int64, v *game.View) {
				if f := Compose(v, now, s.style); f != (board.Frame{}) {
					t.Errorf("%v at %d: %v is lit", a, now, named(f))
				}
				if v.Illegal != nil || v.Targets != 0 {
					t.Errorf("%v at %d: the view tells %+v and targets %v", a, now, v.Illegal, v.Targets)
				}
			}
			s.seen = lit
			s.hands("1000 -e7 400 +e5 4000 -e5 400 +e7 3000")               // the wrong side begins
			s.hands("-e2 400 +e5 4000 -e5 400 +e2 3000")                    // three squares
			s.hands("-e2 400 +e4 3000 -e7 400 +e5 3000")                    // legal
			s.hands("-b1 400 +b3 4000 -b3 500 +c3 3000")                    // a knight that is put right
			s.hands("-f8 400 +c5 3000 -e1 400 +g1 400 -h1 400 +f1 4000")    // castling over men
			s.hands("-f1 400 +h1 400 -g1 400 +e1 4000")                     // and back
			s.hands("-d1 400 +h5 3000 -b8 400 +c6 3000")                    // legal
			s.hands("-h5 300 -f7 300 +f7 4000")                             // check
			s.hands("-g7 400 +g5 4000 -g5 400 +g7 3000")                    // left in check
			s.hands("-a8 300 -a7 300 -b7 300 -c7 300 4000 -d7 300 4000")    // swept
			s.hands("+a8:r 300 +a7:p 300 +b7:p 300 +c7:p 300 +d7:p 5000")   // and put up again
			s.hands("-e8 300 -f7 300 +f7:k 5000 -h2 500 +h5 4000 +a5 6000") // taken, an impossible pawn, a man too many
			s.step(board.Input{Kind: board.Link})
			s.wait(8000)
			s.step(board.Input{Kind: board.Link, Online: true})
			s.wait(3000)
			moves := 0
			for _, e := range s.events {
				if !silent[e.Type] && !e.Arbiter {
					t.Errorf("%v: the table said %s", a, e.Type)
				}
				if e.Type == "move" {
					moves++
				}
			}
			if moves < 5 {
				t.Errorf("%v: only %d moves: %s", a, moves, s.log())
			}
		}
	}
}

// A round that is loaded before the men stand: help with setting up until they do, and none after.
func TestObserverIsHelpedToSetUp(t *testing.T) {
	t.Parallel()
	s := sit(t, game.Options{Acuity: board.ColorAcuity, Mode: game.Observer}, "")
	s.hands("1000 -e2 400 +e4 3000")
	if got := s.command(board.Command{Verb: "new_game", By: "arbiter", Force: true}); got != "ok" {
		t.Fatal(got)
	}
	s.hands("3000")
	if got := s.patterns(); got != "e2 slow, e4 fast" {
		t.Errorf("before the game: %q (%s)", got, s.log())
	}
	s.hands("-e4 400 +e2 3000")
	if got := s.patterns(); got != "" {
		t.Errorf("set up: %q", got)
	}
	s.hands("-e2 400 +e5 4000")
	if got := s.patterns(); got != "" {
		t.Errorf("an illegal first move is told: %q", got)
	}
}
