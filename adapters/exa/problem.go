package exa

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxProblem bounds what is read of an error's body, in bytes. Exa's have a few hundred.
const maxProblem = 64 << 10

// Tags of Exa that mean more than their status (https://docs.exa.ai/reference/error-codes).
const (
	tagCredits  = "NO_MORE_CREDITS"
	tagBudget   = "API_KEY_BUDGET_EXCEEDED"
	tagOverload = "SERVICE_OVERLOADED"
)

// problem is what an error's body says, fit for clients.
type problem struct {
	// told: the body is Exa's, and not of something before it.
	told bool
	// tag is Exa's name for what is wrong; empty when it has none.
	tag string
	// message is what it says, in one line, without keys and addresses.
	message string
}

// readProblem reads both bodies that Exa has: {statusCode, message, error, path} of Websets, and {requestId, error,
// tag} of the rest. Others say nothing.
func readProblem(body []byte, secret string) problem {
	if len(body) > maxProblem {
		body = body[:maxProblem]
	}
	type said struct {
		Message json.RawMessage `json:"message"`
		Error   json.RawMessage `json:"error"`
		Tag     json.RawMessage `json:"tag"`
	}
	var all said
	if json.Unmarshal(body, &all) != nil {
		return problem{}
	}
	p := problem{told: true, tag: identifier(text(all.Tag), secret)}
	for _, raw := range []json.RawMessage{all.Message, all.Error} {
		for _, words := range texts(raw) {
			p.message = joined(p.message, words)
		}
		if p.message != "" {
			break
		}
	}
	p.message = reasonOf(p.message, secret)
	return p
}

// texts gives a JSON text, or the texts of a list.
func texts(raw json.RawMessage) []string {
	if one := text(raw); one != "" {
		return []string{one}
	}
	var several []json.RawMessage
	if json.Unmarshal(raw, &several) != nil {
		return nil
	}
	const most = 5
	var all []string
	for _, one := range several[:min(len(several), most)] {
		if words := text(one); words != "" {
			all = append(all, words)
		}
	}
	return all
}

func joined(before, words string) string {
	if before == "" {
		return words
	}
	return before + "; " + words
}

// text gives a JSON string's text; empty for anything else.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// private are parts of messages that nobody else should read: addresses, and what may be a key.
var private = regexp.MustCompile(
	`(?i)[a-z][a-z0-9+.-]*://\S+|\bbearer\s+\S+|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{4,}|\b(sk|key|token)-[\w-]{8,}|\b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b`)

// reasonOf makes Exa's words fit for a client: one line, without keys and addresses, at most 200 characters.
func reasonOf(words, secret string) string {
	const most, widest = 200, 4
	words = strings.ToValidUTF8(words[:min(len(words), 2*widest*most)], "")
	if secret != "" {
		words = strings.ReplaceAll(words, secret, "…")
	}
	words = strings.Join(strings.Fields(strings.Map(visible, private.ReplaceAllString(words, "…"))), " ")
	if utf8.RuneCountInString(words) <= most {
		return words
	}
	return strings.TrimSpace(string([]rune(words)[:most-1])) + "…"
}

// visible takes out what cannot be seen, or turns the direction of writing.
func visible(r rune) rune {
	switch {
	case unicode.IsSpace(r), unicode.IsControl(r):
		return ' '
	case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r), r == unicode.ReplacementChar:
		return -1
	default:
		return r
	}
}

// identifier gives a name back if it has the form of a tag and does not hold the secret, and nothing otherwise: it goes
// into log lines and answers as it is.
func identifier(name, secret string) string {
	const most = 60
	if len(name) > most || secret != "" && strings.Contains(name, secret) {
		return ""
	}
	for i := range len(name) {
		c := name[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-' && c != '.' {
			return ""
		}
	}
	return name
}
