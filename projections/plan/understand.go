package plan

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"almanac/projections/fold"
	"almanac/projections/tagger"
	"almanac/projections/when"
)

// Understand returns the plan of a sentence about the calendar, tasks, lists, memories or e-mails, by the rules of
// Read. What only asks has no plan that changes anything; see Guard.
func Understand(text string, at when.Moment) (Plan, error) {
	out, err := understandSaid(text, at)
	if err != nil {
		return out, err
	}
	if out.Delete != nil && notGoing.MatchString(text) {
		out.Proposed = true
	}
	tidyNames(&out, text)
	words := sync.OnceValue(func() []tagger.Token { return tagger.Tokens(text, TimeSpans(text, at)) })
	if doubted(out, text, words, at) || unsureHebrew(out, text) {
		out.Doubted = true
		out.Proposed = out.Proposed || out.Update != nil || out.Delete != nil
	}
	fromThenOn(&out, text, at)
	if soughtUnlikely(out, text, words) {
		out.Search.Doubtful = true
	}
	return out, nil
}

// fromThenOn makes of a question about a day "from Sunday on" one about the week from that day, the next such day if it
// has passed.
func fromThenOn(out *Plan, text string, at when.Moment) {
	if out.Schedule == nil || !fromThen().MatchString(text) {
		return
	}
	const day, week = 1, 7
	all := out.Schedule
	if !all.To.Equal(all.From.AddDate(0, 0, day)) {
		return
	}
	from := all.From
	if now := at.Now.In(from.Location()); from.AddDate(0, 0, day).Before(now) && from.AddDate(0, 0, week).After(now) {
		from = from.AddDate(0, 0, week)
	}
	out.Schedule = &Window{From: from, To: from.AddDate(0, 0, week)}
}

var fromThen = lazily(`(?i)\bfrom \pL+ (?:on|onwards?)\W*$|(?:^|\s)מ(?:יום )?\pL+ (?:והלאה|ואילך)\W*$`)

// understandSaid is Understand but for what is only proposed by the way it is said.
func understandSaid(text string, at when.Moment) (Plan, error) {
	if advice.MatchString(text) {
		p := newSentence(text, at)
		return Plan{}, p.refusal(Unread, "", onlyAsks, 0, len(p.tokens))
	}
	text, _ = fromFormal(text, at)
	text = toBeDone(wouldYou.ReplaceAllString(text, ""), at)
	text = remindedBefore().ReplaceAllString(text, "remind me $2 before the $1")
	if anotherTime().MatchString(text) {
		p := newSentence(text, at)
		return Plan{}, p.refusal(Missing, SlotChange, noChange, 0, len(p.tokens))
	}
	if utf8.RuneCountInString(text) <= longestText {
		if out, ok := besideEvent(text, at); ok {
			return out, nil
		}
		if out, ok := proposal(text, at); ok {
			return out, nil
		}
		if other, ok := renamedHebrew(text, at); ok {
			return understandReworded(text, other, at)
		}
		if other, ok := reworded(text, at); ok {
			return understandReworded(text, other, at)
		}
	}
	return understandAs(text, at)
}

// wish asks for a reminder in the form of a question.
var wish = regexp.MustCompile(`^(?i)(?:can|could|may) (?:i|we) (?:get|have) a (?:reminder|nudge) (?:to|about|for) `)

// wouldYou is courtesy at the end of a request.
var wouldYou = regexp.MustCompile(`(?i),? (?:would|could|will|can) you[?.! ]*$`)

// toBeDone reads what there is to be done, "יש להכין תג", as what somebody has to do.
func toBeDone(text string, at when.Moment) string {
	p := newSentence(text, at)
	if i := p.lead(); p.is(i, "יש") && i+1 < len(p.tokens) && doing(p.tokens[i+1].text) && !p.marked() {
		return text[:p.tokens[i].from] + "צריך" + text[p.tokens[i].to:]
	}
	return text
}

// advice asks what had better be done, which nothing here knows.
var advice = regexp.MustCompile(`^(?i)tell me what to do\W*$`)

