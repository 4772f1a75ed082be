package storetest

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// fixture is one test's store with a user in it, a clock and a source of ids.
type fixture struct {
	*testing.T
	store.Store
	ctx   context.Context
	clock *clock
	ids   *ids
	trace *trace
	user  model.UserID
}

// noon is when the suite's clock starts.
var noon = time.Date(2026, time.November, 22, 12, 0, 0, 0, time.UTC)

// newFixture opens a fresh store for a test.
func newFixture(t *testing.T, open Open) *fixture {
	t.Helper()
	h := &fixture{T: t, ctx: t.Context(), clock: &clock{at: noon}, ids: &ids{}, trace: &trace{},
		user: model.UserIDOf("dana")}
	h.Store = open(t, Options{Now: h.clock.Now, Trace: h.trace.add})
	if _, err := h.EnsureUser(h.ctx, person("dana")); err != nil {
		t.Fatalf("EnsureUser: %v", err)
	}
	return h
}

// in returns the same fixture inside of a subtest.
func (h *fixture) in(t *testing.T) *fixture {
	inner := *h
	inner.T, inner.ctx = t, t.Context()
	return &inner
}

// as returns the same fixture seen by another user.
func (h *fixture) as(subject string) *fixture {
	h.Helper()
	other := *h
	other.user = model.UserIDOf(subject)
	if _, err := h.EnsureUser(h.ctx, person(subject)); err != nil {
		h.Fatalf("EnsureUser: %v", err)
	}
	return &other
}

func person(subject string) model.User {
	return model.User{
		ID: model.UserIDOf(subject), Subject: subject, Email: subject + "@example.com", CreatedAt: noon,
		Settings: model.Settings{TimeZone: "Asia/Jerusalem", Locale: "he", WeekStart: model.Sunday},
	}
}

// write runs fn in a transaction of the fixture's user and fails the test on an error.
func (h *fixture) write(fn func(ctx context.Context, tx store.Tx) error) {
	h.Helper()
	if err := h.Write(h.ctx, h.user, fn); err != nil {
		h.Fatalf("Write: %v", err)
	}
}

// add inserts tasks.
func (h *fixture) add(tasks ...model.Task) {
	h.Helper()
	h.write(func(ctx context.Context, tx store.Tx) error { return tx.InsertTasks(ctx, tasks) })
}

// addList inserts a list.
func (h *fixture) addList(list model.List) {
	h.Helper()
	h.write(func(ctx context.Context, tx store.Tx) error { return tx.InsertList(ctx, list) })
}

// task makes a task with a text and nothing else.
func (h *fixture) task(text string) model.Task {
	now := h.clock.Now()
	return model.Task{ID: h.ids.next(), Text: text, CreatedAt: now, UpdatedAt: now}
}

// list makes a list with items.
func (h *fixture) list(name string, items ...string) model.List {
	now := h.clock.Now()
	list := model.List{ID: h.ids.next(), Name: name, IsChecklist: true, CreatedAt: now, UpdatedAt: now}
	for i, text := range items {
		list.Items = append(list.Items,
			model.ListItem{ID: h.ids.next(), ListID: list.ID, Position: int64(i), Text: text, AddedAt: now})
	}
	return list
}

// byID reads one task; ok is whether it is there.
func (h *fixture) byID(id model.UUID, want store.TaskColumns) (task model.Task, ok bool) {
	h.Helper()
	tasks := must(h, func() ([]model.Task, error) { return h.TasksByID(h.ctx, h.user, []model.UUID{id}, want) })
	if len(tasks) == 0 {
		return model.Task{}, false
	}
	return tasks[0], true
}

// listByID reads one list whole; ok is whether it is there.
func (h *fixture) listByID(id model.UUID) (list model.List, ok bool) {
	h.Helper()
	lists := must(h, func() ([]model.List, error) {
		return h.ListsByID(h.ctx, h.user, []model.UUID{id}, store.ListRow|store.ListItems)
	})
	if len(lists) == 0 {
		return model.List{}, false
	}
	return lists[0], true
}

// head is the number of the user's last change.
func (h *fixture) head() int64 {
	h.Helper()
	return must(h, func() (int64, error) { return h.ChangeHead(h.ctx, h.user) })
}

// log returns the changes after a place as "OPERATION id".
func (h *fixture) log(after int64) []string {
	h.Helper()
	changes := must(h, func() ([]model.Change, error) { return h.Changes(h.ctx, h.user, after, nil, 10_000) })
	lines := make([]string, len(changes))
	for i, change := range changes {
		lines[i] = line(change.Operation, change.ID)
	}
	return lines
}

func line(operation model.Operation, id model.UUID) string {
	return string(operation) + " " + string(id.AppendText(nil))
}

// lines are the log lines of one operation on many.
func lines(operation model.Operation, ids ...model.UUID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = line(operation, id)
	}
	return out
}

// must fails the test on an error.
func must[V any](h *fixture, read func() (V, error)) V {
	h.Helper()
	value, err := read()
	if err != nil {
		h.Fatalf("%v", err)
	}
	return value
}

// same compares deeply and shows both sides.
func (h *fixture) same(what string, got, want any) {
	h.Helper()
	if !reflect.DeepEqual(got, want) {
		h.Errorf("%s:\n got %s\nwant %s", what, show(got), show(want))
	}
}

