package rules

// Perft is the number of sequences of legal moves of a length: the leaves of the tree. The last ply is counted without being
// made. A depth of 0 or less has one leaf.
func Perft(p Position, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	var buf [256]Move
	moves := p.LegalMoves(buf[:0])
	if depth == 1 {
		return uint64(len(moves))
	}
	var n uint64
	for _, m := range moves {
		n += Perft(p.After(m), depth-1)
	}
	return n
}

// MoveCount is a move with the number of leaves below it.
type MoveCount struct {
	Move  Move
	Count uint64
}

// Divide is Perft split by the first move; a depth of 0 or less gives nothing.
func Divide(p Position, depth int) []MoveCount {
	if depth <= 0 {
		return nil
	}
	var counts []MoveCount
	for _, m := range p.LegalMoves(nil) {
		counts = append(counts, MoveCount{m, Perft(p.After(m), depth-1)})
	}
	return counts
}
