package summary

import (
	"fmt"

	"almanac/graph/model"
)

// forms are the words of a verb: one takes the name and what else the phrase has, many the number and the names.
type forms struct{ one, many string }

// vocabulary is what one language says.
type vocabulary struct {
	verbs map[string]forms
	// remote are the verbs of events and e-mails, in wordsremote.go.
	remote map[string]forms
	// more follows the names of a sentence about many things, with the number of the others.
	more string
	// count are the words for so many items.
	item, itemMany string
	// gone are the words for records that were erased, by kind.
	gone map[model.Kind]forms
	// undone and redone take what had been done.
	undone, undoneErased, redone, redoneErased string
	// erasedSince stands in place of a summary that was erased.
	erasedSince string
}

// of returns the words of a verb.
func (w vocabulary) of(verb string) forms {
	if found, known := w.verbs[verb]; known {
		return found
	}
	return w.remote[verb]
}

// items says how many items there are.
func (w vocabulary) items(n int) string {
	if n == 1 {
		return w.item
	}
	return fmt.Sprintf(w.itemMany, n)
}

// erased says that so many records of a kind were erased.
func (w vocabulary) erased(kind model.Kind, n int) string {
	if n == 1 {
		return w.gone[kind].one
	}
	return fmt.Sprintf(w.gone[kind].many, n)
}

func wordsIn(locale string) vocabulary {
	if locale == "he" {
		return hebrew
	}
	return english
}

var english = vocabulary{
	verbs: map[string]forms{
		"task added":           {"Added %s", "Added %d tasks: %s"},
		"task added for":       {"Added %s for %s", "Added %d tasks: %s"},
		"task deleted":         {"Deleted %s", "Deleted %d tasks: %s"},
		"task completed":       {"Completed %s", "Completed %d tasks: %s"},
		"occurrence completed": {"Completed %s of %s, next %s", "Completed %d tasks: %s"},
		"task reopened":        {"Reopened %s", "Reopened %d tasks: %s"},
		"task moved":           {"Moved %s from %s to %s", "Moved %d tasks: %s"},
		"task dated":           {"Set %s for %s", "Dated %d tasks: %s"},
		"task undated":         {"Took the date %[2]s off %[1]s", "Took the dates off %d tasks: %s"},
		"task renamed":         {"Renamed %s to %s", "Renamed %d tasks: %s"},
		"task categorized":     {"Put %s under %s", "Put %d tasks under another category: %s"},
		"task uncategorized":   {"Took %s from under %s", "Took the category off %d tasks: %s"},
		"task placed":          {"Moved %s to another place", "Moved %d tasks to other places: %s"},
		"task changed":         {"Changed %s", "Changed %d tasks: %s"},
		"step added":           {"Added %s to %s", "Added %d subtasks: %s"},
		"step renamed":         {"Renamed %s to %s in %s", "Renamed %d subtasks: %s"},
		"step completed":       {"Completed %s of %s", "Completed %d subtasks: %s"},
		"step reopened":        {"Reopened %s of %s", "Reopened %d subtasks: %s"},
		"step deleted":         {"Deleted %s from %s", "Deleted %d subtasks: %s"},
		"list added":           {"Added the list %s", "Added %d lists: %s"},
		"list added with":      {"Added the list %s with %s", "Added %d lists: %s"},
		"list deleted":         {"Deleted the list %s", "Deleted %d lists: %s"},
		"list renamed":         {"Renamed the list %s to %s", "Renamed %d lists: %s"},
		"list changed":         {"Changed the list %s", "Changed %d lists: %s"},
		"item added":           {"Added %s to %s", "Added %d items: %s"},
		"item checked":         {"Checked %s on %s", "Checked %d items: %s"},
		"item unchecked":       {"Unchecked %s on %s", "Unchecked %d items: %s"},
		"item removed":         {"Removed %s from %s", "Removed %d items: %s"},
		"items ordered":        {"Reordered %s", "Reordered %d lists: %s"},
		"memory added":         {"Remembered %s", "Remembered %d things: %s"},
		"memory replaced":      {"Replaced the memory %s by %s", "Replaced %d memories: %s"},
		"memory changed":       {"Changed the memory %s", "Changed %d memories: %s"},
		"memory taken back":    {"Took back the memory %s", "Took back %d memories: %s"},
		"entity added":         {"Added %s to the knowledge graph", "Added %d entities: %s"},
		"entity renamed":       {"Renamed the entity %s to %s", "Renamed %d entities: %s"},
		"entity changed":       {"Changed the entity %s", "Changed %d entities: %s"},
		"entity merged":        {"Merged %s into another entity", "Merged %d entities: %s"},
		"fact added":           {"Added the fact: %s", "Added %d facts: %s"},
		"fact closed":          {"Closed the fact: %s, as of %s", "Closed %d facts: %s"},
		"fact changed":         {"Changed the fact: %s", "Changed %d facts: %s"},
		"fact joined":          {"Joined the fact with an equal one: %s", "Joined %d facts with equal ones: %s"},
		"episode added":        {"Kept the episode %s", "Kept %d episodes: %s"},
		"episode changed":      {"Had the episode %s read again", "Had %d episodes read again: %s"},
		"episode taken back":   {"Took back the episode %s", "Took back %d episodes: %s"},
		"zone changed":         {"Changed the time zone from %s to %s", "%[2]s"},
		"locale changed":       {"Changed the language from %s to %s", "%[2]s"},
		"week changed":         {"Changed the first day of the week from %s to %s", "%[2]s"},
		"calendar chosen":      {"Changed the default calendar%.0s", "%[2]s"},
	},
	remote: englishRemote, more: " and %d more", item: "1 item", itemMany: "%d items",
	gone: map[model.Kind]forms{
		model.KindMemory:  {"Erased a memory", "Erased %d memories"},
		model.KindEntity:  {"Erased an entity", "Erased %d entities"},
		model.KindFact:    {"Erased a fact", "Erased %d facts"},
		model.KindEpisode: {"Erased an episode", "Erased %d episodes"},
		model.KindUser:    {"Erased the knowledge graph", "Erased the knowledge graph"},
	},
	undone: "Undid: %s", undoneErased: "Undid what was done", redone: "Did again: %s",
	redoneErased: "Did again what was done",
	erasedSince:  "Erased: what this action touched was erased for good",
}

