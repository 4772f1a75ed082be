package sqlite

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	zombie "zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// planner runs queries and asks SQLite how it would answer them.
type planner struct {
	*testing.T
	s    *Store
	user model.UserID
	mu   sync.Mutex
	sql  []string
}

func newPlanner(t *testing.T) *planner {
	p := &planner{T: t, user: model.UserIDOf("planner")}
	s, err := Open(t.Context(), Options{Path: t.TempDir() + "/plan.db", Trace: func(sql string) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.sql = append(p.sql, strings.Split(sql, ";\n")...)
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.s = s
	return p
}

// plans returns the plan of every statement that a query runs.
func (p *planner) plans(query store.TaskQuery) (plans []string) {
	p.Helper()
	p.sql = nil
	if _, err := p.s.Tasks(p.Context(), p.user, query); err != nil {
		p.Fatal(err)
	}
	for _, sql := range p.sql {
		plans = append(plans, p.plan(sql))
	}
	return plans
}

func (p *planner) plan(sql string) string {
	p.Helper()
	var lines []string
	err := p.s.reading(p.Context(), oneStatement, func(q *session) error {
		return q.run("EXPLAIN QUERY PLAN "+sql, nil, func(stmt *zombie.Stmt) error {
			lines = append(lines, stmt.ColumnText(3))
			return nil
		})
	})
	if err != nil {
		p.Fatalf("%v: %s", err, sql)
	}
	return strings.Join(lines, "\n")
}

// insert adds tasks: each of the given ones that many times, open and done.
func (p *planner) insert(times int, of ...model.Task) {
	p.Helper()
	var tasks []model.Task
	for i := range 2 * times * len(of) {
		task := of[i/2%len(of)]
		task.ID, task.Text, task.CreatedAt, task.UpdatedAt = model.UUID{byte(i >> 8), byte(i)}, "x", planNow, planNow
		if i%2 == 0 {
			task.CompletedAt = planNow
		}
		tasks = append(tasks, task)
	}
	if err := p.s.Write(p.Context(), p.user, func(ctx context.Context, tx store.Tx) error {
		return tx.InsertTasks(ctx, tasks)
	}); err != nil {
		p.Fatal(err)
	}
}

// planNow is the moment of the board.
var planNow = time.Unix(15e8, 0)

// TestPagesAreReadInOrder: page 1,000 costs what page 1 costs, since SQLite begins at the place in an index that has
// the list's order, and sorts nothing, but for a few.
func TestPagesAreReadInOrder(t *testing.T) {
	p := newPlanner(t)
	p.insert(fewTasks+1, model.Task{Recurrence: &model.Recurrence{Type: model.Daily}})
	for _, field := range []model.TaskOrderField{model.TaskOrderCreatedAt, model.TaskOrderDueDate,
		model.TaskOrderUpdatedAt, model.TaskOrderText, model.TaskOrderPosition} {
		for _, where := range []store.TaskWhere{{}, {Completed: new(false)}, {Completed: new(true)},
			{Completed: new(false), Type: model.TaskTypeRecurring}, {DueFrom: time.Unix(1e9, 0)}, {Search: "x"}} {
			for _, falling := range []model.Direction{model.Ascending, model.Descending} {
				for _, window := range []store.Window[store.TaskPlace]{
					{Limit: 50, After: &store.TaskPlace{}}, {Limit: 50, Before: &store.TaskPlace{}, Backward: true},
					{Limit: 50, After: &store.TaskPlace{}, Before: &store.TaskPlace{}},
				} {
					query := store.TaskQuery{Where: where, Order: model.TaskOrder{Field: field, Direction: falling},
						Columns: store.TaskRow, Page: &window}
					for _, plan := range p.plans(query) {
						if strings.HasPrefix(plan, "SEARCH task_indexed USING PRIMARY KEY") || strings.HasPrefix(plan,
							"SCAN CONSTANT ROW\nSCALAR SUBQUERY 1\nSEARCH task_counts USING PRIMARY KEY (user_id=? AND done=?") {
							continue // whether an index serves, or how many there are
						}
						seek := map[model.TaskOrderField]string{
							model.TaskOrderCreatedAt: "(user_id=? AND id", model.TaskOrderDueDate: "(user_id=? AND ",
							model.TaskOrderUpdatedAt: "(user_id=? AND ", model.TaskOrderText: "(user_id=? AND ",
							model.TaskOrderPosition: "(user_id=? AND ",
						}[field]
						if strings.Contains(plan, "TEMP B-TREE") || !strings.Contains(plan, "SEARCH tasks USING") ||
							!strings.Contains(plan, seek) {
							t.Errorf("%+v: a page from a place:\n%s\n%s", query, plan, p.sql[0])
						}
					}
				}
			}
		}
	}
}

// TestCountingReadsAnIndexAlone: what is counted over the whole filtered set is read from an index, not from the rows.
func TestCountingReadsAnIndexAlone(t *testing.T) {
	p := newPlanner(t)
	p.insert(1, model.Task{}, model.Task{DueAt: planNow}, model.Task{DueAt: planNow.Add(-1e12)},
		model.Task{DueAt: planNow.Add(1e15)}, model.Task{Recurrence: &model.Recurrence{Type: model.Daily}})
	for _, where := range []store.TaskWhere{
		{}, {Completed: new(false)}, {Completed: new(true)}, {Completed: new(false), DueFrom: time.Unix(1e9, 0),
			DueTo: time.Unix(2e9, 0)}, {Completed: new(false), Type: model.TaskTypeUnplanned},
	} {
		plans := p.plans(store.TaskQuery{
			Where: where, Order: model.TaskOrder{Field: model.TaskOrderCreatedAt, Direction: model.Descending}, Total: true,
			Board: &store.BoardQuery{Now: planNow, Tomorrow: planNow.Add(time.Hour), Counts: true,
				First: map[model.TaskBucket]int{
					model.BucketRecurring: 50, model.BucketNoDueDate: 50, model.BucketOverdue: 50, model.BucketToday: 50,
					model.BucketUpcoming: 50,
				}},
		})
		if len(plans) < 3 || len(plans) > 5 { // the total, the counts, and up to three forms of buckets
			t.Fatalf("%d statements: %q", len(plans), p.sql)
		}
		for i, plan := range plans {
			kept := i < 2 && strings.Contains(plan, "SEARCH task_counts USING PRIMARY KEY (user_id=? AND done=? AND week")
			if !kept && !strings.Contains(plan, "USING COVERING INDEX tasks_") ||
				strings.Contains(plan, "SEARCH tasks USING INDEX") {
				t.Errorf("%+v:\n%s\n%s", where, plan, p.sql[i])
			}
		}
	}
}

// TestLookupsSeek: nothing that names ids, texts or places reads more than it returns.
func TestLookupsSeek(t *testing.T) {
	p := newPlanner(t)
	ctx, ids := t.Context(), []model.UUID{{1}, {2}, {3}}
	everything := store.TaskRow | store.TaskSubtasks | store.TaskCompletions
	p.sql = nil
	err := p.s.Write(ctx, p.user, func(ctx context.Context, tx store.Tx) error {
		now := time.Unix(1e9, 0)
		task := model.Task{ID: ids[0], Text: "x", CreatedAt: now, UpdatedAt: now}
		list := model.List{ID: ids[0], Name: "x", CreatedAt: now, UpdatedAt: now,
			Items: []model.ListItem{{ID: ids[1], ListID: ids[0], Text: "y", AddedAt: now}}}
		for _, err := range []error{
			tx.InsertTasks(ctx, []model.Task{task}), tx.UpdateTasks(ctx, model.OperationUpdated, []model.Task{task}),
			tx.AddCompletions(ctx, []model.TaskCompletion{{TaskID: ids[0], CompletedAt: now}}),
			tx.DeleteCompletions(ctx, []model.TaskCompletion{{TaskID: ids[0], CompletedAt: now}}),
			tx.SaveSubtasks(ctx, now, []model.Subtask{{ID: ids[2], TaskID: ids[0], Text: "z", CreatedAt: now}},
				[]model.Subtask{{ID: ids[1], TaskID: ids[0]}}),
			tx.InsertList(ctx, list), tx.UpdateList(ctx, list), tx.SaveListItems(ctx, ids[0], now, list.Items, ids),
		} {
			if err != nil {
				return err
			}
		}
		_, err := tx.TasksByID(ctx, p.user, ids, everything)
		if err == nil {
			_, err = tx.TaskByText(ctx, p.user, "x", everything)
		}
		if err == nil {
			_, err = tx.TasksByText(ctx, p.user, []string{"x", "y"}, everything)
		}
		if err == nil {
			_, err = tx.SubtasksByID(ctx, p.user, ids)
		}
		if err == nil {
			_, err = tx.ListsByID(ctx, p.user, ids, store.ListRow|store.ListItems)
		}
		if err == nil {
			_, err = tx.ListByName(ctx, p.user, "x", store.ListItems)
		}
		if err == nil {
			_, err = tx.ListItemsByID(ctx, p.user, ids)
		}
		if err == nil {
			err = p.remotely(ctx, tx, ids)
		}
		if err == nil {
			err = p.events(ctx, tx)
		}
		if err == nil {
			_, err = tx.DeleteTasks(ctx, ids)
		}
		if err == nil {
			_, err = tx.DeleteLists(ctx, ids)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.s.Changes(ctx, p.user, 1, []model.ChangeType{model.ChangeTask}, 10); err != nil {
		t.Fatal(err)
	}
	seen := p.sql
	if len(seen) < 35 {
		t.Fatalf("only %d statements were traced", len(seen))
	}
	for _, sql := range seen {
		plan := p.plan(sql)
		for line := range strings.SplitSeq(plan, "\n") {
			if strings.HasPrefix(line, "SCAN ") && line != "SCAN CONSTANT ROW" ||
				strings.Contains(line, "(user_id=?)") && !strings.Contains(line, " users ") &&
					!strings.Contains(line, " task_indexed ") &&
					!strings.Contains(line, " calendars ") { // of which a user has a few
				t.Errorf("reads too much:\n%s\n%s", plan, sql)
				break
			}
		}
	}
}

// events calls what there is for calendars and events, but for windows.
func (p *planner) events(ctx context.Context, tx store.Tx) error {
	calendar, err := tx.InsertCalendar(ctx, model.KeptCalendar{Source: model.CalendarOwn, State: model.CalendarKept})
	if err != nil {
		return err
	}
	keys := []model.EventKey{{Calendar: calendar.Number, ID: "a"}, {Calendar: calendar.Number, ID: "b"}}
	want := store.EventBodies | store.EventFolded
	for _, read := range []func() error{
		func() error {
			_, err := tx.SaveEvents(ctx, []model.EventRow{{Calendar: calendar.Number, ID: "a", Body: &model.EventBody{}}})
			return err
		},
		func() error { _, err := tx.EventsByKey(ctx, p.user, keys, want); return err },
		func() error { _, err := tx.ExceptionsOf(ctx, p.user, keys, want); return err },
		func() error { _, err := tx.EventsByUID(ctx, p.user, []string{"x"}, want); return err },
		func() error { _, err := tx.AllEvents(ctx, p.user, calendar.Number, "x", 10); return err },
		func() error { _, err := tx.DeleteEvents(ctx, keys); return err },
		func() error { return tx.DeleteCalendar(ctx, calendar.Number, time.Unix(1e9, 0)) },
	} {
		if err := read(); err != nil {
			return err
		}
	}
	return nil
}

// TestWindowsReadWhatIsShown: a window reads what lies in it by the indexes that begin with a time, and sorts what it
// bounds alone.
func TestWindowsReadWhatIsShown(t *testing.T) {
	p := newPlanner(t)
	for _, window := range []store.EventWindow{
		{Calendars: []int{1}}, {Calendars: []int{1, 2, 3}, Limit: 50, Want: store.EventBodies | store.EventFolded},
	} {
		p.sql = nil
		window.From, window.To = planNow, planNow.Add(time.Hour)
		if _, err := p.s.EventsBetween(t.Context(), p.user, window); err != nil {
			t.Fatal(err)
		}
		if len(p.sql) != 1 {
			t.Fatalf("%d statements: %q", len(p.sql), p.sql)
		}
		plan := p.plan(p.sql[0])
		for _, part := range []string{
			"SEARCH e USING INDEX events_start (user_id=? AND calendar=? AND starts_at>? AND starts_at<?)",
			"SEARCH e USING INDEX events_long (user_id=? AND calendar=? AND ends_at>?)",
			"SEARCH e USING INDEX events_living (user_id=? AND calendar=? AND lasts_until>?)",
			"SEARCH e USING INDEX events_original (user_id=? AND calendar=? AND original_at>? AND original_at<?)",
			"SEARCH s USING COVERING INDEX events_living (user_id=? AND calendar=? AND lasts_until>?)",
			"SEARCH e USING INDEX events_exceptions (user_id=? AND calendar=? AND series=? AND original_at<?)",
		} {
			if !strings.Contains(plan, part) {
				t.Errorf("%s: no %s in\n%s", p.sql[0], part, plan)
			}
		}
		if window.Want != 0 && !strings.Contains(plan,
			"SEARCH b USING PRIMARY KEY (user_id=? AND calendar=? AND id=?)") {
			t.Errorf("bodies are not read by key:\n%s", plan)
		}
		if sorts := strings.Contains(plan, "TEMP B-TREE"); sorts && window.Limit == 0 {
			t.Errorf("sorts:\n%s", plan)
		}
	}
}

// remotely calls what there is for accounts, calendars, keys and remote records.
func (p *planner) remotely(ctx context.Context, tx store.Tx, ids []model.UUID) error {
	connection := model.Connection{ID: ids[0], Provider: model.ProviderGoogle, Account: "x"}
	_, err := tx.SaveConnection(ctx, connection, model.Credentials{})
	if err == nil {
		_, err = tx.Credentials(ctx, p.user, ids[0])
	}
	var claim store.Claim
	if err == nil {
		claim, err = p.s.Claim(ctx, p.user, model.IdempotentCall{Key: "x"}, time.Unix(1e9, 0), time.Minute)
	}
	if err == nil {
		_, err = tx.LastRemote(ctx, ids)
	}
	if err == nil {
		_, err = p.s.SyncStates(ctx, p.user, ids[0])
	}
	return errors.Join(err, p.s.Settle(ctx, p.user, claim, nil), p.s.Release(ctx, p.user, claim),
		tx.LogRemote(ctx, []model.Change{
			{Type: model.ChangeEvent, ID: ids[0], Operation: model.OperationCreated, Remote: "x"}}),
		tx.SaveCredentials(ctx, model.Credentials{Connection: ids[0]}),
		tx.SetConnectionStatus(ctx, ids[0], model.ConnectionExpired, time.Unix(1e9, 0)),
		p.s.SaveSyncState(ctx, store.SyncState{User: p.user, Connection: ids[0]}),
		p.s.ForgetSyncState(ctx, p.user, ids[0], ""),
		tx.DeleteConnection(ctx, ids[0]), tx.UseConfirmation(ctx, ids[0], time.Unix(1e9, 0)),
		tx.ReturnConfirmation(ctx, ids[0]))
}

// TestTextsAreLookedForByTheIndex: of each text the index leads to the newest open task, and nothing is sorted to find
// it.
func TestTextsAreLookedForByTheIndex(t *testing.T) {
	p := newPlanner(t)
	for columns, want := range map[store.TaskColumns]string{
		0:             "SEARCH tasks USING COVERING INDEX tasks_text (user_id=? AND text_key=?)",
		store.TaskRow: "SEARCH tasks USING INDEX tasks_text (user_id=? AND text_key=?)",
	} {
		p.sql = nil
		if _, err := p.s.TasksByText(t.Context(), p.user, []string{"x", "y"}, columns); err != nil {
			t.Fatal(err)
		}
		if len(p.sql) != 1 { // the same for each text
			t.Fatalf("%d statements: %q", len(p.sql), p.sql)
		}
		if plan := p.plan(p.sql[0]); plan != want {
			t.Errorf("got:\n%s\nwant:\n%s", plan, want)
		}
	}
}

// TestStatementsAreBounded: clients choose what is selected, so there is no end of different statements; a connection
// keeps a few.
func TestStatementsAreBounded(t *testing.T) {
	s, err := Open(t.Context(), Options{Path: t.TempDir() + "/bounded.db", Readers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	for columns := range store.TaskRow {
		if _, err := s.TasksByID(t.Context(), model.UserIDOf("x"), []model.UUID{{1}}, columns); err != nil {
			t.Fatal(err)
		}
		if columns > 500 {
			break
		}
	}
	c := s.readers.idle[0]
	if n := len(c.statements); n != maxStatements {
		t.Errorf("%d statements are kept, want %d", n, maxStatements)
	}
	if len(s.readers.idle) != 1 {
		t.Errorf("%d readers", len(s.readers.idle))
	}
}
