package projections

import (
	"strconv"

	"almanac/graph/model"
	"almanac/projections/compact"
)

// Entity is an entity as seen at a moment.
type Entity struct {
	node[model.Entity]
	// fresh says that this request has kept it.
	fresh bool
	// group are the entities that were read with it, itself included.
	group *Group[model.ID]
}

// EntitiesAt returns the views of entities that stand side by side; never nil.
func EntitiesAt(records []model.Entity, at *Moment) []Entity {
	ids := make([]model.ID, len(records))
	for i := range records {
		ids[i] = records[i].ID
	}
	views, group := make([]Entity, len(records)), GroupOf(ids)
	for i := range records {
		views[i] = Entity{node: nodeAt(records[i], at), group: group}
	}
	return views
}

// Group are the ids of the entities that were read with it, itself included.
func (e Entity) Group() *Group[model.ID] { return e.group }

// AsNew returns the view of an entity that this request has kept.
func (e Entity) AsNew() Entity {
	e.fresh = true
	return e
}

// ID is the public id.
func (e Entity) ID() model.ID { return e.record.ID }

// SourceID is the remote's own id, nil for the own store.
func (e Entity) SourceID() *string { return optional(e.record.SourceID) }

// Name is its name.
func (e Entity) Name() string { return e.record.Name }

// UntypedEntity is what an entity is when nobody has said.
const UntypedEntity = "Entity"

// Type is what it is.
func (e Entity) Type() string {
	if e.record.Type == "" {
		return UntypedEntity
	}
	return e.record.Type
}

// Summary is what is known of it, nil for nothing.
func (e Entity) Summary() *string { return optional(e.record.Summary) }

// Aliases are its other names; never nil.
func (e Entity) Aliases() []string { return present(e.record.Aliases) }

// Attributes are what else is known, nil for nothing.
func (e Entity) Attributes() *model.JSON { return jsonOf(e.record.Attributes) }

// CreatedAt is when it was first kept.
func (e Entity) CreatedAt() model.DateTime { return e.at.DateTime(e.record.CreatedAt) }

// UpdatedAt is when it was last changed.
func (e Entity) UpdatedAt() model.DateTime { return e.at.DateTime(e.record.UpdatedAt) }

// Version counts its changes from 1.
func (e Entity) Version() string { return strconv.Itoa(max(e.record.Version, 1)) }

// ItemContext are its flags.
func (e Entity) ItemContext() EntityItemContext {
	return EntityItemContext{IsNew: e.fresh, HasSummary: e.record.Summary != ""}
}

// Row is the entity for compact text.
func (e Entity) Row() compact.Entity {
	return compact.Entity{ID: e.ID().String(), Name: e.record.Name, Type: e.Type(), Summary: e.Summary()}
}

// EntityItemContext are the flags of one entity.
type EntityItemContext struct{ IsNew, HasSummary bool }

// Fact is a fact as seen at a moment.
type Fact struct {
	node[model.Fact]
	// fresh, freshSource and freshTarget say that this request has kept it, and its ends.
	fresh, freshSource, freshTarget bool
	// group are the facts that were read with it, itself included. Their ends were read together too.
	group            *Group[model.Fact]
	sources, targets *Group[model.ID]
}

// FactsAt returns the views of facts that stand side by side, as their sources do, and their targets; never nil.
func FactsAt(records []model.Fact, at *Moment) []Fact {
	sources, targets := make([]model.ID, len(records)), make([]model.ID, len(records))
	for i := range records {
		sources[i], targets[i] = records[i].Source.ID, records[i].Target.ID
	}
	views := make([]Fact, len(records))
	group, sourceGroup, targetGroup := GroupOf(records), GroupOf(sources), GroupOf(targets)
	for i := range records {
		views[i] = Fact{node: nodeAt(records[i], at), group: group, sources: sourceGroup, targets: targetGroup}
	}
	return views
}

// Group are the facts that were read with it, itself included.
func (f Fact) Group() *Group[model.Fact] { return f.group }

// WithNewEnds returns the view of a fact of which this request has kept the source, or the target.
func (f Fact) WithNewEnds(source, target bool) Fact {
	f.freshSource, f.freshTarget = source, target
	return f
}

// AsNew returns the view of a fact that this request has kept.
func (f Fact) AsNew() Fact {
	f.fresh = true
	return f
}

// ID is the public id.
func (f Fact) ID() model.ID { return f.record.ID }

// SourceID is the remote's own id, nil for the own store.
func (f Fact) SourceID() *string { return optional(f.record.SourceID) }

// Relation is in capitals with underscores.
func (f Fact) Relation() string { return f.record.Relation }

// Fact is it as a sentence.
func (f Fact) Fact() string { return f.record.Sentence }

