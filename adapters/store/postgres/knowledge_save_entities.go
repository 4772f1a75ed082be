package postgres

import (
	"context"
	"math"

	"github.com/jackc/pgx/v5/pgtype"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
	"almanac/projections/graphtext"
)

// sqlSaveEntities: lists of texts come as the text of an array, since lists of lists must be of one length. The vector
// changes when there is a new one, or when what is embedded may be another. Who is saved under the id of one that
// became part of another is itself again.
func sqlSaveEntities() string {
	return `WITH i AS MATERIALIZED (
	SELECT i.id, i.created_at, i.updated_at, i.version, i.name_key, i.type_key, i.name, i.type, i.aliases::text[] AS aliases, i.summary, i.attributes, i.names::text[] AS names,
		i.entries::text[] AS entries, i.model, i.dimensions, i.embedding, i.place, o.n AS was,
		o.id IS NULL OR i.embedding IS NOT NULL OR o.name <> i.name OR o.type <> i.type OR o.summary <> i.summary OR o.aliases <> i.aliases::text[]
			OR o.attributes::text IS DISTINCT FROM i.attributes::text AS moves
	FROM unnest($2::uuid[], $3::timestamptz[], $4::timestamptz[], $5::integer[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::json[], $13::text[], $14::text[],
		$15::text[], $16::integer[], $17::text[]) WITH ORDINALITY
		AS i (id, created_at, updated_at, version, name_key, type_key, name, type, aliases, summary, attributes, names, entries, model, dimensions, embedding, place)
	LEFT JOIN entities AS o ON o.user_id = $1 AND o.id = i.id
), numbers AS (
	UPDATE users AS u SET entity_number = u.entity_number + c.fresh, knowledge_at = greatest(u.knowledge_at, $18)
	FROM (SELECT count(*) FILTER (WHERE was IS NULL)::integer AS fresh FROM i) AS c WHERE u.user_id = $1 RETURNING u.entity_number - c.fresh AS used
), p AS MATERIALIZED (
	SELECT i.*, coalesce(i.was, (numbers.used + row_number() OVER (PARTITION BY i.was IS NULL ORDER BY i.place))::integer) AS n FROM i, numbers
), saved AS (
	INSERT INTO entities AS e (user_id, id, created_at, updated_at, n, version, name_key, type_key, name, type, aliases, summary, attributes, entries)
	SELECT $1, id, created_at, updated_at, n, version, name_key, type_key, name, type, aliases, summary, attributes, entries FROM p ORDER BY place
	ON CONFLICT (user_id, id) DO UPDATE SET updated_at = excluded.updated_at, version = excluded.version, name_key = excluded.name_key, type_key = excluded.type_key, name = excluded.name,
		type = excluded.type, aliases = excluded.aliases, summary = excluded.summary, attributes = excluded.attributes, entries = excluded.entries
), called AS MATERIALIZED (
	SELECT p.id, e.name_key COLLATE "C" AS name_key FROM p, unnest(p.names) AS e (name_key)
), was_called AS MATERIALIZED (
	SELECT k.entity_id AS id, k.name_key FROM i JOIN entity_names AS k ON k.user_id = $1 AND k.entity_id = i.id WHERE i.was IS NOT NULL
), unnamed AS (
	DELETE FROM entity_names AS k USING (SELECT id, name_key FROM was_called EXCEPT SELECT id, name_key FROM called) AS x
	WHERE k.user_id = $1 AND k.name_key = x.name_key AND k.entity_id = x.id
), renamed AS (
	INSERT INTO entity_names (user_id, name_key, entity_id) SELECT $1, x.name_key, x.id FROM (SELECT id, name_key FROM called EXCEPT SELECT id, name_key FROM was_called) AS x
), itself AS (
	DELETE FROM entity_redirects AS x USING i WHERE x.user_id = $1 AND x.id = i.id AND i.was IS NULL
), ` + sqlIndexed(entityPopulation()) + `SELECT id, was IS NULL FROM i ORDER BY place`
}

// entityRows are entities as parameters, one array for each column.
type entityRows struct {
	indexedRows
	ids                                   []pgtype.UUID
	created, updated                      []pgtype.Timestamptz
	versions                              []int32
	nameKeys, typeKeys                    []string
	names, types, aliases, summaries, all []string
	attributes                            []pgtype.Text
}

func (c *entityRows) add(one *store.EntityRowOf) error {
	entity := &one.Entity
	if err := rows.Text(entity.Name, entity.Type, entity.Summary, entity.Attributes); err != nil {
		return err
	}
	if err := rows.Text(entity.Aliases...); err != nil {
		return err
	}
	if err := c.indexedRows.add(entity.Embedding, one.Indexed); err != nil {
		return err
	}
	key := graphtext.Name(entity.Name)
	keys := append(make([]string, 0, len(entity.Aliases)+1), key)
	for _, alias := range entity.Aliases {
		keys = append(keys, graphtext.Name(alias))
	}
	c.ids = append(c.ids, uuidArg(entity.ID.UUID))
	c.created, c.updated = append(c.created, instantArg(entity.CreatedAt)), append(c.updated, instantArg(entity.UpdatedAt))
	c.versions = append(c.versions, int32(min(entity.Version, math.MaxInt32)))
	c.nameKeys, c.typeKeys = append(c.nameKeys, key), append(c.typeKeys, graphtext.Name(entity.Type))
	c.names, c.types, c.summaries = append(c.names, entity.Name), append(c.types, entity.Type),
		append(c.summaries, entity.Summary)
	c.aliases, c.all = append(c.aliases, arrayText(entity.Aliases)), append(c.all, arrayText(once(keys)))
	c.attributes = append(c.attributes, textArg(entity.Attributes))
	return nil
}

// SaveEntities inserts entities or replaces them by id; see the contract.
func (t tx) SaveEntities(ctx context.Context, entities []store.EntityRowOf) error {
	if len(entities) == 0 {
		return nil
	}
	saved := &savedRows{kind: model.ChangeEntity}
	b := newBatch()
	for _, run := range runs(entities, func(one store.EntityRowOf) model.UUID { return one.Entity.ID.UUID }) {
		var c entityRows
		for i := range run {
			if err := c.add(&run[i]); err != nil {
				return err
			}
		}
		c.models.into(b, entityPopulation(), t.user())
		b.query(sqlSaveEntities(), saved.read, t.user(), c.ids, c.created, c.updated, c.versions, c.nameKeys, c.typeKeys,
			c.names, c.types, c.aliases, c.summaries, c.attributes, c.all,
			c.entries, c.modelNames, c.dimensions, c.halves, instantArg(t.level.tx.at))
	}
	return t.save(ctx, "save entities", b, saved, len(entities))
}
