package plan

import (
	"strings"

	"almanac/projections/fold"
	"almanac/projections/when"
)

// What the groups of rewordings are held to: that a part of a sentence is a time, names a thing, or only says why.

// onlyTimes reports whether a text is made of times, with what stands between them.
func onlyTimes(text string, at when.Moment) bool {
	p := newSentence(text, at)
	seen := false
	for i := 0; i < len(p.tokens); {
		if it, ok := p.itemAt(i); ok && it.to > i {
			p.items = append(p.items, it)
			i, seen = it.to, true
			continue
		}
		if n := p.tokens[i]; n.kind == mark || p.is(i, "the", "at", "on", "by", "and", "sharp", "exactly", "בדיוק", "בשעה") {
			i++
			continue
		}
		if n, _, next, ok := p.number(i); ok && n <= 24 && !seen {
			i, seen = next, true
			continue
		}
		return false
	}
	return seen && p.failed == nil
}

// isThing reports whether a text may be the name of something that is there: it does not begin as a command, a question
// or a statement does, and does not end with a time's preposition.
func isThing(text string, at when.Moment) bool {
	words := strings.Fields(fold.Text(text))
	if len(words) > 2 && words[0] == "this" && strings.HasSuffix(words[1], "'s") { // "this week's swimming"
		words = words[1:]
	}
	if len(words) == 0 || nothing[words[0]] || statements[words[0]] || asking[words[0]] || thingless[words[0]] ||
		thingless[words[len(words)-1]] || words[len(words)-1] == "כל" || stray[words[len(words)-1]] || doing(words[0]) {
		return false
	}
	if len(words) > 1 && (words[0] == "swap" || words[0] == "bump" || words[0] == "switch" || words[0] == "nudge") ||
		len(words) > 2 && shovers[words[0]] && possessives[words[1]] { // "bump the dentist"
		return false
	}
	p := newSentence(text, at)
	if i := p.lead(); i == len(p.tokens) || p.commandAt(i) || p.is(i, "calendar", "agenda", "diary", "יומנ") {
		return false
	}
	for i, t := range p.tokens {
		if t.kind == mark && strings.ContainsAny(t.text, "?:;,") ||
			i > 0 && p.is(i, "אז", "כי", "אבל", "לכנ", "ולא", "חלפ") || i > 0 && t.kind == word && t.prefix == "" &&
			(statements[t.text] && !p.is(i, "us") || asking[t.text] || p.is(i, "got", "gets", "getting")) {
			return false
		}
	}
	return true
}

// saysTime reports whether a time stands in a text.
func saysTime(text string, at when.Moment) bool {
	return newSentence(text, at).says(func(it item) bool {
		return it.sort != aPart && it.sort != aLength && it.sort != aZone && it.sort != aShift
	})
}

// says reports whether a time that fits stands in the sentence.
func (p *parser) says(fits func(item) bool) bool {
	for i := range p.tokens {
		if it, ok := p.itemAt(i); ok && fits(it) {
			return true
		}
	}
	return false
}

// saysDay reports whether a day stands in the sentence.
func (p *parser) saysDay() bool { return p.says(func(it item) bool { return it.sort == aDay }) }

// saysDays reports whether a day or several days stand in the sentence.
func (p *parser) saysDays() bool {
	return p.says(func(it item) bool { return it.sort == aDay || it.sort == someDays || it.sort == aPeriod })
}

// saysHour reports whether a time of day stands in the sentence.
func (p *parser) saysHour() bool {
	return p.says(func(it item) bool {
		return it.sort == anHour || it.sort == twoHours || it.sort == aDay && it.day.named != nil
	})
}

// startsDays reports whether a text is one day or one period and nothing else, behind what is left of a preposition.
func startsDays(text string, at when.Moment) bool {
	text = strings.TrimPrefix(text, "-")
	p := newSentence(text, at)
	it, ok := p.itemAt(0)
	if !ok && len(p.tokens) > 0 {
		p = newSentence("ב"+text, at)
		it, ok = p.itemAt(0)
	}
	return ok && it.to == len(p.tokens) && (it.sort == aDay || it.sort == aPeriod) && p.failed == nil
}

// saysOften reports whether a recurrence stands in a text.
func saysOften(text string, at when.Moment) bool {
	return newSentence(text, at).hasAny("כל", "בכל", "מדי")
}

// generalFirst reports whether a text begins with a word for any event, or for what is none.
func generalFirst(text string, at when.Moment) bool {
	p := newSentence(text, at)
	for _, of := range []table{generalNouns, otherNouns, taskNouns, listWords} {
		if _, with, ok := p.look(0, of); ok && (with == "" || with == "ה") {
			return true
		}
	}
	return p.is(0, "meeting", "event", "appointment", "task", "reminder", "note", "my", "calls", "call", "השיחות", "day")
}

// firstOf is the first word of a text, folded.
func firstOf(text string) string {
	first, _, _ := strings.Cut(fold.Text(text), " ")
	return first
}

// owing are Hebrew words that begin what somebody has to do.
var owing = setOfWords("צריכ צריכה צריכימ חייב חייבת חייבימ מוכרח כדאי אסור מותר אפשר")

// possessives begin what is no sender of mail.
var possessives = setOfWords("my our your his her their the a an")

// doesFirst reports whether the first word of a text is a verb.
func doesFirst(text string) bool {
	first := firstOf(text)
	_, command := verbs[first]
	return command || deeds[first] || first == "trade" || first == "replace"
}

// saysWhy reports whether a clause behind a command only says why: it has no time, no number, no command and no word
// that takes anything back or adds to it.
func saysWhy(text string, at when.Moment) bool {
	p := newSentence(text, at)
	for i, t := range p.tokens {
		act, _ := p.verbAt(i)
		if t.kind != word || adding[t.text] || asking[t.text] || act != noAction && act != show && act != where {
			return false
		}
		if _, timed := p.itemAt(i); timed || p.infinitive(i) || p.has(i, listWords) {
			return false
		}
	}
	return p.failed == nil
}

// adding are words of a clause that asks for something more, or for something else.
var adding = setOfWords("instead also want wants need needs but only except not unless if keep rather until before " +
	"after and too please to or with remind tell במקומ גמ אבל רק חוצ אמ עד לפני אחרי ואז או בבקשה אלא רוצה צריכ צריכה")

// thingless are words that neither begin nor end the name of a thing.
var thingless = setOfWords("if off when unless because although while but or and not with at on in by for to from " +
	"of as just only also please then new add remind יותר " +
	"forget switch switches remaining future upcoming other rest moves shifts goes הבריז הבריזה לא ירד ירדה " +
	"אמ כי אבל או גמ רק לא עמ של על אל עד כש כאשר בגלל תזכיר תזכירי")
