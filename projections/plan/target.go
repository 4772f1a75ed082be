package plan

import (
	"slices"
	"strings"

	"almanac/graph/model"
	"almanac/projections/fold"
	"almanac/projections/rrule"
	"almanac/projections/when"
)

// side is one part of a sentence that changes something: its tokens and the times among them.
type side struct {
	from, to int
	items    []item
}

// targetOf says which event is meant by a side of the sentence.
func (p *parser) targetOf(s side, in intent) (out Target, scope model.EventScope, err error) {
	scope = p.scope()
	out.Except = p.except()
	s.items = p.withoutAdverbs(s.items)
	t, err := p.collectFrom(s.items)
	if err != nil {
		return out, scope, err
	}
	if t.repeat != nil {
		rep := t.repeat.repeat
		if rep.freq != rrule.Weekly || len(rep.days) != 1 || rep.interval != 1 {
			return out, scope, p.refusal(Unread, SlotTarget, unreadPart, t.repeat.from, t.repeat.to)
		}
		out.DayOfWeek = rep.days[0]
		p.note(SlotTarget, t.repeat.from, t.repeat.to)
		if scope == "" && t.hour != nil { // else it may repeat on other days as well, and it is asked what is meant
			scope = model.ScopeSeries
		}
		t.repeat = nil
	}
	if t.allDay != nil || t.zone != nil || t.count != nil {
		for _, it := range []*item{t.allDay, t.zone, t.count} {
			if it != nil && it.sort != allDay {
				return out, scope, p.refusal(Unread, SlotTarget, unreadPart, it.from, it.to)
			}
		}
	}
	alone := t.hour != nil && t.hour.sort == anHour && (t.hour.role == bare || t.hour.role == at || t.hour.role == from)
	window, err := p.window(t, alone)
	if err != nil {
		return out, scope, err
	}
	out.Window = window
	if alone {
		on := model.Date{}
		of := noPart
		if t.day != nil {
			on, of = t.day.day.date, t.day.day.part
		}
		if t.part != nil {
			of = t.part.part
		}
		h := p.choose(t.hour.hour, on, of, noPart)
		out.StartTime = clockText(h.minute)
		p.note(SlotTarget, t.hour.from, t.hour.to)
	}
	out.All = p.everything(s, in) || in.action == cancel && p.plural(s)
	out.Title, err = p.targetTitle(s, in, out.All)
	return out, scope, err
}

// withoutAdverbs returns "weekly" and the like back to the words: of an event that is they are a part of its name.
func (p *parser) withoutAdverbs(items []item) []item {
	return slices.DeleteFunc(slices.Clone(items), func(it item) bool {
		if len(it.repeat.days) > 0 || it.sort != aRepeat || it.to-it.from != 1 && !p.adverbAlone(it) {
			return false
		}
		p.used[it.to-1] = false
		return true
	})
}

// scope reads which occurrences of a series are meant, and passes over the words.
func (p *parser) scope() model.EventScope {
	var found model.EventScope
	for i := range p.tokens {
		for _, phrase := range scopePhrases {
			n := strings.Count(phrase.words, " ") + 1
			if p.phrase(i, phrase.words) {
				p.use(i, i+n)
				if p.is(i+n, "of", "של") {
					p.use(i+n, i+n+1)
				}
				if found == "" {
					found = phrase.scope
					p.note(SlotScope, i, i+n)
				}
			}
		}
	}
	if found != "" {
		return found
	}
	for i := range p.tokens {
		switch {
		case p.is(i, "series") && !p.used[i], p.is(i, "סדרת", "הסדרה"):
			p.note(SlotScope, i, i+1)
			p.use(i, i+1)
			for k := range i {
				if p.is(k, "whole", "entire", "full") || p.is(k, "כל") && k == i-1 {
					p.use(k, k+1)
				}
			}
			return model.ScopeSeries
		case p.is(i, "just", "only") && !p.used[i] && (p.is(i+1, "this") || i+1 < len(p.tokens) && p.used[i+1]):
			p.note(SlotScope, i, i+1)
			p.use(i, i+1)
			return model.ScopeThis
		}
	}
	return ""
}

