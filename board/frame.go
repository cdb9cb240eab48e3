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
