package plan

import (
	"slices"
	"strings"
)

// dayBeforeName finds a Hebrew day of the week at the beginning, directly before a name and with another day behind it,
// which may be a part of the name: "שבת חתן של יונתן, 12 בדצמבר"; -1 for none.
func (p *parser) dayBeforeName() int {
	for i, it := range p.items {
		if i > 0 || it.sort != aDay || it.to != it.from+1 || p.tokens[it.from].prefix != "" || it.to >= len(p.tokens) ||
			!p.hebrewAt(it.from) || !p.hebrewAt(it.to) || p.used[it.to] {
			break
		}
		if _, is := p.exact(it.from, weekdayWords, ""); !is {
			break
		}
		if slices.ContainsFunc(p.items[1:], func(other item) bool { return other.sort == aDay && other.from > it.to }) {
			return it.from
		}
	}
	return -1
}

// definite reports whether the first word behind the verb that no time has is "the".
func (p *parser) definite(in intent) bool {
	for i := in.to; i < len(p.tokens); i++ {
		timed := slices.ContainsFunc(p.items, func(it item) bool { return it.from <= i && i < it.to })
		if !timed && p.tokens[i].kind != mark {
			return p.is(i, "the") || p.is(i, "את") && p.hebrewAt(i+1) && strings.HasPrefix(p.tokens[i+1].text, "ה")
		}
	}
	return false
}
