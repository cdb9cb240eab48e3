package hand

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// Performance is a game as a board reports it, and what the hands really did. All times are milliseconds from its start.
type Performance struct {
	// Inputs are the changes that the sensors report, and the commands with which players answer a promotion prompt. Their
	// times never fall.
	Inputs []board.Input
	// Plies is the truth: what was played, and when.
	Plies []Ply
	// Incidents is what was not simply lifted and put down, in the order of time.
	Incidents []Incident
	// End is when the hands came to rest.
	End int64
	// Final is the position at the end.
	Final rules.Position
}

// Ply is one ply that was played and stands at the end.
type Ply struct {
	Move     rules.Move
	LiftedMs int64 // its first touch
	DoneMs   int64 // its last man came down, or its victim left
}

// Incident is one thing worth telling: slide, overlap, missed phase, brush, askew, centre, adjust, other piece, illegal,
// short, takeback, knock, wrong side, answer or gesture.
type Incident struct {
	T    int64
	Ply  int // index of the ply during or before which it happened
	Kind string
}

// Capture is a way to capture, Castle a way to castle, PromotionWay a way to promote, Answer a way to say which piece it was;
// the zero values leave it to the style.
type (
	Capture      uint8
	Castle       uint8
	PromotionWay uint8
	Answer       uint8
)

// The ways that a Manner may ask for.
const (
	AnyCapture Capture = iota
	VictimFirst
	OwnFirst
	OneMotion
)

// King first, rook first, or both in the air at once.
const (
	AnyCastle Castle = iota
	KingFirst
	RookFirst
	Both
)

// The new piece goes straight down, or the pawn is set down and exchanged.
const (
	AnyPromotion PromotionWay = iota
	Straight
	Exchange
)

// The prompt is answered by command or by lifting the new piece again (a queen only by command), where the board cannot see it.
const (
	AnyAnswer Answer = iota
	ByCommand
	ByGesture
)

// Manner asks for one way of making a ply.
type Manner struct {
	Capture   Capture
	Castle    Castle
	Promotion PromotionWay
	Answer    Answer
}

// Play is a whole game by the hands of a style. Each move must be legal after those before it. The same arguments give the
// same performance.
func Play(style Style, sensor Sensor, start rules.Position, moves []rules.Move, seed uint64) Performance {
	s := NewScript(style, sensor, start, seed)
	for _, m := range moves {
		s.Move(m, Manner{})
	}
	return s.Perform()
}

// Script is a performance that is put together step by step.
type Script struct {
	start  rules.Position
	sensor Sensor
	seed   uint64
	player player
}

// NewScript begins with the men standing as in start.
func NewScript(style Style, sensor Sensor, start rules.Position, seed uint64) *Script {
	return &Script{start, sensor, seed, player{
		style: style, acuity: sensor.Acuity, pos: start,
		dice: rand.New(rand.NewPCG(seed, 0x68616e64)),
	}}
}

// Position is what the game has come to.
func (s *Script) Position() rules.Position { return s.player.pos }

// Move plays a legal move, with whatever the style lets go wrong.
func (s *Script) Move(m rules.Move, how Manner) { s.player.play(m, how) }

// Illegal sets a man down where it may not go, leaves it there for so many milliseconds, and puts it back.
func (s *Script) Illegal(from, to rules.Square, rest int64) {
	p := &s.player
	p.clock = p.mishap("illegal", p.thereAndBack(from, to, p.clock+p.pick(p.style.Gap), rest))
}

// SetUp takes off what does not belong to a position, and puts in its place what does: the board for the next game.
func (s *Script) SetUp(to rules.Position) {
	p := &s.player
	var e episode
	t := p.clock + p.pick(pause)
	for _, off := range [...]bool{true, false} {
		for q := range rules.NoSquare {
			is, want := p.pos.At(q), to.At(q)
			switch {
			case is == want:
				continue
			case off && is != rules.NoPiece:
				e.lift(t, q)
			case !off && want != rules.NoPiece:
				e.place(t, q, want)
			default:
				continue
			}
			t += p.pick(settingUp)
		}
	}
	p.write(e)
	p.clock, p.last, p.settled, p.pos = max(p.clock, e.end()), episode{}, e.end(), to
}

// Wait keeps the hands still for so many milliseconds.
func (s *Script) Wait(ms int64) { s.player.clock += ms }

// Perform is everything so far as the sensors report it.
func (s *Script) Perform() Performance { return s.perform(s.sensor) }

// Handled is everything so far as it was done, for a board that looks for itself: the inputs say by FEN letters what stands on
// a square from a moment on. The hands do what they do before a board of the script's acuity.
func (s *Script) Handled() Performance {
	return s.perform(Sensor{Acuity: board.PieceAcuity, PeriodMs: 1})
}

func (s *Script) perform(sensor Sensor) Performance {
	p := &s.player
	acts := slices.Clone(p.acts)
	slices.SortStableFunc(acts, byTime)
	in := append(sensor.read(&s.start, acts, rand.New(rand.NewPCG(s.seed, 0x626f617264))), p.answers...)
	slices.SortStableFunc(in, func(a, b board.Input) int { return cmp.Compare(a.T, b.T) })
	story := slices.Clone(p.story)
	slices.SortStableFunc(story, func(a, b Incident) int { return cmp.Compare(a.T, b.T) })
	end := p.clock
	for _, a := range acts {
		end = max(end, a.t)
	}
	for _, i := range in {
		end = max(end, i.T)
	}
	return Performance{Inputs: in, Plies: slices.Clone(p.plies), Incidents: story, End: end, Final: p.pos}
}
