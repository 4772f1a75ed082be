package telemetry

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Redacted stands where something was taken out.
const Redacted = "[redacted]"

// maxValue bounds one logged text, in bytes: enough for a stack, and an error cannot quote as much as it likes.
const maxValue = 16 << 10

// sensitiveName tells whether an attribute's name says that its value is a secret or a user's words. Case, dashes, dots
// and underscores make no difference.
func sensitiveName(name string) bool {
	bare := strings.Map(func(r rune) rune {
		switch r {
		case '-', '_', '.', ' ':
			return -1
		}
		return r
	}, strings.ToLower(name))
	switch bare {
	// A user's words. Whole names only: "context" holds "text".
	case "text", "body", "query", "document", "variables", "variable", "arguments", "args", "input", "title", "subject",
		"sub",
		"summary", "description", "content", "snippet", "category", "search", "email", "mail", "candidates", "answer",
		"response",
		"graphqldocument", "dbquerytext", "dbstatement", "urlquery", "urlfull", "httpurl", "httptarget", "sql":
		return true
	}
	for _, part := range []string{"token", "authorization", "cookie", "secret", "password", "passwd", "credential",
		"apikey", "privatekey", "bearer", "idempotencykey"} {
		if strings.Contains(bare, part) {
			return true
		}
	}
	return false
}

// secretForms are secrets that are known by their look, wherever they stand.
var secretForms = regexp.MustCompile(`almanac_[0-9A-Za-z]{20,}(?:_[0-9A-Za-z]*)?` + // API tokens, whole or cut short
	`|eyJ[0-9A-Za-z_-]{5,}\.[0-9A-Za-z_-]*\.?[0-9A-Za-z_-]*` + // JWTs
	`|(?i:bearer|basic)\s+[0-9A-Za-z._~+/=-]{8,}`) // Authorization values

// urlPassword is the user part of an address.
var urlPassword = regexp.MustCompile(`(://)[^/?#\s"']*@`)

// keywordPassword is the password of a database's keyword form.
var keywordPassword = regexp.MustCompile(`(?i)(\b(?:password|passwd|sslpassword|secret)\s*=\s*)('[^']*'|[^\s&;]+)`)

// scrub takes secrets out of a text, and what is beyond maxValue.
func scrub(text string) string {
	if len(text) > maxValue {
		cut := maxValue
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut] + "…"
	}
	text = secretForms.ReplaceAllString(text, Redacted)
	text = urlPassword.ReplaceAllString(text, "${1}"+Redacted+"@")
	return keywordPassword.ReplaceAllString(text, "${1}"+Redacted)
}
