package chesslink_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/driver/chesslink"
)

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Statuses of protocols/chesslink.md section 4, check digits included.
const (
	startRight  = "sRNBKQBNRPPPPPPPP................................pppppppprnbkqbnr73"
	startLeft   = "srnbqkbnrpppppppp................................PPPPPPPPRNBQKBNR73"
	liftedRight = "sRNBKQBNRPPP.PPPP................................pppppppprnbkqbnr0D"
	e4Right     = "sRNBKQBNRPPP.PPPP...........P....................pppppppprnbkqbnr73"
	e4Left      = "srnbqkbnrpppppppp....................P...........PPPP.PPPRNBQKBNR73"
)

// wire is a message of the page as it is on the wire.
func wire(text string) []byte { return chesslink.AppendMessage(nil, text[:len(text)-2]) }

// plain is the same without parity, as some boards send it.
func plain(text string) []byte { return []byte(text) }

// golden are the messages of section 6 as they are on the wire.
var golden = []struct{ text, wire string }{
	{"V56", "D6 B5 B6"},
	{"v010374", "76 B0 31 B0 B3 37 34"}, // real
	{"S53", "D3 B5 B3"},
	{"X58", "58 B5 38"},
	{"x78", "F8 37 38"},
	{"T54", "54 B5 34"},
	{"l6C", "EC B6 43"},
	{"W020356", "57 B0 32 B0 B3 B5 B6"},
	{"w020376", "F7 B0 32 B0 B3 37 B6"},
	{"W020752", "57 B0 32 B0 37 B5 32"},
	{"w020772", "F7 B0 32 B0 37 37 32"},
	{"W013055", "57 B0 31 B3 B0 B5 B5"},
	{"w013075", "F7 B0 31 B3 B0 37 B5"},
	{"W040E26", "57 B0 34 B0 45 32 B6"},
	{"w040E06", "F7 B0 34 B0 45 B0 B6"},
	{"R0153", "52 B0 31 B5 B3"},
	{"r011476", "F2 B0 31 31 34 37 B6"},
	{"R0250", "52 B0 32 B5 B0"},
	{"r020777", "F2 B0 32 B0 37 37 37"},
	{"R0456", "52 B0 34 B5 B6"},
	{"r040E03", "F2 B0 34 B0 45 B0 B3"},
	{"R0654", "52 B0 B6 B5 34"},
	{"r06EA70", "F2 B0 B6 45 C1 37 B0"},
	{"I0049", "49 B0 B0 34 B9"},
	{"i0055mm\n63", "E9 B0 B0 B5 B5 6D 6D 8A B6 B3"},
	{startRight, "73 52 CE C2 CB 51 C2 CE 52 D0 D0 D0 D0 D0 D0 D0 D0" + strings.Repeat("AE", 32) +
		"70 70 70 70 70 70 70 70 F2 6E 62 6B F1 62 6E F2 37 B3"},
}

func TestGoldenBytes(t *testing.T) {
	t.Parallel()
	for _, c := range golden {
		want := unhex(t, c.wire)
		if got := wire(c.text); !bytes.Equal(got, want) {
			t.Errorf("%s: % X, want % X", c.text, got, want)
		}
		var d chesslink.Decoder
		got := decode(&d, 0, want)
		if c.text[0] >= 'a' {
			if letters := c.text[:1] + " " + c.text[1:len(c.text)-2]; !slices.Equal(got, []string{letters}) {
				t.Errorf("%s is read as %q", c.text, got)
			}
		} else if len(got) != 0 {
			t.Errorf("the command %s is read as a message of the board: %q", c.text, got)
		}
	}
}

func TestGoldenStatuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{startRight, startLeft, liftedRight, e4Right, e4Left} {
		for _, b := range [][]byte{wire(text), plain(text), plain(strings.Replace(text, "0D", "0d", 1))} {
			var d chesslink.Decoder
			if got := decode(&d, 0, b); !slices.Equal(got, []string{"s " + text[1:65]}) {
				t.Errorf("%s is read as %q", text, got)
			}
		}
	}
}

func decode(d *chesslink.Decoder, now int64, in []byte) (got []string) {
	d.Decode(now, in, func(m chesslink.Message) { got = append(got, fmt.Sprintf("%c %s", m.Letter, m.Data)) })
	return got
}

// mono424/chesslinkdriver 0.0.3: two bishops side by side are hex digits too, and end no message.
func TestBishopsAreNoCheckDigits(t *testing.T) {
	t.Parallel()
	text := "s" + strings.Repeat("BB", 32)
	var d chesslink.Decoder
	if got := decode(&d, 0, chesslink.AppendMessage(nil, text)); !slices.Equal(got, []string{"s " + text[1:]}) {
		t.Errorf("read as %q", got)
	}
}

