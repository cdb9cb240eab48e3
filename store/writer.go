package store

import (
	"cmp"
	"database/sql"
	"os"
	"path/filepath"
)

// writer is the one connection that writes, with its statements.
type writer struct {
	db   *sql.DB
	stmt map[string]*sql.Stmt
}

func newWriter(path string) (*writer, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	makePrivate(path)
	db, err := sql.Open("sqlite", dsn(path, "busy_timeout(2000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)",
		"journal_size_limit(8388608)", "cache_size(-1000)"))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if err := migrate(db); err != nil {
		return nil, cmp.Or(err, db.Close())
	}
	return &writer{db, map[string]*sql.Stmt{}}, nil
}

// makePrivate makes the database's file with mode 0640 if there is none; SQLite would take 0644, and gives what lies beside it
// (-wal, -shm) the mode of this one. One that is there is not even opened: closing it again would end SQLite's locks on it.
// If it cannot be made, SQLite says why.
func makePrivate(path string) {
	if f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o640); err == nil {
		_ = f.Close()
	}
}

func (w *writer) close() error {
	var err error
	for _, s := range w.stmt {
		err = cmp.Or(err, s.Close())
	}
	return cmp.Or(err, w.db.Close())
}

// prepare keeps a statement for the next time. It is called outside of transactions.
func (w *writer) prepare(texts ...string) error {
	for _, text := range texts {
		if w.stmt[text] != nil {
			continue
		}
		s, err := w.db.Prepare(text)
		if err != nil {
			return err
		}
		w.stmt[text] = s
	}
	return nil
}

// transaction is one transaction of the writer; after an error nothing more is done.
type transaction struct {
	w   *writer
	tx  *sql.Tx
	err error
}

// do runs all of f in one transaction. Statements that f uses are named before.
func (w *writer) do(f func(t *transaction), statements ...string) error {
	if err := w.prepare(statements...); err != nil {
		return err
	}
	tx, err := w.db.Begin()
	if err != nil {
		return err
	}
	t := &transaction{w: w, tx: tx}
	if f(t); t.err != nil {
		return cmp.Or(t.err, tx.Rollback())
	}
	return tx.Commit()
}

func (t *transaction) exec(text string, args ...any) (last int64) {
	if t.err != nil {
		return 0
	}
	var r sql.Result
	if s := t.w.stmt[text]; s != nil {
		r, t.err = t.tx.Stmt(s).Exec(args...)
	} else {
		r, t.err = t.tx.Exec(text, args...)
	}
	if t.err == nil {
		last, t.err = r.LastInsertId()
	}
	return last
}

// changed does something and says how many rows it was done to.
func (t *transaction) changed(text string, args ...any) (n int64) {
	if t.err != nil {
		return 0
	}
	var r sql.Result
	if r, t.err = t.tx.Exec(text, args...); t.err == nil {
		n, t.err = r.RowsAffected()
	}
	return n
}

// number asks for one number.
func (t *transaction) number(text string, args ...any) (n int64) {
	if t.err == nil {
		t.err = t.tx.QueryRow(text, args...).Scan(&n)
	}
	return n
}
