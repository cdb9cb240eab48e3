package rules

import (
	"bufio"
	"strings"
	"testing"
)

// TestRealGames replays games that people and engines played: every move is legal, is written and read as SAN alike, no position has a
// fault, and the game ends as its result says where it ends by mate or stalemate.
func TestRealGames(t *testing.T) {
	t.Parallel()
	for _, f := range []struct {
		name    string
		variant Variant
		games   int
		mates   int // 0: not known
		stales  int
	}{
		{"games/train.tsv.gz", Standard, 6356, 1505, 140},
		{"games/chess960.tsv.gz", Chess960, 106, 0, 0},
	} {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			sc := bufio.NewScanner(open(t, f.name))
			sc.Buffer(nil, 1<<20)
			games, mates, stales := 0, 0, 0
			for sc.Scan() {
				fields := strings.Split(sc.Text(), "\t")
				if len(fields) != 3 {
					t.Fatalf("game %d has %d fields", games, len(fields))
				}
				fen := fields[1]
				if fen == "startpos" {
					fen = StartFEN
				}
				p := position(t, fen, f.variant)
				// SAN takes most of the time: every tenth game is enough outside make test.
				replay(t, &p, strings.Fields(fields[2]), full || games%10 == 0 || f.variant == Chess960)
				games++
				switch p.State() {
				case Checkmate:
					mates++
					if want := map[Color]string{White: "0-1", Black: "1-0"}[p.Turn()]; fields[0] != want {
						t.Errorf("game %d: %s is the result of a mate, want %s", games, fields[0], want)
					}
				case Stalemate:
					stales++
					if fields[0] != "1/2-1/2" {
						t.Errorf("game %d: %s is the result of a stalemate", games, fields[0])
					}
				}
			}
			if games != f.games || f.mates != 0 && (mates != f.mates || stales != f.stales) {
				t.Errorf("%d games, %d mates, %d stalemates; want %d, %d, %d", games, mates, stales, f.games, f.mates, f.stales)
			}
		})
	}
}

func replay(t *testing.T, p *Position, moves []string, san bool) {
	t.Helper()
	sound := len(p.Faults()) == 0 // some games began from a position of their own
	var before []Position
	for i, text := range moves {
		if i%10 == 0 {
			before = append(before, *p)
		}
		m, err := p.ParseUCI(text)
		if err != nil {
			t.Fatalf("ply %d, %s: %v", i, p.FEN(), err)
		}
		if san {
			written := p.SAN(m)
			if back, err := p.ParseSAN(written); err != nil || back != m || p.UCI(m) != text {
				t.Fatalf("ply %d, %s: %s is written %s and read as %v, %v", i, p.FEN(), text, written, back, err)
			}
		}
		p.Play(m)
		if f := p.Faults(); sound && len(f) != 0 {
			t.Fatalf("%s: a position from a game has faults %v", p.FEN(), f)
		}
	}
	for i := range before {
		if q := &before[i]; p.State() == Checkmate && q.canMateStatic(p.turn.Other()) == No {
			t.Fatalf("%s: %v cannot mate, and did", q.FEN(), p.turn.Other())
		}
	}
}
