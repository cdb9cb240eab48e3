package daemon

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/recording"
	"github.com/boardd/boardd/rules"
)

// fakeTable writes down what it is given and asks to be woken as wake says.
type fakeTable struct {
	steps []string
	seq   int64
	wake  func(in board.Input) int64
	panic rules.Square // a change of this square makes it panic; 0 for none
}

func (f *fakeTable) Step(in board.Input) game.Output {
	if f.panic != 0 && in.Kind == board.Change && in.Square == f.panic {
		panic("a fault of the core")
	}
	verb := ""
	if in.Command != nil {
		verb = in.Command.Verb
	}
	f.steps = append(f.steps, fmt.Sprintf("%d %d %s%s %v %s %s", in.T, in.Kind, in.Square, string(rune(in.Symbol)), in.Online, in.ButtonName, verb))
	var out game.Output
	if f.wake != nil {
		out.Wake = f.wake(in)
	}
	if in.Kind == board.Change {
		f.seq++
		out.Events = []game.Event{{Seq: f.seq, T: in.T, Type: "change"}}
	}
	if in.Kind != board.Wake || in.T == 0 {
		out.Snapshot = &game.Snapshot{Seq: f.seq, T: in.T}
		out.View = &game.View{T: in.T}
	}
	if in.Kind == board.Cmd && verb != "silent" {
		out.Replies = []game.Reply{{Command: in.Command, Status: "ok", Seq: f.seq}}
		if verb == "bad" {
			out.Replies[0].Status = "error"
		}
	}
	return out
}

// fakeDriver says a change for each byte, asks to be woken after some bytes, and presses a button when it is.
type fakeDriver struct{ n int }

func (d *fakeDriver) Step(now int64, in []byte) (inputs []board.Input, out []byte, wake int64) {
	if in == nil {
		return []board.Input{{Kind: board.Button, ButtonName: fmt.Sprint(d.n)}}, []byte{0xee}, 0
	}
	if len(in) == 0 {
		return nil, []byte("hello"), now + 1000
	}
	d.n += len(in)
	for _, b := range in {
		inputs = append(inputs, board.Input{Kind: board.Change, Square: rules.Square(b & 63), Symbol: board.Something})
	}
	if in[0]&1 == 1 {
		wake = now + int64(in[0])
	}
	return inputs, nil, wake
}

func newFakeDriver() board.Driver { return &fakeDriver{} }

// writerRecorder writes at once.
type writerRecorder struct {
	w   *recording.Writer
	err error
}

func (r *writerRecorder) Input(in board.Input) { r.err = errors.Join(r.err, r.w.Input(in)) }
func (r *writerRecorder) Bytes(t int64, b []byte) {
	r.err = errors.Join(r.err, r.w.Bytes(t, b))
}

func TestWakesComeExactlyInTime(t *testing.T) {
	t.Parallel()
	table := &fakeTable{wake: func(in board.Input) int64 {
		if in.Kind == board.Wake {
			return in.T + 100 // a heartbeat
		}
		return in.T + 40
	}}
	f := Feeder{Table: table, Emit: func(game.Output) {}}
	f.Start()
	f.Advance(99)
	f.Input(board.Input{T: 100, Kind: board.Button, ButtonName: "a"}) // the wake at 100 comes first
	f.Input(board.Input{T: 90, Kind: board.Button, ButtonName: "b"})  // takes the core's time
	f.Advance(139)
	f.Advance(250)
	f.Input(board.Input{T: 245, Kind: board.Button, ButtonName: "c"}) // nobody has seen 250 yet
	want := []string{"0 0 a1\x00 false  ", "100 0 a1\x00 false  ", "100 5 a1\x00 false a ", "100 5 a1\x00 false b ",
		"140 0 a1\x00 false  ", "240 0 a1\x00 false  ", "245 5 a1\x00 false c "}
	if !slices.Equal(table.steps, want) {
		t.Errorf("steps:\n%q\nwant\n%q", table.steps, want)
	}
	if f.Wake() != 285 || f.Now() != 245 {
		t.Errorf("wake %d, now %d", f.Wake(), f.Now())
	}
}

func TestWakeInThePastDoesNotStopTime(t *testing.T) {
	t.Parallel()
	table := &fakeTable{wake: func(in board.Input) int64 { return 1 }}
	f := Feeder{Table: table, Emit: func(game.Output) {}}
	f.Start()
	f.Advance(50)
	if len(table.steps) != 51 {
		t.Errorf("%d steps", len(table.steps))
	}
}

