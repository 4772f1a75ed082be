package mcp

import (
	"context"
	"strconv"

	"almanac/graph/model"
)

// openArgs are the arguments of the tool.
type openArgs struct {
	ID        string `json:"id"`
	MaxTokens int    `json:"maxTokens"`
	Cursor    string `json:"cursor"`
}

// open is the tool of that name. A cursor is the number of the line to go on with.
func (s *Server) open(ctx context.Context, c *call, in openArgs) (outcome, error) {
	start := 0
	if in.Cursor != "" {
		n, err := strconv.Atoi(in.Cursor)
		if err != nil || n < 0 || n > maxLines {
			return outcome{}, badCursor()
		}
		start = n
	}
	doc, ok := s.documents["open"+opening(in.ID)]
	if !ok {
		return outcome{}, model.NotFound("id",
			"this is not the id of anything that can be opened; give one as another tool showed it")
	}
	got, err := s.graphql.run(ctx, c, doc, map[string]any{"id": in.ID}, "")
	if err != nil {
		return outcome{}, err
	}
	raw := got.Data["node"]
	if isNull(raw) {
		if len(got.Errors) == 0 {
			return outcome{}, model.NotFound("id", "there is nothing with this id")
		}
		return failure(got.faults()...), nil
	}
	lines, err := render(raw)
	if err != nil {
		return outcome{}, err
	}
	out := outcome{content: content{IDs: []string{in.ID}}}
	out.Problems = append(out.Problems, got.faults()...)
	err = fit(in.MaxTokens, func(budget int) (string, error) {
		shown, next := page(lines, start, budget)
		parts := []string{fence(shown)}
		for _, p := range out.Problems {
			parts = append(parts, p.sentence())
		}
		out.Cursor = ""
		if next > 0 {
			out.Cursor = strconv.Itoa(next)
			parts = append(parts, more("open", out.Cursor))
		}
		out.text = paragraphs(parts...)
		return out.text, nil
	})
	return out, err
}
