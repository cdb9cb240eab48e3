package dgt

import (
	"fmt"
	"strings"

	"github.com/boardd/boardd/board"
)

// Waits for the clock, in milliseconds of a wall clock, and how often it is told (protocols/dgt.md section 8).
const (
	ackMs      = 2000
	orderTries = 3
	quietMs    = 1000 // after an answer, the times cannot be asked for
	ordersMost = 16   // that wait
)

// setMode is the mode of an XL in which it can be set.
const setMode = 23

// OrderResult says what became of an order.
type OrderResult struct {
	Order   board.ClockOrder
	Problem string // one line that says what to do; "" when it was carried out
}

// orders are what the clock is to be told, one after another: it takes one at a time.
type orders struct {
	queue   []board.ClockOrder
	results []OrderResult

	under   underway
	ackedAt int64 // when the clock last answered a command, 0 for never
	asked   bool  // the clock has been asked for its version
}

// underway is the command that waits for its answer.
type underway struct {
	bytes   []byte // nil for none
	version bool   // it asks which clock it is, for the first order of the queue
	order   board.ClockOrder
	due     int64
	tries   int
	refused int
	again   bool // it is to be written again
	scale   int64
}

// Clock implements board.ClockSetter. What becomes of the order Results says; what went wrong stands in Notes too.
func (m *Machine) Clock(o board.ClockOrder) {
	q := &m.orders
	switch {
	case m.raw:
		return
	case m.bus != nil:
		m.finish(o, "how to speak to a clock on a bus is not known: connect the board alone, and leave bus mode out of the configuration")
	case m.info.ClockAbsent:
		m.finish(o, "no clock is plugged into the board")
	case !orderable(o):
		m.finish(o, "the clock shows times from 0 to 9:59:59")
	case len(q.queue) > 0 && o.Kind == board.ShowText && q.queue[len(q.queue)-1].Kind == board.ShowText && !(len(q.queue) == 1 && q.under.bytes != nil):
		m.finish(q.queue[len(q.queue)-1], "another text came before it was shown")
		q.queue[len(q.queue)-1] = o
	case len(q.queue) >= ordersMost:
		m.finish(o, "too many orders wait for the clock")
	default:
		q.queue = append(q.queue, o)
	}
}

const longestTime = (9*3600 + 59*60 + 59) * 1000

func orderable(o board.ClockOrder) bool {
	return o.Kind != board.SetClock || o.LeftMs >= 0 && o.LeftMs <= longestTime && o.RightMs >= 0 && o.RightMs <= longestTime
}

// Results gives what became of orders since the last call, in the order in which it was known.
func (m *Machine) Results() []OrderResult {
	r := m.orders.results
	m.orders.results = nil
	return r
}

func (m *Machine) finish(o board.ClockOrder, problem string) {
	if len(m.orders.results) >= ordersMost { // nobody asks
		m.orders.results = m.orders.results[1:]
	}
	m.orders.results = append(m.orders.results, OrderResult{o, problem})
	if problem != "" {
		m.notes.Say(m.now, noteOrder, "the clock was not told what to do: "+problem)
	}
}

// setting reports whether the clock is being set just now.
func (q *orders) setting() bool {
	return q.under.bytes != nil && !q.under.version && (q.under.order.Kind == board.SetClock || q.under.order.Kind == board.RunClock)
}

// quietUntil is until when the clock's times cannot be asked for.
func (q *orders) quietUntil() int64 {
	if q.under.bytes != nil {
		return q.under.due + quietMs*q.under.scale
	}
	return q.ackedAt
}

// interrupted is the loss of the board: what was under way is told again afterwards.
func (q *orders) interrupted() {
	if q.under.bytes != nil {
		q.under = underway{}
	}
	q.asked = false
}

// orderDue is when writeOrder has something to write.
func (m *Machine) orderDue() int64 {
	q := &m.orders
	switch {
	case q.under.bytes != nil && q.under.again:
		return m.now
	case q.under.bytes != nil:
		return q.under.due
	case len(q.queue) > 0:
		return m.now
	}
	return never
}

// orderTimers gives up waiting for an answer.
func (m *Machine) orderTimers() {
	u := &m.orders.under
	if u.bytes == nil || u.again || m.now < u.due {
		return
	}
	if u.tries < orderTries {
		u.again = true
		return
	}
	m.concluded("the clock does not answer: see whether it is plugged in and switched on")
}

