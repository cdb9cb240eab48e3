package config

import (
	"cmp"
	"errors"
	"os"
	"strings"
)

// maxPassword is what MQTT can carry.
const maxPassword = 65535

// Password is what password_file holds, without the end of its line; "" when none is set. The error is Faults.
func (m *MQTT) Password() (string, error) {
	if m.PasswordFile == "" {
		return "", nil
	}
	fault := func(message string) error {
		f := m.passwordAt
		f.Key = cmp.Or(f.Key, "mqtt.password_file")
		f.Message = m.PasswordFile + " " + message
		return Faults{f}
	}
	text, err := os.ReadFile(m.PasswordFile)
	if err != nil {
		var p *os.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		return "", fault("cannot be read: " + err.Error())
	}
	password := strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r")
	switch {
	case password == "":
		return "", fault("holds no password")
	case strings.ContainsAny(password, "\r\n\x00") || len(password) > maxPassword:
		return "", fault("wants one line with the password")
	}
	return password, nil
}
