package plan

import (
	"slices"
	"strings"
	"time"

	"almanac/graph/model"
	"almanac/projections/rrule"
)

// tasking reads what is asked of tasks and reminders; false when the sentence is about something else.
func (p *parser) tasking() (bool, error) {
	asks := newSentence(p.text, p.at).asks()
	i := p.lead()
	switch {
	case asks:
		return p.askingTasks(i)
	case i >= len(p.tokens):
		return false, nil
	}
	if next, category, ok := p.newInCategory(i); ok {
		return true, p.newTasks(i, next, category)
	}
	if next, ok := p.frameAt(i, newTasks); ok {
		return true, p.newTasks(i, next, "")
	}
	if begin, end, ok := p.putOnTasks(i); ok {
		return true, p.newTasks(begin, end, "")
	}
	if next, ok := p.frameAt(i, duties); ok && next < len(p.tokens) && !p.ofCalendar(next) {
		return true, p.newTasks(i, next, "")
	}
	if next, ok := p.frameAt(i, hebrewDuties); ok && p.infinitive(next) && !p.ofCalendar(next) {
		return true, p.newTasks(i, next, "")
	}
	if next, ok := p.frameAt(i, finished); ok {
		return true, p.completing(i, next)
	}
	if next, ok := p.frameAt(i, haveDone); ok && next+1 < len(p.tokens) {
		if base, past := participles[p.wordAt(next)]; past {
			p.tokens[next].text, p.tokens[next].raw = base, base
			p.renamed = next
			return true, p.completing(i, next)
		}
	}
	if done, ok := p.isDone(i); ok {
		return true, p.completing(i, done)
	}
	if _, ok := p.frameAt(i, marked); ok || p.is(i, "המשימה", "המטלה", "התזכורת") {
		if done, ok := p.asDone(); ok {
			return true, p.completing(i, done)
		}
	}
	return p.onTask(i)
}

// ofCalendar reports whether a duty is a wish for the calendar: "I need to book a dentist on Friday at 9".
func (p *parser) ofCalendar(i int) bool {
	switch act, _ := p.verbAt(i); act {
	case noAction, other, find, show, where:
		return false
	}
	_, err := Read(p.text, p.at)
	return err == nil
}

