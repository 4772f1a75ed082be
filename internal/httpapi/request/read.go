package request

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"almanac/internal/httpapi/engine"
)

// MaxBody is the published limit of a request's body, in bytes.
const MaxBody = 1 << 20

// Methods is the Allow header of a GraphQL endpoint.
const Methods = "GET, POST"

const mediaJSON = "application/json"

// Read reads a GET or a POST; any other method is refused with 405. limit is the largest body, in bytes.
//
// Errors are *Error, or the connection's own error when the body could not be read.
func Read(r *http.Request, limit int64) (engine.Request, error) {
	switch r.Method {
	case http.MethodGet:
		return ReadGet(r)
	case http.MethodPost:
		return ReadPost(r, limit)
	default:
		e := refuse(http.StatusMethodNotAllowed, "GraphQL is served by GET and POST, not by this method.")
		e.Allow = Methods
		return engine.Request{}, e
	}
}

// ReadPost reads the body of a POST (GraphQL over HTTP, section "POST"): application/json, at most limit bytes.
// It stops reading at the limit, so a caller that gets 413 closes the connection.
//
// Errors are *Error (400, 413 or 415), or the connection's own error when the body could not be read.
func ReadPost(r *http.Request, limit int64) (engine.Request, error) {
	if err := checkMedia(r.Header); err != nil {
		return engine.Request{}, err
	}
	body, err := readBody(r, limit)
	if err != nil {
		return engine.Request{}, err
	}
	value, err := ParseJSON(body)
	if err != nil {
		return engine.Request{}, bad("The request's body is not a JSON object: %v.", err)
	}
	switch object := value.(type) {
	case map[string]any:
		return fromObject(object)
	case []any:
		return engine.Request{}, bad("Batches are not served: send one JSON object a request, not an array.")
	default:
		return engine.Request{}, bad("The request's body must be a JSON object.")
	}
}

// maxExpected is how much of the body's stated length is made room for before any of it has arrived.
const maxExpected = 64 << 10

func readBody(r *http.Request, limit int64) ([]byte, error) {
	tooLarge := func() error {
		return refuse(http.StatusRequestEntityTooLarge, "The request's body is larger than %d bytes.", limit)
	}
	if r.ContentLength > limit {
		return nil, tooLarge()
	}
	// One byte more than expected, so that the end is seen without growing.
	body := make([]byte, 0, min(max(r.ContentLength, 511), maxExpected)+1)
	for {
		n, err := r.Body.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case int64(len(body)) > limit:
			return nil, tooLarge()
		case errors.Is(err, io.EOF):
			return body, nil
		case err != nil:
			if capped := new(http.MaxBytesError); errors.As(err, &capped) {
				return nil, tooLarge()
			}
			return nil, err
		}
		if len(body) == cap(body) {
			body = append(body, 0)[:len(body)]
		}
	}
}

// checkMedia wants application/json, in UTF-8 and not compressed.
func checkMedia(h http.Header) error {
	types := h.Values("Content-Type")
	if len(types) != 1 {
		return refuse(http.StatusUnsupportedMediaType, "A POST needs the header Content-Type: application/json, once.")
	}
	if types[0] != mediaJSON { // as most clients write it
		media, params, err := mime.ParseMediaType(types[0])
		if err != nil || media != mediaJSON {
			return refuse(http.StatusUnsupportedMediaType, "The media type must be application/json.")
		}
		if charset, given := params["charset"]; given && !strings.EqualFold(charset, "utf-8") {
			return refuse(http.StatusUnsupportedMediaType, "The charset must be utf-8.")
		}
	}
	// A compressed body could grow far beyond the limit, and no client of this API needs one.
	for _, coding := range h.Values("Content-Encoding") {
		if !strings.EqualFold(strings.TrimSpace(coding), "identity") {
			return refuse(http.StatusUnsupportedMediaType, "Compressed bodies are not served.")
		}
	}
	return nil
}

// ReadGet reads the URL of a GET (GraphQL over HTTP, section "GET"): query or documentId, operationName, and variables
// and extensions as JSON objects. The result is marked QueriesOnly. An empty parameter counts as left out; a parameter
// given twice is refused. Parameters of other names are left alone.
//
// Errors are *Error (400).
func ReadGet(r *http.Request) (engine.Request, error) {
	params, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return engine.Request{}, bad("The URL's parameters are not well formed.")
	}
	object := map[string]any{}
	for _, name := range [...]string{keyDocumentID, keyQuery, keyOperationName, keyVariables, keyExtensions} {
		values := params[name]
		if len(values) > 1 {
			return engine.Request{}, bad("The URL has the parameter %q more than once.", name)
		}
		if len(values) == 0 || values[0] == "" {
			continue
		}
		if !utf8.ValidString(values[0]) {
			return engine.Request{}, bad("The parameter %q is not valid UTF-8.", name)
		}
		if name != keyVariables && name != keyExtensions {
			object[name] = values[0]
			continue
		}
		if object[name], err = ParseJSON([]byte(values[0])); err != nil {
			return engine.Request{}, bad("The parameter %q is not a JSON object: %v.", name, err)
		}
	}
	request, err := fromObject(object)
	request.QueriesOnly = true
	return request, err
}
