//go:build kernel

package board

import (
	"bytes"
	"encoding/json"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// diagnosis is what counts here of boardd doctor --json.
type diagnosis struct {
	Machine struct{ User, Groups string }
	Chips   []struct {
		Label string
		Lines int
	} `json:"gpio_chips"`
	I2C []struct {
		Path    string
		May     bool `json:"may_open"`
		Answers []struct {
			Address  uint16
			Probably string
		}
	} `json:"i2c_buses"`
	Boards []struct {
		ID   string
		Scan *struct {
			Readings, Failed int
			On               []int
		}
	}
	Findings []struct{ Level, Code, Board, What, Mend string }

	code int // exit code
}

// examined lets a user run boardd doctor.
func examined(t *testing.T, u user, boards string) (d diagnosis) {
	t.Helper()
	cmd := boardd(t, u, "doctor", "--json", "-c", configured(t, u, boards))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	watchdog := time.AfterFunc(2*time.Minute, func() { _ = cmd.Process.Kill() })
	defer watchdog.Stop()
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		d.code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out.Bytes(), &d); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out.String(), errs.String())
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("doctor, exit code %d:\n%s\n%s", d.code, out.String(), errs.String())
		}
	})
	return d
}

// mends are the mends of all findings of a kind that something configured does not work because of.
func (d *diagnosis) mends(code string) (all []string) {
	for _, f := range d.Findings {
		if f.Code == code && f.Level == "bad" {
			all = append(all, f.Mend)
		}
	}
	slices.Sort(all)
	return all
}

func TestDoctorFindsAllWell(t *testing.T) {
	h := openClub(t)
	h.matrix.Set(1<<0 | 1<<63)
	h.expanded.magnets.Set(1<<0 | 1<<63)
	h.shifted.magnets.Set(1<<0 | 1<<63)
	d := examined(t, daemonUser, threeBoards)
	if d.code != 0 || d.Machine.User != "boardd" || !slices.Contains(strings.Fields(d.Machine.Groups), "gpio") {
		t.Errorf("exit code %d, user %s, groups %s", d.code, d.Machine.User, d.Machine.Groups)
	}
	for _, f := range d.Findings {
		if f.Level == "bad" {
			t.Errorf("found wrong: %s", f.What)
		}
	}
	if len(d.Chips) != 1 || d.Chips[0].Label != "pinctrl-bcm2835" || d.Chips[0].Lines != 54 {
		t.Errorf("chips %+v", d.Chips)
	}
	var answers []uint16
	for _, b := range d.I2C {
		for _, a := range b.Answers {
			answers = append(answers, a.Address)
		}
	}
	if !slices.Equal(answers, []uint16{0x20, 0x21, 0x22, 0x23}) {
		t.Errorf("on I²C answer %x", answers)
	}
	if len(d.Boards) != 3 {
		t.Errorf("%d boards", len(d.Boards))
	}
	for _, b := range d.Boards {
		if b.Scan == nil || b.Scan.Readings == 0 || b.Scan.Failed != 0 || !slices.Equal(b.Scan.On, []int{0, 63}) {
			t.Errorf("%s: %+v", b.ID, b.Scan)
		}
	}
}

// TestDoctorFindsGroups has people start boardd who may not open its devices: somebody who is in no group, and the right one in a
// session from before he was added.
func TestDoctorFindsGroups(t *testing.T) {
	openClub(t)
	d := examined(t, newcomer, threeBoards)
	want := []string{"gpio", "i2c", "spi"}
	mends := d.mends("group_missing")
	if d.code != 1 || len(mends) != len(want) {
		t.Fatalf("exit code %d, mends %q", d.code, mends)
	}
	for i, group := range want {
		if !strings.Contains(mends[i], "usermod -aG "+group+" newcomer") {
			t.Errorf("the group %s: %s", group, mends[i])
		}
	}
	d = examined(t, user{daemonUser.uid, nil}, threeBoards)
	if mends := d.mends("new_login"); d.code != 1 || len(mends) == 0 || len(d.mends("group_missing")) != 0 {
		t.Errorf("a session without groups: exit code %d, %q", d.code, mends)
	}
}

// TestNewcomerIsToldWhy runs the daemon as somebody who may not open the devices: it says so and goes on trying.
func TestNewcomerIsToldWhy(t *testing.T) {
	openClub(t)
	d := run(t, newcomer, threeBoards)
	for _, group := range []string{"gpio", "i2c", "spi"} {
		eventually(t, "the log names the group "+group, time.Minute, func() bool {
			return slices.ContainsFunc(strings.Split(d.log.String(), "\n"), func(line string) bool {
				return strings.Contains(line, "permission") && strings.Contains(line, "usermod -aG "+group)
			})
		})
	}
	for _, name := range []string{"matrix", "expanders", "registers"} {
		eventually(t, name+" is offline", time.Minute, func() bool { return d.status(name) == "offline" })
	}
}
