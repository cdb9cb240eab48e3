package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// runCommand runs one subcommand with buffers.
func runCommand(t *testing.T, cmd *cobra.Command, args ...string) (string, error) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	cmd.SetArgs(args)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	checkArgs(cmd)
	err := cmd.ExecuteContext(t.Context())
	if errs.Len() != 0 {
		t.Errorf("%v prints %q besides", args, errs.String())
	}
	return out.String(), err
}

func TestExplain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"castling out of check", []string{"--fen", "r3k2r/8/8/8/4r3/8/8/R3K2R w KQkq - 0 1", "e1g1", "--json"},
			`{"uci":"e1g1","legal":false,"san":null,"article":"3.8.2.2.1","fide":"3.8.2.2","reason":"castling_out_of_check",` +
				`"squares":["e4"],"others":[],"text":"no castling out of check (attack from the rook on e4)","claim":"none","ways":["move"]}` + "\n"},
		{"each move alone, in UCI and SAN", []string{"--moves", "e2e4 e7e5", "--json", "g1f3", "Nc3", "e4d5"},
			`{"uci":"g1f3","legal":true,"san":"Nf3","article":null,"fide":null,"reason":null,"squares":[],"others":[],"text":"Knight from g1 to f3","claim":"none"}` + "\n" +
				`{"uci":"b1c3","legal":true,"san":"Nc3","article":null,"fide":null,"reason":null,"squares":[],"others":[],"text":"Knight from b1 to c3","claim":"none"}` + "\n" +
				`{"uci":"e4d5","legal":false,"san":null,"article":"3.7.3","fide":"3.7.3","reason":"pawn_captures_nothing","squares":["d5"],"others":[],` +
				`"text":"there is nothing to capture on d5","claim":"none"}` + "\n"},
		{"others", []string{"--json", "a1c1"},
			`{"uci":"a1c1","legal":false,"san":null,"article":"3.5","fide":"3.5","reason":"path_blocked","squares":["b1"],` +
				`"others":[{"article":"3.1","reason":"own_piece_there"}],"text":"the way is blocked on b1","claim":"none"}` + "\n"},
		{"a man that is not there", []string{"--fen", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "--json", "Qd4"},
			`{"uci":null,"legal":false,"san":null,"article":"3.10.2","fide":"3.10.2","reason":"no_such_piece","squares":[],"others":[],` +
				`"text":"there is no such piece to move","claim":"none"}` + "\n"},
		{"what the moves before tell", []string{"--fen", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "--moves", "h1h2 a8a7 h2h1 a7a8", "O-O"},
			"O-O: illegal by 3.8.2.1.2: the right to castle with that rook is lost: it has moved (1. Rh2)\n"},
		{"castling written both ways", []string{"--fen", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1", "e1g1", "0-0"},
			"e1h1: legal (O-O)\ne1g1: legal (O-O)\n0-0: legal (O-O)\n"},
		{"Chess960", []string{"--variant", "chess960", "--fen", "4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1"}, "f1g1: legal (O-O)\n"},
		{"a claim by the move", []string{"--fen", "8/8/8/4k3/8/8/1R6/4K3 w - - 99 80", "b2b3"},
			"b2b3: legal (Rb3); with it a draw may be claimed: fifty moves without a capture or a pawn's move\n"},
		{"several things wrong", []string{"g8g6"},
			"g8g6: illegal by 1.2: the piece on g8 belongs to the side that is not to move; also 3.6 (a knight moves two squares along a line and one to the side)\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got, err := runCommand(t, newExplainCommand(), c.args...); err != nil || got != c.want {
				t.Errorf("%v\n got %s\nwant %s", err, got, c.want)
			}
		})
	}
}

