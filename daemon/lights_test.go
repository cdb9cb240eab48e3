package daemon

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/recording"
)

// litDriver is a driver whose board has lights. It writes one byte at a time: a question when asked to begin, and after it, only
// when 40 ms have passed, the red of a1 in the newest frame.
type litDriver struct {
	frame *board.Frame
	due   int64
}

func (d *litDriver) Light(f board.Frame) { d.frame = &f }
func (d *litDriver) Stop() []byte        { return []byte("q") }

func (d *litDriver) Step(now int64, in []byte) (inputs []board.Input, out []byte, wake int64) {
	if in != nil && len(in) == 0 {
		d.due = now + 40
		out = []byte{'?'}
	}
	for _, b := range in {
		inputs = append(inputs, board.Input{Kind: board.Link, Online: b == '!'})
	}
	if d.frame == nil {
		return inputs, out, 0
	}
	if now < d.due || out != nil {
		return inputs, out, d.due
	}
	out, d.frame, d.due = []byte{d.frame[0].R}, nil, now+40
	return inputs, out, 0
}

func red(r uint8) (f board.Frame) {
	f[0].R = r
	return f
}

func TestFramesGoToTheDriver(t *testing.T) {
	t.Parallel()
	var wrote []string
	var file bytes.Buffer
	w := recording.NewWriter(&file)
	if err := w.Open(recording.Opening{HasAcuity: true}); err != nil {
		t.Fatal(err)
	}
	table := &fakeTable{}
	f := Feeder{Table: table, Emit: func(game.Output) {}, Recorder: &writerRecorder{w: w}}
	f.Write = func(b []byte) { wrote = append(wrote, fmt.Sprintf("%d:%s", f.Now(), b)) }
	f.NewDriver = func() board.Driver { return &litDriver{} }
	f.Start()
	if f.Light(5, red('a')) {
		t.Error("nobody is there, and the frame was taken")
	}
	f.Bytes(10, []byte{}) // opened: the question, then the frame from before
	f.Advance(60)
	if !f.Light(70, red('b')) || !f.Light(71, red('c')) { // only the newest counts
		t.Error("a frame was not taken")
	}
	f.Advance(200)
	f.Input(board.Input{T: 210, Kind: board.Link}) // away, and back with a driver made anew
	f.Light(220, red('d'))
	f.Bytes(230, []byte{})
	f.Advance(300)
	want := []string{"10:?", "50:a", "90:c", "230:?", "270:d"}
	if !slices.Equal(wrote, want) {
		t.Errorf("written %q, want %q", wrote, want)
	}
	_ = w.Flush()
	if n := strings.Count(file.String(), "\n"); n != 4 { // the opening line, twice no bytes, one link
		t.Errorf("recorded:\n%s", file.String())
	}
}

// A driver without lights, and a source that decodes for itself, do nothing with a frame.
func TestFramesForBoardsWithoutLights(t *testing.T) {
	t.Parallel()
	f := Feeder{Table: &fakeTable{}, Emit: func(game.Output) {}, NewDriver: newFakeDriver}
	f.Bytes(1, []byte{2})
	if f.Light(2, red(1)) {
		t.Error("taken")
	}
	f = Feeder{Table: &fakeTable{}, Emit: func(game.Output) {}}
	if f.Light(2, red(1)) {
		t.Error("taken")
	}
}

// litPort is the board's end of a port: what was written to it until it was closed.
type litPort struct {
	*io.PipeReader
	mu     sync.Mutex
	wrote  []byte
	closed bool
}

func (p *litPort) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return 0, io.ErrClosedPipe
	}
	p.wrote = append(p.wrote, b...)
	return len(b), nil
}

func (p *litPort) Close() error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	return p.PipeReader.Close()
}

func (p *litPort) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return string(p.wrote)
}

// The frame that is given last before the end is written before the port is closed, although the driver has to wait with it.
func TestLastFrameIsWrittenBeforeTheEnd(t *testing.T) {
	t.Parallel()
	read, write := io.Pipe()
	defer write.Close()
	port := &litPort{PipeReader: read}
	d, err := New(Options{Boards: []Board{{
		Info: info("a"), Table: &fakeTable{}, NewDriver: func() board.Driver { return &litDriver{} },
		Source: Port(func(context.Context) (io.ReadWriteCloser, error) { return port, nil }),
	}}})
	if err != nil {
		t.Fatal(err)
	}
	stop := run(t, d)
	d.Light("nobody", red('x'))
	d.Light("a", red('l'))
	until(t, "the light", func() bool { return port.text() == "?l" })
	d.Light("a", red('m'))
	d.Light("a", red('0'))
	stop()
	if got := port.text(); got != "?l0q" && got != "?lm0q" {
		t.Errorf("written %q", got)
	}
	if !port.closed {
		t.Error("the port was left open")
	}
}
