package plan

import (
	"errors"
	"slices"
	"strings"

	"almanac/projections/when"
)

// byWords reads a question that no other rule has read by its words alone: which matter they speak of, which time they
// name, and what is left to look for. It may be generous, for what it makes only reads, and every answer says what was
// looked for. A request ("can we move it?") and a question about the world are none of it.
//
// A search of the calendar for things to buy or to do gives way to it.
func byWords(text string, at when.Moment, out Plan, err error) (Plan, bool) {
	refusal, ok := errors.AsType[*Refusal](err)
	if ok && refusal.Kind == Contradiction || !ok && out.Tool != ToolSearch {
		return Plan{}, false
	}
	p := newSentence(text, at)
	i := p.lead()
	if !p.asksOnly(i) || p.second(intent{from: i, to: i + 1}) >= 0 ||
		!ok && !(out.Search.Window != nil && newSentence(out.Search.Query, at).onlyRoom(nil)) &&
			!p.aboutItems(i) && !p.aboutDeeds(i, p.askedWords()) && !(out.Search.Window != nil && len(p.askedWords()) > 0 &&
			p.roomFor(p.askedWords())) {
		return Plan{}, false
	}
	for k, t := range p.tokens {
		if t.kind == word && worldly[t.text] && !p.is(k-1, "about", "על") {
			return Plan{}, false
		}
	}
	p.useThanks()
	p.scan()
	p.items = slices.DeleteFunc(p.items, func(it item) bool {
		if it.sort == aLength {
			p.use(it.from, it.to)
		}
		return it.sort == aLength || it.sort == aShift || it.sort == aCount || it.sort == aRepeat || it.sort == aZone
	})
	for _, it := range p.items {
		p.use(it.from, it.to)
	}
	if p.failed != nil {
		return Plan{}, false
	}
	t, wrong := p.collect()
	if wrong != nil {
		return Plan{}, false
	}
	window, wrong := p.window(t, false)
	if wrong != nil {
		return Plan{}, false
	}
	p.useCalendar()
	p.out = Plan{}
	if onlyPart(t) && len(p.askedWords()) > 0 && !p.aboutRoom() {
		window = nil
	}
	if !p.matterByWords(i, window) {
		return Plan{}, false
	}
	p.note(SlotTool, i, i+1)
	return p.finished(), true
}

// asksOnly reports whether the sentence asks, and asks for no favour that would change something.
func (p *parser) asksOnly(i int) bool {
	if i >= len(p.tokens) || !p.asks() {
		return false
	}
	act, _ := p.verbAt(i)
	reads := act == show || act == find || act == where || p.is(i, "tell", "know", "check", "see", "look", "עוד")
	if p.requested(i) && !reads {
		return false
	}
	switch {
	case p.marked():
		return true
	case p.is(i, "know") && !(i+1 < len(p.tokens) && (asking[p.tokens[i+1].text] || p.is(i+1, "if"))):
		return false
	case p.is(i, "אינ"), p.is(i, "let") && p.is(i+1, "me") && p.hasAny("at", "to"):
		return false
	case p.is(i, "do", "does"):
		return !p.is(i+1, "the", "my", "a", "an", "your", "this", "some", "more")
	case p.is(i, "open", "count", "view", "print", "output", "dump", "preview", "brief", "free", "busy", "available",
		"first",
		"next", "query", "explain", "read", "check", "list", "look", "search", "find", "verify", "confirm", "get", "see",
		"משהו", "פנוי", "פנויה", "זמנ", "שעה"):
		return p.is(i+1, "me", "my", "the", "our", "whether", "if", "all", "any", "what", "when", "where", "who", "how",
			"which", "for", "up", "at", "out", "אמ", "מה", "מתי")
	}
	return true
}

