// Package mqtt is boardd's door to MQTT: it publishes what the boards' games say, takes commands, and can be the broker
// itself. Topics and payloads are described for users in docs/mqtt.md.
package mqtt

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/boardd/boardd/files"
)

// Options is what a Door needs to know. URL, Node and ClientID must be given.
type Options struct {
	URL      string // mqtt:// mqtts:// ws:// wss:// with host and perhaps port and path; no user name or password in it
	Username string
	Password string

	CAFile   string // PEM: the only authorities that are trusted; "" for the system's
	CertFile string // PEM: certificate shown to the broker, with KeyFile; "" for none
	KeyFile  string

	Root     string // first levels of all topics; "" is boardd/v1
	Node     string // <node> in the topics: a-z, 0-9 and -, at most 32, not first a -
	ClientID string // the same at every start, unlike any other client's: boardd-<node>-<8 hex digits>

	Commands     string // what may be asked over MQTT: off, safe, play or arbiter; "" is safe
	PublishNames bool   // false: players' names are null in every payload
	Version      string // of boardd, for info

	Discovery       string // what Home Assistant is told of: off (also ""), core or full
	DiscoveryPrefix string // first levels of its topics; "" is homeassistant
	DeviceID        string // of this boardd among all: letters, digits, _ and -; "" makes one of ClientID
	Fields          bool   // also publish plain values, a topic each
	Images          bool   // also publish a picture of each board

	Languages map[string]string // of the texts, by board: tags such as es or fa-IR; English for a board that is not named

	Logger *slog.Logger     // nil: slog.Default()
	Now    func() time.Time // wall clock; nil: time.Now
	Linked func(up bool)    // hears when the broker is reached and when it is not; may be nil, and may not wait
}

// DefaultRoot is the first levels of all topics; the last one is the major version of the payloads.
const DefaultRoot = "boardd/v1"

// ports are those that a URL without a port means.
var ports = map[string]string{"mqtt": "1883", "tcp": "1883", "mqtts": "8883", "tls": "8883", "ssl": "8883", "ws": "80", "wss": "443"}

var (
	idPattern       = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,31}$`)
	deviceIDPattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	clientIDPattern = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)
)

// complete checks the options, fills in what was left out, and reads the files. The errors name configuration keys.
func (o *Options) complete() (target *url.URL, secure *tls.Config, err error) {
	if o.Root == "" {
		o.Root = DefaultRoot
	}
	if o.Discovery == "" {
		o.Discovery = discoveryOff
	}
	if o.DiscoveryPrefix == "" {
		o.DiscoveryPrefix = "homeassistant"
	}
	if o.Commands == "" {
		o.Commands = "safe"
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Linked == nil {
		o.Linked = func(bool) {}
	}
	switch {
	case !idPattern.MatchString(o.Node):
		return nil, nil, fmt.Errorf("node.name %q: use a-z, 0-9 and -, at most 32 characters", o.Node)
	case !clientIDPattern.MatchString(o.ClientID):
		return nil, nil, fmt.Errorf("MQTT client id %q: use letters, digits, . _ and -, at most 64 characters", o.ClientID)
	case !validRoot(o.Root):
		return nil, nil, fmt.Errorf("mqtt.root %q: use levels of letters, digits, _ and - with / between", o.Root)
	}
	if o.DeviceID == "" {
		o.DeviceID = deviceID(o.ClientID)
	}
	switch {
	case !slices.Contains([]string{discoveryOff, discoveryCore, discoveryFull}, o.Discovery):
		return nil, nil, fmt.Errorf("mqtt.discovery %q: use off, core or full", o.Discovery)
	case !validRoot(o.DiscoveryPrefix):
		return nil, nil, fmt.Errorf("mqtt.discovery_prefix %q: use levels of letters, digits, _ and - with / between", o.DiscoveryPrefix)
	case !deviceIDPattern.MatchString(o.DeviceID):
		return nil, nil, fmt.Errorf("the device id %q: use letters, digits, _ and -", o.DeviceID)
	}
	if _, ok := doorClass(o.Commands); !ok {
		return nil, nil, fmt.Errorf("mqtt.commands %q: use off, safe, play or arbiter", o.Commands)
	}
	if target, err = parseURL(o.URL); err != nil {
		return nil, nil, err
	}
	secure, err = o.tlsConfig(target)
	return target, secure, err
}

func validRoot(root string) bool {
	if len(root) > 128 {
		return false
	}
	for _, level := range strings.Split(root, "/") {
		if !clientIDPattern.MatchString(level) || strings.HasPrefix(level, "$") {
			return false
		}
	}
	return true
}

// parseURL reads a broker's address. A password in it would end in logs, so it is refused without being repeated.
func parseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || ports[u.Scheme] == "" {
		return nil, errors.New("mqtt.url: use mqtt://host:1883, mqtts://host:8883, ws://host/mqtt or wss://host/mqtt")
	}
	if u.User != nil {
		return nil, errors.New("mqtt.url must not hold a user name or password: use mqtt.username and mqtt.password_file")
	}
	if u.Port() == "" {
		u.Host = net.JoinHostPort(u.Hostname(), ports[u.Scheme])
	}
	if isWeb(u) && (u.Path == "" || u.Path == "/") {
		u.Path = "/mqtt"
	}
	return u, nil
}

func isWeb(u *url.URL) bool    { return u.Scheme == "ws" || u.Scheme == "wss" }
func isSecure(u *url.URL) bool { return ports[u.Scheme] == "8883" || u.Scheme == "wss" }

// maxPEM is more than all authorities of a system take.
const maxPEM = 2 << 20

// tlsConfig is nil for connections in the clear. The server's name is always set: Go's own guess fails behind a proxy.
func (o *Options) tlsConfig(u *url.URL) (*tls.Config, error) {
	if !isSecure(u) {
		if o.CAFile != "" || o.CertFile != "" || o.KeyFile != "" {
			return nil, fmt.Errorf("mqtt.ca_file, cert_file and key_file need an encrypted mqtt.url (mqtts:// or wss://), not %s://", u.Scheme)
		}
		return nil, nil
	}
	c := &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12}
	if o.CAFile != "" {
		pem, err := files.Read(o.CAFile, maxPEM)
		if err != nil {
			return nil, fmt.Errorf("mqtt.ca_file: %w", err)
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("mqtt.ca_file %s: no PEM certificate in it", o.CAFile)
		}
	}
	if (o.CertFile == "") != (o.KeyFile == "") {
		return nil, errors.New("mqtt.cert_file and mqtt.key_file go together: one of them is missing")
	}
	if o.CertFile != "" {
		cert, err := files.Read(o.CertFile, maxPEM)
		if err != nil {
			return nil, fmt.Errorf("mqtt.cert_file: %w", err)
		}
		key, err := files.Read(o.KeyFile, maxPEM)
		if err != nil {
			return nil, fmt.Errorf("mqtt.key_file: %w", err)
		}
		pair, err := tls.X509KeyPair(cert, key)
		if err != nil {
			return nil, fmt.Errorf("mqtt.cert_file, mqtt.key_file: %w", err)
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c, nil
}

// isLoopback reports whether a host name or address never leaves this machine.
func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
