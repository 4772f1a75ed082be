package knowledge

import (
	"almanac/adapters/store"
	"almanac/resolvers/core"
)

// entityColumns are the columns that the fields asked of an entity need. What hangs on it needs its id alone.
func entityColumns(s core.Selection) store.EntityColumns {
	return core.Columns(s, "EntityItemContext", store.EntityColumnsFor)
}

// factWant is what the fields asked of a fact need of it, and of its ends.
func factWant(s core.Selection) store.FactWant {
	want := store.FactWant{Fact: core.Columns(s, "FactItemContext", store.FactColumnsFor)}
	for _, end := range []core.Selection{s.Under("source", "Entity"), s.Under("target", "Entity")} {
		end.Compact = false // of ends compact text shows the names alone
		want.Ends |= entityColumns(end)
	}
	if s.Compact {
		want.Ends |= store.EntityName
	}
	return want
}

// episodeColumns are the columns that the fields asked of an episode need.
func episodeColumns(s core.Selection) store.EpisodeColumns {
	return core.Columns(s, "", store.EpisodeColumnsFor)
}
