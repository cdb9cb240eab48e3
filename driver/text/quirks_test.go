package text_test

import (
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/text"
)

// What people met with such boards (protocols/diy-serial.md section 7).

const echessStart = "FF 00 FF 00 00 00 00 00 00 00 00 00 00 FF 00 FF FF FF FF"

// A calibrating board prints text between its frames, and the frame after it counts.
func TestTextOnABinaryLine(t *testing.T) {
	t.Parallel()
	b := newBench(t, text.New(preset(t, "echess")))
	b.send(10, append([]byte("calibrating...\r\nmin board\r\n512, 511, \r\nmin of min: 470\r\n"), unhex(t, echessStart)...))
	b.until(200)
	b.want("the first frame after text", "", "online "+startC)
	b.send(300, append([]byte("max of max: 600\r\n"), unhex(t, "FF 00 EF 00 00 00 00 00 00 00 00 00 00 FF 00 FF FF FF FF")...))
	b.until(400)
	b.want("a change after text", "", "e2=.")
}

// A full black eighth rank makes the data look like the mark.
func TestDataThatLooksLikeTheMark(t *testing.T) {
	t.Parallel()
	b := newBench(t, text.New(preset(t, "echess")))
	frame := unhex(t, echessStart)
	b.send(10, append(append([]byte{}, frame...), frame[:7]...)) // and half a frame after it
	b.until(200)
	b.want("what comes after a frame makes it doubtful", "", "")
	for i := range 40 {
		b.send(300+int64(i), frame)
	}
	b.until(500)
	b.want("frames without a pause between them", "", "online "+startC)
	b.send(600, frame[1:])
	b.send(601, frame)
	b.until(900)
	b.want("a lost byte", "", "")
}

// Eight bytes without a mark, of which one is lost: nothing is told that was not so, and the next frame heals it.
func TestLostByteOfAFixedFrame(t *testing.T) {
	t.Parallel()
	start, e2 := unhex(t, "FF FF 00 00 00 00 FF FF"), unhex(t, "FF FF 00 00 00 00 EF FF")
	for lost := range 8 {
		b := newBench(t, text.New(preset(t, "liboard")))
		b.send(10, start)
		b.until(200)
		b.take()
		cut := append(append([]byte{}, e2[:lost]...), e2[lost+1:]...)
		b.send(300, cut)
		b.send(301, start)
		b.until(400)
		b.send(500, e2)
		b.until(600)
		b.want("a lost byte", "", "e2=.") // the last frame but one says so too when its last byte is lost
	}
}

// Two men in one frame are told at once, a hand over the board when the line is silent after it.
func TestManySquaresInOneFrame(t *testing.T) {
	t.Parallel()
	b := newBench(t, text.New(preset(t, "liboard")))
	b.send(10, unhex(t, "FF FF 00 00 00 00 FF FF"))
	b.until(200)
	b.take()
	b.send(300, unhex(t, "FF FF 00 00 10 00 EF FF"))
	b.want("two squares", "", "e2=. e4=x")
	b.send(400, unhex(t, "FF FF 00 00 10 00 0F FF"))
	b.want("three at once", "", "")
	b.until(449)
	b.want("wait", "", "")
	b.until(450)
	b.want("for silence", "", "f2=. g2=. h2=.")
	b.send(500, unhex(t, "00 00 00 00 00 00 00 00"))
	b.until(600)
	b.want("swept", "", strings.NewReplacer("x", ".").Replace(startX))
	b.send(700, unhex(t, "FF FF FF FF FF 00 00 00"))
	b.until(800)
	b.want("more than 32 men cannot be", "", "")
	if n := b.m.Info().Bad; n != 1 {
		t.Errorf("%d bad", n)
	}
}

