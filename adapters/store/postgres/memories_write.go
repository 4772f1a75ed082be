package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgtype"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
	"almanac/projections/memo"
	"almanac/projections/vector"
	"almanac/projections/words"
)

// Each method that writes memories is one statement, and one more before it where vectors come with them. The parts of
// a statement see the tables as they were before it and hand rows to one another; so each part asks whether the whole
// may be done.

const (
	// sqlInsertMemories: lists of texts come as the text of an array, since lists of lists must be of one length.
	sqlInsertMemories = `WITH i AS MATERIALIZED (
	SELECT * FROM unnest($2::uuid[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], $6::integer[], $7::boolean[], $8::text[], $9::bytea[], $10::text[],
		$11::text[], $12::json[], $13::text[], $14::text[], $15::text[], $16::integer[], $17::text[]) WITH ORDINALITY
		AS i (id, created_at, updated_at, expires_at, version, overridden, type, content_key, summary, tags, metadata, entries, content, model, dimensions, embedding, place)
), may AS MATERIALIZED (
	SELECT NOT EXISTS (SELECT FROM memories WHERE user_id = $1 AND id = ANY($2)) AS free
), numbers AS (
	UPDATE users SET memory_number = memory_number + cardinality($2) WHERE user_id = $1 AND (SELECT free FROM may)
	RETURNING memory_number - cardinality($2) AS used
), made AS (
	INSERT INTO memories (user_id, id, created_at, updated_at, expires_at, n, version, overridden, type, content_key, summary, tags, metadata, entries, content)
	SELECT $1, i.id, i.created_at, i.updated_at, i.expires_at, numbers.used + i.place, i.version, i.overridden, i.type, i.content_key, i.summary, i.tags::text[],
		i.metadata, i.entries::text[], i.content
	FROM numbers, i ORDER BY i.place RETURNING id, n, entries
), worded AS (
	INSERT INTO memory_terms (user_id, term, n) SELECT $1, e.term, made.n FROM made, unnest(made.entries) AS e (term) ORDER BY e.term, made.n
), embedded AS (
	INSERT INTO memory_vectors (user_id, memory_id, n, model, embedding)
	SELECT $1, i.id, numbers.used + i.place, m.number, i.embedding::halfvec
	FROM numbers, i LEFT JOIN memory_models AS m ON m.user_id = $1 AND m.name = i.model AND m.dimensions = i.dimensions ORDER BY i.place
), counted AS (
	UPDATE memory_models AS m SET rows = m.rows + c.count FROM (SELECT model, dimensions, count(*) FROM i WHERE model IS NOT NULL GROUP BY model, dimensions) AS c
	WHERE m.user_id = $1 AND m.name = c.model AND m.dimensions = c.dimensions AND (SELECT free FROM may)
)
SELECT free FROM may`

	// sqlUpdateMemory: the vector changes when there is a new one, $17, or when what is embedded may be another.
	sqlUpdateMemory = `WITH old AS MATERIALIZED (
	SELECT o.*, $17::text IS NOT NULL OR o.content <> $13 OR o.summary <> $9 OR o.type <> $7 OR o.tags <> $10::text[]
		OR o.metadata::text IS DISTINCT FROM $11::json::text AS moves FROM memories AS o WHERE o.user_id = $1 AND o.id = $2
), kept AS (
	INSERT INTO memory_versions AS v (user_id, memory_id, expires_at, written_at, replaced_at, version, overridden, type, reason, summary, tags, metadata, content)
	SELECT $1, $2, expires_at, updated_at, $3, version, overridden, type, $14, summary, tags, metadata, content FROM old
	ON CONFLICT (user_id, memory_id, version) DO UPDATE SET expires_at = excluded.expires_at, written_at = excluded.written_at, replaced_at = excluded.replaced_at,
		overridden = excluded.overridden, type = excluded.type, reason = excluded.reason, summary = excluded.summary, tags = excluded.tags,
		metadata = excluded.metadata, content = excluded.content
), pruned AS (
	DELETE FROM memory_versions AS v USING old WHERE v.user_id = $1 AND v.memory_id = $2 AND v.version <> old.version AND v.version <= (
		SELECT o.version FROM memory_versions AS o WHERE o.user_id = $1 AND o.memory_id = $2 AND o.version <> old.version ORDER BY o.version DESC OFFSET $18 LIMIT 1)
), changed AS (
	UPDATE memories SET (updated_at, expires_at, version, overridden, type, content_key, summary, tags, metadata, entries, content)
		= ROW($3, $4, $5, $6, $7, $8, $9, $10::text[], $11::json, $12::text[], $13) WHERE user_id = $1 AND id = $2
), gone AS (
	DELETE FROM memory_terms AS k USING old,
		(SELECT e COLLATE "C" AS term FROM old, unnest(old.entries) AS e EXCEPT SELECT e COLLATE "C" FROM unnest($12::text[]) AS e) AS x
	WHERE k.user_id = $1 AND k.term = x.term AND k.n = old.n
), come AS (
	INSERT INTO memory_terms (user_id, term, n) SELECT $1, x.term, old.n FROM old,
		(SELECT e COLLATE "C" AS term FROM unnest($12::text[]) AS e EXCEPT SELECT e COLLATE "C" FROM old, unnest(old.entries) AS e) AS x
), model AS MATERIALIZED (
	SELECT m.number FROM memory_models AS m, old WHERE m.user_id = $1 AND m.name = $15 AND m.dimensions = $16
), was AS MATERIALIZED (
	SELECT v.model AS number FROM memory_vectors AS v, old WHERE v.user_id = $1 AND v.n = old.n AND old.moves
), embedded AS (
	UPDATE memory_vectors AS v SET model = (SELECT number FROM model), embedding = $17::text::halfvec FROM old WHERE v.user_id = $1 AND v.n = old.n AND old.moves
), counted AS (
	UPDATE memory_models AS m SET rows = m.rows + c.change
	FROM (SELECT number, sum(change) AS change FROM (SELECT number, 1 AS change FROM model UNION ALL SELECT number, -1 FROM was) AS x GROUP BY number) AS c
	WHERE m.user_id = $1 AND m.number = c.number
)
SELECT EXISTS (SELECT FROM old)`

	// sqlDeleteMemories leaves no row that tells of them; $3 is a moment at or before which they must expire, infinity for
	// those that need not. What the server keeps of deleted rows until it vacuums, and in its log, no statement sees.
	sqlDeleteMemories = `WITH gone AS (
	DELETE FROM memories WHERE user_id = $1 AND id = ANY($2) AND expires_at <= $3 RETURNING id, n, entries
), words AS (
	DELETE FROM memory_terms AS k USING gone, unnest(gone.entries) AS e (term) WHERE k.user_id = $1 AND k.term = e.term AND k.n = gone.n
), vectors AS (
	DELETE FROM memory_vectors AS v USING gone WHERE v.user_id = $1 AND v.n = gone.n RETURNING v.model
), counted AS (
	UPDATE memory_models AS m SET rows = m.rows - c.count FROM (SELECT model, count(*) FROM vectors GROUP BY model) AS c WHERE m.user_id = $1 AND m.number = c.model
), versions AS (
	DELETE FROM memory_versions AS v USING gone WHERE v.user_id = $1 AND v.memory_id = gone.id
), told AS (
	UPDATE idempotency SET answer = CASE WHEN answer IS NOT NULL THEN ''::bytea END, erased = answer IS NOT NULL, notes = NULL, mentions = NULL
	WHERE user_id = $1 AND mentions && ARRAY(SELECT id FROM gone)
)
SELECT id FROM gone`

	sqlRestoreHistory = `WITH may AS MATERIALIZED (
	SELECT EXISTS (SELECT FROM memories WHERE user_id = $1 AND id = $2) AS found
), gone AS (
	DELETE FROM memory_versions WHERE user_id = $1 AND memory_id = $2 AND version <> ALL($3) AND (SELECT found FROM may)
), kept AS (
	INSERT INTO memory_versions AS v (user_id, memory_id, version, expires_at, written_at, replaced_at, overridden, type, reason, summary, tags, metadata, content)
	SELECT $1, $2, i.version, i.expires_at, i.written_at, i.replaced_at, i.overridden, i.type, i.reason, i.summary, i.tags::text[], i.metadata, i.content
	FROM unnest($3::integer[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[], $7::boolean[], $8::text[], $9::text[], $10::text[], $11::text[], $12::json[], $13::text[])
		AS i (version, expires_at, written_at, replaced_at, overridden, type, reason, summary, tags, metadata, content)
	WHERE (SELECT found FROM may)
	ON CONFLICT (user_id, memory_id, version) DO UPDATE SET expires_at = excluded.expires_at, written_at = excluded.written_at, replaced_at = excluded.replaced_at,
		overridden = excluded.overridden, type = excluded.type, reason = excluded.reason, summary = excluded.summary, tags = excluded.tags,
		metadata = excluded.metadata, content = excluded.content
)
SELECT found FROM may`
)

