package calibration

import (
	"math/bits"
	"strconv"
	"strings"

	"github.com/boardd/boardd/driver/scan"
	"github.com/boardd/boardd/rules"
)

// Finding is something that the builder should know.
type Finding struct {
	Grave bool   // squares are not read, or read wrongly
	Text  string // what was found
	Mend  string // what to do about it; "" for nothing
}

func (k *knowledge) say(grave bool, text, mend string) {
	k.findings = append(k.findings, Finding{grave, text, mend})
}

// wiring is the wire of each square as it is known now, scan.Wires for none.
func (k *knowledge) wiring() (c candidate) {
	for s := range c {
		c[s] = scan.Wires
	}
	switch {
	case !k.set:
	case k.way == byPattern:
		c = k.fits[0]
	case k.way == byMatrix:
		c = k.matrix.wires()
	default:
		for s, w := range k.single {
			if w >= 0 {
				c[s] = uint8(w)
			}
		}
	}
	return c
}

// conclude makes the calibration and the findings.
func (k *knowledge) conclude() {
	c := k.wiring()
	k.wire, k.ahead = c, k.toGo()
	r := &k.result
	for w := range r.Map {
		r.Map[w] = rules.NoSquare
	}
	r.Dead = k.silent
	for s, w := range c {
		square := rules.Square(s)
		switch {
		case w >= scan.Wires:
			r.Dead |= square.Bit()
		case !r.Dead.Has(square):
			r.Map[w] = square
		}
	}
	k.polarity(&c)
	if k.set && !k.fatal {
		k.judge(&c)
	}
}

// polarity finds the wires that say the opposite.
func (k *knowledge) polarity(c *candidate) {
	if k.zero != nil {
		k.result.Levels = k.zero[:]
		k.poles(c)
		return
	}
	known := ""
	at := func(w int) string {
		known = ""
		if s := c.square(w); s < 64 && k.set {
			known = " (" + s.String() + ")"
		}
		return "Wire " + decimal(w) + known
	}
	most := k.rest
	if bits.OnesCount64(k.rest) > 32 {
		k.result.Inverted = k.rest
		k.say(false, "Everything reads full on the empty board: the active level is the wrong way round. This calibration turns it.",
			"Or exchange active_low in [board.sensor] and calibrate again.")
		most = ^k.rest
	} else {
		k.result.Inverted = k.rest & k.changed
	}
	for b := most &^ k.flicker; b != 0 && k.set; b &= b - 1 {
		w := bits.TrailingZeros64(b)
		if k.changed>>w&1 == 1 {
			k.say(false, at(w)+" says the opposite of the others. This calibration turns it.", "")
			continue
		}
		k.say(true, at(w)+" always says the same, and not what the others say on an empty board: it is stuck.",
			"Look for a short, a reed switch that sticks, a sensor the wrong way round, or a magnet left below.")
	}
}

// poles finds the analog wires on which light men make what dark men make on the others: sensors upside down.
func (k *knowledge) poles(c *candidate) {
	if k.levels == nil {
		return
	}
	var light, dark uint64 // wires where a light man raises the level, and where he lowers it
	note := func(s rules.Square, man rules.Square, levels *[scan.Wires]int32) {
		w := c[s]
		if w >= scan.Wires || levels == nil {
			return
		}
		if d := levels[w] - k.zero[w]; d >= k.threshold || -d >= k.threshold {
			if (d > 0) == (man < 32) {
				light |= 1 << w
			} else {
				dark |= 1 << w
			}
		}
	}
	for b := outer; b != 0; {
		s := b.Pop()
		note(s, s, k.levels)
	}
	for _, p := range k.put {
		note(p.square, p.man, p.levels)
	}
	if bits.OnesCount64(light) >= bits.OnesCount64(dark) {
		k.result.Inverted = dark
	} else {
		k.result.Inverted = ^light
	}
	if n := min(bits.OnesCount64(light), bits.OnesCount64(dark)); n > 0 {
		k.say(false, count(n, "square")+" see the poles of a magnet the other way round. This calibration turns them.",
			"If the magnets in the men are glued in at random, colours cannot be told: set acuity = \"presence\".")
	}
}

