package sqlite

import (
	"math"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// The bounds of a fact that has none: every moment lies between them.
const (
	unbegun = math.MinInt64
	unended = math.MaxInt64
)

// boundArg binds a bound; none is the number for a bound that is not there.
func boundArg(t time.Time, none int64) arg {
	if t.IsZero() {
		return intArg(none)
	}
	return instantArg(t)
}

// columnBound reads what boundArg wrote.
func columnBound(stmt *sqlite.Stmt, column int, none int64) time.Time {
	if at := stmt.ColumnInt64(column); at != none {
		return rows.TimeOf(at)
	}
	return time.Time{}
}

// nounColumn is one column of a noun of the graph, and how it is read into one.
type nounColumn[W ~uint32, N any] struct {
	wanted W
	name   string
	read   func(stmt *sqlite.Stmt, column int, noun *N) error
}

// nounSelection is which columns of a noun a statement gives, beside its id.
type nounSelection[W ~uint32, N any] []*nounColumn[W, N]

func selectNoun[W ~uint32, N any](columns []nounColumn[W, N], want W) nounSelection[W, N] {
	s := make(nounSelection[W, N], 0, len(columns))
	for i := range columns {
		if want&columns[i].wanted != 0 {
			s = append(s, &columns[i])
		}
	}
	return s
}

// write appends the columns' names, with a comma before each, of the table that stands as alias.
func (s nounSelection[W, N]) write(b *statement, alias string) {
	for _, column := range s {
		b.add(", " + alias + "." + column.name)
	}
}

// read reads a row whose first column is the one with a number.
func (s nounSelection[W, N]) read(stmt *sqlite.Stmt, first int, noun *N) error {
	for i, column := range s {
		if err := column.read(stmt, first+i, noun); err != nil {
			return err
		}
	}
	return nil
}

type (
	entityColumn  = nounColumn[store.EntityColumns, model.Entity]
	factColumn    = nounColumn[store.FactColumns, model.Fact]
	episodeColumn = nounColumn[store.EpisodeColumns, model.Episode]
)

var entityColumns = [...]entityColumn{
	{store.EntityName, "name",
		func(s *sqlite.Stmt, c int, e *model.Entity) error { e.Name = s.ColumnText(c); return nil }},
	{store.EntityType, "type",
		func(s *sqlite.Stmt, c int, e *model.Entity) error { e.Type = s.ColumnText(c); return nil }},
	{store.EntitySummary, "summary",
		func(s *sqlite.Stmt, c int, e *model.Entity) error { e.Summary = s.ColumnText(c); return nil }},
	{store.EntityAliases, "aliases", func(s *sqlite.Stmt, c int, e *model.Entity) (err error) {
		e.Aliases, err = textsOf(s.ColumnText(c))
		return err
	}},
	{store.EntityAttributes, "attributes",
		func(s *sqlite.Stmt, c int, e *model.Entity) error { e.Attributes = s.ColumnText(c); return nil }},
	{store.EntityCreatedAt, "created_at",
		func(s *sqlite.Stmt, c int, e *model.Entity) error { e.CreatedAt = columnTime(s, c); return nil }},
	{store.EntityUpdatedAt, "updated_at",
		func(s *sqlite.Stmt, c int, e *model.Entity) error { e.UpdatedAt = columnTime(s, c); return nil }},
	{store.EntityVersion, "version",
		func(s *sqlite.Stmt, c int, e *model.Entity) error { e.Version = s.ColumnInt(c); return nil }},
}

var factColumns = [...]factColumn{
	{store.FactRelation, "relation",
		func(s *sqlite.Stmt, c int, f *model.Fact) error { f.Relation = s.ColumnText(c); return nil }},
	{store.FactSentence, "sentence",
		func(s *sqlite.Stmt, c int, f *model.Fact) error { f.Sentence = s.ColumnText(c); return nil }},
	{store.FactValidAt, "valid_at", func(s *sqlite.Stmt, c int, f *model.Fact) error {
		f.ValidAt = columnBound(s, c, unbegun)
		return nil
	}},
	{store.FactInvalidAt, "invalid_at", func(s *sqlite.Stmt, c int, f *model.Fact) error {
		f.InvalidAt = columnBound(s, c, unended)
		return nil
	}},
	{store.FactCreatedAt, "created_at",
		func(s *sqlite.Stmt, c int, f *model.Fact) error { f.CreatedAt = columnTime(s, c); return nil }},
	{store.FactExpiredAt, "expired_at",
		func(s *sqlite.Stmt, c int, f *model.Fact) error { f.ExpiredAt = columnTime(s, c); return nil }},
	{store.FactConfidence, "confidence", func(s *sqlite.Stmt, c int, f *model.Fact) error {
		if !s.ColumnIsNull(c) {
			f.Confidence = new(s.ColumnFloat(c))
		}
		return nil
	}},
	{store.FactAttributes, "attributes",
		func(s *sqlite.Stmt, c int, f *model.Fact) error { f.Attributes = s.ColumnText(c); return nil }},
	{store.FactReplacedBy, "replaced_by", func(s *sqlite.Stmt, c int, f *model.Fact) error {
		if !s.ColumnIsNull(c) {
			f.ReplacedBy = ownFact(columnID(s, c))
		}
		return nil
	}},
	{store.FactVersion, "version",
		func(s *sqlite.Stmt, c int, f *model.Fact) error { f.Version = s.ColumnInt(c); return nil }},
}

var episodeColumns = [...]episodeColumn{
	{store.EpisodeName, "name",
		func(s *sqlite.Stmt, c int, e *model.Episode) error { e.Name = s.ColumnText(c); return nil }},
	{store.EpisodeContent, "content",
		func(s *sqlite.Stmt, c int, e *model.Episode) error { e.Content = s.ColumnText(c); return nil }},
	{store.EpisodeSource, "source", func(s *sqlite.Stmt, c int, e *model.Episode) error {
		e.Source = model.EpisodeSource(s.ColumnText(c))
		return nil
	}},
	{store.EpisodeOrigin, "source_description", func(s *sqlite.Stmt, c int, e *model.Episode) error {
		e.SourceDescription = s.ColumnText(c)
		return nil
	}},
	{store.EpisodeReferenceTime, "reference_time",
		func(s *sqlite.Stmt, c int, e *model.Episode) error { e.ReferenceTime = columnTime(s, c); return nil }},
	{store.EpisodeCreatedAt, "created_at", func(s *sqlite.Stmt, c int,
		e *model.Episode) error {
		e.CreatedAt = columnTime(s, c)
		return nil
	}},
	{store.EpisodeProgress, "state", func(s *sqlite.Stmt, c int, e *model.Episode) error {
		e.State = model.EpisodeState(s.ColumnText(c))
		return nil
	}},
	{store.EpisodeProgress, "problem",
		func(s *sqlite.Stmt, c int, e *model.Episode) error { e.Problem = s.ColumnText(c); return nil }},
	{store.EpisodeProgress, "attempts",
		func(s *sqlite.Stmt, c int, e *model.Episode) error { e.Attempts = s.ColumnInt(c); return nil }},
	{store.EpisodeProgress, "next_at", func(s *sqlite.Stmt, c int, e *model.Episode) error {
		e.NextAt = columnBound(s, c, unbegun)
		return nil
	}},
}

func ownEntity(id model.UUID) model.ID  { return model.ID{Kind: model.KindEntity, UUID: id} }
func ownFact(id model.UUID) model.ID    { return model.ID{Kind: model.KindFact, UUID: id} }
func ownEpisode(id model.UUID) model.ID { return model.ID{Kind: model.KindEpisode, UUID: id} }

// entitySelection is which columns of entities a statement gives, the id first.
type entitySelection struct {
	nounSelection[store.EntityColumns, model.Entity]
}

func selectEntity(want store.EntityColumns) entitySelection {
	return entitySelection{selectNoun(entityColumns[:], want)}
}

func (s *entitySelection) write(b *statement) {
	b.add("m.id")
	s.nounSelection.write(b, "m")
}

// width is how many columns there are, and so the number of the one that comes after them.
func (s *entitySelection) width() int { return 1 + len(s.nounSelection) }

func (s *entitySelection) read(stmt *sqlite.Stmt, entity *model.Entity) error {
	entity.ID = ownEntity(columnID(stmt, 0))
	return s.nounSelection.read(stmt, 1, entity)
}

// factSelection is which columns of facts, and of the entities at their ends, a statement gives: first the three ids.
type factSelection struct {
	own  nounSelection[store.FactColumns, model.Fact]
	ends nounSelection[store.EntityColumns, model.Entity]
}

func selectFact(want store.FactWant) factSelection {
	return factSelection{selectNoun(factColumns[:], want.Fact), selectNoun(entityColumns[:], want.Ends)}
}

func (s *factSelection) write(b *statement) {
	b.add("m.id, m.source_id, m.target_id")
	s.own.write(b, "m")
	s.ends.write(b, "source")
	s.ends.write(b, "target")
}

// join appends the entities at the ends, when something of them is wanted, behind the facts in FROM.
func (s *factSelection) join(b *statement) {
	if len(s.ends) > 0 {
		b.add(
			" CROSS JOIN entities source ON source.user_id = m.user_id AND source.id = m.source_id CROSS JOIN entities target " +
				"ON target.user_id = m.user_id AND target.id = m.target_id")
	}
}

func (s *factSelection) width() int { return 3 + len(s.own) + 2*len(s.ends) }

func (s *factSelection) read(stmt *sqlite.Stmt, fact *model.Fact) error {
	fact.ID, fact.Source.ID, fact.Target.ID = ownFact(columnID(stmt, 0)), ownEntity(columnID(stmt, 1)),
		ownEntity(columnID(stmt, 2))
	err := s.own.read(stmt, 3, fact)
	if err == nil {
		err = s.ends.read(stmt, 3+len(s.own), &fact.Source)
	}
	if err == nil {
		err = s.ends.read(stmt, 3+len(s.own)+len(s.ends), &fact.Target)
	}
	return err
}

// episodeSelection is which columns of episodes a statement gives, the id first.
type episodeSelection struct {
	nounSelection[store.EpisodeColumns, model.Episode]
}

func selectEpisode(want store.EpisodeColumns) episodeSelection {
	return episodeSelection{selectNoun(episodeColumns[:], want)}
}

func (s *episodeSelection) write(b *statement) {
	b.add("m.id")
	s.nounSelection.write(b, "m")
}

func (s *episodeSelection) width() int { return 1 + len(s.nounSelection) }

func (s *episodeSelection) read(stmt *sqlite.Stmt, episode *model.Episode) error {
	episode.ID = ownEpisode(columnID(stmt, 0))
	return s.nounSelection.read(stmt, 1, episode)
}
