package httpapi_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/internal/testschema"

	"github.com/99designs/gqlgen/graphql"
)

func (l *ledger) Note(ctx context.Context, user model.UserID, claim store.Claim, notes []byte) error {
	if err := asked(ctx, l.note); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	id := user.String() + claim.Key
	if _, settled := l.answers[id]; settled || l.claims[id] == nil || l.claims[id].holder != claim.Holder {
		return fmt.Errorf("note: %w", store.ErrNotFound)
	}
	l.claims[id].notes = bytes.Clone(notes)
	return nil
}

// shifter is a remote system whose events a mutation shifts to where nobody would find them by the same words again:
// what it decides the second time is not what it decided the first time.
type shifter struct {
	mu        sync.Mutex
	decisions int
	done      []string
	// before and after, when set, happen before it notes, and after it has done the work.
	before, after func(ctx context.Context, name string) error
	// size is how many bytes it notes, if more than it has to.
	size int
}

func (s *shifter) shift(ctx context.Context, text string) (string, error) {
	name := graphql.GetFieldContext(ctx).Path().String()
	notes, keyed := model.NotesFrom(ctx)
	var what []byte
	again := false
	if keyed {
		what, again = notes.Recall(name)
	}
	if !again {
		s.mu.Lock()
		s.decisions++
		what = fmt.Appendf(nil, "%s\x00%d", text, 30*s.decisions)
		if len(what) < s.size {
			what = append(what, make([]byte, s.size-len(what))...)
		}
		before := s.before
		s.mu.Unlock()
		if before != nil {
			if err := before(ctx, name); err != nil {
				return "", err
			}
		}
		if keyed {
			if err := notes.Note(ctx, name, what); err != nil {
				return "", err
			}
		}
	}
	word, minutes, _ := bytes.Cut(bytes.TrimRight(what, "\x00"), []byte{0})
	did := fmt.Sprintf("%s to %s", word, minutes)
	s.mu.Lock()
	s.done = append(s.done, did)
	after := s.after
	s.mu.Unlock()
	if after != nil {
		return did, after(ctx, name)
	}
	return did, nil
}

func (s *shifter) hooks(before, after func(ctx context.Context, name string) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.before, s.after = before, after
}

// mortal is a store whose process may die: from then on it neither settles nor releases.
type mortal struct {
	httpapi.Idempotency
	dead atomic.Bool
}

var errDead = errors.New("the process is dead")

func (m *mortal) Settle(ctx context.Context, user model.UserID, claim store.Claim, answer []byte) error {
	if m.dead.Load() {
		return errDead
	}
	return m.Idempotency.Settle(ctx, user, claim, answer)
}

func (m *mortal) Release(ctx context.Context, user model.UserID, claim store.Claim) error {
	if m.dead.Load() {
		return errDead
	}
	return m.Idempotency.Release(ctx, user, claim)
}

// shop is a front door before a shifter and a mortal store, with a clock that ends leases.
type shop struct {
	front
	*shifter
	store *mortal
	late  *atomic.Int64
}

func newShop(t *testing.T, s httpapi.Idempotency) shop {
	out := shop{shifter: &shifter{}, store: &mortal{Idempotency: s}, late: &atomic.Int64{}}
	began := time.Now()
	out.front = newFront(t, func(cfg *httpapi.Config) {
		cfg.Idempotency = out.store
		cfg.Now = func() time.Time { return began.Add(time.Duration(out.late.Load())) }
	})
	out.resolver.Remote = out.shift
	return out
}

// endLeases lets the leases of all claims end.
func (s shop) endLeases() { s.late.Add(int64(engine.RequestDeadline + 10*time.Second)) }

// crash is a request whose process dies before it can tell that it has done the work.
func (s shop) crash(key, body string) string {
	s.store.dead.Store(true)
	w, _ := s.withKey(key, "", body)
	s.store.dead.Store(false)
	s.endLeases()
	return w.Body.String()
}

// did shows what was done since the last look.
func (s shop) did() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := strings.Join(s.done, ", ")
	s.done = nil
	return out
}

const (
	sendReview  = `{"query":"mutation{send(text:\"Review\")}"}`
	sendTwo     = `{"query":"mutation{a:send(text:\"ישיבה\") b:send(text:\"b\")}"}`
	unavailable = testschema.FailureUpstream
)

func newLedger() *ledger {
	return &ledger{kept: map[string]model.IdempotentCall{}, answers: map[string][]byte{}, claims: map[string]*held{}}
}