// fails asks for an error of a kind.
func (h *fixture) fails(what string, err, want error) {
	h.Helper()
	if !errors.Is(err, want) {
		h.Errorf("%s: got %v, want %v", what, err, want)
	}
}

func show(value any) string {
	text := fmt.Sprintf("%+v", value)
	if len(text) > 3000 {
		text = text[:3000] + "…"
	}
	return text
}

// taskIDs returns the ids of tasks in their order.
func taskIDs(tasks []model.Task) []model.UUID {
	out := make([]model.UUID, len(tasks))
	for i, task := range tasks {
		out[i] = task.ID
	}
	return out
}

func listIDs(lists []model.List) []model.UUID {
	out := make([]model.UUID, len(lists))
	for i, list := range lists {
		out[i] = list.ID
	}
	return out
}

// sorted returns the ids in ascending order; for methods that promise none.
func sorted(ids []model.UUID) []model.UUID {
	ids = slices.Clone(ids)
	slices.SortFunc(ids, compareIDs)
	return ids
}

func compareIDs(a, b model.UUID) int { return slices.Compare(a[:], b[:]) }

// clock stands still until it is moved.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// ids returns UUIDv7s in ascending order.
type ids struct {
	mu sync.Mutex
	n  uint64
}

func (s *ids) next() model.UUID {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	var id model.UUID
	binary.BigEndian.PutUint64(id[:8], uint64(noon.UnixMilli())<<16|0x7000)
	binary.BigEndian.PutUint64(id[8:], 1<<63|s.n)
	return id
}

func (s *ids) several(n int) []model.UUID {
	out := make([]model.UUID, n)
	for i := range out {
		out[i] = s.next()
	}
	return out
}

// trace keeps the batches a store sends.
type trace struct {
	mu      sync.Mutex
	batches []string
}

func (s *trace) add(sql string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.batches = append(s.batches, sql)
}

// during returns the batches that a call sent.
func (s *trace) during(call func()) []string {
	s.mu.Lock()
	s.batches = nil
	s.mu.Unlock()
	call()
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.batches)
}

// dice returns a source of random numbers that is the same in every run.
func dice(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)) }

func pick[V any](random *rand.Rand, values ...V) V { return values[random.IntN(len(values))] }

// words are the texts of random tasks: English and Hebrew, with and without niqqud and final letters, and LIKE's
// wildcards.
var words = strings.Fields(
	"Call mom buy Milk bread 100% of_it résumé RESUME straße לקנות חָלָב חלב שלום שָׁלוֹם ירקות לחם Ω ñandú call MILK")

// randomTask makes a task with any combination of its parts. Times lie within 40 days around a moment, some of them
// exactly on a midnight or hour.
func randomTask(random *rand.Rand, id model.UUID, around time.Time) model.Task {
	at := func() time.Time {
		t := around.Add(time.Duration(random.Int64N(int64(80*24*time.Hour))) - 40*24*time.Hour).Truncate(time.Microsecond)
		switch random.IntN(4) {
		case 0:
			t = t.Truncate(time.Hour)
		case 1:
			t = t.Truncate(30 * time.Minute)
		}
		return t
	}
	text := make([]string, 1+random.IntN(4))
	for i := range text {
		text[i] = pick(random, words...)
	}
	task := model.Task{ID: id, Text: strings.Join(text, " "), CreatedAt: at(), UpdatedAt: at()}
	task.Category = pick(random, "", "", "Home", "home", "HOME", "בית", "בַּיִת", "Work")
	if random.IntN(10) < 7 {
		task.DueAt = at()
	}
	if random.IntN(4) == 0 {
		task.Recurrence = randomRecurrence(random)
	}
	if random.IntN(3) == 0 {
		task.Reminder = time.Duration(1+random.IntN(500)) * time.Minute
		task.NextReminderAt = at()
	}
	if random.IntN(5) == 0 {
		task.RemindedAt = at()
	}
	if random.IntN(4) == 0 {
		task.CompletedAt = at()
	}
	task.NudgeCount = random.IntN(3)
	if random.IntN(5) > 0 { // others were written before there were positions
		task.Position = model.NewPosition(id)
	}
	return task
}

func randomRecurrence(random *rand.Rand) *model.Recurrence {
	rule := &model.Recurrence{Type: pick(random, model.Daily, model.Weekly, model.Monthly, model.Nudge),
		TimeZone: pick(random, "Asia/Jerusalem", "America/New_York")}
	switch rule.Type {
	case model.Nudge:
		rule.Interval = time.Duration(1+random.IntN(100)) * time.Minute
	case model.Weekly:
		rule.Time, rule.Days = "08:00", []model.Weekday{model.Sunday, model.Thursday}
	case model.Monthly:
		rule.Time, rule.DayOfMonth = "09:30", 1+random.IntN(31)
	case model.Daily:
		rule.Time = "23:59"
	}
	if random.IntN(2) == 0 {
		rule.Until = noon.Add(time.Duration(random.IntN(1000)) * time.Hour)
	}
	return rule
}

// delete deletes tasks.
func (h *fixture) delete(ids ...model.UUID) {
	h.Helper()
	h.write(func(ctx context.Context, tx store.Tx) error {
		_, err := tx.DeleteTasks(ctx, ids)
		return err
	})
}
