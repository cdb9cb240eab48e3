package certabo_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/boardd/boardd/driver/certabo"
	"github.com/boardd/boardd/rules"
)

// read gives the lines and answers in a text, in order: numbers with spaces between, or the letter of an answer.
func read(r *certabo.Reader, now int64, text string) (got []string) {
	r.Read(now, []byte(text), func(numbers []byte) { got = append(got, strings.Trim(fmt.Sprint(numbers), "[]")) },
		func(letter byte) { got = append(got, string(letter)) })
	return got
}

// numbers is a line of setB as read gives it.
var numbers = strings.TrimPrefix(text("", setB), ":")

func TestLines(t *testing.T) {
	t.Parallel()
	wrapped := strings.Join(chunks(text(" ", setB, noise), 64), "\n") + "\r\n"
	noisy := strings.TrimPrefix(text("", setB, noise), ":")
	for _, c := range []struct {
		name string
		in   string
		want []string
	}{
		{"space, CR, LF", text(" \r\n", setB), []string{numbers}},
		{"CR, LF", text("\r\n", setB), []string{numbers}},
		{"LF after a space", text(" \n", setB), []string{numbers}},
		{"LF and the next line", text("\n", setB) + ":", []string{numbers}},
		{"cut in its last number", text("", setB) + text("\r\n", setB, noise), []string{noisy}},
		{"an answer as its end", text("\nL\r\n", setB), []string{numbers, "L"}},
		{"an answer at its end", text("L\r\n", setB), []string{numbers, "L"}},
		{"an answer after its end", text(" \r\n", setB) + "D\r\n", []string{numbers, "D"}},
		{"an answer in its midst", strings.Replace(text("\r\n", setB), " 84", "L 84", 1), []string{"L", numbers}},
		{"a star at its end", text("*\r\n", setB), []string{numbers}},
		{"a line feed after each 64 characters", wrapped, []string{noisy}},
		{"two", text("\r\n", setB) + text("\r\n", setB, noise), []string{numbers, noisy}},
		{"junk in front", "xxxx 3 0 \r" + text("\r\n", setB), []string{numbers}},
		{"a line begun in front", text("\r\n", setB)[:400] + text("\r\n", setB), []string{numbers}},
		{"Bluetooth: no colon", "84 20\r\n" + text(" \r\n", setB)[1:] + text(" \r\n", setB, noise)[1:], []string{numbers, noisy}},
		{"Bluetooth: no colon, an answer between", "\r\n" + text(" \r\n", setB)[1:] + "L\r\n" + text(" \r\n", setB, noise)[1:], []string{numbers, "L", noisy}},
		{"Bluetooth: one number is missing", "\r\n" + strings.Replace(text(" \r\n", setB)[1:], " 84", "", 1) + text(" \r\n", setB)[1:], []string{numbers}},
		{"Bluetooth: something that is no number", "\r\n" + strings.Replace(text(" \r\n", setB)[1:], " 84", " XX", 1) + text(" \r\n", setB)[1:], []string{numbers}},
		{"Bluetooth: too long", "\r\n1 " + text(" \r\n", setB)[1:] + text(" \r\n", setB)[1:], []string{numbers}},
		{"the colon was lost", text(" \r\n", setB) + text(" \r\n", setB, noise)[1:], []string{numbers, noisy}},
		{"one number too many", text(" 7\r\n", setB) + text("\r\n", setB), []string{numbers}},
		{"one number too few", strings.Replace(text("\r\n", setB), " 84", "", 1) + text("\r\n", setB), []string{numbers}},
		{"a number above 255", strings.Replace(text("\r\n", setB), "252", "256", 1) + text("\r\n", setB), []string{numbers}},
		{"a number of the vendor's simulator", strings.Replace(text("\r\n", setB), "252", "1273", 1), nil},
		{"something that is no number", strings.Replace(text("\r\n", setB), " 84", " XX", 1) + text("\r\n", setB), []string{numbers}},
		{"the highest bit of a byte is damaged", strings.Replace(text("\r\n", setB), "252", "2\xb52", 1), []string{numbers}},
		{"chips of Chesstimation", text(" \r\n", map[string]string{"a8": "0 0 0 0 7"}), []string{"0 0 0 0 7" + strings.Repeat(" 0", 315)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := read(certabo.NewReader(certabo.ChipNumbers), 0, c.in); !slices.Equal(got, c.want) {
				t.Errorf("read %q\nwant %q", got, c.want)
			}
			one := certabo.NewReader(certabo.ChipNumbers)
			var got []string
			for i := range len(c.in) {
				got = append(got, read(one, 0, c.in[i:i+1])...)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("byte by byte: %q\nwant %q", got, c.want)
			}
		})
	}
}

