package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgtype"
	"github.com/pgvector/pgvector-go"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
	"almanac/projections/vector"
	"almanac/projections/words"
)

// Each method that writes memories is one statement, and one more before it where vectors come with them. The parts of
// a statement see the tables as they were before it and hand rows to one another; so each part asks whether the whole
// may be done.

// indexedParameters are what is given with each record that is found by its words and its vector.
var indexedParameters = []parameter{
	{"entries", "text", true}, {"model", "text", false}, {"dimensions", "integer", false}, {"embedding", "text", false},
}

var (
	memoryParameters = parametersOf(store.MemoryTable.All(), indexedParameters...)
	replacedOfMemory = append(store.Names(store.MemoryTable.Replaced()), "entries")

	sqlInsertMemories = filled(`WITH i AS MATERIALIZED (
	{given}
), may AS MATERIALIZED (
	SELECT NOT EXISTS (SELECT FROM memories WHERE user_id = $1 AND id = ANY($2)) AS free
), numbers AS (
	UPDATE users SET memory_number = memory_number + cardinality($2) WHERE user_id = $1 AND (SELECT free FROM may)
	RETURNING memory_number - cardinality($2) AS used
), made AS (
	INSERT INTO memories (user_id, {names}, entries, n) SELECT o.user_id, {values}, i.entries, numbers.used + i.place
	FROM `+ofUser+`, numbers, i ORDER BY i.place RETURNING id, n, entries
), worded AS (
	INSERT INTO memory_terms (user_id, term, n)
	SELECT o.user_id, e.term, made.n FROM `+ofUser+`, made, unnest(made.entries) AS e (term) ORDER BY e.term, made.n
), embedded AS (
	INSERT INTO memory_vectors (user_id, memory_id, n, model, embedding)
	SELECT o.user_id, i.id, numbers.used + i.place, m.number, i.embedding::halfvec FROM `+ofUser+`, numbers, i
	LEFT JOIN memory_models AS m ON m.user_id = $1 AND m.name = i.model AND m.dimensions = i.dimensions ORDER BY i.place
), counted AS (
	UPDATE memory_models AS m SET rows = m.rows + c.count
	FROM (SELECT model, dimensions, count(*) FROM i WHERE model IS NOT NULL GROUP BY model, dimensions) AS c
	WHERE m.user_id = $1 AND m.name = c.model AND m.dimensions = c.dimensions AND (SELECT free FROM may)
)
SELECT free FROM may`, "{given}", given(2, memoryParameters),
		"{names}", strings.Join(store.Names(store.MemoryTable.All()), ", "),
		"{values}", listed("i", store.Names(store.MemoryTable.All())))

	// sqlUpdateMemory: the vector changes when there is a new one, or when what is embedded may be another.
	sqlUpdateMemory = filled(`WITH i AS MATERIALIZED (
	{given}
), old AS MATERIALIZED (
	SELECT o.*, i.embedding IS NOT NULL OR o.content <> i.content OR o.summary <> i.summary OR o.type <> i.type
		OR o.tags <> i.tags OR o.metadata::text IS DISTINCT FROM i.metadata::text AS moves
	FROM memories AS o, i WHERE o.user_id = $1 AND o.id = (SELECT id FROM i)
), beyond AS MATERIALIZED (
	SELECT v.version FROM memory_versions AS v, old WHERE v.user_id = $1 AND v.memory_id = old.id
		AND v.version <> old.version ORDER BY v.version DESC OFFSET {most} LIMIT 1
), model AS MATERIALIZED (
	SELECT m.number FROM memory_models AS m, old, i WHERE m.user_id = $1 AND m.name = i.model
	AND m.dimensions = i.dimensions
), was AS MATERIALIZED (
	SELECT v.model AS number FROM memory_vectors AS v, old WHERE v.user_id = $1 AND v.n = old.n AND old.moves
), pruned AS (
	DELETE FROM memory_versions AS v USING old WHERE v.user_id = $1 AND v.memory_id = old.id AND v.version <> old.version
		AND v.version <= (SELECT version FROM beyond)
), kept AS (
	INSERT INTO memory_versions AS v (user_id, {versions}) SELECT o.user_id, {copied} FROM `+ofUser+`, old, i
	ON CONFLICT (user_id, memory_id, version) DO UPDATE SET {replacedVersion}
), changed AS (
	UPDATE memories AS m SET ({replaced}) = ROW({values}) FROM i WHERE m.user_id = $1 AND m.id = (SELECT id FROM i)
), gone AS (
	DELETE FROM memory_terms AS k USING old, (SELECT e COLLATE "C" AS term FROM old, unnest(old.entries) AS e
		EXCEPT SELECT e COLLATE "C" FROM i, unnest(i.entries) AS e) AS x
	WHERE k.user_id = $1 AND k.term = x.term AND k.n = old.n
), come AS (
	INSERT INTO memory_terms (user_id, term, n) SELECT o.user_id, x.term, old.n FROM `+ofUser+`, old,
		(SELECT e COLLATE "C" AS term FROM i, unnest(i.entries) AS e
			EXCEPT SELECT e COLLATE "C" FROM old, unnest(old.entries) AS e) AS x
), embedded AS (
	UPDATE memory_vectors AS v SET model = (SELECT number FROM model), embedding = (SELECT embedding FROM i)::halfvec
	FROM old WHERE v.user_id = $1 AND v.n = old.n AND old.moves
), counted AS (
	UPDATE memory_models AS m SET rows = m.rows + c.change FROM (SELECT number, sum(change) AS change FROM (
		SELECT number, 1 AS change FROM model UNION ALL SELECT number, -1 FROM was) AS x GROUP BY number) AS c
	WHERE m.user_id = $1 AND m.number = c.number
)
SELECT EXISTS (SELECT FROM old)`, "{given}", given(2, memoryParameters), "{versions}", strings.Join(versionNames, ", "),
		"{copied}", strings.Join(versionSources(), ", "), "{replacedVersion}", excludedVersion,
		"{replaced}", strings.Join(replacedOfMemory, ", "), "{values}", listed("i", replacedOfMemory),
		"{reason}", numbered(2+len(memoryParameters), 1), "{most}", numbered(3+len(memoryParameters), 1))

	versionNames    = store.Names(store.MemoryVersionTable.All())
	excludedVersion = excluded(store.Names(store.MemoryVersionTable.Replaced())...)

	sqlRestoreHistory = filled(`WITH may AS MATERIALIZED (
	SELECT EXISTS (SELECT FROM memories WHERE user_id = $1 AND id = $2) AS found
), i AS MATERIALIZED (
	{given}
), gone AS (
	DELETE FROM memory_versions WHERE user_id = $1 AND memory_id = $2 AND version <> ALL(ARRAY(SELECT version FROM i))
		AND (SELECT found FROM may)
), kept AS (
	INSERT INTO memory_versions AS v (user_id, memory_id, {names})
	SELECT o.user_id, $2, {names} FROM `+ofUser+`, i WHERE (SELECT found FROM may)
	ON CONFLICT (user_id, memory_id, version) DO UPDATE SET {replaced}
)
SELECT found FROM may`, "{given}", given(3, parametersOf(versionColumns)),
		"{names}", strings.Join(versionColumns.names(), ", "), "{replaced}", excludedVersion)
)

