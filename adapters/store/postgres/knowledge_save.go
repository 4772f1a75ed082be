package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgtype"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// Each method that saves entities or facts is one statement, and one before it where vectors come with them. As with
// memories, the parts of a statement hand rows to one another, and whatever reads a table comes before what writes it;
// see TestTheOrderOfPartsIsLookedAt.

// sqlBefore is what a statement that saves rows p of a population reads, before it writes, for what sqlIndexed does.
// The rows have id, n, was (the number that it had, NULL for a new one), moves (the vector changes), entries, model,
// dimensions and embedding.
func sqlBefore(in population) string {
	times := ""
	if in.timed {
		times = ", p.valid_at, p.invalid_at"
	}
	return `old AS MATERIALIZED (
	SELECT o.n, e.term COLLATE "C" AS term FROM p JOIN ` + in.rows + ` AS o ON o.user_id = $1
AND o.id = p.id, unnest(o.entries) AS e (term)
), new AS MATERIALIZED (
	SELECT p.n, e.term COLLATE "C" AS term FROM p, unnest(p.entries) AS e (term)
), v AS MATERIALIZED (
	SELECT p.id, p.n, p.was, m.number, p.embedding` + times + ` FROM p LEFT JOIN ` + in.models + ` AS m ON m.user_id = $1
AND m.name = p.model AND m.dimensions = p.dimensions WHERE p.moves
), moved AS MATERIALIZED (
	SELECT o.model AS number FROM v JOIN ` + in.vectors + ` AS o ON o.user_id = $1 AND o.n = v.was
)`
}

// sqlIndexed is what ends a statement that saves rows p of a population, to keep the index of words and the vectors; it
// needs sqlBefore. Of the index only what is new is written and only what is no more is erased.
func sqlIndexed(in population) string {
	columns, set, shifted := "", "", ""
	if in.timed {
		columns, set = ", valid_at, invalid_at", ", valid_at = excluded.valid_at, invalid_at = excluded.invalid_at"
		shifted = `shifted AS (
	UPDATE ` + in.vectors + ` AS x SET valid_at = p.valid_at, invalid_at = p.invalid_at FROM p
	WHERE x.user_id = $1 AND x.n = p.was AND NOT p.moves AND (x.valid_at <> p.valid_at OR x.invalid_at <> p.invalid_at)
), `
	}
	return `gone AS (
	DELETE FROM ` + in.terms + ` AS k USING (SELECT n, term FROM old EXCEPT SELECT n, term FROM new) AS x
WHERE k.user_id = $1 AND k.term = x.term AND k.n = x.n
), come AS (
	INSERT INTO ` + in.terms + ` (user_id, term, n) SELECT o.user_id, x.term, x.n
FROM ` + ofUser + `, (SELECT n, term FROM new EXCEPT SELECT n, term FROM old) AS x ORDER BY x.term, x.n
), ` + shifted + `embedded AS (
	INSERT INTO ` + in.vectors + ` AS x (user_id, ` + in.id + `, n, model, embedding` + columns + `)
SELECT o.user_id, id, n, number, embedding::halfvec` + columns + ` FROM ` + ofUser + `, v ORDER BY n
	ON CONFLICT (user_id, n) DO UPDATE SET model = excluded.model, embedding = excluded.embedding` + set + `
), counted AS (
	UPDATE ` + in.models + ` AS m SET rows = m.rows + c.change FROM (SELECT number, sum(change) AS change FROM (
		SELECT number, 1 AS change FROM v UNION ALL SELECT number, -1 FROM moved
	) AS x GROUP BY number) AS c WHERE m.user_id = $1 AND m.number = c.number
)
`
}

// indexedRows are the entries and vectors of rows as parameters, one array for each column.
type indexedRows struct {
	models             models
	entries            []string
	modelNames, halves []pgtype.Text
	dimensions         []pgtype.Int4
}

func (c *indexedRows) add(embedding model.Embedding, indexed store.Indexed) error {
	if err := rows.Text(indexed.Entries...); err != nil {
		return err
	}
	name, dimensions, halves, err := embeddingArgs(embedding)
	if err != nil {
		return err
	}
	c.models.add(name, dimensions)
	c.modelNames, c.dimensions, c.halves = append(c.modelNames, name), append(c.dimensions, dimensions),
		append(c.halves, halves)
	c.entries = append(c.entries, arrayText(once(indexed.Entries)))
	return nil
}

// args are what indexedParameters name.
func (c *indexedRows) args() []any { return []any{c.entries, c.modelNames, c.dimensions, c.halves} }

// runs cuts items into as few pieces as there can be without an id twice in one of them: a statement can replace a row
// only once.
func runs[T any](items []T, id func(T) model.UUID) [][]T {
	var pieces [][]T
	for len(items) > 0 {
		seen := make(map[model.UUID]struct{}, len(items))
		end := 0
		for ; end < len(items); end++ {
			if _, again := seen[id(items[end])]; again {
				break
			}
			seen[id(items[end])] = struct{}{}
		}
		pieces, items = append(pieces, items[:end]), items[end:]
	}
	return pieces
}

// savedRows collects what the statements of a save tell: the ids in their order, and whether each is new.
type savedRows struct {
	kind    model.ChangeType
	changes []change
}

func (s *savedRows) read(r *row) {
	one := change{kind: s.kind, operation: model.OperationUpdated, id: r.uuid()}
	if r.bool() {
		one.operation = model.OperationCreated
	}
	s.changes = append(s.changes, one)
}

// save runs the batch of a save. Every row must be told of: when one is not, nothing was done, since something that it
// needs is not there.
func (t tx) save(ctx context.Context, what string, b *batch, saved *savedRows, count int) error {
	whole := false
	err := t.write(ctx, what, b, func() []change {
		if whole = len(saved.changes) == count; !whole {
			return nil
		}
		return saved.changes
	})
	if err == nil && !whole {
		return fmt.Errorf("postgres: %s: %w", what, store.ErrNotFound)
	}
	return err
}
