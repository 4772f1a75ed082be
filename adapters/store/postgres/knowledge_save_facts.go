package postgres

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5/pgtype"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// sqlSaveFacts does nothing, and returns no row, unless all the ends are there. Of the episodes that support a fact the
// oldest stay.
var sqlSaveFacts = filled(`WITH may AS MATERIALIZED (
	SELECT (SELECT count(*) FROM unnest({ends}::uuid[]) AS e (id)
		WHERE EXISTS (SELECT FROM entities WHERE user_id = $1 AND entities.id = e.id)) = cardinality({ends}::uuid[]) AS whole
), i AS MATERIALIZED (
	SELECT i.*, o.n AS was, o.id IS NULL OR i.embedding IS NOT NULL OR o.sentence <> i.sentence OR o.relation <> i.relation
		OR o.source_id <> i.source_id OR o.target_id <> i.target_id AS moves
	FROM ({given}) AS i LEFT JOIN facts AS o ON o.user_id = $1 AND o.id = i.id WHERE (SELECT whole FROM may)
), numbers AS (
	UPDATE users AS u SET fact_number = u.fact_number + c.fresh, knowledge_at = greatest(u.knowledge_at, {at})
	FROM (SELECT count(*) FILTER (WHERE was IS NULL)::integer AS fresh FROM i) AS c
	WHERE u.user_id = $1 AND (SELECT whole FROM may) RETURNING u.fact_number - c.fresh AS used
), p AS MATERIALIZED (
	SELECT i.*, coalesce(i.was, (
		numbers.used + row_number() OVER (PARTITION BY i.was IS NULL ORDER BY i.place))::integer) AS n FROM i, numbers
), {before}, support AS MATERIALIZED (
	SELECT fact_id, episode_id, kept, row_number() OVER (PARTITION BY fact_id ORDER BY episode_id) AS place FROM (
		SELECT fact_id, episode_id, bool_or(kept) AS kept FROM (
			SELECT e.fact_id, e.episode_id, false AS kept
			FROM unnest({supported}::uuid[], {support}::uuid[]) AS e (fact_id, episode_id) WHERE (SELECT whole FROM may)
			UNION ALL SELECT x.fact_id, x.episode_id, true
			FROM i JOIN fact_episodes AS x ON x.user_id = $1 AND x.fact_id = i.id WHERE i.was IS NOT NULL
		) AS a GROUP BY fact_id, episode_id
	) AS g
), saved AS (
	INSERT INTO facts AS f (user_id, {names}, n, entries)
	SELECT o.user_id, {names}, n, entries FROM `+ofUser+`, p ORDER BY place
	ON CONFLICT (user_id, id) DO UPDATE SET {replaced}
), unsupported AS (
	DELETE FROM fact_episodes AS x USING support AS s
	WHERE s.kept AND s.place > {most} AND x.user_id = $1 AND x.fact_id = s.fact_id AND x.episode_id = s.episode_id
), supported AS (
	INSERT INTO fact_episodes (user_id, fact_id, episode_id)
	SELECT o.user_id, fact_id, episode_id FROM `+ofUser+`, support
	WHERE NOT kept AND place <= {most} ORDER BY fact_id, episode_id
), {indexed}SELECT id, was IS NULL FROM i ORDER BY place`, "{given}", given(2, factParameters),
	"{ends}", numbered(2+len(factParameters), 1), "{supported}", numbered(3+len(factParameters), 1),
	"{support}", numbered(4+len(factParameters), 1), "{at}", numbered(5+len(factParameters), 1),
	"{most}", numbered(6+len(factParameters), 1), "{names}", strings.Join(store.Names(store.FactTable.All()), ", "),
	"{replaced}", excluded(append(store.Names(store.FactTable.Replaced()), "entries")...),
	"{before}", sqlBefore(factPopulation()), "{indexed}", sqlIndexed(factPopulation()))

var factParameters = parametersOf(store.FactTable.All(), indexedParameters...)

// SaveFacts inserts facts or replaces them by id; see the contract.
func (t tx) SaveFacts(ctx context.Context, facts []store.FactRowOf) error {
	if len(facts) == 0 {
		return nil
	}
	ends := make([]model.UUID, 0, 2*len(facts))
	for i := range facts {
		ends = append(ends, facts[i].Fact.Source.ID.UUID, facts[i].Fact.Target.ID.UUID)
	}
	all := uuidArgs(rows.Distinct(ends))
	saved := &savedRows{kind: model.ChangeFact}
	b := newBatch()
	for _, run := range runs(facts, store.FactRowOf.ID) {
		facts := make([]model.Fact, len(run))
		var indexed indexedRows
		// supported and support are facts and episodes, pair by pair.
		supported, support := []pgtype.UUID{}, []pgtype.UUID{}
		for i := range run {
			facts[i] = run[i].Fact
			if err := indexed.add(facts[i].Embedding, run[i].Indexed); err != nil {
				return err
			}
			for _, episode := range facts[i].Episodes {
				supported, support = append(supported, uuidArg(facts[i].ID.UUID)), append(support, uuidArg(episode.UUID))
			}
		}
		args, err := arrays(t.user(), store.FactTable.All(), facts)
		if err != nil {
			return err
		}
		indexed.models.into(b, factPopulation(), t.user())
		args = append(append(args, indexed.args()...), all, supported, support)
		b.query(sqlSaveFacts, saved.read, append(args, t.at(), int64(model.MaxFactEpisodes))...)
	}
	return t.save(ctx, "save facts", b, saved, len(facts))
}
