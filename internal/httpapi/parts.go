package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"almanac/graph/plan"
	"almanac/internal/httpapi/answer"
	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/share"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// form is how a client reads an answer in parts.
type form int

const (
	// noParts: it does not.
	noParts form = iota
	// byPath is the draft of 24 August 2022: each part says where its data goes.
	byPath
	// byID is the draft as graphql-js 17 has it: fragments are announced, and parts refer to them.
	byID
)

// formOf returns the form that the parameters of multipart/mixed ask for. The older one is what most clients read, and
// what those read that name none.
func formOf(params map[string]string) form {
	deferSpec, older := params["deferspec"]
	incrementalSpec, newer := params["incrementalspec"]
	switch {
	case newer && incrementalSpec == "v0.2":
		return byID
	case older && deferSpec == "20220824", !older && !newer:
		return byPath
	default:
		return noParts
	}
}

// The bodies of parts stand between delimiters (RFC 2046, section 5.1.1) whose boundary is "-". Each part is followed
// by the next delimiter at once, since clients hold a part back until they see it. No JSON has a line that begins so.
const (
	partDelimiter = "\r\n---"
	partHead      = "\r\nContent-Type: application/json; charset=utf-8\r\n\r\n"
	lastDelimiter = "--\r\n"
)

// inParts answers a query that defers. It returns when the last part is written, or the client is gone.
func (h *Handler) inParts(ctx context.Context, w http.ResponseWriter, r *http.Request, accept accepted,
	op engine.Operation) {
	part, rest := op.Start(ctx)
	if turn := share.TurnOf(ctx); turn != nil && part.More { // it takes as long as its client does
		turn.Leave()
	}
	defer rest.Close()
	if !part.More { // nothing was deferred after all
		h.whole(w, r, accept.media, part, op)
		return
	}
	out := h.write.begin(w, r, accept.parts)
	defer out.end()
	body, err := accept.parts.first(nil, part)
	op.Release()
	for err == nil && out.send(body, part.More) == nil && part.More {
		part = rest.Next()
		body, err = accept.parts.next(body[:0], part)
	}
	if err != nil {
		h.cfg.Logger.ErrorContext(ctx, "a part of an answer cannot be written", "cause", err.Error())
	}
}

func (h *Handler) whole(w http.ResponseWriter, r *http.Request, media string, part engine.Part, op engine.Operation) {
	if err := h.write.response(w, r, media, http.StatusOK, part.Response); err != nil {
		h.refuse(w, r, media, http.StatusInternalServerError, reasonInternal, err)
	}
	op.Release()
}

// partsWriter writes the parts of one answer.
type partsWriter struct {
	out    http.ResponseWriter
	bounds deadlines
	flush  func() error
	from   *writer
	// zipped is nil without compression.
	zipped *compressed
	how    coding
	begun  bool
}

// begin writes the headers of an answer in parts.
func (w *writer) begin(out http.ResponseWriter, r *http.Request, as form) *partsWriter {
	header := out.Header()
	if as == byID {
		header.Set("Content-Type", `multipart/mixed; boundary="-"; incrementalSpec=v0.2`)
	} else {
		header.Set("Content-Type", `multipart/mixed; boundary="-"; deferSpec=20220824`)
	}
	header["X-Content-Type-Options"] = w.headers.noSniff
	header.Set("Cache-Control", "no-store, no-transform")
	header.Set("X-Accel-Buffering", "no") // nginx would hold parts back
	header.Add("Vary", w.headers.vary[0])
	p := &partsWriter{out: out, bounds: deadlinesOf(out), flush: http.NewResponseController(out).Flush, from: w}
	if p.how = codingFor(r.Header); p.how != codingNone {
		header.Set("Content-Encoding", p.how.String())
		p.zipped = w.stream(p.how)
	}
	out.WriteHeader(http.StatusOK)
	return p
}

// send writes a part and sees that it leaves. An error says that the client takes no more.
func (p *partsWriter) send(body []byte, more bool) error {
	var framed bytes.Buffer
	if !p.begun {
		p.begun = true
		framed.WriteString(partDelimiter)
	}
	if len(body) > 0 {
		framed.WriteString(partHead)
		framed.Write(body)
		framed.WriteString(partDelimiter)
	}
	if !more {
		framed.WriteString(lastDelimiter)
	}
	text := framed.Bytes()
	if len(text) == 0 {
		return nil
	}
	if z := p.zipped; z != nil { // writing to memory does not fail
		z.out.Reset()
		_, _ = z.stream.Write(text)
		if more {
			_ = z.stream.Flush()
		} else {
			_ = z.stream.Close()
		}
		text = z.out.Bytes()
	}
	if p.bounds != nil {
		_ = p.bounds.SetWriteDeadline(time.Now().Add(WriteTimeout)) // best effort: the connection may be gone
	}
	if _, err := p.out.Write(text); err != nil {
		return err
	}
	return p.flush()
}

