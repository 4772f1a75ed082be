package answer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"
)

// Append writes one answer behind buf: {"errors":[…],"data":…,"extensions":{…}}, each key only when it has a value.
// An answer without errors and without data has "data":null. Data is trusted to be JSON; its line breaks, which can
// only be white space between tokens, become spaces, so that a line-based framing can carry it.
func Append(buf []byte, response *graphql.Response) ([]byte, error) {
	separator := byte('{')
	key := func(name string) {
		buf = append(buf, separator)
		buf = append(buf, name...)
		separator = ','
	}
	if len(response.Errors) > 0 {
		errors, err := json.Marshal(response.Errors)
		if err != nil {
			return nil, fmt.Errorf("encode the errors of an answer: %w", err)
		}
		key(`"errors":`)
		buf = append(buf, errors...)
	}
	if response.Data != nil {
		key(`"data":`)
		buf = appendData(buf, response.Data)
	} else if len(response.Errors) == 0 {
		key(`"data":null`)
	}
	if len(response.Extensions) > 0 {
		extensions, err := json.Marshal(response.Extensions)
		if err != nil {
			return nil, fmt.Errorf("encode the extensions of an answer: %w", err)
		}
		key(`"extensions":`)
		buf = append(buf, extensions...)
	}
	return append(buf, '}'), nil
}

func appendData(buf, data []byte) []byte {
	if !utf8.Valid(data) {
		// A store can hold bytes that are no text. One bad byte must not cost the client the connection, which is
		// what a WebSocket peer does with invalid UTF-8 (RFC 6455, section 8.1).
		data = bytes.ToValidUTF8(data, []byte("\ufffd"))
	}
	start := len(buf)
	buf = append(buf, bytes.TrimSpace(data)...)
	written := buf[start:]
	for _, lineBreak := range []byte{'\n', '\r'} {
		for at := bytes.IndexByte(written, lineBreak); at >= 0; at = bytes.IndexByte(written, lineBreak) {
			written[at] = ' '
			written = written[at:]
		}
		written = buf[start:]
	}
	return buf
}

// IsRequestError reports whether an answer says that nothing was executed: errors and no data at all. A data of null
// that execution came to is not that.
func IsRequestError(response *graphql.Response) bool {
	return response.Data == nil && len(response.Errors) > 0
}
