package game

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing"
	"github.com/boardd/boardd/sensing/hand"
)

// played is one real game: where it began and what was played.
type played struct {
	start rules.Position
	moves []rules.Move
}

// realGames gives every step-th game of the corpus from the first-th on, at most n, without those that the laws end before
// their last ply.
func realGames(tb testing.TB, first, step, n int) (games []played) {
	tb.Helper()
	f, err := os.Open("../testdata/games/train.tsv.gz")
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
		if i < first || (i-first)%step != 0 {
			continue
		}
		if g, ok := readGame(tb, lines.Text()); ok {
			games = append(games, g)
		}
	}
	return games
}

func readGame(tb testing.TB, text string) (g played, ok bool) {
	tb.Helper()
	field := strings.Split(text, "\t")
	g.start = rules.Start()
	if field[1] != "startpos" {
		var err error
		if g.start, err = rules.ParsePosition(field[1], rules.Standard); err != nil {
			tb.Fatal(err)
		}
	}
	line := rules.NewLine(g.start)
	for _, u := range strings.Fields(field[2]) {
		if line.Outcome() != rules.NoOutcome {
			return g, false
		}
		p := line.Position()
		m, err := p.ParseUCI(u)
		if err != nil {
			tb.Fatal(err)
		}
		line.Play(m)
		g.moves = append(g.moves, m)
	}
	return g, len(g.moves) > 0
}

// tally is what a table made of many games by hand.
type tally struct {
	games, whole        int
	plies, right        int
	corrections         int // takebacks with reason corrected
	wrong               int // plies that stand at the end and were not played, before synchronisation is lost for good
	doubts              int
	changes             int
	provisional, commit []int64 // delays of quiet moves, ms
	spent               time.Duration
}

func (y *tally) add(o tally) {
	y.games += o.games
	y.whole += o.whole
	y.plies += o.plies
	y.right += o.right
	y.corrections += o.corrections
	y.wrong += o.wrong
	y.doubts += o.doubts
	y.changes += o.changes
	y.provisional = append(y.provisional, o.provisional...)
	y.commit = append(y.commit, o.commit...)
	y.spent += o.spent
}

// judge lets a table read a performance and compares what it says with what was played.
func judge(g played, perf hand.Performance, acuity board.Acuity) (y tally, uci []string) {
	start := g.start
	o := Options{Games: "g", Acuity: acuity, SettleMs: sensing.DefaultSettleMs, Start: &start, Orientation: "white"}
	began := time.Now()
	tb := NewTable(o)
	var wake int64
	quiet := quietPlies(g)
	step := func(in board.Input) {
		out := tb.Step(in)
		wake = out.Wake
		for _, e := range out.Events {
			switch b := e.Body.(type) {
			case *Moved:
				if k := e.Ply - 1; k < len(perf.Plies) && quiet[k] && b.UCI == uciOf(g, k) {
					y.commit = append(y.commit, e.T-perf.Plies[k].DoneMs)
				}
			case *Takeback:
				if os.Getenv("TB") != "" {
					fmt.Printf("takeback at %d to %d %s %v\n", e.T, b.ToPly, b.Reason, b.Undone)
				}
				if b.Reason == "corrected" {
					y.corrections++
				}
			case *Doubt:
				y.doubts++
			}
		}
	}
	until := func(t int64) {
		for wake != 0 && wake <= t {
			step(board.Input{Kind: board.Wake, T: wake})
		}
	}
	step(board.Input{Kind: board.Wake})
	for _, in := range perf.Inputs {
		until(in.T)
		step(in)
	}
	end := perf.End + 10000
	until(end)
	step(board.Input{Kind: board.End, T: end})
	y.spent = time.Since(began)
	y.changes = len(perf.Inputs)
	records := tb.Games()
	for _, r := range records {
		if len(r.UCI) >= len(uci) {
			uci = r.UCI
		}
	}
	y.games, y.plies = 1, len(g.moves)
	p := g.start
	for k, m := range g.moves {
		if k < len(uci) && uci[k] == p.UCI(m) {
			y.right++
		}
		p.Play(m)
	}
	if y.right == len(g.moves) && len(uci) == len(g.moves) {
		y.whole = 1
	}
	return y, uci
}

