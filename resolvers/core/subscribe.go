package core

import (
	"context"
	"errors"
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
	// Seen is what was read of the log for all who follow it, with this change in it; nil when this subscription has read
	// by itself.
	Seen *edge.Sight
}

// Change returns the view of the change; changed is the record as it is now, nil when there is none.
func (e Event) Change(changed model.Node) projections.Change {
	return projections.ChangeAt(e.V.User, e.Line, changed, e.Cursor, e.V.Moment)
}

// LoadChanges turns changes of one user into answers, one for each.
type LoadChanges[T any] func(context.Context, []Event) ([]T, error)

// errNotFollowing is a mistake of ours: a subscription ran outside of the engine.
var errNotFollowing = errors.New("no following in the context")

// Follow returns the changes of a kind after the place asked for, in order, each once, as edge.Following wants them.
// load turns a batch of changes into answers, one for each. Signals only say "look again": what is returned comes from
// the log, so nothing is missed when signals fold or a database connection is lost.
func Follow[T any](ctx context.Context, r *Base, kind model.ChangeType, afterText *string,
	load LoadChanges[T]) (<-chan T, error) {
	return FollowKinds(ctx, r, []model.ChangeType{kind}, EveryChange, afterText, load)
}

// EveryChange wants them all.
func EveryChange(model.Change) bool { return true }

// FollowKinds is Follow for those changes of some kinds, or of all where none is named, that wanted reports true for.
func FollowKinds[T any](
	ctx context.Context, r *Base, kinds []model.ChangeType, wanted func(model.Change) bool, afterText *string,
	load LoadChanges[T],
) (<-chan T, error) {
	v, err := ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	following := edge.FollowingFrom(ctx)
	if following == nil {
		return nil, errNotFollowing
	}
	out := make(chan T)
	if following.From == nil {
		place, head, err := r.startOf(ctx, v, kinds, afterText)
		if err != nil {
			return nil, err
		}
		following.Begin(edge.Followed{Log: changeLog{r}, User: v.User, Types: kinds, Place: place, Head: head})
		close(out)
		return out, nil
	}
	f := &follower[T]{Base: r, v: v, kinds: kinds, wanted: wanted, load: load, following: following, out: out}
	go f.run(ctx)
	return out, nil
}

// follower answers the changes between a place and the end of the log.
type follower[T any] struct {
	*Base
	v         *Viewer
	kinds     []model.ChangeType
	wanted    func(model.Change) bool
	load      func(context.Context, []Event) ([]T, error)
	following *edge.Following
	out       chan<- T
}

// run ends at the end of the log, when the context is done, or when the log no longer reaches back: then the client
// must read anew, which it does when it comes back.
func (f *follower[T]) run(ctx context.Context) {
	defer close(f.out)
	place, seen := *f.following.From, f.following.Seen
	for {
		sight, err := f.look(ctx, seen, place)
		if model.CodeOf(err) == model.CodeConflict {
			return
		}
		if err == nil {
			var answers []T
			var events []Event
			if answers, events, err = f.answer(ctx, sight.Lines, seen); err == nil {
				for i := range answers {
					f.following.Push(events[i].Cursor, events[i].Line.Seq)
					select {
					case f.out <- answers[i]:
					case <-ctx.Done():
						return
					}
				}
				place = max(place, sight.UpTo)
				if !sight.more {
					f.following.Reach(place)
					return
				}
			}
		}
		seen = nil // whatever has failed is read anew
		if err != nil && !pause(ctx) {
			return
		}
	}
}

// look takes what is wanted out of what was read for all, or reads it.
func (f *follower[T]) look(ctx context.Context, seen *edge.Sight, place int64) (Sight, error) {
	if seen == nil {
		return f.Look(ctx, f.v.User, f.kinds, f.wanted, place)
	}
	out := Sight{UpTo: seen.UpTo}
	for _, line := range seen.Changes {
		if line.Seq > place && edge.IsAmong(f.kinds, line.Type) && f.wanted(line) {
			out.Lines = append(out.Lines, line)
		}
	}
	return out, nil
}

// answer loads a batch as of a moment of its own: a subscription lives long, and "today" moves on.
func (f *follower[T]) answer(ctx context.Context, lines []model.Change, seen *edge.Sight) ([]T, []Event, error) {
	if len(lines) == 0 {
		return nil, nil, nil
	}
	fresh, err := f.ViewerOf(ctx, f.v.Caller, f.v.Hints)
	if err != nil {
		return nil, nil, err
	}
	events := make([]Event, len(lines))
	for i, line := range lines {
		events[i] = Event{Line: line, Cursor: f.ChangeCursor(f.v.User, line.Seq), V: fresh, Seen: seen}
	}
	answers, err := f.load(ctx, events)
	return answers, events, err
}

// pause waits a moment after a failure; false when the context is done.
func pause(ctx context.Context) bool {
	timer := time.NewTimer(storePause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// LoadOnce returns what read returns for the events, which runs once for all subscriptions that answer the same changes
// and ask for the same, as the key says.
func LoadOnce[K comparable, T any](events []Event, key K, read func() (T, error)) (T, error) {
	type batch struct {
		key      K
		from, to int64
		count    int
	}
	last := len(events) - 1
	return edge.LoadOnce(events[0].Seen, batch{key, events[0].Line.Seq, events[last].Line.Seq, len(events)}, read)
}

// changeLog is the store's change log, for all who follow it.
type changeLog struct{ *Base }

// Watch implements edge.Log.
func (l changeLog) Watch(user model.UserID) (signals <-chan struct{}, stop func()) {
	return l.Store.Watch(user)
}

// Look implements edge.Log. It reads every type: the listeners of one that seldom changes would stay at their last
// change otherwise, until the log has been pruned beyond it.
func (l changeLog) Look(ctx context.Context, user model.UserID, after int64) (*edge.Sight, error) {
	lines, err := l.ChangesAfter(ctx, user, &after, nil, followBatch)
	if err != nil {
		return nil, err
	}
	seen := &edge.Sight{After: after, UpTo: after, Changes: lines, More: len(lines) == followBatch}
	if len(lines) > 0 {
		seen.UpTo = lines[len(lines)-1].Seq
	}
	return seen, nil
}

// Sight is what one look at the change log gave: the changes that are wanted after a place, and the place up to which
// there are no others; more reports whether there are more after that.
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
// the client has seen (Last-Event-ID), else the end of the log, which is head. CONFLICT when the log no longer reaches
// back so far.
func (r *Base) startOf(ctx context.Context, v *Viewer, kinds []model.ChangeType,
	afterText *string) (place, head int64, err error) {
	if resumed, ok := graphql.GetOperationContext(ctx).Extensions[edge.LastEventID].(string); ok && resumed != "" {
		afterText = &resumed // a reconnect repeats the document with its old `after`
	}
	after, err := OpenCursor(r, v, "after", PurposeChanges, afterText, DecodeSeq)
	if err != nil {
		return 0, 0, err
	}
	if head, err = r.Store.ChangeHead(ctx, v.User); err != nil || after == nil {
		return head, head, err
	}
	_, err = r.ChangesAfter(ctx, v.User, after, kinds, 1)
	return *after, max(head, *after), err
}

// LinesOf returns the changes of events.
func LinesOf(events []Event) []model.Change {
	lines := make([]model.Change, len(events))
	for i, e := range events {
		lines[i] = e.Line
	}
	return lines
}
