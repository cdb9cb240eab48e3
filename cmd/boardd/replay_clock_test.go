package main

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/driver/dgt"
	"github.com/boardd/boardd/driver/dgt/dgttest"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/recording"
)

// The clock of each ply: the mover's time in the message that shows that he pressed is what the game keeps (golden files, checked
// against the messages themselves); the event says it too, or the last message before it if the press was not yet to be seen.
func TestClocksOfRealBoards(t *testing.T) {
	t.Parallel()
	for _, c := range captures {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f, err := os.Open(filepath.Join(repo, "recordings", "dgt-"+c.name+".jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			said := &clockReport{}
			r := replay{errs: os.Stderr, say: said}
			if err := r.file(t.Context(), c.name, f); err != nil || said.record == nil {
				t.Fatal(err, said.record)
			}
			shown := clockMessages(t, c.name)
			var got strings.Builder
			for i, uci := range said.record.UCI {
				fmt.Fprintf(&got, "%d %s %d\n", i+1, uci, *said.record.ClkMs[i])
			}
			golden(t, filepath.Join(repo, "dgt", c.name+".clk.golden"), got.String())

			pressed := presses(shown)
			if n := len(said.record.UCI); len(pressed) < n-1 || len(pressed) > n {
				t.Fatalf("%d presses for %d plies", len(pressed), n)
			}
			for i, ms := range pressed {
				if kept := *said.record.ClkMs[i]; kept != ms {
					t.Errorf("ply %d: the game keeps %d, the clock showed %d when it was pressed", i+1, kept, ms)
				}
			}
			for _, e := range said.events {
				if e.Type != "move" {
					continue
				}
				// A move may commit in the moment of a message, before it is read.
				k, _ := slices.BinarySearchFunc(shown, e.T, func(m clockMessage, t int64) int { return cmp.Compare(m.t, t) })
				side := (shown[0].lever + e.Ply - 1) % 2
				last := []int64{shown[k-1].ms[side], shown[k-1].ms[side]}
				if k < len(shown) && shown[k].t == e.T {
					last[1] = shown[k].ms[side]
				}
				if e.ClkMs == nil || e.Ply <= len(pressed) && *e.ClkMs != pressed[e.Ply-1] && !slices.Contains(last, *e.ClkMs) {
					t.Errorf("event %d, ply %d: clock %d; the clock showed %d then, and %d when it was pressed", e.Seq, e.Ply, *e.ClkMs, last, pressed[e.Ply-1])
				}
			}
		})
	}
}

// clockReport keeps events and the last game.
type clockReport struct {
	events []event
	record *game.Record
}

func (r *clockReport) begin(int, *recording.Opening, string) {}

func (r *clockReport) event(_ int, _ *recording.Opening, e *game.Event) error {
	text, err := e.JSON("board", "", "", false)
	if err != nil {
		return err
	}
	var back event
	if err := json.Unmarshal(text, &back); err != nil {
		return err
	}
	back.T = e.T
	r.events = append(r.events, back)
	return nil
}

func (r *clockReport) end(p *playback) error {
	games := p.table.Games()
	r.record = games[len(games)-1]
	return nil
}

// clockMessage is one clock message of a capture: left and right, and the side that is to press.
type clockMessage struct {
	t     int64
	ms    [2]int64
	lever int
}

// clockMessages decodes a capture's clock messages without the driver.
func clockMessages(t *testing.T, capture string) (all []clockMessage) {
	t.Helper()
	messages, err := dgttest.ReadCapture(filepath.Join(repo, "dgt", capture+".hex"))
	if err != nil {
		t.Fatal(err)
	}
	now := int64(0)
	for i, text := range messages {
		m, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			now += int64(dgt.CaptureGapMs(m))
		}
		if m[0] != dgt.ClockTimes {
			continue
		}
		time := func(at []byte) int64 { // hours, minutes and seconds in decimal digits
			return 1000 * (int64(at[0]&15)*3600 + int64(at[1]>>4*10+at[1]&15)*60 + int64(at[2]>>4*10+at[2]&15))
		}
		all = append(all, clockMessage{now, [2]int64{time(m[6:9]), time(m[3:6])}, int(m[9] >> 1 & 1)})
	}
	return all
}

// presses are the mover's times in the messages in which the lever has changed: a ply each, in these games.
func presses(shown []clockMessage) (ms []int64) {
	for k := 1; k < len(shown); k++ {
		if was := shown[k-1].lever; was != shown[k].lever {
			ms = append(ms, shown[k].ms[was])
		}
	}
	return ms
}
