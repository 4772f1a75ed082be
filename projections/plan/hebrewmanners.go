package plan

import (
	"strings"

	"almanac/projections/when"
)

const (
	// hebrewVocative is how somebody is called who is asked for something, in a pattern.
	hebrewVocative = `(?:אחי|אחותי|אח שלי|אחשלי|גבר|גברת|נשמה|נשמה שלי|חיים שלי|מתוק|מתוקה|מתוק שלי|מתוקה שלי|מותק|` +
		`יקירי|יקירתי|יקר|יקרה|חמוד|חמודה|חמודי|בובה|כפרה|כפרה עליך|כפרה עלייך|מאמי|ידידי|ידידתי|אהובי|אהובתי|` +
		`עוזר יקר|עוזרת יקרה)`
	// hebrewHail begins a sentence and says nothing.
	hebrewHail = `(?:היי|הי|הלו|אהלן|שלום|שלום רב|שלום לך|בוקר טוב|ערב טוב|צהריים טובים|לילה טוב|שבוע טוב|מה שלומך|` +
		`מה קורה|מה נשמע)`
	// hebrewListen asks for an ear before what is said.
	hebrewListen = `(?:שמע|שמעי|תשמע|תשמעי|תקשיב|תקשיבי|תראה|תראי|תגיד|תגידי|אוקיי|אוקי|אופס|אוי|וואי|ואי|אוף|` +
		`יאללה|נו|טוב|סבבה|אז|בקיצור|רגע|שנייה|שניה|אה|אהה|אממ|סליחה|אנא|חלאס|באסה|לצערי|לשמחתי|למרבה הצער)`
	// hebrewIfFit leaves to the other whether it is done, for courtesy's sake.
	hebrewIfFit = `אם (?:אפשר|אפשרי|זה אפשרי|זה בסדר(?: מבחינתך| מצידך)?|בסדר(?: מבחינתך| מצידך)?|(?:זה )?לא (?:בעיה|` +
		`קשה|` +
		`קשה לך|מפריע|מפריע לך|אכפת לך|איכפת לך)|אין בעיה|אין לך בעיה|תוכל|תוכלי|לא קשה לך|מתאים(?: לך)?|בא לך|יוצא לך)`
	// hebrewPutting are infinitives of what is put into the calendar, in a pattern, hebrewMoving of what is done to what
	// is there, hebrewEnding of what takes it out.
	hebrewPutting = `(?:לקבוע|לתאם|להוסיף|לרשום|לשריין|להכניס|לזמן|לקיים|לשבץ)`
	hebrewMoving  = `(?:לדחות|להזיז|להעביר|להקדים|להאריך|לקצר|לעדכן|לשנות|להעתיק)`
	hebrewEnding  = `(?:לבטל|למחוק|להסיר|להוציא|להוריד)`
)

