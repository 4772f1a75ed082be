package engine_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"almanac/graph/model"
	"almanac/internal/httpapi/engine"
)

// byHash is the extension by which clients name a document.
func byHash(query string) map[string]any {
	sum := sha256.Sum256([]byte(query))
	return map[string]any{"persistedQuery": map[string]any{"version": json.Number("1"),
		"sha256Hash": hex.EncodeToString(sum[:])}}
}

// of is a context of a user who may do everything.
func of(user string) context.Context {
	return model.WithCaller(context.Background(), model.Caller{UserID: model.UserIDOf(user), Subject: user,
		Scopes: []model.Scope{model.ScopeRead, model.ScopeWrite}})
}

func unknown(errs gqlerror.List) bool {
	return len(errs) == 1 && errs[0].Message == "PersistedQueryNotFound" &&
		codeOf(errs) == model.CodePersistedQueryNotFound
}

// A document is asked for once, whole, and runs by its hash from then on, for everybody, with their own rights.
func TestPersistedQueries(t *testing.T) {
	s := newServer(t, nil)
	const query = "{hello}"
	if _, errs := s.Prepare(everything(), engine.Request{Extensions: byHash(query)}); !unknown(errs) {
		t.Fatalf("before it was ever sent: %s", show(errs))
	}
	if _, errs := s.Prepare(everything(), engine.Request{Query: query, Extensions: byHash(query)}); len(errs) > 0 {
		t.Fatalf("whole: %s", show(errs))
	}
	for _, ctx := range []context.Context{everything(), of("somebody else"), asCaller(model.ScopeRead)} {
		op, errs := s.Prepare(ctx, engine.Request{Extensions: byHash(query)})
		if len(errs) > 0 {
			t.Fatalf("by its hash: %s", show(errs))
		}
		if answer := op.Execute(ctx); len(answer.Errors) > 0 || !strings.Contains(string(answer.Data), `"hello":`) {
			t.Errorf("%s %s", answer.Data, show(answer.Errors))
		}
	}
	if _, errs := s.Prepare(asCaller(model.ScopeWrite), engine.Request{Extensions: byHash(query)}); codeOf(errs) !=
		model.CodeForbidden {
		t.Errorf("without the scope: %s", show(errs))
	}
	if _, errs := s.Prepare(context.Background(), engine.Request{Extensions: byHash(query)}); codeOf(errs) !=
		model.CodeUnauthenticated {
		t.Errorf("a stranger: %s", show(errs))
	}
}

// What is refused is not kept, and what says something else than it sends is refused.
func TestPersistedQueriesThatAreRefused(t *testing.T) {
	s := newServer(t, nil)
	for _, query := range []string{"{", "{nothing}", nested(16)} {
		if _, errs := s.Prepare(everything(), engine.Request{Query: query, Extensions: byHash(query)}); len(errs) == 0 {
			t.Errorf("%s is admitted", query)
		}
		if _, errs := s.Prepare(everything(), engine.Request{Extensions: byHash(query)}); !unknown(errs) {
			t.Errorf("%s was kept: %s", query, show(errs))
		}
	}
	good := byHash("{hello}")["persistedQuery"].(map[string]any)["sha256Hash"]
	for name, extension := range map[string]any{
		"a text": "x", "a list": []any{}, "no version": map[string]any{"sha256Hash": good},
		"another version": map[string]any{"version": json.Number("2"), "sha256Hash": good},
		"no hash":         map[string]any{"version": json.Number("1")},
		"a short hash":    map[string]any{"version": json.Number("1"), "sha256Hash": "abcd"},
		"no digits":       map[string]any{"version": json.Number("1"), "sha256Hash": strings.Repeat("x", 64)},
		"another's hash":  byHash("{hello hello}")["persistedQuery"],
	} {
		_, errs := s.Prepare(everything(),
			engine.Request{Query: "{hello}", Extensions: map[string]any{"persistedQuery": extension}})
		if codeOf(errs) != model.CodeBadUserInput || !strings.Contains(errs[0].Message, "persistedQuery") {
			t.Errorf("%s: %s", name, show(errs))
		}
	}
	for _, extensions := range []map[string]any{nil, {}, {"persistedQuery": nil}, {"other": "x"}} {
		if _, errs := s.Prepare(everything(), engine.Request{Extensions: extensions}); codeOf(errs) !=
			model.CodeBadUserInput {
			t.Errorf("%v: %s", extensions, show(errs))
		}
	}
}

// The documents of one user take a share; they drive out their own before those of others, the oldest first.
func TestPersistedQueriesAreBounded(t *testing.T) {
	const bound = 64 << 10
	s := newServer(t, func(cfg *engine.Config) { cfg.Limits.PersistedBytes = bound })
	send := func(user, query string) {
		t.Helper()
		if _, errs := s.Prepare(of(user), engine.Request{Query: query, Extensions: byHash(query)}); len(errs) > 0 {
			t.Fatal(show(errs))
		}
	}
	kept := func(query string) bool {
		_, errs := s.Prepare(everything(), engine.Request{Extensions: byHash(query)})
		return !unknown(errs)
	}
	numbered := func(user string, i int) string {
		return fmt.Sprintf("query %s%d{hello(name:%q)}", user, i, strings.Repeat("x", 500))
	}
	send("alice", numbered("alice", 0))
	for i := range 500 {
		send("bob", numbered("bob", i))
		if used, share := s.PersistedBytes(model.UserIDOf("bob")); used > bound || share > bound/16 {
			t.Fatalf("%d bytes, %d of them bob's", used, share)
		}
	}
	if !kept(numbered("alice", 0)) || !kept(numbered("bob", 499)) || kept(numbered("bob", 0)) {
		t.Error("a flood of one user's documents drove out another's, or not his own")
	}
	for i := range 40 {
		send(fmt.Sprint("user", i), numbered(fmt.Sprint("user", i), 0))
		send(fmt.Sprint("user", i), numbered(fmt.Sprint("user", i), 1))
		send(fmt.Sprint("user", i), numbered(fmt.Sprint("user", i), 2))
	}
	if used, _ := s.PersistedBytes(model.UserIDOf("bob")); used > bound {
		t.Errorf("%d bytes", used)
	}
	large := "{hello(name:\"" + strings.Repeat("x", bound/16) + "\")}"
	send("carol", large)
	if kept(large) {
		t.Error("a document larger than a share is kept")
	}
}

// Where all shares together are full, room is made among those who have much: who has little keeps it.
func TestUsersWithFewPersistedQueriesKeepThem(t *testing.T) {
	const bound = 64 << 10
	s := newServer(t, func(cfg *engine.Config) { cfg.Limits.PersistedBytes = bound })
	send := func(user string, i int) string {
		t.Helper()
		query := fmt.Sprintf("query %s_%d{hello(name:%q)}", user, i, strings.Repeat("x", 500))
		if _, errs := s.Prepare(of(user), engine.Request{Query: query, Extensions: byHash(query)}); len(errs) > 0 {
			t.Fatal(show(errs))
		}
		return query
	}
	few := send("carol", 0)
	for i := range 10 {
		for user := range 40 {
			send(fmt.Sprint("user", user), i)
		}
	}
	if _, errs := s.Prepare(everything(), engine.Request{Extensions: byHash(few)}); unknown(errs) {
		t.Error("forty users with many documents have driven out the only one of another")
	}
	if used, _ := s.PersistedBytes(model.UserIDOf("carol")); used > bound || used < bound*9/10 {
		t.Errorf("%d bytes are kept", used)
	}
}
