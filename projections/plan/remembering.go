package plan

import "strings"

// remembering reads what is to be kept as a memory, looked for among memories, or erased from them.
func (p *parser) remembering() (bool, error) {
	asks := newSentence(p.text, p.at).asks()
	i := p.lead()
	if i >= len(p.tokens) {
		return false, nil
	}
	if asks {
		return p.recalling(i)
	}
	for _, of := range []struct {
		frames frames
		// letter is a Hebrew letter that begins the content and is no part of it.
		letter string
	}{{keeps, ""}, {hebrewKeeps, "ש"}} {
		next, ok := p.frameAt(i, of.frames)
		if !ok || next >= len(p.tokens) {
			continue
		}
		if of.letter != "" && (p.hebrewAt(next) && ownShin[p.tokens[next].text] || !p.hebrewAt(next) ||
			!strings.HasPrefix(p.tokens[next].text, of.letter) || next+1 >= len(p.tokens)) {
			continue
		}
		return true, p.keeping(i, next, of.letter != "")
	}
	if next, ok := p.frameAt(i, bareKeeps); ok && p.tells(next) {
		return true, p.keeping(i, next, false)
	}
	if next, ok := p.frameAt(i, forgets); ok && next < len(p.tokens) {
		return true, p.forgetting(next)
	}
	if next, ok := p.frameAt(i, hebrewForgets); ok && p.hebrewAt(next) && strings.HasPrefix(p.tokens[next].text, "ש") {
		return true, p.forgetting(next)
	}
	return false, nil
}

// ownShin are Hebrew words whose first letter ש is their own.
var ownShin = setOfWords(
	"שעה שעות שבוע שבועות שיעור שיעורימ שולחנ שמ שמות שיחה שיחות שבת שישי שלישי שני שנה שנימ שניימ שלוש שלושה שש שבע " +
		"שמונה שתיימ " +
		"של שאלה שאלות שיר שירימ שומ שמנ שוקולד שניצל שיחת שיעורי שחייה שיעורנ שחמט שטיפה שטיפת שירות שיפוצ שיפוצימ שבתות " +
		"שליח שליחות שמירה שמירת שקיעה שקד שיר שירה שירלי שרונ שולי שמעונ שאול שגיא שגית שי שיפוצניק שרברב שכנ שכנה שכנימ " +
		"שווארמה שדרוג שולחנות שותפ שותפה שחמ שייט שיווק שיננית שינוי שכר שכירות שלט שמאי שמלה שמש שעונ שער שפה שפת שקט " +
		"שקיות " +
		"שרותימ ששי שתילה שתיה שתייה שוק שוטר שופינג שופט שומר שחקנ שחרור שטיח שידור שיזופ שיטור שיבוצ שיקומ שיתופ שלומ")

