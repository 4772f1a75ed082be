package storetest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

func testMail(t *testing.T, open Open) {
	h := newFixture(t, open)
	t.Run("what is kept comes back", func(t *testing.T) { mailKept(h.in(t)) })
	t.Run("depths", func(t *testing.T) { mailDepths(h.in(t)) })
	t.Run("following the mailbox", func(t *testing.T) { mailFollowed(h.in(t)) })
	t.Run("stories", func(t *testing.T) { mailStories(h.in(t)) })
	t.Run("used last", func(t *testing.T) { mailUsed(h.in(t)) })
	t.Run("bounded", func(t *testing.T) { mailBounded(h.in(t)) })
	t.Run("texts", func(t *testing.T) { mailTexts(h.in(t)) })
	t.Run("of others", func(t *testing.T) { mailOfOthers(h.in(t)) })
	t.Run("many at once", func(t *testing.T) { mailParallel(newFixture(t, open)) })
}

func (h *fixture) mailbox(connection model.UUID) store.Mailbox {
	h.Helper()
	return must(h, func() (store.Mailbox, error) { return h.Mailbox(h.ctx, h.user, connection) })
}

func (h *fixture) advance(connection model.UUID, from, to string, changes ...store.MailChange) bool {
	h.Helper()
	return must(h, func() (bool, error) {
		return h.AdvanceMailbox(h.ctx, h.user, connection, from, store.Mailbox{History: to, CheckedAt: noon}, changes)
	})
}

func (h *fixture) keep(connection model.UUID, history string, mails ...store.CachedMail) {
	h.Helper()
	if err := h.SaveMails(h.ctx, h.user, connection, history, mails); err != nil {
		h.Fatalf("SaveMails: %v", err)
	}
}

func (h *fixture) kept(connection model.UUID, ids ...string) map[string]store.CachedMail {
	h.Helper()
	return must(h, func() (map[string]store.CachedMail, error) {
		return h.CachedMails(h.ctx, h.user, connection, ids, noon)
	})
}

// mailOf makes a message to keep.
func mailOf(id string, depth store.MailDepth, labels ...string) store.CachedMail {
	return store.CachedMail{ID: id, Depth: depth, Labels: labels,
		Sealed: []byte(fmt.Sprintf("sealed %s at %d \x00\xff", id, depth)), UsedAt: noon}
}

func mailKept(h *fixture) {
	h = h.as("keeps mail")
	connection, other := h.link(h.account("a")).ID, h.link(h.account("b")).ID
	head := h.head()
	h.same("no mailbox", h.mailbox(connection), store.Mailbox{})
	h.same("nothing kept", len(h.kept(connection, "1", "2")), 0)
	h.same("nothing asked", len(h.kept(connection)), 0)
	h.same("begun", h.advance(connection, "", "100"), true)
	h.same("mailbox", h.mailbox(connection), store.Mailbox{History: "100", CheckedAt: noon})
	one, two := mailOf("18c0", store.MailHeaders, "INBOX", "UNREAD"), mailOf("18c1", store.MailFull)
	h.keep(connection, "100", one, two)
	h.keep(connection, "100")
	h.same("both", h.kept(connection, "18c0", "18c1", "18c2", "18c0"),
		map[string]store.CachedMail{"18c0": one, "18c1": two})
	h.same("one", h.kept(connection, "18c1"), map[string]store.CachedMail{"18c1": two})
	h.same("of the other connection", len(h.kept(other, "18c0", "18c1")), 0)
	one.Labels = []string{"INBOX"}
	h.keep(connection, "100", mailOf("18c0", store.MailHeaders, "STARRED"), one)
	h.same("the last of two counts", h.kept(connection, "18c0")["18c0"].Labels, []string{"INBOX"})
	h.fails("of no connection", h.SaveMails(h.ctx, h.user, h.ids.next(), "100", []store.CachedMail{one}),
		store.ErrNotFound)
	_, err := h.AdvanceMailbox(h.ctx, h.user, h.ids.next(), "", store.Mailbox{History: "1"}, nil)
	h.fails("the mailbox of no connection", err, store.ErrNotFound)
	h.write(func(ctx context.Context, tx store.Tx) error { return tx.DeleteConnection(ctx, connection) })
	h.same("goes with the connection", len(h.kept(connection, "18c0", "18c1")), 0)
	h.same("and so does the mailbox", h.mailbox(connection), store.Mailbox{})
	h.same("log", h.log(head), []string{line(model.OperationDeleted, connection)})
}

