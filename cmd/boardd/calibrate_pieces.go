package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/driver/calibration"
	"github.com/boardd/boardd/driver/certabo"
	"github.com/boardd/boardd/leds/terminal"
	"github.com/boardd/boardd/rules"
)

// hasChips reports whether a driver reads chips in the men, which have to be learnt.
func hasChips(driver string) bool { return driver == "certabo" }

// errNeverLearnt is said of a board whose men's chips nobody has taught it.
var errNeverLearnt = errors.New("it was never learnt which chip is in which man: run \"boardd calibrate\"")

// learntChips reads which chip is in which man of a board.
func learntChips(c *config.Config, b *config.Board) (certabo.Table, error) {
	t, err := certabo.ReadTable(certabo.PiecesPath(c.Node.Data, b.ID))
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(t) == 0 {
		return nil, errNeverLearnt
	}
	return t, err
}

// calibratePieces learns which chip is in which man of a board; add is the FEN letter of one man more, "" for the whole set.
func calibratePieces(cmd *cobra.Command, c *config.Config, b *config.Board, add string) error {
	l := lesson{
		board: b, path: certabo.PiecesPath(c.Node.Data, b.ID), tick: 100 * time.Millisecond,
		open: func() (io.ReadWriteCloser, error) {
			want, err := serialPort(b, &recordedOptions{})
			if err != nil {
				return nil, err
			}
			return serialLines("", lockDir(), c).Way(want).Open(cmd.Context())
		},
	}
	if add != "" {
		p, ok := rules.PieceFromLetter(add[0])
		if !ok || len(add) > 1 {
			return usagef("--add %s: use the FEN letter of a piece, such as Q for a white queen and q for a black one", add)
		}
		l.add = p
	}
	can := abilities(cmd.OutOrStdout(), os.Getenv)
	keys, restore := typed(cmd.Context(), cmd.InOrStdin())
	defer restore()
	l.keys, l.screen, l.draws = keys, terminal.New(cmd.OutOrStdout(), can), can.Moves
	err := l.run(cmd.Context())
	restore()
	err = cmp.Or(err, l.screen.Close())
	if err != nil {
		return err
	}
	_, err = io.WriteString(cmd.OutOrStdout(), l.ended)
	return err
}

// lesson is the learning of chips in a terminal.
type lesson struct {
	board  *config.Board
	path   string // of the file of pieces
	add    rules.Piece
	open   func() (io.ReadWriteCloser, error)
	tick   time.Duration // between two looks at what is due
	keys   <-chan calibration.Key
	screen *terminal.Screen
	draws  bool // the screen draws the board

	ended string // what to say after the screen is left
}

// run learns until all is known, and keeps it.
func (l *lesson) run(ctx context.Context) (err error) {
	known, err := certabo.ReadTable(l.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if l.add != rules.NoPiece {
			return errors.New("no man of this board is known yet: learn the whole set first, without --add")
		}
	case err != nil && l.add != rules.NoPiece:
		return err
	case err != nil: // all of it is learnt anew
		l.screen.Say(err.Error(), terminal.Alarm)
	}
	learn := certabo.NewLearn(certabo.LearnOptions{Known: known, Turned: l.board.Orientation == "black"})
	if l.add != rules.NoPiece {
		learn.More(l.add)
	}
	l.screen.SetTitle("boardd calibrate: board " + l.board.ID + " (" + l.board.Driver + ")")
	if err := l.listen(ctx, learn); err != nil {
		return err
	}
	table := learn.Table()
	if err := table.Write(l.path); err != nil {
		return err
	}
	if err := handOver(l.path); err != nil {
		return err
	}
	l.ended = fmt.Sprintf("%d chips are known now, %d of them new. Saved in %s.\n", len(table), fresh(table, known), l.path)
	if l.add == rules.NoPiece {
		l.ended += "A spare queen, or a man of another set, is added with --add and its letter: boardd calibrate --board " + l.board.ID + " --add Q\n"
	}
	return nil
}

