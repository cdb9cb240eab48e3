package dgt

// Message ids in bus mode (protocols/dgt.md section 11). Those from BusHardware on are of newer boards.
const (
	BusDump      byte = 0x83
	BusClock     byte = 0x84
	BusChanges   byte = 0x85
	BusFromStart byte = 0x86
	BusPing      byte = 0x87
	BusWritten   byte = 0x88 // a new start is in the log
	BusVersion   byte = 0x89
	BusDraughts  byte = 0x8A
	BusEven      byte = 0x8B // BusChanges, every other time
	BusHardware  byte = 0x8C
	BusSerial    byte = 0xB0
	BusI2C       byte = 0xB1
	BusStats     byte = 0xB2
	BusConfig    byte = 0xB3
	BusTrademark byte = 0xB4
	BusBattery   byte = 0xB5
)

// busOver is what a message on a bus has besides its data: header, address and sum.
const busOver = headerLen + 3

// busFits is fits on a bus.
func busFits(id byte, length int) bool {
	switch id {
	case BusDump:
		return length == busOver+64 || length == busOver+100
	case BusClock:
		return length == busOver+7
	case BusChanges, BusFromStart, BusEven:
		return length >= busOver && length <= kept
	case BusPing, BusWritten:
		return length == busOver
	case BusVersion:
		return length == busOver+2 || length == busOver // up to version 1.2
	case BusDraughts:
		return length == busOver+50
	case BusHardware:
		return length == busOver+2
	case BusBattery:
		return length == busOver+9
	case BusTrademark:
		return length >= busOver && length <= busOver+253
	}
	return length >= busOver && length <= busOver+100
}

// sum is the check of a bus: all bytes before it, without the highest bit.
func sum(b []byte) (s byte) {
	for _, c := range b {
		s += c
	}
	return s & 0x7F
}

// AppendBusMessage appends a board's message on a bus to dst. The data's bytes must be below 80 hex.
func AppendBusMessage(dst []byte, id byte, address int, data []byte) []byte {
	at, n := len(dst), busOver+len(data)
	dst = append(dst, id, byte(n>>7)&0x7F, byte(n)&0x7F, byte(address>>7)&0x7F, byte(address)&0x7F)
	dst = append(dst, data...)
	return append(dst, sum(dst[at:]))
}

// AppendBusCommand appends a command to the board with an address, or to all boards with address 0.
func AppendBusCommand(dst []byte, cmd byte, address int) []byte {
	c := [...]byte{cmd, byte(address>>7) & 0x7F, byte(address) & 0x7F}
	return append(append(dst, c[:]...), sum(c[:]))
}
