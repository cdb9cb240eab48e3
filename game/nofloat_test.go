package game

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoFloatingPoint keeps the core exact: floating point rounds differently on arm (design.md §1). Nor has it a clock: only
// feed.go, which says what the doors get, names the wall clock's type.
func TestNoFloatingPoint(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"../rules", "../sensing", "../board", "."} {
		files := 0
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && path != dir {
				return filepath.SkipDir // rooms of their own, such as sensing/hand
			}
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			files++
			set := token.NewFileSet()
			f, err := parser.ParseFile(set, path, nil, 0)
			if err != nil {
				return err
			}
			for _, at := range floats(f, filepath.Base(path)) {
				t.Errorf("%s: floating point", set.Position(at))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if files == 0 {
			t.Errorf("%s: no files", dir)
		}
	}
}

func floats(f *ast.File, name string) (at []token.Pos) {
	for _, i := range f.Imports {
		if i.Path.Value == `"math"` || i.Path.Value == `"math/rand"` || i.Path.Value == `"time"` && name != "feed.go" {
			at = append(at, i.Pos())
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.Ident:
			switch x.Name {
			case "float32", "float64", "complex64", "complex128":
				at = append(at, x.Pos())
			}
		case *ast.BasicLit:
			if x.Kind == token.FLOAT || x.Kind == token.IMAG {
				at = append(at, x.Pos())
			}
		}
		return true
	})
	return at
}

func TestFloatsAreFound(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]int{
		"package p; var x = 1.5": 1, "package p; var x float64": 1, "package p; var x = 15": 0, `package p; import "math"`: 1,
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "p.go", src, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(floats(f, "p.go")); got != want {
			t.Errorf("%s: found %d", src, got)
		}
	}
}
