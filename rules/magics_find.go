//go:build ignore

// Command magics_find writes magics.go: for each square a multiplier that sends every set of blockers of a rook or bishop to
// an index of its own. It tries sparse numbers of a fixed sequence, so it always finds the same ones.
package main

import (
	"bytes"
	"fmt"
	"math/bits"
	"os"
)

var seed uint64 = 1

func next() uint64 {
	seed += 0x9e3779b97f4a7c15
	z := seed
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func attacks(s int, steps [4][2]int, occupied uint64, mask bool) (b uint64) {
	for _, d := range steps {
		f, r := s&7+d[0], s>>3+d[1]
		for f >= 0 && f < 8 && r >= 0 && r < 8 {
			nf, nr := f+d[0], r+d[1]
			if mask && (nf < 0 || nf > 7 || nr < 0 || nr > 7) {
				break
			}
			b |= 1 << (r*8 + f)
			if occupied>>(r*8+f)&1 != 0 {
				break
			}
			f, r = nf, nr
		}
	}
	return b
}

func find(s int, steps [4][2]int) uint64 {
	mask := attacks(s, steps, 0, true)
	n := bits.OnesCount64(mask)
	var subs, wants []uint64
	for sub := uint64(0); ; {
		subs, wants = append(subs, sub), append(wants, attacks(s, steps, sub, false))
		if sub = (sub - mask) & mask; sub == 0 {
			break
		}
	}
	used := make([]uint64, 1<<n)
search:
	for {
		magic := next() & next() & next()
		clear(used)
		for i, sub := range subs {
			at := &used[sub*magic>>(64-n)]
			if *at != 0 && *at != wants[i] {
				continue search
			}
			*at = wants[i]
		}
		return magic
	}
}

func main() {
	var out bytes.Buffer
	fmt.Fprintf(&out, "package rules\n\n// Multipliers for the tables of sliders. Found by magics_find.go; tables built with wrong ones fail TestSliders.\nvar (\n")
	for _, k := range []struct {
		name  string
		steps [4][2]int
	}{
		{"rookMagics", [4][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}},
		{"bishopMagics", [4][2]int{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}},
	} {
		fmt.Fprintf(&out, "\t%s = [64]uint64{\n", k.name)
		for s := 0; s < 64; s += 4 {
			fmt.Fprintf(&out, "\t\t%#016x, %#016x, %#016x, %#016x,\n", find(s, k.steps), find(s+1, k.steps), find(s+2, k.steps), find(s+3, k.steps))
		}
		fmt.Fprintf(&out, "\t}\n")
	}
	fmt.Fprintf(&out, ")\n")
	if err := os.WriteFile("magics.go", out.Bytes(), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
