package locate

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/leds/order"
	"github.com/boardd/boardd/rules"
)

// eyes are a builder who touches the square that he sees lit.
type eyes struct {
	on   []rules.Bitboard // squares of each LED
	full rules.Bitboard
	now  int64
	m    *Machine
}

func (e *eyes) wait(ms int64, key Key) (p Prompt, done bool) {
	for end := e.now + ms; ; {
		e.now += 10
		k := NoKey
		if e.now >= end {
			k = key
		}
		if p, done = e.m.Step(e.now, e.full, k); done || e.now >= end {
			return p, done
		}
	}
}

func (e *eyes) touch(s rules.Square) (Prompt, bool) {
	e.full ^= s.Bit()
	return e.wait(600, NoKey)
}

// find answers until the end, and counts the questions.
func (e *eyes) find(t interface{ Fatalf(string, ...any) }, rng *rand.Rand, corners bool) (questions int) {
	p, done := e.wait(10, NoKey)
	for range 300 {
		switch {
		case done:
			return questions
		case p.Check:
			for range 3 {
				s := rules.Square(rng.IntN(64))
				p, done = e.touch(s)
				var lit rules.Bitboard
				for _, led := range p.Layout.LEDs[s] {
					lit |= e.on[led]
				}
				if p.Squares != s.Bit() || lit&s.Bit() == 0 || !corners && lit != s.Bit() {
					p, done = e.wait(50, Wrong)
					break
				}
			}
			if p.Check {
				p, done = e.wait(50, Enter)
			}
			continue
		case e.on[p.LED] == 0:
			p, done = e.wait(50, Skip)
		case corners && e.m.each:
			for b := e.on[p.LED]; b != 0; {
				e.touch(b.Pop())
			}
			p, done = e.wait(50, Enter)
		default:
			p, done = e.touch(e.on[p.LED].First())
		}
		questions++
	}
	t.Fatalf("no end: %+v", p)
	return 0
}

func onOf(l order.Layout, count int) []rules.Bitboard {
	on := make([]rules.Bitboard, count)
	for q, leds := range l.LEDs {
		for _, led := range leds {
			on[led] |= rules.Square(q).Bit()
		}
	}
	return on
}

func TestRegularLEDsAreFoundWithAFewQuestions(t *testing.T) {
	t.Parallel()
	for _, per := range []order.PerSquare{order.One, order.Four, order.Corners} {
		for _, want := range New(Options{PerSquare: per}).ways {
			e := &eyes{on: want.on, m: New(Options{PerSquare: per}), full: 0xffff}
			questions := e.find(t, rand.New(rand.NewPCG(1, 1)), per == order.Corners)
			o, ok := e.m.Result()
			got, err := order.New(o)
			if !ok || err != nil || !same(got, want.layout) {
				t.Errorf("%+v: found %+v (%t, %v)", want.options, o, ok, err)
			}
			if questions > 3 {
				t.Errorf("%+v: %d questions", want.options, questions)
			}
		}
	}
}

func same(a, b order.Layout) bool {
	for q := range a.LEDs {
		if !slices.Equal(a.LEDs[q], b.LEDs[q]) {
			return false
		}
	}
	return true
}

func TestLEDsInAnyOrderAreFound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		rng := rand.New(rand.NewPCG(seed, 1))
		count := 64 + rapid.IntRange(0, 3).Draw(t, "spare")
		on := make([]rules.Bitboard, count)
		for s, led := range rng.Perm(count)[:64] {
			on[led] = rules.Square(s).Bit()
		}
		e := &eyes{on: on, m: New(Options{Count: count})}
		e.find(t, rng, false)
		o, ok := e.m.Result()
		l, err := order.New(o)
		if !ok || err != nil {
			t.Fatalf("ok %t, %v", ok, err)
		}
		for s, leds := range l.LEDs {
			if len(leds) != 1 || on[leds[0]] != rules.Square(s).Bit() {
				t.Errorf("%s: LEDs %v", rules.Square(s), leds)
			}
		}
	})
}

func TestSharedLEDsInAnyOrderAreFound(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 1))
	regular, err := order.New(order.Options{PerSquare: order.Corners})
	if err != nil {
		t.Fatal(err)
	}
	on := onOf(regular, 81)
	rng.Shuffle(81, func(i, j int) { on[i], on[j] = on[j], on[i] })
	e := &eyes{on: on, m: New(Options{PerSquare: order.Corners})}
	e.find(t, rng, true)
	o, ok := e.m.Result()
	l, err := order.New(o)
	if !ok || err != nil {
		t.Fatalf("ok %t, %v", ok, err)
	}
	if got := onOf(l, 81); !slices.Equal(got, on) {
		t.Errorf("found %v", got)
	}
}

func TestUndoAndQuit(t *testing.T) {
	t.Parallel()
	m := New(Options{})
	e := &eyes{on: m.ways[5].on, m: m}
	p, _ := e.wait(10, NoKey)
	first := p.LED
	e.touch(e.on[first].First())
	if p, _ = e.wait(10, Undo); p.LED != first {
		t.Errorf("after u LED %d is lit, not %d", p.LED, first)
	}
	if p, done := e.wait(10, Quit); !done || p.LED >= 0 {
		t.Errorf("after q: %+v", p)
	}
	if _, ok := m.Result(); ok {
		t.Error("something was found")
	}
}
