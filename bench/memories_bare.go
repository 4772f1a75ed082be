//go:build bench

package main

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"

	"almanac/graph/model"
	"almanac/projections/ngram"
)

// bareSQL asks pgvector as its manual shows, over the same rows: one statement, no filter, no words.
type bareSQL struct {
	conn         *pgx.Conn
	database     database
	whose        string
	byIndex, all string
	// index is the name of the user's index on vectors, empty for none; size is its bytes.
	index string
	size  int64
}

func dialBare(ctx context.Context, d database, l *library) (*bareSQL, error) {
	conn, err := pgx.Connect(ctx, d.url)
	if err != nil {
		return nil, err
	}
	b := &bareSQL{conn: conn, database: d, whose: hex.EncodeToString(l.user.ID[:])}
	var number int
	err = conn.QueryRow(ctx, "SELECT number FROM memory_models WHERE user_id = $1 AND name = $2", b.whose,
		ngram.Model().Name).Scan(&number)
	if err != nil {
		_ = b.Close()
		return nil, fmt.Errorf("find the model: %w", err)
	}
	// The server takes the index, which is on the cast, only where it sees the cast; without it there is nothing to take.
	statement := func(embedding string) string {
		return fmt.Sprintf(
			`SELECT v.memory_id, t.type, t.content, t.summary, t.tags FROM (SELECT memory_id, n FROM memory_vectors
				WHERE user_id = '%s' AND model = %d
ORDER BY %s <=> $1::halfvec LIMIT %d) AS v JOIN memories AS t ON t.user_id = '%s'
AND t.n = v.n`, b.whose, number, embedding, wantedHits, b.whose)
	}
	b.byIndex, b.all = statement(fmt.Sprintf("embedding::halfvec(%d)", ngram.Model().Dimensions)), statement("embedding")
	return b, nil
}

// Close ends the session.
func (b *bareSQL) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return b.conn.Close(ctx)
}

// findIndex looks for the user's index, and makes sure that the one statement takes it and the other does not.
func (b *bareSQL) findIndex(ctx context.Context) error {
	err := b.conn.QueryRow(ctx,
		`SELECT coalesce(max(c.relname::text), ''), coalesce(max(pg_relation_size(c.oid)), 0) FROM pg_class AS c
			JOIN pg_index AS i ON i.indexrelid = c.oid
WHERE i.indrelid = 'memory_vectors'::regclass AND i.indisvalid
AND strpos(c.relname::text, $1) > 0`, b.whose).Scan(&b.index, &b.size)
	if err != nil || b.index == "" {
		return err
	}
	for _, one := range []struct {
		sql   string
		takes bool
	}{{b.byIndex, true}, {b.all, false}} {
		text := pgvector.NewHalfVector(make([]float32, ngram.Model().Dimensions)).String()
		lines, err := b.conn.Query(ctx, "EXPLAIN "+strings.ReplaceAll(one.sql, "$1", "'"+text+"'"))
		if err != nil {
			return err
		}
		all, err := pgx.CollectRows(lines, pgx.RowTo[string])
		if err != nil {
			return err
		}
		if explained := strings.Join(all, "\n"); strings.Contains(explained, b.index) != one.takes {
			return fmt.Errorf("the bare statement has another plan than it should:\n%s", explained)
		}
	}
	return nil
}

// ask returns the ids of the nearest.
func (b *bareSQL) ask(ctx context.Context, q lookup, byIndex bool) ([]model.UUID, error) {
	sql := b.all
	if byIndex {
		sql = b.byIndex
	}
	lines, err := b.conn.Query(ctx, sql, pgvector.NewHalfVector(q.vector).String())
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(lines, func(row pgx.CollectableRow) (model.UUID, error) {
		var (
			id                      [16]byte
			kind, content, abstract string
			tags                    []string
		)
		err := row.Scan(&id, &kind, &content, &abstract, &tags)
		return model.UUID(id), err
	})
}

// scans is how often the index was scanned.
func (b *bareSQL) scans(ctx context.Context) (count int64, err error) {
	err = b.conn.QueryRow(ctx, "SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = $1", b.index).Scan(&count)
	return count, err
}

// alone waits until no other session is left in the database: a session tells of its scans at its end.
func (b *bareSQL) alone(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		var others int
		err := b.conn.QueryRow(ctx,
			`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
				AND pid <> pg_backend_pid()`).Scan(&others)
		if err != nil || others == 0 {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// plan is how many searches there were of a way, and how often they scanned the index.
type plan struct {
	name     string
	searches int
	scans    int64
}

// readPlans asks a store of its own for each way, and counts.
func (s *shelf) readPlans(ctx context.Context) ([]plan, error) {
	var plans []plan
	for _, one := range []struct {
		name  string
		words bool
		in    selection
	}{{wayVector, false, everything}, {wayHybrid, true, everything}, {wayTenth, true, selection{"10 %", tenth}},
		{wayHundredth, true, selection{"1 %", hundredth}}} {
		if err := s.bare.alone(ctx); err != nil {
			return nil, err
		}
		before, err := s.bare.scans(ctx)
		if err != nil {
			return nil, err
		}
		opened, err := s.database.open(ctx)
		if err != nil {
			return nil, err
		}
		p := plan{name: one.name}
		for p.searches < min(10, len(s.queries)) && err == nil {
			err = s.search(ctx, opened, p.searches, one.in, true, one.words)
			p.searches++
		}
		if err := opened.Close(); err != nil {
			return nil, err
		}
		if err != nil {
			return nil, err
		}
		if err := s.bare.alone(ctx); err != nil {
			return nil, err
		}
		after, err := s.bare.scans(ctx)
		if err != nil {
			return nil, err
		}
		p.scans = after - before
		plans = append(plans, p)
	}
	return plans, nil
}
