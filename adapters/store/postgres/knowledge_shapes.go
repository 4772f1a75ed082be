package postgres

import (
	"strings"

	"almanac/adapters/store"
	"almanac/graph/model"
)

func entityID(id model.UUID) model.ID  { return model.ID{Kind: model.KindEntity, UUID: id} }
func factID(id model.UUID) model.ID    { return model.ID{Kind: model.KindFact, UUID: id} }
func episodeID(id model.UUID) model.ID { return model.ID{Kind: model.KindEpisode, UUID: id} }

// named writes columns, each behind an alias and after a comma.
func named(alias string, columns []string) string {
	var b strings.Builder
	for _, column := range columns {
		b.WriteString(", " + alias + "." + column)
	}
	return b.String()
}

// entityShape is what is read of an entity, in order.
type entityShape store.EntityColumns

var entityColumns = [...]struct {
	flag store.EntityColumns
	name string
}{
	{store.EntityName, "name"},
	{store.EntityType, "type"},
	{store.EntitySummary, "summary"},
	{store.EntityAliases, "aliases"},
	{store.EntityAttributes, "attributes"},
	{store.EntityCreatedAt, "created_at"},
	{store.EntityUpdatedAt, "updated_at"},
	{store.EntityVersion, "version"},
}

func (s entityShape) columns() []string {
	var names []string
	for _, column := range entityColumns {
		if store.EntityColumns(s).Has(column.flag) {
			names = append(names, column.name)
		}
	}
	return names
}

// list names the id and the columns, for rows of the alias t.
func (s entityShape) list() string { return "t.id" + named("t", s.columns()) }

// read takes what list names apart.
func (s entityShape) read(r *row) model.Entity {
	entity := model.Entity{ID: entityID(r.uuid())}
	s.fill(r, &entity)
	return entity
}

// fill reads the columns without the id.
func (s entityShape) fill(r *row, entity *model.Entity) {
	want := store.EntityColumns(s)
	if want.Has(store.EntityName) {
		entity.Name = r.text()
	}
	if want.Has(store.EntityType) {
		entity.Type = r.text()
	}
	if want.Has(store.EntitySummary) {
		entity.Summary = r.text()
	}
	if want.Has(store.EntityAliases) {
		entity.Aliases = r.texts()
	}
	if want.Has(store.EntityAttributes) {
		entity.Attributes = r.text()
	}
	if want.Has(store.EntityCreatedAt) {
		entity.CreatedAt = r.time()
	}
	if want.Has(store.EntityUpdatedAt) {
		entity.UpdatedAt = r.time()
	}
	if want.Has(store.EntityVersion) {
		entity.Version = int(r.int32())
	}
}

// factShape is what is read of a fact, in order: the ids of itself and of its ends, the columns wanted, those of its
// ends, and its episodes.
type factShape store.FactWant

var factColumns = [...]struct {
	flag store.FactColumns
	name string
}{
	{store.FactRelation, "relation"},
	{store.FactSentence, "sentence"},
	{store.FactValidAt, "valid_at"},
	{store.FactInvalidAt, "invalid_at"},
	{store.FactCreatedAt, "created_at"},
	{store.FactExpiredAt, "expired_at"},
	{store.FactConfidence, "confidence"},
	{store.FactAttributes, "attributes"},
	{store.FactReplacedBy, "replaced_by"},
	{store.FactVersion, "version"},
}

// columns names the table's own columns that are read.
func (s factShape) columns() []string {
	names := []string{"id", "source_id", "target_id"}
	for _, column := range factColumns {
		if s.Fact.Has(column.flag) {
			names = append(names, column.name)
		}
	}
	return names
}

// list names everything that is read, for rows of the alias t.
func (s factShape) list() string {
	list := qualified(s.columns())
	if s.Ends != 0 {
		ends := entityShape(s.Ends).columns()
		list += named("s", ends) + named("o", ends)
	}
	if s.Fact.Has(store.FactEpisodes) {
		list += ", support.ids"
	}
	return list
}

