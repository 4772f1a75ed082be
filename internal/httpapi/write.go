package httpapi

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"almanac/graph/model"
	"almanac/internal/httpapi/answer"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

const (
	headerRequestID = "X-Request-Id"
	headerReplayed  = "Idempotency-Replayed"

	// maxPooled is the largest buffer that is kept for the next answer.
	maxPooled = 1 << 20
)

// writer writes answers, reusing buffers and compressors.
type writer struct {
	*compressors
	buffers pool[[]byte]
	headers headers
}

// headers are the values of the headers that every answer has, which all answers share. Nothing is written into them,
// and they have no room for what is appended to them.
type headers struct {
	jsonType, graphqlType, noSniff, noStore, vary []string
}

func newHeaders() headers {
	return headers{
		jsonType: []string{contentType(mediaJSON)}, graphqlType: []string{contentType(mediaGraphQL)},
		noSniff: []string{"nosniff"}, noStore: []string{"no-store"}, vary: []string{"Accept, Accept-Encoding"},
	}
}

func newWriter() *writer {
	return &writer{
		compressors: newCompressors(),
		headers:     newHeaders(),
		buffers:     pool[[]byte]{fresh: func() *[]byte { return new([]byte) }},
	}
}

// pool is a sync.Pool of one type.
type pool[T any] struct {
	used  sync.Pool
	fresh func() *T
}

func (p *pool[T]) get() *T {
	if v, ok := p.used.Get().(*T); ok {
		return v
	}
	return p.fresh()
}

func (p *pool[T]) put(v *T) { p.used.Put(v) }

// result writes the answer of an operation that has run; body is its text where there is one already.
func (w *writer) result(out http.ResponseWriter, r *http.Request, media string, user model.UserID,
	response *graphql.Response, body []byte) error {
	if body == nil {
		buffer := w.buffers.get()
		defer w.keep(buffer)
		var err error
		if *buffer, err = answer.Append((*buffer)[:0], response); err != nil {
			return err
		}
		body = *buffer
	}
	if r.Method == http.MethodGet && len(response.Errors) == 0 && w.revalidated(out.Header(), r, user, body) {
		out.WriteHeader(http.StatusNotModified)
		return nil
	}
	w.bytes(out, r, media, http.StatusOK, body)
	return nil
}

// keep lets a buffer be used for the next answer, unless it has grown too large.
func (w *writer) keep(buffer *[]byte) {
	if cap(*buffer) <= maxPooled {
		w.buffers.put(buffer)
	}
}

// response writes a GraphQL response.
func (w *writer) response(out http.ResponseWriter, r *http.Request, media string, status int,
	response *graphql.Response) error {
	buffer := w.buffers.get()
	defer w.keep(buffer)
	var err error
	if *buffer, err = answer.Append((*buffer)[:0], response); err != nil {
		return err
	}
	w.bytes(out, r, media, status, *buffer)
	return nil
}

// errors writes the errors of a request that did not run; such an answer has no data.
func (w *writer) errors(out http.ResponseWriter, r *http.Request, media string, status int, errs gqlerror.List) error {
	if media == mediaDetail {
		w.detail(out, r, status, detailOf(status, errs[0]))
		return nil
	}
	return w.response(out, r, media, status, &graphql.Response{Errors: errs})
}

// bytes writes an answer that is a text already, in one write with its length.
func (w *writer) bytes(out http.ResponseWriter, r *http.Request, media string, status int, body []byte) {
	header := out.Header()
	switch media {
	case mediaGraphQL:
		header["Content-Type"] = w.headers.graphqlType
	case mediaSchema:
		header.Set("Content-Type", contentType(media))
	default:
		header["Content-Type"] = w.headers.jsonType
	}
	header["X-Content-Type-Options"] = w.headers.noSniff
	if len(header["Cache-Control"]) == 0 {
		header["Cache-Control"] = w.headers.noStore
	}
	if len(header["Vary"]) == 0 {
		header["Vary"] = w.headers.vary
	} else {
		header.Add("Vary", w.headers.vary[0])
	}
	// A client that does not take its answer must not hold it in memory for ever.
	if bounds := deadlinesOf(out); bounds != nil {
		_ = bounds.SetWriteDeadline(time.Now().Add(WriteTimeout)) // best effort: the connection may be gone
	}

	if len(body) >= minCompressed {
		if how := codingFor(r.Header); how != codingNone {
			short, release := w.compress(how, body)
			defer release()
			header.Set("Content-Encoding", how.String())
			body = short
		}
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	out.WriteHeader(status)
	_, _ = out.Write(body) // the client may be gone, which is nobody's error
}

// contentType returns the header's value; JSON for no media type.
func contentType(media string) string {
	if media == mediaGraphQL || media == mediaSchema {
		return media + "; charset=utf-8"
	}
	return mediaJSON + "; charset=utf-8"
}