func mailDepths(h *fixture) {
	h = h.as("keeps depths")
	connection := h.link(h.account("a")).ID
	h.advance(connection, "", "5")
	deep := mailOf("m", store.MailFull, "INBOX")
	h.keep(connection, "5", mailOf("m", store.MailMinimal, "UNREAD"))
	h.keep(connection, "5", deep)
	h.same("deeper takes the place", h.kept(connection, "m")["m"], deep)
	h.keep(connection, "5", mailOf("m", store.MailHeaders, "SENT", "STARRED"))
	want := deep
	want.Labels = []string{"SENT", "STARRED"}
	h.same("shallower brings only labels", h.kept(connection, "m")["m"], want)
	again := mailOf("m", store.MailFull, "INBOX")
	again.Sealed = []byte("sealed anew")
	h.keep(connection, "5", again)
	h.same("the same depth takes the place", h.kept(connection, "m")["m"], again)
}

func mailFollowed(h *fixture) {
	h = h.as("follows mail")
	connection := h.link(h.account("a")).ID
	unknown := mailOf("m", store.MailHeaders, "INBOX")
	h.keep(connection, "", unknown)
	h.same("without a mailbox", h.kept(connection, "m")["m"].Stale, true)
	h.same("from nowhere", h.advance(connection, "7", "8"), false)
	h.same("begins", h.advance(connection, "", "10"), true)
	h.keep(connection, "10", unknown)
	h.same("known", h.kept(connection, "m")["m"].Stale, false)
	h.keep(connection, "9", mailOf("late", store.MailHeaders, "INBOX"))
	h.same("as of another number", h.kept(connection, "late")["late"].Stale, true)
	marked := mailOf("marked", store.MailMinimal)
	marked.Stale = true
	h.keep(connection, "10", marked, mailOf("goes", store.MailFull), mailOf("stays", store.MailFull, "A"))
	h.same("marked by the caller", h.kept(connection, "marked")["marked"].Stale, true)
	changes := []store.MailChange{{ID: "m", Labels: []string{"SENT"}}, {ID: "goes", Gone: true},
		{ID: "late", Labels: []string{}}, {ID: "nobody", Labels: []string{"X"}}, {ID: "none", Gone: true}}
	h.same("not from there", h.advance(connection, "9", "11", changes...), false)
	h.same("nothing done", h.kept(connection, "m")["m"].Labels, []string{"INBOX"})
	h.same("advances", h.advance(connection, "10", "11", changes...), true)
	h.same("mailbox", h.mailbox(connection).History, "11")
	got := h.kept(connection, "m", "goes", "late", "stays", "nobody")
	h.same("kept", slices.Sorted(maps.Keys(got)), []string{"late", "m", "stays"})
	h.same("labels", [][]string{got["m"].Labels, got["late"].Labels, got["stays"].Labels},
		[][]string{{"SENT"}, nil, {"A"}})
	h.same("known again", got["late"].Stale, false)
	h.same("no news", h.advance(connection, "11", "11"), true)
	h.same("anew", h.advance(connection, "", "40"), true)
	for id, mail := range h.kept(connection, "m", "late", "stays") {
		h.same(id+" is stale", mail.Stale, true)
	}
	h.same("and goes on", h.advance(connection, "40", "41", store.MailChange{ID: "m", Labels: []string{"INBOX"}}), true)
	h.same("one is known", h.kept(connection, "m")["m"].Stale, false)
}

