package gmail

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	inbox "almanac/internal/standin/gmail"
	standin "almanac/internal/standin/google"
)

// fault is something that goes wrong, and what is known after it.
type fault struct {
	standin.Fault
	// applied: what was asked is done all the same.
	applied bool
	// unknown: nobody can know from the answer whether it was done.
	unknown bool
	// mended: when it strikes once, the call succeeds by itself.
	mended bool
	// garbled: the answer is not what it should be; it is no Fault of the stand-in's.
	garbled bool
	code    model.ErrorCode
	after   time.Duration
}

// faults are all kinds, as they strike something that must not be done twice.
func faults() map[string]fault {
	rate := func(status int, reason string, after time.Duration) standin.Fault {
		return standin.Fault{Status: status, Domain: "usageLimits", Reason: reason, RetryAfter: after}
	}
	return map[string]fault{
		"429": {Fault: rate(429, "rateLimitExceeded", 0), mended: true,
			code: model.CodeUpstreamRateLimited},
		"429, to be tried in 5 seconds": {Fault: rate(429, "rateLimitExceeded", 5*time.Second), mended: true,
			code: model.CodeUpstreamRateLimited, after: 5 * time.Second},
		"429, to be tried in 10 minutes": {Fault: rate(429, "userRateLimitExceeded", 10*time.Minute),
			code: model.CodeUpstreamRateLimited, after: 10 * time.Minute},
		"403, too fast": {Fault: rate(403, "rateLimitExceeded", 0), mended: true,
			code: model.CodeUpstreamRateLimited},
		"403, too fast for a user": {Fault: rate(403, "userRateLimitExceeded", 0), mended: true,
			code: model.CodeUpstreamRateLimited},
		"403, not in this domain": {Fault: standin.Fault{Status: 403, Domain: "global", Reason: "domainPolicy"},
			code: model.CodeUpstreamRejected},
		"403, scope": {Fault: standin.Fault{Status: 403, Domain: "global",
			Reason: "insufficientPermissions"}, code: model.CodeNotConnected},
		"400, cannot be done now": {Fault: standin.Fault{Status: 400, Domain: "global", Reason: "failedPrecondition"},
			code: model.CodeUpstreamRejected},
		"500": {Fault: standin.Fault{Status: 500}, unknown: true,
			code: model.CodeUpstreamUnavailable},
		"503": {Fault: standin.Fault{Status: 503}, unknown: true,
			code: model.CodeUpstreamUnavailable},
		"503, to be tried in a minute": {Fault: standin.Fault{Status: 503, RetryAfter: time.Minute}, unknown: true,
			code: model.CodeUpstreamUnavailable, after: time.Minute},
		"502 in HTML": {Fault: standin.Fault{HTML: true}, unknown: true,
			code: model.CodeUpstreamUnavailable},
		"connection reset": {Fault: standin.Fault{Reset: true}, unknown: true,
			code: model.CodeUpstreamUnavailable},
		"answer lost": {Fault: standin.Fault{LoseAnswer: true}, applied: true, unknown: true,
			code: model.CodeUpstreamUnavailable},
		"answer cut": {Fault: standin.Fault{Truncate: true}, applied: true, unknown: true,
			code: model.CodeUpstreamUnavailable},
		"answer that is not what it says": {garbled: true, applied: true, unknown: true, code: model.CodeUpstreamUnavailable},
		"no answer for an hour":           {Fault: standin.Fault{Latency: time.Hour}, unknown: true, code: model.CodeTimeout},
	}
}

// strike puts a fault in force for a method.
func (h *harness) strike(f fault, method string, times int) {
	if !f.garbled {
		f.Method, f.Times = "gmail.users."+method, times
		h.server.Inject(f.Fault)
		return
	}
	judged, left := h.base, times
	path := map[string]string{"drafts.create": "/drafts", "drafts.send": "/drafts/send"}[method]
	h.base = transport(func(r *http.Request) (*http.Response, error) {
		answer, err := judged.RoundTrip(r)
		fits := strings.HasSuffix(r.URL.Path, path) && r.Method == http.MethodPost
		if path == "" {
			fits = r.Method == http.MethodGet
		}
		if err == nil && fits && (times == 0 || left > 0) {
			left--
			_ = answer.Body.Close()
			answer.Body, answer.ContentLength = io.NopCloser(strings.NewReader(`["not it"]`)), -1
			answer.Header.Del("Content-Length")
		}
		return answer, err
	})
}

