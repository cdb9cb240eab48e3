package config

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// DefaultSocket is where the daemon listens for commands of this computer, unless told otherwise.
const DefaultSocket = "/run/boardd/boardd.sock"

// Bounds of record.
const (
	leastRecord = time.Minute
	mostRecord  = 366 * 24 * time.Hour
)

// RecordFor is for how long what the board says is kept; 0 is not at all.
func (b *Board) RecordFor() time.Duration {
	d, _ := parseRecord(b.Record)
	return d
}

// parseRecord reads "24h", "90m", "7d"; "off" and "" are 0.
func parseRecord(text string) (time.Duration, error) {
	if text == "" || text == "off" {
		return 0, nil
	}
	var d time.Duration
	days, ok := strings.CutSuffix(text, "d")
	n, err := strconv.ParseUint(days, 10, 10)
	if ok && err == nil {
		d = time.Duration(n) * 24 * time.Hour
	} else if d, err = time.ParseDuration(text); err != nil {
		return 0, fmt.Errorf(`%q: use a time such as "24h", or "off"`, short(text))
	}
	if d < leastRecord || d > mostRecord {
		return 0, fmt.Errorf("%q: use a time from 1m to 366d, or \"off\"", short(text))
	}
	return d, nil
}

// recordings checks how a board is recorded.
func (ck *checker) recordings(path string, b *Board) {
	if _, err := parseRecord(b.Record); err != nil {
		ck.fault(path+".record", "%s", err.Error())
	}
	ck.number(path+".record_mb", b.RecordMB, 1, 100_000)
}

// socketPath checks where the daemon listens for commands: the kernel takes no longer name.
func (ck *checker) socketPath(path, name string) {
	if len(name) > 100 {
		ck.fault(path, "is longer than 100 bytes")
	}
	if name != "" && !strings.HasPrefix(name, "/") {
		ck.fault(path, "%q: wants a path that begins with /", name)
	}
	ck.printable(path, name)
}
