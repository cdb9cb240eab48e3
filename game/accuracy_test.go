package game

import (
	"bufio"
	"compress/gzip"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing"
	"github.com/boardd/boardd/sensing/hand"
)

// played is one real game: where it began and what was played.
type played struct {
	start rules.Position
	moves []rules.Move
	uci   []string
	quiet []bool         // the plies that only put a man from one square to another
	after map[string]int // the ply that leads to a FEN
}

func newPlayed(start rules.Position, moves []rules.Move) *played {
	g := &played{start: start, moves: moves, after: map[string]int{}}
	p := start
	for i, m := range moves {
		g.uci = append(g.uci, p.UCI(m))
		g.quiet = append(g.quiet, !m.IsCastling() && !m.IsEnPassant() && m.Promotion() == rules.NoRole && p.At(m.To()) == rules.NoPiece)
		p.Play(m)
		g.after[p.FEN()] = i
	}
	return g
}

// corpus reads the games of a file of testdata/games whose numbers are wanted, at most n, without those that the laws end
// before their last ply.
func corpus(tb testing.TB, file string, v rules.Variant, n int, wanted func(i int) bool) (games []*played) {
	tb.Helper()
	f, err := os.Open("../testdata/games/" + file)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<16)
	for i := 0; lines.Scan() && len(games) < n; i++ {
		if wanted(i) {
			if g := readGame(tb, lines.Text(), v); g != nil {
				games = append(games, g)
			}
		}
	}
	return games
}

func readGame(tb testing.TB, text string, v rules.Variant) *played {
	tb.Helper()
	field := strings.Split(text, "\t")
	start := rules.Start()
	if field[1] != "startpos" {
		var err error
		if start, err = rules.ParsePosition(field[1], v); err != nil {
			tb.Fatal(err)
		}
	}
	line := rules.NewLine(start)
	var moves []rules.Move
	for _, u := range strings.Fields(field[2]) {
		if line.Outcome() != rules.NoOutcome {
			return nil
		}
		p := line.Position()
		m, err := p.ParseUCI(u)
		if err != nil {
			tb.Fatal(err)
		}
		line.Play(m)
		moves = append(moves, m)
	}
	if len(moves) == 0 {
		return nil
	}
	return newPlayed(start, moves)
}

// watch lets a table read what sensors said, from the beginning to so long after the end, and shows each step to see.
func watch(o Options, perf *hand.Performance, rest int64, see func(t int64, out *Output)) *Table {
	tb := NewTable(o)
	var wake int64
	step := func(in board.Input) {
		out := tb.Step(in)
		wake = out.Wake
		see(in.T, &out)
	}
	step(board.Input{Kind: board.Wake})
	for _, in := range append(perf.Inputs[:len(perf.Inputs):len(perf.Inputs)], board.Input{Kind: board.Wake, T: perf.End + rest}) {
		for wake != 0 && wake <= in.T {
			step(board.Input{Kind: board.Wake, T: wake})
		}
		step(in)
	}
	return tb
}

func seatFor(g *played, a board.Acuity) Options {
	return Options{Games: "g", Acuity: a, SettleMs: sensing.DefaultSettleMs, Start: &g.start, Variant: g.start.Variant(), Orientation: "white"}
}

// tally is what a table made of games played by hands.
type tally struct {
	games, whole int
	plies, right int
	wrong        int // mistakes that were told and never corrected; what follows from one is not counted again
	corrections  int // takebacks with reason corrected
	takebacks    int // takebacks with reason board beyond those that the hands made
	doubts       int
	provisional  []int64 // delays of quiet plies that came out right, from when the man was down, ms
	commit       []int64
}

func (y *tally) add(o *tally) {
	y.games += o.games
	y.whole += o.whole
	y.plies += o.plies
	y.right += o.right
	y.wrong += o.wrong
	y.corrections += o.corrections
	y.takebacks += o.takebacks
	y.doubts += o.doubts
	y.provisional = append(y.provisional, o.provisional...)
	y.commit = append(y.commit, o.commit...)
}

// judge compares ply by ply what a table says of a performance with what was played.
func judge(g *played, perf *hand.Performance, a board.Acuity) (y tally, uci []string) {
	shown := make([]int64, len(g.moves)) // since when the ply is shown, from when it was complete; -1 not yet
	for i := range shown {
		shown[i] = -1
	}
	said, last := slices.Clone(shown), -1
	see := func(t int64, out *Output) {
		if v := out.View; v != nil {
			last = -1
			if k, ok := g.after[v.FEN]; ok && v.Provisional == g.uci[k] {
				last = k
			}
		}
		for _, e := range out.Events {
			switch b := e.Body.(type) {
			case *Moved:
				if k := e.Ply - 1; k < len(g.uci) && b.UCI == g.uci[k] {
					said[k] = t
					if shown[k] < 0 {
						shown[k] = t
					}
				}
			case *Takeback:
				if b.Reason == "corrected" {
					y.corrections++
				} else {
					y.takebacks++
				}
			case *Doubt:
				y.doubts++
			}
		}
		for k := last; k >= 0 && shown[k] < 0 && t >= perf.Plies[k].DoneMs; k-- {
			shown[k] = t
		}
	}
	tb := watch(seatFor(g, a), perf, 10_000, see)
	out := tb.Step(board.Input{Kind: board.End, T: perf.End + 10_000})
	see(perf.End+10_000, &out)
	for _, r := range tb.Games() {
		if len(r.UCI) >= len(uci) {
			uci = r.UCI
		}
	}
	for _, i := range perf.Incidents {
		if i.Kind == "takeback" && y.takebacks > 0 {
			y.takebacks--
		}
	}
	y.compare(g, uci)
	for k := range g.moves {
		if g.quiet[k] && k < len(uci) && uci[k] == g.uci[k] && said[k] >= 0 {
			y.commit = append(y.commit, max(0, said[k]-perf.Plies[k].DoneMs))
			y.provisional = append(y.provisional, max(0, shown[k]-perf.Plies[k].DoneMs))
		}
	}
	return y, uci
}

// compare counts the plies that stand and were played. A ply after which nothing is right any more is one mistake.
func (y *tally) compare(g *played, uci []string) {
	y.games, y.plies = 1, len(g.uci)
	lost := false // since the last mistake nothing was right
	for k, u := range uci {
		switch {
		case k < len(g.uci) && u == g.uci[k]:
			y.right++
			lost = false
		case !lost:
			y.wrong++
			lost = true
		}
	}
	if y.right == len(g.uci) && len(uci) == len(g.uci) {
		y.whole = 1
	}
}

func percentile(all []int64, p int) int64 {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[min(len(all)-1, len(all)*p/100)]
}
