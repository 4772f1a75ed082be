package gcal

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
)

func at(t testing.TB, text string) time.Time { return timed(t, text, "").At }

func TestAListFetchesOnlyWhatIsWanted(t *testing.T) {
	h := newHarness(t, builder{packed: true})
	guests := h.event("Party")
	guests.Attendees = []model.Attendee{{Email: "bob@example.com"}}
	h.make(guests)
	h.server.Reset()
	window := Query{From: at(t, "2026-11-22T00:00:00Z"), To: at(t, "2026-11-23T00:00:00Z"), Fields: FieldSummary}
	got, err := h.Events(t.Context(), h.connection, "", window)
	if err != nil || len(got.Events) != 1 || got.Events[0].Attendees != nil || got.Events[0].Summary != "Party" {
		t.Fatalf("got %+v, %v", got, err)
	}
	if got.Zone != "Asia/Jerusalem" || got.Role != model.RoleOwner {
		t.Errorf("the calendar is in %q, we are %q", got.Zone, got.Role)
	}
	request := h.requests("list")[0]
	if mask := query(t, request, "fields"); strings.Contains(mask, "attendees") || strings.Contains(mask, "htmlLink") ||
		!strings.Contains(mask, "nextPageToken") {
		t.Errorf("the mask is %q", mask)
	}
	for name, want := range map[string]string{
		"singleEvents": "true", "orderBy": "startTime", "timeMin": "2026-11-21T23:59:59Z", "timeMax": "2026-11-23T00:00:00Z",
		"maxResults": "2500", "maxAttendees": "", "q": "",
	} {
		if got := query(t, request, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if agent := request.Header.Get("User-Agent"); !strings.Contains(agent, "gzip") {
		t.Errorf("Google would not pack its answer for %q", agent)
	}

	h.server.Reset()
	window.Fields, window.MaxAttendees, window.Limit, window.Search = FieldsAll, 5, 7, "party"
	got, err = h.Events(t.Context(), h.connection, me, window)
	if err != nil || len(got.Events) != 1 || len(got.Events[0].Attendees) == 0 || len(got.DefaultReminders) != 1 {
		t.Fatalf("got %+v, %v", got, err)
	}
	request = h.requests("list")[0]
	for name, want := range map[string]string{"maxResults": "8", "maxAttendees": "5", "q": "party"} {
		if got := query(t, request, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if !strings.Contains(request.URL, "/calendars/primary/") {
		t.Errorf("the account's own calendar is asked for as %s", request.URL)
	}
}

func TestAnEventIsReadWhole(t *testing.T) {
	h := newHarness(t, builder{})
	e := h.event("Swimming", "RRULE:FREQ=WEEKLY;BYDAY=SU;COUNT=5")
	e.Description, e.Location, e.Transparent, e.Visibility, e.ColorID = "bring a towel", "Pool", true,
		model.VisibilityPrivate, "5"
	e.Attendees = []model.Attendee{{Email: "bob@example.com", Name: "Bob", Optional: true}}
	made, existed, err := h.Insert(t.Context(), h.connection, "",
		NewEvent{Event: e, SourceID: "abcde", Fields: FieldsAll, Meeting: true, SetReminders: true})
	if err != nil || existed {
		t.Fatal(existed, err)
	}
	got, err := h.Event(t.Context(), h.connection, made.Ref, FieldsAll)
	if err != nil {
		t.Fatal(err)
	}
	if got.Ref != (model.EventRef{Connection: 1, Event: "abcde"}) || got.Account != me || got.CalendarID != me ||
		got.CalendarZone != "Asia/Jerusalem" {
		t.Errorf("it is %+v of %q in %q, zone %q", got.Ref, got.Account, got.CalendarID, got.CalendarZone)
	}
	if got.Status != model.EventConfirmed || got.Type != model.EventDefault || got.Version == "" ||
		got.Version != made.Version {
		t.Errorf("status %q, type %q, versions %q and %q", got.Status, got.Type, got.Version, made.Version)
	}
	if got.Summary != e.Summary || got.Description != e.Description || got.Location != e.Location || !got.Transparent ||
		got.Visibility != e.Visibility || got.ColorID != "5" {
		t.Errorf("got %+v", got)
	}
	if got.Start != e.Start || got.End != e.End || !got.IsSeries() || got.ICalUID != "abcde@google.com" {
		t.Errorf("times %+v–%+v, recurrence %v, uid %q", got.Start, got.End, got.Recurrence, got.ICalUID)
	}
	if got.Reminders.UseDefault || len(got.Reminders.Overrides) != 0 {
		t.Errorf("reminders %+v, want none", got.Reminders)
	}
	if got.MeetingURL == "" || got.HTMLLink == "" || got.CreatedAt.IsZero() || got.UpdatedAt.IsZero() {
		t.Errorf("meeting %q, link %q, created %v, updated %v", got.MeetingURL, got.HTMLLink, got.CreatedAt, got.UpdatedAt)
	}
	if got.Organizer == nil || !got.Organizer.Self || got.Creator == nil || got.Creator.Email != me {
		t.Errorf("organizer %+v, creator %+v", got.Organizer, got.Creator)
	}
	if i := len(got.Attendees); i == 0 || !sameGuests(e.Attendees, got.Attendees) {
		t.Errorf("attendees %+v", got.Attendees)
	}
	if _, err := h.Event(t.Context(), h.connection, made.Ref.CalendarRef().Event("nobody"),
		0); model.CodeOf(err) != model.CodeNotFound {
		t.Errorf("an event that never was gives %v", err)
	}
	if _, err := h.Delete(t.Context(), h.connection, made.Ref, ChangeOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Event(t.Context(), h.connection, made.Ref, 0); model.CodeOf(err) != model.CodeNotFound {
		t.Errorf("a deleted event gives %v", err)
	}
	if _, err := h.Events(t.Context(), h.connection, "nowhere@example.com",
		Query{}); model.CodeOf(err) != model.CodeNotFound || !strings.Contains(err.Error(), "calendar") {
		t.Errorf("a calendar that is not there gives %v", err)
	}
}

func TestAPatchSendsTheChangeUnderACondition(t *testing.T) {
	h := newHarness(t, builder{})
	made := h.make(h.event("Swimming"))
	h.server.Reset()
	got, err := h.Patch(t.Context(), h.connection, made.Ref, Patch{Summary: ptr("Chess")},
		ChangeOptions{Fields: FieldSummary | FieldTimes, SendUpdates: model.SendUpdatesAll})
	if err != nil || got.Summary != "Chess" || got.Start != made.Start {
		t.Fatalf("got %+v, %v", got, err)
	}
	request := h.requests("patch")[0]
	if string(request.Body) != `{"summary":"Chess"}`+"\n" && string(request.Body) != `{"summary":"Chess"}` {
		t.Errorf("sent %s", request.Body)
	}
	if got := request.Header.Get("If-Match"); got != made.Version {
		t.Errorf("If-Match is %q, want the version read, %q", got, made.Version)
	}
	if got := query(t, request, "sendUpdates"); got != "all" {
		t.Errorf("sendUpdates is %q", got)
	}

	t.Run("a stale version is refused before anything is sent", func(t *testing.T) {
		h.server.Reset()
		_, err := h.Patch(t.Context(), h.connection, made.Ref, Patch{Summary: ptr("Tennis")},
			ChangeOptions{IfVersion: made.Version})
		code(t, err, model.CodeConflict)
		if len(h.requests("patch")) != 0 {
			t.Error("it was sent")
		}
	})
	t.Run("and by Google when the caller says what it knows", func(t *testing.T) {
		h.server.Reset()
		_, err := h.Patch(t.Context(), h.connection, made.Ref, Patch{Summary: ptr("Chess")},
			ChangeOptions{IfVersion: made.Version, Known: &made})
		code(t, err, model.CodeConflict) // although the event already is as asked for
		if len(h.requests("patch")) != 1 || len(h.requests("get")) != 0 {
			t.Errorf("%d patches and %d reads, want the one patch", len(h.requests("patch")), len(h.requests("get")))
		}
	})
	t.Run("without a version of the caller's, the present one is taken", func(t *testing.T) {
		h.server.Reset()
		got, err := h.Patch(t.Context(), h.connection, made.Ref, Patch{Location: ptr("Hall")},
			ChangeOptions{Known: &made, Fields: FieldSummary | FieldLocation})
		if err != nil || got.Summary != "Chess" || got.Location != "Hall" {
			t.Fatalf("got %+v, %v", got, err)
		}
		if len(h.requests("patch")) != 2 || len(h.requests("get")) != 1 {
			t.Errorf("%d patches and %d reads, want a stale try, a read and a patch", len(h.requests("patch")),
				len(h.requests("get")))
		}
		if got := query(t, h.requests("patch")[0], "sendUpdates"); got != "none" {
			t.Errorf("sendUpdates is %q, want it said and none", got)
		}
	})
	t.Run("an empty patch sends nothing", func(t *testing.T) {
		h.server.Reset()
		if _, err := h.Patch(t.Context(), h.connection, made.Ref, Patch{}, ChangeOptions{Fields: FieldSummary}); err != nil {
			t.Fatal(err)
		}
		if len(h.requests("patch")) != 0 {
			t.Error("it was sent")
		}
		_, err := h.Patch(t.Context(), h.connection, made.Ref, Patch{}, ChangeOptions{IfVersion: made.Version})
		code(t, err, model.CodeConflict)
	})
	h.neverReplaces()
}

func TestAPatchSwitchesAllDayAndClears(t *testing.T) {
	h := newHarness(t, builder{})
	e := h.event("Trip")
	e.Description, e.Location = "with bicycles", "Galilee"
	made := h.make(e)
	first, last := day(t, "2026-11-22"), day(t, "2026-11-25")
	got, err := h.Patch(t.Context(), h.connection, made.Ref,
		Patch{Start: &first, End: &last, Description: ptr(""), Location: ptr("")}, ChangeOptions{Fields: FieldsAll})
	if err != nil || got.Start != first || got.End != last || got.Description != "" || got.Location != "" {
		t.Fatalf("got %+v, %v", got, err)
	}
	got, err = h.Patch(t.Context(), h.connection, made.Ref, Patch{Start: &e.Start, End: &e.End},
		ChangeOptions{Fields: FieldsAll})
	if err != nil || got.Start != e.Start || got.End != e.End || got.Summary != "Trip" {
		t.Fatalf("got %+v, %v", got, err)
	}
}

func TestRemindersSurvive(t *testing.T) {
	h := newHarness(t, builder{})
	e := h.event("Call")
	e.Reminders.Overrides = []model.Reminder{{Method: model.RemindByPopup, Minutes: 0}}
	made, _, err := h.Insert(t.Context(), h.connection, "",
		NewEvent{Event: e, SourceID: h.newID(), SetReminders: true, Fields: FieldReminders})
	if err != nil || !sameReminders(e.Reminders, made.Reminders) {
		t.Fatalf("got %+v, %v", made.Reminders, err)
	}
	if body := string(h.requests("insert")[0].Body); !strings.Contains(body, `"minutes":0`) ||
		!strings.Contains(body, `"useDefault":false`) {
		t.Errorf("sent %s", body)
	}
	for name, want := range map[string]model.Reminders{
		"five": {Overrides: []model.Reminder{{Method: model.RemindByPopup, Minutes: 0},
			{Method: model.RemindByPopup, Minutes: 40320}, {Method: model.RemindByEmail, Minutes: 0},
			{Method: model.RemindByEmail, Minutes: 60}, {Method: model.RemindByPopup, Minutes: 1}}},
		"none":     {},
		"defaults": {UseDefault: true},
	} {
		got, err := h.Patch(t.Context(), h.connection, made.Ref, Patch{Reminders: &want},
			ChangeOptions{Fields: FieldReminders})
		if err != nil || !sameReminders(want, got.Reminders) {
			t.Errorf("%s: %+v, %v", name, got.Reminders, err)
		}
	}
}

func TestOnlyOrdinaryEventsAreChanged(t *testing.T) {
	h := newHarness(t, builder{})
	made, err := h.service.Insert(me, "primary", map[string]any{
		"eventType": "focusTime", "summary": "Focus",
		"start": map[string]any{"dateTime": "2026-11-22T10:00:00Z", "timeZone": "UTC"},
		"end":   map[string]any{"dateTime": "2026-11-22T11:00:00Z", "timeZone": "UTC"},
	})
	if err != nil {
		t.Fatal(err)
	}
	id, _ := made["id"].(string)
	ref := model.EventRef{Connection: 1, Event: id}
	e, err := h.Event(t.Context(), h.connection, ref, 0)
	if err != nil || e.Type != model.EventFocusTime {
		t.Fatalf("got %+v, %v", e, err)
	}
	for _, o := range []ChangeOptions{{}, {Known: &e}} {
		_, err = h.Patch(t.Context(), h.connection, ref, Patch{Summary: ptr("x")}, o)
		code(t, err, model.CodeBadUserInput)
		_, err = h.Delete(t.Context(), h.connection, ref, o)
		code(t, err, model.CodeBadUserInput)
	}
	if len(h.requests("patch"))+len(h.requests("delete")) != 0 {
		t.Error("a change was sent")
	}
}

func TestAttendees(t *testing.T) {
	h := newHarness(t, builder{})
	h.add("bob@example.com", "Europe/London")
	e := h.event("Party")
	e.Attendees = []model.Attendee{{Email: me}, {Email: "bob@example.com"}, {Email: "carol@example.com"}}
	made := h.make(e)

	got, err := h.Patch(t.Context(), h.connection, made.Ref, Patch{Answer: ptr(model.Declined)},
		ChangeOptions{Fields: FieldAttendees})
	if err != nil || ownAnswer(got.Attendees, me) != model.Declined || len(got.Attendees) != 3 {
		t.Fatalf("got %+v, %v", got.Attendees, err)
	}

	// Bob answers on his own calendar; a change of the list keeps what he said.
	h.link("bob@example.com")
	if _, err := h.Patch(t.Context(), connectionOf("bob@example.com", 2), made.Ref, Patch{Answer: ptr(model.Accepted)},
		ChangeOptions{}); err != nil {
		t.Fatal(err)
	}
	fewer := []model.Attendee{{Email: me}, {Email: "BOB@example.com"}, {Email: "dave@example.com", Optional: true}}
	got, err = h.Patch(t.Context(), h.connection, made.Ref, Patch{Attendees: &fewer},
		ChangeOptions{Fields: FieldAttendees})
	if err != nil || len(got.Attendees) != 3 {
		t.Fatalf("got %+v, %v", got.Attendees, err)
	}
	want := map[string]model.ResponseStatus{me: model.Declined, "bob@example.com": model.Accepted,
		"dave@example.com": model.NeedsAction}
	for _, a := range got.Attendees {
		if want[strings.ToLower(a.Email)] != a.Status {
			t.Errorf("%s answered %q, want %q", a.Email, a.Status, want[a.Email])
		}
	}
	for _, r := range h.requests("patch") {
		if r.Account == me && r.Header.Get("If-Match") == "" {
			t.Error("a list was replaced without a condition")
		}
	}

	_, err = h.Patch(t.Context(), h.connection, h.make(h.event("Alone")).Ref, Patch{Answer: ptr(model.Accepted)},
		ChangeOptions{})
	code(t, err, model.CodeBadUserInput)
}

// TestAChangeWhileAttendeesAreRead meets another's change between the read and the write.
func TestAChangeWhileAttendeesAreRead(t *testing.T) {
	h := newHarness(t, builder{})
	e := h.event("Party")
	e.Attendees = []model.Attendee{{Email: me}, {Email: "bob@example.com"}}
	made := h.make(e)
	others := 0
	h.base = transport(func(r *http.Request) (*http.Response, error) {
		if r.Method == http.MethodPatch && others < 2 {
			others++
			rows := `{"attendees":[{"email":"alice@example.com"},{"email":"bob@example.com"},{"email":"guest` +
				string(rune('0'+others)) + `@example.com"}]}`
			patch, err := http.NewRequestWithContext(context.WithoutCancel(r.Context()), http.MethodPatch, r.URL.String(),
				strings.NewReader(rows))
			if err != nil {
				return nil, err
			}
			patch.Header.Set("Authorization", r.Header.Get("Authorization"))
			patch.Header.Set("Content-Type", "application/json")
			answer, err := h.server.Transport().RoundTrip(patch)
			if err != nil || answer.StatusCode != http.StatusOK {
				t.Error("the other's change failed", err)
			}
		}
		return h.server.Transport().RoundTrip(r)
	})
	got, err := h.Patch(t.Context(), h.connection, made.Ref, Patch{Answer: ptr(model.Accepted)},
		ChangeOptions{Fields: FieldAttendees})
	if err != nil || ownAnswer(got.Attendees, me) != model.Accepted || len(got.Attendees) != 3 ||
		got.Attendees[2].Email != "guest2@example.com" {
		t.Errorf("got %+v, %v", got.Attendees, err)
	}
	others = -100 // from now on always
	_, err = h.Patch(t.Context(), h.connection, made.Ref, Patch{Answer: ptr(model.Maybe)},
		ChangeOptions{Fields: FieldAttendees})
	code(t, err, model.CodeConflict)
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestTheInsertSaysOffsetAndZone(t *testing.T) {
	h := newHarness(t, builder{})
	e := h.event("Swimming", "RRULE:FREQ=DAILY")
	e.End.Zone = "" // is the start's
	h.make(e)
	var body struct {
		ID         string
		Start, End struct{ DateTime, TimeZone string }
	}
	if err := json.Unmarshal(h.requests("insert")[0].Body, &body); err != nil {
		t.Fatal(err)
	}
	if body.ID != "event00001" || body.Start.DateTime != "2026-11-22T18:00:00+02:00" ||
		body.Start.TimeZone != "Asia/Jerusalem" || body.End !=
		(struct{ DateTime, TimeZone string }{"2026-11-22T19:00:00+02:00", "Asia/Jerusalem"}) {
		t.Errorf("sent %+v", body)
	}
}
