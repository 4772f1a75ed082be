package storetest

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/standin/recurrence"
	"almanac/projections/occur"
	"almanac/projections/when"
)

// histories is how many random histories of calendars are compared with the model. A long run has 10,000;
// bench/README.md has the commands.
var histories = flag.Int("histories", 60, "how many random histories of calendars are compared with a plain model")

// modelZones change their clocks in both hemispheres, by half an hour, at midnight, or never; some lie at the ends of
// the map.
var modelZones = []string{"UTC", "Asia/Jerusalem", "America/New_York", "Europe/Copenhagen", "Australia/Lord_Howe",
	"Pacific/Auckland", "Pacific/Kiritimati", "Pacific/Pago_Pago", "America/Havana", "Asia/Kathmandu", "Asia/Gaza",
	"America/St_Johns", "Africa/Casablanca", "Asia/Tehran", "America/Sao_Paulo", "Europe/London", "Asia/Kolkata",
	"Pacific/Chatham", "America/Los_Angeles", "Africa/Cairo"}

// testEventHistories holds what package occur lists of the store's windows to a model that knows neither: it walks days
// for the occurrences of series, and reads every row there is.
func testEventHistories(t *testing.T, open Open) {
	h := newFixture(t, open)
	shown, refused := 0, 0
	for seed := range uint64(*histories) {
		story := newHistory(h.as(fmt.Sprint("history ", seed)), seed)
		for range 3 + story.random.IntN(6) {
			story.step()
			shown += story.compare()
		}
		refused += story.refused
		if seed%500 == 499 { // a long run says how far it is
			t.Logf("%d histories, %d items compared", seed+1, shown)
		}
	}
	if shown < 20**histories {
		t.Errorf("only %d items were compared", shown)
	}
	t.Logf("%d histories, %d items compared, %d steps refused", *histories, shown, refused)
}

// history is a user's calendars as the model knows them.
type history struct {
	*fixture
	random    *rand.Rand
	seed      uint64
	rules     *occur.Rules
	calendars []model.KeptCalendar
	rows      map[model.EventKey]model.EventRow
	made      int
	refused   int
}

func newHistory(h *fixture, seed uint64) *history {
	story := &history{fixture: h, random: dice(3800 + seed), seed: seed, rules: occur.NewRules(1 << 20),
		rows: map[model.EventKey]model.EventRow{}}
	for range 1 + story.random.IntN(2) {
		story.calendars = append(story.calendars, h.addCalendar(model.KeptCalendar{Source: model.CalendarOwn,
			Zone: pick(story.random, modelZones...), State: model.CalendarKept}))
	}
	return story
}

func (s *history) zone(calendar int) *time.Location {
	return s.load(s.calendars[calendar-1].Zone)
}

func (s *history) load(name string) *time.Location {
	s.Helper()
	zone, err := when.LoadZone(name)
	if err != nil {
		s.Fatal(err)
	}
	return zone
}

func (s *history) save(rows ...model.EventRow) {
	s.Helper()
	s.saveEvents(rows...)
	for _, row := range rows {
		s.rows[row.Key()] = row
	}
}

// step does one random thing to the calendars.
func (s *history) step() {
	of, some := s.anySeries()
	switch n := s.random.IntN(10); {
	case n < 2:
		s.save(s.newRow(model.EventSingle))
	case n < 5 || !some:
		row := s.newRow(model.EventSeries)
		row.Recurrence = s.recurrence(row)
		s.saveSeries(row)
	case n < 8:
		s.except(of)
	case n < 9:
		s.cut(of)
	default:
		calendar := &s.calendars[s.random.IntN(len(s.calendars))]
		calendar.Zone = pick(s.random, modelZones...)
		s.write(func(ctx context.Context, tx store.Tx) error {
			_, err := tx.UpdateCalendar(ctx, *calendar)
			return err
		})
	}
}

// saveSeries saves a series whose recurrence the rules read.
func (s *history) saveSeries(row model.EventRow) bool {
	until, err := s.rules.LastsUntil(row, s.zone(row.Calendar))
	if err != nil {
		s.refused++
		return false
	}
	row.LastsUntil = until
	s.save(row)
	return true
}

