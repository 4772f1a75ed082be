package plan

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// residue returns the first of the tokens that looks like a time, or like a misspelt one, and so must not become part
// of a title; -1 when there is none.
func (p *parser) residue(list []int) int {
	for _, i := range list {
		t := p.tokens[i]
		if p.is(i, "first", "second", "third", "fourth", "last", "every", "each") && p.isUsed(i+1) && i+1 < len(p.tokens) &&
			(p.has(i+1, weekdayWords) || p.has(i+1, unitWords)) {
			return i
		}
		if p.relative(i) || p.label(i) || p.alarm(i) || p.often(i) {
			return i
		}
		if n, _, next, ok := p.number(i); ok && n > 1 && generalNouns[p.wordAt(next)] == 2 { // "two meetings"
			return i
		}
		switch t.kind {
		case address:
			return i
		case clock, dotted, slashed, isoDate:
			if t.kind == dotted && len(t.numbers) == 2 && i > 0 && counted[p.tokens[i-1].text] {
				continue
			}
			return i
		case number:
			if !p.licensed(i) {
				return i
			}
		case word:
			_, letter := p.exact(i, weekdayLetters, "ו")
			if letter && strings.HasSuffix(t.text, "'") && !p.has(i-1, countedHebrew) { // "כיתה ג'"
				return i
			}
			if guards[t.text] && t.prefix == "" || p.zoneWord(i) || p.feast(i) {
				return i
			}
			if !t.possessive && p.timeWord(i) || p.is(i-1, "a", "an") && p.is(i-2, "in") && slices.Contains(list, i-2) {
				return i
			}
		}
	}
	return -1
}

// particles belong to a verb that no table has, where they stand before a title: "jot me down for …".
var particles = setOfWords("down off out back over away along into onto")

// stray are words that end no title: they say of something that is there what becomes of it, or are half of a time.
var stray = setOfWords("onwards onward now goes moves moved runs begins again instead then sun mon sat anymore " +
	"already only " +
	"עובר עוברת עוברימ זז זזה נדחית מוקדמ עכשיו שוב במקומ כבר הפעמ בלבד")

// relative reports whether a word counts from what was not read: "two days before Christmas", "the Tuesday after next".
func (p *parser) relative(i int) bool {
	if !p.is(i, "before", "after", "prior", "לפני", "אחרי") {
		return false
	}
	return p.has(i-1, unitWords) || p.has(i-1, duals) || p.has(i-1, partWords) && p.is(i-2, "the") ||
		p.is(i+1, "next", "that", "this") && p.isUsed(i-1)
}

// label reports whether a word is the name of a field in a form: "Title: Kickoff, Date: …".
func (p *parser) label(i int) bool {
	return p.is(i+1, ":") && p.is(i, "title", "name", "subject", "date", "time", "day", "when", "start", "end", "duration",
		"attendees", "כותרת", "שמ", "נושא", "תאריכ", "שעה", "מועד", "זמנ", "משכ", "משתתפימ")
}

// alarm reports whether a word asks for a reminder beside the event.
func (p *parser) alarm(i int) bool {
	if !p.is(i, "reminder", "reminders", "alert", "alarm", "notification", "תזכורת", "התראה") {
		return false
	}
	for _, it := range p.items {
		if it.sort == aLength && (it.to == i || it.from == i+1) { // "10 minute reminder"
			return true
		}
	}
	return p.is(i-1, ",", "with", "and", "plus", "עמ", "+") ||
		p.is(i-1, "a", "an", "no") && p.is(i-2, "with", "and", "plus")
}

