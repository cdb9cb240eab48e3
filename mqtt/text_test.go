package mqtt

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/rules/laws"
)

func TestText(t *testing.T) {
	t.Parallel()
	black := rules.Black
	english, _ := laws.Match("en")
	events := []struct {
		body game.Body
		want string
	}{
		{&game.Moved{By: rules.White, UCI: "f3f7", SAN: "Qxf7#", Captured: named("p"), Check: true, Mate: true}, "White: queen from f3 to f7, captures the pawn, checkmate"},
		{&game.Moved{By: rules.Black, UCI: "e8c8", SAN: "O-O-O"}, "Black: castles queenside"},
		{&game.Moved{By: rules.White, UCI: "e5d6", SAN: "exd6", Captured: named("p"), EnPassant: true}, "White: pawn from e5 to d6, captures the pawn en passant"},
		{&game.Moved{By: rules.White, UCI: "a7a8n", SAN: "a8=N+", Check: true}, "White: pawn from a7 to a8, becomes a knight, check"},
		{&game.Illegal{By: rules.White, UCI: "e1g1", Article: "3.8.2.2.1", Reason: "castling_out_of_check", Squares: []rules.Square{36}}, "White may not move from e1 to g1: no castling out of check (attack from e5), article 3.8.2.2.1"},
		{&game.Illegal{By: rules.Black, UCI: "e8e6", Article: "3.8.1", Reason: "king_moves_one_square"}, "Black may not move from e8 to e6: a king moves to an adjoining square, article 3.8.1"},
		{&game.Illegal{UCI: "e2e5", Article: "3.7", Reason: "of another version"}, "White may not move from e2 to e5: the laws do not allow it, article 3.7"},
		{&game.GameStart{StartFEN: standardFEN, White: named("Anna")}, "A game begins"},
		{&game.GameStart{StartFEN: "4k3/8/8/8/8/8/8/4K2R w - - 0 1", Moves: []string{"h1h2"}}, "A game begins from another position than the usual one, with 1 half-move made already"},
		{&game.Takeback{Reason: "board", Undone: []string{"e2e4", "e7e5"}}, "Taken back: e2e4 e7e5"},
		{&game.Takeback{Reason: "corrected", Undone: []string{"d2d3"}}, "What looked like d2d3 was something else"},
		{&game.PromotionPending{Square: 60}, "A pawn is on e8: promote it to a queen, a rook, a bishop or a knight?"},
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
		{&game.ResultProposed{Result: "1/2-1/2", Reason: "kings"}, "The kings in the centre say: it is a draw"},
		{&game.GameEnd{Result: "1-0", Reason: "checkmate"}, "White wins: checkmate"},
		{&game.GameEnd{Result: "1/2-1/2", Reason: "dead"}, "It is a draw: neither side can give mate"},
		{&game.GameEnd{Result: "1/2-1/2", Reason: "resign"}, "It is a draw: one side resigns, and the other cannot give mate"},
		{&game.GameEnd{Result: "*", Reason: "abandoned"}, "The game is abandoned"},
		{&game.GameEnd{Result: "0-1", Reason: "of_another version"}, "Black wins: the game is over"},
		{&game.Check{By: rules.Black}, "Black gives check"},
		{&game.FlagFallen{By: rules.Black}, "The flag of Black has fallen"},
		{&game.IllegalStanding{By: rules.White, UCI: "a2a7", Reply: named("g7g6")}, "White has made an illegal move from a2 to a7, and the answer was from g7 to g6"},
		{&game.IllegalStanding{By: rules.Black, UCI: "a7a2"}, "Black has made an illegal move from a7 to a2 and pressed the clock"},
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
	}
	tested := map[string]bool{}
	for _, test := range events {
		tested[strings.TrimPrefix(fmt.Sprintf("%T", test.body), "*game.")] = true
		if got := textOf(t, test.body, "en"); got != test.want {
			t.Errorf("%+v: %q, want %q", test.body, got, test.want)
		}
		for _, tag := range laws.Tags() {
			if textOf(t, test.body, tag) == "" {
				t.Errorf("%+v says nothing in %s", test.body, tag)
			}
		}
	}
	for kind := range eventTypes(t) {
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
		{game.Snapshot{Online: true, Status: "playing", Turn: &black, Pending: &game.Pending{Kind: "promotion", Squares: []rules.Square{60}}}, "Waiting for the choice of a piece on e8"},
		{game.Snapshot{Online: true, Status: "desync", Turn: &black}, "The pieces do not stand as the game has them"},
		{game.Snapshot{Online: true, Status: "finished", Game: &game.Record{Result: "1-0", Reason: "checkmate"}}, "White wins: checkmate"},
		{game.Snapshot{Online: true, Status: "setup"}, "Waiting for the start position"},
		{game.Snapshot{Online: true, Status: "playing", Turn: &black, DrawOffer: &black}, "Black offers a draw; Black to move"},
		{game.Snapshot{Online: true, Status: "idle"}, ""},
	}
	for _, test := range states {
		got := ""
		if s := stateText(&test.s, english); s != nil {
			got = *s
		}
		if got != test.want {
			t.Errorf("%+v: %q, want %q", test.s, got, test.want)
		}
	}
	for object, want := range map[string]string{
		`{"type":"resync"}`:                        `{"type":"resync","text":"The pieces stand as the game has them again"}`,
		`{"type":"command","verb":"a \"b\""}`:      `{"type":"command","verb":"a \"b\"","text":"Command: a \"b\""}`,
		`{"type":"of another version"}`:            `{"type":"of another version"}`,
		`{"type":"weak_square","square":{"a":[]}}`: `{"type":"weak_square","square":{"a":[]}}`,
	} {
		if got := string(withText([]byte(object), english)); got != want {
			t.Error(got)
		}
	}
}

