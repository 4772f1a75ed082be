package plan

import (
	"slices"

	"almanac/projections/rrule"
)

// Words of times that are parts of names: of people ("lunch with May"), of days ("ראש השנה") and of what is only called
// after how often it is ("annual checkup").

// leaveNames takes what is part of a name out of the times.
func (p *parser) leaveNames() {
	p.items = slices.DeleteFunc(p.items, func(it item) bool { return p.monthInName(it) || p.adjective(it) })
}

// monthInName reports whether the name of a month, without a preposition that makes it a time, stands beside a day that
// was said: "meet April on 3 December", "December newsletter, tomorrow at 10".
func (p *parser) monthInName(it item) bool {
	if it.sort != aPeriod || it.role != bare {
		return false
	}
	if it.period.weekend && p.inCompound(it) {
		return slices.ContainsFunc(p.items, func(other item) bool { return other.sort == aDay })
	}
	if it.to != it.from+1 || !p.has(it.from, monthWords) {
		return false
	}
	return slices.ContainsFunc(p.items, func(other item) bool {
		return other.sort == aDay && (other.day.date.Before(it.period.first) || !other.day.date.Before(it.period.end))
	})
}

// inCompound reports whether a time of some words is a part of a compound: in front of a noun in English ("weekend
// planning"), behind one in Hebrew ("תכנון סוף השבוע").
func (p *parser) inCompound(it item) bool {
	of := it.to
	if p.tokens[it.from].hebrew {
		of = it.from - 1
	}
	if of < 0 || of >= len(p.tokens) || p.tokens[of].kind != word ||
		slices.ContainsFunc(p.items, func(other item) bool { return other.from <= of && of < other.to }) {
		return false
	}
	_, small := prepositions[p.tokens[of].text]
	_, verb := verbs[p.tokens[of].text]
	return !small && !verb && !p.is(of, "and", "with", "to", "is", "לי", "לנו")
}

// calledMonths are months that are names of people as well.
var calledMonths = setOfWords("april may june august")

// personAt reports whether a month stands where a person does: "with Shaked and May", "call June", "a gift for April".
func (p *parser) personAt(i int) bool {
	t := p.tokens[i]
	if i == 0 || !calledMonths[t.text] && !(t.hebrew && p.has(i, personMonths)) || p.numberAt(i+1) || p.numberAt(i-1) {
		return false
	}
	if t.hebrew {
		_, prefix, _ := p.look(i, monthWords)
		return (prefix == "ו" || prefix == "ל" && !p.shifting && doing(p.wordAt(i-1))) && !p.has(i-1, monthWords) &&
			!p.numberAt(i-1)
	}
	switch {
	case p.is(i-1, "and", "&", ","):
		return !p.has(i-2, monthWords) && !p.numberAt(i-2) && i > 1
	case p.is(i-1, "for"):
		return i > 1 && !p.is(i-2, "planned", "plans", "plan", "schedule", "scheduled", "calendar", "agenda", "events",
			"meetings", "have", "booked", "out", "free", "set", "appointments", "up", "anything", "tasks", "due", "there")
	case p.is(i-1, "to"):
		return p.is(i-2, "write", "talk", "speak", "send", "reply", "listen", "explain", "apologise", "apologize")
	}
	return p.is(i-1, "with", "call", "meet", "ask", "tell", "text", "email", "visit", "see", "thank", "remind", "phone",
		"ring", "give", "pay", "dr", "aunt", "uncle", "cousin", "invite", "join", "help", "collect")
}

var personMonths = setOf("יוני מאי")

// adjective reports whether a word for how often only names a thing, in front of it in English and behind it in Hebrew:
// "annual checkup", "בדיקה שנתית". It does where one day is said that is no day of the week alone, and in what is to be
// done wherever it stands so. A weekly thing on a day of the week may be meant to repeat.
func (p *parser) adjective(it item) bool {
	if !p.adverbAlone(it) || it.repeat.freq == "" || !p.qualifies(it.to-1) {
		return false
	}
	if slices.ContainsFunc(p.items, func(other item) bool {
		return other.sort == aRepeat && other.from != it.from || other.sort == aCount || other.role == starting
	}) && p.out.Tool != ToolCreateTask {
		return false
	}
	if p.out.Tool == ToolCreateTask {
		return true
	}
	return slices.ContainsFunc(p.items, func(other item) bool {
		return other.sort == aDay && (!other.day.weekday || it.repeat.freq != rrule.Weekly) ||
			other.sort == someDays && !other.day.weekday
	})
}

// adverbAlone reports whether a recurrence is one word, perhaps behind its article: "weekly", "the monthly".
func (p *parser) adverbAlone(it item) bool {
	return it.sort == aRepeat && p.has(it.to-1, adverbs) &&
		(it.to == it.from+1 || it.to == it.from+2 && p.is(it.from, "the"))
}

// qualifies reports whether a word stands as an adjective of a name beside it.
func (p *parser) qualifies(i int) bool {
	of := i + 1
	if p.tokens[i].hebrew {
		of = i - 1
	}
	if of < 0 || of >= len(p.tokens) || p.tokens[of].kind != word || p.tokens[of].hebrew != p.tokens[i].hebrew ||
		p.has(of, repeatedKinds) || slices.ContainsFunc(p.items, func(it item) bool { return it.from <= of && of < it.to }) {
		return false
	}
	if _, verb := verbs[p.tokens[of].text]; verb && p.tokens[of].hebrew {
		return false
	}
	if _, small := prepositions[p.tokens[of].text]; small {
		return false
	}
	return !p.is(of, "to", "about", "that", "and", "with", "is", "לי", "לנו", "באופנ", "בתדירות", "פעמ")
}

// repeatedKinds are what repeats itself when it is said how often: "a yearly reminder", "אירוע שבועי".
var repeatedKinds = setOf("reminder reminders event events task tasks todo alarm alert nudge entry",
	"תזכורת תזכורות אירוע אירועים משימה משימות מטלה התראה")

// weeklyOn returns the word for a weekly thing on a day of the week that was said as one day: "weekly review on Friday"
// may be once, or each week; nil for none.
func (p *parser) weeklyOn(t times) *item {
	it := t.repeat
	if it == nil || !p.adverbAlone(*it) || it.repeat.freq != rrule.Weekly ||
		t.day == nil || !t.day.day.weekday || t.day.role == starting || t.until != nil || t.count != nil ||
		!p.qualifies(it.to-1) {
		return nil
	}
	return it
}

var onceOrWeekly = reason{"Is it once, or does it repeat? Say its date, or for example “every Friday”.",
	"זה פעם אחת, או שזה חוזר? אפשר לומר תאריך, או למשל „כל יום שישי”."}
