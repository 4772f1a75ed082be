package graphiti

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"almanac/adapters/remote"
	"almanac/graph/model"
)

// What the tools that read give, each as one call. All of it is of the group; whatever else came is dropped.

// nodeSearch is a search for entities. center is the uuid of what shall come first; empty for none.
type nodeSearch struct {
	text   string
	most   int
	types  []string
	center string
}

func (b *Base) searchNodes(ctx context.Context, group string, q nodeSearch) ([]model.Entity, error) {
	answer, _, err := b.tool(ctx, false, func(t *tools) (string, arguments, error) {
		tool := t.nodes()
		if tool == "" {
			return "", nil, t.notOffered("has no tool to search entities with")
		}
		args := arguments{"query": cutLine(q.text, model.MaxSearchQuery)}
		if name := t.arg(tool, "max_nodes"); name != "" {
			args[name] = max(1, min(q.most, model.MaxSearchDepth))
		}
		if name := t.arg(tool, "entity_types"); name != "" && len(q.types) > 0 {
			args[name] = q.types
		}
		if name := t.arg(tool, "center_node_uuid"); name != "" && q.center != "" {
			args[name] = q.center
		}
		return tool, args, t.inGroup(tool, group, args)
	})
	if err != nil {
		return nil, err
	}
	var list struct {
		Nodes *[]json.RawMessage `json:"nodes"`
	}
	if err := decode(answer, &list); err != nil {
		return nil, err
	}
	if list.Nodes == nil {
		return nil, malformed()
	}
	return b.entities(group, *list.Nodes), nil
}

// entities reads a list of entities, and keeps their names.
func (b *Base) entities(group string, list []json.RawMessage) []model.Entity {
	found := once(items(list, func(w wireNode) (model.Entity, bool) { return w.entity(group) }), entityUUID)
	b.names.put(group, b.Now(), found)
	return found
}

func factsIn(group string, list []json.RawMessage) []model.Fact {
	return once(items(list, func(w wireFact) (model.Fact, bool) { return w.fact(group) }), factUUID)
}

// factSearch is a search for facts. validFrom is inclusive, zero for none; validTo is of use with it only, since the
// server leaves out what has no date.
type factSearch struct {
	text               string
	most               int
	center             string
	relations          []string
	validFrom, validTo time.Time
}

// searchFacts returns facts whose ends have no names yet, and whether there may be more.
func (b *Base) searchFacts(ctx context.Context, group string, q factSearch) (facts []model.Fact, more bool, err error) {
	most := max(1, min(q.most, model.MaxSearchDepth))
	answer, _, err := b.tool(ctx, false, func(t *tools) (string, arguments, error) {
		tool := t.facts()
		if tool == "" {
			return "", nil, t.notOffered("has no tool to search facts with")
		}
		args := arguments{"query": cutLine(q.text, model.MaxSearchQuery)}
		if name := t.arg(tool, "max_facts"); name != "" {
			args[name] = most
		}
		if name := t.arg(tool, "center_node_uuid"); name != "" && q.center != "" {
			args[name] = q.center
		}
		if name := t.arg(tool, "edge_types"); name != "" && len(q.relations) > 0 {
			args[name] = q.relations
		}
		if name := t.arg(tool, "valid_at_after"); name != "" && !q.validFrom.IsZero() {
			args[name] = stamp(q.validFrom)
			if name := t.arg(tool, "valid_at_before"); name != "" && !q.validTo.IsZero() {
				args[name] = stamp(q.validTo)
			}
		}
		return tool, args, t.inGroup(tool, group, args)
	})
	if err != nil {
		return nil, false, err
	}
	var list struct {
		Facts *[]json.RawMessage `json:"facts"`
	}
	if err := decode(answer, &list); err != nil {
		return nil, false, err
	}
	if list.Facts == nil {
		return nil, false, malformed()
	}
	return factsIn(group, *list.Facts), len(*list.Facts) >= most, nil
}

