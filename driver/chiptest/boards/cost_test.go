package boards_test

import (
	"testing"
	"time"

	"github.com/boardd/boardd/driver/chiptest"
	"github.com/boardd/boardd/driver/chiptest/boards"
	"github.com/boardd/boardd/driver/scan"
)

// BenchmarkScan is the processor time of one scan with each driver, the simulated chips included, the kernel and its buses not: no
// more than this is boardd's own part of it.
func BenchmarkScan(b *testing.B) {
	all, err := boards.All()
	if err != nil {
		b.Fatal(err)
	}
	for _, x := range all {
		b.Run(x.Name, func(b *testing.B) {
			if err := x.Sensor.Setup(); err != nil {
				b.Fatal(err)
			}
			var r scan.Reading
			b.ReportAllocs()
			for b.Loop() {
				if err := x.Sensor.Read(&r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestCosts keeps the table of docs/performance.md: what one scan asks of the system when nothing has changed.
func TestCosts(t *testing.T) {
	t.Parallel()
	c := func(transactions, bytes int) chiptest.Counts {
		return chiptest.Counts{Transactions: transactions, Bytes: bytes}
	}
	want := map[string]struct {
		cost    boards.Cost
		longest time.Duration
	}{
		"gpio-matrix":               {boards.Cost{Lines: 17}, 320 * time.Microsecond},
		"mcp23017":                  {boards.Cost{I2C: c(4, 20)}, 1800 * time.Microsecond},
		"mcp23017, port A of eight": {boards.Cost{I2C: c(8, 32)}, 2880 * time.Microsecond},
		"mcp23017 behind a switch":  {boards.Cost{I2C: c(8, 28)}, 2520 * time.Microsecond},
		"mcp23017, a matrix":        {boards.Cost{I2C: c(16, 56)}, 5200 * time.Microsecond},
		"mcp23s17":                  {boards.Cost{SPI: c(4, 48)}, 39 * time.Microsecond},
		"pca9555":                   {boards.Cost{I2C: c(4, 20)}, 1800 * time.Microsecond},
		"pcf8574":                   {boards.Cost{I2C: c(8, 16)}, 1440 * time.Microsecond},
		"pcf8575":                   {boards.Cost{I2C: c(4, 12)}, 1080 * time.Microsecond},
		"hc165":                     {boards.Cost{SPI: c(1, 10), Lines: 2}, 80 * time.Microsecond},
		"hc165, no pin":             {boards.Cost{SPI: c(2, 11)}, 88 * time.Microsecond},
		"hc595-gpio, contacts":      {boards.Cost{SPI: c(9, 9), Lines: 8}, 175 * time.Microsecond},
		"hc595-gpio, Hall sensors":  {boards.Cost{SPI: c(9, 9), Lines: 8}, 175 * time.Microsecond},
		"mux-gpio, 74HC4067":        {boards.Cost{Lines: 32}, 320 * time.Microsecond},
		"mux-gpio, 74HC4051":        {boards.Cost{Lines: 16}, 160 * time.Microsecond},
		"mux-adc, MCP3008":          {boards.Cost{SPI: c(16, 192), Lines: 8}, 1300 * time.Microsecond},
		"mux-adc, two ADS1115":      {boards.Cost{I2C: c(192, 896), Lines: 8}, 125 * time.Millisecond},
	}
	all, err := boards.All()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != len(want) {
		t.Errorf("%d boards, %d costs", len(all), len(want))
	}
	for _, b := range all {
		var r scan.Reading
		chiptest.Setup(t, b.Sensor)
		for range 2 { // the first reading is taken twice by some
			b.Cost()
			if err := b.Sensor.Read(&r); err != nil {
				t.Fatalf("%s: %v", b.Name, err)
			}
		}
		got := b.Cost()
		took := got.Time
		got.Time = 0
		if w := want[b.Name]; got != w.cost || took > w.longest || took < w.longest*9/10 {
			t.Errorf("%s: a scan costs %+v and %v, want %+v and %v", b.Name, got, took, w.cost, w.longest)
		}
	}
}
