package google

import (
	"encoding/base64"
	"maps"
	"net/url"
	"slices"
	"strings"

	"almanac/internal/standin/discovery"
)

// An empty page carries a token that leads to the page that was asked for. The front wraps the request's own token for
// that, and takes the wrapping off when it comes back; services know nothing of it.
const emptyPagePrefix = "standin-empty-page."

// isList reports whether a method returns pages.
func isList(d *discovery.Document, m *discovery.Method) bool {
	answer := d.Schemas[m.Response]
	return m.Parameters["pageToken"] != nil && answer != nil && answer.Properties["nextPageToken"] != nil
}

// unwrapPage takes the wrapping off the query's token and returns the token inside; a text that is no wrapped token
// stays, for the service to refuse.
func unwrapPage(query url.Values) string {
	wrapped, ok := strings.CutPrefix(query.Get("pageToken"), emptyPagePrefix)
	if !ok {
		return query.Get("pageToken")
	}
	inside, err := base64.RawURLEncoding.DecodeString(wrapped)
	switch {
	case err != nil:
		return query.Get("pageToken")
	case len(inside) == 0:
		query.Del("pageToken")
	default:
		query.Set("pageToken", string(inside))
	}
	return string(inside)
}

// emptyPage makes an empty page of a full one. Calendar writes an empty list, Gmail leaves it out.
func emptyPage(d *discovery.Document, m *discovery.Method, body map[string]any, token string) map[string]any {
	empty := maps.Clone(body)
	if empty == nil {
		empty = map[string]any{}
	}
	delete(empty, "nextSyncToken")
	empty["nextPageToken"] = emptyPagePrefix + base64.RawURLEncoding.EncodeToString([]byte(token))
	properties := d.Schemas[m.Response].Properties
	if properties["items"] != nil {
		empty["items"] = []any{}
		return empty
	}
	for _, name := range slices.Collect(maps.Keys(properties)) {
		if properties[name].Type == "array" {
			delete(empty, name)
		}
	}
	return empty
}
