package game

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// trace gives the lines of a file of testdata/traces that are not comments, cut into trimmed fields.
func trace(t *testing.T, name, between string) (rows [][]string) {
	t.Helper()
	text, err := os.ReadFile("../testdata/traces/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		f := strings.Split(line, between)
		for i := range f {
			f[i] = strings.TrimSpace(f[i])
		}
		rows = append(rows, f)
	}
	return rows
}

// seatAt seats a table at a position of an event trace: a FEN, "start", or "after" and the plies played.
func seatAt(t *testing.T, a board.Acuity, position string) *table {
	t.Helper()
	fen, before := position, ""
	if uci, ok := strings.CutPrefix(position, "after "); ok {
		fen, before = "", uci
	} else if position == "start" {
		fen = ""
	}
	start := startOf(t, fen)
	h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: start, Moves: plies(t, *start, before)})
	h.wait(3000)
	return h
}

// orders plays events of a trace: "-e2" and "+e4", as seconds when numbers stand before them, else at an even pace; what is in
// brackets comes in one scan, and after "then" hands rest. The man set down is the one that the trace means: of the men in the
// air the one that may legally go there, else the one lifted last.
func (h *table) orders(events string) {
	h.tb.Helper()
	events = strings.NewReplacer("(", " ( ", ")", " ) ", ",", " ").Replace(events)
	began, scan := h.t, false
	type lifted struct {
		from rules.Square
		man  rules.Piece
	}
	var hand []lifted
	timed := false
	for _, w := range strings.Fields(events) {
		if sec, err := strconv.ParseFloat(w, 64); err == nil && strings.Contains(w, ".") {
			h.wait(max(0, began+int64(sec*1000)-h.t))
			timed = true
			continue
		}
		switch w {
		case "(":
			scan = true
			continue
		case ")":
			scan = false
			h.step(board.Input{Kind: board.Scan, Picture: h.picture()})
			h.wait(400)
			continue
		case "then":
			hand = nil
			h.wait(4000)
			continue
		}
		s, ok := rules.ParseSquare(w[1:])
		if !ok {
			h.tb.Fatalf("event %s", w)
		}
		man := rules.NoPiece
		if w[0] == '-' {
			hand = append(hand, lifted{s, h.men[s]})
		} else if man = rules.NewPiece(rules.White, rules.Pawn); len(hand) > 0 { // else a man from beside the board
			p := h.game.line.Position()
			i := slices.IndexFunc(hand, func(x lifted) bool {
				v := p.Judge(x.from, s, rules.NoRole)
				return x.man.Color() == p.Turn() && (v.Legal || v.Cause.Reason == rules.PromotionMissing)
			})
			if i < 0 {
				i = len(hand) - 1
			}
			man = hand[i].man
			hand = slices.Delete(hand, i, i+1)
		}
		h.men[s] = man
		if scan {
			continue
		}
		h.step(board.Input{Kind: board.Change, Square: s, Symbol: h.acuity.See(man)})
		if !timed {
			h.wait(400)
		}
	}
}

