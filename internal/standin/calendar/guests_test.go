package calendar

import (
	"fmt"
	"strings"
	"testing"
)

func status(e object, email string) string {
	for _, a := range objectsOf(e, "attendees") {
		if textOf(a, "email") == email {
			return textOf(a, "responseStatus")
		}
	}
	return ""
}

// meeting makes a meeting of ada's with ben and clara.
func (w *world) meeting(query string, more object) object {
	w.t.Helper()
	return w.do("events.insert", asked{query: query,
		body: with(with(timed("2026-03-10T09:00:00", "2026-03-10T10:00:00", "Asia/Jerusalem"), object{
			"id": "meet0", "summary": "Meeting",
			"attendees": []object{{"email": "Ben@Example.com"}, {"email": clara, "optional": true}},
		}), more)})
}

func TestAttendeesAreChecked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.refused("events.insert", asked{body: with(allDay("2026-03-10", "2026-03-11"),
		object{"attendees": []object{{"displayName": "Nobody"}}})}, "400 global/required")
	same(t, "message", p.Message, "Missing attendee email.")
	for _, email := range []string{"nobody", "@", "a@", "@b", "a b@c", "a@b@c"} {
		w.refused("events.insert", asked{body: with(allDay("2026-03-10", "2026-03-11"),
			object{"attendees": []object{{"email": email}}})}, "400 global/invalid")
	}
	e := w.meeting("", nil)
	same(t, "rows", e["attendees"], any([]any{
		object{"email": ben, "responseStatus": "needsAction"},
		object{"email": clara, "optional": true, "responseStatus": "needsAction"},
	}))
}

func TestGuestsGetCopies(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.meeting("", object{"colorId": "3",
		"extendedProperties": object{"private": object{"a": "1"}, "shared": object{"b": "2"}}})
	copied := w.do("events.get", asked{as: ben, id: "meet0"})
	same(t, "summary", textOf(copied, "summary"), "Meeting")
	same(t, "organizer", objectOf(copied, "organizer"), object{"email": ada, "displayName": "Ada"})
	same(t, "self", flagOf(objectsOf(copied, "attendees")[0], "self"), true)
	same(t, "what is shared", objectOf(copied, "extendedProperties"), object{"shared": object{"b": "2"}})
	absent(t, copied, "colorId")
	w.do("events.patch", asked{as: ben, id: "meet0",
		body: object{"colorId": "7", "reminders": object{"useDefault": false}}})
	w.do("events.patch", asked{id: "meet0",
		body: object{"summary": "Renamed", "start": object{"dateTime": "2026-03-10T08:00:00+02:00"}}})
	copied = w.do("events.get", asked{as: ben, id: "meet0"})
	same(t, "renamed", textOf(copied, "summary"), "Renamed")
	same(t, "moved", textOf(objectOf(copied, "start"), "dateTime"), "2026-03-10T08:00:00+02:00")
	same(t, "own colour", textOf(copied, "colorId"), "7")
	same(t, "own reminders", objectOf(copied, "reminders"), object{"useDefault": false})
	same(t, "ada's colour", textOf(w.do("events.get", asked{id: "meet0"}), "colorId"), "3")
}

func TestResponsesReachEveryone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.meeting("", nil)
	list := []object{{"email": ben, "responseStatus": "accepted", "comment": "בשמחה"}, {"email": clara, "optional": true}}
	w.do("events.patch", asked{as: ben, id: "meet0", body: object{"attendees": list}})
	for _, who := range []string{ada, ben, clara} {
		same(t, who, status(w.do("events.get", asked{as: who, id: "meet0"}), ben), "accepted")
	}
	w.do("events.delete", asked{as: clara, id: "meet0"})
	same(t, "who removes it declines", status(w.do("events.get", asked{id: "meet0"}), clara), "declined")
	w.do("events.patch", asked{id: "meet0", body: object{"summary": "Again"}})
	same(t, "and does not get it back", textOf(w.do("events.get", asked{as: clara, id: "meet0"}), "status"), "cancelled")
}

