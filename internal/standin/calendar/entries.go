package calendar

import (
	"net/http"
	"slices"
	"strconv"

	"almanac/internal/standin/wire"
)

// entryShape holds what of an entry may be written.
func entryShape() objectShape {
	return objectShape{
		"id": text, "summaryOverride": text, "colorId": text, "backgroundColor": text, "foregroundColor": text,
		"hidden": flag, "selected": flag,
		"defaultReminders":     listOf(objectShape{"method": text, "minutes": number}),
		"notificationSettings": objectShape{"notifications": listOf(objectShape{"method": text, "type": text})},
	}
}

// showEntry returns a line of the list with what its calendar adds. Of a deleted one only the identity is left.
func (r *request) showEntry(line *entry) object {
	shown := object{"kind": "calendar#calendarListEntry", "etag": etagOf(line.Changed, r.account.Epoch),
		"id": line.Calendar}
	c := r.state.Calendars[line.Calendar]
	if line.Deleted || c == nil {
		shown["deleted"] = true
		return shown
	}
	shown["etag"] = etagOf(line.Changed, c.Revision)
	shown["summary"], shown["timeZone"] = c.Summary, c.TimeZone
	shown["accessRole"] = string(c.roleOf(r.account.Email))
	shown["colorId"] = line.ColorID
	palette := calendarPalette()
	if n, err := strconv.Atoi(line.ColorID); err == nil && n >= 1 && n <= len(palette) {
		shown["backgroundColor"], shown["foregroundColor"] = palette[n-1], colorOfText
	}
	for name, value := range map[string]string{
		"description": c.Description, "location": c.Location, "summaryOverride": line.SummaryOverride,
		"backgroundColor": line.Background, "foregroundColor": line.Foreground,
	} {
		if value != "" {
			shown[name] = value
		}
	}
	for name, value := range map[string]bool{"hidden": line.Hidden, "selected": line.Selected,
		"primary": c.ID == r.account.Email} {
		if value {
			shown[name] = true
		}
	}
	if !c.Primary && c.Owner != "" {
		shown["dataOwner"] = c.Owner
	}
	shown["defaultReminders"] = reminderList(line.DefaultReminders)
	if len(line.Notifications) > 0 {
		shown["notificationSettings"] = object{"notifications": deepCopy(line.Notifications)}
	}
	shown["conferenceProperties"] = object{"allowedConferenceSolutionTypes": []any{"hangoutsMeet"}}
	return shown
}

const (
	defaultListPage = 100
	mostOnListPage  = 250
)

// listEntries answers calendar.calendarList.list.
func (r *request) listEntries() (wire.Reply, error) {
	size, err := r.pageSize(defaultListPage, mostOnListPage)
	if err != nil {
		return wire.Reply{}, err
	}
	showHidden, err := r.flag("showHidden")
	if err != nil {
		return wire.Reply{}, err
	}
	showDeleted, err := r.flag("showDeleted")
	if err != nil {
		return wire.Reply{}, err
	}
	least, err := r.choice("minAccessRole", "freeBusyReader", "owner", "reader", "writer", "writerWithoutPrivateAccess")
	if err != nil {
		return wire.Reply{}, err
	}
	page, err := r.readPage()
	if err != nil {
		return wire.Reply{}, err
	}
	if r.call.Query.Has("syncToken") && least != "" {
		return wire.Reply{}, badRequest()
	}
	of := "calendarList:" + r.account.Email
	synced, err := r.readSync(of, r.account.Changes)
	if err != nil {
		return wire.Reply{}, err
	}
	var rows []*entry
	for _, line := range r.account.Entries {
		c := r.state.Calendars[line.Calendar]
		gone := line.Deleted || c == nil
		switch {
		case synced != nil && line.Changed <= synced.Seen:
		case gone && !showDeleted && synced == nil:
		case !gone && line.Hidden && !showHidden && synced == nil:
		case !gone && least != "" && !c.roleOf(r.account.Email).atLeast(role(least)):
		default:
			rows = append(rows, line)
		}
	}
	where := func(line *entry) position { return position{Order: line.Order} }
	slices.SortFunc(rows, func(a, b *entry) int { return where(a).compare(where(b)) })
	seen := r.account.Changes
	if page != nil {
		seen = min(seen, page.Seen)
	}
	shown, next := cut(r, rows, where, page, size, seen)
	items := make([]any, 0, len(shown))
	for _, line := range shown {
		items = append(items, r.showEntry(line))
	}
	body := object{"kind": "calendar#calendarList", "etag": etagOf(r.account.Changes), "items": items}
	if next != "" {
		body["nextPageToken"] = next
	} else if least == "" {
		body["nextSyncToken"] = r.newSync(of, seen)
	}
	return wire.Reply{Body: body}, nil
}

