package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"almanac/projections/when"
)

// rewording is a way to say something, and the words that the rest of the grammar reads. The groups of its patterns are
// held to what their names say: "t" is made of times and nothing else, "u" too where it is not empty, "o" is the time
// before and says a day where "t" does; "x" names a thing, "y" one without a time, "c" a series, "e" an event by a word
// that only events have, "g" goods, "s" who writes, "k" a task by its text, "a" what is said behind a ש; "p" is a place
// behind its preposition, "l" one that is no manner; "r", "w" and "z" only say why; "h" says a time, "n" is a time with
// a day, "f" one with its day and its hour, "i" one without a day, "j" a day or a period behind what is left of its
// preposition; "d" begins with what is to be done, and "v" begins with a verb of the tables.
type rewording struct {
	// said returns a pattern for each number of words that its first part may have, in the order in which they are tried;
	// one pattern where that does not matter.
	said func() []*regexp.Regexp
	// any is the pattern for any number of words, which most sentences do not fit.
	any func() *regexp.Regexp
	as  string
	// reads says that the words only ask.
	reads bool
}

// classes are the word classes that patterns name between angle brackets.
var classes = map[string]string{
	"DEF": `(?:the |my |our |this |that )?`,
	"it":  `(?:it|that|this|them|these|those|him|her|that one|this one)`,
	"be":  `(?:is|are|was|were|got|gets|has been|have been|had been|has|have|'s|been|being)`,
	"shifted": `(?:moved|shifted|pushed(?: back)?|bumped|rescheduled|postponed|delayed|put off|brought (?:forward|up)|` +
		`pulled (?:forward|up)|moved (?:forward|up)|switched|changed)`,
	"shift": `(?:move|shift|push(?: back)?|bump|reschedule|postpone|delay|shove|slide|kick|bring forward|switch|` +
		`change|defer|swap)`,
	"cancel": `(?:cancel|delete|drop|scrap|remove|kill|skip|bin|nix|ditch|axe|scratch|lose|toss(?: out)?|trash|erase|` +
		`call off|get rid of|chuck(?: out)?|dump|wipe|strike|zap|take off|cross (?:out|off)|strike out|rub out)`,
	"done": `(?:done|finished|complete|completed|sorted(?: out)?|handled|taken care of|dealt with|out of the way|` +
		`wrapped up|all set|ticked off|checked off)`,
	"tick": `(?:tick|check|done|mark it|mark that|tick it|tick that|check it off|cross it off|close it|close that one)`,
	"must": `(?:should|must|needs? to|has to|have to|had better|ought to|is supposed to)`,
	"length": `((?:an hour|half an hour|a quarter of an hour|(?:an|one|two|three|four|five|six|seven|eight|` +
		`\d+(?:\.5)?)(?: and a half)? ` +
		`(?:hours?|hrs?)(?: and a (?:half|quarter))?|(?:\d+|ten|fifteen|twenty|thirty|forty|forty-five|fifty|ninety) ` +
		`(?:minutes?|mins?)))`,
	"count": `(?:a|an|one|two|three|four|five|six|seven|eight|ten|fifteen|twenty|thirty|forty|\d+|half an|a quarter of ` +
		`an|a couple ` +
		`of)`,
	"unit":  `(?:minutes?|mins?|hours?|hrs?|days?|weeks?|months?)`,
	"kinds": `(?:name|number|phone|code|password|pin|size|address|combination|plate|license|id|passcode|e?mail)`,
	"הזז":   hebrewVerbs("תזיז תעביר תדחה תגרור תקפיצ תדחופ"),
	"בטל":   hebrewVerbs("תבטל תמחק תסיר תוריד תעיפ תזרוק תוציא תנקה תוותר"),
	"רשומ":  hebrewVerbs("תוסיפ תכניס תרשומ תשימ תכתוב תזרוק תקבע תרביצ"),
	"סמנ":   hebrewVerbs("תסמנ תסגור תמחק תוריד"),
	"פנה":   hebrewVerbs("תפנה תשריינ תשמור תחסומ"),
	"שנה":   hebrewVerbs("תשנה תעדכנ תחליפ"),
	"עדכנ": `(?:תעדכני?|תעדכן|תעדכנו|עדכני?|עדכן|לעדכן|תתקני?|תתקן|תתקנו|תקן|תקני|לתקן|תשנה|תשנו|לשנות|תחליפי?|` +
		`תחליף)`, // not "שני", which is a day
	"קדמ":  hebrewVerbs("תקדימ"),
	"אחר":  hebrewVerbs("תדחה תאחר"),
	"ארכ":  hebrewVerbs("תאריכ"),
	"קצר":  hebrewVerbs("תקצר"),
	"שכח":  hebrewVerbs("תשכח"),
	"כתוב": hebrewVerbs("תרשומ תכתוב תציינ"),
	"בוא":  `(?:מגיע|מגיעה|מגיעים|יגיע|תגיע|יגיעו|בא|באה|באים|יבוא|תבוא|יבואו)`,
	"הוזז": `(?:זז|זזה|זזו|עבר|עברה|עברו|עובר|עוברת|עוברים|עוברות|נדחה|נדחתה|נדחו|נדחית|נדחים|הוקדם|הוקדמה|` +
		`הוקדמו|הועבר|הועברה|הועברו|הוזז|הוזזה|הוזזו|שונה|שונתה|שונו|מוקדם|מוקדמת)`,
	"יהיה": `(?:יהיה|תהיה|יהיו|יתחיל|תתחיל|יתחילו|מתחיל|מתחילה|מתחילים|יתקיים|תתקיים|יתקיימו|תתקיימנה|מתקיים|מתקיימת|` +
		`מתקיימים|מתקיימות|ייערך|תיערך|ייערכו|נהיה|נהיית|יצא|תצא|יוצא|יוצאת|ממריא|ממריאה|יוצאים|תיפתח|ייפתח|נפתח|נפתחת|` +
		`הוא|היא|הם|זה)`,
	"ייגמר": `(?:נגמר|נגמרת|ייגמר|תיגמר|יגמר|תגמר|מסתיים|מסתיימת|יסתיים|תסתיים|נסגר|נסגרת)`,
	"אותו":  `(?:אותו|אותה|אותם|אותן|את זה|את זאת|את ההוא)`,
	"גמור":  `(?:בוצע|בוצעה|בוצעו|נעשה|נעשתה|גמור|גמורה|סגור|סגורה|הושלם|הושלמה|טופל|טופלה|סודר|מאחורינו|וי|צ'ק|✓|✔|✅)`,
	"כבר":   `(?:כבר |סוף סוף |בסוף )?`,
}