func uciOf(g played, k int) string {
	p := g.start
	for _, m := range g.moves[:k] {
		p.Play(m)
	}
	return p.UCI(g.moves[k])
}

func quietPlies(g played) []bool {
	quiet := make([]bool, len(g.moves))
	p := g.start
	for i, m := range g.moves {
		quiet[i] = !m.IsCastling() && !m.IsEnPassant() && m.Promotion() == rules.NoRole && p.At(m.To()) == rules.NoPiece
		p.Play(m)
	}
	return quiet
}

func percentile(all []int64, p int) int64 {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[min(len(all)-1, len(all)*p/100)]
}

func TestTuneTable(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("TUNE"))
	if n == 0 {
		t.Skip()
	}
	skip, _ := strconv.Atoi(os.Getenv("SKIP"))
	show, _ := strconv.Atoi(os.Getenv("SHOW"))
	games := realGames(t, skip, 97, n)
	tab := hand.Styles()
	styles := strings.Fields(os.Getenv("STYLES"))
	if len(styles) == 0 {
		styles = []string{"slow", "club", "blitz", "bullet", "clumsy"}
	}
	acs := []board.Acuity{board.Presence, board.ColorAcuity, board.PieceAcuity}
	if a, ok := board.ParseAcuity(os.Getenv("ACUITY")); ok {
		acs = []board.Acuity{a}
	}
	for _, sn := range styles {
		st, _ := tab.Style(sn)
		for _, a := range acs {
			var y tally
			for gi, g := range games {
				perf := hand.Play(st, tab.Sensor(a), g.start, g.moves, uint64(gi*7919+skip*31+int(a)))
				o, uci := judge(g, perf, a)
				y.add(o)
				if o.whole == 0 && show > 0 {
					show--
					fmt.Printf("--- %s %v game %d: %d of %d (read %d)\n", sn, a, gi, o.right, o.plies, len(uci))
					k := 0
					for k < len(uci) && k < len(g.moves)-1 && uci[k] == uciOf(g, k) {
						k++
					}
					for kk := max(0, k-1); kk < min(k+4, len(perf.Plies)); kk++ {
						r := "-"
						if kk < len(uci) {
							r = uci[kk]
						}
						fmt.Printf("    true %d %s %d-%d read %s\n", kk, uciOf(g, kk), perf.Plies[kk].LiftedMs, perf.Plies[kk].DoneMs, r)
					}
					if k < len(perf.Plies) {
						lo, hi := perf.Plies[k].LiftedMs-300, perf.Plies[min(k+2, len(perf.Plies)-1)].DoneMs+500
						for _, x := range perf.Inputs {
							if x.T >= lo && x.T <= hi {
								if x.Kind == board.Cmd {
									fmt.Printf(" %d:%s", x.T, x.Command.Piece)
								} else {
									fmt.Printf(" %d:%s%c", x.T, x.Square, x.Symbol)
								}
							}
						}
						for _, x := range perf.Incidents {
							if x.T >= lo && x.T <= hi {
								fmt.Printf(" [%d %s]", x.T, x.Kind)
							}
						}
						fmt.Println()
					}
				}
			}
			fmt.Printf("%-7s %-9s plies %.3f%% games %d/%d corr %d doubts %d commit %d/%d ms %d µs/change\n", sn, a, 100*float64(y.right)/float64(y.plies), y.whole, y.games, y.corrections, y.doubts,
				percentile(y.commit, 50), percentile(y.commit, 95), y.spent.Microseconds()/int64(max(1, y.changes)))
		}
	}
}
