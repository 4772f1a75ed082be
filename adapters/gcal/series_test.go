package gcal

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	api "google.golang.org/api/calendar/v3"

	"almanac/graph/model"
	"almanac/internal/standin/calendar"
	standin "almanac/internal/standin/google"
	"almanac/projections/when"
)

// instances are the occurrences of a series as the stand-in shows them, by original start.
func (h *harness) instances(id string) map[time.Time]*api.Event {
	h.t.Helper()
	h.server.Clear()
	found := map[time.Time]*api.Event{}
	err := h.truth.Events.Instances("primary", id).MaxResults(2500).TimeMax(h.horizon.Format(time.RFC3339)).Pages(
		h.t.Context(), func(page *api.Events) error {
			for _, e := range page.Items {
				original, err := readTime(e.OriginalStartTime)
				if err != nil {
					return err
				}
				found[place(original)] = e
			}
			return nil
		})
	if err != nil && !strings.Contains(err.Error(), "404") && !strings.Contains(err.Error(), "410") {
		h.t.Fatal(err)
	}
	return found
}

// image is an occurrence without what any change of its series changes.
func image(t testing.TB, e *api.Event) string {
	t.Helper()
	same := *e
	same.Etag, same.Updated, same.Sequence = "", "", 0
	text, err := json.Marshal(same)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// past are the images of the occurrences before a cut.
func past(t testing.TB, instances map[time.Time]*api.Event, cut time.Time) map[time.Time]string {
	t.Helper()
	images := map[time.Time]string{}
	for at, e := range instances {
		if at.Before(cut) {
			images[at] = image(t, e)
		}
	}
	return images
}

func samePast(t testing.TB, before, after map[time.Time]string) {
	t.Helper()
	for at, want := range before {
		if got := after[at]; got != want {
			t.Errorf("%v was changed:\nbefore %s\nafter  %s", at, want, got)
		}
	}
	if len(before) != len(after) {
		t.Errorf("%d occurrences were before the cut, now %d", len(before), len(after))
	}
}

// disturbed is a random series with occurrences that were moved, renamed and cancelled, some over the cut.
type disturbed struct {
	*harness
	series model.Event
	cut    time.Time
	at     int // of the cut among the occurrences
	starts []time.Time
	zone   *time.Location
}

func disturb(t *testing.T, random *rand.Rand) disturbed {
	t.Helper()
	e := randomSeries(random)
	h := newHarness(t, builder{zone: e.CalendarZone, switches: calendar.Switches{DropOrphans: random.IntN(2) == 0}})
	e.Summary, e.Description = "Training", "as ever"
	d := disturbed{harness: h, starts: occurrences(e), series: h.make(e)}
	d.zone = h.zoneOr(e.CalendarZone)
	d.at = random.IntN(len(d.starts))
	d.cut = d.starts[d.at]
	d.horizon = d.starts[len(d.starts)-1].Add(12 * 24 * time.Hour) // as far as one may have been moved
	for range 3 {
		n := max(0, min(len(d.starts)-1, d.at+random.IntN(7)-3))
		ref := d.ref(n)
		switch random.IntN(3) {
		case 0:
			if _, err := h.Delete(t.Context(), h.connection, ref, ChangeOptions{}); err != nil {
				t.Fatal(err)
			}
		case 1:
			if _, err := h.Patch(t.Context(), h.connection, ref, Patch{Summary: ptr(fmt.Sprint("renamed ", n))},
				ChangeOptions{}); err != nil && model.CodeOf(err) != model.CodeNotFound {
				t.Fatal(err)
			}
		default:
			moved := d.cut.Add(time.Duration(random.IntN(20)-10) * 24 * time.Hour)
			start, end := d.time(moved), d.time(moved.Add(time.Hour))
			if e.Start.AllDay() {
				end.Date = start.Date.AddDays(1)
			}
			if _, err := h.Patch(t.Context(), h.connection, ref, Patch{Start: &start, End: &end}, ChangeOptions{}); err != nil &&
				model.CodeOf(err) != model.CodeNotFound {
				t.Fatal(err)
			}
		}
	}
	return d
}

// time gives an instant the form of the series.
func (d disturbed) time(at time.Time) model.EventTime {
	if d.series.Start.AllDay() {
		return model.EventTime{Date: model.DateOf(at)}
	}
	return model.EventTime{At: at, Zone: d.series.Start.Zone}
}

func (d disturbed) ref(n int) model.EventRef {
	layout := lineInstant
	if d.series.Start.AllDay() {
		layout = lineDate
	}
	return d.series.Ref.CalendarRef().Event(d.series.Ref.Event + "_" + d.starts[n].Format(layout))
}

func (d disturbed) name() string {
	return fmt.Sprintf("%v from %s cut at %v", d.series.Recurrence, shown(d.series.Start), d.cut)
}

func TestTruncateKeepsThePast(t *testing.T) {
	random := rand.New(rand.NewPCG(21, 22))
	for range 40 {
		d := disturb(t, random)
		before := d.instances(d.series.Ref.Event)
		want := past(t, before, d.cut)
		d.server.Reset()
		got, err := d.Truncate(t.Context(), d.connection, d.series.Ref, d.time(d.cut), ChangeOptions{Fields: FieldsAll})
		if err != nil {
			t.Fatalf("%s: %v", d.name(), err)
		}
		d.neverReplaces()
		for _, r := range d.requests("patch") {
			if r.Header.Get("If-Match") == "" || strings.Contains(string(r.Body), "summary") {
				t.Errorf("sent %s under %q", r.Body, r.Header.Get("If-Match"))
			}
		}
		after := d.instances(d.series.Ref.Event)
		samePast(t, want, past(t, after, d.cut))
		for at := range after {
			if !at.Before(d.cut) {
				t.Errorf("%v is still there", at)
			}
		}
		if (got.Before == nil) != (len(want) == 0) || got.After != nil {
			t.Errorf("%d are left, and Before is %v, After %v", len(want), got.Before, got.After)
		}
		for at, e := range before {
			changed := !at.Before(d.cut) && (e.Summary != "Training" || e.Start.DateTime != e.OriginalStartTime.DateTime ||
				e.Start.Date != e.OriginalStartTime.Date)
			if changed && !slices.Contains(got.Dropped, e.Id) {
				t.Errorf("%s was changed and dropped without a word", e.Id)
			}
		}
		if t.Failed() {
			t.Fatal(d.name())
		}
	}
}

func TestPatchFollowingKeepsThePast(t *testing.T) {
	random := rand.New(rand.NewPCG(31, 32))
	split, refused := 0, 0
	for range 40 {
		d := disturb(t, random)
		before := d.instances(d.series.Ref.Event)
		target := before[d.cut]
		if target == nil {
			continue // it was cancelled
		}
		want := past(t, before, d.cut)
		patch := Patch{Summary: ptr("Changed")}
		var by time.Duration
		if random.IntN(2) == 0 { // by a time of day only, which every rule can follow
			start, end := d.time(d.cut), d.time(d.cut)
			if d.series.Start.AllDay() {
				end.Date = end.Date.AddDays(2)
			} else {
				by = time.Duration(random.IntN(9)-4) * 15 * time.Minute
				start.At = when.Instant(readingOf(d.cut, d.zone).Add(by), d.zone)
				end.At = start.At.Add(20 * time.Minute)
			}
			patch.Start, patch.End = &start, &end
		}
		d.server.Reset()
		got, err := d.PatchFollowing(t.Context(), d.connection, d.ref(d.at), patch,
			ChangeOptions{Fields: FieldsAll, NewSourceID: d.newID()})
		d.neverReplaces()
		if model.CodeOf(err) == model.CodeBadUserInput { // a rule that cannot go on from here, such as the 31st
			refused++
			samePast(t, past(t, before, time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)),
				past(t, d.instances(d.series.Ref.Event), time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)))
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", d.name(), err)
		}
		if len(want) == 0 {
			if got.Before != nil || got.After == nil || got.After.Ref != d.series.Ref || got.After.Summary != "Changed" {
				t.Errorf("%s: nothing was before the cut, and this came of it: %+v", d.name(), got)
			}
			continue
		}
		split++
		if got.Before == nil || got.Before.Ref != d.series.Ref || got.After == nil || got.After.Ref == d.series.Ref {
			t.Fatalf("%s: got %+v", d.name(), got)
		}
		samePast(t, want, d.remaining(d.cut))
		after := d.instances(got.After.Ref.Event)
		var starts []time.Time
		for at, e := range after {
			starts = append(starts, at)
			if e.Description != "as ever" {
				t.Errorf("%v says %q", at, e.Description)
			}
		}
		slices.SortFunc(starts, time.Time.Compare)
		// what was cancelled stays so
		left := slices.DeleteFunc(slices.Clone(d.starts[d.at:]), func(at time.Time) bool { return before[at] == nil })
		for i, at := range left {
			if i >= len(starts) {
				if at.Add(13 * 24 * time.Hour).Before(d.horizon) {
					t.Errorf("%v is lost", at)
				}
				break
			}
			old := at
			if !d.series.Start.AllDay() {
				at = when.Instant(readingOf(at, d.zone).Add(by), d.zone)
			}
			if !starts[i].Equal(at) {
				t.Errorf("occurrence %d of the new series is at %v, want %v", i, starts[i], at)
				break
			}
			d.keptOwn(before[old], after[at], at, "Changed", old.Equal(d.cut), old.Equal(d.cut) && patch.Start != nil)
		}
		if len(got.Dropped) > 0 {
			t.Errorf("dropped %v", got.Dropped)
		}
		for _, id := range got.Replaced {
			if d.stored(id).Status != "cancelled" {
				t.Errorf("%s is still there, and replaced", id)
			}
		}
		if t.Failed() {
			t.Fatal(d.name(), got.Before.Recurrence, got.After.Recurrence, shown(got.After.Start))
		}
	}
	if split < 15 {
		t.Errorf("only %d series were split, %d refused", split, refused)
	}
}

