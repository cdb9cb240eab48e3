package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// FuzzReplay: no file makes replay panic or run without end, and the same file gives the same bytes.
func FuzzReplay(f *testing.F) {
	f.Add(quiet)
	f.Add(`{"recording":1,"acuity":"presence","rules":{"mode":"training"}}
{"t":0,"board":"xxxxxxxx/xxxxxxxx/......../......../......../......../xxxxxxxx/xxxxxxxx"}
{"t":2000,"sq":"e2","to":"."}
{"t":2100,"sq":"e4","to":"x"}
{"t":2200,"clock":{"left_ms":1000,"right_ms":2000,"running":"right","lever":"right"}}
{"t":9000,"cmd":{"verb":"takeback","plies":1}}
{"t":9001,"cmd":{"verb":"new_game","force":true,"start_fen":"8/P6k/8/8/8/8/8/K7 w - - 0 1"}}
{"t":9002,"link":"down"}
{"t":3000000000000,"end":true}
`)
	f.Add(`{"recording":1,"acuity":"color","variant":"chess960","fen":"8/P6k/8/8/8/8/8/K7 w - - 0 1","moves":"a7a8q h7g7"}
{"t":5,"sq":"a8","to":"."}
{"t":900,"sq":"a8","to":"b"}
`)
	if dgt, err := os.ReadFile(filepath.Join(repo, "recordings", "dgt-capture2.jsonl")); err == nil {
		f.Add(strings.Join(strings.SplitAfter(string(dgt), "\n")[:60], ""))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 20_000 {
			return
		}
		play := func() string {
			var out strings.Builder
			began := time.Now()
			run([]string{"replay", "--json", "-"}, strings.NewReader(text), &out, io.Discard)
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("took %v", took)
			}
			return out.String()
		}
		if one, two := play(), play(); one != two {
			t.Errorf("the same file gives\n%s\nand\n%s", one, two)
		}
	})
}
