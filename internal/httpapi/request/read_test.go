package request_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"almanac/graph/model"
	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/request"
)

func post(body string, header ...string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return r
}

func TestReadPostAccepts(t *testing.T) {
	for name, c := range map[string]struct {
		request *http.Request
		want    engine.Request
	}{
		"query alone": {post(`{"query":"{a}"}`), engine.Request{Query: "{a}"}},
		"everything": {post(`{"query":"{a}","operationName":"A","variables":{"n":1.0},"extensions":{"k":true}}`),
			engine.Request{Query: "{a}", OperationName: "A", Variables: map[string]any{"n": json.Number("1.0")},
				Extensions: map[string]any{"k": true}}},
		"nulls": {post(`{"query":"{a}","operationName":null,"variables":null,"extensions":null}`),
			engine.Request{Query: "{a}"}},
		"unknown keys": {post(`{"query":"{a}","QUERY":"{b}","documentID":"x"}`), engine.Request{Query: "{a}"}},
		"documentId": {post(`{"documentId":"x","operationName":"A"}`),
			engine.Request{DocumentID: "x", OperationName: "A"}},
		"charset": {post(`{"query":"{a}"}`, "Content-Type", `Application/JSON; Charset="UTF-8"`),
			engine.Request{Query: "{a}"}},
		"identity": {post(`{"query":"{a}"}`, "Content-Encoding", "identity"), engine.Request{Query: "{a}"}},
		"hebrew":   {post(`{"query":"{a(t:\"שלום\")}"}`), engine.Request{Query: `{a(t:"שלום")}`}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := request.ReadPost(c.request, request.MaxBody)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Fatalf("got %#v, want %#v", got, c.want)
			}
		})
	}
}

func TestReadPostRefuses(t *testing.T) {
	const secret = "SECRET"
	without := post(`{"query":"{a}"}`)
	without.Header.Del("Content-Type")
	double := post(`{"query":"{a}"}`)
	double.Header.Add("Content-Type", "application/json")
	for name, c := range map[string]struct {
		request *http.Request
		status  int
		says    string
		field   string
	}{
		"no media type":   {without, 415, "Content-Type", ""},
		"two media types": {double, 415, "Content-Type", ""},
		"form": {post("query={a}", "Content-Type", "application/x-www-form-urlencoded"), 415,
			"application/json", ""},
		"multipart":            {post("", "Content-Type", "multipart/form-data; boundary=x"), 415, "application/json", ""},
		"text":                 {post(`{"query":"{a}"}`, "Content-Type", "text/plain"), 415, "application/json", ""},
		"graphql":              {post("{a}", "Content-Type", "application/graphql"), 415, "application/json", ""},
		"malformed media type": {post("{}", "Content-Type", "application/json; charset"), 415, "application/json", ""},
		"utf-16": {post(`{"query":"{a}"}`, "Content-Type", "application/json; charset=utf-16"), 415, "charset",
			""},
		"gzip":                   {post(`{"query":"{a}"}`, "Content-Encoding", "gzip"), 415, "Compressed", ""},
		"empty":                  {post(""), 400, "ends too early", ""},
		"not JSON":               {post(`{"query": SECRET}`), 400, "not a JSON object", ""},
		"bytes after":            {post(`{"query":"{a}"} SECRET`), 400, "more text follows", ""},
		"invalid UTF-8":          {post("{\"query\":\"{a}\xff SECRET\"}"), 400, "UTF-8", ""},
		"batch":                  {post(`[{"query":"{a}"}]`), 400, "Batches are not served", ""},
		"string":                 {post(`"SECRET"`), 400, "must be a JSON object", ""},
		"no query":               {post(`{}`), 400, `no "query"`, "query"},
		"empty query":            {post(`{"query":""}`), 400, `no "query"`, "query"},
		"null query":             {post(`{"query":null}`), 400, `no "query"`, "query"},
		"upper-case query":       {post(`{"QUERY":"{a}"}`), 400, `no "query"`, "query"},
		"documentId is a number": {post(`{"documentId":1}`), 400, `"documentId" must be a string`, "documentId"},
		"query is a number":      {post(`{"query":1}`), 400, `"query" must be a string`, "query"},
		"query is an object":     {post(`{"query":{"SECRET":1}}`), 400, `"query" must be a string`, "query"},
		"operationName": {post(`{"query":"{a}","operationName":[]}`), 400, `"operationName" must be a string`,
			"operationName"},
		"variables": {post(`{"query":"{a}","variables":[1]}`), 400, `"variables" must be a JSON object`,
			"variables"},
		"variables as string": {post(`{"query":"{a}","variables":"{}"}`), 400, `"variables" must be a JSON object`,
			"variables"},
		"extensions": {post(`{"query":"{a}","extensions":"SECRET"}`), 400, `"extensions" must be a JSON object`,
			"extensions"},
		"query twice": {post(`{"query":"{a}","query":"{b}"}`), 400, "same key twice", ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := request.ReadPost(c.request, request.MaxBody)
			wantRefusal(t, err, c.status, c.says, c.field)
			if strings.Contains(err.Error(), secret) {
				t.Fatalf("the error echoes the body: %v", err)
			}
		})
	}
}

