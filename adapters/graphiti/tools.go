package graphiti

import (
	"encoding/json"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"almanac/graph/model"
)

// mostTools is how many tools of a server are looked at; Graphiti has some 15.
const mostTools = 200

// tools are what a server offers, as it lists it.
type tools struct {
	version string
	known   []offered
}

// offered is one tool. args are its arguments by its input schema; nil when the schema says nothing of them.
type offered struct {
	name string
	args []string
}

// mostArguments is how many arguments of a tool are looked at.
const mostArguments = 100

func (t *tools) add(tool *mcp.Tool) {
	if tool == nil || t.has(tool.Name) {
		return
	}
	one := offered{name: tool.Name}
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if raw, err := json.Marshal(tool.InputSchema); err == nil && json.Unmarshal(raw, &schema) == nil &&
		schema.Properties != nil {
		one.args = []string{}
		for name := range schema.Properties {
			if len(one.args) < mostArguments {
				one.args = append(one.args, name)
			}
		}
	}
	t.known = append(t.known, one)
}

func (t *tools) has(name string) bool { return t.first(name) != "" }

// first returns the first of the names that the server has; empty for none.
func (t *tools) first(names ...string) string {
	for _, name := range names {
		if slices.ContainsFunc(t.known, func(o offered) bool { return o.name == name }) {
			return name
		}
	}
	return ""
}

// arg returns the first of the names that the tool takes as argument; empty for none. A tool that does not tell is
// thought to take all.
func (t *tools) arg(tool string, names ...string) string {
	for _, o := range t.known {
		if o.name != tool {
			continue
		}
		for _, name := range names {
			if o.args == nil || slices.Contains(o.args, name) {
				return name
			}
		}
	}
	return ""
}

// The tools by what they do, today's name first. add_episode was renamed in June 2025, search_memory_nodes in October
// 2025; search_facts is an alias that some servers have.
func (t *tools) nodes() string    { return t.first("search_nodes", "search_memory_nodes") }
func (t *tools) facts() string    { return t.first("search_memory_facts", "search_facts") }
func (t *tools) adder() string    { return t.first("add_memory", "add_episode") }
func (t *tools) episodes() string { return t.first("get_episodes") }

// inGroup names the group in a call's arguments. A tool that takes none would tell of everybody, so it is not used.
func (t *tools) inGroup(tool, group string, args arguments) error {
	switch name := t.arg(tool, "group_ids", "group_id"); name {
	case "group_ids":
		args[name] = []string{group}
	case "group_id":
		args[name] = group
	default:
		return t.notOffered("has a tool %s that takes no group, so that it is not used: it would not keep people apart",
			cutLine(tool, 60))
	}
	return nil
}

func notConfigured(format string, args ...any) error {
	return model.Errorf(model.CodeNotConfigured, format, args...)
}

// argsUnknown reports whether a tool does not tell its arguments.
func (t *tools) argsUnknown(tool string) bool {
	for _, o := range t.known {
		if o.name == tool {
			return o.args == nil
		}
	}
	return true
}
