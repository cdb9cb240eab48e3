package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// runnable are the programs that this test lets run, and then only where they write nothing beyond their folder.
var (
	runnable = []string{"boardd", "mosquitto_sub", "mosquitto_pub", "cat"}
	reaches  = regexp.MustCompile(`\bsudo\b|>\s*[/~]|\btee\b`)
)

// unrun are commands of the documents that no test can run as they stand, and why. Those of boardd are still held to the flags and
// arguments that it has.
var unrun = []reason{
	{regexp.MustCompile(`^sudo `), "changes this computer"},
	{regexp.MustCompile(`^(apt|apt-get|dpkg) `), "installs packages; packaging/try.sh does in an empty Debian"},
	{regexp.MustCompile(`^(systemctl|journalctl|systemd-analyze) `), "wants the installed unit; systemd/ has its tests"},
	{regexp.MustCompile(`^(install|udevadm|systemd-sysusers|systemd-tmpfiles)( |$)`), "changes this computer; packaging/ and systemd/ have tests of it"},
	{regexp.MustCompile(`^rfcomm `), "wants a Bluetooth board"},
	{regexp.MustCompile(`^ls /dev/serial/by-id$`), "shows what is plugged in"},
	{regexp.MustCompile(`^(ssh|scp) `), "wants another computer"},
	{regexp.MustCompile(`\bsocat\b`), "wants socat; ctl/ has tests of the same lines"},
	{regexp.MustCompile(`^git `), "wants the network, or changes the repository"},
	{regexp.MustCompile(`^go (perft|tool|mod|get|version)`), "is said to Stockfish, or is about the whole module"},
	{regexp.MustCompile(`^boardd run\b`), "this test has started its daemon so"},
	{regexp.MustCompile(`^boardd demo\b`), "plays at the pace of life; demo_test.go plays faster"},
	{regexp.MustCompile(`^boardd calibrate\b`), "asks for hands; calibrate_test.go has some"},
	{regexp.MustCompile(`^boardd mqtt purge\b`), "wants that boardd does not run; mqtt_test.go does it"},
	{regexp.MustCompile(`^boardd lights off\b`), "wants that boardd does not run; lights_end_test.go does it"},
	{regexp.MustCompile(`^boardd doctor .*--watch`), "wants somebody to look at it; doctor_test.go does"},
	{regexp.MustCompile(`^boardd ctl .*events|^boardd record( -c \S+)?( >.*)?$`), "goes on until it is interrupted; ctl_test.go and record_test.go do that"},
}

type reason struct {
	like *regexp.Regexp
	why  string
}

// quoted is a command of a document.
type quoted struct {
	at, text string
	block    bool // it stands in a block, not in a sentence
}

var (
	span   = regexp.MustCompile("`[^`]+`")
	first  = regexp.MustCompile(`^(\./)?(bin/)?(boardd|make|go|sudo|mosquitto_(sub|pub)|apt(-get)?|dpkg|systemctl|journalctl|systemd-analyze|rfcomm|ls /dev\S*)( |$)`)
	asUser = regexp.MustCompile(`^sudo (-u \S+ )?boardd `)
	where  = regexp.MustCompile(`(^|\s)(\./)?bin/boardd\b`)
	remark = regexp.MustCompile(` +# .*$`)
)

// pages are the documents, by their paths in the repository.
func pages(t *testing.T) (out []string) {
	t.Helper()
	for _, pattern := range []string{"*.md", "docs/*.md"} {
		found, err := filepath.Glob(filepath.Join("..", "..", pattern))
		if err != nil || len(found) == 0 {
			t.Fatal("there are no ", pattern, err)
		}
		for _, f := range found {
			out = append(out, strings.TrimPrefix(filepath.ToSlash(f), "../../"))
		}
	}
	return out
}

