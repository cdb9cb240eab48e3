package game

// Summary is what a replay says at the end: the last game, and all of them in order.
type Summary struct {
	UCI    []string      `json:"uci"`
	SAN    []string      `json:"san"`
	FEN    *string       `json:"fen"` // null when there was no game
	Result string        `json:"result"`
	Status string        `json:"status"`
	Games  []GameSummary `json:"games"`
}

// GameSummary is one game in a Summary. Reason is null while the game goes on.
type GameSummary struct {
	UCI      []string `json:"uci"`
	SAN      []string `json:"san"`
	Result   string   `json:"result"`
	Reason   *string  `json:"reason"`
	StartFEN string   `json:"start_fen"`
}

// Summary says what became of the table's games.
func (t *Table) Summary() Summary {
	s := Summary{UCI: []string{}, SAN: []string{}, Result: "*", Status: t.status(), Games: []GameSummary{}}
	for _, g := range t.Games() {
		s.Games = append(s.Games, GameSummary{g.UCI, g.SAN, g.Result, orNull(g.Reason), g.StartFEN})
		s.UCI, s.SAN, s.Result = g.UCI, g.SAN, g.Result
	}
	if t.game != nil {
		p := t.game.line.Position()
		fen := p.FEN()
		s.FEN = &fen
	}
	return s
}

// Games are the records of all games in order, the one on the table last.
func (t *Table) Games() []*Record {
	games := append([]*Record(nil), t.past...)
	if t.game != nil {
		games = append(games, t.game.asRecord())
	}
	return games
}
