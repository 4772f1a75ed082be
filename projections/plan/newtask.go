package plan

import (
	"slices"
	"strings"
	"time"

	"almanac/graph/model"
	"almanac/projections/rrule"
)

// newInCategory reads "add a work task: …", "add a task in category Home: …".
func (p *parser) newInCategory(i int) (next int, category string, ok bool) {
	if !p.is(i, "add", "create", "make", "new", "צור", "הוספ", "תוסיפ", "תוסיפי", "הוסיפי") {
		return i, "", false
	}
	k := i + 1
	for p.is(k, "a", "an", "new", "another", "לי") {
		k++
	}
	switch {
	case p.is(k, "task", "todo", "משימה", "מטלה") &&
		p.is(k+1, "in", "under", "to", "with", "בקטגוריה", "בקטגוריית", "תחת"):
		begin := k + 2
		for p.is(begin, "category", "the", "קטגוריה", "קטגוריית", "my") {
			begin++
		}
		end := begin
		for end < len(p.tokens) && !p.is(end, ":", "category", "-") {
			end++
		}
		if end == begin || end >= len(p.tokens)-1 || end-begin > 2 {
			return i, "", false
		}
		category = leading(p.rawWithout(begin, end, false))
		return end + 1 + btoi(p.is(end+1, ":")), category, true
	case p.is(k+1, "task", "todo") && p.tokens[k].kind == word && !p.tokens[k].hebrew &&
		!p.is(k, "the", "my", "recurring"):
		if !p.is(k+2, ":", "to", "called", "named", "-") {
			return i, "", false
		}
		return k + 3, leading(tidy(p.tokens[k].raw)), true
	}
	return i, "", false
}

// categorySaid reads a category that stands beside the text: ", category finance", "בקטגוריה כספים".
func (p *parser) categorySaid() string {
	for i := range p.tokens {
		_, prefix, hebrew := p.look(i, categoryWord)
		if p.used[i] || !p.is(i, "category") && !(hebrew && (prefix == "" || prefix == "ב" || prefix == "ל")) {
			continue
		}
		begin, at := i, i+1+btoi(p.is(i+1, ":"))
		for p.is(begin-1, ",", "in", "under", "the", "-", ";") {
			begin--
		}
		if at < len(p.tokens) && (p.tokens[at].kind == word || p.tokens[at].kind == quote) {
			p.use(begin, at+1)
			return leading(tidy(p.tokens[at].raw))
		}
	}
	return ""
}

var categoryWord = setOf("קטגוריה קטגוריית")

// putOnTasks reads "add … to my to-do list", "put … on my tasks", "תוסיף … למשימות שלי": begin and end of the text.
func (p *parser) putOnTasks(i int) (begin, end int, ok bool) {
	if !p.is(i, "add", "put", "append", "stick", "write", "throw", "place", "enter", "include") && !p.has(i, hebrewPuts) {
		return 0, 0, false
	}
	for k := i + 1; k < len(p.tokens); k++ {
		to, found := p.taskListAt(k)
		if !found {
			continue
		}
		// "תוסיף לרשימת המשימות לקנות חלב": what is put there stands behind.
		p.use(k, to)
		p.use(i, i+1+btoi(p.is(i+1, "לי", "את")))
		return i, i + 1, true
	}
	return 0, 0, false
}

var hebrewPuts = setOf("תוסיף תוסיפי הוסף הוסיפי להוסיף שים שימי תשים תשימי תכניס תכניסי הכנס תרשום תרשמי רשום רשמי")

// taskListAt reads the tasks as a place at k: "to my to-do list", "on the todo", "למשימות שלי", "לרשימת המשימות".
func (p *parser) taskListAt(k int) (end int, ok bool) {
	if next, ok := p.frameAt(k, taskLists); ok {
		return next, true
	}
	if _, prefix, ok := p.look(k, taskNouns); ok && p.hebrewAt(k) && (prefix == "ל" || prefix == "מה" || prefix == "ב" ||
		prefix == "לה" || prefix == "מ") {
		return k + 1 + btoi(p.is(k+1, "שלי", "שלנו")), true
	}
	if _, prefix, ok := p.look(k, listWords); ok && prefix != "" &&
		(p.has(k+1, taskNouns) || p.is(k+1, "הדברימ", "הטודו")) {
		return k + 2 + btoi(p.is(k+2, "שלי", "שלנו")), true
	}
	return k, false
}

