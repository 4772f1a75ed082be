package core

import (
	"context"
	"errors"
	"strings"
	"testing"

	"almanac/graph/model"
	"almanac/projections/naming"
)

// All matching of one operation together is bounded, whichever of its fields it is for, and ends with the context.
func TestMatchingIsBounded(t *testing.T) {
	names := make([]naming.Candidate[int], 2_100)
	for i := range names {
		names[i] = naming.Candidate[int]{ID: i, Name: strings.Repeat("אב גד הו ", 221)} // 1,989 letters
	}
	v := &Viewer{}
	looked := 0
	for range 106 {
		naming.Decide(naming.New("אב", naming.Task), names, naming.Rules{Spend: func(steps int) bool {
			looked++
			return v.Matching(t.Context())(steps)
		}})
	}
	if err := v.MatchingError(t.Context(), "input.texts"); model.CodeOf(err) != model.CodeBadUserInput {
		t.Errorf("beyond the bound: %v", err)
	}
	// Each text asks before it looks at a name and before it takes it apart; once refused it asks once more.
	if most := 2*MaxMatching/(46*len(names[0].Name)) + 106; looked > most {
		t.Errorf("%d looks at names, want at most %d", looked, most)
	}
	before := looked
	naming.Decide(naming.New("אב", naming.Task), names, naming.Rules{Spend: func(steps int) bool {
		looked++
		return v.Matching(t.Context())(steps)
	}})
	if looked != before+1 {
		t.Errorf("another field looks %d times more", looked-before)
	}

	fresh := &Viewer{}
	ctx, cancel := context.WithCancel(t.Context())
	if !fresh.Matching(ctx)(1) || fresh.MatchingError(ctx, "f") != nil {
		t.Error("nothing has been matched yet")
	}
	cancel()
	if fresh.Matching(ctx)(1) || !errors.Is(fresh.MatchingError(ctx, "f"), context.Canceled) {
		t.Error("it goes on when the context has ended")
	}
}

// What is matched is charged as it is done, to the user who has it done.
func TestMatchingIsCharged(t *testing.T) {
	t.Parallel()
	var charged int64
	dana := model.UserIDOf("dana")
	v := &Viewer{User: dana, worked: func(user model.UserID, cost int64) {
		if user != dana {
			t.Errorf("%v is charged", user)
		}
		charged += cost
	}}
	for range 35 {
		if !v.Matching(t.Context())(100_000) {
			t.Error("beyond the bound")
		}
	}
	if charged != 3*MatchingCost {
		t.Errorf("%d for three and a half million steps", charged)
	}
}

// Two hundred texts against five thousand tasks of a person are within the bound.
func TestAPersonsMatchingIsAffordable(t *testing.T) {
	names := make([]naming.Candidate[int], 5_000)
	for i := range names {
		names[i] = naming.Candidate[int]{ID: i,
			Name: [...]string{"buy milk and bread", "לקנות חלב", "call the plumber about the sink",
				"write to accountant"}[i%4]}
	}
	v := &Viewer{}
	for i := range 200 {
		text := [...]string{"renew passport", "לחדש דרכון", "pay the school", "water the plants"}[i%4]
		naming.Decide(naming.New(text, naming.Task), names, naming.Rules{Several: true, Spend: v.Matching(t.Context())})
	}
	if err := v.MatchingError(t.Context(), "input.texts"); err != nil {
		t.Errorf("%v after %d steps", err, v.matched.Load())
	}
	t.Logf("%d steps of %d", v.matched.Load(), MaxMatching)
}
