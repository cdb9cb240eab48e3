package mqtt

import (
	"bytes"
	"slices"
	"testing"

	"github.com/eclipse/paho.mqtt.golang/packets"
)

// longOne is a PUBLISH whose rest has n bytes.
func longOne(t *testing.T, n int) []byte {
	p := packets.NewControlPacket(packets.Publish).(*packets.PublishPacket)
	p.TopicName, p.Payload = "t", bytes.Repeat([]byte{7}, n-3)
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestGauge(t *testing.T) {
	t.Parallel()
	ping := []byte{0xd0, 0}
	with := func(b []byte, more ...byte) []byte { return append(slices.Clone(b), more...) }
	tests := []struct {
		name         string
		stream, want []byte // want nil: refused
	}{
		{"nothing", nil, []byte{}},
		{"pings", []byte{0xd0, 0, 0xd0, 0, 0xd0, 0}, []byte{0xd0, 0, 0xd0, 0, 0xd0, 0}},
		{"127 bytes and a ping", with(longOne(t, 127), ping...), with(longOne(t, 127), ping...)},
		{"128 bytes and a ping", with(longOne(t, 128), ping...), with(longOne(t, 128), ping...)},
		{"the longest and a ping", with(longOne(t, maxInbound), ping...), with(longOne(t, maxInbound), ping...)},
		{"one byte more and a ping", with(longOne(t, maxInbound+1), ping...), with(longOne(t, maxInbound), ping...)},
		{"a long message between two short ones", slices.Concat(longOne(t, 9), longOne(t, 3<<20), longOne(t, 9), ping),
			slices.Concat(longOne(t, 9), longOne(t, maxInbound), longOne(t, 9), ping)},
		{"256 MB that are no message", []byte{0x90, 0xff, 0xff, 0xff, 0x7f}, nil},
		{"a length without end", []byte{0x30, 0x80, 0x80, 0x80, 0x80}, nil},
		{"a length written long", []byte{0xd0, 0x80, 0x80, 0x00, 0xd0, 0}, []byte{0xd0, 0x80, 0x80, 0x00, 0xd0, 0}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, step := range []int{1, 3, 4096, len(test.stream) + 1} {
				var g gauge
				got, ok := []byte{}, true
				for i := 0; i < len(test.stream) && ok; i += step {
					got, ok = g.pass(got, test.stream[i:min(i+step, len(test.stream))])
				}
				if ok != (test.want != nil) || ok && !bytes.Equal(got, test.want) {
					t.Errorf("in pieces of %d: %v, %d bytes, want %d", step, ok, len(got), len(test.want))
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
		out, ok := whole.pass(nil, stream)
		var outParts []byte
		okParts := true
		for i := 0; i < len(stream) && okParts; i += step {
			outParts, okParts = parts.pass(outParts, stream[i:min(i+step, len(stream))])
		}
		if ok != okParts || ok && !bytes.Equal(out, outParts) {
			t.Fatalf("whole %v %x, in parts %v %x", ok, out, okParts, outParts)
		}
		if whole.keep < 0 || whole.keep > maxInbound || whole.rest < whole.keep {
			t.Fatalf("rest %d, keep %d", whole.rest, whole.keep)
		}
		var again gauge // what has passed passes unchanged
		if same, ok2 := again.pass(nil, out); !ok2 || ok && !bytes.Equal(same, out) {
			t.Fatalf("%x becomes %x, %v", out, same, ok2)
		}
	})
}
