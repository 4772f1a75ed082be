package graphiti

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph/model"
)

// FindEpisodes implements knowledge.EpisodeReader. The server gives them in no order of time, so all are asked for, up
// to model.MaxSearchDepth; when those are not all, their number is not told.
func (b *Base) FindEpisodes(ctx context.Context, user model.UserID,
	ask knowledge.EpisodeAsk) (knowledge.Answer[model.Episode], error) {
	none := knowledge.Answer[model.Episode]{}
	after, err := readPlace(ask.Page.After)
	if err != nil {
		return none, err
	}
	if err := model.AskUpstream(ctx, model.UpstreamGraphiti); err != nil {
		return none, err
	}
	episodes, all, err := b.allEpisodes(ctx, b.groupOf(user))
	if err != nil {
		return none, err
	}
	episodes = slices.DeleteFunc(episodes, func(e model.Episode) bool {
		w := ask.Where
		return len(w.Sources) > 0 && !slices.Contains(w.Sources, e.Source) ||
			len(w.States) > 0 && !slices.Contains(w.States, e.State) || !within(e.ReferenceTime, w.From, w.To)
	})
	answer := listed(episodes, ask.Page, after, episodePlace, latestFirst)
	if total := len(episodes); ask.Total && all {
		answer.Total = &total
	}
	return answer, nil
}

// EpisodesByID implements knowledge.EpisodeReader. Nothing is found by an episode's id, so all are listed.
func (b *Base) EpisodesByID(ctx context.Context, user model.UserID, ids []model.ID,
	_ store.EpisodeColumns) (map[model.ID]model.Episode, error) {
	there := map[model.ID]model.Episode{}
	if !slices.ContainsFunc(ids, func(id model.ID) bool { _, ok := refOf(id, model.KindEpisode); return ok }) {
		return there, nil
	}
	if err := model.AskUpstream(ctx, model.UpstreamGraphiti); err != nil {
		return nil, err
	}
	episodes, _, err := b.allEpisodes(ctx, b.groupOf(user))
	if err != nil {
		return nil, err
	}
	for _, e := range episodes {
		if slices.Contains(ids, e.ID) {
			there[e.ID] = e
		}
	}
	return there, nil
}

// Contents implements knowledge.EpisodeReader; nil where the server is too old to tell.
func (b *Base) Contents(ctx context.Context, user model.UserID, episode model.ID, limit int, ends store.EntityColumns,
	want store.FactWant) (*knowledge.Contents, error) {
	ref, ok := refOf(episode, model.KindEpisode)
	if !ok {
		return nil, noEpisode()
	}
	if err := model.AskUpstream(ctx, model.UpstreamGraphiti); err != nil {
		return nil, err
	}
	group := b.groupOf(user)
	read, offered, err := b.parts(ctx, group, []string{ref.UUID})
	if err != nil {
		return nil, err
	}
	if len(read.entities)+len(read.facts) == 0 {
		// It says nothing, or is not the user's.
		if there, err := b.hasEpisode(ctx, group, ref.UUID); err != nil || !there {
			return nil, cmp.Or(err, noEpisode())
		}
	}
	if !offered {
		return nil, nil //nolint:nilnil // nil says that the base does not tell
	}
	slices.SortFunc(read.entities, func(a, b model.Entity) int { return byName(entityPlace(&a), entityPlace(&b)) })
	slices.SortFunc(read.facts, func(a, b model.Fact) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.SourceID, b.SourceID))
	})
	contents := &knowledge.Contents{Entities: read.entities[:min(limit, len(read.entities))],
		Facts: read.facts[:min(limit, len(read.facts))]}
	markRead(contents.Facts, episode)
	return contents, b.nameEnds(ctx, group, contents.Facts, want.Ends|ends)
}

func (b *Base) hasEpisode(ctx context.Context, group, uuid string) (bool, error) {
	episodes, _, err := b.allEpisodes(ctx, group)
	return slices.ContainsFunc(episodes, func(e model.Episode) bool { return e.SourceID == uuid }), err
}

func noEpisode() error { return model.Errorf(model.CodeNotFound, "there is no episode with this id") }