// entry returns the line that the path names.
func (r *request) entry() (*entry, *calendar, error) {
	id := r.call.Path["calendarId"]
	if id == "primary" {
		id = r.account.Email
	}
	line, c := r.account.Entries[id], r.state.Calendars[id]
	if line == nil || line.Deleted || c == nil {
		return nil, nil, notFound()
	}
	return line, c, nil
}

func (r *request) getEntry() (wire.Reply, error) {
	line, _, err := r.entry()
	if err != nil {
		return wire.Reply{}, err
	}
	return wire.Reply{Body: r.showEntry(line)}, nil
}

// insertEntry puts a calendar that the account may see on its list.
func (r *request) insertEntry() (wire.Reply, error) {
	body, err := r.fitted(entryShape())
	if err != nil {
		return wire.Reply{}, err
	}
	id := textOf(body, "id")
	if id == "" {
		return wire.Reply{}, required("Missing calendar id.")
	}
	c, _, err := r.calendar(id, roleFreeBusyReader)
	if err != nil {
		return wire.Reply{}, err
	}
	if line := r.account.Entries[c.ID]; line != nil && !line.Deleted {
		return wire.Reply{Body: r.showEntry(line)}, nil
	}
	line := &entry{Selected: true}
	if err := r.writeEntry(line, body); err != nil {
		return wire.Reply{}, err
	}
	r.account.list(c, line)
	r.changed = append(r.changed, "calendarList:"+r.account.Email)
	return wire.Reply{Body: r.showEntry(line)}, nil
}

func (r *request) patchEntry() (wire.Reply, error) {
	line, _, err := r.entry()
	if err != nil {
		return wire.Reply{}, err
	}
	if err := r.checkMatch(textOf(r.showEntry(line), "etag")); err != nil {
		return wire.Reply{}, err
	}
	body, err := r.fitted(entryShape())
	if err != nil {
		return wire.Reply{}, err
	}
	fresh := *line
	if err := r.writeEntry(&fresh, body); err != nil {
		return wire.Reply{}, err
	}
	r.account.Changes++
	fresh.Changed = r.account.Changes
	r.account.Entries[line.Calendar] = &fresh
	r.changed = append(r.changed, "calendarList:"+r.account.Email)
	return wire.Reply{Body: r.showEntry(&fresh)}, nil
}

// writeEntry lays a body over a line: a null erases.
func (r *request) writeEntry(line *entry, body object) error {
	rgb, err := r.flag("colorRgbFormat")
	if err != nil {
		return err
	}
	for name, into := range map[string]*string{"summaryOverride": &line.SummaryOverride, "colorId": &line.ColorID} {
		if _, sent := body[name]; sent {
			*into = textOf(body, name)
		}
	}
	if rgb {
		for name, into := range map[string]*string{"backgroundColor": &line.Background, "foregroundColor": &line.Foreground} {
			if _, sent := body[name]; sent {
				*into = textOf(body, name)
			}
		}
	} else if _, sent := body["colorId"]; sent {
		line.Background, line.Foreground = "", ""
	}
	if n, err := strconv.Atoi(line.ColorID); line.ColorID != "" && (err != nil || n < 1 || n > len(calendarPalette())) {
		return invalid("Invalid value for: colorId")
	}
	for name, into := range map[string]*bool{"hidden": &line.Hidden, "selected": &line.Selected} {
		if _, sent := body[name]; sent {
			*into = flagOf(body, name)
		}
	}
	if _, sent := body["defaultReminders"]; sent {
		if line.DefaultReminders, err = readOverrides(objectsOf(body, "defaultReminders")); err != nil {
			return err
		}
	}
	if settings, sent := body["notificationSettings"]; sent {
		of, _ := settings.(object)                          // A null erases.
		line.Notifications, _ = of["notifications"].([]any) // A null erases.
	}
	return nil
}

// deleteEntry takes a calendar off the list. An own one cannot be: who owns the data would lose sight of it.
func (r *request) deleteEntry() (wire.Reply, error) {
	line, c, err := r.entry()
	if err != nil {
		return wire.Reply{}, err
	}
	if c.Owner == r.account.Email {
		return wire.Reply{}, forbidden("The data owner of a calendar cannot remove it from their calendar list.")
	}
	r.account.unlist(line.Calendar)
	r.changed = append(r.changed, "calendarList:"+r.account.Email)
	return wire.Reply{Status: http.StatusNoContent}, nil
}

// fitted reads the body of a write by its shape.
func (r *request) fitted(s objectShape) (object, error) {
	if r.call.Body == nil {
		return nil, badRequest()
	}
	fitted, err := s.fit("", r.call.Body)
	if err != nil {
		return nil, err
	}
	body, ok := fitted.(object)
	if !ok {
		return nil, badRequest()
	}
	return body, nil
}
