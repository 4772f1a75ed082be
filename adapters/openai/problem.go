package openai

import (
	"encoding/json"
	"regexp"
	"strings"
)

// maxProblem bounds what is read of an error's body, in bytes. OpenAI's have a few hundred.
const maxProblem = 64 << 10

// problem is what an error's body says. The message stays in here: OpenAI's quotes parts of the key, and those of other
// servers quote what was sent.
type problem struct {
	// code is the endpoint's name for what is wrong, its type where there is no code; empty when neither is a name.
	code string
	// spent: an allowance is used up, and waiting a moment does not help.
	spent bool
	// tooLong: the texts, or one of them, have more tokens than are taken at once.
	tooLong bool
	// about is the part of a request to a chat that is not taken.
	about part
}

// part is a part of a request to a chat that not every server or model takes.
type part int

const (
	aboutNothing part = iota
	aboutForm
	aboutTemperature
	aboutTokens
	aboutTools
)

// readProblem reads an error's body, which may be anything. OpenAI's form is {"error": {"message", "type", "param",
// "code"}} (https://platform.openai.com/docs/guides/error-codes); other servers leave out the envelope, or give a text
// instead of the object.
func readProblem(body []byte, secret string) problem {
	type said struct {
		Message json.RawMessage `json:"message"`
		Detail  json.RawMessage `json:"detail"`
		Type    json.RawMessage `json:"type"`
		Code    json.RawMessage `json:"code"`
		Param   json.RawMessage `json:"param"`
	}
	var outer struct {
		Error json.RawMessage `json:"error"`
		said
	}
	if len(body) > maxProblem {
		body = body[:maxProblem]
	}
	if json.Unmarshal(body, &outer) != nil {
		return problem{tooLong: isTooLong(string(body)), about: partOf("", string(body))}
	}
	inner := outer.said
	if json.Unmarshal(outer.Error, &inner) != nil {
		inner = outer.said
	}
	var p problem
	for _, raw := range []json.RawMessage{inner.Code, inner.Type} {
		if p.code == "" {
			p.code = identifier(text(raw), secret)
		}
	}
	for _, raw := range []json.RawMessage{inner.Code, inner.Type} {
		switch text(raw) {
		case "insufficient_quota", "billing_hard_limit_reached", "billing_not_active":
			p.spent = true
		case "context_length_exceeded", "max_tokens_per_request", "exceed_context_size_error":
			p.tooLong = true
		}
	}
	for _, raw := range []json.RawMessage{inner.Message, inner.Detail, outer.Error} {
		p.tooLong = p.tooLong || isTooLong(text(raw))
	}
	p.about = partOf(text(inner.Param), string(body))
	return p
}

// The ways in which servers name a part of a request: OpenAI by its parameter, those that check with Pydantic by its
// place, others in a sentence.
var (
	formForm        = regexp.MustCompile(`(?i)response_format|json_schema|json_object|structured output|\bgrammar\b`)
	tokensForm      = regexp.MustCompile(`(?i)\bmax_(completion_)?tokens\b`)
	toolsForm       = regexp.MustCompile(`(?i)\btools?\b|tool_choice|parallel_tool_calls|function.call|\bfunctions\b`)
	temperatureForm = regexp.MustCompile(`(?i)\btemperature\b`)
)

// partOf tells which part of a request is refused: by the parameter that is named, or else by the words of the refusal.
func partOf(param, said string) part {
	const most = 4 << 10
	text := param
	if text == "" {
		text = said[:min(len(said), most)]
	}
	switch {
	case formForm.MatchString(text):
		return aboutForm
	case tokensForm.MatchString(text):
		return aboutTokens
	case temperatureForm.MatchString(text):
		return aboutTemperature
	case toolsForm.MatchString(text):
		return aboutTools
	}
	return aboutNothing
}

// text gives a JSON string's text; empty for anything else.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// tooLongForm knows the words with which OpenAI, llama.cpp, vLLM, TEI and Ollama refuse texts that are too long; only
// OpenAI and llama.cpp have a code for it.
var tooLongForm = regexp.MustCompile(
	`(?i)context (length|size|window)|tokens per request|too (large|long)|max(imum)? (allowed )?(input |sequence |number of )?(tokens|length)|must have less than \d+ tokens`)

func isTooLong(message string) bool {
	const most = 4 << 10
	return tooLongForm.MatchString(message[:min(len(message), most)])
}

// identifier gives a name back if it has the form of a code and does not hold the secret, and nothing otherwise: it
// goes into log lines and answers as it is.
func identifier(name, secret string) string {
	const most = 60
	if len(name) > most || secret != "" && strings.Contains(name, secret) || strings.HasPrefix(name, "sk-") {
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
