//go:build bench

package main

import (
	"fmt"
	"slices"
	"strings"

	"almanac/projections/fold"
)

// calendar judges what was done to events.
func (t *trial) calendar(effect string) string {
	e := &t.Expect
	switch {
	case effect == "create" && len(t.did.series) > 0:
		return "a series was changed"
	case effect == "create":
		if why := onlyThis(effect, t.did.events); why != "" {
			return why
		}
		titles := e.made()
		for len(titles) > 0 && len(titles) < len(e.Whens) { // one title at several times
			titles = append(slices.Clone(titles), titles[0])
		}
		return each(t.did.events.made, titles, e.fitsMade)
	case len(e.wanted()) == 0:
		return t.bulk(effect)
	case t.isSeries():
		return t.ofSeries(effect)
	case len(t.did.series) > 0:
		return "a series was changed: " + t.did.series[0].title
	}
	if why := onlyThis(effect, t.did.events); why != "" {
		return why
	}
	if effect == "delete" {
		return each(t.did.events.gone, e.wanted(), func(_ int, want string, got event) string {
			return sameName(got.Summary, want)
		})
	}
	return each(pairs(t.did.events), e.wanted(), e.fitsChanged)
}

// isSeries reports whether an event of the world is meant that repeats.
func (t *trial) isSeries() bool {
	return slices.ContainsFunc(t.world.series(), func(title string) bool {
		return fold.Text(title) == fold.Text(t.Expect.Title)
	})
}

// fitsMade says why an event that was made is not what is wanted.
func (e *expect) fitsMade(i int, want string, got event) string {
	place := e.Location + e.Place
	one := e.at(i)
	switch {
	case want != "" && !sameTitle(got.Summary, want, place, true) && !sameTitle(got.Summary, want, got.Location, true):
		return fmt.Sprintf("title %q, not %q", got.Summary, want)
	case !one.fitsTime(got.Start.String(), false):
		return "at another time: " + got.Start.String()
	case e.End != nil && got.End.last() != *e.End:
		return "with another end: " + got.End.last()
	case !e.fitsRule(got.rule(), got.Start.String()):
		return "another repetition: " + got.rule()
	case place != "" && !covers(got.Location+" "+got.Summary, place):
		return "another place: " + got.Location
	}
	return ""
}

// fitsChanged says why a change of an event is not what is wanted.
func (e *expect) fitsChanged(_ int, want string, got pair[event]) string {
	was, is := got.was, got.is
	place := e.Location + e.Place
	moved := e.When != nil || len(e.WhenRange) > 0
	switch {
	case sameName(was.Summary, want) != "":
		return sameName(was.Summary, want)
	case e.NewTitle == "" && was.Summary != is.Summary, e.NewTitle != "" && !sameTitle(is.Summary, e.NewTitle, "", true):
		return "another title: " + is.Summary
	case !moved && e.End == nil && (was.Start != is.Start || was.End != is.End):
		return "moved, to " + is.Start.String()
	case !e.fitsTime(is.Start.String(), false):
		return "at another time: " + is.Start.String()
	case e.End != nil && is.End.last() != *e.End:
		return "with another end: " + is.End.last()
	case place == "" && was.Location != is.Location, place != "" && !covers(is.Location, place):
		return "another place: " + is.Location
	case e.Note != "" && !covers(is.Description, e.Note):
		return "without the note"
	case e.Person != "" && !moved && !covers(written(is), e.Person):
		return "without " + e.Person
	}
	return ""
}

// bulk judges what was done to all events of a day: nothing of another day may be concerned.
func (t *trial) bulk(effect string) string {
	e, c := &t.Expect, t.did.events
	if len(c.made) > 0 {
		return "events were made"
	}
	var of []string // the starts that must be of the day
	switch effect {
	case "delete":
		if len(c.was) > 0 {
			return "events were changed"
		}
		for _, event := range c.gone {
			of = append(of, event.Start.String())
		}
		for _, line := range t.did.series {
			gone, made := moved(line)
			if of = append(of, gone...); len(made) > 0 {
				return "events were changed"
			}
		}
	default:
		if len(c.gone) > 0 {
			return "events were deleted"
		}
		for _, event := range c.is {
			of = append(of, event.Start.String())
		}
		for _, line := range t.did.series {
			_, made := moved(line)
			of = append(of, made...)
		}
	}
	for _, start := range of {
		if !e.fitsDay(day(start)) {
			return "something of another day was concerned: " + start
		}
	}
	return ""
}

// moved returns the starts that occurrences of a series had, and those that they have instead; equal ones left out.
func moved(line lineage) (gone, made []string) {
	key := func(e event) string {
		return e.Start.String() + " " + e.End.String() + " " + e.Summary + e.Location + e.Description + written(e.Attendees)
	}
	missing := func(from, in []event) (starts []string) {
		count := map[string]int{}
		for _, event := range in {
			count[key(event)]++
		}
		for _, event := range from {
			if count[key(event)]--; count[key(event)] < 0 {
				starts = append(starts, event.Start.String())
			}
		}
		return starts
	}
	return missing(line.before, line.after), missing(line.after, line.before)
}

// ofSeries judges what was done to a series of the world, by its occurrences in the weeks around now.
func (t *trial) ofSeries(effect string) string {
	e := &t.Expect
	if !t.did.events.none() || len(t.did.series) != 1 {
		return "something else was changed"
	}
	line := t.did.series[0]
	if why := sameName(line.title, e.Title); why != "" {
		return why
	}
	if e.Until != "" {
		if line.is == nil || untilOf(line.is.rule()) != strings.ReplaceAll(day(e.Until), "-", "") {
			return "another end of the series"
		}
		return ""
	}
	gone, made := moved(line)
	var why string
	for _, scope := range append([]string{e.Scope}, e.ScopeAccept...) {
		reason := t.scope(effect, scope, line, gone, made)
		if reason == "" {
			return ""
		}
		if why == "" {
			why = reason
		}
	}
	return why
}

// scope says why it was not done to the occurrences of this scope.
func (t *trial) scope(effect, scope string, line lineage, gone, made []string) string {
	e := &t.Expect
	from := t.world.Now // what begins earlier is past
	if scope == "following" && e.When != nil && *e.When != "" {
		from = *e.When
	}
	earlier := func(start string) bool { return day(start) < day(from) }
	switch {
	case effect == "delete" && len(made) > 0:
		return "occurrences were moved"
	case effect != "delete" && len(made) != len(gone):
		return "occurrences were deleted"
	case scope == "following" && slices.ContainsFunc(gone, earlier):
		return "earlier occurrences were concerned"
	}
	if scope == "this" || scope == "" {
		concerned := made
		if effect == "delete" {
			concerned = gone
		}
		if len(concerned) != 1 {
			return fmt.Sprintf("%d occurrences were concerned, not one", len(concerned))
		}
		// which one is to go may be said by its day alone; a new time that has no hour is all-day
		named := effect == "delete" && e.When != nil && hour(*e.When) == "" && e.fitsDay(day(concerned[0]))
		if !named && !e.fitsTime(concerned[0], false) {
			return "another occurrence: " + concerned[0]
		}
		return ""
	}
	if effect == "delete" {
		if left := slices.ContainsFunc(line.after, func(o event) bool { return o.Start.String() >= from }); left {
			return "occurrences are left"
		}
		return ""
	}
	want := e.Time
	if want == "" && e.When != nil {
		want = hour(*e.When)
	}
	for _, occurrence := range line.after {
		if start := occurrence.Start.String(); start >= from && want != "" && hour(start) != want {
			return "an occurrence is at another time: " + start
		}
	}
	return ""
}