// versionSources are what the columns of a version are made of when a memory is replaced: the row as it was, when and
// why. The reason is the parameter behind the memory's.
func versionSources() []string {
	of := map[string]string{"memory_id": "old.id", "written_at": "old.updated_at", "replaced_at": "i.updated_at",
		"reason": numbered(2+len(memoryParameters), 1)}
	sources := make([]string, len(versionNames))
	for i, name := range versionNames {
		if sources[i] = of[name]; sources[i] == "" {
			sources[i] = "old." + name
		}
	}
	return sources
}

const (
	// sqlDeleteMemories leaves no row that tells of them; $3 is a moment at or before which they must expire, infinity for
	// those that need not. What the server keeps of deleted rows until it vacuums, and in its log, no statement sees.
	// Entries are compared as a list: joined as rows, each was paired with all others of its memory where the server
	// takes the user's entries for few.
	sqlDeleteMemories = `WITH gone AS (
	DELETE FROM memories WHERE user_id = $1 AND id = ANY($2) AND expires_at <= $3 RETURNING id, n, entries
), words AS (
	DELETE FROM memory_terms AS k USING gone WHERE k.user_id = $1 AND k.term = ANY (gone.entries) AND k.n = gone.n
), vectors AS (
	DELETE FROM memory_vectors AS v USING gone WHERE v.user_id = $1 AND v.n = gone.n RETURNING v.model
), counted AS (
	UPDATE memory_models AS m SET rows = m.rows - c.count FROM (SELECT model, count(*) FROM vectors GROUP BY model) AS c
	WHERE m.user_id = $1 AND m.number = c.model
), versions AS (
	DELETE FROM memory_versions AS v USING gone WHERE v.user_id = $1 AND v.memory_id = gone.id
), acted AS (
	` + sqlEraseActions + `record_id IN (SELECT id FROM gone UNION ALL SELECT unnest($2::uuid[]) WHERE $3 = 'infinity'))
), told AS (
	UPDATE idempotency SET answer = CASE WHEN answer IS NOT NULL THEN ''::bytea END, erased = answer IS NOT NULL,
	notes = NULL, mentions = NULL
	WHERE user_id = $1 AND mentions && ARRAY(SELECT id FROM gone)
)
SELECT id FROM gone`
)

