// Package walk finds its way in a knowledge graph: the entities around one, and the shortest way from one to another.
//
// It promises that what it finds depends on the graph alone: distances are exact, ties go to the newest facts, and the
// same graph gives the same answer. It asks for facts step by step, at most model.MaxFactsAStep in each and at most as
// many steps as the way may be long, whatever the graph is like, and says when that was not enough to see everything.
// It knows nothing of where a graph is kept.
package walk

import (
	"bytes"
	"slices"
	"strings"

	"almanac/graph/model"
)

// Around returns facts that have one of the entities at an end: of each entity its newest ones, at most perEntity, and
// at most limit in all. more says that some were left out. Which facts count (when they hold, which relations) is the
// caller's matter, and so is a context.
type Around func(entities []model.ID, perEntity, limit int) (facts []model.Fact, more bool, err error)

// share is how much more than its even part of a step one entity may take: some have few facts, and leave theirs to
// others.
const share = 4

// leastEach is how many facts of an entity are looked at in any case.
const leastEach = 10

// step asks for the facts around some entities, newest first.
func (around Around) step(frontier []model.ID) (facts []model.Fact, more bool, err error) {
	each := min(max(leastEach, share*model.MaxFactsAStep/len(frontier)), model.MaxFactsAStep)
	facts, more, err = around(frontier, each, model.MaxFactsAStep)
	if err != nil {
		return nil, false, err
	}
	facts = slices.Clone(facts)
	slices.SortStableFunc(facts, newestFirst)
	return facts, more, nil
}

// newestFirst orders facts by when they were first kept, then by id, the greater first.
func newestFirst(a, b model.Fact) int {
	if order := b.CreatedAt.Compare(a.CreatedAt); order != 0 {
		return order
	}
	if order := bytes.Compare(b.ID.UUID[:], a.ID.UUID[:]); order != 0 {
		return order
	}
	return strings.Compare(b.ID.Remote, a.ID.Remote)
}

// Reached is an entity that was found.
type Reached struct {
	// Entity is as the fact has it at its end.
	Entity model.Entity
	// Distance is how many facts away it is, from 1.
	Distance int
	// Via is the last fact on a shortest way to it, the newest of several.
	Via model.Fact
}

// Neighbours returns the entities that are at most depth facts away from one, at most first of them: the nearest first,
// of the same distance those with the newest Via first. The entity itself is not among them. truncated says that there
// are more than first, or that there were too many facts to look at. depth is from 1 to model.MaxNeighbourDepth. It
// asks for at most depth steps, and for no more than are needed to tell whether there are more than first.
func Neighbours(from model.ID, depth, first int, around Around) (found []Reached, truncated bool, err error) {
	seen := map[model.ID]bool{from: true}
	frontier := []model.ID{from}
	for distance := 1; distance <= min(depth, model.MaxNeighbourDepth) && len(frontier) > 0 &&
		len(found) <= first; distance++ {
		facts, more, err := around.step(frontier)
		if err != nil {
			return nil, false, err
		}
		truncated = truncated || more
		here := set(frontier)
		frontier = nil
		for _, fact := range facts {
			for _, end := range ends(fact) {
				if !here[end.from] || seen[end.to.ID] {
					continue
				}
				seen[end.to.ID] = true
				frontier = append(frontier, end.to.ID)
				found = append(found, Reached{Entity: end.to, Distance: distance, Via: fact})
			}
		}
	}
	if len(found) > first {
		return found[:first], true, nil
	}
	return found, truncated, nil
}

// end is one direction in which a fact can be walked.
type end struct {
	from model.ID
	to   model.Entity
}

// ends are both directions of a fact.
func ends(fact model.Fact) [2]end {
	return [2]end{{fact.Source.ID, fact.Target}, {fact.Target.ID, fact.Source}}
}

func set(ids []model.ID) map[model.ID]bool {
	all := make(map[model.ID]bool, len(ids))
	for _, id := range ids {
		all[id] = true
	}
	return all
}
