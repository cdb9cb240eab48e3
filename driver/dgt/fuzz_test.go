package dgt_test

import (
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/dgt"
)

// FuzzDescribe: every decoder of single-board mode takes any bytes, and says something of them.
func FuzzDescribe(f *testing.F) {
	f.Add(byte(0x86), unhex(f, startDump)[3:])
	f.Add(byte(0x8D), unhex(f, "20 03 02 20 03 01 13"))
	f.Add(byte(0x8D), unhex(f, "0A 10 08 20 41 35 00"))
	f.Add(byte(0xA0), unhex(f, "64 7F 7F 00 00 00 00 00 00"))
	f.Add(byte(0x94), make([]byte, 50))
	f.Add(byte(0x8F), log()[3:])
	f.Fuzz(func(t *testing.T, id byte, payload []byte) {
		if dgt.Describe(dgt.Message{ID: id, Payload: payload}) == "" {
			t.Fatal("nothing is said")
		}
		if b, ok := dgt.DecodeBattery(payload); ok && (b.Percent < 0 || b.Percent > 100 || b.LeftMin < -1 || b.OnMin < 0 || b.StandbyMin < 0) {
			t.Fatalf("battery %+v", b)
		}
		c := dgt.DecodeClock(payload)
		if r := c.Reading; r.LeftMs < 0 || r.RightMs < 0 || r.Running > board.Right || r.Lever > board.Right || r.Flag > board.Right {
			t.Fatalf("clock %+v", c)
		}
		for _, code := range payload {
			if name, ok := dgt.DraughtsMan(code); ok && name == "" && code != 0 {
				t.Fatalf("%02X is a man without a name", code)
			}
		}
	})
}

// FuzzBusMachine: whatever comes over a bus and whenever, there is no panic, wakes are in the future, questions are whole
// commands that ask and change nothing, and one waits for its answer before the next.
func FuzzBusMachine(f *testing.F) {
	f.Add(unhex(f, "87 00 06 08 01 16 89 00 08 08 01 01 02 1D 85 00 06 08 01 14"), uint16(10))
	f.Add(unhex(f, "87 00 06 08 01 16 85 00 0A 08 01 40 34 41 24 71 84 00 0D 08 01 20 03 02 20 03 01 13 76"), uint16(90))
	f.Add(unhex(f, "8B 00 06 08 01 1A 86 00 06 08 01 15 B5 00 0F 08 01 64 7F 7F 00 00 00 00 00 00 2F"), uint16(2000))
	f.Fuzz(func(t *testing.T, in []byte, gap uint16) {
		m := dgt.New(dgt.Options{Bus: true, Address: int(gap%2) * 1025})
		m.Remember(board.EmptyPicture())
		now, wake := int64(0), int64(1)
		step := func(bytes []byte) {
			inputs, out, next := m.Step(now, bytes)
			if wake = next; wake <= now {
				t.Fatalf("at %d: wake %d", now, wake)
			}
			if len(out) > 0 {
				whole := dgt.AppendBusCommand(nil, out[0], int(out[1])<<7|int(out[2]))
				if string(whole) != string(out) || out[0] < 0x81 || out[0] == 0x85 || out[0] > 0x8B || out[0] == 0x88 || out[0] == 0x89 {
					t.Fatalf("at %d: wrote % X", now, out)
				}
			}
			for _, i := range inputs {
				if i.T != now || i.Kind == board.Change && (i.Square > 63 || !board.PieceAcuity.Valid(i.Symbol)) {
					t.Fatalf("at %d: said %+v", now, i)
				}
			}
		}
		step(nil)
		for i, b := range in {
			next := now
			if i%8 == 0 {
				next += int64(gap)
			}
			for wake <= next {
				now = wake
				step(nil)
			}
			now = next
			step([]byte{b})
		}
		for range 200 {
			now = wake
			step(nil)
		}
	})
}

// FuzzWhole: a machine with everything that can be asked of it, and any bytes; what it writes never begins with a command
// that does lasting harm.
func FuzzWhole(f *testing.F) {
	f.Add(unhex(f, "93 00 05 01 08 A2 00 0D 33 2E 32 34 30 30 30 30 30 30 8D 00 0A 20 03 02 20 03 02 08 8D 00 0A 0A 10 0A 00 00 00 00"), uint16(200), "Nf3 Qx")
	f.Add(unhex(f, "93 00 05 01 08 8D 00 0A 0A 10 09 00 20 00 00 8D 00 0A 0A 40 0C 00 00 00 00"), uint16(600), "STOP")
	f.Fuzz(func(t *testing.T, in []byte, gap uint16, text string) {
		m := dgt.New(dgt.Options{})
		m.Remember(board.EmptyPicture())
		now, wake := int64(0), int64(1)
		step := func(bytes []byte) {
			_, out, next := m.Step(now, bytes)
			if wake = next; wake <= now {
				t.Fatalf("at %d: wake %d", now, wake)
			}
			for i, c := range out {
				if c == 0x4E || c == 0x51 || c == 0x53 || c == 0x54 || c > 0x7F {
					t.Fatalf("at %d: byte %d of % X", now, i, out)
				}
			}
		}
		step(nil)
		for i, b := range in {
			next := now
			if i%8 == 0 {
				next += int64(gap)
				m.Clock(board.ClockOrder{Kind: board.OrderKind(i / 8 % 5), LeftMs: int64(gap) * 500, RightMs: int64(b) * 100_000, Run: board.Side(b % 3), Text: text, BeepMs: int64(gap)})
				var frame board.Frame
				frame[b%64].R, frame[5].B = 1, b
				m.Light(frame)
			}
			for wake <= next {
				now = wake
				step(nil)
			}
			now = next
			step([]byte{b})
		}
		for range 300 {
			now = wake
			step(nil)
		}
		m.Results()
	})
}
