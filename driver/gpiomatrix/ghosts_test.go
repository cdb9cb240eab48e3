package gpiomatrix

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/scan"
	"github.com/boardd/boardd/rules"
)

// engine is a matrix with the engine that reads it.
type engine struct {
	*bench
	sensor  *Sensor
	machine *scan.Machine
	next    scan.Next
	count   scan.Counters
	found   []scan.Finding
	picture board.Picture
	news    int // inputs of squares so far
}

func newEngine(t rapid.TB, closed uint64, noDiodes bool) *engine {
	t.Helper()
	return newToldEngine(t, closed, noDiodes, false)
}

// newToldEngine is newEngine with what the configuration says of diodes.
func newToldEngine(t rapid.TB, closed uint64, noDiodes, told bool) *engine {
	t.Helper()
	e := &engine{bench: newBench(), picture: board.EmptyPicture()}
	e.matrix.NoDiodes = noDiodes
	e.magnets.Set(closed)
	e.sensor = e.bench.sensor(Options{})
	layout := scan.Layout{Generator: "rows"}
	m, err := layout.Map()
	if err != nil {
		t.Fatal(err)
	}
	e.machine = scan.NewMachine(scan.Options{
		Map: m, Traits: e.sensor.Traits(), PeriodMs: 10, Diodes: told, Counters: &e.count, Say: func(f scan.Finding) { e.found = append(e.found, f) },
	})
	e.next = e.machine.Start(0)
	e.scans(t, 3)
	return e
}

// scans lets time pass for n scans.
func (e *engine) scans(t rapid.TB, n int) {
	t.Helper()
	var r scan.Reading
	now := e.next.At
	for end := e.count.Scans.Load() + int64(n); e.count.Scans.Load() < end; {
		now = max(now, e.next.At)
		var err error
		switch e.next.Do {
		case scan.SetUp:
			err = e.sensor.Setup()
		case scan.Check:
			err = e.sensor.Check()
		case scan.Read:
			err = e.sensor.Read(&r)
		case scan.Stop:
			t.Fatal(e.next.Err)
		}
		var inputs []board.Input
		inputs, e.next = e.machine.Step(now, &r, err)
		for _, in := range inputs {
			switch in.Kind {
			case board.Scan:
				e.picture = in.Picture
			case board.Change:
				e.picture[in.Square] = in.Symbol
				e.news++
			}
		}
	}
}

func (e *engine) shows(t rapid.TB, what string, want uint64) {
	t.Helper()
	var got uint64
	for s, symbol := range e.picture {
		if symbol == board.Something {
			got |= 1 << s
		}
	}
	if got != want {
		t.Errorf("%s: shows %016x, want %016x", what, got, want)
	}
}

func squares(names ...string) (b uint64) {
	for _, n := range names {
		s, _ := rules.ParseSquare(n)
		b |= uint64(s.Bit())
	}
	return b
}

const start = 0xFFFF00000000FFFF

// TestMatrixWithoutDiodesIsSaid: in the start position a lift changes nothing, and the man set down on an empty row shows as a whole
// row. None of its squares is reported, and it is said once what is wrong.
func TestMatrixWithoutDiodesIsSaid(t *testing.T) {
	t.Parallel()
	e := newEngine(t, start, true)
	e.magnets.Flip(squares("e2"))
	e.scans(t, 5)
	e.magnets.Flip(squares("e4"))
	e.scans(t, 5)
	e.shows(t, "1. e4", start)
	e.magnets.Flip(squares("e7"))
	e.scans(t, 5)
	e.magnets.Flip(squares("e5"))
	e.scans(t, 5)
	e.shows(t, "1... e5", start)
	if len(e.found) != 0 {
		t.Errorf("found %+v before a hand could have cleared it up", e.found)
	}
	e.scans(t, 200)
	if e.news != 0 {
		t.Errorf("%d squares reported", e.news)
	}
	if len(e.found) != 1 || e.found[0].Kind != "no_diodes" || uint64(e.found[0].Squares) != 0xFFFF<<24 || !strings.Contains(e.found[0].Text, "diode") {
		t.Errorf("found %+v", e.found)
	}
	if e.count.Ghosts.Load() < 2 {
		t.Error("not counted")
	}
}

// TestMatrixWithoutDiodesWhileItIsSetUp: the third corner brings the fourth.
func TestMatrixWithoutDiodesWhileItIsSetUp(t *testing.T) {
	t.Parallel()
	e := newEngine(t, 0, true)
	for _, s := range []string{"a1", "b1", "c1"} {
		e.magnets.Flip(squares(s))
		e.scans(t, 3)
	}
	e.shows(t, "one row", squares("a1", "b1", "c1"))
	e.magnets.Flip(squares("b2"))
	e.scans(t, 3)
	e.shows(t, "the corner", squares("a1", "b1", "c1"))
	e.scans(t, 200)
	if len(e.found) != 1 || uint64(e.found[0].Squares) != squares("a2", "b2", "c2") {
		t.Errorf("found %+v", e.found)
	}
}