func TestOnlyTheOrganizerChangesWhatIsShared(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.meeting("", nil)
	for name, body := range map[string]object{
		"summary": {"summary": "Mine"},
		"time":    {"start": object{"dateTime": "2026-03-10T08:00:00+02:00"}},
		"other's row": {"attendees": []object{{"email": ben},
			{"email": clara, "optional": true, "responseStatus": "declined"}}},
		"removing one": {"attendees": []object{{"email": ben}}},
		"shared":       {"extendedProperties": object{"shared": object{"a": "b"}}},
	} {
		p := w.refused("events.patch", asked{as: ben, id: "meet0", body: body}, "403 calendar/forbiddenForNonOrganizer")
		same(t, name, p.Message, "Shared properties can only be changed by the organizer of the event.")
	}
	w.do("events.patch", asked{as: ben, id: "meet0",
		body: object{"transparency": "transparent", "extendedProperties": object{"private": object{"a": "b"}}}})
	w.do("events.patch", asked{as: ben, id: "meet0", body: object{
		"attendees": []object{{"email": ben}, {"email": clara, "optional": true}, {"email": "dan@example.net"}}}})
	same(t, "guests may invite", len(objectsOf(w.do("events.get", asked{id: "meet0"}), "attendees")), 3)
	w.do("events.patch", asked{id: "meet0", body: object{"guestsCanInviteOthers": false}})
	w.refused("events.patch", asked{as: clara, id: "meet0", body: object{"attendees": []object{
		{"email": ben}, {"email": clara, "optional": true}, {"email": "dan@example.net"}, {"email": "eve@example.net"},
	}}}, "403 calendar/forbiddenForNonOrganizer")
	w.do("events.patch", asked{id: "meet0", body: object{"guestsCanModify": true}})
	w.do("events.patch", asked{as: ben, id: "meet0", body: object{"summary": "Ours"}})
	for _, who := range []string{ada, ben, clara} {
		same(t, who, textOf(w.do("events.get", asked{as: who, id: "meet0"}), "summary"), "Ours")
	}
}

func TestDeletingWithoutMailLeavesCopies(t *testing.T) {
	t.Parallel()
	for send, want := range map[string][2]string{
		"": {"confirmed", "confirmed"}, "sendUpdates=none": {"confirmed", "confirmed"},
		"sendUpdates=all":          {"cancelled", "cancelled"},
		"sendUpdates=externalOnly": {"confirmed", "cancelled"},
	} {
		w := newWorld(t)
		w.meeting("", nil)
		w.do("events.delete", asked{id: "meet0", query: send})
		for i, who := range []string{ben, clara} {
			copied := w.do("events.get", asked{as: who, id: "meet0"})
			same(t, send+" "+who, textOf(copied, "status"), want[i])
			if want[i] == "cancelled" {
				absent(t, copied, "summary", "start") // Only the organizer's calendar keeps details.
			}
		}
	}
}

func TestRemovedGuestsLoseTheirCopy(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.meeting("", nil)
	w.do("events.patch", asked{id: "meet0", body: object{"attendees": []object{{"email": clara}}}})
	same(t, "ben", textOf(w.do("events.get", asked{as: ben, id: "meet0"}), "status"), "cancelled")
	same(t, "clara", textOf(w.do("events.get", asked{as: clara, id: "meet0"}), "status"), "confirmed")
}

func TestMail(t *testing.T) {
	t.Parallel()
	for send, want := range map[string]string{
		"":                 "",
		"sendUpdates=none": "",
		"sendUpdates=all": "invitation>ben invitation>clara update>ben update>clara response>ada cancellation>ben " +
			"cancellation>clara",
		"sendUpdates=externalOnly": "invitation>clara update>clara cancellation>clara",
		"sendNotifications=true": "invitation>ben invitation>clara update>ben update>clara response>ada cancellation>ben " +
			"cancellation>clara",
		"sendNotifications=false": "",
	} {
		w := newWorld(t)
		w.meeting(send, nil)
		w.do("events.patch", asked{id: "meet0", query: send, body: object{"summary": "Renamed"}})
		w.do("events.patch", asked{id: "meet0", query: send, body: object{"colorId": "3"}}) // Nobody's business.
		w.do("events.patch", asked{as: ben, id: "meet0", query: send, body: object{"attendees": []object{
			{"email": ben, "responseStatus": "tentative"}, {"email": clara, "optional": true},
		}}})
		w.do("events.delete", asked{id: "meet0", query: send})
		var got []string
		for _, m := range w.s.Notifications() {
			name, _, _ := strings.Cut(m.To, "@")
			got = append(got, fmt.Sprintf("%s>%s", m.Kind, name))
			same(t, "event", m.Event, "meet0")
		}
		same(t, send, strings.Join(got, " "), want)
	}
	w := newWorld(t)
	w.refused("events.delete", asked{id: "meet0", query: "sendUpdates=some"}, "400 global/invalidParameter")
}

