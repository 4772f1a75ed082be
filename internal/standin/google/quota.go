package google

import (
	"maps"
	"net/http"
	"sync"
	"time"

	"almanac/internal/standin/wire"
)

// Quota limits what may be asked within any 60 seconds.
type Quota struct {
	// PerAccount and PerProject are units per minute, of each account and of all together; 0: no limit. Google gives a
	// project with Calendar 600 and 10,000, and with Gmail, since May 2026, 6,000 and 1,200,000.
	PerAccount, PerProject int
	// Cost is how many units a method takes; one that is not in the table takes 1.
	Cost map[string]int
	// TooMany answers 429 rateLimitExceeded with Retry-After; otherwise it is 403 userRateLimitExceeded without, or
	// rateLimitExceeded where the project's limit is met. Google does both.
	TooMany bool
}

// GmailCosts are the units of Gmail's methods for projects of May 2026 and later, as Google's page has them and as
// others have measured: most take 1 to 5, those that read messages whole take more.
func GmailCosts() map[string]int {
	return map[string]int{
		"gmail.users.getProfile": 1, "gmail.users.labels.list": 1, "gmail.users.labels.get": 1,
		"gmail.users.history.list": 2, "gmail.users.messages.list": 5, "gmail.users.threads.list": 10,
		"gmail.users.messages.get": 20, "gmail.users.messages.attachments.get": 20, "gmail.users.threads.get": 40,
		"gmail.users.messages.modify": 5, "gmail.users.messages.trash": 20, "gmail.users.messages.untrash": 20,
		"gmail.users.drafts.create": 10, "gmail.users.messages.batchModify": 50, "gmail.users.messages.batchDelete": 50,
		"gmail.users.messages.send": 100, "gmail.users.drafts.send": 100,
	}
}

// meter counts units over a sliding minute.
type meter struct {
	quota Quota

	mu       sync.Mutex
	project  window
	accounts map[string]*window
}

func newMeter(q Quota) *meter {
	q.Cost = maps.Clone(q.Cost)
	return &meter{quota: q, accounts: map[string]*window{}}
}

const windowSeconds = 60

// window holds the units of each of the last 60 seconds, at the second modulo 60.
type window struct {
	units  [windowSeconds]int
	latest int64
}

// at moves the window to a second; a clock that goes back stays where it was.
func (w *window) at(second int64) {
	if second-w.latest >= windowSeconds {
		w.units = [windowSeconds]int{}
		w.latest = second
	}
	for w.latest < second {
		w.latest++
		w.units[w.latest%windowSeconds] = 0
	}
}

func (w *window) sum() int {
	sum := 0
	for _, units := range w.units {
		sum += units
	}
	return sum
}

// room is the time until a cost fits under a limit: 0 for now.
func (w *window) room(cost, limit int) time.Duration {
	over := w.sum() + cost - limit
	if limit <= 0 || over <= 0 {
		return 0
	}
	for age := int64(windowSeconds - 1); age >= 0; age-- { // the oldest leave first
		second := w.latest - age
		if second < 0 {
			continue
		}
		if over -= w.units[second%windowSeconds]; over <= 0 {
			return time.Duration(second+windowSeconds-w.latest) * time.Second
		}
	}
	return windowSeconds * time.Second
}

// forget drops what was counted of an account.
func (m *meter) forget(account string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.accounts, account)
}

// take counts a call, or says that it is one too many; what is refused is not counted.
func (m *meter) take(method, account string, now time.Time) *problem {
	if m.quota.PerAccount <= 0 && m.quota.PerProject <= 0 {
		return nil
	}
	cost, known := m.quota.Cost[method]
	if !known {
		cost = 1
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	own := m.accounts[account]
	if own == nil {
		own = &window{}
		m.accounts[account] = own
	}
	second := now.Unix()
	own.at(second)
	m.project.at(second)
	byAccount, byProject := own.room(cost, m.quota.PerAccount), m.project.room(cost, m.quota.PerProject)
	switch {
	case byAccount == 0 && byProject == 0:
		own.units[own.latest%windowSeconds] += cost
		m.project.units[m.project.latest%windowSeconds] += cost
		return nil
	case m.quota.TooMany:
		p := fail(http.StatusTooManyRequests, "rateLimitExceeded", "Rate Limit Exceeded")
		p.Domain, p.RetryAfter = "usageLimits", max(byAccount, byProject)
		return p
	case byAccount > 0:
		return &problem{Problem: wire.Problem{
			Status: http.StatusForbidden, Domain: "usageLimits", Reason: "userRateLimitExceeded", Message: "User Rate Limit Exceeded",
		}}
	default:
		return &problem{Problem: wire.Problem{
			Status: http.StatusForbidden, Domain: "usageLimits", Reason: "rateLimitExceeded", Message: "Rate Limit Exceeded",
		}}
	}
}
