package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/store"
)

// asDaemon makes the test's program a daemon with a quick clock: its speed. The configuration is the argument.
const asDaemon = "BOARDD_TEST_AS_DAEMON"

func quickDaemon(speed string) int {
	n, err := strconv.ParseFloat(speed, 64)
	if err != nil {
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	c, err := config.Load(ctx, os.Args[1], nil)
	if err == nil {
		err = (&Main{Config: c, Speed: n, Log: slog.New(slog.NewTextHandler(os.Stderr, nil))}).Run(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// TestKilledInTheMidstOfAGame: a daemon that is killed again and again loses nothing that it has published, publishes nothing under a
// number that something else had, and ends with the game that was played.
func TestKilledInTheMidstOfAGame(t *testing.T) {
	t.Parallel()
	const capture, speed = "capture1", 25
	for seed := range uint64(2) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			player, _ := playing(t, capture, speed, seed+1)
			broker := mosquitto(t)
			seen := read(t, broker, "killed")
			data := t.TempDir()
			conf := file(t, "boardd.toml", fmt.Sprintf("[node]\nname = \"killed\"\ndata = %q\n[mqtt]\nurl = \"mqtt://%s\"\n[[board]]\nid = \"table\"\ndriver = \"dgt\"\nport = %q\n",
				data, broker, player.Path()))
			log := &logbook{}
			begin := func() *exec.Cmd {
				cmd := exec.Command(os.Args[0], conf)
				cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", asDaemon, speed))
				cmd.Stdout, cmd.Stderr = log, log
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				return cmd
			}
			published := func() int {
				seen.mu.Lock()
				defer seen.mu.Unlock()
				return len(seen.messages["table/event"])
			}
			dice := rand.New(rand.NewPCG(seed, 7))
			daemon := begin()
			t.Cleanup(func() {
				_ = daemon.Process.Kill()
				_ = daemon.Wait()
				if t.Failed() {
					t.Logf("log:\n%s", log)
				}
			})
			kills := 0
			for next, done := published()+5, false; !done; {
				select {
				case <-player.Done():
					done = true
				case <-time.After(time.Duration(1+dice.IntN(30)) * time.Millisecond):
				}
				if published() >= next && !done {
					// What hands do meanwhile is another test's: here nobody is to be slower than this computer.
					player.Wait(true)
					_ = daemon.Process.Kill()
					_ = daemon.Wait()
					kills++
					asked := len(player.Requests())
					daemon = begin()
					eventually(t, "the board is asked again", time.Minute, func() bool { return bytes.IndexByte(player.Requests()[asked:], 0x42) >= 0 })
					player.Wait(false)
					next = published() + 8 + dice.IntN(12)
				}
			}
			want := movesOf(t, capture)
			ends := eventually(t, "the game that was played", time.Minute, func() bool {
				var g struct{ UCI []string }
				return json.Unmarshal([]byte(seen.last("table/game")), &g) == nil && slices.Equal(g.UCI, want)
			})
			if !ends {
				t.Logf("played %v\nstate %s\nlive %s", want, seen.last("table/state"), seen.last("table/live"))
			}
			if err := daemon.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			if err := daemon.Wait(); err != nil {
				t.Errorf("end: %v", err)
			}
			daemon = begin() // so that the last cleanup has something to end
			if kills < 3 {
				t.Errorf("killed %d times only", kills)
			}
			seen.oneNumbering(t, "table/event", kills)
			_ = daemon.Process.Kill()
			_ = daemon.Wait()
			s, err := store.Read(data)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			r, err := s.Check()
			if err != nil || len(r.Faults) > 0 {
				t.Errorf("store: %v, %v", err, r.Faults)
			}
			games := 0
			for g, err := range s.Games(store.Which{}) {
				if games++; err != nil || !slices.Equal(g.UCI, want) {
					t.Errorf("the store has %v: %v", g, err)
				}
			}
			if games != 1 {
				t.Errorf("%d games", games)
			}
			// What was recorded until each kill can be replayed, and ends with the game too.
			code, cut, errs := boardd("record", "-c", conf, "--last", "100h")
			if code != 0 {
				t.Fatalf("record: %s", errs)
			}
			code, out, errs := boardd("replay", "--json", file(t, "killed.jsonl", cut))
			said := lines(t, out)
			if n := strings.Count(out, `"type":"summary"`); code != 0 || n < kills || !slices.Equal(said[len(said)-1].Summary.UCI, want) {
				t.Errorf("replay of %d recordings: code %d, %s: the last ends with %v", n, code, errs, said[len(said)-1].Summary.UCI)
			}
			t.Logf("%d kills, %d events published, %d of them twice", kills, published(), published()-int(r.Events))
		})
	}
}

// oneNumbering checks that events came in the order of their numbers from 1, without a gap, and that what came again was the same.
func (r *reader) oneNumbering(t *testing.T, leaf string, restarts int) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	known := map[int64][]byte{}
	epoch, last := "", int64(0)
	for _, m := range r.messages[leaf] {
		var e struct {
			Epoch string
			Seq   int64
			Late  bool
		}
		if err := json.Unmarshal(m, &e); err != nil {
			t.Fatal(err)
		}
		if epoch == "" {
			epoch = e.Epoch
		}
		m = bytes.Replace(m, []byte(`"late":true`), []byte(`"late":false`), 1)
		switch before, again := known[e.Seq]; {
		case e.Epoch != epoch:
			t.Fatalf("another epoch %s after %s: %s", e.Epoch, epoch, m)
		case again && !bytes.Equal(before, m):
			t.Errorf("number %d was first\n%s\nand then\n%s", e.Seq, before, m)
		case !again && e.Seq != last+1:
			t.Errorf("%d came after %d", e.Seq, last)
		}
		known[e.Seq] = m
		last = max(last, e.Seq)
	}
	if again := len(r.messages[leaf]) - len(known); again > 3*restarts {
		t.Errorf("%d events came again after %d restarts", again, restarts)
	}
	if !strings.HasPrefix(leaf, "table/") || last == 0 {
		t.Errorf("nothing was published on %s", leaf)
	}
}