// commandsOf gives the commands of a page in their order: each of the blocks marked sh, and what is quoted in sentences and looks like one.
func commandsOf(t *testing.T, name string) (out []quoted) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", name))
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(string(page), "\n")
	for i := 0; i < len(rows); i++ {
		at := fmt.Sprintf("%s:%d", name, i+1)
		language, fence := strings.CutPrefix(rows[i], "```")
		if fence {
			from := i + 1
			for i++; i < len(rows) && rows[i] != "```"; i++ {
			}
			if i >= len(rows) {
				t.Fatalf("%s: the block does not end", at)
			}
			switch language {
			case "sh":
				out = append(out, split(name, from, rows[from:i])...)
			case "json":
				if text := strings.Join(rows[from:i], "\n"); !json.Valid([]byte(text)) {
					t.Errorf("%s: this is not JSON", at)
				}
			case "toml", "ini", "text", "go", "yaml": // toml: TestExamplesOfTheDocs
			default:
				t.Errorf("%s: a block of %q: mark commands as sh and what nobody runs as text", at, language)
			}
			continue
		}
		if text := strings.TrimSpace(rows[i]); strings.HasPrefix(rows[i], "    ") && i > 0 && rows[i-1] == "" && first.MatchString(text) {
			out = append(out, quoted{at, text, true})
			continue
		}
		// A quotation may go over the end of a line, not of a paragraph.
		text := rows[i]
		for strings.Count(text, "`")%2 == 1 && i+1 < len(rows) && rows[i+1] != "" {
			i++
			text += " " + strings.TrimSpace(rows[i])
		}
		for _, code := range span.FindAllString(text, -1) {
			if code = strings.Trim(code, "`"); first.MatchString(code) && code != "boardd" {
				out = append(out, quoted{at, code, false})
			}
		}
	}
	return out
}

// split gives the commands of a block, those over several rows in one.
func split(name string, from int, rows []string) (out []quoted) {
	for i := 0; i < len(rows); i++ {
		at := fmt.Sprintf("%s:%d", name, from+i+1)
		text := rows[i]
		if strings.TrimSpace(text) == "" || strings.HasPrefix(text, "#") {
			continue
		}
		for strings.HasSuffix(text, "\\") && i+1 < len(rows) {
			i++
			text += "\n" + rows[i]
		}
		if _, end, here := strings.Cut(text, "<<'"); here {
			end, _, _ = strings.Cut(end, "'")
			for i+1 < len(rows) {
				i++
				text += "\n" + rows[i]
				if rows[i] == end {
					break
				}
			}
		}
		out = append(out, quoted{at, text, true})
	}
	return out
}

// words splits a command as a shell does, up to where the next one or a file begins.
func words(text string) (out []string) {
	var word strings.Builder
	quote, inside := rune(0), false
	for _, r := range text + "\n" {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, inside = r, true
		case strings.ContainsRune(" \t\n|&;><", r) || r == '#' && !inside:
			if inside {
				out = append(out, word.String())
				word.Reset()
				inside = false
			}
			if strings.ContainsRune("|&;><#", r) {
				return out
			}
		default:
			word.WriteRune(r)
			inside = true
		}
	}
	return out
}

// placeholder says whether a word stands for one that the reader knows: FILE, ADDRESS.
func placeholder(word string) bool {
	return len(word) > 1 && strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" || strings.Contains(word, "…")
}

// usage looks a command of boardd up: whether there are such a subcommand, its flags and its arguments. Without any it may only be
// named; complete says whether it could be run as it stands.
func usage(args []string) (complete bool, err error) {
	cmd, rest, err := newRoot().Find(args)
	if err != nil {
		return false, err
	}
	if slices.Contains(rest, "--help") {
		return true, nil
	}
	if err := cmd.ParseFlags(rest); err != nil {
		return false, err
	}
	named := cmd.Flags().Args()
	if !cmd.HasSubCommands() {
		err = cmd.ValidateArgs(named)
	} else if len(named) > 0 {
		err = fmt.Errorf("there is no command %q", named)
	}
	if err != nil && len(named) > 0 {
		return false, err
	}
	return err == nil && !cmd.HasSubCommands(), nil
}

