package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"github.com/boardd/boardd/driver/chiptest"
	"github.com/boardd/boardd/driver/pins"
	"github.com/boardd/boardd/driver/scan"
)

// rig is a computer with a bus of each kind and GPIO lines, to which chips are wired.
type rig struct {
	magnets chiptest.Magnets
	field   chiptest.Field
	matrix  chiptest.Matrix
	mux     chiptest.Mux
	clock   chiptest.Clock
	i2c     chiptest.I2C
	spi     chiptest.SPI

	opened []string // what was opened, in words
	open   int      // how much of it is
	fail   int      // from which opening on they fail, from 1; 0: none
	drive  func(lines string, active uint64)
	sense  func() uint64
}

var errRig = errors.New("cannot be opened")

// closer counts what is closed.
type closer struct {
	r    *rig
	once bool
}

func (c *closer) Close() error {
	if !c.once {
		c.once = true
		c.r.open--
	}
	return nil
}

func (r *rig) opens(format string, args ...any) (*closer, error) {
	r.opened = append(r.opened, fmt.Sprintf(format, args...))
	if r.fail != 0 && len(r.opened) >= r.fail {
		return nil, errRig
	}
	r.open++
	return &closer{r: r}, nil
}

type rigI2C struct {
	i2c.Bus
	*closer
}

type rigSPI struct {
	spi.Conn
	*closer
}

type rigOutputs struct {
	set func(uint64) error
	*closer
}

func (o rigOutputs) Set(active uint64) error { return o.set(active) }

type rigInputs struct {
	get func() (uint64, error)
	*closer
}

func (i rigInputs) Get() (uint64, error)   { return i.get() }
func (rigInputs) Changed() <-chan struct{} { return nil }

func options(o pins.Options) string {
	words := []string{o.Chip, strings.Join(o.Lines, " ")}
	if o.ActiveLow {
		words = append(words, "low")
	}
	if o.Float {
		words = append(words, "float")
	}
	words = append(words, map[pins.Pull]string{pins.AsIs: "", pins.NoPull: "off", pins.PullUp: "up", pins.PullDown: "down"}[o.Pull])
	return strings.TrimSpace(strings.Join(words, " "))
}

func (r *rig) sockets() sockets {
	r.matrix.Magnets, r.matrix.Clock = &r.magnets, &r.clock
	return sockets{
		i2c: func(path string) (i2c.BusCloser, error) {
			c, err := r.opens("%s", path)
			return rigI2C{&r.i2c, c}, err
		},
		spi: func(path string, hz int64, mode int) (spiConn, error) {
			c, err := r.opens("%s %d Hz mode %d", path, hz, mode)
			if err != nil {
				return nil, err
			}
			cs := 0
			if strings.HasSuffix(path, ".1") {
				cs = 1
			}
			conn, err := r.spi.Port(cs).Connect(physic.Frequency(hz)*physic.Hertz, spi.Mode(mode), 8)
			return rigSPI{conn, c}, err
		},
		outputs: func(o pins.Options) (pins.Outputs, error) {
			c, err := r.opens("out %s", options(o))
			return rigOutputs{func(a uint64) error { r.drive(o.Lines[0], a); return nil }, c}, err
		},
		inputs: func(o pins.Options) (pins.Inputs, error) {
			c, err := r.opens("in %s", options(o))
			return rigInputs{func() (uint64, error) { return r.sense(), nil }, c}, err
		},
		alert: func(o pins.Options) (pins.Alert, error) {
			c, err := r.opens("alert %s", options(o))
			return rigInputs{func() (uint64, error) { return 0, nil }, c}, err
		},
		wait: r.clock.Wait,
	}
}

// reeds are n contacts for each of several chips.
func (r *rig) reeds(n int, attach func(i int, w chiptest.World)) {
	for i := range 64 / n {
		attach(i, chiptest.Reeds{Magnets: &r.magnets, First: n * i})
	}
}

const pattern uint64 = 0xFFEF_0000_1001_FF7F

