package storetest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/memo"
	"almanac/projections/vector"
)

func testMemoryErasure(t *testing.T, open Open) {
	h := newFixture(t, open)
	for what, erase := range map[string]func(h *fixture, m model.Memory){
		"deleting": func(h *fixture, m model.Memory) { h.forget(m.ID) },
		"expiry": func(h *fixture, m model.Memory) {
			m.ExpiresAt, m.Version = h.clock.Now(), m.Version+1
			h.revise(m, model.MemoryUpdated)
			if n, err := h.ExpireMemories(h.ctx, h.clock.Now(), 100); n != 1 || err != nil {
				h.Fatalf("ExpireMemories: %d, %v", n, err)
			}
		},
	} {
		t.Run("answers that tell of it, by "+what, func(t *testing.T) { erasedAnswers(h.in(t).as("erased by "+what), erase) })
	}
	t.Run("the answer of the deletion itself", func(t *testing.T) { erasedOwnAnswer(h.in(t)) })
	t.Run("another user's answers", func(t *testing.T) { erasedOthersAnswers(h.in(t)) })
	t.Run("rolled back", func(t *testing.T) { erasedRolledBack(h.in(t)) })
	t.Run("for as long as the record would have been kept", func(t *testing.T) { erasedUntil(h.in(t)) })
}

func publicID(id model.UUID) string { return model.ID{Kind: model.KindMemory, UUID: id}.String() }

// answered records an answer, by Once or by a claim.
func (h *fixture) answered(c model.IdempotentCall, claimed bool, answer string) {
	h.Helper()
	if claimed {
		h.settle(h.takes(c), answer)
		return
	}
	h.same("recording", h.once(c, func(context.Context) ([]byte, error) { return []byte(answer), nil }),
		answer+" replayed=false")
}

// replays shows what comes to whoever uses the key again, both ways.
func (h *fixture) replays(c model.IdempotentCall) string {
	h.Helper()
	once := h.once(c, h.mustNotRun)
	claim, err := h.Claim(h.ctx, h.user, c, h.clock.Now(), lease)
	claimed := string(claim.Answer) + " replayed=true"
	if err != nil {
		claimed = "error " + string(model.CodeOf(err))
	} else if claim.State != store.ClaimSettled {
		claimed = fmt.Sprintf("a claim in state %v", claim.State)
	}
	if once != claimed {
		return fmt.Sprintf("Once gives %q, Claim %q", once, claimed)
	}
	return once
}

const erasedCode = "error CONFLICT"

func erasedAnswers(h *fixture, erase func(h *fixture, m model.Memory)) {
	m, other := h.memory("to be erased"), h.memory("to be kept")
	h.remember(m, other)
	answer := func(ids ...model.UUID) string {
		var texts []string
		for _, id := range ids {
			texts = append(texts, fmt.Sprintf(`{"id":%q,"content":"secret"}`, publicID(id)))
		}
		return `{"data":[` + strings.Join(texts, ",") + `]}`
	}
	cases := []struct {
		key    string
		answer string
		gone   bool
	}{
		{"of it", answer(m.ID), true}, {"of both", answer(other.ID, m.ID), true}, {"nothing but the id", publicID(m.ID),
			true}, {"bytes around it", "\x00\xff" + publicID(m.ID) + "\xff\x00", true},
		{"of the other", answer(other.ID), false}, {"of a task with the same id",
			model.ID{Kind: model.KindTask, UUID: m.ID}.String(), false}, {"empty", "", false},
		{"a long one", strings.Repeat("x", 300_000) + answer(m.ID), true},
	}
	for _, c := range cases {
		for n, claimed := range []bool{false, true} {
			h.answered(call(fmt.Sprint(c.key, n), 1), claimed, c.answer)
		}
	}
	held := h.takes(call("still held", 1))
	erase(h, m)
	for _, c := range cases {
		want := c.answer + " replayed=true"
		if c.gone {
			want = erasedCode
		}
		for n := range 2 {
			for range 2 {
				if got := h.replays(call(fmt.Sprint(c.key, n), 1)); got != want {
					h.Errorf("%s: %.200s, want %.200s", c.key, got, want)
				}
			}
		}
	}
	_, _, err := h.Once(h.ctx, h.user, call("of it0", 1), h.mustNotRun)
	if err != nil && (strings.Contains(err.Error(), publicID(m.ID)) || strings.Contains(err.Error(), "secret")) {
		h.Errorf("the error tells of what was erased: %v", err)
	}
	// A call that is under way is not concerned: what it will tell, it tells afterwards.
	h.settle(held, answer(m.ID))
	h.same("settled afterwards", h.replays(call("still held", 1)), answer(m.ID)+" replayed=true")
}

