package recur

import (
	"errors"
	"slices"
	"time"

	"almanac/graph/model"
	"almanac/projections/when"
)

// What a rule says when its maker does not.
const (
	DefaultTime          = "08:00" // daily and weekly
	DefaultMonthlyTime   = "09:00"
	DefaultDayOfMonth    = 1
	DefaultNudgeInterval = 10 * time.Minute
)

// Input is a rule of repetition as a client gives it. Nil, and no days, mean "not given".
type Input struct {
	Type model.RecurrenceType
	// Time is "HH:mm".
	Time       *string
	Days       []model.Weekday
	DayOfMonth *int
	Interval   *time.Duration
	// Until is the last instant at which an occurrence may lie.
	Until *time.Time
	// TimeZone is the IANA zone of Time and days.
	TimeZone *string
}

// Normalise makes a rule: defaults filled in, a weekly rule without days on the weekday that it is now, days Sunday
// first and each once, in the zone given unless the input names one. zone must be one that when.LoadZone returns.
//
// BAD_USER_INPUT, with the input's field, for an unknown type, weekday or zone, a time that is not HH:mm, a day or an
// interval out of bounds, an end before the first occurrence, and a field that the type does not use. A zone is allowed
// for a nudge, which has no use for it.
func Normalise(in Input, now time.Time, zone *time.Location) (model.Recurrence, error) {
	if in.TimeZone != nil {
		named, err := when.LoadZone(*in.TimeZone)
		if err != nil {
			return model.Recurrence{}, at("timeZone", err)
		}
		zone = named
	}
	rule, err := in.rule(now, zone)
	if err != nil {
		return model.Recurrence{}, err
	}
	if in.Until != nil {
		rule.Until = in.Until.UTC().Truncate(time.Microsecond)
		if rule.Until.Year() > lastPlannedYear {
			return model.Recurrence{}, model.BadInput("until",
				"until lies beyond the year %d; leave it out for a rule without end", lastPlannedYear)
		}
		if _, ok := Next(rule, now); !ok {
			return model.Recurrence{}, model.BadInput("until", "until is over before the first occurrence")
		}
	}
	return rule, nil
}

// at puts a field into an error that has none.
func at(field string, err error) error {
	var shown *model.Error
	if !errors.As(err, &shown) {
		return err
	}
	moved := *shown
	moved.Field = model.FieldPath(field)
	return &moved
}

// rule makes a rule without end.
func (in Input) rule(now time.Time, zone *time.Location) (model.Recurrence, error) {
	if err := in.refuseUnused(); err != nil {
		return model.Recurrence{}, err
	}
	rule := model.Recurrence{Type: in.Type, TimeZone: zone.String()}
	var err error
	switch in.Type {
	case model.Daily:
		rule.Time, err = in.time(DefaultTime)
	case model.Weekly:
		if rule.Days, err = in.days(now.In(zone).Weekday()); err == nil {
			rule.Time, err = in.time(DefaultTime)
		}
	case model.Monthly:
		if rule.DayOfMonth, err = in.dayOfMonth(); err == nil {
			rule.Time, err = in.time(DefaultMonthlyTime)
		}
	case model.Nudge:
		rule.TimeZone = ""
		rule.Interval, err = in.interval()
	default:
		err = model.BadInput("type", "the type of a recurrence is DAILY, WEEKLY, MONTHLY or NUDGE")
	}
	return rule, err
}

func (in Input) refuseUnused() error {
	for _, part := range [...]struct {
		field  string
		given  bool
		usedBy []model.RecurrenceType
		advice string
	}{
		{"time", in.Time != nil, []model.RecurrenceType{model.Daily, model.Weekly, model.Monthly},
			"a nudge comes at an interval, not at a time of day"},
		{"days", len(in.Days) > 0, []model.RecurrenceType{model.Weekly}, "only a WEEKLY recurrence has weekdays"},
		{"dayOfMonth", in.DayOfMonth != nil, []model.RecurrenceType{model.Monthly},
			"only a MONTHLY recurrence has a day of the month"},
		{"interval", in.Interval != nil, []model.RecurrenceType{model.Nudge}, "only a NUDGE has an interval"},
	} {
		if part.given && !slices.Contains(part.usedBy, in.Type) {
			return model.BadInput(part.field, "%s; leave %s out", part.advice, part.field)
		}
	}
	return nil
}

func (in Input) time(byDefault string) (string, error) {
	if in.Time == nil {
		return byDefault, nil
	}
	if _, ok := parseClock(*in.Time); !ok {
		return "", model.BadInput("time", "time is written HH:mm, from 00:00 to 23:59, such as 08:30")
	}
	return *in.Time, nil
}

func (in Input) days(today time.Weekday) ([]model.Weekday, error) {
	if len(in.Days) == 0 {
		return []model.Weekday{model.WeekdayOf(today)}, nil
	}
	var chosen [7]bool
	for _, day := range in.Days {
		if !day.Valid() {
			return nil, model.BadInput("days", "a weekday is one of SUNDAY to SATURDAY")
		}
		chosen[day.Time()] = true
	}
	var days []model.Weekday
	for i, yes := range chosen {
		if yes {
			days = append(days, model.WeekdayOf(time.Weekday(i)))
		}
	}
	return days, nil
}

func (in Input) dayOfMonth() (int, error) {
	if in.DayOfMonth == nil {
		return DefaultDayOfMonth, nil
	}
	if *in.DayOfMonth < 1 || *in.DayOfMonth > 31 {
		return 0, model.BadInput("dayOfMonth", "dayOfMonth is from 1 to 31, not %d", *in.DayOfMonth)
	}
	return *in.DayOfMonth, nil
}

func (in Input) interval() (time.Duration, error) {
	if in.Interval == nil {
		return DefaultNudgeInterval, nil
	}
	if *in.Interval < model.MinDuration || *in.Interval > model.MaxDuration {
		return 0, model.BadInput("interval", "interval is at least one minute and at most ten years")
	}
	return *in.Interval, nil
}
