package dgt_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/dgt"
	emulated "github.com/boardd/boardd/driver/emulator/dgt"
)

func TestDecodeLog(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, bytes, want string }{
		{"the page's fragment", "7F 7F 7F 6A 48 00 49 01 4A 02 6F 40 34 51 24 70 03 01 6B",
			"power-up, a8=r, b8=n, c8=b, start, e2=., e4=P quickly, left 181000, end"},
		{"SE-27: the seconds of a time are no pawn", "6F 40 34 41 24 60 05 41 40 0C 47 1C 6B",
			"start, e2=., e4=P, right 341000, e7=., e5=p, end"},
		{"hours", "61 30 15 79 59 59", "right 5415000, left 35999000"},
		{"every tag of one byte", "6A 6B 6C 6D 6E 6F 7A 7B 7C 7D 7E 7F 00",
			"power-up, end, rows, empty, downloaded, start, turned start, begin, watchdog, reserved, reserved"},
		{"a special piece", "4D 24", "e4=."},
		{"the rest of an entry that the ring has cut", "34 41 24", "unknown 34, e4=P"},
		{"newer boards say how long nothing happened", "10 05 40 34", "unknown 10, unknown 05, e2=."},
		{"no square", "41 40 34", "unknown 41, e2=."},
		{"a time that cannot be", "60 61 3F 41 24", "unknown 60, unknown 61, unknown 3F, e4=P"},
		{"cut", "40", "unknown 40"},
		{"a time that is cut", "70 03", "unknown 70, unknown 03"},
		{"hours above nine", "6A 7A", "power-up, turned start"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			dgt.DecodeLog(unhex(t, c.bytes), func(e dgt.Entry) { got = append(got, e.String()) })
			want := strings.Split(c.want, ", ")
			if !slices.Equal(got, want) {
				t.Errorf("%s is %q, want %q", c.bytes, got, want)
			}
		})
	}
}

// FuzzLog: no panic, entries are what they can be, and everything between two entries is accounted for.
func FuzzLog(f *testing.F) {
	f.Add(unhex(f, "7F 7F 7F 6A 48 00 49 01 4A 02 6F 40 34 51 24 70 03 01 6B"))
	f.Add(unhex(f, "6F 40 34 41 24 60 05 41 40 0C 47 1C 6B"))
	f.Add(unhex(f, "10 05 34 61 7A 5D 40 4F 3F"))
	f.Fuzz(func(t *testing.T, in []byte) {
		n := 0
		dgt.DecodeLog(in, func(e dgt.Entry) {
			switch e.Kind {
			case dgt.LogField:
				if e.Square > 63 || e.Code > 15 {
					t.Fatalf("entry %+v", e)
				}
				n += 2
			case dgt.LogTime:
				if e.Ms < 0 || e.Ms >= 36_000_000 || e.Side == board.NoSide {
					t.Fatalf("entry %+v", e)
				}
				n += 3
			default:
				n++
			}
		})
		if fill := bytes.Count(in, []byte{0}) + bytes.Count(in, []byte{0x7F}); n > len(in) || n+fill < len(in) {
			t.Fatalf("%d bytes in entries, %d came", n, len(in))
		}
		// A whole log in a conversation, whatever it says.
		m := dgt.New(dgt.Options{})
		var p board.Picture
		for s := range p {
			p[s] = board.Empty
		}
		m.Remember(p)
		now := int64(0)
		var said []board.Input
		for range 4000 {
			var answer []byte
			inputs, out, wake := m.Step(now, nil)
			said = append(said, inputs...)
			for _, c := range out {
				switch c {
				case 0x4D:
					answer = append(answer, 0x93, 0, 5, 1, 8)
				case 0x42:
					answer = dgt.AppendMessage(answer, dgt.BoardDump, append(append(make([]byte, 8), bytes.Repeat([]byte{7}, 8)...), append(make([]byte, 47), 5)...))
				case 0x49:
					full := append(bytes.Repeat([]byte{0x7F}, max(0, 0x1F00-len(in))), in[:min(len(in), 0x1F00)]...)
					for i := range full {
						full[i] &= 0x7F
					}
					answer = dgt.AppendMessage(answer, dgt.EEMoves, full)
				}
			}
			if answer != nil {
				inputs, _, wake = m.Step(now+1, answer)
				said = append(said, inputs...)
			}
			if now = wake; now > 120_000 {
				break
			}
		}
		if got := picture(said); got[7] != 'K' || got[0] != '.' {
			t.Fatalf("in the end the machine says %v", got)
		}
	})
}

