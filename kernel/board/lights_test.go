//go:build kernel

package board

import (
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/boardd/boardd/driver/chiptest"
	"github.com/boardd/boardd/rules"
)

// lightBoards are three boards, each with a display of another kind, that read the same contacts: four expanders, four more, and eight
// small ones.
const lightBoards = `
[[board]]
id = "ws2812"
driver = "mcp23017"
[board.sensor]
scan_hz = 25
addresses = [0x20, 0x21, 0x22, 0x23]
[board.map]
generator = "rows"
[board.leds]
driver = "ws2812"
bus = "/dev/spidev0.0"

[[board]]
id = "ht16k33"
driver = "mcp23017"
[board.sensor]
scan_hz = 25
addresses = [0x24, 0x25, 0x26, 0x27]
[board.map]
generator = "rows"
[board.leds]
driver = "ht16k33"
bus = "/dev/i2c-1"
addresses = [0x70]

[[board]]
id = "gpio-matrix"
driver = "pcf8574"
[board.sensor]
scan_hz = 25
addresses = [0x38, 0x39, 0x3A, 0x3B, 0x3C, 0x3D, 0x3E, 0x3F]
[board.map]
generator = "rows"
[board.leds]
driver = "gpio-matrix"
rows = ["GPIO5", "GPIO6", "GPIO12", "GPIO13", "GPIO16", "GPIO19", "GPIO20", "GPIO21"]
cols = ["GPIO17", "GPIO18", "GPIO22", "GPIO23", "GPIO24", "GPIO25", "GPIO26", "GPIO27"]
rows_low = true
`

// sent is what a display is told, in order: each transfer, or each word of a matrix's lines.
type sent struct {
	mu   sync.Mutex
	list []string
}

func (s *sent) say(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, what)
}

// since is what was said after the first n, and how much there is now.
func (s *sent) since(n int) ([]string, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.list[n:]), len(s.list)
}

// chain is the whole transfer for 64 WS2812: all dark but these, by their squares.
func chain(lit map[string]string) string {
	var b strings.Builder
	b.WriteString("000000")
	for i := range 64 {
		bits, ok := lit[rules.Square(i).String()]
		if !ok {
			bits = strings.Repeat("924", 6)
		}
		b.WriteString(bits)
	}
	b.WriteString(strings.Repeat("00", 90))
	return b.String()
}

// lightsTest is what one display is to be told while a pawn goes three squares, stands there, is put back and goes two: this, and
// nothing else.
type lightsTest struct {
	name                       string
	wrong, lifted, home, legal []string // while the pawn stands on e5, is in the hand, at home, and on e4
	dark                       []string // the last that is sent at all
	sent
}

func lightsTests() []*lightsTest {
	const (
		orange = "924926924da4924924" // green 1, red 12, blue 0: a quarter of the brightness, after gamma; three bits for each
		blue   = "924926924924924da4"
		dim    = "924926924926924926"
		none   = "0000000000000000000000000000000000"
		onE2   = "0000001000000000000000000000000000"
		row    = "0000000011111111" // no row is on
		rowE2  = "0001000011111101"
	)
	e2 := chain(map[string]string{"e2": blue})
	return []*lightsTest{{
		name:   "ws2812",
		wrong:  []string{chain(map[string]string{"e2": blue, "e5": orange}), chain(map[string]string{"e5": orange}), e2, chain(nil)},
		lifted: []string{e2, chain(nil)},
		home:   []string{chain(nil)},
		legal:  []string{chain(map[string]string{"e2": dim, "e4": dim})},
		dark:   []string{chain(nil)},
	}, {
		// Oscillator, a quarter's brightness and display on come with the first light after the dark.
		name:   "ht16k33",
		wrong:  []string{"21", "e3", "81", "0000001000000000001000000000000000", "0000000000000000001000000000000000", onE2, none},
		lifted: []string{"21", "e3", "81", onE2, none},
		home:   []string{none},
		dark:   []string{none, "80", "20"},
	}, {
		name:   "gpio-matrix",
		wrong:  []string{row, "0001000011101111", rowE2},
		lifted: []string{row, rowE2},
		home:   []string{row},
		dark:   []string{row},
	}}
}

