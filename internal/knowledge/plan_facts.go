package knowledge

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"almanac/adapters/knowledge"
	"almanac/graph/model"
	"almanac/projections/graphtext"
)

// plannedFact is a fact as it is going to be.
type plannedFact struct {
	// record has its ends' ids only once the plan is done.
	record         model.Fact
	source, target *plannedEntity
	made, changed  bool
	saying
	// closer is the fact that closed it in this plan, nil for none.
	closer *plannedFact
	// alone: this call says that it alone holds from its beginning on; undated: it says so without a time.
	alone, undated bool
}

func (f *plannedFact) period() period { return period{f.record.ValidAt, f.record.InvalidAt} }

// result is the fact to be saved.
func (f *plannedFact) result() model.Fact {
	out := f.record
	out.Source, out.Target = f.source.record, f.target.record
	if f.closer != nil {
		out.ReplacedBy = f.closer.record.ID
	}
	if !f.made {
		out.Version++
	}
	return out
}

// byAge are the facts that were there, oldest first.
func (p *planner) byAge() []*plannedFact {
	all := make([]*plannedFact, 0, len(p.facts))
	for _, f := range p.facts {
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b *plannedFact) int { return bytes.Compare(a.record.ID.UUID[:], b.record.ID.UUID[:]) })
	return all
}

// statement is a fact of the input with what it is compared by.
type statement struct {
	knowledge.NewFact
	place          int
	source, target *plannedEntity
	saying
	moment time.Time
}

// relate finds or makes the facts of what has not been refused yet, and reports whether something was refused.
func (p *planner) relate() (refused bool) {
	p.facts, p.groups, p.same = map[model.UUID]*plannedFact{}, map[group][]*plannedFact{}, map[ends][]*plannedFact{}
	p.told = make([]*plannedFact, len(p.telling.facts))
	p.created, p.unchanged, p.closed = 0, 0, map[*plannedFact]bool{}
	for id, fact := range p.there.facts {
		f := &plannedFact{record: fact, source: p.end(fact.Source), target: p.end(fact.Target)}
		f.saying = sayingOf(fact.Sentence, fact.Source.Name, fact.Relation, fact.Target.Name)
		p.facts[id] = f
	}
	for _, f := range p.byAge() {
		p.file(f)
	}
	for _, s := range p.statements() {
		if err := p.add(s); err != nil {
			p.problems[s.place] = err
			refused = true
		}
	}
	return refused
}

// file puts a fact where it is looked for.
func (p *planner) file(f *plannedFact) {
	of := group{f.source, f.record.Relation}
	p.groups[of] = append(p.groups[of], f)
	p.same[ends{of, f.target}] = append(p.same[ends{of, f.target}], f)
}

// end is the plan of an end of a fact that is there.
func (p *planner) end(entity model.Entity) *plannedEntity {
	if e, seen := p.entities.byUUID[entity.ID.UUID]; seen {
		return e
	}
	e := &plannedEntity{record: entity}
	p.entities.byUUID[entity.ID.UUID] = e
	return e
}

// statements are what has not been refused, in the order in which it is taken: what excludes others after what does
// not, so that it sees all that it excludes; then by time, as it happened; what has no time last, since it is said of
// what is known.
func (p *planner) statements() []statement {
	var all []statement
	for i, fact := range p.telling.facts {
		if p.problems[i] != nil {
			continue
		}
		s := statement{NewFact: fact, place: i, source: p.entityOf[i][0], target: p.entityOf[i][1], moment: fact.ValidAt}
		if s.moment.IsZero() {
			s.moment = p.now
		}
		if s.Sentence == "" {
			s.Sentence = graphtext.Sentence(s.source.record.Name, fact.Relation, s.target.record.Name)
		}
		s.saying = sayingOf(s.Sentence, s.source.record.Name, fact.Relation, s.target.record.Name)
		all = append(all, s)
	}
	slices.SortStableFunc(all, func(a, b statement) int {
		return cmp.Or(
			compareBools(a.Exclusive, b.Exclusive),
			compareTimes(a.ValidAt, b.ValidAt), compareTimes(a.InvalidAt, b.InvalidAt),
			cmp.Compare(a.source.rank, b.source.rank), cmp.Compare(a.Relation, b.Relation),
			cmp.Compare(a.target.rank, b.target.rank),
			compareBools(a.plain, b.plain), cmp.Compare(a.key, b.key), cmp.Compare(a.Sentence, b.Sentence),
			compareConfidence(a.Confidence, b.Confidence), cmp.Compare(a.Attributes, b.Attributes),
			slices.CompareFunc(a.Closes, b.Closes, func(a, b model.ID) int { return bytes.Compare(a.UUID[:], b.UUID[:]) }),
		)
	})
	return all
}

