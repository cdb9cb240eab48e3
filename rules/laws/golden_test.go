package laws

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/rules"
)

var update = flag.Bool("update", false, "write the golden files")

// TestGolden shows every sentence, for whoever knows the language to read: testdata/laws.<tag>.golden.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, l := range languages {
		name := "testdata/laws." + l.String() + ".golden"
		got := all(l)
		if *update {
			if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s is not what is said now (go test -update writes it)\n%s", name, difference(got, string(want)))
		}
	}
}

// difference is the first line in which two texts differ.
func difference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d:\ngot  %s\nwant %s", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(a), len(b))
}

// all is everything that a language says: moves by pieces, then what doors publish, then every sentence of the table.
func all(l *Language) string {
	var b strings.Builder
	section := func(name string) { fmt.Fprintf(&b, "\n# %s\n", name) }
	line := func(what, text string) { fmt.Fprintf(&b, "%-42s %s\n", what, text) }

	fmt.Fprintf(&b, "# All that boardd says in %s. Written by go test ./rules/laws -update, read by people.\n", l)
	section("moves")
	for _, r := range pieces {
		ply := Ply{Role: r, From: rules.NewSquare(6, 0), To: rules.NewSquare(5, 2)}
		line(r.String(), l.Move(ply))
		if r != rules.King {
			ply.Role, ply.Captured, ply.Check = rules.Knight, r, true
			line("knight captures "+r.String(), l.Move(ply))
		}
		if r != rules.King && r != rules.Pawn {
			line("promotion to "+r.String(), l.Move(Ply{Role: rules.Pawn, From: rules.NewSquare(1, 6), To: rules.NewSquare(1, 7), Promotion: r, Check: true, Mate: true}))
		}
	}
	line("castling short", l.Move(Ply{Role: rules.King, Castling: true, Kingside: true}))
	line("castling long", l.Move(Ply{Role: rules.King, Castling: true, Check: true}))
	line("en passant", l.Move(Ply{Role: rules.Pawn, From: rules.NewSquare(4, 4), To: rules.NewSquare(3, 5), Captured: rules.Pawn, EnPassant: true}))

	section("verdicts")
	p, err := rules.ParsePosition("4k3/8/8/1b6/4r3/8/2P5/RN1QK3 w - - 0 1", rules.Standard)
	if err != nil {
		return err.Error()
	}
	for _, r := range reasons() {
		e4, b5 := rules.NewSquare(4, 3), rules.NewSquare(1, 4)
		line(r.String(), l.Cause(rules.Cause{Reason: r, Squares: []rules.Square{e4}}, nil))
		if l.Cause(rules.Cause{Reason: r, Squares: []rules.Square{e4}}, &p) != l.Cause(rules.Cause{Reason: r, Squares: []rules.Square{e4}}, nil) {
			line("  attackers known", l.Cause(rules.Cause{Reason: r, Squares: []rules.Square{e4, b5}}, &p))
		}
	}
	line("ways out of check", l.Ways(rules.EscapeMove|rules.EscapeCapture|rules.EscapeInterpose))

	section("ends")
	for _, reason := range keys(l, "end.") {
		for _, result := range endings[reason] {
			line(reason, l.End(result, reason))
		}
	}

	section("positions")
	for _, p := range positions {
		for _, text := range l.Position(p) {
			b.WriteString(text + "\n")
		}
		b.WriteByte('\n')
	}

	section("events")
	for _, e := range events {
		text, err := l.Event([]byte(e))
		if err != nil {
			text = err.Error()
		}
		fmt.Fprintf(&b, "%s\n    %s\n", e, text)
	}

	section("sentences")
	for _, key := range slices.Sorted(maps.Keys(l.say)) {
		text, err := l.fill(l.say[key], samples(rules.Rook, rules.Black, rules.NewSquare(4, 3), 2))
		if err != nil {
			text = err.Error()
		}
		line(key, text)
	}
	return b.String()
}