// fresh is how many chips of a table are not in the old one as they are.
func fresh(table, old certabo.Table) (n int) {
	for c, p := range table {
		if old[c] != p {
			n++
		}
	}
	return n
}

// listen brings the board's lines to the lesson until it is done.
func (l *lesson) listen(ctx context.Context, learn *certabo.Learn) (err error) {
	line, err := l.open()
	if err != nil {
		return err
	}
	read, failed := make(chan []byte), make(chan error, 1)
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		var buf [4096]byte
		for {
			n, err := line.Read(buf[:])
			if n > 0 {
				select {
				case read <- slices.Clone(buf[:n]):
				case <-ctx.Done():
					return
				}
			}
			if err != nil {
				failed <- err
				return
			}
		}
	}()
	defer func() {
		cancel()
		err = cmp.Or(err, line.Close())
		<-done
	}()
	ticker := time.NewTicker(l.tick)
	defer ticker.Stop()
	began := time.Now()
	for {
		l.show(learn.Lesson())
		var in []byte
		select {
		case <-ctx.Done():
			return ctx.Err()
		case key := <-l.keys:
			if key == calibration.Quit {
				return errGivenUp
			}
			continue
		case err := <-failed:
			return err
		case in = <-read:
		case <-ticker.C:
		}
		out, _ := learn.Step(time.Since(began).Milliseconds(), in)
		if len(out) > 0 {
			if _, err := line.Write(out); err != nil {
				return err
			}
		}
		switch now := learn.Lesson(); {
		case now.Other:
			return fmt.Errorf("board %s says where men stand and not which they are: set driver = \"sentio\"", l.board.ID)
		case now.Done:
			return nil
		}
	}
}

// show says what is wanted and what is wrong.
func (l *lesson) show(now certabo.Lesson) {
	var lights board.Frame
	men := terminal.Men{}
	for s, p := range now.Wants {
		men.Pieces[s] = p
		lights[s] = board.RGB{G: 90, B: 255}
	}
	l.screen.SetMen(men)
	l.screen.SetFoot(l.wish(now), hitch(now), "Keys: q gives up")
	if l.draws {
		_ = l.screen.Show(lights)
	}
}

// wish is what is wanted.
func (l *lesson) wish(now certabo.Lesson) string {
	switch {
	case !now.Heard:
		return "Waiting for the board: is it switched on?"
	case l.add != rules.NoPiece:
		return "Put the new " + called(l.add) + " on " + names(slices.Collect(maps.Keys(now.Wants))) + "."
	case len(now.Wants) > 16:
		return "Set up the start position, White on the first rank. Spare queens may stand on d3 (white) and d6 (black)."
	case len(now.Wants) > 0:
		return "Not read yet: " + names(slices.Collect(maps.Keys(now.Wants))) + "."
	}
	return ""
}

// hitch is what is wrong, if anything is.
func hitch(now certabo.Lesson) string {
	switch {
	case now.Twice != 0:
		return "One chip is read on several squares: " + names(squaresOf(now.Twice)) + ". Lift those men and put them back."
	case now.Unsteady != 0:
		return "Read differently each time: " + names(squaresOf(now.Unsteady)) + ". Put the man in the middle of its square, or take another."
	case now.Old != rules.NoPiece:
		return "The man that stands there is known already, as a " + called(now.Old) + "."
	}
	return ""
}

func squaresOf(b rules.Bitboard) (list []rules.Square) {
	for b != 0 {
		list = append(list, b.Pop())
	}
	return list
}

// names are squares in order.
func names(squares []rules.Square) string {
	slices.Sort(squares)
	words := make([]string, len(squares))
	for i, s := range squares {
		words[i] = s.String()
	}
	return strings.Join(words, " ")
}

// called is the name of a piece.
func called(p rules.Piece) string { return p.Color().String() + " " + p.Role().String() }
