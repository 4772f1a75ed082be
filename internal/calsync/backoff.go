package calsync

import (
	"errors"
	"time"

	"almanac/graph/model"
)

// The first wait after a failure, and the longest.
const (
	firstBackoff = 30 * time.Second
	mostBackoff  = time.Hour
)

// backoff is how long to wait after so many failures in a row: twice as long with each, at most an hour, of which between a half and
// the whole.
func (w *Worker) backoff(failures int) time.Duration {
	wait := firstBackoff
	for range failures - 1 {
		if wait *= 2; wait >= mostBackoff {
			wait = mostBackoff
			break
		}
	}
	return wait/2 + time.Duration(w.Jitter()*float64(wait/2))
}

// retryAfter is how long the remote asks to be left alone, 0 when it does not.
func retryAfter(err error) time.Duration {
	if shown, ok := errors.AsType[*model.Error](err); ok {
		return shown.RetryAfter
	}
	return 0
}

// causeOf is an error's text for the log. The causes of adapters hold neither addresses nor bodies.
func causeOf(err error) string {
	if shown, ok := errors.AsType[*model.Error](err); ok && shown.Cause != nil {
		return shown.Cause.Error()
	}
	return err.Error()
}
