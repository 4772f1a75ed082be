package resolvers_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// memoryWorld is what is there before: a note of two versions, a contact, a key-value.
const memoryWorld = `mutation {
	a: storeMemory(input: { content: "One", tags: ["x"] }) { memory { id } }
	b: updateMemory(input: { id: "ONE", set: { content: "One, changed" } }) { memory { id } userErrors { code } }
	c: storeMemory(input: { type: CONTACT, content: "Jones - Phone: 050-1111111", metadata: { name: "Jones" } }) { memory { id } }
	d: storeMemory(input: { type: KV, content: "pin: 1", metadata: { subject: "pin" } }) { memory { id } } }`

// remoteMemoryMutations are those of memories that are claimed.
var remoteMemoryMutations = map[string]string{
	"stored":      `storeMemory(input: { content: "New", expiresAt: "2026-11-22T09:00" }) { memory { id content version itemContext { isNew } history { version } } overridden context { isNew isOverride } userErrors { code message } }`,
	"kept both":   `storeMemory(input: { type: KV, content: "pin: 2", metadata: { subject: "pin" }, onConflict: KEEP_BOTH }) { memory { id content itemContext { isNew } } overridden userErrors { code } }`,
	"overridden":  `storeMemory(input: { type: CONTACT, content: "Jones - Phone: 050-2222222", metadata: { name: "Jones" }, onConflict: OVERRIDE }) { memory { id content version history { version content } } overridden context { isNew isOverride } userErrors { code message } }`,
	"known":       `storeMemory(input: { content: "One, changed", tags: ["X"] }) { memory { id version itemContext { isNew } } overridden context { isNew isOverride } userErrors { code } }`,
	"many":        `storeMemories(input: { onConflict: OVERRIDE, memories: [{ content: "New" }, { type: KV, content: "pin: 3", metadata: { subject: "pin" } }, { content: "One, changed", tags: ["x"] }, { content: " " }] }) { created overridden unchanged memories { id content version itemContext { isNew } } errors { index code message } context { isNew isOverride } }`,
	"updated":     `updateMemory(input: { id: "ONE", ifVersion: "2", set: { content: "One, changed again" } }) { memory { id content version history { version content } } context { isNew } userErrors { code message } }`,
	"updated not": `updateMemory(input: { id: "ONE", set: { tags: ["x"] } }) { memory { id content version } userErrors { code message } }`,
	"restored":    `restoreMemory(input: { id: "ONE", version: "1", ifVersion: "2" }) { memory { id content version history { version content reason } } userErrors { code message } }`,
	"imported":    `importMemories(input: { jsonLines: "{\"content\":\"New\",\"version\":2,\"history\":[{\"version\":1,\"content\":\"Old\",\"writtenAt\":\"2020-01-01T00:00:00Z\",\"replacedAt\":\"2020-01-02T00:00:00Z\",\"reason\":\"UPDATED\"}]}\n{\"id\":\"ONE\",\"content\":\"One, imported\"}\n{\"content\":\"pin: 1\",\"type\":\"KV\",\"metadata\":{\"subject\":\"pin\"}}\nnonsense" }) { created updated unchanged errors { index code } context { isNew } userErrors { code } }`,
	"two fields":  `storeMemory(input: { content: "First" }) { memory { id } } second: storeMemory(input: { content: "Second" }) { memory { id } userErrors { code } }`,
}

var memoryID = regexp.MustCompile(`memory_[0-9a-z]{26}`)

// settleMemories makes the world and gives the id of its note.
func settleMemories(t *testing.T, h *harness) string {
	t.Helper()
	first, rest, _ := strings.Cut(memoryWorld, "\n\tb:")
	one := memoryID.FindString(string(h.say(t, "alice", nil, first+" }", nil)))
	if answer := string(h.say(t, "alice", nil, "mutation { b:"+strings.ReplaceAll(rest, "ONE", one), nil)); one == "" ||
		strings.Contains(answer, `"errors"`) || strings.Contains(answer, `"code"`) {
		t.Fatal(answer)
	}
	return one
}

// memoryState is all that there is of memories, with the log; ids have the names of their order.
func memoryState(t *testing.T, h *harness) string {
	t.Helper()
	return newNames().short(string(h.say(t, "alice", nil,
		`{ memories(orderBy: { direction: ASC }) { totalCount nodes { content summary tags version history { version content reason } embedding { state } } }
		changes { nodes { type operation id: nodeId } } }`, nil)))
}