func TestSentioEventOrders(t *testing.T) {
	t.Parallel()
	logs := map[string]string{
		"quiet": "move e4", "slide": "move e4", "capture": "move exd5", "castling": "move O-O",
		"en-passant-a": "move dxc6", "en-passant-b": "move dxc6", "en-passant-c": "move dxc6",
		"promotion": "promotion_pending a8, move a8=Q+, check", "promotion-capture": "promotion_pending b8, command promotion, move axb8=N, game_end 1/2-1/2 dead",
		"new-game": "game_end * abandoned, game_start", "takeback-a": "takeback board e7e5", "takeback-b": "takeback board b8d7, takeback board b5d7",
	}
	rows := trace(t, "sentio-event-orders.txt", "|")
	if len(rows) != len(logs) {
		t.Errorf("%d orders, %d answers", len(rows), len(logs))
	}
	for _, f := range rows {
		for _, a := range acuities {
			if a != board.Presence && strings.HasPrefix(f[0], "takeback-b") {
				continue // the trace does not say which man stands where: MD-41 does
			}
			t.Run(f[0]+"/"+a.String(), func(t *testing.T) {
				t.Parallel()
				h, want := seatAt(t, a, f[1]), logs[f[0]]
				switch f[0] {
				case "new-game":
					h.stand(rules.Start())
					h.step(board.Input{Kind: board.Scan, Picture: h.picture()})
				case "promotion-capture":
					h.orders(f[2])
					h.hands("1000 !knight")
				case "promotion":
					h.orders(f[2])
					if a == board.PieceAcuity { // which sees that the pawn still stands there
						h.hands("6000 !queen")
						want = strings.Replace(want, "a8, ", "a8, command promotion, ", 1)
					}
				default:
					h.orders(f[2])
				}
				h.wait(10_000)
				if got := corrected(h.log()); got != "game_start, "+want {
					t.Errorf("%s: said %s; want %s", f[2], h.log(), want)
				}
			})
		}
	}
}

func TestUniversalChessEventOrders(t *testing.T) {
	t.Parallel()
	logs := map[string]string{ // the others wait for a remote opponent's move
		"capturable-piece-lifted-first": "", "not-capturable-piece-lifted": "", "bump-during-own-move": "move e4",
		"takeback-on-place": "takeback board e2e4", "no-takeback-on-lift": "", "no-takeback-without-history": "*", "lift-and-return": "",
		"capture both orders": "move exd5",
	}
	played := 0
	for _, f := range trace(t, "universalchess-event-orders.txt", "|") {
		want, ok := logs[f[0]]
		if !ok {
			continue
		}
		played++
		for _, a := range acuities {
			t.Run(strings.ReplaceAll(f[0], " ", "-")+"/"+a.String(), func(t *testing.T) {
				t.Parallel()
				for events := range strings.SplitSeq(f[3], ";") {
					h := seatAt(t, a, f[1])
					if f[0] == "takeback-on-place" { // the lift was never seen, and a scan shows it
						h.hands("~-e4 +e2 400 look")
					} else {
						events, _, _ := strings.Cut(events, " (")
						h.orders(events)
					}
					h.wait(10_000)
					got := corrected(h.log())
					if want == "*" { // a man from nowhere: whatever is said, nothing is taken back or played
						wrong := strings.Contains(got, "takeback") || strings.Contains(got, "move e")
						if wrong {
							t.Errorf("%s: said %s", events, h.log())
						}
					} else if got != strings.TrimSuffix("game_start, "+want, ", ") {
						t.Errorf("%s: said %s; want %s", events, h.log(), want)
					}
				}
			})
		}
	}
	if played != len(logs) {
		t.Errorf("%d orders of %d", played, len(logs))
	}
}

// What the squares alone do not tell is never said to be played: seen at its end only, each of these captures is asked about or
// left open by a presence board, told by every better one; and hands that are seen tell all.
func TestAmbiguousCaptures(t *testing.T) {
	t.Parallel()
	rows := trace(t, "derived-ambiguous-captures.tsv", "\t")
	if len(rows) != 24 {
		t.Errorf("%d captures", len(rows))
	}
	for _, f := range rows {
		start := startOf(t, f[1])
		m := plies(t, *start, f[2])[0]
		after := start.After(m)
		for _, a := range acuities {
			t.Run(f[2]+"/"+a.String(), func(t *testing.T) {
				t.Parallel()
				h := seatAt(t, a, f[1])
				h.stand(after)
				h.step(board.Input{Kind: board.Scan, Picture: h.picture()})
				h.wait(15_000)
				want := f[2]
				if a == board.Presence {
					want = ""
				}
				if h.uci() != want {
					t.Errorf("only the end is seen in %s: said %s", f[1], h.log())
				}
				from, to := m.From(), m.To()
				for _, hands := range []string{
					fmt.Sprintf("-%s 400 -%s 500 +%s 9000", to, from, to),
					fmt.Sprintf("-%s 400 -%s 300 +%s:%c 9000", from, to, to, start.At(from).Letter()),
				} {
					h = seatAt(t, a, f[1])
					h.hands(hands)
					if h.uci() != f[2] {
						t.Errorf("%s in %s: said %s", hands, f[1], h.log())
					}
				}
			})
		}
	}
}

