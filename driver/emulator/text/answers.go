package text

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

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
