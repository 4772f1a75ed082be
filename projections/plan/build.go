package plan

import "errors"

// build hands the sentence to the tool that its verb asks for.
func (p *parser) build(in intent) error {
	if i := p.second(in); i >= 0 {
		two := p.refusal(Unsupported, "", twoThings, i, len(p.tokens))
		if in.verbless { // two wishes need a first one: a letter that was pasted is none
			var first *Refusal
			if err := p.creating(in); errors.As(err, &first) && (first.Kind == NotAnInstruction || first.Kind == Unread) {
				return err
			}
		}
		return two
	}
	switch in.action {
	case find, show, where:
		return p.looking(in)
	case cancel, free:
		return p.deleting(in)
	case add, invite:
		if p.invites(in) {
			in.action = invite
			return p.updating(in)
		}
		if in.action == invite {
			return p.invited(in)
		}
		return p.creating(in)
	case remove:
		if p.uninvites(in) {
			return p.updating(in)
		}
		return p.deleting(in)
	case create, block:
		return p.creating(in)
	}
	return p.updating(in)
}

// invites reports whether people are added to an event that is: "add Dana to the review", "תוסיף את דנה לסקירה".
func (p *parser) invites(in intent) bool {
	at := p.joint(in, "to", 'ל')
	if at < 0 || p.used[at] && !p.ownedDay(at) {
		return false
	}
	begin := in.to
	hebrew := p.is(begin, "את")
	if hebrew {
		begin++
	}
	if begin >= at || !hebrew && p.tokens[begin].kind == word &&
		(p.tokens[begin].hebrew || !capital(p.tokens[begin]) && in.action == add) {
		return false
	}
	list, end, _ := p.personList(begin)
	if len(list) == 0 || end != at {
		return false
	}
	timed := false
	for _, it := range p.items {
		timed = timed || it.sort == anHour || it.sort == twoHours || it.sort == fromNow
	}
	if p.is(at, "to") {
		definite := p.is(at+1, "the", "my", "our", "this") ||
			at+1 < len(p.tokens) && (p.tokens[at+1].possessive || p.tokens[at+1].kind == quote) || p.isUsed(at)
		// "to Dentist", and no time: one that is
		definite = definite || len(p.items) == 0 && !p.lower && capital(p.tokens[at+1])
		return definite || in.action == add
	}
	return in.action == add || !timed
}

// ownedDay reports whether the time that begins at a token owns what follows it: "to tomorrow's standup".
func (p *parser) ownedDay(at int) bool {
	for _, it := range p.items {
		if it.from != at {
			continue
		}
		end := it.to
		for _, more := range p.items {
			if more.from == end {
				end = more.to
			}
		}
		return p.tokens[it.to-1].possessive && !p.isUsed(end)
	}
	return false
}

// uninvites reports whether people are taken off an event: "remove Bob from the review".
func (p *parser) uninvites(in intent) bool {
	at := p.joint(in, "from", 'מ')
	if at < 0 || p.used[at] && !p.ownedDay(at) {
		return false
	}
	begin := in.to
	if p.is(begin, "את") {
		begin++
	}
	if begin >= at || p.tokens[begin].kind == word && !p.tokens[begin].hebrew && !capital(p.tokens[begin]) {
		return false
	}
	list, end, _ := p.personList(begin)
	return len(list) > 0 && end == at
}

// invited builds a new event out of an invitation to what is not there yet: "invite Dana to lunch tomorrow at 1".
func (p *parser) invited(in intent) error {
	at := p.joint(in, "to", 'ל')
	begin := in.to
	if p.is(begin, "את") {
		begin++
	}
	if at < 0 || begin == in.to && p.hebrewAt(in.from) { // "תזמין שולחן לארבעה": nobody is invited
		return p.creating(in)
	}
	list, end, _ := p.personList(begin)
	if (len(list) == 0 || end != at) && begin > in.to && at-begin == 2 && p.hebrewAt(begin) && p.hebrewAt(begin+1) &&
		!p.used[begin] && !p.used[begin+1] { // a first and a second name
		list, end = []Person{{Name: p.rawWithout(begin, at, false)}}, at
	}
	if len(list) == 0 || end != at {
		return p.creating(in)
	}
	p.use(in.to, at)
	if p.is(at, "to") {
		p.use(at, at+1)
	}
	p.note(SlotPeople, begin, end)
	if err := p.creating(in); err != nil {
		return err
	}
	p.out.Create.People = append(list, p.out.Create.People...)
	return nil
}
