package scan

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

var errBus = errors.New("remote I/O error")

// bench drives a machine as its goroutine does, with a sensor that is told what to say and a clock that jumps to when it is asked.
type bench struct {
	t      rapid.TB
	m      *Machine
	next   Next
	now    int64
	count  Counters
	found  []Finding
	inputs []board.Input // all so far
	did    []Do

	bits   uint64
	levels [Wires]int32
	fail   func(Do) error // nil: all goes well
	took   int64          // milliseconds that each read takes
}

func rows() Map {
	l := Layout{Generator: "rows"}
	m, _ := l.Map()
	return m
}

func newBench(t rapid.TB, o Options) *bench {
	b := &bench{t: t, now: 1000}
	if o.Map == (Map{}) {
		o.Map = rows()
	}
	if o.PeriodMs == 0 {
		o.PeriodMs = 10
	}
	o.Counters, o.Say = &b.count, func(f Finding) { b.found = append(b.found, f) }
	b.m = NewMachine(o)
	b.next = b.m.Start(b.now)
	return b
}

// step does what the machine asks for.
func (b *bench) step() (inputs []board.Input) {
	b.t.Helper()
	if b.next.Do == Stop {
		b.t.Fatal("stopped: ", b.next.Err)
	}
	b.now = max(b.now, b.next.At)
	var err error
	if b.fail != nil {
		err = b.fail(b.next.Do)
	}
	r := Reading{Bits: b.bits, Levels: b.levels}
	if err != nil {
		r.Bits = ^r.Bits // a failed read holds anything
	}
	if b.next.Do == Read {
		b.now += b.took
	}
	b.did = append(b.did, b.next.Do)
	inputs, b.next = b.m.Step(b.now, &r, err)
	b.inputs = append(b.inputs, inputs...)
	return inputs
}

// scan goes on until a scan is over: the next one lies in the future.
func (b *bench) scan() (inputs []board.Input) {
	b.t.Helper()
	for {
		inputs = append(inputs, b.step()...)
		if b.next.Do == Stop || b.next.At > b.now {
			return inputs
		}
	}
}

// told is inputs in words.
func told(inputs []board.Input) string {
	var list []string
	for _, in := range inputs {
		switch in.Kind {
		case board.Link:
			list = append(list, fmt.Sprintf("online=%v", in.Online))
		case board.Scan:
			list = append(list, "scan "+in.Picture.String())
		case board.Change:
			list = append(list, fmt.Sprintf("%s%c", in.Square, in.Symbol))
		}
	}
	return strings.Join(list, " ")
}

func (b *bench) want(what, inputs string) {
	b.t.Helper()
	if got := told(b.scan()); got != inputs {
		b.t.Errorf("%s: got %q, want %q", what, got, inputs)
	}
}

const (
	startBits = 0xFFFF00000000FFFF
	startText = "xxxxxxxx/xxxxxxxx/......../......../......../......../xxxxxxxx/xxxxxxxx"
)

func bit(names ...string) (b uint64) {
	for _, n := range names {
		s, ok := rules.ParseSquare(n)
		if !ok {
			panic(n)
		}
		b |= uint64(s.Bit())
	}
	return b
}

func TestReadingsBecomeInputs(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{})
	b.bits = startBits
	b.want("first scan", "online=true scan "+startText)
	if !slices.Equal(b.did, []Do{SetUp, Read}) {
		t.Errorf("did %v", b.did)
	}
	b.want("nothing new", "")
	b.bits ^= bit("e2")
	b.want("a lift", "e2.")
	b.bits ^= bit("e4", "d7")
	b.want("two squares", "e4x d7.")
	for i, in := range b.inputs[2:] {
		if want := []int64{1020, 1030, 1030}[i]; in.T != want {
			t.Errorf("input %d at %d, want %d", i, in.T, want)
		}
	}
}

func TestWiresAreInvertedMappedAndLeftOut(t *testing.T) {
	t.Parallel()
	l := Layout{Generator: "rows", Rotate: 180, Overrides: map[int]rules.Square{3: rules.NoSquare}}
	m, err := l.Map()
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, Options{Map: m, Inverted: 1 << 0})
	b.bits = 1<<1 | 1<<3
	b.want("wire 0 is inverted, 3 not there", "online=true scan ......xx/......../......../......../......../......../......../........")
	b.bits = 1<<0 | 1<<1
	b.want("both", "h8.")
}

