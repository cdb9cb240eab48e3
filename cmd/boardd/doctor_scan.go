package main

import (
	"context"
	"fmt"
	"math/bits"
	"os"
	"strings"
	"time"

	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/doctor"
	"github.com/boardd/boardd/driver/calibration"
	"github.com/boardd/boardd/driver/scan"
	"github.com/boardd/boardd/rules"
)

const (
	drawMs   = 200 // from one live picture to the next
	flickers = 6   // changes in that time that no hand makes
)

// watching counts what the sensors of a board say.
type watching struct {
	board  *config.Board
	analog bool
	c      *scan.Calibration
	out    *doctor.Scan
	last   uint64
	began  bool
}

// take counts one reading.
func (w *watching) take(r *scan.Reading) {
	on := r.Bits ^ w.c.Inverted
	if w.analog {
		on = 0
		for wire, l := range r.Levels {
			zero := int32(w.board.Sensor.ZeroMv * 1000)
			if len(w.c.Levels) == scan.Wires {
				zero = w.c.Levels[wire]
			}
			if d := l - zero; max(d, -d) >= int32(w.board.Sensor.ThresholdMv*1000) {
				on |= 1 << wire
			}
		}
		w.out.Levels = append(w.out.Levels[:0], r.Levels[:]...)
	}
	if w.began {
		for change := on ^ w.last; change != 0; change &= change - 1 {
			w.out.Flips[bits.TrailingZeros64(change)]++
		}
	}
	w.began, w.last = true, on
	w.out.Readings++
	w.out.On = w.out.On[:0]
	for b := on; b != 0; b &= b - 1 {
		w.out.On = append(w.out.On, bits.TrailingZeros64(b))
	}
}

// scan reads a board's sensors for a while, with --watch until q is pressed. The error is that of ctx.
func (d *doctoring) scan(ctx context.Context, b *config.Board, c *scan.Calibration) (*doctor.Scan, error) {
	sensor, err := d.open(b)
	if err == nil {
		if err = sensor.Setup(); err != nil {
			_ = sensor.Close()
		}
	}
	if err != nil {
		level := doctor.Bad
		for _, f := range d.report.Findings {
			if f.Code == "boardd_runs" {
				level = doctor.Note // it has the lines, most likely
			}
		}
		d.say(level, "sensors", b.ID, sentence("The sensors cannot be read: "+err.Error()), "")
		return nil, nil
	}
	defer func() { _ = sensor.Close() }()
	w := &watching{board: b, analog: sensor.Traits().Analog, c: c, out: &doctor.Scan{On: []int{}, Flips: make([]int, scan.Wires)}}
	if c.Wiring != "" {
		for _, s := range c.Map {
			w.out.Squares = append(w.out.Squares, s.String())
		}
	}
	if err := d.look(ctx, b, sensor, w); err != nil {
		return nil, err
	}
	d.judge(b, w)
	return w.out, nil
}

// look reads until the time is over or q is pressed.
func (d *doctoring) look(ctx context.Context, b *config.Board, sensor scan.Sensor, w *watching) error {
	var keys <-chan calibration.Key
	live := d.watch && !d.json
	if live {
		typedKeys, restore := typed(ctx, d.in)
		defer restore()
		keys = typedKeys
	} else if !d.json {
		fmt.Fprintf(d.notes, "reading board %s for %d seconds: leave it alone meanwhile\n", b.ID, d.lookMs/1000)
	}
	tick := time.NewTicker(time.Second / time.Duration(max(b.Sensor.ScanHz, 1)))
	defer tick.Stop()
	began, drawn := time.Now(), time.Time{}
	picture := &livePicture{d: d, moves: abilities(d.out, os.Getenv).Moves}
	var r scan.Reading
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case key := <-keys:
			if key == calibration.Quit {
				return nil
			}
			continue
		case now := <-tick.C:
			if !live && now.Sub(began).Milliseconds() >= d.lookMs {
				return nil
			}
			if err := sensor.Read(&r); err != nil {
				w.out.Failed++
				picture.trouble = err.Error()
			} else {
				w.take(&r)
			}
			if every := picture.every(); live && now.Sub(drawn) >= every {
				drawn = now
				picture.draw(b, w.out)
			}
		}
	}
}

// livePicture draws a scan again and again.
type livePicture struct {
	d       *doctoring
	moves   bool // the cursor can be moved
	trouble string
	last    string
}

func (p *livePicture) every() time.Duration {
	if p.moves {
		return drawMs * time.Millisecond
	}
	return 10 * drawMs * time.Millisecond
}

// draw draws in place, or where that cannot be done, only what has changed below the last.
func (p *livePicture) draw(b *config.Board, s *doctor.Scan) {
	lines := append([]string{"board " + b.ID + ": q ends", ""}, s.Lines(textStyle(p.d.out))...)
	if p.trouble != "" {
		lines = append(lines, "last failure: "+p.trouble)
	}
	if p.moves {
		fmt.Fprint(p.d.out, "\x1b[H\x1b[J"+strings.Join(lines, "\r\n")+"\r\n")
		return
	}
	board := strings.Join(lines[:len(lines)-1], "\n")
	if board != p.last {
		p.last = board
		fmt.Fprintln(p.d.out, strings.Join(lines, "\n"))
	}
}

// judge says what was odd.
func (d *doctoring) judge(b *config.Board, w *watching) {
	name := func(wire int) string {
		text := fmt.Sprintf("wire %d", wire)
		if wire < len(w.out.Squares) && w.out.Squares[wire] != rules.NoSquare.String() {
			text += " (" + w.out.Squares[wire] + ")"
		}
		return text
	}
	s := w.out
	switch {
	case s.Readings == 0:
		d.say(doctor.Bad, "sensors", b.ID, "No reading of the sensors succeeded.", "")
	case s.Failed*100 > s.Readings:
		d.say(doctor.Warning, "sensor_errors", b.ID, fmt.Sprintf("%d of %d readings failed.", s.Failed, s.Failed+s.Readings),
			"Look at long or loose wires; on I²C, slow the bus down: dtparam=i2c_arm_baudrate=50000 in config.txt.")
	}
	var restless []string
	for wire, n := range s.Flips {
		if n >= flickers && !d.watch {
			restless = append(restless, fmt.Sprintf("%s %d times", name(wire), n))
		}
	}
	if len(restless) > 6 {
		restless = append(restless[:6], fmt.Sprintf("and %d more", len(restless)-6))
	}
	if len(restless) > 0 {
		d.say(doctor.Warning, "flicker", b.ID, "Wires changed though the board was left alone: "+strings.Join(restless, ", ")+".",
			"Look for loose contacts; a longer settle_us or a stronger pull-up helps against long wires.")
	}
	if n := len(s.On); n >= 60 && s.Readings > 0 {
		d.say(doctor.Warning, "all_full", b.ID, fmt.Sprintf("%d of 64 wires read full.", n), "If the board is empty, exchange active_low in [board.sensor].")
	}
}
