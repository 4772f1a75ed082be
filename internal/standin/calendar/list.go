package calendar

import (
	"slices"
	"time"

	"almanac/internal/standin/wire"
)

// listEvents answers calendar.events.list.
func (r *request) listEvents() (wire.Reply, error) {
	c, has, err := r.pathCalendar(roleFreeBusyReader)
	if err != nil {
		return wire.Reply{}, err
	}
	q, err := r.readQuery(c, has)
	if err != nil {
		return wire.Reply{}, err
	}
	v, err := r.view(c, has)
	if err != nil {
		return wire.Reply{}, err
	}
	v.bareTombstones = q.sync != nil && !q.showDeleted
	return r.listing(v, q, func(keep func(row) bool) []row { return r.rows(c, q, keep) })
}

// listing sorts rows, cuts a page and wraps it.
func (r *request) listing(v view, q *query, rows func(keep func(row) bool) []row) (wire.Reply, error) {
	c, seen := v.calendar, v.calendar.Changes
	if q.page != nil {
		seen = min(seen, q.page.Seen)
	}
	keep := func(w row) bool { return q.keeps(c, w, r.switches) }
	gathering := keep
	if r.switches.PageBeforeFilter {
		gathering = func(row) bool { return true }
	}
	all := rows(gathering)
	for i := range all {
		all[i].place = all[i].position(q.orderBy, c)
		if q.orderBy == "" && r.switches.SeriesLast && all[i].event.isSeries() && !all[i].occurrence {
			all[i].place.Order += afterAll
		}
	}
	where := func(w row) position { return w.place }
	slices.SortFunc(all, func(a, b row) int { return a.place.compare(b.place) })
	page, next := cut(r, all, where, q.page, q.size, seen)
	items := make([]any, 0, len(page))
	for _, w := range page {
		if !r.switches.PageBeforeFilter || keep(w) {
			items = append(items, v.show(w))
		}
	}
	return wire.Reply{Body: r.envelope(v, q, items, next, seen)}, nil
}

// afterAll is beyond every Order.
const afterAll = 1 << 50

// envelope is what stands around the events.
func (r *request) envelope(v view, q *query, items []any, next string, seen uint64) object {
	c := v.calendar
	var listed uint64
	if e := r.account.Entries[c.ID]; e != nil {
		listed = e.Changed
	}
	body := object{
		"kind": "calendar#events", "etag": etagOf(c.Changes, c.Revision, listed), "summary": c.Summary,
		"updated": c.Updated.Format(createdForm), "timeZone": v.zone.String(), "accessRole": string(v.role),
		"defaultReminders": reminderList(v.defaultReminders()), "items": items,
	}
	if c.Description != "" {
		body["description"] = c.Description
	}
	switch {
	case next != "":
		body["nextPageToken"] = next
	case q.syncable():
		body["nextSyncToken"] = r.newSync(eventsOf(c), seen)
	}
	return body
}

// syncable says whether a listing can be continued by a sync: one of part of the events cannot. Google's guide begins a
// sync with timeMin, so a window does not forbid it; the token then tells of changes outside of the window too.
func (q *query) syncable() bool {
	return q.orderBy == "" && q.updatedMin == nil && q.iCalUID == "" && len(q.words)+len(q.private)+len(q.shared) == 0
}

// position returns a row's place. All-day events sort as midnight in the calendar's zone.
func (w row) position(orderBy string, c *calendar) position {
	p := position{Order: w.event.Order}
	if w.occurrence {
		p.At = w.original.At.Unix()
	}
	switch orderBy {
	case "startTime":
		p.Time = w.start.instant(c.zone).Unix()
	case "updated":
		p.Time = w.event.Updated.UnixMilli()
	}
	return p
}

// rows returns the rows of a calendar that keep wants, in no order.
func (r *request) rows(c *calendar, q *query, keep func(row) bool) []row {
	var all []row
	take := func(w row) {
		if keep(w) {
			all = append(all, w)
		}
	}
	for _, e := range c.inOrder {
		if e.isSeries() && q.single {
			r.expandInto(c, q, e, take)
			continue
		}
		if q.single && q.sync != nil && e.Changed > q.sync.Seen {
			r.formerInto(c, q, e, take)
		}
		take(storedRow(c, e))
	}
	return all
}