func TestServiceAccountsInviteNobody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if err := w.s.AddAccount(Account{Email: "robot@example.iam.gserviceaccount.com", ServiceAccount: true}); err != nil {
		t.Fatal(err)
	}
	body := allDay("2026-03-10", "2026-03-11")
	as := "robot@example.iam.gserviceaccount.com"
	w.do("events.insert", asked{as: as, body: body})
	w.refused("events.insert", asked{as: as, query: "sendUpdates=none",
		body: with(body, object{"attendees": []object{{"email": ben}}})},
		"403 calendar/forbiddenForServiceAccounts")
}

func TestSeriesWithGuests(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.weekly(object{"id": "standup", "attendees": []object{{"email": ben}}})
	bens := func() int {
		return len(objectsOf(w.do("events.list", asked{as: ben, query: "singleEvents=true"}), "items"))
	}
	same(t, "ben's instances", bens(), 6)
	w.do("events.patch", asked{as: ben, id: "standup_20260309T070000Z",
		body: object{"attendees": []object{{"email": ben, "responseStatus": "declined"}}}})
	same(t, "an answer to one instance", status(w.do("events.get", asked{id: "standup_20260309T070000Z"}), ben),
		"declined")
	same(t, "not to the others", status(w.do("events.get", asked{id: "standup_20260316T070000Z"}), ben), "needsAction")
	w.do("events.delete", asked{id: "standup_20260316T070000Z", query: "sendUpdates=all"})
	same(t, "one is cancelled", bens(), 5)
	w.do("events.patch", asked{id: "standup_20260323T070000Z", body: object{"summary": "Special"}})
	same(t, "one is special", textOf(w.do("events.get", asked{as: ben, id: "standup_20260323T070000Z"}), "summary"),
		"Special")
	w.do("events.patch", asked{id: "standup_20260406T060000Z",
		body: object{"attendees": []object{{"email": ben}, {"email": clara}}}})
	claras := objectsOf(w.do("events.list", asked{as: clara}), "items")
	same(t, "clara is invited to one only", ids(claras), []string{"standup_20260406T060000Z"})
	same(t, "with its title", textOf(claras[0], "summary"), "Standup")
}

func TestHiddenGuests(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.meeting("", object{"guestsCanSeeOtherGuests": false})
	e := w.do("events.get", asked{as: ben, id: "meet0"})
	same(t, "omitted", flagOf(e, "attendeesOmitted"), true)
	same(t, "only self", len(objectsOf(e, "attendees")), 1)
	same(t, "ada sees all", len(objectsOf(w.do("events.get", asked{id: "meet0"}), "attendees")), 2)
}

