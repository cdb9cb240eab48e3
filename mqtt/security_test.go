package mqtt

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// authority is a private CA.
type authority struct {
	t    *testing.T
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T, name string) *authority {
	t.Helper()
	a := &authority{t: t, dir: t.TempDir()}
	a.key = newKey(t)
	a.cert = &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
	}
	a.write(name+".crt", "CERTIFICATE", a.sign(a.cert, a.key))
	return a
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func (a *authority) sign(c *x509.Certificate, key *ecdsa.PrivateKey) []byte {
	a.t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, c, a.cert, &key.PublicKey, a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	return der
}

func (a *authority) write(name, kind string, der []byte) string {
	a.t.Helper()
	file := filepath.Join(a.dir, name)
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		a.t.Fatal(err)
	}
	return file
}

// issue makes a certificate and its key, for a server with these names or for a client.
func (a *authority) issue(name string, hosts ...string) (cert, key string) {
	a.t.Helper()
	c := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	for _, h := range hosts {
		if ip := net.ParseIP(h); ip != nil {
			c.IPAddresses = append(c.IPAddresses, ip)
		} else {
			c.DNSNames = append(c.DNSNames, h)
		}
	}
	k := newKey(a.t)
	der, err := x509.MarshalECPrivateKey(k)
	if err != nil {
		a.t.Fatal(err)
	}
	return a.write(name+".crt", "CERTIFICATE", a.sign(c, k)), a.write(name+".key", "EC PRIVATE KEY", der)
}

func (a *authority) file() string { return filepath.Join(a.dir, a.cert.Subject.CommonName+".crt") }

func TestTLS(t *testing.T) {
	t.Parallel()
	ours, foreign := newAuthority(t, "ours"), newAuthority(t, "foreign")
	cert, key := ours.issue("srv", "localhost", "127.0.0.1")
	otherCert, otherKey := ours.issue("other", "elsewhere.example")
	clientCert, clientKey := ours.issue("client")
	trust := x509.NewCertPool()
	trust.AddCert(mustParse(t, ours.file()))
	tests := []struct {
		name      string
		cert, key string
		ask       bool // the broker wants a certificate of the client
		change    func(*Options)
		fault     string // in the one line of the log; "" when it must work
	}{
		{"private authority", cert, key, false, func(o *Options) { o.CAFile = ours.file() }, ""},
		{"with a certificate of our own", cert, key, true, func(o *Options) { o.CAFile, o.CertFile, o.KeyFile = ours.file(), clientCert, clientKey }, ""},
		{"without the one asked for", cert, key, true, func(o *Options) { o.CAFile = ours.file() }, "certificate"},
		{"foreign authority", cert, key, false, func(o *Options) { o.CAFile = foreign.file() }, "mqtt.ca_file"},
		{"no authority named", cert, key, false, func(*Options) {}, "mqtt.ca_file"},
		{"another name", otherCert, otherKey, false, func(o *Options) { o.CAFile = ours.file() }, "another name"},
		{"plain MQTT to the port for TLS", cert, key, false, func(o *Options) { o.URL = strings.Replace(o.URL, "mqtts", "mqtt", 1) }, "mqtts://"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			pair, err := tls.LoadX509KeyPair(test.cert, test.key)
			if err != nil {
				t.Fatal(err)
			}
			c := &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
			if test.ask {
				c.ClientAuth, c.ClientCAs = tls.RequireAndVerifyClientCert, trust
			}
			b := newFakeTLS(t, c)
			f := newScripted("table-07")
			o := Options{URL: strings.Replace(b.url(), "mqtt://", "mqtts://", 1)}
			test.change(&o)
			p := openDoor(t, f, o)
			if test.fault == "" {
				f.shuffle("table-07", 2)
				eventually(t, "delivered", func() bool { return f.ackedUpTo("table-07") == 2 })
				return
			}
			eventually(t, "one line: "+test.fault, func() bool { return len(p.log.lines(test.fault)) > 0 })
		})
	}
	t.Run("mqtt over TLS to a plain broker", func(t *testing.T) {
		t.Parallel()
		s := embedded(t)
		p := openDoor(t, newScripted("table-07"), Options{URL: strings.Replace(s.url, "mqtt://", "mqtts://", 1), CAFile: ours.file()})
		eventually(t, "a line", func() bool { return len(p.log.lines("level=ERROR")) > 0 })
	})
	t.Run("mosquitto", func(t *testing.T) {
		t.Parallel()
		s := mosquitto(t, fmt.Sprintf("listener PORT 127.0.0.1\ncafile %s\ncertfile %s\nkeyfile %s\nallow_anonymous true\n", ours.file(), cert, key))
		f := newScripted("table-07")
		f.shuffle("table-07", 3)
		openDoor(t, f, Options{URL: strings.Replace(s.url, "mqtt://", "mqtts://", 1), CAFile: ours.file()})
		eventually(t, "delivered", func() bool { return f.ackedUpTo("table-07") == 3 })
	})
	// The certificate is the login, and its name is what the ACL goes by.
	t.Run("mosquitto wants a certificate", func(t *testing.T) {
		t.Parallel()
		node, nodeKey := ours.issue("club")
		s := mosquitto(t, fmt.Sprintf("listener PORT 127.0.0.1\ncafile %s\ncertfile %s\nkeyfile %s\nrequire_certificate true\nuse_identity_as_username true\nacl_file DIR/acl\n",
			ours.file(), cert, key), "acl", "pattern readwrite boardd/v1/%u/#\npattern write homeassistant/device/%u/+/config\npattern read homeassistant/status\n")
		o := Options{URL: strings.Replace(s.url, "mqtt://", "mqtts://", 1), CAFile: ours.file(), Discovery: "full"}
		stranger := openDoor(t, newScripted("table-07"), o)
		eventually(t, "refused without", func() bool { return len(stranger.log.lines("certificate")) > 0 })
		stranger.stop()
		o.CertFile, o.KeyFile = node, nodeKey
		f := newScripted("table-07")
		f.shuffle("table-07", 3)
		openDoor(t, f, o)
		eventually(t, "delivered", func() bool { return f.ackedUpTo("table-07") == 3 })
	})
}

