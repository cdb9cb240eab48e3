package laws

import (
	"strings"

	"github.com/boardd/boardd/rules"
)

// Ply is a move as it is told: what went where, and what came of it.
type Ply struct {
	Role      rules.Role   // what moved
	From, To  rules.Square // of the king when castling
	Castling  bool
	Kingside  bool       // which castling
	Captured  rules.Role // NoRole for none
	EnPassant bool
	Promotion rules.Role // NoRole for none
	Check     bool
	Mate      bool
}

// PlyOf is a legal move of a position.
func PlyOf(p *rules.Position, m rules.Move) Ply {
	ply := Ply{
		Role: p.At(m.From()).Role(), From: m.From(), To: m.Target(), Castling: m.IsCastling(), Kingside: m.IsCastling() && m.To() > m.From(),
		EnPassant: m.IsEnPassant(), Promotion: m.Promotion(),
	}
	if !ply.Castling {
		ply.Captured = p.At(m.Victim()).Role()
	}
	after := p.After(m)
	ply.Check, ply.Mate = after.InCheck(), after.State() == rules.Checkmate
	return ply
}

// readPly reads a move from its two notations, which together tell all but what was captured.
func readPly(uci, san string) (ply Ply, ok bool) {
	from, to, promotion, err := rules.SplitUCI(uci)
	if err != nil || san == "" {
		return ply, false
	}
	ply = Ply{Role: rules.Pawn, From: from, To: to, Promotion: promotion}
	if strings.HasPrefix(san, "O-O") {
		ply.Role, ply.Castling, ply.Kingside = rules.King, true, !strings.HasPrefix(san, "O-O-O")
		return ply, true
	}
	if piece, found := rules.PieceFromLetter(san[0]); found && piece.Color() == rules.White {
		ply.Role = piece.Role()
	}
	return ply, true
}

// Move is a sentence that can be spoken, without full stop: "Knight from g1 to f3, captures the bishop, check".
func (l *Language) Move(p Ply) string { return capital(l.move(p)) }

func (l *Language) move(p Ply) string {
	key, a := "move", args{"piece": man{role: p.Role}, "from": p.From, "to": p.To}
	switch {
	case p.Castling && p.Kingside:
		key = "move.kingside"
	case p.Castling:
		key = "move.queenside"
	}
	return l.parts(l.text(key, a), l.capture(p), l.promotion(p), l.shout(p))
}

func (l *Language) capture(p Ply) string {
	switch {
	case p.EnPassant:
		return l.text("move.en_passant", args{"piece": man{role: rules.Pawn}})
	case p.Captured != rules.NoRole:
		return l.text("move.captures", args{"piece": man{role: p.Captured}})
	}
	return ""
}

func (l *Language) promotion(p Ply) string {
	if p.Promotion == rules.NoRole {
		return ""
	}
	return l.text("move.becomes", args{"piece": man{role: p.Promotion}})
}

func (l *Language) shout(p Ply) string {
	switch {
	case p.Mate:
		return l.text("move.mate", nil)
	case p.Check:
		return l.text("move.check", nil)
	}
	return ""
}

// way is an attempt by its squares, "from e2 to e5"; a text that names none stays as it is.
func (l *Language) way(uci string) string {
	from, to, _, err := rules.SplitUCI(uci)
	if err != nil {
		return l.isolate(uci)
	}
	return l.text("way", args{"from": from, "to": to})
}
