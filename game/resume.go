package game

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing"
	"reflect"
	"slices"
)

// Resume is what a table goes on from after a stop: what was safe of the table before. All of it is plain data that survives JSON.
type Resume struct {
	Snapshot *Snapshot // the last one
	Ago      int64     // how long before this table's time 0 that was, in milliseconds; not negative
	Answers  []Answer  // to commands with an id, oldest first
}

// Answer is a reply of before, so that the same command id gets it again.
type Answer struct {
	ID    string
	Ago   int64 // milliseconds before this table's time 0
	Reply Reply
}

// Kept is what only the table itself needs to know again. Its times are core times, like those of the snapshot that holds it; its
// plies are UCI.
type Kept struct {
	Turned, Oriented, Fixed bool

	// What the configuration said. Who has changed it since means it: then it counts, and not what was set by a command.
	ConfiguredBrightness int
	ConfiguredPromotion  string
	ConfiguredMode       string

	Asked, Stood bool  `json:",omitempty"` // of the game
	EndT, CheckT int64 `json:",omitempty"`
	Open         []int `json:",omitempty"` // plies whose press is still to come
	Claim        int   `json:",omitempty"`

	Retracted     int      `json:",omitempty"`
	Guide         []string `json:",omitempty"`
	Due           []int    `json:",omitempty"` // plies made elsewhere that are still to be carried out
	Desync        bool     `json:",omitempty"`
	Misset        bool     `json:",omitempty"`
	AsSetUp       bool     `json:",omitempty"`
	Kings         string   `json:",omitempty"`
	Doubts        int64    `json:",omitempty"` // of the table's own
	Seen          int64    `json:",omitempty"` // the last number of the tracker's
	Doubt         *keptDoubt
	Prompt        *keptPrompt
	Illegal       *keptIllegal
	Clock         *keptClock
	BatteriesSaid [2]bool
}

// equal reports whether both keep the same.
func (k *Kept) equal(o *Kept) bool {
	return k.Turned == o.Turned && k.Oriented == o.Oriented && k.Fixed == o.Fixed &&
		k.ConfiguredBrightness == o.ConfiguredBrightness && k.ConfiguredPromotion == o.ConfiguredPromotion && k.ConfiguredMode == o.ConfiguredMode &&
		k.Asked == o.Asked && k.Stood == o.Stood && k.EndT == o.EndT && k.CheckT == o.CheckT && slices.Equal(k.Open, o.Open) && k.Claim == o.Claim &&
		k.Retracted == o.Retracted && slices.Equal(k.Guide, o.Guide) && slices.Equal(k.Due, o.Due) && k.Desync == o.Desync && k.Misset == o.Misset &&
		k.AsSetUp == o.AsSetUp && k.Kings == o.Kings && k.Doubts == o.Doubts && k.Seen == o.Seen && k.BatteriesSaid == o.BatteriesSaid &&
		(k.Doubt == nil && o.Doubt == nil || reflect.DeepEqual(k.Doubt, o.Doubt)) &&
		(k.Prompt == nil && o.Prompt == nil || reflect.DeepEqual(k.Prompt, o.Prompt)) &&
		same(k.Illegal, o.Illegal) && same(k.Clock, o.Clock)
}

type keptDoubt struct {
	ID         int64
	Kind       string
	Base       []string
	Candidates [][]string
	Starts     []string // FEN
	Lines      [][]string
	Squares    rules.Bitboard
}

type keptPrompt struct {
	Line      []string // the last ply is the promotion
	Exchanges int
}

type keptIllegal struct {
	Piece    string
	From, To rules.Square
	Victim   rules.Square
	Seq      int64
	Asked    bool
	Pressed  bool
}

type keptClock struct {
	Reading board.Reading
	T       int64
	Lever   board.Side
	Flag    [2]bool
}

