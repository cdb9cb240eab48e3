package certabo

import (
	"maps"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// Learn finds out which chip is in which piece. It asks for the men on their squares of the start position, reads several
// lines, and takes the chip that most of them show. Spare queens may stand on d3 (white) and d6 (black) meanwhile. Further
// men, such as rooks of another set, are asked for one at a time with More.
//
// It is a machine without I/O, as a driver is: a port hands it bytes and time, and it gives lights to write. A square is lit
// while its man is wanted.
type Learn struct {
	reader *Reader
	lamps  *Lamps
	heard  bool

	frames [learnFrames]Frame // a ring
	n      int

	table Table // what was known before
	wants map[rules.Square]rules.Piece
	spare map[rules.Square]rules.Piece // may be there or not
	found map[rules.Square]Chip
	more  rules.Square // the one square of More, else NoSquare
	turn  bool
	done  bool
	last  Lesson
}

// learnFrames is how many lines are counted; more than half of them must agree (protocols/certabo.md section 4).
const learnFrames = 7

// LearnOptions are what may be chosen.
type LearnOptions struct {
	// Known are chips that stay known: other sets of men, spare queens. What is learnt anew replaces it.
	Known Table
	// Turned says that the board lies with h8 where White's a1 is, as the configuration's orientation black does.
	Turned bool
	// Lamps is which lights the board has.
	Lamps LampKind
}

// Lesson is how far the learning is. The squares are as White sees them.
type Lesson struct {
	Heard    bool                         // the board has sent a whole line
	Wants    map[rules.Square]rules.Piece // men whose chip is not known yet
	Unsteady rules.Bitboard               // of these, squares that read something else each time
	Twice    rules.Bitboard               // squares that read one chip, which can be on one of them only
	Old      rules.Piece                  // after More: the man that stands there is known already, as this
	Other    bool                         // this board does not recognise pieces: it is a Sentio
	Done     bool                         // all that was asked is known
}

// NewLearn makes a lesson for the whole set of men.
func NewLearn(o LearnOptions) *Learn {
	l := &Learn{reader: NewReader(ChipNumbers), lamps: NewLamps(o.Lamps, 1), table: maps.Clone(o.Known), more: rules.NoSquare,
		turn: o.Turned, wants: map[rules.Square]rules.Piece{}, spare: map[rules.Square]rules.Piece{}, found: map[rules.Square]Chip{}}
	if l.table == nil {
		l.table = Table{}
	}
	l.reader.Pause = pauseMs
	back := [8]rules.Role{rules.Rook, rules.Knight, rules.Bishop, rules.Queen, rules.King, rules.Bishop, rules.Knight, rules.Rook}
	for file, role := range back {
		l.wants[rules.NewSquare(file, 0)] = rules.NewPiece(rules.White, role)
		l.wants[rules.NewSquare(file, 1)] = rules.NewPiece(rules.White, rules.Pawn)
		l.wants[rules.NewSquare(file, 6)] = rules.NewPiece(rules.Black, rules.Pawn)
		l.wants[rules.NewSquare(file, 7)] = rules.NewPiece(rules.Black, role)
	}
	for _, c := range [...]rules.Color{rules.White, rules.Black} {
		l.spare[spot(c)] = rules.NewPiece(c, rules.Queen)
	}
	l.look()
	return l
}

// spot is where a further man of a colour is learnt: d3 and d6.
func spot(c rules.Color) rules.Square {
	if c == rules.White {
		return rules.NewSquare(3, 2)
	}
	return rules.NewSquare(3, 5)
}

// More asks for one more man of a kind, on d3 if it is white and on d6 if it is black. What was learnt before stays.
func (l *Learn) More(p rules.Piece) {
	l.table = l.Table()
	l.more = spot(p.Color())
	l.wants, l.spare, l.found = map[rules.Square]rules.Piece{l.more: p}, nil, map[rules.Square]Chip{}
	l.done, l.n = false, 0
	l.look()
}

// Step takes bytes that came at now, in milliseconds and never falling, and gives what is to be written and when to call
// again without bytes, 0 for never.
func (l *Learn) Step(now int64, in []byte) (out []byte, wake int64) {
	l.reader.Read(now, in, func(numbers []byte) {
		l.heard = true
		l.frames[l.n%learnFrames] = FrameOf(numbers)
		l.n++
		l.look()
	}, func(letter byte) { l.lamps.Ack(now, letter) })
	if !l.heard {
		return nil, 0
	}
	return l.lamps.Write(now)
}

// Lesson is how far it is.
func (l *Learn) Lesson() Lesson {
	lesson := l.last
	lesson.Other = l.reader.Other()
	return lesson
}

// Table is what is known: what was known before, and what has been learnt of the men that stand there steadily. It is worth
// keeping once the lesson is done.
func (l *Learn) Table() Table {
	t := maps.Clone(l.table)
	for s, c := range l.found {
		if p, ok := l.wants[s]; ok {
			t[c] = p
		} else {
			t[c] = l.spare[s]
		}
	}
	return t
}

// look judges the lines so far.
func (l *Learn) look() {
	if l.done {
		return // what has been learnt stays when the men are cleared away
	}
	lesson := Lesson{Heard: l.heard, Wants: map[rules.Square]rules.Piece{}}
	clear(l.found)
	seen := map[Chip]rules.Square{}
	var lit board.Frame
	judge := func(s rules.Square, p rules.Piece, must bool) {
		chip, steady, noisy := l.most(s)
		old, known := l.table[chip]
		other, twice := seen[chip]
		switch {
		case steady && twice:
			lesson.Twice |= s.Bit() | other.Bit()
		case steady && l.more != rules.NoSquare && known:
			lesson.Old = old
		case steady:
			seen[chip], l.found[s] = s, chip
			return
		case noisy && must:
			lesson.Unsteady |= s.Bit()
		}
		if must {
			lesson.Wants[s] = p
		}
		lit[l.wired(s)] = board.RGB{B: 255}
	}
	for s := range rules.NoSquare {
		if p, ok := l.wants[s]; ok {
			judge(s, p, true)
		} else if p, ok := l.spare[s]; ok {
			judge(s, p, false)
		}
	}
	lesson.Done = len(lesson.Wants) == 0 && lesson.Twice == 0
	if lesson.Done {
		l.done, lit = true, board.Frame{}
	}
	l.last = lesson
	l.lamps.Set(lit)
}

// most is the chip that more than half of the lines read on a square; noisy says that there is none although something is
// read most of the time.
func (l *Learn) most(s rules.Square) (c Chip, steady, noisy bool) {
	if l.n < learnFrames {
		return c, false, false
	}
	s = l.wired(s)
	nothing := 0
	for i := range l.frames {
		c, same := l.frames[i][s], 0
		for j := range l.frames {
			if l.frames[j][s] == c {
				same++
			}
		}
		if c == (Chip{}) {
			nothing++
		} else if same > learnFrames/2 {
			return c, true, false
		}
	}
	return Chip{}, false, nothing <= learnFrames/2
}

func (l *Learn) wired(s rules.Square) rules.Square {
	if l.turn {
		return rules.NoSquare - 1 - s
	}
	return s
}
