package calendar

import "reflect"

// materialise stores an occurrence of a series, as an exception that does not differ from it yet.
func (r *request) materialise(c *calendar, master *event, original moment) *event {
	end := master.series.endOf(original, master.end)
	e := &event{
		ID: instanceID(master.ID, original, r.switches), ICalUID: master.ICalUID, Type: master.Type, Status: master.Status,
		Created: master.Created, Updated: master.Updated, Stamp: master.Stamp, Sequence: master.Sequence,
		Creator: master.Creator, Organizer: master.Organizer,
		Body:   object{"start": original.stored(), "end": end.stored()},
		Series: master.ID, Original: &original, start: original, end: end,
	}
	c.add(e)
	return e
}

// differing returns of an instance's whole body what differs from its series: what it has in its own way, and a null
// for what it has not. What does not differ follows the series when that changes.
func differing(master *event, whole object) object {
	if master == nil {
		return whole
	}
	own := object{}
	for name, value := range whole {
		base, has := master.Body[name]
		if name == "start" || name == "end" || !has || !reflect.DeepEqual(base, value) {
			own[name] = value
		}
	}
	for name := range master.Body {
		if _, has := whole[name]; !has && name != "recurrence" {
			own[name] = nil
		}
	}
	return own
}

// mostFormer is how many earlier recurrences of a series are remembered.
const mostFormer = 20

// followSeries brings the exceptions of a series in line after a change of it, which may have ended its being a series.
func (r *request) followSeries(c *calendar, master *event, before object, formerStart moment, formerSeries *series,
	x change) {
	if x.times {
		recurrence, _ := before["recurrence"].([]any) // It was a series.
		master.Former = append(master.Former, former{Until: master.Changed, Start: formerStart, Recurrence: recurrence})
		master.Former = master.Former[max(0, len(master.Former)-mostFormer):]
	}
	for _, e := range c.exceptionsOf(master) {
		orphan := x.times && (master.series == nil ||
			(r.switches.DropOrphans && formerSeries.contains(*e.Original, r.switches) &&
				!master.series.contains(*e.Original, r.switches)))
		switch {
		case orphan && !e.cancelled():
			e.Status = statusCancelled
			r.touch(c, e, true)
		case e.cancelled():
			if x.status {
				r.touch(c, e, false)
			}
		case x.status || inherits(e, before, master.Body):
			r.touch(c, e, true)
		}
	}
}

// inherits says whether an exception shows any of what changed in its series.
func inherits(e *event, before, after object) bool {
	for _, both := range []object{before, after} {
		for name := range both {
			if name == "start" || name == "end" || name == "recurrence" || reflect.DeepEqual(before[name], after[name]) {
				continue
			}
			if _, own := e.Body[name]; !own {
				return true
			}
		}
	}
	return false
}

// exceptionsOf returns the stored instances of a series in a stable order.
func (c *calendar) exceptionsOf(master *event) []*event {
	of := c.exceptions[master.ID]
	if len(of) == 0 {
		return nil
	}
	list := make([]*event, 0, len(of))
	for _, e := range of {
		list = append(list, e)
	}
	sortByOrder(list)
	return list
}

// storedStarts are the original starts of the stored instances of a series, as ids write them.
func (c *calendar) storedStarts(master *event) map[string]bool {
	starts := make(map[string]bool, len(c.exceptions[master.ID]))
	for _, e := range c.exceptions[master.ID] {
		starts[e.Original.suffix()] = true
	}
	return starts
}

// touchExceptions marks all exceptions of a series as changed.
func (r *request) touchExceptions(c *calendar, master *event, visible bool) {
	for _, e := range c.exceptionsOf(master) {
		r.touch(c, e, visible)
	}
}