// kept is what the snapshot holds for the next table.
func (t *Table) kept() Kept {
	k := Kept{
		Turned: t.turned, Oriented: t.oriented, Fixed: t.fixed,
		ConfiguredBrightness: t.opt.Brightness, ConfiguredPromotion: t.opt.Promotion.String(), ConfiguredMode: t.configuredMode,
		Retracted: t.retracted, Desync: t.desync, Misset: t.misset, AsSetUp: t.asSetUp, Kings: t.kings,
		Doubts: t.doubts, Seen: t.lastDoubt, BatteriesSaid: [2]bool{t.power[0].said, t.power[1].said},
	}
	if c := &t.clock; c.known && c.said != nil {
		// The reading that is shown: others come each second, and are not worth a write.
		k.Clock = &keptClock{Reading: c.shown, T: c.said.T, Lever: c.lever, Flag: c.flag}
	}
	g := t.game
	if g == nil {
		return k
	}
	k.Asked, k.Stood, k.EndT, k.CheckT, k.Claim = g.asked, g.stood, g.endT, g.checkT, int(g.claim)
	for i := max(0, len(g.final)-2); i < len(g.final); i++ {
		if !g.final[i] {
			k.Open = append(k.Open, i)
		}
	}
	start := g.line.Start()
	if t.guide != nil {
		k.Guide = uciLine(start, t.guide)
	}
	if d := t.doubt; d != nil {
		kd := &keptDoubt{ID: d.id, Kind: d.kind, Base: uciLine(start, d.base), Squares: d.squares}
		after := t.position(d.base)
		for _, c := range d.candidates {
			kd.Candidates = append(kd.Candidates, uciLine(after, c))
		}
		for i, p := range d.starts {
			kd.Starts, kd.Lines = append(kd.Starts, p.FEN()), append(kd.Lines, uciLine(p, d.lines[i]))
		}
		k.Doubt = kd
	}
	if p := &t.prompt; p.square != rules.NoSquare && len(p.line) > 0 {
		k.Prompt = &keptPrompt{uciLine(start, p.line), p.exchanges}
	}
	if s := t.illegal; s != nil && s.said {
		k.Illegal = &keptIllegal{Piece: s.piece.String(), From: s.from, To: s.to, Victim: s.victim, Seq: s.seq, Asked: s.asked, Pressed: s.pressed}
	}
	return k
}

// uciLine writes legal plies from a position.
func uciLine(p rules.Position, moves []rules.Move) []string {
	out := make([]string, 0, len(moves))
	for _, m := range moves {
		if !p.IsLegal(m) {
			break
		}
		out = append(out, p.UCI(m))
		p.Play(m)
	}
	return out
}

// readLine reads them; ok is false when one is not legal.
func readLine(p rules.Position, uci []string) (moves []rules.Move, ok bool) {
	for _, text := range uci {
		m, err := p.ParseUCI(text)
		if err != nil {
			return moves, false
		}
		moves = append(moves, m)
		p.Play(m)
	}
	return moves, true
}

// maxAgo bounds how long a table may be thought to have stood still: a computer's clock may be years off.
const maxAgo = 400 * 24 * 3600_000

// restore makes the table what it was; false when that cannot be: then it begins anew.
func (t *Table) restore(r *Resume) bool {
	s := r.Snapshot
	if s == nil {
		return false
	}
	shift := -s.T - min(max(r.Ago, 0), maxAgo) // from core times of before to ours
	k := &s.Kept
	g, ok := restoreGame(s, shift)
	if !ok {
		return false
	}
	for _, a := range r.Answers {
		t.answers = append(t.answers, answer{a.ID, -min(max(a.Ago, 0), maxAgo), a.Reply})
	}
	if s.LastGame != nil {
		last := *s.LastGame
		last.StartedT += shift
		t.past = append(t.past, &last)
	}
	t.online, t.unseen, t.waking, t.lightsOn = s.Online, true, true, s.LightsOn
	if k.ConfiguredBrightness == t.opt.Brightness {
		t.brightness = s.LEDBrightness
	}
	if k.ConfiguredMode == t.configuredMode && s.Mode != "" {
		t.opt.Mode = s.Mode
	}
	if k.ConfiguredPromotion == t.opt.Promotion.String() {
		for _, p := range promotions {
			if p.String() == s.DefaultPromotion {
				t.promotion = p
			}
		}
	}
	if t.opt.Orientation != "white" && t.opt.Orientation != "black" {
		t.turned, t.oriented, t.fixed = k.Turned, k.Oriented, k.Fixed
	}
	t.doubts, t.earlier, t.lastDoubt, t.misset = k.Doubts, k.Seen, k.Seen, k.Misset
	for i := range t.power {
		t.power[i].said = k.BatteriesSaid[i]
	}
	t.restoreClock(k.Clock, shift)
	if g == nil {
		t.waitForStart()
		return true
	}
	t.game = g
	t.followOwing(k.Due)
	t.restoreQuestions(k)
	return true
}

