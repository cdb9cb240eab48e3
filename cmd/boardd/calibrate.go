package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/doctor"
	"github.com/boardd/boardd/driver/calibration"
	"github.com/boardd/boardd/driver/scan"
	"github.com/boardd/boardd/leds/terminal"
	"github.com/boardd/boardd/rules"
)

// newCalibrateCommand finds out which wire of a home-made board is which square, or which LED, and which chip is in which man.
func newCalibrateCommand() *cobra.Command {
	var file, id, add string
	var every, lights bool
	cmd := &cobra.Command{
		Use:   "calibrate [-c FILE] [--board ID]",
		Short: "Find out which wire of a home-made board is which square, or which chip is in which man",
		Long: "calibrate asks for men to be lifted from the start position and put down elsewhere, as few as it takes to know which wire is\n" +
			"which square, and says what is wrong with the board on the way. What was found is kept in the data folder and never touches\n" +
			"the configuration. Stop the daemon first: sudo systemctl stop boardd. With --lights it finds the order of the LEDs instead.\n\n" +
			"Of a Certabo board it learns which chip is in which man: set up the start position and let it read. With --add it learns one man\n" +
			"more, such as a second queen.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.Load(cmd.Context(), file, os.Environ())
			if err != nil {
				return err
			}
			b, err := homeMade(&c, id, lights)
			if err != nil {
				return err
			}
			if hasChips(b.Driver) {
				return calibratePieces(cmd, &c, b, add)
			}
			if add != "" {
				return usagef("--add is for boards that read chips, such as Certabo's: board %s does not", b.ID)
			}
			sensor, err := openSensor(b)
			if err != nil {
				return fmt.Errorf("board %s: %w", b.ID, err)
			}
			can := abilities(cmd.OutOrStdout(), os.Getenv)
			keys, restore := typed(cmd.Context(), cmd.InOrStdin())
			a := &asking{
				board: b, path: scan.CalibrationPath(c.Node.Data, b.ID), sensor: sensor, every: every, hardware: machine,
				keys: keys, screen: terminal.New(cmd.OutOrStdout(), can), draws: can.Moves,
			}
			defer restore()
			if lights {
				return cmp.Or(a.lights(cmd.Context(), cmd.OutOrStdout()), sensor.Close())
			}
			err = a.run(cmd.Context())
			restore()
			return cmp.Or(err, a.close(cmd.OutOrStdout())) // one line: sensors that are gone cannot be closed either
		},
	}
	addConfigFlag(cmd, &file)
	cmd.Flags().StringVar(&id, "board", "", "the board's `ID`, where the configuration has several that can be calibrated")
	cmd.Flags().BoolVar(&every, "every", false, "ask for every square by itself, whatever pattern there may be")
	cmd.Flags().StringVar(&add, "add", "", "learn one man more, of this FEN `letter`: Q is a white queen, q a black one")
	cmd.Flags().BoolVar(&lights, "lights", false, "find the order of the LEDs, by lighting one and asking which square it is on")
	return cmd
}

// homeMade is the board that is to be calibrated.
func homeMade(c *config.Config, id string, lights bool) (*config.Board, error) {
	var found []*config.Board
	for i := range c.Boards {
		b := &c.Boards[i]
		if id != "" && b.ID == id {
			found = []*config.Board{b}
			break
		}
		if id == "" && (config.IsHomeMade(b.Driver) || hasChips(b.Driver) && !lights) {
			found = append(found, b)
		}
	}
	switch {
	case len(found) == 0 && id != "":
		return nil, usagef("there is no board %q in the configuration", id)
	case len(found) == 0:
		return nil, usagef("no board of the configuration needs to be calibrated: only those with wires or chips do")
	case len(found) > 1:
		return nil, usagef("which board? Add --board %s or --board %s", found[0].ID, found[1].ID)
	case !config.IsHomeMade(found[0].Driver) && (lights || !hasChips(found[0].Driver)):
		return nil, usagef("board %s: a %s board knows its squares", found[0].ID, found[0].Driver)
	case lights && !isWired(found[0].LEDs.Driver):
		return nil, usagef("board %s has no LEDs in [board.leds] that are wired in some order", found[0].ID)
	}
	return found[0], nil
}

// asking is one calibration in a terminal.
type asking struct {
	board  *config.Board
	path   string // of the calibration file
	sensor scan.Sensor
	every  bool
	hardware
	keys   <-chan calibration.Key
	screen *terminal.Screen
	draws  bool // the screen draws the board

	tick   <-chan time.Time // when to read next; nil: at the board's pace
	now    func() int64     // milliseconds; nil: since the beginning
	said   []calibration.Finding
	found  string
	ended  string // what to say after the screen is left
	failed int    // readings in a row that failed
}

// configuredMap is the map that the configuration gives, nil when it leaves it to the calibration.
func configuredMap(b *config.Board) *scan.Map {
	if b.Map.Generator == "calibrated" {
		return nil
	}
	if m, err := wireMap(b); err == nil {
		return &m
	}
	return nil
}

var errGivenUp = errors.New("given up: nothing was saved")

