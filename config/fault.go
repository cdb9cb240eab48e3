package config

import (
	"fmt"
	"strings"
)

// Fault is one thing wrong with a configuration.
type Fault struct {
	File    string // of the configuration; "" for environment variables
	Line    int    // from 1; 0 when the fault is of no line (a missing key, an environment variable)
	Key     string // path as board[0].rules.mode, or the environment variable's name
	Message string // what to do about it
}

// String is the fault on one line: file:line: key: message.
func (f Fault) String() string {
	var b strings.Builder
	if f.File != "" {
		b.WriteString(f.File)
		if f.Line > 0 {
			fmt.Fprintf(&b, ":%d", f.Line)
		}
		b.WriteString(": ")
	}
	if f.Key != "" {
		b.WriteString(short(f.Key) + ": ")
	}
	b.WriteString(f.Message)
	return strings.Map(oneLine, b.String())
}

// short is a text of a file as a message may hold it: its beginning, if it is long.
func short(text string) string {
	const most = 160
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// oneLine keeps whatever a file holds from breaking a message into several lines or colouring a terminal.
func oneLine(r rune) rune {
	if r < ' ' || r == 0x7f || (r >= 0x80 && r < 0xa0) || r == '\u2028' || r == '\u2029' {
		return ' '
	}
	return r
}

// Faults are all that is wrong with a configuration, in the order of its lines. As an error they are one line each.
type Faults []Fault

// Error is the faults, one a line.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, fault := range f {
		lines[i] = fault.String()
	}
	return strings.Join(lines, "\n")
}
