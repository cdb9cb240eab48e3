package virtual

import (
	"testing"

	"github.com/boardd/boardd/board"
)

func TestDisplayKeepsTheLastFrames(t *testing.T) {
	t.Parallel()
	d := New()
	for i := range 3 * keep {
		if err := d.Show(board.Frame{0: {R: uint8(i), G: 1 + uint8(i>>8)}}); err != nil {
			t.Fatal(err)
		}
	}
	if frames, _ := d.Frames(); len(frames) != keep || frames[keep-1][0].R != 0xff || frames[0][0] != (board.RGB{G: 1 + 2*keep>>8}) {
		t.Errorf("%d frames", len(frames))
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	frames, closed := d.Frames()
	if !closed || frames[len(frames)-1] != (board.Frame{}) {
		t.Error("not dark and closed")
	}
	if d.Show(board.Frame{}) == nil {
		t.Error("a closed display shows")
	}
}
