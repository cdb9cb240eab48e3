package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/daemon"
	"github.com/boardd/boardd/files"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/leds"
	"github.com/boardd/boardd/leds/terminal"
	"github.com/boardd/boardd/mqtt"
	"github.com/boardd/boardd/rules"
)

// newDemoCommand plays a game by simulated hands, without hardware, broker or configuration.
func newDemoCommand() *cobra.Command {
	d := demo{speed: 1}
	var pgn, acuity, style, kind string
	var seed uint64
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Play a game by simulated hands in this terminal",
		Long: "demo needs no hardware, broker or configuration. Simulated hands play a game on a virtual board; boardd reads its sensors,\n" +
			"and publishes what it understands through a broker of its own. The board, its lights and the events are drawn here. It\n" +
			"ends after the game, with exit code 1 if the moves that were published are not those that were played.\n\n" +
			"With --board they play on an emulated board instead: a program that answers on a pseudo terminal, byte for byte, as such a\n" +
			"board does on its serial port. boardd reads it with the driver and the port that it has for real ones.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, ok := board.ParseAcuity(acuity)
			if !ok {
				return usagef("--acuity %q: use presence, color or piece", acuity)
			}
			if !(d.speed >= 0.1 && d.speed <= 1000) {
				return usagef("--speed %v: use 0.1 to 1000", d.speed)
			}
			var err error
			if kind != "virtual" {
				if d.board, ok = emulations[kind]; !ok {
					return usagef("--board %q: use virtual, %s", kind, either(emulationNames()))
				}
				if a, err = d.board.acuity(); err != nil {
					return err
				}
				if cmd.Flags().Changed("acuity") && acuity != a.String() {
					return usagef("--acuity %s: the emulated %s board has the acuity %s", acuity, kind, a)
				}
				if d.speed > emulatedSpeed {
					return usagef("--speed %v: use 0.1 to %d with an emulated board", d.speed, emulatedSpeed)
				}
			}
			if d.hands, err = handsOf(style, a, seed); err != nil {
				return err
			}
			if d.game, err = chooseGame(pgn); err != nil {
				return err
			}
			d.hands.directed, d.hands.handled = pgn == "", d.board != nil
			d.screen = terminal.New(cmd.OutOrStdout(), abilities(cmd.OutOrStdout(), os.Getenv))
			_, err = d.run(cmd.Context())
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&pgn, "pgn", "", "play the main line of the first game of this `FILE`")
	f.Float64Var(&d.speed, "speed", 1, "how many times as fast as life; the hands' times stay what they are for the board")
	f.StringVar(&d.listen, "listen", "127.0.0.1:0", "`ADDRESS`:PORT of this machine at which the demo's broker listens; 0 is a free port")
	f.BoolVar(&d.loop, "loop", false, "set up and play again, until interrupted")
	f.StringVar(&acuity, "acuity", "presence", "what the board's sensors see: presence, color or piece")
	f.StringVar(&kind, "board", "virtual", "the board: virtual, or one that is emulated: "+either(emulationNames()))
	f.StringVar(&style, "style", "", "the hands: slow, club, blitz, bullet or clumsy (default: careful ones)")
	f.Uint64Var(&seed, "seed", 1, "other seeds move the hands a little differently")
	return cmd
}

func chooseGame(file string) (playable, error) {
	if file == "" {
		return readPGN(builtIn)
	}
	text, err := files.Head(file, maxPGN)
	if err != nil {
		return playable{}, usagef("--pgn: %w", err)
	}
	g, err := readPGN(string(text))
	if err != nil {
		return g, fmt.Errorf("--pgn %s: %w", file, err)
	}
	return g, nil
}

// demo is one run: a house of its own with a board in it.
type demo struct {
	board  *emulation // nil for the virtual board
	game   playable
	hands  hands
	speed  float64
	loop   bool
	listen string // of the broker
	screen *terminal.Screen

	address string // of the broker, with its port
}

// Names of the demo in the topics.
const (
	demoNode  = "demo"
	demoBoard = "board"
)

// Times of the demo, in milliseconds of the board's clock.
const (
	patienceMs = 15_000 // for the last moves to be published after the hands rest; never less than that of life, see patience
	farewellMs = 6_000  // the end is looked at before the demo ends
)

