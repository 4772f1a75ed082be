package core

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

// Event is one change with the viewer as of the moment it goes out.
type Event struct {
	Line   model.Change
	Cursor string
	V      *Viewer
}

// Change returns the view of the change; changed is the record as it is now, nil when there is none.
func (e Event) Change(changed model.Node) projections.Change {
	return projections.ChangeAt(e.V.User, e.Line, changed, e.Cursor, e.V.Moment)
}

// LoadChanges turns changes of one user into answers, one for each.
type LoadChanges[T any] func(context.Context, []Event) ([]T, error)

// Follow returns every change of a kind after the place asked for, in order, each once, until the context is done. load
// turns a batch of changes into answers, one for each. Signals only say "look again": what is given comes from the log,
// so nothing is missed when signals fold or a database connection is lost.
func Follow[T any](ctx context.Context, r *Base, kind model.ChangeType, afterText *string,
	load LoadChanges[T]) (<-chan T, error) {
	return FollowKinds(ctx, r, []model.ChangeType{kind}, EveryChange, afterText, load)
}

// EveryChange wants them all.
func EveryChange(model.Change) bool { return true }

// FollowKinds is follow for those changes of some kinds that wanted says yes to.
func FollowKinds[T any](
	ctx context.Context, r *Base, kinds []model.ChangeType, wanted func(model.Change) bool, afterText *string,
	load LoadChanges[T],
) (<-chan T, error) {
	v, err := ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	signals, stop := r.Store.Watch(v.User) // before the first look, so that no change falls between
	place, err := r.startOf(ctx, v, afterText)
	if err != nil {
		stop()
		return nil, err
	}
	first, err := r.Look(ctx, v.User, kinds, wanted, place)
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
			answers, events, err := answer(ctx, r, v, seen.Lines, load)
			failed = failed || err != nil
			for i := range answers {
				cursors.Push(events[i].Cursor)
				select {
				case out <- answers[i]:
					place = events[i].Line.Seq
				case <-ctx.Done():
					return
				}
			}
			if !failed {
				place = max(place, seen.UpTo)
			}
			if (failed || !seen.more) && !pause(ctx, signals, failed) {
				return
			}
			seen, err = r.Look(ctx, v.User, kinds, wanted, place)
			if model.CodeOf(err) == model.CodeConflict {
				return // the log no longer reaches back: the client must read anew, which it does when it comes back
			}
			failed = err != nil
		}
	}()
	return out, nil
}

// Sight is what one look at the change log gave: the changes that are wanted after a place, and the place up to which
// there are no others; more tells of more after that. Without the place a listener of what seldom changes would stay at
// its last change until the log has been pruned beyond it.
type Sight struct {
	Lines []model.Change
	UpTo  int64
	more  bool
}

// Look reads the changes of some kinds after a sequence number that wanted reports true for.
func (r *Base) Look(ctx context.Context, user model.UserID, kinds []model.ChangeType,
	wanted func(model.Change) bool, place int64) (Sight, error) {
	head, err := r.Store.ChangeHead(ctx, user) // before the changes, so that none lies between
	if err != nil {
		return Sight{}, err
	}
	lines, err := r.ChangesAfter(ctx, user, &place, kinds, followBatch)
	if err != nil {
		return Sight{}, err
	}
	out := Sight{UpTo: head, more: len(lines) == followBatch}
	if out.more {
		out.UpTo = lines[len(lines)-1].Seq
	}
	for _, line := range lines {
		if wanted(line) {
			out.Lines = append(out.Lines, line)
		}
	}
	return out, nil
}

// startOf is the place after which a subscription starts: the cursor given, else the last one that the transport says
// the client has seen (Last-Event-ID), else the end of the log.
func (r *Base) startOf(ctx context.Context, v *Viewer, afterText *string) (int64, error) {
	if resumed, ok := graphql.GetOperationContext(ctx).Extensions[edge.LastEventID].(string); ok && resumed != "" {
		afterText = &resumed // a reconnect repeats the document with its old `after`
	}
	after, err := OpenCursor(r, v, "after", PurposeChanges, afterText, DecodeSeq)
	if err != nil {
		return 0, err
	}
	if after != nil {
		return *after, nil
	}
	return r.Store.ChangeHead(ctx, v.User)
}

// answer loads a batch as of a moment of its own: a subscription lives long, and "today" moves on.
func answer[T any](ctx context.Context, r *Base, v *Viewer, lines []model.Change,
	load LoadChanges[T]) ([]T, []Event, error) {
	if len(lines) == 0 {
		return nil, nil, nil
	}
	fresh, err := r.ViewerOf(ctx, v.Caller, v.Hints)
	if err != nil {
		return nil, nil, err
	}
	events := make([]Event, len(lines))
	for i, line := range lines {
		events[i] = Event{Line: line, Cursor: r.ChangeCursor(v.User, line.Seq), V: fresh}
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

// LinesOf returns the changes of events.
func LinesOf(events []Event) []model.Change {
	lines := make([]model.Change, len(events))
	for i, e := range events {
		lines[i] = e.Line
	}
	return lines
}
