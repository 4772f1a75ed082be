package openai

import (
	"encoding/json"
	"regexp"

	"almanac/adapters/remote"
)

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

// problemOf is what the endpoint said of a failure; zero for nothing.
func problemOf(lost *remote.Failure) problem {
	said, _ := lost.Said.(problem)
	return said
}

// readProblem reads an error's body, which may be anything. OpenAI's form is {"error": {"message", "type", "param",
// "code"}} (https://platform.openai.com/docs/guides/error-codes); other servers leave out the envelope, or have a text
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
			p.code = remote.Identifier(remote.Text(raw), secret)
		}
	}
	for _, raw := range []json.RawMessage{inner.Code, inner.Type} {
		switch remote.Text(raw) {
		case "insufficient_quota", "billing_hard_limit_reached", "billing_not_active":
			p.spent = true
		case "context_length_exceeded", "max_tokens_per_request", "exceed_context_size_error":
			p.tooLong = true
		}
	}
	for _, raw := range []json.RawMessage{inner.Message, inner.Detail, outer.Error} {
		p.tooLong = p.tooLong || isTooLong(remote.Text(raw))
	}
	p.about = partOf(remote.Text(inner.Param), string(body))
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

// partOf is the part of a request that is refused: by the parameter that is named, or else by the words of the refusal.
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

// tooLongForm knows the words with which OpenAI, llama.cpp, vLLM, TEI and Ollama refuse texts that are too long; only
// OpenAI and llama.cpp have a code for it.
var tooLongForm = regexp.MustCompile(
	`(?i)context (length|size|window)|tokens per request|too (large|long)|` +
		`max(imum)? (allowed )?(input |sequence |number of )?(tokens|length)|must have less than \d+ tokens`)

func isTooLong(message string) bool {
	const most = 4 << 10
	return tooLongForm.MatchString(message[:min(len(message), most)])
}
