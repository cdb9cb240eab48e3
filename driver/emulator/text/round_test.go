package text_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/emulator/emulatortest"
	emulated "github.com/boardd/boardd/driver/emulator/text"
	driver "github.com/boardd/boardd/driver/text"
	"github.com/boardd/boardd/rules"
)

// table is an emulated board and the driver at the other end of its line.
type table struct {
	*emulatortest.Table
	pace int64 // of the hands, in milliseconds
}

// newTable is a table on which a board has been on for six seconds.
func newTable(t emulatortest.TB, o emulated.Options, men board.Picture, change func(*driver.Options), seed uint64) *table {
	t.Helper()
	b, err := emulated.New(o)
	if err != nil {
		t.Fatalf("%v", err)
	}
	opt, ok := driver.Preset(o.Dialect)
	if !ok {
		t.Fatalf("the driver has no %s", o.Dialect)
	}
	if change != nil {
		change(&opt)
	}
	x := &table{emulatortest.New(t, driver.New(opt), b, emulatortest.Options{Sees: opt.Sees(), Men: men, Seed: seed}), 300}
	x.Run(6000)
	return x
}

func (x *table) same() bool { return x.Online && x.Said == x.Stands() }

// Boards that tell lifts or the whole position: any men, any touches, the driver sees what stands there.
func TestDriverSeesWhatStandsThere(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		o      emulated.Options
		random bool // the first position may be any
		change func(*driver.Options)
	}{
		{o: emulated.Options{Dialect: "liboard"}, random: true},
		{o: emulated.Options{Dialect: "echess", Boot: "ets Jun  8 2016\r\n"}, random: true},
		{o: emulated.Options{Dialect: "roniterv", LineEnd: "\r\n", Echo: true}, random: true},
		{o: emulated.Options{Dialect: "chesswiz", LineEnd: "\r"}, random: true},
		{o: emulated.Options{Dialect: "smart-xiao", Boot: "ets Jun  8 2016 00:22:57\r\n"}, random: true},
		{o: emulated.Options{Dialect: "squareoff-pro"}, random: true},
		{o: emulated.Options{Dialect: "gameboard-ui", Echo: true}},
		{o: emulated.Options{Dialect: "cpp", Echo: true}, random: true},
		{o: emulated.Options{Dialect: "sentio"}, random: true},
		{o: emulated.Options{Dialect: "certabo", Noise: true}},
	} {
		t.Run(c.o.Dialect, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(r *rapid.T) {
				men := emulatortest.Start()
				if c.random {
					men = board.EmptyPicture()
					for i := range rapid.IntRange(0, 30).Draw(r, "men") { // white and black in turn: a side has 16 men at most
						white := rapid.SampledFrom([]byte("PNBRQK")).Draw(r, "man")
						men[square1(r)] = board.Symbol(white + byte(i%2)*('a'-'A'))
					}
				}
				x := newTable(t, c.o, men, c.change, 0)
				var air []board.Symbol
				for range rapid.IntRange(1, 8).Draw(r, "touches") {
					s := square1(r)
					switch {
					case x.Men[s] != board.Empty:
						air = append(air, x.Men[s])
						x.Put(s, board.Empty)
					case len(air) > 0:
						x.Put(s, air[len(air)-1])
						air = air[:len(air)-1]
					}
					x.Run(rapid.Int64Range(100, 900).Draw(r, "rest"))
				}
				x.Run(6000)
				if c.o.Dialect == "liboard" && x.Changes == 0 && x.Said == (board.Picture{}) {
					return // it has said nothing since the driver listens
				}
				if !x.same() {
					r.Fatalf("the driver sees %s, there stands %s", x.Said, x.Men)
				}
			})
		})
	}
}

func square1(r *rapid.T) rules.Square { return rules.Square(rapid.IntRange(0, 63).Draw(r, "square")) }

