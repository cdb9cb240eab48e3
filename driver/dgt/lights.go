package dgt

// revelation is the version of a Revelation II's program, hundreds and the rest in one number (3.24 is 324); ok is false for
// other boards. It stands at the beginning of the long serial number, which on other boards is ten digits.
func (m *Machine) revelation() (version int, ok bool) {
	s := m.info.LongSerial
	if len(s) < 4 || s[1] != '.' || s[0] != '3' {
		return 0, false
	}
	for _, c := range []byte{s[0], s[2], s[3]} {
		if c < '0' || c > '9' {
			return 0, false
		}
		version = version*10 + int(c-'0')
	}
	return version, true
}
