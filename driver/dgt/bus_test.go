package dgt_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/dgt"
	emulated "github.com/boardd/boardd/driver/emulator/dgt"
	"github.com/boardd/boardd/rules"
)

// The examples of section 11.
func TestBusFrames(t *testing.T) {
	t.Parallel()
	for cmd, want := range map[byte]string{
		0x81: "81 08 01 0A", 0x82: "82 08 01 0B", 0x83: "83 08 01 0C", 0x84: "84 08 01 0D", 0x85: "85 08 01 0E", 0x86: "86 08 01 0F",
		0x87: "87 08 01 10", 0x88: "88 08 01 11", 0x89: "89 08 01 12", 0x8A: "8A 08 01 13", 0x8B: "8B 08 01 14", 0x8C: "8C 08 01 15",
		0x8D: "8D 08 01 16",
	} {
		if got := dgt.AppendBusCommand(nil, cmd, 1025); !bytes.Equal(got, unhex(t, want)) {
			t.Errorf("command %02X is % X, want %s", cmd, got, want)
		}
	}
	if got := dgt.AppendBusCommand(nil, 0x87, 0); !bytes.Equal(got, unhex(t, "87 00 00 07")) {
		t.Errorf("a ping of all is % X", got)
	}
	if got := dgt.AppendBusCommand(nil, 0x81, 0x10<<7|0x06); !bytes.Equal(got, unhex(t, "81 10 06 17")) {
		t.Errorf("the header's example is % X", got)
	}
	board := strings.TrimPrefix(startDump, "86 00 43")
	for _, c := range []struct{ frame, id, data string }{
		{"87 00 06 08 01 16", "87", ""},
		{"88 00 06 08 01 17", "88", ""},
		{"89 00 08 08 01 01 02 1D", "89", "01 02"},
		{"85 00 06 08 01 14", "85", ""},
		{"85 00 0A 08 01 40 34 41 24 71", "85", "40 34 41 24"},
		{"84 00 0D 08 01 20 03 02 20 03 01 13 76", "84", "20 03 02 20 03 01 13"},
		{"83 00 46 08 01" + board + "7C", "83", board},
	} {
		frame := unhex(t, c.frame)
		d := dgt.Decoder{Bus: true}
		var got []string
		d.Decode(0, frame, func(m dgt.Message) { got = append(got, fmt.Sprintf("%02X %d % X", m.ID, m.Address, m.Payload)) })
		if want := fmt.Sprintf("%s 1025 % X", c.id, unhex(t, c.data)); !slices.Equal(got, []string{want}) {
			t.Errorf("%s is read as %q, want %q", c.frame, got, want)
		}
		if again := dgt.AppendBusMessage(nil, frame[0], 1025, unhex(t, c.data)); !bytes.Equal(again, frame) {
			t.Errorf("%s is written as % X", c.frame, again)
		}
		frame[len(frame)-1] ^= 1
		d = dgt.Decoder{Bus: true}
		d.Decode(0, append(frame, unhex(t, "87 00 06 08 01 16")...), func(m dgt.Message) {
			if m.ID != 0x87 {
				t.Errorf("%s with a wrong sum is read", c.frame)
			}
		})
		if n := d.Counts(); n.BadSum != 1 || n.Messages != 1 {
			t.Errorf("%s with a wrong sum: %+v", c.frame, n)
		}
	}
}