// Boards that tell moves: legal games, and after each move the driver has every man in his place.
func TestDriverFollowsGames(t *testing.T) {
	t.Parallel()
	for _, o := range []emulated.Options{
		{Dialect: "smartchess-diym"}, {Dialect: "openchess-text", LineEnd: "\n"}, {Dialect: "cpp"}, {Dialect: "novag"},
		{Dialect: "uci-lines"}, {Dialect: "uci-lines", Spaced: true}, {Dialect: "gameboard-ui"}, {Dialect: "squareoff-pro"},
		{Dialect: "smart-xiao"}, {Dialect: "certabo"}, {Dialect: "liboard"}, {Dialect: "echess"},
	} {
		t.Run(o.Dialect, func(t *testing.T) {
			t.Parallel()
			rare := [3]int{}
			for seed := range uint64(6) {
				play(t, o, seed, &rare)
			}
			if o.Dialect != "certabo" && (rare[0] == 0 || rare[1] == 0 || rare[2] == 0) {
				t.Errorf("%d castlings, %d captures en passant, %d promotions: not what these games are for", rare[0], rare[1], rare[2])
			}
		})
	}
}

// queensOnly are boards that do not tell what a pawn becomes.
const queensOnly = "smartchess-diym openchess-text"

func play(t *testing.T, o emulated.Options, seed uint64, rare *[3]int) {
	dice := rand.New(rand.NewPCG(seed, 8))
	x := newTable(t, o, emulatortest.Start(), nil, 0)
	pos := rules.Start()
	for range 120 {
		moves := pos.LegalMoves(nil)
		if len(moves) == 0 {
			return
		}
		m := moves[dice.IntN(len(moves))]
		for _, other := range moves { // rare moves more often
			after := pos.After(other)
			leads := after.EnPassant() != rules.NoSquare
			if rare := leads || other.IsEnPassant() || strings.ContainsAny(pos.SAN(other), "O="); rare && dice.IntN(3) > 0 {
				m = other
			}
		}
		uci := pos.UCI(m)
		if len(uci) == 5 && (strings.Contains(queensOnly, o.Dialect) || o.Spaced) {
			uci = uci[:4] + "q"
			m, _ = pos.ParseUCI(uci)
		}
		if len(uci) == 5 && o.Dialect == "certabo" {
			return // the chip of a piece from outside has not been learnt
		}
		for i, is := range [3]bool{m.IsCastling(), m.IsEnPassant(), len(uci) == 5} {
			if is {
				rare[i]++
			}
		}
		hands(x, &pos, m, uci, dice)
		pos.Play(m)
		x.Run(2500)
		if !x.same() {
			t.Fatalf("%s %d: after %s the driver sees %s, there stands %s", o.Dialect, seed, uci, x.Said, x.Men)
		}
		for s := range rules.NoSquare {
			if p := pos.At(s); (p == rules.NoPiece) != (x.Men[s] == board.Empty) || p != rules.NoPiece && p.Letter() != byte(x.Men[s]) {
				t.Fatalf("the hands of this test did not play %s", uci)
			}
		}
	}
}

// hands play a move as these boards want it: the mover first or the victim, the king before the rook.
func hands(x *table, pos *rules.Position, m rules.Move, uci string, dice *rand.Rand) {
	from, to := square(uci[:2]), square(uci[2:4])
	after := pos.After(m)
	man := x.Men[from]
	var victim rules.Square = rules.NoSquare
	if x.Men[to] != board.Empty && !m.IsCastling() {
		victim = to
	} else if m.IsEnPassant() {
		victim = rules.NewSquare(to.File(), from.Rank())
	}
	if victim != rules.NoSquare && dice.IntN(2) == 0 {
		x.Put(victim, board.Empty)
		x.Run(x.pace)
		victim = rules.NoSquare
	}
	x.Put(from, board.Empty)
	x.Run(x.pace)
	if victim != rules.NoSquare {
		x.Put(victim, board.Empty)
		x.Run(x.pace)
	}
	if m.IsCastling() {
		rank, king, rook, corner := from.Rank(), 6, 5, 7
		if to.File() < from.File() {
			king, rook, corner = 2, 3, 0
		}
		x.Put(rules.NewSquare(king, rank), man)
		x.Run(x.pace)
		tower := x.Men[rules.NewSquare(corner, rank)]
		x.Put(rules.NewSquare(corner, rank), board.Empty)
		x.Run(x.pace)
		x.Put(rules.NewSquare(rook, rank), tower)
		return
	}
	x.Put(to, board.Symbol(after.At(to).Letter()))
}
