package main

import (
	"fmt"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing/hand"
)

// builtIn is a short game that holds what boards find hard: a capture en passant, a promotion to a knight with capture, a
// check, an illegal move that is put back, castling on both sides, a capture in one motion, and mate.
const builtIn = `[White "White"]
[Black "Black"]

1. e4 Nf6 2. e5 d5 3. exd6 Bf5 4. dxc7 Qd7 5. cxb8=N Rxb8 6. d4 Qe6+ 7. Be2 Qb6 8. Nc3 e6 9. Bg5 Bb4
10. Qd2 Rc8 11. O-O-O O-O 12. Bh6 Rfd8 13. Qg5 Bxc3 14. Qxg7# 1-0`

// direction is what the hands are asked to do at a ply of the built-in game.
type direction struct {
	how  hand.Manner
	from string // before the ply: a man goes where it may not, and is put back
	to   string
}

// directions by ply, from 0.
var directions = map[int]direction{
	4:  {how: hand.Manner{Capture: hand.OwnFirst}},
	6:  {how: hand.Manner{Capture: hand.VictimFirst}},
	8:  {how: hand.Manner{Capture: hand.VictimFirst, Promotion: hand.Exchange, Answer: hand.ByGesture}},
	18: {from: "c3", to: "e4"}, // pinned
	20: {how: hand.Manner{Castle: hand.KingFirst}},
	21: {how: hand.Manner{Castle: hand.Both}},
	25: {how: hand.Manner{Capture: hand.OneMotion}},
	26: {how: hand.Manner{Capture: hand.OwnFirst}},
}

// restIllegalMs is how long the illegal move rests: long enough for it to be said and seen.
const restIllegalMs = 4500

// hands say how a demo's games are played.
type hands struct {
	style    hand.Style
	sensor   hand.Sensor
	seed     uint64
	directed bool // the game is the built-in one
	handled  bool // the board looks for itself: it is told what the hands do, not what sensors see
}

// handsOf finds a style; "" is that of the demo: people who know that they are being watched.
func handsOf(name string, a board.Acuity, seed uint64) (hands, error) {
	table := hand.Styles()
	h := hands{sensor: table.Sensor(a), seed: seed}
	if name == "" {
		h.style, _ = table.Style("club")
		h.style.Gap, h.style.Carry = hand.Range{700, 2400}, hand.Range{350, 900}
		h.style.AdjustRate, h.style.OtherRate, h.style.MissedPhaseRate = 0, 0, 0
		return h, nil
	}
	var ok bool
	if h.style, ok = table.Style(name); !ok {
		return h, usagef("--style %q: use %s", name, either(table.Names()))
	}
	return h, nil
}

// perform plays a game once, after the first milliseconds of quiet; then, if again, the men are set up anew.
func (h hands) perform(g *playable, round int, again bool) (play, setUp hand.Performance) {
	s := hand.NewScript(h.style, h.sensor, g.start, h.seed+uint64(round))
	s.Wait(quietMs)
	for i, m := range g.moves {
		var d direction
		if h.directed {
			d = directions[i]
		}
		if h.handled {
			d.how.Answer = hand.ByCommand // a gesture may be too quick for a board that looks three times a second
		}
		if from, ok := rules.ParseSquare(d.from); ok {
			to, _ := rules.ParseSquare(d.to)
			s.Illegal(from, to, restIllegalMs)
		}
		s.Move(m, d.how)
	}
	perform := (*hand.Script).Perform
	if h.handled {
		perform = (*hand.Script).Handled
	}
	play = perform(s)
	if again {
		s := hand.NewScript(h.style, h.sensor, play.Final, h.seed+uint64(round))
		s.SetUp(g.start)
		setUp = perform(s)
	}
	return play, setUp
}

// quietMs is how long nobody touches the board before a game: a start position counts once it has been at rest.
const quietMs = 2000

// caption is what the hands are doing from a time on.
type caption struct {
	t    int64
	text string
}

var tales = map[string]string{
	"illegal": "tries a move that the laws forbid, and will put it back", "gesture": "lifts the new piece again until the lights mean the right one",
	"answer": "says by command what the pawn became", "slide": "drags the piece over the board",
	"askew": "sets the piece down crookedly", "centre": "lifts the piece again to centre it", "brush": "brushes a neighbour with the sleeve",
	"adjust": "adjusts a piece", "other piece": "takes another piece first", "short": "sets the piece down one square short",
	"takeback": "makes another move and takes it back", "knock": "knocks pieces over and sets them up again",
	"wrong side": "sees the other side's piece moved out of turn, and put back", "missed phase": "captures too fast for the sensors",
	"overlap": "replies before the other hand is away",
}

// captions tell a performance: what is played, and what happens on the way.
func captions(g *playable, perf *hand.Performance) (list []caption) {
	pos := g.start
	mover := make([]string, len(perf.Plies)+1)
	mover[len(perf.Plies)] = "Somebody"
	told := 0
	for i, ply := range perf.Plies {
		side := "White"
		if pos.Turn() == rules.Black {
			side = "Black"
		}
		mover[i] = side
		for ; told < len(perf.Incidents) && perf.Incidents[told].T < ply.LiftedMs; told++ {
			in := perf.Incidents[told]
			list = append(list, caption{in.T, mover[in.Ply] + " " + tales[in.Kind]})
		}
		text := fmt.Sprintf("%s plays %d%s %s", side, pos.Fullmove(), dots(pos.Turn()), pos.SAN(ply.Move))
		list = append(list, caption{ply.LiftedMs, text})
		for ; told < len(perf.Incidents) && perf.Incidents[told].T <= ply.DoneMs; told++ {
			in := perf.Incidents[told]
			list = append(list, caption{in.T, text + " and " + tales[in.Kind]})
		}
		pos.Play(ply.Move)
	}
	for ; told < len(perf.Incidents); told++ {
		in := perf.Incidents[told]
		list = append(list, caption{in.T, mover[in.Ply] + " " + tales[in.Kind]})
	}
	return append(list, caption{perf.End + 1, "The hands rest."})
}
