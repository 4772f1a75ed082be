package websets

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/httpapi/edge"
	"almanac/projections"
	"almanac/resolvers/core"
)

// quietStore has one user, and a change log that a test writes.
type quietStore struct {
	store.Store
	signals chan struct{}

	mu    sync.Mutex
	lines []model.Change
}

func (s *quietStore) Watch(model.UserID) (<-chan struct{}, func()) { return s.signals, func() {} }

func (s *quietStore) WatchSettings(model.UserID) (<-chan struct{}, func()) { return nil, func() {} }

func (s *quietStore) EnsureUser(_ context.Context, u model.User) (model.User, error) {
	return u, nil
}

func (s *quietStore) ChangeHead(context.Context, model.UserID) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return int64(len(s.lines)), nil
}

func (s *quietStore) Changes(_ context.Context, _ model.UserID, after int64, _ []model.ChangeType,
	_ int) ([]model.Change, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.lines[max(after, 0):]), nil
}

// tell appends a change of a webset, as a webhook does.
func (s *quietStore) tell(webset string) {
	id := model.WebsetRef{Kind: model.KindWebset, ID: webset}.PublicID()
	s.mu.Lock()
	s.lines = append(s.lines, model.Change{Seq: int64(len(s.lines) + 1), Type: model.ChangeWebset, ID: id.UUID,
		Remote: id.Remote})
	s.mu.Unlock()
	s.signals <- struct{}{}
}

// heard is one answer of a waiting, and when it came.
type heard struct {
	state string
	done  bool
	code  model.ErrorCode
	after time.Duration
}

// followed runs a waiting in a bubble of its own: state gives what Exa says so long after the start; tells is, if it is
// not 0, when the change log tells of another webset and of this one. It gives what was heard, and when Exa was asked.
func followed(t *testing.T, seconds int32, state func(time.Duration) (string, error),
	tells time.Duration) (answers []heard, asked []time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		s := &quietStore{signals: make(chan struct{}, 1)}
		settings := core.NewSettingsCache(s)
		defer settings.Close()
		r := &Resolver{Base: &core.Base{Store: s, Now: time.Now,
			Defaults: model.Settings{TimeZone: "UTC", Locale: "en"}, Settings: settings}}
		v, err := r.ViewerOf(t.Context(), model.Caller{UserID: model.UserIDOf("alice"), Subject: "alice"}, edge.Hints{})
		if err != nil {
			t.Fatal(err)
		}
		out, err := await(t.Context(), r, v, seconds, exaWaiting[string]{
			ask: func(context.Context) (string, error) {
				asked = append(asked, time.Since(begun))
				return state(time.Since(begun))
			},
			state: func(s string) string { return s },
			done:  func(s string) bool { return s == "idle" },
			about: func(line model.Change) bool { return aboutWebset(line, "ws_1") },
			late:  tooLate("it", seconds),
		}, func(now string, done bool, err error, _ *projections.Moment) heard {
			return heard{now, done, model.CodeOf(err), time.Since(begun)}
		})
		if err != nil {
			t.Fatal(err)
		}
		if tells > 0 {
			go func() {
				time.Sleep(tells)
				s.tell("ws_2")
				time.Sleep(time.Millisecond)
				s.tell("ws_1")
			}()
		}
		for one := range out {
			answers = append(answers, one)
		}
	})
	return answers, asked
}

func TestWaitingEndsWithWhatIsWaitedFor(t *testing.T) {
	t.Parallel()
	answers, asked := followed(t, 300, func(after time.Duration) (string, error) {
		switch {
		case after < 9*time.Second:
			return "running 1", nil
		case after < time.Minute:
			return "running 2", nil
		default:
			return "idle", nil
		}
	}, 0)
	var states []string
	for _, a := range answers {
		states = append(states, a.state)
	}
	if last := answers[len(answers)-1]; !slices.Equal(states, []string{"running 1", "running 2", "idle"}) || !last.done ||
		last.code != "" || last.after > time.Minute+pollLast {
		t.Errorf("heard %+v", answers)
	}
	for i := 1; i < len(asked); i++ {
		if gap := asked[i] - asked[i-1]; gap < pollFirst || gap > pollLast {
			t.Errorf("asked %v after %v", gap, asked[i-1])
		}
	}
}

func TestWaitingIsWokenByTheChangeLog(t *testing.T) {
	t.Parallel()
	answers, _ := followed(t, 300, func(after time.Duration) (string, error) {
		if after >= 100*time.Second {
			return "idle", nil
		}
		return "running", nil
	}, 100*time.Second)
	if last := answers[len(answers)-1]; !last.done || last.after > 102*time.Second {
		t.Errorf("heard %+v", answers)
	}
}

func TestWaitingEndsWithAnError(t *testing.T) {
	t.Parallel()
	gone := model.NotFound("id", "you have no webset")
	away := model.Errorf(model.CodeUpstreamUnavailable, "Exa is away")
	for name, c := range map[string]struct {
		state func(time.Duration) (string, error)
		code  model.ErrorCode
		least time.Duration
	}{
		"too late": {func(time.Duration) (string, error) { return "running", nil }, model.CodeTimeout, 60 * time.Second},
		"deleted": {func(after time.Duration) (string, error) {
			if after > 0 {
				return "", gone
			}
			return "running", nil
		}, model.CodeNotFound, pollFirst},
		"away for good": {func(after time.Duration) (string, error) {
			if after > 0 {
				return "", away
			}
			return "running", nil
		}, model.CodeUpstreamUnavailable, 4 * pollFirst},
	} {
		answers, _ := followed(t, 60, c.state, 0)
		if last := answers[len(answers)-1]; len(answers) != 2 || last.code != c.code || last.done || last.after < c.least ||
			last.state != "running" {
			t.Errorf("%s: heard %+v", name, answers)
		}
	}
}

func TestAShortTroubleDoesNotEndAWaiting(t *testing.T) {
	t.Parallel()
	answers, _ := followed(t, 120, func(after time.Duration) (string, error) {
		switch {
		case after == 0:
			return "running", nil
		case after < 8*time.Second:
			return "", model.Errorf(model.CodeUpstreamRateLimited, "too fast")
		default:
			return "idle", nil
		}
	}, 0)
	if last := answers[len(answers)-1]; len(answers) != 2 || !last.done {
		t.Errorf("heard %+v", answers)
	}
}

func TestWaitingWantsATimeThatIsAllowed(t *testing.T) {
	t.Parallel()
	for _, seconds := range []int32{-1, 0, maxWaitSeconds + 1} {
		_, err := await(t.Context(), nil, nil, seconds, exaWaiting[string]{},
			func(string, bool, error, *projections.Moment) heard { return heard{} })
		if model.CodeOf(err) != model.CodeBadUserInput {
			t.Errorf("%d: %v", seconds, err)
		}
	}
}
