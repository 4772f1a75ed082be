package plan

import (
	"regexp"
	"strings"

	"almanac/projections/fold"
)

// rephrased is a way to say something and the words in which the grammar reads it.
type rephrased struct {
	said func() *regexp.Regexp
	as   string
	// states says that the words state a fact.
	states bool
	// reads says that the words only ask, so that a question may be put so.
	reads bool
}

// rephrase returns a sentence that tells of what became of an event, a task or an item in the words of a command:
// "the plumber isn't coming" cancels him. A question is only put into the words of another one.
func (p *parser) rephrase(text string, asks bool) (string, bool) {
	commands := p.commandAt(p.lead())
	bare := strings.TrimRight(strings.TrimSpace(courteous.ReplaceAllString(text, "")), ".! ")
	if quotes(bare) && !strings.Contains(bare, "from now on") {
		return text, false
	}
	whole := bare
	bare = bareList.ReplaceAllString(bare, "${1}${2}רשימת ה${3}${4}")
	for _, tail := range tails {
		bare = tail.said().ReplaceAllString(bare, tail.as)
	}
	for _, way := range rephrasings {
		found := way.said().FindStringSubmatch(bare)
		if found != nil && strings.HasPrefix(way.as, "add a $1 task") && (verbs[firstWord(found)] != noAction ||
			firstWord(found) == "new" || firstWord(found) == "the") {
			continue
		}
		if found == nil || eventful(way.as, found) || unlisted(way.as, found) || asks && !way.reads ||
			nothing[firstWord(found)] && !strings.HasPrefix(way.as, "move the task") &&
				!strings.HasPrefix(way.as, "delete the task") ||
			way.states && (commands || strings.Count(found[1], " ") > 5) {
			continue
		}
		return strings.TrimSpace(way.said().ReplaceAllString(bare, way.as)), true
	}
	if bare != whole {
		return bare, true
	}
	if bare := strings.TrimSpace(text); !asks {
		if i := p.lead(); i < len(p.tokens) && (!commands || p.hebrewAt(i) && p.putsAway(i)) &&
			!p.cue(i) && !p.is(i, "לקבל", "להגיד", "להראות", "לברר") &&
			p.tokens[i].prefix == "" && doing(p.tokens[i].text) && i+1 < len(p.tokens) {
			return "תזכיר לי " + p.saidBefore(i, text) + text[p.tokens[i].from:], true
		}
		for _, way := range pastTasks {
			if rest, ok := strings.CutPrefix(strings.TrimPrefix(bare, "כבר "), way[0]+" "); ok && !strings.Contains(rest, "?") {
				rest = closing.ReplaceAllString(strings.TrimPrefix(rest, "את "), "")
				return "סיימתי את " + way[1] + " " + rest, true
			}
		}
	}
	if i := p.lead(); !asks && p.deedAt(i) {
		return "remind me " + p.saidBefore(i, text) + "to " + text[p.tokens[i].from:], true
	}
	for _, way := range passives {
		if found := way.said().FindStringSubmatch(bare); found != nil && !asks && !commands {
			return "סיימתי את " + way.as + " " + found[1], true
		}
	}
	return text, false
}

// bareList is a list behind a preposition without the word for one: "מהקניות", "באריזה".
var bareList = regexp.MustCompile(`(^| )(ב|מ)ה?(קניות|אריזה)( |\?|$)`)

// firstWord is the first word of the first group of a pattern, folded; empty where there is no group.
func firstWord(found []string) string {
	if len(found) < 2 {
		return ""
	}
	word, _, _ := strings.Cut(found[1], " ")
	return fold.Text(word)
}

// eventful reports whether what would be put on a list is an event, or begins with a letter ש of its own: "נגמרה
// הישיבה", "שיעור גיטרה יתחיל ב-5".
func eventful(as string, found []string) bool {
	if strings.HasSuffix(as, "הקניות") && len(found) > 1 {
		_, _, ok := token{kind: word, text: firstWord(found), hebrew: true}.look(eventNouns)
		return ok && firstWord(found) != fold.Text("קפה")
	}
	return strings.HasPrefix(found[0], "ש") && strings.HasPrefix(as, "תזיז את $1 ל-") &&
		ownShin["ש"+firstWord(found)]
}

// commandAt reports whether a command or a condition begins at a token.
func (p *parser) commandAt(i int) bool {
	if act, next := p.verbAt(i); act != noAction && !(next == i+1 && p.noun(i, next)) {
		return true
	}
	for _, of := range []frames{newTasks, keeps, hebrewKeeps, commands, writers, listAdds, listTakes, listChecks} {
		if _, ok := p.frameAt(i, of); ok {
			return true
		}
	}
	return p.conditional() >= 0 || p.is(i, "when", "once", "because", "since", "כש", "כי", "note", "remember")
}

var courteous = regexp.MustCompile(
	`^(?i)(?:(?:oops|hey|hi|ok|okay|so|well|please|pls|plz|can you|could you|can u|could u|you can|just so ` +
		`you know|fyi|heads up|אופס|היי|אז|בבקשה|אוקיי|שים לב|אפשר)[,:]?\s+)+|` +
		`[\s,]+(?:please|pls|plz|thanks|תודה|בבקשה)[.!]*$`)

// inWords makes a rephrasing of a pattern, in which DEF stands for an article, and of what its groups are put into.
func inWords(pattern, as string) rephrased {
	pattern = strings.ReplaceAll(pattern, "DEF", `(?:the |my |our |this )?`)
	return rephrased{said: lazily(`^(?i)` + pattern + `$`), as: as}
}

// factIn is inWords for a statement, which begins with no command.
func factIn(pattern, as string) rephrased {
	out := inWords(pattern, as)
	out.states = true
	return out
}

// questionIn is inWords for a question, which is put into another one.
func questionIn(pattern, as string) rephrased {
	out := inWords(pattern, as)
	out.reads = true
	return out
}

// clockSaid is an hour in a pattern.
const clockSaid = `(\d[\d:.]*(?: ?[ap]m)?|noon|midday|midnight)`

// endOfDay is the end of a working day in a pattern, of which no hour is known.
const endOfDay = `(?:the )?(?:eod|end of (?:the |this )?day|end of today|cob|close of business)`

// calendarTaken begins as a question and takes something off the calendar.
var calendarTaken = regexp.MustCompile(
	`^(?i)(?:please |can you |could you )?get .+ (?:out of|off(?: of)?) (?:my|the|our) ` +
		`(?:calendar|schedule|diary|agenda)[.!]*$`)

