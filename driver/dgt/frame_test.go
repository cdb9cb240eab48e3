package dgt_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/driver/dgt"
)

const startDump = "86 00 43 08 09 0A 0C 0B 0A 09 08 07 07 07 07 07 07 07 07" +
	"00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00" +
	"01 01 01 01 01 01 01 01 02 03 04 06 05 04 03 02"

// log is a dump of the board's memory, as a stray byte 49 starts it.
func log() []byte {
	return dgt.AppendMessage(nil, dgt.EEMoves, append(bytes.Repeat([]byte{0x7F}, 0x1EFF), 0x6B))
}

func TestDecoder(t *testing.T) {
	t.Parallel()
	dump := unhex(t, startDump)
	for _, c := range []struct {
		name   string
		in     []byte
		want   []string
		counts dgt.Counts
	}{
		{"version", unhex(t, "93 00 05 01 08"), []string{"93 5 01 08"}, dgt.Counts{Messages: 1}},
		{"serial", unhex(t, "91 00 08 30 31 30 32 35"), []string{"91 8 30 31 30 32 35"}, dgt.Counts{Messages: 1}},
		{"long serial", unhex(t, "A2 00 0D 33 30 30 30 31 34 37 37 34 30"), []string{"a2 13 33 30 30 30 31 34 37 37 34 30"}, dgt.Counts{Messages: 1}},
		{"bus address", unhex(t, "90 00 05 08 01"), []string{"90 5 08 01"}, dgt.Counts{Messages: 1}},
		{"battery", unhex(t, "A0 00 0C 64 7F 7F 00 00 00 00 00 00"), []string{"a0 12 64 7f 7f 00 00 00 00 00 00"}, dgt.Counts{Messages: 1}},
		{"hardware version", unhex(t, "96 00 05 01 00"), []string{"96 5 01 00"}, dgt.Counts{Messages: 1}},
		{"trademark", dgt.AppendMessage(nil, dgt.Trademark, []byte("board")), []string{"92 8 62 6f 61 72 64"}, dgt.Counts{Messages: 1}},
		{"longest trademark", dgt.AppendMessage(nil, dgt.Trademark, bytes.Repeat([]byte{1}, 253)),
			[]string{"92 256 " + strings.TrimSuffix(strings.Repeat("01 ", 253), " ")}, dgt.Counts{Messages: 1}},
		{"trademark too long", dgt.AppendMessage(nil, dgt.Trademark, bytes.Repeat([]byte{1}, 254)), nil,
			dgt.Counts{Garbage: 257, BadLength: 1}},
		{"update", unhex(t, "8E 00 05 34 00 8E 00 05 24 01"), []string{"8e 5 34 00", "8e 5 24 01"}, dgt.Counts{Messages: 2}},
		{"the log", slices.Concat(log(), unhex(t, "8E 00 05 34 00")), []string{"8f 7939 " + strings.Repeat("7f ", 0x1EFF) + "6b", "8e 5 34 00"}, dgt.Counts{Messages: 2}},
		{"the log is broken off", slices.Concat(log()[:1000], unhex(t, "8E 00 05 34 00")), []string{"8e 5 34 00"},
			dgt.Counts{Messages: 1, Garbage: 1000, Dropped: 1}},
		{"a log of another length", unhex(t, "8F 10 00 01 02 03 8E 00 05 34 00"), []string{"8e 5 34 00"},
			dgt.Counts{Messages: 1, Garbage: 6, BadLength: 1}},
		{"noise before", unhex(t, "00 11 13 8E 00 05 34 00"), []string{"8e 5 34 00"}, dgt.Counts{Messages: 1, Garbage: 3}},
		{"a dump lost a byte", slices.Concat(dump[:40], dump[41:], unhex(t, "8E 00 05 34 00 8E 00 05 24 01")),
			[]string{"8e 5 34 00", "8e 5 24 01"}, dgt.Counts{Messages: 2, Garbage: 66, Dropped: 1}},
		{"header instead of the first length byte", unhex(t, "8E 8E 00 05 34 00"), []string{"8e 5 34 00"},
			dgt.Counts{Messages: 1, Garbage: 1, Dropped: 1}},
		{"header instead of the second length byte", unhex(t, "8E 00 8E 00 05 34 00"), []string{"8e 5 34 00"},
			dgt.Counts{Messages: 1, Garbage: 2, Dropped: 1}},
		{"header in the payload", unhex(t, "8E 00 05 34 8E 00 05 34 00"), []string{"8e 5 34 00"},
			dgt.Counts{Messages: 1, Garbage: 4, Dropped: 1}},
		{"length 3", unhex(t, "92 00 03 8E 00 05 34 00"), []string{"8e 5 34 00"}, dgt.Counts{Messages: 1, Garbage: 3, BadLength: 1}},
		{"length 0", unhex(t, "8E 00 00 8E 00 05 34 00"), []string{"8e 5 34 00"}, dgt.Counts{Messages: 1, Garbage: 3, BadLength: 1}},
		{"update of 6", unhex(t, "8E 00 06 34 00 01 8E 00 05 34 00"), []string{"8e 5 34 00"}, dgt.Counts{Messages: 1, Garbage: 6, BadLength: 1}},
		{"clock of 9", unhex(t, "8D 00 09 20 03 02 20 03 02"), nil, dgt.Counts{Garbage: 9, BadLength: 1}},
		{"battery of 7 bytes does not exist", unhex(t, "A0 00 07 64 7F 7F 00"), nil, dgt.Counts{Garbage: 7, BadLength: 1}},
		{"draughts dump", dgt.AppendMessage(nil, dgt.BoardDump, make([]byte, 100)),
			[]string{"86 103 " + strings.TrimSuffix(strings.Repeat("00 ", 100), " ")}, dgt.Counts{Messages: 1}},
		{"unknown id", unhex(t, "A7 00 05 01 02"), []string{"a7 5 01 02"}, dgt.Counts{Messages: 1}},
		{"unknown id, 101 bytes", dgt.AppendMessage(nil, 0xA7, make([]byte, 101)), nil, dgt.Counts{Garbage: 104, BadLength: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var d dgt.Decoder
			if got := decode(&d, c.in); !slices.Equal(got, c.want) {
				t.Errorf("messages %q, want %q", got, c.want)
			}
			if d.Counts() != c.counts {
				t.Errorf("counts %+v, want %+v", d.Counts(), c.counts)
			}
		})
	}
}

