package centaur_test

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/centaur"
)

var (
	_ board.Lit     = (*centaur.Machine)(nil)
	_ board.Adopter = (*centaur.Machine)(nil)
)

// bench steps a machine and answers what it writes.
type bench struct {
	t      *testing.T
	m      *centaur.Machine
	answer map[string]string // command to reply, in hexadecimal
	now    int64
	wake   int64
	out    []string
	in     []board.Input
}

const (
	ping    = "87 00 00 07"
	pong    = "87 00 06 06 50 63"
	changes = "83 06 50 59"
	none    = "85 00 06 06 50 61"
	keys    = "94 06 50 6A"
	noKeys  = "B1 00 06 06 50 0D"
	state   = "82 06 50 58"
	battery = "98 06 50 6E"
	startX  = "xxxxxxxx/xxxxxxxx/......../......../......../......../xxxxxxxx/xxxxxxxx"
)

// stateOf is the reply with all squares: men at the numbers of the wire but those that are missing, and others.
func stateOf(changed ...int) string {
	b := []byte{0x83, 0, 0x46, 6, 0x50}
	for n := range 64 {
		x := byte(0)
		if n < 16 || n >= 48 {
			x = 1
		}
		b = append(b, x)
	}
	for _, n := range changed {
		b[5+n] ^= 1
	}
	return frame(b)
}

// frame adds the check.
func frame(b []byte) string {
	sum := 0
	for _, x := range b {
		sum += int(x)
	}
	return fmt.Sprintf("% X", append(b, byte(sum%128)))
}

func newBench(t *testing.T, o centaur.Options) *bench {
	b := &bench{t: t, m: centaur.New(o), answer: map[string]string{ping: pong, changes: none, keys: noKeys, state: stateOf(), battery: frame([]byte{0xB5, 0, 7, 6, 0x50, 0x34})}}
	b.step(0, nil)
	return b
}

func (b *bench) step(now int64, bytes []byte) {
	b.t.Helper()
	for {
		b.now = now
		in, out, wake := b.m.Step(now, bytes)
		b.in, b.wake = append(b.in, in...), wake
		if wake <= now {
			b.t.Fatalf("at %d it wants to be woken at %d", now, wake)
		}
		if len(out) == 0 {
			return
		}
		said := fmt.Sprintf("% X", out)
		b.out = append(b.out, said)
		if bytes = unhex(b.t, b.answer[said]); len(bytes) == 0 {
			return
		}
	}
}

func (b *bench) until(now int64) {
	b.t.Helper()
	for b.wake <= now {
		b.step(b.wake, nil)
	}
	b.now = now
}

func (b *bench) take() (out, in string) {
	out, in = strings.Join(b.out, "|"), inputs(b.in)
	b.out, b.in = nil, nil
	return out, in
}

func (b *bench) want(what, in string) {
	b.t.Helper()
	if _, got := b.take(); got != in {
		b.t.Errorf("%s: said %s, want %s", what, got, in)
	}
}

func inputs(in []board.Input) string {
	var words []string
	for _, i := range in {
		switch i.Kind {
		case board.Link:
			words = append(words, map[bool]string{true: "online", false: "offline"}[i.Online])
		case board.Scan:
			words = append(words, i.Picture.String())
		case board.Change:
			words = append(words, fmt.Sprintf("%s=%c", i.Square, i.Symbol))
		case board.Button:
			words = append(words, i.ButtonName)
		case board.Battery:
			words = append(words, fmt.Sprintf("%d%%/%v", i.Percent, i.Charging))
		default:
			words = append(words, fmt.Sprintf("%+v", i))
		}
	}
	return strings.Join(words, " ")
}