// remindedBefore counts a reminder from what it is about: "remind me about the dentist an hour before".
var remindedBefore = lazily(`^(?i)(?:please )?(?:remind me|set a reminder|give me a reminder) (?:about|of|for) ` +
	`(?:the |my |our )?(.+?),? ` +
	`(` + classes["count"] + ` ` + classes["unit"] + `) (?:before(?:hand)?|earlier|ahead|in advance)(?: please)?$`)

// anotherTime asks for a new time of something that is there, without one.
var anotherTime = lazily(`^(?i)(?:(?:can|could|would|will) you |please )*(?:find|get|give|look for)(?: me| us)? ` +
	`(?:another|an other|a different|a new|` +
	`a better|some other) (?:day|time|date|slot|hour|appointment) (?:for|to do|to have) [^,;]+$`)

// understandReworded reads a sentence in other words; where these have no plan, the sentence's own count.
func understandReworded(text, other string, at when.Moment) (Plan, error) {
	out, err := understandAs(other, at)
	if err == nil && !(wish.MatchString(text) && out.Tool == ToolCreateTask) {
		err = guarded(out, respelt(text), true, at)
	}
	if err != nil {
		said, wrong := understandAs(text, at)
		missing, asks := errors.AsType[*Refusal](err)
		needless := wrong == nil && (said.Tool == ToolSearch && !said.Asks ||
			said.Tool == ToolCreateTask && len(said.Task.New) == 1 && said.Task.New[0].Alters == "")
		if asks && (wrong != nil && (missing.Kind == Missing || missing.Kind == Contradiction) ||
			needless && missing.Kind == Missing && missing.Slot == SlotChange) {
			// which part is missing says more than which was not read
			missing.From, missing.To = 0, len(text)
			return Plan{}, missing
		}
		return said, wrong
	}
	out.ofWhole(text)
	return out, nil
}

// ofWhole says of a plan that was made of other words that its places are those of the whole text.
func (p *Plan) ofWhole(text string) {
	p.Spans = nil
	for i := range p.Ambiguous {
		p.Ambiguous[i].Span.From, p.Ambiguous[i].Span.To = 0, len(text)
	}
}

// understandAs is Understand for the words as they are.
func understandAs(text string, at when.Moment) (Plan, error) {
	out, err := understand(text, at)
	if read, ok := byWords(text, at, out, err); ok {
		out, err = read, nil
	}
	if err == nil {
		err = guarded(out, text, false, at)
	}
	if err != nil {
		return Plan{}, err
	}
	out.Asks = out.Tool.Reads() && newSentence(text, at).asks()
	return out, nil
}

// understand is Understand without its guard.
func understand(text string, at when.Moment) (Plan, error) {
	if utf8.RuneCountInString(text) > longestText {
		return Read(text, at)
	}
	asks := newSentence(text, at).asks()
	if mayTell(text, at) {
		out, err := understandPlain(text, at)
		out.MayTell = err == nil && out.Tool == ToolSearch
		return out, err
	}
	if other, ok := newSentence(text, at).rephrase(text, asks && !calendarTaken.MatchString(text)); ok {
		return understandOther(text, other, asks, at)
	}
	return understandPlain(text, at)
}

// mayTell reports whether a question may as well state a fact: "יש לי ראיון עבודה ברביעי ב-14:00", without a question
// mark, names no general thing, and its day and its hour.
func mayTell(text string, at when.Moment) bool {
	p := newSentence(text, at)
	i := p.lead()
	next := i + 1 + btoi(p.is(i+1, "לי", "לנו"))
	if !p.is(i, "יש") || next >= len(p.tokens) || strings.Contains(text, "?") || p.has(next, wide) {
		return false
	}
	if p.has(next, generalNouns) && !p.constructed(next) {
		if _, timed := p.itemAt(next + 1); timed || next+1 >= len(p.tokens) {
			return false
		}
		p.failed = nil
	}
	out, err := understandPlain("תוסיף "+text[p.tokens[next].from:]+" "+text[:p.tokens[i].from], at)
	return err == nil && out.Tool == ToolCreate && !slices.Contains(out.Defaulted, SlotStart) &&
		!slices.Contains(out.Defaulted, SlotDate) && !slices.Contains(out.Defaulted, SlotTitle)
}

// wide are words for events that nobody tells of with their hour.
var wide = setOf(
	"משהו זמן עוד כמה מה איזה איזושהי איזשהו דברים דבר תוכניות תכניות חלון משימות משימה תזכורות תזכורת מייל " +
		"מיילים הודעות רשימה פנאי אפשרות שיעורים שיחות ישיבות אימונים בעיה רעיון שאלה")