// hebrewVerbs are the forms of commands of verbs that are given in the future of the second person, as alternatives of
// a pattern: future, imperative and infinitive, of both genders and the plural.
func hebrewVerbs(futures string) string {
	var all []string
	for future := range strings.FieldsSeq(futures) {
		all = append(all, conjugated(future)...)
	}
	for i, form := range all {
		all[i] = finalLetter(form)
	}
	return `(?:` + strings.Join(all, "|") + `)`
}

// conjugated returns the forms of a command by the build of the verb, which its future shows: a last ה falls before an
// ending, a ו before the last letter does too, and a י there makes the imperative with ה.
func conjugated(future string) []string {
	letters := []rune(future)
	n := len(letters)
	base := string(letters[1:])
	stem, command, to := future, base, "ל"+base
	switch {
	case letters[n-1] == 'ה':
		stem = string(letters[:n-1])
		to = "ל" + string(letters[1:n-1]) + "ות"
	case letters[n-2] == 'ו' && n > 4:
		stem = string(letters[:n-2]) + string(letters[n-1])
	case letters[n-2] == 'י' && n > 3 && future != "תשימ":
		command, to = "ה"+string(letters[1:n-2])+string(letters[n-1]), "לה"+base
		if letters[1] == 'ו' {
			to = "לה" + base
		}
		return []string{future, future + "י", future + "ו", command, "ה" + base + "י", "ה" + base + "ו", to}
	}
	return []string{future, stem + "י", stem + "ו", command, strings.TrimPrefix(stem, "ת") + "י",
		strings.TrimPrefix(stem, "ת") + "ו", to}
}

// finalLetter writes the last letter of a Hebrew word in its final form; patterns match texts as they are written.
func finalLetter(word string) string {
	for plain, final := range map[string]string{"כ": "ך", "מ": "ם", "נ": "ן", "פ": "ף", "צ": "ץ"} {
		if cut, ok := strings.CutSuffix(word, plain); ok {
			return cut + final
		}
	}
	return word
}

var classNamed = regexp.MustCompile(`<([\pL]{2,})>`)

