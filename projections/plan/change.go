package plan

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"almanac/graph/model"
)

// updating builds the plan of a change: what stands before "to" is the target, what stands behind it the change.
func (p *parser) updating(in intent) error {
	p.use(in.from, in.to)
	p.use(0, min(p.head, len(p.tokens)))
	p.note(SlotTool, in.from, in.to)
	if i := p.conditional(); i >= 0 {
		return p.refusal(Unread, "", condition, i, i+1)
	}
	made := &Update{}
	var err error
	switch {
	case in.action != change:
	case p.wordsHave("shorter"):
		in.action = shorten
	case p.wordsHave("longer"):
		in.action = extend
	}
	switch attribute := p.attribute(in); {
	case in.action == invite:
		err = p.inviting(made, in, "to", 'ל')
	case in.action == remove:
		err = p.inviting(made, in, "from", 'מ')
	case in.action == rename, attribute == SlotTitle, attribute == SlotLocation:
		err = p.naming(made, in, attribute)
	default:
		err = p.moving(made, in)
	}
	if err != nil {
		return err
	}
	if bare, ok := strings.CutSuffix(made.Target.Title, "'s"); ok && p.hasAny("time", "date", "day", "hour",
		"title", "name") {
		made.Target.Title = bare // "the dentist's time"
	}
	t := made.Target
	if t.Title == "" && t.StartTime == "" {
		return p.refusal(Missing, SlotTarget, noTarget, in.from, in.to)
	}
	if t.All {
		made.Target.All = t.Window != nil
	}
	if len(t.Except) > 0 {
		return p.refusal(Unread, SlotExcept, condition, 0, len(p.tokens))
	}
	p.out.Tool, p.out.Update = ToolUpdate, made
	return nil
}

// attribute reads what of an event is to be changed: "the title of", "location", "המיקום של". The words are passed
// over.
func (p *parser) attribute(in intent) Slot {
	if in.action != change && in.action != move {
		return ""
	}
	for i := in.to; i < len(p.tokens); i++ {
		value, prefix, ok := p.look(i, attributes)
		if !ok || p.used[i] || prefix != "" && prefix != "ה" {
			continue
		}
		of := p.is(i+1, "of", "של", "for")
		possessed := i > in.to && (p.tokens[i-1].possessive || !p.tokens[i].hebrew && p.is(i+1, "to"))
		if !of && !possessed {
			continue
		}
		begin := i
		for p.is(begin-1, "the", "את") {
			begin--
		}
		p.use(begin, i+1+btoi(of))
		p.note(SlotChange, i, i+1)
		return []Slot{SlotTitle, SlotLocation, SlotStart, SlotEnd}[value-1]
	}
	return ""
}

var attributes = tableOf(1, "title name שם כותרת", "location place venue מיקום מקום",
	"time start date day hour שעה זמן תאריך מועד", "length duration משך אורך")

// naming reads a new title or place behind "to": "rename X to Y", "change the location of X to Y".
func (p *parser) naming(made *Update, in intent, attribute Slot) error {
	split, begin := p.namedBehind(in)
	if split < 0 {
		return p.refusal(Missing, SlotChange, noChange, in.from, in.to)
	}
	end := len(p.tokens)
	for end > begin && p.tokens[end-1].kind == mark && p.tokens[end-1].text != ")" ||
		end > begin && p.is(end-1, "please", "בבקשה") {
		end--
	}
	if begin >= end {
		return p.refusal(Missing, SlotChange, noChange, in.from, in.to)
	}
	for i := begin; i < end && p.is(split, "to"); i++ {
		if p.is(i, "to") { // "Night flight to Berlin to Early flight": where the old name ends is not plain
			return p.refusal(Unread, SlotChange, unreadPart, split, end)
		}
	}
	text := p.rawWithout(begin, end, false)
	if p.tokens[begin].kind == word && p.tokens[begin].hebrew && begin == split {
		text = cutLetters(text, 1)
	}
	if attribute == SlotLocation {
		made.Change.Location = text
	} else {
		made.Change.Title = leading(text)
	}
	p.note(SlotChange, split, end)
	var items []item
	for _, it := range p.items {
		if it.to <= split {
			items = append(items, it)
		}
	}
	var err error
	made.Target, made.Scope, err = p.targetOf(side{from: 0, to: split, items: items}, in)
	return err
}

