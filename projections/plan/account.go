package plan

import (
	"slices"
	"strings"
	"time"

	"almanac/graph/model"
	"almanac/projections/fold"
	"almanac/projections/when"
)

// What a sentence says of times, numbers and recurrences, held against the plan that was made of it. The grammar gives
// every word a role, but a rule may give it the wrong one: a month that was a name, a week in which a series begins, a
// second day. What is said and is neither a value of the plan nor in one of its texts was lost, and a plan that has
// lost something is not carried out.

// kept is what a plan holds, in a form in which a sentence can be compared with it.
type kept struct {
	texts string // all its texts, folded, each word between spaces
	words map[string]bool
	dates []model.Date
	spans []Window
	// clocks are minutes of a day, modulo twelve hours; lengths are minutes.
	clocks, lengths []int
	weekdays        []model.Weekday
	repeats, shifts bool
	// added is how many tasks or items are added.
	added  int
	allDay bool
}

// guarded is Guard for a plan that the grammar has made, which must also have what the sentence says of times and
// numbers. Reworded says that it was made of other words than these. A model's plan is held against its sentence where
// it is read.
func guarded(out Plan, text string, reworded bool, at when.Moment) error {
	if out.Tool.Reads() {
		return nil
	}
	p := newSentence(text, at)
	if from, to, lost := p.unaccounted(out, reworded); lost {
		return p.refusal(Unread, "", notKept, from, to)
	}
	return Guard(out, text, at)
}

// unaccounted returns the tokens of what the sentence says and the plan has not, the last one exclusive; false for
// none.
// Other words that were found for a sentence leave out the hour that no longer holds.
func (p *parser) unaccounted(out Plan, reworded bool) (from, to int, ok bool) {
	if !accountable(out) {
		return 0, 0, false
	}
	k := p.keeps(out)
	p.scan()
	p.failed = nil
	for n, it := range p.items {
		if p.is(it.from-1, "not", "לא", "ולא") && (out.Create != nil || out.Tool == ToolCreateTask) && p.itemKept(it, k) {
			return it.from - 1, it.to, true // "not today"
		}
		if reworded && out.Update != nil && it.sort == anHour {
			continue
		}
		if p.replaced(it.from) || p.corrected(it.to) || k.said(p, it.from, it.to) || p.itemKept(it, k) {
			continue
		}
		if n > 0 && p.items[n-1].sort == it.sort && it.sort == aRepeat {
			continue // a second mention of the recurrence, which was brought together with the first
		}
		return it.from, it.to, true
	}
	if i := p.negationLost(out, k); i >= 0 {
		return i, i + 1, true
	}
	for i := range p.tokens {
		timed := slices.ContainsFunc(p.items, func(it item) bool { return it.from <= i && i < it.to })
		if timed || p.replaced(i) || p.corrected(i+1) || k.said(p, i, i+1) {
			continue
		}
		if to := p.numberLost(i, k); to > i {
			return i, to, true
		}
	}
	return 0, 0, false
}

// negationLost finds a word that denies what would be made of the sentence, and that is not in its text; -1 for none.
// "Don't forget" denies nothing.
func (p *parser) negationLost(out Plan, k *kept) int {
	if out.Tool != ToolCreate && out.Tool != ToolCreateTask || p.hasAny("forget", "לשכוח", "אשכח", "נשכח", "תשכח", "תשכחי",
		"wait", "problem", "later", "יאוחר", "רק", "אלא", "but", "מאוחר") {
		return -1
	}
	for i := range p.tokens {
		if p.is(i, "no", "not", "never", "don't", "doesn't", "won't", "can't", "cannot", "isn't", "aren't", "without", "לא",
			"אל",
			"אינ", "בלי", "ללא") && !p.is(i+1, "one") && !k.has(p.tokens[i]) {
			return i
		}
	}
	return -1
}

// accountable reports whether a plan changes something and says when by values of its own. Memories are kept as they
// are said, and a time that is counted from an event is found later.
func accountable(out Plan) bool {
	switch {
	case out.Tool.Reads(), out.Memory != nil, out.Tool == ToolUndo:
		return false
	case out.Task != nil:
		return !slices.ContainsFunc(out.Task.New, func(one NewTask) bool { return one.Beside != nil })
	}
	return true
}

