package calibration

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/driver/scan"
	"github.com/boardd/boardd/rules"
)

func contains(found []Finding, text string) bool {
	for _, f := range found {
		if strings.Contains(f.Text, text) {
			return true
		}
	}
	return false
}

// straight is wire s for square s.
func straight() (wire [64]int) {
	for s := range wire {
		wire[s] = s
	}
	return wire
}

func shuffled(rng *rand.Rand) (wire [64]int) {
	copy(wire[:], rng.Perm(64))
	return wire
}

// lined is a matrix with its lines in any order.
func lined(rng *rand.Rand) (wire [64]int) {
	rows, columns, across := rng.Perm(8), rng.Perm(8), rng.IntN(2) == 1
	for s := range wire {
		if across {
			wire[s] = rows[s%8]*8 + columns[s/8]
		} else {
			wire[s] = rows[s/8]*8 + columns[s%8]
		}
	}
	return wire
}

func ofPattern(p *pattern) (wire [64]int) {
	for s, w := range p.wire {
		wire[s] = int(w)
	}
	return wire
}

// Lifts that are needed at most, as docs/boards.md has them.
const (
	patternLifts = 4
	matrixLifts  = 5
	eachLifts    = 31
)

func TestEveryPatternIsFoundWithAFewLifts(t *testing.T) {
	t.Parallel()
	most := 0
	for i := range patterns() {
		if i%5 != 0 {
			continue // a fifth of them, in which each kind is
		}
		r := newRig(t, uint64(i), ofPattern(&patterns()[i]), Options{})
		p := r.play()
		r.holds(0)
		r.says(patterns()[i].words)
		if most = max(most, p.Lifts); p.Lifts > patternLifts {
			t.Errorf("%s: %d lifts", patterns()[i].words, p.Lifts)
		}
		if t.Failed() {
			break
		}
	}
	t.Logf("%d patterns, at most %d lifts", len(patterns()), most)
}

func TestMatrixIsFoundWithAFewLifts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		r := newRig(t, seed, lined(rand.New(rand.NewPCG(seed, 2))), Options{Traits: scan.Traits{Matrix: true}})
		p := r.play()
		r.holds(0)
		if p.Lifts > matrixLifts {
			t.Errorf("%d lifts: %s", p.Lifts, r.story())
		}
	})
}

func TestAnyWiringIsFound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		r := newRig(t, seed, shuffled(rand.New(rand.NewPCG(seed, 3))), Options{})
		p := r.play()
		r.holds(0)
		if p.Lifts > eachLifts {
			t.Errorf("%d lifts", p.Lifts)
		}
	})
}

func TestDeadSquaresOfAnyWiringAreFound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		rng := rand.New(rand.NewPCG(seed, 4))
		r := newRig(t, seed, shuffled(rng), Options{Every: true})
		for range rapid.IntRange(1, 4).Draw(t, "dead") {
			r.wire[rng.IntN(64)] = -1
		}
		r.play()
		r.holds(0)
	})
}

func TestDeadSquaresOfTheFirstRanksOfAPatternAreFound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		rng := rand.New(rand.NewPCG(seed, 5))
		wire, o := ofPattern(&patterns()[rng.IntN(len(patterns()))]), Options{}
		if rapid.Bool().Draw(t, "matrix") {
			wire, o.Traits.Matrix = lined(rng), true
		}
		r := newRig(t, seed, wire, o)
		for range rapid.IntRange(1, 3).Draw(t, "dead") {
			r.wire[rng.IntN(16)+48*rng.IntN(2)] = -1
		}
		r.play()
		r.holds(0)
	})
}

func TestExchangedWiresAreFound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		rng := rand.New(rand.NewPCG(seed, 6))
		r := newRig(t, seed, ofPattern(&patterns()[rng.IntN(len(patterns()))]), Options{Every: true})
		a, b := rng.IntN(64), rng.IntN(64)
		r.wire[a], r.wire[b] = r.wire[b], r.wire[a]
		r.play()
		r.holds(0)
		if a != b {
			r.says("are exchanged")
		}
	})
}

// A wire of the first ranks exchanged with one of the middle is seen without --every: the start position does not look as it should.
func TestWiresExchangedBetweenFullAndEmptyRanksAreSeenAtOnce(t *testing.T) {
	t.Parallel()
	wire := straight()
	wire[rules.NewSquare(1, 0)], wire[rules.NewSquare(4, 3)] = wire[rules.NewSquare(4, 3)], wire[rules.NewSquare(1, 0)]
	r := newRig(t, 1, wire, Options{})
	r.play()
	r.holds(0)
	r.says("b1 and e4 are exchanged")
}

