package text_test

import (
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/text"
	"github.com/boardd/boardd/rules"
)

var (
	_ board.Lit        = (*text.Machine)(nil)
	_ board.Adopter    = (*text.Machine)(nil)
	_ board.Rememberer = (*text.Machine)(nil)
)

const hexStart = "BOARD FFFF00000000FFFF\n"

func TestGreetingAndPolling(t *testing.T) {
	t.Parallel()
	b := newBench(t, text.New(preset(t, "roniterv")))
	b.until(2499)
	b.want("a board that starts is left alone", "", "")
	b.until(2699)
	b.want("greeting", "HELLO 5.0.1\n", "")
	b.send(2690, []byte("HELLO 5.0.1\n"))
	b.want("an answer that is the same is no picture", "", "")
	b.until(2700)
	b.want("the first question", "BOARD\n", "")
	b.send(2720, []byte(hexStart))
	b.want("an answer", "", "online "+startX)
	b.until(4699)
	b.want("questions go on", "BOARD\nBOARD\nBOARD\n", "")
}

func TestSilenceOfABoardThatIsAsked(t *testing.T) {
	t.Parallel()
	b := newBench(t, text.New(preset(t, "roniterv")))
	b.send(2720, []byte(hexStart))
	b.until(7719)
	if _, in := b.take(); in != "online "+startX {
		t.Errorf("said %s", in)
	}
	b.until(7720)
	if _, in := b.take(); in != "offline" {
		t.Errorf("said %s", in)
	}
	b.until(10_300)
	if out, _ := b.take(); out != "HELLO 5.0.1\n" {
		t.Errorf("wrote %q: it must be greeted anew", out)
	}
	b.send(11_000, []byte(strings.Replace(hexStart, "FFFF\n", "EFFF\n", 1)))
	if _, in := b.take(); in != "online "+startX[:54]+"xxxx.xxx/xxxxxxxx" {
		t.Errorf("said %s", in)
	}
}

func TestSilenceOfABoardThatSpeaksAllTheTime(t *testing.T) {
	t.Parallel()
	b := newBench(t, text.New(preset(t, "sentio")))
	for now := int64(3000); now < 20_000; now += 300 {
		b.send(now, []byte(":255 255 0 0 0 0 255 255 \r\n"))
	}
	b.until(19_800 + 4999)
	b.want("it speaks", "", "online "+startX)
	b.until(19_800 + 5000)
	b.want("it is gone", "", "offline")
}

func TestABoardThatSpeaksOnlyOfChangesIsNeverGone(t *testing.T) {
	t.Parallel()
	b := newBench(t, text.New(preset(t, "liboard")))
	b.send(4000, unhex(t, "FF FF 00 00 00 00 FF FF"))
	b.until(10_000_000)
	b.want("silence", "", "online "+startX)
}

func TestAGreetingIsRepeatedMoreAndMoreSeldom(t *testing.T) {
	t.Parallel()
	b := newBench(t, text.New(preset(t, "cpp")))
	var at []int64
	for b.now < 120_000 {
		b.until(b.now + 50)
		if out, _ := b.take(); out != "" {
			at = append(at, b.now)
		}
	}
	if len(at) != 7 || at[0] != 2500 || at[1] != 5500 || at[2] != 11_500 || at[6]-at[5] != 30_000 {
		t.Errorf("greeted at %v", at)
	}
}

func TestAssumedToStand(t *testing.T) {
	t.Parallel()
	m := text.New(preset(t, "uci-lines"))
	b := newBench(t, m)
	b.until(2499)
	b.want("before the board has started", "", "")
	b.until(2500)
	b.want("then", "", "online "+startP)
	b.send(3000, []byte("e2e4\n"))
	b.take()
	m.Reset()
	b.step(5000, nil)
	b.until(7500)
	b.want("the men stand where they stood when the port is opened again", "", "offline online rnbqkbnr/pppppppp/......../......../....P.../......../PPPP.PPP/RNBQKBNR")
}

const afterE4P = "rnbqkbnr/pppppppp/......../......../....P.../......../PPPP.PPP/RNBQKBNR"

