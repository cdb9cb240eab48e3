// Package release_test tries what is released: the binaries for each machine, under emulation where they are not for this one, and the
// packages.
package release_test

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const root = "../.."

// full skips what takes long unless everything is to be tried.
func full(t *testing.T) {
	t.Helper()
	if os.Getenv("BOARDD_TEST") != "full" {
		t.Skip("builds releases: only in a full run")
	}
}

// run runs a command in the root of the house and gives what it printed.
func run(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := await(cmd, patience); err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out.String(), errs.String())
	}
	return out.String()
}

// A machine is one that boardd is built for, and how its programs are run here.
type machine struct{ debian, binary, emulator string }

var machines = []machine{
	{"armhf", "boardd-linux-armv6", "qemu-arm-static -cpu arm1176"}, // a Pi Zero: ARMv7 dies there with an illegal instruction
	{"arm64", "boardd-linux-arm64", "qemu-aarch64-static"},
	{"amd64", "boardd-linux-amd64", ""},
}

// command runs the binary of a machine.
func (m *machine) command(dist string, args ...string) *exec.Cmd {
	words := append(append(strings.Fields(m.emulator), filepath.Join(dist, m.binary)), args...)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = root
	return cmd
}

func (m *machine) run(t *testing.T, dist string, args ...string) string {
	t.Helper()
	cmd := m.command(dist, args...)
	out, err := output(cmd, patience)
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return string(out)
}

// release builds everything once. Version 0.0.2 is there for amd64 only.
var release = sync.OnceValues(func() (dist string, err error) {
	dist, err = os.MkdirTemp("", "boardd-release")
	if err != nil {
		return "", err
	}
	for _, v := range []struct{ version, arches string }{{"v0.0.1", "armhf arm64 amd64"}, {"v0.0.2", "amd64"}} {
		cmd := exec.Command("scripts/package.sh")
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "VERSION="+v.version, "ARCHES="+v.arches, "DIST="+filepath.Join(dist, v.version), "SOURCE_DATE_EPOCH=1764500000")
		if out, err := output(cmd, patience); err != nil {
			return dist, fmt.Errorf("package.sh: %w\n%s", err, out)
		}
	}
	return dist, nil
})

func TestMain(m *testing.M) {
	flag.Parse()
	lastMoment() // counts from here
	code := m.Run()
	if os.Getenv("BOARDD_TEST") == "full" {
		if dist, _ := release(); dist != "" {
			_ = os.RemoveAll(dist)
		}
	}
	os.Exit(code)
}

func released(t *testing.T) (first, second string) {
	t.Helper()
	full(t)
	dist, err := release()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dist, "v0.0.1"), filepath.Join(dist, "v0.0.2")
}

// TestMainJobOnEachMachine: recordings are read as on the machine that made them, a game is played on a virtual board and over a serial
// line, and what the store has written is whole, also for another machine.
func TestMainJobOnEachMachine(t *testing.T) {
	t.Parallel()
	dist, _ := released(t)
	recordings := []string{"testdata/recordings/dgt-capture1.jsonl", "testdata/recordings/dgt-capture2.jsonl",
		"testdata/recordings/hard/slides-interleaved.jsonl.gz", "testdata/recordings/hard/knight-by-gesture.jsonl.gz"}
	here := &machines[len(machines)-1]
	want := here.run(t, dist, append([]string{"replay", "--json"}, recordings...)...)
	if n := strings.Count(want, `"type":"move"`); n < 100 {
		t.Fatalf("only %d moves in the recordings", n)
	}
	for i := range machines {
		m := &machines[i]
		t.Run(m.debian, func(t *testing.T) {
			t.Parallel()
			if got := m.run(t, dist, "version"); !strings.HasPrefix(got, "boardd v0.0.1 go") {
				t.Errorf("version: %q", got)
			}
			if got := m.run(t, dist, append([]string{"replay", "--json"}, recordings...)...); got != want {
				t.Errorf("the recordings are read otherwise than on %s", here.debian)
			}
			for _, kind := range []string{"virtual", "dgt"} {
				if got := m.run(t, dist, "demo", "--speed", "10", "--board", kind); !strings.Contains(got, "27 of 27 moves published") {
					t.Errorf("demo on a %s board:\n%s", kind, got)
				}
			}
			m.keeps(t, dist, here)
		})
	}
}