// embeddingArgs are the name of a vector's model, its dimensions and the vector as text, NULL for none.
//
// A vector goes to the server as text: its type has another number in every database, so its binary form would need a
// question to each new connection. It comes back in binary, see row.halves. Five digits are enough to tell any two
// halves apart.
func embeddingArgs(e model.Embedding) (name pgtype.Text, dimensions pgtype.Int4, text pgtype.Text, err error) {
	if len(e.Vector) == 0 {
		return name, dimensions, text, nil
	}
	switch {
	case e.Model == "":
		return name, dimensions, text, errors.New("postgres: a vector has no model")
	case e.Dimensions != 0 && e.Dimensions != len(e.Vector), len(e.Vector) > model.MaxEmbeddingDimensions:
		return name, dimensions, text,
			fmt.Errorf("postgres: a vector has %d dimensions; its model says %d, and %d is the most there may be", len(e.Vector),
				e.Dimensions, model.MaxEmbeddingDimensions)
	}
	if err := rows.Text(e.Model); err != nil {
		return name, dimensions, text, err
	}
	halves, ok := halvesText(e.Vector)
	if !ok {
		return name, dimensions, text, errors.New("postgres: a vector has no direction, or is not finite")
	}
	return textArg(e.Model), pgtype.Int4{Int32: int32(len(e.Vector)), Valid: true},
		pgtype.Text{String: halves, Valid: true}, nil
}