var taskLists = framesOf(
	"to|on|onto|from|off|in my|the|our list of tasks|todos|reminders, to|on|onto|from|off|in|of my|the|our? to - do|dos " +
		"list|lists?, to|on|onto|from|off|in|of my|the|our? " +
		"todo|todos|task|tasks|reminders|reminder list|lists?, to|on|onto|from|off|in my|the|our things - to - do list?")

// newTasks reads the tasks that are to be added, from the tokens behind a frame.
func (p *parser) newTasks(begin, next int, category string) error {
	p.out.Tool = ToolCreateTask
	for i := begin; i < next; i++ { // a time may stand within the frame: "remind me tomorrow to …"
		p.use(i, i+1)
	}
	if p.is(next, ":", "-") {
		p.use(next, next+1)
	}
	if i := p.placed(); i >= 0 {
		return p.refusal(Unsupported, SlotStart, noPlaceReminder, i, len(p.tokens))
	}
	if i := p.conditional(); i >= 0 && !p.is(i, "or", "או") {
		return p.refusal(Unread, "", condition, i, i+1)
	}
	p.useThanks()
	if category == "" {
		category = p.categorySaid()
	}
	p.scan()
	p.ownTimes()
	for _, it := range p.items {
		p.use(it.from, it.to)
	}
	if p.failed != nil {
		return p.failed
	}
	if i := p.slip(); i >= 0 {
		return p.refusal(Unread, SlotStart, unreadPart, i, i+1)
	}
	if i := p.forDay(); i >= 0 {
		return p.refusal(Unread, SlotStart, whoseTime, i, min(i+2, len(p.tokens)))
	}
	made := NewTask{Category: category}
	if err := p.when(&made); err != nil {
		return err
	}
	if i := p.besideDoing(); i >= 0 && made.Due.IsZero() && made.Repeat == nil && !p.isUsed(i) && p.endsAt(i+2) {
		return p.refusal(Missing, SlotStart, noStart, i, min(i+2, len(p.tokens)))
	}
	texts, err := p.taskTexts()
	if err != nil {
		return err
	}
	if slices.ContainsFunc(texts, prioritized().MatchString) {
		return p.refusal(Unsupported, "", noPriority, 0, len(p.tokens))
	}
	if len(texts) == 0 {
		return p.refusal(Missing, SlotTitle, noTask, begin, len(p.tokens))
	}
	p.out.Task = &Task{}
	if len(texts) > 1 && made.Repeat != nil {
		return p.refusal(Unread, SlotStart, whichTask, 0, len(p.tokens))
	}
	for _, text := range texts {
		one := made
		one.Text = text
		p.out.Task.New = append(p.out.Task.New, one)
	}
	return nil
}

// placed finds a reminder that depends on a place or on what happens: "when I get home", "כשאגיע הביתה"; -1 for none.
func (p *parser) placed() int {
	for i := range p.tokens {
		if p.used[i] {
			continue
		}
		if p.is(i, "when", "once", "whenever", "while", "as") &&
			p.is(i+1, "i", "we", "he", "she", "they", "it", "you", "soon",
				"the", "my") && !(p.is(i, "as", "while") && !p.is(i+1, "soon")) {
			return i
		}
		if t := p.tokens[i]; t.kind == word && t.hebrew &&
			(strings.HasPrefix(t.text, "כשא") || strings.HasPrefix(t.text, "כשנ") ||
				strings.HasPrefix(t.text, "כשה") || strings.HasPrefix(t.text, "כאשר")) && len([]rune(t.text)) > 4 {
			return i
		}
	}
	return -1
}

func (p *parser) useThanks() {
	for i := range p.tokens {
		switch {
		case p.is(i, "please", "kindly", "thanks", "thx", "pls", "plz", "cheers", "בבקשה", "תודה", "פליז"):
			p.use(i, i+1+btoi(p.is(i+1, "רבה")))
		case p.is(i, "thank") && p.is(i+1, "you"):
			p.use(i, i+2)
		case i == len(p.tokens)-1 && p.is(i, ".", "!", "?"):
			p.use(i, i+1)
		}
	}
}

