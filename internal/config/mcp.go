package config

import (
	"fmt"
	"slices"
	"strings"
)

// MCPTools are the tools that are built into `/mcp`, in the order in which they are offered.
func MCPTools() []string {
	return []string{"agenda", "find", "open", "change_tasks", "change_events", "mail", "remember", "confirm"}
}

func talking() []Setting {
	return []Setting{{
		Name: "mcp-tools",
		Meaning: "Which of the built-in tools language models are offered at `/mcp`. There are at most eight in all, so " +
			"that a model keeps its room for the user: to publish documents of your own, leave some out. " +
			"Without `confirm`, what asks first can be confirmed only in clients that put the question to their user " +
			"themselves.",
		Allowed: "names of tools, separated by commas: `" + strings.Join(MCPTools(), "`, `") + "`",
		Default: "all of them",
		Example: "agenda,find,open",
		set:     func(d *draft, v string) (err error) { d.MCPTools, err = parseList(v, parseTool); return err },
	}, {
		Name: "mcp-documents",
		Meaning: "A folder of `.graphql` files that are published at `/mcp` as tools, one operation in each: its name is " +
			"the tool's, the comment on top describes it, its variables are the arguments. " +
			"Queries are for tokens with READ, mutations for those with WRITE, and ask first. They are read once, at the start.",
		Allowed: "the path of a folder",
		Special: "More than eight tools in all, or definitions of more than 2,500 tokens together, refuse the start and " +
			"say what to take out.",
		Default: "not set: none",
		Example: "/etc/almanac/tools",
		set:     func(d *draft, v string) (err error) { d.MCPDocuments, err = d.machine.absolute(v); return err },
	}}
}

func parseTool(text string) (string, error) {
	if !slices.Contains(MCPTools(), text) {
		return "", fmt.Errorf("is %q, which is no tool", clip(text))
	}
	return text, nil
}
