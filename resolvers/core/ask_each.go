package core

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// AskedAtOnce is how many accounts or calendars are asked at the same time for one field.
const AskedAtOnce = 8

// AskEach asks several at once and waits for all. Each answer, and each failure, stands in the place of whom it came
// from.
func AskEach[From, Answer any](all []From, ask func(From) (Answer, error)) (answers []Answer, failures []error) {
	answers, failures = make([]Answer, len(all)), make([]error, len(all))
	var group errgroup.Group
	group.SetLimit(AskedAtOnce)
	for i, one := range all {
		group.Go(func() error {
			answers[i], failures[i] = ask(one)
			return nil
		})
	}
	_ = group.Wait() // it gives none
	return answers, failures
}

// AddErrorsUnlessAll leaves failures beside the answer, since what else was asked still answers. When all have failed
// there is no answer: then it returns the last one.
func AddErrorsUnlessAll(ctx context.Context, failures []error) error {
	var last error
	failed := 0
	for _, failure := range failures {
		if failure != nil {
			failed, last = failed+1, failure
		}
	}
	if failed == len(failures) {
		return last
	}
	for _, failure := range failures {
		if failure != nil {
			AddError(ctx, failure)
		}
	}
	return nil
}
