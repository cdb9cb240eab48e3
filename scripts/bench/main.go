// Command bench measures the package rules beside Debian's stockfish and github.com/corentings/chess, on the positions of
// testdata/perft/classic.epd and on a position from the middle of a game. The programs take turns, only processor time is
// counted, and of several rounds the fastest of each counts, so that other work of the machine weighs little. It is a module
// of its own, so that what it compares with is no dependency of boardd.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/corentings/chess/v2"

	"github.com/boardd/boardd/rules"
)

func main() {
	rounds := flag.Int("rounds", 3, "how often each program is asked")
	leaves := flag.Uint64("leaves", 200_000_000, "the largest tree that boardd and stockfish count")
	suite := flag.String("suite", "testdata/perft/classic.epd", "positions with the numbers of leaves")
	flag.Parse()
	if err := run(*suite, *rounds, *leaves); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(suite string, rounds int, leaves uint64) error {
	engine, err := stockfish()
	if err != nil {
		return err
	}
	lines, err := read(suite)
	if err != nil {
		return err
	}
	fmt.Println("| position | depth | leaves | boardd | stockfish | corentings | boardd : stockfish | boardd : corentings |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	logs, counted := 0.0, 0
	for i, l := range lines {
		deep, shallow := l.largest(leaves), l.largest(leaves/200)
		p, err := rules.ParsePosition(l.fen, rules.Standard)
		if err != nil {
			return err
		}
		option, err := chess.FEN(l.fen)
		if err != nil {
			return err
		}
		other := chess.NewGame(option).Position()
		ours, theirs, slow, idle := never, never, never, never
		for range rounds {
			var n uint64
			ours = min(ours, cpu(func() { n = rules.Perft(p, deep.depth) }))
			if n != deep.leaves {
				return fmt.Errorf("%s: depth %d: %d leaves, not %d", l.fen, deep.depth, n, deep.leaves)
			}
			for depth, best := range map[int]*time.Duration{1: &idle, deep.depth: &theirs} {
				d, err := askEngine(engine, l.fen, depth, l.at(depth))
				if err != nil {
					return err
				}
				*best = min(*best, d)
			}
			slow = min(slow, cpu(func() { n = perft(other, shallow.depth) }))
			if n != shallow.leaves {
				return fmt.Errorf("%s: corentings counts %d leaves at depth %d, not %d", l.fen, n, shallow.depth, shallow.leaves)
			}
		}
		a, b, c := speed(deep.leaves, ours), speed(deep.leaves, theirs-idle), speed(shallow.leaves, slow)
		fmt.Printf("| %d | %d | %d | %.0f | %.0f | %.1f | %.2f | %.0f |\n", i+1, deep.depth, deep.leaves, a, b, c, a/b, a/c)
		logs += math.Log(a / b)
		counted++
	}
	fmt.Printf("\nMillion leaves a second of processor time; geometric mean of boardd : stockfish %.2f\n\n", math.Exp(logs/float64(counted)))
	return parts(rounds)
}

const never = time.Duration(math.MaxInt64)

func speed(leaves uint64, d time.Duration) float64 {
	return float64(leaves) / float64(d.Microseconds())
}

// cpu is the processor time, of user and system, that something takes.
func cpu(f func()) time.Duration {
	used := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			return 0
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	before := used()
	f()
	return used() - before
}

func stockfish() (string, error) {
	for _, name := range []string{"stockfish", "/usr/games/stockfish"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("stockfish is not installed: make deps")
}

// askEngine is the processor time of an engine that counts leaves, its start included.
func askEngine(path, fen string, depth int, leaves uint64) (time.Duration, error) {
	cmd := exec.Command(path)
	cmd.Stdin = strings.NewReader(fmt.Sprintf("setoption name Threads value 1\nposition fen %s\ngo perft %d\nquit\n", fen, depth))
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("stockfish: %w", err)
	}
	if !strings.Contains(string(out), fmt.Sprintf("Nodes searched: %d\n", leaves)) {
		return 0, fmt.Errorf("%s: stockfish does not count %d leaves at depth %d", fen, leaves, depth)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

func perft(p *chess.Position, depth int) uint64 {
	moves := p.ValidMoves()
	if depth == 1 {
		return uint64(len(moves))
	}
	var n uint64
	for i := range moves {
		n += perft(p.Update(&moves[i]), depth-1)
	}
	return n
}

// line is a position with its leaves, those of depth 1 first.
type line struct {
	fen    string
	leaves []uint64
}

type tree struct {
	depth  int
	leaves uint64
}

func (l *line) at(depth int) uint64 { return l.leaves[depth-1] }

func (l *line) largest(limit uint64) tree {
	best := tree{1, l.leaves[0]}
	for i, n := range l.leaves {
		if n <= limit {
			best = tree{i + 1, n}
		}
	}
	return best
}

func read(name string) (lines []line, err error) {
	f, err := os.Open(filepath.Clean(name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		fields := strings.Split(sc.Text(), ";")
		l := line{fen: strings.TrimSpace(fields[0])}
		for _, field := range fields[1:] {
			_, n, _ := strings.Cut(strings.TrimSpace(field), " ")
			count, err := strconv.ParseUint(n, 10, 64)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			l.leaves = append(l.leaves, count)
		}
		lines = append(lines, l)
	}
	return lines, sc.Err()
}
