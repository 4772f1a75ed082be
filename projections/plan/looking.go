package plan

import (
	"slices"
	"strings"

	"almanac/projections/when"
)

// looking builds the plans that change nothing: read, schedule and search.
func (p *parser) looking(in intent) error {
	times, err := p.collect()
	if err != nil {
		return err
	}
	window, err := p.window(times, false)
	if err != nil {
		return err
	}
	free := false
	for i := range p.tokens {
		free = free || p.is(i, "free", "busy", "available", "booked") || p.has(i, freeWords)
	}
	var words []int
	words = p.queryWords(in)
	if free {
		for _, i := range words { // "free for lunch on Tuesday": what for does not matter
			if !p.has(i, freeish) && !p.has(i, meals) && !p.has(i, eventNouns) && !p.has(i, unitWords) &&
				!p.is(i, "ארוחת", "פגישה", "either", "both",
					"open", "slots", "slot") && !freeAskWords[p.tokens[i].text] {
				return p.refusal(Unread, SlotQuery, unreadPart, i, i+1)
			}
		}
		words = nil
	}
	if window != nil && window.From.Before(p.now) && p.now.Before(window.To) && p.leftOver() {
		window.From = p.now
	}
	if p.is(in.from, "tell", "give", "get") && window == nil && !p.cue(in.to) {
		return p.refusal(NotAnInstruction, "", noInstruction, 0, 0)
	}
	switch {
	case len(words) > 0:
		if onlyPart(times) { // "is the eye doctor in the morning": of whichever day
			window = nil
		}
		return p.searching(words, window)
	case in.action == find || in.action == where:
		return p.refusal(Missing, SlotQuery, noQuery, in.from, in.to)
	case window == nil && p.ownDay():
		here, today := p.now.Location(), p.today()
		p.out.Tool, p.out.Schedule = ToolSchedule, &Window{From: when.StartOfDate(today, here).In(here),
			To: when.StartOfDate(today.AddDays(1), here).In(here)}
		p.defaulted(SlotDate)
	case window == nil:
		p.out.Tool, p.out.Read = ToolRead, &Window{From: p.now, To: p.now.AddDate(0, 0, 7)}
		p.defaulted(SlotWindow)
	default:
		p.out.Tool, p.out.Schedule = ToolSchedule, window
	}
	p.note(SlotTool, in.from, max(in.to, in.from+1))
	return nil
}

// ownDay reports whether a day is asked for that is not said, which is today: "what does my day look like".
func (p *parser) ownDay() bool {
	for i := range p.tokens {
		if p.is(i, "day") && p.is(i-1, "my", "our", "the") {
			return true
		}
	}
	return false
}

// onlyPart reports whether of a time only a part of some day was said.
func onlyPart(t times) bool {
	return t.part != nil && t.day == nil && t.hour == nil && t.period == nil && t.repeat == nil && t.allDay == nil
}

// leftOver reports whether only what is still to come is asked for: "what's left today".
func (p *parser) leftOver() bool {
	for i := range p.tokens {
		if p.is(i, "left", "remaining", "נשאר", "נשארו", "נשארה", "נותר", "נותרו", "נותרה") {
			return true
		}
	}
	return false
}

// queryWords returns the tokens that are to be looked for, general words left out.
func (p *parser) queryWords(in intent) []int {
	for i := range p.tokens {
		if p.tokens[i].kind == quote && !p.used[i] {
			return []int{i}
		}
	}
	noise := lookNoise
	searches := in.action == find || in.action == where
	var words, general []int
	for i, t := range p.tokens {
		switch {
		case p.used[i] || i >= in.from && i < in.to || i < p.head || t.kind == mark:
		case t.prefix == "" && noise[t.text]:
		case p.has(i, generalNouns) && len(words) == 0 && !p.constructed(i):
			general = append(general, i)
		case p.has(i, lookGeneral) && !searches:
		default:
			words = append(words, i)
		}
	}
	for len(words) > 0 && p.is(words[0], "של") {
		words = words[1:]
	}
	for len(words) > 0 && p.is(words[len(words)-1], "של") {
		words = words[:len(words)-1]
	}
	if searches && len(words) == 0 && len(general) > 0 {
		return general[:1]
	}
	return words
}

