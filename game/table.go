// Package game is one table: everything that is known of a board and its game. Inputs and time go in, numbered events,
// snapshots and views come out. It has no clock, no goroutine, no I/O and no floating point: the same inputs give the same outputs.
package game

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing"
)

// The modes of a table (design.md §8).
const (
	Training = "training"
	Casual   = "casual"
	Observer = "observer"
)

// Options say what table this is. The zero value is a presence board in casual mode that waits for the start position.
type Options struct {
	Games string // prefix of game ids: the first game is "Games-1"
	Seq   int64  // the last event number already given out

	Resume *Resume // go on from there; Start and Moves do not count then, unless it makes no sense

	ArbiterSeq int64 // likewise, of the events for the arbiter

	Acuity     board.Acuity
	SettleMs   int64 // sensing.Options
	Resolution int64 // sensing.Options

	Variant     rules.Variant
	Start       *rules.Position // the first game's start; nil: wait until the start position is set up
	Moves       []rules.Move    // legal plies from Start made before time 0; the sensors agree with their end
	Mode        string          // training, casual (also ""), observer
	Orientation string          // white, black: the side at the board's own first rank; auto or "": find out
	NoTakeback  bool            // moves do not go back, neither by hand nor by command
	Promotion   rules.Role      // the default of promotions; NoRole is the queen
	Brightness  int             // of the lights in percent; 0 is 25
}

// tracker is what a table asks of sensing.Tracker, whose documentation it follows.
type tracker interface {
	Observe(board.Input)
	NextWake() int64
	Report() sensing.Report
	Supports([]rules.Move) int
	Confirm([]rules.Move)
	Rewind([]rules.Move)
	Await([]rules.Move)
	Restart(rules.Position)
	Overlook()
	Picture() board.Picture
	Flush()
}

// Table is all state of one board and its game. It is not safe for concurrent use.
type Table struct {
	opt   Options
	track func(rules.Position) tracker
	tr    tracker
	now   int64
	wake  int64 // as answered last
	seq   int64
	out   Output

	arbiterSeq int64 // of the events that only the arbiter sees

	configuredMode string

	online     bool
	unseen     bool          // nothing has been seen since the table was resumed
	away       bool          // … or since the board has come back
	seenAt     int64         // when that ended
	waking     bool          // since then no picture has settled
	raw        board.Picture // as wired
	turned     bool          // the wired picture is turned by 180 degrees
	oriented   bool          // turned is known to be right
	fixed      bool          // people have said which way the board stands
	mirror     *mirror       // the turned reading, until it is known
	brightness int
	lightsOn   bool
	promotion  rules.Role // the default
	power      [2]power   // of the clock, of the board

	game  *play
	past  []*Record // closed games, oldest first
	count int       // games so far

	arming    int64        // set-up: the start position was first seen then; -1 for not now
	jumped    bool         // many squares changed at once since the last move
	retracted int          // plies taken back by hand since the last move
	identify  int64        // until then the board shows which one it is
	asked     int64        // when a new game or takeback last asked for another picture: rest counts from there
	sure      []rules.Move // the line that the tracker was last told
	remote    bool         // a ply is being told that was made elsewhere
	guide     []rules.Move // after a takeback by command: the line that the board still shows; nil when it agrees
	prompt    prompt
	doubt     *asked
	gesture   gesture
	misset    bool  // king and queen stand exchanged at set-up, and that was said
	asSetUp   bool  // people have said that the game began where it is said to have
	doubts    int64 // that the table has asked by itself
	earlier   int64 // what the numbers of the tracker's doubts count on from
	lastDoubt int64
	recalled  *standing // an illegal move that was said before the table was resumed
	illegal   *standing
	desync    bool
	guiding   bool                 // the view shows what to take off and what to put where
	weak      []sensing.WeakSquare // said, and not well yet
	kings     string               // result that was proposed
	clock     clock

	answers []answer // to commands with an id, oldest first
	shown   shown    // what was said last, to say only what is new
}

// maxTime bounds the time that is believed, so that sums with it cannot overflow.
const maxTime = 1 << 53

