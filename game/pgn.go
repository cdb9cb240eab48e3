package game

import "github.com/boardd/boardd/rules"

// PGN is the game in PGN's export form. date is the day on which it began, as 2026.07.31, or "" if that is not known. A record of
// a table can always be written; of another one the plies up to the first that is not legal are.
func (r *Record) PGN(date string) string {
	variant, err := rules.ParseVariant(r.Variant)
	if err != nil {
		variant = rules.Standard
	}
	start, err := rules.ParsePosition(r.StartFEN, variant)
	if err != nil {
		start = rules.Start()
	}
	line := rules.NewLine(start)
	for i, uci := range r.UCI {
		if len(r.Stood) > 0 && i+1 == r.Stood[0].Ply {
			break
		}
		p := line.Position()
		m, err := p.ParseUCI(uci)
		if err != nil {
			break
		}
		line.Play(m)
	}
	return r.pgn(line, date)
}

func (r *Record) pgn(line *rules.Line, date string) string {
	g := rules.PGN{
		Event: r.Event, Site: r.Site, Date: date, Round: r.Round, White: r.White, Black: r.Black, Result: r.Result, Tags: r.tags(), Line: line,
	}
	if len(r.Stood) > 0 {
		g.Stood = r.SAN[r.Stood[0].Ply-1:]
	}
	return g.String()
}

func (r *Record) tags() (tags []rules.Tag) {
	if r.Table != "" {
		tags = append(tags, rules.Tag{Name: "Board", Value: r.Table})
	}
	if r.TimeControl != "" {
		tags = append(tags, rules.Tag{Name: "TimeControl", Value: r.TimeControl})
	}
	if r.Reason != "" {
		words := map[string]string{"flag": "time forfeit", "flag_draw": "time forfeit", "abandoned": "abandoned", "forfeit": "forfeit", "arbiter": "adjudication"}
		word, ok := words[r.Reason]
		if !ok {
			word = "normal"
		}
		tags = append(tags, rules.Tag{Name: "Termination", Value: word})
	}
	return tags
}
