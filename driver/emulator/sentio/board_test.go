package sentio_test

import (
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/emulator"
	"github.com/boardd/boardd/driver/emulator/sentio"
	"github.com/boardd/boardd/rules"
)

var _ emulator.Machine = (*sentio.Board)(nil)

// setUp is a board with men on its outer ranks.
func setUp(o sentio.Options) *sentio.Board {
	b := sentio.New(o)
	for s := range rules.NoSquare {
		if r := s.Rank(); r < 2 || r > 5 {
			b.Set(s, 'P')
		}
	}
	return b
}

// The real lines of protocols/certabo.md section 7.
func TestGoldenLines(t *testing.T) {
	t.Parallel()
	b := setUp(sentio.Options{})
	if out, wake := b.Step(0, nil); string(out) != ":255 255 0 0 0 0 255 255 \r\n" || wake != 300 {
		t.Errorf("%q, wakes at %d", out, wake)
	}
	b = setUp(sentio.Options{AnswerInLine: true})
	b.Step(0, nil)
	b.Set(rules.NewSquare(7, 0), board.Empty)
	if out, _ := b.Step(100, make([]byte, 8)); len(out) != 0 {
		t.Errorf("%q", out)
	}
	if out, _ := b.Step(300, nil); string(out) != ":255 255 0 0 0 0 255 254\nL\r\n" {
		t.Errorf("%q", out)
	}
	if out, _ := b.Step(600, nil); string(out) != ":255 255 0 0 0 0 255 254 \r\n" {
		t.Errorf("%q", out)
	}
}

func TestForms(t *testing.T) {
	t.Parallel()
	if out, _ := setUp(sentio.Options{NoColon: true, NoSpace: true}).Step(0, nil); string(out) != "255 255 0 0 0 0 255 255\r\n" {
		t.Errorf("%q", out)
	}
	if out, _ := setUp(sentio.Options{CutFirst: true}).Step(0, nil); string(out) != "0 0 0 0 255 255 \r\n" {
		t.Errorf("%q", out)
	}
	b := setUp(sentio.Options{FrameMs: 50})
	b.Step(0, nil)
	if out, wake := b.Step(10, []byte{0, 0, 0, 0, 0x10, 0, 0x10, 0}); string(out) != "L\r\n" || wake != 50 {
		t.Errorf("%q, wakes at %d", out, wake)
	}
	if lit := b.Lit(); lit[12] == (board.RGB{}) || lit[28] == (board.RGB{}) || lit[20] != (board.RGB{}) {
		t.Errorf("lit %v", lit)
	}
	if b.Lamps().Tally().Patterns != 1 {
		t.Errorf("%+v", b.Lamps().Tally())
	}
}
