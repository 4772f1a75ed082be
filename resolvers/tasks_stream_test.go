package resolvers_test

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// brokenReads is a store that fails when it has handed out some tasks of a page.
type brokenReads struct {
	store.Store
	after int
}

func (s *brokenReads) Tasks(ctx context.Context, user model.UserID, query store.TaskQuery) (store.TaskPage, error) {
	each, left := query.Each, s.after
	if each == nil {
		return store.TaskPage{}, store.ErrUnavailable
	}
	query.Each = func(task *model.Task) bool {
		left--
		return left >= 0 && each(task)
	}
	if _, err := s.Store.Tasks(ctx, user, query); err != nil {
		return store.TaskPage{}, err
	}
	return store.TaskPage{}, store.ErrUnavailable
}

// A store that fails within a page leaves nothing of it in the answer, and the error is where it is for a page that is
// read as a whole; what was asked beside it is answered.
func TestAPageThatBreaksOff(t *testing.T) {
	for _, kind := range harnesses() {
		t.Run(kind.name, func(t *testing.T) {
			broken := &brokenReads{after: 2}
			open := kind.open
			kind.open = func(t *testing.T, now func() time.Time, note func(string)) store.Store {
				broken.Store = open(t, now, note)
				return broken
			}
			h := kind.build(t, start)
			for _, text := range []string{"one", "two", "three"} {
				h.say(t, "alice", nil, `mutation ($text: String!) { createTask(input: { text: $text }) { task { id } } }`,
					map[string]any{"text": text})
			}
			const beside = ` lists { totalCount } }`
			streamed := string(h.say(t, "alice", nil, `{ tasks { nodes { text } }`+beside, nil))
			for _, selection := range []string{
				"nodes { text } totalCount pageInfo { hasNextPage }", "pageInfo { hasNextPage } nodes { text }",
			} {
				other := string(h.say(t, "alice", nil, `{ tasks { `+selection+` }`+beside, nil))
				if streamed != other {
					t.Errorf("nodes alone: %s\n%s: %s", streamed, selection, other)
				}
			}
			const want = `"data":{"tasks":null,"lists":{"totalCount":0}}`
			if !strings.Contains(streamed, want) || !strings.Contains(streamed, `"path":["tasks"]`) {
				t.Errorf("%s lacks %s or the path of its error", streamed, want)
			}
		})
	}
}

// What is said of a page whose nodes are read one after the other is what is said of it when it is read as a whole,
// which it is where something else comes before them.
func TestWhatIsSaidOfAPage(t *testing.T) {
	for _, kind := range harnesses() {
		t.Run(kind.name, func(t *testing.T) {
			h := kind.build(t, start)
			for i := range 7 {
				h.say(t, "alice", nil, `mutation ($text: String!, $due: DateTime) {
					createTask(input: { text: $text, dueDate: $due }) { task { id } } }`, map[string]any{
					"text": string(rune('g' - i)), "due": start.AddDate(0, 0, i*i%7+1).Format(time.RFC3339),
				})
			}
			const about = " pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount"
			type said struct {
				Data struct {
					Tasks struct {
						Nodes    []struct{ Text string }
						PageInfo struct {
							HasNextPage, HasPreviousPage bool
							StartCursor, EndCursor       *string
						}
						TotalCount int
					}
				}
			}
			ask := func(selection, arguments string) (answer said) {
				t.Helper()
				text := h.say(t, "alice", nil, "{ tasks("+arguments+") { "+selection+" } }", nil)
				if err := json.Unmarshal(text, &answer); err != nil {
					t.Fatal(err)
				}
				return answer
			}
			for _, order := range []string{"CREATED_AT", "DUE_DATE", "UPDATED_AT", "TEXT", "POSITION"} {
				in := "orderBy: { field: " + order + " } "
				middle := ask("nodes { text }"+about, in+"first: 3").Data.Tasks.PageInfo.EndCursor
				for _, page := range []string{
					"first: 1", "first: 3", "first: 7", "last: 2", `filter: { category: "none" }`, `filter: { search: "c" }`,
					`first: 2 after: "` + *middle + `"`, `first: 9 after: "` + *middle + `"`, `last: 2 before: "` + *middle + `"`,
				} {
					after, before := ask("nodes { text }"+about, in+page), ask(about+" nodes { text }", in+page)
					if !reflect.DeepEqual(after, before) {
						t.Errorf("%s %s: one after the other %+v, as a whole %+v", order, page, after, before)
					}
					if strings.HasPrefix(page, "first") && len(before.Data.Tasks.Nodes) == 0 {
						t.Errorf("%s %s: no nodes", order, page)
					}
				}
			}
		})
	}
}
