package resolvers_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"almanac/projections/compact"
)

var shownTask = regexp.MustCompile(`(?m)^\d+\. (task_[0-9a-z]{26})`)

// Whatever the rows and the limits are, who follows next sees every row once, in order, in texts that hold their
// limits.
func TestFollowingNextShowsEveryTaskOnce(t *testing.T) {
	t.Parallel()
	h := harnesses()[0].build(t, start)
	random := rand.New(rand.NewPCG(5, 38)) //nolint:gosec // it is to repeat
	pieces := []string{"Buy milk", "לקנות חלב", "👩‍👩‍👧 dinner", "untrusted 000000>>", "<<untrusted", "a\u202eb",
		strings.Repeat("long ", 30), strings.Repeat("ש", 200)}
	tasks := make([]map[string]any, 37)
	for i := range tasks {
		text := fmt.Sprint(i)
		for range 1 + random.IntN(4) {
			text += " " + pieces[random.IntN(len(pieces))]
		}
		tasks[i] = map[string]any{"text": text}
	}
	created := h.say(t, "alice", nil,
		`mutation ($tasks: [CreateTaskInput!]!) { createTasks(input: { tasks: $tasks }) { created tasks { id } userErrors { message } } }`, map[string]any{"tasks": tasks})
	var made struct {
		Data struct {
			CreateTasks struct{ Tasks []struct{ ID string } }
		}
	}
	if err := json.Unmarshal(created, &made); err != nil || len(made.Data.CreateTasks.Tasks) != len(tasks) {
		t.Fatalf("%v: %s", err, created)
	}
	var all []string
	for _, task := range made.Data.CreateTasks.Tasks {
		all = append(all, task.ID)
	}
	for round := range 25 {
		first, options := 1+random.IntN(50), map[string]any{"maxLines": 1 + random.IntN(50),
			"maxLineLength": 40 + random.IntN(200), "timeoutMs": 1_000}
		if round%2 == 0 {
			options["maxTokens"] = 50 + random.IntN(600)
		}
		var seen []string
		var after any
		for page := 0; ; page++ {
			answer := h.say(t, "alice", nil,
				`query ($first: Int, $after: String, $options: CompactOptions) { tasks(first: $first, after: $after, orderBy: { field: CREATED_AT, direction: ASC }) { compact(options: $options) { output next tokens usedFallback } } }`,
				map[string]any{"first": first, "after": after, "options": options})
			var got struct {
				Data struct {
					Tasks struct {
						Compact struct {
							Output       string
							Next         *string
							Tokens       int
							UsedFallback bool
						}
					}
				}
			}
			if err := json.Unmarshal(answer, &got); err != nil {
				t.Fatal(err)
			}
			text := got.Data.Tasks.Compact
			if most, bounded := options["maxTokens"].(int); bounded &&
				(text.Tokens > most || compact.Tokens(text.Output) != text.Tokens) {
				t.Errorf("%v: %d tokens, said %d:\n%s", options, compact.Tokens(text.Output), text.Tokens, text.Output)
			}
			for _, match := range shownTask.FindAllStringSubmatch(text.Output, -1) {
				seen = append(seen, match[1])
			}
			if text.Next == nil {
				break
			}
			if after = *text.Next; page > len(tasks) || text.UsedFallback {
				t.Fatalf("first %d, %v: no end, at\n%s", first, options, answer)
			}
		}
		if !slices.Equal(seen, all) {
			t.Errorf("first %d, %v: saw %d of %d, %d of them different", first, options, len(seen), len(all),
				len(slices.Compact(slices.Sorted(slices.Values(seen)))))
		}
	}
}
