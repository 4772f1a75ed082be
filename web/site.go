package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

// homePolicy lets the page reach its own origin and nothing else, its socket included, and has no script made of text.
// The one policy of trusted types is for the address of the service worker.
const homePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types worker"

// explorerPolicy lets the page reach its own origin and nothing else. Inline styles stay allowed because the editor
// measures and places its lines with them; blob workers because the editor may wrap its own.
const explorerPolicy = "default-src 'self'; worker-src 'self' blob:; style-src 'self' 'unsafe-inline'; " +
	"font-src 'self' data:; img-src 'self' data:; connect-src 'self' ws: wss:; frame-ancestors 'none'; base-uri 'none'"

const (
	// cacheForever is for files whose name holds a hash of their content.
	cacheForever = "public, max-age=31536000, immutable"
	// cacheAsk makes the browser ask each time; the answer is mostly 304.
	cacheAsk = "no-cache"
)

// notServed are files of the build that are for tests.
const notServed = "examples.json"

// site answers with the files of one build.
type site struct {
	files  map[string]*file
	policy string
}

// file is one address and what is answered there. Nothing is read before it is asked for, so that a server nobody looks
// at does not carry the pages in its memory.
type file struct {
	plain        func() []byte
	contentType  string
	cacheControl string
	// tag is an entity tag over the content. It is weak because the plain and the gzip form share it
	// (RFC 9110, 8.8.3.3).
	tag func() string
	// zipped is kept once it was made; it is empty when gzip does not make the file smaller.
	zipped func() []byte
}

func newSite(tree fs.FS, policy string, options Options) (*site, error) {
	s := &site{files: make(map[string]*file), policy: policy}
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || name == notServed {
			return err
		}
		address, content := "/"+name, func() []byte {
			text, _ := fs.ReadFile(tree, name) // embedded: it cannot fail once the walk has seen it
			return text
		}
		if name == "index.html" {
			page := withVersion(content(), options.Version)
			address, content = "/", func() []byte { return page }
		}
		s.files[address], err = newFile(name, content)
		return err
	})
	if err != nil {
		return nil, err
	}
	if s.files["/"] == nil {
		return nil, errors.New("there is no index.html")
	}
	return s, nil
}

// withVersion fills the one place the page leaves for it.
func withVersion(page []byte, version string) []byte {
	const empty, named = `<meta name="almanac-version" content="" />`, `<meta name="almanac-version" content="%s" />`
	return bytes.Replace(page, []byte(empty), fmt.Appendf(nil, named, html.EscapeString(version)), 1)
}

// contentType is the whole list of what a build may hold, and "" for anything else. The machine's own table is not
// asked: it differs between machines, and a script with a wrong type does not run under nosniff.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".ico":
		return "image/x-icon"
	case ".ttf":
		return "font/ttf"
	case ".woff2":
		return "font/woff2"
	case ".txt":
		return "text/plain; charset=utf-8"
	}
	return ""
}

func newFile(name string, content func() []byte) (*file, error) {
	mediaType := contentType(name)
	if mediaType == "" {
		return nil, fmt.Errorf("no content type is known for %s", name)
	}
	f := &file{
		plain:        content,
		contentType:  mediaType,
		cacheControl: cacheAsk,
		tag: sync.OnceValue(func() string {
			sum := sha256.Sum256(content())
			return `W/"` + hex.EncodeToString(sum[:12]) + `"`
		}),
		zipped: sync.OnceValue(func() []byte { return zip(content()) }),
	}
	if strings.HasPrefix(name, "assets/") {
		f.cacheControl = cacheForever
	}
	if strings.HasSuffix(name, ".woff2") || strings.HasSuffix(name, ".ico") {
		f.zipped = func() []byte { return nil }
	}
	return f, nil
}

// zip returns nil when the result would not be smaller.
func zip(content []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	// A bytes.Buffer takes everything, so neither call can fail.
	_, _ = w.Write(content)
	_ = w.Close()
	if out.Len() >= len(content) {
		return nil
	}
	return bytes.Clone(out.Bytes())
}

// ServeHTTP answers one request for a file of the build.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	head := w.Header()
	head.Set("Content-Security-Policy", s.policy)
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Referrer-Policy", "no-referrer")
	head.Set("Cross-Origin-Opener-Policy", "same-origin")
	head.Set("Cross-Origin-Resource-Policy", "same-origin")

	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		head.Set("Allow", "GET, HEAD")
		http.Error(w, "This page answers GET and HEAD.", http.StatusMethodNotAllowed)
		return
	}
	f := s.files[r.URL.Path]
	if f == nil {
		head.Set("Cache-Control", "no-store")
		http.Error(w, "There is nothing at this address.", http.StatusNotFound)
		return
	}
	f.serve(w, r)
}

func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	head := w.Header()
	head.Add("Vary", "Accept-Encoding")
	head.Set("ETag", f.tag())
	head.Set("Cache-Control", f.cacheControl)
	if matchesTag(r.Header.Values("If-None-Match"), f.tag()) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	var body []byte
	if acceptsGzip(r.Header.Values("Accept-Encoding")) {
		body = f.zipped()
	}
	if body != nil {
		head.Set("Content-Encoding", "gzip")
	} else {
		body = f.plain()
	}
	head.Set("Content-Type", f.contentType)
	head.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodGet {
		// A failed write means that the reader has gone; there is no one to tell.
		_, _ = w.Write(body)
	}
}

// matchesTag compares weakly, as If-None-Match asks (RFC 9110, 13.1.2).
func matchesTag(fields []string, tag string) bool {
	for _, field := range fields {
		for candidate := range strings.SplitSeq(field, ",") {
			candidate = strings.TrimSpace(candidate)
			if candidate == "*" || strings.TrimPrefix(candidate, "W/") == strings.TrimPrefix(tag, "W/") {
				return true
			}
		}
	}
	return false
}

// acceptsGzip reads Accept-Encoding with its weights (RFC 9110, 12.5.3). What names gzip beats what names "*".
func acceptsGzip(fields []string) bool {
	star := false
	for _, field := range fields {
		for part := range strings.SplitSeq(field, ",") {
			coding, parameters, _ := strings.Cut(part, ";")
			switch strings.ToLower(strings.TrimSpace(coding)) {
			case "gzip", "x-gzip":
				return weight(parameters) > 0
			case "*":
				star = weight(parameters) > 0
			}
		}
	}
	return star
}

// weight returns the q parameter; 1 when there is none, 0 when it cannot be read.
func weight(parameters string) float64 {
	name, value, found := strings.Cut(strings.TrimSpace(parameters), "=")
	if !found {
		return 1
	}
	if !strings.EqualFold(strings.TrimSpace(name), "q") {
		return 1
	}
	q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil {
		return 0
	}
	return q
}
