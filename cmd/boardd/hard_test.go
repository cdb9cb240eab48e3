package main

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestHardRecordings replays the recordings that were once read wrong.
func TestHardRecordings(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(repo, "recordings", "hard", "*.jsonl.gz"))
	if err != nil || len(files) == 0 {
		t.Fatal("no recordings", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			code, out, errs := boardd("replay", "--json", file)
			if code != 0 || errs != "" {
				t.Fatalf("code %d: %s", code, errs)
			}
			events := lines(t, out)
			if got, truth := events[len(events)-1].Summary.UCI, truthOf(t, file); !slices.Equal(got, truth) {
				t.Errorf("read   %v\nplayed %v", got, truth)
			}
		})
	}
}

// truthOf is what the opening line says was played: moves before the recording began, and the truth of what it holds.
func truthOf(t *testing.T, file string) []string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var opening struct{ Moves, Truth []string }
	if err := json.NewDecoder(z).Decode(&opening); err != nil {
		t.Fatal(err)
	}
	return slices.Concat(opening.Moves, opening.Truth)
}
