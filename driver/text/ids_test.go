package text_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/text"
)

// Chips of a real set, a8 to h7 and a2 to h1 (protocols/certabo.md section 3, set A; from picochess's tests).
const (
	setABlack = "48 0 248 71 99|48 0 248 85 159|48 0 177 203 192|48 0 177 215 17|48 0 177 117 59|48 0 177 43 7|48 0 248 222 81|48 0 247 200 86|" +
		"48 0 248 114 180|48 0 248 155 251|48 0 248 48 74|48 0 177 236 131|48 0 177 230 12|48 0 177 187 36|48 0 248 146 97|48 0 248 89 231"
	setAWhite = "48 0 248 85 122|48 0 248 68 117|48 0 248 201 109|48 0 248 144 65|48 0 177 231 217|48 0 248 76 179|48 0 248 161 89|48 0 94 124 14|" +
		"48 0 248 98 180|48 0 248 233 43|48 0 248 86 247|48 0 248 145 6|48 0 248 104 144|48 0 248 79 194|48 0 248 134 85|48 0 177 81 73"
)

// setA are the chips in the start position, by the board's order; faults are other numbers at an index.
func setA(faults map[int]string) []string {
	ids := append(strings.Split(setABlack, "|"), strings.Split(strings.Repeat("0 0 0 0 0|", 32)+setAWhite, "|")...)
	for i, id := range faults {
		ids[i] = id
	}
	return ids
}

func chipLine(ids []string) []byte { return []byte(":" + strings.Join(ids, " ") + " \r\n") }

func learned(t *testing.T) *bench {
	b := newBench(t, text.New(preset(t, "certabo")))
	for i := range 7 {
		if i > 0 && (!b.m.Info().Learning || b.pic != board.Picture{}) {
			t.Fatalf("after %d messages: %+v", i, b.m.Info())
		}
		b.send(3000+300*int64(i), chipLine(setA(nil)))
	}
	b.want("learnt from the start position", "", "online "+startP)
	if n := len(b.m.IDs()); n != 32 || b.m.IDs()["48 0 177 117 59"] != "k" || b.m.Info().Learning {
		t.Errorf("%d chips, %v", n, b.m.IDs())
	}
	return b
}

const nothing = "0 0 0 0 0"

// The set whose chips are hard to read: with the majority of three only what happened is told.
func TestVote(t *testing.T) {
	t.Parallel()
	b := learned(t)
	b.send(6000, chipLine(setA(map[int]string{15: nothing})))
	b.want("one of three", "", "")
	b.send(6300, chipLine(setA(map[int]string{
		15: nothing, 3: "48 0 177 23 19", 5: "48 0 177 43 6", 7: "48 0 239 200 86", 49: "48 0 248 73 250", 55: "48 0 30 124 13",
	})))
	b.want("two of three", "", "h7=.")
}

// Readers make up chips where nothing stands: a chip that is not known is none.
func TestNoise(t *testing.T) {
	t.Parallel()
	b := learned(t)
	for i := range 5 {
		b.send(6000+300*int64(i), chipLine(setA(map[int]string{16: "118 144 181 62 197", 37: "217 253 174 18 155", 20: fmt.Sprintf("%d 108 5 136 1", i)})))
	}
	b.want("noise", "", "")
	b.send(8000, chipLine(setA(map[int]string{9: "48 0 248 155 2510"})))
	b.send(8300, chipLine(setA(nil)[1:]))
	b.send(8600, chipLine(setA(nil))[9:])
	b.want("cut messages", "", "")
	if n := b.m.Info().Bad; n != 1 {
		t.Errorf("%d bad", n)
	}
}

// Lines are wrapped in the middle of numbers, acknowledgements of lights stand before the end.
func TestWraps(t *testing.T) {
	t.Parallel()
	b := learned(t)
	line := string(chipLine(setA(map[int]string{52: nothing, 36: "48 0 177 231 217"})))
	var wrapped strings.Builder
	for i, c := range strings.TrimSuffix(line, " \r\n") {
		if i > 0 && i%64 == 0 {
			wrapped.WriteByte('\n')
		}
		wrapped.WriteRune(c)
	}
	wrapped.WriteString("\nL\r\n")
	for i := range 3 {
		b.send(6000+300*int64(i), []byte(wrapped.String()[:500]))
		b.send(6010+300*int64(i), []byte(wrapped.String()[500:]))
	}
	b.want("wrapped lines", "", "e2=. e4=P")
}

func TestChipsAreNotLearntFromAnotherPosition(t *testing.T) {
	t.Parallel()
	b := newBench(t, text.New(preset(t, "certabo")))
	for i := range 20 {
		b.send(3000+300*int64(i), chipLine(setA(map[int]string{60: nothing})))
	}
	b.want("without a king", "", "online")
	for i := range 20 {
		b.send(10_000+300*int64(i), chipLine(setA(map[int]string{60: "48 0 177 81 73"})))
	}
	b.want("two men with one chip", "", "")
	o := preset(t, "certabo")
	o.IDs = map[string]string{"48 0 177 81 73": "R"}
	b = newBench(t, text.New(o))
	b.send(3000, chipLine(setA(map[int]string{0: "48 0 177 81 73"})))
	b.want("a table that is given is not learnt", "", "online R......./......../......../......../......../......../......../.......R")
}
