package outbox_test

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"almanac/adapters/gmail"
	"almanac/adapters/store"
	"almanac/adapters/store/sqlite"
	"almanac/graph/model"
)

// harm is what happens to a call of the outbox.
type harm int

const (
	none harm = iota
	// refused: it fails, and everybody knows that nothing was done.
	refused
	// lostBefore and lostAfter: it fails, and nobody knows whether it was done; it was not, or was.
	lostBefore
	lostAfter
	// late: it fails like lostBefore, and is done all the same, some calls later.
	late
	// crashBefore and crashAfter: the process dies before it or after it.
	crashBefore
	crashAfter
	harms
)

func (w harm) String() string {
	return [...]string{"none", "refused", "lost before", "lost after", "late", "crash before", "crash after"}[w]
}

// errCrash is what a process dies of.
var errCrash = errors.New("the process has died")

// trouble decides what happens to each call of a process; calls are counted from 0.
type trouble struct {
	mu    sync.Mutex
	calls []string
	// at says what happens to a call; nil: nothing does.
	at func(call int, name string) harm
	// before is called before a call is made.
	before func(call int, name string)
	// due are calls that are done late, by the number of the call before which they are.
	due map[int]func()
}

func (t *trouble) next(name string) (call int, h harm) {
	t.mu.Lock()
	call = len(t.calls)
	t.calls = append(t.calls, name)
	due, before := t.due[call], t.before
	delete(t.due, call)
	if t.at != nil {
		h = t.at(call, name)
	}
	t.mu.Unlock()
	if due != nil {
		due()
	}
	if before != nil {
		before(call, name)
	}
	return call, h
}

// finish does what was to be done late.
func (t *trouble) finish() {
	t.mu.Lock()
	due := t.due
	t.due = nil
	t.mu.Unlock()
	for _, do := range due {
		do()
	}
}

// names are the calls so far.
func (t *trouble) names() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]string(nil), t.calls...)
}

// meet makes a call with what happens to it.
func (t *trouble) meet(name string, lost error, do func() error) error {
	call, h := t.next(name)
	switch h {
	case refused:
		return model.Errorf(model.CodeUpstreamUnavailable, "refused: %s", name)
	case lostBefore:
		return lost
	case lostAfter:
		_ = do()
		return lost
	case late:
		t.mu.Lock()
		if t.due == nil {
			t.due = map[int]func(){}
		}
		t.due[call+3] = func() { _ = do() }
		t.mu.Unlock()
		return lost
	case crashBefore:
		panic(errCrash)
	case crashAfter:
		_ = do()
		panic(errCrash)
	}
	return do()
}

// survive runs what may die.
func survive(do func()) (died bool) {
	defer func() {
		if r := recover(); r != nil {
			if err, ok := r.(error); !ok || !errors.Is(err, errCrash) {
				panic(r)
			}
			died = true
		}
	}()
	do()
	return false
}

// errLost is what a store says whose answer is lost.
var errLost = errors.New("the connection to the store was lost")

type shakyStore struct {
	*sqlite.Store
	t *trouble
}

func (s *shakyStore) Write(ctx context.Context, user model.UserID, fn func(context.Context, store.Tx) error) error {
	ctx = context.WithoutCancel(ctx) // of calls that are done late
	return s.t.meet("write", errLost, func() error { return s.Store.Write(ctx, user, fn) })
}

func (s *shakyStore) Outgoing(ctx context.Context, user model.UserID,
	id model.UUID) (mail model.OutgoingEmail, err error) {
	err = s.t.meet("read", errLost, func() error {
		mail, err = s.Store.Outgoing(ctx, user, id)
		return err
	})
	return mail, err
}

func (s *shakyStore) Connections(ctx context.Context, user model.UserID) (all []model.Connection, err error) {
	err = s.t.meet("connections", errLost, func() error {
		all, err = s.Store.Connections(ctx, user)
		return err
	})
	return all, err
}

type shakyMail struct {
	client *gmail.Client
	t      *trouble
}

// unknown is what the adapter says after an answer was lost.
func unknown() error {
	return &model.Error{Code: model.CodeUpstreamUnavailable, Message: "Google does not answer.",
		Cause: fmt.Errorf("%w: broken", gmail.ErrUnknownOutcome)}
}

func (s *shakyMail) CreateDraft(ctx context.Context, c model.Connection,
	mail gmail.Outgoing) (draft gmail.Draft, err error) {
	ctx = context.WithoutCancel(ctx)
	err = s.t.meet("create", unknown(), func() error {
		draft, err = s.client.CreateDraft(ctx, c, mail)
		return err
	})
	if err != nil {
		draft = gmail.Draft{}
	}
	return draft, err
}

func (s *shakyMail) SendDraft(ctx context.Context, c model.Connection, draft string) (sent gmail.Sent, err error) {
	ctx = context.WithoutCancel(ctx)
	err = s.t.meet("send", unknown(), func() error {
		sent, err = s.client.SendDraft(ctx, c, draft)
		return err
	})
	if err != nil {
		sent = gmail.Sent{}
	}
	return sent, err
}

func (s *shakyMail) DraftState(ctx context.Context, c model.Connection,
	draft string) (state gmail.DraftState, err error) {
	err = s.t.meet("state", unknown(), func() error {
		state, err = s.client.DraftState(ctx, c, draft)
		return err
	})
	return state, err
}

func (s *shakyMail) DeleteDraft(ctx context.Context, c model.Connection, draft string) error {
	ctx = context.WithoutCancel(ctx)
	return s.t.meet("delete", unknown(), func() error { return s.client.DeleteDraft(ctx, c, draft) })
}

func (s *shakyMail) Thread(ctx context.Context, c model.Connection, thread string,
	depth gmail.Depth) (emails []model.Email, err error) {
	err = s.t.meet("thread", unknown(), func() error {
		emails, err = s.client.Thread(ctx, c, thread, depth)
		return err
	})
	return emails, err
}
