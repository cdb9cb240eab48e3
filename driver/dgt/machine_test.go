package dgt_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/dgt"
)

var _ board.Driver = (*dgt.Machine)(nil)

func TestStartUp(t *testing.T) {
	t.Parallel()
	var dump []byte
	b := newBench(t, dgt.New(dgt.Options{}), prompt(t, &dump))
	b.until(1999)
	b.want("start",
		"40@0 4D@100 45@200 55@300 42@400 4B@500 41@600 4C@700 42@1000 4B@1100 42@1600",
		"online:true@110 "+startPicture+"@410")
	i := b.m.Info()
	if i.Major != 1 || i.Minor != 8 || i.Serial != "01025" || i.LongSerial != "3000147740" {
		t.Errorf("info %+v", i)
	}
}

func TestStartUpOfABoardWithoutVersion(t *testing.T) {
	t.Parallel()
	b := newBench(t, dgt.New(dgt.Options{}), func(cmd byte) []byte {
		if cmd == 0x42 {
			return unhex(t, startDump)
		}
		return nil
	})
	b.until(5100)
	b.want("start",
		"40@0 4D@100 4D@1600 4D@3100 45@4600 55@4700 42@4800 4B@4900 41@5000 4C@5100",
		"online:true@4810 "+startPicture+"@4810")
}

func TestStartUpOnAFastClock(t *testing.T) {
	t.Parallel()
	b := newBench(t, dgt.New(dgt.Options{Scale: 50}), nil)
	b.until(230_000)
	b.want("start", "40@0 4D@5000 4D@80000 4D@155000 45@230000", "")
}

func TestStartUpGoesOnForEver(t *testing.T) {
	t.Parallel()
	b := newBench(t, dgt.New(dgt.Options{}), nil)
	b.until(20_000)
	out, in := b.take()
	if strings.Count(out, "40@") != 2 || !strings.Contains(out, "40@14600 4D@14700") || in != "" {
		t.Errorf("wrote %s, said %q", out, in)
	}
}

func TestKeepAlive(t *testing.T) {
	t.Parallel()
	b, _ := settled(t, dgt.Options{})
	b.until(5000)
	// The last message came at 1610 with the third dump; each answer puts the next question off by a second.
	b.want("silence is broken by a question", "45@2610 45@3620 45@4630", "")
	b.send(5020, unhex(t, "8D 00 0A 20 03 02 20 03 02 09"))
	b.until(6019)
	b.want("a clock message is a sign of life", "", "clock:182000/182000/1/1/0@5020")
}

func TestLossAndReturn(t *testing.T) {
	t.Parallel()
	b, dump := settled(t, dgt.Options{})
	answer := b.answer
	b.answer = nil
	b.until(14_500)
	out, in := b.take()
	if in != "online:false@11610" {
		t.Errorf("said %q", in)
	}
	if !strings.Contains(out, "42@") || !strings.Contains(out, "40@11610 4D@11710 4D@13210") {
		t.Errorf("wrote %s", out)
	}
	if n := b.m.Notes(); len(n) != 2 {
		t.Errorf("notes %q, want that there is no position, and that the board is gone", n)
	}
	(*dump)[3+60] = 0 // the king has been taken away meanwhile
	b.answer = answer
	b.until(16_000)
	out, in = b.take()
	if in != "online:true@14720 "+strings.Replace(startPicture, "RNBQKB", "RNBQ.B", 1)+"@15020" || strings.Contains(out, "49@") {
		t.Errorf("wrote %s, said %s", out, in)
	}
}

func TestPowerOffForAMomentIsNoticed(t *testing.T) {
	t.Parallel()
	b, _ := settled(t, dgt.Options{})
	answer := b.answer
	b.answer = nil
	b.until(4_500)
	b.take()
	b.answer = answer
	b.until(5_600)
	out, in := b.take()
	if !strings.Contains(out, "4B@") || in != "" {
		t.Errorf("wrote %q, said %q: the board must be told again to send changes, and is not offline", out, in)
	}
}

