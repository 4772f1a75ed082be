package postgres

import (
	"context"
	"math"

	"github.com/jackc/pgx/v5/pgtype"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// sqlSaveFacts does nothing, and gives no row, unless all the ends, $19, are there. Of the episodes that support a fact
// the oldest stay.
func sqlSaveFacts() string {
	return `WITH may AS MATERIALIZED (
	SELECT (SELECT count(*) FROM unnest($19::uuid[]) AS e (id) WHERE EXISTS (SELECT FROM entities WHERE user_id = $1 AND entities.id = e.id)) = cardinality($19::uuid[]) AS whole
), i AS MATERIALIZED (
	SELECT i.id, i.source_id, i.target_id, i.created_at, i.valid_at, i.invalid_at, i.expired_at, i.replaced_by, i.confidence, i.version, i.relation, i.sentence, i.attributes,
		i.entries::text[] AS entries, i.model, i.dimensions, i.embedding, i.place, o.n AS was,
		o.id IS NULL OR i.embedding IS NOT NULL OR o.sentence <> i.sentence OR o.relation <> i.relation OR o.source_id <> i.source_id OR o.target_id <> i.target_id AS moves
	FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::timestamptz[], $6::timestamptz[], $7::timestamptz[], $8::timestamptz[], $9::uuid[], $10::double precision[], $11::integer[], $12::text[],
		$13::text[], $14::json[], $15::text[], $16::text[], $17::integer[], $18::text[]) WITH ORDINALITY
		AS i (id, source_id, target_id, created_at, valid_at, invalid_at, expired_at, replaced_by, confidence, version, relation, sentence, attributes, entries, model, dimensions, embedding, place)
	LEFT JOIN facts AS o ON o.user_id = $1 AND o.id = i.id WHERE (SELECT whole FROM may)
), numbers AS (
	UPDATE users AS u SET fact_number = u.fact_number + c.fresh, knowledge_at = greatest(u.knowledge_at, $22)
	FROM (SELECT count(*) FILTER (WHERE was IS NULL)::integer AS fresh FROM i) AS c WHERE u.user_id = $1 AND (SELECT whole FROM may) RETURNING u.fact_number - c.fresh AS used
), p AS MATERIALIZED (
	SELECT i.*, coalesce(i.was, (numbers.used + row_number() OVER (PARTITION BY i.was IS NULL ORDER BY i.place))::integer) AS n FROM i, numbers
), saved AS (
	INSERT INTO facts AS f (user_id, id, source_id, target_id, created_at, valid_at, invalid_at, expired_at, replaced_by, confidence, n, version, relation, sentence, attributes, entries)
	SELECT $1, id, source_id, target_id, created_at, valid_at, invalid_at, expired_at, replaced_by, confidence, n, version, relation, sentence, attributes, entries FROM p ORDER BY place
	ON CONFLICT (user_id, id) DO UPDATE SET source_id = excluded.source_id, target_id = excluded.target_id, created_at = excluded.created_at, valid_at = excluded.valid_at,
		invalid_at = excluded.invalid_at, expired_at = excluded.expired_at, replaced_by = excluded.replaced_by, confidence = excluded.confidence, version = excluded.version,
		relation = excluded.relation, sentence = excluded.sentence, attributes = excluded.attributes, entries = excluded.entries
), support AS MATERIALIZED (
	SELECT fact_id, episode_id, kept, row_number() OVER (PARTITION BY fact_id ORDER BY episode_id) AS place FROM (
		SELECT fact_id, episode_id, bool_or(kept) AS kept FROM (
			SELECT e.fact_id, e.episode_id, false AS kept FROM unnest($20::uuid[], $21::uuid[]) AS e (fact_id, episode_id) WHERE (SELECT whole FROM may)
			UNION ALL SELECT x.fact_id, x.episode_id, true FROM i JOIN fact_episodes AS x ON x.user_id = $1 AND x.fact_id = i.id WHERE i.was IS NOT NULL
		) AS a GROUP BY fact_id, episode_id
	) AS g
), supported AS (
	INSERT INTO fact_episodes (user_id, fact_id, episode_id) SELECT $1, fact_id, episode_id FROM support WHERE NOT kept AND place <= $23 ORDER BY fact_id, episode_id
), unsupported AS (
	DELETE FROM fact_episodes AS x USING support AS s WHERE s.kept AND s.place > $23 AND x.user_id = $1 AND x.fact_id = s.fact_id AND x.episode_id = s.episode_id
), ` + sqlIndexed(factPopulation()) + `SELECT id, was IS NULL FROM i ORDER BY place`
}

// factRows are facts as parameters, one array for each column.
type factRows struct {
	indexedRows
	ids, sources, targets           []pgtype.UUID
	created, valid, invalid, expire []pgtype.Timestamptz
	replaced                        []pgtype.UUID
	confidence                      []pgtype.Float8
	versions                        []int32
	relations, sentences            []string
	attributes                      []pgtype.Text
	// supported and support are facts and episodes, pair by pair.
	supported, support []pgtype.UUID
}

func (c *factRows) add(one *store.FactRowOf) error {
	fact := &one.Fact
	if err := rows.Text(fact.Relation, fact.Sentence, fact.Attributes); err != nil {
		return err
	}
	if err := c.indexedRows.add(fact.Embedding, one.Indexed); err != nil {
		return err
	}
	valid := timeArg(fact.ValidAt)
	if fact.ValidAt.IsZero() {
		valid = pgtype.Timestamptz{InfinityModifier: pgtype.NegativeInfinity, Valid: true}
	}
	var confidence pgtype.Float8
	if fact.Confidence != nil {
		confidence = pgtype.Float8{Float64: *fact.Confidence, Valid: true}
	}
	c.ids, c.sources, c.targets = append(c.ids, uuidArg(fact.ID.UUID)), append(c.sources, uuidArg(fact.Source.ID.UUID)),
		append(c.targets, uuidArg(fact.Target.ID.UUID))
	c.created, c.valid = append(c.created, instantArg(fact.CreatedAt)), append(c.valid, valid)
	c.invalid, c.expire = append(c.invalid, dueArg(fact.InvalidAt)), append(c.expire, timeArg(fact.ExpiredAt))
	c.replaced, c.confidence = append(c.replaced, uuidOrNull(fact.ReplacedBy.UUID)), append(c.confidence, confidence)
	c.versions = append(c.versions, int32(min(fact.Version, math.MaxInt32)))
	c.relations, c.sentences = append(c.relations, fact.Relation), append(c.sentences, fact.Sentence)
	c.attributes = append(c.attributes, textArg(fact.Attributes))
	for _, episode := range fact.Episodes {
		c.supported, c.support = append(c.supported, uuidArg(fact.ID.UUID)), append(c.support, uuidArg(episode.UUID))
	}
	return nil
}

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
	for _, run := range runs(facts, func(one store.FactRowOf) model.UUID { return one.Fact.ID.UUID }) {
		c := factRows{supported: []pgtype.UUID{}, support: []pgtype.UUID{}}
		for i := range run {
			if err := c.add(&run[i]); err != nil {
				return err
			}
		}
		c.models.into(b, factPopulation(), t.user())
		b.query(sqlSaveFacts(), saved.read, t.user(), c.ids, c.sources, c.targets, c.created, c.valid, c.invalid, c.expire,
			c.replaced, c.confidence, c.versions, c.relations, c.sentences,
			c.attributes, c.entries, c.modelNames, c.dimensions, c.halves, all, c.supported, c.support,
			instantArg(t.level.tx.at), int64(model.MaxFactEpisodes))
	}
	return t.save(ctx, "save facts", b, saved, len(facts))
}
