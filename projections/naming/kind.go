package naming

// Kind is what sort of thing is named. It decides which words of a text only say what sort of thing is meant.
type Kind int

// The kinds of things that texts name.
const (
	Task Kind = iota
	List
	Item
	Event
	Memory
	Entity
	Email
	Webset
	kinds
)

// handles are the words that say of what kind the thing is, folded, with the article where it is written together.
var handles = [kinds]set{
	Task: words(`task tasks todo reminder reminders item entry one ones thing things
		משימה משימת המשימה משימות תזכורת התזכורת תזכורות למשימה במשימה לתזכורת`),
	List:   words(`list lists checklist checklists one ones רשימה רשימת הרשימה רשימות לרשימה לרשימת ברשימה ברשימת`),
	Item:   words(`item entry one ones thing things line פריט הפריט שורה השורה`),
	Event:  words(`event events entry one ones thing things slot calendar invite אירוע האירוע אירועים לאירוע באירוע`),
	Memory: words(`memory memories note notes one ones thing things זיכרון הזיכרון פתק הפתק הערה ההערה`),
	Entity: words(`entity node person company one ones ישות הישות`),
	Email:  words(`email emails mail mails message messages thread letter one ones מייל המייל הודעה ההודעה אימייל דואל`),
	Webset: words(`webset websets set collection search one ones אוסף האוסף חיפוש החיפוש`),
}

// categories are words for sorts of events. Beside other words they may be missing from a title that the others say
// whole.
var categories = words(`appointment appointments appt session sessions class classes lesson lessons meeting meetings mtg
	פגישה פגישת הפגישה לפגישה תור התור לתור שיעור השיעור לשיעור אימון מפגש`)

// isCategory reports whether a folded word only says what sort of thing of the kind is meant.
func (k Kind) isCategory(word string) bool { return k == Event && categories[word] }
