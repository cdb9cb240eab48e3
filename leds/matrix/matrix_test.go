package matrix

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/leds/order"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// lines keep what they were set to, and when.
type lines struct {
	mu   sync.Mutex
	sent []uint64
	err  error
}

func (l *lines) Set(high uint64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent = append(l.sent, high)
	return l.err
}

func (l *lines) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = err
}

// take are the words since it was last asked.
func (l *lines) take() (sent []uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	sent, l.sent = l.sent, nil
	return sent
}

func matrix(t *testing.T, l Lines, o Options) *Display {
	t.Helper()
	var err error
	if o.Layout, err = order.New(order.Options{}); err != nil {
		t.Fatal(err)
	}
	d, err := New(l, o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func pass(t time.Duration) {
	<-time.After(t)
	synctest.Wait()
}

func TestScan(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name             string
		o                Options
		off, e2, h8, all uint64 // all: the words of row 2 while e2 and a2 are lit
	}{
		{"high", Options{}, 0, 0x1002, 0x8080, 0x1102},
		{"rows low", Options{RowsLow: true}, 0xff, 0x10fd, 0x807f, 0x11fd},
		{"columns low", Options{ColumnsLow: true}, 0xff00, 0xef02, 0x7f80, 0xee02},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				l := &lines{}
				d := matrix(t, l, c.o)
				show := func(f board.Frame) {
					t.Helper()
					if err := d.Show(f); err != nil {
						t.Error(err)
					}
				}
				show(board.Frame{})
				if got := l.take(); !slices.Equal(got, []uint64{c.off}) {
					t.Errorf("dark: %x", got)
				}
				pass(time.Hour)
				if got := l.take(); len(got) != 0 {
					t.Errorf("dark, and still %x is sent", got)
				}
				show(board.Frame{12: {R: 9}, 63: {B: 9}})
				pass(24*time.Millisecond - 1) // twice through all rows
				if got, want := l.take(), []uint64{c.off, c.e2, c.off, c.h8, c.off, c.e2, c.off, c.h8}; !slices.Equal(got, want) {
					t.Errorf("lit: %x, want %x", got, want)
				}
				show(board.Frame{8: {R: 9}, 12: {R: 9}})
				pass(12 * time.Millisecond)
				if got := l.take(); !slices.Contains(got, c.all) || slices.Contains(got, c.h8) {
					t.Errorf("another frame: %x, want %x in it", got, c.all)
				}
				if err := d.Close(); err != nil {
					t.Error(err)
				}
				if got := l.take(); got[len(got)-1] != c.off {
					t.Errorf("closed: %x", got)
				}
				pass(time.Hour)
				if got := l.take(); len(got) != 0 {
					t.Errorf("closed, and still %x is sent", got)
				}
			})
		})
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &lines{}
		d := matrix(t, l, Options{})
		lit := board.Frame{0: {R: 1}}
		if err := d.Show(lit); err != nil {
			t.Error(err)
		}
		pass(time.Second)
		l.fail(errors.New("gone"))
		l.take()
		pass(time.Second)
		if got := l.take(); len(got) < 3 || len(got) > 6 {
			t.Errorf("tried %d times in a second", len(got))
		}
		if err := d.Show(lit); err == nil || err.Error() != "matrix: gone" {
			t.Errorf("%v", err)
		}
		l.fail(nil)
		pass(time.Second)
		if got := l.take(); len(got) < 100 {
			t.Errorf("back, and only %d words in a second", len(got))
		}
		if err := errors.Join(d.Show(lit), d.Close()); err != nil && !strings.Contains(err.Error(), "gone") {
			t.Error(err)
		}
	})
	for _, o := range []Options{{}, {Layout: order.Layout{Count: 64}, Rows: 7}, {Layout: order.Layout{Count: 256}, Rows: 2}} {
		if _, err := New(&lines{}, o); err == nil {
			t.Errorf("%d LEDs in %d rows are taken", o.Layout.Count, o.Rows)
		}
	}
}
