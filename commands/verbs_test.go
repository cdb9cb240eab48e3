package commands

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/game"
)

// Every verb of the core is here, and every key is taken by some verb.
func TestVerbs(t *testing.T) {
	t.Parallel()
	mine := Verbs()
	for _, v := range game.Verbs {
		if !slices.Contains(mine, v) {
			t.Errorf("there is no %s", v)
		}
	}
	if len(mine) != len(game.Verbs)+1 { // and resend, which the doors do
		t.Errorf("%d verbs: %v", len(mine), mine)
	}
	used := map[string]bool{}
	for _, v := range mine {
		if Does(v) == "" {
			t.Errorf("%s does nothing", v)
		}
		for _, k := range KeysOf(v) {
			used[k] = true
			if Wants(v, k) == "" {
				t.Errorf("%s takes %s, which nobody reads", v, k)
			}
		}
	}
	for _, k := range Keys() {
		if !used[k] {
			t.Errorf("no verb takes %s", k)
		}
	}
	if KeysOf("fly") != nil || Does("fly") != "" || Wants("fly", "wings") != "" {
		t.Error("there is what there is not")
	}
}

func TestValue(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ verb, key, text, want string }{
		{"takeback", "plies", "2", `2`},
		{"takeback", "plies", "21", `plies: wants a whole number from 1 to 20`},
		{"takeback", "plies", "two", `plies: wants a whole number from 1 to 20`},
		{"takeback", "if_seq", "-1", `if_seq: wants a whole number from 0`},
		{"lights", "on", "false", `false`},
		{"lights", "on", "off", `on: wants true or false`},
		{"result", "value", "1/2-1/2", `"1/2-1/2"`},
		{"led_brightness", "value", "40", `40`},
		{"led_brightness", "value", "1-0", "value: wants a whole number from 0 to 100"},
		{"result", "value", "2-0", "value: wants *, 1-0, 0-1 or 1/2-1/2"},
		{"move", "uci", "e7e8q", `"e7e8q"`},
		{"edit", "uci", "e2e4,e7e5 g1f3", `["e2e4","e7e5","g1f3"]`},
		{"edit", "uci", "", `[]`},
		{"edit", "uci", "e2e4,x", Wants("edit", "uci")},
		{"names", "white", "123", `"123"`},
		{"names", "white", "true", `"true"`},
		{"names", "white", `Anna "A" B`, `"Anna \"A\" B"`},
		{"clock_set", "add_ms", "-5000", `-5000`},
		{"fly", "wings", "2", `there is no key "wings"`},
		{"takeback", "plies", "", "plies: wants"},
		{"takeback", "plies", "01", "plies: wants"},
		{"takeback", "plies", "-", "plies: wants"},
	} {
		v, err := Value(c.verb, c.key, c.text)
		got := string(v)
		if err != nil {
			got = err.Error()
		}
		if got != c.want && (err == nil || !strings.Contains(got, c.want)) {
			t.Errorf("%s %s=%s: %s, want %s", c.verb, c.key, c.text, got, c.want)
		}
		if err == nil {
			if _, no := Decode(c.verb, fmt.Appendf(nil, `{%q:%s}`, c.key, v)); no != nil {
				t.Errorf("%s %s=%s is refused: %v", c.verb, c.key, c.text, no)
			}
		}
	}
}

// FuzzValue: whatever is typed is refused in a line, or is JSON that is read.
func FuzzValue(f *testing.F) {
	f.Add("takeback", "plies", "2")
	f.Add("edit", "uci", "e2e4,e7e5")
	f.Add("names", "white", "A\x00\"\xff")
	f.Add("result", "value", "1-0")
	f.Fuzz(func(t *testing.T, verb, key, text string) {
		v, err := Value(verb, key, text)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\r\n") {
				t.Errorf("%q", err)
			}
			return
		}
		if !json.Valid(v) {
			t.Errorf("%s %s=%q: %s", verb, key, text, v)
		}
	})
}
