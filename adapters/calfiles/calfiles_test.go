package calfiles_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/adapters/calfiles"
	"almanac/adapters/gcal"
	"almanac/adapters/owncal"
	"almanac/adapters/store"
	"almanac/adapters/store/postgres"
	"almanac/adapters/store/sqlite"
	"almanac/graph/model"
	"almanac/internal/teststore"
	"almanac/projections/ical"
	"almanac/projections/occur"
)

var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// Users of the tests.
var alice, bob = model.UserID{1}, model.UserID{2}

// scene is a database with what works on it.
type scene struct {
	*testing.T
	*calfiles.Files
	own  *owncal.Client
	made int
}

func onBoth(t *testing.T, test func(s *scene)) {
	t.Helper()
	for name, open := range map[string]func(*testing.T) store.Store{"sqlite": openSQLite, "postgres": openPostgres} {
		t.Run(name, func(t *testing.T) { test(newScene(t, open(t))) })
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

func newScene(t *testing.T, st store.Store) *scene {
	rules, now := occur.NewRules(occur.DefaultRules), func() time.Time { return noon }
	s := &scene{T: t, own: &owncal.Client{Store: st, Rules: rules, Now: now}}
	s.Files = &calfiles.Files{Store: st, Rules: rules, Now: now, NewID: s.id}
	return s
}

func (s *scene) id() model.UUID {
	s.made++
	return model.UUID{14: byte(s.made >> 8), 15: byte(s.made)}
}

func (s *scene) ok(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *scene) calendar(of model.UserID, zone string) model.KeptCalendar {
	s.Helper()
	c, err := s.own.CreateCalendar(s.Context(), of, owncal.NewCalendar{Summary: "Home", TimeZone: zone})
	s.ok(err)
	return c
}

// imports imports a text and says what came of it: created, updated, deleted, unchanged, refused.
func (s *scene) imports(of model.UserID, into model.KeptCalendar, text string) (*calfiles.Import, string) {
	s.Helper()
	i, err := s.Plan(s.Context(), of, into, []byte(text))
	s.ok(err)
	planned := counts(i)
	if i.Changes() {
		s.ok(i.Apply(s.Context(), func(context.Context, store.Tx, int64) error { return nil }))
	}
	if done := counts(i); done != planned {
		s.Errorf("%s was planned, %s was done", planned, done)
	}
	return i, planned
}

func counts(i *calfiles.Import) string {
	return fmt.Sprint(i.Count(model.ImportCreated), i.Count(model.ImportUpdated), i.Count(model.ImportDeleted),
		i.Count(model.ImportUnchanged), i.Count(model.ImportRefused))
}

func (s *scene) export(of model.UserID, from model.KeptCalendar, window calfiles.Window) (string, []ical.Event) {
	s.Helper()
	heading, events, err := s.Export(s.Context(), of, from, window)
	s.ok(err)
	return string(ical.Write(heading, events)), events
}

// listed is what takes place in a calendar in some years.
func (s *scene) listed(of model.UserID, calendar model.KeptCalendar) []string {
	s.Helper()
	all, err := s.own.Events(s.Context(), owncal.Connection(of), calendar.Ref().Calendar, gcal.Query{
		From: noon.AddDate(-1, 0, 0), To: noon.AddDate(2, 0, 0), Fields: gcal.FieldDescription | gcal.FieldAttendees})
	s.ok(err)
	lines := make([]string, len(all.Events))
	for i, e := range all.Events {
		lines[i] = fmt.Sprint(e.Start, e.End, e.Summary, e.Description, e.Location, e.Attendees, e.Transparent,
			e.Reminders, e.Status, e.OriginalStart.At.UTC(), e.OriginalStart.Date)
	}
	slices.Sort(lines)
	return lines
}

// history changes a calendar at random: singles, days, series, and everything that happens to occurrences.
func (s *scene) history(random *rand.Rand, of model.UserID, calendar model.KeptCalendar, steps int) {
	s.Helper()
	account, name := owncal.Connection(of), calendar.Ref().Calendar
	zone, err := time.LoadLocation(calendar.Zone)
	s.ok(err)
	at := func() time.Time {
		return time.Date(2026, 11, random.IntN(200), random.IntN(24), 15*random.IntN(4), 0, 0, zone)
	}
	texts := []string{"Lunch, with Dana", "a;b\\c", "שלום", strings.Repeat("long ", 30) + "end", "x\ny"}
	var ids []string
	for range steps {
		text := strings.ReplaceAll(texts[random.IntN(len(texts))], "\n", " ")
		if len(ids) < 3 || random.IntN(2) == 0 {
			begin := at()
			e := model.Event{Summary: text, Description: texts[random.IntN(len(texts))], Transparent: random.IntN(4) == 0}
			e.Start = model.EventTime{At: begin, Zone: calendar.Zone}
			e.End = model.EventTime{At: begin.Add(time.Duration(1+random.IntN(300)) * time.Minute), Zone: calendar.Zone}
			if random.IntN(3) == 0 {
				e.Start = model.EventTime{Date: model.DateOf(begin)}
				e.End = model.EventTime{Date: e.Start.Date.AddDays(1 + random.IntN(2))}
			}
			if random.IntN(3) == 0 {
				e.Attendees = []model.Attendee{{Email: "dana@example.com", Name: text, Status: model.Accepted}}
			}
			e.Recurrence = [][]string{nil, {"RRULE:FREQ=DAILY;COUNT=9"}, {"RRULE:FREQ=WEEKLY"},
				{"RRULE:FREQ=MONTHLY;COUNT=5"}}[random.IntN(4)]
			id := model.OwnEventID(s.id())
			_, _, err := s.own.Insert(s.Context(), account, name, gcal.NewEvent{Event: e, SourceID: id})
			s.ok(err)
			ids = append(ids, id)
			continue
		}
		ref := calendar.Ref().Event(ids[random.IntN(len(ids))])
		list, err := s.own.Instances(s.Context(), account, ref, gcal.Query{Limit: 6})
		if err == nil && len(list.Events) > 0 && random.IntN(4) > 0 {
			ref = list.Events[random.IntN(len(list.Events))].Ref
		}
		patch := gcal.Patch{Summary: &text}
		switch random.IntN(5) {
		case 0:
			_, err = s.own.Delete(s.Context(), account, ref, gcal.ChangeOptions{})
		case 1, 2:
			_, err = s.own.Patch(s.Context(), account, ref, patch, gcal.ChangeOptions{})
		case 3:
			if e, found := s.own.Event(s.Context(), account, ref, 0); found == nil && !e.Start.AllDay() && !e.IsSeries() {
				e.Start.At, e.End.At = e.Start.At.Add(90*time.Minute), e.End.At.Add(2*time.Hour)
				_, err = s.own.Patch(s.Context(), account, ref, gcal.Patch{Start: &e.Start, End: &e.End}, gcal.ChangeOptions{})
			}
		default:
			_, err = s.own.PatchFollowing(s.Context(), account, ref, patch,
				gcal.ChangeOptions{NewSourceID: model.OwnEventID(s.id())})
		}
		if code := model.CodeOf(err); err != nil && code != model.CodeNotFound && code != model.CodeBadUserInput &&
			code != model.CodeConflict {
			s.Fatal(err)
		}
	}
}

func TestExportAndImportAreTheIdentity(t *testing.T) {
	onBoth(t, func(s *scene) {
		for n, zone := range []string{"Asia/Jerusalem", "America/New_York", "Australia/Lord_Howe", "UTC", "Africa/Cairo",
			"Europe/Berlin", "Asia/Kathmandu", "Pacific/Chatham"} {
			random := rand.New(rand.NewPCG(43, uint64(n)))
			hers, his := s.calendar(alice, zone), s.calendar(bob, zone)
			s.history(random, alice, hers, 40)
			text, events := s.export(alice, hers, calfiles.Window{})
			i, came := s.imports(bob, his, text)
			if i.Count(model.ImportCreated) != len(i.Entries) || len(i.Entries) < 10 {
				s.Errorf("%s: %s of %d: %+v", zone, came, len(i.Entries), i.Entries)
			}
			if got, want := s.listed(bob, his), s.listed(alice, hers); !slices.Equal(got, want) {
				s.Errorf("%s: the copy lists %d, want %d:\n%s", zone, len(got), len(want), difference(got, want))
			}
			copied, again := s.export(bob, his, calfiles.Window{})
			if copied != text && !reflect.DeepEqual(byKey(again), byKey(events)) {
				s.Errorf("%s: the copy is exported otherwise:\n%s", zone,
					difference(strings.Split(copied, "\n"), strings.Split(text, "\n")))
			}
			for of, calendar := range map[model.UserID]model.KeptCalendar{alice: hers, bob: his} {
				if twice, came := s.imports(of, calendar, text); twice.Changes() {
					s.Errorf("%s: imported again: %s", zone, came)
				}
			}
		}
	})
}

func byKey(events []ical.Event) map[ical.Key]string {
	all := map[ical.Key]string{}
	for _, e := range events {
		all[e.Key()] = string(ical.Write(ical.Heading{}, []ical.Event{e}))
	}
	return all
}

// difference are the lines that only one of two has.
func difference(got, want []string) string {
	var out []string
	for _, line := range got {
		if !slices.Contains(want, line) {
			out = append(out, "+ "+line)
		}
	}
	for _, line := range want {
		if !slices.Contains(got, line) {
			out = append(out, "- "+line)
		}
	}
	return strings.Join(out[:min(len(out), 30)], "\n")
}
