package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"almanac/internal/auth"
	"almanac/internal/httpapi"
	"almanac/internal/mcp"
	"almanac/internal/seal"
)

// maxPublished bounds a published document, in bytes, and mostPublished how many files are looked at.
const (
	maxPublished  = 64 << 10
	mostPublished = 64
)

// lateDoor is the front door before it is built: what stands behind it asks it from within.
type lateDoor struct{ http.Handler }

// newMCP makes the door for language models. Its front is set when the front door is built.
func (s *server) newMCP(authenticator *auth.Authenticator, box *seal.Box,
	schema *ast.Schema) (*mcp.Server, *lateDoor, error) {
	published, err := publishedDocuments(s.settings.MCPDocuments)
	if err != nil {
		return nil, nil, err
	}
	front := &lateDoor{}
	// Its requests ask the front door again from within, which counts those by themselves.
	gate := httpapi.NewGate(2*s.settings.MaxInFlight+mcp.MaxStreams, httpapi.MaxQueued)
	server, err := mcp.New(mcp.Config{
		Front: front, Authenticator: authenticator, Box: box, Now: s.clock.Now, Admit: gate.Enter,
		Origins: origins(s.settings),
		Tools:   s.settings.MCPTools, Documents: published, Schema: schema, Version: version(), Logger: s.log,
	})
	return server, front, err
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
		text, err := readDocument(filepath.Join(folder, entry.Name()))
		if err != nil {
			return nil, fmt.Errorf("ALMANAC_MCP_DOCUMENTS: %w", err)
		}
		out = append(out, mcp.Document{File: entry.Name(), Text: text})
	}
	return out, nil
}

func readDocument(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(io.LimitReader(file, maxPublished+1))
	err = errors.Join(err, file.Close())
	if err == nil && len(text) > maxPublished {
		err = fmt.Errorf("%s is larger than %d KiB", path, maxPublished>>10)
	}
	return string(text), err
}
