package app_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"almanac/internal/pgtest"
)

// seenChange is one change as a subscription or the change log gives it.
type seenChange struct{ Cursor, Operation, ID string }

const watchTasks = `subscription ($after: String) { taskChanged(after: $after) { cursor operation id: nodeId } }`

// twoServers starts two processes on one database of each kind.
func twoServers(t *testing.T, test func(t *testing.T, one, other *process)) {
	for name, flags := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			one, other := spawn(t, nil, flags...), spawn(t, nil, flags...)
			test(t, one.await(), other.await())
		})
	}
}

// Two listeners of one server lose their connections again and again while a thousand changes come through another
// server. Each comes back with the last cursor that it has seen, and in the end has seen the change log itself: every
// change, in order, once.
func TestListenersThatComeBackSeeEachChangeOnce(t *testing.T) {
	t.Parallel()
	twoServers(t, func(t *testing.T, one, other *process) {
		const changes, writers = 1000, 8
		var begin struct{ Changes struct{ LatestCursor string } }
		one.mustAsk(`{ changes { latestCursor } }`, nil, &begin)
		from := begin.Changes.LatestCursor

		listeners := map[string]func(after string, count int) ([]seenChange, error){
			"socket": one.hearSocket, "event stream": one.hearEvents,
		}
		heard := map[string][]seenChange{}
		var mu sync.Mutex
		var group sync.WaitGroup
		for name, hear := range listeners {
			group.Go(func() {
				chance := rand.New(rand.NewPCG(1, uint64(len(name)))) //nolint:gosec // where the connection breaks, no secret
				var all []seenChange
				last, connections := from, 0
				for ; len(all) < changes; connections++ {
					some, err := hear(last, min(1+chance.IntN(125), changes-len(all)))
					if err != nil {
						t.Errorf("%s after %d changes on connection %d: %v", name, len(all), connections, err)
						break
					}
					all = append(all, some...)
					last = all[len(all)-1].Cursor
				}
				if connections < 5 {
					t.Errorf("%s was never cut off: %d connections", name, connections)
				}
				mu.Lock()
				defer mu.Unlock()
				heard[name] = all
			})
		}
		group.Go(func() { changeTasks(t, other, changes, writers) })
		group.Wait()
		if t.Failed() {
			return
		}
		log := changeLog(other, from)
		if len(log) != changes {
			t.Fatalf("%d changes in the log for %d mutations", len(log), changes)
		}
		for name, all := range heard {
			if !slices.Equal(all, log) {
				t.Errorf("%s did not see the log: %s", name, firstDifference(all, log))
			}
		}
	})
}

func firstDifference(got, want []seenChange) string {
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			return fmt.Sprintf("%d seen, and change %d of %d differs", len(got), i, len(want))
		}
	}
	return fmt.Sprintf("%d seen, %d there", len(got), len(want))
}

// hearSocket subscribes on a fresh socket, hears so many changes and drops the connection without a word.
func (p *process) hearSocket(after string, count int) ([]seenChange, error) {
	s, err := p.dial("")
	if err != nil {
		return nil, err
	}
	defer s.conn.CloseNow() //nolint:errcheck // a client that vanishes
	if err := s.subscribe("1", watchTasks, map[string]any{"after": after}); err != nil {
		return nil, err
	}
	var some []seenChange
	for range count {
		var data struct{ TaskChanged seenChange }
		if err := s.next(&data); err != nil {
			return nil, err
		}
		some = append(some, data.TaskChanged)
	}
	return some, nil
}

// hearEvents does the same with an event stream. It resumes as a browser does: the document never changes, the header
// Last-Event-ID does.
func (p *process) hearEvents(after string, count int) ([]seenChange, error) {
	e, err := p.listen(watchTasks, nil, after)
	if err != nil {
		return nil, err
	}
	defer e.end()
	var some []seenChange
	for range count {
		var data struct{ TaskChanged seenChange }
		id, err := e.next(&data)
		if err != nil {
			return nil, err
		}
		if id != data.TaskChanged.Cursor {
			return nil, fmt.Errorf("the event's id is %q and the change's cursor %q", id, data.TaskChanged.Cursor)
		}
		some = append(some, data.TaskChanged)
	}
	return some, nil
}

