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
