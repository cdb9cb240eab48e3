package recording

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

var day = time.Date(2026, 7, 31, 12, 0, 0, 0, time.UTC)

func press(t int64, name string) board.Input {
	return board.Input{T: t, Kind: board.Button, ButtonName: name}
}

// opened is a ring in a folder, with pieces of a minute.
func opened(t testing.TB, dir string, change func(*RingOptions)) *Ring {
	t.Helper()
	o := RingOptions{Dir: dir, Piece: time.Minute}
	if change != nil {
		change(&o)
	}
	r, err := OpenRing(o, day)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func names(t testing.TB, dir string) (list []string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	must(t, err)
	for _, f := range files {
		list = append(list, f.Name())
	}
	return list
}

func openingAt(run string, at int64, again int) Opening {
	return Opening{HasAcuity: true, Run: run, At: at, Since: day.Add(time.Duration(at) * time.Millisecond), Again: again}
}

func TestRingParts(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "recordings", "board")
	r := opened(t, dir, nil)
	if r.Due() != DueNow || r.Input(press(0, "a")) == nil {
		t.Error("nothing is open, and something is written")
	}
	must(t, r.Open(openingAt("r", 0, 0)))
	must(t, r.Input(press(59_999, "a")))
	if r.Due() != NotDue {
		t.Error("due too early")
	}
	must(t, r.Input(press(60_000, "b")))
	if r.Due() != DueQuiet {
		t.Error("not due after a minute")
	}
	must(t, r.Bytes(240_000, nil))
	if r.Due() != DueNow {
		t.Error("patience has no end")
	}
	must(t, r.Open(openingAt("r", 240_000, 1)))
	must(t, r.Input(press(0, "again")))
	must(t, r.Input(press(5, "c")))
	must(t, r.Flush())
	want := "00000001-20260731T120000Z.jsonl.gz 00000002-20260731T120400Z.jsonl"
	if got := strings.Join(names(t, dir), " "); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	// As after kill -9, in the midst of a line.
	plain := filepath.Join(dir, "00000002-20260731T120400Z.jsonl")
	f, err := os.OpenFile(plain, os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	_, err = f.WriteString(`{"t":7,"but`)
	must(t, err)
	must(t, f.Close())
	must(t, os.WriteFile(filepath.Join(dir, "00000001-20260731T120000Z.jsonl.gz.half"), []byte("x"), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o600))

	again := opened(t, dir, nil)
	must(t, again.Open(openingAt("s", 0, 0)))
	must(t, again.Input(press(1, "d")))
	must(t, again.Close())
	want = "00000001-20260731T120000Z.jsonl.gz 00000002-20260731T120400Z.jsonl.gz 00000003-20260731T120000Z.jsonl.gz notes.txt"
	if got := strings.Join(names(t, dir), " "); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	var out bytes.Buffer
	part, err := Cut(dir, time.Hour, &out)
	must(t, err)
	text := `{"recording":1,"acuity":"presence","run":"r","since":"2026-07-31T12:00:00Z"}
{"t":59999,"button":"a"}
{"t":60000,"button":"b"}
{"t":240000,"hex":""}
{"t":240005,"button":"c"}
{"recording":1,"acuity":"presence","run":"s","since":"2026-07-31T12:00:00Z"}
{"t":1,"button":"d"}
`
	text = strings.Replace(text, "{\"t\":240000,\"hex\":\"\"}\n", "", 1) // bytes without a driver are no line that is read
	if out.String() != text || part.Recordings != 2 || part.Lines != 4 {
		t.Errorf("%+v\n%s", part, out.String())
	}
}

func TestRingRemovesTheOldest(t *testing.T) {
	t.Parallel()
	t.Run("by size", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		r := opened(t, dir, func(o *RingOptions) { o.MaxBytes = 4000 })
		for i := range 200 {
			must(t, r.Open(openingAt("r", int64(i)*1000, 0)))
			must(t, r.Input(press(1, "x")))
		}
		must(t, r.Close())
		total := int64(0)
		for _, name := range names(t, dir) {
			info, err := os.Stat(filepath.Join(dir, name))
			must(t, err)
			total += info.Size()
		}
		if n := len(names(t, dir)); total > 4000 || total < 3000 || n < 10 || !strings.HasPrefix(names(t, dir)[n-1], "00000200-") {
			t.Errorf("%d bytes in %d pieces", total, n)
		}
	})
	t.Run("by age", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		r := opened(t, dir, func(o *RingOptions) { o.Keep = time.Hour })
		for i := range 12 {
			must(t, r.Open(openingAt("r", int64(i)*600_000, 0)))
		}
		if got := names(t, dir); len(got) != 7 || !strings.HasPrefix(got[0], "00000006-") {
			t.Errorf("kept %v", got)
		}
		must(t, r.Prune(day.Add(48*time.Hour)))
		if got := names(t, dir); len(got) != 1 {
			t.Errorf("kept %v", got)
		}
		must(t, r.Close())
	})
	t.Run("a time that cannot be right makes nothing old", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		r := opened(t, dir, nil)
		o := openingAt("r", 0, 0)
		o.Since = time.Unix(100, 0)
		must(t, r.Open(o))
		o.Since = day // the network has told the time
		must(t, r.Open(o))
		if got := names(t, dir); len(got) != 2 {
			t.Errorf("kept %v", got)
		}
		must(t, r.Close())
	})
	t.Run("by size while one grows", func(t *testing.T) {
		t.Parallel()
		r := opened(t, t.TempDir(), func(o *RingOptions) { o.MaxBytes = 16 * 8000 })
		must(t, r.Open(openingAt("r", 0, 0)))
		for i := 0; r.Due() == NotDue; i++ {
			if i > 8000 {
				t.Fatal("never due")
			}
			must(t, r.Input(press(int64(i), "x")))
		}
		if r.Due() != DueQuiet {
			t.Error("not quiet")
		}
		must(t, r.Close())
	})
}

