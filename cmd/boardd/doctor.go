package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/doctor"
	"github.com/boardd/boardd/driver/bus"
	"github.com/boardd/boardd/driver/pins"
	"github.com/boardd/boardd/driver/port"
	"github.com/boardd/boardd/driver/scan"
)

// newDoctorCommand says what hardware is here, whether it may be used, and what is wrong.
func newDoctorCommand() *cobra.Command {
	var d doctoring
	cmd := &cobra.Command{
		Use:   "doctor [-c FILE]",
		Short: "Say what hardware is here, whether it may be used, and what mends what is wrong",
		Long: "doctor looks at this computer and at the configuration, reads home-made boards for a few seconds, and ends with what is\n" +
			"wrong and what mends it, worst first. It writes to no chip beyond setting up the sensors that are configured. The exit code is 1\n" +
			"when something that is configured does not work. To examine what the service may do: sudo -u boardd boardd doctor -c FILE",
		RunE: func(cmd *cobra.Command, _ []string) error {
			d.named = cmd.Flags().Changed("config")
			d.computer, d.in, d.out, d.notes = here(), cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
			d.open, d.lookMs = openSensor, 3000
			return d.run(cmd.Context())
		},
	}
	addConfigFlag(cmd, &d.file)
	cmd.Flags().BoolVar(&d.json, "json", false, "everything as one JSON document")
	cmd.Flags().BoolVar(&d.watch, "watch", false, "show the sensors live until q is pressed, then the rest")
	return cmd
}

// doctoring is one examination.
type doctoring struct {
	file        string
	named       bool // the file was named; else it may be missing
	json, watch bool
	computer    doctor.Computer
	open        func(*config.Board) (scan.Sensor, error)
	lookMs      int64 // so long sensors are looked at
	in          io.Reader
	out, notes  io.Writer

	config *config.Config // nil when there is none, or none that is valid
	report *doctor.Report
}

func (d *doctoring) say(level doctor.Level, code, board, what, mend string) {
	d.report.Findings = append(d.report.Findings, doctor.Finding{Level: level, Code: code, Board: board, What: what, Mend: mend})
}

func (d *doctoring) run(ctx context.Context) error {
	c, err := config.Load(ctx, d.file, os.Environ())
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil {
		d.config = &c
	}
	needs := doctor.Needs{}
	if d.config != nil {
		needs = needsOf(d.config)
	}
	d.report = doctor.Examine(d.computer, needs)
	d.configuration(err)
	if d.config != nil {
		d.folder()
		d.broker(ctx)
		for i := range d.config.Boards {
			if err := d.board(ctx, &d.config.Boards[i]); err != nil {
				return err
			}
		}
	}
	d.report.Sort()
	if err := d.write(); err != nil {
		return err
	}
	if bad := d.bad(); bad > 0 {
		return fmt.Errorf("%s wrong", count(bad, "thing"))
	}
	return nil
}

func (d *doctoring) bad() (n int) {
	for _, f := range d.report.Findings {
		if f.Level == doctor.Bad {
			n++
		}
	}
	return n
}

func (d *doctoring) write() error {
	if d.json {
		e := json.NewEncoder(d.out)
		e.SetIndent("", "  ")
		return e.Encode(d.report)
	}
	return d.report.WriteText(d.out, textStyle(d.out))
}

// textStyle is how text may be written to out.
func textStyle(out io.Writer) doctor.Style {
	o := abilities(out, os.Getenv)
	s := doctor.Style{ASCII: o.ASCII, Color: o.Moves && os.Getenv("NO_COLOR") == "", Width: 80}
	if file, ok := out.(*os.File); ok {
		if w, _, err := term.GetSize(int(file.Fd())); err == nil && w > 40 {
			s.Width = min(w, 100)
		}
	}
	return s
}

