package plan

import (
	"strings"
	"time"

	"almanac/graph/model"
	"almanac/projections/when"
)

// today is the day of the moment in the viewer's zone.
func (p *parser) today() model.Date { return model.DateOf(p.now) }

func (p *parser) weekStart() model.Date {
	today := p.today()
	back := (int(p.now.Weekday()) - int(p.at.WeekStart.Time()) + 7) % 7
	return today.AddDays(-back)
}

// dayAt reads one day at i, without a preposition but with its Hebrew prefix.
func (p *parser) dayAt(i int) (d day, prefix string, ok bool) {
	if d, ok = p.amountAway(i); ok {
		d.from = i
		return d, "", true
	}
	return p.namedDay(i)
}

// namedDay is dayAt without days that are counted from another.
func (p *parser) namedDay(i int) (d day, prefix string, ok bool) {
	for _, read := range []func(int) (day, string, bool){
		p.isoDay, p.relativeDay, p.weekdayOfMonth, p.weekdayAt, p.monthDay, p.numericDay, p.dayOfMonth} {
		if d, prefix, ok = read(i); ok {
			d.from = i
			if dated, is := p.datedBehind(d); is {
				d = dated
			}
			return d, prefix, true
		}
	}
	return d, "", false
}

func (p *parser) isoDay(i int) (d day, prefix string, ok bool) {
	if i >= len(p.tokens) || p.tokens[i].kind != isoDate {
		return d, "", false
	}
	t := p.tokens[i]
	d = day{absolute: true, said: true, to: i + 1}
	date, err := model.ParseDate(t.text[:10])
	if err != nil {
		p.fail(Contradiction, SlotDate, noSuchDay, i, i+1)
		return d, t.prefix, true
	}
	d.date = date
	if len(t.text) == 10 {
		return d, t.prefix, true
	}
	for _, layout := range []string{"2006-01-02T15:04Z07:00", time.RFC3339Nano} {
		if at, err := time.Parse(layout, t.text); err == nil {
			d.at = at.In(p.now.Location())
			d.date = model.DateOf(d.at)
			return d, t.prefix, true
		}
	}
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05.999999999"} {
		if at, err := time.Parse(layout, t.text); err == nil {
			d.named = &hour{minute: at.Hour()*60 + at.Minute(), from: i, to: i + 1}
			return d, t.prefix, true
		}
	}
	p.fail(Contradiction, SlotDate, noSuchTime, i, i+1)
	return d, t.prefix, true
}

// relativeDay reads today, tomorrow, the day after tomorrow, tonight, this morning; היום, מחר, מחרתיים, הערב, הלילה.
func (p *parser) relativeDay(i int) (d day, prefix string, ok bool) {
	away := func(days, next int, of part) (day, string, bool) {
		return day{date: p.today().AddDays(days), to: next, part: of}, "", true
	}
	switch {
	case p.are(i, "day", "after", "tomorrow"):
		return away(2, i+3, noPart)
	case p.are(i, "day", "before", "yesterday"):
		return away(-2, i+3, noPart)
	case p.is(i, "tonight"):
		return away(0, i+1, evening)
	case p.is(i, "this") && p.is(i+1, "morning", "afternoon", "evening"):
		return away(0, i+2, part(partWords[p.tokens[i+1].text]))
	case p.is(i, "overnight"):
		return d, "", false
	}
	if i < len(p.tokens) && p.tokens[i].hebrew {
		text, _ := strings.CutPrefix(p.wordAt(i), "לה")
		if text != p.wordAt(i) {
			text = "ה" + text
		}
		if of, ok := partsOfToday[text]; ok &&
			!(p.is(i-1, "את") && p.hebrewAt(i+1)) && !p.is(i-1, "ארוחת", "משמרת", "פגישת", "ישיבת", "תפילת", "טיסת", "שיחת",
			"ריצת") {
			return away(0, i+1, part(of))
		}
	}
	if _, with, found := p.look(i, eveOf); found &&
		(p.is(i+1, "שבת") || p.tokens[i].text != "מוצאי" && !strings.HasSuffix(p.tokens[i].text, "מוצאי")) {
		end, of := i+1+btoi(p.is(i+1, "שבת")), this
		if w, _, found := p.look(end, whichAfter); found && p.hebrewAt(end) {
			of, end = which(w), end+1
		}
		d = p.weekday(time.Saturday, of, i, end)
		if d.part = evening; of != next {
			d.doubts = nil
		}
		d.weekday = of == this // "מוצ"ש 2 בינואר"
		return d, with, true
	}
	value, prefix, found := p.look(i, dayWords)
	if !found || strings.Contains(prefix, "ה") || p.is(i, "overmorrow") || p.is(i-1, "סדר", "בסדר", "איכ") {
		return d, "", false
	}
	d, _, _ = away(value, i+1, noPart)
	return d, prefix, true
}

