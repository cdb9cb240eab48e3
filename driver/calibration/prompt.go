package calibration

import (
	"math/bits"
	"strings"

	"github.com/boardd/boardd/driver/scan"
	"github.com/boardd/boardd/rules"
)

// Prompt is what the builder is to be shown.
type Prompt struct {
	Ask      Ask
	Text     string           // what to do, in a line
	Hint     string           // what may help, or what Enter would confirm; "" for nothing
	Keys     string           // which keys do what
	Progress string           // how far it is
	Square   rules.Square     // what Text is about, or NoSquare
	Confirm  bool             // Hint is a question, which Enter answers with yes
	Men      [64]rules.Square // who should stand on a square, by where he stands in the start position; NoSquare for nobody
	On       rules.Bitboard   // squares that read full, as far as they are known
	Known    rules.Bitboard   // squares whose wire is known
	Echo     string           // in the check: what was touched last, as e2 off
	Found    string           // what the last step has shown, as e2: wire 12
	Check    bool             // the map is ready and being tried
	Ended    bool
	Findings []Finding

	Lifts, ToGo int // men lifted, and about how many are still to be lifted
	Puts        int // men put down
	Left        int // squares still to be walked over
}

// Result is the calibration, without the name of its wiring. It is to be kept only if ok: everything was asked and the check was
// right.
func (m *Machine) Result() (c scan.Calibration, found []Finding, ok bool) {
	return m.know.result, m.know.findings, m.know.checked && !m.quit
}

func (m *Machine) prompt(now int64) Prompt {
	k := m.know
	p := Prompt{
		Ask:    m.step.kind,
		Square: rules.NoSquare, Men: k.origin, Findings: k.findings, Lifts: k.lifts, Puts: k.places,
		Keys: "s nothing reacts   r again   u undo   q quit", Ended: m.over(), Echo: m.echo, Found: m.found,
	}
	for s, w := range k.wire {
		if w < scan.Wires && m.front.on>>w&1 == 1 {
			p.On |= rules.Square(s).Bit()
		}
		if bits.OnesCount64(k.seen[s]) == 1 {
			p.Known |= rules.Square(s).Bit()
		}
	}
	p.ToGo, p.Left, p.Progress = k.ahead.lifts, k.ahead.left, k.ahead.text
	if p.Ended {
		p.ending(m)
		return p
	}
	if m.restore {
		p.Ask, p.Text = AskRestore, "Put the men back as they stood before this step."
		p.Hint, p.Confirm = "If they stand so, press Enter.", true
		return p
	}
	p.ask(m)
	late := m.begun && now-m.since >= Patience
	switch {
	case m.confirm != "":
		p.Hint, p.Confirm = m.confirm, true
	case m.step.kind == AskCheck:
	case m.begun && !m.front.still(now) && now-m.front.calm > Rest*2:
		p.Hint = "Hands off for a moment: the reading does not come to rest."
	case late:
		p.Hint = m.hint()
	}
	return p
}

// ask words the step.
func (p *Prompt) ask(m *Machine) {
	k, s := m.know, m.step.square
	switch m.step.kind {
	case AskEmpty:
		p.Text, p.Keys = "Take everything off the board. Then press Enter.", "Enter it is empty   q quit"
	case AskCorners:
		p.Text, p.Keys = "Put three men on the board: on a1, b1 and a2.", "r again   u undo   q quit"
		for _, s := range []rules.Square{0, 1, 8} {
			p.Men[s] = s
		}
	case AskSetup:
		p.Text = "Set up the start position, White's men on the side that shall be rank 1."
		p.Keys = "Enter it stands   u undo   q quit"
		for b := outer; b != 0; {
			s := b.Pop()
			p.Men[s] = s
		}
	case AskLift:
		p.Square, p.Text = s, "Lift the man on "+s.String()+" and keep him off the board."
	case AskPut:
		p.Square, p.Text = s, "Put him on "+s.String()+"."
		if k.walking {
			p.Text = "Put one white man on " + s.String() + ", nothing else on the board."
		}
	case AskClear:
		p.Text, p.Keys = "Take all men off the board.", "Enter it is empty   u undo   q quit"
	case AskCheck:
		p.Check = true
		p.Text = "Check: lift men or put some down. Each time the same square must be named."
		p.Keys = "Enter all right, save   n it was wrong   u undo   q quit without saving"
		p.Men = [64]rules.Square{}
		for i := range p.Men {
			p.Men[i] = rules.NoSquare
		}
		p.Known = m.tried
		if n := CheckSquares - m.tried.Len(); n > 0 {
			p.Keys = "n it was wrong   u undo   q quit without saving"
			p.Progress = "Touch " + count(n, "more square") + "; sliding a man over all of them shows every sensor at work."
		} else {
			p.Progress = decimal(m.tried.Len()) + " of 64 squares tried."
		}
	}
}

