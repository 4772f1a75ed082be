package calendar

import (
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/standin/wire"
)

// Notification is what Google posts to a channel's address. Its body is empty; all it says stands in its headers.
type Notification struct {
	Address string
	// Header holds X-Goog-Channel-ID, -Channel-Token, -Channel-Expiration, -Resource-ID, -Resource-URI, -Resource-State
	// ("sync" first, then "exists") and -Message-Number.
	Header http.Header
}

// channel is where changes of one collection are told.
type channel struct {
	ID         string    `json:"id"`
	ResourceID string    `json:"resourceId"`
	Resource   string    `json:"resource"`
	URI        string    `json:"uri"`
	Address    string    `json:"address"`
	Token      string    `json:"token,omitempty"`
	Account    string    `json:"account"`
	Expires    time.Time `json:"expires"`
	Messages   uint64    `json:"messages"`
}

const (
	mostChannelID    = 64
	mostChannelToken = 256
	defaultTTL       = 604800 * time.Second
	mostChannels     = 10_000
)

func (r *request) watchEvents() (wire.Reply, error) {
	c, _, err := r.pathCalendar(roleReader)
	if err != nil {
		return wire.Reply{}, err
	}
	if c.WithoutPush {
		return wire.Reply{}, pushNotSupported()
	}
	return r.watch(eventsOf(c), "https://www.googleapis.com/calendar/v3/calendars/"+c.ID+"/events?alt=json")
}

func (r *request) watchEntries() (wire.Reply, error) {
	return r.watch("calendarList:"+r.account.Email,
		"https://www.googleapis.com/calendar/v3/users/me/calendarList?alt=json")
}

// watch opens a channel and tells it "sync". There is no way to renew one; a client opens another.
func (r *request) watch(resource, uri string) (wire.Reply, error) {
	body, err := r.fitted(objectShape{"id": text, "type": text, "address": text, "token": text, "expiration": text,
		"payload": flag, "params": mapShape{}})
	if err != nil {
		return wire.Reply{}, err
	}
	ch := &channel{
		ID: textOf(body, "id"), Address: textOf(body, "address"), Token: textOf(body, "token"), Resource: resource, URI: uri,
		Account: r.account.Email, Expires: r.now.Add(defaultTTL).Truncate(time.Millisecond),
	}
	if err := r.checkChannel(ch, textOf(body, "type")); err != nil {
		return wire.Reply{}, err
	}
	if wanted := textOf(body, "expiration"); wanted != "" {
		ms, err := strconv.ParseInt(wanted, 10, 64)
		if err != nil || ms <= r.now.UnixMilli() {
			return wire.Reply{}, invalid("Invalid value for: expiration")
		}
		if at := time.UnixMilli(ms).UTC(); at.Before(ch.Expires) {
			ch.Expires = at
		}
	}
	sum := sha256.Sum256([]byte(resource))
	ch.ResourceID = base64.RawURLEncoding.EncodeToString(sum[:20])
	r.state.Channels[ch.ID] = ch
	r.tell(ch, "sync")
	shown := object{
		"kind": "api#channel", "id": ch.ID, "resourceId": ch.ResourceID, "resourceUri": ch.URI,
		"expiration": strconv.FormatInt(ch.Expires.UnixMilli(), 10),
	}
	if ch.Token != "" {
		shown["token"] = ch.Token
	}
	return wire.Reply{Body: shown}, nil
}

func (r *request) checkChannel(ch *channel, kind string) error {
	maps.DeleteFunc(r.state.Channels, func(_ string, old *channel) bool { return !old.Expires.After(r.now) })
	switch {
	case ch.ID == "":
		return required("Missing channel id.")
	case len(ch.ID) > mostChannelID || strings.ContainsFunc(ch.ID, func(c rune) bool { return c <= ' ' || c > '~' }):
		return invalid("Invalid value for: channel id")
	case kind != "web_hook" && kind != "webhook":
		return invalid("Invalid value for: channel type")
	case len(ch.Token) > mostChannelToken:
		return invalid("Invalid value for: channel token")
	case !strings.HasPrefix(ch.Address, "https://") || len(ch.Address) <= len("https://"):
		return problem(http.StatusBadRequest, domainGlobal, "push.webhookUrlNotHttps",
			"WebHook callback must be HTTPS: "+clip(ch.Address))
	case r.state.Channels[ch.ID] != nil:
		return problem(http.StatusBadRequest, domainGlobal, "channelIdNotUnique", "Channel id "+ch.ID+" not unique")
	case len(r.state.Channels) >= mostChannels:
		return quotaExceeded()
	}
	return nil
}

// tell lines up one notification.
func (r *request) tell(ch *channel, state string) {
	ch.Messages++
	header := http.Header{}
	header.Set("X-Goog-Channel-ID", ch.ID)
	header.Set("X-Goog-Resource-ID", ch.ResourceID)
	header.Set("X-Goog-Resource-URI", ch.URI)
	header.Set("X-Goog-Resource-State", state)
	header.Set("X-Goog-Message-Number", strconv.FormatUint(ch.Messages, 10))
	header.Set("X-Goog-Channel-Expiration", ch.Expires.Format(http.TimeFormat))
	if ch.Token != "" {
		header.Set("X-Goog-Channel-Token", ch.Token)
	}
	r.notices = append(r.notices, Notification{Address: ch.Address, Header: header})
}

// tellChannels tells every channel of a changed collection once.
func (r *request) tellChannels() {
	for _, id := range slices.Sorted(maps.Keys(r.state.Channels)) {
		ch := r.state.Channels[id]
		switch {
		case !ch.Expires.After(r.now):
			delete(r.state.Channels, id)
		case slices.Contains(r.changed, ch.Resource):
			r.tell(ch, "exists")
		}
	}
}

// stopChannel answers calendar.channels.stop, which wants both ids.
func (r *request) stopChannel() (wire.Reply, error) {
	id, _ := r.call.Body["id"].(string)               // Absent is unknown.
	resource, _ := r.call.Body["resourceId"].(string) // Absent is unknown.
	ch := r.state.Channels[id]
	if ch == nil || ch.ResourceID != resource || ch.Account != r.account.Email {
		return wire.Reply{}, problem(http.StatusNotFound, domainGlobal, "notFound",
			"Channel '"+clip(id)+"' not found for project")
	}
	delete(r.state.Channels, id)
	return wire.Reply{Status: http.StatusNoContent}, nil
}