// longestThing is how many words the name of a thing has at most.
const longestThing = 7

// longestReworded is how many bytes a sentence has at most that is looked at for other words.
const longestReworded = 400

// wordSaid is a word in a pattern, without a mark that ends a clause behind it.
const wordSaid = `[^\s,;]*[^\s,;:?]`

// worded makes a rewording of a pattern in which <name> stands for a class of words, DEF for an article, {x} for a
// thing, {y} for one without a time, {c} for a series, {g} for goods, {s} for who writes, {t} for a time, {every} for a
// recurrence, {r} for a reason, {e} for an event, {p} for a place behind its preposition and {v} for a command.
func worded(pattern, as string) rewording {
	pattern = strings.ReplaceAll(pattern, "DEF", classes["DEF"])
	pattern = classNamed.ReplaceAllStringFunc(pattern, func(name string) string {
		class, ok := classes[name[1:len(name)-1]]
		if !ok {
			panic("no class of words " + name)
		}
		return class
	})
	pattern = strings.NewReplacer("{t}", `(?P<t>.+?)`, "{p}", `(?P<p>(?:in|at|on|to|via|over) (.+?))`, "{v}",
		`(?P<v>\pL.+)`,
		"{r}", `(?P<r>\S+(?: \S+){0,6})`).Replace(pattern)
	return rewording{as: as, said: sync.OnceValue(func() []*regexp.Regexp { return split(pattern) }),
		any: lazily(`^(?i)` + anyThing.Replace(pattern) + `$`)}
}

// anyThing puts any words in place of a thing.
var anyThing = strings.NewReplacer("{x}", `(?:.+)`, "{y}", `(?:.+)`, "{g}", `(?:.+)`, "{c}", `(?:.+)`, "{e}",
	`(?:.+)`, "{s}", `(?:.+)`, "{k}", `(?:.+)`, "{a}", `(?:.+)`,
	"{every}", `(?:every .+)`)

// split returns the patterns of a way: its first part has one word, two, and so on.
func split(pattern string) (out []*regexp.Regexp) {
	for words := range longestThing {
		one := pattern
		for _, name := range []string{"x", "y", "g", "c", "e", "s", "k", "a"} {
			one = strings.Replace(one, "{"+name+"}", fmt.Sprintf(`(?P<%s>%s(?: %s){%d})`, name, wordSaid, wordSaid, words), 1)
		}
		one = strings.Replace(one, "{every}", fmt.Sprintf(`(?P<u>every \S+(?: \S+){%d})`, longestThing-1-words), 1)
		out = append(out, regexp.MustCompile(`^(?i)`+one+`$`))
		if one == pattern {
			break
		}
	}
	return out
}

// asked is worded for a question.
func asked(pattern, as string) rewording {
	out := worded(pattern, as)
	out.reads = true
	return out
}

// reworded puts what is said in a way that has many forms into the words that the rest of the grammar reads. A question
// becomes only another question; false when nothing was found.
func reworded(text string, at when.Moment) (string, bool) {
	if len(text) > longestReworded || quotes(text) {
		return text, false
	}
	asks := newSentence(text, at).asks()
	out := respelt(strings.TrimSpace(text))
	if other, ok := beforeContext(out, asks, at); ok {
		if again, ok := reworded(other, at); ok {
			other = again
		}
		return other, true
	}
	for _, ways := range [][]rewording{hebrewManners, fillers} {
		for _, way := range ways {
			out, _ = way.put(out, at)
		}
	}
	asks = newSentence(out, at).asks()
	bare := thisOnes().ReplaceAllString(strings.TrimRight(out, ".! "), "the $1")
	if !asks {
		out, bare = contracted(out), contracted(bare)
		if other, ok := newSentence(bare, at).doneThing(bare); ok {
			return other, true
		}
	}
	if other, ok := byWays(bare, asks, at); ok {
		return other, true
	}
	if other, ok := withoutAside(bare, at); ok {
		return other, true
	}
	if !asks {
		if other, ok := withoutHebrewAside(bare, at); ok {
			return other, true
		}
	}
	if asks || surely(bare, at) {
		return out, out != text
	}
	for _, way := range slices.Concat(facts, englishFacts, englishPlaces) {
		if other, ok := way.put(bare, at); ok {
			return other, true
		}
	}
	if other, ok := withoutSame(bare, at); ok {
		return other, true
	}
	if head, ok := withoutReason(bare, at); ok {
		if again, ok := reworded(head, at); ok {
			head = again
		}
		return head, true
	}
	if other, ok := withoutContext(bare, at); ok {
		if again, ok := reworded(other, at); ok {
			other = again
		}
		return other, true
	}
	return out, out != text
}