func chunks(text string, n int) (list []string) {
	for part := range slices.Chunk([]byte(text), n) {
		list = append(list, string(part))
	}
	return list
}

// Sentio: real lines of protocols/certabo.md section 7.
func TestLinesOfRanks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   string
		want []string
	}{
		{":255 255 0 0 0 0 255 255 \r\n", []string{"255 255 0 0 0 0 255 255"}},
		{":255 255 0 0 0 0 255 254\nL\r\n", []string{"255 255 0 0 0 0 255 254", "L"}},
		{"255 255 0 0 \r\n255 255 0 0 0 0 255 255 \r\n", []string{"255 255 0 0 0 0 255 255"}},
		{text("\r\n", setB), nil},
	} {
		if got := read(certabo.NewReader(certabo.RankNumbers), 0, c.in); !slices.Equal(got, c.want) {
			t.Errorf("%q: read %q, want %q", c.in, got, c.want)
		}
	}
}

func TestTheOtherKindOfBoard(t *testing.T) {
	t.Parallel()
	for want, in := range map[int]string{
		certabo.ChipNumbers: ":255 255 0 0 0 0 255 255 \r\n",
		certabo.RankNumbers: text(" \r\n", setB),
	} {
		r := certabo.NewReader(want)
		read(r, 0, strings.Repeat(in, 2))
		if r.Other() {
			t.Error("after two lines")
		}
		if read(r, 0, in); !r.Other() {
			t.Errorf("%q is not taken for the other kind of board", in[:10])
		}
	}
	r := certabo.NewReader(certabo.ChipNumbers)
	if read(r, 0, strings.Repeat(text("\r\n", setB), 5)); r.Other() {
		t.Error("its own lines")
	}
}

// A real read that was cut in its last number, with line feeds in numbers, and the rest in the next read (section 9).
func TestALineInTwoReads(t *testing.T) {
	t.Parallel()
	first, err := os.ReadFile("testdata/split.txt")
	if err != nil {
		t.Fatal(err)
	}
	r := certabo.NewReader(certabo.ChipNumbers)
	if got := read(r, 0, string(first)); got != nil {
		t.Errorf("the first part: %q", got)
	}
	got := read(r, 100, "0\nL\r\n")
	if len(got) != 2 || !strings.HasSuffix(got[0], " 3 0 84 252 170") || got[1] != "L" {
		t.Errorf("read %q", got)
	}
}

// Half a line at any point does no harm to the one that follows, nor does a byte that is missing to the one after it.
func TestHalfALineAnywhere(t *testing.T) {
	t.Parallel()
	line := text(" \r\n", setB, noise)
	next := text(" \r\n", setB)
	for n := range len(line) {
		for _, in := range []string{line[:n], line[n:], line[:n] + line[n+1:]} {
			for _, pause := range []int64{0, 2000} {
				r := certabo.NewReader(certabo.ChipNumbers)
				r.Pause = 1000
				read(r, 0, in)
				if got := read(r, pause, next); len(got) == 0 || got[len(got)-1] != numbers {
					t.Fatalf("cut at %d, pause %d: %q", n, pause, got)
				}
			}
		}
	}
}

// traces are the sections of the recorded lines: name, text, and what the squares of each line are.
func traces(t *testing.T, file string) (sections []trace) {
	t.Helper()
	all, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(all)) {
		line = strings.TrimSpace(line)
		key, value, _ := strings.Cut(line, ": ")
		switch {
		case strings.HasPrefix(line, "["):
			sections = append(sections, trace{name: line})
		case strings.HasPrefix(line, "raw"):
			part, err := strconv.Unquote(value)
			if err != nil {
				t.Fatalf("%s: %v", key, err)
			}
			s := &sections[len(sections)-1]
			s.text = append(s.text, part)
		case strings.HasPrefix(line, "squares:"):
			s := &sections[len(sections)-1]
			s.lines = append(s.lines, nil)
		case line != "" && line[0] != '#' && len(sections) > 0 && len(strings.Fields(line)) == 8:
			s := &sections[len(sections)-1]
			s.lines[len(s.lines)-1] = append(s.lines[len(s.lines)-1], strings.Fields(line)...)
		}
	}
	return sections
}

