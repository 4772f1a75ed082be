package resolvers_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// rivalled is a store in which somebody writes right after names were read outside of a transaction.
type rivalled struct {
	store.Store
	rival  *func()
	inside *int
}

func (r rivalled) TaskTexts(ctx context.Context, user model.UserID) ([]model.Task, error) {
	texts, err := r.Store.TaskTexts(ctx, user)
	if r.InTransaction(ctx) {
		*r.inside++
	} else if *r.rival != nil {
		(*r.rival)()
	}
	return texts, err
}

// What a text means is found without holding up other writers, and again when one of them has changed something: never
// is a record changed for a name that it had before. So it is with an Idempotency-Key, whose transaction is that of
// the whole request.
func TestTextsAreMatchedBeforeTheLock(t *testing.T) {
	for _, kind := range harnesses() {
		for _, keyed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/keyed=%v", kind.name, keyed), func(t *testing.T) { textsBeforeTheLock(t, kind, keyed) })
		}
	}
}

func textsBeforeTheLock(t *testing.T, kind harnessKind, keyed bool) {
	t.Helper()
	open := kind.open
	var rival func()
	inside, keys := 0, 0
	kind.open = func(t *testing.T, now func() time.Time, note func(string)) store.Store {
		t.Helper()
		return rivalled{open(t, now, note), &rival, &inside}
	}
	h := kind.build(t, start)
	say := func(document string, values ...any) string {
		var header map[string]string
		if keys++; keyed {
			header = map[string]string{"Idempotency-Key": strconv.Itoa(keys)}
		}
		return string(h.say(t, "alice", header, fmt.Sprintf(document, values...), nil))
	}
	create := func(text string) (id string) {
		_, id, _ = strings.Cut(say(`mutation { createTask(input: { text: %q }) { task { id } } }`, text), `"id":"`)
		return id[:strings.IndexByte(id, '"')]
	}
	milk := create("Buy milk")
	inside = 0

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
	if asked != 2 || inside != 0 {
		t.Errorf("names were read %d times before the transaction, %d times in it", asked, inside)
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
}

// The fields of a request with an Idempotency-Key follow one another in its transaction: a text may mean what an
// earlier one has made. Where others would wait for that, it is refused, and nothing is lost.
func TestTextsOfLaterKeyedFields(t *testing.T) {
	for _, kind := range harnesses() {
		t.Run(kind.name, func(t *testing.T) {
			h := kind.build(t, start)
			say := func(key, document string, variables any) string {
				return string(h.say(t, "alice", map[string]string{"Idempotency-Key": key}, document, variables))
			}
			answer := say("1", `mutation {
				a: createTask(input: { text: "Buy milk" }) { task { text } }
				b: createTask(input: { text: "Feed the cat" }) { task { text } }
				c: deleteTask(input: { target: { match: { text: "feed cat" } } }) { deleted userErrors { code } }
				d: updateTask(input: { target: { match: { text: "buy milk" } }, set: { text: "Buy bread" } }) {
					task { text } userErrors { code } } }`, nil)
			if want := `"c":{"deleted":1,"userErrors":[]},"d":{"task":{"text":"Buy bread"},"userErrors":[]}`; !strings.Contains(
				answer, want) {
				t.Fatal(answer)
			}

			long := strings.Repeat("קניות לשבת ", 90)
			var tasks []map[string]any
			for i := range 200 {
				tasks = append(tasks, map[string]any{"text": fmt.Sprint(long, i), "allowDuplicate": true})
			}
			say("2", `mutation ($tasks: [CreateTaskInput!]!) { createTasks(input: { tasks: $tasks }) { created } }`,
				map[string]any{"tasks": tasks})
			var texts []string
			for i := range 100 {
				texts = append(texts, fmt.Sprint("קניות ", string('א'+rune(i%22)), i))
			}
			const dear = `mutation ($texts: [String!]) {
				a: createTask(input: { text: "beside" }) { task { text } }
				b: deleteTasks(input: { texts: $texts }) { deleted userErrors { code message } } }`
			answer = say("3", dear, map[string]any{"texts": texts})
			if !strings.Contains(answer, `{"a":{"task":{"text":"beside"}},"b":{"deleted":0,"userErrors":[{"code":"BAD_USER_INPUT"`) ||
				!strings.Contains(answer, "send this field by itself") {
				t.Error(answer)
			}
		})
	}
}