// configuration tells what is wrong with the configuration.
func (d *doctoring) configuration(err error) {
	var faults config.Faults
	switch {
	case err == nil:
		if _, err := d.config.MQTT.Password(); err != nil {
			d.say(doctor.Bad, "config", "", sentence(err.Error()), "")
		}
		for _, err := range []error{checkLights(d.config), checkMaps(d.config)} {
			if err != nil {
				d.say(doctor.Bad, "config", "", sentence(err.Error()), "")
			}
		}
	case !d.named && !exists(d.file):
		d.say(doctor.Note, "no_config", "", "There is no "+d.file+" here, so nothing is known of boards.", "Name the configuration: boardd doctor -c /etc/boardd/boardd.toml")
	case errors.As(err, &faults):
		for _, f := range faults {
			d.say(doctor.Bad, "config", "", sentence(f.String()), "")
		}
	default:
		d.say(doctor.Bad, "config", "", sentence(err.Error()), "")
	}
}

// sentence ends a text with a full stop, where it has no end yet.
func sentence(text string) string {
	if strings.HasSuffix(text, ".") || strings.HasSuffix(text, "?") {
		return text
	}
	return text + "."
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// folder tries whether the data folder can be written to.
func (d *doctoring) folder() {
	data := d.config.Node.Data
	if data == "" {
		return // nothing is kept
	}
	place := data
	for !exists(place) && filepath.Dir(place) != place {
		place = filepath.Dir(place) // boardd makes it there
	}
	f, err := os.CreateTemp(place, ".boardd-doctor-*")
	if err == nil {
		err = errors.Join(f.Close(), os.Remove(f.Name()))
	}
	if err == nil {
		return
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	who := cmp.Or(d.computer.User, "this user")
	service := d.hasUser(serviceUser)
	other := service && d.computer.User != serviceUser
	if _, missing := os.Stat(data); errors.Is(missing, fs.ErrNotExist) {
		owner := cmp.Or(d.computer.User, "USER")
		if service {
			owner = serviceUser
		}
		d.say(doctor.Bad, "data", "", fmt.Sprintf("The data folder %s does not exist, and %s cannot make it in %s: %v.", data, who, place, err),
			fmt.Sprintf("Make it for the user that runs boardd: sudo install -d -m 750 -o %s %s; or name another folder as node.data.", owner, data))
		return
	}
	mend := "Name another folder as node.data; an empty node.data keeps nothing."
	if errors.Is(err, fs.ErrPermission) && other {
		mend = "If the service runs as another user, try: sudo -u " + serviceUser + " boardd doctor -c " + d.file
	} else if errors.Is(err, fs.ErrPermission) {
		mend = "Give it to the user that runs boardd: sudo chown " + cmp.Or(d.computer.User, "USER") + " " + data + "; or name another folder as node.data."
	}
	d.say(doctor.Bad, "data", "", fmt.Sprintf("%s cannot write to the data folder %s: %v.", who, data, err), mend)
}

// serviceUser is whom the package makes for the service. Without the package there may be none.
const serviceUser = "boardd"

func (d *doctoring) hasUser(name string) bool {
	users, _ := fs.ReadFile(d.computer.Files, "etc/passwd")
	return strings.HasPrefix(string(users), name+":") || strings.Contains(string(users), "\n"+name+":")
}

// board examines one board: its calibration, and what its sensors say.
func (d *doctoring) board(ctx context.Context, b *config.Board) error {
	out := doctor.Board{ID: b.ID, Driver: b.Driver}
	var c scan.Calibration
	if config.IsHomeMade(b.Driver) {
		c, out.Calibrated = d.calibration(b)
		var err error
		if out.Scan, err = d.scan(ctx, b, &c); err != nil {
			return err
		}
	}
	if hasChips(b.Driver) {
		out.Calibrated = d.chips(b)
	}
	d.report.Boards = append(d.report.Boards, out)
	return nil
}

// chips says whether a board knows its men.
func (d *doctoring) chips(b *config.Board) string {
	again := "boardd calibrate -c " + d.file + " --board " + b.ID
	switch _, err := learntChips(d.config, b); {
	case errors.Is(err, errNeverLearnt):
		d.say(doctor.Bad, "chips_unknown", b.ID, "It was never learnt which chip is in which man, so all men are unknown and no game begins.", again)
	case errors.Is(err, fs.ErrPermission):
		d.say(doctor.Bad, "calibration", b.ID, sentence("The chips of the men cannot be read: "+err.Error()), "Run doctor as the user that runs boardd.")
	case err != nil:
		d.say(doctor.Bad, "calibration", b.ID, sentence(err.Error()), again)
	default:
		return "yes"
	}
	return "no"
}

// calibration reads a board's calibration and says whether it counts.
func (d *doctoring) calibration(b *config.Board) (c scan.Calibration, word string) {
	path := scan.CalibrationPath(d.config.Node.Data, b.ID)
	again := "boardd calibrate -c " + d.file + " --board " + b.ID
	c, err := calibrated(b, path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.say(doctor.Bad, "not_calibrated", b.ID, "It is not known which wire is which square.", again)
		return c, "no"
	case err != nil:
		d.say(doctor.Bad, "calibration", b.ID, sentence(err.Error()), again)
		return scan.Calibration{}, "no"
	case c.Wiring != b.Wiring():
		d.say(doctor.Bad, "calibration_outdated", b.ID, "The board was calibrated with another wiring than [board.sensor] has now.", again)
		return scan.Calibration{}, "outdated"
	case b.Map.Generator != "calibrated":
		return c, "not needed"
	}
	if n := c.Dead.Len(); n > 0 {
		var names []string
		for dead := c.Dead; dead != 0; {
			names = append(names, dead.Pop().String())
		}
		d.say(doctor.Warning, "dead_squares", b.ID, "Squares that did not react when the board was calibrated: "+strings.Join(names, " ")+".",
			"Mend their sensors, then "+again)
	}
	return c, "yes"
}

// here is this computer.
func here() doctor.Computer {
	c := doctor.Computer{
		Files: os.DirFS("/"), Open: openable, Line: func(path string) error { return port.Check(path, lockDir()) }, Owner: ownerOf, Chips: gpioChips, Read: readI2C, Throttled: throttled, Synced: clockSynced, Self: os.Getpid(),
	}
	if u, err := user.Current(); err == nil {
		c.User = u.Username
	}
	c.Groups, _ = os.Getgroups()
	c.Groups = append(c.Groups, os.Getegid())
	return c
}

// openable opens a device as drivers do. Serial ports, which may have any name, are only asked for permission: opening one can restart
// what is behind it.
func openable(path string) error {
	if !slices.ContainsFunc([]string{"/dev/gpiochip", "/dev/i2c-", "/dev/spidev"}, func(kind string) bool { return strings.HasPrefix(path, kind) }) {
		return accessible(path)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

func gpioChips() (all []doctor.Chip) {
	chips, _ := pins.Chips() // why some may not be opened is told with their devices
	for _, c := range chips {
		all = append(all, doctor.Chip{Name: c.Name, Label: c.Label, Lines: len(c.Lines)})
	}
	return all
}

// readI2C reads one byte from each address and writes none.
func readI2C(path string, addresses []uint16) (all []doctor.Answer, err error) {
	b, err := bus.OpenI2C(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	timeouts := 0
	for _, a := range addresses {
		in := make([]byte, 1)
		err := b.Tx(a, nil, in)
		switch {
		case err == nil:
			all = append(all, doctor.Answer{Address: a})
		case strings.Contains(err.Error(), "timed out"):
			if timeouts++; timeouts == 3 {
				return nil, errors.New("transfers time out")
			}
		}
	}
	return all, nil
}

// throttled asks the firmware of a Raspberry Pi how its supply is.
func throttled() string {
	path, err := exec.LookPath("vcgencmd")
	if err != nil {
		return ""
	}
	ctx, stop := context.WithTimeout(context.Background(), 3*time.Second)
	defer stop()
	out, err := exec.CommandContext(ctx, path, "get_throttled").Output()
	if err != nil {
		return ""
	}
	return string(out)
}
