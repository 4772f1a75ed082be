package httpapi

import (
	"context"
	"time"

	"almanac/graph/model"
)

// Gate lets so many requests run at once and so many more wait, each for a bounded time. Whoever comes then is sent
// away at once, which costs nearly nothing: a server that takes more than it can do answers nobody in time.
type Gate struct {
	running chan struct{}
	waiting chan struct{}
	leave   func()
}

// NewGate makes a gate for so many that run and so many that wait.
func NewGate(running, waiting int) *Gate {
	g := &Gate{running: make(chan struct{}, running), waiting: make(chan struct{}, waiting)}
	g.leave = func() { <-g.running }
	return g
}

// Enter waits for a place. leave frees it and must be called once when there is no error; an error is a
// *model.Error RATE_LIMITED.
func (g *Gate) Enter(ctx context.Context) (leave func(), err error) {
	select {
	case g.running <- struct{}{}:
		return g.leave, nil
	default:
	}
	select {
	case g.waiting <- struct{}{}:
		defer func() { <-g.waiting }()
	default:
		return nil, tooBusy()
	}
	patience := time.NewTimer(MaxQueueWait)
	defer patience.Stop()
	select {
	case g.running <- struct{}{}:
		return g.leave, nil
	case <-patience.C:
		return nil, tooBusy()
	case <-ctx.Done():
		return nil, tooBusy()
	}
}

func tooBusy() error {
	return &model.Error{Code: model.CodeRateLimited, Message: "The server has too much to do; try again shortly.",
		RetryAfter: time.Second}
}
