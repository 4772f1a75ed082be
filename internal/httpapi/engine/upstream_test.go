package engine_test

import (
	"context"
	"strings"
	"testing"

	"almanac/graph/model"
	"almanac/internal/httpapi/engine"
)

// asking puts so many questions to a remote system and returns how many were let through.
func asking(ctx context.Context, times int) (asked int) {
	for range times {
		if model.AskUpstream(ctx, model.UpstreamExa) == nil {
			asked++
		}
	}
	return asked
}

func TestQuestionsToRemoteSystemsAreBoundedByOperation(t *testing.T) {
	s := newServer(t, nil)
	total := 0
	s.resolver.Who = func(ctx context.Context) string { total += asking(ctx, engine.MaxQuestions); return "" }
	for range 2 { // the second operation begins anew
		total = 0
		if _, errs, _ := s.run(t, "{whoami}", ""); len(errs) > 0 || total != engine.MaxQuestions {
			t.Errorf("a query asked %d: %s", total, show(errs))
		}
	}
	var errs []error
	s.resolver.Who = func(ctx context.Context) string {
		errs = append(errs, model.AskUpstream(ctx, model.UpstreamExa))
		return ""
	}
	for range 3 {
		errs = nil
		if s.run(t, "{whoami}", ""); len(errs) != 1 || errs[0] != nil {
			t.Errorf("a question of a new query: %v", errs)
		}
	}
	sent := 0
	s.resolver.Remote = func(ctx context.Context, text string) (string, error) {
		sent += asking(ctx, engine.MaxMutationQuestions-1)
		return text, model.AskUpstream(ctx, model.UpstreamExa)
	}
	data, failed, _ := s.run(t, `mutation{a:send(text:"x") b:send(text:"y")}`, "")
	if sent != engine.MaxMutationQuestions-1 || data != `{"a":"x","b":null}` ||
		codeOf(failed) != model.CodeQueryTooExpensive {
		t.Errorf("a mutation asked %d: %s %s", sent, data, show(failed))
	}
}

// Who may only read gets no address at which an account is linked to the user.
func TestConnectURLIsForThoseWhoMayWrite(t *testing.T) {
	s := newServer(t, nil)
	notConnected := &model.Error{Code: model.CodeNotConnected, Message: "link it",
		ConnectURL: "https://almanac.example/connect/google?ticket=secret"}
	s.resolver.Remote = func(context.Context, string) (string, error) { return "", notConnected }
	op, errs := s.Prepare(everything(), engine.Request{Query: `mutation{send(text:"x")}`})
	if len(errs) > 0 {
		t.Fatal(show(errs))
	}
	for _, c := range []struct {
		ctx  context.Context
		sees bool
	}{{everything(), true}, {asCaller(model.ScopeRead), false}, {asCaller(), false}, {context.Background(), false}} {
		said := show(op.Execute(c.ctx).Errors)
		if strings.Contains(said, "ticket=secret") != c.sees || !strings.Contains(said, "NOT_CONNECTED") {
			t.Errorf("sees %v: %s", c.sees, said)
		}
	}
	if notConnected.ConnectURL == "" {
		t.Error("the error itself was changed")
	}
}
