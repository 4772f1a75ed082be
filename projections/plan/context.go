package plan

import (
	"regexp"
	"slices"
	"strings"

	"almanac/projections/when"
)

// clauseBreak stands between why something is asked for and what is asked for.
var clauseBreak = regexp.MustCompile(`(?i)\s*[,;]\s+(?:(?:so|and so|then|אז|לכן|ולכן) )?|\s+[-–—]\s+|[.!]\s+|` +
	`\s+(?:so|אז) `)

// withoutContext leaves out a clause before a command that only says why: "my back is better, cancel the physio". The
// command must say by itself what it is about. A day that the clause says is the day of what is cancelled.
func withoutContext(text string, at when.Moment) (string, bool) {
	for _, found := range clauseBreak.FindAllStringIndex(text, 4) {
		head, rest := strings.TrimSpace(text[:found[0]]), strings.TrimSpace(text[found[1]:])
		if head == "" || rest == "" {
			continue
		}
		if named, ok := withName(head, rest, at); ok {
			return named, true
		}
		if !standsAlone(rest, at) {
			continue
		}
		if days, ok := context(head, rest, at); ok {
			return strings.TrimSpace(rest + " " + days), true
		}
	}
	return text, false
}

// context reports whether a clause only says why a command follows, and which day it names for what is cancelled. What
// is itself a wish, a condition, a question or a thing to be done is none.
func context(head, rest string, at when.Moment) (days string, ok bool) {
	p := newSentence(head, at)
	i := p.lead()
	if words := len(strings.Fields(head)); words < 2 || words < 3 && !p.hebrewText {
		return "", false
	}
	if i >= len(p.tokens) || p.commandAt(i) || asking[p.tokens[i].text] || p.deedAt(i) || p.infinitive(i) {
		return "", false
	}
	if _, owes := p.dutyAt(i); owes || p.is(i, "don't", "do", "dont", "אל", "never", "unless", "only", "not", "please",
		"in", "at", "on", "for", "as") {
		return "", false
	}
	for k, t := range p.tokens {
		if t.kind == quote || t.kind == address || p.has(k, taskNouns) || p.has(k, listWords) ||
			t.kind == mark && strings.ContainsAny(t.text, "?:\"") ||
			t.prefix == "" && conditions[t.text] {
			return "", false
		}
		if it, timed := p.itemAt(k); timed && it.sort != aPart && it.sort != aLength && it.sort != aShift {
			if it.sort != aDay || days != "" && it.from > 0 && !strings.Contains(days, p.wordsOf(head, it.from, it.to)) {
				return "", false
			}
			if days == "" {
				days = p.wordsOf(head, it.from, it.to)
			}
		}
	}
	command := newSentence(rest, at)
	if act, _ := command.verbAt(command.lead()); days != "" && (act != cancel && act != remove || saysTime(rest, at)) {
		return "", false
	}
	if out, err := understandAs(head, at); err == nil && !out.Tool.Reads() && !(out.Delete != nil && !saysTime(head, at) &&
		bailed().MatchString(head)) {
		return "", false
	}
	return days, true
}

// conditions are words that make a clause more than a reason.
var conditions = setOfWords("if unless when once until till before after or either whether while remind " +
	"אמ כש כאשר עד לפני " +
	"אחרי או תזכיר תזכירי need want צריכ צריכה רוצה")

// standsAlone reports whether a text is a command that names what it is about: more than "it", and more than a time.
func standsAlone(text string, at when.Moment) bool {
	p := newSentence(text, at)
	i := p.lead()
	if i >= len(p.tokens) || !p.commandAt(i) || p.conditional() >= 0 {
		return false
	}
	reminds, next := false, i
	if end, ok := p.frameAt(i, commands); ok {
		reminds, next = true, end
	} else if _, end := p.verbAt(i); end > i {
		next = end
	}
	for p.is(next, "את", "לי", "לנו", "me", "us", "please", "בבקשה") {
		next++
	}
	if !reminds && next < len(p.tokens) && standIns[p.tokens[next].text] {
		return false
	}
	p.scan()
	for _, it := range p.items {
		p.use(it.from, it.to)
	}
	p.useCalendar()
	for ; next < len(p.tokens); next++ {
		t := p.tokens[next]
		if p.used[next] || t.kind == mark || standIns[t.text] || thingless[t.text] || p.has(next, taskNouns) ||
			p.has(next, listWords) || p.is(next, "off", "out", "down", "back", "up", "over", "the", "my",
			"our", "a", "an", "זה") {
			continue
		}
		return true
	}
	return false
}

// standIns stand for something that was named before.
var standIns = setOfWords("it that this them these those him her אותו אותה אותמ אותנ זה זאת כולמ הכל הכול")