// often reports whether a word says how often, without the days: "twice a week", "פעמיים בשבוע".
func (p *parser) often(i int) bool {
	if p.is(i, "twice", "thrice", "פעמיימ") {
		return true
	}
	if n, _, next, ok := p.number(i); ok && n > 1 && p.is(next, "times", "x", "פעמימ") { // "three times tomorrow"
		return true
	}
	if _, prefix, ok := p.look(i, unitWords); ok && prefix == "ב" && p.hebrewAt(i) { // "שלושה ימים בשבוע"
		return true
	}
	if _, prefix, ok := p.look(i+1, weekdayWords); ok && prefix == "ו" && p.isUsed(i+1) && p.has(i, weekdayWords) {
		return true // "שלישי ושבת כל שבוע"
	}
	// "ביום שני ושלישי"
	if _, prefix, ok := p.look(i, weekdayWords); ok && strings.HasPrefix(prefix, "ו") && i > 0 && p.isUsed(i-1) {
		return true
	}
	return p.is(i, "a", "per") && p.has(i+1, unitWords) && p.is(i-1, "times", "x", "days", "once")
}

// guards are words that belong to times and never to a title that was read in full.
var guards = setOfWords(
	"minus פחות חוץ מלבד למעט except not instead rather until till til thru every each between unless except פלוס מינוס " +
		"בימים בימי בחודש לחודש אחורה קדימה עד בכל מדי החל")

// zoneWord reports whether a word behind an hour is a time zone that has no one meaning, or one that is not known:
// "IST", "her time".
func (p *parser) zoneWord(i int) bool {
	behind := false
	for _, it := range p.items {
		behind = behind || (it.sort == anHour || it.sort == twoHours) && (it.to == i || it.to == i-1)
	}
	return behind && (doubtfulZones[p.tokens[i].raw] || p.is(i, "time", "שעונ", "לפי"))
}

var doubtfulZones = map[string]bool{"IST": true, "CST": true, "BST": true, "AST": true, "MST": true, "MSK": true,
	"AEST": true, "AEDT": true, "EET": true, "EEST": true, "WET": true,
	"HST": true, "AKST": true, "SGT": true, "HKT": true, "CT": true, "MT": true, "NZT": true, "NZST": true, "MDT": true,
	"CDT": true}

// feast reports whether a word names a day that is not read here, where the sentence says no other day: "on New Year's
// Eve", "בפסח".
func (p *parser) feast(i int) bool {
	for _, it := range p.items {
		if it.sort == aDay || it.sort == someDays || it.sort == aPeriod || it.sort == aRepeat {
			return false
		}
	}
	if _, prefix, ok := p.look(i, feasts); ok &&
		(strings.ContainsAny(prefix, "בל") || p.is(i-1, "ערב", "בערב", "לערב", "ליל", "אחרי", "לפני")) {
		return true
	}
	if before := p.beforeArticle(i); festive[p.tokens[i].text] &&
		p.is(before, "at", "for", "over", "during", "by", "before", "after", "until", "next") && !p.used[before] {
		return true
	}
	return p.is(i, "on") && i+1 < len(p.tokens) && !p.used[i+1]
}

// beforeArticle is the token before i and its article.
func (p *parser) beforeArticle(i int) int {
	i--
	for p.is(i, "the", "my", "our") {
		i--
	}
	return i
}

// holiday finds a feast among the words of a new event of which no day is said, so that its day may be meant; -1 when
// there is none.
func (p *parser) holiday(t times) int {
	if t.day != nil || t.period != nil || t.repeat != nil || t.now != nil {
		return -1
	}
	for i := range p.tokens {
		if !p.used[i] && p.is(i, "new") && p.is(i+1, "year", "years") && !p.used[i+1] {
			return i
		}
		if !p.used[i] && p.tokens[i].kind == word && festive[p.tokens[i].text] {
			return i
		}
	}
	return -1
}

var (
	feasts = setOf(
		"פסח סוכות חנוכה פורים שבועות ראש כיפור כיפורים חג ערב ליל עצמאות זיכרון מוצאי מוצש מוצ\"ש ט\"ו ל\"ג שבט ניסן אייר " +
			"סיוון תמוז אלול תשרי חשוון כסלו טבת אדר עומר סילבסטר כריסמס רמדאן")
	// festive are English names of days that move, or that are not read here.
	festive = setOfWords(
		"christmas xmas thanksgiving easter halloween hanukkah chanukah passover ramadan eid diwali purim sukkot shavuot " +
			"kippur valentine's valentine valentines juneteenth carnival pentecost")
)

