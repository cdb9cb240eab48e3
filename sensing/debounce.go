package sensing

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// change is one settled change of a square.
type change struct {
	t        int64 // when its first sample came
	square   rules.Square
	from, to board.Symbol
	weak     bool // from == to: the square left from for a moment too short to settle, up to until
	until    int64
	seen     board.Symbol // what it showed meanwhile
	passed   passage      // not weak: what it showed on its way to another symbol
}

// passage is a man that a square showed for a moment.
type passage struct {
	symbol     board.Symbol // 0 for none
	came, went int64
}

// debouncer makes settled changes out of raw ones: a square that keeps its symbol for settle milliseconds has changed, as of
// its first deviating sample. Changes come out in the order of those first samples; a square still bouncing holds the later
// ones back for at most holdBounceMs.
type debouncer struct {
	settle  int64
	settled board.Picture
	raw     board.Picture
	started [64]int64     // first sample of the open excursion
	moved   [64]int64     // last raw change
	seen    board.Picture // what the square last showed beside its settled symbol
	passed  [64]passage   // … and has left again, if that was a man
	open    rules.Bitboard
	out     []change
}

func (d *debouncer) reset(p board.Picture) {
	d.settled, d.raw, d.open = p, p, 0
}

// see takes one raw symbol. It reports whether anything is new.
func (d *debouncer) see(t int64, s rules.Square, sym board.Symbol) bool {
	if d.raw[s] == sym {
		return false
	}
	if !d.open.Has(s) {
		d.open |= s.Bit()
		d.started[s] = t
		d.passed[s] = passage{}
	}
	if was := d.raw[s]; was != d.settled[s] && was != board.Empty && was != board.Unknown {
		d.passed[s] = passage{was, d.moved[s], t}
	}
	if sym != d.settled[s] {
		d.seen[s] = sym
	}
	d.raw[s], d.moved[s] = sym, t
	return true
}

// wake is when a square may settle next, 0 if none is open.
func (d *debouncer) wake(now int64) (w int64) {
	for b := d.open; b != 0; {
		s := b.Pop()
		at := d.moved[s] + d.settle
		if at <= now { // settled, but held back by an earlier square
			at = now + 1
			if hold := d.moved[s] + d.settle + holdBounceMs; hold > at {
				at = hold
			}
			if e := d.earliest(now); e > now && e < at {
				at = e
			}
		}
		if w == 0 || at < w {
			w = at
		}
	}
	return w
}

// earliest is when the first square that still bounces may have settled.
func (d *debouncer) earliest(now int64) (w int64) {
	for b := d.open; b != 0; {
		if at := d.moved[b.Pop()] + d.settle; at > now && (w == 0 || at < w) {
			w = at
		}
	}
	return w
}

// take gives the changes that have settled at now, in order. The slice is valid until the next call. With all, nothing is
// held back.
func (d *debouncer) take(now int64, all bool) []change {
	d.out = d.out[:0]
	if d.open == 0 {
		return d.out
	}
	var done rules.Bitboard
	bouncing := int64(-1) // first sample of the earliest square that still bounces
	for b := d.open; b != 0; {
		s := b.Pop()
		if all || now-d.moved[s] >= d.settle {
			done |= s.Bit()
		} else if bouncing < 0 || d.started[s] < bouncing {
			bouncing = d.started[s]
		}
	}
	for done != 0 {
		s := done.Pop()
		held := bouncing >= 0 && bouncing < d.started[s] && now-d.moved[s]-d.settle < holdBounceMs
		if held {
			continue
		}
		d.open &^= s.Bit()
		c := change{t: d.started[s], square: s, from: d.settled[s], to: d.raw[s]}
		if c.from == c.to {
			c.weak, c.until, c.seen = true, d.moved[s], d.seen[s]
		} else if p := d.passed[s]; p.symbol != c.to {
			c.passed = p
		}
		d.settled[s] = d.raw[s]
		// Insertion keeps the order of first samples; of one instant, lifts come first, so that one hand can hold both.
		i := len(d.out)
		d.out = append(d.out, c)
		for ; i > 0 && before(c, d.out[i-1]); i-- {
			d.out[i] = d.out[i-1]
		}
		d.out[i] = c
	}
	return d.out
}

func before(a, b change) bool {
	if a.t != b.t {
		return a.t < b.t
	}
	return a.to == board.Empty && b.to != board.Empty
}
