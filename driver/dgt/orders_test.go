package dgt_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/dgt"
	emulated "github.com/boardd/boardd/driver/emulator/dgt"
)

var _ board.ClockSetter = (*dgt.Machine)(nil)

// clocked is a conversation with a board behind which a clock stands, past the start-up.
func clocked(t failer, o emulated.Options) *wire {
	w := newWire(t, dgt.New(dgt.Options{}), emulated.New(o))
	w.boards[0].SetTimes(300_000, 300_000, 0)
	w.run(3000)
	w.out, w.in = nil, nil
	return w
}

// order gives an order, as the daemon does, and some time to carry it out.
func (w *wire) order(o board.ClockOrder, ms int64) {
	w.m.Clock(o)
	w.machine(nil)
	w.run(ms)
}

// longer are the commands of several bytes that were written.
func (w *wire) longer() (s []string) {
	for _, c := range w.out {
		if len(c) > 2 {
			s = append(s, c)
		}
	}
	return s
}

func problems(m *dgt.Machine) (s []string) {
	for _, r := range m.Results() {
		s = append(s, r.Problem)
	}
	return s
}

func TestClockOrders(t *testing.T) {
	t.Parallel()
	xl, dgt3000 := emulated.Options{Clock: emulated.XL}, emulated.Options{Clock: emulated.DGT3000}
	version := "2B03030900 "
	for _, c := range []struct {
		name   string
		clock  emulated.Options
		order  board.ClockOrder
		writes string
		shown  emulated.Shown
	}{
		{"5:00 each, left runs", dgt3000, board.ClockOrder{Kind: board.SetClock, LeftMs: 300_000, RightMs: 300_000, Run: board.Left},
			"2B0A030A0005000005000900", emulated.Shown{LeftMs: 295_989, RightMs: 300_000, Running: board.Left}},
		{"1:30:15 and 0:59:59, nobody runs", xl, board.ClockOrder{Kind: board.SetClock, LeftMs: 5_415_000, RightMs: 3_599_000},
			"2B0A030A011E0F003B3B0C00", emulated.Shown{LeftMs: 5_415_000, RightMs: 3_599_000}},
		{"9:59:59, right runs", xl, board.ClockOrder{Kind: board.SetClock, LeftMs: 35_999_000, RightMs: 35_998_001, Run: board.Right},
			"2B0A030A093B3B093B3B0A00", emulated.Shown{LeftMs: 35_999_000, RightMs: 35_994_989, Running: board.Right}},
		{"run", xl, board.ClockOrder{Kind: board.RunClock, Run: board.Right}, "2B0A030A0005000005000A00",
			emulated.Shown{LeftMs: 300_000, RightMs: 295_989, Running: board.Right}},
		{"stop", xl, board.ClockOrder{Kind: board.RunClock}, "2B0A030A0005000005000C00", emulated.Shown{LeftMs: 300_000, RightMs: 300_000}},
		{"a move on an XL", xl, board.ClockOrder{Kind: board.ShowText, Text: "e2  e4"}, version + "2B0B0301005B7B667B00000100",
			emulated.Shown{Text: "\x7B\x5B\x00\x00\x7B\x66\x00"}},
		{"with a beep", xl, board.ClockOrder{Kind: board.ShowText, Text: "E2  E4 and more", BeepMs: 100}, version + "2B0B0301005B7B667B00000300",
			emulated.Shown{Text: "\x7B\x5B\x00\x00\x7B\x66\x00", BeepMs: 64}},
		{"a move on a DGT3000", dgt3000, board.ClockOrder{Kind: board.ShowText, Text: "e2e4"}, version + "2B0C030C65326534202020200000",
			emulated.Shown{Text: "e2e4    "}},
		{"too much for it, with a long beep", dgt3000, board.ClockOrder{Kind: board.ShowText, Text: "Größe: viel", BeepMs: 5000},
			version + "2B0C030C47723F3F653A20760F00", emulated.Shown{Text: "Gr??e: v", BeepMs: 999}},
		{"a Revelation II", emulated.Options{Model: emulated.RevelationII, Clock: emulated.DGT3000}, board.ClockOrder{Kind: board.ShowText, Text: "e2e4", BeepMs: 1},
			"2B0F030D65326534202020202020200100", emulated.Shown{Text: "e2e4       ", BeepMs: 124}},
		{"an XL that does not say its version", emulated.Options{Clock: emulated.XL, Quirks: emulated.Quirks{NoVersion: true}},
			board.ClockOrder{Kind: board.ShowText, Text: "e2  e4"}, version + version + version + "2B0B0301005B7B667B00000100",
			emulated.Shown{Text: "\x7B\x5B\x00\x00\x7B\x66\x00"}},
		{"the times again", xl, board.ClockOrder{Kind: board.ShowTimes}, "2B03030300", emulated.Shown{}},
		{"beep", xl, board.ClockOrder{Kind: board.Beep, BeepMs: 1000}, "2B04030B1000", emulated.Shown{BeepMs: 1024}},
		{"zeros afterwards", emulated.Options{Clock: emulated.XL, Quirks: emulated.Quirks{ZeroClock: true}}, board.ClockOrder{Kind: board.Beep, BeepMs: 1},
			"2B04030B0100", emulated.Shown{BeepMs: 64}},
		{"times between order and answer", emulated.Options{Clock: emulated.XL, Quirks: emulated.Quirks{AckAfterTimes: true}}, board.ClockOrder{Kind: board.Beep, BeepMs: 1},
			"2B04030B0100", emulated.Shown{BeepMs: 64}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := clocked(t, c.clock)
			ms := int64(4100)
			if strings.Count(c.writes, version) == 3 {
				ms = 9000
			}
			w.order(c.order, ms)
			if got := strings.Join(w.longer(), " "); got != c.writes {
				t.Errorf("wrote %s, want %s", got, c.writes)
			}
			got := w.boards[0].Clock()
			if c.shown.LeftMs == 0 && c.shown.RightMs == 0 {
				c.shown.LeftMs, c.shown.RightMs = 300_000, 300_000
			}
			if c.shown.Lever = board.Left; got != c.shown {
				t.Errorf("the clock shows %+v, want %+v", got, c.shown)
			}
			if p := problems(w.m); len(p) != 1 || p[0] != "" {
				t.Errorf("results %q", p)
			}
		})
	}
}

