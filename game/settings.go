package game

import "github.com/boardd/boardd/board"

// doBrightness sets how bright the lights are.
func (t *Table) doBrightness(c *board.Command) *refusal {
	if c.Value == nil || *c.Value < 0 || *c.Value > 100 {
		return refuse("bad_value", "value is 0 to 100 percent")
	}
	t.audit(c)
	t.brightness = *c.Value
	return nil
}

// doLights switches the lights on or off.
func (t *Table) doLights(c *board.Command) *refusal {
	if c.On == nil {
		return refuse("bad_value", "on is true or false")
	}
	t.audit(c)
	t.lightsOn = *c.On
	return nil
}

const identifyMs = 5000

// doIdentify lets the board show which one it is.
func (t *Table) doIdentify(c *board.Command) *refusal {
	t.audit(c)
	t.identify = t.now + identifyMs
	return nil
}
