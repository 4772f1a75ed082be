package model_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"almanac/graph/model"
)

func TestUpstreamIsBounded(t *testing.T) {
	for range 1000 {
		if err := model.AskUpstream(t.Context(), model.UpstreamExa); err != nil {
			t.Fatalf("a worker is refused: %v", err)
		}
	}
	// What comes out of the operation's context counts with it; another operation begins anew.
	ctx := model.WithUpstream(t.Context(), 50)
	var asked, refused atomic.Int64
	var each sync.WaitGroup
	for range 200 {
		each.Go(func() {
			within, cancel := context.WithCancel(context.WithoutCancel(ctx))
			defer cancel()
			switch err := model.AskUpstream(within, model.UpstreamExa); model.CodeOf(err) {
			case "":
				asked.Add(1)
			case model.CodeQueryTooExpensive:
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	each.Wait()
	if asked.Load() != 50 || refused.Load() != 150 {
		t.Errorf("%d asked, %d refused", asked.Load(), refused.Load())
	}
	if err := model.AskUpstream(model.WithUpstream(ctx, 1), model.UpstreamExa); err != nil {
		t.Error(err)
	}
}

// What is asked before each question refuses it, and holds inside of a smaller bound too.
func TestQuestionsMayBeRefused(t *testing.T) {
	var asked []model.Upstream
	refused := model.Errorf(model.CodeRateLimited, "enough")
	ctx := model.WithUpstreamFor(t.Context(), 50, func(_ context.Context, system model.Upstream) error {
		if asked = append(asked, system); len(asked) > 2 {
			return refused
		}
		return nil
	})
	for i, in := range []context.Context{ctx, model.WithUpstream(ctx, 2), model.WithUpstream(ctx, 2)} {
		err := model.AskUpstream(in, model.UpstreamExa)
		if (i < 2) != (err == nil) || i == 2 && !errors.Is(err, refused) {
			t.Errorf("question %d: %v", i, err)
		}
	}
	if len(asked) != 3 {
		t.Errorf("%v were asked for", asked)
	}
}
