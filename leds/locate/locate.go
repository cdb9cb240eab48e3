// Package locate finds out which LED is on which square: it has one lit at a time and asks which square that is. It is a machine
// without I/O: what the sensors see, keys and the time go in, what to light and to ask comes out.
package locate

import (
	"slices"

	"github.com/boardd/boardd/leds/order"
	"github.com/boardd/boardd/rules"
)

// Rest is how many milliseconds the sensors must not change before they are believed, Patience after how many a hint comes.
const (
	Rest     = 500
	Patience = 4000
)

// Key is what the builder pressed; the keys are those of package calibration.
type Key byte

// The keys.
const (
	NoKey Key = 0
	Enter Key = '\n'
	Skip  Key = 's' // this LED is dark, or on no square
	Undo  Key = 'u'
	Wrong Key = 'n' // at the check: another square was lit
	Quit  Key = 'q'
)

// Options are what is known of the LEDs.
type Options struct {
	PerSquare order.PerSquare
	Count     int  // LEDs in the chain; 0: as many as PerSquare needs
	Every     bool // ask for each LED by itself
}

// Machine is one search. See New.
type Machine struct {
	opt     Options
	ways    []way
	answers []answer
	left    []way // that fit all answers
	led     int   // lit now, -1 for none
	each    bool
	touched rules.Bitboard // corners: squares of this LED so far

	began  bool
	seen   rules.Bitboard // as the sensors were when they last rested
	now    rules.Bitboard
	at     int64 // when they last changed
	since  int64 // when the LED was lit
	tried  int   // squares touched in the check
	echo   rules.Square
	ended  bool
	quit   bool
	wanted order.Layout // of the check
}

// answer is what squares a LED is on; none for a dark one.
type answer struct {
	led     int
	squares rules.Bitboard
	every   bool // squares are all of them, not one
}

// way is a way in which LEDs are laid.
type way struct {
	options order.Options
	layout  order.Layout
	on      []rules.Bitboard // by LED
}

// New begins a search.
func New(o Options) *Machine {
	m := &Machine{opt: o, each: o.Every, echo: rules.NoSquare}
	for _, start := range []string{"a1", "h1", "a8", "h8"} {
		for i := range 4 {
			w := way{options: order.Options{PerSquare: o.PerSquare, Start: start, Files: i&1 == 1, Serpentine: i&2 == 2}}
			var err error
			if w.layout, err = order.New(w.options); err != nil {
				continue
			}
			if m.opt.Count == 0 {
				m.opt.Count = w.layout.Count
			}
			w.on = make([]rules.Bitboard, max(w.layout.Count, m.opt.Count))
			for q, leds := range w.layout.LEDs {
				for _, led := range leds {
					w.on[led] |= rules.Square(q).Bit()
				}
			}
			m.ways = append(m.ways, w)
		}
	}
	m.plan()
	return m
}

// Prompt is what to light and to say.
type Prompt struct {
	LED      int            // to be lit alone, -1 for none
	Squares  rules.Bitboard // to be lit instead, in the check
	Layout   order.Layout   // by which Squares are lit
	Text     string
	Hint     string
	Keys     string
	Progress string
	Check    bool
	Ended    bool
}

// Result is how the LEDs are laid: in a regular way, or by a table. It is to be believed only if ok.
func (m *Machine) Result() (o order.Options, ok bool) {
	if len(m.left) > 0 && !m.each {
		o = m.left[0].options
	} else {
		o = order.Options{PerSquare: m.opt.PerSquare, Table: m.table()}
	}
	return o, m.ended && !m.quit
}

// table are the answers as a table.
func (m *Machine) table() [][]rules.Square {
	t := make([][]rules.Square, m.opt.Count)
	for _, a := range m.answers {
		if m.opt.PerSquare == order.Corners && !a.every {
			continue
		}
		for b := a.squares; b != 0; {
			t[a.led] = append(t[a.led], b.Pop())
		}
	}
	return t
}

