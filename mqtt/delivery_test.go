package mqtt

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"

	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/rules"
)

func isEvent(p *packets.PublishPacket) bool { return strings.HasSuffix(p.TopicName, "/event") }

func seqsOf(t *testing.T, list []heard, board string) []int64 {
	t.Helper()
	w := &watcher{got: list}
	return w.seqs(t, fakeBase+board+"/event")
}

// Without PUBACK nothing counts as delivered, however often it was sent; with it everything arrives, in order (MQ-09).
func TestWithheldPuback(t *testing.T) {
	t.Parallel()
	f := newScripted("table-07")
	b := newFake(t)
	b.script(func(b *fake) {
		b.onPublish = func(p *packets.PublishPacket) verdict {
			if isEvent(p) {
				return withhold
			}
			return acknowledge
		}
	})
	openDoor(t, f, Options{URL: b.url()}, func(d *Door) { d.pace.ack = 30 * time.Millisecond })
	f.shuffle("table-07", 20)
	eventually(t, "several tries", func() bool { return len(b.events()) >= 3 })
	if n := f.ackedUpTo("table-07"); n != 0 {
		t.Fatalf("%d events count as delivered", n)
	}
	for i, seq := range seqsOf(t, b.events(), "table-07") {
		if seq != 1 {
			t.Fatalf("event %d was sent (place %d) though 1 is not delivered", seq, i)
		}
	}
	b.script(func(b *fake) { b.onPublish = nil })
	eventually(t, "all are delivered", func() bool { return f.ackedUpTo("table-07") == 20 })
	checkSeqs(t, seqsOf(t, b.events(), "table-07"), 20)
}

// A connection that breaks between an event and its PUBACK costs a duplicate and nothing else (MQ-07, MQ-38).
func TestCutUnderEvents(t *testing.T) {
	t.Parallel()
	f := newScripted("table-07", "table-08")
	b := newFake(t)
	n, cuts := 0, 0
	b.script(func(b *fake) {
		b.onPublish = func(p *packets.PublishPacket) verdict {
			if isEvent(p) {
				if n++; n%7 == 0 {
					cuts++
					return hangUp
				}
			}
			return acknowledge
		}
	})
	openDoor(t, f, Options{URL: b.url()}, func(d *Door) { d.pace.calm, d.pace.brief = 0, 0 })
	for range 50 {
		f.shuffle("table-07", 1)
		f.shuffle("table-08", 1)
	}
	eventually(t, "all are delivered", func() bool { return f.ackedUpTo("table-07") == 50 && f.ackedUpTo("table-08") == 50 })
	b.script(func(b *fake) { b.onPublish = nil })
	duplicates := checkSeqs(t, seqsOf(t, b.events(), "table-07"), 50) + checkSeqs(t, seqsOf(t, b.events(), "table-08"), 50)
	if cuts == 0 || duplicates != cuts {
		t.Errorf("%d duplicates after %d cuts", duplicates, cuts)
	}
}

// The broker may be away and come back, or only the network: what happened meanwhile arrives, and the last state is the
// newest, and nothing relies on what a broker may have kept for us (MQ-02, MQ-10, MQ-11, MQ-15, MQ-34).
func TestOutages(t *testing.T) {
	t.Run("network", func(t *testing.T) {
		eachBroker(t, func(t *testing.T, s *station) {
			f := newScripted("table-07", "table-08")
			c := layCable(t, s.url)
			o := s.door
			o.URL = c.url()
			w := watch(t, s.url, s.user, s.pass, fakeBase+"+/event", fakeBase+"+/state")
			f.shuffle("table-07", 3) // before there was ever a connection
			openDoor(t, f, o, func(d *Door) { d.pace.calm, d.pace.brief = 0, 0 })
			for i := range 20 {
				f.shuffle("table-07", 5)
				f.shuffle("table-08", 2)
				goal := f.ackedUpTo("table-07") + 2
				if i%5 == 4 {
					c.cut(true)
					f.shuffle("table-07", 10)
					c.cut(false)
				} else {
					eventually(t, "some go through", func() bool { return f.ackedUpTo("table-07") >= goal })
					c.cut(false)
				}
			}
			eventually(t, "all are delivered", func() bool { return f.ackedUpTo("table-07") == 143 && f.ackedUpTo("table-08") == 40 })
			eventually(t, "the last events are heard", func() bool {
				return strings.Contains(w.last(fakeBase+"table-07/event"), `"seq":143,`) && strings.Contains(w.last(fakeBase+"table-08/event"), `"seq":40,`)
			})
			eventually(t, "the newest state", func() bool {
				return strings.Contains(w.last(fakeBase+"table-07/state"), `"seq":143,`) && strings.Contains(w.last(fakeBase+"table-08/state"), `"seq":40,`)
			})
			checkSeqs(t, w.seqs(t, fakeBase+"table-07/event"), 143)
			checkSeqs(t, w.seqs(t, fakeBase+"table-08/event"), 40)
		})
	})
	t.Run("broker", func(t *testing.T) {
		t.Parallel()
		s := mosquitto(t, "allow_anonymous true\n")
		f := newScripted("table-07")
		o := s.door
		o.Commands = "play"
		openDoor(t, f, o)
		for i := range 4 {
			w := watch(t, s.url, "", "", fakeBase+"#")
			f.shuffle("table-07", 10)
			eventually(t, "delivered", func() bool { return f.ackedUpTo("table-07") == int64(20*i+10) })
			eventually(t, "retained again after the broker has lost everything", func() bool {
				return w.last(fakeBase+"status") == "online" && strings.Contains(w.last(fakeBase+"table-07/state"), fmt.Sprintf(`"seq":%d,`, 20*i+10))
			})
			w.ask(t, "table-07/", "flip", `{"id":"x"}`) // subscribed again, and only once (MQ-01, MQ-02)
			if n := len(f.commands()); n != i+1 {
				t.Errorf("%d commands carried out, want %d", n, i+1)
			}
			eventually(t, "the last event is heard", func() bool {
				return strings.Contains(w.last(fakeBase+"table-07/event"), fmt.Sprintf(`"seq":%d,`, 20*i+10))
			})
			heard := w.seqs(t, fakeBase+"table-07/event")
			for k := range heard { // as if this were all there is
				heard[k] -= int64(20 * i)
			}
			checkSeqs(t, heard, 10)
			s.stop()
			f.shuffle("table-07", 10)
			s.start()
			eventually(t, "the backlog", func() bool { return f.ackedUpTo("table-07") == int64(20*i+20) })
		}
	})
}

