package dgt

// CaptureGapMs is the time, in milliseconds, that a message of a capture file is taken to come after the one before it.
// The files of recorded traffic hold no times; a running clock speaks once a second, which gives the pace.
func CaptureGapMs(message []byte) int {
	if len(message) > 0 && message[0] == ClockTimes {
		return 1000
	}
	return 20
}
