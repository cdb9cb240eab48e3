package ctl

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"strings"
	"syscall"
)

// ErrNobody says that no daemon listens.
var ErrNobody = errors.New("no daemon is running here: start boardd run")

// Reply ends the answer to a request.
type Reply struct {
	Verb    string
	Board   string
	Status  string // ok, error, duplicate
	Code    string // of an error
	Message string // for people
	Seq     int64
	Raw     json.RawMessage // as it came
}

// Ask sends a request, one JSON object, to the first of paths where somebody listens, and gives each line of the answer but the reply
// to each: its key and its value. The errors are of the connection, of each, or of ctx; a refusal is a Reply.
func Ask(ctx context.Context, paths []string, request []byte, each func(key string, value json.RawMessage) error) (r Reply, err error) {
	c, err := dial(ctx, paths)
	if err != nil {
		return r, err
	}
	defer c.Close()
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	defer stop()
	if _, err := c.Write(append(append([]byte(nil), request...), '\n')); err != nil {
		return r, fmt.Errorf("the daemon does not listen: %w", err)
	}
	lines := bufio.NewReader(c)
	for {
		text, err := lines.ReadBytes('\n')
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
		if err == io.EOF {
			return r, errors.New("the daemon has ended")
		}
		if err != nil {
			return r, fmt.Errorf("the daemon does not answer: %w", err)
		}
		var answer map[string]json.RawMessage
		if err := json.Unmarshal(text, &answer); err != nil {
			return r, fmt.Errorf("the daemon answers what is no JSON: %w", err)
		}
		if raw, ok := answer["reply"]; ok {
			err := json.Unmarshal(raw, &r)
			r.Raw = raw
			return r, err
		}
		for key, value := range answer {
			if err := each(key, value); err != nil {
				return r, err
			}
		}
	}
}

func dial(ctx context.Context, paths []string) (net.Conn, error) {
	var forbidden error
	for _, p := range paths {
		c, err := new(net.Dialer).DialContext(ctx, "unix", p)
		switch {
		case err == nil:
			return c, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, fs.ErrPermission):
			forbidden = fmt.Errorf("%s may not be used by you: be of the group %s, or the user that runs boardd", p, Group)
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, syscall.ENOTDIR):
		default:
			return nil, fmt.Errorf("%s: %w", p, err)
		}
	}
	if forbidden != nil {
		return nil, forbidden
	}
	return nil, fmt.Errorf("%w (nobody listens at %s)", ErrNobody, strings.Join(paths, " or "))
}
