//go:build bench

package main

import (
	"context"
	"time"
)

// reader asks the same question again and again, whatever is broken: a read must be answered, or refused as what can be
// mended.
type reader struct {
	person   *person
	where    func() string
	patience time.Duration
	tally    *tally
}

// readPause lies between two questions, so that reading takes little from writing.
const readPause = 20 * time.Millisecond

func (r *reader) run(ctx context.Context) {
	var w wire
	defer w.close()
	body := []byte(
		`{"query":"{ tasks(first: 10) { totalCount nodes { id text } } lists(first: 2) { nodes { id items { id } } } }"}`)
	for ; ctx.Err() == nil; pause(ctx, readPause) {
		address := r.where()
		got, err := w.do(ctx, address, requestBytes(address, r.person.token, "", body), r.patience, 0)
		switch _, outcome := judge(got, err); {
		case ctx.Err() != nil:
		case outcome == outcomeDone:
			r.tally.acks++
		case outcome == outcomeAgain:
			r.tally.failed(got, err)
		default:
			r.tally.fault("a read was refused: %d %s", got.status, clip(got.body))
		}
	}
}