// mailStories plays random stories and compares with a model that says in a few lines what the contract does.
func mailStories(h *fixture) {
	random := rand.New(rand.NewPCG(7, 1))
	for story := range 10 {
		h := h.as(fmt.Sprint("story of mail ", story))
		connection := h.link(h.account("a")).ID
		model, history := map[string]store.CachedMail{}, ""
		for step := range 40 {
			id := fmt.Sprint("m", random.IntN(6))
			labels := []string{fmt.Sprint("L", random.IntN(3))}
			switch random.IntN(5) {
			case 0, 1, 2:
				at := history
				if random.IntN(4) == 0 {
					at = "elsewhere"
				}
				mail := mailOf(id, store.MailDepth(1+random.IntN(4)), labels...)
				h.keep(connection, at, mail)
				mail.Stale = at != history || history == ""
				if was, ok := model[id]; ok && was.Depth > mail.Depth {
					mail.Depth, mail.Sealed = was.Depth, was.Sealed
				}
				model[id] = mail
			case 3:
				from, change := history, store.MailChange{ID: id, Labels: labels, Gone: random.IntN(3) == 0}
				if random.IntN(4) == 0 {
					from = "elsewhere"
				}
				if from == "" {
					continue
				}
				to := fmt.Sprint("h", step)
				moved := h.advance(connection, from, to, change)
				h.same("moved", moved, from == history)
				if !moved {
					continue
				}
				history = to
				if was, ok := model[id]; ok {
					was.Labels, was.Stale = labels, false
					model[id] = was
				}
				if change.Gone {
					delete(model, id)
				}
			case 4:
				history = fmt.Sprint("h", step)
				h.advance(connection, "", history)
				for id, mail := range model {
					mail.Stale = true
					model[id] = mail
				}
			}
			h.same(fmt.Sprint("story ", story, " step ", step), h.kept(connection, "m0", "m1", "m2", "m3", "m4", "m5"), model)
		}
	}
}

func mailUsed(h *fixture) {
	h = h.as("uses mail")
	connection := h.link(h.account("a")).ID
	h.advance(connection, "", "1")
	h.keep(connection, "1", mailOf("a", store.MailFull), mailOf("b", store.MailFull))
	read := func(at time.Time, ids ...string) map[string]store.CachedMail {
		return must(h, func() (map[string]store.CachedMail, error) {
			return h.CachedMails(h.ctx, h.user, connection, ids, at)
		})
	}
	read(noon.Add(time.Hour), "a")
	h.same("within an hour nothing is written", read(noon, "a")["a"].UsedAt, noon)
	read(noon.Add(2*time.Hour), "a")
	h.same("used", read(noon, "a", "b")["a"].UsedAt, noon.Add(2*time.Hour))
	h.same("the other one not", read(noon, "b")["b"].UsedAt, noon)
}

func mailBounded(h *fixture) {
	h = h.as("keeps much mail")
	connection, other := h.link(h.account("a")).ID, h.link(h.account("b")).ID
	h.advance(connection, "", "1")
	h.keep(other, "", mailOf("m000000", store.MailMinimal))
	const beyond = 20
	for start := 0; start < model.MaxCachedMails+beyond; start += 500 {
		var some []store.CachedMail
		for i := start; i < min(start+500, model.MaxCachedMails+beyond); i++ {
			mail := mailOf(fmt.Sprintf("m%06d", i), store.MailMinimal)
			mail.UsedAt = noon.Add(time.Duration(i) * time.Second)
			some = append(some, mail)
		}
		h.keep(connection, "1", some...)
	}
	h.same("the oldest went", len(h.kept(connection, "m000000", fmt.Sprintf("m%06d", beyond-1))), 0)
	h.same("no other did", len(h.kept(connection, fmt.Sprintf("m%06d", beyond),
		fmt.Sprintf("m%06d", model.MaxCachedMails+beyond-1))), 2)
	h.same("nor the other account's", len(h.kept(other, "m000000")), 1)
}

func mailTexts(h *fixture) {
	h = h.as("spoils mail")
	connection := h.link(h.account("a")).ID
	h.advance(connection, "", "1")
	for _, bad := range []string{"a\x00b", "a\xffb"} {
		_, cached := h.CachedMails(h.ctx, h.user, connection, []string{bad}, noon)
		_, from := h.AdvanceMailbox(h.ctx, h.user, connection, bad, store.Mailbox{History: "2"}, nil)
		_, to := h.AdvanceMailbox(h.ctx, h.user, connection, "1", store.Mailbox{History: bad}, nil)
		_, change := h.AdvanceMailbox(h.ctx, h.user, connection, "1", store.Mailbox{History: "2"},
			[]store.MailChange{{ID: bad}})
		_, label := h.AdvanceMailbox(h.ctx, h.user, connection, "1", store.Mailbox{History: "2"},
			[]store.MailChange{{ID: "m", Labels: []string{"two words"}}})
		for what, err := range map[string]error{
			"read": cached, "from": from, "to": to, "change": change, "a label of two words": label,
			"id":      h.SaveMails(h.ctx, h.user, connection, "1", []store.CachedMail{mailOf(bad, store.MailFull)}),
			"label":   h.SaveMails(h.ctx, h.user, connection, "1", []store.CachedMail{mailOf("m", store.MailFull, bad)}),
			"history": h.SaveMails(h.ctx, h.user, connection, bad, []store.CachedMail{mailOf("m", store.MailFull)}),
		} {
			if model.CodeOf(err) != model.CodeBadUserInput {
				h.Errorf("%s: got %v, want BAD_USER_INPUT", what, err)
			}
		}
	}
	h.same("mailbox", h.mailbox(connection).History, "1")
	h.same("kept", len(h.kept(connection, "m")), 0)
}

