package laws_test

import (
	"fmt"

	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/rules/laws"
)

// A verdict in the language of a reader, found by the header of a request.
func ExampleMatch() {
	p, err := rules.ParsePosition("r3k2r/8/8/8/4r3/8/8/R3K2R w KQkq - 0 1", rules.Standard)
	if err != nil {
		fmt.Println(err)
		return
	}
	e1, _ := rules.ParseSquare("e1")
	g1, _ := rules.ParseSquare("g1")
	verdict := p.Judge(e1, g1, rules.NoRole)
	for _, header := range []string{"es-MX,es;q=0.9", "ru", "sv-SE"} {
		l, _ := laws.Match(header)
		fmt.Println(l, l.Cause(verdict.Cause, &p))
	}
	// Output:
	// es no se puede enrocar estando en jaque (ataque de la torre en e4)
	// ru под шахом рокировать нельзя (атакует: ладья на e4)
	// en no castling out of check (attack from the rook on e4)
}

// A move that can be spoken.
func ExampleLanguage_Move() {
	p := rules.Start()
	m, err := p.ParseSAN("Nf3")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, tag := range []string{"en", "ko", "th"} {
		l, _ := laws.Match(tag)
		fmt.Println(l.Move(laws.PlyOf(&p, m)))
	}
	// Output:
	// Knight from g1 to f3
	// 나이트가 g1에서 f3으로
	// ม้าจาก g1 ไป f3
}

// An event as it comes over MQTT, in words.
func ExampleLanguage_Event() {
	l, _ := laws.Match("en")
	text, err := l.Event([]byte(`{"type":"move","by":"black","uci":"d8h4","san":"Qh4#","captured":null,"check":true,"mate":true}`))
	fmt.Println(text, err)
	// Output: Black: queen from d8 to h4, checkmate <nil>
}
