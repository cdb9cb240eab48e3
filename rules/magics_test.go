//go:build bigtables || (!arm && !smalltables)

package rules

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"testing"
)

var updateMagics = flag.Bool("update", false, "write generated files anew")

// TestMagics finds the multipliers of the sliders again: sparse numbers of a fixed sequence are tried on each square until one
// sends every set of blockers to an index that only sets with the same attacks share.
func TestMagics(t *testing.T) {
	t.Parallel()
	seed := uint64(1) // splitmix64
	next := func() uint64 {
		seed += 0x9e3779b97f4a7c15
		z := seed
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	var out bytes.Buffer
	fmt.Fprintln(&out, "//go:build bigtables || (!arm && !smalltables)\n\npackage rules\n\n// Multipliers for the tables of sliders. Found by TestMagics, which finds them again and writes them with -update.\nvar (")
	for _, kind := range []struct {
		name  string
		steps [4]step
	}{{"rookMagics", rookSteps}, {"bishopMagics", bishopSteps}} {
		fmt.Fprintf(&out, "\t%s = [64]uint64{\n", kind.name)
		var found [4]any
		for s := range NoSquare {
			found[s%4] = findMagic(s, kind.steps, next)
			if s%4 == 3 {
				fmt.Fprintf(&out, "\t\t%#016x, %#016x, %#016x, %#016x,\n", found[:]...)
			}
		}
		fmt.Fprintln(&out, "\t}")
	}
	fmt.Fprintln(&out, ")")
	if *updateMagics {
		if err := os.WriteFile("magics.go", out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile("magics.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, out.Bytes()) {
		t.Error("magics.go does not hold what the search finds: run go test ./rules -run TestMagics -update")
	}
}

func findMagic(s Square, steps [4]step, next func() uint64) uint64 {
	mask := sliderMask(s, steps)
	var subs, wants []Bitboard
	for sub := Bitboard(0); ; {
		subs, wants = append(subs, sub), append(wants, walk(s, steps, sub))
		if sub = (sub - mask) & mask; sub == 0 {
			break
		}
	}
	used := make([]Bitboard, len(subs))
search:
	for {
		a, b, c := next(), next(), next()
		magic := a & b & c
		clear(used)
		for i, sub := range subs {
			at := &used[uint64(sub)*magic>>(64-mask.Len())]
			if *at != 0 && *at != wants[i] {
				continue search
			}
			*at = wants[i]
		}
		return magic
	}
}
