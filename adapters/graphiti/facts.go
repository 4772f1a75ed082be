package graphiti

import (
	"context"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph/model"
)

// factFilter is what facts are held against here. Time and At of where are apart, so that what they leave out can be
// counted.
type factFilter struct {
	where store.FactWhere
	// ends are uuids: each must be at an end; two are one at each.
	ends    []string
	episode model.ID
}

// filterOf reads what an ask filters by; false when it asks for what cannot be here, such as an id of the own store.
func filterOf(ask *knowledge.FactAsk) (factFilter, []model.KnowledgeRef, bool) {
	f := factFilter{where: ask.Where, episode: ask.Episode}
	ids := ask.Between
	if ask.Entity != (model.ID{}) {
		ids = append(slices.Clone(ids), ask.Entity)
	}
	var refs []model.KnowledgeRef
	for _, id := range ids {
		ref, ok := refOf(id, model.KindEntity)
		if !ok {
			return f, nil, false
		}
		refs, f.ends = append(refs, ref), append(f.ends, ref.UUID)
	}
	if ask.Episode != (model.ID{}) {
		if _, ok := refOf(ask.Episode, model.KindEpisode); !ok {
			return f, nil, false
		}
	}
	if len(ask.Between) == 2 && refs[0].UUID == refs[1].UUID {
		return f, nil, false
	}
	return f, refs, true
}

// fits reports whether a fact passes all but the question of time.
func (f *factFilter) fits(fact *model.Fact) bool {
	for _, uuid := range f.ends {
		if fact.Source.SourceID != uuid && fact.Target.SourceID != uuid {
			return false
		}
	}
	w := &f.where
	if len(w.Relations) > 0 && !slices.Contains(w.Relations, fact.Relation) ||
		f.episode != (model.ID{}) && !slices.Contains(fact.Episodes, f.episode) {
		return false
	}
	began := fact.ValidAt
	if !w.ValidFrom.IsZero() && (began.IsZero() || began.Before(w.ValidFrom)) ||
		!w.ValidTo.IsZero() && !began.IsZero() && !began.Before(w.ValidTo) {
		return false
	}
	return within(fact.CreatedAt, w.CreatedFrom, w.CreatedTo)
}

// inTime reports whether a fact passes the question of time. It is asked here alone: the server's filters by date leave
// out facts without the date, which hold from always, or still.
func (f *factFilter) inTime(fact *model.Fact) bool {
	switch f.where.Time {
	case store.FactsHolding:
		return fact.HoldsAt(f.where.At)
	case store.FactsNotHolding:
		return !fact.HoldsAt(f.where.At)
	default:
		return true
	}
}

// sieve keeps what passes, and counts what only time left out.
func (f *factFilter) sieve(all []model.Fact) (kept []model.Fact, suppressed int) {
	for i := range all {
		switch {
		case !f.fits(&all[i]):
		case f.inTime(&all[i]):
			kept = append(kept, all[i])
		default:
			suppressed++
		}
	}
	return kept, suppressed
}

// isNarrow reports whether what is found will mostly not pass, so that more should be asked for.
func (f *factFilter) isNarrow() bool {
	w := &f.where
	return len(f.ends) > 0 || f.episode != (model.ID{}) || w.Time == store.FactsNotHolding || !w.ValidFrom.IsZero() ||
		!w.ValidTo.IsZero() || !w.CreatedFrom.IsZero() || !w.CreatedTo.IsZero()
}

