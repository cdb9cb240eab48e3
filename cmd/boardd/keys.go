package main

import (
	"context"
	"io"
	"os"
	"sync"
	"unicode"

	"golang.org/x/term"

	"github.com/boardd/boardd/driver/calibration"
)

// typed are the keys that are pressed: one by one where in is a terminal, else the first letter of each line. restore gives the
// terminal back as it was; it may be called twice.
func typed(ctx context.Context, in io.Reader) (keys <-chan calibration.Key, restore func()) {
	raw := false
	restore = func() {}
	if file, ok := in.(*os.File); ok && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(file.Fd())) {
		if state, err := term.MakeRaw(int(file.Fd())); err == nil {
			raw = true
			restore = sync.OnceFunc(func() { _ = term.Restore(int(file.Fd()), state) })
		}
	}
	c := make(chan calibration.Key)
	go readKeys(ctx, in, raw, c)
	return c, restore
}

// readKeys sends the keys of in until it ends or ctx does. The end of in is nobody's wish: the questions go on without keys.
func readKeys(ctx context.Context, in io.Reader, raw bool, keys chan<- calibration.Key) {
	first := true // of a line
	var one [1]byte
	for {
		if n, err := in.Read(one[:]); err != nil {
			return
		} else if n == 0 {
			continue
		}
		key, ok := keyOf(one[0], raw, &first)
		if !ok {
			continue
		}
		select {
		case keys <- key:
		case <-ctx.Done():
			return
		}
	}
}

// keyOf is the key that a byte is. Without raw only the first letter of a line counts, and an empty line is Enter.
func keyOf(b byte, raw bool, first *bool) (calibration.Key, bool) {
	switch {
	case raw && (b == 3 || b == 4): // Ctrl-C, Ctrl-D
		return calibration.Quit, true
	case raw && b == '\r':
		return calibration.Enter, true
	case raw:
		return calibration.Key(unicode.ToLower(rune(b))), true
	case b == '\n':
		enter := *first
		*first = true
		return calibration.Enter, enter
	case b == '\r':
		return 0, false
	}
	was := *first
	*first = false
	return calibration.Key(unicode.ToLower(rune(b))), was
}
