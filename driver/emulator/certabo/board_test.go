package certabo_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/emulator"
	"github.com/boardd/boardd/driver/emulator/certabo"
	"github.com/boardd/boardd/rules"
)

var _ emulator.Machine = (*certabo.Board)(nil)

func square(name string) rules.Square {
	s, _ := rules.ParseSquare(name)
	return s
}

// ids are the chips of a line without noise, by square, empty ones left out.
func ids(t *testing.T, line string) map[string]string {
	t.Helper()
	words := strings.Fields(strings.TrimPrefix(strings.ReplaceAll(line, "\n", ""), ":"))
	if len(words) != 320 {
		t.Fatalf("%d numbers: %q", len(words), line)
	}
	m := map[string]string{}
	for i := range 64 {
		if id := strings.Join(words[5*i:5*i+5], " "); id != "0 0 0 0 0" {
			m[fmt.Sprintf("%c%d", 'a'+i%8, 8-i/8)] = id
		}
	}
	return m
}

func TestLines(t *testing.T) {
	t.Parallel()
	b := certabo.New(certabo.Options{})
	b.Set(square("a8"), 'r')
	b.Set(square("h1"), 'R')
	out, wake := b.Step(1000, nil)
	line := string(out)
	if !strings.HasPrefix(line, ":3 0 ") || !strings.HasSuffix(line, " \r\n") || wake != 1300 {
		t.Errorf("%q, wakes at %d", line, wake)
	}
	chips := b.Chips()
	got := ids(t, line)
	if len(got) != 2 || !slices.Contains(chips["r"], got["a8"]) || !slices.Contains(chips["R"], got["h1"]) {
		t.Errorf("chips %v", got)
	}
	if out, _ := b.Step(1299, nil); len(out) != 0 {
		t.Errorf("too early: %q", out)
	}
	if out, _ := b.Step(1300, nil); string(out) != line {
		t.Errorf("the same again: %q", out)
	}
	if out, wake := b.Step(90_000, nil); string(out) != line || wake != 90_300 {
		t.Errorf("after a long pause: %q, wakes at %d", out, wake)
	}
}

func TestForms(t *testing.T) {
	t.Parallel()
	first := func(o certabo.Options, in ...byte) string {
		b := certabo.New(o)
		b.Set(square("a8"), 'r')
		b.Step(0, in)
		out, _ := b.Step(300, nil)
		return string(out)
	}
	plain := first(certabo.Options{})
	for name, c := range map[string]struct{ got, want string }{
		"no colon":       {first(certabo.Options{NoColon: true}), plain[1:]},
		"no space":       {first(certabo.Options{NoSpace: true}), strings.Replace(plain, " \r", "\r", 1)},
		"answer in line": {first(certabo.Options{AnswerInLine: true}, make([]byte, 8)...), plain},
		"unwrapped":      {strings.ReplaceAll(strings.TrimSuffix(first(certabo.Options{Wrap: true}), "\r\n"), "\n", "") + "\r\n", plain},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q", name, c.got)
		}
	}
	lines := strings.Split(first(certabo.Options{Wrap: true}), "\n")
	for _, l := range lines[:len(lines)-2] {
		if len(l) != 64 {
			t.Errorf("a line of %d characters: %q", len(l), l)
		}
	}
	b := certabo.New(certabo.Options{CutFirst: true, AnswerInLine: true})
	if out, _ := b.Step(0, nil); len(out) == 0 || out[0] == ':' {
		t.Errorf("not cut: %q", out)
	}
	b.Step(100, make([]byte, 8))
	if out, _ := b.Step(300, nil); !strings.HasSuffix(string(out), " 0\nL\r\n") || out[0] != ':' {
		t.Errorf("answer in the line: %q", out)
	}
}

