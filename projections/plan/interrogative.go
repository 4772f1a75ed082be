package plan

import (
	"regexp"
	"slices"
	"strings"

	"almanac/projections/when"
)

// Guard holds a plan against its sentence: one that would change something is refused where the sentence only asks.
// Every plan passes it, whoever has made it, so that a word which is missing in one table of the grammar, or a model's
// mistake, cannot turn a question into a change.
func Guard(out Plan, text string, at when.Moment) error {
	if out.Tool.Reads() {
		return nil
	}
	p := newSentence(text, at)
	apart := func(one NewTask) bool { return counting.MatchString(one.Text) }
	if out.Task != nil && slices.ContainsFunc(out.Task.New, apart) {
		return p.refusal(Unread, SlotTitle, unreadPart, 0, len(p.tokens))
	}
	if out.Create != nil && strings.Contains(out.Create.Title, " ") && !strings.HasPrefix(out.Create.Title,
		"ראשון לציון") {
		first := newSentence(out.Create.Title, at)
		if _, is := first.exact(0, weekdayWords, ""); is && first.hebrewAt(0) { // a day that was taken for a title
			return p.refusal(Unread, SlotDate, unreadPart, 0, len(p.tokens))
		}
	}
	if instructing(out) {
		return p.refusal(Unread, SlotTitle, unreadPart, 0, len(p.tokens))
	}
	if calendarTaken.MatchString(text) || out.Tool == ToolCreate && wishesEvent().MatchString(text) ||
		!p.asks() && !p.interrogative(out) {
		return nil
	}
	return p.refusal(Unread, "", onlyAsks, 0, len(p.tokens))
}

// wishesEvent asks for a new event in the form of a question: "can we do a session on Monday at 3?".
var wishesEvent = lazily(`^(?i)(?:dear assistant,? |please )?(?:(?:can|could|shall) we (?:please )?` +
	`(?:do|have|arrange|set up|plan|hold|organi[sz]e) an? |` +
	`(?:can|could|would|will) you (?:please )?(?:be so kind as to )?` +
	`(?:enter|log|input|pencil|slot|jot|stick|pop|get|find|look|search) )`)

// counting begins the text of a task with a time that is counted from something else: "a day before the party to …".
var counting = regexp.MustCompile(`^(?i)(?:(?:the|a|an|one|two|three|\d+|half an) )?` +
	`(?:days?|hours?|weeks?|minutes?|night|evening|morning|month) (?:before|after|prior to) |` +
	`^(?:חצי )?(?:יום|יומיים|שעה|שעתיים|שבוע|שבועיים|ערב|לילה|חודש|\d+ (?:ימים|שעות|דקות)) (?:לפני|אחרי) `)

// interrogative reports whether a sentence has the mark, the words or the form of a question, wherever they stand. What
// a command says of its own text ("remind me to ask when it starts") is no question of the sentence.
func (p *parser) interrogative(out Plan) bool {
	i := p.lead()
	command := p.commandAt(i)
	if p.marked() && !(command && p.requested(i)) {
		return true
	}
	if p.reportWanted(i) || p.tagged() || p.askedClause(i) {
		return true
	}
	if command && !out.Told && !out.Verbless {
		return false
	}
	if next, ok := p.dutyAt(i); ok { // "I need to see what I have"
		for next < len(p.tokens) && (informing[p.wordAt(next)] || p.is(next, "to", "let")) {
			next++
		}
		return next < len(p.tokens) && asking[p.tokens[next].text]
	}
	if _, ok := p.frameAt(i, finished); ok {
		return false
	}
	for k, t := range p.tokens {
		if t.kind == word && t.prefix == "" && asking[t.text] && !p.is(k-1, "no", "כל") {
			return true
		}
	}
	return false
}

// marked reports whether a question mark stands outside of quotations.
func (p *parser) marked() bool {
	for _, t := range p.tokens {
		if t.kind == mark && strings.ContainsAny(t.text, "?؟？") {
			return true
		}
	}
	return false
}

// requested reports whether what stands before token i asks for a favour, so that the question mark behind it is
// courtesy: "can you add milk?".
func (p *parser) requested(i int) bool {
	for k := range i {
		if _, ok := p.frameAt(k, favours); ok {
			return true
		}
	}
	return false
}

