package calendar

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"
)

// position is where a row stands in a listing: by time (0 in the default order), then by the place of what is stored,
// then by the original start of an instance. No two rows have the same one.
type position struct {
	Time  int64  `json:"t,omitempty"`
	Order uint64 `json:"o"`
	At    int64  `json:"a,omitempty"`
}

func (p position) compare(o position) int {
	switch {
	case p.Time != o.Time:
		return order(p.Time < o.Time)
	case p.Order != o.Order:
		return order(p.Order < o.Order)
	case p.At != o.At:
		return order(p.At < o.At)
	}
	return 0
}

func order(less bool) int {
	if less {
		return -1
	}
	return 1
}

// pageToken says after which row a page begins, and to which change the listing belongs.
type pageToken struct {
	After position `json:"p"`
	Query string   `json:"q"`
	// Seen is the count of changes when the first page was made, so that nothing between the pages is lost to the next
	// sync.
	Seen  uint64 `json:"s"`
	Epoch uint64 `json:"e,omitempty"`
}

// syncToken says up to which change a client has seen a collection, and when that was, in Unix seconds.
type syncToken struct {
	Seen  uint64 `json:"s"`
	Epoch uint64 `json:"e"`
	Query string `json:"q"`
	Of    string `json:"c"`
	Made  int64  `json:"m"`
	// Rights is how often the account's rights on the calendar had changed.
	Rights uint64 `json:"r,omitempty"`
}

func encodeToken(token any) string {
	raw, err := json.Marshal(token)
	if err != nil { // Structs of numbers and strings always have a form in JSON.
		return ""
	}
	return base64.URLEncoding.EncodeToString(raw)
}

// decodeToken reads what encodeToken wrote; anything else is refused.
func decodeToken(text string, into any) bool {
	raw, err := base64.URLEncoding.DecodeString(text)
	return err == nil && json.Unmarshal(raw, into) == nil
}

// queryHash names the parameters of a query, without those that are left out.
func queryHash(path map[string]string, query url.Values, without ...string) string {
	kept := url.Values{}
	for name, values := range query {
		if !slices.Contains(without, name) {
			kept[name] = values
		}
	}
	for name, value := range path {
		kept["/"+name] = []string{value}
	}
	sum := sha256.Sum256([]byte(kept.Encode()))
	return base64.RawURLEncoding.EncodeToString(sum[:9])
}

// pageHash names all that must stay the same from page to page.
func (r *request) pageHash() string { return queryHash(r.call.Path, r.call.Query, "pageToken") }

// syncHash names what must stay the same from sync to sync: which rows there are, not how they are shown or cut into
// pages. Bounds of time are of the first listing only, because a request with a token may not have them.
func (r *request) syncHash() string {
	return queryHash(nil, r.call.Query, "pageToken", "syncToken", "maxResults", "timeZone", "maxAttendees",
		"alwaysIncludeEmail", "timeMin", "timeMax", "showDeleted")
}

// readPage reads pageToken. Another query than the one that gave it is refused, so that a client's mistake shows.
func (r *request) readPage() (*pageToken, error) {
	text := r.call.Query.Get("pageToken")
	if text == "" {
		return nil, nil // No token: the first page.
	}
	var token pageToken
	if !decodeToken(text, &token) || token.Query != r.pageHash() {
		return nil, invalidToken("pageToken")
	}
	switch {
	case token.Epoch == r.account.PageEpoch:
		return &token, nil
	case r.switches.DeadPagesAreGone:
		return nil, at(fullSyncRequired(), "parameter", "pageToken")
	}
	return nil, invalidToken("pageToken")
}

// readSync reads syncToken, whose collection is named of and now has seen changes.
func (r *request) readSync(of string, changes uint64) (*syncToken, error) {
	text := r.call.Query.Get("syncToken")
	if text == "" {
		return nil, nil // No token: a full listing.
	}
	var token syncToken
	if !decodeToken(text, &token) || token.Of != of {
		return nil, invalidToken("syncToken")
	}
	old := r.now.Sub(time.Unix(token.Made, int64(r.now.Nanosecond()))) > r.switches.syncTokenLife()
	if token.Epoch != r.account.Epoch || token.Seen > changes || old || token.Rights != r.rightsChanged(of) {
		return nil, fullSyncRequired()
	}
	if token.Query != r.syncHash() {
		return nil, invalidToken("syncToken")
	}
	return &token, nil
}

func (r *request) newSync(of string, seen uint64) string {
	return encodeToken(syncToken{Seen: seen, Epoch: r.account.Epoch, Query: r.syncHash(), Of: of, Made: r.now.Unix(),
		Rights: r.rightsChanged(of)})
}

// rightsChanged is how often the account's rights on the calendar of a collection have changed.
func (r *request) rightsChanged(of string) uint64 {
	c := r.state.Calendars[strings.TrimPrefix(of, "events:")]
	if c == nil {
		return 0
	}
	return c.RightsChanged[r.account.Email] + c.RightsChanged[""]
}

// cut takes one page out of sorted rows: what follows the token, at most size rows, and the token of the next page.
func cut[T any](r *request, rows []T, where func(T) position, page *pageToken, size int,
	seen uint64) (cutOut []T, next string) {
	begin := 0
	if page != nil {
		begin = len(rows)
		for i, row := range rows {
			if where(row).compare(page.After) > 0 {
				begin = i
				break
			}
		}
	}
	rows = rows[begin:]
	if len(rows) <= size {
		return rows, ""
	}
	last := rows[size-1]
	return rows[:size], encodeToken(pageToken{After: where(last), Query: r.pageHash(), Seen: seen,
		Epoch: r.account.PageEpoch})
}
