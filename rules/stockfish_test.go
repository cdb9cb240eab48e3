package rules

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// stockfish finds the engine; Debian installs it where a plain user's PATH does not look.
func stockfish(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"stockfish", "/usr/games/stockfish"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if full {
		t.Fatal("stockfish is not installed: make deps")
	}
	t.Skip("stockfish is not installed")
	return ""
}

// engine is a running stockfish that is asked for perft counts.
type engine struct {
	in  io.Writer
	out *bufio.Scanner
}

func startEngine(t *testing.T, v Variant) *engine {
	t.Helper()
	cmd := exec.Command(stockfish(t))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		fmt.Fprintln(in, "quit")
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("stockfish: %v", err)
		}
	})
	fmt.Fprintf(in, "setoption name UCI_Chess960 value %v\n", v == Chess960)
	return &engine{in, bufio.NewScanner(out)}
}

// divide asks for the leaves below each move.
func (e *engine) divide(t *testing.T, fen string, depth int) map[string]uint64 {
	t.Helper()
	fmt.Fprintf(e.in, "position fen %s\ngo perft %d\n", fen, depth)
	counts := map[string]uint64{}
	for e.out.Scan() {
		move, n, ok := strings.Cut(e.out.Text(), ": ")
		if !ok {
			continue
		}
		leaves, err := strconv.ParseUint(n, 10, 64)
		if err != nil {
			continue
		}
		if move == "Nodes searched" {
			return counts
		}
		counts[move] = leaves
	}
	t.Fatalf("stockfish ended: %v", e.out.Err())
	return nil
}

// TestStockfish compares the moves of positions from random games, move by move and with the leaves below each.
func TestStockfish(t *testing.T) {
	t.Parallel()
	positions, depth := 60, 3
	if full {
		positions, depth = 600, 3
	}
	for _, v := range []Variant{Standard, Chess960} {
		t.Run(v.String(), func(t *testing.T) {
			t.Parallel()
			e := startEngine(t, v)
			random := rand.New(rand.NewPCG(20260731, uint64(v)))
			starts := readPerft(t, "suite.epd")
			if v == Chess960 {
				starts = readPerft(t, "chess960.epd.gz")
			}
			for range positions {
				p := position(t, starts[random.IntN(len(starts))].fen, v)
				for range random.IntN(40) {
					moves := p.LegalMoves(nil)
					if len(moves) == 0 {
						break
					}
					p.Play(moves[random.IntN(len(moves))])
				}
				want := e.divide(t, p.FEN(), depth)
				have := Divide(p, depth)
				if len(have) != len(want) {
					t.Errorf("%s: %d moves, stockfish has %d", p.FEN(), len(have), len(want))
				}
				for _, c := range have {
					if uci := p.UCI(c.Move); want[uci] != c.Count {
						t.Errorf("%s: %s has %d leaves, stockfish counts %d", p.FEN(), uci, c.Count, want[uci])
					}
				}
			}
		})
	}
}