// FuzzBusDecoder: no byte is unaccounted for, what comes out is a piece of the input, and cutting makes no difference.
func FuzzBusDecoder(f *testing.F) {
	f.Add(unhex(f, "87 00 06 08 01 16 85 00 0A 08 01 40 34 41 24 71"), uint(7))
	f.Add(unhex(f, "85 00 0A 06 50 12 01 40 34 6D 85 00 0A 06 50 12 01 40 34 6C"), uint(3))
	f.Add(unhex(f, "89 00 08 08 83 00 46 08 01 00 84 00 0D 08 01 20 03 02 20 03 01 13 76"), uint(9))
	f.Fuzz(func(t *testing.T, in []byte, at uint) {
		cut := int(at % uint(len(in)+1))
		whole, halves := dgt.Decoder{Bus: true}, dgt.Decoder{Bus: true}
		rest, read, n, m := in, int64(0), 0, 0
		whole.Decode(0, in, func(msg dgt.Message) {
			read += int64(msg.Length)
			raw := dgt.AppendBusMessage(nil, msg.ID, msg.Address, msg.Payload)
			i := bytes.Index(rest, raw)
			if i < 0 || len(raw) != msg.Length {
				t.Fatalf("message % X is not in the input", raw)
			}
			rest, n = rest[i+len(raw):], n+1
		})
		if got := read + whole.Counts().Garbage + int64(whole.Pending()); got != int64(len(in)) {
			t.Fatalf("%d bytes accounted for, %d came", got, len(in))
		}
		count := func(dgt.Message) { m++ }
		halves.Decode(0, in[:cut], count)
		halves.Decode(0, in[cut:], count)
		if n != m || whole.Counts() != halves.Counts() {
			t.Fatalf("cut at %d: %d messages, whole %d", cut, m, n)
		}
	})
}

func TestBusStartUp(t *testing.T) {
	t.Parallel()
	for _, address := range []int{0, 1025} {
		w := newWire(t, dgt.New(dgt.Options{Bus: true, Address: address}), emulated.New(emulated.Options{Clock: emulated.XL}))
		w.run(4000)
		if got := w.said(); got != "online:true "+startPicture {
			t.Errorf("address %d: said %s", address, got)
		}
		if i := w.m.Info(); i.BusAddress != 1025 || i.Serial != "01025" || i.Major != 1 || i.Minor != 8 || i.Garbage != 0 {
			t.Errorf("address %d: %+v", address, i)
		}
		want := "870000078A080113870000078B080114"
		if address != 0 {
			want = "870801108B080114"
		}
		if got := strings.Join(w.out, ""); !strings.HasPrefix(got, want) {
			t.Errorf("address %d: wrote %s", address, got)
		}
		w.play("e2e4P", "e7e5p")
		if got := w.said(); got != "e2=. e4=P e7=. e5=p" {
			t.Errorf("address %d: said %s", address, got)
		}
	}
}

// A board that another program has left in single-board mode takes no notice of the first question.
func TestBusStartUpOfABoardInSingleMode(t *testing.T) {
	t.Parallel()
	w := newWire(t, nil, emulated.New(emulated.Options{}))
	w.board(0, []byte{0x4B})
	w.m = dgt.New(dgt.Options{Bus: true, Address: 1025})
	w.mine = w.now + 10
	w.run(2000)
	if got := w.said(); got != "online:true "+startPicture {
		t.Errorf("said %s", got)
	}
}

func hall(n int) (boards []*emulated.Board) {
	for i := range n {
		boards = append(boards, emulated.New(emulated.Options{Serial: fmt.Sprintf("%05d", 3005-i*7)}))
	}
	return boards
}

// Several boards on one line: the lowest is taken, or the one that is named; the others are heard of, and not listened to.
func TestBusWithSeveralBoards(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ wanted, speaks, index int }{{0, 2977, 4}, {3005, 3005, 0}, {2991, 2991, 2}} {
		boards := hall(5)
		boards[0], boards[c.index] = boards[c.index], boards[0] // the one that is moved on
		w := newWire(t, dgt.New(dgt.Options{Bus: true, Address: c.wanted}), boards...)
		w.run(15_000)
		if got := w.said(); got != "online:true "+startPicture {
			t.Fatalf("wanted %d: said %s", c.wanted, got)
		}
		if i := w.m.Info(); i.BusAddress != c.speaks {
			t.Errorf("wanted %d: speaks with %d", c.wanted, i.BusAddress)
		}
		if n := strings.Join(w.m.Notes(), " "); (c.wanted == 0) != strings.Contains(n, "[2977 2984 2991 2998 3005]") {
			t.Errorf("wanted %d: notes %s", c.wanted, n)
		}
		w.boards[1].Set(0, '.')
		w.board(1, nil)
		w.play("d2d4P")
		if got := w.said(); got != "d2=. d4=P" {
			t.Errorf("wanted %d: said %s", c.wanted, got)
		}
	}
}

