package occur_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections/occur"
	"almanac/projections/when"
)

const clockForm, instantForm = "20060102T150405", "20060102T150405Z"

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	loaded, err := when.LoadZone(name)
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

func reads(t testing.TB, form, text string) time.Time {
	t.Helper()
	at, err := time.Parse(form, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func in(where *time.Location) func(int) *time.Location {
	return func(int) *time.Location { return where }
}

// TestAgreesWithDateutil compares with a table of another implementation, made by testdata/table.py.
func TestAgreesWithDateutil(t *testing.T) {
	t.Parallel()
	table, err := os.ReadFile("testdata/dateutil.txt")
	if err != nil {
		t.Fatal(err)
	}
	rules, compared, shown := occur.NewRules(occur.DefaultRules), 0, 0
	for line := range strings.Lines(string(table)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "|")
		rows, name := rowsOf(t, cells)
		items, more := rules.List(rows, occur.Query{From: reads(t, instantForm, cells[8]),
			To: reads(t, instantForm, cells[9]), Zone: in(zone(t, cells[0]))}).All(occur.MaxItems)
		var got []string
		for _, item := range items {
			got = append(got, item.Start.Format(instantForm)+"/"+item.End.Format(instantForm)+"/"+name(item))
		}
		if strings.Join(got, " ") != cells[10] || more {
			t.Errorf("%s:\n got %s\nwant %s", strings.Join(cells[:10], "|"), strings.Join(got, " "), cells[10])
		}
		compared++
		shown += len(items)
	}
	if compared != 400 || shown < 700 {
		t.Errorf("%d rows with %d items", compared, shown)
	}
}

// rowsOf are the series and the exceptions of a row of the table, and how it names items.
func rowsOf(t *testing.T, cells []string) (rows []model.EventRow, name func(occur.Item) string) {
	t.Helper()
	where := zone(t, cells[0])
	if cells[2] != "" {
		where = zone(t, cells[2])
	}
	day, floating := cells[1] == "day", cells[1] == "floating"
	at := func(clock string) time.Time {
		wall := reads(t, clockForm, clock)
		if day || floating {
			return wall
		}
		return when.Instant(wall, where)
	}
	minutes, err := strconv.Atoi(cells[4])
	if err != nil {
		t.Fatal(err)
	}
	length := time.Duration(minutes) * time.Minute
	series := model.EventRow{Calendar: 1, ID: "series", Kind: model.EventSeries, StartsAt: at(cells[3]), AllDay: day,
		Floating: floating, Zone: cells[2], Recurrence: []string{"RRULE:" + cells[5]}}
	series.EndsAt = series.StartsAt.Add(length)
	if excluded := strings.Fields(cells[6]); len(excluded) > 0 {
		if day {
			for i := range excluded {
				excluded[i] = excluded[i][:len("20060102")]
			}
		}
		series.Recurrence = append(series.Recurrence, "EXDATE:"+strings.Join(excluded, ","))
	}
	names := map[string]string{}
	rows = append(rows, series)
	for _, exception := range strings.Fields(cells[7]) {
		original, moved, _ := strings.Cut(exception, ">")
		row := series
		row.Kind, row.Recurrence, row.Series = model.EventDropped, nil, series.ID
		row.OriginalAt, row.OriginalIsDay = at(original), day
		row.ID = model.OccurrenceID(series.ID, row.OriginalAt, day)
		if moved != "-" {
			row.Kind, row.StartsAt = model.EventChanged, at(moved)
			row.EndsAt = row.StartsAt.Add(length)
		}
		names[row.ID] = "!" + original
		rows = append(rows, row)
	}
	return rows, func(item occur.Item) string {
		if !item.Occurrence {
			return names[item.Row.ID]
		}
		if day || floating {
			return item.Original.Format(clockForm)
		}
		return item.Original.In(where).Format(clockForm)
	}
}

// TestBounds: a listing ends after MaxItems and says so, and works out no more than is read.
func TestBounds(t *testing.T) {
	t.Parallel()
	start := time.Date(2000, 1, 1, 9, 0, 0, 0, time.UTC)
	var rows []model.EventRow
	for i := range 3 {
		rows = append(rows, model.EventRow{Calendar: 1, ID: fmt.Sprint("s", i), Kind: model.EventSeries, StartsAt: start,
			EndsAt: start.Add(time.Hour), Recurrence: []string{"RRULE:FREQ=DAILY"}})
	}
	rules := occur.NewRules(occur.DefaultRules)
	query := occur.Query{From: start, To: start.AddDate(300, 0, 0), Zone: in(time.UTC)}
	items, more := rules.List(rows, query).All(1 << 30)
	if len(items) != occur.MaxItems || !more {
		t.Errorf("%d items, more %v", len(items), more)
	}
	if items, more = rules.List(rows, query).All(7); len(items) != 7 || !more {
		t.Errorf("a page of 7 has %d items, more %v", len(items), more)
	}
	query.To = start.AddDate(0, 0, 2)
	if items, more = rules.List(rows, query).All(6); len(items) != 6 || more {
		t.Errorf("a page that is all has %d items, more %v", len(items), more)
	}
}

// TestWhatCannotBeReadIsNamed: a recurrence that is refused hides nothing else.
func TestWhatCannotBeReadIsNamed(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	rows := []model.EventRow{
		{Calendar: 1, ID: "hourly", Kind: model.EventSeries, StartsAt: start, EndsAt: start,
			Recurrence: []string{"RRULE:FREQ=HOURLY"}},
		{Calendar: 1, ID: "changed", Kind: model.EventChanged, Series: "hourly", OriginalAt: start, StartsAt: start,
			EndsAt: start},
	}
	list := occur.NewRules(occur.DefaultRules).List(rows,
		occur.Query{From: start.Add(-time.Hour), To: start.Add(time.Hour), Zone: in(time.UTC)})
	items, more := list.All(10)
	if len(items) != 1 || items[0].ID() != "changed" || more {
		t.Errorf("%v %v", items, more)
	}
	if refused := list.Refused(); !slices.Equal(refused, []model.EventKey{{Calendar: 1, ID: "hourly"}}) {
		t.Errorf("refused %v", refused)
	}
}

// TestRulesAreKeptByContent: a series that changes is never shown as it was, and what is kept is bounded.
func TestRulesAreKeptByContent(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	rules := occur.NewRules(20_000) // some ten rules
	row := model.EventRow{Calendar: 1, ID: "s", Kind: model.EventSeries, StartsAt: start, EndsAt: start.Add(time.Hour)}
	count := func(zoneName string) int {
		items, _ := rules.List([]model.EventRow{row}, occur.Query{From: start.AddDate(0, 0, -2), To: start.AddDate(0, 0, 9),
			Zone: in(zone(t, zoneName))}).All(100)
		return len(items)
	}
	for round := range 3 {
		for n := 1; n <= 9; n++ {
			row.Recurrence = []string{fmt.Sprintf("RRULE:FREQ=DAILY;COUNT=%d", n)}
			if got := count("UTC"); got != n {
				t.Fatalf("round %d: %d occurrences, want %d", round, got, n)
			}
		}
		for i := range 50 { // as many others, which push them out
			row.Recurrence = []string{fmt.Sprintf("RRULE:FREQ=DAILY;COUNT=3;INTERVAL=%d", i+1)}
			count("UTC")
		}
	}
	row.Recurrence, row.AllDay, row.StartsAt, row.EndsAt = []string{"RRULE:FREQ=DAILY;COUNT=2"}, true,
		start.Truncate(24*time.Hour), start.Truncate(24*time.Hour).AddDate(0, 0, 1)
	items := func(zoneName string) string {
		all, _ := rules.List([]model.EventRow{row}, occur.Query{From: start.AddDate(0, 0, -2), To: start.AddDate(0, 0, 9),
			Zone: in(zone(t, zoneName))}).All(100)
		return all[0].Start.Format(time.RFC3339) + " " + all[0].ID()
	}
	if a, b := items("Asia/Jerusalem"), items("America/New_York"); a != "2026-11-21T22:00:00Z s_20261122" ||
		b != "2026-11-22T05:00:00Z s_20261122" {
		t.Errorf("a day in two zones: %s, %s", a, b)
	}
}

func TestLastsUntil(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	rules := occur.NewRules(occur.DefaultRules)
	for line, want := range map[string]string{
		"RRULE:FREQ=DAILY;COUNT=3": "2026-11-24T10:00:01Z", "RRULE:FREQ=DAILY": "0001-01-01T00:00:00Z",
		"RRULE:FREQ=DAILY;UNTIL=20261130T090000Z": "2026-11-30T10:00:01Z",
		"RDATE:20261201T090000Z":                  "2026-12-01T10:00:01Z",
	} {
		until, err := rules.LastsUntil(model.EventRow{Kind: model.EventSeries, StartsAt: start, EndsAt: start.Add(time.Hour),
			Recurrence: []string{line}}, time.UTC)
		if err != nil || until.Format(time.RFC3339) != want {
			t.Errorf("%s: %v %v, want %s", line, until, err, want)
		}
	}
	if _, err := rules.LastsUntil(model.EventRow{StartsAt: start, Recurrence: []string{"RRULE:FREQ=HOURLY"}},
		time.UTC); model.CodeOf(err) != model.CodeBadUserInput {
		t.Errorf("a rule that is not read: %v", err)
	}
}

// TestAListingAllocatesForWhatIsRead: of rules that are kept, and of occurrences that nobody reads, nothing is made.
func TestAListingAllocatesForWhatIsRead(t *testing.T) {
	start := time.Date(2020, 1, 6, 9, 0, 0, 0, time.UTC)
	var rows []model.EventRow
	for i := range 300 {
		at := start.Add(time.Duration(i) * time.Minute)
		rows = append(rows, model.EventRow{Calendar: 1, ID: fmt.Sprintf("%026d", i), Kind: model.EventSeries, StartsAt: at,
			EndsAt: at.Add(time.Hour), Recurrence: []string{"RRULE:FREQ=WEEKLY"}})
	}
	rules := occur.NewRules(occur.DefaultRules)
	from := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
	list := func(days int) float64 {
		return testing.AllocsPerRun(5, func() {
			if items, more := rules.List(rows, occur.Query{From: from, To: from.AddDate(0, 0, days),
				Zone: in(time.UTC)}).All(50); len(items) != 50 || !more {
				t.Fatalf("%d items, more %v", len(items), more)
			}
		})
	}
	short, long := list(7), list(3000)
	if long > short+5 {
		t.Errorf("50 of 3,000 days cost %v allocations, 50 of 7 days %v", long, short)
	}
	const most = 16 // for each series
	if short > most*300 {
		t.Errorf("%v allocations for 300 series", short)
	}
}

func BenchmarkList(b *testing.B) {
	start := time.Date(2020, 1, 6, 9, 0, 0, 0, time.UTC)
	var rows []model.EventRow
	forms := []string{"RRULE:FREQ=DAILY", "RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "RRULE:FREQ=WEEKLY",
		"RRULE:FREQ=MONTHLY",
		"RRULE:FREQ=WEEKLY;INTERVAL=2", "RRULE:FREQ=WEEKLY", "RRULE:FREQ=YEARLY", "RRULE:FREQ=MONTHLY;BYDAY=2TU",
		"RRULE:FREQ=WEEKLY", "RRULE:FREQ=WEEKLY"}
	for i := range 300 {
		at := start.Add(time.Duration(i) * time.Minute)
		rows = append(rows, model.EventRow{Calendar: 1, ID: fmt.Sprintf("%026d", i), Kind: model.EventSeries, StartsAt: at,
			EndsAt: at.Add(time.Hour), Recurrence: forms[i%len(forms) : i%len(forms)+1]})
	}
	rules := occur.NewRules(occur.DefaultRules)
	from := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
	where := zone(b, "Asia/Jerusalem")
	b.ReportAllocs()
	for b.Loop() {
		if items, _ := rules.List(rows, occur.Query{From: from, To: from.AddDate(0, 0, 30), Zone: in(where)}).All(50); len(
			items) != 50 {
			b.Fatal(len(items))
		}
	}
}
