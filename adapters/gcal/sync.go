package gcal

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"

	"google.golang.org/api/calendar/v3"
	"google.golang.org/api/googleapi"

	"almanac/adapters/google"
	"almanac/graph/model"
)

// SyncPage is what has changed on a calendar since a token.
type SyncPage struct {
	// Events are those that were made, changed or deleted, each once as it is now: single events, series, and occurrences
	// changed or cancelled on their own. A cancelled one may have nothing but its id and, if it is an occurrence, its
	// series and original start.
	Events []model.Event
	// Token asks for what comes after.
	Token string
	// At is when Google answered, by its own clock.
	At time.Time
	// Reset: the token given was no longer good. What changed since is unknown, Events is empty, and Token begins anew.
	Reset bool
}

// syncFields are what a change is told with.
const syncFields = FieldSummary | FieldTimes | FieldRecurrence | FieldStamps

// Sync gives what has changed on a calendar since the token was given. An empty token asks for nothing but the first
// one: no event crosses the wire. NOT_FOUND when there is no such calendar any more.
func (c *Client) Sync(ctx context.Context, connection model.Connection, calendarID, token string) (SyncPage, error) {
	s, err := c.session(ctx, connection)
	if err != nil {
		return SyncPage{}, err
	}
	page, err := s.sync(ctx, calendarID, token)
	// Google says 410 of a token that has ended, and 400 of one that it does not know at all.
	if token != "" && (google.IsGone(err) || google.Status(err) == http.StatusBadRequest) {
		page, err = s.sync(ctx, calendarID, "")
		page.Reset = true
	}
	if err != nil {
		return SyncPage{}, err
	}
	return page, nil
}

func (s *session) sync(ctx context.Context, calendarID, token string) (SyncPage, error) {
	ctx = reading(ctx, "events.list")
	mask := "nextPageToken,nextSyncToken,updated"
	if token != "" {
		mask += ",timeZone,items(" + eventMask(syncFields) + ")"
	}
	var read SyncPage
	var at paging
	for {
		call := s.api.Events.List(s.sentID(calendarID)).Context(ctx).SingleEvents(false).
			MaxResults(largestPage).Fields(googleapi.Field(mask))
		if token != "" {
			call.SyncToken(token)
		}
		if at.token != "" {
			call.PageToken(at.token)
		}
		page, err := call.Do()
		if err != nil {
			return SyncPage{}, classify(err, missingCalendar)
		}
		for _, item := range page.Items {
			e, err := s.event(s.calendarID(calendarID), page.TimeZone, item)
			if err != nil {
				return SyncPage{}, err
			}
			read.Events = append(read.Events, e)
		}
		more, err := at.turn(page.NextPageToken)
		if err != nil {
			return SyncPage{}, err
		}
		if !more {
			read.Token, read.At = page.NextSyncToken, s.answered(page)
			if read.Token == "" {
				return SyncPage{}, unreadable(errNoToken)
			}
			return read, nil
		}
	}
}

var errNoToken = errors.New("the last page has no sync token")

// answered is when Google answered.
func (s *session) answered(page *calendar.Events) time.Time {
	if at, err := http.ParseTime(page.Header.Get("Date")); err == nil {
		return at.UTC()
	}
	if at, err := time.Parse(time.RFC3339, page.Updated); err == nil {
		return at.UTC()
	}
	return s.client.Now().UTC()
}

// Channel is how Google tells of changes on a calendar.
type Channel struct {
	// ID is ours, ResourceID Google's; both are needed to stop it.
	ID, ResourceID string
	// Expires is when Google stops telling; there is no renewal but another channel.
	Expires time.Time
}

// Watch asks Google to send a request to the address, which is served over HTTPS, whenever the calendar changes. The id
// is ours, at most 64 characters and never used before; the token comes back with each request, at most 256 characters.
// Zero ttl is Google's own, a week.
func (c *Client) Watch(ctx context.Context, connection model.Connection, calendarID, id, token, address string,
	ttl time.Duration) (Channel, error) {
	s, err := c.session(ctx, connection)
	if err != nil {
		return Channel{}, err
	}
	ask := &calendar.Channel{Id: id, Type: "web_hook", Address: address, Token: token}
	if ttl > 0 {
		ask.Expiration = s.client.Now().Add(ttl).UnixMilli()
	}
	ctx = google.WithRepeat(reading(ctx, "events.watch"), google.RepeatUnapplied)
	made, err := s.api.Events.Watch(s.sentID(calendarID), ask).Context(ctx).Fields("id,resourceId,expiration").Do()
	if err != nil {
		return Channel{}, classify(err, missingCalendar)
	}
	channel := Channel{ID: cmp.Or(made.Id, id), ResourceID: made.ResourceId}
	if made.Expiration > 0 {
		channel.Expires = time.UnixMilli(made.Expiration).UTC()
	}
	return channel, nil
}

// StopWatch ends a channel. One that has ended already is no error.
func (c *Client) StopWatch(ctx context.Context, connection model.Connection, channel Channel) error {
	s, err := c.session(ctx, connection)
	if err != nil {
		return err
	}
	ctx = google.WithRepeat(reading(ctx, "channels.stop"), google.RepeatAlways)
	err = s.api.Channels.Stop(&calendar.Channel{Id: channel.ID, ResourceId: channel.ResourceID}).Context(ctx).Do()
	if google.Status(err) == http.StatusNotFound || google.IsGone(err) {
		return nil
	}
	return google.Classify(err)
}
