package chaos

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/boardd/boardd/ctl"
)

// person sits beside a board and answers what it asks: which of several orders of moves was played. Meanwhile the hands rest.
type person struct {
	e    *evening
	tb   *table
	seen int64 // the last event
	game int   // games begun so far
	open *doubt
}

// doubt is a question that is not answered yet.
type doubt struct {
	ID         int64
	Candidates []struct{ UCI []string }
	Ply        int
}

// look hears what has happened, and answers what is asked, until the evening is over.
func (p *person) look() {
	for p.e.between(nil, 100*time.Millisecond, 0) {
		p.hear()
		if p.open != nil {
			p.answer()
		}
	}
}

// hear asks boardd for new events by its socket; there is nobody while it is being started again.
func (p *person) hear() {
	p.ask(fmt.Sprintf(`{"verb":"events","board":%q,"since":%d}`, p.tb.id, p.seen), func(key string, value json.RawMessage) {
		var ev struct {
			event
			doubt
		}
		if key != "event" || json.Unmarshal(value, &ev) != nil || ev.event.Seq <= p.seen {
			return
		}
		p.seen = ev.event.Seq
		switch ev.Type {
		case "game_start":
			p.game++
		case "doubt":
			var d doubt
			if json.Unmarshal(value, &d) == nil {
				p.open = &d
			}
		case "resolved":
			p.open = nil
		}
	})
}

func (p *person) ask(request string, each func(string, json.RawMessage)) (status string) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	r, err := ctl.Ask(ctx, []string{p.e.socket}, []byte(request), func(key string, value json.RawMessage) error {
		each(key, value)
		return nil
	})
	if err != nil {
		return ""
	}
	return r.Status
}

// answer says what was played.
func (p *person) answer() {
	p.e.killing.Lock()
	defer p.e.killing.Unlock()
	p.tb.hands.pause(true)
	p.tb.hands.calm()
	defer p.tb.hands.goOn()
	p.e.answered.Add(1)
	for range 50 {
		if p.hear(); p.open == nil {
			return
		}
		if n := p.played(); n >= 0 && p.ask(fmt.Sprintf(`{"verb":"choose","board":%q,"doubt":%d,"n":%d}`, p.tb.id, p.open.ID, n), func(string, json.RawMessage) {}) == "ok" {
			p.open = nil
			return
		}
		wait(100*time.Millisecond, p.e.over)
	}
	p.e.tally.note("what boardd asks cannot be answered")
}

// played is the candidate that the hands have played, the longest; -1 for none.
func (p *person) played() (best int) {
	best = -1
	done := p.tb.hands.completed()
	for i, g := range p.tb.hands.match.games {
		if i < p.game-1 {
			done -= len(g)
			continue
		}
		line := g[:max(0, min(done, len(g)))]
		longest := -1
		for n, c := range p.open.Candidates {
			for base := p.open.Ply; base >= 0 && base >= p.open.Ply-2; base-- {
				if len(c.UCI) > longest && base+len(c.UCI) <= len(line) && slices.Equal(line[base:base+len(c.UCI)], c.UCI) {
					best, longest = n, len(c.UCI)
				}
			}
		}
		break
	}
	return best
}

// failing reports that boardd's disk had failed when it last said something of it: what it says then is kept nowhere.
func (d *process) failing() bool {
	log := d.log.String()
	return strings.LastIndex(log, "the disk does not take events") > max(strings.LastIndex(log, "the disk takes events again"), strings.LastIndex(log, "boardd runs"))
}
