package dgt

import (
	"slices"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// recalled is a change that the board remembers.
type recalled struct {
	square rules.Square
	symbol board.Symbol
	quick  bool // in the same scan, or nearly, as the one before
}

// mayDiffer is how many squares may show something else now than at the end of the log: hands that moved while it was read.
const mayDiffer = 4

// recall finds in the log what was done to the board since all squares said known; now they say shown. It is false when the
// log does not know, when it contradicts the board, or when the board was set up anew since: then what the board shows is
// all there is.
func recall(log []Entry, known, shown board.Picture) ([]recalled, bool) {
	h := history{known: known}
	for _, e := range log {
		h.take(e)
	}
	h.filled()
	if h.sound {
		return h.steps, h.met && differ(&h.state, &shown) <= mayDiffer
	}
	// Nothing in the log says where all men stood, so it is no more than a piece: it may begin at what is known.
	h = history{known: known, state: known, sound: true, met: true}
	for _, e := range log {
		h.take(e)
	}
	return h.steps, h.met && h.state == shown
}

// history plays a log.
type history struct {
	known board.Picture

	state   board.Picture
	sound   bool          // state is known to be what the squares said
	filling bool          // what stands there is being written down, a man at a time
	before  board.Picture // that
	wasSure bool          // and sound before that
	met     bool          // state was known, and steps are what was done since
	steps   []recalled
}

func (h *history) take(e Entry) {
	switch e.Kind {
	case LogField:
		h.field(e)
		return
	case LogPowerUp, LogBegin:
		h.filled()
		h.before, h.wasSure = h.state, h.sound
		h.state, h.sound, h.filling = board.EmptyPicture(), true, true
		return
	case LogTime, LogDownloaded, LogWatchdog, LogReserved, LogUnknown, LogEnd:
		return
	}
	// A position from which a game begins, or none at all: what was done before belongs to another game.
	h.filled()
	switch e.Kind {
	case LogStart:
		h.state, h.sound = startPicture, true
	case LogTurned:
		h.state, h.sound = startPicture.Turned(), true
	case LogEmpty:
		h.state, h.sound = board.EmptyPicture(), true
	}
	h.met = false
	h.look()
}

func (h *history) field(e Entry) {
	s, _, _ := SymbolOf(e.Code)
	if h.filling && s != board.Empty && h.state[e.Square] == board.Empty {
		h.state[e.Square] = s
		return
	}
	h.filled()
	h.set(e.Square, s, e.Quick)
	h.look()
}

func (h *history) set(sq rules.Square, s board.Symbol, quick bool) {
	if h.state[sq] != s {
		h.state[sq] = s
		h.steps = append(h.steps, recalled{sq, s, quick})
	}
}

// filled ends the writing down of all men. What is not as it was before was changed without power.
func (h *history) filled() {
	if !h.filling {
		return
	}
	h.filling = false
	now := h.state
	if h.state = h.before; !h.wasSure {
		h.state, h.steps, h.met = now, nil, false
	}
	for _, lift := range [...]bool{true, false} {
		for sq := range rules.NoSquare {
			if was := h.state[sq]; was != now[sq] && (now[sq] == board.Empty) == lift {
				h.set(sq, now[sq], len(h.steps) > 0)
			}
		}
	}
	h.look()
}

// look begins anew where the board was as it is known.
func (h *history) look() {
	if h.sound && h.state == h.known {
		h.met, h.steps = true, h.steps[:0]
	}
}

func differ(a, b *board.Picture) (n int) {
	for s := range a {
		if a[s] != b[s] {
			n++
		}
	}
	return n
}

// startPicture is what the board means by the start position, with the connector on White's left.
var startPicture = func() (p board.Picture) {
	const back = "rnbqkbnr"
	for s := range p {
		p[s] = board.Empty
	}
	for file := range 8 {
		p[rules.NewSquare(file, 7)], p[rules.NewSquare(file, 6)] = board.Symbol(back[file]), 'p'
		p[rules.NewSquare(file, 1)], p[rules.NewSquare(file, 0)] = 'P', board.Symbol(back[file]-'a'+'A')
	}
	return p
}()

// entries reads a whole log.
func entries(p []byte) (log []Entry) {
	DecodeLog(p, func(e Entry) { log = append(log, e) })
	return slices.Clip(log)
}
