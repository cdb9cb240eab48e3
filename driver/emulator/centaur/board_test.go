package centaur_test

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/board"
	driver "github.com/boardd/boardd/driver/centaur"
	"github.com/boardd/boardd/driver/emulator"
	"github.com/boardd/boardd/driver/emulator/centaur"
	"github.com/boardd/boardd/driver/emulator/emulatortest"
	"github.com/boardd/boardd/rules"
)

var _ emulator.Machine = (*centaur.Board)(nil)

func unhex(t *testing.T, digits string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The frames of protocols/others.md section 1, address 06 50.
func TestGoldenFrames(t *testing.T) {
	t.Parallel()
	b := centaur.New(centaur.Options{})
	b.Set(12, 'P')
	b.Step(0, unhex(t, "83 06 50 59"))
	press := func(key byte) func() { return func() { b.Press(key) } }
	for _, c := range []struct {
		do         func()
		ask, reply string
	}{
		{nil, "4D", ""},
		{nil, "4E", ""},
		{nil, "87 00 00 07", "87 00 06 06 50 63"},
		{nil, "83 06 50 59", "85 00 06 06 50 61"},
		{nil, "94 06 50 6A", "B1 00 06 06 50 0D"},
		{func() { b.Set(12, board.Empty); b.Set(28, 'P') }, "83 06 50 59", "85 00 0A 06 50 40 34 41 24 3E"},
		{nil, "83 06 50 59", "85 00 06 06 50 61"},
		{press(centaur.Back), "94 06 50 6A", "B1 00 11 06 50 00 14 0A 05 01 00 00 00 00 7D 47 00"},
		{press(centaur.Tick), "94 06 50 6A", "B1 00 11 06 50 00 14 0A 05 10 00 00 00 00 7D 17 5F"},
		{press(centaur.Up), "94 06 50 6A", "B1 00 11 06 50 00 14 0A 05 08 00 00 00 00 7D 3C 7C"},
		{press(centaur.Down), "94 06 50 6A", "B1 00 10 06 50 00 14 0A 05 02 00 00 00 00 61 1D"},
		{press(centaur.Help), "94 06 50 6A", "B1 00 10 06 50 00 14 0A 05 40 00 00 00 00 6D 67"},
		{press(centaur.Play), "94 06 50 6A", "B1 00 10 06 50 00 14 0A 05 04 00 00 00 00 2A 68"},
		{nil, "83 06 50 58", ""},
		{nil, "83 08 01 0C", ""},
		{nil, "B1 00 08 06 50 4C 08 63", ""},
		{nil, "B0 00 0C 06 50 05 03 00 05 34 24 77", ""},
	} {
		if c.do != nil {
			c.do()
		}
		out, _ := b.Step(1, unhex(t, c.ask))
		if !bytes.Equal(out, unhex(t, c.reply)) {
			t.Errorf("%s: % X, want %s", c.ask, out, c.reply)
		}
	}
	white := board.RGB{R: 255, G: 255, B: 255}
	if b.Lit() != (board.Frame{12: white, 28: white}) || b.Sounds() != 1 || b.Tally().BadSum != 1 || b.Tally().Foreign != 1 {
		t.Errorf("%+v", b.Tally())
	}
	out, _ := b.Step(2, unhex(t, "F0 00 07 06 50 7F 4C"))
	if len(out) != 134 || out[0] != 0xF0 || out[1] != 1 || out[2] != 6 {
		t.Errorf("snapshot % X", out)
	}
	if b.Step(2, unhex(t, "B0 00 07 06 50 00 0D")); b.Lit() != (board.Frame{}) {
		t.Error("lights off")
	}
	b.Step(3, unhex(t, "B2 00 07 06 50 0A 19"))
	if out, _ = b.Step(4, unhex(t, "83 06 50 59")); len(out) > 0 || !b.Asleep() {
		t.Errorf("asleep: % X", out)
	}
}

func TestDriverSeesWhatStandsThere(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		b := centaur.New(centaur.Options{Address: [2]byte{rapid.Byte().Draw(r, "high"), 1}, Times: rapid.Bool().Draw(r, "times")})
		men := board.EmptyPicture()
		for range rapid.IntRange(0, 32).Draw(r, "men") {
			men[rapid.IntRange(0, 63).Draw(r, "square")] = 'x'
		}
		x := emulatortest.New(r, driver.New(driver.Options{}), b, emulatortest.Options{Men: men})
		x.Run(2000)
		for range rapid.IntRange(0, 12).Draw(r, "touches") {
			s := rules.Square(rapid.IntRange(0, 63).Draw(r, "square"))
			x.Put(s, map[bool]board.Symbol{true: 'x', false: board.Empty}[x.Men[s] == board.Empty])
			x.Run(rapid.Int64Range(0, 200).Draw(r, "rest"))
		}
		x.Run(1000)
		if !x.Online || x.Said != x.Men {
			r.Fatalf("the driver sees %s, there stands %s", x.Said, x.Men)
		}
	})
}

