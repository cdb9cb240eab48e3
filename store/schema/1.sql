-- Times ending in _ms are milliseconds since 1970 in UTC, except clk_ms and placed_ms, which count from the game's start, and t_ms,
-- which is the time of the core that made the event.

CREATE TABLE boards (
	id       TEXT PRIMARY KEY,
	epoch    TEXT NOT NULL,    -- of the events that are written now
	seq      INTEGER NOT NULL, -- of the last event
	at_ms    INTEGER NOT NULL, -- when the snapshot was taken
	snapshot TEXT NOT NULL     -- '' of a stream that has none; else game.Snapshot without its games, and their ids, as JSON
) STRICT, WITHOUT ROWID;

CREATE TABLE games (
	n            INTEGER PRIMARY KEY, -- in the order of their beginning
	board        TEXT NOT NULL,
	id           TEXT NOT NULL,
	started_ms   INTEGER NOT NULL,
	dated        INTEGER NOT NULL, -- 1: the clock was believed to be right then
	variant      TEXT NOT NULL,
	start_fen    TEXT NOT NULL,
	white        TEXT NOT NULL,
	black        TEXT NOT NULL,
	time_control TEXT NOT NULL,
	result       TEXT NOT NULL,
	reason       TEXT NOT NULL,    -- '' while the game goes on
	irregular    INTEGER NOT NULL,
	more         TEXT NOT NULL,    -- what else game.Record holds, as JSON
	filed        INTEGER NOT NULL DEFAULT 0, -- 1: it stands in a file of its own as it is here
	UNIQUE (board, id)
) STRICT;

CREATE INDEX games_to_file ON games (n) WHERE filed = 0 AND reason <> '';

CREATE TABLE plies (
	game      INTEGER NOT NULL REFERENCES games (n) ON DELETE CASCADE,
	ply       INTEGER NOT NULL, -- from 1
	uci       TEXT NOT NULL,
	san       TEXT NOT NULL,
	clk_ms    INTEGER,
	placed_ms INTEGER NOT NULL,
	PRIMARY KEY (game, ply)
) STRICT, WITHOUT ROWID;

-- The journal, and the outbox of every consumer: what it has not been given yet.
CREATE TABLE events (
	n     INTEGER PRIMARY KEY AUTOINCREMENT, -- in the order in which they were committed, over all boards
	board TEXT NOT NULL,
	epoch TEXT NOT NULL,
	seq   INTEGER NOT NULL,
	ts_ms INTEGER NOT NULL,
	t_ms  INTEGER NOT NULL,
	game  TEXT NOT NULL,
	ply   INTEGER NOT NULL,
	type  TEXT NOT NULL,
	body  TEXT NOT NULL, -- as game.KeepBody writes it
	UNIQUE (board, epoch, seq)
) STRICT;

CREATE TABLE consumers (
	consumer TEXT NOT NULL,
	board    TEXT NOT NULL,
	event    INTEGER NOT NULL, -- n of the last event that it has
	PRIMARY KEY (consumer, board)
) STRICT, WITHOUT ROWID;

CREATE TABLE answers (
	board TEXT NOT NULL,
	id    TEXT NOT NULL, -- of the command
	at_ms INTEGER NOT NULL,
	reply TEXT NOT NULL, -- as JSON
	PRIMARY KEY (board, id)
) STRICT, WITHOUT ROWID;