// compareBools puts false first.
func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// compareTimes puts what is not known last.
func compareTimes(a, b time.Time) int {
	return cmp.Or(compareBools(a.IsZero(), b.IsZero()), a.Compare(b))
}

// compareConfidence puts the surer first, and what is not known last.
func compareConfidence(a, b *float64) int {
	if a == nil || b == nil {
		return compareBools(a == nil, b == nil)
	}
	return cmp.Compare(*b, *a)
}

// add takes one statement. An error leaves everything as it was.
func (p *planner) add(s statement) error {
	closes := closing{}
	if err := p.toClose(s, closes); err != nil {
		return err
	}
	of := group{s.source, s.Relation}
	there := p.recall(p.same[ends{of, s.target}], s, closes)
	told := period{s.ValidAt, s.InvalidAt}
	held := told
	if there != nil {
		if _, closed := closes[there]; closed {
			return model.BadInput(at(s.place, "closes"),
				"a fact cannot close itself: %s says the same; give validAt to say that it holds again", there.record.ID)
		}
		held = period{earliest(there.record.ValidAt, told.from), earliest(there.record.InvalidAt, told.to)}
	}
	var successor *plannedFact
	if s.Exclusive && !held.empty() {
		var err error
		if held, successor, err = p.exclude(p.groups[of], s, held, closes); err != nil {
			return err
		}
	}
	if there == nil {
		there = &plannedFact{source: s.source, target: s.target, made: true, saying: s.saying}
		there.record = model.Fact{Relation: s.Relation, Sentence: s.Sentence, CreatedAt: p.now, Version: 1}
		p.file(there)
		p.created++
	} else {
		p.unchanged++
	}
	p.told[s.place] = there
	there.learn(s, held, p.episode, p.now)
	if successor != nil && there.record.InvalidAt.Equal(held.to) {
		there.closer = successor
	}
	for f, end := range closes {
		if f.close(end, p.now) {
			f.closer = there
			p.closed[f] = true
		}
	}
	return nil
}

// closing are facts that a statement closes, with their new ends.
type closing map[*plannedFact]time.Time

// period is the fact's as it is going to be.
func (c closing) period(f *plannedFact) period {
	held := f.period()
	if end, closes := c[f]; closes {
		held.to = earliest(held.to, end)
	}
	return held
}

// toClose finds the facts that a statement says hold no more.
func (p *planner) toClose(s statement, closes closing) error {
	for _, id := range s.Closes {
		f, found := p.facts[id.UUID]
		if !found || !own(id, model.KindFact) {
			return model.NotFound(at(s.place, "closes"), "you have no fact %s", model.Clip(id.String()))
		}
		held := f.period()
		if !held.to.IsZero() && !held.to.After(s.moment) {
			continue // closed already
		}
		if held.from.After(s.moment) {
			return model.BadInput(at(s.place, "closes"), "the fact %s began later, on %s, than it is to be closed", id,
				held.from.Format(time.RFC3339))
		}
		closes[f] = s.moment
	}
	return nil
}

// recall finds the fact that a statement says again, nil for none: of the same ends and the same sentence, or one of
// both says no more than the ends and the relation; at overlapping times. What says exactly the same comes first. Of
// several, the earliest is meant that can be, so that a fact never grows into the next one; by a statement that does
// not say since when, the one that holds now, or else the latest.
func (p *planner) recall(all []*plannedFact, s statement, closes closing) *plannedFact {
	told := period{s.ValidAt, s.InvalidAt}
	var best *plannedFact
	for _, f := range all {
		if !told.overlaps(closes.period(f)) || !f.saysAs(s.saying) {
			continue
		}
		if best == nil || p.nearer(f, best, s, closes) < 0 {
			best = f
		}
	}
	return best
}

