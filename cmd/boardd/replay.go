package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/daemon"
	"github.com/boardd/boardd/files"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/recording"
)

// newReplayCommand runs recordings through the code that runs boards.
func newReplayCommand() *cobra.Command {
	var asJSON bool
	var language string
	cmd := &cobra.Command{
		Use:   "replay FILE…",
		Short: "Run recordings through the code that runs boards",
		Long: "replay gives the recordings in FILE (- is the standard input; gzip is understood) to the code that runs boards, in the\n" +
			"recordings' own time, as fast as it can, and prints what comes of it. A line that cannot be read is reported, the rest is\n" +
			"still processed, and the exit code is 1. A line of more than 1 MB ends its file.",
		Args: needs("a FILE"),
		RunE: func(cmd *cobra.Command, names []string) error {
			words, err := speech(language)
			if err != nil {
				return err
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			r := replay{errs: cmd.ErrOrStderr()}
			if asJSON {
				r.say = &jsonReport{out: out}
			} else {
				r.say = &textReport{out: out, words: words}
			}
			for _, name := range names {
				if err := r.open(cmd.Context(), name, cmd.InOrStdin()); err != nil {
					return errors.Join(err, out.Flush())
				}
			}
			if err := out.Flush(); err != nil {
				return fmt.Errorf("write: %w", err)
			}
			if r.faults > 0 && r.recs == 0 {
				return fmt.Errorf("%s, and no recording was replayed", count(r.faults, "fault"))
			}
			if r.faults > 0 {
				return fmt.Errorf("%s in the recordings; the rest was processed", count(r.faults, "fault"))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print every event as a line of JSON, and a summary of each recording")
	addLanguageFlag(cmd, &language)
	return cmd
}

// report prints what a replay brings.
type report interface {
	begin(rec int, o *recording.Opening, file string)
	event(rec int, o *recording.Opening, e *game.Event) error
	end(p *playback) error
}

// replay goes through files; recordings are counted through all of them.
type replay struct {
	say    report
	errs   io.Writer
	recs   int // recordings so far
	faults int
}

// open replays one file. Faults of the file are reported; an error ends everything.
func (r *replay) open(ctx context.Context, name string, stdin io.Reader) error {
	if name == "-" {
		return r.file(ctx, "-", files.Until(ctx, stdin))
	}
	f, err := files.Open(ctx, name)
	if err := ctx.Err(); err != nil {
		return err
	}
	if err != nil {
		r.fault("boardd: %v", err) // the others begin with the name of the file, as compilers do it
		return nil
	}
	defer f.Close()
	return r.file(ctx, name, f)
}

func (r *replay) fault(format string, args ...any) {
	r.faults++
	fmt.Fprintf(r.errs, format+"\n", args...)
}

func (r *replay) file(ctx context.Context, name string, in io.Reader) error {
	reader := recording.NewReader(in)
	var before unread
	defer before.say(r, name)
	var now *playback // the recording at hand; nil when its opening line was refused
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		e, err := reader.Next()
		var bad *recording.LineError
		switch {
		case err == nil && e.Opening == nil:
			if now != nil {
				now.take(e)
				if err := now.err; err != nil {
					return err
				}
			}
			continue
		case errors.As(err, &bad):
			if !before.keep(bad) {
				r.fault("%s:%d: %v", name, bad.Line, bad.Err)
			}
			continue // a refused opening line ends the recording before it with the next good one, or with the file
		}
		if now != nil {
			if err := now.end(); err != nil {
				return err
			}
			now = nil
		}
		if err == io.EOF {
			return nil
		} else if ctx.Err() != nil {
			return ctx.Err()
		} else if err != nil {
			r.fault("%s: %v", name, err)
			return nil
		}
		before.found = true
		before.say(r, name)
		if now, err = newPlayback(r.say, r.recs, name, e.Opening); err != nil {
			r.fault("%s:%d: opening line refused, its recording is skipped: %v", name, e.Line, err)
			continue
		}
		r.recs++
		now.feeder.Start()
		if now.err != nil {
			return now.err
		}
	}
}

// unread are the lines that cannot be read before the first recording of a file. There are many when the file is something else,
// and then one word about it is enough.
type unread struct {
	found bool // there is a recording
	n     int
	first []recording.LineError
}

// keep puts a line aside, if no recording has begun.
func (u *unread) keep(e *recording.LineError) bool {
	if u.found {
		return false
	}
	if u.n++; len(u.first) < 3 {
		u.first = append(u.first, *e)
	}
	return true
}

// say reports what was put aside.
func (u *unread) say(r *replay, name string) {
	if !u.found && u.n > len(u.first) {
		r.fault("%s: this is not a recording: none of its %d lines can be read; line %d: %v", name, u.n, u.first[0].Line, u.first[0].Err)
		u.n = 0
		return
	}
	for _, e := range u.first {
		r.fault("%s:%d: %v", name, e.Line, e.Err)
	}
	if more := u.n - len(u.first); more > 0 {
		r.fault("%s: %s more before the first recording cannot be read", name, count(more, "line"))
	}
	u.n, u.first = 0, nil
}

// playback is one recording being replayed.
type playback struct {
	rec     int
	opening *recording.Opening
	table   *game.Table
	feeder  daemon.Feeder
	say     report
	t       int64 // of the last line
	ended   bool
	asked   bool  // the bytes answer a driver that was running, see replayDriver
	err     error // of writing
}

func newPlayback(say report, rec int, file string, o *recording.Opening) (*playback, error) {
	opt, err := tableOptions(o)
	if err != nil {
		return nil, err
	}
	if opt.Resume, err = resumed(o); err != nil {
		return nil, err
	}
	opt.Games = fmt.Sprintf("rec%d", rec)
	p := &playback{rec: rec, opening: o, table: game.NewTable(opt), say: say}
	p.feeder = daemon.Feeder{Table: p.table, Emit: p.emit}
	if p.feeder.NewDriver, err = replayDriver(o, &p.asked); err != nil {
		return nil, err
	}
	say.begin(rec, o, file)
	return p, nil
}

func (p *playback) emit(out game.Output) {
	for i := range out.Events {
		if p.err == nil {
			p.err = p.say.event(p.rec, p.opening, &out.Events[i])
		}
	}
}

func (p *playback) take(e recording.Entry) {
	p.t = e.Input.T
	switch {
	case e.Bytes != nil:
		p.asked = p.asked || len(e.Bytes) == 0
		p.feeder.Bytes(p.t, e.Bytes)
	case e.Input.Kind == board.Wake: // a line that says nothing known
		p.feeder.Advance(p.t)
	default:
		p.ended = e.Input.Kind == board.End
		p.feeder.Input(e.Input)
	}
}

// end lets time run on as after the last line, unless the recording had its end, and sums up.
func (p *playback) end() error {
	if !p.ended {
		p.feeder.Input(board.Input{T: p.t + recording.EndAfter, Kind: board.End})
	}
	if p.err != nil {
		return p.err
	}
	return p.say.end(p)
}

// jsonReport prints lines of JSON: the same recording gives the same bytes.
type jsonReport struct{ out *bufio.Writer }

func (r *jsonReport) begin(int, *recording.Opening, string) {}

func (r *jsonReport) event(rec int, o *recording.Opening, e *game.Event) error {
	id := o.Board
	if id == "" {
		id = "board"
	}
	ts := time.UnixMilli(e.T).UTC().Format("2006-01-02T15:04:05.000Z")
	line, err := e.JSON(id, "00000000", ts, false)
	if err != nil {
		return fmt.Errorf("event %d of recording %d: %w", e.Seq, rec, err)
	}
	_, err = fmt.Fprintf(r.out, "{\"rec\":%d,\"t\":%d,%s\n", rec, e.T, line[1:])
	return err
}

func (r *jsonReport) end(p *playback) error {
	line, err := json.Marshal(struct {
		Type string `json:"type"`
		Rec  int    `json:"rec"`
		game.Summary
	}{"summary", p.rec, p.table.Summary()})
	if err != nil {
		return err
	}
	_, err = r.out.Write(append(line, '\n'))
	return err
}
