package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/game"
)

// Plausible bounds of a computer's clock: what is before them was written, or is read, by one that had not been set yet.
const (
	earliest   = 1_704_067_200_000 // 2024-01-01
	longestAgo = 400 * 24 * time.Hour
)

// keptSnapshot is a snapshot without its games, which have tables of their own.
type keptSnapshot struct {
	game.Snapshot
	GameID, LastGameID string
}

func bare(s *game.Snapshot) *keptSnapshot {
	k := &keptSnapshot{Snapshot: *s}
	if s.Game != nil {
		k.GameID = s.Game.ID
	}
	if s.LastGame != nil {
		k.LastGameID = s.LastGame.ID
	}
	k.Game, k.LastGame = nil, nil
	return k
}

// Resume is what a table needs to go on with a board; nil when nothing is known of it. now is the time of day at the new table's
// time 0. A clock that has gone back since is taken to have stood still.
func (s *Store) Resume(id string, now time.Time) (*game.Resume, error) {
	s.mu.Lock()
	b, db := s.boards[id], s.read
	s.mu.Unlock()
	if b == nil || len(b.text) == 0 {
		return nil, nil
	}
	var k keptSnapshot
	r := &game.Resume{Snapshot: &k.Snapshot}
	if err := json.Unmarshal(b.text, &k); err != nil {
		return nil, fmt.Errorf("what the store holds of board %s cannot be read: %w", id, err)
	}
	r.Snapshot.Seq = b.seq
	ago := func(at int64) int64 {
		if since := millis(now) - at; at >= earliest && since <= longestAgo.Milliseconds() {
			return max(since, 0)
		}
		return 0
	}
	r.Ago = ago(b.atMs)
	games, err := s.lastGames(db, id, &k, b.atMs)
	if err != nil {
		return nil, fmt.Errorf("the games of board %s cannot be read: %w", id, err)
	}
	r.Snapshot.Game, r.Snapshot.LastGame = games[0], games[1]
	rows, err := db.Query("SELECT id, at_ms, reply FROM answers WHERE board = ? ORDER BY at_ms, id", id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var a game.Answer
		var at int64
		var text []byte
		if err := rows.Scan(&a.ID, &at, &text); err != nil {
			return nil, err
		}
		var k keptReply
		if err := json.Unmarshal(text, &k); err != nil {
			continue // the same id again does it again: better than no game
		}
		a.Ago = ago(at)
		a.Reply = game.Reply{Command: &board.Command{ID: a.ID}, Status: k.Status, Code: k.Code, Message: k.Message, Seq: k.Seq}
		r.Answers = append(r.Answers, a)
	}
	return r, rows.Err()
}

// lastGames are the game on the table and the one before it, as the snapshot had them.
func (s *Store) lastGames(db *sql.DB, id string, k *keptSnapshot, atMs int64) (games [2]*game.Record, err error) {
	for i, name := range [2]string{k.GameID, k.LastGameID} {
		if name == "" {
			continue
		}
		g, err := readGame(db, "board = ? AND id = ?", id, name)
		if errors.Is(err, sql.ErrNoRows) && i == 1 {
			continue // no longer kept
		}
		if err != nil {
			return games, err
		}
		g.Record.StartedT = k.T + millis(g.Started) - atMs
		games[i] = &g.Record
	}
	return games, nil
}