// keeps collects what a plan holds.
func (p *parser) keeps(out Plan) *kept {
	k := &kept{}
	var texts []string
	add := func(more ...string) { texts = append(texts, more...) }
	people := func(list []Person) {
		for _, one := range list {
			add(one.Name, one.Email)
		}
	}
	target := func(t Target) {
		add(t.Title)
		add(t.Except...)
		k.span(t.Window)
		k.clock(t.StartTime)
		if t.DayOfWeek != "" {
			k.weekdays, k.repeats = append(k.weekdays, t.DayOfWeek), true
		}
	}
	if c := out.Create; c != nil {
		add(c.Title, c.Location)
		people(c.People)
		k.event(c)
	}
	if u := out.Update; u != nil {
		target(u.Target)
		add(u.Change.Title, u.Change.Location, u.Change.Note)
		people(u.Change.AddPeople)
		people(u.Change.RemovePeople)
		k.change(&u.Change)
		k.repeats = k.repeats || u.Scope != ""
	}
	if d := out.Delete; d != nil {
		target(d.Target)
		k.repeats = k.repeats || d.Scope != ""
	}
	if t := out.Task; t != nil {
		add(t.Text, t.NewText, t.Category)
		k.instant(t.Due)
		k.added = len(t.New)
		for _, one := range t.New {
			add(one.Text, one.Category)
			k.instant(one.Due)
			k.taskRepeat(one.Repeat)
		}
	}
	if l := out.List; l != nil {
		add(l.Name)
		k.added = len(l.Items)
		add(slices.Concat(l.Items, l.Check, l.Remove)...)
	}
	k.words = map[string]bool{}
	for _, text := range texts {
		for _, t := range tokenize(text) {
			k.words[t.text] = true
		}
	}
	k.texts = " " + fold.Text(strings.Join(texts, " ")) + " "
	return k
}

func (k *kept) instant(at time.Time) {
	if !at.IsZero() {
		k.dates = append(k.dates, model.DateOf(at))
		if at.Hour() < 6 { // "Saturday at midnight" is the one that ends it
			k.dates = append(k.dates, model.DateOf(at).AddDays(-1))
		}
		k.clocks = append(k.clocks, (at.Hour()*60+at.Minute())%(12*60))
	}
}

func (k *kept) clock(text string) {
	if at, err := time.Parse("15:04", text); err == nil {
		k.clocks = append(k.clocks, (at.Hour()*60+at.Minute())%(12*60))
	}
}

func (k *kept) span(w *Window) {
	if w != nil {
		k.spans = append(k.spans, *w)
		k.instant(w.From)
		k.instant(w.To)
	}
}

func (k *kept) event(c *Create) {
	k.instant(c.Start.At)
	k.instant(c.End.At)
	if !c.Start.Date.IsZero() {
		k.allDay = true
		k.dates = append(k.dates, c.Start.Date, c.End.Date, c.End.Date.AddDays(-1))
		k.lengths = append(k.lengths, c.Start.Date.DaysUntil(c.End.Date)*24*60)
	} else {
		k.lengths = append(k.lengths, int(c.End.At.Sub(c.Start.At)/time.Minute))
	}
	if c.TimeZone != "" {
		if zone, err := time.LoadLocation(c.TimeZone); err == nil {
			k.instant(c.Start.At.In(zone))
			k.instant(c.End.At.In(zone))
		}
	}
	k.repeats = c.Recurrence != ""
	for part := range strings.SplitSeq(strings.TrimPrefix(c.Recurrence, "RRULE:"), ";") {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "UNTIL":
			for _, layout := range []string{"20060102T150405Z", "20060102"} {
				if at, err := time.Parse(layout, value); err == nil {
					k.dates = append(k.dates, model.DateOf(at), model.DateOf(at).AddDays(1))
				}
			}
		case "BYDAY":
			for code := range strings.SplitSeq(value, ",") {
				for _, day := range weekdaysByCode {
					if strings.HasSuffix(code, string(day[:2])) {
						k.weekdays = append(k.weekdays, day)
					}
				}
			}
		}
	}
}

var weekdaysByCode = []model.Weekday{model.Sunday, model.Monday, model.Tuesday, model.Wednesday, model.Thursday,
	model.Friday, model.Saturday}