// halvesText writes a vector as pgvector reads one, each number rounded to half precision; false when it has no
// direction or is not finite.
func halvesText(v []float32) (string, bool) {
	text := append(make([]byte, 0, 11*len(v)+2), '[')
	some := false
	for i, x := range v {
		x = vector.Float(vector.Half(x))
		if f := float64(x); math.IsInf(f, 0) || math.IsNaN(f) {
			return "", false
		}
		some = some || x != 0
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendFloat(text, float64(x), 'g', 5, 32)
	}
	return string(append(text, ']')), some
}

// arrayText writes texts as the text of an array of the database (https://www.postgresql.org/docs/current/arrays.html,
// 8.15.6).
func arrayText(texts []string) string {
	size := 2
	for _, text := range texts {
		size += len(text) + 3
	}
	var b strings.Builder
	b.Grow(size)
	b.WriteByte('{')
	for i, text := range texts {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('"')
		for j := range len(text) {
			if c := text[j]; c == '"' || c == '\\' {
				b.WriteByte('\\')
			}
			b.WriteByte(text[j])
		}
		b.WriteByte('"')
	}
	b.WriteByte('}')
	return b.String()
}

// entriesOf checks the texts of a memory and gives the terms to find it by.
func entriesOf(memory *model.Memory) ([]string, error) {
	if err := rows.Text(string(memory.Type), memory.Content, memory.Summary, memory.Metadata); err != nil {
		return nil, err
	}
	if err := rows.Text(memory.Tags...); err != nil {
		return nil, err
	}
	entries := words.Entries(*memory)
	return entries, rows.Text(entries...)
}

// someTexts gives a list that is there, if only as an empty one.
func someTexts(texts []string) []string {
	if texts == nil {
		return []string{}
	}
	return texts
}

// models collects the models that vectors are of, each once.
type models struct {
	names      []string
	dimensions []int32
}

func (m *models) add(name pgtype.Text, dimensions pgtype.Int4) {
	if !name.Valid {
		return
	}
	for i := range m.names {
		if m.names[i] == name.String && m.dimensions[i] == dimensions.Int32 {
			return
		}
	}
	m.names, m.dimensions = append(m.names, name.String), append(m.dimensions, dimensions.Int32)
}

