package graphiti

import (
	"context"
	"encoding/json"

	"almanac/adapters/knowledge"
	"almanac/adapters/remote"
	"almanac/graph/model"
)

// mostMessage bounds what the server says of an addition.
const mostMessage = 500

// AddEpisode implements knowledge.Writer. The server takes it into its queue and tells no id. When the answer is lost
// it is looked for, and not sent again: what waits in the queue cannot be seen, so the error says when nobody can know.
func (b *Base) AddEpisode(ctx context.Context, user model.UserID, add knowledge.NewEpisode) (knowledge.Added, error) {
	if err := model.AskUpstream(ctx, model.UpstreamGraphiti); err != nil {
		return knowledge.Added{}, err
	}
	group, e := b.groupOf(user), add.Episode
	answer, lost, err := b.tool(ctx, true, func(t *tools) (string, arguments, error) {
		tool := t.adder()
		if tool == "" {
			return "", nil, t.notOffered("has no tool to add episodes with")
		}
		args := arguments{"name": e.Name, "episode_body": e.Content}
		if name := t.arg(tool, "source"); name != "" {
			args[name] = map[model.EpisodeSource]string{model.EpisodeMessage: "message", model.EpisodeJSON: "json",
				model.EpisodeText: "text"}[e.Source]
		}
		if name := t.arg(tool, "source_description"); name != "" {
			args[name] = e.SourceDescription
		}
		if name := t.arg(tool, "reference_time"); name != "" && !e.ReferenceTime.IsZero() {
			args[name] = stamp(e.ReferenceTime)
		}
		return tool, args, t.inGroup(tool, group, args)
	})
	e.State = model.EpisodeQueued
	switch {
	case err == nil:
		return knowledge.Added{Episode: e, Message: messageOf(answer)}, nil
	case lost == nil || !lost.Unknown() || ctx.Err() != nil:
		return knowledge.Added{}, err
	}
	kept, found := b.arrived(ctx, group, &e)
	if !found {
		return knowledge.Added{}, doubtful(lost)
	}
	return knowledge.Added{Episode: kept, Message: "The server did not answer, but has it."}, nil
}

// arrived looks whether an episode is there though the answer was lost.
func (b *Base) arrived(ctx context.Context, group string, e *model.Episode) (model.Episode, bool) {
	episodes, _, err := b.allEpisodes(ctx, group)
	if err != nil {
		return model.Episode{}, false
	}
	for _, other := range episodes {
		same := other.Name == cutLine(e.Name, model.MaxEpisodeName) && other.Content == e.Content &&
			other.SourceDescription == e.SourceDescription
		if same && !other.CreatedAt.Before(b.Now().Add(-b.Limits.Call)) {
			return other, true
		}
	}
	return model.Episode{}, false
}

// messageOf is what the server says of what it did.
func messageOf(answer json.RawMessage) string {
	var told struct {
		Message wireText `json:"message"`
	}
	if json.Unmarshal(answer, &told) != nil {
		return ""
	}
	return cutLine(string(told.Message), mostMessage)
}

// Delete implements knowledge.Writer. Tools that delete ask for no group, so it is looked first whether the user has
// it.
func (b *Base) Delete(ctx context.Context, user model.UserID, id model.ID) (knowledge.Erased, error) {
	ref, ok := refOf(id, id.Kind)
	if !ok {
		return knowledge.Erased{}, model.Errorf(model.CodeNotFound, "there is nothing with this id")
	}
	if err := model.AskUpstream(ctx, model.UpstreamGraphiti); err != nil {
		return knowledge.Erased{}, err
	}
	group := b.groupOf(user)
	var there bool
	var err error
	var names []string
	switch id.Kind {
	case model.KindEntity:
		names = []string{"delete_entity_node", "delete_node", "delete_entity"}
	case model.KindFact:
		names = []string{"delete_entity_edge"}
	case model.KindEpisode:
		names = []string{"delete_episode"}
	}
	t, lost := b.known(ctx)
	if lost != nil {
		return knowledge.Erased{}, shown(lost)
	}
	tool := t.first(names...)
	if tool == "" {
		return knowledge.Erased{}, t.notOffered("cannot erase this; an entity goes with the last episode that speaks of it")
	}
	switch id.Kind {
	case model.KindEntity:
		_, there, err = b.entity(ctx, group, ref)
	case model.KindFact:
		_, there, err = b.edge(ctx, group, ref.UUID)
	case model.KindEpisode:
		there, err = b.ownsEpisode(ctx, group, ref.UUID)
	}
	if err != nil {
		return knowledge.Erased{}, err
	}
	if !there {
		return knowledge.Erased{}, model.Errorf(model.CodeNotFound, "there is nothing with this id")
	}
	_, lost, err = b.tool(ctx, false,
		func(*tools) (string, arguments, error) { return tool, arguments{"uuid": ref.UUID}, nil })
	b.names.forget(group)
	if lost != nil && lost.Kind == remote.KindMissing && lost.Doubted {
		return knowledge.Erased{}, nil // gone since the first attempt, whose answer was lost
	}
	return knowledge.Erased{}, err
}

// ownsEpisode reports whether an episode is the user's: by what was read from it, or else by the list.
func (b *Base) ownsEpisode(ctx context.Context, group, uuid string) (bool, error) {
	read, _, err := b.parts(ctx, group, []string{uuid})
	if err == nil && len(read.entities)+len(read.facts) > 0 {
		return true, nil
	}
	return b.hasEpisode(ctx, group, uuid)
}

// Clear implements knowledge.Writer: the user's group, and no other. A server whose tool takes no group would erase
// everybody's, so it is asked for the owner of a group that was set alone.
func (b *Base) Clear(ctx context.Context, user model.UserID) (knowledge.Erased, error) {
	if err := model.AskUpstream(ctx, model.UpstreamGraphiti); err != nil {
		return knowledge.Erased{}, err
	}
	group := b.groupOf(user)
	_, _, err := b.tool(ctx, false, func(t *tools) (string, arguments, error) {
		const tool = "clear_graph"
		switch {
		case !t.has(tool):
			return "", nil, t.notOffered("cannot be cleared")
		case t.arg(tool, "group_ids", "group_id") != "" && (b.hasGroup(user) || !t.argsUnknown(tool)):
			args := arguments{}
			return tool, args, t.inGroup(tool, group, args)
		case b.hasGroup(user):
			return tool, arguments{}, nil
		default:
			return "", nil,
				t.notOffered(
					"can only be cleared as a whole, with everybody's knowledge; it is not asked to. Erase single episodes instead")
		}
	})
	b.names.forget(group)
	return knowledge.Erased{}, err
}
