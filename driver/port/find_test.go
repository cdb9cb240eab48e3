package port_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/boardd/boardd/driver/port"
)

func TestCandidates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		files []string
		links map[string]string // below serial/by-id
		want  []string
	}{
		{"none", []string{"tty0", "ttyS0", "null"}, nil, nil},
		{"soldered in", []string{"ttyS0", "ttyAMA0", "serial0"}, nil, nil},
		{"without udev", []string{"ttyUSB10", "ttyUSB2", "ttyACM0", "rfcomm0"}, nil, []string{"ttyUSB2", "ttyUSB10", "ttyACM0", "rfcomm0"}},
		{"links", []string{"ttyUSB0", "ttyUSB1", "rfcomm0"}, map[string]string{"usb-b": "ttyUSB0", "usb-a": "ttyUSB1"},
			[]string{"serial/by-id/usb-a", "serial/by-id/usb-b", "rfcomm0"}},
		{"two links to one", []string{"ttyACM0"}, map[string]string{"usb-a": "ttyACM0", "usb-b": "ttyACM0"}, []string{"serial/by-id/usb-a"}},
		{"a link to nowhere", []string{"ttyUSB1"}, map[string]string{"usb-a": "ttyUSB0"}, []string{"ttyUSB1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dev := t.TempDir()
			for _, f := range c.files {
				if err := os.WriteFile(filepath.Join(dev, f), nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for link, to := range c.links {
				name := filepath.Join(dev, "serial/by-id", link)
				if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.Symlink("../../"+to, name)); err != nil {
					t.Fatal(err)
				}
			}
			var got []string
			for _, name := range port.Candidates(dev) {
				short, err := filepath.Rel(dev, name)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, short)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestDeviceAt(t *testing.T) {
	t.Parallel()
	_, path := terminal(t)
	_, other := terminal(t)
	link := filepath.Join(t.TempDir(), "usb-board")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	a, err1 := port.DeviceAt(path)
	b, err2 := port.DeviceAt(link)
	c, err3 := port.DeviceAt(other)
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	if !a.Same(b) || a != b || a.Same(c) {
		t.Errorf("%+v %+v %+v", a, b, c)
	}
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if _, err := port.DeviceAt(link); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a device that is not there: %v", err)
	}
}
