package store

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"iter"
	"time"

	"github.com/boardd/boardd/game"
)

// Game is a game of the store.
type Game struct {
	Board   string
	Started time.Time
	Dated   bool // Started is believed to be right
	game.Record
	n int64
}

// Day is the day of the game's start for PGN, "" if it is not known.
func (g *Game) Day() string {
	if !g.Dated || millis(g.Started) < earliest {
		return ""
	}
	return g.Started.UTC().Format("2006.01.02")
}

// PGN is the game as PGN.
func (g *Game) PGN() string { return g.Record.PGN(g.Day()) }

const gameColumns = "n, board, id, started_ms, dated, variant, start_fen, white, black, time_control, result, reason, irregular, more"

// writeMore writes a record without its plies.
func writeMore(r *game.Record) string {
	bare := *r
	bare.UCI, bare.SAN, bare.ClkMs, bare.AtMs = nil, nil, nil, nil
	text, _ := json.Marshal(&bare) // texts and numbers only
	return string(text)
}

// scanner is a row.
type scanner interface{ Scan(...any) error }

func scanGame(r scanner) (*Game, error) {
	g := &Game{}
	var started int64
	var more []byte
	cols := &g.Record
	err := r.Scan(&g.n, &g.Board, &g.ID, &started, &g.Dated, &g.Variant, &g.StartFEN, &g.White, &g.Black, &g.TimeControl, &g.Result,
		&g.Reason, &g.Irregular, &more)
	g.Started = time.UnixMilli(started)
	if err != nil {
		return g, err
	}
	full := game.Record{}
	if err := json.Unmarshal(more, &full); err != nil {
		return g, fmt.Errorf("game %s of board %s: %w", g.ID, g.Board, err)
	}
	// The columns count: people may have mended them.
	full.ID, full.Variant, full.StartFEN, full.White, full.Black = cols.ID, cols.Variant, cols.StartFEN, cols.White, cols.Black
	full.TimeControl, full.Result, full.Reason, full.Irregular = cols.TimeControl, cols.Result, cols.Reason, cols.Irregular
	g.Record = full
	return g, nil
}

func readGame(db *sql.DB, where string, args ...any) (*Game, error) {
	g, err := scanGame(db.QueryRow("SELECT "+gameColumns+" FROM games WHERE "+where, args...))
	if err != nil {
		return nil, err
	}
	return g, readPlies(db, g)
}

func readPlies(db *sql.DB, g *Game) error {
	g.UCI, g.SAN, g.ClkMs, g.AtMs = []string{}, []string{}, []*int64{}, []int64{}
	rows, err := db.Query("SELECT ply, uci, san, clk_ms, placed_ms FROM plies WHERE game = ? ORDER BY ply", g.n)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var ply int
		var uci, san string
		var clk *int64
		var at int64
		if err := rows.Scan(&ply, &uci, &san, &clk, &at); err != nil {
			return err
		}
		if ply != len(g.UCI)+1 {
			return fmt.Errorf("ply %d is missing", len(g.UCI)+1)
		}
		g.UCI, g.SAN, g.ClkMs, g.AtMs = append(g.UCI, uci), append(g.SAN, san), append(g.ClkMs, clk), append(g.AtMs, at)
	}
	return rows.Err()
}

// Which are the games that are asked for.
type Which struct {
	Board string    // "" for all
	Since time.Time // begun then or later; zero for all
	Last  int       // only the last so many; 0 for all
}

// Games gives games in the order of their beginning.
func (s *Store) Games(w Which) iter.Seq2[*Game, error] {
	where, args := "(? = '' OR board = ?) AND started_ms >= ?", []any{w.Board, w.Board, int64(-1 << 62)}
	if !w.Since.IsZero() {
		args[2] = millis(w.Since)
	}
	if w.Last > 0 {
		where += " AND n IN (SELECT n FROM games WHERE " + where + " ORDER BY n DESC LIMIT ?)"
		args = append(append(args, args...), w.Last)
	}
	return s.games(where, args...)
}

func (s *Store) games(where string, args ...any) iter.Seq2[*Game, error] {
	return func(yield func(*Game, error) bool) {
		s.mu.Lock()
		db := s.read
		s.mu.Unlock()
		if db == nil {
			yield(nil, fmt.Errorf("the store cannot be read now"))
			return
		}
		// Page by page: nothing is held open while a game is printed.
		for after := int64(0); ; {
			rows, err := db.Query("SELECT "+gameColumns+" FROM games WHERE n > ? AND "+where+" ORDER BY n LIMIT 50", append([]any{after}, args...)...)
			if err != nil {
				yield(nil, err)
				return
			}
			var page []*Game
			for rows.Next() {
				g, err := scanGame(rows)
				if err != nil {
					_ = rows.Close()
					yield(nil, err)
					return
				}
				page = append(page, g)
			}
			if err := rows.Err(); err != nil {
				yield(nil, err)
				return
			}
			_ = rows.Close()
			for _, g := range page {
				if err := readPlies(db, g); err != nil {
					err = fmt.Errorf("game %s of board %s: %w", g.ID, g.Board, err)
					if !yield(g, err) {
						return
					}
				} else if !yield(g, nil) {
					return
				}
				after = g.n
			}
			if len(page) == 0 {
				return
			}
		}
	}
}

// Unfiled gives the finished games that do not stand in a file of their own as they are.
func (s *Store) Unfiled() iter.Seq2[*Game, error] { return s.games("filed = 0 AND reason <> ''") }

// Filed says that a game stands in a file now. A game that has changed since is not meant.
func (s *Store) Filed(g *Game) error {
	return s.transact(&draft{}, func(t *transaction) {
		t.exec("UPDATE games SET filed = 1 WHERE n = ? AND result = ? AND reason = ?", g.n, g.Result, g.Reason)
	})
}
