package commands

import (
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/boardd/boardd/board"
)

func ptr(n int64) *int64 { return &n }

func TestDecode(t *testing.T) {
	t.Parallel()
	seq := int64(1843)
	tests := []struct {
		name, verb, payload string
		want                Request
		code                string
	}{
		{"nothing", "flip", "", Request{}, ""},
		{"white space", "flip", " \n", Request{}, ""},
		{"empty object", "flip", "{}", Request{}, ""},
		{"all the common keys", "takeback", `{"id":"ha-9f31","game":"g1","if_seq":1843,"plies":2,"by":"arbiter"}`, Request{Command: board.Command{ID: "ha-9f31", Game: "g1", IfSeq: &seq, Plies: 2, By: "arbiter"}}, ""},
		{"new game", "new_game", `{"white":"Anna","black":"Ben","time_control":"900+10","start_fen":"8/8/8/8/8/8/8/K1k5 w - - 0 1","variant":"chess960","force":true}`, Request{Command: board.Command{White: "Anna", Black: "Ben", TimeControl: "900+10", StartFEN: "8/8/8/8/8/8/8/K1k5 w - - 0 1", Variant: "chess960", Force: true}}, ""},
		{"promotion", "promotion", `{"piece":"knight"}`, Request{Command: board.Command{Piece: "knight"}}, ""},
		{"choose", "choose", `{"doubt":7,"n":1}`, Request{Command: board.Command{Doubt: 7, N: 1}}, ""},
		{"draw", "draw", `{"side":"black","action":"accept"}`, Request{Command: board.Command{Side: "black", Action: "accept"}}, ""},
		{"flip", "flip", `{"orientation":"black"}`, Request{Command: board.Command{Orientation: "black"}}, ""},
		{"resend", "resend", `{"from":10,"max":500}`, Request{From: 10, Max: 500}, ""},
		{"brightness", "led_brightness", `{"value":100}`, Request{Command: board.Command{Value: new(int(100))}}, ""},
		{"lights off", "lights", `{"on":false}`, Request{Command: board.Command{On: new(bool)}}, ""},
		{"result", "result", `{"value":"1-0","reason":"forfeit"}`, Request{Command: board.Command{Result: "1-0", Reason: "forfeit"}}, ""},
		{"edit", "edit", `{"from_ply":3,"uci":["e2e4","a7a8q"]}`, Request{Command: board.Command{FromPly: 3, UCI: board.Plies{"e2e4", "a7a8q"}}}, ""},
		{"edit to nothing", "edit", `{"from_ply":3,"uci":[]}`, Request{Command: board.Command{FromPly: 3}}, ""},
		{"claim", "claim", `{"side":"white","kind":"fifty","uci":"a1a2"}`, Request{Command: board.Command{Side: "white", Kind: "fifty", UCI: board.Plies{"a1a2"}}}, ""},
		{"accept", "accept", `{"seq":7}`, Request{Command: board.Command{Seq: 7}}, ""},
		{"truncate", "truncate", `{"ply":0,"result":"*"}`, Request{Command: board.Command{Ply: new(int), Result: "*"}}, ""},
		{"names", "names", `{"white":"Anna","event":"Open","site":"Ghent","round":"3","table":"7"}`, Request{Command: board.Command{White: "Anna", Event: "Open", Site: "Ghent", Round: "3", Table: "7"}}, ""},
		{"clock", "clock_set", `{"white_ms":0,"add_ms":-60000,"side":"black"}`, Request{Command: board.Command{WhiteMs: new(int64), AddMs: ptr(-60000), Side: "black"}}, ""},
		{"mode", "mode", `{"mode":"observer"}`, Request{Command: board.Command{Mode: "observer"}}, ""},
		{"setup", "setup", `{"fen":"8/8/8/8/8/8/8/K1k5 w - - 0 1"}`, Request{Command: board.Command{FEN: "8/8/8/8/8/8/8/K1k5 w - - 0 1"}}, ""},
		{"null is absent", "takeback", `{"id":null,"plies":null}`, Request{}, ""},
		{"unknown keys are ignored", "flip", `{"retain":[1,{"x":2}],"ID":"no"}`, Request{}, ""},
		{"the verb is the topic's", "flip", `{"verb":"resign"}`, Request{}, ""},
		{"a name's control characters are dropped", "new_game", `{"white":" An\u0007na\n"}`, Request{Command: board.Command{White: "Anna"}}, ""},
		{"64 runes in a name", "new_game", `{"white":"` + strings.Repeat("ä", 64) + `"}`, Request{Command: board.Command{White: strings.Repeat("ä", 64)}}, ""},
		{"4096 bytes", "flip", "{" + strings.Repeat(" ", 4094) + "}", Request{}, ""},

		{"65 runes in a name", "new_game", `{"white":"` + strings.Repeat("ä", 65) + `"}`, Request{}, BadValue},
		{"4097 bytes", "flip", "{" + strings.Repeat(" ", 4095) + "}", Request{}, TooLarge},
		{"not JSON", "flip", "PRESS", Request{}, BadJSON},
		{"cut off", "flip", `{"id":"x"`, Request{}, BadJSON},
		{"two objects", "flip", `{}{}`, Request{}, BadJSON},
		{"a list", "flip", `[]`, Request{}, BadJSON},
		{"a number", "flip", `1`, Request{}, BadJSON},
		{"null", "flip", `null`, Request{}, BadJSON},
		{"not UTF-8", "flip", "{\"id\":\"\xff\"}", Request{}, BadJSON},
		{"deep nesting", "flip", strings.Repeat(`{"a":`, 600) + "1" + strings.Repeat("}", 600), Request{}, ""},
		{"deep and open", "flip", strings.Repeat(`[`, 4000), Request{}, BadJSON},
		{"id too long", "flip", `{"id":"` + strings.Repeat("a", 41) + `"}`, Request{}, BadValue},
		{"id with a space", "flip", `{"id":"a b"}`, Request{}, BadValue},
		{"id is a number", "flip", `{"id":7}`, Request{}, BadValue},
		{"the id is kept when another key is bad", "takeback", `{"plies":21,"id":"x1"}`, Request{Command: board.Command{ID: "x1"}}, BadValue},
		{"plies 0", "takeback", `{"plies":0}`, Request{}, BadValue},
		{"plies 1.5", "takeback", `{"plies":1.5}`, Request{}, BadValue},
		{"plies as text", "takeback", `{"plies":"1"}`, Request{}, BadValue},
		{"plies huge", "takeback", `{"plies":99999999999999999999}`, Request{}, BadValue},
		{"if_seq negative", "takeback", `{"if_seq":-1}`, Request{}, BadValue},
		{"piece king", "promotion", `{"piece":"king"}`, Request{}, BadValue},
		{"piece in capitals", "promotion", `{"piece":"Queen"}`, Request{}, BadValue},
		{"side green", "resign", `{"side":"green"}`, Request{}, BadValue},
		{"action other", "draw", `{"action":"ask"}`, Request{}, BadValue},
		{"force 1", "new_game", `{"force":1}`, Request{}, BadValue},
		{"value 101", "led_brightness", `{"value":101}`, Request{}, BadValue},
		{"variant other", "new_game", `{"variant":"atomic"}`, Request{}, BadValue},
		{"FEN too long", "new_game", `{"start_fen":"` + strings.Repeat("8", 101) + `"}`, Request{}, BadValue},
		{"line end in by", "flip", `{"by":"a\nb"}`, Request{}, BadValue},
		{"max 501", "resend", `{"max":501}`, Request{}, BadValue},
		{"a number for a result", "result", `{"value":1}`, Request{}, BadValue},
		{"a result for a brightness", "led_brightness", `{"value":"1-0"}`, Request{}, BadValue},
		{"no move", "edit", `{"uci":["e2e4","castle"]}`, Request{}, BadValue},
		{"a move in a list in a list", "edit", `{"uci":[["e2e4"]]}`, Request{}, BadValue},
		{"mode other", "mode", `{"mode":"blitz"}`, Request{}, BadValue},
		{"reason with blanks", "result", `{"reason":"he left"}`, Request{}, BadValue},
		{"ply negative", "truncate", `{"ply":-1}`, Request{}, BadValue},
		{"a hundred hours and more", "clock_set", `{"white_ms":360000001}`, Request{}, BadValue},
		{"round too long", "names", `{"round":"` + strings.Repeat("x", 65) + `"}`, Request{}, BadValue},
		{"verb in capitals", "FLIP", "", Request{}, UnknownVerb},
		{"verb empty", "", "", Request{}, UnknownVerb},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, no := Decode(test.verb, []byte(test.payload))
			test.want.Verb = test.verb
			code := ""
			if no != nil {
				code = no.Code
			}
			if code != test.code || !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %+v, %q\nwant %+v, %q", got, code, test.want, test.code)
			}
		})
	}
}

