package plan

import "strings"

// half is what is said of an hour's half of the day: am, pm, or a part.
type half int

const (
	noHalf half = iota
	am
	pm
	inPart // the part is given beside it
)

// halfAt reads "pm", "in the morning", "at night", "בערב", "אחר הצהריים" at i.
func (p *parser) halfAt(i int) (h half, of part, next int) {
	switch {
	case p.is(i, "am"):
		return am, noPart, i + 1
	case p.is(i, "pm"):
		return pm, noPart, i + 1
	case p.is(i, "in", "at") && p.is(i+1, "the") && p.has(i+2, partWords), p.is(i, "at") && p.is(i+1, "night"):
		last := i + 1
		if p.is(last, "the") {
			last++
		}
		if value, _, ok := p.look(last, partWords); ok && part(value) != noon && !p.tokens[last].possessive {
			return inPart, part(value), last + 1
		}
	}
	if of, next := p.hebrewPart(i); of != noPart {
		return inPart, of, next
	}
	return noHalf, noPart, i
}

// hebrewPart reads "בבוקר", "אחר הצהריים", "אחה״צ", "לפנות בוקר".
func (p *parser) hebrewPart(i int) (part, int) {
	if i >= len(p.tokens) || !p.tokens[i].hebrew {
		return noPart, i
	}
	switch {
	case p.is(i, "אחר", "אחרי", "באחר") && p.is(i+1, "הצהריימ", "הצהרימ", "צהריימ"):
		return afternoon, i + 2
	case p.is(i, "לפני") && p.is(i+1, "הצהריימ", "הצהרימ", "צהריימ"), p.is(i, "לפנה\"צ"):
		return morning, i + 2 - btoi(p.is(i, "לפנה\"צ"))
	case p.is(i, "לפנות") && p.is(i+1, "בוקר"):
		return morning, i + 2
	case p.is(i, "לפנות") && p.is(i+1, "ערב"):
		return evening, i + 2
	case p.is(i, "אחה\"צ"):
		return afternoon, i + 1
	}
	if value, prefix, ok := p.look(i, partWords); ok && (prefix == "ב" || prefix == "וב" || prefix == "שב") {
		return part(value), i + 1
	}
	return noPart, i
}

// set applies a half of the day to an hour. False when they exclude each other ("13pm").
func (h *hour) set(to half, of part) bool {
	clock, rest := h.minute/60, h.minute%60
	if to == noHalf {
		return true
	}
	h.vague = false
	switch {
	case to == am:
		if clock > 12 || clock == 0 {
			return false
		}
		clock %= 12
	case to == pm:
		if clock > 12 || clock == 0 {
			return false
		}
		clock = clock%12 + 12
	case clock > 12 || clock == 0: // 18:00 in the evening
	case of == morning:
		clock %= 12
	case of == noon && clock <= 4, of == afternoon && clock < 12, of == evening && clock >= 3 && clock < 12,
		of == night && clock >= 6 && clock < 12:
		clock += 12
	case (of == evening || of == night) && clock == 12:
		clock, h.midnight = 24, true
	case of == night && clock < 6, of == evening && clock < 3:
		clock += 24
	}
	h.minute = clock*60 + rest
	return true
}

// hourAt reads one time of day at i, without a preposition but with its Hebrew prefix. A bare number counts only if
// loose.
func (p *parser) hourAt(i int, loose bool) (h hour, prefix string, ok bool) {
	h, prefix, next, ok := p.plainHour(i, loose)
	if !ok || p.countsComing(next) {
		return h, "", false
	}
	if to, of, after := p.halfAt(next); to != noHalf {
		if !h.set(to, of) {
			p.fail(Contradiction, SlotStart, noSuchTime, i, after)
		}
		next = after
		if !h.midnight && p.is(next, "noon", "midnight") {
			next++
		}
	}
	h.from, h.to = i, next
	return h, prefix, true
}

// countsComing reports whether a unit of time stands at a token that is to come, so that a number before it is no hour:
// "ב-3 השעות הבאות".
func (p *parser) countsComing(i int) bool {
	_, with, found := p.look(i, unitWords)
	return found && with == "ה" && p.is(i+1, "הבאות", "הקרובות", "הבאימ", "הקרובימ")
}