func TestReset(t *testing.T) {
	t.Parallel()
	b, _ := settled(t, dgt.Options{})
	b.m.Reset()
	b.step(2100, nil)
	b.until(2600)
	b.want("reset", "40@2100 4D@2200 45@2300 55@2400 42@2500 4B@2600", "online:false@2100 online:true@2210 "+startPicture+"@2510")
}

func TestUpdates(t *testing.T) {
	t.Parallel()
	b, dump := settled(t, dgt.Options{})
	b.send(2000, unhex(t, "8E 00 05 34 00"))
	b.send(2300, unhex(t, "8E 00 05 24 01"))
	b.send(2301, unhex(t, "8E 00 05 24 01")) // said twice
	(*dump)[3+0x34], (*dump)[3+0x24] = 0, 1
	b.until(3300)
	b.want("e2e4", "42@2801", "e2=.@2000 e4=P@2300")
	b.send(3310, unhex(t, "8E 00 05 00 00")) // some boards answer 4B so
	b.until(4000)
	b.want("the dump has the last word", "42@3810 4B@3910",
		"a8=.@3310 rnbqkbnr/pppppppp/......../......../....P.../......../PPPP.PPP/RNBQKBNR@3820")
	if i := b.m.Info(); i.Corrections != 1 || i.StaleDumps != 0 {
		t.Errorf("info %+v", i)
	}
}

// MD-05 (picochess 112): two changes 42 ms apart, a dump between them and one just after are not the truth.
func TestDumpsBetweenUpdatesAreNotTaken(t *testing.T) {
	t.Parallel()
	b, dump := settled(t, dgt.Options{})
	air := slices.Clone(*dump)
	air[3+0x35] = 0 // f2 lifted
	after := slices.Clone(air)
	after[3+0x25] = 1
	b.send(2000, unhex(t, "8E 00 05 35 00"))
	b.send(2020, *dump) // still shows the pawn on f2
	b.send(2042, unhex(t, "8E 00 05 25 01"))
	b.send(2083, air) // answers a question asked between the two
	*dump = after
	b.until(3000)
	b.want("f2f4", "42@2542", "f2=.@2000 f4=P@2042")
	if i := b.m.Info(); i.StaleDumps != 2 || i.Corrections != 0 {
		t.Errorf("info %+v", i)
	}
}

// A dump that was asked for, and then a square changed before it came, is asked for again.
func TestADumpOvertakenByAChange(t *testing.T) {
	t.Parallel()
	b, dump := settled(t, dgt.Options{})
	b.delay = 200
	b.send(2000, unhex(t, "8E 00 05 34 00"))
	b.send(2600, unhex(t, "8E 00 05 24 01"))
	b.until(2599)
	(*dump)[3+0x34] = 0
	b.until(2650)
	old := b.line
	b.line = nil
	for _, a := range old {
		b.send(2700, a.bytes)
	}
	(*dump)[3+0x24] = 1
	b.until(3500)
	b.want("e2e4", "42@2500 42@3100", "e2=.@2000 e4=P@2600")
	if i := b.m.Info(); i.StaleDumps != 1 {
		t.Errorf("info %+v", i)
	}
}

// SE-21 (picochess 218): a byte of the dump is lost; what follows is read, and the dump asked for again.
func TestALostByteCostsOneMessage(t *testing.T) {
	t.Parallel()
	var dump []byte
	answer := prompt(t, &dump)
	first := true
	b := newBench(t, dgt.New(dgt.Options{}), func(cmd byte) []byte {
		if a := answer(cmd); cmd != 0x42 || !first {
			return a
		}
		first = false
		dump[3+0x34], dump[3+0x24] = 0, 1
		return append(unhex(t, startDump)[:66], unhex(t, "8E 00 05 34 00 8E 00 05 24 01")...)
	})
	b.until(3000)
	if out, in := b.take(); in != "online:true@110 e2=.@410 e4=P@410 rnbqkbnr/pppppppp/......../......../....P.../......../PPPP.PPP/RNBQKBNR@1910" {
		t.Errorf("wrote %s, said %s", out, in)
	}
	if i := b.m.Info(); i.Dropped != 1 || i.Garbage != 66 {
		t.Errorf("info %+v", i)
	}
}

