package text_test

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/emulator"
	"github.com/boardd/boardd/driver/emulator/emulatortest"
	"github.com/boardd/boardd/driver/emulator/text"
	"github.com/boardd/boardd/rules"
)

var _ emulator.Machine = (*text.Board)(nil)

// awake is a board that has started, in the start position, and has been told what its project's program tells it.
func awake(t *testing.T, o text.Options, tell string) *text.Board {
	t.Helper()
	b, err := text.New(o)
	if err != nil {
		t.Fatal(err)
	}
	for s, sym := range emulatortest.Start() {
		b.Set(rules.Square(s), sym)
	}
	b.Step(0, nil)
	b.Step(2000, []byte(tell))
	return b
}

func unhex(t *testing.T, digits string) string {
	b, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func square(name string) rules.Square {
	s, _ := rules.ParseSquare(name)
	return s
}

// The bytes of protocols/diy-serial.md section 6: the start position, e2 lifted, e4 placed.
func TestGoldenBytes(t *testing.T) {
	t.Parallel()
	xiao := "chess:~$ board monitor threshold -100 100 10\r\n"
	for s := range rules.NoSquare {
		xiao += map[int]string{0: "-", 1: "-", 6: "+", 7: "+"}[s.Rank()] + strings.Repeat(" ", map[bool]int{true: 1}[s.Rank() > 1 && s.Rank() < 6]) + strings.ToUpper(s.String()) + "\r\n"
	}
	for _, c := range []struct {
		name, tell, again string // what is written at the start, and to get an answer
		want              [3]string
	}{
		{"liboard", "", "", [3]string{unhex(t, "FF FF 00 00 00 00 FF FF"), unhex(t, "FF FF 00 00 00 00 EF FF"), unhex(t, "FF FF 00 00 10 00 EF FF")}},
		{"echess", "", "", [3]string{
			unhex(t, "FF 00 FF 00 00 00 00 00 00 00 00 00 00 FF 00 FF FF FF FF"),
			unhex(t, "FF 00 EF 00 00 00 00 00 00 00 00 00 00 FF 00 FF FF FF FF"),
			unhex(t, "FF 00 EF 00 00 00 10 00 00 00 00 00 00 FF 00 FF FF FF FF"),
		}},
		{"roniterv", "HELLO 5.0.1\nINFO\nBOARD\n", "BOARD\n", [3]string{
			"HELLO 5.0.1\nINFO ACB3 5.0.1 SIM\nBOARD FFFF00000000FFFF\n", "BOARD FFFF00000000EFFF\n", "BOARD FFFF00001000EFFF\n",
		}},
		{"chesswiz", "REQUEST_BOARD_STATE\n", "REQUEST_BOARD_STATE\n", [3]string{
			"BOARD_STATE:1111111111111111000000000000000000000000000000001111111111111111\r\n",
			"BOARD_STATE:1111111111110111000000000000000000000000000000001111111111111111\r\n",
			"BOARD_STATE:1111111111110111000000000000100000000000000000001111111111111111\r\n",
		}},
		{"smart-xiao", "board monitor threshold -100 100 10\n", "", [3]string{xiao, " E2\r\n", "-E4\r\n"}},
		{"squareoff-pro", "14#1*30#R*4#*", "", [3]string{"14#GO*30#1100001111000011110000111100001111000011110000111100001111000011*22#80*", "0#e2u*", "0#e4d*"}},
		{"gameboard-ui", "S ?e1 ?e3\r", "", [3]string{"RNBQKBNRPPPPPPPP................................pppppppprnbqkbnr\r#3F\r#00\r", "-e2\r", "+e4\r"}},
		{
			"cpp", "begin rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w\nfeature msg\n", "",
			[3]string{"sync rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w\nnok\n", "", "move e2e4\n"},
		},
		{"smartchess-diym", "heyArduinoReadyStockfish\n", "", [3]string{"heyArduinoReadyStockfish\r\n", "", "heypiMe2e4\r\n"}},
		{"openchess-text", "", "", [3]string{"", "Piece lifted from e2\r\n", "Legal move to e4\r\n"}},
		{"novag", "I\rX ON\r\n", "", [3]string{"ID. UCBII V1.09\r\nX ON\r\n", "", "M 1 e2-e4\r\n"}},
		{"uci-lines", "", "", [3]string{"", "", "e2e4\n"}},
	} {
		b, err := text.New(text.Options{Dialect: c.name})
		if err != nil {
			t.Fatal(err)
		}
		for s, sym := range emulatortest.Start() {
			b.Set(rules.Square(s), sym)
		}
		b.Step(0, nil)
		out, _ := b.Step(2000, []byte(c.tell))
		b.Set(square("e2"), board.Empty)
		lifted, _ := b.Step(3000, []byte(c.again))
		b.Set(square("e4"), 'P')
		placed, _ := b.Step(4000, []byte(c.again))
		if got := [3]string{string(out), string(lifted), string(placed)}; got != c.want {
			t.Errorf("%s:\n%q, want\n%q", c.name, got, c.want)
		}
	}
}

func TestBoardsThatSpeakAllTheTime(t *testing.T) {
	t.Parallel()
	b := awake(t, text.Options{Dialect: "sentio"}, "")
	b.Set(square("e2"), board.Empty)
	b.Set(square("e4"), 'P')
	out, wake := b.Step(2300, nil)
	if string(out) != ":255 255 0 0 8 0 247 255 \r\n" || wake != 2600 {
		t.Errorf("%q, wake %d", out, wake)
	}
	b = awake(t, text.Options{Dialect: "certabo"}, "")
	out, _ = b.Step(2300, nil)
	if n := len(strings.Fields(string(out))); n != 320 || !strings.HasSuffix(string(out), " \r\n") {
		t.Errorf("%d numbers in %q", n, out)
	}
}

func TestStart(t *testing.T) {
	t.Parallel()
	b, _ := text.New(text.Options{Dialect: "roniterv", Boot: "ets Jun  8 2016 00:22:57\r\n", Echo: true})
	out, wake := b.Step(100, []byte("BOARD\n"))
	if string(out) != "ets Jun  8 2016 00:22:57\r\n" || wake != 2100 {
		t.Errorf("%q, wake %d", out, wake)
	}
	if out, _ = b.Step(2099, []byte("BOARD\n")); len(out) > 0 {
		t.Errorf("deaf while it starts: %q", out)
	}
	if out, _ = b.Step(2100, []byte("BOARD\nHELLO 4\n")); string(out) != "BOARD\nERR HELLO\nHELLO 4\nERR VERSION\n" {
		t.Errorf("before its greeting: %q", out)
	}
	b.Reset()
	if out, _ = b.Step(5000, nil); len(out) == 0 {
		t.Error("opening the port starts it anew")
	}
	if _, err := text.New(text.Options{Dialect: "gone"}); err == nil || len(text.Dialects()) != 14 {
		t.Error(err)
	}
}

func TestLights(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, bytes, out string }{
		{"echess", "\xFE\x14\x34\xFF\xFE\x00", ""},
		{"sentio", unhex(t, "00 00 00 00 10 00 10 00"), "L\r\n"},
		{"certabo", unhex(t, "00 00 00 00 10 00 10 00"), "L\r\n"},
		{"squareoff-pro", "25#e2e4*", ""},
		{"gameboard-ui", "*e2 *a1 !e4\r.a1\r", ""},
		{"smartchess-diym", "heyArduinome2e4-g1f3\n", "heyArduinome2e4-g1f3\r\n"},
	} {
		b, _ := text.New(text.Options{Dialect: c.name})
		b.Step(0, nil)
		b.Step(2000, nil)
		out, _ := b.Step(2001, []byte(c.bytes))
		var lit []string
		for s, l := range b.Lit() {
			if l != (board.RGB{}) {
				lit = append(lit, rules.Square(s).String())
			}
		}
		if strings.Join(lit, " ") != "e2 e4" || string(out) != c.out {
			t.Errorf("%s: lit %v, answered %q", c.name, lit, out)
		}
		b.Step(2002, []byte(".\r"))
		if c.name == "gameboard-ui" && b.Lit() != (board.Frame{}) {
			t.Error("a dot clears all")
		}
	}
}

