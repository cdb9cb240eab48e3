package mqtt

import (
	"bytes"
	"testing"

	"github.com/eclipse/paho.mqtt.golang/packets"
)

func TestGauge(t *testing.T) {
	t.Parallel()
	packet := func(n int) []byte {
		p := packets.NewControlPacket(packets.Publish).(*packets.PublishPacket)
		p.TopicName, p.Payload = "t", make([]byte, n-3)
		var b bytes.Buffer
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	tests := []struct {
		name   string
		stream []byte
		ok     bool
	}{
		{"nothing", nil, true},
		{"pings", []byte{0xd0, 0, 0xd0, 0, 0xd0, 0}, true},
		{"127 bytes and a ping", append(packet(127), 0xd0, 0), true},
		{"128 bytes and a ping", append(packet(128), 0xd0, 0), true},
		{"the longest and a ping", append(packet(maxInbound), 0xd0, 0), true},
		{"one byte more", packet(maxInbound + 1), false},
		{"256 MB announced", []byte{0x30, 0xff, 0xff, 0xff, 0x7f}, false},
		{"a length without end", []byte{0x30, 0x80, 0x80, 0x80, 0x80}, false},
		{"a length written long", []byte{0xd0, 0x80, 0x80, 0x00, 0xd0, 0}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, step := range []int{1, 3, len(test.stream) + 1} {
				var g gauge
				ok := true
				for i := 0; i < len(test.stream) && ok; i += step {
					ok = g.pass(test.stream[i:min(i+step, len(test.stream))])
				}
				if ok != test.ok {
					t.Errorf("in pieces of %d: %v, want %v", step, ok, test.ok)
				}
			}
		})
	}
}

// FuzzGauge: what passes can be read by paho with no allocation beyond the bound; the pieces do not matter.
func FuzzGauge(f *testing.F) {
	f.Add([]byte{0xd0, 0, 0x30, 3, 0, 1, 't'}, 2)
	f.Add([]byte{0x30, 0xff, 0xff, 0xff, 0x7f}, 1)
	f.Fuzz(func(t *testing.T, stream []byte, step int) {
		step = max(step, 1)
		var whole, parts gauge
		ok, okParts := whole.pass(stream), true
		for i := 0; i < len(stream) && okParts; i += step {
			okParts = parts.pass(stream[i:min(i+step, len(stream))])
		}
		if ok != okParts {
			t.Fatalf("whole %v, in parts %v", ok, okParts)
		}
		if whole.rest < 0 || whole.rest > maxInbound {
			t.Fatalf("rest %d", whole.rest)
		}
	})
}
