package graphiti

import (
	"fmt"
	"slices"
	"strings"
)

// The tools that read. The lock is held in all of them.

func (s *Server) searchNodes(a args, in inGroups) (any, error) {
	own, _ := a.groups("group_ids")
	labels := a.texts("entity_types")
	if one := a.text("entity"); one != "" {
		labels = []string{one}
	}
	found := s.findNodes(a.text("query"), in(own), labels, a.text("center_node_uuid"), a.number("max_nodes"))
	message := "Nodes retrieved successfully"
	if len(found) == 0 {
		message = "No relevant nodes found"
	}
	return nodesResult{message, shapes(found, nodeShape)}, nil
}

func (s *Server) searchFacts(a args, in inGroups) (any, error) {
	most := a.number("max_facts")
	if most <= 0 {
		return nil, saying("max_facts must be a positive integer")
	}
	filter := factFilter{names: a.texts("edge_types")}
	var failures [4]error
	filter.validAfter, failures[0] = a.moment("valid_at_after")
	filter.validBefore, failures[1] = a.moment("valid_at_before")
	filter.invalidAfter, failures[2] = a.moment("invalid_at_after")
	filter.invalidBefore, failures[3] = a.moment("invalid_at_before")
	for _, err := range failures {
		if err != nil {
			return nil, saying("Invalid date filter: %v", err)
		}
	}
	own, _ := a.groups("group_ids")
	found := s.findEdges(a.text("query"), in(own), filter, a.text("center_node_uuid"), most)
	message := "Facts retrieved successfully"
	if len(found) == 0 {
		message = "No relevant facts found"
	}
	return factsResult{message, shapes(found, factShape)}, nil
}

// episodesIn returns the episodes of groups, by uuid, the greatest first, which is no order of time.
func (s *Server) episodesIn(in func(string) bool, most int) []*episode {
	var all []*episode
	for _, ep := range s.graph.episodes {
		if in(ep.group) {
			all = append(all, ep)
		}
	}
	slices.SortFunc(all, func(a, b *episode) int { return strings.Compare(b.uuid, a.uuid) })
	return all[:min(len(all), max(most, 0))]
}

func (s *Server) getEpisodes(a args, in inGroups) (any, error) {
	own, _ := a.groups("group_ids")
	found := s.episodesIn(in(own), a.number("max_episodes"))
	message := "Episodes retrieved successfully"
	if len(found) == 0 {
		message = "No episodes found"
	}
	return episodesResult{message, shapes(found, episodeShape)}, nil
}

// lastEpisodes is get_episodes of the older server: the latest by their time, oldest first, as a bare list of whole
// rows; an object when there is none.
func (s *Server) lastEpisodes(a args, in inGroups) (any, error) {
	own, asked := a.groups("group_id")
	found := s.episodesIn(in(own), len(s.graph.episodes))
	if len(found) == 0 {
		return episodesResult{"No episodes found for group " + asked[0], []episodeResult{}}, nil
	}
	slices.SortStableFunc(found, func(x, y *episode) int { return x.valid.Compare(y.valid) })
	found = found[max(0, len(found)-a.number("last_n")):]
	return shapes(found, func(ep *episode) episodeResult {
		row := episodeShape(ep)
		row.ValidAt, row.Edges = optionalStamp(ep.valid), ep.edges
		return row
	}), nil
}

func (s *Server) getEdge(a args, _ inGroups) (any, error) {
	e := s.graph.edges[a.text("uuid")]
	if e == nil {
		return nil, saying("Error getting entity edge: edge %s not found", a.text("uuid"))
	}
	return factShape(e), nil
}

// episodeEntities asks for no group: whoever knows an episode's uuid is told.
func (s *Server) episodeEntities(a args, _ inGroups) (any, error) {
	asked := a.texts("episode_uuids")
	if len(asked) == 0 {
		return nil, saying("episode_uuids must contain at least one UUID")
	}
	answer := partsResult{Message: fmt.Sprintf("Retrieved provenance for %d episode(s)", len(asked)),
		Nodes: []nodeResult{}, Edges: []edgeResult{}}
	told := map[string]bool{}
	for _, uuid := range asked {
		ep := s.graph.episodes[uuid]
		if ep == nil {
			continue
		}
		for _, id := range ep.nodes {
			if n := s.graph.nodes[id]; n != nil && !told[id] {
				told[id] = true
				answer.Nodes = append(answer.Nodes, nodeShape(n))
			}
		}
		for _, id := range ep.edges {
			if e := s.graph.edges[id]; e != nil {
				answer.Edges = append(answer.Edges, edgeShape(e)) // once for each episode that tells it
			}
		}
	}
	return answer, nil
}
