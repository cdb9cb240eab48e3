package leds

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/rules"
)

func sq(name string) rules.Square {
	s, ok := rules.ParseSquare(name)
	if !ok {
		panic(name)
	}
	return s
}

func set(names ...string) (b rules.Bitboard) {
	for _, n := range names {
		b |= sq(n).Bit()
	}
	return b
}

// view is a quiet view at full brightness with men on the named squares; edit says what is going on.
func view(men string, edit func(*game.View)) *game.View {
	v := &game.View{
		Placement: board.EmptyPicture(), Mode: "casual", Status: "playing", LightsOn: true, Brightness: 100,
		Promotion: rules.NoSquare, Check: rules.NoSquare,
	}
	for i := 0; i+1 < len(men); i += 3 {
		v.Placement[sq(men[i:i+2])] = board.Something
	}
	if edit != nil {
		edit(v)
	}
	return v
}

var (
	orange = DefaultPalette.Remove
	blue   = DefaultPalette.Put
	white  = DefaultPalette.Info
	dimW   = board.RGB{R: 63, G: 63, B: 63}
)

type lit map[string]board.RGB

// diagonals are what shows which board it is.
var diagonals = func() lit {
	l := lit{}
	for i := range 8 {
		l[rules.NewSquare(i, i).String()], l[rules.NewSquare(i, 7-i).String()] = white, white
	}
	return l
}()

func (l lit) frame() (f board.Frame) {
	for name, c := range l {
		f[sq(name)] = c
	}
	return f
}

