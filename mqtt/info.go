package mqtt

import (
	"time"

	"github.com/boardd/boardd/game"
)

// infoBody is the body of the node's topic info.
type infoBody struct {
	V             int        `json:"v"`
	Node          string     `json:"node"`
	Version       string     `json:"version"`
	LatestVersion *string    `json:"latest_version"`
	Session       int        `json:"session"` // connections since the start: tells a reconnect from a restart
	Started       string     `json:"started"`
	UptimeS       int64      `json:"uptime_s"`
	OutboxPending int        `json:"outbox_pending"`
	SetAside      int64      `json:"set_aside"`
	Store         *string    `json:"store"` // ok, low, failed, memory; null where nobody knows
	Commands      string     `json:"commands"`
	Refused       countsBody `json:"refused"`
}

func (d *Door) infoNow(now time.Time) infoBody {
	var store *string
	if h, ok := d.feed.(game.Health); ok {
		store = orNull(h.Store())
	}
	return infoBody{
		V: 1, Node: d.opt.Node, Version: d.opt.Version, Session: d.nth, Started: stamp(d.began),
		UptimeS: int64(now.Sub(d.began) / time.Second), OutboxPending: len(d.feed.Outbox(consumer, backlog)),
		SetAside: d.count.SetAside.Load(), Store: store, Commands: classNames[d.class], Refused: d.count.body(),
	}
}

func (d *Door) infoOf(now time.Time) []byte { return encode(d.infoNow(now)) }

// sayInfo publishes info when more than the uptime has changed, but not often.
func (s *session) sayInfo(now time.Time, must bool) error {
	if since := now.Sub(s.infoAt); !must && since >= 0 && since < s.pace.info {
		return nil
	}
	s.infoAt = now
	b := s.infoNow(now)
	body := encode(b)
	b.UptimeS = 0
	if still := string(encode(b)); still != s.info || must {
		s.info = still
		return s.publish("info", 1, true, body)
	}
	return nil
}
