package certabo_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/certabo"
	"github.com/boardd/boardd/driver/notes"
	"github.com/boardd/boardd/driver/sentio"
)

var (
	_ board.Lit     = (*certabo.Machine)(nil)
	_ board.Adopter = (*certabo.Machine)(nil)
)

// said feeds lines 300 ms apart and gives what the machine says, with the number of the line.
func said(m *certabo.Machine, lines ...string) (got []string) {
	for i, line := range lines {
		in, _, _ := m.Step(int64(i)*300, []byte(line))
		for _, in := range in {
			switch in.Kind {
			case board.Link:
				got = append(got, fmt.Sprintf("online:%v@%d", in.Online, i))
			case board.Scan:
				got = append(got, fmt.Sprintf("%s@%d", in.Picture, i))
			}
		}
	}
	return got
}

// without is a set without some men.
func without(set map[string]string, squares ...string) map[string]string {
	set = maps.Clone(set)
	for _, s := range squares {
		delete(set, s)
	}
	return set
}

func times(n int, line string) []string { return slices.Repeat([]string{line}, n) }

const withoutH7 = "rnbqkbnr/ppppppp./......../......../......../......../PPPPPPPP/RNBQKBNR"

// Section 9, the majority test: chips that are read badly. The lines are those of picochess.
func TestMajority(t *testing.T) {
	t.Parallel()
	full := text("\r\n", setA)
	if len(full) != 834 {
		t.Errorf("the golden line has %d characters", len(full))
	}
	lifted := text("\r\n", without(setA, "h7"))
	misread := text("\r\n", without(setA, "h7"), errorsA)
	lines := append(times(3, full), lifted, misread, lifted)
	got := said(certabo.New(certabo.Options{Pieces: tableOf(t, setA)}), lines...)
	if want := []string{"online:true@0", start + "@2", withoutH7 + "@4"}; !slices.Equal(got, want) {
		t.Errorf("said %q", got)
	}
}

// The recorded lines with the same content come to the same.
func TestRecordedMajority(t *testing.T) {
	t.Parallel()
	sections := traces(t, "certabo-lowgain-3frames.txt")
	var first certabo.Frame
	certabo.NewReader(certabo.ChipNumbers).Read(0, []byte(sections[0].text[0]), func(n []byte) { first = certabo.FrameOf(n) }, func(byte) {})
	table := certabo.Table{}
	for c, p := range tableOf(t, setA) {
		for s := range first { // the same men stand on the same squares under other numbers
			if setA[squareName(s)] == c.String() {
				table[first[s]] = p
			}
		}
	}
	got := said(certabo.New(certabo.Options{Pieces: table}), sections[0].text[0], sections[0].text[0], sections[0].text[0],
		sections[1].text[0], sections[2].text[0])
	if want := []string{"online:true@0", start + "@2", withoutH7 + "@4"}; !slices.Equal(got, want) {
		t.Errorf("said %q", got)
	}
}

func squareName(s int) string { return fmt.Sprintf("%c%d", 'a'+s%8, 1+s/8) }

// Empty squares read other random numbers in each line (section 3): they are empty all the same.
func TestNoiseIsNobody(t *testing.T) {
	t.Parallel()
	moved := map[string]string{}
	for i, s := range slices.Sorted(maps.Keys(noise)) { // the same numbers, on the next square that has any
		names := slices.Sorted(maps.Keys(noise))
		moved[names[(i+1)%len(names)]] = noise[s]
	}
	got := said(certabo.New(certabo.Options{Pieces: tableOf(t, setB)}), text("\r\n", setB, noise), text("\r\n", setB, moved), text("\r\n", setB),
		text("\r\n", noise, setB), text("\r\n", setB, map[string]string{"e4": "0 0 56 0 0"}), text("\r\n", setB, map[string]string{"e4": "0 0 56 0 0"}),
		text("\r\n", setB, map[string]string{"e4": "0 0 56 0 0"}))
	if want := []string{"online:true@0", start + "@2"}; !slices.Equal(got, want) {
		t.Errorf("said %q", got)
	}
}

