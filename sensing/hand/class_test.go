package hand

import (
	"reflect"
	"regexp"
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/board"
)

// shapes are what a board that knows its pieces sees of each class: lifts, places, and swaps of one man for another.
var shapes = map[string]string{
	"quiet":             `^-\+$`,
	"slide":             `^-(\+-)+\+$`,
	"slide-rest":        `^-(\+-)+\+$`,
	"bounce":            `^-(\+-)*\+(-\+)*$`,
	"lift-lost":         `^(-\+|\+-)$`,
	"place-before-lift": `^\+-$`,
	"adjust-own":        `^-\+-\+$`,
	"adjust-opp":        `^-\+-\+$`,
	"nudge":             `^--\+\+$`,
	"try-illegal":       `^-\+-\+$`,
	"wrong-side":        `^-\+-\+-\+$`,
	"takeback":          `^[-+=]{4,}-\+$`,
	"cap-own-first":     `^--\+$`,
	"cap-victim-first":  `^--\+$`,
	"cap-off-missed":    `^-=[-+=]+$`,
	"cap-adjust-first":  `^-\+(-\+)?--\+$`,
	"cap-undecided":     `^--\+\+-\+$`,
	"cap-place-first":   `^-\+-$`,
	"castle-king-first": `^-\+-\+$`,
	"castle-rook-first": `^-\+-\+$`,
	"castle-both":       `^--\+\+$`,
	"castle-overlap":    `^-\+--\+\+$`,
	"ep-move-first":     `^-\+-$`,
	"ep-victim-first":   `^--\+$`,
	"ep-both":           `^--\+$`,
	"ep-overlap":        `^(-\+-|--\+)-\+$`,
	"overlap-3":         `^--\+-\+\+$`,
	"blitz-3":           `^-\+-\+-\+$`,
}

var plies = map[string]int{"cap-off-missed": 2, "castle-overlap": 2, "ep-overlap": 2, "overlap-3": 3, "blitz-3": 3}

func TestTrials(t *testing.T) {
	t.Parallel()
	if len(Classes()) != 28 || len(shapes) != 28 {
		t.Fatalf("%d classes, %d shapes", len(Classes()), len(shapes))
	}
	for _, name := range Classes() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shape := regexp.MustCompile(shapes[name])
			rapid.Check(t, func(t *rapid.T) {
				seed, further := rapid.Uint64().Draw(t, "seed"), rapid.IntRange(0, 2).Draw(t, "further")
				acuity := board.Acuity(rapid.IntRange(0, 2).Draw(t, "acuity"))
				trial, ok := NewTrial(name, acuity, further, seed)
				if again, _ := NewTrial(name, acuity, further, seed); !ok || !reflect.DeepEqual(trial, again) {
					t.Fatal("the same seed gave another trial")
				}
				pos := trial.Start
				for _, m := range trial.Moves {
					if !pos.IsLegal(m) {
						t.Fatalf("%s is not legal in %s", pos.UCI(m), pos.FEN())
					}
					pos.Play(m)
				}
				if want := max(1, plies[name]) + further; len(trial.Moves) != want || pos != trial.Final {
					t.Fatalf("%d plies, want %d; ends in %s, want %s", len(trial.Moves), want, trial.Final.FEN(), pos.FEN())
				}
				pic, signs := picture(&trial.Start, acuity), ""
				for _, in := range trial.Inputs {
					switch {
					case in.Symbol == board.Empty:
						signs += "-"
					case pic[in.Square] == board.Empty:
						signs += "+"
					default:
						signs += "="
					}
					pic[in.Square] = in.Symbol
				}
				if want := picture(&pos, acuity); pic != want {
					t.Fatalf("sensors end with %v, the position is %v", pic, want)
				}
				if acuity == board.PieceAcuity && further == 0 && !shape.MatchString(signs) {
					t.Fatalf("the board sees %s, which is not %s", signs, shape)
				}
			})
		})
	}
	if _, ok := NewTrial("slides", board.Presence, 0, 1); ok {
		t.Error("there is no class slides")
	}
}

// The victim of a missed capture is not seen to leave: only its colour or kind changes, where the board can tell.
func TestMissedCaptureIsMissed(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		trial, _ := NewTrial("cap-off-missed", board.Presence, 0, seed)
		for _, in := range trial.Inputs {
			if in.Square == trial.Moves[0].To() && in.T <= trial.Plies[1].LiftedMs-1 {
				t.Fatalf("seed %d: %v says %c at %d", seed, in.Square, in.Symbol, in.T)
			}
		}
	}
}

// Overlapping replies begin before, and end after, the ply before them.
func TestOverlapsOverlap(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"castle-overlap", "ep-overlap", "overlap-3"} {
		for seed := range uint64(50) {
			trial, _ := NewTrial(name, board.PieceAcuity, 0, seed)
			for i, ply := range trial.Plies[1:] {
				if before := trial.Plies[i]; ply.LiftedMs >= before.DoneMs || ply.LiftedMs <= before.LiftedMs || ply.DoneMs <= before.DoneMs {
					t.Fatalf("%s, seed %d: %+v after %+v", name, seed, ply, before)
				}
			}
		}
	}
}
