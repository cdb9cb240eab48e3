package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"

	systemd "github.com/coreos/go-systemd/v22/daemon"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/daemon"
	"github.com/boardd/boardd/leds"
	"github.com/boardd/boardd/mqtt"
)

// reloader reads the configuration again when it is told to, and brings what can change at run time to where it matters.
type reloader struct {
	file     string
	hangup   <-chan struct{}
	now      config.Config // what holds
	manager  manager
	house    *daemon.Daemon
	door     *mqtt.Door
	displays []display
	log      *slog.Logger
	level    *slog.LevelVar // of log; nil: a flag has set it
}

// run waits for hangups until ctx ends.
func (r *reloader) run(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-r.hangup:
		}
		r.tell(systemd.SdNotifyReloading, systemd.SdNotifyMonotonicUsec())
		r.reload(ctx)
		r.tell(systemd.SdNotifyReady)
	}
}

func (r *reloader) tell(lines ...string) {
	if r.manager.send != nil {
		_ = r.manager.send(strings.Join(lines, "\n")) // the notifier complains
	}
}

// reload takes over what has changed in the file, if nothing in it is wrong.
func (r *reloader) reload(ctx context.Context) {
	c, err := config.Load(ctx, r.file, os.Environ())
	if err == nil {
		_, err = c.MQTT.Password()
	}
	if err == nil {
		err = errors.Join(checkLights(&c), checkMaps(&c))
	}
	if err != nil {
		for line := range strings.Lines(err.Error()) {
			r.log.Error("the configuration is not taken over, the old one goes on", "err", strings.TrimSpace(line))
		}
		return
	}
	changed := differences("", reflect.ValueOf(r.now), reflect.ValueOf(c))
	var takes, wants []string
	for _, key := range changed {
		if r.take(ctx, key, &c) {
			takes = append(takes, key)
		} else {
			wants = append(wants, key)
		}
	}
	r.log.Info("the configuration was read again", "changed", strings.Join(takes, " "))
	if len(wants) > 0 {
		r.log.Warn("what has changed needs a restart", "keys", strings.Join(wants, " "))
	}
}

// boardKey is the path of a key of a board.
var boardKey = regexp.MustCompile(`^board\[(\d+)\]\.(.+)$`)

// take brings the new value of a key to where it matters, and reports false when that takes a restart.
func (r *reloader) take(ctx context.Context, key string, c *config.Config) bool {
	if key == "node.log_level" && r.level != nil {
		r.now.Node.LogLevel = c.Node.LogLevel
		_ = r.level.UnmarshalText([]byte(c.Node.LogLevel)) // checked
		return true
	}
	m := boardKey.FindStringSubmatch(key)
	if m == nil {
		return false
	}
	var i int
	if _, err := fmt.Sscan(m[1], &i); err != nil {
		return false
	}
	was, is := &r.now.Boards[i], &c.Boards[i]
	switch m[2] {
	case "leds.brightness":
		value := max(int(is.LEDs.Brightness), 1)
		if !r.do(ctx, was.ID, &board.Command{Verb: "led_brightness", Value: &value}) {
			return false
		}
		was.LEDs.Brightness = is.LEDs.Brightness
	case "rules.mode":
		if !r.do(ctx, was.ID, &board.Command{Verb: "mode", Mode: is.Rules.Mode}) {
			return false
		}
		was.Rules.Mode = is.Rules.Mode
	case "rules.language":
		was.Rules.Language = is.Rules.Language
		r.door.SetLanguages(languages(&r.now))
	case "leds.palette.remove", "leds.palette.put", "leds.palette.info", "leds.last_move", "leds.guidance", "leds.night":
		was.LEDs.Palette, was.LEDs.LastMove, was.LEDs.Guidance, was.LEDs.Night = is.LEDs.Palette, is.LEDs.LastMove, is.LEDs.Guidance, is.LEDs.Night
		for _, d := range r.displays {
			if d.board == was.ID {
				taste := styleOf(&is.LEDs)
				from, to, _ := is.LEDs.Night.Minutes()
				d.runner.Restyle(func(s *leds.Style, night *leds.Hours) {
					s.Palette, s.LastMove, s.OneByOne = taste.Palette, taste.LastMove, taste.OneByOne
					*night = leds.Hours{From: from, To: to}
				})
			}
		}
	default:
		return false
	}
	return true
}

// do has a table do what a person could command.
func (r *reloader) do(ctx context.Context, id string, c *board.Command) bool {
	c.By = "configuration"
	reply, err := r.house.Do(ctx, id, c)
	if err == nil && reply.Status != "ok" {
		err = errors.New(reply.Message)
	}
	if err != nil {
		r.log.Warn("a change of the configuration was refused", "board", id, "command", c.Verb, "err", err)
	}
	return err == nil
}

// languages are those of the boards, by their ids.
func languages(c *config.Config) map[string]string {
	all := map[string]string{}
	for i := range c.Boards {
		all[c.Boards[i].ID] = c.Boards[i].Rules.Language
	}
	return all
}

// differences are the keys whose values differ, as a file would name them; a list of tables with more or fewer of them is one key.
func differences(path string, a, b reflect.Value) (keys []string) {
	switch {
	case a.Kind() == reflect.Struct:
		for i := range a.NumField() {
			name := a.Type().Field(i).Tag.Get("toml")
			if name == "" { // none of the file's
				continue
			}
			if path != "" {
				name = path + "." + name
			}
			keys = append(keys, differences(name, a.Field(i), b.Field(i))...)
		}
	case a.Kind() == reflect.Slice && a.Type().Elem().Kind() == reflect.Struct && a.Len() == b.Len():
		for i := range a.Len() {
			keys = append(keys, differences(fmt.Sprintf("%s[%d]", path, i), a.Index(i), b.Index(i))...)
		}
	case !reflect.DeepEqual(a.Interface(), b.Interface()):
		keys = append(keys, path)
	}
	return keys
}

// newReloader keeps a configuration of its own: what holds may change, what the house was built from does not.
func newReloader(r reloader) *reloader {
	r.now.Boards = slices.Clone(r.now.Boards)
	return &r
}
