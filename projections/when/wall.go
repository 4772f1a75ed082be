package when

import (
	"time"

	"almanac/graph/model"
)

// Resolve returns the instant, in UTC, that a client's DateTime names: the instant itself when it has an offset,
// otherwise its clock reading in the zone, see Instant.
func Resolve(in model.DateTimeInput, zone *time.Location) time.Time {
	if in.HasOffset {
		return in.Wall.UTC()
	}
	return Instant(in.Wall, zone)
}

// Instant returns the instant, in UTC, at which clocks in the zone show what wall shows; wall's own location is not
// looked at. A reading that clocks skip is taken with the offset before the skip, so the instant lies as much later
// as was skipped; of a reading that clocks show twice the first is taken (RFC 5545, 3.3.5).
func Instant(wall time.Time, zone *time.Location) time.Time {
	reading := asIfUTC(wall)
	if reading.Year() >= ruleYears {
		return byRule(reading, zone)
	}
	p := periodAround(reading.Add(-maxOffset), zone)
	for {
		at := reading.Add(-p.offset)
		if p.end.IsZero() || at.Before(p.end) {
			return at
		}
		following := periodAround(p.end, zone)
		if reading.Add(-following.offset).Before(p.end) {
			return at // too late for this period, too early for the following one: skipped between them
		}
		p = following
	}
}

// byRule is Instant where zones follow a rule: there a clock changes at most once within the two days around a reading.
func byRule(reading time.Time, zone *time.Location) time.Time {
	offset := func(at time.Time) time.Duration {
		_, seconds := at.In(zone).Zone()
		return time.Duration(seconds) * time.Second
	}
	earlier, later := offset(reading.Add(-maxOffset)), offset(reading.Add(maxOffset))
	before, after := reading.Add(-earlier), reading.Add(-later)
	if offset(before) != earlier && offset(after) == later {
		return after
	}
	return before // before the change, or there is none; or it is skipped; of a reading shown twice it is the first
}

// maxOffset is beyond any offset of the zone database, whose format ends at 26 hours.
const maxOffset = 27 * time.Hour

// period is a stretch of time with one offset from UTC.
type period struct {
	end    time.Time // exclusive; zero when it never ends
	offset time.Duration
}

func periodAround(at time.Time, zone *time.Location) period {
	local := at.In(zone)
	_, seconds := local.Zone()
	out := period{offset: time.Duration(seconds) * time.Second}
	if local.Year() < ruleYears {
		_, out.end = local.ZoneBounds()
		return out
	}
	out.end = nextChange(at, zone, seconds)
	return out
}

// ruleYears is the first year in which zones follow the rule behind their last written change. There ZoneBounds takes
// each year for 365 days, so on the last day of a leap year a period ends where it begins, and who goes from period to
// period never arrives (Go 1.26).
const ruleYears = 2036

// nextChange returns the instant of the next change of the offset, in whole seconds, or some instant without one that
// is further away than anybody here looks.
func nextChange(at time.Time, zone *time.Location, offset int) time.Time {
	const step, far = 15 * time.Minute, 3 * maxOffset
	same := func(t time.Time) bool {
		_, seconds := t.In(zone).Zone()
		return seconds == offset
	}
	at = at.Truncate(time.Second)
	for ahead := step; ahead <= far; ahead += step {
		if same(at.Add(ahead)) {
			continue
		}
		low, high := ahead-step, ahead // the change lies between them
		for high-low > time.Second {
			if middle := (low + (high-low)/2).Truncate(time.Second); same(at.Add(middle)) {
				low = middle
			} else {
				high = middle
			}
		}
		return at.Add(high)
	}
	return at.Add(far)
}

// asIfUTC returns the instant at which a clock in Greenwich shows what t's clock shows.
func asIfUTC(t time.Time) time.Time {
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	return time.Date(year, month, day, hour, minute, second, t.Nanosecond(), time.UTC)
}

// startOf returns the first instant of a calendar day in the zone: the one from which on clocks never again show an
// earlier day. Where midnight is skipped, the day starts later; a day that was skipped starts, empty, where the next
// one does; where clocks are set back over midnight, the day starts when midnight has passed for good.
func startOf(date time.Time, zone *time.Location) time.Time {
	year, month, day := date.Date()
	midnight := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	earliest, latest := midnight.Add(-maxOffset), midnight.Add(maxOffset)
	start := earliest
	begin := earliest
	for p := periodAround(earliest, zone); ; {
		// Within the period, clocks show an earlier day until its own midnight.
		if own := midnight.Add(-p.offset); begin.Before(own) {
			start = own
			if !p.end.IsZero() && p.end.Before(own) {
				start = p.end
			}
		}
		if p.end.IsZero() || p.end.After(latest) {
			return start.UTC()
		}
		begin = p.end
		p = periodAround(begin, zone)
	}
}