func TestPromptAndEchoOnTheLineOfAnEvent(t *testing.T) {
	t.Parallel()
	b := newBench(t, text.New(preset(t, "smart-xiao")))
	b.until(3000)
	b.want("greeting", "\nboard monitor threshold -100 100 10\n", "")
	b.send(3001, []byte("\r\nchess:~$ \r\nchess:~$ board monitor threshold -100 100 10\r\n"))
	lines := xiaoStart()
	b.send(3002, []byte("chess:~$ "+lines[:len(lines)/2]))
	b.want("half a board", "", "online")
	b.send(3003, []byte(lines[len(lines)/2:]))
	b.want("the board", "", startC)
	b.send(4000, []byte("chess:~$  E2\r\n"))
	b.send(4001, []byte("chess:~$ -E4\n"))
	b.send(4002, []byte("chess:~$ D2\n"))
	b.send(4003, []byte("E4\n+E4X\n +E4\n"))
	b.want("the space is the sign", "", "e2=. e4=w d2=.")
}

// Rule 6: a board that repeats what it was told has not answered. What lights say is not remembered: what is understood must not
// depend on them.
func TestEcho(t *testing.T) {
	t.Parallel()
	o := rulesOf(text.Rule{Kind: "event", Regex: `(?P<sign>[+-])(?P<sq>[a-h][1-8])`})
	o.Event, o.Assume, o.StartSend = text.Signs{Place: "+", Lift: "-"}, "start", []string{"+e3\n"}
	b := newBench(t, text.New(o))
	b.until(2600)
	b.want("start", "+e3\n", "online "+startX)
	b.send(2601, []byte("+e3\r\n"))
	b.want("its echo", "", "")
	b.send(2602, []byte("+e3\n"))
	b.want("no echo", "", "e3=x")
	b.send(2603, []byte("-e3\n"))
	b.want("no echo either", "", "e3=.")
}

// What a machine says does not depend on the lights that it is given.
func TestLightsChangeNothing(t *testing.T) {
	t.Parallel()
	talks := talk(t)
	for name, o := range all(t) {
		dark, lit := newBench(t, text.New(o)), newBench(t, text.New(o))
		stream := []byte(talks[name])
		for now := int64(2000); len(stream) > 0; now += 37 {
			part := stream[:min(len(stream), 11)]
			stream = stream[len(part):]
			dark.send(now, part)
			lit.until(now - 10)
			var f board.Frame
			f[now%64].R = 1
			lit.m.Light(f)
			lit.step(now-10, nil)
			lit.send(now, part)
		}
		dark.until(60_000)
		lit.until(60_000)
		if _, a := dark.take(); a != inputs(lit.in) {
			t.Errorf("%s: dark %s, lit %s", name, a, inputs(lit.in))
		}
	}
}

// Malformed moves of weak magnets are not read; see also M10 in TestKinds.
func TestMalformedMoves(t *testing.T) {
	t.Parallel()
	b := newBench(t, text.New(preset(t, "uci-lines")))
	b.until(3000)
	b.take()
	b.send(3001, []byte("g7g7d7\ng7g7\ne2e9\ne2e4e5\nE2E4\n"))
	b.want("lines", "", "e2=. e4=P")
	if i := b.m.Info(); i.Unread != 3 || i.Bad != 1 || i.LastLine != "e2e4e5" {
		t.Errorf("%+v", i)
	}
}

// A board built the wrong way round.
func TestTurnedBoard(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"cpp", "gameboard-ui"} {
		o := preset(t, name)
		o.Board.Rotate180 = "yes"
		b := newBench(t, text.New(o))
		b.send(1, []byte("state 8/8/8/8/8/8/8/4K3 w\n"+"+e1\r"))
		if b.pic[59] == board.Empty {
			t.Errorf("%s: e1 is not d8", name)
		}
	}
}

