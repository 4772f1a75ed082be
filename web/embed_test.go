package web_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"almanac/web"
)

// get asks the pages for one path; headers come in pairs.
func get(t *testing.T, handler http.Handler, method, path string, headers ...string) *http.Response {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), method, path, nil)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Add(headers[i], headers[i+1])
	}
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	return recorder.Result()
}

func body(t *testing.T, response *http.Response) []byte {
	t.Helper()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// assetPaths are the scripts and styles the page names, as addresses.
func assetPaths(t *testing.T, page []byte) []string {
	t.Helper()
	var paths []string
	for _, found := range regexp.MustCompile(`(?:src|href)="\.(/[^"]+)"`).FindAllSubmatch(page, -1) {
		paths = append(paths, string(found[1]))
	}
	if len(paths) < 4 {
		t.Fatalf("the page names only %q", paths)
	}
	return paths
}

// addresses are those of the two pages.
var addresses = []string{"/", "/explorer/"}

func TestPagesAndAssets(t *testing.T) {
	pages := web.Pages(web.Options{})
	types := map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
		".svg": "image/svg+xml", ".ico": "image/x-icon", ".woff2": "font/woff2"}
	for _, address := range addresses {
		page := get(t, pages, http.MethodGet, address)
		if page.StatusCode != http.StatusOK || page.Header.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Fatalf("%s: %s %s", address, page.Status, page.Header.Get("Content-Type"))
		}
		if page.Header.Get("Cache-Control") != "no-cache" {
			t.Errorf("%s would be kept: %s", address, page.Header.Get("Cache-Control"))
		}
		for _, path := range assetPaths(t, body(t, page)) {
			asset := get(t, pages, http.MethodGet, strings.TrimSuffix(address, "/")+path)
			extension := path[strings.LastIndexByte(path, '.'):]
			if asset.StatusCode != http.StatusOK || asset.Header.Get("Content-Type") != types[extension] {
				t.Errorf("%s: %s %s", path, asset.Status, asset.Header.Get("Content-Type"))
			}
			immutable := strings.Contains(asset.Header.Get("Cache-Control"), "immutable")
			if immutable != strings.HasPrefix(path, "/assets/") {
				t.Errorf("%s: Cache-Control %q", path, asset.Header.Get("Cache-Control"))
			}
		}
	}
	// The address without its last character is told on, relative to where it was asked.
	moved := get(t, pages, http.MethodGet, "/explorer")
	if moved.StatusCode != http.StatusPermanentRedirect || moved.Header.Get("Location") != "explorer/" {
		t.Errorf("/explorer: %s %q", moved.Status, moved.Header.Get("Location"))
	}
}

func TestSecurityHeaders(t *testing.T) {
	pages := web.Pages(web.Options{})
	policies := map[string]string{
		"/": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; " +
			"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
			"require-trusted-types-for 'script'; trusted-types worker",
		"/explorer/": "default-src 'self'; worker-src 'self' blob:; style-src 'self' 'unsafe-inline'; " +
			"font-src 'self' data:; img-src 'self' data:; connect-src 'self' ws: wss:; frame-ancestors 'none'; base-uri 'none'",
	}
	for _, address := range addresses {
		want := map[string]string{
			"Content-Security-Policy":    policies[address],
			"X-Content-Type-Options":     "nosniff",
			"Referrer-Policy":            "no-referrer",
			"Cross-Origin-Opener-Policy": "same-origin",
		}
		for _, path := range []string{"", "favicon.svg", "nothing-here"} {
			response := get(t, pages, http.MethodGet, address+path)
			for name, value := range want {
				if got := response.Header.Get(name); got != value {
					t.Errorf("%s%s: %s is %q, want %q", address, path, name, got, value)
				}
			}
		}
	}
}

// What may be sent before the home page shows a day, and as any other part of it, in bytes compressed by gzip -9.
const (
	firstLoad = 250_000
	laterLoad = 60_000
)

func TestHomePageIsSmall(t *testing.T) {
	zipped := func(content []byte) int {
		var out bytes.Buffer
		w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
		if _, err := w.Write(content); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Len()
	}
	root := os.DirFS("home/dist")
	read := func(name string) []byte {
		content, err := fs.ReadFile(root, name)
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	// The page reaches scripts and styles by its own names, and fonts by those of its styles.
	first := map[string]bool{"index.html": true}
	reach := func(from string, pattern string) {
		for _, found := range regexp.MustCompile(pattern).FindAllSubmatch(read(from), -1) {
			first["assets/"+string(found[1])] = true
		}
	}
	reach("index.html", `\./assets/([^"]+)"`)
	for name := range maps.Clone(first) {
		switch path.Ext(name) {
		case ".css":
			reach(name, `url\(\./([^)]+)\)`)
		case ".js":
			reach(name, `from ?["'`+"`"+`]\./([^"'`+"`"+`]+)["'`+"`"+`]`)
		}
	}
	total := 0
	assets, err := fs.ReadDir(root, "assets")
	if err != nil {
		t.Fatal(err)
	}
	for name := range first {
		total += zipped(read(name))
	}
	if len(first) < 5 || total > firstLoad {
		t.Errorf("the first load is %d bytes in %v, of %d", total, slices.Sorted(maps.Keys(first)), firstLoad)
	}
	t.Logf("the first load is %d bytes in %v", total, slices.Sorted(maps.Keys(first)))
	for _, asset := range assets {
		if name := "assets/" + asset.Name(); !first[name] {
			if size := zipped(read(name)); size > laterLoad {
				t.Errorf("%s is %d bytes, of %d", name, size, laterLoad)
			} else {
				t.Logf("%s is %d bytes", name, size)
			}
		}
	}
}

// What is built can be embedded: go:embed leaves out names that begin with "_" or ".".
func TestEveryAssetIsServed(t *testing.T) {
	pages := web.Pages(web.Options{})
	assets, err := os.ReadDir("home/dist/assets")
	if err != nil {
		t.Fatal(err)
	}
	for _, asset := range assets {
		if response := get(t, pages, http.MethodGet, "/assets/"+asset.Name()); response.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", asset.Name(), response.Status)
		}
	}
}

