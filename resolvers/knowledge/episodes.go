package knowledge

import (
	"context"
	"strings"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/resolvers/core"
)

// episodeKept is what came of adding an episode. Message is what a remote says of it.
type episodeKept struct {
	ID      string `json:"id,omitempty"`
	Known   bool   `json:"known,omitempty"`
	Message string `json:"message,omitempty"`
}

// AddEpisode adds something that happened or was said.
func (r *Resolver) AddEpisode(ctx context.Context, in graph.AddEpisodeInput) (*graph.AddEpisodePayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.AddEpisodePayload{Context: noKnowledge(), UserErrors: []model.UserError{}}
	kept, err := writeKnowledge(ctx, r, v, func(ctx context.Context) (episodeKept, error) {
		episode, err := readEpisode(v, in)
		if err != nil {
			return episodeKept{}, err
		}
		// the own store makes one itself; a Graphiti server would keep none
		if episode.Name == "" && !r.KnowledgeBase.Facts().Transactional {
			first, _, _ := strings.Cut(episode.Content, "\n")
			episode.Name = model.Clip(cleanLine(first))
		}
		added, err := r.KnowledgeBase.AddEpisode(ctx, v.User, knowledge.NewEpisode{Episode: episode, Now: v.Now})
		if err != nil {
			return episodeKept{}, core.AtField(err, "input")
		}
		return episodeKept{ID: idText(added.Episode.ID), Known: added.Known, Message: added.Message}, nil
	})
	if err == nil {
		err = r.showEpisode(ctx, v, kept, out)
	}
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
	}
	return out, nil
}

// showEpisode fills the payload with the episode as it is now.
func (r *Resolver) showEpisode(ctx context.Context, v *core.Viewer, kept episodeKept,
	out *graph.AddEpisodePayload) error {
	if kept.Message != "" {
		out.Message = &kept.Message
	}
	if kept.ID == "" { // a remote has queued it
		queued := model.EpisodeQueued
		out.State, out.Context.IsEmpty, out.Context.IsNew = &queued, false, !kept.Known
		return nil
	}
	id, err := model.ParseID(kept.ID)
	if err != nil {
		return err
	}
	// it was written: that it is new is told, whether it can be read by now or not
	if !r.KnowledgeBase.Facts().Transactional {
		r.logKnowledge(ctx, v, createdUnless(kept.Known, model.ChangeEpisode, id))
	}
	asked := core.Answered(ctx).Under("episode", "Episode")
	columns := episodeColumns(asked)
	if core.Answered(ctx).Has("state") {
		columns |= store.EpisodeProgress
	}
	episode, err := r.oneEpisode(ctx, v, "", id, columns)
	if model.CodeOf(err) == model.CodeNotFound {
		return model.NotFound("input", "this request was carried out before; the episode %s has been erased since", id)
	}
	if err != nil {
		return err
	}
	view := episodeAt(v, episode)
	out.Episode, out.State, out.Context.IsEmpty, out.Context.IsNew = &view, &episode.State, false, !kept.Known
	return nil
}

// ExtractEpisode has an episode read again.
func (r *Resolver) ExtractEpisode(ctx context.Context,
	in graph.ExtractEpisodeInput) (*graph.ExtractEpisodePayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.ExtractEpisodePayload{Context: noKnowledge(), UserErrors: []model.UserError{}}
	id, err := r.servedID("input.id", in.ID, model.KindEpisode)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	episode, err := r.KnowledgeBase.Extract(ctx, v.User, id, v.Now)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, core.AtField(err, "input.id"))
		return out, nil
	}
	view := episodeAt(v, episode)
	out.Episode, out.Context.IsEmpty = &view, false
	return out, nil
}
