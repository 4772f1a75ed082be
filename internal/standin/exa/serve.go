package exa

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"time"

	"almanac/internal/standin/faults"
)

// call is one request of an account, which has been matched, authorized and decoded.
type call struct {
	server  *Server
	account *account
	route   route
	path    map[string]string
	query   url.Values
	body    map[string]any
	now     time.Time
	// id is the request's own.
	id string
}

// reply is an answer; without a body it is empty.
type reply struct {
	// status is 200 when zero.
	status int
	body   any
	// stream are the messages of an event stream, instead of a body.
	stream []any
}

func ok(body any) reply { return reply{body: body} }

// maxBody bounds a request, in bytes, except for an upload.
const maxBody = 4 << 20

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, uploadsPrefix) {
		s.serveUpload(w, r)
		return
	}
	seen := &Request{Method: r.Method, Path: r.URL.Path, Query: r.URL.Query(), Key: keyOf(r), Header: r.Header.Clone()}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	seen.Body = string(body[:min(len(body), mostRemembered)])
	status := 0
	defer func() {
		seen.Status = status
		s.record.add(seen)
	}()
	fault := s.befall(r)
	answer := s.answer(r, body, err, fault)
	if fault.LoseAnswer {
		faults.Break()
	}
	for name, values := range answer.header {
		w.Header()[name] = values
	}
	status = answer.status
	w.WriteHeader(status)
	if fault.Half {
		faults.Half(w, answer.body)
	}
	_, _ = w.Write(answer.body)
}

// serveUpload takes a file; faults strike there too, and the request is remembered without it.
func (s *Server) serveUpload(w http.ResponseWriter, r *http.Request) {
	seen := &Request{Method: r.Method, Path: r.URL.Path, Query: r.URL.Query(), Key: keyOf(r), Header: r.Header.Clone()}
	defer s.record.add(seen)
	fault := s.befall(r)
	recorder := httptest.NewRecorder()
	if fault.Status != 0 {
		recorder.WriteHeader(fault.Status)
		_, _ = recorder.WriteString(fault.Body)
	} else {
		s.upload(recorder, r)
	}
	if fault.LoseAnswer || fault.Half {
		faults.Break()
	}
	for name, values := range recorder.Header() {
		w.Header()[name] = values
	}
	seen.Status = recorder.Code
	w.WriteHeader(recorder.Code)
	_, _ = w.Write(recorder.Body.Bytes())
}

// befall chooses the fault that strikes a request, and does what befalls one before anything is done.
func (s *Server) befall(r *http.Request) Fault {
	fault, _ := s.faults.Choose(func(f *Fault) bool { return f.fits(r) })
	if fault.Hang {
		<-r.Context().Done()
	}
	if fault.Latency > 0 && s.options.Wait(r.Context(), fault.Latency) != nil || fault.Hang || fault.Reset {
		faults.Break()
	}
	return fault
}

// answered is an answer as it goes over the wire.
type answered struct {
	status int
	header http.Header
	body   []byte
}

func (s *Server) answer(r *http.Request, body []byte, failed error, fault Fault) answered {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	c := &call{server: s, query: r.URL.Query(), now: now, id: s.id("req")}
	answer := answered{status: http.StatusOK,
		header: http.Header{"Content-Type": {"application/json; charset=utf-8"}, "X-Request-Id": {c.id}}}
	var given reply
	var bad *problem
	if fault.Status != 0 {
		bad = fault.problem(r.URL.Path)
	} else {
		given, bad = s.do(c, r, body, failed)
	}
	if bad != nil {
		given = reply{status: bad.status, body: bad.body(now, c.id, r.URL.Path)}
		if bad.retryAfter > 0 {
			answer.header.Set("Retry-After", strconv.Itoa(int((bad.retryAfter+time.Second-1)/time.Second)))
		}
	}
	if given.status != 0 {
		answer.status = given.status
	}
	switch {
	case given.stream != nil:
		answer.header.Set("Content-Type", "text/event-stream")
		for _, one := range given.stream {
			answer.body = append(append(append(answer.body, "data: "...), encode(one)...), "\n\n"...)
		}
	case given.body == nil:
		answer.header.Del("Content-Type")
	default:
		answer.body = encode(given.body)
	}
	return s.spoil(answer, fault)
}

