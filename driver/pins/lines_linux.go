package pins

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/warthog618/go-gpiocdev"
	"golang.org/x/sys/unix"

	"github.com/boardd/boardd/driver/device"
)

// consumer is who the kernel says has a line.
const consumer = "boardd"

// Chips are the GPIO chips that may be opened, in the order of their numbers. The error says why none or some may not.
func Chips() (all []Chip, err error) {
	for _, name := range gpiocdev.Chips() {
		path := "/dev/" + name
		if info, e := os.Lstat(path); e != nil || info.Mode()&fs.ModeSymlink != 0 {
			continue // the same chip under an older name
		}
		c, e := gpiocdev.NewChip(name)
		if e != nil {
			if errors.Is(e, fs.ErrPermission) {
				e = fmt.Errorf("%s: no permission: %s", path, device.Permission(path))
			} else {
				e = fmt.Errorf("%s: %w", path, e)
			}
			err = cmp.Or(err, e)
			continue
		}
		chip := Chip{Name: c.Name, Label: c.Label}
		for i := range c.Lines() {
			info, _ := c.LineInfo(i) // a line without a name is found by its number all the same
			chip.Lines = append(chip.Lines, info.Name)
		}
		all = append(all, chip)
		_ = c.Close()
	}
	return all, err
}

// Find gives the chip that a configuration asks for. note says what ought to be changed there although the chip was found.
func Find(want string) (c Chip, note string, err error) {
	if strings.HasPrefix(want, "gpiochip") || strings.HasPrefix(want, "/dev/") {
		path := "/dev/" + strings.TrimPrefix(want, "/dev/")
		if real, err := filepath.EvalSymlinks(path); err == nil {
			want = real
		}
	}
	all, denied := Chips()
	if c, note, err = choose(all, want); err != nil && denied != nil {
		first, _, _ := strings.Cut(denied.Error(), "\n") // they all want the same thing
		return c, "", errors.New(first)
	}
	return c, note, err
}

// lines are an open request.
type lines struct {
	*gpiocdev.Lines
	values  []int
	changed chan struct{}
}

// OpenOutputs takes lines and makes them inactive outputs. The error is one line that says what to do.
func OpenOutputs(o Options) (Outputs, error) {
	opts := []gpiocdev.LineReqOption{gpiocdev.AsOutput(make([]int, len(o.Lines))...)}
	switch {
	case o.Float && o.ActiveLow:
		opts = append(opts, gpiocdev.AsOpenDrain)
	case o.Float:
		opts = append(opts, gpiocdev.AsOpenSource)
	}
	l, err := request(&o, opts, nil)
	if err != nil {
		return nil, err
	}
	return l, nil
}

// OpenInputs takes lines and makes them inputs. The error is one line that says what to do.
func OpenInputs(o Options) (Inputs, error) {
	l, err := request(&o, inputOptions(&o), nil)
	if err != nil {
		return nil, err
	}
	return l, nil
}

// OpenAlert takes lines as inputs that tell of their changes. The error is one line that says what to do.
func OpenAlert(o Options) (Alert, error) {
	changed := make(chan struct{}, 1)
	opts := append(inputOptions(&o), gpiocdev.WithBothEdges, gpiocdev.WithEventHandler(func(gpiocdev.LineEvent) {
		// The levels count, not the edges: it does not matter whether the kernel has lost some.
		select {
		case changed <- struct{}{}:
		default:
		}
	}))
	if o.Debounce > 0 {
		opts = append(opts, gpiocdev.WithDebounce(o.Debounce))
	}
	l, err := request(&o, opts, changed)
	if err != nil {
		return nil, err
	}
	return l, nil
}

func inputOptions(o *Options) []gpiocdev.LineReqOption {
	opts := []gpiocdev.LineReqOption{gpiocdev.AsInput}
	switch o.Pull {
	case NoPull:
		opts = append(opts, gpiocdev.WithBiasDisabled)
	case PullUp:
		opts = append(opts, gpiocdev.WithPullUp)
	case PullDown:
		opts = append(opts, gpiocdev.WithPullDown)
	}
	return opts
}

func request(o *Options, opts []gpiocdev.LineReqOption, changed chan struct{}) (*lines, error) {
	if len(o.Lines) == 0 || len(o.Lines) > 64 {
		return nil, fmt.Errorf("%d GPIO lines: wants 1 to 64", len(o.Lines))
	}
	chip, note, err := Find(o.Chip)
	if err != nil {
		return nil, err
	}
	if note != "" && o.Warn != nil {
		o.Warn(note)
	}
	offsets, err := chip.offsets(o.Lines)
	if err != nil {
		return nil, err
	}
	c, err := gpiocdev.NewChip(chip.Name, gpiocdev.WithConsumer(consumer))
	if err != nil {
		return nil, fmt.Errorf("/dev/%s: %w", chip.Name, err)
	}
	defer c.Close() // the lines stay
	if o.ActiveLow {
		opts = append(opts, gpiocdev.AsActiveLow)
	}
	l, err := c.RequestLines(offsets, opts...)
	if err != nil {
		return nil, refused(c, o.Lines, offsets, err)
	}
	return &lines{l, make([]int, len(offsets)), changed}, nil
}

// refused words the error of a request.
func refused(c *gpiocdev.Chip, names []string, offsets []int, err error) error {
	switch {
	case errors.Is(err, unix.EBUSY):
		for i, n := range offsets {
			if info, e := c.LineInfo(n); e == nil && info.Used {
				who := info.Consumer
				if who == "" {
					who = "the kernel"
				}
				return fmt.Errorf("line %s of %s is in use by %q: end that program, or use another line", names[i], c.Name, who)
			}
		}
		return fmt.Errorf("a line of %s is in use: %s", c.Name, strings.Join(names, " "))
	case errors.Is(err, fs.ErrPermission):
		path := "/dev/" + c.Name
		return fmt.Errorf("%s: no permission: %s", path, device.Permission(path))
	}
	return fmt.Errorf("lines %s of %s: %w", strings.Join(names, " "), c.Name, err)
}

// Set drives the lines.
func (l *lines) Set(active uint64) error {
	for i := range l.values {
		l.values[i] = int(active >> i & 1)
	}
	return l.SetValues(l.values)
}

// Get reads the lines.
func (l *lines) Get() (active uint64, err error) {
	if err := l.Values(l.values); err != nil {
		return 0, err
	}
	for i, v := range l.values {
		active |= uint64(v&1) << i
	}
	return active, nil
}

// Changed tells of edges.
func (l *lines) Changed() <-chan struct{} { return l.changed }