func unhex(t testing.TB, digits string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func running(t *testing.T) *bench {
	b := newBench(t, centaur.Options{})
	b.until(1000)
	b.want("start", "online "+startX+" 100%/true")
	return b
}

func TestGreeting(t *testing.T) {
	t.Parallel()
	b := newBench(t, centaur.Options{})
	b.until(399)
	if out, _ := b.take(); out != "4D|4E" {
		t.Errorf("wrote %s", out)
	}
	b.step(399, unhex(t, "90 00 08 06 50 06 50 44")) // whatever it answers to these is thrown away
	b.until(400)
	out, in := b.take()
	if !strings.HasPrefix(out, ping+"|"+changes+"|"+state+"|"+keys+"|"+battery) || in != "online "+startX+" 100%/true" {
		t.Errorf("wrote %s, said %s", out, in)
	}
	if i := b.m.Info(); i.Address != [2]byte{6, 0x50} || i.Foreign != 1 {
		t.Errorf("%+v", i)
	}
}

func TestGreetingGoesOnForEver(t *testing.T) {
	t.Parallel()
	b := newBench(t, centaur.Options{})
	b.answer = nil
	b.until(120_000)
	out, in := b.take()
	if n := b.m.Notes(); len(n) != 1 || !strings.Contains(n[0], "nothing answers") {
		t.Errorf("notes %q", n)
	}
	if n := strings.Count(out, ping); n < 200 || in != "" || strings.Count(out, "4E") != 1 {
		t.Errorf("%d calls, said %s", n, in)
	}
}

// The frames of protocols/others.md section 1.
func TestGoldenFrames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ frame, state, want string }{
		{"85 00 0A 06 50 40 34 41 24 3E", stateOf(0x34, 0x24), "e2=. e4=x"},
		{"85 00 0A 06 50 40 34 41 24 3E", stateOf(0x34), "e2=."}, // the state is younger: what came after is asked for next
		{"85 00 0A 06 50 40 01 40 34 1A", stateOf(0x34), "e2=."}, // SE-25: a byte of time that looks like a mark
		{"85 00 0A 06 50 12 01 40 34 6C", stateOf(0x34), "e2=."},
		{"85 00 0A 06 50 40 34 41 34 4E", stateOf(), "e2=. e2=x"},
		{frame(unhex(t, "85 00 0C 06 50 41 41 40 33 41 23")), stateOf(0x33, 0x23), "d2=. d4=x"},
		{frame(unhex(t, "85 00 0B 06 50 7C 03 40 33 01")), stateOf(0x33), "d2=."},
		{"B1 00 11 06 50 00 14 0A 05 01 00 00 00 00 7D 47 00", "", "takeback"},
		{"B1 00 11 06 50 00 14 0A 05 10 00 00 00 00 7D 17 5F", "", "promotion"},
		{"B1 00 10 06 50 00 14 0A 05 40 00 00 00 00 6D 67", "", "lights"},
		{"B1 00 11 06 50 00 14 0A 05 08 00 00 00 00 7D 3C 7C", "", ""},
		{"B1 00 10 06 50 00 14 0A 05 02 00 00 00 00 61 1D", "", ""},
		{"B1 00 10 06 50 00 14 0A 05 04 00 00 00 00 2A 68", "", ""},
		{frame(unhex(t, "B1 00 10 06 50 00 14 0A 05 06 00 00 00 00 2A")), "", "new_game"},
		{frame(unhex(t, "B5 00 07 06 50 0A")), "", "50%/false"},
	} {
		b := running(t)
		ask := map[byte]string{'8': changes, 'B': keys}[c.frame[0]]
		if c.state != "" {
			b.answer[state] = c.state
		}
		if strings.HasPrefix(c.frame, "B5") {
			b.step(1000, unhex(t, c.frame))
			ask = battery
		}
		old := b.answer[ask]
		b.answer[ask] = c.frame
		for len(b.out) == 0 || !strings.Contains(strings.Join(b.out, "|"), ask) {
			if ask == battery {
				break
			}
			b.until(b.now + 1)
		}
		b.answer[ask] = old
		b.until(b.now + 30)
		b.want(c.frame, c.want)
	}
}

// SE-23: a frame with a wrong check does not count; the board is read all the same.
func TestWrongCheck(t *testing.T) {
	t.Parallel()
	b := running(t)
	b.answer[changes] = ""
	b.answer[state] = stateOf(0x34)
	b.until(b.now + 50)
	b.step(b.now, unhex(t, "85 00 0A 06 50 12 01 40 34 6D"))
	b.want("the frame", "")
	b.until(b.now + 500)
	b.want("the reading", "e2=.")
	if i := b.m.Info(); i.BadSum == 0 || i.Unanswered == 0 {
		t.Errorf("%+v", i)
	}
}

func TestManySquaresAreReadTwice(t *testing.T) {
	t.Parallel()
	b := running(t)
	swept := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	b.answer[state] = stateOf(swept...)
	for !strings.Contains(strings.Join(b.out, "|"), state) {
		b.until(b.now + 1)
	}
	b.want("ten squares, read twice", "......../..xxxxxx/......../......../......../......../xxxxxxxx/xxxxxxxx")
	if out, _ := b.take(); out != "" {
		t.Errorf("wrote %s", out)
	}
}

func TestSilence(t *testing.T) {
	t.Parallel()
	b := running(t)
	answer := b.answer
	b.answer = nil
	b.until(3900)
	b.want("not yet", "")
	b.until(4100)
	b.want("gone", "offline")
	if n := b.m.Notes(); len(n) != 1 || !strings.Contains(n[0], "silent") {
		t.Errorf("notes %q", n)
	}
	b.answer = answer
	answer[state] = stateOf(0x34)
	b.until(6000)
	b.want("back", "online xxxxxxxx/xxxxxxxx/......../......../......../......../xxxx.xxx/xxxxxxxx")
	b.m.Reset()
	b.step(6001, nil)
	b.want("reset", "offline")
}

