// Package store keeps games and events in SQLite: the journal of the daemon, the outbox of its doors, and what a table needs to go on
// after any stop. What it has committed is on the disk (WAL, synchronous=FULL). It reads no clock and starts no goroutine.
package store

import (
	"cmp"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"modernc.org/sqlite"

	"github.com/boardd/boardd/game"
)

// File is the store's name in its folder.
const File = "boardd.db"

// Options of a Store.
type Options struct {
	Dir string           // an existing folder that may be written to
	Log *slog.Logger     // default: none
	Now func() time.Time // names what is moved aside; default: no time in the name
}

// Store is an open store. It is safe for concurrent use.
type Store struct {
	opt  Options
	path string
	lock *os.File
	low  atomic.Bool // the disk is nearly full

	writing sync.Mutex // held while the disk is waited for
	write   *writer    // nil after an error: opened anew with the next commit
	closed  bool

	mu     sync.Mutex // of all below; taken after writing, and never held while the disk is waited for
	read   *sql.DB
	boards map[string]*boardState
	outbox outbox
}

// boardState is what the store knows of a board without asking the disk.
type boardState struct {
	epoch  string
	seq    int64
	atMs   int64
	text   []byte                  // of the snapshot
	stored map[string]*game.Record // games as they are on the disk, by id: the last ones
}

// Open opens the store of a folder, or makes it. A database that cannot be read is moved aside with its contents, and a new one begun:
// an evening in a club is not to wait for a disk. Errors say what to do.
func Open(o Options) (*Store, error) {
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	s := &Store{opt: o, path: filepath.Join(o.Dir, File), boards: map[string]*boardState{}}
	if err := writable(o.Dir); err != nil {
		return nil, err
	}
	var err error
	if s.lock, err = lock(filepath.Join(o.Dir, "boardd.lock")); err != nil {
		return nil, err
	}
	if err := s.open(); damaged(err) {
		if err := s.moveAside(err); err != nil {
			return nil, cmp.Or(err, s.Close())
		}
		if err := s.open(); err != nil {
			return nil, cmp.Or(err, s.Close())
		}
	} else if err != nil {
		return nil, cmp.Or(fmt.Errorf("the store %s cannot be opened: %w", s.path, err), s.Close())
	}
	return s, nil
}

// writable tries it: rights alone do not say it, and games are not to be lost unnoticed.
func writable(dir string) error {
	name := filepath.Join(dir, ".write-test")
	err := os.WriteFile(name, nil, 0o640)
	if err == nil {
		return os.Remove(name)
	}
	var why *fs.PathError
	if errors.As(err, &why) {
		err = why.Err
	}
	return fmt.Errorf("cannot write in the folder %s (node.data): %w; make it and give it to the user that runs boardd, "+
		"or name another folder; an empty node.data keeps nothing", dir, err)
}

// Read opens the store of a folder to be read while another process may write to it.
func Read(dir string) (*Store, error) {
	s := &Store{opt: Options{Dir: dir, Log: slog.New(slog.DiscardHandler)}, path: filepath.Join(dir, File), boards: map[string]*boardState{}}
	switch _, err := os.Stat(s.path); {
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("cannot read the folder %s (node.data): %w; try it as the user that runs boardd", dir, fs.ErrPermission)
	case err != nil:
		return nil, fmt.Errorf("there is no store in the folder %s (node.data): %w", dir, err)
	}
	var err error
	if s.read, err = reader(s.path); err == nil {
		err = s.newest()
	}
	if err != nil {
		return nil, cmp.Or(fmt.Errorf("the store %s cannot be read: %w", s.path, err), s.Close())
	}
	return s, nil
}

// newest refuses a database of a later version.
func (s *Store) newest() error {
	var version int
	if err := s.read.QueryRow("PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if version > len(migrations) {
		return fmt.Errorf("it was written by a later boardd (version %d, this one knows %d): install that one, or name another node.data", version, len(migrations))
	}
	return nil
}

func (s *Store) open() error {
	var err error
	if s.write, err = newWriter(s.path); err != nil {
		return err
	}
	if s.read, err = reader(s.path); err != nil {
		return err
	}
	if err := s.load(); err != nil {
		return err
	}
	return quickCheck(s.read, s.path)
}

// checkLimit is up to which size a database is looked through when it is opened: a small computer reads some 20 MB a second.
const checkLimit = 32 << 20

