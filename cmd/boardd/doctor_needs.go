package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/url"
	"os"
	"slices"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/doctor"
)

// needsOf is what a configuration uses of a computer.
func needsOf(c *config.Config) doctor.Needs {
	n := doctor.Needs{Configured: true, I2C: map[string]map[uint16]doctor.Chip{}}
	for i := range c.Boards {
		b := &c.Boards[i]
		sensorNeeds(&n, b)
		lightNeeds(&n, &b.LEDs)
	}
	return n
}

func onI2C(n *doctor.Needs, bus, chip string, addresses ...int64) {
	if n.I2C[bus] == nil {
		n.I2C[bus] = map[uint16]doctor.Chip{}
	}
	for _, a := range addresses {
		n.I2C[bus][uint16(a)] = doctor.Chip{Name: chip}
	}
}

func onSPI(n *doctor.Needs, device string) {
	if device != "" && !slices.Contains(n.SPI, device) {
		n.SPI = append(n.SPI, device)
	}
}

func sensorNeeds(n *doctor.Needs, b *config.Board) {
	s := &b.Sensor
	n.Pins = n.Pins || len(s.Rows)+len(s.Cols)+len(s.Select)+len(s.Inputs) > 0 || s.Load != "" || s.Int != ""
	chip := b.Driver
	switch {
	case serialBoards[b.Driver] != nil:
		n.Serial = append(n.Serial, b.Port)
		return
	case b.Driver == "mux-adc" && s.ADC == "ads1115":
		chip = s.ADC
	case b.Driver == "mcp23017", b.Driver == "pca9555", b.Driver == "pcf8574":
	case b.Driver == "mcp23s17", b.Driver == "hc165", b.Driver == "hc595-gpio", b.Driver == "mux-adc":
		onSPI(n, s.Bus)
		onSPI(n, s.LoadBus)
		return
	default:
		return
	}
	if s.MuxAddress != 0 {
		onI2C(n, s.Bus, "tca9548a", s.MuxAddress) // the chips are behind it
		return
	}
	onI2C(n, s.Bus, chip, s.Addresses...)
}

func lightNeeds(n *doctor.Needs, l *config.LEDs) {
	switch path := l.DevicePath(); l.Driver {
	case "ws2812":
		n.WS2812 = path
		if layout, err := layoutOf(l); err == nil {
			n.Transfer = max(n.Transfer, layout.Count*4*int(l.Bits)+128)
		}
		onSPI(n, path)
	case "apa102", "max7219", "hc595":
		onSPI(n, path)
	case "ht16k33", "mcp23017":
		if layout, err := layoutOf(l); err == nil {
			onI2C(n, path, l.Driver, l.ChipAddresses(chipsOf(l, layout.Count))...)
		}
	case "leds-chardev":
		n.Lights = path
	case "gpio-matrix":
		n.Pins = true
	}
}

// brokerPatience is how long a broker may take to answer.
const brokerPatience = 5 * time.Second

// broker tries whether boardd would reach its broker, or could be one itself.
func (d *doctoring) broker(ctx context.Context) {
	m := &d.config.MQTT
	if m.URL == "" {
		l, err := new(net.ListenConfig).Listen(ctx, "tcp", m.Listen)
		if err == nil {
			_ = l.Close()
			return
		}
		level, mend := doctor.Bad, "Another broker may run here: stop it, or set url in [mqtt] to use it, or another listen."
		if slices.ContainsFunc(d.report.Findings, func(f doctor.Finding) bool { return f.Code == "boardd_runs" }) {
			level, mend = doctor.Note, "That is boardd itself, most likely."
		}
		d.say(level, "broker_port", "", fmt.Sprintf("boardd's own broker cannot listen at %s: %v.", m.Listen, err), mend)
		return
	}
	if err := connect(m); err != nil {
		d.say(doctor.Bad, "broker", "", fmt.Sprintf("The broker %s cannot be used: %v.", shown(m.URL), err),
			"Look at url, username and password_file in [mqtt], and whether the broker runs and lets this computer in.")
	}
}

// shown is a URL without a password.
func shown(text string) string {
	if u, err := url.Parse(text); err == nil {
		return u.Redacted()
	}
	return text
}

// connect connects to a broker as boardd would, under another name, and leaves again.
func connect(m *config.MQTT) error {
	password, err := m.Password()
	if err != nil {
		return err
	}
	o := paho.NewClientOptions().AddBroker(m.URL).SetClientID(fmt.Sprintf("boardd-doctor-%d", os.Getpid())).SetUsername(m.Username).
		SetPassword(password).SetConnectTimeout(brokerPatience).SetAutoReconnect(false).SetConnectRetry(false)
	secure := &tls.Config{MinVersion: tls.VersionTLS12}
	if m.CAFile != "" {
		text, err := os.ReadFile(m.CAFile)
		if err != nil {
			return err
		}
		if secure.RootCAs = x509.NewCertPool(); !secure.RootCAs.AppendCertsFromPEM(text) {
			return fmt.Errorf("%s holds no certificate", m.CAFile)
		}
	}
	if m.CertFile != "" {
		pair, err := tls.LoadX509KeyPair(m.CertFile, m.KeyFile)
		if err != nil {
			return err
		}
		secure.Certificates = []tls.Certificate{pair}
	}
	client := paho.NewClient(o.SetTLSConfig(secure))
	t := client.Connect()
	if !t.WaitTimeout(brokerPatience + time.Second) {
		client.Disconnect(0)
		return fmt.Errorf("no answer in %d seconds", brokerPatience/time.Second)
	}
	if err := t.Error(); err != nil {
		return err
	}
	client.Disconnect(100)
	return nil
}
