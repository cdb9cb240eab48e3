package rules_test

import (
	"fmt"

	"github.com/boardd/boardd/rules"
)

func Example() {
	line := rules.NewLine(rules.Start())
	for _, san := range []string{"f3", "e5", "g4", "Qh4"} {
		p := line.Position()
		m, err := p.ParseSAN(san)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(p.UCI(m), p.SAN(m))
		line.Play(m)
	}
	fmt.Println(line.Outcome())
	// Output:
	// f2f3 f3
	// e7e5 e5
	// g2g4 g4
	// d8h4 Qh4#
	// checkmate
}

func ExamplePosition_LegalMoves() {
	p, err := rules.ParsePosition("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", rules.Standard)
	if err != nil {
		fmt.Println(err)
		return
	}
	var buf [256]rules.Move
	for _, m := range p.LegalMoves(buf[:0]) {
		fmt.Print(p.SAN(m), " ")
	}
	// Output: Kd1 Kf1 Kd2 Ke2 Kf2 exd6 e6
}

func ExampleLine_Judge() {
	p, err := rules.ParsePosition("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", rules.Standard)
	if err != nil {
		fmt.Println(err)
		return
	}
	line := rules.NewLine(p)
	for _, uci := range []string{"h1h2", "a8a7", "h2h1", "a7a8"} {
		p = line.Position()
		m, err := p.ParseUCI(uci)
		if err != nil {
			fmt.Println(err)
			return
		}
		line.Play(m)
	}
	from, to, promotion, err := rules.SplitUCI("e1g1")
	if err != nil {
		fmt.Println(err)
		return
	}
	v := line.Judge(from, to, promotion)
	fmt.Println(v.Legal, v.Cause.Reason, v.Cause.FIDE, v.Cause.Squares, "ply", v.Cause.Ply)
	// Output: false castling_rook_moved 3.8.2.1 [h1] ply 1
}

func ExamplePosition_Faults() {
	p, err := rules.ParsePosition("4k3/8/8/8/8/3n1n2/8/P3K3 w K - 0 1", rules.Standard)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range p.Faults() {
		fmt.Println(f.Code, f.Article)
	}
	// Output:
	// pawn-rank 3.10.3
	// impossible-check 3.10.3
	// castling-rights 3.10.3
}

func ExamplePosition_Lost() {
	p, err := rules.ParsePosition("4k3/8/8/8/8/8/8/4K2R w - - 0 1", rules.Standard)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("White's flag falls:", p.Lost(rules.White), "Black's:", p.Lost(rules.Black))
	// Output: White's flag falls: 1/2-1/2 Black's: 1-0
}

func ExampleParsePGN() {
	const text = `[White "Anna"]
[Black "Ben"]

1. e4 {[%clk 1:29:58]} e5 (1... c5) 2. Nf3! 1/2-1/2

[White "Carl"]
[Result "0-1"]

1. e4 Ke7 0-1
`
	for game, err := range rules.ParsePGN(text) {
		fmt.Println(game.White, game.Line.Len(), "plies", game.Result, err)
	}
	// Output:
	// Anna 3 plies 1/2-1/2 <nil>
	// Carl 1 plies 0-1 PGN line 9, game 2: "Ke7": move 1...: not legal in this position
}

func ExamplePGN_String() {
	line := rules.NewLine(rules.Start())
	p := line.Position()
	m, err := p.ParseUCI("e2e4")
	if err != nil {
		fmt.Println(err)
		return
	}
	line.Play(m)
	fmt.Print(rules.PGN{White: "Anna", Black: "Ben", Result: "1-0", Line: line, Notes: []rules.Note{{HasClock: true, Clock: 5_398_000}}})
	// Output:
	// [Event "?"]
	// [Site "?"]
	// [Date "????.??.??"]
	// [Round "?"]
	// [White "Anna"]
	// [Black "Ben"]
	// [Result "1-0"]
	//
	// 1. e4 {[%clk 1:29:58]} 1-0
}