// TestMatrixWithDiodesIsBelieved: hands that move one man at a time are read rightly from the first man on, and nothing is found.
func TestMatrixWithDiodesIsBelieved(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		closed := rapid.SampledFrom([]uint64{0, start, 0xFF, 0x8100000000000081}).Draw(t, "closed")
		e := newEngine(t, closed, false)
		for range 12 {
			w := uint64(1) << rapid.IntRange(0, 63).Draw(t, "square")
			closed ^= w
			e.magnets.Flip(w)
			e.magnets.Bounce(w, rapid.IntRange(0, 12).Draw(t, "bounce"))
			e.scans(t, 16)
			e.shows(t, "after a man", closed)
		}
		if len(e.found) != 0 {
			t.Fatalf("found %+v", e.found)
		}
	})
}

// TestTwoMenAtOnce: two men that come down in the same scan and complete a rectangle could be a ghost and its cause, until a lift
// has shown that the contact opposite has a diode.
func TestTwoMenAtOnce(t *testing.T) {
	t.Parallel()
	e := newEngine(t, squares("a1", "b1"), false)
	e.magnets.Flip(squares("a2", "b2"))
	e.scans(t, 3)
	e.shows(t, "not known", squares("a1", "b1"))
	e.magnets.Flip(squares("a2"))
	e.scans(t, 3)
	e.shows(t, "three corners", squares("a1", "b1", "b2"))
	e.magnets.Flip(squares("a2"))
	e.scans(t, 3)
	e.shows(t, "known", squares("a1", "b1", "a2", "b2"))

	e = newEngine(t, squares("a1", "b1"), false)
	e.magnets.Flip(squares("a2", "b2"))
	e.scans(t, 150)
	e.shows(t, "not known", squares("a1", "b1"))
	e.magnets.Flip(squares("c1"))
	e.scans(t, 4)
	e.shows(t, "a third man elsewhere clears it up", squares("a1", "b1", "c1", "a2", "b2"))
	e.scans(t, 300)
	e.magnets.Flip(squares("g7", "h7", "g8", "h8"))
	e.scans(t, 3)
	e.shows(t, "trusted from then on", squares("a1", "b1", "c1", "a2", "b2", "g7", "h7", "g8", "h8"))
	if len(e.found) != 0 {
		t.Errorf("found %+v", e.found)
	}

	e = newEngine(t, start, false)
	e.magnets.Flip(squares("e2"))
	e.scans(t, 3)
	e.magnets.Flip(squares("a4", "h4"))
	e.scans(t, 3)
	e.shows(t, "one lift proves the diodes", start&^squares("e2")|squares("a4", "h4"))
	if len(e.found) != 0 {
		t.Errorf("found %+v", e.found)
	}
}

// TestToldOfDiodes: with diodes = true, or calibrated, nothing is held back from the first reading on.
func TestToldOfDiodes(t *testing.T) {
	t.Parallel()
	e := newToldEngine(t, squares("a1", "b1"), false, true)
	e.magnets.Flip(squares("a2", "b2"))
	e.scans(t, 1)
	e.shows(t, "two men at once", squares("a1", "b1", "a2", "b2"))
	e.scans(t, 300)
	if len(e.found) != 0 || e.count.Ghosts.Load() != 0 {
		t.Errorf("found %+v, %d ghosts", e.found, e.count.Ghosts.Load())
	}
}

// TestWithoutDiodesNothingIsProven: whatever hands do, also while contacts bounce, a matrix without diodes is never taken for one
// that has some: each contact that comes with others is held back as long as it could be their ghost.
func TestWithoutDiodesNothingIsProven(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		e := newEngine(t, 0, true)
		for range 12 {
			w := uint64(1) << rapid.IntRange(0, 63).Draw(t, "square")
			e.magnets.Flip(w)
			e.magnets.Bounce(w, rapid.IntRange(0, 12).Draw(t, "bounce"))
			e.scans(t, 16)
		}
		e.magnets.Set(squares("a1", "b1"))
		e.scans(t, 4)
		e.magnets.Flip(squares("a2"))
		e.scans(t, 4)
		if e.picture[8] != board.Empty || e.picture[9] != board.Empty {
			t.Fatalf("a2 shows %v, b2 %v", e.picture[8], e.picture[9])
		}
		e.scans(t, 200)
		if len(e.found) != 1 {
			t.Fatalf("found %+v", e.found)
		}
	})
}
