package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/daemon"
	"github.com/boardd/boardd/driver/pins"
	"github.com/boardd/boardd/driver/scan"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/mqtt"
	"github.com/boardd/boardd/recording"
)

// newRunCommand is the daemon.
func newRunCommand() *cobra.Command {
	var file, record string
	cmd := &cobra.Command{
		Use:   "run [-c FILE]",
		Short: "Read the boards and publish what happens there",
		Long: "run is the daemon: it reads the boards of the configuration and publishes over MQTT what happens there, until it is\n" +
			"interrupted or told to end (SIGINT, SIGTERM). Faults of the configuration end it with exit code 2.\n" +
			"SIGHUP has it read the configuration again, except in a terminal, where it says that the terminal has gone and ends boardd.\n" +
			"What can change at run time is taken over: brightness, palette, last_move, guidance and night of the lights, language, mode\n" +
			"and log_level. A file with faults changes nothing.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.Load(cmd.Context(), file, os.Environ())
			if err != nil {
				return err
			}
			manager, err := serviceManager()
			if err != nil {
				return err
			}
			log, level := levelledLogger(cmd)
			if level != nil {
				_ = level.UnmarshalText([]byte(c.Node.LogLevel)) // checked
			}
			m := Main{Level: level, Manager: manager, File: file, Hangup: takeHangups(cmd.Context()), Config: c, Out: cmd.OutOrStdout(), Log: log, Shared: isTerminal(cmd.ErrOrStderr()), Record: record}
			return m.Run(cmd.Context())
		},
	}
	addConfigFlag(cmd, &file)
	cmd.Flags().StringVar(&record, "record", "", "write what each board says to a recording of its own in this `FOLDER`")
	return cmd
}

// Main is the daemon as a whole. Run builds the house from the configuration and lives in it.
type Main struct {
	Config  config.Config // checked, as Load gives it
	Out     io.Writer     // where a display in the terminal draws; nil: nowhere
	Log     *slog.Logger
	Level   *slog.LevelVar  // of Log, where the configuration sets it
	Shared  bool            // the log is written to a terminal: while a board is drawn there, it is shown beside the board
	Record  string          // folder for a recording of each board; "" for none
	Manager manager         // hears how the daemon does
	File    string          // that Config was read from
	Hangup  <-chan struct{} // says when to read it again; nil: never
	Speed   float64         // of the clock: 50 is fifty times as fast as life, for tests; 0 is 1

	sensor      func(*config.Board) (scan.Sensor, error) // opens sensors; nil: those of this computer
	buttonLines func(pins.Options) (pins.Alert, error)   // opens buttons; nil: those of this computer
	dev         string                                   // where devices are; "": /dev
	piece       time.Duration                            // of recordings; 0: as the ring has it
	counters    map[string]*scan.Counters                // of home-made boards, by their ids
	end         func()                                   // ends Run as an interrupt does
}

// Run returns when ctx has ended and everything is at rest: the lights dark, offline published, all ports closed. An error says
// what could not be built, or what failed.
func (m *Main) Run(ctx context.Context) (err error) {
	ctx, m.end = context.WithCancel(ctx)
	defer m.end()
	if m.counters == nil {
		m.counters = map[string]*scan.Counters{}
	}
	c := &m.Config
	password, err := c.MQTT.Password()
	if err != nil {
		return err
	}
	clock := daemon.NewRunning(m.Speed)
	displays, err := m.displays(clock) // first, because the log may have to go there
	if err != nil {
		return err
	}
	keeper, err := m.keep()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, keeper.close()) }()
	boards, closeRecordings, err := m.boards(func(o *game.Options, id string) { keeper.resume(o, id, clock.Wall()) })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeRecordings()) }()
	house, err := daemon.New(daemon.Options{Boards: boards, Clock: clock, Journal: keeper.journal(), Log: m.Log, Synced: clockSynced})
	if err != nil {
		return usagef("%w", err)
	}
	for _, d := range displays {
		if d.own != nil {
			d.own.house = house
		}
	}
	opt := mqtt.Options{
		URL: c.MQTT.URL, Username: c.MQTT.Username, Password: password,
		CAFile: c.MQTT.CAFile, CertFile: c.MQTT.CertFile, KeyFile: c.MQTT.KeyFile,
		Root: c.MQTT.Root, Node: c.Node.Name, ClientID: clientID(c), Commands: c.MQTT.Commands, PublishNames: c.MQTT.PublishNames,
		Discovery: c.MQTT.Discovery, DiscoveryPrefix: c.MQTT.DiscoveryPrefix, Fields: c.MQTT.Fields,
		Images:  c.MQTT.Image == "on" || c.MQTT.Image == "auto" && len(c.Boards) <= manyBoards,
		Version: buildVersion(), Languages: languages(c), Logger: m.Log, Now: clock.Wall,
	}
	trouble := newTrouble(displays)
	opt.Linked = func(up bool) { trouble.set(brokerTrouble, !up) }
	if c.MQTT.URL == "" {
		broker, err := mqtt.StartBroker(mqtt.BrokerOptions{
			Listen: c.MQTT.Listen, Username: c.MQTT.Username, Password: password, Root: c.MQTT.Root, Node: c.Node.Name,
			ClientID: opt.ClientID, Logger: m.Log,
		})
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, broker.Close()) }()
		broker.Admit(&opt)
		m.Log.Info("boardd's own MQTT broker listens", "address", broker.Addr())
	}
	door, err := mqtt.New(opt, house)
	if err != nil {
		return usagef("%w", err)
	}
	m.Log.Info("boardd runs", "version", buildVersion(), "topics", c.MQTT.Root+"/"+c.Node.Name, "broker", opt.URL, "commands", c.MQTT.Commands)
	if !clockSynced() {
		m.Log.Warn("this computer's clock is not set by the network (timedatectl shows it): times may be wrong, and ts_ok is false until it is")
	}
	for i := range c.Boards {
		b := &c.Boards[i]
		m.Log.Info("reads a board", "board", b.ID, "driver", b.Driver, "port", cmp.Or(b.Port, wiredTo(b), "none"), "lights", b.LEDs.Driver, "mode", b.Rules.Mode)
	}

	// What is started last ends first: the lights go dark, the door says offline, then the boards rest.
	p := newParts(ctx)
	p.start("boards", house.Run)
	p.start("store", func(ctx context.Context) error { return keeper.run(ctx, house) })
	p.start("mqtt", door.Run)
	if answer := m.commands(house, door); answer != nil {
		p.start("socket", answer)
	}
	for _, d := range displays {
		p.start("lights of "+d.board, lightsWithin(d.runner.Run, m.Log.With("board", d.board)))
		p.start("view of "+d.board, func(ctx context.Context) error { return d.follow(ctx, house) })
	}
	p.start("trouble", func(ctx context.Context) error { return trouble.follow(ctx, house) })
	if m.Hangup != nil {
		p.start("reload", newReloader(reloader{
			file: m.File, hangup: m.Hangup, now: *c, manager: m.Manager, house: house, door: door, displays: displays, log: m.Log,
			level: m.Level,
		}).run)
	}
	if m.Manager.send != nil {
		p.start("service manager", (&notifier{
			manager: m.Manager, house: house, clock: clock, counters: m.counters, beside: trouble.words, changed: trouble.changed,
			patience: readyPatience, log: m.Log,
		}).run)
	}
	select {
	case <-ctx.Done():
		m.Log.Info("boardd ends")
	case name := <-p.ended:
		m.Log.Error("boardd ends: a part of it did", "part", name)
	}
	return p.stop()
}

