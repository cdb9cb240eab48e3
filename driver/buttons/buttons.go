// Package buttons reads push-buttons on GPIO lines.
package buttons

import (
	"context"
	"fmt"

	"github.com/boardd/boardd/driver/pins"
	"github.com/boardd/boardd/driver/scan"
)

// Button is one button: line i of the lines is that of button i.
type Button struct {
	Name   string
	HoldMs int64 // must be held for so long, in milliseconds; 0: a press is enough
}

// Machine finds presses in levels. It has no I/O and no clock.
type Machine struct {
	buttons  []Button
	debounce int64
	lines    []line
	pressed  []string
}

type line struct {
	raw, down bool  // as read; as believed
	since     int64 // when raw last changed
	held      int64 // when a press becomes one that was held long enough; 0 for none
}

// NewMachine begins at a time with the levels of that time: a button that is down already is not pressed. A line that is still for
// debounceMs is believed.
func NewMachine(buttons []Button, debounceMs, now int64, levels uint64) *Machine {
	m := &Machine{buttons: buttons, debounce: max(debounceMs, 1), lines: make([]line, len(buttons))}
	for i := range m.lines {
		down := levels>>i&1 != 0
		m.lines[i] = line{raw: down, down: down, since: now}
	}
	return m
}

// Step takes the levels that the lines have now, bit i for button i. It gives the names of the buttons that were pressed, valid until
// the next call, and when it wants to be called again although nothing changes, 0 for never.
func (m *Machine) Step(now int64, levels uint64) (pressed []string, wake int64) {
	m.pressed = m.pressed[:0]
	for i := range m.lines {
		l, b := &m.lines[i], &m.buttons[i]
		if raw := levels>>i&1 != 0; raw != l.raw {
			l.raw, l.since = raw, now
		}
		if l.raw != l.down && now >= l.since+m.debounce {
			l.down, l.held = l.raw, 0
			switch {
			case !l.down:
			case b.HoldMs > 0:
				l.held = l.since + max(b.HoldMs, m.debounce)
			default:
				m.pressed = append(m.pressed, b.Name)
			}
		}
		if l.held != 0 && now >= l.held {
			l.held = 0
			m.pressed = append(m.pressed, b.Name)
		}
		for _, at := range [2]int64{l.held, l.since + m.debounce} {
			if at > now && (wake == 0 || at < wake) {
				wake = at
			}
		}
	}
	return m.pressed, wake
}

// Source is the goroutine that owns the lines.
type Source struct {
	Open       func() (pins.Alert, error)
	Buttons    []Button
	DebounceMs int64
}

// Run opens the lines and tells of presses with their time, until ctx ends or the lines fail.
func (s *Source) Run(ctx context.Context, clock scan.Clock, press func(t int64, name string)) (err error) {
	lines, err := s.Open()
	if err != nil {
		return fmt.Errorf("buttons: %w", err)
	}
	defer func() {
		if closed := lines.Close(); closed != nil && err == nil && ctx.Err() == nil {
			err = fmt.Errorf("buttons: close: %w", closed) // after another error it says nothing new
		}
	}()
	levels, err := lines.Get()
	if err != nil {
		return fmt.Errorf("buttons: %w", err)
	}
	timer := clock.NewTimer()
	defer timer.Stop()
	m := NewMachine(s.Buttons, s.DebounceMs, clock.Now(), levels)
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-lines.Changed():
		case <-timer.C():
		}
		if levels, err = lines.Get(); err != nil {
			return fmt.Errorf("buttons: %w", err)
		}
		now := clock.Now()
		pressed, wake := m.Step(now, levels)
		for _, name := range pressed {
			press(now, name)
		}
		timer.Set(wake)
	}
}
