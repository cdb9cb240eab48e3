package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"math/rand/v2"

	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/daemon"
	"github.com/boardd/boardd/driver/virtual"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/recording"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing"
	"github.com/boardd/boardd/sensing/hand"
)

// told is an event as tests compare it: what live and replayed it must be the same, core time included.
func told(seq, t int64, kind string, ply int, uci string) string {
	return fmt.Sprintf("%d at %d: %s %d %s", seq, t, kind, ply, uci)
}

// saidBy gives the events of a board by their numbers.
func saidBy(t *testing.T, d *daemon.Daemon, id string) map[int64]string {
	t.Helper()
	list, err := d.Events(id, 1, daemon.MemoryLimit)
	if err != nil && !errors.Is(err, daemon.ErrNoBoard) { // it has said nothing yet
		t.Fatal(err)
	}
	said := map[int64]string{}
	for _, e := range list {
		uci := ""
		if m, ok := e.Body.(*game.Moved); ok {
			uci = m.UCI
		}
		said[e.Seq] = told(e.Seq, e.T, e.Type, e.Ply, uci)
	}
	return said
}

// replayed gives what the replay of a cut says, in the times of the run, up to the last line: what comes after it is the end's.
func replayed(t *testing.T, cut []byte) (said map[int64]string, sum game.Summary) {
	t.Helper()
	name := file(t, "cut.jsonl", string(cut))
	code, out, errs := boardd("replay", "--json", name)
	if code != 0 || errs != "" {
		t.Fatalf("replay of a cut: code %d: %s\n%s", code, errs, cut)
	}
	at, last := []int64{}, []int64{}
	for line := range bytes.Lines(cut) {
		var l struct {
			Recording int
			At, T     int64
		}
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		if l.Recording == 1 {
			at, last = append(at, l.At), append(last, 0)
		} else {
			last[len(last)-1] = l.T
		}
	}
	said = map[int64]string{}
	for _, e := range lines(t, out) {
		if e.Type == "summary" {
			sum = e.Summary
		} else if e.T <= last[e.Rec] {
			said[e.Seq] = told(e.Seq, e.T+at[e.Rec], e.Type, e.Ply, plyOf(e))
		}
	}
	return said, sum
}

func plyOf(e event) string {
	if e.Type != "move" {
		return ""
	}
	return strings.Trim(string(e.UCI), `"`)
}

// A game by simulated hands in a daemon that parts its recording often, cut at random moments: the replay of each cut says what the
// daemon has said since its beginning, with the same numbers and times.
func TestCutsReplayWhatWasPublished(t *testing.T) {
	t.Parallel()
	for a := board.Presence; a <= board.PieceAcuity; a++ {
		t.Run(fmt.Sprint(a, " at rest"), func(t *testing.T) {
			t.Parallel()
			cutsReplay(t, a, "club", 15*time.Second, true, uint64(a)+7)
		})
		// Hands that never rest: pieces begin in the midst of moves, which may then be told a little later.
		t.Run(fmt.Sprint(a, " in the midst"), func(t *testing.T) {
			t.Parallel()
			cutsReplay(t, a, "blitz", 2*time.Second, false, uint64(a)+7)
		})
	}
}

func cutsReplay(t *testing.T, acuity board.Acuity, styleName string, piece time.Duration, exact bool, seed uint64) {
	table := hand.Styles()
	style, ok := table.Style(styleName)
	if !ok {
		t.Fatalf("no style %s: %v", styleName, table.Names())
	}
	perf := hand.Play(style, table.Sensor(acuity), rules.Start(), opened(t, 60), seed)
	inputs := make(chan board.Input, len(perf.Inputs))
	for _, in := range perf.Inputs {
		in.T += 5000 // the board rests first
		inputs <- in
	}
	start := rules.Start()
	opening := recording.Opening{Driver: "virtual", Acuity: acuity, HasAcuity: true, Board: "b", Options: json.RawMessage(`{"orientation":"auto"}`)}
	v := virtual.Board{Start: projection(acuity, &start), Inputs: inputs}
	cutting{
		opening: opening, speed: 150, piece: piece, exact: exact, seed: seed, plies: len(perf.Plies),
		source: sourceFunc(func(ctx context.Context, sink *daemon.Sink) error { return v.Run(ctx, sink.Clock().Now(), sink.Input) }),
	}.run(t)
}