var (
	withThem = regexp.MustCompile(`(?i)(^| )(?:with (?:him|her|them)|(?:איתו|איתה|איתם|אתו|אתה|עמו|עמה))(?: |$)`)
	bailed   = lazily(`^(?i)(\pL+) (?:has |just |had to )*(?:cancel(?:l?ed)?|bailed|can't|cannot|won't|is sick|is ill|` +
		`is away|ביטל|ביטלה|ביטלו|הבריז|הבריזה|חולה|לא יכול|לא יכולה|לא מגיע|לא מגיעה|לא בא|לא באה)(?: .*)?$`)
)

// withName puts the name of a clause into the command behind it: "Daniel cancelled, delete the meeting with him".
func withName(head, rest string, at when.Moment) (string, bool) {
	who := bailed().FindStringSubmatch(head)
	if who == nil || saysTime(head, at) || !withThem.MatchString(rest) {
		return "", false
	}
	joint := " with "
	if newSentence(rest, at).hebrewText {
		joint = " עם "
	}
	out := strings.Join(strings.Fields(withThem.ReplaceAllString(rest, joint+who[1]+" ")), " ")
	return out, newSentence(out, at).commandAt(0)
}

// Instructions behind a statement that it is to be put down: in the calendar, among the tasks, or wherever it belongs.
var (
	putDown = lazily(`^(?i)(.+?)(?:\s*[,;.!]|\s+[-–—])\s*(?:and |so |then |אז )?(?:please |pls |just |can you |` +
		`could you )*` +
		`(?:(?:put|add|pop|stick|log|book|enter|note|jot|write|mark|pencil|schedule|throw|slot|save|get) ` +
		`(?:it|that|this|them|me|us)(?: (?:in|down|up|on|to|into|onto|for (?:me|us)))*|` +
		classes["רשומ"] + `(?: (?:לי|לנו))?(?: (?:את זה|אותו|אותה|אותם))?|` + hebrewVerbs("תשריינ תסמנ") +
		`(?: (?:לי|לנו))?)` +
		`(?P<where>(?: (?:the |my |our )?(?:calendar|diary|schedule|agenda)| [בל](?:יומן|לוז|לו"ז|לו״ז))|` +
		`(?: (?:as|to be) an? (?:task|to-?do|reminder)| (?:on |to |in |onto )?(?:the |my |our )?(?:tasks?|to-?dos?|to ` +
		`do|reminders)` +
		`(?: list)?| כ(?:משימה|מטלה|תזכורת)| [בל](?:משימות|מטלות|רשימת המשימות|רשימת המטלות)(?: שלי)?)|)` +
		`(?: (?:please|pls|thanks|בבקשה|תודה))*[.!]*$`)
	marking = lazily(`(?i)mark|tick|check|סמן|סמני`)
	ofTasks = regexp.MustCompile(`(?i)task|to-?do|to do|remind|משימ|מטל|תזכורת`)
	// heads begin a statement of what was arranged.
	heads = lazily(`^(?i)(?:ok |okay |so |hey |well )*(?:(?:they|he|she|we|the \pL+(?: \pL+)?) ` +
		`(?:gave|got|booked|scheduled|offered|put|set|slotted) (?:me|us)(?: down| in| up)?(?: for| with)? (?:an? |the )?|` +
		`(?:i|we)(?:'ve| have)? (?:just |already )?(?:got|booked|made|scheduled|set up|arranged|agreed on|have) ` +
		`(?:an? |my )?|` +
		`(?:i'm|we're|i am|we are) (?:having|celebrating|hosting|throwing|attending|doing|going to|taking|running) (?:an? |` +
		`the |my )?|` +
		`there's (?:an? )?|` +
		`(?:נתנו|קבעו|סידרו|הציעו) (?:לי|לנו) |(?:קבעתי|סידרתי|תיאמתי|הזמנתי|קבענו|סגרתי|סגרנו|ארגנתי|תיאמנו|` +
		`עשינו)(?: לי| לנו)? |` +
		`(?:בא לי|מתחשק לי|אני רוצה|אני צריך|אני צריכה) |יש (?:לי|לנו) )`)
	// owed says before an infinitive that somebody has to do it.
	owed = lazily(`^(?i)(.*?)(?:(?:i|we) (?:really )?(?:(?:need|have|must|ought|should|want)(?: to)?|keep ` +
		`forgetting to|promised to|always forget to) |` +
		`(?:אני |אנחנו )?(?:צריך|צריכה|צריכים|חייב|חייבת|חייבים|מוכרח|מוכרחה) (?:כבר |גם )?(?:ל))(.+)$`)
)

