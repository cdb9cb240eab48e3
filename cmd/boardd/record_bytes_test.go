package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/daemon"
	"github.com/boardd/boardd/driver/emulator"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing/hand"
)

// Every board that speaks bytes, as its emulator plays it.
func TestCutsOfEmulatedBoardsReplay(t *testing.T) {
	t.Parallel()
	const speed, plies = 12, 14
	for _, name := range emulationNames() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := emulations[name]
			own := *e
			own.options.Scale = speed
			opening, err := own.opening()
			if err != nil {
				t.Fatal(err)
			}
			drivers, err := newDriver(&opening, false)
			if err != nil {
				t.Fatal(err)
			}
			a, err := e.acuity()
			if err != nil {
				t.Fatal(err)
			}
			h, err := handsOf("", a, 3)
			if err != nil {
				t.Fatal(err)
			}
			script := hand.NewScript(h.style, h.sensor, rules.Start(), 3)
			for _, m := range opened(t, plies) {
				script.Move(m, hand.Manner{})
			}
			perf := script.Handled()
			machine, err := e.machine()
			if err != nil {
				t.Fatal(err)
			}
			start := rules.Start()
			for s := range rules.NoSquare {
				machine.Set(s, board.PieceAcuity.See(start.At(s)))
			}
			cutting{
				opening: opening, newDriver: drivers, speed: speed, piece: 6 * time.Second, seed: 9, plies: plies,
				source: sourceFunc(func(ctx context.Context, sink *daemon.Sink) error { return emulate(ctx, sink, machine, perf.Inputs) }),
			}.run(t)
		})
	}
}

// emulate is a port behind which a machine answers, in the daemon's time.
func emulate(ctx context.Context, sink *daemon.Sink, m emulator.Machine, hands []board.Input) error {
	const restMs = 8000 // the board is found, and a game begun
	timer := sink.Clock().NewTimer()
	defer timer.Stop()
	sink.Opened()
	begin := sink.Clock().Now() + restMs
	var heard []byte
	for {
		now := sink.Clock().Now()
		for len(hands) > 0 && hands[0].T+begin <= now {
			if in := hands[0]; in.Kind == board.Change {
				m.Set(in.Square, in.Symbol)
			}
			hands = hands[1:]
		}
		out, wake := m.Step(now, heard)
		heard = nil
		if len(out) > 0 {
			sink.Bytes(out)
		}
		if len(hands) > 0 && (wake == 0 || hands[0].T+begin < wake) {
			wake = hands[0].T + begin
		}
		timer.Set(wake)
		select {
		case <-ctx.Done():
			return nil
		case heard = <-sink.Out():
		case <-timer.C():
		}
	}
}

// The same with the bytes of a real board, on a pseudo terminal: a cut begins in the midst of the conversation.
func TestCutsOfBytesReplay(t *testing.T) {
	t.Parallel()
	const capture, speed = "capture1", 40
	player, _ := playing(t, capture, speed, 3)
	data := t.TempDir()
	conf := fmt.Sprintf("[node]\nname = \"cut\"\ndata = %q\nsocket = \"\"\n[mqtt]\nlisten = \"127.0.0.1:0\"\n[[board]]\nid = \"table\"\ndriver = \"dgt\"\nport = %q\n", data, player.Path())
	m := &Main{Speed: speed, piece: 20 * time.Second, Config: parsed(t, conf)}
	_, stop := living(t, m)
	named := file(t, "boardd.toml", conf)
	var cuts [][]byte
	last := func(span string) []byte {
		code, out, errs := boardd("record", "-c", named, "--board", "table", "--last", span)
		if code != 0 || !strings.Contains(errs, " from ") {
			t.Fatalf("code %d: %s", code, errs)
		}
		return []byte(out)
	}
	dice := rand.New(rand.NewPCG(5, 5))
	for done := false; !done; {
		select {
		case <-player.Done():
			done = true
		case <-time.After(time.Duration(100+dice.IntN(300)) * time.Millisecond):
			if code, _, _ := boardd("record", "-c", named, "--last", "1s"); code == 0 {
				cuts = append(cuts, last(fmt.Sprintf("%ds", 1+dice.IntN(120))))
			}
		}
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	want := movesOf(t, capture)
	midst := 0
	for i, cut := range append(cuts, last("1s"), last("100h")) {
		_, sum := replayed(t, cut)
		n := len(sum.UCI)
		whole := n
		if i < len(cuts) && n > 0 && n <= len(want) && onTheWay(sum.UCI[n-1], want[n-1]) {
			whole-- // the man was drawn over other squares when the cut was made: he stands where he was then
		}
		if n > len(want) || !slices.Equal(sum.UCI[:whole], want[:whole]) || i >= len(cuts) && n != len(want) {
			t.Errorf("cut %d of %d ends with %v\nplayed was %v\n%.3000s", i, len(cuts), sum.UCI, want, cut)
		}
		if bytes.Contains(cut, []byte(`"again":2`)) {
			midst++
		}
	}
	if t.Logf("%d cuts, %d of them from the midst", len(cuts), midst); midst < 3 {
		t.Error("that is no test")
	}
}

// onTheWay reports that a move ends on a square over which another one goes.
func onTheWay(short, move string) bool {
	file, rank := int(move[2])-int(move[0]), int(move[3])-int(move[1])
	steps := max(file, -file, rank, -rank)
	for i := 1; i < steps && (file == 0 || rank == 0 || file == rank || file == -rank); i++ {
		if short == fmt.Sprintf("%s%c%c", move[:2], int(move[0])+file/steps*i, int(move[1])+rank/steps*i) {
			return true
		}
	}
	return false
}