// rephrasings are tried in their order. Of a group that may be empty the replacement has nothing.
var rephrasings = []rephrased{
	// Reminders that say so at their end, and what goes on a list by its end.
	inWords(`((?:to )?\pL.+?),? (?:and )?(?:please |pls )?remind me(?: please| of (?:that|this|it)| about `+
		`(?:it|that|this)|`+
		` to do (?:it|that|so))?`, `remind me to $1`),
	inWords(`(ל?\pL.+?),? (?:תזכירי?|תזכיר|תזכירו) לי(?: בבקשה| על זה| לעשות את זה)?`, `תזכיר לי $1`),
	inWords(`i (?:should|need to|have to|must|ought to)(?: really| probably)? (.+?),? (?:so )?(?:please )?`+
		`(?:put|add|stick) (?:it|that|this) (?:on|to|in) (?:my |the )?(?:to ?-? ?dos?|tasks|task list|list)(?: list)?(.*)`,
		`remind me$2 to $1`),
	inWords(`(?:אני )?(?:צריך|צריכה|חייב|חייבת) (ל.+?),? (?:שים|שימי|תשימי?|תשים|תוסיפי?|תוסיף|תכניסי?|תרשמי?|תרשום)`+
		`(?: לי)?(?: את זה)? (?:במשימות|למשימות|לרשימת המשימות|במטלות|למטלות)(.*)`, `תזכיר לי $2 $1`),
	inWords(`((?:remind|i need|i have|i must|add|create|new task).+?) by `+endOfDay, `$1 this evening`),
	inWords(`(\pL+ (?:the|my|our|a|an) .+?) by `+endOfDay, `remind me this evening to $1`),
	inWords(`((?:תזכיר|אני צריך|אני חייב|צריך|משימה).*?) (?:עד|לפני) סוף היום`, `$1 היום בערב`),
	inWords(`(ל\S{3,} .+?) (?:עד|לפני) סוף היום`, `תזכיר לי היום בערב $1`),
	inWords(`let me know (.+?) to (.+)`, `remind me $1 to $2`),
	inWords(`(?:give me|send me|set me) (?:a )?(?:nudge|ping|poke|heads[- ]up|shout) (.+)`, `remind me $1`),
	inWords(`(?:add|create|make|new|put|open) (?:a |an )?(?:high[- ]priority|urgent|important|top[- ]priority) `+
		`(?:task|todo)[:,]? (?:to )?(.+)`, `new task: $1`),
	inWords(`(\pL+) task[:,]? (.+?)[,;]? (?:due|deadline)(?: on| by)? (.+)`, `add a $1 task: $2 by $3`),
	inWords(`(?:put|add|file) ['"“]?(.+?)['"”]? (?:to|on|in) my (?:tasks|to-?dos?|to do list) (?:under|in) (\pL+)`,
		`add a $2 task: $1`),
	inWords(`on my (?:to ?-? ?dos?|task list|tasks): (.+)`, `add tasks: $1`),
	inWords(`(?:תוסיפי?|תוסיף|שים|שימי|תשימי?|תשים|תכניסי?|תרשמי?) במשימות של (\S+) (ל.+)`, `תוסיף משימה בקטגוריה $1: $2`),
	inWords(`(?:תוסיפי?|תוסיף|צרי?|תפתחי?) (?:משימה|מטלה) (?:דחופה|חשובה)[:,]? (.+)`, `משימה: $1`),
	inWords(`עד (\S+(?: \S+)??) (ל\S{3,} .+)`, `תזכיר לי $2 עד $1`),
	inWords(`(\pL.+?) ?[-–:,] ?remind me ((?:on|at|in|by|before|after|around|from|until|every|each|next|this|the|a|`+
		`an|half|`+
		`one|two|three|tomorrow|today|tonight|later|early|first|daily|weekly|monthly|mon|tue|wed|thu|fri|sat|sun|\d).*)`,
		`remind me $2 to $1`),
	inWords(`(ל?\pL.+?) ?[-–:,] (תעבירי?|תעביר|תזיזי?|תזיז|תדחי?|תדחה) (.+)`, `$2 את $1 $3`),
	inWords(`(?:i |we )?(?:need|have|must)(?: to)? find (?:another|a new|a different|a better) `+
		`(?:time|slot|date|day) for `+
		`DEF(.+)`, `move $1`),
	inWords(`(?:אני |אנחנו )?(?:צריך|צריכה|צריכים|חייב|חייבת|חייבים) (?:למצוא|לקבוע|לתאם) (?:זמן|מועד|תאריך|שעה|יום) `+
		`(?:אחר|אחרת|חדש|חדשה) ל(.+)`, `תזיז את $1`),
	// What is done already.
	inWords(`(\pL.+?) ?[✔✅☑✓]\x{fe0f}?`, `done: $1`),
	factIn(`(?:i've |i have |we've |we have |i |we )?(?:already |just |finally )+(\pL+ .+)`, `I finished $1`),
	factIn(`DEF(.+?) (?:is|are|was|were|has been|have been|got|'s)(?: already| now| finally| all)? `+
		`(submitted|paid|sent|signed|picked up|returned|ordered|cleaned|fixed|renewed|watered|booked|bought|washed|posted|`+
		`filed|collected|replaced|repaired|printed|written|updated|packed up|backed up|changed|mailed|emailed)`+
		`(?:,? (?:so |and )?(?:you can |please )?(?:tick|close|mark|check|cross|strike|complete)\b.*)?`, `I finished $2 $1`),
	inWords(`(?:i've |i have |i )?(.+?),? (?:so )?(?:you can |please )?(?:tick|check|cross|strike) (?:it|that|this) off`,
		`I finished $1`),
	inWords(`(?:tick|check|cross|strike) off (?:the )?(.+?),? (?:it's|it is|they're|i|i've) .+`, `check off $1`),
	factIn(`(ל\S+ .+?) ?[-–:,] ?(?:נעשה|בוצע|סגור|סיימתי|גמור|הושלם)`, `סיימתי את $1`),
	inWords(`(?:סמנ?י?|תסמני?|תסמן|לסמן) (?:לי )?(?:את )?(ל\S+ .+?) (?:כבוצע|כבוצעה|כהושלם|כגמור|כסגור)`, `סיימתי את $1`),
	inWords(`(?:give|allow) me (?:another|one more|an extra) (day|week|month) (?:for|on|with|to) (?:the |my )?(.+)`,
		`postpone the task $2 by a $1`),
	inWords(`(?:תני?|תן) לי עוד (יום|שבוע|חודש) (?:עם|ל|בשביל|על) ?(.+)`, `תדחה את המשימה $2 ב$1`),
	factIn(`DEF(.+?) can wait (?:until|till|til) (.+)`, `move the task $1 to $2`),
	factIn(`(ל\S{3,} .+?) (?:יכול|יכולה|יכולים|יכולות) לחכות (?:עד )?(?:ל)?(.+)`, `תעביר את המשימה $1 ל$2`),
	inWords(`(?:give|set) ["“”]DEF(.+?)["“”] (?:a |the )?(?:deadline|due date) (?:of|for|to|on) (.+)`,
		`move the task $1 to $2`),
	inWords(`(?:תני?|תן|שימי?|שים|תקבעי?|תקבע) ל(.+?) (?:דדליין|תאריך יעד|מועד אחרון) (?:של |ב|ל)-?(.+)`,
		`תעביר את המשימה $1 ל$2`),
	inWords(`(paid|sent|signed|cleaned|fixed|returned|renewed|submitted|watered|ordered|washed|printed|packed|filed) `+
		`((?:the|my|our|all) .+)`, `i $1 $2`),
	inWords(`i (?:really )?should (?:really )?((?:call|pay|buy|send|clean|fix|return|renew|order|book|wash|sign|print|`+
		`write|check|ask|tell|visit) .+)`, `remind me to $1`),
	inWords(`(?:to ?-?do|task|todo) for ((?:\pL+ )?\d+\S*(?: \pL+)?): (.+)`, `remind me on $1 to $2`),
	inWords(`(?:משימה|מטלה) ל-?(\d\S*(?: \S+)?): (.+)`, `תזכיר לי ב-$1 $2`),
	// What is no longer needed.
	inWords(`(?:i |we )?(?:don't|do not|dont|no longer) (?:need|have|want) to (.+?)(?: any ?more| any longer| after all)?`+
		`(?:,? (?:so )?(?:please )?(?:drop|delete|remove|cancel|forget|scrap) (?:it|that|this|the task|the reminder))?`,
		`delete the task $1`),
	inWords(`forget about (\pL.+?),? (?:i|we) (?:don't|do not|dont|no longer) .+`, `delete the task $1`),
	inWords(`(?:no need|it's no longer necessary) to (.+?)(?: any ?more| any longer)?`, `delete the task $1`),
	inWords(`(?:drop|remove|delete|scrap|lose) (?:the )?(?:task|reminder|todo) (?:about|for|on|with|to) (?:the )?(.+)`,
		`delete the task $1`),
	inWords(`(?:אני )?(?:כבר )?לא (?:צריך|צריכה|צריכים) (?:יותר )?(ל\S+ .+?)(?: יותר)?`+
		`(?:,? (?:תמחקי?|תמחק|תבטלי?|תסירי?|תורידי?)(?: את זה| את המשימה)?)?`, `תמחק את המשימה $1`),
	inWords(`(?:עזובי?|תעזבי?|תעזוב|תשכחי?|תשכח|עזוב) (?:את |מ)?(?:ה?תזכורת |ה?משימה )?(?:על |של )?(.+?),? `+
		`(?:כבר )?(?:לא צריך|לא צריכה|תסירי?|תמחקי?|תמחק|תבטלי?|תורידי?|אין צורך)(?: .*)?`, `תמחק את המשימה $1`),
	inWords(`(?:תורידי?|תמחקי?|תמחק|תוריד|תסירי?) את (?:המשימה|המטלה|התזכורת) (?:עם|על|של) ה?(.+)`, `תמחק את המשימה $1`),
	inWords(`(?:תורידי?|תמחקי?|תמחק|מחקי?|תוריד|הסר) את (ל\S+ .+?) (?:מהמשימות|מהמטלות|מרשימת המשימות|מרשימת המטלות)`,
		`תמחק את המשימה $1`),
	// What became of an event, in more words.
	factIn(`(?:all |the |my )*(.+?) from now on (?:is |are |start |starts |begin |begins )?at `+
		``+clockSaid, `move $1 to $2 from now on`),
	factIn(`(?:מעכשיו|מהיום|מעתה)[,:]? (?:כל )?(ה\S+(?: \S+){0,2}?) ב-?(\d[\d:]*)`, `תזיז את $1 ל-$2 מעכשיו והלאה`),
	factIn(`DEF(.+?):? (?:is |are |starts |begins |will be |should be )?(?:now )?(?:at `+
		`)?`+clockSaid+`,? (?:instead of|not|and `+
		`not|rather than) (?:at )?`+clockSaid, `move $1 to $2`),
	factIn(`(.+?)(?: מתחיל| מתחילה| יתחיל| תתחיל| יהיה| תהיה| הוא| היא)? ב-?(\d[\d:]*) (?:במקום|ולא|לא) (?:ב-?)?\d[\d:]*`,
		`תזיז את $1 ל-$2`),
	factIn(`(.+?)(?: מתחיל| מתחילה| יתחיל| תתחיל| יהיה| תהיה| הוא| היא)? ב(\S+) (?:במקום|ולא) (?:ב-?)?\S+`,
		`תזיז את $1 ל$2`),
	factIn(`DEF(.+?) (?:is |was |got |gets |has been |have been )?(?:moves|moving|shifts|delayed|pushed|pushed `+
		`back|postponed|`+
		`brought forward) to (.+)`, `move $1 to $2`),
	factIn(`(.+?) (?:עובר|עוברת|עוברים|זז|זזה|זזים|נדחה|נדחית|נדחים|מוקדם|מוקדמת|מתעכב|מתעכבת) ל(.+)`, `תזיז את $1 ל$2`),
	factIn(`(.+?) (?:נדחה|נדחתה|נדחית|נדחים) ב(שבוע|שבועיים|יום|יומיים|שעה|שעתיים|חצי שעה|חודש)`, `תדחה את $1 ב$2`),
	factIn(`(.+?) (?:מוקדם|מוקדמת|הוקדם|הוקדמה) ב(שבוע|שבועיים|יום|יומיים|שעה|שעתיים|חצי שעה|חודש)`, `תקדים את $1 ב$2`),
	factIn(`DEF(.+?) (?:will )?(?:run|runs|last|lasts|end|ends|go|goes|finish|finishes) (?:until|till|til) (.+)`,
		`extend $1 until $2`),
	factIn(`(.+?) (?:תהיה|יהיה|תימשך|יימשך|נמשך|נמשכת) (?:עד) (.+)`, `תאריך את $1 עד $2`),
	factIn(`(.+?) (?:תהיה|יהיה|תימשך|יימשך) ((?:חצי |רבע )?שעה(?: וחצי| ורבע)?|שעתיים(?: וחצי)?|\d+ דקות|\d+ שעות)`,
		`תקצר את $1 ל$2`),
	factIn(`DEF(.+?) is (?:now )?in (room \S+|hall \S+|building \S+)`, `change the location of $1 to $2`),
	inWords(`add (?:the |a )?(?:location|address|place|venue) (.+?) (?:to|for|on) (?:the |my )?(.+)`,
		`change the location of $2 to $1`),
	inWords(`(?:תוסיפי?|תוסיף|שים|שימי|תשימי?|תשים) (?:מיקום|כתובת|מקום) ל(.+?)[:,] ?(.+)`, `שנה את המיקום של $1 ל$2`),
	inWords(`(?:wipe|clear|strike|scratch|remove) DEF(.+?) (?:from|off) (?:my|the|our) (?:diary|calendar|schedule|agenda)`,
		`cancel $1`),
	inWords(`cancel (?:all|every) (?:the |my )?(?:remaining|future|upcoming) (.+)`, `cancel $1 from now on`),
	inWords(`בלי (.+ (?:ב\S+|היום|מחר|הערב|השבוע))`, `בטל את $1`),
	factIn(`DEF(\pL+(?: \pL+)?) (?:has |just )?(?:cancelled|canceled|bailed)(?: on (?:me|us))?`, `cancel $1`),
	factIn(`DEF(.+?) (?:is|are|'s) off(?: (.+))?`, `cancel $1 $2`),
	inWords(`(?:i|we) (?:won't|will not|wont|can't|cannot|cant)(?: be able to)? (?:make it to|attend|come to|go to|make) `+
		`DEF(.+?)(?:[,;]? (?:so )?(?:please )?(?:remove|cancel|delete|take|drop|scrap) (?:it|that|this)\b.*)`, `cancel $1`),
	inWords(`(?:i|we) (?:won't|will not|wont|can't|cannot|cant)(?: be able to)? (?:make it to|attend|come to|go to|make) `+
		`DEF(.+)`, `cancel $1`),
	factIn(`(?:from now on|from here on|going forward)[,:]? DEF(.+?) (?:is|starts|begins|will be|should be|moves)`+
		`(?: always)?(?: at| to)? (.+)`, `move $1 to $2 from now on`),
	factIn(`DEF(.+?) (?:is|starts|begins|will be|should be|moves)(?: always)?(?: at| to) (.+?) from now on`,
		`move $1 to $2 from now on`),
	factIn(`DEF(.+?) (?:starts|begins|is starting|is) (?:at )?(\d[\d:.]*(?: ?[ap]m)?|noon|midday) now`, `move $1 to $2`),
	factIn(`DEF(.+?) (?:can|could|will) (?:only |just )?(?:come|make it|do it|arrive) (?:only )?(at|on) (.+)`,
		`move $1 to $3`),
	factIn(`DEF(.+?) (?:is|are|'s) (?:coming |arriving |starting |now )*(?:at|on) (.+?) (?:instead of|not|and `+
		`not|rather than) `+
		`(?:at |on )?(.+)`, `move $1 to $2`),
	inWords(`(?:we )?(?:do|have|hold) DEF(.+?) (?:at|on) (.+?) instead`, `move $1 to $2`),
	inWords(`(?:do|have|hold) DEF(.+?) (a|an|one|two|half an?) (day|hour|week) (earlier|later)`, `move $1 $2 $3 $4`),
	inWords(`(?:cut|trim|bring) DEF(.+?) (?:down )?to (\d+ ?(?:m|min|mins|minutes?|h|hrs?|hours?)|an hour|`+
		`half an hour|.+ (?:minutes|hours?))`,
		`shorten $1 to $2`),
	inWords(`(?:stretch|extend|lengthen|prolong) DEF(.+?) (?:until|till) (.+)`, `extend $1 until $2`),
	inWords(`(?:extend|stretch) DEF(.+?) to (noon|midnight|\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?)`, `extend $1 until $2`),
	inWords(`(?:get rid of|scrap|ditch|nix) DEF(.+?) (?:thing|event|meeting|one)`, `cancel $1`),
	inWords(`(?:cancel|stop|end|delete) (?:the )?(?:whole|entire) (.+?) series`, `cancel all occurrences of $1`),
	inWords(`(?:this|next) week's (.+?) (?:should be|will be|is) (?:at|on) (.+)`, `move $1 to $2`),
	factIn(`(?:מעכשיו|מהיום|מכאן והלאה)[,:]? (.+?) (?:יהיה |תהיה |הוא |היא |מתחיל |מתחילה )?(ב.+)`,
		`תזיז את כל המופעים של $1 מעכשיו $2`),
	factIn(`(.+?) (?:מתחיל|מתחילה|יתחיל|תתחיל) (?:עכשיו|מעכשיו) ב-?(.+)`, `תזיז את $1 ל-$2`),
	factIn(`(ה\S+(?: \S+){0,3}?) (?:יכול|יכולה|מגיע|מגיעה|בא|באה|יבוא|תבוא) (?:להגיע |לבוא )?(?:רק )?`+
		`ב-?(\S+(?: \S+)?) (?:ולא|במקום) ב-?.+`, `תזיז את $1 ל-$2`),
	factIn(`(ה\S+(?: \S+){0,3}?) (?:יכול|יכולה|יוכל|תוכל) (?:להגיע |לבוא )?רק ב-?(.+)`, `תזיז את $1 ל-$2`),
	factIn(`(ה\S+(?: \S+){0,3}?) (?:מבוטל|מבוטלת|מבוטלים|מתבטל|מתבטלת|הבריז|הבריזה|לא מתקיים|לא `+
		`מתקיימת|ירד|ירדה)(?: (.+))?`, `בטל את $1 $2`),
	factIn(`(?:ירד|ירדה|בוטל|בוטלה|התבטל|התבטלה) (ה\S+(?: \S+){0,3})`, `בטל את $1`),
	inWords(`אני לא (?:אגיע|מגיע|מגיעה|אוכל להגיע|יכול להגיע|יכולה להגיע|אבוא|הולך|הולכת) ל(.+?)(?:,.*)?`, `בטל את $1`),
	inWords(`(?:אפשר )?לעשות את (.+?) ב-?(.+?) במקום(?: .+)?`, `תזיז את $1 ל-$2`),
	inWords(`(?:תבטלי?|תבטל|בטלי?) את (?:כל )?הסדרה של (.+)`, `בטל את כל המופעים של $1`),
	inWords(`(?:תבטלי?|תבטל|בטלי?|תמחקי?|תמחק) את כל הסדרה של (.+)`, `בטל את כל המופעים של $1`),
	inWords(`(?:תחסמי?|תחסום|חסום|חסמי|לחסום)(?: לי)? את (?:יום )?(ראשון|שני|שלישי|רביעי|חמישי|שישי|שבת)( .*|) ל(\S.*)`,
		`תחסום ביום $1$2 $3`),
	// Facts of events, in more words.
	factIn(`i have (\pL+(?: \pL+){0,4}? (?:on|tomorrow|next|this) .*all day.*|all day .+)`, `add $1`),
	factIn(`(?:i'm|i am|we're|we are|i'll be|we'll be|i will be) (out of (?:the )?office|off work) (.+)`, `add "$1" $2`),
	factIn(`(?:i'm|i am|we're|we are|i'll be|we'll be|i will be) ((?:on )?(?:vacation|holiday|leave|reserve duty)|`+
		`(?:away|abroad|off)) (.+)`, `add $1 $2`),
	factIn(`(?:אני|אנחנו) (?:ב)(חופש|חופשה|מילואים|חול|חו"ל) (.+)`, `תוסיף $1 $2`),
	factIn(`(?:the |our )?(\pL+ is closed|no school|no class|no kindergarten) (on .+)`, `add "$1" $2`),
	// Lists, in more words.
	inWords(`(?:we're|we are|i'm|i am|we ran|i ran|we've run) out of (.+?),? (?:so )?(?:please )?(?:put|add|stick|write) `+
		`(?:it|that|them|some) (?:on|to) (?:the |my |our )?(.+ list|list)`, `add $1 to the shopping list`),
	inWords(`(shopping|packing|grocery) list: (.+)`, `add $2 to the $1 list`),
	inWords(`(?:clear|empty|wipe) (?:out )?(?:the |my |our )?(.+?) list`, `delete the $1 list`),
	inWords(`(?:נגמר|נגמרה|נגמרו)(?: לנו| לי)? ה?(.+?),? (?:תכניסי?|תוסיפי?|תוסיף|תרשמי?|שים|שימי|תכניס|תרשום)(?: את `+
		`זה)? .*`,
		`תוסיף $1 לרשימת הקניות`),
	inWords(`(?:תזרקי?|תזרוק) לקניות (.+)`, `תוסיף $1 לרשימת הקניות`),
	inWords(`לרשימת (ה?קניות|ה?אריזה)[:,]? (.+)`, `תוסיף $2 לרשימת $1`),
	inWords(`(\S+(?: \S+){0,2}) ל(קניות|אריזה)`, `תוסיף $1 לרשימת ה$2`),
	inWords(`(?:סמני?|תסמני?|תסמן) שארזתי (?:את )?(?:ה)?(.+)`, `תסמן $1 ברשימת האריזה`),
	inWords(`ארזתי (?:את )?(?:ה)?(.+)`, `תסמן $1 ברשימת האריזה`),
	inWords(`(?:the |my )?(\pL+(?: \pL+)?) (?:is|are) packed`, `check off $1 on the packing list`),
	inWords(`(\pL+)'s packed`, `check off $1 on the packing list`),
	inWords(`ה?(\S+(?: \S+)?) (?:ארוז|ארוזה|ארוזים|בתיק|במזוודה)`, `תסמן $1 ברשימת האריזה`),
	inWords(`(?:i |we )?(?:got the|bought the|bought) ([^\d]+?)(?:,? (?:check|tick|cross|take) (?:it|them) off.*)?`,
		`check off $1 on the shopping list`),
	inWords(`קניתי (?:את )?(.+?),? (?:תמחקי?|תמחק|תסמני?|תסמן|תורידי?|תוריד)(?: .*)?`, `תסמן $1 ברשימת הקניות`),
	inWords(`(?:תרוקני?|תרוקן|רוקני?|תנקי?|תנקה) את רשימת ה?(.+)`, `מחק את רשימת ה$1`),
	inWords(`(shopping|packing): (.+)`, `add $2 to the $1 list`),
	inWords(`(קניות|אריזה): (.+)`, `תוסיף $2 לרשימת ה$1`),
	questionIn(`(?:תקריאי?|תקריא|תראי?|תראה|תציגי?|תציג)(?: לי)? את ה(קניות|אריזה)\??`, `מה יש ברשימת ה$1`),
	questionIn(`(?:כמה|אילו|איזה) (?:דברים|פריטים)? ?(?:נשארו|נשאר|יש|נותרו)(?: לי| לנו)?(?: עוד)? (?:לארוז|באריזה)\??`,
		`מה יש ברשימת האריזה`),
	questionIn(`(?:what|which things|what things)(?:'s| is| are| do| did)? ?(?:i|we|left|still|there)?(?: `+
		`still)?(?: need| have| `+
		`supposed)?(?: to)?(?: get| buy)? (?:from|at|in) the (?:supermarket|store|shop|grocery store|grocer|market)\??`,
		`what's on the shopping list`),
	questionIn(`what (?:are|were|am) (?:we|i) (?:supposed|meant) to (?:buy|get)\??`, `what's on the shopping list`),
	questionIn(`(?:(?:show|read|give|list)(?: me)? )?(?:my |the )?(?:to ?-? ?dos?|tasks?) lists?(?: please| pls)?\??`,
		`what are my open tasks`),
	questionIn(`who (?:wrote|emailed|mailed|messaged)(?: to)? me\b(.*?)\??`, `any mail$1`),
	questionIn(`when (?:could|can|should) (?:i|we) (?:fit in|squeeze in|fit|squeeze) an hour(.*?)\??`,
		`first free hour$1`),
	questionIn(`when (?:could|can|should) (?:i|we) (?:fit in|squeeze in|fit|squeeze) (\d+ (?:minutes|hours))(.*?)\??`,
		`first free $1$2`),
	questionIn(`have i (?:booked|scheduled) (?:an? |the )?(?:appointment (?:for|with) )?(.+?)(?: yet)?\??`,
		`when is the $1`),
	questionIn(`what'?s left to (?:buy|get)\??`, `what's on the shopping list`),
	questionIn(`what (?:do|should|must) (?:we|i) (?:still )?(?:have to |need to )?(?:buy|pick up at the shops)\??`,
		`what's on the shopping list`),
	questionIn(`מה (?:עוד )?(?:אני |אנחנו )?(?:צריך|צריכה|צריכים)? ?(?:עוד )?לקנות\??`, `מה יש ברשימת הקניות`),
	questionIn(`מה חסר (?:לנו |לי )?(?:בבית|במקרר|במטבח)\??`, `מה יש ברשימת הקניות`),
	// Memories, in more words.
	inWords(`(.+?), (?:תזכרי?|תזכור|שיהיה לך רשום|תשמרי?|תרשמי?) (?:את זה|לך)`, `תזכור: $1`),
	inWords(`(?:פתק|הערה|לזיכרון|שמרי?|שמור): (.+)`, `תזכור: $1`),
	inWords(`(?:תשכחי?|תשכח) את ה?(.+)`, `תמחק את הפתק על $1`),
	// What became of an event.
	inWords(`(?:get|take|keep) DEF(.+?) (?:out of|off(?: of)?) (?:my|the|our) (?:calendar|schedule|diary|agenda)`,
		`cancel $1`),
	factIn(
		`DEF(.+?)(?: has| have|'s)? (?:is|was|got|gets|been)(?: been)? (?:moved|pushed|pushed back|shifted|rescheduled|`+
			`postponed|delayed) to (.+)`, `move $1 to $2`),
	factIn(`DEF(.+?) (?:moved|shifted|pushed|rescheduled) (?:me|us|it) to (.+)`, `move $1 to $2`),
	factIn(`DEF(\pL+(?: \pL+)?) now (?:at|on) (.+)`, `move $1 to $2`),
	factIn(`DEF(.+?) is now (?:at|on) (.+)`, `move $1 to $2`),
	factIn(`DEF(.+?) is (?:at|on) (.+?)(?: today| now)*,? (?:and )?(?:not|instead of) (?:at |on )?(.+)`, `move $1 to $2`),
	factIn(
		`DEF(\pL+) (?:wants|would like|asked|asks|prefers) (?:to (?:do|have|make) |DEF)(.+?) at (.+?) instead(?: of .+)?`,
		`move $2 with $1 to $3`),
	factIn(`DEF(.+?) (?:wants|would like|asked|asks|prefers) to (?:meet|talk|speak|come) at (.+?) instead(?: of .+)?`,
		`move $1 to $2`),
	factIn(`DEF(.+?)(?: has| have|'s)? (?:is|are|was|got|been)(?: been)? (?:cancelled|canceled|called off)(?: (.+))?`,
		`cancel $1 $2`),
	factIn(
		`DEF(.+?) (?:isn't|is not|aren't|are not|won't be) (?:coming|happening|taking place)`+
			`(?: after all| anymore)?(?: (.+?))?`+
			`(?: after all| anymore)?`, `cancel $1 $2`),
	factIn(`(?:\pL+) (?:cancelled|canceled|called off) (?:the|my|our) (.+)`, `cancel $1`),
	inWords(`no (.+? (?:this|next|on|today|tomorrow|tonight).*)`, `cancel $1`),
	inWords(
		`(?:i'm|i am|we're|we are) (?:not going to|skipping) `+
			`(?:the |my |our )?(.+?),? (?:and )?(?:so )?(?:bin|cancel|delete|drop|`+
			`remove|take) (?:it|that|this)(?: off)?`, `cancel $1`),
	inWords(`(?:skip|bin|scratch|nix|ditch|axe) (?:the |my |our )(.+)`, `cancel $1`),
	inWords(`(?:drop|cancel|delete|stop) DEF(.+) (?:for good|forever|permanently|altogether)`,
		`cancel all occurrences of $1`),
	inWords(`make DEF(.+?) (start|end|begin) (at|on) (.+)`, `change $1 to $2 $3 $4`),
	inWords(`put DEF(.+?) off (?:until|till|to) (.+)`, `postpone $1 to $2`),
	inWords(`(?:swap|switch) (?:the |my |our )(.+) to (.+)`, `move $1 to $2`),
	inWords(`call DEF(.+?) "(.+)" from now on`, `rename $1 to "$2"`),
	inWords(`(move|change|shift) (?:every|all(?: occurrences of)?(?: the| my)?) (.+) to (\d.*)`, `$1 all occurrences of `+
		`$2 to $3`),
	inWords(`(cancel|skip|delete) DEF(.+?) (this|next|on) (\pL+day) only`, `cancel only this occurrence of $2 $3 $4`),
	// Facts.
	inWords(`(?:we're|we are|i'm|i am) (?:in|at) (.+?) (from .+ (?:to|until|till) .+)`, `add $1 $2`),
	factIn(`(\pL+(?:'s)? (?:birthday|anniversary)) is (?:on )?(.+)`, `add $1 on $2`),
	factIn(`(?:\pL+) has (?:a|an) (.+? (?:on|at|from|tomorrow|next) .+)`, `add $1`),
	factIn(`(?:my |our |the )?(.+?) is (?:scheduled|booked|set|planned) for (.+\d.*)`, `add $1 on $2`),
	// Tasks.
	inWords(`(?:to ?-?do|task|todo) for (\pL+): ([^,]+)`, `remind me on $1 to $2`),
	inWords(
		`(?:make|create|start) (?:me )?a (?:new )?list for (?:the |my |our |a )?(.+?) (?:with|containing|including) (.+)`,
		`make a list called $1 with $2`),
	inWords(`on my (?:to ?-? ?do|todo)(?: list)?: (.+)`, `tasks: $1`),
	inWords(`(?:don't|do not|dont) forget: (.+)`, `remind me to $1`),
	inWords(`(?:i )?(?:must not|mustn't|can't|cannot|shouldn't) forget (?:about )?((?:the|my|our) .+)`,
		`remind me about $1`),
	inWords(`(?:i (?:want|need|would like) to be reminded|i'd like to be reminded|nudge me|poke me|buzz me|ping me) (.+)`,
		`remind me $1`),
	inWords(`(\pL+) task: (.+?), due (?:on |by )?(.+)`, `add a $1 task: $2 by $3`),
	factIn(`(.+?)(?: -|:|,) (?:done|finished|complete|completed|check)`, `I finished $1`),
	inWords(`(?:make|be) sure to (.+)`, `remind me to $1`),
	inWords(`cross off (.+)`, `check off $1`),
	inWords(`forget (?:about )?(?:the |my )?(.+) (task|reminder|todo)`, `delete the $2 $1`),
	// Lists.
	inWords(`(?:we're|we are|i'm|i am|we ran|i ran|we've run|we have run) out of (\pL+(?: \pL+){0,2})`,
		`add $1 to the shopping list`),
	inWords(`i (?:need|want) (.+) on (?:the|my|our) (\pL+) list`, `add $1 to the $2 list`),
	inWords(`(?:add|put|chuck|throw|stick) (.+) (?:to|on|onto) (?:the |my |our )?(shopping|packing)`,
		`add $1 to the $2 list`),
	inWords(`(?:add|put|chuck|throw|stick) (.+) (?:to|on|onto) (?:the |my |our )?groceries`,
		`add $1 to the shopping list`),
	inWords(`(?:check|tick|cross) off (.+) (?:on|from|in) (?:the |my |our )?(packing|shopping)(?: list)?`,
		`check off $1 on the $2 list`),
	questionIn(`(?:is|was) there (?:anything|something) (?:left |else |still )*to (?:pack)\??`,
		`what's on the packing list`),
	questionIn(`(?:is|was) there (?:anything|something) (?:left |else |still )*to (?:buy)\??`,
		`what's on the shopping list`),
	questionIn(`what(?:'s| is)? (?:left |else |still )+to (?:pack)\??`, `what's on the packing list`),
	questionIn(`what(?:'s| is)? (?:left |else |still )+to (?:buy)\??`, `what's on the shopping list`),
	// Memories, mail and undo.
	factIn(`(.+\d.*?),? (?:write (?:it|that|this) down|save (?:it|that|this)|don'?t lose (?:it|that|this))`,
		`remember that $1`),
	factIn(`((?:ה?מספר|ה?קוד|ה?סיסמ[הת]|ה?טלפון)(?: .*)?\d\S*),? (?:תשמרי?|תשמור|תרשמי?|תרשום)`, `תזכור: $1`),
	factIn(`(.+), (?:keep that in mind|remember that|note that|make a note of that)`, `remember that $1`),
	inWords(`forget (?:the|my|our) (.+)`, `delete my note about $1`),
	questionIn(`(?:find|show|get|open|pull up|look up|search for|where is|where's)(?: me)? (?:the |my |our )?`+
		`((?:\pL+ )*?(?:confirmation|invoice|receipt|statement|itinerary|newsletter|reply|voucher|tickets?)) from `+
		`(?:the )?(.+?)\??`,
		`any mail from $2`),
	questionIn(
		`(?:read|show|give|get)(?: me)? (?:the |my )?(?:latest|last|newest|recent|new) (?:message|messages|letter) from (.+)`,
		`show mail from $1`),
	questionIn(`any(?:thing)? unread\??`, `any unread mail`),
	questionIn(`(?:have i )?heard (?:anything )?from (?:the )?(.+?)(?: lately| recently)?\??`, `any mail from $1`),
	questionIn(`(?:are there )?any (?:gaps|holes|openings)\b(.*?)\??`, `when am i free$1`),
	questionIn(`(?:יש|האם יש)(?: לי)? (?:חורים|חלונות|רווחים) (.+?)\??`, `מתי אני פנוי $1`),
	questionIn(`how many (?:things|items) (?:are |do i have )?left to (?:buy|get)\??`, `what's on the shopping list`),
	questionIn(`כמה (?:דברים|פריטים) (?:נשאר|נשארו)(?: לי| לנו)? לקנות\??`, `מה יש ברשימת הקניות`),
	questionIn(`(?:is there |do i have |did i get |have i got )?(?:anything|something)(?: new)? from (?:the )?(.+?)\??`,
		`any mail from $1`),
	questionIn(`what did (\pL+) (?:say|write|email)(?: me)? about (.+)`, `any mail from $1 about $2`),
	inWords(`take (?:that|the) last (?:one|thing) back`, `undo that`),
	inWords(`(?:that was|this was|oops|sorry)(?: an?| my)? (?:mistake|error|wrong)?,? ?(?:please )?(?:revert|undo)`+
		`(?: that| it| this)?`, `undo that`),
	inWords(`revert (?:that|it|this)`, `undo that`),
	inWords(`(?:טעות|לא התכוונתי|סליחה),? (?:תבטלי?|תבטל|תחזירי?|תחזיר|תעשה|תעשי) (?:את זה|את מה שעשית(?: עכשיו)?|undo)`,
		`תבטל את זה`),
	inWords(`(?:תחזירי?|תחזיר) את זה (?:איך|כמו) שהיה`, `תבטל את זה`),
	inWords(`(?:bring|put|get) back (?:what|whatever|the (?:one|thing)(?: that)?) (?:you|i) (?:just )?`+
		`(?:deleted|removed|cancelled|canceled|cleared)`, `undo that`),

	// Tasks, lists, memories and mail in other words.
	inWords(`i (?:need|have|want|must|ought)(?: to)? remember to (.+)`, `remind me to $1`),
	inWords(`(?:add|create|make) (?:two|three|four|five|\d) (?:tasks|todos): (.+)`, `add tasks: $1`),
	factIn(`(?:i've|i have|i) (?:already |just )?picked up (.+)`, `I finished pick up $1`),
	inWords(`(?:change|move|set|update) the (?:due date|deadline) (?:of|for) (?:the |my )?(.+?) to (.+)`,
		`move the task $1 to $2`),
	factIn(`DEF(.+?) is now due (?:on |by )?(.+)`, `move the task $1 to $2`),
	factIn(`DEF(.+?) is due (?:on |by )?(.+?)(?: now)?, not .+`, `move the task $1 to $2`),
	inWords(`(?:skip|ditch) (.+ (?:this|next|on|tomorrow|today|tonight)\b.*)`, `cancel $1`),
	inWords(`save (.*(?:number|phone|code|password|address|pin)\b.*\d.*)`, `remember that $1`),
	questionIn(`(?:find|get)(?: me| us)? (one|two|three|four|\d+) free (hours?|minutes?)(.*)`, `first free $1 $2$3`),
	questionIn(`how many (?:things|tasks|todos) (?:are |do i have )?(?:left |still |open )*(?:on|in) my `+
		`to ?-? ?do(?: list)?\??`, `how many open tasks do I have`),
	questionIn(`who has (?:the|my|our) (.+?)\??`, `what do I know about the $1`),
	questionIn(`(?:what|which) (\pL+) does (\pL+) (?:like|love|prefer|drink|hate)\??`, `what do I know about $2 $1`),
	questionIn(`is (\pL+) allergic(?: to .+)?\??`, `what do I know about $1 allergic`),
	questionIn(`(?:did|has) (.+?) (?:send|sent)(?: me| us)? (?:a|an|the|any) `+
		`(?:confirmation|mail|email|e-mail|message|invoice|receipt)(?: yet)?\??`, `any mail from $1`),
	questionIn(`when did (.+?) (?:last )?(?:mail|email|write to|write) me(?: last)?\??`, `any mail from $1`),
	inWords(`(?:תוסיפי?|תוסיף) (?:שתי|שלוש|ארבע|חמש) (?:משימות|מטלות): (.+)`, `תוסיף משימות: $1`),
	inWords(`(?:שנה|שני|תשנה|תשני|תעדכן|תעדכני|עדכן) את (?:תאריך היעד|המועד|הדדליין) של (.+) ל(.+)`,
		`תעביר את המשימה $1 ל$2`),
	inWords(`(?:תוסיפי?|תוסיף|שים|שימי|תשימי?|תכניסי?|תכניס) (.+) ל(אריזה|קניות)`, `תוסיף $1 לרשימת ה$2`),
	inWords(`(?:תשמרי?|תשמור|שמור|שמרי) (?:לי )?(?:את )?((?:ה?מספר|ה?טלפון|ה?קוד|ה?סיסמה|ה?כתובת)(?: .*)?\d.*)`,
		`תזכור: $1`),
	inWords(`כל (?:יום )?(ראשון|שני|שלישי|רביעי|חמישי|שישי|שבת) שני (?:תזכירי?|תזכיר) לי (.+)`,
		`תזכיר לי כל שבועיים ביום $1 $2`),
	inWords(`(.*)כל (?:יום )?(ראשון|שני|שלישי|רביעי|חמישי|שישי|שבת) שני( .*|)`, `$1כל שבועיים ביום $2$3`),
	questionIn(`(?:יום )?(ראשון|שני|שלישי|רביעי|חמישי|שישי|שבת) (ב-?\d.*?) (?:תפוס|תפוסה|פנוי|פנויה)\??`,
		`אני פנוי ביום $1 $2`),
	questionIn(`אצל מי (ה.+?)(?: שלי| שלנו)?\??`, `מה אני יודע על $1`),
	questionIn(`איזה (\S+) (\S+) (?:אוהב|אוהבת|שותה|מעדיף|מעדיפה)\??`, `מה אני יודע על $2 $1`),
	questionIn(`למה (\S+) (אלרגי|אלרגית)\??`, `מה אני יודע על $1 $2`),
	questionIn(`מתי (\S+) (?:שלח|שלחה|כתב|כתבה) לי(?: מייל| הודעה)?\??`, `מיילים מ$1`),
	questionIn(`מה (\S+) (?:כתב|כתבה|שלח|שלחה)(?: לי)? (?:על|לגבי|בנושא) ה?(.+?)\??`, `מיילים מ$1 על $2`),
	questionIn(`(?:תראה|תראי|הצג|תציג)(?: לי)? (?:את )?ה?הודעות שלא (?:נקראו|קראתי)\??`, `תראה לי מיילים שלא נקראו`),

	// Reports of what there is.
	questionIn(`(?:make|write|create|prepare|put|compile|send|give|do|get|generate|produce|show|i want|i need|build)`+
		`(?: up| out| together)?(?: me| us)? (?:a|an|the) (?:quick |short |brief |full )?`+
		`(?:rundown|overview|summary|recap|outline|breakdown) (?:of|for|on|about) (.+?)(?: for me)?\??`, `show me $1`),
	questionIn(`(?:make|write|create|prepare|put together|compile|send|give|get|show|generate)(?: me| us)? (?:a|the) `+
		`(?:quick |full )?list of (?:all )?((?:my |the |our )?(?:meetings|events|appointments|tasks|calls|to-?dos)\b.*)`,
		`show me $1`),
	questionIn(`(?:תעשי?|תכיני?|תני?|תן|תכתבי?|תכתוב|תרשמי?|תרשום|תשלחי?|תשלח)(?: לי| לנו)? `+
		`(?:סיכום|סקירה|ריכוז|תקציר|פירוט) של (.+)`, `תראה לי את היומן של $1`),

	// Hebrew.
	inWords(`שמרו? את התאריך[:,]? (.+)`, `תוסיף $1`),
	inWords(`(?:תזכירו?י? לי|תזכור) בדיוק (.+)`, `תזכיר לי $1`),
	inWords(`(?:תדלגי?|דלגי?) על (.+)`, `בטל את $1`),
	inWords(`(?:תעיפי?|תעיף|תזרקי?|העף) את (.+)`, `בטל את $1`),
	inWords(`אין ((?:היום|מחר|הערב|השבוע) .+)`, `בטל את $1`),
	inWords(`אין (.+ (?:היום|מחר|הערב|ב\S+|השבוע).*|.+ (?:היום|מחר|הערב))`, `בטל את $1`),
	factIn(`(\S+(?: \S+){0,3}?) (?:בוטל|בוטלה|בוטלו|התבטל|התבטלה|מתבטל|מתבטלת|הבריז|הבריזה|ירד מהפרק|ירדה `+
		`מהפרק)(?: (.+))?`, `בטל את $1 $2`),
	factIn(`(.+?) (?:בשבוע הבא|השבוע) (?:בוטל|בוטלה|בוטלו|התבטל|התבטלה)`, `בטל את $1 בשבוע הבא`),
	factIn(`(ה\S+(?: \S+){0,3}?) לא (?:מגיע|מגיעה|בא|באה|מתקיים|מתקיימת)(?: בסוף)?(?: (.+?))?(?: בסוף)?`, `בטל את $1 $2`),
	factIn(`\S+ (?:ביטל|ביטלה|ביטלו) את (.+)`, `בטל את $1`),
	inWords(`אני לא (?:אגיע|מגיע|מגיעה|הולך|הולכת) ל(.+?), (?:תוריד|תורידי|תבטל|תבטלי|תמחק|תמחקי)(?: את זה| אותו| אותה)?`,
		`בטל את $1`),
	inWords(`(?:תורידי?|תמחקי?|תבטלי?|בטלי?|הסר) את (.+) (?:לתמיד|לגמרי|לצמיתות)`, `בטל את כל המופעים של $1`),
	factIn(`(.+?) (?:עבר|עברה|זז|זזה|הוזז|הוזזה|נדחה|נדחתה|הוקדם|הוקדמה) ל(.+)`, `תזיז את $1 ל$2`),
	factIn(`(.+?) (?:העביר|העבירה|הזיז|הזיזה|דחה|דחתה) (?:אותי|אותנו|את זה) ל(.+)`, `תזיז את $1 ל$2`),
	inWords(`(?:תעבירי?|תזיזי?|העבר|הזז) את כל ה(\S+) ל(.+)`, `תזיז את כל המופעים של $1 ל$2`),
	factIn(`ל(\S+) יש (.+ ב.*\d.*)`, `תוסיף $2`),
	inWords(`אנחנו ב(\S+) (מ.+ עד .+)`, `תוסיף $1 $2`),
	inWords(`(יום ה?הולדת .+|יום ה?נישואי?[םן] .+) (ב-?\d+ ב\S+)`, `תוסיף $1 $2`),
	inWords(`(?:ציין|ציני|תציין|תציני|סמן|סמני) (?:לי )?ביומן (.+)`, `תוסיף $1`),
	factIn(`(.+) (?:תכניסי?|תוסיפי?|תוסיף|תרשמי?) ליומן`, `תוסיף $1`),
	inWords(`(?:לעשות|משימות|מטלות) (ב\S+(?: \S+)?): (.+)`, `תזכיר לי $1 $2`),
	inWords(`למשימות: (.+)`, `משימות: $1`),
	inWords(`(ל\S+ .+), (?:תכניסי?|תוסיפי?|תוסיף|תרשמי?) (?:לרשימת המטלות|לרשימת המשימות|למשימות)`, `תזכיר לי $1`),
	inWords(`משימה ל(\S+): (.+)`, `תוסיף משימה בקטגוריה $1: $2`),
	inWords(`(?:תוסיפי?|תוסיף|צרי?|תפתחי?) משימה (?:דחופה|חשובה): (.+)`, `תוסיף משימה: $1`),
	inWords(`(?:כבר )?לא צריך (ל\S+ .+), (?:תמחקי?|תבטלי?|תסירי?)`, `תמחק את המשימה $1`),
	inWords(`(?:תורידי?|תמחקי?|הסר) מהמשימות את (.+)`, `תמחק את המשימה $1`),
	inWords(`(?:חסר|חסרה|חסרים|חסרות) (?:לנו|לי|בבית|במקרר) ה?(\S+(?: \S+){0,2})`, `תוסיף $1 לרשימת הקניות`),
	inWords(`(?:we're|we are|i'm|i am) (?:running )?low on (\pL+(?: \pL+){0,2})`, `add $1 to the shopping list`),
	inWords(`(?:נגמר|נגמרה|נגמרו)(?: לנו| לי)? ה?(.+)`, `תוסיף $1 לרשימת הקניות`),
	inWords(`רשימת קניות: (.+)`, `תוסיף $1 לרשימת הקניות`),
	inWords(`(?:תרשמי?|תרשום|תוסיפי?|תוסיף|תכניסי?|רשום|רשמי) (?:ברשימת הקניות|לקניות) (.+)`, `תוסיף $1 לרשימת הקניות`),
	inWords(`קניתי (.+)`, `תסמן $1 ברשימת הקניות`),
	questionIn(`(?:נשאר|יש|נותר) (?:לי |לנו )?(?:עוד )?(?:משהו|דברים) לארוז\??`, `מה יש ברשימת האריזה`),
	questionIn(`(?:נשאר|יש|נותר) (?:לי |לנו )?(?:עוד )?(?:משהו|דברים) לקנות\??`, `מה יש ברשימת הקניות`),
	questionIn(`(?:יש|האם יש)(?: לי)? משהו באיחור\??`, `מה המשימות באיחור`),
	questionIn(`(?:תמצאי?|מצאי?|חפשי?|תחפשי?|איפה) (?:את )?(אישור ה\S+|חשבונית \S+|החשבונית|הקבלה|קבלה) מ(.+?)\??`,
		`מייל מ$2`),
	inWords(`ש(\S+(?: \S+){0,4}?) (?:תתחיל|יתחיל) ב-?(.+)`, `תזיז את $1 ל-$2`),
	questionIn(`(?:show |list )?(?:me )?(?:the |my )?tasks (?:that )?i(?:'m| am) `+
		`(?:behind (?:with|on)|late (?:with|on))\??`, `which tasks are overdue`),
	questionIn(`(?:anything|something|what|what's|whats|what is|what am i|am i|is there anything|what do i have) `+
		`(?:still )?(?:overdue|late|behind|late (?:on|with)|behind (?:on|with)|past due)\??`,
		`which tasks are overdue`),
	questionIn(`מה(?: יש לי| אני)? (?:באיחור|מאוחר|מאחר|מאחרת|בפיגור)\??`, `אילו משימות באיחור`),
	questionIn(
		`(?:ה?אירועים|ה?פגישות|events|meetings|appointments)(?: של| ל| on| for)? ((?:ה?יום|מחר|היום|ב|\d|on |today|`+
			`tomorrow|this |next ).*)`, `schedule $1`),
	inWords(`שיהיה רשום[,:]? (.+)`, `תזכור: $1`),
	inWords(`תשכחי? את (.+)`, `תמחק את הפתק על $1`),
	factIn(`ה?(\S+) (?:כתב|כתבה|שלח|שלחה) לי משהו`, `יש מייל מ$1`),
	inWords(`תבטלי? את מה שעשית עכשיו`, `תבטל את זה`),
	inWords(`תחזירי? את זה אחורה`, `תבטל את זה`),
	inWords(`(?:תחזירי?|תחזיר|תשחזרי?|תשחזר) את מה ש(?:מחקת|ביטלת|שינית|עשית|הוספת|הזזת|מחקתי|ביטלתי)`, `תבטל את זה`),
	inWords(`(קבעתי|קבענו) עם (\S+) ([^\sה]\S*(?: \S+)?) ((?:מחר|מחרתיים|היום|הערב|ב\S+|ל\S+|יום) .*)`, `$1 $3 עם $2 $4`),
}

