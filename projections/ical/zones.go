package ical

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"almanac/projections/rrule"
	"almanac/projections/when"
)

// windowsNames are Windows' names of zones and the IANA zone that stands for each, from CLDR 48.2 by
// testdata/windows.py.
//
//go:embed windows.txt
var windowsNames string

// windows are those zones by their names in lower case, and in the order of the list each once, as candidates for
// offsets.
var windows = sync.OnceValues(func() (byName map[string]string, zones []*time.Location) {
	byName = map[string]string{}
	for line := range strings.Lines(windowsNames) {
		name, zone, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		byName[strings.ToLower(name)] = zone
		if loaded := zoneNamed(zone); loaded != nil && !slices.Contains(zones, loaded) {
			zones = append(zones, loaded)
		}
	}
	// Where clocks never change, and where the list names a zone that sometimes did.
	for _, zone := range []string{"Africa/Johannesburg", "America/Phoenix", "Asia/Dubai", "Asia/Tokyo"} {
		zones = append(zones, zoneNamed(zone))
	}
	return byName, zones
})

// matches counts what looking for zones by their offsets has cost, and bounds it.
type matches struct{ zones, rules int }

// What the zones of one text may cost: a few real ones have some hundred observances each.
const (
	maxMatches     = 200
	maxRules       = 500
	maxObservances = 20_000
)

// zoneOf returns the zone that a TZID means in a year.
func (d *decoder) zoneOf(name string, year int) (*time.Location, error) {
	if zone := d.zone(d.calendar, name, year); zone != nil {
		return zone, nil
	}
	if d.matches.zones >= maxMatches || d.matches.rules >= maxRules {
		return nil, fmt.Errorf("is in the time zone “%s”, and the text has too many that only their offsets name",
			brief(name))
	}
	if _, described := d.calendar.zones[name]; described {
		return nil, fmt.Errorf("is in the time zone “%s”, which is neither an IANA nor a Windows name, "+
			"and no zone has the offsets of its VTIMEZONE", brief(name))
	}
	return nil, fmt.Errorf("is in the time zone “%s”, which is neither an IANA nor a Windows name and has no VTIMEZONE",
		brief(name))
}

// zone is zoneOf without a reason; year 0 asks for names alone.
func (d *Document) zone(c *calendar, name string, year int) *time.Location {
	zone, known := c.resolved[name]
	if !known {
		if zone = namedZone(name); zone == nil {
			zone = d.located(c, name)
		}
		c.resolved[name] = zone
	}
	if zone != nil || year == 0 {
		return zone
	}
	inYear := fmt.Sprintf("%s\x00%d", name, year)
	zone, known = c.resolved[inYear]
	if !known {
		zone = d.byOffsets(c, name, year)
		c.resolved[inYear] = zone
	}
	return zone
}

// namedZone returns the zone of an IANA name, with or without what some programs put before it
// ("/mozilla.org/20070129_1/ Europe/Paris"), or of a Windows name.
func namedZone(name string) *time.Location {
	name = strings.Trim(strings.TrimSpace(name), `"`)
	if len(name) > maxUID {
		return nil
	}
	for rest, more := name, true; more; _, rest, more = strings.Cut(rest, "/") {
		if zone := zoneNamed(rest); zone != nil {
			return zone
		}
	}
	byName, _ := windows()
	lower := strings.ToLower(name)
	switch lower {
	case "z", "tzone://microsoft/utc", "coordinated universal time":
		return time.UTC
	}
	if zone, known := byName[lower]; known {
		return zoneNamed(zone)
	}
	return nil
}

// located returns the zone that a VTIMEZONE itself gives a name of.
func (d *Document) located(c *calendar, name string) *time.Location {
	e, described := c.zones[name]
	if !described {
		return nil
	}
	lines := d.lines.between(e)
	for {
		content, line := lines.read()
		if content == nil {
			return nil
		}
		switch key, rest := nameOf(content); key {
		case "X-LIC-LOCATION", "TZID-ALIAS-OF":
			if p, ok := parseProperty(key, rest, line); ok {
				if zone := namedZone(unescape(p.value)); zone != nil {
					return zone
				}
			}
		}
	}
}

// observance is a STANDARD or DAYLIGHT of a VTIMEZONE: when it begins, and the offset from then on.
type observance struct {
	start    stamp
	from, to time.Duration
	lines    []string // RRULE and RDATE
	ok       bool
}

// change is when an offset begins.
type change struct {
	at     time.Time
	offset time.Duration
}