// taskNouns are words for tasks and reminders; the value 2 is several.
var (
	taskNouns = tableOf(1, "task todo reminder chore to-dos משימה מטלה תזכורת משימת",
		"tasks todos reminders chores משימות מטלות תזכורות")
	newTasks = framesOf(
		"remind me to|about|of|that|:?, remind us to|about|:?, remind me, set|create|add|make|put|schedule|leave|give "+
			"me|me? a|an? "+
			"new? reminder|reminders for|about|to|that|:?, i need a reminder to|about|for, reminder to|about|for|:?",
		"new|another reminder to|about|for|:?, don't let me forget to|about, do not let me forget to|about, never let me "+
			"forget to",
		"don't forget to, do not forget to, make sure i|that, make sure i don't forget to, make sure i remember to, i "+
			"mustn't forget to",
		"i must not forget to, i can't forget to, i should not forget to, i shouldn't forget to, remember to, help me "+
			"remember to",
		"add|create|make|new|open|start|set|enter|log a|an|another|the? new? task|todo|chore "+
			"called|named|to|for|:|that|saying|titled?",
		"add|create|make a|another? new? to - do called|named|to|for|:?, new to - do :?, to - do :, to - do to, to do :, "+
			"todo :?",
		"add|create|make|new|enter|log new? tasks|todos :|for|to?, add|create reminders :|to|for?",
		"task :, task to, tasks :, todos :, note to self to|:?, note to, jot down to, put down to, memo to self to|:?",
		"i want|need to be reminded to|about, i'd like to be reminded to|about, nudge me to|about, ping me to|about|when?",
		"give me a nudge to|about, get me to, wake me",
		"תזכיר|תזכירי|תזכירו|הזכר|הזכירי|להזכיר לי|לנו על|לגבי|בנוגע?, תזכורת|תזכורות על|לגבי|:|-?, "+
			"תן|תני|שים|שימי|קבע|קבעי|תקבע|"+
			"תקבעי|צור|צרי|הוסף|הוסיפי|תוסיף|תוסיפי|תיצור|תיצרי|תגדיר|תגדירי|תשים|תשימי|תכניס|תכניסי|לקבוע|להוסיף|ליצור|תעשה|תעשי לי|לנו? תזכורת|"+
			"תזכורות חדשה? על|לגבי|:?",
		"תוסיף|תוסיפי|הוסף|הוסיפי|צור|צרי|תיצור|תיצרי|תפתח|תפתחי|פתח|פתחי|תרשום|תרשמי|רשום|רשמי|להוסיף|ליצור|לרשום|תכניס|תכניסי|הכנס|תגדיר|"+
			"תגדירי|שים|שימי|תשים|תשימי|לפתוח|תעשה|תעשי לי|לנו? משימה|מטלה|משימות|מטלות חדשה|חדשות|נוספת? :|בשם|-?",
		"משימה|מטלה חדשה|נוספת :|-?, משימה|מטלה :|-, משימות|מטלות :, אל תיתן|תתן|תיתני|תתני לי לשכוח, אל תשכח|תשכחי להזכיר "+
			"לי, שלא אשכח, שלא נשכח",
		"אסור לי לשכוח, לא לשכוח, תדאג|תדאגי שאזכור, תדאג|תדאגי שלא אשכח, אני רוצה תזכורת, אני צריך|צריכה תזכורת",
	)
	duties = framesOf(
		"i need|have|ought to, i've got to, i got to, i gotta, gotta, i must, need to, must, i still need|have to, we "+
			"need|have to",
		"have to")
	hebrewDuties = framesOf(
		"אני? צריך|צריכה|חייב|חייבת|מוכרח|מוכרחה|אמור|אמורה, עליי, עלי, תזכור|תזכרי|זכור|זכרי, תרשום|תרשמי|רשום|רשמי לי?, " +
			"אנחנו? צריכים|חייבים, אני עוד? צריך|צריכה, אסור לשכוח, תוסיף|תוסיפי|הוסף|הוסיפי לי?, אל תשכח|תשכחי, לזכור, צריך, " +
			"תכתוב|תכתבי|כתוב|כתבי לי?")
	finished = framesOf(
		"i finished|completed, i have finished|completed|done, i've finished|completed|done, i'm|im done|finished with, i "+
			"am done|finished with",
		"done|finished with, done :, finished :?, completed :?, i just finished|completed, we finished|completed, i did, "+
			"i've already done",
		"complete the|my? task|todo|reminder?, complete, finish the|my? task|todo, check|tick|cross|strike off, tick",
		"close the|my? task|todo|reminder, i already finished|completed|did, finished, mark off",
		"סיימתי|גמרתי|השלמתי|ביצעתי כבר? עם|את?, עשיתי כבר? את, סיימנו|גמרנו את?, כבר סיימתי|גמרתי|עשיתי את?, "+
			"תסגור|תסגרי|סגור|סגרי את? "+
			"המשימה|המטלה|התזכורת, תשלים|תשלימי|השלם|השלימי את? המשימה|המטלה?, סיים|סיימי את? המשימה|המטלה",
	)
	haveDone = framesOf("i've, i have, i already, i've already|just, i have already|just, i just, i")
	// participles are what people say that they have done, by the verb of the task.
	participles = map[string]string{"paid": "pay", "bought": "buy", "called": "call", "sent": "send", "cleaned": "clean",
		"fixed":     "fix",
		"submitted": "submit", "booked": "book", "returned": "return", "watered": "water", "renewed": "renew",
		"emailed": "email", "mailed": "mail",
		"ordered": "order", "fed": "feed", "washed": "wash", "cancelled": "cancel", "canceled": "cancel", "signed": "sign",
		"posted":   "post",
		"replaced": "replace", "repaired": "repair", "prepared": "prepare", "written": "write", "wrote": "write",
		"filed": "file", "changed": "change",
		"vacuumed": "vacuum", "collected": "collect", "delivered": "deliver", "printed": "print", "reviewed": "review",
		"packed": "pack"}
	marked = framesOf("mark, set, check, tick, cross, סמן|סמני|תסמן|תסמני|לסמן|סמנו, תעדכן|תעדכני|עדכן|תוריד")
	doneAs = framesOf(
		"as? done|complete|completed|finished, off, as checked, is done|complete|completed|finished, has been done|completed",
		"כבוצע|כבוצעה|כהושלם|כהושלמה|כגמור|כגמורה|כסגור|כסגורה|כמבוצע|כמבוצעת|כנעשה|כנעשתה|שבוצע|שבוצעה|כבוצעו|כהושלמו|כסיימתי|בוצעה|בוצע|הושלמה|הושלם|"+
			"הסתיימה|גמורה|כמושלם|כמושלמת|כעשוי|כעשויה|כסיום")
)

