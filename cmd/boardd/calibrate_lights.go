package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/driver/calibration"
	"github.com/boardd/boardd/driver/scan"
	"github.com/boardd/boardd/files"
	"github.com/boardd/boardd/leds/locate"
	"github.com/boardd/boardd/leds/order"
	"github.com/boardd/boardd/leds/terminal"
	"github.com/boardd/boardd/rules"
)

// calibrated is what is known of the sensors of a home-made board: its calibration, or the map of its configuration. fs.ErrNotExist
// says that it was not calibrated yet, and should be.
func calibrated(b *config.Board, path string) (c scan.Calibration, err error) {
	if b.Map.Generator != "calibrated" {
		c.Wiring = b.Wiring()
		c.Map, err = wireMap(b)
		return c, err
	}
	return scan.ReadCalibration(path)
}

// fullSquares are the squares on which a reading sees men.
func fullSquares(b *config.Board, analog bool, c *scan.Calibration, r *scan.Reading) (full rules.Bitboard) {
	zero := int32(b.Sensor.ZeroMv * 1000)
	for wire, s := range c.Map {
		if s >= 64 {
			continue
		}
		on := (r.Bits^c.Inverted)>>wire&1 == 1
		if analog {
			z := zero
			if len(c.Levels) == scan.Wires {
				z = c.Levels[wire]
			}
			d := r.Levels[wire] - z
			on = max(d, -d) >= int32(b.Sensor.ThresholdMv*1000)
		}
		if on {
			full |= s.Bit()
		}
	}
	return full
}

// perSquare is how the configuration says that LEDs and squares meet.
func perSquare(l *config.LEDs) order.PerSquare {
	switch l.PerSquare {
	case "four":
		return order.Four
	case "corners":
		return order.Corners
	}
	return order.One
}

// lights finds the order of the LEDs.
func (a *asking) lights(ctx context.Context, out io.Writer) (err error) {
	c, err := calibrated(a.board, a.path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("board %s is not calibrated yet: run boardd calibrate without --lights first", a.board.ID)
	}
	if err != nil {
		return err
	}
	leds := a.board.LEDs
	leds.Table = nil // it may be what is wrong
	lamps, closer, err := openLights(&leds, a.hardware)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lamps.Show(board.Frame{}), closer.Close()) }()
	layout, err := layoutOf(&leds)
	if err != nil {
		return err
	}
	m := locate.New(locate.Options{PerSquare: perSquare(&leds), Count: layout.Count, Every: a.every})
	a.screen.SetTitle("boardd calibrate --lights: board " + a.board.ID + " (" + leds.Driver + ")")
	lit, analog := "", a.sensor.Traits().Analog
	var wrong error
	err = a.read(ctx, func(now int64, r *scan.Reading, key calibration.Key) bool {
		full := fullSquares(a.board, analog, &c, r)
		p, done := m.Step(now, full, locate.Key(key))
		if key := fmt.Sprint(p.LED, p.Squares); key != lit {
			lit = key
			wrong = lamps.ShowLEDs(lamp(&p, layout.Count))
		}
		a.showLights(&p, full)
		return done || wrong != nil
	})
	if err = errors.Join(err, wrong, a.screen.Close()); err != nil {
		return err
	}
	o, ok := m.Result()
	if !ok {
		return errGivenUp
	}
	lines := ledLines(&o)
	path := lightsBeside(a.path)
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return err
	}
	if err := files.Replace(path, []byte("# Written by boardd calibrate --lights: the order of the LEDs.\n"+lines), 0o600); err != nil {
		return err
	}
	if err := handOver(path); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "The order of the LEDs, kept in %s:\n\n%s\n%s\n", path, lines, whenUsed(&a.board.LEDs))
	return err
}

// whenUsed says whether the daemon will take the order that was found.
func whenUsed(l *config.LEDs) string {
	if l.AsksCalibration() {
		return "boardd takes it from its next start on."
	}
	return `[board.leds] of boardd.toml says another order: boardd takes the one that was found if you write order = "calibrated" there.`
}

// lamp is the light of all LEDs: one of them, or those of some squares.
func lamp(p *locate.Prompt, count int) []board.RGB {
	white := board.RGB{R: 255, G: 255, B: 255}
	if p.Squares != 0 && p.Layout.Count == count {
		var f board.Frame
		for b := p.Squares; b != 0; {
			f[b.Pop()] = white
		}
		return p.Layout.Spread(f)
	}
	all := make([]board.RGB, count)
	if p.LED >= 0 && p.LED < count {
		all[p.LED] = white
	}
	return all
}

// ledLines are the lines of [board.leds] that say how LEDs are laid.
func ledLines(o *order.Options) string {
	if len(o.Table) == 0 {
		along := "rank"
		if o.Files {
			along = "file"
		}
		return fmt.Sprintf("start = %q\nalong = %q\nserpentine = %t\n", o.Start, along, o.Serpentine)
	}
	var b strings.Builder
	b.WriteString("table = [\n")
	for _, squares := range o.Table {
		var names []string
		for _, s := range squares {
			names = append(names, s.String())
		}
		text := strings.Join(names, " ")
		if text == "" {
			text = "none"
		}
		fmt.Fprintf(&b, "  %q,\n", text)
	}
	b.WriteString("]\n")
	return b.String()
}

// showLights draws a question about the lights.
func (a *asking) showLights(p *locate.Prompt, full rules.Bitboard) {
	a.screen.SetMen(terminal.Men{Unknown: full})
	a.screen.SetFoot(p.Text, p.Hint, p.Progress, "Keys: "+p.Keys)
	var f board.Frame
	for b := p.Squares; b != 0; {
		f[b.Pop()] = board.RGB{R: 255, G: 255, B: 255}
	}
	if a.draws {
		_ = a.screen.Show(f)
	}
}