// Two plies in one scan that fit several lines: the one played, or none and a question, never another. A promoted man that is
// taken at once is a queen unless something else is said.
func TestAmbiguousPairsOfPlies(t *testing.T) {
	t.Parallel()
	rows := trace(t, "derived-two-ply-ambiguous.tsv", "\t")
	if len(rows) != 8 {
		t.Errorf("%d pairs", len(rows))
	}
	for _, f := range rows {
		start := startOf(t, f[0])
		end := *start
		for _, m := range plies(t, end, f[1]) {
			end.Play(m)
		}
		for _, a := range acuities {
			t.Run(f[1]+"/"+a.String(), func(t *testing.T) {
				t.Parallel()
				h := seatAt(t, a, f[0])
				h.stand(end)
				h.step(board.Input{Kind: board.Scan, Picture: h.picture()})
				h.wait(15_000)
				promotes, got := strings.Contains(f[1], "q "), h.uci()
				switch {
				case promotes && (got == f[1] || got == ""):
				case got == "" && strings.Contains(h.log(), "doubt"):
				case a == board.Presence && strings.HasPrefix(f[1], got): // the second ply may be a man in the air
				default:
					t.Errorf("read %q in %s: said %s", got, f[0], h.log())
				}
			})
		}
	}
}

// python-chess 83: a position that is said twice is one move.
func TestTheSamePictureTwice(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		h := seatAt(t, a, "r4rk1/2pqppbp/6p1/1p1p4/pP1PnP2/2PbP1P1/P1NB1RBP/R2Q2K1 w - - 0 1")
		rows := trace(t, "python-chess-083-2016-06-19.trace", " ")
		last := rows[len(rows)-1]
		i := slices.IndexFunc(rows, func(f []string) bool { return len(f) > 2 && f[2] == "FEN_AGAIN" })
		if i < 0 {
			t.Fatal(last)
		}
		after := startOf(t, rows[i][3]+" b - - 1 1")
		h.stand(*after)
		for range 3 {
			h.step(board.Input{Kind: board.Scan, Picture: h.picture()})
			h.wait(23)
		}
		h.wait(5000)
		h.want("game_start, move Rf3")
	})
}

// picochess 112: a pawn's lift and landing 42 ms apart, a dump asked for after each; the dumps say what stood at their own scan.
func TestDumpsOfTheirOwnTime(t *testing.T) {
	t.Parallel()
	var at []int64
	for _, f := range trace(t, "picochess-112-2015-07-28.trace", " ") {
		if len(f) > 2 && (f[2] == "FIELD_UPDATE" || f[2] == "BOARD_DUMP") {
			ms, err := strconv.ParseInt(f[0], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			at = append(at, ms)
		}
	}
	if len(at) != 3 {
		t.Fatalf("times %v", at)
	}
	for name, dump := range map[string][2]string{"in the air": {"~-f4", "~+f4"}, "as it stands": {"", ""}} {
		h := seat(t, Options{Games: "g", Acuity: board.PieceAcuity, SettleMs: 25, Resolution: 250, Start: startOf(t, "")})
		h.wait(at[0])
		h.hands("-f2 " + strconv.FormatInt(at[1]-at[0], 10) + " +f4 " + strconv.FormatInt(at[2]-at[1], 10) + " " + dump[0] + " look 40 " + dump[1] + " look 5000")
		if h.log() != "game_start, move f4" {
			t.Errorf("%s: said %s", name, h.log())
		}
	}
}