// putDownAs reads a statement with the instruction to put it down behind it as the command that it is: "an ultrasound
// on Tuesday at 8:20, put it in", "להגיש דוח עד יום שלישי, תכניס כמשימה".
func putDownAs(text string, at when.Moment) (string, bool) {
	found := putDown().FindStringSubmatch(text)
	if found == nil {
		return text, false
	}
	said, where := strings.TrimSpace(found[1]), found[2]
	p := newSentence(said, at)
	if p.asks() || p.commandAt(p.lead()) || p.conditional() >= 0 {
		return text, false
	}
	hebrew := p.hebrewText
	if ofTasks.MatchString(where) {
		prefix := "remind me to "
		if hebrew {
			prefix = "תזכיר לי "
		}
		if cut := owed().FindStringSubmatch(said); len(cut) == 3 && (cut[1] == "" || onlyTimes(cut[1], at)) {
			if hebrew && !doing("ל"+firstOf(cut[2])) {
				return text, false
			}
			if hebrew {
				return prefix + cut[1] + "ל" + cut[2], true
			}
			if cut[1] != "" {
				prefix = "remind me " + strings.TrimRight(cut[1], ", ") + " to "
			}
			return prefix + cut[2], true
		}
		if p.is(p.lead(), "i", "we", "אני", "אנחנו") || ownPast().MatchString(said) {
			return text, false
		}
		return prefix + said, true
	}
	cut := said
	if head := heads().FindString(said); head != "" && len(said) > len(head) {
		cut = said[len(head):]
	} else if out, err := understandAs(said, at); err == nil && (out.Tool == ToolCreate ||
		out.Tool == ToolCompleteTask && marking().MatchString(text[len(found[1]):])) {
		return said, true
	} else if where == "" && (err == nil && !out.Tool.Reads() || !saysTime(said, at)) {
		return text, false
	}
	if hebrew {
		return "תוסיף ליומן " + cut, true
	}
	return "add to my calendar " + cut, true
}

// Words of an instruction that a name does not have: a command at its end or its beginning, and what somebody has done.
var (
	instructed = lazily(`(?i)(?:^|[\s,])(?:(?:put|add|book|log|note|update|change|move|cancel|delete|mark|schedule) ` +
		`(?:it|that|this|them)(?: (?:in|down|up|on|please|off|out))?$)|` +
		`(?:^|[\s,])(?:` + classes["רשומ"] + `|` + classes["בטל"] + `|` + classes["הזז"] + `|` +
		hebrewVerbs("תסמנ תעדכנ תשנה תתקנ תשמור תעשה") + `)(?: (?:את זה|אותו|אותה|לי|לנו|ביומן|ליומן))*(?:[,.!]|$)|` +
		`^(?:` + hebrewVerbs("תסמנ תעדכנ תשנה תתקנ תשמור תעשה תרשומ תציינ") + `) `)
	instructedTask = lazily(`(?i)[,;] ?(?:(?:put|add|log|note|mark|make|save|book|schedule|arrange|set) ` +
		`(?:it|that|this)(?: .{0,30})?|` +
		`(?:` + classes["רשומ"] + `|` + hebrewVerbs("תסמנ תשמור") + `)(?: .{0,20})?)$`)
	// told is the beginning of a statement, or what somebody does at that time behind a name: "the market, we leave at 9".
	told = lazily(`(?i)^(?:i'm|i am|we're|we are|i'll|we'll|he's|she's|they're) |` +
		`^(?:works|suits) for | confirmed for | (?:would|will|should|could|might) be(?: |$)|` +
		` (?:i'll|we'll|he'll|she'll|they'll|it'll|it's|let's|lets|i'm|we're|they're|he's|she's|i've|we've)(?: |$)|` +
		` (?:i|we|they|he|she) (?:leave|meet|start|begin|go|arrive|finish|end|set off|fly|drive)s?$`)
	ownPast = lazily(`^(?:\S{3,}תי|עשינו|קבענו|סיכמנו|תיאמנו|הבטחנו|אמרו|נתנו|ביקשו|ביטלו|דחו) `)
)

// instructing reports whether the name of what would be made holds a part of the instruction to make it, or the verb of
// a statement that was not read.
func instructing(out Plan) bool {
	if c := out.Create; c != nil {
		return instructed().MatchString(c.Title) || ownPast().MatchString(c.Title) || told().MatchString(c.Title)
	}
	if out.List != nil && slices.ContainsFunc(out.List.Items, instructedTask().MatchString) {
		return true
	}
	if out.Task != nil && out.Tool == ToolCreateTask {
		for _, one := range out.Task.New {
			if instructedTask().MatchString(one.Text) {
				return true
			}
		}
	}
	return false
}