func mustParse(t *testing.T, file string) *x509.Certificate {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(text)
	c, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Through a WebSocket all is the same.
func TestWebSocket(t *testing.T) {
	t.Parallel()
	// mosquitto 2.0 does not start with WebSockets alone, and listens on all addresses for them without socket_domain.
	s := mosquitto(t, fmt.Sprintf("listener %d 127.0.0.1\nlistener PORT 127.0.0.1\nprotocol websockets\nsocket_domain ipv4\nallow_anonymous true\n", freePort(t)))
	f := newScripted("table-07")
	f.shuffle("table-07", 3)
	openDoor(t, f, Options{URL: strings.Replace(s.url, "mqtt://", "ws://", 1)})
	eventually(t, "delivered", func() bool { return f.ackedUpTo("table-07") == 3 })
}

// A wrong password is one clear line that tells nothing secret, however often it is tried; the right one works.
func TestLogin(t *testing.T) {
	passwd := func(t *testing.T) string {
		file := filepath.Join(t.TempDir(), "passwd")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(needs(t, "mosquitto_passwd"), "-b", file, "club", "nodepw").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return file
	}
	check := func(t *testing.T, url string) {
		for _, password := range []string{"wr0ng", ""} {
			p := openDoor(t, newScripted("table-07"), Options{URL: url, Username: "club", Password: password})
			eventually(t, "several tries", func() bool { return len(p.log.lines("level=ERROR")) > 0 })
			p.stop()
			l := p.log.lines("level=ERROR")
			if len(l) != 1 || !strings.Contains(l[0], "check mqtt.username and mqtt.password_file") || strings.Contains(l[0], "wr0ng") {
				t.Errorf("log: %v", l)
			}
		}
		f := newScripted("table-07")
		f.shuffle("table-07", 1)
		openDoor(t, f, Options{URL: url, Username: "club", Password: "nodepw"})
		eventually(t, "delivered", func() bool { return f.ackedUpTo("table-07") == 1 })
	}
	t.Run("mosquitto", func(t *testing.T) {
		t.Parallel()
		check(t, mosquitto(t, "allow_anonymous false\npassword_file "+passwd(t)+"\n").url)
	})
	t.Run("told once however often", func(t *testing.T) {
		t.Parallel()
		b := newFake(t)
		b.script(func(b *fake) { b.connack = 5 })
		p := openDoor(t, newScripted("table-07"), Options{URL: b.url(), Username: "club", Password: "wr0ng"})
		eventually(t, "ten tries", func() bool { b.mu.Lock(); defer b.mu.Unlock(); return b.logins >= 10 })
		if l := p.log.lines("level=ERROR"); len(l) != 1 {
			t.Errorf("log: %v", l)
		}
	})
}

// MQTT 3.1.1 hides that a right is missing; the self-test finds it, says so once, and no event is poured into nothing. When
// the right is given everything arrives.
func TestACL(t *testing.T) {
	for _, test := range []struct{ name, rights string }{
		{"may do nothing", "topic readwrite other/#\n"},
		{"may only write", "topic write boardd/v1/club/#\n"},
		{"may only read", "topic read boardd/v1/club/#\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			acl := filepath.Join(t.TempDir(), "acl")
			grant := func(rights string) {
				if err := os.WriteFile(acl, []byte(rights), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			grant(test.rights)
			s := mosquitto(t, "allow_anonymous true\nacl_file "+acl+"\n")
			f := newScripted("table-07")
			f.shuffle("table-07", 3)
			p := openDoor(t, f, s.door, func(d *Door) { d.pace.selfTest = 50 * time.Millisecond })
			eventually(t, "the line", func() bool { return len(p.log.lines("ACL blocks writing or reading boardd/v1/club/#")) == 1 })
			if n := f.ackedUpTo("table-07"); n != 0 {
				t.Errorf("%d events count as delivered", n)
			}
			grant("topic readwrite boardd/v1/club/#\n")
			s.stop()
			s.start()
			eventually(t, "delivered", func() bool { return f.ackedUpTo("table-07") == 3 })
			if l := p.log.lines("MQTT: connected"); len(l) != 1 {
				t.Errorf("log: %v", l)
			}
		})
	}
}

// A refused subscription is no error for the library; it is one for us, unless nobody may command anyway.
func TestRefusedSubscription(t *testing.T) {
	t.Parallel()
	for _, class := range []string{"safe", "off"} {
		b := newFake(t)
		b.script(func(b *fake) { b.suback = 0x80 })
		f := newScripted("table-07")
		f.shuffle("table-07", 1)
		p := openDoor(t, f, Options{URL: b.url(), Username: "club", Commands: class})
		if class == "off" {
			eventually(t, "delivered", func() bool { return f.ackedUpTo("table-07") == 1 })
			continue
		}
		eventually(t, "the line", func() bool { return len(p.log.lines("the broker refuses the subscription to boardd/v1/club/")) > 0 })
		if f.ackedUpTo("table-07") != 0 {
			t.Error("events were published")
		}
	}
}

// Two daemons with one client id throw each other out for ever; the log names the cause (MQ-13, MQ-14).
func TestSameClientIDTwice(t *testing.T) {
	t.Parallel()
	s := mosquitto(t, "allow_anonymous true\n")
	a := openDoor(t, newScripted("table-07"), s.door)
	b := openDoor(t, newScripted("table-07"), s.door)
	eventually(t, "the cause", func() bool {
		return len(a.log.lines("client id boardd-club-0a1b2c3d used twice?"))+len(b.log.lines("client id boardd-club-0a1b2c3d used twice?")) > 0
	})
}

// What is open wider than most want is said at start.
func TestWarnings(t *testing.T) {
	t.Parallel()
	tests := []struct {
		o    Options
		want int
	}{
		{Options{URL: "mqtt://127.0.0.1"}, 0},
		{Options{URL: "mqtt://192.0.2.1"}, 0},
		{Options{URL: "mqtt://127.0.0.1", Commands: "play"}, 1},
		{Options{URL: "mqtt://127.0.0.1", Commands: "play", Username: "u"}, 0},
		{Options{URL: "mqtt://192.0.2.1", Commands: "arbiter", Username: "u"}, 1},
		{Options{URL: "mqtt://192.0.2.1", Commands: "arbiter"}, 2},
		{Options{URL: "mqtts://192.0.2.1", Commands: "arbiter", Username: "u"}, 0},
	}
	for _, test := range tests {
		n := &notebook{}
		test.o.Node, test.o.ClientID, test.o.Logger = "club", "x", logTo(n)
		d, err := New(test.o, newScripted("table-07"))
		if err != nil {
			t.Fatal(err)
		}
		d.warn()
		if got := len(n.lines("level=WARN")); got != test.want {
			t.Errorf("%+v: %d warnings, want %d", test.o.URL, got, test.want)
		}
	}
}
