package calsync_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"almanac/adapters/gcal"
	"almanac/adapters/store"
	"almanac/graph/model"
)

// memoryStore is what the worker needs of a store, in memory: writes of one user come one after another and are undone
// when they fail. A test can make each of its methods fail.
type memoryStore struct {
	mu    sync.Mutex
	locks map[model.UserID]*sync.Mutex
	kept  map[model.UserID]userRows
	calls int

	// failing, when set, is asked before anything is done, by one goroutine at a time.
	failing func(method string) error
	asking  sync.Mutex
}

// userRows are what one user has. They are replaced whole, never altered.
type userRows struct {
	states      map[stateKey]store.SyncState
	connections []model.Connection
	log         []model.Change
	calendars   []model.KeptCalendar
	events      map[model.EventKey]model.EventRow
	number      int64
}

type stateKey struct {
	connection model.UUID
	calendar   string
}

func (r userRows) clone() userRows {
	r.states, r.events = maps.Clone(r.states), maps.Clone(r.events)
	r.connections, r.log, r.calendars = slices.Clone(r.connections), slices.Clone(r.log), slices.Clone(r.calendars)
	return r
}

func newMemoryStore() *memoryStore {
	return &memoryStore{locks: map[model.UserID]*sync.Mutex{}, kept: map[model.UserID]userRows{}}
}