// Four plies while nobody listens: they are told in their order before the picture, in both modes.
func TestWhatWasDoneMeanwhile(t *testing.T) {
	t.Parallel()
	for _, onBus := range []bool{false, true} {
		w := newWire(t, dgt.New(dgt.Options{Bus: onBus}), emulated.New(emulated.Options{Clock: emulated.XL}))
		w.run(4000)
		w.play("e2e4P", "e7e5p")
		known := picture(w.in)
		w.m = nil // the daemon ends
		w.run(1000)
		w.play("g1f3N")
		w.boards[0].Press(board.Left)
		w.play("b8c6n", "f1b5B", "a7a6p")
		w.in = nil
		w.m = dgt.New(dgt.Options{Bus: onBus}) // and is back
		w.m.Remember(known)
		w.mine = w.now + 1
		w.run(20_000)
		want := "online:true g1=. f3=N b8=. c6=n f1=. b5=B a7=. a6=p r.bqkbnr/.ppp.ppp/p.n...../.B..p.../....P.../.....N../PPPP.PPP/RNBQK..R"
		at := int64(0)
		for _, in := range w.in {
			if in.Kind == board.Change {
				if at != 0 && in.T-at < dgt.ScanMs {
					t.Errorf("bus %t: two changes are told %d ms apart, so that their order means nothing", onBus, in.T-at)
				}
				at = in.T
			}
		}
		if got := w.said(); got != want {
			t.Errorf("bus %t: said %s\nwant %s", onBus, got, want)
		}
		if i := w.m.Info(); i.Recalled != 8 {
			t.Errorf("bus %t: %+v", onBus, i)
		}
		w.play("b5a4B")
		if got := w.said(); got != "b5=. a4=B" {
			t.Errorf("bus %t: afterwards said %s", onBus, got)
		}
	}
}

// On a bus the last answer before a loss may have come to nobody: it is asked for again.
func TestTheLastAnswerBeforeALoss(t *testing.T) {
	t.Parallel()
	w := newWire(t, dgt.New(dgt.Options{Bus: true}), emulated.New(emulated.Options{}))
	w.run(4000)
	w.play("e2e4P", "e7e5p")
	w.said()
	w.harm = func(to int, b []byte) []byte { // the board hears, and is not heard
		if to < 0 {
			return nil
		}
		return b
	}
	w.set("g1", '.')
	w.run(150)
	w.set("f3", 'N')
	w.run(300)
	w.harm = func(int, []byte) []byte { return nil }
	w.run(1000)
	w.play("b8c6n", "f1b5B")
	w.run(12_000)
	w.harm = nil
	w.run(8000)
	if got := w.said(); got != "online:false online:true g1=. f3=N b8=. c6=n f1=. b5=B r.bqkbnr/pppp.ppp/..n...../.B..p.../....P.../.....N../PPPP.PPP/RNBQK..R" {
		t.Errorf("said %s", got)
	}
}

