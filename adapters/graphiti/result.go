package graphiti

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"almanac/adapters/remote"
	"almanac/projections/fold"
)

// readResult returns what a tool answered as one JSON value. FastMCP puts it under "result" of the structured content,
// and besides that, or before it knew of such, as text: one for the whole, or one for each item of a list. The server
// writes its own errors as {"error": "…"}.
func readResult(result *mcp.CallToolResult) (json.RawMessage, *failure) {
	var texts []string
	for _, content := range result.Content {
		if text, ok := content.(*mcp.TextContent); ok {
			texts = append(texts, text.Text)
		}
	}
	if result.IsError {
		return nil, refused(strings.Join(texts, " "))
	}
	value := structured(result.StructuredContent)
	if value == nil {
		value = joined(texts)
	}
	if value == nil {
		return nil, notUnderstood()
	}
	var told struct {
		Error *string `json:"error"`
	}
	if json.Unmarshal(value, &told) == nil && told.Error != nil {
		return nil, refused(*told.Error)
	}
	return value, nil
}

// structured is the structured content without its envelope, nil for none.
func structured(content any) json.RawMessage {
	if content == nil {
		return nil
	}
	raw, err := json.Marshal(content)
	if err != nil {
		return nil
	}
	var envelope map[string]json.RawMessage
	if json.Unmarshal(raw, &envelope) == nil && len(envelope) == 1 && envelope["result"] != nil {
		return envelope["result"]
	}
	return raw
}

// joined is what texts say: one value, or a list of them.
func joined(texts []string) json.RawMessage {
	var values []json.RawMessage
	for _, text := range texts {
		raw := json.RawMessage(bytes.TrimSpace([]byte(text)))
		if !json.Valid(raw) {
			return nil
		}
		values = append(values, raw)
	}
	switch len(values) {
	case 0:
		return nil
	case 1:
		return values[0]
	}
	raw, err := json.Marshal(values)
	if err != nil {
		return nil
	}
	return raw
}

var (
	missingForm = regexp.MustCompile(`(?i)\b(node|edge|episode|entity)\b.{0,80}\bnot found\b`)
	limitedForm = regexp.MustCompile(`(?i)rate.?limit|too many requests`)
	downForm    = regexp.MustCompile(
		`(?i)not initialized|connection (refused|reset|error|closed)|could not connect|failed to connect|service unavailable`)
)

// refused is an error of a tool. What it is can be told from its words alone.
func refused(words string) *failure {
	const most = 4 << 10
	words = words[:min(len(words), most)]
	f := &failure{Remote: remoteName, Unsent: true, Message: reasonOf(words), Err: errors.New("a tool refused")}
	switch {
	case missingForm.MatchString(words):
		f.Kind = remote.KindMissing
	case limitedForm.MatchString(words):
		f.Kind, f.Err = remote.KindLimited, errors.New("a tool says that it is asked too fast")
	case downForm.MatchString(words):
		f.Kind, f.Err = remote.KindBroken, errors.New("a tool says that the server cannot reach what it needs")
	}
	return f
}

// private are parts of messages that nobody else should read: addresses, which may hold passwords, and keys.
var private = regexp.MustCompile(
	`(?i)[a-z][a-z0-9+.-]*://\S+|\b(sk|key|token)-[\w-]{8,}|\bbearer\s+\S+|` +
		`\b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b|\b[\w.-]+:\d{2,5}\b`)

// reasonOf makes the server's words fit for a client: one line, without addresses and keys, at most 200 characters.
func reasonOf(words string) string {
	const most = 200
	return cutLine(private.ReplaceAllString(cutText(words, 4*most), "…"), most)
}

// cutText cleans a text of the server, and cuts it to so many characters.
func cutText(text string, most int) string {
	const widest = 4
	if len(text) > 2*widest*most { // so that cleaning costs no more than what is kept
		text = strings.ToValidUTF8(text[:2*widest*most], "")
	}
	text = fold.Clean(text)
	if len(text) <= most {
		return text
	}
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return strings.TrimSpace(string(runes[:most-1])) + "…"
}

// cutLine is cutText in one line.
func cutLine(text string, most int) string {
	const widest = 4
	text = text[:min(len(text), 2*widest*most)]
	return cutText(strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " "), most)
}

// wireText reads a text, and nothing where there is something else.
type wireText string

// UnmarshalJSON implements json.Unmarshaler.
func (t *wireText) UnmarshalJSON(raw []byte) error {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		*t = wireText(text)
	}
	return nil
}

// wireTime reads a time as Python writes it; one without a zone is in UTC. What is no time is none.
type wireTime struct{ time.Time }

// UnmarshalJSON implements json.Unmarshaler.
func (t *wireTime) UnmarshalJSON(raw []byte) error {
	var text wireText
	_ = json.Unmarshal(raw, &text) // it reads anything
	const most = 64
	if len(text) > most {
		return nil
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999",
		"2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999", "2006-01-02"} {
		if at, err := time.Parse(layout, string(text)); err == nil {
			if at = at.UTC().Truncate(time.Microsecond); at.Year() >= 1 && at.Year() <= 9999 {
				t.Time = at
			}
			return nil
		}
	}
	return nil
}

// wireTexts reads a list of texts, and passes over what is none.
type wireTexts []string

// UnmarshalJSON implements json.Unmarshaler.
func (t *wireTexts) UnmarshalJSON(raw []byte) error {
	var all []wireText
	if json.Unmarshal(raw, &all) == nil {
		for _, one := range all {
			if one != "" {
				*t = append(*t, string(one))
			}
		}
	}
	return nil
}

// wireAttributes reads a JSON object.
type wireAttributes string

// UnmarshalJSON implements json.Unmarshaler.
func (t *wireAttributes) UnmarshalJSON(raw []byte) error {
	*t = wireAttributes(canonical(raw))
	return nil
}
