//go:build kernel

package board

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boardd/boardd/driver/chiptest"
)

// reeds are contacts on the chips of chiptest; each change chatters for some readings.
type reeds struct{ magnets chiptest.Magnets }

func (r *reeds) Set(closed uint64) {
	changed := r.magnets.On() ^ closed
	r.magnets.Bounce(changed, 2)
	r.magnets.Set(closed)
}

// threeBoards are the boards of one club: a matrix on the header, four expanders on I²C, a chain of shift registers on SPI.
const threeBoards = `
[[board]]
id = "matrix"
driver = "gpio-matrix"
[board.sensor]
rows = [5, 6, 12, 13, 16, 19, 20, 21]
cols = ["GPIO17", "GPIO18", "GPIO22", "GPIO23", "GPIO24", "GPIO25", "GPIO26", "GPIO27"]
[board.map]
generator = "rows"

[[board]]
id = "expanders"
driver = "mcp23017"
[board.sensor]
scan_hz = 50
[board.map]
generator = "rows"

[[board]]
id = "registers"
driver = "hc165"
[board.sensor]
scan_hz = 50
load_bus = "/dev/spidev0.1"
read_back = true
[board.map]
generator = "rows"
`

// club is the hardware of threeBoards.
type club struct {
	*benches
	matrix    matrix
	expanders []*chiptest.MCP23017
	expanded  reeds // what the expanders are wired to
	chain     *chiptest.HC165
	shifted   reeds // what the chain is wired to
}

// openClub gives the matrix its diodes and connects all chips.
func openClub(t *testing.T) *club {
	t.Helper()
	c := &club{benches: openBenches(t), matrix: matrix{t}}
	c.matrix.put("diodes", "1")
	t.Cleanup(func() { c.matrix.put("diodes", "0"); c.matrix.Set(0) })
	for i := range 4 {
		chip := chiptest.NewMCP23017(chiptest.Reeds{Magnets: &c.expanded.magnets, First: 16 * i})
		c.expanders = append(c.expanders, chip)
		c.i2c.Attach(0x20+uint16(i), chip)
	}
	c.chain = &chiptest.HC165{Magnets: &c.shifted.magnets, LoadCS: 1, Loop: true}
	c.spi.Attach(c.chain)
	return c
}

// breakChain cuts the chain behind one of its chips, counted from MISO; 0 mends it.
func (c *club) breakChain(behind int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.chain.Broken = behind
}

// TestGames plays the same game on three boards at once, each by hands of its own. In the middle of it each board loses its chip
// for a while: it is offline, then online again, and its game goes on.
func TestGames(t *testing.T) {
	h := openClub(t)
	m := h.matrix
	m.put("settle_us", "20")
	m.put("bounce_us", "8000")
	t.Cleanup(func() { m.put("settle_us", "0"); m.put("bounce_us", "0") })
	d := run(t, daemonUser, threeBoards)
	m.put("stats", "0")
	for _, c := range []struct {
		name  string
		s     sensors
		away  func()
		again func()
	}{
		{"matrix", m, func() { m.there(false) }, func() { m.there(true) }},
		{"expanders", &h.expanded, func() { h.unplug(true) }, func() {
			for _, chip := range h.expanders {
				chip.Off()
				chip.On() // with its registers as after power-on
			}
			h.unplug(false)
		}},
		{"registers", &h.shifted, func() { h.breakChain(3) }, func() { h.breakChain(0) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d.setUp(t, c.name, c.s)
			d.play(t, c.name, c.s, shortGame, 4, func(ply int) {
				if ply != 11 {
					return
				}
				c.away()
				eventually(t, c.name+" is offline", time.Minute, func() bool { return d.status(c.name) == "offline" })
				c.again()
				eventually(t, c.name+" is online again", time.Minute, func() bool {
					return d.status(c.name) == "online" && d.state(t, c.name).Match
				})
			})
			d.ended(t, c.name, shortGame, "board_offline")
			if !slices.ContainsFunc(d.events(t, c.name), func(e event) bool { return e.Type == "board_offline" }) {
				t.Error("no event says that the board was offline")
			}
			if c.name == "matrix" {
				if s := m.stats(); s["conflicts"] != 0 || s["overlaps"] != 0 || s["chatter"] == 0 {
					t.Errorf("short circuits, several rows at once, or no contact that bounced: %v", s)
				}
			}
		})
	}
}

// TestMatrixWithoutDiodes sets up a board that shows ghosts: boardd says what is wrong with it.
func TestMatrixWithoutDiodes(t *testing.T) {
	m := matrix{t}
	m.put("diodes", "0")
	m.Set(0)
	t.Cleanup(func() { m.Set(0) })
	first, _, _ := strings.Cut(threeBoards, "\n\n")
	d := run(t, daemonUser, first)
	eventually(t, "the board is online", time.Minute, func() bool { return d.status("matrix") == "online" })
	// a1, b1, a2: b2 is a ghost.
	for _, closed := range []uint64{1, 3, 3 | 1<<8} {
		m.Set(closed)
		m.scanned()
	}
	eventually(t, "boardd says that there are no diodes", time.Minute, func() bool { return strings.Contains(d.log.String(), "no diodes") })
}

// alarmed are the expanders with their INT pins wired to GPIO4.
type alarmed struct {
	*club
	grounded bool
}

// Set moves the magnets under the eyes of the chips.
func (a *alarmed) Set(closed uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.expanded.magnets.Set(closed)
	a.watch()
}

// watch lets the chips look at their pins, and pulls GPIO4 to ground while one of them has something to say.
func (a *alarmed) watch() {
	low := false
	for _, chip := range a.expanders {
		chip.Watch()
		low = low || chip.Interrupt()
	}
	if low != a.grounded {
		a.grounded = low
		a.matrix.put("grounded", map[bool]string{true: "10", false: "0"}[low])
	}
}

// TestInterrupt plays on expanders that tell by a GPIO line when something has changed. Nobody asks them much while nothing has.
func TestInterrupt(t *testing.T) {
	a := &alarmed{club: openClub(t)}
	a.after = a.watch
	t.Cleanup(func() { a.matrix.put("grounded", "0") })
	_, board, _ := strings.Cut(threeBoards, "\n\n")
	board, _, _ = strings.Cut(board, "\n\n")
	const hz = 50 // as the configuration says
	d := run(t, daemonUser, strings.Replace(board, "[board.sensor]", "[board.sensor]\nint = 4", 1))
	d.setUp(t, "expanders", a)
	few := shortGame[:5]
	d.play(t, "expanders", a, few, 4, func(int) {})
	eventually(t, "the last move", time.Minute, func() bool { return slices.Equal(d.moves(t, "expanders"), few) })
	const seconds = 4
	a.i2c.Counts()
	<-time.After(seconds * time.Second)
	if n := a.i2c.Counts().Transactions; n == 0 || n > seconds*hz*len(a.expanders)/4 {
		t.Errorf("in %d s in which nothing happened there were %d transactions with %d chips", seconds, n, len(a.expanders))
	}
}
