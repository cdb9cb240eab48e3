package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	systemd "github.com/coreos/go-systemd/v22/daemon"

	"github.com/boardd/boardd/daemon"
	"github.com/boardd/boardd/driver/scan"
)

// manager is the service manager that has started boardd, as sd_notify(3) knows it.
type manager struct {
	send     func(state string) error
	watchdog time.Duration // how long it waits for a sign of life before it starts boardd anew; 0: it does not
}

// serviceManager is the one that the environment names; send is nil when none does.
func serviceManager() (manager, error) {
	if os.Getenv("NOTIFY_SOCKET") == "" {
		return manager{}, nil
	}
	watchdog, err := systemd.SdWatchdogEnabled(false)
	if err != nil {
		return manager{}, fmt.Errorf("WATCHDOG_USEC of the service manager: %w", err)
	}
	return manager{watchdog: watchdog, send: func(state string) error {
		_, err := systemd.SdNotify(false, state)
		return err
	}}, nil
}

// notifier tells the service manager how the daemon does: ready, once each board has answered or it is clear that it is not there;
// a sign of life while no board's loop hangs; in words, which boards are there and what is in trouble.
type notifier struct {
	manager
	house    *daemon.Daemon
	clock    daemon.Clock
	counters map[string]*scan.Counters // of boards whose sensors are asked
	beside   func() []string           // troubles beside the boards
	changed  <-chan struct{}           // says that beside may have
	patience time.Duration             // how long a board may neither answer nor fail before boardd is ready without it
	log      *slog.Logger

	said   string // the last status
	failed bool   // the manager did not take what was sent last
	hangs  string // boards that hung last
}

// readyPatience is how long a start waits for boards that are there and say nothing.
const readyPatience = 10 * time.Second

// run tells until ctx ends, and then that boardd is ending.
func (n *notifier) run(ctx context.Context) error {
	changed, cancel := n.house.Watch()
	defer cancel()
	var feed <-chan time.Time
	if n.watchdog > 0 {
		ticker := time.NewTicker(n.watchdog / 4)
		defer ticker.Stop()
		feed = ticker.C
	}
	ready := false
	late := time.NewTimer(n.patience)
	defer late.Stop()
	for over := false; ; {
		status, known := n.status()
		if !ready && (known || over) {
			ready, n.said = true, status
			n.tell(systemd.SdNotifyReady, "STATUS="+status)
		}
		if status != n.said {
			n.said = status
			n.tell("STATUS=" + status)
		}
		select {
		case <-ctx.Done():
			n.tell(systemd.SdNotifyStopping, "STATUS=ending")
			return nil
		case <-late.C:
			over = true
		case <-changed:
		case <-n.changed:
		case <-feed:
			n.feed(ctx)
		}
	}
}

// tell sends lines as one message.
func (n *notifier) tell(lines ...string) {
	err := n.send(strings.Join(lines, "\n"))
	if err != nil && !n.failed {
		n.log.Warn("the service manager does not hear", "err", err)
	}
	n.failed = err != nil
}

// feed gives the watchdog a sign of life unless a board's loop hangs, or a call to its sensor does. Boards that are not there do not hang:
// they are looked for again and again.
func (n *notifier) feed(ctx context.Context) {
	patience := n.watchdog / 4
	asking, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	hangs := n.house.Ping(asking)
	if ctx.Err() != nil {
		return
	}
	for _, b := range n.house.Boards() {
		if c := n.counters[b.ID]; c != nil {
			if at := c.Asked.Load(); at != 0 && n.clock.Now()-at > patience.Milliseconds() {
				hangs = append(hangs, b.ID)
			}
		}
	}
	said := strings.Join(hangs, " ")
	if said != n.hangs {
		if said != "" {
			n.log.Error("boards hang: unless they go on, the watchdog starts boardd anew", "boards", said)
		} else {
			n.log.Info("no board hangs any more")
		}
		n.hangs = said
	}
	if said == "" {
		n.tell(systemd.SdNotifyWatchdog)
	}
}

// status is how the boards do, in one line. known is false while of some board it is neither known that it is there nor that it is not.
func (n *notifier) status() (text string, known bool) {
	boards := n.house.Boards()
	known = true
	online := 0
	var away []string
	for _, b := range boards {
		switch h := n.house.Health(b.ID); {
		case h.Online && !h.Failed:
			online++
		case h.Fault != "":
			away = append(away, b.ID+": "+h.Fault)
		default:
			known = false
			away = append(away, b.ID+": has not answered yet")
		}
	}
	switch {
	case len(boards) == 0:
		text = "no board is configured"
	case online == 0:
		text = "no board yet"
	default:
		text = fmt.Sprintf("%d of %s online", online, count(len(boards), "board"))
	}
	text = strings.Join(append(append([]string{text}, away...), n.beside()...), "; ")
	return strings.Join(strings.Fields(text), " "), known // a line of its own would be a message of its own
}
