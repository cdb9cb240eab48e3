package game

// batteryRestMs is how long a battery is well before it may be called low again: a worn one, or a bad contact, says both in turn.
const batteryRestMs = 10 * 60_000

// power is what a battery said.
type power struct {
	said, well bool
	wellAt     int64 // since when it is well
}

func (t *Table) battery(which int, low, well bool, source string) {
	p := &t.power[which]
	switch {
	case low:
		if !p.said || p.well && t.now-p.wellAt >= batteryRestMs {
			t.emit(&LowBattery{source})
		}
		p.said, p.well = true, false
	case well && !p.well:
		p.well, p.wellAt = true, t.now
	}
}