var scopePhrases = []struct {
	words string
	scope model.EventScope
}{
	{"this and all following", model.ScopeFollowing}, {"this and following", model.ScopeFollowing},
	{"this and all future", model.ScopeFollowing},
	{"this and future", model.ScopeFollowing}, {"from now on", model.ScopeFollowing},
	{"going forward", model.ScopeFollowing}, {"all future", model.ScopeFollowing},
	{"מכאנ והלאה", model.ScopeFollowing}, {"מעכשיו והלאה", model.ScopeFollowing}, {"מעתה והלאה", model.ScopeFollowing},
	{"מהיומ והלאה", model.ScopeFollowing},
	{"all occurrences", model.ScopeSeries}, {"every occurrence", model.ScopeSeries}, {"all instances", model.ScopeSeries},
	{"every instance", model.ScopeSeries},
	{"the whole series", model.ScopeSeries}, {"the entire series", model.ScopeSeries}, {"כל המופעימ", model.ScopeSeries},
	{"כל הסדרה", model.ScopeSeries},
	{"only this occurrence", model.ScopeThis}, {"just this occurrence", model.ScopeThis},
	{"this occurrence", model.ScopeThis}, {"only this time", model.ScopeThis},
	{"just this once", model.ScopeThis}, {"just this one", model.ScopeThis}, {"only this one", model.ScopeThis},
	{"this one time", model.ScopeThis}, {"just this time", model.ScopeThis},
	{"רק הפעמ", model.ScopeThis}, {"רק את המופע הזה", model.ScopeThis}, {"רק המופע הזה", model.ScopeThis},
	{"את המופע הזה", model.ScopeThis},
}

// except reads what is to be left alone: "except lunch and the standup", "חוץ מארוחת הצהריים".
func (p *parser) except() []string {
	for i := range p.tokens {
		next := i + 1
		switch {
		case p.is(i, "except", "excluding", "but", "besides"):
			next += btoi(p.is(next, "for"))
		case p.are(i, "apart", "from"), p.are(i, "other", "than"):
			next++
		case p.is(i, "חוצ", "מלבד", "למעט", "פרט"):
		default:
			continue
		}
		if p.used[i] {
			continue
		}
		var out []string
		begin := next
		flush := func(to int) {
			for begin < to && p.is(begin, "the", "my", "את") {
				begin++
			}
			if begin < to {
				text := p.rawWithout(begin, to, false)
				if p.tokens[begin].hebrew && !p.is(i, "למעט", "מלבד") && startsWithAny(p.tokens[begin].text, "מ", "ל") {
					text = cutLetters(text, 1)
				}
				out = append(out, text)
			}
		}
		k := next
		for ; k < len(p.tokens) && !p.used[k] && p.tokens[k].text != "."; k++ {
			if p.is(k, "and", ",") {
				flush(k)
				begin = k + 1
			}
		}
		flush(k)
		p.note(SlotExcept, i, k)
		p.use(i, k)
		return out
	}
	return nil
}

// everything reports whether a target means all that fits it: "all my meetings", "everything", "clear my Friday".
func (p *parser) everything(s side, in intent) bool {
	all := in.action == free
	for i := s.from; i < s.to && i < len(p.tokens); i++ {
		if p.used[i] {
			continue
		}
		if p.is(i, "all", "every", "everything", "anything", "הכל", "הכול") || p.is(i, "כל", "בכל") && !p.is(i+1, "היומ") {
			if p.is(i+1, "hands", "-") {
				continue
			}
			p.note(SlotTarget, i, i+1)
			p.use(i, i+1)
			if p.is(i+1, "of") {
				p.use(i+1, i+2)
			}
			all = true
		}
	}
	return all
}

// plural reports whether a target is events in general: "meetings after 5pm".
func (p *parser) plural(s side) bool {
	for i := s.from; i < s.to && i < len(p.tokens); i++ {
		if !p.used[i] && p.tokens[i].kind == word && !p.is(i, "the", "my", "our", "את") {
			value, prefix, ok := p.look(i, generalNouns)
			return ok && value == 2 && (prefix == "" || prefix == "ה")
		}
	}
	return false
}

