package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	zombie "zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// TestErasedAmongMany: rows of all lengths that come, change and go split pages and move each other about; still no
// byte of what was erased is left in the file once the log was emptied, and none in the log. The seed is one with which
// SQLite alone leaves some.
func TestErasedAmongMany(t *testing.T) {
	path := t.TempDir() + "/erased.db"
	s := memoryStore(t, Options{Path: path})
	user, random := model.UserIDOf("eraser"), rand.New(rand.NewPCG(32, 9))
	there := map[model.UUID]model.Memory{}
	gone := map[string]bool{}
	secret := func(m model.Memory) string { return fmt.Sprintf("secret%x", m.ID[:4]) + fmt.Sprint("v", m.Version) }
	fill := func(m *model.Memory) {
		m.Content = secret(*m) + strings.Repeat(" filling", random.IntN(1<<random.IntN(10))) + " " + secret(*m)
		m.Summary = strings.Repeat("s", random.IntN(300))
		m.Embedding = model.Embedding{}
		if random.IntN(2) == 0 {
			m.Embedding = model.Embedding{Model: "m", Vector: make([]float32, 1+random.IntN(700))}
		}
	}
	write := func(fn func(ctx context.Context, tx store.Tx) error) {
		t.Helper()
		if err := s.Write(t.Context(), user, fn); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 1500 {
		var one model.Memory
		if ids := slices.SortedFunc(maps.Keys(there),
			func(a, b model.UUID) int { return bytes.Compare(a[:], b[:]) }); len(ids) > 0 {
			one = there[ids[random.IntN(len(ids))]]
		}
		switch kind := random.IntN(5); {
		case kind == 0 && len(there) > 20:
			write(func(ctx context.Context, tx store.Tx) error {
				_, err := tx.DeleteMemories(ctx, []model.UUID{one.ID})
				return err
			})
			for one.Version > 0 {
				gone[secret(one)] = true
				one.Version--
			}
			delete(there, one.ID)
		case kind == 1 && len(there) > 20:
			one.Version++
			fill(&one)
			write(func(ctx context.Context, tx store.Tx) error { return tx.UpdateMemory(ctx, one, model.MemoryUpdated) })
			there[one.ID] = one
		default:
			m := model.Memory{ID: model.UUID{byte(random.Uint32()), byte(random.Uint32()), byte(n >> 8), byte(n)},
				Type: model.MemoryNote, Version: 1, CreatedAt: memoryNoon, UpdatedAt: memoryNoon}
			fill(&m)
			write(func(ctx context.Context, tx store.Tx) error { return tx.InsertMemories(ctx, []model.Memory{m}) })
			there[m.ID] = m
		}
	}
	if err := s.Sweep(t.Context(), memoryNoon, 0); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	left := 0
	for needle := range gone {
		if bytes.Contains(content, []byte(needle)) || bytes.Contains(log, []byte(needle)) {
			left++
		}
	}
	if left > 0 {
		t.Errorf("%d of %d texts that were erased are still in the file", left, len(gone))
	}
	whole := ""
	if err := s.reading(t.Context(), oneStatement, func(q *session) error {
		return q.readSQL("PRAGMA integrity_check", func(stmt *zombie.Stmt) error { whole += stmt.ColumnText(0); return nil })
	}); err != nil || whole != "ok" {
		t.Errorf("the file is damaged: %s, %v", whole, err)
	}
	for _, m := range there {
		if !bytes.Contains(content, []byte(secret(m))) {
			t.Fatal("what was not erased is not in the file: the test sees nothing")
		}
	}
}

// TestLogIsEmptiedLater: who reads is not disturbed, and nobody waits for them.
func TestLogIsEmptiedLater(t *testing.T) {
	path := t.TempDir() + "/later.db"
	s := memoryStore(t, Options{Path: path})
	user, id := model.UserIDOf("eraser"), model.UUID{1}
	write := func(fn func(ctx context.Context, tx store.Tx) error) {
		t.Helper()
		if err := s.Write(t.Context(), user, fn); err != nil {
			t.Fatal(err)
		}
	}
	write(func(ctx context.Context, tx store.Tx) error {
		return tx.InsertMemories(ctx, []model.Memory{
			{ID: id, Type: model.MemoryNote, Content: "needle", CreatedAt: memoryNoon, UpdatedAt: memoryNoon, Version: 1}})
	})
	inLog := func() bool {
		t.Helper()
		content, err := os.ReadFile(path + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Contains(content, []byte("needle"))
	}
	sweep := func() {
		t.Helper()
		if err := s.Sweep(t.Context(), memoryNoon, 0); err != nil {
			t.Error(err)
		}
	}
	err := s.reading(t.Context(), oneTransaction, func(q *session) error {
		if err := q.readSQL(`SELECT count(*) FROM memories`, nil); err != nil {
			return err
		}
		write(func(ctx context.Context, tx store.Tx) error {
			_, err := tx.DeleteMemories(ctx, []model.UUID{id})
			return err
		})
		sweep()
		if !inLog() {
			return errors.New("the log was cut while somebody read what it has")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if sweep(); inLog() {
		t.Error("the log has still what was erased")
	}
}