// A page that works with no network names no other host, except in texts that are not fetched.
func TestPageNamesNoOtherHost(t *testing.T) {
	for _, address := range addresses {
		page := body(t, get(t, web.Pages(web.Options{}), http.MethodGet, address))
		if found := regexp.MustCompile(`(?i)(src|href|action)\s*=\s*["']?(https?:)?//[^"' >]+`).Find(page); found != nil {
			t.Errorf("%s fetches %s", address, found)
		}
	}
}

func TestGzip(t *testing.T) {
	pages := web.Pages(web.Options{})
	script := ""
	for _, path := range assetPaths(t, body(t, get(t, pages, http.MethodGet, "/"))) {
		if strings.HasSuffix(path, ".js") {
			script = path
		}
	}
	plain := body(t, get(t, pages, http.MethodGet, script))
	for _, test := range []struct {
		accept string
		zipped bool
	}{
		{"", false},
		{"gzip", true},
		{"br, GZIP;q=0.5", true},
		{"*", true},
		{"gzip;q=0, *", false},
		{"gzip; q=0.000", false},
		{"*;q=0", false},
		{"identity", false},
		{"gzip;q=nonsense", false},
	} {
		response := get(t, pages, http.MethodGet, script, "Accept-Encoding", test.accept)
		if response.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q: Vary is %q", test.accept, response.Header.Get("Vary"))
		}
		content := body(t, response)
		if zipped := response.Header.Get("Content-Encoding") == "gzip"; zipped != test.zipped {
			t.Errorf("%q: gzip is %v, want %v", test.accept, zipped, test.zipped)
		} else if zipped {
			reader, err := gzip.NewReader(bytes.NewReader(content))
			if err != nil {
				t.Fatal(err)
			}
			if content, err = io.ReadAll(reader); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(content, plain) {
			t.Errorf("%q: the content differs", test.accept)
		}
	}
}

func TestConditionalRequests(t *testing.T) {
	pages := web.Pages(web.Options{})
	tag := get(t, pages, http.MethodGet, "/").Header.Get("ETag")
	if !strings.HasPrefix(tag, `W/"`) {
		t.Fatalf("ETag is %q", tag)
	}
	for known, status := range map[string]int{
		tag:                           http.StatusNotModified,
		strings.TrimPrefix(tag, "W/"): http.StatusNotModified,
		`"other", ` + tag:             http.StatusNotModified,
		"*":                           http.StatusNotModified,
		`"other"`:                     http.StatusOK,
	} {
		response := get(t, pages, http.MethodGet, "/", "If-None-Match", known, "Accept-Encoding", "gzip")
		if response.StatusCode != status {
			t.Errorf("If-None-Match %s: %s, want %d", known, response.Status, status)
		}
		if content := body(t, response); status == http.StatusNotModified && len(content) > 0 {
			t.Errorf("If-None-Match %s: 304 with a body", known)
		}
	}
}

func TestMethodsAndUnknownPaths(t *testing.T) {
	pages := web.Pages(web.Options{})
	head := get(t, pages, http.MethodHead, "/")
	if head.StatusCode != http.StatusOK || head.Header.Get("Content-Length") == "0" || len(body(t, head)) > 0 {
		t.Errorf("HEAD: %s, Content-Length %s", head.Status, head.Header.Get("Content-Length"))
	}
	post := get(t, pages, http.MethodPost, "/")
	if post.StatusCode != http.StatusMethodNotAllowed || post.Header.Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %s, Allow %q", post.Status, post.Header.Get("Allow"))
	}
	for _, path := range []string{"/index.html", "/examples.json", "/explorer/examples.json", "/assets/",
		"/assets/../index.html",
		"/explorer/dist/index.html", "/graphql", "//"} {
		if response := get(t, pages, http.MethodGet, path); response.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s, want 404", path, response.Status)
		}
	}
}

func TestVersionIsShownAndEscaped(t *testing.T) {
	plain := get(t, web.Pages(web.Options{}), http.MethodGet, "/")
	versioned := get(t, web.Pages(web.Options{Version: `1.2.3"><script>`}), http.MethodGet, "/")
	page := body(t, versioned)
	if !bytes.Contains(page, []byte(`<meta name="almanac-version" content="1.2.3&#34;&gt;&lt;script&gt;" />`)) {
		t.Errorf("the version is not in the page, or not escaped:\n%s", page)
	}
	if plain.Header.Get("ETag") == versioned.Header.Get("ETag") {
		t.Error("two pages share one tag")
	}
}
