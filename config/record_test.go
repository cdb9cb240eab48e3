package config

import (
	"strings"
	"testing"
	"time"
)

func TestRecord(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]time.Duration{
		`"24h"`: 24 * time.Hour, `"off"`: 0, `""`: 0, `"90m"`: 90 * time.Minute, `"7d"`: 7 * 24 * time.Hour, `"1h30m"`: 90 * time.Minute,
		`"366d"`: 366 * 24 * time.Hour,
	} {
		c, err := Parse("f", []byte("[[board]]\ndriver = \"virtual\"\nrecord = "+value+"\nrecord_mb = 8\n"), nil)
		if err != nil || c.Boards[0].RecordFor() != want || c.Boards[0].RecordMB != 8 {
			t.Errorf("%s: %v, %v", value, c.Boards, err)
		}
	}
	for _, line := range []string{
		`record = "on"`, `record = "24"`, `record = "-1h"`, `record = "367d"`, `record = "1s"`, `record = "9999999d"`, `record = "d"`, `record = "1e9h"`,
		`record_mb = 0`, `record_mb = 100001`, `record_mb = -1`,
	} {
		key, _, _ := strings.Cut(line, " ")
		_, err := Parse("f", []byte("[[board]]\ndriver = \"virtual\"\n"+line+"\n"), nil)
		if err == nil || !strings.HasPrefix(err.Error(), "f:3: board[0]."+key+": ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", line, err)
		}
	}
	c, err := Parse("f", []byte("[[board]]\ndriver = \"virtual\"\n"), nil)
	if err != nil || c.Boards[0].RecordFor() != 24*time.Hour || c.Boards[0].RecordMB != 64 || c.Node.Socket != DefaultSocket {
		t.Errorf("defaults: %+v, %v", c, err)
	}
}

func TestSocketKey(t *testing.T) {
	t.Parallel()
	board := "\n[[board]]\ndriver = \"virtual\"\n"
	for value, fault := range map[string]string{
		`""`: "", `"/tmp/s"`: "", `"boardd.sock"`: "wants a path", `"/` + strings.Repeat("x", 100) + `"`: "longer than 100", `"/a\u0007"`: "control characters",
	} {
		_, err := Parse("f", []byte("[node]\nsocket = "+value+board), nil)
		if (err == nil) != (fault == "") || err != nil && (!strings.HasPrefix(err.Error(), "f:2: node.socket: ") || !strings.Contains(err.Error(), fault)) {
			t.Errorf("%s: %v", value, err)
		}
	}
}
