package plan

import (
	"strings"

	"almanac/projections/fold"
)

// action is what the verb of a sentence asks for.
type action uint8

const (
	noAction action = iota
	create
	block  // create that takes whole parts of a day
	add    // create, or invite to an event
	invite // to an event, or create
	move
	postpone
	advance
	extend
	shorten
	rename
	change
	remove // an event, or a person of one
	cancel
	free // whatever is in a time
	find
	show
	where // "when is the …": find, or show
	other // something that is no matter of the calendar
)

// intent is the action and where its verb stands.
type intent struct {
	action   action
	from, to int
	// verbless says that only a title and a time were said.
	verbless bool
}

// verbs returns single words their action; verbPhrases those of several words. The Hebrew forms are imperative, future
// and infinitive of both genders.
var (
	verbs = actions(map[action]string{
		create: "schedule book create plan arrange organize organise reserve setup put insert mark make set new " +
			"קבע קבעי תקבע תקבעי תקבעו לקבוע נקבע נכניס נרשומ נארגנ נתאמ נתכננ " +
			"צור תעשה תעשי צרי תיצור תיצרי ליצור תכניס תכניסי הכנס הכניסי להכניס שימ " +
			"שימי " +
			"תשימ תשימי לשימ תזמנ תזמני לזמנ זמנ תרשומ תרשמי רשומ רשמי לרשומ " +
			"תשבצ תשבצי תשבצו שבצ שבצי לשבצ תארגנ תארגני ארגנ לארגנ תתאמ תתאמי לתאמ תאמ תאמי תכנ תתכננ תתכנני לתכננ",
		block:    "block hold שריינ שרייני תשריינ תשרייני לשריינ חסומ חסמי תחסומ תחסמי לחסומ תשמור תשמרי שמור שמרי לשמור",
		add:      "add נוסיפ הוספ הוסיפ הוסיפי תוסיפ תוסיפי להוסיפ תוסיפו",
		invite:   "invite הזמנ הזמיני תזמינ תזמיני להזמינ",
		move:     "move reschedule shift transfer start הזז הזיזי תזיז תזיזי תזיזו להזיז העבר העבירי תעביר תעבירי להעביר",
		postpone: "push postpone delay defer דחה דחי תדחה תדחי תדחו לדחות עכב תעכב תעכבי לעכב",
		advance:  "advance bring pull הקדמ הקדימי תקדימ תקדימי תקדימו להקדימ",
		extend:   "extend lengthen prolong הארכ האריכי תאריכ תאריכי להאריכ",
		shorten:  "shorten קצר קצרי תקצר תקצרי לקצר",
		rename:   "rename retitle",
		change: "change update edit modify adjust שנה שני תשנה תשני לשנות עדכנ עדכני תעדכנ תעדכני לעדכנ תחליפ תחליפי " +
			"להחליפ החלפ",
		remove: "remove uninvite take הסר הסירי תסיר תסירי להסיר תוריד תורידי הורד הורידי להוריד תוציא תוציאי להוציא",
		cancel: "cancel delete erase drop scrap kill trash מחק מחקי תמחק תמחקי תמחקו למחוק בטל בטלי תבטל תבטלי תבטלו לבטל",
		free:   "clear wipe empty נקה נקי תנקה תנקי לנקות פנה פני תפנה תפני לפנות תרוקנ תרוקני לרוקנ",
		find:   "find search locate lookup חפש חפשי תחפש תחפשי לחפש מצא מצאי תמצא תמצאי למצוא",
		show: "תביא תביאי הביאי תדפיס תדפיסי הדפס הדפיסי תשלוף תשלפי שלוף שלפי show list display view check read open get " +
			"fetch retrieve print see look give הראה הראי תראה תראי להראות הצג הציגי תציג תציגי להציג תקריא תקריאי " +
			"הקרא תגיד תגידי " +
			"לראות תנ תני אמור לדעת",
		other: "remind remember reply send forward wake end stop skip swap switch decline accept confirm duplicate copy " +
			"merge snooze undo restore ping notify note jot play buy order email mail alert translate תזכיר תזכירי להזכיר " +
			"הזכר תזכור תזכרי זכור זכרי תשלח תשלחי שלח שלחי לשלוח " +
			"תסיימ תסיימי תעצור תעצרי תפסיק תפסיקי תדלג תדלגי תשכפל תשכפלי תאשר תאשרי תצטרפ תחזיר תחזירי תודיע תודיעי הודע " +
			"תענה תעני לענות תעיר תעירי תזכורת תכתוב תכתבי כתוב כתבי לכתוב תקנה תנגנ",
	})
	verbPhrases = []struct {
		words  string
		action action
	}{
		{"set up", create}, {"put me down", create}, {"get me down", create},
		{"get me in", create}, {"get us in", create}, {"get us down", create}, {"put us down", create},
		{"sign me up", create},
		{"put down", create}, {"write down", create}, {"jot down", create}, {"note down", create},
		{"set aside", block}, {"put aside", block}, {"keep aside", block}, {"block aside", block}, {"pencil in",
			create}, {"make it", change}, {"get rid of", cancel},
		{"call off", cancel}, {"free up", free}, {"look for", find},
		{"look up", find}, {"pull up", show}, {"bring up", show}, {"look at", show}, {"give me", show}, {"tell me", show},
		{"block out", block},
		{"block off", block}, {"new event", create},
		{"set an alarm", other}, {"set a timer", other}, {"set alarm", other}, {"search for", find}, {"clear out", free},
		{"push back", postpone}, {"get me", show},
		{"תקבע מחדש", move}, {"תקבעי מחדש", move}, {"קבע מחדש", move}, {"לקבוע מחדש", move}, {"תתאמ מחדש", move},
		{"bring forward", advance}, {"take off", remove}, {"shopping list", other},
	}
	// opening are the words that say nothing before the verb.
	opening = setOfWords(
		"there maybe perhaps אולי please kindly hey hi hello ok okay so well also just could can would will you we i i'd " +
			"i'm id like want need to let's let us have a go ahead and now then dear assistant " +
			"almanac for on in at the my calendar , . ! : - " +
			"בבקשה היי הי שלומ אז אוקיי אפשר אתה את יכול יכולה תוכל תוכלי אני רוצה צריכ צריכה מבקש מבקשת אשמח אמ_אפשר בוא " +
			"בואי " +
			"נא גמ רק עכשיו בא לי רציתי צריכימ לי חייב חייבת חייבימ מוכרח מוכרחה אנחנו כדאי")
)

