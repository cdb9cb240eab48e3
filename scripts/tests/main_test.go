package main

import (
	"errors"
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	t.Parallel()
	const (
		passed  = `{"Action":"output","Package":"p","Test":"TestA","Output":"fine\n"}` + "\n" + `{"Action":"pass","Package":"p","Test":"TestA"}` + "\n"
		skipped = `{"Action":"output","Package":"p","Test":"TestB","Output":"    x_test.go:1: no mosquitto here\n"}` + "\n" + `{"Action":"skip","Package":"p","Test":"TestB"}` + "\n"
		failed  = `{"Action":"output","Package":"p","Test":"TestC","Output":"got 1\n"}` + "\n" + `{"Action":"fail","Package":"p","Test":"TestC"}` + "\n"
		cut     = `{"Action":"output","Package":"p","Test":"TestD","Output":"panic: oh\n"}` + "\n" + `{"Action":"fail","Package":"p","Elapsed":1}` + "\n"
		done    = `{"Action":"pass","Package":"p","Elapsed":1}` + "\n"
	)
	for _, c := range []struct {
		name, in string
		full     bool
		errs     []error
		want     string // part of what is printed
		err      string
	}{
		{"pass", passed + done, true, nil, "1 passed, 0 failed, 0 skipped\n", ""},
		{"skip elsewhere", passed + skipped + done, false, nil, "skip  p TestB: x_test.go:1: no mosquitto here\n1 passed, 0 failed, 1 skipped\n", ""},
		{"skip in a full run", passed + skipped + done, true, nil, "1 passed, 0 failed, 1 skipped\n", "1 skipped, and a full run skips nothing"},
		{"fail", passed + failed, false, nil, "got 1\n", "1 failed"},
		{"cut off by a panic", passed + cut, false, nil, "panic: oh\n", "1 failed"},
		{"the build fails", passed + done, false, []error{errors.New("exit status 1")}, "1 passed", "go test: exit status 1"},
		{"nothing ran", "", false, nil, "0 passed", "no test ran"},
		{"not JSON", "go: no module\n", false, nil, "go: no module\n", "no test ran"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			r := report{w: &out}
			r.events(strings.NewReader(c.in))
			err := r.close(c.full, c.errs)
			if !strings.Contains(out.String(), c.want) {
				t.Errorf("printed %q, want %q in it", out.String(), c.want)
			}
			if got := errorText(err); got != c.err {
				t.Errorf("error %q, want %q", got, c.err)
			}
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
