package dgt_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/dgt"
)

// hands is a board whose squares change at random times. Its dumps show it as it was up to a scan ago.
type hands struct {
	changes []change // by time
}

type change struct {
	at          int64
	field, code byte
}

func (h hands) dump(at int64) []byte {
	d := make([]byte, 64)
	for _, c := range h.changes {
		if c.at <= at {
			d[c.field] = c.code
		}
	}
	return dgt.AppendMessage(nil, dgt.BoardDump, d)
}

// Whatever the hands do and however many bytes are lost: when all is quiet the picture is the board's. And a recording
// of the bytes says the same as the live board did.
func TestThePictureComesRight(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var h hands
		at := int64(3000)
		for range rapid.IntRange(1, 30).Draw(t, "changes") {
			at += rapid.Int64Range(1, 900).Draw(t, "gap")
			h.changes = append(h.changes, change{at, byte(rapid.IntRange(0, 63).Draw(t, "field")), byte(rapid.IntRange(0, 12).Draw(t, "code"))})
		}
		end := at
		loses := func() bool { return at < end && rapid.IntRange(0, 9).Draw(t, "loss") == 0 }
		damaged := func(b []byte) []byte {
			if !loses() {
				return b
			}
			i := rapid.IntRange(0, len(b)-1).Draw(t, "lost byte")
			return slices.Delete(slices.Clone(b), i, i+1)
		}

		live, raw := dgt.New(dgt.Options{}), dgt.NewRaw(dgt.Options{})
		var said, replayed []string
		var picture board.Picture
		hear := func(inputs []board.Input, to *[]string) {
			for _, in := range inputs {
				switch in.Kind {
				case board.Scan:
					picture = in.Picture
				case board.Change:
					picture[in.Square] = in.Symbol
				}
				*to = append(*to, show(in))
			}
		}
		var line []arrival
		next, wake := 0, int64(0)
		for now := int64(0); now < end+8000; now++ {
			at = now
			var in []byte
			for next < len(h.changes) && h.changes[next].at == now {
				c := h.changes[next]
				in = append(in, damaged(dgt.AppendMessage(nil, dgt.FieldUpdate, []byte{c.field, c.code}))...)
				next++
			}
			for len(line) > 0 && line[0].at <= now {
				in = append(in, line[0].bytes...)
				line = line[1:]
			}
			if len(in) == 0 && now < wake {
				continue
			}
			if len(in) > 0 {
				inputs, _, _ := raw.Step(now, in)
				hear(inputs, &replayed)
			}
			inputs, out, w := live.Step(now, in)
			hear(inputs, &said)
			wake = w
			for _, cmd := range out {
				answer := now + rapid.Int64Range(1, 300).Draw(t, "answer")
				switch cmd {
				case 0x42:
					line = append(line, arrival{answer, damaged(h.dump(answer - rapid.Int64Range(0, 250).Draw(t, "scan")))})
				case 0x45:
					line = append(line, arrival{answer, dgt.AppendMessage(nil, dgt.Serial, []byte("01025"))})
				case 0x4D:
					line = append(line, arrival{answer, dgt.AppendMessage(nil, dgt.Version, []byte{1, 8})})
				}
				slices.SortStableFunc(line, func(a, b arrival) int { return int(a.at - b.at) })
			}
		}
		for field, code := range h.dump(end)[3:] {
			if s, _, _ := dgt.SymbolOf(code); picture[dgt.SquareOf(byte(field))] != s {
				t.Fatalf("%v shows %c, the board has %c\n%v", dgt.SquareOf(byte(field)), picture[dgt.SquareOf(byte(field))], s, said)
			}
		}
		if !slices.Equal(said, replayed) {
			t.Fatalf("live\n%q\nrecorded\n%q", said, replayed)
		}
	})
}

func TestSquaresAndFields(t *testing.T) {
	t.Parallel()
	for field, name := range map[byte]string{0: "a8", 7: "h8", 0x11: "b6", 0x13: "d6", 0x34: "e2", 56: "a1", 63: "h1", 64: "-", 255: "-"} {
		if got := dgt.SquareOf(field).String(); got != name {
			t.Errorf("field %d is %s, want %s", field, got, name)
		}
	}
	for f := range byte(64) {
		if got := dgt.FieldOf(dgt.SquareOf(f)); got != f {
			t.Errorf("field %d comes back as %d", f, got)
		}
	}
}