func TestPosition(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		args []string
		want map[string]string // JSON of some keys
	}{
		{"start", nil, map[string]string{
			"fen": `"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"`, "legal": "true", "faults": "[]", "turn": `"white"`,
			"state": `"ongoing"`, "checkers": "[]", "count": "1", "claimable": `"none"`, "outcome": `"none"`, "dead": `"no"`,
			"canmate": `{"white":"yes","black":"yes"}`,
			"moves":   `["a2a3","a2a4","b1a3","b1c3","b2b3","b2b4","c2c3","c2c4","d2d3","d2d4","e2e3","e2e4","f2f3","f2f4","g1f3","g1h3","g2g3","g2g4","h2h3","h2h4"]`,
		}},
		{"check", []string{"--fen", "4k3/8/8/8/4r3/8/8/4K3 w - - 0 1"}, map[string]string{
			"state": `"check"`, "checkers": `["e4"]`, "moves": `["e1d1","e1d2","e1f1","e1f2"]`, "canmate": `{"white":"no","black":"yes"}`}},
		{"mate", []string{"--moves", "f2f3 e7e5 g2g4 d8h4"}, map[string]string{
			"state": `"checkmate"`, "outcome": `"checkmate"`, "moves": "[]", "dead": `"no"`, "canmate": `{"white":"no","black":"yes"}`}},
		{"three times", []string{"--moves", "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"}, map[string]string{"count": "3", "claimable": `"threefold"`, "outcome": `"none"`}},
		{"dead", []string{"--fen", "8/8/8/4k3/8/8/8/4KN2 w - - 0 1"}, map[string]string{"outcome": `"dead"`, "dead": `"yes"`, "canmate": `{"white":"no","black":"no"}`}},
		{"75 moves", []string{"--fen", "8/8/8/4k3/8/8/1R6/4K3 w - - 149 120", "--moves", "b2b3"}, map[string]string{"outcome": `"75moves"`}},
		{"faults", []string{"--fen", "P3k3/8/8/8/8/8/8/4K3 w K - 0 1"}, map[string]string{
			"legal": "false", "state": `"ongoing"`, "moves": `["e1d1","e1d2","e1e2","e1f1","e1f2"]`,
			"faults": `[{"code":"pawn-rank","article":"3.10.3","text":"a pawn stands on the first or last rank"},` +
				`{"code":"castling-rights","article":"3.10.3","text":"castling rights are named without king or rook in their places"}]`}},
		{"no kings", []string{"--fen", "8/8/8/8/8/8/8/8 b - - 0 1"}, map[string]string{
			"fen": `"8/8/8/8/8/8/8/8 b - - 0 1"`, "legal": "false", "turn": `"black"`, "state": "null", "checkers": "null", "moves": "null",
			"count": "null", "claimable": "null", "outcome": "null", "dead": "null", "canmate": "null",
			"faults": `[{"code":"kings","article":"3.10.3","text":"there must be exactly one king a side"}]`}},
		{"Chess960", []string{"--variant", "chess960", "--fen", "4k3/8/8/8/8/8/8/5KR1 w K - 0 1"}, map[string]string{"fen": `"4k3/8/8/8/8/8/8/5KR1 w G - 0 1"`}},
		{"an en-passant square that does not count", []string{"--moves", "e2e4"}, map[string]string{
			"fen": `"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"`, "turn": `"black"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			out, err := runCommand(t, newPositionCommand(), append([]string{"--json"}, c.args...)...)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]json.RawMessage{}
			if err := json.Unmarshal([]byte(out), &got); err != nil || strings.Count(out, "\n") != 1 {
				t.Fatalf("%v: %s", err, out)
			}
			if len(got) != 12 {
				t.Errorf("%d keys: %s", len(got), out)
			}
			for key, want := range c.want {
				if string(got[key]) != want {
					t.Errorf("%s is %s, want %s", key, got[key], want)
				}
			}
		})
	}
}

func TestPositionForPeople(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		args []string
		want []string
	}{
		{"check", []string{"--fen", "4k3/8/8/8/4r3/8/8/4K3 w - - 0 1"}, []string{"4 . . . . r . . .", "White to move, in check", "Check from e4", "4 legal moves: e1d1 e1d2 e1f1 e1f2"}},
		{"no kings", []string{"--fen", "8/8/8/8/8/8/8/8 w - - 0 1"}, []string{"1 . . . . . . . .", "The position is illegal: there must be exactly one king a side (3.10.3)"}},
	} {
		out, err := runCommand(t, newPositionCommand(), c.args...)
		lines := strings.Split(out, "\n")
		for _, want := range c.want {
			if err != nil || !slices.Contains(lines, want) {
				t.Errorf("%s: %v: no line %q in\n%s", c.name, err, want, out)
			}
		}
	}
}

func TestPerft(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"start", []string{"4"}, "197281\n"},
		{"depth 0", []string{"0"}, "1\n"},
		{"deeper than one stride", []string{"--fen", "8/8/8/8/8/3k4/4p3/4K3 w - - 0 1", "6"}, "42506\n"},
		{"a position", []string{"--fen", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "3"}, "97862\n"},
		{"Chess960", []string{"--variant", "chess960", "--fen", "rbbqn1kr/pp2p1pp/6n1/2pp1p2/2P4P/P7/BP1PPPP1/R1BQNNKR w HAha - 0 9", "3"}, "25798\n"},
		{"irregular", []string{"--fen", "4k3/8/K6r/3pP3/8/8/8/8 w - d6 0 1", "4"}, "9981\n"},
		{"divide", []string{"--divide", "--fen", "4k3/8/8/8/4r3/8/8/4K3 w - - 0 1", "1"}, "e1d1: 1\ne1d2: 1\ne1f1: 1\ne1f2: 1\n\n4\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got, err := runCommand(t, newPerftCommand(), c.args...); err != nil || got != c.want {
				t.Errorf("%v: got %q, want %q", err, got, c.want)
			}
		})
	}
}

// TestChessUsage: what is wrong on the command line ends with code 2 and one line.
func TestChessUsage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		cmd  func() *cobra.Command
		args []string
		want string
	}{
		{"bad FEN", newExplainCommand, []string{"--fen", "nonsense", "e2e4"}, `--fen: FEN: fields "nonsense": six fields with one blank between them are needed, there are 1`},
		{"no kings", newExplainCommand, []string{"--fen", "8/8/8/8/8/8/8/8 w - - 0 1", "e2e4"}, "--fen: a position needs exactly one king a side: it has 0 white and 0 black"},
		{"no move", newExplainCommand, nil, "a MOVE is missing; see 'explain --help'"},
		{"no move text", newExplainCommand, []string{"hello"}, `move "hello": a move such as Nf3, exd5, e8=Q or O-O is needed`},
		{"ambiguous", newExplainCommand, []string{"--fen", "4k3/8/8/8/8/8/8/R4RK1 w - - 0 1", "Rd1"}, `move "Rd1": more than one piece can make it: name the square it comes from`},
		{"illegal move before", newPositionCommand, []string{"--moves", "e2e4 e2e4"}, `--moves: ply 2: move "e2e4": not legal in this position`},
		{"moves without kings", newPositionCommand, []string{"--fen", "8/8/8/8/8/8/8/8 w - - 0 1", "--moves", "e2e4"}, "--fen: a position needs exactly one king a side: it has 0 white and 0 black"},
		{"too many moves", newPositionCommand, []string{"--fen", "4k3/8/8/8/8/8/8/4K3 b - - 0 99999", "--moves", "e8e7"},
			`--moves: ply 1: the FEN would count too far (FEN: fullmove "100000": a plain number from 1 to 99999 is needed): give --fen with lower counters`},
		{"too many plies without a capture", newExplainCommand, []string{"--fen", "4k3/8/8/8/8/8/8/4K3 w - - 99999 99998", "--moves", "e1e2", "e8e7"},
			`--moves: ply 1: the FEN would count too far (FEN: halfmove "100000": a plain number from 0 to 99999 is needed): give --fen with lower counters`},
		{"variant", newPositionCommand, []string{"--variant", "atomic"}, `--variant: variant "atomic" is not known: use standard or chess960`},
		{"language", newPositionCommand, []string{"--lang", "de"}, `--lang: there is no language "de": use one of en, es, ru, fa, ko, th`},
		{"depth", newPerftCommand, []string{"five"}, `DEPTH is a number from 0 to 30, not "five"`},
		{"negative depth", newPerftCommand, []string{"--", "-1"}, `DEPTH is a number from 0 to 30, not "-1"`},
		{"no depth", newPerftCommand, nil, "the DEPTH is missing; see 'perft --help'"},
		{"perft of no position", newPerftCommand, []string{"--fen", "", "3"}, `--fen: FEN: fields "": six fields with one blank between them are needed, there are 1`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			out, err := runCommand(t, c.cmd(), c.args...)
			if err == nil || err.Error() != c.want || exitCode(err) != exitUsage || out != "" {
				t.Errorf("%v, code %d, printed %q; want %s", err, exitCode(err), out, c.want)
			}
		})
	}
}

// A text that is no move takes nothing away from the others: they are answered, and the code is that of wrong usage.
func TestExplainAnswersTheOthers(t *testing.T) {
	t.Parallel()
	out, err := runCommand(t, newExplainCommand(), "e2e4", "hello", "g1f3", "bye")
	if want := "e2e4: legal (e4)\ng1f3: legal (Nf3)\n"; out != want {
		t.Errorf("printed %q, want %q", out, want)
	}
	if err == nil || exitCode(err) != exitUsage || strings.Count(err.Error(), "is needed") != 2 || !strings.Contains(err.Error(), `"bye"`) {
		t.Errorf("%v", err)
	}
}

func TestPositionInWords(t *testing.T) {
	t.Parallel()
	out, err := runCommand(t, newPositionCommand())
	if err != nil || !strings.Contains(out, "\nWhite to move\nWhite can give mate\nBlack can give mate\n20 legal moves: a2a3 ") {
		t.Errorf("%v, %s", err, out)
	}
}
