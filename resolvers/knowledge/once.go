package knowledge

import (
	"context"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/dryrun"
	"almanac/resolvers/core"
)

// writeKnowledge runs a write of the graph so that a repetition under the same Idempotency-Key has one effect and tells
// the same. On a base that takes part in transactions that is once; a remote one is asked, and what makes a repetition
// harmless there is the base's affair (it finds the request's seed in the context). T is as in once.
func writeKnowledge[T any](ctx context.Context, r *Resolver, v *core.Viewer,
	work func(ctx context.Context) (T, error)) (T, error) {
	if !r.KnowledgeBase.Facts().Transactional {
		return work(ctx)
	}
	outcome, again, err := core.Earlier[T](ctx, r.Base, v)
	if err != nil || again {
		return outcome, err
	}
	outcome, err = core.Once(ctx, r.Base, v, func(ctx context.Context, _ store.Tx) (T, error) { return work(ctx) })
	if err == nil && !dryrun.Is(ctx) {
		r.knowledgeCommitted()
	}
	return outcome, err
}

// knowledgeCommitted has a base's workers look for what was left to them, now that they can see it.
func (r *Resolver) knowledgeCommitted() {
	if base, waits := r.KnowledgeBase.(interface{ Committed() }); waits {
		base.Committed()
	}
}

// idText is an id as it stands in what is noted: as erasures look for it. Empty for none.
func idText(id model.ID) string {
	if id == (model.ID{}) {
		return ""
	}
	return id.String()
}
