package chesslink_test

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/emulator"
	"github.com/boardd/boardd/driver/emulator/chesslink"
	"github.com/boardd/boardd/rules"
)

var _ emulator.Machine = (*chesslink.Board)(nil)

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func strip(b []byte) string {
	b = bytes.Clone(b)
	for i := range b {
		b[i] &= 0x7F
	}
	return string(b)
}

// setUp is a board in the start position at time 0, which reports nothing by itself.
func setUp(o chesslink.Options) *chesslink.Board {
	b := chesslink.New(o)
	for file, l := range "RNBQKBNR" {
		b.Set(rules.NewSquare(file, 0), board.Symbol(l))
		b.Set(rules.NewSquare(file, 1), 'P')
		b.Set(rules.NewSquare(file, 6), 'p')
		b.Set(rules.NewSquare(file, 7), board.Symbol(l+'a'-'A'))
	}
	b.SetRegister(2, 1)
	b.Step(0, nil)
	return b
}

// The commands and answers of protocols/chesslink.md section 6, byte for byte.
func TestGoldenAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		o        chesslink.Options
		in, want string
	}{
		{chesslink.Options{Version: "0103"}, "D6 B5 B6", "76 B0 31 B0 B3 37 34"},
		{chesslink.Options{}, "58 B5 38", "F8 37 38"},
		{chesslink.Options{}, "54 B5 34", ""},
		{chesslink.Options{}, "57 B0 32 B0 B3 B5 B6", "F7 B0 32 B0 B3 37 B6"},
		{chesslink.Options{}, "57 B0 32 B0 37 B5 32", "F7 B0 32 B0 37 37 32"},
		{chesslink.Options{}, "57 B0 31 B3 B0 B5 B5", "F7 B0 31 B3 B0 37 B5"},
		{chesslink.Options{}, "57 B0 34 B0 45 32 B6", "F7 B0 34 B0 45 B0 B6"},
		{chesslink.Options{}, "52 B0 31 B5 B3", "F2 B0 31 31 34 37 B6"},
		{chesslink.Options{}, "52 B0 34 B5 B6", "F2 B0 34 B0 45 B0 B3"},
		{chesslink.Options{}, "49 B0 B0 34 B9", "E9 B0 B0 B5 B5 6D 6D 8A B6 B3"},
		{chesslink.Options{CableRight: true}, "D3 B5 B3", "73 52 CE C2 CB 51 C2 CE 52 D0 D0 D0 D0 D0 D0 D0 D0" +
			strings.Repeat("AE", 32) + "70 70 70 70 70 70 70 70 F2 6E 62 6B F1 62 6E F2 37 B3"},
		{chesslink.Options{}, "D3 B5 B4", ""}, // wrong check digits
		{chesslink.Options{Model: chesslink.Performance}, "58 B5 38", ""},
		{chesslink.Options{Model: chesslink.Performance}, "57 B0 32 B0 B3 B5 B6", ""},
	} {
		out, _ := setUp(c.o).Step(5, unhex(t, c.in))
		if want := unhex(t, c.want); !bytes.Equal(out, want) {
			t.Errorf("%s: % X, want % X", strip(unhex(t, c.in)), out, want)
		}
	}
	out, _ := setUp(chesslink.Options{Model: chesslink.EOne}).Step(5, []byte("R0654"))
	if string(out) != "r06EA70" {
		t.Errorf("eONE: %q", out)
	}
}

// Section 9: the golden dialogue, cable right.
func TestGoldenDialogue(t *testing.T) {
	t.Parallel()
	b := setUp(chesslink.Options{CableRight: true, Version: "0103"})
	b.SetRegister(2, 0)
	says := func(now int64, in, want string) {
		t.Helper()
		if out, _ := b.Step(now, []byte(in)); strip(out) != want {
			t.Errorf("%s: %s, want %s", in, strip(out), want)
		}
	}
	says(1, "V56", "v010374")
	says(2, "W020356", "w020376")
	says(3, "S53", "sRNBKQBNRPPPPPPPP................................pppppppprnbkqbnr73")
	b.Set(rules.NewSquare(4, 1), board.Empty)
	says(100, "", "sRNBKQBNRPPP.PPPP................................pppppppprnbkqbnr0D")
	b.Set(rules.NewSquare(4, 3), 'P')
	says(200, "", "sRNBKQBNRPPP.PPPP...........P....................pppppppprnbkqbnr73")
	says(300, "", "")
	says(301, "X58", "x78")
}