// namedBehind finds the "to" or the ל before a name, and where the name begins.
func (p *parser) namedBehind(in intent) (split, begin int) {
	for i := in.to; i < len(p.tokens); i++ {
		if p.is(i, "to", "as", "into") && !p.tokens[i].hebrew {
			return i, i + 1
		}
		if p.tokens[i].kind == quote && p.tokens[i].prefix == "ל" {
			return i, i
		}
	}
	for i := len(p.tokens) - 1; i > in.to+1; i-- {
		t := p.tokens[i]
		if t.prefix == "ל" || t.kind == word && t.hebrew && startsWithAny(t.text, "ל") && utf8.RuneCountInString(t.text) > 2 {
			return i, i
		}
	}
	return -1, 0
}

// inviting reads people who are added to an event, or taken off one.
func (p *parser) inviting(made *Update, in intent, joint string, letter rune) error {
	at := p.joint(in, joint, letter)
	if at < 0 {
		return p.refusal(Missing, SlotTarget, noTarget, in.from, in.to)
	}
	begin := in.to
	for p.is(begin, "את", "also", "גמ") {
		begin++
	}
	people, end, _ := p.personList(begin)
	if len(people) == 0 || end < at {
		return p.refusal(Unread, SlotPeople, unreadPart, in.to, max(at, in.to+1))
	}
	p.note(SlotPeople, begin, end)
	p.use(in.to, at+btoi(p.is(at, joint)))
	if in.action == remove {
		made.Change.RemovePeople = people
	} else {
		made.Change.AddPeople = people
	}
	var err error
	made.Target, made.Scope, err = p.targetOf(side{from: at, to: len(p.tokens), items: p.items}, in)
	if p.tokens[at].hebrew && !p.used[at] && made.Target.Title != "" && startsWithAny(p.tokens[at].text, string(letter)) {
		made.Target.Title = cutLetters(made.Target.Title, 1)
	}
	return err
}

// joint finds the word between people and the event that they are added to.
func (p *parser) joint(in intent, between string, letter rune) int {
	for i := in.to + 1; i < len(p.tokens); i++ {
		if p.is(i, between) {
			return i
		}
		t := p.tokens[i]
		if p.used[i] {
			continue
		}
		if t.prefix == string(letter) || t.kind == word && t.hebrew && startsWithAny(t.text, string(letter)) &&
			utf8.RuneCountInString(t.text) > 2 {
			return i
		}
	}
	return -1
}

