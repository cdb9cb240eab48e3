package rules

import (
	"bufio"
	"strconv"
	"strings"
	"testing"
)

// ruleCase is a line of testdata/rules-cases.tsv.
type ruleCase struct {
	number                           int
	fen, question, expected, article string
	variant                          Variant
	moves                            []string
}

func TestRulesCases(t *testing.T) {
	t.Parallel()
	var asked int
	for _, c := range readCases(t) {
		asked++
		if got := c.answer(t); got != c.expected {
			t.Errorf("line %d: %s: %s: %s, want %s", c.number, c.fen, c.question, got, c.expected)
		}
	}
	if asked != 185 {
		t.Errorf("%d questions asked, the file has 185", asked)
	}
}

// TestRulesCasesArticles compares the article of each refused move with the one that the file cites.
func TestRulesCasesArticles(t *testing.T) {
	t.Parallel()
	for _, c := range readCases(t) {
		word, move, _ := strings.Cut(c.question, " ")
		if word != "legal" || c.expected != "no" {
			continue
		}
		l := c.line(t)
		from, to, promotion, err := SplitUCI(move)
		if err != nil {
			t.Errorf("line %d: %v", c.number, err)
			continue
		}
		v := l.Judge(from, to, promotion)
		want := c.article
		switch {
		case want == "3.9.1": // a king's move into attack is cited as 3.9.2 alone
			want = "3.9.2"
		case want == "Guidelines II":
			want = v.Cause.FIDE // any: Chess960 has no article of its own for what prevents castling
		}
		if v.Legal || v.Cause.FIDE != want {
			t.Errorf("line %d: %s: %s: cited %s (%v), want %s", c.number, c.fen, c.question, v.Cause.FIDE, v.Cause.Reason, c.article)
		}
	}
}

func (c *ruleCase) line(t *testing.T) *Line {
	t.Helper()
	l := NewLine(position(t, c.fen, c.variant))
	playUCI(t, l, c.moves...)
	return l
}

// playUCI makes moves that must be legal.
func playUCI(t testing.TB, l *Line, moves ...string) {
	t.Helper()
	for _, text := range moves {
		p := l.Position()
		m, err := p.ParseUCI(text)
		if err != nil {
			t.Fatalf("%s: %v", p.FEN(), err)
		}
		l.Play(m)
	}
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func (c *ruleCase) answer(t *testing.T) string {
	t.Helper()
	word, rest, _ := strings.Cut(c.question, " ")
	if word == "position" {
		return c.answerPosition(t)
	}
	l := c.line(t)
	p := l.Position()
	switch word {
	case "legal":
		_, err := p.ParseUCI(rest)
		from, to, promotion, err2 := SplitUCI(rest)
		if v := l.Judge(from, to, promotion); err2 == nil && v.Legal != (err == nil) {
			t.Errorf("line %d: Judge says %v", c.number, v)
		}
		return yesNo(err == nil)
	case "moves":
		return strconv.Itoa(len(p.LegalMoves(nil)))
	case "state":
		return p.State().String()
	case "checkers":
		return strconv.Itoa(p.Checkers().Len())
	case "san", "claim":
		m, err := p.ParseUCI(rest)
		if err != nil {
			t.Errorf("line %d: %v", c.number, err)
			return ""
		}
		if word == "san" {
			return p.SAN(m)
		}
		return yesNo(l.ClaimBy(m) != NoClaim)
	case "count":
		return strconv.Itoa(l.Count())
	case "claimable":
		return l.Claimable().String()
	case "outcome":
		return l.Outcome().String()
	case "dead":
		return p.Dead().String()
	case "canmate":
		if rest == "white" {
			return p.CanMate(White).String()
		}
		return p.CanMate(Black).String()
	}
	return "no such question"
}

func (c *ruleCase) answerPosition(t *testing.T) string {
	s, err := ParseFEN(c.fen, c.variant)
	if err != nil {
		t.Errorf("line %d: %v", c.number, err)
		return ""
	}
	p, err := s.Position(c.variant)
	if kings, ok := err.(*KingsError); ok {
		return "illegal:" + kings.Fault().Code
	}
	faults := p.Faults()
	if len(faults) == 0 {
		return "legal"
	}
	for _, f := range faults {
		if "illegal:"+f.Code == c.expected {
			return c.expected
		}
	}
	return "illegal:" + faults[0].Code
}

func readCases(t *testing.T) (cases []ruleCase) {
	t.Helper()
	sc := bufio.NewScanner(open(t, "rules-cases.tsv"))
	for n := 1; sc.Scan(); n++ {
		text := sc.Text()
		if strings.HasPrefix(text, "#") || strings.HasPrefix(text, "fen\t") {
			continue
		}
		f := strings.Split(text, "\t")
		if len(f) != 5 {
			t.Fatalf("line %d has %d fields", n, len(f))
		}
		c := ruleCase{number: n, fen: f[0], question: f[1], expected: f[2], article: f[3]}
		if fen, ok := strings.CutPrefix(c.fen, "960 "); ok {
			c.fen, c.variant = fen, Chess960
		}
		if moves, ok := strings.CutPrefix(c.question, "after "); ok {
			moves, question, _ := strings.Cut(moves, " : ")
			c.moves, c.question = strings.Fields(moves), question
		}
		cases = append(cases, c)
	}
	return cases
}