var (
	keeps = framesOf(
		"remember that, please? note that, make a note that|:, make a note of the? fact? that, save a? note|memo :|that, "+
			"take a note|memo :|that, add a? note|memo :|that|saying, new? note|memo :, keep in mind that|:, don't "+
			"forget that, "+
			"do not forget that, "+
			"for the record :?, write down that|:, jot down that|:, save this :?, save that, store that, remember this :, "+
			"remember :, "+
			"memorize|memorise that|:?, never forget that, keep a note that|:, bear in mind that, for future reference :?, fyi "+
			":?, create a? note :|that|saying, "+
			"leave a note that|:, log that, store a? note :|that",
		"תשמור|תשמרי|שמור|שמרי|תרשום|תרשמי|רשום|רשמי|תכתוב|תכתבי|כתוב|כתבי|תוסיף|תוסיפי|הוסף|הוסיפי|צור|תיצור|תעשה לי? "+
			"פתק|הערה|פתקית|זיכרון חדש? :|-, "+
			"פתק|הערה|לזכור|תזכורת לעצמי|לרשום :, תזכור|תזכרי|זכור|זכרי :, תרשום|תרשמי|רשום|רשמי לך|לפניך|בפניך :, "+
			"תשמור|תשמרי|שמור|שמרי את? זה? :, לידיעה :")
	hebrewKeeps = framesOf(
		"תזכור|תזכרי|תזכרו|זכור|זכרי|לזכור לי?, תרשום|תרשמי|רשום|רשמי|תכתוב|תכתבי|כתוב|כתבי|לרשום לי|לך|לפניך|לעצמך?, " +
			"תשמור|תשמרי|שמור|שמרי לי?, " +
			"אל תשכח|תשכחי, שים|שימי לב, קח|קחי בחשבון, תרשום|רשום|תכתוב|תשמור פתק|הערה, לידיעתך, דע|דעי, תדע|תדעי, " +
			"תשמור|תרשום בזיכרון")
	bareKeeps = framesOf("remember, note, note|memo to self :?, תזכור|תזכרי|זכור|זכרי את?, תרשום|תרשמי|רשום|רשמי")
	forgets   = framesOf("forget that, forget what i said|told you? about, forget about, forget everything? about, " +
		"delete|remove|erase|drop|forget the|my|all? notes|note|memory|memories about|on|of|that|with|saying, " +
		"delete|remove|erase|forget my note|memory, " +
		"תמחק|תמחקי|מחק|מחקי|למחוק|הסר|תסיר|תשכח|תשכחי|שכח|שכחי את? הפתק|פתק|הזיכרון|הזכרון|הערה|ההערה|הפתקים " +
		"על|של|לגבי|עם|בנושא?, תשכח|תשכחי|שכח|שכחי ממה? שאמרתי? על, תשכח|תשכחי|שכח|שכחי את מה שאמרתי על")
	hebrewForgets = framesOf("תשכח|תשכחי|שכח|שכחי")
)

// tells reports whether what follows says something of something, and is no wish to do anything.
func (p *parser) tells(i int) bool {
	if p.is(i, "to", "when", "what", "the") && p.is(i, "to", "when") || p.infinitive(i) {
		return false
	}
	for k := i + 1; k < len(p.tokens)-1; k++ {
		if p.is(k, "is", "are", "was", "were", "has", "have", "likes", "like", "loves", "hates", "lives", "works", "prefers",
			"=", "costs",
			"הוא", "היא", "המ", "זה", "יש", "אוהב", "אוהבת", "שונא", "שונאת", "גר", "גרה", "אלרגי", "אלרגית") {
			return true
		}
	}
	return false
}

// keeping takes the rest of the sentence, word for word, as what is to be kept.
func (p *parser) keeping(begin, next int, letter bool) error {
	p.out.Tool = ToolStoreMemory
	p.use(begin, next)
	for p.is(next, ":", "-", ",") || p.is(next, "that") {
		next++
	}
	if next >= len(p.tokens) {
		return p.refusal(Missing, SlotTitle, noMemory, begin, len(p.tokens))
	}
	content := strings.TrimRight(tidy(p.text[p.tokens[next].from:]), " ")
	content = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(content, " please"), " בבקשה"), ".")
	if letter {
		content = cutLetters(content, 1)
	}
	if p.tokens[next].kind == quote && next == len(p.tokens)-1 {
		content = p.tokens[next].raw
	}
	if content == "" || next+1 >= len(p.tokens) && p.tokens[next].kind == word && pronouns[p.tokens[next].text] {
		return p.refusal(Missing, SlotTitle, noMemory, begin, len(p.tokens))
	}
	p.note(SlotTitle, next, len(p.tokens))
	p.out.Memory = &Memory{Content: content}
	return nil
}

// forgetting reads what is to be erased; it is always asked about.
func (p *parser) forgetting(next int) error {
	p.out.Tool = ToolDeleteMemory
	p.useThanks()
	for p.is(next, "the", "my", "that", "about", ":") {
		next++
	}
	end := len(p.tokens)
	for end > next && p.used[end-1] {
		end--
	}
	if next >= end || next+1 == end && p.tokens[next].kind == word && pronouns[p.tokens[next].text] {
		return p.refusal(Missing, SlotTarget, whichMemory, 0, len(p.tokens))
	}
	text := p.rawWithout(next, end, false)
	if t := p.tokens[next]; t.hebrew && strings.HasPrefix(t.text, "ש") && p.is(next-1, "תשכח", "תשכחי", "שכח", "שכחי") {
		text = cutLetters(text, 1)
	}
	p.note(SlotTarget, next, end)
	p.out.Memory = &Memory{Query: text}
	return nil
}

