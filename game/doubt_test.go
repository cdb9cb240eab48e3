package game

import (
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/sensing/hand"
)

const (
	oneVictim  = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
	eitherPawn = "rnbqkbnr/ppp1p1pp/8/3p1p2/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3"
	twoRooks   = "6k1/5ppp/8/8/8/8/5PPK/R6R w - - 0 1"
	rookFirst  = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"
)

// doubtCase is hands that leave the board in doubt, and each way out of it.
type doubtCase struct {
	name, fen, hands string
	kind             string
	candidates       string // in any order, with " | " between; "" among them: nothing was played
	squares          string // what the lights show
	base             string // said before it
	on               []board.Acuity
	ways             []wayOut
}

// wayOut is what happens next: an answer (the candidate that is chosen), or hands.
type wayOut struct {
	answer, hands string
	log           string // after the doubt
	uci           string // what stands in the end
}

var presenceOnly = acuities[:1]

var doubtCases = []doubtCase{
	{name: "a victim whose going was missed", fen: oneVictim, hands: "-e4 100 ~-d5 ~+d5 3600", kind: "missed_capture",
		candidates: " | e4d5", squares: "d5", on: presenceOnly, ways: []wayOut{
			{answer: "e4d5", hands: "1000 -d8 400 -d5 400 +d5 9000 -b1 400 +c3 3000", log: "command choose, resolved e4d5, move exd5, move Qxd5, move Nc3", uci: "e4d5 d8d5 b1c3"},
			{answer: "", hands: "6000 +e5 3000", log: "command choose, resolved, move e5", uci: "e4e5"},
			{hands: "6000 +e5 3000", log: "resolved e4e5, move e5", uci: "e4e5"},
			{hands: "6000 +e4 3000 -d2 400 +d4 3000", log: "resolved, move d4", uci: "d2d4"},
			{hands: "-d5 400 +d5:P 3000", log: "resolved e4d5, move exd5", uci: "e4d5"},
			{hands: "-g8 400 +f6 4000 -d2 400 +d3 3000", log: "resolved e4d5, move exd5, move Nf6, move d3", uci: "e4d5 g8f6 d2d3"},
		}},
	{name: "one of two victims, nothing seen of either", fen: twoVictims, hands: "~-c5 ~-d4 ~+c5 look 3600", kind: "missed_capture",
		candidates: " | d4c5 | d4e5", squares: "c5 e5", on: presenceOnly, ways: []wayOut{
			{answer: "d4c5", hands: "1000 -e5 400 +e4 3000", log: "command choose, resolved d4c5, move dxc5, move e4", uci: "d4c5 e5e4"},
			{answer: "d4e5", hands: "1000 -e8 400 +e7 3000", log: "command choose, resolved d4e5, move dxe5, move Ke7", uci: "d4e5 e8e7"},
			{hands: "-e5 400 +e4 3000", log: "resolved d4c5, move dxc5, move e4", uci: "d4c5 e5e4"},
			{hands: "-c5 400 +c4 3000", log: "resolved d4e5, move dxe5, move c4", uci: "d4e5 c5c4"},
		}},
	{name: "either of two victims, both off and on", fen: eitherPawn, hands: "-e4 300 -d5 600 +d5 500 -f5 500 +f5:P 6000", kind: "victim_ambiguous",
		base: "move exd5, takeback corrected e4d5", candidates: "e4d5 | e4f5", squares: "d5 f5", on: presenceOnly, ways: []wayOut{
			{answer: "e4d5", hands: "1000 -d8 300 -d5 400 +d5:q 5000", log: "command choose, resolved e4d5, move exd5, move Qxd5", uci: "e4d5 d8d5"},
			{answer: "e4f5", hands: "1000 -c8 300 -f5 400 +f5:b 5000", log: "command choose, resolved e4f5, move exf5, move Bxf5", uci: "e4f5 c8f5"},
			{hands: "-d5 400 +d4 5000", log: "resolved e4f5, move exf5, move d4", uci: "e4f5 d5d4"},
			{hands: "-f5 400 +f4 5000", log: "resolved e4d5, move exd5, move f4", uci: "e4d5 f5f4"},
			{hands: "-d8 300 -d5 400 +d5:q 5000", log: "resolved e4d5, move exd5, move Qxd5", uci: "e4d5 d8d5"},
		}},
	{name: "who came to d5, the pawn or the queen", fen: oneVictim, hands: "-e4 5000 -d8 300 -d5 400 +d5 1600", kind: "capture_or_putback",
		base: "doubt, resolved e4d5, move exd5", candidates: " | d8d5", squares: "d5 d8", on: presenceOnly, ways: []wayOut{
			{answer: "d8d5", hands: "1000 -b1 400 +c3 5000", log: "command choose, resolved d8d5, move Qxd5, move Nc3", uci: "e4d5 d8d5 b1c3"},
			{hands: "+d8:q 5000 -g8 400 +f6 3000", log: "resolved, move Nf6", uci: "e4d5 g8f6"},
			{hands: "-b1 400 +c3 5000", log: "resolved d8d5, move Qxd5, move Nc3", uci: "e4d5 d8d5 b1c3"},
		}},
	{name: "which of two rooks", fen: twoRooks, hands: "-a1 300 -h1 400 +d1 6000", kind: "source_ambiguous",
		candidates: "a1d1 | h1d1", squares: "a1 h1", on: acuities, ways: []wayOut{
			{answer: "a1d1", hands: "+h1:R 5000", log: "command choose, resolved a1d1, move Rad1", uci: "a1d1"},
			{answer: "h1d1", hands: "+a1:R 5000", log: "command choose, resolved h1d1, move Rhd1", uci: "h1d1"},
			{hands: "+a1:R 5000", log: "resolved h1d1, move Rhd1", uci: "h1d1"},
			{hands: "+h1:R 5000", log: "resolved a1d1, move Rad1", uci: "a1d1"},
		}},
	{name: "pawn to c6 or past it", fen: pawnOnD5, hands: "~-c7 ~-d5 ~+c6 look 1600", kind: "line_ambiguous",
		candidates: "c7c6 d5c6 | c7c5 d5c6", squares: "c5", on: acuities[1:], ways: []wayOut{
			{answer: "c7c5 d5c6", hands: "1000 -b8 300 -c6 400 +c6:n 5000", log: "command choose, resolved c7c5 d5c6, move c5, move dxc6, move Nxc6", uci: "c7c5 d5c6 b8c6"},
			{answer: "c7c6 d5c6", hands: "1000 -b8 300 -c6 400 +c6:n 5000", log: "command choose, resolved c7c6 d5c6, move c6, move dxc6, move Nxc6", uci: "c7c6 d5c6 b8c6"},
		}},
}