// A disk that is full is simulated by a file that takes no more; a folder that is gone by one that is gone.
func TestRingGoesOnAfterErrors(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a")
	r := opened(t, dir, nil)
	must(t, r.Open(openingAt("r", 0, 0)))
	must(t, r.Input(press(1, "x")))
	must(t, r.file.Close()) // every write fails from now on
	if err := r.Flush(); err == nil {
		t.Error("a write that failed is not said")
	}
	if err := r.Input(press(2, "y")); err == nil || r.Due() != DueNow {
		t.Error("it goes on as if nothing had been")
	}
	must(t, r.Open(openingAt("r", 10, 0)))
	must(t, r.Input(press(1, "z")))
	must(t, r.Flush())
	must(t, os.RemoveAll(dir))
	if err := r.Open(openingAt("r", 20, 0)); err == nil {
		t.Error("no folder, and no error")
	}
	must(t, os.MkdirAll(dir, 0o750))
	must(t, r.Open(openingAt("r", 30, 0)))
	must(t, r.Close())
	if got := names(t, dir); len(got) != 1 {
		t.Errorf("%v", got)
	}
}

// However a run is parted, its pieces together are the run, and each cut is the end of it.
func TestPiecesTogetherAreTheRun(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp("", "ring")
		must(t, err)
		defer os.RemoveAll(dir)
		r := opened(t, dir, nil)
		var whole bytes.Buffer
		all := NewWriter(&whole)
		o := openingAt("run", 0, 0)
		must(t, r.Open(o))
		must(t, all.Open(o))
		now, base := int64(0), int64(0)
		begins := []int64{0}
		for range rapid.IntRange(1, 40).Draw(rt, "things") {
			now += rapid.Int64Range(0, 30_000).Draw(rt, "later")
			if rapid.IntRange(0, 4).Draw(rt, "what") == 0 {
				again := rapid.IntRange(0, 2).Draw(rt, "again")
				must(t, r.Open(openingAt("run", now, again)))
				for range again {
					must(t, r.Input(press(0, "again")))
				}
				base = now
				begins = append(begins, now)
				continue
			}
			in := board.Input{T: now, Kind: board.Change, Square: rules.Square(rapid.IntRange(0, 63).Draw(rt, "sq")), Symbol: board.Something}
			must(t, all.Input(in))
			in.T -= base
			must(t, r.Input(in))
		}
		must(t, r.Flush())
		must(t, all.Flush())
		if rapid.Bool().Draw(rt, "ended") {
			must(t, r.Close())
		} else {
			defer r.Close()
		}
		var got bytes.Buffer
		_, err = Cut(dir, 1000*time.Hour, &got)
		must(t, err)
		if got.String() != whole.String() {
			rt.Fatalf("got\n%s\nwant\n%s", got.String(), whole.String())
		}
		// The end of it: from the last beginning that is early enough.
		last := max(now, base)
		if lines := strings.Split(strings.TrimSpace(whole.String()), "\n"); len(lines) > 1 {
			_, _ = fmt.Sscanf(lines[len(lines)-1], `{"t":%d,`, &last)
			last = max(last, base)
		}
		ask := rapid.Int64Range(1, 600_000).Draw(rt, "ask")
		from := int64(0)
		for _, b := range begins {
			if last-b >= ask {
				from = b
			}
		}
		got.Reset()
		part, err := Cut(dir, time.Duration(ask)*time.Millisecond, &got)
		must(t, err)
		if part.Recordings != 1 || !strings.Contains(got.String(), fmt.Sprintf(`"since":%q`, day.Add(time.Duration(from)*time.Millisecond).Format(time.RFC3339Nano))) {
			rt.Fatalf("%d ms before %d, begun at %v: want from %d\n%s", ask, last, begins, from, got.String())
		}
	})
}