var (
	recalls = framesOf(
		"what do|did|else|all|can i|we|you know|remember|note|noted|write|wrote|save|saved|say|tell|told you? down|me? "+
			"about|on|of|regarding|for, what do you have on|about, "+
			"what have i|we noted|saved|written|told you? down? about|on, do you know|remember what|where|who|when|which|how?, "+
			"what did i tell you about, is there anything|something i|you know|remember about|on, tell me what you have "+
			"on|about, "+
			"tell me about, tell me what|everything|all you|i know|remember|noted about|on, "+
			"search|find|look|check|show|read|get|fetch|pull through|in|up|me|for? my|the|all? notes|note|memories|memory "+
			"for|about|on|regarding|with|mentioning, show|read|list|get|find me? my|the|all notes|memories|note, remind me "+
			"what i|we know|noted|said|wrote about, "+
			"any|do i have any notes|note|memories about|on|regarding|for, do i have a note about|on|for, is there a note "+
			"about|on, what's in my notes about|on, what is in my notes about|on, "+
			"what do my notes say about|on, have i noted anything? about|on, anything about, what did i note about|on, what "+
			"notes do i have about|on|for?, "+
			"what was it about, do i know anything? about, recall what i? said|noted? about?",
		"מה אני|אנחנו|אתה|את יודע|יודעת|יודעים|זוכר|זוכרת על|לגבי, מה רשמתי|כתבתי|שמרתי|אמרתי|סיפרתי|ציינתי|רשמנו לך? "+
			"על|לגבי|בנושא, מה ידוע לי|לנו|לך על|לגבי, "+
			"מה יש לי על|לגבי, תזכיר|תזכירי לי מה רשמתי|אמרתי|שמרתי|אני|ידוע יודע|יודעת|לי? על|לגבי, "+
			"חפש|חפשי|תחפש|תחפשי|מצא|מצאי|תמצא|תמצאי|תראה|תראי|הצג|הראה|תבדוק|תקרא לי? את? "+
			"בפתקים|בזיכרון|בזכרון|בהערות|פתקים|פתק|זיכרונות|הפתקים|הפתק שלי? על|לגבי|בנושא|עם?, יש לי? פתק|פתקים|הערה|משהו "+
			"רשום? על|לגבי, אילו|איזה פתקים יש? לי? על|לגבי?, ספר|ספרי|תספר|תספרי לי על, מה כתוב לי? בפתקים? על, "+
			"תגיד|תגידי לי מה אני|אתה|את יודע|יודעת על|לגבי, אתה|את זוכר|זוכרת מה|איפה|מתי|מי|את?, מה הפתקים? שלי? על")
	// whereIs are questions after things that people put somewhere.
	whereIs = framesOf("where did i|we, where have i, where do i|we keep, where's my|the, where is|are my|the, איפה, היכן")
	placed  = setOfWords(
		"put park parked leave left hide hid store stored keep kept save saved keys key passport spare wallet glasses " +
			"remote " +
			"charger car חניתי שמתי השארתי הנחתי החבאתי שמרתי המפתח המפתחות הדרכונ הארנק המשקפיימ האוטו המטענ החניה")
	// known are things that people keep in memory, and no event has.
	known = setOfWords(
		"password passcode code pin wifi wi-fi combination iban account license licence size address number " +
			"allergy allergic favorite favourite name phone serial size shoe vin policy username login recipe " +
			"סיסמה סיסמא סיסמת הסיסמה הסיסמא קוד הקוד קודנ מידה המידה מידת כתובת הכתובת מספר המספר טלפונ " +
			"הטלפונ רישוי פינ הפינ " +
			"וויי-פיי אלרגי אלרגית אהוב אהובה האהוב האהובה")
	knownAsks = framesOf(
		"what's, what is|was|are|were, whats, what, which, who is|was, who's, do you know|remember|have, tell me, give me, " +
			"get me, show me, look up, how big|tall|old is, " +
			"what size|kind|brand|color|colour, whose, remind me what, can you tell me, מה, מהי, מהו, מי, למי, איזה, איזו, " +
			"תגיד|תגידי לי מה?, תן|תני לי, תזכיר|תזכירי לי מה, תמצא|תמצאי לי?, חפש|חפשי")
)

