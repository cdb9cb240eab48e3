package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/daemon"
	"github.com/boardd/boardd/driver/emulator"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing/hand"
)

// realGames reads real games from testdata, at most so many, spread over the whole file.
func realGames(t testing.TB, most int) (games []playable) {
	t.Helper()
	f, err := os.Open("../../testdata/games/train.tsv.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for s := bufio.NewScanner(z); s.Scan(); {
		if fields := strings.Split(s.Text(), "\t"); len(fields) == 3 && fields[1] == "startpos" && len(strings.Fields(fields[2])) >= 20 {
			lines = append(lines, fields[2])
		}
	}
	if len(lines) < most {
		t.Fatalf("only %d games", len(lines))
	}
	for i := range most {
		g := playable{start: rules.Start()}
		pos := g.start
		for _, uci := range strings.Fields(lines[i*len(lines)/most]) {
			m, err := pos.ParseUCI(uci)
			if err != nil {
				t.Fatal(err)
			}
			g.moves = append(g.moves, m)
			pos.Play(m)
		}
		games = append(games, g)
	}
	return games
}

// soakFaults is what a bad line does all the time.
var soakFaults = emulator.Faults{Cut: 0.003, Twice: 0.003, Late: 0.01, LateMs: 300, Foreign: 0.003, Parity: 0.0002, Deaf: 0.003}

// outage is a time in which nothing reaches the other side, or in which the board is not plugged in.
type outage struct {
	from, to int64
	unplug   bool // else silence
	reboot   bool // without power meanwhile
}

// soaked is what came of a game on an emulated board.
type soaked struct {
	moves []string   // that stand at the end
	asked [][]string // what may have been played after them, if that is a question
	tally emulator.Tally
	away  int // outages
	log   []string
}

// soak plays a performance on an emulated board over a bad line, in the board's own time and as fast as it goes: hands, machine of the
// board, bytes, faults, machine of the driver, table.
//
// On boards that do not know their men nothing goes wrong any more once the last move begins: that a man was off its square for a
// moment says of it that it was captured, and no later move can make up for not having seen that.
func soak(t testing.TB, e *emulation, g *playable, perf *hand.Performance, faults emulator.Faults, outages []outage, seed uint64) (r soaked) {
	t.Helper()
	opening, err := e.opening()
	if err != nil {
		t.Fatal(err)
	}
	opt, err := tableOptions(&opening)
	if err != nil {
		t.Fatal(err)
	}
	drivers, err := newDriver(&opening, false)
	if err != nil {
		t.Fatal(err)
	}
	table := game.NewTable(opt)
	line := emulator.NewLine(newBoardOf(t, e), 0, seed)
	var written []byte
	f := daemon.Feeder{Table: table, NewDriver: drivers, Write: func(b []byte) { written = append(written, b...) }}
	f.Emit = func(out game.Output) {
		for _, e := range out.Events {
			if d, ok := e.Body.(*game.Doubt); ok {
				r.asked = nil
				for _, c := range d.Candidates {
					r.asked = append(r.asked, c.UCI)
				}
			}
			r.log = append(r.log, fmt.Sprintf("%d %s %d %+v", f.Now(), e.Type, e.Ply, e.Body))
		}
		if s := out.Snapshot; s != nil && (s.Pending == nil || s.Pending.Kind != "doubt") {
			r.asked = nil // answered
		}
	}
	for q := range rules.NoSquare {
		line.Set(q, board.PieceAcuity.See(g.start.At(q)))
	}
	now, lineWake := int64(0), int64(1)
	plugged := true
	f.Bytes(0, []byte{}) // opened
	line.Fault(faults)
	end := perf.End + soakRestMs
	inputs := perf.Inputs
	good := end // from when on nothing goes wrong
	if opt.Acuity != board.PieceAcuity {
		good = perf.Plies[len(perf.Plies)-1].LiftedMs - 1000
	}
	for now < end {
		next := end
		if now < good {
			next = good
		}
		for _, at := range []int64{lineWake, f.Wake()} {
			if at != 0 {
				next = min(next, at)
			}
		}
		if len(inputs) > 0 {
			next = min(next, inputs[0].T)
		}
		if len(written) > 0 {
			next = min(next, now+1)
		}
		if len(outages) > 0 {
			at := outages[0].from
			if at <= now {
				at = outages[0].to
			}
			next = min(next, at)
		}
		if now = max(next, now); now >= good && now < end {
			faults = emulator.Faults{}
			line.Fault(faults)
		}
		if len(outages) > 0 {
			switch o := &outages[0]; {
			case now == o.from:
				r.away++
				line.Fault(emulator.Faults{Silent: true})
				if o.unplug {
					plugged, written = false, nil
					f.Input(board.Input{T: now, Kind: board.Link})
				}
			case now == o.to:
				line.Fault(faults)
				if o.reboot {
					line.Connect(newBoardOf(t, e))
				}
				if o.unplug {
					plugged = true
					f.Bytes(now, []byte{})
				}
				outages = outages[1:]
			}
		}
		var commands []board.Input
		for len(inputs) > 0 && inputs[0].T <= now {
			switch in := inputs[0]; in.Kind {
			case board.Change:
				line.Set(in.Square, in.Symbol)
			case board.Cmd:
				commands = append(commands, in)
			}
			inputs = inputs[1:]
		}
		to := written
		written = nil
		var out []byte
		out, lineWake = line.Step(now, to)
		if len(out) > 0 && plugged {
			f.Bytes(now, out)
		}
		for _, in := range commands {
			f.Input(in)
		}
		f.Advance(now)
	}
	f.Input(board.Input{T: end, Kind: board.End})
	r.tally = line.Tally()
	if games := table.Games(); len(games) > 0 {
		r.moves = games[len(games)-1].UCI
	}
	return r
}

