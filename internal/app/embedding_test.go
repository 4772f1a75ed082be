package app_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"almanac/graph/model"
	"almanac/internal/app"
	standinopenai "almanac/internal/standin/openai"
)

const (
	openAIKey     = app.OpenAIKey
	storeAMemory  = `mutation ($content: String!) { storeMemory(input: { content: $content }) { memory { id embedding { state model dimensions } } userErrors { code message } } }`
	searchFor     = `query ($query: String!) { searchMemories(query: $query, first: 10) { legs edges { matchedBy similarity node { content } } } }`
	vectorsStatus = `{ memoryStatus { embedding { model dimensions local threshold ready stale pending progress } } }`
)

// embeddings is an endpoint of this test's own, over the network, as the processes see it.
func embeddings(t *testing.T) (endpoint *standinopenai.Server, variables []string) {
	t.Helper()
	endpoint = standinopenai.New(standinopenai.Options{Key: openAIKey})
	server := httptest.NewServer(endpoint)
	t.Cleanup(server.Close)
	return endpoint, []string{
		"ALMANAC_OPENAI_BASE_URL=" + server.URL + "/v1", "ALMANAC_OPENAI_API_KEY=" + openAIKey,
		"ALMANAC_EMBEDDING_MODEL=text-embedding-3-small", "ALMANAC_EMBEDDING_DIMENSIONS=256",
	}
}

// vectorState is what memoryStatus tells of vectors.
type vectorState struct {
	Model                 string
	Dimensions            int
	Local                 bool
	Threshold             float64
	Ready, Stale, Pending int
	Progress              float64
}

func (p *process) vectors() vectorState {
	p.t.Helper()
	var got struct {
		MemoryStatus struct{ Embedding vectorState }
	}
	p.mustAsk(vectorsStatus, nil, &got)
	return got.MemoryStatus.Embedding
}

// mustStore keeps a note and returns the state of its vector.
func (p *process) mustStore(content string) (state string) {
	p.t.Helper()
	var got struct {
		StoreMemory struct {
			Memory *struct {
				ID        string
				Embedding struct{ State string }
			}
			UserErrors []struct{ Code, Message string }
		}
	}
	p.mustAsk(storeAMemory, map[string]any{"content": content}, &got)
	if got.StoreMemory.Memory == nil || len(got.StoreMemory.UserErrors) > 0 {
		p.t.Fatalf("%q was not kept: %+v\n%s", content, got, p.log)
	}
	return got.StoreMemory.Memory.Embedding.State
}

// hit is a memory that was found.
type hit struct {
	MatchedBy  []string
	Similarity *float64
	Node       struct{ Content string }
}

// search returns what is found, best first, and the code of the error beside it, if any.
func (p *process) search(query string) (contents, legs []string, hits []hit, code string) {
	p.t.Helper()
	r, a := p.post(searchFor, map[string]any{"query": query})
	var got struct {
		SearchMemories *struct {
			Legs  []string
			Edges []hit
		}
	}
	if err := json.Unmarshal(a.Data, &got); err != nil || got.SearchMemories == nil {
		p.t.Fatalf("%q: %s\n%s", query, r.body, p.log)
	}
	for _, h := range got.SearchMemories.Edges {
		contents = append(contents, h.Node.Content)
	}
	if len(a.Errors) > 0 {
		code = a.code()
	}
	return contents, got.SearchMemories.Legs, got.SearchMemories.Edges, code
}

