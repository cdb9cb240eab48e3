package game

import (
	"slices"

	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing"
)

// WeakSquare is the body of "weak_square": a square whose sensor is not to be trusted. Kind is flicker (it blinks by itself),
// stuck (men come and go and it does not change) or never_seen (a man was set down there and is not seen: a magnet over the
// dead middle of a reed switch is, until somebody moves it a little). Count is how often that was seen of late.
type WeakSquare struct {
	Square rules.Square `json:"square"`
	Kind   string       `json:"kind"`
	Count  int          `json:"count"`
}

func (*WeakSquare) event() string { return "weak_square" }

// sayWeak says each weak square once, and again only after it was well for a while.
func (t *Table) sayWeak(r *sensing.Report) {
	same := func(a, b sensing.WeakSquare) bool { return a.Square == b.Square && a.Kind == b.Kind }
	for _, w := range r.Weak {
		if !slices.ContainsFunc(t.weak, func(o sensing.WeakSquare) bool { return same(o, w) }) {
			b := weakSquare(w)
			t.emit(&b)
		}
	}
	t.weak = append(t.weak[:0], r.Weak...)
}

func weakSquare(w sensing.WeakSquare) WeakSquare {
	return WeakSquare{w.Square, w.Kind.String(), w.Count}
}

// weakSquares is what the snapshot says of them; nil for none.
func (t *Table) weakSquares() (list []WeakSquare) {
	for _, w := range t.weak {
		list = append(list, weakSquare(w))
	}
	return list
}
