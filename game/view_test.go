package game

import (
	"reflect"
	"testing"
)

// TestEveryFieldIsSeen: what differs in one field, of what it points at too, is not equal.
func TestEveryFieldIsSeen(t *testing.T) {
	t.Parallel()
	everyFieldIsSeen[View](t, func(a, b *View) bool { return a.equal(b) })
	everyFieldIsSeen[Snapshot](t, func(a, b *Snapshot) bool { return a.equal(b) })
	everyFieldIsSeen[Kept](t, func(a, b *Kept) bool { return a.equal(b) })
}

func everyFieldIsSeen[S any](t *testing.T, equal func(a, b *S) bool) {
	kind := reflect.TypeFor[S]()
	full := func() (*S, reflect.Value) {
		s := new(S)
		v := reflect.ValueOf(s).Elem()
		fill(v)
		return s, v
	}
	a, _ := full()
	b, _ := full()
	if !equal(a, b) || !equal(new(S), new(S)) {
		t.Fatalf("%s: not equal to itself", kind)
	}
	differ := func(name string, change func(field reflect.Value), i int) {
		changed, v := full()
		change(v.Field(i))
		if same := name == "T"; equal(changed, a) != same || equal(a, changed) != same { // when it is said says nothing
			t.Errorf("%s: a change of %s is seen: %v", kind, name, same)
		}
	}
	for i := range kind.NumField() {
		name, field := kind.Field(i).Name, kind.Field(i).Type
		differ(name, reflect.Value.SetZero, i)
		if field.Kind() == reflect.Pointer && field.Elem().Kind() == reflect.Struct {
			for j := range field.Elem().NumField() {
				differ(name+"."+field.Elem().Field(j).Name, func(v reflect.Value) { v.Elem().Field(j).SetZero() }, i)
			}
		}
	}
}

// fill gives every field a value that is not zero.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	default:
		v.SetUint(1)
	}
}