func (p *parser) plainHour(i int, loose bool) (h hour, prefix string, next int, ok bool) {
	if i >= len(p.tokens) {
		return h, "", i, false
	}
	t := p.tokens[i]
	switch t.kind {
	case clock:
		h = hour{minute: t.numbers[0]*60 + t.numbers[1], written: true, vague: t.digits[0] == 1 && t.numbers[0] > 0}
		h.vague = h.vague || t.numbers[0] >= 10 && t.numbers[0] < 12
		if !validClock(t) {
			p.fail(Contradiction, SlotStart, noSuchTime, i, i+1)
			h.minute, h.vague = 0, false
		}
		return h, t.prefix, i + 1, true
	case dotted:
		if len(t.numbers) != 2 || t.digits[1] != 2 || !validClock(t) {
			return h, "", i, false
		}
		_, _, after := p.halfAt(i + 1)
		if !loose && after == i+1 {
			return h, "", i, false
		}
		return hour{minute: t.numbers[0]*60 + t.numbers[1], written: true, vague: t.numbers[0] > 0 && t.numbers[0] < 12},
			t.prefix, i + 1, true
	case word, number:
		return p.saidHour(i, loose)
	}
	return h, "", i, false
}

func validClock(t token) bool {
	hours, minutes := t.numbers[0], t.numbers[1]
	valid := hours >= 0 && hours < 24 && minutes >= 0 && minutes < 60 || hours == 24 && minutes == 0
	return valid && (len(t.numbers) < 3 || t.numbers[2] < 60)
}

// countsMasculine reports whether a Hebrew numeral has the form that counts what is masculine; hours are feminine, so
// that "שולחן לארבעה" names no hour.
func (p *parser) countsMasculine(i int) bool {
	_, prefix, ok := p.look(i, masculineNumerals)
	return ok && prefix != "ב" && prefix != "מ"
}

var masculineNumerals = setOf("שני שניים שנים שלושה ארבעה חמישה שישה ששה שבעה תשעה")

// dayOfSeveral reports whether a number is a day whose month stands behind another one: "ב-4 וב-9 בדצמבר".
func (p *parser) dayOfSeveral(i int) bool {
	if p.tokens[i].kind != number {
		return false
	}
	i++
	for i < len(p.tokens) && (p.is(i, ",", "ו") || p.tokens[i].kind == number && (p.tokens[i].prefix == "" ||
		p.tokens[i].prefix == "ב" || strings.HasPrefix(p.tokens[i].prefix, "ו"))) {
		i++
	}
	if i >= len(p.tokens) || p.tokens[i-1].kind != number || p.is(i-2, ",") && p.tokens[i-1].prefix == "" ||
		!strings.HasPrefix(p.tokens[i-1].prefix, "ו") && !p.is(i-2, ",") {
		return false
	}
	_, with, ok := p.look(i, monthWords)
	return ok && (with == "ב" || with == "ל")
}

// saidHour reads an hour in words or one number.
func (p *parser) saidHour(i int, loose bool) (h hour, prefix string, next int, ok bool) {
	if value, prefix, found := p.look(i, namedHours); found && !p.tokens[i].possessive {
		if value == 24 {
			return hour{minute: 24 * 60, midnight: true}, prefix, i + 1, true
		}
		if !p.tokens[i].hebrew {
			return hour{minute: value * 60}, prefix, i + 1, true
		}
	}
	if h, prefix, next, ok = p.pastHour(i); ok {
		return h, prefix, next, true
	}
	if _, prefix, found := p.look(i, hourWord); found { // "בשעה 9", "משעה עשר"
		if h, _, next, ok := p.plainHour(i+1, true); ok {
			return h, prefix, next, true
		}
		return h, "", i, false
	}
	if p.dayOfSeveral(i) || p.countsMasculine(i) {
		return h, "", i, false
	}
	n, prefix, next, ok := p.number(i)
	if !ok || n > 23 || p.tokens[i].kind == number && p.tokens[i].digits[0] > 2 {
		return h, "", i, false
	}
	h = hour{minute: n * 60,
		vague: n > 0 && n < 12 && (p.tokens[i].kind != number || p.tokens[i].digits[0] == 1 || n >= 10)}
	if p.is(next, "o'clock", "oclock") {
		loose = true
		next++
	}
	if less, after := p.minutesLess(next); less > 0 && n <= 12 && n > 0 {
		h.minute = (n*60 + 12*60 - less) % (12 * 60)
		if h.minute < 60 { // a quarter to one is behind noon
			h.minute += 12 * 60
		}
		h.vague = true
		return h, prefix, after, loose
	}
	if extra, after := p.minutesAfter(next, p.tokens[i].hebrew || p.hebrewAt(next)); extra > 0 && n <= 12 && n > 0 {
		h.minute += extra
		return h, prefix, after, loose
	}
	if p.tokens[i].kind == word && !p.tokens[i].hebrew && loose { // "two thirty"
		if m, _, after, more := p.number(next); more && p.tokens[next].kind == word &&
			(m == 15 || m == 30 || m == 45 || m == 10 || m == 20 || m == 40 || m == 50) {
			h.minute += m
			next = after
		}
	}
	if to, of, _ := p.halfAt(next); to != noHalf && (of == noPart || n <= 12) {
		return h, prefix, next, true
	}
	if !loose || p.counts(next) || p.is(next, "-") && p.has(next+1, unitWords) ||
		p.is(next, "people", "times", "%", "אנשימ", "פעמימ") {
		return h, "", i, false
	}
	if value, prefix, month := p.look(next, monthWords); month && value > 0 &&
		(prefix == "ב" || prefix == "ל" || prefix == "") {
		return h, "", i, false
	}
	return h, prefix, next, true
}