// What the log is not good for.
func TestWhatTheLogDoesNotSay(t *testing.T) {
	t.Parallel()
	start, _ := board.ParsePicture(startPicture, board.PieceAcuity)
	e4, _ := board.ParsePicture("rnbqkbnr/pppppppp/......../......../....P.../......../PPPP.PPP/RNBQKBNR", board.PieceAcuity)
	const nf3 = "rnbqkbnr/pppp.ppp/......../....p.../....P.../.....N../PPPP.PPP/RNBQKB.R"
	for _, c := range []struct {
		name  string
		known board.Picture
		hands func(w *wire)
		want  string
		asks  bool
	}{
		{"nothing was done", e4, func(w *wire) { w.play("e2e4P") }, e4.String(), false},
		{"a move of each side needs no telling", start, func(w *wire) { w.play("e2e4P", "e7e5p") },
			"rnbqkbnr/pppp.ppp/......../....p.../....P.../......../PPPP.PPP/RNBQKBNR", false},
		{"three plies", start, func(w *wire) { w.play("e2e4P", "e7e5p", "g1f3N") }, "e2=. e4=P e7=. e5=p g1=. f3=N " + nf3, true},
		{"a ply, put back, others", start, func(w *wire) { w.play("d2d4P", "d4d2P", "e2e4P", "e7e5p", "g1f3N") }, "e2=. e4=P e7=. e5=p g1=. f3=N " + nf3, true},
		{"what is known was never there", e4, func(w *wire) { w.play("d2d4P", "d7d5p", "c2c4P") },
			"rnbqkbnr/ppp.pppp/......../...p..../..PP..../......../PP..PPPP/RNBQKBNR", true},
		{"a new game stands there", e4, func(w *wire) { w.play("e2e4P", "e4e2P") }, startPicture, false},
		{"a new game was begun", e4, func(w *wire) {
			w.play("e2e4P", "d7d5p", "g1f3N", "f3g1N", "d5d7p", "e4e2P", "d2d4P", "d7d5p", "c2c4P")
		}, "rnbqkbnr/ppp.pppp/......../...p..../..PP..../......../PP..PPPP/RNBQKBNR", true},
		{"moved without power", e4, func(w *wire) {
			w.play("e2e4P")
			w.boards[0].Restart()
			for _, s := range []string{"e7.", "e5p"} { // at the same moment
				w.boards[0].Set(square(s), board.Symbol(s[2]))
			}
			w.board(0, nil)
			w.run(3000)
			w.play("g1f3N", "b8c6n")
		}, "e7=. e5=p g1=. f3=N b8=. c6=n r.bqkbnr/pppp.ppp/..n...../....p.../....P.../.....N../PPPP.PPP/RNBQKB.R", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWire(t, nil, emulated.New(emulated.Options{}))
			w.run(3000)
			c.hands(w)
			w.m = dgt.New(dgt.Options{})
			w.m.Remember(c.known)
			w.mine = w.now + 1
			w.run(20_000)
			if got := w.said(); got != "online:true "+c.want {
				t.Errorf("said %s\nwant %s", got, c.want)
			}
			if asks := slices.Contains(w.out, "49"); asks != c.asks {
				t.Errorf("the log is asked for: %t", asks)
			}
		})
	}
}

// Hands that move while the log is told are told after it.
func TestHandsDoNotWaitForTheLog(t *testing.T) {
	t.Parallel()
	w := newWire(t, nil, emulated.New(emulated.Options{}))
	start, _ := board.ParsePicture(startPicture, board.PieceAcuity)
	w.run(2000)
	w.play("e2e4P", "e7e5p", "g1f3N", "b8c6n", "d2d4P")
	w.m = dgt.New(dgt.Options{})
	w.m.Remember(start)
	w.mine = w.now + 1
	w.run(10_200)
	w.play("d7d6p")
	w.run(3000)
	got := w.said()
	if want := "online:true e2=. e4=P e7=. e5=p g1=. f3=N b8=. c6=n d2=. d4=P d7=. d6=p r.bqkbnr/ppp..ppp/..np..../....p.../...PP.../.....N../PPP..PPP/RNBQKB.R"; got != want {
		t.Errorf("said %s\nwant %s", got, want)
	}
}

// A board that does not send its log: what hands do while it is waited for is told as it happens, after what stood there first.
func TestHandsDoNotWaitForALogThatDoesNotCome(t *testing.T) {
	t.Parallel()
	b := newBench(t, dgt.New(dgt.Options{}), nil)
	dump := unhex(t, startDump)
	dump[3+0x34], dump[3+0x24], dump[3+0x33], dump[3+0x23], dump[3+0x0B] = 0, 1, 0, 1, 0
	b.answer = func(cmd byte) []byte {
		switch cmd {
		case 0x42:
			return slices.Clone(dump)
		case 0x4D:
			return unhex(t, "93 00 05 01 08")
		}
		return nil
	}
	start, _ := board.ParsePicture(startPicture, board.PieceAcuity)
	b.m.Remember(start)
	b.until(1499)
	dump[3+0x0C] = 0
	b.step(1500, unhex(t, "8E 00 05 0C 00"))
	dump[3+0x1C] = 7
	b.step(2000, unhex(t, "8E 00 05 1C 07 8E 00 05 1C 07"))
	b.until(5000)
	out, in := b.take()
	if strings.Count(out, "42@") < 2 || !strings.Contains(out, "49@") {
		t.Errorf("wrote %s", out)
	}
	want := "online:true@110 rnbqkbnr/ppp.pppp/......../......../...PP.../......../PPP..PPP/RNBQKBNR@3810 e7=.@3810 e5=p@3810"
	if in != want {
		t.Errorf("said %s\nwant %s", in, want)
	}
}

