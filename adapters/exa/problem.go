package exa

import (
	"encoding/json"
	"regexp"
	"strings"

	"almanac/adapters/remote"
)

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
	type said struct {
		Message json.RawMessage `json:"message"`
		Error   json.RawMessage `json:"error"`
		Tag     json.RawMessage `json:"tag"`
	}
	var all said
	if json.Unmarshal(body, &all) != nil {
		return problem{}
	}
	p := problem{told: true, tag: remote.Identifier(remote.Text(all.Tag), secret)}
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

// texts returns a JSON text, or the texts of a list.
func texts(raw json.RawMessage) []string {
	if one := remote.Text(raw); one != "" {
		return []string{one}
	}
	var several []json.RawMessage
	if json.Unmarshal(raw, &several) != nil {
		return nil
	}
	const most = 5
	var all []string
	for _, one := range several[:min(len(several), most)] {
		if words := remote.Text(one); words != "" {
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

// private are parts of messages that nobody else should read: addresses, and what may be a key.
var private = regexp.MustCompile(
	`(?i)[a-z][a-z0-9+.-]*://\S+|\bbearer\s+\S+|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{4,}|` +
		`\b(sk|key|token)-[\w-]{8,}|\b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b`)

// reasonOf makes Exa's words fit for a client: one line, without keys and addresses, at most 200 characters.
func reasonOf(words, secret string) string {
	const most = 200
	if secret != "" {
		words = strings.ReplaceAll(words, secret, "…")
	}
	return remote.OneLine(words, most, private)
}