func mailOfOthers(h *fixture) {
	owner, thief := h.as("owns mail"), h.as("steals mail")
	connection := owner.link(owner.account("a")).ID
	thief.link(thief.account("a"))
	owner.advance(connection, "", "1")
	owner.keep(connection, "1", mailOf("m", store.MailFull, "INBOX"))
	h.same("mailbox", thief.mailbox(connection), store.Mailbox{})
	h.same("mail", len(thief.kept(connection, "m")), 0)
	h.fails("save", thief.SaveMails(h.ctx, thief.user, connection, "1", []store.CachedMail{mailOf("m", store.MailFull)}),
		store.ErrNotFound)
	h.same("advance", thief.advance(connection, "1", "2", store.MailChange{ID: "m", Gone: true}), false)
	_, err := thief.AdvanceMailbox(h.ctx, thief.user, connection, "", store.Mailbox{History: "2"}, nil)
	h.fails("begin", err, store.ErrNotFound)
	thief.write(func(ctx context.Context, _ store.Tx) error {
		for what, err := range map[string]error{
			"save":    h.SaveMails(ctx, owner.user, connection, "1", []store.CachedMail{mailOf("m", store.MailFull)}),
			"advance": second(h.AdvanceMailbox(ctx, owner.user, connection, "1", store.Mailbox{History: "2"}, nil)),
		} {
			if err == nil || errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrConflict) {
				h.Errorf("%s another user's in a Write: %v", what, err)
			}
		}
		return nil
	})
	h.same("as it was", owner.kept(connection, "m")["m"], mailOf("m", store.MailFull, "INBOX"))
	h.same("mailbox as it was", owner.mailbox(connection).History, "1")
}

func second[T any](_ T, err error) error { return err }

func mailParallel(h *fixture) {
	connection := h.link(h.account("a")).ID
	h.advance(connection, "", "0")
	var group sync.WaitGroup
	won := make(chan int, 100)
	for worker := range 8 {
		group.Go(func() {
			for i := range 10 {
				var some []store.CachedMail
				for j := range 6 {
					some = append(some, mailOf(fmt.Sprint("m", (worker+i+j)%12), store.MailDepth(1+j%4), fmt.Sprint("L", worker)))
				}
				if worker%2 == 1 {
					slices.Reverse(some)
				}
				if err := h.SaveMails(h.ctx, h.user, connection, "0", some); err != nil {
					h.Errorf("SaveMails: %v", err)
				}
				moved, err := h.AdvanceMailbox(h.ctx, h.user, connection, fmt.Sprint(i), store.Mailbox{History: fmt.Sprint(i + 1)},
					[]store.MailChange{{ID: fmt.Sprint("m", worker), Labels: []string{"X"}}})
				if err != nil {
					h.Errorf("AdvanceMailbox: %v", err)
				}
				if moved {
					won <- i
				}
			}
		})
	}
	group.Wait()
	close(won)
	seen := map[int]int{}
	for i := range won {
		seen[i]++
	}
	for i, times := range seen {
		if times != 1 {
			h.Errorf("%d workers moved the mailbox from %d", times, i)
		}
	}
	for id, mail := range h.kept(connection, "m0", "m5", "m11") {
		if !strings.HasPrefix(string(mail.Sealed), "sealed "+id+" ") {
			h.Errorf("%s holds %q", id, mail.Sealed)
		}
	}
}
