package chesslink_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/chesslink"
	"github.com/boardd/boardd/rules"
)

var (
	_ board.Lit     = (*chesslink.Machine)(nil)
	_ board.Adopter = (*chesslink.Machine)(nil)
)

const (
	startPicture = "rnbqkbnr/pppppppp/......../......../......../......../PPPPPPPP/RNBQKBNR"
	e4Picture    = "rnbqkbnr/pppppppp/......../......../....P.../......../PPPP.PPP/RNBQKBNR"
)

// withCheck appends the check digits to a text.
func withCheck(text string) string {
	b := chesslink.AppendMessage(nil, text)
	for i := range b {
		b[i] &= 0x7F
	}
	return string(b)
}

// obliging answers as a board does whose registers are as they leave the factory; status is what S says.
func obliging(status *string) func(string) string {
	regs := map[string]string{"00": "00", "01": "14", "02": "00"}
	return func(c string) string {
		switch c[0] {
		case 'V':
			return "v010374"
		case 'S':
			return *status
		case 'R':
			return withCheck("r" + c[1:3] + regs[c[1:3]])
		case 'W':
			regs[c[1:3]] = c[3:5]
			return withCheck("w" + c[1:5])
		case 'L':
			return "l6C"
		case 'X':
			return "x78"
		}
		return ""
	}
}

func TestStartUp(t *testing.T) {
	t.Parallel()
	status := startLeft
	b := newBench(t, chesslink.Options{}, obliging(&status))
	b.until(999)
	b.want("start",
		"V56@0 R0250@10 S53@20 R0153@30 R0052@40 W020356@50 R0250@60 S53@70",
		"online:true@10 "+startPicture+"@30")
	if i := b.m.Info(); i.Major != 1 || i.Minor != 3 || i.Board() != "Performance" || i.Unanswered != 0 || i.Garbage != 0 {
		t.Errorf("info %+v", i)
	}
	b.until(2200)
	b.want("then a sign of life once a second", "S53@1080 S53@2090", "")
}

// Section 9: the golden dialogue, the board lying with the cable on the right.
func TestGoldenDialogue(t *testing.T) {
	t.Parallel()
	status := startRight
	b := newBench(t, chesslink.Options{}, obliging(&status))
	b.until(100)
	b.send(200, wire(liftedRight))
	b.send(500, wire(e4Right))
	b.until(600)
	_, in := b.take()
	turned := func(text string) string {
		p, err := board.ParsePicture(text, board.PieceAcuity)
		if err != nil {
			t.Fatal(err)
		}
		return p.Turned().String()
	}
	if want := "online:true@10 " + turned(startPicture) + "@30 " + turned(strings.Replace(startPicture, "PPPPPPPP", "PPPP.PPP", 1)) + "@200 " +
		turned(e4Picture) + "@500"; in != want {
		t.Errorf("said %s\nwant %s", in, want)
	}
	b.m.Light(board.Frame{})
	b.step(610, nil)
	if out, _ := b.take(); out != "X58@610" {
		t.Errorf("wrote %s", out)
	}
}

func TestRegistersThatAreRightAreNotWritten(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"03", "07", "FB"} {
		b := newBench(t, chesslink.Options{}, func(c string) string {
			return map[string]string{"V56": "v001770", "S53": startLeft, "R0250": withCheck("r02" + mode),
				"R0153": "r011476", "R0052": "r000042"}[c]
		})
		b.until(999)
		if out, _ := b.take(); strings.Contains(out, "W") || !strings.Contains(out, "R0250") {
			t.Errorf("register 02 is %s: wrote %s", mode, out)
		}
	}
}

func TestRegistersOfAnotherProgram(t *testing.T) {
	t.Parallel()
	b := newBench(t, chesslink.Options{}, func(c string) string {
		return map[string]string{"V56": "v001770", "S53": startLeft, "R0250": "r020777",
			"R0153": withCheck("r0130"), "R0052": withCheck("r0001")}[c]
	})
	b.until(999)
	out, _ := b.take()
	for _, w := range []string{withCheck("W0114"), withCheck("W0000")} {
		if strings.Count(out, w) != 1 {
			t.Errorf("wrote %s, want %s once", out, w)
		}
	}
}

// A board that does not know registers is asked four times a second.
func TestABoardWithoutRegisters(t *testing.T) {
	t.Parallel()
	b := newBench(t, chesslink.Options{}, func(c string) string {
		return map[string]string{"V56": withCheck("v1234"), "S53": startLeft}[c]
	})
	b.until(6000)
	b.take()
	b.until(7000)
	if out, _ := b.take(); strings.Count(out, "S53@") != 4 || strings.ContainsAny(out, "RW") {
		t.Errorf("wrote %s", out)
	}
}

// A setting that is not taken is written once, and complained of.
func TestASettingThatIsNotTaken(t *testing.T) {
	t.Parallel()
	b := newBench(t, chesslink.Options{}, func(c string) string {
		return map[string]string{"V56": "v001770", "S53": startLeft, "R0250": withCheck("r0201"), "R0153": "r011476", "R0052": "r000042"}[c]
	})
	b.until(6000)
	if out, _ := b.take(); strings.Count(out, "W020356@") != 1 {
		t.Errorf("wrote %s", out)
	}
	if n := b.m.Notes(); len(n) != 1 || b.m.Notes() != nil {
		t.Errorf("notes %q", n)
	}
}

func TestNobodyThere(t *testing.T) {
	t.Parallel()
	b := newBench(t, chesslink.Options{}, nil)
	b.until(16_000)
	b.want("greeting", "V56@0 V56@2000 V56@4000 T54@6000 V56@9500 V56@11500 V56@13500 T54@15500", "")
}

