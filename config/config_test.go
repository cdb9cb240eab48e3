package config

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
)

// text is a configuration with one good board below what is given.
func text(lines ...string) string {
	return strings.Join(append(lines, "[[board]]", `driver = "virtual"`, ""), "\n")
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		text string
		env  []string
		want string // all lines, of a file f
	}{
		// The first error of syntax or type, alone.
		{"syntax", "[node\nname = 1", nil, "f:1: expected ']' to close table name"},
		{"no value", "[node]\nname =\n", nil, "f:2: unexpected character U+000A at start of value"},
		{"text without quotes", "[[board]]\ndriver = dgt\n", nil, "f:2: unexpected character U+0064 'd' at start of value: text stands in quotes"},
		{"a path without quotes", "[[board]]\ndriver = \"dgt\"\nport = /dev/ttyUSB0\n", nil, "f:3: unexpected character U+002F '/' at start of value: text stands in quotes"},
		{"twice", "[node]\nname = \"a\"\nname = \"b\"", nil, "f:3: node.name: key name is already defined"},
		{"number for text", text("[node]", "name = 7", "data = 8", "colour = 9"), nil, `f:2: node.name: wants text in "quotes", not a whole number`},
		{"text for truth", text("[mqtt]", `publish_names = "yes"`), nil, `f:2: mqtt.publish_names: wants true or false, not text in "quotes"`},
		{"fraction for number", "[[board]]\nleds.brightness = 0.25\n", nil, "f:2: board[0].leds.brightness: wants a whole number, not a number with a fraction"},
		{"a table for text", text("[node.name]"), nil, `f:1: node.name: wants text in "quotes", not a table`},
		{"text for a table", `mqtt = "mqtt://broker"`, nil, `f:1: mqtt: wants a table, not text in "quotes"`},
		{"one board in single brackets", "[board]\ndriver = \"dgt\"", nil, "f:1: board: is a list: write [[board]]"},
		{"the second board in single brackets", "[[board]]\ndriver = \"dgt\"\n[board]\nname = \"x\"", nil, "f:3: board[0]: is a list: write it in double brackets, as in [[board]]"},
		{"quotes of a word processor", "[[board]]\ndriver = “dgt”", nil, `f:2: text stands in straight quotes, "so", not in “such”`},
		{"a table in double brackets", "[[mqtt]]\nurl = \"\"", nil, "f:1: mqtt: is one table: write [mqtt]"},
		{"a list of numbers", "board = [1]", nil, "f:1: board[0]: wants a table, not a whole number"},
		{"too large a number", "[[board]]\nsensor.settle_ms = 99999999999999999999", nil, "f:2: board[0].sensor.settle_ms: decimal number is too large to fit in a 64-bit signed integer"},

		// Else all unknown keys.
		{"unknown keys", text("nodes = 1", "[node]", `nmae = "x"`, "[web]", "listen = 1", "[web.more]", "[mqtt]", `URL = ""`, `"a b" = 1`, `url = "gopher://x"`), nil,
			"f:1: nodes: unknown key: did you mean node?\nf:3: node.nmae: unknown key: did you mean node.name?\nf:4: web: unknown key\nf:8: mqtt.URL: unknown key: did you mean mqtt.url?\nf:9: mqtt.\"a b\": unknown key"},
		{"unknown key of the second board", "[[board]]\ndriver = \"virtual\"\n[[board]]\nid = \"b\"\n[board.rules]\nmood = \"bad\"\n", nil,
			"f:6: board[1].rules.mood: unknown key"},
		{"unknown inline", "board = [{driver = \"virtual\", rules = {mood = 1, mode = \"casual\"}}]", nil, "f:1: board[0].rules.mood: unknown key"},
		{"unknown dotted", text("mqtt.web.listen = 1"), nil, "f:1: mqtt.web.listen: unknown key: did you mean mqtt.listen?"},

		// Else every fault of meaning.
		{"no board", "", nil, "f: there is no [[board]]: at least one is needed"},
		{"no driver", "\n[[board]]\n", nil, "f:2: board[0].driver: is missing: write driver = \"dgt\", or what else reads the board: " + either(Drivers[1:])},
		{"unknown driver", "[[board]]\ndriver = \"abacus\"", nil, `f:2: board[0].driver: "abacus": use ` + either(Drivers)},
		{"same id", "[[board]]\ndriver = \"dgt\"\n[[board]]\ndriver = \"dgt\"\n", nil, // two that look for their ports find two
			"f:3: board[1].id: another board has the id \"board\" already: give each its own"},
		{"one port in other words", "[[board]]\nid = \"a\"\ndriver = \"dgt\"\nport = \"/dev/ttyUSB0\"\n[[board]]\nid = \"b\"\ndriver = \"dgt\"\nport = \"/dev//ttyUSB0\"\n" +
			"[[board]]\nid = \"c\"\ndriver = \"dgt\"\nport = \"/dev/serial/../ttyUSB0\"\n", nil,
			"f:8: board[1].port: another board has the port \"/dev//ttyUSB0\" already\nf:12: board[2].port: another board has the port \"/dev/serial/../ttyUSB0\" already"},
		{"ids", text("[node]", `name = "Home"`) + "id = \"reply\"\n", nil,
			"f:2: node.name: \"Home\": wants 1 to 32 of a-z, 0-9 and -, not beginning with -\nf:5: board[0].id: \"reply\" is the name of a topic: use another"},
		{"id begins with -", text() + "id = \"-a\"\n", nil, `f:3: board[0].id: "-a": wants 1 to 32 of a-z, 0-9 and -, not beginning with -`},
		{"id empty", text() + "id = \"\"\n", nil, `f:3: board[0].id: "": wants 1 to 32 of a-z, 0-9 and -, not beginning with -`},
		{"port of no port", text() + "port = \"auto\"\n", nil, "f:3: board[0].port: the virtual board has no port"},
		{"a Centaur is not looked for", "[[board]]\ndriver = \"centaur\"\nport = \"auto\"\n", nil,
			"f:3: board[0].port: a DGT Centaur is never looked for, as its questions would harm other boards: name the port, such as /dev/serial0"},
		{"bus", "[[board]]\ndriver = \"dgt\"\ndgt_bus = \"16384\"\n[[board]]\nid = \"b\"\ndriver = \"virtual\"\ndgt_bus = \"auto\"\n", nil,
			"f:3: board[0].dgt_bus: \"16384\": use auto, or the board's serial number, 1 to 16383\n" +
				"f:7: board[1].dgt_bus: only DGT boards speak this way: leave this key out"},
		{"port empty", "[[board]]\ndriver = \"dgt\"\nport = \"\"\n", nil, "f:3: board[0].port: may not be empty"},
		{"board words", text() + "name = \"a\\u0007\"\norientation = \"up\"\n", nil,
			"f:3: board[0].name: wants at most 64 characters, no control characters\nf:4: board[0].orientation: \"up\": use auto, white or black"},
		{"two in the terminal", "[[board]]\nid = \"a\"\ndriver = \"virtual\"\nleds.driver = \"terminal\"\n[[board]]\ndriver = \"virtual\"\nleds.driver = \"terminal\"\n", nil,
			"f:7: board[1].leds.driver: another board is drawn in the terminal already"},
		{"sensor", text() + "[board.sensor]\nacuity = \"sharp\"\nsettle_ms = 1001\n", nil,
			"f:4: board[0].sensor.acuity: \"sharp\": use presence, color or piece\nf:5: board[0].sensor.settle_ms: 1001: wants 0 to 1000"},
		{"acuity of a DGT board", "[[board]]\ndriver = \"dgt\"\nsensor.acuity = \"color\"\n", nil, "f:3: board[0].sensor.acuity: a DGT board sees pieces: leave this key out"},
		{"lights", text() + "[board.leds]\nbrightness = 0\npalette = {remove = \"orange\", put = \"#12345g\", info = \"#1234567\"}\n", nil,
			"f:4: board[0].leds.brightness: 0: wants 1 to 100\nf:5: board[0].leds.palette.remove: \"orange\": wants a colour such as \"#ff4000\"\n" +
				"f:5: board[0].leds.palette.put: \"#12345g\": wants a colour such as \"#ff4000\"\nf:5: board[0].leds.palette.info: \"#1234567\": wants a colour such as \"#ff4000\""},
		{"rules", text() + "[board.rules]\nmode = \"blitz\"\nvariant = \"atomic\"\ntouch_move = \"strict\"\ndefault_promotion = \"king\"\nlanguage = \"de\"\n", nil,
			"f:4: board[0].rules.mode: \"blitz\": use training, casual or observer\nf:5: board[0].rules.variant: \"atomic\": use standard or chess960\n" +
				"f:6: board[0].rules.touch_move: touch_move strict is not in this version: use off\n" +
				"f:7: board[0].rules.default_promotion: \"king\": use queen, rook, bishop or knight\nf:8: board[0].rules.language: \"de\": use en, es, ru, fa, ko or th"},

		{"scheme", text("[mqtt]", `url = "http://broker"`), nil, `f:2: mqtt.url: "http": begin with mqtt://, mqtts://, ws:// or wss://`},
		{"no scheme", text("[mqtt]", `url = "broker:1883"`), nil, "f:2: mqtt.url: wants SCHEME://HOST:PORT, such as mqtt://broker.lan:1883"},
		{"no host", text("[mqtt]", `url = "mqtt://:1883"`), nil, "f:2: mqtt.url: wants SCHEME://HOST:PORT, such as mqtt://broker.lan:1883"},
		{"port", text("[mqtt]", `url = "mqtt://broker:70000"`), nil, `f:2: mqtt.url: "70000" is no port: wants 1 to 65535`},
		{"password in the URL", text("[mqtt]", `url = "mqtt://me:secret@broker"`), nil, "f:2: mqtt.url: holds a user name or password: use mqtt.username and mqtt.password_file"},
		{"path", text("[mqtt]", `url = "mqtt://broker/boards"`), nil, "f:2: mqtt.url: ends after the port: /boards is too much"},
		{"listen", text("[mqtt]", `listen = "1883"`), nil, `f:2: mqtt.listen: "1883": wants ADDRESS:PORT, such as 127.0.0.1:1883`},
		{"listen at a name", text("[mqtt]", `listen = "pi.lan:1883"`), nil, `f:2: mqtt.listen: "pi.lan:1883": wants ADDRESS:PORT, such as 127.0.0.1:1883`},
		{"listen everywhere", text("[mqtt]", `listen = ":1883"`), nil, `f:2: mqtt.listen: ":1883" listens beyond this machine, which needs mqtt.username and mqtt.password_file`},
		{"listen on the network", text("[mqtt]", `listen = "[::]:1883"`, `username = "me"`), nil,
			"f:2: mqtt.listen: \"[::]:1883\" listens beyond this machine, which needs mqtt.username and mqtt.password_file\nf:3: mqtt.username: needs mqtt.password_file"},
		{"password without name", text("[mqtt]", `password_file = "p"`), nil, "f:2: mqtt.password_file: needs mqtt.username"},
		{"TLS files without TLS", text("[mqtt]", `url = "mqtt://broker"`, `ca_file = "ca.pem"`), nil, "f:3: mqtt.ca_file: is for a broker with TLS: mqtt.url must begin with mqtts:// or wss://"},
		{"certificate without key", text("[mqtt]", `url = "mqtts://broker"`, `cert_file = "c.pem"`), nil, "f:3: mqtt.cert_file: needs mqtt.key_file"},
		{"root", text("[mqtt]", `root = "boardd/+/v1"`), nil, `f:2: mqtt.root: "boardd/+/v1": wants levels of letters, digits, _ and - with / between, at most 64 bytes`},
		{"commands", text("[mqtt]", `commands = "all"`), nil, `f:2: mqtt.commands: "all": use off, safe, play or arbiter`},

		// The environment.
		{"unknown variable", text(), []string{"BOARDD_MQTT_URLS=x", "BOARDD_WEB_LISTEN=x", "BOARDD_TEST=full", "PATH=/bin"},
			"BOARDD_MQTT_URLS: there is no such key to override\nBOARDD_WEB_LISTEN: there is no such key to override"},
		{"variable of a board", text(), []string{"BOARDD_BOARD_ID=x"}, "BOARDD_BOARD_ID: keys of [[board]] can only be set in the file"},
		{"variable with a fault", text("[mqtt]", `url = "mqtt://broker"`), []string{"BOARDD_MQTT_URL=nowhere"}, "BOARDD_MQTT_URL: wants SCHEME://HOST:PORT, such as mqtt://broker.lan:1883"},
		{"variable of another type", text(), []string{"BOARDD_MQTT_PUBLISH_NAMES=perhaps"}, "BOARDD_MQTT_PUBLISH_NAMES: wants true or false"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := Parse("f", []byte(c.text), c.env)
			if err == nil {
				t.Fatal("no fault found")
			}
			if err.Error() != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", err, c.want)
			}
		})
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	b := DefaultBoard()
	b.Name, b.Driver = "board", "virtual"
	one := Default()
	one.Boards = []Board{b}

	env := one
	env.MQTT.URL, env.MQTT.PublishNames, env.Node.Name = "mqtt://broker.lan:1883", false, "club"

	two := one
	table := b
	table.ID, table.Name, table.Driver, table.Port = "table-07", "Table 7", "dgt", "/dev/ttyUSB0"
	table.Rules.Takeback, table.Rules.Mode, table.LEDs.Palette.Put = false, "observer", "#0000FF"
	other := b
	other.ID, other.Name = "other", "other"
	two.Boards = []Board{table, other}

	open := one
	open.MQTT.Listen, open.MQTT.Username, open.MQTT.PasswordFile = ":1883", "me", "/etc/boardd/password"

	for _, c := range []struct {
		name, text string
		env        []string
		want       Config
	}{
		{"one board", text(), nil, one},
		{"with a byte order mark and CR LF", "\xef\xbb\xbf[[board]]\r\ndriver = \"virtual\"\r\n", nil, one},
		{"the environment goes before the file", text("[mqtt]", `url = "mqtt://other"`),
			[]string{"BOARDD_MQTT_URL=mqtt://broker.lan:1883", "BOARDD_MQTT_PUBLISH_NAMES=false", "BOARDD_NODE_NAME=club"}, env},
		{"two boards", `
[[board]]
id = "table-07"
name = "Table 7"
driver = "dgt"
port = "/dev/ttyUSB0"
[board.rules]
takeback = false
mode = "observer"
[board.leds.palette]
put = "#0000FF"
[[board]]
id = "other"
driver = "virtual"
`, nil, two},
		{"two boards in lists", `board = [
  {id = "table-07", name = "Table 7", driver = "dgt", port = "/dev/ttyUSB0", rules = {takeback = false, mode = "observer"}, leds.palette.put = "#0000FF"},
  # and
  {id = "other", driver = "virtual"},
]`, nil, two},
		{"open with a password", text("[mqtt]", `listen = ":1883"`, `username = "me"`, `password_file = "/etc/boardd/password"`), nil, open},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := Parse("f", []byte(c.text), c.env)
			if err != nil {
				t.Fatal(err)
			}
			got.MQTT.passwordAt = Fault{}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func TestLoadSaysWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "none.toml")
	if _, err := Load(t.Context(), path, nil); err == nil || err.Error() != path+": there is no such file: write one (config/boardd.toml explains every key), or name another with -c" {
		t.Errorf("got %v", err)
	}
	for path, want := range map[string]string{
		"/dev/zero":   "/dev/zero: cannot be read: not a regular file",
		t.TempDir():   "cannot be read: is a directory",
		large(t):      "is larger than 262144 bytes",
		"/proc/self/": "cannot be read: is a directory",
	} {
		if _, err := Load(t.Context(), path, nil); err == nil || !strings.HasSuffix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v", path, err)
		}
	}
	if err := os.WriteFile(path, []byte(text()), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(t.Context(), path, nil); err != nil {
		t.Error(err)
	}
}