// sqlKnowModels numbers the models that the user has no vectors of yet. A model without vectors does no harm, should
// what follows be refused.
func sqlKnowModels(in population) string {
	return `INSERT INTO ` + in.models + ` (user_id, number, name, dimensions, rows)
SELECT $1, (coalesce((SELECT max(number) FROM ` + in.models + ` WHERE user_id = $1), 0) + row_number() OVER ())::smallint, w.name, w.dimensions, 0
FROM unnest($2::text[], $3::integer[]) AS w (name, dimensions)
WHERE NOT EXISTS (SELECT FROM ` + in.models + ` AS m WHERE m.user_id = $1 AND m.name = w.name AND m.dimensions = w.dimensions)`
}

// into adds the statement that numbers them, if there are any.
func (m *models) into(b *batch, in population, user any) {
	if len(m.names) > 0 {
		b.exec(sqlKnowModels(in), nil, user, m.names, m.dimensions)
	}
}

// memoryRows are memories as parameters, one array for each column, in the order of sqlInsertMemories.
type memoryRows struct {
	models                           models
	ids                              []pgtype.UUID
	created, updated, expires        []pgtype.Timestamptz
	versions                         []int32
	overridden                       []bool
	types, summaries, tags, entries  []string
	contents                         []string
	keys                             [][]byte
	metadata, modelNames, embeddings []pgtype.Text
	dimensions                       []pgtype.Int4
}

func memoryRowsOf(memories []model.Memory) (*memoryRows, error) {
	var c memoryRows
	for i := range memories {
		memory := &memories[i]
		entries, err := entriesOf(memory)
		if err != nil {
			return nil, err
		}
		name, dimensions, embedding, err := embeddingArgs(memory.Embedding)
		if err != nil {
			return nil, err
		}
		c.models.add(name, dimensions)
		c.ids = append(c.ids, uuidArg(memory.ID))
		c.created = append(c.created, instantArg(memory.CreatedAt))
		c.updated = append(c.updated, instantArg(memory.UpdatedAt))
		c.expires = append(c.expires, dueArg(memory.ExpiresAt))
		c.versions = append(c.versions, int32(min(memory.Version, math.MaxInt32)))
		c.overridden = append(c.overridden, memory.Overridden)
		c.types = append(c.types, string(memory.Type))
		c.keys = append(c.keys, contentKey(memo.Key(memory.Content)))
		c.summaries = append(c.summaries, memory.Summary)
		c.tags = append(c.tags, arrayText(memory.Tags))
		c.metadata = append(c.metadata, textArg(memory.Metadata))
		c.entries = append(c.entries, arrayText(entries))
		c.contents = append(c.contents, memory.Content)
		c.modelNames = append(c.modelNames, name)
		c.dimensions = append(c.dimensions, dimensions)
		c.embeddings = append(c.embeddings, embedding)
	}
	return &c, nil
}

func memoryID(memory model.Memory) model.UUID { return memory.ID }

// InsertMemories adds memories, all or none.
func (t tx) InsertMemories(ctx context.Context, memories []model.Memory) error {
	if len(memories) == 0 {
		return nil
	}
	ids := idsOf(memories, memoryID)
	if len(rows.Distinct(ids)) != len(ids) {
		return fmt.Errorf("postgres: insert memories: an id is given twice: %w", store.ErrConflict)
	}
	c, err := memoryRowsOf(memories)
	if err != nil {
		return err
	}
	free := false
	b := newBatch()
	c.models.into(b, memoryPopulation(), t.user())
	b.query(sqlInsertMemories, func(r *row) { free = r.bool() }, t.user(), c.ids, c.created, c.updated, c.expires,
		c.versions, c.overridden, c.types, c.keys, c.summaries,
		c.tags, c.metadata, c.entries, c.contents, c.modelNames, c.dimensions, c.embeddings)
	err = t.write(ctx, "insert memories", b, func() []change {
		if !free {
			return nil
		}
		return changesOf(model.ChangeMemory, model.OperationCreated, ids...)()
	})
	return refused(err, "insert memories", true, free)
}

