package record

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// Plan is what undoing an action would do.
type Plan struct {
	// Since are the records of which something was changed since by something else, which undoing all would overwrite.
	Since []model.ID
	// Rest is how many records undoing would change without overwriting anything.
	Rest int

	in   scope
	rest map[model.Kind][]change
	all  map[model.Kind][]change
}

// PlanUndo works out what undoing does, as things are in the transaction.
func PlanUndo(ctx context.Context, tx store.Tx, users store.UserStore, user model.UserID, now time.Time,
	packed []byte) (*Plan, error) {
	inverse, err := unpackInverse(packed)
	if err != nil {
		return nil, err
	}
	ids := make([]model.ID, len(inverse.Records))
	for i, entry := range inverse.Records {
		if ids[i], err = model.ParseID(entry.ID); err != nil {
			return nil, fmt.Errorf("read an inverse: %q: %w", entry.ID, err)
		}
	}
	p := &Plan{in: scope{tx, users, user, now}, rest: map[model.Kind][]change{}, all: map[model.Kind][]change{}}
	present, err := p.in.read(ctx, ids)
	if err != nil {
		return nil, err
	}
	for i, entry := range inverse.Records {
		if err := p.add(ids[i], entry, present[ids[i]]); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// add plans what becomes of one record.
func (p *Plan) add(id model.ID, entry Entry, now any) error {
	of := domainOf(id.Kind)
	if of == nil {
		return fmt.Errorf("an inverse of a %s cannot be read", id.Kind)
	}
	var parts Parts
	if now != nil {
		var err error
		if parts, err = split(now, of.layout()); err != nil {
			return err
		}
	}
	rest, all, since := merge(of.layout(), entry, parts)
	if since {
		p.Since = append(p.Since, id)
	}
	for _, to := range []struct {
		want outcome
		into map[model.Kind][]change
	}{{rest, p.rest}, {all, p.all}} {
		if !to.want.acts {
			continue
		}
		c := change{id: id, now: now}
		if to.want.parts != nil {
			record, err := of.join(to.want.parts)
			if err != nil {
				return err
			}
			c.want = record
		}
		to.into[id.Kind] = append(to.into[id.Kind], c)
	}
	if rest.acts {
		p.Rest++
	}
	return nil
}

// outcome is what shall become of a record: nothing, unless acts; it goes when parts is nil.
type outcome struct {
	acts  bool
	parts Parts
}

// merge works out what undoing does to a record that has some parts now: without overwriting anything, and with it;
// since reports whether there is a difference.
func merge(by layout, entry Entry, now Parts) (rest, all outcome, since bool) {
	switch {
	case entry.Before == nil && now == nil:
		return rest, all, false
	case entry.Before == nil: // it was made, and shall go
		all = outcome{acts: true}
		if by.whole(now) == entry.After[""] {
			return all, all, false
		}
		return rest, all, true
	case now == nil: // it shall come back
		all = outcome{true, entry.Before}
		if entry.After == nil {
			return all, all, false
		}
		return rest, all, true
	case entry.After == nil: // it came back otherwise
		if by.whole(now) == by.whole(entry.Before) {
			return rest, all, false
		}
		return rest, outcome{true, entry.Before}, true
	}
	rest.parts, all.parts = maps.Clone(now), maps.Clone(now)
	set := func(to *outcome, name string) {
		to.acts = true
		if was := entry.Before[name]; was != nil {
			to.parts[name] = was
		} else {
			delete(to.parts, name)
		}
	}
	var loose []string
	for name, left := range entry.After {
		is := hash(now[name])
		switch {
		case is == hash(entry.Before[name]), slices.Contains(by.fixed, field(name)):
		case slices.Contains(by.loose, field(name)):
			loose = append(loose, name)
			set(&all, name)
		case is == left:
			set(&rest, name)
			set(&all, name)
		default:
			since = true
			set(&all, name)
		}
	}
	if !since { // else they belong to what is different now
		for _, name := range loose {
			set(&rest, name)
		}
	}
	return rest, all, since
}

// Acts reports whether undoing changes anything.
func (p *Plan) Acts(all bool) bool {
	if all {
		return len(p.all) > 0
	}
	return len(p.rest) > 0
}

// Do undoes what would overwrite nothing, or all of it. Entities that the action has made stay where others' facts need
// them.
func (p *Plan) Do(ctx context.Context, all bool) error {
	changes := p.rest
	if all {
		changes = p.all
	}
	for _, kind := range undoOrder() {
		if some := changes[kind]; len(some) > 0 {
			if err := domainOf(kind).put(ctx, p.in, some); err != nil {
				return err
			}
		}
	}
	return p.withdraw(ctx, changes)
}

// undoOrder is the order in which records are put back: what others refer to comes first.
func undoOrder() []model.Kind {
	return []model.Kind{model.KindTask, model.KindList, model.KindMemory, model.KindEpisode, model.KindEntity,
		model.KindFact, model.KindUser}
}

// withdraw takes back what the action has added to the graph, which is when all else is as it was.
func (p *Plan) withdraw(ctx context.Context, changes map[model.Kind][]change) error {
	var ids []model.ID
	for _, kind := range [...]model.Kind{model.KindFact, model.KindEpisode} {
		for _, c := range changes[kind] {
			if c.want == nil {
				ids = append(ids, c.id)
			}
		}
	}
	if err := p.in.tx.Withdraw(ctx, ids); err != nil {
		return err
	}
	for _, c := range changes[model.KindEntity] {
		if c.want != nil {
			continue
		}
		held, err := p.in.tx.ListFacts(ctx, p.in.user, store.FactQuery{
			Where: store.FactWhere{Entity: c.id.UUID}, Page: &store.Window[store.TimePlace]{Limit: 1}})
		if err != nil {
			return err
		}
		if len(held.Facts) > 0 {
			continue
		}
		if err := p.in.tx.Withdraw(ctx, []model.ID{c.id}); err != nil {
			return err
		}
	}
	return nil
}
