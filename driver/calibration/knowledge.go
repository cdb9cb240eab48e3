package calibration

import (
	"math/bits"
	"slices"

	"github.com/boardd/boardd/driver/scan"
	"github.com/boardd/boardd/rules"
)

// Ask is what the builder is asked to do.
type Ask uint8

// What can be asked.
const (
	AskEmpty   Ask = iota // take everything off
	AskCorners            // put men on a1, b1 and a2 of a matrix, nothing else
	AskSetup              // set up the start position
	AskLift               // lift the man of a square
	AskPut                // put that man, or the one that walks, on a square
	AskClear              // take off what still stands
	AskCheck              // touch what you like
	AskRestore            // put the men as they stood before the step that was taken back
	AskNothing            // it has ended
)

type step struct {
	kind   Ask
	square rules.Square
}

// event is a step with what was seen. The list of events is all evidence: everything else follows from it, so that a step can be
// taken back.
type event struct {
	step
	before, after uint64 // wires that were on
	flicker       uint64
	skipped       bool
	raw           uint64
	levels        *[scan.Wires]int32
	noise         int32
}

const (
	outer  = rules.Bitboard(0xffff00000000ffff) // where the men of the start position stand
	middle = ^outer
)

// way is how the map is looked for.
type way uint8

const (
	byPattern way = iota // one of the patterns that boards are wired in
	byMatrix             // rows and columns in any order
	byEach               // every square by itself
)

// knowledge is what follows from the evidence.
type knowledge struct {
	opt *Options
	way way

	rest      uint64
	zero      *[scan.Wires]int32
	threshold int32
	noise     int32
	pull      int32 // analog: how far from zero a man brings a level, microvolts
	flicker   uint64
	changed   uint64 // wires that were seen on and off

	emptied, ghosted, set, walking, checked bool
	fatal                                   bool
	start                                   uint64 // wires on in the start position
	corner                                  uint64 // of a matrix: the wires of a1, b1 and a2
	levels                                  *[scan.Wires]int32

	seen          [64]uint64     // wires that changed with the man of a square
	tried, silent rules.Bitboard // squares that were asked for, and those with which nothing changed
	walked        rules.Bitboard // squares on which the walking man stood
	put           []putDown      // analog: men that were put down
	lifts, places int
	standing      rules.Bitboard   // men
	origin        [64]rules.Square // where the man of a square stood first
	hand          rules.Square     // the man that was just lifted, by where he stood first
	from          rules.Square     // where he was lifted

	fits   []candidate
	matrix matrix
	single [64]int8 // byEach: the wire of a square, -1 for none
	shared []shared

	wire     candidate // of each square as it is known now, scan.Wires for none
	ahead    ahead
	result   scan.Calibration
	findings []Finding
}

// shared is a square on the wire of another one.
type shared struct {
	square, with rules.Square
	wire         int
}

// putDown is a man on a square, named by where he stood first, with the levels of all wires then.
type putDown struct {
	square, man rules.Square
	levels      *[scan.Wires]int32
}

// learn looks at all evidence.
func learn(o *Options, log []event) *knowledge {
	k := &knowledge{opt: o, hand: rules.NoSquare, from: rules.NoSquare}
	for i := range k.origin {
		k.origin[i] = rules.NoSquare
	}
	switch {
	case o.Every:
		k.way = byEach
	case o.Traits.Matrix:
		k.way = byMatrix
	}
	for i := range log {
		k.take(&log[i])
	}
	if !k.set || k.fatal {
		k.conclude()
		return k
	}
	if k.far() {
		k.way = byEach
	}
	if k.way == byPattern {
		k.fits = fitting(k)
		if len(k.fits) == 0 {
			k.way = byEach
		}
	}
	if k.way == byMatrix && !k.matrix.learn(k) {
		k.way = byEach
	}
	if k.way == byEach {
		k.resolve()
	}
	k.conclude()
	return k
}

// take adds one event.
func (k *knowledge) take(e *event) {
	k.flicker |= e.flicker
	hand := k.hand
	k.hand = rules.NoSquare
	if e.kind != AskEmpty {
		k.changed |= e.after | e.before
	}
	switch e.kind {
	case AskEmpty:
		k.emptied, k.rest = true, e.raw
		if e.levels != nil {
			k.zero, k.noise, k.rest = e.levels, e.noise, 0
			k.threshold = max(4*k.noise, 15000)
		}
	case AskCorners:
		k.ghosted, k.corner = true, e.after
		k.ghosts(e.after)
	case AskSetup:
		k.set, k.start, k.levels, k.standing = true, e.after, e.levels, outer
		if e.levels != nil {
			k.weigh()
		}
		for b := outer; b != 0; {
			s := b.Pop()
			k.origin[s] = s
		}
	case AskLift:
		k.lifts++
		k.hand, k.from = k.origin[e.square], e.square
		k.origin[e.square] = rules.NoSquare
		k.standing &^= e.square.Bit()
		k.observe(e, e.before&^e.after)
	case AskPut:
		k.places++
		if e.levels != nil && !e.skipped {
			man := hand
			if k.walking {
				man = 0 // a light one was asked for
			}
			if man < 64 {
				k.put = append(k.put, putDown{e.square, man, e.levels})
			}
		}
		if k.walking {
			k.standing, k.origin = 0, [64]rules.Square{}
			for i := range k.origin {
				k.origin[i] = rules.NoSquare
			}
			k.walked |= e.square.Bit()
			k.observe(e, e.after)
		} else {
			k.observe(e, e.after&^e.before)
		}
		k.standing |= e.square.Bit()
		k.origin[e.square] = hand
		if k.walking {
			k.origin[e.square] = 0
		}
	case AskClear:
		k.walking, k.standing = true, 0
	case AskCheck:
		k.checked = true
	}
}