// plan decides which LED is lit next.
func (m *Machine) plan() {
	m.touched, m.tried, m.echo = 0, 0, rules.NoSquare
	m.left = nil
	for _, w := range m.ways {
		if !slices.ContainsFunc(m.answers, func(a answer) bool { return a.squares != 0 && a.squares&^w.on[a.led] != 0 }) {
			m.left = append(m.left, w)
		}
	}
	if len(m.left) == 0 || m.opt.Count < 64 {
		m.each = true
	}
	if m.led = m.next(); m.led < 0 {
		m.wanted = order.Layout{}
		o, _ := m.Result()
		if l, err := order.New(o); err == nil {
			m.wanted = l
		}
	}
}

func (m *Machine) asked(led int) bool {
	return slices.ContainsFunc(m.answers, func(a answer) bool { return a.led == led && (!m.each || m.opt.PerSquare != order.Corners || a.every) })
}

// next is the LED that tells the ways apart best, then the last one; -1 when all is known.
func (m *Machine) next() int {
	if m.each {
		for led := range m.opt.Count {
			if !m.asked(led) {
				return led
			}
		}
		return -1
	}
	best, most := -1, 1
	for led := range m.left[0].on {
		var sets []rules.Bitboard
		for i := range m.left {
			if on := m.left[i].on[led]; on != 0 && !slices.ContainsFunc(sets, func(s rules.Bitboard) bool { return s&on != 0 }) {
				sets = append(sets, on)
			}
		}
		if len(sets) > most && !m.asked(led) {
			best, most = led, len(sets)
		}
	}
	last := m.left[0].layout.Count - 1
	if best < 0 && (!m.asked(last) || len(m.answers) < 3) {
		for _, led := range []int{last, last / 2, last / 3} {
			if !m.asked(led) {
				return led
			}
		}
	}
	return best
}

// Step takes what squares the sensors see full at the time now, in milliseconds, which never falls, and a key or NoKey. After the end
// it changes nothing more.
func (m *Machine) Step(now int64, full rules.Bitboard, key Key) (Prompt, bool) {
	if m.ended {
		return m.prompt(now), true
	}
	if !m.began {
		m.began, m.seen, m.now, m.at, m.since = true, full, full, now, now
	}
	if full != m.now {
		m.now, m.at = full, now
	}
	touched := rules.NoSquare
	if now-m.at >= Rest && m.now != m.seen {
		if d := m.now ^ m.seen; d.Len() == 1 {
			touched = d.First()
		}
		m.seen = m.now
	}
	switch {
	case key == Quit:
		m.ended, m.quit = true, true
	case key == Undo && len(m.answers) > 0:
		m.answers = m.answers[:len(m.answers)-1]
		m.each = m.opt.Every
		m.light(now)
	case m.led < 0:
		m.check(now, touched, key)
	case key == Skip:
		m.answer(now, 0)
	case m.each && m.opt.PerSquare == order.Corners:
		if touched < 64 {
			m.touched |= touched.Bit()
		}
		if key == Enter && m.touched != 0 {
			m.answer(now, m.touched)
		}
	case touched < 64:
		m.answer(now, touched.Bit())
	}
	return m.prompt(now), m.ended
}

func (m *Machine) answer(now int64, squares rules.Bitboard) {
	m.answers = append(m.answers, answer{m.led, squares, m.each})
	m.light(now)
}

func (m *Machine) light(now int64) {
	m.since = now
	m.plan()
}

// check lights what is touched.
func (m *Machine) check(now int64, touched rules.Square, key Key) {
	if touched < 64 {
		m.echo, m.tried = touched, m.tried+1
	}
	switch {
	case key == Wrong:
		m.opt.Every, m.each, m.answers = true, true, nil
		m.light(now)
	case key == Enter && m.tried >= 2 && m.wanted.Count > 0:
		m.ended = true
	}
}
