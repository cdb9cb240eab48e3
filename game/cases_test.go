package game

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
)

// handCase is something that went wrong on somebody's board, by the number under which we keep such reports. Whoever sees more
// must get it right too, so a case runs on every kind of board, turned round, and with quicker and slower hands.
type handCase struct {
	id, name string
	fen      string // "" is the start position
	before   string // plies made before the board is watched
	hands    string // as table.hands has it
	log      string // what is said after game_start, as if corrected plies had never been said; alternatives have " | " between
	strict   bool   // not even for a moment something else
	not      string // acuities whose sensors do not show it
	takeback string // the position after the first takeback
	order    int64  // changes within so many milliseconds come in no order
}

const (
	afterE4    = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
	castleBoth = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
	twoVictims = "4k3/8/8/2p1p3/3P4/8/8/4K3 w - - 0 1"
	passant    = "rnbqkbnr/pp2pppp/8/2pP4/8/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 3"
	pawnOnD5   = "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2"
	pinned     = "4r1k1/5ppp/8/8/8/8/4N3/4K3 w - - 0 1"
	rookCheck  = "4r1k1/5ppp/8/8/8/8/R4PPP/4K3 w - - 0 1"
	secondRank = "2B5/P1p5/8/6pk/6R1/2B4P/1PP4K/8 w - - 2 45"
	promoting  = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1"
	exchanges  = "e2e4 c7c5 g1f3 d7d6 f1b5 c8d7 b5d7 b8d7"
)