// NewTable makes a table at time 0. The first Step also gives the events of its beginning.
func NewTable(o Options) *Table {
	return newTable(o, func(p rules.Position) tracker {
		return sensing.New(sensing.Options{Acuity: o.Acuity, SettleMs: o.SettleMs, Resolution: o.Resolution}, p)
	})
}

func newTable(o Options, track func(rules.Position) tracker) *Table {
	if o.Mode == "" {
		o.Mode = Casual
	}
	if o.Brightness == 0 {
		o.Brightness = 25
	}
	t := &Table{opt: o, track: track, seq: o.Seq, arbiterSeq: o.ArbiterSeq, configuredMode: o.Mode, online: true, brightness: o.Brightness, lightsOn: true, promotion: o.Promotion, arming: -1}
	if promotionIndex(t.promotion) < 0 {
		t.promotion = rules.Queen
	}
	t.turned = o.Orientation == "black"
	t.oriented = t.turned || o.Orientation == "white"
	t.prompt.square = rules.NoSquare
	if r := o.Resume; r != nil {
		if r.Snapshot != nil {
			t.seq, t.arbiterSeq = max(t.seq, r.Snapshot.Seq), max(t.arbiterSeq, r.Snapshot.ArbiterSeq)
		}
		if t.restore(r) {
			return t
		}
	}
	if o.Start == nil {
		t.waitForStart()
		t.emit(&SetUp{StartFEN: rules.StartFEN})
		return t
	}
	t.begin(*o.Start, nil, o.Moves)
	t.follow()
	return t
}

// waitForStart begins without a game. Nothing is known of the board: the tracker is to wait for the start position, not to explain
// where 32 men went.
func (t *Table) waitForStart() {
	t.tr = t.track(rules.Start())
	if bare, err := rules.ParsePosition("4k3/8/8/8/8/8/8/4K3 w - - 0 1", rules.Standard); err == nil {
		t.tr.Restart(bare)
	}
	t.raw = board.EmptyPicture()
	t.tr.Observe(board.Input{Kind: board.Scan, Picture: t.raw})
	t.tr.Flush()
	t.tr.Restart(rules.Start())
}

// Step takes one input and says what comes of it. An input older than the table's time takes the table's time.
func (t *Table) Step(in board.Input) Output {
	in.T = min(max(in.T, t.now), maxTime)
	t.now = in.T
	if t.unchanged(&in) {
		return Output{Wake: t.wake}
	}
	t.take(in)
	t.look()
	return t.finish()
}

// unchanged finds the inputs that cannot change anything: scans come a hundred times a second.
func (t *Table) unchanged(in *board.Input) bool {
	if len(t.out.Events) > 0 || t.shown.snapshot == nil || t.unseen || t.wake != 0 && t.now >= t.wake {
		return false
	}
	switch in.Kind {
	case board.Scan:
		return in.Picture == t.raw
	case board.Change:
		return in.Square < 64 && in.Symbol == t.raw[in.Square]
	}
	return false
}

func (t *Table) take(in board.Input) {
	switch in.Kind {
	case board.Change, board.Scan:
		t.sensed(in)
		return
	case board.Link:
		t.linked(in.Online)
	}
	t.observe(board.Input{Kind: board.Wake})
	switch in.Kind {
	case board.Clock:
		t.read(in.Reading)
	case board.Button:
		t.look()
		t.button(in.ButtonName)
	case board.Cmd:
		t.look()
		if in.Command != nil {
			t.command(in.Command)
		}
	case board.Battery:
		t.battery(1, !in.Charging && in.Percent <= 20, in.Charging || in.Percent > 25, "board")
	case board.End:
		t.end()
	}
}

// observe hands the tracker an input in wired squares; nothing while the board is gone.
func (t *Table) observe(in board.Input) {
	if !t.online {
		return
	}
	in.T = t.now
	if t.turned {
		in.Square = in.Square.Flip()
		in.Picture = in.Picture.Turned()
	}
	straight := in
	t.tr.Observe(in)
	if m := t.mirror; m != nil {
		in.Square = in.Square.Flip()
		in.Picture = in.Picture.Turned()
		m.Observe(in)
	}
	if t.illegal != nil && t.illegal.onward != nil {
		t.illegal.onward.Observe(straight)
	}
}

