package recording

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
)

const example = `{"recording":1,"acuity":"presence","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}
{"t":3060,"sq":"e2","to":"."}
{"t":4140,"sq":"e4","to":"x"}
{"t":9000,"board":"xxxxxxxx/xxxxxxxx/......../......../....x.../......../xxxx.xxx/xxxxxxxx"}
{"t":9500,"cmd":{"verb":"promotion","piece":"queen"}}
{"t":9600,"link":"down"}
{"t":9900,"clock":{"white_ms":180000,"black_ms":178000,"running":"white"}}
{"t":9950,"button":"new_game"}
{"t":12000,"end":true}
{"recording":1,"driver":"dgt","options":{"orientation":"auto"}}
{"t":0,"hex":"86 00 43 08"}
{"t":5,"clock":{"left_ms":1000,"right_ms":2000,"running":"right","lever":"left","flag":"right","battery_low":true}}
{"t":5,"battery":{"percent":80,"charging":true}}
`

// all reads to the end: entries, and the faults of lines.
func all(t testing.TB, r *Reader) (entries []Entry, faults []string) {
	t.Helper()
	for {
		e, err := r.Next()
		var bad *LineError
		switch {
		case err == io.EOF:
			return entries, faults
		case errors.As(err, &bad):
			faults = append(faults, bad.Error())
		case err != nil:
			return entries, append(faults, err.Error())
		default:
			entries = append(entries, e)
		}
	}
}

