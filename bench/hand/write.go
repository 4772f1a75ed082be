//go:build bench

package hand

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"almanac/graph/model"
	"almanac/projections/fold"
)

// newTask is a task to add, as it arrives.
type newTask struct {
	Text     string     `json:"text"`
	Category string     `json:"category"`
	DueDate  *time.Time `json:"dueDate"`
}

// reminderBefore is how long before its due date a new task reminds.
const reminderBefore = 30 * time.Minute

// row is a task to insert.
type row struct {
	id           model.UUID
	text         string
	category     string
	due          pgtype.Timestamptz
	dueDate      *time.Time
	reminder     time.Duration
	nextReminder *time.Time
}

func (h *Handler) plan(in newTask, now time.Time) (row, error) {
	text := strings.TrimSpace(in.Text)
	if text == "" || len(text) > model.MaxTaskText {
		return row{}, bad("a task needs a text of at most %d bytes", model.MaxTaskText)
	}
	r := row{id: h.NewID(), text: text, category: strings.TrimSpace(in.Category),
		due: pgtype.Timestamptz{InfinityModifier: pgtype.Infinity, Valid: true}}
	if in.DueDate == nil {
		return r, nil
	}
	due := in.DueDate.Truncate(time.Microsecond)
	r.due, r.dueDate, r.reminder = pgtype.Timestamptz{Time: due, Valid: true}, &due, reminderBefore
	for _, at := range []time.Time{due.Add(-reminderBefore), due} {
		if at.After(now) {
			r.nextReminder = &at
			break
		}
	}
	return r, nil
}

const insertSQL = `INSERT INTO tasks (user_id, id, due_at, next_reminder_at, created_at, updated_at, reminder,
	nudge_count, text, text_key, category, category_key)
	VALUES ($1, $2, $3, $4, $5, $5, $6, 0, $7, $8, $9, $10)`

const changeSQL = `INSERT INTO changes (user_id, seq, id, at, type, operation)
	VALUES ($1, $2, $3, $4, 'TASK', 'CREATED')`

// begin locks the user by numbering the changes to come, and returns the number of the first.
func begin(ctx context.Context, tx pgx.Tx, user model.UserID, changes int) (int64, error) {
	var last int64
	err := tx.QueryRow(ctx, `UPDATE users SET change_seq = change_seq + $2 WHERE user_id = $1 RETURNING change_seq`,
		[16]byte(user), changes).Scan(&last)
	return last - int64(changes) + 1, err
}

// insert adds the tasks, their changes and the notice, in one round trip.
func insert(ctx context.Context, tx pgx.Tx, user model.UserID, rows []row, seq int64, now time.Time) error {
	var batch pgx.Batch
	owner := [16]byte(user)
	for i, r := range rows {
		batch.Queue(insertSQL, owner, [16]byte(r.id), r.due, r.nextReminder, now, r.reminder.Microseconds(), r.text,
			fold.Text(r.text), r.category, fold.Text(r.category))
		batch.Queue(changeSQL, owner, seq+int64(i), [16]byte(r.id), now)
	}
	batch.Queue(`SELECT pg_notify('almanac_changes', $1)`, user.String())
	return tx.SendBatch(ctx, &batch).Close()
}

// create adds a task, unless an open one has its text.
func (h *Handler) create(r *http.Request, user model.UserID) (any, error) {
	var in newTask
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return nil, bad("the body is not JSON")
	}
	moment := h.moment()
	now := moment.Now.Truncate(time.Microsecond)
	fresh, err := h.plan(in, now)
	if err != nil {
		return nil, err
	}
	err = pgx.BeginFunc(r.Context(), h.Pool, func(tx pgx.Tx) error {
		seq, err := begin(r.Context(), tx, user, 1)
		if err != nil {
			return err
		}
		var existing [16]byte
		err = tx.QueryRow(r.Context(),
			`SELECT id FROM tasks WHERE user_id = $1 AND completed_at IS NULL AND left(text_key, 64) = left($2, 64)
				AND text_key = $2 LIMIT 1`,
			[16]byte(user), fold.Text(fresh.text)).Scan(&existing)
		switch {
		case err == nil:
			return &problem{status: http.StatusConflict, message: "an open task has this text already"}
		case !errors.Is(err, pgx.ErrNoRows):
			return err
		}
		return insert(r.Context(), tx, user, []row{fresh}, seq, now)
	})
	if err != nil {
		return nil, err
	}
	t := task{
		ID: idText(model.KindTask, fresh.id), Text: fresh.text, DueDate: fresh.dueDate, NextReminderAt: fresh.nextReminder,
		CreatedAt: now, UpdatedAt: now,
	}
	t.finish(h.Zone, moment.Day(), fresh.category, fresh.reminder.Microseconds(), nil)
	var answer struct {
		CreateTask struct {
			Task       task       `json:"task"`
			UserErrors []struct{} `json:"userErrors"`
		} `json:"createTask"`
	}
	answer.CreateTask.Task, answer.CreateTask.UserErrors = t, []struct{}{}
	return answer, nil
}