// understandPlain is Understand for the words as they are.
func understandPlain(text string, at when.Moment) (Plan, error) {
	asks := newSentence(text, at).asks()
	if first := newSentence(text, at); asks {
		if next, ok := first.told(first.lead()); ok {
			if _, recalls := first.frameAt(first.lead(), recalls); !recalls {
				return understandFrom(text, first.tokens[next].from, at)
			}
		}
	}
	for _, matter := range []func(*parser) (bool, error){
		(*parser).annotating, (*parser).undoing, (*parser).listing, (*parser).remembering, (*parser).tasking,
		(*parser).mailing} {
		p := newSentence(text, at)
		mine, err := matter(p)
		if !mine {
			continue
		}
		if err == nil && p.failed != nil {
			err = p.failed
		}
		if refusal, ok := errors.AsType[*Refusal](err); ok {
			refusal.Tool = p.out.Tool
		}
		if err != nil {
			return Plan{}, err
		}
		if !p.out.Tool.Reads() && (asks || p.keepsQuestion()) {
			return Plan{}, p.refusal(Unread, "", onlyAsks, 0, len(p.tokens))
		}
		return p.finished(), nil
	}
	p := newSentence(text, at)
	if asks {
		if mine, err := p.asking(); mine {
			if err != nil {
				return Plan{}, err
			}
			return p.finished(), nil
		}
		p = newSentence(text, at)
	}
	out, err := Read(text, at)
	if err == nil && asks && !out.Tool.Reads() {
		return Plan{}, p.refusal(Unread, "", onlyAsks, 0, len(p.tokens))
	}
	if !asks && (err != nil || out.Verbless) {
		if told, ok := p.telling(err); ok {
			return told, nil
		}
	}
	if out.Tool == ToolRead && p.past { // "what did I do": when?
		return Plan{}, p.refusal(Missing, SlotWindow, noAskedTime, 0, len(p.tokens))
	}
	out.Hebrew = p.hebrewText
	return out, err
}

// understandOther reads a sentence that stands for another one. Its plan has no places of the text.
func understandOther(text, other string, asks bool, at when.Moment) (Plan, error) {
	out, err := understandPlain(other, at)
	if err == nil && asks && !out.Tool.Reads() && !calendarTaken.MatchString(text) {
		p := newSentence(text, at)
		return Plan{}, p.refusal(Unread, "", onlyAsks, 0, len(p.tokens))
	}
	out.ofWhole(text)
	if refusal, ok := errors.AsType[*Refusal](err); ok {
		refusal.From, refusal.To = 0, len(text)
	}
	return out, err
}

// keepsQuestion reports whether what would be kept as a task or a memory is a question: "צריך לדעת מה יש לי מחר".
func (p *parser) keepsQuestion() bool {
	var texts []string
	if p.out.Task != nil {
		for _, one := range p.out.Task.New {
			texts = append(texts, one.Text)
		}
	}
	if p.out.Memory != nil {
		texts = append(texts, p.out.Memory.Content)
	}
	for _, text := range texts {
		words := strings.Fields(fold.Text(text))
		if len(words) > 1 && (words[0] == "לדעת" || words[0] == "לי" || words[0] == "know") {
			words = words[1:]
		}
		if len(words) > 1 && within[words[0]] && !strings.Contains(text, ":") {
			return true
		}
	}
	return false
}

// understandFrom reads the question that begins at a byte of the text; whatever it is, it changes nothing.
func understandFrom(text string, from int, at when.Moment) (Plan, error) {
	out, err := understand(text[from:], at)
	if err == nil && !out.Tool.Reads() {
		p := newSentence(text, at)
		return Plan{}, p.refusal(Unread, "", onlyAsks, 0, len(p.tokens))
	}
	for i := range out.Spans {
		out.Spans[i].From, out.Spans[i].To = out.Spans[i].From+from, out.Spans[i].To+from
	}
	for i := range out.Ambiguous {
		out.Ambiguous[i].Span.From, out.Ambiguous[i].Span.To = out.Ambiguous[i].Span.From+from, out.Ambiguous[i].Span.To+from
	}
	if refusal, ok := errors.AsType[*Refusal](err); ok && refusal.To > 0 {
		refusal.From, refusal.To = refusal.From+from, refusal.To+from
	}
	return out, err
}