func (k *kept) change(c *Change) {
	for _, date := range []model.Date{c.Date, c.EndDate} {
		if !date.IsZero() {
			k.dates = append(k.dates, date)
		}
	}
	if !c.EndDate.IsZero() {
		k.dates = append(k.dates, c.EndDate.AddDays(-1))
	}
	for _, clock := range []*Clock{c.Start, c.End} {
		if clock != nil {
			k.clocks = append(k.clocks, (clock.Hour*60+clock.Minute)%(12*60))
		}
	}
	for _, length := range []time.Duration{c.Duration, c.Lengthen, c.Shift} {
		if length != 0 {
			k.lengths = append(k.lengths, int(length.Abs()/time.Minute))
		}
	}
	if c.ShiftDays != 0 {
		k.lengths = append(k.lengths, max(c.ShiftDays, -c.ShiftDays)*24*60)
	}
	k.shifts = c.Shift != 0 || c.ShiftDays != 0 || c.Lengthen != 0
	k.allDay = k.allDay || c.AllDay || !c.EndDate.IsZero()
}

func (k *kept) taskRepeat(r *TaskRepeat) {
	if r == nil {
		return
	}
	k.repeats = true
	k.weekdays = append(k.weekdays, r.Days...)
	k.clock(r.Time)
	k.instant(r.Until)
}

// said reports whether the words of some tokens stand in the texts of the plan, one by one; articles and prepositions
// need not.
func (k *kept) said(p *parser, from, to int) bool {
	found := false
	for i := from; i < to; i++ {
		t := p.tokens[i]
		if _, small := prepositions[t.text]; small || t.kind == mark || p.is(i, "the", "a", "an", "this", "every", "and") {
			continue
		}
		if !k.has(t) {
			return false
		}
		found = true
	}
	return found
}

// has reports whether a word is among those of the plan's texts, Hebrew prefixes aside.
func (k *kept) has(t token) bool {
	if k.words[t.text] {
		return true
	}
	if t.kind == quote {
		return strings.Contains(k.texts, t.text)
	}
	if !t.hebrew {
		return t.possessive && k.words[t.text+"'s"]
	}
	text := t.text
	for range 3 {
		cut := false
		for _, letter := range prefixLetters {
			if rest, ok := strings.CutPrefix(text, string(letter)); ok && len(rest) > 3 {
				text, cut = rest, true
				break
			}
		}
		if !cut {
			return false
		}
		if k.words[text] {
			return true
		}
	}
	return false
}

// replaced reports whether a time is what no longer holds: "at 10 instead of 9:30", "ולא בשבע".
func (p *parser) replaced(i int) bool {
	if i > 1 && counted[p.tokens[i-1].text] && (p.is(i-2, "not") || p.are(i-3, "instead", "of")) || // "not room 2"
		p.is(i-1, "do", "make") && p.is(i-2, "can't", "cannot", "couldn't") {
		return true
	}
	return p.is(i-1, "instead", "not", "במקומ", "ולא", "לא", "than") || p.is(i-1, "of") && p.is(i-2, "instead") ||
		p.is(i, "of") && p.is(i-1, "instead") || p.is(i-1, "from", "מ") || p.itemRole(i) == from
}

// corrected reports whether a time is taken back by what stands behind it: "at 16:00, sorry, 16:30".
func (p *parser) corrected(i int) bool {
	i += btoi(p.is(i, ","))
	return p.is(i, "sorry", "oops", "actually", "סליחה", "אופס", "בעצמ", "כלומר", "תיקונ", "רגע")
}

func (p *parser) itemRole(i int) role {
	for _, it := range p.items {
		if it.from == i {
			return it.role
		}
	}
	return bare
}

// itemKept reports whether a plan has what a time expression says.
func (p *parser) itemKept(it item, k *kept) bool {
	switch it.sort {
	case aDay:
		if it.role == starting || it.role == from {
			return k.within(period{first: it.day.date}, it.role) || k.day(it.day, it.role)
		}
		return k.shifts && !it.day.weekday || k.day(it.day, it.role)
	case someDays:
		return k.day(it.day, it.role) && k.day(it.last, it.role)
	case aPeriod:
		return p.is(it.from, "of") || k.within(it.period, it.role)
	case anHour:
		return k.at(it.hour) || p.minutesApart(it.to, it.hour, k) ||
			it.from > 0 && p.tokens[it.from-1].kind == number && // "7 15 am"
				p.minutesApart(it.from, hour{minute: p.tokens[it.from-1].n() * 60}, k)
	case twoHours:
		return k.at(it.hour) && k.at(it.end)
	case aRepeat:
		if !k.repeats {
			return false
		}
		return !slices.ContainsFunc(it.repeat.days, func(day model.Weekday) bool { return !k.weekday(day) })
	case aCount:
		return k.repeats
	case allDay:
		return k.allDay || len(k.spans) > 0
	case aLength:
		return k.shifts || slices.Contains(k.lengths, it.amount.days*24*60+it.amount.months*30*24*60+it.amount.minutes) ||
			it.amount.calendar() && (k.repeats || len(k.spans) > 0 || k.allDay)
	}
	return true // parts of the day, zones, what is counted from now: they have become an hour
}

