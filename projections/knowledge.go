package projections

import "almanac/graph/model"

// Entity is an entity as seen at a moment.
type Entity struct {
	noun model.Entity
	at   *Moment
	// fresh says that this request has kept it.
	fresh bool
	// beside are the entities that stand beside it, itself included; nil when it stands alone.
	beside *Group[model.ID]
}

// EntityAt gives the view of an entity that stands alone.
func EntityAt(noun model.Entity, at *Moment) Entity { return Entity{noun: noun, at: at} }

// EntitiesAt gives the views of entities that stand side by side; never nil.
func EntitiesAt(nouns []model.Entity, at *Moment) []Entity {
	ids := make([]model.ID, len(nouns))
	for i := range nouns {
		ids[i] = nouns[i].ID
	}
	views, beside := make([]Entity, len(nouns)), GroupOf(ids)
	for i := range nouns {
		views[i] = Entity{noun: nouns[i], at: at, beside: beside}
	}
	return views
}

// Beside are the ids of the entities that stand beside it, itself included.
func (e Entity) Beside() *Group[model.ID] {
	if e.beside == nil {
		return GroupOf([]model.ID{e.noun.ID})
	}
	return e.beside
}

// AsNew gives the view of an entity that this request has kept.
func (e Entity) AsNew() Entity {
	e.fresh = true
	return e
}

// IsNode marks an entity as a Node.
func (Entity) IsNode() {}

// Noun is the entity itself.
func (e Entity) Noun() model.Entity { return e.noun }

// ID is the public id.
func (e Entity) ID() model.ID { return e.noun.ID }

// SourceID is the remote's own id, nil for the own store.
func (e Entity) SourceID() *string { return optional(e.noun.SourceID) }

// Name is its name.
func (e Entity) Name() string { return e.noun.Name }

// UntypedEntity is what an entity is when nobody has said.
const UntypedEntity = "Entity"

// Type is what it is.
func (e Entity) Type() string {
	if e.noun.Type == "" {
		return UntypedEntity
	}
	return e.noun.Type
}

// Summary is what is known of it, nil for nothing.
func (e Entity) Summary() *string { return optional(e.noun.Summary) }

// Aliases are its other names; never nil.
func (e Entity) Aliases() []string { return present(e.noun.Aliases) }

// Attributes are what else is known, nil for nothing.
func (e Entity) Attributes() *model.JSON { return jsonOf(e.noun.Attributes) }

// CreatedAt is when it was first kept.
func (e Entity) CreatedAt() model.DateTime { return e.at.DateTime(e.noun.CreatedAt) }

// UpdatedAt is when it was last changed.
func (e Entity) UpdatedAt() model.DateTime { return e.at.DateTime(e.noun.UpdatedAt) }

// Version counts its changes from 1.
func (e Entity) Version() int { return max(e.noun.Version, 1) }

// ItemContext are its flags.
func (e Entity) ItemContext() EntityItemContext {
	return EntityItemContext{IsNew: e.fresh, HasSummary: e.noun.Summary != ""}
}

// EntityItemContext are the flags of one entity.
type EntityItemContext struct{ IsNew, HasSummary bool }

// Fact is a fact as seen at a moment.
type Fact struct {
	noun model.Fact
	at   *Moment
	// fresh, freshSource and freshTarget say that this request has kept it, and its ends.
	fresh, freshSource, freshTarget bool
	// beside are the facts that stand beside it, itself included; nil when it stands alone. Their ends stand beside each
	// other too.
	beside           *Group[model.Fact]
	sources, targets *Group[model.ID]
}

// FactAt gives the view of a fact that stands alone.
func FactAt(noun model.Fact, at *Moment) Fact { return FactsAt([]model.Fact{noun}, at)[0] }

// FactsAt gives the views of facts that stand side by side, as their sources do, and their targets; never nil.
func FactsAt(nouns []model.Fact, at *Moment) []Fact {
	sources, targets := make([]model.ID, len(nouns)), make([]model.ID, len(nouns))
	for i := range nouns {
		sources[i], targets[i] = nouns[i].Source.ID, nouns[i].Target.ID
	}
	views := make([]Fact, len(nouns))
	beside, besideSource, besideTarget := GroupOf(nouns), GroupOf(sources), GroupOf(targets)
	for i := range nouns {
		views[i] = Fact{noun: nouns[i], at: at, beside: beside, sources: besideSource, targets: besideTarget}
	}
	return views
}

// Beside are the facts that stand beside it, itself included.
func (f Fact) Beside() *Group[model.Fact] {
	if f.beside == nil {
		return GroupOf([]model.Fact{f.noun})
	}
	return f.beside
}

// WithNewEnds gives the view of a fact of which this request has kept the source, or the target.
func (f Fact) WithNewEnds(source, target bool) Fact {
	f.freshSource, f.freshTarget = source, target
	return f
}

// AsNew gives the view of a fact that this request has kept.
func (f Fact) AsNew() Fact {
	f.fresh = true
	return f
}

// IsNode marks a fact as a Node.
func (Fact) IsNode() {}

// Noun is the fact itself.
func (f Fact) Noun() model.Fact { return f.noun }

// ID is the public id.
func (f Fact) ID() model.ID { return f.noun.ID }

