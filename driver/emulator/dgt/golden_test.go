package dgt_test

import (
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/emulator/dgt"
)

// The dialogue of section 15.
func TestDialogue(t *testing.T) {
	t.Parallel()
	r := newRig(t, dgt.Options{Clock: dgt.DGT3000})
	r.b.SetTimes(179_000, 182_000, 2000)
	r.b.StartStop()
	r.step(nil)
	r.b.StartStop()
	r.step(nil)
	r.want("4B", "")
	r.want("4D", "93 00 05 01 08")
	r.want("45", "91 00 08 30 31 30 32 35")
	r.want("42", startDump)
	r.want("2B 03 03 09 00", "8D 00 0A 0A 10 09 00 20 00 00")
	r.set("e2", '.')
	got := r.hear(300)
	r.set("e4", 'P')
	if got += " " + r.hear(300); got != "8E 00 05 34 00 8E 00 05 24 01" {
		t.Errorf("e2-e4: %s", got)
	}
	r.b.StartStop()
	r.b.Press(board.Left)
	if got := r.hear(400); got != "8D 00 0A 20 03 02 20 03 01 13" {
		t.Errorf("lever: %s", got)
	}
}

// Each row of section 15's table, and what follows of section 4.
func TestSingleCommands(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		options dgt.Options
		command string
		answer  string
	}{
		{"reset", dgt.Options{}, "40", ""},
		{"clock, none there", dgt.Options{}, "41", "8D 00 0A 00 00 00 00 00 00 20"},
		{"dump", dgt.Options{}, "42", startDump},
		{"update says at least each second that there is no clock", dgt.Options{}, "43", "8D 00 0A 00 00 00 00 00 00 20"},
		{"update nice", dgt.Options{}, "4B", ""},
		{"update board", dgt.Options{}, "44", ""},
		{"a dummy update", dgt.Options{Quirks: dgt.Quirks{DummyUpdate: true}}, "44", "8E 00 05 00 08"},
		{"serial", dgt.Options{}, "45", "91 00 08 30 31 30 32 35"},
		{"serial three times", dgt.Options{Quirks: dgt.Quirks{ThreeSerials: true}}, "45",
			"91 00 08 30 31 30 32 35 91 00 08 30 31 30 32 35 91 00 08 30 31 30 32 35"},
		{"bus address", dgt.Options{}, "46", "90 00 05 08 01"},
		{"trademark of our own", dgt.Options{}, "47", "92 00 16 47 6F 20 65 2D 62 6F 61 72 64 20 65 6D 75 6C 61 74 6F 72"},
		{"hardware version", dgt.Options{Model: dgt.Newer}, "48", "96 00 05 01 00"},
		{"no hardware version", dgt.Options{}, "48", ""},
		{"to bus mode", dgt.Options{}, "4A", ""},
		{"battery", dgt.Options{Model: dgt.Bluetooth}, "4C", "A0 00 0C 64 7F 7F 00 00 00 00 00 00"},
		{"no battery", dgt.Options{}, "4C", ""},
		{"version", dgt.Options{}, "4D", "93 00 05 01 08"},
		{"another version", dgt.Options{Version: [2]byte{3, 1}}, "4D", "93 00 05 03 01"},
		{"draughts", dgt.Options{}, "50 52", ""},
		{"long serial", dgt.Options{}, "55", "A2 00 0D 33 30 30 30 31 34 37 37 34 30"},
		{"long serial of a Revelation II", dgt.Options{Model: dgt.RevelationII}, "55", "A2 00 0D 33 2E 32 34 30 30 30 30 30 30"},
		{"a clock command without a clock", dgt.Options{}, "4B 2B 03 03 09 00", ""},
		{"lights where there are none leave commands behind", dgt.Options{}, "60 04 01 4D 24 00", "93 00 05 01 08"},
		{"other bytes", dgt.Options{}, "00 10 20 7F 5B 4D", "93 00 05 01 08"},
		{"two at once", dgt.Options{}, "45 4D", "91 00 08 30 31 30 32 35 93 00 05 01 08"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			newRig(t, c.options).want(c.command, c.answer)
		})
	}
}

