package game

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing"
	"github.com/boardd/boardd/sensing/hand"
)

// evening is one game by hands that are never wrong, on a table that is killed again and again while its disk is slow. Times are
// those of the performance; each table begins anew at 0.
type evening struct {
	t        *testing.T
	g        *played
	perf     *hand.Performance
	opt      Options
	picture  board.Picture
	now      int64 // of the hands
	moved    int64 // how much later than performed they are
	zero     int64 // when the table's time began
	tb       *Table
	wake     int64
	safe     []*Snapshot // written, or about to be
	since    []int64     // when each came about
	answered int
	lost     int  // plies that were not written when it was killed
	excused  bool // nobody can know what was played: too much, or by a longer way than need be
	log      string
}

func (e *evening) step(in board.Input) {
	at := e.now - e.zero
	for e.wake != 0 && e.wake <= at {
		e.one(board.Input{Kind: board.Wake, T: e.wake})
	}
	in.T = at
	e.one(in)
}

func (e *evening) one(in board.Input) {
	out := e.tb.Step(in)
	e.wake = out.Wake
	if out.Snapshot != nil {
		e.safe, e.since = append(e.safe, out.Snapshot), append(e.since, e.zero+in.T)
	}
	for _, ev := range out.Events {
		switch x := ev.Body.(type) {
		case *Moved:
			e.log += " " + x.SAN
		case *Doubt:
			e.log += fmt.Sprintf(" doubt%v", x.Candidates)
		case *Resolved:
			e.log += fmt.Sprintf(" resolved%v", x.UCI)
		default:
			e.log += " " + ev.Type
		}
	}
}

// kill ends the table, and begins another with what was written so many milliseconds ago.
func (e *evening) kill(ago int64) {
	n := len(e.safe) - 1
	for n > 0 && e.since[n] > e.now-ago {
		n--
	}
	if s := e.safe[n]; s.Game != nil {
		missed := e.g.moves[min(len(s.Game.UCI), e.done()):min(e.done()+1, len(e.g.moves))] // the last is under way
		e.lost += len(missed)
		e.excused = e.excused || detours(missed) || len(missed) > 5 || e.opt.Acuity == board.Presence && captures(e.g, len(s.Game.UCI), len(missed)) > 1
	}
	r := keptOf(e.t, e.safe[n])
	r.Ago = e.now - e.since[n]
	e.safe, e.since = e.safe[:n+1], e.since[:n+1]
	o := e.opt
	o.Resume, o.Start = r, nil
	e.log += " |"
	e.zero, e.wake, e.tb = e.now, 0, NewTable(o)
	e.step(board.Input{Kind: board.Link})
	e.pause(300)
	e.step(board.Input{Kind: board.Link, Online: true})
	e.step(board.Input{Kind: board.Scan, Picture: e.picture})
}

// captures counts those among n plies from one on. Of several, a board that sees no colour shows nothing but who is gone.
func captures(g *played, from, n int) (count int) {
	p := g.start
	for i, m := range g.moves[:from+n] {
		if i >= from && !m.IsCastling() && p.At(m.Victim()) != rules.NoPiece {
			count++
		}
		p.Play(m)
	}
	return count
}

// pause lets the hands rest.
func (e *evening) pause(ms int64) {
	e.now += ms
	e.moved += ms
	e.step(board.Input{Kind: board.Wake})
}

// done are the plies that the hands have completed.
func (e *evening) done() (n int) {
	for n < len(e.perf.Plies) && e.perf.Plies[n].DoneMs <= e.now-e.moved {
		n++
	}
	return n
}

// between reports that no ply is under way.
func (e *evening) between() bool {
	n := e.done()
	return n == len(e.perf.Plies) || e.perf.Plies[n].LiftedMs > e.now-e.moved
}

// answer answers an open doubt as who has played would.
func (e *evening) answer() {
	d := e.tb.doubt
	if d == nil {
		return
	}
	best, depth := -1, -1
	for i, c := range d.candidates {
		line := append(clone(d.base), c...)
		if n := len(line); n <= e.done() && n > depth && sameLine(line, e.g.moves[:n]) {
			best, depth = i, n
		}
	}
	if best < 0 {
		return // what was played is not among them: then play goes on
	}
	e.answered++
	e.step(board.Input{Kind: board.Cmd, Command: &board.Command{Verb: "choose", Doubt: d.id, N: best}})
}

// run plays to the end, and gives what stands then.
func (e *evening) run(dice *rand.Rand, kills int) []rules.Move {
	e.tb = NewTable(e.opt)
	e.step(board.Input{Kind: board.Wake})
	first := e.opt.see(&e.g.start)
	e.picture = first
	at := map[int]bool{}
	for range kills {
		at[8+dice.IntN(len(e.perf.Inputs)-8)] = true
	}
	for i, in := range e.perf.Inputs {
		e.now = in.T + e.moved
		if in.Kind == board.Change {
			e.picture[in.Square] = in.Symbol
		}
		e.step(in)
		if e.between() {
			e.answer()
		}
		if at[i] {
			e.kill(dice.Int64N(1500))
			e.pause(dice.Int64N(3000)) // some play on before anything can be asked
			if e.between() {
				e.answer()
			}
		}
	}
	e.pause(8000)
	e.answer()
	e.pause(8000)
	return e.tb.game.moves
}

// A daemon that is killed while its disk is slow has up to 1.5 s of moves unwritten, and the men stand several plies further on than
// the game that it goes on with. Who is asked which order they were played in answers, and the game ends as it was played.
func TestKilledWithPliesUnwritten(t *testing.T) {
	t.Parallel()
	games := corpus(t, "train.tsv.gz", rules.Standard, 12, tuned)
	blitz, _ := hand.Styles().Style("blitz")
	manner := hand.Style{
		Gap: hand.Range{120, 450}, Carry: hand.Range{60, 200}, Promotion: blitz.Promotion,
		Capture: hand.CaptureOrder{VictimFirst: 0.5, OwnFirst: 0.5}, Castle: blitz.Castle,
	}
	for _, a := range acuities {
		t.Run(a.String(), func(t *testing.T) {
			t.Parallel()
			answered, lost, wrong, all := 0, 0, 0, 0
			for gi, g := range games {
				moves := g.moves[:min(40, len(g.moves))]
				g := &played{start: g.start, moves: moves}
				for seed := range uint64(6) {
					perf := hand.Play(manner, hand.Styles().Sensor(a), g.start, moves, seed+uint64(gi)<<8)
					dice := rand.New(rand.NewPCG(seed, uint64(gi)))
					e := &evening{t: t, g: g, perf: &perf, opt: Options{Games: "g", Acuity: a, SettleMs: sensing.DefaultSettleMs, Start: &g.start, Orientation: "white"}}
					if got := e.run(dice, 3); !sameLine(got, moves) {
						if e.excused {
							wrong++
						} else {
							t.Errorf("game %d, seed %d:\nplayed %v\nstands %v\nsaid %s", gi, seed, uciLine(g.start, moves), uciLine(g.start, got), e.log)
						}
					}
					answered, lost, all = answered+e.answered, lost+e.lost, all+1
				}
			}
			t.Logf("%d evenings, %d plies unwritten, %d doubts answered, %d of which nobody could know", all, lost, answered, wrong)
			if answered == 0 || lost == 0 {
				t.Error("nothing was in doubt")
			}
		})
	}
}
