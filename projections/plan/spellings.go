package plan

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// respelt writes what is spelt wrongly, or short, as it is in the tables: days and the verbs that begin most sentences.
func respelt(text string) string {
	for _, way := range spellings {
		text = way.said().ReplaceAllString(text, way.as)
	}
	for _, way := range hebrewSpellings {
		as, whole := strings.CutPrefix(way.as, "|")
		if !whole {
			as = "${1}" + as + "${end}"
		}
		text = way.said().ReplaceAllString(text, as)
	}
	if inHebrew(text) {
		text = numberedDays().ReplaceAllStringFunc(text, numberedDay)
		text = shortRange().ReplaceAllString(text, "${1}מ-${2}${4} עד ${3}${4}${end}")
		if eachWeek().MatchString(text) {
			text = weekdaysListed().ReplaceAllStringFunc(text, listedDays)
		}
		text = lettersListed().ReplaceAllStringFunc(text, listedDays)
	}
	return toDays().ReplaceAllString(severalDays(text), "to $1 $2-$3")
}

// weekdaysListed are days of the week one after the other, which repeat where eachWeek says so: "בראשון, שני ורביעי …
// כל שבוע"; lettersListed are letters of some behind the word for days, "בימים ב' ו-ד'".
var (
	weekdaysListed = lazily(`(?:^|\s)(?:(?:ב(?:ימים |ימי |יום )?|ימים |ימי |יום )` + hebrewDay + `(?:,? ` +
		`(?:ו-?)?ב?(?:יום )?` + hebrewDay +
		`)+|` + hebrewDay + `(?:,? (?:ו-?)?` + hebrewDay + `){2,})(?:$|[\s,!?])`)
	lettersListed = lazily(`(?:^|\s)ב?(?:ימים|ימי) ` + hebrewLetter + `(?:,? (?:ו-?)?ב?` + hebrewLetter + `)+(?:$|` +
		`[\s,!?])`)
	hebrewDays = strings.Fields("ראשון שני שלישי רביעי חמישי שישי שבת")
	eachWeek   = lazily(`(?:^|\s)(?:ב?כל|מדי) שבוע(?:$|[\s,.!])|(?:פעמיים|פעמים) בשבוע`)
)

// hebrewLetter is a day of the week by its letter in a pattern.
const hebrewLetter = `([אבגדהו])['׳]`

// listedDays writes the days of a list as days that repeat.
func listedDays(said string) string {
	var days []string
	for _, found := range listedDay().FindAllStringSubmatch(said, -1) {
		if found[2] != "" {
			days = append(days, hebrewDays[strings.Index("אבגדהו", found[2])/2])
			continue
		}
		days = append(days, found[1])
	}
	last := len(days) - 1
	end := ""
	if strings.HasSuffix(said, ",") || strings.HasSuffix(said, "!") || strings.HasSuffix(said, "?") {
		end = said[len(said)-1:]
	}
	return " בימי " + strings.Join(days[:last], ", ") + " ו" + days[last] + end + " "
}

var listedDay = lazily(hebrewDay + `|` + hebrewLetter)

// numberedDays are days of a month by Hebrew numerals of two words, or behind a preposition that begins a range:
// "בארבעה עשר בדצמבר", "מהעשרים עד ה-24 בדצמבר".
var numberedDays = lazily(`(^|\s)(ב|ל|ה|מה|מ|)(אחד עשר|שנים עשר|שניים עשר|שלושה עשר|ארבעה עשר|חמישה עשר|שישה עשר|` +
	`שבעה עשר|` +
	`שמונה עשר|תשעה עשר|עשרים(?: ו(?:אחד|שניים|שלושה|ארבעה|חמישה|שישה|שבעה|שמונה|תשעה|אחת|שתיים|שלוש|ארבע|חמש|שש|שבע|` +
	`תשע))?|שלושים(?: ואחד)?)` +
	`( [בל](?:ינואר|פברואר|מרץ|אפריל|מאי|יוני|יולי|אוגוסט|ספטמבר|אוקטובר|נובמבר|דצמבר|חודש)| (?:עד|ועד) )`)

