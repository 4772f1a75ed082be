package gmail

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"reflect"
	"sync"
	"testing"
	"time"

	api "google.golang.org/api/gmail/v1"

	"almanac/adapters/store"
	"almanac/adapters/store/sqlite"
	"almanac/graph/model"
	"almanac/internal/teststore"
)

// story plays what happens in a mailbox, and what two processes read and change of it.
type story struct {
	*harness
	random *rand.Rand
	// bare keeps nothing: what it reads is the truth.
	bare    *Client
	clients [2]*Client
	ids     []string
	drafts  []string
	// mu guards what happens in the middle of something; busy says that it does.
	mu   sync.Mutex
	busy bool
	// often is how many of a hundred moments have something happen in them.
	often int
}

func newStory(h *harness, seed uint64) *story {
	s := &story{harness: h, random: rand.New(rand.NewPCG(seed, 8)), bare: newClientOf(h),
		clients: [2]*Client{h.Client, h.again()}}
	for _, c := range []*Client{s.bare, s.clients[0], s.clients[1]} {
		c.Units = 1 << 30 // stories are not about quota
	}
	for n := range 8 {
		s.ids = append(s.ids, h.deliver(letter(fmt.Sprint("mail ", n))))
	}
	return s
}

func (s *story) any(of []string) string { return of[s.random.IntN(len(of))] }

// some gives a few different ones.
func (s *story) some(of []string) []string {
	picked := make([]string, 0, len(of))
	for _, i := range s.random.Perm(len(of))[:1+s.random.IntN(len(of))] {
		picked = append(picked, of[i])
	}
	return picked
}

// happen lets others do something with the mailbox.
func (s *story) happen() {
	labels := []string{"UNREAD", "STARRED", "IMPORTANT", "INBOX", "TRASH"}
	users := s.truth.Users
	var err error
	switch s.random.IntN(10) {
	case 0, 1, 2, 3:
		_, err = users.Messages.Modify("me", s.any(s.ids),
			modifyRequest([]string{s.any(labels[:2])}, []string{s.any(labels[2:])})).Do()
	case 4, 5:
		_, err = users.Messages.Modify("me", s.any(s.ids),
			modifyRequest([]string{s.any(labels[2:])}, []string{s.any(labels[:2])})).Do()
	case 6:
		s.ids = append(s.ids, s.deliver(letter("new mail")))
	case 7:
		if len(s.ids) > 4 {
			err = users.Messages.Delete("me", s.any(s.ids)).Do() // its id stays in the story
		}
	case 8:
		var made *api.Draft
		if made, err = users.Drafts.Create("me",
			&api.Draft{Message: &api.Message{Raw: encodeData(letter("draft").Bytes())}}).Do(); err == nil {
			s.ids, s.drafts = append(s.ids, made.Message.Id), append(s.drafts, made.Id)
		}
	default:
		if len(s.drafts) > 0 {
			var made *api.Draft
			made, err = users.Drafts.Update("me", s.any(s.drafts),
				&api.Draft{Message: &api.Message{Raw: encodeData(letter("draft again").Bytes())}}).Do()
			if err == nil {
				s.ids = append(s.ids, made.Message.Id)
			}
		}
		if s.random.IntN(8) == 0 {
			s.service.ExpireHistory(alice)
		}
	}
	if err != nil && statusOf(err) != http.StatusNotFound {
		s.t.Fatal(err)
	}
}

// between may let something happen, or the other process read, at a moment in the middle of something.
func (s *story) between() {
	s.mu.Lock()
	if s.busy || s.random.IntN(100) >= s.often {
		s.mu.Unlock()
		return
	}
	s.busy = true
	s.happen()
	var ids []string
	if s.random.IntN(2) == 0 {
		ids = s.some(s.ids)
		s.tick(labelsHold) // so that it looks
	}
	client, depth := s.clients[s.random.IntN(2)], s.depth()
	s.mu.Unlock()
	if len(client.mailbox(s.connection).looking) > 0 {
		ids = nil // it would wait for who waits for it
	}
	if ids != nil {
		// It may wait for a reading that waits for it; then it gives up.
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Millisecond)
		_, _ = client.Messages(ctx, s.connection, ids, depth)
		cancel()
	}
	s.mu.Lock()
	s.busy = false
	s.mu.Unlock()
}

func (s *story) depth() Depth { return store.MailMinimal + Depth(s.random.IntN(4)) }

