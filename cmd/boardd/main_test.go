package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/boardd/boardd/config"
)

// asProgram in the environment makes the test binary boardd itself, for tests that send signals.
const asProgram = "RUN_AS_BOARDD"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	if speed := os.Getenv(asDaemon); speed != "" {
		os.Exit(quickDaemon(speed))
	}
	os.Exit(m.Run())
}

// boardd runs the program and gives what it printed.
func boardd(args ...string) (code int, stdout, stderr string) {
	var out, errs strings.Builder
	code = run(args, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		args []string
		code int
		err  string // the last line on stderr
	}{
		{"no command", nil, 2, "boardd: a command is missing"},
		{"unknown command", []string{"frobnicate"}, 2, "boardd: unknown command \"frobnicate\"; see 'boardd --help'"},
		{"nearly a command", []string{"versoin"}, 2, `boardd: unknown command "versoin": did you mean version?`},
		{"help for an unknown command", []string{"frobnicate", "--help"}, 2, "boardd: unknown command \"frobnicate\"; see 'boardd --help'"},
		{"help before an unknown command", []string{"-h", "--log-level", "warn", "frobnicate"}, 2, "boardd: unknown command \"frobnicate\"; see 'boardd --help'"},
		{"help on an unknown command", []string{"help", "versoin"}, 2, `boardd: unknown command "versoin": did you mean version?`},
		{"no command of a group", []string{"store"}, 2, "boardd: a command is missing"},
		{"unknown command of a group", []string{"store", "frobnicate"}, 2, "boardd: unknown command \"frobnicate\"; see 'boardd store --help'"},
		{"nearly a command of a group", []string{"mqtt", "prge"}, 2, `boardd: unknown command "prge": did you mean purge?`},
		{"help for an unknown command of a group", []string{"mqtt", "frobnicate", "--help"}, 2, "boardd: unknown command \"frobnicate\"; see 'boardd mqtt --help'"},
		{"help on an unknown command of a group", []string{"help", "mqtt", "prge"}, 2, `boardd: unknown command "prge": did you mean purge?`},
		{"help on a command", []string{"help", "version"}, 0, ""},
		{"help of a command", []string{"version", "--help"}, 0, ""},
		{"help on help", []string{"help"}, 0, ""},
		{"unknown flag", []string{"version", "--colour"}, 2, "boardd: unknown flag: --colour; see 'boardd version --help'"},
		{"a configuration without -c", []string{"check-config", "my.toml"}, 2, "boardd: a configuration is named with -c: boardd check-config -c my.toml"},
		{"too many arguments", []string{"version", "please"}, 2, "boardd: unknown command \"please\" for \"boardd version\"; see 'boardd version --help'"},
		{"bad log level", []string{"version", "--log-level", "loud"}, 2,
			`boardd: invalid argument "loud" for "--log-level" flag: use debug, info, warn or error; see 'boardd version --help'`},
		{"bad number", []string{"demo", "--speed", "fast"}, 2, `boardd: invalid argument "fast" for "--speed" flag: use a number; see 'boardd demo --help'`},
		{"bad whole number", []string{"demo", "--seed", "-1"}, 2, `boardd: invalid argument "-1" for "--seed" flag: use a whole number from 0; see 'boardd demo --help'`},
		{"neither yes nor no", []string{"demo", "--loop=often"}, 2, `boardd: invalid argument "often" for "--loop" flag: use true or false; see 'boardd demo --help'`},
		{"help", []string{"--help"}, 0, ""},
		{"version", []string{"version"}, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			code, _, stderr := boardd(c.args...)
			lines := strings.Split(strings.TrimSpace(stderr), "\n")
			if last := lines[len(lines)-1]; code != c.code || last != c.err {
				t.Errorf("code %d and %q, want %d and %q", code, last, c.code, c.err)
			}
		})
	}
}

func TestExitCode(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		err  error
		want int
	}{
		{"none", nil, 0},
		{"run time", errors.New("the port is gone"), 1},
		{"usage", usagef("which?"), 2},
		{"wrapped usage", fmt.Errorf("replay: %w", usagef("which?")), 2},
		{"configuration", config.Faults{{Message: "no"}}, 2},
	} {
		if got := exitCode(c.err); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	_, stdout, _ := boardd("version")
	if code, flag, _ := boardd("--version"); code != 0 || flag != stdout {
		t.Errorf("--version says %q and version %q", flag, stdout)
	}
	if f := strings.Fields(stdout); len(f) != 4 || f[0] != "boardd" || !strings.HasPrefix(f[2], "go1.") {
		t.Errorf("got %q, want boardd VERSION go1.… OS/ARCH", stdout)
	}
}