func TestHolesPartRecordings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := opened(t, dir, nil)
	must(t, r.Open(openingAt("r", 0, 0)))
	o := openingAt("r", 10, 0)
	o.Lost = 3
	must(t, r.Open(o))
	must(t, r.Open(openingAt("r", 20, 0)))
	must(t, r.Open(openingAt("r", 30, 0)))
	must(t, r.Close())
	must(t, os.Remove(filepath.Join(dir, names(t, dir)[2])))
	var out bytes.Buffer
	part, err := Cut(dir, time.Hour, &out)
	must(t, err)
	if part.Recordings != 3 {
		t.Errorf("%+v\n%s", part, out.String())
	}
	if _, err := Cut(filepath.Join(dir, "none"), time.Hour, &out); err != ErrNothing {
		t.Error(err)
	}
	if _, err := Cut(t.TempDir(), time.Hour, &out); err != ErrNothing {
		t.Error(err)
	}
}

func TestFollow(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := opened(t, dir, nil)
	must(t, r.Open(openingAt("r", 0, 0)))
	must(t, r.Input(press(1, "old")))
	must(t, r.Open(openingAt("r", 10, 0)))
	must(t, r.Input(press(1, "a")))
	must(t, r.Flush())
	script := []func(){
		func() { must(t, r.Input(press(2, "b"))); must(t, r.Flush()) },
		func() {},
		func() { must(t, r.Input(press(3, "c"))); must(t, r.Open(openingAt("r", 20, 1))) },
		func() { must(t, r.Input(press(0, "again"))); must(t, r.Input(press(4, "d"))); must(t, r.Flush()) },
		func() {
			must(t, r.Open(openingAt("r", 30, 0)))
			must(t, r.Input(press(5, "e")))
			must(t, r.Open(openingAt("r", 40, 0)))
			must(t, r.Input(press(6, "f")))
			must(t, r.Close())
		},
	}
	f, err := Follow(dir, func() bool {
		if len(script) == 0 {
			return false
		}
		script[0]()
		script = script[1:]
		return true
	})
	must(t, err)
	defer f.Close()
	var out bytes.Buffer
	w := NewWriter(&out)
	s := NewSplice(w)
	entries, faults := all(t, NewReader(f))
	for _, e := range entries {
		must(t, s.Add(e))
	}
	must(t, w.Flush())
	want := `{"recording":1,"acuity":"presence","run":"r","at":10,"since":"2026-07-31T12:00:00.01Z"}
{"t":1,"button":"a"}
{"t":2,"button":"b"}
{"t":3,"button":"c"}
{"t":14,"button":"d"}
{"t":25,"button":"e"}
{"t":36,"button":"f"}
`
	if out.String() != want || len(faults) > 0 {
		t.Errorf("%v\n%s", faults, out.String())
	}
}

// FuzzCut: whatever lies in the folder, what is cut out can be read again without a fault.
func FuzzCut(f *testing.F) {
	f.Add([]byte(`{"recording":1,"acuity":"presence","run":"r"}`+"\n"+`{"t":5,"button":"a"}`+"\n"), []byte(`{"recording":1,"acuity":"presence","run":"r","at":9,"again":1}`+"\n"+`{"t":0,"button":"b"}`), int64(10))
	f.Add([]byte("x"), []byte(`{"recording":1,"driver":"dgt","run":"r","at":3162240000000}`+"\n"+`{"t":3162240000000,"hex":""}`+"\n"), int64(1e15))
	f.Add([]byte{0x1f, 0x8b, 8}, []byte{}, int64(-1))
	f.Fuzz(func(t *testing.T, one, two []byte, last int64) {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, pieceName(1, day)), one, 0o600))
		must(t, os.WriteFile(filepath.Join(dir, pieceName(2, day)), two, 0o600))
		var out bytes.Buffer
		if _, err := Cut(dir, time.Duration(last), &out); err != nil {
			return
		}
		if _, faults := all(t, NewReader(&out)); len(faults) > 0 {
			t.Errorf("%v", faults)
		}
		r, err := OpenRing(RingOptions{Dir: dir}, day)
		must(t, err)
		must(t, r.Open(openingAt("s", 0, 0)))
		must(t, r.Close())
	})
}
