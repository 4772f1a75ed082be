package telemetry

import (
	"regexp"
	"unicode/utf8"
)

// Redacted stands where something was taken out.
const Redacted = "[redacted]"

// maxValue bounds one logged text, in bytes: enough for a stack, and an error cannot quote as much as it likes.
const maxValue = 16 << 10

// secretForms match secrets and private values that are known by their form, wherever they stand.
var secretForms = regexp.MustCompile(`almanac_[0-9A-Za-z]{20,}(?:_[0-9A-Za-z]*)?` + // API tokens, whole or cut short
	`|(?:email|thread|event|calendar)_[0-9a-hjkmnp-tv-z]{8,}` + // ids that contain references of Google
	`|eyJ[0-9A-Za-z_-]{5,}\.[0-9A-Za-z_-]*\.?[0-9A-Za-z_-]*` + // JWTs
	`|(?i:bearer|basic)\s+[0-9A-Za-z._~+/=-]{8,}`) // Authorization values

// urlPassword is the user part of a URL.
var urlPassword = regexp.MustCompile(`(://)[^/?#\s"']*@`)

// keywordPassword is the password of a database's keyword form.
var keywordPassword = regexp.MustCompile(`(?i)(\b(?:password|passwd|sslpassword|secret)\s*=\s*)('[^']*'|[^\s&;]+)`)

// emailAddress needs letters behind its last dot, so that a module with its version (x@v1.2.3) in a stack is none.
var emailAddress = regexp.MustCompile(`[\p{L}0-9._%+'-]+@[\p{L}0-9-]+(?:\.[\p{L}0-9-]+)*\.\p{L}{2,}`)

// scrub takes secrets and e-mail addresses out of a text, and what is beyond maxValue.
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
	text = keywordPassword.ReplaceAllString(text, "${1}"+Redacted)
	return emailAddress.ReplaceAllString(text, Redacted)
}
