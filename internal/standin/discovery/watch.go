package discovery

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
)

// maxWatched is how much of a body is judged; what is longer is passed on and reported.
const maxWatched = 64 << 20

// Watch puts the judge before a handler: every request and every response that passes is held against the documents,
// and what is wrong goes to report, which must be safe for calls at once. Nothing is changed or held back, also when
// the handler breaks the connection. Requests to paths of no API of the documents (tokens, consent) pass unjudged, and
// so do those of batches; their parts are judged by who serves them.
func Watch(next http.Handler, report func(Violation), docs ...*Document) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e := begin(r, docs)
		if e == nil {
			next.ServeHTTP(w, r)
			return
		}
		seen := &witness{ResponseWriter: w}
		next.ServeHTTP(seen, r)
		if seen.status == 0 {
			seen.status = http.StatusOK
		}
		e.response(seen.status, seen.Header(), seen.body.Bytes(), seen.cut)
		e.tell(report)
	})
}

// WatchTransport does what Watch does, on the side of the client.
func WatchTransport(next http.RoundTripper, report func(Violation), docs ...*Document) http.RoundTripper {
	return watchTransport{next: next, report: report, docs: docs}
}

type watchTransport struct {
	next   http.RoundTripper
	report func(Violation)
	docs   []*Document
}

// RoundTrip judges one exchange. A response whose body breaks off is not judged, but handed on as it came.
func (t watchTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context()) // its body is replaced by one that was read
	e := begin(r, t.docs)
	answer, err := t.next.RoundTrip(r)
	if err != nil || e == nil {
		return answer, err
	}
	body, readErr := io.ReadAll(io.LimitReader(answer.Body, maxWatched+1))
	answer.Body = &again{Reader: io.MultiReader(bytes.NewReader(body), failing{readErr}, answer.Body), Closer: answer.Body}
	if readErr == nil {
		e.response(answer.StatusCode, answer.Header, body, len(body) > maxWatched)
	}
	e.tell(t.report)
	return answer, nil
}

// again is a body that was read before; closing it closes what it was read from.
type again struct {
	io.Reader
	io.Closer
}

// failing returns an error, or the end when there is none.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	return 0, io.EOF
}

// witness keeps what goes by.
type witness struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
	cut    bool
}

func (w *witness) WriteHeader(status int) {
	if w.status == 0 && status >= http.StatusOK {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *witness) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	if w.body.Len()+len(p) <= maxWatched {
		w.body.Write(p)
	} else {
		w.cut = true
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *witness) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// exchange is one request and its response before the judge.
type exchange struct {
	doc    *Document
	method *Method
	head   bool
	mask   *Mask
	found  []Violation
}

// begin reads a request, gives it a body that can be read again, and judges it; nil for one that is no API's.
func begin(r *http.Request, docs []*Document) *exchange {
	path := r.URL.EscapedPath()
	e := &exchange{head: r.Method == http.MethodHead}
	verb := r.Method
	for _, d := range docs {
		if m, _, ok := d.Match(verb, path); ok {
			e.doc, e.method = d, m
			break
		}
	}
	if e.method == nil {
		if !slices.ContainsFunc(docs, func(d *Document) bool { return d.owns(path) }) {
			return nil
		}
		e.found = []Violation{{Method: verb + " " + clip(path), Part: InRoute, Rule: RuleRoute,
			Text: "the API has no such method"}}
		return e
	}
	query := r.URL.Query()
	body, err := requestBody(r, e.method)
	if err != nil {
		e.found = append(e.found, Violation{Method: e.method.ID, Part: InRequest, Rule: RuleBody, Text: err.Error()})
	} else {
		e.found = append(e.found, e.doc.CheckRequest(e.method, query, body)...)
	}
	if fields := query.Get("fields"); fields != "" {
		e.mask, _ = ParseMask(fields) // the request's violations tell of its faults
	}
	return e
}

// owns reports whether a path lies where the API's methods do.
func (d *Document) owns(path string) bool {
	if path == "/"+d.BatchPath {
		return false
	}
	for _, m := range d.Methods {
		full := "/" + d.ServicePath + m.Path
		prefix, _, _ := strings.Cut(full, "{")
		// Up to the version: /calendar/v3/ and /gmail/v1/.
		if parts := strings.SplitN(prefix, "/", 4); len(parts) == 4 {
			return strings.HasPrefix(path, "/"+parts[1]+"/"+parts[2]+"/")
		}
	}
	return false
}

// requestBody reads a request's JSON; that of an upload is its first part, or missing.
func requestBody(r *http.Request, m *Method) (any, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	raw, err := io.ReadAll(io.LimitReader(r.Body, maxWatched+1))
	r.Body = &again{Reader: io.MultiReader(bytes.NewReader(raw), failing{err}, r.Body), Closer: r.Body}
	if err != nil {
		return nil, errors.New("the body broke off")
	}
	if len(raw) > maxWatched {
		return nil, errors.New("the body is too long to be judged")
	}
	media, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case len(raw) == 0:
		return nil, nil
	case err != nil:
		return nil, errors.New("the body has no content type")
	case m.Upload && strings.HasPrefix(media, "multipart/"):
		part, err := multipart.NewReader(bytes.NewReader(raw), parameters["boundary"]).NextPart()
		if err != nil {
			return nil, errors.New("the upload has no parts")
		}
		if raw, err = io.ReadAll(part); err != nil {
			return nil, errors.New("the upload's first part broke off")
		}
	case media == "application/json":
	case m.Upload:
		return nil, nil
	default:
		return nil, fmt.Errorf("a body of type %s is not JSON", clip(media))
	}
	return Decode(raw)
}

