package leds

import (
	"cmp"
	"slices"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/rules"
)

// Pair is a man that stands wrongly and the square where it, or one like it, is missing.
type Pair struct{ From, To rules.Square }

// Pairs says which superfluous man of a view goes to which empty place: as many as fit, by the least distance in total. What is left
// has no partner: men to be taken off the board, and squares for men that are not on it.
func Pairs(v *game.View) (pairs []Pair, takeOff, fetch rules.Bitboard) {
	takeOff, fetch = v.Remove, v.Put
	from, to := list(v.Remove), list(v.Put)
	swapped := len(from) > len(to)
	rows, columns := from, to
	if swapped {
		rows, columns = to, from
	}
	costs := make([][]int, len(rows))
	for i, r := range rows {
		costs[i] = make([]int, len(columns))
		for j, c := range columns {
			if swapped {
				costs[i][j] = way(v, c, r)
			} else {
				costs[i][j] = way(v, r, c)
			}
		}
	}
	for i, j := range assign(costs) {
		if costs[i][j] >= unfit {
			continue
		}
		p := Pair{rows[i], columns[j]}
		if swapped {
			p = Pair{columns[j], rows[i]}
		}
		pairs = append(pairs, p)
		takeOff &^= p.From.Bit()
		fetch &^= p.To.Bit()
	}
	return pairs, takeOff, fetch
}

// nextStep is the one thing to do next where guidance shows one man at a time. A square without a partner waits for the man in the
// hand, so it comes first; then the shortest way to a square that is free, then what has to leave the board.
func nextStep(v *game.View) (remove, put rules.Bitboard) {
	pairs, takeOff, fetch := Pairs(v)
	if free := fetch &^ v.Remove; free != 0 {
		return 0, free.First().Bit()
	}
	blocked := func(p Pair) int {
		if v.Remove.Has(p.To) {
			return 1
		}
		return 0
	}
	slices.SortFunc(pairs, func(a, b Pair) int {
		return cmp.Or(cmp.Compare(blocked(a), blocked(b)), cmp.Compare(distance(a.From, a.To), distance(b.From, b.To)),
			cmp.Compare(a.From, b.From))
	})
	switch {
	case len(pairs) > 0 && blocked(pairs[0]) == 0:
		return pairs[0].From.Bit(), pairs[0].To.Bit()
	case takeOff != 0:
		return takeOff.First().Bit(), 0
	case len(pairs) > 0: // men stand in each other's places: one of them has to be taken up first
		return pairs[0].From.Bit(), pairs[0].To.Bit()
	}
	return 0, 0
}

// Prices of bringing a man to a square. The best of several pairings is the one with the most pairs, then the fewest men of which
// nobody knows what they are, then the least distance: 32 men over the longest way cost less than one step up.
const (
	guess = 1 << 16
	unfit = 1 << 22 // 32 of them fit into 32 bits
)

// way is what it costs to bring the man on from to the square to.
func way(v *game.View, from, to rules.Square) int {
	switch stands, wanted := v.Placement[from], v.Wanted[to]; {
	case stands == wanted:
		return distance(from, to)
	case stands == board.Unknown:
		return guess + distance(from, to)
	}
	return unfit
}

// distance is that between two squares in hundredths of a square: as the crow flies, so that the ways of like men never cross.
func distance(a, b rules.Square) int {
	file, rank := a.File()-b.File(), a.Rank()-b.Rank()
	return root(10_000 * (file*file + rank*rank))
}

// root is the whole part of a square root of at most a billion: more overflows where an int has 32 bits.
func root(n int) int {
	r := min(n, 1<<15)
	for r*r > n {
		r = (r + n/r) / 2
	}
	return r
}

func list(b rules.Bitboard) (squares []rules.Square) {
	for b != 0 {
		squares = append(squares, b.Pop())
	}
	return squares
}

// assign gives each row a column of its own so that the costs are least in total (the Hungarian method, with shortest ways from each
// new row). There must be at least as many columns as rows.
func assign(costs [][]int) []int {
	rows := len(costs)
	if rows == 0 {
		return nil
	}
	columns := len(costs[0])
	const none = -1
	rowPrice, columnPrice := make([]int, rows), make([]int, columns)
	owner := slices.Repeat([]int{none}, columns)
	for row := range rows {
		best := slices.Repeat([]int{1 << 30}, columns) // cheapest way to each column so far
		before := slices.Repeat([]int{none}, columns)  // the column by which it comes there
		done := make([]bool, columns)
		at, column := row, none
		for {
			near := none
			for j := range columns {
				if done[j] {
					continue
				}
				if c := costs[at][j] - rowPrice[at] - columnPrice[j]; c < best[j] {
					best[j], before[j] = c, column
				}
				if near == none || best[j] < best[near] {
					near = j
				}
			}
			step := best[near]
			rowPrice[row] += step
			for j := range columns {
				if done[j] {
					rowPrice[owner[j]] += step
					columnPrice[j] -= step
				} else {
					best[j] -= step
				}
			}
			done[near], column = true, near
			if owner[near] == none {
				break
			}
			at = owner[near]
		}
		for column != none { // along the way back everybody moves on by one column
			from := before[column]
			if from == none {
				owner[column] = row
			} else {
				owner[column] = owner[from]
			}
			column = from
		}
	}
	taken := make([]int, rows)
	for j, r := range owner {
		if r != none {
			taken[r] = j
		}
	}
	return taken
}
