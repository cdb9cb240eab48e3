package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardd/boardd/commands"
	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/ctl"
)

// ctlCall is one use of boardd ctl.
type ctlCall struct {
	board, socket, file string
	asJSON, arbiter     bool
	since               int64
	sinceSet, fileSet   bool
}

// newCtlCommand speaks with the daemon of this computer.
func newCtlCommand() *cobra.Command {
	var c ctlCall
	cmd := &cobra.Command{
		Use:   "ctl [--board ID] VERB [KEY=VALUE …]",
		Short: "Command the daemon of this computer",
		Long: "ctl gives the daemon of this computer a command, over a unix socket (node.socket) that its user and the group boardd may use:\n" +
			"every command of docs/mqtt.md is allowed there. A command that is refused ends with exit code 1. Besides commands there are\n\n" +
			"  boards   which boards there are\n" +
			"  state    how the board stands\n" +
			"  events   what happens at the board, until it is interrupted; with --since also what was after that number\n\n" +
			"Commands, and the keys that they take (id, game, if_seq and by are taken by all):\n\n" + verbList(),
		Example: "  boardd ctl state\n  boardd ctl takeback plies=2\n  boardd ctl new_game white=\"Anna B\" black=Ben time_control=900+10\n" +
			"  boardd ctl --board table-07 result value=1-0 reason=forfeit\n  boardd ctl events --since 0 --json",
		Args:              needs("a VERB"),
		ValidArgsFunction: c.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			c.sinceSet, c.fileSet = cmd.Flags().Changed("since"), cmd.Flags().Changed("config")
			return c.run(cmd.Context(), args[0], args[1:], cmd.OutOrStdout())
		},
	}
	addConfigFlag(cmd, &c.file)
	cmd.Flags().StringVar(&c.board, "board", "", "the board `ID`; not needed where there is one only")
	cmd.Flags().StringVar(&c.socket, "socket", "", "the daemon's socket is this `FILE`; else that of the configuration, or the usual one where there is none")
	cmd.Flags().BoolVar(&c.asJSON, "json", false, "print answers as lines of JSON")
	cmd.Flags().Int64Var(&c.since, "since", 0, "of events: begin after this `SEQ`")
	cmd.Flags().BoolVar(&c.arbiter, "arbiter", false, "of events: those that only arbiters see")
	_ = cmd.RegisterFlagCompletionFunc("board", c.completeBoard)
	return cmd
}