var handCases = []handCase{
	// Men that slide.
	{id: "MD-01", name: "pushed over e3", hands: "-e2 90 +e3 120 -e3 90 +e4", log: "move e4", strict: true},
	{id: "MD-02", name: "rests on e3", hands: "-e2 90 +e3 1810 -e3 100 +e4", log: "move e4"},
	{id: "MD-27", name: "dragged to a capture, with a rest", fen: "6k1/4q3/8/8/8/8/5PPP/4R1K1 w - - 0 39",
		hands: "-e1 60 +e2 60 -e2 60 +e3 1020 -e3 100 +e4 60 -e4 60 +e5 60 -e5 60 +e6 60 -e7 40 -e6 60 +e7", log: "move Rxe7"},
	{id: "MD-50", name: "queen seen on three squares of its way", fen: "4k3/8/8/8/2p5/8/8/2Q1K3 w - - 0 1", order: 250,
		hands: "-c4 10 +c2:Q 10 +c3:Q 10 -c1 40 -c2 10 +c4:Q 10 -c3", log: "move Qxc4"},

	// Several plies at once, and pictures in the midst of a move.
	{id: "MD-03a", name: "move and answer in one scan", fen: afterE4, hands: "~-c7 ~+c5 ~-d2 ~+d4 look", log: "move c5, move d4", strict: true},
	{id: "MD-03b", name: "either of two ways to c6", fen: pawnOnD5, hands: "~-c7 ~-d5 ~+c6 look", log: "doubt", strict: true},
	{id: "MD-03c", name: "seen on c6 first", fen: pawnOnD5, hands: "-c7 300 +c6 900 -c6 300 -d5 400 +c6", log: "move c6, move dxc6"},
	{id: "MD-03d", name: "seen on c5 first", fen: pawnOnD5, hands: "-c7 300 +c5 900 -d5 400 +c6 300 -c5", log: "move c5, move dxc6"},
	{id: "MD-04", name: "a quiet move is no takeback", before: "e2e4 e7e5 g1f3 b8c6 d2d4 e5d4 f3d4 f8c5 c1e3 d8f6",
		hands: "-c2 400 +c3 2200 -g8 400 +e7", log: "move c3, move Nge7", strict: true},
	{id: "MD-05", name: "a picture older than the last change", hands: "-f2 42 +f4 41 ~-f4 look ~+f4 500 look", log: "move f4", strict: true, order: 250},
	{id: "MD-42", name: "the lift was lost", hands: "~-e2 +e4 300 look", log: "move e4", strict: true},
	{id: "MD-49a", name: "the new square before the old one", fen: "4k3/8/8/8/2p5/1B6/8/4K3 w - - 0 1", order: 250,
		hands: "+c4:B -b3", log: "move Bxc4, game_end 1/2-1/2 dead", strict: true, not: "presence"},
	{id: "MD-49b", name: "a pawn on both squares", fen: "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", order: 250, hands: "+a3:P -a2", log: "move a3", strict: true},

	// Going back.
	{id: "MD-06", name: "taken back on the opponent's time", before: "c2c4 c7c6 e2e4 d7d5 d2d4", hands: "-d4 700 +d2 3000 -d5 300 -e4 400 +d5",
		log: "takeback board d2d4, move exd5", strict: true, takeback: "rnbqkbnr/pp2pppp/2p5/3p4/2P1P3/8/PP1P1PPP/RNBQKBNR w KQkq - 0 3"},
	{id: "MD-13a", name: "the very first move", hands: "-e2 400 +e4 3000 -e4 800 +e2 4000 -d2 400 +d4", log: "move e4, takeback board e2e4, move d4", strict: true},
	{id: "MD-13b", name: "the very first move, not seen made", before: "e2e4", hands: "-e4 800 +e2 4000", log: "takeback board e2e4", strict: true},
	{id: "MD-41ac", name: "captures, the capturer home first", before: exchanges, hands: "-d7 500 +b8 500 +d7:B 4000 -d7 500 +b5 500 +d7:b 4000",
		log: "takeback board b8d7, takeback board b5d7"},
	{id: "MD-41bd", name: "captures, the victim home first", before: exchanges, hands: "-d7 400 +d7:B 600 +b8 4000 -d7 400 +d7:b 600 +b5 4000",
		log: "takeback board b8d7, takeback board b5d7"},
	{id: "MD-54", name: "two plies, by way of a wrong square", before: "e2e4 e7e5 g1f3 b8c6",
		hands: "-c6 500 +b8 3000 -f3 500 +h3 900 -h3 400 +g1 3000 -g1 400 +e2",
		log: "takeback board b8c6, takeback board g1f3, move Ne2 | takeback board b8c6, move Nh3, takeback board g1h3, move Ne2 | " +
			"takeback board b8c6, takeback corrected g1f3, move Nh3, takeback board g1h3, move Ne2"},
	{id: "MD-55", name: "a king's move", fen: castleBoth, hands: "-e1 500 +e2 3000 -e2 500 +e1 3000 -e1 400 +c1 400 -a1 400 +d1",
		log: "move Ke2, takeback board e1e2, move O-O-O", takeback: castleBoth},

	// What the laws do not allow.
	{id: "MD-09", name: "pinned", fen: pinned, hands: "-e2 600 +c3 3000 -c3 600 +e2 3000 -e1 500 +d1", log: "illegal_move e2c3 exposes_king, move Kd1", strict: true},
	{id: "MD-15a", name: "twice in turn", before: "e2e4", hands: "-e4 300 +e5 3000 -e5 400 +e4 3000 -e7 400 +e5",
		log: "illegal_move e4e5 not_your_turn, move e5"},
	{id: "MD-15b", name: "twice in turn, at once", hands: "-e2 400 +e4 600 -e4 300 +e5 3000 -e5 400 +e4 3000 -e7 400 +e5",
		log: "move e4, illegal_move e4e5 not_your_turn, move e5 | illegal_move e2e5 pawn_moves_forward, move e4, move e5 | " +
			"doubt, illegal_move e4e5 not_your_turn, resolved, move e4, move e5 | move e4, doubt, illegal_move e4e5 not_your_turn, resolved, move e5"},
	{id: "MD-25", name: "in check, unnoticed", fen: rookCheck, hands: "-a2 800 +a7 3200 -g7 600 +g6 3000",
		log: "illegal_move a2a7 leaves_king_in_check, illegal_standing", strict: true},
	{id: "MD-33b", name: "another man of the same side", hands: "-e2 400 +e4 500 -d2 400 +d4 3000 -d4 500 +d2 3000 -e7 400 +e5",
		log: "move e4, illegal_move d2d4 not_your_turn, move e5"},
	{id: "MD-61", name: "king beside a pawn's square", before: "e2e4 e7e5 e1e2 a7a6 e2d3 a6a5", hands: "-d3 500 +d4 3000",
		log: "illegal_move d3d4 king_into_attack", strict: true},
	{id: "MD-62a", name: "another man while in check", fen: "4k3/8/8/8/8/4r3/8/R3K2R w KQ - 0 1", hands: "-a1 500 +a7 3000 -a7 500 +a1 3000",
		log: "illegal_move a1a7 leaves_king_in_check", strict: true},
	{id: "MD-62b", name: "castling out of check", fen: "4k3/8/8/8/8/4r3/8/R3K2R w KQ - 0 1", hands: "-e1 400 +g1 400 -h1 400 +f1 3000",
		log: "illegal_move e1g1 castling_out_of_check", strict: true},

	// Sensors that are wrong, and men that do not belong.
	{id: "MD-10", name: "a captured pawn left on the board", fen: "r5k1/ppqn1ppp/2p2n2/3p4/1P6/P1N1QBP1/2P2P1P/R5K1 w - - 0 1",
		hands: "~+g4:p look 5000 ~-g4 look 3000 -e3 500 +e1", log: "desync, resync, move Qe1", strict: true},
	{id: "MD-30", name: "weak magnets flicker", fen: afterE4, hands: "-g7 60 +g7 70 -d7 60 +d7 210 -e8 50 +e8 1550 -d7 600 +d5",
		log: "weak_square d7 flicker, weak_square g7 flicker, weak_square e8 flicker, move d5", strict: true},
	{id: "MD-46", name: "others twitch while a man is in the air", fen: afterE4, hands: "-e7 40 -b2 30 +b2 80 -d1 40 +d1 510 +e6", log: "move e6", strict: true},
	{id: "MD-47", name: "dead in the middle of a reed's square", hands: "-e2 500 +e4 60 -e4 2440 +e4", log: "weak_square e4 never_seen, move e4", strict: true},

	// Captures, castling, en passant, promotion.
	{id: "MD-39", name: "victim first", fen: "rnbqkbnr/pppp1ppp/8/8/3pP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 3", hands: "-d4 600 -d1 400 +d4", log: "move Qxd4", strict: true},
	{id: "MD-45a", name: "one of two victims, taken off first", fen: twoVictims, hands: "-c5 300 -d4 400 +c5", log: "move dxc5", strict: true},
	{id: "MD-45b", name: "the other, taken off last", fen: twoVictims, hands: "-d4 300 -e5 400 +e5:P", log: "move dxe5", strict: true},
	{id: "MD-45c", name: "one of two victims, only the end seen", fen: twoVictims, hands: "~-c5 ~-d4 ~+c5 look", log: "doubt", strict: true, not: "color piece"},
	{id: "MD-45d", name: "one of two victims, the end in colour", fen: twoVictims, hands: "~-c5 ~-d4 ~+c5 look", log: "move dxc5", strict: true, not: "presence"},
	{id: "MD-38", name: "rook first", fen: "4k3/8/8/8/8/8/8/4K2R w K - 0 1", hands: "-h1 400 +f1 500 -e1 400 +g1", log: "move O-O"},
	{id: "MD-58a", name: "en passant by White", before: "e2e4 e7e6 e4e5 d7d5", hands: "-e5 400 +d6 400 -d5", log: "move exd6", strict: true},
	{id: "MD-58b", name: "en passant by Black", before: "b2b3 e7e5 g2g3 e5e4 d2d4", hands: "-e4 400 +d3 400 -d4", log: "move exd3", strict: true},
	{id: "MD-59a", name: "en passant, victim last", fen: passant, hands: "-d5 400 +c6 400 -c5", log: "move dxc6", strict: true},
	{id: "MD-59b", name: "en passant, victim first", fen: passant, hands: "-c5 300 -d5 400 +c6", log: "move dxc6", strict: true},
	{id: "MD-59c", name: "en passant, victim between", fen: passant, hands: "-d5 300 -c5 300 +c6:P", log: "move dxc6", strict: true},
	{id: "MD-29a", name: "a queen that the board does not know", fen: secondRank, not: "presence color",
		hands: "-a7 900 +a8:? 6000 !queen 1000 -h5 400 +h6 2000 -a8 400 +a7:?",
		log:   "promotion_pending a8, command promotion, move a8=Q, move Kh6, move Qa7", strict: true},
	{id: "MD-29b", name: "a pawn that stands for the queen", fen: secondRank, not: "presence color",
		hands: "-a7 900 +a8 9000 !queen 1000 -h5 400 +h6 2000 -a8 400 +a7",
		log:   "promotion_pending a8, command promotion, move a8=Q, move Kh6, move Qa7", strict: true},
	{id: "MD-63a", name: "promotion by capture, a knight by word", fen: promoting, hands: "-b8 300 -a7 400 +b8 2000 !knight 2000",
		log: "promotion_pending b8, command promotion, move axb8=N, game_end 1/2-1/2 dead", strict: true},
	{id: "MD-63b", name: "promotion, a queen by word", fen: promoting, hands: "-a7 400 +a8 1500 !queen 2000",
		log: "promotion_pending a8, command promotion, move a8=Q", strict: true},

	// The end.
	{id: "MD-17", name: "the winner's king was beside the centre", fen: "6k1/5ppp/8/8/8/3K4/5PPP/8 w - - 0 40", hands: "-d3 500 +e4 1000 -g8 600 +d5 8000",
		log: "result_proposed 1-0, game_end 1-0 kings"},
	{id: "MD-23", name: "the mating move is said too", before: "e2e4 e7e5 f1c4 b8c6 d1h5 g8f6", hands: "-f7 300 -h5 400 +f7",
		log: "move Qxf7#, game_end 1-0 checkmate", strict: true},
}