// infinitive reports whether a Hebrew infinitive, which begins with ל, stands at i: "לקנות חלב".
func (p *parser) infinitive(i int) bool {
	if !p.hebrewAt(i) || p.tokens[i].prefix != "" || p.has(i, listWords) || p.has(i, taskNouns) ||
		p.has(i, calendarWords) {
		return false
	}
	rest, ok := strings.CutPrefix(p.tokens[i].text, "ל")
	return ok && len([]rune(rest)) >= 3 && !strings.HasPrefix(rest, "ה") || ok && strings.HasPrefix(rest, "ה") &&
		len([]rune(rest)) >= 4 && !p.has(i, listWords) && hebrewInfinitives[p.tokens[i].text]
}

// hebrewInfinitives begin with לה, as nouns with an article do not when a preposition stands before them.
var hebrewInfinitives = setOfWords(
	"להתקשר להזמין להכין להגיש להחזיר להשקות להוציא להביא להחליף להזיז להאכיל להדפיס להוריד להעביר להגיע להתחיל להשלים " +
		"להירשם להיפגש להיכנס להחליט להתכונן להתאמן להתארגן להסתפר להתקלח להתייעץ להעלות להודיע להוסיף להפקיד להפעיל " +
		"להציע להצטרף להקליט להרכיב להשאיר להשיג להשתתף להתחבר להתלבש לההר להסדיר להעיף להראות להפוך להציב להדליק לההתקשר " +
		"להזכיר להתנצל להתעמל להקפיא להפשיר להמשיך להתרים להסיע להקפיץ להחתים לההזמין להמליץ להגיד להאזין לההגיש")

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
	texts, err := p.taskTexts()
	if err != nil {
		return err
	}
	if len(texts) == 0 {
		return p.refusal(Missing, SlotTitle, noTask, begin, len(p.tokens))
	}
	p.out.Task = &Task{}
	if len(texts) > 1 && (!made.Due.IsZero() || made.Repeat != nil) {
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
		case p.is(i, "please", "kindly", "thanks", "cheers", "בבקשה", "תודה"):
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
	left = p.trimTask(left)
	if len(left) == 0 {
		return nil, nil
	}
	if i := p.timeLeft(left); i >= 0 {
		return nil, p.refusal(Unread, SlotStart, unreadPart, i, i+1)
	}
	if len(left) == 1 && p.tokens[left[0]].kind == quote {
		return []string{leading(p.tokens[left[0]].raw)}, nil
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
		case several && p.is(i, ",", ";"), p.is(i, "and") && k+1 < len(left) && p.is(left[k+1], "to", "remind"),
			several && p.is(i, "and") && k > 0:
			flush()
		case k > 0 && p.hebrewAt(i) && strings.HasPrefix(p.tokens[i].text, "ול") && len([]rune(p.tokens[i].text)) > 4 &&
			p.infinitive(left[0]) && (several || hebrewInfinitives[p.tokens[i].text[2:]]):
			flush()
			part = append(part, i)
		default:
			part = append(part, i)
		}
	}
	flush()
	for k, text := range out {
		if cut, ok := strings.CutPrefix(text, "ול"); ok && k > 0 {
			out[k] = "ל" + cut
		}
	}
	return out, nil
}

// listOfDeeds reports whether the parts between commas and "and" each begin with a verb of doing: "water the plants,
// pay the rent and call Dana".
func (p *parser) listOfDeeds(left []int) bool {
	parts, begins := 0, true
	for _, i := range left {
		if p.is(i, ",", "and", ";") {
			begins = true
			continue
		}
		if begins {
			if !deeds[p.tokens[i].text] {
				return false
			}
			parts, begins = parts+1, false
		}
	}
	return parts > 1
}

var deeds = setOfWords(
	"call pay buy send water clean book fix get pick return renew email mail order feed wash cancel sign post replace " +
		"repair " +
		"prepare write file change vacuum collect deliver print review pack take bring ask tell check finish submit text " +
		"walk do make " +
		"schedule update charge drop defrost iron mow empty")

