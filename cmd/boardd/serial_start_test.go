package main

import (
	"context"
	"testing"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/emulator"
	emulatedchesslink "github.com/boardd/boardd/driver/emulator/chesslink"
	emulateddgt "github.com/boardd/boardd/driver/emulator/dgt"
	"github.com/boardd/boardd/driver/emulator/emulatortest"
	emulatedtext "github.com/boardd/boardd/driver/emulator/text"
	"github.com/boardd/boardd/driver/line"
	"github.com/boardd/boardd/rules"
)

// openLine opens a board's line, which is closed at the end of the test.
func openLine(t *testing.T, w *line.Way) *line.Line {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	l, err := w.Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// converse drives a machine at a line until its board has shown all squares, and gives all that it said.
func converse(t *testing.T, l *line.Line, machine board.Driver, within time.Duration) (all []board.Input) {
	t.Helper()
	began := time.Now()
	in := []byte{}
	buf := make([]byte, 4096)
	for time.Since(began) < within {
		inputs, out, _ := machine.Step(time.Since(began).Milliseconds(), in)
		all = append(all, inputs...)
		if len(all) > 0 && all[len(all)-1].Kind == board.Scan {
			return all
		}
		if len(out) > 0 {
			if _, err := l.Write(out); err != nil {
				t.Fatal(err)
			}
		}
		n, err := l.Poll(buf)
		if err != nil {
			t.Fatal(err)
		}
		if in = buf[:n]; n == 0 {
			in = nil
		}
	}
	t.Fatalf("no board within %v: %+v", within, all)
	return nil
}

// SE-22: a board that is deaf for two seconds after its port was opened is greeted until it answers.
func TestBoardThatWakesLate(t *testing.T) {
	t.Parallel()
	for name, m := range map[string]emulator.Machine{
		"dgt": emulateddgt.New(emulateddgt.Options{}), "chesslink": emulatedchesslink.New(emulatedchesslink.Options{}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := emulatortest.NewPlugs(t)
			e := p.Plug("usb-board", 10, m)
			e.Fault(emulator.Faults{Silent: true})
			start := rules.Start()
			e.Show(projection(board.PieceAcuity, &start))
			boards, wants := ways(t, p, "[[board]]\ndriver = \""+name+"\"\nport = \""+p.Link("usb-board")+"\"\n", time.Second)
			l := openLine(t, boards[0])
			time.AfterFunc(2*time.Second, func() { e.Fault(emulator.Faults{}) })
			machine, err := serialBoards[wants[0].Driver].make(&recordedOptions{}, false)
			if err != nil {
				t.Fatal(err)
			}
			all := converse(t, l, machine(), 20*time.Second)
			if last := all[len(all)-1]; last.Picture != projection(board.PieceAcuity, &start) {
				t.Errorf("shown %v", last.Picture)
			}
		})
	}
}

// SE-29: opening the port starts the board anew; what it says meanwhile is no move, and the greeting is said when it can hear.
func TestBoardThatStartsWhenItsPortIsOpened(t *testing.T) {
	t.Parallel()
	m, err := emulatedtext.New(emulatedtext.Options{Dialect: "roniterv", SilentMs: 15_000,
		Boot: "ets Jun  8 2016 00:22:57\r\nrst:0x1 (POWERON_RESET),boot:0x13\r\n\x00\xffBOARD FFFF"})
	if err != nil {
		t.Fatal(err)
	}
	p := emulatortest.NewPlugs(t)
	e := p.Plug("usb-board", 10, m) // ten times as fast as life: 1.5 seconds
	start := rules.Start()
	e.Show(projection(board.PieceAcuity, &start))
	boards, wants := ways(t, p, "[[board]]\ndriver = \"text\"\ntext.preset = \"roniterv\"\n", 15*time.Second)
	l := openLine(t, boards[0]) // found by asking, too
	all := converse(t, l, wants[0].Ask(), 20*time.Second)
	if len(all) != 2 || all[0].Kind != board.Link || !all[0].Online || all[1].Picture != projection(board.Presence, &start) {
		t.Errorf("said %+v", all)
	}
}