// opened is the beginning of a real game.
func opened(t *testing.T, plies int) (moves []rules.Move) {
	t.Helper()
	p := rules.Start()
	for i, uci := range movesOf(t, "capture1") {
		m, err := p.ParseUCI(uci)
		if err != nil {
			t.Fatal(err)
		}
		if i < plies {
			moves = append(moves, m)
		}
		p.Play(m)
	}
	return moves
}

// cutting is a game in a daemon whose recording is cut at random moments.
type cutting struct {
	opening   recording.Opening
	newDriver func() board.Driver
	source    daemon.Source
	speed     float64
	piece     time.Duration
	exact     bool // also the times are the same, but for a bounce
	seed      uint64
	plies     int // of the game
}

func (c cutting) run(t *testing.T) {
	opt, err := tableOptions(&c.opening)
	if err != nil {
		t.Fatal(err)
	}
	opt.Games = "g"
	dir := t.TempDir()
	ring, err := recording.OpenRing(recording.RingOptions{Dir: dir, Piece: c.piece}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	d, err := daemon.New(daemon.Options{Clock: daemon.NewRunning(c.speed), Boards: []daemon.Board{{
		Info: game.BoardInfo{ID: "b"}, Table: game.NewTable(opt), Opening: c.opening, Tapes: []daemon.Tape{ring},
		Source: c.source, NewDriver: c.newDriver,
	}}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- d.Run(ctx) }()
	stop := sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	defer stop()

	dice := rand.New(rand.NewPCG(c.seed, 1))
	var cuts [][]byte
	next := 4
	// Whether all of the game is understood, however slow this computer is, is the matter of other tests.
	whole := false
	for deadline := time.Now().Add(25 * time.Second); !whole && time.Now().Before(deadline); {
		eventually(t, "the daemon answers", time.Minute, func() bool { _, ok := d.Latest("b"); return ok })
		s, _ := d.Latest("b")
		whole = s.Game != nil && s.Match && len(s.Game.UCI) >= c.plies
		if n := len(saidBy(t, d, "b")); n >= next {
			next = n + 1 + dice.IntN(c.plies/8)
			var cut bytes.Buffer
			if _, err := recording.Cut(dir, time.Duration(dice.Int64N(int64(4*c.piece)))+1, &cut); err != nil {
				t.Error(err)
			}
			cuts = append(cuts, cut.Bytes())
		}
		select {
		case <-t.Context().Done():
		case <-time.After(5 * time.Millisecond):
		}
	}
	want := saidBy(t, d, "b")
	s, _ := d.Latest("b")
	stop()
	var all bytes.Buffer
	if _, err := recording.Cut(dir, 24*time.Hour, &all); err != nil {
		t.Fatal(err)
	}
	pieces, err := recording.Pieces(dir)
	if err != nil {
		t.Fatal(err)
	}
	compared, parted := 0, 0
	for i, cut := range append(cuts, all.Bytes()) {
		said, sum := replayed(t, cut)
		for seq, e := range said {
			before, ok := want[seq]
			if ok && !c.alike(before, e) {
				t.Errorf("cut %d: replayed %s\nwas published %s\n%s", i, e, before, cut)
				break
			}
			compared++
		}
		if bytes.Contains(cut, []byte(`"resume"`)) {
			parted++
		}
		if n := len(sum.UCI); i < len(cuts) && n < len(s.Game.UCI) && !slices.Equal(sum.UCI[:max(n-1, 0)], s.Game.UCI[:max(n-1, 0)]) {
			t.Errorf("cut %d ends with %v\nplayed was %v", i, sum.UCI, s.Game.UCI)
		}
		if i == len(cuts) && whole && (!slices.Equal(sum.UCI, s.Game.UCI) || len(said) < len(want)-3) {
			t.Errorf("the whole gives %v, %d events\nplayed was %v, %d events", sum.UCI, len(said), s.Game.UCI, len(want))
		}
	}
	t.Logf("%d pieces, %d cuts, %d of them from the midst, %d events compared", len(pieces), len(cuts)+1, parted, compared)
	if len(pieces) < 3 || parted < 2 || compared < 30 {
		t.Error("that is no test")
	}
}

// alike reports whether two events are the same, and at the same time where that is asked for: a resumed table does not know which
// squares were restless before, and may take a bounce for one scan more.
func (c cutting) alike(a, b string) bool {
	whenA, a, _ := strings.Cut(a, ": ")
	whenB, b, _ := strings.Cut(b, ": ")
	if a != b || !c.exact {
		return a == b
	}
	var seqA, seqB, ta, tb int64
	if n, err := fmt.Sscanf(whenA+" "+whenB, "%d at %d %d at %d", &seqA, &ta, &seqB, &tb); n != 4 || err != nil || seqA != seqB {
		return whenA == whenB
	}
	return max(ta-tb, tb-ta) <= sensing.DefaultSettleMs
}

func TestRecordComplains(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	conf := func(node, boards string) string {
		return file(t, "boardd.toml", "[node]\n"+node+"\n"+boards)
	}
	one, off := "[[board]]\nid = \"a\"\ndriver = \"virtual\"\n", "[[board]]\nid = \"a\"\ndriver = \"virtual\"\nrecord = \"off\"\n"
	kept := fmt.Sprintf("data = %q", data)
	for _, c := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"no data", []string{"-c", conf(`data = ""`, one)}, 1, "node.data is empty"},
		{"nothing yet", []string{"-c", conf(kept, one), "--last", "1h"}, 1, "nothing has been recorded of board a in " + filepath.Join(data, "recordings", "a") + " yet"},
		{"nothing yet, live", []string{"-c", conf(kept, one)}, 1, "nothing has been recorded"},
		{"off", []string{"-c", conf(kept, off)}, 1, `record = "off"`},
		{"which", []string{"-c", conf(kept, one+strings.Replace(one, `"a"`, `"b"`, 1))}, 2, "say which with --board: a, b"},
		{"unknown", []string{"-c", conf(kept, one), "--board", "x"}, 2, `there is no board "x": use a`},
		{"bad time", []string{"-c", conf(kept, one), "--last", "soon"}, 2, "such as 30s, 10m or 2h"},
		{"no time", []string{"-c", conf(kept, one), "--last", "-1h"}, 2, "such as 30s, 10m or 2h"},
	} {
		code, out, errs := boardd(append([]string{"record"}, c.args...)...)
		if code != c.code || out != "" || !strings.Contains(errs, c.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: code %d, %q, %q", c.name, code, out, errs)
		}
	}
}