// A man that is set down on noise, and one that is lifted from a square on which there is noise then.
func TestAMoveInNoise(t *testing.T) {
	t.Parallel()
	one := func(a, b, c, d, e int) string { return fmt.Sprintf("%d %d %d %d %d", a, b, c, d, e) }
	lines := []string{text("\r\n", noise, setB), text("\r\n", setB), text("\r\n", setB)}
	for i := range 6 {
		air := without(setB, "e2")
		at := map[string]string{"e2": one(90+i, 7*i+3, 9, 200-i, i+1), "e4": one(50*i, 3, 17+i, 5, 9)}
		if i > 2 {
			at["e4"] = setB["e2"]
		}
		lines = append(lines, text("\r\n", air, at))
	}
	got := said(certabo.New(certabo.Options{Pieces: tableOf(t, setB)}), lines...)
	want := []string{"online:true@0", start + "@2",
		"rnbqkbnr/pppppppp/......../......../......../......../PPPP.PPP/RNBQKBNR@4",
		"rnbqkbnr/pppppppp/......../......../....P.../......../PPPP.PPP/RNBQKBNR@7"}
	if !slices.Equal(got, want) {
		t.Errorf("said %q", got)
	}
}

// MD-29 (haklein/certabo-lichess 8): a queen whose chip was never learnt is an unknown man, not an empty square; one that was
// is a queen, like the first.
func TestASecondQueen(t *testing.T) {
	t.Parallel()
	spare := map[string]string{"d3": "3 0 84 9 9"}
	lines := append(times(3, text("\r\n", setB)), times(3, text("\r\n", setB, spare))...)
	m := certabo.New(certabo.Options{Pieces: tableOf(t, setB)})
	got := said(m, lines...)
	if want := []string{"online:true@0", start + "@2", strings.Replace(start, "......../PPPP", "...?..../PPPP", 1) + "@5"}; !slices.Equal(got, want) {
		t.Errorf("not learnt: %q", got)
	}
	if n := m.Notes(); len(n) != 1 || !strings.Contains(n[0], "calibrate") {
		t.Errorf("notes %q", n)
	}
	table := tableOf(t, setB)
	queens, err := certabo.TableOf(map[string][]string{"Q": {"3 0 84 9 9"}})
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(table, queens)
	got = said(certabo.New(certabo.Options{Pieces: table}), lines...)
	if want := []string{"online:true@0", start + "@2", strings.Replace(start, "......../PPPP", "...Q..../PPPP", 1) + "@4"}; !slices.Equal(got, want) {
		t.Errorf("learnt: %q", got)
	}
}

// Chesstimation's numbers have four zeros, which is no reason to take them for nothing (section 9).
func TestChipsOfChesstimation(t *testing.T) {
	t.Parallel()
	letters := map[string][]string{}
	chips := map[string]string{}
	for i, sym := range picture(t, start) {
		if sym != board.Empty {
			chip := fmt.Sprintf("0 0 0 0 %d", i+1)
			letters[string(rune(sym))] = append(letters[string(rune(sym))], chip)
			chips[squareName(i)] = chip
		}
	}
	table, err := certabo.TableOf(letters)
	if err != nil {
		t.Fatal(err)
	}
	got := said(certabo.New(certabo.Options{Pieces: table}), times(3, text(" \r\n", chips))...)
	if want := []string{"online:true@0", start + "@2"}; !slices.Equal(got, want) {
		t.Errorf("said %q", got)
	}
}

func TestWithoutAnyChipsAllMenAreUnknown(t *testing.T) {
	t.Parallel()
	m := certabo.New(certabo.Options{})
	got := said(m, text(" \r\n", noise, setB), text(" \r\n", setB), text(" \r\n", setB), text(" \r\n", noise, setB))
	if want := []string{"online:true@0", "????????/????????/......../......../......../......../????????/????????@2"}; !slices.Equal(got, want) {
		t.Errorf("said %q", got)
	}
	if n := m.Notes(); len(n) != 1 || !strings.Contains(n[0], "boardd calibrate") {
		t.Errorf("notes %q", n)
	}
}

