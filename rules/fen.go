package rules

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// StartFEN is the initial position of standard chess.
const StartFEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

// The largest counters that are read. A half-move clock beyond 150 must also fit the number of the move, because the game
// would have ended (9.6.2) unless it went on against the laws.
const (
	maxHalfmove = 99999
	maxFullmove = 99999
)

// FENError says which field of a FEN is faulty and what is wrong with it.
type FENError struct {
	Code string // fields, board, turn, castling, en-passant, halfmove, fullmove
	Text string // the faulty field
	Why  string
}

// Error is one line.
func (e *FENError) Error() string { return fmt.Sprintf("FEN: %s %.80q: %s", e.Code, e.Text, e.Why) }

// ParseFEN reads a FEN of six fields, strictly: what is faulty is refused with a *FENError, never mended. Castling rights are
// read as K Q k q (the outermost rook on that side of the king, X-FEN; in standard chess those on the a- and h-file) and as
// letters of files (Shredder-FEN), White's first. Whether the set-up is a position is for Setup.Position and Position.Faults to say.
func ParseFEN(text string, v Variant) (Setup, error) {
	fields := strings.Split(text, " ")
	if len(fields) != 6 {
		return Setup{}, &FENError{"fields", text, fmt.Sprintf("six fields with one blank between them are needed, there are %d", len(fields))}
	}
	s := Setup{EnPassant: NoSquare}
	if err := s.parseBoard(fields[0]); err != nil {
		return Setup{}, err
	}
	switch fields[1] {
	case "w":
	case "b":
		s.Turn = Black
	default:
		return Setup{}, &FENError{"turn", fields[1], "w or b is needed"}
	}
	if err := s.parseCastling(fields[2], v); err != nil {
		return Setup{}, err
	}
	if f := fields[3]; f != "-" {
		sq, ok := ParseSquare(f)
		if !ok || sq.Rank() != 2 && sq.Rank() != 5 {
			return Setup{}, &FENError{"en-passant", f, "a square of the third or sixth rank or - is needed"}
		}
		s.EnPassant = sq
	}
	var err error
	if s.Halfmove, err = parseCounter("halfmove", fields[4], 0, maxHalfmove); err != nil {
		return Setup{}, err
	}
	if s.Fullmove, err = parseCounter("fullmove", fields[5], 1, maxFullmove); err != nil {
		return Setup{}, err
	}
	if plies := 2*(s.Fullmove-1) + int(s.Turn); s.Halfmove > plies+150 {
		return Setup{}, &FENError{"halfmove", fields[4], fmt.Sprintf("more plies than a game has at move %d", s.Fullmove)}
	}
	return s, nil
}

// ParsePosition reads a FEN and makes a position of it: the errors of ParseFEN and of Setup.Position.
func ParsePosition(fen string, v Variant) (Position, error) {
	s, err := ParseFEN(fen, v)
	if err != nil {
		return Position{}, err
	}
	return s.Position(v)
}

func (s *Setup) parseBoard(text string) error {
	ranks := strings.Split(text, "/")
	if len(ranks) != 8 {
		return &FENError{"board", text, fmt.Sprintf("eight ranks are needed, there are %d", len(ranks))}
	}
	for i, rank := range ranks {
		file, digit := 0, false
		for j := 0; j < len(rank); j++ {
			c := rank[j]
			if c >= '1' && c <= '8' && !digit {
				file, digit = file+int(c-'0'), true
				continue
			}
			piece, ok := PieceFromLetter(c)
			if !ok {
				return &FENError{"board", text, fmt.Sprintf("rank %d has something that is neither a piece nor a single number of empty squares", 8-i)}
			}
			if file < 8 {
				s.Board[NewSquare(file, 7-i)] = piece
			}
			file, digit = file+1, false
		}
		if file != 8 {
			return &FENError{"board", text, fmt.Sprintf("rank %d has %d squares", 8-i, file)}
		}
	}
	return nil
}