// hebrewManners are what stands around a request in Hebrew and says nothing of it. They are tried before fillers.
var hebrewManners = []rewording{
	worded(`(?:(?:`+hebrewHail+`|`+hebrewListen+`|`+hebrewVocative+`)(?: ?[,.!…]+ ?| (?:`+hebrewVocative+`)[,.!…]+ ?))+`+
		`(\S.*)`, `$1`),
	worded(`(?:(?:`+hebrewHail+`|`+hebrewListen+`|`+hebrewVocative+`)[,.!…]* )+({v})`, `$1`),
	worded(`(?:(?:שמע|שמעי|תשמע|תשמעי|תקשיב|תקשיבי|אוקיי|אוקי|אופס|אוי|וואי|אחי|אחותי|נשמה|מאמי|לצערי|לצערנו|לשמחתי|`+
		`באסה)[,.!…]* )+`+
		`((?:יש (?:לי|לנו)|אין (?:לי|לנו)|אני|אנחנו|ה\S+|מתי|מה|איפה|כמה|מי|לאן|באיזה|באיזו|האם|אל) .+)`, `$1`),
	worded(`אוקי? תשמעי? (.+)`, `$1`), worded(`אוקיי תשמעי? (.+)`, `$1`),
	worded(`(?:תעשי?|תעשה|עשה|עשי|אפשר לבקש)(?: לי)? טובה(?: קטנה)?,? ו?(.+)`, `$1`),
	worded(hebrewIfFit+`,? (.+)`, `$1`), worded(`(.+?),? `+hebrewIfFit, `$1`),
	worded(`(?:תקריאי?|תקריא|הקריאי?|הקרא)(?: לי| לנו)?(?: בבקשה)? ((?:מה|מתי|איפה|כמה|אילו|איזה) .+)`, `$1`),
	worded(`(?:לבקשת|בעקבות|בשל|עקב|לאור|לפי|על פי|בהתאם ל|בהמשך ל) ?{r}, (.+)`, `$2`),
	worded(`(?:משימה|מטלה|תזכורת)(?: חדשה)? `+
		`(?:ב(?:עדיפות|דחיפות) (?:גבוהה|נמוכה|בינונית|עליונה|רגילה)|דחופה|חשובה|בהולה)[:,-]? (.+)`,
		`משימה חדשה: $1`),
	// In the middle, and at the end.
	worded(`(.+?) ?[\x{1F300}-\x{1FAFF}\x{2600}-\x{27BF}\x{FE0F}\x{200D} ]+`, `$1`),
	worded(`(.*[,.;!] )(?:אנא|נא|בבקשה) (\S.+)`, `$1$2`),
	worded(`(\S{3,}תי) (?:כבר|סוף סוף) (.+)`, `$1 $2`),
	worded(`(\S+ .+?),? `+hebrewLength+` (?:מספיק|מספיקה|מספיקים|מספיקות|יספיק|תספיק|יספיקו|זה מספיק)`, `$1 למשך $2`),
	worded(`((?:ת\S+|<רשומ>)(?: לי| לנו| ליומן| ביומן)*),? (?:בבקשה|פליז|`+hebrewVocative+`),? (.+)`, `$1 $2`),
	worded(`(.+?)(?:,? (?:תודה רבה|תודה מראש|תודה לך|המון תודה|רב תודות|תודה|בבקשה|פליז)[.! ]*)+(?:,? `+
		``+hebrewVocative+`)?`,
		`$1`),
	worded(`(.+?), `+hebrewVocative, `$1`),
	worded(`(.+ (?:<רשומ>|<בטל>|<הזז>)(?: לי| לנו| אותו| אותה| את זה)?),? `+hebrewVocative, `$1`),
	worded(`(.+?)(?: ?[-–.!,;]+) (?:זה )?(?:ממש |די )?(?:לא )?(?:דחוף|חשוב|בהול)(?: לי| מאוד| ביותר)?`, `$1`),
	// A wish for what somebody is to do.
	worded(`(?:אפשר|אפשר בבקשה|אשמח|אני רוצה|אני אשמח|הייתי רוצה|רוצה|בא לי|בבקשה|חשוב לי|חשוב|אודה לך אם|אשמח אם)`+
		` ש?(ת(?:זכיר|זכירי|וסיף|וסיפי|קבע|קבעי|רשום|רשמי|כניס|כניסי|בטל|בטלי|מחק|מחקי|זיז|זיזי|עביר|עבירי|דחה|דחי|`+
		`קדים|קדימי|שריין|שרייני|סמן|סמני|אריך|אריכי|קצר|קצרי|עדכן|עדכני|שנה|שני) .+?)\??`, `$1`),
	worded(`(?:אל תשכחי?|אל תשכחו|לא לשכוח) `+hebrewPutting+`(?: לי| לנו)? (.+)`, `תוסיף ליומן $1`),
	// The same time on another day: a part of the day beside it says nothing more.
	worded(`(.+?)(?:,? (?:בבוקר|בצהריים|בערב|בלילה|אחר הצהריים|אחרי הצהריים),? ב?(?:אותה ה?שעה|אותן ה?שעות|אותו ה?זמן))`,
		`$1`),
	worded(`((?:<הזז>|.+ (?:<הוזז>|<הזז>)) .+?)(?:,? ב?(?:אותה ה?שעה|אותן ה?שעות|אותו ה?זמן|אותו ה?יום|אותו ה?מקום))+`,
		`$1`),
	worded(`(.+ <הוזז>)[!.,:;]+ {t}`, `$1 ${t}`),
}

// formalHebrew is a request in the words of offices, which say that something is to be done: "יש לדחות את הישיבה ליום
// ראשון".
var formalHebrew = lazily(`^(?:` + hebrewHail + `[,.!]* )?(?:(.+?),? )?(?:יש|נא|אנא|אבקש|אבקשך|מבקש|מבקשת|ניתן|נדרש|` +
	`בבקשה)` +
	`(?: בבקשה| נא)? ((` + hebrewPutting + `)|(` + hebrewMoving + `)|(` + hebrewEnding + `)) (.+?)[.!]*$`)

// calendarSaid names the calendar in a Hebrew sentence.
var calendarSaid = lazily(`(?:^| )(?:[בלמ]|מן )ה?(?:יומן|לוז|לו"ז|לו״ז)(?: |$)`)

// fromFormal reads such a request as a command, where what it says is more than something that somebody has to do: what
// is made has its day and its hour, what is changed a time, and what is taken out a time or the calendar.
func fromFormal(text string, at when.Moment) (string, bool) {
	found := formalHebrew().FindStringSubmatch(text)
	if found == nil || len(text) > longestReworded || strings.Contains(text, "?") {
		return text, false
	}
	before, verb, rest := found[1], found[2], found[6]
	p := newSentence(rest, at)
	switch {
	case before != "" && (strings.Contains(text[:len(text)-len(rest)], "מבקש") ||
		!isThing(before, at) && !isThing(strings.TrimPrefix(before, "את "), at) || found[3] != ""):
		return text, false
	case found[3] != "" && (!p.saysDay() || !p.saysHour()),
		found[4] != "" && !saysTime(rest, at) &&
			!p.says(func(it item) bool { return it.sort == aLength || it.sort == aShift }),
		found[5] != "" && !saysTime(rest+" "+before, at) && !calendarSaid().MatchString(text):
		return text, false
	}
	if before != "" {
		return "את " + strings.TrimPrefix(before, "את ") + " " + verb + " " + rest, true
	}
	if found[3] != "" {
		verb = "לקבוע"
	}
	return verb + " " + rest, true
}
