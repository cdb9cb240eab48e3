package dgt_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/dgt"
)

// bench gives a machine its wakes at the very moment asked for, and a board to talk to.
type bench struct {
	t      testing.TB
	m      *dgt.Machine
	now    int64
	wake   int64
	answer func(cmd byte) []byte // nil: the board is silent
	delay  int64
	line   []arrival // what is under way to the machine
	out    []string  // "4D@100"
	in     []string  // "e2=.@1200"
}

type arrival struct {
	at    int64
	bytes []byte
}

func newBench(t testing.TB, m *dgt.Machine, answer func(byte) []byte) *bench {
	b := &bench{t: t, m: m, answer: answer, delay: 10}
	b.step(0, nil)
	return b
}

func (b *bench) step(now int64, bytes []byte) {
	b.t.Helper()
	b.now = now
	inputs, out, wake := b.m.Step(now, bytes)
	if wake != 0 && wake <= now {
		b.t.Fatalf("at %d: wake %d is not later", now, wake)
	}
	b.wake = wake
	for _, in := range inputs {
		b.in = append(b.in, show(in))
	}
	for _, cmd := range out {
		b.out = append(b.out, fmt.Sprintf("%02X@%d", cmd, now))
		if b.answer != nil {
			if a := b.answer(cmd); a != nil {
				b.send(now+b.delay, a)
			}
		}
	}
}

// send puts bytes on the line, to arrive at a time.
func (b *bench) send(at int64, bytes []byte) {
	i, _ := slices.BinarySearchFunc(b.line, at+1, func(a arrival, at int64) int { return int(a.at - at) })
	b.line = slices.Insert(b.line, i, arrival{at, bytes})
}

// until runs to a time, that time included.
func (b *bench) until(t int64) {
	b.t.Helper()
	for {
		switch {
		case len(b.line) > 0 && b.line[0].at <= t && (b.wake == 0 || b.line[0].at <= b.wake):
			a := b.line[0]
			b.line = b.line[1:]
			b.step(a.at, a.bytes)
		case b.wake != 0 && b.wake <= t:
			b.step(b.wake, nil)
		default:
			return
		}
	}
}

// take gives what was said since the last call.
func (b *bench) take() (out, in string) {
	out, in = strings.Join(b.out, " "), strings.Join(b.in, " ")
	b.out, b.in = nil, nil
	return out, in
}

func (b *bench) want(what, out, in string) {
	b.t.Helper()
	gotOut, gotIn := b.take()
	if gotOut != out {
		b.t.Errorf("%s: wrote %s\n want %s", what, gotOut, out)
	}
	if gotIn != in {
		b.t.Errorf("%s: said %s\n want %s", what, gotIn, in)
	}
}

func show(in board.Input) string {
	switch in.Kind {
	case board.Change:
		return fmt.Sprintf("%v=%c@%d", in.Square, in.Symbol, in.T)
	case board.Scan:
		return fmt.Sprintf("%v@%d", in.Picture, in.T)
	case board.Link:
		return fmt.Sprintf("online:%v@%d", in.Online, in.T)
	case board.Clock:
		r := in.Reading
		return fmt.Sprintf("clock:%d/%d/%d/%d/%d@%d", r.LeftMs, r.RightMs, r.Running, r.Lever, r.Flag, in.T)
	case board.Battery:
		return fmt.Sprintf("battery:%d/%v@%d", in.Percent, in.Charging, in.T)
	}
	return fmt.Sprintf("%+v", in)
}

const startPicture = "rnbqkbnr/pppppppp/......../......../......../......../PPPPPPPP/RNBQKBNR"

// prompt is a board that answers every question, with the pieces as dump says.
func prompt(t testing.TB, dump *[]byte) func(byte) []byte {
	*dump = unhex(t, startDump)
	return func(cmd byte) []byte {
		switch cmd {
		case 0x42:
			return slices.Clone(*dump)
		case 0x45:
			return unhex(t, "91 00 08 30 31 30 32 35")
		case 0x4D:
			return unhex(t, "93 00 05 01 08")
		case 0x55:
			return unhex(t, "A2 00 0D 33 30 30 30 31 34 37 37 34 30")
		}
		return nil
	}
}

// settled is a bench with a prompt board, past the start-up, at 2000 ms.
func settled(t testing.TB, o dgt.Options) (*bench, *[]byte) {
	var dump []byte
	b := newBench(t, dgt.New(o), prompt(t, &dump))
	b.until(2000)
	b.take()
	return b, &dump
}
