package gmail

import (
	"context"
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
	standin "almanac/internal/standin/google"
)

// reading is a method that reads, and how.
type reading struct {
	method string
	do     func(context.Context, *harness, string) error
}

func readings() map[string]reading {
	return map[string]reading{
		"list": {"messages.list", func(ctx context.Context, h *harness, id string) error {
			page, err := h.List(ctx, h.connection, Query{Size: 5})
			if err == nil && (len(page.Found) != 1 || page.Found[0].Message != id) {
				h.t.Errorf("got %+v", page)
			}
			return err
		}},
		"messages": {"messages.get", func(ctx context.Context, h *harness, id string) error {
			emails, err := h.Messages(ctx, h.connection, []string{id}, store.MailFull)
			if err == nil && len(emails[id].Root.Content) == 0 {
				h.t.Errorf("got %+v", emails)
			}
			return err
		}},
		"thread": {"threads.get", func(ctx context.Context, h *harness, id string) error {
			emails, err := h.Thread(ctx, h.connection, id, store.MailHeaders)
			if err == nil && len(emails) != 1 {
				h.t.Errorf("got %+v", emails)
			}
			return err
		}},
		"history": {"history.list", func(ctx context.Context, h *harness, _ string) error {
			_, now, err := h.Profile(ctx, h.connection)
			if err != nil {
				return err
			}
			history, err := h.History(ctx, h.connection, now)
			if err == nil && (history.Lost || history.At != now) {
				h.t.Errorf("got %+v", history)
			}
			return err
		}},
		"profile": {"getProfile", func(ctx context.Context, h *harness, _ string) error {
			_, _, err := h.Profile(ctx, h.connection)
			return err
		}},
		"labels": {"labels.list", func(ctx context.Context, h *harness, _ string) error {
			labels, err := h.Labels(ctx, h.connection)
			if err == nil && len(labels) == 0 {
				h.t.Error("no labels")
			}
			return err
		}},
		"draft": {"drafts.get", func(ctx context.Context, h *harness, _ string) error {
			state, err := h.DraftState(ctx, h.connection, "r123")
			if err == nil && state != DraftGone || err != nil && state != "" {
				h.t.Errorf("got %q", state)
			}
			return err
		}},
	}
}

// TestFaultsOfReads strikes each reading: once it is read all the same where another try can help, always it says why
// not.
func TestFaultsOfReads(t *testing.T) {
	t.Parallel()
	for name, f := range faults() {
		for what, reading := range readings() {
			for _, times := range []int{1, 0} {
				t.Run(fmt.Sprint(name, "/", what, "/", times), func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) {
						h := newHarness(t, builder{})
						id := h.deliver(letter("one"))
						h.strike(f, reading.method, times)
						want := f.code
						if times == 1 && (f.mended || f.unknown) {
							want = "" // reading is tried again; but for an answer that is whole and no JSON of the kind
						}
						if f.garbled {
							want = model.CodeUpstreamUnavailable
						}
						if f.after >= time.Minute {
							want = f.code // it is too long to wait
						}
						if f.Truncate && reading.method == "drafts.get" {
							want = model.CodeUpstreamUnavailable // half an answer that there is none is no answer
						}
						err := reading.do(t.Context(), h, id)
						code(t, err, want)
						if errors.Is(err, ErrUnknownOutcome) {
							t.Errorf("a reading has an unknown outcome: %v", err)
						}
						var shown *model.Error
						if errors.As(err, &shown) && f.after != 0 && shown.RetryAfter != f.after {
							t.Errorf("to be tried in %v, want %v", shown.RetryAfter, f.after)
						}
						if want == model.CodeUpstreamRejected && shown.Reason != f.Reason {
							t.Errorf("the reason is %q", shown.Reason)
						}
						if err != nil && strings.Contains(err.Error()+model.CauseOf(err), "@example.com") {
							t.Errorf("it names somebody: %v", err)
						}
					})
				})
			}
		}
	}
}

