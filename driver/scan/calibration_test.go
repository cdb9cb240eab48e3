package scan

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/rules"
)

func whole(t interface{ Fatal(...any) }) Calibration {
	l := Layout{Generator: "snake", Rotate: 90}
	m, err := l.Map()
	if err != nil {
		t.Fatal(err)
	}
	return Calibration{Wiring: "0123abcd", Map: m}
}

func TestCalibrationIsReadAsWritten(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		c := whole(t)
		c.Wiring = rapid.StringMatching(`[0-9a-f]{0,16}`).Draw(t, "wiring")
		c.Inverted = rapid.Uint64().Draw(t, "inverted")
		if rapid.Bool().Draw(t, "analog") {
			c.Levels = rapid.SliceOfN(rapid.Int32(), Wires, Wires).Draw(t, "levels")
		}
		for _, wire := range rapid.SliceOfDistinct(rapid.IntRange(0, 63), rapid.ID[int]).Draw(t, "dead") {
			c.Dead |= c.Map[wire].Bit()
			c.Map[wire] = rules.NoSquare
		}
		path := CalibrationPath(folder, "board")
		if err := c.Write(path); err != nil {
			t.Fatal(err)
		}
		got, err := ReadCalibration(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Levels) == 0 {
			got.Levels = nil
		}
		if !reflect.DeepEqual(got, c) {
			t.Fatalf("%+v, want %+v", got, c)
		}
	})
	files, err := os.ReadDir(filepath.Join(folder, "calibration"))
	if err != nil || len(files) != 1 || files[0].Name() != "board.toml" {
		t.Errorf("left behind: %v %v", files, err)
	}
}

func TestCalibrationThatCannotBe(t *testing.T) {
	t.Parallel()
	c := whole(t)
	text, err := c.Text()
	if err != nil {
		t.Fatal(err)
	}
	good := string(text)
	for name, test := range map[string]struct{ old, new, want string }{
		"a square twice":  {"'b1'", "'a1'", "no wire for b1; a1 is on the wires"},
		"no square":       {"'b1'", "'j9'", `"j9" is no square`},
		"a wire too many": {"'b1'", "'b1', 'b1'", "65 of them"},
		"unknown key":     {"wiring", "wirring", "strict"},
		"few levels":      {"levels = []", "levels = [1, 2]", "levels: 2 of them"},
		"wire 64":         {"inverted = []", "inverted = [64]", "wire 64"},
		"a dead wire":     {"dead = []", `dead = ["12"]`, `"12" is no square`},
		"not TOML":        {"wiring", "=", "toml"},
	} {
		broken := strings.Replace(good, test.old, test.new, 1)
		if broken == good {
			t.Fatalf("%s: nothing is broken in\n%s", name, good)
		}
		if _, err := ParseCalibration([]byte(broken)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
	}
	if _, err := ReadCalibration(CalibrationPath(t.TempDir(), "x")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a board without calibration: %v", err)
	}
	if _, err := ReadCalibration(t.TempDir()); err == nil {
		t.Error("a folder is read")
	}
}

func FuzzParseCalibration(f *testing.F) {
	c := whole(f)
	text, err := c.Text()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte("squares = []"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := ParseCalibration(text)
		if err != nil {
			return
		}
		if err := c.Map.Validate(c.Dead); err != nil {
			t.Errorf("taken: %v", err)
		}
	})
}
