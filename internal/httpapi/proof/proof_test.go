package proof_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"almanac/graph/model"
	"almanac/internal/httpapi/proof"
)

// tokens proves whom the test says.
type tokens struct {
	mu     sync.Mutex
	caller model.Caller
	err    error
	looks  int
}

func (a *tokens) Authenticate(context.Context, string) (model.Caller, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.looks++
	return a.caller, a.err
}

func (a *tokens) set(caller model.Caller, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.caller, a.err, a.looks = caller, err, 0
}

func (a *tokens) looked() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.looks
}

func phone() model.Caller {
	return model.Caller{UserID: model.UserID{1}, Token: "phone", Scopes: []model.Scope{model.ScopeRead}}
}

// One look serves all who are given one answer, and never an answer that was made after it, nor one that went out late.
func TestOneLookForAnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &tokens{caller: phone()}
		c := proof.New(a)
		ask := func(answer *graphql.Response) bool {
			t.Helper()
			holds, err := c.Check(t.Context(), "text", phone(), answer)
			if err != nil {
				t.Error(err)
			}
			return holds
		}
		first, second := &graphql.Response{}, &graphql.Response{}
		var group sync.WaitGroup
		for range 1_000 {
			group.Go(func() {
				if !ask(first) {
					t.Error("refused")
				}
			})
		}
		group.Wait()
		if n := a.looked(); n != 1 {
			t.Errorf("%d looks for one answer", n)
		}
		refused := model.Errorf(model.CodeUnauthenticated, "revoked")
		a.set(model.Caller{}, refused)
		if ask(second) {
			t.Error("an answer that was made after the revocation goes out")
		}
		a.set(phone(), nil)
		third := &graphql.Response{}
		ask(third)
		a.set(model.Caller{}, refused)
		time.Sleep(time.Second)
		if ask(third) {
			t.Error("an answer that waited goes out after the revocation")
		}
	})
}

func TestCheck(t *testing.T) {
	less, other := phone(), phone()
	less.Scopes, other.UserID = nil, model.UserID{2}
	for name, c := range map[string]struct {
		caller model.Caller
		err    error
		holds  bool
	}{
		"the same":     {phone(), nil, true},
		"other rights": {less, nil, false},
		"other user":   {other, nil, false},
		"forbidden":    {model.Caller{}, model.Errorf(model.CodeForbidden, "no"), false},
	} {
		a := &tokens{caller: c.caller, err: c.err}
		if holds, err := proof.New(a).Check(t.Context(), "text", phone(), &graphql.Response{}); holds != c.holds ||
			err != nil {
			t.Errorf("%s: %v, %v", name, holds, err)
		}
	}
}

// What cannot be looked at is looked at again, until it can be or nobody waits any more; a proof that cannot be revoked
// is not looked at.
func TestATokenThatCannotBeLookedAt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &tokens{err: errors.New("no route to host")}
		c := proof.New(a)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if holds, err := c.Check(ctx, "text", phone(), &graphql.Response{}); holds ||
			!errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v, %v", holds, err)
		}
		time.AfterFunc(5*time.Second, func() { a.set(phone(), nil) })
		if holds, err := c.Check(t.Context(), "text", phone(), &graphql.Response{}); !holds || err != nil {
			t.Errorf("%v, %v", holds, err)
		}
		a.set(model.Caller{}, errors.New("nobody asks"))
		if holds, err := c.Check(t.Context(), "text", model.Caller{Subject: "noa"}, nil); !holds || err != nil ||
			a.looked() != 0 {
			t.Errorf("%v, %v, %d looks", holds, err, a.looked())
		}
	})
}