func TestWhatIsWrongIsSaid(t *testing.T) {
	t.Parallel()
	a1, b1, c3, e2, h8 := rules.NewSquare(0, 0), rules.NewSquare(1, 0), rules.NewSquare(2, 2), rules.NewSquare(4, 1), rules.NewSquare(7, 7)
	tests := []struct {
		name    string
		options Options
		board   func(*rig)
		says    []string
		free    rules.Bitboard
	}{
		{"straight", Options{}, func(*rig) {}, []string{"wired row by row."}, 0},
		{"the active level is the wrong way round", Options{}, func(r *rig) { r.low = ^uint64(0) }, []string{"the wrong way round"}, 0},
		{"a wire says the opposite", Options{Every: true}, func(r *rig) { r.low = 1 << 4 }, []string{"Wire 4 (e1) says the opposite"}, 0},
		{"a wire always on", Options{}, func(r *rig) { r.stuck, r.level = 1<<18, 1<<18 }, []string{"Wire 18", "it is stuck", "Nothing reacts at c3"}, 0},
		{"a wire always on in the start position", Options{}, func(r *rig) { r.stuck, r.level = 1<<e2, 1<<e2 }, []string{"it is stuck", "Nothing reacts at e2"}, 0},
		{"a wire always off", Options{}, func(r *rig) { r.stuck = 1 << h8 }, []string{"Nothing reacts at h8"}, 0},
		{"a wire that flickers", Options{}, func(r *rig) { r.flicker = 1 << 12 }, []string{"Wire 12 (e2) flickers"}, e2.Bit()},
		{"two squares of the first ranks on one wire", Options{Every: true}, func(r *rig) { r.wire[a1] = r.wire[e2] },
			[]string{"on one wire", "a1", "e2"}, a1.Bit() | e2.Bit()},
		{"a square of the middle on a wire of the first ranks", Options{Every: true}, func(r *rig) { r.wire[c3] = r.wire[b1] },
			[]string{"c3 and b1 are on one wire"}, c3.Bit()},
		{"two squares of the middle on one wire", Options{Every: true}, func(r *rig) { r.wire[c3] = r.wire[c3+1] },
			[]string{"on one wire"}, c3.Bit() | (c3 + 1).Bit()},
		{"magnets that reach too far", Options{Every: true}, func(r *rig) { r.reach = true }, []string{"felt on squares beside"}, 0},
		{"a matrix across", Options{Traits: scan.Traits{Matrix: true}}, func(r *rig) {
			for s := range r.wire {
				r.wire[s] = s%8*8 + s/8
			}
		}, []string{"along the files"}, 0},
		{"a matrix with a dead corner", Options{Traits: scan.Traits{Matrix: true}}, func(r *rig) { r.wire[a1] = -1 }, []string{"Nothing reacts at a1"}, 0},
		{"a matrix with crossed squares", Options{Traits: scan.Traits{Matrix: true}}, func(r *rig) { r.wire[2], r.wire[11] = 11, 2 },
			[]string{"c1 and d2 are exchanged"}, 0},
	}
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, uint64(i), straight(), test.options)
			test.board(r)
			r.play()
			r.holds(test.free)
			r.says(test.says...)
		})
	}
}

func TestMatricesWithoutDiodesAreRefused(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		board func(*rig)
		says  string
	}{
		{"no diodes", func(r *rig) { r.short = true }, "no diodes"},
		{"nothing reacts", func(r *rig) {
			for s := range r.wire {
				r.wire[s] = -1
			}
		}, "nothing reacts"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, 1, straight(), Options{Traits: scan.Traits{Matrix: true}})
			test.board(r)
			p := r.play()
			if _, _, ok := r.m.Result(); ok || !p.Ended {
				t.Error("it was calibrated")
			}
			r.says(test.says)
		})
	}
}

func TestAnalogSensorsAreZeroedAndTurned(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		rng := rand.New(rand.NewPCG(seed, 8))
		wire := shuffled(rng)
		r := newRig(t, seed, wire, Options{Traits: scan.Traits{Analog: true}, Threshold: 170000})
		for range 3 {
			r.upside |= rules.Square(rng.IntN(64)).Bit()
		}
		r.play()
		r.holds(0)
		r.says("threshold_mv = 170 does not suit them")
		c, _, _ := r.m.Result()
		for w, l := range c.Levels {
			if zero := int32(1650000 + w*300); l < zero || l > zero+5000 {
				t.Errorf("wire %d: zero is %d, found was %d", w, zero, l)
			}
		}
		for s := range rules.Square(64) {
			if turned := c.Inverted>>r.wire[s]&1 == 1; turned != r.upside.Has(s) {
				t.Errorf("%s: turned %t", s, turned)
			}
		}
	})
}

func TestFumblesAndStepsTakenBackChangeNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		rng := rand.New(rand.NewPCG(seed, 9))
		wire, o := ofPattern(&patterns()[rng.IntN(len(patterns()))]), Options{}
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 1:
			wire, o.Traits.Matrix = lined(rng), true
		case 2:
			wire = shuffled(rng)
		}
		r := newRig(t, seed, wire, o)
		r.fumbles = rapid.IntRange(1, 8).Draw(t, "fumbles")
		p := r.play()
		r.holds(0)
		if p.Lifts > eachLifts {
			t.Errorf("%d lifts", p.Lifts)
		}
	})
}

