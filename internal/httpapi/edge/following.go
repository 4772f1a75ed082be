package edge

import (
	"context"
	"errors"
	"slices"
	"sync"

	"almanac/graph/model"
)

// LastEventID is the key of Request.Extensions under which a streaming transport hands down the id of the last event
// that a reconnecting client has seen.
const LastEventID = "lastEventId"

// Log is a change log, as the engine reads it for all who follow it.
type Log interface {
	// Watch returns a channel that receives soon after a transaction with changes of the user has been committed. Signals
	// may be folded into one. stop must be called.
	Watch(user model.UserID) (signals <-chan struct{}, stop func())
	// Look reads what was changed after a place, of any type. CONFLICT when the log no longer reaches back so far.
	Look(ctx context.Context, user model.UserID, after int64) (*Sight, error)
}

// Sight is what was read of a user's change log at once: all changes after one place up to another. It is not written
// to.
type Sight struct {
	After, UpTo int64
	Changes     []model.Change
	// More reports whether the log goes on behind UpTo.
	More bool

	mu    sync.Mutex
	loads map[any]*load
}

// load is what several who follow the log read for the same changes.
type load struct {
	done  chan struct{}
	value any
	err   error
}

// IsAmong reports whether a type is one of those wanted; none wanted stands for all.
func IsAmong(wanted []model.ChangeType, t model.ChangeType) bool {
	return len(wanted) == 0 || slices.Contains(wanted, t)
}

// Concerns reports whether a change of one of the types stands behind a place.
func (s *Sight) Concerns(types []model.ChangeType, after int64) bool {
	return slices.ContainsFunc(s.Changes, func(c model.Change) bool {
		return c.Seq > after && IsAmong(types, c.Type)
	})
}

// LoadOnce returns what load returns, which runs once for all who ask one sight under one key; when it fails, the next
// one runs it again. The value must not be written to. A nil sight remembers nothing.
func LoadOnce[T any](s *Sight, key any, read func() (T, error)) (T, error) {
	if s == nil {
		return read()
	}
	for {
		s.mu.Lock()
		known := s.loads[key]
		if known == nil {
			if s.loads == nil {
				s.loads = map[any]*load{}
			}
			own := &load{done: make(chan struct{}), err: errNotLoaded}
			s.loads[key] = own
			s.mu.Unlock()
			return loadFor(s, key, own, read)
		}
		s.mu.Unlock()
		<-known.done
		if value, is := known.value.(T); is && known.err == nil {
			return value, nil
		}
	}
}

func loadFor[T any](s *Sight, key any, own *load, read func() (T, error)) (T, error) {
	defer func() {
		if own.err != nil {
			s.mu.Lock()
			delete(s.loads, key)
			s.mu.Unlock()
		}
		close(own.done)
	}()
	value, err := read()
	own.value, own.err = value, err
	return value, err
}

// Following is what the engine and the resolver of a subscription that follows the change log tell each other.
//
// A subscription is started first with From nil: its resolver then says by Begin what it follows and from where, and
// ends its channel without an answer. From then on the engine starts it anew whenever there is something to answer,
// with From set: its resolver answers what was changed after From, in order, says by Reach how far it came, and ends.
// So nothing of a subscription runs while nothing is changed, and those who ask the same are answered together.
type Following struct {
	// From is the place to go on from, and Seen what was read of the log from there or before; nil when nothing was.
	From *int64
	Seen *Sight

	mu      sync.Mutex
	begun   *Followed
	answers []answered
	reached int64
	whole   bool
}

// Followed is what a subscription follows.
type Followed struct {
	Log   Log
	User  model.UserID
	Types []model.ChangeType // none stands for all
	// Place is the number of the change after which it begins, and Head that of a later one, or the same, which was the
	// last of the log at a moment since.
	Place, Head int64
}

type answered struct {
	cursor string
	place  int64
}

// Begin says what is followed.
func (f *Following) Begin(followed Followed) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.begun = &followed
}

// Begun returns what is followed; nil when the subscription does not follow the log.
func (f *Following) Begun() *Followed {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.begun
}

// Push adds the place of the next answer, and its name for transports that can resume.
func (f *Following) Push(cursor string, place int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answers = append(f.answers, answered{cursor: cursor, place: place})
}

// Take returns what was pushed for the answer at hand; "" when the resolver pushed nothing.
func (f *Following) Take() (cursor string, place int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.answers) == 0 {
		return "", 0
	}
	first := f.answers[0]
	f.answers = f.answers[1:]
	return first.cursor, first.place
}

// Reach says that everything up to a place has been answered, and the resolver ends for that reason.
func (f *Following) Reach(place int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reached, f.whole = place, true
}

// Reached returns the place; whole is false when the resolver has ended for another reason.
func (f *Following) Reached() (place int64, whole bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.reached, f.whole
}

type followingKey struct{}

// WithFollowing returns a context for one start of a subscription.
func WithFollowing(ctx context.Context, f *Following) context.Context {
	return context.WithValue(ctx, followingKey{}, f)
}

// FollowingFrom returns the context's Following, nil outside of a subscription.
func FollowingFrom(ctx context.Context) *Following {
	f, _ := ctx.Value(followingKey{}).(*Following)
	return f
}

type hintsKey struct{}

// WithHints says from which hints the context's viewer was made. What is answered to one user, with the same rights and
// the same hints, is the same.
func WithHints(ctx context.Context, hints Hints) context.Context {
	return context.WithValue(ctx, hintsKey{}, hints)
}

// HintsOf returns the hints of the context's viewer; false when nobody has said them.
func HintsOf(ctx context.Context) (Hints, bool) {
	hints, ok := ctx.Value(hintsKey{}).(Hints)
	return hints, ok
}

// errNotLoaded stands until a load has ended; it stays when the load panics.
var errNotLoaded = errors.New("the load did not end")
