package chaos

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"
)

// commands are what was asked of boardd by id, so that it can be looked at whether each was done once.
type commands struct {
	mu  sync.Mutex
	ids map[string]string // board by id
	n   int
}

// next makes an id for a board.
func (c *commands) next(board string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ids == nil {
		c.ids = map[string]string{}
	}
	c.n++
	id := fmt.Sprintf("%s.%d", board, c.n)
	c.ids[id] = board
	return id
}

// check looks that no id was carried out twice.
func (c *commands) check(e *evening) {
	c.mu.Lock()
	defer c.mu.Unlock()
	done := map[string]int{}
	for _, tb := range e.tables {
		for _, ev := range e.recorder.story(tb.id) {
			if id := strings.Trim(string(ev.ID), `"`); ev.Type == "command" && id != "" && id != "null" {
				done[id]++
			}
		}
	}
	for id, n := range done {
		if n > 1 {
			e.t.Errorf("the command %s was carried out %d times", id, n)
		}
	}
}

// mischief is what comes in on command topics from somebody who means ill or knows no better.
var mischief = trouble{name: "commands", low: 300 * time.Millisecond, high: 2 * time.Second, before: func(e *evening) {
	// Nobody's wish of now: it lies at the broker, and would end the games.
	e.recorder.client.Publish(e.recorder.node+e.tables[0].id+"/cmd/resign", 1, true, `{"side":"white"}`).Wait()
	e.recorder.client.Publish(e.recorder.node+e.tables[0].id+"/cmd/lights", 1, true, make([]byte, 10<<20)).Wait()
	e.tally.note("commands: retained")
	e.tally.note("commands: retained, of 10 MB")
}, strike: func(e *evening, dice *rand.Rand) {
	tb := e.tables[dice.IntN(len(e.tables))]
	switch dice.IntN(4) {
	case 0:
		e.tally.note("commands: malformed")
		for _, m := range [][2]string{
			{"resign", "{"}, {"resign", `{"side":7}`}, {"takeback", `{"plies":-1}`}, {"takeback", "\xff\xfe"}, {"RESIGN", ""},
			{"resign", strings.Repeat("[", 4000)}, {"edit", `{"uci":["e2e4"]}`}, {"move/x", "e2e4"}, {"draw", "null"}, {"", ""},
		} {
			e.recorder.command(tb.id, m[0], m[1])
		}
		e.recorder.command("no-such-table", "resign", "")
	case 1:
		e.tally.note("commands: one of 10 MB")
		e.recorder.client.Publish(e.recorder.node+tb.id+"/cmd/lights", byte(dice.IntN(2)), false, make([]byte, 10<<20))
	case 2:
		e.tally.note("commands: 1000 within a second")
		for i := range 20 {
			for k := range 50 {
				e.recorder.client.Publish(e.recorder.node+tb.id+"/cmd/led_brightness", 0, false, fmt.Sprintf(`{"value":%d}`, (50*i+k)%101))
			}
			wait(50*time.Millisecond, e.over)
		}
	case 3:
		e.tally.note("commands: the same id again and again")
		id := e.commands.next(tb.id)
		for range 3 + dice.IntN(4) { // other troubles restart boardd between them
			e.recorder.command(tb.id, "led_brightness", fmt.Sprintf(`{"id":%q,"value":%d}`, id, 1+dice.IntN(100)))
			e.between(dice, 100*time.Millisecond, 1500*time.Millisecond)
		}
	}
}}

// duplicates asks by ids that were answered before boardd was killed.
var duplicates = trouble{name: "ids", low: time.Second, high: 4 * time.Second, strike: func(e *evening, dice *rand.Rand) { e.sameAnswer(dice) }}

// sameAnswer asks by the same id before and after a stop: the answer is the same, and nothing is done twice.
func (e *evening) sameAnswer(dice *rand.Rand) {
	tb := e.tables[dice.IntN(len(e.tables))]
	id := e.commands.next(tb.id)
	body := fmt.Sprintf(`{"id":%q,"value":%d}`, id, 1+dice.IntN(100))
	answers := func(among ...string) (n int) {
		e.recorder.mu.Lock()
		defer e.recorder.mu.Unlock()
		for _, r := range e.recorder.replies {
			var a struct{ ID, Status string }
			if json.Unmarshal([]byte(r), &a) == nil && a.ID == id && slices.Contains(among, a.Status) {
				n++
			}
		}
		return n
	}
	ask := func(among ...string) bool {
		asked := time.Time{}
		return eventually(e.t, "the command "+id+" is answered with "+strings.Join(among, " or "), time.Minute, func() bool {
			if time.Since(asked) > 3*time.Second { // the connection may just be away, or too much be asked
				asked = time.Now()
				e.recorder.command(tb.id, "led_brightness", body)
			}
			return answers(among...) > 0
		})
	}
	if !ask("ok", "duplicate") { // the first answer may be lost with the connection: answers are not kept
		return
	}
	e.kill(dice)
	if ask("duplicate") {
		e.tally.note("commands: the same id after a kill")
	}
}