// shown waits until the display shows all of want, has been told so since it had been told from, and for two seconds nothing else. before is
// what may still have come until then.
func (l *lightsTest) shown(t *testing.T, what string, from int, want, before []string) {
	t.Helper()
	subset := func(of, all []string) bool {
		return !slices.ContainsFunc(of, func(x string) bool { return !slices.Contains(all, x) })
	}
	eventually(t, l.name+" shows "+what, time.Minute, func() bool {
		_, now := l.since(0)
		<-time.After(2 * time.Second)
		late, _ := l.since(now)
		all, _ := l.since(max(from-1, 0)) // what was shown already is not sent again
		return subset(late, want) && subset(want, all)
	})
	all, _ := l.since(from)
	for _, x := range all {
		if !slices.Contains(want, x) && !slices.Contains(before, x) {
			t.Errorf("%s, %s: sent %s", l.name, what, x)
		}
	}
}

// boardd itself, on this kernel's devices, sends displays the bytes of an illegal move that is put right, none other, and leaves them
// dark.
func TestIllegalMoveInLights(t *testing.T) {
	b, displays := openBenches(t), lightsTests()
	chainOfLEDs, chip, lines := displays[0], displays[1], displays[2]
	var men reeds
	for i := range 8 {
		b.i2c.Attach(0x20+uint16(i), chiptest.NewMCP23017(chiptest.Reeds{Magnets: &men.magnets, First: 16 * (i % 4)}))
		b.i2c.Attach(0x38+uint16(i), chiptest.NewPCF8574(chiptest.Reeds{Magnets: &men.magnets, First: 8 * i}, false))
	}
	b.mu.Lock()
	b.tap = func(bus byte, address uint16, w []byte) bool {
		switch {
		case bus == busSPI && address == 0:
			chainOfLEDs.say(hex.EncodeToString(w))
		case bus == busI2C && address == 0x70:
			chip.say(hex.EncodeToString(w))
		default:
			return false
		}
		return true
	}
	b.mu.Unlock()
	// The contacts of this chip are all open, so that its lines are free for a matrix of LEDs.
	listenToLines(t, []int{5, 6, 12, 13, 16, 19, 20, 21, 17, 18, 22, 23, 24, 25, 26, 27}, &lines.sent)
	t.Cleanup(func() { // boardd has ended by now
		for _, l := range displays {
			eventually(t, l.name+" is dark", time.Minute, func() bool {
				all, n := l.since(0)
				return n >= len(l.dark) && slices.Equal(all[n-len(l.dark):], l.dark)
			})
		}
	})
	d := run(t, daemonUser, lightBoards)
	d.setUp(t, chip.name, &men)
	for _, l := range displays {
		eventually(t, "the game on "+l.name+" begins", time.Minute, func() bool { return d.said(t, l.name, "game_start") })
	}
	square := func(name string) uint64 {
		q, _ := rules.ParseSquare(name)
		return uint64(q.Bit())
	}
	start := presence(rules.Start())
	without := start &^ square("e2")
	// phase lets the boards see something and waits for what they show of it.
	var from [3]int
	phase := func(what string, closed uint64, want, before func(*lightsTest) []string) {
		for i, l := range displays {
			_, from[i] = l.since(0)
		}
		men.Set(closed)
		for i, l := range displays {
			l.shown(t, what, from[i], want(l), before(l))
		}
	}
	nothing := func(*lightsTest) []string { return nil }
	wrong := func(l *lightsTest) []string { return l.wrong }
	lifted := func(l *lightsTest) []string { return l.lifted }
	home := func(l *lightsTest) []string { return l.home }
	legal := func(l *lightsTest) []string { return l.legal }
	men.Set(without)
	<-time.After(400 * time.Millisecond)
	phase("the pawn on e5", without|square("e5"), wrong, nothing)
	phase("the pawn in the hand", without, lifted, wrong)
	phase("the pawn at home", start, home, lifted)
	men.Set(without)
	<-time.After(400 * time.Millisecond)
	phase("the pawn on e4", without|square("e4"), legal, home)
	for _, l := range displays {
		eventually(t, "the move on "+l.name, time.Minute, func() bool { return slices.Equal(d.moves(t, l.name), []string{"e4"}) })
		if !d.said(t, l.name, "illegal_move") {
			t.Errorf("%s: no event tells of the illegal move", l.name)
		}
	}
}

