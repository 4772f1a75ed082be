package mcp

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"almanac/graph/model"
	"almanac/projections/compact"
)

// answer is an answer of GraphQL.
type answer struct {
	Data   map[string]json.RawMessage `json:"data"`
	Errors []fault                    `json:"errors"`
}

// fault is an error of GraphQL.
type fault struct {
	Message    string     `json:"message"`
	Path       []any      `json:"path"`
	Extensions extensions `json:"extensions"`
}

// extensions are what an error says besides its message; see ErrorCode in the schema.
type extensions struct {
	Code         model.ErrorCode `json:"code"`
	Field        []string        `json:"field"`
	RetryAfterMs int64           `json:"retryAfterMs"`
	ConnectURL   string          `json:"connectUrl"`
	Reason       string          `json:"reason"`
	TraceID      string          `json:"traceId"`
}

// problem is an error as programs see it. Which of its fields are there depends on the code.
type problem struct {
	Code         model.ErrorCode `json:"code"`
	Message      string          `json:"message"`
	Field        string          `json:"field,omitempty"`
	About        string          `json:"about,omitempty"`
	RetryAfterMs int64           `json:"retryAfterMs,omitempty"`
	ConnectURL   string          `json:"connectUrl,omitempty"`
	TraceID      string          `json:"traceId,omitempty"`
}

func (f fault) problem() problem {
	p := problem{
		Code: f.Extensions.Code, Message: f.Message, Field: strings.Join(f.Extensions.Field, "."),
		RetryAfterMs: f.Extensions.RetryAfterMs, ConnectURL: f.Extensions.ConnectURL, TraceID: f.Extensions.TraceID,
	}
	if f.Extensions.Reason != "" {
		p.Message += " (" + f.Extensions.Reason + ")"
	}
	return p
}

// problemOf returns an error that a model may see; one that is not meant for clients becomes INTERNAL without a word of
// its cause.
func problemOf(err error) problem {
	shown := new(model.Error)
	if model.CodeOf(err) == model.CodeInternal || !asShown(err, &shown) {
		return problem{Code: model.CodeInternal, Message: "Something went wrong on our side."}
	}
	return problem{
		Code: shown.Code, Message: shown.Message, Field: strings.Join(shown.Field, "."),
		RetryAfterMs: (shown.RetryAfter + time.Millisecond - 1).Milliseconds(), ConnectURL: shown.ConnectURL,
	}
}

// maxProblem is how much of a problem's sentence is told, in characters; it may quote what the caller wrote, or a
// remote's reason.
const maxProblem = 400

// sentence says a problem in one line that a model can act on.
func (p problem) sentence() string {
	var b strings.Builder
	if p.About != "" {
		b.WriteString(p.About + ": ")
	}
	b.WriteString(string(p.Code))
	if p.Field != "" {
		b.WriteString(" in " + compact.Line(p.Field, maxProblem))
	}
	b.WriteString(": " + p.message())
	if p.ConnectURL != "" {
		b.WriteString(" The user can link the account at " + p.ConnectURL)
	}
	if p.RetryAfterMs > 0 {
		b.WriteString(" Try again after " + strconv.FormatInt(p.RetryAfterMs, 10) + " ms.")
	}
	return b.String()
}

// message is what went wrong, in one line; one that quotes something, a title say, stands between fences.
func (p problem) message() string {
	if strings.ContainsAny(p.Message, "\"\u201c\u201d\u05f4") {
		return inline(p.Message)
	}
	return compact.Line(p.Message, maxProblem)
}

// userError is what a payload says that the caller can mend.
type userError struct {
	Code    model.ErrorCode `json:"code"`
	Message string          `json:"message"`
	Field   []string        `json:"field"`
}

// formatted is compact text.
type formatted struct {
	Output string  `json:"output"`
	Next   *string `json:"next"`
}

// content is the structured answer of every tool; what does not apply is left out.
type content struct {
	// IDs are what the text tells of, or what was changed.
	IDs []string `json:"ids,omitempty"`
	// Found are the ids by kind.
	Found map[string][]string `json:"found,omitempty"`
	// Actions are what was done, with the way to undo it.
	Actions []actionDone `json:"actions,omitempty"`
	// Preview is an e-mail that can be sent.
	Preview *preview `json:"preview,omitempty"`
	// Free are free times.
	Free []window `json:"free,omitempty"`
	// Cursor goes on where the text ends.
	Cursor string `json:"cursor,omitempty"`
	// Confirmation is a question to the user; nothing was done yet.
	Confirmation *confirmation `json:"confirmation,omitempty"`
	// DryRun: nothing was done; the text says what would be.
	DryRun bool `json:"dryRun,omitempty"`
	// Declined: the user said no, and nothing was done.
	Declined bool `json:"declined,omitempty"`
	// Problems are what could not be had or done.
	Problems []problem `json:"problems,omitempty"`
	// Data is the answer of a published document.
	Data json.RawMessage `json:"data,omitempty"`
}

// actionDone is what one mutation has done.
type actionDone struct {
	ID        string `json:"id"`
	Summary   string `json:"summary"`
	Undoable  bool   `json:"undoable"`
	UndoUntil string `json:"undoUntil,omitempty"`
}

type preview struct {
	ID   string `json:"id"`
	Hash string `json:"hash"`
}

type window struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

// outcome is what came of a tool.
type outcome struct {
	text string
	content
	failed bool
	// ask is a question to answer first; nothing else is set then.
	ask *question
}

// failure is an outcome that is nothing but problems.
func failure(problems ...problem) outcome {
	lines := make([]string, len(problems))
	for i, p := range problems {
		lines[i] = p.sentence()
	}
	return outcome{text: strings.Join(lines, "\n"), content: content{Problems: problems}, failed: true}
}

// faults are the problems of an answer.
func (a answer) faults() []problem {
	out := make([]problem, len(a.Errors))
	for i, f := range a.Errors {
		out[i] = f.problem()
	}
	return out
}

// ids collects the ids in a JSON value, in order, each once. Questions are left out.
func ids(raw json.RawMessage) []string {
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return nil
	}
	var out []string
	seen := map[string]bool{}
	var walk func(name string, value any)
	add := func(id string) {
		if id != "" && !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	walk = func(name string, value any) {
		switch v := value.(type) {
		case map[string]any:
			for _, key := range sortedKeys(v) {
				if key != "confirmation" && key != "userErrors" && key != "action" {
					walk(key, v[key])
				}
			}
		case []any:
			for _, one := range v {
				walk(name, one)
			}
		case string:
			if name == "id" || name == "ids" {
				add(v)
			}
		}
	}
	walk("", value)
	return out
}
