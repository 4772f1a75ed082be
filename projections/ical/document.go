package ical

import (
	"bytes"
	"errors"
	"iter"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"almanac/graph/model"
)

// MaxBytes is how long a text may be, in bytes.
const MaxBytes = 5 << 20

// maxExceptions is how many changed occurrences of one series are read.
const maxExceptions = 5000

// The errors of Open.
var (
	ErrTooLarge = errors.New("the text is larger than 5 MB")
	ErrUTF16    = errors.New("the text is in UTF-16; save it as UTF-8")
	ErrNotICal  = errors.New("the text is no iCalendar file: it has neither BEGIN:VCALENDAR nor BEGIN:VEVENT")
)

// Options are what a text leaves to its reader.
type Options struct {
	// Zone is of floating times where the calendar names none, and preferred among zones with the same offsets; nil means
	// UTC.
	Zone *time.Location
}

// Document is a text whose parts were found. It keeps the text, which must not change, and is not safe for goroutines.
type Document struct {
	// Name, Description and Zone are of the first calendar in it, "" where it does not say; Zone is an IANA name.
	Name, Description, Zone string
	// Refresh is how often the calendar asks to be read anew; 0 when it does not say.
	Refresh time.Duration
	// Whole reports that every calendar in it ends. One that does not was cut off: what is missing from it is not known to
	// be gone.
	Whole bool
	// Entries is how many entries Events has to look at.
	Entries int

	lines     *lines
	options   Options
	calendars []*calendar
	entries   []entry
	byUID     map[string][]int
	made      map[string]int // lines of the entries without a UID, by the names that were made for them
	matches   matches
	searched  int // see maxSearched
}

// calendar is one VCALENDAR.
type calendar struct {
	name, description, zoneName, method string
	refresh                             time.Duration
	refused                             string // why none of its entries is read
	ended                               bool
	zones                               map[string]entry // VTIMEZONE by TZID
	resolved                            map[string]*time.Location
	floating                            *time.Location
}

// entry is one component directly in a calendar: where its lines are, from BEGIN to before END.
type entry struct {
	begin, end, line int
	calendar         int
	name, uid        string
	// broken is why it cannot be read.
	broken string
}

// Problem is an entry that is no event.
type Problem struct {
	// Line is where it begins, from 1.
	Line int
	// UID and Summary name it, where it says them.
	UID, Summary string
	// Reason is a part of a sentence: "has no DTSTART".
	Reason string
}

// Note is what was left out of an event, or taken in another way than it is written.
type Note struct {
	Line   int
	Reason string
}

// Open finds the calendars, zones and entries of a text. The errors are ErrTooLarge, ErrUTF16 and ErrNotICal.
func Open(text []byte, options Options) (*Document, error) {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	switch {
	case len(text) > MaxBytes:
		return nil, ErrTooLarge
	case bytes.HasPrefix(text, []byte{0xFF, 0xFE}), bytes.HasPrefix(text, []byte{0xFE, 0xFF}):
		return nil, ErrUTF16
	}
	if options.Zone == nil {
		options.Zone = time.UTC
	}
	d := &Document{lines: newLines(text), options: options, byUID: map[string][]int{}}
	f := finder{Document: d}
	f.find()
	if len(d.calendars) == 0 {
		return nil, ErrNotICal
	}
	first := d.calendars[0]
	d.Name, d.Description, d.Refresh = first.name, first.description, first.refresh
	d.Whole = !slices.ContainsFunc(d.calendars, func(c *calendar) bool { return !c.ended })
	d.Entries = len(d.entries)
	for _, c := range d.calendars {
		c.floating = options.Zone
		if c.zoneName == "" {
			continue
		}
		if zone := d.zone(c, c.zoneName, 0); zone != nil {
			c.floating = zone
			if c == first {
				d.Zone = zone.String()
			}
		}
	}
	return d, nil
}

// finder goes through a text once.
type finder struct {
	*Document
	calendar *calendar
	open     bool // an entry is
	current  entry
	depth    int
}