// What is long or deep is refused quickly and in few words, whatever it is.
func TestLongAndDeep(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 3000)
	for _, c := range []struct{ name, text, want string }{
		{"a key of many parts", "a" + strings.Repeat(".a", 100_000) + " = 1\n", "f:1: this line is longer than 4096 bytes"},
		{"a table of many parts", text() + "[a" + strings.Repeat(".a", 100_000) + "]\n", "f:3: this line is longer than 4096 bytes"},
		{"tables in tables", "a = " + strings.Repeat("{a = ", 40_000) + "1", "f:1: this line is longer than 4096 bytes"},
		{"a long value", "[node]\nname = \"" + strings.Repeat("x", 200_000) + "\"\n", "f:2: this line is longer than 4096 bytes"},
		{"lists in lists", "a = " + strings.Repeat("[\n", 100_000), "levels deep"},
		{"as many parts as a line holds", strings.Repeat("a"+strings.Repeat(".a", 2000)+" = 1\n", 60), "f:2: a.a."},
		{"a long key", text(long + " = 1"), "f:1: xxx"},
		{"a long quoted key", text(`"` + strings.Repeat(`\u00e9`, 600) + `" = 1`), "f:1: "},
		{"an unknown value", text("[node]", `name = "`+long+`"`), "wants 1 to 32 of a-z"},
		{"a word", text() + "orientation = \"" + long + "\"\n", "use auto, white or black"},
		{"a path", text("[mqtt]", `url = "mqtt://b/`+long+`"`), "is too much"},
		{"a colour", text() + "leds.palette.put = \"" + long + "\"\n", "wants a colour"},
		{"a port", "[[board]]\nid=\"a\"\ndriver=\"dgt\"\nport=\"/" + long + "\"\n[[board]]\ndriver=\"dgt\"\nport=\"/" + long + "\"\n", "already"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			_, err := Parse("f", []byte(c.text), nil)
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("it took %v", took)
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %.300v, want %q", err, c.want)
			}
			for line := range strings.Lines(err.Error()) {
				if len(line) > 600 {
					t.Errorf("a fault of %d bytes: %.200s", len(line), line)
				}
			}
		})
	}
	m := MQTT{PasswordFile: "/" + long}
	if _, err := m.Password(); err == nil || len(err.Error()) > 300 {
		t.Errorf("got %.300v", err)
	}
	if _, err := Parse("f", []byte(text()), []string{"BOARDD_MQTT_" + strings.ToUpper(long) + "=1"}); err == nil || len(err.Error()) > 300 {
		t.Errorf("got %.300v", err)
	}
}

