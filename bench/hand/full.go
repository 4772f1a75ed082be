//go:build bench

package hand

import (
	"context"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"almanac/graph/model"
	"almanac/projections/when"
)

// fullTask is everything there is of a task.
type fullTask struct {
	task
	uuid             [16]byte
	DueDateFormatted *string      `json:"dueDateFormatted"`
	Recurrence       *rule        `json:"recurrence"`
	Subtasks         []subtask    `json:"subtasks"`
	Completions      []completion `json:"completions"`
}

type rule struct {
	Type       string     `json:"type"`
	Time       *string    `json:"time"`
	Days       []string   `json:"days"`
	DayOfMonth *int       `json:"dayOfMonth"`
	Interval   *string    `json:"interval"`
	Until      *time.Time `json:"until"`
	TimeZone   *string    `json:"timeZone"`
}

type subtask struct {
	ID        string    `json:"id"`
	Text      string    `json:"text"`
	Completed bool      `json:"completed"`
	CreatedAt time.Time `json:"createdAt"`
}

type completion struct {
	CompletedAt time.Time  `json:"completedAt"`
	Occurrence  *time.Time `json:"occurrence"`
}

// storedRule is a rule as the column has it.
type storedRule struct {
	Type       string        `json:"type"`
	Time       *string       `json:"time"`
	Days       []string      `json:"days"`
	DayOfMonth *int          `json:"dayOfMonth"`
	Interval   time.Duration `json:"interval"`
	Until      *time.Time    `json:"until"`
	TimeZone   *string       `json:"timeZone"`
}

// full returns a page of open tasks with everything: the tasks, then their subtasks and histories in one round trip.
func (h *Handler) full(r *http.Request, user model.UserID) (any, error) {
	size, err := first(r)
	if err != nil {
		return nil, err
	}
	rows, err := h.Pool.Query(r.Context(), `SELECT `+taskColumns+`, recurrence FROM tasks
		WHERE user_id = $1 AND completed_at IS NULL ORDER BY id DESC LIMIT $2`, [16]byte(user), size)
	if err != nil {
		return nil, err
	}
	moment := h.moment()
	day := moment.Day()
	tasks, err := pgx.CollectRows(rows,
		func(row pgx.CollectableRow) (fullTask, error) { return scanFull(row, moment, day) })
	if err != nil {
		return nil, err
	}
	if err := h.addRelations(r.Context(), user, tasks); err != nil {
		return nil, err
	}
	return page[fullTask]{nodes[fullTask]{tasks}}, nil
}

func scanFull(row pgx.Row, moment when.Moment, day when.Day) (fullTask, error) {
	var (
		t        = fullTask{Subtasks: []subtask{}, Completions: []completion{}}
		category string
		reminder int64
		repeats  *string
		stored   *storedRule
	)
	err := row.Scan(&t.uuid, &t.Text, &category, &t.DueDate, &reminder, &t.NextReminderAt, &t.NudgeCount, &t.CompletedAt,
		&t.CreatedAt, &t.UpdatedAt, &repeats, &stored)
	if err != nil {
		return t, err
	}
	t.ID = idText(model.KindTask, t.uuid)
	t.finish(moment.Zone, day, category, reminder, repeats)
	if t.DueDate != nil {
		text := when.Format(*t.DueDate, moment)
		t.DueDateFormatted = &text
	}
	if stored != nil {
		t.Recurrence = &rule{
			Type: stored.Type, Time: stored.Time, Days: stored.Days, DayOfMonth: stored.DayOfMonth,
			Interval: iso(stored.Interval), Until: stored.Until, TimeZone: stored.TimeZone,
		}
		if stored.Until != nil {
			*t.Recurrence.Until = stored.Until.In(moment.Zone)
		}
	}
	return t, nil
}

const (
	subtasksSQL = `SELECT task_id, id, text, completed, created_at FROM subtasks WHERE user_id = $1 AND task_id = ANY($2)
		ORDER BY task_id, id`

	completionsSQL = `SELECT t.id, c.completed_at, c.occurrence FROM unnest($2::uuid[]) AS t (id) CROSS JOIN LATERAL (
		SELECT completed_at, occurrence, n FROM task_completions WHERE user_id = $1 AND task_id = t.id
		ORDER BY completed_at DESC, n DESC LIMIT 5) AS c
		ORDER BY t.id, c.completed_at DESC, c.n DESC`
)

// addRelations reads the subtasks and histories of the tasks into them.
func (h *Handler) addRelations(ctx context.Context, user model.UserID, tasks []fullTask) error {
	ids := make([][16]byte, len(tasks))
	byID := make(map[[16]byte]*fullTask, len(tasks))
	for i := range tasks {
		ids[i] = tasks[i].uuid
		byID[ids[i]] = &tasks[i]
	}
	var batch pgx.Batch
	batch.Queue(subtasksSQL, [16]byte(user), ids).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			var (
				of, id [16]byte
				s      subtask
			)
			if err := rows.Scan(&of, &id, &s.Text, &s.Completed, &s.CreatedAt); err != nil {
				return err
			}
			s.ID, s.CreatedAt = idText(model.KindSubtask, id), s.CreatedAt.In(h.Zone)
			byID[of].Subtasks = append(byID[of].Subtasks, s)
		}
		return rows.Err()
	})
	batch.Queue(completionsSQL, [16]byte(user), ids).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			var (
				of [16]byte
				c  completion
			)
			if err := rows.Scan(&of, &c.CompletedAt, &c.Occurrence); err != nil {
				return err
			}
			c.CompletedAt = c.CompletedAt.In(h.Zone)
			if c.Occurrence != nil {
				*c.Occurrence = c.Occurrence.In(h.Zone)
			}
			byID[of].Completions = append(byID[of].Completions, c)
		}
		return rows.Err()
	})
	return h.Pool.SendBatch(ctx, &batch).Close()
}
