package rules

import (
	"errors"
	"testing"
)

func TestSAN(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, fen, uci, want string
		variant              Variant
	}{
		{"pawn", StartFEN, "e2e4", "e4", Standard},
		{"knight", StartFEN, "g1f3", "Nf3", Standard},
		{"pawn captures", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5", Standard},
		{"en passant with check", "2k5/8/8/3pP3/8/8/8/3RK3 w - d6 0 1", "e5d6", "exd6", Standard},
		{"file tells", "4k3/8/8/8/8/8/8/R4RK1 w - - 0 1", "a1d1", "Rad1", Standard},
		{"rank tells", "4k3/8/8/R7/8/8/8/R5K1 w - - 0 1", "a1a3", "R1a3", Standard},
		{"file goes before rank", "k7/8/8/8/8/2N5/8/4N1K1 w - - 0 1", "c3d1", "Nd1", Standard},
		{"a pinned one does not count", "4k3/8/8/8/1b6/8/3N4/4K1N1 w - - 0 1", "g1f3", "Nf3", Standard},
		{"three queens need both", "8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1", Standard},
		{"capturing promotion mates", "kq6/2P2K2/1R6/8/4b3/8/8/8 w - - 0 1", "c7b8q", "cxb8=Q#", Standard},
		{"long castling with check", "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O+", Standard},
		{"960 castling where only the rook moves", "4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", "O-O", Chess960},
		{"960 castling to the other side of the board", "4k3/8/8/8/8/8/8/RK6 w A - 0 1", "b1a1", "O-O-O", Chess960},
	} {
		p := position(t, c.fen, c.variant)
		m, err := p.ParseUCI(c.uci)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := p.SAN(m); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if back, err := p.ParseSAN(c.want); err != nil || back != m {
			t.Errorf("%s: %s is read as %v, %v", c.name, c.want, back, err)
		}
	}
}

