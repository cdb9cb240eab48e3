package mqtt

import (
	"strconv"
	"time"

	"github.com/boardd/boardd/game"
)

// field is one value for consumers that read no JSON. An empty one removes what is retained: nothing is known.
type field struct{ name, value string }

// fieldNames are all of them.
var fieldNames = []string{"fen", "san", "turn", "result", "white_s", "black_s"}

func stateFields(s game.StampedSnapshot) []field {
	turn, result := "", "*"
	if s.Turn != nil {
		turn = s.Turn.String()
	}
	if s.Game != nil && s.Game.Result != "" {
		result = s.Game.Result
	}
	return []field{{"fen", s.FEN}, {"san", s.LastSAN}, {"turn", turn}, {"result", result}}
}

// clockFields are whole seconds, rounded down.
func clockFields(s game.StampedSnapshot, now time.Time) []field {
	if s.Clock == nil {
		return []field{{"white_s", ""}, {"black_s", ""}}
	}
	white, black := clockAt(s, now)
	return []field{{"white_s", strconv.FormatInt(white/1000, 10)}, {"black_s", strconv.FormatInt(black/1000, 10)}}
}

// sayFields publishes those that differ from what this session has said.
func (s *session) sayFields(t *table, fields []field) error {
	if !s.opt.Fields {
		return nil
	}
	for _, f := range fields {
		key := "field/" + f.name
		if old, ok := t.said[key]; ok && string(old) == f.value {
			continue
		}
		if err := s.publish(t.ID+"/"+key, 0, true, []byte(f.value)); err != nil {
			return err
		}
		t.said[key] = []byte(f.value)
	}
	return nil
}