func TestAWrongEchoAsksForEverySquare(t *testing.T) {
	t.Parallel()
	wire := straight()
	// Two exchanged wires within a port: a pattern does not show them.
	a, b := rules.NewSquare(4, 3), rules.NewSquare(5, 3)
	wire[a], wire[b] = wire[b], wire[a]
	r := newRig(t, 1, wire, Options{})
	p, done := r.wait(10, NoKey)
	for range 40 {
		if p.Ask == AskCheck || done {
			break
		}
		r.do(&p)
		if p, done = r.wait(600, NoKey); p.Ask == AskEmpty {
			r.wait(600, Enter)
			p, done = r.wait(600, NoKey)
		}
	}
	r.men[a] = 0
	if p, _ = r.wait(100, NoKey); p.Echo != "f4 on" {
		t.Fatalf("echo %q at %q", p.Echo, p.Text)
	}
	if p, _ = r.wait(100, Wrong); p.Ask != AskSetup {
		t.Fatalf("after a wrong echo: %q", p.Text)
	}
	r.play()
	r.holds(0)
	r.says("e4 and f4 are exchanged")
}

func TestQuitKeepsNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t, 1, straight(), Options{})
	r.wait(600, NoKey)
	p, done := r.wait(100, Quit)
	if _, _, ok := r.m.Result(); ok || !done || !p.Ended {
		t.Errorf("after q: ok %t, done %t, %q", ok, done, p.Text)
	}
}

func TestHalfABoardIsNotTakenForAnEmptyOne(t *testing.T) {
	t.Parallel()
	r := newRig(t, 1, straight(), Options{})
	for s := range 16 {
		r.men[s] = 0
	}
	r.wait(600, NoKey)
	p, _ := r.wait(100, Enter)
	if p.Ask != AskEmpty || !p.Confirm {
		t.Fatalf("%+v", p)
	}
	r.clear()
	r.wait(700, NoKey)
	r.wait(100, Enter)
	if p, _ = r.wait(700, NoKey); p.Ask != AskSetup {
		t.Errorf("the empty board was not taken: %q %q", p.Text, p.Hint)
	}
}

func TestAKeyWaitsForTheBoardToRest(t *testing.T) {
	t.Parallel()
	r := newRig(t, 1, straight(), Options{})
	r.wire[5] = -1
	r.clear()
	r.wait(50, Enter)
	p, _ := r.wait(1100, NoKey)
	if p.Ask != AskSetup {
		t.Fatalf("%q", p.Text)
	}
	r.do(&p)
	r.wait(50, Enter)
	if p, _ = r.wait(700, NoKey); p.Ask != AskLift {
		t.Errorf("%q", p.Text)
	}
}

func TestHintsComeAfterAWhile(t *testing.T) {
	t.Parallel()
	r := newRig(t, 1, straight(), Options{})
	r.clear()
	r.wait(600, NoKey)
	r.wait(600, Enter)
	p, _ := r.wait(600, NoKey)
	r.do(&p)
	p, _ = r.wait(700, NoKey)
	if p.Ask != AskLift || p.Hint != "" {
		t.Fatalf("%q %q", p.Text, p.Hint)
	}
	if p, _ = r.wait(Patience, NoKey); !strings.Contains(p.Hint, "press s") {
		t.Errorf("no hint: %q", p.Hint)
	}
}

// FuzzMachineNeverPanics gives it readings and keys that make no sense.
func FuzzMachineNeverPanics(f *testing.F) {
	f.Add([]byte("\n..s.s.u.r.n.\nq"), uint8(0))
	f.Add([]byte{10, 60, 0, 60, 1, 60, 2, 10, 60, 3, 60, 's', 60, 'u', 60}, uint8(1))
	f.Add([]byte{10, 200, 10, 200, 10, 200, 's', 200, 's', 200}, uint8(2))
	f.Fuzz(func(t *testing.T, script []byte, kind uint8) {
		m := New(Options{Traits: scan.Traits{Matrix: kind&1 == 1, Analog: kind&2 == 2}, Every: kind&4 == 4})
		var r scan.Reading
		now := int64(0)
		for i, b := range script[:min(len(script), 2000)] {
			switch b % 4 {
			case 0:
				r.Bits ^= 1 << (b / 4)
				r.Levels[b/4] ^= 1 << (i % 31)
			case 1:
				r.Bits = r.Bits<<8 | uint64(b)
			}
			key := NoKey
			if b == '\n' || b == 's' || b == 'u' || b == 'r' || b == 'n' || b == 'q' {
				key = Key(b)
			}
			for range 3 {
				m.Step(now, &r, key)
				now += int64(b) * 4
			}
			for range 32 {
				now += 20
				m.Step(now, &r, NoKey)
			}
		}
		if c, _, ok := m.Result(); ok {
			if err := c.Map.Validate(c.Dead); err != nil {
				t.Error(err)
			}
		}
	})
}
