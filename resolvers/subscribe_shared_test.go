package resolvers_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"almanac/graph/model"
	"almanac/internal/httpapi/edge"
	"almanac/internal/httpapi/engine"
)

const (
	followTexts = `subscription ($after: String) { taskChanged(after: $after) { cursor task { text } } }`
	followDates = `subscription ($locale: String) { taskChanged { task { text dueDateFormatted(locale: $locale) } } }`
)

// follow starts a subscription on the engine itself, whose answers the test takes when it likes.
func follow(t *testing.T, h *harness, token string, hints edge.Hints, query string,
	variables map[string]any) engine.Stream {
	t.Helper()
	caller, err := byName{}.Authenticate(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := h.resolver.Open(model.WithCaller(t.Context(), caller), caller, hints)
	if err != nil {
		t.Fatal(err)
	}
	operation, errs := h.preparer.Prepare(ctx, engine.Request{Query: query, Variables: variables})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	s := operation.Subscribe(ctx)
	t.Cleanup(s.Close)
	return s
}

func addTask(t *testing.T, h *harness, text string) {
	t.Helper()
	mutate(t, h, `mutation { createTask(input: { text: "`+text+`", dueDate: "2026-11-25T22:30:00Z" }) { task { id } } }`)
}

// A subscription to every kind of change hears each as it happens, as one to single kinds does.
func TestEveryKindIsHeardAsItHappens(t *testing.T) {
	for _, kind := range harnesses() {
		t.Run(kind.name, func(t *testing.T) {
			h := kind.build(t, start)
			addTask(t, h, "makes the user")
			next := func(s engine.Stream) string {
				t.Helper()
				response := s.Next()
				if response == nil || len(response.Errors) > 0 {
					t.Fatalf("%+v", response)
				}
				return string(response.Data)
			}
			all := follow(t, h, "alice", edge.Hints{}, `subscription { changed { type } }`, nil)
			none := follow(t, h, "alice", edge.Hints{}, `subscription { changed(types: []) { type } }`, nil)
			some := follow(t, h, "alice", edge.Hints{}, `subscription { changed(types: [TASK, SETTINGS]) { type } }`, nil)
			actions := 0
			for _, day := range []string{"TUESDAY", "FRIDAY"} {
				addTask(t, h, "heard before "+day)
				mutate(t, h, `mutation { updateSettings(input: { weekStart: `+day+` }) { settings { weekStart } } }`)
				for _, want := range []string{"TASK", "SETTINGS"} {
					for name, s := range map[string]engine.Stream{"all": all, "none named": none, "some": some} {
						got := next(s)
						for ; name != "some" && got == `{"changed":{"type":"ACTION"}}`; got = next(s) {
							actions++ // of each task, the first one's among them
						}
						if got != `{"changed":{"type":"`+want+`"}}` {
							t.Errorf("%s: %s, want %s", name, got, want)
						}
					}
				}
			}
			if actions < 2 {
				t.Errorf("%d actions were heard", actions)
			}
		})
	}
}

// textOf returns the text of the task in an answer to followTexts.
func textOf(t *testing.T, response *graphql.Response) (text, cursor string) {
	t.Helper()
	var data struct {
		TaskChanged struct {
			Cursor string
			Task   struct{ Text string }
		}
	}
	if response == nil {
		return "", ""
	}
	if err := json.Unmarshal(response.Data, &data); err != nil || len(response.Errors) > 0 {
		t.Errorf("%v %v", err, response.Errors)
	}
	return data.TaskChanged.Task.Text, data.TaskChanged.Cursor
}

// However many of a user's subscriptions there are, a change is read once; its record is read once for all that select
// the same of it, and those that ask the same are given the same answer.
func TestAChangeIsReadOnceForAll(t *testing.T) {
	for _, kind := range harnesses() {
		t.Run(kind.name, func(t *testing.T) {
			kind, counts := kind.counted()
			h := kind.build(t, start)
			addTask(t, h, "makes the user")
			before := counts.batches.Load()
			addTask(t, h, "with nobody listening")
			alone := counts.batches.Load() - before
			var streams []engine.Stream
			for i := range 60 {
				query := followTexts
				if i%3 == 0 {
					query = `subscription { taskChanged { task { alias: text } } }`
				}
				streams = append(streams, follow(t, h, "alice", edge.Hints{}, query, nil))
			}
			// A look at the log and the task, for each change. Looks that find nothing may come beside them at the
			// beginning: the first one, and one for a signal of what it has read already.
			const rounds, beside = 20, 3
			before = counts.batches.Load()
			for round := range rounds {
				wanted := fmt.Sprint("heard by all ", round)
				addTask(t, h, wanted)
				answers := map[*graphql.Response]int{}
				for _, s := range streams {
					response := s.Next()
					if response == nil || !strings.Contains(string(response.Data), wanted) {
						t.Fatalf("%+v", response)
					}
					answers[response]++
				}
				if len(answers) != 2 {
					t.Errorf("%d answers were made for two documents", len(answers))
				}
			}
			n := counts.batches.Load() - before - rounds*alone
			if n < 2*rounds || n > 2*rounds+beside {
				t.Errorf("%d batches of statements for %d changes", n, rounds)
			}
		})
	}
}

// An answer is for those alone who have the user, the rights, the zone, the language and the variables in common.
func TestAnswersAreNotSharedWithOthers(t *testing.T) {
	h := harnesses()[0].build(t, start)
	addTask(t, h, "makes the user")
	h.say(t, "bob", nil, `mutation { createTask(input: { text: "his" }) { task { id } } }`, nil)
	hebrew := map[string]any{"locale": "he"}
	streams := map[string]engine.Stream{
		"plain":     follow(t, h, "alice", edge.Hints{}, followDates, nil),
		"twin":      follow(t, h, "alice", edge.Hints{RequestID: "2", Client: "phone"}, followDates, nil),
		"zone":      follow(t, h, "alice", edge.Hints{TimeZone: "Asia/Jerusalem"}, followDates, nil),
		"language":  follow(t, h, "alice", edge.Hints{AcceptLanguage: "he"}, followDates, nil),
		"rights":    follow(t, h, "alice.READ", edge.Hints{}, followDates, nil),
		"variables": follow(t, h, "alice", edge.Hints{}, followDates, hebrew),
	}
	bob := follow(t, h, "bob", edge.Hints{}, followDates, nil)
	addTask(t, h, "hers")
	answers := map[string]*graphql.Response{}
	for name, s := range streams {
		answers[name] = s.Next()
	}
	made := map[*graphql.Response]bool{}
	for _, response := range answers {
		made[response] = true
	}
	if answers["plain"] != answers["twin"] || len(made) != len(streams)-1 {
		t.Errorf("%d answers were made", len(made))
	}
	for name, want := range map[string]string{"plain": "Wednesday, 22:30", "rights": "Wednesday, 22:30",
		"zone": "Thursday, 00:30", "language": "22:30", "variables": "22:30"} {
		got := string(answers[name].Data)
		latin := strings.Contains(got, "day")
		if !strings.Contains(got, "hers") || latin != strings.Contains(want, "day") {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	h.say(t, "bob", nil, `mutation { createTask(input: { text: "his too" }) { task { id } } }`, nil)
	if response := bob.Next(); !strings.Contains(string(response.Data), "his too") {
		t.Errorf("bob heard %s", response.Data)
	}
}

// Whoever takes no answers while very many are made gets each of them once, in order, when they take them again, and so
// does whoever comes later with a cursor of before; then they hear what is new with the others.
func TestThoseWhoFellBehindMissNothing(t *testing.T) {
	for _, kind := range harnesses() {
		t.Run(kind.name, func(t *testing.T) {
			h := kind.build(t, start)
			addTask(t, h, "makes the user")
			after := map[string]any{"after": latestCursor(t, h, "alice")}
			slow := follow(t, h, "alice", edge.Hints{}, followTexts, nil)
			quick := follow(t, h, "alice", edge.Hints{}, followTexts, nil)
			var want []string
			hears := func(name string, s engine.Stream) {
				t.Helper()
				for i := range want {
					if got, _ := textOf(t, s.Next()); got != want[i] {
						t.Fatalf("%s heard %q as change %d, not %q", name, got, i, want[i])
					}
				}
				if state := s.Wait(func() {}); state != engine.Waits {
					t.Errorf("%s has more: %d", name, state)
				}
			}
			const changes = 150 // more than are kept
			for i := range changes {
				want = append(want, fmt.Sprint("task ", i))
				addTask(t, h, want[i])
				if got, _ := textOf(t, quick.Next()); got != want[i] {
					t.Fatalf("the quick one heard %q as change %d", got, i)
				}
			}
			hears("the slow one", slow)
			late := follow(t, h, "alice", edge.Hints{}, followTexts, after)
			hears("the late one", late)
			want = []string{"together"}
			addTask(t, h, want[0])
			for name, s := range map[string]engine.Stream{"the slow one": slow, "the late one": late, "the quick one": quick} {
				hears(name, s)
			}
		})
	}
}

// Subscriptions that come and go, with cursors and without, while changes are made all the time hear each change after
// their beginning once and in order.
func TestJoiningAmidChangesMissesNothing(t *testing.T) {
	for _, kind := range harnesses() {
		t.Run(kind.name, func(t *testing.T) {
			h := kind.build(t, start)
			addTask(t, h, "makes the user")
			const changes, listeners, takes = 120, 8, 40
			var want []string
			for i := range changes {
				want = append(want, fmt.Sprintf("task %03d", i))
			}
			var group sync.WaitGroup
			for range listeners {
				var variables map[string]any
				expected := 0 // any change may be the first without a cursor
				stream := follow(t, h, "alice", edge.Hints{}, followTexts, nil)
				group.Go(func() {
					for expected < len(want)-1 {
						for range takes {
							text, cursor := textOf(t, stream.Next())
							at := slices.Index(want, text)
							if at < 0 || variables != nil && at != expected {
								t.Errorf("heard %q, expected %d", text, expected)
								return
							}
							variables, expected = map[string]any{"after": cursor}, at+1
							if expected == len(want) {
								return
							}
						}
						stream.Close()
						stream = follow(t, h, "alice", edge.Hints{}, followTexts, variables)
					}
				})
			}
			for _, text := range want {
				addTask(t, h, text)
			}
			group.Wait()
		})
	}
}