// numberedDay writes such a day in digits.
func numberedDay(said string) string {
	found := numberedDays().FindStringSubmatch(said)
	units := strings.Fields("אחד שניים שלושה ארבעה חמישה שישה שבעה שמונה תשעה אחת שתיים שלוש ארבע חמש שש שבע שמונה תשע")
	words := strings.Fields(strings.Replace(found[3], "שנים", "שניים", 1))
	n := map[string]int{"עשרים": 20, "שלושים": 30}[words[0]]
	if n == 0 {
		n = 11 + slices.Index(units, words[0])
	} else if len(words) > 1 {
		n += 1 + slices.Index(units, strings.TrimPrefix(words[1], "ו"))%9
	}
	dash := ""
	if found[2] != "" {
		dash = "-"
	}
	return found[1] + found[2] + dash + strconv.Itoa(n) + found[4]
}

// shortRange are days of a month in digits: "24-27.12".
var shortRange = lazily(`(^|\s)(?:ב-?|ה-?|בין ה-?|בתאריכים )?(\d{1,2}) ?[-–] ?(\d{1,2})` +
	`([./](?:1[0-2]|0?[1-9])(?:[./]\d{2,4})?)(?P<end>$|[\s,!?])`)

// toDays is the new time of what is moved to several days, each with its month.
var toDays = lazily(`(?i)\bto (?:from )?(` + monthSaid + `) (\d{1,2}) to ` + monthSaid + ` (\d{1,2})\b`)

// hebrewAs makes a spelling of a Hebrew pattern that stands between the ends of words. Go's word boundaries know no
// Hebrew letters.
func hebrewAs(pattern, as string) spelling {
	return spelling{said: lazily(`(^|[\s,])` + pattern + `(?P<end>$|[\s,.!?])`), as: as}
}

// dayList are days of a month one after the other: "2, 3 and 4 January", "ב-2, 3 ו-4 בינואר", "the 17th and 18th".
var dayList = lazily(`(?i)(^| )(on |the |on the |ב-?|ה-?|בתאריכים |)(\d{1,2})(?:st|nd|rd|th)?((?:, ?(?:the |on the ` +
	`|ב-?` +
	`)?\d{1,2}(?:st|nd|rd|th)?)*),?` +
	` ?(?:(?:and|&) (?:on )?(?:the )?|וב?-? ?)(\d{1,2})(?:st|nd|rd|th)?( of)? ?` +
	`(jan\w*|feb\w*|mar(?:ch)?|apr\w*|may|june?|july?|aug\w*|sept?\w*|oct\w*|nov\w*|dec\w*|` +
	`[בל](?:ינואר|פברואר|מרץ|אפריל|מאי|יוני|יולי|אוגוסט|ספטמבר|אוקטובר|נובמבר|דצמבר))`)

// severalDays writes days that follow each other, of which each is named, as a range. Hours keep them apart, and so
// does a gap.
func severalDays(text string) string {
	text = monthFirstList().ReplaceAllStringFunc(text, func(said string) string {
		found := monthFirstList().FindStringSubmatch(said)
		if !follow(found[2:]) {
			return said
		}
		return "from " + found[1] + " " + found[2] + " to " + found[1] + " " + found[4]
	})
	found := dayList().FindStringSubmatchIndex(text)
	if found == nil {
		return text
	}
	part := func(i int) string {
		if found[2*i] < 0 {
			return ""
		}
		return text[found[2*i]:found[2*i+1]]
	}
	if !follow([]string{part(3), part(4), part(5)}) {
		return text
	}
	first, last := part(3), part(5)
	span := part(1) + "from " + first + " to " + last + " " + part(7)
	if inHebrew(text) {
		span = part(1) + "מ-" + first + " עד " + last + " " + part(7)
	}
	return strings.TrimSpace(text[:found[0]] + span + text[found[1]:])
}

// follow reports whether the numbers in some texts are each one more than that before it.
func follow(parts []string) bool {
	numbers := digits().FindAllString(strings.Join(parts, " "), -1)
	for i := 1; i < len(numbers); i++ {
		a, _ := strconv.Atoi(numbers[i-1])
		b, _ := strconv.Atoi(numbers[i])
		if b != a+1 {
			return false
		}
	}
	return true
}

// monthFirstList are days behind their month: "December 4 and 5".
var monthFirstList = lazily(`(?i)\b(` + monthSaid + `) (\d{1,2})(?:st|nd|rd|th)?((?:, ?\d{1,2}(?:st|nd|rd|` +
	`th)?)*),? ?` +
	`(?:and|&) (?:the )?(\d{1,2})(?:st|nd|rd|th)?\b`)

var digits = lazily(`\d+`)

func inHebrew(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Hebrew, r) })
}

