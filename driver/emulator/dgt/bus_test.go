package dgt_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boardd/boardd/driver/emulator/dgt"
)

const busBattery = "B5 00 0F 08 01 64 7F 7F 00 00 00 00 00 00"

// The frames of section 11. A command in single-board mode only leaves that mode.
func TestBus(t *testing.T) {
	t.Parallel()
	board := strings.TrimPrefix(startDump, "86 00 43")
	for _, c := range []struct {
		name    string
		options dgt.Options
		command string
		answer  string
	}{
		{"ping", dgt.Options{}, "87 08 01 10", "87 00 06 08 01 16"},
		{"the header's example", dgt.Options{Serial: "02054"}, "81 10 06 17", "84 00 0D 10 06 00 00 00 00 00 00 20 47"},
		{"a start is written", dgt.Options{}, "85 08 01 0E", "88 00 06 08 01 17"},
		{"version 1.2", dgt.Options{Version: [2]byte{1, 2}}, "8B 08 01 14", "89 00 08 08 01 01 02 1D"},
		{"dump", dgt.Options{}, "82 08 01 0B", "83 00 46 08 01" + board + " 7C"},
		{"all", dgt.Options{}, "8D 08 01 16", "85 00 06 08 01 14 84 00 0D 08 01 00 00 00 00 00 00 20 3A 83 00 46 08 01" + board + " 7C"},
		{"no changes", dgt.Options{}, "83 08 01 0C", "85 00 06 08 01 14"},
		{"a wrong sum", dgt.Options{}, "83 08 01 0D", ""},
		{"another's", dgt.Options{}, "87 08 02 11", ""},
		{"a question to all", dgt.Options{}, "82 00 00 02", ""},
		{"half a command, then a whole one", dgt.Options{}, "82 08 87 08 01 10", "87 00 06 08 01 16"},
		{"draughts", dgt.Options{}, "8C 08 01 15", ""},
		{"serial of an old board", dgt.Options{}, "91 08 01 1A", ""},
		{"serial", dgt.Options{Model: dgt.Newer}, "91 08 01 1A", "B0 00 0B 08 01 30 31 30 32 35 3C"},
		{"battery", dgt.Options{Model: dgt.Newer}, "98 08 01 21", busBattery + " 2F"},
		{"hardware version", dgt.Options{Model: dgt.Newer}, "9B 08 01 24", "8C 00 08 08 01 01 00 1E"},
		{"single-board commands are carried out", dgt.Options{}, "4D", "93 00 05 01 08"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, c.options)
			r.ask("87 08 03 12 83 08 01 0C 83 08 02 0E", 700) // another's ping; what was written when power came
			r.want(c.command, c.answer)
		})
	}
}

func TestBusCommandsInSingleModeAreNotCarriedOut(t *testing.T) {
	t.Parallel()
	r := newRig(t, dgt.Options{})
	r.want("40", "")
	r.want("87 08 01 10", "")
	r.want("87 08 01 10", "87 00 06 08 01 16")
	r.want("4D", "93 00 05 01 08")
	r.want("87 08 01 10", "")
}

func TestBusChanges(t *testing.T) {
	t.Parallel()
	r := newRig(t, dgt.Options{})
	r.ask("83 08 01 0C", 500)
	r.set("e2", '.')
	r.run(500)
	r.set("e4", 'P')
	r.run(500)
	r.want("83 08 01 0C", "85 00 0A 08 01 40 34 41 24 71")
	r.want("84 08 01 0D", "85 00 0A 08 01 40 34 41 24 71")
	r.want("83 08 01 0C", "85 00 06 08 01 14")
	r.want("86 08 01 0F", "86 00 0B 08 01 6F 40 34 41 24 62")
}

// A newer board tells two answers in a row apart.
func TestBusChangesOfANewerBoard(t *testing.T) {
	t.Parallel()
	r := newRig(t, dgt.Options{Model: dgt.Newer})
	r.ask("83 08 01 0C", 500)
	r.want("83 08 01 0C", "8B 00 06 08 01 1A")
	r.want("83 08 01 0C", "85 00 06 08 01 14")
	r.want("84 08 01 0D", "85 00 06 08 01 14")
}

// Boards answer a ping of all at different times, except those that were told not to.
func TestPingOfAll(t *testing.T) {
	t.Parallel()
	at := map[int64]bool{}
	for n := range 5 {
		r := newRig(t, dgt.Options{Serial: fmt.Sprintf("%05d", 1025+n)})
		r.ask("87 00 00 07", 0)
		for r.run(1); len(r.out) == 0; r.run(1) {
			if r.now > 2200 {
				t.Fatal("no answer to a ping of all")
			}
		}
		at[r.now] = true
		r.run(20)
		if n == 0 {
			r.want("8A 08 01 13", "87 00 06 08 01 16")
			if got := r.ask("87 00 00 07", 1200); got != "" {
				t.Errorf("told not to answer: %s", got)
			}
			if got := r.ask("87 00 00 07", 1200); got != "87 00 06 08 01 16" {
				t.Errorf("the next ping: %s", got)
			}
		}
	}
	if len(at) < 4 {
		t.Errorf("five boards answered at %v", at)
	}
}

func TestBusResetAndEnd(t *testing.T) {
	t.Parallel()
	r := newRig(t, dgt.Options{})
	r.want("4D", "93 00 05 01 08")
	r.want("4A", "")
	r.want("89 00 00 09", "")
	r.want("83 08 01 0C 82 08 01 0B", "85 00 4B 08 01 7F 7F 7F 6A"+tags(t)+" 6F 49 83 00 46 08 01"+strings.TrimPrefix(startDump, "86 00 43")+" 7C")
	r.want("88 08 01 11 87 08 01 10", "")
}
