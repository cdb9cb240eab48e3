package main

import "fmt"

// line is a GPIO line and its pin of the Pi's header.
type line struct{ gpio, pin int }

var (
	rowLines    = []line{{5, 29}, {6, 31}, {12, 32}, {13, 33}, {16, 36}, {19, 35}, {20, 38}, {21, 40}}
	columnLines = []line{{17, 11}, {18, 12}, {22, 15}, {23, 16}, {24, 18}, {25, 22}, {26, 37}, {27, 13}}
)

// gpioMatrix is a reed contact and a diode at each square, read by GPIO lines.
func gpioMatrix() *sheet {
	const left, top, cell = 190, 120, 64
	s := newSheet(left+8*cell+40, top+8*cell+82)
	s.title("A matrix of reed contacts on GPIO lines")
	s.text(16, 46, "start", "Each square: a contact and a diode 1N4148 in line, its ring to the row. No resistors.")
	s.add(`<defs><g id="square" fill="none" stroke="%s" stroke-width="1.4">`, plain)
	s.add(`<circle cx="0" cy="0" r="2.5" fill="%s"/><path d="M0 0H12M12 0L26 -8M28 0H34V10M29 10H39L34 20ZM29 20H39M34 20V36"/>`, plain)
	s.add(`<circle cx="34" cy="36" r="2.5" fill="%s"/></g></defs>`, plain)
	for i := range 8 {
		x := left + i*cell
		s.wire(data, x, top-34, x, top+8*cell-24)
		c := columnLines[i]
		s.text(x, top-54, "middle", fmt.Sprintf("GPIO%d", c.gpio))
		s.note(x, top-40, "middle", fmt.Sprintf("pin %d", c.pin))
		s.text(x+22, top+8*cell+22, "middle", string(rune('a'+i)))

		y := top + (7-i)*cell + 36 // row 0 is the first rank
		s.wire(control, left-60, y, left+8*cell-18, y)
		r := rowLines[i]
		s.text(left-68, y, "end", fmt.Sprintf("GPIO%d", r.gpio))
		s.note(left-68, y+13, "end", fmt.Sprintf("pin %d, row %d", r.pin, i))
		s.text(26, y+5, "middle", fmt.Sprint(i+1))
	}
	for row := range 8 {
		for col := range 8 {
			s.add(`<use href="#square" x="%d" y="%d"/>`, left+col*cell, top+row*cell)
		}
	}
	s.note(16, top+8*cell+50, "start", "Blue: columns, read, pulled up by the Pi. Green: rows, driven low one at a time.")
	s.note(16, top+8*cell+66, "start", "Which line is which square, boardd calibrate finds out.")
	return s
}

// mcp23017 is four expanders on one bus, a line a square.
func mcp23017() *sheet {
	const chips, x, y0, step = 4, 320, 90, 156
	s := newSheet(820, y0+chips*step+40)
	s.title("Four MCP23017 on the I²C bus, a line a square")
	s.text(16, 46, "start", "No diodes and no resistors for the squares: each chip has pull-ups of its own.")
	s.box(16, y0, 130, 190, "#e8f5e9", "Raspberry Pi")
	pins := []struct {
		name, color string
		pin, at     int
	}{{"3.3 V", supply, 1, 190}, {"SDA", data, 3, 210}, {"SCL", clock, 5, 230}, {"ground", ground, 6, 250}, {"GPIO4 (int)", control, 7, 270}}
	end := y0 + (chips-1)*step
	for i, p := range pins {
		y := y0 + 44 + 32*i
		s.text(136, y+4, "end", fmt.Sprintf("%s  pin %d", p.name, p.pin))
		s.wire(p.color, 146, y, p.at, y)
		s.wire(p.color, p.at, min(y, y0+30), p.at, end+30+18*i)
	}
	for c := range chips {
		y := y0 + c*step
		s.box(x, y, 200, 128, "#e3f2fd", fmt.Sprintf("MCP23017  0x%02X", 0x20+c))
		for i, p := range []struct{ name, color string }{{"VDD 9, RESET 18", supply}, {"SDA 13", data}, {"SCL 12", clock}, {"VSS 10", ground}, {"INTA 20", control}} {
			at := y + 30 + 18*i
			s.wire(p.color, pins[i].at, at, x, at)
			s.dot(pins[i].at, at, p.color)
			s.note(x+6, at+4, "start", p.name)
		}
		straps := [3]string{"ground", "ground", "ground"}
		for bit := range straps {
			if c>>bit&1 == 1 {
				straps[bit] = "3.3 V"
			}
		}
		s.note(x+100, y+122, "middle", fmt.Sprintf("A0 %s, A1 %s, A2 %s", straps[0], straps[1], straps[2]))
		for i, name := range []string{"GPA0", "GPA7", "GPB0", "GPB7"} {
			at := y + 34 + 20*i
			s.note(x+194, at+4, "end", name)
			across := 570 + 50*i
			s.wire(plain, x+200, at, across, at)
			s.wire(plain, across, at, across, y+102)
			s.reed(across, y+102)
			s.toGround(across, y+132)
		}
		s.note(760, y+120, "end", "…")
		s.note(570, y+22, "start", fmt.Sprintf("wires %d to %d: 16 contacts to ground", 16*c, 16*c+15))
	}
	s.lying(280, y0+chips*step+4, "")
	s.wire(control, 270, end+102, 270, y0+chips*step+4, 280, y0+chips*step+4)
	s.wire(supply, 324, y0+chips*step+4, 340, y0+chips*step+4)
	s.note(346, y0+chips*step+8, "start", "10 kΩ to 3.3 V. INTA saves bus traffic (int = 4) and may be left out.")
	s.note(16, y0+chips*step+30, "start", "A capacitor of 100 nF between VDD and VSS at each chip. Modules have it, and the resistors of the bus, on board.")
	return s
}

