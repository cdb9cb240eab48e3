package game

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// Whatever the table can say comes back from the journal as it went in.
func TestKeptBodiesComeBack(t *testing.T) {
	t.Parallel()
	for kind, empty := range bodies {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(rt *rapid.T) {
				b := empty()
				v := reflect.ValueOf(b).Elem()
				fillBody(rt, v)
				text, err := KeepBody(b)
				if err != nil {
					rt.Fatal(err)
				}
				back, err := ParseBody(kind, text)
				if err != nil {
					rt.Fatal(err)
				}
				if again, _ := KeepBody(back); string(again) != string(text) || reflect.TypeOf(back) != reflect.TypeOf(b) {
					rt.Fatalf("%T went in as\n%s\n%T came out as\n%s", b, text, back, again)
				}
			})
		})
	}
}

// fillBody puts something into every field.
func fillBody(t *rapid.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fillBody(t, v.Field(i))
		}
	case reflect.Pointer:
		if rapid.Bool().Draw(t, "set") {
			v.Set(reflect.New(v.Type().Elem()))
			fillBody(t, v.Elem())
		}
	case reflect.Slice:
		n := rapid.IntRange(0, 3).Draw(t, "length")
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fillBody(t, v.Index(i))
		}
	case reflect.String:
		v.SetString(rapid.String().Draw(t, "text"))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Uint8: // a square, or a colour
		limit := uint64(64)
		if v.Type().Name() == "Color" {
			limit = 1
		}
		v.SetUint(rapid.Uint64Range(0, limit).Draw(t, "uint"))
	default:
		v.SetInt(rapid.Int64Range(0, 1000).Draw(t, "int"))
	}
}

func TestForeignBodies(t *testing.T) {
	t.Parallel()
	b, err := ParseBody("from_the_future", []byte(`{"x":1}`))
	if err != nil {
		t.Fatal(err)
	}
	e := Event{Seq: 3, Type: "from_the_future", Body: b}
	text, err := e.JSON("b", "00000000", "ts", false)
	if want := `{"v":1,"board":"b","epoch":"00000000","seq":3,"ts":"ts","game":null,"ply":0,"type":"from_the_future","late":false,"x":1}`; err != nil || string(text) != want {
		t.Errorf("%s, %v, want %s", text, err, want)
	}
	if b, err := ParseBody("from_the_future", []byte("null")); err == nil {
		t.Errorf("null was read as %v", b)
	}
	for _, bad := range []string{"", "[]", "1", "{"} {
		if b, err := ParseBody("from_the_future", []byte(bad)); err == nil {
			t.Errorf("%q was read as %v", bad, b)
		}
		if b, err := ParseBody("move", []byte(bad)); err == nil {
			t.Errorf("%q was read as %v", bad, b)
		}
	}
}

func FuzzParseBody(f *testing.F) {
	f.Add("move", []byte(`{"by":"white","uci":"e2e4","clk_ms":null}`))
	f.Add("doubt", []byte(`{"id":3,"candidates":[{"uci":["e4d5"],"weight":0.055}],"squares":["d5"]}`))
	f.Add("game_end", []byte(`{"result":"1-0","started_t":-5}`))
	f.Add("later", []byte(`{}`))
	f.Fuzz(func(t *testing.T, kind string, text []byte) {
		b, err := ParseBody(kind, text)
		if err != nil {
			return
		}
		again, err := KeepBody(b)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseBody(kind, again); err != nil {
			t.Fatalf("%s was written as %s: %v", text, again, err)
		}
	})
}