// Keys that were pressed before anybody listened do not count, and may be given other meanings.
func TestKeys(t *testing.T) {
	t.Parallel()
	b := newBench(t, centaur.Options{Buttons: map[string]string{"play": "clock_left"}})
	b.answer[keys] = "B1 00 10 06 50 00 14 0A 05 04 00 00 00 00 2A 68"
	b.until(1000)
	b.want("old keys", "online "+startX+" 100%/true")
	b.answer[keys] = noKeys
	b.until(1100)
	b.answer[keys] = "B1 00 10 06 50 00 14 0A 05 04 00 00 00 00 2A 68"
	b.until(1101)
	for len(b.in) == 0 {
		b.until(b.now + 1)
	}
	b.want("a key", "clock_left")
	b.answer[keys] = frame(unhex(t, "B1 00 0A 06 50 01 02 03 04"))
	b.until(b.now + 100)
	b.want("another form", "")
	if b.m.Info().OddKeys == 0 || len(centaur.Keys()) != 7 {
		t.Error("odd keys are counted")
	}
}

func TestLights(t *testing.T) {
	t.Parallel()
	b := running(t)
	for _, c := range []struct {
		frame board.Frame
		want  string
	}{
		{board.Frame{12: {R: 255}, 28: {B: 1}}, "B0 00 0C 06 50 05 03 00 05 34 24 77"},
		{board.Frame{12: {G: 255}, 28: {B: 9}}, ""},
		{board.Frame{}, "B0 00 07 06 50 00 0D"},
		{board.Frame{56: {R: 1}}, frame(unhex(t, "B0 00 0B 06 50 05 03 00 05 00"))},
	} {
		b.take()
		b.m.Light(c.frame)
		b.step(b.now, nil)
		if out, _ := b.take(); strings.TrimPrefix(out, changes+" ") != c.want && out != c.want {
			t.Errorf("wrote %s, want %s", out, c.want)
		}
		b.until(b.now + 200)
	}
}

func TestRaw(t *testing.T) {
	t.Parallel()
	m := centaur.NewRaw(centaur.Options{})
	m.Light(board.Frame{1: {R: 1}})
	var all []board.Input
	for i, f := range []string{stateOf(), "85 00 0A 06 50 40 34 41 24 3E", "85 00 0A 06 50 40 0C 41 1C 0E", "B1 00 10 06 50 00 14 0A 05 40 00 00 00 00 6D 67", none} {
		in, out, wake := m.Step(int64(i*1000), unhex(t, f))
		if len(out) > 0 || wake != 0 {
			t.Errorf("wrote % X, wake %d", out, wake)
		}
		all = append(all, in...)
	}
	if got := inputs(all); got != "online "+startX+" e2=. e4=x lights" {
		t.Errorf("said %s: changes nobody read the squares after are explained by the next", got)
	}
}

// A piece of a recording begins with a picture, in the midst of the conversation.
func TestAdopt(t *testing.T) {
	t.Parallel()
	m := centaur.New(centaur.Options{})
	m.Step(0, nil)
	p, err := board.ParsePicture(startX, board.Presence)
	if err != nil {
		t.Fatal(err)
	}
	m.Adopt(5000, p)
	all, _, _ := m.Step(5000, nil)
	for i, f := range []string{"85 00 0A 06 50 40 34 41 24 3E", stateOf(0x34, 0x24), "B1 00 10 06 50 00 14 0A 05 40 00 00 00 00 6D 67"} {
		in, _, _ := m.Step(5001+int64(i), unhex(t, f))
		all = append(all, in...)
	}
	if got := inputs(all); got != "e2=. e4=x lights" {
		t.Errorf("said %s", got)
	}
}

func FuzzMachine(f *testing.F) {
	f.Add(unhex(f, pong+none+stateOf()+"85 00 0A 06 50 40 34 41 24 3E"+stateOf(0x34)+"B1 00 10 06 50 00 14 0A 05 40 00 00 00 00 6D 67"), uint8(1))
	f.Add(unhex(f, "85 00 40 06 50"+strings.Repeat("40 34 41 34", 20)), uint8(50))
	f.Fuzz(func(t *testing.T, bytes []byte, gap uint8) {
		one, many := centaur.NewRaw(centaur.Options{}), centaur.NewRaw(centaur.Options{})
		live := centaur.New(centaur.Options{})
		now := int64(0)
		for len(bytes) > 0 {
			part := bytes[:min(len(bytes), 1+int(gap)%40)]
			bytes = bytes[len(part):]
			now += int64(gap)
			a, _, _ := one.Step(now, part)
			var b []board.Input
			for _, x := range part {
				in, _, _ := many.Step(now, []byte{x})
				b = append(b, in...)
			}
			if inputs(a) != inputs(b) {
				t.Fatalf("%s in one, %s in parts", inputs(a), inputs(b))
			}
			for _, i := range a {
				if i.Kind == board.Change && !board.Presence.Valid(i.Symbol) {
					t.Fatalf("%+v", i)
				}
			}
			if _, _, wake := live.Step(now*10, part); wake <= now*10 {
				t.Fatalf("wake %d at %d", wake, now*10)
			}
		}
	})
}
