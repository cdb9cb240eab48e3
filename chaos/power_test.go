package chaos

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/sensing/hand"
)

// powerCut plays a game in an emulated machine whose power is cut again and again, with the store on a disk of its own. What was seen
// published before a cut must be there after it, and the game goes on.
func powerCut(t *testing.T, seed uint64, cuts, plies int, y *tally) {
	dice := rand.New(rand.NewPCG(seed, 0xC07))
	dir := t.TempDir()
	guestProgram := filepath.Join(dir, "guest")
	build := exec.Command("go", "test", "-c", "-o", guestProgram, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	disk := filepath.Join(dir, "disk")
	for _, args := range [][]string{{"truncate", "-s", "64M", disk}, {tool(t, "mkfs.ext4"), "-q", disk}} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	all, err := collection()
	if err != nil {
		t.Fatal(err)
	}
	j := journey{Game: all[dice.IntN(len(all))], Seed: seed}
	for len(j.Game) < plies {
		j.Game = all[dice.IntN(len(all))]
	}
	j.Game = j.Game[:plies]
	m, err := perform([][]string{j.Game}, hand.Styles().Sensor(board.PieceAcuity), j.Seed)
	if err != nil {
		t.Fatal(err)
	}
	known := map[key]event{}
	newest := int64(0)
	again := 0
	var events []event
	for life := range cuts + 1 {
		j.Cut = 0
		if life < cuts {
			share := (len(m.Inputs) - j.Touched) / (cuts - life + 1)
			j.Cut = j.Touched + 1 + share/2 + dice.IntN(share/2+1)
			j.LaterMs = dice.IntN(600)
		}
		share := filepath.Join(dir, "life"+strconv.Itoa(life))
		text, _ := json.Marshal(j)
		args := []string{"-b", "-t", "240", "-o", share, "-d", disk, "-e", asGuest + "=" + string(text)}
		if j.Cut > 0 {
			args = append(args, "-p", "POWER")
		}
		out, err := exec.Command("../kernel/boot.sh", append(args, guestProgram)...).CombinedOutput()
		if err != nil {
			t.Fatalf("life %d: %v\n%s", life+1, err, out)
		}
		if j.Cut > 0 {
			y.note("power: cut")
		}
		f, err := os.Open(filepath.Join(share, "out", "log"))
		if err != nil {
			t.Fatal(err)
		}
		var games []string
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			what, rest, _ := strings.Cut(lines.Text(), " ")
			switch what {
			case "TOUCH":
				j.Touched, _ = strconv.Atoi(rest)
			case "FAULT":
				t.Errorf("life %d: %s", life+1, rest)
			case "GAME":
				games = append(games, rest)
			case "EVENT":
				var e event
				if err := json.Unmarshal([]byte(rest), &e); err != nil {
					t.Errorf("life %d: %s: %v", life+1, rest, err)
					continue
				}
				k := key{e.Epoch, e.Seq}
				if before, ok := known[k]; ok {
					again++
					if timeless(before.raw) != timeless(rest) {
						t.Errorf("life %d: number %d was first\n%s\nand then\n%s", life+1, e.Seq, before.raw, rest)
					}
					continue
				}
				e.raw = rest
				if before := newest == 0 && e.Ply == 0; e.Seq != newest+1 && !before { // the observer may come after the first ones
					t.Errorf("life %d: event %d of epoch %s came after %d", life+1, e.Seq, e.Epoch, newest)
				}
				newest = e.Seq
				known[k] = e
				events = append(events, e)
			}
		}
		_ = f.Close()
		t.Logf("life %d: %d touches of %d, %d events so far", life+1, j.Touched, len(m.Inputs), len(events))
		if life < cuts {
			continue
		}
		if !slices.Equal(games, []string{strings.Join(j.Game, " ")}) {
			t.Errorf("the store has\n%s\nplayed\n%v", strings.Join(games, "\n"), j.Game)
		}
	}
	epochs := map[string]bool{}
	for _, e := range events {
		epochs[e.Epoch] = true
	}
	got, unsaid, err := told(events)
	want := [][]string{j.Game}
	if err != nil || unsaid > 0 || !sameGames(got, want) || len(epochs) != 1 {
		t.Errorf("told %v, %d unsaid, %d epochs, %v\nplayed %v", got, unsaid, len(epochs), err, j.Game)
		for _, e := range events {
			t.Log(e.raw)
		}
	}
	y.add(figures{Evenings: 1, Games: 1, Plies: len(j.Game), Events: len(events), Twice: again, LostToRecorder: lost(got, want), Twofold: unsaid})
}

// TestSoakPowerCut is part of make chaos.
func TestSoakPowerCut(t *testing.T) {
	n := chaosEvenings(t)
	tool(t, "qemu-system-x86_64")
	y := &tally{}
	for seed := range uint64(n) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { powerCut(t, seed, 3, 40, y) })
	}
	t.Logf("\n%s", y)
}