// matterByWords chooses the matter that a question is about, and makes its plan.
func (p *parser) matterByWords(i int, window *Window) bool {
	words := p.askedWords()
	for k := range p.tokens { // "ראשון בעשר": a day that was not read
		if p.is(k, "between", "בינ") && !p.used[k] {
			return false
		}
		if _, prefix, day := p.look(k, weekdayWords); day && prefix == "" && !p.used[k] && p.is(k+1, "הבא", "הקרוב") ||
			day && prefix == "" && !p.used[k] && window != nil && p.isUsed(k+1) && p.hebrewAt(k) {
			return false
		}
	}
	if window != nil && len(words) > 0 && p.onlyRoom(words) {
		p.out.Tool, p.out.Schedule = ToolSchedule, window
		if p.aboutRoom() {
			p.out.Ask = &Ask{What: AskFree}
		}
		return true
	}
	content := p.joined(words)
	switch {
	case p.mailByWords(i, window):
	case p.aboutItems(i):
		if len(words) == 0 || len(words) > 4 {
			return false
		}
		p.out.Tool, p.out.List = ToolReadLists, &List{Has: content}
	case p.aboutDeeds(i, words):
		p.out.Tool, p.out.Task = ToolReadTasks, &Task{Search: content, Any: content != "", Window: window}
		if p.out.Task.Any {
			p.out.Task.Window = nil
		}
	case len(words) > 0 && (p.hasKnown(i) && !p.placeOf(i) || p.aboutKnown()):
		p.out.Tool, p.out.Memory = ToolSearchMemories, &Memory{Query: content}
	case len(words) == 0 && window == nil, len(words) > 6:
		return false
	case len(words) == 0 || p.roomFor(words) && window != nil:
		p.out.Tool, p.out.Schedule = ToolSchedule, window
		if p.aboutRoom() {
			p.out.Ask = &Ask{What: AskFree}
		}
	default:
		p.out.Tool, p.out.Search = ToolSearch, &Search{Query: content, Window: window, Any: true}
	}
	if len(words) > 0 {
		p.note(SlotQuery, words[0], words[len(words)-1]+1)
	}
	return true
}

// askedWords are the words that say what a question is about.
func (p *parser) askedWords() []int {
	var out []int
	for k, t := range p.tokens {
		switch {
		case p.used[k], t.kind == mark, t.kind == word && t.prefix == "" && askNoise[t.text], p.has(k, taskNouns),
			p.has(k, listWords), p.has(k, mailNouns), p.has(k, messageNouns), p.is(k, "list", "lists", "calendar", "schedule",
				"diary", "agenda"),
			p.has(k, calendarWords), p.has(k, generalNouns) && !p.constructed(k):
		default:
			out = append(out, k)
		}
	}
	return out
}

// mailByWords makes the plan of a question about e-mails: by its word, or by somebody who writes or sends.
func (p *parser) mailByWords(i int, window *Window) bool {
	writes := -1
	for k := range p.tokens {
		if p.has(k, mailNouns) && !p.is(k-1, "to") || p.has(k, messageNouns) {
			writes = k
		}
		if (p.sends(k) || p.is(k, "say", "said") && p.hasAny("about", "did")) && !p.is(k-1, "i", "we", "to") &&
			!p.hasAny("remind", "list", "ברשימה") {
			mine := false
			for n := i; n < k; n++ {
				mine = mine || p.is(n, "i", "we", "אני", "אנחנו")
			}
			if !mine {
				writes = k
			}
		}
	}
	if writes < 0 {
		return false
	}
	mail := &Mail{Window: window}
	about := -1
	for k := range p.tokens {
		if mailAbout[p.tokens[k].text] && p.tokens[k].prefix == "" {
			about = k
			break
		}
		if p.is(k, "unread", "new", "חדש", "חדשה", "חדשימ", "חדשות") || p.is(k, "נקראו", "קראתי", "שנקראו") {
			mail.Unread = true
		}
	}
	var from, of []int
	for _, k := range p.askedWords() {
		switch {
		case p.sends(k) || mailNoise[p.tokens[k].text] || mailFrom[p.tokens[k].text]:
		case about >= 0 && k > about:
			of = append(of, k)
		default:
			from = append(from, k)
		}
	}
	if len(from) > 4 || len(of) > 6 {
		return false
	}
	mail.From, mail.Text = p.joined(from), p.joined(of)
	p.past = true
	p.out.Tool, p.out.Mail = ToolReadMail, mail
	return true
}

