package laws

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/boardd/boardd/rules"
)

func TestMatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		wanted []string
		want   string
		sure   bool
	}{
		{"nothing wanted", nil, "en", false},
		{"empty", []string{""}, "en", false},
		{"plain tags", []string{"es"}, "es", true},
		{"country", []string{"es-MX"}, "es", true},
		{"region of many countries", []string{"es-419"}, "es", true},
		{"underscore", []string{"fa_IR"}, "fa", true},
		{"header", []string{"ru-RU,ru;q=0.9"}, "ru", true},
		{"second choice of a header", []string{"de-DE,de;q=0.9,ko;q=0.8,en;q=0.5"}, "ko", true},
		{"weights out of order", []string{"en;q=0.3, th;q=0.9"}, "th", true},
		{"unknown, then known", []string{"de", "th"}, "th", true},
		{"a near language", []string{"gl"}, "es", true},
		{"Dari is Persian", []string{"fa-AF"}, "fa", true},
		{"British", []string{"en-GB"}, "en", true},
		{"unknown", []string{"de"}, "en", false},
		{"any", []string{"*"}, "en", false},
		{"no tag", []string{"not a tag; q=x"}, "en", false},
	} {
		if l, sure := Match(c.wanted...); l.String() != c.want || sure != c.sure {
			t.Errorf("%s: %v gives %v, %v; want %v, %v", c.name, c.wanted, l, sure, c.want, c.sure)
		}
	}
	if got := Tags(); !slices.Equal(got, []string{"en", "es", "ru", "fa", "ko", "th"}) {
		t.Error(got)
	}
}

var placeholder = regexp.MustCompile(`\{(\w+)(?:[:?][^{}]*)?\}`)