// restoreGame builds the game again. Its SAN is written anew, so that a record which is not this game's is noticed.
func restoreGame(s *Snapshot, shift int64) (*play, bool) {
	r := s.Game
	if r == nil {
		return nil, true
	}
	variant, err := rules.ParseVariant(r.Variant)
	if err != nil {
		return nil, false
	}
	start, err := rules.ParsePosition(r.StartFEN, variant)
	if err != nil {
		return nil, false
	}
	n := len(r.UCI)
	if len(r.SAN) != n || len(r.AtMs) != n || len(r.ClkMs) != n {
		return nil, false
	}
	k := &s.Kept
	g := &play{
		id: r.ID, startedT: r.StartedT + shift, start: r.StartFEN,
		white: r.White, black: r.Black, timeControl: r.TimeControl, result: r.Result, reason: r.Reason, irregular: r.Irregular,
		event: r.Event, site: r.Site, round: r.Round, table: r.Table, paused: s.Status == "paused",
		asked: k.Asked, stood: k.Stood, claim: rules.Claim(k.Claim), offer: s.DrawOffer, endT: k.EndT + shift, checkT: k.CheckT + shift,
	}
	from := 0
	for i := range len(r.Stood) + 1 {
		to := n
		if i < len(r.Stood) {
			to = r.Stood[i].Ply - 1
		}
		if to < from || to > n {
			return nil, false
		}
		moves, ok := readLine(start, r.UCI[from:to])
		if !ok {
			return nil, false
		}
		g.stretch = stretch{line: rules.NewLine(start)}
		for j, m := range moves {
			g.push(m, r.ClkMs[from+j], r.AtMs[from+j])
			g.final[j] = r.ClkMs[from+j] != nil
		}
		if i == len(r.Stood) {
			break
		}
		if to == n {
			return nil, false
		}
		if start, err = rules.ParsePosition(r.Stood[i].FEN, variant); err != nil {
			return nil, false
		}
		e := g.stretch // and the illegal ply that stands
		e.uci, e.san, e.clk = append(e.uci, r.UCI[to]), append(e.san, r.SAN[to]), append(e.clk, r.ClkMs[to])
		e.at, e.final = append(e.at, r.AtMs[to]), append(e.final, r.ClkMs[to] != nil)
		g.earlier, from = append(g.earlier, e), to+1
	}
	for _, i := range k.Open {
		if i >= 0 && i < len(g.final) {
			g.final[i] = false
		}
	}
	return g, true
}

// follow begins to track the board from the game's plies, with which it is taken to agree until it says otherwise.
func (t *Table) follow() { t.followOwing(nil) }

// followOwing is follow where plies made elsewhere, by their index, are still to be carried out: the board is taken to show what
// stood before the first of them.
func (t *Table) followOwing(due []int) {
	start, end, line := t.game.line.Start(), t.game.line.Position(), t.line()
	if len(due) > 0 && due[0] >= 0 && due[0] < len(line) {
		end, line = t.game.line.At(due[0]), line[:due[0]]
	}
	t.raw = t.turn(t.opt.see(&end))
	t.tr = t.track(end) // whose sensors thereby say what stands now
	if len(t.game.moves) == 0 {
		t.mirror = t.turnedToo(end)
		return
	}
	t.tr.Restart(start)
	t.tr.Confirm(line)
	if len(line) < len(t.game.moves) {
		t.owe(due)
		t.tr.Confirm(t.line())
	}
}