// FindFacts implements knowledge.Searcher. With a text it is the server's search; at an entity, a search around it; of
// an episode, what was read from it; otherwise what was read from all episodes, in which case the facts' own episodes
// are not told.
func (b *Base) FindFacts(ctx context.Context, user model.UserID,
	ask knowledge.FactAsk) (knowledge.Answer[model.Fact], error) {
	none := knowledge.Answer[model.Fact]{}
	after, err := readPlace(ask.Page.After)
	if err != nil {
		return none, err
	}
	filter, refs, possible := filterOf(&ask)
	if !possible {
		return none, nil
	}
	if err := model.AskUpstream(ctx, model.UpstreamGraphiti); err != nil {
		return none, err
	}
	group := b.groupOf(user)
	var answer knowledge.Answer[model.Fact]
	if ask.Text != "" {
		kept, suppressed, err := b.sift(ctx, group, &filter, factSearch{text: ask.Text, center: centerOf(refs)},
			needed(ask.Page, after))
		if err != nil {
			return none, err
		}
		answer = found(kept, ask.Page, after)
		answer.Suppressed = suppressed
	} else {
		all, err := b.listFacts(ctx, group, &filter, refs)
		if err != nil {
			return none, err
		}
		kept, suppressed := filter.sieve(all)
		answer = listed(kept, ask.Page, after, factPlace, latestFirst)
		answer.Suppressed = suppressed
	}
	if !ask.Suppressed {
		answer.Suppressed = 0
	}
	return answer, b.nameHits(ctx, group, answer.Hits, ask.Want.Ends)
}

func centerOf(refs []model.KnowledgeRef) string {
	if len(refs) == 0 {
		return ""
	}
	return refs[0].UUID
}

// nameHits names the ends of a page's facts.
func (b *Base) nameHits(ctx context.Context, group string, hits []knowledge.Hit[model.Fact],
	want store.EntityColumns) error {
	facts := make([]model.Fact, len(hits))
	for i := range hits {
		facts[i] = hits[i].Item
	}
	if err := b.nameEnds(ctx, group, facts, want); err != nil {
		return err
	}
	for i := range hits {
		hits[i].Item = facts[i]
	}
	return nil
}

// sift searches for so many facts that pass, by asking for more and more up to model.MaxSearchDepth.
func (b *Base) sift(ctx context.Context, group string, filter *factFilter, q factSearch,
	need int) (kept []model.Fact, suppressed int, err error) {
	const grow = 4
	q.relations, q.validFrom, q.validTo = filter.where.Relations, filter.where.ValidFrom, filter.where.ValidTo
	q.most = 2 * need // some will not hold
	if filter.isNarrow() {
		q.most = grow * grow * need
	}
	for {
		q.most = min(q.most, model.MaxSearchDepth)
		all, more, err := b.searchFacts(ctx, group, q)
		if isTooLarge(err) && q.most > need {
			q.most = need
			continue
		}
		if err != nil {
			return nil, 0, err
		}
		kept, suppressed = filter.sieve(all)
		if len(kept) >= need || !more || q.most >= model.MaxSearchDepth {
			return kept, min(suppressed, model.MaxSuppressedSearch), nil
		}
		q.most *= grow
	}
}

// listFacts returns all that can be found of what a filter wants.
func (b *Base) listFacts(ctx context.Context, group string, filter *factFilter,
	refs []model.KnowledgeRef) ([]model.Fact, error) {
	switch {
	case filter.episode != (model.ID{}):
		ref, _ := refOf(filter.episode, model.KindEpisode) // filterOf has seen to it
		read, offered, err := b.parts(ctx, group, []string{ref.UUID})
		if err == nil && !offered {
			err = notConfigured("this Graphiti server cannot tell what was read from an episode")
		}
		markRead(read.facts, filter.episode)
		return read.facts, err
	case len(refs) > 0:
		var names []string
		for _, ref := range refs {
			if name := b.nameOf(group, ref); name != "" {
				names = append(names, name)
			}
		}
		if len(names) == 0 {
			return nil, nil
		}
		all, _, err := b.searchFacts(ctx, group, factSearch{
			text: strings.Join(names, " "), most: model.MaxSearchDepth, center: refs[0].UUID, relations: filter.where.Relations,
		})
		return all, err
	default:
		all, err := b.everything(ctx, group)
		return all.facts, err
	}
}

// markRead notes that facts were read from an episode: the answer that told them does not say.
func markRead(facts []model.Fact, episode model.ID) {
	for i := range facts {
		if len(facts[i].Episodes) == 0 {
			facts[i].Episodes = []model.ID{episode}
		}
	}
}

