package extract_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"almanac/graph/model"
	"almanac/internal/extract"
	standin "almanac/internal/standin/openai"
)

// long is an episode of several parts, each of which tells one thing.
func long(parts int) string {
	var b strings.Builder
	for i := range parts {
		fmt.Fprintf(&b, "Person%c works at Firm%c.\n\n%s\n\n", 'A'+i, 'A'+i, strings.Repeat("and so on and on and on. ", 200))
	}
	return b.String()
}

// A process that dies before or after any of its calls leaves the episode to the next one, which reads it anew when the
// lease has ended; what was written is written once.
func TestCrashes(t *testing.T) {
	for _, call := range []string{"ClaimEpisodes", "User", "EntitiesByName", "FactsAround", "SearchEntities", "Write",
		"AddExtracted"} {
		for _, late := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s late=%v", call, late), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := &fakeStore{}
					s.know("Acme", "Organization")
					h := newFixture(t, s, standin.Options{})
					h.endpoint.Inject(standin.Fault{Latency: 150 * time.Second}) // so that the lease is renewed
					id := s.add(dana, model.EpisodeText, "Dana works at Acme.\n\n"+long(4))
					var dead, struck atomic.Bool
					die := func(name string, now bool) error {
						if dead.Load() {
							return errFakeStore
						}
						if name == call && now {
							dead.Store(true)
							struck.Store(true)
							return errFakeStore
						}
						return nil
					}
					s.before = func(name string) error { return die(name, !late) }
					s.after = func(name string) error { return die(name, late) }
					stop := h.run()
					time.Sleep(30 * time.Minute)
					stop()
					if !struck.Load() {
						t.Fatal("nothing died")
					}
					s.before, s.after = nil, nil
					next := newFixture(t, s, standin.Options{})
					stop = next.run()
					time.Sleep(15 * time.Minute)
					stop()
					w := s.writings()
					if e := s.episode(id); e.State != model.EpisodeExtracted || len(w) != 1 || len(w[0].Facts) != 5 {
						t.Errorf("it is %+v, written %d times", e, len(w))
					}
				})
			})
		}
	}
}

// Each call of the store may fail once, without the process dying: the episode is read all the same, and written once.
func TestTheStoreFails(t *testing.T) {
	for _, call := range []string{"ClaimEpisodes", "User", "EntitiesByName", "FactsAround", "SearchEntities", "Write",
		"AddExtracted"} {
		for _, late := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s late=%v", call, late), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := &fakeStore{}
					s.know("Acme", "Organization")
					h := newFixture(t, s, standin.Options{})
					h.endpoint.Inject(standin.Fault{Latency: 150 * time.Second, Times: 10})
					id := s.add(dana, model.EpisodeText, "Dana works at Acme.\n\n"+long(4))
					var failed atomic.Bool
					fail := func(name string, now bool) error {
						if name == call && now && failed.CompareAndSwap(false, true) {
							return errFakeStore
						}
						return nil
					}
					s.before = func(name string) error { return fail(name, !late) }
					s.after = func(name string) error { return fail(name, late) }
					stop := h.run()
					time.Sleep(time.Hour)
					stop()
					w := s.writings()
					if e := s.episode(id); !failed.Load() || e.State != model.EpisodeExtracted || e.Problem != "" || len(w) != 1 {
						t.Errorf("it is %+v, written %d times", e, len(w))
					}
				})
			})
		}
	}
}

// A panic while an episode is read is an attempt like any other, and stops nobody else.
func TestPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &fakeStore{}
		h := newFixture(t, s, standin.Options{})
		var n atomic.Int32
		s.before = func(name string) error {
			if name == "User" && n.Add(1) == 1 {
				panic("of this test")
			}
			return nil
		}
		s.add(dana, model.EpisodeText, "Dana works at Acme.")
		s.add(dana, model.EpisodeText, "Dani works at Acme.")
		stop := h.run()
		time.Sleep(10 * time.Second)
		if len(s.writings()) != 1 {
			t.Errorf("%d were written", len(s.writings()))
		}
		time.Sleep(10 * time.Minute)
		stop()
		if len(s.writings()) != 2 {
			t.Errorf("%d were written", len(s.writings()))
		}
	})
}