func TestCompose(t *testing.T) {
	t.Parallel()
	// now 0 begins the lit phase of slow and fast; at 300 fast is dark and slow lit; at 700 both are dark.
	type at struct {
		now  int64
		want lit
	}
	cases := []struct {
		name  string
		view  *game.View
		style func(*Style)
		at    []at
	}{
		{"nothing", view("", nil), nil, []at{{0, nil}}},
		{"no view", nil, nil, []at{{0, nil}}},
		{"desync", view("e5", func(v *game.View) { v.Remove, v.Put = set("e5"), set("e2", "d2") }), nil, []at{
			{0, lit{"e5": orange, "e2": blue, "d2": blue}},
			{199, lit{"e5": orange, "e2": blue, "d2": blue}},
			{200, lit{"e2": blue, "d2": blue}},
			{400, lit{"e5": orange, "e2": blue, "d2": blue}},
			{500, lit{"e5": orange}},
			{700, nil},
			{1000, lit{"e2": blue, "d2": blue}},
		}},
		{"which board is this, whatever else there is", view("e5", func(v *game.View) { v.Identify, v.Remove = 5000, set("e5") }), nil, []at{
			{0, diagonals}, {300, diagonals}, {4999, diagonals}, {5100, nil}, {5300, lit{"e5": orange}},
		}},
		{"which board is this, while it is observed", view("e5", func(v *game.View) { v.Identify, v.Mode = 5000, game.Observer }), nil, []at{{0, nil}}},
		{"illegal move", view("e5", func(v *game.View) { v.Illegal = &game.Shown{From: sq("e2"), To: sq("e5"), Victim: rules.NoSquare} }), nil, []at{
			{0, lit{"e5": orange, "e2": blue}}, {300, lit{"e2": blue}}, {700, nil},
		}},
		{"illegal capture, its man still standing", view("d7", func(v *game.View) { v.Illegal = &game.Shown{From: sq("e2"), To: sq("d7"), Victim: sq("d7")} }), nil, []at{
			{0, lit{"d7": orange, "e2": blue}},
		}},
		{"illegal capture, its man lifted", view("", func(v *game.View) { v.Illegal = &game.Shown{From: sq("e2"), To: sq("d7"), Victim: sq("d7")} }), nil, []at{
			{300, lit{"d7": blue, "e2": blue}},
		}},
		{"illegal move put back", view("e2", func(v *game.View) { v.Illegal = &game.Shown{From: sq("e2"), To: sq("e5"), Victim: rules.NoSquare} }), nil, []at{{0, nil}}},
		{"prompt for a queen", view("e8", func(v *game.View) { v.Promotion, v.Choice = sq("e8"), rules.Queen }), nil, []at{
			{0, lit{"e8": white}}, {150, nil}, {400, nil}, {2799, nil}, {2800, lit{"e8": white}},
		}},
		{"prompt for a rook", view("e8", func(v *game.View) { v.Promotion, v.Choice = sq("e8"), rules.Rook }), nil, []at{
			{400, lit{"e8": white}}, {550, nil}, {800, nil},
		}},
		{"prompt for a bishop", view("e8", func(v *game.View) { v.Promotion, v.Choice = sq("e8"), rules.Bishop }), nil, []at{
			{800, lit{"e8": white}}, {1200, nil},
		}},
		{"prompt for a knight", view("e8", func(v *game.View) { v.Promotion, v.Choice = sq("e8"), rules.Knight }), nil, []at{
			{1200, lit{"e8": white}}, {1350, nil}, {1600, nil},
		}},
		{"castling begun", view("g1 h1", func(v *game.View) { v.Debt = &game.Shown{From: sq("h1"), To: sq("f1"), Victim: rules.NoSquare} }), nil, []at{
			{0, lit{"h1": orange, "f1": blue}}, {300, lit{"f1": blue}},
		}},
		{"castling rook in the air", view("g1", func(v *game.View) { v.Debt = &game.Shown{From: sq("h1"), To: sq("f1"), Victim: rules.NoSquare} }), nil, []at{
			{0, lit{"f1": blue}},
		}},
		{"en-passant victim standing", view("d6 d5", func(v *game.View) {
			v.Debt = &game.Shown{From: sq("d5"), To: rules.NoSquare, Victim: rules.NoSquare}
		}), nil, []at{{0, lit{"d5": orange}}, {200, nil}}},
		{"doubt", view("d5 f5", func(v *game.View) { v.Doubtful = []rules.Square{sq("d5"), sq("f5")} }), nil, []at{
			{0, lit{"d5": white}}, {999, lit{"d5": white}}, {1000, lit{"f5": white}}, {2000, lit{"d5": white}},
		}},
		{"where a lifted piece may go", view("", func(v *game.View) { v.Targets = set("e3", "e4") }), nil, []at{
			{0, lit{"e3": white, "e4": white}}, {700, lit{"e3": white, "e4": white}},
		}},
		{"check", view("e1", func(v *game.View) { v.Check, v.CheckT = sq("e1"), 100 }), nil, []at{
			{200, lit{"e1": white}}, {2099, lit{"e1": white}}, {2100, nil},
		}},
		{"last move", view("e4", func(v *game.View) { v.Last = &game.Shown{From: sq("e2"), To: sq("e4"), Victim: rules.NoSquare} }), nil, []at{
			{0, lit{"e2": dimW, "e4": dimW}}, {700, lit{"e2": dimW, "e4": dimW}},
		}},
		{"last move not wanted", view("e4", func(v *game.View) { v.Last = &game.Shown{From: sq("e2"), To: sq("e4")} }),
			func(s *Style) { s.LastMove = false }, []at{{0, nil}}},
		{"last move on a display without levels", view("e4", func(v *game.View) { v.Last = &game.Shown{From: sq("e2"), To: sq("e4")} }),
			func(s *Style) { s.NoDimming = true }, []at{{0, nil}}},
		{"mate", view("e1 e8", func(v *game.View) { v.End = &game.End{T: 50, Winner: sq("e1"), Loser: sq("e8")} }), nil, []at{
			{100, lit{"e1": white, "e8": white}}, {300, lit{"e1": white}}, {10_049, lit{"e1": white, "e8": white}}, {10_050, nil},
		}},
		{"draw", view("e1 e8", func(v *game.View) { v.End = &game.End{Winner: sq("e1"), Loser: sq("e8"), Draw: true} }), nil, []at{
			{300, lit{"e1": white, "e8": white}}, {600, nil},
		}},
		{"trouble", view("", func(v *game.View) { v.Trouble = true }), nil, []at{
			{0, lit{"a1": white}}, {150, nil}, {4999, nil}, {5000, lit{"a1": white}},
		}},
		{"trouble beside a lit corner", view("", func(v *game.View) { v.Trouble, v.Put = true, set("a1") }), nil, []at{
			{0, lit{"a1": blue, "h1": white}},
		}},
		{"trouble at night", view("", func(v *game.View) { v.Trouble = true }), func(s *Style) { s.Night = true }, []at{{0, nil}}},
		{"night", view("", func(v *game.View) { v.Put = set("e4") }), func(s *Style) { s.Night = true }, []at{
			{0, lit{"e4": {G: 4, B: 12}}},
		}},
		{"brightness", view("", func(v *game.View) { v.Remove, v.Brightness = set("e4"), 25 }), nil, []at{{0, lit{"e4": {R: 63, G: 16}}}}},
		{"lowest brightness stays visible", view("", func(v *game.View) { v.Remove, v.Brightness = set("e4"), 1 }), nil, []at{{0, lit{"e4": {R: 2, G: 1}}}}},
		{"brightness 0", view("", func(v *game.View) { v.Remove, v.Brightness = set("e4"), 0 }), nil, []at{{0, nil}}},
		{"lights off", view("", func(v *game.View) { v.Remove, v.LightsOn = set("e4"), false }), nil, []at{{0, nil}}},
		{"ten minutes without a change", view("", func(v *game.View) { v.Put, v.LastChange = set("e4"), 1000 }), nil, []at{
			{600_999, nil}, {600_200, lit{"e4": blue}}, {601_000, nil}, {700_000, nil},
		}},
		{"turned board", view("", func(v *game.View) { v.Put, v.Turned = set("e2"), true }), nil, []at{{0, lit{"d7": blue}}}},
		{"observer playing", view("e5", func(v *game.View) {
			v.Mode = "observer"
			v.Remove, v.Put, v.Trouble = set("e5"), set("e2"), true
			v.Illegal = &game.Shown{From: sq("e2"), To: sq("e5")}
			v.Check, v.Last = sq("e1"), &game.Shown{From: sq("a2"), To: sq("a3")}
			v.Doubtful, v.Promotion, v.Choice = []rules.Square{sq("c3")}, sq("a8"), rules.Queen
			v.End = &game.End{Winner: sq("g1"), Loser: sq("g8")}
		}), nil, []at{{0, nil}, {1000, nil}}},
		{"observer setting up", view("e5", func(v *game.View) {
			v.Mode, v.SettingUp, v.Remove, v.Put, v.Check = "observer", true, set("e5"), set("e2"), sq("e1")
			v.Trouble, v.Targets, v.Last = true, set("h5"), &game.Shown{From: sq("a2"), To: sq("a3")}
		}), nil, []at{{0, lit{"e5": orange, "e2": blue}}}},
		{"a remote move: lift here, put there", view("g8", func(v *game.View) {
			v.Remote = &game.Carry{Lift: set("g8"), Put: set("f6")}
		}), nil, []at{{0, lit{"g8": orange, "f6": blue}}, {300, lit{"f6": blue}}, {700, nil}}},
		{"a remote castling, the king done", view("g8 h8", func(v *game.View) {
			v.Remote = &game.Carry{Lift: set("h8"), Put: set("f8")}
		}), nil, []at{{0, lit{"h8": orange, "f8": blue}}}},
		{"a remote move carried out", view("f6", func(v *game.View) { v.Remote = &game.Carry{} }), nil, []at{{0, nil}}},
		{"the wrong man lifted for a remote move", view("g8", func(v *game.View) {
			v.Illegal = &game.Shown{From: sq("b8"), To: rules.NoSquare, Victim: rules.NoSquare}
			v.Remote = &game.Carry{Lift: set("g8"), Put: set("f6")}
		}), nil, []at{{0, lit{"b8": blue, "g8": orange, "f6": blue}}, {300, lit{"b8": blue, "f6": blue}}}},
		{"trouble beside the board", view("", nil), func(s *Style) { s.Trouble = true }, []at{{0, lit{"a1": white}}, {150, nil}}},
		{"one by one: a man and its place", displaced("e5P d5R", "e2P d2R"), func(s *Style) { s.OneByOne = true }, []at{
			{0, lit{"d5": orange, "d2": blue}}, {300, lit{"d2": blue}},
		}},
		{"one by one: the man is in the hand", displaced("e5P", "e2P d2R"), func(s *Style) { s.OneByOne = true }, []at{{0, lit{"d2": blue}}}},
		{"one by one: a man too many", displaced("e5P", ""), func(s *Style) { s.OneByOne = true }, []at{{0, lit{"e5": orange}}}},
		{"one square at a time", displaced("e5P d5R", "e2P d2R"), func(s *Style) { s.OneSquare = true }, []at{
			{0, lit{"d5": orange}}, {200, nil}, {400, lit{"d5": orange}}, {1999, nil}, {2000, lit{"d2": blue}}, {2500, nil}, {3000, lit{"d2": blue}},
			{4000, lit{"d5": orange}},
		}},
		{"one square at a time, of what matters most", view("e5 e1", func(v *game.View) {
			v.Illegal = &game.Shown{From: sq("e2"), To: sq("e5"), Victim: rules.NoSquare}
			v.Check, v.Last, v.Trouble = sq("e1"), &game.Shown{From: sq("a2"), To: sq("a3")}, true
		}), func(s *Style) { s.OneSquare = true }, []at{{0, lit{"e5": orange}}, {2000, lit{"e2": blue}}, {2600, nil}, {4000, lit{"e5": orange}}}},
		{"one square at a time: where the last move went", view("e4", func(v *game.View) { v.Last = &game.Shown{From: sq("e2"), To: sq("e4")} }),
			func(s *Style) { s.OneSquare = true }, []at{{0, lit{"e4": dimW}}, {2000, lit{"e4": dimW}}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := DefaultStyle()
			if c.style != nil {
				c.style(&s)
			}
			for _, a := range c.at {
				if got, want := Compose(c.view, a.now, s), a.want.frame(); got != want {
					t.Errorf("at %d: got %v, want %v", a.now, named(got), a.want)
				}
			}
		})
	}
}

