package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/driver/certabo"
	"github.com/boardd/boardd/rules"
)

func TestCheckConfig(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	shipped := write("shipped.toml", config.Shipped)
	broker := write("broker.toml", "[node]\nname = \"club\"\n[mqtt]\nurl = \"mqtts://broker.lan\"\ncommands = \"play\"\n[[board]]\nid = \"a\"\ndriver = \"virtual\"\nleds.driver = \"terminal\"\n")
	bad := write("bad.toml", "[node]\nname = \"A\"\n[[board]]\ndriver = \"abacus\"\n")
	unknown := write("unknown.toml", "[node]\ndata = "+strconv.Quote(dir)+"\n[[board]]\nid = \"a\"\ndriver = \"mcp23017\"\nsensor.addresses = [0x20, 0x21, 0x22, 0x23]\n")
	chips := func(id string) string {
		return write(id+".toml", "[node]\ndata = "+strconv.Quote(dir)+"\n[[board]]\nid = \""+id+"\"\ndriver = \"certabo\"\nport = \"auto\"\n")
	}
	for id, table := range map[string]certabo.Table{"learnt": {{1, 2, 3, 4, 5}: rules.NewPiece(rules.White, rules.King)}, "empty": {}} {
		if err := table.Write(certabo.PiecesPath(dir, id)); err != nil {
			t.Fatal(err)
		}
	}
	write("calibration/spoilt-pieces.toml", "[pieces]\nX = []\n")
	const head = "ok\ntopics boardd/v1/home/… at boardd's own broker at 127.0.0.1:1883, commands: safe\n"
	none := filepath.Join(dir, "none.toml")

	for _, c := range []struct {
		name, file     string
		code           int
		stdout, stderr string
	}{
		{"shipped", shipped, 0, "ok\ntopics boardd/v1/home/… at boardd's own broker at 127.0.0.1:1883, commands: safe\n" +
			"board board: driver dgt at auto, casual, standard, lights none\n", ""},
		{"broker", broker, 0, "ok\ntopics boardd/v1/club/… at mqtts://broker.lan, commands: play\nboard a: driver virtual, casual, standard, lights terminal\n", ""},
		{"not calibrated", unknown, 0, "ok\ntopics boardd/v1/home/… at boardd's own broker at 127.0.0.1:1883, commands: safe\n" +
			"board a: driver mcp23017, casual, standard, lights none\n" +
			"board a cannot be read yet: this board is not calibrated: run \"boardd calibrate\", or say in [board.map] which wire is which square\n", ""},
		{"chips never learnt", chips("new"), 0, head + "board new: driver certabo at auto, casual, standard, lights none\n" +
			"board new cannot be read yet: it was never learnt which chip is in which man: run \"boardd calibrate\"\n", ""},
		{"no chips learnt", chips("empty"), 0, head + "board empty: driver certabo at auto, casual, standard, lights none\n" +
			"board empty cannot be read yet: it was never learnt which chip is in which man: run \"boardd calibrate\"\n", ""},
		{"chips spoilt", chips("spoilt"), 0, head + "board spoilt: driver certabo at auto, casual, standard, lights none\n" +
			"board spoilt cannot be read yet: pieces " + certabo.PiecesPath(dir, "spoilt") + ": \"X\" is no piece: use one of KQRBNPkqrbnp: run boardd calibrate again\n", ""},
		{"chips learnt", chips("learnt"), 0, head + "board learnt: driver certabo at auto, casual, standard, lights none\n", ""},
		{"bad", bad, 2, bad + ":2: node.name: \"A\": wants 1 to 32 of a-z, 0-9 and -, not beginning with -\n" +
			bad + ":4: board[0].driver: \"abacus\": use " + either(config.Drivers) + "\n", "boardd: 2 faults in " + bad + "\n"},
		{"none", none, 2, none + ": there is no such file: write one (config/boardd.toml explains every key), or name another with -c\n", "boardd: 1 fault in " + none + "\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			code, stdout, stderr := boardd("check-config", "-c", c.file)
			if code != c.code || stdout != c.stdout || stderr != c.stderr {
				t.Errorf("code %d, stdout:\n%s\nstderr:\n%s\nwant %d\n%s\n%s", code, stdout, stderr, c.code, c.stdout, c.stderr)
			}
		})
	}
}

// TestExamplesOfTheDocs: configurations that the documents show can be copied as they are.
func TestExamplesOfTheDocs(t *testing.T) {
	t.Parallel()
	shown := map[string]bool{}
	for _, page := range pages(t) {
		text, err := os.ReadFile(filepath.Join("..", "..", page))
		if err != nil {
			t.Fatal(err)
		}
		for i, block := range strings.Split(string(text), "```toml\n")[1:] {
			text, _, ended := strings.Cut(block, "```")
			if !ended {
				t.Fatalf("%s: block %d does not end", page, i)
			}
			dir := t.TempDir()
			file := filepath.Join(dir, strconv.Itoa(i)+".toml")
			for name, text := range map[string]string{file: strings.ReplaceAll(text, "/etc/boardd/", dir+"/"), filepath.Join(dir, "password"): "secret\n"} {
				if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if code, stdout, stderr := boardd("check-config", "-c", file); code != 0 {
				t.Errorf("%s:\n%s%s%s", page, text, stdout, stderr)
			}
			for _, d := range config.Drivers {
				shown[d] = shown[d] || strings.Contains(text, "driver = \""+d+"\"")
			}
		}
	}
	for _, d := range config.Drivers {
		if config.IsHomeMade(d) && !shown[d] {
			t.Errorf("there is no example of %s", d)
		}
	}
}