// keeps lives with a store for a moment, and has it looked through by itself and by another machine.
func (m *machine) keeps(t *testing.T, dist string, other *machine) {
	data := t.TempDir()
	file := filepath.Join(data, "boardd.toml")
	text := fmt.Sprintf("[node]\nname = \"release\"\ndata = %q\nsocket = \"\"\n[mqtt]\nlisten = \"127.0.0.1:0\"\n[[board]]\ndriver = \"virtual\"\n", data)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := m.command(dist, "run", "-c", file)
	read, write := io.Pipe()
	cmd.Stdout, cmd.Stderr = write, write
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	var said bytes.Buffer
	done := make(chan struct{})
	go func() {
		defer close(done)
		buf := make([]byte, 4096)
		for up := false; ; {
			n, err := read.Read(buf)
			said.Write(buf[:n])
			if !up && strings.Contains(said.String(), "MQTT: connected") && strings.Contains(said.String(), "board is online") {
				up = true
				_ = cmd.Process.Signal(syscall.SIGTERM)
			}
			if err != nil {
				return
			}
		}
	}()
	err := cmd.Wait()
	_ = write.Close()
	<-done
	if err != nil || strings.Contains(said.String(), "level=ERROR") {
		t.Fatalf("run: %v\n%s", err, said.String())
	}
	for _, reader := range []*machine{m, other} {
		if got := reader.run(t, dist, "store", "check", "-c", file); !regexp.MustCompile(`^1 board, \d+ games?, \d+ pl(y|ies), [1-9]`).MatchString(got) {
			t.Errorf("%s reads what %s wrote: %s", reader.debian, m.debian, got)
		}
	}
}

// TestStoreOnARMv6 runs the tests of the store, whose database is the code that was least written for it.
func TestStoreOnARMv6(t *testing.T) {
	t.Parallel()
	full(t)
	run(t, []string{"GOARCH=arm", "GOARM=6", "CGO_ENABLED=0", "BOARDD_TEST="}, "go", "test", "-short", "-exec", machines[0].emulator, "./store")
}

// TestBuildIsReproducible: another folder, the same bytes.
func TestBuildIsReproducible(t *testing.T) {
	t.Parallel()
	dist, _ := released(t)
	copied := t.TempDir()
	run(t, nil, "sh", "-c", fmt.Sprintf("git ls-files -z --cached --others --exclude-standard | tar c --null -T - --ignore-failed-read | tar x -C '%s'", copied))
	cmd := exec.Command(filepath.Join(copied, "scripts/cross.sh"))
	cmd.Env = append(os.Environ(), "VERSION=v0.0.1")
	if out, err := output(cmd, patience); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, m := range machines {
		if first, second := hash(t, filepath.Join(dist, m.binary)), hash(t, filepath.Join(copied, "dist", m.binary)); first != second {
			t.Errorf("%s: %x, then %x", m.binary, first, second)
		}
	}
}

func hash(t *testing.T, path string) [sha256.Size]byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return sha256.Sum256(b)
}

func TestPackagesAreClean(t *testing.T) {
	t.Parallel()
	dist, _ := released(t)
	for _, m := range machines {
		t.Run(m.debian, func(t *testing.T) {
			t.Parallel()
			deb := filepath.Join(dist, "boardd_0.0.1_"+m.debian+".deb")
			out, err := output(exec.Command("lintian", "--fail-on", "error,warning", "--allow-root", deb), patience)
			if err != nil {
				t.Errorf("lintian: %v\n%s", err, out)
			}
			if got := run(t, nil, "dpkg-deb", "-f", deb, "Architecture"); strings.TrimSpace(got) != m.debian {
				t.Errorf("architecture %q", got)
			}
			folder := t.TempDir()
			run(t, nil, "dpkg-deb", "-x", deb, folder)
			if hash(t, filepath.Join(folder, "usr/bin/boardd")) != hash(t, filepath.Join(dist, m.binary)) {
				t.Error("the program in the package is another one")
			}
			if conf := run(t, nil, "dpkg-deb", "-I", deb, "conffiles"); conf != "/etc/boardd/boardd.toml\n" {
				t.Errorf("conffiles: %q", conf)
			}
		})
	}
}

// TestPackageInAnEmptyDebian: see packaging/try.sh.
func TestPackageInAnEmptyDebian(t *testing.T) {
	t.Parallel()
	first, second := released(t)
	tar := strings.TrimSpace(run(t, nil, "packaging/root.sh"))
	args := []string{"packaging/try.sh", tar, filepath.Join(first, "boardd_0.0.1_amd64.deb"), filepath.Join(second, "boardd_0.0.2_amd64.deb")}
	if os.Getuid() != 0 {
		// What runs as root only root may end.
		args = append([]string{"sudo", "-n", "timeout", "-k", "10", fmt.Sprint(int(patience.Seconds()))}, args...)
	}
	if out := run(t, nil, args[0], args[1:]...); !strings.HasSuffix(out, "== all is well\n") {
		t.Error(out)
	}
}
