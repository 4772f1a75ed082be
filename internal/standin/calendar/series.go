package calendar

import (
	"slices"
	"strings"
	"time"

	"almanac/internal/standin/recurrence"
	"almanac/projections/when"
)

// series is the recurrence of an event, ready to be expanded. It does not change.
type series struct {
	set      *recurrence.Set
	start    moment
	duration time.Duration
	zone     *time.Location
	// onlyStart is a series whose rules ended before it began. Google then shows its start as the one event it is, which
	// is what becomes of a series that is overwritten with the body of a late instance.
	onlyStart bool
}

// newSeries reads the lines of a recurrence.
func newSeries(lines []string, start, end moment, calendarZone *time.Location) (*series, error) {
	zone := calendarZone
	if start.Zone != "" {
		own, err := when.LoadZone(start.Zone)
		if err != nil {
			return nil, invalid("Invalid time zone definition for start time.")
		}
		zone = own
	}
	for _, line := range lines {
		if upper := strings.ToUpper(strings.TrimSpace(line)); strings.HasPrefix(upper, "DTSTART") ||
			strings.HasPrefix(upper, "DTEND") {
			return nil, invalid("Invalid value for: recurrence")
		}
	}
	set, err := recurrence.Parse(lines, start.At, start.Date, zone)
	if err != nil {
		return nil, invalid("Invalid recurrence rule. " + err.Error())
	}
	s := &series{set: set, start: start, duration: end.At.Sub(start.At), zone: zone}
	if until, ends := set.Until(); ends && until.Before(start.At) {
		s.onlyStart = true
	}
	return s, nil
}

// between returns the starts from from (inclusive) to to (exclusive), ascending, at most limit; true when there are
// more.
func (s *series) between(from, to time.Time, limit int, switches Switches) ([]moment, bool) {
	if s.onlyStart {
		if s.start.At.Before(from) || !s.start.At.Before(to) {
			return nil, false
		}
		return []moment{s.start}, false
	}
	found, more := s.set.Between(from, to, limit)
	starts := make([]moment, 0, len(found)+1)
	for _, at := range found {
		m := moment{At: at.UTC(), Date: s.start.Date, Zone: s.start.Zone}
		if switches.SkipGapOccurrences && s.skipped(m) {
			continue
		}
		starts = append(starts, m)
	}
	if switches.StartAlwaysCounts && !s.start.At.Before(from) && s.start.At.Before(to) {
		if !slices.ContainsFunc(starts, s.start.equal) {
			starts = slices.Insert(starts, 0, s.start)
			more = more || len(starts) > limit
			starts = starts[:min(limit, len(starts))]
		}
	}
	return starts, more
}

// contains says whether the series generates a start.
func (s *series) contains(m moment, switches Switches) bool {
	if m.Date != s.start.Date {
		return false
	}
	if m.equal(s.start) && (s.onlyStart || switches.StartAlwaysCounts) {
		return true
	}
	return !s.onlyStart && s.set.Contains(m.At) && !(switches.SkipGapOccurrences && s.skipped(m))
}

// skipped says whether an occurrence stands for a clock reading that the zone skips on that day.
func (s *series) skipped(m moment) bool {
	if m.Date {
		return false
	}
	clock, local := s.start.At.In(s.zone), m.At.In(s.zone)
	wanted := time.Date(local.Year(), local.Month(), local.Day(), clock.Hour(), clock.Minute(), clock.Second(), 0,
		time.UTC)
	if !when.Instant(wanted, s.zone).Equal(m.At) {
		return false
	}
	return local.Hour() != clock.Hour() || local.Minute() != clock.Minute()
}

// endOf returns the end of the occurrence that starts at m: every instance lasts as long as the first (RFC 5545,
// 3.8.5.3).
func (s *series) endOf(m moment, end moment) moment {
	return moment{At: m.At.Add(s.duration), Date: m.Date, Zone: end.Zone}
}

// instanceID is the id of the occurrence that starts at m.
func instanceID(seriesID string, m moment, switches Switches) string {
	id := baseOf(seriesID) + "_" + m.suffix()
	if !switches.OpaqueInstanceIDs {
		return id
	}
	return opaquePrefix + base32hex.EncodeToString(scrambled([]byte(id)))
}

// opaquePrefix is what opaque ids begin with, which no id of the server does by chance and no test chooses.
const opaquePrefix = "opaque0"

// scrambled hides what an id is made of, and undoes that: no client can make sense of it, and nothing is to be kept.
func scrambled(id []byte) []byte {
	out := make([]byte, len(id))
	for i, c := range id {
		out[i] = c ^ byte(0x5a+31*i)
	}
	return out
}

// splitInstanceID undoes instanceID, as far as that can be: of the series it returns what the ids of its instances
// begin with. Ids of clients and of the server hold no underscore, so the split is safe.
func splitInstanceID(id string) (base string, original moment, ok bool) {
	if hidden, opaque := strings.CutPrefix(id, opaquePrefix); opaque {
		if raw, err := base32hex.DecodeString(hidden); err == nil {
			id = string(scrambled(raw))
		}
	}
	cutAt := strings.LastIndexByte(id, '_')
	if cutAt <= 0 {
		return "", moment{}, false
	}
	original, ok = readSuffix(id[cutAt+1:])
	return id[:cutAt], original, ok
}