// UpdateMemory replaces a memory and keeps what it was; see the contract.
func (t tx) UpdateMemory(ctx context.Context, memory model.Memory, reason model.MemoryReason) error {
	entries, err := entriesOf(&memory)
	if err != nil {
		return err
	}
	if err := rows.Text(string(reason)); err != nil {
		return err
	}
	name, dimensions, embedding, err := embeddingArgs(memory.Embedding)
	if err != nil {
		return err
	}
	var known models
	known.add(name, dimensions)
	found := false
	b := newBatch()
	known.into(b, memoryPopulation(), t.user())
	b.query(sqlUpdateMemory, func(r *row) { found = r.bool() }, t.user(), uuidArg(memory.ID), instantArg(memory.UpdatedAt),
		dueArg(memory.ExpiresAt),
		int32(min(memory.Version, math.MaxInt32)), memory.Overridden, string(memory.Type),
		contentKey(memo.Key(memory.Content)), memory.Summary, someTexts(memory.Tags),
		textArg(memory.Metadata), someTexts(entries), memory.Content, string(reason), name, dimensions, embedding,
		int64(model.MaxMemoryVersions-1))
	err = t.write(ctx, "update a memory", b, func() []change {
		if !found {
			return nil
		}
		return changesOf(model.ChangeMemory, model.OperationUpdated, memory.ID)()
	})
	return refused(err, "update a memory", found, true)
}

// always is later than whatever expires.
var always = pgtype.Timestamptz{InfinityModifier: pgtype.Infinity, Valid: true}

// DeleteMemories erases memories with all that tells of them, and gives the ids that were there, in the order given.
func (t tx) DeleteMemories(ctx context.Context, ids []model.UUID) ([]model.UUID, error) {
	return t.eraseMemories(ctx, ids, always)
}

// eraseMemories erases those of the memories that expire by then.
func (t tx) eraseMemories(ctx context.Context, ids []model.UUID, by pgtype.Timestamptz) ([]model.UUID, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	gone := make(map[model.UUID]struct{}, len(ids))
	var deleted []model.UUID
	b := newBatch()
	b.query(sqlDeleteMemories, func(r *row) { gone[r.uuid()] = struct{}{} }, t.user(), uuidArgs(rows.Distinct(ids)), by)
	err := t.write(ctx, "delete memories", b, func() []change {
		deleted = present(ids, gone)
		return changesOf(model.ChangeMemory, model.OperationDeleted, deleted...)()
	})
	if err != nil {
		return nil, err
	}
	return deleted, nil
}

// RestoreHistory replaces a memory's history; of more versions than are kept, the newest.
func (t tx) RestoreHistory(ctx context.Context, memory model.UUID, versions []model.MemoryVersion) error {
	versions = slices.Clone(versions)
	slices.Reverse(versions) // of a number given twice the last stays
	slices.SortStableFunc(versions, func(a, b model.MemoryVersion) int { return cmp.Compare(b.Version, a.Version) })
	versions = slices.CompactFunc(versions, func(a, b model.MemoryVersion) bool { return a.Version == b.Version })
	versions = versions[:min(len(versions), model.MaxMemoryVersions)]
	numbers, overridden := make([]int32, len(versions)), make([]bool, len(versions))
	expires, written, replaced := make([]pgtype.Timestamptz, len(versions)), make([]pgtype.Timestamptz, len(versions)),
		make([]pgtype.Timestamptz, len(versions))
	types, reasons, summaries := make([]string, len(versions)), make([]string, len(versions)),
		make([]string, len(versions))
	tags, contents := make([]string, len(versions)), make([]string, len(versions))
	metadata := make([]pgtype.Text, len(versions))
	for i, v := range versions {
		for _, texts := range [...][]string{{string(v.Type), string(v.Reason), v.Summary, v.Metadata, v.Content}, v.Tags} {
			if err := rows.Text(texts...); err != nil {
				return err
			}
		}
		numbers[i], overridden[i] = int32(min(v.Version, math.MaxInt32)), v.Overridden
		expires[i], written[i], replaced[i] = dueArg(v.ExpiresAt), instantArg(v.WrittenAt), instantArg(v.ReplacedAt)
		types[i], reasons[i], summaries[i] = string(v.Type), string(v.Reason), v.Summary
		tags[i], metadata[i], contents[i] = arrayText(v.Tags), textArg(v.Metadata), v.Content
	}
	found := false
	b := newBatch()
	b.query(sqlRestoreHistory, func(r *row) { found = r.bool() }, t.user(), uuidArg(memory), numbers, expires, written,
		replaced, overridden, types, reasons, summaries,
		tags, metadata, contents)
	return refused(t.write(ctx, "restore a memory's history", b, nil), "restore a memory's history", found, true)
}
