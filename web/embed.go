// Package web is the explorer: the page a browser gets at the root of Almanac, with every asset inside the binary.
//
// It promises that the page works with no network at all. Nothing in it is fetched from another host, and the
// Content-Security-Policy it sends would stop anything that tried. The assets are the build of web/explorer, which
// is committed; `npm ci && npm run build` in that folder returns the same bytes again.
package web

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
)

//go:embed explorer/dist
var built embed.FS

// dist is where the build lies inside built.
const dist = "explorer/dist"

// Options are what a page may say about the server it belongs to.
type Options struct {
	// Version is shown beside the name. Empty: nothing is shown.
	Version string
}

// Explorer serves the page at "/", its assets below "/assets/", the favicons and the licences of what is bundled.
// It answers GET and HEAD, 405 to other methods and 404 to other paths, in plain text. Mount it at the root of a
// host, or strip the prefix before it: the page's addresses are relative to itself, and it asks "graphql" beside it.
//
// The bytes of every file are kept in memory by the binary itself; the gzip form of a file is made once, when it is
// first asked for, and kept.
func Explorer(options Options) http.Handler {
	tree, err := fs.Sub(built, dist)
	if err == nil {
		var site *site
		if site, err = newSite(tree, options); err == nil {
			return site
		}
	}
	// The files are part of the binary, so this is a fault of the build and no condition of the machine.
	panic("web: the embedded explorer is broken: " + err.Error())
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
	text, err := built.ReadFile(dist + "/examples.json")
	if err != nil {
		return nil, fmt.Errorf("read the examples: %w", err)
	}
	var examples []Example
	if err := json.Unmarshal(text, &examples); err != nil {
		return nil, fmt.Errorf("read the examples: %w", err)
	}
	return examples, nil
}