func newBoardOf(t testing.TB, e *emulation) emulator.Machine {
	t.Helper()
	m, err := e.machine()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// soakRestMs is how long the hands rest after a game: what was lost of its last move is to be found by then.
const soakRestMs = 60_000

// soakHands are people who play without haste.
func soakHands(t testing.TB, e *emulation, seed uint64) hands {
	t.Helper()
	a, err := e.acuity()
	if err != nil {
		t.Fatal(err)
	}
	h, err := handsOf("", a, seed)
	if err != nil {
		t.Fatal(err)
	}
	h.handled = true
	if a != board.PieceAcuity { // such boards look up to twice a second, and see a capture only if its square is empty for as long
		h.style.Gap, h.style.Carry, h.style.OneMotionGap = hand.Range{2000, 3500}, hand.Range{1200, 1800}, hand.Range{1200, 1800}
		h.style.Capture = hand.CaptureOrder{VictimFirst: 1}
	}
	return h
}

// soakGame is a game with times at which the board is away. People wait for a board that is away, sometimes only after a move that
// it has not seen: of two moves of one side not even a board that knows its pieces can say which was first. Boards that see less get
// no such move, for they cannot say where a man has captured.
func soakGame(t testing.TB, e *emulation, g *playable, seed uint64) (perf hand.Performance, outages []outage) {
	t.Helper()
	dice := rand.New(rand.NewPCG(seed, 0x736f616b))
	h := soakHands(t, e, seed)
	away := map[int]bool{} // before which plies
	for range 2 {
		away[2+dice.IntN(len(g.moves)-2)] = dice.IntN(2) == 0 && h.sensor.Acuity == board.PieceAcuity
	}
	s := hand.NewScript(h.style, h.sensor, g.start, seed)
	s.Wait(quietMs + 2000)
	for i, m := range g.moves {
		if unseen, ok := away[i]; ok && !unseen {
			s.Wait(soakPauseMs)
		}
		if away[i-1] {
			s.Wait(soakPauseMs)
		}
		s.Move(m, hand.Manner{Answer: hand.ByCommand})
	}
	perf = s.Handled()
	for i, ply := range perf.Plies {
		unseen, ok := away[i]
		if !ok {
			continue
		}
		o := outage{from: perf.Plies[i-1].DoneMs + soakSeenMs, unplug: dice.IntN(2) == 0}
		o.to = ply.LiftedMs - soakBackMs
		if unseen {
			o.from = ply.LiftedMs - 100 + dice.Int64N(200)
			o.to = perf.End
			if i+1 < len(perf.Plies) {
				o.to = perf.Plies[i+1].LiftedMs - soakBackMs
			}
		}
		o.to = o.from + 100 + dice.Int64N(o.to-o.from-100)
		o.reboot = o.unplug && dice.IntN(2) == 0
		if n := len(outages); n == 0 || outages[n-1].to < o.from {
			outages = append(outages, o)
		}
	}
	return perf, outages
}

const (
	soakPauseMs = 60_000 // people wait for a board that is away
	soakSeenMs  = 6_000  // a move has been seen, also on a bad line
	soakBackMs  = 40_000 // a board that is back has been seen to be there; a DGT board may have to send its log, which takes 8 s
)

// soakBoards are the boards of the soak: those of the demo, and home-made ones of several kinds.
func soakBoards() map[string]*emulation {
	boards := maps.Clone(emulations)
	delete(boards, "text")
	for _, p := range []string{"chesswiz", "echess", "liboard", "roniterv"} {
		boards["text "+p] = ofPreset(p)
	}
	return boards
}

// saysOnce are boards that say a change once and cannot be asked what stands on them. What of it is lost on the line is lost, so
// their lines are only late and say things twice.
var saysOnce = map[string]bool{"text echess": true, "text liboard": true}

// TestSoakSerial is TestBadLines with 200 games of each protocol, or as many as BOARDD_SOAK_SERIAL says.
func TestSoakSerial(t *testing.T) {
	games := 200
	if text := os.Getenv("BOARDD_SOAK_SERIAL"); text != "" {
		var err error
		if games, err = strconv.Atoi(text); err != nil || games < 1 {
			t.Fatalf("BOARDD_SOAK_SERIAL=%s: use a number of games", text)
		}
	} else if os.Getenv("BOARDD_SOAK") == "" {
		t.Skip("make soak-serial")
	}
	badLines(t, games)
}

// No move is lost on a bad line, whatever the protocol: all that was played stands at the end, or is asked about, as when a game ends
// with a capture that the board has not seen whole.
func TestBadLines(t *testing.T) {
	t.Parallel()
	badLines(t, 3)
}

func badLines(t *testing.T, games int) {
	t.Helper()
	all := realGames(t, games)
	for name, e := range soakBoards() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var sum emulator.Tally
			plies, away, asked := 0, 0, 0
			for i := range all {
				g := &all[i]
				perf, outages := soakGame(t, e, g, uint64(i))
				faults := soakFaults
				if saysOnce[name] {
					faults, outages = emulator.Faults{Late: soakFaults.Late, LateMs: soakFaults.LateMs, Twice: soakFaults.Twice}, nil
				}
				r := soak(t, e, g, &perf, faults, outages, uint64(i))
				plies, away = plies+len(g.moves), away+r.away
				add(&sum, r.tally)
				want := ucis(g)
				if same, summary := compare(want, r.moves); !same {
					asks := func(moves []string) bool { return slices.Equal(slices.Concat(r.moves, moves), want) }
					if slices.ContainsFunc(r.asked, asks) {
						asked++
						continue
					}
					t.Errorf("game %d: %s; the board was away %+v\n%s", i, summary, outages, strings.Join(r.log[max(0, len(r.log)-20):], "\n"))
				}
			}
			if sum.Faults() == 0 || away == 0 && !saysOnce[name] {
				t.Error("nothing went wrong: this tells nothing")
			}
			t.Logf("%s: %d games, %d plies; %d faults on the line (%+v), %d times away; %d games end with a question", name, len(all), plies, sum.Faults(), sum, away, asked)
		})
	}
}

func add(sum *emulator.Tally, t emulator.Tally) {
	sum.Bursts += t.Bursts
	sum.Cut += t.Cut
	sum.Twice += t.Twice
	sum.Late += t.Late
	sum.Foreign += t.Foreign
	sum.Parity += t.Parity
	sum.Deaf += t.Deaf
	sum.Muted += t.Muted
}

// Hands that play on all soak boards over good lines are understood: else the soak would tell nothing of lines.
func TestGoodLines(t *testing.T) {
	t.Parallel()
	all := realGames(t, 2)
	for name, e := range soakBoards() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i := range all {
				g := &all[i]
				perf, _ := soakGame(t, e, g, uint64(i))
				r := soak(t, e, g, &perf, emulator.Faults{}, nil, uint64(i))
				if same, summary := compare(ucis(g), r.moves); !same || r.tally.Faults() != 0 {
					t.Errorf("game %d: %s, %+v\n%s", i, summary, r.tally, strings.Join(r.log[max(0, len(r.log)-20):], "\n"))
				}
			}
		})
	}
}