// A mutation whose answer was lost, and that is sent again under its Idempotency-Key, answers as it did and changes
// nothing more, though time has passed and others have changed what it looked at.
func TestARepetitionOfMemoriesDoesNothingMore(t *testing.T) {
	t.Parallel()
	for name, mutation := range remoteMemoryMutations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := harnesses()[0].build(t, start)
			one := settleMemories(t, h)
			document := "mutation { m: " + strings.ReplaceAll(mutation, "ONE", one) + " }"
			notes := &heldNotes{held: map[string][]byte{}}
			h.notes = notes
			first := string(h.say(t, "alice", nil, document, nil))
			if strings.Contains(first, `"errors":[{"message`) || strings.Contains(first, `"userErrors":[{`) {
				t.Fatalf("the first try failed: %s", first)
			}
			before := memoryState(t, h)
			h.clock.Advance(30 * time.Minute)
			second := string(h.say(t, "alice", nil, document, nil))
			if a, b := changing.ReplaceAllString(first, ""), changing.ReplaceAllString(second, ""); a != b {
				t.Errorf("the repetition answers otherwise\n first %s\nsecond %s", a, b)
			}
			if now := memoryState(t, h); now != before {
				t.Errorf("the repetition changed something\n was %s\n is %s", before, now)
			}

			// Another client sets everything anew: the repetition does not set it back.
			h.notes = nil
			for _, id := range memoryID.FindAllString(string(h.say(t, "alice", nil, `{ memories { nodes { id } } }`, nil)), -1) {
				h.say(t, "alice", nil, `mutation { updateMemory(input: { id: "`+id+`", set: { content: "set anew `+id[len(id)-3:]+
					`" } }) { memory { id } } }`, nil)
			}
			before = memoryState(t, h)
			h.notes = notes
			h.clock.Advance(2 * time.Hour) // what expires has expired
			h.say(t, "alice", nil, document, nil)
			h.clock.Advance(-2 * time.Hour)
			if now := memoryState(t, h); now != before {
				t.Errorf("the repetition changed what others had set\n was %s\n is %s", before, now)
			}
		})
	}
}

// dyingStore is a store whose process dies at the n-th call that matters: before it is carried out, or just after. From
// then on it is dead.
type dyingStore struct {
	store.Store
	mu    sync.Mutex
	left  int
	after bool
	dead  bool
	calls int
}

// reach tells whether the call is carried out, and whether its answer arrives.
func (s *dyingStore) reach() (carriedOut, heard bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dead {
		return false, false
	}
	s.calls++
	if s.left--; s.left != 0 {
		return true, true
	}
	s.dead = true
	return s.after, false
}

// dieAt sets the call to die at; 0 heals.
func (s *dyingStore) dieAt(n int, after bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left, s.after, s.dead, s.calls = n, after, false, 0
}

func dying[T any](s *dyingStore, call func() (T, error)) (T, error) {
	var none T
	carriedOut, heard := s.reach()
	if !carriedOut {
		return none, store.ErrUnavailable
	}
	out, err := call()
	if !heard {
		return none, store.ErrOutcomeUnknown
	}
	return out, err
}

func (s *dyingStore) Write(ctx context.Context, user model.UserID, fn func(context.Context, store.Tx) error) error {
	_, err := dying(s, func() (struct{}, error) { return struct{}{}, s.Store.Write(ctx, user, fn) })
	return err
}

func (s *dyingStore) Claim(ctx context.Context, user model.UserID, call model.IdempotentCall, now time.Time,
	lease time.Duration) (store.Claim, error) {
	return dying(s, func() (store.Claim, error) { return s.Store.Claim(ctx, user, call, now, lease) })
}

func (s *dyingStore) Note(ctx context.Context, user model.UserID, claim store.Claim, notes []byte) error {
	_, err := dying(s, func() (struct{}, error) { return struct{}{}, s.Store.Note(ctx, user, claim, notes) })
	return err
}

func (s *dyingStore) Settle(ctx context.Context, user model.UserID, claim store.Claim, answer []byte) error {
	_, err := dying(s, func() (struct{}, error) { return struct{}{}, s.Store.Settle(ctx, user, claim, answer) })
	return err
}

func (s *dyingStore) Release(ctx context.Context, user model.UserID, claim store.Claim) error {
	_, err := dying(s, func() (struct{}, error) { return struct{}{}, s.Store.Release(ctx, user, claim) })
	return err
}

