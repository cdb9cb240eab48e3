package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/driver/chiptest/boards"
	"github.com/boardd/boardd/driver/scan"
	"github.com/boardd/boardd/rules"
)

// shortGame has both castlings, a capture en passant, and a capture with promotion.
const shortGame = "e2e4 g8f6 e4e5 d7d5 e5d6 c8f5 d6c7 b8c6 c7d8q a8d8 g1f3 e7e6 f1e2 f8e7 e1g1 e8g8 d2d4"

// socket is what a simulated board is plugged into: a daemon may open it again and again, and it may be unplugged.
type socket struct {
	scan.Sensor
	mu     sync.Mutex
	opened int
	gone   bool
}

var errGone = errors.New("/dev/i2c-1: there is no such device")

func (s *socket) open() (scan.Sensor, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone {
		return nil, errGone
	}
	s.opened++
	return s, nil
}

func (s *socket) plug(in bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone = !in
}

func (s *socket) Read(r *scan.Reading) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone {
		return errGone
	}
	return s.Sensor.Read(r)
}

func (s *socket) Close() error { return nil } // the bench goes on

// homeMadeText is a configuration of a board that lies on a bench.
func homeMadeText(i int, id, driver string) string {
	lines := map[string]string{
		"gpio-matrix": "rows = [0, 1, 2, 3, 4, 5, 6, 7]\ncols = [8, 9, 10, 11, 12, 13, 14, 15]\n",
		"hc165":       "load = 1\n", "hc595-gpio": "cols = [8, 9, 10, 11, 12, 13, 14, 15]\n",
		"mux-gpio": "select = [0, 1, 2, 3]\ninputs = [4, 5, 6, 7]\n", "mux-adc": "select = [0, 1, 2]\n",
	}[driver]
	if lines != "" {
		lines += fmt.Sprintf("chip = \"bench-%d\"\n", i)
	}
	switch driver {
	case "mcp23017", "pca9555", "pcf8574":
		lines += fmt.Sprintf("bus = \"/dev/i2c-%d\"\n", 100+i)
	case "mcp23s17", "hc165", "hc595-gpio", "mux-adc":
		lines += fmt.Sprintf("bus = \"/dev/spidev%d.0\"\n", 100+i)
	}
	if driver == "mux-adc" {
		lines += fmt.Sprintf("threshold_mv = %d\n", boards.Swing/2000)
	}
	return fmt.Sprintf("[[board]]\nid = %q\ndriver = %q\n[board.sensor]\n%s[board.map]\ngenerator = \"rows\"\n", id, driver, lines)
}

// fingers move the men of a board as fast as its scans allow.
type fingers struct {
	t     *testing.T
	b     *boards.Board
	count *scan.Counters
	men   [64]int8
	rng   *rand.Rand
}

// rest waits until the board has been scanned for so many milliseconds.
func (f *fingers) rest(ms int64) bool {
	f.t.Helper()
	end := f.count.Scans.Load() + max(ms/f.b.PeriodMs, 2)
	return eventually(f.t, fmt.Sprintf("%s: scans", f.b.Name), 2*time.Minute, func() bool { return f.count.Scans.Load() >= end })
}

func side(p rules.Piece) int8 {
	switch {
	case p == rules.NoPiece:
		return 0
	case p.Color() == rules.White:
		return 1
	}
	return -1
}

// set lifts a man or sets one down. The contact chatters for some samples, unless it must be quiet: on a machine that is held up
// samples lie so far apart that each of them counts, and lifting a new queen again asks for another piece.
func (f *fingers) set(s rules.Square, man int8, quiet bool) bool {
	f.t.Helper()
	f.men[s] = man
	f.b.Lay(f.men)
	if !quiet {
		f.b.Bounce(1<<s, f.rng.IntN(6))
	}
	return f.rest(250 + f.rng.Int64N(200))
}