func TestASentioIsNamed(t *testing.T) {
	t.Parallel()
	m := certabo.New(certabo.Options{Pieces: tableOf(t, setB)})
	if got := said(m, times(5, ":255 255 0 0 0 0 255 255 \r\n")...); got != nil {
		t.Errorf("said %q", got)
	}
	if n := m.Notes(); len(n) != 1 || !strings.Contains(n[0], "sentio") {
		t.Errorf("notes %q", n)
	}
}

func TestSilence(t *testing.T) {
	t.Parallel()
	m := certabo.New(certabo.Options{Pieces: tableOf(t, setB)})
	if _, _, wake := m.Step(0, nil); wake != notes.PatienceMs {
		t.Errorf("wakes at %d before the board has spoken", wake)
	}
	said(m, times(3, text(" \r\n", setB))...)
	in, out, wake := m.Step(4599, nil)
	if in != nil || out != nil || wake != 4600 {
		t.Errorf("said %v, wrote % X, wakes at %d", in, out, wake)
	}
	in, _, wake = m.Step(wake, nil)
	if len(in) != 1 || in[0].Kind != board.Link || in[0].Online || in[0].T != 4600 || wake != 0 {
		t.Errorf("said %v, wakes at %d", in, wake)
	}
	var got []board.Input
	for i := range int64(3) {
		in, _, _ := m.Step(9000+i*300, []byte(text(" \r\n", without(setB, "h7"))))
		got = append(got, in...)
	}
	if len(got) != 2 || !got[0].Online || got[1].Picture != picture(t, withoutH7) || got[1].T != 9600 {
		t.Errorf("then %v", got)
	}
}

func TestRawMachine(t *testing.T) {
	t.Parallel()
	m := certabo.NewRaw(certabo.Options{Pieces: tableOf(t, setB)})
	m.Light(board.Frame{5: {R: 1}})
	for i := range int64(4) {
		if _, out, wake := m.Step(i*100_000, []byte(text(" \r\n", setB))); out != nil || wake != 0 {
			t.Errorf("wrote % X, wakes at %d", out, wake)
		}
	}
	if in, _, _ := m.Step(900_000, []byte(text(" \r\n", setB))); in != nil {
		t.Errorf("said %v", in)
	}
}

func TestAdopt(t *testing.T) {
	t.Parallel()
	m := certabo.New(certabo.Options{Pieces: tableOf(t, setB)})
	m.Adopt(0, picture(t, start))
	got := said(m, append(times(3, text(" \r\n", setB)), times(2, text(" \r\n", without(setB, "h7")))...)...)
	if want := []string{withoutH7 + "@4"}; !slices.Equal(got, want) {
		t.Errorf("said %q", got)
	}
}

// A port at which nothing that is understood comes is told of, once.
func TestNothingUnderstood(t *testing.T) {
	t.Parallel()
	type machine interface {
		board.Driver
		Notes() []string
	}
	for driver, fresh := range map[string]func() machine{
		"certabo": func() machine { return certabo.New(certabo.Options{}) },
		"sentio":  func() machine { return sentio.New(sentio.Options{}) },
	} {
		for name, garbage := range map[string]string{"silence": "", "something else": "hello, world\r\n"} {
			m := fresh()
			for _, step := range []struct {
				now, wake int64
				in        string
				says      bool
			}{{100, 10_100, garbage, false}, {10_099, 10_100, garbage, false}, {10_100, 0, "", true}, {200_000, 0, garbage, false}} {
				_, _, wake := m.Step(step.now, []byte(step.in))
				if wake != step.wake {
					t.Errorf("%s, %s: at %d it wakes at %d", driver, name, step.now, wake)
				}
				if n := m.Notes(); (len(n) > 0) != step.says || step.says && (!strings.Contains(n[0], strconv.Quote(driver)) || !strings.Contains(n[0], "switched on")) {
					t.Errorf("%s, %s: at %d it says %q", driver, name, step.now, n)
				}
			}
		}
	}
}