// newRow makes an event of a random form, often in the hours in which clocks change.
func (s *history) newRow(kind model.EventKind) model.EventRow {
	s.made++
	r := s.random
	calendar := 1 + r.IntN(len(s.calendars))
	row := single(calendar, fmt.Sprintf("%026d", s.made), time.Time{}, 0)
	row.Kind = kind
	day := time.Date(2025+r.IntN(4), time.Month(1+r.IntN(12)), 1+r.IntN(31), 0, 0, 0, 0, time.UTC)
	if r.IntN(3) == 0 { // around changes of the clock, and leap days
		day = pick(r, time.Date(2026, 3, 27, 0, 0, 0, 0, time.UTC), time.Date(2026, 10, 24, 0, 0, 0, 0, time.UTC),
			time.Date(2028, 2, 28, 0, 0, 0, 0, time.UTC), time.Date(2026, 3, 7, 0, 0, 0, 0, time.UTC),
			time.Date(2026, 4, 4, 0, 0, 0, 0, time.UTC)).AddDate(0, 0, r.IntN(3))
	}
	clock := time.Duration(r.IntN(8)) * 30 * time.Minute
	length := time.Duration(r.IntN(20)) * 15 * time.Minute
	if r.IntN(8) == 0 {
		length = time.Duration(r.IntN(100)) * time.Hour
	}
	switch r.IntN(4) {
	case 0:
		row.AllDay, row.StartsAt, length = true, day, time.Duration(1+r.IntN(4))*24*time.Hour
	case 1:
		row.Floating, row.StartsAt = true, day.Add(clock)
	default:
		zone := s.zone(calendar)
		if r.IntN(2) == 0 {
			row.Zone = pick(r, modelZones...)
			zone = s.load(row.Zone)
		}
		row.StartsAt = walked(day.Add(clock), zone)
	}
	row.EndsAt = row.StartsAt.Add(length)
	return row
}

// recurrence makes the lines of a series.
func (s *history) recurrence(row model.EventRow) []string {
	r := s.random
	rule := "RRULE:" + pick(r, "FREQ=DAILY", "FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=MO,WE,FR",
		"FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,TU;WKST=SU", "FREQ=MONTHLY", "FREQ=MONTHLY;BYMONTHDAY=-1", "FREQ=MONTHLY;BYDAY=2TU",
		"FREQ=MONTHLY;BYMONTHDAY=31", "FREQ=YEARLY", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
		"FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1")
	form := "20060102T150405Z"
	if row.AllDay {
		form = "20060102"
	}
	switch r.IntN(3) {
	case 0:
		rule += fmt.Sprintf(";COUNT=%d", 1+r.IntN(30))
	case 1:
		rule += ";UNTIL=" + row.StartsAt.AddDate(0, r.IntN(30), r.IntN(30)).Format(form)
	}
	lines := []string{rule}
	for _, name := range []string{"EXDATE:", "RDATE:"} {
		if r.IntN(4) == 0 {
			lines = append(lines, name+row.StartsAt.AddDate(0, 0, r.IntN(20)).Format(form))
		}
	}
	return lines
}

func (s *history) anySeries() (model.EventRow, bool) {
	var all []model.EventRow
	for _, row := range s.rows {
		if row.Kind == model.EventSeries {
			all = append(all, row)
		}
	}
	if len(all) == 0 {
		return model.EventRow{}, false
	}
	slices.SortFunc(all, func(a, b model.EventRow) int { return strings.Compare(a.ID, b.ID) })
	return pick(s.random, all...), true
}

// except drops, moves or restores an occurrence.
func (s *history) except(of model.EventRow) {
	all := s.originals(of)
	if len(all) == 0 {
		return
	}
	original := all[s.random.IntN(min(len(all), 40))]
	row := of
	row.ID, row.Series = model.OccurrenceID(of.ID, original, of.AllDay), of.ID
	row.OriginalAt, row.OriginalIsDay = original, of.AllDay
	row.Recurrence, row.LastsUntil = nil, time.Time{}
	length := of.EndsAt.Sub(of.StartsAt)
	switch s.random.IntN(3) {
	case 0:
		row.Kind = model.EventDropped
	case 1:
		row.Kind, row.StartsAt = model.EventChanged, original
	default:
		row.Kind = model.EventChanged
		if row.StartsAt = original.AddDate(0, 0, s.random.IntN(60)-30); !of.AllDay {
			row.StartsAt = row.StartsAt.Add(time.Duration(s.random.IntN(48)) * 30 * time.Minute)
		}
	}
	row.EndsAt = row.StartsAt.Add(length)
	s.save(row)
}

