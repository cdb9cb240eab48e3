package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	paho "github.com/eclipse/paho.mqtt.golang"
)

// purge removes what a node has left, and nothing else.
func TestPurge(t *testing.T) {
	t.Parallel()
	address := mosquitto(t)
	c := paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + address).SetClientID("purge-test"))
	if token := c.Connect(); token.Wait() && token.Error() != nil {
		t.Fatal(token.Error())
	}
	t.Cleanup(func() { c.Disconnect(250) })
	leave := func(topic, body string) {
		t.Helper()
		if token := c.Publish(topic, 1, true, body); token.Wait() && token.Error() != nil {
			t.Fatal(token.Error())
		}
	}
	mine := []string{
		"boardd/v1/home/board/cmd/flip", "boardd/v1/home/board/image", "boardd/v1/home/board/state", "boardd/v1/home/status",
		"homeassistant/device/home/_node/config", "homeassistant/device/home/board/config",
	}
	others := []string{"boardd/v1/homer/board/state", "homeassistant/device/other/board/config", "homeassistant/status", "x"}
	for _, topic := range append(append([]string{}, mine...), others...) {
		leave(topic, "offline")
	}
	file := filepath.Join(t.TempDir(), "boardd.toml")
	text := "[mqtt]\nurl = \"mqtt://" + address + "\"\n[[board]]\ndriver = \"virtual\"\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	want := strings.Join(mine, "\n") + "\n"
	if code, out, errs := boardd("mqtt", "purge", "-c", file, "--dry-run"); code != 0 || out != want {
		t.Fatalf("%d: %s%s", code, out, errs)
	}
	leave("boardd/v1/home/status", "online")
	if code, out, errs := boardd("mqtt", "purge", "-c", file); code != 1 || out != "" || !strings.Contains(errs, "node home is online") {
		t.Fatalf("%d: %s%s", code, out, errs)
	}
	if code, out, errs := boardd("mqtt", "purge", "-c", file, "--force"); code != 0 || out != want {
		t.Fatalf("%d: %s%s", code, out, errs)
	}
	if code, out, errs := boardd("mqtt", "purge", "-c", file); code != 0 || out != "" {
		t.Fatalf("%d: %s%s", code, out, errs)
	}
	if code, out, errs := boardd("mqtt", "purge", "-c", file, "--node", "homer", "--discovery-prefix", "ha"); code != 0 || out != "boardd/v1/homer/board/state\n" {
		t.Fatalf("%d: %s%s", code, out, errs)
	}
	if code, _, errs := boardd("mqtt", "purge", "-c", file, "--node", "+"); code == 0 || !strings.Contains(errs, "node.name") {
		t.Fatalf("%d: %s", code, errs)
	}
	seen := make(chan string, 64)
	token := c.Subscribe("#", 1, func(_ paho.Client, m paho.Message) { seen <- m.Topic() })
	if token.Wait() && token.Error() != nil {
		t.Fatal(token.Error())
	}
	leave("y", "last")
	left := map[string]bool{}
	for topic := ""; topic != "y"; left[topic] = true {
		topic = <-seen
	}
	for _, topic := range mine {
		if left[topic] {
			t.Errorf("%s is still there", topic)
		}
	}
	for _, topic := range others[1:] {
		if !left[topic] {
			t.Errorf("%s is gone", topic)
		}
	}

	own := filepath.Join(t.TempDir(), "own.toml")
	if err := os.WriteFile(own, []byte("[[board]]\ndriver = \"virtual\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := boardd("mqtt", "purge", "-c", own); code != 2 || !strings.Contains(errs, "mqtt.url is empty") {
		t.Errorf("%d: %s", code, errs)
	}
}
