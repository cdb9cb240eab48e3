package port_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boardd/boardd/driver/port"
)

func TestFind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		files []string
		hint  string
		want  string // "": an error that says says
		says  []string
	}{
		{"none", []string{"tty0", "ttyS0", "null"}, "dgt", "", []string{"plug the board in"}},
		{"one by id", []string{"serial/by-id/usb-FTDI_FT232R_A1-if00-port0", "ttyUSB0", "ttyUSB1"}, "dgt", "serial/by-id/usb-FTDI_FT232R_A1-if00-port0", nil},
		{"one named like it", []string{"serial/by-id/usb-Arduino", "serial/by-id/usb-Digital_Game_DGT_3000"}, "dgt", "serial/by-id/usb-Digital_Game_DGT_3000", nil},
		{"two and no sign", []string{"serial/by-id/usb-A", "serial/by-id/usb-B"}, "dgt", "", []string{"usb-A", "usb-B", "set port"}},
		{"two named like it", []string{"serial/by-id/usb-DGT-1", "serial/by-id/usb-DGT-2"}, "dgt", "", []string{"usb-DGT-1", "usb-DGT-2"}},
		{"without udev", []string{"ttyACM0", "ttyS0"}, "dgt", "ttyACM0", nil},
		{"Bluetooth", []string{"rfcomm0"}, "", "rfcomm0", nil},
		{"two without udev", []string{"ttyUSB0", "rfcomm0"}, "dgt", "", []string{"ttyUSB0", "rfcomm0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dev := t.TempDir()
			for _, f := range c.files {
				name := filepath.Join(dev, f)
				if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, nil, 0o600)); err != nil {
					t.Fatal(err)
				}
			}
			got, err := port.Find(dev, c.hint)
			if c.want != "" {
				if err != nil || got != filepath.Join(dev, c.want) {
					t.Errorf("found %q, %v", got, err)
				}
				return
			}
			if err == nil {
				t.Fatalf("found %q", got)
			}
			if len(c.files) == 3 && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%v is not ErrNotExist", err)
			}
			for _, s := range c.says {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("%q does not say %q", err, s)
				}
			}
		})
	}
}
