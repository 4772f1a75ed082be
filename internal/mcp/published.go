package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"almanac/graph/model"
	"almanac/internal/dryrun"
	"almanac/projections/compact"
)

// Document is a GraphQL document that whoever runs the server publishes as a tool: one operation, whose name is the
// tool's. The comment on top describes it.
type Document struct {
	// File is what errors call it.
	File string
	Text string
}

// published is a document that has been checked.
type published struct {
	document
	mutation bool
}

// publishedTokens is how long the text of a published tool may be, in tokens; maxData is how many bytes of its data go
// along.
const (
	publishedTokens = 3_000
	maxData         = 16 << 10
)

// toolName is what clients take as the name of a tool.
var toolName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

// publish checks a document and makes it a tool.
func (s *Server) publish(doc Document, known []string) (tool, error) {
	refuse := func(format string, args ...any) (tool, error) {
		return tool{}, fmt.Errorf("the published document %s cannot be offered: %s", doc.File, fmt.Sprintf(format, args...))
	}
	if s.cfg.Schema == nil {
		return refuse("there is no schema to check it against")
	}
	parsed, errs := gqlparser.LoadQueryWithRules(s.cfg.Schema, doc.Text, rules.NewDefaultRules())
	if len(errs) > 0 {
		return refuse("%s", errs[0].Error())
	}
	if len(parsed.Operations) != 1 || parsed.Operations[0].Name == "" {
		return refuse("it must hold one operation with a name")
	}
	op := parsed.Operations[0]
	switch {
	case op.Operation == ast.Subscription:
		return refuse("a subscription has many answers; a tool has one")
	case !toolName.MatchString(op.Name):
		return refuse("its name %q is not one that clients take: up to 64 letters, digits and _", model.Clip(op.Name))
	case slices.Contains(known, op.Name):
		return refuse("there is a tool %q already", op.Name)
	}
	schema, err := inputSchema(s.cfg.Schema, op.VariableDefinitions)
	if err != nil {
		return refuse("%v", err)
	}
	isMutation := op.Operation == ast.Mutation
	description := tidy(comment(doc.Text))
	if description == "" {
		description = "The " + string(op.Operation) + " " + op.Name + "."
	}
	needs := model.ScopeRead
	if isMutation {
		needs = model.ScopeWrite
		description += " Asks first."
	}
	open := true
	s.published[op.Name] = published{document: document{name: op.Name, text: doc.Text}, mutation: isMutation}
	name := op.Name
	return tool{
		definition: definition{
			Name: name, Description: description, InputSchema: schema,
			Annotations: &mcp.ToolAnnotations{ReadOnlyHint: !isMutation, DestructiveHint: &isMutation, OpenWorldHint: &open},
		},
		needs: needs,
		add: adder(s, func(ctx context.Context, c *call, in map[string]any) (outcome, error) {
			return s.runPublished(ctx, c, name, in)
		}),
	}, nil
}

// comment is the text of the comment that a document begins with.
func comment(text string) string {
	var lines []string
	for line := range strings.Lines(strings.TrimSpace(text)) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "#")
		if !ok {
			break
		}
		lines = append(lines, strings.TrimSpace(rest))
	}
	return strings.TrimSpace(strings.Join(lines, " "))
}

// runPublished runs a published query, and asks before a mutation: nobody but its author knows what it does.
func (s *Server) runPublished(ctx context.Context, c *call, name string, variables map[string]any) (outcome, error) {
	one := step{Document: name, Input: variables}
	if !s.published[name].mutation {
		return s.performPublished(ctx, c, one, "")
	}
	values, err := json.Marshal(variables)
	if err != nil {
		return outcome{}, fmt.Errorf("encode variables: %w", err)
	}
	lines, err := render(values)
	if err != nil {
		return outcome{}, err
	}
	shown, _ := page(lines, 0, 500)
	now, err := s.graphql.run(ctx, c, s.documents["locale"], nil, "")
	if err != nil {
		return outcome{}, err
	}
	return s.approve(ctx, c, question{
		confirmation: confirmation{Question: say(localeOf(now), sayPublished, name)}, detail: joinLines(shown),
		plan: pending{Steps: []step{one}},
	})
}

// performPublished runs a published document. Compact texts that it selects at its root fields are its text; otherwise
// its data is, in lines, between marks.
func (s *Server) performPublished(ctx context.Context, c *call, one step, key string) (outcome, error) {
	doc, ok := s.published[one.Document]
	if !ok {
		return outcome{}, invalidToken("this server does not know what was asked about")
	}
	if doc.mutation && dryrun.Is(ctx) {
		return outcome{}, model.BadInput("dryRun", "this tool has no dry run")
	}
	got, err := s.graphql.run(ctx, c, doc.document, one.Input, key)
	if err != nil {
		return outcome{}, err
	}
	if len(got.Data) == 0 {
		return failure(used(got.faults(), key)...), nil
	}
	data, err := json.Marshal(got.Data)
	if err != nil {
		return outcome{}, fmt.Errorf("encode data: %w", err)
	}
	out := outcome{content: content{Problems: got.faults()}, failed: len(got.Errors) > 0}
	if len(data) <= maxData {
		out.Data = data
	}
	parts, err := publishedText(got, data)
	if err != nil {
		return outcome{}, err
	}
	for _, p := range out.Problems {
		parts = append(parts, p.sentence())
	}
	out.text = paragraphs(parts...)
	return out, nil
}

func publishedText(got answer, data []byte) ([]string, error) {
	var parts []string
	var texts []formatted
	for _, name := range sortedKeys(got.Data) {
		var field struct {
			Compact formatted `json:"compact"`
		}
		if json.Unmarshal(got.Data[name], &field) == nil && field.Compact.Output != "" {
			texts = append(texts, field.Compact)
		}
	}
	if text := fenced(texts...); text != "" && compact.Tokens(text) <= publishedTokens {
		return []string{text}, nil
	}
	lines, err := render(data)
	if err != nil {
		return nil, err
	}
	shown, next := page(lines, 0, publishedTokens)
	parts = append(parts, fence(shown))
	if next > 0 {
		parts = append(parts, fmt.Sprintf("%d more lines are left out; ask for less.", len(lines)-next))
	}
	return parts, nil
}
