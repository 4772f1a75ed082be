package owncal_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/adapters/gcal"
	"almanac/adapters/owncal"
	"almanac/adapters/store"
	"almanac/adapters/store/dry"
	"almanac/adapters/store/postgres"
	"almanac/adapters/store/sqlite"
	"almanac/graph/model"
	"almanac/internal/dryrun"
	"almanac/internal/teststore"
	"almanac/projections/occur"
)

var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// scene is one user with a calendar.
type scene struct {
	*testing.T
	*owncal.Client
	ctx      context.Context
	account  model.Connection
	calendar model.KeptCalendar
	made     int
}

func onBoth(t *testing.T, test func(s *scene)) {
	t.Helper()
	for name, open := range map[string]func(*testing.T) store.Store{"sqlite": openSQLite, "postgres": openPostgres} {
		t.Run(name, func(t *testing.T) { test(newScene(t, dry.Store{Store: open(t)})) })
	}
}

func openSQLite(t *testing.T) store.Store {
	s, err := sqlite.Open(t.Context(), sqlite.Options{Path: teststore.SQLite(t)})
	if err != nil {
		t.Fatal(err)
	}
	ready(t, s.Migrate, s.Close)
	return s
}

func openPostgres(t *testing.T) store.Store {
	s, err := postgres.Open(t.Context(), postgres.Options{URL: teststore.Postgres(t)})
	if err != nil {
		t.Fatal(err)
	}
	ready(t, s.Migrate, s.Close)
	return s
}

