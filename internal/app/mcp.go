package app

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"almanac/internal/auth"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/share"
	"almanac/internal/mcp"
)

// maxPublished bounds a published document, in bytes, and mostPublished how many files are looked at.
const (
	maxPublished  = 64 << 10
	mostPublished = 64
)

// newMCP makes what language models call. Its requests are answered by the server's own handler.
func (s *Server) newMCP(authenticator *auth.Authenticator, schema *ast.Schema) (*mcp.Server, error) {
	published, err := publishedDocuments(s.settings.MCPDocuments)
	if err != nil {
		return nil, err
	}
	// The handler counts those requests by itself.
	gate := share.NewGate(httpapi.Places(2*s.settings.MaxInFlight+mcp.MaxStreams,
		2*s.settings.UserInFlight+mcp.MaxStreams/4))
	server, err := mcp.New(mcp.Config{
		Front:         http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }),
		Authenticator: authenticator, Box: s.box, Now: s.clock.Now, Admit: gate.Admit, Origins: origins(s.settings),
		Tools: s.settings.MCPTools, Documents: published, Schema: schema, Version: s.version, Logger: s.log,
	})
	if err != nil {
		return nil, err
	}
	s.pages[mcp.Path] = server
	return server, nil
}

// publishedDocuments reads the .graphql files of a folder, in the order of their names; "" has none.
func publishedDocuments(folder string) ([]mcp.Document, error) {
	if folder == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("ALMANAC_MCP_DOCUMENTS: %w", err)
	}
	var out []mcp.Document
	for _, entry := range entries {
		if entry.IsDir() || !strings.HasSuffix(entry.Name(), ".graphql") {
			continue
		}
		if len(out) == mostPublished {
			return nil, fmt.Errorf("ALMANAC_MCP_DOCUMENTS: %s has more than %d documents", folder, mostPublished)
		}
		text, err := readAtMost(filepath.Join(folder, entry.Name()), maxPublished)
		if err != nil {
			return nil, fmt.Errorf("ALMANAC_MCP_DOCUMENTS: %w", err)
		}
		out = append(out, mcp.Document{File: entry.Name(), Text: string(text)})
	}
	return out, nil
}
