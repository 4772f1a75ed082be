package plan

import (
	"errors"
	"slices"
	"strings"

	"almanac/graph/model"
)

// telling reads a statement of a fact as the event that it tells of: "my train to Haifa leaves on 3 January at 7:15".
// Its day and its hour must be said, and every word must have its place.
func (p *parser) telling(err error) (Plan, bool) {
	if refusal, ok := errors.AsType[*Refusal](err); ok && refusal.Kind != NotAnInstruction &&
		!(refusal.Kind == Missing && refusal.Slot == SlotDate) {
		return Plan{}, false
	}
	if _, no := p.negated(); no || p.past || p.conditional() >= 0 {
		return Plan{}, false
	}
	i := p.lead()
	if i >= len(p.tokens) {
		return Plan{}, false
	}
	told := false
	meets := ""
	if next, ok := p.frameAt(i, haves); ok && next < len(p.tokens) {
		if nothing[p.tokens[next].text] {
			return Plan{}, false
		}
		p.use(i, next)
		told = true
	} else if next, ok := p.frameAt(i, meetings); ok && next < len(p.tokens) {
		p.use(i, next)
		told, meets = true, "פגישה "
	} else if p.is(i, "i'm", "we're", "i", "we") &&
		p.is(i+1+btoi(p.is(i, "i", "we")), "meeting", "seeing", "having", "visiting", "flying",
			"attending", "hosting") {
		p.use(i, i+1+btoi(p.is(i+1, "am", "are")))
		told = true
	}
	p.scan()
	for k := i; k < len(p.tokens) && !told; k++ {
		next, ok := p.frameAt(k, happens)
		if !ok || k == i {
			continue
		}
		next += btoi(p.is(next, "פה", "כאן", "אצלנו", "אצלי", "here"))
		timed := slices.ContainsFunc(p.items, func(it item) bool { return it.from == next || it.to == k })
		if timed {
			p.use(k, next)
			told = true
		}
	}
	if !told {
		return Plan{}, false
	}
	definite := false
	for p.is(i, "my", "our", "the") {
		definite = definite || p.is(i, "the")
		p.use(i, i+1)
		i++
	}
	for k := range p.tokens {
		if p.is(k, "שלי", "שלנו", "תודה", "בבקשה") {
			p.use(k, k+1)
		}
		if p.is(k, "?") {
			return Plan{}, false
		}
	}
	for _, it := range p.items {
		p.use(it.from, it.to)
	}
	for k, t := range p.tokens {
		if !p.used[k] && t.kind == word && t.prefix == "" && (statements[t.text] || chat[t.text] && k == i ||
			t.hebrew && commanding(t.text)) {
			return Plan{}, false
		}
	}
	t, wrong := p.collect()
	if wrong == nil && t.day == nil && t.hour != nil && t.hour.sort == anHour && meets == "" {
		return p.tellingHour(t)
	}
	several := t.day != nil && t.hour == nil && meets == "" &&
		(t.day.sort == someDays || t.lastDay != nil || t.allDay != nil)
	if wrong != nil || t.day == nil || t.repeat != nil ||
		!several && (t.hour == nil || t.day.sort != aDay || t.hour.role == until) {
		return Plan{}, false
	}
	p.out = Plan{}
	if p.creating(intent{action: create, from: 0, to: 0, verbless: true}) != nil || p.failed != nil {
		return Plan{}, false
	}
	made := p.out.Create
	if meets != "" && !strings.HasPrefix(made.Title, strings.TrimSpace(meets)) {
		made.Title = meets + made.Title
	}
	p.out.Told, p.out.Definite = true, p.out.Definite || definite
	return p.finished(), true
}

// tellingHour reads a statement that says an hour and no day as the new hour of an event that is there: "the party
// begins at 16:30".
func (p *parser) tellingHour(t times) (Plan, bool) {
	if t.repeat != nil || t.period != nil || t.length != nil || t.part != nil || t.hour.role != at && t.hour.role != bare {
		return Plan{}, false
	}
	p.out = Plan{}
	made := &Update{}
	var err error
	if made.Target.Title, err = p.targetTitle(side{from: 0, to: len(p.tokens)}, intent{action: move}, false); err != nil ||
		made.Target.Title == "" || p.newHours(&made.Change, t, intent{action: move}, model.Date{}) != nil {
		return Plan{}, false
	}
	p.note(SlotChange, t.hour.from, t.hour.to)
	p.out.Tool, p.out.Update = ToolUpdate, made
	return p.finished(), true
}

// nothing are words behind "I have" and before a statement that name no event.
var nothing = setOfWords(
	"no not nothing never none any some enough lots lot much many more time been had got to idea ideas question " +
		"questions " +
		"problem problems feeling fever headache cold plan plans need way worries worry rush hurry thanks doubt news one " +
		"meetings events appointments calls longer it that this there he she they i we you who what everything all " +
		"nobody someone everyone office town here touch reach country work order control money battery " +
		"זמן משהו כלום שום מישהו הכל הכול הוא היא זה זאת אני אנחנו מי מה רעיון בעיה שאלה ברירה")

var (
	haves = framesOf(
		"i|we have an|a|my|our|the?, " +
			"i|we have got|to an|a?, i've|we've got an|a|my?, there's|there is an|a|my?, i|we have, " +
			"i|we got an|a|my, " +
			"i|we booked|scheduled|made|set an|a|my|the?, קבעתי|קבענו|הזמנתי|הזמנו, נקבע|נקבעה לי|לנו, נקבע|נקבעה")
	meetings = framesOf("אני נפגש|נפגשת|פוגש|פוגשת, אנחנו נפגשים|נפגשות|פוגשים, אני רואה")
	happens  = framesOf(
		"leaves, departs, arrives, starts, begins, lands, takes off, is coming, comes, is " +
			"arriving|leaving|departing|starting|landing, is set|scheduled|booked|planned for?, " +
			"is, takes place, will be|start|begin|leave|arrive|take, boards, opens, kicks off, is due, are coming|arriving, " +
			"goes, sails, come over?, is happening, will come, is visiting, visits, " +
			"יוצא, יוצאת, מפליג, מפליגה, ממריא, ממריאה, נוחת, נוחתת, מגיע, מגיעה, מגיעים, בא, באה, באים, מתחיל, מתחילה, " +
			"מתקיים, מתקיימת, " +
			"תתקיים, יתקיים, נפתח, נפתחת, תהיה, יהיה, תצא, יצא, " +
			"תתחיל, יתחיל, יגיע, תגיע, יבוא, תבוא, נקבע, נקבעה, נקבעו, חל, חלה")
)
