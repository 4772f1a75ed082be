package httpapi

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// The media types of answers.
const (
	mediaJSON      = "application/json"
	mediaGraphQL   = "application/graphql-response+json"
	mediaEvents    = "text/event-stream"
	mediaMultipart = "multipart/mixed"
)

// maxAcceptRanges bounds how much of an Accept header is looked at; what is beyond it is as if it were not there.
const maxAcceptRanges = 32

// accepted is what a client takes as an answer (RFC 9110, section 12.5.1).
type accepted struct {
	// media is mediaJSON or mediaGraphQL, or "" when the client takes neither.
	media string
	// stream tells that the client names an event stream or multipart, so a subscription can be answered.
	stream bool
	// onlyStream tells that it prefers the stream to JSON for anything.
	onlyStream bool
	// parts is the form in which the client reads an answer in parts, where it likes that as much as JSON.
	parts form
}

// negotiate reads the Accept headers. A client that says nothing, or takes anything, gets application/json, the way
// of the clients from before the specification (GraphQL over HTTP, section 6.1). Streams count only when they are
// named, and beside a JSON type of equal quality only for subscriptions: several clients name all types always.
func negotiate(header http.Header) accepted {
	values := header.Values("Accept")
	if len(values) == 0 {
		return accepted{media: mediaJSON}
	}
	var json, graphql, stream, parts preference
	var a accepted
	count := 0
	for _, value := range values {
		for part := range strings.SplitSeq(value, ",") {
			if count++; count > maxAcceptRanges {
				break
			}
			media, params, quality, ok := mediaRange(part)
			if !ok {
				continue
			}
			switch media {
			case mediaJSON:
				json.raise(3, quality)
			case mediaGraphQL:
				graphql.raise(3, quality)
			case mediaEvents:
				stream.raise(3, quality)
			case mediaMultipart:
				// Without subscriptionSpec a client means the parts of deferred queries.
				if params["subscriptionspec"] != "" {
					stream.raise(3, quality)
				} else if as := formOf(params); as != noParts && parts.raise(3, quality) {
					a.parts = as
				}
			case "application/*":
				json.raise(2, quality)
				graphql.raise(2, quality)
			case "*/*":
				json.raise(1, quality)
				graphql.raise(1, quality)
			}
		}
	}
	switch {
	case graphql.quality > json.quality, graphql.quality > 0 && graphql.quality == json.quality && graphql.specific == 3:
		a.media = mediaGraphQL
	case json.quality > 0:
		a.media = mediaJSON
	}
	if parts.quality < max(json.quality, graphql.quality) || parts.quality == 0 {
		a.parts = noParts
	} else if a.media == "" { // an answer without parts is JSON all the same
		a.media = mediaJSON
	}
	a.stream = stream.quality > 0
	a.onlyStream = a.stream && stream.quality > max(json.quality, graphql.quality)
	return a
}

// preference is the quality of the most specific range that matches a type, and of equals the highest.
type preference struct {
	specific int
	quality  float64
}

// raise takes a range into account, and reports whether it counts.
func (p *preference) raise(specific int, quality float64) bool {
	if specific > p.specific || specific == p.specific && quality > p.quality {
		*p = preference{specific: specific, quality: quality}
		return true
	}
	return false
}

// mediaRange reads one range of an Accept header. A charset other than UTF-8 asks for what is not served.
func mediaRange(text string) (media string, params map[string]string, quality float64, ok bool) {
	switch text { // as most clients write it
	case mediaJSON, mediaGraphQL, "*/*":
		return text, nil, 1, true
	}
	media, params, err := mime.ParseMediaType(strings.TrimSpace(text))
	if err != nil {
		return "", nil, 0, false
	}
	if charset, given := params["charset"]; given && !strings.EqualFold(charset, "utf-8") {
		return "", nil, 0, false
	}
	quality = 1
	if q, given := params["q"]; given {
		quality, err = strconv.ParseFloat(q, 64)
		if err != nil || !(quality >= 0 && quality <= 1) {
			return "", nil, 0, false
		}
	}
	return media, params, quality, true
}