// TestSensorsAreOpenedAsConfigured: from the text of a configuration to the wires, for each driver and each of its ways: what is opened,
// that the sensor reads the magnets, and that all is closed, also when something cannot be opened.
func TestSensorsAreOpenedAsConfigured(t *testing.T) {
	t.Parallel()
	matrixLines := "rows = [0, 1, 2, 3, 4, 5, 6, 7]\ncols = [8, 9, 10, 11, 12, 13, 14, 15]\nchip = \"bench\"\n"
	rowNames, colNames := "GPIO0 GPIO1 GPIO2 GPIO3 GPIO4 GPIO5 GPIO6 GPIO7", "GPIO8 GPIO9 GPIO10 GPIO11 GPIO12 GPIO13 GPIO14 GPIO15"
	onPins := func(r *rig) {
		r.drive = func(_ string, active uint64) { r.matrix.Rows(uint8(active), chiptest.Float) }
		r.sense = func() uint64 { return uint64(r.matrix.Columns()) }
	}
	behindMux := func(switches int) func(*rig) {
		return func(r *rig) {
			commons := r.mux.Commons(&r.magnets, 64/switches)
			r.drive = func(_ string, active uint64) { _ = r.mux.SetAddress(active) }
			r.sense = func() uint64 {
				v, _ := commons()
				return v
			}
		}
	}
	for _, c := range []struct {
		name, driver, keys string
		build              func(r *rig)
		opened             []string
		turned             bool // wires are columns first
	}{
		{"matrix", "gpio-matrix", matrixLines, onPins, []string{"out bench " + rowNames + " low float", "in bench " + colNames + " low up"}, false},
		{"matrix, driven high", "gpio-matrix", matrixLines + "drive = \"high\"\n", onPins, []string{"out bench " + rowNames + " float", "in bench " + colNames + " down"}, false},
		{"matrix, Hall sensors fed by rows", "gpio-matrix", matrixLines + "drive = \"high\"\nactive_low = true\n", onPins, []string{"out bench " + rowNames + " float", "in bench " + colNames + " low up"}, false},
		{"matrix, swapped", "gpio-matrix", matrixLines + "swap = true\nrelease_us = 10\n", onPins, []string{"out bench " + colNames + " low float", "in bench " + rowNames + " low up"}, true},
		{"expanders", "mcp23017", "", func(r *rig) {
			r.reeds(16, func(i int, w chiptest.World) { r.i2c.Attach(uint16(0x20+i), chiptest.NewMCP23017(w)) })
		}, []string{"/dev/i2c-1"}, false},
		{"expanders, in another order, with an interrupt", "mcp23017", "addresses = [0x27, 0x21, 0x25, 0x22]\nint = 4\nbus = \"/dev/i2c-3\"\n", func(r *rig) {
			r.reeds(16, func(i int, w chiptest.World) {
				r.i2c.Attach([]uint16{0x27, 0x21, 0x25, 0x22}[i], chiptest.NewMCP23017(w))
			})
		}, []string{"/dev/i2c-3", "alert auto GPIO4 low up"}, false},
		{"expanders, one port", "mcp23017", "ports = \"A\"\n", func(r *rig) {
			r.reeds(8, func(i int, w chiptest.World) { r.i2c.Attach(uint16(0x20+i), chiptest.NewMCP23017(w)) })
		}, []string{"/dev/i2c-1"}, false},
		{"expanders behind a switch", "mcp23017", "addresses = [0x20, 0x20, 0x20, 0x20]\nmux_address = 0x72\nmux_channels = [7, 1, 0, 2]\n", func(r *rig) {
			sw := &chiptest.TCA9548A{}
			r.i2c.Attach(0x72, sw)
			r.reeds(16, func(i int, w chiptest.World) { sw.Attach([]int{7, 1, 0, 2}[i], 0x20, chiptest.NewMCP23017(w)) })
		}, []string{"/dev/i2c-1"}, false},
		{"expanders, Hall sensors", "mcp23017", "active_low = false\npull = \"off\"\n", func(r *rig) {
			for i := range 4 {
				r.i2c.Attach(uint16(0x20+i), chiptest.NewMCP23017(chiptest.Halls{Magnets: &r.magnets, First: 16 * i}))
			}
		}, []string{"/dev/i2c-1"}, false},
		{"expander with a matrix", "mcp23017", "matrix = true\n", func(r *rig) {
			r.i2c.Attach(0x20, chiptest.NewMCP23017(chiptest.MatrixOnChip{Matrix: &r.matrix}))
		}, []string{"/dev/i2c-1"}, false},
		{"expanders on SPI", "mcp23s17", "speed_hz = 20000000\n", func(r *rig) {
			r.reeds(16, func(i int, w chiptest.World) { r.spi.Attach(chiptest.NewMCP23S17(0, byte(i), w)) })
		}, []string{"/dev/spidev0.0 10000000 Hz mode 0"}, false},
		{"PCA9555", "pca9555", "", func(r *rig) {
			r.reeds(16, func(i int, w chiptest.World) { r.i2c.Attach(uint16(0x20+i), chiptest.NewPCA9555(w, true)) })
		}, []string{"/dev/i2c-1"}, false},
		{"PCF8574", "pcf8574", "", func(r *rig) {
			r.reeds(8, func(i int, w chiptest.World) { r.i2c.Attach(uint16(0x20+i), chiptest.NewPCF8574(w, false)) })
		}, []string{"/dev/i2c-1"}, false},
		{"PCF8575", "pcf8574", "wide = true\n", func(r *rig) {
			r.reeds(16, func(i int, w chiptest.World) { r.i2c.Attach(uint16(0x20+i), chiptest.NewPCF8574(w, true)) })
		}, []string{"/dev/i2c-1"}, false},
		{"chain", "hc165", "load = 25\nread_back = true\n", func(r *rig) {
			chips := &chiptest.HC165{Magnets: &r.magnets, LoadCS: -1, Loop: true}
			r.spi.Attach(chips)
			r.drive = func(_ string, active uint64) { _ = chips.Load(active) }
		}, []string{"/dev/spidev0.0 1000000 Hz mode 2", "out auto GPIO25 low"}, false},
		{"chain without a line", "hc165", "load_bus = \"/dev/spidev0.1\"\nspeed_hz = 500000\n", func(r *rig) {
			r.spi.Attach(&chiptest.HC165{Magnets: &r.magnets, LoadCS: 1})
		}, []string{"/dev/spidev0.0 500000 Hz mode 2", "/dev/spidev0.1 500000 Hz mode 2"}, false},
		{"register and columns", "hc595-gpio", "cols = [17, 18, 22, 23, 24, 25, 26, 27]\n", func(r *rig) {
			r.spi.Attach(&chiptest.HC595{Outputs: func(rows byte) { r.matrix.Rows(^rows, chiptest.High) }})
			r.sense = func() uint64 { return uint64(r.matrix.Columns()) }
		}, []string{"/dev/spidev0.0 1000000 Hz mode 0", "in auto GPIO17 GPIO18 GPIO22 GPIO23 GPIO24 GPIO25 GPIO26 GPIO27 low up"}, false},
		{"register that feeds rows", "hc595-gpio", "cols = [17, 18, 22, 23, 24, 25, 26, 27]\ndrive = \"high\"\npull = \"off\"\n", func(r *rig) {
			r.spi.Attach(&chiptest.HC595{Outputs: func(rows byte) { r.matrix.Rows(rows, chiptest.Float) }})
			r.sense = func() uint64 { return uint64(r.matrix.Columns()) }
		}, []string{"/dev/spidev0.0 1000000 Hz mode 0", "in auto GPIO17 GPIO18 GPIO22 GPIO23 GPIO24 GPIO25 GPIO26 GPIO27 low off"}, false},
		{"four switches", "mux-gpio", "select = [6, 13, 19, 26]\ninputs = [16, 12, 21, 20]\n", behindMux(4),
			[]string{"out auto GPIO6 GPIO13 GPIO19 GPIO26", "in auto GPIO16 GPIO12 GPIO21 GPIO20 low up"}, false},
		{"eight switches", "mux-gpio", "select = [6, 13, 19]\ninputs = [16, 12, 21, 20, 22, 23, 24, 25]\nactive_low = false\n", behindMux(8),
			[]string{"out auto GPIO6 GPIO13 GPIO19", "in auto GPIO16 GPIO12 GPIO21 GPIO20 GPIO22 GPIO23 GPIO24 GPIO25 down"}, false},
		{"MCP3008", "mux-adc", "select = [5, 6, 12]\nspeed_hz = 9000000\n", func(r *rig) {
			r.drive = func(_ string, active uint64) { _ = r.mux.SetAddress(active) }
			r.spi.Attach(&chiptest.MCP3008{Reference: 3_300_000, Input: func(n int) int32 { return r.field.At(8*n + r.mux.Channel()) }})
		}, []string{"/dev/spidev0.0 1350000 Hz mode 0", "out auto GPIO5 GPIO6 GPIO12"}, false},
		{"two ADS1115", "mux-adc", "adc = \"ads1115\"\naddresses = [0x49, 0x4A]\nselect = [5, 6, 12]\n", func(r *rig) {
			r.drive = func(_ string, active uint64) { _ = r.mux.SetAddress(active) }
			for i, a := range []uint16{0x49, 0x4A} {
				r.i2c.Attach(a, chiptest.NewADS1115(&r.clock, func(n int) int32 { return r.field.At(8*(4*i+n) + r.mux.Channel()) }))
			}
		}, []string{"/dev/i2c-1", "out auto GPIO5 GPIO6 GPIO12"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cfg := parsed(t, fmt.Sprintf("[[board]]\ndriver = %q\n[board.sensor]\n%s[board.map]\ngenerator = \"rows\"\n", c.driver, c.keys))
			b := &cfg.Boards[0]
			opt, err := scanOptions(b, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			r := &rig{}
			c.build(r)
			r.magnets.Set(pattern)
			for wire := range scan.Wires {
				r.field.Set(wire, 1_650_000+300_000*int32(pattern>>wire&1))
			}
			sensor, err := r.sockets().sensor(b)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(r.opened, c.opened) {
				t.Errorf("opened %q, want %q", r.opened, c.opened)
			}
			var reading scan.Reading
			if err := errors.Join(sensor.Setup(), sensor.Read(&reading), sensor.Check()); err != nil {
				t.Fatal(err)
			}
			want := pattern
			if c.turned {
				want = 0
				for wire := range scan.Wires {
					want |= pattern >> wire & 1 << (wire%8*8 + wire/8)
				}
			}
			if sensor.Traits().Analog {
				for wire, level := range reading.Levels {
					if on := level > opt.Zero+opt.Threshold; on != (want>>wire&1 == 1) {
						t.Errorf("wire %d at %d µV", wire, level)
					}
				}
			} else if reading.Bits != want {
				t.Errorf("reads %016x, want %016x", reading.Bits, want)
			}
			if err := sensor.Close(); err != nil || r.open != 0 {
				t.Errorf("%d stay open, %v", r.open, err)
			}
			for n := 1; n <= len(c.opened); n++ {
				r := &rig{fail: n}
				c.build(r)
				if s, err := r.sockets().sensor(b); !errors.Is(err, errRig) || s != nil || r.open != 0 || len(r.opened) != n {
					t.Errorf("opening %d fails: %v, %d stay open after %q", n, err, r.open, r.opened)
				}
			}
		})
	}
}

func TestScanOptionsAreThoseConfigured(t *testing.T) {
	t.Parallel()
	cfg := parsed(t, "[[board]]\ndriver = \"mux-adc\"\n[board.sensor]\nselect = [5, 6, 12]\nscan_hz = 40\nvref_mv = 5000\nthreshold_mv = 200\nactive_low = true\n")
	b := &cfg.Boards[0]
	data := t.TempDir()
	l := scan.Layout{Generator: "snake"}
	m, err := l.Map()
	if err != nil {
		t.Fatal(err)
	}
	c := scan.Calibration{Wiring: b.Wiring(), Map: m, Inverted: 1, Levels: make([]int32, scan.Wires)}
	c.Levels[3] = 2_400_000
	if err := c.Write(scan.CalibrationPath(data, b.ID)); err != nil {
		t.Fatal(err)
	}
	o, err := scanOptions(b, data)
	if err != nil {
		t.Fatal(err)
	}
	if o.PeriodMs != 25 || o.Zero != 2_500_000 || o.Threshold != 200_000 || o.Release != 180_000 || !o.Color || o.Map != m || o.Inverted != ^uint64(1) || o.Levels[3] != 2_400_000 {
		t.Errorf("%+v", o)
	}
	rows := cfg.Boards[0]
	rows.Map.Generator = "rows" // what calibration has found out about the wires holds for another map too
	if o, err := scanOptions(&rows, data); err != nil || o.Map == m || o.Inverted != ^uint64(1) || o.Levels[3] != 2_400_000 {
		t.Errorf("%+v %v", o, err)
	}
	opening, err := configured(&cfg, b, 1)
	if err != nil || opening.ScanMs == nil || *opening.ScanMs != 25 {
		t.Errorf("%+v %v", opening, err)
	}
	if opt, err := tableOptions(&opening); err != nil || opt.SettleMs != 40 || opt.Resolution != 0 {
		t.Errorf("%+v %v", opt, err)
	}
	b.Sensor.ScanHz = 10
	if opening, err = configured(&cfg, b, 1); err != nil {
		t.Fatal(err)
	}
	if opt, err := tableOptions(&opening); err != nil || opt.Resolution != 100 {
		t.Errorf("a board read ten times a second tells times apart: %+v %v", opt, err)
	}
}

// TestLinesInUseAreNamed has GP-03: what a board uses is said at the start, and nothing else is touched.
func TestLinesInUseAreNamed(t *testing.T) {
	t.Parallel()
	cfg := parsed(t, "[[board]]\ndriver = \"hc595-gpio\"\nsensor.cols = [17, 18, 22, 23, 24, 25, 26, 27]\nbuttons.lights = 4\n"+
		"[[board]]\nid = \"b\"\ndriver = \"mcp23017\"\nsensor.int = 5\n[[board]]\nid = \"c\"\ndriver = \"virtual\"\n")
	for i, want := range []string{
		"/dev/spidev0.0 GPIO17 GPIO18 GPIO22 GPIO23 GPIO24 GPIO25 GPIO26 GPIO27 GPIO4", "/dev/i2c-1 0x20 0x21 0x22 0x23 GPIO5", "",
	} {
		if got := wiredTo(&cfg.Boards[i]); got != want {
			t.Errorf("%s: %q, want %q", cfg.Boards[i].ID, got, want)
		}
	}
}

// TestWhoSaysThatThereAreDiodes: the configuration, or a calibration of this wiring, which refuses a matrix that shows ghosts.
func TestWhoSaysThatThereAreDiodes(t *testing.T) {
	t.Parallel()
	cfg := parsed(t, "[[board]]\ndriver = \"gpio-matrix\"\n[board.sensor]\nrows = [5, 6, 12, 13, 16, 19, 20, 21]\ncols = [17, 18, 22, 23, 24, 25, 26, 27]\n[board.map]\ngenerator = \"rows\"\n")
	b, data := &cfg.Boards[0], t.TempDir()
	says := func(what string, want bool) {
		t.Helper()
		if o, err := scanOptions(b, data); err != nil || o.Diodes != want {
			t.Errorf("%s: %v, %v", what, o.Diodes, err)
		}
	}
	says("nobody", false)
	b.Sensor.Diodes = true
	says("the configuration", true)
	b.Sensor.Diodes = false
	m, err := wireMap(b)
	if err != nil {
		t.Fatal(err)
	}
	c := scan.Calibration{Wiring: "another", Map: m}
	for _, wiring := range []string{"another", b.Wiring()} {
		c.Wiring = wiring
		if err := c.Write(scan.CalibrationPath(data, b.ID)); err != nil {
			t.Fatal(err)
		}
		says("a calibration of "+wiring, wiring == b.Wiring())
	}
}
