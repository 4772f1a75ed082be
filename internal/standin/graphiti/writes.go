package graphiti

import (
	"fmt"
	"strings"
)

// The tools that write. The lock is held in all of them.

func (s *Server) addMemory(a args, _ inGroups) (any, error) {
	_, groups := a.groups("group_id")
	group := groups[0]
	at, err := a.moment("reference_time")
	if err != nil {
		return nil, saying("Invalid reference_time: %v", err)
	}
	if !groupForm.MatchString(group) {
		return nil,
			saying("Error queuing episode: group_id %q must contain only alphanumeric characters, dashes, or underscores", group)
	}
	if at.IsZero() {
		at = s.now()
	}
	source := strings.ToLower(a.text("source"))
	if source != "json" && source != "message" {
		source = "text"
	}
	s.enqueue(queued{
		name: a.text("name"), content: a.text("episode_body"), source: source, description: a.text("source_description"),
		group: group, valid: at,
	})
	return messageResult{fmt.Sprintf("Episode '%s' queued for processing in group '%s'", a.text("name"), group)}, nil
}

// addTriplet takes an entity by its uuid whatever its group, as the server does, and by its name within the group
// otherwise.
func (s *Server) addTriplet(a args, _ inGroups) (any, error) {
	_, groups := a.groups("group_id")
	group := groups[0]
	end := func(name, uuid string) *node {
		if n := s.graph.nodes[uuid]; n != nil {
			return n
		}
		return s.nodeNamed(group, name, "")
	}
	from, to := end(a.text("source_node_name"), a.text("source_node_uuid")),
		end(a.text("target_node_name"), a.text("target_node_uuid"))
	if from.name == "" || to.name == "" {
		return nil, saying("Error adding triplet: a node must have a name")
	}
	edges := s.relate(from, to, a.text("edge_name"), a.text("fact"), "", s.now())
	return partsResult{
		Message: fmt.Sprintf("Triplet '%s -[%s]-> %s' added", from.name, a.text("edge_name"), to.name),
		Nodes:   shapes([]*node{from, to}, nodeShape), Edges: shapes(edges, edgeShape),
	}, nil
}

func (s *Server) deleteEdge(a args, _ inGroups) (any, error) {
	uuid := a.text("uuid")
	if s.graph.edges[uuid] == nil {
		return nil, saying("Error deleting entity edge: edge %s not found", uuid)
	}
	delete(s.graph.edges, uuid)
	return messageResult{"Entity edge with UUID " + uuid + " deleted successfully"}, nil
}

func (s *Server) deleteEpisode(a args, _ inGroups) (any, error) {
	uuid := a.text("uuid")
	ep := s.graph.episodes[uuid]
	if ep == nil {
		return nil, saying("Error deleting episode: node %s not found", uuid)
	}
	s.removeEpisode(ep)
	return messageResult{"Episode with UUID " + uuid + " deleted successfully"}, nil
}

func (s *Server) clearGraph(a args, _ inGroups) (any, error) {
	_, asked := a.groups("group_ids")
	if len(asked) == 0 {
		return nil, saying("No group IDs specified for clearing")
	}
	for _, group := range asked {
		s.clear(group)
	}
	return messageResult{"Graph data cleared successfully for group IDs: " + strings.Join(asked, ", ")}, nil
}

// clearAll is clear_graph of the older server: everything of everybody.
func (s *Server) clearAll(args, inGroups) (any, error) {
	s.clear("*")
	return messageResult{"Graph cleared successfully and indices rebuilt"}, nil
}
