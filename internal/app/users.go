package app

import (
	"context"
	"fmt"
	"time"

	"almanac/adapters/gcal"
	"almanac/adapters/owncal"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/auth"
	"almanac/internal/clock"
	"almanac/internal/config"
	"almanac/internal/demo"
	"almanac/projections/occur"
	"almanac/projections/when"
)

// userDefaults are the settings of a user who has set nothing.
func userDefaults(settings config.Config) model.Settings {
	return model.Settings{TimeZone: settings.TimeZone, Locale: settings.Locale, WeekStart: settings.WeekStart}
}

// DemoSubject is the user of the sample data where there is no local user.
const DemoSubject = "demo"

// standInUser is the subject of the user for whom the stand-ins are there: the local user, or else the demo's; "" where
// there is neither.
func standInUser(settings config.Config) string {
	switch {
	case settings.LocalUser:
		return auth.LocalSubject
	case settings.Demo:
		return DemoSubject
	default:
		return ""
	}
}

// EnsureUser returns the record of a user, made when there is none.
func EnsureUser(ctx context.Context, opened Store, settings config.Config, subject string,
	now time.Time) (model.User, error) {
	return opened.EnsureUser(ctx, NewUser(settings, subject, now))
}

// NewUser is the record of a user who has set nothing.
func NewUser(settings config.Config, subject string, now time.Time) model.User {
	return model.User{ID: model.UserIDOf(subject), Subject: subject, CreatedAt: now, Settings: userDefaults(settings)}
}

// ensureUserAt is EnsureUser with the time as that user sees it.
func ensureUserAt(ctx context.Context, opened Store, settings config.Config, subject string,
	now time.Time) (model.User, when.Moment, error) {
	user, err := EnsureUser(ctx, opened, settings, subject, now)
	if err != nil {
		return user, when.Moment{}, err
	}
	zone, err := when.LoadZone(user.Settings.TimeZone)
	return user, when.Moment{Now: now, Zone: zone, Locale: user.Settings.Locale, WeekStart: user.Settings.WeekStart}, err
}

// LaySample lays the sample data for a user who has nothing yet, and reports whether it did.
func LaySample(ctx context.Context, opened Store, settings config.Config, ids *clock.IDs, subject string,
	now time.Time) (bool, error) {
	user, moment, err := ensureUserAt(ctx, opened, settings, subject, now)
	if err != nil {
		return false, err
	}
	laid := false
	err = opened.Write(ctx, user.ID, func(ctx context.Context, _ store.Tx) (err error) {
		if laid, err = demo.Lay(ctx, opened, user.ID, moment, ids.At); err != nil || !laid {
			return err
		}
		return layFamily(ctx, opened, user.ID, ids, moment)
	})
	return laid, err
}

// layFamily makes the sample calendar that no account has.
func layFamily(ctx context.Context, opened Store, user model.UserID, ids *clock.IDs, moment when.Moment) error {
	own := &owncal.Client{Store: opened, Rules: occur.NewRules(occur.DefaultRules),
		Now: func() time.Time { return moment.Now }}
	made, err := own.CreateCalendar(ctx, user, owncal.NewCalendar{Summary: demo.FamilyName,
		TimeZone: moment.Zone.String()})
	for _, event := range demo.Family(moment) {
		if err != nil {
			break
		}
		_, _, err = own.Insert(ctx, owncal.Connection(user), made.Ref().Calendar, gcal.NewEvent{Event: event,
			SetReminders: !event.Reminders.UseDefault, SourceID: model.OwnEventID(ids.New())})
	}
	if err != nil {
		return fmt.Errorf("lay the sample's own calendar: %w", err)
	}
	return nil
}