func pictureOf(t *testing.T, s string, a board.Acuity) board.Picture {
	t.Helper()
	p, err := board.ParsePicture(s, a)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A game goes on when the daemon was away: a board that only tells moves is taken to show what it showed.
func TestRemember(t *testing.T) {
	t.Parallel()
	m := text.New(preset(t, "uci-lines"))
	m.Remember(pictureOf(t, afterE4P, board.PieceAcuity))
	b := newBench(t, m)
	b.send(3000, []byte("e4e5\n"))
	b.want("a move", "", "online "+afterE4P+" e4=. e5=P")

	m = text.New(preset(t, "cpp"))
	m.Remember(pictureOf(t, afterE4P, board.PieceAcuity))
	b = newBench(t, m)
	b.until(2600)
	if _, in := b.take(); in != "" {
		t.Errorf("a board that says it need not be remembered: %s", in)
	}

	m = text.New(preset(t, "uci-lines"))
	m.Remember(board.Picture{})
	b = newBench(t, m)
	b.until(2600)
	b.want("nothing known", "", "online "+startP)
}

// A piece of a recording begins with a picture.
func TestAdopt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ preset, picture, bytes, want string }{
		{"uci-lines", afterE4P, "e4e5\n", "e4=. e5=P"},
		{"cpp", afterE4P, "move e4e5\n", "e4=. e5=P"},
		{"cpp", strings.Replace(afterE4P, "P/", "?/", 1), "state 8/8/8/8/8/8/8/8 w\n", strings.NewReplacer("x", ".").Replace(startX)},
		{"roniterv", startX, "BOARD FFFF00000000EFFF\n", "e2=."},
		{"smart-xiao", startC, " E2\n+A7\n", "e2=."},
		{"liboard", startX, string(unhex(t, "FF FF 00 00 00 00 EF FF")), "e2=."},
	} {
		o := preset(t, c.preset)
		m := text.New(o)
		b := newBench(t, m)
		b.step(100, []byte("something else\n"))
		b.in = nil
		b.until(4900)
		b.in = nil
		m.Adopt(5000, pictureOf(t, c.picture, o.Sees()))
		b.step(5000, nil)
		b.send(5010, []byte(c.bytes))
		b.until(5100)
		if _, in := b.take(); in != c.want {
			t.Errorf("%s: said %s, want %s", c.preset, in, c.want)
		}
	}
}

func TestReset(t *testing.T) {
	t.Parallel()
	m := text.New(preset(t, "roniterv"))
	b := newBench(t, m)
	b.send(2720, []byte(hexStart+"BOA"))
	b.take()
	m.Reset()
	b.step(3000, []byte("RD FFFF00000000FFFF\n"))
	b.want("half a message from before is forgotten", "", "offline")
	b.until(5500)
	b.want("it is greeted", "HELLO 5.0.1\n", "")
}

func TestRawOnlyListens(t *testing.T) {
	t.Parallel()
	for _, name := range text.Presets() {
		b := newBench(t, text.NewRaw(preset(t, name)))
		b.m.Light(board.Frame{1: {R: 255}})
		for now := int64(0); now < 100_000; now += 7000 {
			b.step(now, nil)
			if b.wake != 0 || len(b.out) != 0 || len(b.m.Stop()) != 0 {
				t.Fatalf("%s: wake %d, wrote %q", name, b.wake, b.out)
			}
		}
	}
	b := newBench(t, text.NewRaw(preset(t, "liboard")))
	b.step(1, unhex(t, "FF FF 00 00 00 00 FF FF"))
	b.step(1000, unhex(t, "FF FF 00 00 00 00 EF FF"))
	b.want("bytes are decoded, the doubtful when the next come", "", "online "+startX+" e2=.")
}

func TestMovesAreAnswered(t *testing.T) {
	t.Parallel()
	b := newBench(t, text.New(preset(t, "cpp")))
	b.send(2600, []byte("sync rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w\n"))
	b.take()
	b.send(3000, []byte("move e2e4\n"))
	b.want("a move", "ok\n", "e2=. e4=P")
	b.send(4000, []byte("move e7e9\nok\n"))
	b.want("no move", "", "")
}