// amountAway reads "in 3 days", "two weeks from tomorrow", "a week from Monday", "בעוד שבוע". Amounts of hours are no
// day.
func (p *parser) amountAway(i int) (d day, ok bool) {
	inside := p.is(i, "in", "בעוד", "עוד")
	if inside {
		i++
	}
	a, _, next, ok := p.amountAt(i)
	if !ok || !a.calendar() || a.minutes != 0 {
		return d, false
	}
	base := p.today()
	switch {
	case inside && p.is(next, "from") && p.is(next+1, "now"):
		next += 2
	case inside && p.is(next, "מהיומ", "מעכשיו"):
		next++
	case inside:
	case p.is(next, "from") && p.is(next+1, "now"):
		next += 2
	case p.is(next, "from", "after"):
		from, _, found := p.namedDay(next + 1)
		if !found {
			return d, false
		}
		base, next = from.date, from.to
		d.doubts = from.doubts
	case p.hebrewAt(next) && strings.HasPrefix(p.tokens[next].text, "מ"): // "שבוע מהיום", "יומיים מראשון"
		if value, with, found := p.look(next, dayWords); found && with == "מ" {
			base, next = base.AddDays(value), next+1
			break
		}
		value, with, end, found := p.weekdayName(next, false)
		if !found || with != "מ" {
			return d, false
		}
		from := p.weekday(time.Weekday(value), plain, next, end)
		base, next, d.doubts = from.date, end, from.doubts
	case p.is(next, "ago"):
		a, next = amount{months: -a.months, days: -a.days}, next+1
	default:
		return d, false
	}
	d.date, d.to, d.absolute = plusMonths(base, a.months).AddDays(a.days), next, true
	return d, true
}

