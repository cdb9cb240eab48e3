//go:build kernel

package board

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing/hand"
)

// A short game with all that is hard: en passant, a promotion to a knight that must be asked for, castling, captures, mate.
var shortGame = []string{
	"e4", "a6", "e5", "d5", "exd6", "h6", "dxc7", "h5", "cxb8=N", "Rxb8", "Nf3", "Rh6", "Bc4", "a5", "O-O", "a4", "Ne5", "Ra8", "Bxf7#",
}

// calm are hands that do one thing after another, without mishaps, at the pace of a quick game.
var calm = hand.Style{
	Gap:     hand.Range{250, 800},
	Carry:   hand.Range{250, 600},
	Capture: hand.CaptureOrder{VictimFirst: 3, OwnFirst: 1, OneMotion: 0},
	Castle:  hand.CastleOrder{KingFirst: 1},
}

// sensors are what the hands move men over: bit i is the contact of square i, a1 to h8.
type sensors interface{ Set(closed uint64) }

// presence is the board's picture as contacts.
func presence(pos rules.Position) uint64 { return uint64(pos.Occupied()) }

// play plays a game by hand over contacts.
func (d *daemon) play(t *testing.T, name string, s sensors, game []string, seed uint64, between func(ply int)) {
	t.Helper()
	closed := presence(rules.Start())
	d.playOn(t, name, board.Presence, game, seed, between, func(in board.Input) {
		bit := uint64(in.Square.Bit())
		if closed &^= bit; in.Symbol != board.Empty {
			closed |= bit
		}
		s.Set(closed)
	})
}

// playOn plays a game by hand, as people do: at their own pace. Only when the board is two plies behind do they wait for it, because
// this machine may be slow. It calls between after each ply, and change for all that the hands do.
func (d *daemon) playOn(t *testing.T, name string, acuity board.Acuity, game []string, seed uint64, between func(ply int), change func(board.Input)) {
	t.Helper()
	start := rules.Start()
	script := hand.NewScript(calm, hand.Sensor{Acuity: acuity, PeriodMs: 1}, start, seed)
	pos := start
	for _, san := range game {
		m, err := pos.ParseSAN(san)
		if err != nil {
			t.Fatal(err)
		}
		script.Move(m, hand.Manner{Answer: hand.ByCommand})
		pos.Play(m)
	}
	shown := script.Perform()
	went := time.Now() // when the hands began, less what they have waited
	for i, next := 0, 0; i <= len(shown.Plies); i++ {
		// The changes of one ply are those before the next man is lifted.
		for ; next < len(shown.Inputs) && (i == len(shown.Plies) || shown.Inputs[next].T < shown.Plies[i].LiftedMs); next++ {
			in := shown.Inputs[next]
			due := time.Duration(in.T) * time.Millisecond
			switch in.Kind {
			case board.Change:
				<-time.After(time.Until(went.Add(due)))
				change(in)
			case board.Cmd: // answered at once: boardd does not wait for long
				seen := func(what string) func() bool {
					return func() bool {
						return slices.ContainsFunc(d.events(t, name), func(e event) bool { return e.Type == what })
					}
				}
				eventually(t, "the prompt for the promotion", time.Minute, seen("promotion_pending"))
				d.command(t, name, in.Command.Verb, fmt.Sprintf(`{"piece":%q}`, in.Command.Piece))
				eventually(t, "the answer is taken", time.Minute, seen("command"))
			default:
				t.Fatalf("hands made an input of kind %d", in.Kind)
			}
			// Hands that were held up do not hurry after it.
			if late := time.Since(went.Add(due)); late > 0 {
				went = went.Add(late)
			}
		}
		if i == 0 {
			continue
		}
		eventually(t, fmt.Sprintf("ply %d of %v on %s", i-1, game, name), 90*time.Second, func() bool { return len(d.moves(t, name)) >= i-1 })
		between(i)
	}
}

// moves are the moves that stand.
func (d *daemon) moves(t *testing.T, name string) (san []string) {
	for _, e := range d.events(t, name) {
		switch e.Type {
		case "move":
			san = append(san, e.SAN)
		case "takeback":
			san = san[:min(e.ToPly, len(san))]
		}
	}
	return san
}

// setUp puts the men down one after the other and waits until the board says that they stand for the start position.
func (d *daemon) setUp(t *testing.T, name string, s sensors) {
	t.Helper()
	eventually(t, name+" is online", time.Minute, func() bool { return d.status(name) == "online" })
	closed := uint64(0)
	for men := rules.Bitboard(presence(rules.Start())); men != 0; {
		closed |= uint64(men.Pop().Bit())
		s.Set(closed)
		<-time.After(50 * time.Millisecond)
	}
	eventually(t, name+" has its men set up", time.Minute, func() bool { return d.state(t, name).Match })
}

// ended checks a game that was played to its end: these moves, and no event that tells of trouble. A doubt is none: on a slow machine
// hands rest where they would not.
func (d *daemon) ended(t *testing.T, name string, game []string, further ...string) {
	t.Helper()
	eventually(t, "the end of the game on "+name, time.Minute, func() bool {
		return slices.ContainsFunc(d.events(t, name), func(e event) bool { return e.Type == "game_end" })
	})
	want := game
	if d.tooLate(t, name) {
		t.Logf("%s: this machine was too slow to answer the prompt in time", name)
		want = slices.Clone(game)
		for i, san := range want {
			want[i] = strings.Replace(san, "=N", "=Q", 1)
		}
	}
	if got := d.moves(t, name); !slices.Equal(got, want) {
		t.Errorf("%s: moves %v, want %v", name, got, want)
	}
	allowed := append([]string{"setup", "game_start", "move", "check", "promotion_pending", "game_end", "board_online", "command", "doubt", "resolved"}, further...)
	events := d.events(t, name)
	for i, e := range events {
		if e.Seq != events[0].Seq+int64(i) || e.Epoch != events[0].Epoch {
			t.Errorf("%s: event %d after the first is %s", name, i, e.raw)
		}
		if !slices.Contains(allowed, e.Type) {
			t.Errorf("%s: an event that nobody has caused: %s", name, e.raw)
		}
		if e.Type == "game_end" && (e.Result != "1-0" || e.Reason != "checkmate") {
			t.Errorf("%s: %s", name, e.raw)
		}
	}
	if t.Failed() {
		for _, e := range events {
			t.Logf("%s", e.raw)
		}
	}
}

// tooLate reports whether the answer to a prompt came when boardd had already waited for as long as it had said.
func (d *daemon) tooLate(t *testing.T, name string) bool {
	t.Helper()
	var asked event
	for _, e := range d.events(t, name) {
		switch {
		case e.Type == "promotion_pending":
			asked = e
		case e.Type == "command" && asked.Type != "":
			return false
		case e.Type == "move" && asked.Type != "":
			return asked.DeadlineMs > 0 && e.TS.Sub(asked.TS) >= time.Duration(asked.DeadlineMs)*time.Millisecond
		}
	}
	return false
}
