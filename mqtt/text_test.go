package mqtt

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
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
		{&game.Illegal{UCI: "e2e5", Article: "3.7", Reason: "of another version"}, "White may not play e2e5 (3.7)"},
		{&game.GameStart{StartFEN: standardFEN, White: named("Anna")}, "A game begins"},
		{&game.GameStart{StartFEN: "4k3/8/8/8/8/8/8/4K2R w - - 0 1", Moves: []string{"h1h2"}}, "A game begins from another position than the usual one, with 1 half-move made already"},
		{&game.Takeback{Reason: "board", Undone: []string{"e2e4", "e7e5"}}, "Taken back: e2e4 e7e5"},
		{&game.Takeback{Reason: "corrected", Undone: []string{"d2d3"}}, "What looked like d2d3 was something else"},
		{&game.PromotionPending{Square: 60}, "A pawn is on e8: what does it become?"},
		{&game.Doubt{Kind: "victim_ambiguous", Candidates: []game.Candidate{{SAN: []string{"dxc5"}}, {SAN: []string{"dxe5", "Kd7"}}}}, "It is not clear what was played: dxc5 or dxe5 Kd7?"},
		{&game.Doubt{Kind: "unheard of"}, "It is not clear what was played"},
		{&game.Doubt{Kind: "orientation"}, "Which way round does the board stand?"},
		{&game.Doubt{Kind: "setup"}, "Does a game begin from the position on the board?"},
		{&game.Resolved{UCI: []string{"d4e5"}}, "It is clear now: d4e5"},
		{&game.Resolved{}, "It is clear now"},
		{&game.Desync{Missing: []game.MissingMan{{Square: 12, Piece: "P"}, {Square: 58, Piece: "b"}}, Extra: []game.ExtraMan{{Square: 28, Symbol: "x"}}},
			"The pieces do not stand as the game has them; missing: white pawn on e2, black bishop on c8; too much: something on e4"},
		{&game.Desync{Extra: []game.ExtraMan{{Symbol: "w"}, {Symbol: "b"}, {Symbol: "Q"}}},
			"The pieces do not stand as the game has them; too much: something white on a1, something black on a1, white queen on a1"},
		{&game.Desync{Missing: make([]game.MissingMan, 5)}, "The pieces do not stand as the game has them; missing: 5 pieces"},
		{&game.ResultProposed{Result: "1/2-1/2", Reason: "kings"}, "The kings in the centre say it is a draw"},
		{&game.GameEnd{Result: "1-0", Reason: "checkmate"}, "White wins: checkmate"},
		{&game.GameEnd{Result: "1/2-1/2", Reason: "dead"}, "It is a draw: neither side can give mate"},
		{&game.GameEnd{Result: "1/2-1/2", Reason: "resign"}, "It is a draw: one side resigns, and the other cannot give mate"},
		{&game.GameEnd{Result: "*", Reason: "abandoned"}, "The game is abandoned"},
		{&game.GameEnd{Result: "0-1", Reason: "of_another version"}, "Black wins: of another version"},
		{&game.Check{By: rules.Black}, "Black gives check"},
		{&game.FlagFallen{By: rules.Black}, "The flag of Black has fallen"},
		{&game.IllegalStanding{By: rules.White, UCI: "a2a7", Reply: named("g7g6")}, "White has played a2a7, which is illegal, and it was answered with g7g6"},
		{&game.IllegalStanding{By: rules.Black, UCI: "a7a2"}, "Black has played a7a2, which is illegal, and the clock was pressed"},
		{&game.KingCaptured{By: rules.White, Square: 60}, "White has taken the king on e8, which no law allows"},
		{&game.SetUp{StartFEN: rules.StartFEN}, "Waiting for the start position"},
		{&game.SetUp{StartFEN: "8/8/8/8/8/8/8/8 w - - 0 1"}, "Waiting for the position 8/8/8/8/8/8/8/8 w - - 0 1"},
		{&game.SetUp{Refused: []string{"kings"}}, "No game begins here unless it is confirmed once more: there must be exactly one king a side"},
		{&game.Online{}, "The board is connected"},
		{&game.Offline{}, "The board is not connected"},
		{&game.LowBattery{Source: "clock"}, "The battery of the clock is low"},
		{&game.DrawOffer{By: rules.White}, "White offers a draw"},
		{&game.DrawDeclined{By: rules.Black, How: "move"}, "Black declines the draw by moving"},
		{&game.DrawDeclined{By: rules.Black, How: "command"}, "Black declines the draw"},
		{&game.DrawClaimable{Kind: "threefold"}, "A draw may be claimed: the same position for the third time"},
		{&game.DrawClaimable{Kind: "fifty"}, "A draw may be claimed: fifty moves without a capture or a pawn's move"},
		{&game.CommandDone{Verb: "new_game"}, "Command: new game"},
		{&game.CommandDone{Verb: "takeback", By: named("desk")}, "Command from desk: takeback"},
		{&game.WeakSquare{Square: 28, Kind: "flicker", Count: 3}, "The sensor of e4 flickers"},
		{&game.WeakSquare{Square: 28, Kind: "stuck", Count: 2}, "The sensor of e4 does not change"},
		{&game.WeakSquare{Square: 28, Kind: "never_seen", Count: 1}, "The piece on e4 is not seen: move it a little"},
		{&game.Resync{}, "The pieces stand as the game has them again"},
		{nil, ""},
	}
	tested := map[string]bool{}
	for _, test := range events {
		tested[strings.TrimPrefix(fmt.Sprintf("%T", test.body), "*game.")] = true
		if got := textOf(test.body); got != test.want {
			t.Errorf("%+v: %q, want %q", test.body, got, test.want)
		}
	}
	for _, kind := range bodies(t) {
		if !tested[kind] {
			t.Errorf("no text of game.%s is tested: every event says something to people", kind)
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
		{game.Snapshot{Online: true, Status: "finished", Game: &game.Record{Result: "1-0", Reason: "checkmate"}}, "White wins: checkmate"},
		{game.Snapshot{Online: true, Status: "setup"}, "Waiting for the start position"},
		{game.Snapshot{Online: true, Status: "playing", Turn: &black, DrawOffer: &black}, "Black offers a draw; Black to move"},
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

// bodies are the types of all events' bodies, read in their room.
func bodies(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob("../game/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	declared := regexp.MustCompile(`(?m)^func \(\*(\w+)\) event\(\)`)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range declared.FindAllSubmatch(text, -1) {
			names = append(names, string(m[1]))
		}
	}
	if len(names) < 20 {
		t.Fatal(names)
	}
	return names
}
