// Package files reads files that somebody else has named: no more of them than was asked for, nothing that never ends, and no longer
// than the caller waits. It replaces files whole.
package files

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// ErrTooLarge says that a file is larger than the limit.
var ErrTooLarge = errors.New("too large")

var errKind = errors.New("not a regular file")

// Read gives what a regular file holds, limit bytes at most: a larger one is ErrTooLarge. Devices, pipes and folders are refused
// before they are opened. Errors are *fs.PathError.
func Read(path string, limit int) ([]byte, error) {
	text, err := read(context.Background(), path, limit+1, 0)
	return within(path, limit, text, err)
}

// ReadStream is Read that takes pipes too, such as /dev/stdin and a shell's <(command). It ends with the error of ctx, as soon as ctx
// ends.
func ReadStream(ctx context.Context, path string, limit int) ([]byte, error) {
	text, err := read(ctx, path, limit+1, fs.ModeNamedPipe)
	return within(path, limit, text, err)
}

// Head gives the first bytes of a regular file, limit at most.
func Head(path string, limit int) ([]byte, error) {
	return read(context.Background(), path, limit, 0)
}

func within(path string, limit int, text []byte, err error) ([]byte, error) {
	if err == nil && len(text) > limit {
		return nil, &fs.PathError{Op: "read", Path: path, Err: ErrTooLarge}
	}
	return text, err
}

// read takes regular files, and those of one kind besides.
func read(ctx context.Context, path string, most int, besides fs.FileMode) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	switch kind := info.Mode().Type(); {
	case kind.IsDir():
		return nil, &fs.PathError{Op: "read", Path: path, Err: syscall.EISDIR}
	case kind != 0 && kind != besides:
		return nil, &fs.PathError{Op: "read", Path: path, Err: errKind}
	}
	f, err := Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, int64(most)))
}

// Open opens any file for reading. When ctx ends, opening (a pipe that nobody writes to) and reading end with its error.
func Open(ctx context.Context, path string) (io.ReadCloser, error) {
	type opened struct {
		file *os.File
		err  error
	}
	done := make(chan opened)
	go func() {
		f, err := os.Open(path)
		select {
		case done <- opened{f, err}:
		case <-ctx.Done():
			if err == nil {
				_ = f.Close()
			}
		}
	}()
	select {
	case o := <-done:
		if o.err != nil {
			return nil, o.err
		}
		return &stream{Reader: Until(ctx, o.file), Closer: o.file}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

type stream struct {
	io.Reader
	io.Closer
}

// Until reads from r until ctx ends, whose error it then gives. A read that waits is not waited for, and what it still brings is lost.
func Until(ctx context.Context, r io.Reader) io.Reader {
	return &until{ctx: ctx, in: r}
}

type until struct {
	ctx  context.Context
	in   io.Reader
	rest []byte
	err  error
}

func (u *until) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	if len(u.rest) == 0 && u.err == nil {
		u.fetch()
	}
	if len(u.rest) == 0 {
		return 0, u.err
	}
	n := copy(p, u.rest)
	u.rest = u.rest[n:]
	return n, nil
}

// fetch reads into memory of its own, which a read that comes too late may still write to.
func (u *until) fetch() {
	type part struct {
		text []byte
		err  error
	}
	done := make(chan part, 1)
	go func() {
		buf := make([]byte, 64<<10)
		n, err := u.in.Read(buf)
		done <- part{buf[:n], err}
	}()
	select {
	case p := <-done:
		u.rest, u.err = p.text, p.err
	case <-u.ctx.Done():
		u.err = u.ctx.Err()
	}
}