// goCommand looks at the folders and the names of tests that a command of go names.
func goCommand(t *testing.T, args []string) {
	t.Helper()
	var code strings.Builder
	for _, a := range args {
		if folder, ok := strings.CutPrefix(a, "./"); ok && folder != "..." {
			files, _ := filepath.Glob(filepath.Join("..", "..", folder, "*.go"))
			if len(files) == 0 {
				t.Errorf("there is no Go in %s", a)
			}
			for _, f := range files {
				text, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				code.Write(text)
			}
		}
	}
	names := testMade.FindAllStringSubmatch(code.String(), -1)
	for i, a := range args {
		switch {
		case a == "-update":
			if !strings.Contains(code.String(), `"update"`) {
				t.Errorf("%s: nothing is updated there", strings.Join(args, " "))
			}
		case i > 0 && (args[i-1] == "-bench" || args[i-1] == "-run" || args[i-1] == "-fuzz") && a != "^$" && a != "." && len(names) > 0:
			like, err := regexp.Compile(a)
			if err != nil || !slices.ContainsFunc(names, func(m []string) bool { return like.MatchString(m[1]) }) {
				t.Errorf("%s: nothing there is called %s (%v)", strings.Join(args, " "), a, err)
			}
		}
	}
}

// TestCommandsOfTheDocs runs every command that the documents show, or says in unrun why it cannot be run and looks at least whether
// boardd, make and go would take it.
func TestCommandsOfTheDocs(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for _, page := range pages(t) {
		for _, c := range commandsOf(t, page) {
			t.Run(c.at, func(t *testing.T) {
				text := asUser.ReplaceAllString(where.ReplaceAllString(c.text, "${1}boardd"), "boardd ")
				if !strings.Contains(text, "\n") {
					text = remark.ReplaceAllString(text, "")
				}
				args := words(text)
				complete := c.block
				switch args[0] {
				case "boardd":
					could, err := usage(args[1:])
					if err != nil {
						t.Errorf("%s: %v", text, err)
						return
					}
					if c.block && !could {
						t.Errorf("%s: arguments are missing", text)
					}
					complete = could
				case "make":
					if _, err := exec.LookPath("make"); err != nil && os.Getenv("BOARDD_TEST") != "full" {
						t.Skip("make is not installed")
					}
					cmd := exec.Command("make", append([]string{"-n"}, args[1:]...)...)
					cmd.Dir = "../.."
					if out, err := cmd.CombinedOutput(); err != nil {
						t.Errorf("%s: %v\n%s", text, err, out)
					}
					return
				case "go":
					goCommand(t, args[1:])
					if slices.Contains([]string{"test", "run", "doc", "vet"}, args[1]) {
						return
					}
				case "mosquitto_sub", "mosquitto_pub":
					complete = true
				}
				if slices.ContainsFunc(unrun, func(r reason) bool { return r.like.MatchString(text) }) {
					return
				}
				switch harmless := slices.Contains(runnable, args[0]) && !reaches.MatchString(text); {
				case complete && harmless && !slices.ContainsFunc(args, placeholder):
					h.run(t, text)
				case c.block || !harmless:
					t.Errorf("%s: neither run nor known why not", text)
				}
			})
		}
	}
}

// TestExamplesOfTheHelp: what --help shows as examples are commands that there are.
func TestExamplesOfTheHelp(t *testing.T) {
	t.Parallel()
	var look func(*cobra.Command)
	look = func(cmd *cobra.Command) {
		for line := range strings.Lines(cmd.Example) {
			if args := words(line); len(args) > 0 {
				if args[0] != "boardd" {
					t.Errorf("%s: %q is no command of boardd", cmd.CommandPath(), line)
				} else if complete, err := usage(args[1:]); err != nil || !complete {
					t.Errorf("%s: %q: %v", cmd.CommandPath(), line, err)
				}
			}
		}
		for _, c := range cmd.Commands() {
			look(c)
		}
	}
	look(newRoot())
}

// TestUsageFindsFaults: what is wrong in a command is noticed without running it.
func TestUsageFindsFaults(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"boardd record --last 10m > bug.jsonl":       true,
		"boardd replay":                              true, // named, not shown
		"boardd replay --json":                       true,
		"boardd store":                               true,
		"boardd explain 'e4' # the first move":       true,
		"boardd recrod --last 10m":                   false,
		"boardd record --lats 10m":                   false,
		"boardd fit --make many":                     false,
		"boardd run boardd.toml":                     false,
		"boardd store chekc":                         false,
		"boardd demo --speed 'very fast' | tail -1":  false,
		"boardd mqtt purge --node":                   false,
		"boardd ctl --board a --watch state | jq -r": false,
	} {
		if _, err := usage(words(text)[1:]); (err == nil) != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}