func quickCheck(db *sql.DB, path string) error {
	if i, err := os.Stat(path); err != nil || i.Size() > checkLimit {
		return err
	}
	var found string
	if err := db.QueryRow("PRAGMA quick_check(1)").Scan(&found); err != nil {
		return err
	}
	if found != "ok" {
		return fmt.Errorf("%w: %s", errDamaged, found)
	}
	return nil
}

var errDamaged = errors.New("the database is damaged")

// damaged reports whether no retry will help: the file is not what SQLite has written.
func damaged(err error) bool {
	const corrupt, notADatabase = 11, 26 // SQLITE_CORRUPT, SQLITE_NOTADB
	var e *sqlite.Error
	if errors.As(err, &e) {
		code := e.Code() & 0xff
		return code == corrupt || code == notADatabase
	}
	return errors.Is(err, errDamaged)
}

// moveAside makes room for a new database.
func (s *Store) moveAside(why error) error {
	s.drop()
	aside := s.path + ".damaged"
	if s.opt.Now != nil {
		aside += "-" + s.opt.Now().UTC().Format("20060102T150405Z")
	}
	for _, tail := range []string{"-wal", "-shm", ""} { // the database last: until then the next start finds it again
		if err := os.Rename(s.path+tail, aside+tail); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("the store is damaged (%w) and cannot be moved aside: %w", why, err)
		}
	}
	s.mu.Lock()
	s.outbox.reset()
	s.mu.Unlock()
	s.opt.Log.Error("the store was damaged: it is moved aside and a new one begun, which knows no earlier game",
		"moved_to", aside, "err", why, "help", "the sqlite3 program's .recover may save its games")
	return nil
}

// drop closes the database; what is known of it stays.
func (s *Store) drop() {
	if s.write != nil {
		_ = s.write.close()
		s.write = nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.read != nil {
		_ = s.read.Close()
		s.read = nil
	}
}

// Close writes what consumers have been given, and closes the store. It may be called again.
func (s *Store) Close() error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.closed {
		return nil
	}
	var err error
	if s.lock != nil && len(s.outbox.unsaved) > 0 { // also after an error, of which nobody needs to hear again
		_ = s.reopen()
	}
	s.closed = true
	if s.write != nil {
		err = cmp.Or(s.saveAcks(), s.write.close())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.read != nil {
		err = cmp.Or(err, s.read.Close())
		s.read = nil
	}
	if s.lock != nil {
		err = cmp.Or(err, s.lock.Close())
	}
	return err
}

//go:embed schema/*.sql
var schema embed.FS

// migrations lead from each version to the next; user_version counts those that are done.
var migrations = func() (list []string) {
	for i := 1; ; i++ {
		text, err := schema.ReadFile(fmt.Sprintf("schema/%d.sql", i))
		if err != nil {
			return list
		}
		list = append(list, string(text))
	}
}()

func dsn(path string, pragmas ...string) string {
	query := url.Values{"_txlock": {"immediate"}, "_pragma": pragmas}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: query.Encode()}).String()
}

func reader(path string) (*sql.DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", dsn(path, "busy_timeout(2000)", "query_only(1)", "cache_size(-500)"))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(2)
	return db, nil
}

// migrate brings a database to this version.
func migrate(db *sql.DB) error {
	var version int
	if err := db.QueryRow("PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if version > len(migrations) {
		return fmt.Errorf("it was written by a later boardd (version %d, this one knows %d): install that one, or name another node.data", version, len(migrations))
	}
	for ; version < len(migrations); version++ {
		tx, err := db.Begin()
		if err != nil {
			return err
		}
		for _, step := range []string{migrations[version], fmt.Sprintf("PRAGMA user_version = %d", version+1)} {
			if _, err := tx.Exec(step); err != nil {
				return cmp.Or(err, tx.Rollback())
			}
		}
		if err := tx.Commit(); err != nil {
			return err
		}
	}
	return nil
}

// load reads what is known of the boards, and how far the consumers are.
func (s *Store) load() error {
	rows, err := s.write.db.Query("SELECT id, epoch, seq, at_ms, snapshot FROM boards")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		b := &boardState{stored: map[string]*game.Record{}}
		var id string
		if err := rows.Scan(&id, &b.epoch, &b.seq, &b.atMs, &b.text); err != nil {
			return err
		}
		s.boards[strings.Clone(id)] = b
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return s.outbox.load(s.write.db)
}

// millis is a time in whole milliseconds since 1970.
func millis(t time.Time) int64 { return t.UnixMilli() }
