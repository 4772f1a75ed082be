package plan

import "time"

// Days of the week that are told from other words by what stands around them.

// dayBehind reports whether a bare Hebrew ordinal behind "before" is a day: "לפני שישי". "שני" may be two of something.
func (p *parser) dayBehind(i, value int) bool {
	if value != int(time.Monday) || p.ends(i+1) || p.is(i+1, ",") {
		return true
	}
	_, with, parted := p.look(i+1, partWords)
	return parted && with == "ב" || p.clockAt(i+1)
}

// bareDay reports whether a bare Hebrew ordinal is a day by what stands around it: an hour or a part of a day behind it
// ("חמישי בערב"; "שני בשמונה" only where a sentence begins, for it may be "two"), or a word before it that no ordinal
// follows, at the end ("תראה לי את ראשון").
func (p *parser) bareDay(i, value int) bool {
	_, with, hours := p.look(i+1, numerals)
	_, of, parted := p.look(i+1, partWords)
	timed := hours && with == "ב" || parted && (of == "ב" || of == "") || p.is(i+1, "אחר", "אחה\"צ", "לפנות", "על") &&
		p.is(i+2, "הצהריימ", "הצהרימ", "צהריימ", "בוקר", "הבוקר")
	switch {
	case timed && (value > int(time.Monday) || i == 0):
		return true
	case p.is(i+1, "שעבר", "הקרוב"):
		return true
	}
	return p.is(i-1, "את", "על", "אני") && p.ends(i+1) && (value != int(time.Monday) || !p.is(i-1, "את") || p.is(0, "תראה",
		"תראי", "תציג", "תציגי"))
}

// dayAsked reports whether a bare Hebrew ordinal is the day that a question is about: "ראשון בעשר פנוי?".
func (p *parser) dayAsked(i int) bool {
	if i > 0 && !p.is(i-1, "לי", "לנו", "אני", "אנחנו", "האמ", "עמוס") {
		return false
	}
	_, prefix, number := p.look(i+1, numerals)
	return number && prefix == "ב" || p.clockAt(i+1) || p.is(i+1, "הבא", "הקרוב")
}

// datedOn reports whether a date follows that falls on a day of the week: "חמישי 3 בדצמבר".
func (p *parser) datedOn(i int, on time.Weekday) bool {
	i += btoi(p.is(i, ","))
	for _, read := range []func(int) (day, string, bool){p.monthDay, p.numericDay} {
		if d, _, ok := read(i); ok && p.failed == nil {
			return d.date.Midnight().Weekday() == on
		}
	}
	return false
}

// halved reports whether an hour with its half of the day follows: "sat 8am".
func (p *parser) halved(i int) bool {
	if _, _, next, ok := p.number(i); ok {
		return p.is(next, "am", "pm")
	}
	return false
}
