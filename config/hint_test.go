package config

import (
	"testing"

	"pgregory.net/rapid"
)

func TestHint(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{
		"mqtt.port":              ": did you mean mqtt.listen?",
		"board[0].device":        ": did you mean port in [[board]]?",
		"mqtt.password":          ": did you mean mqtt.password_file?",
		"mqtt.URL":               ": did you mean mqtt.url?",
		"mqtt.usernam":           ": did you mean mqtt.username?",
		"node.nmae":              ": did you mean node.name?",
		"nodes":                  ": did you mean node?",
		"driver":                 ": did you mean driver in [[board]]?",
		"mode":                   ": did you mean mode in [board.rules]?",
		"node.acuity":            ": did you mean acuity in [board.sensor]?",
		"board[1].rules.vairant": ": did you mean variant in [board.rules]?",
		"board[0].settle_ms":     ": did you mean settle_ms in [board.sensor]?",
		"mqtt.web.listen":        ": did you mean mqtt.listen?",
		"web":                    "",
		`mqtt."a b"`:             "",
	} {
		if got := hint(key); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"url", "url", 0}, {"ulr", "url", 1}, {"prot", "port", 1}, {"usr", "user", 1}, {"listen", "listne", 1}, {"abc", "xyz", 3}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("%s %s: %d", c.a, c.b, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.StringN(0, 20, 50).Draw(t, "a"), rapid.StringN(0, 20, 50).Draw(t, "b")
		if distance(a, b) != distance(b, a) || distance(a, b) == 0 && a != b {
			t.Fatalf("%d and %d", distance(a, b), distance(b, a))
		}
	})
}
