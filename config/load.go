package config

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/boardd/boardd/files"
)

// More than any configuration needs. A long line may be a key of very many parts, which cost far more than their bytes.
const (
	maxSize = 256 << 10
	maxLine = 4096
)

// unreadable says why a file cannot be read, without its name.
func unreadable(err error, limit int) string {
	if errors.Is(err, files.ErrTooLarge) {
		return fmt.Sprintf("is larger than %d bytes", limit)
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return "cannot be read: " + err.Error()
}

// Load reads a configuration, a file or a pipe; environ is as os.Environ gives it. The error is Faults, also when the file cannot be
// read, or that of ctx when it ends first.
func Load(ctx context.Context, path string, environ []string) (Config, error) {
	text, err := files.ReadStream(ctx, path, maxSize)
	if err != nil && ctx.Err() != nil {
		return Config{}, ctx.Err()
	}
	if errors.Is(err, fs.ErrNotExist) {
		return Config{}, Faults{{File: path, Message: "there is no such file: write one (config/boardd.toml explains every key), or name another with -c"}}
	}
	if err != nil {
		return Config{}, Faults{{File: path, Message: unreadable(err, maxSize)}}
	}
	return Parse(path, text, environ)
}

// Parse reads the text of a configuration; file is its name in faults. The error is Faults: the first error of syntax or
// type, else all unknown keys, else every fault of meaning.
func Parse(file string, text []byte, environ []string) (Config, error) {
	c := Default()
	if len(text) > maxSize {
		return c, Faults{{File: file, Message: fmt.Sprintf("is larger than %d bytes", maxSize)}}
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	n := 0
	for line := range bytes.Lines(text) {
		if n++; len(line) > maxLine {
			return c, Faults{{File: file, Line: n, Message: fmt.Sprintf("this line is longer than %d bytes", maxLine)}}
		}
	}
	keys, err := readKeys(text)
	if err == nil {
		if f, bad := keys.firstTypeFault(); bad {
			f.File = file
			return c, Faults{f}
		}
	}
	// An error of the key reader is one of syntax, which the decoder finds again and tells better.
	if err := toml.Unmarshal(text, &c); err != nil {
		return Default(), Faults{decodeFault(file, keys, err)}
	}
	if err != nil {
		return Default(), Faults{{File: file, Message: err.Error()}}
	}
	if unknown := keys.unknown(); len(unknown) > 0 {
		for i := range unknown {
			unknown[i].File = file
		}
		return Default(), unknown
	}
	for i := range c.Boards {
		fillBoard(&c.Boards[i], fmt.Sprintf("board[%d]", i), keys)
	}
	ck := checker{file: file, keys: keys}
	ck.environment(&c, environ)
	ck.config(&c)
	if len(ck.faults) > 0 {
		slices.SortStableFunc(ck.faults, func(a, b Fault) int { return a.Line - b.Line })
		return Default(), ck.faults
	}
	if slices.ContainsFunc(c.Boards, func(b Board) bool { return b.Driver == "text" }) {
		c.where = &checker{file: file, keys: keys}
	}
	if c.MQTT.PasswordFile != "" {
		c.MQTT.passwordAt = ck.at("mqtt.password_file")
	}
	return c, nil
}

// decodeFault words an error of the TOML decoder.
func decodeFault(file string, keys keys, err error) Fault {
	f := Fault{File: file, Message: err.Error()}
	var d *toml.DecodeError
	if errors.As(err, &d) {
		f.Line, _ = d.Position()
		f.Key = keys.at(f.Line, strings.Join(d.Key(), "."))
	}
	f.Message = short(strings.TrimPrefix(f.Message, "toml: "))
	switch {
	case strings.HasSuffix(f.Message, "U+00E2 'â' at start of value"): // the first byte of a typographic quote, which nobody typed
		f.Message = `text stands in straight quotes, "so", not in “such”`
	case strings.HasSuffix(f.Message, "already exists as an array of tables"):
		f.Message = "is a list: write it in double brackets, as in [[board]]"
	case strings.HasSuffix(f.Message, "' at start of value"): // of a character that can be shown, such as a letter
		f.Message += ": text stands in quotes"
	}
	return f
}

// fillBoard gives a board the defaults of the keys that the file does not have.
func fillBoard(b *Board, path string, keys keys) {
	d := DefaultBoard()
	fill(reflect.ValueOf(b).Elem(), reflect.ValueOf(&d).Elem(), path, keys)
	if !keys.has(path + ".name") {
		b.Name = b.ID
	}
	if s, ok := SerialOf(b.Driver); ok {
		s.fill(b, path, keys)
	}
	fillSensor(b, path, keys)
}

func fill(v, def reflect.Value, path string, keys keys) {
	for i := range v.NumField() {
		key := path + "." + v.Type().Field(i).Tag.Get("toml")
		switch {
		case v.Field(i).Kind() == reflect.Struct:
			fill(v.Field(i), def.Field(i), key, keys)
		case !keys.has(key) && !keys.has(key+"[0]"): // a list, or one of tables
			v.Field(i).Set(def.Field(i))
		}
	}
}
