//go:build bench

package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"almanac/bench/recall/report"
)

// measureRecall measures how well memories are found, in the run's own database.
func measureRecall(ctx context.Context, o options, d database, out, progress io.Writer) error {
	s, err := d.open(ctx)
	if err != nil {
		return err
	}
	err = s.Migrate(ctx)
	if err == nil {
		err = report.Run(ctx, s, o.recall, out, progress)
	}
	if err := errors.Join(err, s.Close()); err != nil {
		return fmt.Errorf("measure recall: %w", err)
	}
	return nil
}