func TestConference(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	body := with(timed("2026-03-10T09:00:00", "2026-03-10T10:00:00", "Asia/Jerusalem"), object{
		"conferenceData": object{"createRequest": object{"requestId": "one"}},
	})
	absent(t, w.insert(body), "conferenceData", "hangoutLink")
	e := w.do("events.insert", asked{query: "conferenceDataVersion=1", body: body})
	link := textOf(e, "hangoutLink")
	if !strings.HasPrefix(link, "https://meet.google.com/") {
		t.Errorf("link %q", link)
	}
	patch := asked{id: textOf(e, "id"), query: "conferenceDataVersion=1"}
	patch.body = object{"conferenceData": object{"createRequest": object{"requestId": "one"}}}
	same(t, "the same request", textOf(w.do("events.patch", patch), "hangoutLink"), link)
	patch.body = object{"conferenceData": object{"createRequest": object{"requestId": "two"}}}
	if again := textOf(w.do("events.patch", patch), "hangoutLink"); again == link || again == "" {
		t.Errorf("another request gives %q", again)
	}
	patch.body, patch.query = object{"conferenceData": nil}, ""
	if textOf(w.do("events.patch", patch), "hangoutLink") == "" {
		t.Error("a client that knows of no conferences took it away")
	}
	patch.query = "conferenceDataVersion=1"
	absent(t, w.do("events.patch", patch), "hangoutLink", "conferenceData")
	patch.body = object{"conferenceData": object{"createRequest": object{}}}
	w.refused("events.patch", patch, "400 global/invalid")
}

func TestConferencePendingAndFailing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Switches{Conference: ConferencePending})
	code := func(e object) string {
		return textOf(objectOf(objectOf(objectOf(e, "conferenceData"), "createRequest"), "status"), "statusCode")
	}
	body := with(allDay("2026-03-10", "2026-03-11"),
		object{"conferenceData": object{"createRequest": object{"requestId": "one"}}})
	e := w.do("events.insert", asked{query: "conferenceDataVersion=1", body: body})
	same(t, "pending", code(e), "pending")
	absent(t, e, "hangoutLink")
	w.s.ResolveConferences()
	e = w.do("events.get", asked{id: textOf(e, "id")})
	same(t, "then made", code(e), "success")
	if textOf(e, "hangoutLink") == "" {
		t.Error("no link")
	}
	w.s.SetSwitches(Switches{Conference: ConferenceFails})
	e = w.do("events.insert", asked{query: "conferenceDataVersion=1", body: body})
	same(t, "failed, but the event is there", code(e), "failure")
	same(t, "status", textOf(w.do("events.get", asked{id: textOf(e, "id")}), "status"), "confirmed")
}

func TestExtendedPropertyLimits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	long := strings.Repeat("ש", 2000)
	e := w.insert(with(allDay("2026-03-10", "2026-03-11"), object{"extendedProperties": object{"private": object{
		strings.Repeat("k", 44): "kept", strings.Repeat("k", 45): "dropped", "long": long,
	}}}))
	private := objectOf(objectOf(e, "extendedProperties"), "private")
	same(t, "names", len(private), 2)
	same(t, "value", len([]rune(textOf(private, "long"))), 1024)
	many := object{}
	for i := range 301 {
		many[fmt.Sprintf("k%d", i)] = "v"
	}
	w.refused("events.insert", asked{body: with(allDay("2026-03-10", "2026-03-11"),
		object{"extendedProperties": object{"private": many}})}, "400 global/invalid")
}

func TestAttachmentsNeedTheParameter(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	body := with(allDay("2026-03-10", "2026-03-11"), object{"attachments": []object{{"fileUrl": "https://example.com/f"}}})
	absent(t, w.insert(body), "attachments")
	e := w.do("events.insert", asked{query: "supportsAttachments=true", body: body})
	same(t, "attachments", len(objectsOf(e, "attachments")), 1)
	w.do("events.patch", asked{id: textOf(e, "id"), body: object{"attachments": nil}})
	same(t, "still there", len(objectsOf(w.do("events.get", asked{id: textOf(e, "id")}), "attachments")), 1)
	files := make([]object, 26)
	for i := range files {
		files[i] = object{"fileUrl": "https://example.com/f"}
	}
	w.refused("events.insert", asked{query: "supportsAttachments=true", body: with(body, object{"attachments": files})},
		"400 global/invalid")
}

func TestEventLabels(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	body := with(allDay("2026-03-10", "2026-03-11"), object{"eventLabelId": "l1", "colorId": "2"})
	old := w.insert(body)
	same(t, "without the version", textOf(old, "colorId"), "2")
	absent(t, old, "eventLabelId")
	fresh := w.do("events.insert", asked{query: "eventLabelVersion=1", body: body})
	same(t, "with it", textOf(fresh, "eventLabelId"), "l1")
	absent(t, fresh, "colorId")
}