func (p *parser) hasAny(words ...string) bool {
	return slices.ContainsFunc(words, p.wordsHave)
}

// aboutItems reports whether a question is about things to buy or to pack.
func (p *parser) aboutItems(i int) bool {
	for k := range p.tokens {
		if p.has(k, taskNouns) {
			return false
		}
	}
	for k := range p.tokens {
		if p.is(k, "list", "lists", "groceries", "fridge") || p.has(k, listWords) || p.is(k, "buy", "bought", "ticked",
			"crossed", "קנה", "קנתה",
			"קנו", "קנינו", "קניתי", "לקנות") || p.is(k, "run", "running", "ran") && p.wordsHave("out") ||
			p.is(k, "need", "needs") && k+1 < len(p.tokens) && !p.is(k+1, "to") && !p.infinitive(k+1) && k > i {
			return true
		}
		if p.is(k, "צריכ", "צריכה", "צריכימ", "נגמר", "נגמרה", "נגמרו") && k+1 < len(p.tokens) &&
			p.hebrewAt(k+1) && !p.is(k+1, "אני", "אתה", "את", "להיות", "עוד") &&
			!strings.HasPrefix(p.tokens[k+1].text, "ל") && !p.is(k-1, "מתי") {
			return true
		}
	}
	return false
}

// aboutDeeds reports whether a question is about something to do, or that was to be done.
func (p *parser) aboutDeeds(i int, words []int) bool {
	for k, t := range p.tokens {
		if p.has(k, taskNouns) || p.is(k, "due", "deadline", "deadlines", "overdue", "chores", "errands", "דדליינ") {
			return true
		}
		if t.kind != word || t.prefix != "" || len(words) == 0 {
			continue
		}
		last := slices.Max(words) > k
		switch {
		case p.is(k, "to") && last && p.is(k-1, "need", "have", "supposed", "meaning", "meant", "forget", "forgot", "me",
			"got", "ought", "remember", "remembered", "promised", "planning", "plan", "yet", "still", "time") &&
			!p.is(k+1, "have", "be", "meet", "see", "go", "talk"):
			return true
		case p.is(k, "i", "we") && p.is(k-1, "did", "have", "should", "must") && k+1 < len(p.tokens) && last:
			next := k + 1
			for p.is(next, "already", "ever", "really", "even", "just") {
				next++
			}
			verb := p.wordAt(next)
			if deeds[verb] && !planned[verb] || participles[verb] != "" && !planned[participles[verb]] {
				return true
			}
		case t.hebrew && last && !p.is(i, "כדאי") && (doings[t.text] || hebrewInfinitives[t.text] ||
			p.infinitive(k) && p.is(k-1, "צריכ", "צריכה", "אמור", "אמורה", "חייב", "חייבת", "מתכננ", "מתכננת", "משימה", "תזכורת",
				"לי")) && !p.is(k, "להיות", "לצאת", "לישונ", "ללכת") && !p.has(k, eventNouns):
			return true
		case t.hebrew && strings.HasSuffix(t.text, "תי") && len([]rune(t.text)) > 4 && last && !plannedPast[t.text] &&
			!p.is(k-1, "מה", "עמ"):
			return true
		}
	}
	return false
}

// aboutKnown reports whether a question is about what somebody knows.
func (p *parser) aboutKnown() bool {
	for k := range p.tokens {
		if p.is(k, "know", "remember", "noted", "זוכר", "זוכרת", "יודע", "יודעת", "ידוע", "רשמתי", "שמרתי") &&
			!p.is(k-1, "let", "want", "need", "to") && !p.wordsHave("ביומנ") {
			return true
		}
	}
	return false
}

// onlyRoom reports whether some words, or all of the sentence where they are nil, ask about a time as a whole: whether
// it is taken, by whatever.
func (p *parser) onlyRoom(words []int) bool {
	all := words == nil
	if all {
		words = p.askedWords()
	}
	for _, k := range words {
		if p.tokens[k].prefix != "" || !roomWords[p.tokens[k].text] && !p.has(k, freeish) {
			return false
		}
	}
	return len(words) > 0 || all && slices.ContainsFunc(p.tokens, func(t token) bool { return roomWords[t.text] })
}

