package main

import (
	"encoding/json"
	"fmt"

	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/recording"
)

// recordedResume is what a table goes on from, as a recording's opening line holds it.
func recordedResume(r *game.Resume) json.RawMessage {
	if r == nil || r.Snapshot == nil {
		return nil
	}
	own, bare := *r, *r.Snapshot
	bare.LastGame = nil // of no use for the games after it
	own.Snapshot = &bare
	text, _ := json.Marshal(own) // texts and numbers only
	return text
}

// resumed is what the table of a recording goes on from; nil when it begins with a position.
func resumed(o *recording.Opening) (*game.Resume, error) {
	if len(o.Resume) == 0 {
		return nil, nil
	}
	r := new(game.Resume)
	if err := json.Unmarshal(o.Resume, r); err != nil {
		return nil, fmt.Errorf("resume: %w", err)
	}
	if r.Snapshot == nil {
		return nil, nil
	}
	return r, nil
}
