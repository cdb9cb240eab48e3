package rules

// zobrist holds a number for each fact that a key is made of, from a fixed sequence, so that keys are the same everywhere.
type zobrist struct {
	pieces   [16][64]uint64
	castling [64]uint64
	ep       [64]uint64
	black    uint64
}

var keys = newZobrist()

func newZobrist() *zobrist {
	seed := uint64(0x626f61726464) // splitmix64
	next := func() uint64 {
		seed += 0x9e3779b97f4a7c15
		z := seed
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	var k zobrist
	for i := range k.pieces {
		for s := range k.pieces[i] {
			k.pieces[i][s] = next()
		}
	}
	for s := range k.castling {
		k.castling[s], k.ep[s] = next(), next()
	}
	k.black = next()
	return &k
}

// Key is a hash that is equal for positions that are the same in the sense of 9.2.3: the same men on the same squares, the
// same side to move, the same legal en-passant captures and the same castling rights. Different positions have different
// keys but for chance (1 in 2^64); Position.Same is exact.
func (p *Position) Key() uint64 {
	var k uint64
	for b := p.Occupied(); b != 0; {
		s := b.Pop()
		k ^= keys.pieces[p.board[s&63]&15][s&63]
	}
	for b := p.castling; b != 0; {
		k ^= keys.castling[b.Pop()&63]
	}
	if p.ep < NoSquare {
		k ^= keys.ep[p.ep]
	}
	if p.turn == Black {
		k ^= keys.black
	}
	return k
}

// Same reports whether two positions are the same in the sense of 9.2.3.
func (p *Position) Same(q *Position) bool {
	return p.board == q.board && p.turn == q.turn && p.castling == q.castling && p.ep == q.ep
}
