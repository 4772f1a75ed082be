package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgtype"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

var (
	actionColumns = store.ActionTable.All()

	sqlAddAction = `INSERT INTO actions (user_id, ` + strings.Join(store.Names(actionColumns), ", ") + `) VALUES ($1, ` +
		numbered(2, len(actionColumns)) + `)`
	// sqlAddWholeAction adds an action with the records that it tells of and its entry of the audit log.
	sqlAddWholeAction = filled(`WITH kept AS (
	{action}
), told AS (
	INSERT INTO action_records (user_id, record_id, action_id, kind)
	SELECT o.user_id, r.id, $2, r.kind FROM `+ofUser+`, unnest({records}::uuid[], {kinds}::text[]) AS r (id, kind)
	ON CONFLICT (user_id, record_id, action_id) DO NOTHING
)
INSERT INTO audit_log (user_id, {names}) VALUES ($1, {audit}) ON CONFLICT (user_id, id) DO NOTHING`,
		"{action}", sqlAddAction, "{records}", numbered(2+len(actionColumns), 1),
		"{kinds}", numbered(3+len(actionColumns), 1), "{names}", auditNames, "{audit}", strings.Join(auditOfAction, ", "))
	// auditOfAction are the parameters of the columns of the audit log, which are those of the action where it has them
	// as well, and onlyAudited are the columns that it does not have.
	auditOfAction, onlyAudited = sharedParameters(4 + len(actionColumns))

	// sqlSaveAction reports whether the action is new.
	sqlSaveAction = sqlAddAction + ` ON CONFLICT (user_id, id) DO UPDATE SET ` +
		excluded(store.Names(store.ActionTable.Replaced())...) + ` RETURNING xmax = 0`
)

const (
	sqlActionRecords = `INSERT INTO action_records (user_id, record_id, action_id, kind)
SELECT $1, r.id, $2, r.kind FROM unnest($3::uuid[], $4::text[]) AS r (id, kind)
ON CONFLICT (user_id, record_id, action_id) DO NOTHING`

	sqlSetUndone = `UPDATE actions SET undone_by = $3 WHERE user_id = $1 AND id = $2`

	// sqlEraseActions takes the texts of actions away; what follows it says of which.
	sqlEraseActions = `UPDATE actions SET summary = '', inverse = NULL, undo_until = NULL
WHERE user_id = $1 AND (summary <> '' OR inverse IS NOT NULL)
AND id IN (SELECT action_id FROM action_records WHERE user_id = $1 AND `
	sqlEraseActionsOf = sqlEraseActions + `record_id = ANY($2))`
	// sqlEraseActionsOfGraph: actions may also tell of an entity under the id that it had before it became part of
	// another, and the facts of an entity go with it.
	sqlEraseActionsOfGraph = sqlEraseActions + `record_id IN (SELECT unnest($2::uuid[])
UNION ALL SELECT id FROM entity_redirects WHERE user_id = $1 AND entity_id = ANY($2)
UNION ALL SELECT id FROM facts WHERE user_id = $1 AND source_id = ANY($2)
UNION ALL SELECT id FROM facts WHERE user_id = $1 AND target_id = ANY($2)))`
	sqlEraseActionsAbout = sqlEraseActions + `kind = ANY($2))`

	sqlForgetHistory = `DELETE FROM task_completions WHERE user_id = $1 AND task_id = $2`
)

// Actions returns the newest actions that a filter finds.
func (d reader) Actions(ctx context.Context, user model.UserID, where store.ActionWhere, after model.UUID,
	limit int) ([]model.Action, error) {
	columns := shape[model.Action, store.ActionColumns](store.ActionTable.Read(0))
	q := newQuery(userArg(user))
	q.add("SELECT ", columns.list("t"), " FROM actions AS t WHERE t.user_id = $1")
	if err := rows.Text(where.Kinds...); err != nil {
		return nil, err
	}
	if len(where.Kinds) > 0 {
		q.add(" AND t.kind = ANY(", q.param(where.Kinds), ")")
	}
	if len(where.Sources) > 0 {
		sources := make([]string, len(where.Sources))
		for i, source := range where.Sources {
			sources[i] = string(source)
		}
		q.add(" AND t.source = ANY(", q.param(sources), ")")
	}
	if where.Touched != (model.UUID{}) {
		q.add(" AND t.id IN (SELECT action_id FROM action_records WHERE user_id = $1 AND record_id = ",
			q.param(uuidArg(where.Touched)), ")")
	}
	if !where.From.IsZero() {
		q.add(" AND t.at >= ", q.param(instantArg(where.From)))
	}
	if !where.To.IsZero() {
		q.add(" AND t.at < ", q.param(instantArg(where.To)))
	}
	if where.Undoable != nil {
		q.add(" AND (t.undone_by IS NULL AND coalesce(t.undo_until > ", q.param(instantArg(where.Now)), ", false)) = ",
			q.param(*where.Undoable))
	}
	if after != (model.UUID{}) {
		q.add(" AND t.id < ", q.param(uuidArg(after)))
	}
	q.add(" ORDER BY t.id DESC LIMIT ", q.param(int64(max(limit, 0))))
	return records(ctx, d, "read actions", q, limit, columns.read)
}

