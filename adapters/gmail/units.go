package gmail

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"almanac/adapters/google"
	"almanac/graph/model"
)

const (
	// unitsPerMinute is what Google lets a project use of one account in a minute.
	unitsPerMinute = 6_000
	// unitsWindow is for how many seconds units count: Google's minute, and one for what two clocks disagree about.
	unitsWindow = 61
	// longestWait is how long a call waits for its units at most.
	longestWait = 10 * time.Second
)

// errOwnLimit is the cause when it is we who do not let an account use more.
var errOwnLimit = errors.New("gmail: the account's units of this minute are used up")

// meter counts the units of an account over a sliding minute, those of calls that wait for their time too. Who comes
// first goes first.
type meter struct {
	mu sync.Mutex
	// buckets are the seconds in which units were used, or will be, in order.
	buckets []bucket
}

type bucket struct {
	second int64
	units  int
}

// reserve sets units aside for the first second in which they fit under a limit, unless that is more than most away. It
// returns that second and the time to wait for it; ok is false when nothing was set aside.
func (m *meter) reserve(now time.Time, units, limit int,
	most time.Duration) (second int64, wait time.Duration, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	second = now.Unix()
	for len(m.buckets) > 0 && m.buckets[0].second <= second-unitsWindow {
		m.buckets = m.buckets[1:]
	}
	if n := len(m.buckets); n > 0 {
		second = max(second, m.buckets[n-1].second)
	}
	sum := 0
	for _, b := range m.buckets {
		sum += b.units
	}
	for _, b := range m.buckets {
		if b.second <= second-unitsWindow {
			sum -= b.units
			continue
		}
		if sum <= 0 || sum+units <= limit {
			break
		}
		second, sum = b.second+unitsWindow, sum-b.units
	}
	wait = max(time.Unix(second, 0).Sub(now), 0)
	if wait > most {
		return 0, wait, false
	}
	m.put(second, units)
	return second, wait, true
}

// add counts units that a call of that second has used beside those set aside for it; below zero, fewer.
func (m *meter) add(second int64, units int) {
	if units == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range m.buckets {
		if m.buckets[i].second == second {
			m.buckets[i].units = max(m.buckets[i].units+units, 0)
			return
		}
	}
}

// put counts units in a second that is not before the last one.
func (m *meter) put(second int64, units int) {
	if n := len(m.buckets); n > 0 && m.buckets[n-1].second == second {
		m.buckets[n-1].units += units
		return
	}
	m.buckets = append(m.buckets, bucket{second, units})
}

// spend waits until units may be used, and counts them as used in the second that it returns. UPSTREAM_RATE_LIMITED,
// with the time to wait, when that is longer than the caller has, or than longestWait.
func (s *session) spend(ctx context.Context, units int) (second int64, err error) {
	limit := s.client.Units
	if limit <= 0 {
		limit = unitsPerMinute
	}
	machine, most := time.Now, longestWait // a context's deadline is of the machine's time
	if deadline, ok := ctx.Deadline(); ok {
		most = min(most, deadline.Sub(machine()))
	}
	if err := ctx.Err(); err != nil {
		return 0, google.Classify(err)
	}
	second, wait, ok := s.box.units.reserve(s.client.Now(), units, limit, max(most, 0))
	switch {
	case !ok:
		seconds := int64((wait + time.Second - 1) / time.Second)
		return 0, &model.Error{
			Code: model.CodeUpstreamRateLimited, Message: fmt.Sprintf(
				"This account has asked Gmail for as much as Google allows in a minute; try again in %d seconds.", seconds),
			RetryAfter: wait, Cause: errOwnLimit,
		}
	case wait > 0:
		if err := s.client.Google.Wait(ctx, wait); err != nil {
			s.box.units.add(second, -units)
			return 0, google.Classify(err)
		}
	}
	return second, nil
}