// An answer with changes that is lost is asked for again: asking anew would lose the changes.
func TestBusChangesAreRepeated(t *testing.T) {
	t.Parallel()
	for model := range emulated.Newer + 1 {
		w := newWire(t, dgt.New(dgt.Options{Bus: true, Address: 1025}), emulated.New(emulated.Options{Model: model}))
		w.run(3000)
		w.said()
		lose := 0
		w.harm = func(to int, b []byte) []byte {
			if to < 0 && lose > 0 && (b[0] == 0x85 || b[0] == 0x8B) {
				lose--
				return b[1:]
			}
			return b
		}
		for _, move := range []string{"e2e4P", "e7e5p", "g1f3N", "b8c6n"} {
			w.set(move[:2], '.')
			lose = 2
			w.run(450)
			w.set(move[2:4], board.Symbol(move[4]))
			w.run(450)
		}
		w.run(1500)
		if got := w.said(); got != "e2=. e4=P e7=. e5=p g1=. f3=N b8=. c6=n" {
			t.Errorf("model %d: said %s", model, got)
		}
		if !slices.Contains(w.out, "8408010D") {
			t.Errorf("model %d: no answer was asked for again", model)
		}
	}
}

func TestBusClock(t *testing.T) {
	t.Parallel()
	w := newWire(t, dgt.New(dgt.Options{Bus: true}), emulated.New(emulated.Options{Clock: emulated.XL}))
	w.boards[0].SetTimes(182_000, 182_000, 2000)
	w.boards[0].StartStop()
	w.run(6000)
	w.boards[0].Press(board.Left)
	w.in = nil
	w.run(1000)
	if r := w.last(); r.Running != board.Right || r.Lever != board.Right || r.LeftMs < 170_000 || r.RightMs < 180_000 {
		t.Errorf("after the press the clock says %+v", r)
	}
}

func TestBusLossAndReturn(t *testing.T) {
	t.Parallel()
	w := newWire(t, dgt.New(dgt.Options{Bus: true}), emulated.New(emulated.Options{}))
	w.run(4000)
	w.said()
	w.harm = func(int, []byte) []byte { return nil }
	w.run(11_000)
	if got := w.said(); got != "online:false" {
		t.Errorf("said %s", got)
	}
	w.harm = nil
	w.set("e2", '.')
	w.run(8000)
	if got := w.said(); got != "online:true e2=. "+strings.Replace(startPicture, "PPPPPPPP", "PPPP.PPP", 1) {
		t.Errorf("said %s", got)
	}
}

// SE-23: an answer whose sum is wrong is not read, and asked for again.
func TestBusAnswerWithAWrongSum(t *testing.T) {
	t.Parallel()
	bad, good := unhex(t, "85 00 0A 06 50 12 01 40 34 6D"), unhex(t, "85 00 0A 06 50 12 01 40 34 6C")
	m := dgt.NewRaw(dgt.Options{Bus: true, Address: 848})
	if in, _, _ := m.Step(1, bad); in != nil {
		t.Errorf("said %+v", in)
	}
	in, _, _ := m.Step(2, good)
	if len(in) != 2 || show(in[1]) != "e2=.@2" {
		t.Errorf("said %+v", in)
	}
	if i := m.Info(); i.BadSum != 1 || i.Messages != 1 {
		t.Errorf("%+v", i)
	}
	w := newWire(t, dgt.New(dgt.Options{Bus: true}), emulated.New(emulated.Options{Serial: "00848"}))
	w.run(4000)
	w.said()
	w.out = nil
	once := true
	w.harm = func(to int, b []byte) []byte {
		if n := len(b); to < 0 && once && n > 6 && b[0] == 0x85 {
			once = false
			b[n-1] ^= 1
		}
		return b
	}
	w.set("e2", '.')
	w.run(1000)
	if got := w.said(); got != "e2=." || once || !slices.Contains(w.out, "8406505A") {
		t.Errorf("said %s, wrote %v", got, w.out)
	}
}

