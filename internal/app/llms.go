package app

import (
	_ "embed"
	"io"
	"net/http"
	"strings"
)

// pathLLMs is where language models look for what they have to know of a site (https://llmstxt.org).
const pathLLMs = "/llms.txt"

//go:embed llms.txt
var aboutForModels string

// newLLMs says to language models how this server is used. It holds nothing of any user.
func (s *Server) newLLMs() {
	text := strings.ReplaceAll(aboutForModels, "{base}", s.base.String()+"/")
	s.pages[pathLLMs] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "Method Not Allowed", http.StatusMethodNotAllowed)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Cache-Control", "public, max-age=3600")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		_, _ = io.WriteString(w, text) // the client may be gone
	})
}