// boards builds what the daemon runs. The second result closes what is written.
func (m *Main) boards(resume func(*game.Options, string)) (boards []daemon.Board, closeAll func() error, err error) {
	var files []io.Closer
	closeAll = func() (err error) {
		for _, f := range files {
			err = errors.Join(err, f.Close())
		}
		return err
	}
	if err := checkMaps(&m.Config); err != nil {
		return nil, nil, err
	}
	lines := serialLines(m.dev, lockDir(), &m.Config)
	for i := range m.Config.Boards {
		b, err := buildBoard(&m.Config, i, m.Speed, lines, resume)
		if err != nil {
			return nil, nil, errors.Join(usagef("%w", err), closeAll())
		}
		if config.IsHomeMade(b.Info.Driver) {
			b.Source = m.scanned(&m.Config.Boards[i])
		}
		b.Source = m.withButtons(&m.Config.Boards[i], b.Source)
		m.recorded(&b, &m.Config.Boards[i])
		if m.Record != "" {
			f, err := m.record(&b)
			if err != nil {
				return nil, nil, errors.Join(err, closeAll())
			}
			files = append(files, f)
		}
		boards = append(boards, b)
	}
	return boards, closeAll, nil
}

// record gives a board a file of its own, named after it and the time.
func (m *Main) record(b *daemon.Board) (io.Closer, error) {
	if err := os.MkdirAll(m.Record, 0o750); err != nil {
		return nil, fmt.Errorf("--record: %w", err)
	}
	name := filepath.Join(m.Record, b.Info.ID+"-"+time.Now().UTC().Format("20060102T150405.000Z")+".jsonl")
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o640)
	if err != nil {
		return nil, fmt.Errorf("--record: %w", err)
	}
	b.Tapes = append(b.Tapes, recording.NewWriter(f))
	m.Log.Info("recording", "board", b.Info.ID, "file", name)
	return f, nil
}

// manyBoards is how many boards are drawn unless the configuration says otherwise.
const manyBoards = 8

// clientID is the same at every start and unlike that of any other boardd: a broker lets nobody in twice.
func clientID(c *config.Config) string {
	machine, err := os.ReadFile("/etc/machine-id")
	if err != nil {
		name, _ := os.Hostname()
		machine = []byte(name)
	}
	sum := sha256.Sum256([]byte(string(machine) + "\x00" + c.Node.Data + "\x00" + c.Node.Name))
	return "boardd-" + c.Node.Name + "-" + hex.EncodeToString(sum[:4])
}

// parts are what runs, each until it is stopped in its turn.
type parts struct {
	base  context.Context // without an end of its own
	ended chan string     // name of a part that has ended by itself
	stops []func() error
}

func newParts(ctx context.Context) *parts {
	return &parts{base: context.WithoutCancel(ctx), ended: make(chan string, 1)}
}

func (p *parts) start(name string, run func(context.Context) error) {
	ctx, cancel := context.WithCancel(p.base)
	done := make(chan error, 1)
	go func() {
		err := run(ctx)
		if ctx.Err() == nil {
			select {
			case p.ended <- name:
			default:
			}
			if err == nil {
				err = errors.New("has ended by itself")
			}
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
		done <- err
	}()
	p.stops = append(p.stops, func() error {
		cancel()
		return <-done
	})
}

// stop ends all parts, the last one first.
func (p *parts) stop() (err error) {
	for i := range p.stops {
		err = errors.Join(err, p.stops[len(p.stops)-1-i]())
	}
	return err
}