// The new times are believed at once, however far they are from the old ones, and who runs is said.
func TestTheClockThatWasSetIsHeard(t *testing.T) {
	t.Parallel()
	w := clocked(t, emulated.Options{Clock: emulated.DGT3000})
	w.order(board.ClockOrder{Kind: board.SetClock, LeftMs: 7_200_000, RightMs: 3_600_000, Run: board.Right}, 2500)
	if r := w.last(); r.LeftMs != 7_200_000 || r.RightMs > 3_600_000 || r.RightMs < 3_596_000 || r.Running != board.Right || r.Lever != board.Left {
		t.Errorf("the clock is heard as %+v", r)
	}
}

// Orders wait for each other; the clock never gets two at once, and a text that nobody has seen yet gives way to a newer one.
func TestOrdersWaitForEachOther(t *testing.T) {
	t.Parallel()
	w := clocked(t, emulated.Options{Clock: emulated.DGT3000, AckMs: 500})
	for _, o := range []board.ClockOrder{
		{Kind: board.Beep, BeepMs: 64}, {Kind: board.ShowText, Text: "e2e4"}, {Kind: board.ShowText, Text: "e7e5"},
		{Kind: board.SetClock, LeftMs: 60_000, RightMs: 60_000}, {Kind: board.ShowText, Text: "last"},
	} {
		w.m.Clock(o)
	}
	w.machine(nil)
	w.run(5000)
	if got := fmt.Sprintf("%q", problems(w.m)); got != `["another text came before it was shown" "" "" "" ""]` {
		t.Errorf("results %s", got)
	}
	if got := strings.Join(w.longer(), " "); got != "2B04030B0100 2B03030900 2B0C030C65376535202020200000 2B0A030A0001000001000C00 2B0C030C6C617374202020200000" {
		t.Errorf("wrote %s", got)
	}
	if i := w.m.Info(); i.AckErrors != 0 || i.ClockMajor != 2 {
		t.Errorf("info %+v", i)
	}
}