var roomWords = setOfWords("open around room extra blocking block blocked clash busy done evening evenings afternoon " +
	"afternoons morning mornings nights whole entire without weekday weekdays emptiest busiest quietest lately look " +
	"חוסמ חוסמת התנגשות התנגשויות חפיפה חפיפות מתנגש מתנגשת ערבימ בקרימ רשומ מצפה מחכה עמוס עמוסה ריק ריקה החלונ " +
	"חלונ הכי " +
	"ארוכ מוקדמ לדחופ אצלי חופשי חופשיה להיפגש מסתדר מתאימ נוח תפוס תפוסה עסוק עסוקה")

// roomFor reports whether a question is about free time, and its words name what the time is for: "fit in a haircut",
// "time for coffee", "מקום לתספורת".
func (p *parser) roomFor(words []int) bool {
	if !p.aboutRoom() {
		return false
	}
	for k := words[0] - 1; k >= 0; k-- {
		switch {
		case p.is(k, "a", "an", "in", "another", "the", "my", "hour", "hours", "two", "quick", "long", "for") || p.isUsed(k):
		default:
			return p.is(k, "fit", "squeeze", "room", "time", "space", "work", "works", "slot", "gap", "of", "plans") ||
				p.is(k, "מקומ", "זמנ", "לדחוס", "להכניס", "חלונ", "פנאי") && startsWithAny(p.tokens[words[0]].text, "ל") ||
				p.is(k, "לדחוס", "להכניס")
		}
	}
	return false
}

// aboutRoom reports whether a question is about free time.
func (p *parser) aboutRoom() bool {
	for k := range p.tokens {
		if p.has(k, freeish) || p.is(k, "fit", "squeeze", "room", "work", "works", "gap", "opening", "slot", "plans", "space",
			"sleep", "מקומ", "פנאי", "לדחוס", "להיכנס", "להכניס", "לתפוס", "לישונ", "חלונ") {
			return true
		}
		if p.is(k, "time", "זמנ") && !p.is(k-1, "what", "last", "first", "כמה", "which") {
			return true
		}
	}
	return false
}

