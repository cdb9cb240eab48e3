package chaos

import (
	"math/rand/v2"
	"os"
	"syscall"
	"time"
)

// between waits some time from low to high, or until the evening is over; it reports whether it goes on.
func (e *evening) between(dice *rand.Rand, low, high time.Duration) bool {
	if high > low {
		low += time.Duration(dice.Int64N(int64(high - low)))
	}
	wait(low, e.over)
	return !e.done()
}

// brokerFails ends the broker and starts it again.
var brokerFails = trouble{name: "broker", low: 1 * time.Second, high: 4 * time.Second, strike: func(e *evening, dice *rand.Rand) {
	if dice.IntN(2) == 0 {
		e.broker.stop(syscall.SIGTERM)
		e.tally.note("broker: ended and started again")
	} else {
		e.lossy.Store(true)
		e.broker.stop(os.Kill)
		e.tally.note("broker: killed and started again")
	}
	e.between(dice, 10*time.Millisecond, 4*time.Second)
	e.broker.start()
}}

// networkFails does to boardd's connection what networks do.
var networkFails = trouble{name: "network", low: 500 * time.Millisecond, high: 3 * time.Second, strike: func(e *evening, dice *rand.Rand) {
	switch dice.IntN(6) {
	case 0:
		e.proxy.stall(true)
		e.tally.note("network: stalled")
		e.between(dice, 200*time.Millisecond, 13*time.Second)
		e.proxy.stall(false)
	case 1:
		if e.proxy.drop() > 0 {
			e.tally.note("network: closed")
		}
	case 2:
		if e.proxy.reset() > 0 {
			e.tally.note("network: reset")
		}
	case 3:
		if e.proxy.halve() > 0 {
			e.tally.note("network: half a packet, then reset")
		}
	case 4:
		if e.proxy.lose() > 0 {
			e.tally.note("network: fell silent for good")
		}
	case 5:
		e.proxy.refuse(true)
		e.proxy.reset()
		e.tally.note("network: nobody let in")
		e.between(dice, 100*time.Millisecond, 3*time.Second)
		e.proxy.refuse(false)
	}
}}

// resets is what of networkFails is over soon.
var resets = trouble{name: "resets", low: time.Second, high: 3 * time.Second, strike: func(e *evening, dice *rand.Rand) {
	if dice.IntN(2) == 0 {
		e.proxy.halve()
		e.tally.note("network: half a packet, then reset")
	} else {
		e.proxy.reset()
		e.tally.note("network: reset")
	}
}}

// killed kills boardd in the midst of whatever it does. The hands rest as they are, perhaps with a man in the air, or end the move
// that is under way while nobody reads.
var killed = trouble{name: "killed", low: 300 * time.Millisecond, high: 3 * time.Second, strike: func(e *evening, dice *rand.Rand) {
	e.kill(dice)
}}

func (e *evening) kill(dice *rand.Rand) {
	e.killing.Lock()
	defer e.killing.Unlock()
	whole := dice.IntN(3) == 0
	midway := false
	for _, tb := range e.tables {
		tb.hands.pause(whole)
	}
	if !whole {
		for _, tb := range e.tables {
			midway = midway || tb.hands.midway()
		}
		wait(time.Duration(dice.IntN(400))*time.Millisecond, nil) // some moment of what follows the last touch
	}
	_ = e.daemon.stop(syscall.SIGKILL)
	if e.daemon.failing() {
		e.tally.note("boardd killed while it went on in memory")
		e.recorder.rekey()
	}
	switch {
	case whole:
		e.tally.note("boardd killed; hands ended their moves meanwhile")
	case midway:
		e.tally.note("boardd killed in the midst of a move")
	default:
		e.tally.note("boardd killed between moves")
	}
	for _, tb := range e.tables {
		tb.hands.calm()
	}
	e.restart()
	for _, tb := range e.tables {
		tb.hands.goOn()
	}
}

// diskFails makes the disk slow, stand still, refuse to sync, or full; boardd is killed while it is slow.
var diskFails = trouble{name: "disk", low: 500 * time.Millisecond, high: 3 * time.Second, strike: func(e *evening, dice *rand.Rand) {
	short := func() { e.between(dice, 500*time.Millisecond, 3*time.Second) }
	long := func() { wait(time.Duration(7000+dice.IntN(3000))*time.Millisecond, nil) }
	switch dice.IntN(7) {
	case 0:
		e.tally.note("disk: each sync takes 0.5 s")
		over := e.daemon.inject(slowDisk)
		short()
		over()
	case 1, 2:
		e.tally.note("disk: each sync takes 0.5 s, and boardd is killed")
		over := e.daemon.inject(slowDisk)
		short()
		e.between(dice, time.Millisecond, 500*time.Millisecond)
		if e.daemon.failing() {
			e.tally.note("disk: so slow that boardd goes on in memory")
		} else {
			e.kill(dice)
		}
		over()
	case 3:
		e.tally.note("disk: full for less than 5 s")
		over := e.daemon.inject(fullDisk)
		short()
		over()
	case 4:
		e.tally.note("disk: full for longer")
		over := e.daemon.inject(fullDisk)
		long()
		over()
	case 5:
		e.tally.note("disk: stands still for 9 s")
		over := e.daemon.inject(deadDisk)
		long()
		over()
	case 6:
		e.tally.note("disk: syncs fail")
		over := e.daemon.inject(sickDisk)
		if dice.IntN(2) == 0 {
			short()
		} else {
			long()
		}
		over()
	}
}}