func (s *Setup) parseCastling(text string, v Variant) error {
	if text == "-" {
		return nil
	}
	var count [2]int
	for i := 0; i < len(text); i++ {
		c, letter := White, text[i]
		if letter >= 'a' {
			c, letter = Black, letter-('a'-'A')
		}
		var right Square
		switch {
		case letter == 'K' || letter == 'Q':
			right = s.cornerRook(c, letter == 'K', v)
		case letter >= 'A' && letter <= 'H':
			right = NewSquare(int(letter-'A'), 7*int(c))
		default:
			return &FENError{"castling", text, "letters of KQkq, letters of files or - are needed"}
		}
		if c == White && count[Black] > 0 {
			return &FENError{"castling", text, "White's letters come first"}
		}
		if count[c]++; count[c] > 2 || s.Castling.Has(right) {
			return &FENError{"castling", text, "a side has a right at most once for each of two rooks"}
		}
		s.Castling |= right.Bit()
	}
	if text == "" {
		return &FENError{"castling", text, "letters of KQkq, letters of files or - are needed"}
	}
	return nil
}

// cornerRook is the rook that K or Q names: the outermost one on that side of the king. Where there is none it is the corner,
// a right that cannot be and that Position.Faults reports.
func (s *Setup) cornerRook(c Color, kingside bool, v Variant) Square {
	first, last, d := 0, 7, 1
	if kingside {
		first, last, d = 7, 0, -1
	}
	rank := 7 * int(c)
	if v == Chess960 {
		rook := NoSquare
		for f := first; f != last+d; f += d {
			switch sq := NewSquare(f, rank); {
			case s.Board[sq] == NewPiece(c, Rook) && rook == NoSquare:
				rook = sq
			case s.Board[sq] == NewPiece(c, King) && rook != NoSquare:
				return rook
			}
		}
	}
	return NewSquare(first, rank)
}

func parseCounter(code, text string, low, high int) (int, error) {
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil || strconv.FormatUint(n, 10) != text || n < uint64(low) || n > uint64(high) {
		return 0, &FENError{code, text, fmt.Sprintf("a plain number from %d to %d is needed", low, high)}
	}
	return int(n), nil
}

// FEN writes the position. The en-passant square is shown only if such a capture is legal; castling rights are KQkq in standard
// chess and letters of files in Chess960 (Shredder-FEN), because those are never ambiguous.
func (p *Position) FEN() string { return p.fen(p.variant == Standard) }

// XFEN is FEN with rights as X-FEN writes them: KQkq also in Chess960, and the letter of a file only where another rook stands
// further out on the same side of the king.
func (p *Position) XFEN() string { return p.fen(true) }

func (p *Position) fen(kqkq bool) string {
	b := p.appendPlacement(make([]byte, 0, 96))
	b = append(b, ' ', "wb"[p.turn&1], ' ')
	if p.castling == 0 {
		b = append(b, '-')
	}
	for c := White; c <= Black; c++ {
		for r := p.castling & p.colors[c]; r != 0; {
			s := Square(bits.Len64(uint64(r)) - 1)
			r &^= s.Bit()
			letter := 'A' + byte(s.File())
			kingside := s > p.King(c)
			if outer := side(s, kingside) & p.Pieces(c, Rook); kqkq && outer == 0 {
				letter = "QK"[b2i(kingside)]
			}
			b = append(b, letter+byte(c)*('a'-'A'))
		}
	}
	b = append(b, ' ')
	if p.ep < NoSquare {
		b = append(b, 'a'+byte(p.ep&7), '1'+byte(p.ep>>3))
	} else {
		b = append(b, '-')
	}
	b = append(b, ' ')
	b = strconv.AppendUint(b, uint64(p.halfmove), 10)
	b = append(b, ' ')
	return string(strconv.AppendUint(b, uint64(p.fullmove), 10))
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Placement is the first field of the FEN: which piece stands where.
func (p *Position) Placement() string { return string(p.appendPlacement(make([]byte, 0, 72))) }

func (p *Position) appendPlacement(b []byte) []byte {
	for rank := 7; rank >= 0; rank-- {
		empty := byte(0)
		for _, piece := range p.board[8*rank : 8*rank+8] {
			if piece == NoPiece {
				empty++
				continue
			}
			if empty != 0 {
				b, empty = append(b, '0'+empty), 0
			}
			b = append(b, pieceLetters[piece&15])
		}
		if empty != 0 {
			b = append(b, '0'+empty)
		}
		if rank > 0 {
			b = append(b, '/')
		}
	}
	return b
}

// pieceLetters are the letters of a FEN, by piece.
const pieceLetters = ".PNBRQK..pnbrqk."