var (
	messageNouns = setOf("message messages הודעה הודעות")
	// planned are verbs of what is done to events rather than of things to do.
	planned = setOfWords("book schedule reschedule cancel move postpone meet plan set arrange confirm miss delete " +
		"add put " +
		"invite have see attend change")
	plannedPast = setOfWords("קבעתי ביטלתי דחיתי הזזתי העברתי נפגשתי פספסתי רשמתי הוספתי הייתי הזמנתי הקדמתי שיניתי " +
		"תיאמתי " +
		"החמצתי מחקתי עשיתי קיבלתי ביקשתי")
	// worldly are words of questions that nothing here can answer.
	worldly = setOfWords("weather forecast rain raining temperature joke news capital translate score stock bitcoin " +
		"recipe " +
		"president exchange poem song story traffic מזג תחזית גשם טמפרטורה בדיחה חדשות בירת תרגמ לתרגמ מתכונ שער " +
		"בורסה שיר סיפור ראש_הממשלה פקקימ")
	// askNoise are words that questions have beside what they are about.
	askNoise = setOfWords(
		"what what's whats which who who's whose whom when when's where where's why how how's is isn't are aren't am " +
			"was were " +
			"wasn't do don't does doesn't did didn't has hasn't had have haven't can can't could couldn't should would " +
			"will won't " +
			"shall may might must i i'm i've i'd me my mine we we're we've us our you your it it's its this that these " +
			"those there " +
			"there's he she they them his her their the a an any anything anyone anybody some something someone somebody " +
			"everything everyone nothing all both each other others else more most much many few enough lot " +
			"to of for on in at from with by about into onto over under up down out off as than and or but so if whether " +
			"then now just still already yet ever never again anymore also too even only really actually currently please " +
			"before after until till since during while between right near next last latest first earliest previous upcoming " +
			"coming recent new old long often soon late early later earlier ago same " +
			"get got give show tell let know see find look check list read pull bring print search need needs want wants like " +
			"go going goes come comes came take takes took happen happens happening happened be been being " +
			"make made made makes done doing schedule scheduled planned plan plans set moved changed cancelled canceled " +
			"postponed " +
			"rescheduled deleted removed booked confirmed move change cancel postpone reschedule delete remove book confirm " +
			"day days date dates hour hours time times week weeks month minute minutes left remaining start starts starting " +
			"begin begins end ends ending finish finishes over last lasts clash clashes conflict conflicts overlap overlaps " +
			"overview summary rundown recap busy hectic packed full free available fit squeeze room work works slot gap " +
			"detail details info information supposed meant meaning " +
			"forget forgot remind remember ask asked told bought buy put added add write wrote send sent there's case " +
			"event events meeting meetings appointment appointments thing things item items shopping groceries packing " +
			"ticked crossed checked address place location כתובת הכתובת מקומ possible worth better able attending attend " +
			"invited usually normally every miss missed " +
			"mention mentions mentioned anybody word words talk talking speak say says said mail email message messages " +
			"unread " +
			"מה מהו מהי מי מתי איפה היכנ למה מדוע איכ כמה איזה איזו אילו אלו האמ אמ יש אינ היה הייתה היתה היו יהיה תהיה יהיו " +
			"אני אנחנו אתה את אתמ הוא היא המ הנ לי לנו לכ לו לה להמ שלי שלנו שלכ שלו שלה של על עמ אל עד מ ב ל כ ה ו זה זאת זו " +
			"כל כלומ משהו מישהו דבר דברימ הכל הכול עוד כבר עדיינ רק גמ אולי בבקשה עכשיו שוב פעמ לאחרונה אחרונ אחרונה האחרונ " +
			"האחרונה הבא הבאה הבאימ ראשונ ראשונה הראשונ הראשונה לפני אחרי אחריו אחריה מאז בינ תוכ או אבל כי אז " +
			"צריכ צריכה צריכימ חייב חייבת אמור אמורה אמורימ רוצה יכול יכולה אפשר כדאי איתי אליי אלי אלינו אותי אותנו " +
			"תראה תראי תציג תציגי הצג תגיד תגידי תבדוק תבדקי תמצא תמצאי חפש חפשי תנ תני ספר ספרי תספר תספרי תזכיר תזכירי " +
			"להזכיר " +
			"לדעת לראות לבדוק לעשות להיות נשאר נשארו ימימ יומ שעה שעות זמנ זמנימ תאריכ שבוע פעמימ דקות באותו באותה אותו אותה " +
			"לימימ בימימ ביומנ יומנ לוז פגישה פגישות אירוע אירועימ תור תורימ קבוע קבועה מתוכננ מתוכננת קבעתי ביטלתי דחיתי " +
			"הזזתי העברתי " +
			"רשמתי הוספתי ביקשתי שכחתי הייתי קבע קבעה קבעו הזיזו הזיז הזיזה מחק מחקה מחקו ביטל ביטלה ביטלו העביר העבירה ממכ " +
			"להזיז לבטל לדחות להעביר להקדימ לקבוע מתנגש מתנגשת מתנגשימ התנגשות התנגשויות חופפ חופפימ איפשהו רואה " +
			"קנה קנתה קנו קנינו קניתי לקנות נגמר נגמרה נגמרו ברשימה לרשימה הרשימה רשימה רשימת ברשימת קניות הקניות אריזה " +
			"האריזה רשמ רשמה הוסיפ הוסיפה מתחיל מתחילה נגמרת מסתיימ לוקח נמשכ נמשכת זוכר זוכרת יודע יודעת מגיע מגיעה " +
			"מגיעימ בא " +
			"באה באימ שלח שלחה כתב כתבה ענה ענתה כתוב כתובה הודעה הודעות פרטימ הפרטימ לגבי בנושא בנוגע לתאריכימ בתוקפ נכנס")
)