// spelling is a way to write words that is not in the tables, anywhere in a sentence.
type spelling struct {
	said func() *regexp.Regexp
	as   string
}

// writtenAs makes a spelling of a pattern that stands between the ends of words.
func writtenAs(pattern, as string) spelling {
	return spelling{said: lazily(`(?i)\b` + pattern + `\b`), as: as}
}

// hebrewMonth is the name of a month in a pattern, without a group.
const hebrewMonth = `(?:ינואר|פברואר|מרץ|אפריל|מאי|יוני|יולי|אוגוסט|ספטמבר|אוקטובר|נובמבר|דצמבר)`

// hebrewDay is the name of a day of the week in a pattern, and behindDay what shows that it is no number or adjective.
const (
	hebrewDay = `(ראשון|שני|שלישי|רביעי|חמישי|שישי|שבת)`
	behindDay = `((?:ב-?\d|בין \S|מ-?\d|\d{1,2}:\d\d|בשעה |ב(?:אחת|שתיים|שתים|שלוש|ארבע|חמש|שש|שבע|שמונה|תשע|עשר|` +
		`צהריים|בוקר|` +
		`ערב)).*|על הבוקר.*)`
)

var hebrewSpellings = []spelling{
	hebrewAs(`תזכירלי`, "תזכיר לי"), hebrewAs(`תזכירילי`, "תזכירי לי"), hebrewAs(`מתיי`, "מתי"),
	hebrewAs(`ב?(?:אותן ה?שעות|אותו ה?זמן)`, "באותה שעה"),
	hebrewAs(`תזיזז`, "תזיז"), hebrewAs(`(ב?-?(?:יום|שבוע|חודש|שעה)) (?:אחד|אחת) (קדימה|אחורה|הלאה|מוקדם יותר|מאוחר `+
		`יותר|קודם|אחרי)`, "${2} ${3}"),
	hebrewAs(`ת(רשמ|כתב)ו`, "ת${2}י"), hebrewAs(`(תוסיפ|תקבע|תכניס|תבטל|תמחק|תזיז|תעביר|תדח|תזכיר|תשימ|תקדימ|תסמנ|תרא|`+
		`תשנ|`+
		`תעדכנ|תוריד|תוציא|תשריינ|תאריכ|תקצר)ו`, "${2}י"), hebrewAs(`מן היומן`, "מהיומן"), hebrewAs(`פגישתי`, "הפגישה"),
	hebrewAs(`שיחתי`, "השיחה"), hebrewAs(`אתרי`, "תמצאי"), hebrewAs(`אתר`, "תמצא"),
	hebrewAs(`([בלמ])(?:יום|תאריך) ה?-?(\d{1,2}[./]\d{1,2}(?:[./]\d{2,4})?)`, "${2}-${3}"),
	hebrewAs(`([בלמ])(?:יום|תאריך) ה?-?(\d{1,2}) [לב](`+hebrewMonth+`)`, "${2}-${3} ב${4}"),
	hebrewAs(`(ב-?|ה-?|ל-?|מ-?|)(\d{1,2}) ל(`+hebrewMonth+`)`, "${2}${3} ב${4}"),
	hebrewAs(`(?:מה?-?)(\d{1,2}) ב(`+hebrewMonth+`) (?:ועד|עד|ל) ?ה?-?(\d{1,2})`, "מ-${2} עד ${4} ב${3}"),
	hebrewAs(`(`+hebrewDay+`|מחר|היום|מחרתיים|\d[./]\d{1,2}),? (?:ב-?|בשעה )?(0\d|1\d|`+
		`2[0-3])([0-5]\d)`, "${2} ב-${4}:${5}"),
	hebrewAs(`(?:אחת ל|פעם ב|כל )חודש,? (?:ב?כל )?ב?(?:יום )?`+hebrewDay+` ה?(אחרון|ראשון|שני|שלישי|רביעי)`,
		"כל יום ${2} ה${3} בחודש"),
	hebrewAs(`שעה (?:שלמה|אחת)`, "שעה"), hebrewAs(`ב?כל (?:יום )?`+hebrewDay+` (אחרון|ראשון|שני|שלישי)(?: ב| של ה?| `+
		`של כל )חודש`,
		"כל יום ${2} ה${3} בחודש"),
	hebrewAs(`ב?כל יום `+hebrewLetter+` (אחרון|ראשון|שני|שלישי)(?: ב| של ה?| של כל )חודש`, "כל יום ${2}' ה${3} בחודש"),
	hebrewAs(`ב?כל מוצ["״]ש (אחרון|ראשון|שני|שלישי)(?: ב| של ה?| של כל )חודש`, "כל יום שבת ה${2} בחודש בערב"),
	hebrewAs(`ב?כל (?:מוצ["״]ש|מוצאי שבת)`, "כל יום שבת בערב"),
	hebrewAs(`(מ)(?:יום )?`+hebrewDay+`,? (?:ה-?)?(\d{1,2}[./]\d{1,2}) (עד|ועד) (?:יום )?`+hebrewDay+`,? `+
		`(?:ה-?)?(\d{1,2}[./]\d{1,2})`,
		"מ-${4} עד ${7}"),
	hebrewAs(`(ב|ל)עשרים דקות`, "${2}-20 דקות"), hebrewAs(`(ב|ל)שלושים דקות`, "${2}-30 דקות"),
	hebrewAs(`(ב|ל)ארבעים דקות`, "${2}-40 דקות"), hebrewAs(`(ב|ל)חמישים דקות`, "${2}-50 דקות"),
	hebrewAs(`(ב|ל)שלושת רבעי ה?שעה`, "${2}-45 דקות"), hebrewAs(`שלושת רבעי ה?שעה`, "45 דקות"),
	{said: lazily(`(^|\s)ת['’׳]ה?(\pL{2,})`), as: "|${1}את ה${2}"}, hebrewAs(`תמחוק`, "תמחק"),
	hebrewAs(`(ב|ל|מ|ו|ה|)(?:חמשי|חמישיי)`, "${2}חמישי"), hebrewAs(`(ב|ל|מ|ו|ה|)(?:שלשי|שלישיי)`, "${2}שלישי"),
	hebrewAs(`(ב|ל|מ|ו|ה|)(?:רבעי|רביעיי)`, "${2}רביעי"), hebrewAs(`(ב|ל|מ|ו|ה|)(?:ששי|שישיי)`, "${2}שישי"),
	hebrewAs(`(?:בבקר|בובקר|בבוקרר)`, "בבוקר"),
	hebrewAs(`מה עליי? (ל\pL+)`, "מה אני צריך ${2}"),
	hebrewAs(`תיקבע`, "תקבע"), hebrewAs(`תיקבעי`, "תקבעי"), hebrewAs(`היום הולדת`, "יום ההולדת"),
	hebrewAs(`היומולדת|יומולדת`, "יום הולדת"),
	hebrewAs(`רק ה`+hebrewDay+` הזה`, "ביום ${2} הקרוב"), hebrewAs(`ה`+hebrewDay+` הזה`, "ביום ${2} הקרוב"),
	hebrewAs(`(?:מ|החל מ)תחילת (ינואר|פברואר|מרץ|אפריל|יולי|אוגוסט|ספטמבר|אוקטובר|נובמבר|דצמבר)`, "החל מ${2}"),
	hebrewAs(`(?:ו?לא יאוחר|לכל המאוחר) (?:מה|מ|ב)-?([\d\pL]+)`, "עד ${2}"),
	hebrewAs(`(ב-?|ה-?)(\d{1,2}) [לב]חודש`, "${2}${3} לחודש"),
	{said: lazily(`^` + hebrewDay + `( הבא| הקרוב| הזה| בשבוע הבא|),? ` + behindDay + `$`), as: "|ביום ${1}${2} ${3}"},
	{said: lazily(`^(.*(?:[^םמ\s,:]|[^ו]ם),? )` + hebrewDay + `( הבא| הקרוב| בשבוע הבא)( .*|` +
		`$)`), as: "|${1}ביום ${2}${3}${4}"},
}

