package storetest

import (
	"slices"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/when"
)

// zones are places whose days differ in every way there is: whole, half and quarter hours from UTC, both edges of the
// date line, summer time north and south, at midnight, by half an hour, and none.
var zones = []string{
	"UTC", "Asia/Jerusalem", "America/New_York", "Europe/London", "Europe/Berlin", "Asia/Kolkata", "Asia/Kathmandu",
	"Australia/Lord_Howe",
	"Australia/Adelaide", "Pacific/Chatham", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Pacific/Apia", "America/St_Johns",
	"America/Sao_Paulo",
	"Africa/Cairo", "Asia/Beirut", "America/Santiago", "Asia/Tehran", "Asia/Tokyo",
}

// testZones proves on many random tasks that the windows and buckets that the database computes are those of the pure
// functions that compute the flags shown.
func testZones(t *testing.T, open Open) {
	h := newFixture(t, open)
	const many = 10_000
	random := dice(50)
	tasks := make([]model.Task, many)
	for i := range tasks {
		tasks[i] = randomTask(random, h.ids.next(), noon)
		if random.IntN(3) == 0 && !tasks[i].DueAt.IsZero() {
			// Exactly on a midnight of one of the zones, or a microsecond beside it.
			zone := load(h, zones[random.IntN(len(zones))])
			y, m, d := tasks[i].DueAt.In(zone).Date()
			tasks[i].DueAt = time.Date(y, m, d, 0, 0, 0, 0, zone).Add(time.Duration(random.IntN(3)-1) * time.Microsecond).UTC()
		}
	}
	for batch := range slices.Chunk(tasks, 1000) {
		h.add(batch...)
	}
	for i, name := range zones {
		moment := when.Moment{
			Now: noon.Add(time.Duration(random.IntN(20*24*60))*time.Minute - 10*24*time.Hour), Zone: load(h, name), Locale: "en",
			WeekStart: pick(random, model.Sunday, model.Monday, model.Saturday),
		}
		day := moment.Day()
		for _, window := range []model.TaskWindow{
			model.TaskWindowToday, model.TaskWindowTomorrow, model.TaskWindowThisWeek, model.TaskWindowNext7Days,
			model.TaskWindowOverdue, model.TaskWindowUpcoming, model.TaskWindowNone,
		} {
			bounds := must(h, func() (when.Bounds, error) { return when.Window(window, moment) })
			want := []model.UUID{}
			for _, task := range tasks {
				if bounds.Holds(task.DueAt) {
					want = append(want, task.ID)
				}
			}
			where := store.TaskWhere{DueFrom: bounds.From, DueTo: bounds.To, NoDueDate: bounds.NoDueDate}
			if len(want) < many/10 || i%10 == 0 { // the large windows are only counted in most zones
				if got := h.find(where); !slices.Equal(got, want) {
					h.Fatalf("%s at %v: window %s has %d tasks, want %d", name, moment.Now, window, len(got), len(want))
				}
			}
			got := h.count(where)
			if got != len(want) {
				h.Fatalf("%s at %v: window %s counts %d tasks, want %d", name, moment.Now, window, got, len(want))
			}
			if window == model.TaskWindowOverdue {
				flagged := []model.UUID{}
				for _, task := range tasks {
					if day.Flags(task.DueAt).IsOverdue {
						flagged = append(flagged, task.ID)
					}
				}
				h.same(name+": the flag and the window OVERDUE", got, len(flagged))
			}
		}
		first, want := map[model.TaskBucket]int{}, map[model.TaskBucket][]model.UUID{}
		for _, bucket := range model.TaskBuckets() {
			first[bucket] = 50
			if i%10 == 0 {
				first[bucket] = many
			}
		}
		for _, task := range tasks {
			bucket := day.Bucket(task.DueAt, task.Recurrence != nil)
			want[bucket] = append(want[bucket], task.ID)
		}
		page := must(h, func() (store.TaskPage, error) {
			return h.Tasks(h.ctx, h.user, store.TaskQuery{
				Order: model.TaskOrder{Field: model.TaskOrderCreatedAt, Direction: model.Ascending},
				Board: &store.BoardQuery{Now: day.Now, Tomorrow: day.End, Counts: true, First: first},
			})
		})
		for _, bucket := range model.TaskBuckets() {
			if page.Board.Counts[bucket] != len(want[bucket]) ||
				!slices.Equal(taskIDs(page.Board.Rows[bucket]), want[bucket][:min(len(want[bucket]), first[bucket])]) {
				h.Fatalf("zone %d %s at %v: bucket %s counts %d and has %d rows, want %d", i, name, moment.Now, bucket,
					page.Board.Counts[bucket], len(page.Board.Rows[bucket]), len(want[bucket]))
			}
		}
	}
}

// count counts a filtered set.
func (h *fixture) count(where store.TaskWhere) int {
	h.Helper()
	return must(h, func() (store.TaskPage, error) {
		return h.Tasks(h.ctx, h.user, store.TaskQuery{Where: where, Total: true})
	}).Total
}

func load(h *fixture, name string) *time.Location {
	h.Helper()
	return must(h, func() (*time.Location, error) { return when.LoadZone(name) })
}
