package plan

import "slices"

// What the words of an event without a verb show of whether it is one.

// toDay returns a day or a period that "to" stands before and that ends nothing: "weekly sync to Monday"; nil for none.
func (p *parser) toDay() *item {
	for i := range p.items {
		it := &p.items[i]
		if (it.sort == aDay || it.sort == aPeriod) && it.role == to && p.is(it.from, "to") && (i == 0 ||
			p.items[i-1].to != it.from) {
			return it
		}
	}
	return nil
}

// orders reports whether words without a verb of the tables are a command all the same: their second is an article
// ("inspect the boiler"), or the first a verb that is hardly a noun.
func (p *parser) orders() bool {
	at := -1
	for i, t := range p.tokens {
		if !p.used[i] && t.kind == word {
			at = i
			break
		}
	}
	if at < 0 || p.tokens[at].hebrew || p.tokens[at].possessive || p.has(at, eventNouns) {
		return false
	}
	return p.is(at+1, "the", "my", "our", "your", "these", "those", "all", "everyone", "them", "him", "her") ||
		doers[p.tokens[at].text]
}

// doers are English verbs of doing that are hardly a noun.
var doers = setOfWords(
	"ring inspect fix repair send buy tell ask bring fetch grab feed wash contact install replace prepare write submit " +
		"finish ensure remember forget use give try keep turn lock unlock charge print upload download")

// beginsAsEvent reports whether the first word that is no time is a kind of event: "dinner at 8", "פגישה ב-10".
func (p *parser) beginsAsEvent() bool {
	for i, t := range p.tokens {
		timed := slices.ContainsFunc(p.items, func(it item) bool { return it.from <= i && i < it.to })
		if timed || i < p.head || t.kind != word {
			continue
		}
		if _, prefix, ok := p.look(i, eventNouns); ok {
			return prefix == ""
		}
		_, prefix, ok := p.look(i, meals)
		return ok && prefix == ""
	}
	return false
}

// startsAnew returns a day from which on something is to hold that does not repeat; nil for none.
func (p *parser) startsAnew(t times) *item {
	day := t.day
	if day == nil || day.role != starting && day.role != from || t.repeat != nil || t.lastDay != nil || day.from != 0 {
		return nil
	}
	return day
}