// Wherever the server dies, before a call to its store or just after, a repetition under the same key leaves what one
// try without a mishap leaves, and answers the same.
func TestMemoriesAreKeptOnceThoughTheServerDies(t *testing.T) {
	t.Parallel()
	for i, kind := range harnesses() {
		for name, mutation := range remoteMemoryMutations {
			if i > 0 && name != "many" && name != "two fields" {
				continue // each takes a database of its own
			}
			t.Run(kind.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				dying := &dyingStore{}
				kind := kind
				open := kind.open
				kind.open = func(t *testing.T, now func() time.Time, note func(string)) store.Store {
					dying.Store = open(t, now, note)
					return dying
				}
				h := kind.build(t, start)
				run := func(user string, n int, after bool) (answer, state string, calls int) {
					t.Helper()
					first, rest, _ := strings.Cut(memoryWorld, "\n\tb:")
					one := memoryID.FindString(string(h.say(t, user, nil, first+" }", nil)))
					h.say(t, user, nil, "mutation { b:"+strings.ReplaceAll(rest, "ONE", one), nil)
					document := "mutation { m: " + strings.ReplaceAll(mutation, "ONE", one) + " }"
					key := map[string]string{"Idempotency-Key": "k"}
					dying.dieAt(n, after)
					h.say(t, user, key, document, nil)
					calls = dying.calls
					dying.dieAt(0, false)
					h.clock.Advance(2 * time.Minute) // the lease of the dead has ended
					names := newNames()
					answer = names.short(string(h.say(t, user, key, document, nil)))
					state = string(h.say(t, user, nil,
						`{ memories(orderBy: { direction: ASC }) { totalCount nodes { content summary tags version history { version content reason } embedding { state } } }
						changes { nodes { type operation id: nodeId } } }`, nil))
					return changing.ReplaceAllString(answer, ""), newNames().short(state), calls
				}
				wantAnswer, wantState, calls := run("nobody-dies", 0, false)
				if calls < 3 {
					t.Fatalf("only %d calls", calls)
				}
				for n := 1; n <= calls; n++ {
					for _, after := range []bool{false, true} {
						answer, state, _ := run(fmt.Sprintf("dies-%d-%t", n, after), n, after)
						if answer != wantAnswer {
							t.Errorf("died at call %d (after it: %t): the repetition answers\n %s\nwant\n %s", n, after, answer, wantAnswer)
						}
						if state != wantState {
							t.Errorf("died at call %d (after it: %t): there is\n %s\nwant\n %s", n, after, state, wantState)
						}
					}
				}
			})
		}
	}
}

// Of many who store the same at once, each under a key of its own or under none, one makes a memory.
func TestTheSameStoredByManyIsOneMemory(t *testing.T) {
	for _, kind := range harnesses() {
		t.Run(kind.name, func(t *testing.T) {
			h := kind.build(t, start)
			var group sync.WaitGroup
			for i := range 24 {
				group.Go(func() {
					header := map[string]string{}
					if i%2 == 0 {
						header["Idempotency-Key"] = fmt.Sprint(i)
					}
					answer := string(h.say(t, "alice", header,
						`mutation { storeMemory(input: { content: "the same", tags: ["t"] }) { memory { id } confirmation { kind } userErrors { code } } }`, nil))
					if !strings.Contains(answer, `"userErrors":[]`) || !strings.Contains(answer, `"confirmation":null`) {
						t.Error(answer)
					}
				})
			}
			group.Wait()
			answer := string(h.say(t, "alice", nil,
				`{ memories { totalCount nodes { version } } changes(types: MEMORY) { nodes { operation } } }`, nil))
			if !strings.Contains(answer, `{"totalCount":1,"nodes":[{"version":"1"}]}`) || strings.Count(answer, "CREATED") != 1 {
				t.Error(answer)
			}
		})
	}
}

// rollingBack is a store whose transactions are rolled back at their end while it is told to: what they noted
// meanwhile, others have seen.
type rollingBack struct {
	store.Store
	now bool
}

func (s *rollingBack) Write(ctx context.Context, user model.UserID, fn func(context.Context, store.Tx) error) error {
	return s.Store.Write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		if err := fn(ctx, tx); err != nil || !s.now {
			return err
		}
		return store.ErrUnavailable
	})
}

// A note alone does not pass for the deed: it may have come through where its transaction did not.
func TestANoteIsNotTheDeed(t *testing.T) {
	t.Parallel()
	for name, mutation := range remoteMemoryMutations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			failing := &rollingBack{}
			kind := harnesses()[0]
			open := kind.open
			kind.open = func(t *testing.T, now func() time.Time, note func(string)) store.Store {
				failing.Store = open(t, now, note)
				return failing
			}
			h := kind.build(t, start)
			one := settleMemories(t, h)
			document := "mutation { m: " + strings.ReplaceAll(mutation, "ONE", one) + " }"
			before := memoryState(t, h)
			h.notes = &heldNotes{held: map[string][]byte{}}
			for range 3 {
				failing.now = true
				if answer := string(h.say(t, "alice", nil, document, nil)); !strings.Contains(answer, "UPSTREAM_UNAVAILABLE") {
					t.Fatalf("it went through: %s", answer)
				}
			}
			if now := memoryState(t, h); now != before {
				t.Errorf("what was rolled back left\n %s", now)
			}
			failing.now = false
			first := string(h.say(t, "alice", nil, document, nil))
			if strings.Contains(first, `"errors":[{"message`) || strings.Contains(first, `"userErrors":[{`) {
				t.Errorf("once the store is well: %s", first)
			}
			done := memoryState(t, h)
			if second := string(h.say(t, "alice", nil, document, nil)); changing.ReplaceAllString(second,
				"") != changing.ReplaceAllString(first, "") || memoryState(t, h) != done {
				t.Errorf("the repetition answers %s\nafter %s", second, first)
			}
		})
	}
}