// end returns to the pools what was borrowed.
func (p *partsWriter) end() {
	if p.zipped != nil {
		p.from.streams[p.how].put(p.zipped)
	}
}

// first appends the first part of an answer.
func (f form) first(buf []byte, part engine.Part) ([]byte, error) {
	buf, err := answer.Append(buf, part.Response)
	if err != nil {
		return nil, err
	}
	o := object{buf: buf[:len(buf)-1]}
	if f == byID {
		o.list(`"pending"`, len(part.Pending), func(i int) { o.pending(part.Pending[i]) })
	}
	o.hasNext(part.More)
	return o.buf, o.err
}

// next appends a later part; nothing where the form has nothing to say.
func (f form) next(buf []byte, part engine.Part) ([]byte, error) {
	o := object{buf: append(buf, '{')}
	if f == byID {
		o.list(`"pending"`, len(part.Pending), func(i int) { o.pending(part.Pending[i]) })
		o.list(`"incremental"`, len(part.Data), func(i int) { o.dataByID(part.Data[i]) })
		o.list(`"completed"`, len(part.Completed), func(i int) { o.completed(part.Completed[i]) })
	} else {
		failed := failures(part.Completed)
		o.list(`"incremental"`, len(part.Data)+len(failed), func(i int) {
			if i < len(part.Data) {
				data := part.Data[i]
				o.dataByPath(data.Fields, data.Path, data.Fragment.Label, data.Errors)
				return
			}
			fragment := failed[i-len(part.Data)]
			o.dataByPath([]byte("null"), fragment.Fragment.Path, fragment.Fragment.Label, fragment.Errors)
		})
	}
	if len(part.Extensions) > 0 {
		o.value(`"extensions":`, part.Extensions)
	}
	if len(o.buf) == len(buf)+1 && part.More {
		return buf, nil
	}
	o.hasNext(part.More)
	return o.buf, o.err
}

// failures returns the fragments that failed. Errors that several have in common are the first one's.
func failures(completed []plan.Completed) []plan.Completed {
	var out []plan.Completed
	said := map[*gqlerror.Error]bool{}
	for _, one := range completed {
		if len(one.Errors) == 0 {
			continue
		}
		if said[one.Errors[0]] {
			one.Errors = nil
		} else {
			said[one.Errors[0]] = true
		}
		out = append(out, one)
	}
	return out
}

// object appends a JSON object, key by key.
type object struct {
	buf []byte
	err error
}

func (o *object) key(key string) {
	if last := o.buf[len(o.buf)-1]; last != '{' {
		o.buf = append(o.buf, ',')
	}
	o.buf = append(o.buf, key...)
}

// list appends a list of objects, unless it is empty.
func (o *object) list(key string, length int, element func(i int)) {
	if length == 0 {
		return
	}
	o.key(key)
	o.buf = append(o.buf, ":["...)
	for i := range length {
		if i > 0 {
			o.buf = append(o.buf, ',')
		}
		o.buf = append(o.buf, '{')
		element(i)
		o.buf = append(o.buf, '}')
	}
	o.buf = append(o.buf, ']')
}

func (o *object) value(key string, value any) {
	text, err := json.Marshal(value)
	if err != nil && o.err == nil {
		o.err = err
	}
	o.key(key)
	o.buf = append(o.buf, text...)
}

func (o *object) path(key string, path ast.Path) {
	if len(path) == 0 {
		o.key(key)
		o.buf = append(o.buf, "[]"...)
		return
	}
	o.value(key, path)
}

func (o *object) label(label string) {
	if label != "" {
		o.value(`"label":`, label)
	}
}

func (o *object) id(f *plan.Fragment) {
	o.key(`"id":"`)
	o.buf = append(strconv.AppendInt(o.buf, int64(f.ID), 10), '"')
}

func (o *object) errors(errors gqlerror.List) {
	if len(errors) > 0 {
		o.value(`"errors":`, errors)
	}
}

func (o *object) data(fields []byte) {
	o.key(`"data":`)
	o.buf = append(o.buf, fields...)
}

func (o *object) hasNext(more bool) {
	o.key(`"hasNext":`)
	o.buf = append(strconv.AppendBool(o.buf, more), '}')
}

func (o *object) pending(f *plan.Fragment) {
	o.id(f)
	o.path(`"path":`, f.Path)
	o.label(f.Label)
}

func (o *object) dataByID(data plan.Data) {
	o.id(data.Fragment)
	if below := data.Path[len(data.Fragment.Path):]; len(below) > 0 {
		o.path(`"subPath":`, below)
	}
	o.data(data.Fields)
	o.errors(data.Errors)
}

func (o *object) completed(completed plan.Completed) {
	o.id(completed.Fragment)
	o.errors(completed.Errors)
}

func (o *object) dataByPath(fields []byte, path ast.Path, label string, errors gqlerror.List) {
	o.data(fields)
	o.path(`"path":`, path)
	o.label(label)
	o.errors(errors)
}
