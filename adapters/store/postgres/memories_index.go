package postgres

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"almanac/graph/model"
)

const (
	// indexFrom is how many vectors of one model a user has before they get an index of their own. It goes when half of
	// them are left.
	indexFrom = 20_000
	// indexPrefix begins the names of those indexes; the user and the model's number follow. The number at its end is that
	// of the definition below.
	indexPrefix = "memory_vectors_near2_"
	// indexLinks is to how many others each vector is joined (m), indexCare among how many those are chosen
	// (ef_construction). pgvector's own 16 and 64 leave texts that are nearly the same in groups that nothing leads to;
	// see nearestOf for what these find.
	indexLinks = 24
	indexCare  = 128
	// indexLock is the advisory lock that processes take turns with; the number is the ASCII letters "nearest".
	indexLock = 0x6e656172657374
	// indexMemory bounds what the server may take for building an index. With too little it takes more than twice as long.
	indexMemory = 1 << 30
)

// indexName names the index on a user's vectors of one model.
func indexName(user model.UserID, number int16) string {
	return indexPrefix + hex.EncodeToString(user[:]) + "_" + strconv.Itoa(int(number))
}

const (
	// sqlOwners returns the models that need an index or may have one.
	sqlOwners = `SELECT user_id, number, dimensions, rows FROM memory_models WHERE rows >= $1`

	sqlIndexes = `SELECT i.relname::text, x.indisvalid FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid
WHERE x.indrelid = to_regclass('memory_vectors') AND starts_with(i.relname::text, $1)`

	sqlIndexTurn    = `SELECT pg_try_advisory_xact_lock($1)`
	sqlIndexPatient = `SET LOCAL idle_in_transaction_session_timeout = 0`
)

// owned is a user's vectors of one model.
type owned struct {
	user       model.UserID
	number     int16
	dimensions int
	rows       int
}

// tendIndexes makes and drops the indexes of those who have many vectors. It makes one index at most, since that takes
// some seconds for each 10,000 vectors. One process does it at a time. Writers wait for none of it: the indexes are
// made and dropped concurrently, which the server does outside of transactions only, so the turn is kept by a
// transaction beside.
//
// On Citus nobody has one: whether it is there, and how hard it looks, would have to be asked of the user's server,
// in other words. All vectors are looked at, which misses nothing.
func (s *Store) tendIndexes(ctx context.Context) error {
	if s.citus {
		return nil
	}
	missing, surplus, err := s.indexPlan(ctx)
	if err != nil || len(missing)+len(surplus) == 0 {
		return err
	}
	return s.inTurn(ctx, indexLock, func() error {
		// What was seen before is of another's turn, maybe: an index under way looks like one that failed.
		if missing, surplus, err = s.indexPlan(ctx); err != nil {
			return err
		}
		return s.mendIndexes(ctx, missing, surplus)
	})
}

// inTurn runs f unless another process does so: while a transaction on a connection of its own holds an advisory lock.
func (s *Store) inTurn(ctx context.Context, lock int64, f func() error) error {
	beside, err := pgx.ConnectConfig(ctx, s.direct)
	if err != nil {
		return fmt.Errorf("connect: %w", explain(ctx, err))
	}
	defer func() { _ = beside.Close(context.WithoutCancel(ctx)) }()
	return pgx.BeginFunc(ctx, beside, func(turn pgx.Tx) error {
		var mine bool
		if err := turn.QueryRow(ctx, sqlIndexTurn, lock).Scan(&mine); err != nil || !mine {
			return err
		}
		if _, err := turn.Exec(ctx, sqlIndexPatient); err != nil {
			return err
		}
		return f()
	})
}

// indexPlan tells which indexes are missing, the largest first, and which should not be there.
func (s *Store) indexPlan(ctx context.Context) (missing []owned, surplus []string, err error) {
	owners := map[string]owned{}
	valid := map[string]bool{}
	b := newBatch()
	b.query(sqlOwners, func(r *row) {
		one := owned{user: model.UserID(r.uuid()), number: r.int16(), dimensions: int(r.int32()), rows: int(r.int32())}
		owners[indexName(one.user, one.number)] = one
	}, int32(s.indexed.from/2))
	b.query(sqlIndexes, func(r *row) {
		name := r.text()
		valid[name] = r.bool()
	}, strings.TrimRight(indexPrefix, "_0123456789"))
	if err := s.apart(ctx, b); err != nil {
		return nil, nil, err
	}
	for name, sound := range valid {
		if _, needed := owners[name]; !needed || !sound {
			surplus = append(surplus, name)
		}
	}
	for name, one := range owners {
		if one.rows >= s.indexed.from && !valid[name] {
			missing = append(missing, one)
		}
	}
	return missing, surplus, nil
}