var hebrew = vocabulary{
	verbs: map[string]forms{
		"task added":           {"נוספה המשימה %s", "נוספו %d משימות: %s"},
		"task added for":       {"נוספה המשימה %s ל%s", "נוספו %d משימות: %s"},
		"task deleted":         {"נמחקה המשימה %s", "נמחקו %d משימות: %s"},
		"task completed":       {"הושלמה המשימה %s", "הושלמו %d משימות: %s"},
		"occurrence completed": {"הושלמה המשימה %s של %s, הבאה %s", "הושלמו %d משימות: %s"},
		"task reopened":        {"נפתחה מחדש המשימה %s", "נפתחו מחדש %d משימות: %s"},
		"task moved":           {"המשימה %s הועברה מ%s ל%s", "הועברו %d משימות: %s"},
		"task dated":           {"נקבע מועד למשימה %s: %s", "נקבע מועד ל-%d משימות: %s"},
		"task undated":         {"הוסר המועד %[2]s מהמשימה %[1]s", "הוסר המועד מ-%d משימות: %s"},
		"task renamed":         {"שם המשימה %s שונה ל: %s", "שונו השמות של %d משימות: %s"},
		"task categorized":     {"המשימה %s הועברה לקטגוריה %s", "שונתה הקטגוריה של %d משימות: %s"},
		"task uncategorized":   {"המשימה %s הוצאה מהקטגוריה %s", "הוסרה הקטגוריה מ-%d משימות: %s"},
		"task placed":          {"המשימה %s הועברה למקום אחר", "%d משימות הועברו למקומות אחרים: %s"},
		"task changed":         {"שונתה המשימה %s", "שונו %d משימות: %s"},
		"step added":           {"נוסף הצעד %s למשימה %s", "נוספו %d צעדים: %s"},
		"step renamed":         {"שם הצעד %s שונה ל: %s, במשימה %s", "שונו השמות של %d צעדים: %s"},
		"step completed":       {"הושלם הצעד %s במשימה %s", "הושלמו %d צעדים: %s"},
		"step reopened":        {"נפתח מחדש הצעד %s במשימה %s", "נפתחו מחדש %d צעדים: %s"},
		"step deleted":         {"נמחק הצעד %s מהמשימה %s", "נמחקו %d צעדים: %s"},
		"list added":           {"נוספה הרשימה %s", "נוספו %d רשימות: %s"},
		"list added with":      {"נוספה הרשימה %s עם %s", "נוספו %d רשימות: %s"},
		"list deleted":         {"נמחקה הרשימה %s", "נמחקו %d רשימות: %s"},
		"list renamed":         {"שם הרשימה %s שונה ל: %s", "שונו השמות של %d רשימות: %s"},
		"list changed":         {"שונתה הרשימה %s", "שונו %d רשימות: %s"},
		"item added":           {"נוסף הפריט %s לרשימה %s", "נוספו %d פריטים: %s"},
		"item checked":         {"סומן הפריט %s ברשימה %s", "סומנו %d פריטים: %s"},
		"item unchecked":       {"בוטל הסימון של %s ברשימה %s", "בוטל הסימון של %d פריטים: %s"},
		"item removed":         {"הוסר הפריט %s מהרשימה %s", "הוסרו %d פריטים: %s"},
		"items ordered":        {"שונה הסדר ברשימה %s", "שונה הסדר ב-%d רשימות: %s"},
		"memory added":         {"נשמר בזיכרון: %s", "נשמרו %d זיכרונות: %s"},
		"memory replaced":      {"הזיכרון %s הוחלף ב: %s", "הוחלפו %d זיכרונות: %s"},
		"memory changed":       {"שונה הזיכרון %s", "שונו %d זיכרונות: %s"},
		"memory taken back":    {"הוסר הזיכרון %s", "הוסרו %d זיכרונות: %s"},
		"entity added":         {"נוספה לגרף הידע הישות %s", "נוספו %d ישויות: %s"},
		"entity renamed":       {"שם הישות %s שונה ל: %s", "שונו השמות של %d ישויות: %s"},
		"entity changed":       {"שונתה הישות %s", "שונו %d ישויות: %s"},
		"entity merged":        {"הישות %s מוזגה לישות אחרת", "מוזגו %d ישויות: %s"},
		"fact added":           {"נוספה העובדה: %s", "נוספו %d עובדות: %s"},
		"fact closed":          {"נסגרה העובדה: %s, נכון ל%s", "נסגרו %d עובדות: %s"},
		"fact changed":         {"שונתה העובדה: %s", "שונו %d עובדות: %s"},
		"fact joined":          {"העובדה אוחדה עם עובדה זהה: %s", "%d עובדות אוחדו עם זהות להן: %s"},
		"episode added":        {"נשמרה הרשומה %s", "נשמרו %d רשומות: %s"},
		"episode changed":      {"הרשומה %s תיקרא שוב", "%d רשומות ייקראו שוב: %s"},
		"episode taken back":   {"הוסרה הרשומה %s", "הוסרו %d רשומות: %s"},
		"zone changed":         {"אזור הזמן שונה מ: %s ל: %s", "%[2]s"},
		"locale changed":       {"השפה שונתה מ: %s ל: %s", "%[2]s"},
		"week changed":         {"היום הראשון בשבוע שונה מ: %s ל: %s", "%[2]s"},
		"calendar chosen":      {"יומן ברירת המחדל שונה%.0s", "%[2]s"},
	},
	remote: hebrewRemote, more: " ועוד %d", item: "פריט אחד", itemMany: "%d פריטים",
	gone: map[model.Kind]forms{
		model.KindMemory:  {"נמחק זיכרון לצמיתות", "נמחקו %d זיכרונות לצמיתות"},
		model.KindEntity:  {"נמחקה ישות לצמיתות", "נמחקו %d ישויות לצמיתות"},
		model.KindFact:    {"נמחקה עובדה לצמיתות", "נמחקו %d עובדות לצמיתות"},
		model.KindEpisode: {"נמחקה רשומה לצמיתות", "נמחקו %d רשומות לצמיתות"},
		model.KindUser:    {"נמחק גרף הידע לצמיתות", "נמחק גרף הידע לצמיתות"},
	},
	undone: "בוטל: %s", undoneErased: "הפעולה בוטלה", redone: "בוצע שוב: %s", redoneErased: "הפעולה בוצעה שוב",
	erasedSince: "נמחק: מה שהפעולה נגעה בו נמחק לצמיתות",
}