// fullLog is the log with what resolved a doubt.
func (h *table) fullLog() string {
	words := strings.Split(h.log(), ", ")
	for i, e := range h.events {
		if r, ok := e.Body.(*Resolved); ok {
			words[i] = strings.TrimSpace("resolved " + strings.Join(r.UCI, " "))
		}
	}
	return strings.Join(words, ", ")
}

func (c *doubtCase) run(t *testing.T, a board.Acuity, w wayOut) {
	h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, c.fen), Orientation: "white"})
	h.hands("1000 " + c.hands)
	said := strings.TrimSuffix("game_start, "+c.base, ", ") + ", doubt"
	if got := h.fullLog(); got != said {
		t.Fatalf("\n got %s\nwant %s", got, said)
	}
	d := h.events[len(h.events)-1].Body.(*Doubt)
	var named []string
	for _, x := range d.Candidates {
		named = append(named, strings.Join(x.UCI, " "))
	}
	want := strings.Split(c.candidates, " | ")
	if got := slices.Sorted(slices.Values(named)); d.Kind != c.kind || !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		t.Errorf("%s %q", d.Kind, named)
	}
	var lit []string
	for _, s := range h.lights.Doubtful {
		lit = append(lit, s.String())
	}
	slices.Sort(lit)
	if strings.Join(lit, " ") != c.squares {
		t.Errorf("lights show %v", lit)
	}
	from := len(h.events)
	if w.answer != "" || strings.HasPrefix(w.log, "command choose") {
		if r := h.cmd(board.Command{Verb: "choose", Doubt: d.ID, N: slices.Index(named, w.answer)}); r.Status != "ok" {
			t.Errorf("%+v", r)
		}
	}
	h.hands(w.hands)
	h.events = h.events[from:]
	if got := h.fullLog(); got != w.log {
		t.Errorf("\n got %s\nwant %s", got, w.log)
	}
	if h.uci() != w.uci {
		t.Errorf("%s stands", h.uci())
	}
}

func TestDoubts(t *testing.T) {
	t.Parallel()
	for _, c := range doubtCases {
		for _, a := range c.on {
			for _, w := range c.ways {
				name := "/hands " + w.hands
				if w.answer != "" {
					name = "/answer " + w.answer
				}
				t.Run(c.name+"/"+a.String()+name, func(t *testing.T) {
					t.Parallel()
					c.run(t, a, w)
				})
			}
		}
	}
}

