package plan

import (
	"strings"

	"almanac/projections/when"
)

// hebrewClock is a time of day in a pattern, in digits or in words.
const hebrewClock = `(\d{1,2}(?::\d\d)?|(?:אחת|שתיים|שלוש|ארבע|חמש|שש|שבע|שמונה|תשע|עשר|אחת עשרה|שתים עשרה)(?: וחצי| ורבע)?)`

const (
	// hebrewStart is the day or the period from which on something holds, in a pattern.
	hebrewStart = `(?P<h>(?:ה?שבוע הבא|ה?חודש הבא|ה?שנה הבאה|(?:יום )?(?:ראשון|שני|שלישי|רביעי|חמישי|שישי|שבת)(?: הבא| הקרוב)?|` +
		`(?:תחילת )?(?:ינואר|פברואר|מרץ|אפריל|מאי|יוני|יולי|אוגוסט|ספטמבר|אוקטובר|נובמבר|דצמבר)|מחר|מחרתיים|` +
		`-?\d{1,2} [בל](?:ינואר|פברואר|מרץ|אפריל|מאי|יוני|יולי|אוגוסט|ספטמבר|אוקטובר|נובמבר|דצמבר)|-?\d{1,2}[./]\d{1,2}))`
	// hebrewDuty is what somebody says that he is at.
	hebrewDuty = `קורס|סדנה|סדנת|משמרת|כנס|השתלמות|הכשרה|הכשרת|כוננות|תורנות|סיור|מחנה|סמינר|אימון|מבחן|ראיון|חתונה|מסיבה`
)

// hebrewChanged says of what is there that its time is another one now.
const hebrewChanged = `(?:(?:<הוזז>|<יהיה>|<בוא>|הם|התור|הפגישה|השעה|המועד|זה|יכול|יכולה|יכולים|פנוי|פנויה|פנויים|מוכן|מוכנה|` +
	`להגיע|לבוא|להיפגש|רק|כבר|בסוף|עכשיו|הפעם|ביקש|ביקשה|ביקשו|מציע|מציעה|מציעים)[,]? )*`

