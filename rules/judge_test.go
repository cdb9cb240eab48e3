package rules

import (
	"fmt"
	"strings"
	"testing"
)

func TestJudge(t *testing.T) {
	t.Parallel()
	const castle = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
	for _, c := range []struct {
		name, fen, move string
		want            string // reason article fide squares; others; "legal" and the move in UCI
	}{
		{"legal", StartFEN, "e2e4", "legal e2e4"},
		{"castling as the king goes", castle, "e1g1", "legal e1g1"},
		{"castling as the king takes its rook", castle, "e1a1", "legal e1c1"},
		{"promotion", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8r", "legal a7a8r"},

		{"empty square", StartFEN, "e4e5", "empty_square 3.10.2 3.10.2 e4"},
		{"no movement", StartFEN, "e2e2", "no_movement 3.10.2 3.10.2 e2"},
		{"wrong side", StartFEN, "e7e5", "not_your_turn 1.2 1.2 e7"},
		{"wrong side, wrong move", StartFEN, "g8g6", "not_your_turn 1.2 1.2 g8; knight_moves_in_an_l 3.6 3.6 g8"},
		{"wrong side castles", castle, "e8g8", "not_your_turn 1.2 1.2 e8"},
		{"own piece", StartFEN, "a1a2", "own_piece_there 3.1 3.1 a2"},
		{"own piece, knight", StartFEN, "g1e2", "own_piece_there 3.1 3.1 e2"},
		{"own piece before a pawn", "4k3/8/8/8/8/4N3/4P3/4K3 w - - 0 1", "e2e3", "own_piece_there 3.1 3.1 e3; pawn_blocked 3.7.1 3.7.1 e3"},
		{"own piece not on the line", StartFEN, "f1e1", "bishop_moves_diagonally 3.2 3.2 f1; own_piece_there 3.1 3.1 e1"},
		{"blocked on the way to an own piece", StartFEN, "a1c1", "path_blocked 3.5 3.5 b1; own_piece_there 3.1 3.1 c1"},

		{"bishop straight", "4k3/8/8/8/8/8/3B4/4K3 w - - 0 1", "d2d4", "bishop_moves_diagonally 3.2 3.2 d2"},
		{"bishop anyhow", "4k3/8/8/8/8/8/3B4/4K3 w - - 0 1", "d2e4", "bishop_moves_diagonally 3.2 3.2 d2"},
		{"rook diagonally", "4k3/8/8/8/8/8/3R4/4K3 w - - 0 1", "d2f4", "rook_moves_straight 3.3 3.3 d2"},
		{"queen like a knight", "4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1", "d2e4", "queen_moves_straight_or_diagonally 3.4 3.4 d2"},
		{"knight straight", "4k3/8/8/8/8/8/3N4/4K3 w - - 0 1", "d2d4", "knight_moves_in_an_l 3.6 3.6 d2"},
		{"king two squares", "4k3/8/8/8/8/8/3K4/8 w - - 0 1", "d2d4", "king_moves_one_square 3.8.1 3.8.1 d2"},
		{"first blocker upwards", "4k3/8/r7/8/p7/8/8/R3K3 w - - 0 1", "a1a8", "path_blocked 3.5 3.5 a4"},
		{"first blocker downwards", "4k3/q7/8/8/n7/8/B7/4K3 b - - 0 1", "a7a1", "path_blocked 3.5 3.5 a4"},

		{"pawn backwards", "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "e4e3", "pawn_moves_forward 3.7.1 3.7.1 e4"},
		{"pawn sideways", "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "e4d4", "pawn_moves_forward 3.7.1 3.7.1 e4"},
		{"pawn three squares", StartFEN, "e2e5", "pawn_moves_forward 3.7.1 3.7.1 e2"},
		{"pawn against a pawn", "4k3/8/8/4p3/4P3/8/8/4K3 w - - 0 1", "e4e5", "pawn_blocked 3.7.1 3.7.1 e5"},
		{"double step blocked at once", "4k3/8/8/8/4p3/4p3/4P3/4K3 w - - 0 1", "e2e4", "pawn_blocked 3.7.2 3.7.2 e3"},
		{"double step blocked at its end", "4k3/4p3/8/4P3/8/8/8/4K3 b - - 0 1", "e7e5", "pawn_blocked 3.7.2 3.7.2 e5"},
		{"double step from the third rank", "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "e3e5", "pawn_double_step 3.7.2 3.7.2 e3"},
		{"pawn takes nothing", StartFEN, "e2d3", "pawn_captures_nothing 3.7.3 3.7.3 d3"},
		{"pawn forward from its first rank", "4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "a1a2", "pawn_moves_forward 3.7.1 3.7.1 a1"},
		{"en passant too late", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 2", "e5d6", "en_passant_too_late 3.7.4.2 3.7.3.2 d5"},
		{"en passant too late for Black", "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 2", "d4e3", "en_passant_too_late 3.7.4.2 3.7.3.2 e4"},
		{"beside a pawn whose way was not free", "4k3/3n4/8/3pP3/8/8/8/4K3 w - - 0 2", "e5d6", "pawn_captures_nothing 3.7.3 3.7.3 d6"},
		{"en passant exposes along the rank", "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", "e5d6", "exposes_king 3.9.2 3.9.2 h5"},

		{"promotion without a piece", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8", "promotion_missing 3.7.5.1 3.7.3.3 a8"},
		{"promotion to a king", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8k", "promotion_piece_impossible 3.7.5.1 3.7.3.3 a8"},
		{"promotion to a pawn", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8p", "promotion_piece_impossible 3.7.5.1 3.7.3.3 a8"},
		{"promotion too early", StartFEN, "e2e4q", "no_promotion_here 3.7.5.1 3.7.3.3 e4"},
		{"promotion of a knight", StartFEN, "g1f3q", "no_promotion_here 3.7.5.1 3.7.3.3 f3"},
		{"a pinned pawn left unpromoted", "7k/K1P4r/8/8/8/8/8/8 w - - 0 1", "c7c8", "exposes_king 3.9.2 3.9.2 h7; promotion_missing 3.7.5.1 3.7.3.3 c8"},

		{"king out of check into another", "4k3/8/8/8/8/8/r7/4K2r w - - 0 1", "e1e2", "king_into_attack 3.9.2 3.9.2 a2"},
		{"king back along the line of check", "7k/8/8/8/8/8/8/3K3r w - - 0 1", "d1c1", "king_into_attack 3.9.2 3.9.2 h1"},
		{"king next to king", "8/8/8/3k4/8/3K4/8/8 w - - 0 1", "d3d4", "king_into_attack 3.9.2 3.9.2 d5"},
		{"king takes a guarded man", "3r2k1/8/8/8/8/8/3n4/3K4 w - - 0 1", "d1d2", "king_into_attack 3.9.2 3.9.2 d8"},
		{"pinned", "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "e2c3", "exposes_king 3.9.2 3.9.2 e8"},
		{"in check, elsewhere", "4r1k1/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a2", "leaves_king_in_check 3.9.2 3.9.2 e8"},
		{"double check, one answered", "4r1k1/8/8/8/7b/8/6P1/4K2R w - - 0 1", "g2g3", "leaves_king_in_check 3.9.2 3.9.2 e8"},
		{"captures a king", "4k3/8/8/8/4R3/8/8/4K3 w - - 0 1", "e4e8", "captures_king 1.4.1 1.4.1 e8"},
		{"would capture a king behind a man", "4k3/4p3/8/8/4R3/8/8/4K3 w - - 0 1", "e4e8", "path_blocked 3.5 3.5 e7; captures_king 1.4.1 1.4.1 e8"},

		{"castling out of check", "r3k2r/8/8/8/4r3/8/8/R3K2R w KQkq - 0 1", "e1g1", "castling_out_of_check 3.8.2.2.1 3.8.2.2 e4"},
		{"castling through attack", "4k3/8/8/8/8/5r2/8/4K2R w K - 0 1", "e1g1", "castling_through_attack 3.8.2.2.1 3.8.2.2 f3"},
		{"castling into attack", "4k3/8/8/8/8/6r1/8/4K2R w K - 0 1", "e1h1", "castling_into_attack 3.8.2.2.1 3.8.2.2 g3"},
		{"castling through and into attack", "4k3/8/8/8/8/5rr1/8/4K2R w K - 0 1", "e1g1",
			"castling_through_attack 3.8.2.2.1 3.8.2.2 f3; castling_into_attack 3.8.2.2.1 3.8.2.2 g3"},
		{"castling blocked", "rn2k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8c8", "castling_blocked 3.8.2.2.2 3.8.2.2 b8"},
		{"castling from the start", StartFEN, "e1g1", "castling_blocked 3.8.2.2.2 3.8.2.2 f1 g1"},
		{"castling, rights gone", "4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "e1g1", "castling_right_lost 3.8.2.1 3.8.2.1 e1 h1"},
		{"castling, that right gone", "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "e1g1", "castling_rook_moved 3.8.2.1.2 3.8.2.1 h1"},
		{"castling, rights gone and in check", "4k3/8/8/8/4r3/8/8/R3K2R w - - 0 1", "e1c1",
			"castling_right_lost 3.8.2.1 3.8.2.1 e1 a1; castling_out_of_check 3.8.2.2.1 3.8.2.2 e4"},
		{"castling without a rook", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1g1", "castling_rook_missing 3.8.2.1.2 3.8.2.1 e1"},
		{"castling one square too far", castle, "e1b1", "castling_along_first_rank 3.8.2 3.8.2 e1"},
		{"castling up the file", "4R3/8/8/8/8/8/k7/4K3 w - - 0 1", "e1e3", "castling_along_first_rank 3.8.2 3.8.2 e1"},
		{"two squares up the file without a rook", "8/8/8/8/8/8/k7/4K3 w - - 0 1", "e1e3", "king_moves_one_square 3.8.1 3.8.1 e1"},
		{"castling with a promotion", castle, "e1g1q", "no_promotion_here 3.7.5.1 3.7.3.3 g1"},

		{"960: legal", "960 4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "legal f1g1"},
		{"960: the king's way", "960 4k3/8/8/8/8/8/8/RK6 w A - 0 1", "b1a1", "legal b1a1"},
		{"960: the rook was the shield", "960 4k3/8/8/8/8/8/8/rRK5 w B - 0 1", "c1b1", "exposes_king 3.9.2 3.9.2 a1"},
		{"960: blocked for the rook", "960 4k3/8/8/8/8/8/8/1RKN4 w B - 0 1", "c1b1", "castling_blocked 3.8.2.2.2 3.8.2.2 d1"},
		{"960: into attack", "960 2r1k3/8/8/8/8/8/8/RK6 w A - 0 1", "b1a1", "castling_into_attack 3.8.2.2.1 3.8.2.2 c8"},
		{"960: the king's two squares", "960 4k3/8/8/8/8/8/8/R3K2R w AH - 0 1", "e1g1", "legal e1h1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			fen, chess960 := strings.CutPrefix(c.fen, "960 ")
			v := Standard
			if chess960 {
				v = Chess960
			}
			p := position(t, fen, v)
			from, to, promotion, err := SplitUCI(c.move)
			if err != nil {
				t.Fatal(err)
			}
			if got := verdictText(&p, p.Judge(from, to, promotion)); got != c.want {
				t.Errorf("%s %s:\n got %s\nwant %s", c.fen, c.move, got, c.want)
			}
		})
	}
}

func verdictText(p *Position, v Verdict) string {
	if v.Legal {
		return "legal " + p.UCI(v.Move)
	}
	var parts []string
	for _, c := range append([]Cause{v.Cause}, v.Others...) {
		text := strings.TrimSuffix(fmt.Sprintf("%v %s %s %s", c.Reason, c.Article, c.FIDE, strings.Trim(fmt.Sprint(c.Squares), "[]")), " ")
		if c.Ply > 0 {
			text += fmt.Sprintf(" ply %d", c.Ply)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// TestLineJudge asks where only the moves before tell which article it is.
func TestLineJudge(t *testing.T) {
	t.Parallel()
	const castle = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
	for _, c := range []struct{ name, fen, moves, move, want string }{
		{"king moved", castle, "e1e2 e8e7 e2e1 e7e8", "e1g1", "castling_king_moved 3.8.2.1.1 3.8.2.1 e1 ply 1"},
		{"rook moved", castle, "h1h2 a8a7 h2h1 a7a8", "e1g1", "castling_rook_moved 3.8.2.1.2 3.8.2.1 h1 ply 1"},
		{"both rooks moved", castle, "h1h2 a8a7 h2h1 a7a8 a1a2 h8h7 a2a1 h7h8", "e1g1", "castling_rook_moved 3.8.2.1.2 3.8.2.1 h1 ply 1"},
		{"rook gone to take another", "r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 1", "a1a8 e8e7", "e1c1", "castling_rook_moved 3.8.2.1.2 3.8.2.1 a1 ply 1"},
		{"rook taken where it stood", "4k2r/6P1/8/8/8/8/8/4K3 w k - 0 1", "g7h8n", "e8g8", "castling_rook_taken 3.8.2.1.2 3.8.2.1 h8 ply 1; game_over 5.2.2 5.2.2 ply 1"},
		{"rook taken, another one came", "1r2k2r/6P1/8/8/8/8/8/4K3 w k - 0 1", "g7h8n b8b7 e1e2 b7h7 e2e1 h7h8 e1e2", "e8g8", "castling_rook_taken 3.8.2.1.2 3.8.2.1 h8 ply 1"},
		{"castled already", "4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1", "e1g1 e8e7 g1f2 e7e8 f2e2 e8e7 f1h1 e7e8 e2e1 h8g8", "e1g1", "castling_king_moved 3.8.2.1.1 3.8.2.1 e1 ply 1; castling_into_attack 3.8.2.2.1 3.8.2.2 g8"},
		{"mated", StartFEN, "f2f3 e7e5 g2g4 d8h4", "e1f2", "game_over 5.1.1 5.1.1 ply 4; king_into_attack 3.9.2 3.9.2 h4"},
		{"five times", StartFEN, strings.Repeat("g1f3 g8f6 f3g1 f6g8 ", 4), "e2e4", "game_over 9.6.1 9.6.1 ply 16"},
		{"75 moves", "8/8/8/4k3/8/8/1R6/4K3 w - - 149 120", "b2b3", "e5e4", "game_over 9.6.2 9.6.2 ply 1"},
		{"dead", "7k/8/8/8/8/8/6q1/7K w - - 0 1", "h1g2", "h8h7", "game_over 5.2.2 5.2.2 ply 1"},
		{"stalemated by a move", "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", "f2f7", "h8h7", "game_over 5.2.1 5.2.1 ply 1; king_into_attack 3.9.2 3.9.2 g6 f7"},
		{"a set-up that is mate", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "", "g8f8", "king_into_attack 3.9.2 3.9.2 a8; game_over 5.1.1 5.1.1"},
		{"a set-up that is a draw is played on from", "8/8/8/4k3/8/8/1R6/4K3 w - - 150 120", "", "b2b3", "legal b2b3"},
		{"lost before the line began", "4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "", "e1g1", "castling_right_lost 3.8.2.1 3.8.2.1 e1 h1"},
		{"pawn came in two steps", "4k3/3p4/8/2P1P3/8/8/8/4K3 b - - 0 1", "d7d6 e1e2 d6d5", "e5d6", "en_passant_no_double_step 3.7.4.1 3.7.3.1 d5 ply 3"},
		{"a move too late", "4k3/3p4/8/2P1P3/8/8/8/4K3 b - - 0 1", "d7d5 e1e2 e8e7", "e5d6", "en_passant_too_late 3.7.4.2 3.7.3.2 d5 ply 1"},
		{"pinned after the double step", "4k3/3p4/8/K3P2r/8/8/8/8 b - - 0 1", "d7d5", "e5d6", "exposes_king 3.9.2 3.9.2 h5"},
		{"legal", "4k3/3p4/8/2P1P3/8/8/8/4K3 b - - 0 1", "d7d5", "e5d6", "legal e5d6"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := NewLine(position(t, c.fen, Standard))
			playUCI(t, l, strings.Fields(c.moves)...)
			from, to, promotion, err := SplitUCI(c.move)
			if err != nil {
				t.Fatal(err)
			}
			p := l.Position()
			if got := verdictText(&p, l.Judge(from, to, promotion)); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestJudgeAgreesWithTheMoves asks about every pair of squares and every promotion: an attempt is legal exactly if a legal
// move is meant by it, and a refusal names a reason with articles.
func TestJudgeAgreesWithTheMoves(t *testing.T) {
	t.Parallel()
	lines := readPerft(t, "tricky.epd")
	lines = append(lines, readPerft(t, "classic.epd")...)
	lines = append(lines, readPerft(t, "unreachable.epd")...)
	standard := len(lines)
	lines = append(lines, readPerft(t, "chess960-tricky.epd")...)
	for i, l := range lines {
		v := Standard
		if i >= standard {
			v = Chess960
		}
		p := position(t, l.fen, v)
		legal := map[Move]int{}
		for _, m := range p.LegalMoves(nil) {
			legal[m] = 0
		}
		for from := range NoSquare {
			for to := range NoSquare {
				for r := NoRole; r <= King; r++ {
					verdict := p.Judge(from, to, r)
					if verdict.Legal {
						legal[verdict.Move]++
						if !p.IsLegal(verdict.Move) {
							t.Fatalf("%s: %v%v%v: %v is not legal", l.fen, from, to, r, verdict.Move)
						}
						continue
					}
					for _, c := range append([]Cause{verdict.Cause}, verdict.Others...) {
						if c.Reason.String() == "" || c.Article == "" || c.FIDE == "" {
							t.Fatalf("%s: %v%v%v: %v", l.fen, from, to, r, verdict)
						}
					}
				}
			}
		}
		for m, n := range legal {
			if n == 0 || n > 1 && !m.IsCastling() {
				t.Errorf("%s: %s is found %d times", l.fen, p.UCI(m), n)
			}
		}
	}
	p := Start()
	for _, s := range [][2]Square{{NoSquare, 0}, {0, NoSquare}, {200, 200}} {
		if v := p.Judge(s[0], s[1], NoRole); v.Legal || v.Cause.Reason != EmptySquare {
			t.Errorf("%v: %v", s, v)
		}
	}
}