// byWays tries the ways of all sentences in their order; a question becomes only another question.
func byWays(text string, asks bool, at when.Moment) (string, bool) {
	for _, ways := range [][]rewording{cuedWays(text), hebrewChanges, hebrewMatters, hebrewAsked, hebrewNews,
		hebrewWays, rewordings, furtherWays, englishWays, hebrewLater, hebrewQuestions, furtherQuestions, englishQuestions} {
		for _, way := range ways {
			if asks && !way.reads {
				continue
			}
			if other, ok := way.put(text, at); ok {
				return other, true
			}
		}
	}
	return text, false
}

// quotes reports whether a text has several lines or a quotation; the sign within a Hebrew abbreviation is none.
func quotes(text string) bool {
	return strings.ContainsAny(hebrewAbbreviation().ReplaceAllString(text, "$1$2"), "\n\"“”„")
}

var hebrewAbbreviation = lazily(`(\p{Hebrew})"(\p{Hebrew})`)

// surely reports whether a command has a plan as it is that is more than an event of its words.
func surely(text string, at when.Moment) bool {
	if p := newSentence(text, at); !p.commandAt(p.lead()) {
		return false
	}
	out, err := understandAs(text, at)
	return err == nil && (out.Create == nil || !out.Told && !out.Verbless && !out.Definite)
}

// beforeContext reads a fact with the wish to put it down, or to bring up to date what is there, behind it.
func beforeContext(text string, asks bool, at when.Moment) (string, bool) {
	if asks {
		return text, false
	}
	bare := strings.TrimRight(text, ".! ")
	if found := updated().FindStringSubmatch(bare); found != nil {
		for _, way := range changedFacts {
			if other, ok := way.put(strings.TrimRight(found[1], ",.- "), at); ok {
				return other, true
			}
		}
	}
	if found := putDown().FindStringSubmatch(bare); found != nil {
		for _, way := range englishPlaces {
			if other, ok := way.put(strings.TrimRight(found[1], ",.- "), at); ok {
				return other, true
			}
		}
	}
	return putDownAs(bare, at)
}

// put is the sentence in other words; false when it is not of this way.
func (r rewording) put(text string, at when.Moment) (string, bool) {
	if !r.any().MatchString(text) {
		return text, false
	}
	for _, said := range r.said() {
		if other, ok := r.putBy(said, text, at); ok {
			return other, true
		}
	}
	return text, false
}