// cut ends a series before one of its occurrences, with which another one begins, as FOLLOWING does.
func (s *history) cut(of model.EventRow) {
	all := s.originals(of)
	if len(all) < 2 {
		return
	}
	at := all[1+s.random.IntN(min(len(all), 20)-1)]
	before, after := of, of
	before.Recurrence = nil
	for _, line := range of.Recurrence {
		if rest, is := strings.CutPrefix(line, "RRULE:"); is {
			parts := slices.DeleteFunc(strings.Split(rest, ";"), func(part string) bool {
				return strings.HasPrefix(part, "COUNT=") || strings.HasPrefix(part, "UNTIL=")
			})
			until := at.Add(-time.Second).UTC().Format("20060102T150405Z")
			if of.AllDay {
				until = at.AddDate(0, 0, -1).Format("20060102")
			}
			before.Recurrence = append(before.Recurrence, "RRULE:"+strings.Join(append(parts, "UNTIL="+until), ";"))
		}
	}
	if !s.saveSeries(before) {
		return
	}
	var gone []model.EventKey
	for key, row := range s.rows {
		if row.Series == of.ID && !row.OriginalAt.Before(at) {
			gone = append(gone, key)
			delete(s.rows, key)
		}
	}
	s.write(func(ctx context.Context, tx store.Tx) error {
		deleted, err := tx.DeleteEvents(ctx, gone)
		s.same("exceptions beyond the cut", len(deleted), len(gone))
		return err
	})
	s.made++
	after.ID, after.StartsAt = fmt.Sprintf("%026d", s.made), at
	after.EndsAt = at.Add(of.EndsAt.Sub(of.StartsAt))
	s.saveSeries(after)
}

// originals are all occurrences of a series up to 2032 by the walk over days, as they are kept.
func (s *history) originals(of model.EventRow) []time.Time {
	zone := s.zone(of.Calendar)
	if of.Zone != "" {
		zone = s.load(of.Zone)
	}
	if of.Floating {
		zone = time.UTC
	}
	set, err := recurrence.Parse(of.Recurrence, of.StartsAt, of.AllDay, zone)
	if err != nil {
		s.Fatalf("history %d: the walk cannot read %v: %v", s.seed, of.Recurrence, err)
	}
	all, _ := set.Between(time.Time{}, time.Date(2032, 1, 1, 0, 0, 0, 0, time.UTC), 10_000)
	return all
}

// compare lists random windows both ways, one of them a short one beside something that was kept, and returns how many
// items they had.
func (s *history) compare() int {
	s.Helper()
	shown := s.compareIn(s.window())
	var rows []model.EventRow
	for _, row := range s.rows {
		rows = append(rows, row)
	}
	if len(rows) > 0 {
		slices.SortFunc(rows, func(a, b model.EventRow) int { return strings.Compare(a.ID, b.ID) })
		from := pick(s.random, rows...).EndsAt.Add(time.Duration(s.random.IntN(60)-32) * 30 * time.Minute)
		shown += s.compareIn(from, from.Add(time.Duration(1+s.random.IntN(40))*30*time.Minute))
	}
	return shown
}

// window is a random one of up to some weeks, mostly soon after the start of a series.
func (s *history) window() (from, to time.Time) {
	from = time.Date(2025, 6, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(s.random.IntN(4*365*24*2)) * 30 * time.Minute)
	if of, some := s.anySeries(); some && s.random.IntN(3) > 0 {
		from = of.StartsAt.Add(time.Duration(s.random.IntN(20*24)-5*24) * time.Hour)
	}
	return from, from.Add(time.Duration(1+s.random.IntN(45*24)) * time.Hour)
}

