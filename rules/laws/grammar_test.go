package laws

import (
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/rules"
)

// pieces are all six, in the order of the tables below.
var pieces = []rules.Role{rules.King, rules.Queen, rules.Rook, rules.Bishop, rules.Knight, rules.Pawn}

// TestPieces: each piece in each form that the languages have.
func TestPieces(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		l    *Language
		form string
		want string // king queen rook bishop knight pawn
	}{
		{&english, "", "king, queen, rook, bishop, knight, pawn"},
		{&english, "a", "a king, a queen, a rook, a bishop, a knight, a pawn"},
		{&english, "the", "the king, the queen, the rook, the bishop, the knight, the pawn"},
		{&spanish, "", "rey, dama, torre, alfil, caballo, peón"},
		{&spanish, "el", "el rey, la dama, la torre, el alfil, el caballo, el peón"},
		{&spanish, "un", "un rey, una dama, una torre, un alfil, un caballo, un peón"},
		{&spanish, "del", "del rey, de la dama, de la torre, del alfil, del caballo, del peón"},
		{&russian, "", "король, ферзь, ладья, слон, конь, пешка"},
		{&russian, "acc", "короля, ферзя, ладью, слона, коня, пешку"},
		{&persian, "", "شاه، وزیر، رخ، فیل، اسب، پیاده"},
		{&korean, "", "킹, 퀸, 룩, 비숍, 나이트, 폰"},
		{&korean, "이", "킹이, 퀸이, 룩이, 비숍이, 나이트가, 폰이"},
		{&korean, "을", "킹을, 퀸을, 룩을, 비숍을, 나이트를, 폰을"},
		{&korean, "은", "킹은, 퀸은, 룩은, 비숍은, 나이트는, 폰은"},
		{&korean, "으로", "킹으로, 퀸으로, 룩으로, 비숍으로, 나이트로, 폰으로"},
		{&thai, "", "คิง, ควีน, เรือ, บิชอป, ม้า, เบี้ย"},
	} {
		var got []string
		for _, r := range pieces {
			text, ok := c.l.bend(man{role: r}, c.form)
			if !ok {
				t.Errorf("%s: %v has no form %q", c.l, r, c.form)
			}
			got = append(got, text)
		}
		if text := strings.Join(got, c.l.comma); text != c.want {
			t.Errorf("%s, form %q: %s, want %s", c.l, c.form, text, c.want)
		}
	}
}

// TestColoredPieces: the colour agrees with the piece.
func TestColoredPieces(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		l     *Language
		color rules.Color
		form  string
		want  string
	}{
		{&english, rules.White, "", "white king, white queen, white rook, white bishop, white knight, white pawn"},
		{&english, rules.Black, "the", "the black king, the black queen, the black rook, the black bishop, the black knight, the black pawn"},
		{&spanish, rules.White, "", "rey blanco, dama blanca, torre blanca, alfil blanco, caballo blanco, peón blanco"},
		{&spanish, rules.Black, "del", "del rey negro, de la dama negra, de la torre negra, del alfil negro, del caballo negro, del peón negro"},
		{&russian, rules.White, "", "белый король, белый ферзь, белая ладья, белый слон, белый конь, белая пешка"},
		{&russian, rules.Black, "acc", "чёрного короля, чёрного ферзя, чёрную ладью, чёрного слона, чёрного коня, чёрную пешку"},
		{&persian, rules.White, "", "شاه سفید، وزیر سفید، رخ سفید، فیل سفید، اسب سفید، پیادهٔ سفید"},
		{&korean, rules.White, "을", "백 킹을, 백 퀸을, 백 룩을, 백 비숍을, 백 나이트를, 백 폰을"},
		{&thai, rules.Black, "", "คิงดำ, ควีนดำ, เรือดำ, บิชอปดำ, ม้าดำ, เบี้ยดำ"},
	} {
		var got []string
		for _, r := range pieces {
			text, _ := c.l.bend(man{r, true, c.color}, c.form)
			got = append(got, text)
		}
		if text := strings.Join(got, c.l.comma); text != c.want {
			t.Errorf("%s, %v %q: %s, want %s", c.l, c.color, c.form, text, c.want)
		}
	}
}