func TestOrdersThatFail(t *testing.T) {
	t.Parallel()
	beep := board.ClockOrder{Kind: board.Beep, BeepMs: 64}
	set := board.ClockOrder{Kind: board.SetClock, LeftMs: 60_000, RightMs: 60_000}
	for _, c := range []struct {
		name    string
		clock   emulated.Options
		before  func(w *wire)
		order   board.ClockOrder
		writes  int
		problem string
	}{
		{"no clock", emulated.Options{}, nil, beep, 0, "no clock is plugged into the board"},
		{"longer than any clock", emulated.Options{Clock: emulated.XL}, nil, board.ClockOrder{Kind: board.SetClock, LeftMs: 36_000_000}, 0, "from 0 to 9:59:59"},
		{"less than nothing", emulated.Options{Clock: emulated.XL}, nil, board.ClockOrder{Kind: board.SetClock, LeftMs: -1}, 0, "from 0 to 9:59:59"},
		{"another mode", emulated.Options{Clock: emulated.XL}, func(w *wire) { w.boards[0].SetMode(1); w.board(0, nil) }, set, 2, "option 23"},
		{"a clock that is unplugged", emulated.Options{Clock: emulated.XL}, func(w *wire) { w.harm = deaf }, beep, 3, "does not answer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := clocked(t, c.clock)
			if c.before != nil {
				c.before(w)
			}
			w.order(c.order, 7000)
			p := problems(w.m)
			if len(p) != 1 || !strings.Contains(p[0], c.problem) {
				t.Errorf("results %q, want %q", p, c.problem)
			}
			if n := len(w.longer()); n != c.writes {
				t.Errorf("told %d times, want %d: %v", n, c.writes, w.longer())
			}
			if n := strings.Join(w.m.Notes(), "\n"); !strings.Contains(n, c.problem) {
				t.Errorf("notes %q", n)
			}
			w.harm = nil
			w.play("e2e4P")
			w.run(500)
			if got := picture(append(standing(), w.in...)); got[square("e4")] != 'P' || got[square("e2")] != '.' {
				t.Errorf("moves are not read any more: %v", got)
			}
		})
	}
}

// standing is the start position as an input.
func standing() []board.Input {
	p, _ := board.ParsePicture(startPicture, board.PieceAcuity)
	return []board.Input{{Kind: board.Scan, Picture: p}}
}

// deaf lets nothing through to the board that is for its clock.
func deaf(to int, b []byte) []byte {
	if to >= 0 && b[0] == 0x2B {
		return nil
	}
	return b
}

func TestAnOrderOrAnAnswerThatIsLost(t *testing.T) {
	t.Parallel()
	for name, lost := range map[string]func(to int, b []byte) bool{
		"the order":  func(to int, b []byte) bool { return to >= 0 && b[0] == 0x2B },
		"the answer": func(to int, b []byte) bool { return to < 0 && b[0] == 0x8D },
	} {
		w := clocked(t, emulated.Options{Clock: emulated.XL})
		times := 2
		w.harm = func(to int, b []byte) []byte {
			if times > 0 && lost(to, b) {
				times--
				return nil
			}
			return b
		}
		w.order(board.ClockOrder{Kind: board.Beep, BeepMs: 64}, 6500)
		if got := fmt.Sprintf("%q", problems(w.m)); got != `[""]` {
			t.Errorf("%s: results %s", name, got)
		}
		if n := len(w.longer()); n != 3 {
			t.Errorf("%s: told %d times", name, n)
		}
	}
}

// picochess 142: a clock that says (20 0 0 0) is told once more.
func TestAnOrderThatIsIgnoredIsGivenOnceMore(t *testing.T) {
	t.Parallel()
	b, _ := settled(t, dgt.Options{})
	b.m.Clock(board.ClockOrder{Kind: board.Beep, BeepMs: 64})
	b.step(2100, nil)
	b.until(2999)
	b.step(3000, unhex(t, "8D 00 0A 0A 20 00 00 00 00 00"))
	b.until(3299)
	b.step(3300, unhex(t, "8D 00 0A 0A 10 0B 00 00 00 00"))
	out, _ := b.take()
	if n := strings.Count(out, "2B@"); n != 2 {
		t.Errorf("wrote %s", out)
	}
	if got := fmt.Sprintf("%q", problems(b.m)); got != `[""]` {
		t.Errorf("results %s", got)
	}
}

func TestButtons(t *testing.T) {
	t.Parallel()
	w := clocked(t, emulated.Options{Clock: emulated.XL})
	for _, c := range []struct {
		buttons []emulated.Button
		want    string
	}{
		{[]emulated.Button{emulated.Back}, "clock_back"}, {[]emulated.Button{emulated.Minus}, "clock_minus"}, {[]emulated.Button{emulated.Run}, "clock_run"},
		{[]emulated.Button{emulated.Plus}, "clock_plus"}, {[]emulated.Button{emulated.OK}, "clock_ok"},
		{[]emulated.Button{emulated.Back, emulated.OK}, "clock_back+clock_ok"}, {[]emulated.Button{emulated.Plus, emulated.Minus}, "clock_minus+clock_plus"},
	} {
		w.in = nil
		w.boards[0].Push(c.buttons...)
		w.board(0, nil)
		w.run(100)
		if len(w.in) != 1 || w.in[0].Kind != board.Button || w.in[0].ButtonName != c.want {
			t.Errorf("%v: said %+v, want %s", c.buttons, w.in, c.want)
		}
	}
	m := dgt.NewRaw(dgt.Options{})
	in, _, _ := m.Step(1, unhex(t, "8D 00 0A 0A 10 08 20 00 33 00")) // as emulators say it, without the bits
	if in[1].ButtonName != "clock_run" {
		t.Errorf("said %+v", in)
	}
}

