package plan

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"almanac/projections/when"
)

// Reminders that are counted from an event: what is to be done, how long before or after, and the event.

// reminding begins a reminder in patterns, distance is how far from the event it is.
const (
	reminding = `(?:please |pls )?(?:remind me|set (?:me )?a reminder|give me a reminder|nudge me|ping me|alert me|` +
		`(?:תזכיר|תזכירי|תזכירו|הזכר|הזכירי|שימי? לי תזכורת|תשימי? תזכורת|תני? לי תזכורת)(?: לי| לנו)?)`
	distance = `(?P<amount>(?:(?:a |an |one |the )?(?:day|night|evening|week)|(?:half an?|a quarter of an|an|a|one|` +
		`two|three|four|five|` +
		`ten|fifteen|twenty|thirty|forty|forty-five|sixty|a couple of|\d+)[ -](?:minutes?|mins?|hours?|hrs?|days?|weeks?)|` +
		`right|just|(?:רבע |חצי )?שעה(?: וחצי| ורבע)?|שעתיים|יום|יומיים|שבוע|שבועיים|ערב|לילה|` +
		`(?:שתי|שלוש|ארבע|חמש|עשר|עשרים|שלושים|ארבעים|שלושה|ארבעה|חמישה|\d+) (?:דקות|שעות|ימים|שבועות)|ישר|מיד))`
	besides = `(?P<way>before|prior to|after|לפני|אחרי)`
)

// besidePatterns are the orders in which the parts stand; "rest" is the event, with what is to be done perhaps behind
// it.
var besidePatterns = []func() *regexp.Regexp{
	lazily(`^(?i)` + reminding + ` ` + distance + ` ` + besides + ` (?P<event>.+?),? (?:to|that i (?:need|have) to|` +
		`about) (?P<what>.+)$`),
	lazily(`^(?i)` + reminding + ` (?:to|about|of|that) (?P<what>.+?),? ` + distance + ` ` + besides + ` (?P<event>.+)$`),
	lazily(`^(?i)` + distance + ` ` + besides + ` (?P<event>.+?),? ` + reminding + ` (?:to |about )?(?P<what>.+)$`),
	lazily(`^(?i)` + reminding + ` (?P<what>ל\S\S.*?),? ` + distance + ` ` + besides + ` (?P<event>.+)$`),
	lazily(`^(?i)` + distance + ` ` + besides + ` (?P<rest>.+?),? ` + reminding + `$`),
	lazily(`^(?i)` + reminding + ` ` + distance + ` ` + besides + ` (?P<rest>.+)$`),
	lazily(`^(?i)` + reminding + ` (?:to )?(?P<what>.+?),? (?P<way>after|when i(?:'m| am)? (?:finish(?:ed)?|done ` +
		`with|leave)|אחרי) ` +
		`(?P<event>(?:the |my |our )\S.*|ה\S+(?: \S+){0,4})$`),
	lazily(`^(?i)(?P<way>when i(?:'m| am)? (?:finish(?:ed)?|done with)|כשאני (?:גומר|גומרת|מסיים|מסיימת|יוצא מ|יוצאת מ)|` +
		`כש(?:אסיים|אגמור|נגמר|נגמרת|ייגמר|תיגמר)|אחרי|after) (?:את )?` +
		`(?P<event>(?:the |my |our )?\S.*?),? ` + reminding + ` (?:to )?(?P<what>.+)$`),
	lazily(`^(?i)` + reminding + ` (?P<way>after|when i(?:'m| am)? (?:finish(?:ed)?|done with)) (?P<event>(?:the |` +
		`my |our )\S.*?),? to ` +
		`(?P<what>.+)$`),
}

// besideEvent reads a reminder that is counted from an event: "remind me an hour before the dentist to eat", "תזכיר לי
// יום לפני הטיסה לארוז".
func besideEvent(text string, at when.Moment) (Plan, bool) {
	bare := strings.TrimRight(strings.TrimSpace(courteous.ReplaceAllString(text, "")), ".! ")
	if len(bare) > longestReworded || strings.ContainsAny(bare, "\n\"?") || !besideCue().MatchString(bare) {
		return Plan{}, false
	}
	for _, pattern := range besidePatterns {
		found := pattern().FindStringSubmatch(bare)
		if found == nil {
			continue
		}
		group := func(name string) string {
			if i := pattern().SubexpIndex(name); i >= 0 {
				return strings.TrimSpace(found[i])
			}
			return ""
		}
		if timed, ok := besideHour(group("amount"), group("way"), group("event"), group("what"), at); ok {
			return timed, true
		}
		var out Plan
		for _, cut := range divided(group("event"), group("what"), group("rest"), at) {
			one, ok := besidePlan(group("amount"), group("way"), cut[0], cut[1], at)
			switch {
			case !ok:
			case out.Task == nil:
				out = one
			default: // what is not the name of an event is not found, so the other division is meant
				first := out.Task.New[0].Beside
				first.Or = append(first.Or, one.Task.New[0])
			}
		}
		if out.Task != nil {
			return out, true
		}
	}
	return Plan{}, false
}