type added struct {
	ID      string     `json:"id"`
	Text    string     `json:"text"`
	DueDate *time.Time `json:"dueDate"`
}

type refusal struct {
	Index int    `json:"index"`
	Code  string `json:"code"`
}

type bulk struct {
	Created int       `json:"created"`
	Success bool      `json:"success"`
	Tasks   []added   `json:"tasks"`
	Errors  []refusal `json:"errors"`
}

// createMany adds tasks; those whose text is taken are refused one by one.
func (h *Handler) createMany(r *http.Request, user model.UserID) (any, error) {
	var in struct {
		Tasks []newTask `json:"tasks"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return nil, bad("the body is not JSON")
	}
	if len(in.Tasks) > model.MaxBulk {
		return nil, bad("at most %d tasks", model.MaxBulk)
	}
	now := h.Now().Truncate(time.Microsecond)
	planned := make([]row, len(in.Tasks))
	keys := make([]string, len(in.Tasks))
	for i, one := range in.Tasks {
		var err error
		if planned[i], err = h.plan(one, now); err != nil {
			return nil, err
		}
		keys[i] = fold.Text(planned[i].text)
	}
	var answer struct {
		CreateTasks bulk `json:"createTasks"`
	}
	err := pgx.BeginFunc(r.Context(), h.Pool, func(tx pgx.Tx) error {
		seq, err := begin(r.Context(), tx, user, len(planned))
		if err != nil {
			return err
		}
		taken, err := takenTexts(r.Context(), tx, user, keys)
		if err != nil {
			return err
		}
		answer.CreateTasks = bulk{Tasks: []added{}, Errors: []refusal{}}
		var free []row
		for i, one := range planned {
			if taken[keys[i]] {
				answer.CreateTasks.Errors = append(answer.CreateTasks.Errors, refusal{Index: i, Code: string(model.CodeConflict)})
				continue
			}
			taken[keys[i]] = true
			free = append(free, one)
			if one.dueDate != nil {
				*one.dueDate = one.dueDate.In(h.Zone)
			}
			answer.CreateTasks.Tasks = append(answer.CreateTasks.Tasks,
				added{ID: idText(model.KindTask, one.id), Text: one.text, DueDate: one.dueDate})
		}
		return insert(r.Context(), tx, user, free, seq, now)
	})
	if err != nil {
		return nil, err
	}
	answer.CreateTasks.Created = len(answer.CreateTasks.Tasks)
	answer.CreateTasks.Success = answer.CreateTasks.Created > 0 || len(in.Tasks) == 0
	return answer, nil
}

// takenTexts returns which of the folded texts open tasks have.
func takenTexts(ctx context.Context, tx pgx.Tx, user model.UserID, keys []string) (map[string]bool, error) {
	rows, err := tx.Query(ctx, `SELECT t.text_key FROM unnest($2::text[]) AS k (key) JOIN tasks AS t
		ON t.user_id = $1 AND t.completed_at IS NULL AND left(t.text_key, 64) = left(k.key, 64)
		AND t.text_key = k.key`, [16]byte(user), keys)
	if err != nil {
		return nil, err
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, err
	}
	taken := make(map[string]bool, len(found))
	for _, key := range found {
		taken[key] = true
	}
	return taken, nil
}
