package outbox

import (
	"context"
	"log/slog"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

const (
	// settleEvery is how often the worker looks for e-mails that somebody has left behind.
	settleEvery = 5 * time.Second
	// settleAtOnce is how many it looks after at a time.
	settleAtOnce = 20
)

// Run sends e-mails whose time has come and finds out what has become of those that were being sent when a process died
// or Gmail could not be asked, until the context is done.
func (o *Outbox) Run(ctx context.Context) error {
	ticker := time.NewTicker(settleEvery)
	defer ticker.Stop()
	for {
		if err := o.Settle(ctx); err != nil && ctx.Err() == nil {
			o.Logger.LogAttrs(ctx, slog.LevelWarn, "the outbox could not be looked after", slog.String("cause", err.Error()))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		case <-o.alarms.due():
		}
	}
}

// Settle looks once after what was left behind. What was asked to be sent is sent, if it was not, and if its time has
// not passed.
func (o *Outbox) Settle(ctx context.Context) error {
	held, err := o.Store.HeldOutgoing(ctx, o.Now(), settleAtOnce)
	if err != nil {
		return err
	}
	for _, one := range held {
		if err := o.settleOne(ctx, one); err != nil {
			o.Logger.LogAttrs(ctx, slog.LevelWarn, "an e-mail of the outbox could not be looked after",
				slog.String("code", string(model.CodeOf(err))), slog.String("cause", model.CauseOf(err)))
		}
	}
	return nil
}

func (o *Outbox) settleOne(ctx context.Context, one store.OutgoingOf) error {
	taken, err := o.take(ctx, one.User, one.ID, nil)
	if err != nil || taken.Holder == nobody {
		return err
	}
	_, err = o.deliver(ctx, one.User, taken)
	return err
}