// nearer orders facts by how likely a statement means them.
func (p *planner) nearer(a, b *plannedFact, s statement, closes closing) int {
	same := func(f *plannedFact) bool { return f.plain == s.plain && f.saysAs(s.saying) }
	x, y := closes.period(a), closes.period(b)
	order := cmp.Or(compareBools(x.empty(), y.empty()), compareBools(same(b), same(a)))
	if s.ValidAt.IsZero() {
		order = cmp.Or(order, compareBools(y.holds(p.now), x.holds(p.now)), y.from.Compare(x.from))
	} else {
		order = cmp.Or(order, x.from.Compare(y.from))
	}
	return cmp.Or(order, cmp.Compare(a.key, b.key), bytes.Compare(a.record.ID.UUID[:], b.record.ID.UUID[:]))
}

// exclude makes room for a fact that alone may hold: others of its source and relation that began before it end where
// it begins, and it ends where the next one begins. A fact of which nobody says since when it holds begins now, when
// there is one to other targets before it.
func (p *planner) exclude(all []*plannedFact, s statement, held period,
	closes closing) (room period, successor *plannedFact, err error) {
	var rivals []*plannedFact
	for _, f := range all {
		if other := closes.period(f); f.target != s.target && !other.empty() && other.overlaps(held) {
			rivals = append(rivals, f)
		}
	}
	if held.from.IsZero() {
		if held.from, err = p.beginning(rivals, s, held, closes); err != nil {
			return held, nil, err
		}
	}
	next := held.to
	for _, f := range rivals {
		other := closes.period(f)
		switch {
		case !other.overlaps(held):
		case other.from.After(held.from) && (next.IsZero() || other.from.Before(next)):
			next, successor = other.from, f
		case other.from.After(held.from):
		case f.alone && other.from.Equal(held.from), f.undated && s.ValidAt.IsZero():
			return held, nil,
				problemAt(s,
					"another fact of this request says that it alone holds at the same time; give validAt to say which of them came "+
						"first")
		default:
			closes[f] = earliest(closes[f], held.from)
		}
	}
	held.to = next
	return held, successor, nil
}

// beginning is from when on a fact alone holds of which nobody says since when; zero when nothing stands before it.
func (p *planner) beginning(rivals []*plannedFact, s statement, held period, closes closing) (time.Time, error) {
	var begins time.Time
	over := !held.to.IsZero() && !held.to.After(p.now)
	for _, f := range rivals {
		other := closes.period(f)
		switch {
		case over && (other.to.IsZero() || !other.to.Before(held.to)):
			return begins, problemAt(s, "another fact, to %q, held then too; give validAt to say from when on this one held",
				model.Clip(f.target.record.Name))
		case over && other.to.After(begins):
			begins = other.to
		case !over && !other.from.After(p.now):
			begins = p.now
		}
	}
	return begins, nil
}

func problemAt(s statement, format string, args ...any) error {
	err := model.Errorf(model.CodeConflict, format, args...)
	err.Field = model.FieldPath(at(s.place, "exclusive"))
	return err
}

// learn adds to a fact what a statement tells of it.
func (f *plannedFact) learn(s statement, held period, episode model.ID, now time.Time) {
	if f.plain && !s.plain {
		f.record.Sentence, f.saying, f.changed = s.Sentence, s.saying, true
	}
	if !f.record.ValidAt.Equal(held.from) {
		f.record.ValidAt, f.changed = held.from, true
	}
	if f.close(held.to, now) {
		f.record.ReplacedBy, f.closer = model.ID{}, nil // it ended before what closed it
	}
	if f.record.Confidence == nil && s.Confidence != nil {
		f.record.Confidence, f.changed = s.Confidence, true
	}
	if f.record.Attributes == "" && s.Attributes != "" {
		f.record.Attributes, f.changed = s.Attributes, true
	}
	if episode != (model.ID{}) && len(f.record.Episodes) < model.MaxFactEpisodes &&
		!slices.Contains(f.record.Episodes, episode) {
		f.record.Episodes, f.changed = append(slices.Clip(f.record.Episodes), episode), true
	}
	if s.Exclusive {
		f.undated = f.undated || s.ValidAt.IsZero()
		f.alone = f.alone || !s.ValidAt.IsZero()
	}
}

// close ends a fact, unless it ends earlier already or the end is not known, and reports whether that was a change.
func (f *plannedFact) close(end, now time.Time) bool {
	if end.IsZero() || !f.record.InvalidAt.IsZero() && !f.record.InvalidAt.After(end) {
		return false
	}
	f.record.InvalidAt, f.changed = end, true
	if f.record.ExpiredAt.IsZero() {
		f.record.ExpiredAt = now
	}
	return true
}