// A change that lost a byte on the way is not seen; that something was lost is, and the dump tells what.
func TestALostChangeIsAskedFor(t *testing.T) {
	t.Parallel()
	b, dump := settled(t, dgt.Options{})
	(*dump)[3+0x34] = 0
	b.step(2000, unhex(t, "8E 00 05 34 8D 00 0A 20 03 02 20 03 02 09"))
	b.until(2600)
	b.want("the lost change", "42@2000 4B@2100 42@2600",
		"clock:182000/182000/1/1/0@2000 rnbqkbnr/pppppppp/......../......../......../......../PPPP.PPP/RNBQKBNR@2010")
}

// The computer was busy for a second in the middle of a change: the change is told when its rest is there, and the dump is asked for,
// since the rest may have been that of another.
func TestALateChangeIsToldAndLookedAt(t *testing.T) {
	t.Parallel()
	b, dump := settled(t, dgt.Options{})
	(*dump)[3+0x34] = 0
	b.step(2000, unhex(t, "8E 00 05 34"))
	b.step(3000, unhex(t, "00"))
	b.until(3500)
	b.want("the late change", "42@3000 42@3500", "e2=.@3000")
}

// Hands that go on playing do not put off that a lost change is known: of a square that has been at rest the dump is believed. Of those
// just touched it may be older than what was told.
func TestALostChangeAmidOthers(t *testing.T) {
	t.Parallel()
	b, dump := settled(t, dgt.Options{})
	b.step(2000, unhex(t, "8E 00 05 0C 00"))
	(*dump)[3+0x34] = 0                                  // the last scan saw neither e7 nor e5 change
	b.step(2100, unhex(t, "8E 00 05 34 8E 00 05 1C 07")) // e2 is lifted, and nobody hears of it
	b.until(2400)
	out, in := b.take()
	if in != "e7=.@2000 e5=p@2100 e2=.@2110" {
		t.Errorf("wrote %s, said %s, %+v", out, in, b.m.Info())
	}
}

// The first picture is taken as it comes, and asked for again if a square changed just before it.
func TestAFirstDumpInTheMidstOfChanges(t *testing.T) {
	t.Parallel()
	var dump []byte
	answer := prompt(t, &dump)
	b := newBench(t, dgt.New(dgt.Options{}), func(cmd byte) []byte {
		if cmd == 0x42 {
			return nil
		}
		return answer(cmd)
	})
	b.until(1950)
	b.take()
	b.answer = answer
	b.step(1960, unhex(t, "8E 00 05 34 00"))
	b.step(1970, dump)
	dump[3+0x34] = 0
	b.until(2900)
	b.want("first", "4B@2000 42@2500 4B@2600",
		"e2=.@1960 "+startPicture+"@1970 rnbqkbnr/pppppppp/......../......../......../......../PPPP.PPP/RNBQKBNR@2510")
}

// MD-11 (picochess 142): a clock that refuses everything does not stop the moves, and is complained of once.
func TestAnUnwillingClock(t *testing.T) {
	t.Parallel()
	b, dump := settled(t, dgt.Options{})
	for range 5 {
		b.step(2100, unhex(t, "8D 00 0A 0A 20 00 0A 00 00 00"))
	}
	(*dump)[3+0x34], (*dump)[3+0x24] = 0, 1
	b.step(2200, unhex(t, "8E 00 05 34 00 8E 00 05 24 01"))
	b.until(2900)
	b.want("e2e4", "42@2700", "e2=.@2200 e4=P@2200")
	if i := b.m.Info(); i.Acks != 5 || i.AckErrors != 5 {
		t.Errorf("info %+v", i)
	}
	if n := b.m.Notes(); len(n) != 1 || b.m.Notes() != nil {
		t.Errorf("notes %q", n)
	}
}

