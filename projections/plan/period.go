package plan

import (
	"time"

	"almanac/graph/model"
)

// periodAt reads a stretch of days that things lie in, with its preposition: "this week", "in December", "the next 3
// days", "בשבוע הבא".
func (p *parser) periodAt(i int) (item, bool) {
	r, begin := p.preposition(i)
	it := item{sort: aPeriod, from: i, role: r}
	for _, read := range []func(int) (period, string, int, bool){p.restOf, p.weekOf, p.weekIn, p.nextDays, p.named,
		p.monthAlone} {
		if found, prefix, end, ok := read(begin); ok {
			it.period, it.to, it.role = found, end, merge(r, roleOf(prefix))
			it.doubts = p.comingWeek(found, i, end)
			return it, true
		}
	}
	return it, false
}

// comingWeek doubts "השבוע הקרוב" said while most of a week is still to come.
func (p *parser) comingWeek(found period, from, to int) []Ambiguity {
	if value, _, ok := p.look(to-1, whichAfter); !ok || which(value) != coming || !p.has(to-2, spans) ||
		found.first != p.weekStart().AddDays(7) || found.end != found.first.AddDays(7) {
		return nil
	}
	if p.today().DaysUntil(found.first) < 4 {
		return nil
	}
	return []Ambiguity{p.doubt(DoubtComingWeek, from, to, found.first.String(), p.weekStart().String())}
}

// restOf reads "the rest of the week", "the remainder of the day", "שאר השבוע".
func (p *parser) restOf(i int) (period, string, int, bool) {
	next := i + 1
	switch {
	case p.is(i, "rest", "remainder") && p.is(i+1, "of"):
		next++
		if p.is(next, "the", "this") {
			next++
		}
	case p.is(i, "שאר", "המשכ", "יתר"):
	default:
		return period{}, "", i, false
	}
	of := p.wordAt(next)
	switch of {
	case "today", "day", "היומ":
		return period{since: p.now, end: p.today().AddDays(1)}, "", next + 1, true
	case "week", "השבוע":
		return period{since: p.now, end: p.weekStart().AddDays(7)}, "", next + 1, true
	case "month", "החודש":
		first := model.Date{Year: p.now.Year(), Month: p.now.Month(), Day: 1}
		return period{since: p.now, end: plusMonths(first, 1)}, "", next + 1, true
	}
	return period{}, "", i, false
}

// weekOf reads "the week of December 7", "the weekend of the 18th", "השבוע של 13 בדצמבר": the one that has the day; of
// a weekend the first that does not end before it.
func (p *parser) weekOf(i int) (period, string, int, bool) {
	none := func() (period, string, int, bool) { return period{}, "", i, false }
	next, prefix, weekend := i, "", false
	value, with, hebrew := p.look(i, spans)
	switch {
	case p.is(i, "week") && p.is(i+1, "of", "beginning", "starting", "commencing", "from"):
		next += 2
	case p.is(i, "weekend") && p.is(i+1, "of"):
		next, weekend = i+2, true
	case hebrew && p.hebrewAt(i) && value == weekSpan && p.is(i+1, "של", "שמתחיל"):
		next, prefix = i+2, with
	case hebrew && p.hebrewAt(i) && value == weekendSpan && p.is(i+1, "של"):
		next, prefix, weekend = i+2, with, true
	case p.is(i, "סופ", "בסופ") && p.is(i+1, "השבוע", "שבוע") && p.is(i+2, "של"):
		next, weekend = i+3, true
		if p.is(i, "בסופ") {
			prefix = "ב"
		}
	default:
		return none()
	}
	if p.is(next, "the") {
		next++
	}
	d, _, ok := p.dayAt(next)
	if !ok || !d.absolute && !d.said {
		return none()
	}
	if weekend {
		of := p.weekend(0)
		for of.end.AddDays(-1).Before(d.date) {
			of.first, of.end = of.first.AddDays(7), of.end.AddDays(7)
		}
		return of, prefix, d.to, true
	}
	back := (int(d.date.Midnight().Weekday()) - int(p.at.WeekStart.Time()) + 7) % 7
	first := d.date.AddDays(-back)
	return period{first: first, end: first.AddDays(7)}, prefix, d.to, true
}