// A backlog of thousands goes out in order, with the newest state shown on the way, and commands answered.
func TestBacklog(t *testing.T) {
	t.Parallel()
	s := embedded(t)
	f := newScripted("table-07", "table-08")
	for i := range 2000 {
		f.say("table-07", "check", &game.Check{By: rules.White, Checkers: []rules.Square{}}, nil)
		if i%10 == 0 {
			f.shuffle("table-08", 1)
		}
	}
	w := watch(t, s.url, "", "", fakeBase+"#")
	openDoor(t, f, s.door)
	eventually(t, "the first", func() bool { return f.ackedUpTo("table-07") > 0 })
	w.ask(t, "table-07/", "resend", `{"id":"r","from":1,"max":3}`)
	eventually(t, "all is delivered", func() bool { return f.ackedUpTo("table-07") == 2000 && f.ackedUpTo("table-08") == 200 })
	eventually(t, "heard", func() bool {
		return len(w.all(fakeBase+"table-07/event")) >= 2000 && len(w.all(fakeBase+"table-08/event")) >= 200
	})
	if checkSeqs(t, w.seqs(t, fakeBase+"table-07/event"), 2000)+checkSeqs(t, w.seqs(t, fakeBase+"table-08/event"), 200) != 0 {
		t.Error("duplicates without any outage")
	}
}

// Who was away for long learns that the events are old.
func TestLate(t *testing.T) {
	t.Parallel()
	base := time.Date(2026, 3, 14, 19, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		age  time.Duration
		late bool
	}{{0, false}, {time.Minute, false}, {time.Minute + time.Millisecond, true}, {24 * time.Hour, true}, {-time.Hour, false}} {
		d, err := New(Options{URL: "mqtt://broker", Node: "club", ClientID: "x", Now: func() time.Time { return base.Add(test.age) }}, newScripted("table-07"))
		if err != nil {
			t.Fatal(err)
		}
		body, err := d.eventOf(&game.StampedEvent{Event: game.Event{Seq: 1, Type: "resync"}, Board: "table-07", Epoch: testEpoch, TS: base})
		if err != nil || !strings.Contains(string(body), fmt.Sprintf(`"late":%v`, test.late)) {
			t.Errorf("after %v: %s, %v", test.age, body, err)
		}
	}
}

// An event that no broker takes does not stop those behind it, and is not dropped in silence.
func TestOversizeEventIsSetAside(t *testing.T) {
	t.Parallel()
	s := embedded(t)
	f := newScripted("table-07")
	w := watch(t, s.url, "", "", fakeBase+"#")
	f.shuffle("table-07", 1)
	f.say("table-07", "game_end", &game.GameEnd{Result: "1-0", Reason: "resign", PGN: strings.Repeat("x", maxEvent)}, nil)
	f.shuffle("table-07", 1)
	p := openDoor(t, f, s.door)
	eventually(t, "all is done with", func() bool { return f.ackedUpTo("table-07") == 3 })
	eventually(t, "the third", func() bool { return len(w.all(fakeBase+"table-07/event")) == 2 })
	if got := w.seqs(t, fakeBase+"table-07/event"); got[0] != 1 || got[1] != 3 {
		t.Errorf("heard %v", got)
	}
	if l := p.log.lines("set aside"); len(l) != 1 || !strings.Contains(l[0], "seq=2") || !strings.Contains(l[0], "board=table-07") {
		t.Errorf("log: %v", l)
	}
	eventually(t, "info says it", func() bool { return strings.Contains(w.last(fakeBase+"info"), `"set_aside":1`) })
}