// A live recording goes on while the board is played on, and ends well.
func TestRecordLive(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ring, err := recording.OpenRing(recording.RingOptions{Dir: dir}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	defer ring.Close()
	say := func(n int64) {
		if err := ring.Input(board.Input{T: n, Kind: board.Button, ButtonName: "b"}); err != nil {
			t.Fatal(err)
		}
		if err := ring.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := ring.Open(recording.Opening{HasAcuity: true, Run: "r", Since: time.Now()}); err != nil {
		t.Fatal(err)
	}
	say(1)
	ctx, cancel := context.WithCancel(t.Context())
	var out, errs logbook
	ended := make(chan error, 1)
	go func() { ended <- recordLive(ctx, dir, &out, &errs) }()
	eventually(t, "the first line", 10*time.Second, func() bool { return strings.Contains(out.String(), `"t":1,`) })
	say(2)
	eventually(t, "the second line", 10*time.Second, func() bool { return strings.Contains(out.String(), `"t":2,`) })
	cancel()
	if err := <-ended; err != nil || !strings.Contains(errs.String(), "2 lines") {
		t.Errorf("%v, %q", err, errs.String())
	}
	if err := ring.Close(); err != nil {
		t.Fatal(err)
	}
	if err := recordLive(t.Context(), dir, &out, &errs); err == nil || !strings.Contains(err.Error(), "nothing is being recorded") {
		t.Errorf("the daemon has ended: %v", err)
	}
}
