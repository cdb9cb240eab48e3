package text

import (
	"slices"
	"strconv"
	"strings"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// dialect is how a project's board speaks.
type dialect struct {
	end      string // of its lines
	enter    byte   // ends a line of the computer
	talks    bool   // from the start, without being told to
	onChange bool   // whole is told when something has changed
	atStart  bool   // and once at the start
	always   bool   // and again and again
	whole    func(*Board) []byte
	lifted   func(*Board, rules.Square, byte)
	placed   func(*Board, rules.Square, byte)
	moved    func(*Board, move)
	newGame  func(*Board)
	command  func(*Board, string)
	light    func(*Board, byte) // takes bytes instead of lines
}

// Dialects are the boards that New knows, by the names of the driver's presets.
func Dialects() (names []string) {
	for name := range dialects {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

var dialects = map[string]dialect{
	"liboard":  {talks: true, onChange: true, whole: func(b *Board) []byte { return b.bytes(occupied) }},
	"echess":   {talks: true, onChange: true, atStart: true, whole: planes, light: spans},
	"roniterv": {end: "\n", enter: '\n', talks: true, command: roniterv},
	"chesswiz": {end: "\r\n", enter: '\n', talks: true, command: chesswiz},
	"smart-xiao": {
		end: "\r\n", enter: '\n', command: xiao,
		lifted: func(b *Board, s rules.Square, _ byte) { b.xiaoSquare(s) },
		placed: func(b *Board, s rules.Square, _ byte) { b.xiaoSquare(s) },
	},
	"smartchess-diym": {
		end: "\r\n", enter: '\n', talks: true,
		moved: func(b *Board, m move) { b.say("heypiM%v%v", m.from, m.to) },
		command: func(b *Board, line string) {
			b.say("%s", line)
			if moves, ok := strings.CutPrefix(line, "heyArduinom"); ok {
				b.showPairs(strings.SplitN(moves, "-", 2)[0])
			}
		},
	},
	"openchess-text": {
		end: "\r\n", talks: true,
		lifted: func(b *Board, s rules.Square, man byte) { b.openLift(s, man) },
		moved: func(b *Board, m move) {
			if !m.captured {
				b.say("Legal move to %v", m.to)
			}
			if m.promoted != 0 {
				b.say("%s pawn promoted to Queen at %v", colour(m.man), m.to)
			}
		},
	},
	"cpp": {
		end: "\n", enter: '\n', command: cpp,
		lifted: func(b *Board, _ rules.Square, _ byte) { b.state() },
		placed: func(b *Board, _ rules.Square, _ byte) { b.state() },
		moved: func(b *Board, m move) {
			if b.synced {
				b.say("move %s", m.uci())
			}
		},
	},
	"gameboard-ui": {
		end: "\r", enter: '\r', talks: true, command: gameboard,
		lifted: func(b *Board, s rules.Square, _ byte) { b.say("-%v", s) },
		placed: func(b *Board, s rules.Square, _ byte) { b.say("+%v", s) },
	},
	"squareoff-pro": {
		end: "*", enter: '*', talks: true, command: squareOff,
		lifted: func(b *Board, s rules.Square, _ byte) { b.say("0#%vu", s) },
		placed: func(b *Board, s rules.Square, _ byte) { b.say("0#%vd", s) },
	},
	"novag": {
		end: "\r\n", enter: '\r', command: novag,
		moved:   func(b *Board, m move) { b.say("%s", b.novagMove(m)) },
		newGame: func(b *Board) { b.say("New Game") },
	},
	"sentio": {talks: true, always: true, end: " \r\n", light: bitmap, whole: func(b *Board) []byte {
		var text []string
		for _, x := range b.bytes(occupied) {
			text = append(text, strconv.Itoa(int(mirror(x))))
		}
		return []byte(":" + strings.Join(text, " ") + b.o.LineEnd)
	}},
	"certabo": {talks: true, always: true, end: " \r\n", light: bitmap, whole: chipLine},
	"uci-lines": {end: "\n", talks: true, moved: func(b *Board, m move) {
		if b.o.Spaced {
			b.say("%v %v", m.from, m.to)
			return
		}
		b.say("%s", m.uci())
	}},
}

func colour(man byte) string {
	if isWhite(man) {
		return "White"
	}
	return "Black"
}

func occupied(man byte) bool { return man != '.' }
func isBlack(man byte) bool  { return man != '.' && !isWhite(man) }

// rank is a byte of a rank, bit 0 the a-file.
func (b *Board) rank(rank int, is func(byte) bool) (x byte) {
	for file := range 8 {
		if is(b.men[rules.NewSquare(file, rank)]) {
			x |= 1 << file
		}
	}
	return x
}

// bytes are the eight ranks from the eighth.
func (b *Board) bytes(is func(byte) bool) (x []byte) {
	for rank := 7; rank >= 0; rank-- {
		x = append(x, b.rank(rank, is))
	}
	return x
}

// mirror exchanges the a-file and the h-file.
func mirror(x byte) (y byte) {
	for range 8 {
		y = y<<1 | x&1
		x >>= 1
	}
	return y
}

func planes(b *Board) (out []byte) {
	for rank := range 8 {
		out = append(out, b.rank(rank, isWhite), b.rank(rank, isBlack))
	}
	return append(out, 0xFF, 0xFF, 0xFF)
}

// spans takes lights: FE, the squares, FF.
func spans(b *Board, c byte) {
	switch {
	case c == 0xFE:
		b.next8 = b.next8[:0]
	case c == 0xFF:
		b.lit = board.Frame{}
		for _, x := range b.next8 {
			b.shine(rules.NewSquare(int(x&0xF), int(x>>4)))
		}
	case c>>4 < 8 && c&0xF < 8 && len(b.next8) < 64:
		b.next8 = append(b.next8, c)
	}
}

// bitmap takes lights: eight bytes, the eighth rank first, bit 0 the a-file.
func bitmap(b *Board, c byte) {
	if b.next8 = append(b.next8, c); len(b.next8) < 8 {
		return
	}
	b.lit = board.Frame{}
	for i, x := range b.next8 {
		for file := range 8 {
			if x>>file&1 == 1 {
				b.shine(rules.NewSquare(file, 7-i))
			}
		}
	}
	b.next8 = b.next8[:0]
	b.out = append(b.out, "L\r\n"...)
}

// showPairs lights the squares of a text such as e2e4.
func (b *Board) showPairs(text string) {
	b.lit = board.Frame{}
	for i := 0; i+2 <= len(text); i += 2 {
		if s, ok := square(text[i : i+2]); ok {
			b.shine(s)
		}
	}
}
