package config

import (
	"reflect"
	"strings"
	"sync"
)

// habits are keys that other programs have, and what they are called here.
var habits = map[string]string{
	"mqtt.port": "mqtt.listen", "mqtt.address": "mqtt.listen", "mqtt.bind": "mqtt.listen",
	"mqtt.host": "mqtt.url", "mqtt.broker": "mqtt.url", "mqtt.server": "mqtt.url",
	"mqtt.password": "mqtt.password_file", "mqtt.user": "mqtt.username", "mqtt.login": "mqtt.username",
	"board.device": "board.port", "board.serial": "board.port", "board.tty": "board.port",
	"mqtt.prefix": "mqtt.root", "mqtt.topic": "mqtt.root", "mqtt.base_topic": "mqtt.root",
}

// hint says which key may be meant by one that is not known; "" when none comes near.
func hint(path string) string {
	bare := unindexed(path)
	table, name := cutLast(strings.ToLower(bare))
	best := habits[strings.ToLower(bare)]
	if best == "" { // the right key in the wrong table
		for _, k := range schemaPaths() {
			if _, n := cutLast(k); n == name && (best == "" || strings.Count(k, ".") < strings.Count(best, ".")) {
				best = k
			}
		}
	}
	if best == "" {
		most := 1
		if len(name) > 4 {
			most = 2
		}
		for _, k := range schemaPaths() {
			if t, n := cutLast(k); t == table && distance(n, name) <= most {
				best, most = k, distance(n, name)-1
			}
		}
	}
	if best == "" {
		return ""
	}
	if t, n := cutLast(best); t == "board" {
		best = n + " in [[board]]"
	} else if strings.HasPrefix(t, "board.") {
		best = n + " in [" + t + "]"
	}
	return ": did you mean " + best + "?"
}

// unindexed is a path without the indexes of its lists.
func unindexed(path string) string {
	var b strings.Builder
	skip := false
	for _, r := range path {
		skip = skip || r == '['
		if !skip {
			b.WriteRune(r)
		}
		skip = skip && r != ']'
	}
	return b.String()
}

// schemaPaths are all keys and tables, without indexes, in the order of the schema.
var schemaPaths = sync.OnceValue(func() (paths []string) {
	var walk func(t reflect.Type, prefix string)
	walk = func(t reflect.Type, prefix string) {
		if t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct {
			return
		}
		for i := range t.NumField() {
			if key := t.Field(i).Tag.Get("toml"); key != "" {
				paths = append(paths, prefix+key)
				walk(t.Field(i).Type, prefix+key+".")
			}
		}
	}
	walk(reflect.TypeFor[Config](), "")
	return paths
})

// distance counts the letters to be inserted, dropped, replaced or exchanged with their neighbour until a is b; long words are far
// from everything.
func distance(a, b string) int {
	if len(a) > 40 || len(b) > 40 {
		return 40
	}
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
