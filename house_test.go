// Package boardd_test keeps the house in order: which room may import which, and what the core and the rooms may not do.
package boardd_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/boardd/boardd"

// room is what one room of the house may import: rooms of ours, and modules of others (anything below them too).
// The standard library is free to every room but those of the core.
type room struct {
	ours   []string
	others []string
}

// rooms is the table of docs/architecture.md. A room that ends in /* is every package below it.
var rooms = map[string]room{
	"rules":        {},
	"rules/laws":   {ours: []string{"rules"}, others: []string{"golang.org/x/text/language"}},
	"board":        {ours: []string{"rules"}},
	"files":        {},
	"config":       {ours: []string{"rules", "board", "files"}, others: []string{"github.com/pelletier/go-toml/v2"}},
	"recording":    {ours: []string{"rules", "board"}},
	"sensing":      {ours: []string{"rules", "board"}},
	"sensing/hand": {ours: []string{"rules", "board"}, others: []string{"github.com/pelletier/go-toml/v2"}},
	"driver/*": {ours: []string{"rules", "board", "driver/scan", "driver/pins", "driver/tca9548a", "driver/notes"}, others: []string{
		"go.bug.st/serial", "golang.org/x/sys/unix", "periph.io/x/conn/v3"}},
	"driver/scan":            {ours: []string{"rules", "board", "files"}, others: []string{"github.com/pelletier/go-toml/v2"}},
	"driver/notes":           {},
	"driver/line":            {ours: []string{"board", "driver/port"}},
	"driver/device":          {},
	"driver/pins":            {ours: []string{"driver/device"}, others: []string{"github.com/warthog618/go-gpiocdev", "golang.org/x/sys/unix"}},
	"driver/bus":             {ours: []string{"driver/device"}, others: []string{"periph.io/x/conn/v3", "periph.io/x/host/v3/sysfs"}},
	"driver/tca9548a":        {others: []string{"periph.io/x/conn/v3"}},
	"driver/chiptest":        {ours: []string{"driver/scan"}, others: []string{"periph.io/x/conn/v3", "pgregory.net/rapid"}},
	"driver/chiptest/boards": {ours: []string{"driver/*"}, others: []string{"periph.io/x/conn/v3"}},
	"game":                   {ours: []string{"rules", "board", "sensing"}},
	"leds":                   {ours: []string{"rules", "board", "game"}},
	"leds/*":                 {ours: []string{"rules", "board", "leds/order", "leds/chain"}, others: []string{"periph.io/x/conn/v3"}},
	"store":                  {ours: []string{"rules", "board", "game"}, others: []string{"modernc.org/sqlite", "golang.org/x/sys/unix"}},
	"doctor":                 {},
	"leds/order":             {ours: []string{"rules", "board"}},
	"leds/chain":             {ours: []string{"board", "leds/order"}},
	"mqtt/mqtttest":          {others: []string{"github.com/santhosh-tekuri/jsonschema/v6"}}, // for tests
	"picture":                {ours: []string{"rules"}, others: []string{"golang.org/x/image"}},
	"commands":               {ours: []string{"board"}},
	"ctl":                    {ours: []string{"board", "game", "commands"}},
	"mqtt": {ours: []string{"rules", "rules/laws", "board", "game", "commands", "files", "picture"}, others: []string{
		"github.com/eclipse/paho.mqtt.golang", "github.com/mochi-mqtt/server/v2", "golang.org/x/time/rate"}},
	"daemon": {ours: []string{"rules", "board", "recording", "game"}},
	"cmd/boardd": {ours: []string{"*"}, others: []string{
		"github.com/pelletier/go-toml/v2",
		"github.com/spf13/cobra", "golang.org/x/term", "periph.io/x/conn/v3",
		"github.com/coreos/go-systemd/v22/daemon", // speaks to the service manager
		"github.com/eclipse/paho.mqtt.golang"}},   // the demo watches its broker as any client would
	"driver/certabo": {ours: []string{"rules", "board", "files", "driver/notes"}, others: []string{"github.com/pelletier/go-toml/v2"}},
	"driver/sentio":  {ours: []string{"rules", "board", "driver/certabo", "driver/notes"}},
	"driver/emulator": {ours: []string{"rules", "board"}, others: []string{
		"github.com/creack/pty", "golang.org/x/sys/unix"}}, // boards that are not there, on pseudo terminals
	"driver/emulator/sentio": {ours: []string{"rules", "board", "driver/emulator/certabo"}}, // the same lights
	"driver/emulator/*":      {ours: []string{"rules", "board"}},                            // a protocol each, seen from the board's side
	"driver/emulator/emulatortest": {ours: []string{"rules", "board", "driver/emulator"}, others: []string{
		"github.com/creack/pty", "golang.org/x/sys/unix"}}, // for tests
	"driver/dgt/dgttest": {ours: []string{"driver/dgt"}, others: []string{
		"github.com/creack/pty", "golang.org/x/sys/unix"}}, // a board for tests, on a pseudo terminal
	"kernel/*":  {},
	"chaos":     {},
	"scripts/*": {},
	"systemd":   {},
	"scripts/bench": {ours: []string{"rules"}, others: []string{
		"github.com/corentings/chess/v2"}}, // a module of its own: what boardd is measured beside is no dependency of it
}

