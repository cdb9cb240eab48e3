package text

import (
	"maps"
	"strconv"
	"strings"

	"github.com/boardd/boardd/rules"
)

// learnFrom is how many messages with the start position are enough to learn the chips of its men, if more than half of
// them agree on each.
const learnFrom = 7

// chips are the ids of the men.
type chips struct {
	table  map[string]string // id to FEN letter
	votes  [][64]man         // the last pictures, the newest last
	frames [][64]string      // of which chips are learnt
	needed bool              // an ids rule was met without a table
}

func (c *chips) learning() bool { return c.needed && len(c.table) == 0 }

// IDs is the table of chips, given or learnt: id to FEN letter. It can be given to Options.IDs the next time.
func (m *Machine) IDs() map[string]string { return maps.Clone(m.chips.table) }

// ids reads a chip a square. An id that is not in the table is an empty square: readers make up ids where nothing stands.
func (m *Machine) ids(r *rule, items []string) {
	per := max(r.Count, 1)
	if len(items) != per*len(m.p.squares) {
		m.info.Bad++
		return
	}
	var ids [64]string
	for i, s := range m.p.squares {
		id := items[i*per : (i+1)*per]
		nothing := true
		for _, item := range id {
			if n, err := strconv.Atoi(item); err == nil && n > 255 {
				m.info.Bad++ // two numbers run together, or a digit too many
				return
			}
			nothing = nothing && strings.Trim(item, "0") == ""
		}
		if !nothing {
			ids[s] = strings.ToLower(strings.Join(strings.Fields(strings.Join(id, " ")), " "))
		}
	}
	m.answered()
	if len(m.chips.table) == 0 {
		m.chips.needed = true
		if !m.chips.learn(&ids) {
			m.notes.Say(m.now, noteChips, "the chips of the men are not known yet: set up the start position and leave it for some seconds")
			return
		}
	}
	men := blank()
	for s, id := range ids {
		if letter := m.chips.table[id]; id != "" && letter != "" {
			men[s] = man(letter[0])
		}
	}
	m.whole(m.vote(r, men))
}

// vote is the majority of the last pictures; a square without one stays as it was.
func (m *Machine) vote(r *rule, men [64]man) [64]man {
	n := max(r.Vote, 1)
	v := append(m.chips.votes, men)
	v = v[max(len(v)-n, 0):]
	m.chips.votes = v
	out := men
	for s := range out {
		count := map[man]int{}
		for i := range v {
			count[v[i][s]]++
		}
		out[s] = men[s]
		if m.pictured {
			out[s] = m.men[s]
		}
		for x, c := range count {
			if 2*c > len(v) {
				out[s] = x
			}
		}
	}
	return out
}

// learn takes the start position for known and remembers which chip stood where.
func (c *chips) learn(ids *[64]string) bool {
	c.frames = append(c.frames, *ids)
	if len(c.frames) < learnFrom {
		return false
	}
	c.frames = c.frames[len(c.frames)-learnFrom:]
	table := map[string]string{}
	for s := range rules.Square(64) {
		if startMen[s] == empty {
			continue
		}
		count := map[string]int{}
		for i := range c.frames {
			count[c.frames[i][s]]++
		}
		for id, n := range count {
			if id != "" && 2*n > learnFrom {
				table[id] = string(rune(startMen[s]))
			}
		}
	}
	if len(table) != 32 { // a man was missing, unstable, or had the chip of another
		return false
	}
	c.table, c.frames = table, nil
	return true
}
