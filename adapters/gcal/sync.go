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

// SyncPlace is where the reading of a calendar goes on.
type SyncPlace struct {
	// Token asks for what has changed since; empty: for all that there is.
	Token string
	// Page asks for another page of the same answer; empty: for the first one.
	Page string
}

// SyncPage is one page of all that a calendar has, or of what has changed on it since a token.
type SyncPage struct {
	// Events are single events, series, and occurrences changed or cancelled on their own; those that were deleted only
	// beside a token. A cancelled one may have nothing but its id and, if it is an occurrence, its series and original
	// start. An event may stand on two pages.
	Events []model.Event
	// Next asks for the next page; empty on the last one.
	Next string
	// Token asks for what comes after; on the last page alone.
	Token string
	// Zone, DefaultReminders and Role are what the answer says of the calendar.
	Zone             string
	DefaultReminders []model.Reminder
	Role             model.AccessRole
	// Gone: the token, or that of the page, was no longer good, and nothing else is there. Reading begins anew, without.
	Gone bool
}

// SyncShape numbers what a reading asks for of each event. Another number means that what was read before lacks
// something.
const SyncShape = 1

// Readable reports whether a copy answers as the remote would: it was read to its end, with all that is asked for, and
// nothing was written to it since. Of a calendar that shows only when it is busy there is none.
func Readable(c model.KeptCalendar) bool {
	return c.State == model.CalendarKept && c.Shape == SyncShape && !c.AsOf.IsZero() && c.Role != model.RoleFreeBusyReader
}

// Sync reads one page of a calendar: whole events, as FieldsAll has them. The question is the same each time, as Google
// wants it. NOT_FOUND when there is no such calendar any more.
func (c *Client) Sync(ctx context.Context, connection model.Connection, calendarID string,
	place SyncPlace) (SyncPage, error) {
	s, err := c.session(ctx, connection)
	if err != nil {
		return SyncPage{}, err
	}
	size := c.PageSize
	if size <= 0 {
		size = largestPage
	}
	ctx = reading(ctx, "events.list")
	var found SyncPage
	for again := 0; ; again++ {
		call := s.api.Events.List(s.sentID(calendarID)).Context(ctx).SingleEvents(false).MaxResults(int64(size)).
			Fields(googleapi.Field("nextPageToken,nextSyncToken,timeZone,accessRole,defaultReminders,items(" +
				eventMask(FieldsAll) + ")"))
		if place.Token != "" {
			call.SyncToken(place.Token)
		}
		if place.Page != "" {
			call.PageToken(place.Page)
		}
		page, err := call.Do()
		// Google says 410 of a token that has ended, and 400 of one that it does not know at all; and 400 of a grant that was
		// taken back, which says nothing of the place.
		unknown := google.Status(err) == http.StatusBadRequest &&
			model.CodeOf(google.Classify(err)) != model.CodeNotConnected
		if place != (SyncPlace{}) && (google.IsGone(err) || unknown) {
			return SyncPage{Gone: true}, nil
		}
		if err != nil {
			return SyncPage{}, classify(err, missingCalendar)
		}
		found = SyncPage{Next: page.NextPageToken, Token: page.NextSyncToken, Zone: page.TimeZone,
			DefaultReminders: reminderList(page.DefaultReminders), Role: roleOf(page.AccessRole)}
		for _, item := range page.Items {
			e, err := s.event(s.calendarID(calendarID), page.TimeZone, item)
			if err != nil {
				return SyncPage{}, err
			}
			found.Events = append(found.Events, e)
		}
		switch {
		case found.Next == "" && found.Token == "":
			return SyncPage{}, unreadable(errNoToken)
		case found.Next == "" || len(found.Events) > 0:
			return found, nil
		case again == maxPages, again >= maxSame && found.Next == place.Page:
			return SyncPage{}, unreadable(errTooManyPages)
		}
		place.Page = found.Next // nothing is on this page
	}
}

var errNoToken = errors.New("the last page has no sync token")

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