// core are the rooms without clock, goroutine, I/O, random numbers and floating point, and the only packages of the
// standard library that they may use.
var (
	core        = []string{"rules", "sensing", "game"}
	coreImports = []string{
		"bytes", "cmp", "encoding", "encoding/json", "errors", "fmt", "iter", "maps", "math/bits", "reflect", "slices",
		"sort", "strconv", "strings", "unicode", "unicode/utf8",
	}
)

// doorFiles are files of the core that only name types for the doors, and may name these packages' types for it.
var doorFiles = map[string][]string{
	"game/feed.go": {"context", "time"},
}

// clockRooms are where the clock may be read: the loop around the tables, the goroutines that own ports, and the program
// itself; mqtt and ctl for the deadlines of their connections, never for the time of an event.
var clockRooms = []string{"daemon", "driver/*", "mqtt", "ctl", "cmd/boardd", "scripts/*"}

// timerRooms may wait besides, without asking what time it is.
var timerRooms = []string{"leds", "leds/*"}

var (
	clockCalls = []string{"Now", "Since", "Until"}
	timerCalls = []string{"After", "AfterFunc", "NewTimer", "NewTicker", "Tick", "Sleep"}
)

// mayPanic are the functions in which a panic tells of a mistake in the program, never of its input.
var mayPanic = []string{
	"mqtt.encode", // a body of ours that JSON cannot say
}

// mayJoin are the rooms whose errors may be several, a line each: faults of a configuration, and the ends of a
// program.
var mayJoin = []string{"config", "cmd/boardd"}

// maySleep are the functions of tests that ask for a condition again and again, with a deadline.
var maySleep = []string{"until", "eventually"}

// oneFile are modules that must stay behind one file, so that they can be replaced.
var oneFile = []string{"github.com/mochi-mqtt/server/v2"}

// notForDrivers is what of the rules a driver may not use: it knows the names of squares and pieces and no chess.
var notForDrivers = []string{
	"Position", "ParsePosition", "Setup", "ParseFEN", "Start", "Line", "NewLine", "Move", "NewMove", "Perft", "Divide",
}

// source is one Go file of the house.
type source struct {
	room string // the package's folder, "." for the root
	file string // path with slashes
	test bool
	ast  *ast.File
	fset *token.FileSet
}

func (s *source) at(n ast.Node) string {
	return fmt.Sprintf("%s:%d", s.file, s.fset.Position(n.Pos()).Line)
}

// imports are the file's imports: path to local name.
func (s *source) imports(t *testing.T) map[string]*ast.ImportSpec {
	m := map[string]*ast.ImportSpec{}
	for _, spec := range s.ast.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatalf("%s: %v", s.at(spec), err)
		}
		m[p] = spec
	}
	return m
}

// local is the name by which the file calls an imported package, "" when it does not import it.
func (s *source) local(t *testing.T, p string) string {
	spec, ok := s.imports(t)[p]
	switch {
	case !ok:
		return ""
	case spec.Name != nil:
		return spec.Name.Name
	}
	return path.Base(p)
}

// house parses every Go file below the root.
func house(t *testing.T) []*source {
	t.Helper()
	var all []*source
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := d.Name(); d.IsDir() && name != "." &&
			(strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || base == "testdata" || base == "bin" || base == "dist") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasPrefix(d.Name(), ".") {
			return nil
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		all = append(all, &source{path.Dir(name), name, strings.HasSuffix(name, "_test.go"), f, fset})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 10 {
		t.Fatalf("only %d Go files found: is this the root of the house?", len(all))
	}
	return all
}

// in reports whether a room is one of names; names ending in /* stand for what is below them.
func in(name string, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		below, wild := strings.CutSuffix(n, "*")
		return n == name || n == "*" || wild && strings.HasPrefix(name, below)
	})
}