func TestARepetitionDoesWhatWasNoted(t *testing.T) { holdNotes(t, newLedger()) }

// holdNotes holds the front door, with a store, to what model.Notes promises.
func holdNotes(t *testing.T, of httpapi.Idempotency) {
	for name, run := range map[string]func(t *testing.T, s shop){
		"after a crash":                  notesSurviveACrash,
		"after a failure":                notesSurviveAFailure,
		"when the client has hung up":    notesOutliveTheClient,
		"unless another try has the key": notesAreTheHolders,
		"as much as there may be":        notesAreBounded,
		"of many at once":                notesOfMany,
	} {
		t.Run(name, func(t *testing.T) { run(t, newShop(t, of)) })
	}
}

func notesSurviveACrash(t *testing.T, s shop) {
	const want = `{"data":{"send":"Review to 30"}}`
	if got := s.crash("crash", sendReview); got != want {
		t.Fatalf("the first try: %s", got)
	}
	if got := s.crash("crash", sendReview); got != want {
		t.Errorf("the second try: %s", got)
	}
	for i := range 2 {
		if w, replayed := s.withKey("crash", "", sendReview); w.Body.String() != want || (replayed == "true") != (i == 1) {
			t.Errorf("try %d: %s, replayed %q", 3+i, w.Body, replayed)
		}
	}
	if done := s.did(); done != "Review to 30, Review to 30, Review to 30" || s.decisions != 1 {
		t.Errorf("decided %d times: %s", s.decisions, done)
	}
	// Notes are for one user's key.
	s.withKey("crash", "naomi", sendReview)
	s.withKey("crash2", "", sendReview)
	if w := s.do(call{body: sendReview}); w.Body.String() != `{"data":{"send":"Review to 120"}}` {
		t.Errorf("without a key: %s", w.Body)
	}
	if done := s.did(); done != "Review to 60, Review to 90, Review to 120" {
		t.Errorf("others: %s", done)
	}
}

// One mutation of two fails once, before it notes or after, and the whole is repeated.
func notesSurviveAFailure(t *testing.T, s shop) {
	fail := func(_ context.Context, name string) error {
		if name == "b" {
			return testschema.FailWith(unavailable)
		}
		return nil
	}
	s.hooks(nil, fail)
	s.withKey("failed-after", "", sendTwo)
	s.hooks(nil, nil)
	if w, replayed := s.withKey("failed-after", "",
		sendTwo); w.Body.String() != `{"data":{"a":"ישיבה to 30","b":"b to 60"}}` || replayed != "" {
		t.Errorf("the retry: %s", w.Body)
	}
	if done := s.did(); done != "ישיבה to 30, b to 60, ישיבה to 30, b to 60" {
		t.Error(done)
	}
	s.hooks(fail, nil)
	s.withKey("failed-before", "", sendTwo)
	s.hooks(nil, nil)
	s.withKey("failed-before", "", sendTwo)
	if done := s.did(); done != "ישיבה to 90, ישיבה to 90, b to 150" {
		t.Error(done)
	}
}

func notesOutliveTheClient(t *testing.T, s shop) {
	ctx, hangUp := context.WithCancel(t.Context())
	s.hooks(func(context.Context, string) error { hangUp(); return nil }, nil)
	s.store.dead.Store(true)
	newRecorder(s.front, call{body: sendReview,
		header: map[string]string{"Idempotency-Key": "hung-up"}}.request().WithContext(ctx))
	s.store.dead.Store(false)
	if done := s.did(); done != "Review to 30" || ctx.Err() == nil {
		t.Fatalf("the first try: %q, %v", done, ctx.Err())
	}
	s.endLeases()
	s.withKey("hung-up", "", sendReview)
	if done := s.did(); done != "Review to 30" {
		t.Error(done)
	}
}

