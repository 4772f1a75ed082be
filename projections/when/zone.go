package when

import (
	_ "embed"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // Zones must be known on machines that have no zone database.

	"almanac/graph/model"
)

// zoneNames are the names of the IANA time zone database, release 2025c, links included, one a line, sorted. The
// pseudo-zone Factory is left out. A zone that is not among them is not served, whatever files the machine has.
//
//go:embed zones.txt
var zoneNames string

// zones maps each name to its zone, which is loaded when it is first asked for and kept: a zone is asked for by every
// request.
var zones = sync.OnceValue(func() map[string]func() (*time.Location, error) {
	all := make(map[string]func() (*time.Location, error), strings.Count(zoneNames, "\n"))
	for name := range strings.Lines(zoneNames) {
		name = strings.TrimSuffix(name, "\n")
		all[name] = sync.OnceValues(func() (*time.Location, error) { return time.LoadLocation(name) })
	}
	return all
})

// LoadZone returns the zone of an IANA name, "Asia/Jerusalem", whose String returns the name again. BAD_USER_INPUT,
// with the names most like it and no field (the caller knows it), when there is none: also for "", "Local", offsets and
// paths.
func LoadZone(name string) (*time.Location, error) {
	load, known := zones()[name]
	if !known {
		return nil, unknownZone(name)
	}
	zone, err := load()
	if err != nil {
		return nil, &model.Error{Code: model.CodeInternal, Message: "time zone " + name + " cannot be read", Cause: err}
	}
	return zone, nil
}

// ZoneOr returns the first of the zones named that there is, else the one given. Unlike LoadZone it does not look for
// the nearest name of one that there is not.
func ZoneOr(otherwise *time.Location, names ...string) *time.Location {
	for _, name := range names {
		if load, known := zones()[name]; known {
			if zone, err := load(); err == nil {
				return zone
			}
		}
	}
	return otherwise
}
