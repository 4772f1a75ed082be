package mcp

import (
	"context"
	"encoding/json"
	"maps"
	"strings"
	"time"

	"almanac/graph/model"
	"almanac/internal/dryrun"
)

// changeTokens is how long the text about a change may be, in tokens.
const changeTokens = 1_000

func cloned(input map[string]any) map[string]any {
	if input == nil {
		return map[string]any{}
	}
	return maps.Clone(input)
}

// payload is what a mutation returns.
type payload struct {
	UserErrors   []userError `json:"userErrors"`
	Confirmation *struct {
		Kind          model.ConfirmationKind `json:"kind"`
		Question      string                 `json:"question"`
		AllowMultiple bool                   `json:"allowMultiple"`
		ExpiresAt     time.Time              `json:"expiresAt"`
		Token         string                 `json:"token"`
		Candidates    []candidate            `json:"candidates"`
	} `json:"confirmation"`
	Action  *actionDone `json:"action"`
	Preview *preview    `json:"preview"`
	Compact formatted   `json:"compact"`
}

// perform runs one step. What the API asks becomes a question of ours, which holds the very input.
func (s *Server) perform(ctx context.Context, c *call, one step, key string) (outcome, error) {
	if one.Document != "" {
		return s.performPublished(ctx, c, one, key)
	}
	m, ok := s.mutations[one.Mutation]
	if !ok {
		return outcome{}, invalidToken("this server does not know what was asked about")
	}
	variables := map[string]any{"input": one.Input, "compact": options(changeTokens, 40), "dryRun": dryrun.Is(ctx)}
	got, err := s.graphql.run(ctx, c, s.documents[one.Mutation], variables, key)
	if err != nil {
		return outcome{}, err
	}
	if isNull(got.Data["done"]) {
		return failure(used(got.faults(), key)...), nil
	}
	var done payload
	if err := json.Unmarshal(got.Data["done"], &done); err != nil {
		return outcome{}, err
	}
	if done.Confirmation != nil {
		return s.apiAsks(ctx, c, m, one, done)
	}
	out := outcome{text: fenced(done.Compact), content: content{IDs: ids(got.Data["done"]), Preview: done.Preview,
		DryRun: dryrun.Is(ctx)}}
	if done.Action != nil {
		out.Actions = []actionDone{*done.Action}
	}
	for _, e := range done.UserErrors {
		out.Problems = append(out.Problems, problem{Code: e.Code, Message: e.Message, Field: strings.Join(e.Field, ".")})
	}
	out.Problems = append(out.Problems, got.faults()...)
	if len(out.Problems) > 0 {
		failed := failure(out.Problems...)
		out.text, out.failed = paragraphs(out.text, failed.text), true
	}
	return out, nil
}

// used says that a token was used with another answer before, in the words of confirmations.
func used(problems []problem, key string) []problem {
	for i, p := range problems {
		if key != "" && p.Code == model.CodeIdempotencyConflict {
			problems[i] = problem{Code: model.CodeConfirmationInvalid, Message: "This question has been answered before.",
				Field: "token"}
		}
	}
	return problems
}

// apiAsks turns a question of the API into ours.
func (s *Server) apiAsks(ctx context.Context, c *call, m mutation, one step, done payload) (outcome, error) {
	input := cloned(one.Input)
	delete(input, "confirm")
	q := question{
		confirmation: confirmation{
			Kind: done.Confirmation.Kind, Question: done.Confirmation.Question, Candidates: done.Confirmation.Candidates,
			AllowMultiple: done.Confirmation.AllowMultiple, ExpiresAt: done.Confirmation.ExpiresAt.UTC().Format(time.RFC3339),
		},
		plan: pending{
			Steps: []step{{Mutation: m.name, Input: input}}, Slot: slotConfirm, Token: done.Confirmation.Token,
			Expires: done.Confirmation.ExpiresAt.Unix(), DryRun: dryrun.Is(ctx),
		},
	}
	q, err := s.asking(c.caller.UserID, q)
	return outcome{ask: &q}, err
}

// approve asks about steps that the API would do at once.
//
// A dry run does nothing that would have to be approved, so what needs no choice is answered at once.
func (s *Server) approve(ctx context.Context, c *call, q question) (outcome, error) {
	if q.plan.DryRun = dryrun.Is(ctx); q.plan.DryRun && q.plan.Slot == slotNone {
		return s.carryOut(ctx, c, q.plan, chosen{})
	}
	if q.Kind == "" {
		q.Kind = model.Approval
	}
	q, err := s.asking(c.caller.UserID, q)
	return outcome{ask: &q}, err
}