func named(f board.Frame) lit {
	l := lit{}
	for i, c := range f {
		if c != (board.RGB{}) {
			l[rules.Square(i).String()] = c
		}
	}
	return l
}

// Every situation puts itself on e4; the list is the order of design: with the first n taken away, the next one shows.
func TestPriority(t *testing.T) {
	t.Parallel()
	e4 := sq("e4")
	rows := []struct {
		name string
		put  func(*game.View)
		want light
	}{
		{"superfluous", func(v *game.View) { v.Remove = e4.Bit() }, light{fast, orange, true}},
		{"missing", func(v *game.View) { v.Put = e4.Bit() }, light{slow, blue, true}},
		{"illegal", func(v *game.View) { v.Illegal = &game.Shown{From: sq("a1"), To: e4, Victim: rules.NoSquare} }, light{fast, orange, true}},
		{"promotion", func(v *game.View) { v.Promotion, v.Choice = e4, rules.Knight }, light{pulse4, white, true}},
		{"debt", func(v *game.View) { v.Debt = &game.Shown{From: e4, To: rules.NoSquare} }, light{fast, orange, true}},
		{"doubt", func(v *game.View) { v.Doubtful = []rules.Square{sq("a2"), e4} }, light{dark, board.RGB{}, true}},
		{"remote", func(v *game.View) { v.Remote = &game.Carry{Put: e4.Bit()} }, light{slow, blue, true}},
		{"targets", func(v *game.View) { v.Targets = e4.Bit() }, light{steady, white, true}},
		{"check", func(v *game.View) { v.Check = e4 }, light{steady, white, true}},
		{"last move", func(v *game.View) { v.Last = &game.Shown{From: sq("e2"), To: e4} }, light{steady, dimW, true}},
		{"end", func(v *game.View) { v.End = &game.End{Winner: sq("h5"), Loser: e4} }, light{fast, white, true}},
	}
	for first := range rows {
		for second := first + 1; second <= len(rows); second++ {
			v := view("e4", func(v *game.View) {
				rows[first].put(v)
				if second < len(rows) { // a pair: the higher hides the lower, and hides nothing elsewhere
					rows[second].put(v)
				} else { // all that is lower
					for _, r := range rows[first:] {
						r.put(v)
					}
				}
			})
			for _, one := range []bool{false, true} {
				if one && rows[first].want.blink == dark {
					continue // the candidate whose turn it is comes alone
				}
				s := DefaultStyle()
				s.OneSquare = one
				if first < 2 {
					v.Wanted = board.EmptyPicture()
				}
				p, _ := planFor(v, 0, s)
				got := p[e4]
				if one && got == (light{}) {
					p, _ = planFor(v, soloMs, s)
					got = p[e4]
				}
				if got != rows[first].want {
					t.Errorf("%s over %d, one square %v: got %+v, want %+v", rows[first].name, second, one, got, rows[first].want)
				}
			}
		}
	}
}

