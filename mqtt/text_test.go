package mqtt

import (
	"testing"

	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/rules"
)

func TestText(t *testing.T) {
	t.Parallel()
	black := rules.Black
	events := []struct {
		body game.Body
		want string
	}{
		{&game.Moved{By: rules.White, SAN: "Qxf7#"}, "White plays Qxf7#"},
		{&game.Illegal{By: rules.White, UCI: "e1g1", Article: "3.8.2.2.1", Reason: "castling_out_of_check", Squares: []rules.Square{36}}, "White may not play e1g1: no castling out of check: the king is attacked from e5 (3.8.2.2.1)"},
		{&game.Illegal{By: rules.Black, UCI: "e8e6", Article: "3.8.1", Reason: "king_moves_one_square"}, "Black may not play e8e6: a king moves to an adjoining square (3.8.1)"},
		{&game.Illegal{Reason: "of another version"}, ""},
		{&game.WeakSquare{Square: 28, Kind: "flicker", Count: 3}, "The sensor of e4 flickers"},
		{&game.WeakSquare{Square: 28, Kind: "stuck", Count: 2}, "The sensor of e4 does not change"},
		{&game.WeakSquare{Square: 28, Kind: "never_seen", Count: 1}, "The piece on e4 is not seen: move it a little"},
		{&game.Resync{}, ""},
		{nil, ""},
	}
	for _, test := range events {
		if got := textOf(test.body); got != test.want {
			t.Errorf("%+v: %q, want %q", test.body, got, test.want)
		}
	}
	states := []struct {
		s    game.Snapshot
		want string
	}{
		{game.Snapshot{Status: "playing", Turn: &black}, "The board is not connected"},
		{game.Snapshot{Online: true, Status: "playing", Turn: &black}, "Black to move"},
		{game.Snapshot{Online: true, Status: "playing", Turn: &black, InCheck: true}, "Black to move, in check"},
		{game.Snapshot{Online: true, Status: "playing", Turn: &black, Pending: &game.Pending{Kind: "promotion"}}, "Waiting for the choice of a piece"},
		{game.Snapshot{Online: true, Status: "desync", Turn: &black}, "The pieces do not stand as the game has them"},
		{game.Snapshot{Online: true, Status: "finished", Game: &game.Record{Result: "1-0", Reason: "checkmate"}}, "1-0, checkmate"},
		{game.Snapshot{Online: true, Status: "setup"}, "Waiting for the start position"},
		{game.Snapshot{Online: true, Status: "idle"}, ""},
	}
	for _, test := range states {
		got := ""
		if s := stateText(&test.s); s != nil {
			got = *s
		}
		if got != test.want {
			t.Errorf("%+v: %q, want %q", test.s, got, test.want)
		}
	}
	if got := string(withText([]byte(`{"v":1}`), `a "b"`)); got != `{"v":1,"text":"a \"b\""}` {
		t.Error(got)
	}
}
