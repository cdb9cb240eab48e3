package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/game"
)

var update = flag.Bool("update", false, "write the golden files anew")

const repo = "../../testdata"

// captures are the recorded games of real boards, with the men that stand at their end.
var captures = []struct{ name, board string }{
	{"capture1", "r5k1/p1p2rpR/1p3BQ1/2p1p3/4P3/3P3P/bPn3P1/6K1"},
	{"capture2", "2R5/4bppk/1p1p3Q/5R1P/4P3/5P2/r4q1P/7K"},
}

func movesOf(t *testing.T, capture string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repo, "dgt", capture+".uci"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(text))
}

// event is what tests look at in a line of replay --json or of the topic event.
type event struct {
	Rec    int
	T      int64
	V      int
	Board  string
	Epoch  string
	Seq    int64
	TS     string
	Game   *string
	Ply    int
	Type   string
	Late   *bool
	UCI    json.RawMessage `json:"uci"` // a string in move, a list in resolved and summary
	ClkMs  *int64          `json:"clk_ms"`
	ToPly  int             `json:"to_ply"`
	Reason string

	Summary game.Summary `json:"-"` // of the type summary
}

func lines(t *testing.T, out string) (events []event) {
	t.Helper()
	for line := range strings.Lines(out) {
		var e event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if e.Type == "summary" {
			if err := json.Unmarshal([]byte(line), &e.Summary); err != nil {
				t.Fatal(err)
			}
		}
		events = append(events, e)
	}
	return events
}

// standing plays moves and takebacks and gives the moves that stand at the end, with their clocks as the events said them.
func standing(t *testing.T, events []event) (uci []string, clk []*int64) {
	t.Helper()
	for _, e := range events {
		switch e.Type {
		case "game_start":
			uci, clk = nil, nil
		case "takeback":
			uci, clk = uci[:e.ToPly], clk[:e.ToPly]
		case "move":
			uci, clk = append(uci, strings.Trim(string(e.UCI), `"`)), append(clk, e.ClkMs)
			if e.Ply != len(uci) {
				t.Errorf("event %d: ply %d after %d moves", e.Seq, e.Ply, len(uci))
			}
		}
	}
	return uci, clk
}

func TestReplayOfRealBoardsIsExact(t *testing.T) {
	t.Parallel()
	for _, c := range captures {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			code, out, errs := boardd("replay", "--json", filepath.Join(repo, "recordings", "dgt-"+c.name+".jsonl"))
			if code != 0 || errs != "" {
				t.Fatalf("code %d: %s", code, errs)
			}
			events := lines(t, out)
			want := movesOf(t, c.name)
			for i, e := range events[:len(events)-1] {
				if e.Seq != int64(i)+1 {
					t.Fatalf("event %d has the number %d", i+1, e.Seq)
				}
			}
			if got, _ := standing(t, events); !slices.Equal(got, want) {
				t.Errorf("moves %v\nwant  %v", got, want)
			}
			last := events[len(events)-1]
			sum := last.Summary
			if last.Type != "summary" || !slices.Equal(sum.UCI, want) || sum.Result != "*" || sum.Status != "playing" || len(sum.Games) != 1 {
				t.Errorf("summary %+v", sum)
			}
			if fen := *sum.FEN; !strings.HasPrefix(fen, c.board+" ") {
				t.Errorf("position %s, want %s", fen, c.board)
			}
			_, again, _ := boardd("replay", "--json", filepath.Join(repo, "recordings", "dgt-"+c.name+".jsonl"))
			if again != out {
				t.Error("a second run gives other bytes")
			}
		})
	}
}

// golden compares with a file, or writes it.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (-update writes it anew); got\n%s", path, got)
	}
}

const quiet = `{"recording":1,"acuity":"piece","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","board":"table"}
{"t":3060,"sq":"e2","to":"."}
{"t":4140,"sq":"e4","to":"P"}
`

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReplayJSON(t *testing.T) {
	t.Parallel()
	code, out, errs := boardd("replay", "--json", file(t, "a", quiet))
	if code != 0 || errs != "" {
		t.Fatalf("code %d: %s", code, errs)
	}
	var move event
	for _, e := range lines(t, out) {
		if e.Type == "move" {
			move = e
		}
	}
	if move.Rec != 0 || move.V != 1 || move.Board != "table" || move.Epoch != "00000000" || *move.Game != "rec0-1" || move.Ply != 1 ||
		*move.Late || move.T < 4140 || !strings.HasPrefix(move.TS, "1970-01-01T00:00:") {
		t.Errorf("move %+v", move)
	}
	if last := out[strings.LastIndex(strings.TrimSpace(out), "\n")+1:]; !strings.HasPrefix(last, `{"type":"summary","rec":0,"uci":["e2e4"],"san":["e4"],"fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1","result":"*","status":"playing","games":[{"uci":["e2e4"],"san":["e4"],"result":"*","reason":null,"start_fen":"`) {
		t.Errorf("summary %s", last)
	}
}