func actions(words map[action]string) map[string]action {
	out := map[string]action{}
	for a, list := range words {
		for text := range strings.FieldsSeq(list) {
			out[fold.Text(text)] = a
		}
	}
	return out
}

// verbAt finds a verb at token i.
func (p *parser) verbAt(i int) (action, int) {
	for _, phrase := range verbPhrases {
		if p.phrase(i, phrase.words) {
			return phrase.action, i + strings.Count(phrase.words, " ") + 1
		}
	}
	text := p.wordAt(i)
	if text == "drop" && (p.is(i+1, "off", "by", "in", "out") ||
		p.is(i+1, "the", "my", "our") && p.is(i+2, "kids", "children", "boys", "girls", "car", "dog",
			"baby")) || text == "change" && p.is(i+1, "of") {
		return noAction, i // "drop off the car", "change of tyres"
	}
	if a, ok := verbs[text]; ok {
		return a, i + 1
	}
	if one, ok := strings.CutSuffix(text, "ו"); ok && commanding(one) { // "תעבירו"
		return verbs[one], i + 1
	}
	if rest, ok := strings.CutPrefix(text, "ש"); ok && commanding(rest) { // "אשמח שתקבע לי"
		return verbs[rest], i + 1
	}
	return noAction, i
}

func (p *parser) phrase(i int, words string) bool {
	for w := range strings.FieldsSeq(words) {
		if !p.is(i, w) {
			return false
		}
		i++
	}
	return true
}

