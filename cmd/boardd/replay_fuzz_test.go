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
	f.Add(`{"recording":1,"acuity":"presence","again":1,"resume":{"Snapshot":{"Seq":7,"T":9000,"Status":"playing","Mode":"casual","Online":true,"DefaultPromotion":"queen","LightsOn":true,"LEDBrightness":25,"Game":{"ID":"g-1","StartedT":10,"StartFEN":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","Variant":"standard","UCI":["e2e4"],"SAN":["e4"],"ClkMs":[null],"AtMs":[5000],"Result":"*"},"Kept":{"Turned":true,"Illegal":{"Piece":"N","From":1,"To":20,"Victim":64,"Seq":6},"Prompt":{"Line":["e2e4","a7a8q"],"Exchanges":2},"Doubt":{"ID":3,"Kind":"orientation","Candidates":[["e7e5"],["d7d5"]]},"Clock":{"Reading":{"LeftMs":5,"RightMs":6,"Running":1},"T":8000,"Lever":2},"Guide":["e2e4","e7e5"],"Due":[0]}},"Ago":500}}
{"t":0,"board":"xxxxxxxx/xxxxxxxx/......../......../....x.../......../xxxx.xxx/xxxxxxxx"}
{"t":2000,"sq":"e7","to":"."}
{"t":2500,"sq":"e5","to":"x"}
{"t":9000,"clock":{"left_ms":1,"right_ms":2,"running":"right","lever":"right"}}
`)
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
