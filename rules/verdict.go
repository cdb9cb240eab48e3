package rules

// Verdict is what an arbiter says to an attempt to move: legal, and then which move it is; or not, and then why.
type Verdict struct {
	Legal  bool
	Move   Move    // NoMove unless legal
	Cause  Cause   // the reason that an arbiter would name; zero when legal
	Others []Cause // what else is wrong with it
	Check  bool    // the side to move is in check: what is refused did not help its king, or was no move at all
	Ways   Escapes // the ways out of that check that there are
}

// Cause is one thing that is wrong with an attempt.
type Cause struct {
	Reason  Reason
	Article string   // as the newest text of the laws numbers it (laws of chess, Spanish edition)
	FIDE    string   // the same article in the numbering of the English laws of 2023
	Squares []Square // what shows it: the blocking men, the attackers, else the man or the square in question
	Ply     int      // the ply of the game that is the cause, counted from 1, 0 when no ply is or it is not known; see Line.Judge
}

// Reason is a kind of thing that can be wrong with an attempt to move.
type Reason uint8

// The reasons. NoReason is that of a legal move. New ones are added at the end: their numbers and codes stay.
const (
	NoReason Reason = iota
	EmptySquare
	PieceMissing
	NoMovement
	NotYourTurn
	OwnPiece
	CapturesKing
	BishopMove
	RookMove
	QueenMove
	KnightMove
	KingMove
	PathBlocked
	PawnMove
	PawnBlocked
	PawnDoubleStep
	PawnCapture
	EnPassantNotDouble
	EnPassantLate
	PromotionMissing
	PromotionPiece
	PromotionElsewhere
	CastlingMove
	CastlingRightLost
	CastlingKingMoved
	CastlingRookMoved
	CastlingRookMissing
	CastlingOutOfCheck
	CastlingThroughCheck
	CastlingIntoCheck
	CastlingBlocked
	KingIntoAttack
	LeavesInCheck
	ExposesKing
	GameOver
	CastlingRookTaken
)

// reasons gives each reason its code and its article in both numberings.
var reasons = [...]struct{ code, article, fide string }{
	NoReason:             {"", "", ""},
	EmptySquare:          {"empty_square", "3.10.2", "3.10.2"},
	PieceMissing:         {"no_such_piece", "3.10.2", "3.10.2"},
	NoMovement:           {"no_movement", "3.10.2", "3.10.2"},
	NotYourTurn:          {"not_your_turn", "1.2", "1.2"},
	OwnPiece:             {"own_piece_there", "3.1", "3.1"},
	CapturesKing:         {"captures_king", "1.4.1", "1.4.1"},
	BishopMove:           {"bishop_moves_diagonally", "3.2", "3.2"},
	RookMove:             {"rook_moves_straight", "3.3", "3.3"},
	QueenMove:            {"queen_moves_straight_or_diagonally", "3.4", "3.4"},
	KnightMove:           {"knight_moves_in_an_l", "3.6", "3.6"},
	KingMove:             {"king_moves_one_square", "3.8.1", "3.8.1"},
	PathBlocked:          {"path_blocked", "3.5", "3.5"},
	PawnMove:             {"pawn_moves_forward", "3.7.1", "3.7.1"},
	PawnBlocked:          {"pawn_blocked", "3.7.1", "3.7.1"},
	PawnDoubleStep:       {"pawn_double_step", "3.7.2", "3.7.2"},
	PawnCapture:          {"pawn_captures_nothing", "3.7.3", "3.7.3"},
	EnPassantNotDouble:   {"en_passant_no_double_step", "3.7.4.1", "3.7.3.1"},
	EnPassantLate:        {"en_passant_too_late", "3.7.4.2", "3.7.3.2"},
	PromotionMissing:     {"promotion_missing", "3.7.5.1", "3.7.3.3"},
	PromotionPiece:       {"promotion_piece_impossible", "3.7.5.1", "3.7.3.3"},
	PromotionElsewhere:   {"no_promotion_here", "3.7.5.1", "3.7.3.3"},
	CastlingMove:         {"castling_along_first_rank", "3.8.2", "3.8.2"},
	CastlingRightLost:    {"castling_right_lost", "3.8.2.1", "3.8.2.1"},
	CastlingKingMoved:    {"castling_king_moved", "3.8.2.1.1", "3.8.2.1"},
	CastlingRookMoved:    {"castling_rook_moved", "3.8.2.1.2", "3.8.2.1"},
	CastlingRookMissing:  {"castling_rook_missing", "3.8.2.1.2", "3.8.2.1"},
	CastlingOutOfCheck:   {"castling_out_of_check", "3.8.2.2.1", "3.8.2.2"},
	CastlingThroughCheck: {"castling_through_attack", "3.8.2.2.1", "3.8.2.2"},
	CastlingIntoCheck:    {"castling_into_attack", "3.8.2.2.1", "3.8.2.2"},
	CastlingBlocked:      {"castling_blocked", "3.8.2.2.2", "3.8.2.2"},
	KingIntoAttack:       {"king_into_attack", "3.9.2", "3.9.2"},
	LeavesInCheck:        {"leaves_king_in_check", "3.9.2", "3.9.2"},
	ExposesKing:          {"exposes_king", "3.9.2", "3.9.2"},
	GameOver:             {"game_over", "5.1", "5.1"}, // the article is that of what ended it
	CastlingRookTaken:    {"castling_rook_taken", "3.8.2.1.2", "3.8.2.1"},
}

// String is the reason's code: words in small letters joined by underscores, "" for NoReason.
func (r Reason) String() string {
	if int(r) >= len(reasons) {
		return ""
	}
	return reasons[r].code
}

// MarshalText writes the code.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

func newCause(r Reason, squares ...Square) Cause {
	info := &reasons[r]
	return Cause{Reason: r, Article: info.article, FIDE: info.fide, Squares: squares}
}

func (b Bitboard) squares() []Square {
	var list []Square
	for b != 0 {
		list = append(list, b.Pop())
	}
	return list
}
