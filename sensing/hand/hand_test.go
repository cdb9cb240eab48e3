package hand

import (
	"bytes"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// walk is a game of random legal moves.
func walk(start rules.Position, seed uint64, plies int) (moves []rules.Move) {
	dice := rand.New(rand.NewPCG(seed, 1))
	for p := start; len(moves) < plies; {
		legal := p.LegalMoves(nil)
		if len(legal) == 0 {
			break
		}
		m := legal[dice.IntN(len(legal))]
		moves = append(moves, m)
		p.Play(m)
	}
	return moves
}

func position(t testing.TB, fen string, v rules.Variant) rules.Position {
	t.Helper()
	p, err := rules.ParsePosition(fen, v)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func picture(p *rules.Position, a board.Acuity) (pic board.Picture) {
	for q := range rules.NoSquare {
		pic[q] = a.See(p.At(q))
	}
	return pic
}

func style(t testing.TB, name string) Style {
	t.Helper()
	s, ok := Styles().Style(name)
	if !ok {
		t.Fatalf("no style %s", name)
	}
	return s
}

var starts = []struct {
	fen     string
	variant rules.Variant
}{
	{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", rules.Standard},
	{"r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 9", rules.Standard},
	{"8/PPP2k2/8/8/8/8/2K2ppp/8 w - - 0 1", rules.Standard},
	{"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3", rules.Standard},
	{"bqrkrnnb/pppppppp/8/8/8/8/PPPPPPPP/BQRKRNNB w KQkq - 0 1", rules.Chess960},
	{"1rk4r/pppppppp/8/8/8/8/PPPPPPPP/1RK4R w KQkq - 0 1", rules.Chess960},
}

// Whatever the hands do, the sensors tell a consistent story that ends in the position which was played.
func TestPerformanceIsConsistent(t *testing.T) {
	t.Parallel()
	table := Styles()
	rapid.Check(t, func(t *rapid.T) {
		s, _ := table.Style(rapid.SampledFrom(table.Names()).Draw(t, "style"))
		for _, rate := range []*float64{&s.IllegalRate, &s.KnockRate, &s.TakebackRate, &s.ShortRate, &s.WrongSideRate, &s.AskewRate, &s.BrushRate, &s.OverlapRate} {
			*rate = min(1, *rate*10) // more goes wrong than in the file
		}
		sensor := table.Sensor(board.Acuity(rapid.IntRange(0, 2).Draw(t, "acuity")))
		if sensor.Acuity == board.PieceAcuity && rapid.Bool().Draw(t, "dgt") {
			sensor = DGT()
		}
		from := rapid.SampledFrom(starts).Draw(t, "start")
		start, err := rules.ParsePosition(from.fen, from.variant)
		if err != nil {
			t.Fatal(err)
		}
		seed := rapid.Uint64().Draw(t, "seed")
		moves := walk(start, seed, rapid.IntRange(0, 40).Draw(t, "plies"))
		perf := Play(s, sensor, start, moves, seed)

		pic, now := picture(&start, sensor.Acuity), int64(0)
		for i, in := range perf.Inputs {
			if in.T < now {
				t.Fatalf("input %d: time falls from %d to %d", i, now, in.T)
			}
			now = in.T
			if in.Kind != board.Change {
				continue
			}
			if !sensor.Acuity.Valid(in.Symbol) {
				t.Fatalf("input %d: %q is not a symbol of this board", i, in.Symbol)
			}
			if pic[in.Square] == in.Symbol {
				t.Fatalf("input %d: %v already says %q", i, in.Square, in.Symbol)
			}
			pic[in.Square] = in.Symbol
		}
		if want := picture(&perf.Final, sensor.Acuity); pic != want {
			t.Fatalf("sensors end with %v, the position is %v", pic, want)
		}
		end := start
		for i, m := range moves {
			end.Play(m)
			if p := perf.Plies[i]; p.Move != m || p.LiftedMs >= p.DoneMs || p.DoneMs > perf.End || i > 0 && p.DoneMs <= perf.Plies[i-1].DoneMs {
				t.Fatalf("ply %d of truth is %+v after %+v", i, p, perf.Plies[max(0, i-1)])
			}
		}
		if len(perf.Plies) != len(moves) || end != perf.Final {
			t.Fatalf("%d plies of %d, ends in %s", len(perf.Plies), len(moves), perf.Final.FEN())
		}
		if again := Play(s, sensor, start, moves, seed); !reflect.DeepEqual(again, perf) {
			t.Fatal("the same seed gave another performance")
		}
	})
}

// Between two plies of clean hands the board shows exactly the position.
func TestBoardShowsEachPosition(t *testing.T) {
	t.Parallel()
	s := clean(style(t, "club"))
	start := rules.Start()
	perf := Play(s, Sensor{Acuity: board.PieceAcuity, PeriodMs: 1}, start, walk(start, 7, 60), 7)
	pic, pos, next := picture(&start, board.PieceAcuity), start, 0
	for _, in := range perf.Inputs {
		for next < len(perf.Plies) && in.T > perf.Plies[next].DoneMs {
			pos.Play(perf.Plies[next].Move)
			if want := picture(&pos, board.PieceAcuity); pic != want {
				t.Fatalf("after ply %d: %v, want %v", next, pic, want)
			}
			next++
		}
		pic[in.Square] = in.Symbol
	}
	if next < len(perf.Plies)-1 {
		t.Fatalf("only %d plies were compared", next)
	}
}

// clean leaves only what every hand does.
func clean(s Style) Style {
	s.AdjustRate, s.OtherRate, s.BrushRate, s.AskewRate, s.CentreRate, s.MissedPhaseRate, s.SlideRate, s.OverlapRate = 0, 0, 0, 0, 0, 0, 0, 0
	s.IllegalRate, s.ShortRate, s.TakebackRate, s.KnockRate, s.WrongSideRate = 0, 0, 0, 0, 0
	return s
}

// The rates of the file are what comes out, each within four standard deviations.
func TestRates(t *testing.T) {
	t.Parallel()
	for _, name := range Styles().Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := style(t, name)
			count, plies, captures, mishaps := map[string]int{}, 0, 0, 0
			for seed := uint64(0); seed < 60; seed++ {
				start := rules.Start()
				moves := walk(start, seed, 80)
				for _, i := range Play(s, Styles().Sensor(board.Presence), start, moves, seed).Incidents {
					count[i.Kind]++
					mishaps++
				}
				plies += len(moves)
				for p := start; len(moves) > 0; moves = moves[1:] {
					if !moves[0].IsCastling() && !moves[0].IsEnPassant() && p.At(moves[0].To()) != rules.NoPiece {
						captures++
					}
					p.Play(moves[0])
				}
			}
			hasty := 1 - s.OverlapRate // an overlapping ply has no time for anything before or around it; most try and fail
			for _, c := range []struct {
				kind string
				n    int
				rate float64
				some bool // needs a certain position: at most the rate, and more than nothing
			}{
				{"adjust", plies, s.AdjustRate, false}, {"other piece", plies, s.OtherRate, false}, {"knock", plies, s.KnockRate, false},
				{"illegal", plies, s.IllegalRate, false}, {"takeback", plies, s.TakebackRate, false}, {"wrong side", plies, s.WrongSideRate, false},
				{"centre", plies, s.CentreRate, false}, {"missed phase", captures, s.MissedPhaseRate, false},
				{"askew", plies, s.AskewRate, true}, {"brush", plies, s.BrushRate, true}, {"short", plies, s.ShortRate, true},
				{"slide", plies, s.SlideRate, true}, {"overlap", plies, s.OverlapRate, true},
			} {
				want := c.rate * float64(c.n)
				spread := 4 * max(1, sqrt(want))
				got := float64(count[c.kind])
				if got > want+spread || !c.some && got < want*hasty-spread || c.some && want > 10 && got < want/5 || c.rate == 0 && got > 0 {
					t.Errorf("%s: %v of %d, the rate %v asks for %.0f", c.kind, got, c.n, c.rate, want)
				}
			}
		})
	}
}