func TestReports(t *testing.T) {
	t.Parallel()
	for mode, want := range map[byte]int{
		0: 24, // each scan of 40.96 ms
		1: 0,
		2: 12, // each 81.92 ms
		3: 1, 4: 1, 7: 1,
	} {
		b := setUp(chesslink.Options{})
		b.SetRegister(2, mode)
		b.Set(rules.NewSquare(4, 1), board.Empty)
		var text string
		first, now, wake := int64(0), int64(0), int64(1)
		for ; wake <= 1000; now = wake {
			var out []byte
			now = wake
			if out, wake = b.Step(now, nil); len(out) > 0 && first == 0 {
				first = now
			}
			text += strip(out)
		}
		if n := strings.Count(text, "s"); n != want {
			t.Errorf("mode %d: %d reports, want %d", mode, n, want)
		}
		if scans := int64(mode) - 1; mode >= 4 && (first < scans*40 || first > scans*42) {
			t.Errorf("mode %d: said at %d", mode, first)
		}
	}
}

// A man that is back before the change has lasted long enough was never away.
func TestDebounce(t *testing.T) {
	t.Parallel()
	b := setUp(chesslink.Options{})
	b.SetRegister(2, 7)
	b.Set(rules.NewSquare(4, 1), board.Empty)
	b.Step(100, nil)
	b.Set(rules.NewSquare(4, 1), 'P')
	if out, _ := b.Step(1000, nil); len(out) != 0 {
		t.Errorf("said %q", strip(out))
	}
}

func TestCommandsAreCollected(t *testing.T) {
	t.Parallel()
	b := setUp(chesslink.Options{})
	b.Step(1, []byte("W02"))
	if out, _ := b.Step(200, []byte("0356")); strip(out) != "w020376" {
		t.Errorf("said %q", strip(out))
	}
	b.Step(300, []byte("W02"))
	if out, _ := b.Step(601, []byte("V56")); strip(out) != "v001770" {
		t.Errorf("after a pause: %q", strip(out))
	}
	b.Step(700, []byte("T54"))
	if out, _ := b.Step(3600, []byte("V56")); len(out) != 0 {
		t.Errorf("deaf for three seconds: %q", strip(out))
	}
	if out, _ := b.Step(3701, []byte("V56")); strip(out) != "v001770" {
		t.Errorf("then: %q", strip(out))
	}
	if tally := b.Tally(); tally.Forgotten != 1 || tally.Commands != 4 {
		t.Errorf("%+v", tally)
	}
}

func TestLights(t *testing.T) {
	t.Parallel()
	const rightA1 = "L20" + "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000" + "FFFF00000000000000FFFF00000000000000" + "4E"
	b := setUp(chesslink.Options{CableRight: true})
	if out, _ := b.Step(10, []byte(rightA1)); strip(out) != "l6C" {
		t.Errorf("%d characters: said %q", len(rightA1), strip(out))
	}
	for s, c := range b.Lit() {
		if (c != board.RGB{}) != (s == 0) {
			t.Errorf("%s: %v", rules.Square(s), c)
		}
	}
	if leds, slot := b.Patterns(); slot != 0x20 || leds[63] != 0xFF || leds[62] != 0 {
		t.Errorf("slot %02X, %X", slot, leds)
	}
	if _, _ = b.Step(20, []byte("X58")); b.Lit() != (board.Frame{}) {
		t.Error("still lit")
	}
}

func FuzzBoard(f *testing.F) {
	f.Add([]byte("V56W020356S53R0053I49I0049T54"), uint16(0))
	f.Add([]byte("WZZZZ00LZZ"), uint16(400))
	f.Add(append([]byte("W000156"), []byte("LG0"+strings.Repeat("G", 164))...), uint16(5))
	f.Fuzz(func(t *testing.T, in []byte, step uint16) {
		b := setUp(chesslink.Options{Chunk: 20})
		now := int64(0)
		for len(in) > 0 {
			n := min(len(in), 7)
			now += int64(step)
			if _, wake := b.Step(now, in[:n]); wake <= now {
				t.Fatalf("at %d: wake %d", now, wake)
			}
			in = in[n:]
		}
	})
}