// judge says what is not as it should be.
func (k *knowledge) judge(c *candidate) {
	for b := k.flicker; b != 0; b &= b - 1 {
		w := bits.TrailingZeros64(b)
		name := "Wire " + decimal(w)
		if s := c.square(w); s < 64 {
			name += " (" + s.String() + ")"
		}
		k.say(true, name+" flickers: it does not come to rest.", "Look for a loose contact; a longer settle_us or a stronger pull-up helps against long wires.")
	}
	for _, s := range k.shared {
		k.say(true, s.square.String()+" and "+s.with.String()+" are on one wire, "+decimal(s.wire)+": a man on either looks the same.",
			"Give "+s.square.String()+" a wire of its own and calibrate again. Until then it counts as dead.")
	}
	dead := k.result.Dead
	for _, s := range k.shared {
		dead &^= s.square.Bit()
	}
	if asked := dead & k.tried; asked != 0 {
		k.say(true, "Nothing reacts at "+names(asked)+".", "Look at the sensor, its solder joints, its diode; try the magnet nearer. If another square reacts instead, calibrate with --every.")
	}
	if near := k.neighbours(c); near != "" {
		k.say(true, "Magnets are felt on squares beside their own: "+near+".", "Use weaker magnets, or more space between magnet and sensor.")
	}
	if extra := c.squares(k.start&^c.wires(outer)) &^ k.tried; extra != 0 && k.done() {
		k.say(true, "Though empty, "+names(extra)+" read full in the start position.", "Look for shorts there, and for magnets that reach too far.")
	}
	if want := k.opt.Threshold; want > 0 && k.pull > 0 && (want > k.pull*3/4 || want < 2*k.noise) {
		k.say(want > k.pull, "A man makes about "+decimal(int(k.pull/1000))+" mV, and sensors are restless by "+decimal(int(k.noise/1000))+
			" mV: threshold_mv = "+decimal(int(want/1000))+" does not suit them.", "Set threshold_mv = "+decimal(int(k.pull/2000))+" in [board.sensor].")
	}
	if k.way == byPattern || !k.done() {
		if k.way == byPattern && len(k.fits) == 1 {
			k.say(false, "The board is wired "+k.called(c)+".", "")
			if k.checked {
				k.say(false, count((k.tried&^k.silent).Len(), "square")+" of 64 were asked for, the others follow from the pattern.",
					"If a square ever answers for another, calibrate with --every, which asks for all of them.")
			}
		}
		return
	}
	p, off := nearest(c)
	off &^= k.result.Dead
	switch {
	case off == 0:
		k.say(false, "The board is wired "+p.words+".", "")
	case off.Len() <= 16 && k.way == byEach:
		text := "The board is wired " + p.words + ", but for " + names(off) + "."
		for _, pair := range exchanged(c, &p, off) {
			text += " " + pair[0].String() + " and " + pair[1].String() + " are exchanged."
		}
		k.say(false, text+" The calibration knows.", "")
	case k.way == byMatrix:
		k.say(false, "The lines of the matrix: "+k.matrix.words()+".", "")
	default:
		k.say(false, "The wiring follows no pattern that boardd knows; every square was asked for.", "")
	}
}

// called is a pattern in words.
func (k *knowledge) called(c *candidate) string {
	for _, p := range patterns() {
		if p.wire == *c {
			return p.words
		}
	}
	return "as the configuration says"
}

// words are the lines of the board's files and ranks.
func (m *matrix) words() string {
	files, ranks := "columns", "rows"
	if m.across {
		files, ranks = ranks, files
	}
	list := func(lines []int8) string {
		var text []string
		for _, l := range lines {
			text = append(text, strconv.Itoa(int(l)))
		}
		return strings.Join(text, " ")
	}
	return "files a to h are the " + files + " " + list(m.file[:]) + ", ranks 1 to 8 the " + ranks + " " + list(m.rank[:])
}

// neighbours are the squares whose men set off a wire of another square, in words.
func (k *knowledge) neighbours(c *candidate) string {
	var list []string
	more := 0
	for s, seen := range k.seen {
		if bits.OnesCount64(seen) < 2 || c[s] >= scan.Wires {
			continue
		}
		others := c.squares(seen &^ (1 << c[s]))
		if others == 0 {
			continue
		}
		if len(list) == 4 {
			more++
			continue
		}
		list = append(list, "that on "+rules.Square(s).String()+" also on "+names(others))
	}
	if more > 0 {
		list = append(list, count(more, "more square"))
	}
	return strings.Join(list, ", ")
}

// done reports whether all has been asked that is needed for the map.
func (k *knowledge) done() bool {
	return k.checked || k.set && k.next().kind == AskCheck
}

// names are squares in words, at most twelve of them.
func names(b rules.Bitboard) string {
	n := b.Len()
	var list []string
	for b != 0 && len(list) < 12 {
		list = append(list, b.Pop().String())
	}
	if n > len(list) {
		list = append(list, "and "+decimal(n-len(list))+" more")
	}
	return strings.Join(list, " ")
}

// wires are wires in words.
func wires(b uint64) string {
	n := bits.OnesCount64(b)
	if n == 1 {
		return "Wire " + decimal(bits.TrailingZeros64(b))
	}
	var list []string
	for ; b != 0 && len(list) < 8; b &= b - 1 {
		list = append(list, decimal(bits.TrailingZeros64(b)))
	}
	if n > len(list) {
		list = append(list, "and "+decimal(n-len(list))+" more")
	}
	return "Wires " + strings.Join(list, " ")
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return decimal(n) + " " + what + "s"
}

func decimal(n int) string { return strconv.Itoa(n) }