func ruleOf(name string) (room, bool) {
	if r, ok := rooms[name]; ok {
		return r, true
	}
	longest := ""
	for n := range rooms {
		if strings.HasSuffix(n, "/*") && in(name, []string{n}) && len(n) > len(longest) {
			longest = n
		}
	}
	r, ok := rooms[longest]
	return r, ok
}

func TestRoomsImportOnlyWhatTheyMay(t *testing.T) {
	t.Parallel()
	for _, s := range house(t) {
		if s.room == "." {
			if !s.test {
				t.Errorf("%s: the root holds no code", s.file)
			}
			continue
		}
		rule, ok := ruleOf(s.room)
		if !ok {
			t.Errorf("%s: the room %s is not in the table of house_test.go and docs/architecture.md", s.file, s.room)
			continue
		}
		if s.test {
			continue // a test may bring its room together with others
		}
		for p, spec := range s.imports(t) {
			ours, mine := strings.CutPrefix(p, module+"/")
			switch {
			case mine && !in(ours, rule.ours):
				t.Errorf("%s: %s may not import %s", s.at(spec), s.room, ours)
			case !mine && strings.Contains(strings.Split(p, "/")[0], "."):
				if !slices.ContainsFunc(rule.others, func(m string) bool { return p == m || strings.HasPrefix(p, m+"/") }) {
					t.Errorf("%s: %s may not import %s", s.at(spec), s.room, p)
				}
			case !mine && in(s.room, core) && !in(p, coreImports) && !in(p, doorFiles[s.file]):
				t.Errorf("%s: the core may not import %s", s.at(spec), p)
			}
			if p == "C" || p == "unsafe" {
				t.Errorf("%s: no import %q in this house", s.at(spec), p)
			}
		}
	}
}

// TestTableNamesOnlyRoomsThatExist keeps the table short: no empty rooms, no rooms to come.
func TestTableNamesOnlyRoomsThatExist(t *testing.T) {
	t.Parallel()
	var have []string
	for _, s := range house(t) {
		have = append(have, s.room)
	}
	for name := range rooms {
		if !slices.ContainsFunc(have, func(h string) bool { return in(h, []string{name}) }) {
			t.Errorf("the table has a room %s that does not exist", name)
		}
	}
}

// TestArchitectureTellsTheTable compares the rows of docs/architecture.md with the table here.
func TestArchitectureTellsTheTable(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	told := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || !strings.Contains(cells[1], "`") {
			continue
		}
		var may []string
		switch cell := strings.TrimSpace(cells[3]); cell {
		case "–":
		case "everything":
			may = []string{"*"}
		default:
			may = strings.Fields(strings.ReplaceAll(cell, "`", ""))
		}
		told[strings.ReplaceAll(strings.Trim(cells[1], " `"), "…", "*")] = may
	}
	for name, r := range rooms {
		may, ok := told[name]
		if !ok {
			t.Errorf("docs/architecture.md has no room %s", name)
		} else if !slices.Equal(slices.Sorted(slices.Values(may)), slices.Sorted(slices.Values(r.ours))) {
			t.Errorf("docs/architecture.md says that %s may import %v, the table here %v", name, may, r.ours)
		}
		delete(told, name)
	}
	for name := range told {
		t.Errorf("docs/architecture.md has a room %s that the table here does not have", name)
	}
}

func TestTableHasNoCycle(t *testing.T) {
	t.Parallel()
	var visit func(name string, way []string)
	visit = func(name string, way []string) {
		if slices.Contains(way, name) {
			t.Errorf("a cycle: %s", strings.Join(append(way, name), " → "))
			return
		}
		for _, next := range rooms[name].ours {
			if next != "*" {
				visit(next, append(slices.Clone(way), name))
			}
		}
	}
	for name := range rooms {
		visit(name, nil)
	}
}

func TestCoreIsPure(t *testing.T) {
	t.Parallel()
	for _, s := range house(t) {
		if s.test || !in(s.room, core) {
			continue
		}
		ast.Inspect(s.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt, *ast.SelectStmt, *ast.SendStmt:
				t.Errorf("%s: the core has no goroutines", s.at(n))
			case *ast.ChanType:
				if doorFiles[s.file] == nil {
					t.Errorf("%s: the core has no channels", s.at(n))
				}
			case *ast.BasicLit:
				if n.Kind == token.FLOAT || n.Kind == token.IMAG {
					t.Errorf("%s: %s: the core does not compute with floating point", s.at(n), n.Value)
				}
			case *ast.Ident:
				switch n.Name {
				case "float32", "float64", "complex64", "complex128":
					t.Errorf("%s: %s: the core does not compute with floating point", s.at(n), n.Name)
				}
			}
			return true
		})
	}
}