func TestSpecialPiecesAreKeptOut(t *testing.T) {
	t.Parallel()
	b, dump := settled(t, dgt.Options{})
	b.step(2100, unhex(t, "8E 00 05 24 0E")) // White wins, on e4
	(*dump)[3+0x24] = 0x0E
	b.until(2900)
	b.want("special", "42@2600", "")
	if n := b.m.Notes(); len(n) != 1 || !strings.Contains(n[0], "White wins") || !strings.Contains(n[0], "e4") {
		t.Errorf("notes %q", n)
	}
	if i := b.m.Info(); i.Specials != 1 {
		t.Errorf("info %+v", i)
	}
	b.step(3000, unhex(t, "8E 00 05 24 01")) // a pawn in its place
	b.step(3001, unhex(t, "8E 00 05 24 0D")) // and the draw piece
	b.want("exchange", "", "e4=P@3000 e4=.@3001")
}

func TestCodesThatDoNotExist(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, bytes string }{
		{"square 64", "8E 00 05 40 01"},
		{"piece 10", "8E 00 05 24 10"},
		{"dump with a piece 10", "86 00 43 10" + strings.Repeat("00", 63)},
		{"battery of 101 percent", "A0 00 0C 65 7F 7F 00 00 00 00 00 00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b, _ := settled(t, dgt.Options{})
			b.step(2800, unhex(t, c.bytes))
			b.until(3400)
			if out, in := b.take(); in != "" || b.m.Info().BadCodes != 1 {
				t.Errorf("wrote %s, said %q, info %+v", out, in, b.m.Info())
			}
		})
	}
}

// python-chess 83: the same position said again is no news; picochess 108: answers come in another order than the
// questions, between messages of the clock.
func TestAnswersOutOfOrderAndAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t, dgt.New(dgt.Options{}), nil)
	b.until(4900) // nobody answered: all has been asked
	b.take()
	b.step(4910, unhex(t, "8D 00 0A 0A 10 09 00 20 00 00"))
	b.step(4920, unhex(t, startDump))
	b.step(4930, unhex(t, "93 00 05 03 0A"))
	b.step(4940, unhex(t, startDump))
	b.want("answers", "", "online:true@4910 "+startPicture+"@4920")
	if i := b.m.Info(); i.Major != 3 || i.Minor != 10 || i.ClockMajor != 2 || i.ClockMinor != 0 {
		t.Errorf("info %+v", i)
	}
}

func TestDraughtsBoard(t *testing.T) {
	t.Parallel()
	b, _ := settled(t, dgt.Options{})
	b.step(2800, dgt.AppendMessage(nil, dgt.BoardDump, make([]byte, 100)))
	b.want("draughts", "", "")
	if n := b.m.Notes(); len(n) != 1 {
		t.Errorf("notes %q", n)
	}
}

func TestBattery(t *testing.T) {
	t.Parallel()
	b, _ := settled(t, dgt.Options{})
	b.step(2100, unhex(t, "A0 00 0C 12 7F 7F 00 00 00 00 00 02"))
	b.step(2200, unhex(t, "A0 00 0C 12 7F 7F 00 00 00 00 00 02"))
	b.step(2300, unhex(t, "A0 00 0C 13 7F 7F 00 00 00 00 00 01"))
	b.until(2300)
	b.want("battery", "4C@2100", "battery:18/false@2100 battery:19/true@2300")
	b.until(310_000)
	if out, _ := b.take(); strings.Count(out, "4C@") != 1 || !strings.Contains(out, "4C@302100") {
		t.Error("the battery is asked for again after five minutes")
	}
}