// moving reads new times, a new length or a new place.
func (p *parser) moving(made *Update, in intent) error {
	var rest *Window
	if begins := p.fromOn(); !begins.IsZero() {
		rest = p.within(begins)
	} else if items, since := p.fromWhen(slices.DeleteFunc(slices.Clone(p.items), func(it item) bool {
		return it.role != starting && it.role != from && it.role != after || it.linked
	}), in); since != nil && len(items) == 0 {
		rest = since
		p.items = slices.DeleteFunc(p.items, func(it item) bool {
			return (it.role == starting || it.role == from || it.role == after) && !it.linked
		})
	}
	split, place := p.split(in)
	// a new name, or a new place
	if place >= 0 && in.action == change && p.is(place, "to") && !p.places(place+1) && !online[p.tokens[place+1].text] {
		return p.refusal(Unread, SlotChange, unreadPart, place, len(p.tokens))
	}
	for i := place + 1; place >= 0 && i < len(p.tokens); i++ {
		if p.is(place, "to") && p.is(i, "to") { // "Move flight to Berlin to Friday"
			return p.refusal(Unread, SlotChange, unreadPart, place, len(p.tokens))
		}
	}
	var behind, ahead []item
	for _, it := range p.items {
		switch {
		case it.linked && in.action != extend && in.action != shorten && it.joint > it.from &&
			(it.role == from || it.role == at || it.role == bare) && it.sort == twoHours:
			first, second := it, it
			first.sort, first.to = anHour, it.joint
			second.sort, second.hour, second.from, second.role = anHour, it.end, it.joint, to
			ahead, behind = append(ahead, first), append(behind, second)
		case it.linked && it.sort == someDays && it.role != to:
			first, second := it, it
			first.sort, first.to = aDay, it.joint
			second.sort, second.day, second.from, second.role = aDay, it.last, it.joint, to
			ahead, behind = append(ahead, first), append(behind, second)
		case it.sort == aDay && it.role == bare && it.from >= split && p.linkedHours(split): // "from 10 to 11 tomorrow"
			ahead = append(ahead, it)
		case split >= 0 && it.from >= split && it.role != from, it.sort == aShift, it.sort == aLength && in.action != remove,
			it.sort == allDay:
			behind = append(behind, it)
		case in.action == extend && (it.sort == anHour || it.sort == aDay) && it.role == until,
			in.action == shorten && it.sort == anHour && it.role == until:
			behind = append(behind, it)
		default:
			ahead = append(ahead, it)
		}
	}
	end := len(p.tokens)
	if place >= 0 {
		begin := place
		if p.is(place, "to") {
			begin++
		}
		to := p.placeEnd(begin, p.tokens[begin].hebrew)
		text := p.rawWithout(begin, to, false)
		if begin == place && p.tokens[begin].prefix == "" {
			text = cutLetters(text, 1)
		}
		made.Change.Location = text
		p.note(SlotChange, place, to)
		p.use(place, to)
	}
	for i := max(split, 0); i < len(p.tokens) && split >= 0; i++ {
		if p.is(i, "to", "start", "begin", "end", "finish", "at", "on", "שיתחיל", "שתתחיל", "שיסתיימ", "שתסתיימ", "שייגמר",
			"שתיגמר", "be", "last", "לאורכ") {
			p.use(i, i+1)
		}
	}
	if split >= 0 && place < 0 && !slices.ContainsFunc(behind, func(it item) bool { return it.from >= split }) {
		return p.refusal(Missing, SlotChange, noChange, in.from, in.to)
	}
	var err error
	if made.Target, made.Scope, err = p.targetOf(side{from: 0, to: end, items: ahead}, in); err != nil {
		return err
	}
	if rest != nil {
		if made.Target.Window != nil || made.Target.Title == "" {
			return p.refusal(Unread, SlotTarget, unreadPart, 0, len(p.tokens))
		}
		made.Target.Window, made.Scope = rest, model.ScopeFollowing
	}
	return p.changes(made, in, behind)
}

// linkedHours reports whether the split lies inside a range of hours.
func (p *parser) linkedHours(split int) bool {
	return slices.ContainsFunc(p.items,
		func(it item) bool { return it.sort == twoHours && it.linked && it.joint == split })
}

