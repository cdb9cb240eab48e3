package main

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/boardd/boardd/config"
)

func (p *program) rewrite(t *testing.T, text string) {
	t.Helper()
	if err := os.WriteFile(p.file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := p.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
}

func (p *program) said() string {
	p.out.mu.Lock()
	defer p.out.mu.Unlock()
	return p.out.text.String()
}

// TestHangupReadsTheConfigurationAgain: what can change does, at the broker and on the lights; what cannot is said; a file with faults
// changes nothing. The service manager hears of each time.
func TestHangupReadsTheConfigurationAgain(t *testing.T) {
	t.Parallel()
	s := listenAsManager(t)
	const lights = "[board.leds]\ndriver = \"virtual\"\nbrightness = 25\nlast_move = true\n[board.rules]\nlanguage = \"en\"\nmode = \"casual\"\n"
	first := quietMQTT + "[[board]]\ndriver = \"virtual\"\n" + lights
	p := serve(t, s, first)
	if !eventually(t, "ready", 20*time.Second, func() bool { return strings.Contains(strings.Join(s.messages(), "\n"), "READY=1") }) {
		t.FailNow()
	}
	var address string // the log comes by another way than that boardd is ready
	if !eventually(t, "the broker's address in the log", 20*time.Second, func() bool {
		_, rest, _ := strings.Cut(p.said(), "listens\" address=")
		var whole bool
		address, _, whole = strings.Cut(rest, "\n")
		return whole
	}) {
		t.FailNow()
	}
	seen := read(t, address, "test")
	shows := func(topic, part string) {
		t.Helper()
		if !eventually(t, part+" at "+topic, 20*time.Second, func() bool { return strings.Contains(seen.last("board/"+topic), part) }) {
			t.Fatalf("%s\n%s", seen.last("board/"+topic), p.said())
		}
	}
	shows("settings", `"led_brightness":25`)

	second := strings.NewReplacer("25", "60", "last_move = true", "last_move = false\npalette.put = \"#00ff00\"", `"en"`, `"es"`, `"casual"`, `"training"`).Replace(first)
	p.rewrite(t, second)
	shows("settings", `"led_brightness":60`)
	shows("state", `"mode":"training"`)
	shows("state", `"text":"Juegan`)
	const took = "changed=\"board[0].leds.brightness board[0].leds.last_move board[0].leds.palette.put board[0].rules.mode board[0].rules.language\""
	eventually(t, "what has changed in the log", 20*time.Second, func() bool { return strings.Contains(p.said(), took) })

	p.rewrite(t, strings.Replace(second, "60", "600", 1))
	eventually(t, "the fault in the log", 20*time.Second, func() bool { return strings.Contains(p.said(), "brightness: 600") })
	p.rewrite(t, strings.Replace(strings.Replace(second, "60", "61", 1), "127.0.0.1:0", "127.0.0.1:1", 1))
	eventually(t, "what needs a restart in the log", 20*time.Second, func() bool {
		return strings.Contains(p.said(), "needs a restart\" keys=mqtt.listen")
	})
	shows("settings", `"led_brightness":61`)
	p.rewrite(t, strings.Replace(second, "driver = \"virtual\"\n"+"[board.leds]", "driver = \"virtual\"\nid = \"other\"\n[board.leds]", 1))
	eventually(t, "another id needs a restart", 20*time.Second, func() bool { return strings.Contains(p.said(), "keys=\"board[0].id board[0].name\"") })

	p.rewrite(t, strings.Replace(second, "[node]\n", "[node]\nlog_level = \"debug\"\n", 1))
	eventually(t, "the log level", 20*time.Second, func() bool { return strings.Contains(p.said(), "changed=node.log_level") })
	p.rewrite(t, strings.Replace(second, "[node]\n", "[node]\nlog_level = \"error\"\n", 1))

	want := []string{"RELOADING=1", "READY=1", "RELOADING=1", "READY=1", "RELOADING=1", "READY=1", "RELOADING=1", "READY=1", "RELOADING=1", "READY=1", "RELOADING=1", "READY=1"}
	var told []string
	eventually(t, "each time told", 20*time.Second, func() bool {
		told = nil
		for _, m := range s.messages() {
			if m == "READY=1" || strings.HasPrefix(m, "RELOADING=1\nMONOTONIC_USEC=") {
				told = append(told, strings.SplitN(m, "\n", 2)[0])
			}
		}
		return slices.Equal(told, want)
	})
	if t.Failed() {
		t.Logf("told %q\n%s", told, p.said())
	}
	p.signal(t, syscall.SIGTERM, exitOK)
}

func TestDifferencesAreKeysOfTheFile(t *testing.T) {
	t.Parallel()
	const text = "[[board]]\ndriver = \"virtual\"\n[[board]]\nid = \"two\"\ndriver = \"virtual\"\n"
	for _, c := range []struct {
		name   string
		change func(*config.Config)
		want   []string
	}{
		{"nothing", func(*config.Config) {}, nil},
		{"a key of a table", func(c *config.Config) { c.MQTT.URL = "mqtt://x" }, []string{"mqtt.url"}},
		{"a key of the second board", func(c *config.Config) { c.Boards[1].LEDs.Palette.Put = "#000000" }, []string{"board[1].leds.palette.put"}},
		{"a list", func(c *config.Config) { c.Boards[0].LEDs.Table = []string{"a1"} }, []string{"board[0].leds.table"}},
		{"a board less", func(c *config.Config) { c.Boards = c.Boards[:1] }, []string{"board"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a, b := parsed(t, text), parsed(t, text)
			c.change(&b)
			if got := differences("", reflect.ValueOf(a), reflect.ValueOf(b)); !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
