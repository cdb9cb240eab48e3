package mqtt

import (
	"log/slog"
	"sync"
	"testing"
	"time"
)

// A broker ends although clients go meanwhile, of which each waits for the list of clients to be forgotten. That list must not be
// locked twice for one look at it: whoever waits in between lets nobody in any more.
func TestBrokerEndsWhileClientsGo(t *testing.T) {
	t.Parallel()
	for range 40 { // one in four stood still
		b, err := StartBroker(BrokerOptions{Listen: "127.0.0.1:0", Node: "club", Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		stop := make(chan struct{})
		var begun, going sync.WaitGroup
		for range 4 {
			begun.Add(1)
			going.Go(func() {
				b.server.Clients.Delete("somebody")
				begun.Done()
				for {
					select {
					case <-stop:
						return
					default:
						b.server.Clients.Delete("somebody")
					}
				}
			})
		}
		begun.Wait()
		ended := make(chan error, 1)
		go func() { ended <- b.Close() }()
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(patience):
			t.Fatal("the broker does not end")
		}
		close(stop)
		going.Wait()
	}
}