// constructed reports whether a general Hebrew noun needs what follows it: "תור לרופא", "ישיבת הצוות".
func (p *parser) constructed(i int) bool {
	next := i + 1
	for p.is(next, "שלי", "הבא", "הבאה", "האחרונ") {
		next++
	}
	if next >= len(p.tokens) || p.used[next] || !p.tokens[i].hebrew || p.tokens[next].kind != word {
		return false
	}
	return strings.HasPrefix(p.tokens[next].text, "ל") && p.has(i, setOfTurn)
}

var (
	setOfTurn    = setOf("תור פגישה")
	generalNouns = table{"meeting": 1, "meetings": 2, "event": 1, "events": 2, "appointment": 1, "appointments": 2,
		"פגישה": 1, "פגישות": 2, "אירוע": 1, "אירועימ": 2, "תור": 1, "תורימ": 2}
	singular = map[string]string{"meetings": "meeting", "events": "event", "appointments": "appointment",
		"פגישות": "פגישה", "אירועימ": "אירוע", "תורימ": "תור"}
	lookGeneral = setOf("זמן דבר משהו תוכניות תוכנית")
	lookNoise   = setOfWords(
		"looking onward onwards והלאה ואילכ " +
			"seeing visiting i'm we're overview out עמוס עמוסה מסיימ מסיימת תשלופ תדפיס תביא תקריא תוכנית בתאריכ בתאריכימ " +
			"לתאריכימ לימימ " +
			"הייתי לאחרונה פוגש פוגשת פוגשימ נפגשת נפגשימ רואה בסדר need be something צריכ צריכה להיות לעשות " +
			"thing conflict " +
			"conflicts שיש שהיה התנגשויות and & show me my the all of a an any anything everything i we do does did have has " +
			"had was were am are is be been on in at for to from what which how many calendar schedule " +
			"agenda diary things plans please can could would you tell give list see doing planned scheduled happening going " +
			"coming next upcoming up left plate look looks like day got time there with about " +
			"regarding called named titled find search when where this that it get let know our us else more still again last " +
			"first second third earliest latest previous most recent meet start begin read only just ahead soon please " +
			"לוז מה יש לי לנו את כל הכל הכול אני אנחנו האמ שלי שלנו על עמ בנושא לגבי בשמ איזה אילו אלו כמה איכ נראה קורה עושה " +
			"מתוכננ צפוי צפויימ היה היו הייתה היתה עוד נשאר נשארו נשארה נותר נותרו " +
			"נותרה הלאה הבא הבאה הבאימ קרובימ קרובות הקרובימ " +
			"הקרובה הקרוב בבקשה גמ נפגש נפגשת מתי איפה משהו סדר היומ הדבר אפשר לראות לדעת לוח הזמנימ נפגשתי עשיתי הראשונה " +
			"האחרונה הראשונ האחרונ מתחיל מתחילה אצל ביומנ בתור תוכנית קבוע או ואת")
)

// duty finds among the words of a search one of something to do, which is no event; -1 when there is none.
func (p *parser) duty(words []int) int {
	for _, i := range words {
		t := p.tokens[i]
		if t.kind != word || t.prefix != "" {
			continue
		}
		if duty[t.text] || participles[t.text] != "" || doings[t.text] || hebrewInfinitives[t.text] ||
			i == words[0] && p.infinitive(i) || p.duteous(i) ||
			t.hebrew && strings.HasSuffix(t.text, "תי") && len([]rune(t.text)) > 4 {
			return i
		}
	}
	return -1
}

// duteous reports whether a verb stands behind "need to", "have to" and the like.
func (p *parser) duteous(i int) bool {
	return p.is(i-1, "to") && p.is(i-2, "need", "have", "supposed", "got", "meant", "left", "want", "still", "forgot",
		"else", "anything", "something", "deadline", "remember", "due") ||
		p.is(i-1, "to") && deeds[p.tokens[i].text]
}