// erasedOwnAnswer: the call that deletes answers with ids too, and a retry of it must be told the same; also after
// others tried to delete again.
func erasedOwnAnswer(h *fixture) {
	m := h.memory("deleted by a call")
	h.remember(m)
	answer := `{"deleted":["` + publicID(m.ID) + `"]}`
	got := h.once(call("delete it", 1), func(ctx context.Context) ([]byte, error) {
		err := h.Write(ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			_, err := tx.DeleteMemories(ctx, []model.UUID{m.ID})
			return err
		})
		return []byte(answer), err
	})
	h.same("the call", got, answer+" replayed=false")
	h.same("a retry", h.replays(call("delete it", 1)), answer+" replayed=true")
	h.same("deleting what is gone", len(h.forget(m.ID)), 0)
	h.same("a retry after that", h.replays(call("delete it", 1)), answer+" replayed=true")
}

func erasedOthersAnswers(h *fixture) {
	other := h.as("has the same id")
	m := h.memory("mine")
	h.remember(m)
	other.remember(m)
	other.answered(call("theirs", 1), false, publicID(m.ID))
	other.answered(call("theirs, claimed", 1), true, publicID(m.ID))
	h.forget(m.ID)
	h.same("another user's answer", other.replays(call("theirs", 1)), publicID(m.ID)+" replayed=true")
	h.same("another user's claimed answer", other.replays(call("theirs, claimed", 1)), publicID(m.ID)+" replayed=true")
	if got, ok := other.recall(m.ID, store.MemoryContent); !ok || got.Content != "mine" {
		h.Error("another user's memory went along")
	}
}

func erasedRolledBack(h *fixture) {
	m := h.memory("stays after all")
	h.remember(m)
	h.answered(call("stays", 1), false, publicID(m.ID))
	h.write(func(ctx context.Context, _ store.Tx) error {
		h.fails("a nested write", h.Write(ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			_, err := tx.DeleteMemories(ctx, []model.UUID{m.ID})
			return errors.Join(err, errFailed)
		}), errFailed)
		return nil
	})
	h.same("the answer", h.replays(call("stays", 1)), publicID(m.ID)+" replayed=true")
}

func erasedUntil(h *fixture) {
	m := h.memory("erased in the middle of the day")
	h.remember(m)
	h.answered(call("a day", 1), false, publicID(m.ID))
	h.clock.advance(12 * time.Hour)
	h.forget(m.ID)
	h.clock.advance(12*time.Hour - time.Second)
	if err := h.Sweep(h.ctx, h.clock.Now(), 240*time.Hour); err != nil {
		h.Fatal(err)
	}
	h.same("until its end", h.replays(call("a day", 1)), erasedCode)
	h.clock.advance(2 * time.Second)
	h.same("then the key is new", h.once(call("a day", 2),
		func(context.Context) ([]byte, error) { return []byte("new"), nil }), "new replayed=false")
}