// observe notes which wires changed with a man.
func (k *knowledge) observe(e *event, wires uint64) {
	bit := e.square.Bit()
	k.tried |= bit
	if e.skipped || wires == 0 {
		if k.seen[e.square] == 0 {
			k.silent |= bit
		}
		return
	}
	if both := k.seen[e.square] & wires; both != 0 {
		wires = both
	}
	k.seen[e.square] = wires
	k.silent &^= bit
}

// weigh finds the threshold of analog sensors from the start position: half of what a man in the middle of the strong half makes.
func (k *knowledge) weigh() {
	if k.zero == nil {
		return
	}
	var away [scan.Wires]int32
	for i, l := range k.levels {
		away[i] = max(l-k.zero[i], k.zero[i]-l)
	}
	sorted := away
	slices.Sort(sorted[:])
	k.pull = sorted[47]
	k.threshold = max(4*k.noise, k.pull/2, 1)
	k.start = 0
	for i, a := range away {
		if a >= k.threshold {
			k.start |= 1 << i
		}
	}
	k.start &^= k.flicker
}

// next is what to ask.
func (k *knowledge) next() step {
	switch {
	case !k.emptied:
		return step{kind: AskEmpty}
	case k.opt.Traits.Matrix && !k.ghosted:
		return step{kind: AskCorners}
	case k.fatal, k.checked:
		return step{kind: AskNothing}
	case !k.set:
		return step{kind: AskSetup}
	}
	s, ok := step{}, false
	switch k.way {
	case byPattern:
		s, ok = k.nextByPattern()
	case byMatrix:
		s, ok = k.nextByMatrix()
	default:
		s, ok = k.nextByEach()
	}
	if ok {
		return s
	}
	return step{kind: AskCheck}
}

// suspects are squares of which something is odd: their wire was not on in the start position though a man stood there, or was on
// though none did, or was on already on the empty board, or flickers.
func (k *knowledge) suspects(wireOf *candidate) rules.Bitboard {
	odd := k.start ^ wireOf.wires(outer) | k.flicker
	if n := bits.OnesCount64(k.rest); n <= 32 {
		odd |= k.rest
	} else {
		odd |= ^k.rest
	}
	return wireOf.squares(odd) &^ k.tried
}

// liftOf is the lift of the best square of some, by what good is: more is better, 0 is not at all.
func (k *knowledge) liftOf(some rules.Bitboard, good func(rules.Square) int) (step, bool) {
	best, most := rules.NoSquare, 0
	for _, s := range handy {
		if some.Has(s) {
			if g := good(s); g > most {
				best, most = s, g
			}
		}
	}
	return step{AskLift, best}, best != rules.NoSquare
}

// handy are all squares in the order in which they are asked for where it does not matter: corners first, then along the ranks.
var handy = func() (order []rules.Square) {
	order = []rules.Square{0, 7, 56, 63}
	for s := range rules.Square(64) {
		if !slices.Contains(order, s) {
			order = append(order, s)
		}
	}
	return order
}()

// surprise is what to ask before a wire is believed that contradicts what was known, "" for nothing.
func (k *knowledge) surprise(st step, wire uint64) string {
	w := bits.TrailingZeros64(wire)
	other := rules.NoSquare
	switch k.way {
	case byPattern:
		if slices.ContainsFunc(k.fits, func(c candidate) bool { return int(c[st.square]) == w }) {
			return ""
		}
		other = k.fits[0].square(w)
	case byMatrix:
		if k.matrix.agrees(st.square, w) {
			return ""
		}
		other = k.matrix.square(w)
	default:
		for s, seen := range k.seen {
			if seen == wire && rules.Square(s) != st.square {
				other = rules.Square(s)
			}
		}
		if other == rules.NoSquare {
			return ""
		}
		return "That is the wire of " + other.String() + ". If the man is really that of " + st.square.String() + ", press Enter: both are on one wire."
	}
	if other == rules.NoSquare {
		return "Wire " + decimal(w) + " was not expected. If the man is really that of " + st.square.String() + ", press Enter."
	}
	return "By what is known that wire would be " + other.String() + ". If the man is really that of " + st.square.String() + ", press Enter."
}