// A stray byte 49 makes the board send its memory: 8.3 s in which nothing else can come.
func TestStrayLog(t *testing.T) {
	t.Parallel()
	b, dump := settled(t, dgt.Options{})
	b.answer = nil
	all := log()
	at := int64(2100)
	for chunk := range slices.Chunk(all, 96) {
		b.send(at, chunk)
		at += 100
	}
	b.until(at - 1)
	b.answer = prompt(t, dump)
	(*dump)[3+0x34], (*dump)[3+0x24] = 0, 1 // moved meanwhile, and never said
	b.until(at + 1000)
	_, in := b.take()
	if !strings.HasPrefix(in, "rnbqkbnr/pppppppp/......../......../....P.../......../PPPP.PPP/RNBQKBNR@") {
		t.Errorf("said %q", in)
	}
}

func TestClockTimesThatDoNotFit(t *testing.T) {
	t.Parallel()
	b, _ := settled(t, dgt.Options{})
	b.step(2050, unhex(t, "8D 00 0A 00 05 00 00 05 00 09"))
	b.want("first", "", "clock:300000/300000/1/1/0@2050")
	b.step(2100, unhex(t, "8D 00 0A 00 05 00 02 05 00 09")) // flashes up once
	b.until(2150)
	b.want("strange", "41@2100", "")
	b.step(2200, unhex(t, "8D 00 0A 00 05 00 00 04 59 09"))
	b.want("back to sense", "", "clock:299000/300000/1/1/0@2200")
	b.step(2300, unhex(t, "8D 00 0A 01 30 00 01 30 00 08"))
	b.step(2400, unhex(t, "8D 00 0A 01 30 00 01 30 00 08"))
	b.want("a new setting is said twice", "41@2300", "clock:5400000/5400000/0/1/0@2400")
	b.step(2500, unhex(t, "8D 00 0A 00 00 00 00 00 00 00"))
	b.step(2600, unhex(t, "8D 00 0A 00 00 00 00 00 00 20"))
	b.want("nothing and no clock", "", "")
	if i := b.m.Info(); i.BadClocks != 3 || !i.ClockAbsent {
		t.Errorf("info %+v", i)
	}
	b.step(2700, unhex(t, "8D 00 0A 30 00 00 20 00 16 12"))
	b.step(2800, unhex(t, "8D 00 0A 30 00 00 30 00 00 12"))
	b.want("the first flag counts", "", "clock:16000/0/0/2/2@2700 clock:0/0/0/2/2@2800")
}

// A dump has no checksum: one that holds bytes of something else, so that all that follows stands on other squares, is not believed
// before it comes again.
func TestAShiftedDumpIsNotBelieved(t *testing.T) {
	t.Parallel()
	b, dump := settled(t, dgt.Options{})
	b.step(3000, unhex(t, "8E 00 05 34 00"))
	good := slices.Clone(*dump)
	good[3+0x34] = 0
	shifted := slices.Concat(good[:3+8], good[3:len(good)-8], good[len(good)-8:])
	*dump = shifted
	b.until(3520)
	*dump = good
	b.until(4800)
	_, in := b.take()
	if in != "e2=.@3000" {
		t.Errorf("said %s", in)
	}
	if n := b.m.Info().Unlikely; n != 1 {
		t.Errorf("%d unlikely dumps", n)
	}

	other := slices.Clone(good)
	for f := 0x20; f < 0x28; f++ {
		other[3+f] = 1
	}
	*dump = other // the board really shows it
	b.step(5000, unhex(t, "8E 00 05 34 00"))
	b.until(5900)
	_, in = b.take()
	if !strings.HasPrefix(in, "rnbqkbnr/pppppppp/......../......../PPPPPPPP/......../PPPP.PPP/RNBQKBNR@5") {
		t.Errorf("said %s", in)
	}
}

// A port at which nothing speaks as a DGT board does is told of, once, with what may be wrong.
func TestNothingUnderstood(t *testing.T) {
	t.Parallel()
	b := newBench(t, dgt.New(dgt.Options{}), nil)
	var notes []string
	for now := int64(0); now < 300_000; now += 1000 {
		b.until(now)
		notes = append(notes, b.m.Notes()...)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], `"dgt"`) || !strings.Contains(notes[0], "switched on") {
		t.Errorf("notes %q", notes)
	}
}
