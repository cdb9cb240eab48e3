package hand

import (
	"math"
	"math/rand/v2"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// player moves the pieces of one game, both sides', and writes down every touch.
type player struct {
	style   Style
	acuity  board.Acuity
	dice    *rand.Rand
	pos     rules.Position // what the game says; the board shows it whenever no ply is under way
	acts    []act
	answers []board.Input
	story   []Incident
	plies   []Ply

	clock   int64   // when the hands are free again
	last    episode // the ply before, for a reply that overlaps it
	settled int64   // when everything before that ply was over
}

// act is one touch: from this moment the square holds this piece, or nothing.
type act struct {
	t     int64
	sq    rules.Square
	piece rules.Piece
}

// episode is the touches of one ply or mishap in the order of time.
type episode struct {
	acts  []act
	story []Incident
	done  int64 // when the ply was complete
}

func (e *episode) tell(t int64, kind string) { e.story = append(e.story, Incident{T: t, Kind: kind}) }

func (e *episode) lift(t int64, q rules.Square) { e.acts = append(e.acts, act{t, q, rules.NoPiece}) }

func (e *episode) place(t int64, q rules.Square, p rules.Piece) {
	e.acts = append(e.acts, act{t, q, p})
}

func (e *episode) touched() (b rules.Bitboard) {
	for _, a := range e.acts {
		b |= a.sq.Bit()
	}
	return b
}

func (e *episode) begin() int64 { return e.acts[0].t }

func (e *episode) end() (t int64) {
	for _, a := range e.acts {
		t = max(t, a.t)
	}
	return t
}

func (e *episode) shift(by int64) {
	for i := range e.acts {
		e.acts[i].t += by
	}
	for i := range e.story {
		e.story[i].T += by
	}
	e.done += by
}

// chance is true at the given rate.
func (p *player) chance(rate float64) bool { return p.dice.Float64() < rate }

// pick draws log-uniformly from a range.
func (p *player) pick(r Range) int64 {
	if r[0] <= 0 {
		return r[0] + p.dice.Int64N(r[1]-r[0]+1)
	}
	low, high := math.Log(float64(r[0])), math.Log(float64(r[1]))
	return min(r[1], max(r[0], int64(math.Round(math.Exp(low+p.dice.Float64()*(high-low))))))
}

// play makes one ply with whatever goes wrong around it.
func (p *player) play(m rules.Move, how Manner) {
	if len(p.last.acts) > 0 && p.chance(p.style.OverlapRate) {
		if e := p.ply(m, how); p.overlap(&e) {
			p.finish(m, e, how)
			return
		}
	}
	start := p.before(m, p.clock+p.pick(p.style.Gap))
	e := p.ply(m, how)
	if p.chance(p.style.ShortRate) {
		p.short(&e, m)
	}
	e.shift(start - e.begin())
	p.around(&e, m)
	p.finish(m, e, how)
}

// overlap moves a reply so that it begins before the last ply is complete; false when the two would meet on a square.
func (p *player) overlap(e *episode) bool {
	if e.touched()&p.last.touched() != 0 {
		return false
	}
	start := max(p.last.done-p.pick(p.style.Overlap), p.last.begin()+1, p.settled+p.pick(reach))
	if start >= p.last.done || start+e.done <= p.last.end() {
		return false // plies are complete in turn
	}
	e.shift(start)
	e.tell(start, "overlap")
	return true
}

func (p *player) finish(m rules.Move, e episode, how Manner) {
	p.write(e)
	p.plies = append(p.plies, Ply{Move: m, LiftedMs: e.begin(), DoneMs: e.done})
	p.settled, p.last = p.last.end(), e
	p.clock = max(p.clock, e.end())
	if m.Promotion() != rules.NoRole {
		p.answer(m, &e, how)
	}
	p.pos.Play(m)
}

// mishap writes down touches that are no ply; it gives when the hands go on.
func (p *player) mishap(kind string, e episode) (free int64) {
	e.tell(e.begin(), kind)
	p.write(e)
	p.last, p.settled = episode{}, e.end()
	return e.end() + p.pick(pause)
}

func (p *player) write(e episode) {
	p.acts = append(p.acts, e.acts...)
	for _, i := range e.story {
		i.Ply = len(p.plies)
		p.story = append(p.story, i)
	}
}

// Times of the hands which hands.toml leaves to the generator.
var (
	reach       = Range{70, 140}    // a hand that has let go of one man is over the next
	pause       = Range{200, 1500}  // between two things that a hand does one after the other
	adjusted    = Range{200, 1200}  // a piece in the air while it is adjusted
	travel      = Range{15, 60}     // from one square to the next while dragging
	exchanging  = Range{400, 1500}  // the pawn on the last rank before it is exchanged
	answering   = Range{600, 2500}  // until a promotion is answered by command
	restWrong   = Range{1000, 4000} // an impossible move rests
	restShort   = Range{400, 2500}  // a piece one square short rests
	restBack    = Range{500, 3000}  // another move rests, a fallen piece lies, the wrong side's move rests
	askewFor    = Range{20, 90}
	brushFor    = Range{15, 80}
	centreAfter = Range{150, 800}
	centreFor   = Range{100, 500}
	settingUp   = Range{100, 300} // from one piece to the next when all are set up
	bothWithin  = Range{20, 200}  // two hands lift or place king and rook
)