// ownTimes leaves in the text what is a part of it and not its time: lengths, shifts, "tomorrow's", numbers of times.
func (p *parser) ownTimes() {
	p.items = slices.DeleteFunc(p.items, func(it item) bool {
		if p.tokens[it.to-1].possessive {
			return true
		}
		switch it.sort {
		case aLength, aShift, aCount, aZone:
			return true
		case aDay: // "לקנות נרות לשבת, עד מחר"
			return it.role == to && p.hebrewAt(it.from) && slices.ContainsFunc(p.items, func(other item) bool {
				return other.from != it.from && (other.sort == aDay || other.sort == aPeriod || other.sort == aRepeat)
			})
		case aPeriod: // "plan the weekend", "לתכנן את סוף השבוע"
			return it.role == bare && it.from > 0 && p.is(it.from, "the", "את") && !p.used[it.from-1] &&
				p.tokens[it.from-1].kind == word && p.prepositionless(it.from-1)
		}
		return false
	})
}

// forDay finds a day that may belong to the text rather than to the reminder: "book a table for Friday"; -1 for none.
func (p *parser) forDay() int {
	for _, it := range p.items {
		if !p.is(it.from, "for") || it.from == 0 || p.used[it.from-1] {
			continue
		}
		return it.from
	}
	return -1
}

// when reads when a task is due and how it repeats.
func (p *parser) when(made *NewTask) error {
	for i := range p.items {
		it := &p.items[i]
		p.deadline(it)
		if it.role == by || it.role == until || it.role == to || it.role == from {
			hasRepeat := slices.ContainsFunc(p.items, func(o item) bool { return o.sort == aRepeat })
			if !hasRepeat || it.sort == anHour {
				it.role = at
			}
		}
	}
	t, err := p.collect()
	if err != nil {
		return err
	}
	for _, it := range []*item{t.period, t.allDay, t.until, t.lastDay, t.endHour} {
		if it != nil && !(t.repeat != nil && (it == t.until || it == t.lastDay)) {
			return p.refusal(Missing, SlotStart, noDay, it.from, it.to)
		}
	}
	if t.day != nil && t.day.sort != aDay || t.hour != nil && t.hour.sort != anHour {
		return p.refusal(Unread, SlotStart, unreadPart, 0, len(p.tokens))
	}
	for _, it := range []*item{t.day, t.hour, t.part, t.now} {
		if it != nil && (it.role == before || it.role == after || it.role == between) {
			return p.refusal(Unread, SlotStart, unreadPart, it.from, it.to)
		}
	}
	if t.repeat != nil {
		return p.repeats(made, t)
	}
	made.Due, err = p.due(t)
	return err
}

// deadline puts a time to be done by, or in, into one that a task can be due at: before a day is the day before it,
// before an hour is that hour, within some days the last of them where it is an end, else the first that is to come.
func (p *parser) deadline(it *item) {
	today := p.today()
	switch {
	case it.sort == aDay && it.role == before && it.day.at.IsZero():
		if !p.endOfPeriod(*it) {
			it.day.date = it.day.date.AddDays(-1)
		}
		it.role = at
	case (it.sort == anHour || it.sort == aPart) && it.role == before:
		it.role = at
	case it.sort == aPeriod && it.period.since.IsZero():
		first, last := it.period.first, it.period.end.AddDays(-1)
		of := first
		switch {
		case it.role == before:
			of = first.AddDays(-1)
		case it.role == by, it.role == until:
			of = last
		case of.Before(today) || of == today:
			of = last
		}
		if it.role == after || of.Before(today) {
			return
		}
		it.sort, it.role, it.day = aDay, at, day{date: of, absolute: true}
		if first != last {
			p.doubts(p.doubt(DoubtWithin, it.from, it.to, of.String(), first.String()+" – "+last.String()))
		}
	}
}

// endOfPeriod reports whether the end of a period is said, which what is to be done before it may be due on: "before
// the end of the month", "לפני סוף החודש".
func (p *parser) endOfPeriod(it item) bool {
	for i := it.from; i < it.to; i++ {
		if p.is(i, "end", "סופ") {
			return true
		}
	}
	return false
}

