// Package config reads boardd.toml: strictly, with every fault at its line, so that a typing error is never a silent default.
// The file that ships with boardd, boardd.toml beside this text, explains every key.
package config

import (
	_ "embed"
	"slices"
	"strings"
)

// Shipped is the commented boardd.toml: the manual of the configuration.
//
//go:embed boardd.toml
var Shipped string

// Config is a whole configuration. After Load or Parse every field holds a checked value.
type Config struct {
	Node   Node    `toml:"node"`
	MQTT   MQTT    `toml:"mqtt"`
	Boards []Board `toml:"board"`

	where *checker // knows the lines of a file of which there is more to be found out; nil otherwise
}

// Fault is a fault that was found out after Parse, at the line of the file where the key is, or else of the table that it
// would be in.
func (c *Config) Fault(path, message string) Fault {
	if c.where == nil {
		return Fault{Key: path, Message: message}
	}
	at := path
	for at != "" && !c.where.keys.has(at) {
		at = at[:max(strings.LastIndexAny(at, ".["), 0)]
	}
	return Fault{File: c.where.file, Line: c.where.keys.lines[at], Key: path, Message: message}
}

// Node is the process as a whole.
type Node struct {
	Name string `toml:"name"` // <node> in the topics
	Data string `toml:"data"` // folder for what is kept; "" keeps nothing
	// KeepDays is how many days finished games are kept in the store; 0 is for ever.
	KeepDays int64  `toml:"keep_days"`
	LogLevel string `toml:"log_level"` // debug info warn error: the least that is logged; --log-level wins
	Socket   string `toml:"socket"`    // where commands of this computer come in; "" for nowhere
}

// MQTT is the broker and what is said there.
type MQTT struct {
	URL          string `toml:"url"`    // of the broker; "" for the embedded one
	Listen       string `toml:"listen"` // address of the embedded broker
	Username     string `toml:"username"`
	PasswordFile string `toml:"password_file"`
	CAFile       string `toml:"ca_file"`
	CertFile     string `toml:"cert_file"`
	KeyFile      string `toml:"key_file"`
	Root         string `toml:"root"`          // topics are below it
	Commands     string `toml:"commands"`      // off safe play arbiter
	PublishNames bool   `toml:"publish_names"` // players' names in the topics

	Discovery       string `toml:"discovery"`        // off core full: what Home Assistant is told of
	DiscoveryPrefix string `toml:"discovery_prefix"` // first levels of its topics
	Image           string `toml:"image"`            // auto on off: a picture of each board
	Fields          bool   `toml:"fields"`           // plain values, a topic each

	passwordAt Fault // where PasswordFile was set, without a message
}

// Board is one table.
type Board struct {
	ID          string  `toml:"id"`          // <board> in the topics
	Name        string  `toml:"name"`        // for people; the id if not given
	Driver      string  `toml:"driver"`      // one of Drivers
	Port        string  `toml:"port"`        // of serial drivers: a device file, or "auto"
	DGTBus      string  `toml:"dgt_bus"`     // of dgt: "" alone on its line; auto, or an address: in bus mode
	Orientation string  `toml:"orientation"` // auto white black: the side at the board's own first rank
	Record      string  `toml:"record"`      // for how long what it says is kept, see RecordFor
	RecordMB    int64   `toml:"record_mb"`   // how much of it, in 1024·1024 bytes
	Sensor      Sensor  `toml:"sensor"`
	Map         Map     `toml:"map"`
	Text        Text    `toml:"text"`
	Buttons     Buttons `toml:"buttons"`
	LEDs        LEDs    `toml:"leds"`
	Rules       Rules   `toml:"rules"`
}

// Rules are the ways of a table.
type Rules struct {
	Mode             string `toml:"mode"`              // training casual observer
	Variant          string `toml:"variant"`           // standard chess960
	Takeback         bool   `toml:"takeback"`          // moving back takes plies back
	TouchMove        string `toml:"touch_move"`        // off
	DefaultPromotion string `toml:"default_promotion"` // queen rook bishop knight
	Language         string `toml:"language"`          // one of Languages
}

// Languages are those in which boardd speaks to people.
var Languages = []string{"en", "es", "ru", "fa", "ko", "th"}

// Drivers are the boards that this version can read.
var Drivers = slices.Concat(SerialDrivers(), []string{"virtual"}, homeMade)

// Default is the configuration of an empty file: no board.
func Default() Config {
	return Config{
		Node: Node{Name: "home", Data: "/var/lib/boardd", Socket: DefaultSocket, LogLevel: "info"},
		MQTT: MQTT{Listen: "127.0.0.1:1883", Root: "boardd/v1", Commands: "safe", PublishNames: true,
			Discovery: "full", DiscoveryPrefix: "homeassistant", Image: "auto"},
	}
}

// DefaultBoard is the board that an empty [[board]] would be, were there not the driver that each board must name.
func DefaultBoard() Board {
	return Board{
		ID:          "board",
		Orientation: "auto",
		Record:      "24h",
		RecordMB:    64,
		Sensor:      Sensor{Acuity: "piece"},
		Buttons:     Buttons{Chip: "auto", ActiveLow: true, Pull: "up", DebounceMs: 30},
		LEDs:        DefaultLEDs(),
		Rules: Rules{Mode: "casual", Variant: "standard", Takeback: true, TouchMove: "off",
			DefaultPromotion: "queen", Language: "en"},
	}
}