// Half a message at any point does no harm to the whole one that follows, at once or after a pause, nor does a byte that is
// missing from one to the next.
func TestHalfAMessageAnywhere(t *testing.T) {
	t.Parallel()
	whole := wire(startLeft)
	want := "s " + startLeft[1:65]
	for _, text := range []string{startLeft, startRight, "v010374", "r020777", "l6C"} {
		m := wire(text)
		for n := range len(m) {
			for _, pause := range []int64{0, 500} {
				for _, half := range [][]byte{m[:n], m[n+1:], slices.Delete(slices.Clone(m), n, n+1)} {
					d := chesslink.Decoder{Pause: 200}
					got := decode(&d, 0, half)
					got = append(got, decode(&d, pause, whole)...)
					if len(got) != 1 || got[0] != want {
						t.Errorf("%s cut at %d, pause %d: read as %q", text, n, pause, got)
					}
				}
			}
		}
	}
}

// What lies behind a letter that was only noise is read when the pause shows that there was no message.
func TestNoiseThatLooksLikeAStatus(t *testing.T) {
	t.Parallel()
	d := chesslink.Decoder{Pause: 200}
	if got := decode(&d, 0, append([]byte("s"), wire("v010374")...)); len(got) != 0 {
		t.Errorf("read at once: %q", got)
	}
	var got []string
	d.Expire(201, func(m chesslink.Message) { got = append(got, string(m.Letter)+string(m.Data)) })
	if !slices.Equal(got, []string{"v0103"}) || d.Pending() != 0 {
		t.Errorf("after the pause: %q, %d pending", got, d.Pending())
	}
}

func TestWrongParity(t *testing.T) {
	t.Parallel()
	bad := wire(startLeft)
	bad[20] ^= 0x80
	twice := wire(startLeft) // two errors in one column, which the block check does not see
	twice[1] ^= 0x01
	twice[2] ^= 0x01
	for _, c := range []struct {
		name string
		in   [][]byte
		want int // messages
		bad  int64
	}{
		{"a board without parity", [][]byte{plain(startLeft), plain(startLeft), bad}, 3, 0},
		{"a board with parity, then one error", [][]byte{wire(startLeft), bad, wire(startLeft)}, 2, 1},
		{"a short message proves nothing", [][]byte{wire("l6C"), bad}, 2, 0},
		{"another board on the same line", [][]byte{wire(startLeft), plain(startLeft), plain(startLeft), plain(startLeft)}, 2, 2},
		{"errors now and then", [][]byte{wire(startLeft), bad, bad, wire(startLeft), bad, bad, wire(startLeft)}, 3, 4},
		{"two errors in one column", [][]byte{wire(startLeft), twice}, 1, 0},
	} {
		var d chesslink.Decoder
		var got []string
		for _, b := range c.in {
			got = append(got, decode(&d, 0, b)...)
		}
		if len(got) != c.want || d.Counts().BadParity != c.bad {
			t.Errorf("%s: %d messages, %+v", c.name, len(got), d.Counts())
		}
	}
}

func FuzzDecoder(f *testing.F) {
	for _, c := range golden {
		f.Add(unhex(f, c.wire), uint8(1), uint16(0))
	}
	f.Add(append(append(wire(startLeft)[3:], wire(e4Left)...), wire("l6C")...), uint8(7), uint16(300))
	f.Add([]byte("sssssvvrrrrwwxxllii\n\n63"), uint8(3), uint16(201))
	f.Fuzz(func(t *testing.T, in []byte, step uint8, pause uint16) {
		one, many := chesslink.Decoder{Pause: 200}, chesslink.Decoder{Pause: 200}
		whole := decode(&one, 0, in)
		var parts []string
		for part := range slices.Chunk(in, int(step)+1) {
			parts = append(parts, decode(&many, 0, part)...)
		}
		if !slices.Equal(whole, parts) || one.Counts() != many.Counts() {
			t.Fatalf("cut into parts: %q, whole: %q", parts, whole)
		}
		var bytes int64
		for _, m := range whole {
			bytes += int64(len(m) - 1 + 2)
		}
		c := one.Counts()
		if c.Messages != int64(len(whole)) || bytes+c.Garbage+int64(one.Pending()) != int64(len(in)) {
			t.Fatalf("%d bytes: %d in messages, %d garbage, %d pending", len(in), bytes, c.Garbage, one.Pending())
		}
		// A whole message after a pause is always read, and last.
		got := decode(&one, int64(pause)+201, plain(startLeft))
		if one.Counts().BadParity == 0 && (len(got) == 0 || got[len(got)-1] != "s "+startLeft[1:65]) {
			t.Fatalf("after a pause: %q", got)
		}
	})
}
