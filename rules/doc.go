// Package rules knows the laws of chess: positions, legal moves, why an attempt is not one, draws and ends, and the notations
// FEN, UCI, SAN and PGN, for standard chess and Chess960. It needs nothing but the standard library, reads no clock and no files,
// has no goroutines and no random numbers, and answers the same on every machine. No input makes it panic.
//
// # Positions
//
// A [Position] is a comparable value of about 160 bytes without pointers: to try a move, copy it. It has exactly one king a
// side, and that is all that is asked of it: [Position.Faults] says what else shows that it cannot come from a game (3.10.3), and play
// goes on from it all the same. No fault found does not mean that the position can be reached. What stands on a board without being a
// position is a [Setup]. Positions are made by [Start], [ParsePosition] and [Setup.Position].
//
//	var buf [256]rules.Move
//	for _, m := range p.LegalMoves(buf[:0]) { // allocates nothing
//		q := p.After(m)
//		…
//	}
//
// A [Move] is two bytes. Castling is kept as the king taking its own rook; [Position.UCI] and [Position.SAN] write it as is usual.
// [Position.Play] takes moves that are legal, and checks nothing: take them from [Position.LegalMoves], [Position.ParseUCI] or
// [Position.ParseSAN], or ask [Position.IsLegal].
//
// # Verdicts
//
// [Position.Judge] takes any attempt, from any square to any other, and answers as an arbiter would: which legal move it is, or which
// article it breaks, with the squares that show it, and what else is wrong. [Line.Judge] knows the game besides and names the
// ply by which a right was lost. Articles are numbered twice: Article as in the newest Spanish text, FIDE as in the English
// laws of 2023.
//
// # Games
//
// A [Line] is a game: the position it began with and its plies. It counts repetitions by true legal rights (9.2.3) and keeps
// apart what may be claimed ([Line.Claimable], [Line.ClaimBy]) and what has ended the game by itself ([Line.Outcome]). Whether
// a side can still mate by any series of legal moves, which decides resignations (5.1.2), flags (6.9) and dead positions (5.2.2),
// is answered by [Position.CanMate], [Position.Dead] and [Position.Lost]: yes and no are proved, and unknown is an answer.
//
// [PGN] writes a game; [ParsePGN] reads files as they are found.
//
// Values may be used by several goroutines at once, but for a Line or a buffer that one of them changes.
package rules
