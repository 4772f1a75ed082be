package postgres

import (
	"almanac/adapters/store"
	"almanac/graph/model"
)

func entityID(id model.UUID) model.ID  { return model.ID{Kind: model.KindEntity, UUID: id} }
func factID(id model.UUID) model.ID    { return model.ID{Kind: model.KindFact, UUID: id} }
func episodeID(id model.UUID) model.ID { return model.ID{Kind: model.KindEpisode, UUID: id} }

// entityShape is what is read of an entity, the id first.
func entityShape(want store.EntityColumns) shape[model.Entity, store.EntityColumns] {
	return store.EntityTable.Read(want)
}

// episodeShape is what is read of an episode, the id first.
func episodeShape(want store.EpisodeColumns) shape[model.Episode, store.EpisodeColumns] {
	return store.EpisodeTable.Read(want)
}

// factShapes is what is read of a fact, in order: the columns wanted, with the ids of itself and of its ends, those of
// its ends, and its episodes.
type factShapes struct {
	own      shape[model.Fact, store.FactColumns]
	ends     shape[model.Entity, store.EntityColumns]
	episodes bool
}

func factShape(want store.FactWant) *factShapes {
	// The ids of the ends are columns of the fact.
	return &factShapes{store.FactTable.Read(want.Fact), entityShape(want.Ends)[1:], want.Fact.Has(store.FactEpisodes)}
}

// names are the table's own columns.
func (s *factShapes) names() []string { return s.own.names() }

// list names everything that is read, for rows of the alias t.
func (s *factShapes) list() string {
	list := s.own.list("t")
	if len(s.ends) > 0 {
		list += ", " + s.ends.list("s") + ", " + s.ends.list("o")
	}
	if s.episodes {
		list += ", support.ids"
	}
	return list
}

// joins returns what must be joined to rows of the alias t; user is the expression of their user. Each end is looked up
// by its key: the server, which does not know how few the rows are, would rather read all of the user's entities.
func (s *factShapes) joins(user string) string {
	var joins string
	if len(s.ends) > 0 {
		for _, end := range [...][2]string{{"source_id", "s"}, {"target_id", "o"}} {
			joins += " LEFT JOIN LATERAL (SELECT " + s.ends.list("e") + " FROM entities AS e WHERE e.user_id = " + user +
				" AND e.id = t." + end[0] + " LIMIT 1) AS " + end[1] + " ON true"
		}
	}
	if s.episodes {
		joins += " LEFT JOIN LATERAL (SELECT array_agg(x.episode_id ORDER BY x.episode_id) AS ids FROM fact_episodes AS x" +
			" WHERE x.user_id = " + user + " AND x.fact_id = t.id) AS support ON true"
	}
	return joins
}

// read takes what list names apart.
func (s *factShapes) read(r *row, fact *model.Fact) {
	s.own.read(r, fact)
	s.ends.read(r, &fact.Source)
	s.ends.read(r, &fact.Target)
	if s.episodes {
		for ids := r.array(); ids.left > 0; {
			fact.Episodes = append(fact.Episodes, episodeID(uuidOf(ids.element())))
		}
	}
}
