// Package laws says to people what the rules say in codes: why a move is refused, what is wrong with a position.
package laws

import (
	"strings"

	"github.com/boardd/boardd/rules"
)

// sentences holds what is said for a reason; %s stands for its squares.
var sentences = map[rules.Reason]string{
	rules.EmptySquare:          "there is no piece to move on %s",
	rules.PieceMissing:         "there is no such piece to move",
	rules.NoMovement:           "the piece stays where it is",
	rules.NotYourTurn:          "the piece on %s belongs to the side that is not to move",
	rules.OwnPiece:             "%s is occupied by a piece of the same colour",
	rules.CapturesKing:         "a king is never captured",
	rules.BishopMove:           "a bishop moves along diagonals",
	rules.RookMove:             "a rook moves along files and ranks",
	rules.QueenMove:            "a queen moves along files, ranks and diagonals",
	rules.KnightMove:           "a knight moves two squares along a line and one to the side",
	rules.KingMove:             "a king moves to an adjoining square",
	rules.PathBlocked:          "the way is blocked on %s",
	rules.PawnMove:             "a pawn moves straight ahead: one square, or two from where it began",
	rules.PawnBlocked:          "the pawn is blocked on %s",
	rules.PawnDoubleStep:       "a pawn moves two squares only from its second rank",
	rules.PawnCapture:          "there is nothing to capture on %s",
	rules.EnPassantNotDouble:   "the pawn on %s did not come there by a double step, so it cannot be taken en passant",
	rules.EnPassantLate:        "a capture en passant of %s is only legal on the very next move",
	rules.PromotionMissing:     "a pawn on %s is exchanged for a queen, rook, bishop or knight in the same move",
	rules.PromotionPiece:       "a pawn becomes a queen, rook, bishop or knight and nothing else",
	rules.PromotionElsewhere:   "only a pawn that reaches the last rank is promoted",
	rules.CastlingMove:         "castling moves the king two squares along its first rank towards a rook",
	rules.CastlingRightLost:    "the right to castle is lost: the king or that rook has moved",
	rules.CastlingKingMoved:    "the right to castle is lost: the king has moved",
	rules.CastlingRookMoved:    "the right to castle with that rook is lost: it has moved",
	rules.CastlingRookMissing:  "there is no rook to castle with",
	rules.CastlingOutOfCheck:   "no castling out of check: the king is attacked from %s",
	rules.CastlingThroughCheck: "no castling across an attacked square: the attack comes from %s",
	rules.CastlingIntoCheck:    "no castling onto an attacked square: the attack comes from %s",
	rules.CastlingBlocked:      "castling needs empty squares between king and rook; not empty: %s",
	rules.KingIntoAttack:       "the king may not go where it is attacked: the attack comes from %s",
	rules.LeavesInCheck:        "the king would stay in check from %s",
	rules.ExposesKing:          "the king would be exposed to check from %s",
	rules.GameOver:             "the game is over",
	rules.CastlingRookTaken:    "the right to castle with that rook is lost: it was captured",
}

// Cause is a short English sentence on why an attempt is refused, without full stop, "" for the zero Cause.
func Cause(c rules.Cause) string {
	names := make([]string, len(c.Squares))
	for i, s := range c.Squares {
		names[i] = s.String()
	}
	return strings.ReplaceAll(sentences[c.Reason], "%s", list(names))
}

// list joins names as a sentence does.
func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// faults holds what is said for the code of a fault.
var faults = map[string]string{
	rules.FaultKings:           "there must be exactly one king a side",
	rules.FaultPawnRank:        "a pawn stands on the first or last rank",
	rules.FaultTooManyPawns:    "a side has more than eight pawns",
	rules.FaultTooManyPieces:   "a side has more than sixteen men",
	rules.FaultTooMuchMaterial: "a side has more promoted pieces than pawns are missing",
	rules.FaultOppositeCheck:   "the side that is not to move is in check",
	rules.FaultTooManyCheckers: "more than two men give check",
	rules.FaultImpossibleCheck: "no last move can have given this check",
	rules.FaultCastlingRights:  "castling rights are named without king or rook in their places",
	rules.FaultEnPassant:       "no pawn can just have crossed the en-passant square",
	rules.FaultUnreachable:     "no series of moves from the initial position leads here",
}

// Fault is a short English sentence on what is wrong with a position, without full stop, "" for an unknown code.
func Fault(f rules.Fault) string { return faults[f.Code] }
