package google_test

import (
	"context"
	"math/rand/v2"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"almanac/adapters/google"
	"almanac/graph/model"
)

// fate is what happens to one request: whether it takes effect, and what is seen of it.
type fate struct {
	name    string
	applied bool
	step    step
}

func fates() []fate {
	return []fate{
		{"well", true, ok()},
		{"too fast", false, refusal(429, "usageLimits", "rateLimitExceeded", "slow")},
		{"too fast for one", false, refusal(403, "usageLimits", "userRateLimitExceeded", "slow")},
		{"rejected", false, refusal(400, "global", "invalid", "Invalid Value")},
		{"a bad token", false, refusal(401, "global", "authError", "Invalid Credentials")},
		{"a fault before", false, backend(503)},
		{"a fault after", true, backend(500)},
		{"HTML after", true, answer(502, map[string]string{"Content-Type": "text/html"}, "<html>")},
		{"lost before", false, broken(reset)},
		{"lost after", true, broken(reset)},
		{"lost after, traced", true, traced(reset, true)},
		{"never sent", false, traced(reset, false)},
		{"refused", false, broken(refused)},
		{"half an answer", true, cut(true)},
		{"silence", true, hang()},
		{"slow", true, after(3*sec, ok())},
		{"slow to refuse", false, after(3*sec, refusal(404, "global", "notFound", "Not Found"))},
	}
}

// Whatever happens to the requests of a write: it takes effect at most once unless its caller allowed more; a success
// took effect; an error that denies it did not; nothing is sent after the deadline, and the answer comes by then.
func TestWritesKeepTheirPromise(t *testing.T) {
	t.Parallel()
	chance := rand.New(rand.NewPCG(3, 11))
	all := fates()
	for range 1000 {
		repeat := google.Repeat(chance.IntN(3))
		within := time.Duration(chance.IntN(25_000)) * ms
		cancels := chance.IntN(4) == 0
		plan := make([]fate, 8)
		for i := range plan {
			plan[i] = all[chance.IntN(len(all))]
		}
		tired := chance.IntN(3) == 0 // the token endpoint
		synctest.Test(t, func(t *testing.T) {
			sent, applied := 0, 0
			s := newStage(t, func(req *http.Request) (*http.Response, error) {
				if req.Context().Err() != nil {
					t.Error("sent after its end")
				}
				f := plan[sent%len(plan)]
				sent++
				if f.applied {
					applied++
				}
				return f.step(req)
			})
			if tired {
				s.remote.oauth = backend(503)
			}
			ctx, cancel := context.WithTimeout(google.WithRepeat(t.Context(), repeat), within)
			defer cancel()
			if cancels {
				time.AfterFunc(within/2, cancel)
			}
			ctx, outcome := google.WithOutcome(ctx)
			_, err := s.do(ctx, "POST")

			var names []string
			for i := range sent {
				names = append(names, plan[i%len(plan)].name)
			}
			switch {
			case repeat != google.RepeatAlways && applied > 1:
				t.Errorf("policy %d: applied %d times by %q", repeat, applied, names)
			case err == nil && applied == 0:
				t.Errorf("a success that never was, by %q", names)
			case err == nil && outcome.MayHaveBeenApplied():
				t.Errorf("a success that is in doubt, by %q", names)
			case err != nil && applied > 0 && !google.MayHaveBeenApplied(err):
				t.Errorf("policy %d: %v denies what was applied by %q", repeat, err, names)
			case err != nil && outcome.MayHaveBeenApplied() != google.MayHaveBeenApplied(err):
				t.Errorf("the outcome says %v, the error %v, by %q: %v", outcome.MayHaveBeenApplied(),
					google.MayHaveBeenApplied(err), names, err)
			case outcome.Attempts() != sent:
				t.Errorf("%d attempts are told of, %d were made", outcome.Attempts(), sent)
			case sent > 5:
				t.Errorf("%d requests for one call", sent)
			}
			if took := time.Since(s.remote.began); took > min(within, 20*sec) {
				t.Errorf("it took %v of %v, by %q", took, within, names)
			}
			if err != nil {
				classes(t, err, model.CodeOf(err))
			}
			// A renewal outlives its caller, by 20 s at most; the bubble fails if it is still there.
			time.Sleep(20 * sec)
		})
	}
}