// targetTitle returns the words of the title of an event that is.
func (p *parser) targetTitle(s side, in intent, all bool) (string, error) {
	for i := s.from; i < s.to; i++ {
		if p.tokens[i].kind == quote && !p.used[i] {
			p.note(SlotTarget, i, i+1)
			return p.tokens[i].raw, nil
		}
	}
	var left []int
	for i := s.from; i < s.to && i < len(p.tokens); i++ {
		if p.used[i] || i >= in.from && i < in.to || p.is(i, "please", "בבקשה", "?", "שלי", "שלנו", "לי", "לנו", "me") {
			continue
		}
		if shiftWords[p.tokens[i].text] && in.action >= move && in.action <= change {
			continue
		}
		if p.is(i, "called", "named", "titled", "בשמ") {
			left = left[:0]
			continue
		}
		if p.is(i, "i", "have", "that") && (p.is(i+1, "i", "have") || p.is(i-1, "i", "that")) {
			continue
		}
		if p.is(i, "ואת") || p.is(i, "and") && p.is(i+1, "my", "the", "our") {
			return "", p.refusal(Unsupported, SlotTarget, twoThings, i, s.to)
		}
		if p.is(i, "שיש", "שהיה") || p.is(i, "מה") && p.is(i+1, "שיש", "שהיה") {
			continue
		}
		if p.is(i, "באותה", "אותה") && p.is(i+1, "שעה") || p.is(i, "שעה") && p.is(i-1, "באותה", "אותה") {
			continue
		}
		if p.is(i, "same") && p.is(i+1, "time") || p.is(i, "time") && p.is(i-1, "same") {
			continue
		}
		left = append(left, i)
	}
	left = p.trim(left)
	if len(left) > 0 && (p.is(left[0], "first", "second", "third", "last", "next", "other") ||
		len(left) > 1 && p.has(left[1], nthWords) && p.tokens[left[1]].hebrew) {
		return "", p.refusal(Unread, SlotTarget, unreadPart, left[0], left[len(left)-1]+1)
	}
	for len(left) > 0 && p.is(left[0], "events", "event", "things", "day", "time", "entries", "schedule", "calendar",
		"everything", "האירועימ", "אירועימ", "האירוע", "היומנ", "יומנ", "meeting") {
		if p.is(left[0], "meeting") {
			break
		}
		left = left[1:]
	}
	if all {
		left = p.whose(left)
	}
	left = p.trim(left)
	if len(left) == 0 {
		return "", nil
	}
	if len(left) == 1 && pronouns[p.tokens[left[0]].text] {
		return "", nil
	}
	if bad := p.residue(left); bad >= 0 {
		return "", p.refusal(Unread, SlotTarget, unreadPart, bad, bad+1)
	}
	p.note(SlotTarget, left[0], left[len(left)-1]+1)
	return p.joined(left), nil
}

// whose returns only the people of "meetings with Dana": the events are any, their titles need not hold the word.
func (p *parser) whose(left []int) []int {
	if len(left) < 3 || !p.is(left[1], "with", "עמ") {
		return left
	}
	if value, prefix, ok := p.look(left[0], generalNouns); ok && value > 0 && (prefix == "" || prefix == "ה") {
		return left[2:]
	}
	return left
}

var (
	// nthWords pick one of several events, which no title does.
	nthWords   = setOf("הבא הבאה השני השנייה השניה הראשון הראשונה האחרון האחרונה השלישי השלישית")
	shiftWords = setOfWords("shorter longer back forward up out later earlier")
	pronouns   = setOfWords("it this that them one those these זה זאת אותו אותה אותמ הזה")
)