// weekIn reads "the first week of December", "השבוע הראשון של דצמבר": seven days of the month, the last ones for
// "last".
func (p *parser) weekIn(i int) (period, string, int, bool) {
	none := func() (period, string, int, bool) { return period{}, "", i, false }
	nth, prefix, next := 0, "", i
	if p.is(i, "the") {
		next++
	}
	switch {
	case p.is(next+1, "week") && p.is(next+2, "of", "in"):
		nth, _, _ = p.look(next, ordinals)
		if p.is(next, "last") {
			nth = 5
		}
		next += 3
	case p.hebrewAt(i) && p.hebrewAt(i+1):
		value, with, ok := p.look(i, unitWords)
		if !ok || unit(value) != weeks || with == "" && !p.is(i, "שבוע") {
			return none()
		}
		prefix = with
		nth, _, _ = p.look(i+1, ordinals)
		if p.is(i+1, "האחרונ", "אחרונ") {
			nth = 5
		}
		next = i + 2 + btoi(p.is(i+2, "של", "בחודש"))
	}
	month, _, ok := p.look(next, monthWords)
	if nth < 1 || nth > 5 || !ok {
		return none()
	}
	first := model.Date{Year: p.now.Year(), Month: time.Month(month), Day: 1}
	end := plusMonths(first, 1)
	if !p.today().Before(end) {
		first, end = plusMonths(first, 12), plusMonths(first, 13)
	}
	if nth == 5 {
		return period{first: end.AddDays(-7), end: end}, prefix, next + 1, true
	}
	return period{first: first.AddDays(7 * (nth - 1)), end: first.AddDays(7 * nth)}, prefix, next + 1, true
}

// nextDays reads "the next 3 days", "the next two weeks", "coming week", "שלושת הימים הקרובים", "השבועיים הקרובים".
func (p *parser) nextDays(i int) (period, string, int, bool) {
	today := p.today()
	if value, ok := whichBefore[p.wordAt(i)]; ok &&
		(which(value) == next || which(value) == coming || which(value) == last) {
		after := i + 1
		if p.is(after, "few") {
			return period{}, "", i, false
		}
		a, _, end, found := p.counted(after)
		if found && a.calendar() {
			if which(value) == last {
				return period{first: plusMonths(today, -a.months).AddDays(-a.days), end: today.AddDays(1)}, "", end, true
			}
			return period{first: today, end: plusMonths(today, a.months).AddDays(a.days)}, "", end, true
		}
		if which(value) == coming && p.is(after, "week", "days") {
			return period{first: today, end: today.AddDays(7)}, "", after + 1, true
		}
		return period{}, "", i, false
	}
	if i >= len(p.tokens) || !p.hebrewAt(i) && p.tokens[i].kind != number {
		return period{}, "", i, false
	}
	n, prefix, end, ok := p.number(i)
	var of int
	var with string
	if ok {
		of, with, ok = p.look(end, unitWords)
		end++
	} else if of, with, ok = p.look(i, duals); ok {
		n, prefix, with, end = 2, with, "ה", i+1
	}
	if !ok || with != "ה" && with != "" || !p.is(end, "הקרובימ", "הבאימ", "הקרובות", "הבאות") {
		return period{}, "", i, false
	}
	a, _, _, _ := p.withHalf(unit(of), n, end, "")
	if !a.calendar() {
		return period{}, "", i, false
	}
	return period{first: today, end: plusMonths(today, a.months).AddDays(a.days)}, prefix, end + 1, true
}