// names are the values that a sentence uses.
func names(sentence string) []string {
	var list []string
	for _, m := range placeholder.FindAllStringSubmatch(sentence, -1) {
		list = append(list, m[1])
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// TestTablesAgree: every language has the sentences that English has, no others, and says as much in them.
func TestTablesAgree(t *testing.T) {
	t.Parallel()
	for _, l := range languages {
		for key, model := range english.say {
			sentence, ok := l.say[key]
			if !ok || strings.TrimSpace(sentence) == "" {
				t.Errorf("%s: no sentence %q", l, key)
				continue
			}
			if got, want := names(sentence), names(model); !slices.Equal(got, want) {
				t.Errorf("%s: %q uses %v, want %v", l, key, got, want)
			}
			if rest := placeholder.ReplaceAllString(sentence, "X"); strings.ContainsAny(rest, "{}%") || strings.HasSuffix(rest, ".") ||
				strings.Contains(rest, "  ") {
				t.Errorf("%s: %q: %q", l, key, sentence)
			}
			if group, _, _ := strings.Cut(key, "."); slices.Contains([]string{"reason", "fault", "claim", "way", "move"}, group) &&
				unicode.IsUpper([]rune(sentence)[0]) {
				t.Errorf("%s: the clause %q begins with a capital: %q", l, key, sentence)
			}
		}
		for key := range l.say {
			if _, ok := english.say[key]; !ok {
				t.Errorf("%s: %q is not in the model", l, key)
			}
		}
	}
}

// TestTranslated: no sentence was left in English.
func TestTranslated(t *testing.T) {
	t.Parallel()
	for _, l := range languages[1:] {
		for key, sentence := range l.say {
			words := placeholder.ReplaceAllString(sentence, "")
			if strings.ContainsFunc(words, func(r rune) bool { return r >= 'a' && r <= 'z' }) && l != &spanish || sentence == english.say[key] &&
				strings.Trim(words, " :,()") != "" {
				t.Errorf("%s: %q: %q", l, key, sentence)
			}
		}
	}
}

// codes finds what an expression captures in the Go files of a folder.
func codes(t *testing.T, folder, expression string) (list []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(expression).FindAllStringSubmatch(string(text), -1) {
			list = append(list, m[1])
		}
	}
	if len(list) == 0 {
		t.Fatalf("nothing found for %s in %s", expression, folder)
	}
	return list
}

func reasons() (list []rules.Reason) {
	for r := rules.NoReason + 1; r.String() != ""; r++ {
		list = append(list, r)
	}
	return list
}

// TestEveryCodeHasWords walks all codes that there are, in the rules and in the room of the games.
func TestEveryCodeHasWords(t *testing.T) {
	t.Parallel()
	keys := map[string]bool{}
	for _, r := range reasons() {
		keys["reason."+r.String()] = true
	}
	for _, code := range codes(t, "..", `(?m)^\s*Fault\w+\s*=\s*"([a-z-]+)"`) {
		keys["fault."+code] = true
	}
	for _, code := range codes(t, "../../game", `endGame\([^\n]*"([a-z0-9_]+)"\)`) {
		keys["end."+code] = true
	}
	for o := rules.NoOutcome + 1; o.String() != ""; o++ {
		keys["end."+o.String()] = true
	}
	for c := rules.NoClaim + 1; c.String() != ""; c++ {
		keys["claim."+c.String()], keys["end."+c.String()] = true, true
	}
	for _, code := range strings.Fields("checkmate stalemate dead fivefold 75moves threefold fifty agreement resign flag flag_draw arbiter kings forfeit abandoned") {
		keys["end."+code] = true
	}
	for _, way := range (rules.EscapeMove | rules.EscapeCapture | rules.EscapeInterpose).Names() {
		keys["way."+way] = true
	}
	for _, code := range codes(t, "../../game", `&Pending\{"(\w+)"`) {
		keys["wait."+code] = true
	}
	for _, result := range []string{"1-0", "0-1", "1/2-1/2"} {
		keys["result."+result] = true
	}
	for key := range keys {
		for _, l := range languages {
			if l.say[key] == "" {
				t.Errorf("%s has no words for %s", l, key)
			}
		}
	}
	for key := range english.say {
		group, code, _ := strings.Cut(key, ".")
		if code != "other" && key != "end.resign_draw" && slices.Contains([]string{"reason", "fault"}, group) && !keys[key] {
			t.Errorf("%s is no code of the rules", key)
		}
	}
}

// TestNoSentenceIsDead: every key is asked for somewhere, by its name or as the code of a group.
func TestNoSentenceIsDead(t *testing.T) {
	t.Parallel()
	var source strings.Builder
	for _, file := range []string{"laws.go", "move.go", "event.go", "state.go", "position.go", "template.go"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		source.Write(text)
	}
	groups := codes(t, ".", `"(\w+\.)"`)
	types := codes(t, "../../game", `event\(\) string\s*\{ return "(\w+)"`)
	for key := range english.say {
		group := key[:strings.Index(key, ".")+1]
		if !strings.Contains(source.String(), `"`+key+`"`) && !slices.Contains(groups, group) && !slices.Contains(types, key) {
			t.Errorf("nobody says %q", key)
		}
	}
}

// TestEveryCodeIsSaid: what the rules may answer is said, and no two reasons alike.
func TestEveryCodeIsSaid(t *testing.T) {
	t.Parallel()
	p := rules.Start()
	for _, l := range languages {
		seen := map[string]rules.Reason{}
		for _, r := range reasons() {
			c := rules.Cause{Reason: r, Squares: []rules.Square{rules.NewSquare(4, 3)}}
			text := l.Cause(c, &p)
			if other, twice := seen[text]; text == "" || strings.ContainsAny(text, "{}[]") || twice {
				t.Errorf("%s: %v, %v: %q", l, r, other, text)
			}
			seen[text] = r
		}
		if got := l.Cause(rules.Cause{}, &p); got != "" {
			t.Errorf("%s: nothing wrong says %q", l, got)
		}
		if got := l.Fault("unheard-of"); got != "" {
			t.Errorf("%s: an unknown fault says %q", l, got)
		}
	}
}

func squaresOf(t *testing.T, names string) (list []rules.Square) {
	t.Helper()
	for _, n := range strings.Fields(names) {
		s, ok := rules.ParseSquare(n)
		if !ok {
			t.Fatal(n)
		}
		list = append(list, s)
	}
	return list
}

func TestCause(t *testing.T) {
	t.Parallel()
	p, err := rules.ParsePosition("4k3/8/8/1b6/4r3/8/2P5/RN1QK3 w - - 0 1", rules.Standard)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		l       *Language
		reason  rules.Reason
		squares string
		at      *rules.Position
		want    string
	}{
		{&english, rules.LeavesInCheck, "e4", nil, "the king would stay in check (attack from e4)"},
		{&english, rules.LeavesInCheck, "e4", &p, "the king would stay in check (attack from the rook on e4)"},
		{&english, rules.LeavesInCheck, "e4 b5", &p, "the king would stay in check (attack from the rook on e4 and the bishop on b5)"},
		{&english, rules.CastlingBlocked, "b1 c1 d1", nil, "castling needs empty squares between king and rook; not empty: b1, c1 and d1"},
		{&english, rules.LeavesInCheck, "", nil, "the king would stay in check"},
		{&spanish, rules.LeavesInCheck, "e4 b5", &p, "el rey seguiría en jaque (ataque de la torre en e4 y del alfil en b5)"},
		{&spanish, rules.LeavesInCheck, "e4", nil, "el rey seguiría en jaque (ataque desde e4)"},
		{&spanish, rules.CastlingBlocked, "b1 d1", nil, "entre el rey y la torre no puede haber piezas; están ocupadas b1 y d1"},
		{&russian, rules.LeavesInCheck, "e4", &p, "король остался бы под шахом (атакует: ладья на e4)"},
		{&russian, rules.LeavesInCheck, "e4 b5", &p, "король остался бы под шахом (атакуют: ладья на e4 и слон на b5)"},
		{&russian, rules.CastlingBlocked, "b1", nil, "поля между королём и ладьёй должны быть свободны; занято b1"},
		{&persian, rules.PathBlocked, "e4", nil, "راه در \u2068e4\u2069 بسته است"},
		{&persian, rules.LeavesInCheck, "e4", &p, "شاه همچنان در کیش می‌ماند (حمله از رخ در \u2068e4\u2069)"},
		{&korean, rules.PathBlocked, "e3", nil, "가는 길에서 e3이 막혀 있습니다"},
		{&korean, rules.PathBlocked, "e4", nil, "가는 길에서 e4가 막혀 있습니다"},
		{&korean, rules.LeavesInCheck, "e4 b5", &p, "킹이 계속 체크 상태에 있게 됩니다 (공격: e4의 룩, b5의 비숍)"},
		{&thai, rules.LeavesInCheck, "e4 b5", &p, "คิงจะยังถูกรุกอยู่ (โจมตีจากเรือที่ e4 และบิชอปที่ b5)"},
		{&thai, rules.LeavesInCheck, "e4", nil, "คิงจะยังถูกรุกอยู่ (โจมตีจาก e4)"},
	} {
		if got := c.l.Cause(rules.Cause{Reason: c.reason, Squares: squaresOf(t, c.squares)}, c.at); got != c.want {
			t.Errorf("%s, %v: %q, want %q", c.l, c.reason, got, c.want)
		}
	}
}