// doings are Hebrew infinitives that begin no name of a place or a person.
var doings = setOfWords(
	"לקנות לשלמ לשלוח לאסופ לקחת לנקות לתקנ לחדש לבשל לסדר לכתוב לשטופ לכבס למלא לארוז לבטל לעשות לדבר לענות לבדוק " +
		"לסיימ לתלות לגזור לפרוק לצלמ לברר לקבל לרשומ למכור לתרומ לחתומ לעדכנ לטייל ללמד לנגנ לגהצ לקפל למיינ לרססס " +
		"לשייפ לשפצ " +
		"לרעננ לתדלק לתרגל לשדרג לפרסמ לארח לאחל לברכ לעודד לייבש לנער לגרד לצבוע לבקר לספר לשלב לנסות לאבטח להודות " +
		"להכניס להרגיע להיפטר להמתינ להחתימ להתלוננ להיפרד להרימ להניח להצטייד להשלימ להאריכ לגדל לרכוש לבדר לתרגמ")

var duty = setOfWords(
	"between בינ overlap overlaps overlapping busiest emptiest quietest longest shortest often double booked עמוס " +
		"חופפ חופפימ חפיפה " +
		"overdue forgot forget promise promised errands errand supposed pending deadline deadlines due todo todos reminder " +
		"reminders chores chore task tasks bill bills list lists message messages mail email emails note notes item items " +
		"באיחור דחופ דחופה דחופימ תזכורת תזכורות מטלה מטלות משימה משימות מייל מיילימ הודעה הודעות פתק פתקימ רשימה רשימות " +
		"רשימת מועד דדליינ חשבונ חשבונות קניות הקניות")

// namedAll reports whether words of a search are certain to name an event or somebody.
func (p *parser) namedAll(words []int) bool {
	first := newSentence(p.text, p.at)
	if act, _ := first.verbAt(first.lead()); act == find {
		return true
	}
	known := func(i int) bool {
		if i < 0 || i >= len(p.tokens) {
			return false
		}
		t := p.tokens[i]
		return t.kind != word || p.has(i, eventNouns) || p.has(i, meals) || p.has(i, generalNouns) ||
			!t.hebrew && !p.lower && t.raw[0] >= 'A' && t.raw[0] <= 'Z' && !strings.Contains(t.raw, "'")
	}
	of := false // words behind "with" are those of somebody
	for _, i := range words {
		of = of || p.is(i-1, "with", "called", "named", "titled", "about", "עמ", "בשמ", "בנושא") ||
			p.tokens[i].prefix == "עמ"
		if !of && !known(i) && !known(i-1) && !known(i+1) {
			return false
		}
	}
	return true
}

// searching makes the search for the words.
func (p *parser) searching(words []int, window *Window) error {
	var parts []string
	for _, i := range words {
		t := p.tokens[i]
		text := tidy(t.raw)
		if one, ok := singular[t.text]; ok && len(words) == 1 {
			text = one
		} else if p.has(i, generalNouns) && (len(words) == 1 || p.out.Ask != nil && i == words[0]) && t.hebrew {
			text = strings.TrimPrefix(text, "ה")
		}
		if t.possessive && i+1 >= len(p.tokens) {
			text = strings.TrimSuffix(strings.TrimSuffix(text, "'s"), "’s")
		}
		if p.is(i+1, "שלי") && strings.HasPrefix(text, "ה") {
			text = strings.TrimPrefix(text, "ה")
		}
		parts = append(parts, text)
	}
	if i := p.duty(words); i >= 0 {
		return p.refusal(Unread, SlotQuery, unreadPart, i, i+1)
	}
	if bad := p.residue(words); bad >= 0 {
		return p.refusal(Unread, SlotQuery, unreadPart, bad, bad+1)
	}
	p.out.Tool = ToolSearch
	p.out.Search = &Search{Query: strings.Join(parts, " "), Window: window, Doubtful: !p.namedAll(words)}
	first, last := slices.Min(words), slices.Max(words)
	p.note(SlotQuery, first, last+1)
	return nil
}