// The commands of section 8 and the answers of its golden lists.
func TestClockCommands(t *testing.T) {
	t.Parallel()
	no := "8D 00 0A 0A 40 "
	for _, c := range []struct {
		name    string
		options dgt.Options
		command string
		answer  string
		shown   dgt.Shown
	}{
		{"version, DGT3000", dgt.Options{Clock: dgt.DGT3000}, "2B 03 03 09 00", "8D 00 0A 0A 10 09 00 20 00 00", dgt.Shown{}},
		{"version 1.2", dgt.Options{Clock: dgt.XL, ClockVersion: 0x12}, "2B 03 03 09 00", "8D 00 0A 0A 10 09 00 12 00 00", dgt.Shown{}},
		{"no version", dgt.Options{Clock: dgt.XL, Quirks: dgt.Quirks{NoVersion: true}}, "2B 03 03 09 00", "", dgt.Shown{}},
		{"end", dgt.Options{Clock: dgt.XL}, "2B 03 03 03 00", "8D 00 0A 0A 10 03 00 00 00 00", dgt.Shown{}},
		{"end, by a program that counts otherwise", dgt.Options{Clock: dgt.XL}, "2B 05 03 03 00", "8D 00 0A 0A 10 03 00 00 00 00", dgt.Shown{}},
		{"buttons", dgt.Options{Clock: dgt.XL}, "2B 03 03 08 00", "8D 00 0A 0A 10 08 00 00 00 00", dgt.Shown{}},
		{"XL: e2 e4", dgt.Options{Clock: dgt.XL}, "2B 0B 03 01 00 5B 7B 66 7B 00 00 01 00", "8D 00 0A 0A 10 01 00 00 00 00",
			dgt.Shown{Text: "\x7B\x5B\x00\x00\x7B\x66\x00"}},
		{"XL: with colons and a beep", dgt.Options{Clock: dgt.XL}, "2B 0B 03 01 00 5B 7B 66 7B 00 12 03 00", "8D 00 0A 0A 10 01 00 00 00 00",
			dgt.Shown{Text: "\x7B\x5B\x00\x00\x7B\x66\x12", BeepMs: 64}},
		{"XL knows no letters", dgt.Options{Clock: dgt.XL}, "2B 0C 03 0C 65 32 65 34 20 20 20 20 00 00", no + "0C 00 00 00 00", dgt.Shown{}},
		{"DGT3000: e2e4", dgt.Options{Clock: dgt.DGT3000}, "2B 0C 03 0C 65 32 65 34 20 20 20 20 00 00", "8D 00 0A 0A 10 0C 00 00 00 00",
			dgt.Shown{Text: "e2e4    "}},
		{"DGT3000 knows no segments", dgt.Options{Clock: dgt.DGT3000}, "2B 0B 03 01 00 5B 7B 66 7B 00 00 01 00", no + "01 00 00 00 00", dgt.Shown{}},
		{"Revelation II", dgt.Options{Model: dgt.RevelationII, Clock: dgt.DGT3000}, "2B 0F 03 0D 65 32 65 34 20 20 20 20 20 20 20 01 00",
			"8D 00 0A 0A 10 01 00 00 00 00", dgt.Shown{Text: "e2e4       ", BeepMs: 124}},
		{"icons", dgt.Options{Clock: dgt.XL}, "2B 0B 03 02 01 00 00 00 00 00 00 00 00", "8D 00 0A 0A 10 02 00 00 00 00", dgt.Shown{}},
		{"5:00, left runs", dgt.Options{Clock: dgt.DGT3000}, "2B 0A 03 0A 00 05 00 00 05 00 01 00",
			"8D 00 0A 0A 10 0A 00 00 00 00 8D 00 0A 00 05 00 00 05 00 09", dgt.Shown{LeftMs: 299_300, RightMs: 300_000, Running: board.Left}},
		{"1:30:15 and 0:59:59, paused", dgt.Options{Clock: dgt.XL}, "2B 0A 03 0A 01 1E 0F 00 3B 3B 04 00",
			"8D 00 0A 0A 10 0A 00 00 00 00 8D 00 0A 00 59 59 01 30 15 08", dgt.Shown{LeftMs: 5_415_000, RightMs: 3_599_000}},
		{"BCD is refused", dgt.Options{Clock: dgt.DGT3000}, "2B 0A 03 0A 00 05 00 00 05 60 01 00", no + "0A 00 00 00 00", dgt.Shown{}},
		{"beep", dgt.Options{Clock: dgt.XL}, "2B 04 03 0B 10 00", "8D 00 0A 0A 10 0B 00 00 00 00", dgt.Shown{BeepMs: 1024}},
		{"all zeros afterwards", dgt.Options{Clock: dgt.XL, Quirks: dgt.Quirks{ZeroClock: true}}, "2B 04 03 0B 10 00",
			"8D 00 0A 0A 10 0B 00 00 00 00 8D 00 0A 00 00 00 00 00 00 00", dgt.Shown{BeepMs: 1024}},
		{"no end", dgt.Options{Clock: dgt.XL}, "2B 03 03 03 01", "", dgt.Shown{}},
		{"two at once", dgt.Options{Clock: dgt.XL}, "2B 03 03 03 00 2B 03 03 09 00",
			"8D 00 0A 0A 10 03 00 00 00 00 8D 00 0A 0A 20 00 00 00 00 00", dgt.Shown{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, c.options)
			r.ask("4B", 10)
			c.shown.Lever = board.Left
			r.want(c.command, c.answer)
			if got := r.b.Clock(); got != c.shown {
				t.Errorf("the clock shows %+v, want %+v", got, c.shown)
			}
		})
	}
}

