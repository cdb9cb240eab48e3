package game

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// said is what the table says of the named scenarios, at presence, color and piece acuity, where that is not simply the moves
// of the line one after the other.
var said = map[string][3]string{
	"A8": {"doubt", "move exf5", "move exf5"},
	"E1": {"promotion_pending e8, move e8=Q", "promotion_pending e8, move e8=Q", "promotion_pending e8, move e8=Q"},
	"E2": {"promotion_pending e8, move e8=Q", "promotion_pending e8, move e8=Q", "move e8=Q"},
	"E3": {"promotion_pending e8, move e8=Q", "promotion_pending e8, move e8=Q", "move e8=N+, check, game_end 1/2-1/2 dead"},
	"H1": everywhere("move e4, takeback board e2e4, move d4"),
	"H2": everywhere("move exd5, takeback board e4d5, move Nf3"),
	"K1": everywhere("move e4, takeback board e2e4"),
	"I1": {"doubt, resolved, move e4", "illegal_move e7e5 not_your_turn, move e4", "illegal_move e7e5 not_your_turn, move e4"},
	"I2": everywhere("illegal_move e2e5 pawn_moves_forward, move e4"),
	"L1": everywhere("result_proposed 1-0, game_end 1-0 kings"),
}

func everywhere(log string) [3]string { return [3]string{log, log, log} }

// undecided are the captures of which squares alone say nothing for seconds: a presence board may ask meanwhile, and may have
// to take its answer back.
var undecided = []string{"A3", "A5", "H2", "M1"}

// perform plays the events of a scenario with all times in tenths; testdata/scenarios.tsv explains the notation.
func (h *table) perform(events string, tenths int64, scan bool) {
	h.tb.Helper()
	began := h.t
	lifted := map[string]rules.Piece{}
	last := rules.NoPiece
	for _, ev := range strings.Fields(events) {
		what, at, _ := strings.Cut(ev, "@")
		ms, err := strconv.ParseInt(at, 10, 64)
		s, ok := rules.ParseSquare(what[1:3])
		if err != nil || !ok {
			h.tb.Fatalf("event %s", ev)
		}
		unseen := what[0] == '!' && h.acuity == board.Presence || scan
		h.t = began + ms*tenths/10
		man := rules.NoPiece
		switch {
		case what[0] == '-' && h.men[s] == rules.NoPiece: // it has been set down elsewhere already
		case what[0] == '-':
			last = h.men[s]
			lifted[what[1:3]] = last
		case len(what) == 3:
			man = last
		case what[3] == '=':
			man, _ = rules.PieceFromLetter(what[4])
		default:
			from, _ := rules.ParseSquare(what[4:])
			if man, ok = lifted[what[4:]]; !ok {
				man, h.men[from] = h.men[from], rules.NoPiece
			}
		}
		h.men[s] = man
		if !unseen {
			h.step(board.Input{Kind: board.Change, Square: s, Symbol: h.acuity.See(man)})
		}
	}
	if scan {
		h.step(board.Input{Kind: board.Scan, Picture: h.picture()})
	}
}

// sans writes plies as the log of a table does.
func sans(tb testing.TB, start *rules.Position, uci string) string {
	tb.Helper()
	var words []string
	p := *start
	for _, m := range plies(tb, p, uci) {
		words = append(words, "move "+p.SAN(m))
		p.Play(m)
	}
	return strings.Join(words, ", ")
}

// plies reads moves from a position.
func plies(tb testing.TB, p rules.Position, uci string) (list []rules.Move) {
	tb.Helper()
	for _, u := range strings.Fields(uci) {
		m, err := p.ParseUCI(u)
		if err != nil {
			tb.Fatalf("%s: %v", u, err)
		}
		list = append(list, m)
		p.Play(m)
	}
	return list
}

// corrected reads a log as if every ply that was corrected later had never been said.
func corrected(log string) string {
	words := strings.Split(log, ", ")
	for i := 0; i < len(words); i++ {
		undone, ok := strings.CutPrefix(words[i], "takeback corrected ")
		if !ok {
			continue
		}
		from := i
		for n := len(strings.Fields(undone)); n > 0 && from > 0; {
			if from--; strings.HasPrefix(words[from], "move ") {
				n--
			}
		}
		if strings.HasPrefix(words[from], "move ") {
			words = slices.Delete(words, from, i+1)
			i = from - 1
		}
	}
	return strings.Join(words, ", ")
}

func TestScenariosAtTheTable(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../testdata/scenarios.tsv")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for row := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		if strings.HasPrefix(row, "#") || len(f) != 6 {
			continue
		}
		seen++
		for _, a := range acuities {
			for _, tenths := range []int64{7, 10, 14} {
				t.Run(fmt.Sprintf("%s/%s/%d", f[0], a, tenths), func(t *testing.T) {
					t.Parallel()
					playScenario(t, f, a, tenths)
				})
			}
		}
	}
	if seen != 39 {
		t.Errorf("%d scenarios", seen)
	}
}

func playScenario(t *testing.T, f []string, a board.Acuity, tenths int64) {
	start := startOf(t, f[1])
	h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: start})
	h.perform(f[2], tenths, strings.Contains(f[5], "scan"))
	h.wait(12_000)

	id, line := f[0][:2], strings.Trim(f[3+int(a)/2], "-")
	log := sans(t, start, line)
	if special, ok := said[id]; ok {
		log = special[a]
	}
	if a == board.Presence && strings.Contains(f[5], "doubt") {
		line = ""
	}
	want := strings.TrimSuffix("game_start, "+log, ", ")
	got := corrected(h.log())
	if a == board.Presence && slices.Contains(undecided, id) {
		got = corrected(strings.ReplaceAll(h.log(), "doubt, resolved, ", ""))
		switch id {
		case "A5":
			got = strings.Replace(got, "move exd5, takeback board e4d5, ", "", 1)
		case "H2": // told from a change of mind only by what is played next
			got = strings.Replace(got, "game_start, move Nf3", want, 1)
		}
	}
	if stands := h.uci(); stands != line {
		t.Errorf("%q stands, played was %q: %s", stands, line, h.log())
	}
	if got != want {
		t.Errorf("said %s; want %s", h.log(), want)
	}
	for _, e := range h.events {
		switch x := e.Body.(type) {
		case *Doubt:
			if len(x.Candidates) < 2 {
				t.Errorf("doubt %+v", x)
			}
		case *Illegal:
			if x.Article == "" || x.FIDE == "" {
				t.Errorf("no article: %+v", x)
			}
		}
	}
}