// putBy is put for one of the patterns.
func (r rewording) putBy(said *regexp.Regexp, text string, at when.Moment) (string, bool) {
	found := said.FindStringSubmatch(text)
	if found == nil {
		return text, false
	}
	times := ""
	if t := said.SubexpIndex("t"); t >= 0 {
		times = found[t]
	}
	for i, name := range said.SubexpNames() {
		part := strings.TrimSpace(found[i])
		switch name {
		case "t", "u":
			if part == "" && name == "u" {
				continue
			}
			if !onlyTimes(part, at) || strings.HasPrefix(r.as, "תזיז את ${") && saysOften(part, at) {
				return text, false
			}
		case "p":
			if !isPlace(part, at) {
				return text, false
			}
		case "x", "y", "g", "c", "e", "s":
			if !isThing(part, at) || name != "x" && name != "e" && saysTime(part, at) ||
				strings.HasPrefix(r.as, "תזיז את ${x} ל~${t} מ~") && saysOften(part, at) || // it is told how often
				name == "e" && !isEvent(part, at) || name == "g" && doesFirst(part) ||
				name == "c" && generalFirst(part, at) || name == "s" && possessives[firstOf(part)] {
				return text, false
			}
		case "k":
			if asking[firstOf(part)] || particles[firstOf(part)] || firstOf(part) == "up" || saysTime(part, at) {
				return text, false
			}
		case "o":
			if part == "" {
				continue
			}
			if o := newSentence(part, at); !onlyTimes(part, at) || !o.saysDay() && newSentence(times, at).saysDay() {
				return text, false
			}
		case "d":
			if !doing(firstOf(part)) {
				return text, false
			}
		case "r":
			if !saysWhy(part, at) {
				return text, false
			}
		case "n":
			if !onlyTimes(part, at) || !newSentence(part, at).saysDays() {
				return text, false
			}
		case "h":
			if !saysTime(part, at) {
				return text, false
			}
		case "w":
			if !saysAside(part, at) {
				return text, false
			}
		case "i":
			if o := newSentence(part, at); !onlyTimes(part, at) || o.saysDay() {
				return text, false
			}
		case "f":
			if o := newSentence(part, at); !onlyTimes(part, at) || !o.saysDay() || !o.saysHour() {
				return text, false
			}
		case "z":
			if !tellsWhy(part, at) {
				return text, false
			}
		case "j":
			if !startsDays(part, at) {
				return text, false
			}
		case "l":
			if saysTime("ב-"+part, at) || manners[firstOf(part)] || knownPlace().MatchString(part) || !isThing(part, at) {
				return text, false
			}
		case "a":
			if !isThing(part, at) || saysTime(part, at) || ownShin["ש"+firstOf(part)] || owing[firstOf(part)] {
				return text, false
			}
		case "v":
			if p := newSentence(part, at); !p.commandAt(p.lead()) {
				return text, false
			}
		}
	}
	out := toToTime().ReplaceAllString(said.ReplaceAllString(text, r.as), "$1")
	out = toDays().ReplaceAllString(out, "to $1 $2-$3")
	out = toTime.ReplaceAllStringFunc(out, func(said string) string {
		if last := said[len(said)-1]; last >= '0' && last <= '9' {
			return "ל-" + string(last)
		}
		return "ל" + toTime.FindStringSubmatch(said)[1]
	})
	out = behindTilde().ReplaceAllStringFunc(out, func(said string) string {
		found := behindTilde().FindStringSubmatch(said)
		if last := found[2][0]; last >= '0' && last <= '9' && !strings.HasSuffix(found[1], " ") {
			return found[1] + "-" + found[2]
		}
		return found[1] + found[2]
	})
	return strings.TrimSpace(out), true
}

// behindTilde puts another Hebrew preposition before a time, in place of the one that it has.
var behindTilde = lazily(`([במ]|אחרי )~ ?(?:[בל]-?|-)?([\d\pL])`)

// doneThing reads a thing with a participle behind it as a task that is done: "kitchen tap fixed", "invoice sent to
// Maya". What stands behind the participle begins with a preposition and says no time, for "a table booked for Friday"
// is an event.
func (p *parser) doneThing(text string) (string, bool) {
	last := -1
	for i := 1; i < len(p.tokens); i++ {
		if t := p.tokens[i]; t.kind == word && participles[t.text] != "" &&
			!p.is(i, "cancelled", "canceled", "changed", "checked", "dropped", "scheduled", "arranged") {
			last = i
		}
	}
	if last < 1 {
		return text, false
	}
	begin, end := p.lead(), last
	for end > begin && (participles[p.wordAt(end-1)] != "" || p.is(end-1, "is", "are", "was", "were", "been", "got", "has",
		"have", "already", "all", "and", "finally", "now")) {
		end--
	}
	if end > begin && p.tokens[end-1].possessive {
		return text, false
	}
	tail := last + 1
	if end <= begin || p.commandAt(begin) || tail < len(p.tokens) && !p.is(tail, "to", "from", "at", "with", "back") ||
		!isThing(p.wordsOf(text, begin, end), p.at) || p.saysWhen(0, false) || p.is(begin, "i", "we", "i've", "we've") {
		return text, false
	}
	out := "I finished " + participles[p.tokens[last].text] + " " + p.wordsOf(text, begin, end)
	if tail < len(p.tokens) {
		out += " " + p.wordsOf(text, tail, len(p.tokens))
	}
	return out, true
}

// wordsOf are the bytes of some tokens.
func (p *parser) wordsOf(text string, from, to int) string {
	return text[p.tokens[from].from:p.tokens[to-1].to]
}

// toToTime is the preposition of a new time and that which it has: "move it to on Friday".
var toToTime = lazily(`(?i)( (?:to|until) )(?:at|on|to|by|until|from) `)

// toTime puts the Hebrew preposition of a new time before it, in place of the one that it has.
var toTime = regexp.MustCompile(`ל~ ?(?:ב-?|עד (?:ה-?)?|ל-?|ה-)?([\d\pL])`)
