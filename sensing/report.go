package sensing

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// Report is what the tracker makes of the board at this moment. It holds no advice: what a finding means is the game's to decide.
type Report struct {
	// Line is the likeliest line of plies since the tracker's start position (committed plies included). It may change.
	Line []rules.Move
	// Firm is how many plies of Line are sure: no surviving rival line differs there, none of them has an open debt, or the
	// opponent has completed a ply on top.
	Firm int
	// Margin is by how much the best line is likelier than the best rival line, in milli-nats (20,000 when there is none).
	Margin int32
	// PlacedAt is, for each ply of Line, when its last piece was set down, in milliseconds.
	PlacedAt []int64

	// Debts is what the last ply of Line still owes.
	Debts []Debt
	// Promotion is the square of a promotion whose piece is not settled by what the board shows (presence and color boards,
	// or an unknown, foreign or pawn symbol on a piece board), else rules.NoSquare. Exchanges is how often the man on that
	// square was lifted and put back since it came there.
	Promotion rules.Square
	Exchanges int

	// Due are plies of Line that were made elsewhere and are still to be carried out. Their men are named here, and below only where
	// they are neither where they stood nor in the air.
	Due []Due

	// Doubt is set when several legal explanations of what was seen remain and time alone will not settle them. Under the same ID
	// it stays until at most one of them is left.
	Doubt *Doubt
	// Contested: another line of at least as many plies, not one that goes on from Line, is nearly as likely at this moment.
	Contested bool

	// Match: the sensors say exactly what the end of Line says.
	Match bool
	// Lifted are squares of Line's final position whose men are in the air.
	Lifted rules.Bitboard
	// Displaced are men that stand where the end of Line does not want them.
	Displaced []Displaced
	// Missing are men of Line's final position that no square shows; Extra are squares that show something which Line cannot explain.
	Missing []Man
	Extra   []Seen

	// LastChange is when a settled change last came, in milliseconds; Settled is false while a square is still bouncing.
	LastChange int64
	Settled    bool

	// Weak are the squares whose sensors are not to be trusted.
	Weak []WeakSquare

	// Start: the sensors show the standard start position (or the tracker's own start position), unbroken since StartSince.
	Start      bool
	StartSince int64
	// Kings is the result that kings in the centre claim: "1-0", "0-1", "1/2-1/2", or "" (since KingsSince).
	Kings      string
	KingsSince int64
}

// DebtKind is what a ply may still owe.
type DebtKind uint8

// The debts: the castling rook is not home yet; the pawn taken en passant still stands.
const (
	RookDebt DebtKind = iota + 1
	VictimDebt
)

// Debt is one thing that must still be done to complete a ply.
type Debt struct {
	Kind     DebtKind
	From, To rules.Square // rook: where it stands or stood, where it goes; victim: its square, NoSquare
}

// Man is a piece on its square.
type Man struct {
	Square rules.Square
	Piece  rules.Piece
}

// Displaced is a man away from where it belongs.
type Displaced struct {
	Piece    rules.Piece
	Home, At rules.Square // where Line's final position has it; where it stands
}

// Seen is a square and what it shows.
type Seen struct {
	Square rules.Square
	Symbol board.Symbol
}

// Doubt is a set of lines of which one is true.
type Doubt struct {
	ID         int64
	Kind       string       // victim_ambiguous, source_ambiguous, missed_capture, capture_or_putback, orientation, line_ambiguous
	Base       []rules.Move // the plies that all candidates come after
	Candidates []Candidate
	Squares    rules.Bitboard // the squares in which the candidates differ
	MovesOn    bool           // play goes on though it is not known what was played while nobody watched: it is not waited for rest
}

// Candidate is one explanation: plies after Base; none says that nothing was played since. Weight is in thousandths; all add up to at most 1000.
type Candidate struct {
	Moves  []rules.Move
	Weight int
}