// run plays; its summary is one line, and its error says that the published moves are not those played, or what failed.
func (d *demo) run(ctx context.Context) (summary string, err error) {
	log := slog.New(loudly{d.screen, slog.LevelWarn})
	clock := daemon.NewRunning(d.speed)

	if err := ownMachine(d.listen); err != nil {
		return "", err
	}
	broker, err := mqtt.StartBroker(mqtt.BrokerOptions{Listen: cmp.Or(d.listen, "127.0.0.1:0"), Node: demoNode, ClientID: "boardd-demo", Logger: log})
	if errors.Is(err, mqtt.ErrTaken) {
		return "", fmt.Errorf("--listen %s: another program listens there: use another port, or 0 for a free one", d.listen)
	} else if err != nil {
		return "", err
	}
	defer broker.Close()
	d.address = broker.Addr()

	// The board: hands put inputs in, the table hears them at their time.
	inputs := make(chan board.Input)
	told := &narrator{demo: d, times: make(chan int64, 256)}
	on, err := d.stage(inputs, told)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, on.close()) }()
	house, err := daemon.New(daemon.Options{Boards: []daemon.Board{on.board}, Clock: clock, Log: log, Synced: clockSynced})
	if err != nil {
		return "", err
	}

	opt := mqtt.Options{Node: demoNode, ClientID: "boardd-demo", Commands: "play", PublishNames: true, Version: version, Logger: log, Now: clock.Wall}
	broker.Admit(&opt)
	door, err := mqtt.New(opt, house)
	if err != nil {
		return "", err
	}
	witness, err := listen(broker.Addr(), mqtt.DefaultRoot+"/"+demoNode+"/"+demoBoard+"/event", d.screen)
	if err != nil {
		return "", err
	}
	defer witness.close()

	d.screen.SetTitle(d.title())
	if on.about != "" {
		d.screen.Say(on.about, terminal.Normal)
	}
	told.say("The board is set up.")

	began := time.Now()
	lights := leds.NewRunner(d.screen, leds.Options{
		Clock: ledClock{clock}, Real: func() int64 { return time.Since(began).Milliseconds() }, Log: log,
	})
	// What is started last ends first: the lights go dark, the door says goodbye, then the board's loop ends.
	stopTelling := start(ctx, told.run)
	defer func() { err = errors.Join(err, stopTelling()) }()
	stopHouse := start(ctx, house.Run)
	defer func() { err = errors.Join(err, stopHouse()) }()
	stopDoor := start(ctx, door.Run)
	defer func() { err = errors.Join(err, stopDoor()) }()
	stopLights := start(ctx, lightsWithin(lights.Run, log))
	defer func() { err = errors.Join(err, stopLights()) }()
	if on.play != nil {
		stopPlaying := start(ctx, func(ctx context.Context) error { return on.play(ctx, house, clock) })
		defer func() { err = errors.Join(err, stopPlaying()) }()
	}
	stopWatch := start(ctx, func(ctx context.Context) error { return d.watch(ctx, house, lights, told) })
	defer func() { err = errors.Join(err, stopWatch()) }()

	summary, err = d.rounds(ctx, clock, inputs, told, witness)
	switch {
	case err == nil && ctx.Err() == nil:
		told.finish(summary + " (demo --loop goes on and on)")
	case summary != "":
		told.finish(summary)
	}
	return summary, err
}

// ownMachine says what is wrong with --listen: the demo's broker asks nobody for a password.
func ownMachine(address string) error {
	if address == "" {
		return nil
	}
	host, port, err := net.SplitHostPort(address)
	if n, bad := strconv.ParseUint(port, 10, 16); err != nil || bad != nil || n > 65535 {
		return usagef("--listen %q: use ADDRESS:PORT, such as 127.0.0.1:1884", address)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return usagef("--listen %q: the demo's broker has no password and listens on this machine only: use 127.0.0.1:%s", address, port)
	}
	return nil
}

// start runs something until stop, which gives its error. It does not end with ctx: everything is stopped in its turn.
func start(ctx context.Context, run func(context.Context) error) (stop func() error) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan error, 1)
	go func() { done <- run(ctx) }()
	return func() error {
		cancel()
		return <-done
	}
}

// watch brings the newest view to the lights and the screen.
func (d *demo) watch(ctx context.Context, feed game.Feed, lights *leds.Runner, told *narrator) error {
	changed, cancel := feed.Watch()
	defer cancel()
	var last *game.View
	for {
		if v, _ := feed.View(demoBoard); v != nil && v != last {
			last = v
			d.screen.SetMen(men(v, &d.game.start))
			told.ending(v.End)
			lights.Show(v)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-changed:
		}
	}
}

func projection(a board.Acuity, p *rules.Position) (pic board.Picture) {
	for q := range rules.NoSquare {
		pic[q] = a.See(p.At(q))
	}
	return pic
}

func (d *demo) title() string {
	speed := ""
	if d.speed != 1 {
		speed = fmt.Sprintf(", %g times as fast as life", d.speed)
	}
	title := "boardd demo"
	if d.game.title != "" && !d.hands.directed {
		title += ": " + d.game.title
	}
	kind := "a " + d.hands.sensor.Acuity.String()
	if d.board != nil {
		kind = "an emulated " + d.board.driver
	}
	return fmt.Sprintf("%s - simulated hands on %s board%s", title, kind, speed)
}

type sourceFunc func(ctx context.Context, sink *daemon.Sink) error

func (f sourceFunc) Run(ctx context.Context, sink *daemon.Sink) error { return f(ctx, sink) }

// heard is a table that lets the narrator know how far the hands are.
type heard struct {
	*game.Table
	told *narrator
	seen func() // called with each scan
}

func (h heard) Step(in board.Input) game.Output {
	select {
	case h.told.times <- in.T:
	default: // the board waits for nobody; a caption comes with a later input
	}
	if in.Kind == board.Scan {
		h.seen()
	}
	return h.Table.Step(in)
}

// ledClock is the daemon's clock in the words of that room.
type ledClock struct{ daemon.Clock }

func (c ledClock) NewTimer() leds.Timer { return c.Clock.NewTimer() }
