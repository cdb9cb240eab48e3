package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/rules"
)

// player is a table whose outputs are kept.
type player struct {
	*game.Table
	tb    testing.TB
	store *Store
	id    string
	t     int64
	wake  int64
	pos   rules.Position
	last  *game.Snapshot
}

func newPlayer(tb testing.TB, s *Store, id string, resume bool) *player {
	tb.Helper()
	p := &player{tb: tb, store: s, id: id, pos: rules.Start()}
	o := game.Options{Games: id, Acuity: board.PieceAcuity, Start: &p.pos}
	if resume {
		var err error
		if o.Resume, err = s.Resume(id, zero.Add(time.Hour)); err != nil {
			tb.Fatal(err)
		}
		o.Games += "r"
	}
	start := p.pos
	o.Start = &start
	p.Table = game.NewTable(o)
	p.step(board.Input{Kind: board.Wake})
	return p
}

func (p *player) step(in board.Input) {
	p.tb.Helper()
	for in.T = p.t; p.wake != 0 && p.wake <= in.T; {
		p.one(board.Input{Kind: board.Wake, T: p.wake})
	}
	p.one(in)
}

func (p *player) one(in board.Input) {
	p.tb.Helper()
	out := p.Step(in)
	p.wake = out.Wake
	if out.Snapshot != nil {
		p.last = out.Snapshot
	}
	b := game.Batch{Board: p.id, T: in.T, Events: out.Events, Snapshot: out.Snapshot, Zero: zero, Synced: true}
	b.Answers = append(b.Answers, out.Replies...)
	if len(b.Events) > 0 || b.Snapshot != nil || len(b.Answers) > 0 {
		if err := p.store.Commit(b.Streams()); err != nil {
			p.tb.Fatal(err)
		}
	}
}

func (p *player) play(uci ...string) {
	p.tb.Helper()
	for _, u := range uci {
		m, err := p.pos.ParseUCI(u)
		if err != nil {
			p.tb.Fatal(err)
		}
		p.pos.Play(m)
		var q board.Picture
		for s := range rules.Square(64) {
			q[s] = board.PieceAcuity.See(p.pos.At(s))
		}
		p.t += 3000
		p.step(board.Input{Kind: board.Scan, Picture: q})
		p.t += 3000
		p.step(board.Input{Kind: board.Wake})
	}
}

