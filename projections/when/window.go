package when

import (
	"time"

	"almanac/graph/model"
)

// Bounds are a half-open stretch of time for due dates: From ≤ due < To, UTC. A zero bound does not bound. NoDueDate
// asks for tasks without a due date instead; a task without one is in no other bounds.
type Bounds struct {
	From, To  time.Time
	NoDueDate bool
}

// Holds reports whether a due date, zero for none, is within the bounds.
func (b Bounds) Holds(due time.Time) bool {
	if b.NoDueDate || due.IsZero() {
		return b.NoDueDate && due.IsZero()
	}
	return !due.Before(b.From) && (b.To.IsZero() || due.Before(b.To))
}

// Window returns the bounds of a window at a moment. BAD_USER_INPUT when there is no such window.
//
// TODAY is the whole day, with what is already overdue. THIS_WEEK is the calendar week by WeekStart, with the days of
// it that have passed. NEXT_7_DAYS is the rolling week: from now to the end of the sixth day after today. OVERDUE ends,
// and UPCOMING begins, now.
func Window(window model.TaskWindow, m Moment) (Bounds, error) {
	switch window {
	case model.TaskWindowToday:
		return Bounds{From: m.StartOfDay(), To: m.Tomorrow()}, nil
	case model.TaskWindowTomorrow:
		return Bounds{From: m.Tomorrow(), To: m.DayAfterTomorrow()}, nil
	case model.TaskWindowThisWeek:
		return Bounds{From: m.StartOfWeek(), To: m.StartOfNextWeek()}, nil
	case model.TaskWindowNext7Days:
		return Bounds{From: m.now(), To: m.start(7)}, nil
	case model.TaskWindowOverdue:
		return Bounds{To: m.now()}, nil
	case model.TaskWindowUpcoming:
		return Bounds{From: m.now()}, nil
	case model.TaskWindowNone:
		return Bounds{NoDueDate: true}, nil
	}
	return Bounds{},
		model.BadInput("window", "%q is not a window; use TODAY, TOMORROW, THIS_WEEK, NEXT_7_DAYS, OVERDUE, UPCOMING or NONE",
			model.Clip(string(window)))
}

// Day is a moment's day with its bounds worked out: all that flags and buckets need, so that views compute it once for
// many tasks and stores take it as parameters.
type Day struct {
	// Start is the first instant of the day, End the first of the next, Now lies between; all UTC.
	Start, Now, End time.Time
}

// Day works out the bounds of the moment's day.
func (m Moment) Day() Day {
	return Day{Start: m.StartOfDay(), Now: m.now(), End: m.Tomorrow()}
}

// Flags say how a due date lies to a moment. They are independent: what was due at 09:00 today is at 10:00 both overdue
// and today's. All are false without a due date.
type Flags struct {
	IsOverdue, IsToday, IsTomorrowOrLater bool
}

// Flags returns the flags of a due date, zero for none.
func (d Day) Flags(due time.Time) Flags {
	if due.IsZero() {
		return Flags{}
	}
	return Flags{
		IsOverdue:         due.Before(d.Now),
		IsToday:           !due.Before(d.Start) && due.Before(d.End),
		IsTomorrowOrLater: !due.Before(d.End),
	}
}

// Bucket returns the one group of a task board in which a task stands, by its due date (zero for none) and whether it
// repeats, nudges included.
func (d Day) Bucket(due time.Time, repeats bool) model.TaskBucket {
	switch {
	case repeats:
		return model.BucketRecurring
	case due.IsZero():
		return model.BucketNoDueDate
	case due.Before(d.Now):
		return model.BucketOverdue
	case due.Before(d.End):
		return model.BucketToday
	}
	return model.BucketUpcoming
}
