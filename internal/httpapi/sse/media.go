package sse

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// maxAcceptRanges bounds how much of an Accept header is looked at.
const maxAcceptRanges = 32

// framingFor reads the Accept header (RFC 9110, section 12.5.1): the streaming form of the highest quality, and of
// equals the one that comes first; nil when the client names none. multipart/mixed counts only with subscriptionSpec,
// as without it a client expects the parts of deferred queries and can read no others.
func framingFor(header http.Header) framing {
	var best framing
	highest, count := 0.0, 0
	for _, value := range header.Values("Accept") {
		for part := range strings.SplitSeq(value, ",") {
			if count++; count > maxAcceptRanges {
				return best
			}
			media, params, err := mime.ParseMediaType(strings.TrimSpace(part))
			if err != nil {
				continue
			}
			var form framing
			switch media {
			case "text/event-stream":
				form = events{}
			case "multipart/mixed":
				if params["subscriptionspec"] == "" {
					continue
				}
				form = parts{}
			default:
				continue
			}
			quality := 1.0
			if q, given := params["q"]; given {
				if quality, err = strconv.ParseFloat(q, 64); err != nil || quality > 1 {
					continue
				}
			}
			if quality > highest {
				best, highest = form, quality
			}
		}
	}
	return best
}