// slip returns the first word that is nearly one of times and was not read; -1 when there is none.
func (p *parser) slip() int {
	for i, t := range p.tokens {
		if p.negative(i) {
			return i
		}
		if p.used[i] || t.kind != word {
			continue
		}
		if misspelt(t) {
			return i
		}
		_, prefix, ok := p.look(i, dayWord)
		if !ok || !p.hebrewAt(i+1) || p.used[i+1] {
			continue
		}
		if roleOf(prefix) != bare || nearWeekday(p.tokens[i+1].text) { // "ביום שליישי"
			return i + 1
		}
	}
	return -1
}

// negative finds the minus of a number below zero: "for -1 hour".
func (p *parser) negative(i int) bool {
	if !p.is(i, "-") || !p.tokens[i].spaced || i+1 >= len(p.tokens) || p.tokens[i+1].kind != number ||
		p.tokens[i+1].spaced {
		return false
	}
	return p.is(i-1, "for", "by", "in", "at", "of", "למשכ", "במשכ", "של", "בעוד", "עוד") || p.has(i+2, unitWords)
}

func nearWeekday(text string) bool {
	for name := range weekdayWords {
		if form := []rune(name); len(form) > 3 && name[0] > 'z' {
			if d := slips([]rune(text), form, 1); d <= 1 {
				return true
			}
		}
	}
	return false
}

// licensed reports whether a number belongs to a name: "room 302", "sprint 12", "table for 4", "5 people".
func (p *parser) licensed(i int) bool {
	if i > 0 && (counted[p.tokens[i-1].text] || p.tokens[i-1].text == "#") {
		return true
	}
	if _, _, ok := p.look(i-1, countedHebrew); ok {
		return true
	}
	if p.is(i-1, "for") && (i+1 == len(p.tokens) || p.isUsed(i+1)) &&
		p.is(i-2, "table", "reservation", "dinner", "lunch") {
		return true
	}
	if p.is(i-1, "הולדת") || p.tokens[i].ordinal && p.is(i+1, "birthday", "anniversary") {
		return true
	}
	return p.is(i+1, "people", "guests", "kids", "friends", "km", "אנשימ", "ילדימ", "ק\"מ")
}

var (
	counted = setOfWords(
		"room sprint floor chapter phase line gate flight terminal class grade part version release level unit module " +
			"lesson episode season round stage team building apartment apt number no " +
			"suite hall track lane court platform bus train route highway step day week q v")
	countedHebrew = setOf(
		"מגרש חדר ספרינט קומה פרק שלב שער טיסה טרמינל כיתה גרסה יחידה שיעור מספר אולם קבוצה קו דירה סבב חלק")
)

// timeWord reports whether a word is one of times and none of titles.
func (p *parser) timeWord(i int) bool {
	t := p.tokens[i]
	if t.hebrew {
		_, prefix, ok := p.look(i, dayWords)
		if ok && !strings.Contains(prefix, "ה") && t.text != "היומיומ" {
			return true
		}
		if value, _, ok := p.look(i, monthWords); ok && value != 5 && !p.personAt(i) {
			return true
		}
		if _, prefix, ok := p.look(i, hourWord); ok && prefix == "ב" {
			return true
		}
		return p.is(i, "בערכ", "חצות", "לפנות") || p.is(i, "הבא", "הבאה") && p.has(i-1, spans)
	}
	switch t.text {
	case "may", "march":
		return false
	case "april", "june", "august":
		return !p.personAt(i)
	case "am", "pm", "o'clock", "noon", "midnight", "fortnight", "tonight", "hour", "hours", "minutes", "mins", "today",
		"tomorrow", "yesterday", "ish":
		return !p.is(i-1, "happy", "office", "golden", "rush", "power")
	}
	if _, ok := weekdayWords[t.text]; ok && len(t.text) > 3 {
		return true
	}
	if _, ok := weekdayPlurals[t.text]; ok {
		return true
	}
	_, ok := monthWords[t.text]
	return ok && len(t.text) > 3
}

