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

// lightBoard is a board of expanders whose lights are those of the text that follows.
const lightBoard = `
[[board]]
id = "lit"
driver = "mcp23017"
[board.sensor]
scan_hz = 50
[board.map]
generator = "rows"
[board.leds]
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

// A pawn goes three squares, stands there, is put back and goes two: boardd itself, on this kernel's devices, sends each display the
// bytes of that, none other, and leaves it dark.
func TestIllegalMoveInLights(t *testing.T) {
	const (
		orange = "924926924da4924924" // 15, 63, 0 at a quarter's brightness, green first
		blue   = "924926924924924da4"
		dim    = "924926924926924926"
	)
	displays := []struct {
		name, leds string
		listen     func(*testing.T, *benches, *sent)
		// What is sent in each phase, and nothing else: while the pawn stands on e5, in the hand, at home, and on e4.
		wrong, lifted, home, legal []string
		dark                       []string // the last that is sent at all
	}{
		{
			name: "ws2812", leds: "driver = \"ws2812\"\nbus = \"/dev/spidev0.0\"\n",
			listen: func(_ *testing.T, b *benches, s *sent) {
				b.tap = func(bus byte, cs uint16, w []byte) bool {
					if bus == busSPI && cs == 0 {
						s.say(hex.EncodeToString(w))
						return true
					}
					return false
				}
			},
			wrong: []string{
				chain(map[string]string{"e2": blue, "e5": orange}), chain(map[string]string{"e5": orange}), chain(map[string]string{"e2": blue}), chain(nil),
			},
			lifted: []string{chain(map[string]string{"e2": blue}), chain(nil)},
			home:   []string{chain(nil)},
			legal:  []string{chain(map[string]string{"e2": dim, "e4": dim})},
			dark:   []string{chain(nil)},
		},
		{
			name: "ht16k33", leds: "driver = \"ht16k33\"\nbus = \"/dev/i2c-1\"\naddresses = [0x70]\n",
			listen: func(_ *testing.T, b *benches, s *sent) {
				b.tap = func(bus byte, address uint16, w []byte) bool {
					if bus == busI2C && address == 0x70 {
						s.say(hex.EncodeToString(w))
						return true
					}
					return false
				}
			},
			wrong: []string{
				"21", "e3", "81", // oscillator, a quarter's brightness, display on: with the first light after the dark
				"0000001000000000001000000000000000", "0000000000000000001000000000000000", "0000001000000000000000000000000000", "0000000000000000000000000000000000",
			},
			lifted: []string{"21", "e3", "81", "0000001000000000000000000000000000", "0000000000000000000000000000000000"},
			home:   []string{"0000000000000000000000000000000000"},
			dark:   []string{"0000000000000000000000000000000000", "80", "20"},
		},
		{
			// The contacts of this chip are all open, so that its lines are free for a matrix of LEDs.
			name: "gpio-matrix",
			leds: "driver = \"gpio-matrix\"\nrows = [\"GPIO5\", \"GPIO6\", \"GPIO12\", \"GPIO13\", \"GPIO16\", \"GPIO19\", \"GPIO20\", \"GPIO21\"]\n" +
				"cols = [\"GPIO17\", \"GPIO18\", \"GPIO22\", \"GPIO23\", \"GPIO24\", \"GPIO25\", \"GPIO26\", \"GPIO27\"]\nrows_low = true\n",
			listen: func(t *testing.T, _ *benches, s *sent) {
				listenToLines(t, []int{5, 6, 12, 13, 16, 19, 20, 21, 17, 18, 22, 23, 24, 25, 26, 27}, s)
			},
			wrong:  []string{"0000000011111111", "0001000011101111", "0001000011111101"},
			lifted: []string{"0000000011111111", "0001000011111101"},
			home:   []string{"0000000011111111"},
			dark:   []string{"0000000011111111"},
		},
	}
	for _, c := range displays {
		t.Run(c.name, func(t *testing.T) {
			b, s := openBenches(t), &sent{}
			var men reeds
			for i := range 4 {
				b.i2c.Attach(0x20+uint16(i), chiptest.NewMCP23017(chiptest.Reeds{Magnets: &men.magnets, First: 16 * i}))
			}
			b.mu.Lock()
			c.listen(t, b, s)
			b.mu.Unlock()
			t.Cleanup(func() { // boardd has ended by now
				eventually(t, fmt.Sprintf("the display is dark: %s", c.dark), time.Minute, func() bool {
					all, _ := s.since(0)
					return len(all) >= len(c.dark) && slices.Equal(all[len(all)-len(c.dark):], c.dark)
				})
			})
			d := run(t, daemonUser, lightBoard+c.leds)
			d.setUp(t, "lit", &men)
			eventually(t, "the game begins", time.Minute, func() bool { return d.has(t, "game_start") })
			_, begun := s.since(0)
			square := func(name string) uint64 {
				q, _ := rules.ParseSquare(name)
				return uint64(q.Bit())
			}
			start := presence(rules.Start())
			without := start &^ square("e2")
			// phase makes the board show something, waits until all of want has been seen and gives how much was sent by then.
			phase := func(what string, closed uint64, want []string) int {
				men.Set(closed)
				_, from := s.since(0)
				eventually(t, what+" is shown", time.Minute, func() bool {
					got, _ := s.since(from)
					for _, w := range want {
						if !slices.Contains(got, w) {
							return false
						}
					}
					return true
				})
				return from
			}
			only := func(what string, from, to int, want ...[]string) {
				got, _ := s.since(from)
				for _, g := range got[:to-from] {
					if !slices.Contains(slices.Concat(want...), g) {
						t.Errorf("%s: sent %s", what, g)
					}
				}
			}
			men.Set(without)
			<-time.After(400 * time.Millisecond)
			phase("the illegal move", without|square("e5"), c.wrong)
			lifted := phase("where the pawn belongs", without, c.lifted)
			only("on e5", begun, lifted, c.wrong)
			home := phase("that all is well", start, c.home)
			only("in the hand", lifted, home, c.wrong, c.lifted)
			// Until the light has gone out the last of before may come.
			eventually(t, "nothing is sent any more", time.Minute, func() bool {
				_, before := s.since(0)
				<-time.After(2 * time.Second)
				_, now := s.since(0)
				return now == before
			})
			_, still := s.since(0)
			only("at home", home, still, c.lifted, c.home)
			men.Set(without)
			<-time.After(400 * time.Millisecond)
			phase("the legal move", without|square("e4"), c.legal)
			eventually(t, "the move", time.Minute, func() bool { return slices.Equal(d.moves(t, "lit"), []string{"e4"}) })
			<-time.After(3 * time.Second)
			_, end := s.since(0)
			only("on e4", still, end, c.legal)
			if !d.has(t, "illegal_move") {
				t.Error("no event tells of the illegal move")
			}
		})
	}
}

// has reports whether a board has said an event of a type.
func (d *daemon) has(t *testing.T, what string) bool {
	return slices.ContainsFunc(d.events(t, "lit"), func(e event) bool { return e.Type == what })
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
			time.Sleep(5 * time.Millisecond)
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