// embeddingArgs are the name of a vector's model, its dimensions and the vector as text, NULL for none.
//
// A vector goes to the server as text: its type has another number in every database, so its binary form would need a
// question to each new connection. It comes back in binary, see row.halves.
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
	halves, some := make([]float32, len(v)), false
	for i, x := range v {
		x = vector.Float(vector.Half(x))
		if f := float64(x); math.IsInf(f, 0) || math.IsNaN(f) {
			return "", false
		}
		halves[i], some = x, some || x != 0
	}
	return pgvector.NewHalfVector(halves).String(), some
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
SELECT o.user_id, (coalesce((SELECT max(number) FROM ` + in.models + `
WHERE user_id = $1), 0) + row_number() OVER ())::smallint, w.name, w.dimensions, 0
FROM ` + ofUser + `, unnest($2::text[], $3::integer[]) AS w (name, dimensions)
WHERE NOT EXISTS (
	SELECT FROM ` + in.models + ` AS m WHERE m.user_id = $1 AND m.name = w.name AND m.dimensions = w.dimensions)`
}

// into adds the statement that numbers them, if there are any.
func (m *models) into(b *batch, in population, user any) {
	if len(m.names) > 0 {
		b.exec(sqlKnowModels(in), nil, user, m.names, m.dimensions)
	}
}

func memoryID(memory model.Memory) model.UUID { return memory.ID }

// memories returns memories as parameters, in the order of memoryParameters, and the models of their vectors.
func (t tx) memories(memories []model.Memory) ([]any, *models, error) {
	args, err := arrays(t.user(), store.MemoryTable.All(), memories)
	if err != nil {
		return nil, nil, err
	}
	var indexed indexedRows
	for i := range memories {
		if err := indexed.add(memories[i].Embedding, store.Indexed{Entries: words.Entries(memories[i])}); err != nil {
			return nil, nil, err
		}
	}
	return append(args, indexed.args()...), &indexed.models, nil
}

// InsertMemories adds memories, all or none.
func (t tx) InsertMemories(ctx context.Context, memories []model.Memory) error {
	if len(memories) == 0 {
		return nil
	}
	ids := idsOf(memories, memoryID)
	if len(rows.Distinct(ids)) != len(ids) {
		return fmt.Errorf("postgres: insert memories: an id is given twice: %w", store.ErrConflict)
	}
	args, known, err := t.memories(memories)
	if err != nil {
		return err
	}
	free := false
	b := newBatch()
	known.into(b, memoryPopulation(), t.user())
	b.query(sqlInsertMemories, func(r *row) { free = r.bool() }, args...)
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
	if err := rows.Text(string(reason)); err != nil {
		return err
	}
	args, known, err := t.memories([]model.Memory{memory})
	if err != nil {
		return err
	}
	found := false
	b := newBatch()
	known.into(b, memoryPopulation(), t.user())
	b.query(sqlUpdateMemory, func(r *row) { found = r.bool() },
		append(args, string(reason), int64(model.MaxMemoryVersions-1))...)
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

// DeleteMemories erases memories with all that tells of them, and returns the ids that were there, in the order given.
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
	args, err := arrays(t.user(), versionColumns, versions)
	if err != nil {
		return err
	}
	found := false
	b := newBatch()
	b.query(sqlRestoreHistory, func(r *row) { found = r.bool() }, slices.Insert(args, 1, any(uuidArg(memory)))...)
	return refused(t.write(ctx, "restore a memory's history", b, nil), "restore a memory's history", found, true)
}