// intent finds what the sentence asks for, by its first words; polite words and times before the verb are passed over.
func (p *parser) intent() (intent, error) {
	if len(p.tokens) == 0 {
		return intent{}, p.refusal(NotAnInstruction, "", noInstruction, 0, 0)
	}
	if i, ok := p.negated(); ok {
		return intent{}, p.refusal(NotAnInstruction, "", notTold, i, len(p.tokens))
	}
	defer func() { p.items = nil }()
	for i := 0; i < len(p.tokens); {
		if act, next := p.question(i); act != noAction {
			return intent{action: act, from: i, to: next}, nil
		}
		if act, next := p.verbAt(i); act != noAction && (next > i+1 || !p.noun(i, next)) && !p.possessed(i) {
			if act == other {
				return intent{}, p.refusal(Unsupported, "", otherThing, i, len(p.tokens))
			}
			return p.settled(intent{action: act, from: i, to: next})
		}
		if p.pictured(i) {
			i++
			continue
		}
		if p.tokens[i].kind != quote && p.tokens[i].kind != address {
			if it, ok := p.itemAt(i); ok {
				p.items = append(p.items, it)
				i = it.to
				continue
			}
			if p.greeting(i) {
				i += 2
				p.head = i
				continue
			}
			if opening[p.tokens[i].text] && p.tokens[i].prefix == "" &&
				!(p.is(i, "on") && p.is(i+1, "call", "duty", "shift", "leave", "vacation", "holiday")) {
				i++
				p.head = i
				continue
			}
		}
		break
	}
	p.failed = nil
	return p.without()
}

// possessed reports whether a word that may be a verb is what somebody has: "I have reserve duty", "we have book club".
func (p *parser) possessed(i int) bool {
	return p.is(i-1, "have") && p.is(i-2, "i", "we", "you", "they") || p.is(i-1, "got") && p.is(i-2, "i've", "we've")
}

// greeting finds "good morning", "ערב טוב".
func (p *parser) greeting(i int) bool {
	return p.is(i, "good") && p.is(i+1, "morning", "afternoon", "evening", "night", "day") ||
		p.is(i, "בוקר", "ערב", "לילה", "יומ", "צהריימ", "שבוע") && p.is(i+1, "טוב", "טובימ")
}

// noun reports whether a word that may be a verb is a name here: "Book club", "Set list", "Plan review" before a time.
func (p *parser) noun(i, next int) bool {
	switch p.tokens[i].text {
	case "book":
		return p.is(next, "club", "fair", "launch", "reading")
	case "end", "stop", "skip", "swap", "switch", "decline", "accept", "confirm", "duplicate", "copy", "merge", "snooze",
		"undo", "restore":
		return !p.is(next, "the", "my", "our", "all", "this", "that") && !(next < len(p.tokens) && p.tokens[next].possessive)
	case "reserve": // who is called up
		return p.is(next, "duty", "duties", "service", "training", "officer")
	case "shift": // what one works
		it, timed := p.itemAt(next)
		p.failed = nil
		return next == len(p.tokens) || timed && !p.tokens[it.to-1].possessive || p.is(next, "at", "in", "with",
			"from", "on", "for", "starts", "ends", ",", "-")
	case "take":
		return !p.wordsHave("off")
	case "move":
		return p.is(next, "in", "out") && !p.is(next+1, "the", "my")
	case "start":
		return !p.is(next, "the", "my", "our")
	case "see":
		return p.is(next, "you", "ya", "u")
	case "open":
		return p.is(next, "house", "day", "mic", "evening", "studio", "night")
	case "list", "plan", "order", "note", "mail", "email", "read", "check", "play", "buy", "pay", "view", "mark":
		return false
	case "remove":
		return p.is(next, "stains")
	case "new":
		return p.is(next, "year", "york", "zealand", "hire", "hires", "moon")
	case "זמנ":
		return p.has(next, freeish) || p.is(next, "של", "עד", "ל")
	case "שני", "תנ":
		return !p.is(next, "לי", "לנו", "את")
	}

	return false
}