// split finds where the change begins: at the first time behind "to" or ל, at "to start at", or at a place behind them;
// -1 when there is none.
func (p *parser) split(in intent) (split, place int) {
	split, place = -1, -1
	for _, it := range p.items {
		switch {
		case it.from < in.to || split >= 0:
		case it.linked && it.role != to && (it.sort == twoHours || it.sort == someDays):
			split = it.joint
		case it.role == to && !it.linked:
			split = it.from
		}
	}
	for i := in.to; i < len(p.tokens); i++ {
		if p.used[i] {
			continue
		}
		if in.action == change && i > in.to && p.is(i, "start", "begin", "end", "finish") && i+1 < len(p.tokens) &&
			p.isUsed(i+1) {
			return i, -1
		}
		if p.is(i, "to") && p.is(i+1, "start", "begin", "end", "finish", "be", "last") ||
			p.is(i, "שיתחיל", "שתתחיל", "שיסתיימ", "שתסתיימ", "שייגמר", "שתיגמר") {
			return i, -1
		}
		if p.is(i, "to") && slices.ContainsFunc(p.items, func(it item) bool { return it.role == to && it.from > i+1 }) {
			continue // "the flight to Athens to 8:05"
		}
		if p.is(i, "to") && i+1 < len(p.tokens) && !p.used[i+1] &&
			(p.places(i+1) || capital(p.tokens[i+1]) || online[p.tokens[i+1].text]) {
			return first(split, i), i
		}
		if _, prefix, ok := p.look(i, hebrewPlaces); ok && prefix == "ל" && i > in.to+1 && !p.is(i-1, "תור", "התור") {
			return first(split, i), i
		}
	}
	if split < 0 && in.action != extend && in.action != shorten {
		for k := len(p.items) - 1; k >= 0; k-- {
			if it := p.items[k]; p.is(it.from, "for") && p.is(in.from, "reschedule") && it.sort != aLength {
				split = it.from
			}
		}
	}
	return split, place
}

func first(a, b int) int {
	if a < 0 || b < a {
		return b
	}
	return a
}

// changes turns the times behind the split into what becomes of the event.
func (p *parser) changes(made *Update, in intent, items []item) error {
	c := &made.Change
	t, err := p.collectFrom(items)
	if err != nil {
		return err
	}
	for _, it := range []*item{t.zone, t.repeat, t.count, t.now} {
		if it != nil {
			return p.refusal(Unread, SlotChange, unreadPart, it.from, it.to)
		}
	}
	for _, it := range items {
		p.note(SlotChange, it.from, it.to)
		if it.role == before || it.role == after {
			return p.refusal(Unread, SlotChange, unreadPart, it.from, it.to)
		}
	}
	if t.period != nil && t.day == nil {
		return p.refusal(Missing, SlotDate, noDay, t.period.from, t.period.to)
	}
	on := p.targetDay(made)
	if t.day != nil {
		c.Date, c.Weekday, c.Later = t.day.day.date, t.day.day.weekday, in.action == postpone
		on = c.Date
		if t.day.sort == someDays {
			if t.day.last.date.Before(c.Date) {
				return p.refusal(Contradiction, SlotChange, endBefore, t.day.from, t.day.to)
			}
			c.EndDate = t.day.last.date.AddDays(1)
		}
		if !t.day.day.at.IsZero() {
			c.Start = &Clock{Hour: t.day.day.at.Hour(), Minute: t.day.day.at.Minute()}
		}
	}
	if err := p.newHours(c, t, in, on); err != nil {
		return err
	}
	if t.allDay != nil {
		c.AllDay = true
	}
	if last := t.until; in.action == extend && last != nil && last.sort == aDay && t.hour == nil {
		c.EndDate = last.day.date.AddDays(1)
	}
	if err := p.newLength(c, t, in); err != nil {
		return err
	}
	if c.isZero() {
		return p.refusal(Missing, SlotChange, noChange, in.from, in.to)
	}
	return nil
}

func (c *Change) isZero() bool {
	return c.Title == "" && c.Location == "" && c.Note == "" && c.Date.IsZero() && c.EndDate.IsZero() &&
		c.Start == nil && c.End == nil &&
		c.Duration == 0 &&
		c.Lengthen == 0 && c.ShiftDays == 0 && c.Shift == 0 &&
		!c.AllDay && len(c.AddPeople) == 0 && len(c.RemovePeople) == 0
}