// A try decides so slowly that its lease ends and another takes the key and does the work: the first must not do its
// own.
func notesAreTheHolders(t *testing.T, s shop) {
	for name, dies := range map[string]bool{"the other has answered": false, "the other has died": true} {
		slow := sync.OnceFunc(func() {
			s.endLeases()
			s.store.dead.Store(dies)
			s.withKey("slow-"+key(dies), "", sendReview)
			s.store.dead.Store(false)
		})
		var once atomic.Bool
		s.hooks(func(context.Context, string) error {
			if !once.Swap(true) {
				slow()
			}
			return nil
		}, nil)
		w, _ := s.withKey("slow-"+key(dies), "", sendReview)
		if answer := read(t, w); answer.code() != "CONFLICT" || string(answer.Data) != `{"send":null}` {
			t.Errorf("%s: the slow one: %s", name, w.Body)
		}
		second := s.did()
		if strings.Contains(second, ", ") || second == "" {
			t.Errorf("%s: done %q", name, second)
		}
		s.endLeases()
		w, replayed := s.withKey("slow-"+key(dies), "", sendReview)
		if w.Body.String() != `{"data":{"send":"`+second+`"}}` || (replayed == "true") == dies {
			t.Errorf("%s: at last %s, replayed %q; was %s", name, w.Body, replayed, second)
		}
		if done := s.did(); done != "" && (done != second || !dies) {
			t.Errorf("%s: done again: %s", name, done)
		}
	}
}

// key makes a key for each case.
func key(of bool) string { return fmt.Sprint("key-", of) }

func notesAreBounded(t *testing.T, s shop) {
	s.size = model.MaxNotes - 64 // beside the names and lengths
	s.crash("much", sendReview)
	s.withKey("much", "", sendReview)
	if done := s.did(); done != "Review to 30, Review to 30" {
		t.Errorf("as much as there may be: %q", done)
	}
	s.size = model.MaxNotes + 1
	for i := range 2 {
		w, replayed := s.withKey("too-much", "", sendReview)
		if read(t, w).code() != "BAD_USER_INPUT" || (replayed == "true") != (i == 1) {
			t.Errorf("too much: %s", w.Body)
		}
	}
	s.size = model.MaxNotes * 2 / 3 // each is small enough, both are not
	if w, _ := s.withKey("too-much-together", "", sendTwo); read(t, w).code() != "BAD_USER_INPUT" {
		t.Errorf("too much together: %s", w.Body)
	}
	if done := s.did(); done != "ישיבה to 90" {
		t.Errorf("too much was done: %q", done)
	}
}

func notesOfMany(t *testing.T, s shop) {
	const many = 20
	note := func(ctx context.Context, _ string) error {
		notes, _ := model.NotesFrom(ctx)
		var group sync.WaitGroup
		for i := range many {
			group.Go(func() {
				name, what := fmt.Sprint("part\x00", i), []byte{byte(i), 0, 0xff}
				if err := notes.Note(ctx, name, what); err != nil {
					t.Errorf("Note: %v", err)
				}
				what[0] = 99 // what was noted stays
				got, ok := notes.Recall(name)
				if !ok || !bytes.Equal(got, []byte{byte(i), 0, 0xff}) {
					t.Errorf("Recall at once: %v", got)
				}
				got[0] = 99
				if got, _ := notes.Recall(name); !bytes.Equal(got, []byte{byte(i), 0, 0xff}) {
					t.Errorf("Recall again: %v", got)
				}
			})
		}
		group.Wait()
		if err := notes.Note(ctx, "nothing", nil); err != nil {
			t.Errorf("noting nothing: %v", err)
		}
		return nil
	}
	s.hooks(note, nil)
	s.crash("many", sendReview)
	s.hooks(nil, func(ctx context.Context, _ string) error {
		notes, _ := model.NotesFrom(ctx)
		for i := range many {
			if got, ok := notes.Recall(fmt.Sprint("part\x00", i)); !ok || !bytes.Equal(got, []byte{byte(i), 0, 0xff}) {
				t.Errorf("Recall of %d: %v, %v", i, got, ok)
			}
		}
		if got, ok := notes.Recall("nothing"); !ok || len(got) != 0 {
			t.Errorf("nothing: %v, %v", got, ok)
		}
		if got, ok := notes.Recall("something else"); ok || got != nil {
			t.Errorf("what was not noted: %v, %v", got, ok)
		}
		// Nor may a repetition note what is noted.
		for _, name := range []string{"part\x000", "nothing", "send"} {
			if err := notes.Note(ctx, name, []byte("again")); model.CodeOf(err) != model.CodeInternal {
				t.Errorf("noted again: %v", err)
			}
		}
		return nil
	})
	if w, _ := s.withKey("many", "", sendReview); w.Body.String() != `{"data":{"send":"Review to 30"}}` {
		t.Errorf("%s", w.Body)
	}
}