// agree reads messages through a process and compares with the truth.
func (s *story) agree(step int, c *Client, ids []string, depth Depth) {
	s.t.Helper()
	got, err := c.Messages(s.t.Context(), s.connection, ids, depth)
	if err != nil {
		s.t.Fatalf("step %d: %v", step, err)
	}
	want, err := s.bare.Messages(s.t.Context(), s.connection, ids, depth)
	if err != nil {
		s.t.Fatalf("step %d: %v", step, err)
	}
	if !reflect.DeepEqual(got, want) {
		for id := range want {
			if !reflect.DeepEqual(got[id], want[id]) {
				s.t.Errorf("step %d: %s at %d\n got %+v\nwant %+v", step, id, depth, got[id], want[id])
			}
		}
		s.t.Fatalf("step %d: %d messages, want %d", step, len(got), len(want))
	}
}

// step does one thing of a story.
func (s *story) step(n int) {
	s.t.Helper()
	s.mu.Lock()
	ids, client, depth := s.some(s.ids), s.clients[s.random.IntN(2)], s.depth()
	what := s.random.IntN(10)
	s.mu.Unlock()
	switch {
	case what < 4:
		s.mu.Lock()
		s.happen()
		s.mu.Unlock()
	case what < 6: // whatever it reads in the middle of things
		if _, err := client.Messages(s.t.Context(), s.connection, ids, depth); err != nil {
			s.t.Fatalf("step %d: %v", n, err)
		}
	case what == 6:
		if _, err := client.Thread(s.t.Context(), s.connection, ids[0], depth); err != nil &&
			model.CodeOf(err) != model.CodeNotFound {
			s.t.Fatalf("step %d: %v", n, err)
		}
	case what == 7: // a change of its own, which it sees at once
		if err := client.Modify(s.t.Context(), s.connection, ids, []string{"STARRED"}, []string{"UNREAD"}); err != nil {
			s.t.Fatalf("step %d: %v", n, err)
		}
		s.quietly(func() { s.agree(n, client, ids, depth) })
	default: // the next look
		s.tick(labelsHold)
		s.quietly(func() { s.agree(n, client, ids, depth) })
	}
}

// quietly lets nothing happen meanwhile.
func (s *story) quietly(do func()) {
	s.mu.Lock()
	often := s.often
	s.often = 0
	s.mu.Unlock()
	do()
	s.mu.Lock()
	s.often = often
	s.mu.Unlock()
}

// TestKeptIsWhatThereIs plays random stories in which things happen at every moment: before and after each request, and
// before each write to the cache.
func TestKeptIsWhatThereIs(t *testing.T) {
	t.Parallel()
	stories := 20
	if testing.Short() {
		stories = 10
	}
	for seed := range stories {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			kept := newShelf()
			h := newHarness(t, builder{cache: kept})
			s := newStory(h, uint64(seed))
			judged := h.base
			h.base = transport(func(r *http.Request) (*http.Response, error) {
				s.between()
				answer, err := judged.RoundTrip(r)
				s.between()
				return answer, err
			})
			kept.before = s.between
			s.often = seed % 4 * 12
			for n := range 60 {
				s.step(n)
			}
		})
	}
}

// TestKeptInTheStore plays stories with the embedded store, and several readers at once.
func TestKeptInTheStore(t *testing.T) {
	db := openStore(t)
	h := newHarness(t, builder{cache: db})
	connection := connectionOf(alice, 1)
	if err := db.Write(t.Context(), connection.User, func(ctx context.Context, tx store.Tx) (err error) {
		h.connection, err = tx.SaveConnection(ctx, connection, model.Credentials{})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	s := newStory(h, 77)
	for n := range 80 {
		s.step(n)
		if n%10 == 0 {
			var readers sync.WaitGroup
			for i := range 6 {
				client, ids, depth := s.clients[i%2], s.some(s.ids), s.depth()
				readers.Go(func() {
					if _, err := client.Messages(t.Context(), h.connection, ids, depth); err != nil {
						t.Error(err)
					}
				})
			}
			s.happen()
			readers.Wait()
			s.tick(labelsHold)
			s.agree(n, s.clients[0], s.ids, store.MailFull)
		}
	}
	if err := db.Write(t.Context(), connection.User, func(ctx context.Context,
		tx store.Tx) error {
		return tx.DeleteConnection(ctx, h.connection.ID)
	}); err != nil {
		t.Fatal(err)
	}
	h.tick(time.Minute)
	s.agree(1000, h.Client, s.ids, store.MailHeaders) // nothing can be kept any more, and it is read all the same
}

func openStore(t *testing.T) *sqlite.Store {
	t.Helper()
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: teststore.SQLite(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	if err := db.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	user := connectionOf(alice, 1).User
	if _, err := db.EnsureUser(t.Context(), model.User{ID: user, Subject: "alice", Email: alice,
		CreatedAt: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)}); err != nil {
		t.Fatal(err)
	}
	return db
}
