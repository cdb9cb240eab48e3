package mqtt

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/boardd/boardd/commands"
	"github.com/boardd/boardd/game"
)

// What Home Assistant is told of.
const (
	discoveryOff  = "off"
	discoveryCore = "core" // last move, status, result, link: for clubs with many tables
	discoveryFull = "full"
)

// object is a JSON object.
type object = map[string]any

// entity is what Home Assistant shows or does of a board.
type entity struct {
	key      string
	platform string
	name     string
	core     bool
	class    game.Class // of the command that it gives; 0 for none
	more     object
}

// deviceID makes an id for Home Assistant of the client id: the same at every start.
func deviceID(clientID string) string {
	sum := sha256.Sum256([]byte(clientID))
	return hex.EncodeToString(sum[:4])
}

func (s *session) birthTopic() string { return s.opt.DiscoveryPrefix + "/status" }

// discoveryTopic is where Home Assistant looks for a board; nodeLeaf stands for the node itself.
func (d *Door) discoveryTopic(board string) string {
	return d.opt.DiscoveryPrefix + "/device/" + d.opt.Node + "/" + board + "/config"
}

// nodeLeaf is no board's id.
const nodeLeaf = "_node"

// pressed is the payload of a button: home-assistant is what the audit then says.
const pressed = `{"by":"home-assistant"}`

