package calendar

import (
	"slices"
	"time"

	"almanac/internal/standin/wire"
)

// settingsFor returns the settings that a new account has. All values are strings.
func settingsFor(zone, locale string) map[string]string {
	return map[string]string{
		"timezone": zone, "locale": locale, "weekStart": "0", "format24HourTime": "true", "dateFieldOrder": "DMY",
		"defaultEventLength": "60", "hideInvitations": "false", "hideWeekends": "false", "showDeclinedEvents": "true",
		"useKeyboardShortcuts": "true", "autoAddHangouts": "true", "remindOnRespondedEventsOnly": "false",
	}
}

func showSetting(id, value string) object {
	sum := uint64(len(value))
	for _, c := range value {
		sum = sum*31 + uint64(c)
	}
	return object{"kind": "calendar#setting", "etag": etagOf(sum), "id": id, "value": value}
}

func (r *request) getSetting() (wire.Reply, error) {
	id := r.call.Path["setting"]
	value, known := r.account.Settings[id]
	if !known {
		return wire.Reply{}, notFound()
	}
	return wire.Reply{Body: showSetting(id, value)}, nil
}

// listSettings answers calendar.settings.list. Settings do not change here, so a sync finds nothing.
func (r *request) listSettings() (wire.Reply, error) {
	size, err := r.pageSize(defaultListPage, mostOnListPage)
	if err != nil {
		return wire.Reply{}, err
	}
	page, err := r.readPage()
	if err != nil {
		return wire.Reply{}, err
	}
	of := "settings:" + r.account.Email
	synced, err := r.readSync(of, 0)
	if err != nil {
		return wire.Reply{}, err
	}
	ids := make([]string, 0, len(r.account.Settings))
	for id := range r.account.Settings {
		if synced == nil {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	where := func(id string) position { return position{Order: uint64(slices.Index(ids, id) + 1)} }
	shown, next := cut(r, ids, where, page, size, 0)
	items := make([]any, 0, len(shown))
	for _, id := range shown {
		items = append(items, showSetting(id, r.account.Settings[id]))
	}
	body := object{"kind": "calendar#settings", "etag": etagOf(uint64(len(ids))), "items": items}
	if next != "" {
		body["nextPageToken"] = next
	} else {
		body["nextSyncToken"] = r.newSync(of, 0)
	}
	return wire.Reply{Body: body}, nil
}

// eventColors is how many colours of events there are.
const eventColors = 11

const colorOfText = "#1d1d1d"

func eventPalette() []string {
	return []string{
		"#a4bdfc", "#7ae7bf", "#dbadff", "#ff887c", "#fbd75b", "#ffb878", "#46d6db", "#e1e1e1", "#5484ed", "#51b749",
		"#dc2127",
	}
}

func calendarPalette() []string {
	return []string{
		"#ac725e", "#d06b64", "#f83a22", "#fa573c", "#ff7537", "#ffad46", "#42d692", "#16a765", "#7bd148", "#b3dc6c",
		"#fbe983", "#fad165",
		"#92e1c0", "#9fe1e7", "#9fc6e7", "#4986e7", "#9a9cff", "#b99aff", "#c2c2c2", "#cabdbf", "#cca6ac", "#f691b2",
		"#cd74e6", "#a47ae2",
	}
}

// getColors answers calendar.colors.get: 24 colours of calendars, 11 of events.
func (r *request) getColors() (wire.Reply, error) {
	palette := func(colors []string) object {
		all := make(object, len(colors))
		for i, color := range colors {
			all[itoa(i+1)] = object{"background": color, "foreground": colorOfText}
		}
		return all
	}
	return wire.Reply{Body: object{
		"kind": "calendar#colors", "updated": time.Date(2012, 2, 14, 0, 0, 0, 0, time.UTC).Format(createdForm),
		"calendar": palette(calendarPalette()), "event": palette(eventPalette()),
	}}, nil
}
