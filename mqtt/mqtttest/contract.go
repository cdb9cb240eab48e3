// Package mqtttest holds messages to docs/schemas, for the tests of all who publish.
package mqtttest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Contract is what may be published.
type Contract struct {
	schemas map[string]*jsonschema.Schema
	topics  []topic
}

type topic struct {
	pattern *regexp.Regexp
	schema  string
}

// Load reads the schemas in a folder. topics maps addresses such as {node}/{board}/state to the name of the schema of what is said
// there, "" for no JSON. The shipped schemas let keys pass that they do not know; here each key must be in them.
func Load(dir string, topics map[string]string) (*Contract, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	c := &Contract{schemas: map[string]*jsonschema.Schema{}}
	ids := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		root, ok := doc.(map[string]any)
		id, _ := root["$id"].(string)
		if !ok || id == "" {
			return nil, fmt.Errorf("%s has no $id", file)
		}
		if _, open := root["additionalProperties"]; !open && root["type"] == "object" {
			root["unevaluatedProperties"] = false
		}
		if err := compiler.AddResource(id, root); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		ids[strings.TrimSuffix(filepath.Base(file), ".json")] = id
	}
	for name, id := range ids {
		if c.schemas[name], err = compiler.Compile(id); err != nil {
			return nil, err
		}
	}
	for address, schema := range topics {
		if schema != "" && c.schemas[schema] == nil {
			return nil, fmt.Errorf("%s: no schema %s in %s", address, schema, dir)
		}
		pattern := regexp.MustCompile(`\\\{[a-z]+\\\}`).ReplaceAllString(regexp.QuoteMeta(address), `[^/]+`)
		c.topics = append(c.topics, topic{regexp.MustCompile("^" + pattern + "$"), schema})
	}
	return c, nil
}

// Valid holds a body to a schema.
func (c *Contract) Valid(schema string, payload []byte) error {
	s := c.schemas[schema]
	if s == nil {
		return fmt.Errorf("there is no schema %s", schema)
	}
	var body any = string(payload)
	if schema != "status" && schema != "field" { // which are no JSON
		var err error
		if body, err = jsonschema.UnmarshalJSON(bytes.NewReader(payload)); err != nil {
			return err
		}
	}
	return s.Validate(body)
}

// Check holds a message to the schema of its topic, which is given below the root.
func (c *Contract) Check(leaf string, payload []byte) error {
	said := fmt.Errorf("the contract has no topic %s", leaf)
	for _, t := range c.topics {
		if !t.pattern.MatchString(leaf) {
			continue
		}
		if t.schema == "" {
			return nil
		}
		if said = c.Valid(t.schema, payload); said == nil {
			return nil
		}
		said = fmt.Errorf("%s: %w\nin %.2000s", leaf, said, payload)
	}
	return said
}