func TestClocksAreReadOnlyAtTheEdge(t *testing.T) {
	t.Parallel()
	for _, s := range house(t) {
		name := s.local(t, "time")
		if name == "" {
			continue
		}
		function := ""
		ast.Inspect(s.ast, func(n ast.Node) bool {
			if f, ok := n.(*ast.FuncDecl); ok {
				function = f.Name.Name
			}
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); !ok || x.Name != name {
				return true
			}
			what := sel.Sel.Name
			switch {
			case s.test && what == "Sleep" && !slices.Contains(maySleep, function):
				t.Errorf("%s: no sleep in a test: wait for a condition with a deadline, or give fake time", s.at(n))
			case s.test:
			case slices.Contains(clockCalls, what) && !in(s.room, clockRooms):
				t.Errorf("%s: time.%s: only %s may read the clock", s.at(n), what, strings.Join(clockRooms, ", "))
			case slices.Contains(timerCalls, what) && !in(s.room, clockRooms) && !in(s.room, timerRooms):
				t.Errorf("%s: time.%s: %s takes its time from outside", s.at(n), what, s.room)
			}
			return true
		})
	}
}

func TestNobodyPanics(t *testing.T) {
	t.Parallel()
	for _, s := range house(t) {
		if s.test {
			continue
		}
		for _, decl := range s.ast.Decls {
			where := s.room
			if f, ok := decl.(*ast.FuncDecl); ok {
				where += "." + f.Name.Name
			}
			ast.Inspect(decl, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				if f, ok := call.Fun.(*ast.Ident); ok && f.Name == "panic" && !slices.Contains(mayPanic, where) {
					t.Errorf("%s: %s panics: return an error", s.at(n), where)
				}
				return true
			})
		}
	}
}

// TestErrorsAreOneLine: what is joined is told on a line each, which in a log nobody reads.
func TestErrorsAreOneLine(t *testing.T) {
	t.Parallel()
	for _, s := range house(t) {
		name := s.local(t, "errors")
		if s.test || name == "" || in(s.room, mayJoin) {
			continue
		}
		ast.Inspect(s.ast, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "Join" {
				if x, ok := sel.X.(*ast.Ident); ok && x.Name == name {
					t.Errorf("%s: errors.Join makes two lines: give the first error, or wrap it", s.at(n))
				}
			}
			return true
		})
	}
}

func TestSomeModulesStayBehindOneFile(t *testing.T) {
	t.Parallel()
	for _, m := range oneFile {
		var files []string
		for _, s := range house(t) {
			if !s.test && slices.ContainsFunc(s.ast.Imports, func(i *ast.ImportSpec) bool {
				return strings.HasPrefix(strings.Trim(i.Path.Value, `"`), m)
			}) {
				files = append(files, s.file)
			}
		}
		if len(files) > 1 {
			t.Errorf("%s is imported by %s", m, strings.Join(files, " and "))
		}
	}
}

func TestDriversKnowNoChess(t *testing.T) {
	t.Parallel()
	for _, s := range house(t) {
		name := s.local(t, module+"/rules")
		if s.test || name == "" || !in(s.room, []string{"driver/*"}) {
			continue
		}
		ast.Inspect(s.ast, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok && x.Name == name && slices.Contains(notForDrivers, sel.Sel.Name) {
					t.Errorf("%s: a driver does not need rules.%s", s.at(n), sel.Sel.Name)
				}
			}
			return true
		})
	}
}

// TestNobodyUsesNumbersOfLines: GPIO lines of /sys/class/gpio have other numbers with each kernel, and periph's probing of the whole
// machine exports and maps what is not ours (cases GP-02, GP-05 and GP-10).
func TestNobodyUsesNumbersOfLines(t *testing.T) {
	t.Parallel()
	for _, s := range house(t) {
		if s.test {
			continue
		}
		for p, spec := range s.imports(t) {
			if p == "periph.io/x/host/v3" || strings.HasPrefix(p, "periph.io/x/host/v3/") && p != "periph.io/x/host/v3/sysfs" {
				t.Errorf("%s: %s probes the whole machine: open buses by package driver/bus, lines by driver/pins", s.at(spec), p)
			}
		}
		ast.Inspect(s.ast, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && strings.Contains(lit.Value, "/sys/class/gpio") {
				t.Errorf("%s: %s: lines are found by names, see driver/pins", s.at(lit), lit.Value)
			}
			return true
		})
	}
}
