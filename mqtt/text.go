package mqtt

import (
	"fmt"

	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/rules/laws"
)

// textOf is what an event says to people, in English; "" for those that need no words.
func textOf(body game.Body) string {
	switch b := body.(type) {
	case *game.Moved:
		return fmt.Sprintf("%s plays %s", side(b.By), b.SAN)
	case *game.Illegal:
		if why := laws.Cause(rules.Cause{Reason: reasonOf(b.Reason), Squares: b.Squares}); why != "" {
			return fmt.Sprintf("%s may not play %s: %s (%s)", side(b.By), b.UCI, why, b.Article)
		}
	case *game.WeakSquare:
		return weakText(b)
	}
	return ""
}

func weakText(w *game.WeakSquare) string {
	switch w.Kind {
	case "flicker":
		return fmt.Sprintf("The sensor of %s flickers", w.Square)
	case "stuck":
		return fmt.Sprintf("The sensor of %s does not change", w.Square)
	}
	return fmt.Sprintf("The piece on %s is not seen: move it a little", w.Square)
}

// withText adds the key text to an event.
func withText(object []byte, text string) []byte {
	if text == "" {
		return object
	}
	return append(append(append(object[:len(object)-1], `,"text":`...), encode(text)...), '}')
}

// stateText is what a state says to people.
func stateText(s *game.Snapshot) *string {
	text := ""
	switch {
	case !s.Online:
		text = "The board is not connected"
	case s.Status == "desync":
		text = "The pieces do not stand as the game has them"
	case s.Status == "finished" && s.Game != nil:
		text = fmt.Sprintf("%s, %s", s.Game.Result, s.Game.Reason)
	case s.Status == "setup":
		text = "Waiting for the start position"
	case s.Pending != nil:
		text = map[string]string{
			"promotion": "Waiting for the choice of a piece", "rook": "Waiting for the rook that castles",
			"victim": "Waiting for the captured pawn to be taken off", "doubt": "It is not clear which move was played",
		}[s.Pending.Kind]
	case s.Turn != nil && s.InCheck:
		text = side(*s.Turn) + " to move, in check"
	case s.Turn != nil:
		text = side(*s.Turn) + " to move"
	}
	return orNull(text)
}

func side(c rules.Color) string {
	if c == rules.White {
		return "White"
	}
	return "Black"
}

// reasons finds a reason by the code that events carry.
var reasons = func() map[string]rules.Reason {
	m := map[string]rules.Reason{}
	for r := rules.Reason(1); r.String() != "" && r < 255; r++ {
		m[r.String()] = r
	}
	return m
}()

func reasonOf(code string) rules.Reason { return reasons[code] }