// deleting builds the plan of a deletion.
func (p *parser) deleting(in intent) error {
	p.use(in.from, in.to)
	p.use(0, min(p.head, len(p.tokens)))
	p.note(SlotTool, in.from, in.to)
	if i := p.conditional(); i >= 0 {
		return p.refusal(Unread, "", condition, i, i+1)
	}
	begins := p.fromOn()
	items, rest := p.fromWhen(p.items, in)
	if !begins.IsZero() {
		rest = p.within(begins)
	}
	target, scope, err := p.targetOf(side{from: 0, to: len(p.tokens), items: items}, in)
	if err != nil {
		return err
	}
	if first, _, _ := strings.Cut(fold.Text(target.Title),
		" "); particles[first] && first != target.Title { // "take me off the review"
		return p.refusal(Unread, SlotTarget, unreadPart, 0, len(p.tokens))
	}
	if rest != nil {
		if target.Window != nil || target.DayOfWeek != "" || target.Title == "" || generalFirst(target.Title, p.at) {
			return p.refusal(Unread, SlotTarget, unreadPart, 0, len(p.tokens))
		}
		target.All, target.Window, scope = false, rest, model.ScopeFollowing
		p.out.Proposed = true // many occurrences go at once
	}
	if target.All && target.Window == nil {
		return p.refusal(Missing, SlotWindow, noWindow, in.from, in.to)
	}
	if target.Title == "" && target.Window == nil && target.StartTime == "" && target.DayOfWeek == "" {
		return p.refusal(Missing, SlotTarget, noTarget, in.from, in.to)
	}
	if !target.All && target.Title == "" && target.StartTime == "" {
		return p.refusal(Missing, SlotTarget, noTarget, in.from, in.to)
	}
	if len(target.Except) > 0 && !target.All {
		return p.refusal(Unread, SlotExcept, condition, 0, len(p.tokens))
	}
	p.out.Tool, p.out.Delete = ToolDelete, &Delete{Target: target, Scope: scope}
	return nil
}

// fromWhen takes the day or the period out of some times behind or from which all of a series is to go ("cancel piano
// after 29 December", "… from January on"), and returns the days to come from then on; nil where none is said so.
func (p *parser) fromWhen(items []item, in intent) ([]item, *Window) {
	for i, it := range items {
		if it.role == from && !p.is(it.to, "on", "onwards", "onward") &&
			(it.sort == aDay || p.is(in.from, "remove", "take", "clear")) {
			continue // "remove the vet from Sunday" takes it off that day
		}
		if it.role != after && it.role != starting && it.role != from ||
			it.sort != aPeriod && (it.sort != aDay || !it.day.at.IsZero()) {
			continue
		}
		first := it.first()
		if slices.ContainsFunc(items, func(other item) bool { return other.from != it.from }) || first.Before(p.today()) {
			return items, nil
		}
		if p.is(it.to, "on", "onwards", "onward") {
			p.use(it.to, it.to+1)
		}
		p.note(SlotTarget, it.from, it.to)
		return slices.Delete(slices.Clone(items), i, i+1), p.within(first)
	}
	return items, nil
}

// firstWithin is within how many days an occurrence of a series is looked for, from which on it is to end.
const firstWithin = 92

// within returns the time from a day on in which the first such occurrence is looked for.
func (p *parser) within(from model.Date) *Window {
	here := p.now.Location()
	return &Window{From: when.StartOfDate(from, here).In(here),
		To: when.StartOfDate(from.AddDays(firstWithin), here).In(here)}
}

// first returns the day with which something begins that is said to begin on a day or with a period, or after it.
func (it item) first() model.Date {
	switch {
	case it.sort == aDay && it.role == after:
		return it.day.date.AddDays(1)
	case it.sort == aDay:
		return it.day.date
	case it.role == after:
		return it.period.end
	}
	return it.period.first
}

// fromOn returns the day from which on a series is to end, and takes its words out of the sentence: "מה-30 בדצמבר
// והלאה", "אחרי ה-29 בדצמבר והלאה"; zero when none is said.
func (p *parser) fromOn() (from model.Date) {
	p.items = slices.DeleteFunc(slices.Clone(p.items), func(it item) bool {
		if !from.IsZero() || it.sort != aDay && it.sort != aPeriod || !p.is(it.to, "והלאה", "ואילכ") {
			return false
		}
		from = it.first()
		p.use(it.from, it.to+1)
		return true
	})
	return from
}
