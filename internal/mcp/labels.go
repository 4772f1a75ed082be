package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"almanac/graph/model"
)

// thing is something that a question is about.
type thing struct {
	Type             string   `json:"__typename"`
	ID               string   `json:"id"`
	Label            string   `json:"label"`
	Title            string   `json:"title"` // an event's: it may be null, so it cannot share the alias
	When             *string  `json:"when"`
	RecurringEventID *string  `json:"recurringEventId"`
	Recurrence       []string `json:"recurrence"`
	From             *address `json:"from"`
}

type address struct {
	Email string `json:"email"`
}

// label names it to a person.
func (t thing) label() string {
	out := cmp.Or(t.Label, t.Title)
	if t.When != nil {
		out += " | " + *t.When
	}
	if t.From != nil {
		out += " | " + t.From.Email
	}
	return out
}

func (t thing) repeats() bool { return t.RecurringEventID != nil || len(t.Recurrence) > 0 }

type viewerAnswer struct {
	Settings struct {
		Locale string `json:"locale"`
	} `json:"settings"`
}

func localeOf(got answer) string {
	var viewer viewerAnswer
	_ = json.Unmarshal(got.Data["viewer"], &viewer) // English, when there is none
	return viewer.Settings.Locale
}

// things returns what ids stand for, in their order, and the viewer's language. An outcome that has failed says which
// are not there.
func (s *Server) things(ctx context.Context, c *call,
	wanted []string) (found []thing, locale string, failed *outcome, err error) {
	got, err := s.graphql.run(ctx, c, s.documents["labels"], map[string]any{"ids": wanted}, "")
	if err != nil {
		return nil, "", nil, err
	}
	var nodes []*thing
	if !isNull(got.Data["nodes"]) {
		if err := json.Unmarshal(got.Data["nodes"], &nodes); err != nil {
			return nil, "", nil, err
		}
	}
	if len(got.Errors) > 0 || len(nodes) != len(wanted) || slices.Contains(nodes, nil) {
		out := failure(got.faults()...)
		if len(got.Errors) == 0 {
			out = failure(problem{Code: model.CodeNotFound, Message: "Not all of these ids are there.", Field: "ids"})
		}
		return nil, "", &out, nil
	}
	for _, node := range nodes {
		found = append(found, *node)
	}
	return found, localeOf(got), nil, nil
}

// candidatesOf finds what a text may mean among tasks, lists or events.
func (s *Server) candidatesOf(ctx context.Context, c *call, kind, text, from,
	to string) (found []thing, locale string, failed *outcome, err error) {
	variables := given(map[string]any{"text": text, "tasks": kind == "tasks", "lists": kind == "lists",
		"events": kind == "events", "from": moment(from), "to": moment(to)})
	got, err := s.graphql.run(ctx, c, s.documents["candidates"], variables, "")
	if err != nil {
		return nil, "", nil, err
	}
	var page struct {
		Nodes []thing `json:"nodes"`
	}
	if !isNull(got.Data[kind]) {
		if err := json.Unmarshal(got.Data[kind], &page); err != nil {
			return nil, "", nil, err
		}
	}
	switch {
	case len(got.Errors) > 0:
		out := failure(got.faults()...)
		return nil, "", &out, nil
	case len(page.Nodes) == 0:
		out := failure(problem{Code: model.CodeNotFound, Field: "match",
			Message: fmt.Sprintf("Nothing has %q in it. Look with find, and give ids.", model.Clip(text))})
		return nil, "", &out, nil
	}
	return page.Nodes, localeOf(got), nil, nil
}

func labelsOf(found []thing) []string {
	out := make([]string, len(found))
	for i, one := range found {
		out[i] = one.label()
	}
	return out
}

func candidatesFrom(found []thing) []candidate {
	out := make([]candidate, len(found))
	for i, one := range found {
		out[i] = candidate{Key: one.ID, Label: one.label()}
	}
	return out
}

// ofKind reports whether all ids are of one kind, by what they begin with.
func ofKind(ids []string, kind model.Kind) bool {
	return !slices.ContainsFunc(ids, func(id string) bool { return !strings.HasPrefix(id, string(kind)+"_") })
}