// A message whose bytes come late is a message still, and counted; one whose rest is lost ends at the next header, as ever.
func TestDecoderPause(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		pause int64
		rest  string
		want  dgt.Counts
	}{
		{"500 ms are nothing special", 500, "00 8E 00 05 24 01", dgt.Counts{Messages: 2}},
		{"501 ms are", 501, "00 8E 00 05 24 01", dgt.Counts{Messages: 2, Late: 1}},
		{"the rest is lost", 501, "8E 00 05 24 01", dgt.Counts{Messages: 1, Garbage: 4, Dropped: 1}},
	} {
		d := dgt.Decoder{Pause: 500}
		emit := func(dgt.Message) {}
		d.Decode(1000, unhex(t, "8E 00 05 34"), emit)
		d.Decode(1000+c.pause, nil, emit)
		d.Decode(1000+c.pause, unhex(t, c.rest), emit)
		if d.Counts() != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, d.Counts(), c.want)
		}
	}
}

// FuzzDecoder: no panic, no byte unaccounted for, the same messages however the bytes are cut, and each message is a
// piece of the input, in order.
func FuzzDecoder(f *testing.F) {
	f.Add(unhex(f, "8E 00 05 34 00 8E 00 05 24 01"), uint(4))
	f.Add(unhex(f, startDump), uint(1))
	f.Add(unhex(f, "86 00 43 08 09 8D 00 0A 20 03 02 20 03 02 08"), uint(7))
	f.Add(log()[:300], uint(200))
	f.Add(unhex(f, "92 02 00 8F 3E 03 A0 00 0C 90 91"), uint(2))
	f.Fuzz(func(t *testing.T, in []byte, at uint) {
		cut := int(at % uint(len(in)+1))
		var whole, halves, single dgt.Decoder
		rest, sum := in, int64(0)
		whole.Decode(0, in, func(m dgt.Message) {
			sum += int64(m.Length)
			raw := dgt.AppendMessage(nil, m.ID, m.Payload)
			i := bytes.Index(rest, raw)
			if i < 0 || len(raw) != m.Length {
				t.Fatalf("message % x is not in the input", raw)
			}
			rest = rest[i+len(raw):]
		})
		if got := sum + whole.Counts().Garbage + int64(whole.Pending()); got != int64(len(in)) {
			t.Fatalf("%d bytes accounted for, %d came: %+v", got, len(in), whole.Counts())
		}
		var again dgt.Decoder
		want := decode(&again, in)
		if got := decode(&halves, in[:cut], in[cut:]); !slices.Equal(got, want) {
			t.Fatalf("cut at %d: %q, want %q", cut, got, want)
		}
		var bs [][]byte
		for i := range in {
			bs = append(bs, in[i:i+1])
		}
		if got := decode(&single, bs...); !slices.Equal(got, want) {
			t.Fatalf("byte by byte: %q, want %q", got, want)
		}
		if single.Counts() != whole.Counts() || halves.Counts() != whole.Counts() {
			t.Fatalf("counts differ: %+v %+v %+v", whole.Counts(), halves.Counts(), single.Counts())
		}
	})
}
