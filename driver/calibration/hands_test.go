package calibration

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/boardd/boardd/driver/scan"
	"github.com/boardd/boardd/rules"
)

// tb is a test or a property.
type tb interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Logf(format string, args ...any)
	Failed() bool
}

// rig is a board with its electricity, and the hands of an honest builder.
type rig struct {
	t       tb
	rng     *rand.Rand
	traits  scan.Traits
	wire    [64]int // of each square, -1 for a dead one
	low     uint64  // wires that say the opposite
	stuck   uint64  // wires that always say what level has
	level   uint64
	flicker uint64
	short   bool // a matrix without diodes
	reach   bool // magnets are felt on the four squares beside
	upside  rules.Bitboard
	men     [64]rules.Square
	hand    rules.Square
	now     int64
	m       *Machine
	prompts []string
	wrongs  int
	fumbles int // steps that the hands take back or begin again
}

func newRig(t tb, seed uint64, wire [64]int, o Options) *rig {
	r := &rig{t: t, rng: rand.New(rand.NewPCG(seed, 1)), traits: o.Traits, wire: wire, hand: rules.NoSquare, m: New(o)}
	r.clear()
	for range 20 { // what stands there by chance
		r.men[r.rng.IntN(64)] = 0
	}
	return r
}

func (r *rig) clear() {
	for i := range r.men {
		r.men[i] = rules.NoSquare
	}
}

// read is what the sensors say.
func (r *rig) read() (out scan.Reading) {
	feel := func(s int) {
		if w := r.wire[s]; w >= 0 {
			out.Bits |= 1 << w
		}
	}
	for s, man := range r.men {
		if man == rules.NoSquare {
			continue
		}
		feel(s)
		if r.reach {
			for _, d := range [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
				if f, k := s%8+d[0], s/8+d[1]; f >= 0 && f < 8 && k >= 0 && k < 8 {
					feel(k*8 + f)
				}
			}
		}
	}
	if r.short {
		out.Bits = closure(out.Bits)
	}
	out.Bits ^= r.low
	out.Bits = out.Bits&^r.stuck | r.level&r.stuck
	if r.now/10%7 == 0 {
		out.Bits ^= r.flicker
	}
	if r.traits.Analog {
		for w := range out.Levels {
			out.Levels[w] = 1650000 + int32(w)*300 + int32(r.rng.IntN(5000))
		}
		for s, man := range r.men {
			if w := r.wire[s]; man != rules.NoSquare && w >= 0 {
				pull := int32(180000 + r.rng.IntN(9000))
				if (man >= 32) != r.upside.Has(rules.Square(s)) {
					pull = -pull
				}
				out.Levels[w] += pull
			}
		}
		out.Bits = 0
	}
	return out
}

// closure is what a matrix without diodes reads: each group of rows that share a column reads as all of its rows together.
func closure(on uint64) uint64 {
	for again := true; again; {
		again = false
		for i := range 8 {
			for j := range 8 {
				a, b := on>>(8*i)&0xff, on>>(8*j)&0xff
				if a&b != 0 && a != b {
					on |= b<<(8*i) | a<<(8*j)
					again = true
				}
			}
		}
	}
	return on
}

// wait lets time pass, with a key at its end.
func (r *rig) wait(ms int64, key Key) (p Prompt, done bool) {
	for end := r.now + ms; ; {
		r.now += 10
		reading := r.read()
		k := NoKey
		if r.now >= end {
			k = key
		}
		if p, done = r.m.Step(r.now, &reading, k); done || r.now >= end {
			return p, done
		}
	}
}

