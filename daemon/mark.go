package daemon

import (
	"encoding/json"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/recording"
)

// quietMs is how long no square must have changed for a recording to be parted there: then hands are not in the midst of anything.
const quietMs = 1500

// mark is all that a recording needs to begin in the midst of a run. It is made by the board's goroutine and cheap there.
type mark struct {
	t        int64 // core time
	run      string
	since    time.Time
	opening  recording.Opening // of the run
	first    bool              // of the run: it begins as the opening says
	snapshot *game.Snapshot    // nil before the first
	picture  *board.Picture    // nil while it is not known
	port     bool              // the board speaks bytes
	lost     int
}

// evenMs divides the times at which a core wants to be woken while nothing happens: a recording that begins at a multiple of it is
// replayed with wakes at the same moments.
const evenMs = 250

func even(t int64) int64 { return t - t%evenMs }

// mark is what stands at core time t, when all wakes before it have been given.
func (s *seat) mark(t int64, first bool) *mark {
	m := &mark{
		t: max(even(t), s.feeder.Now()), run: s.daemon.run, opening: s.board.Opening, first: first,
		snapshot: s.snapshot, port: s.board.NewDriver != nil,
	}
	m.since = s.daemon.zero().Add(time.Duration(m.t) * time.Millisecond)
	if s.feeder.seen {
		p := s.feeder.picture
		m.picture = &p
	}
	return m
}

// record gives recorders that want it a mark, before what comes next at core time t.
func (s *seat) record(t int64) {
	for _, r := range s.recorders {
		if r.wants(func() bool { return s.quiet(t) }) {
			r.turn(s.mark(t, false))
		}
	}
}

// quiet reports whether a recording may be parted now: the board shows what the game says, and nothing is open.
func (s *seat) quiet(t int64) bool {
	n := s.snapshot
	if n == nil || !n.Online || !s.feeder.seen || t-s.feeder.moved < quietMs {
		return false
	}
	if s.board.NewDriver == nil && even(t) < s.feeder.Now() { // boards that speak bytes may do so at any time
		return false
	}
	if n.Game == nil || n.Game.Reason != "" {
		return true
	}
	return n.Match && n.Pending == nil && n.ProvisionalUCI == "" && n.Status != "desync"
}

// recording is the opening line, and the lines after it that say what the sensors show.
func (m *mark) recording() (o recording.Opening, lines []line) {
	o = m.opening
	o.Run, o.At, o.Since, o.Lost = m.run, m.t, m.since.UTC().Truncate(time.Millisecond), m.lost
	if m.first || m.snapshot == nil {
		return o, nil
	}
	o.FEN, o.Moves = "", nil
	if g := m.snapshot.Game; g != nil {
		o.FEN, o.Moves, o.Variant = g.StartFEN, g.UCI, g.Variant
		if n := len(g.Stood); n > 0 { // no line of legal plies leads over an illegal one
			o.FEN, o.Moves = g.Stood[n-1].FEN, g.UCI[g.Stood[n-1].Ply:]
		}
	}
	bare := *m.snapshot
	bare.LastGame = nil
	o.Resume, _ = json.Marshal(game.Resume{Snapshot: &bare, Ago: m.t - bare.T}) // texts and numbers only
	if m.port {
		lines = append(lines, line{bytes: []byte{}})
	}
	switch {
	case !m.snapshot.Online:
		lines = append(lines, line{input: board.Input{Kind: board.Link}})
	case m.picture != nil:
		lines = append(lines, line{input: board.Input{Kind: board.Scan, Picture: *m.picture}})
	}
	o.Again = len(lines)
	return o, lines
}