// said reports whether a board has said an event of a type.
func (d *daemon) said(t *testing.T, name, what string) bool {
	return slices.ContainsFunc(d.events(t, name), func(e event) bool { return e.Type == what })
}

// listenToLines lets the kernel tell what lines of the chip are set to, until the test is over. Lines that are set together are one
// word, the first line its lowest bit.
func listenToLines(t *testing.T, lines []int, s *sent) {
	t.Helper()
	const folder = "/sys/kernel/tracing"
	if err := syscall.Mount("tracefs", folder, "tracefs", 0, ""); err != nil && err != syscall.EBUSY {
		t.Fatalf("tracefs: %v", err)
	}
	base := gpioBase(t)
	put := func(name, text string) {
		if err := os.WriteFile(folder+"/"+name, []byte(text), 0); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	put("trace", "")
	put("events/gpio/gpio_value/enable", "1")
	put("tracing_on", "1")
	pipe, err := os.OpenFile(folder+"/trace_pipe", os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	done, stop := make(chan error, 1), make(chan struct{})
	go func() { done <- readLines(pipe, base, lines, s, stop) }()
	t.Cleanup(func() {
		close(stop)
		if err := <-done; err != nil {
			t.Errorf("the trace of the lines: %v", err)
		}
		put("events/gpio/gpio_value/enable", "0")
		_ = pipe.Close()
	})
}

// readLines reads a trace of gpio_value until stop: "… gpio_value: 5 set 1".
func readLines(pipe *os.File, base int, lines []int, s *sent, stop chan struct{}) error {
	var rest string
	word, n := uint64(0), 0
	buf := make([]byte, 1<<16)
	for {
		select {
		case <-stop:
			return nil
		default:
		}
		k, err := syscall.Read(int(pipe.Fd()), buf)
		switch {
		case err == syscall.EAGAIN || err == syscall.EINTR || err == nil && k == 0:
			<-time.After(5 * time.Millisecond)
			continue
		case err != nil:
			return err
		}
		rest += string(buf[:k])
		for {
			line, after, ok := strings.Cut(rest, "\n")
			if !ok {
				break
			}
			rest = after
			if strings.Contains(line, "LOST") {
				return fmt.Errorf("%s", line)
			}
			_, said, ok := strings.Cut(line, "gpio_value: ")
			if !ok {
				continue
			}
			f := strings.Fields(said)
			if len(f) != 3 || f[1] != "set" {
				continue
			}
			number, err := strconv.Atoi(f[0])
			if err != nil {
				return err
			}
			if number-base != lines[n] {
				return fmt.Errorf("line %d was set, where %d comes next", number-base, lines[n])
			}
			if f[2] == "1" {
				word |= 1 << n
			}
			if n++; n == len(lines) {
				s.say(fmt.Sprintf("%0*b", len(lines), word))
				word, n = 0, 0
			}
		}
	}
}

// gpioBase is the kernel's number of the chip's line 0.
func gpioBase(t *testing.T) int {
	t.Helper()
	chips, err := os.ReadDir("/sys/class/gpio")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range chips {
		text, err := os.ReadFile("/sys/class/gpio/" + c.Name() + "/base")
		if err != nil {
			continue
		}
		base, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		return base
	}
	t.Fatal("no GPIO chip in /sys/class/gpio")
	return 0
}
