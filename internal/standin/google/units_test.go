package google_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	gmail "google.golang.org/api/gmail/v1"
	"google.golang.org/api/option"

	"almanac/internal/standin/discovery"
	"almanac/internal/standin/google"
)

// mail is the real client of Gmail with a token of Dana's.
func (r *rig) mail(t testing.TB) *gmail.Service {
	t.Helper()
	service, err := gmail.NewService(t.Context(),
		option.WithHTTPClient(r.client(r.grant(t, dana, gmail.MailGoogleComScope, events).Access)))
	if err != nil {
		t.Fatal(err)
	}
	return service
}

func TestQuotaOfOneAPI(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *google.Options) {
		o.Quota = google.Quota{PerAccount: 2}
		o.Quotas = map[string]google.Quota{"gmail": {PerAccount: 250, PerProject: 300, Cost: google.GmailCosts()}}
	})
	users := r.mail(t).Users
	for range 2 {
		if _, err := users.Messages.Send("me", &gmail.Message{Raw: "eA=="}).Do(); err != nil {
			t.Fatal(err)
		}
	}
	_, err := users.Messages.Send("me", &gmail.Message{Raw: "eA=="}).Do()
	refused := wantError(t, "the account's limit", err, http.StatusForbidden, "rateLimitExceeded")
	if refused.Header.Get("Retry-After") != "" || !strings.Contains(refused.Message, "Units per minute per user") {
		t.Errorf("%v %q", refused.Header, refused.Message)
	}
	for _, want := range []string{`"status":"PERMISSION_DENIED"`, `"reason":"RATE_LIMIT_EXCEEDED"`,
		"google.rpc.ErrorInfo"} {
		if !strings.Contains(strings.ReplaceAll(refused.Body, `": "`, `":"`), want) {
			t.Errorf("no %s in %s", want, refused.Body)
		}
	}
	calendar := r.serviceWith(t, r.client(r.grant(t, dana, events).Access))
	for range 2 {
		if _, err := calendar.Events.List("primary").Do(); err != nil {
			t.Errorf("the other API: %v", err)
		}
	}
	_, err = calendar.Events.List("primary").Do()
	wantError(t, "its own limit", err, http.StatusForbidden, "userRateLimitExceeded")

	used := r.Used("gmail", strings.ToUpper(dana))
	if used.Minute != 200 || used.Total != 200 || used.Calls["gmail.users.messages.send"] != 2 || len(used.Calls) != 1 {
		t.Errorf("%+v", used)
	}
	r.clock.pass(time.Minute)
	if used := r.Used("gmail", dana); used.Minute != 0 || used.Total != 200 {
		t.Errorf("a minute later: %+v", used)
	}
	if used := r.Used("calendar", dana); used.Total != 2 {
		t.Errorf("calendar: %+v", used)
	}
	r.RemoveAccount(dana)
	if used := r.Used("gmail", dana); used.Total != 0 || used.Calls == nil {
		t.Errorf("of an account that is gone: %+v", used)
	}
}

func TestTooManyOfGmail(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *google.Options) {
		o.Quotas = map[string]google.Quota{"gmail": {PerProject: 1, TooMany: true}}
	})
	users := r.mail(t).Users
	if _, err := users.GetProfile("me").Do(); err != nil {
		t.Fatal(err)
	}
	_, err := users.GetProfile("me").Do()
	if e := wantError(t, "with the switch", err, http.StatusTooManyRequests,
		"rateLimitExceeded"); e.Header.Get("Retry-After") != "60" || !strings.Contains(e.Body, "RESOURCE_EXHAUSTED") {
		t.Errorf("%v %s", e.Header, e.Body)
	}
	r.Clear()
	r.Inject(google.Fault{Method: "gmail.users.labels.list", Status: http.StatusForbidden, Reason: "rateLimitExceeded"})
	_, err = users.Labels.List("me").Do()
	if e := wantError(t, "as a fault", err, http.StatusForbidden, "rateLimitExceeded"); !strings.Contains(e.Body,
		"RATE_LIMIT_EXCEEDED") {
		t.Error(e.Body)
	}
}

func TestRequestsAtOnce(t *testing.T) {
	t.Parallel()
	const most = 3
	arrived, release := make(chan struct{}), make(chan struct{})
	r := newRig(t, func(o *google.Options) {
		o.Quotas = map[string]google.Quota{"gmail": {AtOnce: most}}
		o.Wait = func(ctx context.Context, _ time.Duration) error {
			arrived <- struct{}{}
			select {
			case <-release:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	})
	r.Inject(google.Fault{Method: "gmail.users.messages.get", Latency: time.Second, Times: most})
	users := r.mail(t).Users
	other, err := gmail.NewService(t.Context(),
		option.WithHTTPClient(r.client(r.grant(t, noam, gmail.MailGoogleComScope).Access)))
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range most {
		group.Go(func() {
			if _, err := users.Messages.Get("me", "1").Do(); err != nil {
				t.Error(err)
			}
		})
	}
	for range most {
		<-arrived
	}
	_, err = users.GetProfile("me").Do()
	if e := wantError(t, "one too many", err, http.StatusTooManyRequests,
		"rateLimitExceeded"); e.Message != "Too many concurrent requests for user" || e.Header.Get("Retry-After") != "" {
		t.Errorf("%q %v", e.Message, e.Header)
	}
	if _, err := other.Users.GetProfile("me").Do(); err != nil {
		t.Errorf("another account: %v", err)
	}
	calendar := r.serviceWith(t, r.client(r.grant(t, dana, events).Access))
	if _, err := calendar.Events.List("primary").Do(); err != nil {
		t.Errorf("another API: %v", err)
	}
	close(release)
	group.Wait()
	if _, err := users.GetProfile("me").Do(); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func TestServicesSeeScopes(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	if _, err := r.mail(t).Users.GetProfile("me").Do(); err != nil {
		t.Fatal(err)
	}
	if got := r.gmail.last(t).Scopes; !same(got, []string{gmail.MailGoogleComScope, events}) {
		t.Errorf("%v", got)
	}
}

// Every method in the table of costs is one of Gmail's, so that no cost is lost to a slip in its name.
func TestCostsAreOfMethods(t *testing.T) {
	t.Parallel()
	for id, units := range google.GmailCosts() {
		if discovery.Gmail().Methods[id] == nil || units <= 0 {
			t.Errorf("%s costs %d", id, units)
		}
	}
}