type trace struct {
	name  string
	text  []string
	lines [][]string
}

func TestRecordedLines(t *testing.T) {
	t.Parallel()
	sections := append(traces(t, "certabo-rfid-frames.txt"), traces(t, "certabo-lowgain-3frames.txt")...)
	if len(sections) != 8 {
		t.Fatalf("%d sections", len(sections))
	}
	for _, s := range sections {
		r := certabo.NewReader(certabo.ChipNumbers)
		var got []certabo.Frame
		for _, part := range s.text {
			r.Read(0, []byte(part), func(n []byte) { got = append(got, certabo.FrameOf(n)) }, func(byte) {})
		}
		want := slices.DeleteFunc(s.lines, func(squares []string) bool { return slices.Contains(squares, "!") })
		if len(got) != len(want) {
			t.Errorf("%s: %d lines, want %d", s.name, len(got), len(want))
			continue
		}
		names := map[certabo.Chip]string{}
		chips := map[string]certabo.Chip{}
		for i, f := range got {
			for j, what := range want[i] {
				c := f[rules.NewSquare(j%8, 7-j/8)]
				switch {
				case what == ".":
					if c != (certabo.Chip{}) {
						t.Errorf("%s: square %d reads %s, want nothing", s.name, j, c)
					}
				case what == "n":
					if c == (certabo.Chip{}) {
						t.Errorf("%s: square %d reads nothing, want noise", s.name, j)
					}
				default:
					if n, ok := names[c]; ok && n != what {
						t.Errorf("%s: square %d reads %s, which is %s, want %s", s.name, j, c, n, what)
					}
					if d, ok := chips[what]; ok && d != c {
						t.Errorf("%s: square %d reads %s, want %s", s.name, j, c, d)
					}
					names[c], chips[what] = what, c
				}
			}
		}
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte(text(" \r\n", setB)+"L\r\n"+text("\r\n", setA, noise)), uint8(3))
	f.Add([]byte(":255 255 0 0 0 0 255 254\nL\r\n255 255 0 0 0 0 255 254\r\n"), uint8(0))
	f.Add([]byte(":1 2 3 4 5 6 7 8 9 10 300 :::LLDD**\n\n\r\r 1 2 3 4 5 6 7 8\r\n"), uint8(200))
	f.Fuzz(func(t *testing.T, in []byte, step uint8) {
		for _, want := range []int{certabo.ChipNumbers, certabo.RankNumbers} {
			one, many := certabo.NewReader(want), certabo.NewReader(want)
			whole := read(one, 0, string(in))
			var parts []string
			for part := range slices.Chunk(in, int(step)+1) {
				parts = append(parts, read(many, 0, string(part))...)
			}
			if !slices.Equal(whole, parts) || one.Counts() != many.Counts() {
				t.Fatalf("in parts: %q, whole: %q", parts, whole)
			}
			var lines, acks int64
			for _, w := range whole {
				if w == "L" || w == "D" {
					acks++
				} else if lines++; len(strings.Fields(w)) != want {
					t.Fatalf("a line of %d numbers", len(strings.Fields(w)))
				}
			}
			if c := one.Counts(); c.Lines != lines || c.Acks != acks || c.Other > c.Dropped {
				t.Fatalf("%d lines and %d answers: %+v", lines, acks, c)
			}
			// Whatever came, a whole line that follows is read.
			next, end := text(" \r\n", setB), numbers
			if want == certabo.RankNumbers {
				next, end = ":1 2 3 4 5 6 7 8 \r\n", "1 2 3 4 5 6 7 8"
			}
			if got := read(one, 0, next); len(got) == 0 || got[len(got)-1] != end {
				t.Fatalf("then %q", got)
			}
		}
	})
}