// settled distinguishes the meanings of one verb by what follows it.
func (p *parser) settled(in intent) (intent, error) {
	object := in.to
	for p.is(object, "me", "a", "an", "the", "my", "our", "all", "of", "any", "new", "new", "up", "out", "לי", "לנו", "את",
		"כל", "another", "some", ":", "please", "בבקשה") {
		object++
	}
	// "תרשום שהקוד הוא…"
	note := p.has(in.from, noting) && p.hebrewAt(object) && startsWithAny(p.tokens[object].text, "שה")
	if note || p.otherNoun(object) || p.otherList(in.to) {
		return in, p.refusal(Unsupported, "", otherThing, in.from, len(p.tokens))
	}
	switch text := p.tokens[in.from].text; {
	case text == "get" && p.is(in.to, "a", "an") && p.is(in.from-1, "we", "let's"):
		in.action = create
	case text == "make" && !p.is(in.to, "a", "an", "new", "appointment", "reservation", "reservations"):
		in.action = change
	case text == "set" && in.to == in.from+1 &&
		(p.is(in.to, "the", "my", "our") || p.wordsHave("to") && !p.is(in.to, "a", "an")):
		in.action = change
	case text == "put" && p.putsAway(in.from):
		return in, p.refusal(Unsupported, "", otherThing, in.from, len(p.tokens))
	case in.action == invite && p.hebrewAt(in.from) && !startsWithAny(text, "ל") && p.ordersGoods(in.to):
		return in, p.refusal(Unsupported, "", otherThing, in.from, len(p.tokens))
	case (text == "תנ" || text == "תני") && !p.is(in.to, "לי", "לנו"):
		return p.without()
	}
	return in, nil
}

// ordersGoods reports whether the Hebrew verb that invites and orders is followed by what is bought, not by people
// (behind "את"), an event or a place that is reserved: "תזמין לי פיצה לשמונה", "תזמין מונית לשבע".
func (p *parser) ordersGoods(i int) bool {
	for p.is(i, "לי", "לנו", "בבקשה") {
		i++
	}
	if i >= len(p.tokens) || p.is(i, "את", "גמ") || p.tokens[i].kind != word || !p.tokens[i].hebrew {
		return false
	}
	if _, timed := p.itemAt(i); timed {
		return false
	}
	return !p.has(i, eventNouns) && !p.has(i, reserved)
}

// reserved are what is booked for a time.
var reserved = setOf("שולחן חדר חדרים אולם מקום מקומות מגרש מלון צימר לימוזינה ספא מסאז' עיסוי מניקור פדיקור " +
	"קוסמטיקאית " +
	"ספר ספרית טכנאי חשמלאי אינסטלטור שרברב רופא רופאה וטרינר מנקה בייביסיטר מורה יועץ יועצת")

// otherNoun reports whether the object of the verb is no event.
func (p *parser) otherNoun(i int) bool {
	_, _, ok := p.look(i, otherNouns)
	if ok && p.is(i+1, "review", "meeting", "cleanup", "session", "call", "planning", "workshop", "force", "sync",
		"training") {
		return false
	}
	return ok || p.is(i, "to") && p.is(i+1, "-") && p.is(i+2, "do")
}

// otherList reports whether something is put on a list: "add milk to my shopping list".
func (p *parser) otherList(i int) bool {
	for ; i < len(p.tokens); i++ {
		if p.is(i, "to", "on", "from") && (p.is(i+1, "my", "the", "our")) &&
			(p.is(i+2, "list", "todo", "tasks", "notes") || p.is(i+3, "list") && !p.used[i+3]) {
			return true
		}
		if _, prefix, ok := p.look(i, listWords); ok &&
			(prefix == "ל" || prefix == "מ" || prefix == "ב" || prefix == "מה" || prefix == "לה") {
			return true
		}
	}
	return false
}

var (
	otherNouns = setOf(
		"task tasks todo todos reminder reminders email emails mail mails note notes memory memories alarm timer message "+
			"messages contact contacts list lists webset",
		"משימה משימות מטלה מטלות תזכורת תזכורות מייל מיילים אימייל אימיילים דוא\"ל הודעה הודעות פתק פתקים רשימה רשימות "+
			"רשימת זיכרון זיכרונות איש_קשר")
	noting    = setOf("תרשום תרשמי רשום רשמי לרשום")
	listWords = setOf("רשימת רשימה רשימות")
)