// Erased proves that nothing of an erased memory is left in the database, whose clock stands at Old().At. places looks
// through every row of every table, as the database's own catalogue lists them, and through whatever else keeps bytes
// where the driver promises that none stay, and names the places where one of the needles stands.
func Erased(t *testing.T, s store.Store, places func(t *testing.T, needle []byte) []string) {
	t.Helper()
	h := &fixture{T: t, Store: s, ctx: t.Context(), clock: &clock{at: noon}, ids: &ids{}, trace: &trace{},
		user: model.UserIDOf("dana")}
	needles := map[string][]byte{}
	look := func() map[string][]string {
		t.Helper()
		found := map[string][]string{}
		for name, needle := range needles {
			found[name] = places(t, needle)
		}
		return found
	}
	random := dice(350)
	fresh := func(n int) model.Memory {
		m := h.memory(fmt.Sprintf("quagga%d לוויתנ%d", n, n))
		m.Type = model.MemoryContact
		m.Summary, m.Tags = fmt.Sprint("okapi", n), []string{fmt.Sprint("numbat", n)}
		m.Metadata = fmt.Sprintf(`{"aardvark%d":"pangolin%d","name":"tarsier%d"}`, n, n, n)
		m.Embedding = model.Embedding{Model: "alpha", Dimensions: 64, Vector: make64(random)}
		key := sha256.Sum256([]byte(memo.Key(m.Content)))
		for name, needle := range map[string]string{
			"content": fmt.Sprint("quagga", n), "Hebrew content": fmt.Sprint("לוויתנ", n), "summary": m.Summary,
			"tag": m.Tags[0], "key of metadata": fmt.Sprint("aardvark", n),
			"value of metadata": fmt.Sprint("pangolin", n), "name": fmt.Sprint("tarsier", n),
		} {
			needles[fmt.Sprint(name, " ", n)] = []byte(needle)
		}
		needles[fmt.Sprint("hash ", n)] = key[:16]
		needles[fmt.Sprint("vector ", n)] = vector.Pack(m.Embedding.Vector)[:32]
		return m
	}
	for _, expires := range []bool{false, true} {
		clear(needles)
		first, second := fresh(1), fresh(2)
		second.ID, second.Version, second.UpdatedAt = first.ID, 2, noon.Add(time.Minute)
		beside := h.memory("something else entirely")
		h.remember(first, beside)
		h.revise(second, model.MemoryUpdated)
		// An own history, as an import leaves one.
		h.write(func(ctx context.Context, tx store.Tx) error {
			return tx.RestoreHistory(ctx, first.ID, []model.MemoryVersion{{
				Memory: first.ID, Version: 1, Type: first.Type, Content: first.Content, Summary: first.Summary, Tags: first.Tags,
				Metadata: first.Metadata, WrittenAt: noon, ReplacedAt: noon, Reason: model.MemoryOverridden,
			}})
		})
		answer := fmt.Sprintf(`{"id":%q,"content":%q,"before":%q}`, publicID(first.ID), second.Content, first.Content)
		needles["answer"] = []byte(publicID(first.ID))
		h.answered(call(fmt.Sprint("erasure ", expires), 1), false, answer)
		h.answered(call(fmt.Sprint("erasure claimed ", expires), 1), true, answer)
		acted := h.action("storeMemory")
		acted.Summary, acted.Inverse, acted.Touched = "Remembered "+second.Content, []byte(answer), nil
		h.saveAction(acted, model.ID{Kind: model.KindMemory, UUID: first.ID})
		// Rows that come and go move others about: what they leave behind counts too.
		for n := range 20 {
			m := h.memory(strings.Repeat("filling ", 40*n+1))
			h.remember(m)
			h.forget(m.ID)
		}
		for name, where := range look() {
			// The vector and the hash of the first version may have gone with the update.
			if len(where) == 0 && name != "vector 1" && name != "hash 1" {
				t.Errorf("%s is nowhere before it was erased: the search sees nothing", name)
			}
		}
		if expires {
			second.Version, second.ExpiresAt = 3, noon
			h.revise(second, model.MemoryUpdated)
			if n, err := h.ExpireMemories(h.ctx, noon, 10); n != 1 || err != nil {
				t.Fatalf("ExpireMemories: %d, %v", n, err)
			}
		} else {
			h.same("deleted", h.forget(first.ID), []model.UUID{first.ID})
		}
		for name, where := range look() {
			if len(where) > 0 {
				t.Errorf("%s is still in %v", name, where)
			}
		}
		if where := places(t, []byte("something else entirely")); len(where) == 0 {
			t.Error("what was not erased is gone too")
		}
	}
	erasedKnowledge(h, places)
}

// make64 makes a vector of 64 dimensions that no other is like.
func make64(random interface{ NormFloat64() float64 }) []float32 {
	v := make([]float32, 64)
	for i := range v {
		v[i] = float32(random.NormFloat64())
	}
	vector.Unit(v)
	return v
}

// Holds reports whether a value that a database shows as text has the needle in it: as it is, or in hexadecimal digits,
// as bytes are shown.
func Holds(shown string, needle []byte) bool {
	return strings.Contains(shown, string(needle)) ||
		bytes.Contains(bytes.ToLower([]byte(shown)), fmt.Appendf(nil, "%x", needle))
}
