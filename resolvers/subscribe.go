package resolvers

import (
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"almanac/graph/model"
	"almanac/internal/httpapi/edge"
	"almanac/projections"
)

// followBatch is how many changes are read at once.
const followBatch = 100

// storePause is how long a subscription waits before it asks a store again that did not answer.
const storePause = time.Second

// event is one change with the viewer as of the moment it goes out.
type event struct {
	line   model.Change
	cursor string
	v      *viewer
}

// follow gives every change of a kind after the place asked for, in order, each once, until the context is done. load
// turns a batch of changes into answers, one for each. Signals only say "look again": what is given comes from the log,
// so nothing is missed when signals fold or a database connection is lost.
func follow[T any](ctx context.Context, r *Resolver, kind model.ChangeType, afterText *string,
	load func(context.Context, []event) ([]T, error)) (<-chan T, error) {
	return followKinds(ctx, r, []model.ChangeType{kind}, everyChange, afterText, load)
}

// everyChange wants them all.
func everyChange(model.Change) bool { return true }

// followKinds is follow for those changes of some kinds that wanted says yes to.
func followKinds[T any](
	ctx context.Context, r *Resolver, kinds []model.ChangeType, wanted func(model.Change) bool, afterText *string,
	load func(context.Context, []event) ([]T, error),
) (<-chan T, error) {
	v, err := viewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	signals, stop := r.Store.Watch(v.user) // before the first look, so that no change falls between
	place, err := r.startOf(ctx, v, afterText)
	if err != nil {
		stop()
		return nil, err
	}
	first, err := r.look(ctx, v.user, kinds, wanted, place)
	if err != nil {
		stop()
		return nil, err
	}
	out := make(chan T)
	cursors := edge.CursorsFrom(ctx)
	go func() {
		defer stop()
		defer close(out)
		seen, failed := first, false
		for {
			answers, events, err := answer(ctx, r, v, seen.lines, load)
			failed = failed || err != nil
			for i := range answers {
				cursors.Push(events[i].cursor)
				select {
				case out <- answers[i]:
					place = events[i].line.Seq
				case <-ctx.Done():
					return
				}
			}
			if !failed {
				place = max(place, seen.upTo)
			}
			if (failed || !seen.more) && !pause(ctx, signals, failed) {
				return
			}
			seen, err = r.look(ctx, v.user, kinds, wanted, place)
			if model.CodeOf(err) == model.CodeConflict {
				return // the log no longer reaches back: the client must read anew, which it does when it comes back
			}
			failed = err != nil
		}
	}()
	return out, nil
}

// sight is what one look at the change log gave: the changes that are wanted after a place, and the place up to which
// there are no others; more tells of more after that. Without the place a listener of what seldom changes would stay at
// its last change until the log has been pruned beyond it.
type sight struct {
	lines []model.Change
	upTo  int64
	more  bool
}

func (r *Resolver) look(ctx context.Context, user model.UserID, kinds []model.ChangeType,
	wanted func(model.Change) bool, place int64) (sight, error) {
	head, err := r.Store.ChangeHead(ctx, user) // before the changes, so that none lies between
	if err != nil {
		return sight{}, err
	}
	lines, err := r.changesAfter(ctx, user, &place, kinds, followBatch)
	if err != nil {
		return sight{}, err
	}
	out := sight{upTo: head, more: len(lines) == followBatch}
	if out.more {
		out.upTo = lines[len(lines)-1].Seq
	}
	for _, line := range lines {
		if wanted(line) {
			out.lines = append(out.lines, line)
		}
	}
	return out, nil
}

// startOf is the place after which a subscription starts: the cursor given, else the last one that the transport says
// the client has seen (Last-Event-ID), else the end of the log.
func (r *Resolver) startOf(ctx context.Context, v *viewer, afterText *string) (int64, error) {
	if resumed, ok := graphql.GetOperationContext(ctx).Extensions[edge.LastEventID].(string); ok && resumed != "" {
		afterText = &resumed // a reconnect repeats the document with its old `after`
	}
	after, err := openCursor(r, v, "after", purposeChanges, afterText, decodeSeq)
	if err != nil {
		return 0, err
	}
	if after != nil {
		return *after, nil
	}
	return r.Store.ChangeHead(ctx, v.user)
}

// answer loads a batch as of a moment of its own: a subscription lives long, and "today" moves on.
func answer[T any](ctx context.Context, r *Resolver, v *viewer, lines []model.Change,
	load func(context.Context, []event) ([]T, error)) ([]T, []event, error) {
	if len(lines) == 0 {
		return nil, nil, nil
	}
	fresh, err := r.viewerOf(ctx, v.caller, v.hints)
	if err != nil {
		return nil, nil, err
	}
	events := make([]event, len(lines))
	for i, line := range lines {
		events[i] = event{line: line, cursor: r.changeCursor(v.user, line.Seq), v: fresh}
	}
	answers, err := load(ctx, events)
	return answers, events, err
}

// pause waits for a signal, or after a failure for a moment; false when the context is done.
func pause(ctx context.Context, signals <-chan struct{}, failed bool) bool {
	var retry <-chan time.Time
	if failed {
		timer := time.NewTimer(storePause)
		defer timer.Stop()
		retry = timer.C
	}
	select {
	case <-signals:
		return true
	case <-retry:
		return true
	case <-ctx.Done():
		return false
	}
}

func linesOf(events []event) []model.Change {
	lines := make([]model.Change, len(events))
	for i, e := range events {
		lines[i] = e.line
	}
	return lines
}

// taskChanges answers the taskChanged subscription.
func (r *Resolver) taskChanges(ctx context.Context, after *string) (<-chan *projections.TaskChange, error) {
	columns := answered(ctx).under("task", "Task")
	return follow(ctx, r, model.ChangeTask, after,
		func(ctx context.Context, events []event) ([]*projections.TaskChange, error) {
			now := make(map[model.UUID]model.Task)
			if len(columns.fields) > 0 {
				tasks, err := r.Store.TasksByID(ctx, events[0].v.user, idsOf(linesOf(events), model.ChangeTask),
					columns.taskColumns())
				if err != nil {
					return nil, err
				}
				for _, task := range tasks {
					now[task.ID] = task
				}
			}
			out := make([]*projections.TaskChange, len(events))
			for i, e := range events {
				out[i] = &projections.TaskChange{Change: projections.ChangeAt(e.line, nil, e.cursor, e.v.Moment)}
				if task, there := now[e.line.ID]; there {
					view := projections.TaskAt(task, e.v.Moment)
					out[i].Task = &view
				}
			}
			return out, nil
		})
}

// listChanges answers the listChanged subscription.
func (r *Resolver) listChanges(ctx context.Context, after *string) (<-chan *projections.ListChange, error) {
	columns := answered(ctx).under("list", "List")
	return follow(ctx, r, model.ChangeList, after,
		func(ctx context.Context, events []event) ([]*projections.ListChange, error) {
			now := make(map[model.UUID]model.List)
			if len(columns.fields) > 0 {
				lists, err := r.Store.ListsByID(ctx, events[0].v.user, idsOf(linesOf(events), model.ChangeList),
					columns.listColumns())
				if err != nil {
					return nil, err
				}
				for _, list := range lists {
					now[list.ID] = list
				}
			}
			out := make([]*projections.ListChange, len(events))
			for i, e := range events {
				out[i] = &projections.ListChange{Change: projections.ChangeAt(e.line, nil, e.cursor, e.v.Moment)}
				if list, there := now[e.line.ID]; there {
					view := projections.ListAt(list, e.v.Moment)
					out[i].List = &view
				}
			}
			return out, nil
		})
}
