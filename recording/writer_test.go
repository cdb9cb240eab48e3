package recording

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

var symbols = map[board.Acuity]string{board.Presence: ".x", board.ColorAcuity: ".wb", board.PieceAcuity: ".?PNBRQKpnbrqk"}

func symbol(a board.Acuity) *rapid.Generator[board.Symbol] {
	return rapid.Map(rapid.SampledFrom([]byte(symbols[a])), func(b byte) board.Symbol { return board.Symbol(b) })
}

var openings = rapid.Custom(func(t *rapid.T) Opening {
	text := rapid.String()
	o := Opening{
		Driver: rapid.SampledFrom([]string{"", "dgt"}).Draw(t, "driver"), FEN: text.Draw(t, "fen"),
		Moves: rapid.SliceOfN(rapid.SampledFrom([]string{"e2e4", "e7e8q"}), 0, 3).Draw(t, "moves"), Variant: text.Draw(t, "variant"),
		Board: text.Draw(t, "board"), Note: text.Draw(t, "note"),
	}
	if len(o.Moves) == 0 {
		o.Moves = nil
	}
	if rapid.Bool().Draw(t, "with truth") {
		o.Truth = []string{"e2e4", "e7e5"}
	}
	if o.HasAcuity = o.Driver == "" || rapid.Bool().Draw(t, "with acuity"); o.HasAcuity {
		o.Acuity = rapid.SampledFrom([]board.Acuity{board.Presence, board.ColorAcuity, board.PieceAcuity}).Draw(t, "acuity")
	}
	if rapid.Bool().Draw(t, "with times") {
		scan, settle := rapid.Int64Range(0, 60_000).Draw(t, "scan"), rapid.Int64Range(0, 60_000).Draw(t, "settle")
		o.ScanMs, o.SettleMs = &scan, &settle
	}
	if rapid.Bool().Draw(t, "with objects") {
		o.Rules, _ = json.Marshal(rapid.MapOf(text, rapid.Bool()).Draw(t, "rules"))
		o.Options, _ = json.Marshal(rapid.MapOf(text, text).Draw(t, "options"))
	}
	return o
})

func entry(o *Opening, from int64) *rapid.Generator[Entry] {
	return rapid.Custom(func(t *rapid.T) Entry {
		in := board.Input{T: from + rapid.Int64Range(0, 5000).Draw(t, "later")}
		kinds := []board.Kind{board.Change, board.Scan, board.Link, board.Clock, board.Button, board.Cmd, board.Battery}
		if o.Driver != "" && rapid.Bool().Draw(t, "bytes") {
			return Entry{Input: in, Bytes: append([]byte{}, rapid.SliceOf(rapid.Byte()).Draw(t, "hex")...)}
		}
		acuity := o.Acuity
		if !o.HasAcuity {
			acuity = board.PieceAcuity
		}
		switch in.Kind = rapid.SampledFrom(kinds).Draw(t, "kind"); in.Kind {
		case board.Change:
			in.Square, in.Symbol = rules.Square(rapid.IntRange(0, 63).Draw(t, "square")), symbol(acuity).Draw(t, "symbol")
		case board.Scan:
			for s := range in.Picture {
				in.Picture[s] = symbol(acuity).Draw(t, "symbol")
			}
		case board.Link:
			in.Online = rapid.Bool().Draw(t, "online")
		case board.Clock:
			side := rapid.SampledFrom([]board.Side{board.NoSide, board.Left, board.Right})
			ms := rapid.Int64Range(0, maxClock)
			in.Reading = board.Reading{
				LeftMs: ms.Draw(t, "left"), RightMs: ms.Draw(t, "right"), Running: side.Draw(t, "running"), Lever: side.Draw(t, "lever"),
				Flag: side.Draw(t, "flag"), ByColor: rapid.Bool().Draw(t, "by color"), BatteryLow: rapid.Bool().Draw(t, "low"),
			}
		case board.Button:
			in.ButtonName = rapid.StringN(1, 20, 80).Draw(t, "name")
		case board.Battery:
			in.Percent, in.Charging = rapid.IntRange(0, 100).Draw(t, "percent"), rapid.Bool().Draw(t, "charging")
		case board.Cmd:
			seq := rapid.Int64().Draw(t, "seq")
			in.Command = &board.Command{
				Verb: rapid.StringN(1, 10, 40).Draw(t, "verb"), ID: rapid.String().Draw(t, "id"), IfSeq: &seq,
				Plies: rapid.Int().Draw(t, "plies"), White: rapid.String().Draw(t, "white"), Force: rapid.Bool().Draw(t, "force"),
			}
		}
		return Entry{Input: in}
	})
}

