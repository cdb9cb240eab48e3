package files

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const limit = 100

func TestWhatIsRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name string, n int) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, bytes.Repeat([]byte{'x'}, n), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink("/dev/zero", link); err != nil {
		t.Fatal(err)
	}
	fifo := filepath.Join(dir, "fifo") // nobody ever writes to it
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	readers := map[string]func(string) ([]byte, error){
		"Read":       func(p string) ([]byte, error) { return Read(p, limit) },
		"ReadStream": func(p string) ([]byte, error) { return ReadStream(t.Context(), p, limit) },
		"Head":       func(p string) ([]byte, error) { return Head(p, limit) },
	}
	for _, c := range []struct {
		path string
		n    int
		err  error
		not  string // a reader that does otherwise
	}{
		{file("empty", 0), 0, nil, ""},
		{file("full", limit), limit, nil, ""},
		{file("large", limit+1), 0, ErrTooLarge, "Head"},
		{filepath.Join(dir, "none"), 0, fs.ErrNotExist, ""},
		{dir, 0, syscall.EISDIR, ""},
		{"/dev/zero", 0, errKind, ""},
		{"/dev/null", 0, errKind, ""},
		{link, 0, errKind, ""},
		{fifo, 0, errKind, "ReadStream"},
	} {
		for name, read := range readers {
			if name == c.not {
				continue
			}
			text, err := read(c.path)
			if len(text) != c.n || !errors.Is(err, c.err) {
				t.Errorf("%s of %s: %d bytes and %v, want %d and %v", name, filepath.Base(c.path), len(text), err, c.n, c.err)
			}
			var p *fs.PathError
			if err != nil && (!errors.As(err, &p) || p.Path != c.path) {
				t.Errorf("%s of %s: %T does not name the file", name, c.path, err)
			}
		}
	}
	if text, err := Head(filepath.Join(dir, "large"), limit); len(text) != limit || err != nil {
		t.Errorf("Head gives %d bytes and %v", len(text), err)
	}
}

// A pipe is read to its end or its limit, and given up when nobody waits any more, also before it has a writer.
func TestPipes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		open       bool // the writer stays
		want       error
	}{
		{"to its end", "abc", false, nil},
		{"too much", strings.Repeat("x", limit+1), true, ErrTooLarge},
		{"no end", "abc", true, context.Canceled},
		{"no word", "", true, context.Canceled},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			fifo := filepath.Join(t.TempDir(), "fifo")
			if err := syscall.Mkfifo(fifo, 0o600); err != nil {
				t.Fatal(err)
			}
			w, err := os.OpenFile(fifo, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = w.Close() })
			if _, err := w.WriteString(c.text); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			time.AfterFunc(50*time.Millisecond, func() {
				if !c.open {
					_ = w.Close()
				} else if c.want == context.Canceled {
					cancel()
				}
			})
			text, err := ReadStream(ctx, fifo, limit)
			if !errors.Is(err, c.want) || err == nil && string(text) != c.text {
				t.Errorf("%q and %v, want %v", text, err, c.want)
			}
		})
	}
	t.Run("no writer", func(t *testing.T) {
		t.Parallel()
		fifo := filepath.Join(t.TempDir(), "fifo")
		if err := syscall.Mkfifo(fifo, 0o600); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(20*time.Millisecond, cancel)
		if _, err := Open(ctx, fifo); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		w, err := os.OpenFile(fifo, os.O_RDWR, 0) // lets go of the one who opened it
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = w.Close() })
	})
}

func TestUntilIsAReader(t *testing.T) {
	t.Parallel()
	text := bytes.Repeat([]byte("0123456789abcdef"), 20_000)
	if err := iotest.TestReader(Until(t.Context(), bytes.NewReader(text)), text); err != nil {
		t.Error(err)
	}
	broken := errors.New("broken")
	got, err := io.ReadAll(Until(t.Context(), io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(broken))))
	if string(got) != "abc" || err != broken {
		t.Errorf("%q, %v", got, err)
	}
}
