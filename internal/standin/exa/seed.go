package exa

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

var (
	errNoAccount = errors.New("the stand-in knows no such key")
	errNotEmpty  = errors.New("the account is not empty")
)

// Seed returns an account something to look at: a webset that was finished three days ago, with three criteria, four
// enrichments, a monitor that has run since then and about 25 items, of which a few satisfy nothing; an import; a
// webhook with attempts; research that is done; and a webset in Hebrew that fills from now on, for two minutes. The
// account must be empty.
func (s *Server) Seed(key string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	a := s.account(key, now)
	switch {
	case a == nil:
		return errNoAccount
	case len(a.websets.all)+len(a.webhooks.all)+len(a.imports.all) > 0:
		return errNotEmpty
	}
	at := now.Add(-72 * time.Hour)
	past := func(d time.Duration) time.Time {
		at = at.Add(d)
		a.advance(at)
		return at
	}
	hook := &webhook{events: []string{websetIdle, itemEnriched, importCompleted, monitorRunDone},
		url: "https://hooks.example/exa", metadata: map[string]string{}}
	if s.options.WebhookURL != "" {
		hook.url = s.options.WebhookURL
	}
	a.addWebhook(hook, past(0))
	hook.status = webhookInactive // nobody is told of the past
	finished := a.addWebset(websetPlan{
		external: "water-and-food", metadata: map[string]string{"owner": "demo"},
		search: &searchPlan{
			query: "Startups in Israel with at least 20 employees working on water, food or agriculture", count: 22,
			behavior: behaveOverride, entity: entityShape{Type: kindCompany},
			criteria: []string{"Headquartered in Israel", "Works on water, food or agriculture", "Has at least 20 employees"},
			recall:   true,
		},
		enrichments: []enrichmentPlan{
			{description: "Contact e-mail address", format: formatEmail},
			{description: "Number of employees", format: formatNumber},
			{description: "Stage of funding", format: formatOptions,
				options: []string{"Bootstrapped", "Seed", "Series A", "Series B", "Series C"}},
			{description: "What the company sells, in one sentence", format: formatText},
		},
	}, past(0))
	list := &importing{status: importPending, format: "csv", identifier: -1, entity: entityShape{Type: kindCompany},
		title: "Companies we know", count: 3, created: past(time.Hour), updated: at}
	a.addImport(list, at)
	var file strings.Builder
	file.WriteString("name,website\n")
	for n := range 3 {
		t := thing{kind: kindCompany, n: n * 137}
		fmt.Fprintf(&file, "%q,%s\n", s.world.companyName(t.n, false), s.world.url(t))
	}
	list.size = file.Len()
	delete(s.uploads, list.token)
	list.process([]byte(file.String()), past(time.Minute))
	m := &monitor{
		status: monitorEnabled, cadence: cadenceShape{Cron: "0 7 * * *", Timezone: "Asia/Jerusalem"},
		metadata: map[string]string{}, created: past(time.Minute), updated: at,
		behavior: behaviorShape{Type: "search", Config: configShape{Count: 1, Behavior: behaveAppend}},
	}
	var bad error
	if m.cron, bad = cronOf(m.cadence); bad != nil {
		return fmt.Errorf("seeding the monitor: %w", bad)
	}
	a.addMonitor(finished, m, at)
	a.addResearch(&research{model: "exa-research",
		instructions: "Which start-ups in Israel save water in agriculture, and how?"}, past(48*time.Hour))
	a.advance(now)
	a.at = now
	s.seedAttempts(hook)
	if s.options.WebhookURL != "" {
		hook.status = webhookActive
	}
	a.addWebset(websetPlan{
		external: "ai-people",
		search: &searchPlan{
			query: "מהנדסים וחוקרים בתחום הבינה המלאכותית בתל אביב או בירושלים", count: 30, behavior: behaveOverride,
			entity: entityShape{Type: kindPerson}, lasts: 2 * time.Minute,
			criteria: []string{"נמצאים בתל אביב או בירושלים", "עוסקים בתחום הבינה המלאכותית"},
		},
		enrichments: []enrichmentPlan{{description: "כתובת דוא\"ל", format: formatEmail},
			{description: "במה התמחות העבודה, במשפט אחד", format: formatText}},
	}, now)
	return nil
}

// seedAttempts makes a history of attempts: the second one after a failure.
func (s *Server) seedAttempts(hook *webhook) {
	const most = 3
	for _, e := range hook.account.events.all {
		if e.kind != websetIdle && e.kind != importCompleted || len(hook.attempts.all) >= most {
			continue
		}
		for number, status := range []int{503, 200} {
			t := &attempt{id: s.id("attempt"), seq: hook.attempts.next(), hook: hook, event: e, url: hook.url, number: number +
				1, status: status, headers: map[string]string{}, at: e.at.Add(time.Duration(number) * 5 * time.Second)}
			if number > 0 || len(hook.attempts.all) == 0 {
				hook.attempts.add(t)
			}
		}
	}
}

// Fill returns an account a webset that has found everything a minute ago, and returns its id: for tests of websets
// that would take an hour to fill.
func (s *Server) Fill(key, query string, count int) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	a := s.account(key, now)
	if a == nil {
		return "", errNoAccount
	}
	const ago, lasts = 5 * time.Minute, time.Minute
	w := a.addWebset(websetPlan{search: &searchPlan{query: query, count: count, behavior: behaveOverride,
		entity: s.world.entity(query), lasts: lasts}}, now.Add(-ago))
	a.advance(now)
	return w.id, nil
}