// named reads "this week", "next month", "last year", "weekend", "השבוע", "שבוע הבא", "סוף השבוע".
func (p *parser) named(i int) (period, string, int, bool) {
	w := plain
	begin := i
	if value, ok := whichBefore[p.wordAt(i)]; ok {
		w = which(value)
		i++
	} else if p.is(i, "all") && p.is(i+1, "week", "month") {
		i++
	}
	of, prefix, ok := p.look(i, spans)
	end := i + 1
	if p.is(i-1, "ראש") && p.tokens[i].hebrew || p.is(i-1, "ערב") && p.is(i-2, "ראש") { // "ראש השנה" is a feast
		return period{}, "", begin, false
	}
	if !ok {
		if _, with, found := p.look(i, endWord); found && p.is(i+1, "השבוע", "שבוע") {
			of, prefix, end, ok = weekendSpan, with, i+2, true
		}
	}
	if !ok {
		return period{}, "", begin, false
	}
	hebrew := p.tokens[i].hebrew
	if hebrew {
		if value, _, found := p.look(end, whichAfter); found {
			w = which(value)
			end++
		} else if of != weekendSpan && (prefix == "" || prefix[len(prefix)-len("ה"):] != "ה") {
			return period{}, "", begin, false // "שבוע" alone is a length
		} else if of == yearSpan {
			w = this
		}
	} else if w == plain && of != weekendSpan && !p.is(begin-1, "the", "all", "my") && !p.is(begin, "all") {
		return period{}, "", begin, false
	} else if w == plain && of != weekendSpan && p.is(begin-1, "my") && of != weekSpan {
		return period{}, "", begin, false
	}
	return p.spanOf(of, w), prefix, end, true
}

const (
	weekSpan = iota + 1
	monthSpan
	yearSpan
	weekendSpan
)

var spans = tableOf(weekSpan, "week שבוע", "month חודש", "year שנה", "weekend סופ\"ש סופש")

func (p *parser) spanOf(of int, w which) period {
	step := 0
	switch w {
	case next:
		step = 1
	case coming:
		step = btoi(of != weekendSpan)
	case last:
		step = -1
	case plain, this:
	}
	first := model.Date{Year: p.now.Year(), Month: p.now.Month(), Day: 1}
	switch of {
	case monthSpan:
		return period{first: plusMonths(first, step), end: plusMonths(first, step+1)}
	case yearSpan:
		january := model.Date{Year: p.now.Year() + step, Month: time.January, Day: 1}
		return period{first: january, end: plusMonths(january, 12)}
	case weekendSpan:
		return p.weekend(step)
	}
	start := p.weekStart().AddDays(7 * step)
	return period{first: start, end: start.AddDays(7)}
}

// weekend returns the two days of rest of the viewer's country: Friday and Saturday in Israel, Saturday and Sunday
// elsewhere. The one that is going on counts as this one.
func (p *parser) weekend(step int) period {
	lastDay := time.Sunday
	if p.inIsrael() {
		lastDay = time.Saturday
	}
	ahead := (int(lastDay) - int(p.now.Weekday()) + 7) % 7
	end := p.today().AddDays(ahead + 1 + 7*step)
	return period{first: end.AddDays(-2), end: end, weekend: true}
}

func (p *parser) inIsrael() bool {
	switch p.now.Location().String() {
	case "Asia/Jerusalem", "Asia/Tel_Aviv", "Israel":
		return true
	}
	return p.at.Locale == "he"
}

// monthAlone reads "in December", "December 2027", "בדצמבר".
func (p *parser) monthAlone(i int) (period, string, int, bool) {
	month, prefix, ok := p.look(i, monthWords)
	if !ok || p.tokens[i].possessive || p.is(i-1, "with", "עמ") || p.personAt(i) {
		return period{}, "", i, false
	}
	if prefix == "" && p.is(i, "יוני", "מאי") && !p.numberAt(i+1) && !p.is(i-1, "חודש", "של", "עד", "סופ", "בסופ",
		"תחילת", "אמצע", "בתחילת", "באמצע", "כל") {
		return period{}, "", i, false // names of people
	}
	if text := p.tokens[i].text; (text == "may" || text == "march") &&
		(p.tokens[i].raw == text || !p.is(i-1, "in", "of", "until", "till", "during", "for", "by", "next", "this")) {
		return period{}, "", i, false
	}
	end := i + 1
	year, said := p.now.Year(), false
	if end < len(p.tokens) && p.tokens[end].kind == number && p.tokens[end].digits[0] == 4 && p.tokens[end].n() >= 1900 &&
		p.tokens[end].n() <= 2399 {
		year, said = p.tokens[end].n(), true
		end++
	}
	first := model.Date{Year: year, Month: time.Month(month), Day: 1}
	if !said {
		if p.past && p.today().Before(first) {
			first.Year--
		} else if !p.past && first.Month < p.now.Month() {
			first.Year++
		}
	}
	return period{first: first, end: plusMonths(first, 1)}, prefix, end, true
}
