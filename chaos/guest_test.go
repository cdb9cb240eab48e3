package chaos

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing/hand"
	"github.com/boardd/boardd/store"
)

// asGuest makes the test's program what runs in the emulated machine of TestPowerCut; its value is a journey as JSON.
const asGuest = "CHAOS_GUEST"

// journey is what a guest is to do between two power cuts.
type journey struct {
	Game    []string // what is played
	Seed    uint64   // of the hands
	Touched int      // touches that were made before the power was cut last
	Cut     int      // the touch after which it is cut again; 0: never
	LaterMs int      // how long after
}

// guestLog is the shared folder's file in which a guest says what it has done and seen. A line is on the host when its call returns.
const guestLog = "/host/out/log"

// guest plays until its power is cut, or to the end of the game, and then looks at what the store has.
func guest(text string) (err error) {
	var j journey
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		return err
	}
	f, err := os.OpenFile(guestLog, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	var writing sync.Mutex
	say := func(format string, a ...any) {
		writing.Lock()
		defer writing.Unlock()
		fmt.Fprintf(f, format+"\n", a...)
	}
	m, err := perform([][]string{j.Game}, hand.Styles().Sensor(board.PieceAcuity), j.Seed)
	if err != nil {
		return err
	}
	start := rules.Start()
	b, err := openBench(&start)
	if err != nil {
		return err
	}
	stands := picture(board.PieceAcuity, &start)
	for _, in := range m.Inputs[:j.Touched] {
		stands[in.Square] = in.Symbol
	}
	b.Show(stands)
	const data = "/disk/boardd"
	conf := "/tmp/boardd.toml"
	if err := os.WriteFile(conf, fmt.Appendf(nil, "[node]\nname = \"club\"\ndata = %q\n[mqtt]\nlisten = \"127.0.0.1:0\"\n[[board]]\nid = \"table-1\"\ndriver = %q\nport = %q\n",
		data, benchDriver, b.Path()), 0o600); err != nil {
		return err
	}
	text2, err := os.ReadFile("/host/boardd") // the shared folder is slow to load from
	if err == nil {
		err = os.WriteFile("/tmp/boardd", text2, 0o755)
	}
	if err != nil {
		return err
	}
	log := &book{}
	cmd := exec.Command("/tmp/boardd", "run", "-c", conf)
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		return err
	}
	defer func() {
		_ = cmd.Process.Kill()
		if err != nil {
			err = fmt.Errorf("%w\n%s", err, log)
		}
	}()
	address := ""
	if !until(time.Minute, func() bool {
		_, after, ok := strings.Cut(log.String(), " address=")
		if fields := strings.Fields(after); ok && len(fields) > 0 {
			address = fields[0]
		}
		return address != ""
	}) {
		return fmt.Errorf("boardd does not listen")
	}
	var mu sync.Mutex
	var game struct{ UCI []string }
	o := paho.NewClientOptions().AddBroker("tcp://" + address).SetClientID("witness").SetOrderMatters(true)
	o.SetDefaultPublishHandler(func(_ paho.Client, msg paho.Message) {
		switch {
		case strings.HasSuffix(msg.Topic(), "/event"):
			say("EVENT %s", bytes.ReplaceAll(msg.Payload(), []byte("\n"), nil))
		case strings.HasSuffix(msg.Topic(), "/game"):
			mu.Lock()
			defer mu.Unlock()
			_ = json.Unmarshal(msg.Payload(), &game)
		}
	})
	client := paho.NewClient(o)
	if err := paho.WaitTokenTimeout(client.Connect(), time.Minute); err != nil {
		return err
	}
	if err := paho.WaitTokenTimeout(client.Subscribe("boardd/v1/club/table-1/#", 1, nil), time.Minute); err != nil {
		return err
	}
	if !until(time.Minute, func() bool { asked, answered := b.talks(); return asked > 0 && answered > 0 }) {
		return fmt.Errorf("the board is not read")
	}
	touch := j.Touched
	var h *hands
	h = newHands(m, func(q rules.Square, what board.Symbol) {
		if touch++; touch == j.Cut-2 {
			// A disk that is slow for seconds, and then a power cut, leave nothing of the moves but where the men stand: so much is
			// promised of what was published. Here at most two plies are not.
			until(time.Minute, func() bool {
				mu.Lock()
				defer mu.Unlock()
				return len(game.UCI) >= h.completed()-1
			})
		}
		say("TOUCH %d", touch)
		b.Set(q, what)
		if touch == j.Cut {
			time.AfterFunc(time.Duration(j.LaterMs)*time.Millisecond, func() { fmt.Println("POWER is cut") })
		}
	})
	h.began = j.Touched
	h.run(context.Background())
	whole := until(2*time.Minute, func() bool {
		mu.Lock()
		defer mu.Unlock()
		return strings.Join(game.UCI, " ") == strings.Join(j.Game, " ")
	})
	client.Disconnect(250)
	_ = cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("boardd ends with %w", err)
	}
	s, err := store.Read(data)
	if err != nil {
		return err
	}
	defer s.Close()
	report, err := s.Check()
	if err != nil {
		return err
	}
	for _, fault := range report.Faults {
		say("FAULT %s", fault)
	}
	for g, err := range s.Games(store.Which{}) {
		if err != nil {
			return err
		}
		say("GAME %s", strings.Join(g.UCI, " "))
	}
	if moved, _ := filepath.Glob(data + "/*damaged*"); len(moved) > 0 {
		say("FAULT %v", moved)
	}
	if !whole {
		return fmt.Errorf("the game is %v, %s games are kept", game.UCI, strconv.FormatInt(report.Games, 10))
	}
	return nil
}

// until waits for a condition.
func until(patience time.Duration, ok func() bool) bool {
	for deadline := time.Now().Add(patience); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			return false
		}
	}
	return true
}
