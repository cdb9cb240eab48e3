// Package leds turns the view of a table into light: one grammar for every display. Fast blinking means take this off,
// slow blinking put something here, steady look here; colours only support it. Compose is a pure function of view and
// time; a Runner shows its frames on a display. The displays are packages of their own.
package leds

import "github.com/boardd/boardd/board"

// Palette are the colours at full brightness. Nothing is told apart by colour alone.
type Palette struct{ Remove, Put, Info board.RGB }

// DefaultPalette is safe for people who cannot tell red from green.
var DefaultPalette = Palette{
	Remove: board.RGB{R: 255, G: 64},
	Put:    board.RGB{G: 90, B: 255},
	Info:   board.RGB{R: 255, G: 255, B: 255},
}

// Style is how a display and its owner want things shown.
type Style struct {
	Palette   Palette
	LastMove  bool // keep the last move's squares dimly lit
	NoDimming bool // the display has no levels: what would only be dim is left out
	OneByOne  bool // guidance back to the right position shows one man at a time and where it goes, not all at once
	OneSquare bool // the display's LEDs are shared by squares: one square at a time, of what matters most
	Night     bool // at most 5 %, and no trouble flash
	Trouble   bool // something beside the board is in trouble: broker, store
}

// DefaultStyle shows everything in the default colours.
func DefaultStyle() Style { return Style{Palette: DefaultPalette, LastMove: true} }

const nightPercent = 5

// Hours are a part of each day in minutes from midnight, over midnight where To is before From. The zero value is no part of it.
type Hours struct{ From, To int }

// Has reports whether a minute of the day is among them; To is not.
func (h Hours) Has(minute int) bool {
	if h.From <= h.To {
		return h.From <= minute && minute < h.To
	}
	return minute >= h.From || minute < h.To
}