func TestResumeGivesBackWhatWasCommitted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := opened(t, dir)
	p := newPlayer(t, s, "a", false)
	p.play("e2e4", "e7e5", "g1f3")
	bright := 70
	p.step(board.Input{Kind: board.Cmd, Command: &board.Command{Verb: "led_brightness", ID: "x", Value: &bright}})
	p.play("b8c6")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = opened(t, dir)
	r, err := s.Resume("a", zero.Add(time.Duration(p.t)*time.Millisecond+time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	got, want := *r.Snapshot, *p.last
	if !reflect.DeepEqual(got.Game, want.Game) {
		t.Errorf("game\n%+v, want\n%+v", got.Game, want.Game)
	}
	got.Game, want.Game = nil, nil
	if !reflect.DeepEqual(got.Kept, want.Kept) || got.Seq != want.Seq || got.LEDBrightness != 70 || got.T != want.T {
		t.Errorf("snapshot\n%+v, want\n%+v", got, want)
	}
	if r.Ago < 60_000 || r.Ago > 70_000 || len(r.Answers) != 1 || r.Answers[0].ID != "x" || r.Answers[0].Reply.Status != "ok" {
		t.Errorf("%d ms ago, answers %+v", r.Ago, r.Answers)
	}
	if back, _ := s.Resume("a", zero.Add(-time.Hour)); back == nil || back.Ago != 0 {
		t.Errorf("a clock that went back: %+v", back)
	}
	if none, err := s.Resume("b", zero); none != nil || err != nil {
		t.Errorf("%+v, %v", none, err)
	}
	q := newPlayer(t, s, "a", true)
	q.pos = p.pos
	q.play("f1b5")
	for g, err := range s.Games(Which{}) {
		if err != nil || strings.Join(g.UCI, " ") != "e2e4 e7e5 g1f3 b8c6 f1b5" || g.Day() != "2026.07.31" {
			t.Errorf("%+v, %v", g, err)
		}
	}
	c, err := s.Check()
	if err != nil || len(c.Faults) > 0 || c.Games != 1 || c.Plies != 5 || c.Boards != 1 {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestTakebackInTheStore(t *testing.T) {
	t.Parallel()
	s := opened(t, t.TempDir())
	p := newPlayer(t, s, "a", false)
	p.play("f2f3", "e7e5", "g2g4", "d8h4")
	unfiled := func() (list []string) {
		for g, err := range s.Unfiled() {
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, g.Result)
			if err := s.Filed(g); err != nil {
				t.Fatal(err)
			}
		}
		return list
	}
	if got := unfiled(); !slices.Equal(got, []string{"0-1"}) {
		t.Errorf("finished: %v", got)
	}
	if got := unfiled(); len(got) > 0 {
		t.Errorf("filed twice: %v", got)
	}
	p.step(board.Input{Kind: board.Cmd, Command: &board.Command{Verb: "takeback", Plies: 2}})
	for g, err := range s.Games(Which{Board: "a", Last: 1}) {
		if err != nil || len(g.UCI) != 2 || g.Result != "*" {
			t.Errorf("after the takeback %+v, %v", g, err)
		}
	}
	if got := unfiled(); len(got) > 0 {
		t.Errorf("a game that goes on was filed: %v", got)
	}
	if c, err := s.Check(); err != nil || len(c.Faults) > 0 || c.Plies != 2 {
		t.Errorf("%+v, %v", c, err)
	}
}

// A store that is damaged does not keep anybody from playing.
func TestDamagedStores(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(text []byte) []byte{
		"not a database": func([]byte) []byte { return []byte(strings.Repeat("no database at all ", 500)) },
		"cut off":        func(text []byte) []byte { return text[:len(text)/2] },
		"a wrong page": func(text []byte) []byte {
			for i := 4096; i < 3*4096; i++ {
				text[i] ^= 0xff
			}
			return text
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s := opened(t, dir)
			newPlayer(t, s, "a", false).play("e2e4", "e7e5")
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, File)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, spoil(text), 0o600); err != nil {
				t.Fatal(err)
			}
			s = opened(t, dir)
			if aside, _ := filepath.Glob(path + ".damaged*"); len(aside) == 0 {
				t.Error("nothing was moved aside")
			}
			newPlayer(t, s, "a", true).play("d2d4")
			if c, err := s.Check(); err != nil || len(c.Faults) > 0 || c.Games != 1 {
				t.Errorf("%+v, %v", c, err)
			}
		})
	}
}

// An empty file is what a power cut may leave: it is as good as none.
func TestEmptyFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, File), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	newPlayer(t, opened(t, dir), "a", false).play("e2e4")
}

func TestFoldersThatDoNotServe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	opened(t, dir)
	if _, err := Open(Options{Dir: dir}); err == nil || !strings.Contains(err.Error(), "another boardd") {
		t.Errorf("a second daemon: %v", err)
	}
	if _, err := Open(Options{Dir: filepath.Join(dir, "none")}); err == nil || !strings.Contains(err.Error(), "node.data") {
		t.Errorf("no folder: %v", err)
	}
	if _, err := Read(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no store: %v", err)
	}
	r, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// What memory held while the disk failed is kept under its epoch; what the disk took without saying so is not published.
