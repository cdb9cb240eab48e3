package chain

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/leds/order"
)

func layout(t interface{ Fatal(...any) }, o order.Options) order.Layout {
	l, err := order.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// The table in whole numbers is the rounded power.
func TestGamma(t *testing.T) {
	t.Parallel()
	for _, tenths := range []int{10, 18, 22, 28, 40} {
		for x, got := range gammaTable(tenths) {
			want := 255 * math.Pow(float64(x)/255, float64(tenths)/10)
			if math.Abs(float64(got)-want) > 0.5001 {
				t.Errorf("gamma %d: %d becomes %d, want %.3f", tenths, x, got, want)
			}
		}
	}
}

func TestLimit(t *testing.T) {
	t.Parallel()
	all := func(c board.RGB) (f board.Frame) {
		for q := range f {
			f[q] = c
		}
		return f
	}
	four := board.Frame{}
	for q := range 4 {
		four[q] = board.RGB{R: 255, G: 255, B: 255}
	}
	for _, c := range []struct {
		name  string
		max   int
		frame board.Frame
		want  Light // of LED 0
		mA    int
	}{
		{"64 LEDs at a quarter", 800, all(board.RGB{R: 64, G: 64, B: 64}), Light{R: 48, G: 48, B: 48}, 787},
		{"four at their full", 800, four, Light{R: 255, G: 255, B: 255}, 304},
		{"dark", 700, board.Frame{}, Light{}, 64},
		{"all white, by default", 0, all(board.RGB{R: 255, G: 255, B: 255}), Light{R: 42, G: 42, B: 42}, 697},
	} {
		chain, err := New(Options{Layout: layout(t, order.Options{}), Gamma: 10, MaxMA: c.max})
		if err != nil {
			t.Fatal(err)
		}
		got := chain.Frame(c.frame)
		if got[0] != c.want || Milliamps(got) != c.mA {
			t.Errorf("%s: %v and %d mA, want %v and %d mA", c.name, got[0], Milliamps(got), c.want, c.mA)
		}
	}
}

// Whatever is to be shown, the current stays within the limit, nothing dark is lit, and without need nothing is weakened.
func TestCurrentStaysWithinTheLimit(t *testing.T) {
	t.Parallel()
	layouts := []order.Layout{layout(t, order.Options{}), layout(t, order.Options{PerSquare: order.Corners}), layout(t, order.Options{PerSquare: order.Four})}
	rapid.Check(t, func(t *rapid.T) {
		l := rapid.SampledFrom(layouts).Draw(t, "layout")
		o := Options{Layout: l, Gamma: rapid.IntRange(10, 40).Draw(t, "gamma"), MaxMA: l.Count + rapid.IntRange(1, 6000).Draw(t, "mA"), White: rapid.Bool().Draw(t, "white")}
		c, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		leds := make([]board.RGB, l.Count)
		for i := range leds {
			if rapid.Bool().Draw(t, "lit") {
				leds[i] = board.RGB{R: rapid.Byte().Draw(t, "r"), G: rapid.Byte().Draw(t, "g"), B: rapid.Byte().Draw(t, "b")}
			}
		}
		got := c.Lights(leds)
		if mA := Milliamps(got); mA > o.MaxMA {
			t.Fatalf("%d mA, %d are allowed", mA, o.MaxMA)
		}
		full := make([]Light, len(leds))
		for i := range leds {
			full[i] = c.light(leds[i])
			if leds[i] == (board.RGB{}) && got[i] != (Light{}) {
				t.Fatalf("LED %d is lit by nothing", i)
			}
			if leds[i] != (board.RGB{}) && full[i] == (Light{}) {
				t.Fatalf("LED %d: %v is not seen", i, leds[i])
			}
		}
		if Milliamps(full) <= o.MaxMA {
			for i := range full {
				if got[i] != full[i] {
					t.Fatalf("LED %d is weakened without need", i)
				}
			}
		}
	})
}

func TestColours(t *testing.T) {
	t.Parallel()
	plain, err := New(Options{Layout: layout(t, order.Options{})})
	if err != nil {
		t.Fatal(err)
	}
	white, err := New(Options{Layout: layout(t, order.Options{}), White: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		in       board.RGB
		rgb, rgw Light
	}{
		{board.RGB{R: 255, G: 255, B: 255}, Light{R: 255, G: 255, B: 255}, Light{W: 255}},
		{board.RGB{R: 63, G: 16}, Light{R: 12, G: 1}, Light{R: 12, G: 1}},
		{board.RGB{R: 12, G: 3}, Light{R: 1}, Light{R: 1}},                  // orange at night
		{board.RGB{G: 4, B: 12}, Light{B: 1}, Light{B: 1}},                  // blue at night
		{board.RGB{R: 2, G: 2, B: 2}, Light{R: 1, G: 1, B: 1}, Light{W: 1}}, // white at night
	} {
		if got := plain.light(c.in); got != c.rgb {
			t.Errorf("%v: %v, want %v", c.in, got, c.rgb)
		}
		if got := white.light(c.in); got != c.rgw {
			t.Errorf("%v with white: %v, want %v", c.in, got, c.rgw)
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{}, "no LEDs"},
		{Options{Layout: order.Layout{Count: 64}, Gamma: 5}, "1.0 to 4.0"},
		{Options{Layout: order.Layout{Count: 256}, MaxMA: 200}, "256 dark LEDs need 256 mA"},
	} {
		if _, err := New(c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
