package config

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// key is one key or table that a file has.
type key struct {
	path string // as board[0].rules.mode
	line int
	kind unstable.Kind // of its value; Table, ArrayTable or InlineTable for tables
}

// keys are all keys of a file.
type keys struct {
	list  []key          // in their order
	lines map[string]int // by path
}

// readKeys finds the keys of a TOML text with their lines and kinds, which the decoder does not give.
func readKeys(text []byte) (keys, error) {
	r := keyReader{text: text, arrays: map[string]int{}, keys: keys{lines: map[string]int{}}}
	r.p.Reset(text)
	for r.p.NextExpression() {
		e := r.p.Expression()
		switch e.Kind {
		case unstable.Table:
			r.table, _ = r.path("", e)
			r.add(r.table, r.lineOf(e), unstable.Table)
		case unstable.ArrayTable:
			path, bare := r.path("", e)
			r.arrays[bare]++
			r.table = fmt.Sprintf("%s[%d]", strings.TrimSuffix(path, lastIndex(path)), r.arrays[bare]-1)
			r.add(r.table, r.lineOf(e), unstable.ArrayTable)
		case unstable.KeyValue:
			r.keyValue(r.table, e)
		}
	}
	return r.keys, r.p.Error()
}

type keyReader struct {
	p      unstable.Parser
	text   []byte
	table  string         // path of the table that keys are in now
	arrays map[string]int // how many tables an array of tables has so far, by its path
	keys   keys

	line, offset int // a line count that goes on from the last one asked for
}

func (r *keyReader) add(path string, line int, kind unstable.Kind) {
	r.keys.list = append(r.keys.list, key{path, line, kind})
	if _, again := r.keys.lines[path]; !again {
		r.keys.lines[path] = line
	}
}

// path is prefix with the parts of a key; where a part names an array of tables its last index stands behind it. bare is
// the same path before the index of the last part.
func (r *keyReader) path(prefix string, n *unstable.Node) (path, bare string) {
	path = prefix
	for it := n.Key(); it.Next(); {
		if path != "" {
			path += "."
		}
		path += quoted(string(it.Node().Data))
		bare = path
		if count := r.arrays[path]; count > 0 {
			path = fmt.Sprintf("%s[%d]", path, count-1)
		}
	}
	return path, bare
}

// lastIndex is the index at the end of a path, "[3]", or "".
func lastIndex(path string) string {
	if i := strings.LastIndexByte(path, '['); i >= 0 && strings.HasSuffix(path, "]") {
		return path[i:]
	}
	return ""
}

// quoted is a part of a key as TOML would write it.
func quoted(part string) string {
	for i := range len(part) {
		c := part[i]
		if !(c == '_' || c == '-' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z') {
			return fmt.Sprintf("%q", part)
		}
	}
	if part == "" {
		return `""`
	}
	return part
}

func (r *keyReader) keyValue(prefix string, n *unstable.Node) {
	path, _ := r.path(prefix, n)
	r.value(path, r.lineOf(n), n.Value())
}

func (r *keyReader) value(path string, line int, v *unstable.Node) {
	r.add(path, line, v.Kind)
	if _, ok := schemaOf(path); !ok {
		return // what is below is not known either
	}
	switch v.Kind {
	case unstable.InlineTable:
		for it := v.Children(); it.Next(); {
			if n := it.Node(); n.Kind == unstable.KeyValue {
				r.keyValue(path, n)
			}
		}
	case unstable.Array:
		i := 0
		for it := v.Children(); it.Next(); {
			if n := it.Node(); n.Kind != unstable.Comment {
				r.value(fmt.Sprintf("%s[%d]", path, i), line, n)
				i++
			}
		}
	}
}

// lineOf is the line on which an expression's key begins.
func (r *keyReader) lineOf(n *unstable.Node) int {
	it := n.Key()
	if !it.Next() {
		return r.line
	}
	offset := int(it.Node().Raw.Offset)
	if r.line == 0 || offset < r.offset {
		r.line, r.offset = 1, 0
	}
	r.line += bytes.Count(r.text[r.offset:offset], []byte("\n"))
	r.offset = offset
	return r.line
}