// negated finds "don't", "do not", "never", "אל".
func (p *parser) negated() (int, bool) {
	for i := range p.tokens {
		if p.is(i, "don't", "dont", "never", "אל", "doesn't", "won't", "can't", "cannot") ||
			p.is(i, "do", "not") && p.is(i+1, "not") {
			return i, true
		}
		if p.is(i, "לא") {
			return i, true
		}
	}
	return 0, false
}

// without settles a sentence that has no verb of a command at its head: a title and a time, or no instruction.
func (p *parser) without() (intent, error) {
	refuse := p.refusal(NotAnInstruction, "", noInstruction, 0, 0)
	begin := 0
	for i := 0; i < p.head; i++ { // "let's have", "can we have"
		if p.is(i, "let", "let's") || p.is(i, "can", "could") && p.is(i+1, "we") {
			begin = p.head
		}
	}
	if i := p.conditional(); i >= 0 && !p.is(i, "or", "או") {
		return intent{}, p.refusal(Unread, "", condition, i, i+1)
	}
	for i, t := range p.tokens {
		if i < begin || t.kind != word || t.prefix != "" {
			continue
		}
		if statements[t.text] || i == p.head && chat[t.text] {
			return intent{}, refuse
		}
		if _, _, plural := p.look(i, stated); plural && t.hebrew {
			return intent{}, refuse
		}
	}
	for i, t := range p.tokens {
		if t.kind == word && t.hebrew && i > begin && commanding(t.text) && !p.is(0, "את") {
			return intent{}, p.refusal(Unread, "", unreadPart, i, len(p.tokens))
		}
	}
	if act, at := p.verbBehind(); act != noAction {
		return intent{action: act, from: at, to: at + 1}, nil
	}
	if p.is(len(p.tokens)-1, "?") {
		return intent{}, refuse
	}
	if p.otherNoun(0) {
		return intent{}, p.refusal(Unsupported, "", otherThing, 0, 1)
	}
	return intent{action: create, verbless: true}, nil
}

// verbBehind finds a Hebrew verb behind its object: "את הפגישה עם דנה תבטל".
func (p *parser) verbBehind() (action, int) {
	if !p.is(0, "את") {
		return noAction, 0
	}
	for i := range p.tokens {
		if a, ok := verbs[p.wordAt(i)]; ok && i > 0 {
			switch a {
			case cancel, move, postpone, advance:
				return a, i
			}
		}
	}
	return noAction, 0
}

// Words of statements and of talk: a sentence that holds one of the first, or begins with one of the second, and no
// command, asks nothing.
var (
	statements = setOfWords(
		"i've we've i'll we'll im ive " +
			"is are was were be been has had have will would me us should shall might may_be does did do i we he she they it " +
			"you i'm we're it's you're your yours what why who how " +
			"moved cancelled canceled postponed thanks thank sorry see love hate likes liked late great maybe " +
			"היה היו הייתה היתה בוטל בוטלה בוטלו נדחה נדחתה הוזז הוזזה אני אתה אנחנו הוא היא המ הנ יש אינ למה מדוע מי תודה " +
			"אולי קבענו נפגשנו זז זזה הוקדמ הוקדמה התבטל התבטלה השתנה השתנתה עבר עברה נקבע נקבעה הסתיימ התחיל התחילה קבעתי " +
			"לי אותי אליי אלי אכלתי הלכתי נתראה עזוב יפה יהיה תהיה יהיו יכול יכולה יכולימ מעדיפ מעדיפה מעדיפימ רוצה רוצימ " +
			"ביקש ביקשה ביקשו מבקש מבקשת אמר אמרה אמרו מעכשיו שינה שינתה העביר העבירה דחה דחתה הקדימ הקדימה ביטל ביטלה " +
			"ביטלו מאחר מאחרת יאחר תאחר wants want asked asks prefers prefer can can't cannot could says said needs " +
			"suggested suggests changed shifted rescheduled pushed")
	chat = setOfWords(
		"hello hi hey thanks thank ok okay yes no sure good great nice never cool remove send swap tell קביעת תיאומ הוספת " +
			"ביטול מחיקת דחיית הזזת העברת שלומ תודה היי אוקיי כנ טוב בסדר מזג ספר ספרי נתראה מה")
	stated = setOf("בוטלה נדחתה הוזזה שלומך")
)