// minutesApart reports whether an hour is the plan's with the number behind it: "at 4 30 pm".
func (p *parser) minutesApart(i int, h hour, k *kept) bool {
	return i < len(p.tokens) && p.tokens[i].kind == number && p.tokens[i].digits[0] == 2 && p.tokens[i].n() < 60 &&
		k.at(hour{minute: h.minute + p.tokens[i].n()})
}

// day reports whether a day is one of the plan's.
func (k *kept) day(d day, r role) bool {
	on := d.date
	near := func(date model.Date) bool {
		return date == on || (r == before || r == after || r == until || r == by) &&
			(date == on.AddDays(-1) || date == on.AddDays(1))
	}
	if slices.ContainsFunc(k.dates, near) {
		return true
	}
	weekday := model.WeekdayOf(on.Midnight().Weekday())
	if d.weekday && (slices.Contains(k.weekdays, weekday) || slices.ContainsFunc(k.dates,
		func(date model.Date) bool { return model.WeekdayOf(date.Midnight().Weekday()) == weekday })) {
		return true
	}
	return slices.ContainsFunc(k.spans, func(w Window) bool {
		return !on.Before(model.DateOf(w.From)) && on.Before(model.DateOf(w.To.Add(24*time.Hour-time.Second)))
	})
}

func (k *kept) weekday(day model.Weekday) bool {
	return slices.Contains(k.weekdays, day) || slices.ContainsFunc(k.dates, func(date model.Date) bool {
		return model.WeekdayOf(date.Midnight().Weekday()) == day
	})
}

// within reports whether something of the plan lies in a period, or at its edge where it is a limit.
func (k *kept) within(w period, r role) bool {
	if w.first.IsZero() {
		return true
	}
	first, end := w.first, w.end
	if r == before || r == until || r == by {
		first, end = first.AddDays(-2), end.AddDays(1)
	}
	if (r == starting || r == from) && slices.ContainsFunc(k.spans,
		func(span Window) bool { return model.DateOf(span.From) == first }) {
		return true
	}
	if r == starting || r == from || r == after {
		if slices.ContainsFunc(k.spans, func(span Window) bool { return model.DateOf(span.From) == first }) {
			return true
		}
		return slices.ContainsFunc(k.dates, func(date model.Date) bool { return !date.Before(first) }) &&
			!slices.ContainsFunc(k.dates, func(date model.Date) bool { return date.Before(first) })
	}
	if slices.ContainsFunc(k.dates, func(date model.Date) bool { return !date.Before(first) && date.Before(end) }) {
		return true
	}
	return slices.ContainsFunc(k.spans, func(span Window) bool {
		return model.DateOf(span.From).Before(end) && !model.DateOf(span.To).Before(first)
	})
}

func (k *kept) at(h hour) bool { return slices.Contains(k.clocks, h.minute%(12*60)) }

// numberLost returns the end of a number of two or more, or of a time in digits, that nothing has kept; else i. How
// many
// things are added may be said before them: "three tasks: …".
func (p *parser) numberLost(i int, k *kept) int {
	switch p.tokens[i].kind {
	case clock, dotted, slashed, isoDate:
		return i + 1
	}
	n, _, next, ok := p.number(i)
	if !ok || n < 2 || n == k.added || k.said(p, i, next) ||
		len(p.tokens[i].raw) == 4 && k.at(hour{minute: n/100*60 + n%100}) || // "0930"
		n <= 24 && next == len(p.tokens) && p.is(i-1, ":",
			"only") && k.at(hour{minute: n * 60}) || // "this Friday only: 9"
		n <= 24 && p.is(next, "to", "till", "until", "-", "–") && k.at(hour{minute: n * 60}) || // "9 to 12 on Tuesday"
		p.minutesApart(next, hour{minute: n * 60}, k) ||
		i > 0 && p.tokens[i-1].kind == number && p.minutesApart(i, hour{minute: p.tokens[i-1].n() * 60}, k) {
		return i
	}
	return next
}
