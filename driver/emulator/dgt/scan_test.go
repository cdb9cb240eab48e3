package dgt_test

import (
	"fmt"
	"strings"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/emulator/dgt"
	"github.com/boardd/boardd/rules"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Section 6: what a scan makes of what hands do. The scan is at a8 at 1000 ms and looks at 64 squares in 64 ms.
func TestScan(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, hands, want string }{
		{"a quiet move", "10 e2. 200 e4P", "34 00, 24 01"},
		{"set down before it is seen lifted", "1 e2. 2 e4P", "24 01, 34 00"},
		{"between the two squares", "40 e2. 1 e4P", "34 00, 24 01"},
		{"capture, the victim lifted first", "1 c6. 200 b5. 200 c6B", "12 00, 19 00, 12 04"},
		{"capture by pushing", "1 c6. 1 d7. 1 c6p", "0B 00, 12 07"},
		{"castling with both hands", "1 e1. 0 h1. 10 g1K 0 f1R", "3C 00, 3D 02, 3E 05, 3F 00"},
		{"a man slid over a square", "1 d2. 200 d3P 100 d3. 100 d4P", "33 00, 2B 01, 2B 00, 23 01"},
		{"a queen slid from c1 takes on c4", "1 c4. 0 c2Q 63 c3Q 0 c1. 64 c2. 64 c4Q 0 c3.", "22 00, 32 06, 2A 06, 3A 00, 32 00, 22 06, 2A 00"},
		{"up and down within a scan", "54 e2. 30 e2P", ""},
		{"a man that the board does not know", "1 e2?", "34 00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, dgt.Options{ScanMs: 64})
			r.set("c4", 'b')
			r.set("c6", 'n')
			r.set("b5", 'B')
			r.ask("44", 280) // a whole number of scans
			r.out = nil
			words := strings.Fields(c.hands)
			for len(words) > 0 {
				var ms int64
				if _, err := fmt.Sscan(words[0], &ms); err == nil {
					if ms > 0 {
						r.run(ms)
					}
					words = words[1:]
				}
				r.set(words[0][:2], board.Symbol(words[0][2]))
				words = words[1:]
			}
			r.run(300)
			want := ""
			if c.want != "" {
				want = "8E 00 05 " + strings.ReplaceAll(c.want, ", ", " 8E 00 05 ")
			}
			if got := fmt.Sprintf("% X", r.out); got != want {
				t.Errorf("%s: said\n%s\nwant\n%s", c.hands, got, want)
			}
		})
	}
}

// A Bluetooth board is slower.
func TestABluetoothBoardScansAtHalfTheSpeed(t *testing.T) {
	t.Parallel()
	for model, most := range map[dgt.Model]int64{dgt.USB: 206, dgt.Bluetooth: 406} {
		r := newRig(t, dgt.Options{Model: model})
		r.ask("44", 100)
		longest := int64(0)
		for n := range int64(50) {
			r.run(37)
			r.out = nil
			r.set("e2", board.Symbol("P."[1-n%2]))
			at := r.now
			for len(r.out) < 5 {
				r.run(1)
				if r.now-at > 1000 {
					t.Fatal("a change is not said")
				}
			}
			longest = max(longest, r.now-at)
		}
		if longest > most || longest < most*3/4 {
			t.Errorf("model %d: the longest wait was %d ms, the page says %d", model, longest, most)
		}
	}
}

