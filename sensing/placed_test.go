package sensing

import (
	"slices"
	"testing"

	"github.com/boardd/boardd/board"
)

// TestPlacedAt: a ply is made when its last man is where it belongs, however early the ply was known.
func TestPlacedAt(t *testing.T) {
	t.Parallel()
	want := map[string][]int64{
		"A1": {800}, "A2": {800}, "B4": {820}, "C1": {1600}, "C2": {1600}, "C3": {850}, "C4": {850}, "C5": {5000, 7500}, "N1": {1050, 1300},
		"D1": {900}, "D2": {900}, "D3": {800}, "F1": {250, 620, 750},
	}
	for _, sc := range readScenarios(t) {
		times, ok := want[sc.name[:2]]
		if !ok {
			continue
		}
		for _, a := range []board.Acuity{board.Presence, board.ColorAcuity, board.PieceAcuity} {
			t.Run(sc.name+"/"+a.String(), func(t *testing.T) {
				t.Parallel()
				pos, in := sc.inputs(t, mirror{}, a, 10)
				if r := track(New(Options{Acuity: a, SettleMs: DefaultSettleMs}, pos), in); !slices.Equal(r.PlacedAt, times) {
					t.Errorf("placed at %v, want %v; read %s", r.PlacedAt, times, uciLine(pos, r.Line))
				}
			})
		}
	}
}
