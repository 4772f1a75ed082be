package app

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"

	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/manifest"
	"almanac/web"
)

// maxManifest bounds the manifest of trusted documents, in bytes.
const maxManifest = 16 << 20

// trustedDocuments reads the manifest of ALMANAC_DOCUMENTS; "" has none.
func trustedDocuments(path string) ([]engine.Document, error) {
	if path == "" {
		return nil, nil
	}
	text, err := readAtMost(path, maxManifest)
	if err != nil {
		return nil, fmt.Errorf("ALMANAC_DOCUMENTS: %w", err)
	}
	documents, err := manifest.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("ALMANAC_DOCUMENTS: %s is no manifest of documents: %w", path, err)
	}
	return documents, nil
}

// readAtMost reads a file of at most so many bytes.
func readAtMost(path string, limit int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(file, limit+1))
	err = errors.Join(err, file.Close())
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("%s is larger than %d KiB", path, limit>>10)
	}
	return text, err
}

// site is nil where only trusted documents are served, since nothing would run in the pages.
func (s *Server) site() http.Handler {
	if s.settings.DocumentsOnly {
		return nil
	}
	return web.Pages(web.Options{Version: s.version})
}