// spelt are the words of times that are long enough for a misspelling to be told from another word.
var spelt = speltWords(
	"sunday monday tuesday wednesday thursday friday saturday tomorrow yesterday tonight january february april august " +
		"september october november december " +
		"morning afternoon evening midnight weekend fortnight minutes everyday weekday noonday today " +
		"מחרתיים ינואר פברואר אפריל אוגוסט ספטמבר אוקטובר נובמבר דצמבר שבועיים אתמול")

func speltWords(words string) [][]rune {
	var out [][]rune
	for text := range setOfWords(words) {
		out = append(out, []rune(text))
	}
	return out
}

// misspelt reports whether a word is nearly one of times: one slip of the pen away, two for words of at least eight
// letters.
func misspelt(t token) bool {
	n := utf8.RuneCountInString(t.text)
	if n < 5 || n > 14 || properWords[t.text] {
		return false
	}
	forms := [][]rune{[]rune(t.text)}
	if t.hebrew && startsWithAny(t.text, "ב", "ל", "מ") {
		forms = append(forms, []rune(t.text)[1:])
	}
	for _, form := range forms {
		for _, right := range spelt {
			allowed := 1
			if len(right) >= 8 {
				allowed = 2
			}
			if form[0] != right[0] && form[0] != right[1] && form[1] != right[0] {
				continue
			}
			if d := slips(form, right, allowed); d > 0 && d <= allowed &&
				(len(right) > 5 || t.hebrew || d == 1 && len(form) == len(right) && swapped(form, right)) {
				return true
			}
		}
	}
	return false
}

// properWords are near to words of times and mean something else.
var properWords = setOfWords(
	"sundae morning's mourning warning everyone minute augusta momentum evening's members member remember mornings " +
		"evenings weekends")

// swapped reports whether two words of one length hold the same letters.
func swapped(a, b []rune) bool {
	differ := 0
	for i := range a {
		if a[i] != b[i] {
			differ++
		}
	}
	return differ == 2
}

// longestSpelt is more than the letters of any word of times, and of any word that is one or two slips away from it.
const longestSpelt = 16

// slips counts the insertions, deletions, substitutions and swaps of neighbours between two words (the optimal string
// alignment distance), or returns more than the limit when there are more.
func slips(a, b []rune, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit || len(a) >= longestSpelt || len(b) >= longestSpelt {
		return limit + 1
	}
	var rows [longestSpelt][longestSpelt]int
	for i := range rows {
		rows[i][0], rows[0][i] = i, i
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := btoi(a[i-1] != b[j-1])
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1) //nolint:gosec // i and j are 2 or more
			}
		}
	}
	return rows[len(a)][len(b)]
}

// conditional finds a word that makes the whole depend on something: if, unless, or, אם.
func (p *parser) conditional() int {
	for i, t := range p.tokens {
		if t.kind == word && t.prefix == "" && !p.used[i] {
			switch t.text {
			case "if", "unless", "or", "otherwise", "אמ", "אלא", "או", "במידה":
				if t.raw == "Or" && p.is(i-1, "with", "call", "meet", "ask", "for", "and") { // a name
					continue
				}
				if t.text == "אמ" && p.asksWhether(i) {
					continue
				}
				return i
			}
		}
	}
	return -1
}

// asksWhether reports whether a Hebrew "if" begins what somebody is to find out: "לבדוק אם דנה ענתה", "לשאול את דנה
// אם".
func (p *parser) asksWhether(i int) bool {
	for k := max(0, i-3); k < i; k++ {
		if p.is(k, "לבדוק", "לברר", "לשאול", "לראות", "לוודא") {
			return true
		}
	}
	return false
}