// recalling reads a question that memories may answer.
func (p *parser) recalling(i int) (bool, error) {
	p.useThanks()
	if p.calendarWordsHere() {
		return false, nil
	}
	next, ok := p.frameAt(i, recalls)
	if ok && next < len(p.tokens) && p.is(i, "tell", "anything", "do", "ספר", "ספרי", "תספר", "תספרי") &&
		!p.hasKnown(next) &&
		(p.is(next, "my", "the") || p.has(next, taskNouns)) && p.cue(next) {
		return false, nil
	}
	if !ok {
		if k, found := p.frameAt(i, whereIs); found {
			for n := k; n < len(p.tokens); n++ {
				if placed[p.tokens[n].text] {
					next, ok = k, true
				}
			}
		}
	}
	if !ok {
		if k, found := p.frameAt(i, knownAsks); found && p.hasKnown(i) && !p.placeOf(i) {
			next, ok = k, true
		}
	}
	if !ok {
		return false, nil
	}
	p.out.Tool = ToolSearchMemories
	begin := next
	for p.is(next, "the", "my", "our", "a", "an", "is", "are", "was", "about", "that", "what", "of", "did", "do", "for",
		"i", ":", "את", "על", "זה") && next+1 < len(p.tokens) {
		next++
	}
	end := len(p.tokens)
	for end > next && (p.used[end-1] || p.tokens[end-1].kind == mark ||
		p.is(end-1, "is", "are", "שלי", "was", "again", "שוב")) {
		end--
	}
	if next >= end {
		if begin >= end || p.is(i, "show", "read", "list", "get", "find", "תראה", "תראי", "הצג", "הראה") { // all notes
			return true, p.refusal(Missing, SlotQuery, noQuery, i, len(p.tokens))
		}
		next = begin
	}
	text := p.rawWithout(next, end, false)
	if t := p.tokens[next]; t.hebrew && strings.HasPrefix(t.text, "ה") && t.prefix == "" && known[t.text] {
		text = cutLetters(text, 1)
	}
	p.note(SlotQuery, next, end)
	p.out.Memory = &Memory{Query: text}
	return true, nil
}

func (p *parser) hasKnown(i int) bool {
	for ; i < len(p.tokens); i++ {
		if known[p.tokens[i].text] {
			return true
		}
	}
	return false
}

// placeOf reports whether the address of something is asked for, which an event may have as well.
func (p *parser) placeOf(i int) bool {
	for ; i+1 < len(p.tokens); i++ {
		if p.is(i, "address", "כתובת", "הכתובת") && p.is(i+1, "for", "of", "של") {
			return true
		}
	}
	return false
}

// calendarWordsHere reports whether the sentence names the calendar, tasks, lists or mail, or a time.
func (p *parser) calendarWordsHere() bool {
	for i := range p.tokens {
		if p.is(i, "calendar", "meeting", "meetings", "appointment", "appointments", "event", "events", "mail", "email",
			"emails", "inbox", "free",
			"מייל", "מיילימ", "יומנ", "פגישה", "פגישות", "תור", "אירועימ", "מתי", "when", "schedule") {
			return true
		}
	}
	return false
}

var (
	noMemory    = reason{"What is to be remembered?", "מה לזכור?"}
	whichMemory = reason{"Which memory is meant? Say words of it.", "לאיזה פתק הכוונה? אפשר לומר מילים ממנו."}
)
