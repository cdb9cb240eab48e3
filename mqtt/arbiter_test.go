package mqtt

import (
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/commands"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/rules"
)

// What is for the arbiter's eyes stands on no other topic, and each of the two has a numbering of its own, without a gap.
func TestArbiterTopic(t *testing.T) {
	eachBroker(t, func(t *testing.T, s *station) {
		f := newScripted("table-07")
		const own = "table-07/arbiter"
		white := rules.White
		watched := &game.Snapshot{
			Status: "desync", Mode: game.Observer, FEN: "4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", InCheck: true, Turn: &white, Online: true, DefaultPromotion: "queen",
			Pending: &game.Pending{Kind: "doubt", Squares: []rules.Square{4}}, Game: &game.Record{ID: "g1", Variant: "standard", Result: "*"},
		}
		f.shuffle("table-07", 1)
		f.say(own, "illegal_move", &game.Illegal{UCI: "e1e5", By: white, Article: "3.8.1", FIDE: "3.8.1", Reason: "king_moves_one_square", Squares: []rules.Square{36}, Others: []game.Cause{}, Touched: []rules.Square{4}}, nil)
		f.say(own, "desync", &game.Desync{Missing: []game.MissingMan{}, Extra: []game.ExtraMan{}}, nil)
		f.say("table-07", "resync", &game.Resync{}, watched)
		f.say(own, "command", &game.CommandDone{Verb: "accept"}, nil)
		f.show("table-07", &game.View{T: 5, Mode: game.Observer, Placement: board.EmptyPicture(), DoubtID: 3, Pending: watched.Pending})
		w := watch(t, s.url, s.user, s.pass, "boardd/v1/club/#")
		o := s.door
		o.Commands = "safe"
		p := openDoor(t, f, o)
		eventually(t, "all is delivered", func() bool { return f.ackedUpTo("table-07") == 2 && f.ackedUpTo(own) == 3 })
		eventually(t, "heard", func() bool {
			return len(w.all(fakeBase+"table-07/event")) == 2 && len(w.all(fakeBase+own)) == 3 && w.last(fakeBase+"table-07/live") != "" && w.last(fakeBase+"table-07/state") != ""
		})
		checkSeqs(t, w.seqs(t, fakeBase+own), 3)
		checkSeqs(t, w.seqs(t, fakeBase+"table-07/event"), 2)
		for _, m := range w.all(fakeBase + own) {
			if !strings.Contains(m.body, `"board":"table-07"`) || !strings.Contains(m.body, `"arbiter":true`) || m.retained || m.qos != 1 {
				t.Errorf("%+v", m)
			}
		}
		state, live := w.last(fakeBase+"table-07/state"), w.last(fakeBase+"table-07/live")
		if !strings.Contains(state, `"status":"playing"`) || !strings.Contains(state, `"pending":null`) || strings.Contains(state, "check!") || strings.Contains(strings.ToLower(saidIn(state)), "check") {
			t.Errorf("state %s", state)
		}
		if !strings.Contains(live, `"pending":null`) || !strings.Contains(live, `"doubt":null`) {
			t.Errorf("live %s", live)
		}
		if got := w.ask(t, "table-07/", "resend", `{"id":"r","from":1}`); !strings.Contains(got, "2 events") {
			t.Errorf("sent again: %s", got)
		}
		for _, m := range w.all(fakeBase + "table-07/resend") {
			if strings.Contains(m.body, "illegal_move") {
				t.Errorf("sent again: %s", m.body)
			}
		}
		if no := p.admit(p.lanes["table-07"], message{board: "table-07"}, &commands.Request{Command: board.Command{Verb: "promotion"}}); no == nil {
			t.Error("players may answer what only the arbiter was asked")
		}
	})
}

func saidIn(state string) string {
	_, rest, _ := strings.Cut(state, `"text":"`)
	text, _, _ := strings.Cut(rest, `"`)
	return text
}
