package knowledge

import (
	"cmp"
	"slices"
	"strings"

	"almanac/adapters/knowledge"
	"almanac/graph/model"
	"almanac/projections/graphtext"
)

// plannedEntity is an entity as it is going to be.
type plannedEntity struct {
	record        model.Entity
	made, changed bool
	// rank is its place in an order that does not depend on the input's.
	rank int
}

// entityPlan is what becomes of entities in a round.
type entityPlan struct {
	byUUID map[model.UUID]*plannedEntity
	// byName finds those that have a folded name, as name or as alias.
	byName map[string][]*plannedEntity
	all    []*plannedEntity
	// refused says that this round has found an end that cannot be told.
	refused bool
}

// reference is one end of a fact of the input, or a mention.
type reference struct {
	end knowledge.End
	// field is its path in the input.
	field string
	name  string // folded
	kind  string // folded type
	// take notes the entity that it is, or why there is none.
	take func(*plannedEntity, error)
}

// resolve finds or makes the entities of what has not been refused yet. References are taken in an order of their own:
// those by id; then those with a type, which can tell entities of one name apart; then those with aliases, which say
// that names belong together; then the rest.
func (p *planner) resolve() {
	p.entities = entityPlan{byUUID: map[model.UUID]*plannedEntity{}, byName: map[string][]*plannedEntity{}}
	p.entityOf = make([][2]*plannedEntity, len(p.telling.facts))
	p.mentioned = make([]*plannedEntity, len(p.mentions))
	for name, entities := range p.there.named {
		for _, entity := range entities {
			p.entities.byName[name] = append(p.entities.byName[name], p.entities.of(entity))
		}
	}
	references := p.references()
	slices.SortStableFunc(references, inOwnOrder)
	for _, r := range references {
		r.take(p.find(r))
	}
	slices.SortStableFunc(p.entities.all, func(a, b *plannedEntity) int {
		return cmp.Or(
			cmp.Compare(graphtext.Name(a.record.Name), graphtext.Name(b.record.Name)),
			cmp.Compare(graphtext.Name(a.record.Type), graphtext.Name(b.record.Type)),
			slices.Compare(a.record.ID.UUID[:], b.record.ID.UUID[:]),
		)
	})
	for i, e := range p.entities.all {
		e.rank = i
	}
}

// references are the ends of all that has not been refused.
func (p *planner) references() []reference {
	var all []reference
	add := func(end knowledge.End, field string, problem *error, place **plannedEntity) {
		all = append(all, reference{end, field, graphtext.Name(end.Name), graphtext.Name(end.Type),
			func(e *plannedEntity, err error) {
				if *place = e; err != nil {
					p.entities.refused = true
					if *problem == nil { // the source's comes before the target's
						*problem = err
					}
				}
			}})
	}
	for i, fact := range p.telling.facts {
		if p.problems[i] == nil {
			add(fact.Source, at(i, "source"), &p.problems[i], &p.entityOf[i][0])
			add(fact.Target, at(i, "target"), &p.problems[i], &p.entityOf[i][1])
		}
	}
	for i, end := range p.mentions {
		if p.mentionProblems[i] == nil {
			add(end, "", &p.mentionProblems[i], &p.mentioned[i])
		}
	}
	return all
}

func inOwnOrder(a, b reference) int {
	class := func(r reference) int {
		switch {
		case r.end.ID != (model.ID{}):
			return 0
		case r.kind != "":
			return 1
		case len(r.end.Aliases) > 0:
			return 2
		}
		return 3
	}
	return cmp.Or(
		cmp.Compare(class(a), class(b)),
		slices.Compare(a.end.ID.UUID[:], b.end.ID.UUID[:]),
		// More to say comes first.
		cmp.Compare(min(len(b.end.Aliases), 1), min(len(a.end.Aliases), 1)),
		cmp.Compare(a.name, b.name), cmp.Compare(a.kind, b.kind),
		cmp.Compare(a.end.Name, b.end.Name), cmp.Compare(a.end.Type, b.end.Type),
		slices.Compare(a.end.Aliases, b.end.Aliases),
		cmp.Compare(a.end.Summary, b.end.Summary), cmp.Compare(a.end.Attributes, b.end.Attributes),
	)
}

// of is the plan for an entity that is there.
func (s *entityPlan) of(entity model.Entity) *plannedEntity {
	e, seen := s.byUUID[entity.ID.UUID]
	if !seen {
		e = &plannedEntity{record: entity}
		e.record.Aliases = slices.Clone(entity.Aliases)
		s.byUUID[entity.ID.UUID] = e
		s.all = append(s.all, e)
	}
	return e
}

