//go:build bench

package main

import (
	"fmt"
	"slices"
	"strings"

	"almanac/projections/fold"
)

// calendarTools are the tools that agentChat had before other matters came, which stay what they are for the calendar.
var calendarTools = []string{"create", "read", "search", "update", "delete", "schedule"}

// answer says why an answer is false, or not about what was asked; empty where nothing of it is known to be. It sees
// what the payload names of the world, and the number that it says it has found: whether a sentence in it is true is
// beyond it.
func (t *trial) answer() string {
	why := ""
	for _, domain := range t.Expect.domains() {
		reason := t.answerIn(domain)
		if reason == "" {
			return ""
		}
		if why == "" {
			why = reason
		}
	}
	return why
}

func (t *trial) answerIn(domain string) string {
	of := slices.Contains(calendarTools, t.said.Tool)
	switch {
	case domain != "calendar" && of:
		return "it was answered from the calendar"
	case domain == "calendar" && !of && len(t.said.Events) == 0:
		for _, title := range t.Expect.wanted() {
			if !t.names(title) {
				return "it was not answered from the calendar"
			}
		}
	}
	switch domain {
	case "tasks":
		return t.tasksNamed()
	case "lists":
		return t.itemsNamed()
	case "memories":
		return t.memoriesNamed()
	case "mail":
		return t.mailNamed()
	}
	return t.eventsNamed()
}

// names reports whether the payload has a text in it. One that says that it has found nothing only repeats the words of
// the question.
func (t *trial) names(text string) bool {
	return !t.claimsNothing() && mentions(t.said.all, strings.Trim(written(text), `"`))
}

// claimsNothing reports whether the answer says that it has found nothing.
func (t *trial) claimsNothing() bool { return t.said.counted() == 0 }

// span is the time that is asked about, in days; empty where none is.
func (e *expect) span() (from, to string) {
	switch {
	case len(e.WhenRange) == 2:
		return e.WhenRange[0], e.WhenRange[1]
	case e.When == nil || *e.When == "":
		return "", ""
	case e.End != nil:
		return day(*e.When), day(*e.End)
	}
	return day(*e.When), day(*e.When)
}

// fitsDay reports whether a day is of the time that is wanted, in any right reading.
func (e *expect) fitsDay(at string) bool {
	from, to := e.span()
	return from == "" || at >= from && at <= to ||
		slices.ContainsFunc(e.WhenAccept, func(other string) bool { return day(other) == at })
}

// eventsNamed judges an answer about the calendar: the events that it must name are named, those that it shows are of
// the time and the matter that were asked about, and it does not say that there are none where there are.
func (t *trial) eventsNamed() string {
	e := &t.Expect
	for _, title := range e.wanted() {
		if !t.names(title) {
			return fmt.Sprintf("%q is not named", title)
		}
	}
	if len(e.wanted()) > 0 {
		return ""
	}
	from, to := e.span()
	for _, shown := range t.said.Events {
		start, end := shown.Start.String(), shown.End.last()
		if from != "" && len(e.WhenAccept) == 0 && !touches(start, end, from, to) {
			return fmt.Sprintf("%q of %s is of another time", shown.Summary, start)
		}
	}
	matter := strings.TrimSpace(e.Query + " " + e.Person)
	about := func(event event) bool {
		return shared(event.Summary+" "+event.Location+" "+written(event.Attendees), matter) > 0
	}
	if matter != "" && len(t.said.Events) > 0 && !slices.ContainsFunc(t.said.Events, about) {
		return fmt.Sprintf("nothing of what is shown has to do with %q", matter)
	}
	if !t.claimsNothing() || matter != "" || from == "" || hour(*whenOf(e)) != "" || t.isNarrow() {
		return ""
	}
	for _, event := range t.before.events {
		if touches(event.Start.String(), event.End.last(), from, to) {
			return fmt.Sprintf("it says that there is nothing, but there is %q", event.Summary)
		}
	}
	return ""
}

// narrow are words that ask about less than the days that are expected: parts of a day, and kinds of events.
var narrow = []string{"morning", "noon", "evening", "tonight", "night", "after ", "before ", "call", "בוקר", "צהריים",
	`אחה"צ`, "ערב", "לילה", "אחרי ", "לפני ", "שיחות", "שיחה"}

// isNarrow reports whether a sentence may ask about less than the days that are expected, so that there may be nothing.
func (t *trial) isNarrow() bool {
	return t.Expect.Part != "" || slices.ContainsFunc(narrow, func(word string) bool { return mentions(t.Text, word) })
}

// whenOf is the time that is expected; an empty one where there is none.
func whenOf(e *expect) *string {
	if e.When == nil {
		return new(string)
	}
	return e.When
}

// tasksNamed judges an answer about tasks: the one that is meant is named; of a day, none of another day is shown, and
// it does not say that there is none where there is.
func (t *trial) tasksNamed() string {
	e := &t.Expect
	for _, title := range e.wanted() {
		if !t.names(title) {
			return fmt.Sprintf("%q is not named", title)
		}
	}
	from, to := e.span()
	if from == "" {
		if t.claimsNothing() && e.Query == "open" {
			return "it says that there is nothing"
		}
		return ""
	}
	for _, task := range t.before.tasks {
		due := day(task.due())
		switch in := due >= from && due <= to && due != ""; {
		case in && t.claimsNothing() && !t.isNarrow():
			return fmt.Sprintf("it says that there is nothing, but there is %q", task.Text)
		case due > to && t.names(task.Text): // earlier ones may be shown as overdue
			return fmt.Sprintf("%q is of another time", task.Text)
		}
	}
	return ""
}

// itemsNamed judges an answer about a list: it names something of it, or how many there are.
func (t *trial) itemsNamed() string {
	e := &t.Expect
	for name, items := range t.world.Lists {
		if e.List != "" {
			if fold.Text(name) != fold.Text(e.List) {
				continue
			}
			if !t.names(name) && !slices.ContainsFunc(items, t.names) {
				return fmt.Sprintf("nothing of %q is named", name)
			}
		}
		for _, item := range e.Items {
			if slices.ContainsFunc(items, func(other string) bool { return sameTitle(other, item, "", false) }) &&
				!t.names(item) {
				return fmt.Sprintf("%q is not named", item)
			}
		}
	}
	return ""
}

// memoriesNamed judges an answer about what is remembered: what has most of the words that are asked for is shown.
func (t *trial) memoriesNamed() string {
	e := &t.Expect
	matter := e.Query + " " + e.Person
	best, most := "", 0
	for _, memory := range t.world.Memories {
		if n := shared(memory, matter); n > most {
			best, most = memory, n
		}
	}
	if most*2 < len(normal(matter, true)) || best == "" { // the world has nothing of it
		return ""
	}
	if !t.names(best) {
		return fmt.Sprintf("%q is not shown", best)
	}
	return ""
}

// mailNamed judges an answer about mail: of the sender that is meant something is shown, and of unread ones all.
func (t *trial) mailNamed() string {
	e := &t.Expect
	for _, mail := range t.world.Mail {
		switch {
		case e.Query == "unread" && mail.Unread != t.names(mail.Subject):
			return fmt.Sprintf("unread mail is shown wrongly: %q", mail.Subject)
		case e.Person != "" && covers(mail.From, e.Person) && !t.names(mail.Subject):
			return fmt.Sprintf("%q is not shown", mail.Subject)
		}
	}
	return ""
}
