package plan

import (
	"strings"

	"almanac/projections/when"
)

// hebrewBreak stands between what is asked for and a clause behind it that says why: a mark, a word for a reason, or
// the beginning of a clause itself.
var hebrewBreak = lazily(`\s*[,;.!?…]+\s+|\s+[-–—]\s+|\s+(כי|בגלל|בשל|עקב|מאחר|מכיוון|היות|משום|שכן)\s+|` +
	`\s+(?:אני|אנחנו|הוא|היא|הם|יש לי|יש לנו|אין לי|אין לנו|לא נוסעים|לא נוסע|לא נוסעת|לא מתאים|לא מסתדר|לא בא לי|` +
	`נמאס לי|יורד|חולה)\s+`)

// withoutHebrewAside leaves out a clause behind a wish to change what is in the calendar, or to take it out, that only
// says why: "…, בעלי לוקח את זה עליו", "… כי הכלב כבר בסדר גמור". What is left must have a plan of its own. What names
// something that must be there loses nothing by it; what is made may, so that its clauses are withoutReason's.
func withoutHebrewAside(text string, at when.Moment) (string, bool) {
	if !inHebrew(text) {
		return text, false
	}
	for _, found := range hebrewBreak().FindAllStringSubmatchIndex(text, 6) {
		head, rest := strings.TrimSpace(text[:found[0]]), strings.TrimSpace(text[found[1]:])
		because := found[2] >= 0
		if !because && !strings.ContainsAny(text[found[0]:found[1]], ",;.!?…-–—") { // the clause begins with what was found
			rest = strings.TrimSpace(text[found[0]:])
		}
		if len(strings.Fields(head)) < 2 || rest == "" {
			continue
		}
		other := head
		if again, ok := reworded(head, at); ok {
			other = again
		}
		out, err := understandAs(other, at)
		if err != nil || out.Update == nil && out.Delete == nil || !hebrewAside(rest, out, because, at) {
			continue
		}
		return other, true
	}
	return text, false
}

// hebrewAside reports whether a clause behind a plan that changes or deletes only says why.
func hebrewAside(text string, out Plan, because bool, at when.Moment) bool {
	p := newSentence(text, at)
	words := strings.Fields(strings.Trim(text, ".!, "))
	if len(words) > 12 || strings.Contains(text, "?") || strings.Contains(text, ":") || len(words) < 2 && !because &&
		!ownPast().MatchString(text+" ") {
		return false
	}
	starts := asideStarts[p.wordAt(0)]
	clausal := because || starts
	for i, t := range p.tokens {
		switch {
		case t.kind == quote || t.kind == address, t.kind == word && asideNever[t.text] && t.prefix != "ש":
			return false
		case p.has(i, listWords) || p.has(i, taskNouns):
			return false
		}
		if act, _ := p.verbAt(i); act != noAction && act != show && act != where &&
			(i == 0 || p.is(i-1, "ו", ",", "אז", "ואז")) {
			return false
		}
		if i > 0 && p.infinitive(i) && p.is(i-1, ",", "בבקשה", "אז") || i == 0 && p.infinitive(0) {
			return false
		}
		clausal = clausal || t.kind == word && t.hebrew && (clauseWords[t.text] || asideVerbsHe[t.text] ||
			len([]rune(t.text)) > 4 && strings.HasSuffix(t.text, "תי"))
	}
	starts = starts || clausal && strings.HasPrefix(words[0], "ה") // "השיעור שלי מתחיל בעשר"
	if saysTime(text, at) || p.says(func(it item) bool { return it.sort == aLength || it.sort == aShift }) {
		// a time behind what was moved may be the new one, unless that is said already
		whole := out.Delete != nil || out.Update.Change.Start != nil || out.Update.Change.Shift != 0 ||
			out.Update.Change.ShiftDays != 0 || out.Update.Change.Location != ""
		if out.Update != nil && !out.Update.Change.Date.IsZero() && !newSentence(text, at).saysHour() {
			whole = true // a day beside the new one
		}
		return whole && clausal && starts != because
	}
	return clausal
}

var (
	// asideStarts are the words with which a clause begins that says more of what is asked for.
	asideStarts = setOfWords("אני אנחנו הוא היא המ הנ יש אינ זה זאת כבר לא כולמ בעלי אשתי אמא אבא הילד הילדה הילדימ " +
		"הבנ הבת הגנ המורה הרופא הרופאה היא הוא שוב שכחתי ככה")
	// asideNever are words of clauses that ask for something else, or say which of several things are meant.
	asideNever = setOfWords("רק גמ אבל אלא חוצ במקומ אמ או כל כולנ הסדרה מעכשיו מעתה והלאה הבאימ הבאות יותר פעמ " +
		"קבוע תמיד לתמיד שבוע תזכיר תזכירי תזכירו אז ואז לפני בבקשה תגיד תגידי תודיע תודיעי תשלח תשלחי")
	// asideVerbsHe are verbs of clauses that tell of something.
	asideVerbsHe = setOfWords("לוקח לוקחת לוקחימ מרגיש מרגישה כואב כואבת עובד עובדת עובדימ נוסע נוסעת נוסעימ טס טסה " +
		"טסימ מתחיל מתחילה מסתיימ מסתיימת קמ קמה ישנ ישנה יורד יורדת נשאר נשארת נשארימ עוזב עוזבת " +
		"מוותר מוותרת הבטיח הבטיחה נגמרו נסגר נסגרה התקלקל התקלקלה נשבר נשברה קרה קורה נראה נראית " +
		"מפריע מתאימ מתאימה מסתדר מסתדרת מספיק הספקתי בחופש בחופשה במילואימ בבידוד בחול עמוסה פנוי " +
		"פנויה ירדה ירדו ויתר ויתרה ויתרו נוח נוחה אוהב אוהבת מעדיפ מעדיפה חזרתי חזרנו מכרנו מכרתי " +
		"קנינו היו יהיה תהיה יהיו צריכ צריכה צריכימ רוצה רוצימ חייב חייבת חייבימ יכול יכולה יכולימ")
)