// remaining are the images of what is left of the old series; it holds nothing beyond the cut.
func (d disturbed) remaining(cut time.Time) map[time.Time]string {
	d.t.Helper()
	left := d.instances(d.series.Ref.Event)
	for at := range left {
		if !at.Before(cut) {
			d.t.Errorf("%v is still in the old series", at)
		}
	}
	return past(d.t, left, cut)
}

func TestSplitContinuesTheSeries(t *testing.T) {
	h := newHarness(t, builder{})
	h.add("bob@example.com", "UTC")
	e := h.event("Training", "RRULE:FREQ=WEEKLY;BYDAY=SU;COUNT=8")
	e.Description, e.Location, e.ColorID, e.Visibility = "as ever", "Hall", "7", model.VisibilityPrivate
	e.Attendees = []model.Attendee{{Email: me, Status: model.Accepted}, {Email: "bob@example.com", Status: model.Accepted}}
	e.Reminders.Overrides = []model.Reminder{{Method: model.RemindByPopup, Minutes: 0}}
	made, _, err := h.Insert(t.Context(), h.connection, "",
		NewEvent{Event: e, SourceID: h.newID(), SetReminders: true, Meeting: true, Fields: FieldsAll})
	if err != nil {
		t.Fatal(err)
	}
	fourth := made.Ref.CalendarRef().Event(made.Ref.Event + "_20261213T160000Z")
	sixth := made.Ref.CalendarRef().Event(made.Ref.Event + "_20261227T160000Z")
	if _, err := h.Patch(t.Context(), h.connection, sixth, Patch{Summary: ptr("Special")}, ChangeOptions{}); err != nil {
		t.Fatal(err)
	}
	// The fourth itself was moved: the new series begins where its rule says.
	moved, movedEnd := timed(t, "2026-12-14T16:00:00Z", "Asia/Jerusalem"),
		timed(t, "2026-12-14T17:00:00Z", "Asia/Jerusalem")
	if _, err := h.Patch(t.Context(), h.connection, fourth, Patch{Start: &moved, End: &movedEnd},
		ChangeOptions{}); err != nil {
		t.Fatal(err)
	}
	got, err := h.PatchFollowing(t.Context(), h.connection, fourth, Patch{Location: ptr("Park"), Answer: ptr(model.Maybe)},
		ChangeOptions{Fields: FieldsAll, NewSourceID: "split00001"})
	if err != nil {
		t.Fatal(err)
	}
	after := got.After
	if after.Ref.Event != "split00001" || after.Summary != "Training" || after.Location != "Park" ||
		after.Description != "as ever" || after.ColorID != "7" || after.Visibility != model.VisibilityPrivate {
		t.Errorf("the new series is %+v", after)
	}
	if !after.Start.At.Equal(at(t, "2026-12-13T16:00:00Z")) || !after.End.At.Equal(at(t, "2026-12-13T17:00:00Z")) ||
		after.Start.Zone != "Asia/Jerusalem" {
		t.Errorf("it starts %s and ends %s", shown(after.Start), shown(after.End))
	}
	if len(after.Recurrence) != 1 || !strings.Contains(after.Recurrence[0], "COUNT=5") {
		t.Errorf("it repeats %v", after.Recurrence)
	}
	if !sameReminders(e.Reminders, after.Reminders) || after.MeetingURL != made.MeetingURL || after.MeetingURL == "" {
		t.Errorf("reminders %+v, meeting %q instead of %q", after.Reminders, after.MeetingURL, made.MeetingURL)
	}
	if ownAnswer(after.Attendees, me) != model.Maybe || ownAnswer(after.Attendees, "bob@example.com") == "" ||
		len(after.Attendees) != 2 {
		t.Errorf("attendees %+v", after.Attendees)
	}
	if !slices.Contains(got.Replaced, sixth.Event) || !slices.Contains(got.Replaced, fourth.Event) ||
		len(got.Replaced) != 2 || len(got.Dropped) != 0 {
		t.Errorf("replaced %v, dropped %v", got.Replaced, got.Dropped)
	}
	// What was moved by itself stays where it was moved to, and what was renamed keeps its name.
	kept := h.instances("split00001")
	if e := kept[at(t, "2026-12-13T16:00:00Z")]; e == nil || e.Start.DateTime != "2026-12-14T18:00:00+02:00" ||
		e.Location != "Park" {
		t.Errorf("the moved one is %+v", e)
	}
	if e := kept[at(t, "2026-12-27T16:00:00Z")]; e == nil || e.Summary != "Special" || e.Location != "Park" {
		t.Errorf("the renamed one is %+v", e)
	}
	if got.Before.Recurrence[0] != "RRULE:FREQ=WEEKLY;BYDAY=SU;UNTIL=20261213T155959Z" {
		t.Errorf("the old one repeats %v", got.Before.Recurrence)
	}
	if mails := h.service.Notifications(); len(mails) != 0 {
		t.Errorf("mail was sent though nobody asked: %+v", mails)
	}
}

