package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// house is where the commands are run: a configuration, its running daemon, and programs that find it.
type house struct {
	folder string
	env    []string
}

// outcomes says what the output of a command must have.
var outcomes = []struct{ begins, has string }{
	{"boardd replay --json fool.jsonl | tail -1", `"result":"0-1"`},
	{"boardd explain --fen 'r3k2r/8/8/8/4r3/8/8/R3K2R w KQkq - 0 1' e1g1", `"castling_out_of_check"`},
	{"boardd perft --fen 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1' 5", "4865609\n"},
	{"boardd check-config", "ok\n"},
	{"boardd ctl state", "status "},
	{"boardd version", "boardd "},
	{"mosquitto_sub -t 'boardd/v1/home/board/state' | jq -r .fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"},
	{"mosquitto_sub", " "},
}

// fitting makes a command fit the house in which it is run. The daemon has its port already, and doctor would say so.
var fitting = strings.NewReplacer("/etc/boardd/boardd.toml", "boardd.toml", "--make 100 ", "--make 1 ", "boardd doctor", "BOARDD_MQTT_LISTEN=127.0.0.1:0 boardd doctor")

var boardOption = regexp.MustCompile(`--board [\w-]+`)

func newHouse(t *testing.T) *house {
	t.Helper()
	// Not t.TempDir: the path of a socket must be short.
	folder, err := os.MkdirTemp("", "boardd")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().(*net.TCPAddr)
	_ = l.Close()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write("boardd.toml", fmt.Sprintf("[node]\ndata = %q\n[mqtt]\nlisten = %q\n[[board]]\ndriver = \"virtual\"\n",
		folder+"/data", address))
	write("game.pgn", "1. e4 e5 2. Nf3 Nc6 *\n")
	write("bin/boardd", fmt.Sprintf("#!/bin/sh\n%s=1 exec %q \"$@\"\n", asProgram, self))
	for _, name := range []string{"mosquitto_sub", "mosquitto_pub"} {
		program, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		more := ""
		if name == "mosquitto_sub" {
			more = " -C 1 -W 30" // the first message is enough
		}
		write("bin/"+name, fmt.Sprintf("#!/bin/sh\nexec %s -p %d%s \"$@\"\n", program, address.Port, more))
	}
	h := &house{folder, append(os.Environ(), "PATH="+folder+"/bin:"+os.Getenv("PATH"), "BOARDD_NODE_SOCKET="+folder+"/s")}

	daemon := h.command("exec boardd run")
	book := &logbook{}
	daemon.Stderr = book
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = daemon.Process.Signal(syscall.SIGTERM)
		if err := daemon.Wait(); err != nil {
			t.Errorf("boardd run: %v", err)
		}
		if t.Failed() {
			t.Logf("log:\n%s", book)
		}
	})
	eventually(t, "the daemon has a game", time.Minute, func() bool {
		code, out, _ := boardd("ctl", "--socket", folder+"/s", "--json", "state")
		return code == 0 && strings.Contains(out, `"status":"playing"`)
	})
	return h
}

// command runs text in a shell.
func (h *house) command(text string) *exec.Cmd {
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", text)
	cmd.Dir, cmd.Env = h.folder, h.env
	return cmd
}

// run runs a command that is complete, and looks at its output.
func (h *house) run(t *testing.T, text string) {
	t.Helper()
	if strings.Contains(text, "jq ") || strings.HasPrefix(text, "mosquitto") {
		for _, program := range []string{"mosquitto_sub", "mosquitto_pub", "jq"} {
			if _, err := exec.LookPath(program); err != nil && os.Getenv("BOARDD_TEST") == "full" {
				t.Fatalf("%s is missing: scripts/deps.sh installs it", program)
			} else if err != nil {
				t.Skipf("%s is not installed", program)
			}
		}
	}
	var out, errs bytes.Buffer
	if strings.HasPrefix(text, "boardd ctl ") { // a game to command
		for _, prepare := range []string{"new_game force=true", "move uci=e2e4", "move uci=e7e5"} {
			if prepare[0] == 'm' && !strings.Contains(text, "takeback") {
				break
			}
			if code, _, stderr := boardd(append([]string{"ctl", "--socket", h.folder + "/s"}, strings.Fields(prepare)...)...); code != 0 {
				t.Errorf("%s: %s", prepare, stderr)
			}
		}
	}
	cmd := h.command(boardOption.ReplaceAllString(fitting.Replace(text), "--board board"))
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for late := time.After(3 * time.Minute); ; {
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("%s: %v\n%s%s", text, err, &out, &errs)
			}
			for _, o := range outcomes {
				if strings.HasPrefix(text, o.begins) {
					if !strings.Contains(out.String(), o.has) {
						t.Errorf("%s: the output has no %q:\n%s%s", text, o.has, &out, &errs)
					}
					break
				}
			}
			return
		case <-late:
			_ = cmd.Process.Kill()
			<-ended
			t.Fatalf("%s: does not end\n%s%s", text, &out, &errs)
		case <-time.After(time.Second): // who waits for an event gets one
			boardd("ctl", "--socket", h.folder+"/s", "identify")
		}
	}
}
