package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/driver/port"
	"github.com/boardd/boardd/driver/text"
)

// textOptions are what [board.text] says, and what its preset says where the keys say nothing. The error begins with the key that is
// wrong.
func textOptions(t *config.Text, acuity string) (o text.Options, err error) {
	if t.Preset != "" {
		var ok bool
		if o, ok = text.Preset(t.Preset); !ok {
			return o, fmt.Errorf("text.preset: %q: use %s", t.Preset, either(text.Presets()))
		}
	}
	overlay(reflect.ValueOf(&o).Elem(), reflect.ValueOf(t).Elem())
	if len(t.IDs) > 0 {
		o.IDs = map[string]string{}
	}
	for _, line := range t.IDs {
		chip, letter, ok := strings.Cut(line, "=")
		if !ok {
			return o, fmt.Errorf("text.ids: %q: wants a chip and its man, as \"04 a1 b2 = K\"", line)
		}
		o.IDs[strings.Join(strings.Fields(chip), " ")] = strings.TrimSpace(letter)
	}
	if acuity != "" {
		o.Acuity = acuity
	}
	if err := o.Check(); err != nil {
		if strings.HasPrefix(err.Error(), "acuity: ") {
			return o, fmt.Errorf("sensor.%w", err)
		}
		return o, fmt.Errorf("text.%w", err)
	}
	return o, nil
}

// overlay copies what is not empty in one description of a board to the fields of the same keys in another.
func overlay(to, from reflect.Value) {
	for i := range from.NumField() {
		f := from.Field(i)
		t := tagged(to, from.Type().Field(i).Tag.Get("toml"))
		switch {
		case f.IsZero() || !t.IsValid():
		case f.Kind() == reflect.Struct:
			overlay(t, f)
		case f.Kind() == reflect.Slice && f.Type().Elem().Kind() == reflect.Struct:
			list := reflect.MakeSlice(t.Type(), f.Len(), f.Len())
			for i := range f.Len() {
				overlay(list.Index(i), f.Index(i))
			}
			t.Set(list)
		case f.CanConvert(t.Type()):
			t.Set(f.Convert(t.Type()))
		}
	}
}

// tagged is the field with a key, if there is one.
func tagged(v reflect.Value, key string) reflect.Value {
	for i := range v.NumField() {
		if v.Type().Field(i).Tag.Get("toml") == key {
			return v.Field(i)
		}
	}
	return reflect.Value{}
}

// recordedText is a whole description as recordings hold it, without a preset that a later version may have changed.
func recordedText(o text.Options) *config.Text {
	t := new(config.Text)
	overlay(reflect.ValueOf(t).Elem(), reflect.ValueOf(&o).Elem())
	for _, chip := range slices.Sorted(maps.Keys(o.IDs)) {
		t.IDs = append(t.IDs, chip+" = "+o.IDs[chip])
	}
	return t
}

// textMachine describes the board of a recording.
func textMachine(o *recordedOptions) (text.Options, error) {
	if o.Text == nil {
		return text.Options{}, errors.New("text is missing")
	}
	return textOptions(o.Text, o.Acuity)
}

// configureText makes a description of a board for its recordings and its machine.
func configureText(_ *config.Config, b *config.Board, o *recordedOptions) error {
	t, err := textOptions(&b.Text, b.Sensor.Acuity)
	if err != nil {
		return err
	}
	o.Text, o.Acuity = recordedText(t), t.Sees().String()
	return nil
}

// textLine is how the port of a home-made board is opened.
func textLine(b *config.Board) port.Options {
	o, _ := textOptions(&b.Text, b.Sensor.Acuity) // configureText has said what is wrong
	signal := map[string]port.Signal{"on": port.Raise, "off": port.Drop}
	return port.Options{Baud: o.Baud, DTR: signal[o.DTR], RTS: signal[o.RTS]}
}

// checkTexts finds what is wrong with the descriptions of home-made serial boards.
func checkTexts(c *config.Config) error {
	var faults config.Faults
	for i := range c.Boards {
		b := &c.Boards[i]
		if b.Driver != "text" {
			continue
		}
		o, err := textOptions(&b.Text, b.Sensor.Acuity)
		if err == nil && b.LEDs.Driver == "board" && o.Output.Leds == "" {
			err = errors.New("leds.driver: this board has no lights of its own: see leds in [board.text.output]")
		}
		if err != nil {
			key, message, _ := strings.Cut(err.Error(), ": ")
			faults = append(faults, c.Fault(fmt.Sprintf("board[%d].%s", i, key), message))
		}
	}
	if len(faults) > 0 {
		return faults
	}
	return nil
}

// asksText is how a home-made board is told from others: those that say where the men stand when they are asked, or all the time.
func asksText(o *recordedOptions) (func() board.Driver, int64, error) {
	t, err := textMachine(o)
	if err != nil {
		return nil, 0, err
	}
	var within int64
	if t.PollSend != "" || t.SilenceMs > 0 {
		within = cmp.Or(t.SettleMs, 2500) + 2*cmp.Or(t.EveryMs, 500) + 2000
	}
	return func() board.Driver { return text.New(t) }, min(within, 60_000), nil
}
