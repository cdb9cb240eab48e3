package certabo

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/notes"
)

// Talk is what a Certabo and a Sentio have in common: lines that come by themselves, silence that means that the board is gone, and
// lights. It implements board.Lit and board.Adopter.
type Talk struct {
	kind    Kind
	silence int64
	raw     bool // only listen

	now    int64
	reader *Reader
	lamps  *Lamps
	in     []board.Input
	online bool
	heard  int64 // when the last whole line came
	notes  notes.Book
}

// Kind is what tells boards that talk in this way apart.
type Kind struct {
	Driver  string // its word in the configuration
	Numbers int    // in a line
	Other   string // what to say of a board whose lines have another number of them
	Eyes    Eyes
}

// Eyes make pictures of lines, and remember those before.
type Eyes interface {
	// Line takes the numbers of a line. It gives what the squares show if that is sure and is to be told.
	Line(now int64, numbers []byte, book *notes.Book) (p board.Picture, told bool)
	// Adopt takes a picture for told.
	Adopt(p board.Picture)
	// Forget is for a board that is gone.
	Forget()
}

// TalkOptions are what may be chosen. The zero value is a board on a wall clock.
type TalkOptions struct {
	Lamps     LampKind
	SilenceMs int64 // without a whole line means that the board is gone; 0 is 4000
	Scale     int64 // how many times faster than a wall clock the time given to Step runs; 0 is 1
	Raw       bool  // for recorded bytes: writes nothing, never takes silence for loss, and Step's wake is 0
}

// pauseMs is how long a line may stop in its midst, in milliseconds of a wall clock.
const pauseMs = 1000

// What is said of every kind. Eyes number what they have to say from NoteEyes on.
const (
	noteSilent notes.Kind = iota
	noteOther
	noteUnheard
	NoteEyes
)

// NewTalk begins to listen.
func NewTalk(k Kind, o TalkOptions) *Talk {
	scale := max(o.Scale, 1)
	t := &Talk{kind: k, silence: 4000 * scale, raw: o.Raw, reader: NewReader(k.Numbers), lamps: NewLamps(o.Lamps, scale),
		notes: notes.Book{Scale: scale}}
	if o.SilenceMs > 0 {
		t.silence = o.SilenceMs * scale
	}
	t.reader.Pause = pauseMs * scale
	return t
}

// Adopt implements board.Adopter.
func (t *Talk) Adopt(now int64, p board.Picture) {
	t.now = max(t.now, now)
	t.online, t.heard = true, t.now
	t.kind.Eyes.Adopt(p)
}

// Step implements board.Driver. What it says depends on bytes and their times alone, never on lights.
func (t *Talk) Step(now int64, in []byte) (inputs []board.Input, out []byte, wake int64) {
	t.now = max(t.now, now)
	t.in = nil
	t.reader.Read(t.now, in, t.line, func(letter byte) { t.lamps.Ack(t.now, letter) })
	if t.raw {
		return t.in, nil, 0
	}
	if t.reader.Other() {
		t.notes.Once(t.now, noteOther, t.kind.Other)
	}
	if !t.online { // it speaks first
		if t.heard == 0 && !t.reader.Other() {
			wake = t.notes.Await(t.now, noteUnheard, t.kind.Driver)
		}
		return t.in, nil, wake
	}
	gone := t.heard + t.silence
	if t.now >= gone {
		t.notes.Say(t.now, noteSilent, "the board has fallen silent: see whether it is switched on and its cable is in")
		t.online = false
		t.kind.Eyes.Forget()
		t.emit(board.Input{Kind: board.Link})
		return t.in, nil, 0
	}
	if out, wake = t.lamps.Write(t.now); wake == 0 || gone < wake {
		wake = gone
	}
	return t.in, out, max(wake, t.now+1)
}

func (t *Talk) emit(in board.Input) {
	in.T = t.now
	t.in = append(t.in, in)
}

func (t *Talk) line(numbers []byte) {
	t.heard = t.now
	if !t.online {
		t.online = true
		t.lamps.Again()
		t.emit(board.Input{Kind: board.Link, Online: true})
	}
	if p, told := t.kind.Eyes.Line(t.now, numbers, &t.notes); told {
		t.emit(board.Input{Kind: board.Scan, Picture: p})
	}
}

// Light implements board.Lit.
func (t *Talk) Light(f board.Frame) { t.lamps.Set(f) }

// Info is what is known of the line.
type Info struct {
	Counts
	Lamps LampKind // the lights that the board has, AnyLamps until it has answered
}

// Info is a copy of what is known now.
func (t *Talk) Info() Info { return Info{Counts: t.reader.Counts(), Lamps: t.lamps.Kind()} }

// Notes gives the lines for the log that have come up since the last call, oldest first; nil most of the time.
func (t *Talk) Notes() []string { return t.notes.Take() }
