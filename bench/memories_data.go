//go:build bench

package main

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"almanac/adapters/store"
	"almanac/bench/recall/set"
	"almanac/graph/model"
	"almanac/projections/memo"
	"almanac/projections/ngram"
	"almanac/projections/vector"
	"almanac/projections/words"
)

const (
	// insertedAtOnce is how many memories one call adds.
	insertedAtOnce = 200
	// askedMemories is how many queries there are; hurry divides it.
	askedMemories = 100
	// othersEach is how many memories each of the other users has at most, othersTerms how many words each of those.
	othersEach  = 1_000
	othersTerms = 6
	// othersAtOnce is how many users one transaction lays.
	othersAtOnce = 10
)

// library is what is kept and asked for, the same in each store.
type library struct {
	user model.User
	now  time.Time
	// memories are kept before anything is measured, late afterwards.
	memories, late []model.Memory
	// vectors are those of memories, as a store keeps them; at finds a memory's place.
	vectors [][]float32
	at      map[model.UUID]int
	queries []lookup
}

// lookup is a query that is ready.
type lookup struct {
	vector []float32
	words  model.SearchWords
}

// A memory is in one of ten parts and in one of a hundred, by tags that are not embedded.
func tenth(at int) string     { return fmt.Sprintf("tenth%d", at%10) }
func hundredth(at int) string { return fmt.Sprintf("hundredth%d", at%100) }

// newLibrary makes the memories and queries of bench/recall/set, embedded by the local embedder.
func newLibrary(o options) (*library, error) {
	made, err := set.Make(o.memories + insertedLate)
	if err != nil {
		return nil, err
	}
	memories := made.Memories[:o.memories+insertedLate]
	last := memories[len(memories)-1].CreatedAt
	l := &library{now: last.Add(time.Hour), at: make(map[model.UUID]int, o.memories)}
	l.user = model.User{
		ID: model.UserIDOf("bench memories"), Subject: "bench memories", CreatedAt: last,
		Settings: model.Settings{TimeZone: zone, Locale: "en", WeekStart: model.Sunday},
	}
	local := ngram.Model()
	for i := range memories {
		m := &memories[i]
		v := vector.Unpack(vector.Pack(ngram.Embed(memo.Text(*m))))
		m.Embedding = model.Embedding{Model: local.Name, Dimensions: local.Dimensions, Vector: v}
		if i < o.memories {
			m.Tags = append(slices.Clone(m.Tags), tenth(i), hundredth(i))
			slices.Sort(m.Tags)
			l.vectors, l.at[m.ID] = append(l.vectors, v), i
		}
	}
	l.memories, l.late = memories[:o.memories], memories[o.memories:]
	wanted := min(max(askedMemories/o.hurry, 3), len(made.Queries))
	for i := range wanted {
		text := made.Queries[i*len(made.Queries)/wanted].Text
		q := lookup{vector: ngram.Embed(text), words: words.Query(text)}
		if len(q.words.Terms) > 0 && vector.Unit(q.vector) {
			l.queries = append(l.queries, q)
		}
	}
	if len(l.queries) == 0 {
		return nil, fmt.Errorf("no query of %d has words and a vector", wanted)
	}
	return l, nil
}

// insert adds memories through the store's contract, and returns how long it took.
func (l *library) insert(ctx context.Context, s openedStore, memories []model.Memory) (time.Duration, error) {
	start := time.Now()
	for some := range slices.Chunk(memories, insertedAtOnce) {
		err := s.Write(ctx, l.user.ID, func(ctx context.Context, tx store.Tx) error { return tx.InsertMemories(ctx, some) })
		if err != nil {
			return 0, fmt.Errorf("add memories: %w", err)
		}
	}
	return time.Since(start), nil
}

// The other users' memories are copies of the user's, with vectors, but with few words each. $1 and $2 are the first
// and the last user, $3 is how many each has, $4 whose are copied, and $5 how many those are.
const (
	sqlOther = `md5('bench other ' || u)::uuid`

	sqlOtherUsers = `INSERT INTO users (user_id, subject, email, time_zone, locale, week_start, created_at, memory_number)
SELECT ` + sqlOther + `, 'bench other ' || u, '', $4, 'en', $5, now(), $3 FROM generate_series($1::int, $2::int) AS u`

	sqlOtherModels = `INSERT INTO memory_models (user_id, rows, dimensions, number, name)
SELECT ` + sqlOther + `, $3, m.dimensions, m.number, m.name
	FROM generate_series($1::int, $2::int) AS u, memory_models AS m WHERE m.user_id = $4`

	sqlOtherRows = ` FROM generate_series($1::int, $2::int) AS u CROSS JOIN generate_series(1, $3::int) AS k JOIN `

	sqlOtherMemories = `INSERT INTO memories (user_id, id, created_at, updated_at, expires_at, n, version, overridden,
		type, content_key, summary, tags, metadata, entries, content)
SELECT ` + sqlOther + `, md5(u || ' ' || k)::uuid, t.created_at, t.updated_at, t.expires_at, k, 1, false, t.type,
    t.content_key, t.summary, t.tags, t.metadata,
    t.entries[cardinality(t.entries) / 2 + 1:cardinality(t.entries) / 2 + $6::int], t.content` + sqlOtherRows +
		`memories AS t ON t.user_id = $4 AND t.n = (u * $3 + k) % $5::int + 1`

	sqlOtherVectors = `INSERT INTO memory_vectors (user_id, memory_id, n, model, embedding)
SELECT ` + sqlOther + `, md5(u || ' ' || k)::uuid, k, v.model, v.embedding` + sqlOtherRows + `memory_vectors AS v
    ON v.user_id = $4 AND v.n = (u * $3 + k) % $5::int + 1`

	sqlOtherTerms = `INSERT INTO memory_terms (user_id, term, n)
SELECT t.user_id, e.term, t.n FROM generate_series($1::int, $2::int) AS u
JOIN memories AS t ON t.user_id = ` + sqlOther + `, unnest(t.entries) AS e(term)`
)

// layOthers returns so many memories to other users.
func layOthers(ctx context.Context, d database, l *library, count int) error {
	each := min(othersEach, max(count, 1))
	conn, err := pgx.Connect(ctx, d.url)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	whose := hex.EncodeToString(l.user.ID[:])
	for from := 1; from <= count/each; from += othersAtOnce {
		to := min(from+othersAtOnce-1, count/each)
		err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			for _, one := range []struct {
				sql  string
				args []any
			}{
				{sqlOtherUsers, []any{from, to, each, zone, string(model.Sunday)}},
				{sqlOtherModels, []any{from, to, each, whose}},
				{sqlOtherMemories, []any{from, to, each, whose, len(l.memories), othersTerms}},
				{sqlOtherVectors, []any{from, to, each, whose, len(l.memories)}},
				{sqlOtherTerms, []any{from, to}},
			} {
				if _, err := tx.Exec(ctx, one.sql, one.args...); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