func (m *memoryStore) called(ctx context.Context, method string) error {
	m.mu.Lock()
	m.calls++
	failing := m.failing
	m.mu.Unlock()
	if failing != nil {
		m.asking.Lock()
		err := failing(method)
		m.asking.Unlock()
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (m *memoryStore) rows(user model.UserID) userRows {
	m.mu.Lock()
	defer m.mu.Unlock()
	rows, known := m.kept[user]
	if !known {
		rows.states, rows.events = map[stateKey]store.SyncState{}, map[model.EventKey]model.EventRow{}
		m.kept[user], m.locks[user] = rows, &sync.Mutex{}
	}
	return rows
}

type txKey struct{}

// in runs fn on the user's rows: those of the context's transaction, or those that are kept.
func (m *memoryStore) in(ctx context.Context, user model.UserID, fn func(*userRows) error) error {
	if tx, ok := ctx.Value(txKey{}).(*memoryTx); ok {
		if tx.user != user {
			return errors.New("another user's transaction")
		}
		return fn(&tx.rows)
	}
	m.rows(user)
	m.mu.Lock()
	defer m.mu.Unlock()
	rows := m.kept[user].clone()
	err := fn(&rows)
	if err == nil {
		m.kept[user] = rows
	}
	return err
}

func (m *memoryStore) SyncStates(ctx context.Context, user model.UserID,
	connection model.UUID) (found []store.SyncState, err error) {
	if err := m.called(ctx, "SyncStates"); err != nil {
		return nil, err
	}
	err = m.in(ctx, user, func(rows *userRows) error {
		for key, state := range rows.states {
			if key.connection == connection {
				found = append(found, state)
			}
		}
		return nil
	})
	slices.SortFunc(found, func(a, b store.SyncState) int { return cmp.Compare(a.Calendar, b.Calendar) })
	return found, err
}

func (m *memoryStore) SaveSyncState(ctx context.Context, state store.SyncState) error {
	if err := m.called(ctx, "SaveSyncState"); err != nil {
		return err
	}
	return m.in(ctx, state.User, func(rows *userRows) error {
		if !slices.ContainsFunc(rows.connections, func(c model.Connection) bool { return c.ID == state.Connection }) {
			return store.ErrNotFound
		}
		rows.states[stateKey{state.Connection, state.Calendar}] = state
		return nil
	})
}

func (m *memoryStore) ClaimSyncs(ctx context.Context, now, until time.Time, limit int) ([]store.SyncState, error) {
	if err := m.called(ctx, "ClaimSyncs"); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var due []store.SyncState
	for _, rows := range m.kept {
		for _, state := range rows.states {
			if !state.NextAt.IsZero() && !state.NextAt.After(now) {
				due = append(due, state)
			}
		}
	}
	slices.SortFunc(due, func(a, b store.SyncState) int {
		return cmp.Or(a.NextAt.Compare(b.NextAt), slices.Compare(a.User[:], b.User[:]), cmp.Compare(a.Calendar, b.Calendar))
	})
	due = due[:min(len(due), limit)]
	for i := range due {
		due[i].NextAt = until
		rows := m.kept[due[i].User].clone()
		rows.states[stateKey{due[i].Connection, due[i].Calendar}] = due[i]
		m.kept[due[i].User] = rows
	}
	return due, nil
}

func (m *memoryStore) Connections(ctx context.Context, user model.UserID) (all []model.Connection, err error) {
	if err := m.called(ctx, "Connections"); err != nil {
		return nil, err
	}
	err = m.in(ctx, user, func(rows *userRows) error {
		all = slices.Clone(rows.connections)
		return nil
	})
	return all, err
}

// Write keeps what the transaction has changed, and leaves alone what a claim has changed beside it.
func (m *memoryStore) Write(ctx context.Context, user model.UserID,
	fn func(ctx context.Context, tx store.Tx) error) error {
	if err := m.called(ctx, "Write"); err != nil {
		return err
	}
	if tx, ok := ctx.Value(txKey{}).(*memoryTx); ok {
		return fn(ctx, tx)
	}
	m.rows(user)
	m.mu.Lock()
	lock := m.locks[user]
	m.mu.Unlock()
	lock.Lock()
	defer lock.Unlock()
	before := m.rows(user)
	tx := &memoryTx{store: m, user: user, rows: before.clone()}
	if err := fn(context.WithValue(ctx, txKey{}, tx), tx); err != nil {
		return fmt.Errorf("rolled back: %w", err)
	}
	if err := m.called(ctx, "commit"); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.kept[user].clone()
	now.connections, now.log, now.number = tx.rows.connections, tx.rows.log, tx.rows.number
	now.calendars, now.events = tx.rows.calendars, tx.rows.events
	maps.DeleteFunc(now.states,
		func(key stateKey, _ store.SyncState) bool { _, stays := tx.rows.states[key]; return !stays })
	for key, state := range tx.rows.states {
		if state != before.states[key] {
			now.states[key] = state
		}
	}
	m.kept[user] = now
	return nil
}

// memoryTx does what the worker asks of a transaction; everything else would panic.
type memoryTx struct {
	store.Tx
	store *memoryStore
	user  model.UserID
	rows  userRows
}

func (t *memoryTx) log(changes ...model.Change) {
	for _, change := range changes {
		change.Seq = int64(len(t.rows.log) + 1)
		t.rows.log = append(t.rows.log, change)
	}
}

func (t *memoryTx) LogRemote(ctx context.Context, changes []model.Change) error {
	if err := t.store.called(ctx, "LogRemote"); err != nil {
		return err
	}
	t.log(changes...)
	return nil
}

func (t *memoryTx) LastRemote(ctx context.Context, ids []model.UUID) (map[model.UUID]model.Change, error) {
	if err := t.store.called(ctx, "LastRemote"); err != nil {
		return nil, err
	}
	last := map[model.UUID]model.Change{}
	for _, change := range t.rows.log {
		if change.Remote != "" && slices.Contains(ids, change.ID) {
			last[change.ID] = change
		}
	}
	return last, nil
}

func (t *memoryTx) Connections(ctx context.Context, user model.UserID) ([]model.Connection, error) {
	return t.store.Connections(ctx, user)
}

func (t *memoryTx) Credentials(_ context.Context, _ model.UserID, connection model.UUID) (model.Credentials, error) {
	return model.Credentials{Connection: connection, Refresh: []byte("sealed")}, nil
}

func (t *memoryTx) SaveConnection(ctx context.Context, connection model.Connection,
	credentials model.Credentials) (model.Connection, error) {
	if err := t.store.called(ctx, "SaveConnection"); err != nil {
		return connection, err
	}
	if string(credentials.Refresh) != "sealed" {
		return connection, errors.New("the tokens would be lost")
	}
	i := slices.IndexFunc(t.rows.connections, func(c model.Connection) bool { return c.ID == connection.ID })
	operation := model.OperationUpdated
	if i < 0 {
		operation = model.OperationCreated
		t.rows.connections = append(t.rows.connections, connection)
	} else {
		t.rows.connections[i] = connection
	}
	t.log(model.Change{Type: model.ChangeConnection, ID: connection.ID, Operation: operation})
	return connection, nil
}

// remote is a calendar of each account, as Sync shows it. A test can make each call fail, or wait.
type remote struct {
	now func() time.Time

	mu    sync.Mutex
	rows  map[model.UUID][]model.Event // of each connection, in the order of their changes
	epoch int
	// page is how many events a page has; 0: all.
	page int
	// list are an account's calendars.
	list     []model.Calendar
	calls    []string
	syncs    []time.Time
	running  int
	most     int
	watched  map[string]string // the tokens of open channels
	watches  int
	life     time.Duration
	failing  func(call string, connection model.Connection) error
	answered func(call string) // called after the answer was made, before it is given
}

func newRemote(now func() time.Time) *remote {
	return &remote{now: now, rows: map[model.UUID][]model.Event{}, watched: map[string]string{}, life: 7 * 24 * time.Hour}
}

// put is what somebody else does. An event that is new gets its creation time.
func (r *remote) put(c model.Connection, id, version string, status model.EventStatus) {
	r.mu.Lock()
	defer r.mu.Unlock()
	event := model.Event{Ref: model.EventRef{Connection: c.Number, Event: id}, Version: version, Status: status,
		CreatedAt: r.now()}
	for _, row := range r.rows[c.ID] {
		if row.Ref.Event == id {
			event.CreatedAt = row.CreatedAt
		}
	}
	r.rows[c.ID] = append(r.rows[c.ID], event)
}

func (r *remote) enter(call string, c model.Connection) error {
	r.mu.Lock()
	r.calls = append(r.calls, call)
	if call == "Sync" {
		r.syncs = append(r.syncs, r.now())
	}
	r.running++
	r.most = max(r.most, r.running)
	failing := r.failing
	r.mu.Unlock()
	if failing != nil {
		return failing(call, c)
	}
	return nil
}

func (r *remote) leave(call string) {
	r.mu.Lock()
	answered := r.answered
	r.mu.Unlock()
	if answered != nil {
		answered(call)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running--
}

// nowOf are the events of an account as they are, in the order in which they were made.
func (r *remote) nowOf(c model.Connection) (now []model.Event) {
	for _, row := range r.rows[c.ID] {
		i := slices.IndexFunc(now, func(e model.Event) bool { return e.Ref == row.Ref })
		if i < 0 {
			now = append(now, row)
		} else {
			now[i] = row
		}
	}
	return now
}

func (r *remote) Sync(ctx context.Context, c model.Connection, _ string, place gcal.SyncPlace) (gcal.SyncPage, error) {
	defer r.leave("Sync")
	err := r.enter("Sync", c)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return gcal.SyncPage{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	// A place is "epoch/changes seen", that of a page "epoch/changes seen/events given".
	changes, given := len(r.rows[c.ID]), 0
	if place.Page != "" {
		var epoch int
		if _, err := fmt.Sscanf(place.Page, "%d/%d/%d", &epoch, &changes, &given); err != nil || epoch != r.epoch {
			return gcal.SyncPage{Gone: true}, nil //nolint:nilerr // a token of no use is no error
		}
	}
	var events []model.Event
	if place.Token == "" {
		events = r.nowOf(c)
	} else {
		var epoch, seen int
		if _, err := fmt.Sscanf(place.Token, "%d/%d", &epoch, &seen); err != nil || epoch != r.epoch {
			return gcal.SyncPage{Gone: true}, nil //nolint:nilerr // a token of no use is no error
		}
		events = slices.Clone(r.rows[c.ID][seen:])
	}
	events = events[min(given, len(events)):]
	page := gcal.SyncPage{Zone: "UTC", Role: model.RoleOwner}
	if r.page > 0 && len(events) > r.page {
		events = events[:r.page]
		page.Next = fmt.Sprintf("%d/%d/%d", r.epoch, changes, given+r.page)
	} else {
		page.Token = fmt.Sprintf("%d/%d", r.epoch, changes)
	}
	for _, e := range events {
		if place.Token != "" || e.Status != model.EventCancelled || e.IsOccurrence() {
			page.Events = append(page.Events, e)
		}
	}
	return page, nil
}

func (r *remote) Event(ctx context.Context, c model.Connection, ref model.EventRef,
	_ gcal.Fields) (model.Event, error) {
	defer r.leave("Event")
	err := r.enter("Event", c)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return model.Event{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.nowOf(c) {
		if e.Ref == ref && e.Status != model.EventCancelled {
			return e, nil
		}
	}
	return model.Event{}, model.Errorf(model.CodeNotFound, "there is none")
}

func (r *remote) Calendars(ctx context.Context, c model.Connection) ([]model.Calendar, error) {
	defer r.leave("Calendars")
	err := r.enter("Calendars", c)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.list), nil
}

func (r *remote) Watch(ctx context.Context, c model.Connection, _, id, token, _ string,
	_ time.Duration) (gcal.Channel, error) {
	defer r.leave("Watch")
	err := r.enter("Watch", c)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return gcal.Channel{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, used := r.watched[id]; used || len(id) > 64 || len(token) > 256 {
		return gcal.Channel{}, fmt.Errorf("a channel %q with token %q", id, token)
	}
	r.watched[id] = token
	r.watches++
	return gcal.Channel{ID: id, ResourceID: "resource", Expires: r.now().Add(r.life)}, nil
}

func (r *remote) StopWatch(ctx context.Context, c model.Connection, channel gcal.Channel) error {
	defer r.leave("StopWatch")
	err := r.enter("StopWatch", c)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, open := r.watched[channel.ID]; !open || channel.ResourceID != "resource" {
		return errors.New("no such channel")
	}
	delete(r.watched, channel.ID)
	return nil
}

// set changes what a fake does while the worker may use it.
func (r *remote) set(fn func(*remote)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	fn(r)
}

// asked counts the calls of a method.
func (r *remote) asked(call string) (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, one := range r.calls {
		if one == call {
			n++
		}
	}
	return n
}
