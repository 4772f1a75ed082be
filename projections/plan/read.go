package plan

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"almanac/projections/when"
)

// longestText is how many characters are read.
const longestText = 10000

// Read returns the plan of a text in English, Hebrew or both, as said at a moment: relative days are the moment's, in
// its zone, and weeks start as it has them. The text may hold any bytes; what is neither a letter nor a sign is passed
// over. The same text at the same moment always has the same plan.
//
// Every error is a *Refusal. It is given instead of a guess: a text whose parts do not all have a reading has no plan.
func Read(text string, at when.Moment) (Plan, error) {
	p := newParser(text, at)
	if utf8.RuneCountInString(text) > longestText {
		return Plan{}, p.refusal(Unread, "", tooLong, 0, 0)
	}
	out, err := p.read()
	if err != nil {
		return Plan{}, err
	}
	slices.SortStableFunc(out.Spans, func(a, b Span) int { return a.From - b.From })
	slices.SortStableFunc(out.Ambiguous, func(a, b Ambiguity) int { return a.Span.From - b.Span.From })
	return out, nil
}

// parser holds what was found in one text so far.
type parser struct {
	text string
	at   when.Moment
	// now is the moment in the viewer's zone.
	now    time.Time
	tokens []token
	items  []item
	used   []bool
	// head is where the polite words at the beginning end.
	head       int
	failed     *Refusal
	hebrewText bool
	// lower says that the text is written without capitals, so that names have none either.
	lower bool
	// past says that the text asks for what was; shifting that its verb moves events.
	past, shifting bool
	// steps counts the words looked up, so that tests can hold the work to the length of the text.
	steps int
	// renamed is a verb of the past that was put into the form of a task's name; 0 for none.
	renamed int
	out     Plan
}

func newParser(text string, at when.Moment) *parser {
	zone := at.Zone
	if zone == nil {
		zone = time.UTC
	}
	return &parser{text: text, at: at, now: at.Now.In(zone).Truncate(time.Second)}
}

func (p *parser) read() (Plan, error) {
	p.tokens = tokenize(p.text)
	p.used = make([]bool, len(p.tokens))
	p.survey()
	act, err := p.intent()
	if err != nil {
		return Plan{}, err
	}
	p.use(act.from, act.to)
	for i := range p.tokens {
		switch {
		case p.is(i, "please", "kindly", "thanks", "cheers", "בבקשה", "תודה"):
			p.use(i, i+1+btoi(p.is(i+1, "רבה")))
		case p.is(i, "thank") && p.is(i+1, "you"), p.is(i, "for") && p.is(i+1, "me", "us"):
			p.use(i, i+2)
		}
	}
	p.scan()
	for _, it := range p.items {
		p.use(it.from, it.to)
	}
	p.useCalendar()
	if i := p.slip(); i >= 0 {
		return Plan{}, p.refusal(Unread, "", unreadPart, i, i+1)
	}
	err = p.build(act)
	if p.failed != nil {
		return Plan{}, p.failed
	}
	if err != nil {
		return Plan{}, err
	}
	return p.out, nil
}

// survey notes what holds for the text as a whole.
func (p *parser) survey() {
	p.lower = true
	for i, t := range p.tokens {
		switch {
		case t.kind != word:
			p.hebrewText = p.hebrewText || t.prefix != "" // "ב-14.1"
		case t.hebrew:
			p.hebrewText = true
			p.past = p.past || pastWords[t.text]
			p.shifting = p.shifting || shiftVerbs[t.text]
		default:
			p.past = p.past || pastWords[t.text]
			if i > 0 && t.raw[0] >= 'A' && t.raw[0] <= 'Z' && t.raw != "I" {
				p.lower = false
			}
		}
	}
}

var (
	pastWords  = setOfWords("did was were had היה היו הייתה היתה עשיתי נפגשתי שעבר שעברה אתמול yesterday")
	shiftVerbs = setOfWords(
		"תדחה תדחי תדחו דחה דחי לדחות תקדימ תקדימי הקדמ הקדימי להקדימ תזיז תזיזי הזז הזיזי להזיז תעכב תעכבי לעכב עכב תאריכ " +
			"תאריכי הארכ האריכי להאריכ " +
			"תקצר תקצרי קצר קצרי לקצר תעביר תעבירי להעביר העבר")
)

// use marks tokens as read.
func (p *parser) use(from, to int) {
	for i := max(from, 0); i < to && i < len(p.used); i++ {
		p.used[i] = true
	}
}

// span returns the bytes of tokens.
func (p *parser) span(slot Slot, from, to int) Span {
	if len(p.tokens) == 0 || from >= to {
		return Span{Slot: slot}
	}
	from, to = min(from, len(p.tokens)-1), min(to, len(p.tokens))
	return Span{Slot: slot, From: p.tokens[from].from, To: p.tokens[to-1].to}
}

// note records which tokens gave a slot.
func (p *parser) note(slot Slot, from, to int) {
	p.out.Spans = append(p.out.Spans, p.span(slot, from, to))
}

func (p *parser) defaulted(slot Slot) {
	if !slices.Contains(p.out.Defaulted, slot) {
		p.out.Defaulted = append(p.out.Defaulted, slot)
	}
}

func (p *parser) doubts(list ...Ambiguity) {
	for _, d := range list {
		if !slices.ContainsFunc(p.out.Ambiguous, func(o Ambiguity) bool { return o.What == d.What && o.Span == d.Span }) {
			p.out.Ambiguous = append(p.out.Ambiguous, d)
		}
	}
}

// fail keeps the first contradiction found on the way.
func (p *parser) fail(k Kind, slot Slot, why reason, from, to int) {
	if p.failed == nil {
		p.failed = p.refusal(k, slot, why, from, to)
	}
}

// refusal makes the error, with the words at fault in its sentence.
func (p *parser) refusal(k Kind, slot Slot, why reason, from, to int) *Refusal {
	r := &Refusal{Kind: k, Slot: slot}
	part := ""
	if from < to && len(p.tokens) > 0 {
		s := p.span(slot, from, to)
		r.From, r.To = s.From, s.To
		part = clip(strings.ToValidUTF8(p.text[s.From:s.To], ""))
	}
	locale := p.at.Locale
	switch {
	case p.hebrewText:
		locale = "he"
	case slices.ContainsFunc(p.tokens, func(t token) bool { return t.kind == word }):
		locale = "en"
	}
	r.Message = why.say(locale, part)
	return r
}
