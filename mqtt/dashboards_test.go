package mqtt

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/boardd/boardd/commands"
	"github.com/boardd/boardd/game"
)

const dashboards = "../docs/dashboards/"

// home is what Home Assistant is told of the board "board" of the node "home".
func home(t *testing.T) (w told, entities []string) {
	t.Helper()
	d := doorFor(t, Options{Discovery: "full", Commands: "play", Images: true}, game.BoardInfo{ID: "board", Name: "board"})
	w = tell(t, d.discoveryOf(game.BoardInfo{ID: "board", Name: "board"}))
	for _, c := range w.Components {
		if id, ok := c["default_entity_id"].(string); ok {
			entities = append(entities, id)
		}
	}
	return w, entities
}

// Every entity of the view is one that boardd tells of, and the services are called for the right ones.
func TestHomeAssistantView(t *testing.T) {
	t.Parallel()
	_, entities := home(t)
	text := readFile(t, dashboards+"home-assistant-view.yaml")
	var view struct {
		Title string
		Cards []map[string]any
	}
	if err := yaml.Unmarshal([]byte(text), &view); err != nil {
		t.Fatal(err)
	}
	if view.Title == "" || len(view.Cards) < 4 {
		t.Errorf("%d cards", len(view.Cards))
	}
	for _, c := range view.Cards {
		if kind, _ := c["type"].(string); kind == "" {
			t.Errorf("a card without a type: %v", c)
		}
	}
	used := regexp.MustCompile(`\b(sensor|binary_sensor|image|switch|number|button|select|event)\.board_[a-z_]+`).FindAllString(text, -1)
	if len(used) < 12 {
		t.Errorf("only %v", used)
	}
	for _, id := range used {
		if !slices.Contains(entities, id) {
			t.Errorf("boardd has no %s", id)
		}
	}
}

// inputs are the inputs that a blueprint uses.
func inputs(n *yaml.Node) (list []string) {
	if n.Tag == "!input" {
		list = append(list, n.Value)
	}
	for _, c := range n.Content {
		list = append(list, inputs(c)...)
	}
	return list
}

// templates are the texts of a blueprint that are templates.
func templates(n *yaml.Node) (list []string) {
	if n.Kind == yaml.ScalarNode && strings.Contains(n.Value, "{{") {
		list = append(list, n.Value)
	}
	for _, c := range n.Content {
		list = append(list, templates(c)...)
	}
	return list
}

// The blueprints use what they declare, and act on the events that they are for and on no other.
func TestBlueprints(t *testing.T) {
	t.Parallel()
	w, _ := home(t)
	types := w.Components["game_event"]["event_types"].([]any)
	attributes := regexp.MustCompile(`'([a-z_]+)':`).FindAllStringSubmatch(w.Components["game_event"]["value_template"].(string), -1)
	known := map[string]bool{}
	for _, a := range attributes {
		known[a[1]] = true
	}
	event := func(kind string, mate bool, from, to string) map[string]any {
		return map[string]any{"trigger": map[string]any{
			"from_state": map[string]any{"state": from},
			"to_state":   map[string]any{"state": to, "attributes": map[string]any{"event_type": kind, "mate": mate, "text": "White: pawn to e4"}},
		}}
	}
	const now, before = "2026-03-14T19:02:11", "2026-03-14T19:02:01"
	tests := []struct {
		file string
		acts map[string]bool // on which event, "mate" a move that mates
	}{
		{"speak-moves.yaml", map[string]bool{"move": true, "mate": true, "check": false, "game_end": true, "takeback": true, "draw_offer": true, "desync": false}},
		{"check-lamp.yaml", map[string]bool{"move": false, "mate": true, "check": true, "game_end": false}},
	}
	for _, tt := range tests {
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(readFile(t, dashboards+tt.file)), &doc); err != nil {
			t.Fatal(err)
		}
		var b struct {
			Blueprint struct {
				Name, Description, Domain string
				Input                     map[string]struct {
					Name     string
					Selector map[string]any
				}
			}
			Mode       string
			Triggers   []map[string]any
			Conditions []struct {
				Condition     string
				ValueTemplate string `yaml:"value_template"`
			}
			Actions []map[string]any
		}
		if err := doc.Decode(&b); err != nil {
			t.Fatal(err)
		}
		if b.Blueprint.Domain != "automation" || b.Blueprint.Name == "" || len(b.Triggers) != 1 || len(b.Actions) == 0 || len(b.Conditions) != 1 {
			t.Errorf("%s: %+v", tt.file, b)
		}
		used := inputs(&doc)
		for name, in := range b.Blueprint.Input {
			if !slices.Contains(used, name) || in.Name == "" || len(in.Selector) != 1 {
				t.Errorf("%s: input %s %+v", tt.file, name, in)
			}
		}
		for _, name := range used {
			if _, ok := b.Blueprint.Input[name]; !ok {
				t.Errorf("%s: no input %s", tt.file, name)
			}
		}
		for _, template := range templates(&doc) {
			for _, a := range regexp.MustCompile(`attributes\.([a-z_]+)`).FindAllStringSubmatch(template, -1) {
				if !known[a[1]] {
					t.Errorf("%s: events have no %s", tt.file, a[1])
				}
			}
			render(t, template, event("move", false, before, now))
		}
		condition := b.Conditions[0].ValueTemplate
		for kind, want := range tt.acts {
			mate := kind == "mate"
			if mate {
				kind = "move"
			}
			if !slices.Contains(types, any(kind)) {
				t.Errorf("%s: there is no event %s", tt.file, kind)
			}
			if got := strings.EqualFold(render(t, condition, event(kind, mate, before, now)), "true"); got != want {
				t.Errorf("%s: on %s (mate %v): %v", tt.file, kind, mate, got)
			}
		}
		for _, away := range [][2]string{{"unavailable", now}, {before, "unavailable"}, {before, "unknown"}} {
			for _, mate := range []bool{false, true} {
				if strings.EqualFold(render(t, condition, event("move", mate, away[0], away[1])), "true") {
					t.Errorf("%s acts when the board goes from %s to %s", tt.file, away[0], away[1])
				}
			}
		}
	}
}