// hebrewNews are ways to tell what became of something that is there. They are tried before rewordings.
var hebrewNews = []rewording{
	// What starts in a period that is said behind it.
	worded(`(.*(?:^| )(?:ב?כל|מדי|בימי|בימים|פעם ב) ?.+?),? (?:מתחילים|מתחיל|מתחילה|נתחיל|יתחיל|תתחיל|מתחילות|התחלה) `+
		`(?:כבר |רק )?[במ]ה?(?P<h>-?\S.*)`, `$1 החל מ~${h}`),
	// A correction of the hour, and words before a time or a length that say nothing.
	worded(`(.+ ב?-?)\d{1,2}:\d\d,? (?:סליחה|לא|רגע|אופס|בעצם|כלומר|תיקון|התכוונתי)[, ]+(?:ל|ב)?-?(\d{1,2}:\d\d)(.*)`, `$1$2$3`),
	worded(`(.+?),? (?:נגיד|נאמר) (ב?-?\d{1,2}(?::\d\d)?|ב\S+)`, `$1 $2`),
	worded(`(.+ .+?),? (?:זה |הוא |היא )?(?:ייקח|תיקח|ייקחו|לוקח|לוקחת|יימשך|תימשך|נמשך|נמשכת|צריך|צריכה|צריכים|סך הכל|`+
		`אמר ש|אמרה ש|באורך)(?: לנו| לי| של)?(?: בערך| איזה)? ?`+hebrewLength+`(?: עבודה| בערך| בסך הכל)?`, `$1, $2`),
	worded(`(.+),? (?:תסמני?|תסמן|תרשמי?|תרשום)(?: את זה| לי)? כל שנה`, `תוסיף $1 כל שנה`),
	// Two changes of one thing.
	worded(`<הזז> את {x} {t},? ו(?:תאריכי?|תאריך|תקצרי?|תקצר|תעשה|תעשי|שיהיה|שתהיה|תהיה|יהיה|שיימשך|שתימשך)`+
		`(?: אותו| אותה| את זה)? ל?`+hebrewLength, `תזיז את ${x} ל~${t} למשך $3`),
	worded(`{x} (?:<יהיה> )?ב-?`+hebrewClock+` ו(?:תיגמר|ייגמר|תסתיים|יסתיים|נגמרת|נגמר|מסתיימת|מסתיים|עד|נסיים|מסיימים) ב?-?`+
		hebrewClock, `תזיז את ${x} ל~$2 עד $3`),
	worded(`{x} <יהיה> מ-?`+hebrewClock+` (?:ועד|עד|ל)-? ?`+hebrewClock+`(?: בסוף| עכשיו)?`, `תזיז את ${x} ל~$2 עד $3`),
	worded(`{x} ?[-–—:,] ?(?:להזיז|להעביר|לשנות|לדחות|להקדים|לתקן) {t}(?:,? ב?אותה ה?שעה)?`, `תזיז את ${x} ל~${t}`),
	worded(`<הזז> את {x} ליום ש?(?:אחרי|למחרת)(?:,? ב?אותה ה?שעה)?`, `תדחה את ${x} ביום`),
	// Calls and messages.
	worded(`(?:התקשרו|התקשרה|התקשר|צלצלו|צלצל|צלצלה|כתבו|הודיעו|סימסו)(?: לי| לנו| אליי| אלינו)? מה?{x}[,.]? `+hebrewChanged+`{t}`,
		`תזיז את ${x} ל~${t}`),
	worded(`{x} (?:שלח|שלחה|שלחו|כתב|כתבה|כתבו|הודיע|הודיעה|הודיעו|אמר|אמרה|אמרו|התקשר|התקשרה|סימס|סימסה)(?: לי| לנו)?`+
		`(?: הודעה| מייל)? ש(?:הוא |היא |הם )?(?:<בוא>|מאחר|מאחרת|יאחר|תאחר|יכול|יכולה|יכולים|פנוי|פנויה)(?: להגיע| לבוא)?`+
		`(?: רק| כבר)* {t}`, `תזיז את ${x} ל~${t}`),
	worded(`{x} (?:מאחר|מאחרת|מאחרים|מתעכב|מתעכבת|יאחר|תאחר|תקוע|תקועה|באיחור)[,;.]? `+hebrewChanged+`{t}`, `תזיז את ${x} ל~${t}`),
	worded(`{x} (?:מאחר|מאחרת|מאחרים|מתעכב|מתעכבת|מתעכבים|יאחר|תאחר|יתעכב|תתעכב|נדחה|נדחתה|נדחית)(?: בערך)? ב-?`+hebrewLength,
		`תדחה את ${x} ב~$2`),
	worded(`{x} (?:פנוי|פנויה|פנויים|יכול|יכולה|יכולים|מוכן|מוכנה)(?: להגיע| לבוא)? רק {t}`, `תזיז את ${x} ל~${t}`),
	worded(`{x} (?:ביקש|ביקשה|ביקשו|מבקש|מבקשת|מציע|מציעה|רוצה) (?:ש(?:ניפגש|נפגש|נדבר|נבוא|זה יהיה)|להיפגש|לדבר) {t},? במקום(?: (?P<o>.+))?`,
		`תזיז את ${x} ל~${t}`),
	worded(`{t} {y} `+hebrewLength+` (?:יותר מאוחר|מאוחר יותר)`, `תדחה את ${y} ${t} ב~$3`),
	worded(`{t} {y} `+hebrewLength+` (?:יותר מוקדם|מוקדם יותר)`, `תקדים את ${y} ${t} ב~$3`),
	worded(`{x} (?:<יהיה> )?`+hebrewLength+` (?:יותר מאוחר|מאוחר יותר)`, `תדחה את ${x} ב~$2`),
	worded(`{x} (?:<יהיה> )?`+hebrewLength+` (?:יותר מוקדם|מוקדם יותר)`, `תקדים את ${x} ב~$2`),
	worded(`(?:עדיף|עדיפה) (?:לי |לנו )(?:את )?{x} {t}`, `תזיז את ${x} ל~${t}`),
	worded(`(?:החל מ|החל מה|מה|מ)`+hebrewStart+`(?: והלאה| ואילך)?,? (?:כל )?{x} (?:(?:<יהיה>|<הוזז>) )?{t}`+
		`(?:,? (?:ולא|במקום) .*)?`, `תזיז את ${x} ל~${t} מ~${h} והלאה`),
	// What is to be changed, without how.
	worded(`{x} (?:צריך|צריכה|חייב|חייבת) (?:לזוז|לעבור|להידחות)`, `תזיז את ${x}`),
	worded(`{x} (?:לא (?:מסתדר|מסתדרת|מתאים|מתאימה|נוח|נוחה|טוב|טובה)(?: לי| לנו)?)(?:[,.]? .*(?:מועד|יום|שעה|זמן) אחרת?)`,
		`תזיז את ${x}`),
	worded(`(?:תמצאי?|מצאי?|לחפש|תחפשי?|צריך|צריכה)(?: לי| לנו)? (?:יום|מועד|זמן|שעה|תאריך) (?:אחר|אחרת|חדש|חדשה) ל{x}`, `תזיז את ${x}`),
	worded(`(?:אני |אנחנו )?(?:צריך|צריכה|צריכים|חייב|חייבת|רוצה) להאריך (?:קצת )?את {x}(?: קצת)?`, `תאריך את ${x}`),
	worded(`(?:אני |אנחנו )?(?:צריך|צריכה|צריכים|חייב|חייבת|רוצה) לקצר (?:קצת )?את {x}(?: קצת)?`, `תקצר את ${x}`),
	// What does not take place.
	worded(`{t},? (?:אין|לא יהיה|לא תהיה|לא יהיו|לא מתקיים|לא מתקיימת|בלי)(?: לי| לנו| את)? {y}(?:[,;.]? (?:אז )?<בטל>`+hebrewIt+`)?`,
		`תבטל את ${y} ${t}`),
	worded(`בלי {y} {t}(?:,? (?:רק הפעם|הפעם|רק השבוע))?`, `תבטל את ${y} ${t}`),
	worded(`{x} (?:ירד|ירדה|ירדו|בוטל|בוטלה|בוטלו|מבוטל|מבוטלת|מבוטלים|התבטל|התבטלה|התבטלו|נפל|נפלה|לא יוצא לפועל)`+
		`(?: מהפרק| בסוף| לי| לנו)?(?:[,;.]? (?:אז )?<בטל>`+hebrewIt+`)?`, `תבטל את ${x}`),
	worded(`{x} (?:ביטל|ביטלה|ביטלו|הבריז|הבריזה|הבריזו|חולה|לא בא|לא באה|לא מגיע|לא מגיעה|לא יכול|לא יכולה)(?: לי| לנו| בסוף)?`+
		`[,;.]? (?:אז )?<בטל>`+hebrewIt, `תבטל את ${x}`),
	worded(`{x} (?:נסגר|נסגרה|הופסק|הופסקה|הסתיים|הסתיימה|נגמר|נגמרה)(?: סופית| לתמיד)?[,;.]? (?:אז )?<בטל>`+hebrewIt+
		`(?: לתמיד| לגמרי| לצמיתות)?`, `תבטל את כל המופעים של ${x}`),
	worded(`(?:אין|אין לי|אין לנו)(?: כבר)? צורך (?:יותר |כבר )?ב{x}(?: יותר)?[,;.]? (?:אז )?<בטל>`+hebrewIt, `תבטל את ${x}`),
	worded(`(?:עזבתי|הפסקתי|נטשתי|סיימתי|פרשתי|אני עוזב|אני עוזבת|אני מפסיק|אני מפסיקה) (?:את |עם |מ)ה?{x}[,;.]? (?:אז )?<בטל>`+
		hebrewIt, `תבטל את כל המופעים של ${x}`),
	worded(`<בטל> מה(?:יומן|לוז|לו"ז|לו״ז) (?:את )?{x}`, `תבטל את ${x}`),
	worded(`{x} ?[-–—:,] ?(?:למחוק|לבטל|להוריד|להסיר)`, `תבטל את ${x}`),
	worded(`(?:את )?{x} אפשר (?:כבר )?(?:למחוק|לבטל|להוריד|להסיר)`, `תבטל את ${x}`),
	worded(`(?:החל מ|החל מה|מה|מ)`+hebrewStart+`,? (?:כבר )?(?:אין|לא יהיה|לא תהיה|לא יהיו)(?: לי| לנו)?(?: כבר)? יותר {y}`,
		`תבטל את ${y} מ~${h} והלאה`),
	// Facts of events.
	worded(`\S+ (?:הזמין|הזמינה|הזמינו) (?:אותי|אותנו) ל{y},? (?P<f>.+)`, `קבעתי ${y} ${f}`),
	worded(`(?:אז )?(?:אני|אנחנו) ב(`+hebrewDuty+`) {t}`, `תוסיף ליומן $1 ${t}`),
	worded(`(?:אז )?(?:אני|אנחנו) ב(`+hebrewDuty+`) {y} {t}`, `תוסיף ליומן $1 ${y} ${t}`),
	worded(`(?P<u>.*?) ?(?:אנחנו|אני) (?:אוכלים|אוכל|אוכלת|שותים|שותה) {y} {t}`, `תוסיף ליומן ${y} ${u} ${t}`),
	worded(`(?:תסדרי?|תסדר|תארגני?|תדאגי?)(?: לי| לנו) (פגישה|תור|שיחה|ישיבה)(.*)`, `תקבע $1$2`),
}