func newSentence(text string, at when.Moment) *parser {
	p := newParser(text, at)
	p.tokens = tokenize(text)
	p.used = make([]bool, len(p.tokens))
	p.survey()
	return p
}

func (p *parser) finished() Plan {
	p.out.Hebrew = p.hebrewText
	slices.SortStableFunc(p.out.Spans, func(a, b Span) int { return a.From - b.From })
	slices.SortStableFunc(p.out.Ambiguous, func(a, b Ambiguity) int { return a.Span.From - b.Span.From })
	return p.out
}

// frames are phrases by their first word; the longest that fits counts.
type frames map[string][][]step

// step is one place of a phrase: one of some words, which may be missing.
type step struct {
	words    []string
	optional bool
}

// framesOf reads phrases, one between two commas. Words are folded; | divides alternatives, and a place that ends with
// ? may be empty.
func framesOf(lines ...string) frames {
	out := frames{}
	for _, line := range lines {
		for phrase := range strings.SplitSeq(line, ",") {
			var steps []step
			for place := range strings.FieldsSeq(phrase) {
				base, optional := strings.CutSuffix(place, "?")
				one := step{optional: optional}
				for word := range strings.SplitSeq(base, "|") {
					one.words = append(one.words, fold.Text(word))
				}
				steps = append(steps, one)
			}
			for i, one := range steps {
				for _, first := range one.words {
					out[first] = append(out[first], steps[i:])
				}
				if !one.optional {
					break
				}
			}
		}
	}
	return out
}

// frameAt reports where the longest phrase of the table that begins at i ends.
func (p *parser) frameAt(i int, of frames) (next int, ok bool) {
	if i < 0 || i >= len(p.tokens) || p.tokens[i].prefix != "" || p.tokens[i].kind != word && p.tokens[i].kind != mark {
		return i, false
	}
	for _, steps := range of[p.form(i)] {
		if end := p.steppedTo(i+1, steps[1:]); end > next {
			next, ok = end, true
		}
	}
	if !ok {
		return i, false
	}
	return next, true
}

// form is a word as phrases have it, with a possessive or contracted 's.
func (p *parser) form(i int) string {
	if p.tokens[i].possessive {
		return p.tokens[i].text + "'s"
	}
	return p.tokens[i].text
}

// steppedTo returns where the places of a phrase end, taken as far as they go; -1 when one is missing.
func (p *parser) steppedTo(i int, steps []step) int {
	for k, one := range steps {
		if i < len(p.tokens) && p.is(i, p.tokens[i].text) && slices.Contains(one.words, p.form(i)) {
			if end := p.steppedTo(i+1, steps[k+1:]); end >= 0 {
				return end
			}
		}
		if !one.optional {
			return -1
		}
	}
	return i
}

// lead passes over courtesy and times at the beginning and returns where the sentence itself begins. Words of courtesy
// are used, times are not.
func (p *parser) lead() int {
	for i := 0; i < len(p.tokens); {
		if next, ok := p.frameAt(i, courtesy); ok {
			p.use(i, next)
			i = next
			continue
		}
		if t := p.tokens[i]; t.kind == mark && t.text != "(" && t.text != "[" {
			p.use(i, i+1)
			i++
			continue
		}
		if p.tokens[i].kind != quote && p.tokens[i].kind != address {
			if it, ok := p.itemAt(i); ok && it.sort != aLength && it.sort != aZone {
				i = it.to
				continue
			}
		}
		p.failed = nil
		p.out = Plan{}
		return i
	}
	p.failed = nil
	return len(p.tokens)
}

