package text_test

import (
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/text"
)

// kind is one description and what it makes of lines, each 300 ms after the one before.
type kind struct {
	name string
	o    text.Options
	sees board.Acuity
	say  []string
	want string
}

const mixed = "k......./......../......../......../......../......../......../......QK"

func rulesOf(r ...text.Rule) text.Options { return text.Options{Input: r} }

func with(o text.Options, change func(*text.Options)) text.Options {
	change(&o)
	return o
}

func kinds(t testing.TB) []kind {
	tenLines := "Current Board:\r\n{ 'R', 'N', 'B', 'Q', 'K', 'B', 'N', 'R' },\r\n{ 'P', 'P', 'P', 'P', 'P', 'P', 'P', 'P' },\r\n" +
		strings.Repeat("{ ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ' },\r\n", 4) +
		"{ 'p', 'p', 'p', 'p', 'p', 'p', 'p', 'p' },\r\n{ 'r', 'n', 'b', 'q', 'k', 'b', 'n', 'r' },\r\n"
	block := text.Rule{Kind: "pieces", Start: "^Current Board:", Separator: ",", Regex: `^\{(?P<row>(?: '.',?)+) \},?$`}
	return []kind{
		{
			"W3 hex, in lower case", preset(t, "roniterv"), board.Presence,
			[]string{"BOARD ffff00000000ffff\r\n", "BOARD ffff00001000efff\r", "BOARD FFFF00001000EFF\n"},
			"online " + startX + " e2=. e4=x",
		},
		{
			"W4 bits", preset(t, "chesswiz"), board.Presence,
			[]string{
				"BOARD_STATE:" + strings.Repeat("1", 16) + strings.Repeat("0", 32) + strings.Repeat("1", 16) + "\n",
				"BOARD_STATE:" + strings.Repeat("1", 12) + "0111" + strings.Repeat("0", 32) + strings.Repeat("1", 16) + "\nSENSORS_DISABLED\n",
			},
			"online " + startX + " e2=.",
		},
		{
			"bits of a board with active-low sensors",
			with(rulesOf(text.Rule{Kind: "bits", Regex: `^([01]{64})$`}), func(o *text.Options) { o.Board.Active = "0" }), board.Presence,
			[]string{strings.Repeat("0", 16) + strings.Repeat("1", 32) + strings.Repeat("0", 16) + "\n"}, "online " + startX,
		},
		{
			"bits with colours",
			with(rulesOf(text.Rule{Kind: "bits", Regex: `^([wb-]{64})$`}), func(o *text.Options) { o.Board.Tokens = text.Tokens{Empty: "-", White: "w", Black: "b"} }),
			board.ColorAcuity,
			[]string{strings.Repeat("b", 16) + strings.Repeat("-", 32) + strings.Repeat("w", 16) + "\n"}, "online " + startC,
		},
		{
			"W7 bits file by file", preset(t, "squareoff-pro"), board.Presence,
			[]string{"30#1" + strings.Repeat("0", 62) + "1*14#GO*22#80*"},
			"online .......x/......../......../......../......../......../......../x.......",
		},
		{
			"W13 bits of a board of 4 x 4",
			with(rulesOf(text.Rule{Kind: "bits", Regex: `^([01]{16})$`}), func(o *text.Options) {
				o.Board.Squares = strings.Fields("a4 b4 c4 d4 a3 b3 c3 d3 a2 b2 c2 d2 a1 b1 c1 d1")
			}), board.Presence,
			[]string{"1000000000000001\n", "1000000000000000\n"},
			"online ......../......../......../......../x......./......../......../...x.... d1=.",
		},
		{
			"W11 one decimal byte of eight reeds",
			with(rulesOf(text.Rule{Kind: "rows_dec", Regex: `^(\d+)$`}), func(o *text.Options) {
				o.Board.Squares = strings.Fields("a1 b1 c1 d1 e1 f1 g1 h1")
				o.SilenceMs = 3000
			}), board.Presence,
			[]string{"255\r\n", "254\r\n", "256\r\n", "25\r\n", "25\r\n", "12 13\r\n"},
			"online ......../......../......../......../......../......../......../xxxxxxxx a1=. ......../......../......../......../......../......../......../x..xx...",
		},
		{
			"matrix", rulesOf(text.Rule{Kind: "matrix", Separator: ",", Regex: `^((?:\d,?){8})$`}), board.Presence,
			[]string{"0,0\n" + strings.Repeat("1,1,1,1,1,1,1,1\n", 2) + strings.Repeat("0,0,0,0,0,0,0,0,\n", 4) + strings.Repeat("1,1,1,1,1,1,1,1\n", 2)},
			"online " + startX,
		},
		{
			"matrix broken by text", rulesOf(text.Rule{Kind: "matrix", Regex: `^(?P<row>[01]{8})$`}), board.Presence,
			[]string{
				strings.Repeat("11111111\n", 3) + "text\n" + strings.Repeat("11111111\n", 2) + strings.Repeat("00000000\n", 4) + strings.Repeat("11111111\n", 2),
			},
			"online " + startX,
		},
		{
			"W10 pieces by lines, between debug text", rulesOf(text.Rule{Kind: "pieces", Separator: ",", Regex: `^(?P<row>(?:[prnbqk.],){8})$`}), board.PieceAcuity,
			[]string{"moved\nr,n,b,q,k,b,n,r,\np,p,p,p,p,p,p,p,\n" + strings.Repeat(".,.,.,.,.,.,.,.,\n", 4) + "P,P,P,P,P,P,P,P,\nR,N,B,Q,K,B,N,R,\nok\n"},
			"online " + startP,
		},
		{
			"E5 the block of a board", with(rulesOf(block), func(o *text.Options) { o.Board.Order = "a1h8" }), board.PieceAcuity,
			[]string{"{ 'r', 'n', 'b', 'q', 'k', 'b', 'n', 'r' },\n" + tenLines}, "online " + startP,
		},
		{
			"W8 pieces, and one that is not known", rulesOf(text.Rule{Kind: "pieces", Regex: `^([prnbqk.?]{64})$`}), board.PieceAcuity,
			[]string{"k" + strings.Repeat(".", 61) + "QK\n", "?" + strings.Repeat(".", 61) + "QK\n"}, "online " + mixed + " a8=?",
		},
		{
			"W9 fen of a board that knows less", preset(t, "cpp"), board.PieceAcuity,
			[]string{
				"unsync ????????/????????/8/8/8/8/????????/???????? w\n", "state uuuuuuuu/uuuuuuuu/8/8/8/8/UUUUUUUU/UUUUUUU1 b\n",
				"state rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 b\n", "sync 8/8/8/8 w\nsync 9/8/8/8/8/8/8/8\nsync ppppppppp/8/8/8/8/8/8/8\nok\n",
			},
			"online " + strings.NewReplacer("x", "?").Replace(startX) + " h1=. " + startP[:70] + ".",
		},
		{
			"fen of a board that knows colours", with(rulesOf(text.Rule{Kind: "fen", Regex: `^state (\S+)`}), func(o *text.Options) { o.Acuity = "color" }), board.ColorAcuity,
			[]string{"state bbbbbbbb/bbbbbbbb/8/8/8/8/wwwwwwww/wwwwwwww\n", "state bbbbbbbb/bbbbbbbb/8/8/8/8/wwwwwwww/?wwwwwww\n"}, "online " + startC,
		},
		{
			"W12 hexadecimal chips",
			with(rulesOf(text.Rule{Kind: "ids", Separator: ",", Regex: `^((?:[0-9a-f ]*,){63}[0-9a-f ]*)$`}), func(o *text.Options) {
				o.IDs = map[string]string{"fc 87 a1 5a": "K", "01 02 03 04": "q"}
			}), board.PieceAcuity,
			[]string{"01 02 03 04," + strings.Repeat(",", 60) + "de ad be ef,FC 87 A1 5A, \n"},
			"online q......./......../......../......../......../......../......../......K.",
		},
		{
			"E2 several on a line", preset(t, "gameboard-ui"), board.Presence,
			[]string{"-e2 +e4\r", "#3F\r", "-e7\r+e5\r"}, "online " + startX + " e2=. e4=x e7=. e5=x",
		},
		{
			"E3 pick and drop",
			with(rulesOf(text.Rule{Kind: "event", Regex: `^(?P<sign>PICK|DROP) (?P<sq>..)$`}), func(o *text.Options) {
				o.Event, o.Assume = text.Signs{Place: "drop", Lift: "pick"}, "start"
			}), board.Presence,
			[]string{"PICK e2\n", "DROP e4\n", "MOVE e2e4\n", "DROP i9\n"}, "online " + startX + " e2=. e4=x",
		},
		{
			"E7 tokens, with the piece",
			with(rulesOf(text.Rule{Kind: "event", Regex: `^(?P<sign>up|down):(?P<piece>[prnbqk]?):?(?P<sq>[a-h][1-8])$`}), func(o *text.Options) {
				o.Event, o.Assume = text.Signs{Place: "down", Lift: "up"}, "start"
			}), board.PieceAcuity,
			[]string{"up:e2\n", "down:P:e4\n"}, "online " + startP + " e2=. e4=P",
		},
		{
			"E5 capture, cancelled and done", preset(t, "openchess-text"), board.PieceAcuity,
			[]string{
				"Piece lifted from e2\nLegal move to e4\n", "Piece lifted from d7\nLegal move to d5\n", "Piece lifted from e4\nCapture initiated at d5\nCapture cancelled\n",
				"Piece lifted from e4\nPiece replaced in original spot\n", "Piece lifted from e4\nCapture initiated at d5\n",
			},
			"online " + startP + " e2=. e4=P d7=. d5=p e4=. d5=. d5=P e4=P d5=p e4=. e4=P e4=. d5=. d5=P",
		},
		{
			"M1 with echo and debug text", preset(t, "smartchess-diym"), board.PieceAcuity,
			[]string{"heyArduinome7e5-g1f3\r\nWaiting\r\nheypiMe2e4\r\n", "heypime7e5\r\n"}, "online " + startP + " e2=. e4=P e7=. e5=p",
		},
		{"M3 from and to", preset(t, "uci-lines"), board.PieceAcuity, []string{"e2 e4\n", "e7,e5\n", "g1f3\n", "E1e1\n"}, "online " + startP + " e2=. e4=P e7=. e5=p g1=. f3=N"},
		{
			"M5 fixed width", with(rulesOf(text.Rule{Kind: "move", Regex: `^MB` + `(?P<uci>[a-h][1-8][a-h][1-8][qrbn]?)`}), func(o *text.Options) { o.Assume = "start" }), board.PieceAcuity,
			[]string{"NG0Y\nMBe2e4 \n"}, "online " + startP + " e2=. e4=P",
		},
		{
			"M6 numbered commands", with(rulesOf(text.Rule{Kind: "move", Regex: `^0x3 (?P<uci>[a-h][1-8][a-h][1-8])(?:,c)?$`}), func(o *text.Options) { o.Assume = "start" }), board.PieceAcuity,
			[]string{"0x3 e2e4,c\n"}, "online " + startP + " e2=. e4=P",
		},
		{
			"M7 done", with(rulesOf(text.Rule{Kind: "move", Regex: `^DONE (?P<uci>[a-h][1-8][a-h][1-8])$`}), func(o *text.Options) { o.Assume = "start" }), board.PieceAcuity,
			[]string{"PLAN e2e4---\nDRAG e2e4\nDONE e2e4\n"}, "online " + startP + " e2=. e4=P",
		},
		{
			"M8 Novag", preset(t, "novag"), board.PieceAcuity,
			[]string{
				"M 1 e2-e4\r\n", "M 1, d7-d5\r\n", "M 2 e4xd5\r\n", "M 2, g8-f6\r\nM 3 g1-f3\r\nM 3, g7-g6\r\nM 4 f1-e2\r\nM 4, f8-g7\r\nM 5 O-O\r\n", "M 5, O-O\r\n",
				"Me2-e4\r\n", "New Game\r\n",
			},
			"online " + startP + " e2=. e4=P d7=. d5=p d5=. e4=. d5=P g8=. f6=n g1=. f3=N g7=. g6=p f1=. e2=B f8=. g7=b e1=. h1=. g1=K f1=R e8=. h8=. g8=k f8=r" +
				" e2=. e4=B " + startP,
		},
		{
			"M9 between marks",
			with(rulesOf(text.Rule{Kind: "move", Regex: `^M\t` + `(?P<uci>[a-h][1-8][a-h][1-8])`}), func(o *text.Options) {
				o.Framing, o.Assume = text.Framing{Mode: "delimited", Start: "3C", End: "3E"}, "start"
			}), board.PieceAcuity,
			[]string{"noise><M\te2<M\te2e4\t1>more"}, "online " + startP + " e2=. e4=P",
		},
		{
			"M10 what the console of a board says", with(rulesOf(text.Rule{Kind: "move", Regex: `my move: (?P<uci>[a-h][1-8][a-h][1-8])$`}), func(o *text.Options) { o.Assume = "start" }), board.PieceAcuity,
			[]string{"wait for move input...my move: g7g7d7\n", "wait for move input...my move: g1f3\n", "move received: e7e5\n"}, "online " + startP + " g1=. f3=N",
		},
		{
			"timeout", with(rulesOf(text.Rule{Kind: "bits", Regex: `^([01]{64})$`}), func(o *text.Options) { o.Framing.Mode = "timeout" }), board.Presence,
			[]string{strings.Repeat("1", 16) + strings.Repeat("0", 32) + strings.Repeat("1", 16), "111"}, "online " + startX,
		},
	}
}