// Another clock is plugged in: it is asked which it is.
func TestAnotherClock(t *testing.T) {
	t.Parallel()
	w := clocked(t, emulated.Options{Clock: emulated.XL})
	text := board.ClockOrder{Kind: board.ShowText, Text: "e2e4"}
	w.order(text, 3000)
	w.boards[0].Plug(emulated.DGT3000)
	w.board(0, nil)
	w.run(1000)
	if i := w.m.Info(); i.ClockMajor != 0 || i.ClockMode != 23 {
		t.Errorf("info %+v", i)
	}
	w.order(text, 3000)
	if got := w.boards[0].Clock().Text; got != "e2e4    " {
		t.Errorf("it shows %q", got)
	}
}

// Lever, flag and who is to move, as the clock says it.
func TestLeverAndFlag(t *testing.T) {
	t.Parallel()
	w := clocked(t, emulated.Options{Clock: emulated.XL})
	w.boards[0].SetTimes(300_000, 3000, 0)
	w.boards[0].StartStop()
	w.board(0, nil)
	w.run(1500)
	if r := w.last(); r.Running != board.Left || r.Lever != board.Left || r.Flag != board.NoSide {
		t.Errorf("running: %+v", r)
	}
	w.boards[0].Press(board.Left)
	w.board(0, nil)
	w.run(500)
	if r := w.last(); r.Running != board.Right || r.Lever != board.Right || r.RightMs != 3000 {
		t.Errorf("pressed: %+v", r)
	}
	w.run(4000)
	if r := w.last(); r.Running != board.NoSide || r.Lever != board.Right || r.Flag != board.Right || r.RightMs != 0 {
		t.Errorf("fallen: %+v", r)
	}
}

// Whatever is ordered and whatever is lost: each order comes to an end, in order, and the moves are read.
func TestEachOrderComesToAnEnd(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := clocked(t, emulated.Options{Clock: emulated.ClockType(rapid.IntRange(1, 2).Draw(t, "clock")), AckMs: rapid.Int64Range(1, 2500).Draw(t, "ack"),
			Quirks: emulated.Quirks{ZeroClock: rapid.Bool().Draw(t, "zero"), NoVersion: rapid.Bool().Draw(t, "no version"), AckAfterTimes: rapid.Bool().Draw(t, "times")}})
		bad := true
		w.harm = func(_ int, b []byte) []byte {
			if bad && rapid.IntRange(0, 5).Draw(t, "loss") == 0 {
				return nil
			}
			return b
		}
		given, results := 0, 0
		for range rapid.IntRange(1, 12).Draw(t, "orders") {
			w.order(board.ClockOrder{
				Kind: board.OrderKind(rapid.IntRange(0, 4).Draw(t, "kind")), LeftMs: rapid.Int64Range(0, 36_000_000).Draw(t, "left"),
				Run: board.Side(rapid.IntRange(0, 2).Draw(t, "run")), Text: rapid.StringN(0, 12, -1).Draw(t, "text"), BeepMs: rapid.Int64Range(0, 20_000).Draw(t, "beep"),
			}, rapid.Int64Range(0, 3000).Draw(t, "pause"))
			given++
			results += len(w.m.Results())
		}
		bad = false
		w.set("e2", '.')
		w.run(120_000)
		results += len(w.m.Results())
		if results != given {
			t.Fatalf("%d orders were given, %d came to an end", given, results)
		}
		if got := picture(append(standing(), w.in...)); got[square("e2")] != '.' {
			t.Fatalf("moves are not read any more: %v", got)
		}
		if h := w.boards[0].Harm(); h != nil {
			t.Fatalf("the board was harmed by % X", h)
		}
	})
}

// A command to the clock whose first byte is lost is read as commands to the board: none may harm it.
func TestNoTextHarmsTheBoard(t *testing.T) {
	t.Parallel()
	for _, clock := range []emulated.ClockType{emulated.XL, emulated.DGT3000} {
		w := clocked(t, emulated.Options{Clock: clock})
		w.harm = func(to int, b []byte) []byte {
			if to >= 0 && b[0] == 0x2B && b[3] != 9 {
				return b[1:]
			}
			return b
		}
		for from := byte(' '); from < 0x7F; from += 6 {
			w.order(board.ClockOrder{Kind: board.ShowText, Text: string([]byte{from, from + 1, from + 2, from + 3, from + 4, from + 5})}, 200)
			w.run(40_000) // three times, and longer commands that were begun by chance
		}
		if h := w.boards[0].Harm(); h != nil {
			t.Errorf("the board was harmed by % X", h)
		}
	}
}
