package text

import (
	"fmt"
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

func roniterv(b *Board, line string) {
	word, rest, _ := strings.Cut(line, " ")
	switch {
	case word == "HELLO" && rest == "5.0.1":
		b.synced = true
		b.say("HELLO 5.0.1")
	case word == "HELLO":
		b.say("ERR VERSION")
	case !b.synced && line != "":
		b.say("ERR HELLO")
	case line == "INFO":
		b.say("INFO ACB3 5.0.1 SIM")
	case line == "BOARD":
		b.say("BOARD %X", b.bytes(occupied))
	}
}

func chesswiz(b *Board, line string) {
	switch {
	case line != "REQUEST_BOARD_STATE":
	case b.o.Disabled:
		b.say("SENSORS_DISABLED")
	default:
		text := []byte("BOARD_STATE:")
		for _, man := range b.men { // from a1, by ranks
			text = append(text, digit(man))
		}
		b.say("%s", text)
	}
}

func digit(man byte) byte {
	if man == '.' {
		return '0'
	}
	return '1'
}

const prompt = "chess:~$ "

func xiao(b *Board, line string) {
	switch {
	case line == "q":
		b.listen = false
	case line == "version":
		b.say("%s%s", prompt, line)
		b.say("smart-xiao 1.0")
	case strings.HasPrefix(line, "board monitor threshold "):
		b.say("%s%s", prompt, line)
		b.listen = true
		for s := range rules.NoSquare {
			b.xiaoSquare(s)
		}
	default:
		b.out = append(b.out, "\r\n"+prompt...)
	}
}

func (b *Board) xiaoSquare(s rules.Square) {
	sign := " "
	switch man := b.men[s]; {
	case isWhite(man):
		sign = "-"
	case isBlack(man):
		sign = "+"
	}
	b.say("%s%s", sign, strings.ToUpper(s.String()))
}

// openLift tells of a man of the side to move, and of a victim when its captor is in the air, whichever was lifted first.
func (b *Board) openLift(s rules.Square, man byte) {
	if isWhite(man) != b.black {
		b.say("Piece lifted from %v", s)
		for _, a := range b.air {
			if isWhite(a.man) == b.black {
				b.openCapture(a.from, lifted{man, s}, a.man)
			}
		}
		return
	}
	for _, a := range b.air {
		if isWhite(a.man) != b.black {
			b.openCapture(s, a, man)
		}
	}
}

// openCapture names the square where the captor goes: behind the victim, if that is a pawn beside a pawn.
func (b *Board) openCapture(victim rules.Square, captor lifted, man byte) {
	if captor.man|0x20 == 'p' && man|0x20 == 'p' && captor.from.Rank() == victim.Rank() {
		step := 1
		if b.black {
			step = -1
		}
		victim = rules.NewSquare(victim.File(), victim.Rank()+step)
	}
	b.say("Capture initiated at %v", victim)
}

// fen is the first field of the position's FEN, as far as the board knows it.
func (b *Board) fen() string {
	var ranks []string
	for rank := 7; rank >= 0; rank-- {
		text, none := "", 0
		for file := range 8 {
			man := b.men[rules.NewSquare(file, rank)]
			if man == '.' {
				none++
				continue
			}
			if none > 0 {
				text += strconv.Itoa(none)
			}
			text, none = text+string(rune(man)), 0
		}
		if none > 0 {
			text += strconv.Itoa(none)
		}
		ranks = append(ranks, text)
	}
	return strings.Join(ranks, "/")
}

// position is the men, and who is to move as far as the board knows.
func (b *Board) position() string { return b.fen() + map[bool]string{false: " w", true: " b"}[b.black] }

func cpp(b *Board, line string) {
	fen, ok := strings.CutPrefix(line, "begin ")
	switch {
	case ok:
		b.ask, b.listen = strings.Fields(fen + " -")[0], true
		b.black = strings.Contains(fen, " b")
		b.synced = b.fen() == b.ask
		b.say("%s %s", map[bool]string{true: "sync", false: "unsync"}[b.synced], b.position())
	case strings.HasPrefix(line, "variant "), strings.HasPrefix(line, "feature "):
		b.say("nok")
	}
}

// state is told while the board is not as it should be.
func (b *Board) state() {
	if b.synced {
		return
	}
	b.synced = b.fen() == b.ask
	b.say("%s %s", map[bool]string{true: "sync", false: "state"}[b.synced], b.position())
}

func gameboard(b *Board, line string) {
	for word := range strings.FieldsSeq(line) {
		s, ok := square(word[1:])
		switch word[0] {
		case 'S':
			b.say("%s", b.men[:])
		case '.':
			if ok {
				b.lit[s] = board.RGB{}
			} else {
				b.lit = board.Frame{}
			}
		case '*', '!', '^':
			if ok {
				b.shine(s)
			}
		case '?':
			if ok {
				b.say("#%02X", b.count(s))
			}
		}
	}
}

// count is how many other men there are, and in bit 5 whether one stands here.
func (b *Board) count(s rules.Square) (n int) {
	for i, man := range b.men {
		if man != '.' && rules.Square(i) != s {
			n++
		}
	}
	n &= 0x1F
	if b.men[s] != '.' {
		n |= 0x20
	}
	return n
}

func squareOff(b *Board, line string) {
	code, body, _ := strings.Cut(line, "#")
	switch code {
	case "14":
		b.say("14#GO")
	case "30":
		var text []byte
		for file := range 8 {
			for rank := range 8 {
				text = append(text, digit(b.men[rules.NewSquare(file, rank)]))
			}
		}
		b.say("30#%s", text)
	case "25":
		b.showPairs(body)
	case "4":
		b.say("22#80")
	}
}

func novag(b *Board, line string) {
	switch line = strings.ToUpper(strings.TrimSpace(line)); line {
	case "I":
		b.say("ID. UCBII V1.09")
	case "N":
		b.black, b.number = false, 1
		b.say("New Game")
	case "X ON", "X OFF":
		b.listen = line == "X ON"
		b.say("%s", line)
	case "U ON", "U OFF":
		b.say("%s", line)
	}
}

func (b *Board) novagMove(m move) string {
	comma, sep, tail := "", "-", ""
	if b.black {
		comma = ","
	}
	if m.captured || m.passing {
		sep = "x"
	}
	if m.passing {
		tail = "ep"
	}
	if m.promoted != 0 {
		tail = "/" + strings.ToUpper(string(rune(m.promoted)))
	}
	if castles := m.castles(); castles != "" {
		return fmt.Sprintf("M %d%s %s", b.number, comma, castles)
	}
	return fmt.Sprintf("M %d%s %v%s%v%s", b.number, comma, m.from, sep, m.to, tail)
}

// chipLine is the chips of all squares, a8 to h1.
func chipLine(b *Board) []byte {
	var ids []string
	for rank := 7; rank >= 0; rank-- {
		for file := range 8 {
			id := b.chips[rules.NewSquare(file, rank)]
			if id == "" {
				id = b.noise()
			}
			ids = append(ids, id)
		}
	}
	return []byte(":" + strings.Join(ids, " ") + b.o.LineEnd)
}

// noise is what a reader says where nothing stands: now and then numbers that are no chip's.
func (b *Board) noise() string {
	if !b.o.Noise {
		return "0 0 0 0 0"
	}
	n := func() uint32 {
		b.dice = b.dice*1664525 + 1013904223
		return b.dice >> 24
	}
	if n() > 38 { // 15 in a hundred
		return "0 0 0 0 0"
	}
	return fmt.Sprint(n(), n(), n(), n(), n())
}
