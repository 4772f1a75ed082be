// Package record tells what the transactions of one mutation change, and puts it back.
//
// A Recorder wraps the Tx of each transaction: before a record is written for the first time it is read, and at the end
// of the outermost transaction, in that transaction, all of them are read again. The differences are what was done; the
// records as they were, with a hash of each part as it was left, are the inverse.
//
// It promises that Undo overwrites nothing that was changed since: a part of a record (a field, a subtask, an item) is
// put back only where it still is as the action has left it, and the others are reported. Every domain has one file.
package record

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// Recorder records what the transactions of one mutation change. It is a store.Recorder.
type Recorder struct {
	User model.UserID
	Now  time.Time
	// Users reads the user's settings.
	Users store.UserStore
	// Finish is called at the end of each outermost transaction, in it, when something has changed since the recorder was
	// made; its error undoes the transaction.
	Finish func(ctx context.Context, tx store.Tx, done Done) error

	mu    sync.Mutex
	depth int
	seen
}

// seen is what a recorder knows of the records that were written.
type seen struct {
	// before are the records as they were; nil for one that was not there.
	before map[model.ID]any
	// made are records that were made and not written again, as the store keeps them.
	made map[model.ID]any
	// order is that of the first writes.
	order []model.ID
	// erased are records that cannot come back.
	erased []model.ID
}

// Done is what was done.
type Done struct {
	// Changes are the records that are not as they were, in the order in which they were first written.
	Changes []model.Difference
	// Erased are records that were erased for good; with one of them nothing can be undone.
	Erased []model.ID
	// Inverse is what Undo needs; nil when nothing can be undone.
	Inverse []byte
	// About are the records whose texts the changes hold.
	About []model.ID
}

var _ store.Recorder = (*Recorder)(nil)

// Record implements store.Recorder. What a transaction has written that fails is forgotten.
func (r *Recorder) Record(ctx context.Context, tx store.Tx, fn func(ctx context.Context, tx store.Tx) error) error {
	mark := r.begin()
	err := fn(ctx, &recording{Tx: tx, r: r})
	if outermost := r.end(mark, err); err != nil || !outermost {
		return err
	}
	done, err := r.done(ctx, tx)
	if err != nil || len(done.Changes)+len(done.Erased) == 0 {
		return err
	}
	return r.Finish(ctx, tx, done)
}

// begin returns what is seen so far. What is appended to its slices later is beyond their length, so that end can go
// back to them.
func (r *Recorder) begin() seen {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.depth++
	return seen{before: maps.Clone(r.before), made: maps.Clone(r.made), order: r.order, erased: r.seen.erased}
}

func (r *Recorder) end(mark seen, err error) (outermost bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.depth--
	if err != nil {
		r.seen = mark
	}
	return r.depth == 0
}

// scope is where records are read and written.
type scope struct {
	tx    store.Tx
	users store.UserStore
	user  model.UserID
	now   time.Time
}

// domain reads, takes apart and writes the records of one kind.
type domain interface {
	// read returns the records that exist among ids, whole.
	read(ctx context.Context, in scope, ids []model.UUID) (map[model.UUID]any, error)
	// layout says how a record is taken apart.
	layout() layout
	// join makes a record of its parts.
	join(parts Parts) (any, error)
	// about are the records beside itself whose texts a record holds.
	about(record any) []model.ID
	// put makes records what they shall be.
	put(ctx context.Context, in scope, changes []change) error
}

// change is what shall become of a record.
type change struct {
	id model.ID
	// now and want are records; nil for none.
	now, want any
}

// domainOf returns the domain of a kind; nil for one whose records are not recorded.
func domainOf(kind model.Kind) domain {
	switch kind {
	case model.KindTask:
		return tasks{}
	case model.KindList:
		return lists{}
	case model.KindMemory:
		return memories{}
	case model.KindEntity:
		return entities{}
	case model.KindFact:
		return facts{}
	case model.KindEpisode:
		return episodes{}
	case model.KindUser:
		return settings{}
	default:
		return nil
	}
}

// read reads records of any kinds; what is not there is not in the map.
func (in scope) read(ctx context.Context, ids []model.ID) (map[model.ID]any, error) {
	found := make(map[model.ID]any, len(ids))
	byKind := make(map[model.Kind][]model.UUID)
	for _, id := range ids {
		byKind[id.Kind] = append(byKind[id.Kind], id.UUID)
	}
	for kind, uuids := range byKind {
		of := domainOf(kind)
		if of == nil {
			continue
		}
		records, err := of.read(ctx, in, uuids)
		if err != nil {
			return nil, err
		}
		for id, record := range records {
			found[model.ID{Kind: kind, UUID: id}] = record
		}
	}
	return found, nil
}

