package google

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"almanac/internal/standin/discovery"
	"almanac/internal/standin/wire"
)

// maxJSON bounds a request's JSON.
const maxJSON = 4 << 20

// ask is a request to an API on its way to the service.
type ask struct {
	service wire.Service
	method  *discovery.Method
	path    map[string]string
	account string
	// scopes are the token's.
	scopes []string
	// query are the request's parameters, and mask is what "fields" says; nil for all.
	query  url.Values
	mask   *discovery.Mask
	header http.Header
	body   map[string]any
	// media is what an upload carried.
	media     []byte
	mediaType string
}

// serveAPI takes a request through everything that lies before the service.
func (s *Server) serveAPI(w *seen, r *http.Request, service wire.Service) {
	d := service.Document()
	m, path, ok := d.Match(r.Method, r.URL.EscapedPath())
	resumes := r.URL.Query().Get("upload_id") != ""
	if !ok && resumes && r.Method == http.MethodPut { // the verb of all but the first step of a resumable upload
		m, path, ok = d.Match(http.MethodPost, r.URL.EscapedPath())
		ok = ok && m.Upload
	}
	if !ok {
		if verbs := d.Verbs(r.URL.EscapedPath()); len(verbs) > 0 {
			w.Header().Set("Allow", strings.Join(verbs, ", "))
			writePage(w, http.StatusMethodNotAllowed, "The request method is inappropriate for the URL.")
			return
		}
		notFoundPage(w, r)
		return
	}
	w.method = m.ID
	bearer, given := bearerOf(r)
	token, known := s.bearer(bearer)
	w.account = token.email
	raw, readErr := readBody(w, r, m)
	if !m.Upload {
		w.keep(raw)
	}

	if p := s.meter.enter(d, w.account); p != nil {
		w.problem(p)
		return
	}
	defer s.meter.leave(d, w.account)
	fault := s.fault(m.ID, w.account, true, isList(d, m))
	if s.strike(w, r, fault) {
		if fault.HTML {
			writePage(w, fault.Status, fault.Message)
		} else {
			w.problem(fault.problem(d))
		}
		return
	}
	switch {
	case !given:
		w.problem(noToken())
		return
	case !known:
		w.problem(badToken())
		return
	case !d.Allows(m, token.scopes):
		w.problem(missingScope(d, m))
		return
	case readErr != nil:
		w.problem(readErr)
		return
	}
	a := &ask{service: service, method: m, path: path, account: token.email, scopes: token.scopes, query: r.URL.Query(),
		header: r.Header}
	switch {
	case m.Upload && resumes:
		s.resume(w, r, a, raw)
	case m.Upload:
		s.upload(w, r, a, raw)
	default:
		if p := a.readJSON(r.Header.Get("Content-Type"), raw); p != nil {
			w.problem(p)
			return
		}
		s.answer(w, a)
	}
}

// bearerOf reads the request's token. Tokens in the query are not taken: they would end in logs.
func bearerOf(r *http.Request) (token string, given bool) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.TrimSpace(token), strings.EqualFold(scheme, "Bearer")
}

// readBody reads as much as the method may have.
func readBody(w *seen, r *http.Request, m *discovery.Method) ([]byte, *problem) {
	limit := int64(maxJSON)
	if m.Upload {
		limit += min(m.MaxUpload, maxUpload)
	}
	tooLarge := fail(http.StatusRequestEntityTooLarge, "uploadTooLarge", "Request payload size exceeds the limit.")
	if r.ContentLength > limit {
		return nil, tooLarge
	}
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		return nil, tooLarge
	case err != nil:
		return nil, fail(http.StatusBadRequest, "badRequest", "Bad Request")
	}
	return raw, nil
}

// readJSON reads the body of a request; an empty one is none.
func (a *ask) readJSON(contentType string, raw []byte) *problem {
	if len(raw) == 0 {
		return nil
	}
	switch media, _, _ := mime.ParseMediaType(contentType); {
	case media == "application/json" || contentType == "":
	case media == "application/x-www-form-urlencoded":
		return fail(http.StatusBadRequest, "parseError", "This API does not support parsing form-encoded input.")
	default:
		return fail(http.StatusBadRequest, "badContent", "Unsupported content with type: "+clip(contentType))
	}
	value, err := discovery.Decode(raw)
	if err != nil {
		return fail(http.StatusBadRequest, "parseError", "Parse Error")
	}
	object, ok := value.(map[string]any)
	if !ok {
		return fail(http.StatusBadRequest, "parseError", "Parse Error")
	}
	a.body = object
	return nil
}

