package certabo_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/driver/certabo"
	"github.com/boardd/boardd/rules"
)

// class is a lesson and its time.
type class struct {
	l   *certabo.Learn
	now int64
	out []byte
}

func newClass(o certabo.LearnOptions) *class { return &class{l: certabo.NewLearn(o)} }

func (c *class) lines(n int, line string) {
	for range n {
		c.now += 300
		out, wake := c.l.Step(c.now, []byte(line))
		if len(out) > 0 {
			c.out = out
		}
		for wake != 0 && wake < c.now+300 {
			if out, wake = c.l.Step(wake, nil); len(out) > 0 {
				c.out = out
			}
		}
	}
}

func names(wants map[rules.Square]rules.Piece) string {
	var list []string
	for s, p := range wants {
		list = append(list, fmt.Sprintf("%c%s", p.Letter(), s))
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

func TestLearn(t *testing.T) {
	t.Parallel()
	c := newClass(certabo.LearnOptions{Lamps: certabo.SingleLamps})
	if l := c.l.Lesson(); l.Heard || l.Done || len(l.Wants) != 32 {
		t.Errorf("before the board has spoken: %+v", l)
	}
	c.lines(4, text(" \r\nL\r\n", noise))
	if want := []byte{0xFF, 0xFF, 0x08, 0, 0, 0x08, 0xFF, 0xFF}; !bytes.Equal(c.out, want) {
		t.Errorf("lights % X, want % X", c.out, want)
	}
	if l := c.l.Lesson(); !l.Heard || l.Done || len(l.Wants) != 32 {
		t.Errorf("an empty board: %+v", l)
	}
	c.lines(7, text(" \r\nL\r\n", without(setA, "h7", "e1"), map[string]string{"d3": "1 2 3 4 5"}))
	if l := c.l.Lesson(); l.Done || names(l.Wants) != "Ke1 ph7" {
		t.Errorf("two are missing: %+v", l)
	}
	if want := []byte{0, 0x80, 0x08, 0, 0, 0, 0, 0x10}; !bytes.Equal(c.out, want) {
		t.Errorf("lights % X, want % X", c.out, want)
	}
	for range 3 { // read badly in one line of three
		c.lines(2, text(" \r\nL\r\n", setA, noise, map[string]string{"d3": "1 2 3 4 5"}))
		c.lines(1, text(" \r\nL\r\n", setA, errorsA))
	}
	if l := c.l.Lesson(); !l.Done || len(l.Wants) != 0 || l.Unsteady != 0 || l.Twice != 0 {
		t.Errorf("all are there: %+v", l)
	}
	if want := make([]byte, 8); !bytes.Equal(c.out, want) {
		t.Errorf("lights % X, want % X", c.out, want)
	}
	c.lines(10, text(" \r\n", nil)) // cleared away: what was learnt stays
	want := tableOf(t, setA)
	want[certabo.Chip{1, 2, 3, 4, 5}] = rules.NewPiece(rules.White, rules.Queen)
	if got := c.l.Table(); !maps.Equal(got, want) {
		t.Errorf("learnt %v", got.Letters())
	}
}

func TestLearnKeepsWhatIsKnown(t *testing.T) {
	t.Parallel()
	known := tableOf(t, setB)
	for c := range known { // one of its chips is in another piece now
		if c.String() == setB["a2"] {
			known[c] = rules.NewPiece(rules.Black, rules.Queen)
		}
	}
	changed := without(setA, "a2")
	changed["a2"] = setB["a2"]
	c := newClass(certabo.LearnOptions{Known: known})
	c.lines(8, text("\r\n", changed))
	want := tableOf(t, changed, setB)
	if got := c.l.Table(); !c.l.Lesson().Done || !maps.Equal(got, want) {
		t.Errorf("learnt %v", got.Letters())
	}
	if len(known) != 32 {
		t.Error("the table that was given has changed")
	}
}

// A board that lies the other way round.
func TestLearnTurned(t *testing.T) {
	t.Parallel()
	turned := map[string]string{}
	for s, chip := range setA {
		turned[fmt.Sprintf("%c%c", 'a'+'h'-s[0], '1'+'8'-s[1])] = chip
	}
	c := newClass(certabo.LearnOptions{Turned: true, Lamps: certabo.SingleLamps})
	c.lines(9, text(" \r\nL\r\n", without(turned, "d1"))) // White sees it on e8
	if l := c.l.Lesson(); names(l.Wants) != "ke8" {
		t.Errorf("wants %s", names(l.Wants))
	}
	if want := []byte{0, 0, 0x10, 0, 0, 0x10, 0, 0x08}; !bytes.Equal(c.out, want) { // and the spots of the queens
		t.Errorf("lights % X, want % X", c.out, want)
	}
	c.lines(7, text(" \r\nL\r\n", turned))
	if got := c.l.Table(); !maps.Equal(got, tableOf(t, setA)) {
		t.Errorf("learnt %v", got.Letters())
	}
}

func TestLearnFaults(t *testing.T) {
	t.Parallel()
	// Two squares that read one chip.
	c := newClass(certabo.LearnOptions{})
	c.lines(9, text("\r\n", setA, map[string]string{"b1": setA["g1"]}))
	if l := c.l.Lesson(); l.Done || l.Twice != square(t, "b1").Bit()|square(t, "g1").Bit() || names(l.Wants) != "Ng1" {
		t.Errorf("%+v", l)
	}
	// A square that reads something else each time.
	c = newClass(certabo.LearnOptions{})
	for i := range 9 {
		c.lines(1, text("\r\n", setA, map[string]string{"b1": fmt.Sprintf("48 0 %d 1 1", i)}))
	}
	if l := c.l.Lesson(); l.Done || l.Unsteady != square(t, "b1").Bit() || names(l.Wants) != "Nb1" {
		t.Errorf("%+v", l)
	}
	// Another kind of board.
	c = newClass(certabo.LearnOptions{})
	c.lines(4, ":255 255 0 0 0 0 255 255 \r\n")
	if l := c.l.Lesson(); !l.Other || l.Heard || l.Done {
		t.Errorf("%+v", l)
	}
}

func square(t *testing.T, name string) rules.Square {
	t.Helper()
	s, ok := rules.ParseSquare(name)
	if !ok {
		t.Fatal(name)
	}
	return s
}

// MD-29: men that were not there at first are learnt one at a time.
func TestLearnMore(t *testing.T) {
	t.Parallel()
	c := newClass(certabo.LearnOptions{Lamps: certabo.SingleLamps})
	c.lines(8, text(" \r\nL\r\n", setA))
	c.l.More(rules.NewPiece(rules.Black, rules.Rook))
	c.lines(3, text(" \r\nL\r\n", setA))
	if l := c.l.Lesson(); l.Done || names(l.Wants) != "rd6" || l.Old != rules.NoPiece {
		t.Errorf("%+v", l)
	}
	if want := []byte{0, 0, 0x08, 0, 0, 0, 0, 0}; !bytes.Equal(c.out, want) {
		t.Errorf("lights % X, want % X", c.out, want)
	}
	c.lines(7, text(" \r\nL\r\n", without(setA, "a8"), map[string]string{"d6": setA["a8"]})) // that one is known
	if l := c.l.Lesson(); l.Done || l.Old != rules.NewPiece(rules.Black, rules.Rook) {
		t.Errorf("%+v", l)
	}
	c.lines(7, text(" \r\nL\r\n", setA, map[string]string{"d6": "9 9 9 9 9"}))
	want := tableOf(t, setA)
	want[certabo.Chip{9, 9, 9, 9, 9}] = rules.NewPiece(rules.Black, rules.Rook)
	if l := c.l.Lesson(); !l.Done || l.Old != rules.NoPiece || !maps.Equal(c.l.Table(), want) {
		t.Errorf("%+v, learnt %v", l, c.l.Table().Letters())
	}
	c.l.More(rules.NewPiece(rules.White, rules.Knight))
	c.lines(8, text(" \r\nL\r\n", setA, map[string]string{"d3": "8 8 8 8 8"}))
	want[certabo.Chip{8, 8, 8, 8, 8}] = rules.NewPiece(rules.White, rules.Knight)
	if !c.l.Lesson().Done || !maps.Equal(c.l.Table(), want) {
		t.Errorf("learnt %v", c.l.Table().Letters())
	}
}
