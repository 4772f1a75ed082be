package sqlite

import (
	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/graph/model"
)

func ownEntity(id model.UUID) model.ID  { return model.ID{Kind: model.KindEntity, UUID: id} }
func ownFact(id model.UUID) model.ID    { return model.ID{Kind: model.KindFact, UUID: id} }
func ownEpisode(id model.UUID) model.ID { return model.ID{Kind: model.KindEpisode, UUID: id} }

// The tables of the graph stand as m in every statement.
type (
	entitySelection  = selection[model.Entity, store.EntityColumns]
	episodeSelection = selection[model.Episode, store.EpisodeColumns]
)

// factSelection is which columns of facts, and of the entities at their ends, a statement returns.
type factSelection struct {
	own  selection[model.Fact, store.FactColumns]
	ends entitySelection
}

func selectFact(want store.FactWant) *factSelection {
	// The ids of the ends are columns of the fact.
	return &factSelection{store.FactTable.Read(want.Fact), store.EntityTable.Read(want.Ends)[1:]}
}

func (s *factSelection) write(b *statement) {
	s.own.write(b, "m")
	if len(s.ends) > 0 {
		b.add(", ")
		s.ends.write(b, "source")
		b.add(", ")
		s.ends.write(b, "target")
	}
}

// join appends the entities at the ends, when something of them is wanted, behind the facts in FROM.
func (s *factSelection) join(b *statement) {
	if len(s.ends) > 0 {
		b.add(" CROSS JOIN entities source ON source.user_id = m.user_id AND source.id = m.source_id" +
			" CROSS JOIN entities target ON target.user_id = m.user_id AND target.id = m.target_id")
	}
}

// width is how many columns there are, and so the number of the one that comes after them.
func (s *factSelection) width() int { return len(s.own) + 2*len(s.ends) }

// readRow reads a row.
func (s *factSelection) readRow(stmt *sqlite.Stmt, fact *model.Fact) error {
	err := s.own.read(stmt, 0, fact)
	if err == nil {
		err = s.ends.read(stmt, len(s.own), &fact.Source)
	}
	if err == nil {
		err = s.ends.read(stmt, len(s.own)+len(s.ends), &fact.Target)
	}
	return err
}