// courtesy are words that say nothing before what is asked.
var courtesy = framesOf(
	"please, kindly, hey, hi, hello, ok, okay, so, well, now, then, almanac, dear assistant, assistant, also, and, just",
	"can|could|would|will you|u please?, can|could we, pls, plz, i want|need you to, i'd like you to, i would like you to",
	"i want|wish to, i'd like|love to, i would like to, go ahead and, let's, let me, lets, would you mind",
	"good morning|afternoon|evening, thanks, oh, um, oops, actually, wait, no, hmm, sorry, uh, yes, yeah, great, quick "+
		"one, quickly, do me a favor|favour and?, be so kind and, id like to",
	"are you able to, is|would it be possible to, is it possible to, yo, by the way, btw, it? turns out that?, apparently",
	"אופס, אנא, אוי, וואי, לצערי, לצערנו, יאללה, נו, אה, פליז, וגם, שמע, שמעי, תשמע, תשמעי, תקשיב, תקשיבי",
	"בבקשה, היי, הי, שלום, אז, אוקיי, טוב, נא, גם, רק, עכשיו, אולי, תוכל|תוכלי בבקשה?, אתה יכול, את יכולה, אפשר בבקשה?",
	"אני רוצה|מבקש|מבקשת, אשמח, בוא|בואי, בוקר|ערב טוב, צהריים טובים, רציתי, בא לי, האם תוכל|תוכלי, האם אפשר",
	"הייתי רוצה, אני אשמח, אני? צריך|צריכה|חייב|חייבת|רוצה לדעת, i need|have|want|got to know, i need|want to find out")

// asks reports whether the sentence only asks: it begins, behind courtesy and times, with a question word or a verb of
// reading, or ends with a question mark without a verb of a command.
func (p *parser) asks() bool {
	i := p.lead()
	if _, ok := p.told(i); ok {
		return true
	}
	if _, ok := p.frameAt(i, writers); ok || p.is(i, "give") && p.hasAny("deadline", "due", "another") {
		return false
	}
	if p.is(i, "do", "have") && p.is(i-1, "let's", "lets", "us") {
		return false
	}
	if _, ok := p.frameAt(i, openers); ok {
		return !p.is(i, "יש", "אינ") || p.marked() || !p.ordersBehind(i)
	}
	if p.is(i, "would", "will", "is", "does", "are") && i+1 < len(p.tokens) { // "would Sunday work?"
		if it, ok := p.itemAt(i + 1); ok && it.sort != aLength {
			return true
		}
	}
	for k := range p.tokens {
		if !p.is(k, "?") {
			continue
		}
		if p.hasAny("anything", "משהו", "דברימ") && !p.hasAny("remind", "add", "note") { // "אני צריך לבטל משהו מחר?"
			return true
		}
		head := i
		for head < len(p.tokens) && opening[p.tokens[head].text] {
			head++
		}
		if act, _ := p.verbAt(head); act == noAction || act == find || act == show || act == where || p.nounAlone(head) {
			if _, remind := p.frameAt(head, commands); !remind {
				return true
			}
		}
	}
	return false
}

// ordersBehind reports whether a Hebrew command begins a clause behind a token: "יש לי ישיבה, אז תזיז את היוגה",
// "אין לי מחליפה, תבטלי את התורנות".
func (p *parser) ordersBehind(i int) bool {
	for k := i + 2; k < len(p.tokens); k++ {
		if p.tokens[k].hebrew && commanding(p.tokens[k].text) && (p.clauseAt(k) != noClause ||
			p.is(k-1, "אז", "לכנ", "ולכנ")) {
			return true
		}
	}
	return false
}

// told finds a question behind a verb: "remind me what I have", "I want to know when the review is".
func (p *parser) told(i int) (next int, ok bool) {
	if next, ok = p.frameAt(i, tellers); !ok || next >= len(p.tokens) {
		return i, false
	}
	if p.is(next, "when", "once") && p.is(next+1, "i", "we") &&
		p.is(next+2, "get", "arrive", "leave", "reach", "am", "wake", "finish", "come", "see", "land") {
		return i, false // a reminder at a place
	}
	_, ok = p.frameAt(next, openers)
	return next, ok
}

// nounAlone reports whether a word that may be a verb has no object behind it.
func (p *parser) nounAlone(i int) bool { return i+1 < len(p.tokens) && p.noun(i, i+1) }

