//go:build bench

package main

import (
	"fmt"

	"almanac/graph/model"
)

// truth is what the database holds of one user, read past the server.
type truth struct {
	// head is the number of the user's last change as the user's row has it.
	head    int64
	tasks   map[string]*taskRow
	lists   map[string]*listRow
	changes []changeRow
	keys    map[string]int
}

type taskRow struct {
	text        string
	completed   bool
	completions int
}

// listRow is a list; items are in their order.
type listRow struct {
	name  string
	items []itemEntry
}

type changeRow struct {
	seq int64
	changeEntry
}

func newTruth() *truth {
	return &truth{tasks: map[string]*taskRow{}, lists: map[string]*listRow{}, keys: map[string]int{}}
}

// columns are the values of one row, as text, number or bytes.
type columns interface {
	text(i int) string
	number(i int) int64
	id(i int) model.UUID
}

// rowsReader reads the rows of one statement in which $1 is the user's id.
type rowsReader interface {
	read(sql string, user model.UserID, row func(columns)) error
	close() error
}

// readTruth reads everything of a user. The statements are the same in both dialects.
func readTruth(from rowsReader, user model.UserID) (*truth, error) {
	t := newTruth()
	var orphans []string
	steps := []struct {
		sql string
		row func(columns)
	}{
		{`SELECT change_seq FROM users WHERE user_id = $1`, func(c columns) { t.head = c.number(0) }},
		{`SELECT id, text, CASE WHEN completed_at IS NULL THEN 0 ELSE 1 END FROM tasks WHERE user_id = $1`, func(c columns) {
			t.tasks[publicID(model.KindTask, c.id(0))] = &taskRow{text: c.text(1), completed: c.number(2) == 1}
		}},
		{`SELECT task_id, count(*) FROM task_completions WHERE user_id = $1 GROUP BY task_id`, func(c columns) {
			if task := t.tasks[publicID(model.KindTask, c.id(0))]; task != nil {
				task.completions = int(c.number(1))
			} else {
				orphans = append(orphans, "a completion without its task")
			}
		}},
		{`SELECT id, name FROM lists WHERE user_id = $1`, func(c columns) {
			t.lists[publicID(model.KindList, c.id(0))] = &listRow{name: c.text(1)}
		}},
		{
			`SELECT list_id, id, text, CASE WHEN checked THEN 1 ELSE 0 END FROM list_items WHERE user_id = $1
				ORDER BY list_id, position, id`, func(c columns) {
				if list := t.lists[publicID(model.KindList, c.id(0))]; list != nil {
					list.items = append(list.items, itemEntry{publicID(model.KindListItem, c.id(1)), c.text(2), c.number(3) == 1})
				} else {
					orphans = append(orphans, "an item without its list")
				}
			}},
		{`SELECT seq, type, operation, id FROM changes WHERE user_id = $1 ORDER BY seq`, func(c columns) {
			entry := changeEntry{kind: c.text(1), operation: c.text(2)}
			kind := model.KindTask
			if entry.kind == kindList {
				kind = model.KindList
			}
			entry.id = publicID(kind, c.id(3))
			t.changes = append(t.changes, changeRow{c.number(0), entry})
		}},
		{`SELECT key FROM idempotency WHERE user_id = $1`, func(c columns) { t.keys[c.text(0)]++ }},
	}
	for _, step := range steps {
		if err := from.read(step.sql, user, step.row); err != nil {
			return nil, fmt.Errorf("%s: %w", step.sql, err)
		}
	}
	if len(orphans) > 0 {
		return nil, fmt.Errorf("the database holds %d parts without a whole: %s", len(orphans), orphans[0])
	}
	return t, nil
}

func publicID(kind model.Kind, id model.UUID) string { return model.ID{Kind: kind, UUID: id}.String() }