// due returns the instant that times name, zero for none. A day alone is its morning, today its evening; what has
// passed is refused.
func (p *parser) due(t times) (time.Time, error) {
	zone := p.now.Location()
	for _, it := range []*item{t.day, t.hour, t.part, t.now} {
		if it != nil {
			p.note(SlotStart, it.from, it.to)
		}
	}
	switch {
	case t.now != nil:
		return p.now.Add(t.now.amount.duration()).Truncate(time.Minute), nil
	case t.day != nil && !t.day.day.at.IsZero():
		return t.day.day.at, nil
	case t.day == nil && t.hour == nil && t.part == nil:
		return time.Time{}, nil
	}
	date, of, _ := p.dateOf(t, noPart)
	minute := of.hour() * 60
	from, to := 0, 0
	switch {
	case t.hour != nil:
		h := p.choose(t.hour.hour, date, of, noPart)
		minute, from, to = h.minute, t.hour.from, t.hour.to
	case of == noPart:
		p.defaulted(SlotStart)
		minute, from, to = morning.hour()*60, t.day.from, t.day.to
		if date == p.today() && p.now.Hour()*60+p.now.Minute() >= minute {
			minute = evening.hour() * 60
		}
	default:
		p.defaulted(SlotStart)
	}
	at := p.instant(date, minute, zone, from, to)
	if !at.After(p.now) {
		return at, p.refusal(Contradiction, SlotStart, hasPassed, from, to)
	}
	return at, nil
}

// repeats reads a recurrence that tasks can keep.
func (p *parser) repeats(made *NewTask, t times) error {
	rep := t.repeat.repeat
	bad := p.refusal(Unsupported, SlotRecurrence, taskRepeats, t.repeat.from, t.repeat.to)
	if p.is(t.repeat.to, "שני", "שנייה", "שניה", "שלישי", "שלישית", "רביעי") { // "כל יום חמישי שני"
		return bad
	}
	out := &TaskRepeat{}
	if rep.interval > 1 || rep.nth != 0 || len(rep.also) > 0 || rep.count > 0 || t.count != nil || t.now != nil {
		return bad
	}
	switch rep.freq {
	case rrule.Daily:
		out.Type = model.Daily
	case rrule.Weekly:
		out.Type = model.Weekly
		out.Days = rep.days
		if len(rep.days) == 0 && t.day != nil && t.day.day.weekday {
			out.Days = []model.Weekday{model.WeekdayOf(t.day.day.date.Midnight().Weekday())}
			t.day = nil
		}
		if len(out.Days) == 0 {
			return p.refusal(Missing, SlotDate, noStart, t.repeat.from, t.repeat.to)
		}
	case rrule.Monthly:
		out.Type = model.Monthly
		out.DayOfMonth = rep.monthDay
		if rep.monthDay == 0 && t.day != nil && t.day.day.absolute {
			out.DayOfMonth, t.day = t.day.day.date.Day, nil
		}
		if out.DayOfMonth == 0 {
			return p.refusal(Missing, SlotDate, noStart, t.repeat.from, t.repeat.to)
		}
	default:
		return bad
	}
	if t.day != nil { // "every day from Monday"
		return bad
	}
	if until := t.until; until != nil {
		if until.sort != aDay {
			return bad
		}
		out.Until = wall(until.day.date, 24*60, p.now.Location()).Add(-time.Second)
	}
	of := rep.part
	if t.part != nil {
		of = t.part.part
	}
	switch {
	case t.hour != nil:
		out.Time = clockText(p.choose(t.hour.hour, model.Date{}, of, noPart).minute % (24 * 60))
	case of != noPart:
		out.Time = clockText(of.hour() * 60)
		p.defaulted(SlotStart)
	default:
		p.defaulted(SlotStart)
	}
	p.note(SlotRecurrence, t.repeat.from, t.repeat.to)
	made.Repeat = out
	return nil
}

