package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
)

// The same key sent to two servers again and again at once has one effect, and everybody gets the one answer.
func TestKeyHasOneEffectAcrossServers(t *testing.T) {
	t.Parallel()
	twoServers(t, func(t *testing.T, one, other *process) {
		const keys, retries = 10, 8
		answers := make([]map[string]int, keys)
		var mu sync.Mutex
		var group sync.WaitGroup
		for k := range keys {
			answers[k] = map[string]int{}
			for i := range retries {
				p := []*process{one, other}[i%2]
				group.Go(func() {
					got, err := p.ask(context.WithoutCancel(t.Context()),
						`mutation ($text: String!) { createTask(input: { text: $text, allowDuplicate: true }) { task { id createdAt } } }`,
						map[string]any{"text": "once"}, map[string]string{"Idempotency-Key": fmt.Sprint("key-", k)})
					if err != nil || len(got.Errors) > 0 {
						t.Errorf("%v %v", err, got.Errors)
					}
					mu.Lock()
					defer mu.Unlock()
					answers[k][string(got.Data)]++
				})
			}
		}
		group.Wait()
		for k, given := range answers {
			if len(given) != 1 {
				t.Errorf("key %d has %d answers: %v", k, len(given), given)
			}
		}
		if n := len(countTasks(one)); n != keys {
			t.Errorf("%d tasks for %d keys", n, keys)
		}
		got, err := other.ask(t.Context(), createTask, map[string]any{"text": "another request"},
			map[string]string{"Idempotency-Key": "key-0"})
		if err != nil || got.code() != "IDEMPOTENCY_CONFLICT" {
			t.Errorf("another request under a used key: %v %v", err, got.Errors)
		}
	})
}

// A question that one server asked can be answered to another, once.
func TestConfirmationWorksOnceAcrossServers(t *testing.T) {
	t.Parallel()
	twoServers(t, func(t *testing.T, one, other *process) {
		const mutation = `mutation ($input: CompleteTaskInput!) { completeTask(input: $input) { task { id completed } confirmation { kind token candidates { id: key } } userErrors { code } } }`
		for _, text := range []string{"Water bill", "Electricity bill"} {
			one.mustAsk(`mutation ($text: String!) { createTask(input: { text: $text, category: "finance" }) { task { id } } }`,
				map[string]any{"text": text}, &struct{}{})
		}
		type payload struct {
			CompleteTask struct {
				Task *struct {
					ID        string
					Completed bool
				}
				Confirmation *struct {
					Kind, Token string
					Candidates  []struct{ ID string }
				}
				UserErrors []struct{ Code string }
			}
		}
		target := map[string]any{"match": map[string]any{"text": "finance"}}
		var asked payload
		one.mustAsk(mutation, map[string]any{"input": map[string]any{"target": target}}, &asked)
		question := asked.CompleteTask.Confirmation
		if question == nil || question.Kind != "PICK_ONE" || len(question.Candidates) != 2 || asked.CompleteTask.Task != nil {
			t.Fatalf("it does not ask: %+v", asked)
		}
		chosen := question.Candidates[1].ID
		answerIt := map[string]any{"input": map[string]any{"target": target,
			"confirm": map[string]any{"token": question.Token, "choose": []string{chosen}}}}

		// Both servers get the answer several times at once; one of all does it.
		const answers = 6
		var (
			mu      sync.Mutex
			done    int
			refused int
			group   sync.WaitGroup
		)
		for i := range answers {
			p := []*process{one, other}[i%2]
			group.Go(func() {
				got, err := p.ask(context.WithoutCancel(t.Context()), mutation, answerIt, nil)
				var data payload
				if err == nil {
					err = json.Unmarshal(got.Data, &data)
				}
				if err != nil || len(got.Errors) > 0 {
					t.Errorf("%v %v", err, got.Errors)
					return
				}
				mu.Lock()
				defer mu.Unlock()
				switch c := data.CompleteTask; {
				case c.Task != nil && c.Task.ID == chosen && c.Task.Completed:
					done++
				case c.Task == nil && len(c.UserErrors) == 1 && c.UserErrors[0].Code == "CONFIRMATION_INVALID":
					refused++
				default:
					t.Errorf("%s", got.Data)
				}
			})
		}
		group.Wait()
		if done != 1 || refused != answers-1 {
			t.Errorf("the answer was taken %d times and refused %d times", done, refused)
		}
		if open := countTasks(other); len(open) != 1 || open[chosen] != 0 {
			t.Errorf("open are %v, completed should be %s alone", open, chosen)
		}
	})
}