func sqrt(x float64) float64 {
	r := max(x, 1)
	for range 30 {
		r = (r + x/r) / 2
	}
	return r
}

// The ways of single plies, as the squares are touched.
func TestManners(t *testing.T) {
	t.Parallel()
	const (
		capture   = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
		castle    = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"
		enPassant = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3"
		promote   = "8/4P1k1/8/8/8/8/6K1/8 w - - 0 1"
		swallow   = "1rk4r/pppppppp/8/8/8/8/PPPPPPPP/1RK4R w KQkq - 0 1"
	)
	cases := []struct {
		name, fen, move string
		how             Manner
		want            []string // one of these
	}{
		{"quiet", capture, "g1f3", Manner{}, []string{"-g1 +f3"}},
		{"capture, victim first", capture, "e4d5", Manner{Capture: VictimFirst}, []string{"-d5 -e4 +d5"}},
		{"capture, own first", capture, "e4d5", Manner{Capture: OwnFirst}, []string{"-e4 -d5 +d5"}},
		{"capture in one motion", capture, "e4d5", Manner{Capture: OneMotion}, []string{"-e4 -d5 +d5"}},
		{"king first", castle, "e1g1", Manner{Castle: KingFirst}, []string{"-e1 +g1 -h1 +f1"}},
		{"rook first", castle, "e1g1", Manner{Castle: RookFirst}, []string{"-h1 +f1 -e1 +g1"}},
		{"both up", castle, "e1g1", Manner{Castle: Both}, []string{"-e1 -h1 +g1 +f1", "-e1 -h1 +f1 +g1", "-h1 -e1 +g1 +f1", "-h1 -e1 +f1 +g1"}},
		{"en passant, victim first", enPassant, "e5d6", Manner{Capture: VictimFirst}, []string{"-d5 -e5 +d6"}},
		{"en passant, own first", enPassant, "e5d6", Manner{Capture: OwnFirst}, []string{"-e5 -d5 +d6", "-e5 +d6 -d5"}},
		{"en passant in one sweep", enPassant, "e5d6", Manner{Capture: OneMotion}, []string{"-e5 -d5 +d6"}},
		{"promotion straight", promote, "e7e8n", Manner{Promotion: Straight}, []string{"-e7 +e8"}},
		{"promotion by exchange", promote, "e7e8n", Manner{Promotion: Exchange}, []string{"-e7 +e8 -e8 +e8"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			pos := position(t, c.fen, rules.Standard)
			m, err := pos.ParseUCI(c.move)
			if err != nil {
				t.Fatal(err)
			}
			for seed := range uint64(20) {
				s := NewScript(clean(style(t, "slow")), Sensor{Acuity: board.PieceAcuity, PeriodMs: 1}, pos, seed)
				s.Move(m, c.how)
				if got := touches(s.Perform().Inputs); !slices.Contains(c.want, got) {
					t.Fatalf("seed %d: %s, want %s", seed, got, strings.Join(c.want, " or "))
				}
			}
		})
	}
	t.Run("Chess960 king onto the rook's square", func(t *testing.T) {
		t.Parallel()
		pos := position(t, "1k6/8/8/8/8/8/8/1K4R1 w G - 0 1", rules.Chess960)
		m, err := pos.ParseUCI("b1g1")
		if err != nil {
			t.Fatal(err)
		}
		s := NewScript(clean(style(t, "slow")), Sensor{Acuity: board.PieceAcuity, PeriodMs: 1}, pos, 1)
		s.Move(m, Manner{Castle: KingFirst})
		if got := touches(s.Perform().Inputs); !strings.HasPrefix(got, "-b1 -g1 +") && !strings.HasPrefix(got, "-g1 -b1 +") {
			t.Fatal(got)
		}
	})
}

