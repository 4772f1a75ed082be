package google

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strings"

	"almanac/internal/standin/discovery"
	"almanac/internal/standin/wire"
)

const (
	maxBatch       = 16 << 20
	maxBatchAnswer = 64 << 20
)

// isBatch knows the path of the description, and the longer one that Gmail's clients use.
func isBatch(d *discovery.Document, path string) bool {
	return path == "/"+d.BatchPath || path == "/batch/"+d.Name+"/"+d.Version
}

// batchCalls is the most calls in a batch.
func (s *Server) batchCalls(d *discovery.Document) int {
	switch {
	case s.batch > 0:
		return s.batch
	case d.Name == "calendar":
		return 50
	}
	return 100
}

// serveBatch serves every part of a batch as a request of its own, one after another, with its own faults, quota and
// record. A part without a token has the batch's.
func (s *Server) serveBatch(w http.ResponseWriter, r *http.Request, service wire.Service) {
	parts, p := s.readBatch(w, r, service.Document())
	if p != nil {
		s.recorded(w, r, func(w *seen, _ *http.Request) { w.problem(p) })
		return
	}
	var out bytes.Buffer
	answers := multipart.NewWriter(&out)
	if err := answers.SetBoundary("batch_" + s.secrets.next("")); err != nil {
		panic("google: a boundary of a batch: " + err.Error())
	}
	for _, part := range parts {
		answer := &partAnswer{header: http.Header{}}
		s.recordedAs(&seen{ResponseWriter: answer, request: part.request, part: true}, func(w *seen, r *http.Request) {
			switch {
			case part.problem != nil:
				w.problem(part.problem)
			case out.Len() > maxBatchAnswer:
				w.problem(fail(http.StatusForbidden, "responseTooLarge", "Response Too Large"))
			default:
				s.serveAPI(w, r, service)
			}
		})
		header := textproto.MIMEHeader{"Content-Type": {"application/http"}}
		if part.id != "" {
			header.Set("Content-ID", part.id)
		}
		into, err := answers.CreatePart(header)
		if err == nil {
			err = answer.write(into)
		}
		if err != nil {
			panic("google: a batch in memory cannot be written: " + err.Error())
		}
	}
	_ = answers.Close() // into memory
	whole := &seen{ResponseWriter: w, request: r, packers: &s.packers}
	w.Header().Set("Content-Type", "multipart/mixed; boundary="+answers.Boundary())
	w.Header().Set("Cache-Control", "private, max-age=0")
	whole.send(http.StatusOK, out.Bytes())
}

// batchPart is one call in a batch, or what is wrong with it.
type batchPart struct {
	id      string
	request *http.Request
	problem *problem
}

func (s *Server) readBatch(w http.ResponseWriter, r *http.Request, d *discovery.Document) ([]batchPart, *problem) {
	bad := func(text string) ([]batchPart, *problem) { return nil, fail(http.StatusBadRequest, "badRequest", text) }
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		return nil, fail(http.StatusMethodNotAllowed, "httpMethodNotAllowed", "Method Not Allowed")
	}
	media, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "multipart/mixed" || parameters["boundary"] == "" {
		return bad("Failed to parse batch request, error: the content type is not multipart/mixed with a boundary.")
	}
	reader := multipart.NewReader(http.MaxBytesReader(w, r.Body, maxBatch), parameters["boundary"])
	var parts []batchPart
	for {
		part, err := reader.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return bad("Failed to parse batch request, error: a part is broken.")
		}
		if len(parts) == s.batchCalls(d) {
			return bad(fmt.Sprintf("The batch request has more than %d calls.", s.batchCalls(d)))
		}
		parts = append(parts, readPart(r, part))
	}
	if len(parts) == 0 {
		return bad("Failed to parse batch request, error: 0 items.")
	}
	return parts, nil
}

// readPart reads the request in a part: a request line of path and query, headers and a body.
func readPart(outer *http.Request, part *multipart.Part) batchPart {
	p := batchPart{}
	if id := strings.Trim(part.Header.Get("Content-ID"), "<>"); id != "" {
		p.id = "<response-" + id + ">"
	}
	refuse := func(text string) batchPart {
		p.problem = fail(http.StatusBadRequest, "badRequest", text)
		p.request = outer.Clone(outer.Context())
		p.request.URL, p.request.Body = &url.URL{Path: outer.URL.Path}, http.NoBody
		return p
	}
	raw, err := io.ReadAll(part)
	if err != nil {
		return refuse("Failed to parse batch request, error: a part is broken.")
	}
	if media, _, _ := mime.ParseMediaType(part.Header.Get("Content-Type")); media != "application/http" {
		return refuse("Failed to parse batch request, error: a part is not of type application/http.")
	}
	// Parts need no version and no length (RFC 9112 asks for both), so both are added.
	head, body, found := bytes.Cut(raw, []byte("\r\n\r\n"))
	if !found {
		head, body, _ = bytes.Cut(bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n")), []byte("\n\n"))
	}
	line, fields, _ := strings.Cut(strings.ReplaceAll(string(head), "\r\n", "\n"), "\n")
	if !strings.Contains(line, " HTTP/") {
		line += " HTTP/1.1"
	}
	plain := []string{line, "Host: " + outer.Host}
	for field := range strings.SplitSeq(fields, "\n") {
		if name, _, _ := strings.Cut(field, ":"); field != "" && !strings.EqualFold(name, "Host") {
			plain = append(plain, field)
		}
	}
	inner, err := http.ReadRequest(bufio.NewReader(strings.NewReader(strings.Join(plain, "\r\n") + "\r\n\r\n")))
	switch {
	case err != nil || !strings.HasPrefix(inner.RequestURI, "/"):
		return refuse("Failed to parse batch request, error: a part is no request.")
	case strings.HasPrefix(inner.URL.Path, "/upload/") || strings.HasPrefix(inner.URL.Path, "/resumable/"):
		return refuse("Media requests are not allowed in batches.")
	}
	inner.Header.Del("Content-Length")
	inner.Header.Del("Transfer-Encoding")
	inner.Body, inner.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	inner.Host, inner.RemoteAddr = outer.Host, outer.RemoteAddr
	if inner.Header.Get("Authorization") == "" && outer.Header.Get("Authorization") != "" {
		inner.Header.Set("Authorization", outer.Header.Get("Authorization"))
	}
	p.request = inner.WithContext(outer.Context())
	return p
}

// partAnswer is an answer in memory: of a part of a batch, or of an upload that may be asked for its end again.
type partAnswer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header are the answer's.
func (p *partAnswer) Header() http.Header { return p.header }

// WriteHeader keeps the first status.
func (p *partAnswer) WriteHeader(status int) {
	if p.status == 0 {
		p.status = status
	}
}

// Write keeps the body.
func (p *partAnswer) Write(b []byte) (int, error) { return p.body.Write(b) }

func (p *partAnswer) write(to io.Writer) error {
	if _, err := fmt.Fprintf(to, "HTTP/1.1 %d %s\r\n", p.status, http.StatusText(p.status)); err != nil {
		return err
	}
	if err := p.header.Write(to); err != nil {
		return err
	}
	_, err := to.Write(append([]byte("\r\n"), p.body.Bytes()...))
	return err
}

// replay returns the answer to a client.
func (p *partAnswer) replay(w *seen) {
	for name, values := range p.header {
		w.Header()[name] = slices.Clone(values)
	}
	w.send(p.status, p.body.Bytes())
}