func write(t testing.TB, entries []Entry) string {
	t.Helper()
	var out bytes.Buffer
	w := NewWriter(&out)
	for _, e := range entries {
		var err error
		switch {
		case e.Opening != nil:
			err = w.Open(*e.Opening)
		case e.Bytes != nil:
			err = w.Bytes(e.Input.T, e.Bytes)
		default:
			err = w.Input(e.Input)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestExampleIsReadAndWrittenExactly(t *testing.T) {
	t.Parallel()
	entries, faults := all(t, NewReader(strings.NewReader(example)))
	if len(faults) > 0 || len(entries) != 13 {
		t.Fatalf("%d entries, faults %q", len(entries), faults)
	}
	if got := write(t, entries); got != example {
		t.Errorf("written back:\n%s", got)
	}
	if e := entries[1]; e.Line != 2 || e.Input.Kind != board.Change || e.Input.T != 3060 || e.Input.Square.String() != "e2" || e.Input.Symbol != board.Empty {
		t.Errorf("the second line is %+v", e)
	}
	if r := entries[6].Input.Reading; !r.ByColor || r.LeftMs != 180000 || r.RightMs != 178000 || r.Running != board.Left {
		t.Errorf("the clock is %+v", r)
	}
	if e := entries[10]; !bytes.Equal(e.Bytes, []byte{0x86, 0, 0x43, 8}) {
		t.Errorf("the bytes are % x", e.Bytes)
	}
}

func TestGzipIsReadAlike(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	for _, part := range []string{example[:300], example[300:]} { // several members, as appended files have
		z := gzip.NewWriter(&file)
		_, _ = io.WriteString(z, part)
		_ = z.Close()
	}
	packed := file.Bytes()
	entries, faults := all(t, NewReader(bytes.NewReader(packed)))
	if got := write(t, entries); got != example || len(faults) > 0 {
		t.Errorf("faults %q, written back:\n%s", faults, got)
	}
	_, faults = all(t, NewReader(bytes.NewReader(packed[:len(packed)-12])))
	if len(faults) == 0 || !strings.Contains(faults[len(faults)-1], "unexpected EOF") {
		t.Errorf("a torn file gives %q", faults)
	}
}

func TestMalformedLineIsSaidAndTheRestIsRead(t *testing.T) {
	t.Parallel()
	const head = `{"recording":1,"acuity":"color"}`
	for _, c := range []struct{ name, line, want string }{
		{"no JSON", `hello`, "line 2: not a line of JSON"},
		{"torn", `{"t":5,"sq":"e2","to`, "line 2: not a line of JSON"},
		{"two objects", `{"t":5} {"t":6}`, "line 2: not a line of JSON"},
		{"a list", `[1]`, "line 2: not a line of JSON"},
		{"no time", `{"sq":"e2","to":"."}`, "line 2: a line needs its time"},
		{"time in words", `{"t":"5","sq":"e2","to":"."}`, "line 2: t is not a whole number"},
		{"time with a part", `{"t":5.5,"sq":"e2","to":"."}`, "line 2: t is not a whole number"},
		{"time before the start", `{"t":-1,"sq":"e2","to":"."}`, "line 2: t is -1"},
		{"time beyond all sense", `{"t":9000000000000000,"end":true}`, "line 2: t is 9000000000000000"},
		{"no such square", `{"t":5,"sq":"i2","to":"."}`, `line 2: sq is "i2"`},
		{"no symbol", `{"t":5,"sq":"e2"}`, `line 2: to is ""`},
		{"foreign symbol", `{"t":5,"sq":"e2","to":"x"}`, `line 2: to is "x"`},
		{"two symbols", `{"t":5,"sq":"e2","to":"ww"}`, `line 2: to is "ww"`},
		{"short board", `{"t":5,"board":"......../"}`, "line 2: a board line has 8 ranks"},
		{"cmd without verb", `{"t":5,"cmd":{"piece":"queen"}}`, "line 2: cmd has no verb"},
		{"cmd of a wrong type", `{"t":5,"cmd":{"verb":"takeback","plies":"two"}}`, "line 2: cmd is not what it should be"},
		{"link", `{"t":5,"link":"maybe"}`, `line 2: link is "maybe"`},
		{"half a clock", `{"t":5,"clock":{"white_ms":5}}`, "line 2: a clock has white_ms and black_ms"},
		{"clock of two minds", `{"t":5,"clock":{"white_ms":5,"black_ms":5,"left_ms":1}}`, "line 2: a clock has white_ms and black_ms"},
		{"clock of the wrong sides", `{"t":5,"clock":{"white_ms":5,"black_ms":5,"running":"left"}}`, `line 2: running is "left"`},
		{"clock below zero", `{"t":5,"clock":{"white_ms":-5,"black_ms":5}}`, "line 2: a clock shows"},
		{"button", `{"t":5,"button":""}`, "line 2: button has no name"},
		{"battery", `{"t":5,"battery":{"charging":true}}`, "line 2: battery has a percent"},
		{"hex without driver", `{"t":5,"hex":"86"}`, "line 2: hex in a recording"},
		{"end that is none", `{"t":5,"end":false}`, "line 2: end is true or absent"},
		{"two things", `{"t":5,"link":"up","button":"b"}`, "line 2: link and button in one line"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			entries, faults := all(t, NewReader(strings.NewReader(head+"\n"+c.line+"\n"+`{"t":7,"sq":"a1","to":"w"}`+"\n")))
			if len(faults) != 1 || !strings.HasPrefix(faults[0], c.want) {
				t.Errorf("faults %q", faults)
			}
			if len(entries) != 2 || entries[1].Line != 3 || entries[1].Input.T != 7 {
				t.Errorf("the rest: %+v", entries)
			}
		})
	}
}

func TestLinesThatDependOnThoseBefore(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, file, faults string
		entries            int
	}{
		{"time falls", `{"recording":1,"acuity":"piece"}
{"t":7,"sq":"a1","to":"R"}
{"t":6,"sq":"a1","to":"."}
{"t":7,"sq":"a1","to":"."}`, "line 3: t falls from 7 to 6", 3},
		{"time starts anew with each recording", `{"recording":1,"acuity":"piece"}
{"t":7,"end":true}
{"recording":1,"acuity":"piece"}
{"t":1,"end":true}`, "", 4},
		{"after the end", `{"recording":1,"acuity":"piece"}
{"t":7,"end":true}
{"t":8,"link":"up"}`, "line 3: after the recording's end line", 2},
		{"no opening line", `{"t":7,"link":"up"}
{"t":8,"link":"up"}
{"recording":1,"acuity":"piece"}`, "line 1: no recording begins before this line", 1},
		{"later version", `{"recording":2,"acuity":"piece"}
{"t":8,"link":"up"}
{"recording":1,"acuity":"piece"}`, "line 1: opening line refused", 1},
		{"unknown acuity", `{"recording":1,"acuity":"sharp"}`, "line 1: opening line refused", 0},
		{"neither acuity nor driver", `{"recording":1}`, "line 1: opening line refused", 0},
		{"torn opening line", `{"recording":1,"acuity":"piece"}
{"recording":1,"acu
{"t":8,"link":"up"}`, "line 2: opening line refused", 1},
		{"options that are none", `{"recording":1,"driver":"dgt","options":[1]}`, "line 1: opening line refused", 0},
		{"unknown keys and blank lines", `{"recording":1,"acuity":"piece","made":"by hand"}

{"t":8,"x":1,"T":5}
{"t":8,"link":"up","SQ":"a1"}`, "", 3},
		{"hex without blanks", `{"recording":1,"driver":"dgt"}
{"t":8,"hex":"8E000534 00"}
{"t":8,"hex":""}`, "", 3},
		{"odd hex", `{"recording":1,"driver":"dgt"}
{"t":8,"hex":"8"}`, "line 2: hex is not pairs", 1},
		{"any symbol where only the driver knows", `{"recording":1,"driver":"gpio-matrix"}
{"t":8,"sq":"a1","to":"x"}
{"t":8,"sq":"a1","to":"w"}
{"t":8,"sq":"a1","to":"Q"}`, "", 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			entries, faults := all(t, NewReader(strings.NewReader(c.file)))
			if got := strings.Join(faults, "|"); !strings.HasPrefix(got, c.faults) || (c.faults == "") != (got == "") || len(faults) > 1 {
				t.Errorf("faults %q, want %q", got, c.faults)
			}
			if len(entries) != c.entries {
				t.Errorf("%d entries, want %d", len(entries), c.entries)
			}
		})
	}
}

