package dgt_test

import (
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boardd/boardd/driver/dgt"
)

//go:generate go test -run TestGolden -update

var update = flag.Bool("update", false, "write the golden files and the recordings made of the captures")

// capture reads one of the files of recorded traffic: a message a line.
func capture(t testing.TB, name string) (lines [][]byte) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "dgt", name+".hex"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		lines = append(lines, unhex(t, line))
	}
	return lines
}

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return b
}

// golden compares with a file below the repository's testdata, or writes it.
func golden(t *testing.T, path, got string) {
	t.Helper()
	path = filepath.Join("..", "..", "testdata", path)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; if the change is meant, run go generate ./driver/dgt\n%s", path, firstDifference(got, string(want)))
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d\n got %s\nwant %s", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}

// decode runs chunks through a decoder and writes each message down.
func decode(d *dgt.Decoder, chunks ...[]byte) (messages []string) {
	for _, c := range chunks {
		d.Decode(0, c, func(m dgt.Message) {
			messages = append(messages, fmt.Sprintf("%02x %d % x", m.ID, m.Length, m.Payload))
		})
	}
	return messages
}

func TestGoldenClockMessages(t *testing.T) {
	for _, c := range []struct {
		name  string
		count int
	}{{"capture1", 323}, {"capture2", 578}} {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			count := 0
			for _, line := range capture(t, c.name) {
				if line[0] == dgt.ClockTimes {
					count++
					fmt.Fprintf(&out, "% x | %v\n", line, dgt.DecodeClock(line[3:]))
				}
			}
			if count != c.count {
				t.Errorf("%d clock messages, want %d", count, c.count)
			}
			golden(t, filepath.Join("dgt", c.name+".clock.golden"), out.String())
		})
	}
}

// The captures have no times of their own. The first line is at 0; a clock message comes 1000 ms after the line before
// it, an update 20 ms.
func TestGoldenRecordings(t *testing.T) {
	for _, name := range []string{"capture1", "capture2"} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			out.WriteString(`{"recording":1,"driver":"dgt","options":{"orientation":"auto"}}` + "\n")
			at := 0
			for i, line := range capture(t, name) {
				if i > 0 {
					at += dgt.CaptureGapMs(line)
				}
				fmt.Fprintf(&out, "{\"t\":%d,\"hex\":\"% x\"}\n", at, line)
			}
			fmt.Fprintf(&out, "{\"t\":%d,\"end\":true}\n", at+10_000)
			golden(t, filepath.Join("recordings", "dgt-"+name+".jsonl"), out.String())
		})
	}
}

func TestCaptureCounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name                           string
		messages, dumps, updates, clks int
	}{{"capture1", 455, 1, 131, 323}, {"capture2", 805, 1, 226, 578}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var d dgt.Decoder
			ids := map[byte]int{}
			for _, line := range capture(t, c.name) {
				d.Decode(0, line, func(m dgt.Message) { ids[m.ID]++ })
			}
			got := d.Counts()
			if got != (dgt.Counts{Messages: int64(c.messages)}) {
				t.Errorf("counts %+v, want %d messages and nothing else", got, c.messages)
			}
			if ids[dgt.BoardDump] != c.dumps || ids[dgt.FieldUpdate] != c.updates || ids[dgt.ClockTimes] != c.clks {
				t.Errorf("messages by id %v", ids)
			}
		})
	}
}

// However the bytes of a whole capture are cut in two, or into single bytes, the messages are the same.
func TestCapturesAtEverySplit(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"capture1", "capture2"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var all []byte
			var single [][]byte
			for _, line := range capture(t, name) {
				all = append(all, line...)
			}
			for i := range all {
				single = append(single, all[i:i+1])
			}
			var whole dgt.Decoder
			want := strings.Join(decode(&whole, all), "\n")
			var byByte dgt.Decoder
			if got := strings.Join(decode(&byByte, single...), "\n"); got != want {
				t.Error("byte by byte:", firstDifference(got, want))
			}
			var messages [][]byte
			whole.Decode(0, all, func(m dgt.Message) { messages = append(messages, dgt.AppendMessage(nil, m.ID, m.Payload)) })
			for at := range all {
				var d dgt.Decoder
				n := 0
				check := func(m dgt.Message) {
					if n >= len(messages) || m.ID != messages[n][0] || !bytes.Equal(m.Payload, messages[n][3:]) {
						t.Fatalf("split at %d: message %d is %02x % x", at, n, m.ID, m.Payload)
					}
					n++
				}
				d.Decode(0, all[:at], check)
				d.Decode(0, all[at:], check)
				if n != len(messages) || d.Pending() > 0 {
					t.Fatalf("split at %d: %d messages, want %d", at, n, len(messages))
				}
			}
		})
	}
}