// The model's whole life, as one person sees it: memories of the built-in model; an endpoint that is set and is away,
// while memories are written and found by their words; its return, after which they are found by meaning, in either
// language; and the way back, without an endpoint. Nothing private is in the log.
func TestEmbeddingModels(t *testing.T) {
	t.Parallel()
	for name, flags := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			endpoint, variables := embeddings(t)

			p := start(t, flags...)
			if !strings.Contains(p.greeting, "memories  found by a built-in model; ALMANAC_EMBEDDING_MODEL chooses another\n") {
				t.Errorf("the greeting does not say the model:\n%s", p.greeting)
			}
			if state := p.mustStore("The garage mends our sedan on Thursday"); state != "READY" {
				t.Errorf("by the built-in model it is %s", state)
			}
			if s := p.vectors(); !s.Local || s.Ready != 1 || s.Progress != 1 || s.Threshold == 0 {
				t.Errorf("%+v", s)
			}
			if err := p.term(); err != nil {
				t.Errorf("%v\n%s", err, p.log)
			}

			// Away by its own word, so that each question is one failure, and so few of them open no breaker.
			endpoint.Inject(standinopenai.Fault{Status: http.StatusServiceUnavailable,
				Header: http.Header{"X-Should-Retry": {"false"}}})
			p = spawn(t, variables, append(flags, "--log-level=debug")...).await()
			if !strings.Contains(p.greeting, "memories  found by text-embedding-3-small@256 at 127.0.0.1:") ||
				strings.Contains(p.greeting, openAIKey) {
				t.Errorf("the greeting does not say the model:\n%s", p.greeting)
			}
			if state := p.mustStore("The wireless passphrase is zanzibar77"); state != "PENDING" {
				t.Errorf("while the endpoint is away it is %s", state)
			}
			contents, legs, _, code := p.search("zanzibar77")
			if !slices.Equal(contents, []string{"The wireless passphrase is zanzibar77"}) || !slices.Contains(legs, "KEYWORD") ||
				code != string(model.CodeUpstreamUnavailable) {
				t.Errorf("by words: %q, legs %v, %q", contents, legs, code)
			}
			if contents, _, _, _ = p.search("sedan"); len(contents) != 1 {
				t.Errorf("the earlier one is found as %q", contents)
			}
			if s := p.vectors(); s.Local || s.Model != "text-embedding-3-small@256" || s.Dimensions != 256 || s.Ready != 0 ||
				s.Stale != 1 || s.Pending != 1 || s.Progress != 0 {
				t.Errorf("%+v", s)
			}

			endpoint.Clear()
			eventually(t, "all memories have vectors of the new model", func() bool {
				_, _, _, code := p.search("is it back") // which is how the worker learns that it is
				s := p.vectors()
				return code == "" && s.Ready == 2 && s.Stale == 0 && s.Pending == 0 && s.Progress == 1
			})
			for query, want := range map[string]struct {
				content string
				by      []string
			}{
				// All are found by related words as well.
				"internet password": {"The wireless passphrase is zanzibar77", []string{"VECTOR", "KEYWORD"}},
				"סיסמה לאינטרנט":    {"The wireless passphrase is zanzibar77", []string{"VECTOR", "KEYWORD"}},
				"automobile":        {"The garage mends our sedan on Thursday", []string{"VECTOR", "KEYWORD"}},
				"המכונית":           {"The garage mends our sedan on Thursday", []string{"VECTOR", "KEYWORD"}},
			} {
				contents, _, hits, code := p.search(query)
				if len(contents) == 0 || contents[0] != want.content || code != "" ||
					!slices.Equal(hits[0].MatchedBy, want.by) || hits[0].Similarity == nil || *hits[0].Similarity < 0.3 {
					t.Errorf("%q finds %q, %+v, %q", query, contents, hits, code)
				}
			}
			if state := p.mustStore("Dr. Cohen is our physician"); state != "READY" {
				t.Errorf("with the endpoint it is %s", state)
			}
			if asked := endpoint.Requests(); !slices.ContainsFunc(asked, func(r standinopenai.Request) bool {
				return r.Dimensions == 256 && r.Model == "text-embedding-3-small" && r.Status == http.StatusOK
			}) {
				t.Error("the endpoint was not asked for the length that is set")
			}
			for metric, want := range map[string]string{
				`almanac_openai_attempts_total{background="yes",operation="embeddings",result="ok"}`: "",
				`almanac_memory_vectors_total{outcome="kept"}`:                                       "2",
				"almanac_memory_vectors_behind":                                                      "0",
			} {
				// What the worker does after its answer is told a little later.
				eventually(t, metric+" is "+want, func() bool {
					got := p.metric(metric)
					return got != "" && (want == "" || got == want)
				})
			}
			if err := p.term(); err != nil {
				t.Errorf("%v\n%s", err, p.log)
			}
			said := p.log.String()
			for _, private := range []string{openAIKey, "zanzibar", "sedan", "סיסמה", "physician"} {
				if strings.Contains(said, private) {
					t.Errorf("the log has %q", private)
				}
			}
			if !strings.Contains(said, `"msg":"called the model endpoint"`) ||
				!strings.Contains(said, "wait for their vectors") {
				t.Error("the log is not at its most talkative")
			}
			if kept := rowsOf(t, name, flags); strings.Contains(kept, openAIKey) || !strings.Contains(kept, "zanzibar77") {
				t.Error("the key is in the database, or the database was not looked at")
			}

			requests := len(endpoint.Requests())
			p = start(t, flags...)
			eventually(t, "all memories are back with the built-in model",
				func() bool { s := p.vectors(); return s.Local && s.Ready == 3 && s.Progress == 1 })
			if contents, _, _, code := p.search("zanzibar77 passphrase"); len(contents) == 0 || code != "" {
				t.Errorf("%q %q", contents, code)
			}
			if n := len(endpoint.Requests()); n != requests {
				t.Errorf("without a model the endpoint was asked %d times", n-requests)
			}
		})
	}
}

// rowsOf is everything for a database with memories, whose rows have times that XML has no form for (infinity).
func rowsOf(t *testing.T, name string, flags []string) string {
	t.Helper()
	if name != "postgres" {
		return everything(t, name, flags)
	}
	db := dialPostgres(t, strings.TrimPrefix(flags[0], "--database-url="))
	rows, err := db.Query(t.Context(),
		`SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, table := range tables {
		var text string
		if err := db.QueryRow(t.Context(),
			`SELECT coalesce(string_agg(r::text, E'\n'), '') FROM `+table+` r`).Scan(&text); err != nil {
			t.Fatal(err)
		}
		all.WriteString(text)
	}
	return all.String()
}

// Where an endpoint is set up by halves, the server does not start, and says what is missing.
func TestHalfAnEndpointIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		variables []string
		want      string
	}{
		"no key": {[]string{"ALMANAC_EMBEDDING_MODEL=text-embedding-3-small"}, "ALMANAC_OPENAI_API_KEY"},
		"no length": {[]string{"ALMANAC_OPENAI_API_KEY=" + openAIKey, "ALMANAC_EMBEDDING_MODEL=bge-m3"},
			"ALMANAC_EMBEDDING_DIMENSIONS"},
		"in the clear": {[]string{"ALMANAC_OPENAI_API_KEY=" + openAIKey,
			"ALMANAC_OPENAI_BASE_URL=http://models.example/v1"}, "ALMANAC_OPENAI_ALLOW_HTTP"},
		"a strange name": {[]string{"ALMANAC_OPENAI_API_KEY=" + openAIKey, "ALMANAC_EMBEDDING_MODEL=text embedding"},
			"ALMANAC_EMBEDDING_MODEL"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := runCommand(t, c.variables, "serve", "--data-dir="+t.TempDir())
			if s.code != 1 || s.out != "" || !strings.Contains(s.err, c.want) || strings.Contains(s.err, openAIKey) {
				t.Errorf("ended with %d, %q and %q", s.code, s.out, s.err)
			}
		})
	}
}