// TestFailedReadIsNoReading has GP-17 and GP-18: an error of the bus must not look like lifted pieces.
func TestFailedReadIsNoReading(t *testing.T) {
	t.Parallel()
	t.Run("GP-18 one failed read is read again at once", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, Options{})
		b.bits = startBits
		b.scan()
		n := 0
		b.fail = func(Do) error {
			if n++; n == 1 {
				return errBus
			}
			return nil
		}
		at := b.next.At
		b.want("failed, then good", "")
		if b.now != at || b.count.FailedReads.Load() != 1 || b.count.FailedScans.Load() != 0 {
			t.Errorf("at %d, want %d; %d reads, %d scans failed", b.now, at, b.count.FailedReads.Load(), b.count.FailedScans.Load())
		}
	})
	t.Run("GP-17 a burst sets the chip up again, then the board is offline", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, Options{})
		b.bits = startBits
		b.scan()
		b.did = nil
		b.fail = func(do Do) error {
			if do == Read {
				return errBus
			}
			return nil
		}
		for b.next.Do != Stop {
			if got := b.step(); len(got) != 0 {
				t.Errorf("a failed scan said %s", told(got))
			}
		}
		if want := []Do{Read, Read, Read, Read, SetUp, Read, Read}; !slices.Equal(b.did, want) {
			t.Errorf("did %v, want %v", b.did, want)
		}
		if err := b.next.Err; !errors.Is(err, errBus) || err.Error() != "3 scans have failed, one after the other: remote I/O error" {
			t.Error(err)
		}
	})
	t.Run("two failed scans are forgotten", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, Options{})
		b.scan()
		for range 5 {
			b.fail = func(Do) error { return errBus }
			b.scan()
			b.fail = nil
			b.scan()
		}
		if b.next.Do == Stop || b.count.FailedScans.Load() != 5 {
			t.Errorf("%v, %d failed scans", b.next, b.count.FailedScans.Load())
		}
	})
	t.Run("a sensor that cannot be set up is not waited for", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, Options{})
		b.fail = func(Do) error { return errBus }
		b.step()
		if b.next.Do != Stop || !errors.Is(b.next.Err, errBus) {
			t.Errorf("%v", b.next)
		}
	})
}

func TestCrowdedScanIsReadAgain(t *testing.T) {
	t.Parallel()
	nine := bit("a3", "b3", "c3", "d3", "e3", "f3", "g3", "h3", "a4")
	b := newBench(t, Options{})
	b.bits = startBits
	b.scan()
	b.bits ^= nine &^ bit("a4")
	b.want("eight changes are taken", "a3x b3x c3x d3x e3x f3x g3x h3x")
	b.bits = startBits

	t.Run("reproduced", func(t *testing.T) {
		b := newBench(t, Options{})
		b.scan()
		b.did, b.bits = nil, nine
		b.want("nine changes", "scan ......../......../......../......../x......./xxxxxxxx/......../........")
		if want := []Do{Read, Check, Read}; !slices.Equal(b.did, want) || b.count.Reread.Load() != 1 || b.count.Dropped.Load() != 0 {
			t.Errorf("did %v, want %v", b.did, want)
		}
	})
	t.Run("gone with the second read", func(t *testing.T) {
		b := newBench(t, Options{})
		b.bits = startBits
		b.scan()
		b.bits ^= nine
		b.step()
		b.step()
		b.bits = startBits ^ bit("e2")
		b.want("the second", "e2.")
		if b.count.Dropped.Load() != 1 {
			t.Error("not counted")
		}
		b.bits ^= nine
		b.step()
		b.bits ^= nine
		b.want("as before", "")
		if b.count.Dropped.Load() != 2 {
			t.Error("not counted")
		}
	})
	t.Run("other nine with the second read", func(t *testing.T) {
		b := newBench(t, Options{})
		b.bits = startBits
		b.scan()
		b.bits = startBits ^ nine
		b.step()
		b.bits = startBits ^ nine<<8
		b.want("nothing", "")
		b.bits = startBits
		b.want("and nothing", "")
	})
	t.Run("a chip that was without power is set up again", func(t *testing.T) {
		b := newBench(t, Options{})
		b.bits = startBits
		b.scan()
		b.bits = ^b.bits
		b.did = nil
		b.fail = func(do Do) error {
			switch do {
			case Check:
				return errors.New("IPOL is 00, not FF")
			case SetUp:
				b.bits = startBits
			}
			return nil
		}
		b.want("no lifts", "")
		if want := []Do{Read, Check, SetUp, Read}; !slices.Equal(b.did, want) || b.count.Lost.Load() != 1 {
			t.Errorf("did %v, want %v", b.did, want)
		}
	})
}

