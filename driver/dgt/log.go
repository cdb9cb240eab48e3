package dgt

import (
	"fmt"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// EntryKind is what an entry of the log of changes says (protocols/dgt.md section 12).
type EntryKind uint8

// The kinds of entry. LogField: a square changed. LogTime: a side of the clock stopped. LogPowerUp and LogBegin are
// followed by a LogField for each man. LogUnknown is a byte that means nothing known: the rest of an entry that the ring has
// cut, or something of newer boards.
const (
	LogField EntryKind = iota
	LogTime
	LogPowerUp
	LogEnd
	LogRows       // four rows are occupied, not as at the start
	LogEmpty      // the board is empty
	LogDownloaded // the log was read
	LogStart      // the start position, with the connector on White's left
	LogTurned     // the start position, the other way round
	LogBegin      // a start that was commanded
	LogWatchdog   // the board started anew by itself
	LogReserved
	LogUnknown
)

var entryNames = [...]string{"field", "time", "power-up", "end", "rows", "empty", "downloaded", "start", "turned start", "begin", "watchdog", "reserved", "unknown"}

// Entry is one entry of the log.
type Entry struct {
	Kind   EntryKind
	Square rules.Square // of LogField
	Code   byte         // of LogField: the piece code, 0 for nothing
	Quick  bool         // of LogField: less than about 250 ms after the change before
	Side   board.Side   // of LogTime: the side that stopped
	Ms     int64        // of LogTime: what it had left
	Byte   byte         // as it stands in the log, its first byte
}

// String is one line for tests and logs.
func (e Entry) String() string {
	switch e.Kind {
	case LogField:
		s, _, _ := SymbolOf(e.Code)
		if e.Quick {
			return fmt.Sprintf("%v=%c quickly", e.Square, s)
		}
		return fmt.Sprintf("%v=%c", e.Square, s)
	case LogTime:
		return fmt.Sprintf("%s %d", sideName(e.Side), e.Ms)
	case LogUnknown:
		return fmt.Sprintf("unknown %02X", e.Byte)
	}
	return entryNames[e.Kind]
}

// DecodeLog reads the entries of EEMoves, BusChanges or BusFromStart. What is no entry comes out as LogUnknown, a byte at a
// time; nothing that fills the log comes out at all.
func DecodeLog(p []byte, emit func(Entry)) {
	for len(p) > 0 {
		e, n := entry(p)
		p = p[n:]
		if e.Byte != 0x7F && e.Byte != 0 || n > 1 {
			emit(e)
		}
	}
}

// entry reads the first entry and gives its length.
func entry(p []byte) (e Entry, n int) {
	e = Entry{Kind: LogUnknown, Square: rules.NoSquare, Byte: p[0]}
	switch first := p[0]; {
	case first >= 0x40 && first <= 0x5F:
		if len(p) < 2 || p[1] > 63 {
			return e, 1
		}
		e.Kind, e.Square, e.Code, e.Quick = LogField, SquareOf(p[1]), first&0x0F, first&0x10 != 0
		return e, 2
	case first >= 0x60 && first <= 0x69, first >= 0x70 && first <= 0x79:
		if len(p) < 3 {
			return e, 1
		}
		ms, ok := clockMs(p[:3])
		if !ok {
			return e, 1
		}
		e.Kind, e.Ms, e.Side = LogTime, ms, board.Right
		if first >= 0x70 {
			e.Side = board.Left
		}
		return e, 3
	case first >= 0x6A && first <= 0x6F:
		e.Kind = LogPowerUp + EntryKind(first-0x6A)
	case first >= 0x7A && first <= 0x7C:
		e.Kind = LogTurned + EntryKind(first-0x7A)
	case first == 0x7D || first == 0x7E:
		e.Kind = LogReserved
	}
	return e, 1
}
