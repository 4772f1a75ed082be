//go:build bench

package hand

import (
	"net/http"

	"github.com/jackc/pgx/v5"

	"almanac/graph/model"
)

type board struct {
	Counts struct {
		Overdue   int `json:"overdue"`
		Today     int `json:"today"`
		Upcoming  int `json:"upcoming"`
		Recurring int `json:"recurring"`
		NoDueDate int `json:"noDueDate"`
	} `json:"counts"`
	Overdue   []task `json:"overdue"`
	Today     []task `json:"today"`
	Upcoming  []task `json:"upcoming"`
	Recurring []task `json:"recurring"`
	NoDueDate []task `json:"noDueDate"`
}

// boardSQL numbers the open tasks within their buckets and returns the first of each, with the bucket's size.
const boardSQL = `SELECT bucket, size, ` + taskColumns + ` FROM (
	SELECT *, row_number() OVER (PARTITION BY bucket ORDER BY id DESC) AS n, count(*) OVER (PARTITION BY bucket) AS size
	FROM (
		SELECT *, CASE WHEN recurrence_type IS NOT NULL THEN 'recurring' WHEN due_at = 'infinity' THEN 'noDueDate'
		WHEN due_at < $2 THEN 'overdue'
			WHEN due_at < $3 THEN 'today' ELSE 'upcoming' END AS bucket
		FROM tasks WHERE user_id = $1 AND completed_at IS NULL) AS open) AS numbered
	WHERE n <= $4 ORDER BY bucket, n`

// board returns the five groups of open tasks: how many there are, and the first of each.
func (h *Handler) board(r *http.Request, user model.UserID) (any, error) {
	size, err := first(r)
	if err != nil {
		return nil, err
	}
	day := h.moment().Day()
	rows, err := h.Pool.Query(r.Context(), boardSQL, [16]byte(user), day.Now, day.End, size)
	if err != nil {
		return nil, err
	}
	b := board{Overdue: []task{}, Today: []task{}, Upcoming: []task{}, Recurring: []task{}, NoDueDate: []task{}}
	buckets := map[string]struct {
		count *int
		tasks *[]task
	}{
		"overdue":   {&b.Counts.Overdue, &b.Overdue},
		"today":     {&b.Counts.Today, &b.Today},
		"upcoming":  {&b.Counts.Upcoming, &b.Upcoming},
		"recurring": {&b.Counts.Recurring, &b.Recurring},
		"noDueDate": {&b.Counts.NoDueDate, &b.NoDueDate},
	}
	_, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (struct{}, error) {
		var (
			name  string
			count int
		)
		t, err := scanTask(row, h.Zone, day, &name, &count)
		if err == nil {
			*buckets[name].count = count
			*buckets[name].tasks = append(*buckets[name].tasks, t)
		}
		return struct{}{}, err
	})
	if err != nil {
		return nil, err
	}
	var answer struct {
		Tasks struct {
			Categorized board `json:"categorized"`
		} `json:"tasks"`
	}
	answer.Tasks.Categorized = b
	return answer, nil
}