// trimTask takes marks and words that say nothing off both ends of a task's text.
func (p *parser) trimTask(list []int) []int {
	for len(list) > 0 && p.tokens[list[0]].prefix == "" && (p.tokens[list[0]].kind == mark && !p.pictured(list[0]) &&
		!p.is(list[0], "#", "@", "(") ||
		p.is(list[0], "to", "that", "about", "the", "a", "an", "and", "i", "of", "for", "on", "me",
			"את", "על", "לי", "כי", "please", "בבקשה") && len(list) > 1) {
		list = list[1:]
	}
	for len(list) > 0 && p.tokens[list[len(list)-1]].prefix == "" && (p.tokens[list[len(list)-1]].kind == mark &&
		!p.pictured(list[len(list)-1]) && !p.is(list[len(list)-1], ")", "%") ||
		p.is(list[len(list)-1], "on", "at", "by", "and", "the", "due", "for", "in", "before", "starting", "עד", "ב", "ל",
			"לתאריכ")) {
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
			if t.prefix == "ב" || p.is(i-1, "at", "@", "until", "till", "עד") {
				return i
			}
		case word:
			if t.possessive {
				continue
			}
			if p.timeWord(i) && !p.isOwn(i) || misspelt(t) || p.often(i) ||
				p.is(i, "every", "each", "until", "till", "except", "sometime", "later", "soon", "asap", "מתישהו", "מאוחר", "כל") &&
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

// isOwn reports whether a word of time is a part of a length that was left in the text.
func (p *parser) isOwn(i int) bool {
	return p.tokens[i].kind == word && (p.has(i, unitWords) || p.has(i, duals))
}

// asDone finds "as done" at the end of the sentence.
func (p *parser) asDone() (at int, ok bool) {
	for i := range p.tokens {
		next, found := p.frameAt(i, doneAs)
		if !found {
			continue
		}
		rest := next
		for rest < len(p.tokens) && (p.tokens[rest].kind == mark || p.is(rest, "please", "בבקשה", "now", "כבר")) {
			rest++
		}
		if rest == len(p.tokens) {
			p.use(i, len(p.tokens))
			return p.lead() + 1, true
		}
	}
	return 0, false
}

// isDone reads "the laundry is done", "הדוח הושלם": the sentence ends with it and has no verb of a command.
func (p *parser) isDone(i int) (at int, ok bool) {
	if act, _ := p.verbAt(i); act != noAction || p.tokens[i].hebrew {
		return 0, false
	}
	for k := i + 1; k < len(p.tokens); k++ {
		next, found := p.frameAt(k, isDone)
		for found && next < len(p.tokens) && (p.tokens[next].kind == mark || p.is(next, "now")) && !p.is(next, "?") {
			next++
		}
		if found && next == len(p.tokens) {
			p.use(k, next)
			return i, true
		}
	}
	return 0, false
}

var isDone = framesOf("is|are done|finished|complete|completed, has|have been done|finished|completed")

// completing reads which task is done.
func (p *parser) completing(begin, next int) error {
	p.out.Tool = ToolCompleteTask
	if p.is(begin, "המשימה", "המטלה", "התזכורת") {
		next = begin
	}
	p.use(begin, next)
	return p.nameTask(&Task{}, next)
}

// named reads the words that name an open task into the plan.
func (p *parser) nameTask(task *Task, from int) error {
	p.useThanks()
	var left []int
	for i := from; i < len(p.tokens); i++ {
		if p.used[i] {
			continue
		}
		if p.tokens[i].kind == quote {
			task.Text = p.tokens[i].raw
			p.note(SlotTarget, i, i+1)
			p.out.Task = task
			return nil
		}
		left = append(left, i)
	}
	for len(left) > 0 && (p.is(left[0], "the", "my", "our", "that", "this", "a", "task", "todo", "reminder", "chore",
		"called",
		"named", "to", "about", "for", "on", "of", "את", "המשימה", "המטלה", "התזכורת", "משימה", "משימת", "תזכורת", "על",
		"לגבי", "של", "שלי", "בשמ", ":",
		"-", "לי", "עמ") || p.is(left[0], "all")) {
		if p.is(left[0], "all") {
			return p.refusal(Unread, SlotTarget, unreadPart, left[0], left[0]+1)
		}
		left = left[1:]
	}
	left = p.trimTask(left)
	for len(left) > 1 && p.is(left[len(left)-1], "task", "reminder", "todo", "already", "כבר") {
		left = left[:len(left)-1]
	}
	if len(left) == 0 || len(left) == 1 && pronouns[p.tokens[left[0]].text] {
		return p.refusal(Missing, SlotTarget, whichOfTasks, 0, len(p.tokens))
	}
	if p.out.Tool == ToolDeleteTask {
		if i := p.timeLeft(left); i >= 0 {
			return p.refusal(Unread, SlotTarget, unreadPart, i, i+1)
		}
	}
	for _, i := range left {
		if p.is(i, "and") && p.is(i+1, "the", "my") || p.is(i, "ואת") || p.is(i, "except", "but", "חוצ") {
			return p.refusal(Unsupported, SlotTarget, twoThings, i, len(p.tokens))
		}
	}
	task.Text = p.joined(left)
	// "תסמן שהכביסה בוצעה"
	if p.out.Tool == ToolCompleteTask && p.hebrewAt(left[0]) && strings.HasPrefix(p.tokens[left[0]].text, "שה") {
		task.Text = cutLetters(task.Text, 1)
	}
	if p.renamed > 0 && left[0] == p.renamed {
		task.Text = p.tokens[left[0]].raw
		if len(left) > 1 {
			task.Text += " " + p.joined(left[1:])
		}
	}
	p.note(SlotTarget, left[0], left[len(left)-1]+1)
	p.out.Task = task
	return nil
}

// onTask reads what is to become of a task that is named as one: "move the task … to Friday", "delete the reminder …",
// "remove … from my to-do list", "snooze …".
func (p *parser) onTask(i int) (bool, error) {
	act, next := p.verbAt(i)
	if p.is(i, "snooze") || p.has(i, snoozeWords) {
		act, next = postpone, i+1
	}
	noun := -1
	for k := next; k < len(p.tokens); k++ {
		if p.tokens[k].kind == quote || p.used[k] {
			continue
		}
		if value, prefix, ok := p.look(k, taskNouns); ok && value == 1 && (prefix == "" || prefix == "ה") && noun < 0 &&
			(k == next || p.is(k-1, "the", "my", "our", "a", "this", "that", "את", "to", "all") || p.endsName(k)) {
			noun = k
		}
	}
	onList := -1
	for k := next; k < len(p.tokens); k++ {
		if to, ok := p.taskListAt(k); ok && k > next {
			onList = k
			if act == remove || act == cancel {
				p.use(k, to)
			}
			break
		}
	}
	snooze := p.is(i, "snooze") || p.has(i, snoozeWords)
	switch {
	case onList > 0 && (act == remove || act == cancel) || noun >= 0 && (act == remove || act == cancel || act == free):
		if act == free {
			return true, p.refusal(Unsupported, SlotTarget, otherThing, i, len(p.tokens))
		}
		p.out.Tool = ToolDeleteTask
		p.use(i, next)
		return true, p.nameTask(&Task{}, next)
	case (noun >= 0 || snooze) && (act == move || act == postpone || act == advance || act == change || act == rename):
		return true, p.movingTask(i, next, act)
	case noun >= 0:
		return true, p.refusal(Unread, "", unreadPart, i, len(p.tokens))
	}
	return false, nil
}

// endsName reports whether a noun stands behind the name of its thing: "remove the laundry task", "push the dentist
// reminder to Monday".
func (p *parser) endsName(k int) bool {
	if p.tokens[k].hebrew {
		return false
	}
	next := k + 1
	for next < len(p.tokens) && (p.tokens[next].kind == mark || p.is(next, "please")) {
		next++
	}
	if next >= len(p.tokens) {
		return true
	}
	_, timed := p.itemAt(next)
	return p.is(next, "to", "until", "till", "for", "by") && timed
}

var snoozeWords = setOf("נודניק")

// movingTask reads a new time, or a new text, of a task.
func (p *parser) movingTask(i, next int, act action) error {
	p.out.Tool = ToolUpdateTask
	p.use(i, next)
	p.useThanks()
	if act == rename {
		split := -1
		for k := len(p.tokens) - 1; k > next; k-- {
			if p.is(k, "to", "into") || p.tokens[k].prefix == "ל" {
				if split >= 0 {
					return p.refusal(Unread, SlotChange, unreadPart, k, len(p.tokens))
				}
				split = k
			}
		}
		if split < 0 || split+1 >= len(p.tokens) && p.tokens[split].prefix == "" {
			return p.refusal(Missing, SlotChange, noTaskChange, i, next)
		}
		begin := split + btoi(p.tokens[split].prefix == "")
		task := &Task{NewText: leading(p.rawWithout(begin, len(p.tokens), false))}
		p.use(split, len(p.tokens))
		return p.nameTask(task, next)
	}
	p.scan()
	p.ownTimes()
	made := NewTask{}
	var kept []item
	for _, it := range p.items { // "from Monday to Friday": only the new time counts
		if it.role != from {
			kept = append(kept, it)
		}
	}
	if len(kept) != len(p.items) {
		return p.refusal(Unread, SlotChange, unreadPart, next, len(p.tokens))
	}
	for _, it := range p.items {
		p.use(it.from, it.to)
	}
	if p.failed != nil {
		return p.failed
	}
	if err := p.when(&made); err != nil {
		return err
	}
	if made.Repeat != nil {
		return p.refusal(Unsupported, SlotRecurrence, unreadPart, next, len(p.tokens))
	}
	if made.Due.IsZero() {
		return p.refusal(Missing, SlotChange, noTaskChange, i, len(p.tokens))
	}
	for k := range p.tokens {
		if i := k; !p.used[i] && p.timeLeft([]int{i}) >= 0 {
			return p.refusal(Unread, SlotChange, unreadPart, i, i+1)
		}
	}
	return p.nameTask(&Task{Due: made.Due}, next)
}

// askingTasks reads a question about tasks: it names them, or what there is to do.
func (p *parser) askingTasks(i int) (bool, error) {
	about := false
	for k := range p.tokens {
		if p.tokens[k].kind == quote {
			continue
		}
		if p.has(k, taskNouns) || p.is(k, "due") || p.is(k, "to") && p.is(k+1, "-") && p.is(k+2, "do", "dos") {
			about = true
		}
		if _, ok := p.frameAt(k, didDo); ok && !p.is(i, "when", "where") {
			about = true
		}
		if next, ok := p.frameAt(k, toDo); ok {
			about = true
			p.use(k, next)
		}
	}
	search := ""
	// "what do I need to buy?"
	if next, ok := p.frameAt(i, needs); ok && !about && next < len(p.tokens) && !p.calendarNoun() {
		end := next
		for end < len(p.tokens) && p.tokens[end].kind == word {
			if _, timed := p.itemAt(end); timed {
				break
			}
			end++
		}
		if end > next && !p.is(next, "be", "do", "go") {
			about, search = true, p.rawWithout(next, end, false)
			p.use(i, end)
		}
	}
	if !about || p.calendarNoun() {
		return false, nil
	}
	p.out.Tool = ToolReadTasks
	task := &Task{Search: search}
	for k := range p.tokens {
		switch {
		case p.is(k, "overdue", "late", "באיחור", "שעבר", "פג") && (p.is(k, "overdue", "late") || p.is(k, "באיחור")):
			task.Overdue = true
		case p.is(k, "completed", "complete", "finished", "finish", "done", "הושלמו", "שהושלמו", "סיימתי", "השלמתי",
			"שסיימתי", "שהשלמתי", "עשיתי", "בוצעו"):
			task.Completed = true
			p.past = true
		case p.is(k, "many") && p.is(k-1, "how"), p.is(k, "כמה"), p.is(k, "count"):
			p.out.Ask = &Ask{What: AskCount}
		default:
			continue
		}
		p.use(k, k+1)
	}
	p.useThanks()
	for k := range p.tokens { // words about which tasks
		if p.is(k, "about", "regarding", "containing", "mentioning", "על", "לגבי", "בנושא") && !p.used[k] &&
			k+1 < len(p.tokens) {
			p.scan()
			end := k + 1
			for end < len(p.tokens) && p.tokens[end].kind != mark &&
				!slices.ContainsFunc(p.items, func(it item) bool { return it.from == end }) {
				end++
			}
			task.Search = p.rawWithout(k+1, end, false)
			p.use(k, end)
			p.items = nil
			break
		}
	}
	p.scan()
	for _, it := range p.items {
		p.use(it.from, it.to)
	}
	if p.failed != nil {
		return true, p.failed
	}
	t, err := p.collect()
	if err != nil {
		return true, err
	}
	if task.Window, err = p.window(t, false); err != nil {
		return true, err
	}
	for k, token := range p.tokens {
		switch {
		case p.used[k] || token.kind == mark || taskNoise[token.text] && token.prefix == "" || p.has(k, taskNouns):
			continue
		case (p.has(k+1, taskNouns) && !token.hebrew && token.kind == word || p.is(k-1, "in", "under", "category") ||
			p.is(k+1, "category")) && task.Category == "":
			task.Category = tidy(token.raw)
			continue
		}
		return true, p.refusal(Unread, SlotQuery, unreadPart, k, k+1)
	}
	p.out.Task = task
	return true, nil
}

// calendarNoun reports whether the calendar is named beside tasks.
func (p *parser) calendarNoun() bool {
	for i := range p.tokens {
		if p.is(i, "calendar", "agenda", "meeting", "meetings", "event", "events", "appointment", "appointments", "note",
			"notes",
			"mail", "email", "emails", "יומנ", "ביומנ", "פגישה", "פגישות", "אירועימ", "פתק", "פתקימ") {
			return true
		}
	}
	return false
}

var (
	needs = framesOf(
		"what|which do|must|should i|we need|have? to?, what have i|we got to, what must i, מה אני|אנחנו? " +
			"צריך|צריכה|צריכים|חייב|חייבת")
	didDo = framesOf("did i|we complete|finish, did i|we get done, have i|we completed|finished|done, סיימתי|השלמתי")
	toDo  = framesOf(
		"need|have|supposed|got to do, should i do, left to do, to get done, must i do, do i need to do, still to do",
		"צריך|צריכה|צריכים|חייב|חייבת|נשאר|יש לי|לנו? עוד? לעשות")
	taskNoise = setOfWords(
		"what what's whats which show me my the all of a an any do i we have got need to is are on for at list lists tell " +
			"give see " +
			"there in this please can could would you how many current open pending remaining still left due s display view " +
			"check " +
			"read get fetch retrieve and that was were did had category - let know look pull up bring print anything " +
			"everything " +
			"today's tomorrow's next upcoming should coming set now with outstanding out work's about find search want it has " +
			"been " +
			"מה המ מהמ אילו אלו איזה כמה יש לי לנו את כל של שלי שלנו אני תראה תראי תציג תציגי הצג הראה הראי לראות פתוחות " +
			"הפתוחות " +
			"עוד נשאר נשארו צריכ צריכה לעשות ב ל על תנ תני תגיד תגידי האמ הבאות הקרובות קיימות רשימת הרשימה ברשימת רשימה היו " +
			"בקטגוריה קטגוריה קטגוריית לבצע להשלימ הכול הכל בבקשה תבדוק תקריא חפש מצא הנ תביא תזכיר שיש")
)

var (
	noTask       = reason{"What is to be done? Say it, and when if it has a time.", "מה צריך לעשות? אפשר גם לומר מתי."}
	whichOfTasks = reason{"Which task is meant? Say words of it.", "לאיזו משימה הכוונה? אפשר לומר מילים ממנה."}
	noTaskChange = reason{"What should become of the task? Say its new time.", "מה לשנות במשימה? אפשר לומר מועד חדש."}
	whichTask    = reason{"These are several tasks and one time. Say them one at a time.",
		"אלה כמה משימות ומועד אחד. אפשר לומר אותן אחת אחת."}
	noPlaceReminder = reason{"“%s” is no time, and reminders are only given at a time. Say when.",
		"„%s” אינו מועד, ותזכורות ניתנות רק במועד. מתי להזכיר?"}
	whoseTime = reason{
		"“%s” may be when the task is due or a part of it. Say when to be reminded, or put the text between quotation marks.",
		"„%s” יכול להיות המועד של המשימה או חלק ממנה. מתי להזכיר?"}
	hasPassed = reason{"“%s” has passed already. Say which day or hour is meant.",
		"„%s” כבר עבר. לאיזה יום או שעה הכוונה?"}
	taskRepeats = reason{"Tasks repeat daily, weekly or monthly; “%s” cannot be kept. A calendar event can repeat so.",
		"משימות חוזרות מדי יום, שבוע או חודש; „%s” אינו אפשרי. אירוע ביומן יכול לחזור כך."}
)
