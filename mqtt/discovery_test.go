package mqtt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"
	"github.com/nikolalohinski/gonja/v2"
	"github.com/nikolalohinski/gonja/v2/exec"

	"github.com/boardd/boardd/commands"
	"github.com/boardd/boardd/game"
)

func doorFor(t *testing.T, o Options, boards ...game.BoardInfo) *Door {
	t.Helper()
	o.URL, o.Node, o.Version = "mqtt://broker", "club", "0.9.0"
	if o.ClientID == "" {
		o.ClientID = "boardd-club-0a1b2c3d"
	}
	f := newScripted()
	f.boards = boards
	d, err := New(o, f)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// told is a device as Home Assistant gets it.
type told struct {
	Device     map[string]any
	Origin     map[string]any
	Components map[string]map[string]any
	root       map[string]any
	size       int
}

func tell(t *testing.T, device object) (w told) {
	t.Helper()
	text := encode(device)
	if err := json.Unmarshal(text, &w); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &w.root); err != nil {
		t.Fatal(err)
	}
	w.size = len(text)
	return w
}

var tableSeven = game.BoardInfo{ID: "table-07", Name: "Table 7", Driver: "dgt"}

// The root keys that Home Assistant knows; with any other it throws the whole device away.
var rootKeys = strings.Fields("device origin components availability availability_topic availability_mode availability_template " +
	"payload_available payload_not_available state_topic command_topic qos encoding")

// Only what the door lets through is told of, and unique ids are.
func TestDiscoveryRules(t *testing.T) {
	t.Parallel()
	const watching = "black_clock connected fen flag_at game_event illegal in_check last_move result says status trig_end trig_move turn white_clock"
	tests := []struct {
		o    Options
		want string
	}{
		{Options{Discovery: "core", Commands: "arbiter", Images: true}, "connected last_move result status"},
		{Options{Discovery: "full", Commands: "off"}, watching},
		{Options{Discovery: "full", Commands: "off", Images: true}, watching + " picture"},
		{Options{Discovery: "full", Commands: "safe"}, watching + " identify led lights"},
		{Options{Discovery: "full", Commands: "play"}, watching + " identify led lights promotion new_game takeback pause resume flip"},
		{Options{Discovery: "full", Commands: "arbiter"}, watching + " identify led lights promotion new_game takeback pause resume flip"},
	}
	for _, tt := range tests {
		d := doorFor(t, tt.o, tableSeven)
		unique := map[string]bool{}
		for _, w := range []told{tell(t, d.discoveryOf(tableSeven)), tell(t, d.nodeDiscovery())} {
			for key := range w.root {
				if !slices.Contains(rootKeys, key) {
					t.Errorf("root key %s", key)
				}
			}
			if ids, ok := w.Device["identifiers"].([]any); !ok || len(ids) == 0 || ids[0] == nil || ids[0] == "" { // MQ-29, MQ-30
				t.Errorf("identifiers %v", w.Device["identifiers"])
			}
			if w.Device["name"] == "" || w.Origin["name"] != "boardd" || w.size > 16<<10 {
				t.Errorf("device %v, origin %v, %d bytes", w.Device, w.Origin, w.size)
			}
			for key, c := range w.Components {
				if c["object_id"] != nil || c["retain"] != nil { // MQ-31
					t.Errorf("%s: %v", key, c)
				}
				if c["platform"] == "device_automation" {
					continue
				}
				id, _ := c["unique_id"].(string)
				if id == "" || unique[id] {
					t.Errorf("%s: unique id %q", key, id)
				}
				unique[id] = true
				if entity, _ := c["default_entity_id"].(string); !strings.HasPrefix(entity, c["platform"].(string)+".") {
					t.Errorf("%s: %s", key, entity)
				}
				category := c["entity_category"]
				if p := c["platform"]; category == "config" && (p == "sensor" || p == "binary_sensor") {
					t.Errorf("%s: a %s cannot be config", key, p)
				}
				if c["availability"] != nil && c["availability_topic"] != nil {
					t.Errorf("%s mixes forms of availability", key)
				}
			}
		}
		w := tell(t, d.discoveryOf(tableSeven))
		got, want := slices.Sorted(maps.Keys(w.Components)), slices.Sorted(slices.Values(strings.Fields(tt.want)))
		if !slices.Equal(got, want) {
			t.Errorf("%+v\n got %v\nwant %v", tt.o, got, want)
		}
		if via := w.Device["via_device"]; via == w.Device["identifiers"].([]any)[0] || via != tell(t, d.nodeDiscovery()).Device["identifiers"].([]any)[0] {
			t.Errorf("via %v", via)
		}
	}
}