// positions say together all that is said of positions.
var positions = []Position{
	{Turn: rules.White, Faults: []rules.Fault{{Code: "kings", Article: "3.10.3"}}},
	{Turn: rules.White, Kings: true, Count: 3, Claim: rules.Threefold, CanMate: [2]rules.Answer{rules.Yes, rules.Unknown}, Moves: []string{"e2e4"}},
	{Turn: rules.Black, Kings: true, Count: 1, Checkers: []rules.Square{rules.NewSquare(4, 3)}, CanMate: [2]rules.Answer{rules.Yes, rules.No}, Moves: []string{"a2a3", "a2a4", "h2h3"}},
	{Turn: rules.Black, Kings: true, Count: 1, Checkers: []rules.Square{rules.NewSquare(4, 6)}, Outcome: rules.Checkmated, CanMate: [2]rules.Answer{rules.Yes, rules.Yes}},
	{Turn: rules.White, Kings: true, Count: 5, Outcome: rules.Fivefold, Claim: rules.Threefold, CanMate: [2]rules.Answer{rules.Yes, rules.Yes}, Moves: []string{"g1f3"}},
}

// endings are the results with which each reason is told.
var endings = map[string][]string{
	"checkmate": {"1-0", "0-1"}, "resign": {"1-0", "1/2-1/2"}, "flag": {"0-1"}, "forfeit": {"0-1"}, "flag_draw": {"1/2-1/2"},
	"stalemate": {"1/2-1/2"}, "dead": {"1/2-1/2"}, "fivefold": {"1/2-1/2"}, "75moves": {"1/2-1/2"}, "threefold": {"1/2-1/2"},
	"fifty": {"1/2-1/2"}, "agreement": {"1/2-1/2"}, "arbiter": {"1-0", "1/2-1/2"}, "kings": {"1-0", "1/2-1/2"}, "abandoned": {"*"},
	"other": {"0-1"},
}

func keys(l *Language, group string) (list []string) {
	for _, key := range slices.Sorted(maps.Keys(l.say)) {
		if code, ok := strings.CutPrefix(key, group); ok {
			list = append(list, code)
		}
	}
	return list
}

// events are one of each kind, and seeds for the fuzzer.
var events = []string{
	`{"type":"game_start","start_fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","white":"Anna"}`,
	`{"type":"game_start","start_fen":"4k3/8/8/8/8/8/8/4K2R w - - 0 1","moves":["h1h2","e8e7"]}`,
	`{"type":"move","by":"white","uci":"g1f3","san":"Nf3","captured":null}`,
	`{"type":"move","by":"black","uci":"e5d4","san":"exd4","captured":"n"}`,
	`{"type":"move","by":"white","uci":"f3f7","san":"Qxf7#","captured":"p","check":true,"mate":true}`,
	`{"type":"move","by":"white","uci":"e5d6","san":"exd6","captured":"p","en_passant":true}`,
	`{"type":"move","by":"black","uci":"b2a1n","san":"bxa1=N+","captured":"r","check":true}`,
	`{"type":"move","by":"white","uci":"e1h1","san":"O-O"}`,
	`{"type":"move","by":"black","uci":"e8c8","san":"O-O-O+","check":true}`,
	`{"type":"move","by":"white","uci":"?","san":"??"}`,
	`{"type":"takeback","reason":"board","undone":["e2e4","e7e5"]}`,
	`{"type":"takeback","reason":"corrected","undone":["d2d3"]}`,
	`{"type":"takeback","reason":"command","undone":["e2e4","e7e5","g1f3","b8c6","f1b5","a7a6","b5a4"]}`,
	`{"type":"illegal_move","by":"white","uci":"e1g1","article":"3.8.2.2.1","reason":"castling_out_of_check","squares":["e5"]}`,
	`{"type":"illegal_move","by":"black","uci":"e2e5","article":"3.7","reason":"of another version","squares":[]}`,
	`{"type":"promotion_pending","square":"e8","choices":["queen","rook","bishop","knight"]}`,
	`{"type":"doubt","kind":"victim_ambiguous","candidates":[{"san":["dxc5"]},{"san":["dxe5","Kd7"]},{"san":["O-O"]}]}`,
	`{"type":"doubt","kind":"orientation"}`,
	`{"type":"doubt","kind":"setup"}`,
	`{"type":"doubt","kind":"source_ambiguous"}`,
	`{"type":"resolved","uci":["d4e5"]}`,
	`{"type":"resolved","uci":null}`,
	`{"type":"desync","missing":[{"square":"e2","piece":"P"},{"square":"c8","piece":"b"}],"extra":[{"square":"e4","symbol":"x"},{"square":"a1","symbol":"w"},{"square":"h8","symbol":"b"},{"square":"d8","symbol":"Q"}]}`,
	`{"type":"desync","missing":[{},{},{},{},{}],"extra":[]}`,
	`{"type":"resync"}`,
	`{"type":"touch_move","square":"g1","must":["g1f3","g1h3"],"mode":"advise"}`,
	`{"type":"touch_move","square":"d5","must":["e4d5","c3d5"],"mode":"advise"}`,
	`{"type":"touch_move","square":"d5","square2":"e4","must":["e4d5"],"mode":"strict"}`,
	`{"type":"touch_move","square":"a1","must":[],"mode":"strict"}`,
	`{"type":"draw_offer","by":"white"}`,
	`{"type":"draw_declined","by":"black","how":"move"}`,
	`{"type":"draw_declined","by":"white","how":"command"}`,
	`{"type":"draw_claimable","kind":"threefold"}`,
	`{"type":"draw_claimable","kind":"fifty"}`,
	`{"type":"result_proposed","result":"1/2-1/2","reason":"kings"}`,
	`{"type":"game_end","result":"1-0","reason":"checkmate"}`,
	`{"type":"game_end","result":"1/2-1/2","reason":"resign"}`,
	`{"type":"game_end","result":"*","reason":"abandoned"}`,
	`{"type":"check","by":"white","king":"e8","checkers":["e1"]}`,
	`{"type":"flag_fallen","by":"black"}`,
	`{"type":"illegal_standing","by":"white","uci":"a2a7","reply":"g7g6"}`,
	`{"type":"illegal_standing","by":"black","uci":"a7a2","reply":null}`,
	`{"type":"king_captured","by":"white","uci":"e2e8","square":"e8"}`,
	`{"type":"setup","start_fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}`,
	`{"type":"setup","start_fen":"8/8/8/8/8/8/8/8 w - - 0 1"}`,
	`{"type":"setup","start_fen":"8/8/8/8/8/8/8/8 w - - 0 1","refused":["kings"]}`,
	`{"type":"setup","start_fen":"8/8/8/8/8/8/8/8 w - - 0 1","refused":["of another version"]}`,
	`{"type":"board_online"}`,
	`{"type":"board_offline"}`,
	`{"type":"low_battery","source":"clock"}`,
	`{"type":"low_battery","source":"board"}`,
	`{"type":"weak_square","square":"e4","kind":"flicker","count":3}`,
	`{"type":"weak_square","square":"e4","kind":"stuck","count":2}`,
	`{"type":"weak_square","square":"e4","kind":"never_seen","count":1}`,
	`{"type":"command","verb":"new_game","id":null,"by":null}`,
	`{"type":"command","verb":"takeback","by":"desk"}`,
}

