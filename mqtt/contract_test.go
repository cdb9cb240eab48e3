package mqtt

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/boardd/boardd/commands"
	"github.com/boardd/boardd/mqtt/mqtttest"
)

var contract = sync.OnceValues(func() (*mqtttest.Contract, error) {
	schemas := map[string]string{}
	for _, t := range Topics {
		schemas[t.Address] = t.Schema
	}
	return mqtttest.Load("../docs/schemas", schemas)
})

// holdToContract lets a test fail when its door publishes what docs/schemas does not have, or retains what is not to be retained:
// there is no switch for all at once (MQ-26).
func holdToContract(t *testing.T, d *Door) {
	t.Helper()
	c, err := contract()
	if err != nil {
		t.Fatal(err)
	}
	type said struct {
		topic   string
		retain  bool
		payload []byte
	}
	var mu sync.Mutex
	var all []said
	d.spy = func(topic string, retain bool, payload []byte) { // which is not held up
		mu.Lock()
		defer mu.Unlock()
		all = append(all, said{topic, retain, payload})
	}
	check := func(topic string, retain bool, payload []byte) {
		leaf, ours := strings.CutPrefix(topic, d.opt.Root+"/")
		switch {
		case ours:
			if err := c.Check(leaf, payload); err != nil {
				t.Error(err)
			}
			i := slices.IndexFunc(Topics, func(s Topic) bool { return matches(s.Address, leaf) && !s.In })
			if i < 0 || Topics[i].Retained != retain {
				t.Errorf("%s, retained %v, is not in the contract", leaf, retain)
			}
		case !strings.HasPrefix(topic, d.opt.DiscoveryPrefix+"/device/"+d.opt.Node+"/") || !retain:
			t.Errorf("published on %s, retained %v", topic, retain)
		case len(payload) > 0:
			if err := c.Valid("discovery", payload); err != nil {
				t.Errorf("%v\nin %s", err, payload)
			}
		}
	}
	t.Cleanup(func() { // when the door has stopped
		mu.Lock()
		defer mu.Unlock()
		for _, s := range all {
			check(s.topic, s.retain, s.payload)
		}
	})
}

func matches(address, leaf string) bool {
	a, l := strings.Split(address, "/"), strings.Split(leaf, "/")
	if len(a) != len(l) {
		return false
	}
	for i := range a {
		if a[i] != l[i] && !(strings.HasPrefix(a[i], "{") && (i != 1 || !reserved[l[i]])) {
			return false
		}
	}
	return true
}

// The keys, verbs and words of commands are those of docs/schemas/command.json and docs/mqtt.md.
func TestCommandKeysAreInTheSchema(t *testing.T) {
	t.Parallel()
	var schema struct{ Properties map[string]any }
	readJSON(t, "../docs/schemas/command.json", &schema)
	for _, key := range commands.Keys() {
		if schema.Properties[key] == nil {
			t.Errorf("the schema has no key %s", key)
		}
	}
	for key := range schema.Properties {
		if !slices.Contains(commands.Keys(), key) {
			t.Errorf("the schema has a key %s that is not read", key)
		}
	}
}

// The docs name every topic, verb and code.
func TestDocsNameEverything(t *testing.T) {
	t.Parallel()
	docs := readFile(t, "../docs/mqtt.md")
	for _, topic := range Topics {
		leaf := strings.NewReplacer("{node}/{board}/", "<board>/", "{node}/", "", "{verb}", "<verb>", "{field}", "<name>").Replace(topic.Address)
		if !strings.Contains(docs, "`"+leaf+"`") && !strings.Contains(docs, "`"+leaf[strings.LastIndexByte(leaf, '/')+1:]+"`") {
			t.Errorf("docs/mqtt.md has no topic %s", leaf)
		}
	}
	for _, verb := range commands.Verbs() {
		if !regexp.MustCompile("\\| .*`" + verb + "`").MatchString(docs) {
			t.Errorf("docs/mqtt.md has no verb %s", verb)
		}
	}
}
