package muxadc

import (
	"errors"
	"fmt"
	"io"

	"periph.io/x/conn/v3/spi"
)

// How the port of an MCP3008 must be opened: the clock in Hz that the converter keeps up with at 3.3 V, and the mode.
const (
	MCP3008MaxHz = 1_350_000
	MCP3008Mode  = 0
)

// batch is how many samples go with one system call: periph takes four without asking for memory.
const batch = 4

// MCP3008 is a converter with eight inputs of 10 bits. Data sheet: Microchip DS21295.
type MCP3008 struct {
	conn      spi.Conn
	reference int32
	packets   [batch]spi.Packet
	w, r      [batch * 3]byte
}

// NewMCP3008 is a converter on an SPI port, whose reference (VREF) is at so many microvolts. It takes the port over.
func NewMCP3008(conn spi.Conn, reference int32) (*MCP3008, error) {
	switch {
	case conn == nil:
		return nil, errors.New("MCP3008: there is no SPI port")
	case reference < 250_000 || reference > 5_500_000:
		return nil, fmt.Errorf("MCP3008: a reference of %d µV: wants 250000 to 5500000", reference)
	}
	m := &MCP3008{conn: conn, reference: reference}
	for i := range m.packets {
		m.packets[i].W, m.packets[i].R = m.w[3*i:3*i+3], m.r[3*i:3*i+3]
	}
	return m, nil
}

// Inputs implements Converter.
func (m *MCP3008) Inputs() int { return 8 }

// Setup implements Converter. There are no settings.
func (m *MCP3008) Setup() error { return m.Check() }

// Check implements Converter: it measures one input.
func (m *MCP3008) Check() error { return m.sample(0, 1) }

// Measure implements Converter.
func (m *MCP3008) Measure(microvolts []int32) error {
	if len(microvolts) > m.Inputs() {
		return fmt.Errorf("MCP3008: has no %d inputs", len(microvolts))
	}
	for first := 0; first < len(microvolts); first += batch {
		n := min(batch, len(microvolts)-first)
		if err := m.sample(first, n); err != nil {
			return err
		}
		for i := range n {
			value, _ := DecodeMCP3008([3]byte(m.r[3*i : 3*i+3]))
			microvolts[first+i] = Microvolts(value, m.reference)
		}
	}
	return nil
}

// sample measures n inputs; the select line rises between them.
func (m *MCP3008) sample(first, n int) error {
	for i := range n {
		// A start bit, and four bits: against ground, and the number of the input.
		m.w[3*i], m.w[3*i+1], m.w[3*i+2] = 1, byte(8|first+i)<<4, 0
	}
	if err := m.conn.TxPackets(m.packets[:n]); err != nil {
		return fmt.Errorf("MCP3008: %w", err)
	}
	for i := range n {
		if _, ok := DecodeMCP3008([3]byte(m.r[3*i : 3*i+3])); !ok {
			return fmt.Errorf("MCP3008 does not answer (input %d: %x): check its supply and MISO", first+i, m.r[3*i:3*i+3])
		}
	}
	return nil
}

// Close implements Converter.
func (m *MCP3008) Close() error {
	if c, ok := m.conn.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// DecodeMCP3008 is the value, 0 to 1023, in the three bytes of a sample. The bit before it is always 0 when the converter
// answers; those before that are nobody's.
func DecodeMCP3008(in [3]byte) (value int, ok bool) {
	return int(in[1]&3)<<8 | int(in[2]), in[1]&4 == 0
}

// Microvolts is what a value of an MCP3008 stands for, rounded, when the reference is at so many microvolts.
func Microvolts(value int, reference int32) int32 {
	return int32((int64(value)*int64(reference) + 512) / 1024)
}
