package mqtt

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
)

func logTo(n *notebook) *slog.Logger { return slog.New(slog.NewTextHandler(n, nil)) }

func startBroker(t *testing.T, o BrokerOptions) *Broker {
	t.Helper()
	o.Node, o.ClientID, o.Logger = "club", "boardd-club-0a1b2c3d", slog.New(slog.DiscardHandler)
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	b, err := StartBroker(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

func TestBrokerErrors(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	taken := l.Addr().String()
	tests := []struct {
		name, listen, user, password, want string
	}{
		{"taken", taken, "", "", "mqtt.listen: " + taken + " is taken: is mosquitto running? Set mqtt.url to use it, or mqtt.listen to another port"},
		{"no port", "127.0.0.1", "", "", "mqtt.listen"},
		{"all interfaces, no credentials", ":0", "", "", "set mqtt.username and mqtt.password_file"},
		{"all interfaces by number, no credentials", "0.0.0.0:0", "", "", "set mqtt.username and mqtt.password_file"},
		{"a user name alone", "[::]:0", "ha", "", "set mqtt.username and mqtt.password_file"},
		{"an address that is not ours", "192.0.2.1:1883", "ha", "secret", "mqtt.listen"},
		{"a port that is none", "127.0.0.1:99999", "", "", "mqtt.listen"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b, err := StartBroker(BrokerOptions{Listen: test.listen, Username: test.user, Password: test.password, Node: "club"})
			if err == nil {
				_ = b.Close()
				t.Fatal("no error")
			}
			if !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "secret") {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

// login tries to connect and says how that ended.
func login(t *testing.T, url, id, user, password string, change ...func(*paho.ClientOptions)) error {
	t.Helper()
	o := paho.NewClientOptions().AddBroker(url).SetClientID(id).SetUsername(user).SetPassword(password).SetProtocolVersion(4).SetAutoReconnect(false)
	for _, c := range change {
		c(o)
	}
	client := paho.NewClient(o)
	defer client.Disconnect(50)
	return paho.WaitTokenTimeout(client.Connect(), patience)
}

func TestBrokerLogins(t *testing.T) {
	t.Parallel()
	open, closed := startBroker(t, BrokerOptions{}), startBroker(t, BrokerOptions{Listen: "0.0.0.0:0", Username: "ha", Password: "secret"})
	url := func(b *Broker) string {
		var o Options
		b.Admit(&o)
		return o.URL
	}
	own := string(open.own.name)
	will := func(topic string) func(*paho.ClientOptions) {
		return func(o *paho.ClientOptions) { o.SetWill(topic, "offline", 1, true) }
	}
	tests := []struct {
		name               string
		broker             *Broker
		id, user, password string
		change             []func(*paho.ClientOptions)
		ok                 bool
	}{
		{"anybody at the open one", open, "x", "", "", nil, true},
		{"any password at the open one", open, "x", "a", "b", nil, true},
		{"boardd's own name with a guess", open, "x", own, "guess", nil, false},
		{"boardd's own name without a password", open, "x", own, "", nil, false},
		{"boardd's client id", open, "boardd-club-0a1b2c3d", "", "", nil, false},
		{"a will that says we are gone", open, "x", "", "", []func(*paho.ClientOptions){will(fakeBase + "status")}, false},
		{"a will of Home Assistant", open, "x", "", "", []func(*paho.ClientOptions){will("homeassistant/status")}, true},
		{"the right password", closed, "x", "ha", "secret", nil, true},
		{"a wrong one", closed, "x", "ha", "Secret", nil, false},
		{"no user name", closed, "x", "", "", nil, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if err := login(t, url(test.broker), test.id, test.user, test.password, test.change...); (err == nil) != test.ok {
				t.Errorf("error %v", err)
			}
		})
	}
}

// Guests read everything and write only commands; what they retain of those is not kept (deny by default).
func TestBrokerRights(t *testing.T) {
	t.Parallel()
	b := startBroker(t, BrokerOptions{})
	var o Options
	b.Admit(&o)
	boardd := watch(t, o.URL, o.Username, o.Password, "#")
	tests := []struct {
		topic string
		ok    bool
	}{
		{fakeBase + "table-07/cmd/flip", true},
		{fakeBase + "cmd/announce", true},
		{"homeassistant/status", true},
		{fakeBase + "table-07/state", false},
		{fakeBase + "status", false},
		{fakeBase + "table-07/cmd", false},
		{fakeBase + "table-07/cmd/flip/x", false},
		{"boardd/v1/other/table-07/cmd/flip", false},
		{"boardd/v1", false},
		{"other", false},
		{"$SYS/broker/version", false},
	}
	for _, test := range tests {
		guest := watch(t, o.URL, "", "")
		retain := !strings.Contains(test.topic, "cmd/")
		_ = paho.WaitTokenTimeout(guest.client.Publish(test.topic, 0, retain, "from a guest"), patience)
		// The broker works through a connection in order, so what comes after has come after.
		guest.say(t, fakeBase+"cmd/next", test.topic, false)
		eventually(t, "the message after", func() bool { return boardd.last(fakeBase+"cmd/next") == test.topic })
		if got := len(boardd.all(test.topic)) > 0; got != test.ok {
			t.Errorf("%s: got through %v, want %v", test.topic, got, test.ok)
		}
	}
	guest := watch(t, o.URL, "", "")
	for _, qos := range []byte{0, 1} { // acknowledged, but never a command
		_ = paho.WaitTokenTimeout(guest.client.Publish(fakeBase+"table-07/cmd/resign", qos, true, "to lie there"), patience)
	}
	guest.say(t, fakeBase+"cmd/next", "retained", false)
	eventually(t, "the message after", func() bool { return boardd.last(fakeBase+"cmd/next") == "retained" })
	if got := boardd.all(fakeBase + "table-07/cmd/resign"); len(got) > 0 {
		t.Errorf("a command that was to be retained is passed on: %v", got)
	}
	boardd.say(t, fakeBase+"table-07/state", "{}", true)
	late := watch(t, o.URL, "", "", "#")
	eventually(t, "the state", func() bool { return len(late.all(fakeBase+"table-07/state")) == 1 })
	for _, m := range late.all("") {
		if strings.Contains(m.topic, "/cmd/") {
			t.Errorf("a command is kept: %+v", m)
		}
	}
	if late.client.Subscribe("$SYS/#", 1, nil).WaitTimeout(patience); len(late.all("$SYS/broker/version")) > 0 {
		t.Error("$SYS is told to guests")
	}
}

// Who comes back before its former connection has ended hears again, each time.
func TestBrokerTakeover(t *testing.T) {
	t.Parallel()
	b := startBroker(t, BrokerOptions{})
	var o Options
	b.Admit(&o)
	boardd := watch(t, o.URL, o.Username, o.Password)
	for i := range 30 {
		heard := make(chan string, 8)
		client := paho.NewClient(paho.NewClientOptions().AddBroker(o.URL).SetClientID("screen").SetProtocolVersion(4).SetAutoReconnect(false).
			SetDefaultPublishHandler(func(_ paho.Client, m paho.Message) { heard <- string(m.Payload()) }))
		if err := paho.WaitTokenTimeout(client.Connect(), patience); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { client.Disconnect(10) })
		if err := paho.WaitTokenTimeout(client.Subscribe(fakeBase+"t/event", 1, nil), patience); err != nil {
			t.Fatal(err)
		}
		boardd.say(t, fakeBase+"t/event", fmt.Sprint(i), false)
		select {
		case got := <-heard:
			if got != fmt.Sprint(i) {
				t.Errorf("%d: heard %s", i, got)
			}
		case <-time.After(patience):
			t.Fatalf("%d: deaf", i)
		}
	}
}

// Many who subscribe while much is retained and cleared: nothing stalls, and under -race nothing races.
func TestBrokerUnderLoad(t *testing.T) {
	t.Parallel()
	b := startBroker(t, BrokerOptions{})
	var o Options
	b.Admit(&o)
	boardd := watch(t, o.URL, o.Username, o.Password)
	var guests sync.WaitGroup
	for i := range 8 {
		w := watch(t, o.URL, "", "")
		guests.Go(func() {
			for range 40 {
				for _, filter := range []string{"#", fakeBase + "+/state", "boardd/v1/+/#"} {
					if err := paho.WaitTokenTimeout(w.client.Subscribe(filter, 1, nil), patience); err != nil {
						t.Errorf("guest %d: %v", i, err)
					}
				}
			}
		})
	}
	for i := range 300 {
		boardd.say(t, fmt.Sprintf("%st%d/state", fakeBase, i%7), strings.Repeat("x", i%2), true)
	}
	guests.Wait()
}

// Packets beyond the limit and connections that say nothing do no harm.
func TestBrokerAgainstRubbish(t *testing.T) {
	t.Parallel()
	b := startBroker(t, BrokerOptions{})
	for _, rubbish := range []string{"", "GET / HTTP/1.1\r\n\r\n", "\x10\xff\xff\xff\x7f", "\x10\x0c\x00\x04MQTT\x04", "\x30\x00", strings.Repeat("\xff", 4096)} {
		c, err := net.Dial("tcp", b.Addr())
		if err != nil {
			t.Fatal(err)
		}
		_ = c.SetDeadline(time.Now().Add(patience))
		_, _ = c.Write([]byte(rubbish))
		_ = c.Close()
	}
	var o Options
	b.Admit(&o)
	if err := login(t, o.URL, "x", "", ""); err != nil {
		t.Error(err)
	}
	w := watch(t, o.URL, "", "")
	if err := paho.WaitTokenTimeout(w.client.Publish(fakeBase+"cmd/x", 1, false, make([]byte, 300<<10)), patience); err == nil {
		t.Error("300 KB got through")
	}
}

// MQTT 3.1.1 has no DISCONNECT from the broker (3.14): a client that gets one gives up, instead of coming back.
func TestBrokerClosesWithoutDisconnect(t *testing.T) {
	t.Parallel()
	b, err := StartBroker(BrokerOptions{Listen: "127.0.0.1:0", Node: "club", Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	old := []byte("\x10\x0f\x00\x04MQTT\x04\x02\x00\x3c\x00\x03old")
	forbidden := []byte("\x32\x09\x00\x05other\x00\x01")
	for _, test := range []struct {
		name string
		end  func(c net.Conn)
	}{
		{"what it may not write", func(c net.Conn) { _, _ = c.Write(forbidden) }},
		{"the broker ends", func(net.Conn) { _ = b.Close() }},
	} {
		c, err := net.Dial("tcp", b.Addr())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_ = c.SetDeadline(time.Now().Add(patience))
		if _, err := c.Write(old); err != nil {
			t.Fatal(err)
		}
		connack := make([]byte, 4)
		if _, err := io.ReadFull(c, connack); err != nil || !bytes.Equal(connack, []byte{0x20, 2, 0, 0}) {
			t.Fatalf("%s: CONNACK % x, %v", test.name, connack, err)
		}
		test.end(c)
		rest, _ := io.ReadAll(c) // a reset is an end too
		if len(rest) > 0 {
			t.Errorf("%s: after CONNACK came % x", test.name, rest)
		}
	}
}

// Clients that find no room are told so, and the log says it, but not for each of a crowd.
func TestBrokerIsFull(t *testing.T) {
	t.Parallel()
	for _, version := range []byte{4, 5} {
		n := &notebook{}
		b, err := StartBroker(BrokerOptions{Listen: "127.0.0.1:0", Node: "club", ClientID: "boardd-club-0a1b2c3d", Logger: logTo(n)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = b.Close() })
		for i := range maxClients + 5 {
			id := fmt.Sprintf("c%03d", i)
			body := append([]byte{0, 4, 'M', 'Q', 'T', 'T', version, 2, 0, 60}, map[byte][]byte{5: {0}}[version]...)
			body = append(append(body, 0, byte(len(id))), id...)
			c, err := net.Dial("tcp", b.Addr())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = c.Close() })
			if _, err := c.Write(append([]byte{0x10, byte(len(body))}, body...)); err != nil {
				t.Fatal(err)
			}
			_ = c.SetReadDeadline(time.Now().Add(patience))
			var ack [4]byte
			if _, err := io.ReadFull(c, ack[:]); err != nil || ack[0] != 0x20 || ack[3] == 0 != (i < maxClients) {
				t.Fatalf("version %d: client %d got % x, %v", version, i, ack, err)
			}
		}
		if got := n.lines("no room for a client"); len(got) != 1 || !strings.Contains(got[0], "client=c064") {
			t.Errorf("version %d: the log has %q", version, got)
		}
	}
}
