package calendar

import (
	"slices"
	"strconv"
	"time"

	"almanac/projections/when"
)

// flag reads a boolean parameter; absent is false.
func (r *request) flag(name string) (bool, error) {
	switch value := r.call.Query.Get(name); value {
	case "true":
		return true, nil
	case "", "false":
		return false, nil
	default:
		return false, invalidParameter(name, "Invalid boolean value: '"+clip(value)+"'.")
	}
}

// number reads an integer parameter of at least least; absent is fallback.
func (r *request) number(name string, fallback, least int) (int, error) {
	value := r.call.Query.Get(name)
	if value == "" {
		return fallback, nil
	}
	n, err := strconv.ParseInt(value, 10, 32)
	if err != nil {
		return 0, invalidParameter(name, "Invalid integer value: '"+clip(value)+"'.")
	}
	if int(n) < least {
		return 0, invalidParameter(name, "Invalid value '"+clip(value)+"'. Values must be within the range: ["+
			strconv.Itoa(least)+", 2147483647]")
	}
	return int(n), nil
}

// pageSize reads maxResults, which is brought down to most when larger.
func (r *request) pageSize(fallback, most int) (int, error) {
	n, err := r.number("maxResults", fallback, 1)
	return min(n, most), err
}

// instant reads a time with an offset. Fractions of seconds are dropped. Absent is nil.
func (r *request) instant(name string) (*time.Time, error) {
	value := r.call.Query.Get(name)
	if value == "" {
		return nil, nil // An absent bound is no bound.
	}
	at, err := time.Parse(time.RFC3339, value)
	if err != nil {
		return nil, badRequest()
	}
	at = at.UTC().Truncate(time.Second)
	return &at, nil
}

// window reads timeMin and timeMax.
func (r *request) window() (from, to *time.Time, err error) {
	if from, err = r.instant("timeMin"); err != nil {
		return nil, nil, err
	}
	if to, err = r.instant("timeMax"); err != nil {
		return nil, nil, err
	}
	if from != nil && to != nil && !to.After(*from) {
		return nil, nil, at(timeRangeEmpty(), "parameter", "timeMax")
	}
	return from, to, nil
}

// choice reads a parameter of a fixed vocabulary; absent is "".
func (r *request) choice(name string, allowed ...string) (string, error) {
	value := r.call.Query.Get(name)
	if value == "" || slices.Contains(allowed, value) {
		return value, nil
	}
	return "", invalidParameter(name, "Invalid string value: '"+clip(value)+"'.")
}

// responseZone reads timeZone; absent is the calendar's.
func (r *request) responseZone(fallback *time.Location) (*time.Location, error) {
	name := r.call.Query.Get("timeZone")
	if name == "" {
		return fallback, nil
	}
	zone, err := when.LoadZone(name)
	if err != nil {
		return nil, at(invalid("Invalid time zone definition for timeZone."), "parameter", "timeZone")
	}
	return zone, nil
}

// updates is who is to be mailed about a write.
type updates string

const (
	updatesNone     updates = "none"
	updatesExternal updates = "externalOnly"
	updatesAll      updates = "all"
)

// sendUpdates reads sendUpdates, or the older sendNotifications; the default is none.
func (r *request) sendUpdates() (updates, error) {
	value, err := r.choice("sendUpdates", string(updatesAll), string(updatesExternal), string(updatesNone))
	if err != nil {
		return "", err
	}
	if value != "" {
		return updates(value), nil
	}
	older, err := r.flag("sendNotifications")
	if older {
		return updatesAll, err
	}
	return updatesNone, err
}

// checkMatch compares If-Match with the etag that a resource has now. A star matches everything.
func (r *request) checkMatch(etag string) error {
	wanted := r.call.Header.Get("If-Match")
	if wanted == "" || wanted == "*" || wanted == etag {
		return nil
	}
	return conditionNotMet()
}