// What a move does besides: captures, en passant, castling both ways and as in Chess960, promotions.
func TestBooks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ fen, move, want string }{
		{"4k3/8/8/3p4/4P3/8/8/4K3", "e4d5", "d5=. e4=. d5=P"},
		{"4k3/8/8/3pP3/8/8/8/4K3", "e5d6", "e5=. d5=. d6=P"},
		{"4k3/8/8/8/3pP3/8/8/4K3", "d4e3", "d4=. e4=. e3=p"},
		{"4k3/8/8/3nP3/8/8/8/4K3", "e5d6", "e5=. d6=P"},
		{"4k3/8/8/3PP3/8/8/8/4K3", "e5d6", "e5=. d6=P"},
		{"4k3/8/8/8/8/8/8/R3K2R", "e1g1", "e1=. h1=. g1=K f1=R"},
		{"4k3/8/8/8/8/8/8/R3K2R", "e1c1", "e1=. a1=. c1=K d1=R"},
		{"r3k2r/8/8/8/8/8/8/4K3", "e8g8", "e8=. h8=. g8=k f8=r"},
		{"r3k2r/8/8/8/8/8/8/4K3", "e8c8", "e8=. a8=. c8=k d8=r"},
		{"4k3/8/8/8/8/8/8/R3K3", "e1g1", "e1=. g1=K"},
		{"4k3/8/8/8/8/8/8/R3K2R", "e1h1", "e1=. h1=. g1=K f1=R"},
		{"4k3/8/8/8/8/8/8/1R4KR", "g1b1", "g1=. b1=. c1=K d1=R"},
		{"4k3/8/8/8/8/8/8/6KR", "g1h1", "g1=. h1=. g1=K f1=R"},
		{"4k3/8/8/8/8/8/8/R3K2r", "e1h1", "h1=. e1=. h1=K"},
		{"4k3/8/8/8/8/8/4K3/7R", "e2g2", "e2=. g2=K"},
		{"4k3/P7/8/8/8/8/8/4K3", "a7a8n", "a7=. a8=N"},
		{"4k3/P7/8/8/8/8/8/4K3", "a7a8", "a7=. a8=Q"},
		{"4k3/8/8/8/8/8/p7/1N2K3", "a2b1R", "b1=. a2=. b1=r"},
		{"4k3/8/8/8/8/8/8/4K3", "b4b5", "b5=?"},
		{"4k3/8/8/8/8/8/8/4K3", "g1f3", startP + " g1=. f3=N"},
		{"4k3/8/8/8/8/8/8/4K3", "e8e8", ""},
	} {
		b := newBench(t, text.New(preset(t, "cpp")))
		b.send(1, []byte("state "+c.fen+" w\n"))
		b.take()
		b.send(2, []byte("move "+c.move+"\n"))
		if _, in := b.take(); in != c.want {
			t.Errorf("%s in %s: %s, want %s", c.move, c.fen, in, c.want)
		}
		b.send(3, []byte("move "+c.move+"\n"))
		if _, in := b.take(); in != "" && c.move != "g1h1" {
			t.Errorf("%s said twice: %s", c.move, in)
		}
	}
}

// Lights of protocols/diy-serial.md section 2d.
func TestLights(t *testing.T) {
	t.Parallel()
	e2e4 := board.Frame{12: {R: 255, G: 64}, 28: {B: 255, G: 90}}
	for _, c := range []struct{ preset, start, lit, dark string }{
		{"echess", string(unhex(t, "FF 00 FF 00 00 00 00 00 00 00 00 00 00 FF 00 FF FF FF FF")), "\xFE\x14\x34\xFF", "\xFE\xFF"},
		{"sentio", ":255 255 0 0 0 0 255 255 \r\n", string(unhex(t, "00 00 00 00 10 00 10 00")), string(make([]byte, 8))},
		{"squareoff-pro", "30#" + strings.Repeat("0", 64) + "*", "25#e2e4*", "25#*"},
		{"gameboard-ui", "+e4\r", ".\r*e2\r*e4\r", ".\r"},
		{"smartchess-diym", "heypiMe2e4\r\n", "heyArduinome2e4-\n", ""},
		{"liboard", string(unhex(t, "FF FF 00 00 00 00 FF FF")), "", ""},
	} {
		m := text.New(preset(t, c.preset))
		b := newBench(t, m)
		m.Light(e2e4)
		b.step(5, nil)
		if len(b.out) != 0 {
			t.Errorf("%s: lit before it has answered", c.preset)
		}
		b.until(4900)
		b.send(4900, []byte(c.start))
		b.until(4960)
		b.take()
		m.Light(board.Frame{})
		b.step(4961, nil)
		m.Light(e2e4)
		b.until(8000)
		b.take()
		m.Reset()
		b.step(8001, nil)
		b.until(12_000)
		b.send(12_000, []byte(c.start))
		b.until(12_100)
		if out, _ := b.take(); !strings.HasSuffix(out, c.lit) || c.lit == "" && out != "" {
			t.Errorf("%s: a machine that starts anew wrote %q, want at its end %q", c.preset, out, c.lit)
		}
		b.until(14_050)
		b.take()
		m.Light(e2e4)
		m.Light(board.Frame{})
		b.step(14_100, nil)
		if out, _ := b.take(); out != c.dark {
			t.Errorf("%s: dark is %q, want %q", c.preset, out, c.dark)
		}
		b.step(14_101, nil)
		if out, _ := b.take(); out != "" {
			t.Errorf("%s: the same frame again: %q", c.preset, out)
		}
	}
}

