package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/driver/calibration"
	"github.com/boardd/boardd/driver/certabo"
	"github.com/boardd/boardd/driver/emulator"
	emulatedcertabo "github.com/boardd/boardd/driver/emulator/certabo"
	emulatedsentio "github.com/boardd/boardd/driver/emulator/sentio"
	"github.com/boardd/boardd/driver/port"
	"github.com/boardd/boardd/leds/terminal"
	"github.com/boardd/boardd/rules"
)

// teach runs a lesson with an emulated board on which men stand.
func teach(t *testing.T, m emulator.Machine, men map[rules.Square]board.Symbol, l *lesson) (string, error) {
	t.Helper()
	e, err := emulator.Open(m, emulator.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for s, what := range men {
		e.Set(s, what)
	}
	var out bytes.Buffer
	l.board = &config.Board{ID: "kitchen", Driver: "certabo", Orientation: l.board.Orientation}
	l.open = func() (io.ReadWriteCloser, error) { return port.Open(port.Options{Path: e.Path(), Baud: certabo.Baud}) }
	l.screen, l.tick = terminal.New(&out, terminal.Options{}), 5*time.Millisecond
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	err = l.run(ctx)
	return out.String() + l.ended, err
}

// startMen are the men of the start position as White sees them, or Black.
func startMen(turned bool) map[rules.Square]board.Symbol {
	men := map[rules.Square]board.Symbol{}
	start := rules.Start()
	for s := range rules.NoSquare {
		if p := start.At(s); p != rules.NoPiece && turned {
			men[63-s] = board.Symbol(p.Letter())
		} else if p != rules.NoPiece {
			men[s] = board.Symbol(p.Letter())
		}
	}
	return men
}

func TestCalibratePieces(t *testing.T) {
	t.Parallel()
	for _, orientation := range []string{"auto", "black"} {
		t.Run(orientation, func(t *testing.T) {
			t.Parallel()
			path := certabo.PiecesPath(t.TempDir(), "kitchen")
			e := emulatedcertabo.New(emulatedcertabo.Options{FrameMs: 20, Noise: 0.15, LowGain: 0.02, Wrap: true})
			known, err := certabo.TableOf(e.Chips())
			if err != nil {
				t.Fatal(err)
			}
			said, err := teach(t, e, startMen(orientation == "black"), &lesson{path: path, board: &config.Board{Orientation: orientation}})
			if err != nil || !strings.Contains(said, "32 chips are known now, 32 of them new") || !strings.Contains(said, "Set up the start position") {
				t.Fatalf("%v: %s", err, said)
			}
			table, err := certabo.ReadTable(path)
			if err != nil || len(table) != 32 {
				t.Fatalf("%d chips, %v", len(table), err)
			}
			for c, p := range table {
				if known[c] != p {
					t.Errorf("%s is taken for %c", c, p.Letter())
				}
			}
		})
	}
}

// MD-29: one queen more.
func TestCalibrateOneManMore(t *testing.T) {
	t.Parallel()
	path := certabo.PiecesPath(t.TempDir(), "kitchen")
	chips := emulatedcertabo.New(emulatedcertabo.Options{}).Chips()
	slices.Sort(chips["Q"])
	first, err := certabo.TableOf(map[string][]string{"Q": chips["Q"][:1], "k": chips["k"]})
	if err != nil {
		t.Fatal(err)
	}
	queen := rules.NewPiece(rules.White, rules.Queen)
	l := &lesson{path: path, board: &config.Board{}, add: queen}
	if _, err := teach(t, emulatedcertabo.New(emulatedcertabo.Options{FrameMs: 20}), nil, l); err == nil || !strings.Contains(err.Error(), "without --add") {
		t.Errorf("nothing is known yet: %v", err)
	}
	if err := first.Write(path); err != nil {
		t.Fatal(err)
	}
	e := emulatedcertabo.New(emulatedcertabo.Options{FrameMs: 20})
	d3, _ := rules.ParseSquare("d3")
	e1, _ := rules.ParseSquare("e1")
	men := map[rules.Square]board.Symbol{d3: board.Unknown, e1: 'K'}
	said, err := teach(t, e, men, &lesson{path: path, board: &config.Board{}, add: queen})
	if err != nil || !strings.Contains(said, "Put the new white queen on d3.") || !strings.Contains(said, fmt.Sprintf("%d chips are known now, 1 of them new", len(first)+1)) {
		t.Fatalf("%v: %s", err, said)
	}
	table, err := certabo.ReadTable(path)
	queens := 0
	for _, p := range table {
		if p == queen {
			queens++
		}
	}
	if err != nil || queens != 2 || len(table) != len(first)+1 {
		t.Errorf("%d queens of %d chips, %v", queens, len(table), err)
	}
}

func TestCalibratePiecesOfASentio(t *testing.T) {
	t.Parallel()
	path := certabo.PiecesPath(t.TempDir(), "kitchen")
	said, err := teach(t, emulatedsentio.New(emulatedsentio.Options{FrameMs: 20}), startMen(false), &lesson{path: path, board: &config.Board{}})
	if err == nil || !strings.Contains(err.Error(), `driver = "sentio"`) {
		t.Errorf("%v: %s", err, said)
	}
}

func TestCalibratePiecesGivenUpSavesNothing(t *testing.T) {
	t.Parallel()
	path := certabo.PiecesPath(t.TempDir(), "kitchen")
	keys := make(chan calibration.Key, 1)
	keys <- calibration.Quit
	said, err := teach(t, emulatedcertabo.New(emulatedcertabo.Options{FrameMs: 20}), nil, &lesson{path: path, board: &config.Board{}, keys: keys})
	if !errors.Is(err, errGivenUp) {
		t.Errorf("%v: %s", err, said)
	}
	if _, err := os.Stat(filepath.Dir(path)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something was saved: %v", err)
	}
}

func TestWhatIsWrongInALesson(t *testing.T) {
	t.Parallel()
	queen := rules.NewPiece(rules.White, rules.Queen)
	for _, c := range []struct {
		lesson certabo.Lesson
		wish   string
		hitch  string
	}{
		{certabo.Lesson{}, "Waiting for the board", ""},
		{certabo.Lesson{Heard: true, Wants: map[rules.Square]rules.Piece{8: 1, 0: 4}}, "Not read yet: a1 a2.", ""},
		{certabo.Lesson{Heard: true, Twice: 0x42}, "", "One chip is read on several squares: b1 g1."},
		{certabo.Lesson{Heard: true, Unsteady: 2}, "", "Read differently each time: b1."},
		{certabo.Lesson{Heard: true, Old: queen}, "", "known already, as a white queen"},
	} {
		l := lesson{}
		if got := l.wish(c.lesson); !strings.HasPrefix(got, c.wish) {
			t.Errorf("%+v: %q", c.lesson, got)
		}
		if got := hitch(c.lesson); !strings.Contains(got, c.hitch) || got != "" && c.hitch == "" {
			t.Errorf("%+v: %q", c.lesson, got)
		}
	}
}