// has reports whether the file has a key.
func (ks keys) has(path string) bool { return ks.lines[path] > 0 }

// at is the path of the last key on a line, else what the decoder says.
func (ks keys) at(line int, otherwise string) string {
	for _, k := range ks.list {
		if k.line == line {
			otherwise = k.path
		}
	}
	return otherwise
}

// firstTypeFault is the first key whose value is of another type than the schema's.
func (ks keys) firstTypeFault() (Fault, bool) {
	for _, k := range ks.list {
		if one := strings.TrimSuffix(k.path, lastIndex(k.path)); k.kind == unstable.ArrayTable {
			if t, ok := schemaOf(one); ok && t.Kind() == reflect.Struct {
				return Fault{Line: k.line, Key: one, Message: fmt.Sprintf("is one table: write [%s]", one)}, true
			}
		}
		t, ok := schemaOf(k.path)
		if !ok || k.kind == kindFor(t) || t.Kind() == reflect.Struct && isTable(k.kind) || t == pinType && k.kind == unstable.Integer ||
			t.Kind() == reflect.Float64 && k.kind == unstable.Integer {
			continue
		}
		if isTables(t) && k.kind == unstable.Table {
			return Fault{Line: k.line, Key: k.path, Message: fmt.Sprintf("is a list: write [[%s]]", k.path)}, true
		}
		return Fault{Line: k.line, Key: k.path, Message: fmt.Sprintf("wants %s, not %s", wants(t), is[k.kind])}, true
	}
	return Fault{}, false
}

// unknown are the keys that the schema does not have; below an unknown table nothing more is said.
func (ks keys) unknown() (faults Faults) {
	said := ""
	for _, k := range ks.list {
		if _, ok := schemaOf(k.path); ok {
			continue
		}
		if said != "" && (k.path == said || strings.HasPrefix(k.path, said+".") || strings.HasPrefix(k.path, said+"[")) {
			continue
		}
		said = k.path
		faults = append(faults, Fault{Line: k.line, Key: k.path, Message: "unknown key" + hint(k.path)})
	}
	return faults
}

func isTable(k unstable.Kind) bool {
	return k == unstable.Table || k == unstable.InlineTable || k == unstable.ArrayTable
}

// schemaOf is the type that the schema gives to a path.
func schemaOf(path string) (reflect.Type, bool) {
	t := reflect.TypeFor[Config]()
	for _, part := range strings.Split(path, ".") {
		name, index, indexed := strings.Cut(part, "[")
		if t.Kind() != reflect.Struct {
			return nil, false
		}
		found := false
		for i := range t.NumField() {
			if f := t.Field(i); f.Tag.Get("toml") == name {
				t, found = f.Type, true
				break
			}
		}
		if !found {
			return nil, false
		}
		if indexed {
			if t.Kind() != reflect.Slice || strings.Contains(index, "[") {
				return nil, false
			}
			t = t.Elem()
		}
	}
	return t, true
}

func kindFor(t reflect.Type) unstable.Kind {
	switch t.Kind() {
	case reflect.String:
		return unstable.String
	case reflect.Bool:
		return unstable.Bool
	case reflect.Int64:
		return unstable.Integer
	case reflect.Float64:
		return unstable.Float
	case reflect.Slice:
		return unstable.Array
	}
	return unstable.Table
}

func wants(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Struct:
		return "a table"
	case reflect.Slice:
		if isTables(t) {
			return "a list of tables"
		}
		return "a list"
	}
	if t == pinType {
		return `a number or a name in "quotes"`
	}
	return is[kindFor(t)]
}

// isTables reports whether t is a list of tables.
func isTables(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct
}

var pinType = reflect.TypeFor[Pin]()

// is says in words what a value is.
var is = map[unstable.Kind]string{
	unstable.String: `text in "quotes"`, unstable.Bool: "true or false", unstable.Integer: "a whole number",
	unstable.Float: "a number with a fraction", unstable.Array: "a list", unstable.InlineTable: "a table",
	unstable.Table: "a table", unstable.ArrayTable: "a list of tables", unstable.LocalDate: "a date",
	unstable.LocalTime: "a time", unstable.LocalDateTime: "a date", unstable.DateTime: "a date",
}
