package mqtt

import (
	"fmt"
	"strings"

	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/rules/laws"
)

// textOf is what an event says to people, in English. No player's name is in it: those can be kept out of the topics.
func textOf(body game.Body) string {
	switch b := body.(type) {
	case *game.GameStart:
		return startText(b)
	case *game.Moved:
		return fmt.Sprintf("%s plays %s", side(b.By), b.SAN)
	case *game.Takeback:
		return takebackText(b)
	case *game.Illegal:
		if why := laws.Cause(rules.Cause{Reason: reasonOf(b.Reason), Squares: b.Squares}); why != "" {
			return fmt.Sprintf("%s may not play %s: %s (%s)", side(b.By), b.UCI, why, b.Article)
		}
		return fmt.Sprintf("%s may not play %s (%s)", side(b.By), b.UCI, b.Article)
	case *game.PromotionPending:
		return fmt.Sprintf("A pawn is on %s: what does it become?", b.Square)
	case *game.Doubt:
		return doubtText(b)
	case *game.Resolved:
		return strings.TrimRight("It is clear now: "+strings.Join(b.UCI, " "), ": ")
	case *game.Desync:
		return desyncText(b)
	case *game.Resync:
		return "The pieces stand as the game has them again"
	case *game.ResultProposed:
		return "The kings in the centre say " + resultText(b.Result)
	case *game.GameEnd:
		return endText(b.Result, b.Reason)
	case *game.Check:
		return fmt.Sprintf("%s gives check", side(b.By))
	case *game.FlagFallen:
		return fmt.Sprintf("The flag of %s has fallen", side(b.By))
	case *game.IllegalStanding:
		text := fmt.Sprintf("%s has played %s, which is illegal, and ", side(b.By), b.UCI)
		if b.Reply == nil {
			return text + "the clock was pressed"
		}
		return text + "it was answered with " + *b.Reply
	case *game.KingCaptured:
		return fmt.Sprintf("%s has taken the king on %s, which no law allows", side(b.By), b.Square)
	case *game.SetUp:
		return setUpText(b)
	case *game.Online:
		return "The board is connected"
	case *game.Offline:
		return "The board is not connected"
	case *game.LowBattery:
		return fmt.Sprintf("The battery of the %s is low", b.Source)
	case *game.DrawOffer:
		return fmt.Sprintf("%s offers a draw", side(b.By))
	case *game.DrawDeclined:
		if b.How == "move" {
			return fmt.Sprintf("%s declines the draw by moving", side(b.By))
		}
		return fmt.Sprintf("%s declines the draw", side(b.By))
	case *game.DrawClaimable:
		return "A draw may be claimed: " + map[string]string{
			"threefold": "the same position for the third time", "fifty": "fifty moves without a capture or a pawn's move",
		}[b.Kind]
	case *game.CommandDone:
		if b.By != nil {
			return fmt.Sprintf("Command from %s: %s", *b.By, plainWords(b.Verb))
		}
		return "Command: " + plainWords(b.Verb)
	case *game.WeakSquare:
		return weakText(b)
	}
	return ""
}

func startText(b *game.GameStart) string {
	text := "A game begins"
	if b.StartFEN != standardFEN && b.StartFEN != "startpos" {
		text += " from another position than the usual one"
	}
	if n := len(b.Moves); n > 0 {
		text += ", with " + halfMoves(n) + " made already"
	}
	return text
}

func halfMoves(n int) string {
	if n == 1 {
		return "1 half-move"
	}
	return fmt.Sprintf("%d half-moves", n)
}

func takebackText(b *game.Takeback) string {
	undone := strings.Join(b.Undone, " ")
	if b.Reason == "corrected" {
		return fmt.Sprintf("What looked like %s was something else", undone)
	}
	return "Taken back: " + undone
}

