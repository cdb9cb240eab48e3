package mqtt

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/boardd/boardd/commands"
)

// docs/asyncapi.yaml lists exactly the topics that the code knows, with their QoS, retain flags, bodies and verbs.
func TestAsyncAPI(t *testing.T) {
	t.Parallel()
	type reference struct {
		Ref string `yaml:"$ref"`
	}
	var doc struct {
		AsyncAPI string
		Channels map[string]struct {
			Address    string
			Parameters map[string]struct {
				Enum []string
				Ref  string `yaml:"$ref"`
			}
			Messages map[string]reference
		}
		Operations map[string]struct {
			Action   string
			Channel  reference
			Reply    *struct{ Channel reference }
			Bindings struct {
				MQTT struct {
					QoS    byte
					Retain bool
				}
			}
		}
		Components struct {
			Parameters map[string]any
			Messages   map[string]struct {
				ContentType string `yaml:"contentType"`
				Payload     reference
			}
		}
	}
	if err := yaml.Unmarshal([]byte(readFile(t, "../docs/asyncapi.yaml")), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.AsyncAPI != "3.0.0" {
		t.Errorf("asyncapi %q", doc.AsyncAPI)
	}
	said := map[string]Topic{}
	for name, o := range doc.Operations {
		key := strings.TrimPrefix(o.Channel.Ref, "#/channels/")
		c, ok := doc.Channels[key]
		if !ok {
			t.Errorf("%s: no channel %s", name, o.Channel.Ref)
			continue
		}
		topic := Topic{Address: strings.TrimPrefix(c.Address, DefaultRoot+"/"), In: o.Action == "receive", QoS: o.Bindings.MQTT.QoS, Retained: o.Bindings.MQTT.Retain}
		if (o.Reply != nil) != topic.In {
			t.Errorf("%s: a reply belongs to what is received", name)
		}
		if topic.In && doc.Channels[strings.TrimPrefix(o.Reply.Channel.Ref, "#/channels/")].Address != c.Address[:strings.Index(c.Address, "cmd/")]+"reply" {
			t.Errorf("%s: answered on %s", name, o.Reply.Channel.Ref)
		}
		for _, m := range c.Messages {
			message, ok := doc.Components.Messages[strings.TrimPrefix(m.Ref, "#/components/messages/")]
			if !ok {
				t.Errorf("%s: no message %s", name, m.Ref)
			}
			topic.Schema = strings.TrimSuffix(strings.TrimPrefix(message.Payload.Ref, "./schemas/"), ".json")
			if _, err := os.Stat(filepath.Join("../docs", message.Payload.Ref)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if plain := topic.Schema == "status" || topic.Schema == "field"; plain != (message.ContentType == "text/plain") {
				t.Errorf("%s: %s", name, message.ContentType)
			}
		}
		for _, level := range strings.Split(topic.Address, "/") {
			if p, ok := strings.CutPrefix(level, "{"); ok {
				p = strings.TrimSuffix(p, "}")
				if parameter, ok := c.Parameters[p]; !ok || parameter.Ref != "" && doc.Components.Parameters[strings.TrimPrefix(parameter.Ref, "#/components/parameters/")] == nil {
					t.Errorf("%s: no parameter %s", name, p)
				}
			}
		}
		if _, twice := said[topic.Address]; twice {
			t.Errorf("%s is there twice", topic.Address)
		}
		said[topic.Address] = topic
	}
	if len(said) != len(doc.Channels) {
		t.Errorf("%d channels, %d of them in operations", len(doc.Channels), len(said))
	}
	want := map[string]Topic{}
	for _, topic := range Topics {
		want[topic.Address] = topic
	}
	if !reflect.DeepEqual(said, want) {
		t.Errorf("got  %+v\nwant %+v", said, want)
	}
	sorted := func(list []string) []string { return slices.Sorted(slices.Values(list)) }
	if verbs := doc.Channels["command"].Parameters["verb"].Enum; !slices.Equal(sorted(verbs), sorted(commands.Verbs())) {
		t.Errorf("verbs %v\nwant  %v", verbs, commands.Verbs())
	}
	if fields := doc.Channels["field"].Parameters["field"].Enum; !slices.Equal(fields, fieldNames) {
		t.Errorf("fields %v", fields)
	}
}
