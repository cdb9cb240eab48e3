package board

// RGB is the light of one square, gamma not yet applied.
type RGB struct{ R, G, B uint8 }

// Frame is the light of all squares, indexed by rules.Square as the players see them; black is dark.
type Frame [64]RGB

// Lights is a display. Show is called only when the frame has changed; Close leaves the display dark.
type Lights interface {
	Show(Frame) error
	Close() error
}

// Lit is a Driver whose board has lights of its own. Light takes the frame that they are to show, indexed like the squares
// that the driver reports; the next Step, which follows at once, gives the bytes. The newest frame counts, and a machine
// that starts anew is given it again.
type Lit interface {
	Driver
	Light(Frame)
}

// OrderKind is what a clock is to do.
type OrderKind uint8

// The kinds of order.
const (
	SetClock  OrderKind = iota // show LeftMs and RightMs, and let Run's time run
	RunClock                   // let Run's time run, or nobody's, with the times as they are
	ShowText                   // show Text instead of the times
	ShowTimes                  // show the times again
	Beep                       // for BeepMs
)

// ClockOrder is what the players' clock is told. Left and right are seen from its front.
type ClockOrder struct {
	Kind            OrderKind
	LeftMs, RightMs int64  // 0 to 9:59:59, in milliseconds; the clock shows whole seconds
	Run             Side   // NoSide stops it
	Text            string // a clock shows as much of it as it can
	BeepMs          int64  // of Beep, and with ShowText
}

// ClockSetter is a Driver behind whose board a clock stands that can be told what to do. Orders are carried out one after the
// other; the next Step, which follows at once, gives the bytes.
type ClockSetter interface {
	Driver
	Clock(ClockOrder)
}
