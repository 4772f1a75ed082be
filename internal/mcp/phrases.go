package mcp

import "fmt"

// The sentences of questions, in the viewer's language.
type phrase int

const (
	sayDelete phrase = iota
	sayDeleteWhich
	sayDeleteOne
	sayChange
	sayComplete
	sayRemoveItems
	sayWhichOfSeries
	saySend
	sayNotify
	sayMark
	sayTrash
	sayForget
	sayPublished
	sayFromNow
	sayThis
	sayFollowing
	saySeries
	sayYes
	sayNo
)

// say returns a sentence; numbers and names go into its places.
func say(locale string, what phrase, args ...any) string {
	text := english(what)
	if locale == "he" {
		text = hebrew(what)
	}
	return fmt.Sprintf(text, args...)
}

func english(what phrase) string {
	return [...]string{
		sayDelete: "Delete (%d)?", sayDeleteWhich: "Which of these shall be deleted?",
		sayDeleteOne: "Which one shall be deleted?", sayChange: "Make the same change to all of these (%d)?",
		sayComplete: "Mark all of these as done (%d)?", sayRemoveItems: "Remove these items from the list \"%s\"?",
		sayWhichOfSeries: "It repeats. Which occurrences shall be deleted?",
		saySend:          "Send this e-mail?", sayNotify: "Do this, and let Google tell the guests by mail?",
		sayMark: "Change all of these e-mails (%d)?", sayTrash: "Move these e-mails to the trash or to spam (%d)?",
		sayForget: "Erase for good (%d)?", sayPublished: "Run \"%s\" with exactly these values?",
		sayFromNow: "From now on",
		sayThis:    "Only this one", sayFollowing: "This one and those after it", saySeries: "The whole series",
		sayYes: "Yes", sayNo: "No",
	}[what]
}

func hebrew(what phrase) string {
	return [...]string{
		sayDelete: "למחוק (%d)?", sayDeleteWhich: "אילו מאלה למחוק?",
		sayDeleteOne: "איזה מאלה למחוק?", sayChange: "לבצע את אותו השינוי בכל אלה (%d)?",
		sayComplete: "לסמן את כל אלה כבוצעו (%d)?", sayRemoveItems: "להסיר את הפריטים האלה מהרשימה \"%s\"?",
		sayWhichOfSeries: "האירוע חוזר. אילו מופעים למחוק?",
		saySend:          "לשלוח את האימייל הזה?", sayNotify: "לבצע את זה, ולתת ל-Google להודיע למוזמנים במייל?",
		sayMark: "לשנות את כל המיילים האלה (%d)?", sayTrash: "להעביר את המיילים האלה לאשפה או לספאם (%d)?",
		sayForget: "למחוק לצמיתות (%d)?", sayPublished: "להריץ את \"%s\" בדיוק עם הערכים האלה?",
		sayFromNow: "מעכשיו והלאה",
		sayThis:    "רק את זה", sayFollowing: "את זה ואת הבאים אחריו", saySeries: "את כל הסדרה", sayYes: "כן", sayNo: "לא",
	}[what]
}