// TestLanguageOfEachBoard: the texts of a board are in its language, those of one that nobody has named in English.
func TestLanguageOfEachBoard(t *testing.T) {
	t.Parallel()
	d, err := New(Options{
		URL: "mqtt://broker", Node: "club", ClientID: "x", Languages: map[string]string{"spanish": "es", "farsi": "fa-IR"},
	}, newScripted("spanish", "farsi", "other"))
	if err != nil {
		t.Fatal(err)
	}
	white := rules.White
	for board, want := range map[string][2]string{
		"spanish": {"Ganan las blancas: jaque mate", "Juegan las blancas"},
		"farsi":   {"سفید می‌برد: کیش‌ومات", "نوبت سفید است"},
		"other":   {"White wins: checkmate", "White to move"},
	} {
		e := game.StampedEvent{Event: game.Event{Type: "game_end", Body: &game.GameEnd{Result: "1-0", Reason: "checkmate"}}, Board: board, Epoch: testEpoch}
		event, err := d.eventOf(&e)
		if err != nil {
			t.Fatal(err)
		}
		state := d.stateOf(game.StampedSnapshot{Snapshot: &game.Snapshot{Online: true, Status: "playing", Turn: &white}, Board: board, Epoch: testEpoch})
		for i, object := range [][]byte{event, state} {
			var said struct{ Text string }
			if err := json.Unmarshal(object, &said); err != nil || said.Text != want[i] {
				t.Errorf("%s says %q, %v; want %q", board, said.Text, err, want[i])
			}
		}
	}
}

// textOf is the text of an event as it is published.
func textOf(t *testing.T, body game.Body, language string) string {
	t.Helper()
	d, err := New(Options{
		URL: "mqtt://broker", Node: "club", ClientID: "x", Languages: map[string]string{"table-07": language},
	}, newScripted("table-07"))
	if err != nil {
		t.Fatal(err)
	}
	name := eventTypes(t)[strings.TrimPrefix(fmt.Sprintf("%T", body), "*game.")]
	object, err := d.eventOf(&game.StampedEvent{Event: game.Event{Seq: 1, Type: name, Body: body}, Board: "table-07", Epoch: testEpoch})
	if err != nil {
		t.Fatal(err)
	}
	var said struct{ Text string }
	if err := json.Unmarshal(object, &said); err != nil {
		t.Fatal(err)
	}
	return said.Text
}

// eventTypes are the types of all events by the type of their body, read in their room.
var eventTypes = func() func(t *testing.T) map[string]string {
	read := sync.OnceValues(func() (map[string]string, error) {
		names := map[string]string{}
		files, err := filepath.Glob("../game/*.go")
		if err != nil {
			return nil, err
		}
		declared := regexp.MustCompile(`(?m)^func \(\*(\w+)\) event\(\) string\s*\{ return "(\w+)" \}`)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			for _, m := range declared.FindAllSubmatch(text, -1) {
				names[string(m[1])] = string(m[2])
			}
		}
		return names, nil
	})
	return func(t *testing.T) map[string]string {
		t.Helper()
		names, err := read()
		if err != nil || len(names) < 20 {
			t.Fatal(names, err)
		}
		return names
	}
}()
