package httpapi

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"

	"almanac/graph/model"
)

// What a cache is told of an answer that it may keep: it is one user's alone, and is asked about before each use.
const (
	cacheRevalidate = "private, no-cache"
	// varyGet are the headers, beside those of every answer, on which an answer depends.
	varyGet = "Authorization, Accept-Language, X-Time-Zone"
)

// revalidated sets the headers by which a client may keep the answer of a GET, and reports whether it has this answer
// already (RFC 9110, section 13.1.2). The tag is weak, as one answer has several encodings, and of one user: what
// another got never counts as this user's.
func (w *writer) revalidated(header http.Header, r *http.Request, user model.UserID, body []byte) bool {
	sum := sha256.New()
	_, _ = sum.Write(user[:]) // writing to a hash does not fail
	_, _ = sum.Write(body)
	tag := `"` + base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:16]) + `"`
	header.Set("ETag", "W/"+tag)
	header.Set("Cache-Control", cacheRevalidate)
	header.Add("Vary", varyGet)
	for _, value := range r.Header.Values("If-None-Match") {
		for known := range strings.SplitSeq(value, ",") {
			known = strings.TrimSpace(known)
			if known == "*" || strings.TrimPrefix(known, "W/") == tag {
				header.Add("Vary", w.headers.vary[0])
				return true
			}
		}
	}
	return false
}