// However bad the line was: when it is good again, all squares are right.
func TestDriverRecoversFromABadLine(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		x := emulatortest.New(r, driver.New(driver.Options{}), centaur.New(centaur.Options{}), emulatortest.Options{
			Baud: driver.Baud, Seed: rapid.Uint64().Draw(r, "seed"), Men: emulatortest.Start()})
		x.Line.Fault(emulator.Faults{Cut: 0.05, Twice: 0.05, Foreign: 0.05, Late: 0.05, Parity: 0.001, Deaf: 0.05})
		for range rapid.IntRange(0, 12).Draw(r, "touches") {
			s := rules.Square(rapid.IntRange(0, 63).Draw(r, "square"))
			x.Put(s, map[bool]board.Symbol{true: 'x', false: board.Empty}[x.Men[s] == board.Empty])
			x.Run(rapid.Int64Range(0, 2000).Draw(r, "rest"))
		}
		x.Line.Fault(emulator.Faults{})
		x.Run(30_000)
		if !x.Online || x.Said != x.Stands() {
			r.Fatalf("online %v, the driver sees %s, there stands %s", x.Online, x.Said, x.Stands())
		}
		x.Light(board.Frame{0: {R: 9}, 63: {B: 9}})
		x.Run(2000)
		if lit := x.Lit(); lit != "a1 h8" {
			r.Fatalf("lit %s", lit)
		}
	})
}

// The order of what happens between two questions is told, times or not, and a man who is put back at once is seen to have moved.
func TestOrder(t *testing.T) {
	t.Parallel()
	for _, times := range []bool{false, true} {
		b := centaur.New(centaur.Options{Times: times})
		x := emulatortest.New(t, driver.New(driver.Options{}), b, emulatortest.Options{Men: emulatortest.Start()})
		x.Run(2000)
		var said []string
		x.Tell = func(in board.Input) {
			switch in.Kind {
			case board.Change:
				said = append(said, in.Square.String()+string(rune(in.Symbol)))
			case board.Button:
				said = append(said, in.ButtonName)
			}
		}
		for _, touch := range []struct {
			s    rules.Square
			what board.Symbol
		}{{12, board.Empty}, {12, 'P'}, {11, board.Empty}, {27, 'P'}, {51, board.Empty}} {
			x.Put(touch.s, touch.what)
		}
		b.Press(centaur.Tick)
		b.Press(centaur.Play)
		b.Press(centaur.LongPlay)
		x.Run(1000)
		if got := strings.Join(said, " "); got != "e2. e2x d2. d4x d7. promotion new_game" {
			t.Errorf("said %s", got)
		}
		x.Light(board.Frame{12: {R: 9}, 28: {B: 9}})
		x.Run(50)
		if lit := x.Lit(); lit != "e2 e4" {
			t.Errorf("lit %s", lit)
		}
		if b.Sounds() != 0 || b.Asleep() || b.Tally().BadSum+b.Tally().Foreign != 0 {
			t.Errorf("%+v", b.Tally())
		}
	}
}

func FuzzBoard(f *testing.F) {
	f.Add([]byte{0x83, 6, 0x50, 0x59, 0xB0, 0, 12, 6, 0x50, 5, 3, 0, 5, 0x34, 0x24, 0x77})
	f.Fuzz(func(t *testing.T, in []byte) {
		one, many := centaur.New(centaur.Options{}), centaur.New(centaur.Options{})
		a, _ := one.Step(1, in)
		var b []byte
		for _, x := range in {
			part, _ := many.Step(1, []byte{x})
			b = append(b, part...)
		}
		if !bytes.Equal(a, b) || one.Lit() != many.Lit() {
			t.Fatalf("% X and % X", a, b)
		}
	})
}
