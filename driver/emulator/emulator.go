// Package emulator lets boards that are not there answer on pseudo terminals: whoever opens the path as a serial port talks
// to the machine of a board, over a line that can be made as bad as lines get.
package emulator

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// Machine is a board that speaks bytes, seen from the board's side, without I/O: it is what its protocol's page says the
// hardware does. Squares are as the board is wired. Each protocol has one in a package below this one, written from the
// protocol's page and sharing no code with the driver, so that a mistake does not hide in both.
type Machine interface {
	// Step takes what the computer has written and gives what the board writes. now is in milliseconds, never falling;
	// wake is when it wants to be called again without bytes, 0 for never.
	Step(now int64, in []byte) (out []byte, wake int64)
	// Set says what stands on a square: a FEN letter, board.Empty, or board.Unknown for a man the board does not know. A board
	// that sees less makes of it what it sees. The next Step reports it, as the hardware would.
	Set(s rules.Square, what board.Symbol)
	// Lit is what the board's own lights show; black where it has none.
	Lit() board.Frame
}