// SourceID is the remote's own id, nil for the own store.
func (f Fact) SourceID() *string { return optional(f.noun.SourceID) }

// Relation is in capitals with underscores.
func (f Fact) Relation() string { return f.noun.Relation }

// Fact is it as a sentence.
func (f Fact) Fact() string { return f.noun.Sentence }

// Source is what it is about.
func (f Fact) Source() Entity {
	return Entity{noun: f.noun.Source, at: f.at, fresh: f.freshSource, beside: f.sources}
}

// Target is what it relates that to.
func (f Fact) Target() Entity {
	return Entity{noun: f.noun.Target, at: f.at, fresh: f.freshTarget, beside: f.targets}
}

// ValidAt is from when on it held, nil when nobody has said.
func (f Fact) ValidAt() *model.DateTime { return f.at.OptionalDateTime(f.noun.ValidAt) }

// InvalidAt is from when on it holds no more, nil when it does.
func (f Fact) InvalidAt() *model.DateTime { return f.at.OptionalDateTime(f.noun.InvalidAt) }

// CreatedAt is when it was first kept.
func (f Fact) CreatedAt() model.DateTime { return f.at.DateTime(f.noun.CreatedAt) }

// ExpiredAt is when it became known that it holds no more, nil when it is not known to.
func (f Fact) ExpiredAt() *model.DateTime { return f.at.OptionalDateTime(f.noun.ExpiredAt) }

// Confidence is from 0 to 1, nil when nobody has said.
func (f Fact) Confidence() *float64 { return f.noun.Confidence }

// Attributes are what else is known, nil for nothing.
func (f Fact) Attributes() *model.JSON { return jsonOf(f.noun.Attributes) }

// EpisodeIds are the episodes that it was read from; never nil.
func (f Fact) EpisodeIds() []model.ID {
	if f.noun.Episodes == nil {
		return []model.ID{}
	}
	return f.noun.Episodes
}

// ReplacedBy is the fact that closed it, nil for none.
func (f Fact) ReplacedBy() *model.ID {
	if f.noun.ReplacedBy == (model.ID{}) {
		return nil
	}
	return &f.noun.ReplacedBy
}

// ItemContext are its flags.
func (f Fact) ItemContext() FactItemContext {
	holds := f.noun.HoldsAt(f.at.Now)
	upcoming := !holds && !f.noun.ValidAt.IsZero() && f.noun.ValidAt.After(f.at.Now)
	return FactItemContext{IsCurrent: holds, IsUpcoming: upcoming, IsInvalidated: !holds && !upcoming, IsNew: f.fresh}
}

// FactItemContext are the flags of one fact.
type FactItemContext struct{ IsCurrent, IsInvalidated, IsUpcoming, IsNew bool }

// Episode is an episode as seen at a moment.
type Episode struct {
	noun model.Episode
	at   *Moment
}

// EpisodeAt gives the episode's view.
func EpisodeAt(noun model.Episode, at *Moment) Episode { return Episode{noun: noun, at: at} }

// EpisodesAt gives the views of episodes; never nil.
func EpisodesAt(nouns []model.Episode, at *Moment) []Episode {
	views := make([]Episode, len(nouns))
	for i := range nouns {
		views[i] = EpisodeAt(nouns[i], at)
	}
	return views
}

// IsNode marks an episode as a Node.
func (Episode) IsNode() {}

// Noun is the episode itself.
func (e Episode) Noun() model.Episode { return e.noun }

// ID is the public id.
func (e Episode) ID() model.ID { return e.noun.ID }

// SourceID is the remote's own id, nil for the own store.
func (e Episode) SourceID() *string { return optional(e.noun.SourceID) }

// Name is what to call it.
func (e Episode) Name() string { return e.noun.Name }

// Content is the text.
func (e Episode) Content() string { return e.noun.Content }

// Source is what kind of text it is.
func (e Episode) Source() model.EpisodeSource { return e.noun.Source }

// SourceDescription is where it comes from, nil when nobody has said.
func (e Episode) SourceDescription() *string { return optional(e.noun.SourceDescription) }

// ReferenceTime is when it happened.
func (e Episode) ReferenceTime() model.DateTime { return e.at.DateTime(e.noun.ReferenceTime) }

// CreatedAt is when it was kept.
func (e Episode) CreatedAt() model.DateTime { return e.at.DateTime(e.noun.CreatedAt) }

// State is how far it has been read.
func (e Episode) State() model.EpisodeState { return e.noun.State }

// Problem is why it could not be read, nil when it could.
func (e Episode) Problem() *string { return optional(e.noun.Problem) }

// EpisodeContents is what was read from an episode.
type EpisodeContents struct {
	Entities []Entity
	Facts    []Fact
}

// Neighbourhood are the entities around one, the nearest first.
type Neighbourhood struct {
	Neighbours []Neighbour
	Truncated  bool
}

// Neighbour is an entity around another.
type Neighbour struct {
	Entity   Entity
	Distance int
	Via      Fact
}

// KnowledgePath is a way from one entity to another.
type KnowledgePath struct {
	Entities []Entity
	Facts    []Fact
}

// Length is how many facts it has.
func (p KnowledgePath) Length() int { return len(p.Facts) }
