package chesslink_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/chesslink"
)

// bench gives a machine its wakes at the very moment asked for, and a board to talk to.
type bench struct {
	t      testing.TB
	m      *chesslink.Machine
	now    int64
	wake   int64
	answer func(command string) string // check digits included in both; "" is silence
	line   []arrival
	out    []string // "V56@0"
	in     []string // "online:true@10"
}

type arrival struct {
	at    int64
	bytes []byte
}

func newBench(t testing.TB, o chesslink.Options, answer func(string) string) *bench {
	b := &bench{t: t, m: chesslink.New(o), answer: answer}
	b.step(0, nil)
	return b
}

func (b *bench) step(now int64, bytes []byte) {
	b.t.Helper()
	b.now = now
	inputs, out, wake := b.m.Step(now, bytes)
	if wake <= now {
		b.t.Fatalf("at %d: wake %d is not later", now, wake)
	}
	b.wake = wake
	for _, in := range inputs {
		if in.T != now {
			b.t.Errorf("at %d: an input of %d", now, in.T)
		}
		b.in = append(b.in, show(in))
	}
	if len(out) == 0 {
		return
	}
	text := make([]byte, len(out))
	for i, c := range out {
		text[i] = c & 0x7F
	}
	b.out = append(b.out, fmt.Sprintf("%s@%d", text, now))
	if b.answer != nil {
		if a := b.answer(string(text)); a != "" {
			b.send(now+10, wire(a))
		}
	}
}

// send puts bytes on the line, to arrive at a time.
func (b *bench) send(at int64, bytes []byte) {
	i, _ := slices.BinarySearchFunc(b.line, at+1, func(a arrival, at int64) int { return int(a.at - at) })
	b.line = slices.Insert(b.line, i, arrival{at, bytes})
}

// until runs to a time, which is included.
func (b *bench) until(at int64) {
	b.t.Helper()
	for {
		switch {
		case len(b.line) > 0 && b.line[0].at <= min(b.wake, at):
			a := b.line[0]
			b.line = b.line[1:]
			b.step(max(a.at, b.now), a.bytes)
		case b.wake <= at:
			b.step(b.wake, nil)
		default:
			return
		}
	}
}

func (b *bench) take() (out, in string) {
	out, in = strings.Join(b.out, " "), strings.Join(b.in, " ")
	b.out, b.in = nil, nil
	return out, in
}

func (b *bench) want(what, out, in string) {
	b.t.Helper()
	if o, i := b.take(); o != out || i != in {
		b.t.Errorf("%s:\n wrote %s\n  want %s\n  said %s\n  want %s", what, o, out, i, in)
	}
}

func show(in board.Input) string {
	switch in.Kind {
	case board.Link:
		return fmt.Sprintf("online:%v@%d", in.Online, in.T)
	case board.Scan:
		return fmt.Sprintf("%s@%d", in.Picture, in.T)
	}
	return fmt.Sprintf("kind %d@%d", in.Kind, in.T)
}
