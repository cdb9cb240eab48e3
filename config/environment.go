package config

import (
	"reflect"
	"strconv"
	"strings"
)

const envPrefix = "BOARDD_"

// environment lets variables such as BOARDD_MQTT_URL override what the file says: the table and the key in capitals. A
// variable that looks like one of these and names no key is a fault; BOARDD_ and one word alone is not meant for us.
func (ck *checker) environment(c *Config, environ []string) {
	ck.env = map[string]string{}
	for _, variable := range environ {
		name, value, _ := strings.Cut(variable, "=")
		rest, ok := strings.CutPrefix(name, envPrefix)
		table, key, two := strings.Cut(strings.ToLower(rest), "_")
		if !ok || !two {
			continue
		}
		ck.override(c, name, table, key, value)
	}
}

func (ck *checker) override(c *Config, name, table, key, value string) {
	if table == "board" {
		ck.variable(name, "keys of [[board]] can only be set in the file")
		return
	}
	t, ok := field(reflect.ValueOf(c).Elem(), table)
	if !ok || t.Kind() != reflect.Struct {
		ck.variable(name, "there is no such key to override")
		return
	}
	v, ok := field(t, key)
	if !ok {
		ck.variable(name, "there is no such key to override")
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(value)
	case reflect.Bool:
		b, err := strconv.ParseBool(value)
		if err != nil {
			ck.variable(name, "wants true or false")
			return
		}
		v.SetBool(b)
	default:
		ck.variable(name, "this key can only be set in the file")
		return
	}
	ck.env[table+"."+key] = name
}

func (ck *checker) variable(name, message string) {
	ck.faults = append(ck.faults, Fault{Key: name, Message: message})
}

// field is the field of a struct that has a name in TOML.
func field(v reflect.Value, name string) (reflect.Value, bool) {
	for i := range v.NumField() {
		if v.Type().Field(i).Tag.Get("toml") == name {
			return v.Field(i), true
		}
	}
	return reflect.Value{}, false
}
