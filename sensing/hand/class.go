package hand

import (
	"math/rand/v2"
	"slices"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// Trial is one situation by itself: where it began, what was played, and what the sensors told.
type Trial struct {
	Start rules.Position
	Moves []rules.Move
	Performance
}

// class is one kind of situation: which moves it can begin with, and how the hands act in it. act writes down all plies of
// the situation; false means that it cannot come up in this position after all.
type class struct {
	name string
	fits func(*player, rules.Move) bool
	act  func(*player, rules.Move) bool
}

// classes are the situations which an algorithm reads or does not read, however often they come up. Public algorithms were
// compared by classes of these names.
var classes = []class{
	{"quiet", quiet, simply((*player).carried)},
	{"slide", slidable, simply((*player).slid)},
	{"slide-rest", slidable, simply((*player).stopping)},
	{"bounce", quiet, simply((*player).carried)}, // it is the sensor that bounces
	{"lift-lost", quiet, simply((*player).liftLost)},
	{"place-before-lift", quiet, simply((*player).placedEarly)},
	{"adjust-own", quiet, (*player).adjustOwn},
	{"adjust-opp", quiet, (*player).adjustOther},
	{"nudge", quiet, (*player).nudging},
	{"try-illegal", quiet, (*player).tryIllegal},
	{"wrong-side", quiet, (*player).wrongSideFirst},
	{"takeback", quiet, (*player).takebackFirst},
	{"cap-own-first", taking, simply((*player).ownFirst)},
	{"cap-victim-first", taking, simply((*player).victimFirst)},
	{"cap-off-missed", taking, then(simply((*player).carried), (*player).reply)},
	{"cap-adjust-first", taking, (*player).captureAdjusted},
	{"cap-undecided", taking, (*player).undecided},
	{"cap-place-first", taking, simply((*player).capturedEarly)},
	{"castle-king-first", castling, castles(KingFirst)},
	{"castle-rook-first", castling, castles(RookFirst)},
	{"castle-both", castling, castles(Both)},
	{"castle-overlap", castling, then(castles(KingFirst), (*player).hasty)},
	{"ep-move-first", passing, simply((*player).passedMoveFirst)},
	{"ep-victim-first", passing, simply((*player).passedVictimFirst)},
	{"ep-both", passing, simply((*player).passedBoth)},
	{"ep-overlap", passing, then(simply((*player).passedMoveFirst), (*player).hasty)},
	{"overlap-3", quiet, then(simply((*player).carried), (*player).hasty, (*player).hasty)},
	{"blitz-3", quiet, then(simply((*player).quick), (*player).quickReply, (*player).quickReply)},
}

// Classes are the names of the situations that NewTrial knows.
func Classes() (names []string) {
	for _, c := range classes {
		names = append(names, c.name)
	}
	return names
}

// NewTrial makes a trial of a class in a position reached by random play, and after it so many further plies by calm hands,
// for a class of which only later plies can tell. The same arguments give the same trial; ok is false when there is no such
// class.
func NewTrial(name string, acuity board.Acuity, further int, seed uint64) (t Trial, ok bool) {
	i := slices.IndexFunc(classes, func(c class) bool { return c.name == name })
	if i < 0 {
		return t, false
	}
	// Touches reach the board as they are: what a sensor's own period blurs is not the matter here.
	sensor := Sensor{Acuity: acuity, PeriodMs: 1}
	if name == "bounce" {
		sensor.BounceRate = 1
	}
	dice := rand.New(rand.NewPCG(seed, 0x636c617373))
	for {
		start, m, ok := wander(dice, classes[i].fits)
		if !ok {
			continue
		}
		s := NewScript(calm, sensor, start, dice.Uint64())
		s.player.clock = s.player.pick(unhurried)
		good := classes[i].act(&s.player, m)
		for n := further; n > 0 && good; n-- {
			good = s.player.reply()
		}
		if !good {
			continue
		}
		t.Start, t.Performance = start, s.Perform()
		for _, ply := range t.Plies {
			t.Moves = append(t.Moves, ply.Move)
		}
		return t, true
	}
}

// wander plays random moves to some depth, and on to a position where a move fits.
func wander(dice *rand.Rand, fits func(*player, rules.Move) bool) (pos rules.Position, m rules.Move, ok bool) {
	p := player{pos: rules.Start()}
	for ply, from := 0, 4+dice.IntN(50); ply < from+30; ply++ {
		legal := p.pos.LegalMoves(nil)
		if len(legal) == 0 || p.pos.InsufficientMaterial() {
			break
		}
		dice.Shuffle(len(legal), func(i, j int) { legal[i], legal[j] = legal[j], legal[i] })
		if ply >= from {
			for _, m := range legal {
				if fits(&p, m) {
					return p.pos, m, true
				}
			}
		}
		p.pos.Play(legal[0])
	}
	return pos, m, false
}

func quiet(p *player, m rules.Move) bool {
	return !m.IsCastling() && !m.IsEnPassant() && m.Promotion() == rules.NoRole && p.pos.At(m.To()) == rules.NoPiece
}

func taking(p *player, m rules.Move) bool {
	return !m.IsCastling() && m.Promotion() == rules.NoRole && p.pos.At(m.To()) != rules.NoPiece
}

func slidable(p *player, m rules.Move) bool {
	return quiet(p, m) && len(p.between(m.From(), m.To())) > 0
}

func castling(_ *player, m rules.Move) bool { return m.IsCastling() }
func passing(_ *player, m rules.Move) bool  { return m.IsEnPassant() }
