package mqtt

import (
	"maps"

	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/rules/laws"
)

// words is the language of a board's texts; English for a board that the options do not name.
func (d *Door) words(board string) *laws.Language {
	languages := d.opt.Languages
	if changed := d.languages.Load(); changed != nil {
		languages = *changed
	}
	l, _ := laws.Match(languages[board])
	return l
}

// SetLanguages changes the languages of the texts, by board, from the next message on. It may be called at any time.
func (d *Door) SetLanguages(languages map[string]string) {
	own := maps.Clone(languages)
	d.languages.Store(&own)
}

// withText adds the key text to an event: what it says to people, without the players' names. An event that cannot be put
// into words is published without them.
func withText(object []byte, l *laws.Language) []byte {
	text, err := l.Event(object)
	if err != nil || text == "" {
		return object
	}
	return append(append(append(object[:len(object)-1], `,"text":`...), encode(text)...), '}')
}

// stateText is what a state says to people, null for nothing.
func stateText(s *game.Snapshot, l *laws.Language) *string {
	state := laws.State{Online: s.Online, Status: s.Status, Turn: s.Turn, InCheck: s.InCheck && s.Mode != game.Observer, DrawOffer: s.DrawOffer}
	if s.Game != nil {
		state.Result, state.Reason = s.Game.Result, s.Game.Reason
	}
	if s.Pending != nil && s.Pending.Kind != "remote" {
		state.Waiting, state.Squares = s.Pending.Kind, s.Pending.Squares
	}
	return orNull(l.State(state))
}