// closing is what people say behind something done.
var closing = regexp.MustCompile(`,? (?:אפשר לסמן|תסמני?|תסמן|סמני?|תסגרי?|תסגור|תורידי?|תוריד|תמחקי?|תמחק)(?: .*)?$`)

// pastTasks are what people say that they have done, and the verb of the task.
var pastTasks = [][2]string{
	{"שילמתי", "לשלם"}, {"אספתי", "לאסוף"}, {"התקשרתי", "להתקשר"}, {"ניקיתי", "לנקות"}, {"החזרתי", "להחזיר"},
	{"שלחתי", "לשלוח"}, {"תיקנתי", "לתקן"}, {"הגשתי", "להגיש"}, {"חידשתי", "לחדש"}, {"השקיתי", "להשקות"},
	{"הדפסתי", "להדפיס"}, {"חתמתי", "לחתום"}, {"שטפתי", "לשטוף"}, {"כיבסתי", "לכבס"}, {"הוצאתי", "להוציא"},
	{"האכלתי", "להאכיל"}, {"החלפתי", "להחליף"}, {"סידרתי", "לסדר"}, {"מילאתי", "למלא"}, {"הזמנתי", "להזמין"}, {"קניתי",
		"לקנות"}, {"חזרתי", "לחזור"}, {"דיברתי", "לדבר"},
	{"העברתי", "להעביר"}, {"הכנתי", "להכין"}, {"בישלתי", "לבשל"}, {"אפיתי", "לאפות"}, {"לקחתי", "לקחת"}, {"הבאתי",
		"להביא"},
	{"תליתי", "לתלות"}, {"צבעתי", "לצבוע"}, {"ביקשתי", "לבקש"}, {"נתתי", "לתת"}, {"מכרתי", "למכור"}, {"תרמתי", "לתרום"},
	{"עדכנתי", "לעדכן"},
	{"גיביתי", "לגבות"}, {"כתבתי", "לכתוב"}, {"קראתי", "לקרוא"}, {"בדקתי", "לבדוק"}, {"מסרתי", "למסור"},
}

