package main

import (
	"fmt"
	"strings"
	"testing"
)

// On each emulated board the game that was played is published, read by the driver of such boards over a port.
func TestDemoOnEmulatedBoards(t *testing.T) {
	t.Parallel()
	for _, name := range emulationNames() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, stdout, stderr := boardd("demo", "--board", name, "--speed", "10")
			if code != exitOK || stderr != "" {
				t.Errorf("code %d, stderr %q", code, stderr)
			}
			for _, want := range []string{
				"27 of 27 moves", "An emulated board at /dev/", fmt.Sprintf("read by the driver %s as if it were there", emulations[name].driver),
				"White may not move from c3 to e4", "c7b8n", "White wins: checkmate",
			} {
				if !strings.Contains(stdout, want) {
					t.Errorf("%q is missing", want)
				}
			}
			if t.Failed() {
				t.Log(stdout)
			}
		})
	}
}

func TestDemoOnEmulatedBoardUsage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--board", "abacus"}, `--board "abacus": use virtual, `},
		{[]string{"--board", "dgt", "--acuity", "presence"}, "--acuity presence: the emulated dgt board has the acuity piece"},
		{[]string{"--board", "dgt", "--speed", "51"}, "--speed 51: use 0.1 to 50 with an emulated board"},
	} {
		code, stdout, stderr := boardd(append([]string{"demo"}, c.args...)...)
		if code != exitUsage || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 || stdout != "" {
			t.Errorf("%v: code %d, %q, %q", c.args, code, stdout, stderr)
		}
	}
}
