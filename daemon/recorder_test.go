package daemon

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/recording"
)

// fakeTape is a recording in memory that may fail, and may wait like a disk that stands still.
type fakeTape struct {
	*recording.Writer
	fault  error
	gate   chan struct{} // each line waits for it; nil: none does
	opened []recording.Opening
	lines  int
	due    recording.Due
	closed bool
}

func (f *fakeTape) wait() error {
	if f.gate != nil {
		<-f.gate
	}
	return f.fault
}

func (f *fakeTape) Open(o recording.Opening) error {
	if err := f.wait(); err != nil {
		return err
	}
	f.opened = append(f.opened, o)
	return f.Writer.Open(o)
}

func (f *fakeTape) Input(in board.Input) error {
	f.lines++
	return errors.Join(f.wait(), f.Writer.Input(in))
}

func (f *fakeTape) Due() recording.Due { return f.due }

func (f *fakeTape) Close() error {
	f.closed = true
	return f.Flush()
}

// taped is a seat that nobody runs, with a recorder whose goroutine is the test.
func taped(t *testing.T, tape Tape) (s *seat, r *recorder, log *bytes.Buffer) {
	t.Helper()
	log = new(bytes.Buffer)
	clock := NewManual(time.Date(2026, 7, 31, 12, 0, 0, 0, time.UTC))
	d, err := New(Options{Clock: clock, Log: slog.New(slog.NewTextHandler(log, nil)), Boards: []Board{{
		Info: info("a"), Table: &fakeTable{}, Opening: recording.Opening{HasAcuity: true}, Tapes: []Tape{tape},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	s = d.seats[0]
	r = newRecorder(tape, clock, s.log)
	s.recorders = recorders{r}
	s.feeder.Recorder = s.recorders
	s.feeder.Start()
	r.turn(s.mark(0, true))
	return s, r, log
}

// work does what the recorder's goroutine does.
func (r *recorder) work() {
	for len(r.lines) > 0 {
		if err := r.write(<-r.lines); err != nil {
			r.fail(err)
		}
	}
}

func press(t int64) item {
	return item{input: board.Input{T: t, Kind: board.Button, ButtonName: fmt.Sprint(t)}}
}

func TestSlowDiskLeavesAGapAndSaysSo(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	tape := &fakeTape{Writer: recording.NewWriter(&file)}
	s, r, log := taped(t, tape)
	for i := range int64(recorderLimit) + 1000 { // nobody takes what is in the queue, and the board is not held up
		s.feed(press(i))
	}
	r.work()
	for i := range int64(10) {
		s.feed(press(100_000 + i))
	}
	r.work()
	if len(tape.opened) != 2 || tape.opened[1].Lost != 1001 || tape.opened[1].At != 100_000 || tape.lines != recorderLimit-1+1+10 {
		t.Errorf("%d lines, openings %+v", tape.lines, tape.opened)
	}
	if n := strings.Count(log.String(), "too slow"); n != 1 || !strings.Contains(log.String(), "lines_lost=1001") {
		t.Errorf("log:\n%s", log)
	}
	if !strings.HasSuffix(file.String(), `{"t":9,"button":"100009"}`+"\n") {
		t.Errorf("the end is %s", file.String()[file.Len()-100:])
	}
}

func TestFullDiskIsSaidOnceAndTheRecordingGoesOn(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	tape := &fakeTape{Writer: recording.NewWriter(&file)}
	s, r, log := taped(t, tape)
	s.feed(press(1))
	r.work()
	tape.fault = errors.New("no space left on device")
	s.feed(press(2)) // fails
	s.feed(press(3)) // was on its way
	r.work()
	s.feed(press(4)) // is not even brought
	r.again()
	s.feed(press(5)) // there is still no room
	r.work()
	s.feed(press(6))
	r.again()
	tape.fault = nil
	s.feed(press(7))
	r.work()
	if len(tape.opened) != 2 || tape.opened[1].Lost != 5 || tape.opened[1].At != 6 {
		t.Errorf("openings %+v\n%s", tape.opened, file.String())
	}
	if n := strings.Count(log.String(), "level=ERROR"); n != 1 || strings.Count(log.String(), "goes on") != 1 {
		t.Errorf("log:\n%s", log)
	}
}

func TestRecordingIsPartedAtRest(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	tape := &fakeTape{Writer: recording.NewWriter(&file)}
	s, r, _ := taped(t, tape)
	s.feed(item{input: board.Input{T: 10, Kind: board.Link, Online: true}})
	s.feed(item{input: board.Input{T: 20, Kind: board.Scan, Picture: board.EmptyPicture()}})
	r.work()
	s.snapshot.Online = true
	tape.due = recording.DueQuiet
	step := func(at int64) int {
		s.feed(item{input: board.Input{T: at, Kind: board.Button, ButtonName: "x"}})
		s.snapshot.Online = true
		r.work()
		return len(tape.opened)
	}
	if n := step(1000); n != 1 {
		t.Errorf("parted while hands move")
	}
	if n := step(1519); n != 1 {
		t.Errorf("parted too early")
	}
	if n := step(1740); n != 1 {
		t.Errorf("parted at a time that is not even")
	}
	if n := step(1999); n != 2 || tape.opened[1].At != 1750 {
		t.Errorf("not parted at rest: %+v", tape.opened)
	}
	s.feed(item{input: board.Input{T: 5000, Kind: board.Change, Square: 1, Symbol: board.Something}})
	s.snapshot.Online = true
	r.work()
	tape.due = recording.DueNow
	step(5001) // asks
	if n := step(5002); n != 4 {
		t.Errorf("%d recordings: not parted although it must be", n)
	}
	o := tape.opened[3]
	if o.Again != 1 || o.At != 5000 && o.At != 5001 || !strings.Contains(file.String(), `{"t":0,"board":"......../......../......../......../......../......../......../.x......"}`) {
		t.Errorf("%+v\n%s", o, file.String())
	}
}

// A disk that stands still holds up neither the board nor the end of the daemon.
func TestDeadDiskHoldsUpNobody(t *testing.T) {
	t.Parallel()
	tape := &fakeTape{Writer: recording.NewWriter(new(bytes.Buffer)), gate: make(chan struct{})}
	source := make(feedSource)
	clock := NewManual(time.Unix(0, 0))
	d, err := New(Options{Clock: clock, Boards: []Board{{
		Info: info("a"), Table: &fakeTable{}, Source: source, Tapes: []Tape{tape}, Opening: recording.Opening{HasAcuity: true},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	stop := run(t, d)
	clock.Advance(1000)
	source <- change(990, 12)
	until(t, "the event", func() bool { return len(d.Outbox("mqtt", 10)) == 1 })
	stop()
	close(tape.gate) // so that no goroutine is left
}