// Boot text, also at the wrong speed, and in the middle of a game after the supply broke down: the board is greeted again.
func TestBoardThatStartsAnew(t *testing.T) {
	t.Parallel()
	b := newBench(t, text.New(preset(t, "smart-xiao")))
	b.send(3500, []byte("\x00\xff\xf8\x80garbage\xfe\x00ets Jun  8 2016 00:22:57\r\n\r\nrst:0x1 (POWERON_RESET),boot:0x13\r\n"))
	b.take()
	b.send(8000, []byte(xiaoStart()))
	b.take()
	b.send(20_000, []byte("ets Jun  8 2016 00:22:57\r\nrst:0xf (RTCWDT_BROWN_OUT_RESET)\r\n"))
	b.until(22_499)
	b.want("it starts", "", "")
	b.until(23_000)
	b.want("it is told again what to do", "\nboard monitor threshold -100 100 10\n", "")
	b.send(23_001, []byte(strings.Replace(xiaoStart(), "-E2", " E2", 1)))
	b.want("what happened meanwhile", "", "e2=.")
	if n := b.m.Info().Boots; n < 2 {
		t.Errorf("%d boots", n)
	}
}

// A board that nobody understands (wires, a UART that another program has) stays away and is greeted on and on.
func TestNoCommunication(t *testing.T) {
	t.Parallel()
	b := newBench(t, text.New(preset(t, "roniterv")))
	for now := int64(0); now < 60_000; now += 500 {
		b.send(now, []byte("\x80\x7f~~}\x00"))
	}
	out, in := b.take()
	if in != "" || strings.Count(out, "HELLO") < 5 {
		t.Errorf("said %s, wrote %d greetings", in, strings.Count(out, "HELLO"))
	}
}

// The expressions are configuration: another version's words are read by other rules.
func TestOtherWords(t *testing.T) {
	t.Parallel()
	o := preset(t, "openchess-text")
	o.Input[0].Regex = `^Lifted (?P<sq>[a-h][1-8])`
	b := newBench(t, text.New(o))
	b.send(1, []byte("Lifted e2\nLegal move to e4\n"))
	b.want("lines", "", "online "+startP+" e2=. e4=P")
	if again := preset(t, "openchess-text"); again.Input[0].Regex == o.Input[0].Regex {
		t.Error("a preset was changed by its user")
	}
}

// Line ends of every kind, endless lines, and lines that stop half way.
func TestLines(t *testing.T) {
	t.Parallel()
	b := newBench(t, text.New(preset(t, "uci-lines")))
	b.until(2500)
	b.take()
	b.send(2600, []byte("e2e4\r\ne7e5\rg1f3\n\n\r\r"))
	b.want("ends", "", "e2=. e4=P e7=. e5=p g1=. f3=N")
	b.send(2700, []byte(strings.Repeat("x", 100_000)+"\nb8c6\n"))
	b.want("an endless line", "", "b8=. c6=n")
	b.send(3000, []byte("f1b"))
	b.send(3900, []byte("5\n"))
	b.want("a slow line", "", "f1=. b5=B")
	b.send(4000, []byte("a7"))
	b.send(5000, []byte("a7a6\n"))
	b.want("half a line", "", "a7=. a6=p")
}

// Squares that bounce are told as they bounce: the core waits for them to rest.
func TestBounce(t *testing.T) {
	t.Parallel()
	b := newBench(t, text.New(preset(t, "squareoff-pro")))
	b.send(10, []byte("30#"+strings.Repeat("0", 64)+"*"))
	b.take()
	b.send(20, []byte("0#e2d*0#e2u*0#e2d*"))
	b.want("bounces", "", "e2=x e2=. e2=x")
}

// A picture that a garbled answer made up is not believed until it is said twice.
func TestGarbledAnswer(t *testing.T) {
	t.Parallel()
	b := newBench(t, text.New(preset(t, "roniterv")))
	b.send(2720, []byte(hexStart))
	b.take()
	b.send(3300, []byte("BOARD FFFF00F00000FF0F\n"))
	b.want("once", "BOARD\n", "")
	b.send(3800, []byte(hexStart))
	b.want("and not again", "BOARD\n", "")
	b.send(4300, []byte("BOARD 0000000000000000\n"))
	b.send(4800, []byte("BOARD 0000000000000000\n"))
	_, in := b.take()
	if in != strings.NewReplacer("x", ".").Replace(startX) {
		t.Errorf("said %s", in)
	}
}
