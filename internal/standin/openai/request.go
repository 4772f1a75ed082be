package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Request is one that came in and was looked at.
type Request struct {
	// Model, Inputs, Dimensions (0: not given), Format and User are what it asked. Inputs are nil where they were tokens.
	Model      string
	Inputs     []string
	Dimensions int
	Format     string
	User       string
	// Chat is what a model was asked to answer; nil where vectors were asked for.
	Chat *Chat
	// Authorization is the header of that name.
	Authorization string
	// Status is what was answered; 0 when the connection was broken.
	Status int
	// tokenCounts are of each input.
	tokenCounts []int
}

// problem is an error in OpenAI's form.
type problem struct {
	kindOfError
	message string
	param   string
}

func (s *Server) problem(kind, param, format string, args ...any) *problem {
	return &problem{kindOfError: s.facts.Errors[kind], param: param, message: fmt.Sprintf(format, args...)}
}

// read checks a body by the published description: no parameter that it does not name, none of another type.
func (s *Server) read(body []byte, r *Request) *problem {
	given, refused := s.object(body)
	if refused != nil {
		return refused
	}
	if refused := s.checkNames(body, s.facts.Parameters); refused != nil {
		return refused
	}
	for name, into := range map[string]any{"model": &r.Model, "encoding_format": &r.Format, "dimensions": &r.Dimensions,
		"user": &r.User} {
		raw, ok := given[name]
		if !ok {
			continue
		}
		rule := s.facts.Parameters[name]
		if json.Unmarshal(raw, into) != nil || string(bytes.TrimSpace(raw)) == "null" {
			return s.problem("invalid", name, "Invalid type for '%s'.", name)
		}
		if rule.Values != nil && !slices.Contains(rule.Values, r.Format) {
			return s.problem("invalid", name, "Invalid value for '%s': it is one of %s.", name, strings.Join(rule.Values, ", "))
		}
		if name == "dimensions" && int64(r.Dimensions) < rule.Minimum {
			return s.problem("invalid", name, "Invalid value for '%s': it is at least %d.", name, rule.Minimum)
		}
	}
	return s.readInput(given["input"], r)
}

// object reads a body that is one JSON object.
func (s *Server) object(body []byte) (map[string]json.RawMessage, *problem) {
	var given map[string]json.RawMessage
	decoder := json.NewDecoder(bytes.NewReader(body))
	if err := decoder.Decode(&given); err != nil || given == nil {
		return nil, s.problem("badJSON", "", "We could not parse the JSON body of your request.")
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, s.problem("badJSON", "", "We could not parse the JSON body of your request.")
	}
	return given, nil
}

// readInput reads the four forms of input: a text, texts, tokens, lists of tokens.
func (s *Server) readInput(raw json.RawMessage, r *Request) *problem {
	var one string
	var many []string
	var ids []int
	var lists [][]int
	count := 1
	switch {
	case json.Unmarshal(raw, &one) == nil && raw[0] == '"':
		many = []string{one}
	case json.Unmarshal(raw, &ids) == nil && len(ids) > 0:
		many, lists = nil, [][]int{ids}
		count = len(ids)
	case json.Unmarshal(raw, &many) == nil && raw[0] == '[' && !bytes.Contains(raw, []byte("null")):
		count = len(many)
	case json.Unmarshal(raw, &lists) == nil && raw[0] == '[':
		many, count = nil, len(lists)
	default:
		return s.problem("invalid", "input", "Invalid type for 'input'.")
	}
	if count == 0 {
		return s.problem("invalid", "input", "'input' must not be an empty list.")
	}
	if count > s.facts.MaxInputs {
		return s.problem("invalid", "input", "'input' has %d entries, and may have %d.", count, s.facts.MaxInputs)
	}
	r.Inputs = many
	for _, text := range many {
		r.tokenCounts = append(r.tokenCounts, tokens(text))
	}
	for _, list := range lists {
		r.tokenCounts = append(r.tokenCounts, len(list))
	}
	total := 0
	for i, n := range r.tokenCounts {
		if n == 0 {
			return s.problem("invalid", "input", "input[%d] is empty.", i)
		}
		if most := s.mostTokens(); n > most {
			return s.problem("tooLong", "", "This model's maximum context length is %d tokens, however you requested %d tokens.",
				most, n)
		}
		total += n
	}
	if total > s.facts.MaxTokensPerRequest {
		return s.problem("tooManyTokens", "", "Requested %d tokens, max %d tokens per request", total,
			s.facts.MaxTokensPerRequest)
	}
	return nil
}

func (s *Server) mostTokens() int {
	if s.options.MaxTokens > 0 {
		return s.options.MaxTokens
	}
	return s.facts.MaxTokensPerInput
}
