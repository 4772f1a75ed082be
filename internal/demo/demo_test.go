package demo

import (
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections/when"
)

func sample(t *testing.T, now time.Time, zone string) (Data, when.Moment) {
	t.Helper()
	location, err := when.LoadZone(zone)
	if err != nil {
		t.Fatal(err)
	}
	moment := when.Moment{Now: now, Zone: location, Locale: "en", WeekStart: model.Sunday}
	next := byte(0)
	return Sample(moment, func(at time.Time) model.UUID {
		next++
		return model.UUID{byte(at.Unix() >> 24), byte(at.Unix() >> 16), byte(at.Unix() >> 8), byte(at.Unix()), 15: next}
	}), moment
}

// The board must be alive at any hour and in any zone: every bucket but "today" always has something, and "today" has
// unless the day is about to end.
func TestEveryBucketHasSomething(t *testing.T) {
	for _, zone := range []string{"Asia/Jerusalem", "Pacific/Kiritimati", "Pacific/Pago_Pago", "America/New_York"} {
		for hour := range 24 {
			now := time.Date(2026, 11, 22, hour, 7, 0, 0, time.UTC)
			data, moment := sample(t, now, zone)
			counts := map[model.TaskBucket]int{}
			for _, task := range data.Tasks {
				if task.CompletedAt.IsZero() {
					counts[moment.Day().Bucket(task.DueAt, task.Recurrence != nil)]++
				}
			}
			for _, bucket := range model.TaskBuckets() {
				late := now.In(moment.Zone).Hour() == 23
				if counts[bucket] == 0 && (bucket != model.BucketToday || !late) {
					t.Errorf("%s at %v: nothing in %s", zone, now.In(moment.Zone), bucket)
				}
			}
		}
	}
}

func TestRulesAndPlansAreRight(t *testing.T) {
	data, moment := sample(t, time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC), "Asia/Jerusalem")
	for i, task := range data.Tasks {
		if wants := entries()[i].rule != nil; wants != (task.Recurrence != nil) {
			t.Errorf("%s: its rule was refused", task.Text)
		}
		ahead := task.CompletedAt.IsZero() && (task.Recurrence != nil || task.DueAt.After(moment.Now))
		if ahead != task.NextReminderAt.After(moment.Now) {
			t.Errorf("%s: due %v, next reminder %v", task.Text, task.DueAt, task.NextReminderAt)
		}
		if !task.CreatedAt.Before(moment.Now) {
			t.Errorf("%s was added in the future", task.Text)
		}
	}
}