// passives say of a thing that it is done, with the verb of the task.
var passives = func() []rephrased {
	var out []rephrased
	for _, pair := range [][2]string{
		{"נחתם|נחתמה|חתום|חתומה", "לחתום"}, {"נשלח|נשלחה|נשלחו", "לשלוח"}, {"שולם|שולמה|שולמו", "לשלם"},
		{"הוגש|הוגשה|הוגשו", "להגיש"}, {"תוקן|תוקנה|תוקנו", "לתקן"}, {"הוזמן|הוזמנה|הוזמנו", "להזמין"},
		{"הוחזר|הוחזרה|הוחזרו", "להחזיר"}, {"חודש|חודשה|חודשו", "לחדש"}, {"נאסף|נאספה|נאספו", "לאסוף"},
		{"נקנה|נקנתה|נקנו", "לקנות"}, {"נשטף|נשטפה", "לשטוף"}, {"סודר|סודרה", "לסדר"}, {"הוחלף|הוחלפה", "להחליף"},
		{"שטוף|שטופה|שטופים", "לשטוף"}, {"מסודר|מסודרת|מסודרים", "לסדר"}, {"מעודכן|מעודכנת|מעודכנים", "לעדכן"},
		{"משולם|משולמת", "לשלם"}, {"נוקה|נוקתה|נוקו", "לנקות"}, {"מגובה|מגובים", "לגבות"}, {"הודפס|הודפסה|הודפסו|מודפס",
			"להדפיס"},
		{"נצבע|נצבעה|צבוע|צבועה", "לצבוע"}, {"גוהצו|גוהצה|מגוהצים|מגוהצת", "לגהץ"}, {"כובסה|כובסו|מכובסת", "לכבס"},
		{"נמכר|נמכרה|נמכרו", "למכור"}, {"נתרם|נתרמו", "לתרום"}, {"נקבע|נקבעה", "לקבוע"}, {"נכתבו ונשלחו", "לכתוב"},
		{"עודכן|עודכנו|עודכנה", "לעדכן"}, {"גובה|גובו", "לגבות"}, {"נכתבו|נכתב", "לכתוב"}, {"הושקו", "להשקות"},
	} {
		out = append(out, inWords(`(?:(?:תסמני?|תסמן|סמני?) ש)?(\S+(?: \S+){0,4}?) (?:כבר )?(?:`+pair[0]+
			`)(?:,? (?:אפשר|תסמני?|תסמן|סמני?|תסגרי?|תסגור|סגרי?)(?: .*)?)?`, pair[1]))
	}
	return out
}()
