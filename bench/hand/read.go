//go:build bench

package hand

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"almanac/graph/model"
)

type page[T any] struct {
	Tasks nodes[T] `json:"tasks"`
}

type nodes[T any] struct {
	Nodes []T `json:"nodes"`
}

// list returns a page of open tasks, newest first.
func (h *Handler) list(r *http.Request, user model.UserID) (any, error) {
	size, err := first(r)
	if err != nil {
		return nil, err
	}
	from, err := after(r)
	if err != nil {
		return nil, err
	}
	rows, err := h.Pool.Query(r.Context(), `SELECT `+taskColumns+` FROM tasks
		WHERE user_id = $1 AND completed_at IS NULL AND id < $2 ORDER BY id DESC
		LIMIT $3`, [16]byte(user), [16]byte(from), size)
	if err != nil {
		return nil, err
	}
	day := h.moment().Day()
	tasks, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (task, error) { return scanTask(row, h.Zone, day) })
	if err != nil {
		return nil, err
	}
	return page[task]{nodes[task]{tasks}}, nil
}

type slimTask struct {
	ID        string     `json:"id"`
	Text      string     `json:"text"`
	DueDate   *time.Time `json:"dueDate"`
	Completed bool       `json:"completed"`
}

// slim returns a page of open tasks with four fields each.
func (h *Handler) slim(r *http.Request, user model.UserID) (any, error) {
	size, err := first(r)
	if err != nil {
		return nil, err
	}
	rows, err := h.Pool.Query(r.Context(),
		`SELECT id, text, NULLIF(due_at, 'infinity'), completed_at IS NOT NULL FROM tasks
		WHERE user_id = $1 AND completed_at IS NULL ORDER BY id DESC LIMIT $2`, [16]byte(user), size)
	if err != nil {
		return nil, err
	}
	tasks, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (slimTask, error) {
		var (
			t  slimTask
			id [16]byte
		)
		if err := row.Scan(&id, &t.Text, &t.DueDate, &t.Completed); err != nil {
			return t, err
		}
		t.ID = idText(model.KindTask, id)
		if t.DueDate != nil {
			*t.DueDate = t.DueDate.In(h.Zone)
		}
		return t, nil
	})
	if err != nil {
		return nil, err
	}
	return page[slimTask]{nodes[slimTask]{tasks}}, nil
}

// one returns a task.
func (h *Handler) one(r *http.Request, user model.UserID) (any, error) {
	id, err := taskID(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	row := h.Pool.QueryRow(r.Context(), `SELECT `+taskColumns+` FROM tasks WHERE user_id = $1 AND id = $2`, [16]byte(user),
		[16]byte(id))
	found, err := scanTask(row, h.Zone, h.moment().Day())
	if err != nil {
		return nil, err
	}
	return struct {
		Task task `json:"task"`
	}{found}, nil
}

// batch returns tasks by their ids, in the order of the ids, null for each that is not there.
func (h *Handler) batch(r *http.Request, user model.UserID) (any, error) {
	var asked struct {
		IDs []string `json:"ids"`
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		return nil, bad("the body is not JSON")
	}
	if len(asked.IDs) > model.MaxPageSize {
		return nil, bad("at most %d ids", model.MaxPageSize)
	}
	ids := make([][16]byte, len(asked.IDs))
	for i, text := range asked.IDs {
		id, err := taskID(text)
		if err != nil {
			return nil, err
		}
		ids[i] = id
	}
	rows, err := h.Pool.Query(r.Context(), `SELECT `+taskColumns+` FROM tasks WHERE user_id = $1 AND id = ANY($2)`,
		[16]byte(user), ids)
	if err != nil {
		return nil, err
	}
	day := h.moment().Day()
	found := make(map[string]*task, len(ids))
	tasks, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (task, error) { return scanTask(row, h.Zone, day) })
	if err != nil {
		return nil, err
	}
	for i := range tasks {
		found[tasks[i].ID] = &tasks[i]
	}
	answer := struct {
		Nodes []*task `json:"nodes"`
	}{make([]*task, len(ids))}
	for i, id := range asked.IDs {
		answer.Nodes[i] = found[id]
	}
	return answer, nil
}