func (f *finder) find() {
	for {
		at := f.lines.next
		content, line := f.lines.read()
		if content == nil {
			break
		}
		name, rest := nameOf(content)
		switch name {
		case "":
		case "BEGIN":
			f.begin(componentName(rest), at, line)
		case "END":
			f.end(componentName(rest), at)
		default:
			f.property(name, rest, line)
		}
	}
	f.close(len(f.lines.text), "is cut off: the text ends within it")
}

func componentName(rest []byte) string {
	rest = bytes.TrimSpace(rest[1:])
	return strings.ToUpper(string(rest[:min(len(rest), maxName)]))
}

func (f *finder) begin(name string, at, line int) {
	switch {
	case name == "VCALENDAR":
		f.close(at, "does not end")
		f.addCalendar()
	case f.calendar == nil && !isEntry(name):
	case f.calendar == nil: // an event alone, as some programs copy it
		f.addCalendar()
		f.begin(name, at, line)
	case !f.open:
		f.open, f.depth = true, 1
		f.current = entry{begin: at, line: line, name: name, calendar: len(f.calendars) - 1}
	case isEntry(name): // none of them is part of another one
		f.close(at, "does not end")
		f.begin(name, at, line)
	default:
		f.depth++
	}
}

func (f *finder) addCalendar() {
	f.calendar = &calendar{zones: map[string]entry{}, resolved: map[string]*time.Location{}}
	f.calendars = append(f.calendars, f.calendar)
}

// isEntry reports whether a component stands directly in a calendar.
func isEntry(name string) bool {
	return slices.Contains([]string{"VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VTIMEZONE", "VAVAILABILITY"}, name)
}

func (f *finder) end(name string, at int) {
	switch {
	case name == "VCALENDAR" && f.calendar != nil:
		f.close(at, "does not end")
		f.calendar.ended = true
	case !f.open:
	case name == f.current.name && (f.depth == 1 || isEntry(name)):
		broken := ""
		if f.depth > 1 {
			broken = "has a part that does not end"
		}
		f.close(at, broken)
	case f.depth > 1:
		f.depth--
	}
}

// close takes the current entry in, if there is one.
func (f *finder) close(at int, broken string) {
	if !f.open {
		return
	}
	e := f.current
	e.end, e.broken = at, broken
	f.open, f.depth = false, 0
	if e.name == "VTIMEZONE" {
		if _, twice := f.calendar.zones[e.uid]; !twice && broken == "" {
			f.calendar.zones[e.uid] = e
		}
		return
	}
	if e.uid != "" {
		f.byUID[e.uid] = append(f.byUID[e.uid], len(f.entries))
	}
	f.entries = append(f.entries, e)
}

// property takes in what tells entries and zones apart, and what is said of a calendar.
func (f *finder) property(name string, rest []byte, line int) {
	switch {
	case f.open && f.depth == 1 && f.current.uid == "" &&
		(name == "UID" || name == "TZID" && f.current.name == "VTIMEZONE"):
		if p, ok := parseProperty(name, rest, line); ok {
			f.current.uid = strings.TrimSpace(unescape(p.value))
		}
	case f.calendar != nil && !f.open && !f.calendar.ended:
		if p, ok := parseProperty(name, rest, line); ok {
			f.calendar.property(p)
		}
	}
}

func (c *calendar) property(p property) {
	value := strings.TrimSpace(p.value)
	switch p.name {
	case "X-WR-CALNAME", "NAME":
		if c.name == "" {
			c.name, _ = clip(strings.TrimSpace(unescape(value)), model.MaxEventSummary)
		}
	case "X-WR-CALDESC", "DESCRIPTION":
		if c.description == "" {
			c.description, _ = clip(unescape(value), model.MaxEventDescription)
		}
	case "X-WR-TIMEZONE", "TIMEZONE-ID":
		c.zoneName = unescape(value)
	case "REFRESH-INTERVAL", "X-PUBLISHED-TTL":
		if span, ok := parseSpan(value); ok && c.refresh == 0 {
			c.refresh = span.exact()
		}
	case "METHOD":
		c.method = strings.ToUpper(value)
		switch c.method {
		case "PUBLISH", "REQUEST", "CANCEL":
		default:
			c.refused = "is part of a message with METHOD:" + brief(c.method) + ", which brings no events"
		}
	case "CALSCALE":
		if !strings.EqualFold(value, "GREGORIAN") {
			c.refused = "is in a calendar that is not Gregorian but " + brief(value)
		}
	case "VERSION":
		if value == "1.0" {
			c.refused = "is in the form of vCalendar 1.0, which came before iCalendar"
		}
	}
}

