package resolvers_test

import (
	"context"
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
			whole := string(h.say(t, "alice", nil, `{ tasks { nodes { text } pageInfo { hasNextPage } }`+beside, nil))
			if streamed != whole {
				t.Errorf("one after the other: %s\nas a whole:        %s", streamed, whole)
			}
			const want = `"data":{"tasks":null,"lists":{"totalCount":0}}`
			if !strings.Contains(streamed, want) || !strings.Contains(streamed, `"path":["tasks"]`) {
				t.Errorf("%s lacks %s or the path of its error", streamed, want)
			}
		})
	}
}