func touches(in []board.Input) string {
	var words []string
	for _, i := range in {
		if i.Kind == board.Change {
			sign := "+"
			if i.Symbol == board.Empty {
				sign = "-"
			}
			words = append(words, sign+i.Square.String())
		}
	}
	return strings.Join(words, " ")
}

func TestIllegalMoveIsPutBack(t *testing.T) {
	t.Parallel()
	start := rules.Start()
	s := NewScript(clean(style(t, "club")), Sensor{Acuity: board.Presence, PeriodMs: 1}, start, 3)
	e2, _ := rules.ParseSquare("e2")
	e5, _ := rules.ParseSquare("e5")
	s.Illegal(e2, e5, 2000)
	perf := s.Perform()
	if got := touches(perf.Inputs); got != "-e2 +e5 -e5 +e2" {
		t.Fatal(got)
	}
	if rest := perf.Inputs[2].T - perf.Inputs[1].T; rest != 2000 {
		t.Errorf("rests %d ms, want 2000", rest)
	}
	if perf.Final != start || len(perf.Plies) != 0 || perf.Incidents[0].Kind != "illegal" {
		t.Errorf("%+v", perf)
	}
}

func TestSetUp(t *testing.T) {
	t.Parallel()
	start := rules.Start()
	s := NewScript(style(t, "club"), Sensor{Acuity: board.PieceAcuity, PeriodMs: 1}, start, 3)
	for _, m := range walk(start, 3, 50) {
		s.Move(m, Manner{})
	}
	s.SetUp(start)
	s.Move(walk(start, 4, 1)[0], Manner{})
	perf := s.Perform()
	pic := picture(&start, board.PieceAcuity)
	for _, in := range perf.Inputs {
		if in.Kind == board.Change {
			pic[in.Square] = in.Symbol
		}
	}
	if want := picture(&perf.Final, board.PieceAcuity); pic != want {
		t.Errorf("%v, want %v", pic, want)
	}
	if perf.Final != start.After(walk(start, 4, 1)[0]) {
		t.Errorf("the game went on to %s", perf.Final.FEN())
	}
}

