package dgt_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/emulator/dgt"
)

// tags are the men of the start position as the log has them.
func tags(t *testing.T) (s string) {
	t.Helper()
	for f, c := range unhex(t, strings.TrimPrefix(startDump, "86 00 43")) {
		if c != 0 {
			s += fmt.Sprintf(" %02X %02X", 0x40|c, f)
		}
	}
	return s
}

// logOf asks for the log and gives what is in it, without what fills it.
func logOf(r *rig) string {
	r.t.Helper()
	began := r.now
	got := r.ask("49", 8400)
	all := unhex(r.t, got)
	if len(all) != 7939 || !bytes.Equal(all[:3], []byte{0x8F, 0x3E, 0x03}) || all[len(all)-1] != 0x6B {
		r.t.Fatalf("%d bytes, % X ... % X", len(all), all[:min(3, len(all))], all[max(0, len(all)-1):])
	}
	if r.now-began < 8200 {
		r.t.Errorf("the log takes %d ms", r.now-began)
	}
	return fmt.Sprintf("% X", bytes.TrimLeft(all[3:], "\x7F"))
}

// Section 12: power, men, start, moves with and without a pause, the time of the clock that stops.
func TestLog(t *testing.T) {
	t.Parallel()
	r := newRig(t, dgt.Options{Clock: dgt.XL})
	r.b.SetTimes(181_000, 180_000, 0)
	r.b.StartStop()
	r.step(nil)
	r.set("e2", '.')
	r.run(200)
	r.set("e4", 'P')
	r.run(300)
	r.b.Press(board.Left)
	r.run(300)
	r.set("e7", '.')
	r.run(500)
	r.set("e5", 'p')
	r.run(500)
	r.b.Press(board.Right)
	r.run(100)
	want := "6A" + tags(t) + " 6F 40 34 51 24 70 03 01 40 0C 47 1C 60 02 59 6B"
	if got := logOf(r); got != want {
		t.Errorf("the log is\n%s\nwant\n%s", got, want)
	}
	if got, want := logOf(r), strings.TrimSuffix(want, "6B")+"6E 6B"; got != want {
		t.Errorf("sent again the log is\n%s\nwant\n%s", got, want)
	}
	r.b.Restart()
	r.run(100)
	if got := logOf(r); !strings.Contains(got, "6E 6E 7F 7F 7F 6A 48 00") {
		t.Errorf("after a restart the log is\n%s", got)
	}
}

func TestLogOfPositions(t *testing.T) {
	t.Parallel()
	r := newRig(t, dgt.Options{})
	read := func(put string) string {
		t.Helper()
		r.ask("83 08 01 0C", 500)
		r.put(put)
		r.run(700)
		b := unhex(t, r.ask("83 08 01 0C", 500))
		return fmt.Sprintf("%X", b[len(b)-2])
	}
	picture, _ := board.ParsePicture(start, board.PieceAcuity)
	for _, c := range []struct{ name, put, want string }{
		{"a queen is away", strings.Replace(start, "Q", ".", 1), "3B"},
		{"back: too few had left", start, "3B"},
		{"nothing", board.EmptyPicture().String(), "6D"},
		{"start", start, "6F"},
		{"turned", picture.Turned().String(), "7A"},
		{"nothing again", board.EmptyPicture().String(), "6D"},
		{"bishops and knights exchanged", strings.NewReplacer("nbqkbn", "bnqknb", "NBQKBN", "BNQKNB").Replace(start), "6C"},
	} {
		if got := read(c.put); got != c.want {
			t.Errorf("%s: the last tag is %s, want %s", c.name, got, c.want)
		}
	}
}

// A man that flickers changes the last tag.
func TestLogOfAFlicker(t *testing.T) {
	t.Parallel()
	r := newRig(t, dgt.Options{ScanMs: 64})
	r.ask("83 08 01 0C", 500)
	for _, c := range "..P.P.P" {
		r.set("e2", board.Symbol(c))
		r.run(100)
	}
	r.want("83 08 01 0C", "85 00 08 08 01 41 34 0B")
}

// While the log is sent nothing else happens: changes are seen afterwards, and ten commands are kept.
func TestNothingElseHappensWhileTheLogIsSent(t *testing.T) {
	t.Parallel()
	r := newRig(t, dgt.Options{})
	r.ask("44", 100)
	r.out = nil
	r.step([]byte{0x49})
	r.run(1000)
	r.set("e2", '.')
	r.run(1000)
	r.set("e4", 'P')
	r.step(slices.Repeat([]byte{0x4D}, 11))
	r.run(8000)
	want := " 8E 00 05 24 01 8E 00 05 34 00"
	got := fmt.Sprintf(" % X", r.out[7939:])
	if n := strings.Count(got, " 93 00 05 01 08"); n != 10 || strings.ReplaceAll(got, " 93 00 05 01 08", "") != want {
		t.Errorf("after the log: %d versions, %s", n, got)
	}
}

// A tag that was told stays as it is, and what the square says next is told too.
func TestLogOfAFlickerThatWasTold(t *testing.T) {
	t.Parallel()
	r := newRig(t, dgt.Options{ScanMs: 64})
	r.ask("83 08 01 0C", 500)
	r.set("e2", '.')
	r.run(70)
	if got := r.ask("83 08 01 0C", 60); got != "85 00 08 08 01 40 34 0A" {
		t.Errorf("lifted: %s", got)
	}
	r.set("e2", 'P')
	r.run(70)
	r.want("83 08 01 0C", "85 00 08 08 01 51 34 1B")
}
