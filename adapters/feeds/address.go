package feeds

import (
	"net/url"
	"strings"

	"almanac/graph/model"
)

const maxAddress = 2000

// ParseAddress reads the address of a feed: http, https, or webcal, which stands for https. The error is BAD_USER_INPUT
// without a field and does not quote the address.
func ParseAddress(text string) (*url.URL, error) {
	text = strings.TrimSpace(text)
	u, err := url.Parse(text)
	if err != nil || len(text) > maxAddress || u.Hostname() == "" || u.Opaque != "" {
		return nil, model.BadInput("", "this is no address of a calendar; it is written https://example.com/calendar.ics")
	}
	switch u.Scheme = strings.ToLower(u.Scheme); u.Scheme {
	case "http", "https":
	case "webcal", "webcals":
		u.Scheme = "https"
	default:
		return nil, model.BadInput("", "the address of a calendar begins with https://, http:// or webcal://")
	}
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}