// play does what is asked until the calibration ends.
func (r *rig) play() Prompt {
	p, done := r.wait(10, NoKey)
	for range 400 {
		if done {
			return p
		}
		r.prompts = append(r.prompts, fmt.Sprint(p.Text, " | ", p.Hint, " | ", p.Progress))
		ask, square, lifts, puts := p.Ask, p.Square, p.Lifts, p.Puts
		if r.fumbles > 0 && (ask == AskLift || ask == AskPut) && r.rng.IntN(3) == 0 {
			// The wrong man is lifted, or the step before was wrong.
			r.fumbles--
			if s := rules.Square(r.rng.IntN(64)); r.rng.IntN(2) == 0 && ask == AskLift && r.men[s] != rules.NoSquare {
				men := r.men
				r.men[s] = rules.NoSquare
				r.wait(200, NoKey)
				r.men = men
				p, done = r.wait(100, Repeat)
				if p.Ask == AskRestore {
					p, done = r.wait(700, NoKey)
				}
			} else {
				p, done = r.wait(50, Undo)
			}
			continue
		}
		r.do(&p)
		same := func() bool { return p.Ask == ask && p.Square == square && p.Lifts == lifts && p.Puts == puts }
		for tries := 0; tries < 12 && !done && same(); tries++ {
			p, done = r.wait(600, NoKey)
			switch {
			case done || !same():
			case p.Confirm, ask == AskEmpty, tries > 8 && (ask == AskSetup || ask == AskClear):
				p, done = r.wait(100, Enter)
			case tries > 8 && (ask == AskLift || ask == AskPut):
				p, done = r.wait(100, Skip)
			case ask == AskSetup && r.traits.Analog:
				p, done = r.wait(100, Enter)
			case ask == AskCheck:
				p, done = r.check()
			}
		}
		if !done && same() && ask != AskCheck {
			r.t.Fatalf("%q: the machine does not go on: %s %t\n%s", p.Text, p.Hint, p.Confirm, r.story())
		}
	}
	r.t.Fatalf("no end: %s", r.story())
	return p
}

// story are the last prompts.
func (r *rig) story() string {
	return strings.Join(r.prompts[max(0, len(r.prompts)-25):], "\n")
}

// do moves the men as they should stand.
func (r *rig) do(p *Prompt) {
	switch p.Ask {
	case AskEmpty, AskClear:
		r.clear()
	case AskLift:
		r.hand = r.men[p.Square]
		r.men[p.Square] = rules.NoSquare
	case AskPut:
		man := r.hand
		if r.m.know.walking {
			r.clear()
			r.wait(50, NoKey)
		}
		if man == rules.NoSquare || r.m.know.walking {
			man = rules.NewSquare(4, 1)
		}
		r.men[p.Square], r.hand = man, rules.NoSquare
	case AskCorners, AskSetup, AskRestore:
		r.men = p.Men
	}
}

// check touches some squares, and says when an echo is wrong.
func (r *rig) check() (p Prompt, done bool) {
	for range 5 {
		s := rules.Square(r.rng.IntN(64))
		for r.wire[s] < 0 || (r.stuck|r.flicker)>>r.wire[s]&1 == 1 || r.reach {
			s = rules.Square(r.rng.IntN(64))
			if r.reach {
				break
			}
		}
		want := s.String() + " off"
		if r.men[s] == rules.NoSquare {
			r.men[s], want = 0, s.String()+" on"
		} else {
			r.men[s] = rules.NoSquare
		}
		p, _ = r.wait(100, NoKey)
		if p.Echo != want && !r.reach && r.wrongs < 3 {
			r.wrongs++
			return r.wait(100, Wrong)
		}
	}
	return r.wait(100, Enter)
}

// holds checks the map against the board. Squares of free may be anywhere.
func (r *rig) holds(free rules.Bitboard) {
	r.t.Helper()
	c, found, ok := r.m.Result()
	if !ok {
		r.t.Fatalf("not calibrated: %v\n%s", found, r.story())
	}
	if err := c.Map.Validate(c.Dead); err != nil {
		r.t.Errorf("the map is not whole: %v", err)
	}
	for s := range rules.Square(64) {
		w := r.wire[s]
		switch {
		case free.Has(s):
		case w < 0 || r.stuck>>w&1 == 1:
			if !c.Dead.Has(s) {
				r.t.Errorf("%s is dead, and that was not found", s)
			}
		case c.Map[w] != s || c.Dead.Has(s):
			r.t.Errorf("wire %d is %s, found was %s (dead %t)", w, s, c.Map[w], c.Dead.Has(s))
		}
	}
	if r.t.Failed() {
		r.t.Logf("%v\n%s", found, r.story())
	}
}

// says checks that something was found.
func (r *rig) says(texts ...string) {
	r.t.Helper()
	_, found, _ := r.m.Result()
	for _, text := range texts {
		if !contains(found, text) {
			r.t.Errorf("nothing says %q: %v", text, found)
		}
	}
}
