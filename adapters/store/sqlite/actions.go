package sqlite

import (
	"context"
	"slices"
	"strings"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

var (
	sqlAddAction  = insertSQL(&store.ActionTable)
	sqlSaveAction = upsertSQL(&store.ActionTable, "user_id, id")
)

// actionSelection returns the columns that are read of actions.
func actionSelection(want store.ActionColumns) selection[model.Action, store.ActionColumns] {
	return store.ActionTable.Read(want)
}

// Actions: see store.ActionReader.
func (r reader) Actions(ctx context.Context, user model.UserID, where store.ActionWhere, after model.UUID,
	limit int) ([]model.Action, error) {
	if err := rows.Text(where.Kinds...); err != nil {
		return nil, err
	}
	return answer(ctx, r, "actions", oneStatement, func(q *session) (actions []model.Action, err error) {
		columns := actionSelection(0)
		var b statement
		b.add("SELECT ")
		columns.write(&b, "")
		b.add(" FROM actions WHERE user_id = ?", userArg(user))
		if len(where.Kinds) > 0 {
			b.add(" AND ")
			b.inTexts("kind", where.Kinds)
		}
		if len(where.Sources) > 0 {
			b.add(" AND ")
			b.inTexts("source", texts(where.Sources))
		}
		if where.Touched != (model.UUID{}) {
			b.add(" AND id IN (SELECT action_id FROM action_records WHERE user_id = ? AND record_id = ?)", userArg(user),
				idArg(where.Touched))
		}
		within(&b, "at", where.From, where.To)
		if where.Undoable != nil {
			b.add(" AND (undone_by IS NULL AND coalesce(undo_until > ?, 0)) = ?", instantArg(where.Now),
				boolArg(*where.Undoable))
		}
		if after != (model.UUID{}) {
			beyond(&b, "", true, arg{}, after)
		}
		b.add(order("", true)+" LIMIT ?", intArg(max(limit, 0)))
		err = q.read(&b, into(&actions, columns.readRow))
		return actions, err
	})
}

// texts returns words as texts.
func texts[T ~string](words []T) []string {
	out := make([]string, len(words))
	for i, word := range words {
		out[i] = string(word)
	}
	return out
}

// ActionsByID: see store.ActionReader.
func (r reader) ActionsByID(ctx context.Context, user model.UserID, ids []model.UUID,
	want store.ActionColumns) ([]model.Action, error) {
	ids = rows.Distinct(ids)
	if len(ids) == 0 {
		return nil, ctx.Err()
	}
	return answer(ctx, r, "actions by id", inOneMoment(len(ids) > maxIDs), func(q *session) ([]model.Action, error) {
		columns := actionSelection(want)
		return readSome(q, ids, func(b *statement, some []model.UUID) {
			b.add("SELECT ")
			columns.write(b, "")
			b.add(" FROM actions WHERE user_id = ? AND ", userArg(user))
			b.in("id", some)
		}, columns.readRow)
	})
}

// SaveAction: see store.ActionWriter.
func (f *frame) SaveAction(ctx context.Context, action model.Action, about []model.ID) error {
	err := f.atomically(ctx, func(q *session) error {
		_, there, err := q.number(`SELECT 1 FROM actions WHERE user_id = ? AND id = ?`, userArg(f.user), idArg(action.ID))
		if err != nil {
			return err
		}
		if there {
			return f.keepAction(q, sqlSaveAction, model.OperationUpdated, action, about)
		}
		return f.keepAction(q, sqlAddAction, model.OperationCreated, action, about)
	})
	return wrap("save action", err)
}

// AddAction: see store.ActionWriter.
func (f *frame) AddAction(ctx context.Context, action model.Action, about []model.ID) error {
	err := f.atomically(ctx, func(q *session) error {
		return f.keepAction(q, sqlAddAction, model.OperationCreated, action, about)
	})
	return wrap("add action", err)
}

// keepAction writes an action with its entry of the audit log and what it is about.
func (f *frame) keepAction(q *session, sql string, operation model.Operation, action model.Action,
	about []model.ID) error {
	args, err := argsOf(f.user, &store.ActionTable, &action)
	if err != nil {
		return err
	}
	if _, err := q.write(sql, args...); err != nil {
		return err
	}
	if !action.AuditUntil.IsZero() {
		if err := addAudit(q, action.Audit(f.user)); err != nil {
			return err
		}
	}
	for _, id := range about {
		if _, err := q.write(`INSERT INTO action_records (user_id, record_id, action_id, kind) VALUES (?, ?, ?, ?)
ON CONFLICT DO NOTHING`, userArg(f.user), idArg(id.UUID), idArg(action.ID), textArg(string(id.Kind))); err != nil {
			return err
		}
	}
	return f.log(q, model.ChangeAction, operation, action.ID)
}

// SetUndone: see store.ActionWriter.
func (f *frame) SetUndone(ctx context.Context, id, by model.UUID) error {
	err := f.atomically(ctx, func(q *session) error {
		undone := arg{}
		if by != (model.UUID{}) {
			undone = idArg(by)
		}
		if err := q.writeOne(`UPDATE actions SET undone_by = ? WHERE user_id = ? AND id = ?`, undone, userArg(f.user),
			idArg(id)); err != nil {
			return err
		}
		return f.log(q, model.ChangeAction, model.OperationUpdated, id)
	})
	return wrap("set undone", err)
}

// sqlEraseActions takes the texts of actions away; what follows it says of which.
const sqlEraseActions = `UPDATE actions SET summary = '', inverse = NULL, undo_until = NULL
WHERE user_id = ?1 AND (summary <> '' OR inverse IS NOT NULL)
AND id IN (SELECT action_id FROM action_records WHERE user_id = ?1 AND `

// eraseActions erases what actions tell of records.
func (f *frame) eraseActions(q *session, ids []model.UUID) error {
	erased := 0
	for _, id := range ids {
		n, err := q.write(sqlEraseActions+`record_id = ?2)`, userArg(f.user), idArg(id))
		if err != nil {
			return err
		}
		erased += n
	}
	if erased == 0 {
		return nil
	}
	return noteErasure(q)
}

// eraseActionsAbout erases what actions tell of any record of some kinds.
func (f *frame) eraseActionsAbout(q *session, kinds ...model.Kind) error {
	args := []arg{userArg(f.user)}
	for _, kind := range kinds {
		args = append(args, textArg(string(kind)))
	}
	erased, err := q.write(sqlEraseActions+`kind IN (?`+strings.Repeat(", ?", len(kinds)-1)+`))`, args...)
	if err != nil || erased == 0 {
		return err
	}
	return noteErasure(q)
}

const (
	sqlForgetInverses = `UPDATE actions SET inverse = NULL WHERE (user_id, id) IN (SELECT user_id, id
FROM actions INDEXED BY actions_undo WHERE inverse IS NOT NULL AND undo_until <= ? LIMIT ?)`
	sqlForgetActions = `DELETE FROM actions WHERE (user_id, id) IN (SELECT user_id, id
FROM actions INDEXED BY actions_forget WHERE forget_at <= ? LIMIT ?)`
)

// sweepActions forgets inverses, actions and entries of the audit log whose time is over.
func (s *Store) sweepActions(ctx context.Context, now time.Time) error {
	for _, sql := range [...]string{sqlForgetInverses, sqlForgetActions, sqlForgetAudit} {
		if err := s.deleteAll(ctx, sql, instantArg(now), intArg(sweepAtOnce)); err != nil {
			return wrap("sweep actions", err)
		}
	}
	return nil
}

// TaskHistories: see store.PartsReader.
func (r reader) TaskHistories(ctx context.Context, user model.UserID,
	tasks []model.UUID) (all []model.TaskCompletion, err error) {
	return answer(ctx, r, "task histories", oneTransaction, func(q *session) ([]model.TaskCompletion, error) {
		columns := wholeOf(&store.CompletionTable)
		return readSome(q, rows.Distinct(tasks), func(b *statement, some []model.UUID) {
			b.add("SELECT ")
			columns.write(b, "")
			b.add(" FROM task_completions WHERE user_id = ? AND ", userArg(user))
			b.in("task_id", some)
			b.add(" ORDER BY task_id, completed_at, n")
		}, columns.readRow)
	})
}

// SetTaskHistory: see store.PartsWriter.
func (f *frame) SetTaskHistory(ctx context.Context, task model.UUID, completions []model.TaskCompletion) error {
	err := f.atomically(ctx, func(q *session) error {
		if err := thereIs(q, `SELECT 1 FROM tasks WHERE user_id = ? AND id = ?`, userArg(f.user),
			idArg(task)); err != nil {
			return err
		}
		if _, err := q.write(`DELETE FROM task_completions WHERE user_id = ? AND task_id = ?`, userArg(f.user),
			idArg(task)); err != nil {
			return err
		}
		return addCompletions(q, f.user, withTask(completions, task))
	})
	return wrap("set task history", err)
}

// withTask returns completions as those of a task.
func withTask(completions []model.TaskCompletion, task model.UUID) []model.TaskCompletion {
	completions = slices.Clone(completions)
	for i := range completions {
		completions[i].TaskID = task
	}
	return completions
}
