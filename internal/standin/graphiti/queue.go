package graphiti

import (
	"context"
	"slices"
	"time"
)

// queued is an episode that waits to be read.
type queued struct {
	name, content, source, description, group string
	valid                                     time.Time
}

// Step reads the next episode of a group; false when none waits.
func (s *Server) Step(group string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	waiting := s.queue[group]
	if len(waiting) == 0 {
		return false
	}
	s.queue[group] = waiting[1:]
	s.read(waiting[0])
	return true
}

// Drain reads everything that waits and returns how much that was.
func (s *Server) Drain() int {
	n := 0
	for _, group := range s.waiting() {
		for s.Step(group) {
			n++
		}
	}
	return n
}

// Waiting is how many episodes wait in a group's queue.
func (s *Server) Waiting(group string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.queue[group])
}

func (s *Server) waiting() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var groups []string
	for group, waiting := range s.queue {
		if len(waiting) > 0 {
			groups = append(groups, group)
		}
	}
	slices.Sort(groups)
	return groups
}

// Run reads whatever is added, until the context is done.
func (s *Server) Run(ctx context.Context) {
	for {
		s.Drain()
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		}
	}
}

// enqueue puts an episode into its group's queue. The lock is held.
func (s *Server) enqueue(q queued) {
	if s.options.Eager {
		s.read(q)
		return
	}
	s.queue[q.group] = append(s.queue[q.group], q)
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// read keeps an episode with what is read from it. The lock is held.
func (s *Server) read(q queued) {
	ep := &episode{
		uuid: s.uuid(), name: q.name, content: q.content, source: q.source, description: q.description, group: q.group,
		created: s.now(), valid: q.valid,
	}
	s.graph.episodes[ep.uuid] = ep
	for _, said := range extract(s.patterns, q.source, q.content) {
		from, to := s.nodeNamed(q.group, said.source, said.sourceLabel), s.nodeNamed(q.group, said.target, said.targetLabel)
		for _, n := range []*node{from, to} {
			if !slices.Contains(ep.nodes, n.uuid) {
				ep.nodes = append(ep.nodes, n.uuid)
			}
		}
		fact := s.relate(from, to, said.relation, said.sentence, ep.uuid, q.valid)[0]
		if !slices.Contains(ep.edges, fact.uuid) {
			ep.edges = append(ep.edges, fact.uuid)
		}
	}
}
