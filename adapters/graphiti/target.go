package graphiti

import (
	"net/url"

	"almanac/adapters/remote"
)

// Target is a Graphiti server: an address, or a command that speaks over its standard input and output.
type Target struct {
	// URL is the address of the MCP endpoint, "http://localhost:8000/mcp/"; nil for a command.
	URL *url.URL
	// Command is the program with its arguments; empty for an address.
	Command []string
}

func (t Target) isStdio() bool { return len(t.Command) > 0 }

// Name says where the server is, for whoever started this program: its host, or its program.
func (t Target) Name() string {
	if t.isStdio() {
		return t.Command[0]
	}
	if t.URL == nil {
		return ""
	}
	return t.URL.Host
}

func (t Target) check(allowHTTP bool) error {
	if t.isStdio() {
		return nil
	}
	return remote.CheckURL("graphiti: the server", t.URL, allowHTTP)
}
