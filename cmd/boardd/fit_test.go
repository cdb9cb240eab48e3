package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/boardd/boardd/sensing"
)

// What is made can be read again, most of it is understood, and what is common comes out as common.
func TestFitOfSimulatedHands(t *testing.T) {
	t.Parallel()
	for _, acuity := range []string{"presence", "color", "piece"} {
		var file, out, errs bytes.Buffer
		if err := makeRecordings(&file, 6, "club", acuity, ""); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(t.TempDir(), "made.jsonl")
		if err := os.WriteFile(name, file.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		f := fit{errs: &errs}
		if err := f.open(t.Context(), name, nil); err != nil {
			t.Fatal(err)
		}
		if err := f.print(&out); err != nil {
			t.Fatalf("%v: %s", err, errs.String())
		}
		if f.read != 6 || f.explained < 5 || errs.Len() > 0 {
			t.Errorf("%s: %d of %d explained; %s", acuity, f.explained, f.read, errs.String())
		}
		row := regexp.MustCompile(`enemy man that may be taken +(\d+) +(\d+) +700 +(\d+)`).FindStringSubmatch(out.String())
		if row == nil {
			t.Fatal(out.String())
		}
		used, _ := strconv.Atoi(row[1])
		price, _ := strconv.Atoi(row[3])
		if used < 20 || price < 1000 || price > 3000 {
			t.Errorf("%s: %s", acuity, row[0])
		}
	}
}

func TestEstimate(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		used, chances int
		want          string
	}{{0, 0, "-"}, {0, 999, ">7601"}, {50, 100, "693"}, {100, 100, "5"}, {3, 2, "0"}} {
		if got := estimate(sensing.Use{Used: tt.used, Chances: tt.chances}); got != tt.want {
			t.Errorf("%d of %d: %s, want %s", tt.used, tt.chances, got, tt.want)
		}
	}
}

func TestFitWantsTheTruth(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "{\"recording\":1,\"acuity\":\"piece\"}\n", "{\"recording\":1,\"acuity\":\"piece\",\"fen\":\"4k3/8/8/8/8/8/8/4K3 w - - 0 1\",\"truth\":[\"e1e9\"]}\n", "nothing\n"} {
		var errs, out bytes.Buffer
		f := fit{errs: &errs}
		if err := f.file("-", bytes.NewBufferString(text)); err != nil {
			t.Error(err)
		}
		if f.print(&out) == nil || text != "" && errs.Len() == 0 {
			t.Errorf("%q: %s%s", text, out.String(), errs.String())
		}
	}
}
