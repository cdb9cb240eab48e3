package laws

import (
	"strings"

	"github.com/boardd/boardd/rules"
)

// Position is what the laws know about a position.
type Position struct {
	Turn   rules.Color
	Faults []rules.Fault
	Kings  bool // one king a side; without, what follows is not known

	Checkers []rules.Square
	Count    int // how often it has stood in the game
	Claim    rules.Claim
	Outcome  rules.Outcome
	CanMate  [2]rules.Answer // by rules.Color
	Moves    []string        // those that are legal, as they are to be written
}

// Position says it in sentences without full stop, the most important ones first.
func (l *Language) Position(p Position) []string {
	turn := "turn"
	if len(p.Checkers) > 0 {
		turn = "turn.check"
	}
	lines := []string{l.sentence(turn, args{"side": p.Turn})}
	add := func(key string, a args) { lines = append(lines, l.sentence(key, a)) }
	for _, f := range p.Faults {
		add("position.illegal", args{"why": l.Fault(f.Code), "article": code(f.Article)})
	}
	if !p.Kings {
		return lines
	}
	if len(p.Checkers) > 0 {
		add("position.checkers", args{"squares": p.Checkers})
	}
	if p.Claim != rules.NoClaim && p.Outcome == rules.NoOutcome {
		add("draw_claimable", args{"why": l.Claim(p.Claim.String())})
	}
	if p.Count > 1 {
		add("position.count", args{"n": p.Count})
	}
	switch p.Outcome {
	case rules.NoOutcome:
		for c, answer := range p.CanMate {
			key := map[rules.Answer]string{rules.Yes: "position.can_mate", rules.No: "position.cannot_mate"}[answer]
			if key == "" { // a mate is looked for only so long
				key = "position.mate_unsettled"
			}
			add(key, args{"side": rules.Color(c)})
		}
	case rules.Checkmated:
		lines = append(lines, l.End([...]string{"0-1", "1-0"}[p.Turn&1], p.Outcome.String()))
	default:
		lines = append(lines, l.End("1/2-1/2", p.Outcome.String()))
	}
	if len(p.Moves) == 0 {
		add("position.stuck", nil)
	} else {
		add("position.moves", args{"n": len(p.Moves), "moves": code(strings.Join(p.Moves, " "))})
	}
	return lines
}
