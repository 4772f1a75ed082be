package walk

import (
	"slices"

	"almanac/graph/model"
)

// Way is a way from one entity to another.
type Way struct {
	// Entities are those on it, both ends included; there is one more than Facts.
	Entities []model.Entity
	Facts    []model.Fact
}

// Path returns the shortest way from one entity to another by at most longest facts, each walked in either direction;
// nil when there is none. Of several of the same length it is the one whose first fact is the newest, then the one
// whose second is, and so on. From an entity to itself there is a way without facts, whose one entity has nothing but
// its id. longest is at most model.MaxPathLength.
//
// It walks from both ends, always on that side where fewer entities have to be looked at, so it asks for at most
// longest steps. truncated says that there were too many facts in a step to look at: then there may be a way where
// none is given, or a shorter or newer one.
func Path(from, to model.ID, longest int, around Around) (way *Way, truncated bool, err error) {
	if from == to {
		return &Way{Entities: []model.Entity{{ID: from}}}, false, nil
	}
	a, b := newSide(from), newSide(to)
	for range min(longest, model.MaxPathLength) {
		if len(a.frontier) == 0 || len(b.frontier) == 0 {
			return nil, truncated, nil
		}
		near, far := a, b
		if len(b.frontier) < len(a.frontier) || len(b.frontier) == len(a.frontier) && b.depth < a.depth {
			near, far = b, a
		}
		more, err := near.grow(around)
		if err != nil {
			return nil, false, err
		}
		truncated = truncated || more
		if met := near.meeting(far); len(met) > 0 {
			return newest(from, a, b, met), truncated, nil
		}
	}
	return nil, truncated, nil
}

// side is what has been seen from one end.
type side struct {
	end model.ID
	// distance is how far each entity is from the end.
	distance map[model.ID]int
	frontier []model.ID
	depth    int
	// edges are the facts walked, by the entity nearer to the end, newest first.
	edges map[model.ID][]edge
}

// edge is a fact as it leads from one entity to another.
type edge struct {
	fact model.Fact
	end
}

// turned is the same fact walked the other way.
func (e edge) turned() edge {
	both := ends(e.fact)
	if both[0].from == e.from {
		return edge{e.fact, both[1]}
	}
	return edge{e.fact, both[0]}
}

func newSide(id model.ID) *side {
	return &side{end: id, distance: map[model.ID]int{id: 0}, frontier: []model.ID{id}, edges: map[model.ID][]edge{}}
}

// grow looks one fact further.
func (s *side) grow(around Around) (more bool, err error) {
	facts, more, err := around.step(s.frontier)
	if err != nil {
		return false, err
	}
	here := set(s.frontier)
	s.depth++
	s.frontier = nil
	for _, fact := range facts {
		for _, one := range ends(fact) {
			if !here[one.from] {
				continue
			}
			known, seen := s.distance[one.to.ID]
			if !seen {
				known = s.depth
				s.distance[one.to.ID] = known
				s.frontier = append(s.frontier, one.to.ID)
			}
			if known == s.depth {
				s.edges[one.from] = append(s.edges[one.from], edge{fact, one})
			}
		}
	}
	return more, nil
}

// meeting returns those of the entities seen last that the other side has seen too, and nearest to its end. All of them
// lie in the middle of ways of one length, for on a shorter way both sides would have met before. As long as no facts
// are left out their distances there are all the same, the side's depth.
func (s *side) meeting(other *side) map[model.ID]bool {
	met := map[model.ID]bool{}
	nearest := other.depth
	for _, id := range s.frontier {
		far, seen := other.distance[id]
		if !seen || far > nearest {
			continue
		}
		if far < nearest {
			nearest = far
			clear(met)
		}
		met[id] = true
	}
	return met
}

// newest puts the best of the shortest ways together.
func newest(from model.ID, a, b *side, met map[model.ID]bool) *Way {
	// Steps that lead on: of the one side those towards where both meet, of the other those from there on, turned round.
	steps := map[model.ID][]edge{}
	length := 0
	for id := met; !id[a.end]; length++ {
		id = a.before(id, func(e edge) { steps[e.from] = append(steps[e.from], e) })
	}
	for id := met; !id[b.end]; length++ {
		id = b.before(id, func(e edge) { steps[e.to.ID] = append(steps[e.to.ID], e.turned()) })
	}
	way := &Way{}
	at := from
	for range length {
		best := slices.MinFunc(steps[at], func(x, y edge) int { return newestFirst(x.fact, y.fact) })
		if len(way.Entities) == 0 {
			way.Entities = append(way.Entities, best.turned().to)
		}
		way.Facts = append(way.Facts, best.fact)
		way.Entities = append(way.Entities, best.to)
		at = best.to.ID
	}
	return way
}

// before returns the entities from which one step leads to any of those given, and each such step.
func (s *side) before(reached map[model.ID]bool, each func(edge)) map[model.ID]bool {
	nearer := map[model.ID]bool{}
	for id, edges := range s.edges {
		for _, e := range edges {
			if reached[e.to.ID] {
				nearer[id] = true
				each(e)
			}
		}
	}
	return nearer
}
