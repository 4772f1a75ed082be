package graphiti

import (
	"context"
	"slices"
	"strings"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"almanac/adapters/remote"
	"almanac/adapters/store"
	"almanac/graph/model"
)

const (
	// mostGroups and mostNames bound what is kept of names: some 200 bytes each.
	mostGroups = 128
	mostNames  = 1_000
	// namesAge is how long a name is believed.
	namesAge = 10 * time.Minute
)

// names are what is known of the entities of each group, by uuid: facts come with the uuids of their ends alone.
type names struct {
	groups *lru.Cache[string, *lru.Cache[string, named]]
}

type named struct {
	name, kind string
	at         time.Time
}

func newNames() names {
	return names{remote.NewCache[string, *lru.Cache[string, named]](mostGroups)}
}

// put keeps names, in the place of those that were unused for longest.
func (n names) put(group string, now time.Time, entities []model.Entity) {
	if len(entities) == 0 {
		return
	}
	known := remote.Cached(n.groups, group, func() *lru.Cache[string, named] {
		return remote.NewCache[string, named](mostNames)
	})
	for _, e := range entities {
		known.Add(e.SourceID, named{e.Name, e.Type, now})
	}
}

// get is the entity of a uuid with its name and type.
func (n names) get(group, uuid string, now time.Time) (model.Entity, bool) {
	known, ok := n.groups.Get(group)
	if !ok {
		return model.Entity{}, false
	}
	one, ok := known.Get(uuid)
	if !ok || now.Sub(one.at) > namesAge {
		return model.Entity{}, false
	}
	return nameless(uuid, one.name, one.kind), true
}

// forget drops what is known of a group.
func (n names) forget(group string) { n.groups.Remove(group) }

// nameless makes an entity of the little that is known; without a name its uuid stands for it.
func nameless(uuid, name, kind string) model.Entity {
	e := model.Entity{SourceID: uuid, Name: name, Type: kind, Version: 1}
	if name == uuid {
		name = ""
	}
	e.ID = model.KnowledgeRef{UUID: uuid, Name: name}.ID(model.KindEntity)
	if name == "" {
		e.Name = uuid
	}
	return e
}

// light are the columns that a name that is kept answers.
const light = store.EntityName | store.EntityType | store.EntityVersion | store.EntityAliases

// aroundSearches is how many searches are made for the names that no episode tells.
const aroundSearches = 3

// nameEnds fills in the ends of facts, by a few calls for all of them: what is kept, the entities of the facts'
// episodes, and what is found around the facts.
func (b *Base) nameEnds(ctx context.Context, group string, facts []model.Fact, want store.EntityColumns) error {
	found := map[string]model.Entity{}
	missing := func() []*model.Fact {
		var open []*model.Fact
		for i := range facts {
			f := &facts[i]
			for _, uuid := range []string{f.Source.SourceID, f.Target.SourceID} {
				if _, ok := found[uuid]; ok {
					continue
				}
				if known, ok := b.names.get(group, uuid, b.Now()); ok && light.Has(want) {
					found[uuid] = known
					continue
				}
				open = append(open, f)
				break
			}
		}
		return open
	}
	learn := func(entities []model.Entity) {
		for _, e := range entities {
			found[e.SourceID] = e
		}
	}
	open := missing()
	if uuids := episodesOf(open); len(uuids) > 0 {
		parts, offered, err := b.parts(ctx, group, uuids)
		if err != nil && model.CodeOf(err) != model.CodeUpstreamRejected {
			return err
		}
		if offered && err == nil {
			learn(parts.entities)
			open = missing()
		}
	}
	for range aroundSearches {
		if len(open) == 0 {
			break
		}
		const together = 4
		var text strings.Builder
		for _, f := range open[:min(together, len(open))] {
			text.WriteString(cutLine(f.Sentence, 200) + " ")
		}
		entities, err := b.searchNodes(ctx, group, nodeSearch{text: text.String(), most: model.MaxSearchDepth})
		if err != nil && model.CodeOf(err) != model.CodeUpstreamRejected {
			return err
		}
		before := len(open)
		learn(entities)
		// Those that were looked around at had their turn.
		asked := open[:min(together, len(open))]
		open = slices.DeleteFunc(missing(), func(f *model.Fact) bool { return slices.Contains(asked, f) })
		if len(open) == before {
			break
		}
	}
	for i := range facts {
		for _, end := range []*model.Entity{&facts[i].Source, &facts[i].Target} {
			e, ok := found[end.SourceID]
			if !ok {
				if e, ok = b.names.get(group, end.SourceID, b.Now()); !ok {
					e = nameless(end.SourceID, "", "")
				}
			}
			*end = e
		}
	}
	return nil
}

// episodesOf returns the uuids of the episodes that some facts were read from: of each the first, of at most 100 in
// all.
func episodesOf(facts []*model.Fact) []string {
	const most = 100
	var uuids []string
	for _, f := range facts {
		if len(f.Episodes) == 0 || len(uuids) == most {
			continue
		}
		if ref, ok := refOf(f.Episodes[0], model.KindEpisode); ok && !slices.Contains(uuids, ref.UUID) {
			uuids = append(uuids, ref.UUID)
		}
	}
	return uuids
}
