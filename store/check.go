package store

import (
	"fmt"

	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/rules"
)

// Report is what Check has found.
type Report struct {
	Boards, Games, Plies, Events int64
	Faults                       []string // empty: all is well
}

// Check reads all of a store: whether the database is whole, whether the numbers of each board's events follow one another, and whether
// each game can be played by the laws.
func (s *Store) Check() (Report, error) {
	var r Report
	fault := func(format string, args ...any) {
		if len(r.Faults) < 100 {
			r.Faults = append(r.Faults, fmt.Sprintf(format, args...))
		}
	}
	rows, err := s.read.Query("PRAGMA integrity_check(20)")
	if err != nil {
		return r, err
	}
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err == nil && text != "ok" {
			fault("database: %s", text)
		}
	}
	if err := rows.Close(); err != nil {
		return r, err
	}
	for n, what := range map[*int64]string{&r.Boards: "boards WHERE snapshot <> ''", &r.Games: "games", &r.Plies: "plies", &r.Events: "events"} {
		if err := s.read.QueryRow("SELECT count(*) FROM " + what).Scan(n); err != nil {
			return r, err
		}
	}
	// Old events are pruned from the front: an epoch may begin anywhere, and has no hole after that.
	rows, err = s.read.Query(`SELECT board, epoch, min(seq), max(seq), count(*) FROM events GROUP BY board, epoch
		HAVING count(*) <> max(seq) - min(seq) + 1`)
	if err != nil {
		return r, err
	}
	for rows.Next() {
		var board, epoch string
		var from, to, n int64
		if err := rows.Scan(&board, &epoch, &from, &to, &n); err != nil {
			return r, err
		}
		fault("board %s: of the events %d to %d of epoch %s, %d are missing", board, from, to, epoch, to-from+1-n)
	}
	if err := rows.Close(); err != nil {
		return r, err
	}
	rows, err = s.read.Query(`SELECT id, seq, coalesce((SELECT max(seq) FROM events e WHERE e.board = b.id AND e.epoch = b.epoch), seq) AS have
		FROM boards b WHERE have <> seq`)
	if err != nil {
		return r, err
	}
	for rows.Next() {
		var board string
		var seq, have int64
		if err := rows.Scan(&board, &seq, &have); err != nil {
			return r, err
		}
		fault("board %s: its last event is said to be %d, and is %d", board, seq, have)
	}
	if err := rows.Close(); err != nil {
		return r, err
	}
	for g, err := range s.Games(Which{}) {
		if err == nil {
			err = legal(&g.Record)
		}
		if g == nil {
			return r, err
		}
		if err != nil {
			fault("board %s, game %s: %v", g.Board, g.ID, err)
		}
	}
	return r, nil
}

// legal plays a game.
func legal(g *game.Record) error {
	variant, err := rules.ParseVariant(g.Variant)
	if err != nil {
		return err
	}
	p, err := rules.ParsePosition(g.StartFEN, variant)
	if err != nil {
		return err
	}
	stood := g.Stood
	for i, uci := range g.UCI {
		if len(stood) > 0 && stood[0].Ply == i+1 { // an illegal ply that stands by the arbiter's word
			if p, err = rules.ParsePosition(stood[0].FEN, variant); err != nil {
				return fmt.Errorf("after ply %d: %w", i+1, err)
			}
			stood = stood[1:]
			continue
		}
		m, err := p.ParseUCI(uci)
		if err != nil {
			return fmt.Errorf("ply %d: %w", i+1, err)
		}
		if san := p.SAN(m); san != g.SAN[i] {
			return fmt.Errorf("ply %d is %s, and is written %s", i+1, san, g.SAN[i])
		}
		p.Play(m)
	}
	return nil
}
