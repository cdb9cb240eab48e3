package bus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBusesThatCannotBeOpened(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	link := filepath.Join(folder, "chips")
	if err := os.Symlink("/dev/i2c-9999", link); err != nil {
		t.Fatal(err)
	}
	i2c := func(path string) error {
		b, err := OpenI2C(path)
		if err == nil {
			_ = b.Close()
		}
		return err
	}
	spi := func(path string, hz int64, mode int) error {
		s, err := OpenSPI(path, hz, mode)
		if err == nil {
			_ = s.Close()
		}
		return err
	}
	for _, test := range []struct {
		name string
		err  error
		want string
	}{
		{"no bus", i2c("/dev/i2c-9999"), `/dev/i2c-9999: there is no such device: put "dtparam=i2c_arm=on" into`},
		{"not a bus", i2c("/dev/null"), "/dev/null: is not a device such as /dev/i2c-1"},
		{"a file of that name elsewhere", i2c("/tmp/i2c-1"), "is not a device such as"},
		{"a link to nowhere", i2c(link), "is not a device such as"},
		{"a number only", i2c("1"), "is not a device such as"},
		{"no SPI", spi("/dev/spidev99.0", 1e6, 0), `put "dtparam=spi=on" into`},
		{"SPI without a chip", spi("/dev/spidev0", 1e6, 0), "is not a device such as /dev/spidev0.0"},
		{"too slow", spi("/dev/spidev99.0", 99, 0), "speed 99 Hz"},
		{"mode 4", spi("/dev/spidev99.0", 1e6, 4), "mode 4"},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.want) || strings.Contains(test.err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", test.name, test.err, test.want)
		}
	}
}
