package dgt_test

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/emulator"
	"github.com/boardd/boardd/driver/emulator/dgt"
	"github.com/boardd/boardd/rules"
)

var _ emulator.Machine = (*dgt.Board)(nil)

// rig gives a board the time and keeps what it says.
type rig struct {
	t    testing.TB
	b    *dgt.Board
	now  int64
	wake int64
	out  []byte
}

const start = "rnbqkbnr/pppppppp/......../......../......../......../PPPPPPPP/RNBQKBNR"

// newRig is a board with the men of the start position that has been on for a second.
func newRig(t testing.TB, o dgt.Options) *rig {
	r := &rig{t: t, b: dgt.New(o)}
	r.put(start)
	r.run(1000)
	r.out = nil
	return r
}

// put sets all squares.
func (r *rig) put(text string) {
	r.t.Helper()
	p, err := board.ParsePicture(text, board.PieceAcuity)
	if err != nil {
		r.t.Fatal(err)
	}
	for s, what := range p {
		r.b.Set(rules.Square(s), what)
	}
	r.step(nil)
}

func (r *rig) step(in []byte) {
	r.t.Helper()
	out, wake := r.b.Step(r.now, in)
	if wake != 0 && wake <= r.now {
		r.t.Fatalf("at %d: wake %d is not later", r.now, wake)
	}
	r.out, r.wake = append(r.out, out...), wake
}

// run lets time pass, with every wake asked for.
func (r *rig) run(ms int64) {
	r.t.Helper()
	for end := r.now + ms; r.now < end; {
		if r.now = end; r.wake != 0 && r.wake < end {
			r.now = r.wake
		}
		r.step(nil)
	}
}

// ask writes bytes and gives what is said within a time.
func (r *rig) ask(bytes string, ms int64) string {
	r.t.Helper()
	r.out = nil
	r.step(unhex(r.t, bytes))
	r.run(ms)
	return fmt.Sprintf("% X", r.out)
}

func (r *rig) want(bytes, answer string) {
	r.t.Helper()
	if got := r.ask(bytes, 700); got != answer {
		r.t.Errorf("%s is answered\n%s\nwant\n%s", bytes, got, answer)
	}
}

// hear gives what is said within a time.
func (r *rig) hear(ms int64) string {
	r.t.Helper()
	return r.ask("", ms)
}

// set changes a square in this moment.
func (r *rig) set(square string, what board.Symbol) {
	r.t.Helper()
	s, ok := rules.ParseSquare(square)
	if !ok {
		r.t.Fatalf("%s is no square", square)
	}
	r.b.Set(s, what)
	r.step(nil)
}

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

const startDump = "86 00 43 08 09 0A 0C 0B 0A 09 08 07 07 07 07 07 07 07 07 " + nothing + " 01 01 01 01 01 01 01 01 02 03 04 06 05 04 03 02"

const nothing = "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