// outgoing is a message to bob, in a conversation of alice's if there is one.
func outgoing(subject string) []byte {
	return inbox.Letter{
		From: "Alice <" + alice + ">", To: bob, Cc: alice, Bcc: "dan@example.com", Subject: subject,
		Date:      time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC),
		MessageID: "ours@almanac.example", Text: "שלום Bob",
	}.Bytes()
}

// copies are how often a subject is in each mailbox, drafts not counted.
func (h *harness) copies(subject string) (sent, received, drafts int) {
	h.t.Helper()
	for _, mail := range h.service.Mailbox(alice) {
		switch {
		case !bytes.Contains(mail.Raw, []byte(subject)):
		case slices.Contains(mail.LabelIDs, "DRAFT"):
			drafts++
		case slices.Contains(mail.LabelIDs, "SENT"):
			sent++
		}
	}
	for _, mail := range h.service.Mailbox(bob) {
		if bytes.Contains(mail.Raw, []byte(subject)) {
			received++
		}
	}
	return sent, received, drafts
}

// outbox sends one message by the protocol that the adapter is made for: what has been learned is kept between tries,
// as a store would.
type outbox struct {
	draft string
	sent  bool
}

// try goes on from wherever it was left, once. It never guesses.
func (o *outbox) try(ctx context.Context, h *harness, raw []byte) error {
	if o.sent {
		return nil
	}
	if o.draft == "" {
		draft, err := h.CreateDraft(ctx, h.connection, Outgoing{Raw: raw})
		if err != nil {
			return err // if there is a draft, nobody knows its id
		}
		o.draft = draft.ID
	} else if state, err := h.DraftState(ctx, h.connection, o.draft); err != nil || state == DraftGone {
		o.sent = err == nil
		return err
	}
	_, err := h.SendDraft(ctx, h.connection, o.draft)
	switch {
	case err == nil:
		o.sent = true
		return nil
	case !errors.Is(err, ErrUnknownOutcome) && model.CodeOf(err) != model.CodeNotFound:
		return err
	}
	state, failed := h.DraftState(ctx, h.connection, o.draft)
	o.sent = failed == nil && state == DraftGone
	if o.sent {
		return nil
	}
	return err
}

// TestSentOnceWhateverHappens strikes each step of sending with each fault, once, some times and for a while, and tries
// until it is sent: both mailboxes have it once, and at no moment is there a second one.
func TestSentOnceWhateverHappens(t *testing.T) {
	t.Parallel()
	for name, f := range faults() {
		for _, method := range []string{"drafts.create", "drafts.send", "drafts.get"} {
			for _, times := range []int{1, 3, 9} {
				t.Run(fmt.Sprint(name, "/", method, "/", times), func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) {
						h := newHarness(t, builder{})
						h.strike(f, method, times)
						if method == "drafts.get" { // which is only asked after a doubt
							h.server.Inject(standin.Fault{Method: "gmail.users.drafts.send", LoseAnswer: times != 3, Reset: times == 3,
								Times: 1})
						}
						var box outbox
						raw := outgoing("Once")
						for tries := 0; !box.sent; tries++ {
							if tries > 12 {
								t.Fatal("it is not sent after twelve tries")
							}
							err := box.try(t.Context(), h, raw)
							if sent, received, _ := h.copies("Subject: Once"); sent > 1 || received > 1 ||
								box.sent && (sent != 1 || received != 1) {
								t.Fatalf("%d sent, %d received; it says %t, %v", sent, received, box.sent, err)
							}
							if err != nil && tries == 0 && f.code != model.CodeOf(err) && method != "drafts.get" {
								t.Errorf("got %v, want %s", err, f.code)
							}
							time.Sleep(time.Minute) // for the breaker
							h.tick(time.Minute)
						}
						for range 3 { // whoever comes too late
							if _, err := h.SendDraft(t.Context(), h.connection, box.draft); model.CodeOf(err) != model.CodeNotFound &&
								f.code != model.CodeOf(err) {
								t.Errorf("again: %v", err)
							}
							time.Sleep(time.Minute)
						}
						if sent, received, drafts := h.copies("Subject: Once"); sent != 1 || received != 1 ||
							drafts > 0 && method != "drafts.create" {
							t.Errorf("%d sent, %d received, %d drafts", sent, received, drafts)
						}
						if n := len(h.service.Outgoing()); n != 1 {
							t.Errorf("%d were sent", n)
						}
					})
				})
			}
		}
	}
}