// dutyAt reports whether the sentence says what somebody needs to do, and where that begins.
func (p *parser) dutyAt(i int) (next int, ok bool) {
	if next, ok = p.frameAt(i, duties); ok {
		return next, true
	}
	return p.frameAt(i, hebrewDuties)
}

// reportWanted reports whether a verb of making has a report of what is there as its object: "make a list of my
// meetings", "תעשה לי סיכום של מחר".
func (p *parser) reportWanted(i int) bool {
	next, ok := p.frameAt(i, reports)
	if !ok {
		return false
	}
	if !p.is(next-2, "list") && !p.is(next-2, "רשימה") {
		return true
	}
	for p.is(next, "my", "the", "all", "our", "every", "כל", "את") {
		next++
	}
	return p.has(next, reported)
}

// tagged reports whether the sentence ends with a word that asks for consent: "…, right", "…, נכון".
func (p *parser) tagged() bool {
	last := len(p.tokens) - 1
	return last > 1 && p.is(last, "right", "correct", "huh", "eh", "נכונ", "הלא") && p.is(last-1, ",", "-") ||
		last > 2 && p.is(last, "it", "not", "i", "we", "they") &&
			p.is(last-1, "isn't", "is", "aren't", "don't", "doesn't", "didn't", "wasn't", "am") && p.is(last-2, ",")
}

// askedClause reports whether a clause behind a comma, a dash or a full stop begins as a question does.
func (p *parser) askedClause(i int) bool {
	for k := i + 1; k < len(p.tokens); k++ {
		if !p.is(k-1, ",", ".", ";", "-") || !p.is(k, p.wordAt(k)) || p.is(k-1, "-") && !p.tokens[k-1].spaced {
			continue
		}
		if p.is(k, "did") && p.is(k+1, "it", "that", "them") && !p.marked() { // "…, did it online"
			continue
		}
		if asking[p.tokens[k].text] ||
			p.is(k, "do", "does", "did", "is", "are", "am", "was", "were", "will", "have", "has") &&
				p.is(k+1, "i", "we", "it", "there", "he", "she", "they", "that", "the", "my", "you", "anything") ||
			p.is(k, "יש") && p.is(k+1, "לי", "לנו", "משהו") {
			return true
		}
	}
	return false
}

var (
	// favours are words that ask for a favour in the form of a question.
	favours = framesOf(
		"can|could|will|would you|u|ya, can|could|may i|we, would you mind, are you able to, is it possible to, "+
			"would it be possible to, "+
			"mind, any chance you could|can",
		"תוכל, תוכלי, תוכלו, אתה יכול, את יכולה, אפשר, יש מצב, אכפת לך, תואיל, תואילי")
	// asking are words of questions.
	asking = setOfWords(
		"what what's whats when when's where where's which whose whom who who's how how's why whether " +
			"מה ומה מתי ומתי איפה היכנ כמה איזה איזו אילו האמ מי למה מדוע איכ כיצד לאנ ממתי")
	// informing are verbs of finding something out.
	informing = setOfWords("know see find out learn hear understand figure לדעת לראות להבינ לשמוע לברר לגלות לי")
	// reports are what is made of what there is, with the verb that makes it.
	reports = framesOf(
		"make|write|create|prepare|put|draw|compile|send|give|do|get|generate|produce|show|want|need|build|mail|text "+
			"up|out|together|down? me|us|up? a|an|the|another? quick|short|brief|full|complete|little? "+
			"summary|overview|rundown|recap|digest|breakdown|outline|briefing|list of|about|on|for",
		"תעשה|תעשי|עשה|עשי|תכין|תכיני|הכן|הכיני|תן|תני|תכתוב|תכתבי|כתוב|תרשום|תרשמי|רשום|תשלח|תשלחי|שלח|תרכיז|תרכזי|צור|"+
			"צרי|תיצור|תיצרי|ערוך|תערוך|תערכי|תפיק לי|לנו? סיכום|סקירה|ריכוז|תקציר|דוח|דו\"ח|רשימה|פירוט של|על|לגבי",
		"תרכז|תרכזי|רכז|רכזי|תרכיז|תסכם|תסכמי|סכם|סכמי לי|לנו? את")
	// reported are what reports are of.
	reported = setOf(
		"meetings events appointments tasks todos reminders lists calls emails mails messages notes memories birthdays "+
			"schedule calendar agenda everything what",
		"פגישות אירועים תורים משימות מטלות תזכורות רשימות שיחות מיילים הודעות פתקים יומן לוז לו\"ז מה")
)