// Whatever is done and asked, and however the bytes are cut: no panic, wakes are later, every byte out belongs to a
// message, and in the end the dump is what stands there.
func TestTheDumpComesRight(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := dgt.New(dgt.Options{
			Model: dgt.Model(rapid.IntRange(0, 3).Draw(t, "model")),
			Clock: dgt.ClockType(rapid.IntRange(0, 2).Draw(t, "clock")),
		})
		now, wake := int64(0), int64(0)
		var out []byte
		step := func(in []byte) {
			o, w := b.Step(now, in)
			if w != 0 && w <= now {
				t.Fatalf("at %d: wake %d", now, w)
			}
			out, wake = append(out, o...), w
		}
		run := func(ms int64) {
			for end := now + ms; now < end; {
				if now = end; wake != 0 && wake < end {
					now = wake
				}
				step(nil)
			}
		}
		var stands [64]board.Symbol
		for s := range stands {
			stands[s] = board.Empty
		}
		for range rapid.IntRange(1, 40).Draw(t, "things") {
			switch rapid.IntRange(0, 5).Draw(t, "what") {
			case 0, 1:
				s := rules.Square(rapid.IntRange(0, 63).Draw(t, "square"))
				stands[s] = board.Symbol(rapid.SampledFrom([]byte(".PNBRQKpnbrqk")).Draw(t, "man"))
				b.Set(s, stands[s])
			case 2:
				step(rapid.SliceOfN(rapid.Byte(), 1, 12).Draw(t, "bytes"))
			case 3:
				step([]byte{rapid.SampledFrom([]byte{0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x4B, 0x55}).Draw(t, "command")})
			case 4:
				b.Push(dgt.Button(rapid.IntRange(0, 4).Draw(t, "button")))
			default:
				b.Press(board.Side(rapid.IntRange(1, 2).Draw(t, "side")))
			}
			run(rapid.Int64Range(0, 500).Draw(t, "pause"))
		}
		run(20_000)             // a log may be under way
		step(make([]byte, 260)) // the rest of a command that was never finished
		step([]byte{0x40})
		run(10_000)
		out = nil
		step([]byte{0x42})
		run(200)
		if len(out) != 67 || out[0] != 0x86 {
			t.Fatalf("a dump was asked for and this came: % x", out)
		}
		for s, want := range stands {
			if got := board.Symbol(".PRNBKQprnbkq"[out[3+(s^56)]]); got != want {
				t.Fatalf("%v is %c in the dump, %c stands there", rules.Square(s), got, want)
			}
		}
	})
}

// Section 10. A plain board has none.
func TestLights(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		long     string
		commands string
		want     string
	}{
		{"e2-e4", "", "60 04 01 34 24 00", "e2 e4"},
		{"two pairs", "", "60 04 01 34 24 00 60 04 01 38 38 00", "a1 e2 e4"},
		{"one pair off", "", "60 04 01 34 24 00 60 04 01 38 3F 00 60 04 00 34 3F 00", "a1 e4"},
		{"all off", "", "60 04 01 34 24 00 60 04 00 40 40 00", ""},
		{"all off, the old way", "", "60 04 01 34 24 00 60 04 00 00 3F 00", ""},
		{"an old program does not switch off", "3.21000000", "60 04 01 34 24 00 60 04 00 40 40 00", "e2 e4"},
		{"short form, on", "", "60 02 01 00 60 04 00 34 24 00", "62"},
		{"short form, off", "", "60 04 01 34 24 00 60 02 00 00", ""},
		{"no square", "", "60 04 01 34 7F 00", "e2"},
		{"without an end", "", "60 04 01 34 24 01", ""},
	} {
		r := newRig(t, dgt.Options{Model: dgt.RevelationII, LongSerial: c.long})
		r.want(c.commands, "")
		got := lit(r)
		if n := len(strings.Fields(got)); n > 10 {
			got = fmt.Sprint(n)
		}
		if got != c.want {
			t.Errorf("%s: lit are %q, want %q", c.name, got, c.want)
		}
		r.want("4D", "93 00 05 01 08")
	}
	r := newRig(t, dgt.Options{})
	r.ask("60 04 01 34 24 00", 10)
	if got := lit(r); got != "" {
		t.Errorf("a plain board shows %q", got)
	}
}

func lit(r *rig) string {
	var s []string
	for sq, c := range r.b.Lit() {
		if c != (board.RGB{}) {
			s = append(s, rules.Square(sq).String())
		}
	}
	return strings.Join(s, " ")
}

func TestLightsGoOutWhenAManMovesUnlessToldNot(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{"": "", "60 04 02 01 01 00": "", "60 04 02 01 00 00": "e2 e4"} {
		r := newRig(t, dgt.Options{Model: dgt.RevelationII})
		r.ask(command+"60 04 01 34 24 00", 10)
		r.set("e2", '.')
		r.run(500)
		if got := lit(r); got != want {
			t.Errorf("after %q: lit are %q, want %q", command, got, want)
		}
	}
}

func TestHarm(t *testing.T) {
	t.Parallel()
	r := newRig(t, dgt.Options{})
	r.ask("4E 42 54", 100)
	if got := fmt.Sprintf("% X", r.b.Harm()); got != "4E 54" {
		t.Errorf("harm was done by %q", got)
	}
}