// concluded ends what is under way.
func (m *Machine) concluded(problem string) {
	q := &m.orders
	u := q.under
	q.under = underway{}
	if u.version {
		return // an XL may not say its version; the order tries for itself
	}
	o := q.queue[0]
	q.queue = append(q.queue[:0], q.queue[1:]...)
	if problem == "" && (o.Kind == board.SetClock || o.Kind == board.RunClock) {
		m.clock = clockFilter{} // what it shows from now on is right, however far it is from what it showed
	}
	m.finish(o, problem)
}

// writeOrder is the next command to the clock, nil for none now.
func (m *Machine) writeOrder() []byte {
	q := &m.orders
	u := &q.under
	if u.bytes == nil && len(q.queue) > 0 {
		o := q.queue[0]
		*u = underway{order: o, again: true}
		if o.Kind == board.ShowText && m.info.ClockMajor == 0 && !q.asked && !m.hasRevText() {
			q.asked, u.version, u.bytes = true, true, clockCommand(orderVersion)
		} else if u.bytes = m.orderBytes(o); u.bytes == nil {
			m.concluded("the clock's times are not known yet")
			return nil
		}
	}
	if u.bytes == nil || !u.again {
		return nil
	}
	u.again, u.due, u.scale = false, m.now+ackMs*m.scale, m.scale
	u.tries++
	return u.bytes
}

// ack takes what the clock says of a command, or by itself.
func (m *Machine) ack(a Ack) {
	m.info.Acks++
	if a.Auto() {
		m.clockSpeaks(a)
		return
	}
	if major, minor, ok := a.ClockVersion(); ok {
		m.info.ClockMajor, m.info.ClockMinor = major, minor
	}
	q := &m.orders
	u := &q.under
	if !a.OK() {
		m.info.AckErrors++
	}
	if u.bytes == nil || u.again || !a.answers(u.bytes[3]) {
		if !a.OK() {
			m.notes.Say(m.now, noteAck, "the clock refused a command ("+a.String()+"); moves are read all the same")
		}
		return
	}
	q.ackedAt = m.now + quietMs*m.scale
	switch {
	case a.OK():
		m.concluded("")
	case u.refused == 0 && u.tries < orderTries:
		u.refused++
		u.again = true
	case u.order.Kind == board.SetClock || u.order.Kind == board.RunClock:
		m.concluded(fmt.Sprintf("it refused (%v): turn it to its option %d", a, setMode))
	default:
		m.concluded(fmt.Sprintf("it refused (%v)", a))
	}
}

// answers reports whether the clock may mean a command with this number: some clocks say of all that show something that a
// display is done, and one says nothing but that it failed.
func (a Ack) answers(order byte) bool {
	if !a.OK() && a[1] == 0 {
		return true
	}
	shows := order == orderText || order == orderRevText || order == orderEnd || order == orderIcons
	return a[1] == order || shows && a[1] == orderDisplay
}

// clockSpeaks takes what the clock says by itself.
func (m *Machine) clockSpeaks(a Ack) {
	switch a[1] {
	case ackReady:
		m.info.ClockMajor, m.info.ClockMinor, m.info.ClockMode, m.orders.asked = 0, 0, 0, false // it may be another one
	case ackButton:
		if name := buttonName(a); name != "" {
			m.emit(board.Input{Kind: board.Button, ButtonName: name})
		}
	case ackMode:
		m.info.ClockMode = a[3]
	case ackNotSettable:
		m.notes.Say(m.now, noteAck, fmt.Sprintf("the clock cannot be set from here: turn it to its option %d", setMode))
	}
}

// What a clock says by itself.
const (
	ackReady       = 0x81
	ackButton      = 0x88
	ackMode        = 0x8A
	ackNotSettable = 0x90
)

// buttonNames are the clock's buttons in the order in which two together are named: their bit, and the code of the last.
var buttonNames = [...]struct {
	name      string
	bit, code byte
}{
	{"clock_back", 0x04, 0x31}, {"clock_minus", 0x20, 0x34}, {"clock_run", 0x10, 0x33}, {"clock_plus", 0x08, 0x32}, {"clock_ok", 0x40, 0x35},
}

// buttonName names the buttons that were pressed, "" if there is none such. The code counts first: some clocks leave the bits out.
func buttonName(a Ack) string {
	var names []string
	for _, b := range buttonNames {
		switch {
		case a[3] == b.code:
			return strings.Join(append(names, b.name), "+")
		case a[2]&b.bit != 0:
			names = append(names, b.name)
		}
	}
	return ""
}
