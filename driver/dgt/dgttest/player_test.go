package dgttest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/dgt"
	"github.com/boardd/boardd/driver/dgt/dgttest"
	"github.com/boardd/boardd/driver/port"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func capture(t *testing.T, name string) []string {
	t.Helper()
	lines, err := dgttest.ReadCapture(filepath.Join("..", "..", "..", "testdata", "dgt", name+".hex"))
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// start runs a player until the test ends.
func start(t *testing.T, lines []string, speed float64, seed uint64, answers bool) *dgttest.Player {
	t.Helper()
	p, err := dgttest.NewPlayer(lines, speed, seed)
	if err != nil {
		t.Fatal(err)
	}
	p.Answers = answers
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- p.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error("player:", err)
		}
		p.Close()
	})
	return p
}

func what(in board.Input) string {
	in.T = 0
	return fmt.Sprintf("%+v", in)
}

// inputs is what a machine says of a capture without any port.
func inputs(t *testing.T, lines []string) (said []string) {
	t.Helper()
	m, at := dgt.NewRaw(dgt.Options{}), int64(0)
	for _, line := range lines {
		var b []byte
		if _, err := fmt.Sscanf(strings.ReplaceAll(line, " ", ""), "%x", &b); err != nil {
			t.Fatal(err)
		}
		at += int64(dgt.CaptureGapMs(b))
		in, _, _ := m.Step(at, b)
		for _, i := range in {
			said = append(said, what(i))
		}
	}
	return said
}

// A port and a machine on a fast clock read from the player exactly what the capture holds, however the bytes are cut.
func TestPortAndMachineReadThePlayer(t *testing.T) {
	t.Parallel()
	const speed = 200
	for _, c := range []struct {
		name string
		seed uint64
	}{{"capture1", 1}, {"capture1", 2}, {"capture1", 3}, {"capture2", 1}} {
		t.Run(fmt.Sprint(c.name, " ", c.seed), func(t *testing.T) {
			t.Parallel()
			lines := capture(t, c.name)
			want := inputs(t, lines)
			player := start(t, lines, speed, c.seed, c.seed == 1)
			line, err := port.Open(port.Options{Path: player.Path(), LockDir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			got := drive(t, line, dgt.New(dgt.Options{Scale: speed}), speed, len(want))
			for i := range want {
				if i >= len(got) || got[i] != want[i] {
					t.Fatalf("input %d of %d is %q, want %q", i, len(got), slices.Concat(got, []string{"nothing"})[i], want[i])
				}
			}
			<-player.Done()
			if r := player.Requests(); r[0] != 0x40 || slices.Index(r, 0x42) < 2 {
				t.Errorf("the machine asked % x", r)
			}
		})
	}
}

// drive runs a machine on a port until it has said enough.
func drive(t *testing.T, line io.ReadWriteCloser, m *dgt.Machine, speed int64, enough int) (said []string) {
	t.Helper()
	chunks := make(chan []byte)
	stop := make(chan struct{})
	go func() {
		defer close(chunks)
		for buf := make([]byte, 64); ; {
			n, err := line.Read(buf)
			if err != nil {
				return
			}
			select {
			case chunks <- slices.Clone(buf[:n]):
			case <-stop:
				return
			}
		}
	}()
	defer func() {
		close(stop)
		line.Close()
		for range chunks {
		}
	}()
	deadline := time.After(time.Minute)
	began := time.Now()
	var chunk []byte
	for {
		now := time.Since(began).Milliseconds() * speed
		in, out, wake := m.Step(now, chunk)
		for _, i := range in {
			said = append(said, what(i))
		}
		if len(said) >= enough {
			return said
		}
		if len(out) > 0 {
			if _, err := line.Write(out); err != nil {
				t.Fatal(err)
			}
		}
		select {
		case chunk = <-chunks:
		case <-time.After(time.Duration(wake-now) * time.Millisecond / time.Duration(speed)):
			chunk = nil
		case <-deadline:
			t.Fatalf("only %d inputs after a minute", len(said))
		}
	}
}

// The player keeps still until it is asked for the board, and answers later questions from its own picture.
func TestPlayerStartsAtTheFirstQuestion(t *testing.T) {
	t.Parallel()
	dump := "86 00 43 " + strings.Repeat("00 ", 63) + "05"
	player := start(t, []string{dump, "8e 00 05 3f 00", "8e 00 05 37 05"}, 1000, 1, false)
	line, err := port.Open(port.Options{Path: player.Path()})
	if err != nil {
		t.Fatal(err)
	}
	defer line.Close()
	write := func(b ...byte) {
		if _, err := line.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	read := func(n int) string {
		b := make([]byte, n)
		if _, err := io.ReadFull(line, b); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("% x", b)
	}
	write(0x40, 0x4D, 0x2B, 0x03, 0x42, 0x42, 0x42, 0x45) // the 42s inside a clock command are none
	write(0x42)
	if got, want := read(67+5+5), dump+" 8e 00 05 3f 00 8e 00 05 37 05"; got != want {
		t.Errorf("got %s", got)
	}
	<-player.Done()
	write(0x42)
	if got := read(67); got != "86 00 43 "+strings.Repeat("00 ", 55)+"05 "+strings.TrimSpace(strings.Repeat("00 ", 8)) {
		t.Errorf("got %s", got)
	}
	if r := player.Requests(); fmt.Sprintf("% x", r) != "40 4d 2b 45 42 42" {
		t.Errorf("requests % x", r)
	}
}

func TestPlayerTakenAway(t *testing.T) {
	t.Parallel()
	player := start(t, []string{"93 00 05 01 08"}, 1, 1, false)
	line, err := port.Open(port.Options{Path: player.Path()})
	if err != nil {
		t.Fatal(err)
	}
	defer line.Close()
	failed := make(chan error, 1)
	go func() {
		_, err := line.Read(make([]byte, 8))
		failed <- err
	}()
	player.Close()
	select {
	case err := <-failed:
		if err == nil || errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("read: %v", err)
		}
	case <-time.After(2 * time.Second):
		t.Error("the board was gone for two seconds unnoticed")
	}
}

func TestPlayerRefusesWhatItCannotPlay(t *testing.T) {
	t.Parallel()
	if _, err := dgttest.NewPlayer([]string{"8e 00", "nonsense"}, 1, 1); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Error(err)
	}
	if _, err := dgttest.NewPlayer(nil, 0, 1); err == nil {
		t.Error("speed 0")
	}
}
