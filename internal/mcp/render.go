package mcp

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

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

// fence puts lines between marks that nobody who wrote them can have known.
func fence(lines []string) string {
	var token [4]byte
	_, _ = rand.Read(token[:]) // never fails, by its contract
	mark := hex.EncodeToString(token[:])
	return "<<untrusted " + mark + "\n" + strings.Join(lines, "\n") + "\nuntrusted " + mark + ">>"
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
