package sse

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"almanac/internal/httpapi/answer"
)

// framing is how answers become bytes. Each method appends to buf; what it returns is written and flushed at once.
type framing interface {
	mediaType() string
	// begin opens the stream, so that the client sees the headers.
	begin(buf []byte) []byte
	next(buf []byte, response *graphql.Response) ([]byte, error)
	heartbeat(buf []byte) []byte
	// complete ends a stream whose operation is over.
	complete(buf []byte) []byte
	// interrupt ends a stream whose operation is not over.
	interrupt(buf []byte, why gqlerror.List) ([]byte, error)
}

// maxEventID bounds the id that a client sends back in a header.
const maxEventID = 1024

// events is the event stream of the HTML standard (section 9.2) with the events of graphql-sse.
type events struct{}

func (events) mediaType() string { return "text/event-stream; charset=utf-8" }

// begin also tells EventSource to come back after a second rather than the browser's three to five.
func (events) begin(buf []byte) []byte { return append(buf, "retry: 1000\n\n"...) }

func (events) next(buf []byte, response *graphql.Response) ([]byte, error) {
	if cursor, ok := response.Extensions["cursor"].(string); ok && isEventID(cursor) {
		buf = append(buf, "id: "...)
		buf = append(buf, cursor...)
		buf = append(buf, '\n')
	}
	buf, err := answer.Append(append(buf, "event: next\ndata: "...), response)
	if err != nil {
		return nil, err
	}
	return append(buf, "\n\n"...), nil
}

func (events) heartbeat(buf []byte) []byte { return append(buf, ":\n\n"...) }

// complete has a data line, without which EventSource drops the event.
func (events) complete(buf []byte) []byte { return append(buf, "event: complete\ndata:\n\n"...) }

// interrupt says nothing: the end of the response without "complete" is what makes clients come back.
func (events) interrupt(buf []byte, _ gqlerror.List) ([]byte, error) { return buf, nil }

// isEventID reports whether text can be an event's id and come back as a header.
func isEventID(text string) bool {
	return text != "" && len(text) <= maxEventID &&
		!strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// parts is Apollo's multipart subscription protocol over HTTP, version 1.0: multipart/mixed (RFC 2046, section 5.1)
// with the boundary "-". Every part is followed by the next delimiter at once, since clients hold a part back until
// they see it.
type parts struct{}

const partHead = "\r\nContent-Type: application/json\r\n\r\n"

func (parts) mediaType() string { return `multipart/mixed;boundary="-";subscriptionSpec="1.0"` }

func (parts) begin(buf []byte) []byte { return append(buf, "\r\n---"...) }

func (parts) next(buf []byte, response *graphql.Response) ([]byte, error) {
	buf, err := answer.Append(append(buf, partHead+`{"payload":`...), response)
	if err != nil {
		return nil, err
	}
	return append(buf, "}\r\n---"...), nil
}

func (parts) heartbeat(buf []byte) []byte { return append(buf, partHead+"{}\r\n---"...) }

func (parts) complete(buf []byte) []byte { return append(buf, "--\r\n"...) }

func (parts) interrupt(buf []byte, why gqlerror.List) ([]byte, error) {
	errors, err := json.Marshal(why)
	if err != nil {
		return nil, fmt.Errorf("encode why a stream ends: %w", err)
	}
	buf = append(buf, partHead+`{"payload":null,"errors":`...)
	return append(append(buf, errors...), "}\r\n-----\r\n"...), nil
}
