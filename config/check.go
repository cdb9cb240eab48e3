package config

import (
	"fmt"
	"net/netip"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// checker looks for faults of meaning.
type checker struct {
	file   string
	keys   keys
	env    map[string]string // variables that have set a key, by its path
	faults Faults
}

// fault notes a fault at a key, where the key is: in the file, in the environment, or nowhere. Long arguments are shortened.
func (ck *checker) fault(path, format string, args ...any) {
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			args[i] = short(text)
		}
	}
	f := ck.at(path)
	f.Message = fmt.Sprintf(format, args...)
	ck.faults = append(ck.faults, f)
}

// at is a fault, still without a message, at the place where a key was set.
func (ck *checker) at(path string) Fault {
	if variable, ok := ck.env[path]; ok {
		return Fault{Key: variable}
	}
	return Fault{File: ck.file, Line: ck.keys.lines[path], Key: path}
}

func (ck *checker) config(c *Config) {
	ck.id("node.name", c.Node.Name)
	ck.printable("node.data", c.Node.Data)
	ck.number("node.keep_days", c.Node.KeepDays, 0, 36_500)
	ck.socketPath("node.socket", c.Node.Socket)
	ck.oneOf("node.log_level", c.Node.LogLevel, []string{"debug", "info", "warn", "error"}, nil)
	ck.mqtt(&c.MQTT)
	if len(c.Boards) == 0 {
		ck.faults = append(ck.faults, Fault{File: ck.file, Message: "there is no [[board]]: at least one is needed"})
	}
	ids, ports, drawn := map[string]bool{}, map[string]bool{}, false
	taken := wires{}
	for i := range c.Boards {
		b, path := &c.Boards[i], fmt.Sprintf("board[%d]", i)
		ck.board(path, b)
		if ids[b.ID] {
			ck.faultAt(path, "id", "another board has the id %q already: give each its own", b.ID)
		}
		port := filepath.Clean(b.Port) // "/dev//ttyUSB0" is the same device
		if b.Port != "" && b.Port != "auto" && ports[port] {
			ck.faultAt(path, "port", "another board has the port %q already", b.Port)
		}
		if b.LEDs.Driver == "terminal" && drawn {
			ck.faultAt(path, "leds.driver", "another board is drawn in the terminal already")
		}
		ck.wires(path, b, taken)
		ids[b.ID], ports[port] = true, true
		drawn = drawn || b.LEDs.Driver == "terminal"
	}
}

// faultAt notes a fault at a board's key, or at the board itself when the file does not have the key.
func (ck *checker) faultAt(board, key, format string, args ...any) {
	n := len(ck.faults)
	ck.fault(board+"."+key, format, args...)
	if f := &ck.faults[n]; f.Line == 0 {
		f.Line = ck.keys.lines[board]
	}
}

// reserved are ids that are topics of their own beside the boards.
var reserved = []string{"cmd", "reply", "info", "status", "boards", "log"}

