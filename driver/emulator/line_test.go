package emulator

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// teller is a board that writes "e4=P;" for each square that changes, and sends back what it is told in angle brackets.
type teller struct {
	men, told board.Picture
	every     int64 // writes a dot each so many milliseconds
	next      int64
	lit       board.Frame
}

func newTeller() *teller { return &teller{men: board.EmptyPicture(), told: board.EmptyPicture()} }

func (t *teller) Step(now int64, in []byte) (out []byte, wake int64) {
	if len(in) > 0 {
		out = fmt.Appendf(out, "<%s>", in)
	}
	for s := range rules.NoSquare {
		if t.men[s] != t.told[s] {
			t.told[s] = t.men[s]
			out = fmt.Appendf(out, "%s=%c;", s, t.men[s])
		}
	}
	if t.every > 0 {
		if now >= t.next {
			out = append(out, '.')
			t.next = now + t.every
		}
		wake = t.next
	}
	return out, wake
}

func (t *teller) Set(s rules.Square, what board.Symbol) { t.men[s] = what }
func (t *teller) Lit() board.Frame                      { return t.lit }

func square(name string) rules.Square {
	s, ok := rules.ParseSquare(name)
	if !ok {
		panic(name)
	}
	return s
}

// said steps a line through the times at which it wants to be woken, and gives what arrives as "time:bytes".
func said(l *Line, now int64, in string, until int64) (said []string) {
	for first := true; first || now != 0 && now <= until; first = false {
		out, wake := l.Step(now, []byte(in))
		if in = ""; len(out) > 0 {
			said = append(said, fmt.Sprintf("%d:%s", now, out))
		}
		now = wake
	}
	return said
}

func TestGoodLine(t *testing.T) {
	t.Parallel()
	l := NewLine(newTeller(), 0, 1)
	l.Set(square("e4"), 'P')
	if got := said(l, 10, "hello", 100); !slices.Equal(got, []string{"10:<hello>e4=P;"}) {
		t.Error(got)
	}
	if l.Tally() != (Tally{Bursts: 1}) {
		t.Errorf("%+v", l.Tally())
	}
}

// At 1000 baud a byte takes 10 ms, and what follows waits for it.
func TestBytesTakeTheirTime(t *testing.T) {
	t.Parallel()
	l := NewLine(newTeller(), 1000, 1)
	got := said(l, 100, "a", 115)
	if !slices.Equal(got, []string{"110:<"}) {
		t.Error(got)
	}
	got = said(l, 117, "b", 1000)
	if want := []string{"120:a", "130:>", "140:<", "150:b", "160:>"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if out, wake := l.Step(2000, []byte("c")); out != nil || wake != 2010 {
		t.Errorf("%q, %d", out, wake)
	}
	if out, _ := l.Step(9000, nil); string(out) != "<c>" {
		t.Errorf("%q", out)
	}
}

// Each fault by itself does what it says, over many bursts.
func TestEachFault(t *testing.T) {
	t.Parallel()
	const sent = "<abcdefgh>"
	for _, c := range []struct {
		name   string
		faults Faults
		count  func(Tally) int
		ok     func(got string) bool
	}{
		{"cut", Faults{Cut: 1}, func(t Tally) int { return t.Cut }, func(got string) bool {
			for at := range sent {
				for end := at + 1; end <= len(sent); end++ {
					if got == sent[:at]+sent[end:] {
						return true
					}
				}
			}
			return false
		}},
		{"twice", Faults{Twice: 1}, func(t Tally) int { return t.Twice }, func(got string) bool { return got == sent+sent }},
		{"foreign", Faults{Foreign: 1}, func(t Tally) int { return t.Foreign }, func(got string) bool {
			extra := len(got) - len(sent)
			for at := 0; at <= len(sent) && extra >= 1 && extra <= 8; at++ {
				if got[:at] == sent[:at] && got[at+extra:] == sent[at:] {
					return true
				}
			}
			return false
		}},
		{"parity", Faults{Parity: 1}, func(t Tally) int { return t.Parity / len(sent) }, func(got string) bool {
			return len(got) == len(sent) && got != sent && string(clear7([]byte(got))) == sent
		}},
		{"deaf", Faults{Deaf: 1}, func(t Tally) int { return t.Deaf }, func(got string) bool { return got == "" }},
		{"silent", Faults{Silent: true}, func(t Tally) int { return t.Deaf }, func(got string) bool { return got == "" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := NewLine(newTeller(), 0, 7)
			l.Fault(c.faults)
			for i := range int64(300) {
				out, _ := l.Step(i, []byte("abcdefgh"))
				if !c.ok(string(out)) {
					t.Fatalf("%q became %q", sent, out)
				}
			}
			if n := c.count(l.Tally()); n != 300 {
				t.Errorf("counted %d: %+v", n, l.Tally())
			}
			l.Fault(Faults{})
			if out, _ := l.Step(301, []byte("abcdefgh")); string(out) != sent {
				t.Errorf("afterwards %q", out)
			}
		})
	}
}

func clear7(b []byte) []byte {
	for i := range b {
		b[i] &= 0x7F
	}
	return b
}

// What comes late keeps its order, and comes within the time that was said.
func TestLateKeepsItsOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := NewLine(newTeller(), rapid.SampledFrom([]int{0, 300, 9600, 115200}).Draw(t, "baud"), rapid.Uint64().Draw(t, "seed"))
		l.Fault(Faults{Late: 0.5, LateMs: 90})
		var want, got []byte
		now, wake := int64(0), int64(0)
		for i := range rapid.IntRange(1, 40).Draw(t, "bursts") {
			next := now + rapid.Int64Range(0, 60).Draw(t, "gap")
			for wake != 0 && wake <= next {
				var out []byte
				at := wake
				if out, wake = l.Step(at, nil); wake != 0 && wake <= at {
					t.Fatalf("at %d it wants to be woken at %d", at, wake)
				}
				got = append(got, out...)
			}
			now = next
			said := []byte{byte('a' + i%26)}
			want = fmt.Appendf(want, "<%s>", said)
			var out []byte
			out, wake = l.Step(now, said)
			got = append(got, out...)
			if !bytes.HasPrefix(want, got) {
				t.Fatalf("%q of %q", got, want)
			}
		}
		last := now
		for wake != 0 {
			var out []byte
			last = wake
			out, wake = l.Step(wake, nil)
			got = append(got, out...)
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("%q, want %q", got, want)
		}
		if l.byteUs == 0 && last > now+90 {
			t.Fatalf("the last bytes came %d ms late", last-now)
		}
	})
}