func ready(t *testing.T, migrate func(context.Context) error, end func() error) {
	t.Cleanup(func() {
		if err := end(); err != nil {
			t.Error(err)
		}
	})
	if err := migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func newScene(t *testing.T, s store.Store) *scene {
	user := model.UserID{1}
	sc := &scene{T: t, ctx: t.Context(), account: owncal.Connection(user),
		Client: &owncal.Client{Store: s, Rules: occur.NewRules(occur.DefaultRules), Now: func() time.Time { return noon }}}
	var err error
	sc.calendar, err = sc.CreateCalendar(sc.ctx, user, owncal.NewCalendar{Summary: " Home ", TimeZone: "Asia/Jerusalem"})
	sc.ok(err)
	return sc
}

func (s *scene) ok(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *scene) fails(err error, code model.ErrorCode) {
	s.Helper()
	if model.CodeOf(err) != code {
		s.Errorf("got %v, want %s", err, code)
	}
}

func (s *scene) same(what, got, want string) {
	s.Helper()
	if got != want {
		s.Errorf("%s:\n got %s\nwant %s", what, got, want)
	}
}

func (s *scene) id() string {
	s.made++
	return model.OwnEventID(model.UUID{15: byte(s.made)})
}

// at reads a time of the calendar's clocks in November 2026, as "23 09:00".
func (s *scene) at(text string) time.Time {
	s.Helper()
	zone, err := time.LoadLocation(s.calendar.Zone)
	s.ok(err)
	at, err := time.ParseInLocation("2006-01 2 15:04", "2026-11 "+text, zone)
	s.ok(err)
	return at.UTC()
}

func (s *scene) time(text string) model.EventTime {
	return model.EventTime{At: s.at(text), Zone: s.calendar.Zone}
}

// add adds an event of an hour; rule may be empty.
func (s *scene) add(summary, start, rule string) model.Event {
	s.Helper()
	e := model.Event{Summary: summary, Start: s.time(start), End: s.time(start)}
	if e.End.At = e.End.At.Add(time.Hour); rule != "" {
		e.Recurrence = []string{rule}
	}
	made, existed, err := s.Insert(s.ctx, s.account, s.calendar.Ref().Calendar, gcal.NewEvent{Event: e, SourceID: s.id()})
	s.ok(err)
	if existed {
		s.Error("a new event was there already")
	}
	return made
}

// shown lists the calendar from 23 November on, for so many days.
func (s *scene) shown(days int) string {
	s.Helper()
	from := s.at("23 00:00")
	listing, err := s.Events(s.ctx, s.account, s.calendar.Ref().Calendar,
		gcal.Query{From: from, To: from.AddDate(0, 0, days), Fields: gcal.FieldsAll})
	s.ok(err)
	return s.text(listing.Events)
}

func (s *scene) text(events []model.Event) string {
	s.Helper()
	zone, err := time.LoadLocation(s.calendar.Zone)
	s.ok(err)
	var out []string
	for _, e := range events {
		out = append(out, e.Start.At.In(zone).Format("2 15:04 ")+e.Summary+strings.TrimRight(" "+e.Location, " "))
	}
	return strings.Join(out, ", ")
}

// occurrence is the id of an occurrence of a series by its original start.
func (s *scene) occurrence(series model.Event, start string) model.EventRef {
	return series.Ref.CalendarRef().Event(model.OccurrenceID(series.Ref.Event, s.at(start), false))
}

func ptr[T any](of T) *T { return &of }

// log are the operations on events so far.
func (s *scene) log() string {
	s.Helper()
	changes, err := s.Store.Changes(s.ctx, s.account.User, -1, []model.ChangeType{model.ChangeEvent}, 1000)
	s.ok(err)
	var out []string
	for _, c := range changes {
		out = append(out, string(c.Operation))
	}
	return strings.Join(out, " ")
}

func TestCalendars(t *testing.T) {
	onBoth(t, func(s *scene) {
		all, err := s.Calendars(s.ctx, s.account)
		s.ok(err)
		if len(all) != 1 || all[0].Summary != "Home" || all[0].Ref != (model.CalendarRef{Calendar: "1"}) ||
			all[0].AccessRole != model.RoleOwner {
			s.Errorf("%+v", all)
		}
		first, err := s.First(s.ctx, s.account.User, owncal.NewCalendar{})
		s.ok(err)
		s.same("the first", first.Name, "Home")
		other, err := s.First(s.ctx, model.UserID{2}, owncal.NewCalendar{Summary: "Calendar", TimeZone: "UTC"})
		s.ok(err)
		s.same("made on first need", other.Name, "Calendar")
		_, changed, err := s.UpdateCalendar(s.ctx, s.account.User, first.Ref(),
			owncal.CalendarPatch{Summary: ptr("House"), TimeZone: ptr("UTC"), IfVersion: first.Version})
		s.ok(err)
		s.same("renamed", changed.Name+" "+changed.Zone, "House UTC")
		_, _, err = s.UpdateCalendar(s.ctx, s.account.User, first.Ref(), owncal.CalendarPatch{IfVersion: first.Version})
		s.fails(err, model.CodeConflict)
		for _, bad := range []owncal.NewCalendar{{TimeZone: "UTC"}, {Summary: "x", TimeZone: "Mars/Base"},
			{Summary: strings.Repeat("x", model.MaxCalendarName+1), TimeZone: "UTC"}} {
			_, err = s.CreateCalendar(s.ctx, s.account.User, bad)
			s.fails(err, model.CodeBadUserInput)
		}
		made := s.add("Lunch", "23 12:00", "")
		_, _, err = s.UpdateCalendar(s.ctx, model.UserID{3}, first.Ref(), owncal.CalendarPatch{})
		s.fails(err, model.CodeNotFound)
		_, err = s.DeleteCalendar(s.ctx, s.account.User, first.Ref())
		s.ok(err)
		_, err = s.Event(s.ctx, s.account, made.Ref, 0)
		s.fails(err, model.CodeNotFound)
		_, err = s.DeleteCalendar(s.ctx, s.account.User, first.Ref())
		s.fails(err, model.CodeNotFound)
		more, err := s.Store.EraseEvents(s.ctx, s.account.User, 100)
		s.ok(err)
		if more {
			s.Error("more than one event to erase")
		}
	})
}

func TestSingleEvents(t *testing.T) {
	onBoth(t, func(s *scene) {
		lunch := s.add("Lunch", "23 12:00", "")
		s.add("Walk", "24 08:00", "")
		s.same("listed", s.shown(7), "23 12:00 Lunch, 24 08:00 Walk")
		again, existed, err := s.Insert(s.ctx, s.account, s.calendar.Ref().Calendar,
			gcal.NewEvent{Event: lunch, SourceID: lunch.Ref.Event})
		s.ok(err)
		if !existed || again.Version != lunch.Version {
			s.Errorf("a repeated insert: %v %+v", existed, again)
		}
		guests := []model.Attendee{{Email: "dana@example.com", Name: "Dana"}}
		moved, err := s.Patch(s.ctx, s.account, lunch.Ref, gcal.Patch{Location: ptr("Port"), Attendees: &guests,
			Start: ptr(s.time("23 13:00")), End: ptr(s.time("23 14:30"))}, gcal.ChangeOptions{IfVersion: lunch.Version})
		s.ok(err)
		if moved.Version == lunch.Version || moved.Attendees[0].Status != model.NeedsAction {
			s.Errorf("%+v", moved)
		}
		s.same("moved", s.shown(1), "23 13:00 Lunch Port")
		found, err := s.Events(s.ctx, s.account, s.calendar.Ref().Calendar, gcal.Query{Search: "dana PORT"})
		s.ok(err)
		s.same("found by guest and place", s.text(found.Events), "23 13:00 Lunch")
		unsaid, err := s.Patch(s.ctx, s.account, lunch.Ref, gcal.Patch{Summary: ptr("Lunch")}, gcal.ChangeOptions{})
		s.ok(err)
		s.same("nothing changed", unsaid.Version, moved.Version)
		_, err = s.Patch(s.ctx, s.account, lunch.Ref, gcal.Patch{Summary: ptr("x")},
			gcal.ChangeOptions{IfVersion: lunch.Version})
		s.fails(err, model.CodeConflict)
		_, err = s.Patch(s.ctx, s.account, lunch.Ref, gcal.Patch{Summary: ptr("x")},
			gcal.ChangeOptions{SendUpdates: model.SendUpdatesAll})
		s.fails(err, model.CodeBadUserInput)
		page, err := s.Events(s.ctx, s.account, s.calendar.Ref().Calendar, gcal.Query{Limit: 1})
		s.ok(err)
		if len(page.Events) != 1 || !page.More {
			s.Errorf("a page of one: %+v", page)
		}
		busy, problems, err := s.FreeBusy(s.ctx, s.account, []string{"1", "9"}, s.at("23 14:00"), s.at("25 00:00"))
		s.ok(err)
		if len(busy["1"]) != 2 || !busy["1"][0].Start.Equal(s.at("23 14:00")) || len(problems) != 1 {
			s.Errorf("%v %v", busy, problems)
		}
		for i, want := range []bool{false, true} {
			already, err := s.Delete(s.ctx, s.account, lunch.Ref, gcal.ChangeOptions{})
			s.ok(err)
			if already != want {
				s.Errorf("deletion %d: already %v", i, already)
			}
		}
		_, err = s.Delete(s.ctx, s.account, lunch.Ref.CalendarRef().Event(s.id()), gcal.ChangeOptions{})
		s.fails(err, model.CodeNotFound)
		back, err := s.Restore(s.ctx, s.account, moved, model.Event{}, "")
		s.ok(err)
		s.same("restored", s.text([]model.Event{back}), "23 13:00 Lunch Port")
		s.same("the log", s.log(), "CREATED CREATED UPDATED DELETED CREATED")
	})
}

func TestDryRun(t *testing.T) {
	onBoth(t, func(s *scene) {
		lunch := s.add("Lunch", "23 12:00", "")
		would, err := s.Patch(dryrun.With(s.ctx), s.account, lunch.Ref, gcal.Patch{Summary: ptr("Dinner")},
			gcal.ChangeOptions{})
		s.ok(err)
		s.same("would be", would.Summary+" "+would.Version, "Dinner dryrun")
		s.same("is", s.shown(1), "23 12:00 Lunch")
	})
}

func TestOneTransaction(t *testing.T) {
	onBoth(t, func(s *scene) {
		err := s.Store.Write(s.ctx, s.account.User, func(ctx context.Context, _ store.Tx) error {
			_, _, err := s.Insert(ctx, s.account, "1", gcal.NewEvent{SourceID: s.id(), Event: model.Event{Summary: "Lost",
				Start: s.time("23 09:00"), End: s.time("23 10:00")}})
			s.ok(err)
			return store.ErrConflict
		})
		if err == nil {
			s.Error("the caller's transaction was committed")
		}
		s.same("nothing of it is there", s.shown(1)+s.log(), "")
	})
}

func TestSeries(t *testing.T) {
	onBoth(t, func(s *scene) {
		daily := s.add("Run", "23 07:00", "RRULE:FREQ=DAILY;COUNT=6")
		third := s.occurrence(daily, "25 07:00")
		_, err := s.Patch(s.ctx, s.account, third, gcal.Patch{Location: ptr("Park")}, gcal.ChangeOptions{})
		s.ok(err)
		_, err = s.Delete(s.ctx, s.account, s.occurrence(daily, "24 07:00"), gcal.ChangeOptions{})
		s.ok(err)
		_, err = s.Patch(s.ctx, s.account, s.occurrence(daily, "27 07:00"),
			gcal.Patch{Start: ptr(s.time("27 19:00")), End: ptr(s.time("27 20:00"))}, gcal.ChangeOptions{})
		s.ok(err)
		s.same("one each", s.shown(9), "23 07:00 Run, 25 07:00 Run Park, 26 07:00 Run, 27 19:00 Run, 28 07:00 Run")
		_, err = s.Event(s.ctx, s.account, s.occurrence(daily, "24 07:00"), 0)
		s.fails(err, model.CodeNotFound)

		// Of the whole series: what is not their own flows into exceptions.
		_, err = s.PatchSeries(s.ctx, s.account, daily.Ref, gcal.Patch{Summary: ptr("Jog"), Location: ptr("Beach")},
			gcal.ChangeOptions{})
		s.ok(err)
		all := "23 07:00 Jog Beach, 25 07:00 Jog Park, 26 07:00 Jog Beach, 27 19:00 Jog Beach, 28 07:00 Jog Beach"
		s.same("the series", s.shown(9), all)
		before, err := s.Whole(s.ctx, s.account, daily.Ref)
		s.ok(err)
		if len(before) != 4 {
			s.Errorf("%d of the series", len(before))
		}

		// From the third on, an hour later.
		next := s.id()
		done, err := s.PatchFollowing(s.ctx, s.account, third, gcal.Patch{Start: ptr(s.time("25 08:00")),
			End: ptr(s.time("25 09:00"))}, gcal.ChangeOptions{NewSourceID: next})
		s.ok(err)
		if done.Before == nil || done.After == nil || done.After.Ref.Event != next || len(done.Dropped) != 0 ||
			len(done.Replaced) != 2 {
			s.Errorf("%+v", done)
		}
		s.same("from the third on", s.shown(9),
			"23 07:00 Jog Beach, 25 08:00 Jog Park, 26 08:00 Jog Beach, 27 19:00 Jog Beach, 28 08:00 Jog Beach")
		if !slices.Equal(done.After.Recurrence, []string{"RRULE:FREQ=DAILY;COUNT=4"}) {
			s.Errorf("what is left of the rule: %q", done.After.Recurrence)
		}

		// The new series ends before the 28th.
		cut := done.After.Ref.CalendarRef().Event(next)
		ended, err := s.Truncate(s.ctx, s.account, cut, s.time("27 00:00"), gcal.ChangeOptions{})
		s.ok(err)
		if ended.Before == nil || len(ended.Dropped) != 1 {
			s.Errorf("%+v", ended)
		}
		s.same("truncated", s.shown(9), "23 07:00 Jog Beach, 25 08:00 Jog Park, 26 08:00 Jog Beach")
		nothing, err := s.Truncate(s.ctx, s.account, cut, s.time("30 00:00"), gcal.ChangeOptions{})
		s.ok(err)
		s.same("what has ended is not ended again", nothing.Before.Version, ended.Before.Version)

		// Back to what it was.
		_, err = s.Delete(s.ctx, s.account, cut, gcal.ChangeOptions{})
		s.ok(err)
		for _, was := range before {
			if was.Status != model.EventCancelled { // the head has kept that
				_, err = s.Restore(s.ctx, s.account, was, model.Event{}, "")
				s.ok(err)
			}
		}
		s.same("restored", s.shown(9), all)
		listed, err := s.Instances(s.ctx, s.account, third, gcal.Query{From: s.at("26 00:00"), To: s.at("28 00:00")})
		s.ok(err)
		s.same("instances", s.text(listed.Events), "26 07:00 Jog, 27 19:00 Jog")
	})
}

func TestSeriesThatMoves(t *testing.T) {
	onBoth(t, func(s *scene) {
		weekly := s.add("Class", "23 18:00", "RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=4")
		second := s.occurrence(weekly, "30 18:00")
		_, err := s.Delete(s.ctx, s.account, second, gcal.ChangeOptions{})
		s.ok(err)
		series, err := s.Event(s.ctx, s.account, weekly.Ref, 0)
		s.ok(err)
		first, err := s.Event(s.ctx, s.account, s.occurrence(weekly, "23 18:00"), 0)
		s.ok(err)
		p, err := s.ShiftSeries(series, first, s.time("24 19:00"), s.time("24 20:00"), "")
		s.ok(err)
		_, err = s.PatchSeries(s.ctx, s.account, weekly.Ref, p, gcal.ChangeOptions{IfVersion: series.Version})
		s.ok(err)
		s.same("a dropped occurrence moves with its series", s.shown(15), "24 19:00 Class")
		_, err = s.Event(s.ctx, s.account, weekly.Ref, 0)
		s.ok(err)
		// Following from its first occurrence is the series itself.
		begin := weekly.Ref.CalendarRef().Event(model.OccurrenceID(weekly.Ref.Event, s.at("24 19:00"), false))
		done, err := s.PatchFollowing(s.ctx, s.account, begin, gcal.Patch{Summary: ptr("Course")},
			gcal.ChangeOptions{NewSourceID: s.id()})
		s.ok(err)
		if done.Before != nil || done.After.Ref != weekly.Ref {
			s.Errorf("%+v", done)
		}
		gone, err := s.Truncate(s.ctx, s.account, begin, s.time("24 19:00"), gcal.ChangeOptions{})
		s.ok(err)
		if gone.Before != nil {
			s.Errorf("%+v", gone)
		}
		s.same("nothing is left", s.shown(60), "")
	})
}
