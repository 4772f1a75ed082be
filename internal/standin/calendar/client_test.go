package calendar_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"golang.org/x/oauth2"
	api "google.golang.org/api/calendar/v3"
	"google.golang.org/api/googleapi"
	"google.golang.org/api/option"

	"almanac/internal/standin/calendar"
	"almanac/internal/standin/discovery"
	"almanac/internal/standin/google"
	"almanac/internal/standin/wire"
)

// These tests drive the stand-in through its front with Google's own client. The judge watches on both sides.

const (
	ada = "ada@example.com"
	ben = "ben@example.com"
)

// connected returns a client of an account's and the service behind it.
func connected(t *testing.T, switches calendar.Switches,
	accounts ...string) (*calendar.Service, map[string]*api.Service) {
	t.Helper()
	now := func() time.Time { return time.Date(2026, 3, 2, 9, 30, 15, 0, time.UTC) }
	s := calendar.New(calendar.Options{Now: now, Seed: 7, Switches: switches})
	violation := func(v discovery.Violation) { t.Errorf("violation: %v", v) }
	front, err := google.New(google.Options{Now: now, Services: []wire.Service{s}, Report: violation, Seed: 7,
		StrictParameters: true})
	if err != nil {
		t.Fatal(err)
	}
	clients := map[string]*api.Service{}
	for _, email := range accounts {
		if err := s.AddAccount(calendar.Account{Email: email, TimeZone: "Asia/Jerusalem"}); err != nil {
			t.Fatal(err)
		}
		if err := front.AddAccount(google.Account{Email: email}); err != nil {
			t.Fatal(err)
		}
		tokens, err := front.Grant(email, []string{api.CalendarScope})
		if err != nil {
			t.Fatal(err)
		}
		watched := discovery.WatchTransport(front.Transport(), violation, discovery.Calendar())
		bearer := &http.Client{Transport: &oauth2.Transport{
			Source: oauth2.StaticTokenSource(&oauth2.Token{AccessToken: tokens.Access}), Base: watched,
		}}
		if clients[email], err = api.NewService(t.Context(), option.WithHTTPClient(bearer)); err != nil {
			t.Fatal(err)
		}
	}
	return s, clients
}

func standup(id string) *api.Event {
	return &api.Event{
		Id: id, Summary: "Standup", Recurrence: []string{"RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=6"},
		Start: &api.EventDateTime{DateTime: "2026-03-02T09:00:00+02:00", TimeZone: "Asia/Jerusalem"},
		End:   &api.EventDateTime{DateTime: "2026-03-02T10:00:00+02:00", TimeZone: "Asia/Jerusalem"},
	}
}

func wants(t *testing.T, err error, code int, reason string) {
	t.Helper()
	var refused *googleapi.Error
	if !errors.As(err, &refused) || refused.Code != code || len(refused.Errors) == 0 ||
		refused.Errors[0].Reason != reason {
		t.Errorf("%v, want %d %s", err, code, reason)
	}
}