// changeTasks makes so many changes from parallel writers: tasks are added, changed, completed and deleted.
func changeTasks(t *testing.T, p *process, changes, writers int) {
	steps := []string{
		`mutation ($text: String!) { createTask(input: { text: $text }) { task { id } userErrors { message } } }`,
		`mutation ($text: String!, $id: ID!) { updateTask(input: { id: $id, set: { text: $text, category: "changed" } }) { task { id } userErrors { message } } }`,
		`mutation ($id: ID!) { completeTask(input: { id: $id }) { task { id text } userErrors { message } } }`,
		`mutation ($id: ID!) { deleteTask(input: { id: $id }) { task { id text } userErrors { message } } }`,
	}
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			id := ""
			for i := range changes / writers {
				variables := map[string]any{"text": fmt.Sprintf("writer %d, change %d, שינוי", w, i)}
				if i%len(steps) > 0 {
					variables["id"] = id
				}
				got, err := p.ask(t.Context(), steps[i%len(steps)], variables, nil)
				var data map[string]struct {
					Task       *struct{ ID string }
					UserErrors []struct{ Message string }
				}
				if err == nil {
					err = json.Unmarshal(got.Data, &data)
				}
				for _, payload := range data {
					if payload.Task == nil {
						t.Errorf("writer %d, change %d: %v", w, i, payload.UserErrors)
						return
					}
					id = payload.Task.ID
				}
				if err != nil || len(got.Errors) > 0 {
					t.Errorf("writer %d, change %d: %v %v", w, i, err, got.Errors)
					return
				}
			}
		})
	}
	group.Wait()
}

// changeLog reads the changes of tasks after a cursor; an empty one means all.
func changeLog(p *process, from string) []seenChange {
	p.t.Helper()
	const query = `query ($after: String) { changes(after: $after, first: 100, types: [TASK]) { nodes { cursor operation id: nodeId } pageInfo { hasNextPage endCursor } } }`
	var log []seenChange
	var after *string
	if from != "" {
		after = &from
	}
	for {
		var data struct {
			Changes struct {
				Nodes    []seenChange
				PageInfo struct {
					HasNextPage bool
					EndCursor   *string
				}
			}
		}
		p.mustAsk(query, map[string]any{"after": after}, &data)
		log = append(log, data.Changes.Nodes...)
		if !data.Changes.PageInfo.HasNextPage {
			return log
		}
		after = data.Changes.PageInfo.EndCursor
	}
}

// Both servers look for due reminders every second; each reminder fires once, and one that became due while no server
// ran fires when the next one starts.
func TestRemindersFireOnceAcrossServersAndRestarts(t *testing.T) {
	t.Parallel()
	for name, flags := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			flags = append(flags, "--reminder-interval=1s")
			one, other := spawn(t, nil, flags...), spawn(t, nil, flags...)
			one.await()
			other.await()
			const tasks = 30
			watch := other.mustDial("")
			if err := watch.subscribe("1", watchTasks, map[string]any{"after": changeHead(other)}); err != nil {
				t.Fatal(err)
			}
			due := remindIn(one, tasks, 2*time.Second)
			fired := map[string]int{}
			hear := func(until int) {
				t.Helper()
				for len(fired) < until {
					var data struct{ TaskChanged seenChange }
					if err := watch.next(&data); err != nil {
						t.Fatalf("%d of %d reminders fired: %v", len(fired), until, err)
					}
					if data.TaskChanged.Operation == "REMINDED" {
						fired[data.TaskChanged.ID]++
					}
				}
			}
			hear(tasks)
			// A later reminder proves that the workers have looked again since.
			due = append(due, remindIn(one, 1, 2*time.Second)...)
			hear(tasks + 1)

			// What becomes due while nobody is there waits for the next server.
			late := remindIn(one, 1, time.Second)
			for _, p := range []*process{one, other} {
				if err := p.term(); err != nil {
					t.Fatalf("%v\n%s", err, p.log)
				}
			}
			third := start(t, flags...)
			eventually(t, "the reminder that was due while no server ran", func() bool {
				return countReminded(third)[late[0]] > 0
			})
			counts := countReminded(third)
			for _, id := range append(due, late...) {
				if counts[id] != 1 {
					t.Errorf("the reminder of %s fired %d times", id, counts[id])
				}
			}
			if len(counts) != tasks+2 {
				t.Errorf("%d reminders fired for %d tasks", len(counts), tasks+2)
			}
		})
	}
}

