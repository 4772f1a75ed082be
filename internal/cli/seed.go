package cli

import (
	"context"
	"fmt"

	"almanac/internal/app"
	"almanac/internal/auth"
)

// seed is the command of that name.
func (p Program) seed(ctx context.Context, args []string) error {
	own := newFlags("seed", "")
	subject := own.String("user", auth.LocalSubject, "for whom: the subject, as a JWT would name it")
	return p.withStore(ctx, args, own, func(ctx context.Context, d database) error {
		laid, err := app.LaySample(ctx, d.Store, d.settings, d.ids, *subject, d.now())
		if err != nil {
			return err
		}
		if !laid {
			return fmt.Errorf("%s has data already; the sample is for users who have nothing yet", *subject)
		}
		_, err = fmt.Fprintln(p.Out, "laid the sample data for", *subject)
		return err
	})
}
