package notes

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

const (
	silent Kind = iota
	refused
	kinds
)

func TestBook(t *testing.T) {
	t.Parallel()
	say := func(k Kind, text string) func(*Book, int64) {
		return func(b *Book, now int64) { b.Say(now, k, text) }
	}
	once := func(k Kind, text string) func(*Book, int64) {
		return func(b *Book, now int64) { b.Once(now, k, text) }
	}
	type at struct {
		now  int64
		do   func(*Book, int64) // nil: nothing comes up
		want []string           // of Take; nil for none
	}
	for _, c := range []struct {
		name  string
		scale int64
		steps []at
	}{
		{"nothing was said", 0, []at{{0, nil, nil}}},
		{"a line is read once", 0, []at{{0, say(silent, "a"), []string{"a"}}, {1, nil, nil}, {EveryMs * 2, nil, nil}}},
		{"the first comes at time 0 too", 0, []at{{0, say(silent, "a"), []string{"a"}}}},
		{"again within the minute", 0, []at{{5, say(silent, "a"), []string{"a"}}, {EveryMs + 4, say(silent, "a"), nil}}},
		{"again after the minute", 0, []at{{5, say(silent, "a"), []string{"a"}}, {EveryMs + 5, say(silent, "a"), []string{"a"}}}},
		{"other words, the same worry", 0, []at{{0, say(silent, "a"), []string{"a"}}, {1, say(silent, "b"), nil}}},
		{"another worry at the same time", 0, []at{{0, say(silent, "a"), []string{"a"}}, {0, say(refused, "b"), []string{"b"}}}},
		{"what was left out does not put off the next", 0, []at{
			{0, say(silent, "a"), []string{"a"}}, {EveryMs - 1, say(silent, "a"), nil}, {EveryMs, say(silent, "a"), []string{"a"}}}},
		{"a clock that runs faster", 10, []at{
			{0, say(silent, "a"), []string{"a"}}, {10*EveryMs - 1, say(silent, "a"), nil}, {10 * EveryMs, say(silent, "a"), []string{"a"}}}},
		{"once", 0, []at{{0, once(silent, "a"), []string{"a"}}, {EveryMs, once(silent, "a"), nil}, {EveryMs, say(silent, "a"), []string{"a"}}}},
		{"once after it was said", 0, []at{{0, say(silent, "a"), []string{"a"}}, {EveryMs, once(silent, "a"), nil}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := Book{Scale: c.scale}
			for i, s := range c.steps {
				if s.do != nil {
					s.do(&b, s.now)
				}
				if got := b.Take(); !slices.Equal(got, s.want) || got != nil && len(got) == 0 {
					t.Errorf("step %d at %d: %q, want %q", i, s.now, got, s.want)
				}
			}
		})
	}
}

// What nobody reads does not pile up, and keeps its order.
func TestUnread(t *testing.T) {
	t.Parallel()
	var b Book
	for minute := range int64(100) {
		b.Say(minute*EveryMs, refused, fmt.Sprint("refused ", minute))
		b.Say(minute*EveryMs, silent, fmt.Sprint("silent ", minute))
	}
	if got, want := b.Take(), []string{"refused 0", "silent 0"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	b.Say(100*EveryMs, silent, "silent 100")
	if got, want := b.Take(), []string{"silent 100"}; !slices.Equal(got, want) {
		t.Errorf("afterwards %q, want %q", got, want)
	}
}

// Lines of one kind are a minute apart, however they come up and are read, and the first of each kind is never lost.
func TestLinesAreAMinuteApart(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := Book{Scale: rapid.Int64Range(0, 3).Draw(t, "scale")}
		var now int64
		var written [kinds][]int64 // when what was read was written
		var said [kinds]bool
		take := func() {
			for _, text := range b.Take() {
				var k Kind
				var at int64
				if _, err := fmt.Sscan(text, &k, &at); err != nil {
					t.Fatal(err)
				}
				written[k] = append(written[k], at)
			}
		}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			now += rapid.Int64Range(0, EveryMs).Draw(t, "wait")
			k := Kind(rapid.IntRange(0, int(kinds)-1).Draw(t, "kind"))
			b.Say(now, k, fmt.Sprint(k, now))
			said[k] = true
			if rapid.Bool().Draw(t, "read") {
				take()
			}
		}
		take()
		for k, times := range written {
			if said[k] != (len(times) > 0) {
				t.Errorf("kind %d: said %v, read at %v", k, said[k], times)
			}
			for i := range times[min(1, len(times)):] {
				if times[i+1]-times[i] < EveryMs*max(b.Scale, 1) {
					t.Errorf("kind %d: written at %v", k, times)
				}
			}
		}
	})
}

// Patience begins with the first call, and ends once.
func TestAwait(t *testing.T) {
	t.Parallel()
	b := Book{Scale: 2}
	for _, c := range []struct {
		now, wake int64
		says      int
	}{
		{5, 5 + 2*PatienceMs, 0}, {7, 5 + 2*PatienceMs, 0}, {4 + 2*PatienceMs, 5 + 2*PatienceMs, 0},
		{5 + 2*PatienceMs, 0, 1}, {6 + 2*PatienceMs, 0, 0}, {20 * EveryMs, 0, 0},
	} {
		if wake := b.Await(c.now, silent, "dgt"); wake != c.wake {
			t.Errorf("at %d: wake %d, want %d", c.now, wake, c.wake)
		}
		if got := b.Take(); len(got) != c.says || c.says > 0 && got[0] != Unheard("dgt") {
			t.Errorf("at %d: %q", c.now, got)
		}
	}
}

// A driver is asked after each step, nearly always for nothing.
func TestNothingToSayCostsNothing(t *testing.T) {
	var b Book
	b.Say(0, silent, "a")
	b.Take()
	if n := testing.AllocsPerRun(100, func() { b.Say(1, silent, "a"); b.Take() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
