package mqtt

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
)

// PurgeOptions say how to remove.
type PurgeOptions struct {
	DryRun bool // remove nothing
	Force  bool // also when the broker says that the node is online
}

// Purge removes all that lies retained at the broker of a node: what its topics say, and what Home Assistant was told. It gives the
// topics. The node must not run meanwhile, for it would say everything again; ClientID must be another than its own.
func Purge(ctx context.Context, o Options, how PurgeOptions) (topics []string, err error) {
	target, secure, err := o.complete()
	if err != nil {
		return nil, err
	}
	own, devices := o.Root+"/"+o.Node+"/", o.DiscoveryPrefix+"/device/"+o.Node+"/"
	var mu sync.Mutex
	found, alive := map[string]bool{}, false
	quiet := make(chan struct{}, 1)
	l := newLink(ctx, usualPace.dial)
	defer l.cut()
	c := paho.NewClient(paho.NewClientOptions().AddBroker(target.String()).
		SetClientID(o.ClientID).SetUsername(o.Username).SetPassword(o.Password).SetTLSConfig(secure).
		SetProtocolVersion(4).SetCleanSession(true).SetAutoReconnect(false).SetOrderMatters(true).
		SetConnectTimeout(usualPace.dial).SetWriteTimeout(5 * time.Second).SetCustomOpenConnectionFn(l.openWide).
		SetDefaultPublishHandler(func(_ paho.Client, m paho.Message) {
			mu.Lock()
			defer mu.Unlock()
			if m.Retained() && len(m.Payload()) > 0 {
				found[m.Topic()] = true
				alive = alive || m.Topic() == own+"status" && string(m.Payload()) == "online"
			}
			select {
			case quiet <- struct{}{}:
			default:
			}
		}))
	wait := func(t paho.Token) error {
		select {
		case <-t.Done():
			return t.Error()
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(usualPace.ack):
			return errSilent
		}
	}
	if err := wait(c.Connect()); err != nil {
		return nil, explain(err)
	}
	defer c.Disconnect(250)
	filters := map[string]byte{own + "#": 1, devices + "#": 1}
	token := c.SubscribeMultiple(filters, nil)
	if err := wait(token); err != nil {
		return nil, fmt.Errorf("subscribing: %w", err)
	}
	// What is retained comes at once after the SUBACK; nobody says when that was all.
	for silence := time.NewTimer(purgeSilence); ; silence.Reset(purgeSilence) {
		select {
		case <-quiet:
			continue
		case <-silence.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		break
	}
	mu.Lock()
	for topic := range found {
		topics = append(topics, topic)
	}
	running := alive
	mu.Unlock()
	if running && !how.Force && !how.DryRun {
		return nil, fmt.Errorf("node %s is online at the broker: stop its boardd first, or it says everything again", o.Node)
	}
	slices.Sort(topics)
	if how.DryRun {
		return topics, nil
	}
	for i, topic := range topics {
		if strings.ContainsAny(topic, "+#") {
			continue
		}
		if err := wait(c.Publish(topic, 1, true, []byte(nil))); err != nil {
			return topics[:i], fmt.Errorf("removing %s: %w", topic, err)
		}
	}
	return topics, nil
}

// purgeSilence is how long nothing has come when all that is retained is taken to be there.
const purgeSilence = time.Second