// play moves the men of one ply: a captured man goes first; with castling the king goes first; of two men that leave, the one that
// moves goes first.
func (f *fingers) play(p *rules.Position, m rules.Move) bool {
	f.t.Helper()
	after := p.After(m)
	promotes := m.Promotion() != rules.NoRole
	var lifted, placed []rules.Square
	for s := range rules.Square(64) {
		switch before, now := p.At(s), after.At(s); {
		case before == now:
		case now == rules.NoPiece:
			lifted = append(lifted, s)
		case before == rules.NoPiece:
			placed = append(placed, s)
		default:
			if !f.set(s, 0, false) {
				return false
			}
			placed = append(placed, s)
		}
	}
	ahead := func(yes func(rules.Square) bool) func(a, b rules.Square) int {
		return func(a, b rules.Square) int {
			switch {
			case yes(a) == yes(b):
				return 0
			case yes(a):
				return -1
			}
			return 1
		}
	}
	slices.SortFunc(placed, ahead(func(s rules.Square) bool { return after.At(s).Role() == rules.King }))
	slices.SortFunc(lifted, ahead(func(s rules.Square) bool { return s == m.From() }))
	for i := range max(len(lifted), len(placed)) {
		if i < len(lifted) && !f.set(lifted[i], 0, false) || i < len(placed) && !f.set(placed[i], side(after.At(placed[i])), promotes) {
			return false
		}
	}
	if promotes && !f.rest(5000) {
		return false
	}
	return f.rest(900)
}