// TestARevokedGrant ends the grant: everything says where to link again.
func TestARevokedGrant(t *testing.T) {
	for what, reading := range readings() {
		t.Run(what, func(t *testing.T) {
			h := newHarness(t, builder{})
			id := h.deliver(letter("one"))
			h.server.RevokeGrant(alice)
			shown := code(t, reading.do(t.Context(), h, id), model.CodeNotConnected)
			if shown.ConnectURL == "" || h.vault.expired == "" {
				t.Errorf("to be linked at %q, marked %q", shown.ConnectURL, h.vault.expired)
			}
			draft, err := h.CreateDraft(t.Context(), h.connection, Outgoing{Raw: outgoing("x")})
			code(t, err, model.CodeNotConnected)
			if errors.Is(err, ErrUnknownOutcome) || draft != (Draft{}) {
				t.Errorf("it is called unknown: %v", err)
			}
		})
	}
}

// TestARenewedToken has the access token end before each change: the change is made with a new one, once.
func TestARenewedToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, builder{})
		end := func() {
			time.Sleep(time.Hour) // a token that ends at once is another matter
			h.server.ExpireAccessTokens(alice)
		}
		for n, raw := range [][]byte{outgoing("small"),
			append(outgoing("large"), []byte(strings.Repeat("text\r\n", uploadFrom/4))...)} {
			end()
			draft, err := h.CreateDraft(t.Context(), h.connection, Outgoing{Raw: raw})
			if err != nil {
				t.Fatal(err)
			}
			end()
			if _, err := h.SendDraft(t.Context(), h.connection, draft.ID); err != nil {
				t.Fatal(err)
			}
			if sent := len(h.service.Outgoing()); sent != n+1 {
				t.Errorf("%d were sent", sent)
			}
		}
		end()
		if _, err := h.CreateLabel(t.Context(), h.connection, "label"); err != nil {
			t.Error(err)
		}
	})
}

// TestAnswersWithoutWhatCounts has answers that are whole, and lack the ids that they are for.
func TestAnswersWithoutWhatCounts(t *testing.T) {
	h := newHarness(t, builder{cache: newShelf()})
	id := h.deliver(letter("one"))
	draft, err := h.CreateDraft(t.Context(), h.connection, Outgoing{Raw: outgoing("Once")})
	if err != nil {
		t.Fatal(err)
	}
	judged := h.base
	h.base = transport(func(r *http.Request) (*http.Response, error) {
		answer, err := judged.RoundTrip(r)
		if err == nil && answer.StatusCode == http.StatusOK {
			_ = answer.Body.Close()
			answer.Body, answer.ContentLength = io.NopCloser(strings.NewReader(`{"messages":[null,{}]}`)), -1
			answer.Header.Del("Content-Length")
		}
		return answer, err
	})
	_, err = h.Messages(t.Context(), h.connection, []string{id}, store.MailFull)
	code(t, err, model.CodeUpstreamUnavailable)
	_, _, err = h.Profile(t.Context(), h.connection)
	code(t, err, model.CodeUpstreamUnavailable)
	_, err = newClientOf(h).Messages(t.Context(), h.connection, []string{id}, store.MailFull)
	code(t, err, model.CodeUpstreamUnavailable)
	if emails, err := newClientOf(h).Thread(t.Context(), h.connection, id, store.MailFull); err != nil ||
		len(emails) != 0 {
		t.Errorf("a conversation: %+v, %v", emails, err)
	}
	if page, err := h.List(t.Context(), h.connection, Query{Size: 5}); err != nil || len(page.Found) != 0 {
		t.Errorf("a list: %+v, %v", page, err)
	}
	_, err = h.DraftState(t.Context(), h.connection, draft.ID)
	code(t, err, model.CodeUpstreamUnavailable)
	_, err = h.CreateDraft(t.Context(), h.connection, Outgoing{Raw: outgoing("Another")})
	if code(t, err, model.CodeUpstreamUnavailable); !errors.Is(err, ErrUnknownOutcome) {
		t.Errorf("a draft without an id: %v", err)
	}
	_, err = h.SendDraft(t.Context(), h.connection, draft.ID)
	if code(t, err, model.CodeUpstreamUnavailable); !errors.Is(err, ErrUnknownOutcome) {
		t.Errorf("sent without an id: %v", err)
	}
	h.base = judged
	if state, err := h.DraftState(t.Context(), h.connection, draft.ID); err != nil || state != DraftGone {
		t.Errorf("then it is %q, %v", state, err)
	}
}