func TestTurnedRound(t *testing.T) {
	t.Parallel()
	m := newTeller()
	m.lit[square("a1")] = board.RGB{R: 9}
	l := NewLine(m, 0, 1)
	l.Set(square("a1"), 'R')
	l.Set(square("e4"), 'P')
	if got := said(l, 1, "", 1); !slices.Equal(got, []string{"1:a1=R;e4=P;"}) {
		t.Error(got)
	}
	l.Turn(true)
	if got := said(l, 2, "", 2); !slices.Equal(got, []string{"2:a1=.;e4=.;d5=P;h8=R;"}) {
		t.Error(got)
	}
	l.Set(square("e4"), board.Empty)
	if got := said(l, 3, "", 3); !slices.Equal(got, []string{"3:d5=.;"}) {
		t.Error(got)
	}
	if lit := l.Lit(); lit[square("h8")].R != 9 || lit[square("a1")].R != 0 {
		t.Error("the lights were not turned")
	}
	l.Turn(false)
	if got := said(l, 4, "", 4); !slices.Equal(got, []string{"4:a1=R;h8=.;"}) {
		t.Error(got)
	}
}

// A machine that comes instead of another finds the men where they stood, and nothing of what the other had said.
func TestConnect(t *testing.T) {
	t.Parallel()
	l := NewLine(newTeller(), 1000, 1)
	l.Set(square("e4"), 'P')
	_, _ = l.Step(1, []byte("lost"))
	l.Connect(newTeller())
	if got := said(l, 20, "", 1000); fmt.Sprint(got) != "[30:e 40:4 50:= 60:P 70:;]" {
		t.Error(got)
	}
}

// The same seed and bursts come to the same harm.
func TestLineIsDeterministic(t *testing.T) {
	t.Parallel()
	run := func(seed uint64) string {
		l := NewLine(newTeller(), 0, seed)
		l.Fault(Faults{Cut: 0.2, Twice: 0.2, Late: 0.2, Foreign: 0.2, Parity: 0.05, Deaf: 0.1})
		var all string
		for i := range int64(50) {
			all += fmt.Sprint(said(l, i*300, "abc", i*300+299))
		}
		return all + fmt.Sprintf("%+v", l.Tally())
	}
	first, again, other := run(3), run(3), run(4)
	if first != again || first == other {
		t.Error("not by the seed")
	}
}