// An unasked log, such as a stray byte starts, is no news; nothing of what is done meanwhile is lost.
func TestALogThatNobodyAskedFor(t *testing.T) {
	t.Parallel()
	w := newWire(t, dgt.New(dgt.Options{}), emulated.New(emulated.Options{}))
	w.run(3000)
	w.said()
	w.boards[0].SendLog()
	w.board(0, nil)
	w.play("e2e4P")
	w.run(9000)
	if got := w.said(); got != "e4=P e2=." && got != "e2=. e4=P" {
		t.Errorf("said %s", got)
	}
	if n := w.m.Notes(); len(n) != 1 || !strings.Contains(n[0], "nobody had asked for") {
		t.Errorf("notes %q", n)
	}
}

// SE-26: the log comes in pieces, with pauses; one that stops for good is not waited for.
func TestTheLogInPieces(t *testing.T) {
	t.Parallel()
	for _, pause := range []int64{400, 2500, 60_000} {
		w := newWire(t, nil, emulated.New(emulated.Options{}))
		start, _ := board.ParsePicture(startPicture, board.PieceAcuity)
		w.run(2000)
		w.play("e2e4P", "e7e5p", "g1f3N")
		w.m = dgt.New(dgt.Options{})
		w.m.Remember(start)
		w.mine = w.now + 1
		w.run(2000)
		if i := w.m.Info(); i.Messages == 0 {
			t.Fatal("no conversation")
		}
		held := []byte(nil)
		until := w.now + pause
		w.harm = func(to int, b []byte) []byte {
			if to >= 0 {
				return b
			}
			held = append(held, b...)
			if w.now < until {
				return nil
			}
			b, held = held, nil
			return b
		}
		w.run(20_000)
		want := "online:true e2=. e4=P e7=. e5=p g1=. f3=N rnbqkbnr/pppp.ppp/......../....p.../....P.../.....N../PPPP.PPP/RNBQKB.R"
		if pause == 60_000 {
			want = "online:true online:false"
		}
		if got := w.said(); !strings.HasPrefix(got, want) {
			t.Errorf("pause %d: said %s, want %s", pause, got, want)
		}
	}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	for bytes, want := range map[string]string{
		startDump:                       "board " + startPicture,
		"8D 00 0A 20 03 02 20 03 02 08": "clock: left 182000 right 182000 running - lever left flag -",
		"8E 00 05 34 00":                "e2: .",
		"8E 00 05 24 01":                "e4: P",
		"8E 00 05 24 0F":                "e4: special piece, Black wins",
		"8E 00 05 44 01":                "8E: 44 01",
		"90 00 05 08 01":                "bus address 1025",
		"91 00 08 30 31 30 32 35":       "serial number 01025",
		"92 00 16 47 6F 20 65 2D 62 6F 61 72 64 20 65 6D 75 6C 61 74 6F 72": "trademark Go e-board emulator",
		"93 00 05 01 08":                                   "version 1.8",
		"96 00 05 01 00":                                   "hardware version 1.0",
		"A0 00 0C 64 7F 7F 00 00 00 00 00 00":              "battery {Percent:100 Charging:false Discharging:false LeftMin:-1 OnMin:0 StandbyMin:0}",
		"A0 00 0C 32 01 1E 02 03 01 02 03 02":              "battery {Percent:50 Charging:false Discharging:true LeftMin:90 OnMin:123 StandbyMin:1563}",
		"A0 00 0C 65 01 1E 02 03 01 02 03 02":              "A0: 65 01 1E 02 03 01 02 03 02",
		"A2 00 0D 33 30 30 30 31 34 37 37 34 30":           "long serial number 3000147740",
		"A2 00 0D 33 2E 32 34 30 30 30 30 30 30":           "long serial number 3.24000000",
		"A3 00 05 01 02":                                   "A3: 01 02",
		"A4 00 04 00":                                      "locked: false",
		"A5 00 04 01":                                      "key accepted: true",
		"94 00 35 01 04 07 0A" + strings.Repeat(" 00", 46): "draughts board, 4 men",
		"95 00 35 02" + strings.Repeat(" 00", 49):          "95: 02" + strings.Repeat(" 00", 49),
		"86 00 67 01" + strings.Repeat(" 00", 99):          "draughts board, 1 men",
		fmt.Sprintf("% X", log()):                          "log of 1 entries",
	} {
		var d dgt.Decoder
		var got []string
		d.Decode(0, unhex(t, bytes), func(m dgt.Message) { got = append(got, dgt.Describe(m)) })
		if !slices.Equal(got, []string{want}) {
			t.Errorf("%.60s is %q, want %q", bytes, got, want)
		}
	}
}
