package postgres

import (
	"context"
	"strings"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/graphtext"
)

// sqlSaveEntities: the vector changes when there is a new one, or when what is embedded may be another. Who is saved
// under the id of one that became part of another is itself again.
var sqlSaveEntities = filled(`WITH i AS MATERIALIZED (
	SELECT i.*, o.n AS was, o.id IS NULL OR i.embedding IS NOT NULL OR o.name <> i.name OR o.type <> i.type
		OR o.summary <> i.summary OR o.aliases <> i.aliases OR o.attributes::text IS DISTINCT FROM i.attributes::text AS moves
	FROM ({given}) AS i LEFT JOIN entities AS o ON o.user_id = $1 AND o.id = i.id
), numbers AS (
	UPDATE users AS u SET entity_number = u.entity_number + c.fresh, knowledge_at = greatest(u.knowledge_at, {at})
	FROM (SELECT count(*) FILTER (WHERE was IS NULL)::integer AS fresh FROM i) AS c
	WHERE u.user_id = $1 RETURNING u.entity_number - c.fresh AS used
), p AS MATERIALIZED (
	SELECT i.*, coalesce(i.was, (
		numbers.used + row_number() OVER (PARTITION BY i.was IS NULL ORDER BY i.place))::integer) AS n FROM i, numbers
), {before}, called AS MATERIALIZED (
	SELECT p.id, e.name_key COLLATE "C" AS name_key FROM p, unnest(p.names) AS e (name_key)
), was_called AS MATERIALIZED (
	SELECT k.entity_id AS id, k.name_key FROM i JOIN entity_names AS k ON k.user_id = $1 AND k.entity_id = i.id
	WHERE i.was IS NOT NULL
), saved AS (
	INSERT INTO entities AS e (user_id, {names}, n, entries)
	SELECT o.user_id, {names}, n, entries FROM `+ofUser+`, p ORDER BY place
	ON CONFLICT (user_id, id) DO UPDATE SET {replaced}
), unnamed AS (
	DELETE FROM entity_names AS k USING (SELECT id, name_key FROM was_called EXCEPT SELECT id, name_key FROM called) AS x
	WHERE k.user_id = $1 AND k.name_key = x.name_key AND k.entity_id = x.id
), renamed AS (
	INSERT INTO entity_names (user_id, name_key, entity_id)
	SELECT o.user_id, x.name_key, x.id FROM `+ofUser+`,
		(SELECT id, name_key FROM called EXCEPT SELECT id, name_key FROM was_called) AS x
), itself AS (
	DELETE FROM entity_redirects AS x USING i WHERE x.user_id = $1 AND x.id = i.id AND i.was IS NULL
), {indexed}SELECT id, was IS NULL FROM i ORDER BY place`, "{given}", given(2, entityParameters),
	"{at}", numbered(2+len(entityParameters), 1), "{names}", strings.Join(store.Names(store.EntityTable.All()), ", "),
	"{replaced}", excluded(append(store.Names(store.EntityTable.Replaced()), "entries")...),
	"{before}", sqlBefore(entityPopulation()), "{indexed}", sqlIndexed(entityPopulation()))

// entityParameters are given with entities; names are the folded name and aliases.
var entityParameters = parametersOf(store.EntityTable.All(),
	append([]parameter{{"names", "text", true}}, indexedParameters...)...)

// SaveEntities inserts entities or replaces them by id; see the contract.
func (t tx) SaveEntities(ctx context.Context, entities []store.EntityRowOf) error {
	if len(entities) == 0 {
		return nil
	}
	saved := &savedRows{kind: model.ChangeEntity}
	b := newBatch()
	for _, run := range runs(entities, store.EntityRowOf.ID) {
		entities, names := make([]model.Entity, len(run)), make([]string, len(run))
		var indexed indexedRows
		for i := range run {
			entities[i] = run[i].Entity
			keys := []string{graphtext.Name(entities[i].Name)}
			for _, alias := range entities[i].Aliases {
				keys = append(keys, graphtext.Name(alias))
			}
			names[i] = arrayText(once(keys))
			if err := indexed.add(entities[i].Embedding, run[i].Indexed); err != nil {
				return err
			}
		}
		args, err := arrays(t.user(), store.EntityTable.All(), entities)
		if err != nil {
			return err
		}
		indexed.models.into(b, entityPopulation(), t.user())
		args = append(append(args, names), indexed.args()...)
		b.query(sqlSaveEntities, saved.read, append(args, t.at())...)
	}
	return t.save(ctx, "save entities", b, saved, len(entities))
}