// find returns the entity that a reference means, with what the reference tells of it, or makes it.
func (p *planner) find(r reference) (*plannedEntity, error) {
	if r.end.ID != (model.ID{}) {
		entity, found := p.there.byID[r.end.ID.UUID]
		if !found || !own(r.end.ID, model.KindEntity) {
			return nil, model.NotFound(r.field+".id", "you have no entity %s", model.Clip(r.end.ID.String()))
		}
		e := p.entities.of(entity)
		p.entities.learn(e, r)
		return e, nil
	}
	if r.name == "" {
		return nil, model.BadInput(r.field+".name", "a name needs at least one character that can be seen")
	}
	e, err := p.entities.named(r)
	if err != nil {
		return nil, err
	}
	if e == nil {
		e = p.entities.alsoCalled(r)
	}
	if e == nil {
		e = &plannedEntity{record: model.Entity{Name: r.end.Name, Type: r.end.Type}, made: true}
		p.entities.all = append(p.entities.all, e)
		p.entities.byName[r.name] = append(p.entities.byName[r.name], e)
	}
	p.entities.learn(e, r)
	return e, nil
}

// named returns the entity that has the name, nil for none.
func (s *entityPlan) named(r reference) (*plannedEntity, error) {
	all := s.byName[r.name]
	if r.kind == "" {
		return theOnly(all, r)
	}
	typed := withType(all, r.kind)
	if len(typed) == 0 {
		typed = withType(all, "")
	}
	return theOnly(typed, r)
}

func withType(all []*plannedEntity, kind string) []*plannedEntity {
	var some []*plannedEntity
	for _, e := range all {
		if graphtext.Name(e.record.Type) == kind {
			some = append(some, e)
		}
	}
	return some
}

// maxCandidates is how many candidates a message names.
const maxCandidates = 5

// theOnly returns the only one, nil for none, and CONFLICT when there are several.
func theOnly(all []*plannedEntity, r reference) (*plannedEntity, error) {
	switch len(all) {
	case 0:
		return nil, nil //nolint:nilnil // no entity is an answer
	case 1:
		return all[0], nil
	}
	names := make([]string, 0, maxCandidates)
	for _, e := range all[:min(len(all), maxCandidates)] {
		names = append(names, e.called())
	}
	slices.Sort(names)
	field, way := r.field+".name", "give the type, or the id"
	if r.kind != "" {
		way = "give the id"
	}
	if r.field == "" {
		field = ""
	}
	err := model.Errorf(model.CodeConflict, "%d entities are called %q: %s; %s", len(all), model.Clip(r.end.Name),
		strings.Join(names, ", "), way)
	err.Field = model.FieldPath(field)
	return nil, err
}

// alsoCalled returns an entity by the aliases that come with a new name: one that is known under such a name, and under
// no other. So it makes no difference whether "Dana Cohen, also called Dana" is told before Dana or after her. Who has
// several names already is not taken for another one on the word of an alias: two people may share it.
func (s *entityPlan) alsoCalled(r reference) *plannedEntity {
	for _, alias := range r.end.Aliases {
		for _, e := range s.byName[graphtext.Name(alias)] {
			if len(e.record.Aliases) == 0 && sameKind(r.kind, graphtext.Name(e.record.Type)) {
				return e
			}
		}
	}
	return nil
}

// sameKind reports whether two folded types may be of one entity.
func sameKind(a, b string) bool { return a == b || a == "" || b == "" }

// learn adds to an entity what a reference tells of it: what it lacks. What does not fit into its limits is left out.
func (s *entityPlan) learn(e *plannedEntity, r reference) {
	if e.record.Type == "" && r.end.Type != "" {
		e.record.Type, e.changed = r.end.Type, true
	}
	if e.record.Summary == "" && r.end.Summary != "" {
		e.record.Summary, e.changed = r.end.Summary, true
	}
	if all := withAttributes(e.record.Attributes, r.end.Attributes); all != e.record.Attributes {
		e.record.Attributes, e.changed = all, true
	}
	if r.end.ID == (model.ID{}) {
		s.addName(e, r.end.Name)
	}
	for _, alias := range r.end.Aliases {
		s.addName(e, alias)
	}
}

// addName adds an alias, unless it says nothing new, there is no room for it, or another entity of the same kind has
// that name: then it would name neither of the two.
func (s *entityPlan) addName(e *plannedEntity, name string) {
	key := graphtext.Name(name)
	if key == "" || len(e.record.Aliases) >= model.MaxAliases || slices.Contains(s.byName[key], e) {
		return
	}
	for _, other := range s.byName[key] {
		if sameKind(graphtext.Name(e.record.Type), graphtext.Name(other.record.Type)) {
			return
		}
	}
	if hasName(e.record, key) {
		return // by an id it may have come without its names having been asked about
	}
	e.record.Aliases, e.changed = append(e.record.Aliases, name), true
	s.byName[key] = append(s.byName[key], e)
}

// hasName reports whether a folded name is one of the entity's.
func hasName(e model.Entity, key string) bool {
	return graphtext.Name(e.Name) == key ||
		slices.ContainsFunc(e.Aliases, func(alias string) bool { return graphtext.Name(alias) == key })
}

// own reports whether an id is one of this store's of the kind.
func own(id model.ID, kind model.Kind) bool { return id.Kind == kind && id.Remote == "" }