// counts reports whether a unit of time stands at i, so that the number before it is an amount.
func (p *parser) counts(i int) bool {
	_, ok := p.exact(i, unitWords, "")
	return ok
}

func (p *parser) hebrewAt(i int) bool { return i < len(p.tokens) && p.tokens[i].hebrew }

var (
	namedHours = table{"noon": 12, "midday": 12, "midnight": 24, "חצות": 24}
	hourWord   = setOf("שעה שעות")
	// minuteWords are the numerals that count the minutes before an hour.
	minuteWords = setOf("חמישה עשרה עשרים")
	halfWord    = setOf("half חצי")
	quarter     = setOf("quarter רבע")
)

// minutesAfter reads what follows a Hebrew hour: "וחצי", "ורבע", "ועשרים", "ועשר דקות".
func (p *parser) minutesAfter(i int, hebrew bool) (extra, next int) {
	if !hebrew {
		return 0, i
	}
	if _, ok := p.exact(i, halfWord, "ו"); ok && !p.is(i, "חצי") {
		return 30, i + 1
	}
	if _, ok := p.exact(i, quarter, "ו"); ok && !p.is(i, "רבע") {
		return 15, i + 1
	}
	if n, prefix, after, ok := p.number(i); ok && prefix == "ו" && n < 60 && n > 0 {
		if p.is(after, "דקות") {
			after++
		}
		return n, after
	} else if ok && prefix == "" && p.tokens[i].kind == word && n >= 20 && n < 60 {
		// "שבע ארבעים ושתיים בבוקר"; what is counted stands behind its number
		if _, of, next := p.halfAt(after); of != noPart && next > after || after == len(p.tokens) ||
			p.tokens[after].kind == mark {
			return n, after
		}
	}
	return 0, i
}

// minutesLess reads what is taken off a Hebrew hour: "פחות רבע", "פחות עשר דקות".
func (p *parser) minutesLess(i int) (less, next int) {
	if !p.is(i, "פחות") {
		return 0, i
	}
	if p.is(i+1, "רבע") {
		return 15, i + 2
	}
	n, prefix, after, ok := p.number(i + 1)
	if !ok || prefix != "" || n < 1 || n > 30 {
		return 0, i
	}
	said := p.is(after, "דקות", "דק'")
	if p.counts(after) && !said {
		return 0, i
	}
	return n, after + btoi(said)
}

// pastHour reads "half past five", "quarter to 4", "ten past two", "רבע לארבע", "עשרה לשתיים".
func (p *parser) pastHour(i int) (h hour, prefix string, next int, ok bool) {
	begin := i
	if p.is(i, "a") {
		i++
	}
	var offset, after int
	if _, with, found := p.look(i, halfWord); found {
		offset, prefix, after = 30, with, i+1
		if n, _, end, named := p.number(after); named && n > 0 && n <= 12 && p.tokens[after].kind == word &&
			!p.tokens[after].hebrew && !p.counts(end) { // "half seven"
			return hour{minute: n*60 + offset, vague: n < 12}, prefix, end, true
		}
		if !p.is(after, "past") {
			return h, "", begin, false
		}
	} else if _, with, found := p.look(i, quarter); found {
		offset, prefix, after = 15, with, i+1
	} else if n, with, end, found := p.number(i); found && n > 0 && n < 60 {
		offset, prefix, after = n, with, end
		said := p.is(after, "minutes", "minute", "דקות")
		after += btoi(said)
		if p.tokens[i].hebrew && !said && !p.has(i, minuteWords) { // "עשר לשתיים" are two hours, "עשרה לשתיים" is one
			return h, "", begin, false
		}
	} else {
		return h, "", begin, false
	}
	sign := 0
	hebrew := p.tokens[i].hebrew
	switch {
	case p.is(after, "past", "after"):
		sign, after = 1, after+1
	case p.is(after, "to", "before") && !hebrew && p.tokens[i].kind == word:
		sign, after = -1, after+1
	case hebrew && after < len(p.tokens):
		if _, with, _, found := p.number(after); found && with == "ל" {
			sign = -1
		}
	}
	if sign == 0 {
		return h, "", begin, false
	}
	n, _, end, found := p.number(after)
	if p.is(after, "noon", "midday") {
		n, end, found = 12, after+1, true
	}
	if !found || n < 1 || n > 12 {
		return h, "", begin, false
	}
	if sign < 0 && !hebrew && p.tokens[i].kind == word && offset%5 != 0 && !p.is(after-2, "minutes", "minute") {
		return h, "", begin, false // "nine to noon" are two hours
	}
	h = hour{minute: n*60 + sign*offset, vague: n < 12 || sign < 0}
	if h.minute < 60 { // a quarter to one
		h.minute += 12 * 60
	}
	return h, prefix, end, true
}

