package dgt_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/driver/dgt"
)

func TestDecodeClock(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, bytes, want string }{
		{"3:02 both, stopped", "20 03 02 20 03 02 08", "left 182000 right 182000 running - lever left flag -"},
		{"started", "20 03 02 20 03 02 09", "left 182000 right 182000 running left lever left flag -"},
		{"left runs down", "20 03 02 20 02 59 09", "left 179000 right 182000 running left lever left flag -"},
		{"White pressed", "20 03 02 20 03 01 13", "left 181000 right 182000 running right lever right flag -"},
		{"Black pressed", "20 03 03 20 03 01 09", "left 181000 right 183000 running left lever left flag -"},
		{"one second left", "20 00 01 20 00 16 13", "left 16000 right 1000 running right lever right flag -"},
		{"right fell, the clock stopped", "30 00 00 20 00 16 12", "left 16000 right 0 running - lever right flag right"},
		{"left fell", "00 00 16 10 00 00 08", "left 0 right 16000 running - lever left flag left"},
		{"both fell", "10 00 00 10 00 00 08", "left 0 right 0 running - lever left flag both"},
		{"flag shown for the next period only", "41 00 00 01 00 00 09", "left 3600000 right 3600000 running left lever left flag -"},
		{"9:59:59", "09 59 59 09 59 59 09", "left 35999000 right 35999000 running left lever left flag -"},
		{"clock battery low", "20 03 02 20 03 02 0D", "left 182000 right 182000 running left lever left flag - battery low"},
		{"runs without saying who", "20 03 02 20 03 02 03", "left 182000 right 182000 running right lever right flag -"},
		{"no clock", "00 00 00 00 00 00 20", "no clock"},
		{"no clock, times of old", "20 03 02 20 03 02 28", "no clock"},
		{"all zero", "00 00 00 00 00 00 00", "absurd"},
		{"12 hours (picochess 108)", "00 00 00 0C 08 08 08", "absurd"},
		{"60 minutes", "00 60 00 00 00 00 08", "absurd"},
		{"75 seconds", "00 00 75 00 00 00 08", "absurd"},
		{"not BCD", "00 1B 00 00 00 00 08", "absurd"},
		{"left not BCD", "00 10 00 00 00 3F 08", "absurd"},
		{"too short", "00 10 00", "absurd"},

		{"version 2.0", "0A 10 09 00 20 00 00", "ack 10 09 20 00"},
		{"version 1.2", "0A 10 09 00 12 00 00", "ack 10 09 12 00"},
		{"display done", "0A 10 01 00 00 00 00", "ack 10 01 00 00"},
		{"end done", "0A 10 03 00 00 00 00", "ack 10 03 00 00"},
		{"set-and-run done", "0A 10 0A 00 00 00 00", "ack 10 0A 00 00"},
		{"set-and-run refused", "0A 40 0A 00 00 00 00", "ack 40 0A 00 00"},
		{"beep done", "0A 10 0B 00 00 00 00", "ack 10 0B 00 00"},
		{"ascii done", "0A 10 0C 00 00 00 00", "ack 10 0C 00 00"},
		{"ready", "0A 10 01 20 00 00 00", "ack 10 81 00 00"},
		{"mode 23", "0A 10 0A 20 00 17 00", "ack 10 8A 00 17"},
		{"not in mode 23", "0A 10 10 20 00 00 00", "ack 10 90 00 00"},
		{"the error of picochess 142", "0A 20 00 00 00 00 00", "ack 20 00 00 00"},
		{"the same with the mark on both sides", "0A 20 00 0A 00 00 00", "ack 20 00 00 00"},
		{"mark on the left only", "00 10 09 0A 20 00 00", "ack 10 09 20 00"},
		{"button back", "0A 10 08 20 05 31 00", "ack 10 88 05 31"},
		{"button minus", "0A 10 08 20 21 34 00", "ack 10 88 21 34"},
		{"button run", "0A 10 08 20 11 33 00", "ack 10 88 11 33"},
		{"button plus", "0A 10 08 20 09 32 00", "ack 10 88 09 32"},
		{"button ok", "0A 10 08 20 41 35 00", "ack 10 88 41 35"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := dgt.DecodeClock(unhex(t, c.bytes)).String(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestAckMeaning(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, bytes  string
		ok, auto     bool
		major, minor byte
	}{
		{"version 1.14", "0A 10 09 00 1E 00 00", true, false, 1, 14},
		{"mode 23", "0A 10 0A 20 00 17 00", true, true, 0, 0},
		{"refused", "0A 40 0A 00 00 00 00", false, false, 0, 0},
	} {
		a := dgt.DecodeClock(unhex(t, c.bytes)).Ack
		major, minor, has := a.ClockVersion()
		if a.OK() != c.ok || a.Auto() != c.auto || has != (c.major > 0) || has && (major != c.major || minor != c.minor) {
			t.Errorf("%s: ok %v auto %v version %v %d.%d", c.name, a.OK(), a.Auto(), has, major, minor)
		}
	}
}

// Every ack that the documented encoding can write is read back, with the mark on one side or on both.
func TestAckRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var a dgt.Ack
		for i := range a {
			a[i] = rapid.Byte().Draw(t, "ack")
		}
		right, left := a[2]&0x80>>3|a[3]&0x80>>2|0x0A, a[0]&0x80>>3|a[1]&0x80>>2
		if rapid.Bool().Draw(t, "both") {
			left |= 0x0A
		}
		got := dgt.DecodeClock([]byte{right, a[0] & 0x7F, a[1] & 0x7F, left, a[2] & 0x7F, a[3] & 0x7F, 0})
		if got.Kind != dgt.Acknowledged || got.Ack != a {
			t.Fatalf("%v read as %v", a, got)
		}
	})
}

// Every time a clock can show is read as that time.
func TestClockTimes(t *testing.T) {
	t.Parallel()
	bcd := func(v int) byte { return byte(v/10<<4 | v%10) }
	rapid.Check(t, func(t *rapid.T) {
		var p [7]byte
		var want [2]int64
		for side := range 2 {
			h, m, s := rapid.IntRange(0, 9).Draw(t, "h"), rapid.IntRange(0, 59).Draw(t, "m"), rapid.IntRange(0, 59).Draw(t, "s")
			copy(p[side*3:], []byte{byte(h) | 0x20, bcd(m), bcd(s)})
			want[side] = int64((h*60+m)*60+s) * 1000
		}
		p[6] = 0x09
		r := dgt.DecodeClock(p[:]).Reading
		if r.RightMs != want[0] || r.LeftMs != want[1] {
			t.Fatalf("% x read as left %d right %d", p, r.LeftMs, r.RightMs)
		}
	})
}
