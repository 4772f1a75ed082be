package plan

import (
	"time"

	"almanac/graph/model"
)

// sort says what a time expression is.
type sort uint8

const (
	aDay     sort = iota // tomorrow, Dec 3
	someDays             // Dec 3–5: two days and all between
	aPeriod              // next week, December: a time that things lie in, and none to start at
	anHour               // at 9
	twoHours             // 9–10
	aPart                // in the morning
	aLength              // for 45 minutes
	aShift               // an hour later
	fromNow              // in two hours
	aRepeat              // every Monday
	aCount               // 10 times
	allDay               // all day
	aZone                // New York time
)

// role is what a preposition makes of a time expression.
type role uint8

const (
	bare     role = iota
	at            // at, on, in, for; ב
	from          // from; מ
	to            // to; ל
	until         // until; עד
	by            // by
	between       // between; בין
	starting      // starting on; החל מ
	before        // before; לפני
	after         // after; אחרי
)

// item is a time expression: tokens from inclusive, to exclusive, with their preposition.
type item struct {
	sort      sort
	from, to  int
	role      role
	day, last day
	// linked says that a word, not a dash, joins the two days or hours: "from Tuesday to Thursday".
	linked bool
	// joint is the token of the second day or hour.
	joint    int
	hour     hour
	end      hour
	part     part
	amount   amount
	earlier  bool
	repeat   repeat
	count    int
	period   period
	zone     *time.Location
	doubts   []Ambiguity
	timeless bool // an all-day that comes with its days ("all week")
}

// day is a date as it was read.
type day struct {
	date model.Date
	// weekday says that only the day of the week was said; absolute that a day of the month was.
	weekday, absolute bool
	// said says that the year was.
	said bool
	// ofWeek says that the week was said with the day of the week.
	ofWeek bool
	// at is the instant that an ISO date-time names; hour is set with it.
	at time.Time
	// part comes with "tonight" and "this morning".
	part part
	// named is the hour of a date-time without an offset.
	named *hour
	// span are the tokens it was read from.
	from, to int
	doubts   []Ambiguity
}

// hour is a time of day as it was read.
type hour struct {
	// minute counts from midnight; from 24*60 on it is in the night after the day said.
	minute int
	// vague says that it may as well be twelve hours later, written that it had minutes.
	vague    bool
	written  bool
	midnight bool
	from, to int
}

// period is a stretch of days, the last one exclusive; since, when set, is an instant later than the start of the
// first.
type period struct {
	first, end model.Date
	since      time.Time
	weekend    bool
}

// amount is a length: of calendar months and days, and of minutes.
type amount struct {
	months, days, minutes int
}

func (a amount) calendar() bool { return a.months != 0 || a.days != 0 }

func (a amount) duration() time.Duration { return time.Duration(a.minutes) * time.Minute }

// preposition reads what may stand before a time expression: at, from, until, ב… It returns where the expression itself
// begins.
func (p *parser) preposition(i int) (role, int) {
	r := bare
	begin := i
	for i < len(p.tokens) && i-begin < 3 {
		t := p.tokens[i]
		if t.prefix != "" || t.kind != word && t.text != "@" {
			break
		}
		next, ok := prepositions[t.text]
		if !ok && i > begin && (t.text == "about" || t.text == "approximately" || t.text == "roughly") {
			next, ok = bare, true
		}
		if !ok {
			break
		}
		if next == bare && r == bare && i > begin { // "the the"
			break
		}
		switch {
		case r == bare, r == starting, next == until && r == to, next == at && r == by:
			if next != bare || r == bare {
				if r != starting {
					r = next
				}
			}
		case next == bare: // "at the"
		default:
			return r, i
		}
		i++
	}
	return r, i
}

// prepositions are the words that set a role. "of" and "the" set none and are passed over.
var prepositions = map[string]role{
	"at": at, "@": at, "on": at, "for": at, "in": at, "around": at, "during": at, "within": at, "over": at, "of": at,
	"the":  bare,
	"from": from, "to": to, "until": until, "till": until, "til": until, "through": until, "thru": until, "by": by,
	"between":  between,
	"starting": starting, "beginning": starting, "starts": starting, "before": before, "after": after, "since": after,
	"לפני": before, "אחרי": after,
	"עד": until, "ועד": until, "בינ": between, "החל": starting, "של": at, "את": bare, "למשכ": at, "במשכ": at, "עבור": at,
	"במהלכ": at, "בסביבות": at, "לקראת": at,
}

// roleOf is what Hebrew prefixes make of the word behind them.
func roleOf(prefix string) role {
	r := bare
	for _, letter := range prefix {
		switch letter {
		case 'ב':
			r = at
		case 'ל':
			r = to
		case 'מ':
			r = from
		}
	}
	return r
}

// merge returns the stronger of what a preposition and what a prefix say.
func merge(word, prefix role) role {
	if word == bare || word == at && prefix == to {
		return prefix
	}
	return word
}