// run asks until the calibration has ended, and keeps what was found.
func (a *asking) run(ctx context.Context) error {
	o := calibration.Options{Traits: a.sensor.Traits(), Configured: configuredMap(a.board), Every: a.every, Threshold: int32(a.board.Sensor.ThresholdMv * 1000)}
	m := calibration.New(o)
	a.screen.SetTitle("boardd calibrate: board " + a.board.ID + " (" + a.board.Driver + ")")
	if err := a.read(ctx, func(now int64, r *scan.Reading, key calibration.Key) bool {
		p, done := m.Step(now, r, key)
		a.show(&p)
		return done
	}); err != nil {
		return err
	}
	c, found, ok := m.Result()
	if !ok {
		if slices.ContainsFunc(found, func(f calibration.Finding) bool { return f.Grave }) {
			a.report(found)
			return errors.New("not calibrated: nothing was saved")
		}
		return errGivenUp
	}
	c.Wiring = a.board.Wiring()
	if o.Traits.Analog && a.board.Sensor.ActiveLow {
		c.Inverted = ^c.Inverted // active_low turns all of them already
	}
	if err := c.Write(a.path); err != nil {
		return err
	}
	if err := handOver(a.path); err != nil {
		return err
	}
	a.report(found)
	a.ended += "Saved in " + a.path + ".\n"
	if a.board.Map.Generator != "calibrated" {
		a.ended += "It counts as soon as [board.map] has generator = \"calibrated\"; now it has \"" + a.board.Map.Generator + "\".\n"
	}
	return nil
}

// handOver leaves a file that root has written, and its folder, to whom the data folder belongs: the daemon must be able to read it.
func handOver(path string) error {
	if os.Getuid() != 0 {
		return nil
	}
	folder := filepath.Dir(path)
	info, err := os.Stat(filepath.Dir(folder))
	if err != nil {
		return err
	}
	user, group, ok := ownerOf(info)
	if !ok || user == 0 {
		return nil
	}
	return errors.Join(os.Chown(folder, user, group), os.Chown(path, user, group))
}

// report keeps the findings to be read after the screen is left.
func (a *asking) report(found []calibration.Finding) {
	for _, f := range found {
		mark := "- "
		if f.Grave {
			mark = "! "
		}
		a.ended += mark + strings.Join(doctor.Wrap(f.Text, 76), "\n  ") + "\n"
		if f.Mend != "" {
			a.ended += "  -> " + strings.Join(doctor.Wrap(f.Mend, 73), "\n     ") + "\n"
		}
	}
}

// close leaves the screen and says what was found.
func (a *asking) close(out io.Writer) error {
	err := a.screen.Close()
	_, said := io.WriteString(out, a.ended)
	return cmp.Or(err, said, a.sensor.Close())
}

// read reads the sensors at their pace and brings readings and keys to step, until it says that it is done. Sensors that fail are set up
// again and again: somebody may be about to plug them in.
func (a *asking) read(ctx context.Context, step func(now int64, r *scan.Reading, key calibration.Key) bool) error {
	if err := a.sensor.Setup(); err != nil {
		return err
	}
	if a.tick == nil {
		t := time.NewTicker(time.Second / time.Duration(max(a.board.Sensor.ScanHz, 1)))
		defer t.Stop()
		began := time.Now()
		a.tick, a.now = t.C, func() int64 { return time.Since(began).Milliseconds() }
	}
	var r scan.Reading
	for {
		key := calibration.NoKey
		select {
		case <-ctx.Done():
			return ctx.Err()
		case key = <-a.keys:
			if key == calibration.Quit {
				return errGivenUp
			}
		case <-a.tick:
			if err := a.once(&r); err != nil {
				continue
			}
		}
		if step(a.now(), &r, key) {
			return nil
		}
	}
}

// once reads the sensors. When they have failed for long, that is said and they are set up again.
func (a *asking) once(r *scan.Reading) error {
	err := a.sensor.Read(r)
	if err == nil {
		if a.failed > 2 {
			a.screen.Say("The sensors answer again.", terminal.Normal)
		}
		a.failed = 0
		return nil
	}
	a.failed++
	if a.failed == 3 {
		a.screen.Say("The sensors do not answer: "+err.Error(), terminal.Alarm)
	}
	if a.failed%50 == 3 {
		if again := a.sensor.Setup(); again != nil {
			err = again
		}
	}
	return err
}

// show draws a prompt.
func (a *asking) show(p *calibration.Prompt) {
	for _, f := range p.Findings {
		if !slices.Contains(a.said, f) && (f.Grave || p.Check) {
			a.said = append(a.said, f)
			tone := terminal.Normal
			if f.Grave {
				tone = terminal.Alarm
			}
			a.screen.Say(f.Text, tone)
		}
	}
	if p.Found != "" && p.Found != a.found {
		a.screen.Say(p.Found, terminal.Faint)
	}
	a.found = p.Found
	var lights board.Frame
	start := rules.Start()
	men := terminal.Men{}
	for s, from := range p.Men {
		if from < 64 {
			men.Pieces[s] = start.At(from)
		}
	}
	for b := p.Known; b != 0; {
		lights[b.Pop()] = board.RGB{R: 24, G: 24, B: 24}
	}
	if p.Check {
		men.Unknown = p.On
	}
	switch p.Ask {
	case calibration.AskLift:
		lights[p.Square] = board.RGB{R: 255, G: 64}
	case calibration.AskPut:
		lights[p.Square] = board.RGB{G: 90, B: 255}
	case calibration.AskCorners:
		for _, s := range []rules.Square{0, 1, 8} {
			lights[s] = board.RGB{G: 90, B: 255}
		}
	case calibration.AskCheck:
		if len(p.Echo) > 2 {
			if s, ok := rules.ParseSquare(p.Echo[:2]); ok {
				lights[s] = board.RGB{R: 255, G: 255, B: 255}
			}
		}
	}
	text := p.Text
	if p.Echo != "" {
		text = p.Echo + ".  " + text
	}
	a.screen.SetMen(men)
	keys := ""
	if p.Keys != "" {
		keys = "Keys: " + p.Keys
	}
	a.screen.SetFoot(text, p.Hint, p.Progress, keys)
	if a.draws {
		_ = a.screen.Show(lights) // else they would be told in words once more
	}
}
