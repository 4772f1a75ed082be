package google

import (
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"

	"almanac/internal/standin/discovery"
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
	// rateLimitExceeded where the project's limit is met. Google does both. Gmail's 403 is rateLimitExceeded for either.
	TooMany bool
	// AtOnce is the most requests of one account that are under way at a time; one more is 429 rateLimitExceeded without
	// Retry-After, and costs nothing. 0: no limit.
	AtOnce int
}

// GmailQuota is what Gmail gives a project since May 2026.
func GmailQuota() Quota {
	return Quota{PerAccount: 6_000, PerProject: 1_200_000, Cost: GmailCosts()}
}

// Usage is what an account has asked of an API, in units.
type Usage struct {
	// Minute is what counts now against the limit of 60 seconds, Total all there ever was.
	Minute, Total int
	// Calls are the requests that were counted, by method.
	Calls map[string]int
}

// Used returns what an account has asked of an API, "gmail"; APIs without a quota of their own in Options.Quotas are
// counted by Options.Quota. What was refused is not in it.
func (s *Server) Used(api, email string) Usage {
	m := s.meter
	m.mu.Lock()
	defer m.mu.Unlock()
	own := m.accounts[usedBy{m.named(api), strings.ToLower(email)}]
	if own == nil {
		return Usage{Calls: map[string]int{}}
	}
	own.at(s.now().Unix())
	return Usage{Minute: own.sum(), Total: own.total, Calls: maps.Clone(own.calls)}
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

		// Of these only the figures of the page before are known.
		"gmail.users.drafts.get": 5, "gmail.users.drafts.list": 5, "gmail.users.drafts.update": 15,
		"gmail.users.drafts.delete": 10,
		"gmail.users.labels.create": 5, "gmail.users.labels.patch": 5, "gmail.users.labels.update": 5,
		"gmail.users.labels.delete":   5,
		"gmail.users.messages.insert": 25, "gmail.users.messages.import": 25, "gmail.users.messages.delete": 10,
		"gmail.users.threads.modify": 10, "gmail.users.threads.trash": 10, "gmail.users.threads.untrash": 10,
		"gmail.users.threads.delete": 20,
		"gmail.users.watch":          100, "gmail.users.stop": 50,
	}
}

// meter counts units over a sliding minute.
type meter struct {
	// quotas are those of APIs with one of their own, by name, and at "" that of all others.
	quotas map[string]Quota

	mu       sync.Mutex
	projects map[string]*window
	accounts map[usedBy]*counted
	// underWay counts requests that are being answered.
	underWay map[usedBy]int
}

// usedBy is an account at an API, by the name of its quota.
type usedBy struct{ quota, account string }

// counted is what one account has used.
type counted struct {
	window
	total int
	calls map[string]int
}

func newMeter(shared Quota, own map[string]Quota) *meter {
	m := &meter{quotas: map[string]Quota{}, projects: map[string]*window{}, accounts: map[usedBy]*counted{},
		underWay: map[usedBy]int{}}
	for name, q := range own {
		q.Cost = maps.Clone(q.Cost)
		m.quotas[name] = q
	}
	shared.Cost = maps.Clone(shared.Cost)
	m.quotas[""] = shared
	return m
}

// named is the name of an API's quota.
func (m *meter) named(api string) string {
	if _, own := m.quotas[api]; own {
		return api
	}
	return ""
}

// enter begins a request, or says that the account has too many under way. Requests of nobody pass.
func (m *meter) enter(d *discovery.Document, account string) *problem {
	by := usedBy{m.named(d.Name), account}
	m.mu.Lock()
	defer m.mu.Unlock()
	if most := m.quotas[by.quota].AtOnce; most > 0 && account != "" && m.underWay[by] >= most {
		p := fail(http.StatusTooManyRequests, "rateLimitExceeded", "Too many concurrent requests for user")
		p.Domain = "usageLimits"
		p.newer(d)
		return p
	}
	m.underWay[by]++
	return nil
}

// leave ends a request.
func (m *meter) leave(d *discovery.Document, account string) {
	by := usedBy{m.named(d.Name), account}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.underWay[by]--; m.underWay[by] <= 0 {
		delete(m.underWay, by)
	}
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
	maps.DeleteFunc(m.accounts, func(by usedBy, _ *counted) bool { return by.account == account })
}

// take counts a call, or says that it is one too many; what is refused is not counted.
func (m *meter) take(d *discovery.Document, method, account string, now time.Time) *problem {
	by := usedBy{m.named(d.Name), account}
	quota := m.quotas[by.quota]
	cost, known := quota.Cost[method]
	if !known {
		cost = 1
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	own, project := m.accounts[by], m.projects[by.quota]
	if own == nil {
		own = &counted{calls: map[string]int{}}
		m.accounts[by] = own
	}
	if project == nil {
		project = &window{}
		m.projects[by.quota] = project
	}
	second := now.Unix()
	own.at(second)
	project.at(second)
	byAccount, byProject := own.room(cost, quota.PerAccount), project.room(cost, quota.PerProject)
	switch {
	case byAccount == 0 && byProject == 0:
		own.units[own.latest%windowSeconds] += cost
		own.total += cost
		own.calls[method]++
		project.units[project.latest%windowSeconds] += cost
		return nil
	case d.Name == "gmail":
		return tooManyOfGmail(d, quota.TooMany, byAccount > 0, max(byAccount, byProject))
	case quota.TooMany:
		p := fail(http.StatusTooManyRequests, "rateLimitExceeded", "Rate Limit Exceeded")
		p.Domain, p.RetryAfter = "usageLimits", max(byAccount, byProject)
		return p
	case byAccount > 0:
		return &problem{Problem: wire.Problem{
			Status: http.StatusForbidden, Domain: "usageLimits", Reason: "userRateLimitExceeded",
			Message: "User Rate Limit Exceeded",
		}}
	default:
		return &problem{Problem: wire.Problem{
			Status: http.StatusForbidden, Domain: "usageLimits", Reason: "rateLimitExceeded", Message: "Rate Limit Exceeded",
		}}
	}
}

// tooManyOfGmail is 403 rateLimitExceeded for the account's limit and for the project's, as was measured.
func tooManyOfGmail(d *discovery.Document, tooMany, byAccount bool, wait time.Duration) *problem {
	limit := "Queries per minute"
	if byAccount {
		limit = "Units per minute per user"
	}
	p := fail(http.StatusForbidden, "rateLimitExceeded",
		"Quota exceeded for quota metric 'Queries' and limit '"+limit+"' of service 'gmail.googleapis.com'.")
	if p.Domain = "usageLimits"; tooMany {
		p.Status, p.RetryAfter = http.StatusTooManyRequests, wait
	}
	p.newer(d)
	return p
}
