package extract

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/graphtext"
	"almanac/projections/words"
)

// How much of what is known goes along with a part.
const (
	maxKnownEntities = 60
	// maxSimilar is how many of them may only be similar to a name in the text.
	maxSimilar    = 20
	maxKnownFacts = 60
	factsOfEach   = 12
)

// known is what is told of the graph with a part. The model sees handles and no ids, so what it has not been given it
// cannot name.
type known struct {
	entities map[string]model.Entity
	facts    map[string]model.Fact
	// order are the handles as they are shown.
	entityOrder, factOrder []string
	// names leads from the key of a name or an alias to handles.
	names map[string][]string
}

func newKnown(entities []model.Entity, facts []model.Fact) *known {
	k := &known{entities: map[string]model.Entity{}, facts: map[string]model.Fact{}, names: map[string][]string{}}
	for i, e := range entities {
		handle := "e" + strconv.Itoa(i+1)
		k.entities[handle] = e
		k.entityOrder = append(k.entityOrder, handle)
		for _, name := range append([]string{e.Name}, e.Aliases...) {
			if key := graphtext.Name(name); !slices.Contains(k.names[key], handle) {
				k.names[key] = append(k.names[key], handle)
			}
		}
	}
	for i, f := range facts {
		handle := "f" + strconv.Itoa(i+1)
		k.facts[handle] = f
		k.factOrder = append(k.factOrder, handle)
	}
	return k
}

// lookUp reads what is known of the names in a part: the entities that are named there, those with similar names, and
// the facts of the former that held when the episode happened.
func (r *Extractor) lookUp(ctx context.Context, user model.UserID, text string, at time.Time) (*known, error) {
	const want = store.EntityName | store.EntityType | store.EntityAliases
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	keys := namesIn(text)
	if len(keys) == 0 {
		return newKnown(nil, nil), nil
	}
	byName, err := r.Store.EntitiesByName(ctx, user, keys, want)
	if err != nil {
		return nil, err
	}
	var entities []model.Entity
	seen := map[model.UUID]bool{}
	for i := len(keys) - 1; i >= 0; i-- { // longer names say more
		for _, e := range byName[keys[i]] {
			if !seen[e.ID.UUID] && len(entities) < maxKnownEntities {
				seen[e.ID.UUID] = true
				entities = append(entities, e)
			}
		}
	}
	facts, err := r.factsOf(ctx, user, entities, at)
	if err != nil {
		return nil, err
	}
	similar, err := r.similar(ctx, user, text, want)
	if err != nil {
		return nil, err
	}
	for _, e := range similar {
		if !seen[e.ID.UUID] && len(entities) < maxKnownEntities {
			seen[e.ID.UUID] = true
			entities = append(entities, e)
		}
	}
	return newKnown(entities, facts), nil
}

func (r *Extractor) factsOf(ctx context.Context, user model.UserID, entities []model.Entity,
	at time.Time) ([]model.Fact, error) {
	if len(entities) == 0 {
		return nil, nil
	}
	ids := make([]model.UUID, len(entities))
	for i, e := range entities {
		ids[i] = e.ID.UUID
	}
	facts, err := r.Store.FactsAround(ctx, user, ids, store.FactWhere{Time: store.FactsHolding, At: at}, factsOfEach,
		maxKnownFacts, store.FactWant{
			Fact: store.FactRelation | store.FactSentence | store.FactValidAt, Ends: store.EntityName,
		})
	slices.SortStableFunc(facts, func(a, b model.Fact) int {
		return cmp.Or(cmp.Compare(a.Source.Name, b.Source.Name), cmp.Compare(a.Relation, b.Relation))
	})
	return facts, err
}

// similar finds entities that share a word with what may be names in a text: so "Dana" of the text meets "Dana Levi" of
// the graph.
func (r *Extractor) similar(ctx context.Context, user model.UserID, text string,
	want store.EntityColumns) ([]model.Entity, error) {
	var capitals []string
	for _, w := range wordsOf(text) {
		if w.namely {
			capitals = append(capitals, w.text)
		}
	}
	query := words.Query(strings.Join(capitals, " "))
	if len(query.Terms) == 0 {
		return nil, nil
	}
	hits, err := r.Store.SearchEntities(ctx, user,
		store.EntitySearch{Looking: store.Looking{Words: query, KeywordWeight: 1, Limit: maxSimilar}, Columns: want})
	if err != nil {
		return nil, err
	}
	entities := make([]model.Entity, len(hits.Hits))
	for i, hit := range hits.Hits {
		entities[i] = hit.Entity
	}
	return entities, nil
}