// A corner flashes for trouble only where nothing else is lit.
func TestTroubleMakesWay(t *testing.T) {
	t.Parallel()
	corners := set("a1", "h1", "a8", "h8")
	for n, want := range []string{"a1", "h1", "a8", "h8", ""} {
		v := view("", func(v *game.View) { v.Trouble = true })
		for i, q := 0, corners; i < n; i++ {
			v.Targets |= q.Pop().Bit()
		}
		p, _ := planFor(v, 0, DefaultStyle())
		got := ""
		for q, l := range p {
			if l.blink == flash {
				got += rules.Square(q).String()
			}
		}
		if got != want {
			t.Errorf("%d corners are lit: %q flashes, want %q", n, got, want)
		}
	}
}

// NextChange promises that nothing changes before it, is later than now, and lets nothing be missed.
func TestNextChange(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v := drawView(t)
		s := DefaultStyle()
		s.LastMove = rapid.Bool().Draw(t, "last move")
		s.OneByOne, s.OneSquare = rapid.Bool().Draw(t, "one by one"), rapid.Bool().Draw(t, "one square")
		s.Night, s.Trouble = rapid.Bool().Draw(t, "night"), rapid.Bool().Draw(t, "trouble")
		now := rapid.Int64Range(0, 12_000).Draw(t, "now")
		next := NextChange(v, now, s)
		if next != 0 && next <= now {
			t.Fatalf("next change %d is not later than %d", next, now)
		}
		end := next
		if next == 0 || next > now+12_000 {
			end = now + 12_000
		}
		was := Compose(v, now, s)
		for at := now; at < end; at++ {
			if Compose(v, at, s) != was {
				t.Fatalf("changed at %d, %d was promised", at, next)
			}
		}
	})
}