// A man that is only held raises no doubt where nothing can have been missed: other boards see a capture, and some men can take
// nobody.
func TestHoldingAManIsNoDoubt(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, fen, hands string
		on               []board.Acuity
	}{
		{"the board sees who stands there", oneVictim, "-e4 20000 +e4 3000", acuities[1:]},
		{"nothing to take", "", "-g1 20000 +g1 3000", acuities},
		{"another man", oneVictim, "-b1 20000 +b1 3000", acuities},
		{"not the side to move", oneVictim, "-d5 20000 +d5 3000", acuities},
		{"not long enough", oneVictim, "-e4 2900 +e4 3000", acuities},
		{"the victim beside it", oneVictim, "-d5 200 -e4 20000 +d5:p 300 +e4:P 3000", acuities},
		{"going back and forth", twoVictims, "-d4 1500 +d4 500 -d4 1500 +d4 500 -d4 1500 +d4 3000", acuities},
	} {
		for _, a := range tt.on {
			t.Run(tt.name+"/"+a.String(), func(t *testing.T) {
				t.Parallel()
				h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, tt.fen)})
				h.hands("1000 " + tt.hands)
				h.want("game_start")
			})
		}
	}
}

// Who says that nothing has been played is not asked again before he takes the man up again.
func TestHeldManIsAskedAboutOnce(t *testing.T) {
	t.Parallel()
	h := seat(t, Options{Games: "g", Acuity: board.Presence, SettleMs: 25, Start: startOf(t, oneVictim)})
	h.hands("1000 -e4 4000")
	h.cmd(board.Command{Verb: "choose", Doubt: 1, N: 0})
	h.hands("30000 +e4 5000")
	h.want("game_start, doubt, command choose, resolved")
	h.hands("-e4 4000 +e4 1000")
	h.want("game_start, doubt, command choose, resolved, doubt, resolved")
}

// What has been taken back by command is not in doubt any more.
func TestTakebackEndsADoubt(t *testing.T) {
	t.Parallel()
	h := seat(t, Options{Games: "g", Acuity: board.Presence, SettleMs: 25, Start: startOf(t, eitherPawn)})
	h.play("g1f3", "g8f6")
	h.hands("-e4 4000")
	h.cmd(board.Command{Verb: "takeback"})
	h.want("game_start, move Nf3, move Nf6, doubt, command takeback, takeback command g8f6, resolved")
}

// A press makes no ply of one that might as well be another.
func TestPressedInDoubt(t *testing.T) {
	t.Parallel()
	h := seat(t, Options{Games: "g", Acuity: board.Presence, SettleMs: 25, Start: startOf(t, eitherPawn), Orientation: "white"})
	h.clockSays(600_000, 600_000, board.Left)
	h.hands("1000 -d5 100 -f5 200 -e4 300 +d5:P 400 +f5:p 400")
	before := len(h.events)
	h.clockSays(598_000, 600_000, board.Right)
	h.wait(5000)
	for _, e := range h.events[before:] {
		if e.Type == "move" {
			t.Errorf("a guess: %s", h.log())
		}
	}
	if h.state.Pending == nil || h.state.Pending.Kind != "doubt" {
		t.Fatalf("not asked: %s", h.log())
	}
	h.hands("-f5 400 +f4 4000")
	if h.uci() != "e4d5 f5f4" {
		t.Error(h.log())
	}
}

// Whatever was in doubt, play that goes on settles it.
func TestPlaySettlesEveryDoubt(t *testing.T) {
	t.Parallel()
	said := 0
	for _, class := range hand.Classes() {
		for seed := range uint64(12) {
			trial, ok := hand.NewTrial(class, board.Presence, 8, 4711+seed)
			if !ok {
				t.Fatal(class)
			}
			open := int64(0)
			watch(seatFor(newPlayed(trial.Start, trial.Moves), board.Presence), &trial.Performance, 12_000, func(_ int64, out *Output) {
				for _, e := range out.Events {
					switch x := e.Body.(type) {
					case *Doubt:
						open = x.ID
						said++
					case *Resolved, *GameEnd, *Desync:
						open = 0
					}
				}
			})
			if open != 0 {
				t.Errorf("%s %d: doubt %d is open after eight plies", class, seed, open)
			}
		}
	}
	if said == 0 {
		t.Error("nothing was in doubt")
	}
}