func TestLightsOfATurnedBoard(t *testing.T) {
	t.Parallel()
	o := preset(t, "sentio")
	o.Board.Rotate180 = "yes"
	m := text.New(o)
	b := newBench(t, m)
	b.send(1, []byte(":128 0 0 0 0 0 0 0 \r\n"))
	if b.pic[rules.NewSquare(7, 0)] != board.Something {
		t.Error("a8 of the wire is the players' h1")
	}
	m.Light(board.Frame{7: {R: 1}})
	b.step(2, nil)
	b.want("h1 is lit where a8 is wired", string(unhex(t, "01 00 00 00 00 00 00 00")), "online ......../......../......../......../......../......../......../.......x")
}

func TestLightsAreNotSentTooOften(t *testing.T) {
	t.Parallel()
	m := text.New(preset(t, "sentio"))
	b := newBench(t, m)
	b.send(1, []byte(":255 255 0 0 0 0 255 255 \r\n"))
	for now := int64(10); now < 1210; now += 10 {
		b.until(now)
		var f board.Frame
		f[now/10%64].R = 9
		m.Light(f)
		b.step(now, nil)
	}
	if out, _ := b.take(); len(out) != 16 {
		t.Errorf("%d bytes in 1.2 s", len(out))
	}
	b.until(2000)
	b.want("the newest frame comes at last", string(unhex(t, "01 00 00 00 00 00 00 00")), "")
}

func TestNotes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ preset, bytes, want string }{
		{"liboard", "", "lift a man and put him back"},
		{"liboard", string(unhex(t, "FF FF 00 00 00 00 FF FF")), ""},
		{"uci-lines", "", ""},
		{"uci-lines", "hello \x80\xff\n", "no rule of input reads: hello ??"},
		{"roniterv", hexStart, "fallen silent"},
		{"certabo", string(chipLine(setA(nil))), "set up the start position"},
		{"smart-xiao", "ets Jun  8 2016 00:22:57\n", "started anew"},
	} {
		b := newBench(t, text.New(preset(t, c.preset)))
		b.send(3000, []byte(c.bytes))
		b.until(20_000)
		got := strings.Join(b.m.Notes(), "; ")
		if !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: %q, want %q", c.preset, got, c.want)
		}
		if again := b.m.Notes(); len(again) > 0 {
			t.Errorf("%s: said twice", c.preset)
		}
	}
}

// On a clock that runs faster the silences of the wire are longer.
func TestScale(t *testing.T) {
	t.Parallel()
	o := preset(t, "liboard")
	o.Scale = 10
	b := newBench(t, text.New(o))
	b.send(10, unhex(t, "FF FF 00 00"))
	b.send(400, unhex(t, "00 00 FF FF"))
	b.until(899)
	b.want("no pause yet", "", "")
	b.until(900)
	b.want("a pause", "", "online "+startX)
}

func TestResolution(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int64{"liboard": 50, "roniterv": 500, "chesswiz": 1000, "squareoff-pro": 50, "sentio": 300, "certabo": 300, "cpp": 50} {
		if got := preset(t, name).ResolutionMs(); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
}

func TestStop(t *testing.T) {
	t.Parallel()
	if got := text.New(preset(t, "smart-xiao")).Stop(); string(got) != "q" {
		t.Errorf("%q", got)
	}
	if got := text.New(preset(t, "echess")).Stop(); string(got) != "\xFE\xFF" {
		t.Errorf("%q", got)
	}
}
