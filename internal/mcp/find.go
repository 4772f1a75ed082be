package mcp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"almanac/graph/model"
)

// findArgs are the arguments of the tool.
type findArgs struct {
	Query     string   `json:"query"`
	In        []string `json:"in"`
	From      string   `json:"from"`
	To        string   `json:"to"`
	Completed *bool    `json:"completed"`
	Unread    *bool    `json:"unread"`
	MaxTokens int      `json:"maxTokens"`
	Cursor    string   `json:"cursor"`
}

// place is a kind of things, and after which one to go on.
type place struct{ kind, after string }

// perKind is how many tokens a kind gets at least, its heading, its cursor and its fences included.
const perKind = 110

// find is the tool of that name. The kinds share the tokens equally; those that get none are left to the cursor.
func (s *Server) find(ctx context.Context, c *call, in findArgs) (out outcome, err error) {
	places, err := in.places()
	if err != nil {
		return out, err
	}
	now := places[:min(len(places), max(in.MaxTokens/perKind, 1))]
	later := places[len(now):]
	err = fit(in.MaxTokens, func(budget int) (string, error) {
		share := budget / len(now)
		got, err := s.graphql.run(ctx, c, s.documents["find"], in.variables(now, share), "")
		if err != nil {
			return "", err
		}
		out, err = findOutcome(got, now, later, in.Query != "")
		return out.text, err
	})
	return out, err
}

// places are where to look, from the cursor or from the beginning. A cursor is a list of kinds, each with its own
// cursor.
func (in findArgs) places() ([]place, error) {
	if in.Cursor == "" {
		out := make([]place, len(in.In))
		for i, kind := range in.In {
			out[i].kind = kind
		}
		return out, nil
	}
	var out []place
	for part := range strings.SplitSeq(in.Cursor, ",") {
		kind, after, ok := strings.Cut(part, ":")
		if !ok || !slices.Contains(kinds[:], kind) || slices.ContainsFunc(out, func(p place) bool { return p.kind == kind }) {
			return nil, badCursor()
		}
		out = append(out, place{kind, after})
	}
	return out, nil
}

// kinds are what can be looked for.
var kinds = [...]string{"tasks", "lists", "events", "emails", "memories", "entities", "facts", "episodes",
	"websets"} //nolint:gochecknoglobals // a constant

func (in findArgs) variables(places []place, share int) map[string]any {
	rows := rowsFor(share, 50)
	compact := options(share-20, rows)
	if in.Query != "" {
		compact["query"] = model.Clip(in.Query)
	}
	v := map[string]any{
		"query": orNil(in.Query), "text": orNil(in.Query), "from": moment(in.From), "to": moment(in.To), "first": rows,
		"compact": compact, "knowledge": false, "newest": false,
	}
	if in.Completed != nil {
		v["completed"] = *in.Completed
	}
	if in.Unread != nil {
		v["unread"] = *in.Unread
	}
	for _, kind := range kinds {
		v[kind] = false
	}
	for _, p := range places {
		v[p.kind], v[p.kind+"After"] = true, orNil(p.after)
		switch p.kind {
		case "memories":
			v["memories"], v["newest"] = in.Query != "", in.Query == ""
		case "entities", "facts", "episodes":
			v["knowledge"] = true
		}
	}
	return given(v)
}

// connection is a page of any kind.
type connection struct {
	Edges []struct {
		Cursor string `json:"cursor"`
		Node   struct {
			ID string `json:"id"`
		} `json:"node"`
	} `json:"edges"`
	Compact formatted `json:"compact"`
}

// shown are the ids of the rows that the text shows.
func (page connection) shown() []string {
	var out []string
	for _, edge := range page.Edges {
		out = append(out, edge.Node.ID)
		if page.Compact.Next != nil && *page.Compact.Next == edge.Cursor {
			break
		}
	}
	return out
}

// field is where a kind stands in the answer.
func field(kind string, searched bool) (root, below string) {
	switch kind {
	case "memories":
		if searched {
			return "searchMemories", ""
		}
		return kind, ""
	case "entities":
		return "knowledge", "nodes"
	case "facts", "episodes":
		return "knowledge", kind
	default:
		return kind, ""
	}
}

// kindOf is the kind that an error is about; "" for none.
func (f fault) kindOf(places []place, searched bool) string {
	for _, p := range places {
		root, below := field(p.kind, searched)
		if len(f.Path) > 0 && f.Path[0] == any(root) && (below == "" || len(f.Path) > 1 && f.Path[1] == any(below)) {
			return p.kind
		}
	}
	return ""
}

func findOutcome(got answer, now, later []place, searched bool) (outcome, error) {
	out := outcome{content: content{Found: map[string][]string{}}}
	var parts, onward []string
	var texts []formatted
	for _, p := range now {
		root, below := field(p.kind, searched)
		raw := got.Data[root]
		if below != "" && !isNull(raw) {
			var inner map[string]json.RawMessage
			if err := json.Unmarshal(raw, &inner); err != nil {
				return out, err
			}
			raw = inner[below]
		}
		if isNull(raw) {
			continue
		}
		var page connection
		if err := json.Unmarshal(raw, &page); err != nil {
			return out, err
		}
		out.Found[p.kind] = append([]string{}, page.shown()...)
		texts = append(texts, page.Compact)
		if page.Compact.Next != nil {
			onward = append(onward, p.kind+":"+*page.Compact.Next)
		}
	}
	for _, f := range got.Errors {
		problem := f.problem()
		problem.About = f.kindOf(now, searched)
		out.Problems = append(out.Problems, problem)
		parts = append(parts, problem.sentence())
	}
	if len(out.Found) == 0 {
		return failure(out.Problems...), nil
	}
	for _, p := range later {
		onward = append(onward, p.kind+":"+p.after)
	}
	if len(onward) > 0 {
		out.Cursor = strings.Join(onward, ",")
		parts = append(parts, more("find", out.Cursor))
	}
	out.text = paragraphs(append([]string{fenced(texts...)}, parts...)...)
	return out, nil
}