// Every man has a chip of its own, and keeps it when it is moved.
func TestChips(t *testing.T) {
	t.Parallel()
	for _, o := range []certabo.Options{{}, {SmallChips: true}} {
		b := certabo.New(o)
		all := map[string]bool{}
		for _, list := range b.Chips() {
			for _, c := range list {
				all[c] = true
			}
		}
		if len(all) != 12*11 || all["0 0 0 0 0"] {
			t.Errorf("%d chips", len(all))
		}
	}
	b := certabo.New(certabo.Options{})
	read := func() map[string]string {
		t.Helper()
		_, wake := b.Step(0, nil)
		out, _ := b.Step(wake, nil)
		return ids(t, string(out))
	}
	b.Set(square("e2"), 'P')
	b.Set(square("d2"), 'P')
	before := read()
	b.Set(square("e2"), board.Empty)
	b.Set(square("e4"), 'P')
	b.Set(square("e4"), 'P')
	after := read()
	if before["e2"] == before["d2"] || after["e4"] != before["e2"] || after["d2"] != before["d2"] || len(after) != 2 {
		t.Errorf("%v, then %v", before, after)
	}
	b.Set(square("e4"), board.Unknown)
	b.Set(square("e4"), board.Unknown)
	strange := read()["e4"]
	for letter, list := range b.Chips() {
		if slices.Contains(list, strange) {
			t.Errorf("an unknown man has the chip %s of %s", strange, letter)
		}
	}
	b.Set(square("e4"), 'P')
	if got := read(); !maps.Equal(got, after) {
		t.Errorf("%v, want %v", got, after)
	}
}

func TestNoiseAndBadChips(t *testing.T) {
	t.Parallel()
	b := certabo.New(certabo.Options{Noise: 0.15, LowGain: 0.05, Seed: 1})
	for f := range 8 {
		b.Set(rules.NewSquare(f, 1), 'P')
	}
	noisy, wrong, missing := 0, 0, 0
	var good map[string]string
	const lines = 1000
	for i := range lines {
		out, _ := b.Step(int64(i)*300, nil)
		got := ids(t, string(out))
		if good == nil {
			good = maps.Clone(got)
		}
		for f := range 8 {
			name := rules.NewSquare(f, 1).String()
			switch id, there := got[name]; {
			case !there:
				missing++
			case !slices.Contains(b.Chips()["P"], id):
				wrong++
			}
			delete(got, name)
		}
		noisy += len(got)
	}
	if share := noisy * 100 / (lines * 56); share < 14 || share > 16 {
		t.Errorf("%d %% noise", share)
	}
	if missing < 150 || missing > 250 || wrong < 150 || wrong > 250 {
		t.Errorf("of %d reads %d missing, %d wrong", lines*8, missing, wrong)
	}
}

// Patterns of protocols/certabo.md section 5.
func TestSingleLights(t *testing.T) {
	t.Parallel()
	b := certabo.New(certabo.Options{})
	b.Step(0, nil)
	b.Step(10, []byte{0, 0, 0, 0, 0x10})
	if out, _ := b.Step(20, []byte{0, 0x10, 0}); string(out) != "L\r\n" {
		t.Errorf("answered %q", out)
	}
	for s, c := range b.Lit() {
		if name := rules.Square(s).String(); (c != board.RGB{}) != (name == "e2" || name == "e4") {
			t.Errorf("%s: %v", name, c)
		}
	}
	b.Step(30, []byte{1, 2, 3}) // and a pause: forgotten
	if out, _ := b.Step(600, []byte{0x80, 0, 0, 0, 0, 0, 0, 1}); !strings.HasPrefix(string(out), "L\r\n") {
		t.Errorf("answered %q", out)
	}
	if got := b.Lamps().Single(); got != [8]byte{0: 0x80, 7: 1} {
		t.Errorf("% X", got)
	}
	if got := b.Lamps().Tally(); got != (certabo.Tally{Patterns: 2, Forgotten: 1}) {
		t.Errorf("%+v", got)
	}
}

// The golden pattern of section 6.
func TestColorLights(t *testing.T) {
	t.Parallel()
	b := certabo.New(certabo.Options{Color: true})
	b.Step(0, nil)
	pattern := make([]byte, 247)
	copy(pattern, "\xFF\x55")
	copy(pattern[245:], "\r\n")
	for _, k := range []int{7, 8, 16, 17} {
		pattern[2+3*k+2] = 0x40
	}
	if out, _ := b.Step(10, make([]byte, 8)); len(out) != 0 { // not for these lights
		t.Errorf("answered %q", out)
	}
	if out, _ := b.Step(20, bytes.Join([][]byte{{0xFF, 0}, pattern}, nil)); string(out) != "D\r\n" {
		t.Errorf("answered %q", out)
	}
	for s, c := range b.Lit() {
		want := board.RGB{}
		if rules.Square(s) == square("a1") {
			want.B = 0x40
		}
		if c != want {
			t.Errorf("%s: %v", rules.Square(s), c)
		}
	}
	if got := b.Lamps().Tally(); got != (certabo.Tally{Patterns: 1, Foreign: 10}) || b.Lamps().Corners()[8].B != 0x40 {
		t.Errorf("%+v", got)
	}
}