func TestReplace(t *testing.T) {
	t.Parallel()
	s := opened(t, t.TempDir())
	if err := s.Commit([]game.Batch{resyncs("a", 1, 5)}); err != nil {
		t.Fatal(err)
	}
	first := s.Epoch("a")
	s.Outbox("x", 10)
	s.Ack("x", "a", 3)
	s.Outbox("y", 10)
	s.Ack("y", "a", 3)
	if err := s.Replace([]game.NewEpoch{{Board: "a", Epoch: "0123abcd", After: 3}}, []game.Batch{resyncs("a", 4, 4), resyncs("a", 5, 7)}); err != nil {
		t.Fatal(err)
	}
	s.Delivered("x", "a", "0123abcd", 6)
	for name, want := range map[string]string{"x": "7 0123abcd", "y": "4 0123abcd 5 0123abcd 6 0123abcd 7 0123abcd", "z": "1 E 2 E 3 E 4 0123abcd 5 0123abcd 6 0123abcd 7 0123abcd"} {
		var got []string
		for _, e := range s.Outbox(name, 20) {
			got = append(got, fmt.Sprint(e.Seq, " ", e.Epoch))
		}
		if text := strings.Join(got, " "); text != strings.ReplaceAll(want, "E", first) {
			t.Errorf("%s is given %s, want %s", name, text, want)
		}
	}
	if err := s.Commit([]game.Batch{resyncs("a", 8, 8)}); err != nil || s.Epoch("a") != "0123abcd" {
		t.Errorf("%v, epoch %s", err, s.Epoch("a"))
	}
	if c, err := s.Check(); err != nil || len(c.Faults) > 0 {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestPrune(t *testing.T) {
	t.Parallel()
	s := opened(t, t.TempDir())
	if err := s.Commit([]game.Batch{resyncs("a", 1, 300), resyncs("b", 1, 2)}); err != nil {
		t.Fatal(err)
	}
	later := zero.Add(KeepEvents + time.Hour)
	for len(s.Outbox("x", 100)) > 0 {
		if out := s.Outbox("x", 100); out[0].Seq > 200 || out[0].Board == "b" {
			break
		} else {
			s.Ack("x", "a", out[len(out)-1].Seq)
		}
	}
	if lost, err := s.Prune(later, 0); lost != 0 || err != nil {
		t.Fatal(lost, err)
	}
	if out := s.Outbox("x", 500); len(out) == 0 || out[0].Seq == 1 {
		t.Errorf("%d events are left", len(out))
	}
	if _, err := s.Events("a", 1, 5); !errors.Is(err, game.ErrGone) {
		t.Error(err)
	}
	if err := s.Commit([]game.Batch{resyncs("a", 301, 301)}); err != nil {
		t.Fatal(err)
	}
	if c, err := s.Check(); err != nil || len(c.Faults) > 0 {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestCheckFindsFaults(t *testing.T) {
	t.Parallel()
	s := opened(t, t.TempDir())
	newPlayer(t, s, "a", false).play("e2e4", "e7e5", "g1f3")
	for _, spoil := range []string{"DELETE FROM events WHERE seq = 2", "UPDATE plies SET uci = 'e7e6' WHERE ply = 2", "UPDATE boards SET seq = 99"} {
		if _, err := s.write.db.Exec(spoil); err != nil {
			t.Fatal(err)
		}
	}
	c, err := s.Check()
	all := strings.Join(c.Faults, "\n")
	if err != nil || len(c.Faults) != 3 || !strings.Contains(all, "1 are missing") || !strings.Contains(all, "ply 2") || !strings.Contains(all, "99") {
		t.Errorf("%s, %v", all, err)
	}
}

// BenchmarkCommit is a ply with its event, its game and the snapshot of the board, from the call until it is safe on the disk.
func BenchmarkCommit(b *testing.B) {
	s := opened(b, b.TempDir())
	p := newPlayer(b, s, "a", false)
	p.play("e2e4", "e7e5")
	snap := p.last
	took := make([]time.Duration, 0, b.N)
	b.ResetTimer()
	for i := range b.N {
		next := *snap
		record := *snap.Game
		record.AtMs = slices.Clone(record.AtMs)
		record.AtMs[1] += int64(i)
		next.Game, next.Seq = &record, snap.Seq+int64(i)+1
		batch := game.Batch{Board: "a", Snapshot: &next, Zero: zero, Events: []game.Event{{
			Seq: next.Seq, Game: record.ID, Ply: 2, Type: "move",
			Body: &game.Moved{UCI: "e7e5", SAN: "e5", FEN: snap.FEN},
		}}}
		began := time.Now()
		if err := s.Commit([]game.Batch{batch}); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs-p50")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs-p99")
}