var (
	// openers begin a question, or a sentence that wants something shown.
	openers = framesOf(
		"what, what's, whats, when, when's, where, where's, who, who's, whom, whose, which, how, how's, why, is, isn't, are",
		"aren't, am, was, were, do, don't i|we, does, doesn't, did, didn't, has, hasn't, had, have i|we|you|they, can i|it",
		"could i|it, should, shall, may i, might, must i|we, will i|it|there|he|she|they, would it|there|i, any, anything",
		"anyone, anybody, got any|anything, until when, till when, since when, at what, on what|which, in what|which, with "+
			"whom|who",
		"from when|what|whom, by when, for how, to whom, up to what",
		"get, fetch, retrieve, print, see, pull up, bring up, show, display, list, check, look, tell, give, view, read, "+
			"find, search",
		"number of, browse, locate, summarize, summarise, recap, describe, explain, count, query, lookup, open",
		"preview, brief, output, dump, export, let me know|see, i wonder, i'm wondering, i want to know|see",
		"know, wonder, curious, hear, walk me through, run through|me",
		"go over, double check, verify, confirm whether|if|when|what|that, quick question, free, busy, available",
		"my schedule|calendar|agenda|day|week|tasks|lists|notes|inbox",
		"agenda, upcoming, first|next free|available|open|meeting|event|appointment, today's, tomorrow's "+
			"schedule|agenda|calendar|meetings|events",
		"מה, מהו, מהי, מהם, מתי, איפה, היכן, איזה, איזו, אילו, אלו, כמה, מי, למי, ממי, מאיפה, לאן, למה, מדוע, איך, כיצד, "+
			"האם, עד מתי, אני יכול|יכולה, אנחנו יכולים",
		"ממתי, עם מי, על מה, באיזה, באיזו, באילו, לאיזה, לאיזו, באיזור, יש, יש לי|לנו|משהו, אין "+
			"לי|לנו|משהו|שום|כלום|עוד|כלום, היה|היו|הייתה לי, קיים, "+
			"קיימת, הכי",
		"תראה, תראי, תראו, הראה, הראי, תציג, תציגי, הצג, הציגי, להציג, לראות, תגיד, תגידי, אמור, אמרי, תקריא, תקריאי, הקרא, "+
			"תן|תני לי",
		"תביא|תביאי|הבא|הביאי לי|את, תדפיס, תדפיסי, הדפס, הדפיסי, תשלוף, תשלפי, שלוף, שלפי, תמצא, תמצאי, מצא, מצאי, חפש, "+
			"חפשי, תחפש, תחפשי",
		"לחפש, למצוא, תבדוק, תבדקי, בדוק, בדקי, לבדוק, לדעת, ספר|ספרי|תספר|תספרי לי, תפרט, תפרטי, פרט, רשימה של, סכם, סכמי, "+
			"תסכם, תסכמי",
		"תזכיר|תזכירי לי מה|מתי|איפה|מי|איזה|אילו|כמה|איך|אם|האם, אני פנוי|פנויה|עסוק|עסוקה|זמין|זמינה, אנחנו "+
			"פנויים|עסוקים, פנוי, פנויה",
		"זמן|שעה|חלון|משבצת פנוי|פנויה, שעות|חלונות|זמנים פנויות|פנויים, פגישות, אירועים, תורים, meetings, events, "+
			"appointments",
		"משהו, איזה כיף, מעניין, תעדכן|תעדכני אותי, תספור, תספרי, ספור, לוח הזמנים, סדר היום, הלו\"ז, לו\"ז",
		"תקרא|תקראי|קרא|קראי לי|את|מיילים, כמה, כדאי לי|לנו, את|אתה רואה|זוכר|זוכרת|יודע|יודעת, זוכר|זוכרת|יודע|יודעת",
	)
	// tellers are verbs behind which a question may stand.
	tellers = framesOf("remind me, tell me, know, mind telling me, say, תזכיר|תזכירי לי, תגיד|תגידי לי")
	// writers begin as openers do and are verbs of writing.
	writers = framesOf("tell me to, free me|us up, תן|תני לי עוד",
		"get me|us down|in|on|booked, open a|some|me slot|time|room|space|window",
		"check off, get rid of, free up, tick off, list for sale, open up a list, let me know "+
			"at|in|tomorrow|tonight|on")
	commands = framesOf("remind me, תזכיר|תזכירי לי")
)

var (
	onlyAsks = reason{"“%s” reads as a question, which changes nothing, and its answer is not known here.",
		"„%s” נשמע כשאלה, ושאלה אינה משנה דבר; התשובה אינה ידועה כאן."}
)