func TestANoteThatFailsStopsTheMutation(t *testing.T) {
	const secret = "disk full at /secret/path"
	for cause, code := range map[error]string{
		errors.New(secret): "INTERNAL",
		fmt.Errorf("%w: %s", store.ErrUnavailable, secret):                 "UPSTREAM_UNAVAILABLE",
		fmt.Errorf("%w: %s", store.ErrOutcomeUnknown, secret):              "UPSTREAM_UNAVAILABLE",
		fmt.Errorf("%w: %s", context.DeadlineExceeded, secret):             "TIMEOUT",
		fmt.Errorf("of another holder, %s: %w", secret, store.ErrNotFound): "CONFLICT",
	} {
		l := newLedger()
		s := newShop(t, l)
		l.note = func(context.Context) error { return cause }
		w, _ := s.withKey("private-key", "", sendReview)
		if answer := read(t, w); w.Code != 200 || answer.code() != code || string(answer.Data) != `{"send":null}` ||
			strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%v: %d %s", cause, w.Code, w.Body)
		}
		if log := s.log.String(); !strings.Contains(log, secret) && code != "TIMEOUT" ||
			strings.Contains(log, "private-key") || strings.Contains(log, "Review") {
			t.Errorf("%v: the log: %s", cause, log)
		}
		if done := s.did(); done != "" {
			t.Errorf("%v: did %s", cause, done)
		}
		if code == "CONFLICT" {
			continue // is settled here: the fake ledger knows no other holder
		}
		l.note = nil
		if code == "TIMEOUT" {
			s.endLeases()
		}
		if w, replayed := s.withKey("private-key", "", sendReview); w.Body.String() != `{"data":{"send":"Review to 60"}}` ||
			replayed != "" {
			t.Errorf("%v: the retry: %s", cause, w.Body)
		}
	}
}

// A note may be stored though the store cannot tell so. Nothing was done, and the next try does what the note says.
func TestANoteOfUnknownOutcomeCounts(t *testing.T) {
	l := newLedger()
	s := newShop(t, lossy{l})
	w, _ := s.withKey("k", "", sendReview)
	if done := s.did(); read(t, w).code() != "UPSTREAM_UNAVAILABLE" || done != "" {
		t.Errorf("%s, did %s", w.Body, done)
	}
	s.store.Idempotency = l
	if w, _ := s.withKey("k", "", sendReview); w.Body.String() != `{"data":{"send":"Review to 30"}}` || s.decisions != 1 {
		t.Errorf("the retry: %s", w.Body)
	}
}

// lossy stores notes and loses the connection.
type lossy struct{ *ledger }

func (l lossy) Note(ctx context.Context, user model.UserID, claim store.Claim, notes []byte) error {
	return errors.Join(l.ledger.Note(ctx, user, claim, notes), store.ErrOutcomeUnknown)
}

// Notes that cannot be read must not pass for none.
func TestBrokenNotesStopTheMutation(t *testing.T) {
	l := newLedger()
	s := newShop(t, l)
	s.hooks(func(ctx context.Context, _ string) error {
		notes, _ := model.NotesFrom(ctx)
		return notes.Note(ctx, "other", []byte("x"))
	}, nil)
	s.crash("k", sendReview)
	s.did()
	claim := slices.Collect(maps.Values(l.claims))[0]
	whole := claim.notes
	broken := map[string][]byte{
		"another version": append([]byte{whole[0] + 1}, whole[1:]...),
		"version nought":  append([]byte{0}, whole[1:]...),
		"cut":             whole[:len(whole)-1],
		"a name alone":    append(bytes.Clone(whole), 1, 'x'),
		"a rest":          append(bytes.Clone(whole), 0),
		"a name twice":    append(bytes.Clone(whole), whole[1:]...),
		"a length beyond": binary.AppendUvarint([]byte{whole[0]}, 1<<63),
		"an endless one":  append([]byte{whole[0]}, bytes.Repeat([]byte{0xff}, 20)...),
		"text":            []byte(`{"send":"secret"}`),
	}
	for name, notes := range broken {
		claim.notes = notes
		w, _ := s.withKey("k", "", sendReview)
		if answer := read(t, w); w.Code != 500 || answer.code() != "INTERNAL" || answer.Data != nil ||
			strings.Contains(w.Body.String(), "noted") {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	if done := s.did(); done != "" || s.decisions != 1 {
		t.Errorf("did %s", done)
	}
	if log := s.log.String(); !strings.Contains(log, "cannot be read") || strings.Contains(log, "secret") {
		t.Errorf("the log: %s", log)
	}
	claim.notes = whole
	if w, _ := s.withKey("k", "", sendReview); w.Body.String() != `{"data":{"send":"Review to 30"}}` {
		t.Errorf("the whole notes: %s", w.Body)
	}
}