// TestGameThroughEveryHomeMadeBoard: one daemon with a board of each kind, whose contacts bounce, is played on by as many pairs of
// hands at the same time. In the middle each board is unplugged for some seconds; a device that cannot be opened at first is tried again
// (GP-11). What counts is what comes out at the broker, and
// that each recording gives the same again.
func TestGameThroughEveryHomeMadeBoard(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("plays for ten seconds")
	}
	all, err := boards.All()
	if err != nil {
		t.Fatal(err)
	}
	const speed = 5
	text := "[node]\nname = \"bench\"\n[mqtt]\nlisten = \"127.0.0.1:0\"\n"
	sockets := map[string]*socket{}
	counters := map[string]*scan.Counters{}
	start := rules.Start()
	var men [64]int8
	for s := range rules.Square(64) {
		men[s] = side(start.At(s))
	}
	for i, b := range all {
		id := fmt.Sprintf("b%d", i)
		driver, _, _ := strings.Cut(b.Name, " ")
		driver = strings.TrimSuffix(driver, ",")
		if driver == "pcf8575" {
			driver = "pcf8574"
		}
		text += homeMadeText(i, id, driver)
		if b.PeriodMs != 10 {
			text = strings.TrimSuffix(text, "[board.map]\ngenerator = \"rows\"\n") + fmt.Sprintf("scan_hz = %d\n[board.map]\ngenerator = \"rows\"\n", 1000/b.PeriodMs)
		}
		sockets[id] = &socket{Sensor: b.Sensor}
		b.Lay(men)
	}
	folder := t.TempDir()
	m := &Main{
		Config: parsed(t, text), Speed: speed, Record: folder, counters: counters,
		sensor: func(b *config.Board) (scan.Sensor, error) { return sockets[b.ID].open() },
	}
	book, stop := living(t, m)
	if !eventually(t, "the broker's address in the log", 20*time.Second, func() bool { return book.value("address") != "" }) {
		return
	}
	seen := read(t, book.value("address"), "bench")
	status := func(id, want string) bool {
		return eventually(t, id+" is "+want, time.Minute, func() bool { return seen.last(id+"/status") == want })
	}

	var want []string
	p := start
	var plies []rules.Move
	for _, word := range strings.Fields(shortGame) {
		ply, err := p.ParseUCI(word)
		if err != nil {
			t.Fatal(err)
		}
		want, plies = append(want, word), append(plies, ply)
		p.Play(ply)
	}
	var hands sync.WaitGroup
	for i, b := range all {
		id := fmt.Sprintf("b%d", i)
		if !status(id, "online") {
			return
		}
		f := &fingers{t: t, b: b, count: counters[id], men: men, rng: rand.New(rand.NewPCG(uint64(i), 4))}
		hands.Go(func() {
			if !f.rest(2500) {
				return
			}
			pos := start
			for n, ply := range plies {
				if n == 7 {
					sockets[id].plug(false)
					if !status(id, "offline") {
						return
					}
					sockets[id].plug(true)
					if !status(id, "online") || !f.rest(500) {
						return
					}
				}
				if !f.play(&pos, ply) {
					return
				}
				pos.Play(ply)
			}
		})
	}
	hands.Wait()
	board, _, _ := strings.Cut(p.FEN(), " ")
	for i, b := range all {
		id := fmt.Sprintf("b%d", i)
		eventually(t, b.Name+": the last state and move", time.Minute, func() bool { // the newest state overtakes events that wait
			var s struct {
				FEN, Status string
				Ply         int
			}
			told, _ := standing(t, seen.events(t, id+"/event"))
			return len(told) >= len(want) && json.Unmarshal([]byte(seen.last(id+"/state")), &s) == nil && strings.HasPrefix(s.FEN, board+" ") && s.Ply == len(want)
		})
		events := seen.events(t, id+"/event")
		got, _ := standing(t, events)
		if !slices.Equal(got, want) {
			t.Errorf("%s: moves %v\nwant %v", b.Name, got, want)
		}
		for n, e := range events {
			if e.Seq != int64(n)+1 {
				t.Errorf("%s: event %d has the number %d", b.Name, n+1, e.Seq)
			}
		}
		if s := sockets[id]; s.opened < 2 {
			t.Errorf("%s: opened %d times", b.Name, s.opened)
		}
		if t.Failed() {
			for _, e := range events {
				t.Logf("%s: %d t=%s %s ply %d %s %d %s", b.Name, e.Seq, e.TS, e.Type, e.Ply, e.UCI, e.ToPly, e.Reason)
			}
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	for i, b := range all {
		names, err := filepath.Glob(filepath.Join(folder, fmt.Sprintf("b%d-*.jsonl", i)))
		if err != nil || len(names) != 1 {
			t.Fatal(names, err)
		}
		code, out, errs := boardd("replay", "--json", names[0])
		got, _ := standing(t, lines(t, out))
		if code != 0 || !slices.Equal(got, want) {
			t.Errorf("%s: its recording replays with code %d as %v %s", b.Name, code, got, errs)
		}
	}
}

// TestBoardThatIsNotCalibratedWaits: without a calibration the board is offline and says why; once it is calibrated it comes by itself.
func TestBoardThatIsNotCalibratedWaits(t *testing.T) {
	t.Parallel()
	all, err := boards.All()
	if err != nil {
		t.Fatal(err)
	}
	b := all[0]
	b.Lay([64]int8{12: 1, 52: -1})
	data := t.TempDir()
	text := fmt.Sprintf("[node]\nname = \"n\"\ndata = %q\n[mqtt]\nlisten = \"127.0.0.1:0\"\n", data) + homeMadeText(0, "b", "gpio-matrix")
	text = strings.Replace(text, `generator = "rows"`, "", 1)
	m := &Main{Config: parsed(t, text), Speed: 10, sensor: func(*config.Board) (scan.Sensor, error) { return (&socket{Sensor: b.Sensor}).open() }}
	book, _ := living(t, m)
	eventually(t, "what is missing in the log", 20*time.Second, func() bool { return strings.Contains(book.String(), `this board is not calibrated: run`) })
	c := scan.Calibration{Wiring: "another"}
	l := scan.Layout{Generator: "rows", Rotate: 180}
	if c.Map, err = l.Map(); err != nil {
		t.Fatal(err)
	}
	path := scan.CalibrationPath(data, "b")
	if err := c.Write(path); err != nil {
		t.Fatal(err)
	}
	eventually(t, "a calibration of another wiring in the log", 20*time.Second, func() bool {
		return strings.Contains(book.String(), "the wiring is no longer the one that was calibrated")
	})
	c.Wiring = m.Config.Boards[0].Wiring()
	if err := c.Write(path); err != nil {
		t.Fatal(err)
	}
	seen := read(t, book.value("address"), "n")
	eventually(t, "the board", 30*time.Second, func() bool { return seen.last("b/status") == "online" })
}

func TestMapsThatCannotBe(t *testing.T) {
	t.Parallel()
	for overrides, want := range map[string]string{
		`"12=e4"`:           "no wire for e2; e4 is on the wires 12 and 28",
		`"12=-"`:            "",
		`"12=e4", "28=-"`:   "",
		`"12=e4", "28=e2"`:  "",
		`"12=e4", "20=-"`:   "e4 is on the wires 12 and 28",
		`"0=b1", "1=a1"`:    "",
		`"0=b1", "1 = b1"`:  "no wire for a1; b1 is on the wires 0 and 1",
		`"0=h8", "63 = a1"`: "",
	} {
		c := parsed(t, homeMadeText(0, "b", "pca9555")+"overrides = ["+overrides+"]\n")
		err := checkMaps(&c)
		if want == "" && err != nil || want != "" && (err == nil || err.Error() != "board b: map: "+want || exitCode(err) != exitUsage) {
			t.Errorf("%s: %v, want %q", overrides, err, want)
		}
	}
}