// trailing is what stands behind a mark, or behind כי, at the end of a sentence.
var trailing = lazily(`^(.+?)(?:,| -| –|\.|\?) ((?:[^,.]+))$`)

// withoutReason leaves out a clause behind what is asked for that only says why: "אימון מחר ב-6, המגרש תפוס בערב". False
// where the rest would be less than it was, or the clause may be a part of the name.
func withoutReason(text string, at when.Moment) (string, bool) {
	head, tail := "", ""
	if found := trailing().FindStringSubmatch(text); found != nil {
		head, tail = found[1], strings.TrimSpace(found[2])
	} else if before, after, ok := strings.Cut(text, " כי "); ok {
		head, tail = before, "כי "+after
	}
	if head == "" || !inHebrew(tail) || !tellsWhy(tail, at) {
		return text, false
	}
	out, err := understandAs(head, at)
	if err == nil && !out.Tool.Reads() || err == nil && strings.HasSuffix(head, "?") {
		return head, true
	}
	return text, false
}

// tellsWhy reports whether words are a clause of their own that changes nothing of what was asked for: they begin as one
// or hold a verb or a pronoun of one, and say no time, number or wish.
func tellsWhy(text string, at when.Moment) bool {
	words := strings.Fields(strings.Trim(text, "?!. "))
	if len(words) < 2 && !ownPast().MatchString(text+" ") {
		return false
	}
	p := newSentence(text, at)
	clausal := false
	for i, t := range p.tokens {
		if t.kind != word && t.kind != mark || t.kind == word && (adding[t.text] && !p.is(i, "רוצה", "אל") || asking[t.text]) {
			return false
		}
		act, _ := p.verbAt(i)
		if act != noAction && act != show && act != where || p.has(i, listWords) || p.has(i, taskNouns) {
			return false
		}
		if it, timed := p.itemAt(i); timed && it.sort != aPart && !p.is(i, "היומ") {
			return false
		}
		clausal = clausal || t.kind == word && t.hebrew && (clauseWords[t.text] ||
			len([]rune(t.text)) > 4 && strings.HasSuffix(t.text, "תי"))
	}
	return clausal && p.failed == nil
}

// clauseWords are Hebrew words that a clause has and the name of an event hardly.
var clauseWords = setOfWords("כי הוא היא המ אני אנחנו אינ לא יש היה הייתה היו אותי אותנו לי לנו שלי אמר אמרה אמרו ביקש ביקשה " +
	"רוצה רוצימ צריכ חולה תקוע תקועה תקועימ תפוס תפוסה עמוס עסוק עסוקה סגור סגורה פתוח מתארכ מתארכת נגמר נגמרה ירד ירדה " +
	"התבטל התבטלה ביטל ביטלה ביטלו הבריז הבריזה מסיע מסיעה מחכה מחכימ נמאס נשבר מאחר מאחרת השגנו הצלחנו קבענו סיכמנו " +
	"עברנו גמרנו סיימנו מצאנו החלטנו נתקע נתקעה חזר חזרה יצא יצאה הגיע הגיעה")
