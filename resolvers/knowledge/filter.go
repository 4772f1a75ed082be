package knowledge

import (
	"context"
	"slices"
	"strconv"
	"time"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/graphtext"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// entityWhere reads a filter of entities; nil asks nothing.
func entityWhere(v *core.Viewer, filter *graph.EntityFilter) (where store.EntityWhere, err error) {
	if filter == nil {
		return where, nil
	}
	if err := atMostParts("filter.types", len(filter.Types)); err != nil {
		return where, err
	}
	for i, text := range filter.Types {
		clean, err := core.CleanText("filter.types."+strconv.Itoa(i), text, model.MaxEntityType)
		if err != nil {
			return where, err
		}
		key := graphtext.Name(clean)
		where.Types = append(where.Types, key)
		if key == untyped {
			where.Types = append(where.Types, "") // what nobody has said is kept as nothing
		}
	}
	slices.Sort(where.Types)
	where.Types = slices.Compact(where.Types)
	if filter.Name != nil {
		clean, err := core.CleanText("filter.name", *filter.Name, model.MaxEntityName)
		if err != nil {
			return where, err
		}
		where.Name = graphtext.Name(clean)
	}
	err = timeRange(v, "filter.createdAfter", filter.CreatedAfter, &where.CreatedFrom, "filter.createdBefore",
		filter.CreatedBefore, &where.CreatedTo)
	return where, err
}

// untyped is the key of what an entity's type is said to be when nobody has said.
var untyped = graphtext.Name(projections.UntypedEntity)

// atMostParts refuses lists of a filter that are too long.
func atMostParts(field string, n int) error {
	if n > model.MaxFilterParts {
		return model.BadInput(field, "a filter has at most %d of these, not %d", model.MaxFilterParts, n)
	}
	return nil
}

// timeRange reads a lower and an upper bound, of which either may be missing.
func timeRange(v *core.Viewer, fromField string, from *model.DateTimeInput, fromOut *time.Time, toField string,
	to *model.DateTimeInput, toOut *time.Time) error {
	if from != nil {
		*fromOut = when.Resolve(*from, v.Zone)
	}
	if to != nil {
		*toOut = when.Resolve(*to, v.Zone)
	}
	if core.NoTimeBetween(*fromOut, *toOut) {
		return model.BadInput(toField, "%s is not after %s, so nothing can be found", lastOf(toField), lastOf(fromField))
	}
	return nil
}

// lastOf is the last part of a dotted path.
func lastOf(field string) string {
	path := model.FieldPath(field)
	return path[len(path)-1]
}

// cleanRelations reads relations, each in its one form, each once.
func cleanRelations(field string, texts []string) ([]string, error) {
	if err := atMostParts(field, len(texts)); err != nil {
		return nil, err
	}
	var out []string
	for i, text := range texts {
		relation, err := cleanRelation(field+"."+strconv.Itoa(i), text)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(out, relation) {
			out = append(out, relation)
		}
	}
	return out, nil
}

// cleanRelation reads a relation in its one form.
func cleanRelation(field, text string) (string, error) {
	relation, ok := graphtext.Relation(text)
	if !ok {
		return "", model.BadInput(field, "%q is no relation; it is 1–%d letters and digits, such as WORKS_AT or \"works at\"",
			model.Clip(text), model.MaxRelation)
	}
	return relation, nil
}

// heldAt says which facts are meant with regard to time: those that hold now, or held at a moment, or all.
func heldAt(v *core.Viewer, asOf *model.DateTimeInput, withOthers bool) (where store.FactWhere, err error) {
	if withOthers {
		if asOf != nil {
			return where, model.BadInput("asOf",
				"give asOf or includeInvalidated, not both: with includeInvalidated the facts of all times are given")
		}
		return where, nil
	}
	where.Time, where.At = store.FactsHolding, v.Now
	if asOf != nil {
		where.At = when.Resolve(*asOf, v.Zone)
	}
	return where, nil
}

// namedThing is a thing of the graph that a filter names.
type namedThing struct {
	field string
	id    model.ID
}

// readFactFilter reads a filter of facts into what is asked, and returns what it names; nil asks nothing.
// BAD_USER_INPUT, NOT_FOUND.
func (r *Resolver) readFactFilter(v *core.Viewer, filter *graph.FactFilter,
	ask *knowledge.FactAsk) (named []namedThing, err error) {
	if filter == nil {
		return nil, nil
	}
	if ask.Where.Relations, err = cleanRelations("filter.relations", filter.Relations); err != nil {
		return nil, err
	}
	if err = timeRange(v, "filter.validAfter", filter.ValidAfter, &ask.Where.ValidFrom, "filter.validBefore",
		filter.ValidBefore, &ask.Where.ValidTo); err != nil {
		return nil, err
	}
	if err = timeRange(v, "filter.createdAfter", filter.CreatedAfter, &ask.Where.CreatedFrom, "filter.createdBefore",
		filter.CreatedBefore, &ask.Where.CreatedTo); err != nil {
		return nil, err
	}
	read := func(field, text string, kind model.Kind) (model.ID, error) {
		id, err := r.servedID(field, text, kind)
		named = append(named, namedThing{field, id})
		return id, err
	}
	if filter.Entity != nil {
		if ask.Entity, err = read("filter.entity", *filter.Entity, model.KindEntity); err != nil {
			return nil, err
		}
	}
	if filter.Between != nil && len(filter.Between) != 2 {
		return nil, model.BadInput("filter.between", "between names exactly two entities, not %d", len(filter.Between))
	}
	for i, text := range filter.Between {
		id, err := read("filter.between."+strconv.Itoa(i), text, model.KindEntity)
		if err != nil {
			return nil, err
		}
		ask.Between = append(ask.Between, id)
	}
	if filter.Episode != nil {
		ask.Episode, err = read("filter.episode", *filter.Episode, model.KindEpisode)
	}
	return named, err
}

// allThere says of what a filter names, and nothing was found by, whether it is there at all: NOT_FOUND helps more than
// an empty page. A remote is not asked again.
func (r *Resolver) allThere(ctx context.Context, v *core.Viewer, named []namedThing) error {
	if !r.KnowledgeBase.Facts().Transactional {
		return nil
	}
	for _, one := range named {
		var err error
		if one.id.Kind == model.KindEpisode {
			_, err = r.oneEpisode(ctx, v, one.field, one.id, 0)
		} else {
			_, err = r.oneEntity(ctx, v, one.field, one.id, 0)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// episodeWhere reads a filter of episodes; nil asks nothing.
func episodeWhere(v *core.Viewer, filter *graph.EpisodeFilter) (where store.EpisodeWhere, err error) {
	if filter == nil {
		return where, nil
	}
	for _, source := range filter.Sources {
		if !slices.Contains(where.Sources, source) {
			where.Sources = append(where.Sources, source)
		}
	}
	for _, state := range filter.States {
		if !slices.Contains(where.States, state) {
			where.States = append(where.States, state)
		}
	}
	err = timeRange(v, "filter.after", filter.After, &where.From, "filter.before", filter.Before, &where.To)
	return where, err
}
