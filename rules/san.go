package rules

import "strings"

// SAN writes a move that is legal in p as PGN wants it: Nf3, exd6, R1a3, e8=Q, O-O, with + for check and # for mate.
func (p *Position) SAN(m Move) string {
	var buf [8]byte
	b := p.appendSAN(buf[:0], m)
	if after := p.After(m); after.InCheck() {
		sign := byte('#')
		if after.HasLegalMove() {
			sign = '+'
		}
		b = append(b, sign)
	}
	return string(b)
}

func (p *Position) appendSAN(b []byte, m Move) []byte {
	if m.IsCastling() {
		if m.To() > m.From() {
			return append(b, "O-O"...)
		}
		return append(b, "O-O-O"...)
	}
	role := p.At(m.From()).Role()
	capture := p.At(m.To()) != NoPiece || m.IsEnPassant()
	if role == Pawn {
		if capture {
			b = append(b, 'a'+byte(m.From().File()))
		}
	} else {
		b = append(b, pieceLetters[role&7])
		b = p.appendOrigin(b, m)
	}
	if capture {
		b = append(b, 'x')
	}
	b = append(b, 'a'+byte(m.To().File()), '1'+byte(m.To().Rank()))
	if r := m.Promotion(); r != NoRole {
		b = append(b, '=', pieceLetters[r])
	}
	return b
}

// appendOrigin tells a move from those of like pieces to the same square: by the file, else by the rank, else by both.
func (p *Position) appendOrigin(b []byte, m Move) []byte {
	from, to := m.From(), m.To()
	like := p.Pieces(p.turn, p.board[from].Role()) &^ from.Bit()
	if like &= p.attackers(to, p.turn, p.Occupied()); like == 0 {
		return b // no other one gets there, legally or not
	}
	var buf [256]Move
	others, sameFile, sameRank := false, false, false
	for _, o := range p.LegalMoves(buf[:0]) {
		if o.To() != to || !like.Has(o.From()) || o.IsCastling() {
			continue
		}
		others = true
		sameFile = sameFile || o.From().File() == from.File()
		sameRank = sameRank || o.From().Rank() == from.Rank()
	}
	switch file, rank := 'a'+byte(from.File()), '1'+byte(from.Rank()); {
	case !others:
		return b
	case !sameFile:
		return append(b, file)
	case !sameRank:
		return append(b, rank)
	default:
		return append(b, file, rank)
	}
}

// Notation is what a SAN text says, before any position is asked whether it is a move.
type Notation struct {
	Castling   int8 // 1 to the king's side, -1 to the queen's side, 0 for any other move
	Role       Role
	File, Rank int // of the square the man comes from, -1 where not said
	To         Square
	Promotion  Role
}

// SplitSAN reads a SAN text as generously as score sheets and old books need: zeros or small letters for castling, figurines or P
// for the man, + ++ # ! ? "e.p." "ch" "mate" missing, wrong or in any order, the capture's x left out or written : or ×, a promotion
// as =Q, Q, (Q) or /Q, more of the origin than needed. Castling never is a king's move (Kg1). The error is a *MoveError.
func SplitSAN(text string) (Notation, error) {
	bad := &MoveError{text, "syntax", "a move such as Nf3, exd5, e8=Q or O-O is needed"}
	n := Notation{Role: Pawn, File: -1, Rank: -1, To: NoSquare}
	s := withoutRemarks(signs.Replace(text))
	switch s {
	case "O-O", "0-0", "o-o", "OO", "00":
		return Notation{Castling: 1, Role: King, File: -1, Rank: -1, To: NoSquare}, nil
	case "O-O-O", "0-0-0", "o-o-o", "OOO", "000":
		return Notation{Castling: -1, Role: King, File: -1, Rank: -1, To: NoSquare}, nil
	}
	if s != "" {
		if piece, ok := PieceFromLetter(s[0]); ok && piece.Color() == White {
			n.Role, s = piece.Role(), s[1:]
		}
	}
	if len(s) > 2 && n.Role == Pawn {
		rest, last := s[:len(s)-1], s[len(s)-1]
		if last == ')' {
			rest, last = s[:len(s)-2], s[len(s)-2]
			if !strings.HasSuffix(rest, "(") {
				return Notation{}, bad
			}
		}
		if piece, ok := PieceFromLetter(last); ok {
			n.Promotion, s = piece.Role(), strings.TrimRight(strings.TrimSuffix(rest, "("), "=/ ")
		}
	}
	if len(s) < 2 {
		return Notation{}, bad
	}
	to, ok := ParseSquare(s[len(s)-2:])
	if !ok {
		return Notation{}, bad
	}
	n.To, s = to, strings.TrimRight(s[:len(s)-2], "x-:")
	if s != "" && s[0] >= 'a' && s[0] <= 'h' {
		n.File, s = int(s[0]-'a'), s[1:]
	}
	if s != "" && s[0] >= '1' && s[0] <= '8' {
		n.Rank, s = int(s[0]-'1'), s[1:]
	}
	if s != "" {
		return Notation{}, bad
	}
	if n.Role == Pawn && n.File < 0 {
		n.File = to.File() // a pawn's capture always names its file
	}
	return n, nil
}

// signs are what is printed for letters.
var signs = strings.NewReplacer("♔", "K", "♕", "Q", "♖", "R", "♗", "B", "♘", "N", "♙", "", "♚", "K", "♛", "Q", "♜", "R", "♝", "B", "♞", "N", "♟", "",
	"×", "x", "–", "-", "‼", "!", "⁇", "?", "⁉", "?", "⁈", "?", "†", "+", "‡", "#")

// withoutRemarks takes off what is said about a move behind it.
func withoutRemarks(s string) string {
	s = strings.TrimSpace(s)
again:
	for {
		t := strings.TrimRight(s, "+#!? \t")
		for _, remark := range [...]string{"e.p.", "ep.", "ep", "mate", "dbl ch", "dis ch", "ch"} {
			if rest, ok := strings.CutSuffix(t, remark); ok && rest != "" {
				s = rest
				continue again
			}
		}
		return t
	}
}

// fits reports whether a legal move of p is one that the notation can mean, the promotion aside.
func (n Notation) fits(p *Position, m Move) bool {
	if n.Castling != 0 || m.IsCastling() {
		return m.IsCastling() && (m.To() > m.From()) == (n.Castling > 0) && n.Castling != 0
	}
	from := m.From()
	return m.To() == n.To && p.At(from).Role() == n.Role &&
		(n.File < 0 || n.File == from.File()) && (n.Rank < 0 || n.Rank == from.Rank())
}

// ParseSAN reads a move that is legal in p, as generously as SplitSAN says. The error is a *MoveError.
func (p *Position) ParseSAN(text string) (Move, error) {
	n, err := SplitSAN(text)
	if err != nil {
		return NoMove, err
	}
	var buf [256]Move
	found, needsPromotion := NoMove, false
	for _, m := range p.LegalMoves(buf[:0]) {
		if !n.fits(p, m) {
			continue
		}
		if m.Promotion() != n.Promotion {
			needsPromotion = needsPromotion || n.Promotion == NoRole
			continue
		}
		if found != NoMove {
			return NoMove, &MoveError{text, "ambiguous", "more than one piece can make it: name the square it comes from"}
		}
		found = m
	}
	switch {
	case found != NoMove:
		return found, nil
	case needsPromotion:
		return NoMove, &MoveError{text, "promotion", "say what the pawn becomes, as in e8=Q"}
	}
	return NoMove, &MoveError{text, "illegal", "not legal in this position"}
}