// monthSaid is the name of a month in a pattern.
const monthSaid = `(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]*`

// shortDay is the name of a day of the week, in full or short.
const shortDay = `(sun|mon|tue|tues|wed|thu|thur|thurs|fri|sat|sunday|monday|tuesday|wednesday|thursday|friday|` +
	`saturday)`

// dayOrHour is a time of which another one may be said at once: "at 4, sorry, 4:30".
const dayOrHour = `\d{1,2}(?::\d\d)?(?: ?[ap]m)?|the \d{1,2}(?:st|nd|rd|th)|(?:sun|mon|tues|wednes|thurs|fri|` +
	`satur)day|tomorrow`

//nolint:misspell // these are what is spelt wrongly
var spellings = []spelling{
	writtenAs(`(?:tomm?orr?ow|tommor+ow|tomm?oro|tommorr?ow|tomorrw|tomorow|tmorrow|2morrow|2moro|tmr|tmw|tmro)`,
		"tomorrow"),
	writtenAs(`(?:tonite|2nite|2night|tonigth|tonght)`, "tonight"), writtenAs(`(?:2day|todya|tody)`, "today"),
	writtenAs(`(?:wich|whitch)`, "which"),
	writtenAs(`(?:wens?day|wendsday|wendesday|wednsday|wenesday|wedensday|wednesdy|wednessday)`, "wednesday"),
	writtenAs(`(?:thrusday|thurday|thursdy|thrsday|thursady|thirsday|thurs?ady)`, "thursday"),
	writtenAs(`(?:tusday|tueday|tuseday|tuesdy|teusday|tuesady)`, "tuesday"),
	writtenAs(`(?:saterday|saturdy|satuday|sautrday|saturaday|satruday)`, "saturday"),
	writtenAs(`(?:firday|fridy|fridday|frday)`, "friday"), writtenAs(`(?:mondy|monady|munday|mnoday)`, "monday"),
	writtenAs(`(?:sundy|sunady|snuday)`, "sunday"),
	writtenAs(`(?:febuary|feburary|februrary)`, "february"), writtenAs(`(?:janurary|janaury|januray)`, "january"),
	writtenAs(`(?:decemeber|decmber|decembr|dicember)`, "december"),
	writtenAs(`(?:novemeber|novmber|novembr)`, "november"),
	writtenAs(`(?:remnid|remidn|reminde|remaind|remimd|rmind) (me|us)`, "remind $1"),
	writtenAs(`(?:shedule|schedual|scedule|schedle|scheduel)`, "schedule"),
	writtenAs(`(?:cancle|cancell|cansel|canel) (the|my|our|all)`, "cancel $1"),
	writtenAs(`(?:apointment|appointmnet|appoitment|appoinment)`, "appointment"),
	writtenAs(`(\d{1,2}(?::\d\d)?(?: ?[ap]m)?)[- ]?ish`, "$1"), writtenAs(`(?:'?til|untill)`, "until"),
	writtenAs(`from the (\d{1,2})(?:st|nd|rd|th)? (?:to|until|till|'?til|through) (?:the )?(\d{1,2})(?:st|nd|rd|`+
		`th)?(?: of)? (`+
		monthSaid+`)`, "from $3 $1 to $3 $2"),
	writtenAs(`the (\d{1,2})(?:st|nd|rd|th) (?:to|until|till|'?til|through) the (\d{1,2})(?:st|nd|rd|th)?(?: of)? (`+
		monthSaid+`)`, "from $3 $1 to $3 $2"),
	writtenAs(`(today|tomorrow|tonight)s`, "$1's"),
	writtenAs(`,? ?(?:the )?first (?:one|time|session|lesson|class|meeting) (?:(?:is|on|will be|at) )*`, " starting "),
	writtenAs(`sun,? (\d{1,2}(?:st|nd|rd|th)? `+monthSaid+`|`+monthSaid+` \d)`, "sunday $1"),
	writtenAs(`mon,? (\d{1,2}(?:st|nd|rd|th)? `+monthSaid+`|`+monthSaid+` \d)`, "monday $1"),
	writtenAs(`sat,? (\d{1,2}(?:st|nd|rd|th)? `+monthSaid+`|`+monthSaid+` \d)`, "saturday $1"),
	writtenAs(`((?:first|1st|second|2nd|third|3rd|fourth|4th|last) \pL+day) (?:in|of) (?:each|the|a) `+
		`month`, "$1 of every month"),
	writtenAs(`monthly,? on the (first|second|third|fourth|last|1st|2nd|3rd|4th) (\pL+day)`, "the $1 $2 of every month"),
	writtenAs(`(?:on )?weekday (mornings?|evenings?|afternoons?)(?: at)?`, "every weekday at"),
	writtenAs(`(?:as of|as from|effective(?: from)?|beginning in|starting in the) (next|the week of|january|february|`+
		`march|april|may|june|july|august|september|october|november|december)`, "starting $1"),
	writtenAs(`(meeting|call|appointment|interview|lesson|class|session|review) for (\d{1,2}) (tomorrow|today|on \pL+day|`+
		`\pL+day)`,
		"$1 at $2 $3"),
	writtenAs(`(the \d{1,2}(?:st|nd|rd|th)) and (?:the )?(\d{1,2}(?:st|nd|rd|th)) (instead)`, "$1-$2 $3"),
	writtenAs(`(?:no|not) later than`, "by"), writtenAs(`ahead of (the \d|\d|\pL+day)`, "before $1"),
	writtenAs(`every (?:first|1st)(?: day)? of the month`, "on the 1st of every month"),
	writtenAs(`by (?:the )?(?:eod|cob|end of (?:the )?day)(?: on)? (tomorrow|\pL+day)`, "$1 evening"),
	writtenAs(`from (\pL+day|today|tomorrow)['’]s (?:calendar|schedule|agenda|diary)`, "on $1"),
	writtenAs(shortDay+`,? `+shortDay+`,? (?:and |& ?)?`+shortDay, "$1, $2 and $3"),
	writtenAs(`every `+shortDay+`,? `+shortDay, "every $1 and $2"),
	writtenAs(`(block|keep|reserve|hold)(?: out| off)? (\d{1,2}) ?[-–] ?(\d{1,2})`, "$1 $2 to $3"),
	writtenAs(`(\d(?: ?[ap]m)?) (?:sharp|on the dot|exactly|prompt)`, "$1"), writtenAs(`w (\pL+)`, "with $1"),
	writtenAs(`in exactly (\pL+ \pL+)`, "in $1"), writtenAs(`,? ?(?:let's|lets) say (\d|at \d)`, " $1"),
	writtenAs(`(?:at some (?:point|stage)|some time) (this|next|in|on|tomorrow|today|during)`, "sometime $1"),
	writtenAs(`(what|when|where|who|how)['’]ve`, "$1 have"), writtenAs(`(\pL+day) of this week`, "this $1"),
	writtenAs(`(?:off )?the (?:whole|entire|full) (?:of |day (?:on )?)(\pL+day|tomorrow|today|the \d+(?:st|nd|rd|th))`,
		"$1 all day"),
	writtenAs(`all of (\pL+day|tomorrow|today|the \d+(?:st|nd|rd|th))`, "$1 all day"),
	writtenAs(`,? ?(?:it's |that's |it is )?(?:an |all )all[- ]day(?: thing| event| affair)`, " all day"),
	writtenAs(`until the (?:break|holidays?|end|exams?|vacation|deadline|trip|finals) (?:on|at) ((?:`+monthSaid+`|the \d|`+
		`\d))`, "until $1"),
	writtenAs(`from (\pL+day),? the (\d{1,2})(?:st|nd|rd|th)? (?:to|until|till|'?til|through) (\pL+day),? (?:the `+
		`)?(\d{1,2})`+
		`(?:st|nd|rd|th)?(?: of)? (`+monthSaid+`)`, "from $1 $5 $2 to $3 $5 $4"),
	writtenAs(`(?:kick-?off|curtain|tip-?off|check-?in|starting time|start time)(?: is)?(?: at)? (\d+)`, "at $1"),
	writtenAs(`((?:`+dayOrHour+`))(?:,| -|\.\.+|…)? (?:no,? )?(?:sorry|i mean|i meant|make that|make it|rather|`+
		`correction|no wait|wait no|`+
		`scratch that|er|um|actually)[,:]? (?:no,? |actually )?(?:at |on )?((?:`+dayOrHour+`))`, "$2"),
	writtenAs(shortDay+` ?[+/] ?`+shortDay,
		"$1 and $2"),
	writtenAs(`(to|about|that) (?:uh|um|uhm|er|erm),?`, "$1"),
	writtenAs(`to-dos`, "todos"),
	writtenAs(`doors(?: open)?(?: at)? (\d+)`, "$1"),
	writtenAs(`(on|until|till|by|before) (?:the )?new year'?s eve`, "$1 december 31"),
	writtenAs(`(on|until|till|by|before) (?:the )?new year'?s day`, "$1 january 1"),
	writtenAs(`(until|till|by|before) (?:the )?new year'?s?$`, "$1 december 31"),
	writtenAs(`(on|until|till|by|before) christmas eve`, "$1 december 24"),
	writtenAs(`(on|until|till|by|before) christmas day`, "$1 december 25"),
	writtenAs(`(on|until|till|by|before) valentine'?s day`, "$1 february 14"),
	writtenAs(`(on|until|till|by|before) halloween`, "$1 october 31"),
}
