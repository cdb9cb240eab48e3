package sentio_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/certabo"
	"github.com/boardd/boardd/driver/notes"
	"github.com/boardd/boardd/driver/sentio"
)

var (
	_ board.Lit     = (*sentio.Machine)(nil)
	_ board.Adopter = (*sentio.Machine)(nil)
)

const start = "xxxxxxxx/xxxxxxxx/......../......../......../......../xxxxxxxx/xxxxxxxx"

// said feeds lines 300 ms apart and gives what the machine says, with the number of the line.
func said(m *sentio.Machine, lines ...string) (got []string) {
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

// Real lines of protocols/certabo.md section 7: the highest bit is file a.
func TestLines(t *testing.T) {
	t.Parallel()
	const first, second = ":255 255 0 0 0 0 255 255 \r\n", ":255 255 0 0 0 0 255 254\nL\r\n"
	m := sentio.New(sentio.Options{})
	got := said(m, first, first, second, second)
	if want := []string{"online:true@0", start + "@1", start[:70] + ".@2"}; !slices.Equal(got, want) {
		t.Errorf("said %q", got)
	}
	got = said(sentio.NewRaw(sentio.Options{}), ":128 1 0 0 0 0 0 64 \r\n", ":128 1 0 0 0 0 0 64 \r\n")
	if want := []string{"online:true@0", "x......./.......x/......../......../......../......../......../.x......@1"}; !slices.Equal(got, want) {
		t.Errorf("said %q", got)
	}
}

func TestChangesOfMoreThanOneSquare(t *testing.T) {
	t.Parallel()
	const line = ":255 255 0 0 %d 0 %d 255 \r\n"
	full, lifted, moved := fmt.Sprintf(line, 0, 255), fmt.Sprintf(line, 0, 247), fmt.Sprintf(line, 8, 247)
	lost := fmt.Sprintf(line, 0, 25) // a digit has been lost
	for _, c := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{"slowly", []string{full, full, lifted, moved}, []string{"0@1", "1@2", "2@3"}},
		{"within a line", []string{full, full, moved, moved}, []string{"0@1", "2@3"}},
		{"a digit is lost", []string{full, full, lost, full, lost, full, lifted}, []string{"0@1", "1@6"}},
		{"a digit is lost in the first line", []string{lost, full, full}, []string{"0@2"}},
		{"twice other digits", []string{full, full, lost, moved, moved}, []string{"0@1", "2@4"}},
	} {
		pictures := map[string]string{start: "0", strings.Replace(start, "......../xxxxxxxx", "......../xxxx.xxx", 1): "1",
			strings.Replace(start, "......../......../xxxxxxxx", "....x.../......../xxxx.xxx", 1): "2"}
		var got []string
		for _, s := range said(sentio.New(sentio.Options{}), c.lines...)[1:] {
			picture, at, _ := strings.Cut(s, "@")
			name, ok := pictures[picture]
			if !ok {
				name = picture
			}
			got = append(got, name+"@"+at)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Half a line at any point does no harm.
func TestHalfALineAnywhere(t *testing.T) {
	t.Parallel()
	const line, moved = ":255 255 0 0 0 0 255 255 \r\n", ":255 255 0 0 8 0 247 255 \r\n"
	for n := range len(moved) {
		for _, part := range []string{moved[:n], moved[n:], moved[:n] + moved[n+1:]} {
			got := said(sentio.New(sentio.Options{}), line, line, part, line, line)
			if want := []string{"online:true@0", start + "@1"}; !slices.Equal(got, want) {
				t.Errorf("%q: said %q", part, got)
			}
		}
	}
}

func TestSilence(t *testing.T) {
	t.Parallel()
	const line = ":255 255 0 0 0 0 255 255 \r\n"
	m := sentio.New(sentio.Options{SilenceMs: 1000})
	if _, _, wake := m.Step(0, nil); wake != notes.PatienceMs {
		t.Errorf("wakes at %d before the board has spoken", wake)
	}
	said(m, line, line)
	in, _, wake := m.Step(1299, nil)
	if in != nil || wake != 1300 {
		t.Errorf("said %v, wakes at %d", in, wake)
	}
	in, _, wake = m.Step(1300, nil)
	if len(in) != 1 || in[0].Kind != board.Link || in[0].Online || wake != 0 {
		t.Errorf("said %v, wakes at %d", in, wake)
	}
	if n := m.Notes(); len(n) != 1 || m.Notes() != nil {
		t.Errorf("notes %q", n)
	}
	raw := sentio.NewRaw(sentio.Options{})
	if got := said(raw, line, line); len(got) != 2 {
		t.Errorf("said %q", got)
	}
	if in, out, wake := raw.Step(900_000, nil); in != nil || out != nil || wake != 0 {
		t.Errorf("a raw machine takes silence for loss: %v", in)
	}
}

func TestLights(t *testing.T) {
	t.Parallel()
	const line = ":255 255 0 0 0 0 255 255 \r\n"
	m := sentio.New(sentio.Options{})
	m.Light(board.Frame{12: {R: 255}, 28: {G: 1}}) // e2, e4
	if _, out, _ := m.Step(0, nil); out != nil {
		t.Errorf("wrote % X before the board has spoken", out)
	}
	_, out, _ := m.Step(10, []byte(line))
	if got := fmt.Sprintf("% X", out); got != "00 00 00 00 10 00 10 00" {
		t.Errorf("wrote %s", got)
	}
	m.Step(400, []byte(line+"L\r\n"))
	if i := m.Info(); i.Lamps != certabo.SingleLamps || i.Acks != 1 || i.Lines != 2 {
		t.Errorf("info %+v", i)
	}
	for now := int64(500); now < 3000; now += 100 {
		if _, out, _ := m.Step(now, []byte(line)); out != nil {
			t.Errorf("wrote % X although all is shown", out)
		}
	}
}

func TestACertaboIsNamed(t *testing.T) {
	t.Parallel()
	m := sentio.New(sentio.Options{})
	line := ":" + strings.Repeat("3 0 84 1 1 ", 64) + "\r\n"
	if got := said(m, line, line, line, line); got != nil {
		t.Errorf("said %q", got)
	}
	if n := m.Notes(); len(n) != 1 || !strings.Contains(n[0], "certabo") {
		t.Errorf("notes %q", n)
	}
}

func TestAdopt(t *testing.T) {
	t.Parallel()
	p, err := board.ParsePicture(start, board.Presence)
	if err != nil {
		t.Fatal(err)
	}
	m := sentio.New(sentio.Options{})
	m.Adopt(0, p)
	if got := said(m, ":255 255 0 0 0 0 255 255 \r\n", ":255 255 0 0 0 0 247 255 \r\n"); len(got) != 1 || !strings.HasSuffix(got[0], "xxxx.xxx/xxxxxxxx@1") {
		t.Errorf("said %q", got)
	}
}

func FuzzMachine(f *testing.F) {
	f.Add([]byte(":255 255 0 0 0 0 255 254\nL\r\n:255 255 0 0 0 0 255 254\nL\r\n"), uint8(3))
	f.Add([]byte("DDLL*:1 2 3\r\n4 5 6 7 8 9 1 2\r\n"), uint8(200))
	f.Fuzz(func(t *testing.T, in []byte, step uint8) {
		m := sentio.New(sentio.Options{})
		m.Light(board.Frame{1: {R: 1}})
		now, online := int64(0), false
		for part := range slices.Chunk(in, 5) {
			now += int64(step)
			inputs, _, wake := m.Step(now, part)
			if wake != 0 && wake <= now {
				t.Fatalf("at %d: wake %d", now, wake)
			}
			for _, in := range inputs {
				switch in.Kind {
				case board.Link:
					if online == in.Online {
						t.Fatal("said twice")
					}
					online = in.Online
				case board.Scan:
					for _, s := range in.Picture {
						if !board.Presence.Valid(s) {
							t.Fatalf("%q", s)
						}
					}
				}
			}
		}
	})
}
