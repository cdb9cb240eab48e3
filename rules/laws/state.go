package laws

import "github.com/boardd/boardd/rules"

// State is how things stand at a board, as far as people are told.
type State struct {
	Online         bool
	Status         string // as the topic state has it: desync, finished, setup, …
	Result, Reason string // of a finished game
	Turn           *rules.Color
	InCheck        bool
	DrawOffer      *rules.Color   // who has offered a draw that stands
	Waiting        string         // for what the board waits: promotion, rook, victim, doubt; "" for nothing
	Squares        []rules.Square // where
}

// State says whose move it is, or what is waited for: a sentence without full stop, "" where there is nothing to say.
func (l *Language) State(s State) string {
	switch {
	case !s.Online:
		return l.sentence("board_offline", nil)
	case s.Status == "desync":
		return l.sentence("desync", nil)
	case s.Status == "finished":
		return l.End(s.Result, s.Reason)
	case s.Status == "setup":
		return l.sentence("wait.start", nil)
	case s.Waiting != "":
		return l.waiting(s.Waiting, s.Squares)
	case s.Turn == nil:
		return ""
	case s.DrawOffer != nil:
		return l.sentence("draw_offer", args{"side": *s.DrawOffer}) + l.pause + l.text("turn", args{"side": *s.Turn})
	case s.InCheck:
		return l.sentence("turn.check", args{"side": *s.Turn})
	}
	return l.sentence("turn", args{"side": *s.Turn})
}

// waiting is what somebody has still to do. The squares are those of the prompt, the debt or the doubt; a castling rook has two.
func (l *Language) waiting(kind string, squares []rules.Square) string {
	a := args{"squares": squares}
	if len(squares) == 2 {
		a["from"], a["to"] = squares[0], squares[1]
	}
	key := "wait." + kind
	if l.say[key] == "" || (kind == "rook" || kind == "remote") && len(squares) != 2 {
		return ""
	}
	return l.sentence(key, a)
}