// TestWhatIsSaidAfterAFault strikes a step once and always, and looks at the error: it says whether it may have been
// done, and nothing is tried twice that may have been done.
func TestWhatIsSaidAfterAFault(t *testing.T) {
	t.Parallel()
	for name, f := range faults() {
		for _, method := range []string{"drafts.create", "drafts.send"} {
			for _, times := range []int{1, 0} {
				t.Run(fmt.Sprint(name, "/", method, "/", times), func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) {
						h := newHarness(t, builder{})
						draft, err := h.CreateDraft(t.Context(), h.connection, Outgoing{Raw: outgoing("Once")})
						if err != nil {
							t.Fatal(err)
						}
						h.server.Reset()
						h.strike(f, method, times)
						if method == "drafts.create" {
							_, err = h.CreateDraft(t.Context(), h.connection, Outgoing{Raw: outgoing("Another")})
						} else {
							_, err = h.SendDraft(t.Context(), h.connection, draft.ID)
						}
						want, requests := f.code, 1
						switch {
						case f.mended && times == 1:
							want, requests = "", 2
						case f.mended:
							requests = 4
						}
						code(t, err, want)
						if got := errors.Is(err, ErrUnknownOutcome); got != (f.unknown && want != "") {
							t.Errorf("the outcome is called unknown: %t, %v", got, err)
						}
						if n := len(h.asked(method)); n != requests && f.Latency == 0 {
							t.Errorf("%d requests, want %d", n, requests)
						}
						var shown *model.Error
						if errors.As(err, &shown) && f.after != 0 && shown.RetryAfter != f.after {
							t.Errorf("to be tried in %v, want %v", shown.RetryAfter, f.after)
						}
						if f.code == model.CodeNotConnected && !strings.Contains(shown.ConnectURL, "gmail.modify") {
							t.Errorf("to be linked at %q", shown.ConnectURL)
						}
						if want == model.CodeUpstreamRejected && shown.Reason != f.Reason {
							t.Errorf("the reason is %q", shown.Reason)
						}
						if err != nil && strings.Contains(err.Error()+model.CauseOf(err), bob) {
							t.Errorf("it names somebody: %v", err)
						}
						sent, _, drafts := h.copies("Subject: ")
						done := want == "" || f.applied
						if method == "drafts.create" && drafts != map[bool]int{true: 2, false: 1}[done] ||
							method == "drafts.send" && sent != map[bool]int{true: 1, false: 0}[done] {
							t.Errorf("%d sent, %d drafts", sent, drafts)
						}
					})
				})
			}
		}
	}
}

// TestTheCallersTimeEnds gives up after a second, while the answer takes two.
func TestTheCallersTimeEnds(t *testing.T) {
	for _, method := range []string{"drafts.create", "drafts.send", "messages.batchModify", "labels.create"} {
		t.Run(method, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHarness(t, builder{})
				draft, err := h.CreateDraft(t.Context(), h.connection, Outgoing{Raw: outgoing("Once")})
				if err != nil {
					t.Fatal(err)
				}
				h.server.Inject(standin.Fault{Method: "gmail.users." + method, Latency: 2 * time.Second})
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				switch method {
				case "drafts.create":
					_, err = h.CreateDraft(ctx, h.connection, Outgoing{Raw: outgoing("Another")})
				case "drafts.send":
					_, err = h.SendDraft(ctx, h.connection, draft.ID)
				case "labels.create":
					_, err = h.CreateLabel(ctx, h.connection, "New")
				default:
					err = h.Modify(ctx, h.connection, []string{draft.Message}, []string{"STARRED"}, nil)
				}
				code(t, err, model.CodeTimeout)
				if !errors.Is(err, ErrUnknownOutcome) {
					t.Errorf("it may have been done, and that is not said: %v", err)
				}
				_, err = h.SendDraft(ctx, h.connection, draft.ID)
				if code(t, err, model.CodeTimeout); errors.Is(err, ErrUnknownOutcome) {
					t.Errorf("nothing was asked, and it is called unknown: %v", err)
				}
			})
		})
	}
}