// A large event under which a broker hangs up again and again is set aside; a small one, which is no broker's trouble, never.
func TestPoison(t *testing.T) {
	t.Parallel()
	for _, size := range []int{100, largeish} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			t.Parallel()
			f := newScripted("table-07")
			b := newFake(t)
			tries := 0
			b.script(func(b *fake) {
				b.onPublish = func(p *packets.PublishPacket) verdict {
					if isEvent(p) && strings.Contains(string(p.Payload), `"seq":1,`) {
						if tries++; tries <= 2*suspicion {
							return hangUp
						}
					}
					return acknowledge
				}
			})
			f.say("table-07", "game_end", &game.GameEnd{Result: "1-0", Reason: "resign", PGN: strings.Repeat("x", size)}, nil)
			f.say("table-07", "resync", &game.Resync{}, nil)
			p := openDoor(t, f, Options{URL: b.url()})
			eventually(t, "the event behind it", func() bool { return f.ackedUpTo("table-07") == 2 })
			b.script(func(b *fake) { b.onPublish = nil })
			aside, want := len(p.log.lines("set aside")), 0
			if size == largeish {
				want = 1
			}
			if aside != want || want == 1 && tries != suspicion || want == 0 && tries != 2*suspicion+1 {
				t.Errorf("set aside %d times after %d tries", aside, tries)
			}
		})
	}
}

// A connection over which nothing comes any more, without being closed, is given up and made anew (MQ-39).
func TestSilentConnection(t *testing.T) {
	t.Parallel()
	b := newFake(t)
	f := newScripted("table-07")
	openDoor(t, f, Options{URL: b.url()}, func(d *Door) { d.pace.keepAlive, d.pace.ping = time.Second, time.Second })
	eventually(t, "connected", func() bool { return strings.Contains(strings.Join(b.topics(), " "), "boards") })
	b.script(func(b *fake) { b.deaf = maps.Clone(b.conns) })
	eventually(t, "another connection", func() bool { b.mu.Lock(); defer b.mu.Unlock(); return b.logins == 2 })
	f.shuffle("table-07", 2)
	eventually(t, "delivered", func() bool { return f.ackedUpTo("table-07") == 2 })
}

// A clean end tells what there is to tell and says offline before DISCONNECT, once (MQ-18, MQ-19); another configuration
// is read by a start after that (MQ-23).
func TestCleanStop(t *testing.T) {
	eachBroker(t, func(t *testing.T, s *station) {
		f := newScripted("table-07")
		w := watch(t, s.url, s.user, s.pass, fakeBase+"#")
		p := openDoor(t, f, s.door)
		eventually(t, "online", func() bool { return w.last(fakeBase+"table-07/status") == "offline" })
		f.shuffle("table-07", 5)
		p.stop()
		eventually(t, "offline", func() bool { return w.last(fakeBase+"status") == "offline" })
		checkSeqs(t, w.seqs(t, fakeBase+"table-07/event"), 5)
		w.say(t, "boardd/v1/club/cmd/end", "", false) // whatever else was to come has come before this
		eventually(t, "the end", func() bool { return len(w.all(fakeBase+"cmd/end")) == 1 })
		var said []string
		for _, m := range w.all(fakeBase + "status") {
			said = append(said, m.body)
		}
		// Said twice is said once: a will of somebody's former connection may have been answered meanwhile.
		if got := strings.Join(slices.Compact(said), " "); got != "online offline" {
			t.Errorf("said %s", got)
		}
	})
}

// A node that cannot reach its broker stops at once all the same.
func TestStopWithoutBroker(t *testing.T) {
	t.Parallel()
	f := newScripted("table-07")
	p := openDoor(t, f, Options{URL: fmt.Sprintf("mqtt://127.0.0.1:%d", freePort(t))})
	eventually(t, "the error", func() bool { return len(p.log.lines("no broker answers there")) == 1 })
	start := time.Now()
	p.stop()
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("it took %v", took)
	}
	if l := p.log.lines("level=ERROR"); len(l) != 1 {
		t.Errorf("an outage is one line, not %d", len(l))
	}
}

// A broker that accepts and says nothing does not hold the end up either.
func TestStopAtASilentBroker(t *testing.T) {
	t.Parallel()
	b := newFake(t)
	b.script(func(b *fake) { b.onPublish = func(*packets.PublishPacket) verdict { return withhold } })
	p := openDoor(t, newScripted("table-07"), Options{URL: b.url()}, func(d *Door) { d.pace.leave = 50 * time.Millisecond })
	eventually(t, "online is tried", func() bool { return len(b.topics()) >= 2 })
	start := time.Now()
	p.stop()
	if took := time.Since(start); took > 3*time.Second {
		t.Errorf("it took %v", took)
	}
}