// entities are all that a board may have. Templates are written for Home Assistant; a state has at most 255 characters there.
func (d *Door) entities(base string) []entity {
	state := func(key string) object {
		return object{"state_topic": base + "state", "value_template": "{{ value_json." + key + " }}"}
	}
	with := func(o object, more object) object {
		for k, v := range more {
			o[k] = v
		}
		return o
	}
	clock := func(side string) object {
		return object{
			"state_topic": base + "clock", "device_class": "duration", "unit_of_measurement": "s", "suggested_display_precision": 0,
			"value_template": "{{ none if value_json." + side + "_ms is none else (value_json." + side + "_ms / 1000) | round | int }}",
		}
	}
	command := func(verb string, more object) object {
		return with(object{"command_topic": base + "cmd/" + verb}, more)
	}
	press := func(verb, icon string) object {
		return command(verb, object{"payload_press": pressed, "icon": icon})
	}
	happened := []string{"game_start", "move", "takeback", "promotion_pending", "check", "draw_offer", "draw_claimable", "flag_fallen", "game_end", "desync", "resync"}
	return []entity{
		{"last_move", "sensor", "Last move", true, 0, with(state("last_san"), object{
			"icon": "mdi:chess-knight", "json_attributes_topic": base + "state",
			"json_attributes_template": "{{ {'uci': value_json.last_uci, 'by': value_json.last_by, 'ply': value_json.ply, 'game': value_json.game} | tojson }}",
		})},
		{"status", "sensor", "Status", true, 0, with(state("status"), object{
			"device_class": "enum", "options": []string{"idle", "setup", "playing", "paused", "finished", "desync"},
		})},
		{"result", "sensor", "Result", true, 0, with(state("result"), object{"device_class": "enum", "options": commands.Results})},
		{"connected", "binary_sensor", "Board link", true, 0, object{
			"state_topic": base + "status", "payload_on": "online", "payload_off": "offline", "device_class": "connectivity",
			"entity_category": "diagnostic", "availability": []object{{"topic": d.base + "status"}},
		}},
		{"fen", "sensor", "Position", false, 0, with(state("fen"), object{"icon": "mdi:checkerboard", "entity_category": "diagnostic"})},
		{"turn", "sensor", "Turn", false, 0, with(state("turn"), object{"device_class": "enum", "options": []string{"white", "black"}})},
		{"says", "sensor", "Says", false, 0, object{
			"state_topic": base + "state", "icon": "mdi:message-text", "value_template": "{{ (value_json.text or '')[:255] }}",
		}},
		{"in_check", "binary_sensor", "In check", false, 0, object{
			"state_topic": base + "state", "icon": "mdi:chess-king", "value_template": "{{ 'ON' if value_json.in_check else 'OFF' }}",
		}},
		{"white_clock", "sensor", "White clock", false, 0, clock("white")},
		{"black_clock", "sensor", "Black clock", false, 0, clock("black")},
		{"flag_at", "sensor", "Flag falls", false, 0, object{
			"state_topic": base + "clock", "device_class": "timestamp", "value_template": "{{ value_json.flag_at }}",
		}},
		{"game_event", "event", "Game", false, 0, object{
			"state_topic": base + "event", "event_types": happened,
			"value_template": "{% if value_json.type in ['" + strings.Join(happened, "', '") + "'] and not value_json.late %}" +
				"{{ {'event_type': value_json.type, 'san': value_json.san | default(none), 'text': value_json.text | default(none), " +
				"'mate': value_json.mate | default(false), 'ply': value_json.ply, 'result': value_json.result | default(none)} | tojson }}{% endif %}",
		}},
		{"illegal", "event", "Illegal move", false, 0, object{
			"state_topic": base + "event", "icon": "mdi:alert", "event_types": []string{"illegal_move"},
			"value_template": "{% if value_json.type == 'illegal_move' and not value_json.late %}" +
				"{{ {'event_type': 'illegal_move', 'uci': value_json.uci, 'reason': value_json.reason, 'text': value_json.text | default(none), " +
				"'ply': value_json.ply} | tojson }}{% endif %}",
		}},
		{"led", "number", "LED brightness", false, game.Safe, command("led_brightness", object{
			"state_topic": base + "settings", "value_template": "{{ value_json.led_brightness }}", "command_template": `{"value": {{ value | int }}, "by": "home-assistant"}`,
			"min": 0, "max": 100, "step": 5, "mode": "slider", "unit_of_measurement": "%", "entity_category": "config",
		})},
		{"lights", "switch", "Lights", false, game.Safe, command("lights", object{
			"state_topic": base + "settings", "value_template": "{{ 'ON' if value_json.lights else 'OFF' }}", "state_on": "ON", "state_off": "OFF",
			"payload_on": `{"on":true,"by":"home-assistant"}`, "payload_off": `{"on":false,"by":"home-assistant"}`, "entity_category": "config",
		})},
		{"identify", "button", "Identify", false, game.Safe, with(press("identify", "mdi:crosshairs-gps"), object{"entity_category": "config"})},
		{"promotion", "select", "Promote to", false, game.Play, command("promotion", object{
			"state_topic": base + "settings", "value_template": "{{ value_json.promotion }}", "options": []string{"queen", "rook", "bishop", "knight"},
			"command_template": `{"piece": "{{ value }}", "by": "home-assistant"}`,
		})},
		{"new_game", "button", "New game", false, game.Play, press("new_game", "mdi:restart")},
		{"takeback", "button", "Take back", false, game.Play, press("takeback", "mdi:undo")},
		{"pause", "button", "Pause", false, game.Play, press("pause", "mdi:pause")},
		{"resume", "button", "Resume", false, game.Play, press("resume", "mdi:play")},
		{"flip", "button", "Flip board", false, game.Play, with(press("flip", "mdi:rotate-3d-variant"), object{"entity_category": "config"})},
		{"picture", "image", "Board", false, 0, object{"image_topic": base + "image", "content_type": "image/png"}},
		{"trig_move", "device_automation", "", false, 0, trigger(base, "move")},
		{"trig_end", "device_automation", "", false, 0, trigger(base, "game_end")},
	}
}

func trigger(base, kind string) object {
	return object{
		"automation_type": "trigger", "type": kind, "subtype": "any", "topic": base + "event",
		"value_template": "{{ '' if value_json.late else value_json.type }}", "payload": kind,
	}
}

// shows reports whether an entity is among those that Home Assistant is told of.
func (d *Door) shows(e *entity) bool {
	return e.class <= d.class && (e.core || d.opt.Discovery == discoveryFull) && (e.key != "picture" || d.opt.Images)
}

// discoveryOf is the device of a board. Its root has no key but those that Home Assistant knows: one other, and all of it is thrown
// away.
func (d *Door) discoveryOf(b game.BoardInfo) object {
	base := d.base + b.ID + "/"
	components := object{}
	for _, e := range d.entities(base) {
		if !d.shows(&e) {
			continue
		}
		c := e.more
		c["platform"] = e.platform
		if e.platform != "device_automation" {
			c["unique_id"] = "boardd_" + d.opt.DeviceID + "_" + b.ID + "_" + e.key
			c["default_entity_id"] = e.platform + "." + strings.ReplaceAll(b.ID, "-", "_") + "_" + e.key
			c["name"] = e.name
		}
		components[e.key] = c
	}
	return object{
		"device": object{
			"identifiers": []string{"boardd_" + d.opt.DeviceID + "_" + b.ID}, "name": b.Name, "manufacturer": "boardd", "model": b.Driver,
			"sw_version": d.version(), "via_device": "boardd_" + d.opt.DeviceID,
		},
		"origin":            object{"name": "boardd", "sw_version": d.version()},
		"availability":      []object{{"topic": d.base + "status"}, {"topic": base + "status"}},
		"availability_mode": "all", "qos": 1, "components": components,
	}
}