func TestRealClientWrites(t *testing.T) {
	t.Parallel()
	_, clients := connected(t, calendar.Switches{}, ada)
	events := clients[ada].Events
	made, err := events.Insert("primary", standup("standup")).Do()
	if err != nil {
		t.Fatal(err)
	}
	_, err = events.Insert("primary", standup("standup")).Do()
	wants(t, err, 409, "duplicate")
	patch := &api.Event{Location: "Room 4", NullFields: []string{"Description"}}
	change := events.Patch("primary", "standup", patch)
	change.Header().Set("If-Match", made.Etag)
	if _, err := change.Do(); err != nil {
		t.Fatal(err)
	}
	stale := events.Patch("primary", "standup", patch)
	stale.Header().Set("If-Match", made.Etag)
	_, err = stale.Do()
	wants(t, err, 412, "conditionNotMet")
	one, err := events.Patch("primary", "standup_20260309T070000Z", &api.Event{
		Reminders: &api.EventReminders{
			Overrides:       []*api.EventReminder{{Method: "popup", Minutes: 0, ForceSendFields: []string{"Minutes"}}},
			ForceSendFields: []string{"UseDefault"},
		},
	}).Do()
	if err != nil || one.Reminders.UseDefault || len(one.Reminders.Overrides) != 1 ||
		one.Reminders.Overrides[0].Minutes != 0 || one.Location != "Room 4" {
		t.Errorf("%+v %v", one, err)
	}
	day, err := events.Patch("primary", "standup_20260316T070000Z", &api.Event{
		Start: &api.EventDateTime{Date: "2026-03-17", NullFields: []string{"DateTime", "TimeZone"}},
		End:   &api.EventDateTime{Date: "2026-03-18", NullFields: []string{"DateTime", "TimeZone"}},
	}).Do()
	if err != nil || day.Start.Date != "2026-03-17" || day.Start.DateTime != "" ||
		day.OriginalStartTime.DateTime != "2026-03-16T09:00:00+02:00" {
		t.Errorf("%+v %v", day, err)
	}
	if err := events.Delete("primary", "standup_20260323T070000Z").Do(); err != nil {
		t.Error(err)
	}
	wants(t, events.Delete("primary", "standup_20260323T070000Z").Do(), 410, "deleted")
	gone, err := events.Get("primary", "standup_20260323T070000Z").Do()
	if err != nil || gone.Status != "cancelled" || gone.Start != nil {
		t.Errorf("%+v %v", gone, err)
	}
	instances, err := events.Instances("primary", "standup").Do()
	if err != nil || len(instances.Items) != 5 {
		t.Errorf("%+v %v", instances, err)
	}
	_, err = events.Get("primary", "never").IfNoneMatch("x").Do()
	wants(t, err, 404, "notFound")
	_, err = events.Get("primary", "standup_20260309T070000Z").IfNoneMatch(one.Etag).Do()
	if !googleapi.IsNotModified(err) {
		t.Error(err)
	}
}

func TestRealClientReads(t *testing.T) {
	t.Parallel()
	s, clients := connected(t, calendar.Switches{PageBeforeFilter: true}, ada)
	events := clients[ada].Events
	for i := range 23 {
		e := standup(fmt.Sprintf("e0%d00", i))
		e.Recurrence = nil
		if _, err := events.Insert("primary", e).Do(); err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			if err := events.Delete("primary", e.Id).Do(); err != nil {
				t.Fatal(err)
			}
		}
	}
	var got []string
	pages, token := 0, ""
	err := events.List("primary").MaxResults(2).Fields("nextPageToken", "nextSyncToken",
		"items(id,start)").Pages(t.Context(), func(page *api.Events) error {
		pages++
		token = page.NextSyncToken
		for _, e := range page.Items {
			got = append(got, e.Id)
			if e.Summary != "" || e.Start == nil {
				t.Errorf("the mask: %+v", e)
			}
		}
		return nil
	})
	slices.Sort(got)
	if err != nil || pages != 12 || len(slices.Compact(got)) != 11 || token == "" {
		t.Errorf("%v: %d pages, %v, %q", err, pages, got, token)
	}
	changed, err := events.List("primary").SyncToken(token).Do()
	if err != nil || len(changed.Items) != 0 {
		t.Errorf("%+v %v", changed, err)
	}
	s.ExpireSyncTokens(ada)
	_, err = events.List("primary").SyncToken(token).Do()
	wants(t, err, 410, "fullSyncRequired")
	_, err = events.List("primary").TimeMin("2026-03-02T00:00:00Z").TimeMax("2026-03-02T00:00:00Z").Do()
	wants(t, err, 400, "timeRangeEmpty")
	_, err = events.List("primary").OrderBy("startTime").Do()
	wants(t, err, 400, "badRequest")
}