// stamp writes a time for the server.
func stamp(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.999999Z07:00") }

// listEpisodes returns episodes in no order, and whether they are all.
func (b *Base) listEpisodes(ctx context.Context, group string,
	most int) (episodes []model.Episode, all bool, err error) {
	answer, _, err := b.tool(ctx, false, func(t *tools) (string, arguments, error) {
		tool := t.episodes()
		if tool == "" {
			return "", nil, t.notOffered("has no tool to list episodes with")
		}
		args := arguments{}
		if name := t.arg(tool, "max_episodes", "last_n"); name != "" {
			args[name] = most
		}
		return tool, args, t.inGroup(tool, group, args)
	})
	if err != nil {
		return nil, false, err
	}
	// The older server gives a bare list, and an object where there is none.
	var list []json.RawMessage
	if json.Unmarshal(answer, &list) != nil {
		var object struct {
			Episodes *[]json.RawMessage `json:"episodes"`
			UUID     wireText           `json:"uuid"`
		}
		switch err := decode(answer, &object); {
		case err != nil:
			return nil, false, err
		case object.Episodes != nil:
			list = *object.Episodes
		case object.UUID != "":
			list = []json.RawMessage{answer} // a list of one, as text
		default:
			return nil, false, malformed()
		}
	}
	return once(items(list, func(w wireEpisode) (model.Episode, bool) { return w.episode(group) }), episodeUUID),
		len(list) < most, nil
}

// allEpisodes lists as many episodes as there are, up to model.MaxSearchDepth; fewer when they are too long for one
// answer.
func (b *Base) allEpisodes(ctx context.Context, group string) ([]model.Episode, bool, error) {
	for most := model.MaxSearchDepth; ; most /= 4 {
		episodes, all, err := b.listEpisodes(ctx, group, most)
		if err == nil || most < 10 || !isTooLarge(err) {
			return episodes, all, err
		}
	}
}

// parts are what was read from episodes; the facts' ends have no names yet.
type parts struct {
	entities []model.Entity
	facts    []model.Fact
}

// parts asks what was read from episodes, for all of them at once; offered reports whether the server has a tool for
// that.
func (b *Base) parts(ctx context.Context, group string, uuids []string) (found parts, offered bool, err error) {
	const tool = "get_episode_entities"
	t, lost := b.known(ctx)
	if lost != nil {
		return parts{}, false, shown(lost)
	}
	if !t.has(tool) {
		return parts{}, false, nil
	}
	answer, _, err := b.tool(ctx, false, func(*tools) (string, arguments, error) {
		return tool, arguments{"episode_uuids": uuids}, nil
	})
	if err != nil {
		return parts{}, true, err
	}
	var lists struct {
		Nodes []json.RawMessage `json:"nodes"`
		Edges []json.RawMessage `json:"edges"`
	}
	if err := decode(answer, &lists); err != nil {
		return parts{}, true, err
	}
	return parts{b.entities(group, lists.Nodes), factsIn(group, lists.Edges)}, true, nil
}

// everything is what was read from all episodes.
func (b *Base) everything(ctx context.Context, group string) (parts, error) {
	episodes, _, err := b.allEpisodes(ctx, group)
	if err != nil {
		return parts{}, err
	}
	if len(episodes) == 0 {
		return parts{}, nil
	}
	uuids := make([]string, len(episodes))
	for i := range episodes {
		uuids[i] = episodes[i].SourceID
	}
	found, offered, err := b.parts(ctx, group, uuids)
	if err == nil && !offered {
		return parts{}, notConfigured("this Graphiti server cannot list what it knows; look for something instead")
	}
	return found, err
}

// edge asks for one fact; false when the user has none of this uuid.
func (b *Base) edge(ctx context.Context, group, uuid string) (model.Fact, bool, error) {
	answer, lost, err := b.tool(ctx, false, func(t *tools) (string, arguments, error) {
		const tool = "get_entity_edge"
		if !t.has(tool) {
			return "", nil, t.notOffered("has no tool to get a fact with")
		}
		return tool, arguments{"uuid": uuid}, nil
	})
	if err != nil {
		if lost != nil && lost.Kind == remote.KindMissing {
			return model.Fact{}, false, nil
		}
		return model.Fact{}, false, err
	}
	var row wireFact
	if err := decode(answer, &row); err != nil {
		return model.Fact{}, false, err
	}
	f, ok := row.fact(group)
	return f, ok && f.SourceID == uuid, nil
}

// entity looks for one entity by its name and uuid; false when the user has none of this uuid, or it is not found by
// this name.
func (b *Base) entity(ctx context.Context, group string, ref model.KnowledgeRef) (model.Entity, bool, error) {
	name := ref.Name
	if strings.TrimSpace(name) == "" {
		known, ok := b.names.get(group, ref.UUID, b.now())
		if !ok {
			return model.Entity{}, false, nil
		}
		name = known.Name
	}
	found, err := b.searchNodes(ctx, group, nodeSearch{text: name, most: model.MaxSearchDepth, center: ref.UUID})
	if err != nil {
		return model.Entity{}, false, err
	}
	i := slices.IndexFunc(found, func(e model.Entity) bool { return e.SourceID == ref.UUID })
	if i < 0 {
		return model.Entity{}, false, nil
	}
	return found[i], true, nil
}