func wantRefusal(t *testing.T, err error, status int, says, field string) {
	t.Helper()
	var refused *request.Error
	if !errors.As(err, &refused) {
		t.Fatalf("error %v, want an *Error", err)
	}
	if refused.Status != status || !strings.Contains(refused.Shown.Message, says) ||
		strings.Join(refused.Shown.Field, ".") != field {
		t.Fatalf("got %d %q field %v, want %d with %q field %q", refused.Status, refused.Shown.Message, refused.Shown.Field,
			status, says, field)
	}
	if model.CodeOf(err) != model.CodeBadUserInput {
		t.Fatalf("code %s", model.CodeOf(err))
	}
}

// The limit holds at the limit and one byte beyond, told by Content-Length and not told.
func TestReadPostLimit(t *testing.T) {
	const limit = 64
	body := func(size int) string {
		const frame = `{"query":"{a}"}`
		return frame + strings.Repeat(" ", size-len(frame))
	}
	for _, chunked := range []bool{false, true} {
		at, beyond := post(body(limit)), post(body(limit+1))
		if chunked {
			at.ContentLength, beyond.ContentLength = -1, -1
		}
		if _, err := request.ReadPost(at, limit); err != nil {
			t.Errorf("chunked %v: %d bytes refused: %v", chunked, limit, err)
		}
		_, err := request.ReadPost(beyond, limit)
		wantRefusal(t, err, http.StatusRequestEntityTooLarge, "larger than 64 bytes", "")
	}
	endless := post("")
	endless.Body, endless.ContentLength = io.NopCloser(zeros{}), -1
	_, err := request.ReadPost(endless, limit)
	wantRefusal(t, err, http.StatusRequestEntityTooLarge, "larger", "")
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestReadPostGivesTheConnectionsError(t *testing.T) {
	r := post("")
	r.Body, r.ContentLength = io.NopCloser(io.MultiReader(strings.NewReader(`{"que`), cut{})), -1
	if _, err := request.ReadPost(r, request.MaxBody); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatalf("error %v", err)
	}
}

type cut struct{}

func (cut) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestReadGet(t *testing.T) {
	get := func(pairs ...string) *http.Request {
		values := url.Values{}
		for i := 0; i < len(pairs); i += 2 {
			values.Add(pairs[i], pairs[i+1])
		}
		return httptest.NewRequest(http.MethodGet, "/graphql?"+values.Encode(), nil)
	}
	got, err := request.ReadGet(get("query", "{a}", "operationName", "", "variables", `{"n":1}`, "extensions", "", "token",
		"x"))
	want := engine.Request{Query: "{a}", Variables: map[string]any{"n": json.Number("1")}, QueriesOnly: true}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("got %#v, %v", got, err)
	}
	raw := func(query string) *http.Request {
		r := get()
		r.URL.RawQuery = query
		return r
	}
	for name, c := range map[string]struct {
		request *http.Request
		says    string
		field   string
	}{
		"no query":        {get(), `no "query"`, "query"},
		"query twice":     {get("query", "{a}", "query", "{b}"), "more than once", ""},
		"variables array": {get("query", "{a}", "variables", "[]"), "must be a JSON object", "variables"},
		"variables text":  {get("query", "{a}", "variables", "x"), "not a JSON object", ""},
		"invalid UTF-8":   {raw("query=%ff"), "not valid UTF-8", ""},
		"broken escape":   {raw("query=%zz"), "not well formed", ""},
		"semicolon":       {raw("query={a};x=1"), "not well formed", ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := request.ReadGet(c.request)
			wantRefusal(t, err, http.StatusBadRequest, c.says, c.field)
		})
	}
}

func TestReadChoosesByMethod(t *testing.T) {
	if _, err := request.Read(post(`{"query":"{a}"}`), request.MaxBody); err != nil {
		t.Fatal(err)
	}
	got, err := request.Read(httptest.NewRequest(http.MethodGet, "/graphql?query={a}", nil), request.MaxBody)
	if err != nil || !got.QueriesOnly {
		t.Fatalf("got %#v, %v", got, err)
	}
	for _, method := range []string{http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodHead,
		http.MethodOptions} {
		_, err := request.Read(httptest.NewRequest(method, "/graphql", nil), request.MaxBody)
		wantRefusal(t, err, http.StatusMethodNotAllowed, "GET and POST", "")
		var refused *request.Error
		if errors.As(err, &refused); refused.Allow != "GET, POST" {
			t.Fatalf("Allow %q", refused.Allow)
		}
	}
}

func FuzzReadPost(f *testing.F) {
	f.Add(`{"query":"{a}","variables":{"x":1}}`, "application/json")
	f.Add(`[]`, "application/json;charset=utf-8")
	f.Add(`{"query":1}`, "text/plain")
	f.Fuzz(func(t *testing.T, body, media string) {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
		r.Header["Content-Type"] = []string{media}
		got, err := request.ReadPost(r, 1<<16)
		var refused *request.Error
		if err != nil && !errors.As(err, &refused) {
			t.Fatalf("error %v is no *Error", err)
		}
		if err == nil && got.Query == "" {
			t.Fatal("accepted without a query")
		}
	})
}