// MQ-27, MQ-37: names are for people; ids and topics do not change with them, nor with the root of the topics.
func TestDiscoveryIDs(t *testing.T) {
	t.Parallel()
	ids := func(o Options, name string) string {
		b := tableSeven
		b.Name = name
		d := doorFor(t, o, b)
		w := tell(t, d.discoveryOf(b))
		return fmt.Sprint(d.discoveryTopic(b.ID), w.Device["identifiers"], w.Components["last_move"]["unique_id"], w.Components["last_move"]["default_entity_id"])
	}
	full := Options{Discovery: "full"}
	first := ids(full, "Table 7")
	if again := ids(full, "Club board #1 – Café"); again != first {
		t.Errorf("%s, then %s", first, again)
	}
	if again := ids(Options{Discovery: "full", Root: "chess/v1"}, "Table 7"); again != first {
		t.Errorf("%s, then %s", first, again)
	}
	for _, level := range strings.Split(doorFor(t, full, tableSeven).discoveryTopic("table-07"), "/") {
		if strings.Trim(level, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
			t.Errorf("level %q", level)
		}
	}
	if other := ids(Options{Discovery: "full", ClientID: "boardd-club-ffffffff"}, "Table 7"); other == first {
		t.Error("two machines have the same ids")
	}
	for _, bad := range []Options{{Discovery: "half"}, {DiscoveryPrefix: "a//b"}, {DiscoveryPrefix: "#"}, {DeviceID: "a b"}} {
		bad.URL, bad.Node, bad.ClientID = "mqtt://broker", "club", "x"
		if _, err := New(bad, newScripted()); err == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
}

// samples are bodies of each topic in which all is null that may be, and in which nothing is.
func samples(t *testing.T) map[string][]map[string]any {
	t.Helper()
	f, now := midGame()
	d, err := New(Options{URL: "mqtt://broker", Node: "club", ClientID: "x", PublishNames: true, Now: now}, f)
	if err != nil {
		t.Fatal(err)
	}
	read := func(text []byte) (m map[string]any) {
		if err := json.Unmarshal(text, &m); err != nil {
			t.Fatal(err)
		}
		return m
	}
	full, _ := f.Latest("table-07")
	bare := full
	bare.Snapshot = &game.Snapshot{Status: "idle", Mode: "casual", DefaultPromotion: "queen"}
	empty := func(m map[string]any) map[string]any {
		for k, v := range m {
			if _, text := v.(string); text && k != "status" && k != "result" && k != "promotion" && k != "type" {
				m[k] = nil
			}
		}
		return m
	}
	all := map[string][]map[string]any{
		"state":    {read(d.stateOf(full)), empty(read(d.stateOf(bare)))},
		"clock":    {read(clockOf(full, now())), read(clockOf(bare, now()))},
		"settings": {read(settingsOf(full.Snapshot)), empty(read(settingsOf(bare.Snapshot)))},
		"info":     {read(d.infoOf(now()))},
	}
	all["info"][0]["store"] = "ok"
	for _, e := range f.Outbox("mqtt", 10) {
		text, err := d.eventOf(&e)
		if err != nil {
			t.Fatal(err)
		}
		all["event"] = append(all["event"], read(text))
	}
	illegal := game.StampedEvent{Event: game.Event{Type: "illegal_move", Body: &game.Illegal{UCI: "e1e5", Reason: "king_moves_one_square"}}, Board: "table-07", TS: now()}
	text, err := d.eventOf(&illegal)
	if err != nil {
		t.Fatal(err)
	}
	late := read(text)
	late["late"] = true
	all["event"] = append(all["event"], read(text), late)
	return all
}

// render is what Home Assistant makes of a template; JSON null is none.
func render(t *testing.T, template string, context map[string]any) string {
	t.Helper()
	tpl, err := gonja.FromString(template)
	if err != nil {
		t.Fatalf("%s: %v", template, err)
	}
	var b bytes.Buffer
	if err := tpl.Execute(&b, exec.NewContext(context)); err != nil {
		t.Fatalf("%s: %v", template, err)
	}
	return b.String()
}

// Every template can be rendered with all there is and with nothing known; what comes of it fits the entity.
func TestDiscoveryTemplates(t *testing.T) {
	t.Parallel()
	d := doorFor(t, Options{Discovery: "full", Commands: "arbiter", Images: true}, tableSeven)
	all := samples(t)
	for _, w := range []told{tell(t, d.discoveryOf(tableSeven)), tell(t, d.nodeDiscovery())} {
		for key, c := range w.Components {
			for _, kind := range []struct{ template, topic string }{{"value_template", "state_topic"}, {"json_attributes_template", "json_attributes_topic"}} {
				template, ok := c[kind.template].(string)
				if !ok {
					continue
				}
				topic, _ := c[kind.topic].(string)
				if topic == "" {
					topic, _ = c["topic"].(string)
				}
				leaf := topic[strings.LastIndexByte(topic, '/')+1:]
				if len(all[leaf]) == 0 {
					t.Fatalf("%s: no sample of %s", key, topic)
				}
				for _, body := range all[leaf] {
					fits(t, key, kind.template, c, render(t, template, map[string]any{"value_json": body}))
				}
			}
			if template, ok := c["command_template"].(string); ok {
				value := any("queen")
				if c["platform"] == "number" {
					value = 45.0
				}
				holds(t, key, c, render(t, template, map[string]any{"value": value}))
			}
			for _, payload := range []string{"payload_press", "payload_on", "payload_off"} {
				if text, ok := c[payload].(string); ok && c["command_topic"] != nil {
					holds(t, key, c, text)
				}
			}
		}
	}
}

func fits(t *testing.T, key, kind string, c map[string]any, got string) {
	t.Helper()
	if len(got) > 255 && kind == "value_template" && c["platform"] != "event" {
		t.Errorf("%s is too long for a state: %s", key, got)
	}
	isNone := got == "" || strings.EqualFold(got, "none")
	if options, ok := c["options"].([]any); ok && !isNone && !slices.Contains(options, any(got)) {
		t.Errorf("%s says %q, which is none of %v", key, got, options)
	}
	switch {
	case c["platform"] == "event" && got != "":
		var e struct {
			EventType string `json:"event_type"`
		}
		if err := json.Unmarshal([]byte(got), &e); err != nil || !slices.Contains(c["event_types"].([]any), any(e.EventType)) {
			t.Errorf("%s says %s: %v", key, got, err)
		}
	case kind == "json_attributes_template":
		var m map[string]any
		if err := json.Unmarshal([]byte(got), &m); err != nil {
			t.Errorf("%s has attributes %s: %v", key, got, err)
		}
	case c["platform"] == "binary_sensor" && got != "ON" && got != "OFF":
		t.Errorf("%s says %q", key, got)
	case c["device_class"] == "duration" && !isNone && strings.Trim(got, "-0123456789") != "":
		t.Errorf("%s says %q seconds", key, got)
	}
}

// holds holds what an entity commands to what the door takes, with the rights that it is shown with.
func holds(t *testing.T, key string, c map[string]any, payload string) {
	t.Helper()
	topic := c["command_topic"].(string)
	verb := topic[strings.LastIndexByte(topic, '/')+1:]
	if r, no := commands.Decode(verb, []byte(payload)); no != nil || r.By != "home-assistant" {
		t.Errorf("%s commands %s %s: %+v %+v", key, verb, payload, r, no)
	}
	if _, ok := verbClass(verb); !ok {
		t.Errorf("%s commands %s", key, verb)
	}
}

// Home Assistant is told at each connection and after its own birth, and everything retained follows (MQ-33, MQ-35).
func TestDiscoveryAtBirth(t *testing.T) {
	eachBroker(t, func(t *testing.T, s *station) {
		f := newScripted("table-07")
		f.shuffle("table-07", 1)
		w := watch(t, s.url, s.user, s.pass, "homeassistant/#", "boardd/v1/club/#")
		o := s.door
		o.Discovery = "full"
		openDoor(t, f, o)
		const topic = "homeassistant/device/club/table-07/config"
		eventually(t, "told at the start", func() bool { return len(w.all(topic)) == 1 && len(w.all(fakeBase+"table-07/state")) == 1 })
		w.say(t, "homeassistant/status", "offline", false)
		w.say(t, "homeassistant/status", "online", false)
		eventually(t, "told again", func() bool { return len(w.all(topic)) == 2 && len(w.all(fakeBase+"table-07/state")) == 2 })
		late := watch(t, s.url, s.user, s.pass, "homeassistant/#")
		eventually(t, "retained", func() bool { l := late.all(topic); return len(l) == 1 && l[0].retained })
	})
}

// Off takes back what was told before.
func TestDiscoveryOff(t *testing.T) {
	t.Parallel()
	s := mosquitto(t, "allow_anonymous true\n")
	f := newScripted("table-07")
	o := s.door
	o.Discovery = "core"
	p := openDoor(t, f, o)
	w := watch(t, s.url, "", "", "homeassistant/#")
	eventually(t, "told", func() bool { return len(w.all("")) >= 2 })
	p.stop()
	o.Discovery = "off"
	openDoor(t, f, o)
	eventually(t, "taken back", func() bool {
		return w.last("homeassistant/device/club/table-07/config") == "" && w.last("homeassistant/device/club/_node/config") == ""
	})
	late := watch(t, s.url, "", "", "#")
	eventually(t, "all is heard", func() bool { return late.last(fakeBase+"boards") != "" })
	for _, m := range late.all("") {
		if strings.HasPrefix(m.topic, "homeassistant/") {
			t.Errorf("still there: %+v", m)
		}
	}
}

// A broker that hangs up on who may not tell Home Assistant anything gets all the rest.
func TestDiscoveryThatTheBrokerRefuses(t *testing.T) {
	t.Parallel()
	b := newFake(t)
	b.script(func(b *fake) {
		b.onPublish = func(p *packets.PublishPacket) verdict {
			if strings.HasPrefix(p.TopicName, "homeassistant/") {
				return hangUp
			}
			return acknowledge
		}
	})
	f := newScripted("table-07")
	f.shuffle("table-07", 2)
	p := openDoor(t, f, Options{URL: b.url(), Discovery: "full"})
	eventually(t, "delivered", func() bool { return f.ackedUpTo("table-07") == 2 })
	if l := p.log.lines("which is left out now"); len(l) != 1 {
		t.Errorf("log: %v", l)
	}
}

// An image comes when the board shows something new, and not more often than it may; fields come with it.
func TestImagesAndFields(t *testing.T) {
	t.Parallel()
	s := embedded(t)
	f := newScripted("table-07")
	w := watch(t, s.url, "", "", fakeBase+"table-07/#")
	o := s.door
	o.Images, o.Fields = true, true
	openDoor(t, f, o, func(d *Door) { d.pace.image = 300 * time.Millisecond })
	const png, fen = fakeBase + "table-07/image", fakeBase + "table-07/field/fen"
	show := func(position, last string, online bool) {
		f.say("table-07", "resync", &game.Resync{}, &game.Snapshot{
			Status: "playing", Mode: "casual", FEN: position, LastUCI: last, Online: online, DefaultPromotion: "queen",
			Game: &game.Record{ID: "g1", Variant: "standard", Result: "*"},
		})
	}
	began := time.Now()
	show(standardFEN, "", true)
	eventually(t, "a picture", func() bool { return len(w.all(png)) == 1 && w.last(fen) == standardFEN })
	show(standardFEN, "", false) // nothing that it shows
	show("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "e2e4", true)
	show("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "e7e5", true)
	eventually(t, "another one", func() bool { return len(w.all(png)) == 2 })
	if since := time.Since(began); since < 250*time.Millisecond {
		t.Errorf("two pictures within %v", since)
	}
	eventually(t, "fields", func() bool { return strings.HasPrefix(w.last(fen), "rnbqkbnr/pppp1ppp/") })
	for _, m := range w.all(png) {
		if !strings.HasPrefix(m.body, "\x89PNG") {
			t.Errorf("%.20q", m.body)
		}
	}
	if first, second := w.all(png)[0].body, w.all(png)[1].body; first == second {
		t.Error("the same picture twice")
	}
	late := watch(t, s.url, "", "", fakeBase+"table-07/image")
	eventually(t, "retained", func() bool { l := late.all(png); return len(l) == 1 && l[0].retained })
}