// Source is what it is about.
func (f Fact) Source() Entity {
	return Entity{node: nodeAt(f.record.Source, f.at), fresh: f.freshSource, group: f.sources}
}

// Target is what it relates that to.
func (f Fact) Target() Entity {
	return Entity{node: nodeAt(f.record.Target, f.at), fresh: f.freshTarget, group: f.targets}
}

// ValidAt is from when on it held, nil when nobody has said.
func (f Fact) ValidAt() model.OptionalDateTime { return f.at.OptionalDateTime(f.record.ValidAt) }

// InvalidAt is from when on it holds no more, nil when it does.
func (f Fact) InvalidAt() model.OptionalDateTime { return f.at.OptionalDateTime(f.record.InvalidAt) }

// CreatedAt is when it was first kept.
func (f Fact) CreatedAt() model.DateTime { return f.at.DateTime(f.record.CreatedAt) }

// ExpiredAt is when it became known that it holds no more, nil when it is not known to.
func (f Fact) ExpiredAt() model.OptionalDateTime { return f.at.OptionalDateTime(f.record.ExpiredAt) }

// Confidence is from 0 to 1, nil when nobody has said.
func (f Fact) Confidence() *float64 { return f.record.Confidence }

// Attributes are what else is known, nil for nothing.
func (f Fact) Attributes() *model.JSON { return jsonOf(f.record.Attributes) }

// EpisodeIds are the episodes that it was read from; never nil.
func (f Fact) EpisodeIds() []model.ID { return present(f.record.Episodes) }

// ReplacedBy is the fact that closed it, nil for none.
func (f Fact) ReplacedBy() *model.ID {
	if f.record.ReplacedBy == (model.ID{}) {
		return nil
	}
	return &f.record.ReplacedBy
}

// ItemContext are its flags.
func (f Fact) ItemContext() FactItemContext {
	holds := f.record.HoldsAt(f.at.Now)
	upcoming := !holds && !f.record.ValidAt.IsZero() && f.record.ValidAt.After(f.at.Now)
	return FactItemContext{IsCurrent: holds, IsUpcoming: upcoming, IsInvalidated: !holds && !upcoming, IsNew: f.fresh}
}

// Row is the fact for compact text.
func (f Fact) Row() compact.Fact {
	return compact.Fact{
		ID: f.ID().String(), Relation: f.record.Relation, Fact: f.record.Sentence,
		Source: compact.Named{Name: f.record.Source.Name}, Target: compact.Named{Name: f.record.Target.Name},
		ValidAt: rowTime(f.ValidAt()), InvalidAt: rowTime(f.InvalidAt()), Confidence: f.record.Confidence,
	}
}

// FactItemContext are the flags of one fact.
type FactItemContext struct{ IsCurrent, IsInvalidated, IsUpcoming, IsNew bool }

// Episode is an episode as seen at a moment.
type Episode struct{ node[model.Episode] }

// EpisodeAt returns the episode's view.
func EpisodeAt(record model.Episode, at *Moment) Episode { return Episode{nodeAt(record, at)} }

// EpisodesAt returns the views of episodes; never nil.
func EpisodesAt(records []model.Episode, at *Moment) []Episode {
	return viewsOf(records, at, EpisodeAt)
}

// ID is the public id.
func (e Episode) ID() model.ID { return e.record.ID }

// SourceID is the remote's own id, nil for the own store.
func (e Episode) SourceID() *string { return optional(e.record.SourceID) }

// Name is what to call it.
func (e Episode) Name() string { return e.record.Name }

// Content is the text.
func (e Episode) Content() string { return e.record.Content }

// SourceType is what kind of text it is.
func (e Episode) SourceType() model.EpisodeSource { return e.record.Source }

// SourceDescription is where it comes from, nil when nobody has said.
func (e Episode) SourceDescription() *string { return optional(e.record.SourceDescription) }

// ReferenceTime is when it happened.
func (e Episode) ReferenceTime() model.DateTime { return e.at.DateTime(e.record.ReferenceTime) }

// CreatedAt is when it was kept.
func (e Episode) CreatedAt() model.DateTime { return e.at.DateTime(e.record.CreatedAt) }

// Extraction is how far it has been read.
func (e Episode) Extraction() model.EpisodeState { return e.record.State }

// Problem is why it could not be read, nil when it could.
func (e Episode) Problem() *string { return optional(e.record.Problem) }

// Row is the episode for compact text.
func (e Episode) Row() compact.Episode {
	return compact.Episode{
		ID: e.ID().String(), Name: e.record.Name, Content: e.record.Content, Source: e.record.Source,
		SourceDescription: e.SourceDescription(),
		ReferenceTime:     rowTime(e.at.OptionalDateTime(e.record.ReferenceTime)), State: e.record.State,
		Problem:    e.Problem(),
		Extraction: e.record.State,
	}
}

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