func TestReplayCountsRecordingsAcrossFiles(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write([]byte(quiet + quiet))
	_ = z.Close()
	_, out, _ := boardd("replay", "--json", file(t, "a.gz", packed.String()), file(t, "b", quiet))
	var sums, first []string
	for _, e := range lines(t, out) {
		switch {
		case e.Type == "summary":
			sums = append(sums, fmt.Sprint(e.Rec, len(e.Summary.UCI)))
		case e.Seq == 1:
			first = append(first, fmt.Sprint(e.Rec))
		case e.Type == "move":
			if want := fmt.Sprintf("rec%d-1", e.Rec); *e.Game != want {
				t.Errorf("game %s, want %s", *e.Game, want)
			}
		}
	}
	if fmt.Sprint(sums) != "[0 1 1 1 2 1]" || fmt.Sprint(first) != "[0 1 2]" {
		t.Errorf("summaries %v, first events of %v", sums, first)
	}
}

func TestReplayReadsStdin(t *testing.T) {
	t.Parallel()
	var out, errs strings.Builder
	if code := run([]string{"replay", "-"}, strings.NewReader(quiet), &out, &errs); code != 0 {
		t.Fatal(code, errs.String())
	}
	if got := out.String(); !strings.Contains(got, "1.   e4") || !strings.Contains(got, "position: rnbqkbnr/pppppppp/8/8/4P3/8") {
		t.Error(got)
	}
}

func TestReplaySaysWhatItCannotRead(t *testing.T) {
	t.Parallel()
	const second = `{"recording":1,"acuity":"piece","fen":"8/8/8/8/8/8/8/8 w - - 0 1"}
{"t":1,"sq":"e2","to":"."}
{"recording":1,"driver":"abacus"}
`
	path := file(t, "bad.jsonl", strings.Replace(quiet, `{"t":4140`, "nonsense\n"+`{"t":4140`, 1)+second+quiet)
	code, out, errs := boardd("replay", "--json", path, filepath.Join(t.TempDir(), "none"))
	want := []string{path + ":3: not a line of JSON", path + ":5: opening line refused", path + ":7: opening line refused", "boardd: open ", "boardd: 4 faults in the recordings; the rest was processed"}
	got := strings.Split(strings.TrimSpace(errs), "\n")
	if code != 1 || len(got) != len(want) {
		t.Fatalf("code %d\n%s", code, errs)
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("%s\nwant %s", got[i], want[i])
		}
	}
	moves := 0
	for _, e := range lines(t, out) {
		if e.Type == "move" {
			moves++
		}
	}
	if moves != 2 {
		t.Errorf("%d moves in the rest:\n%s", moves, out)
	}
}

// Where nothing was replayed, there is no rest.
func TestReplayOfNothing(t *testing.T) {
	t.Parallel()
	none := filepath.Join(t.TempDir(), "none")
	code, out, errs := boardd("replay", none)
	if want := "boardd: open " + none + ": no such file or directory\nboardd: 1 fault, and no recording was replayed\n"; code != exitFault || out != "" || errs != want {
		t.Errorf("code %d, %s\n%s", code, out, errs)
	}
}

// A file that is something else is said in one line, and bad lines before a recording are not told without end.
func TestReplayOfAnotherFile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"hello\nworld\n# a text\n\nand more\n", "NAME: this is not a recording: none of its 4 lines can be read; line 1: not a line of JSON"},
		{"hello\nworld\n", "NAME:1: not a line of JSON|NAME:2: not a line of JSON"},
		{"a\nb\nc\nd\ne\n" + quiet, "NAME:1: |NAME:2: |NAME:3: |NAME: 2 lines more before the first recording cannot be read"},
		{"", ""},
	} {
		path := file(t, "other", c.text)
		_, _, errs := boardd("replay", path)
		got := strings.Split(strings.TrimSpace(errs), "\n")
		want := strings.Split(strings.ReplaceAll(c.want, "NAME", path), "|")
		if c.want != "" {
			got = got[:len(got)-1] // how many faults
		}
		if len(got) != len(want) {
			t.Errorf("%q:\n%s", c.text, errs)
			continue
		}
		for i := range want {
			if !strings.HasPrefix(got[i], want[i]) {
				t.Errorf("%s\nwant %s", got[i], want[i])
			}
		}
	}
}

func TestReplayEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, line, want string }{
		{"at once, what settles afterwards counts", `{"t":4141,"end":true}`, "e2e4"},
		{"ten seconds after the last line", ``, "e2e4"},
		{"after the end nothing is read", `{"t":4141,"end":true}` + "\n" + `{"t":4142,"sq":"e7","to":"."}`, "e2e4"},
	} {
		_, out, _ := boardd("replay", "--json", file(t, "a", quiet+c.line+"\n"))
		events := lines(t, out)
		sum := events[len(events)-1]
		if got := strings.Join(sum.Summary.UCI, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