func (t *Table) sensed(in board.Input) {
	if !t.online {
		return
	}
	if in.Kind == board.Change {
		if in.Square >= 64 || !t.opt.Acuity.Valid(in.Symbol) {
			return
		}
		if t.unseen {
			t.firstSeen(&in)
		}
		t.raw[in.Square] = in.Symbol
		t.observe(in)
		return
	}
	changed := 0
	for s, y := range in.Picture {
		if !t.opt.Acuity.Valid(y) {
			return
		}
		if y != t.raw[s] {
			changed++
		}
	}
	if t.unseen {
		t.firstSeen(&in)
	} else if t.away {
		t.overlook(&in)
	}
	t.away = false
	// Two plies between two scans change four squares, castling too: more is not one ply after the other.
	t.jumped = t.jumped || changed > 4
	if t.mirror != nil && changed == 4 {
		t.mirror.atOnce = true
	}
	t.raw = in.Picture
	t.observe(in)
}

func (t *Table) linked(online bool) {
	if online == t.online {
		return
	}
	t.online = online
	if t.away = online; online {
		t.emit(&Online{})
	} else {
		t.emit(&Offline{})
	}
}

// emit says an event and gives its number.
func (t *Table) emit(b Body) int64 {
	e := Event{T: t.now, Type: b.event(), Body: b, Arbiter: t.opt.Mode == Observer && forArbiter(b)}
	if e.Arbiter {
		t.arbiterSeq++
		e.Seq = t.arbiterSeq
	} else {
		t.seq++
		e.Seq = t.seq
	}
	if t.game != nil {
		e.Game, e.Ply = t.game.id, t.game.plies()
	}
	t.out.Events = append(t.out.Events, e)
	return e.Seq
}

// forArbiter reports whether an event of an observed board is his alone: the players may not be helped against the laws (11.3,
// 12.6), and what he decides tells what he was asked.
func forArbiter(b Body) bool {
	switch b.(type) {
	case *Illegal, *IllegalStanding, *KingCaptured, *Doubt, *Resolved, *PromotionPending, *Desync, *Resync, *FlagFallen,
		*DrawClaimable, *ResultProposed, *CommandDone:
		return true
	}
	return false
}

// finish hands out what has gathered.
func (t *Table) finish() Output {
	out := t.out
	t.out = Output{}
	out.Snapshot, out.View = t.news()
	out.Wake = t.wake
	return out
}

// turn gives a picture in board squares as wired, and the other way round.
func (t *Table) turn(p board.Picture) board.Picture {
	if t.turned {
		return p.Turned()
	}
	return p
}

// Seen is what all squares said last, as wired; after a stop, what they are taken to have said. playing is false when no game is
// going on, which it could belong to.
func (t *Table) Seen() (p board.Picture, playing bool) {
	return t.raw, t.game != nil && !t.game.over()
}

// see is how the board shows a position.
func (o *Options) see(p *rules.Position) (seen board.Picture) {
	for s := range rules.Square(64) {
		seen[s] = o.Acuity.See(p.At(s))
	}
	return seen
}

const endMs = 10_000

// end settles the recording: what is not in doubt commits (design.md §4).
func (t *Table) end() {
	t.tr.Flush()
	if t.mirror != nil {
		t.mirror.Flush()
	}
	if t.online {
		// Nothing more will come: explanations that time would have ruled out are not doubts.
		t.tr.Observe(board.Input{T: t.now + endMs})
	}
	t.look()
	if t.game == nil || t.game.over() || t.guide != nil || t.kings != "" {
		return
	}
	r := t.tr.Report()
	line := r.Line
	if n := len(line); n > 0 && len(r.Debts) > 0 {
		line = line[:n-1] // an open debt is no move yet
	}
	if t.mirror != nil && t.mirror.suspect {
		return
	}
	if r.Doubt != nil || common(line, t.game.moves) < len(t.game.moves) && t.opt.NoTakeback {
		return
	}
	line = append([]rules.Move(nil), line...)
	if i := t.prompt.ply; t.prompt.square != rules.NoSquare && i < len(line) {
		if m, ok := t.promoted(line[:i], line[i], t.prompt.choice(t.promotion)); ok {
			line[i] = m
		}
	}
	placed, reason := clone(r.PlacedAt), t.reason(&r)
	t.confirm(line)
	t.become(line, placed, reason)
}