// restoreQuestions opens again what was open, without saying it again. What the board shows when it is seen decides what becomes
// of it.
func (t *Table) restoreQuestions(k *Kept) {
	start := t.game.line.Start()
	t.retracted, t.desync, t.asSetUp, t.kings = k.Retracted, k.Desync, k.AsSetUp, k.Kings
	if guide, ok := readLine(start, k.Guide); ok && len(guide) > len(t.game.moves) {
		t.guide = guide
	}
	if p := k.Prompt; p != nil {
		if line, ok := readLine(start, p.Line); ok && len(line) > len(t.game.moves) && common(line, t.game.moves) == len(t.game.moves) {
			m := line[len(line)-1]
			t.prompt = prompt{square: m.To(), ply: len(line) - 1, move: m, before: p.Exchanges, line: line, exchanges: p.Exchanges, steps: max(p.Exchanges-1, 0)}
		}
	}
	if x := k.Illegal; x != nil && len(x.Piece) == 1 {
		if man, ok := rules.PieceFromLetter(x.Piece[0]); ok {
			t.recalled = &standing{attempt: attempt{man, x.From, x.To, x.Victim}, said: true, seq: x.Seq, asked: x.Asked, pressed: x.Pressed}
		}
	}
	t.restoreDoubt(k.Doubt)
}

func (t *Table) restoreDoubt(k *keptDoubt) {
	if k == nil {
		return
	}
	start := t.game.line.Start()
	d := &asked{id: k.ID, kind: k.Kind, squares: k.Squares, recalled: true}
	var ok bool
	if d.base, ok = readLine(start, k.Base); !ok {
		return
	}
	after := start
	for _, m := range d.base {
		after.Play(m)
	}
	for _, c := range k.Candidates {
		moves, ok := readLine(after, c)
		if !ok {
			return
		}
		d.candidates = append(d.candidates, moves)
	}
	for i, fen := range k.Starts {
		p, err := rules.ParsePosition(fen, start.Variant())
		if err != nil || i >= len(k.Lines) {
			return
		}
		line, ok := readLine(p, k.Lines[i])
		if !ok {
			return
		}
		d.starts, d.lines = append(d.starts, p), append(d.lines, line)
	}
	switch d.kind {
	case "orientation":
		if t.mirror == nil || len(d.candidates) != 2 {
			return
		}
		t.mirror.suspect = true
	case "setup":
		if len(d.starts) == 0 || len(d.candidates) > len(d.starts) {
			return
		}
	}
	t.doubt = d
}

func (t *Table) restoreClock(k *keptClock, shift int64) {
	if k == nil {
		return
	}
	c := &t.clock
	c.known, c.reading, c.shown, c.t, c.lever, c.flag, c.ms = true, k.Reading, k.Reading, k.T+shift, k.Lever, k.Flag, t.timesOf(&k.Reading)
}

// firstSeen takes the first picture after a stop. What changed meanwhile nobody saw: a start position that stands there now was not
// reached by taking back.
func (t *Table) firstSeen(in *board.Input) {
	t.unseen, t.seenAt = false, t.now
	t.overlook(in)
	if in.Kind != board.Scan || t.game == nil || len(t.game.moves) == 0 {
		return
	}
	first := t.firstPosition()
	t.jumped = t.jumped || t.turn(in.Picture) == t.opt.see(&first)
}

// overlook tells the tracker that the picture which comes now shows the end of what nobody has seen.
func (t *Table) overlook(in *board.Input) {
	if in.Kind != board.Scan {
		return
	}
	t.tr.Overlook()
	if t.mirror != nil {
		t.mirror.Overlook()
	}
}

// recallMs is how long the tracker may take, after a stop, to find again that something is in doubt.
const recallMs = 4000

// recall finds the doubt of before in what the tracker asks now: then it is still the same question. With true it stays open, because
// the board has not rested yet.
func (t *Table) recall(d *asked, r *sensing.Report) bool {
	if !d.recalled {
		return false
	}
	if r.Doubt != nil && sameLine(r.Doubt.Base, d.base) && len(r.Doubt.Candidates) == len(d.candidates) {
		for _, c := range r.Doubt.Candidates {
			found := false
			for _, old := range d.candidates {
				found = found || sameLine(c.Moves, old)
			}
			if !found {
				return !t.rested(r, recallMs)
			}
		}
		d.seen, d.recalled = r.Doubt.ID, false
		return true
	}
	return !t.rested(r, recallMs)
}

func sameLine(a, b []rules.Move) bool { return len(a) == len(b) && common(a, b) == len(a) }
