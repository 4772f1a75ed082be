package main

import (
	"context"
	"crypto/rand"
	"flag"
	"fmt"
	"time"

	"almanac/graph/model"
	"almanac/internal/auth"
	"almanac/internal/clock"
	"almanac/internal/config"
	"almanac/internal/demo"
	"almanac/projections/when"
)

// seedDemo lays the sample for the local user, once in the life of the database.
func seedDemo(ctx context.Context, opened openStore, ids *clock.IDs, now time.Time, settings config.Config) error {
	_, err := lay(ctx, opened, ids, now, settings, auth.LocalSubject)
	return err
}

func lay(ctx context.Context, opened openStore, ids *clock.IDs, now time.Time, settings config.Config,
	subject string) (bool, error) {
	user, err := opened.EnsureUser(ctx, model.User{
		ID: model.UserIDOf(subject), Subject: subject, CreatedAt: now,
		Settings: model.Settings{TimeZone: settings.TimeZone, Locale: settings.Locale, WeekStart: settings.WeekStart},
	})
	if err != nil {
		return false, err
	}
	zone, err := when.LoadZone(user.Settings.TimeZone)
	if err != nil {
		return false, err
	}
	moment := when.Moment{Now: now, Zone: zone, Locale: user.Settings.Locale, WeekStart: user.Settings.WeekStart}
	return demo.Lay(ctx, opened, user.ID, moment, ids.At)
}

// seed is the command of that name.
func (c command) seed(ctx context.Context, args []string) error {
	own := flag.NewFlagSet("seed", flag.ContinueOnError)
	subject := own.String("user", auth.LocalSubject, "for whom: the subject, as a JWT would name it")
	return c.withStore(ctx, args, own, func(ctx context.Context, d desk) error {
		laid, err := lay(ctx, d.store, clock.NewIDs(d.clock.Now, rand.Reader), d.clock.Now(), d.settings, *subject)
		if err != nil {
			return err
		}
		if !laid {
			return fmt.Errorf("%s has data already; the sample is for users who have nothing yet", *subject)
		}
		_, err = fmt.Fprintln(c.out, "laid the sample data for", *subject)
		return err
	})
}