// FuzzDecode: whatever comes in, what gets through keeps to the ranges, and every refusal has a code and a line.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `{"id":"ha-9f31","game":"g","if_seq":1843,"plies":1,"by":"arbiter"}`, `{"white":"A\u0000","force":true}`,
		`{"piece":"queen"}`, `{"from":1,"max":5}`, `{"id":"\ud800"}`, `[1]`, "{\"a\":\"\xff\"}", `{"plies":1e1}`, strings.Repeat(`{"a":`, 300),
	} {
		f.Add("takeback", []byte(seed))
	}
	f.Add("result", []byte(`{"value":"1/2-1/2","reason":"arbiter","uci":"e2e4","ply":0,"white_ms":5}`))
	f.Add("edit", []byte(`{"uci":["e2e4","x"],"from_ply":1}`))
	f.Add("t\xffk", []byte(`{"id":"x"}`))
	f.Fuzz(func(t *testing.T, verb string, payload []byte) {
		r, no := Decode(verb, payload)
		if no != nil && (no.Code == "" || no.Message == "" || strings.ContainsAny(no.Message, "\n\r")) {
			t.Fatalf("refusal %+v", no)
		}
		if !utf8.ValidString(r.Verb) || len(r.Verb) > 32 || r.ID != "" && !idSyntax.MatchString(r.ID) {
			t.Fatalf("verb %q, id %q", r.Verb, r.ID)
		}
		if r.Plies < 0 || r.Plies > 20 || r.Max < 0 || r.Max > 500 || r.From < 0 || r.N < 0 || r.N > 255 || r.IfSeq != nil && *r.IfSeq < 0 {
			t.Fatalf("out of range: %+v", r)
		}
		for _, uci := range r.UCI {
			if !uciSyntax.MatchString(uci) {
				t.Fatalf("move %q", uci)
			}
		}
		if r.Ply != nil && *r.Ply < 0 || r.FromPly < 0 || r.Seq < 0 || r.AddMs != nil && *r.AddMs < -maxMs || r.WhiteMs != nil && *r.WhiteMs > maxMs {
			t.Fatalf("out of range: %+v", r)
		}
		for _, s := range []string{r.Event, r.Site, r.Round, r.Table, r.Reason, r.Result, r.FEN, r.White, r.Black, r.By, r.Game, r.TimeControl, r.StartFEN} {
			if utf8.RuneCountInString(s) > 100 || strings.ContainsFunc(s, unicode.IsControl) || !utf8.ValidString(s) {
				t.Fatalf("text %q", s)
			}
		}
		if again, no2 := Decode(verb, payload); !reflect.DeepEqual(r, again) || !reflect.DeepEqual(no, no2) {
			t.Fatal("not the same twice")
		}
	})
}