// TestEventsOfOtherVersions: what is not known says nothing or little, and never fails but for what is no event.
func TestEventsOfOtherVersions(t *testing.T) {
	t.Parallel()
	for object, want := range map[string]string{
		`{"type":"tea_time"}`: "",
		`{}`:                  "",
		`{"type":"move","by":"white","uci":[],"san":"e4"}`:   "White: e4",
		`{"type":"doubt","kind":"new","candidates":[{},{}]}`: "It is not clear what was played",
	} {
		if got, err := english.Event([]byte(object)); got != want || err != nil {
			t.Errorf("%s: %q, %v; want %q", object, got, err, want)
		}
	}
	for _, object := range []string{``, `[]`, `{"type":7}`, `{"type":"move","uci":{}}`} {
		if text, err := english.Event([]byte(object)); err == nil {
			t.Errorf("%s is no event: %q", object, text)
		}
	}
}

// TestForeignNames: what a client calls itself cannot turn the rest of a sentence round.
func TestForeignNames(t *testing.T) {
	t.Parallel()
	text, err := persian.Event([]byte(`{"type":"command","verb":"takeback","by":"a\u2068b\u202ec"}`))
	if want := "فرمان از \u2068abc\u2069: \u2068takeback\u2069"; err != nil || text != want {
		t.Errorf("%q, %v; want %q", text, err, want)
	}
}

// FuzzEvent: any JSON is told or refused, in every language, and no sentence has a fault of the tables in it.
func FuzzEvent(f *testing.F) {
	for _, e := range events {
		f.Add([]byte(e))
	}
	f.Fuzz(func(t *testing.T, object []byte) {
		for _, l := range languages {
			text, err := l.Event(object)
			if err == nil && (strings.Contains(text, "["+l.String()+" ") || strings.Count(text, "\u2068") < strings.Count(text, "\u2069") && l.rtl) {
				t.Errorf("%s: %q", l, text)
			}
		}
	})
}