// spoil does to an answer what a fault wants, and puts what nobody knows into it.
func (s *Server) spoil(answer answered, fault Fault) answered {
	for name, values := range fault.Header {
		answer.header[name] = values
	}
	if values := fault.UnknownValues; s.options.UnknownFields || fault.UnknownFields ||
		len(s.options.UnknownValues)+len(values) > 0 {
		answer.body = tomorrow(answer.body, s.options.UnknownFields || fault.UnknownFields, s.options.UnknownValues, values)
	}
	switch {
	case fault.Status != 0 && fault.Body != "":
		answer.body = []byte(fault.Body)
	case fault.Garbage:
		answer.header.Set("Content-Type", "text/html")
		answer.body = []byte("<!doctype html><title>Bad gateway</title><p>" + http.StatusText(http.StatusBadGateway))
	case fault.BadJSON:
		answer.body = answer.body[:len(answer.body)/2]
	case fault.Empty:
		answer.body = nil
	}
	answer.body = append(answer.body, bytes.Repeat([]byte(" "), fault.Pad)...)
	return answer
}

// encode writes JSON as Exa does: in one line, without escapes for HTML.
func encode(v any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err) // shapes are texts, numbers and lists
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// keyOf returns the API key of a request, from either header.
func keyOf(r *http.Request) string {
	if key := r.Header.Get("X-Api-Key"); key != "" {
		return key
	}
	scheme, key, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(key)
}

// do finds the route and the account, and does what is asked. The lock is held.
func (s *Server) do(c *call, r *http.Request, body []byte, failed error) (reply, *problem) {
	c.account = s.account(keyOf(r), c.now)
	if c.account == nil {
		return reply{}, &problem{status: http.StatusUnauthorized, message: "Invalid API key",
			tag: usualTag(http.StatusUnauthorized)}
	}
	if bad := c.account.hurry(c.now, s.options.PerSecond); bad != nil {
		return reply{}, bad
	}
	var found bool
	if c.route, c.path, found = match(r.Method, r.URL.EscapedPath()); !found {
		missing := &problem{status: http.StatusNotFound, message: "Cannot " + r.Method + " " + r.URL.Path}
		if !strings.HasPrefix(r.URL.Path, websetsPrefix) {
			missing.tag = usualTag(http.StatusNotFound)
		}
		return reply{}, missing
	}
	if failed != nil || len(body) > maxBody {
		return reply{}, c.inForm(&problem{status: http.StatusRequestEntityTooLarge, message: "request entity too large"})
	}
	// a type that cannot be read is another one
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind == "application/json" &&
		len(bytes.TrimSpace(body)) > 0 {
		var err error
		if c.body, err = object(body); err != nil {
			return reply{}, c.inForm(invalid("The body is not a JSON object"))
		}
	}
	given, bad := c.route.serve(c)
	return given, c.inForm(bad)
}

// inForm returns an error the form of its part of the API.
func (c *call) inForm(bad *problem) *problem {
	if bad != nil && !c.route.websets && bad.tag == "" {
		bad.tag = usualTag(bad.status)
	}
	return bad
}

var (
	errTrailing = errors.New("something follows the object")
	errNoObject = errors.New("it is null")
)

// object reads a body that is one JSON object.
func object(body []byte) (map[string]any, error) {
	var fields map[string]any
	decoder := json.NewDecoder(bytes.NewReader(body))
	if err := decoder.Decode(&fields); err != nil {
		return nil, err
	}
	if fields == nil {
		return nil, errNoObject
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errTrailing
	}
	return fields, nil
}

// hurry refuses more requests in a second than an account may make.
func (a *account) hurry(now time.Time, most int) *problem {
	if most <= 0 {
		return nil
	}
	recent := a.asked[:0]
	for _, at := range a.asked {
		if now.Sub(at) < time.Second {
			recent = append(recent, at)
		}
	}
	a.asked = recent
	if len(a.asked) >= most {
		return &problem{status: http.StatusTooManyRequests, message: "rate limit exceeded", plain: true}
	}
	a.asked = append(a.asked, now)
	return nil
}
