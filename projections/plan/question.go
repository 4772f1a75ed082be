package plan

// question finds what asks for events without a command: "what do I have", "when is", "am I free", "מה יש לי", "מתי".
func (p *parser) question(i int) (action, int) {
	if p.hebrewAt(i) {
		return p.hebrewQuestion(i)
	}
	switch {
	case p.is(i, "what", "which") && p.is(i+1, "time", "day", "date") && !p.is(i+2, "do", "am", "will"),
		p.is(i, "where") && i+1 < len(p.tokens):
		return where, i + 2
	case p.is(i, "when"):
		if p.is(i+1, "am") {
			return show, i + 1
		}
		return where, i + 1 + btoi(p.is(i+1, "will", "shall") && p.is(i+2, "i", "we"))
	case p.is(i, "what", "which"):
		if p.cue(i + 1) {
			return show, i + 1
		}
	case p.is(i, "how") && (p.is(i+1, "many") || p.is(i+1, "does", "is") && p.cue(i+1) || p.is(i+1, "busy", "my")):
		return show, i + 2
	case p.is(i, "do", "did", "have", "will") && p.is(i+1, "i", "we") && (p.is(i+2, "have", "got") || p.is(i, "have")):
		return show, i + 3
	case p.is(i, "am", "are") && p.is(i+1, "i", "we") && p.is(i+2, "free", "busy", "available", "booked", "doing"):
		return show, i + 3
	case p.is(i, "is", "are") && p.is(i+1, "there"):
		return show, i + 2
	case p.is(i, "free", "busy", "available") && !p.is(i+1, "up", "the", "my"):
		return show, i + 1
	case p.is(i, "anything", "any"):
		return show, i + 1
	case p.is(i, "my") && p.is(i+1, "schedule", "agenda", "calendar", "day", "upcoming"), p.is(i, "agenda", "upcoming"):
		return show, i + 1
	case p.is(i, "schedule", "calendar") && i > 0 && p.tokens[i-1].possessive:
		return show, i + 1
	}
	return noAction, i
}

// cue reports whether the words from i on speak of a calendar.
func (p *parser) cue(i int) bool {
	for ; i < len(p.tokens); i++ {
		t := p.tokens[i]
		if t.kind != word {
			continue
		}
		if cues[t.text] && t.prefix == "" {
			return true
		}
		if _, _, ok := p.look(i, hebrewCues); ok {
			return true
		}
	}
	return false
}

var (
	cues = setOfWords(
		"calendar schedule scheduled agenda diary have doing do on happening planned planning going next upcoming coming " +
			"left got meetings meeting events event " +
			"appointments appointment plate look looks up day busy")
	hebrewCues = setOf(
		"יש היה היו לו\"ז לוז מתוכנן מתוכננת קורה עושה עשיתי יומן צפוי צפויים נשאר הלאה תוכנית תוכניות סדר הבא הבאה עוד " +
			"קבוע אירועים פגישות אירוע פגישה שבוע נראה")
)

func (p *parser) hebrewQuestion(i int) (action, int) {
	switch {
	case p.is(i, "מתי"):
		if p.is(i+1, "אני") && p.has(i+2, freeWords) {
			return show, i + 2
		}
		return where, i + 1
	case p.is(i, "איפה", "היכנ"):
		return where, i + 1
	case p.is(i, "באיזו", "באיזה") && p.is(i+1, "שעה", "יומ", "תאריכ"):
		return where, i + 2
	case p.is(i, "מה", "איכ"):
		if p.cue(i+1) || p.is(i, "איכ") && p.has(i+1, dayWord) {
			return show, i + 1
		}
	case p.is(i, "אילו", "אלו", "איזה", "כמה") && p.cue(i+1):
		return show, i + 1
	case p.is(i, "האמ"), p.is(i, "יש") && p.is(i+1, "לי", "לנו", "משהו"), p.is(i, "משהו"):
		return show, i + 1
	case p.is(i, "אני") && p.has(i+1, freeWords):
		return show, i + 1
	case p.is(i, "לוח") && p.is(i+1, "הזמנימ"):
		return show, i + 2
	case p.is(i, "סדר") && p.is(i+1, "היומ", "יומ"):
		return show, i + 2
	}
	if _, prefix, ok := p.look(i, calendarWords); ok && (prefix == "ה" || prefix == "") {
		return show, i
	}
	return noAction, i
}

var (
	freeWords     = setOf("פנוי פנויה עסוק עסוקה זמין זמינה")
	calendarWords = setOf("יומן לו\"ז לוז")
)

// useCalendar passes over the calendar itself: "to my calendar", "on the agenda", "ליומן שלי".
func (p *parser) useCalendar() {
	for i := range p.tokens {
		if p.used[i] {
			continue
		}
		if _, prefix, ok := p.look(i, calendarWords); ok && prefix != "" {
			p.use(i, i+1+btoi(p.is(i+1, "שלי", "שלנו")))
			continue
		}
		if p.is(i, "לוח", "בלוח", "ללוח") && p.is(i+1, "השנה", "הזמנימ") {
			p.use(i, i+2+btoi(p.is(i+2, "שלי")))
			continue
		}
		if !p.is(i, "calendar", "schedule", "agenda", "diary") || i == 0 || p.tokens[i].possessive {
			continue
		}
		begin := i
		if p.is(begin-1, "my", "the", "our") {
			begin--
		}
		if p.is(begin-1, "to", "on", "in", "into", "from", "off") {
			begin--
		}
		if begin < i {
			p.use(begin, i+1)
		}
	}
}
