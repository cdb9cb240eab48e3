package locate

import (
	"strconv"
	"strings"

	"github.com/boardd/boardd/leds/order"
	"github.com/boardd/boardd/rules"
)

func (m *Machine) prompt(now int64) Prompt {
	p := Prompt{LED: m.led, Layout: m.wanted, Keys: "s it is dark   u undo   q quit", Ended: m.ended}
	switch {
	case m.quit:
		p.Text, p.LED = "Given up: nothing was kept of the lights.", -1
	case m.ended:
		p.Text, p.LED = "The lights are known.", -1
	case m.led < 0:
		m.promptCheck(&p)
	case m.opt.PerSquare == order.Corners && m.each:
		p.Text = "LED " + strconv.Itoa(m.led) + " is lit: touch each square at whose corner it is, then press Enter."
		p.Hint = names(m.touched)
	case m.opt.PerSquare == order.Corners:
		p.Text = "LED " + strconv.Itoa(m.led) + " is lit: lift the man of a square at whose corner it is, or put one there."
	default:
		p.Text = "LED " + strconv.Itoa(m.led) + " is lit: lift the man of its square, or put one there."
	}
	if m.led >= 0 && !m.ended {
		p.Progress = m.progress()
		if p.Hint == "" && now-m.since >= Patience {
			p.Hint = "If no square is lit, press s."
		}
	}
	return p
}

func (m *Machine) promptCheck(p *Prompt) {
	p.Check = true
	p.Text = "Check: touch some squares. The square that was touched must light up."
	p.Keys = "Enter all right   n another was lit   u undo   q quit"
	if m.wanted.Count == 0 {
		p.Text = "Some squares have no light: press n and try again, or q."
		p.Keys = "n again   u undo   q quit"
	}
	if m.echo < 64 {
		p.Squares = m.echo.Bit()
	}
}

func (m *Machine) progress() string {
	n := len(m.answers)
	if m.each {
		return strconv.Itoa(n) + " of " + strconv.Itoa(m.opt.Count) + " LEDs known."
	}
	text := strconv.Itoa(len(m.left)) + " ways of laying the LEDs left."
	if len(m.left) == 1 {
		text = "One way of laying the LEDs is left, which is being checked."
	}
	return strconv.Itoa(n) + " known. " + text
}

func names(b rules.Bitboard) string {
	var list []string
	for b != 0 {
		list = append(list, b.Pop().String())
	}
	return strings.Join(list, " ")
}
