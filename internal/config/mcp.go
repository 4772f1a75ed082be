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
		Meaning: "The built-in tools that are offered to language models at `/mcp`. At most eight tools are offered in " +
			"all, to save the model's context: to publish your own documents, leave some out. Without `confirm`, questions " +
			"can be answered only in clients that support elicitation.",
		Allowed: "names of tools, separated by commas: `" + strings.Join(MCPTools(), "`, `") + "`",
		Default: "all of them",
		Example: "agenda,find,open",
		set:     func(d *draft, v string) (err error) { d.MCPTools, err = parseList(v, parseTool); return err },
	}, {
		Name: "mcp-documents",
		Meaning: "A folder of `.graphql` files that are published at `/mcp` as tools, with one operation each: its name is " +
			"the tool's name, the comment on top its description, its variables the arguments. Queries need a token with " +
			"READ, mutations one with WRITE, and ask first. The files are read at the start.",
		Allowed: "the path of a folder",
		Special: "With more than eight tools in all, or definitions of more than 2,500 tokens together, the server does " +
			"not start and says what to leave out.",
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
