package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/store"
)

// keptGame puts a finished game into a store.
func keptGame(t *testing.T, s *store.Store, id string, began time.Time, seq int64) {
	t.Helper()
	var r game.Record
	text := fmt.Sprintf(`{"ID":%q,"StartFEN":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","Variant":"standard","White":"Anna","Black":"Ben",
		"UCI":["f2f3","e7e5","g2g4","d8h4"],"SAN":["f3","e5","g4","Qh4#"],"ClkMs":[null,null,null,null],"AtMs":[1,2,3,4],"Result":"0-1","Reason":"checkmate"}`, id)
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	b := game.Batch{Board: "table", Zero: began, Synced: true, Snapshot: &game.Snapshot{Seq: seq, Game: &r}, Events: []game.Event{{Seq: seq, Type: "resync", Body: &game.Resync{}}}}
	if err := s.Commit([]game.Batch{b}); err != nil {
		t.Fatal(err)
	}
}

// What boardd keeps is for its user and group alone.
func TestTheDataFolderIsNotForEverybody(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "var", "boardd")
	k, err := (&Main{Config: parsed(t, fmt.Sprintf("[node]\ndata = %q\n[[board]]\ndriver = \"virtual\"\n", dir))}).keep()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = k.store.Close() })
	for path, most := range map[string]os.FileMode{filepath.Dir(dir): 0o750, dir: 0o750, filepath.Join(dir, store.File): 0o640} {
		if i, err := os.Stat(path); err != nil {
			t.Error(err)
		} else if i.Mode().Perm()&^most != 0 {
			t.Errorf("%s has mode %v", path, i.Mode())
		}
	}
}

func TestPrintedGames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	conf := file(t, "boardd.toml", fmt.Sprintf("[node]\ndata = %q\n[[board]]\nid = \"idle\"\ndriver = \"virtual\"\n", dir))
	if code, _, errs := boardd("pgn", "-c", conf); code != exitFault || !strings.Contains(errs, "no games") {
		t.Errorf("before the first: %d, %s", code, errs)
	}
	s, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	for i := range 3 {
		keptGame(t, s, fmt.Sprint("g-", i+1), time.Date(2026, 7, 29+i, 12, 0, 0, 0, time.UTC), int64(i)+1)
	}
	for _, c := range []struct {
		args []string
		days string
	}{
		{nil, "29 30 31"}, {[]string{"--last", "2"}, "30 31"}, {[]string{"--since", "2026-07-30"}, "30 31"},
		{[]string{"--board", "table", "--last", "1"}, "31"}, {[]string{"--board", "idle"}, ""},
	} {
		code, out, errs := boardd(append([]string{"pgn", "-c", conf}, c.args...)...)
		var days []string
		for line := range strings.Lines(out) {
			if day, ok := strings.CutPrefix(line, `[Date "2026.07.`); ok {
				days = append(days, day[:2])
			}
		}
		if got := strings.Join(days, " "); code != exitOK || got != c.days || strings.Count(out, "Qh4# 0-1") != len(days) {
			t.Errorf("%v: code %d, days %s, want %s\n%s%s", c.args, code, got, c.days, out, errs)
		}
	}
	if _, out, _ := boardd("pgn", "-c", conf); strings.Contains(out, "\n\n\n") || !strings.HasSuffix(out, "\n\n") {
		t.Errorf("games are parted by one empty line: %q", out)
	}
	for _, args := range [][]string{{"--since", "yesterday"}, {"--last", "-1"}, {"more"}} {
		if code, _, _ := boardd(append([]string{"pgn", "-c", conf}, args...)...); code != exitUsage {
			t.Errorf("%v: code %d", args, code)
		}
	}
	// The games of the board "table" are kept, though it is no longer in the configuration.
	if code, out, errs := boardd("pgn", "-c", conf, "--board", "none"); code != exitUsage || out != "" || !strings.HasPrefix(errs, `boardd: there is no board "none": use idle, table`) {
		t.Errorf("an unknown board: code %d, %s%s", code, out, errs)
	}
	if code, out, errs := boardd("store", "check", "-c", conf); code != exitOK || out != "1 board, 3 games, 12 plies, 3 events\n" {
		t.Errorf("check: %d, %s%s", code, out, errs)
	}
	if err := fileGames(s, dir); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "pgn", "table", "*"))
	if len(files) != 3 || filepath.Base(files[0]) != "2026-07-29-g-1.pgn" {
		t.Fatalf("files %v", files)
	}
	text, err := os.ReadFile(files[2])
	if err != nil || !strings.Contains(string(text), "Qh4# 0-1") || !strings.Contains(string(text), `[White "Anna"]`) {
		t.Errorf("%s, %v", text, err)
	}
}

// docs/reliability.md says how the file of a game is called that nobody knows the day of.
func TestFileOfAnUndatedGame(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	keptGame(t, s, "g-1", time.Unix(60, 0), 1) // as a Pi without a clock starts
	if err := fileGames(s, dir); err != nil {
		t.Fatal(err)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "pgn", "table", "*")); len(files) != 1 || filepath.Base(files[0]) != "undated-g-1.pgn" {
		t.Errorf("files %v", files)
	}
}

func TestFolderThatCannotBeWrittenTo(t *testing.T) {
	t.Parallel()
	plain := file(t, "plain", "")
	conf := file(t, "boardd.toml", fmt.Sprintf("[node]\ndata = %q\n[mqtt]\nlisten = \"127.0.0.1:0\"\n[[board]]\ndriver = \"virtual\"\n", filepath.Join(plain, "data")))
	code, _, errs := boardd("run", "-c", conf)
	if code != exitFault || !strings.Contains(errs, "node.data") || !strings.Contains(errs, "name another folder") {
		t.Errorf("%d, %s", code, errs)
	}
}
