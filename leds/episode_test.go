package leds

import (
	"context"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/leds/hc595"
	"github.com/boardd/boardd/leds/ht16k33"
	"github.com/boardd/boardd/leds/matrix"
	"github.com/boardd/boardd/leds/max7219"
	"github.com/boardd/boardd/leds/order"
	"github.com/boardd/boardd/leds/ws2812"
)

var update = flag.Bool("update", false, "write golden files and pictures anew")

// tape writes down what goes over a bus, and when.
type tape struct {
	mu    sync.Mutex
	now   func() int64
	lines []string
	words []uint64 // of a matrix, each once, since they were last asked for
}

func (p *tape) say(format string, args ...any) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lines = append(p.lines, fmt.Sprintf("%6d ", p.now())+fmt.Sprintf(format, args...))
	return nil
}

// chainTape is a tape of an SPI bus with a chain of 64 LEDs: equal LEDs are counted.
type chainTape struct{ *tape }

func (c chainTape) String() string      { return "spi" }
func (c chainTape) Duplex() conn.Duplex { return conn.Full }
func (c chainTape) Tx(w, _ []byte) error {
	const lead, led = 3, 9
	out := []string{hex.EncodeToString(w[:lead])}
	for i := 0; i < 64; {
		n := i + 1
		at := func(i int) string { return hex.EncodeToString(w[lead+led*i : lead+led*(i+1)]) }
		for n < 64 && at(n) == at(i) {
			n++
		}
		out = append(out, fmt.Sprintf("%d×%s", n-i, at(i)))
		i = n
	}
	rest := w[lead+64*led:]
	if strings.Trim(string(rest), "\x00") == "" {
		out = append(out, fmt.Sprintf("%d×00", len(rest)))
	} else {
		out = append(out, hex.EncodeToString(rest))
	}
	return c.say("%s", strings.Join(out, " "))
}

// spiTape is a tape of any other SPI bus, i2cTape of an I²C bus.
type spiTape struct{ *tape }

func (s spiTape) String() string       { return "spi" }
func (s spiTape) Duplex() conn.Duplex  { return conn.Full }
func (s spiTape) Tx(w, _ []byte) error { return s.say("%x", w) }

type i2cTape struct{ *tape }

func (s i2cTape) String() string                  { return "i2c" }
func (s i2cTape) SetSpeed(physic.Frequency) error { return nil }
func (s i2cTape) Tx(a uint16, w, _ []byte) error  { return s.say("%02x: %x", a, w) }

// lineTape is a tape of the GPIO lines of a matrix, whose rows come hundreds of times a second: the words of each frame are told once.
type lineTape struct{ *tape }

func (l lineTape) Set(word uint64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, w := range l.words {
		if w == word {
			return nil
		}
	}
	l.words = append(l.words, word)
	l.lines = append(l.lines, fmt.Sprintf("%6d %016b", l.now(), word))
	return nil
}

// framed tells the tape of a matrix when a frame begins.
type framed struct {
	board.Lights
	*tape
}

func (f framed) Show(frame board.Frame) error {
	f.mu.Lock()
	f.words = nil
	f.mu.Unlock()
	return f.Lights.Show(frame)
}

// A pawn goes three squares, stands there, is put back and goes two: every byte that this sends to each display.
func TestIllegalMoveInBytes(t *testing.T) {
	t.Parallel()
	straight, err := order.New(order.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		style func(*Style)
		make  func(*tape) (board.Lights, error)
	}{
		{"ws2812", nil, func(p *tape) (board.Lights, error) { return ws2812.New(chainTape{p}, ws2812.Options{Layout: straight}) }},
		{"ht16k33", noLevels, func(p *tape) (board.Lights, error) {
			return ht16k33.New([]conn.Conn{&i2c.Dev{Bus: i2cTape{p}, Addr: 0x70}}, ht16k33.Options{Layout: straight})
		}},
		{"max7219", noLevels, func(p *tape) (board.Lights, error) { return max7219.New(spiTape{p}, straight) }},
		{"hc595", noLevels, func(p *tape) (board.Lights, error) { return hc595.New(spiTape{p}, straight, false) }},
		{"gpio-matrix", noLevels, func(p *tape) (board.Lights, error) {
			m, err := matrix.New(lineTape{p}, matrix.Options{Layout: straight, RowsLow: true})
			return framed{m, p}, err
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var p tape
			synctest.Test(t, func(t *testing.T) {
				clock := bubble{time.Now()}
				p.now = clock.Now
				lights, err := c.make(&p)
				if err != nil {
					t.Fatal(err)
				}
				style := DefaultStyle()
				if c.style != nil {
					c.style(&style)
				}
				r := NewRunner(lights, Options{Clock: clock, Style: style})
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan error, 1)
				go func() { done <- r.Run(ctx) }()
				s := sit(t, game.Options{Acuity: board.ColorAcuity, Brightness: 25}, "")
				s.style = style
				s.passed = func(now int64) {
					if d := now - clock.Now(); d > 0 {
						after(d)
					}
				}
				s.seen = func(_ int64, v *game.View) { r.Show(v); synctest.Wait() }
				s.hands("1000 -e2 400 +e5 2900 -e5 700 +e2 1500 -e2 300 +e4 60000")
				cancel()
				if err := <-done; err != nil {
					t.Error(err)
				}
			})
			compareGolden(t, filepath.Join("testdata", "episode", c.name+".txt"), strings.Join(p.lines, "\n")+"\n")
			for _, line := range p.lines { // the last move stays lit for a minute, or nothing does: nothing is sent until the end
				if at, _ := strconv.Atoi(strings.Fields(line)[0]); at > 7550 && at < 66_800 {
					t.Errorf("sent while nothing changes: %s", line)
				}
			}
		})
	}
}

func noLevels(s *Style) { s.NoDimming = true }

func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not what is sent; go test ./leds -update writes it anew. Sent:\n%s", name, got)
	}
}