func TestDrafts(t *testing.T) {
	h := newHarness(t, builder{cache: newShelf()})
	root := h.deliver(letter("Plan"))
	made, err := h.CreateDraft(t.Context(), h.connection, Outgoing{Raw: outgoing("Re: Plan"), Thread: root})
	if err != nil || made.Thread != root || made.Message == "" || made.ID == "" {
		t.Fatalf("%+v, %v", made, err)
	}
	state := func(draft string) DraftState {
		t.Helper()
		state, err := h.DraftState(t.Context(), h.connection, draft)
		if err != nil {
			t.Fatal(err)
		}
		return state
	}
	if state(made.ID) != DraftWaiting {
		t.Error("it is not there")
	}
	h.read(store.MailHeaders, made.Message)
	h.tick(time.Second)
	sent, err := h.SendDraft(t.Context(), h.connection, made.ID)
	if err != nil || sent.Thread != root || sent.Message == made.Message {
		t.Errorf("%+v, %v", sent, err)
	}
	if state(made.ID) != DraftGone {
		t.Error("it is still there")
	}
	if got := h.read(store.MailHeaders, made.Message, sent.Message); len(got) != 1 ||
		!slices.Contains(got[sent.Message].Labels, "SENT") {
		t.Errorf("after sending: %+v", got)
	}
	thread, err := h.Thread(t.Context(), h.connection, root, store.MailHeaders)
	if err != nil || len(thread) != 2 || thread[1].Ref.Message != sent.Message {
		t.Errorf("%+v, %v", thread, err)
	}
	for range 2 {
		if err := h.DeleteDraft(t.Context(), h.connection, made.ID); err != nil {
			t.Error(err)
		}
	}
	other, err := h.CreateDraft(t.Context(), h.connection, Outgoing{Raw: outgoing("Other")})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.DeleteDraft(t.Context(), h.connection, other.ID); err != nil || state(other.ID) != DraftGone {
		t.Error(err)
	}
	_, err = h.CreateDraft(t.Context(), h.connection, Outgoing{Raw: outgoing("x"), Thread: "ffffffffff"})
	code(t, err, model.CodeNotFound)
	_, err = h.CreateDraft(t.Context(), h.connection, Outgoing{Raw: outgoing("x"), Thread: "../x"})
	code(t, err, model.CodeNotFound)
	nobody, err := h.CreateDraft(t.Context(), h.connection, Outgoing{Raw: []byte("Subject: to nobody\r\n\r\ntext")})
	if err != nil {
		t.Fatal(err)
	}
	_, err = h.SendDraft(t.Context(), h.connection, nobody.ID)
	if shown := code(t, err, model.CodeUpstreamRejected); !strings.Contains(shown.Message, "Recipient address required") ||
		errors.Is(err, ErrUnknownOutcome) {
		t.Errorf("to nobody: %v", err)
	}
	if state(nobody.ID) != DraftWaiting {
		t.Error("what could not be sent is gone")
	}
	h.server.Reset()
	for _, bad := range []string{"", "../x", "r1/../2"} {
		if _, err := h.DraftState(t.Context(), h.connection, bad); model.CodeOf(err) != model.CodeNotFound {
			t.Errorf("%q: %v", bad, err)
		}
		if _, err := h.SendDraft(t.Context(), h.connection, bad); model.CodeOf(err) != model.CodeNotFound {
			t.Errorf("%q: %v", bad, err)
		}
		if err := h.DeleteDraft(t.Context(), h.connection, bad); err != nil {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if len(h.calls()) != 0 {
		t.Errorf("asked %v", h.calls())
	}
}

// TestExactlyTheBytes looks at what reaches the other side, small and large.
func TestExactlyTheBytes(t *testing.T) {
	for name, text := range map[string]string{"small": "שלום\r\n.\r\n--\r\nbye",
		"large": strings.Repeat("אבגד efgh\r\n", uploadFrom/10)} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t, builder{})
			l := inbox.Letter{From: alice, To: bob, Subject: "Bytes", Text: text,
				Date: time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)}
			raw := l.Bytes()
			h.server.Inject(standin.Fault{Method: "gmail.users.drafts.create", Status: 429, Domain: "usageLimits",
				Reason: "rateLimitExceeded", Times: 1})
			draft, err := h.CreateDraft(t.Context(), h.connection, Outgoing{Raw: raw})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := h.SendDraft(t.Context(), h.connection, draft.ID); err != nil {
				t.Fatal(err)
			}
			got := h.service.Mailbox(bob)
			if len(got) != 1 {
				t.Fatalf("%d messages", len(got))
			}
			_, body, _ := bytes.Cut(raw, []byte("\r\n\r\n"))
			if _, received, _ := bytes.Cut(got[0].Raw, []byte("\r\n\r\n")); !bytes.Equal(received, body) {
				t.Errorf("%d bytes were sent, %d received", len(body), len(received))
			}
			if name == "small" {
				var sent struct{ Message struct{ Raw string } }
				if err := json.Unmarshal(h.asked("drafts.create")[1].Body, &sent); err != nil {
					t.Fatal(err)
				}
				if data, err := decodeData(sent.Message.Raw); err != nil || !bytes.Equal(data, raw) {
					t.Errorf("handed over: %q, %v", data, err)
				}
			}
		})
	}
}