func doubtText(b *game.Doubt) string {
	switch b.Kind {
	case "orientation":
		return "Which way round does the board stand?"
	case "setup":
		return "Does a game begin from the position on the board?"
	}
	var ways []string
	for _, c := range b.Candidates {
		if san := strings.Join(c.SAN, " "); san != "" && len(ways) < 4 {
			ways = append(ways, san)
		}
	}
	if len(ways) < 2 {
		return "It is not clear what was played"
	}
	return "It is not clear what was played: " + strings.Join(ways, " or ") + "?"
}

// desyncText names the men as long as they are few.
func desyncText(b *game.Desync) string {
	text := "The pieces do not stand as the game has them"
	var missing, extra []string
	for _, m := range b.Missing {
		missing = append(missing, letter(m.Piece)+" on "+m.Square.String())
	}
	for _, x := range b.Extra {
		extra = append(extra, seen(x.Symbol)+" on "+x.Square.String())
	}
	if len(missing) > 0 {
		text += "; missing: " + few(missing)
	}
	if len(extra) > 0 {
		text += "; too much: " + few(extra)
	}
	return text
}

func few(list []string) string {
	if len(list) > 4 {
		return fmt.Sprintf("%d pieces", len(list))
	}
	return strings.Join(list, ", ")
}

// letter is a piece by its FEN letter.
func letter(text string) string {
	if len(text) == 1 {
		if p, ok := rules.PieceFromLetter(text[0]); ok {
			return fmt.Sprintf("%v %v", p.Color(), p.Role())
		}
	}
	return "something"
}

// seen is what a square shows. Boards that see only colours say b for what is black, and those that know their pieces for the
// black bishop.
func seen(symbol string) string {
	switch symbol {
	case "w":
		return "something white"
	case "b":
		return "something black"
	}
	return letter(symbol)
}

func resultText(result string) string {
	switch result {
	case "1-0":
		return "White wins"
	case "0-1":
		return "Black wins"
	case "1/2-1/2":
		return "it is a draw"
	}
	return "there is no result"
}

// endings say why a game has ended.
var endings = map[string]string{
	"checkmate": "checkmate", "stalemate": "stalemate", "dead": "neither side can give mate", "fivefold": "the same position for the fifth time",
	"75moves": "75 moves without a capture or a pawn's move", "threefold": "the same position for the third time",
	"fifty": "fifty moves without a capture or a pawn's move", "agreement": "agreed", "resign": "the other side resigns", "flag": "on time",
	"flag_draw": "the flag has fallen, but the other side cannot give mate", "arbiter": "the arbiter says so", "kings": "by the kings in the centre",
	"forfeit": "by forfeit", "abandoned": "the game is abandoned",
}

func endText(result, reason string) string {
	why := endings[reason]
	if why == "" {
		why = plainWords(reason)
	}
	if result == "1/2-1/2" && reason == "resign" {
		why = "one side resigns, and the other cannot give mate"
	}
	text := resultText(result)
	if result == "*" {
		return strings.ToUpper(why[:min(1, len(why))]) + why[min(1, len(why)):]
	}
	return strings.ToUpper(text[:1]) + text[1:] + ": " + why
}

func setUpText(b *game.SetUp) string {
	if len(b.Refused) > 0 {
		why := laws.Fault(rules.Fault{Code: b.Refused[0]})
		if why == "" {
			why = plainWords(b.Refused[0])
		}
		return "No game begins here unless it is confirmed once more: " + why
	}
	if b.StartFEN != standardFEN {
		return "Waiting for the position " + b.StartFEN
	}
	return "Waiting for the start position"
}

func plainWords(code string) string { return strings.NewReplacer("_", " ", "-", " ").Replace(code) }

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
		text = endText(s.Game.Result, s.Game.Reason)
	case s.Status == "setup":
		text = "Waiting for the start position"
	case s.Pending != nil:
		text = map[string]string{
			"promotion": "Waiting for the choice of a piece", "rook": "Waiting for the rook that castles",
			"victim": "Waiting for the captured pawn to be taken off", "doubt": "It is not clear which move was played",
		}[s.Pending.Kind]
	case s.Turn != nil && s.DrawOffer != nil:
		text = fmt.Sprintf("%s offers a draw; %s to move", side(*s.DrawOffer), side(*s.Turn))
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
