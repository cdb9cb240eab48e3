package doctor

import (
	"cmp"
	"fmt"
	"io"
	"strings"
)

// Style is how text is written.
type Style struct {
	Color bool
	ASCII bool
	Width int // columns; 0: 80
}

// marks are the signs before findings, worst last.
func (s Style) mark(l Level) string {
	sign := [...]string{"·", "!", "✗"}[l]
	if s.ASCII {
		sign = [...]string{"-", "!", "X"}[l]
	}
	return s.paint(sign, [...]string{"2", "33;1", "31;1"}[l])
}

func (s Style) yes(ok bool) string {
	switch {
	case ok && s.ASCII:
		return s.paint("ok", "32")
	case ok:
		return s.paint("✓", "32")
	case s.ASCII:
		return s.paint("NO", "31;1")
	}
	return s.paint("✗", "31;1")
}

func (s Style) paint(text, code string) string {
	if !s.Color {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// printer writes lines until one fails.
type printer struct {
	w     io.Writer
	style Style
	err   error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

func (p *printer) head(text string) { p.line("\n%s", p.style.paint(text, "1")) }

// WriteText writes what was seen and then the findings, worst first.
func (r *Report) WriteText(w io.Writer, s Style) error {
	p := &printer{w: w, style: s}
	m := &r.Machine
	p.line("%s", s.paint("This computer", "1"))
	p.line("  %s", m.Model+revision(m.Revision))
	p.line("  %s", strings.Trim(m.System+", Linux "+m.Kernel, ", "))
	p.line("  user %s, groups %s", cmp.Or(m.User, "?"), cmp.Or(m.Groups, "none"))
	p.gpio(r)
	p.devices("I²C buses", r.I2C, "")
	spi := ""
	if r.Buffer > 0 {
		spi = fmt.Sprintf("longest transfer %d bytes", r.Buffer)
	}
	p.devices("SPI devices", r.SPI, spi)
	p.devices("Serial ports", r.Serial, "")
	if len(r.Lights) > 0 {
		p.devices("LED devices", r.Lights, "")
	}
	for i := range r.Boards {
		p.board(&r.Boards[i])
	}
	p.findings(r)
	return p.err
}

func revision(code string) string {
	if code == "" {
		return ""
	}
	return ", revision " + code
}

func (p *printer) gpio(r *Report) {
	p.head("GPIO chips")
	if len(r.GPIO) == 0 {
		p.line("  none")
		return
	}
	for _, d := range r.GPIO {
		if d.Link != "" {
			p.line("    %-22s the same as %s", d.Path, d.Link)
			continue
		}
		text := d.Why
		for _, c := range r.Chips {
			if "/dev/"+c.Name == d.Path {
				text = fmt.Sprintf("%-18s %2d lines", c.Label, c.Lines)
				if c.Label == r.Machine.Header {
					text += "  <- the 40-pin header"
				}
			}
		}
		p.line("  %s %-22s %s", p.style.yes(d.May), d.Path, text)
	}
}

func (p *printer) devices(head string, all []Device, more string) {
	if more != "" {
		head += p.style.paint(" ("+more+")", "2")
	}
	p.head(head)
	if len(all) == 0 {
		p.line("  none")
	}
	for _, d := range all {
		text := d.Path
		if d.Link != "" {
			text += " = " + d.Link
		}
		if d.Why != "" {
			text = fmt.Sprintf("%-22s %s", text, d.Why)
		}
		p.line("  %s %s", p.style.yes(d.May), text)
		if d.Probed && len(d.Answers) == 0 {
			p.line("      nothing answers")
		}
		for _, a := range d.Answers {
			line := fmt.Sprintf("0x%02x  %s", a.Address, a.Probably)
			if a.Driver {
				line += " (a driver of the kernel has it)"
			}
			p.line("      %s", line)
		}
	}
}

func (p *printer) board(b *Board) {
	head := "Board " + b.ID + ": " + b.Driver
	switch b.Calibrated {
	case "yes":
		head += ", calibrated"
	case "no":
		head += ", not calibrated yet"
	case "outdated":
		head += ", calibrated with another wiring"
	}
	p.head(head)
	if b.Scan == nil {
		return
	}
	for _, line := range b.Scan.Lines(p.style) {
		p.line("  %s", line)
	}
}

// Lines draw the board, or the wires where it is not known which is which square.
func (c *Scan) Lines(s Style) (lines []string) {
	on := map[int]bool{}
	for _, w := range c.On {
		on[w] = true
	}
	at := map[string]int{}
	for w, name := range c.Squares {
		at[name] = w
	}
	full, empty := "●", "·"
	if s.ASCII {
		full, empty = "#", "."
	}
	cell := func(w int, ok bool) string {
		sign := empty
		switch {
		case !ok:
			return s.paint(" x  ", "2")
		case on[w]:
			sign = s.paint(full, "1")
		}
		flips := "  "
		if w < len(c.Flips) && c.Flips[w] > 0 {
			flips = fmt.Sprintf("%-2d", c.Flips[w])
			if c.Flips[w] > 99 {
				flips = "**"
			}
			flips = s.paint(flips, "33;1")
		}
		return " " + sign + flips
	}
	for row := 7; row >= 0; row-- {
		label, text := fmt.Sprintf("%2d-%-2d ", row*8, row*8+7), ""
		for column := range 8 {
			w, ok := row*8+column, true
			if len(c.Squares) > 0 {
				w, ok = at[fmt.Sprintf("%c%d", 'a'+column, row+1)]
			}
			text += cell(w, ok)
		}
		if len(c.Squares) > 0 {
			label = fmt.Sprintf("%d ", row+1)
		}
		lines = append(lines, label+text)
	}
	if len(c.Squares) > 0 {
		lines = append(lines, "   a   b   c   d   e   f   g   h")
	} else {
		lines = append(lines, "wires; which is which square is not known yet")
	}
	sum := fmt.Sprintf("%d readings, %d failed, %d full", c.Readings, c.Failed, len(c.On))
	flips := 0
	for _, n := range c.Flips {
		if n > 0 {
			flips++
		}
	}
	lines = append(lines, sum)
	switch {
	case flips == 1:
		lines = append(lines, "1 wire changed: the number beside the sign says how often")
	case flips > 1:
		lines = append(lines, fmt.Sprintf("%d wires changed: the number beside the sign says how often", flips))
	}
	return lines
}

func (p *printer) findings(r *Report) {
	if len(r.Findings) == 0 {
		p.line("\n%s %s", p.style.yes(true), p.style.paint("Nothing is wrong.", "1"))
		return
	}
	p.head("Findings")
	for _, f := range r.Findings {
		what := f.What
		if f.Board != "" {
			what = "Board " + f.Board + ": " + what
		}
		for i, line := range Wrap(what, cmp.Or(p.style.Width, 80)-4) {
			mark := " "
			if i == 0 {
				mark = p.style.mark(f.Level)
			}
			p.line("  %s %s", mark, line)
		}
		if f.Mend != "" {
			for i, line := range Wrap(f.Mend, cmp.Or(p.style.Width, 80)-7) {
				arrow := "->"
				if i > 0 {
					arrow = "  "
				}
				p.line("    %s %s", arrow, line)
			}
		}
	}
}

// Wrap breaks a text at blanks into lines of at most width columns, but for longer words.
func Wrap(text string, width int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case len([]rune(line))+1+len([]rune(word)) > width:
			lines = append(lines, line)
			line = word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}
