package gcal

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// foretelling is the transport of a dry run: it reads as usual, and answers a change of an event as Google would,
// without sending it. What stands above it, however many calls it makes of one change, runs as in a real run. A change
// of anything else goes on, to be refused by adapters/remote.
type foretelling struct {
	next    http.RoundTripper
	account string
	// made is what the calls before this one would have made or changed, by the address of an event. One change is one
	// goroutine.
	made map[string]object
}

// object is a JSON object of the wire.
type object = map[string]any

// guestKeys are what guests may change of their own copy of an event; the rest is the organizer's.
var guestKeys = []string{"attendees", "reminders", "colorId", "transparency", "visibility"}

// foretoldVersion is the version of an event that would be made or changed; no real one has it.
const foretoldVersion = `"dryrun"`

// answeredWith is the response of a read that is the answer to a change too, since it is a refusal.
type answeredWith struct{ response *http.Response }

func (answeredWith) Error() string { return "gcal: Google has refused a read" }

// refusedWith is what Google would refuse a change with.
type refusedWith struct {
	code                    int
	domain, reason, message string
}

func (r refusedWith) Error() string { return r.message }

// RoundTrip implements http.RoundTripper.
func (t foretelling) RoundTrip(r *http.Request) (*http.Response, error) {
	path := strings.Split(r.URL.EscapedPath(), "/")
	path = path[max(slices.Index(path, "calendars"), 0):] // calendars, its id, events, and perhaps the id of one
	isEvent := len(path) >= 3 && path[0] == "calendars" && path[2] == "events"
	foretell := map[string]func(*http.Request, object) (object, error){
		http.MethodPost: t.insert, http.MethodPatch: t.patch, http.MethodDelete: t.remove,
	}[r.Method]
	if !isEvent || foretell == nil || (r.Method == http.MethodPost) != (len(path) == 3) {
		if answer := t.again(r); answer != nil {
			return responseWith(r, http.StatusOK, answer)
		}
		return t.next.RoundTrip(r)
	}
	body := object{}
	if r.Body != nil && r.Body != http.NoBody {
		err := json.NewDecoder(r.Body).Decode(&body)
		_ = r.Body.Close() // it is a transport's to close, and was read
		if err != nil {
			return nil, fmt.Errorf("gcal: read a change: %w", err)
		}
	}
	event, err := foretell(r, body)
	if read, ok := errors.AsType[answeredWith](err); ok {
		return read.response, nil
	}
	if no, ok := errors.AsType[refusedWith](err); ok {
		one := object{"domain": no.domain, "reason": no.reason, "message": no.message}
		return responseWith(r, no.code, object{"error": object{"code": no.code, "message": no.message, "errors": []any{one}}})
	}
	if err != nil {
		return nil, err
	}
	if event == nil {
		return responseWith(r, http.StatusNoContent, nil)
	}
	return responseWith(r, http.StatusOK, event)
}

// responseWith is a response with a body as JSON; nil for none.
func responseWith(r *http.Request, status int, body object) (*http.Response, error) {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return nil, fmt.Errorf("gcal: write what would be: %w", err)
		}
	}
	return &http.Response{
		StatusCode: status, Status: http.StatusText(status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{"Content-Type": {"application/json"}}, ContentLength: int64(len(text)),
		Body: io.NopCloser(bytes.NewReader(text)),
	}, nil
}

// again is the answer to a read of what an earlier call would have made or changed: an event, or its occurrence at an
// original start, with the id that Google gives one. It is nil for anything else.
func (t foretelling) again(r *http.Request) object {
	if r.Method != http.MethodGet {
		return nil
	}
	if event, ok := t.made[r.URL.EscapedPath()]; ok {
		return event
	}
	path, found := strings.CutSuffix(r.URL.EscapedPath(), "/instances")
	start := r.URL.Query().Get("originalStart")
	event, ok := t.made[path]
	if !found || !ok || start == "" {
		return nil
	}
	stamp := strings.NewReplacer("-", "", ":", "").Replace(start) // in UTC, as the caller sends it
	series, _, _ := strings.Cut(path[strings.LastIndexByte(path, '/')+1:], "_R")
	id := series + "_" + stamp
	if at := path[:strings.LastIndexByte(path, '/')+1] + id; t.made[at] == nil {
		t.made[at] = object{"id": id, "etag": event["etag"], "status": "confirmed"}
	}
	return object{"items": []any{object{"id": id}}}
}

// insert is a new event as it would be.
func (t foretelling) insert(r *http.Request, body object) (object, error) {
	if err := t.mayWrite(r); err != nil {
		return nil, err
	}
	event := object{
		"kind": "calendar#event", "etag": foretoldVersion, "status": "confirmed", "eventType": "default",
		"reminders": object{"useDefault": true}, "creator": object{"email": t.account, "self": true},
		"organizer": object{"email": cmp.Or(shared(r.URL), t.account), "self": true},
	}
	merge(event, body)
	delete(event, "conferenceData") // its link is Google's to make
	t.invite(event)
	if id, _ := event["id"].(string); id != "" {
		t.made[r.URL.EscapedPath()+"/"+url.PathEscape(id)] = event
	}
	return event, nil
}