func TestRealClientElsewhere(t *testing.T) {
	t.Parallel()
	s, clients := connected(t, calendar.Switches{}, ada, ben)
	mine := clients[ada]
	holiday := "en.il#holiday@group.v.calendar.google.com"
	if _, err := s.AddCalendar(ada,
		calendar.Calendar{ID: holiday, Summary: "Holidays", AccessRole: "reader"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Insert(ada, holiday, map[string]any{
		"summary": "Purim", "start": map[string]any{"date": "2026-03-03"}, "end": map[string]any{"date": "2026-03-04"},
	}); err != nil {
		t.Error(err)
	}
	list, err := mine.CalendarList.List().Do()
	if err != nil || len(list.Items) != 2 || !list.Items[0].Primary {
		t.Errorf("%+v %v", list, err)
	}
	if events, err := mine.Events.List(holiday).Do(); err != nil || events.AccessRole != "reader" ||
		len(events.Items) != 1 {
		t.Errorf("%+v %v", events, err)
	}
	_, err = mine.Events.Insert(holiday, standup("nope0")).Do()
	wants(t, err, 403, "requiredAccessLevel")
	second, err := mine.Calendars.Insert(&api.Calendar{Summary: "Second"}).Do()
	if err != nil {
		t.Fatal(err)
	}
	meeting := standup("meet0")
	meeting.Attendees = []*api.EventAttendee{{Email: ben}}
	meeting.ConferenceData = &api.ConferenceData{CreateRequest: &api.CreateConferenceRequest{RequestId: "r"}}
	made, err := mine.Events.Insert("primary", meeting).ConferenceDataVersion(1).SendUpdates("none").Do()
	if err != nil || made.HangoutLink == "" {
		t.Errorf("%+v %v", made, err)
	}
	if len(s.Notifications()) != 0 {
		t.Error("mail was sent")
	}
	_, err = clients[ben].Events.Patch("primary", "meet0", &api.Event{Summary: "Mine"}).Do()
	wants(t, err, 403, "forbiddenForNonOrganizer")
	moved, err := mine.Events.Move("primary", "meet0", second.Id).Do()
	if err != nil || moved.Status != "cancelled" {
		t.Errorf("%+v %v", moved, err)
	}
	there, err := mine.Events.Get(second.Id, "meet0").Do()
	if err != nil || there.Status != "confirmed" || there.Organizer.Email != second.Id {
		t.Errorf("%+v %v", there, err)
	}
	busy, err := mine.Freebusy.Query(&api.FreeBusyRequest{
		TimeMin: "2026-03-01T00:00:00Z", TimeMax: "2026-03-31T00:00:00Z",
		Items: []*api.FreeBusyRequestItem{{Id: second.Id}, {Id: "x@y.example"}},
	}).Do()
	if err != nil || len(busy.Calendars[second.Id].Busy) != 5 ||
		busy.Calendars["x@y.example"].Errors[0].Reason != "notFound" {
		t.Errorf("%+v %v", busy, err)
	}
	for name, call := range map[string]func() error{
		"colors":   func() error { _, err := mine.Colors.Get().Do(); return err },
		"settings": func() error { _, err := mine.Settings.List().Do(); return err },
		"setting":  func() error { _, err := mine.Settings.Get("timezone").Do(); return err },
		"acl":      func() error { _, err := mine.Acl.List("primary").Do(); return err },
		"patch": func() error {
			_, err := mine.Calendars.Patch(second.Id, &api.Calendar{Description: "d"}).Do()
			return err
		},
		"quick": func() error { _, err := mine.Events.QuickAdd("primary", "Lunch").Do(); return err },
		"watch": func() error {
			ch, err := mine.Events.Watch("primary", &api.Channel{Id: "c", Type: "web_hook", Address: "https://a.example/h"}).Do()
			if err != nil {
				return err
			}
			return mine.Channels.Stop(&api.Channel{Id: "c", ResourceId: ch.ResourceId}).Do()
		},
		"entry": func() error {
			_, err := mine.CalendarList.Patch(second.Id, &api.CalendarListEntry{SummaryOverride: "x"}).Do()
			return err
		},
	} {
		if err := call(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err = mine.Acl.Insert("primary", &api.AclRule{Role: "reader", Scope: &api.AclRuleScope{Type: "default"}}).Do()
	wants(t, err, 501, "notImplemented")
}