// hoursAt reads one time of day or a range of two at i, with its preposition.
func (p *parser) hoursAt(i int, loose bool) (item, bool) {
	r, begin := p.preposition(i)
	if r != bare && (p.is(begin-1, "in", "over", "of", "the", "for") && !p.is(i, "at", "by", "from", "between", "@") ||
		p.is(i, "between") && p.is(begin-1, "the")) {
		// "in 5", "the 5" and "between the two meetings" are no times of day; "for 5pm" is.
		loose = false
	} else if r != bare {
		loose = true
	}
	first, prefix, ok := p.hourAt(begin, loose || begin < len(p.tokens) && p.tokens[begin].prefix != "")
	if !ok && !loose {
		if r == bare && p.prefixedNumber(begin) {
			first, prefix, ok = p.hourAt(begin, true)
		}
		if !ok { // "2-3pm"
			first, prefix, ok = p.hourAt(begin, true)
			if !ok || !p.is(first.to, "-", "to") {
				return item{}, false
			}
			second, _, more := p.hourAt(first.to+1, false)
			if !more || second.minute >= 24*60 && !second.midnight {
				return item{}, false
			}
		}
	}
	if !ok {
		return item{}, false
	}
	it := item{sort: anHour, from: i, to: first.to, hour: first, role: merge(r, roleOf(prefix))}
	second, linked, ok := p.secondHour(first.to, it.role)
	if !ok {
		return it, true
	}
	it.sort, it.to, it.linked, it.joint = twoHours, second.to, linked, second.from
	it.hour, it.end = halves(first, second)
	return it, true
}

// prefixedNumber reports whether token i is a numeral in words behind ב, ל or מ: "בעשר".
func (p *parser) prefixedNumber(i int) bool {
	_, prefix, _, ok := p.number(i)
	return ok && roleOf(prefix) != bare
}

// secondHour reads the end of a range behind its start.
func (p *parser) secondHour(i int, r role) (h hour, linked, ok bool) {
	begin := i
	if p.is(i, ",") {
		return h, false, false
	}
	switch {
	case p.is(i, "-"):
		i++
	case p.is(i, "to", "until", "till", "til", "through", "עד", "ועד"):
		i, linked = i+1, p.is(i, "to")
	case p.is(i, "and") && r == between:
		i++
	case p.is(i, "בערכ"):
		return h, false, false
	}
	h, prefix, ok := p.hourAt(i, i > begin || p.prefixedNumber(i) || i < len(p.tokens) && p.tokens[i].prefix != "")
	if !ok {
		return h, false, false
	}
	if i == begin {
		// Without a word between them, a Hebrew ל or ו joins: "בין 9 ל-13", "מ-10 ל-11".
		joins := roleOf(prefix) == to && (r == between || r == from) || prefix == "ו" && r == between
		if !joins {
			return h, false, false
		}
		linked = r == from
	}
	return h, linked, true
}

// halves settles the halves of the day of a range: what one of the hours says holds for the other where that makes
// sense.
func halves(first, second hour) (start, end hour) {
	day := 12 * 60
	switch {
	case first.vague && !second.vague:
		for _, m := range []int{first.minute + day, first.minute} {
			if m < second.minute && second.minute-m <= day {
				first.minute, first.vague = m, false
				return first, second
			}
		}
		if second.minute < first.minute && second.minute >= 0 && second.minute < 8*60 { // 10–2am
			first.minute, first.vague = first.minute+day, false
			second.minute += 24 * 60
			return first, second
		}
		first.vague = false
	case !first.vague && second.vague:
		second.vague = false
		if second.minute <= first.minute {
			second.minute += day
		}
		if second.minute <= first.minute {
			second.minute += day
		}
	case !first.vague && second.minute <= first.minute && second.minute <= 8*60 && first.minute >= 17*60:
		second.minute += 24 * 60 // 22:00–06:00
	}
	return first, second
}
