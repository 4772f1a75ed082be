package knowledge

import (
	"fmt"
	"strconv"
	"time"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph/model"
)

// Facts are added in two steps: what is there is read, and a plan is made of it and of what is told. The plan does no
// I/O and looks at no clock, so that its laws can be tried on thousands of stories: what is told in one call is taken
// in an order of its own, never in that of the input; telling the same again changes nothing; and nothing is closed
// that nobody asked to close.

// telling is what is to be added.
type telling struct {
	facts []knowledge.NewFact
	// mentions are entities that are to be there beside the ends of the facts.
	mentions []knowledge.End
	// episode supports the facts; zero for none.
	episode model.ID
	now     time.Time
}

// known is what is there, as far as it was read.
type known struct {
	// named are entities by each of the folded names asked about, oldest id first; byID by the ids asked about.
	named map[string][]model.Entity
	byID  map[model.UUID]model.Entity
	// pairs are those whose facts were read; facts are theirs, and those to be closed.
	pairs map[store.FactPair]bool
	facts map[model.UUID]model.Fact
}

// planner makes a plan. What it has planned is in its fields when run returns nothing more to read.
type planner struct {
	telling
	there known
	// problems are those of the facts, and mentionProblems those of the mentions, by their place in the input; nil for
	// none.
	problems, mentionProblems []error

	// What follows is made anew in each round.

	entities entityPlan
	// entityOf are the entities at both ends of each fact, and mentioned those of the mentions.
	entityOf  [][2]*plannedEntity
	mentioned []*plannedEntity
	// told are the facts that the input came to.
	told  []*plannedFact
	facts map[model.UUID]*plannedFact
	// groups are the facts of each source and relation, and same those of them that have one target: those that are there
	// in the order of their ids, then those made.
	groups map[group][]*plannedFact
	same   map[ends][]*plannedFact
	// created, unchanged and closed are counts of the answer.
	created, unchanged int
	closed             map[*plannedFact]bool
}

// group is the source and the relation of facts.
type group struct {
	source   *plannedEntity
	relation string
}

// ends are those of facts that may be the same.
type ends struct {
	group
	target *plannedEntity
}

func newPlanner(t telling, there known) *planner {
	return &planner{telling: t, there: there, problems: make([]error, len(t.facts)),
		mentionProblems: make([]error, len(t.mentions))}
}

// run makes the plan, or returns the pairs whose facts have to be read first; then it is called again.
//
// What is refused must leave no trace, and it may have: an entity made for it, an alias. So the plan is made anew
// without it, until nothing more is refused; each round leaves out one fact at least.
func (p *planner) run() (missing []store.FactPair) {
	for {
		p.resolve()
		if missing := p.unread(); len(missing) > 0 {
			return missing
		}
		refused := p.relate()
		if !refused && !p.entities.refused {
			return nil
		}
	}
}

// unread are the pairs that the plan needs and does not know.
func (p *planner) unread() []store.FactPair {
	var missing []store.FactPair
	asked := map[store.FactPair]bool{}
	for i, fact := range p.telling.facts {
		if p.problems[i] != nil || p.entityOf[i][0].made {
			continue
		}
		pair := store.FactPair{Source: p.entityOf[i][0].record.ID.UUID, Relation: fact.Relation}
		if !p.there.pairs[pair] && !asked[pair] {
			asked[pair] = true
			missing = append(missing, pair)
		}
	}
	return missing
}

// learned notes the facts of pairs that were read.
func (p *planner) learned(pairs []store.FactPair, facts []model.Fact) {
	for _, pair := range pairs {
		p.there.pairs[pair] = true
	}
	for _, fact := range facts {
		p.there.facts[fact.ID.UUID] = fact
	}
}

// plan is what is to be done.
type plan struct {
	// entities and facts are those to be saved, with their ids: made or changed.
	entities []model.Entity
	facts    []model.Fact
	// told are the facts' ids by input, and mentioned the entities of the mentions; zero where something was refused.
	told, mentioned                               []model.ID
	factsNew, entitiesNew                         map[model.ID]bool
	created, unchanged, invalidated, entitiesMade int
}

// done returns what is made its ids, in the order of the input, and puts together what is to be saved.
func (p *planner) done(newID func() model.UUID) plan {
	out := plan{
		told: make([]model.ID, len(p.telling.facts)), mentioned: make([]model.ID, len(p.mentions)),
		factsNew: map[model.ID]bool{}, entitiesNew: map[model.ID]bool{},
		created: p.created, unchanged: p.unchanged, invalidated: len(p.closed),
	}
	saved := map[*plannedEntity]bool{}
	keep := func(e *plannedEntity) {
		if saved[e] || !e.made && !e.changed {
			return
		}
		saved[e] = true
		if e.made {
			e.record.ID = model.ID{Kind: model.KindEntity, UUID: newID()}
			e.record.CreatedAt, e.record.Version = p.now, 1
			out.entitiesNew[e.record.ID] = true
			out.entitiesMade++
		} else {
			e.record.Version++
		}
		e.record.UpdatedAt = p.now
		out.entities = append(out.entities, e.record)
	}
	for i := range p.telling.facts {
		if p.problems[i] == nil {
			keep(p.entityOf[i][0])
			keep(p.entityOf[i][1])
		}
	}
	for i, e := range p.mentioned {
		if p.mentionProblems[i] == nil {
			keep(e)
			out.mentioned[i] = e.record.ID
		}
	}
	touched := map[*plannedFact]bool{}
	var order []*plannedFact
	touch := func(f *plannedFact) {
		if !touched[f] && (f.made || f.changed) {
			touched[f] = true
			order = append(order, f)
		}
	}
	for i, f := range p.told {
		if p.problems[i] != nil {
			continue
		}
		if f.made && f.record.ID == (model.ID{}) {
			f.record.ID = model.ID{Kind: model.KindFact, UUID: newID()}
			out.factsNew[f.record.ID] = true
		}
		out.told[i] = f.record.ID
		touch(f)
	}
	for _, f := range p.byAge() {
		touch(f)
	}
	for _, f := range order {
		out.facts = append(out.facts, f.result())
	}
	return out
}

// at is the path of a part of a fact of the input.
func at(i int, part string) string { return "input.facts." + strconv.Itoa(i) + "." + part }

// called names an entity in a message.
func (e *plannedEntity) called() string {
	kind := e.record.Type
	if kind == "" {
		kind = "no type"
	}
	if e.made {
		return fmt.Sprintf("a new one (%s)", model.Clip(kind))
	}
	return fmt.Sprintf("%s (%s)", e.record.ID, model.Clip(kind))
}
