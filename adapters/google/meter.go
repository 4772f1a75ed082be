package google

import (
	"context"
	"time"
)

// Meter learns of every request that is sent to the APIs with a context. It is for those who must keep within the quota
// that all accounts share, which is the Google Cloud project's. It must be safe for goroutines.
type Meter interface {
	// Sent is called before each request, also before a repeated one.
	Sent()
	// Limited is called when Google refuses a request because the project has made too many, whoever they were for. Wait
	// is how long Google asks to wait, 0 when it does not say. The request is not repeated if it returns true.
	Limited(wait time.Duration) (giveUp bool)
}

// WithMeter has a meter learn of the requests made with this context.
func WithMeter(ctx context.Context, meter Meter) context.Context {
	return context.WithValue(ctx, meterKey, meter)
}

func meterOf(ctx context.Context) Meter {
	meter, _ := ctx.Value(meterKey).(Meter)
	return meter
}
