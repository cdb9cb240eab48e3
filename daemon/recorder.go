package daemon

import (
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/recording"
)

// Tape is what a recording is written to; *recording.Writer is one. A tape that has a method Close is closed when the board has
// ended, and one that has a method Prune is told the time of day now and then.
type Tape interface {
	// Open begins a recording; after an error the tape may be opened again later.
	Open(o recording.Opening) error
	Input(in board.Input) error
	Bytes(t int64, b []byte) error
	Flush() error
}

// recorderLimit is how many lines may wait for the disk.
const recorderLimit = 4096

// Times of a recorder.
const (
	retryTape  = 5 * time.Second  // a tape that cannot be written is left alone
	pruneTape  = 10 * time.Minute // between looks at what is too old
	closeTapes = time.Second      // for a tape to end: a disk that stands still is not waited for
)

// recorder writes a board's recording in a goroutine of its own, so that a slow disk stalls no board. What it cannot write is left
// out, and then it begins another recording from what stands: one with a hole would tell a story that did not happen.
type recorder struct {
	tape  Tape
	log   *slog.Logger
	clock Clock
	lines chan line
	due   atomic.Int32 // a recording.Due: when the board's goroutine is to give another mark
	down  atomic.Bool  // lines are not wanted, the tape has failed

	lost int // lines since the last mark that found no room; only for the board's goroutine

	// Only for the goroutine of run:
	base    int64 // core time at which the recording began
	open    bool
	asked   recording.Due // for which mark was asked that has not come
	dropped int           // lines that were taken and not written since the last mark
	said    bool          // that the tape has failed
}

type line struct {
	mark  *mark
	input board.Input
	bytes []byte
}

func newRecorder(tape Tape, clock Clock, log *slog.Logger) *recorder {
	return &recorder{tape: tape, clock: clock, log: log, lines: make(chan line, recorderLimit)}
}

// wants reports whether the board's goroutine is to give a mark before the next line. quiet is asked only where it matters.
func (r *recorder) wants(quiet func() bool) bool {
	if r.down.Load() {
		return false
	}
	if r.lost > 0 {
		return true
	}
	switch recording.Due(r.due.Load()) {
	case recording.DueNow:
		return true
	case recording.DueQuiet:
		return quiet()
	}
	return false
}

// turn begins another recording.
func (r *recorder) turn(m *mark) {
	m.lost = r.lost
	select {
	case r.lines <- line{mark: m}:
		r.lost = 0
		r.due.Store(int32(recording.NotDue))
	default: // there is still no room: later
	}
}

func (r *recorder) Input(in board.Input) { r.put(line{input: in}) }
func (r *recorder) Bytes(t int64, b []byte) {
	r.put(line{input: board.Input{T: t}, bytes: append([]byte{}, b...)})
}

func (r *recorder) put(l line) {
	if r.lost == 0 && !r.down.Load() {
		select {
		case r.lines <- l:
			return
		default:
			r.log.Warn("the disk is too slow for the recording: it will go on with a gap")
		}
	}
	r.lost++
}

// run writes until the board has ended, and then what is left. It flushes whenever there is nothing to do.
func (r *recorder) run(done <-chan struct{}) {
	retry := time.NewTimer(time.Hour)
	retry.Stop()
	defer retry.Stop()
	prune := time.NewTicker(pruneTape)
	defer prune.Stop()
	for {
		select {
		case l := <-r.lines:
			if err := r.write(l); err != nil {
				r.fail(err)
				retry.Reset(retryTape)
			}
		case <-retry.C:
			r.again()
		case <-prune.C:
			if t, ok := r.tape.(interface{ Prune(time.Time) error }); ok {
				if err := t.Prune(r.clock.Wall()); err != nil {
					r.log.Warn("old recordings are still there", "err", err)
				}
			}
		case <-done:
			r.end()
			return
		}
	}
}

func (r *recorder) end() {
	for len(r.lines) > 0 {
		if err := r.write(<-r.lines); err != nil {
			r.fail(err)
		}
	}
	if t, ok := r.tape.(interface{ Close() error }); ok {
		if err := t.Close(); err != nil {
			r.log.Warn("the recording could not be closed", "err", err)
		}
	}
}

// fail says once that the tape cannot be written.
func (r *recorder) fail(err error) {
	r.down.Store(true)
	r.due.Store(int32(recording.NotDue))
	r.open, r.asked = false, recording.NotDue
	if !r.said {
		r.said = true
		r.log.Error("the recording stops until it can be written", "err", err)
	}
}

// again has the tape tried once more.
func (r *recorder) again() {
	r.down.Store(false)
	r.ask(recording.DueNow)
}

// ask wants another mark, once each way.
func (r *recorder) ask(due recording.Due) {
	if due > r.asked {
		r.asked = due
		r.due.Store(int32(due))
	}
}

func (r *recorder) write(l line) (err error) {
	switch {
	case l.mark != nil:
		l.mark.lost += r.dropped
		if err = r.begin(l.mark); err != nil {
			r.dropped = l.mark.lost
			return err
		}
	case !r.open:
		r.dropped++
		return nil
	case l.bytes != nil:
		err = r.tape.Bytes(l.input.T-r.base, l.bytes)
	default:
		l.input.T -= r.base
		err = r.tape.Input(l.input)
	}
	if err == nil && len(r.lines) == 0 {
		err = r.tape.Flush()
	}
	if err != nil {
		r.dropped++
		return err
	}
	if t, ok := r.tape.(interface{ Due() recording.Due }); ok {
		r.ask(t.Due())
	}
	return nil
}

// begin opens a recording and says what the board's sensors show.
func (r *recorder) begin(m *mark) error {
	o, lines := m.recording()
	if err := r.tape.Open(o); err != nil {
		return err
	}
	for _, l := range lines {
		var err error
		if l.bytes != nil {
			err = r.tape.Bytes(0, l.bytes)
		} else {
			err = r.tape.Input(l.input)
		}
		if err != nil {
			return err
		}
	}
	if r.said || m.lost > 0 {
		r.log.Info("the recording goes on", "lines_lost", m.lost)
	}
	r.base, r.open, r.asked, r.dropped, r.said = m.t, true, recording.NotDue, 0, false
	return nil
}

// recorders hear the same.
type recorders []*recorder

func (rs recorders) Input(in board.Input) {
	for _, r := range rs {
		r.Input(in)
	}
}

func (rs recorders) Bytes(t int64, b []byte) {
	for _, r := range rs {
		r.Bytes(t, b)
	}
}