func TestHandCases(t *testing.T) {
	t.Parallel()
	for _, c := range handCases {
		for _, a := range acuities {
			if strings.Contains(c.not, a.String()) {
				continue
			}
			for _, tenths := range []int64{7, 10, 14} {
				for _, side := range []string{"white", "black"} {
					if side == "black" && tenths != 10 {
						continue
					}
					t.Run(fmt.Sprintf("%s %s/%s/%d%s", c.id, c.name, a, tenths, side), func(t *testing.T) {
						t.Parallel()
						c.run(t, a, tenths, side)
					})
				}
			}
		}
	}
}

func (c *handCase) run(t *testing.T, a board.Acuity, tenths int64, side string) {
	start := startOf(t, c.fen)
	h := seat(t, Options{
		Games: "g", Acuity: a, SettleMs: 25, Resolution: c.order, Start: start, Moves: plies(t, *start, c.before), Orientation: side,
	})
	h.tempo = tenths
	h.wait(1000)
	h.hands(c.hands)
	h.wait(12_000)
	got := h.log()
	if !c.strict {
		got = corrected(got)
	}
	ok := false
	for want := range strings.SplitSeq(c.log, " | ") {
		ok = ok || got == strings.TrimSuffix("game_start, "+want, ", ")
	}
	if !ok {
		t.Errorf("said %s; want %s", h.log(), c.log)
	}
	for _, e := range h.events {
		if x, ok := e.Body.(*Takeback); ok && c.takeback != "" {
			if x.FEN != c.takeback {
				t.Errorf("taken back to %s", x.FEN)
			}
			break
		}
	}
	if games := h.Games(); len(games) != 1 {
		t.Errorf("%d games", len(games))
	}
}
