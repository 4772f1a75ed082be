package postgres_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/postgres"
	"almanac/graph/model"
	"almanac/internal/pgtest"
	"almanac/internal/teststore"
)

func newMemory(text string) model.Memory {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	return model.Memory{ID: ids.New(), Type: model.MemoryNote, Content: text, CreatedAt: now, UpdatedAt: now, Version: 1}
}

func write(t *testing.T, s store.Store, fn func(ctx context.Context, tx store.Tx) error) {
	t.Helper()
	if err := s.Write(t.Context(), dana, fn); err != nil {
		t.Fatal(err)
	}
}

func publicID(m model.Memory) string { return model.ID{Kind: model.KindMemory, UUID: m.ID}.String() }

// TestWhatToldOfAnErasedMemoryIsErased: the answers that mention it, also the ones that a claim settled, and what was
// noted with a claim; nobody else's.
func TestWhatToldOfAnErasedMemoryIsErased(t *testing.T) {
	t.Parallel()
	s := open(t, postgres.Options{URL: teststore.NewPostgres(t)})
	gone, stays := newMemory("gone"), newMemory("stays")
	write(t, s, func(ctx context.Context, tx store.Tx) error {
		return tx.InsertMemories(ctx, []model.Memory{gone, stays})
	})
	call := func(key string) model.IdempotentCall { return model.IdempotentCall{Key: key} }
	once := func(user model.UserID, key, answer string) (string, error) {
		got, _, err := s.Once(t.Context(), user, call(key),
			func(context.Context) ([]byte, error) { return []byte(answer), nil })
		return string(got), err
	}
	now := time.Now()
	claim := func(key string) store.Claim {
		t.Helper()
		claim, err := s.Claim(t.Context(), dana, call(key), now, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		return claim
	}
	answers := map[string]string{
		"both":   `["` + publicID(stays) + `","` + publicID(gone) + `"]`,
		"cut":    publicID(gone)[:30],
		"stays":  publicID(stays),
		"twice":  publicID(gone) + publicID(gone),
		"within": "xmemory_" + publicID(gone) + "y",
		"none":   "memory_",
	}
	for key, answer := range answers {
		if _, err := once(dana, key, answer); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := once(model.UserIDOf("another"), "both", answers["both"]); err != nil {
		t.Fatal(err)
	}
	settled, noted := claim("settled"), claim("noted")
	for _, err := range []error{
		s.Note(t.Context(), dana, settled, []byte("x")),
		s.Settle(t.Context(), dana, settled, []byte(publicID(gone))),
		s.Settle(t.Context(), dana, settled, []byte("a second answer")),
		s.Note(t.Context(), dana, noted, []byte("to be kept with "+publicID(gone))),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	// A transaction that fails erases nothing.
	_ = s.Write(t.Context(), dana, func(ctx context.Context, tx store.Tx) error {
		if _, err := tx.DeleteMemories(ctx, []model.UUID{gone.ID}); err != nil {
			t.Error(err)
		}
		return context.Canceled
	})
	if got, err := once(dana, "both", ""); err != nil || got != answers["both"] {
		t.Errorf("after a transaction that failed: %q, %v", got, err)
	}
	write(t, s, func(ctx context.Context, tx store.Tx) error {
		_, err := tx.DeleteMemories(ctx, []model.UUID{gone.ID})
		return err
	})
	for key, answer := range answers {
		got, err := once(dana, key, "done again")
		switch key {
		case "both", "twice", "within":
			if model.CodeOf(err) != model.CodeConflict || !strings.Contains(err.Error(), "erased") {
				t.Errorf("%s: %q, %v", key, got, err)
			}
		default:
			if err != nil || got != answer {
				t.Errorf("%s: %q, %v", key, got, err)
			}
		}
	}
	if got, err := once(model.UserIDOf("another"), "both", ""); err != nil || got != answers["both"] {
		t.Errorf("another's answer: %q, %v", got, err)
	}
	if _, err := s.Claim(t.Context(), dana, call("settled"), now, time.Minute); model.CodeOf(err) != model.CodeConflict {
		t.Errorf("a claim that was settled: %v", err)
	}
	if again, err := s.Claim(t.Context(), dana, call("noted"), now.Add(2*time.Minute), time.Minute); err != nil ||
		again.State != store.ClaimTaken || len(again.Notes) != 0 {
		t.Errorf("a claim with notes: %+v, %v", again, err)
	}
}

// TestVectorsAreCountedExactly: whatever writers of several processes do at the same time, the counts of vectors are
// those of the rows.
func TestVectorsAreCountedExactly(t *testing.T) {
	t.Parallel()
	url := teststore.NewPostgres(t)
	var wait sync.WaitGroup
	for worker := range 4 {
		s := open(t, postgres.Options{URL: url, MaxConns: 3})
		wait.Go(func() {
			for round := range 12 {
				name := []string{"a", "b"}[(worker+round)%2]
				m, pending := newMemory("m"), newMemory("pending")
				m.Embedding = model.Embedding{Model: name, Vector: []float32{1, 0}}
				err := s.Write(t.Context(), dana, func(ctx context.Context, tx store.Tx) error {
					return tx.InsertMemories(ctx, []model.Memory{m, pending})
				})
				if err == nil {
					_, err = s.SaveVectors(t.Context(), dana, []store.MemoryVectorOf{
						{ID: m.ID, Version: 1, Embedding: model.Embedding{Model: "b", Vector: []float32{0, 1}}},
						{ID: pending.ID, Version: 1, Embedding: model.Embedding{Model: name, Vector: []float32{0, 0, 1}}},
					})
				}
				if err == nil && round%3 == 0 {
					err = s.Write(t.Context(), dana, func(ctx context.Context, tx store.Tx) error {
						m.Version, m.Content, m.Embedding = 2, "other", model.Embedding{}
						if err := tx.UpdateMemory(ctx, m, model.MemoryUpdated); err != nil {
							return err
						}
						_, err := tx.DeleteMemories(ctx, []model.UUID{pending.ID})
						return err
					})
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
	s := open(t, postgres.Options{URL: url})
	execute(t, s, `DO $$ BEGIN
	IF EXISTS (SELECT FROM memory_models AS m WHERE m.rows <> (SELECT count(*) FROM memory_vectors AS v
	WHERE v.user_id = m.user_id AND v.model = m.number)) THEN
		RAISE 'a count of vectors is wrong';
	END IF;
	IF (SELECT count(*) FROM memories) <> 4 * 12 * 2 - 4 * 4
	OR (SELECT count(DISTINCT n) FROM memories) <> (SELECT count(*) FROM memories) THEN
		RAISE 'memories are missing';
	END IF;
	IF EXISTS (SELECT FROM memory_vectors AS v WHERE NOT EXISTS (SELECT FROM memories AS t WHERE t.user_id = v.user_id
	AND t.n = v.n AND t.id = v.memory_id)) THEN
		RAISE 'a vector is of no memory';
	END IF;
	IF EXISTS (SELECT FROM memory_terms AS k WHERE NOT EXISTS (SELECT FROM memories AS t WHERE t.user_id = k.user_id
	AND t.n = k.n AND k.term = ANY(t.entries)))
		OR (SELECT count(*) FROM memory_terms) <> (SELECT sum(cardinality(entries)) FROM memories) THEN
		RAISE 'the index of words is not that of the memories';
	END IF;
END $$`)
}

// TestTheExtension: what is missing for vectors is said with what mends it, and a database where somebody else has
// created the extension needs no rights.
func TestTheExtension(t *testing.T) {
	t.Parallel()
	as := func(url, role string) string {
		if strings.Contains(url, "?") {
			return url + "&role=" + role
		}
		return url + "?role=" + role
	}
	prepared := func(sql ...string) *postgres.Store {
		t.Helper()
		url := pgtest.URL(t)
		admin := unmigrated(t, postgres.Options{URL: url})
		for _, one := range append(sql, "GRANT CREATE ON SCHEMA public TO pg_monitor") {
			execute(t, admin, one)
		}
		return unmigrated(t, postgres.Options{URL: as(url, "pg_monitor")})
	}
	limited := prepared()
	if err := limited.Migrate(t.Context()); err == nil || !strings.Contains(err.Error(), "CREATE EXTENSION vector") ||
		strings.Contains(err.Error(), "GRANT") {
		t.Errorf("Migrate without the right to create the extension: %v", err)
	}
	if err := limited.Ready(t.Context()); err == nil {
		t.Error("Ready with half of the schema")
	}
	for version, want := range map[string]string{"0.7.4": "ALTER EXTENSION vector UPDATE", "0.8.0": "", "0.10": "",
		"1.0.0-beta": ""} {
		err := prepared("CREATE EXTENSION vector",
			"UPDATE pg_extension SET extversion = '"+version+"' WHERE extname = 'vector'").Migrate(t.Context())
		if want == "" && err != nil || want != "" &&
			(err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), version)) {
			t.Errorf("Migrate with the extension of version %s: %v", version, err)
		}
	}
}
