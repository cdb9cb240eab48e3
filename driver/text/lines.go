package text

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/boardd/boardd/rules"
)

// Info is what a log may want to know of the conversation.
type Info struct {
	Counts
	Unread   int64  // lines that no rule fits: debug text, mostly
	LastLine string // the last of them, at most 80 characters
	Ignored  int64  // lines that Ignore fits
	Echoes   int64  // lines that only repeat
	Bad      int64  // messages that a rule fits and that cannot be
	Boots    int64  // how often the board said that it has started
	Missed   int64  // moves from squares where no man was known to stand
	NewGames int64  // games begun anew that the board did not tell
	Learning bool   // the men's chips are not known yet: they are learnt from the start position
}

// Info is what has been met since the machine was made.
func (m *Machine) Info() Info {
	i := m.info
	i.Counts = m.cut.counts
	i.Learning = m.chips.learning()
	return i
}

// fewLines are noted of a board that is understood otherwise: most print text for their makers.
const fewLines = 3

// echo is a line that was sent and may come back.
type echo struct {
	line string
	till int64
}

// sent remembers what may come back.
func (m *Machine) sent(b []byte) {
	if line := strings.TrimSpace(string(b)); line != "" {
		m.echoes = append(m.echoes, echo{line, m.now + echoMs*m.scale})
	}
	if len(m.echoes) > 16 {
		m.echoes = m.echoes[1:]
	}
}

func (m *Machine) echoed(line string) bool {
	line = strings.TrimSpace(line)
	m.echoes = slices.DeleteFunc(m.echoes, func(e echo) bool { return m.now > e.till })
	i := slices.IndexFunc(m.echoes, func(e echo) bool { return e.line == line })
	if i < 0 {
		return false
	}
	m.echoes = slices.Delete(m.echoes, i, i+1)
	return true
}

// message takes one message of the board.
func (m *Machine) message(b []byte) {
	for i := range m.p.rules {
		switch r := &m.p.rules[i]; r.Kind {
		case "bitboard":
			m.bits(b)
			return
		case "planes":
			m.planes(b)
			return
		}
	}
	line := strings.TrimRight(string(b), "\r\n")
	if m.cut.lineEnd != "" || m.cut.mode != "line" {
		line = strings.TrimLeft(line, "\r\n")
	}
	switch {
	case line == "":
		return
	case matches(m.p.boot, line):
		m.booted()
		return
	case matches(m.p.ignore, line):
		m.info.Ignored++
		m.heard = m.now
		return
	case m.echoed(line):
		m.info.Echoes++
		return
	case m.row(line):
		return
	}
	for i := range m.p.rules {
		r := &m.p.rules[i]
		if r.re == nil || r.has("row") {
			continue
		}
		found := r.re.FindAllStringSubmatch(line, -1)
		if len(found) == 0 {
			continue
		}
		for _, groups := range found {
			m.apply(r, func(name string) string {
				if n := r.group[name]; n > 0 {
					return groups[n]
				}
				return ""
			})
		}
		return
	}
	m.info.Unread++
	m.info.LastLine = printable(line)
	if !m.online || m.info.Unread <= fewLines {
		m.notes.Say(m.now, noteLine, "the board said what no rule of input reads: "+m.info.LastLine)
	}
}

// printable is the beginning of a line in ASCII.
func printable(line string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, line[:min(len(line), 80)])
}

func matches(all []*regexp.Regexp, line string) bool {
	return slices.ContainsFunc(all, func(re *regexp.Regexp) bool { return re.MatchString(line) })
}

func occupied(on bool) man {
	if on {
		return something
	}
	return empty
}

// apply does what a rule says.
func (m *Machine) apply(r *rule, group func(string) string) {
	data := group("data")
	switch r.Kind {
	case "hex":
		b := make([]byte, len(m.p.squares)/8)
		if len(data) != 2*len(b) {
			m.info.Bad++
			return
		}
		for i := range b {
			n, err := strconv.ParseUint(data[2*i:2*i+2], 16, 8)
			if err != nil {
				m.info.Bad++
				return
			}
			b[i] = byte(n)
		}
		m.bits(b)
	case "rows_dec":
		m.rowsDec(split(data, r.Separator))
	case "bits", "pieces":
		m.cells(r, characters(data))
	case "fen":
		m.fen(group("fen"))
	case "ids":
		m.ids(r, split(data, r.Separator))
	case "new_game":
		m.answered()
		m.pictured = false // told as a whole: it is another game
		m.accept(startMen)
	case "event":
		m.event(r, group)
	case "move":
		m.moves(r, group)
	}
}

