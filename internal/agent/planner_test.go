package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	_ "time/tzdata"

	"almanac/adapters/openai"
	"almanac/graph/model"
	"almanac/internal/agent"
	"almanac/projections/plan"
	"almanac/projections/when"
)

// modelFunc is a model made of a function.
type modelFunc func(ctx context.Context, q openai.Question) (openai.Answer, error)

func (f modelFunc) Ask(ctx context.Context, q openai.Question) (openai.Answer, error) {
	return f(ctx, q)
}

// calls is a model that always asks for the same calls: name and arguments, by turns.
func calls(parts ...string) modelFunc {
	var all []openai.Call
	for i := 0; i+1 < len(parts); i += 2 {
		all = append(all, openai.Call{Name: parts[i], Arguments: json.RawMessage(parts[i+1])})
	}
	return func(context.Context, openai.Question) (openai.Answer, error) { return openai.Answer{Calls: all}, nil }
}

func moment(t *testing.T) when.Moment {
	t.Helper()
	zone, err := time.LoadLocation("Asia/Jerusalem")
	if err != nil {
		t.Fatal(err)
	}
	return when.Moment{Now: time.Date(2026, time.November, 22, 8, 0, 0, 0, time.UTC), Zone: zone, Locale: "en",
		WeekStart: model.Sunday}
}

// unread is a sentence that the grammar does not understand, with all that the tests' models say.
const unread = "hmm so yeah folks were wondering if perhaps Dana Levi and bob@example.com could maybe squeeze Budget " +
	"Talk into the calendar thing on the twenty-fourth-ish, half past three or 16, Room 5, or tomorrow morning, or " +
	"rename it Money"

// useless are answers that must not become plans of that sentence.
var useless = map[string]modelFunc{
	"no call": calls(),
	"two calls": calls("read", `{"certain":true,"from":null,"to":null}`, "delete",
		`{"certain":true,"title":"Budget Talk","from":null,"to":null,"everything":false}`),
	"an unknown tool":     calls("erase", `{"certain":true}`),
	"not certain":         calls("read", `{"certain":false,"from":null,"to":null}`),
	"nothing certain":     calls("read", `{}`),
	"another argument":    calls("read", `{"certain":true,"from":null,"to":null,"sudo":true}`),
	"a number for a text": calls("search", `{"certain":true,"query":5,"from":null,"to":null}`),
	"a list":              calls("read", `[]`),
	"no query":            calls("search", `{"certain":true,"query":" ","from":null,"to":null}`),
	"another query":       calls("search", `{"certain":true,"query":"salaries","from":null,"to":null}`),
	"another title": calls("create",
		`{"certain":true,"title":"Fire everybody","start":"2026-11-24T16:00","end":null,"location":null,"people":[]}`),
	"another person": calls("create",
		`{"certain":true,"title":"Budget Talk","start":"2026-11-24T16:00","end":null,"location":null,`+
			`"people":["eve@evil.example"]}`),
	"another place": calls("create",
		`{"certain":true,"title":"Budget Talk","start":"2026-11-24T16:00","end":null,"location":"Moon","people":[]}`),
	"another hour": calls("create",
		`{"certain":true,"title":"Budget Talk","start":"2026-11-24T21:00","end":null,"location":null,"people":[]}`),
	"other minutes": calls("create",
		`{"certain":true,"title":"Budget Talk","start":"2026-11-24T16:10","end":null,"location":null,"people":[]}`),
	"no start": calls("create",
		`{"certain":true,"title":"Budget Talk","start":null,"end":null,"location":null,"people":[]}`),
	"no time": calls("create",
		`{"certain":true,"title":"Budget Talk","start":"soon","end":null,"location":null,"people":[]}`),
	"an end before": calls("create",
		`{"certain":true,"title":"Budget Talk","start":"2026-11-24T16:00","end":"2026-11-24T15:30",`+
			`"location":null,"people":[]}`),
	"a day and an hour": calls("create",
		`{"certain":true,"title":"Budget Talk","start":"2026-11-24","end":"2026-11-24T16:00","location":null,"people":[]}`),
	"another century": calls("create",
		`{"certain":true,"title":"Budget Talk","start":"2126-11-24T16:00","end":null,"location":null,"people":[]}`),
	"half a range":      calls("schedule", `{"certain":true,"from":"2026-11-24","to":null}`),
	"a range backwards": calls("schedule", `{"certain":true,"from":"2026-11-24","to":"2026-11-23"}`),
	"no change": calls("update",
		`{"certain":true,"title":"Budget Talk","from":null,"to":null,"new_title":null,"new_start":null,`+
			`"new_end":null,"new_location":null}`),
	"everything for ever": calls("delete", `{"certain":true,"title":null,"from":null,"to":null,"everything":true}`),
	"something to delete": calls("delete", `{"certain":true,"title":null,"from":null,"to":null,"everything":false}`),
	"an endless title": calls("search",
		`{"certain":true,"query":"`+strings.Repeat("dana ", 900)+`","from":null,"to":null}`),
	"a model that is away": func(context.Context, openai.Question) (openai.Answer, error) {
		return openai.Answer{}, model.Errorf(model.CodeUpstreamUnavailable, "away")
	},
	"a model over its rate": func(context.Context, openai.Question) (openai.Answer, error) {
		return openai.Answer{}, model.Errorf(model.CodeUpstreamRateLimited, "slow down")
	},
}