// nodeDiscovery is the device of the node, by way of which the boards are reached.
func (d *Door) nodeDiscovery() object {
	id, slug := "boardd_"+d.opt.DeviceID, strings.ReplaceAll(d.opt.Node, "-", "_")
	return object{
		"device": object{"identifiers": []string{id}, "name": "boardd " + d.opt.Node, "manufacturer": "boardd", "sw_version": d.version()},
		"origin": object{"name": "boardd", "sw_version": d.version()}, "qos": 1,
		"components": object{
			"online": object{
				"platform": "binary_sensor", "unique_id": id + "_online", "default_entity_id": "binary_sensor.boardd_" + slug + "_online", "name": "Online",
				"device_class": "connectivity", "entity_category": "diagnostic", "state_topic": d.base + "status", "payload_on": "online", "payload_off": "offline",
			},
			"backlog": object{
				"platform": "sensor", "unique_id": id + "_backlog", "default_entity_id": "sensor.boardd_" + slug + "_backlog", "name": "Unsent events",
				"entity_category": "diagnostic", "state_topic": d.base + "info", "value_template": "{{ value_json.outbox_pending }}",
			},
			"store": object{
				"platform": "sensor", "unique_id": id + "_store", "default_entity_id": "sensor.boardd_" + slug + "_store", "name": "Store",
				"entity_category": "diagnostic", "device_class": "enum",
				"options":     []string{game.StoreOK, game.StoreLow, game.StoreFailed, game.StoreMemory},
				"state_topic": d.base + "info", "value_template": "{{ value_json.store }}",
			},
		},
	}
}

func (d *Door) version() string {
	if d.opt.Version == "" {
		return "unknown"
	}
	return d.opt.Version
}

// stubborn is how many connections in a row may break while Home Assistant is told of the boards.
const stubborn = 2

// discover tells Home Assistant of all boards, or with discovery off takes back what a former start may have told. Some brokers hang
// up on who may not write there: then it is left out.
func (s *session) discover() error {
	off := s.opt.Discovery == discoveryOff
	if s.refusals >= stubborn || off && s.cleared {
		return nil
	}
	type device struct {
		topic string
		body  object
	}
	devices := []device{{s.discoveryTopic(nodeLeaf), s.nodeDiscovery()}}
	for _, b := range s.feed.Boards() {
		devices = append(devices, device{s.discoveryTopic(b.ID), s.discoveryOf(b)})
	}
	for _, d := range devices {
		var body []byte // nothing: removed
		if !off {
			body = encode(d.body)
		}
		if err := s.publishTo(d.topic, 1, true, body); err != nil {
			if s.refusals++; s.refusals == stubborn {
				s.opt.Logger.Warn(fmt.Sprintf("MQTT: the broker hangs up when Home Assistant is told of the boards, which is left out now: let user %q write %s/device/%s/#, or set mqtt.discovery = \"off\"",
					s.opt.Username, s.opt.DiscoveryPrefix, s.opt.Node))
			}
			return err
		}
	}
	s.refusals, s.Door.cleared = 0, off
	return nil
}

// beborn plans to tell Home Assistant, which has just come up, of the boards: not at once, because all devices do.
func (s *session) beborn() {
	s.rebirth = s.opt.Now().Add(rand.N(s.pace.birth))
}

// reborn does so when its time has come. Entities subscribe only when they are known, so everything that is retained follows.
func (s *session) reborn() error {
	if len(s.birth) > 0 {
		<-s.birth
		s.beborn()
	}
	now := s.opt.Now()
	if s.rebirth.IsZero() || now.Before(s.rebirth) && s.rebirth.Sub(now) <= s.pace.birth {
		return nil
	}
	s.rebirth = time.Time{}
	return s.announce()
}