// patch is an event as a patch would make it.
func (t foretelling) patch(r *http.Request, body object) (object, error) {
	event, err := t.present(r)
	if err != nil {
		return nil, err
	}
	organizer, _ := event["organizer"].(object)
	own, _ := organizer["self"].(bool)
	if open, _ := event["guestsCanModify"].(bool); len(organizer) > 0 && !own && !open {
		for key := range body {
			if !slices.Contains(guestKeys, key) {
				return nil, refusedWith{http.StatusForbidden, "calendar", "forbiddenForNonOrganizer",
					"Shared properties can only be changed by the organizer of the event."}
			}
		}
	}
	merge(event, body)
	event["etag"] = foretoldVersion
	t.invite(event)
	t.made[r.URL.EscapedPath()] = event
	return event, nil
}

// remove is what would be left of a deleted event: nothing.
func (t foretelling) remove(r *http.Request, _ object) (object, error) {
	event, err := t.present(r)
	if err == nil && event["status"] == "cancelled" {
		err = refusedWith{http.StatusGone, "global", "deleted", "Resource has been deleted"}
	}
	return nil, err
}

// present reads the event that a change is about, when the change may be made.
func (t foretelling) present(r *http.Request) (object, error) {
	if event, ok := t.made[r.URL.EscapedPath()]; ok {
		return maps.Clone(event), nil
	}
	event, err := t.read(r, r.URL.EscapedPath(), nil)
	if err != nil {
		return nil, err
	}
	if version := r.Header.Get("If-Match"); version != "" && version != event["etag"] {
		return nil, refusedWith{http.StatusPreconditionFailed, "global", "conditionNotMet", "Precondition Failed"}
	}
	return event, t.mayWrite(r)
}

// mayWrite is the refusal of a change in a calendar that the account may only read. Its own it may write, so nothing is
// asked.
func (t foretelling) mayWrite(r *http.Request) error {
	if shared(r.URL) == "" {
		return nil
	}
	path, _, _ := strings.Cut(r.URL.EscapedPath(), "/events")
	calendar, err := t.read(r, path+"/events", url.Values{"maxResults": {"1"}, "fields": {"accessRole"}})
	if err != nil {
		return err
	}
	if role := calendar["accessRole"]; role != "owner" && role != "writer" {
		return refusedWith{http.StatusForbidden, "calendar", "requiredAccessLevel",
			"You need to have writer access to this calendar."}
	}
	return nil
}

// shared is the id of the calendar of a request; empty for the account's own.
func shared(u *url.URL) string {
	_, rest, _ := strings.Cut(u.Path, "/calendars/")
	if id, _, _ := strings.Cut(rest, "/events"); id != primary {
		return id
	}
	return ""
}

// read reads an object, with the right of the change that is foretold.
func (t foretelling) read(r *http.Request, path string, query url.Values) (object, error) {
	address := *r.URL
	var err error
	if address.Path, err = url.PathUnescape(path); err != nil {
		return nil, fmt.Errorf("gcal: the address of a change: %w", err)
	}
	address.RawPath, address.RawQuery = path, query.Encode()
	request := r.Clone(r.Context())
	request.Method, request.URL, request.Body, request.GetBody, request.ContentLength = http.MethodGet, &address,
		http.NoBody, nil, 0
	request.Header.Del("If-Match")
	request.Header.Del("Content-Type")
	response, err := t.next.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, answeredWith{response}
	}
	defer func() { _ = response.Body.Close() }()
	out := object{}
	if err := json.NewDecoder(response.Body).Decode(&out); err != nil {
		return nil, fmt.Errorf("gcal: read what would be changed: %w", err)
	}
	return out, nil
}

// merge changes an object as a patch says (RFC 7396): null takes an entry away, objects are merged, the rest replaces.
func merge(into, patch object) {
	for key, value := range patch {
		before, within := into[key].(object)
		after, is := value.(object)
		switch {
		case value == nil:
			delete(into, key)
		case within && is:
			merge(before, after)
		default:
			into[key] = value
		}
	}
}

// invite marks the attendees as Google does: who has not answered, and which of them is the account.
func (t foretelling) invite(event object) {
	rows, _ := event["attendees"].([]any)
	for _, row := range rows {
		guest, ok := row.(object)
		if !ok {
			continue
		}
		if guest["responseStatus"] == nil {
			guest["responseStatus"] = "needsAction"
		}
		if email, _ := guest["email"].(string); strings.EqualFold(email, t.account) {
			guest["self"] = true
		}
	}
}
