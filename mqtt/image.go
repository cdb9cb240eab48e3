package mqtt

import (
	"time"

	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/picture"
	"github.com/boardd/boardd/rules"
)

// drawn is all that a picture of a board shows; ever tells it from nothing.
type drawn struct {
	ever bool
	picture.Scene
}

// sceneOf is the picture of a snapshot: the position of the game, or an empty board.
func sceneOf(s *game.Snapshot) (c picture.Scene) {
	c.Check, c.From, c.To = rules.NoSquare, rules.NoSquare, rules.NoSquare
	c.Turned = s.Orientation == "black"
	variant := rules.Standard
	if s.Game != nil {
		if v, err := rules.ParseVariant(s.Game.Variant); err == nil {
			variant = v
		}
	}
	p, err := rules.ParsePosition(s.FEN, variant)
	if err != nil {
		return c
	}
	for q := range rules.Square(64) {
		c.Men[q] = p.At(q)
	}
	if p.InCheck() && s.Mode != game.Observer {
		c.Check = p.King(p.Turn())
	}
	if len(s.LastUCI) >= 4 {
		from, ok := rules.ParseSquare(s.LastUCI[:2])
		to, ok2 := rules.ParseSquare(s.LastUCI[2:4])
		if ok && ok2 {
			c.From, c.To = from, to
		}
	}
	return c
}

// sayImage publishes the picture of a board if it shows something new, and not too often.
func (s *session) sayImage(t *table, latest game.StampedSnapshot, now time.Time) error {
	if !s.opt.Images {
		return nil
	}
	want := drawn{true, sceneOf(latest.Snapshot)}
	if t.imageDue = want != t.drawn; !t.imageDue {
		return nil
	}
	if since := now.Sub(t.imageAt); t.drawn.ever && since >= 0 && since < s.pace.image {
		return nil
	}
	png, err := picture.PNG(want.Scene)
	if err != nil {
		return err
	}
	if err := s.publish(t.ID+"/image", 0, true, png); err != nil {
		return err
	}
	t.drawn, t.imageAt, t.imageDue = want, now, false
	return nil
}