// What is written is read again, to the last key; and written once more it is the same bytes.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var entries []Entry
		for range rapid.IntRange(1, 3).Draw(rt, "recordings") {
			o := openings.Draw(rt, "opening")
			entries = append(entries, Entry{Opening: &o})
			now := int64(0)
			for range rapid.IntRange(0, 10).Draw(rt, "lines") {
				e := entry(&o, now).Draw(rt, "entry")
				now = e.Input.T
				entries = append(entries, e)
			}
			if rapid.Bool().Draw(rt, "ends") {
				entries = append(entries, Entry{Input: board.Input{T: now, Kind: board.End}})
			}
		}
		for i := range entries {
			entries[i].Line = i + 1
		}
		text := write(t, entries)
		again, faults := all(t, NewReader(strings.NewReader(text)))
		if len(faults) > 0 || !reflect.DeepEqual(again, entries) {
			rt.Fatalf("faults %q\nwritten %s\nread %+v", faults, text, again)
		}
		if write(t, again) != text {
			rt.Fatalf("written anew it differs from\n%s", text)
		}
	})
}

func TestWriterRefusesWhatNoReaderWouldTake(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := NewWriter(&out)
	if err := w.Input(board.Input{Kind: board.Link}); err == nil {
		t.Error("a line before the opening line")
	}
	if err := w.Open(Opening{}); err == nil {
		t.Error("an opening without acuity and driver")
	}
	if err := w.Open(Opening{HasAcuity: true}); err != nil {
		t.Error(err)
	}
	if err := w.Input(board.Input{T: 5, Kind: board.Wake}); err != nil {
		t.Error(err)
	}
	if err := w.Input(board.Input{T: 5, Kind: board.Link}); err != nil {
		t.Error(err)
	}
	if err := w.Input(board.Input{T: 4, Kind: board.Link}); err == nil {
		t.Error("time falls")
	}
	_ = w.Flush()
	if got, want := out.String(), `{"recording":1,"acuity":"presence"}`+"\n"+`{"t":5,"link":"down"}`+"\n"; got != want {
		t.Errorf("written %s", got)
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte(example))
	f.Add([]byte("{\"recording\":1,\"driver\":\"dgt\"}\n{\"t\":0,\"hex\":\"86 00\"}\n{\"t\":1"))
	f.Add([]byte{0x1f, 0x8b, 8, 0})
	f.Fuzz(func(t *testing.T, file []byte) {
		entries, _ := all(t, NewReader(bytes.NewReader(file)))
		kept := entries[:0]
		last := int64(0)
		for _, e := range entries {
			if e.Opening == nil && e.Bytes == nil && e.Input.Kind == board.Wake {
				continue // says nothing, so it is not written
			}
			if e.Opening != nil {
				last = 0
			} else if e.Input.T < last {
				t.Fatalf("t falls at line %d", e.Line)
			} else {
				last = e.Input.T
			}
			e.Line = 0
			kept = append(kept, e)
		}
		text := write(t, kept)
		again, faults := all(t, NewReader(strings.NewReader(text)))
		for i := range again {
			again[i].Line = 0
		}
		if len(faults) > 0 || len(again) != len(kept) || write(t, again) != text {
			t.Fatalf("what was read is not read again: %q\n%s", faults, text)
		}
	})
}
