package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/rules/laws"
)

// TestConfiguredLanguages: what may be configured is what is spoken, and the shipped file tells of each.
func TestConfiguredLanguages(t *testing.T) {
	t.Parallel()
	if !slices.Equal(config.Languages, laws.Tags()) {
		t.Errorf("configured %v, spoken %v", config.Languages, laws.Tags())
	}
	for _, tag := range laws.Tags() {
		if !strings.Contains(config.Shipped, `"`+tag+`"`) {
			t.Errorf("boardd.toml does not name the language %q", tag)
		}
	}
}

// TestLanguageFlag: the sentences of explain, position and replay are in the language that --lang asks for.
func TestLanguageFlag(t *testing.T) {
	t.Parallel()
	recording := t.TempDir() + "/promotion.jsonl"
	lines := `{"recording":1,"acuity":"piece","fen":"4k3/8/8/8/8/8/8/4K2R w K - 0 1"}` + "\n" + `{"t":100,"sq":"h1","to":"."}` + "\n" +
		`{"t":600,"sq":"f5","to":"R"}` + "\n" + `{"t":9000,"end":true}` + "\n"
	if err := os.WriteFile(recording, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"explain", "--lang", "es-MX", "--json", "g1f3"}, `"text":"Caballo de g1 a f3"`},
		{[]string{"explain", "--lang", "ko", "--json", "--fen", "4k3/8/8/8/4r3/8/8/4K2R w K - 0 1", "e1g1"}, `"text":"체크 상태에서는 캐슬링할 수 없습니다 (공격: e4의 룩)"`},
		{[]string{"explain", "--lang", "fa_IR", "e2e5"}, "پیاده مستقیم به جلو می‌رود"},
		{[]string{"position", "--lang", "ru", "--fen", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"}, "Ничья: ни одна из сторон не может дать мат\n5 возможных"},
		{[]string{"position", "--lang", "ru", "--json", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"}, `"text":"у каждой стороны должен быть ровно один король"`},
		{[]string{"replay", "--lang", "th", recording}, "ฝ่ายขาวเดินจาก h1 ไป f5 ไม่ได้: เรือเดินตามแนวตั้งและแนวนอน, ข้อ 3.3"},
	} {
		if code, stdout, stderr := boardd(c.args...); code != exitOK || !strings.Contains(stdout, c.want) {
			t.Errorf("%v: code %d, %s%s; want %s", c.args, code, stdout, stderr, c.want)
		}
	}
	if code, _, stderr := boardd("replay", "--lang", "de", recording); code != exitUsage || !strings.Contains(stderr, "use one of en, es, ru, fa, ko, th") {
		t.Errorf("code %d, %s", code, stderr)
	}
}