func (p *Prompt) ending(m *Machine) {
	switch {
	case m.quit:
		p.Text = "Given up: nothing was saved."
	case m.know.fatal:
		p.Text = "This board cannot be calibrated as it is; nothing was saved."
	default:
		p.Text = "Calibrated."
	}
	p.Keys, p.Progress = "", count(p.Lifts, "man")+" lifted, "+decimal(p.Puts)+" put down."
	p.Progress = strings.Replace(p.Progress, "mans", "men", 1)
}

// hint is what may help when a step takes long.
func (m *Machine) hint() string {
	switch m.step.kind {
	case AskCorners:
		if m.front.on != 0 {
			return count(bits.OnesCount64(m.front.on), "wire") + " react so far; three are needed."
		}
		return "Nothing reacts so far."
	case AskSetup:
		if m.opt.Traits.Analog {
			return "When all 32 men stand, press Enter."
		}
		return decimal(bits.OnesCount64(m.front.on)) + " wires see a man. If all 32 men stand, press Enter."
	case AskLift:
		return "Nothing changes. Is the man off the board? Then press s: this square does not react."
	case AskPut:
		return "Nothing changes. Does he stand in the middle of " + m.step.square.String() + "? Then press s: it does not react."
	case AskClear:
		return "Some wires still see men. If the board is empty, press Enter."
	}
	return ""
}

// ahead is what is still to be done: about so many lifts, squares over which a man has to walk, and that in words.
type ahead struct {
	lifts, left int
	text        string
}

func (k *knowledge) toGo() ahead {
	if !k.set || k.fatal {
		return ahead{}
	}
	lifts, left := 0, 0
	what := ""
	switch k.way {
	case byPattern:
		c := &k.fits[0]
		lifts = k.liftsForPorts(c)
		what = count(len(k.fits), "way") + " of wiring left"
		if len(k.fits) == 1 {
			what = "one way of wiring left, which is being checked"
		}
	case byMatrix:
		files, outside, between := k.matrix.open()
		lifts = max(files-1, outside-1, between-1, 0)
		what = grouped(factorial(files)*factorial(outside)*factorial(between)) + " orders of the lines left"
		if lifts == 0 {
			what = "all lines known"
		}
	default:
		if !k.walking && !k.far() {
			lifts = max(0, (outer&k.standing&^k.tried).Len()-1)
		}
		left = k.toWalk().Len()
		if !k.walking && !k.far() {
			left -= (outer & k.toWalk() &^ k.silent).Len()
		}
		what = "then a man walks over " + count(left, "square")
		if k.walking {
			what = count(left, "square") + " left"
		}
	}
	text := count(k.lifts, "lift") + " done"
	if lifts > 0 {
		text += ", about " + decimal(lifts) + " to go"
	}
	return ahead{lifts, left, text + "; " + what + "."}
}

// liftsForPorts is how many lifts show all groups of 8 wires of a pattern, when each man that is lifted is put down again in the
// middle.
func (k *knowledge) liftsForPorts(c *candidate) int {
	open := k.ports(c)
	var all, outside, inside int // groups; those with squares only in the first ranks; those only in the middle
	for ; open != 0; open >>= 8 {
		all += int(open & 1)
	}
	for port := range 8 {
		group := k.ports(c) & (0xff << (8 * port))
		switch b := c.squares(group); {
		case group == 0:
		case b&middle == 0:
			outside++
		case b&outer == 0:
			inside++
		}
	}
	lifts := max(outside, inside, (all+1)/2)
	if k.hand != rules.NoSquare && lifts > 0 && lifts > outside {
		lifts-- // the man in the hand shows one more
	}
	return lifts
}

// grouped is a number with its thousands apart.
func grouped(n int) string {
	text := decimal(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + " " + text[i:]
	}
	return text
}

func factorial(n int) int {
	f := 1
	for ; n > 1; n-- {
		f *= n
	}
	return f
}