func TestTruncateByHand(t *testing.T) {
	h := newHarness(t, builder{})
	weekly := func(lines ...string) model.Event { return h.make(h.event("Training", lines...)) }
	second, first := timed(t, "2026-11-29T16:00:00Z", ""), timed(t, "2026-11-22T16:00:00Z", "")

	t.Run("the first occurrence takes the series with it", func(t *testing.T) {
		series := weekly("RRULE:FREQ=WEEKLY;BYDAY=SU")
		got, err := h.Truncate(t.Context(), h.connection, series.Ref, first, ChangeOptions{})
		if err != nil || got.Before != nil || got.After != nil || h.stored(series.Ref.Event).Status != "cancelled" {
			t.Errorf("got %+v, %v", got, err)
		}
	})
	t.Run("and so does the second when the first is cancelled", func(t *testing.T) {
		series := weekly("RRULE:FREQ=WEEKLY;BYDAY=SU")
		if _, err := h.Delete(t.Context(), h.connection, series.Ref.CalendarRef().Event(series.Ref.Event+"_20261122T160000Z"),
			ChangeOptions{}); err != nil {
			t.Fatal(err)
		}
		got, err := h.Truncate(t.Context(), h.connection, series.Ref, second, ChangeOptions{})
		if err != nil || got.Before != nil || h.stored(series.Ref.Event).Status != "cancelled" {
			t.Errorf("got %+v, %v", got, err)
		}
	})
	t.Run("beyond the end nothing is sent", func(t *testing.T) {
		series := weekly("RRULE:FREQ=WEEKLY;BYDAY=SU;COUNT=2")
		h.server.Reset()
		got, err := h.Truncate(t.Context(), h.connection, series.Ref, timed(t, "2027-11-22T16:00:00Z", ""),
			ChangeOptions{Fields: FieldRecurrence})
		if err != nil || got.Before == nil || got.Before.Version != series.Version || len(h.requests("patch")) != 0 {
			t.Errorf("got %+v, %v", got, err)
		}
	})
	t.Run("COUNT gives way to UNTIL, EXDATE stays", func(t *testing.T) {
		series := weekly("RRULE:FREQ=WEEKLY;BYDAY=SU;COUNT=9", "EXDATE;TZID=Asia/Jerusalem:20261206T180000")
		got, err := h.Truncate(t.Context(), h.connection, series.Ref, timed(t, "2026-12-20T16:00:00Z", ""),
			ChangeOptions{Fields: FieldRecurrence})
		if err != nil || !sameRecurrence(got.Before.Recurrence,
			[]string{"RRULE:FREQ=WEEKLY;BYDAY=SU;UNTIL=20261220T155959Z", "EXDATE;TZID=Asia/Jerusalem:20261206T180000"}) {
			t.Errorf("got %+v, %v", got.Before, err)
		}
	})
	t.Run("a stale version", func(t *testing.T) {
		series := weekly("RRULE:FREQ=WEEKLY;BYDAY=SU")
		occurrence, err := h.Event(t.Context(), h.connection,
			series.Ref.CalendarRef().Event(series.Ref.Event+"_20261129T160000Z"), 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, ref := range []model.EventRef{series.Ref, occurrence.Ref} {
			_, err = h.Truncate(t.Context(), h.connection, ref, second, ChangeOptions{IfVersion: `"1"`})
			code(t, err, model.CodeConflict)
			_, err = h.PatchFollowing(t.Context(), h.connection, ref, Patch{Summary: ptr("x")},
				ChangeOptions{IfVersion: `"1"`, NewSourceID: h.newID()})
			code(t, err, model.CodeConflict)
		}
		got, err := h.Truncate(t.Context(), h.connection, occurrence.Ref, second,
			ChangeOptions{IfVersion: occurrence.Version})
		if err != nil || got.Before == nil {
			t.Errorf("the occurrence's own version: %+v, %v", got, err)
		}
	})
	t.Run("refusals", func(t *testing.T) {
		series := weekly("RRULE:FREQ=WEEKLY;BYDAY=SU", "RRULE:FREQ=WEEKLY;BYDAY=TU")
		single := weekly()
		for name, c := range map[string]struct {
			ref  model.EventRef
			cut  model.EventTime
			code model.ErrorCode
		}{
			"two rules":      {series.Ref, second, model.CodeBadUserInput},
			"a single event": {single.Ref, second, model.CodeBadUserInput},
			"no cut":         {series.Ref, model.EventTime{}, model.CodeBadUserInput},
			"nobody":         {single.Ref.CalendarRef().Event("nobody"), second, model.CodeNotFound},
			"a date":         {weekly("RRULE:FREQ=WEEKLY;BYDAY=SU").Ref, day(t, "2026-11-29"), model.CodeBadUserInput},
		} {
			h.server.Reset()
			if _, err := h.Truncate(t.Context(), h.connection, c.ref, c.cut, ChangeOptions{}); model.CodeOf(err) != c.code {
				t.Errorf("%s: %v, want %s", name, err, c.code)
			}
			if len(h.requests("patch"))+len(h.requests("delete")) != 0 {
				t.Errorf("%s: something was changed", name)
			}
		}
		_, err := h.PatchFollowing(t.Context(), h.connection,
			series.Ref.CalendarRef().Event(series.Ref.Event+"_20261129T160000Z"), Patch{Summary: ptr("x")},
			ChangeOptions{NewSourceID: h.newID()})
		code(t, err, model.CodeBadUserInput)
		_, err = h.PatchFollowing(t.Context(), h.connection, single.Ref, Patch{Summary: ptr("x")},
			ChangeOptions{NewSourceID: h.newID()})
		code(t, err, model.CodeBadUserInput)
	})
}

// TestFollowingFromTheFirst changes the series itself, and moves all of it.
func TestFollowingFromTheFirst(t *testing.T) {
	h := newHarness(t, builder{})
	series := h.make(h.event("Training", "RRULE:FREQ=WEEKLY;BYDAY=SU;UNTIL=20270301T215959Z"))
	start, end := timed(t, "2026-11-23T15:00:00Z", "Asia/Jerusalem"), timed(t, "2026-11-23T16:30:00Z", "Asia/Jerusalem")
	for _, ref := range []string{series.Ref.Event + "_20261122T160000Z"} {
		got, err := h.PatchFollowing(t.Context(), h.connection, series.Ref.CalendarRef().Event(ref), Patch{Start: &start,
			End: &end, Summary: ptr("Chess")}, ChangeOptions{Fields: FieldsAll, NewSourceID: h.newID()})
		if err != nil || got.Before != nil || got.After.Ref != series.Ref || got.After.Start != start ||
			got.After.End != end || got.After.Summary != "Chess" {
			t.Fatalf("got %+v, %v", got, err)
		}
		if want := "RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20270302T215959Z"; got.After.Recurrence[0] != want {
			t.Errorf("it repeats %v, want %s", got.After.Recurrence, want)
		}
	}
	if rows := h.all(); len(rows) != 1 {
		t.Errorf("%d rows instead of the one series", len(rows))
	}
}

// TestASplitIsTakenBack fails the second step of a split.
func TestASplitIsTakenBack(t *testing.T) {
	for name, c := range map[string]struct {
		faults []standin.Fault
		code   model.ErrorCode
		half   bool
		rows   int
	}{
		"the old series cannot be ended": {[]standin.Fault{{Method: "calendar.events.patch", Status: 403, Domain: "calendar",
			Reason: "requiredAccessLevel"}}, model.CodeUpstreamRejected, false, 1},
		"it changed meanwhile": {[]standin.Fault{
			{Method: "calendar.events.patch", Status: 412, Reason: "conditionNotMet"}}, model.CodeConflict, false, 1},
		"503 for good": {[]standin.Fault{{Method: "calendar.events.patch", Status: 503}},
			model.CodeUpstreamUnavailable, false, 1},
		"the answer is lost": {[]standin.Fault{{Method: "calendar.events.patch", LoseAnswer: true, Times: 1}}, "",
			false, 2},
		"all answers are lost": {[]standin.Fault{{Method: "calendar.events.patch", LoseAnswer: true}}, "", false,
			2},
		"nor the new one taken back": {[]standin.Fault{
			{Method: "calendar.events.patch", Status: 403, Reason: "forbidden"},
			{Method: "calendar.events.delete", Status: 403, Reason: "forbidden"},
		}, model.CodeUpstreamRejected, true, 2},
		"nobody knows": {[]standin.Fault{
			{Method: "calendar.events.patch", Status: 500},
			{Method: "calendar.events.get", Status: 403, Reason: "forbidden", After: 2},
		}, model.CodeUpstreamUnavailable, true, 2},
		"the insert is refused": {[]standin.Fault{{Method: "calendar.events.insert", Status: 403, Reason: "quotaExceeded",
			Domain: "usageLimits"}}, model.CodeUpstreamRateLimited, false, 1},
		"its answer is lost": {[]standin.Fault{{Method: "calendar.events.insert", LoseAnswer: true, Times: 1}}, "", false,
			2},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t, builder{})
			series := h.make(h.event("Training", "RRULE:FREQ=WEEKLY;BYDAY=SU;COUNT=8"))
			want := past(t, h.instances(series.Ref.Event), at(t, "2026-12-06T16:00:00Z"))
			for _, f := range c.faults {
				h.server.Inject(f)
			}
			got, err := h.PatchFollowing(t.Context(), h.connection,
				series.Ref.CalendarRef().Event(series.Ref.Event+"_20261206T160000Z"),
				Patch{Summary: ptr("Chess")}, ChangeOptions{NewSourceID: "split00001", Fields: FieldSummary})
			code(t, err, c.code)
			if half := isHalfDone(err); half != c.half {
				t.Errorf("half done: %t, %v", half, err)
			}
			if (got.After != nil) != (c.rows == 2) {
				t.Errorf("After is %+v", got.After)
			}
			if rows := h.all(); len(rows) != c.rows {
				t.Errorf("%d rows are there, want %d", len(rows), c.rows)
			}
			samePast(t, want, past(t, h.instances(series.Ref.Event), at(t, "2026-12-06T16:00:00Z")))
			if left := len(h.instances(series.Ref.Event)); err != nil && left != 8 || err == nil && left != 2 {
				t.Errorf("%d occurrences are left of the old series after %v", left, err)
			}
		})
	}
}

func isHalfDone(err error) bool { return errors.Is(err, ErrHalfDone) }
