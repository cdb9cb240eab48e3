package game

import "github.com/boardd/boardd/board"

func (t *Table) doBrightness(c *board.Command) *refusal {
	if c.Value == nil || *c.Value < 0 || *c.Value > 100 {
		return refuse("bad_value", "value is 0 to 100 percent")
	}
	t.audit(c)
	t.brightness = *c.Value
	return nil
}

func (t *Table) doLights(c *board.Command) *refusal {
	if c.On == nil {
		return refuse("bad_value", "on is true or false")
	}
	t.audit(c)
	t.lightsOn = *c.On
	return nil
}