// TestFaultsOfModify strikes a change of labels. Whatever comes of it, the next reading shows what is so.
func TestFaultsOfModify(t *testing.T) {
	t.Parallel()
	for name, f := range faults() {
		for _, times := range []int{1, 0} {
			t.Run(fmt.Sprint(name, "/", times), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					if f.garbled {
						return // the answer is empty
					}
					h := newHarness(t, builder{cache: newShelf()})
					id := h.deliver(letter("one"))
					h.read(store.MailHeaders, id)
					h.strike(f, "messages.batchModify", times)
					err := h.Modify(t.Context(), h.connection, []string{id}, []string{"STARRED"}, []string{"UNREAD"})
					want := f.code
					if times == 1 && (f.mended || f.unknown && f.after < time.Minute) {
						want = ""
					}
					if f.applied && f.Truncate {
						want = "" // nothing of an empty answer can be cut off
					}
					code(t, err, want)
					if got := errors.Is(err, ErrUnknownOutcome); got != (f.unknown && want != "") {
						t.Errorf("the outcome is called unknown: %t, %v", got, err)
					}
					h.server.Clear()
					time.Sleep(time.Minute)
					kept := h.read(store.MailHeaders, id)[id].Labels
					truth, err := newClientOf(h).Messages(t.Context(), h.connection, []string{id}, store.MailHeaders)
					if err != nil || !slices.Equal(kept, truth[id].Labels) {
						t.Errorf("it is told as %v, and is %v, %v", kept, truth[id].Labels, err)
					}
					if done := slices.Contains(kept, "STARRED"); done != (want == "" || f.applied) {
						t.Errorf("done: %t", done)
					}
				})
			})
		}
	}
}

// TestALabelWhoseAnswerIsLost is found by its name.
func TestALabelWhoseAnswerIsLost(t *testing.T) {
	h := newHarness(t, builder{})
	h.server.Inject(standin.Fault{Method: "gmail.users.labels.create", LoseAnswer: true, Times: 1})
	made, err := h.CreateLabel(t.Context(), h.connection, "פרויקט/א")
	if err != nil || made.Name != "פרויקט/א" || made.SourceID == "" {
		t.Errorf("%+v, %v", made, err)
	}
	h.server.Inject(standin.Fault{Method: "gmail.users.labels.create", Reset: true, Times: 1})
	_, err = h.CreateLabel(t.Context(), h.connection, "never")
	if code(t, err, model.CodeUpstreamUnavailable); !errors.Is(err, ErrUnknownOutcome) {
		t.Errorf("got %v", err)
	}
	labels, err := h.truth.Users.Labels.List("me").Do()
	if err != nil {
		t.Fatal(err)
	}
	own := 0
	for _, label := range labels.Labels {
		if label.Type == "user" {
			own++
		}
	}
	if own != 1 {
		t.Errorf("%d labels", own)
	}
}

// TestAFaultWhileLooking fails the look at the history: what is kept is not passed off as true, and nothing of it is
// lost.
func TestAFaultWhileLooking(t *testing.T) {
	h := newHarness(t, builder{cache: newShelf()})
	id := h.deliver(letter("one"))
	h.read(store.MailFull, id)
	h.tick(time.Minute)
	h.server.Inject(standin.Fault{Method: "gmail.users.history.list", Status: http.StatusForbidden, Reason: "domainPolicy",
		Times: 2})
	_, err := h.Messages(t.Context(), h.connection, []string{id}, store.MailFull)
	code(t, err, model.CodeUpstreamRejected)
	page, err := h.List(t.Context(), h.connection, Query{Size: 5, Ahead: true})
	if err != nil || len(page.Found) != 1 {
		t.Errorf("a list that looks ahead: %+v, %v", page, err)
	}
	h.server.Reset()
	if got := h.read(store.MailFull, id); len(got) != 1 || len(h.asked("messages.get")) != 0 {
		t.Errorf("got %+v after %v", got, h.calls())
	}
	h.service.ExpireHistory(alice)
	h.tick(time.Minute)
	h.server.Inject(standin.Fault{Method: "gmail.users.getProfile", Status: http.StatusForbidden, Reason: "domainPolicy",
		Times: 1})
	_, err = h.Messages(t.Context(), h.connection, []string{id}, store.MailFull)
	code(t, err, model.CodeUpstreamRejected)
}