func TestEnd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		l              *Language
		result, reason string
		want           string
	}{
		{&english, "1-0", "checkmate", "White wins: checkmate"},
		{&english, "1/2-1/2", "resign", "It is a draw: one side resigns, and the other cannot give mate"},
		{&english, "0-1", "resign", "Black wins: the other side resigns"},
		{&english, "*", "abandoned", "The game is abandoned"},
		{&english, "0-1", "of another version", "Black wins: the game is over"},
		{&spanish, "1/2-1/2", "stalemate", "Tablas: ahogado"},
		{&russian, "0-1", "flag", "Чёрные выиграли: падение флажка"},
		{&persian, "1-0", "checkmate", "سفید می‌برد: کیش‌ومات"},
		{&korean, "1/2-1/2", "threefold", "무승부: 3회 동형 반복"},
		{&thai, "0-1", "resign", "ฝ่ายดำชนะ: อีกฝ่ายยอมแพ้"},
	} {
		if got := c.l.End(c.result, c.reason); got != c.want {
			t.Errorf("%s: %q, want %q", c.l, got, c.want)
		}
	}
}

func TestState(t *testing.T) {
	t.Parallel()
	black := rules.Black
	for _, c := range []struct {
		name string
		s    State
		want string
	}{
		{"offline goes before all", State{Status: "playing", Turn: &black}, "The board is not connected"},
		{"turn", State{Online: true, Status: "playing", Turn: &black}, "Black to move"},
		{"check", State{Online: true, Status: "playing", Turn: &black, InCheck: true}, "Black to move, in check"},
		{"offer", State{Online: true, Status: "playing", Turn: &black, DrawOffer: &black}, "Black offers a draw; Black to move"},
		{"castling", State{Online: true, Turn: &black, Waiting: "rook", Squares: squaresOf(t, "h8 f8")}, "Castling: the rook goes from h8 to f8"},
		{"victim", State{Online: true, Turn: &black, Waiting: "victim", Squares: squaresOf(t, "d4")}, "Waiting for the captured pawn to be taken off d4"},
		{"doubt", State{Online: true, Turn: &black, Waiting: "doubt"}, "It is not clear which move was played"},
		{"of another version", State{Online: true, Turn: &black, Waiting: "tea"}, ""},
		{"a rook from nowhere", State{Online: true, Turn: &black, Waiting: "rook"}, ""},
		{"set-up", State{Online: true, Status: "setup"}, "Waiting for the start position"},
		{"end", State{Online: true, Status: "finished", Result: "1-0", Reason: "flag"}, "White wins: on time"},
		{"idle", State{Online: true, Status: "idle"}, ""},
	} {
		if got := english.State(c.s); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestVerdicts: all that explain says in a line.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	p, err := rules.ParsePosition("4k3/8/8/8/1b6/2N5/4r3/R3K3 w Q - 0 1", rules.Standard)
	if err != nil {
		t.Fatal(err)
	}
	at := func(from, to string) rules.Verdict {
		s := squaresOf(t, from+" "+to)
		return p.Judge(s[0], s[1], rules.NoRole)
	}
	quiet := func(from, to string) rules.Verdict {
		v := at(from, to)
		v.Check = false
		return v
	}
	for _, c := range []struct{ got, want string }{
		{english.Legal("e2e4", "e4", rules.NoClaim), "e2e4: legal (e4)"},
		{english.Legal("Nf3", "Nf3", rules.Threefold), "Nf3: legal (Nf3); with it a draw may be claimed: the same position for the third time"},
		{korean.Legal("O-O", "O-O", rules.Fifty), "O-O: 둘 수 있는 수 (O-O); 이 수로 무승부를 청구할 수 있습니다: 50수 규칙"},
		{english.Illegal("e1c1", at("e1", "c1"), "", &p), "e1c1: illegal by 3.8.2.2.1: no castling out of check (attack from the rook on e2); " +
			"ways out of check: move the king or capture the piece that gives check"},
		{spanish.Illegal("b4d4", at("b4", "d4"), "", nil), "b4d4: ilegal según 1.2: la pieza de b4 es del bando al que no le toca mover; además 3.2 (el alfil se mueve en diagonal); " +
			"para salir del jaque: mover el rey o capturar la pieza que da jaque"},
		{russian.Illegal("c3c4", quiet("c3", "c4"), "5. Ke2", nil), "c3c4: ход невозможен по статье 3.6: конь ходит на два поля по прямой и на одно в сторону (5. Ke2)"},
		{persian.Illegal("c3c4", quiet("c3", "c4"), "5. Ke2", nil), "\u2068c3c4\u2069: غیرقانونی بنا بر مادهٔ \u20683.6\u2069: اسب دو خانه در یک راستا و یک خانه به پهلو می‌رود (\u20685. Ke2\u2069)"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