// besideHour reads a distance from an hour, "10 minutes before 4pm to dial in", as the hour that it is.
func besideHour(amount, way, event, what string, at when.Moment) (Plan, bool) {
	b := &Beside{}
	after := way == "after" || way == "אחרי"
	if event == "" || what == "" || !onlyTimes(event, at) || !b.distanceSaid(amount, after, at) || b.Hour > 0 {
		return Plan{}, false
	}
	text := "remind me at " + event + " to " + what
	if newSentence(event+what, at).hebrewText {
		text = "תזכיר לי ב" + event + " " + what
	}
	out, err := understandAs(text, at)
	if err != nil || out.Task == nil || len(out.Task.New) != 1 || out.Task.New[0].Due.IsZero() ||
		slices.Contains(out.Defaulted, SlotStart) {
		return Plan{}, false
	}
	one := &out.Task.New[0]
	one.Text, one.Due = leading(what), one.Due.AddDate(0, 0, b.Days).Add(b.Length)
	out.Spans = nil
	return out, one.Due.After(at.Now)
}

// divided are the ways to divide what follows "before" into the event and what is to be done, which begins with "to" or
// with a Hebrew infinitive; the longest name first.
func divided(event, what, rest string, at when.Moment) (out [][2]string) {
	if rest == "" {
		out = append(out, [2]string{event, what})
		for i := 0; ; {
			k := strings.Index(what[i:], " to ")
			if k < 0 {
				return out
			}
			i += k + len(" to ")
			out = append([][2]string{{event + " to " + what[:i-len(" to ")], what[i:]}}, out...)
		}
	}
	out = append(out, [2]string{rest, ""})
	p := newSentence(rest, at)
	for i := len(p.tokens) - 1; i > 0; i-- {
		if p.infinitive(i) || doing(p.tokens[i].text) {
			out = append(out, [2]string{strings.TrimRight(rest[:p.tokens[i].from], ", "), rest[p.tokens[i].from:]})
		}
	}
	return out
}

// besideCue is in each sentence that the patterns read.
var besideCue = lazily(`(?i)(?:remind|reminder|nudge|ping|alert|זכיר|זכר|תזכורת).*`)

// besidePlan makes the plan of its parts; false where one of them is not what it has to be.
func besidePlan(amount, way, event, what string, at when.Moment) (Plan, bool) {
	p := newSentence(event, at)
	if event == "" || what != "" && (saysTime(what, at) || asking[firstOf(what)]) || asking[firstOf(event)] {
		return Plan{}, false
	}
	out := &Beside{}
	p.scan()
	for _, it := range p.items {
		if it.sort != aDay || out.Window != nil || !it.day.at.IsZero() {
			return Plan{}, false
		}
		p.use(it.from, it.to)
		from := wall(it.day.date, 0, p.now.Location())
		out.Window = &Window{From: from, To: wall(it.day.date.AddDays(1), 0, p.now.Location())}
	}
	var left []int
	for i, t := range p.tokens {
		if !p.used[i] && t.kind != mark && !(len(left) == 0 && p.is(i, "the", "my", "our", "this", "את")) {
			left = append(left, i)
		}
	}
	if p.failed != nil || len(left) == 0 || len(left) > longestThing || !isThing(p.joined(left), at) {
		return Plan{}, false
	}
	out.Event = p.joined(left)
	after := way != "before" && way != "prior to" && way != "לפני"
	out.End = after
	if !out.distanceSaid(amount, after, at) {
		return Plan{}, false
	}
	hebrew := p.hebrewText || newSentence(what, at).hebrewText
	if what != "" { // without it the event itself is what is to be remembered
		what = leading(what)
	}
	return Plan{Tool: ToolCreateTask, Hebrew: hebrew, Task: &Task{New: []NewTask{{Text: what, Beside: out}}}}, true
}

// distanceSaid reads how far from the event the time is.
func (b *Beside) distanceSaid(said string, after bool, at when.Moment) bool {
	sign := -1
	if after {
		sign = 1
	}
	switch words := strings.ToLower(said); words {
	case "", "right", "just", "ישר", "מיד":
		return after
	case "day", "a day", "one day", "the day", "יום":
		b.Days = sign
	case "week", "a week", "the week", "one week", "שבוע":
		b.Days = 7 * sign
	case "evening", "the evening", "an evening", "night", "the night", "a night", "ערב", "לילה":
		b.Days, b.Hour = sign, evening.hour()
	default:
		p := newSentence(said, at)
		a, _, next, ok := p.amountAt(0)
		if !ok || next < len(p.tokens) || a.months != 0 {
			return false
		}
		b.Days, b.Length = sign*a.days, time.Duration(sign)*a.duration()
		if a.calendar() {
			b.Length = 0
		}
	}
	return true
}