// Promotions that the board cannot see are answered, by command or by lifting the piece often enough.
func TestPromotionIsAnswered(t *testing.T) {
	t.Parallel()
	pos := position(t, "8/4P1k1/8/8/8/8/6K1/8 w - - 0 1", rules.Standard)
	commands, gestures := 0, 0
	for _, uci := range []string{"e7e8r", "e7e8b", "e7e8n"} {
		m, err := pos.ParseUCI(uci)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(40) {
			perf := Play(clean(style(t, "club")), Sensor{Acuity: board.Presence, PeriodMs: 1}, pos, []rules.Move{m}, seed)
			if last := perf.Inputs[len(perf.Inputs)-1]; last.Kind == board.Cmd {
				commands++
				if last.Command.Verb != "promotion" || last.Command.Piece != m.Promotion().String() {
					t.Fatalf("%+v", last.Command)
				}
				continue
			}
			gestures++
			want := map[rules.Role]int{rules.Rook: 2, rules.Bishop: 3, rules.Knight: 4}[m.Promotion()]
			if got := strings.Count(touches(perf.Inputs), "-e8"); got != want {
				t.Fatalf("%s: %d lifts, want %d", uci, got, want)
			}
			seen := Play(clean(style(t, "club")), DGT(), pos, []rules.Move{m}, seed)
			if n := len(seen.Incidents); n != 0 {
				t.Fatalf("a board that sees the piece got %v", seen.Incidents)
			}
		}
	}
	if commands < 30 || gestures < 30 {
		t.Errorf("%d commands, %d gestures", commands, gestures)
	}
}

// A DGT board reports what it finds in one scan from a8 to h1, whatever the hand's order was.
// A board that looks for itself at what was handled sees what the script's sensor sees.
func TestHandledIsWhatSensorsSee(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SampledFrom([]board.Acuity{board.Presence, board.ColorAcuity, board.PieceAcuity}).Draw(t, "acuity")
		style, _ := Styles().Style(rapid.SampledFrom(Styles().Names()).Draw(t, "style"))
		seed := rapid.Uint64().Draw(t, "seed")
		s := NewScript(style, Sensor{Acuity: a, PeriodMs: 1}, rules.Start(), seed)
		for _, m := range walk(rules.Start(), seed, 30) {
			s.Move(m, Manner{})
		}
		want, handled := s.Perform(), s.Handled()
		start := rules.Start()
		men, seen := picture(&start, board.PieceAcuity), picture(&start, a)
		var got []board.Input
		for _, in := range handled.Inputs {
			if in.Kind == board.Change {
				p, _ := rules.PieceFromLetter(byte(in.Symbol))
				men[in.Square] = in.Symbol
				if in.Symbol = a.See(p); seen[in.Square] == in.Symbol {
					continue
				}
				seen[in.Square] = in.Symbol
			}
			got = append(got, in)
		}
		if !reflect.DeepEqual(got, want.Inputs) {
			t.Fatalf("%d inputs, want %d", len(got), len(want.Inputs))
		}
		if men != picture(&want.Final, board.PieceAcuity) || !reflect.DeepEqual(handled.Plies, want.Plies) {
			t.Fatal("another game")
		}
	})
}

