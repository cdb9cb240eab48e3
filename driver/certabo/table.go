package certabo

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/boardd/boardd/files"
	"github.com/boardd/boardd/rules"
)

// Chip is the number that the chip in a man has; all zero is none.
type Chip [5]byte

// String is the chip as the board's text has it, such as "48 0 248 71 99".
func (c Chip) String() string {
	return fmt.Sprintf("%d %d %d %d %d", c[0], c[1], c[2], c[3], c[4])
}

// ParseChip reads what String writes.
func ParseChip(text string) (c Chip, err error) {
	words := strings.Fields(text)
	if len(words) != len(c) {
		return c, fmt.Errorf("%.40q is no chip: wants five numbers of 0 to 255", text)
	}
	for i, w := range words {
		n, err := strconv.ParseUint(w, 10, 8)
		if err != nil {
			return Chip{}, fmt.Errorf("%.40q is no chip: wants five numbers of 0 to 255", text)
		}
		c[i] = byte(n)
	}
	if c == (Chip{}) {
		return c, errors.New("a chip of five zeros is an empty square")
	}
	return c, nil
}

// blank reports whether the chip has the three zeros of a square on which nothing but noise was read.
func (c Chip) blank() bool {
	zeros := 0
	for _, n := range c {
		if n == 0 {
			zeros++
		}
	}
	return zeros >= 3
}

// Table says which piece each chip is in. A piece may have any number of chips: pawns, spare queens, other sets of men.
type Table map[Chip]rules.Piece

// TableOf makes a table of lists of chips by the FEN letter of their piece, as files and recordings hold it. No chip may be in
// it twice.
func TableOf(letters map[string][]string) (Table, error) {
	t := Table{}
	for letter, chips := range letters {
		if len(letter) != 1 {
			return nil, fmt.Errorf("%.8q is no piece: use one of KQRBNPkqrbnp", letter)
		}
		p, ok := rules.PieceFromLetter(letter[0])
		if !ok {
			return nil, fmt.Errorf("%q is no piece: use one of KQRBNPkqrbnp", letter)
		}
		for _, text := range chips {
			c, err := ParseChip(text)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", letter, err)
			}
			if old, twice := t[c]; twice {
				return nil, fmt.Errorf("the chip %s is in the list twice, as %c and as %s", c, old.Letter(), letter)
			}
			t[c] = p
		}
	}
	return t, nil
}

// Letters is the table as TableOf takes it, chips in order.
func (t Table) Letters() map[string][]string {
	letters := map[string][]string{}
	for _, c := range slices.SortedFunc(maps.Keys(t), func(a, b Chip) int { return bytes.Compare(a[:], b[:]) }) {
		l := string(t[c].Letter())
		letters[l] = append(letters[l], c.String())
	}
	return letters
}

// PiecesPath is the file for the chips of a board in boardd's data folder.
func PiecesPath(data, board string) string {
	return filepath.Join(data, "calibration", board+"-pieces.toml")
}

// piecesFile is a Table as its file has it.
type piecesFile struct {
	Pieces map[string][]string `toml:"pieces"`
}

// piecesLimit is more bytes than the chips of a hundred sets need.
const piecesLimit = 256 << 10

// ReadTable reads what Write has written. fs.ErrNotExist says that the board's chips were never learnt.
func ReadTable(path string) (Table, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("pieces: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > piecesLimit {
		return nil, fmt.Errorf("pieces: %s holds no pieces", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("pieces: %w", err)
	}
	t, err := ParseTable(text)
	if err != nil {
		return nil, fmt.Errorf("pieces %s: %w: run boardd calibrate again", path, err)
	}
	return t, nil
}

// ParseTable reads the text of a file of pieces.
func ParseTable(text []byte) (Table, error) {
	var f piecesFile
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&f); err != nil {
		return nil, err
	}
	return TableOf(f.Pieces)
}

// Text is the table as its file has it.
func (t Table) Text() ([]byte, error) {
	text, err := toml.Marshal(piecesFile{t.Letters()})
	return append([]byte("# Written by boardd calibrate: the numbers of the chips in each piece.\n"), text...), err
}

// Write replaces the file whole or not at all, and makes its folder if there is none.
func (t Table) Write(path string) error {
	text, err := t.Text()
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o750)
	}
	if err == nil {
		err = files.Replace(path, text, 0o640)
	}
	if err != nil {
		return fmt.Errorf("pieces: %w", err)
	}
	return nil
}