// Moves that take more than one man.
func TestMoves(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, tell, hands, want string }{
		{"novag", "X ON\r", "-e2 +e4P -d7 +d5p -d5 -e4 +d5P -e7 +e5p -d5 -e5 +e6P", "M 1 e2-e4|M 1, d7-d5|M 2 e4xd5|M 2, e7-e5|M 3 d5xe6ep"},
		{"novag", "X ON\r", "-e2 +e4P -a7 +a5p -e4 +e4P -e4 +e5P -d7 +d5p -e5 +d6P -d5", "M 1 e2-e4|M 1, a7-a5|M 2 e4-e5|M 2, d7-d5|M 3 e5xd6ep"},
		{"novag", "X ON\r", "-g1 +f3N -g8 +f6n -g2 +g3P -g7 +g6p -f1 +g2B -f8 +g7b -e1 +g1K -h1 +f1R -e8 +g8k -h8 +f8r", "M 1 g1-f3|M 1, g8-f6|M 2 g2-g3|M 2, g7-g6|M 3 f1-g2|M 3, f8-g7|M 4 O-O|M 4, O-O"},
		{"uci-lines", "", "-a7 -a2 +a8Q -a8 +a8Q -h7 +h5p", "a2a8q|h7h5"},
		{"openchess-text", "", "-e2 +e4P -d7 +d5p -e4 -d5 +d5P -e7 +e5p -d5 -e5 +e6P",
			"Piece lifted from e2|Legal move to e4|Piece lifted from d7|Legal move to d5|Piece lifted from e4|Capture initiated at d5|Piece lifted from e7|Legal move to e5|Piece lifted from d5|Capture initiated at e6"},
		{"openchess-text", "", "-e2 +e4P -d7 +d5p -d5 -e4 +d5P", "Piece lifted from e2|Legal move to e4|Piece lifted from d7|Legal move to d5|Piece lifted from e4|Capture initiated at d5"},
	} {
		b := awake(t, text.Options{Dialect: c.name}, c.tell)
		for _, h := range strings.Fields(c.hands) {
			what := board.Empty
			if h[0] == '+' {
				what = board.Symbol(h[3])
			}
			b.Set(square(h[1:3]), what)
		}
		out, _ := b.Step(3000, nil)
		if got := strings.NewReplacer("\r\n", "|", "\n", "|").Replace(string(out)); got != c.want+"|" {
			t.Errorf("%s %s:\n%s, want\n%s", c.name, c.hands, got, c.want)
		}
	}
}

func FuzzBoard(f *testing.F) {
	for _, name := range text.Dialects() {
		f.Add(name, []byte("BOARD\n30#R*?e1\rbegin 8 w\nX ON\r\xFE\x14\xFF"), []byte{12, 'x', 28, 'P'})
	}
	f.Fuzz(func(t *testing.T, name string, bytes, hands []byte) {
		b, err := text.New(text.Options{Dialect: name, Echo: true})
		if err != nil {
			return
		}
		b.Step(0, nil)
		for i := 0; i+1 < len(hands); i += 2 {
			b.Set(rules.Square(hands[i]&63), board.Symbol(".PpKkQqRrNnBb?"[hands[i+1]%14]))
			now := 2000 + int64(i)*100
			if _, wake := b.Step(now, bytes[:min(len(bytes), i)]); wake != 0 && wake <= now {
				t.Fatalf("wake %d at %d", wake, now)
			}
		}
		b.Step(30_000, bytes)
	})
}