func TestRegistersAreLookedAtNowAndThen(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{})
	b.bits = startBits
	b.scan()
	b.did = nil
	for b.now < 1000+20_000 {
		b.scan()
	}
	checks := 0
	for _, do := range b.did {
		if do == Check {
			checks++
		}
	}
	if checks != 3 || b.count.Scans.Load() < 1990 {
		t.Errorf("%d checks in 20 s, %d scans", checks, b.count.Scans.Load())
	}
	b.fail = func(do Do) error {
		if do == SetUp || do == Check {
			return errBus
		}
		return nil
	}
	b.did = nil
	for b.next.Do != Stop {
		b.step()
	}
	n := len(b.did)
	if want := []Do{Check, SetUp, SetUp, SetUp}; !slices.Equal(b.did[n-4:], want) {
		t.Errorf("a chip that cannot be set up is read: %v", b.did[n-6:])
	}
}

func TestLateScansAreCounted(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{})
	b.scan()
	for range 10 {
		b.scan()
	}
	if n := b.count.Late.Load(); n != 0 || b.now != 1100 {
		t.Errorf("%d late at %d", n, b.now)
	}
	b.took = 35
	b.scan() // at 1110 to 1145: 1120, 1130 and 1140 are left out
	b.took = 0
	b.scan()
	if n := b.count.Late.Load(); n != 3 || b.now != 1150 {
		t.Errorf("%d late, now %d", n, b.now)
	}
}

// TestAlarmIsTrustedLittle has GP-21: an interrupt may miss a release, so there is a full scan now and then all the same.
func TestAlarmIsTrustedLittle(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{Alarm: true})
	b.scan()
	for b.now < 1500 {
		if b.next.At != b.now+10 || b.next.Alarm {
			t.Fatalf("%+v at %d: scans at its period first", b.next, b.now)
		}
		b.scan()
	}
	if !b.next.Alarm || b.next.At != b.now+QuietMs {
		t.Fatalf("%+v at %d: waits for the alarm", b.next, b.now)
	}
	b.bits = bit("a1") // without an alarm
	b.want("the safety scan", "a1x")
	if b.next.Alarm || b.now != 2000 {
		t.Errorf("%+v at %d", b.next, b.now)
	}
	for !b.next.Alarm {
		b.scan()
	}
	b.now += 123 // the alarm
	b.next.At = b.now
	b.bits = 0
	b.want("with the alarm", "a1.")
	if b.next.At != b.now+10 || b.count.Late.Load() != 0 {
		t.Errorf("%+v at %d, %d late", b.next, b.now, b.count.Late.Load())
	}
}

// TestAlarmThatNeverRests has GP-01: an alarm that goes off all the time without a reason makes the engine scan at its period, not as
// fast as it can.
func TestAlarmThatNeverRests(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{Alarm: true})
	for b.now < 10_000 {
		if b.next.Alarm {
			b.next.At = b.now + 1
		}
		b.step()
	}
	if n := b.count.Scans.Load(); n > 930 {
		t.Errorf("%d scans in nine seconds", n)
	}
}

func TestAnalogLevels(t *testing.T) {
	t.Parallel()
	const zero = 1_650_000
	b := newBench(t, Options{Traits: Traits{Analog: true}, Zero: zero, Threshold: 100_000, Release: 90_000, Color: true, Inverted: 1 << 2})
	for wire := range b.levels {
		b.levels[wire] = zero
	}
	b.scan()
	for _, step := range []struct {
		wire  int
		level int32
		want  string
	}{
		{0, zero + 99_999, ""}, {0, zero + 100_000, "a1w"}, {0, zero + 95_000, ""}, {0, zero + 90_000, ""}, {0, zero + 89_999, "a1."}, {0, zero + 95_000, ""},
		{1, zero - 100_000, "b1b"}, {1, zero - 90_000, ""}, {1, zero - 89_999, "b1."},
		{1, zero + 500_000, "b1w"}, {1, zero - 95_000, "b1."}, {1, zero - 500_000, "b1b"}, {1, zero + 500_000, "b1w"},
		{2, zero + 200_000, "c1b"}, {2, zero - 200_000, "c1w"},
		{3, -1 << 31, "d1b"}, {3, 1<<31 - 1, "d1w"},
	} {
		b.levels[step.wire] = step.level
		b.want(fmt.Sprintf("wire %d at %d", step.wire, step.level), step.want)
	}

	levels := make([]int32, Wires)
	levels[0] = 1_200_000
	b = newBench(t, Options{Traits: Traits{Analog: true}, Levels: levels, Threshold: 100_000, Release: 90_000})
	b.levels[0] = 1_000_000
	b.want("presence, each square has its zero", "online=true scan ......../......../......../......../......../......../......../x.......")
	b.levels[0] = 1_400_000
	b.want("the other pole", "")
}

