package mqtt

import (
	"errors"
	"fmt"

	"github.com/boardd/boardd/commands"
	"github.com/boardd/boardd/game"
)

// errand is what a command asks of the goroutine that publishes.
type errand struct {
	board string
	all   bool  // announce: publish everything retained again
	from  int64 // resend from here
	max   int   // resend so many
	id    string
	verb  string
	quiet bool // who asked does not listen here
}

// take begins an errand.
func (s *session) take(e errand) {
	s.errand, s.next, s.resent, s.first = &e, e.from, 0, 0
}

// errandOn does the next piece of the errand at hand: everything retained, or one event of a resend.
func (s *session) errandOn() error {
	e := s.errand
	if e.all {
		s.errand = nil
		if err := s.announce(); err != nil {
			return err
		}
		if !e.quiet {
			s.answer(e.board, e.id, e.verb, "ok", "", "", nil)
		}
		return nil
	}
	var events []game.StampedEvent
	if s.resent < e.max {
		var err error
		if events, err = s.feed.Events(e.board, s.next, 1); err != nil {
			s.errand = nil
			no := unread(err)
			s.answer(e.board, e.id, e.verb, "error", no.Code, no.Message, nil)
			return nil
		}
	}
	if len(events) == 0 {
		s.errand = nil
		said := "no events from there on"
		if s.resent > 0 {
			said = fmt.Sprintf("%d events, seq %d to %d", s.resent, s.first, s.next-1)
		}
		s.answer(e.board, e.id, e.verb, "ok", "", said, nil)
		return nil
	}
	event := &events[0]
	body, err := s.eventOf(event)
	if err == nil && len(body) <= maxEvent {
		if err := s.publish(e.board+"/resend", 1, false, body); err != nil {
			return err
		}
		if s.resent++; s.resent == 1 {
			s.first = event.Seq
		}
	}
	s.next = event.Seq + 1
	return nil
}

// unread refuses a resend of events that cannot be had.
func unread(err error) *commands.Refusal {
	if errors.Is(err, game.ErrGone) {
		return commands.Refuse(commands.Gone, err.Error())
	}
	return commands.Refuse(commands.Internal, err.Error())
}