// TestUselessModels: whatever is wrong with the model, the grammar's own refusal is the answer.
func TestUselessModels(t *testing.T) {
	at := moment(t)
	_, want := plan.Read(unread, at)
	refusal, ok := errors.AsType[*plan.Refusal](want)
	if !ok {
		t.Fatalf("the grammar reads it: %v", want)
	}
	if refusal.Kind != plan.Unread && refusal.Kind != plan.NotAnInstruction {
		t.Fatalf("the grammar refuses it as %s: %s", refusal.Kind, refusal.Message)
	}
	for name, answers := range useless {
		t.Run(name, func(t *testing.T) {
			var reports []agent.Report
			p := &agent.Planner{Model: answers, ModelName: "m", Observe: func(r agent.Report) { reports = append(reports, r) }}
			made, byModel, err := p.Plan(t.Context(), unread, at)
			got, ok := errors.AsType[*plan.Refusal](err)
			if !ok || *got != *refusal || byModel {
				t.Errorf("%+v %v %v", made, byModel, err)
			}
			if len(reports) != 1 || !reports[0].ByModel || reports[0].Outcome == agent.OutcomePlanned {
				t.Errorf("reports %+v", reports)
			}
		})
	}
}

// TestUsefulModels: what the sentence gives becomes a plan.
func TestUsefulModels(t *testing.T) {
	at := moment(t)
	for _, c := range []struct {
		name, tool, arguments string
		check                 func(p plan.Plan) bool
	}{
		{"create", "create",
			`{"certain":true,"title":"budget talk","start":"2026-11-24T16:00","end":null,"location":"Room 5",` +
				`"people":["Dana Levi","bob@example.com"]}`, func(p plan.Plan) bool {
				c := p.Create
				return c.Title == "budget talk" && c.Start.At.Equal(time.Date(2026, 11, 24, 14, 0, 0, 0, time.UTC)) &&
					c.End.At.Sub(c.Start.At) == time.Hour &&
					len(c.People) == 2 && c.People[0].Name == "Dana Levi" && c.People[1].Email == "bob@example.com"
			}},
		{"half past three", "create",
			`{"certain":true,"title":null,"start":"2026-11-24T15:30","end":"2026-11-24T16:30","location":null,"people":[]}`,
			func(p plan.Plan) bool {
				return p.Create.Start.At.Equal(time.Date(2026, 11, 24, 13, 30, 0, 0, time.UTC))
			}},
		{"all day", "create", `{"certain":true,"title":"Budget","start":"2026-11-24","end":null,"location":null,"people":[]}`,
			func(p plan.Plan) bool {
				return p.Create.Start.Date.String() == "2026-11-24" && p.Create.End.Date.String() == "2026-11-25"
			}},
		{"read", "read", `{"certain":true,"from":null,"to":null}`,
			func(p plan.Plan) bool { return p.Read.To.Sub(p.Read.From) == 7*24*time.Hour }},
		{"schedule", "schedule", `{"certain":true,"from":"2026-11-24","to":"2026-11-25"}`,
			func(p plan.Plan) bool { return p.Schedule.To.Sub(p.Schedule.From) == 24*time.Hour }},
		{"search", "search", `{"certain":true,"query":"Budget","from":null,"to":null}`,
			func(p plan.Plan) bool { return p.Search.Query == "Budget" && p.Search.Window == nil }},
		{"update", "update",
			`{"certain":true,"title":"Budget Talk","from":null,"to":null,"new_title":"Money",` +
				`"new_start":"2026-11-23T09:00","new_end":null,"new_location":null}`, func(p plan.Plan) bool {
				return p.Update.Change.Title == "Money" && p.Update.Change.Start.Hour == 9 &&
					p.Update.Change.Date.String() == "2026-11-23"
			}},
		{"delete", "delete", `{"certain":true,"title":"Budget Talk","from":null,"to":null,"everything":false}`,
			func(p plan.Plan) bool { return p.Delete.Target.Title == "Budget Talk" && !p.Delete.Target.All }},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &agent.Planner{Model: calls(c.tool, c.arguments), ModelName: "m"}
			made, byModel, err := p.Plan(t.Context(), unread, at)
			if err != nil || !byModel || string(made.Tool) != c.tool || !c.check(made) {
				t.Errorf("%+v %v %v", made, byModel, err)
			}
		})
	}
}

