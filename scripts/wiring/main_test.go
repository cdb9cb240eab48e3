package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDrawingsAreCurrent: docs/wiring holds what is drawn, and it is XML.
func TestDrawingsAreCurrent(t *testing.T) {
	t.Parallel()
	for name, drawing := range drawings() {
		shown, err := os.ReadFile(filepath.Join("..", "..", "docs", "wiring", name))
		if err != nil || string(shown) != drawing {
			t.Errorf("%s is not what is drawn (go run ./scripts/wiring docs/wiring): %v", name, err)
		}
		for d := xml.NewDecoder(strings.NewReader(drawing)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}