// answer checks what was asked, asks the service and writes what it says. It is the last step of every request.
func (s *Server) answer(w *seen, a *ask) {
	d, now := a.service.Document(), s.now()
	if p := s.check(a); p != nil {
		w.problem(p)
		return
	}
	if p := s.meter.take(d, a.method.ID, a.account, now); p != nil {
		w.problem(p)
		return
	}
	query := copyOf(a.query)
	for name := range query {
		if own := a.method.Parameters[name]; own == nil || own.Location != "query" {
			query.Del(name) // the front's own, and what the method does not know
		}
	}
	again := unwrapPage(query)
	reply, err := a.service.Serve(wire.Call{
		Method: a.method.ID, Account: a.account, Scopes: slices.Clone(a.scopes), Path: a.path, Query: query, Header: a.header,
		Body: d.Prune(a.method, a.body), Media: a.media, MediaType: a.mediaType, Now: now,
	})
	if err != nil {
		p := fromService(err)
		if d.Name == "gmail" { // its front end is of the newer kind
			p.newer(d)
		}
		w.problem(p)
		return
	}
	if w.fault != nil && w.fault.EmptyPage {
		reply.Body = emptyPage(d, a.method, reply.Body, again)
	}
	for name, values := range reply.Header {
		w.Header()[http.CanonicalHeaderKey(name)] = slices.Clone(values)
	}
	if etag, ok := reply.Body["etag"].(string); ok && w.Header().Get("ETag") == "" {
		w.Header().Set("ETag", etag)
	}
	switch {
	case reply.Status == http.StatusNotModified || reply.Status == http.StatusNoContent:
		w.send(reply.Status, nil)
		return
	case reply.Body == nil:
		w.send(http.StatusNoContent, nil)
		return
	case reply.Status == 0:
		reply.Status = http.StatusOK
	}
	body := a.mask.Apply(reply.Body)
	if s.report != nil {
		for _, v := range d.CheckResponse(a.method, body, a.mask) {
			s.report(v)
		}
	}
	w.json(reply.Status, body)
}

// check refuses what Google's front refuses for every API: values of the wrong kind, and masks that name nothing. What
// is left to the services are formats of times and fields that must be there, for which they have words of their own.
// Fields that do not exist are dropped, and so are parameters, unless the stand-in is strict.
func (s *Server) check(a *ask) *problem {
	d := a.service.Document()
	var body any
	if a.body != nil {
		body = a.body
	}
	var first *problem
	for _, v := range d.CheckRequest(a.method, a.query, body) {
		if s.report != nil {
			s.report(v)
		}
		if p := s.refuse(d, v); p != nil && first == nil {
			first = p
		}
	}
	if fields := a.query.Get("fields"); fields != "" && first == nil {
		a.mask, _ = discovery.ParseMask(fields) // its faults were found above
	}
	if alt := a.query.Get("alt"); alt != "" && alt != "json" && first == nil {
		return fail(http.StatusBadRequest, "invalidParameter", "Only alt=json is served here.").at("parameter", "alt")
	}
	return first
}

func (s *Server) refuse(d *discovery.Document, v discovery.Violation) *problem {
	bad := func(reason, message string) *problem { return fail(http.StatusBadRequest, reason, message) }
	switch v.Part {
	case discovery.InMask:
		return bad("invalidParameter", "Invalid field selection "+v.Path).at("parameter", "fields")
	case discovery.InQuery:
		switch v.Rule {
		case discovery.RuleMask:
			return bad("invalidParameter", v.Text).at("parameter", "fields")
		case discovery.RuleRequired:
			return bad("required", "Required parameter: "+v.Path).at("parameter", v.Path)
		case discovery.RuleType, discovery.RuleEnum, discovery.RuleRange:
			return bad("invalidParameter", "Invalid value for "+v.Path+": "+v.Text).at("parameter", v.Path)
		case discovery.RuleUnknown:
			if s.strict {
				return bad("invalidParameter", "Unknown parameter: "+clip(v.Path)).at("parameter", clip(v.Path))
			}
		}
	case discovery.InRequest:
		switch v.Rule {
		case discovery.RuleType, discovery.RuleRange, discovery.RuleNull:
			return bad("invalid", "Invalid value for "+clip(v.Path)+": "+v.Text)
		case discovery.RuleUnknown:
			if d.Name == "gmail" {
				return bad("badRequest", "Invalid JSON payload received. Unknown name \""+clip(v.Path)+"\": Cannot find field.")
			}
		}
	}
	return nil
}

// json writes an answer of an API, indented unless the request says otherwise.
func (w *seen) json(status int, body map[string]any) {
	pretty := w.request.URL.Query().Get("prettyPrint") != "false"
	var raw []byte
	var err error
	if pretty {
		raw, err = json.MarshalIndent(body, "", " ")
		raw = append(raw, '\n')
	} else {
		raw, err = json.Marshal(body)
	}
	if err != nil { // a service gave a value that JSON does not have
		writePage(w, http.StatusInternalServerError, "The answer cannot be written.")
		return
	}
	head := w.Header()
	head.Set("Content-Type", "application/json; charset=UTF-8")
	head.Set("Cache-Control", "private, no-cache, no-store, max-age=0, must-revalidate")
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("X-Frame-Options", "SAMEORIGIN")
	for _, name := range []string{"Origin", "X-Origin", "Referer"} {
		head.Add("Vary", name)
	}
	w.send(status, raw)
}
