package dgt

import "fmt"

// Battery is what a BatteryStatus message says (protocols/dgt.md section 5).
type Battery struct {
	Percent               int  // 0 to 100
	Charging, Discharging bool // neither: full, or on the cable
	LeftMin               int  // until empty, or full while charging, in minutes; -1 is not known
	OnMin                 int  // since it was switched on
	StandbyMin            int  // switched off before that
}

// notAvailable is in the place of a time that the board does not know.
const notAvailable = 0x7F

// DecodeBattery reads the nine bytes of payload; ok is false for what cannot be.
func DecodeBattery(p []byte) (b Battery, ok bool) {
	if len(p) != 9 || p[0] > 100 {
		return Battery{}, false
	}
	b = Battery{Percent: int(p[0]), Charging: p[8]&1 != 0, Discharging: p[8]&2 != 0, LeftMin: -1,
		OnMin: int(p[3])*60 + int(p[4]), StandbyMin: (int(p[5])*24+int(p[6]))*60 + int(p[7])}
	if p[1] != notAvailable && p[2] != notAvailable {
		b.LeftMin = int(p[1])*60 + int(p[2])
	}
	return b, true
}

// DraughtsMan is the name of a man in the messages of a draughts board, "" for an empty square; ok is false for codes that do
// not exist there. White men are 01 and black ones 04, as the newer headers say; an older one exchanges 04 and 07.
func DraughtsMan(code byte) (name string, ok bool) {
	switch code {
	case 0:
		return "", true
	case 0x01:
		return "white man", true
	case 0x04:
		return "black man", true
	case 0x07:
		return "white king", true
	case 0x0A:
		return "black king", true
	}
	return "", false
}

// Describe says in one line what a message of single-board mode says, for people and tests. A message whose payload cannot
// be, or is not known, is shown in hexadecimal.
func Describe(m Message) string {
	p := m.Payload
	if !fits(m.ID, headerLen+len(p)) {
		return fmt.Sprintf("%02X with %d bytes", m.ID, len(p))
	}
	switch m.ID {
	case BoardDump, DraughtsBlack, DraughtsWhite:
		return describeDump(m.ID, p)
	case ClockTimes:
		return "clock: " + DecodeClock(p).String()
	case FieldUpdate:
		if s, special, ok := SymbolOf(p[1]); ok && p[0] < 64 {
			if special {
				return fmt.Sprintf("%v: special piece, %s", SquareOf(p[0]), specialNames[p[1]-firstSpecial])
			}
			return fmt.Sprintf("%v: %c", SquareOf(p[0]), s)
		}
	case EEMoves:
		return fmt.Sprintf("log of %d entries", len(entries(p)))
	case BusAddress:
		return fmt.Sprintf("bus address %d", int(p[0])<<7|int(p[1]))
	case Serial:
		return "serial number " + printable(p)
	case LongSerial:
		return "long serial number " + printable(p)
	case Trademark:
		return "trademark " + printable(p)
	case Version:
		return fmt.Sprintf("version %d.%d", p[0], p[1])
	case HardwareVersion:
		return fmt.Sprintf("hardware version %d.%d", p[0], p[1])
	case BatteryStatus:
		if b, ok := DecodeBattery(p); ok {
			return fmt.Sprintf("battery %+v", b)
		}
	case LockState:
		return fmt.Sprintf("locked: %t", p[0] != 0)
	case KeyState:
		return fmt.Sprintf("key accepted: %t", p[0] == 1)
	}
	return fmt.Sprintf("%02X: % X", m.ID, p)
}

func describeDump(id byte, p []byte) string {
	if len(p) == 64 {
		if pic, ok := pictureOf(p); ok {
			return "board " + pic.String()
		}
		return fmt.Sprintf("%02X: % X", id, p)
	}
	men := 0
	for _, code := range p {
		if name, ok := DraughtsMan(code); !ok {
			return fmt.Sprintf("%02X: % X", id, p)
		} else if name != "" {
			men++
		}
	}
	return fmt.Sprintf("draughts board, %d men", men)
}
