package knowledge

import (
	"almanac/projections"
	"almanac/projections/compact"
	"almanac/resolvers/core"
)

// EntityPage is a page of entities as compact text shows it.
func EntityPage(page projections.FoundPage[projections.Entity]) core.PageShown {
	return core.ShownFound(compact.KindEntities, page,
		func(e projections.Entity) compact.Row { return e.Row() },
		func(score *float64, e projections.Entity) compact.Row {
			return compact.FoundEntity{Score: score, Node: e.Row()}
		})
}

// FactPage is a page of facts as compact text shows it.
func FactPage(page projections.FoundPage[projections.Fact]) core.PageShown {
	return core.ShownFound(compact.KindFacts, page,
		func(f projections.Fact) compact.Row { return f.Row() },
		func(score *float64, f projections.Fact) compact.Row {
			return compact.FoundFact{Score: score, Node: f.Row()}
		})
}
