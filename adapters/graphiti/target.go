package graphiti

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
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
	switch u := t.URL; {
	case t.isStdio():
		return nil
	case u == nil || u.Hostname() == "":
		return errors.New("graphiti: the server has no address")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return errors.New("graphiti: the server's address has a user, a query or a fragment")
	case u.Scheme == "https", u.Scheme == "http" && (allowHTTP || isLoopback(u.Hostname())):
		return nil
	default:
		return fmt.Errorf("graphiti: the server's address is neither https nor loopback but %s", u.Scheme)
	}
}

func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}
