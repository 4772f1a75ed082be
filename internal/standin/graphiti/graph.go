package graphiti

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"almanac/projections/fold"
)

// node is an entity.
type node struct {
	uuid, name, group, label, summary string
	created                           time.Time
}

// edge is a fact.
type edge struct {
	uuid, group, source, target, name, fact string
	episodes                                []string
	created, expired, valid, invalid        time.Time
	reference                               time.Time
}

// episode is what was added. edges and nodes are what was read from it.
type episode struct {
	uuid, name, content, source, description, group string
	created, valid                                  time.Time
	edges, nodes                                    []string
}

// graph is everything, by uuid.
type graph struct {
	nodes    map[string]*node
	edges    map[string]*edge
	episodes map[string]*episode
}

func newGraph() graph {
	return graph{nodes: map[string]*node{}, edges: map[string]*edge{}, episodes: map[string]*episode{}}
}

// exclusive are the relations of which somebody has one at a time: a new one contradicts the older.
func exclusive(relation string) bool {
	return relation == "WORKS_AT" || relation == "LIVES_IN" || relation == "MARRIED_TO"
}

// nodeNamed finds the entity of a name in a group, or makes it. The lock is held.
func (s *Server) nodeNamed(group, name, label string) *node {
	key := fold.Text(name)
	for _, n := range s.graph.nodes {
		if n.group == group && fold.Text(n.name) == key {
			if n.label == "" {
				n.label = label
			}
			return n
		}
	}
	n := &node{uuid: s.uuid(), name: name, group: group, label: label, created: s.now()}
	s.graph.nodes[n.uuid] = n
	return n
}

// relate adds a fact, or finds the one that says the same, and closes those that it contradicts. It returns the fact,
// then the closed ones. The lock is held.
func (s *Server) relate(from, to *node, name, sentence, supporter string, at time.Time) []*edge {
	var closed []*edge
	for _, e := range s.edgesOf(from.group) {
		if e.source != from.uuid || e.name != name || !e.invalid.IsZero() {
			continue
		}
		if e.target == to.uuid && fold.Text(e.fact) == fold.Text(sentence) {
			if supporter != "" && !slices.Contains(e.episodes, supporter) {
				e.episodes = append(e.episodes, supporter)
			}
			return []*edge{e}
		}
		if exclusive(name) && e.target != to.uuid {
			closed = append(closed, e)
		}
	}
	for _, e := range closed {
		e.invalid, e.expired = at, s.now()
	}
	made := &edge{uuid: s.uuid(), group: from.group, source: from.uuid, target: to.uuid, name: name, fact: sentence,
		created: s.now(), reference: at}
	if supporter != "" {
		made.episodes, made.valid = []string{supporter}, at
	}
	s.graph.edges[made.uuid] = made
	for _, n := range []*node{from, to} {
		n.summary = strings.TrimSpace(n.summary + "\n" + sentence)
	}
	return append([]*edge{made}, closed...)
}

// edgesOf returns a group's facts, the oldest first.
func (s *Server) edgesOf(group string) []*edge {
	var all []*edge
	for _, e := range s.graph.edges {
		if e.group == group {
			all = append(all, e)
		}
	}
	slices.SortFunc(all, func(a,
		b *edge) int {
		return cmp.Or(a.created.Compare(b.created), strings.Compare(a.uuid, b.uuid))
	})
	return all
}

// removeEpisode erases an episode, the facts that it was the first to tell, and the entities that only it speaks of.
// The lock is held.
func (s *Server) removeEpisode(ep *episode) {
	for _, uuid := range ep.edges {
		if e := s.graph.edges[uuid]; e != nil && len(e.episodes) > 0 && e.episodes[0] == ep.uuid {
			delete(s.graph.edges, uuid)
		}
	}
	for _, uuid := range ep.nodes {
		speakers := 0
		for _, other := range s.graph.episodes {
			if slices.Contains(other.nodes, uuid) {
				speakers++
			}
		}
		if speakers == 1 {
			delete(s.graph.nodes, uuid)
			for id, e := range s.graph.edges {
				if e.source == uuid || e.target == uuid {
					delete(s.graph.edges, id)
				}
			}
		}
	}
	delete(s.graph.episodes, ep.uuid)
}

// clear erases a group; all of them when it is "*". What waits in the queue stays there.
func (s *Server) clear(group string) {
	for uuid, n := range s.graph.nodes {
		if group == "*" || n.group == group {
			delete(s.graph.nodes, uuid)
		}
	}
	for uuid, e := range s.graph.edges {
		if group == "*" || e.group == group {
			delete(s.graph.edges, uuid)
		}
	}
	for uuid, ep := range s.graph.episodes {
		if group == "*" || ep.group == group {
			delete(s.graph.episodes, uuid)
		}
	}
}
