package request

import (
	"bytes"
	"mime"
	"net/http"
	"strings"

	"almanac/internal/httpapi/engine"
)

// MaxUpload is the published limit of a file that is sent by itself, in bytes.
const MaxUpload = 5 << 20

// keyVariable is the parameter of an upload that names the variable which the file becomes.
const keyVariable = "variable"

// ReadUpload reads a POST whose body is the text of a file: the URL has the request, as in ReadGet, and the file
// becomes the variable that the parameter "variable" names. Its media type is text/calendar, which no page can send to
// another site without asking first (Fetch, "CORS-safelisted request-header"). What is no UTF-8 in it is replaced.
//
// Errors are those of ReadPost.
func ReadUpload(r *http.Request, limit int64) (engine.Request, error) {
	if r.Method != http.MethodPost {
		e := refuse(http.StatusMethodNotAllowed, "A file is sent by POST.")
		e.Allow = http.MethodPost
		return engine.Request{}, e
	}
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	charset := params["charset"]
	if err != nil || media != "text/calendar" || charset != "" && !strings.EqualFold(charset, "utf-8") ||
		r.Header.Get("Content-Encoding") != "" {
		return engine.Request{}, refuse(http.StatusUnsupportedMediaType,
			"A file needs the header Content-Type: text/calendar; it is in UTF-8 and not compressed.")
	}
	request, err := ReadGet(r)
	if err != nil {
		return engine.Request{}, err
	}
	name := r.URL.Query().Get(keyVariable)
	if _, given := request.Variables[name]; name == "" || given {
		return engine.Request{}, bad("The parameter %q names the variable that the file becomes, such as text for $text.",
			keyVariable)
	}
	body, err := readBody(r, limit)
	if err != nil {
		return engine.Request{}, err
	}
	if bytes.HasPrefix(body, []byte{0xFF, 0xFE}) || bytes.HasPrefix(body, []byte{0xFE, 0xFF}) {
		return engine.Request{}, refuse(http.StatusUnsupportedMediaType, "The file is in UTF-16; save it as UTF-8.")
	}
	if request.Variables == nil {
		request.Variables = map[string]any{}
	}
	request.Variables[name] = strings.ToValidUTF8(string(body), "\uFFFD")
	request.QueriesOnly = false
	return request, nil
}
