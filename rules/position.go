package rules

// Position is a stub that the real one replaces.
type Position struct{}
