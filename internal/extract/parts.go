package extract

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"

	"almanac/adapters/openai"
	"almanac/graph/model"
)

// partsOf cuts an episode's text into parts of at most so many tokens, by estimate, at the best place there is: between
// paragraphs, lines, sentences or words. A conversation is cut between its lines, and where one is too long its speaker
// is named again; JSON between members, and each part is JSON of the same shape. Nothing is left out.
func partsOf(text string, source model.EpisodeSource, tokens int) []string {
	if openai.Tokens(text) <= tokens {
		return []string{text}
	}
	switch source {
	case model.EpisodeJSON:
		if parts, ok := jsonParts(json.RawMessage(text), tokens, 0); ok {
			return parts
		}
		return textParts(text, tokens, "")
	case model.EpisodeMessage:
		return messageParts(text, tokens)
	default:
		return textParts(text, tokens, "")
	}
}

// textParts cuts a text; each part but the first begins with what is given.
func textParts(text string, tokens int, before string) []string {
	var parts []string
	for {
		head, rest := cutAt(text, tokens, breakOfText)
		if head = strings.TrimSpace(head); head != "" {
			parts = append(parts, head)
		}
		if rest = strings.TrimSpace(rest); rest == "" {
			return parts
		}
		text = before + rest
	}
}

// messageParts cuts a conversation.
func messageParts(text string, tokens int) []string {
	var parts []string
	for {
		head, rest := cutAt(text, tokens, breakOfLines)
		if rest == "" {
			return append(parts, head)
		}
		if !strings.HasSuffix(head, "\n") { // within a line, which goes on to be its speaker's
			line := head[strings.LastIndexByte(head, '\n')+1:]
			if speaker, _, ok := strings.Cut(line, ": "); ok && len(speaker) <= maxSpeaker && 4*openai.Tokens(speaker) < tokens {
				rest = speaker + ": " + strings.TrimLeftFunc(rest, unicode.IsSpace)
			}
		}
		parts = append(parts, strings.TrimRight(head, "\n"))
		text = rest
	}
}

// maxSpeaker is how long the name before a line may be, in bytes; what is longer is no name.
const maxSpeaker = 80

// cutAt returns the beginning of a text that has at most so many tokens, and the rest. The place is found in the second
// half of what fits, so that parts are not much smaller than they may be.
func cutAt(text string, tokens int, best func(window string) int) (head, rest string) {
	fits := openai.Beginning(text, tokens)
	if len(fits) == len(text) {
		return text, ""
	}
	at := best(fits[len(fits)/2:])
	if at > 0 {
		at += len(fits) / 2
		return text[:at], text[at:]
	}
	return fits, text[len(fits):]
}

func breakOfText(window string) int {
	if at := strings.LastIndex(window, "\n\n"); at >= 0 {
		return at + len("\n\n")
	}
	if at := strings.LastIndexByte(window, '\n'); at >= 0 {
		return at + 1
	}
	for at := len(window) - 1; at > 0; at-- {
		if window[at] == ' ' && strings.IndexByte(".!?:;", window[at-1]) >= 0 {
			return at + 1
		}
	}
	return lastSpace(window)
}

func breakOfLines(window string) int {
	if at := strings.LastIndexByte(window, '\n'); at >= 0 {
		return at + 1
	}
	return lastSpace(window)
}

func lastSpace(window string) int {
	if at := strings.LastIndexFunc(window, unicode.IsSpace); at > 0 {
		return at
	}
	return 0
}

const (
	// maxNesting is how deep JSON is cut; what is deeper and still too long is cut as text.
	maxNesting = 32
	// wrapping is what a part of JSON may have around it, in tokens.
	wrapping = 8
)

// jsonParts cuts a JSON value. ok is false when it cannot be cut as JSON.
func jsonParts(raw json.RawMessage, tokens, depth int) (parts []string, ok bool) {
	raw = bytes.TrimSpace(raw)
	if openai.Tokens(string(raw)) <= tokens {
		return []string{string(raw)}, true
	}
	if depth == maxNesting || len(raw) == 0 || tokens < 4*wrapping {
		return nil, false
	}
	switch raw[0] {
	case '[':
		var items []json.RawMessage
		if json.Unmarshal(raw, &items) != nil {
			return nil, false
		}
		g := &jsonGroups{open: "[", end: "]", tokens: tokens}
		for _, item := range items {
			if !g.add("", item, depth) {
				return nil, false
			}
		}
		return g.done(), true
	case '{':
		members, ok := membersOf(raw)
		if !ok {
			return nil, false
		}
		g := &jsonGroups{open: "{", end: "}", tokens: tokens}
		for _, m := range members {
			if !g.add(m.key+":", m.value, depth) {
				return nil, false
			}
		}
		return g.done(), true
	case '"':
		var text string
		if json.Unmarshal(raw, &text) != nil {
			return nil, false
		}
		for _, piece := range textParts(text, tokens/2, "") { // escaping makes it longer
			parts = append(parts, quoted(piece))
		}
		return parts, true
	}
	return nil, false
}

// jsonGroups puts neighbours together as long as they fit.
type jsonGroups struct {
	open, end string
	tokens    int
	parts     []string
	group     strings.Builder
	used      int
}

func (g *jsonGroups) add(key string, value json.RawMessage, depth int) bool {
	size := openai.Tokens(key) + openai.Tokens(string(value)) + 1
	if size+wrapping <= g.tokens {
		if g.used+size+wrapping > g.tokens {
			g.flush()
		}
		if g.used > 0 {
			g.group.WriteByte(',')
		}
		g.group.WriteString(key)
		g.group.Write(value)
		g.used += size
		return true
	}
	g.flush()
	pieces, ok := jsonParts(value, g.tokens-openai.Tokens(key)-wrapping, depth+1)
	for _, piece := range pieces {
		g.parts = append(g.parts, g.open+key+piece+g.end)
	}
	return ok
}

func (g *jsonGroups) flush() {
	if g.used > 0 {
		g.parts = append(g.parts, g.open+g.group.String()+g.end)
		g.group.Reset()
		g.used = 0
	}
}

func (g *jsonGroups) done() []string {
	g.flush()
	return g.parts
}

type jsonMember struct {
	key   string
	value json.RawMessage
}

// membersOf returns an object's members in their order.
func membersOf(raw json.RawMessage) (members []jsonMember, ok bool) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	if _, err := decoder.Token(); err != nil {
		return nil, false
	}
	for decoder.More() {
		key, err := decoder.Token()
		name, isText := key.(string)
		var value json.RawMessage
		if err != nil || !isText || decoder.Decode(&value) != nil {
			return nil, false
		}
		members = append(members, jsonMember{quoted(name), value})
	}
	return members, true
}

// quoted writes a text as JSON, with no more escapes than JSON needs.
func quoted(text string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(text) != nil {
		return `""` // a text can always be written
	}
	return strings.TrimSuffix(b.String(), "\n")
}