// The flow is wired to its own nodes, and to topics of the contract.
func TestNodeREDFlow(t *testing.T) {
	t.Parallel()
	var nodes []map[string]any
	readJSON(t, dashboards+"node-red-flow.json", &nodes)
	byID := map[string]map[string]any{}
	for _, n := range nodes {
		id, _ := n["id"].(string)
		if id == "" || byID[id] != nil {
			t.Errorf("id %q", id)
		}
		byID[id] = n
	}
	refers := map[string]string{"z": "tab", "broker": "mqtt-broker", "group": "ui-group", "page": "ui-page", "ui": "ui-base", "theme": "ui-theme"}
	wired := map[string]bool{}
	keys := stateKeys(t)
	for _, n := range nodes {
		kind, _ := n["type"].(string)
		for key, want := range refers {
			if ref, ok := n[key].(string); ok && ref != "" && kind != "mqtt-broker" && (byID[ref] == nil || byID[ref]["type"] != want) {
				t.Errorf("%s: %s is %q", n["id"], key, ref)
			}
		}
		wires, _ := n["wires"].([]any)
		for _, port := range wires {
			for _, to := range port.([]any) {
				id, _ := to.(string)
				if byID[id] == nil || byID[id]["z"] != n["z"] {
					t.Errorf("%s is wired to %q", n["id"], id)
				}
				wired[id] = true
			}
		}
		topic, _ := n["topic"].(string)
		if kind == "mqtt in" || kind == "mqtt out" {
			leaf := strings.TrimPrefix(topic, DefaultRoot+"/")
			i := slices.IndexFunc(Topics, func(c Topic) bool { return matches(c.Address, leaf) && c.In == (kind == "mqtt out") })
			if i < 0 {
				t.Errorf("the contract has no topic %s", topic)
				continue
			}
			if fmt.Sprint(n["qos"]) != fmt.Sprint(Topics[i].QoS) {
				t.Errorf("%s with QoS %v", topic, n["qos"])
			}
			if verb := topic[strings.LastIndexByte(topic, '/')+1:]; kind == "mqtt out" && (!slices.Contains(commands.Verbs(), verb) || n["retain"] != "false") {
				t.Errorf("commands %s, retain %v", verb, n["retain"])
			}
		}
		if format, _ := n["format"].(string); kind == "ui-text" {
			for _, m := range regexp.MustCompile(`msg\.payload\.([a-z_]+)`).FindAllStringSubmatch(format, -1) {
				if !keys[m[1]] {
					t.Errorf("state has no %s", m[1])
				}
			}
		}
	}
	for _, n := range nodes {
		switch kind, _ := n["type"].(string); kind {
		case "base64", "ui-template", "ui-text", "switch", "debug", "mqtt out":
			if !wired[n["id"].(string)] {
				t.Errorf("nothing is wired to %s %s", kind, n["name"])
			}
		}
	}
}

func stateKeys(t *testing.T) map[string]bool {
	t.Helper()
	var schema struct{ Properties map[string]any }
	readJSON(t, "../docs/schemas/state.json", &schema)
	keys := map[string]bool{}
	for key := range schema.Properties {
		keys[key] = true
	}
	return keys
}