// id checks a name that becomes a level of the topics.
func (ck *checker) id(path, id string) {
	good := len(id) >= 1 && len(id) <= 32 && id[0] != '-'
	for i := range len(id) {
		c := id[i]
		good = good && (c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-')
	}
	if !good {
		ck.fault(path, "%q: wants 1 to 32 of a-z, 0-9 and -, not beginning with -", id)
	}
}

func (ck *checker) filled(path, value string) {
	if value == "" {
		ck.fault(path, "may not be empty")
	}
	ck.printable(path, value)
}

func (ck *checker) printable(path, value string) {
	if strings.ContainsFunc(value, unicode.IsControl) {
		ck.fault(path, "may not hold control characters")
	}
}

// oneOf checks a word; later are words that a later version will know.
func (ck *checker) oneOf(path, word string, words, later []string) {
	switch {
	case slices.Contains(words, word):
	case slices.Contains(later, word):
		_, key := cutLast(path)
		ck.fault(path, "%s %s is not in this version: use %s", key, word, either(words))
	default:
		ck.fault(path, "%q: use %s", word, either(words))
	}
}

// cutLast parts a path before its last part.
func cutLast(path string) (before, last string) {
	i := strings.LastIndexByte(path, '.')
	return path[:max(i, 0)], path[i+1:]
}

// either is a list of words with "or" before the last.
func either(words []string) string {
	n := len(words) - 1
	if n == 0 {
		return words[0]
	}
	return strings.Join(words[:n], ", ") + " or " + words[n]
}

func (ck *checker) mqtt(m *MQTT) {
	secure := ck.brokerURL(m.URL)
	host, good := splitListen(m.Listen)
	switch {
	case !good:
		ck.fault("mqtt.listen", "%q: wants ADDRESS:PORT, such as 127.0.0.1:1883", m.Listen)
	case m.URL == "" && !loopback(host) && (m.Username == "" || m.PasswordFile == ""):
		ck.fault("mqtt.listen", "%q listens beyond this machine, which needs mqtt.username and mqtt.password_file", m.Listen)
	}
	if strings.ContainsFunc(m.Username, unicode.IsControl) || len(m.Username) > 128 {
		ck.fault("mqtt.username", "wants at most 128 bytes without control characters")
	}
	if m.PasswordFile != "" && m.Username == "" {
		ck.fault("mqtt.password_file", "needs mqtt.username")
	}
	if m.Username != "" && m.PasswordFile == "" {
		ck.fault("mqtt.username", "needs mqtt.password_file")
	}
	for _, f := range []struct{ path, value string }{
		{"mqtt.ca_file", m.CAFile}, {"mqtt.cert_file", m.CertFile}, {"mqtt.key_file", m.KeyFile},
	} {
		if f.value != "" && !secure {
			ck.fault(f.path, "is for a broker with TLS: mqtt.url must begin with mqtts:// or wss://")
		}
	}
	if (m.CertFile == "") != (m.KeyFile == "") {
		path, other := "mqtt.cert_file", "mqtt.key_file"
		if m.CertFile == "" {
			path, other = other, path
		}
		ck.fault(path, "needs %s", other)
	}
	ck.root("mqtt.root", m.Root)
	ck.root("mqtt.discovery_prefix", m.DiscoveryPrefix)
	ck.oneOf("mqtt.discovery", m.Discovery, []string{"off", "core", "full"}, nil)
	ck.oneOf("mqtt.image", m.Image, []string{"auto", "on", "off"}, nil)
	ck.oneOf("mqtt.commands", m.Commands, []string{"off", "safe", "play", "arbiter"}, nil)
}

// brokerURL checks mqtt.url and reports whether it is one with TLS.
func (ck *checker) brokerURL(text string) (secure bool) {
	const path = "mqtt.url"
	if text == "" {
		return false
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Hostname() == "" {
		ck.fault(path, "wants SCHEME://HOST:PORT, such as mqtt://broker.lan:1883")
		return strings.HasPrefix(text, "mqtts:") || strings.HasPrefix(text, "wss:")
	}
	web := u.Scheme == "ws" || u.Scheme == "wss"
	if !web && u.Scheme != "mqtt" && u.Scheme != "mqtts" {
		ck.fault(path, "%q: begin with mqtt://, mqtts://, ws:// or wss://", u.Scheme)
	}
	if u.User != nil {
		ck.fault(path, "holds a user name or password: use mqtt.username and mqtt.password_file")
	}
	if p := u.Port(); p != "" && !port(p, 1) {
		ck.fault(path, "%q is no port: wants 1 to 65535", p)
	}
	if !web && u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "" {
		ck.fault(path, "ends after the port: %s is too much", strings.TrimPrefix(text, u.Scheme+"://"+u.Host))
	}
	return u.Scheme == "mqtts" || u.Scheme == "wss"
}

func port(text string, least uint64) bool {
	n, err := strconv.ParseUint(text, 10, 16)
	return err == nil && n >= least
}

// splitListen is the host of an address to listen at; "" stands for every address of the machine. Port 0 is a free one.
func splitListen(address string) (host string, good bool) {
	i := strings.LastIndexByte(address, ':')
	if i < 0 || !port(address[i+1:], 0) {
		return "", false
	}
	host = address[:i]
	if host == "" || host == "localhost" {
		return host, true
	}
	bare := host
	if strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]") {
		bare = host[1 : len(host)-1]
	}
	a, err := netip.ParseAddr(bare)
	return bare, err == nil && a.Is6() == (bare != host)
}

func loopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.Unmap().IsLoopback()
}

// rootPattern is what the topics may begin with: no level is empty, a wildcard or one of the broker's own.
var rootPattern = regexp.MustCompile(`^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$`)

func (ck *checker) root(path, root string) {
	if len(root) > 64 || !rootPattern.MatchString(root) {
		ck.fault(path, "%q: wants levels of letters, digits, _ and - with / between, at most 64 bytes", root)
	}
}

func (ck *checker) board(path string, b *Board) {
	at := func(key string) string { return path + "." + key }
	ck.id(at("id"), b.ID)
	if slices.Contains(reserved, b.ID) {
		ck.fault(at("id"), "%q is the name of a topic: use another", b.ID)
	}
	if utf8.RuneCountInString(b.Name) > 64 || strings.ContainsFunc(b.Name, unicode.IsControl) {
		ck.fault(at("name"), "wants at most 64 characters, no control characters")
	}
	if b.Driver == "" {
		ck.faultAt(path, "driver", "is missing: write driver = %q, or what else reads the board: %s", Drivers[0], either(Drivers[1:]))
	} else {
		ck.oneOf(at("driver"), b.Driver, Drivers, nil)
	}
	kind, serial := SerialOf(b.Driver)
	switch {
	case serial:
		ck.filled(at("port"), b.Port)
		if b.Port == "auto" && kind.port != "" {
			ck.fault(at("port"), "%s is never looked for, as its questions would harm other boards: name the port, such as %s", kind.called, kind.port)
		}
	case b.Driver == "virtual" && b.Port != "":
		ck.fault(at("port"), "the virtual board has no port")
	case IsHomeMade(b.Driver) && b.Port != "":
		ck.fault(at("port"), "the driver %s has no port: see bus and chip in [board.sensor]", b.Driver)
	}
	if n, err := strconv.Atoi(b.DGTBus); b.DGTBus != "" && b.DGTBus != "auto" && (err != nil || n < 1 || n > 16383) {
		ck.fault(at("dgt_bus"), "%q: use auto, or the board's serial number, 1 to 16383", b.DGTBus)
	} else if b.DGTBus != "" && b.Driver != "dgt" {
		ck.fault(at("dgt_bus"), "only DGT boards speak this way: leave this key out")
	}
	ck.oneOf(at("orientation"), b.Orientation, []string{"auto", "white", "black"}, nil)
	ck.recordings(path, b)

	if _, ok := board.ParseAcuity(b.Sensor.Acuity); !ok && (!kind.Varies || b.Sensor.Acuity != "") {
		ck.fault(at("sensor.acuity"), "%q: use presence, color or piece", b.Sensor.Acuity)
	} else if serial && !kind.Varies && b.Sensor.Acuity != kind.Acuity.String() {
		ck.fault(at("sensor.acuity"), "%s: leave this key out", kind.sees())
	}
	ck.number(at("sensor.settle_ms"), b.Sensor.SettleMs, 0, 1000)
	ck.sensor(path, b)
	ck.boardMap(path, b)
	if b.Driver != "text" && slices.Contains(Drivers, b.Driver) && ck.keys.has(path+".text") {
		ck.fault(path+".text", "the driver %s speaks a language of its own: leave [board.text] out", b.Driver)
	}
	ck.buttons(path, &b.Buttons)

	ck.leds(at("leds"), b)

	ck.oneOf(at("rules.mode"), b.Rules.Mode, []string{"training", "casual", "observer"}, nil)
	if _, err := rules.ParseVariant(b.Rules.Variant); err != nil {
		ck.fault(at("rules.variant"), "%q: use standard or chess960", b.Rules.Variant)
	}
	ck.oneOf(at("rules.touch_move"), b.Rules.TouchMove, []string{"off"}, []string{"advise", "strict"})
	ck.oneOf(at("rules.default_promotion"), b.Rules.DefaultPromotion, []string{"queen", "rook", "bishop", "knight"}, nil)
	ck.oneOf(at("rules.language"), b.Rules.Language, Languages, nil)
}

func (ck *checker) number(path string, n, least, most int64) {
	if n < least || n > most {
		ck.fault(path, "%d: wants %d to %d", n, least, most)
	}
}