func TestNextChangeAtRest(t *testing.T) {
	t.Parallel()
	v := view("e4", func(v *game.View) { v.Last = &game.Shown{From: sq("e2"), To: sq("e4")} })
	for _, c := range []struct {
		name string
		now  int64
		want int64
	}{{"only the ten minutes end it", 5000, idleMs}, {"dark for good", idleMs, 0}} {
		if got := NextChange(v, c.now, DefaultStyle()); got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, got, c.want)
		}
	}
}

// No square flashes more than three times in a second while a view stands.
func TestThreeFlashesASecond(t *testing.T) {
	t.Parallel()
	for b := slow; b <= pulse4; b++ {
		var rises []int64
		for now := int64(1); now < 20_000; now++ {
			if b.on(now) && !b.on(now-1) {
				rises = append(rises, now)
			}
		}
		for i := 3; i < len(rises); i++ {
			if rises[i]-rises[i-3] < 1000 {
				t.Errorf("pattern %d rises at %v", b, rises[i-3:i+1])
			}
		}
	}
}

func drawView(t *rapid.T) *game.View {
	square := rapid.Custom(func(t *rapid.T) rules.Square { return rules.Square(rapid.IntRange(0, 64).Draw(t, "square")) })
	shown := rapid.Custom(func(t *rapid.T) *game.Shown {
		if rapid.Bool().Draw(t, "absent") {
			return nil
		}
		return &game.Shown{From: square.Draw(t, "from"), To: square.Draw(t, "to"), Victim: square.Draw(t, "victim")}
	})
	mask := rapid.Custom(func(t *rapid.T) rules.Bitboard { return square.Draw(t, "one").Bit() | square.Draw(t, "two").Bit() })
	v := view("", func(v *game.View) {
		v.Mode = rapid.SampledFrom([]string{"training", "casual", "observer"}).Draw(t, "mode")
		v.Status = rapid.SampledFrom([]string{"idle", "setup", "playing", "finished"}).Draw(t, "status")
		v.SettingUp = rapid.Bool().Draw(t, "setting up")
		if rapid.Bool().Draw(t, "remote") {
			v.Remote = &game.Carry{Lift: mask.Draw(t, "lift"), Put: mask.Draw(t, "carry to")}
		}
		v.Remove, v.Put, v.Targets = mask.Draw(t, "remove"), mask.Draw(t, "put"), mask.Draw(t, "targets")
		v.Illegal, v.Debt, v.Last = shown.Draw(t, "illegal"), shown.Draw(t, "debt"), shown.Draw(t, "last")
		v.Promotion, v.Choice = square.Draw(t, "promotion"), rules.Role(rapid.Byte().Draw(t, "choice"))
		v.Doubtful = rapid.SliceOfN(square, 0, 3).Draw(t, "doubt")
		v.Check, v.CheckT = square.Draw(t, "check"), rapid.Int64Range(0, 10_000).Draw(t, "check t")
		if rapid.Bool().Draw(t, "ended") {
			v.End = &game.End{T: rapid.Int64Range(0, 10_000).Draw(t, "end t"), Winner: square.Draw(t, "w"), Loser: square.Draw(t, "l"), Draw: rapid.Bool().Draw(t, "draw")}
		}
		v.Trouble, v.Turned = rapid.Bool().Draw(t, "trouble"), rapid.Bool().Draw(t, "turned")
		v.LightsOn, v.Brightness = rapid.IntRange(0, 9).Draw(t, "on") > 0, rapid.IntRange(-1, 120).Draw(t, "brightness")
		v.LastChange = rapid.Int64Range(0, 12_000).Draw(t, "last change")
	})
	return v
}