func TestParseSAN(t *testing.T) {
	t.Parallel()
	const promote = "3r4/4P2k/8/8/8/8/8/4K3 w - - 0 1"
	for _, c := range []struct{ name, fen, san, uci, code string }{
		{"check sign missing", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "Ra8", "a1a8", ""},
		{"check sign wrong", StartFEN, "e4#", "e2e4", ""},
		{"comment signs", StartFEN, "e4!?", "e2e4", ""},
		{"check and comment", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "Ra8+!!", "a1a8", ""},
		{"capture without x", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "ed5", "e4d5", ""},
		{"x without capture", StartFEN, "Nxf3", "g1f3", ""},
		{"long form", StartFEN, "e2-e4", "e2e4", ""},
		{"long form of a piece", StartFEN, "Ng1-f3", "g1f3", ""},
		{"squares only, pawn", StartFEN, "e2e4", "e2e4", ""},
		{"squares only, piece", StartFEN, "g1f3", "", "illegal"},
		{"en passant said", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6 e.p.", "e5d6", ""},
		{"en passant said at once", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6e.p.", "e5d6", ""},
		{"promotion", promote, "e8=Q", "e7e8q", ""},
		{"promotion without =", promote, "e8N", "e7e8n", ""},
		{"promotion in small letters", promote, "e8=r", "e7e8r", ""},
		{"promotion with capture", promote, "exd8=B+", "e7d8b", ""},
		{"bishop or b-pawn", "4k3/8/8/8/8/2p5/1P6/2B1K3 w - - 0 1", "bxc3", "b2c3", ""},
		{"promotion missing", promote, "e8", "", "promotion"},
		{"promotion to a king", promote, "e8=K", "", "illegal"},
		{"promotion of a piece", StartFEN, "Nf3=Q", "", "syntax"},
		{"ambiguous", "4k3/8/8/8/8/8/8/R4RK1 w - - 0 1", "Rd1", "", "ambiguous"},
		{"too much said", "4k3/8/8/8/8/8/8/R4RK1 w - - 0 1", "Ra1d1", "a1d1", ""},
		{"wrong origin", "4k3/8/8/8/8/8/8/R4RK1 w - - 0 1", "Rbd1", "", "illegal"},
		{"castling not possible", StartFEN, "O-O", "", "illegal"},
		{"castling with three and a half", StartFEN, "O-O-O-O", "", "syntax"},
		{"castling", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "O-O-O!", "e8c8", ""},
		{"empty", StartFEN, "", "", "syntax"},
		{"signs only", StartFEN, "+#", "", "syntax"},
		{"piece only", StartFEN, "N", "", "syntax"},
		{"no such square", StartFEN, "Nf9", "", "syntax"},
		{"pawn's letter", StartFEN, "Pe4", "e2e4", ""},
		{"pawn's letter with its file", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "Pexd5", "e4d5", ""},
		{"figurine", StartFEN, "♘f3", "g1f3", ""},
		{"black figurine", StartFEN, "♞f3", "g1f3", ""},
		{"en passant without dots", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "ed6 ep", "e5d6", ""},
		{"en passant behind the check", "2k5/8/8/3pP3/8/8/8/2RK4 w - d6 0 1", "exd6+ e.p.", "e5d6", ""},
		{"en passant before the check", "2k5/8/8/3pP3/8/8/8/2RK4 w - d6 0 1", "exd6 e.p.+!", "e5d6", ""},
		{"check in words", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "Ra8 ch", "a1a8", ""},
		{"double check", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "Ra8++", "a1a8", ""},
		{"capture with a colon", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e:d5", "e4d5", ""},
		{"capture with a cross", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e×d5", "e4d5", ""},
		{"promotion in brackets", promote, "e8(Q)", "e7e8q", ""},
		{"promotion in brackets with check", promote, "exd8(R)+", "e7d8r", ""},
		{"promotion with a stroke", promote, "e8/B", "e7e8b", ""},
		{"promotion in a half bracket", promote, "e8Q)", "", "syntax"},
		{"promotion to nothing", promote, "e8()", "", "syntax"},
		{"castling with dashes", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "0–0", "e8g8", ""},
		{"castling without", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "OOO", "e8c8", ""},
		{"castling with check", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "O-O+", "e1g1", ""},
		{"remark only", StartFEN, "e.p.", "", "syntax"},
		{"trash", StartFEN, "e4e4e4", "", "syntax"},
		{"not ASCII", StartFEN, "Сf3", "", "syntax"},
	} {
		p := position(t, c.fen, Standard)
		m, err := p.ParseSAN(c.san)
		var fault *MoveError
		errors.As(err, &fault)
		switch {
		case c.uci != "" && (err != nil || p.UCI(m) != c.uci):
			t.Errorf("%s: %q is read as %s, %v; want %s", c.name, c.san, p.UCI(m), err, c.uci)
		case c.uci == "" && (fault == nil || fault.Code != c.code):
			t.Errorf("%s: %q gives %v, want code %s", c.name, c.san, err, c.code)
		}
	}
}

func TestUCI(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, fen, in, out string
		variant            Variant
	}{
		{"castling", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "e1g1", Standard},
		{"castling as king takes rook", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1", "e1g1", Standard},
		{"960 castling", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1", "e1h1", Chess960},
		{"960 castling as the king goes", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "", Chess960},
		{"960 king's step", "4k3/8/8/8/8/8/8/5K1R w H - 0 1", "f1g1", "f1g1", Chess960},
		{"promotion", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8n", "a7a8n", Standard},
		{"promotion missing", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8", "", Standard},
	} {
		p := position(t, c.fen, c.variant)
		m, err := p.ParseUCI(c.in)
		if (err != nil) != (c.out == "") {
			t.Errorf("%s: %v", c.name, err)
		}
		if err == nil && p.UCI(m) != c.out {
			t.Errorf("%s: %s, want %s", c.name, p.UCI(m), c.out)
		}
	}
}