// joins gives what must be joined to rows of the alias t; user is the expression of their user. Each end is looked up
// by its key: the server, which does not know how few the rows are, would rather read all of the user's entities.
func (s factShape) joins(user string) string {
	var joins string
	if s.Ends != 0 {
		ends := strings.Join(entityShape(s.Ends).columns(), ", ")
		for _, end := range [...][2]string{{"source_id", "s"}, {"target_id", "o"}} {
			joins += " LEFT JOIN LATERAL (SELECT " + ends + " FROM entities WHERE user_id = " + user + " AND id = t." + end[0] +
				" LIMIT 1) AS " + end[1] + " ON true"
		}
	}
	if s.Fact.Has(store.FactEpisodes) {
		joins += " LEFT JOIN LATERAL (SELECT array_agg(x.episode_id ORDER BY x.episode_id) AS ids FROM fact_episodes AS x " +
			"WHERE x.user_id = " + user + " AND x.fact_id = t.id) AS support ON true"
	}
	return joins
}

// read takes what list names apart.
func (s factShape) read(r *row) model.Fact {
	fact := model.Fact{ID: factID(r.uuid()), Source: model.Entity{ID: entityID(r.uuid())},
		Target: model.Entity{ID: entityID(r.uuid())}}
	want := s.Fact
	if want.Has(store.FactRelation) {
		fact.Relation = r.text()
	}
	if want.Has(store.FactSentence) {
		fact.Sentence = r.text()
	}
	if want.Has(store.FactValidAt) {
		fact.ValidAt = r.time()
	}
	if want.Has(store.FactInvalidAt) {
		fact.InvalidAt = r.time()
	}
	if want.Has(store.FactCreatedAt) {
		fact.CreatedAt = r.time()
	}
	if want.Has(store.FactExpiredAt) {
		fact.ExpiredAt = r.time()
	}
	if want.Has(store.FactConfidence) {
		if r.isNull() {
			r.skip(1)
		} else {
			fact.Confidence = new(r.float64())
		}
	}
	if want.Has(store.FactAttributes) {
		fact.Attributes = r.text()
	}
	if want.Has(store.FactReplacedBy) {
		if r.isNull() {
			r.skip(1)
		} else {
			fact.ReplacedBy = factID(r.uuid())
		}
	}
	if want.Has(store.FactVersion) {
		fact.Version = int(r.int32())
	}
	if s.Ends != 0 {
		entityShape(s.Ends).fill(r, &fact.Source)
		entityShape(s.Ends).fill(r, &fact.Target)
	}
	if want.Has(store.FactEpisodes) {
		for ids := r.array(); ids.left > 0; {
			fact.Episodes = append(fact.Episodes, episodeID(uuidOf(ids.element())))
		}
	}
	return fact
}

// episodeShape is what is read of an episode, in order.
type episodeShape store.EpisodeColumns

var episodeColumns = [...]struct {
	flag  store.EpisodeColumns
	names []string
}{
	{store.EpisodeName, []string{"name"}},
	{store.EpisodeContent, []string{"content"}},
	{store.EpisodeSource, []string{"source"}},
	{store.EpisodeOrigin, []string{"source_description"}},
	{store.EpisodeReferenceTime, []string{"reference_time"}},
	{store.EpisodeCreatedAt, []string{"created_at"}},
	{store.EpisodeProgress, []string{"state", "problem", "attempts", "next_at"}},
}

// columns names the columns that are read, the id first.
func (s episodeShape) columns() []string {
	names := []string{"id"}
	for _, column := range episodeColumns {
		if store.EpisodeColumns(s).Has(column.flag) {
			names = append(names, column.names...)
		}
	}
	return names
}

// list names them, for rows of the alias t.
func (s episodeShape) list() string { return qualified(s.columns()) }

// read takes what list names apart.
func (s episodeShape) read(r *row) model.Episode {
	want := store.EpisodeColumns(s)
	episode := model.Episode{ID: episodeID(r.uuid())}
	if want.Has(store.EpisodeName) {
		episode.Name = r.text()
	}
	if want.Has(store.EpisodeContent) {
		episode.Content = r.text()
	}
	if want.Has(store.EpisodeSource) {
		episode.Source = model.EpisodeSource(r.text())
	}
	if want.Has(store.EpisodeOrigin) {
		episode.SourceDescription = r.text()
	}
	if want.Has(store.EpisodeReferenceTime) {
		episode.ReferenceTime = r.time()
	}
	if want.Has(store.EpisodeCreatedAt) {
		episode.CreatedAt = r.time()
	}
	if want.Has(store.EpisodeProgress) {
		episode.State, episode.Problem, episode.Attempts, episode.NextAt = model.EpisodeState(r.text()), r.text(),
			int(r.int32()), r.time()
	}
	return episode
}
