package plan

import (
	"strings"

	"almanac/projections/fold"
	"almanac/projections/when"
)

// hebrewRenames are ways to give something another name, in quotation marks or not: the old one and the new one are the
// first two groups that are not empty.
var hebrewRenames = []spelling{
	{said: lazily(`^במקום ["״„](.+?)["״”],? (?:` + classes["רשומ"] + `|` + classes["כתוב"] + `|תקראי?|תקרא)(?: לזה| לו|` +
		` לה)? ` +
		`["״„](.+?)["״”]$`)},
	{said: lazily(`^(?:תשני?|תשנה|שנה|שני|תחליפי?|תחליף|החלף|החליפי|לשנות|להחליף)(?: לי| לנו)?(?: את)? ה?(?:כותרת|` +
		`שם)(?: של)?` +
		`(?: ה?אירוע)?:? ["״„]?(.+?)["״”]? ?(?:=>|->|→| ל[- ]?:? ?)["״„]?([^"״]+?)["״”]?$`)},
	{said: lazily(`^(?:ל|את ה?)["״„]?(.+?)["״”]? (?:תקראי?|תקרא)(?: מעכשיו)? ["״„](.+?)["״”]$`)},
}

// renamedHebrew reads such a wish as that to change the name.
func renamedHebrew(text string, at when.Moment) (string, bool) {
	if len(text) > longestReworded || !inHebrew(text) {
		return text, false
	}
	for _, way := range hebrewRenames {
		found := way.said().FindStringSubmatch(strings.TrimRight(text, ".! "))
		if found == nil {
			continue
		}
		old, name := strings.TrimSpace(found[1]), strings.TrimSpace(found[2])
		// "לדמו ללקוח לאינטל" does not say where the new name begins
		several := strings.Contains(old, " ל") || strings.Contains(name, " ל") || strings.ContainsAny(text, "'׳")
		if several && !strings.ContainsAny(text, "\"״„") {
			return text, false
		}
		if !isThing(old, at) || saysTime(name, at) || strings.HasPrefix(fold.Text(old), "רשימ") {
			return text, false
		}
		return `שנה את השם של ` + old + ` ל"` + name + `"`, true
	}
	return text, false
}

// unsureHebrew reports whether what a Hebrew sentence makes may be less, or other, than what it says: a name that is a
// pronoun or begins with "and", several marks in a row, what is told to have changed kept as something new, a list that
// is to be emptied, and items that may be one or several.
func unsureHebrew(out Plan, text string) bool {
	if !inHebrew(text) {
		return false
	}
	words := strings.Fields(fold.Text(text))
	switch {
	case out.Create != nil:
		first := firstOf(out.Create.Title)
		return first == "מישהו" || first == "מישהי" || first == "משהו" ||
			strings.HasPrefix(first, "ול") && len([]rune(first)) > 3
	case out.Tool == ToolCreateTask:
		for _, one := range out.Task.New {
			if strings.Contains(one.Text, ". .") {
				return true
			}
		}
	case out.Tool == ToolStoreMemory:
		for _, word := range words {
			if hasChanged[strings.Trim(word, ",.!")] {
				return true
			}
		}
	case out.Tool == ToolUpdateList && len(out.List.Items) > 1:
		// "pasta tuna and bread": the words before the last item may be one item or two
		first := strings.Fields(out.List.Items[0])
		return len(words) < 7 && len(first) == 2 && !strings.ContainsAny(text, ",+&") && !strings.HasPrefix(words[0], "ת") &&
			firstOf(out.List.Items[0]) == words[0] && !joinsHebrew(first[0])
	}
	return false
}

// joinsHebrew reports whether a word is one that stands directly before the noun it belongs to: "נייר טואלט", "שתי
// קופסאות".
func joinsHebrew(word string) bool {
	word = fold.Text(word)
	return hebrewMeasures[word] || strings.HasSuffix(word, "ת") || strings.HasSuffix(word, "י")
}

var (
	// hasChanged say of what is kept that it is another now.
	hasChanged = setOfWords("השתנה השתנתה השתנו התחלפ התחלפה התחלפו התעדכנ התעדכנה")
	// hebrewMeasures are words that count or measure what stands behind them, or make one thing with it.
	hebrewMeasures = setOfWords("נייר שמנ גבינה גבינת חלב לחמ קילו חצי ליטר חבילה קופסה קופסת בקבוק שקית שני שתי שלוש " +
		"שלושה ארבע ארבעה חמש חמישה קצת עוד מיצ יינ מי אבקת אבקה סבונ משחת קרמ תפוחי עגבניות מלפפונ בצל תה קפה סוכר קמח " +
		"אורז ביצי בשר חזה דג פלפל עוגת עוגה")
)