// hc165 is a chain of shift registers on SPI.
func hc165() *sheet {
	const y, w = 150, 150
	s := newSheet(980, 610)
	s.title("Eight 74HC165 in a chain on the SPI bus")
	s.text(16, 46, "start", "Each input has a contact to ground and 10 kΩ to 3.3 V. A square costs one resistor, no diode.")
	s.box(16, y, 130, 210, "#e8f5e9", "Raspberry Pi")
	for i, p := range []struct {
		name, color string
	}{{"MISO  pin 21", data}, {"SCLK  pin 23", clock}, {"GPIO25  pin 22", control}, {"MOSI  pin 19", data}} {
		s.text(136, y+50+40*i, "end", p.name)
		s.wire(p.color, 146, y+46+40*i, 170, y+46+40*i)
	}
	clk, load := y+86, y+126
	s.lying(170, clk, "100 Ω")
	s.wire(clock, 214, clk, 214, y+250, 800, y+250)
	s.wire(control, 170, load, 196, load, 196, y+274, 780, y+274)
	s.wire(data, 170, y+166, 178, y+166, 178, y+298, 850, y+298)
	at := []int{240, 450, 690}
	for i, name := range []string{"74HC165, first", "second", "eighth"} {
		x := at[i]
		s.box(x, y, w, 210, "#fff3e0", name)
		s.note(x+6, y+50, "start", "Q7 9")
		s.note(x+w-6, y+50, "end", "DS 10")
		s.note(x+30, y+204, "middle", "CP 2")
		s.note(x+80, y+204, "middle", "PL 1")
		s.wire(clock, x+30, y+210, x+30, y+250)
		s.dot(x+30, y+250, clock)
		s.wire(control, x+80, y+210, x+80, y+274)
		s.dot(x+80, y+274, control)
		s.note(x+w/2, y+100, "middle", "VCC 16 to 3.3 V")
		s.note(x+w/2, y+118, "middle", "GND 8, CE 15 to ground")
		s.note(x+w/2, y+136, "middle", "100 nF between 16 and 8")
		for j, d := range []string{"D0 11", "D1 12"} { // two inputs of eight
			in := x + 40 + 60*j
			s.note(in, y+16+54, "middle", d)
			s.wire(plain, in, y, in, y-18)
		}
	}
	s.wire(data, 170, y+46, 240, y+46)
	s.wire(data, at[0]+w, y+46, at[1], y+46)
	s.wire(data, at[1]+w, y+46, at[1]+w+20, y+46)
	s.text(at[1]+w+45, y+50, "middle", "…")
	s.wire(data, at[2]-20, y+46, at[2], y+46)
	s.lying(at[2]+w, y+46, "1 kΩ")
	s.wire(data, at[2]+w+44, y+46, at[2]+w+44, y+298, 850, y+298)
	for i := range at {
		for j := range 2 {
			s.note(at[i]+40+60*j, y-22, "middle", "▲")
		}
	}
	// One input in full.
	x, top := 300, 520
	s.text(16, top-8, "start", "At each of D0 to D7 (▲), 64 times:")
	s.wire(plain, x, top+20, x+110, top+20)
	s.toSupply(x+30, top-24, "3.3 V")
	s.upright(x+30, top-24, "10 kΩ")
	s.wire(plain, x+30, top+16, x+30, top+20)
	s.dot(x+30, top+20, plain)
	s.text(x-6, top+24, "end", "D")
	s.wire(plain, x+110, top+20, x+110, top+26)
	s.reed(x+110, top+26)
	s.toGround(x+110, top+56)
	s.note(x+126, top+46, "start", "reed contact or Hall sensor")
	s.note(600, top+4, "start", "Blue from pin 19, through 1 kΩ: read_back = true.")
	s.note(600, top+20, "start", "Each scan then shows that all chips have passed on what went in.")
	s.note(600, top+36, "start", "Without it: DS of the eighth to ground.")
	return s
}