// byOffsets returns a zone that has the offsets of a VTIMEZONE in a year and the next: of several one whose name has a
// word of the TZID, the reader's own, or the first of the table. Nil when there is none.
func (d *Document) byOffsets(c *calendar, name string, year int) *time.Location {
	e, described := c.zones[name]
	if !described || d.matches.zones >= maxMatches {
		return nil
	}
	d.matches.zones++
	all, ok := d.observances(e)
	if !ok {
		return nil
	}
	from := time.Date(year, time.January, 1, 0, 0, 0, 0, time.UTC)
	to := from.AddDate(2, 0, 0)
	changes := d.changes(all, from, to)
	if len(changes) == 0 {
		return nil
	}
	var probes []change
	at := 0
	for day := from; day.Before(to); day = day.AddDate(0, 0, 9) {
		for at+1 < len(changes) && !changes[at+1].at.After(day) {
			at++
			probes = append(probes, change{changes[at].at.Add(-1), changes[at-1].offset}, changes[at])
		}
		probes = append(probes, change{day, changes[at].offset})
	}
	_, candidates := windows()
	lower := strings.ToLower(name)
	var found *time.Location
	for _, zone := range append([]*time.Location{d.options.Zone}, candidates...) {
		if !hasOffsets(zone, probes) {
			continue
		}
		city := zone.String()
		city = strings.ToLower(strings.ReplaceAll(city[strings.LastIndexByte(city, '/')+1:], "_", " "))
		if strings.Contains(lower, city) {
			return zone
		}
		if found == nil {
			found = zone
		}
	}
	return found
}

func hasOffsets(zone *time.Location, probes []change) bool {
	for _, probe := range probes {
		if _, seconds := probe.at.In(zone).Zone(); time.Duration(seconds)*time.Second != probe.offset {
			return false
		}
	}
	return true
}

// observances reads the parts of a VTIMEZONE; false when one of them cannot be read.
func (d *Document) observances(e entry) ([]observance, bool) {
	var all []observance
	lines := d.lines.between(e)
	lines.read()
	inside := false
	for {
		content, line := lines.read()
		if content == nil {
			return all, len(all) > 0 && !inside
		}
		name, rest := nameOf(content)
		switch {
		case name == "BEGIN":
			inside = true
			all = append(all, observance{})
		case name == "END":
			inside = false
			if len(all) == 0 || !all[len(all)-1].ok || len(all) > maxObservances {
				return nil, false
			}
		case inside:
			if p, ok := parseProperty(name, rest, line); ok {
				all[len(all)-1].take(p)
			}
		}
	}
}

func (o *observance) take(p property) {
	value := strings.ToUpper(strings.TrimSpace(p.value))
	switch p.name {
	case "DTSTART":
		var ok bool
		o.start, ok = parseStamp(strings.TrimSuffix(value, "Z"))
		o.ok = ok && !o.start.isDate && !o.start.outOfRange()
	case "TZOFFSETFROM":
		o.from = parseOffset(value)
	case "TZOFFSETTO":
		o.to = parseOffset(value)
	case "RRULE":
		o.lines = append(o.lines, "RRULE:"+value)
	case "RDATE":
		o.lines = append(o.lines, "RDATE:"+value)
	}
}

// parseOffset reads +hhmm or +hhmmss.
func parseOffset(text string) time.Duration {
	for _, form := range []string{"-0700", "-070000"} {
		if t, err := time.Parse(form, text); err == nil {
			_, seconds := t.Zone()
			return time.Duration(seconds) * time.Second
		}
	}
	return 0
}

// changes returns the offsets between two times, the first of them in force at from; none when that is unknown.
func (d *Document) changes(all []observance, from, to time.Time) []change {
	var found []change
	for _, recent := range []time.Time{from.AddDate(-2, 0, 0),
		time.Date(firstYear, time.January, 1, 0, 0, 0, 0, time.UTC)} {
		found = found[:0]
		for _, o := range all {
			found = append(found, d.onsets(o, recent, to)...)
		}
		slices.SortFunc(found, func(a, b change) int { return a.at.Compare(b.at) })
		if len(found) > 0 && !found[0].at.After(from) {
			break // otherwise what is in force began longer ago
		}
	}
	if len(found) == 0 {
		return nil
	}
	if found[0].at.After(from) { // before its first change a zone has the offset that the change is from
		earliest := slices.MinFunc(all, func(a, b observance) int { return a.start.wall.Compare(b.start.wall) })
		found = slices.Insert(found, 0, change{from, earliest.from})
	}
	first := 0
	for first+1 < len(found) && !found[first+1].at.After(from) {
		first++
	}
	return found[first:]
}

// onsets returns when an observance begins, between two times. Its times are of the clocks before the change.
func (d *Document) onsets(o observance, from, to time.Time) []change {
	if len(o.lines) == 0 {
		at := o.start.wall.Add(-o.from)
		if at.Before(from) || !at.Before(to) {
			return nil
		}
		return []change{{at, o.to}}
	}
	if d.matches.rules >= maxRules {
		return nil
	}
	d.matches.rules++
	set, err := rrule.Parse(o.lines, rrule.Start{At: o.start.wall.Add(-o.from),
		Zone: time.FixedZone("", int(o.from/time.Second))})
	if err != nil {
		return nil
	}
	// A zone changes at most a few times a year; a rule that says otherwise has no match.
	starts, _ := set.Between(from, to, 4*(to.Year()-from.Year()+1))
	all := make([]change, len(starts))
	for i, start := range starts {
		all[i] = change{start.Start, o.to}
	}
	return all
}

// zoneNamed returns an IANA zone, nil when there is none.
func zoneNamed(name string) *time.Location { return when.ZoneOr(nil, name) }
