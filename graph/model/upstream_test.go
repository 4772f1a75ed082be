package model_test

import (
	"context"
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