func TestBusRaw(t *testing.T) {
	t.Parallel()
	m := dgt.NewRaw(dgt.Options{Bus: true})
	var in []string
	for _, frame := range []string{
		"87 00 06 08 02 17", "83 00 46 08 01" + strings.TrimPrefix(startDump, "86 00 43") + "7C", "85 00 0A 08 01 40 34 41 24 71",
		"84 00 0D 08 01 20 03 02 20 03 01 13 76", "85 00 06 08 02 15",
	} {
		inputs, out, wake := m.Step(5, unhex(t, frame))
		if out != nil || wake != 0 {
			t.Errorf("%s: a recording is answered with % X, wake %d", frame, out, wake)
		}
		for _, i := range inputs {
			in = append(in, show(i))
		}
	}
	if got := strings.Join(in, " "); got != "online:true@5 "+startPicture+"@5 e2=.@5 e4=P@5 clock:181000/182000/2/2/0@5" {
		t.Errorf("said %s", got)
	}
}

// Whatever is lost on the way and whatever hands do: when all is quiet the picture is the board's, in both modes.
func TestHalfAFrameDoesNoHarm(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		onBus := rapid.Bool().Draw(t, "bus")
		model := emulated.Model(rapid.IntRange(0, 3).Draw(t, "model"))
		w := newWire(t, dgt.New(dgt.Options{Bus: onBus}), emulated.New(emulated.Options{Model: model, Clock: emulated.ClockType(rapid.IntRange(0, 2).Draw(t, "clock"))}))
		chance := rapid.IntRange(2, 30).Draw(t, "one in so many is cut")
		bad := true
		w.harm = func(_ int, b []byte) []byte {
			if bad && len(b) > 0 && rapid.IntRange(1, chance).Draw(t, "chance") == 1 {
				from := rapid.IntRange(0, len(b)-1).Draw(t, "from")
				return slices.Delete(slices.Clone(b), from, rapid.IntRange(from+1, len(b)).Draw(t, "to"))
			}
			return b
		}
		stands, _ := board.ParsePicture(startPicture, board.PieceAcuity)
		var all []board.Input
		for range rapid.IntRange(1, 25).Draw(t, "changes") {
			s := rapid.IntRange(0, 63).Draw(t, "square")
			stands[s] = board.Symbol(rapid.SampledFrom([]byte(".PRNBKQprnbkq")).Draw(t, "man"))
			w.boards[0].Set(rules.Square(s), stands[s])
			w.board(0, nil)
			switch rapid.IntRange(0, 3).Draw(t, "besides") {
			case 0:
				w.m.Clock(board.ClockOrder{Kind: board.ShowText, Text: rapid.StringOfN(rapid.RuneFrom([]rune("ABCDEFGHIJKLMNOPQRSTUVWXYZnqst 18=")), 0, 11, -1).Draw(t, "text")})
			case 1:
				w.m.Light(frame(rules.Square(s).String() + " a1 e4"))
			}
			w.machine(nil)
			w.run(rapid.Int64Range(1, 900).Draw(t, "gap"))
		}
		bad = false
		w.run(40_000)
		all = w.in
		if got := picture(all); got != stands {
			t.Fatalf("the machine says\n%v, the board shows\n%v\nwrote %v\ninfo %+v", got, stands, w.out, w.m.Info())
		}
		if h := w.boards[0].Harm(); h != nil {
			t.Fatalf("the board was harmed by % X", h)
		}
	})
}
