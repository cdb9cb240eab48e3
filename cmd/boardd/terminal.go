package main

import (
	"cmp"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/boardd/boardd/leds/terminal"
)

// abilities are what the terminal behind out can do.
func abilities(out io.Writer, getenv func(string) string) (o terminal.Options) {
	locale := cmp.Or(getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG"))
	o.ASCII = !strings.Contains(strings.ReplaceAll(strings.ToUpper(locale), "-", ""), "UTF8")
	file, ok := out.(*os.File)
	if !ok || getenv("TERM") == "dumb" || !term.IsTerminal(int(file.Fd())) {
		return o
	}
	o.Moves = true
	o.Size = func() (width, height int) {
		w, h, err := term.GetSize(int(file.Fd()))
		if err != nil || w <= 0 || h <= 0 {
			return 80, 24
		}
		return w, h
	}
	switch depth := getenv("COLORTERM"); {
	case getenv("NO_COLOR") != "":
	case depth == "truecolor" || depth == "24bit":
		o.Colors = terminal.TrueColor
	default:
		o.Colors = terminal.Palette256
	}
	return o
}