func verbList() string {
	var b strings.Builder
	for _, v := range commands.Verbs() {
		keys := commands.KeysOf(v)
		fmt.Fprintf(&b, "  %-15s %s", v, commands.Does(v))
		if own := keys[:len(keys)-4]; len(own) > 0 {
			fmt.Fprintf(&b, ": %s", strings.Join(own, " "))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// queries are the verbs that are not commands.
func queries() (list []string) {
	for _, q := range ctl.Queries {
		list = append(list, q.Verb)
	}
	return list
}

func (c *ctlCall) run(ctx context.Context, verb string, args []string, out io.Writer) error {
	request, err := c.request(verb, args)
	if err != nil {
		return err
	}
	paths, err := c.paths(ctx)
	if err != nil {
		return err
	}
	r, err := ctl.Ask(ctx, paths, request, func(key string, value json.RawMessage) error { return c.print(out, key, value) })
	if err != nil {
		if verb == "events" && ctx.Err() != nil {
			return nil // that is how one stops listening
		}
		return err
	}
	if c.asJSON && !slices.Contains(queries(), verb) {
		fmt.Fprintf(out, "%s\n", r.Raw)
	}
	switch {
	case r.Status == "error" && slices.Contains(queries(), verb):
		return errors.New(r.Message)
	case r.Status == "error":
		return fmt.Errorf("%s is refused (%s): %s", verb, r.Code, r.Message)
	case r.Status == "duplicate" && r.Code != "":
		return fmt.Errorf("%s was refused before under this id (%s): %s", verb, r.Code, r.Message)
	case !c.asJSON && !slices.Contains(queries(), verb):
		_, err = fmt.Fprintf(out, "%s: %s, event %d\n", r.Board, map[string]string{"ok": "done", "duplicate": "done before"}[r.Status], r.Seq)
	}
	return err
}

// request is what the daemon is asked, as a line.
func (c *ctlCall) request(verb string, args []string) ([]byte, error) {
	keys := commands.KeysOf(verb)
	query := slices.Contains(queries(), verb)
	if keys == nil && !query {
		all := append(queries(), commands.Verbs()...)
		if near := nearest(verb, all); near != "" {
			return nil, usagef("unknown verb %q: did you mean %s?", verb, near)
		}
		return nil, usagef("unknown verb %q: there is %s", verb, strings.Join(all, ", "))
	}
	if verb != "events" && (c.sinceSet || c.arbiter) {
		return nil, usagef("--since and --arbiter are for events")
	}
	ask := map[string]any{"verb": verb}
	if c.board != "" {
		ask["board"] = c.board
	}
	if verb == "events" {
		ask["follow"], ask["arbiter"] = true, c.arbiter
		if c.sinceSet {
			ask["since"] = c.since
		}
	}
	for _, arg := range args {
		key, text, ok := strings.Cut(arg, "=")
		switch {
		case query:
			return nil, usagef("%s takes no %q", verb, arg)
		case !ok:
			return nil, usagef("%q: give keys as KEY=VALUE; %s takes %s", arg, verb, strings.Join(keys, ", "))
		case !slices.Contains(keys, key):
			return nil, usagef("%s takes no key %q: it takes %s", verb, key, strings.Join(keys, ", "))
		case ask[key] != nil:
			return nil, usagef("%s is given twice", key)
		}
		value, err := commands.Value(verb, key, text)
		if err != nil {
			return nil, usagef("%w", err)
		}
		ask[key] = value
	}
	return json.Marshal(ask)
}

// nearest is the word of a list that may be meant, "" for none.
func nearest(word string, list []string) string {
	group := &cobra.Command{SuggestionsMinimumDistance: 2}
	for _, w := range list {
		group.AddCommand(&cobra.Command{Use: w, Run: func(*cobra.Command, []string) {}})
	}
	if near := group.SuggestionsFor(word); word != "" && len(near) > 0 {
		return near[0]
	}
	return ""
}

// paths are where the daemon may listen.
func (c *ctlCall) paths(ctx context.Context) ([]string, error) {
	if c.socket != "" {
		return []string{c.socket}, nil
	}
	if named := os.Getenv("BOARDD_NODE_SOCKET"); named != "" && !c.fileSet {
		return socketPaths(named), nil
	}
	if !c.fileSet && !exists(c.file) { // as on a computer where the service runs
		return socketPaths(config.DefaultSocket), nil
	}
	conf, err := config.Load(ctx, c.file, os.Environ())
	if err != nil {
		return nil, err
	}
	if conf.Node.Socket == "" {
		return nil, fmt.Errorf("this daemon takes no commands here: node.socket is empty in %s", c.file)
	}
	return socketPaths(conf.Node.Socket), nil
}

// print prints a line of an answer.
func (c *ctlCall) print(out io.Writer, key string, value json.RawMessage) error {
	if c.asJSON {
		_, err := fmt.Fprintf(out, "%s\n", value)
		return err
	}
	switch key {
	case "boards":
		var list []struct{ ID, Name, Driver, Acuity string }
		if err := json.Unmarshal(value, &list); err != nil {
			return err
		}
		for _, b := range list {
			if _, err := fmt.Fprintf(out, "%-16s %s (%s, sees %s)\n", b.ID, b.Name, b.Driver, map[string]string{"presence": "men", "color": "colours", "piece": "pieces"}[b.Acuity]); err != nil {
				return err
			}
		}
		return nil
	case "event":
		return printEvent(out, value)
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(value, &keys); err != nil {
		return err
	}
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		if v := plain(keys[k]); v != "" && k != "v" {
			if _, err := fmt.Fprintf(out, "%-16s %s\n", k, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// printEvent prints an event on a line: when, its number, what it is, and what it says to people or the keys of its type.
func printEvent(out io.Writer, value json.RawMessage) error {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(value, &keys); err != nil {
		return err
	}
	said := plain(keys["text"])
	if said == "" {
		var rest []string
		for _, k := range slices.Sorted(maps.Keys(keys)) {
			if v := plain(keys[k]); v != "" && !slices.Contains([]string{"v", "board", "epoch", "seq", "ts", "game", "ply", "type", "late", "text", "pgn"}, k) {
				rest = append(rest, k+"="+v)
			}
		}
		said = strings.Join(rest, " ")
	}
	_, err := fmt.Fprintf(out, "%s %5s %-17s %s\n", plain(keys["ts"]), plain(keys["seq"]), plain(keys["type"]), said)
	return err
}

// plain is a value without quotes, on one line; "" for what is not known.
func plain(v json.RawMessage) string {
	var text string
	switch {
	case len(v) == 0, string(v) == "null", string(v) == "[]":
		return ""
	case json.Unmarshal(v, &text) == nil:
		return strings.Map(oneLine, text)
	}
	return string(v)
}

// oneLine keeps what others have named from speaking to the terminal.
func oneLine(r rune) rune {
	if r < ' ' || r >= 0x7f && r < 0xa0 {
		return ' '
	}
	return r
}

// complete completes verbs, and then keys.
func (c *ctlCall) complete(_ *cobra.Command, args []string, begun string) (list []string, _ cobra.ShellCompDirective) {
	if len(args) == 0 {
		for _, q := range ctl.Queries {
			list = append(list, q.Verb+"\t"+q.Does)
		}
		for _, v := range commands.Verbs() {
			list = append(list, v+"\t"+commands.Does(v))
		}
		return list, cobra.ShellCompDirectiveNoFileComp
	}
	if key, _, ok := strings.Cut(begun, "="); ok {
		for _, v := range strings.FieldsFunc(strings.ReplaceAll(commands.Wants(args[0], key), " or ", ", "), func(r rune) bool { return r == ',' || r == ' ' }) {
			if _, err := commands.Value(args[0], key, v); err == nil && (slices.Contains(wordKeys, key) || args[0] == "result" && key == "value") {
				list = append(list, key+"="+v)
			}
		}
		return list, cobra.ShellCompDirectiveNoFileComp
	}
	for _, k := range commands.KeysOf(args[0]) {
		if !slices.ContainsFunc(args[1:], func(a string) bool { return strings.HasPrefix(a, k+"=") }) {
			list = append(list, k+"=\t"+commands.Wants(args[0], k))
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// wordKeys are the keys whose values are few words, which can be completed.
var wordKeys = []string{"piece", "side", "action", "orientation", "variant", "force", "on", "kind", "mode", "result"}

// completeBoard asks the daemon which boards there are.
func (c *ctlCall) completeBoard(cmd *cobra.Command, _ []string, _ string) (list []string, _ cobra.ShellCompDirective) {
	c.fileSet = cmd.Flags().Changed("config")
	paths, err := c.paths(cmd.Context())
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	_, _ = ctl.Ask(cmd.Context(), paths, []byte(`{"verb":"boards"}`), func(_ string, value json.RawMessage) error {
		var boards []struct{ ID, Name string }
		err := json.Unmarshal(value, &boards)
		for _, b := range boards {
			list = append(list, b.ID+"\t"+b.Name)
		}
		return err
	})
	return list, cobra.ShellCompDirectiveNoFileComp
}
