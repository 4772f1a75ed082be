package plan

import "strings"

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
		return true, p.dutyTask(i, next)
	}
	if next, ok := p.frameAt(i, hebrewDuties); ok && p.infinitive(next) && !p.ofCalendar(next) &&
		(doing(p.tokens[next].text) || !p.has(i, hebrewPuts) && !p.is(i, "תכתוב", "תכתבי", "כתוב", "כתבי")) {
		return true, p.dutyTask(i, next)
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

// dutyTask reads what somebody needs to do as a task.
func (p *parser) dutyTask(i, next int) error {
	err := p.newTasks(i, next, "")
	if err == nil && p.out.Task != nil && len(p.out.Task.New) == 1 {
		one := &p.out.Task.New[0]
		one.Alters = altered(one.Text)
	}
	return err
}

// altered is what the text of a task would change; empty for one that changes nothing which may be in the calendar.
func altered(text string) string {
	if found := alters().FindStringSubmatch(text); found != nil {
		return strings.TrimSpace(found[1] + found[2])
	}
	return ""
}

var alters = lazily(`^(?i)(?:postpone|move|reschedule|push(?: back| off)?|delay|defer|shift|bring ` +
	`forward|change|cancel|` +
	`call off|extend|shorten|rename|rearrange|rebook|bump|skip|put off|swap|update)(?: the (?:time|date|day|hour) of)? ` +
	`(?:the |my |our )?(.+)$|` +
	`^(?:לדחות|להזיז|להעביר|להקדים|לשנות|לבטל|להאריך|לקצר|לעדכן|לתאם מחדש|לקבוע מחדש)(?: את (?:השעה|המועד|הזמן) של)? ` +
	`(?:את )?(.+)$`)

// putsAway reports whether something is put into or onto something that is no calendar: "put the chicken in the oven",
// "להכניס את העוף לתנור".
func (p *parser) putsAway(i int) bool {
	if !p.is(i, "put", "set", "stick", "להכניס", "לשימ") {
		return false
	}
	for k := i + 1; k+1 < len(p.tokens); k++ {
		if p.is(k, "in", "into", "on", "onto", "under") && p.is(k+1, "the", "my", "our") && !p.isCalendar(k+2) &&
			!p.is(k+2, "calendar", "schedule", "agenda", "diary", "books") {
			if _, timed := p.itemAt(k); !timed {
				return true
			}
		}
	}
	last := i + 3
	if !p.is(i+1, "את") || last >= len(p.tokens) || !p.hebrewAt(last) || p.has(last, calendarWords) {
		return false
	}
	_, timed := p.itemAt(last)
	return !timed && strings.HasPrefix(p.tokens[last].text, "ל")
}

// ofCalendar reports whether a duty is a wish for the calendar: "I need to book a dentist on Friday at 9".
func (p *parser) ofCalendar(i int) bool {
	switch act, _ := p.verbAt(i); act {
	case noAction, other, find, show, where:
		return false
	case create:
		if p.putsAway(i) {
			return false
		}
	}
	_, err := Read(p.text, p.at)
	return err == nil
}

// taskNouns are words for tasks and reminders; the value 2 is several.
var (
	taskNouns = tableOf(1, "task todo reminder chore to-dos משימה מטלה תזכורת משימת",
		"tasks todos reminders chores משימות מטלות תזכורות")
	newTasks = framesOf(
		"tell me to, "+
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
		"give me a nudge to|about, get me to, wake me up?",
		"תזכיר|תזכירי|תזכירו|הזכר|הזכירי|להזכיר לי|לנו על|לגבי|בנוגע?, תזכורת|תזכורות על|לגבי|:|-?, "+
			"תן|תני|שים|שימי|קבע|קבעי|תקבע|"+
			"תקבעי|צור|צרי|הוסף|הוסיפי|תוסיף|תוסיפי|תיצור|תיצרי|תגדיר|תגדירי|תשים|תשימי|תכניס|תכניסי|לקבוע|להוסיף|ליצור|"+
			"תעשה|תעשי לי|לנו? תזכורת|"+
			"תזכורות חדשה? על|לגבי|:?",
		"תוסיף|תוסיפי|הוסף|הוסיפי|צור|צרי|תיצור|תיצרי|תפתח|תפתחי|פתח|פתחי|תרשום|תרשמי|רשום|רשמי|להוסיף|ליצור|לרשום|"+
			"תכניס|תכניסי|הכנס|תגדיר|"+
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
		"packed": "pack", "mowed": "mow", "mown": "mow", "trimmed": "trim", "swept": "sweep", "ironed": "iron",
		"mopped": "mop", "dusted": "dust", "scheduled": "schedule", "downloaded": "download", "uploaded": "upload",
		"installed": "install",
		"charged":   "charge", "copied": "copy", "scanned": "scan", "finalized": "finalize", "drafted": "draft",
		"translated": "translate", "planted": "plant", "painted": "paint", "hung": "hang", "sold": "sell",
		"donated": "donate", "refilled": "refill", "checked": "check", "dropped": "drop", "arranged": "arrange",
		"organized": "organize", "organised": "organise", "updated": "update", "backed": "back"}
	marked = framesOf("mark, set, check, tick, cross, סמן|סמני|תסמן|תסמני|לסמן|סמנו, תעדכן|תעדכני|עדכן|תוריד")
	doneAs = framesOf(
		"as? done|complete|completed|finished, off, as checked, is done|complete|completed|finished, has been done|completed",
		"כבוצע|כבוצעה|כהושלם|כהושלמה|כגמור|כגמורה|כסגור|כסגורה|כמבוצע|כמבוצעת|כנעשה|כנעשתה|שבוצע|שבוצעה|כבוצעו|"+
			"כהושלמו|כסיימתי|בוצעה|בוצע|הושלמה|הושלם|"+
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
		len([]rune(rest)) >= 4 && !p.has(i, listWords) && (hebrewInfinitives[p.tokens[i].text] || doings[p.tokens[i].text] ||
		i+1 < len(p.tokens) && p.is(i-1, "צריכ", "צריכה", "צריכימ", "חייב", "חייבת", "חייבימ", "אמור", "אמורה", "מוכרח",
			"מוכרחה"))
}

// hebrewInfinitives begin with לה, as nouns with an article do not when a preposition stands before them.
var hebrewInfinitives = setOfWords(
	"להתקשר להזמין להכין להגיש להחזיר להשקות להוציא להביא להחליף להזיז להאכיל להדפיס להוריד להעביר להגיע להתחיל להשלים " +
		"להירשם להיפגש להיכנס להחליט להתכונן להתאמן להתארגן להסתפר להתקלח להתייעץ להעלות להודיע להוסיף להפקיד להפעיל " +
		"להציע להצטרף להקליט להרכיב להשאיר להשיג להשתתף להתחבר להתלבש לההר להסדיר להעיף להראות להפוך להציב להדליק לההתקשר " +
		"להזכיר להתנצל להתעמל להקפיא להפשיר להמשיך להתרים להסיע להקפיץ להחתים לההזמין להמליץ להגיד להאזין לההגיש")

// doing reports whether a Hebrew word has the form of an infinitive and is none of the names and nouns that have it
// too: "לחזור", "להירשם", "לקחת", "לכסות". It is asked where no preposition can be meant.
func doing(text string) bool {
	letters := []rune(text)
	n := len(letters)
	if doings[text] || hebrewInfinitives[text] {
		return true
	}
	if n < 4 || letters[0] != 'ל' || lamedNouns[text] {
		return false
	}
	return n > 4 && letters[n-2] == 'ו' && n <= 6 || strings.HasSuffix(text, "ות") && n <= 6 ||
		letters[n-1] == 'ת' && n <= 5 || strings.HasPrefix(text, "להת") && n > 5
}

var lamedNouns = setOfWords("ליאור לירונ לידור לימור לינור ליהונ לונדונ ליסבונ לבנונ לקוח לקוחות לבנות לקניות לאריזה " +
	"ליליות לילות " +
	"לוחות לימוד לפיד לביאה לאות לדלת לסבתות להקות לחשבונ למלונ לבית לשבת לשנת ללאונ לחוות לבנייה ליטוש ליווי לאירועימ " +
	"לרישיונ לחתונה לתור לסיור לחוג לטיול לביקור לשיעור לאימונ לחודש לשבוע לגיל לאור לדור")

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
	if len(left) == 0 || len(left) == 1 && (pronouns[p.tokens[left[0]].text] || generalTasks[p.tokens[left[0]].text]) {
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

// generalTasks name no one task: many begin with them.
var generalTasks = setOfWords("call calls meeting email mail message thing things work stuff errand errands שיחה " +
	"השיחה " +
	"פגישה הפגישה מייל המייל הודעה ההודעה דבר דברימ העבודה")

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
	hasPassed = reason{"“%s” has passed already. Which day or hour is meant?",
		"„%s” כבר עבר. לאיזה יום או שעה הכוונה?"}
	taskRepeats = reason{
		"Tasks repeat daily, weekly or monthly; “%s” cannot be kept. A calendar event can repeat so; which shall it be?",
		"משימות חוזרות מדי יום, שבוע או חודש; „%s” אינו אפשרי. אירוע ביומן יכול לחזור כך; מה מהם?"}
)
