package mcp

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"almanac/projections/compact"
	"almanac/projections/mail"
)

// lineWidth is how long a line of rendered text may be, in characters.
const lineWidth = 300

// maxLines bounds what is rendered of one thing.
const maxLines = 20_000

// renderer writes any JSON as indented lines, names as they stand, without what is null or empty. Texts keep their line
// breaks; characters that are not seen are taken out.
type renderer struct {
	in    *json.Decoder
	lines []string
}

// render returns the lines of a JSON value.
func render(raw []byte) ([]string, error) {
	r := &renderer{in: json.NewDecoder(bytes.NewReader(raw))}
	r.in.UseNumber()
	if err := r.value("", ""); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("render an answer: %w", err)
	}
	return r.lines, nil
}

func (r *renderer) add(line string) {
	if len(r.lines) < maxLines {
		r.lines = append(r.lines, line)
	}
}

// value writes one value behind its label.
func (r *renderer) value(indent, label string) error {
	token, err := r.in.Token()
	if err != nil {
		return err
	}
	switch v := token.(type) {
	case json.Delim:
		return r.inside(indent, label, v)
	case string:
		r.text(indent, label, v)
	case nil:
	default:
		r.add(indent + label + fmt.Sprint(v))
	}
	return nil
}

// inside writes an object or a list. A label stands on a line of its own, and goes when nothing follows it.
func (r *renderer) inside(indent, label string, open json.Delim) error {
	at := len(r.lines)
	below := indent
	if label != "" {
		r.add(indent + strings.TrimRight(label, " "))
		below += "  "
	}
	for r.in.More() {
		item := "- "
		if open == '{' {
			name, err := r.in.Token()
			if err != nil {
				return err
			}
			item = compact.Line(fmt.Sprint(name), lineWidth) + ": "
		}
		if err := r.value(below, item); err != nil {
			return err
		}
	}
	if _, err := r.in.Token(); err != nil { // the closing bracket
		return err
	}
	if label != "" && len(r.lines) == at+1 {
		r.lines = r.lines[:at]
	}
	return nil
}

// text writes a text: behind its label when it is one line, below it otherwise.
func (r *renderer) text(indent, label, text string) {
	if text == "" {
		return
	}
	if !strings.ContainsAny(text, "\n\r") && len(text) <= lineWidth {
		r.add(indent + label + compact.Line(text, lineWidth))
		return
	}
	r.add(indent + strings.TrimRight(label, " "))
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		for rest := line; rest != "" && len(r.lines) < maxLines; {
			head, cut := mail.Cut(rest, lineWidth)
			if !cut {
				head = rest
			}
			rest = rest[len(head):]
			if shown := compact.Line(head, 2*lineWidth); shown != "" {
				r.add(indent + "  " + shown)
			}
			if head == "" {
				break
			}
		}
	}
}

// mark returns what tells a fence from others: it is new for each, so that nobody who wrote what is inside can have
// known it, nor have read it in an earlier answer.
func mark() string {
	var token [4]byte
	_, _ = rand.Read(token[:]) // never fails, by its contract
	return hex.EncodeToString(token[:])
}

// fence puts lines that the user or others have written between marks.
func fence(lines []string) string {
	with := mark()
	return "<<untrusted " + with + "\n" + strings.Join(lines, "\n") + "\nuntrusted " + with + ">>"
}

// fenced is fence for compact texts, "" for none.
func fenced(texts ...formatted) string {
	var lines []string
	for _, text := range texts {
		if text.Output == "" {
			continue
		}
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, compact.Unfenced(text.Output)...)
	}
	if len(lines) == 0 {
		return ""
	}
	return fence(lines)
}

// inline is fence for a text within structured content, in which it stays one value.
func inline(text string) string {
	if strings.TrimSpace(text) == "" {
		return text
	}
	with := mark()
	return "<<untrusted " + with + " " + compact.Line(text, maxQuestion) + " untrusted " + with + ">>"
}

// fenced returns the content with every text that the user or others have written between marks. Ids, codes and times
// stay as they are.
func (c content) fenced() content {
	c.Actions = slices.Clone(c.Actions)
	for i := range c.Actions {
		c.Actions[i].Summary = inline(c.Actions[i].Summary)
	}
	c.Problems = slices.Clone(c.Problems)
	for i := range c.Problems {
		c.Problems[i].Message = c.Problems[i].message()
	}
	if c.Confirmation != nil {
		q := *c.Confirmation
		q.Question = inline(q.Question)
		q.Candidates = slices.Clone(q.Candidates)
		for i := range q.Candidates {
			q.Candidates[i].Label = inline(q.Candidates[i].Label)
		}
		c.Confirmation = &q
	}
	c.Data = fencedData(c.Data)
	return c
}

// fencedData is fenced for the answer of a published document, of which only the form is known: a text of several words
// may be anybody's, and one word is no instruction.
func fencedData(raw json.RawMessage) json.RawMessage {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	if len(raw) == 0 || decoder.Decode(&value) != nil {
		return raw
	}
	var walk func(value any) any
	walk = func(value any) any {
		switch v := value.(type) {
		case map[string]any:
			for name := range v {
				v[name] = walk(v[name])
			}
		case []any:
			for i := range v {
				v[i] = walk(v[i])
			}
		case string:
			if strings.ContainsFunc(v, unicode.IsSpace) {
				return inline(v)
			}
		}
		return value
	}
	text, err := json.Marshal(walk(value))
	if err != nil {
		return raw
	}
	return text
}

// page takes as many lines from the one at start as may have so many tokens, at least one, and tells where to go on; 0
// at the end. A line that is longer than that is cut.
func page(lines []string, start, tokens int) (shown []string, next int) {
	budget := 4 * tokens
	for i := start; i < len(lines); i++ {
		size := 4*compact.Tokens(lines[i]) + 1
		if size > budget {
			if i == start {
				head, _ := mail.Cut(lines[i], max(budget/2, 1))
				return []string{head}, i + 1
			}
			return lines[start:i], i
		}
		budget -= size
	}
	return lines[min(start, len(lines)):], 0
}
