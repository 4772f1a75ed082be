package resolvers_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// tiredStore is a store whose writes fail from when it is told to.
type tiredStore struct {
	store.Store
	tired atomic.Bool
}

func (s *tiredStore) Write(ctx context.Context, user model.UserID, fn func(context.Context, store.Tx) error) error {
	if s.tired.Load() {
		return store.ErrUnavailable
	}
	return s.Store.Write(ctx, user, fn)
}

// What Google has done is told as done, also when our own log cannot be written.
func TestAnUnwrittenLogUndoesNothing(t *testing.T) {
	tired := &tiredStore{}
	kind := harnesses()[0]
	open := kind.open
	kind.open = func(t *testing.T, now func() time.Time, note func(string)) store.Store {
		tired.Store = open(t, now, note)
		return tired
	}
	h := kind.build(t, start)
	if err := h.google.link(t.Context(), model.UserIDOf("alice"), "alice@example.com", "UTC"); err != nil {
		t.Fatal(err)
	}
	tired.tired.Store(true)
	answer := string(h.say(t, "alice", nil,
		`mutation { createEvent(input: { summary: "Kept", start: { dateTime: "2026-11-25T10:00" } }) { event { summary } userErrors { code } } }`, nil))
	for _, part := range []string{`"event":{"summary":"Kept"}`, `"userErrors":[]`, `"code":"UPSTREAM_UNAVAILABLE"`,
		"could not be noted"} {
		if !strings.Contains(answer, part) {
			t.Errorf("%s is missing in %s", part, answer)
		}
	}
	if strings.Contains(answer, "nothing was changed") {
		t.Errorf("says that nothing was changed: %s", answer)
	}
	if content, err := h.google.content("alice@example.com", ""); err != nil || !strings.Contains(content, "Kept") {
		t.Errorf("Google has %s (%v)", content, err)
	}
}

// Of many who hand in the same answer at once, one is heard.
func TestAnAnswerIsHeardOnce(t *testing.T) {
	for _, kind := range harnesses() {
		t.Run(kind.name, func(t *testing.T) {
			h := kind.build(t, start)
			err := h.google.link(t.Context(), model.UserIDOf("alice"), "alice@example.com", "UTC")
			if err == nil {
				err = h.google.do(t.Context(),
					`event alice@example.com {"id": "dail0", "summary": "Daily", "start": {"dateTime": "2026-11-20T10:00:00Z", "timeZone": "UTC"}, "end": {"dateTime": "2026-11-20T11:00:00Z", "timeZone": "UTC"}, "recurrence": ["RRULE:FREQ=DAILY;COUNT=20"]}`)
			}
			if err != nil {
				t.Fatal(err)
			}
			const document = `mutation ($confirm: ConfirmInput) { deleteEvent(input: { target: { match: { summary: "daily" } }, confirm: $confirm }) { deleted confirmation { token } userErrors { code } } }`
			type answer struct {
				Data struct {
					DeleteEvent struct {
						Deleted      int
						Confirmation *struct{ Token string }
						UserErrors   []struct{ Code string }
					}
				}
			}
			var asked answer
			if err := json.Unmarshal(h.say(t, "alice", nil, document, nil), &asked); err != nil ||
				asked.Data.DeleteEvent.Confirmation == nil {
				t.Fatalf("%v: %+v", err, asked)
			}
			confirm := map[string]any{"confirm": map[string]any{"token": asked.Data.DeleteEvent.Confirmation.Token,
				"choose": []any{"FOLLOWING"}}}
			var heard, refused atomic.Int32
			var group sync.WaitGroup
			for range 12 {
				group.Go(func() {
					var got answer
					if err := json.Unmarshal(h.say(t, "alice", nil, document, confirm), &got); err != nil {
						t.Error(err)
					}
					switch codes := got.Data.DeleteEvent.UserErrors; {
					case got.Data.DeleteEvent.Deleted == 1:
						heard.Add(1)
					case len(codes) == 1 && codes[0].Code == "CONFIRMATION_INVALID":
						refused.Add(1)
					default:
						t.Errorf("%+v", got)
					}
				})
			}
			group.Wait()
			if heard.Load() != 1 || refused.Load() != 11 {
				t.Errorf("%d were heard, %d refused", heard.Load(), refused.Load())
			}
		})
	}
}
