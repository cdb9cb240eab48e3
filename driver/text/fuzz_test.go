package text_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/text"
)

// all are the descriptions of the tests: every preset and every kind.
func all(t testing.TB) map[string]text.Options {
	m := map[string]text.Options{}
	for _, name := range text.Presets() {
		m[name] = preset(t, name)
	}
	for _, k := range kinds(t) {
		m[k.name] = k.o
	}
	return m
}

// talk is what boards of each description say in the tests.
func talk(t testing.TB) map[string]string {
	m := map[string]string{}
	for _, g := range golden(t) {
		m[g.preset] = g.start + g.lifted + g.placed
	}
	for _, k := range kinds(t) {
		m[k.name] = strings.Join(k.say, "")
	}
	return m
}

// How bytes that come at one time are cut into calls makes no difference.
func TestSplitsMakeNoDifference(t *testing.T) {
	t.Parallel()
	talks := talk(t)
	for name, o := range all(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(r *rapid.T) {
				stream := mangle(r, talks[name])
				one, many := newBench(t, text.New(o)), newBench(t, text.New(o))
				for now := int64(1000); len(stream) > 0; now += rapid.Int64Range(1, 1500).Draw(r, "wait") {
					n := rapid.IntRange(1, len(stream)).Draw(r, "burst")
					one.send(now, stream[:n])
					many.until(now)
					for i := 0; i < n; {
						j := min(n, i+rapid.IntRange(1, 9).Draw(r, "part"))
						many.step(now, stream[i:j])
						i = j
					}
					stream = stream[n:]
				}
				one.until(60_000)
				many.until(60_000)
				outA, inA := one.take()
				outB, inB := many.take()
				if inA != inB || outA != outB {
					r.Fatalf("in one: %s %q\nin parts: %s %q", inA, outA, inB, outB)
				}
			})
		})
	}
}

// mangle cuts out, doubles and changes bytes of a talk.
func mangle(r *rapid.T, talk string) []byte {
	b := []byte(talk)
	if len(b) > 400 {
		b = b[:400]
	}
	for range rapid.IntRange(0, 4).Draw(r, "faults") {
		if len(b) < 2 {
			break
		}
		i := rapid.IntRange(0, len(b)-2).Draw(r, "at")
		j := min(len(b), i+rapid.IntRange(1, 20).Draw(r, "length"))
		switch rapid.IntRange(0, 2).Draw(r, "fault") {
		case 0:
			b = append(b[:i:i], b[j:]...)
		case 1:
			b = append(b[:j:j], b[i:]...)
		default:
			b[i] = rapid.Byte().Draw(r, "byte")
		}
	}
	return b
}

// Half a message and then a pause does no harm: what comes after it is read as if it had not been, by boards that say
// where their men stand.
func TestHalfAMessageDoesNoHarm(t *testing.T) {
	t.Parallel()
	for _, g := range golden(t) {
		o := preset(t, g.preset)
		t.Run(g.preset, func(t *testing.T) {
			t.Parallel()
			rows := []string{g.start, g.lifted, g.placed}
			for which, half := range rows {
				for cut := range min(len(half), 120) {
					b := newBench(t, text.New(o))
					now := int64(1000)
					for i, row := range rows {
						if i == which {
							b.send(now, []byte(half[:cut]))
							b.until(now + 1500)
						}
						b.send(now+1600, []byte(row))
						now += 3200
					}
					b.until(now)
					if b.pic[12] != board.Empty || b.pic[28] == board.Empty || !b.up {
						t.Fatalf("%d bytes of %q before it: %s", cut, half, b.pic)
					}
					if n := strings.Count(inputs(b.in), "="); n > 4 {
						t.Fatalf("%d bytes of %q before it: %s", cut, half, inputs(b.in))
					}
				}
			}
		})
	}
}

// FuzzMachine: no bytes of any preset and any kind bring it down, make it say what its acuity cannot, or keep it from sleeping.
func FuzzMachine(f *testing.F) {
	for _, g := range golden(f) {
		f.Add(g.preset, []byte(g.start+g.lifted+g.placed), uint16(300))
	}
	f.Add("certabo", []byte(":"+strings.Repeat("3 0 84 252 153 ", 64)+"\r\n"), uint16(7))
	f.Add("novag", []byte("M 1, O-O-O\r\nM a7a8/q\r\n"), uint16(2000))
	for name, said := range talk(f) {
		f.Add(name, []byte(said), uint16(40))
	}
	options := all(f)
	f.Fuzz(func(t *testing.T, name string, bytes []byte, wait uint16) {
		o, ok := options[name]
		if !ok {
			return
		}
		b := newBench(t, text.New(o))
		sees := o.Sees()
		for n := 0; len(bytes) > 0; n++ {
			part := bytes[:min(len(bytes), 1+n*7%50)]
			b.send(b.now+int64(wait), part)
			bytes = bytes[len(part):]
		}
		b.until(b.now + 20_000)
		online := false
		for _, i := range b.in {
			switch i.Kind {
			case board.Link:
				online = i.Online
			case board.Change:
				if !online || !sees.Valid(i.Symbol) {
					t.Fatalf("%s: %s %c", name, i.Square, i.Symbol)
				}
			case board.Scan:
				if _, err := board.ParsePicture(i.Picture.String(), sees); err != nil || !online {
					t.Fatalf("%s: %s: %v", name, i.Picture, err)
				}
			}
		}
	})
}
