package dgt

import (
	"strings"

	"github.com/boardd/boardd/driver/notes"
)

// Info is what the board has told about itself, and what went wrong on the line.
type Info struct {
	Major, Minor                 byte   // of the board's program; two numbers, never a decimal fraction. 0, 0 is not known
	HardwareMajor, HardwareMinor byte   // of newer boards
	Serial                       string // five digits
	LongSerial                   string // ten characters
	BusAddress                   int    // 0 is not known
	Trademark                    string
	ClockMajor, ClockMinor       byte // 1.x XL or TopMatch, 2.x DGT3000
	ClockMode                    byte // as the clock said by itself: an XL can be set in mode 23 alone. 0 is not known
	ClockAbsent                  bool // the board says that no clock is plugged in
	BatteryKnown                 bool
	BatteryPercent               int
	Charging                     bool

	Counts            // of the decoder
	Unknown     int64 // messages with an id that is not known
	BadCodes    int64 // squares, pieces or percentages that do not exist
	BadClocks   int64 // times put aside
	Acks        int64 // answers of the clock
	AckErrors   int64 // of them, refusals
	StaleDumps  int64 // dumps put aside because a square had just changed
	Unlikely    int   // dumps that were to be said twice
	Corrections int64 // dumps that showed the changes to be incomplete
	Specials    int64 // special pieces put down
	Recalled    int64 // changes that were read from the board's log
}

// Info is a copy of what is known now.
func (m *Machine) Info() Info {
	i := m.info
	i.Counts = m.dec.Counts()
	return i
}

// printable keeps what can be shown of a text the board sent.
func printable(p []byte) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, string(p))
}

// What this driver may have to say.
const (
	noteSpecial notes.Kind = iota
	noteAck
	noteLog
	noteDraughts
	noteSilent
	noteNoDump
	noteBus
	noteOrder
	noteLights
	noteUnheard
)

// Notes gives the lines for the log that have come up since the last call, oldest first; nil most of the time.
func (m *Machine) Notes() []string { return m.notes.Take() }
