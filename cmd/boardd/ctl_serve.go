package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/ctl"
	"github.com/boardd/boardd/daemon"
	"github.com/boardd/boardd/mqtt"
)

// socketPaths are where the socket for commands may be, best first; none if there is to be none.
func socketPaths(configured string) []string {
	return ctl.Paths(configured, config.DefaultSocket, os.Getenv("XDG_RUNTIME_DIR"))
}

// commands is what answers at the socket; nil where there is none. Without it boardd does all else.
func (m *Main) commands(feed *daemon.Daemon, door *mqtt.Door) func(context.Context) error {
	paths := socketPaths(m.Config.Node.Socket)
	if len(paths) == 0 {
		return nil
	}
	l, err := ctl.Listen(paths)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		m.Log.Warn("boardd ctl cannot reach this daemon: no folder for its socket is there that may be written to; name one in node.socket", "tried", strings.Join(paths, " "))
		return nil
	}
	if err != nil {
		m.Log.Warn("boardd ctl cannot reach this daemon (node.socket)", "err", err)
		return nil
	}
	m.Log.Info("takes commands of this computer (boardd ctl)", "socket", l.Addr())
	s := ctl.New(ctl.Options{Feed: feed, ArbiterEvents: feed.ArbiterEvents, State: door.State, Event: door.Event, Announce: door.Announce, Log: m.Log})
	return func(ctx context.Context) error { return s.Run(ctx, l) }
}
