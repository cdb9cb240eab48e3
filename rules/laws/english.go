package laws

import (
	"golang.org/x/text/language"

	"github.com/boardd/boardd/rules"
)

// english is the model for the other tables: they have the same keys and the same placeholders. Clauses (reason, fault, claim,
// way and parts of sentences) begin small and are put into sentences; no sentence has a full stop.
//
// Forms of a piece: a, the.
var english = Language{
	tag: language.English, comma: ", ", pause: "; ", and: " and ", or: " or ",
	man: func(m man, form string) (string, bool) {
		name := m.role.String()
		if m.colored {
			name = m.color.String() + " " + name
		}
		switch form {
		case "":
			return name, true
		case "a", "the":
			return form + " " + name, true
		}
		return "", false
	},
	side: func(c rules.Color, form string) (string, bool) {
		return [...]string{"White", "Black"}[c&1], form == ""
	},
	plural: oneOrMany,
	say: map[string]string{
		"reason.empty_square":                       "there is no piece to move on {squares}",
		"reason.no_such_piece":                      "there is no such piece to move",
		"reason.no_movement":                        "the piece stays where it is",
		"reason.not_your_turn":                      "the piece on {squares} belongs to the side that is not to move",
		"reason.own_piece_there":                    "{squares} is occupied by a piece of the same colour",
		"reason.captures_king":                      "a king is never captured",
		"reason.bishop_moves_diagonally":            "a bishop moves along diagonals",
		"reason.rook_moves_straight":                "a rook moves along files and ranks",
		"reason.queen_moves_straight_or_diagonally": "a queen moves along files, ranks and diagonals",
		"reason.knight_moves_in_an_l":               "a knight moves two squares along a line and one to the side",
		"reason.king_moves_one_square":              "a king moves to an adjoining square",
		"reason.path_blocked":                       "the way is blocked on {squares}",
		"reason.pawn_moves_forward":                 "a pawn moves straight ahead: one square, or two from where it began",
		"reason.pawn_blocked":                       "the pawn is blocked on {squares}",
		"reason.pawn_double_step":                   "a pawn moves two squares only from its second rank",
		"reason.pawn_captures_nothing":              "there is nothing to capture on {squares}",
		"reason.en_passant_no_double_step":          "the pawn on {squares} did not come there by a double step, so it cannot be taken en passant",
		"reason.en_passant_too_late":                "the pawn on {squares} could be taken en passant only on the very next move",
		"reason.promotion_missing":                  "a pawn on {squares} is exchanged for a queen, rook, bishop or knight in the same move",
		"reason.promotion_piece_impossible":         "a pawn becomes a queen, rook, bishop or knight and nothing else",
		"reason.no_promotion_here":                  "only a pawn that reaches the last rank is promoted",
		"reason.castling_along_first_rank":          "castling moves the king two squares along its first rank towards a rook",
		"reason.castling_right_lost":                "the right to castle is lost: the king or that rook has moved",
		"reason.castling_king_moved":                "the right to castle is lost: the king has moved",
		"reason.castling_rook_moved":                "the right to castle with that rook is lost: it has moved",
		"reason.castling_rook_taken":                "the right to castle with that rook is lost: it was captured",
		"reason.castling_rook_missing":              "there is no rook to castle with",
		"reason.castling_out_of_check":              "no castling out of check{attack}",
		"reason.castling_through_attack":            "no castling across an attacked square{attack}",
		"reason.castling_into_attack":               "no castling onto an attacked square{attack}",
		"reason.castling_blocked":                   "castling needs empty squares between king and rook; not empty: {squares}",
		"reason.king_into_attack":                   "the king may not go where it is attacked{attack}",
		"reason.leaves_king_in_check":               "the king would stay in check{attack}",
		"reason.exposes_king":                       "the king would be exposed to check{attack}",
		"reason.game_over":                          "the game is over",
		"reason.other":                              "the laws do not allow it",
		"cause.attack":                              " (attack from {men:the})",
		"verdict.legal":                             "{move}: legal ({san})",
		"verdict.claim":                             "with it a draw may be claimed: {why}",
		"verdict.illegal":                           "{move}: illegal by {article}: {why}",
		"verdict.also":                              "also {causes}",
		"verdict.ways":                              "ways out of check: {ways}",
		"way.move":                                  "move the king",
		"way.capture":                               "capture the piece that gives check",
		"way.interpose":                             "put a piece between",

		"fault.kings":             "there must be exactly one king a side",
		"fault.pawn-rank":         "a pawn stands on the first or last rank",
		"fault.too-many-pawns":    "a side has more than eight pawns",
		"fault.too-many-pieces":   "a side has more than sixteen men",
		"fault.too-much-material": "a side has more promoted pieces than pawns are missing",
		"fault.opposite-check":    "the side that is not to move is in check",
		"fault.too-many-checkers": "more than two men give check",
		"fault.impossible-check":  "no last move can have given this check",
		"fault.castling-rights":   "castling rights are named without king or rook in their places",
		"fault.ep-square":         "no pawn can just have crossed the en-passant square",
		"fault.unreachable":       "no series of moves from the initial position leads here",
		"fault.other":             "the position is illegal",

		"way":             "from {from} to {to}",
		"move":            "{piece} from {from} to {to}",
		"move.kingside":   "castles kingside",
		"move.queenside":  "castles queenside",
		"move.captures":   "captures {piece:the}",
		"move.en_passant": "captures {piece:the} en passant",
		"move.becomes":    "becomes {piece:a}",
		"move.check":      "check",
		"move.mate":       "checkmate",
		"move.by":         "{side}: {move}",

		"result.1-0":      "White wins",
		"result.0-1":      "Black wins",
		"result.1/2-1/2":  "it is a draw",
		"result.other":    "there is no result",
		"end":             "{result}: {why}",
		"end.checkmate":   "checkmate",
		"end.stalemate":   "stalemate",
		"end.dead":        "neither side can give mate",
		"end.fivefold":    "the same position for the fifth time",
		"end.75moves":     "75 moves without a capture or a pawn's move",
		"end.threefold":   "the same position for the third time",
		"end.fifty":       "fifty moves without a capture or a pawn's move",
		"end.agreement":   "agreed",
		"end.resign":      "the other side resigns",
		"end.resign_draw": "one side resigns, and the other cannot give mate",
		"end.flag":        "on time",
		"end.flag_draw":   "the flag has fallen, but the other side cannot give mate",
		"end.arbiter":     "the arbiter says so",
		"end.kings":       "by the kings in the centre",
		"end.forfeit":     "by forfeit",
		"end.abandoned":   "the game is abandoned",
		"end.other":       "the game is over",
		"claim.threefold": "the same position for the third time",
		"claim.fifty":     "fifty moves without a capture or a pawn's move",

		"position.illegal":        "the position is illegal: {why} ({article})",
		"position.checkers":       "check from {squares}",
		"position.count":          "this position has stood {n} {n?time|times}",
		"position.can_mate":       "{side} can give mate",
		"position.cannot_mate":    "{side} cannot give mate",
		"position.mate_unsettled": "whether {side} can give mate is not settled",
		"position.stuck":          "there is no legal move",
		"position.moves":          "{n} legal {n?move|moves}: {moves}",

		"turn":                   "{side} to move",
		"turn.check":             "{side} to move, in check",
		"check":                  "{side} gives check",
		"draw_offer":             "{side} offers a draw",
		"draw_declined":          "{side} declines the draw",
		"draw_declined.move":     "{side} declines the draw by moving",
		"draw_claimable":         "a draw may be claimed: {why}",
		"flag_fallen":            "the flag of {side} has fallen",
		"result_proposed":        "the kings in the centre say: {result}",
		"illegal":                "{side} may not move {way}: {why}, article {article}",
		"illegal_standing.clock": "{side} has made an illegal move {way} and pressed the clock",
		"illegal_standing.reply": "{side} has made an illegal move {way}, and the answer was {reply}",
		"king_captured":          "{side} has taken the king on {square}, which no law allows",
		"touch_move.move":        "touch-move: the piece on {square} must move",
		"touch_move.take":        "touch-move: the piece on {square} must be taken",
		"touch_move.both":        "touch-move: the piece on {square} must take the one on {square2}",
		"touch_move.free":        "touch-move: the piece on {square} has no legal move, so any other may move",
		"takeback":               "taken back: {moves}",
		"takeback.many":          "{n} half-moves taken back",
		"takeback.corrected":     "what looked like {moves} was something else",
		"doubt":                  "it is not clear what was played",
		"doubt.ways":             "it is not clear what was played: {ways}?",
		"doubt.orientation":      "which way round does the board stand?",
		"doubt.setup":            "does a game begin from the position on the board?",
		"resolved":               "it is clear now: {moves}",
		"resolved.nothing":       "it is clear now",
		"promotion.ask":          "a pawn is on {square}: promote it to {pieces:a}?",
		"wait.promotion":         "waiting for the choice of a piece on {squares}",
		"wait.remote":            "waiting for the move from {from} to {to} to be carried out on the board",
		"wait.rook":              "castling: the rook goes from {from} to {to}",
		"wait.victim":            "waiting for the captured pawn to be taken off {squares}",
		"wait.doubt":             "it is not clear which move was played",
		"wait.start":             "waiting for the start position",

		"game_start":             "a game begins",
		"game_start.other":       "a game begins from another position than the usual one",
		"game_start.moves":       "with {n} {n?half-move|half-moves} made already",
		"setup.position":         "waiting for the position {fen}",
		"setup.refused":          "no game begins here unless it is confirmed once more: {why}",
		"desync":                 "the pieces do not stand as the game has them",
		"desync.missing":         "missing: {men}",
		"desync.extra":           "too much: {men}",
		"men":                    "{n} {n?piece|pieces}",
		"man.on":                 "{man} on {square}",
		"something":              "something",
		"something.white":        "something white",
		"something.black":        "something black",
		"resync":                 "the pieces stand as the game has them again",
		"board_online":           "the board is connected",
		"board_offline":          "the board is not connected",
		"low_battery.clock":      "the battery of the clock is low",
		"low_battery.other":      "the battery is low",
		"weak_square.flicker":    "the sensor of {square} flickers",
		"weak_square.stuck":      "the sensor of {square} does not change",
		"weak_square.never_seen": "the piece on {square} is not seen: move it a little",
		"weak_square.other":      "the sensor of {square} is not to be trusted",
		"command":                "command: {verb}",
		"command.by":             "command from {by}: {verb}",
	},
}

// oneOrMany is the grammar of numbers of English and Spanish.
func oneOrMany(n int) int {
	if n == 1 {
		return 0
	}
	return 1
}

// always is that of languages whose words do not change with a number.
func always(int) int { return 0 }