func TestUnsupportedInTheSetMode(t *testing.T) {
	t.Parallel()
	r := newRig(t, dgt.Options{Clock: dgt.XL})
	r.ask("4B", 10)
	r.b.SetMode(1)
	if got := r.hear(100); got != "8D 00 0A 0A 10 10 20 00 00 00" {
		t.Errorf("mode 1: %s", got)
	}
	r.want("2B 0A 03 0A 00 05 00 00 05 00 01 00", "8D 00 0A 0A 40 0A 00 00 00 00")
	r.b.SetMode(23)
	if got := r.hear(100); got != "8D 00 0A 0A 10 0A 20 00 17 00" {
		t.Errorf("mode 23: %s", got)
	}
}

// Without an update mode there is no acknowledgement, but the question after the times gives it for a second.
func TestAcknowledgementsOnlyComeInUpdateModes(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"40", "44"} {
		r := newRig(t, dgt.Options{Clock: dgt.XL})
		r.ask(mode, 10)
		r.want("2B 04 03 0B 10 00", "")
		r.want("41", "8D 00 0A 0A 10 0B 00 00 00 00")
		r.want("41", "8D 00 0A 00 00 00 00 00 00 08")
	}
}

func TestWhatTheClockSaysByItself(t *testing.T) {
	t.Parallel()
	r := newRig(t, dgt.Options{})
	r.ask("43", 900)
	r.b.Plug(dgt.XL)
	if got := r.hear(50); got != "8D 00 0A 0A 10 01 20 00 00 00 8D 00 0A 0A 10 0A 20 00 17 00" {
		t.Errorf("plugged in: %s", got)
	}
	for _, c := range []struct {
		buttons []dgt.Button
		want    string
	}{
		{[]dgt.Button{dgt.Back}, "05 31"}, {[]dgt.Button{dgt.Minus}, "21 34"}, {[]dgt.Button{dgt.Run}, "11 33"},
		{[]dgt.Button{dgt.Plus}, "09 32"}, {[]dgt.Button{dgt.OK}, "41 35"},
		{[]dgt.Button{dgt.Back, dgt.Minus}, "25 34"}, {[]dgt.Button{dgt.Run, dgt.Back}, "15 33"}, {[]dgt.Button{dgt.Back, dgt.Plus}, "0D 32"},
		{[]dgt.Button{dgt.OK, dgt.Back}, "45 35"}, {[]dgt.Button{dgt.Minus, dgt.Run}, "31 33"}, {[]dgt.Button{dgt.Minus, dgt.Plus}, "29 32"},
		{[]dgt.Button{dgt.Minus, dgt.OK}, "61 35"}, {[]dgt.Button{dgt.Run, dgt.Plus}, "19 32"}, {[]dgt.Button{dgt.Run, dgt.OK}, "51 35"},
		{[]dgt.Button{dgt.Plus, dgt.OK}, "49 35"},
	} {
		r.b.Push(c.buttons...)
		if got := r.hear(11); got != "8D 00 0A 0A 10 08 20 "+c.want+" 00" {
			t.Errorf("%v: %s", c.buttons, got)
		}
	}
}

// The clock of capture 1, a second a line: 3 minutes and 2 seconds a move.
func TestTheClockOfACapture(t *testing.T) {
	t.Parallel()
	r := newRig(t, dgt.Options{Clock: dgt.XL})
	r.b.SetTimes(182_000, 182_000, 2000)
	r.want("41", "8D 00 0A 20 03 02 20 03 02 08")
	r.b.StartStop()
	r.step(nil)
	r.want("41", "8D 00 0A 20 03 02 20 03 02 09")
	r.run(1900)
	r.want("41", "8D 00 0A 20 03 02 20 03 00 09")
	r.run(100)
	r.b.Press(board.Left)
	r.step(nil)
	r.want("41", "8D 00 0A 20 03 02 20 03 01 13")
	r.b.Press(board.Left)
	r.b.Press(board.Right)
	r.step(nil)
	r.want("41", "8D 00 0A 20 03 04 20 03 01 09")
	r.b.SetTimes(16_000, 1_000, 2000)
	r.b.StartStop()
	r.b.Press(board.Left)
	r.ask("43", 50)
	if got := r.hear(2000); got != "8D 00 0A 20 00 01 20 00 18 13 8D 00 0A 30 00 00 20 00 18 12" {
		t.Errorf("the flag: %s", got)
	}
}

func TestTheClockSpeaks(t *testing.T) {
	t.Parallel()
	r := newRig(t, dgt.Options{Clock: dgt.XL})
	line := "8D 00 0A 00 05 00 00 05 00 08"
	r.b.SetTimes(300_000, 300_000, 0)
	r.step(nil)
	r.ask("43", 100)
	if got := r.hear(2500); got != line+" "+line+" "+line {
		t.Errorf("update: %s", got)
	}
	r.ask("4B", 100)
	if got := r.hear(2500); got != "" {
		t.Errorf("update nice: %s", got)
	}
	r.b.StartStop()
	if got := r.hear(2500); got != "8D 00 0A 00 05 00 00 05 00 09 8D 00 0A 00 05 00 00 04 59 09 8D 00 0A 00 05 00 00 04 58 09" {
		t.Errorf("running: %s", got)
	}
	r.ask("44", 100)
	if got := r.hear(2500); got != "" {
		t.Errorf("update board: %s", got)
	}
}