// split parts items; "" is by white space.
func split(data, separator string) []string {
	if separator == "" {
		return strings.Fields(data)
	}
	items := strings.Split(data, separator)
	for i := range items {
		items[i] = strings.Trim(items[i], " \t'\"{}[]()")
	}
	return items
}

func characters(data string) (items []string) {
	for _, c := range []byte(data) {
		items = append(items, string(rune(c)))
	}
	return items
}

// bits reads a bit a square.
func (m *Machine) bits(b []byte) {
	if len(b)*8 != len(m.p.squares) {
		m.info.Bad++
		return
	}
	men := blank()
	for i, s := range m.p.squares {
		men[s] = occupied(m.bit(b[i/8], i%8))
	}
	m.whole(men)
}

func (m *Machine) bit(b byte, file int) bool {
	if !m.p.lowBit {
		file = 7 - file
	}
	return b>>file&1 == 1 != m.p.inverted
}

func blank() (men [64]man) {
	for i := range men {
		men[i] = empty
	}
	return men
}

// planes reads two bytes a rank: its white men, its black men.
func (m *Machine) planes(b []byte) {
	men := blank()
	count := [2]int{}
	if len(b)*4 != len(m.p.squares) {
		m.info.Bad++
		return
	}
	for i, s := range m.p.squares {
		w, d := m.bit(b[i/8*2], i%8), m.bit(b[i/8*2+1], i%8)
		switch {
		case w && d: // a man has one colour: these are not the bytes that they seem to be
			m.info.Bad++
			return
		case w:
			men[s] = white
			count[0]++
		case d:
			men[s] = black
			count[1]++
		}
	}
	if max(count[0], count[1]) > 16 {
		m.info.Bad++
		return
	}
	m.whole(men)
}

// rowsDec reads a decimal number for each eight squares.
func (m *Machine) rowsDec(items []string) {
	b := make([]byte, 0, 8)
	for _, item := range items {
		n, err := strconv.ParseUint(item, 10, 8)
		if err != nil {
			m.info.Bad++
			return
		}
		b = append(b, byte(n))
	}
	m.bits(b)
}

// cells reads an item a square.
func (m *Machine) cells(r *rule, items []string) {
	if len(items) != len(m.p.squares) {
		m.info.Bad++
		return
	}
	men := blank()
	for i, s := range m.p.squares {
		what, ok := m.cell(r, items[i])
		if !ok {
			m.info.Bad++
			return
		}
		men[s] = what
	}
	m.whole(men)
}

func (m *Machine) cell(r *rule, item string) (man, bool) {
	if strings.TrimSpace(item) == "" {
		return empty, true
	}
	if len(item) != 1 {
		return 0, false
	}
	if r.Kind == "pieces" {
		if _, ok := rules.PieceFromLetter(item[0]); ok {
			return man(item[0]), true
		}
		if item == "?" {
			return something, true
		}
	}
	t := m.p.o.Board.Tokens
	none, some := or(t.Empty, "0."), or(t.Any, "1x")
	if r.Kind == "bits" && m.p.inverted {
		none, some = some, none
	}
	for _, token := range [...]struct {
		signs string
		man   man
	}{{none, empty}, {some, something}, {or(t.White, "W"), white}, {or(t.Black, "B"), black}} {
		if strings.Contains(token.signs, item) {
			return token.man, true
		}
	}
	return 0, false
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// block is a board that comes in eight lines, as far as it has come.
type block struct {
	rule  *rule
	items []string
}

// row takes a line of such a board, if it is one. Whatever else comes between ends it.
func (m *Machine) row(line string) bool {
	for i := range m.p.rules {
		r := &m.p.rules[i]
		if !r.has("row") {
			continue
		}
		if r.start != nil && r.start.MatchString(line) {
			m.block = block{rule: r}
			return true
		}
		if m.block.rule != r && (r.start != nil || m.block.rule != nil) {
			continue
		}
		groups := r.re.FindStringSubmatch(line)
		if groups == nil {
			continue
		}
		items := characters(groups[r.group["row"]])
		if r.Separator != "" {
			items = split(groups[r.group["row"]], r.Separator)
		}
		if len(items) == 9 && items[8] == "" { // a separator after the last, too
			items = items[:8]
		}
		if len(items) != 8 {
			break
		}
		m.block.rule = r
		if m.block.items = append(m.block.items, items...); len(m.block.items) == len(m.p.squares) {
			m.cells(r, m.block.items)
			m.block = block{}
		}
		return true
	}
	m.block = block{}
	return false
}
