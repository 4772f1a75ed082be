package compact

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"almanac/graph/model"
)

// Memory is a memory as the formatter sees it. It is the user's own.
type Memory struct {
	ID        string           `json:"id"`
	Type      model.MemoryType `json:"type"`
	Content   string           `json:"content"`
	Summary   *string          `json:"summary"`
	Tags      []string         `json:"tags"`
	Metadata  json.RawMessage  `json:"metadata"`
	UpdatedAt Time             `json:"updatedAt"`
	ExpiresAt Time             `json:"expiresAt"`
}

func (m Memory) id() string    { return named(m.ID) }
func (m Memory) foreign() bool { return false }

// text says what is remembered, or the summary where there is one and the whole does not fit; then details that neither
// has said, tags, and the day on which it was written, and when it ends.
func (m Memory) text(w *writing) string {
	said := w.part(m.Content)
	if summary := w.part(value(m.Summary)); summary != "" && len([]rune(said)) > w.width/2 {
		said = summary
	}
	tags := ""
	for _, tag := range m.Tags {
		tags = joined(" ", tags, "#"+w.part(tag))
	}
	expires := ""
	if !m.ExpiresAt.IsZero() {
		expires = w.say.expires + " " + w.when(m.ExpiresAt.Time)
	}
	updated := ""
	if !m.UpdatedAt.IsZero() {
		updated = w.date(m.UpdatedAt)
	}
	kind := ""
	if m.Type != model.MemoryNote {
		kind = "[" + w.part(string(m.Type)) + "] "
	}
	return kind + joined(" | ", said, m.details(w, said), tags, joined(", ", updated, expires))
}

// details are the values of the metadata that the text has not said.
func (m Memory) details(w *writing, said string) string {
	var fields map[string]json.RawMessage
	if len(m.Metadata) == 0 || json.Unmarshal(m.Metadata, &fields) != nil {
		return ""
	}
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	out := ""
	for _, name := range names[:min(len(names), maxNamed)] {
		var text string
		if json.Unmarshal(fields[name], &text) != nil {
			if text = string(fields[name]); text == "null" {
				continue
			}
		}
		if text = w.part(text); text != "" && !strings.Contains(said, text) {
			out = joined(", ", out, w.part(name)+": "+text)
		}
	}
	return out
}

// FoundMemory is a memory that a search has found.
type FoundMemory struct {
	Similarity   *float64 `json:"similarity"`
	KeywordScore *float64 `json:"keywordScore"`
	Score        *float64 `json:"score"`
	Node         Memory   `json:"node"`
}

func (f FoundMemory) id() string    { return f.Node.id() }
func (f FoundMemory) foreign() bool { return false }

func (f FoundMemory) text(w *writing) string { return scored(f.Score) + f.Node.text(w) }

// scored says how well something fits, in brackets before it.
func scored(score *float64) string {
	if score == nil {
		return ""
	}
	return "(" + strconv.FormatFloat(*score, 'f', 2, 64) + ") "
}