// mendIndexes drops what should not be there and makes the first of what is missing.
func (s *Store) mendIndexes(ctx context.Context, missing []owned, surplus []string) error {
	conn, err := pgx.ConnectConfig(ctx, s.direct)
	if err != nil {
		return fmt.Errorf("connect: %w", explain(ctx, err))
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	run := func(sql string) error {
		if s.trace != nil {
			s.trace(sql)
		}
		return conn.PgConn().Exec(ctx, sql).Close()
	}
	for _, name := range surplus {
		if err := run("DROP INDEX CONCURRENTLY IF EXISTS " + name); err != nil {
			return fmt.Errorf("drop the index %s: %w", name, err)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	one := missing[0]
	for _, other := range missing {
		if other.rows > one.rows {
			one = other
		}
	}
	for _, sql := range one.making(s.sessions) {
		if err := run(sql); err != nil {
			return fmt.Errorf("make an index on %d vectors: %w", one.rows, err)
		}
	}
	s.log.LogAttrs(ctx, slog.LevelInfo, "made an index of a user's vectors", slog.Int("vectors", one.rows),
		slog.Int("dimensions", one.dimensions))
	return nil
}

// making returns the statements that make the index. The settings are for a session of our own. One process builds:
// before version 0.8.2 of pgvector several could overwrite each other's memory (CVE-2026-3172).
func (o owned) making(session bool) []string {
	index := fmt.Sprintf(
		"CREATE INDEX CONCURRENTLY %s ON memory_vectors USING hnsw ((embedding::halfvec(%d)) halfvec_cosine_ops) WITH (m = "+
			"%d, ef_construction = %d) WHERE user_id = '%s' AND model = %d",
		indexName(o.user, o.number), o.dimensions, indexLinks, indexCare, hex.EncodeToString(o.user[:]), o.number)
	if !session {
		return []string{index}
	}
	// The graph has, beside each vector, some sixty neighbours.
	kilobytes := min(o.rows*(2*o.dimensions+1_500)*5/4, indexMemory) >> 10
	return []string{
		"SET statement_timeout = 0",
		"SET lock_timeout = 0",
		"SET max_parallel_maintenance_workers = 0",
		fmt.Sprintf("SET maintenance_work_mem = '%dkB'", max(kilobytes, 64<<10)),
		index,
	}
}

// indexTrouble takes what an index could not be made for: a role that does not own the table is told what it is
// missing, and searches go on without.
func (s *Store) indexTrouble(ctx context.Context, err error) error {
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok && refused.Code == codeInsufficientPrivilege {
		s.log.LogAttrs(ctx, slog.LevelWarn,
			"the role may not make the index that searches of large collections would be faster with; it would have to own the "+
				"table memory_vectors",
			slog.String("error", err.Error()))
		return nil
	}
	if err != nil {
		return fmt.Errorf("postgres: tend the indexes of vectors: %w", explain(ctx, err))
	}
	return nil
}

// indexed remembers whose vectors have an index, so that their searches begin with it. What it says may be outdated; a
// search that relies on it finds the same all the same, and says what it found.
type indexed struct {
	// from is indexFrom, less in tests.
	from int

	mu     sync.Mutex
	models map[indexedModel]int16
}

type indexedModel struct {
	user       model.UserID
	name       string
	dimensions int
}

// maxIndexed bounds how many models are remembered; beyond that the memory begins anew.
const maxIndexed = 4_096

func (i *indexed) number(key indexedModel) int16 {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.models[key]
}

// keep remembers a model's number, 0 for one that has no index.
func (i *indexed) keep(key indexedModel, number int16) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if number == 0 {
		delete(i.models, key)
		return
	}
	if i.models == nil || len(i.models) >= maxIndexed {
		i.models = make(map[indexedModel]int16)
	}
	i.models[key] = number
}
