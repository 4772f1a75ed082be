// Package web is the pages of Almanac, with every asset inside the binary: the home page at the root, and the explorer
// of the API below it.
//
// It promises that the pages work with no network at all. Nothing in them is fetched from another host, and the
// Content-Security-Policy that each sends would stop anything that tried. The assets are the builds of web/home and
// web/explorer, which are committed; `npm ci && npm run build` in those folders returns the same bytes again.
package web

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
)

//go:embed home/dist explorer/dist
var built embed.FS

// Where the builds lie inside built.
const (
	homeDist     = "home/dist"
	explorerDist = "explorer/dist"
)

// explorerPath is the address of the explorer beside the home page.
const explorerPath = "/explorer/"

// Options are what a page may say about the server it belongs to.
type Options struct {
	// Version is shown beside the name. Empty: nothing is shown.
	Version string
}

// Pages serves the home page at "/" and the explorer at "/explorer/", each with its assets, favicons and the licences
// of what is bundled. It answers GET and HEAD, 405 to other methods and 404 to other paths, in plain text. Mount it
// beside "/graphql", at the root of a host or below a prefix that is stripped before it: the pages' addresses are
// relative to themselves.
//
// The bytes of every file are kept in memory by the binary itself; the gzip form of a file is made once, when it is
// first asked for, and kept.
func Pages(options Options) http.Handler {
	home := mustSite(homeDist, homePolicy, options)
	explorer := http.StripPrefix(strings.TrimSuffix(explorerPath, "/"), mustSite(explorerDist, explorerPolicy, options))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, explorerPath):
			explorer.ServeHTTP(w, r)
		case r.URL.Path+"/" == explorerPath:
			// Relative to the request, so that it holds behind a proxy's prefix too.
			w.Header().Set("Location", strings.TrimPrefix(explorerPath, "/"))
			w.WriteHeader(http.StatusPermanentRedirect)
		default:
			home.ServeHTTP(w, r)
		}
	})
}

// mustSite panics when a build cannot be served: the files are part of the binary, so this is a fault of the build and
// no condition of the machine.
func mustSite(dist, policy string, options Options) *site {
	tree, err := fs.Sub(built, dist)
	if err == nil {
		var s *site
		if s, err = newSite(tree, policy, options); err == nil {
			return s
		}
	}
	panic("web: the embedded " + dist + " is broken: " + err.Error())
}

// Example is one saved operation of the explorer, as web/explorer/src/examples.ts has it.
type Example struct {
	ID string `json:"id"`
	// Title says what it answers, in the example's language.
	Title string `json:"title"`
	// Kind is query, mutation or subscription.
	Kind string `json:"kind"`
	// Language is en or he.
	Language string `json:"language"`
	Query    string `json:"query"`
	// Variables is the JSON text of the variables editor; empty when the operation takes none.
	Variables string `json:"variables"`
}

// Examples returns the saved operations in the order of their tabs, so that tests can run what the page offers.
func Examples() ([]Example, error) {
	text, err := built.ReadFile(explorerDist + "/examples.json")
	if err != nil {
		return nil, fmt.Errorf("read the examples: %w", err)
	}
	var examples []Example
	if err := json.Unmarshal(text, &examples); err != nil {
		return nil, fmt.Errorf("read the examples: %w", err)
	}
	return examples, nil
}
