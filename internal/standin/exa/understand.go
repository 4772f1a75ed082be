package exa

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// wanted is what a text asks for, of what the world knows: places, topics, stages, positions, sizes and years. What is
// empty is not asked for.
type wanted struct {
	cities, countries, topics, stages, positions []int
	employees, founded                           span
}

// span is from one number to another, both inclusive; most 0: without end.
type span struct{ least, most int }

func (s span) given() bool { return s.least > 0 || s.most > 0 }

func (s span) has(n int) bool { return n >= s.least && (s.most == 0 || n <= s.most) }

// Numbers in folded text, where Hebrew has no final letters.
var (
	atLeast = regexp.MustCompile(
		` (?:more than|over|at least|above|יותר מ|לפחות|מעל) ?(\d{1,7}) (?:employees|people|staff|workers|עובדימ|אנשימ) `)
	atMost = regexp.MustCompile(
		` (?:fewer than|less than|under|at most|up to|פחות מ|עד|לכל היותר) ?(\d{1,7}) (?:employees|people|staff|workers|` +
			`עובדימ|אנשימ) `)
	between = regexp.MustCompile(` (\d{1,7}) (?:to |עד )?(\d{1,7}) (?:employees|people|staff|workers|עובדימ|אנשימ) `)
	after   = regexp.MustCompile(
		` (?:founded|established|started|נוסד|נוסדה|נוסדו|הוקמה|הוקמו) (?:after|since|אחרי|מאז|משנת|אחרי שנת) ?(\d{4}) `)
	before = regexp.MustCompile(
		` (?:founded|established|started|נוסד|נוסדה|נוסדו|הוקמה|הוקמו) (?:before|לפני|לפני שנת) ?(\d{4}) `)
)

// understand reads what a text asks for.
func (w *world) understand(text string) *wanted {
	key := padded(text)
	named := func(words []word) []int {
		var found []int
		for i := range words {
			if says(key, words[i].folded) {
				found = append(found, i)
			}
		}
		return found
	}
	q := &wanted{cities: named(w.Cities), countries: named(w.Countries), topics: named(w.Topics), stages: named(w.Stages),
		positions: named(w.Positions)}
	number := func(pattern *regexp.Regexp, group int) int {
		found := pattern.FindStringSubmatch(key)
		if found == nil {
			return 0
		}
		n, _ := strconv.Atoi(found[group]) // the pattern has digits only, and few
		return n
	}
	if n := number(atLeast, 1); n > 0 {
		q.employees.least = n
	}
	if n := number(atMost, 1); n > 0 {
		q.employees.most = n
	}
	if low, high := number(between, 1), number(between, 2); high > low {
		q.employees = span{low, high}
	}
	q.founded = span{number(after, 1), number(before, 1)}
	return q
}

// asks is how many different things are asked for.
func (q *wanted) asks() int {
	n := 0
	for _, given := range []bool{
		len(q.cities)+len(q.countries) > 0, len(q.topics) > 0, len(q.stages) > 0, len(q.positions) > 0, q.employees.given(),
		q.founded.given(),
	} {
		if given {
			n++
		}
	}
	return n
}

// met is how many of the things that are asked for hold for one.
func (w *world) met(q *wanted, t thing, f *facts) int {
	n := 0
	one := func(asked, holds bool) {
		if asked && holds {
			n++
		}
	}
	one(len(q.cities)+len(q.countries) > 0, within(q.cities, f.city) || within(q.countries, w.Cities[f.city].Country))
	one(len(q.topics) > 0, within(q.topics, f.topic))
	one(len(q.stages) > 0, within(q.stages, f.stage))
	one(len(q.positions) > 0, t.kind != kindPerson || within(q.positions, f.position))
	one(q.employees.given(), q.employees.has(f.employees))
	one(q.founded.given(), q.founded.has(f.founded))
	return n
}

func within(all []int, one int) bool {
	for _, n := range all {
		if n == one {
			return true
		}
	}
	return false
}

// detectable reports whether there is anything in a query to look for.
func detectable(query string) bool { return strings.ContainsFunc(query, unicode.IsLetter) }

// maxEntity is how long the description of a custom entity may be, in characters.
const maxEntity = 200

// entity finds out what kind of thing a query looks for.
func (w *world) entity(query string) entityShape {
	key := padded(query)
	first, at := "", len(key)
	for _, kind := range kinds() {
		for _, term := range w.entities[kind] {
			if !saysOne(key, term) {
				continue
			}
			if i := strings.Index(key, term+" "); i < at || i == at && kind == kindPaper {
				first, at = kind, i
			}
		}
	}
	if first != "" {
		return entityShape{Type: first}
	}
	runes := []rune(strings.TrimSpace(query))
	return entityShape{Type: kindCustom,
		Description: string(runes[:min(len(runes), maxEntity/2)]) + "  "[:max(0, 2-len(runes))]}
}

// criteria makes the criteria that a query implies.
func (w *world) criteria(query string) []string {
	hebrew := isHebrew(query)
	say := func(en, he string, args ...any) string {
		if hebrew {
			return fmt.Sprintf(he, args...)
		}
		return fmt.Sprintf(en, args...)
	}
	q := w.understand(query)
	join := func(words []word, found []int) string {
		var names []string
		for _, i := range found {
			names = append(names, words[i].in(hebrew))
		}
		return strings.Join(names, say(" or ", " או "))
	}
	var all []string
	if places := strings.Trim(join(w.Cities, q.cities)+say(" or ", " או ")+join(w.Countries, q.countries),
		" "); len(q.cities)+len(q.countries) > 0 {
		all = append(all, say("Located in %s", "המקום: %s",
			strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(places, say("or ", "או ")), say(" or", " או")))))
	}
	if len(q.topics) > 0 {
		all = append(all, say("Works on %s", "התחום: %s", join(w.Topics, q.topics)))
	}
	if len(q.stages) > 0 {
		all = append(all, say("Has raised %s", "שלב המימון: %s", join(w.Stages, q.stages)))
	}
	if len(q.positions) > 0 && len(all) < 4 {
		all = append(all, say("Position: %s", "התפקיד: %s", join(w.Positions, q.positions)))
	}
	if q.employees.least > 0 {
		all = append(all, say("Has at least %d employees", "לפחות %d עובדים", q.employees.least))
	} else if q.employees.most > 0 {
		all = append(all, say("Has at most %d employees", "עד %d עובדים", q.employees.most))
	}
	if len(all) == 0 {
		runes := []rune(query)
		all = append(all, say("Matches: %s", "מתאים ל: %s", string(runes[:min(len(runes), 450)])))
	}
	return all
}

// format finds out in which form an enrichment is answered.
func (w *world) format(description string, options int) string {
	if options > 0 {
		return formatOptions
	}
	key := padded(description)
	for _, format := range []string{formatEmail, formatPhone, formatURL, formatDate, formatNumber} {
		if says(key, w.formats[format]) {
			return format
		}
	}
	return formatText
}

// asked finds the enrichments that a query mentions by the way.
func (w *world) asked(query string) []previewEnrichmentShape {
	key := padded(query)
	all := []previewEnrichmentShape{}
	for _, format := range []string{formatEmail, formatPhone, formatURL, formatNumber} {
		for i, term := range w.formats[format] {
			if saysOne(key, term) {
				all = append(all, previewEnrichmentShape{Description: w.Formats[format][i], Format: format})
				break
			}
		}
	}
	return all
}