// recording is a Tx whose writes are recorded.
type recording struct {
	store.Tx
	r *Recorder
}

// before reads records that are about to be written for the first time.
func (t *recording) before(ctx context.Context, kind model.Kind, ids ...model.UUID) error {
	t.r.mu.Lock()
	defer t.r.mu.Unlock()
	var fresh []model.ID
	for _, id := range ids {
		id := model.ID{Kind: kind, UUID: id}
		delete(t.r.made, id)
		if t.r.note(id) {
			fresh = append(fresh, id)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	found, err := scope{t.Tx, t.r.Users, t.r.User, t.r.Now}.read(ctx, fresh)
	if err != nil {
		return err
	}
	maps.Copy(t.r.seen.before, found)
	return nil
}

// creating notes records that are about to be made, so that nobody has to read that they are not there.
func (t *recording) creating(kind model.Kind, ids ...model.UUID) {
	t.r.mu.Lock()
	defer t.r.mu.Unlock()
	for _, id := range ids {
		t.r.note(model.ID{Kind: kind, UUID: id})
	}
}

// expect makes room for so many records that are about to be noted as made, if none is noted yet.
func (t *recording) expect(n int) {
	t.r.mu.Lock()
	defer t.r.mu.Unlock()
	if t.r.seen.before == nil && n > 1 {
		t.r.seen.before, t.r.seen.made = make(map[model.ID]any, n), make(map[model.ID]any, n)
		t.r.order = make([]model.ID, 0, n)
	}
}

// made notes a record that has been made, as it is kept; it spares reading the record again. One that was written
// before is read.
func (t *recording) made(id model.ID, record any) {
	t.r.mu.Lock()
	defer t.r.mu.Unlock()
	if !t.r.note(id) {
		return
	}
	if t.r.seen.made == nil {
		t.r.seen.made = make(map[model.ID]any)
	}
	t.r.seen.made[id] = record
}

// erased notes records that were erased.
func (t *recording) erased(kind model.Kind, ids ...model.UUID) {
	t.r.mu.Lock()
	defer t.r.mu.Unlock()
	for _, id := range ids {
		t.r.seen.erased = append(t.r.seen.erased, model.ID{Kind: kind, UUID: id})
	}
}

// note adds a record to those seen, as one that is not there, and reports whether it is new among them.
func (r *Recorder) note(id model.ID) bool {
	if _, known := r.seen.before[id]; known {
		return false
	}
	if r.seen.before == nil {
		r.seen.before = make(map[model.ID]any)
	}
	r.seen.before[id] = nil
	r.order = append(r.order, id)
	return true
}

// shown is a record as those see it who ask what was done.
func shown(record any) any {
	if entity, is := record.(*Entity); is {
		return &entity.Entity
	}
	return record
}

// done compares the records as they are with how they were.
func (r *Recorder) done(ctx context.Context, tx store.Tx) (done Done, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	in := scope{tx, r.Users, r.User, r.Now}
	unknown := slices.DeleteFunc(slices.Clone(r.order), func(id model.ID) bool { return r.made[id] != nil })
	after, err := in.read(ctx, unknown)
	if err != nil {
		return done, err
	}
	done.Erased = r.seen.erased
	done.Changes = make([]model.Difference, 0, len(r.order))
	inverse := Inverse{Version: inverseVersion, Records: make([]Entry, 0, len(r.order))}
	others := map[model.ID]bool{}
	for _, id := range r.order {
		of := domainOf(id.Kind)
		was, is := r.seen.before[id], r.made[id]
		if is == nil {
			is = after[id]
		}
		entry, changed, err := entryOf(id, of, was, is)
		if err != nil {
			return done, err
		}
		if !changed {
			continue
		}
		done.Changes = append(done.Changes, model.Difference{ID: id, Before: shown(was), After: shown(is)})
		inverse.Records = append(inverse.Records, entry)
		done.About = append(done.About, id)
		for _, record := range [...]any{was, is} {
			if record != nil {
				for _, other := range of.about(record) {
					others[other] = true
				}
			}
		}
	}
	for _, id := range done.About {
		delete(others, id)
	}
	done.About = slices.AppendSeq(done.About, maps.Keys(others))
	if len(inverse.Records) > 0 && len(done.Erased) == 0 {
		done.Inverse, err = inverse.pack()
	}
	return done, err
}
