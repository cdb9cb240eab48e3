package text_test

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/text"
	"github.com/boardd/boardd/rules"
)

// bench steps a machine as a daemon does: with bytes when they come, else when it wants to be woken.
type bench struct {
	t    *testing.T
	m    *text.Machine
	now  int64
	wake int64
	out  []byte
	in   []board.Input
	pic  board.Picture // what the inputs come to
	up   bool
}

func preset(t testing.TB, name string) text.Options {
	t.Helper()
	o, ok := text.Preset(name)
	if !ok {
		t.Fatalf("no preset %s", name)
	}
	return o
}

func newBench(t *testing.T, m *text.Machine) *bench {
	b := &bench{t: t, m: m}
	b.step(0, nil)
	return b
}

func (b *bench) step(now int64, bytes []byte) {
	b.t.Helper()
	b.now = now
	in, out, wake := b.m.Step(now, bytes)
	b.out, b.in, b.wake = append(b.out, out...), append(b.in, in...), wake
	if wake != 0 && wake <= now {
		b.t.Fatalf("at %d it wants to be woken at %d", now, wake)
	}
	for _, i := range in {
		switch i.Kind {
		case board.Link:
			b.up = i.Online
		case board.Scan:
			b.pic = i.Picture
		case board.Change:
			b.pic[i.Square] = i.Symbol
		}
	}
}

// until runs to a time, waking as asked.
func (b *bench) until(now int64) {
	b.t.Helper()
	for n := 0; b.wake != 0 && b.wake <= now; n++ {
		if n > 10_000 {
			b.t.Fatal("it never sleeps")
		}
		b.step(b.wake, nil)
	}
	b.now = now
}

// send runs to a time and gives bytes then.
func (b *bench) send(now int64, bytes []byte) {
	b.t.Helper()
	b.until(now)
	b.step(now, bytes)
}

func (b *bench) take() (out, in string) {
	out, in = string(b.out), inputs(b.in)
	b.out, b.in = nil, nil
	return out, in
}

// want compares what came since the last time.
func (b *bench) want(what, out, in string) {
	b.t.Helper()
	gotOut, gotIn := b.take()
	if gotOut != out {
		b.t.Errorf("%s: wrote %q, want %q", what, gotOut, out)
	}
	if gotIn != in {
		b.t.Errorf("%s: said %s, want %s", what, gotIn, in)
	}
}

func inputs(in []board.Input) string {
	var words []string
	for _, i := range in {
		switch i.Kind {
		case board.Link:
			words = append(words, map[bool]string{true: "online", false: "offline"}[i.Online])
		case board.Scan:
			words = append(words, i.Picture.String())
		case board.Change:
			words = append(words, fmt.Sprintf("%s=%c", i.Square, i.Symbol))
		default:
			words = append(words, fmt.Sprintf("%+v", i))
		}
	}
	return strings.Join(words, " ")
}

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

const (
	startX = "xxxxxxxx/xxxxxxxx/......../......../......../......../xxxxxxxx/xxxxxxxx"
	startC = "bbbbbbbb/bbbbbbbb/......../......../......../......../wwwwwwww/wwwwwwww"
	startP = "rnbqkbnr/pppppppp/......../......../......../......../PPPPPPPP/RNBQKBNR"
)

// xiaoStart are the 64 lines of protocols/diy-serial.md section 6.
func xiaoStart() string {
	var b strings.Builder
	for s := range rules.Square(64) {
		sign := " "
		switch {
		case s.Rank() < 2:
			sign = "-"
		case s.Rank() > 5:
			sign = "+"
		}
		b.WriteString(sign + strings.ToUpper(s.String()) + "\r\n")
	}
	return b.String()
}

// golden are the bytes of protocols/diy-serial.md section 6: the start position, e2 lifted, e4 placed.
func golden(t testing.TB) []goldenRow {
	hexes := func(text string) string { return string(unhex(t, text)) }
	return []goldenRow{
		{"liboard", hexes("FF FF 00 00 00 00 FF FF"), hexes("FF FF 00 00 00 00 EF FF"), hexes("FF FF 00 00 10 00 EF FF"), "online " + startX, "e2=.", "e4=x"},
		{
			"echess", hexes("FF 00 FF 00 00 00 00 00 00 00 00 00 00 FF 00 FF FF FF FF"), hexes("FF 00 EF 00 00 00 00 00 00 00 00 00 00 FF 00 FF FF FF FF"),
			hexes("FF 00 EF 00 00 00 10 00 00 00 00 00 00 FF 00 FF FF FF FF"), "online " + startC, "e2=.", "e4=w",
		},
		{"roniterv", "BOARD FFFF00000000FFFF\n", "BOARD FFFF00000000EFFF\n", "BOARD FFFF00001000EFFF\n", "online " + startX, "e2=.", "e4=x"},
		{"smart-xiao", xiaoStart(), " E2\r\n", "-E4\r\n", "online " + startC, "e2=.", "e4=w"},
		{"squareoff-pro", "30#1100001111000011110000111100001111000011110000111100001111000011*", "0#e2u*", "0#e4d*", "online " + startX, "e2=.", "e4=x"},
		{"gameboard-ui", "RNBQKBNRPPPPPPPP................................pppppppprnbqkbnr\r", "-e2\r", "+e4\r", "online " + startX, "e2=.", "e4=x"},
		{"cpp", "sync rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w\n", "", "move e2e4\n", "online " + startP, "", "e2=. e4=P"},
		{"smartchess-diym", "", "", "heypiMe2e4\r\n", "", "", "online " + startP + " e2=. e4=P"},
		{"openchess-text", "", "Piece lifted from e2\r\n", "Legal move to e4\r\n", "", "online " + startP + " e2=.", "e4=P"},
		{"sentio", ":255 255 0 0 0 0 255 255 \r\n", ":255 255 0 0 0 0 247 255 \r\n", ":255 255 0 0 8 0 247 255 \r\n", "online " + startX, "e2=.", "e4=x"},
		{"uci-lines", "", "", "e2 e4\n", "", "", "online " + startP + " e2=. e4=P"},
	}
}

type goldenRow struct {
	preset                      string
	start, lifted, placed       string
	onStart, onLifted, onPlaced string
}

func TestGoldenBytes(t *testing.T) {
	t.Parallel()
	for _, g := range golden(t) {
		t.Run(g.preset, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, text.New(preset(t, g.preset)))
			b.until(1000)
			b.take()
			for i, part := range [][2]string{{g.start, g.onStart}, {g.lifted, g.onLifted}, {g.placed, g.onPlaced}} {
				b.send(1000+int64(i)*300, []byte(part[0]))
				b.until(b.now + 200)
				if _, in := b.take(); in != part[1] {
					t.Errorf("part %d: said %s, want %s", i, in, part[1])
				}
			}
		})
	}
}

func TestEveryPresetIsInOrder(t *testing.T) {
	t.Parallel()
	names := text.Presets()
	if len(names) != 14 { // sentio and certabo share a row of the page
		t.Errorf("%d presets", len(names))
	}
	for _, name := range names {
		o := preset(t, name)
		if err := o.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, r := range o.Input {
			if !slices.Contains(text.Kinds(), r.Kind) {
				t.Errorf("%s: %s", name, r.Kind)
			}
		}
	}
	if _, ok := text.Preset("gone"); ok {
		t.Error("a preset that is not there")
	}
}