// ws2812 is a chain of LEDs with a supply of its own.
func ws2812() *sheet {
	s := newSheet(860, 420)
	s.title("64 LEDs WS2812B with a supply of their own")
	s.text(16, 46, "start", "The LEDs want 5 V at their data input, the Pi gives 3.3: a 74AHCT125 between them.")
	s.box(16, 150, 130, 120, "#e8f5e9", "Raspberry Pi")
	s.text(136, 204, "end", "MOSI  pin 19")
	s.text(136, 244, "end", "ground  pin 6")
	s.box(230, 130, 160, 160, "#ede7f6", "74AHCT125")
	s.note(238, 204, "start", "1A 2")
	s.note(382, 204, "end", "1Y 3")
	s.note(238, 170, "start", "VCC 14")
	s.note(238, 236, "start", "1OE 1")
	s.note(238, 256, "start", "GND 7")
	s.wire(data, 146, 200, 230, 200)
	s.wire(data, 390, 200, 410, 200)
	s.lying(410, 200, "470 Ω")
	s.wire(data, 454, 200, 520, 200)
	s.box(520, 150, 310, 100, "#fffde7", "LED 0        LED 1        …        LED 63")
	s.note(528, 204, "start", "DIN")
	s.note(528, 172, "start", "5 V")
	s.note(528, 236, "start", "GND")
	for i := range 8 {
		s.add(`<circle cx="%d" cy="212" r="9" fill="#fff" stroke="%s"/>`, 580+32*i, plain)
	}
	// Supply above, ground below.
	s.box(16, 320, 190, 70, "#fce4ec", "Supply 5 V, 4 A")
	s.note(30, 370, "start", "or less, with max_ma as it is")
	rail, low := 90, 345
	s.wire(supply, 206, 336, 216, 336, 216, rail, 845, rail)
	s.add(`<rect x="%d" y="%d" width="34" height="12" fill="#fff" stroke="%s"/>`, 300, rail-6, supply)
	s.note(317, rail-12, "middle", "fuse 4 A")
	s.wire(supply, 224, rail, 224, 166, 230, 166)
	s.dot(224, rail, supply)
	s.wire(supply, 505, rail, 505, 168, 520, 168)
	s.dot(505, rail, supply)
	s.wire(supply, 845, rail, 845, 168, 830, 168)
	s.note(836, rail-8, "end", "5 V at both ends of the chain")
	s.wire(ground, 206, 370, 226, 370, 226, low, 845, low)
	s.wire(ground, 146, 240, 190, 240, 190, 300, 440, 300, 440, low)
	s.dot(440, low, ground)
	s.wire(ground, 230, 232, 214, 232, 214, 300)
	s.wire(ground, 230, 252, 222, 252, 222, 300)
	s.dot(214, 300, ground)
	s.dot(222, 300, ground)
	s.wire(ground, 520, 232, 505, 232, 505, low)
	s.dot(505, low, ground)
	s.wire(ground, 830, 232, 845, 232, 845, low)
	s.capacitor(480, 240, "")
	s.note(462, 272, "end", "1000 µF")
	s.wire(supply, 480, 240, 480, rail)
	s.dot(480, rail, supply)
	s.wire(ground, 480, 266, 480, low)
	s.dot(480, low, ground)
	s.note(240, 380, "start", "The Pi has a supply of its own; only the grounds are joined.")
	s.note(240, 398, "start", "The other gates: inputs 5, 9 and 12 to ground, their enables 4, 10 and 13 to 5 V.")
	return s
}
