package config

import (
	"cmp"
	"strings"

	"github.com/boardd/boardd/files"
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
		f.Message = short(m.PasswordFile) + " " + message
		return Faults{f}
	}
	const most = maxPassword + 2 // with the end of its line
	text, err := files.Read(m.PasswordFile, most)
	if err != nil {
		return "", fault(unreadable(err, most))
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
