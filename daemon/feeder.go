package daemon

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/game"
)

// Table is the core of one board; *game.Table is the one.
type Table interface {
	Step(in board.Input) game.Output
}

// Recorder hears what the core receives, in order, with the time at which it is received.
type Recorder interface {
	Input(in board.Input)
	Bytes(t int64, b []byte)
}

// Feeder gives a board's core what happens to it, in order of time, and is the one place where that order is decided: the
// daemon feeds it from ports and people, replay from a file. A wake is given at exactly the time asked for, before
// anything with a later or equal time; what comes with a time that has passed takes the core's time.
//
// It is not safe for concurrent use, reads no clock and waits for nothing.
type Feeder struct {
	Table     Table
	NewDriver func() board.Driver // decodes the bytes of a port, a new one each time it is opened; nil without bytes
	Recorder  Recorder            // nil if nothing is recorded
	Emit      func(game.Output)   // hears every output of the table
	Write     func([]byte)        // takes what the driver wants sent, valid during the call; nil if nothing listens
	Note      func(string)        // takes what a driver has to say to whoever reads the log; nil if nobody does

	now        int64 // time of the last step of table or driver
	wake       int64 // asked for by the table, 0 for never
	driver     board.Driver
	driverWake int64
	frame      board.Frame // what the board's own lights are to show
	framed     bool        // frame has been given

	picture board.Picture // what all squares said last, as wired
	seen    bool          // picture is known
	moved   int64         // when it last changed
}

// Start tells the core that time begins: it gives its first snapshot, and says when it wants to be woken.
func (f *Feeder) Start() { f.step(board.Input{Kind: board.Wake}) }

// Wake is when Advance should be called next although nothing happened, 0 for never.
func (f *Feeder) Wake() int64 {
	if f.driverWake != 0 && (f.wake == 0 || f.driverWake < f.wake) {
		return f.driverWake
	}
	return f.wake
}

// Now is the core's time.
func (f *Feeder) Now() int64 { return f.now }

// Advance gives every wake that is due until t.
func (f *Feeder) Advance(t int64) {
	for {
		w := f.Wake()
		switch {
		case w == 0 || w > t:
			return
		case w == f.wake:
			f.step(board.Input{T: w, Kind: board.Wake})
		default:
			f.driverWake = 0
			f.drive(w, nil)
		}
	}
}

// Input gives the core one input. A scan that shows nothing new is passed over: it is no input, and not recorded.
func (f *Feeder) Input(in board.Input) {
	in.T = max(in.T, f.now)
	f.Advance(in.T)
	if f.unchanged(in) {
		return
	}
	if in.Kind == board.Cmd {
		// Recorded when it is known what came of it, see recordCommand.
		out := f.step(in)
		f.recordCommand(in, out)
		return
	}
	if f.Recorder != nil {
		f.Recorder.Input(in)
	}
	if in.Kind == board.Link && !in.Online {
		f.driver, f.driverWake = nil, 0
	}
	f.step(in)
	if in.Kind == board.Scan && f.NewDriver != nil {
		f.adopt(in)
	}
}

// adopt has the driver begin with a picture: a recording whose bytes begin in the midst of a conversation says what the board
// shows then.
func (f *Feeder) adopt(in board.Input) {
	if f.driver == nil {
		f.driver = f.NewDriver()
	}
	if d, ok := f.driver.(board.Adopter); ok {
		d.Adopt(in.T, in.Picture)
		f.drive(in.T, nil)
	}
}

// Bytes gives the driver what its port has read at t. None at all says that the port was opened then.
func (f *Feeder) Bytes(t int64, b []byte) {
	if f.NewDriver == nil {
		return
	}
	t = max(t, f.now)
	f.Advance(t)
	if f.Recorder != nil {
		f.Recorder.Bytes(t, b)
	}
	f.drive(t, b)
}

// Light gives the frame that the board's own lights are to show from t on. It reports whether a driver took it; one that is not
// there yet is given it when it is made. It is no input: what the core does never depends on it, and it is not recorded.
func (f *Feeder) Light(t int64, frame board.Frame) bool {
	t = max(t, f.now)
	f.Advance(t)
	f.frame, f.framed = frame, true
	lit, ok := f.driver.(board.Lit)
	if ok {
		lit.Light(frame)
		f.drive(t, nil)
	}
	return ok
}

// Stop writes what the driver has to say to its board at the end, if anything.
func (f *Feeder) Stop() {
	d, ok := f.driver.(interface{ Stop() []byte })
	if !ok || f.Write == nil {
		return
	}
	if out := d.Stop(); len(out) > 0 {
		f.Write(out)
	}
}

// drive runs the driver's machine and gives the core what it makes of the bytes.
func (f *Feeder) drive(t int64, b []byte) {
	f.now = t
	if f.driver == nil {
		f.driver = f.NewDriver()
		f.remind()
		if lit, ok := f.driver.(board.Lit); ok && f.framed {
			lit.Light(f.frame)
		}
	}
	inputs, out, wake := f.driver.Step(t, b)
	if len(out) > 0 && f.Write != nil {
		f.Write(out)
	}
	if d, ok := f.driver.(interface{ Notes() []string }); ok && f.Note != nil {
		for _, note := range d.Notes() {
			f.Note(note)
		}
	}
	if f.driverWake = wake; wake != 0 && wake <= t {
		f.driverWake = t + 1
	}
	for _, in := range inputs {
		if in.T = t; !f.unchanged(in) {
			f.step(in)
		}
	}
}

// remind tells a driver that can use it what its board showed when it was last heard.
func (f *Feeder) remind() {
	r, ok := f.driver.(board.Rememberer)
	if !ok {
		return
	}
	if t, ok := f.Table.(interface {
		Seen() (p board.Picture, playing bool)
	}); ok {
		if p, playing := t.Seen(); playing {
			r.Remember(p)
		}
	}
}

// unchanged reports whether in is a scan that says what is known, and keeps what is known up to date.
func (f *Feeder) unchanged(in board.Input) bool {
	switch in.Kind {
	case board.Scan:
		if f.seen && in.Picture == f.picture {
			return true
		}
		f.picture, f.seen, f.moved = in.Picture, true, in.T
	case board.Change:
		if in.Square < 64 && f.picture[in.Square] != in.Symbol {
			f.picture[in.Square], f.moved = in.Symbol, in.T
		}
	case board.Link:
		f.seen = false // what happened meanwhile is not known: the next scan counts
	}
	return false
}

func (f *Feeder) step(in board.Input) game.Output {
	f.now = in.T
	out := f.Table.Step(in)
	if f.wake = out.Wake; out.Wake != 0 && out.Wake <= in.T {
		f.wake = in.T + 1 // a core that asks for the past would stop the world here
	}
	f.Emit(out)
	if c, ok := f.driver.(board.ClockSetter); ok && out.Clock != nil {
		c.Clock(*out.Clock)
		f.drive(in.T, nil)
	}
	return out
}

// recordCommand records a command without the conditions it has met: the id of the game and the event's number are other
// ones when it is replayed. One that was refused as stale keeps them, for then they are why nothing happened.
func (f *Feeder) recordCommand(in board.Input, out game.Output) {
	if f.Recorder == nil {
		return
	}
	for _, r := range out.Replies {
		if r.Command == in.Command && r.Status == "duplicate" {
			return // its answer is another one's, which may stand in a piece of the recording that is not at hand
		}
		if r.Command == in.Command && r.Status == "ok" {
			met := *in.Command
			met.Game, met.IfSeq = "", nil
			in.Command = &met
		}
	}
	f.Recorder.Input(in)
}