func TestUnchangedScanCostsNothing(t *testing.T) {
	for name, o := range map[string]Options{
		"digital": {}, "matrix": {Traits: Traits{Matrix: true}}, "analog": {Traits: Traits{Analog: true}, Threshold: 1},
	} {
		b := newBench(t, o)
		b.bits = startBits
		b.scan()
		b.scan()
		r := Reading{Bits: b.bits}
		if n := testing.AllocsPerRun(100, func() {
			if in, _ := b.m.Step(b.now, &r, nil); len(in) != 0 {
				t.Errorf("%s: says %s", name, told(in))
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// TestPictureIsWhatWasRead: whatever the sensor says and however it fails, the inputs add up to the last reading that was taken,
// times do not fall, and the machine never stands still.
func TestPictureIsWhatWasRead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := newBench(t, Options{PeriodMs: rapid.Int64Range(1, 50).Draw(t, "period"), Alarm: rapid.Bool().Draw(t, "alarm")})
		b.took = rapid.Int64Range(0, 60).Draw(t, "took")
		b.bits = rapid.Uint64().Draw(t, "bits")
		b.fail = func(Do) error {
			if rapid.IntRange(0, 9).Draw(t, "fails") == 0 {
				return errBus
			}
			return nil
		}
		p := board.EmptyPicture()
		for range 60 {
			if rapid.Bool().Draw(t, "change") {
				b.bits ^= uint64(1) << rapid.IntRange(0, 63).Draw(t, "wire")
			}
			if b.next.Do == Stop {
				return
			}
			before := b.now
			b.scan()
			if b.next.Do != Stop && b.next.At <= before {
				t.Fatalf("stands still at %d: %+v", before, b.next)
			}
		}
		b.fail, b.took = nil, 0
		for range 5 {
			if b.next.Do != Stop {
				b.scan()
			}
		}
		if b.next.Do == Stop {
			return
		}
		last := int64(0)
		for _, in := range b.inputs {
			if in.T < last {
				t.Fatalf("time falls from %d to %d", last, in.T)
			}
			last = in.T
			switch in.Kind {
			case board.Scan:
				p = in.Picture
			case board.Change:
				if p[in.Square] == in.Symbol {
					t.Fatalf("%s was %c already", in.Square, in.Symbol)
				}
				p[in.Square] = in.Symbol
			}
		}
		for s := range rules.Square(64) {
			if (p[s] == board.Something) != (b.bits>>s&1 == 1) {
				t.Fatalf("%s shows %c, the sensor says %d", s, p[s], b.bits>>s&1)
			}
		}
	})
}

func FuzzMachine(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 250, 251, 252, 253, 254, 255}, true, false)
	f.Add([]byte{255, 0, 255, 0, 12, 12, 28, 12}, false, true)
	f.Fuzz(func(t *testing.T, script []byte, matrix, analog bool) {
		m := NewMachine(Options{Map: rows(), Traits: Traits{Matrix: matrix, Analog: analog}, PeriodMs: 10, Threshold: 10, Release: 5, Color: true})
		next := m.Start(0)
		now := int64(0)
		var r Reading
		for _, c := range script {
			if next.Do == Stop {
				return
			}
			now = max(now, next.At)
			var err error
			switch {
			case c < 64:
				r.Bits ^= 1 << c
				r.Levels[c] += 20
			case c < 128:
				r.Bits ^= 0xFF << (c % 56)
				r.Levels[c-64] -= 20
			case c < 200:
				now += int64(c)
			default:
				err = errBus
			}
			var inputs []board.Input
			inputs, next = m.Step(now, &r, err)
			for _, in := range inputs {
				if in.Kind == board.Change && (in.Square > 63 || !board.ColorAcuity.Valid(in.Symbol) && in.Symbol != board.Something) {
					t.Fatalf("%+v", in)
				}
			}
		}
	})
}

// TestOneReadingProvesNoDiodes: a man is set down while a matrix without diodes is being read, one row before it and the next one
// after. The reading looks as only a matrix with diodes can look; it must repeat itself to be believed.
func TestOneReadingProvesNoDiodes(t *testing.T) {
	t.Parallel()
	for repeats, want := range map[int]string{0: "", 1: "", 2: "a3x b3x"} {
		b := newBench(t, Options{Traits: Traits{Matrix: true}})
		b.bits = bit("a1", "b1")
		b.scan()
		b.scan()
		b.bits |= bit("a2") // b2, its ghost, was read before
		for range 1 + repeats {
			b.scan()
		}
		b.bits |= bit("b2")
		b.scan()
		b.bits |= bit("a3", "b3") // one of them is a ghost, where there are no diodes
		if got := told(b.scan()); got != want {
			t.Errorf("torn reading seen %d times: %q, want %q", 1+repeats, got, want)
		}
	}
}
