package resolvers_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// rivalled is a store in which somebody writes right after names were read outside of a transaction.
type rivalled struct {
	store.Store
	rival *func()
}

func (r rivalled) TaskTexts(ctx context.Context, user model.UserID) ([]model.Task, error) {
	texts, err := r.Store.TaskTexts(ctx, user)
	if *r.rival != nil {
		(*r.rival)()
	}
	return texts, err
}

// What a text means is found without holding up other writers, and again when one of them has changed something: never
// is a record changed for a name that it had before.
func TestTextsAreMatchedBeforeTheLock(t *testing.T) {
	for _, kind := range harnesses() {
		t.Run(kind.name, func(t *testing.T) {
			open := kind.open
			var rival func()
			kind.open = func(t *testing.T, now func() time.Time, note func(string)) store.Store {
				return rivalled{open(t, now, note), &rival}
			}
			h := kind.build(t, start)
			say := func(document string, values ...any) string {
				return string(h.say(t, "alice", nil, fmt.Sprintf(document, values...), nil))
			}
			create := func(text string) (id string) {
				_, id, _ = strings.Cut(say(`mutation { createTask(input: { text: %q }) { task { id } } }`, text), `"id":"`)
				return id[:strings.IndexByte(id, '"')]
			}
			milk := create("Buy milk")

			asked := 0
			rival = func() { // once, the task gets another name
				if asked++; asked == 1 {
					say(`mutation { updateTask(input: { id: %q, set: { text: "Feed the cat" } }) { task { id } } }`, milk)
				}
			}
			if answer := say(`mutation { deleteTask(input: { target: { match: { text: "buy milk" } } }) {
				deleted userErrors { code } } }`); !strings.Contains(answer, `"deleted":0,"userErrors":[{"code":"NOT_FOUND"}]`) {
				t.Errorf("a task was deleted by a name that it no longer has: %s", answer)
			}
			if asked != 2 {
				t.Errorf("names were read %d times before the transaction", asked)
			}

			asked = 0
			rival = func() { // always something else
				asked++
				create(fmt.Sprintf("Errand number %d", asked))
			}
			answer := say(
				`mutation { deleteTasks(input: { texts: ["feed the cat", "water the plants"] }) { deleted userErrors { code } } }`)
			if !strings.Contains(answer, `{"deleted":0,"userErrors":[{"code":"CONFLICT"}]}`) {
				t.Errorf("among rivals that never rest: %s", answer)
			}
			if asked != 8 {
				t.Errorf("names were read %d times before the transaction", asked)
			}
		})
	}
}
