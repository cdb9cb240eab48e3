package game

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing"
)

// mirror reads the beginning of a game on a presence board as if it stood the other way round, beside the table's own tracker:
// the start position looks the same from both sides, and the first moves tell.
type mirror struct {
	tracker
	atOnce  bool // two plies came in one look, in whatever order
	suspect bool // what was done fits only the turned reading, or both: nothing is committed before that is settled
}

// turnedToo makes the turned reading of a game that begins now; nil where the board itself tells, or people have.
func (t *Table) turnedToo(start rules.Position) *mirror {
	if t.opt.Acuity != board.Presence || t.opt.Orientation == "white" || t.opt.Orientation == "black" || t.fixed {
		return nil
	}
	seen := t.opt.see(&start)
	if seen != seen.Turned() {
		return nil
	}
	m := &mirror{tracker: t.track(start)}
	if t.online {
		m.Observe(board.Input{T: t.now, Kind: board.Scan, Picture: t.turn(t.raw).Turned()})
	}
	return m
}

// fits reports whether the turned reading explains everything, and at least one ply.
func (m *mirror) fits() (r sensing.Report, ok bool) {
	r = m.Report()
	return r, r.Match && len(r.Line) > 0
}

// orient asks which way the board stands when the first moves do not fit the way it is read. It never turns a board silently
// (design.md §3): the turned reading is a doubt, and only two more plies that fit nothing else settle it.
func (t *Table) orient(r *sensing.Report) (told, waits bool) {
	m := t.mirror
	if m == nil {
		return false, false
	}
	t.want(m.NextWake())
	if len(t.game.moves) > 0 { // play has shown that the board stands as it is read
		t.upright(r.Line)
		return false, false
	}
	turned, fits := m.fits()
	asIs := r.Match && len(r.Line) > 0
	switch {
	case !m.suspect:
		m.suspect = fits && (!r.Match && len(r.Line) == 0 || asIs && m.atOnce)
		if !m.suspect {
			return false, false
		}
	case r.Match && len(r.Line) == 0, len(turned.Line) == 0: // all men have gone back, or it fits turned no more
		m.suspect = false
		t.drop(nil)
		return false, false
	case asIs && !fits && len(r.Line) > 2 && r.Firm > 1:
		t.upright(r.Line)
		return false, false
	case fits && !asIs && len(turned.Line) > 2 && turned.Firm > 1:
		t.turnReading()
		return true, false
	}
	if fits && t.doubt == nil && (t.clock.pressedNow || t.rested(r, restMs)) {
		t.askOrientation(r, &turned)
	}
	return false, true
}

func (t *Table) askOrientation(r, turned *sensing.Report) {
	asIs, weights := []rules.Move{}, [2]thousands{100, 900}
	if r.Match {
		asIs, weights = clone(r.Line), [2]thousands{500, 500}
	}
	d := &asked{id: t.ownDoubt(), kind: "orientation", candidates: [][]rules.Move{asIs, clone(turned.Line)}}
	body := &Doubt{ID: d.id, Kind: d.kind}
	for i, moves := range d.candidates {
		uci, san := t.words(nil, moves)
		body.Candidates = append(body.Candidates, Candidate{UCI: uci, SAN: san, Weight: weights[i]})
		for _, m := range moves {
			for _, s := range [2]rules.Square{m.From(), m.Target()} {
				if i == 1 {
					s = s.Flip() // the squares of the board as it is read
				}
				d.squares |= s.Bit()
			}
		}
	}
	body.Squares = squares(d.squares)
	t.doubt = d
	t.emit(body)
}

// ownDoubts is from where the table numbers its own doubts, far above those of the tracker.
const ownDoubts = 1_000_000

func (t *Table) ownDoubt() int64 {
	t.doubts++
	return ownDoubts + t.doubts
}

// drop ends a doubt of the table's own; moves are what is in its place.
func (t *Table) drop(moves []rules.Move) {
	d := t.doubt
	if d == nil || d.kind == "" {
		return
	}
	t.doubt = nil
	uci, _ := t.words(d.base, moves)
	t.emit(&Resolved{ID: d.id, UCI: uci})
}

// upright settles that the board stands as it is read.
func (t *Table) upright(line []rules.Move) {
	t.mirror = nil
	if t.doubt != nil && t.doubt.kind == "orientation" {
		t.drop(line)
	}
}

// turnReading takes the turned reading for the true one, with all that it has seen.
func (t *Table) turnReading() {
	m := t.mirror
	t.mirror = nil
	t.turned, t.oriented, t.jumped, t.tr = !t.turned, true, false, m.tracker
	t.illegal, t.desync = nil, false
	if t.doubt != nil && t.doubt.kind == "orientation" {
		t.drop(m.Report().Line)
	}
}

// begun reports whether the turned reading has seen a first move.
func (m *mirror) begun() bool {
	r, ok := m.fits()
	return ok && r.Firm > 0
}

func (t *Table) doFlip(c *board.Command) *refusal {
	turned := !t.turned
	switch c.Orientation {
	case "":
	case "white", "black":
		turned = c.Orientation == "black"
	default:
		return refuse("bad_value", "orientation: white or black")
	}
	if g := t.game; g != nil && !g.over() && g.plies() > 0 {
		return refuse("game_in_progress", "a board is not turned during a game")
	}
	if turned != t.turned && t.shows() {
		return refuse("forbidden", "the pieces of the start position show which way the board stands")
	}
	t.audit(c)
	t.oriented, t.fixed = true, true
	switch m := t.mirror; {
	case turned == t.turned:
		t.upright(nil)
	case m != nil && t.game != nil:
		t.turnReading()
	default:
		t.mirror = nil
		t.turnBoard()
	}
	return nil
}

// shows reports whether the board itself says which way it stands: by a start position whose sides it can tell apart. Turned round,
// it would be turned back at once.
func (t *Table) shows() bool {
	if t.opt.Acuity == board.Presence || t.opt.Orientation == "white" || t.opt.Orientation == "black" {
		return false
	}
	first := t.firstPosition()
	seen := t.opt.see(&first)
	return t.tr.Picture() == seen && seen != seen.Turned()
}