func (p *parser) targetDay(made *Update) model.Date {
	if w := made.Target.Window; w != nil {
		return model.DateOf(w.From)
	}
	return model.Date{}
}

func clockOf(minute int) *Clock { return &Clock{Hour: minute / 60 % 24, Minute: minute % 60} }

// newHours reads the new hour of the start, or of the end.
func (p *parser) newHours(c *Change, t times, in intent, on model.Date) error {
	of := noPart
	if t.day != nil {
		of = t.day.day.part
	}
	if t.part != nil {
		of = t.part.part
	}
	if t.hour == nil {
		if of != noPart {
			c.Start = clockOf(of.hour() * 60)
			p.defaulted(SlotStart)
		}
		return nil
	}
	if t.hour.sort == twoHours {
		start, end, err := p.chooseTwo(t.hour, on, of, noPart)
		c.Start, c.End = clockOf(start), clockOf(end)
		return err
	}
	vague := t.hour.hour.vague && of == noPart
	h := p.choose(t.hour.hour, on, of, noPart)
	if h.minute >= 24*60 && t.day != nil {
		c.Date = c.Date.AddDays(1)
		p.midnights(t, h, t.day.day.date, false)
	}
	ends := in.action == extend || in.action == shorten
	for i := t.hour.from - 2; i <= t.hour.from; i++ {
		ends = ends || p.is(i, "end", "finish", "שיסתיימ", "שתסתיימ", "שייגמר", "שתיגמר")
	}
	if ends {
		c.End = clockOf(h.minute)
		c.End.Vague = vague
		return nil
	}
	c.Start = clockOf(h.minute)
	c.Start.Vague = vague && t.endHour == nil
	if t.endHour != nil {
		end := t.endHour.hour.minute
		for t.endHour.hour.vague && end <= h.minute {
			end += 12 * 60
		}
		c.End = clockOf(end)
	}
	return nil
}

// newLength reads a new length, what is added to it, and how far the event moves.
func (p *parser) newLength(c *Change, t times, in intent) error {
	it := t.shift
	if it == nil {
		it = t.length
	}
	if it == nil {
		return nil
	}
	if t.shift != nil && t.length != nil {
		return p.refusal(Contradiction, SlotChange, twoTimes, t.length.from, t.length.to)
	}
	if it.amount.months != 0 {
		return p.refusal(Unread, SlotChange, unreadPart, it.from, it.to)
	}
	length := it.amount.duration() + time.Duration(it.amount.days)*24*time.Hour
	forward := p.wordsHave("forward")
	sign := 1
	if it.earlier || in.action == advance {
		sign = -1
	}
	switch in.action {
	case extend, shorten:
		if it.role == to {
			c.Duration = length
			return nil
		}
		if in.action == shorten {
			length = -length
		}
		c.Lengthen = length
	case move, postpone, advance:
		if forward && in.action != advance {
			return p.refusal(Unread, SlotChange, unreadPart, in.from, it.to)
		}
		if it.sort == aLength && in.action == move && it.role == bare && (p.wordsHave("up") || p.wordsHave("back")) {
			if p.wordsHave("up") {
				sign = -1
			}
			c.ShiftDays, c.Shift = sign*it.amount.days, time.Duration(sign)*it.amount.duration()
			return nil
		}
		if it.sort == aLength && in.action == move {
			if it.role != at {
				return p.refusal(Unread, SlotChange, unreadPart, it.from, it.to)
			}
			c.Duration = length
			return nil
		}
		c.ShiftDays, c.Shift = sign*it.amount.days, time.Duration(sign)*it.amount.duration()
	default:
		if it.sort == aShift {
			c.ShiftDays, c.Shift = sign*it.amount.days, time.Duration(sign)*it.amount.duration()
			return nil
		}
		c.Duration = length
	}
	return nil
}

func (p *parser) wordsHave(text string) bool {
	for i := range p.tokens {
		if p.is(i, text) {
			return true
		}
	}
	return false
}