func TestSides(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		l    *Language
		form string
		want [2]string
	}{
		{&english, "", [2]string{"White", "Black"}}, {&spanish, "", [2]string{"las blancas", "las negras"}},
		{&russian, "", [2]string{"белые", "чёрные"}}, {&russian, "gen", [2]string{"белых", "чёрных"}}, {&russian, "dat", [2]string{"белым", "чёрным"}},
		{&persian, "", [2]string{"سفید", "سیاه"}}, {&korean, "이", [2]string{"백이", "흑이"}}, {&korean, "은", [2]string{"백은", "흑은"}},
		{&thai, "", [2]string{"ฝ่ายขาว", "ฝ่ายดำ"}},
	} {
		for i, want := range c.want {
			if got, ok := c.l.bend(rules.Color(i), c.form); got != want || !ok {
				t.Errorf("%s, form %q: %q, %v; want %q", c.l, c.form, got, ok, want)
			}
		}
	}
	for _, l := range languages {
		for _, value := range []any{man{role: rules.Pawn}, rules.White, []rules.Role{rules.Pawn}} {
			if text, ok := l.bend(value, "no such form"); ok {
				t.Errorf("%s: %v has a form that there is not: %q", l, value, text)
			}
		}
	}
}

// TestKoreanSquares: particles after all 64 squares, which are read as a letter and a digit: 일 이 삼 사 오 육 칠 팔.
func TestKoreanSquares(t *testing.T) {
	t.Parallel()
	want := map[string][8]string{ // by rank, from 1
		"이":  {"이", "가", "이", "가", "가", "이", "이", "이"},
		"을":  {"을", "를", "을", "를", "를", "을", "을", "을"},
		"은":  {"은", "는", "은", "는", "는", "은", "은", "은"},
		"으로": {"로", "로", "으로", "로", "로", "으로", "로", "로"},
	}
	for form, shapes := range want {
		for s := range rules.NoSquare {
			text, ok := korean.bend(s, form)
			if want := s.String() + shapes[s.Rank()]; text != want || !ok {
				t.Errorf("%q, want %q", text, want)
			}
		}
	}
}

// TestKoreanEndings: particles after other things than squares.
func TestKoreanEndings(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"10": "으로", "21": "로", "0": "으로", "Nf3+": "으로", "Qxf7#": "로", "e8=N": "으로", "e8=Q": "로", "e8=R": "로", "O-O": "로",
		"e2e4 e7e5": "로", "M": "으로", "L": "로", "말": "로", "폰": "으로", "차": "로", "": "로", "⁇": "로",
	} {
		if got, _ := particle(text, "으로"); got != text+want {
			t.Errorf("%q, want %q", got, text+want)
		}
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		l    *Language
		n    int
		want string
	}{
		{&english, 1, "1 piece"}, {&english, 2, "2 pieces"}, {&english, 21, "21 pieces"}, {&english, 0, "0 pieces"},
		{&spanish, 1, "1 pieza"}, {&spanish, 5, "5 piezas"},
		{&russian, 1, "1 фигура"}, {&russian, 2, "2 фигуры"}, {&russian, 4, "4 фигуры"}, {&russian, 5, "5 фигур"}, {&russian, 11, "11 фигур"},
		{&russian, 12, "12 фигур"}, {&russian, 14, "14 фигур"}, {&russian, 21, "21 фигура"}, {&russian, 22, "22 фигуры"}, {&russian, 25, "25 фигур"},
		{&russian, 111, "111 фигур"}, {&russian, 0, "0 фигур"},
		{&persian, 10, "۱۰ مهره"}, {&korean, 5, "기물 5개"}, {&thai, 5, "หมาก 5 ตัว"},
	} {
		if got := c.l.text("men", args{"n": c.n}); got != c.want {
			t.Errorf("%s: %q, want %q", c.l, got, c.want)
		}
	}
}