// expandInto returns the occurrences of a series of which nothing is stored.
func (r *request) expandInto(c *calendar, q *query, master *event, take func(row)) {
	if q.sync != nil {
		if master.Changed <= q.sync.Seen {
			return
		}
		r.formerInto(c, q, master, take)
		if master.RecursSince > q.sync.Seen {
			single := storedRow(c, master)
			single.cancelled = true // As the single event that it was.
			take(single)
		}
	}
	if master.cancelled() && !q.keepsCancelled(row{event: master}) {
		return
	}
	stored := c.storedStarts(master)
	limit := r.switches.expansionCap()
	occurrences, more := q.expand(c, master, limit, r.switches)
	for _, w := range occurrences {
		if !stored[w.original.suffix()] {
			take(w)
		}
	}
	if more {
		r.capped++
	}
}

// formerInto tells who synchronizes instances of those that a change of the recurrence took away.
func (r *request) formerInto(c *calendar, q *query, master *event, take func(row)) {
	told, stored := map[string]bool{}, c.storedStarts(master)
	for _, f := range master.Former {
		if f.Until <= q.sync.Seen {
			continue
		}
		s, err := newSeries(textsOf(object{"r": f.Recurrence}, "r"), f.Start, f.Start, c.zone)
		if err != nil { // It was read before, when it was the present one.
			continue
		}
		starts, _ := s.between(time.Time{}, time.Date(latestYear, 12, 31, 0, 0, 0, 0, time.UTC), r.switches.expansionCap(),
			r.switches)
		for _, start := range starts {
			w := row{event: master, original: &start, occurrence: true, start: start, end: start, cancelled: true,
				changed: master.Changed, switches: r.switches}
			id := w.id()
			if stored[start.suffix()] || told[id] ||
				(master.series != nil && master.series.contains(start, r.switches)) {
				continue
			}
			if now, there := r.find(c, id); there && now.master != master && !now.cancelled() {
				continue // It goes on in a series that was split off.
			}
			told[id] = true
			take(w)
		}
	}
}

// listInstances answers calendar.events.instances.
func (r *request) listInstances() (wire.Reply, error) {
	c, has, err := r.pathCalendar(roleFreeBusyReader)
	if err != nil {
		return wire.Reply{}, err
	}
	q, err := r.readInstancesQuery()
	if err != nil {
		return wire.Reply{}, err
	}
	v, err := r.view(c, has)
	if err != nil {
		return wire.Reply{}, err
	}
	found, known := r.find(c, r.call.Path["eventId"])
	if !known {
		return wire.Reply{}, notFound()
	}
	plain := found.master == nil && !found.stored.isSeries()
	if plain && !r.switches.SingleAsInstances {
		// What Google does is not known.
		return wire.Reply{}, badRequest()
	}
	original := r.call.Query.Get("originalStart")
	return r.listing(v, q, func(keep func(row) bool) []row {
		var all []row
		take := func(w row) {
			if keep(w) && (original == "" || sameStart(original, w, c.zone)) {
				all = append(all, w)
			}
		}
		switch {
		case found.stored != nil && found.stored.isSeries():
			r.expandInto(c, q, found.stored, take)
			for _, e := range c.exceptions[found.stored.ID] {
				take(storedRow(c, e))
			}
		default:
			take(found.row(c, r.switches))
		}
		return all
	})
}

// readInstancesQuery reads the parameters of events.instances, which knows fewer than events.list.
func (r *request) readInstancesQuery() (*query, error) {
	q := &query{single: true, orderBy: "startTime"}
	var err error
	if q.showDeleted, err = r.flag("showDeleted"); err != nil {
		return nil, err
	}
	if q.from, q.to, err = r.window(); err != nil {
		return nil, err
	}
	if q.size, err = r.pageSize(defaultPage, mostOnPage); err != nil {
		return nil, err
	}
	q.page, err = r.readPage()
	return q, err
}

// sameStart compares originalStart, a date or a time with offset, with an instance's.
func sameStart(text string, w row, zone *time.Location) bool {
	if w.original == nil {
		return false
	}
	if date, err := time.Parse(dateForm, text); err == nil {
		return w.original.Date && w.original.At.Equal(date)
	}
	instant, err := time.Parse(time.RFC3339, text)
	return err == nil && w.original.instant(zone).Equal(instant)
}