// ActionsByID returns the actions that exist among ids.
func (d reader) ActionsByID(ctx context.Context, user model.UserID, ids []model.UUID,
	want store.ActionColumns) ([]model.Action, error) {
	if ids = rows.Distinct(ids); len(ids) == 0 {
		return nil, ctx.Err()
	}
	columns := shape[model.Action, store.ActionColumns](store.ActionTable.Read(want))
	q := newQuery(userArg(user))
	q.add("SELECT ", columns.list("t"), " FROM actions AS t WHERE t.user_id = $1 AND ", oneOf(q, ids))
	return records(ctx, d, "read actions by id", q, len(ids), columns.read)
}

// SaveAction inserts or replaces an action, with the records that it tells of.
func (t tx) SaveAction(ctx context.Context, action model.Action, about []model.ID) error {
	args, err := values(t.user(), actionColumns, action)
	if err != nil {
		return err
	}
	operation := model.OperationUpdated
	b := newBatch()
	b.query(sqlSaveAction, func(r *row) {
		if r.bool() {
			operation = model.OperationCreated
		}
	}, args...)
	if err := t.queueAbout(b, action, about); err != nil {
		return err
	}
	return t.write(ctx, "save an action", b, func() []change {
		return changesOf(model.ChangeAction, operation, action.ID)()
	})
}

// sharedParameters returns the parameters of the columns of the audit log for an action's entry, those of columns that
// actions do not have from a number on, and these columns.
func sharedParameters(next int) (parameters []string, others shape[model.AuditEntry, store.Whole]) {
	names := store.Names(actionColumns)
	for _, column := range auditColumns {
		at := slices.Index(names, column.Name)
		if at >= 0 && column.Name != "forget_at" { // an action and its entry are forgotten at times of their own
			parameters = append(parameters, numbered(2+at, 1))
			continue
		}
		parameters, others = append(parameters, numbered(next, 1)), append(others, column)
		next++
	}
	return parameters, others
}

// AddAction inserts an action, with the records that it tells of, in the round trip of the commit.
func (t tx) AddAction(ctx context.Context, action model.Action, about []model.ID) error {
	args, err := values(t.user(), actionColumns, action)
	if err != nil {
		return err
	}
	b := newBatch()
	if action.AuditUntil.IsZero() {
		b.exec(sqlAddAction, nil, args...)
		err = t.queueAbout(b, action, about)
	} else {
		args = append(args, aboutArgs(about)...)
		args, err = appendValues(args, onlyAudited, action.Audit(t.level.tx.user))
		b.exec(sqlAddWholeAction, nil, args...)
	}
	if err != nil {
		return err
	}
	if err := t.level.atCommit(ctx, b.statements...); err != nil {
		return fmt.Errorf("postgres: add an action: %w", err)
	}
	return t.write(ctx, "log an action", &batch{}, changesOf(model.ChangeAction, model.OperationCreated, action.ID))
}

// aboutArgs are the ids and the kinds of the records that an action tells of, as parameters.
func aboutArgs(about []model.ID) []any {
	ids, kinds := make(arrayOf[pgtype.UUID], len(about)), make(arrayOf[plainText], len(about))
	for i, id := range about {
		ids[i], kinds[i] = uuidArg(id.UUID), plainText(id.Kind)
	}
	return []any{ids, kinds}
}

// queueAbout adds to a batch the records that an action tells of, and its entry of the audit log.
func (t tx) queueAbout(b *batch, action model.Action, about []model.ID) error {
	if len(about) > 0 {
		b.exec(sqlActionRecords, nil, append([]any{t.user(), uuidArg(action.ID)}, aboutArgs(about)...)...)
	}
	if action.AuditUntil.IsZero() {
		return nil
	}
	return queueAudit(b, action.Audit(t.level.tx.user))
}

// SetUndone notes which action has undone one.
func (t tx) SetUndone(ctx context.Context, id, by model.UUID) error {
	undone := uuidArg(by)
	undone.Valid = by != (model.UUID{})
	b := newBatch()
	b.exec(sqlSetUndone, all(1, store.ErrNotFound), t.user(), uuidArg(id), undone)
	return t.write(ctx, "note that an action was undone", b,
		changesOf(model.ChangeAction, model.OperationUpdated, id))
}

// TaskHistories returns all completions of tasks.
func (d reader) TaskHistories(ctx context.Context, user model.UserID,
	tasks []model.UUID) ([]model.TaskCompletion, error) {
	if len(tasks) == 0 {
		return nil, ctx.Err()
	}
	columns := wholeOf(&store.CompletionTable)
	q := newQuery(userArg(user))
	q.add("SELECT ", columns.list("t"), " FROM task_completions AS t WHERE t.user_id = $1 AND t.task_id = ANY(",
		q.param(uuidArgs(tasks)), ") ORDER BY t.task_id, t.completed_at, t.n")
	return records(ctx, d, "read histories of tasks", q, len(tasks), columns.read)
}

// SetTaskHistory replaces a task's history.
func (t tx) SetTaskHistory(ctx context.Context, task model.UUID, completions []model.TaskCompletion) error {
	completions = slices.Clone(completions)
	for i := range completions {
		completions[i].TaskID = task
	}
	there, err := t.TasksByID(ctx, t.level.tx.user, []model.UUID{task}, 0)
	if err == nil && len(there) == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return err
	}
	b := newBatch()
	b.exec(sqlForgetHistory, nil, t.user(), uuidArg(task))
	if err := t.write(ctx, "set a task's history", b, nil); err != nil {
		return err
	}
	return t.AddCompletions(ctx, completions)
}
