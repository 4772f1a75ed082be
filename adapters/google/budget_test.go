package google_test

import (
	"net/http"
	"testing"

	"almanac/adapters/google"
	"almanac/graph/model"
)

// What an operation may ask of Google is counted by question, before anything is sent: a change that takes several
// requests is made whole or not begun.
func TestQuestionsAreBounded(t *testing.T) {
	s := newStage(t, ok(), ok(), ok())
	ctx := model.WithUpstream(t.Context(), 2)
	first := s.HTTP(ctx, noa, model.UpstreamGoogle)
	for range 2 {
		if status, err := s.send(ctx, first, http.MethodGet, eventsURL); status != 200 || err != nil {
			t.Fatalf("%d, %v", status, err)
		}
	}
	if status, err := s.do(ctx, http.MethodPost); status != 200 || err != nil {
		t.Fatalf("the second question: %d, %v", status, err)
	}
	reads, attempts := s.vault.reads, len(s.heard.results())
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		within, outcome := google.WithOutcome(google.WithRepeat(ctx, google.RepeatAlways))
		_, err := s.do(within, method)
		classes(t, err, model.CodeQueryTooExpensive)
		if outcome.MayHaveBeenApplied() || google.MayHaveBeenApplied(err) || outcome.Attempts() != 0 {
			t.Errorf("%s: what was never sent may have been applied: %v", method, err)
		}
	}
	if s.remote.calls() != 3 || s.vault.reads != reads || len(s.heard.results()) != attempts {
		t.Errorf("%d calls, %d readings of the vault more", s.remote.calls(), s.vault.reads-reads)
	}
	// Another operation, and a worker, are not concerned.
	s.remote.script = append(s.remote.script, ok(), ok())
	if _, err := s.do(model.WithUpstream(t.Context(), 1), http.MethodGet); err != nil {
		t.Error(err)
	}
	if _, err := s.do(t.Context(), http.MethodGet); err != nil {
		t.Error(err)
	}
}