// nameOf is the name to look for an entity by; empty when nobody knows.
func (b *Base) nameOf(group string, ref model.KnowledgeRef) string {
	if ref.Name != "" {
		return ref.Name
	}
	if known, ok := b.names.get(group, ref.UUID, b.now()); ok && known.Name != ref.UUID {
		return known.Name
	}
	return ""
}

// now is the clock's time, also before the first call.
func (b *Base) now() time.Time {
	b.once.Do(b.prepare)
	return b.Now()
}

// FactsAround implements knowledge.Searcher: one search around each entity, several at a time, of at most Limits.Pool
// entities.
func (b *Base) FactsAround(ctx context.Context, user model.UserID,
	around knowledge.Around) (facts []model.Fact, more bool, err error) {
	b.once.Do(b.prepare)
	group := b.groupOf(user)
	var refs []model.KnowledgeRef
	for _, id := range around.Entities {
		ref, ok := refOf(id, model.KindEntity)
		if !ok || slices.ContainsFunc(refs, func(other model.KnowledgeRef) bool { return other.UUID == ref.UUID }) {
			continue
		}
		if ref.Name = b.nameOf(group, ref); ref.Name == "" || len(refs) == b.Limits.Pool {
			more = true
			continue
		}
		refs = append(refs, ref)
	}
	if len(refs) == 0 {
		return nil, more, nil
	}
	if err := model.AskUpstream(ctx, model.UpstreamGraphiti); err != nil {
		return nil, false, err
	}
	each := make([][]model.Fact, len(refs))
	cut := make([]bool, len(refs))
	workers, within := errgroup.WithContext(ctx)
	workers.SetLimit(atOnce)
	for i, ref := range refs {
		workers.Go(func() error {
			filter := factFilter{where: store.FactWhere{Time: around.Where.Time, At: around.Where.At,
				Relations: around.Where.Relations}, ends: []string{ref.UUID}}
			const atLeast = 50
			q := factSearch{text: ref.Name, center: ref.UUID}
			kept, _, err := b.sift(within, group, &filter, q, min(max(around.PerEntity+1, atLeast), model.MaxSearchDepth))
			if err != nil {
				return err
			}
			sortLatest(kept)
			cut[i] = len(kept) > around.PerEntity
			each[i] = kept[:min(len(kept), around.PerEntity)]
			return nil
		})
	}
	if err := workers.Wait(); err != nil {
		return nil, false, err
	}
	facts = once(slices.Concat(each...), factUUID)
	sortLatest(facts)
	more = more || slices.Contains(cut, true) || len(facts) > around.Limit
	facts = facts[:min(len(facts), around.Limit)]
	return facts, more, b.nameEnds(ctx, group, facts, around.Want.Ends)
}

func sortLatest(facts []model.Fact) {
	slices.SortFunc(facts, func(a, b model.Fact) int { return latestFirst(factPlace(&a), factPlace(&b)) })
}

// FactsByID implements knowledge.Reader: one call for each id, several at a time.
func (b *Base) FactsByID(ctx context.Context, user model.UserID, ids []model.ID,
	want store.FactWant) (map[model.ID]model.Fact, error) {
	group := b.groupOf(user)
	there, err := byID(ctx, ids, model.KindFact,
		func(ctx context.Context, ref model.KnowledgeRef) (model.Fact, bool, error) {
			return b.edge(ctx, group, ref.UUID)
		})
	if err != nil || len(there) == 0 {
		return there, err
	}
	facts, order := make([]model.Fact, 0, len(there)), make([]model.ID, 0, len(there))
	for id, f := range there {
		facts, order = append(facts, f), append(order, id)
	}
	if err := b.nameEnds(ctx, group, facts, want.Ends); err != nil {
		return nil, err
	}
	for i, id := range order {
		there[id] = facts[i]
	}
	return there, nil
}