// An episode that is erased, or asked to be read anew, while it is read: what was read of it is thrown away, and the
// model is not asked about its other parts for longer than needed.
func TestOvertaken(t *testing.T) {
	for name, c := range map[string]struct {
		meddle func(s *fakeStore, id model.ID)
		want   model.EpisodeState
		kept   int
	}{
		"erased": {func(s *fakeStore, _ model.ID) { s.mu.Lock(); s.episodes = nil; s.mu.Unlock() }, "", 0},
		"claimed": {func(s *fakeStore, id model.ID) { s.change(id, func(e *model.Episode) { e.Attempts = 7 }) },
			model.EpisodeQueued, 0},
		"read": {func(s *fakeStore, id model.ID) {
			s.change(id, func(e *model.Episode) { e.State = model.EpisodeExtracted })
		},
			model.EpisodeExtracted, 0},
	} {
		for _, parts := range []int{1, 8} {
			t.Run(fmt.Sprint(name, parts), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := &fakeStore{}
					h := newFixture(t, s, standin.Options{})
					h.endpoint.Inject(standin.Fault{Latency: 100 * time.Second})
					id := s.add(dana, model.EpisodeText, long(parts))
					stop := h.run()
					time.Sleep(20 * time.Second)
					c.meddle(s, id)
					time.Sleep(9 * time.Minute)
					stop()
					if len(s.writings()) != c.kept || s.episode(id).State != c.want || h.outcomes()[extract.OutcomeOvertaken] != 1 {
						t.Errorf("it is %+v, outcomes %v", s.episode(id), h.outcomes())
					}
					if n := len(h.endpoint.Requests()); n > 3 {
						t.Errorf("asked %d times", n)
					}
					h.private()
				})
			})
		}
	}
}

// A long episode is read in parts that know of each other, under one lease that is renewed, and written once.
func TestLongEpisodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &fakeStore{}
		one, two := newFixture(t, s, standin.Options{}), newFixture(t, s, standin.Options{})
		one.endpoint.Inject(standin.Fault{Latency: 170 * time.Second})
		id := s.add(dana, model.EpisodeText, long(12))
		stopOne := one.run()
		time.Sleep(10 * time.Second)
		stopTwo := two.run()
		time.Sleep(50 * time.Minute)
		stopOne()
		stopTwo()
		w := s.writings()
		if len(w) != 1 || len(w[0].Facts) != 12 || len(w[0].Entities) != 24 || w[0].Attempt != 1 ||
			len(two.endpoint.Requests()) != 0 {
			t.Fatalf("written %d times, another process asked %d times", len(w), len(two.endpoint.Requests()))
		}
		chats := one.endpoint.Chats()
		if len(chats) < 10 || !strings.Contains(chats[0].Said("user"), fmt.Sprintf("This is part 1 of %d", len(chats))) ||
			!strings.Contains(chats[3].Said("user"), `{"name":"PersonA","type":"Person"}`) {
			t.Errorf("asked %d times: %s", len(chats), chats[3].Said("user")[:500])
		}
		if s.saves < 3 || s.saves > 8 {
			t.Errorf("the lease was renewed %d times", s.saves)
		}
		if e := s.episode(id); e.State != model.EpisodeExtracted {
			t.Errorf("it is %+v", e)
		}
	})
}

// Where the model can take or give less than was thought, parts are halved, down to a least size.
func TestTooMuchAtOnce(t *testing.T) {
	for name, options := range map[string]standin.Options{
		"the answer is cut off": {ChatModels: map[string]standin.ChatFacts{
			"gpt-4o-mini": {Forms: []string{"json_schema"}, Tokens: []string{"max_tokens"}, Temperature: true}}},
		"the text is too long": {ChatModels: map[string]standin.ChatFacts{"gpt-4o-mini": {Forms: []string{"json_schema"},
			Tokens: []string{"max_tokens"}, Temperature: true, Context: 3400}}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newFixture(t, &fakeStore{}, options)
				h.extractor.AnswerTokens = 800
				var text strings.Builder
				for i := range 40 {
					fmt.Fprintf(&text, "Person%c%c works at Firm%c%c. ", 'A'+i/20, 'a'+i%20, 'A'+i/20, 'a'+i%20)
				}
				if strings.Contains(name, "long") {
					h.extractor.AnswerTokens, h.extractor.PartTokens = 900, 8000
					text.WriteString(strings.Repeat("and on it goes, and on. ", 300))
				}
				h.store.add(dana, model.EpisodeText, text.String())
				stop := h.run()
				time.Sleep(10 * time.Second)
				stop()
				w := h.store.writings()
				if len(w) != 1 || len(w[0].Facts) != 40 {
					t.Fatalf("written %d times: %s\n%s", len(w), h.store.episodes[0].Problem, h.log.String())
				}
				if n := len(h.endpoint.Requests()); n < 3 || n > 40 {
					t.Errorf("asked %d times", n)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) { // what cannot be made small enough is given up
		h := newFixture(t, &fakeStore{}, standin.Options{})
		h.endpoint.Inject(standin.Fault{Finish: "length"})
		id := h.store.add(dana, model.EpisodeText, long(3))
		stop := h.run()
		time.Sleep(8 * time.Hour)
		stop()
		if e := h.store.episode(id); e.State != model.EpisodeFailed || e.Attempts != 4 || len(h.endpoint.Requests()) > 40 {
			t.Errorf("it is %v after %d requests", e.State, len(h.endpoint.Requests()))
		}
	})
}