func (s *history) compareIn(from, to time.Time) int {
	s.Helper()
	var numbers []int
	for _, calendar := range s.calendars {
		numbers = append(numbers, calendar.Number)
	}
	window := store.EventWindow{Calendars: numbers, From: from.Add(-occur.Slack), To: to.Add(occur.Slack)}
	query := occur.Query{From: from, To: to, Zone: s.zone}
	found := must(s.fixture, func() (store.EventsBetween, error) { return s.EventsBetween(s.ctx, s.user, window) })
	items, more := s.rules.List(found.Events, query).All(occur.MaxItems)
	got, want := shownItems(items), s.expected(from, to)
	if more || !slices.Equal(got, want) {
		s.Fatalf("history %d, from %v to %v, more %v:\n got %s\nwant %s\nrows %s", s.seed, from, to, more,
			strings.Join(got, "\n     "), strings.Join(want, "\n     "), show(s.rows))
	}
	// A page is the beginning of it.
	window.Limit = 1 + s.random.IntN(5)
	found = must(s.fixture, func() (store.EventsBetween, error) { return s.EventsBetween(s.ctx, s.user, window) })
	query.Cut = found.Cut
	items, more = s.rules.List(found.Events, query).All(occur.MaxItems)
	part := shownItems(items)
	if len(part) > len(want) || !slices.Equal(part, want[:len(part)]) || !more && len(part) < len(want) {
		s.Fatalf("history %d, from %v to %v, a limit of %d, cut at %v, more %v:\n got %s\nof %s", s.seed, from, to,
			window.Limit, found.Cut, more, strings.Join(part, "\n    "), strings.Join(want, "\n    "))
	}
	return len(want)
}

func shownItems(items []occur.Item) []string {
	out := make([]string, len(items))
	for i, item := range items {
		out[i] = shownItem(item.Start, item.End, item.ID())
	}
	return out
}

func shownItem(start, end time.Time, id string) string {
	const form = "2006-01-02T15:04:05Z"
	return start.UTC().Format(form) + " " + end.UTC().Format(form) + " " + id
}

// expected is what takes place, by every row and every day.
func (s *history) expected(from, to time.Time) []string {
	var out []string
	add := func(row model.EventRow, start, end time.Time, id string) {
		zone := s.zone(row.Calendar)
		switch {
		case row.AllDay:
			start, end = dayBegins(start, zone), dayBegins(end, zone)
		case row.Floating:
			start, end = walked(start, zone), walked(end, zone)
		}
		if start.Before(to) && (end.After(from) || !start.Before(from)) {
			out = append(out, shownItem(start, end, id))
		}
	}
	for _, row := range s.rows {
		switch row.Kind {
		case model.EventSingle, model.EventChanged:
			add(row, row.StartsAt, row.EndsAt, row.ID)
		case model.EventSeries:
			for _, original := range s.originals(row) {
				id := model.OccurrenceID(row.ID, original, row.AllDay)
				if _, is := s.rows[model.EventKey{Calendar: row.Calendar, ID: id}]; !is {
					add(row, original, original.Add(row.EndsAt.Sub(row.StartsAt)), id)
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b string) int { // by start, then by id
		x, y := strings.Fields(a), strings.Fields(b)
		return strings.Compare(x[0]+x[2], y[0]+y[2])
	})
	return out
}

const quarter = 15 * time.Minute

// showing is what clocks in a zone show at an instant, as if in UTC.
func showing(at time.Time, zone *time.Location) time.Time {
	_, offset := at.In(zone).Zone()
	return at.Add(time.Duration(offset) * time.Second).UTC()
}

// walked is the first instant at which clocks show a reading, looked for by quarters of an hour; of one that they skip,
// what it would be by the clock before.
func walked(reading time.Time, zone *time.Location) time.Time {
	before := reading.Add(-26 * time.Hour)
	for at := before; !at.After(reading.Add(26 * time.Hour)); at = at.Add(quarter) {
		switch shown := showing(at, zone); {
		case shown.Equal(reading):
			return at
		case shown.Before(reading):
			before = at
		}
	}
	return before.Add(reading.Sub(showing(before, zone)))
}

// dayBegins is when a day begins for good, looked for by quarters of an hour.
func dayBegins(midnight time.Time, zone *time.Location) time.Time {
	last := midnight.Add(-26 * time.Hour)
	for at := last; !at.After(midnight.Add(26 * time.Hour)); at = at.Add(quarter) {
		if showing(at, zone).Before(midnight) {
			last = at
		}
	}
	return last.Add(quarter)
}
