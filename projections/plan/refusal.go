package plan

import (
	"strings"
	"unicode"

	"almanac/graph/model"
)

// Kind says why a text is no plan.
type Kind string

// The kinds of refusal.
const (
	// NotAnInstruction is a text that asks nothing of a calendar.
	NotAnInstruction Kind = "NOT_AN_INSTRUCTION"
	// Unsupported is a clear wish for something else: a task, a mail, a memory, two things at once.
	Unsupported Kind = "UNSUPPORTED"
	// Missing is a wish that lacks a part; Slot says which.
	Missing Kind = "MISSING"
	// Unread is a part that looks like a time, or may change the sense, and was not understood.
	Unread Kind = "UNREAD"
	// Contradiction are parts that exclude each other, and times that there are not.
	Contradiction Kind = "CONTRADICTION"
)

// Refusal is the error of Read: the text has no one plain reading.
type Refusal struct {
	Kind Kind
	// Slot is the part that is missing or at fault; empty when it is the text as a whole.
	Slot Slot
	// From and To are the bytes of the text at fault; both 0 when it is the text as a whole.
	From, To int
	// Tool is the tool of another matter than the calendar that was asked for; empty for the calendar's.
	Tool Tool
	// Message is a sentence for people, in the language of the text.
	Message string
}

// Error returns the kind and the sentence.
func (r *Refusal) Error() string { return string(r.Kind) + ": " + r.Message }

// Unwrap returns the refusal as a client may see it: BAD_USER_INPUT on the field "text".
func (r *Refusal) Unwrap() error { return model.BadInput("text", "%s", r.Message) }

// NotRead reports whether the text was not read, not that something is missing in it, excludes another part, or may
// mean two things.
func (r *Refusal) NotRead() bool {
	return r.Kind == NotAnInstruction || r.Kind == Unsupported || r.Kind == Unread && r.Slot != SlotRecurrence
}

// reason is a sentence in both languages; %s is the part of the text at fault.
type reason struct{ en, he string }

func (r reason) say(locale, part string) string {
	text := r.en
	if locale == "he" {
		text = r.he
	}
	return strings.ReplaceAll(text, "%s", part)
}

// longestExcerpt is how many characters of the text a message quotes.
const longestExcerpt = 60

func clip(text string) string {
	text = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, text)), " ")
	count := 0
	for i := range text {
		if count == longestExcerpt {
			return text[:i] + "…"
		}
		count++
	}
	return text
}

var (
	noInstruction = reason{"This asks for nothing that can be done here. Say what to add, show, find, change or delete.",
		"אין כאן בקשה שאפשר למלא. אפשר לבקש להוסיף, להציג, לחפש, לשנות או למחוק."}
	notTold    = reason{"“%s” says what not to do; nothing was done.", "„%s” אומר מה לא לעשות; דבר לא נעשה."}
	otherThing = reason{"“%s” cannot be done here; events, tasks, lists and memories can be handled, and mail be read.",
		"„%s” אינו אפשרי כאן; אפשר לטפל באירועים, במשימות, ברשימות ובפתקים, ולקרוא דואר."}
	twoThings = reason{"This asks for two things at once, the second from “%s” on. Ask for one at a time.",
		"יש כאן שתי בקשות, והשנייה מתחילה ב„%s”. אפשר לבקש אחת בכל פעם."}
	noStart = reason{"The day or the hour is missing. Say when it starts.", "חסרים היום או השעה. מתי זה מתחיל?"}
	noHour  = reason{"The hour is missing. Say when it starts, or that it is all day.",
		"חסרה השעה. באיזו שעה זה מתחיל, או שזה כל היום?"}
	noDaySaid = reason{"“%s” is said, but no day. On which day?", "„%s” נאמר, אבל לא היום. באיזה יום?"}
	noDay     = reason{"“%s” is not one day. Say on which day.", "„%s” אינו יום אחד. באיזה יום?"}
	noTarget  = reason{"Which event is meant? Say its title, or when it is.",
		"לאיזה אירוע הכוונה? אפשר לומר את שמו או את מועדו."}
	noWindow = reason{"Say which day or which hours are to be cleared.", "יש לומר איזה יום או אילו שעות לפנות."}
	noQuery  = reason{"What should be looked for?", "מה לחפש?"}
	noChange = reason{"What should become of the event? Say its new time, length, title or place.",
		"מה לשנות באירוע? אפשר לומר מועד, משך, שם או מקום חדשים."}
	noName = reason{"What is it called? Say its name with the time.",
		"איך קוראים לזה? אפשר לומר את השם יחד עם המועד."}
	noWhat          = reason{"What should be added, and when?", "מה להוסיף, ומתי?"}
	unreadPart      = reason{"“%s” was not understood.", "„%s” לא הובן."}
	severalDaysSaid = reason{"“%s” is one of several days. Is it one event for all of them, or one each? Say one at a " +
		"time.",
		"„%s” הוא אחד מכמה ימים. זה אירוע אחד לכולם, או אחד לכל יום? אפשר לומר אחד בכל פעם."}
	notKept = reason{"What is meant by “%s”? It has found no place in what was understood, so nothing was done.",
		"מה הכוונה ב„%s”? לא נמצא לזה מקום במה שהובן, ולכן דבר לא נעשה."}
	condition = reason{"“%s” sets a condition or a choice, which cannot be followed here.",
		"„%s” מציב תנאי או בחירה, ואי אפשר לפעול לפיהם כאן."}
	noSuchDay  = reason{"There is no such day as “%s”.", "אין יום כזה: „%s”."}
	noSuchTime = reason{"There is no such time as “%s”.", "אין שעה כזאת: „%s”."}
	endBefore  = reason{"“%s” ends before it starts. Which times are meant?",
		"„%s” מסתיים לפני שהוא מתחיל. לאילו זמנים הכוונה?"}
	whichOf  = reason{"“%s” leaves a choice. Which of them is meant?", "„%s” משאיר בחירה. לאיזה מהם הכוונה?"}
	twoTimes = reason{"“%s” does not fit the other time that was said. Which of them is meant?",
		"„%s” אינו מתיישב עם המועד האחר שנאמר. לאיזה מהם הכוונה?"}
	dayOrMonth = reason{"“%s” may be one of two dates. Write the month by its name.",
		"„%s” יכול להיות אחד משני תאריכים. יש לכתוב את החודש בשמו."}
	noRepeat  = reason{"Say how often “%s” is.", "יש לומר באיזו תדירות: „%s”."}
	badRepeat = reason{"“%s” is not a recurrence that a calendar can keep.", "„%s” אינו מחזור שיומן יכול לשמור."}
	tooLong   = reason{"The text is longer than 10,000 characters.", "הטקסט ארוך מ-10,000 תווים."}
)