// taskTexts returns the texts of new tasks: one, or several where each part begins with "to", or stands in a list
// behind "tasks:".
func (p *parser) taskTexts() ([]string, error) {
	var left []int
	for i := range p.tokens {
		if !p.used[i] {
			left = append(left, i)
		}
	}
	// "remind me before the meeting to print the plan": when that is, is not looked for.
	if len(left) > 1 && p.is(left[0], "before", "after", "לפני", "אחרי") {
		return nil, p.refusal(Unsupported, SlotStart, noPlaceReminder, left[0], left[1]+1)
	}
	// "remind me the day before"
	if last := len(left) - 1; last > 0 && p.is(left[last], "before", "after", "לפני", "אחרי") {
		return nil, p.refusal(Unread, SlotStart, unreadPart, left[last], left[last]+1)
	}
	left = p.trimTask(left)
	if len(left) > 1 && p.is(left[0], "recurring", "repeating", "regular", "קבועה", "קבוע", "חוזרת", "מחזורית") {
		if !slices.ContainsFunc(p.items, func(it item) bool { return it.sort == aRepeat }) {
			return nil, p.refusal(Missing, SlotRecurrence, noRepeat, left[0], left[0]+1)
		}
		left = p.trimTask(left[1:])
	}
	if len(left) == 0 {
		return nil, nil
	}
	if _, _, next, ok := p.amountAt(left[0]); ok && len(p.items) > 0 { // "10 minutes before 4 to dial in"
		return nil, p.refusal(Unread, SlotStart, unreadPart, left[0], next)
	}
	if i := p.timeLeft(left); i >= 0 {
		return nil, p.refusal(Unread, SlotStart, unreadPart, i, i+1)
	}
	if last := left[len(left)-1]; len(left) > 1 && p.is(last, "instead", "anymore", "במקומ", "instead.") {
		return nil, p.refusal(Unread, SlotTitle, unreadPart, last, last+1)
	}
	if last := left[len(left)-1]; len(left) > 1 && (p.is(last, "sun", "mon", "sat") || // "water the plants, sat"
		p.has(last, weekdayWords) && p.is(last-1, ",")) {
		return nil, p.refusal(Unread, SlotStart, unreadPart, last, last+1)
	}
	if len(left) == 1 && (p.tokens[left[0]].kind == number || p.tokens[left[0]].kind == clock) { // "a reminder for 5"
		return nil, p.refusal(Unread, SlotStart, unreadPart, left[0], left[0]+1)
	}
	if len(left) == 1 && p.tokens[left[0]].kind == quote {
		return []string{leading(p.tokens[left[0]].raw)}, nil
	}
	if i := p.loneBefore(left); i >= 0 {
		return nil, p.refusal(Unread, SlotStart, unreadPart, i, i+1)
	}
	p.note(SlotTitle, left[0], left[len(left)-1]+1)
	several := false
	for i := range left[0] {
		value, _, ok := p.look(i, taskNouns)
		several = several || ok && value == 2 && (p.is(i+1, ":") || p.is(i+1, "to", "for"))
	}
	several = several || p.listOfDeeds(left)
	var out []string
	var part []int
	flush := func() {
		if part = p.trimTask(part); len(part) > 0 {
			out = append(out, leading(p.joined(part)))
		}
		part = nil
	}
	for k, i := range left {
		switch {
		case p.secondDeed(left, k), several && p.is(i, ",", ";"),
			p.is(i, "and") && k+1 < len(left) && p.is(left[k+1], "to", "remind"),
			several && p.is(i, "and") && k > 0:
			flush()
		case k > 0 && k+1 < len(left) && p.is(i, "וגמ", "ואז") && p.infinitive(left[0]) &&
			(hebrewInfinitives[p.tokens[left[k+1]].text] || doings[p.tokens[left[k+1]].text] || p.infinitive(left[k+1])):
			flush()
		case k > 0 && p.hebrewAt(i) && strings.HasPrefix(p.tokens[i].text, "ול") && len([]rune(p.tokens[i].text)) > 4 &&
			p.infinitive(left[0]) && (several || doing(p.tokens[i].text[2:])):
			flush()
			part = append(part, i)
		default:
			part = append(part, i)
		}
	}
	flush()
	if len(out) == 1 && strings.HasPrefix(out[0], "שה") && len([]rune(out[0])) > 5 { // "עוד שעה שהכביסה סיימה"
		out[0] = cutLetters(out[0], 1)
	}
	for k, text := range out {
		if cut, ok := strings.CutPrefix(text, "ול"); ok && k > 0 {
			out[k] = "ל" + cut
		}
	}
	return out, nil
}

