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
		{"empty", "\n", "", "mqtt.password_file: holds no password"},
		{"two lines", "a\nb\n", "", "mqtt.password_file: wants one line with the password"},
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
				c.err = m.PasswordFile + ": " + c.err
			}
			if got != c.want || message != c.err {
				t.Errorf("%q and %q, want %q and %q", got, message, c.want, c.err)
			}
		})
	}
	m := MQTT{PasswordFile: filepath.Join(t.TempDir(), "none")}
	if _, err := m.Password(); err == nil || err.Error() != m.PasswordFile+": mqtt.password_file: cannot be read: no such file or directory" {
		t.Errorf("a file that is not there: %v", err)
	}
	if got, err := new(MQTT).Password(); got != "" || err != nil {
		t.Errorf("without a file: %q, %v", got, err)
	}
}
