package line

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/port"
)

// Times of ports, of the time of day: wires know no faster clock.
const (
	glance      = 500 * time.Millisecond // between two looks whether something was plugged in or pulled out
	firstAsking = time.Second            // before a port whose board did not answer is asked again: doubled each time,
	lastAsking  = 30 * time.Second       // up to this
)

// Auto is the path of a port that is looked for.
const Auto = "auto"

// Board is a board that wants a line.
type Board struct {
	ID     string
	Driver string              // told in errors; a port that did not answer one kind of board may answer another
	Hint   string              // part of the names that udev gives to such boards: ports of such a name are asked first; "" for none
	Port   port.Options        // with the path Auto the port is looked for; the folder of locks is that of Lines
	Ask    func() board.Driver // makes what says Online when the board has answered
	Within time.Duration       // for an answer; 0: nothing can be asked
}

// Way is one board's way to its line. It is for one goroutine.
type Way struct {
	board Board
	lines *Lines

	before <-chan struct{} // closed when the boards before this one have looked for their ports once; nil: nobody is before
	looked chan struct{}   // closed when this one has
	said   string          // what is missing
}

// Way gives a board its way to its line. Boards that look for theirs are asked for in the order of the calls.
func (p *Lines) Way(b Board) *Way {
	w := &Way{board: b, lines: p}
	if b.Port.Path == Auto {
		w.before, w.looked = p.last, make(chan struct{})
		p.last = w.looked
	}
	return w
}

// absent says what is to be plugged in, switched on or pulled out.
type absent string

func (a absent) Error() string        { return string(a) }
func (a absent) Is(target error) bool { return target == fs.ErrNotExist }

// Open opens the board's port. When it is not there that is said once; from then on it is waited for.
func (w *Way) Open(ctx context.Context) (*Line, error) {
	find := w.named
	if w.board.Port.Path == Auto {
		find = w.search
	}
	for {
		l, err := find(ctx)
		if err == nil {
			w.said = ""
			return l, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !errors.Is(err, fs.ErrNotExist) || err.Error() != w.said {
			w.said = err.Error()
			return nil, err
		}
		timer := time.NewTimer(glance)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil, ctx.Err()
		case <-timer.C:
		}
	}
}

// named opens the port that the configuration names.
func (w *Way) named(context.Context) (*Line, error) {
	if _, err := port.DeviceAt(w.board.Port.Path); err != nil {
		return nil, err
	}
	if by := port.Holder(w.board.Port.Path); by != "" {
		return nil, fmt.Errorf("serial port %s is %w: end %s", w.board.Port.Path, port.ErrBusy, by)
	}
	return w.lines.take(w.board.ID, w.board.Port)
}

// search looks for the board among the ports that nobody has: where it was last, then where the name says that it may be,
// then at all others. Of boards without an answer there can be only one.
func (w *Way) search(ctx context.Context) (*Line, error) {
	if w.before != nil { // the boards share out their ports in the order of the configuration
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-w.before:
		}
		w.before = nil
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case w.lines.asking <- struct{}{}:
	}
	defer func() {
		<-w.lines.asking
		if w.looked != nil {
			close(w.looked)
			w.looked = nil
		}
	}()
	free := w.lines.free(w.board.ID, w.board.Hint)
	if w.board.Within == 0 && len(free) > 1 {
		return nil, absent(fmt.Sprintf("several serial ports are here, and such boards cannot be told apart: set port to one of %s", strings.Join(free, " ")))
	}
	var silent []string
	var busy error
	for _, path := range free {
		l, err := w.try(ctx, path)
		if errors.Is(err, errBetter) {
			path = w.lines.homeOf(w.board.ID)
			l, err = w.try(ctx, path)
		}
		switch {
		case err == nil && l != nil:
			return l, nil
		case err == nil:
			silent = append(silent, path)
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case !errors.Is(err, fs.ErrNotExist): // pulled out a moment ago
			busy = err
		}
	}
	switch {
	case len(silent) > 0:
		return nil, absent(fmt.Sprintf("no board of the driver %s answers at %s: switch it on, or see whether driver and port are right", w.board.Driver, strings.Join(silent, " ")))
	case busy != nil:
		return nil, busy
	}
	return nil, absent("no free serial port is here: plug the board in, or set port")
}

// try opens a port and asks whether the board is there. Without an answer, or while the port is left alone because there was none,
// there is no line.
func (w *Way) try(ctx context.Context, path string) (*Line, error) {
	device, err := port.DeviceAt(path)
	if err != nil {
		return nil, err
	}
	rest := w.lines.resting(enquiry{device, w.board.Driver})
	if time.Now().Before(rest.until) {
		return nil, nil
	}
	l, err := w.hello(ctx, path)
	if errors.Is(err, errBetter) {
		return nil, err
	}
	if l == nil {
		rest.pause = min(max(2*rest.pause, firstAsking), lastAsking)
		rest.until = time.Now().Add(rest.pause)
		return nil, err
	}
	rest.pause = 0
	w.lines.settle(w.board.ID, path)
	return l, nil
}

// hello opens a port that nobody else has open, and gives it if the board answers there.
func (w *Way) hello(ctx context.Context, path string) (*Line, error) {
	if by := port.Holder(path); by != "" {
		return nil, fmt.Errorf("serial port %s is %w: %s", path, port.ErrBusy, by)
	}
	o := w.board.Port
	o.Path = path
	l, err := w.lines.take(w.board.ID, o)
	if err != nil || w.board.Within == 0 {
		return l, err
	}
	there, err := identify(ctx, l, w.board.Ask(), w.board.Within, func() bool { return w.better(path) })
	if there {
		return l, nil
	}
	if closed := l.Close(); err == nil {
		err = closed
	}
	return nil, err
}

// better reports whether the board has come back where it was, while another port is asked.
func (w *Way) better(path string) bool {
	home := w.lines.homeOf(w.board.ID)
	device, err := port.DeviceAt(home)
	return err == nil && path != home && slices.Contains(w.lines.free(w.board.ID, ""), home) &&
		time.Now().After(w.lines.resting(enquiry{device, w.board.Driver}).until)
}

// errBetter ends the asking at a port when there is a better one.
var errBetter = errors.New("the board is back where it was")
