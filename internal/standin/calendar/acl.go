package calendar

import (
	"maps"
	"slices"
	"strconv"

	"almanac/internal/standin/wire"
)

func itoa(n int) string { return strconv.Itoa(n) }

// listRules answers calendar.acl.list, for owners, in one page.
func (r *request) listRules() (wire.Reply, error) {
	c, _, err := r.pathCalendar(roleOwner)
	if err != nil {
		return wire.Reply{}, err
	}
	items := make([]any, 0, len(c.Rights))
	for _, email := range slices.Sorted(maps.Keys(c.Rights)) {
		scope, id := object{"type": "default"}, "default"
		if email != "" {
			scope, id = object{"type": "user", "value": email}, "user:"+email
		}
		items = append(items, object{
			"kind": "calendar#aclRule", "etag": etagOf(c.Revision), "id": id, "role": string(c.Rights[email]), "scope": scope,
		})
	}
	return wire.Reply{Body: object{
		"kind": "calendar#acl", "etag": etagOf(c.Revision), "items": items,
		"nextSyncToken": r.newSync("acl:"+c.ID, c.Revision),
	}}, nil
}