func changeHead(p *process) string {
	p.t.Helper()
	var data struct{ Changes struct{ LatestCursor string } }
	p.mustAsk(`{ changes { latestCursor } }`, nil, &data)
	return data.Changes.LatestCursor
}

// remindIn adds tasks whose reminder is due after a moment, and returns their ids.
func remindIn(p *process, count int, after time.Duration) []string {
	p.t.Helper()
	var inputs []map[string]any
	for i := range count {
		inputs = append(inputs, map[string]any{
			"text": fmt.Sprintf("reminder %d", i), "reminder": "PT1M", "allowDuplicate": true,
			"dueDate": time.Now().Add(time.Minute + after).UTC().Format(time.RFC3339Nano),
		})
	}
	var data struct {
		CreateTasks struct {
			Tasks []struct {
				ID             string
				NextReminderAt *string
			}
			Errors []struct{ Message string }
		}
	}
	p.mustAsk(
		`mutation ($tasks: [CreateTaskInput!]!) { createTasks(input: { tasks: $tasks }) { tasks { id nextReminderAt } errors { message } } }`, map[string]any{"tasks": inputs}, &data)
	var ids []string
	for _, task := range data.CreateTasks.Tasks {
		if task.NextReminderAt == nil {
			p.t.Errorf("%s will not be reminded of", task.ID)
		}
		ids = append(ids, task.ID)
	}
	if len(ids) != count {
		p.t.Fatalf("%d of %d tasks: %v", len(ids), count, data.CreateTasks.Errors)
	}
	return ids
}

func countReminded(p *process) map[string]int {
	counts := map[string]int{}
	for _, change := range changeLog(p, "") {
		if change.Operation == "REMINDED" {
			counts[change.ID]++
		}
	}
	return counts
}

// A listener outlives its database: connections to PostgreSQL are cut, changes come through another server meanwhile,
// and none is missed.
func TestListenerOutlivesItsDatabaseConnection(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	one, other := start(t, "--database-url="+url), start(t, "--database-url="+url)
	stream := one.mustListen(watchTasks, nil, "")
	db := dialPostgres(t, url)
	var want []seenChange
	for range 5 {
		if _, err := db.Exec(t.Context(),
			`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`); err != nil {
			t.Fatal(err)
		}
		// A write whose connection was cut is not acknowledged; its key makes the retry safe.
		key := fmt.Sprintf("cut-%d", len(want))
		eventually(t, "a write after the cut", func() bool {
			got, err := other.ask(context.WithoutCancel(t.Context()),
				`mutation ($text: String!) { createTask(input: { text: $text }) { task { id } userErrors { message } } }`,
				map[string]any{"text": key}, map[string]string{"Idempotency-Key": key})
			return err == nil && len(got.Errors) == 0
		})
		var data struct{ TaskChanged seenChange }
		if _, err := stream.next(&data); err != nil {
			t.Fatalf("change %d: %v\n%s", len(want), err, one.log)
		}
		want = append(want, data.TaskChanged)
	}
	if log := changeLog(other, ""); !slices.Equal(want, log) {
		t.Errorf("heard %v, the log is %v", want, log)
	}
	if err := one.term(); err != nil {
		t.Error(err)
	}
	if h, err := stream.read(); !errors.Is(err, io.EOF) {
		t.Errorf("after its server's end the stream gave %v and %v", h, err)
	}
}