func TestNobodyThereOnAFastClock(t *testing.T) {
	t.Parallel()
	b := newBench(t, chesslink.Options{Scale: 50}, nil)
	b.until(480_000)
	b.want("greeting", "V56@0 V56@100000 V56@200000 T54@300000 V56@475000", "")
}

// A board that reports by itself and does not know its version is taken as it is.
func TestABoardWithoutVersion(t *testing.T) {
	t.Parallel()
	b := newBench(t, chesslink.Options{}, func(c string) string {
		if c[0] == 'S' {
			return startLeft
		}
		return ""
	})
	b.send(1000, wire(startLeft))
	b.until(5999)
	if out, in := b.take(); in != "online:true@1000 "+startPicture+"@1000 online:false@6000" && in != "online:true@1000 "+startPicture+"@1000" ||
		out != "V56@0 V56@2000 V56@4000" {
		t.Errorf("wrote %s, said %s", out, in)
	}
	for at := int64(5000); at < 12_000; at += 1000 {
		b.send(at, wire(startLeft))
	}
	b = newBench(t, chesslink.Options{}, b.answer)
	for at := int64(1000); at < 7_000; at += 1000 {
		b.send(at, wire(startLeft))
	}
	b.until(20_000)
	if _, in := b.take(); in != "online:true@1000 "+startPicture+"@1000" {
		t.Errorf("said %s", in)
	}
}

func TestLossAndReturn(t *testing.T) {
	t.Parallel()
	status := startLeft
	b := newBench(t, chesslink.Options{}, obliging(&status))
	b.until(1500)
	b.take()
	answer := b.answer
	b.answer = nil
	b.until(7000)
	out, in := b.take()
	if in != "online:false@6090" || !strings.HasSuffix(out, "V56@6090") {
		t.Errorf("wrote %s, said %s", out, in)
	}
	if n := b.m.Notes(); len(n) != 1 {
		t.Errorf("notes %q", n)
	}
	status = e4Left // moved meanwhile
	b.answer = answer
	b.until(9000)
	if _, in := b.take(); in != "online:true@8100 "+e4Picture+"@8120" {
		t.Errorf("said %s", in)
	}
}

// What was lost on the line may have been a change: the board is asked at once.
func TestALostReportIsAskedFor(t *testing.T) {
	t.Parallel()
	status := startLeft
	b := newBench(t, chesslink.Options{}, obliging(&status))
	b.until(500)
	b.take()
	status = e4Left
	b.send(600, append(wire(e4Left)[:30], wire(e4Left)[31:]...)) // a byte is missing
	b.until(900)
	out, in := b.take()
	if !strings.HasPrefix(out, "S53@801") || in != e4Picture+"@811" {
		t.Errorf("wrote %s, said %s", out, in)
	}
}

// SE-02: half a message and then silence.
func TestHalfAStatusAndThenNothing(t *testing.T) {
	t.Parallel()
	status := startLeft
	for n := 1; n < 67; n++ {
		b := newBench(t, chesslink.Options{}, obliging(&status))
		b.until(500)
		b.send(600, wire(e4Left)[:n])
		b.until(5000)
		if _, in := b.take(); strings.Count(in, "@") != 2 {
			t.Errorf("cut at %d: said %s", n, in)
		}
		if b.m.Info().Dropped != 1 {
			t.Errorf("cut at %d: %+v", n, b.m.Info())
		}
	}
}

// Reports by itself come between a command and its answer.
func TestReportsBetween(t *testing.T) {
	t.Parallel()
	status := startLeft
	answer := obliging(&status)
	var b *bench
	b = newBench(t, chesslink.Options{}, func(c string) string {
		if b != nil {
			b.send(b.now+5, wire(e4Left))
		}
		return answer(c)
	})
	b.until(990)
	if b.m.Info().Unanswered != 0 {
		t.Errorf("info %+v", b.m.Info())
	}
}

func TestRawMachine(t *testing.T) {
	t.Parallel()
	m := chesslink.NewRaw(chesslink.Options{})
	var got []string
	for i, b := range [][]byte{nil, wire("v010374"), wire(startLeft), wire(startLeft), wire("r020077"), wire(e4Left)} {
		in, out, wake := m.Step(int64(i)*100_000, b)
		if out != nil || wake != 0 {
			t.Errorf("wrote %q, wake %d", out, wake)
		}
		for _, in := range in {
			got = append(got, show(in))
		}
	}
	if want := []string{"online:true@100000", startPicture + "@200000", e4Picture + "@500000"}; !slices.Equal(got, want) {
		t.Errorf("said %q", got)
	}
}

// A machine that begins in the midst says nothing of what is known, and goes on from there.
func TestAdopt(t *testing.T) {
	t.Parallel()
	p, err := board.ParsePicture(startPicture, board.PieceAcuity)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, m: chesslink.New(chesslink.Options{})}
	b.m.Adopt(1000, p)
	b.step(1100, wire(startLeft))
	b.step(1200, wire(e4Left))
	b.until(6300)
	if _, in := b.take(); in != e4Picture+"@1200 online:false@6200" {
		t.Errorf("said %s", in)
	}
}

func square(name string) rules.Square {
	s, ok := rules.ParseSquare(name)
	if !ok {
		return rules.NoSquare
	}
	return s
}

// A port at which nothing speaks as a ChessLink does is told of, once, with what may be wrong.
func TestNothingUnderstood(t *testing.T) {
	t.Parallel()
	b := newBench(t, chesslink.Options{}, nil)
	var notes []string
	for now := int64(0); now < 300_000; now += 1000 {
		b.until(now)
		notes = append(notes, b.m.Notes()...)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], `"chesslink"`) || !strings.Contains(notes[0], "switched on") {
		t.Errorf("notes %q", notes)
	}
}
