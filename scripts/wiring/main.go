// Command wiring draws the pictures of docs/wiring.md: go run ./scripts/wiring DIRECTORY.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "wiring: name the directory to draw into: go run ./scripts/wiring docs/wiring")
		os.Exit(2)
	}
	for name, drawing := range drawings() {
		if err := os.WriteFile(filepath.Join(os.Args[1], name), []byte(drawing), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, "wiring:", err)
			os.Exit(1)
		}
	}
}

// drawings are the pictures by the names of their files.
func drawings() map[string]string {
	return map[string]string{
		"gpio-matrix.svg": gpioMatrix().String(),
		"mcp23017.svg":    mcp23017().String(),
		"hc165.svg":       hc165().String(),
		"ws2812.svg":      ws2812().String(),
	}
}