func TestMovesAreAListOrOneString(t *testing.T) {
	t.Parallel()
	for _, moves := range []string{`["e2e4","e7e5"]`, `"e2e4 e7e5"`} {
		entries, faults := all(t, NewReader(strings.NewReader(`{"recording":1,"acuity":"piece","moves":`+moves+`}`)))
		if len(faults) > 0 || strings.Join(entries[0].Opening.Moves, " ") != "e2e4 e7e5" {
			t.Errorf("%s gives %+v, %q", moves, entries, faults)
		}
	}
}

// A line that is too long ends the file with one fault, however the file goes on: there may be no end to it.
func TestLineWithoutEnd(t *testing.T) {
	t.Parallel()
	head := `{"recording":1,"acuity":"piece"}` + "\n"
	for _, c := range []struct {
		name    string
		in      io.Reader
		entries int
		want    string
	}{
		{"longest", strings.NewReader(head + `{"t":5,"note":"` + strings.Repeat("x", MaxLine-17) + "\"}\n{\"t\":7}\n"), 3, ""},
		{"too long", strings.NewReader(head + `{"t":5,"note":"` + strings.Repeat("x", MaxLine) + "\"}\n{\"t\":7}\n"), 1, "line 2: longer than"},
		{"without end", io.MultiReader(strings.NewReader(head), zeros{}), 1, "line 2: longer than"},
		{"of nothing else", zeros{}, 0, "line 1: longer than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := NewReader(c.in)
			entries, faults := all(t, r)
			if len(entries) != c.entries || len(faults) > 1 || !strings.HasPrefix(strings.Join(faults, ""), c.want) {
				t.Errorf("%d entries, faults %q", len(entries), faults)
			}
			if _, err := r.Next(); err == nil {
				t.Error("it goes on")
			}
		})
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// Editors of some systems put a mark before a text, also before one that is packed later.
func TestByteOrderMark(t *testing.T) {
	t.Parallel()
	text := "\ufeff" + `{"recording":1,"acuity":"piece"}` + "\n" + `{"t":7,"sq":"a1","to":"R"}` + "\n"
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string]string{"plain": text, "packed": packed.String()} {
		if entries, faults := all(t, NewReader(strings.NewReader(file))); len(entries) != 2 || len(faults) != 0 {
			t.Errorf("%s: %d entries, faults %q", name, len(entries), faults)
		}
	}
	for _, short := range []string{"", "\ufeff", "\xef", "\xef\xbb"} {
		all(t, NewReader(strings.NewReader(short)))
	}
}
