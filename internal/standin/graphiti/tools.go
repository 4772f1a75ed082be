package graphiti

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"almanac/internal/standin/faults"
)

// StatusResource is where the older server tells its status.
const StatusResource = "http://graphiti/status"

// tool is a tool of the server. What do returns is its answer; an error of it is told as {error}, in the server's way.
type tool struct {
	name string
	args []arg
	do   func(a args, in inGroups) (any, error)
}

// inGroups widens the test of a group, for the fault that tells of foreign ones.
type inGroups func(func(string) bool) func(string) bool

// groupForm is what a group's name must be.
var groupForm = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

func (s *Server) addTools() {
	tools := s.today()
	if s.options.Old {
		tools = s.before()
		s.server.AddResource(&mcp.Resource{URI: StatusResource, Name: "get_status", MIMEType: "text/plain"}, s.readStatus)
	}
	for _, t := range tools {
		if !slices.Contains(s.options.Without, t.name) {
			s.server.AddTool(&mcp.Tool{Name: t.name, InputSchema: t.schema()}, s.handler(t))
		}
	}
}

func (t *tool) schema() any {
	properties := map[string]any{}
	required := []string{}
	for _, a := range t.args {
		properties[a.name] = a.schema()
		if a.required {
			required = append(required, a.name)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required}
}

// handler answers calls of a tool, with the faults that a test wants.
func (s *Server) handler(t tool) mcp.ToolHandler {
	return func(ctx context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		raw := request.Params.Arguments
		s.mu.Lock()
		s.called = append(s.called, Call{Tool: t.name, Arguments: string(raw)})
		s.mu.Unlock()
		fault := s.fault(t.name, onTools)
		if fault.Latency > 0 {
			if err := faults.Wait(ctx, fault.Latency); err != nil {
				return nil, err
			}
		}
		switch {
		case fault.Refuse != "":
			return nil, errors.New(fault.Refuse)
		case fault.IsError != "":
			return failed(fault.IsError), nil
		case fault.Error != "":
			return answered(errorResult{fault.Error}, 0), nil
		case fault.Result != "":
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fault.Result}}}, nil
		}
		given, err := readArgs(raw, t.args)
		if err != nil {
			return failed(fmt.Sprintf("Error executing tool %s: 1 validation error for %sArguments\n%v", t.name, t.name, err)),
				nil
		}
		in := func(own func(string) bool) func(string) bool { return own }
		if fault.Foreign {
			in = func(func(string) bool) func(string) bool { return func(string) bool { return true } }
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		result, err := t.do(given, in)
		if err != nil {
			result = errorResult{err.Error()}
		}
		return answered(result, fault.Pad), nil
	}
}

// answered wraps an answer as FastMCP does: structured under "result", and as text; a list has a text for each item.
func answered(result any, pad int) *mcp.CallToolResult {
	body, err := json.Marshal(result)
	if err != nil {
		panic(err) // its own shapes can be written
	}
	answer := &mcp.CallToolResult{StructuredContent: map[string]json.RawMessage{"result": body}}
	var items []json.RawMessage
	if json.Unmarshal(body, &items) != nil {
		items = []json.RawMessage{body}
	}
	for _, item := range items {
		answer.Content = append(answer.Content, &mcp.TextContent{Text: string(item)})
	}
	if pad > 0 {
		answer.Content = append(answer.Content, &mcp.TextContent{Text: strings.Repeat("x", pad)})
	}
	return answer
}

func failed(words string) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: words}}}
}

// readStatus answers the older server's resource.
func (s *Server) readStatus(_ context.Context, request *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	body, err := json.Marshal(s.status())
	if err != nil {
		return nil, err
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{
		{URI: request.Params.URI, MIMEType: "text/plain", Text: string(body)}}}, nil
}

func (s *Server) status() statusResult {
	if fault := s.fault("get_status", onStatus); fault.Unhealthy != "" {
		return statusResult{"error", "Graphiti MCP server is running but database connection failed: " + fault.Unhealthy}
	}
	return statusResult{"ok", "Graphiti MCP server is running and connected to stand-in database"}
}

// today are the tools of the server since 1.0.0.
func (s *Server) today() []tool {
	group, groups, uuid := arg{"group_id", text, false}, arg{"group_ids", texts, false}, []arg{{"uuid", text, true}}
	center := arg{"center_node_uuid", text, false}
	return []tool{
		{"add_memory", []arg{
			{"name", text, true}, {"episode_body", text, true}, group, {"source", text, false},
			{"source_description", text, false}, {"uuid", text, false},
			{"reference_time", text, false}, {"excluded_entity_types", list, false},
			{"custom_extraction_instructions", text, false},
			{"previous_episode_uuids", list, false}, {"update_communities", flag, false}, {"saga", text, false},
			{"saga_previous_episode_uuid", text, false},
		}, s.addMemory},
		{"search_nodes", []arg{{"query", text, true}, groups, {"max_nodes", number, false}, {"entity_types", list, false},
			center}, s.searchNodes},
		{"search_memory_facts", []arg{
			{"query", text, true}, groups, {"max_facts", number, false}, center, {"edge_types", list, false},
			{"valid_at_after", text, false},
			{"valid_at_before", text, false}, {"invalid_at_after", text, false}, {"invalid_at_before", text, false},
		}, s.searchFacts},
		{"get_episodes", []arg{groups, {"max_episodes", number, false}}, s.getEpisodes},
		{"get_entity_edge", uuid, s.getEdge},
		{"delete_entity_edge", uuid, s.deleteEdge},
		{"delete_episode", uuid, s.deleteEpisode},
		{"clear_graph", []arg{groups}, s.clearGraph},
		{"get_status", nil, func(args, inGroups) (any, error) { return s.status(), nil }},
		{"add_triplet", []arg{
			{"source_node_name", text, true}, {"edge_name", text, true}, {"fact", text, true}, {"target_node_name", text, true},
			group,
			{"source_node_uuid", text, false}, {"target_node_uuid", text, false},
		}, s.addTriplet},
		{"get_episode_entities", []arg{{"episode_uuids", list, true}}, s.episodeEntities},
	}
}

// before are the tools of the server before 1.0.0.
func (s *Server) before() []tool {
	groups, uuid := arg{"group_ids", list, false}, []arg{{"uuid", text, true}}
	center := arg{"center_node_uuid", text, false}
	return []tool{
		{"add_memory", []arg{
			{"name", text, true}, {"episode_body", text, true}, {"group_id", text, false}, {"source", text, false},
			{"source_description", text, false}, {"uuid", text, false},
		}, s.addMemory},
		{"search_memory_nodes", []arg{{"query", text, true}, groups, {"max_nodes", number, false}, center,
			{"entity", text, false}}, s.searchNodes},
		{"search_memory_facts", []arg{{"query", text, true}, groups, {"max_facts", number, false}, center}, s.searchFacts},
		{"get_episodes", []arg{{"group_id", text, false}, {"last_n", number, false}}, s.lastEpisodes},
		{"get_entity_edge", uuid, s.getEdge},
		{"delete_entity_edge", uuid, s.deleteEdge},
		{"delete_episode", uuid, s.deleteEpisode},
		{"clear_graph", nil, s.clearAll},
	}
}
