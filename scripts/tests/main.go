// Command tests runs the tests of the house and reports on them: one line a package, the output of what failed, what was
// skipped and why, and the counts. With -full nothing may be skipped. With -kernel the tests that want a kernel of their own are
// run too, in the emulated machines of kernel/, and with -kernel=only nothing else.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	full := flag.Bool("full", false, "set BOARDD_TEST=full and fail if any test is skipped")
	race := flag.String("race", "", "package patterns, with spaces between, that are run with the race detector")
	kernel := flag.String("kernel", "", "\"too\" for the tests in emulated machines besides the others, \"only\" for nothing else")
	timeout := flag.Duration("timeout", 20*time.Minute, "the longest that one package may take")
	flag.Parse()
	if err := run(*full, *race, *kernel, *timeout); err != nil {
		fmt.Fprintln(os.Stderr, "tests:", err)
		os.Exit(1)
	}
}

// group are packages that are tested in one way.
type group struct{ flags, packages, env []string }

func run(full bool, race, kernel string, timeout time.Duration) error {
	plain, err := list("./...")
	if err != nil {
		return err
	}
	var raced []string
	if race != "" {
		if raced, err = list(strings.Fields(race)...); err != nil {
			return err
		}
		plain = slices.DeleteFunc(plain, func(p string) bool { return slices.Contains(raced, p) })
	}
	// Soaks take as long as the games they play: make soak runs them, by name.
	args := []string{"test", "-json", "-timeout=" + timeout.String(), "-skip=^TestSoak"}
	// Debian keeps the broker and the engine where a plain user does not look.
	env := append(os.Environ(), "PATH="+os.Getenv("PATH")+":/usr/sbin:/usr/games")
	if full {
		args = append(args, "-count=1")
		env = append(env, "BOARDD_TEST=full")
	}
	r := report{w: os.Stdout}
	var errs []error
	groups := []group{
		{nil, plain, nil},
		{[]string{"-race"}, raced, []string{"CGO_ENABLED=1"}}, // the race detector is written in C
	}
	if kernel != "" {
		guests, err := guests()
		if err != nil {
			return err
		}
		if kernel == "only" {
			groups = nil
		}
		groups = append(groups, guests...)
	}
	for _, group := range groups {
		if len(group.packages) == 0 {
			continue
		}
		cmd := exec.Command("go", slices.Concat(args, group.flags, group.packages)...)
		cmd.Env = slices.Concat(env, group.env)
		cmd.Stderr = os.Stderr
		before := r.passed + r.failed + r.skipped
		err := r.read(cmd)
		if err == nil && r.passed+r.failed+r.skipped == before {
			err = fmt.Errorf("no test in %s", strings.Join(group.packages, " "))
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	return r.close(full, errs)
}

// guests are the tests in emulated machines; the scripts of kernel/ boot one for each test binary.
func guests() (all []group, err error) {
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	for _, g := range []struct{ folder, script, arguments, arch, which string }{
		{"./kernel/board", "boot.sh", "-b", "amd64", "-skip=USB"},
		{"./kernel/board", "boot.sh", "-b -u", "amd64", "-run=USB"}, // its timers starve a guest that does more
		{"./kernel/pi", "raspi.sh", "", "arm64", "-run=."},
	} {
		boot := "'" + filepath.Join(root, "kernel", g.script) + "' " + g.arguments // go test splits it at blanks
		all = append(all, group{
			flags:    []string{"-tags=kernel", "-exec=" + boot, g.which},
			packages: []string{g.folder},
			env:      []string{"CGO_ENABLED=0", "GOOS=linux", "GOARCH=" + g.arch},
		})
	}
	return all, nil
}

// list names the packages that patterns stand for.
func list(patterns ...string) ([]string, error) {
	cmd := exec.Command("go", append([]string{"list"}, patterns...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", strings.Join(patterns, " "), err)
	}
	return strings.Fields(string(out)), nil
}

// event is a line of go test -json.
type event struct {
	Action     string
	Package    string
	ImportPath string // of build output
	Test       string
	Elapsed    float64
	Output     string
}

// report gathers what the tests say.
type report struct {
	w                       io.Writer
	passed, failed, skipped int
	skips                   []string
}

// read runs go test and takes in its events.
func (r *report) read(cmd *exec.Cmd) error {
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	r.events(out)
	return cmd.Wait()
}

// events takes in lines of go test -json; others are printed as they are.
func (r *report) events(in io.Reader) {
	said := map[string][]string{} // output of tests that are not done, by package and test
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) != nil || e.Action == "" {
				fmt.Fprintf(r.w, "%s", line)
			} else {
				r.event(e, said)
			}
		}
		if err != nil {
			return
		}
	}
}

func (r *report) event(e event, said map[string][]string) {
	key := e.Package + " " + e.Test
	switch e.Action {
	case "build-output":
		fmt.Fprint(r.w, e.Output)
	case "output":
		said[key] = append(said[key], e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			r.packageDone(e, said)
			return
		}
		switch e.Action {
		case "pass":
			r.passed++
		case "fail":
			r.failed++
			r.print(said[key])
		case "skip":
			r.skipped++
			r.skips = append(r.skips, e.Package+" "+e.Test+": "+reason(said[key]))
		}
		delete(said, key)
	}
}

// packageDone prints a package's line and, if it failed, all that was not printed yet: tests that a panic or a time-out cut
// off have no end of their own.
func (r *report) packageDone(e event, said map[string][]string) {
	for key, output := range said {
		if strings.HasPrefix(key, e.Package+" ") {
			if e.Action == "fail" {
				if !strings.HasSuffix(key, " ") {
					r.failed++
				}
				r.print(output)
			}
			delete(said, key)
		}
	}
	switch e.Action {
	case "pass":
		fmt.Fprintf(r.w, "ok    %-50s %6.1fs\n", e.Package, e.Elapsed)
	case "fail":
		fmt.Fprintf(r.w, "FAIL  %-50s %6.1fs\n", e.Package, e.Elapsed)
	}
}

func (r *report) print(output []string) {
	for _, o := range output {
		fmt.Fprint(r.w, o)
	}
}

// reason is what a test said when it skipped.
func reason(output []string) string {
	var said []string
	for _, o := range output {
		o = strings.TrimSpace(o)
		if o != "" && !strings.HasPrefix(o, "=== ") && !strings.HasPrefix(o, "--- ") {
			said = append(said, o)
		}
	}
	if said == nil {
		return "no reason given"
	}
	return strings.Join(said, " ")
}

// close prints what was skipped and the counts; its error is nil when all is well.
func (r *report) close(full bool, errs []error) error {
	for _, s := range r.skips {
		fmt.Fprintln(r.w, "skip ", s)
	}
	fmt.Fprintf(r.w, "%d passed, %d failed, %d skipped\n", r.passed, r.failed, r.skipped)
	switch {
	case r.failed > 0:
		return fmt.Errorf("%d failed", r.failed)
	case len(errs) > 0:
		return fmt.Errorf("go test: %w", errs[0])
	case r.passed == 0:
		return fmt.Errorf("no test ran")
	case full && r.skipped > 0:
		return fmt.Errorf("%d skipped, and a full run skips nothing", r.skipped)
	}
	return nil
}