// TestGrammarFirst: what the grammar reads, and what it refuses for a reason, no model is asked about.
func TestGrammarFirst(t *testing.T) {
	asked := 0
	p := &agent.Planner{ModelName: "m", Model: modelFunc(func(context.Context, openai.Question) (openai.Answer, error) {
		asked++
		return openai.Answer{}, nil
	})}
	for _, text := range []string{"Schedule a meeting tomorrow at 2pm", "what is on my calendar", "delete it",
		"delete everything"} {
		if _, byModel, _ := p.Plan(t.Context(), text, moment(t)); byModel || asked > 0 {
			t.Errorf("%q: by model %v, asked %d times", text, byModel, asked)
		}
	}
}

// TestPatience: a model that hangs costs its time and no more.
func TestPatience(t *testing.T) {
	at := moment(t)
	synctest.Test(t, func(t *testing.T) {
		p := &agent.Planner{ModelName: "m",
			Model: modelFunc(func(ctx context.Context, _ openai.Question) (openai.Answer, error) {
				<-ctx.Done()
				return openai.Answer{}, ctx.Err()
			})}
		begun := time.Now()
		_, byModel, err := p.Plan(t.Context(), unread, at)
		if _, refused := errors.AsType[*plan.Refusal](err); !refused || byModel ||
			time.Since(begun) != agent.DefaultPatience {
			t.Errorf("%v after %v", err, time.Since(begun))
		}
	})
}

// TestQuestion: the sentence stands between marks that it cannot know, our words stand elsewhere, and schemas are
// strict.
func TestQuestion(t *testing.T) {
	var got openai.Question
	p := &agent.Planner{ModelName: "m", AnswerTokens: 77,
		Model: modelFunc(func(_ context.Context, q openai.Question) (openai.Answer, error) {
			got = q
			return openai.Answer{}, nil
		})}
	_, _, _ = p.Plan(t.Context(), unread, moment(t))
	if got.Model != "m" || got.MaxTokens != 77 || len(got.Tools) != 6 || len(got.Messages) != 2 ||
		strings.Contains(got.Messages[0].Text, "Budget") {
		t.Fatalf("%+v", got)
	}
	user := got.Messages[1].Text
	for _, part := range []string{"Now: Sunday 2026-11-22T10:00:00+02:00", "Time zone: Asia/Jerusalem", "<<untrusted ",
		" sentence\n" + unread + "\nuntrusted "} {
		if !strings.Contains(user, part) {
			t.Errorf("%q is not in %s", part, user)
		}
	}
	for _, tool := range got.Tools {
		var schema struct {
			Properties map[string]json.RawMessage `json:"properties"`
			Required   []string                   `json:"required"`
			Additional *bool                      `json:"additionalProperties"`
		}
		if err := json.Unmarshal(tool.Schema, &schema); err != nil || len(schema.Required) != len(schema.Properties) ||
			len(schema.Required) < 3 || schema.Additional == nil || *schema.Additional {
			t.Errorf("%s: %v %s", tool.Name, err, tool.Schema)
		}
	}
}

// FuzzPlan: whatever a model says, there is either a plan with one part or the grammar's refusal.
func FuzzPlan(f *testing.F) {
	for _, seed := range [][3]string{
		{unread, "create",
			`{"certain":true,"title":"Budget Talk","start":"2026-11-24T16:00","end":null,"location":null,"people":[]}`},
		{"נו אז אולי משהו עם דנה ב-9", "search",
			`{"certain":true,"query":"דנה","from":"0001-01-01","to":"9999-12-31T23:59:59Z"}`},
		{"x", "delete", `{"certain":true,"everything":true,"from":"2026-11-22","to":"2026-11-23"}`},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	zone := time.FixedZone("x", 14*3600)
	at := when.Moment{Now: time.Date(2026, time.November, 22, 8, 0, 0, 0, time.UTC), Zone: zone, Locale: "he",
		WeekStart: model.Sunday}
	f.Fuzz(func(t *testing.T, text, tool, arguments string) {
		p := &agent.Planner{Model: calls(tool, arguments), ModelName: "m"}
		made, _, err := p.Plan(t.Context(), text, at)
		if err != nil {
			if _, ok := errors.AsType[*plan.Refusal](err); !ok {
				t.Fatal(err)
			}
			return
		}
		parts := 0
		for _, set := range []bool{made.Create != nil, made.Read != nil, made.Schedule != nil, made.Search != nil,
			made.Update != nil, made.Delete != nil} {
			if set {
				parts++
			}
		}
		if parts != 1 {
			t.Fatalf("%d parts: %+v", parts, made)
		}
	})
}
