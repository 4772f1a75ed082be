package plan

import "slices"

// askingTasks reads a question about tasks: it names them, or what there is to do.
func (p *parser) askingTasks(i int) (bool, error) {
	about := false
	for k := range p.tokens {
		if p.tokens[k].kind == quote {
			continue
		}
		if p.has(k, taskNouns) || p.is(k, "due", "deadline", "deadlines", "chores", "errands") ||
			p.has(k, deadlines) || p.is(k, "to") && p.is(k+1, "-") && p.is(k+2, "do", "dos") {
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
		switch {
		case p.is(next, "finish", "complete", "accomplish", "להספיק", "לסיימ", "להשלימ", "להיגמר", "לגמור", "להיעשות") ||
			p.is(next, "get") && p.is(next+1, "done", "finished"):
			about = true
			p.use(i, end)
		case end > next && !p.is(next, "be", "do", "go"):
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
		case p.is(k, "finish", "complete", "accomplish") && p.is(k-1, "to", "must", "i", "we") && !p.past: // to be done yet
		case p.is(k, "done", "finished", "completed") && p.is(k-1, "get", "be", "getting", "not", "isn't", "aren't"):
			p.use(k-1, k)
		case p.is(k, "miss", "missed", "פספסתי", "החמצתי"):
			task.Overdue = true
		case p.is(k, "overdue", "late", "באיחור", "שעבר", "פג") && (p.is(k, "overdue", "late") || p.is(k, "באיחור")):
			task.Overdue = true
		case p.is(k, "completed", "complete", "finished", "finish", "done", "הושלמו", "שהושלמו", "סיימתי", "השלמתי",
			"שסיימתי", "שהשלמתי", "עשיתי", "בוצעו"):
			task.Completed = true
			p.past = true
		case p.is(k, "date", "deadline", "due", "תאריכ", "מועד", "דדליינ") && k > 0 &&
			p.hasAny("no", "without", "בלי", "ללא", "אינ"):
			task.Undated = true
			for n := range k {
				if p.is(n, "no", "without", "with", "have", "בלי", "ללא", "אינ", "a", "due", "לאילו") {
					p.use(n, n+1)
				}
			}
			p.use(k, k+1+btoi(p.is(k+1, "date", "יעד")))
		case p.is(k, "many") && p.is(k-1, "how"), p.is(k, "כמה"), p.is(k, "count"):
			p.out.Ask = &Ask{What: AskCount}
		default:
			continue
		}
		p.use(k, k+1)
	}
	p.useThanks()
	for k := range p.tokens { // words about which tasks
		if !p.is(k, "about", "regarding", "containing", "mentioning", "על", "לגבי", "בנושא") || p.used[k] ||
			k+1 == len(p.tokens) {
			continue
		}
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
	if due := t.day; task.Window != nil && due != nil && (due.role == by || due.role == until) && !p.past {
		task.Window.From = wall(p.today(), 0, p.now.Location()) // "by Friday" is from now on
	}
	for k, token := range p.tokens {
		switch {
		case p.is(k, "deadline", "deadlines", "chores", "errands") || p.has(k, deadlines):
			continue
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

var deadlines = setOf("דדליין דדליינים")

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
		"need|have|supposed|got to do, anything|something|much|things|stuff|lots to do, should i do, left to do, to get "+
			"done, must i do, do i need to do, still to do",
		"צריך|צריכה|צריכים|חייב|חייבת|נשאר|יש לי|לנו? עוד? לעשות")
	taskNoise = setOfWords(
		"most urgent pressing earliest did הכי דחופ דחופה what what's whats which show me my the all of a an any do i " +
			"we have got need to is are on for at list lists tell " +
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
