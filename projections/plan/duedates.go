package plan

import (
	"slices"
	"strings"
)

// Ways to set when a task is due. The task may begin with any verb, so it is no thing of the other ways; that the rest
// is a time tells the two apart.
const (
	dueNoun  = `(?:due[- ]date|deadline|due day|due time)`
	yaadNoun = `(?:תאריך ה?יעד|דד-?ליין|הדד-?ליין|מועד אחרון|המועד האחרון|מועד ה?יעד|תאריך סופי)`
	giveVerb = `(?:put|set|add|give|assign|make|change|move|update|push|use)`
	taskSaid = `(?:the task |the |my )?["']?{k}["']?(?: task)?`
)

var dueDates = []rewording{
	worded(giveVerb+` (?:a |the )?`+dueNoun+` (?:of |for |to |as |on )?{t} (?:on|for|to|as the `+dueNoun+` (?:for|of)) `+
		taskSaid, `move the task ${k} to ${t}`),
	worded(giveVerb+` (?:a |the )?`+dueNoun+` (?:of|for|on) `+taskSaid+`(?: to|:| as| on| for| =)? {t}`,
		`move the task ${k} to ${t}`),
	worded(giveVerb+` {t} as (?:a |the )?`+dueNoun+` (?:of|for|on) `+taskSaid, `move the task ${k} to ${t}`),
	worded(`(?:set|give|assign) `+taskSaid+` (?:a |the )?`+dueNoun+` (?:of |for |to |as |on )?{t}`, `move the task `+
		`${k} to ${t}`),
	worded(`(?:make|have|set) `+taskSaid+` (?:be )?due (?:on |by |at )?{t}`, `move the task ${k} to ${t}`),
	worded(`the `+dueNoun+` (?:of|for) `+taskSaid+` (?:is|should be|has moved to|moved to|is now|has changed to) {t}`,
		`move the task ${k} to ${t}`),
	worded(`(?:<רשומ>|<הזז>|תן|תני|תיתן|תיתני|קבע|קבעי|תקבעו|תשנה|תשני|שנה|שני|תעדכן|תעדכני|להגדיר|תגדיר|תגדירי) (?:את )?`+
		yaadNoun+` (?:של |ל-?|ב-?|עד )?{t} (?:ל(?:משימה|מטלה|תזכורת)|עבור המשימה|על המשימה|של המשימה) (?:של )?{k}`,
		`תעביר את המשימה ${k} ל~${t}`),
	worded(`(?:<רשומ>|<הזז>|תן|תני|תיתן|תיתני|קבע|קבעי|תשנה|תשני|שנה|שני|תעדכן|תעדכני|תגדיר|תגדירי) `+
		`ל(?:משימה |מטלה )?(?:של )?{k} (?:את )?(?:ה)?`+yaadNoun+`:? (?:של |ל-?|ב-?|עד )?{t}`,
		`תעביר את המשימה ${k} ל~${t}`),
	worded(`(?:<רשומ>|<הזז>|תן|תני|קבע|קבעי|תשנה|תשני|שנה|שני|תעדכן|תעדכני|תגדיר|תגדירי) (?:את )?`+yaadNoun+
		` (?:של |ל)(?:ה?משימה |ה?מטלה )?(?:של )?{k}(?: ל-?|: ?| ב-?| עד | ){t}`, `תעביר את המשימה ${k} ל~${t}`),
	worded(yaadNoun+` (?:של |ל)(?:ה?משימה )?{k} (?:הוא|יהיה|זה|עבר ל|עכשיו|זז ל|נדחה ל) ?{t}`,
		`תעביר את המשימה ${k} ל~${t}`),
}

// lengthened are ways to make an event longer by what is added to it.
const lengthAdded = `(\d+ (?:minutes?|mins?|hours?)|half an hour|half hour|an hour|a quarter of an hour|two ` +
	`hours|an hour and a half)`

const lengthAddedHe = `(חצי שעה|רבע שעה|שעה|שעתיים|שעה וחצי|שעה ורבע|\d+ דקות|\d+ שעות)`

var lengthened = []rewording{
	worded(`(?:add|give) (?:another |an extra |an additional )?`+lengthAdded+`(?: more| extra)? (?:to|onto) DEF{x}`,
		`extend ${x} by $1`),
	worded(`(?:add|give) DEF{x} (?:another |an extra )?`+lengthAdded+`(?: more| extra)?`, `extend ${x} by $2`),
	worded(`(?:<רשומ>|תן|תני|תיתן|תיתני) (?:עוד )?`+lengthAddedHe+`(?: נוספת| נוספות)? ל{x}`, `תאריך את ${x} ב$1`),
	worded(`(?:<רשומ>|תן|תני|תיתן|תיתני) ל{x} (?:עוד )?`+lengthAddedHe+`(?: נוספת| נוספות)?`, `תאריך את ${x} ב$2`),
}

// cuedWays are the ways of which a sentence has a word that all of them have, so that most sentences try none.
func cuedWays(text string) []rewording {
	text = strings.ToLower(text)
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
	}
	var out []rewording
	if has("due", "deadline", "יעד", "דדליין", "דד-ליין", "מועד אחרון", "המועד האחרון", "תאריך סופי") {
		out = append(out, dueDates...)
	}
	if has("add ", "give ", "תוסיפ", "תוסיף", "הוסף", "הוסיפי", "תן ", "תני ", "תיתן ", "תיתני ", "להוסיף", "תכניס",
		"תשים") &&
		has("hour", "min", "שעה", "שעת", "שעות", "דקות") {
		out = append(out, lengthened...)
	}
	if has("find", "look for", "search for", "get ", "מצא", "חפש", "אתר", "תסדר", "למצוא") &&
		has("slot", "time", "window", "gap", "opening", "room", "space", "spot", "hour", "moment", "min", "זמן", "חלון",
			"שעה",
			"שעתיים", "משבצת", "רווח", "סלוט", "מועד", "חור", "דקות", "שעות") {
		out = append(out, freeTimes...)
	}
	return out
}
