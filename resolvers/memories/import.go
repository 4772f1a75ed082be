package memories

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/memo"
	"almanac/resolvers/core"
)

// ImportedAs is what became of a line.
type ImportedAs int

// The fates.
const (
	// Imported: there was none such.
	Imported ImportedAs = iota
	// ImportedOver: it is a new version of the memory with its id.
	ImportedOver
	// ImportedAlready: it was there.
	ImportedAlready
)

// clockSkew is by how much the clock of another server may be ahead of ours.
const clockSkew = 24 * time.Hour

// ReadLine reads a memory as memo.Encode wrote it and checks it as storeMemory does. What the line leaves out is filled
// in: the id from newID, times from now, version 1. BAD_USER_INPUT with the field at fault within the line.
func ReadLine(line []byte, now time.Time, newID func() model.UUID) (model.Memory, error) {
	memory, err := memo.Decode(line)
	if err != nil {
		return memory, err
	}
	if memory.Content, err = core.CleanText("content", memory.Content, model.MaxMemoryContent); err != nil {
		return memory, err
	}
	if memory.Summary, err = core.CleanLabel("summary", memory.Summary, model.MaxMemorySummary); err != nil {
		return memory, err
	}
	if err := lineTimes(&memory, now); err != nil {
		return memory, err
	}
	if memory.ID == (model.UUID{}) {
		memory.ID = newID()
	}
	err = lineVersions(&memory)
	return memory, err
}

// maxLineVersion is the highest number of a version that a line may have; counting goes on from it.
const maxLineVersion = 1_000_000_000

// lineVersions fills in and checks the versions of a line.
func lineVersions(memory *model.Memory) (err error) {
	if memory.Version == 0 {
		memory.Version = len(memory.History) + 1
		if len(memory.History) > 0 {
			memory.Version = memory.History[0].Version + 1
		}
	}
	if memory.Version > maxLineVersion {
		return model.BadInput("version", "a version is at most %d", maxLineVersion)
	}
	above := memory.Version
	for i := range memory.History {
		was := &memory.History[i]
		field := "history." + strconv.Itoa(i)
		if was.Version >= above || was.Version < 1 {
			return model.BadInput(field+".version", "versions are given newest first, each below the one before and at least 1")
		}
		above, was.Memory = was.Version, memory.ID
		if was.Reason == "" {
			was.Reason = model.MemoryUpdated
		}
		if was.Content, err = core.CleanText(field+".content", was.Content, model.MaxMemoryContent); err != nil {
			return err
		}
		if was.Summary, err = core.CleanLabel(field+".summary", was.Summary, model.MaxMemorySummary); err != nil {
			return err
		}
	}
	return nil
}

// lineTimes fills in and checks the times of a line.
func lineTimes(memory *model.Memory, now time.Time) error {
	if memory.CreatedAt.IsZero() {
		memory.CreatedAt = now
		if !memory.UpdatedAt.IsZero() && memory.UpdatedAt.Before(now) {
			memory.CreatedAt = memory.UpdatedAt
		}
	}
	if memory.UpdatedAt.IsZero() {
		memory.UpdatedAt = memory.CreatedAt
	}
	switch {
	case memory.CreatedAt.After(now.Add(clockSkew)):
		return model.BadInput("createdAt", "createdAt lies ahead")
	case memory.UpdatedAt.After(now.Add(clockSkew)):
		return model.BadInput("updatedAt", "updatedAt lies ahead")
	case memory.UpdatedAt.Before(memory.CreatedAt):
		return model.BadInput("updatedAt", "updatedAt is before createdAt")
	case !memory.ExpiresAt.IsZero() && !memory.ExpiresAt.After(now):
		return model.BadInput("expiresAt", "it has expired")
	}
	return nil
}

// ImportMemories makes memories again exactly, with their histories; their ids must differ. One that is there under its
// id and says otherwise gets what the line says as its next version, so that nothing is lost. What is there in
// everything, under its id or another, stays as it is.
func ImportMemories(ctx context.Context, tx store.Tx, user model.UserID, memories []model.Memory,
	now time.Time) ([]ImportedAs, error) {
	ids := make([]model.UUID, len(memories))
	for i, memory := range memories {
		ids[i] = memory.ID
	}
	found, err := tx.MemoriesByID(ctx, user, ids, now, store.MemoryRow)
	if err != nil {
		return nil, err
	}
	there := make(map[model.UUID]model.Memory, len(found))
	for _, memory := range found {
		there[memory.ID] = memory
	}
	ids = slices.DeleteFunc(ids, func(id model.UUID) bool { _, known := there[id]; return known })
	if len(ids) > 0 {
		if _, err := tx.DeleteMemories(ctx, ids); err != nil { // what has expired and is not erased yet would be in the way
			return nil, err
		}
	}
	w := importer{tx: tx, user: user, now: now, pending: make(map[string]bool)}
	fates := make([]ImportedAs, len(memories))
	for i, memory := range memories {
		before, known := there[memory.ID]
		switch {
		case !known:
			fates[i], err = w.add(ctx, memory)
		case sameMemory(before, memory):
			fates[i] = ImportedAlready
		default:
			fates[i], err = ImportedOver, w.over(ctx, before, memory)
		}
		if err != nil {
			return nil, err
		}
	}
	return fates, w.flush(ctx)
}

// importer writes memories with as few writes as it may.
type importer struct {
	tx   store.Tx
	user model.UserID
	now  time.Time
	// inserts are not written yet; pending has their texts.
	inserts []model.Memory
	pending map[string]bool
}

// over makes a memory the next version of the one that is there.
func (w *importer) over(ctx context.Context, before, memory model.Memory) error {
	memory.CreatedAt, memory.UpdatedAt, memory.Version, memory.Overridden, memory.History = before.CreatedAt, w.now,
		before.Version+1, false, nil
	if err := keepVector(ctx, w.tx, w.user, w.now, before, &memory); err != nil {
		return err
	}
	if err := w.tx.UpdateMemory(ctx, memory, model.MemoryUpdated); err != nil {
		return fmt.Errorf("import over a memory: %w", err)
	}
	return nil
}

// add adds a memory unless the same is there under another id.
func (w *importer) add(ctx context.Context, memory model.Memory) (ImportedAs, error) {
	key := memo.Key(memory.Content)
	if w.pending[key] {
		if err := w.flush(ctx); err != nil { // its twin must be seen
			return 0, err
		}
	}
	twins, err := w.tx.TwinMemories(ctx, w.user, store.MemoryTwin{Type: memory.Type, Key: key}, w.now, maxTwins,
		store.MemoryRow)
	if err != nil {
		return 0, err
	}
	if _, known := knownAlready(twins, memory); known {
		return ImportedAlready, nil
	}
	w.inserts, w.pending[key] = append(w.inserts, memory), true
	return Imported, nil
}

// flush writes what is not written yet.
func (w *importer) flush(ctx context.Context) error {
	if len(w.inserts) == 0 {
		return nil
	}
	inserts := w.inserts
	w.inserts, w.pending = nil, make(map[string]bool)
	bare := slices.Clone(inserts)
	for i := range bare {
		bare[i].History = nil
	}
	if err := w.tx.InsertMemories(ctx, bare); err != nil {
		return err
	}
	for _, memory := range inserts {
		if len(memory.History) == 0 {
			continue
		}
		if err := w.tx.RestoreHistory(ctx, memory.ID, memory.History); err != nil {
			return fmt.Errorf("import the history of a memory: %w", err)
		}
	}
	return nil
}
