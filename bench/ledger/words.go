//go:build bench

package main

import (
	"encoding/json"
	"regexp"
	"strings"
)

// changing is what differs between two answers of the same kind: ids, traces, numbers.
var changing = regexp.MustCompile(`[0-9a-f]{16,}|\b\d+\b`)

// wordsOf returns the code and the message of an answer's first error, with what differs each time taken out.
func wordsOf(body []byte) string {
	var e envelope
	if json.Unmarshal(body, &e) != nil {
		return "not JSON: " + clip(body)
	}
	if len(e.Errors) == 0 {
		return "no error: " + clip(body)
	}
	return e.Errors[0].Extensions.Code + ": " + strings.TrimSpace(changing.ReplaceAllString(e.Errors[0].Message, "…"))
}