// Events goes through the entries: each is yielded as an event (the Problem is nil) or as a Problem. A series comes
// before its changed occurrences.
func (d *Document) Events() iter.Seq2[Event, *Problem] {
	return func(yield func(Event, *Problem) bool) {
		d.made = map[string]int{}
		for i, e := range d.entries {
			group := d.byUID[e.uid]
			switch {
			case e.uid == "":
				group = []int{i}
			case group[0] != i:
				continue // came with the first
			}
			if !d.group(group, yield) {
				return
			}
		}
	}
}

// group reads the entries of one UID: a series and its changed occurrences, and those that others supersede.
func (d *Document) group(of []int, yield func(Event, *Problem) bool) bool {
	var events []Event // made for the first that is one: of 300,000 entries each may be none
	var periods []period
	var readings []time.Time
	for _, i := range of {
		e := d.entries[i]
		dec := decoder{Document: d, calendar: d.calendars[e.calendar], entry: e}
		event, problem := dec.decode()
		if problem == nil && len(events) > maxExceptions {
			problem = dec.problem("is one of more than 5,000 entries with one UID")
		}
		if problem == nil && e.uid == "" {
			problem = d.sameAsBefore(&dec)
		}
		if problem != nil {
			if !yield(Event{}, problem) {
				return false
			}
			continue
		}
		events, periods = append(events, event), append(periods, dec.periods...)
		readings = append(readings, dec.original)
	}
	if at := newest(events, func(e Event) bool { return e.OriginalStart.IsZero() }); at >= 0 {
		for i := range events {
			events[i].followSeries(&events[at], readings[i])
		}
	}
	return yieldNewest(events, periods, yield)
}

// sameAsBefore notes the name that was made for an entry without a UID; two entries that say the same have the same.
func (d *Document) sameAsBefore(dec *decoder) *Problem {
	uid := dec.event.ICalUID
	line, twice := d.made[uid]
	if others := d.byUID[uid]; len(others) > 0 {
		line, twice = d.entries[others[0]].line, true
	}
	if twice {
		return dec.problem("has no UID and says the same as the one in line %d", line)
	}
	d.made[uid] = dec.entry.line
	return nil
}

// yieldNewest yields of the events with one key the one that counts, and the others as problems.
func yieldNewest(events []Event, periods []period, yield func(Event, *Problem) bool) bool {
	counts := make(map[Key]int, len(events))
	for i := range events {
		key := events[i].Key()
		if before, twice := counts[key]; !twice || !events[before].newerThan(&events[i]) {
			counts[key] = i
		}
	}
	// The series first: it is the one event without an original start.
	slices.SortStableFunc(periods, func(a, b period) int { return a.start.At.Compare(b.start.At) })
	for _, isSeries := range []bool{true, false} {
		for i := range events {
			e := &events[i]
			if e.OriginalStart.IsZero() != isSeries {
				continue
			}
			if by := counts[e.Key()]; by != i {
				if !yield(Event{}, e.supersededBy(events[by].Line)) {
					return false
				}
				continue
			}
			if !yield(*e, nil) {
				return false
			}
			if !isSeries {
				continue
			}
			for _, occurrence := range e.occurrences(periods) {
				if _, changed := counts[occurrence.Key()]; changed {
					continue
				}
				counts[occurrence.Key()] = -1
				if !yield(occurrence, nil) {
					return false
				}
			}
		}
	}
	return true
}

func newest(events []Event, which func(Event) bool) int {
	found := -1
	for i := range events {
		if which(events[i]) && (found < 0 || !events[found].newerThan(&events[i])) {
			found = i
		}
	}
	return found
}

// isUTF8 reports whether the text can be what it says.
func isUTF8(text string) bool { return !strings.ContainsRune(text, utf8.RuneError) }