// trimTask takes marks and words that say nothing off both ends of a task's text.
func (p *parser) trimTask(list []int) []int {
	if len(list) > 2 && p.is(list[0], "urgent", "important", "high", "דחופ", "דחופה",
		"חשוב", "חשובה", "exactly", "בדיוק") &&
		p.is(list[1], ":", "-") {
		list = list[2:]
	}
	if len(list) > 1 && p.is(list[0], "exactly", "בדיוק") {
		list = list[1:]
	}
	if next, ok := p.dutyAt(list0(list)); ok && len(list) > 2 { // "next week I have to book …, remind me"
		if at := slices.Index(list, next); at > 0 && (!p.hebrewAt(next) || doing(p.tokens[next].text)) {
			list = list[at:]
		}
	}
	if n := len(list); n > 2 && (p.is(list[n-1], "date") && p.is(list[n-2], "due") || p.is(list[n-1], "יעד", "היעד",
		"אחרונ") &&
		p.is(list[n-2], "תאריכ", "מועד")) {
		list = list[:n-2]
	} else if n > 1 && p.isUsed(list[n-1]+1) && p.is(list[n-1], "deadline", "דדליינ") && p.is(list[n-1]-1, ",", "-", ";") {
		list = list[:n-1]
	}
	if n := len(list); n > 1 && p.isUsed(list[n-1]+1) && p.is(list[n-1], "is", "are", "starts", "begins", "leaves") &&
		list[n-1]+1 < len(p.tokens) {
		list = list[:n-1]
	}
	for len(list) > 0 && p.tokens[list[0]].prefix == "" && (p.tokens[list[0]].kind == mark && !p.pictured(list[0]) &&
		!p.is(list[0], "#", "@", "(") ||
		p.is(list[0], "i") && !p.is(list[0]+1, "owe", "promised", "said", "lent", "borrowed", "parked") && len(list) > 1 ||
		p.is(list[0], "to", "that", "about", "the", "a", "an", "and", "of", "for", "on", "me",
			"את", "על", "לי", "כי", "please", "בבקשה") && len(list) > 1) {
		list = list[1:]
	}
	for len(list) > 0 && p.tokens[list[len(list)-1]].prefix == "" && (p.tokens[list[len(list)-1]].kind == mark &&
		!p.pictured(list[len(list)-1]) && !p.is(list[len(list)-1], ")", "%") ||
		p.is(list[len(list)-1], "on", "at", "by", "and", "the", "due", "for", "in", "before", "starting", "עד", "ב", "ל",
			"לתאריכ") && !p.ownParticle(list)) {
		list = list[:len(list)-1]
	}
	return list
}

// timeLeft returns the first of the tokens that looks like a time that was not read; -1 when there is none.
func (p *parser) timeLeft(list []int) int {
	for _, i := range list {
		t := p.tokens[i]
		switch t.kind {
		case clock, isoDate, slashed:
			return i
		case number:
			if t.prefix == "ב" || p.is(i-1, "at", "@", "until", "till", "עד") ||
				p.is(i-1, "and") && i > 1 && p.isUsed(i-2) { // "at 8 and 20"
				return i
			}
		case word:
			if t.possessive {
				continue
			}
			if p.timeWord(i) && !p.isOwn(i) || misspelt(t) || p.often(i) ||
				p.is(i, "יאוחר") || p.is(i, "every", "each", "until", "till", "except", "sometime", "later", "soon", "asap",
				"מתישהו", "מאוחר", "כל") &&
				!p.is(i+1, "the", "of", "ה") && !p.is(i, "כל", "each", "every") {
				return i
			}
			if p.is(i, "every") && p.has(i+1, unitWords) ||
				p.is(i, "כל") && (p.has(i+1, unitWords) || p.has(i+1, weekdayWords)) {
				return i
			}
		}
	}
	return -1
}