// samples are values for every placeholder that there is; r, s and n choose among them.
func samples(r rules.Role, c rules.Color, s rules.Square, n int) args {
	other := rules.Square(63) - s
	squares := []rules.Square{s, other, s ^ 7}[:1+n%3]
	var men []any
	for _, q := range squares {
		men = append(men, manOn{man{role: r}, q}, q)
	}
	return args{
		"piece": man{role: r}, "side": c, "square": s, "square2": other, "squares": squares, "from": s, "to": other, "men": men, "n": n,
		"pieces": pieces[:1+n%6], "moves": code("Nf3 d5"), "move": code("Qxf7#"), "article": code("3.8.2.2.1"), "fen": code(rules.StartFEN),
		"verb": code("new game"), "by": code("desk"), "why": "…", "attack": "", "result": "…", "ways": "…", "way": "…", "reply": "…", "man": "…",
		"text": "…", "san": code("e4"), "causes": "…",
	}
}

// TestEverySentence fills every sentence with every piece and every square.
func TestEverySentence(t *testing.T) {
	t.Parallel()
	for _, l := range languages {
		for key := range l.say {
			for i := range 64 {
				a := samples(pieces[i%6], rules.Color(i/2%2), rules.Square(i), i)
				text, err := l.fill(l.say[key], a)
				if err != nil || text == "" {
					t.Errorf("%s: %s: %q, %v", l, key, text, err)
					break
				}
				if fault := spelling(l, text); fault != "" {
					t.Errorf("%s: %s: %s: %q", l, key, fault, text)
					break
				}
			}
		}
	}
}

// spelling is what is wrong with how a sentence is written, "" for nothing.
func spelling(l *Language, text string) string {
	depth, last, before := 0, ' ', ' '
	for _, r := range text {
		switch {
		case r == '\u2068':
			depth++
		case r == '\u2069':
			depth--
		case unicode.Is(unicode.Bidi_Control, r):
			return "another mark of direction"
		case l.rtl && depth == 0 && (unicode.Is(unicode.Latin, r) || r >= '0' && r <= '9'):
			return "what is read from the left is not isolated"
		case l.rtl && (r == 'ي' || r == 'ك' || r == 'ة'):
			return "an Arabic letter in Persian"
		case unicode.Is(unicode.Thai, r) && last == ' ' && unicode.Is(unicode.Thai, before):
			return "a space between Thai words"
		case unicode.Is(unicode.Thai, r) && r < 0xe50 && last < 0x80 && (unicode.IsLetter(last) || unicode.IsDigit(last)),
			unicode.Is(unicode.Thai, last) && r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			return "no space between Thai and what is not"
		}
		if depth < 0 || depth > 1 || depth > 0 && !l.rtl {
			return "isolates do not nest"
		}
		before, last = last, r
	}
	if depth != 0 {
		return "an isolate is left open"
	}
	if strings.TrimSpace(text) != text && !strings.HasPrefix(text, " (") || strings.Contains(text, "  ") {
		return "blanks"
	}
	return ""
}

// TestMovesOfGames: every legal move of random games is told alike from the position and from its notations, and spelt well.
func TestMovesOfGames(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := rules.Start()
		for range rapid.IntRange(1, 60).Draw(t, "plies") {
			moves := p.LegalMoves(nil)
			if len(moves) == 0 {
				return
			}
			m := rapid.SampledFrom(moves).Draw(t, "move")
			ply := PlyOf(&p, m)
			read, ok := readPly(p.UCI(m), p.SAN(m))
			read.Captured, read.EnPassant, read.Check, read.Mate = ply.Captured, ply.EnPassant, ply.Check, ply.Mate
			if !ok || read != ply {
				t.Fatalf("%s %s: read as %+v, is %+v", p.UCI(m), p.SAN(m), read, ply)
			}
			for _, l := range languages {
				text := l.Move(ply)
				if fault := spelling(l, text); fault != "" || text == "" || strings.ContainsAny(text, "{}[]") {
					t.Fatalf("%s: %s: %s %q", l, p.SAN(m), fault, text)
				}
			}
			p.Play(m)
		}
	})
}
