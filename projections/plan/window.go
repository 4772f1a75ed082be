package plan

import (
	"time"

	"almanac/graph/model"
	"almanac/projections/when"
)

// window returns the stretch of time that a question, or the target of a change, names; nil when it names none. An hour
// alone on a day is that hour for a question; for a target it is left to hourOf.
func (p *parser) window(t times, target bool) (*Window, error) {
	for _, it := range []*item{t.count, t.shift, t.length} {
		if it != nil && !target {
			return nil, p.refusal(Unread, SlotWindow, unreadPart, it.from, it.to)
		}
	}
	if t.repeat != nil && !target {
		return nil, p.refusal(Unread, SlotWindow, unreadPart, t.repeat.from, t.repeat.to)
	}
	zone := p.now.Location()
	if t.zone != nil {
		p.note(SlotTimeZone, t.zone.from, t.zone.to)
		zone = t.zone.zone
	}
	first, end, w, err := p.stretch(t)
	if err != nil {
		return nil, err
	}
	if w == nil && first.IsZero() && t.hour == nil && t.part == nil {
		return nil, nil
	}
	if t.hour == nil && t.part == nil && (t.day == nil || t.day.day.part == noPart) {
		if w == nil {
			w = &Window{From: when.StartOfDate(first, zone).In(p.now.Location()),
				To: when.StartOfDate(end, zone).In(p.now.Location())}
		}
		return w, nil
	}
	if first.IsZero() {
		if target && t.hour != nil && t.hour.sort == anHour {
			return nil, nil
		}
		first, end = p.today(), p.today().AddDays(1)
		p.defaulted(SlotDate)
	}
	if w != nil || first.AddDays(1) != end {
		it := t.hour
		if it == nil {
			it = t.part
		}
		if it == nil {
			return w, nil
		}
		return nil, p.refusal(Unread, SlotWindow, unreadPart, it.from, it.to)
	}
	return p.hoursOf(t, first, zone, target)
}

// hoursOf returns the hours of one day that are named.
func (p *parser) hoursOf(t times, on model.Date, zone *time.Location, target bool) (*Window, error) {
	of := noPart
	if t.day != nil {
		of = t.day.day.part
	}
	tonight := of == evening
	if t.part != nil {
		of = t.part.part
		p.note(SlotWindow, t.part.from, t.part.to)
	}
	here := p.now.Location()
	hours := func(from, to int) *Window {
		return &Window{From: wall(on, from, zone).In(here), To: wall(on, to, zone).In(here)}
	}
	if t.hour == nil {
		from, to := of.window()
		if tonight && t.part == nil {
			to = 24
		}
		return hours(from*60, to*60), nil
	}
	p.note(SlotWindow, t.hour.from, t.hour.to)
	if t.hour.sort == twoHours {
		start, end, err := p.chooseTwo(t.hour, on, of, noPart)
		if err != nil {
			return nil, err
		}
		return hours(start, end), nil
	}
	h := p.choose(t.hour.hour, on, of, noPart)
	if target {
		return hours(0, 24*60), nil
	}
	switch t.hour.role {
	case after, from, starting:
		if t.endHour != nil {
			end := p.choose(t.endHour.hour, on, of, noPart)
			if end.minute <= h.minute {
				return nil, p.refusal(Contradiction, SlotWindow, endBefore, t.hour.from, t.endHour.to)
			}
			return hours(h.minute, end.minute), nil
		}
		return hours(h.minute, 24*60), nil
	case before, until:
		if h.minute == 0 {
			return nil, p.refusal(Contradiction, SlotWindow, endBefore, t.hour.from, t.hour.to)
		}
		return hours(0, h.minute), nil
	}
	return hours(h.minute, h.minute+60), nil
}

// stretch returns the days that are named, end exclusive, or a window that begins or ends at an instant.
func (p *parser) stretch(t times) (first, end model.Date, w *Window, err error) {
	here := p.now.Location()
	switch {
	case t.until != nil:
		last := t.until.period.end
		if t.until.sort == aDay {
			last = t.until.day.date.AddDays(1)
		}
		p.note(SlotWindow, t.until.from, t.until.to)
		if t.day != nil || t.period != nil {
			return first, end, nil, p.refusal(Unread, SlotWindow, unreadPart, t.until.from, t.until.to)
		}
		to := when.StartOfDate(last, here).In(here)
		if !to.After(p.now) {
			return first, end, nil, p.refusal(Contradiction, SlotWindow, endBefore, t.until.from, t.until.to)
		}
		return first, end, &Window{From: p.now, To: to}, nil
	case t.now != nil:
		p.note(SlotWindow, t.now.from, t.now.to)
		from := p.now.Add(t.now.amount.duration())
		return first, end, &Window{From: from, To: from.Add(time.Hour)}, nil
	case t.period != nil:
		p.note(SlotWindow, t.period.from, t.period.to)
		in := t.period.period
		if !in.since.IsZero() {
			return first, end, &Window{From: in.since, To: when.StartOfDate(in.end, here).In(here)}, nil
		}
		if t.period.role != bare && t.period.role != at && t.period.role != to {
			return first, end, nil, p.refusal(Unread, SlotWindow, unreadPart, t.period.from, t.period.to)
		}
		return in.first, in.end, nil, nil
	case t.day == nil:
		return first, end, nil, nil
	}
	p.note(SlotWindow, t.day.from, t.day.to)
	d := t.day
	switch {
	case !d.day.at.IsZero():
		return first, end, &Window{From: d.day.at, To: d.day.at.Add(time.Hour)}, nil
	case d.sort == someDays:
		if d.last.date.Before(d.day.date) {
			return first, end, nil, p.refusal(Contradiction, SlotWindow, endBefore, d.from, d.to)
		}
		return d.day.date, d.last.date.AddDays(1), nil, nil
	case t.lastDay != nil:
		if t.lastDay.day.date.Before(d.day.date) {
			return first, end, nil, p.refusal(Contradiction, SlotWindow, endBefore, d.from, t.lastDay.to)
		}
		return d.day.date, t.lastDay.day.date.AddDays(1), nil, nil
	case d.role == before:
		to := when.StartOfDate(d.day.date, here).In(here)
		if !to.After(p.now) {
			return first, end, nil, p.refusal(Contradiction, SlotWindow, endBefore, d.from, d.to)
		}
		return first, end, &Window{From: p.now, To: to}, nil
	case d.role == after || d.role == starting:
		return first, end, nil, p.refusal(Unread, SlotWindow, unreadPart, d.from, d.to)
	}
	return d.day.date, d.day.date.AddDays(1), nil, nil
}