// large is a file that is larger than a configuration may be.
func large(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "large.toml")
	if err := os.WriteFile(path, []byte(strings.Repeat("#\n", maxSize)), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// commentedKey is a key of the shipped file that shows its default.
var commentedKey = regexp.MustCompile(`(?m)^#([a-z_]+ = )`)

func TestShippedFileParses(t *testing.T) {
	t.Parallel()
	if _, err := Parse("boardd.toml", []byte(Shipped), nil); err != nil {
		t.Error(err)
	}
}

func TestShippedFileShowsTheDefaults(t *testing.T) {
	t.Parallel()
	plain, err := Parse("boardd.toml", []byte(Shipped), nil)
	if err != nil {
		t.Fatal(err)
	}
	all, err := Parse("boardd.toml", []byte(commentedKey.ReplaceAllString(Shipped, "$1")), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(plain, all) {
		t.Errorf("with every key set:\n%+v\nwith none:\n%+v", all, plain)
	}
	if want := Default(); !reflect.DeepEqual(plain.Node, want.Node) || !reflect.DeepEqual(plain.MQTT, want.MQTT) {
		t.Errorf("got %+v, want the defaults %+v", plain, want)
	}
}

func TestShippedFileHasEveryKey(t *testing.T) {
	t.Parallel()
	all := commentedKey.ReplaceAllString(Shipped, "$1")
	keys, err := readKeys([]byte(all))
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, example := range examples(t) {
		keys, err := readKeys([]byte(example))
		if err != nil {
			t.Fatal(err)
		}
		for path := range keys.lines {
			shown[path] = true
		}
	}
	var check func(t reflect.Type, path string)
	check = func(typ reflect.Type, path string) {
		for i := range typ.NumField() {
			f := typ.Field(i)
			if !f.IsExported() {
				continue
			}
			key := strings.TrimPrefix(path+"."+f.Tag.Get("toml"), ".")
			switch f.Type.Kind() {
			case reflect.Struct:
				check(f.Type, key)
			case reflect.Slice:
				if f.Type.Elem().Kind() == reflect.Struct {
					check(f.Type.Elem(), key+"[0]")
					continue
				}
				fallthrough
			default:
				if !keys.has(key) && !shown[key] {
					t.Errorf("boardd.toml does not explain %s", key)
				}
			}
		}
	}
	check(reflect.TypeFor[Config](), "")
}

func FuzzParse(f *testing.F) {
	f.Add(Shipped)
	f.Add(commentedKey.ReplaceAllString(Shipped, "$1"))
	f.Add(text("a.b.c = [[1, {d = 2}], 1979-05-27T07:32:00Z]", "[[x.y]]", "[[x.y.z]]", `"" = ''`))
	f.Add("board = [{}, {driver = \"dgt\"}]\n[board.rules]\n")
	f.Add("[mqtt]\nlisten = \"[::1%eth0]:0\"\nurl = \"wss://[::1]:9/x\"\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse("f", []byte(text), nil)
		if err == nil {
			if len(c.Boards) == 0 {
				t.Error("no board and no fault")
			}
			return
		}
		faults, ok := err.(Faults)
		if !ok || len(faults) == 0 {
			t.Fatalf("the error is %T %v", err, err)
		}
		for _, fault := range faults {
			if s := fault.String(); strings.ContainsAny(s, "\r\n") || fault.Message == "" {
				t.Errorf("a fault of more than one line or none: %q", s)
			}
			if s := fault.String(); len(s) > 1500 { // a few values, perhaps all of it escaped
				t.Errorf("a fault of %d bytes", len(s))
			}
			if fault.Line < 0 || fault.Line > strings.Count(text, "\n")+1 {
				t.Errorf("line %d of %d", fault.Line, strings.Count(text, "\n")+1)
			}
		}
	})
}
