package calendar

import (
	"cmp"
	"slices"
	"time"

	"almanac/projections/when"
)

// derive builds what is not kept of a calendar. It fails when the calendar, from a snapshot, makes no sense.
func (c *calendar) derive() error {
	zone, err := when.LoadZone(c.TimeZone)
	if err != nil {
		return invalid("Invalid time zone definition for calendar.")
	}
	c.zone = zone
	c.exceptions = map[string]map[string]*event{}
	c.splits = nil
	c.inOrder = make([]*event, 0, len(c.Events))
	for _, e := range c.Events {
		if err := e.derive(c); err != nil {
			return err
		}
		c.inOrder = append(c.inOrder, e)
		c.index(e)
	}
	sortByOrder(c.inOrder)
	return nil
}

func sortByOrder(list []*event) {
	slices.SortFunc(list, func(a, b *event) int { return cmp.Compare(a.Order, b.Order) })
}

// index makes an exception known to its series, and a series that was split off to the base.
func (c *calendar) index(e *event) {
	if base := baseOf(e.ID); base != e.ID && e.Series == "" {
		if c.splits == nil {
			c.splits = map[string][]string{}
		}
		c.splits[base] = append(c.splits[base], e.ID)
		slices.Sort(c.splits[base])
	}
	if e.Series == "" {
		return
	}
	if c.exceptions[e.Series] == nil {
		c.exceptions[e.Series] = map[string]*event{}
	}
	c.exceptions[e.Series][e.ID] = e
}

// add keeps a new event.
func (c *calendar) add(e *event) {
	c.Orders++
	e.Order = c.Orders
	c.Events[e.ID] = e
	c.inOrder = append(c.inOrder, e)
	c.index(e)
}

// remove erases an event without a trace, which only a move back does.
func (c *calendar) remove(e *event) {
	delete(c.Events, e.ID)
	delete(c.exceptions[e.Series], e.ID)
	c.inOrder = slices.DeleteFunc(c.inOrder, func(o *event) bool { return o == e })
}

// derive reads start, end and recurrence out of the body.
func (e *event) derive(c *calendar) error {
	if e.Moved {
		return nil
	}
	start, err := readMoment(objectOf(e.Body, "start"), "start", c.TimeZone, false)
	if err != nil {
		return err
	}
	end, err := readMoment(objectOf(e.Body, "end"), "end", c.TimeZone, false)
	if err != nil {
		return err
	}
	e.start, e.end, e.series = start, end, nil
	lines := textsOf(e.Body, "recurrence")
	if len(lines) == 0 || e.Series != "" {
		return nil
	}
	e.series, err = newSeries(lines, start, end, c.zone)
	return err
}

// body returns all writable properties; of an exception those of the series with its own laid over. It shares with what
// is stored and must not be changed.
func (c *calendar) body(e *event) object {
	if e.Series == "" {
		return e.Body
	}
	master := c.Events[e.Series]
	if master == nil {
		return merge(nil, e.Body)
	}
	return overlay(master.Body, e.Body)
}

// overlay lays the properties of an exception over those of its series, each whole.
func overlay(base, own object) object {
	all := make(object, len(base)+len(own))
	for name, value := range base {
		all[name] = value
	}
	delete(all, "recurrence")
	for name, value := range own {
		if value == nil {
			delete(all, name)
			continue
		}
		all[name] = value
	}
	return all
}

// target is the event that an id names: something stored, or an occurrence of a series of which nothing is stored yet.
type target struct {
	// stored is nil for a plain occurrence.
	stored *event
	// master is the series of an instance, stored or not.
	master   *event
	original moment
}

// find returns what an id names; false when nothing.
func (r *request) find(c *calendar, id string) (target, bool) {
	if e, known := c.Events[id]; known {
		found := target{stored: e}
		if e.Series != "" {
			found.master, found.original = c.Events[e.Series], *e.Original
		}
		return found, true
	}
	base, original, ok := splitInstanceID(id)
	if !ok {
		return target{}, false
	}
	for _, master := range c.seriesOf(base) {
		for _, e := range c.exceptions[master.ID] { // stored under an id of the other form
			if e.Original.suffix() == original.suffix() {
				return target{stored: e, master: master, original: *e.Original}, true
			}
		}
		if master.series.contains(original, r.switches) {
			original.Zone = master.start.Zone
			return target{master: master, original: original}, true
		}
	}
	return target{}, false
}

// seriesOf returns the series whose instances' ids begin with a base: that of this id, and those that were split off
// it.
func (c *calendar) seriesOf(base string) []*event {
	var of []*event
	if master := c.Events[base]; master != nil && master.isSeries() {
		of = append(of, master)
	}
	for _, id := range c.splits[base] {
		if master := c.Events[id]; master != nil && master.isSeries() {
			of = append(of, master)
		}
	}
	return of
}

// row returns a target as listings show it.
func (t target) row(c *calendar, switches Switches) row {
	if t.stored != nil {
		return storedRow(c, t.stored)
	}
	return occurrenceRow(t.master, t.original, switches)
}

// cancelled says whether the target is a tombstone, by itself or with its series.
func (t target) cancelled() bool {
	if t.stored != nil && t.stored.cancelled() {
		return true
	}
	return t.master != nil && t.master.cancelled()
}

// row is one line of a listing.
type row struct {
	event *event // what is stored: a single event, a series, an exception; of a plain occurrence the series
	// original is set on instances, occurrence on those of which nothing is stored.
	original   *moment
	occurrence bool
	start, end moment
	cancelled  bool
	// seriesCancelled says that the instance went with its whole series.
	seriesCancelled bool
	changed         uint64
	// switches say how the id of an instance is written.
	switches Switches
	// place is where the row stands in a listing, once that is known.
	place position
}

func storedRow(c *calendar, e *event) row {
	out := row{event: e, original: e.Original, start: e.start, end: e.end, cancelled: e.cancelled(), changed: e.Changed}
	if e.Series != "" {
		// A guest may be invited to an instance and not to its series.
		master := c.Events[e.Series]
		out.seriesCancelled = master == nil || master.cancelled()
		out.cancelled = out.cancelled || (master != nil && out.seriesCancelled)
	}
	return out
}

func occurrenceRow(master *event, original moment, switches Switches) row {
	return row{
		event: master, original: &original, occurrence: true, switches: switches,
		start: original, end: master.series.endOf(original, master.end),
		cancelled: master.cancelled(), seriesCancelled: master.cancelled(), changed: master.Changed,
	}
}

// id is the id of a row.
func (w row) id() string {
	if w.occurrence {
		return instanceID(w.event.ID, *w.original, w.switches)
	}
	return w.event.ID
}

// seriesID is the id of the series that a row is an instance of, or "".
func (w row) seriesID() string {
	if w.occurrence {
		return w.event.ID
	}
	return w.event.Series
}

// overlaps says whether a row lies in a window: it ends after from and starts before to, both exclusive. Google's page
// on instances calls the lower bound inclusive, the one on lists exclusive; it is exclusive here in both.
func (w row) overlaps(from, to *time.Time, zone *time.Location) bool {
	if w.event.Moved {
		return from == nil && to == nil
	}
	if from != nil && !w.end.instant(zone).After(*from) {
		return false
	}
	return to == nil || w.start.instant(zone).Before(*to)
}