func TestUnchangedScanIsNoInput(t *testing.T) {
	t.Parallel()
	table := &fakeTable{}
	var file bytes.Buffer
	w := recording.NewWriter(&file)
	if err := w.Open(recording.Opening{HasAcuity: true}); err != nil {
		t.Fatal(err)
	}
	f := Feeder{Table: table, Emit: func(game.Output) {}, Recorder: &writerRecorder{w: w}}
	empty := board.EmptyPicture()
	other := empty
	other[12] = board.Something
	for i, in := range []board.Input{
		{Kind: board.Scan, Picture: empty}, {Kind: board.Scan, Picture: empty}, // 1
		{Kind: board.Change, Square: 12, Symbol: board.Something}, {Kind: board.Scan, Picture: other}, // 2
		{Kind: board.Scan, Picture: empty},                                                       // 3
		{Kind: board.Link}, {Kind: board.Link, Online: true}, {Kind: board.Scan, Picture: empty}, // 4, 5, 6: it may have been away
		{Kind: board.Scan, Picture: empty},
	} {
		in.T = int64(i)
		f.Input(in)
	}
	_ = w.Flush()
	if len(table.steps) != 6 || bytes.Count(file.Bytes(), []byte("\n")) != 7 {
		t.Errorf("%d steps\n%s", len(table.steps), file.String())
	}
}

func TestCommandIsRecordedWithoutTheConditionsItMet(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	w := recording.NewWriter(&file)
	_ = w.Open(recording.Opening{HasAcuity: true})
	f := Feeder{Table: &fakeTable{}, Emit: func(game.Output) {}, Recorder: &writerRecorder{w: w}}
	seq := int64(7)
	f.Input(board.Input{Kind: board.Cmd, Command: &board.Command{Verb: "good", Game: "g", IfSeq: &seq}})
	f.Input(board.Input{Kind: board.Cmd, Command: &board.Command{Verb: "bad", Game: "g", IfSeq: &seq}})
	_ = w.Flush()
	want := `{"recording":1,"acuity":"presence"}
{"t":0,"cmd":{"verb":"good"}}
{"t":0,"cmd":{"verb":"bad","game":"g","if_seq":7}}
`
	if file.String() != want {
		t.Error(file.String())
	}
}

// Whatever comes, in whatever order of time: the recording of it gives the core the same steps again.
func TestRecordingOfAnythingReplaysTheSameSteps(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		pause := rapid.Int64Range(1, 300).Draw(rt, "pause")
		wake := func(in board.Input) int64 {
			if in.T%3 == 0 {
				return 0
			}
			return in.T + 1 + (in.T*7+int64(in.Kind)*13)%pause
		}
		var file bytes.Buffer
		w := recording.NewWriter(&file)
		if err := w.Open(recording.Opening{Driver: "fake"}); err != nil {
			rt.Fatal(err)
		}
		rec := &writerRecorder{w: w}
		live := &fakeTable{wake: wake}
		f := Feeder{Table: live, NewDriver: newFakeDriver, Emit: func(game.Output) {}, Recorder: rec, Write: func([]byte) {}}
		f.Start()
		now := int64(0)
		for range rapid.IntRange(0, 30).Draw(rt, "things") {
			now += rapid.Int64Range(0, 400).Draw(rt, "later")
			in := board.Input{T: max(0, now-rapid.Int64Range(0, 50).Draw(rt, "late"))}
			switch rapid.IntRange(0, 6).Draw(rt, "kind") {
			case 0:
				f.Advance(now)
			case 1:
				f.Bytes(in.T, rapid.SliceOfN(rapid.Byte(), 0, 5).Draw(rt, "bytes"))
			case 2:
				in.Kind, in.Square, in.Symbol = board.Change, rules.Square(rapid.IntRange(0, 63).Draw(rt, "sq")), board.Something
				f.Input(in)
			case 3:
				in.Kind, in.Picture = board.Scan, board.EmptyPicture()
				if rapid.Bool().Draw(rt, "something") {
					in.Picture[3] = board.Something
				}
				f.Input(in)
			case 4:
				in.Kind, in.Online = board.Link, rapid.Bool().Draw(rt, "online")
				f.Input(in)
			case 5:
				in.Kind, in.ButtonName = board.Button, "x"
				f.Input(in)
			case 6:
				in.Kind, in.Command = board.Cmd, &board.Command{Verb: "v"}
				f.Input(in)
			}
		}
		end := max(now, f.Now()) + 500
		f.Advance(end)
		if err := errors.Join(rec.err, w.Flush()); err != nil {
			rt.Fatal(err)
		}

		again := &fakeTable{wake: wake}
		g := Feeder{Table: again, NewDriver: newFakeDriver, Emit: func(game.Output) {}}
		g.Start()
		r := recording.NewReader(&file)
		for {
			e, err := r.Next()
			if err == io.EOF {
				break
			} else if err != nil {
				rt.Fatal(err)
			}
			switch {
			case e.Opening != nil:
			case e.Bytes != nil:
				g.Bytes(e.Input.T, e.Bytes)
			default:
				g.Input(e.Input)
			}
		}
		g.Advance(end)
		if !slices.Equal(live.steps, again.steps) {
			rt.Fatalf("live\n%q\nagain\n%q", live.steps, again.steps)
		}
	})
}
