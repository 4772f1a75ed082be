package calendar

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"almanac/internal/standin/wire"
)

// splitMark stands in the id of a series that Google's own screen split off: "<base>_R<time of the split>". Its
// instances are "<base>_<original start>", as if they were the base's; recurringEventId alone says whose they are.
const splitMark = "_R"

// SplitOnScreen does what a person does on Google's own screen who changes an instance and those that follow: the
// series ends before the instance, and another goes on from it with these properties changed. It returns the new
// series. What was changed on its own from there on is reset.
func (s *Service) SplitOnScreen(email, calendarID, instanceID string, changed map[string]any) (map[string]any, error) {
	r := &request{Service: s, call: wire.Call{Account: email, Path: map[string]string{"calendarId": calendarID}},
		now: s.now().UTC(), seeding: true}
	reply, err := r.run(method{serve: func(r *request) (wire.Reply, error) { return r.splitSeries(instanceID, changed) }})
	return reply.Body, err
}

func (r *request) splitSeries(instanceID string, changed object) (wire.Reply, error) {
	c, has, err := r.pathCalendar(roleWriterPublic)
	if err != nil {
		return wire.Reply{}, err
	}
	v, err := r.view(c, has)
	if err != nil {
		return wire.Reply{}, err
	}
	found, known := r.find(c, instanceID)
	if !known || found.master == nil || !found.original.At.After(found.master.start.At) {
		return wire.Reply{}, notFound()
	}
	master, at := found.master, found.original
	before, _ := master.series.between(time.Time{}, at.At, 1<<20, r.switches)
	end := master.series.endOf(at, master.end)
	at.Zone = master.start.Zone
	body := maps.Clone(master.Body)
	body["start"], body["end"] = at.stored(), end.stored()
	var head, tail []any
	for _, line := range textsOf(master.Body, "recurrence") {
		head = append(head, endingBefore(line, at))
		tail = append(tail, continuing(line, len(before)))
	}
	body["recurrence"] = tail
	maps.Copy(body, changed)
	id := baseOf(master.ID) + splitMark + strings.TrimSuffix(at.suffix(), "Z")
	if c.Events[id] != nil {
		return wire.Reply{}, duplicate()
	}
	rest := merge(nil, master.Body)
	rest["recurrence"], rest["status"] = head, master.Status
	d, err := r.draftOf(c, rest, false)
	if err != nil {
		return wire.Reply{}, fmt.Errorf("what is left of the series: %w", err)
	}
	r.write(c, master, d, change{times: true, recurrence: true})
	e, err := r.create(c, id, body)
	if err != nil {
		return wire.Reply{}, err
	}
	for _, exception := range c.exceptionsOf(master) {
		if !exception.Original.At.Before(at.At) {
			r.reset(c, exception, e)
		}
	}
	return wire.Reply{Body: v.show(storedRow(c, e))}, nil
}

// reset makes of an exception an instance of another series that does not differ from it.
func (r *request) reset(c *calendar, exception, master *event) {
	delete(c.exceptions[exception.Series], exception.ID)
	exception.Series, exception.Status = master.ID, master.Status
	exception.start, exception.end = *exception.Original, master.series.endOf(*exception.Original, master.end)
	exception.Body = object{"start": exception.start.stored(), "end": exception.end.stored()}
	exception.ICalUID = master.ICalUID
	c.index(exception)
	r.touch(c, exception, true)
}

// baseOf is the id that the instances of a series begin with.
func baseOf(seriesID string) string {
	base, _, _ := strings.Cut(seriesID, splitMark)
	return base
}

// endingBefore sets a rule's UNTIL just before a moment; other lines stay.
func endingBefore(line string, at moment) string {
	until := at.At.Add(-time.Second).UTC().Format(idTimeForm)
	if at.Date {
		until = at.At.AddDate(0, 0, -1).Format(idDateForm)
	}
	return rewritten(line, func(parts []string) []string { return append(parts, "UNTIL="+until) }, "COUNT", "UNTIL")
}

// continuing takes from the COUNT of a rule what has been; other lines stay.
func continuing(line string, been int) string {
	_, after, counts := strings.Cut(strings.ToUpper(line), "COUNT=")
	if !counts {
		return line
	}
	text, _, _ := strings.Cut(after, ";")
	count, _ := strconv.Atoi(text) // it was read when the line was
	return rewritten(line, func(parts []string) []string { return append(parts, "COUNT="+strconv.Itoa(count-been)) },
		"COUNT")
}

// rewritten is a rule without some of its parts, and with what more adds.
func rewritten(line string, more func([]string) []string, without ...string) string {
	name, value, _ := strings.Cut(line, ":")
	if !strings.EqualFold(name, "RRULE") {
		return line
	}
	var kept []string
	for part := range strings.SplitSeq(value, ";") {
		key, _, _ := strings.Cut(part, "=")
		drop := false
		for _, other := range without {
			drop = drop || strings.EqualFold(key, other)
		}
		if !drop {
			kept = append(kept, part)
		}
	}
	return name + ":" + strings.Join(more(kept), ";")
}
