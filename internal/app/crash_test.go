package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
)

// A server killed amid a thousand concurrent writes restarts with every acknowledged write, and a retry of each with
// its Idempotency-Key leaves exactly one task for each key.
func TestKilledServerLosesAndDoublesNothing(t *testing.T) {
	t.Parallel()
	for name, flags := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const writes, writers, killAfter = 1000, 32, 400
			first := start(t, flags...)
			acknowledged := writeAll(t, first, writes, writers, func(done int64) {
				if done == killAfter {
					first.kill()
				}
			})
			if n := len(acknowledged); n < killAfter || n >= writes {
				t.Fatalf("%d of %d writes were acknowledged; the kill came too early or too late", n, writes)
			}
			second := start(t, flags...)
			there := countTasks(second)
			for key, id := range acknowledged {
				if there[id] != 1 {
					t.Errorf("acknowledged write %s (%s) is not there after the restart", key, id)
				}
			}
			again := writeAll(t, second, writes, writers, func(int64) {})
			if len(again) != writes {
				t.Fatalf("%d of %d retries were answered", len(again), writes)
			}
			for key, id := range acknowledged {
				if again[key] != id {
					t.Errorf("retry of %s gave %s, the first answer was %s", key, again[key], id)
				}
			}
			if n := len(countTasks(second)); n != writes {
				t.Errorf("%d tasks for %d keys", n, writes)
			}
		})
	}
}

// writeAll creates one task for each key and returns the ids that were acknowledged, by key.
func writeAll(t *testing.T, p *process, writes, writers int, done func(int64)) map[string]string {
	t.Helper()
	const query = `mutation ($text: String!) { createTask(input: { text: $text }) { task { id } userErrors { code } } }`
	keys := make(chan int, writes)
	for i := range writes {
		keys <- i
	}
	close(keys)
	var (
		mu           sync.Mutex
		acknowledged = map[string]string{}
		count        atomic.Int64
		group        sync.WaitGroup
	)
	for range writers {
		group.Go(func() {
			for i := range keys {
				key := fmt.Sprintf("write-%d", i)
				got, err := p.ask(context.WithoutCancel(t.Context()), query, map[string]any{"text": key},
					map[string]string{"Idempotency-Key": key})
				if err != nil || len(got.Errors) > 0 {
					continue // not acknowledged
				}
				var data struct {
					CreateTask struct{ Task *struct{ ID string } }
				}
				if err := json.Unmarshal(got.Data, &data); err != nil || data.CreateTask.Task == nil {
					t.Errorf("%s: %s", key, got.Data)
					continue
				}
				mu.Lock()
				acknowledged[key] = data.CreateTask.Task.ID
				mu.Unlock()
				done(count.Add(1))
			}
		})
	}
	group.Wait()
	return acknowledged
}

// countTasks walks all tasks and counts each id.
func countTasks(p *process) map[string]int {
	p.t.Helper()
	const query = `query ($after: String) { tasks(first: 100, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }`
	counts := map[string]int{}
	var after *string
	for {
		var data struct {
			Tasks struct {
				Nodes    []struct{ ID string }
				PageInfo struct {
					HasNextPage bool
					EndCursor   *string
				}
			}
		}
		p.mustAsk(query, map[string]any{"after": after}, &data)
		for _, node := range data.Tasks.Nodes {
			counts[node.ID]++
		}
		if !data.Tasks.PageInfo.HasNextPage {
			return counts
		}
		after = data.Tasks.PageInfo.EndCursor
	}
}