func TestKinds(t *testing.T) {
	t.Parallel()
	for _, k := range kinds(t) {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			if err := k.o.Check(); err != nil {
				t.Fatal(err)
			}
			if got := k.o.Sees(); got != k.sees {
				t.Errorf("it sees %s, want %s", got, k.sees)
			}
			b := newBench(t, text.New(k.o))
			for i, s := range k.say {
				b.send(300*int64(i+1), []byte(s))
			}
			b.until(b.now + 200)
			if _, in := b.take(); in != k.want {
				t.Errorf("said\n%s, want\n%s", in, k.want)
			}
		})
	}
}

func TestAcuityOfPresets(t *testing.T) {
	t.Parallel()
	want := map[string]board.Acuity{"echess": board.ColorAcuity, "smart-xiao": board.ColorAcuity}
	for _, name := range []string{"smartchess-diym", "openchess-text", "cpp", "novag", "certabo", "uci-lines"} {
		want[name] = board.PieceAcuity
	}
	for _, name := range text.Presets() {
		if got := preset(t, name).Sees(); got != want[name] {
			t.Errorf("%s sees %s, want %s", name, got, want[name])
		}
	}
}

// The eight ways through a board, by their first three squares.
func TestOrders(t *testing.T) {
	t.Parallel()
	for order, first := range map[string]string{
		"": "a8 b8 a7", "a8h1": "a8 b8 a7", "a1h8": "a1 b1 a2", "h1a8": "h1 g1 h2", "h8a1": "h8 g8 h7",
		"filewise_a8h1": "a8 a7 b8", "filewise_a1h8": "a1 a2 b1", "filewise_h1a8": "h1 h2 g1", "filewise_h8a1": "h8 h7 g8",
	} {
		for _, turned := range []string{"", "yes"} {
			for i, at := range []int{0, 1, 8} {
				o := rulesOf(text.Rule{Kind: "bits", Regex: `^([01]{64})$`})
				o.Board.Order, o.Board.Rotate180 = order, turned
				b := newBench(t, text.New(o))
				b.send(1, []byte(strings.Repeat("0", at)+"1"+strings.Repeat("0", 63-at)+"\n"))
				want := strings.Fields(first)[i]
				if turned == "yes" {
					want = string([]byte{'a' + 'h' - want[0], '1' + '8' - want[1]})
				}
				for s, sym := range b.pic {
					if name := string([]byte{'a' + byte(s%8), '1' + byte(s/8)}); (sym == board.Something) != (name == want) {
						t.Errorf("%s: character %d is %s, want %s", order, at, name, want)
					}
				}
			}
		}
	}
}