func TestDGTScansInItsOwnOrder(t *testing.T) {
	t.Parallel()
	start := rules.Start()
	acts := []act{{1000, 12, rules.NoPiece}, {1001, 28, rules.NewPiece(rules.White, rules.Pawn)}} // -e2 +e4 at once
	early := 0
	for seed := range uint64(50) {
		in := DGT().read(&start, acts, rand.New(rand.NewPCG(seed, 0)))
		if len(in) != 2 || in[1].T-in[0].T >= 250 {
			t.Fatalf("%+v", in)
		}
		if in[0].Square == 28 {
			early++
		}
	}
	if early < 20 {
		t.Errorf("the place was seen before the lift only %d times of 50", early)
	}
}

func TestBounceSettles(t *testing.T) {
	t.Parallel()
	start := rules.Start()
	acts := []act{{1000, 12, rules.NoPiece}, {1400, 28, rules.NewPiece(rules.White, rules.Pawn)}}
	more := 0
	for seed := range uint64(50) {
		in := Sensor{PeriodMs: 1, BounceRate: 1}.read(&start, acts, rand.New(rand.NewPCG(seed, 0)))
		if len(in) < 6 || in[len(in)-1].T > 1400+3*18 {
			t.Fatalf("%+v", in)
		}
		if len(in) > 6 {
			more++
		}
	}
	if more == 0 {
		t.Error("every contact bounced just once")
	}
}

func TestShippedTable(t *testing.T) {
	t.Parallel()
	origin, err := os.ReadFile("../../testdata/hands.toml")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(origin, hands) {
		t.Error("sensing/hand/hands.toml and testdata/hands.toml differ")
	}
	table, err := ParseTable(hands)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(table.Names(), " "); got != "blitz bullet club clumsy slow" {
		t.Error(got)
	}
	bullet, clumsy := style(t, "bullet"), style(t, "clumsy")
	if bullet.Gap != (Range{20, 300}) || bullet.SlideRate != 0.12 || bullet.OverlapRate != 0.2 {
		t.Errorf("bullet is not blitz with its own keys: %+v", bullet)
	}
	if clumsy.Castle.Both != 0.15 || clumsy.IllegalRate != 0.03 || clumsy.Promotion.Answer != 1 {
		t.Errorf("clumsy is not club with its own keys: %+v", clumsy)
	}
}

func TestParseTableFaults(t *testing.T) {
	t.Parallel()
	const scan = "[scan]\nperiod = 10\n"
	for _, c := range []struct{ name, text, want string }{
		{"not TOML", "[scan", "hand styles"},
		{"no scan", "", "scan.period"},
		{"unknown model", scan + "[style.a]\nlike = \"b\"", `"b", which is no style`},
		{"circle", scan + "[style.a]\nlike = \"b\"\n[style.b]\nlike = \"a\"", "circle"},
		{"unknown key", scan + "[style.a]\ngap = [1, 2]\ncarry = [1, 2]\nspeed = 3", "unknown key speed"},
		{"falling range", scan + "[style.a]\ngap = [2, 1]\ncarry = [1, 2]", "gap"},
		{"no carry", scan + "[style.a]\ngap = [1, 2]", "carry"},
		{"wrong type", scan + "[style.a]\ngap = \"long\"", "hand style a"},
	} {
		if _, err := ParseTable([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// FuzzParseTable: hands of any style that is accepted can play.
func FuzzParseTable(f *testing.F) {
	f.Add(hands)
	f.Add([]byte("[scan]\nperiod = 10\n[style.a]\nlike = \"a\""))
	f.Add([]byte("[scan]\nperiod = 1\n[style.a]\ngap = [1, 3600000]\ncarry = [1, 1]\noverlap_rate = 1\nslide_rate = 2\ncapture = { one_motion = -1 }"))
	f.Fuzz(func(t *testing.T, text []byte) {
		table, err := ParseTable(text)
		if err != nil {
			return
		}
		for _, name := range table.Names() {
			s, _ := table.Style(name)
			moves := walk(rules.Start(), 5, 12)
			if perf := Play(s, table.Sensor(board.Presence), rules.Start(), moves, 5); len(perf.Plies) != len(moves) {
				t.Fatalf("%d plies of %d", len(perf.Plies), len(moves))
			}
		}
	})
}
