package config

import (
	"os"
	"path/filepath"
	"testing"
)

func TestPassword(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want, err string }{
		{"a line", "secret\n", "secret", ""},
		{"no end of line", "secret", "secret", ""},
		{"CR LF", "secret\r\n", "secret", ""},
		{"spaces belong to it", " s p \n", " s p ", ""},
		{"empty", "\n", "", "holds no password"},
		{"two lines", "a\nb\n", "", "wants one line with the password"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := MQTT{PasswordFile: filepath.Join(t.TempDir(), "password")}
			if err := os.WriteFile(m.PasswordFile, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := m.Password()
			message := ""
			if err != nil {
				message = err.Error()
			}
			if c.err != "" {
				c.err = "mqtt.password_file: " + m.PasswordFile + " " + c.err
			}
			if got != c.want || message != c.err {
				t.Errorf("%q and %q, want %q and %q", got, message, c.want, c.err)
			}
		})
	}
	m := MQTT{PasswordFile: filepath.Join(t.TempDir(), "none")}
	if _, err := m.Password(); err == nil || err.Error() != "mqtt.password_file: "+m.PasswordFile+" cannot be read: no such file or directory" {
		t.Errorf("a file that is not there: %v", err)
	}
	large := filepath.Join(t.TempDir(), "large")
	if err := os.WriteFile(large, make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"/dev/zero": "cannot be read: not a regular file", large: "is larger than 65537 bytes"} {
		m := MQTT{PasswordFile: path}
		if _, err := m.Password(); err == nil || err.Error() != "mqtt.password_file: "+path+" "+want {
			t.Errorf("got %v", err)
		}
	}
	if got, err := new(MQTT).Password(); got != "" || err != nil {
		t.Errorf("without a file: %q, %v", got, err)
	}
}

// What is wrong with the file is said at the key that names it, as with every other key.
func TestPasswordFaultHasItsLine(t *testing.T) {
	t.Parallel()
	text := "[mqtt]\nusername = \"me\"\npassword_file = \"/none/here\"\n[[board]]\ndriver = \"virtual\"\n"
	for want, environ := range map[string][]string{
		"f:3: mqtt.password_file: /none/here cannot be read: no such file or directory":    nil,
		"BOARDD_MQTT_PASSWORD_FILE: /none/there cannot be read: no such file or directory": {"BOARDD_MQTT_PASSWORD_FILE=/none/there"},
	} {
		c, err := Parse("f", []byte(text), environ)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.MQTT.Password(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
