package board

import (
	"encoding/json"
	"reflect"
	"testing"
)

// FuzzCommandJSON: what is read is the same after it was written, so that recordings replay what was commanded.
func FuzzCommandJSON(f *testing.F) {
	for _, seed := range []string{
		`{"verb":"led_brightness","value":40}`, `{"verb":"result","value":"1-0","reason":"forfeit"}`, `{"verb":"edit","uci":["e2e4"],"from_ply":1}`,
		`{"verb":"claim","uci":"e2e4"}`, `{"verb":"truncate","ply":0,"result":"*"}`, `{"verb":"result","result":"*"}`, `{"verb":"edit","uci":[]}`, `[]`, `{`, `{"uci":null}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var c Command
		if json.Unmarshal(text, &c) != nil {
			return
		}
		written, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		var again Command
		if err := json.Unmarshal(written, &again); err != nil {
			t.Fatalf("%s: %v", written, err)
		}
		if len(c.UCI)+len(again.UCI) == 0 {
			c.UCI, again.UCI = nil, nil
		}
		if !reflect.DeepEqual(c, again) {
			t.Fatalf("%+v is written as %s", c, written)
		}
	})
}
