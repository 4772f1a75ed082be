package plan

// deedAt reports whether what a person has to do begins at a token: "call mom tonight", "pick up the parcel by Friday".
// It is no event: an event has an hour, which is not said.
func (p *parser) deedAt(i int) bool {
	next := i + 1
	switch {
	case p.is(i, "pick") && p.is(next, "up"), p.is(i, "drop") && p.is(next, "off"):
		next++
	case p.is(i, "buy", "order"):
		if !p.saysWhen(next, false) {
			return false
		}
	case p.is(i, "call"):
	case p.is(i, "pay", "water", "clean", "fix", "return", "renew", "feed", "wash", "sign", "print", "vacuum", "submit",
		"repair", "collect", "iron", "mow"):
		if !p.is(next, "the", "my", "our", "a", "an", "his", "her", "their", "all") { // "water polo", "return flight"
			return false
		}
	default:
		return false
	}
	if next >= len(p.tokens) || p.saysWhen(0, true) && !p.hasAny("by", "before") || p.tokens[next].kind != word ||
		p.is(next, "off", "with", "mit", "about", "it", "me", "us", "is", "are", "for", "in", "at", "on", "and", "by", "to",
			"from", "of", "up", "out") {
		return false
	}
	return !p.hasAny("instead", "is", "are", "was", "done", "finished", "list", "task", "tasks", "remind", "reminder",
		"calendar", "now", "?")
}

// saysWhen reports whether a day, an hour or a recurrence is said from a token on; with hour, whether an hour is.
func (p *parser) saysWhen(from int, hour bool) bool {
	defer func() { p.failed = nil }()
	for i := from; i < len(p.tokens); i++ {
		it, ok := p.itemAt(i)
		if ok && (it.sort == anHour || it.sort == twoHours || it.sort == fromNow) || ok && !hour && it.sort != aLength &&
			it.sort != aZone {
			return true
		}
	}
	return false
}

// saidBefore returns the times that stand before token i, as they are: "מחר בשמונה " of "אז מחר בשמונה להתקשר לדנה".
func (p *parser) saidBefore(i int, text string) string {
	for k := range i {
		if !p.used[k] && p.tokens[k].kind != mark {
			return text[p.tokens[k].from:p.tokens[i].from]
		}
	}
	return ""
}
