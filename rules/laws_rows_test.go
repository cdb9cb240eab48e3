package rules

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// lawRow is a check of one row of the digest of the laws of chess that boardd goes by (L1 to L47): in a position, after some
// moves, one question. What is asked: judge (an attempt in UCI, told as in TestJudge), legal, state, outcome, claim, faults,
// lost (a side: the result when it resigns or its flag falls), ways (out of check), attacks (a square: how many men of
// either side), moves (how many), variant.
type lawRow struct{ row, what, fen, moves, ask, want string }

const emptyCastle = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"

var lawRows = []lawRow{
	{"L1", "own piece's square", StartFEN, "", "judge g1e2", "own_piece_there 3.1 3.1 e2"},
	{"L2", "a capture takes the man off as part of the move", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "fen", "4k3/8/8/3P4/8/8/8/4K3 b - - 0 1"},
	{"L2", "a king is never captured", "4k3/8/8/8/4R3/8/8/4K3 w - - 0 1", "", "judge e4e8", "captures_king 1.4.1 1.4.1 e8"},
	{"L3", "a pinned man gives check", "3rk3/8/8/8/8/8/3N4/3K4 w - - 0 1", "", "attacks f3", "1 0"},
	{"L3", "a pawn attacks diagonally, empty or not", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "", "attacks d3", "1 0"},
	{"L3", "and never the square ahead", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "", "attacks e3", "0 0"},
	{"L3", "a king may not go where a pinned man attacks", "3rk3/3n4/8/2K5/8/8/8/3R4 w - - 0 1", "", "judge c5b6", "king_into_attack 3.9.2 3.9.2 d7"},
	{"L4", "bishop", "4k3/8/8/8/8/8/3B4/4K3 w - - 0 1", "", "judge d2d3", "bishop_moves_diagonally 3.2 3.2 d2"},
	{"L4", "rook", "4k3/8/8/8/8/8/3R4/4K3 w - - 0 1", "", "judge d2e3", "rook_moves_straight 3.3 3.3 d2"},
	{"L4", "queen", "4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1", "", "judge d2e4", "queen_moves_straight_or_diagonally 3.4 3.4 d2"},
	{"L4", "each along its lines", "4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1", "", "legal d2h6 d2d8 d2a2", "yes yes yes"},
	{"L5", "the first blocking square", "4k3/p7/p7/8/8/8/8/R3K3 w - - 0 1", "", "judge a1a8", "path_blocked 3.5 3.5 a6"},
	{"L6", "a knight jumps", StartFEN, "", "legal g1f3", "yes"},
	{"L6", "and goes nowhere else", StartFEN, "", "judge g1g3", "knight_moves_in_an_l 3.6 3.6 g1"},
	{"L7", "one forward if empty", "4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1", "", "judge e2e3", "pawn_blocked 3.7.1 3.7.1 e3"},
	{"L7", "never backwards", "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "", "judge e4e3", "pawn_moves_forward 3.7.1 3.7.1 e4"},
	{"L8", "two from the second rank", StartFEN, "", "legal e2e4", "yes"},
	{"L8", "if both are empty", "4k3/8/8/8/4p3/8/4P3/4K3 w - - 0 1", "", "judge e2e4", "pawn_blocked 3.7.2 3.7.2 e4"},
	{"L8", "a pawn that stands there after a set-up", "4k3/8/8/8/8/8/P3P3/4K3 w - - 12 60", "", "legal a2a4 e2e4", "yes yes"},
	{"L8", "not from another rank", "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "", "judge e3e5", "pawn_double_step 3.7.2 3.7.2 e3"},
	{"L9", "captures diagonally", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "", "legal e4d5", "yes"},
	{"L9", "not onto an empty square", StartFEN, "", "judge e2d3", "pawn_captures_nothing 3.7.3 3.7.3 d3"},
	{"L10", "on the very next move", "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5", "legal e5d6", "yes"},
	{"L10", "and not later", "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5 e1e2 e8e7", "judge e5d6", "en_passant_too_late 3.7.4.2 3.7.3.2 d5 ply 1"},
	{"L10", "only after a double step", "4k3/8/3p4/4P3/8/8/8/4K3 b - - 0 1", "d6d5", "judge e5d6", "en_passant_no_double_step 3.7.4.1 3.7.3.1 d5 ply 1"},
	{"L10", "the pawn passed comes off", "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5 e5d6", "fen", "4k3/8/3P4/8/8/8/8/4K3 b - - 0 2"},
	{"L11", "to queen, rook, bishop or knight", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "", "legal a7a8q a7a8r a7a8b a7a8n a7a8", "yes yes yes yes no"},
	{"L11", "as part of the same move", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "", "judge a7a8", "promotion_missing 3.7.5.1 3.7.3.3 a8"},
	{"L11", "not a king", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "", "judge a7a8k", "promotion_piece_impossible 3.7.5.1 3.7.3.3 a8"},
	{"L11", "any choice, whatever is on the board", "8/P6k/8/8/8/8/8/KQQ5 w - - 0 1", "", "legal a7a8q", "yes"},
	{"L11", "effect at once", "8/P6k/5K2/8/8/8/8/8 w - - 0 1", "a7a8q", "state", "ongoing"},
	{"L11", "effect at once, a check", "7k/P7/5K2/8/8/8/8/8 w - - 0 1", "a7a8r", "state", "check"},
	{"L12", "an adjoining square", "4k3/8/8/8/8/8/3K4/8 w - - 0 1", "", "judge d2d4", "king_moves_one_square 3.8.1 3.8.1 d2"},
	{"L12", "into attack cites 3.9.2 only", "8/8/8/3k4/8/3K4/8/8 w - - 0 1", "", "judge d3d4", "king_into_attack 3.9.2 3.9.2 d5"},
	{"L13", "two squares towards the rook", emptyCastle, "e1g1", "fen", "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1"},
	{"L13", "and to the other side", emptyCastle, "e1c1", "fen", "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1"},
	{"L13", "not three", emptyCastle, "", "judge e1b1", "castling_along_first_rank 3.8.2 3.8.2 e1"},
	{"L14", "the king has moved", emptyCastle, "e1e2 e8e7 e2e1 e7e8", "judge e1g1", "castling_king_moved 3.8.2.1.1 3.8.2.1 e1 ply 1"},
	{"L14", "that rook has moved", emptyCastle, "h1h2 a8a7 h2h1 a7a8", "judge e1g1", "castling_rook_moved 3.8.2.1.2 3.8.2.1 h1 ply 1"},
	{"L14", "the other has not", emptyCastle, "h1h2 a8a7 h2h1 a7a8", "legal e1c1", "yes"},
	{"L14", "that rook was taken", "4k2r/6P1/8/8/8/8/8/R3K3 w k - 0 1", "g7h8n", "judge e8g8", "castling_rook_taken 3.8.2.1.2 3.8.2.1 h8 ply 1"},
	{"L15", "out of check", "4k3/8/8/8/4r3/8/8/4K2R w K - 0 1", "", "judge e1g1", "castling_out_of_check 3.8.2.2.1 3.8.2.2 e4"},
	{"L15", "across an attacked square", "4k3/8/8/8/8/5r2/8/4K2R w K - 0 1", "", "judge e1g1", "castling_through_attack 3.8.2.2.1 3.8.2.2 f3"},
	{"L15", "onto one", "4k3/8/8/8/8/6r1/8/4K2R w K - 0 1", "", "judge e1g1", "castling_into_attack 3.8.2.2.1 3.8.2.2 g3"},
	{"L15", "for now: the right stays", "4k3/8/8/8/8/6r1/8/4K2R b K - 0 1", "g3a3 h1h2 a3b3", "judge e1g1", "castling_rook_moved 3.8.2.1.2 3.8.2.1 h1 ply 2"},
	{"L15", "the rook may be attacked, and b1", "4k3/8/8/8/8/8/1r5r/R3K2R w KQ - 0 1", "", "legal e1c1 e1g1", "yes yes"},
	{"L16", "a piece between", "4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "", "judge e1c1", "castling_blocked 3.8.2.2.2 3.8.2.2 b1"},
	{"L16", "no castling up the file", "8/4P3/8/8/8/8/k7/4K3 w - - 0 1", "e7e8r a2a3", "judge e1e3", "castling_along_first_rank 3.8.2 3.8.2 e1"},
	{"L17", "in check by a pinned man", "3rk3/3n4/8/2K5/8/8/8/3R4 w - - 0 1", "", "state", "check"},
	{"L18", "expose", "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "", "judge e2c3", "exposes_king 3.9.2 3.9.2 e8"},
	{"L18", "leave", "4r1k1/8/8/8/8/8/8/R3K3 w - - 0 1", "", "judge a1a2", "leaves_king_in_check 3.9.2 3.9.2 e8"},
	{"L19", "every refusal carries its articles", StartFEN, "", "judge a1c1", "path_blocked 3.5 3.5 b1; own_piece_there 3.1 3.1 c1"},
	{"L19", "also of an empty square", StartFEN, "", "judge e4e5", "empty_square 3.10.2 3.10.2 e4"},
	{"L20", "a position that cannot be", "4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1", "", "faults", "impossible-check"},
	{"L20", "play goes on with both kings in check", "4k3/8/8/8/4R3/8/8/r3K3 w - - 0 1", "e1d2", "moves", "4"},
	{"L20", "and with a pawn on the last rank", "P3k3/8/8/8/8/8/8/4K2p w - - 0 1", "e1d2 e8d7", "faults", "pawn-rank"},
	{"L20", "which stays there", "P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "", "judge a8a7", "pawn_moves_forward 3.7.1 3.7.1 a8"},
	{"L21", "a1 is dark", StartFEN, "", "dark a1", "yes"},
	{"L21", "h1 at White's right hand is light", StartFEN, "", "dark h1", "no"},
	{"L22", "the initial position", StartFEN, "", "faults", ""},
	{"L22", "each queen on her own colour", StartFEN, "", "dark d1 d8", "no yes"},
	{"L23", "White begins", StartFEN, "", "judge e7e5", "not_your_turn 1.2 1.2 e7"},
	{"L23", "players alternate", StartFEN, "e2e4", "judge d2d4", "not_your_turn 1.2 1.2 d2"},
	{"L24", "capturing is never compulsory", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "", "legal e4d5 e4e5 e1e2", "yes yes yes"},
	{"L25", "move, capture, interpose", "4k3/8/8/8/4r3/8/2B5/3QK3 w - - 0 1", "", "ways", "move,capture,interpose"},
	{"L25", "two checkers", "4r2k/8/8/8/8/2b5/8/4K3 w - - 0 1", "", "ways", "move"},
	{"L25", "the king takes", "6k1/8/8/8/8/8/4r3/4K3 w - - 0 1", "", "ways", "move,capture"},
	{"L25", "only capture", "6rk/6pp/7N/8/8/8/8/6K1 b - - 0 1", "", "ways", ""},
	{"L25", "not in check", StartFEN, "", "ways", ""},
	{"L26", "mate", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "", "outcome", "checkmate"},
	{"L26", "the game is over", StartFEN, "f2f3 e7e5 g2g4 d8h4", "judge a2a3", "game_over 5.1.1 5.1.1 ply 4; leaves_king_in_check 3.9.2 3.9.2 h4"},
	{"L27", "stalemate", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "", "outcome", "stalemate"},
	{"L28", "check, said or not", "R5k1/5pp1/7p/8/8/8/8/6K1 b - - 0 1", "", "state", "check"},
	{"L29", "who resigns loses", StartFEN, "", "lost white", "0-1"},
	{"L29", "unless the opponent cannot mate", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "", "lost white", "1/2-1/2"},
	{"L31", "three times on claim", StartFEN, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", "claim", "threefold"},
	{"L31", "five times at once", StartFEN, strings.Repeat("g1f3 g8f6 f3g1 f6g8 ", 4), "outcome", "fivefold"},
	{"L31", "rights to castle make positions differ", emptyCastle, "h1g1 h8g8 g1h1 g8h8 h1g1 h8g8 g1h1 g8h8", "claim", "none"},
	{"L31", "so do captures en passant that are legal", "4k3/8/8/8/2pP4/8/8/4K3 b - d3 0 1", "e8e7 e1e2 e7e8 e2e1 e8e7 e1e2 e7e8 e2e1", "claim", "none"},
	{"L32", "a hundred plies on claim", "8/8/8/4k3/8/8/1R6/4K3 w - - 99 80", "b2b3", "claim", "fifty"},
	{"L32", "a hundred and fifty at once", "8/8/8/4k3/8/8/1R6/4K3 w - - 149 120", "b2b3", "outcome", "75moves"},
	{"L32", "mate goes first", "7k/8/6K1/8/8/8/8/R7 w - - 149 120", "a1a8", "outcome", "checkmate"},
	{"L34", "flag fall against a side that cannot mate", "4k2q/8/8/8/8/8/8/4KN2 w - - 0 1", "", "lost black", "1/2-1/2"},
	{"L34", "against one that can", "4k2r/8/8/8/8/8/8/4KN2 w - - 0 1", "", "lost black", "1-0"},
	{"L36", "bare kings", "8/8/8/4k3/8/8/8/4K3 w - - 0 1", "", "outcome", "dead"},
	{"L36", "a wall", "2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1", "", "outcome", "dead"},
	{"L36", "two knights can mate with help", "8/8/8/4k3/8/8/8/3NKN2 w - - 0 1", "", "outcome", "none"},
	{"L40", "a wrong array is played on from", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w kq - 0 1", "e2e4 e7e5", "legal e1e2", "yes"},
	{"L40", "a king placed wrongly may not castle", "r3k2r/8/8/8/8/8/8/R2K3R w KQkq - 0 1", "", "legal d1f1 d1g1 d1h1", "no no no"},
	{"L40", "which is a fault of the set-up", "r3k2r/8/8/8/8/8/8/R2K3R w KQkq - 0 1", "", "faults", "castling-rights"},
	{"L41", "the position before an illegal move comes back", StartFEN, "e2e4 e7e5", "undo 1", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"},
	{"L41", "play from a position in which both are in check", "4k3/8/8/8/4R3/8/8/r3K3 w - - 0 1", "", "moves", "3"},
	{"L43", "a claim by the move written down", "8/8/8/4k3/8/8/1R6/4K3 w - - 99 80", "", "claimby b2b3", "fifty"},
	{"L43", "no claim by a pawn's", "8/8/8/4k3/8/4P3/1R6/4K3 w - - 99 80", "", "claimby e3e4", "none"},
	{"L45", "not even a king in check", "4k3/8/8/8/4R3/8/8/r3K3 w - - 0 1", "", "legal e4e8", "no"},
	{"L45", "the position stays as it was", "4k3/8/8/8/4R3/8/8/4K3 w - - 0 1", "", "judge e4e8", "captures_king 1.4.1 1.4.1 e8"},
	{"L46", "the king need not move", "960 4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", "fen", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"},
	{"L46", "nor the rook", "960 4k3/8/8/8/8/8/8/4KR2 w F - 0 1", "e1f1", "fen", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"},
	{"L46", "the rook may have been the shield", "960 4k3/8/8/8/8/8/8/rRK5 w B - 0 1", "", "judge c1b1", "exposes_king 3.9.2 3.9.2 a1"},
	{"L47", "a forfeit of both is no castling", StartFEN, "", "result 0-0", "*"},
	{"L47", "a result of a game", StartFEN, "", "result 1-0", "1-0"},
}

// lawsElsewhere are the rows that concern hands, clocks and announcements more than positions, and which test of which package
// holds the table to them; L33 (touch-move) rests on Line.Judge here and is tested where lifts are known.
var lawsElsewhere = map[string][]string{
	"L21": {"game TestTurnedPresenceBoardIsFoundByPlay"},
	"L22": {"game TestKingAndQueenExchangedAtSetUp"},
	"L29": {"game TestResign"},
	"L30": {"game TestDraws", "game TestADrawOfferIsSeen"},
	"L33": {"rules TestTouchedMan"},
	"L34": {"game TestFlagFall", "game TestMateGoesBeforeTheFlag"},
	"L35": {"leds TestIllegalMoveAndBack"},
	"L37": {"game TestClockPressCommitsAtOnce"},
	"L38": {"game TestEveryCastling"},
	"L39": {"game TestStandInForAPromotion", "game TestPromotionByGesture"},
	"L40": {"game TestPlayWithKingAndQueenExchanged"},
	"L42": {"game TestIllegalMoveThatIsAnswered"},
	"L44": {"game TestObserverSaysNothingToThePlayers"},
	"L46": {"game TestChess960Castlings"},
}

func TestLaws(t *testing.T) {
	t.Parallel()
	rows := map[string]int{}
	for _, r := range lawRows {
		rows[r.row]++
		t.Run(r.row+" "+r.what, func(t *testing.T) {
			t.Parallel()
			fen, chess960 := strings.CutPrefix(r.fen, "960 ")
			l := NewLine(position(t, fen, Variant(b2i(chess960))))
			playUCI(t, l, strings.Fields(r.moves)...)
			if got := askLaw(t, l, r.ask); got != r.want {
				t.Errorf("%s %s: %s: %q, want %q", r.fen, r.moves, r.ask, got, r.want)
			}
		})
	}
	for row, tests := range lawsElsewhere {
		rows[row]++
		for _, name := range tests {
			room, test, _ := strings.Cut(name, " ")
			if !hasTest(t, "../"+room, test) {
				t.Errorf("%s: there is no %s in %s", row, test, room)
			}
		}
	}
	for n := 1; n <= 47; n++ {
		if row := fmt.Sprintf("L%d", n); rows[row] == 0 {
			t.Errorf("nothing is said about %s", row)
		}
	}
}

func hasTest(t *testing.T, room, test string) bool {
	t.Helper()
	files, err := os.ReadDir(room)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if strings.HasSuffix(f.Name(), "_test.go") {
			text, err := os.ReadFile(room + "/" + f.Name())
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(text), "\nfunc "+test+"(t *testing.T)") {
				return true
			}
		}
	}
	return false
}

func askLaw(t *testing.T, l *Line, ask string) string {
	t.Helper()
	p := l.Position()
	word, rest, _ := strings.Cut(ask, " ")
	var out []string
	each := func(answer func(arg string) string) string {
		for _, arg := range strings.Fields(rest) {
			out = append(out, answer(arg))
		}
		return strings.Join(out, " ")
	}
	switch word {
	case "judge":
		from, to, promotion, err := SplitUCI(rest)
		if err != nil {
			t.Fatal(err)
		}
		return verdictText(&p, l.Judge(from, to, promotion))
	case "legal":
		return each(func(arg string) string { _, err := p.ParseUCI(arg); return yesNo(err == nil) })
	case "dark":
		return each(func(arg string) string { return yesNo(darkSquares.Has(square(t, arg))) })
	case "attacks":
		s := square(t, rest)
		return fmt.Sprint(p.Attackers(s, White).Len(), p.Attackers(s, Black).Len())
	case "fen":
		return p.FEN()
	case "state":
		return p.State().String()
	case "outcome":
		return l.Outcome().String()
	case "claim":
		return l.Claimable().String()
	case "claimby":
		m, err := p.ParseUCI(rest)
		if err != nil {
			t.Fatal(err)
		}
		return l.ClaimBy(m).String()
	case "lost":
		return p.Lost(Color(b2i(rest == "black")))
	case "ways":
		return p.Escapes().String()
	case "moves":
		return fmt.Sprint(len(p.LegalMoves(nil)))
	case "undo":
		l.Undo(len(rest))
		p = l.Position()
		return p.FEN()
	case "faults":
		for _, f := range p.Faults() {
			out = append(out, f.Code)
		}
		return strings.Join(out, " ")
	case "result":
		words := strings.Fields(PGN{Result: rest}.String())
		return words[len(words)-1]
	}
	t.Fatalf("no such question: %s", ask)
	return ""
}

// TestTouchedMan is what touch-move asks of the rules (4.3): which moves a touched own man has, which men can take a touched man of
// the other side, and whether the one can take the other; none of them frees the player.
func TestTouchedMan(t *testing.T) {
	t.Parallel()
	p := position(t, "4r1k1/8/8/3p4/8/2N5/4B3/4K3 w - - 0 1", Standard)
	moves := func(from, victim string) (n int) {
		for _, m := range p.LegalMoves(nil) {
			if (from == "" || m.From() == square(t, from)) && (victim == "" || m.Victim() == square(t, victim) && !m.IsCastling()) {
				n++
			}
		}
		return n
	}
	for _, c := range []struct {
		name, from, victim string
		want               int
	}{
		{"a pinned bishop has none", "e2", "", 0},
		{"a knight", "c3", "", 7},
		{"a pawn that one man can take", "", "d5", 1},
		{"a rook that none can", "", "e8", 0},
		{"that man takes that pawn", "c3", "d5", 1},
		{"the king cannot", "e1", "d5", 0},
	} {
		if got := moves(c.from, c.victim); got != c.want {
			t.Errorf("%s: %d moves, want %d", c.name, got, c.want)
		}
	}
}