// Decode reads exactly one value of JSON, with numbers as json.Number.
func Decode(raw []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, errors.New("the body is not JSON")
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the body's JSON")
	}
	return value, nil
}

// response judges what came back.
func (e *exchange) response(status int, header http.Header, raw []byte, cut bool) {
	if e.method == nil || e.head {
		return
	}
	fault := func(rule Rule, text string) {
		e.found = append(e.found, Violation{Method: e.method.ID, Part: InResponse, Rule: rule, Text: text})
	}
	if cut {
		fault(RuleBody, "the body is too long to be judged")
		return
	}
	if header.Get("Content-Encoding") == "gzip" {
		plain, err := unzip(raw)
		if err != nil {
			fault(RuleBody, "the body is not the gzip it says it is")
			return
		}
		raw = plain
	}
	media, _, _ := mime.ParseMediaType(header.Get("Content-Type"))
	switch {
	case status == http.StatusNotModified || status == http.StatusNoContent:
		if len(raw) > 0 {
			fault(RuleBody, "this status has no body")
		}
		return
	case status == http.StatusPermanentRedirect || (e.method.Upload && len(raw) == 0): // a step of a resumable upload
		return
	case status >= http.StatusInternalServerError && media != "application/json": // a front end's page in HTML
		return
	case len(raw) == 0:
		if e.method.Response != "" || status >= http.StatusBadRequest {
			fault(RuleBody, "the body is empty")
		}
		return
	case media != "application/json":
		fault(RuleBody, "the body's content type is not application/json")
		return
	}
	body, err := Decode(raw)
	if err != nil {
		fault(RuleBody, err.Error())
		return
	}
	if status >= http.StatusBadRequest {
		for _, text := range envelope(status, body) {
			fault(RuleError, text)
		}
		return
	}
	e.found = append(e.found, e.doc.CheckResponse(e.method, body, e.mask)...)
}

func (e *exchange) tell(report func(Violation)) {
	for _, v := range e.found {
		report(v)
	}
}

// envelope holds an error's body against Google's form: error.code, error.message, error.errors[] of domain, reason and
// message, and, from newer front ends, status and details.
func envelope(status int, body any) []string {
	outer, _ := body.(map[string]any)
	inner, ok := outer["error"].(map[string]any)
	if !ok {
		return []string{"an error has no object \"error\""}
	}
	var wrong []string
	if code, _ := number(inner["code"]); code != fmt.Sprint(status) {
		wrong = append(wrong, "error.code is not the status")
	}
	if _, ok := inner["message"].(string); !ok {
		wrong = append(wrong, "error.message is no string")
	}
	items, ok := inner["errors"].([]any)
	if !ok || len(items) == 0 {
		wrong = append(wrong, "error.errors is no list of errors")
	}
	for _, item := range items {
		object, _ := item.(map[string]any)
		for _, name := range []string{"domain", "reason", "message"} {
			if text, ok := object[name].(string); !ok || (text == "" && name != "message") {
				wrong = append(wrong, "an error has no "+name)
			}
		}
	}
	return wrong
}

func unzip(raw []byte) ([]byte, error) {
	reader, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	plain, err := io.ReadAll(io.LimitReader(reader, maxWatched+1))
	if err != nil || len(plain) > maxWatched {
		return nil, errors.Join(err, errors.New("the gzip does not unpack"))
	}
	return plain, nil
}