// plusMonths returns the same day so many months later; the last day of that month where it has no such day.
func plusMonths(date model.Date, n int) model.Date {
	first := time.Date(date.Year, date.Month+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	return model.Date{Year: first.Year(), Month: first.Month(), Day: min(date.Day, lastDay(first.Year(), first.Month()))}
}

func lastDay(year int, month time.Month) int {
	return time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// which are the words beside a weekday or a period.
type which int

const (
	plain which = iota
	this
	next
	coming
	last
)

var (
	whichBefore = tableOf(int(this), "this", "next", "coming upcoming", "last past previous")
	whichAfter  = tableOf(int(this), "הזה הזאת", "הבא הבאה הבאים", "הקרוב הקרובה הקרובים", "שעבר שעברה האחרון")
)

// weekdayAt reads a day of the week: "next Tuesday", "ביום שני הבא", "בשלישי", "יום ד'".
func (p *parser) weekdayAt(i int) (d day, prefix string, ok bool) {
	begin, of := i, plain
	if value, ok := whichBefore[p.wordAt(i)]; ok {
		of = which(value)
		i++
		if of == this && p.is(i, "coming") {
			of = coming
			i++
		}
	}
	value, prefix, end, ok := p.weekdayName(i, of != plain)
	if !ok || of != plain && p.tokens[i].hebrew {
		return d, "", false
	}
	if of == plain && p.tokens[i].hebrew {
		if w, _, found := p.look(end, whichAfter); found {
			of = which(w)
			end++
		}
	}
	d = p.weekday(time.Weekday(value), of, begin, end)
	return d, prefix, true
}

func (p *parser) wordAt(i int) string {
	if i < len(p.tokens) && p.tokens[i].kind == word && p.tokens[i].prefix == "" {
		return p.tokens[i].text
	}
	return ""
}

// weekdayName reads the name of a day of the week alone.
func (p *parser) weekdayName(i int, expected bool) (value int, prefix string, next int, ok bool) {
	if _, prefix, found := p.look(i, dayWord); found {
		if value, with, found := p.look(i+1, weekdayWords); found && (with == "" || with == "ה") {
			return value, prefix, i + 2, true
		}
		if value, found := p.exact(i+1, weekdayLetters, ""); found {
			next = i + 2
			if p.is(next, "'") {
				next++
			}
			return value, prefix, next, true
		}
		return 0, "", i, false
	}
	if value, prefix, found := p.look(i, weekdayWords); found {
		if !p.tokens[i].hebrew {
			return value, prefix, i + 1, true
		}
		if p.is(i-1, "עמ", "של") && value == int(time.Monday) && prefix == "" { // a name: "פגישה עם שני"
			return 0, "", i, false
		}
		// The bare ordinals are days only behind a preposition: "בשלישי", "עד רביעי".
		saturday := value == int(time.Saturday)
		behind := expected || roleOf(prefix) != bare || p.is(i-1, "עד", "ועד", "בינ") ||
			p.is(i-1, "לפני", "אחרי", "לקראת") && p.dayBehind(i, value) || value != int(time.Monday) && p.is(i-1, "של") ||
			prefix == "" && i > 0 && (p.clockAt(i+1) || p.is(i+1, "בינ") && p.numberAt(i+2)) ||
			prefix == "" && p.marked() && p.dayAsked(i) ||
			prefix == "" && (p.datedOn(i+1, time.Weekday(value)) || p.bareDay(i, value))
		if strings.Contains(prefix, "ה") && !saturday || !behind && !saturday {
			return 0, "", i, false
		}
		if _, with, ordinal := p.look(i+1, monthWords); ordinal && with == "ל" || p.is(i+1, "לחודש") {
			return 0, "", i, false // the first of December
		}
		return value, prefix, i + 1, true
	}
	if value, found := shortWeekdays[p.wordAt(i)]; found && !p.tokens[i].hebrew {
		capital := p.tokens[i].raw[0] >= 'A' && p.tokens[i].raw[0] <= 'Z'
		if expected || capital && p.beforeTime(i+1) || shortAlone[p.tokens[i].text] && p.numberAt(i+1) ||
			p.is(i-1, "on", "every", "from", "to", "until", "till", "-") ||
			p.clockAt(i+1+btoi(p.is(i+1, "at", "from", "@"))) || p.halved(i+1) {
			return value, "", i + 1, true
		}
	}
	return 0, "", i, false
}

// ends reports whether nothing but marks and courtesy stands from i on.
func (p *parser) ends(i int) bool {
	for ; i < len(p.tokens); i++ {
		if p.tokens[i].kind != mark && !p.is(i, "please", "thanks", "בבקשה", "תודה") {
			return false
		}
	}
	return true
}

// shortAlone are short names of days that are no other words.
var shortAlone = setOfWords("mon tue tues thu thur thurs fri")

// clockAt reports whether an hour that is plainly one stands at i: 17:10, "ב-17".
func (p *parser) clockAt(i int) bool {
	if i >= len(p.tokens) {
		return false
	}
	t := p.tokens[i]
	return t.kind == clock && roleOf(t.prefix) <= at || t.kind == number && t.prefix == "ב"
}

// numberAt reports whether a number, a clock or a date stands at i, behind "at" or "from" or alone.
func (p *parser) numberAt(i int) bool {
	i += btoi(p.is(i, "at", "from", "@"))
	if i >= len(p.tokens) {
		return false
	}
	switch p.tokens[i].kind {
	case number, clock, dotted:
		return roleOf(p.tokens[i].prefix) <= at
	}
	return false
}

// beforeTime reports whether the text ends at i, or goes on with a number or a preposition, so that "Sun" before it is
// a day and no name.
func (p *parser) beforeTime(i int) bool {
	if i >= len(p.tokens) {
		return true
	}
	switch p.tokens[i].kind {
	case number, clock, dotted, slashed, isoDate:
		return true
	case mark:
		return p.tokens[i].text != "-" && p.tokens[i].text != "'"
	}
	return p.is(i, "at", "from", "morning", "afternoon", "evening", "night", "noon", "and", "to")
}

// weekday returns the day of a weekday. Next is the calendar week after this one; without a word it is the coming one.
func (p *parser) weekday(of time.Weekday, w which, from, to int) day {
	today := p.today()
	ahead := (int(of) - int(p.now.Weekday()) + 7) % 7
	upcoming := today.AddDays(ahead)
	if ahead == 0 {
		upcoming = today.AddDays(7)
	}
	inNextWeek := p.weekStart().AddDays(7 + (int(of)-int(p.at.WeekStart.Time())+7)%7)
	d := day{date: upcoming, weekday: true, to: to}
	switch w {
	case next:
		d.date = inNextWeek
		other := upcoming
		if other == inNextWeek {
			other = upcoming.AddDays(7)
		}
		d.doubts = []Ambiguity{p.doubt(DoubtNextWeekday, from, to, inNextWeek.String(), other.String())}
		d.weekday = false
	case last:
		d.date = today.AddDays(-((int(p.now.Weekday())-int(of)+6)%7 + 1))
		d.weekday = false
	case this:
		d.date = today.AddDays(ahead)
		d.weekday = false
		if ahead == 0 {
			d.doubts = []Ambiguity{p.doubt(DoubtSameWeekday, from, to, today.String(), upcoming.String())}
		}
	case coming:
		d.weekday = false
	default:
		if p.past {
			d.date = today.AddDays(-((int(p.now.Weekday())-int(of)+6)%7 + 1))
		} else if ahead == 0 {
			d.doubts = []Ambiguity{p.doubt(DoubtSameWeekday, from, to, upcoming.String(), today.String())}
		}
	}
	return d
}

// monthDay reads "Dec 3", "3rd of December 2027", "ה-3 בדצמבר", "ראשון לדצמבר".
func (p *parser) monthDay(i int) (d day, prefix string, ok bool) {
	if month, end, found := p.monthAt(i); found && !p.tokens[i].hebrew {
		if p.is(end, "the") {
			end++
		}
		if n, end, found := p.dayNumber(end); found {
			d = p.date(i, n, month, &end)
			return d, "", true
		}
		return d, "", false
	}
	begin := i
	n, end, found := p.dayNumber(i)
	if !found {
		return d, "", false
	}
	prefix = p.tokens[i].prefix
	if p.tokens[i].kind == word {
		if _, with, ok := p.look(i, ordinals); ok {
			prefix = with
		} else if _, with, _, ok := p.number(i); ok {
			prefix = with
		}
	}
	if p.is(end, "of") {
		end++
	}
	month, with, ok := p.look(end, monthWords)
	if !ok || with != "" && with != "ב" && with != "ל" {
		return d, "", false
	}
	end++
	if p.is(end, ".") && p.tokens[end].to-p.tokens[end].from == 1 && end+1 < len(p.tokens) {
		if p.tokens[end+1].kind == number {
			end++
		}
	}
	d = p.date(begin, n, time.Month(month), &end)
	return d, prefix, true
}

// monthAt reads the name of a month. "may" and "march" count only with a capital or beside a number.
func (p *parser) monthAt(i int) (month time.Month, next int, ok bool) {
	value, _, found := p.look(i, monthWords)
	if !found {
		return 0, i, false
	}
	next = i + 1
	if p.is(next, ".") && !p.tokens[next].spaced && next+1 < len(p.tokens) && p.tokens[next+1].kind == number {
		next++
	}
	return time.Month(value), next, true
}

// dayNumber reads the number of a day: 3, 3rd, third, ראשון.
func (p *parser) dayNumber(i int) (n, next int, ok bool) {
	if i >= len(p.tokens) {
		return 0, i, false
	}
	if t := p.tokens[i]; t.kind == number {
		return t.n(), i + 1, t.n() >= 1 && t.digits[0] <= 2
	}
	if p.is(i, "twenty", "thirty") { // "twenty third", "thirty-first"
		tens := 20 + 10*btoi(p.is(i, "thirty"))
		last := i + 1 + btoi(p.is(i+1, "-"))
		if ones, _, found := p.look(last, ordinals); found && ones < 10 && tens+ones <= 31 {
			return tens + ones, last + 1, true
		}
	}
	if p.is(i, "thirtieth") {
		return 30, i + 1, true
	}
	if value, _, found := p.look(i, ordinals); found {
		return value, i + 1, true
	}
	if value, _, end, found := p.number(i); found && p.tokens[i].hebrew && value <= 31 {
		return value, end, true
	}
	return 0, i, false
}

// date returns a day of a month, with the year behind it at *end if there is one, else the next such day from today on,
// or in a question about the past the latest.
func (p *parser) date(from, n int, month time.Month, end *int) day {
	year, said := 0, false
	i := *end
	if p.is(i, ",") {
		i++
	}
	if i < len(p.tokens) && p.tokens[i].kind == number && p.tokens[i].digits[0] == 4 && p.tokens[i].n() >= 1900 &&
		p.tokens[i].n() <= 2399 {
		year, said = p.tokens[i].n(), true
		*end = i + 1
	}
	return p.dated(from, *end, n, month, year, said)
}

func (p *parser) dated(from, to, n int, month time.Month, year int, said bool) day {
	d := day{absolute: true, said: said, to: to}
	today := p.today()
	if !said {
		year = today.Year
		leap := n == 29 && month == time.February
		for tries := 0; tries < 9; tries++ {
			date := model.Date{Year: year, Month: month, Day: n}
			valid := n <= lastDay(year, month)
			if p.past && valid && today.Before(date) || p.past && !valid && leap {
				year--
				continue
			}
			if !p.past && (valid && date.Before(today) || !valid && leap) {
				year++
				continue
			}
			break
		}
		if leap && year != today.Year {
			d.doubts = append(d.doubts, p.doubt(DoubtYear, from, to, model.Date{Year: year, Month: month, Day: n}.String(),
				model.Date{Year: year + 4, Month: month, Day: n}.String()))
		}
	}
	if n < 1 || n > lastDay(year, month) {
		p.fail(Contradiction, SlotDate, noSuchDay, from, to)
		n = 1
	}
	d.date = model.Date{Year: year, Month: month, Day: n}
	return d
}

// numericDay reads 3/12, 3.12, 3/12/2027.
func (p *parser) numericDay(i int) (d day, prefix string, ok bool) {
	if i >= len(p.tokens) || p.tokens[i].kind != slashed && p.tokens[i].kind != dotted {
		return d, "", false
	}
	t := p.tokens[i]
	first, second := t.numbers[0], t.numbers[1]
	if t.digits[0] > 2 || t.digits[1] > 2 {
		return d, "", false
	}
	year, said := 0, len(t.numbers) == 3
	if said {
		year = t.numbers[2]
		if t.digits[2] == 2 {
			year += 2000
		}
		if t.digits[2] == 3 || year < 1900 || year > 2399 {
			return d, "", false
		}
	} else if t.kind == dotted && (second > 12 || second < 1 || first > 31 || first < 1 ||
		!p.hebrewText && !(p.dayFirst() != monthFirst && (p.is(i-1, "on", "since") || first > 12 && p.is(i-1, "for", "of",
			"from", "until") || first > 23 || p.clockBeside(i)))) {
		return d, "", false // 9.30 is a time; 3.12 is a date where dates are written so
	}
	n, month := first, second
	usual := p.dayFirst()
	swap := usual == monthFirst && second >= 1 && second <= 31 && first <= 12 || second > 12 && first <= 12
	if swap {
		n, month = second, first
	}
	if month < 1 || month > 12 || n < 1 || n > 31 {
		p.fail(Contradiction, SlotDate, noSuchDay, i, i+1)
		return day{absolute: true, to: i + 1, date: p.today()}, t.prefix, true
	}
	d = p.dated(i, i+1, n, time.Month(month), year, said)
	if n <= 12 && n != month && (t.kind == slashed || !p.hebrewText) {
		switch usual {
		case orderUnknown:
			p.fail(Unread, SlotDate, dayOrMonth, i, i+1)
		case monthFirst, dayUsually:
			other := model.Date{Year: d.date.Year, Month: time.Month(n), Day: month}
			d.doubts = append(d.doubts, p.doubt(DoubtDayMonth, i, i+1, d.date.String(), other.String()))
		}
	}
	return d, t.prefix, true
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// doubt makes an ambiguity of tokens.
func (p *parser) doubt(what Doubt, from, to int, readings ...string) Ambiguity {
	return Ambiguity{What: what, Span: p.span("", from, to), Readings: readings}
}

// wall returns the instant of a reading of clocks in a zone; the minutes may go beyond the day.
func wall(date model.Date, minute int, zone *time.Location) time.Time {
	return when.Instant(date.Midnight().Add(time.Duration(minute)*time.Minute), zone)
}

var (
	partsOfToday = table{"הבוקר": int(morning), "הערב": int(evening), "הלילה": int(night)}

	dayWord = setOf("יום")
	endWord = setOf("סוף")
	eveOf   = setOf("מוצאי מוצ\"ש מוצש")
)
