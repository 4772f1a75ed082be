package graphiti

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/dryrun"
)

// AddFacts implements knowledge.Writer: one after another, at most 100. What the server has no argument for and what
// only helps it (types, summaries, aliases and attributes of entities, what a fact closes) is left to it, which decides
// about contradictions by itself; what would change what a fact says (times, confidence, attributes, an episode) is
// that fact's problem. What is there already, word for word, is not sent again. Whether the server made anything is
// told by the time at which it says so, give or take a minute.
func (b *Base) AddFacts(ctx context.Context, user model.UserID, add knowledge.NewFacts) (knowledge.FactsAdded, error) {
	none := knowledge.FactsAdded{}
	if len(add.Facts) > mostFacts {
		return none, model.Errorf(model.CodeBadUserInput, "a Graphiti server takes at most %d facts at once", mostFacts)
	}
	if add.Atomic && len(add.Facts) > 1 {
		return none, notConfigured(
			"a Graphiti server cannot take all facts or none; add them one by one, or without `atomic`")
	}
	if err := model.AskUpstream(ctx, model.UpstreamGraphiti); err != nil {
		return none, err
	}
	t, lost := b.known(ctx)
	if lost != nil {
		return none, shown(lost)
	}
	if !t.has("add_triplet") {
		return none, t.notOffered("takes no facts as such; add an episode that says them")
	}
	group := b.groupOf(user)
	ends, err := b.endsByID(ctx, group, add.Facts)
	if err != nil {
		return none, err
	}
	sum := &factsSum{FactsAdded: knowledge.FactsAdded{
		Ids: make([]model.ID, len(add.Facts)), Problems: make([]error, len(add.Facts)), New: map[model.ID]bool{},
		EntitiesNew: map[model.ID]bool{},
	}, since: add.Now.Add(-clockDifference), seen: map[string]bool{}}
	const enough = 2 // failures of the server in a row, after which the rest would only wait for more
	failed := 0
	for i := range add.Facts {
		if failed >= enough {
			sum.Problems[i] = notTried()
			continue
		}
		err := b.addFact(ctx, group, &add, i, ends, sum)
		if sum.Problems[i] = err; isDown(err) {
			failed++
		} else {
			failed = 0
		}
		if ctx.Err() != nil {
			return none, ctx.Err()
		}
	}
	if add.Atomic && sum.Problems[0] != nil {
		return none, sum.Problems[0]
	}
	return sum.FactsAdded, nil
}

// isDown reports whether a server did not do its work, as opposed to refusing something.
func isDown(err error) bool {
	code := model.CodeOf(err)
	return code == model.CodeUpstreamUnavailable || code == model.CodeUpstreamRateLimited || code == model.CodeTimeout
}

func notTried() error {
	return model.Errorf(model.CodeUpstreamUnavailable,
		"the Graphiti server failed for those before, so it was not asked for this one")
}

// clockDifference is how much the server's clock may be behind.
const clockDifference = time.Minute

type factsSum struct {
	knowledge.FactsAdded
	since time.Time
	seen  map[string]bool
}

// endsByID looks up the ends that are named by id: the server would take an entity of anybody by its uuid.
func (b *Base) endsByID(ctx context.Context, group string,
	facts []knowledge.NewFact) (map[model.ID]model.Entity, error) {
	var ids []model.ID
	for i := range facts {
		ids = append(ids, facts[i].Source.ID, facts[i].Target.ID)
	}
	return byID(ctx, ids, model.KindEntity, func(ctx context.Context, ref model.KnowledgeRef) (model.Entity, bool, error) {
		return b.entity(ctx, group, ref)
	})
}

// addFact adds one fact.
func (b *Base) addFact(ctx context.Context, group string, add *knowledge.NewFacts, i int,
	ends map[model.ID]model.Entity, sum *factsSum) error {
	fact := &add.Facts[i]
	if err := unkeepable(fact, add.Episode); err != nil {
		return err
	}
	source, err := endOf(&fact.Source, ends, "source")
	if err != nil {
		return err
	}
	target, err := endOf(&fact.Target, ends, "target")
	if err != nil {
		return err
	}
	sentence := fact.Sentence
	if sentence == "" {
		sentence = cutLine(source.Name+" "+strings.ToLower(strings.ReplaceAll(fact.Relation, "_", " "))+" "+target.Name,
			model.MaxFactSentence)
	}
	known, err := b.sameFact(ctx, group, source, target, fact.Relation, sentence)
	if err != nil {
		return err
	}
	if known != nil {
		sum.note(i, known, true)
		return nil
	}
	for _, end := range []model.Entity{source, target} {
		sum.seen[end.SourceID] = true
	}
	answer, lost, err := b.tool(ctx, true, func(t *tools) (string, arguments, error) {
		const tool = "add_triplet"
		args := arguments{"source_node_name": source.Name, "edge_name": fact.Relation, "fact": sentence,
			"target_node_name": target.Name}
		if source.SourceID != "" {
			args["source_node_uuid"] = source.SourceID
		}
		if target.SourceID != "" {
			args["target_node_uuid"] = target.SourceID
		}
		return tool, args, t.inGroup(tool, group, args)
	})
	switch {
	case err == nil && dryrun.Is(ctx):
		return b.wouldAdd(ctx, group, fact.Relation+"\x00"+sentence, source, target, sum)
	case err == nil:
		return b.count(group, answer, i, sum)
	case lost == nil || !lost.Unknown() || ctx.Err() != nil:
		return err
	}
	// The answer was lost: it is looked for, and not sent again.
	switch known, failed := b.sameFact(ctx, group, source, target, fact.Relation, sentence); {
	case failed != nil || known == nil:
		return doubtful(lost)
	default:
		sum.note(i, known, false)
		return nil
	}
}

// wouldAdd counts what the addition of a fact would come to. The fact itself is the server's to make.
func (b *Base) wouldAdd(ctx context.Context, group, says string, source, target model.Entity,
	sum *factsSum) error {
	key := says + "\x00" + folded(source.Name) + "\x00" + folded(target.Name)
	if sum.seen[key] {
		sum.Unchanged++
		return nil
	}
	sum.seen[key] = true
	for _, end := range []model.Entity{source, target} {
		if end.SourceID != "" || sum.seen["named\x00"+folded(end.Name)] {
			continue
		}
		sum.seen["named\x00"+folded(end.Name)] = true
		found, err := b.searchNodes(ctx, group, nodeSearch{text: end.Name, most: maxSameName})
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(found, func(e model.Entity) bool { return folded(e.Name) == folded(end.Name) }) {
			sum.EntitiesMade++
		}
	}
	sum.Created++
	return nil
}

// maxSameName is how many entities are looked at for one of a name.
const maxSameName = 10

// sameFact looks for an open fact that says the same between the same: a repetition is not sent, so that it is told as
// such, and costs the server's model nothing. Nil for none.
func (b *Base) sameFact(ctx context.Context, group string, source, target model.Entity, relation,
	sentence string) (*model.Fact, error) {
	const most = 10
	found, _, err := b.searchFacts(ctx, group, factSearch{text: sentence, most: most})
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(f model.Fact) bool {
		return f.Relation != relation || folded(f.Sentence) != folded(sentence) || !f.InvalidAt.IsZero()
	})
	if err := b.nameEnds(ctx, group, found, store.EntityName); err != nil {
		return nil, err
	}
	for i := range found {
		if isEnd(&found[i].Source, &source) && isEnd(&found[i].Target, &target) {
			return &found[i], nil
		}
	}
	return nil, nil //nolint:nilnil // nil says that there is none
}

// isEnd reports whether an entity is the one that is wanted, by its uuid where that is known.
func isEnd(e, want *model.Entity) bool {
	if want.SourceID != "" {
		return e.SourceID == want.SourceID
	}
	return folded(e.Name) == folded(want.Name)
}

// unkeepable tells what of a fact the server would lose silently.
func unkeepable(fact *knowledge.NewFact, episode model.ID) error {
	var what []string
	for _, part := range []struct {
		name  string
		given bool
	}{
		{"validAt", !fact.ValidAt.IsZero()},
		{"invalidAt", !fact.InvalidAt.IsZero()},
		{"confidence", fact.Confidence != nil},
		{"attributes", fact.Attributes != ""},
		{"episode", episode != (model.ID{})},
	} {
		if part.given {
			what = append(what, "`"+part.name+"`")
		}
	}
	if len(what) == 0 {
		return nil
	}
	return notConfigured("a Graphiti server cannot keep %s with a fact; leave it out, or add an episode that says so",
		strings.Join(what, ", "))
}

// endOf is an end by its id, or by its name.
func endOf(end *knowledge.End, known map[model.ID]model.Entity, field string) (model.Entity, error) {
	if end.ID == (model.ID{}) {
		return model.Entity{Name: end.Name}, nil
	}
	e, ok := known[end.ID]
	if !ok {
		return e, model.NotFound(field, "there is no entity with this id")
	}
	return e, nil
}

// count reads what came of an addition: the fact, whether made or known, and then those that it closed.
func (b *Base) count(group string, answer json.RawMessage, i int, sum *factsSum) error {
	var made struct {
		Nodes []json.RawMessage `json:"nodes"`
		Edges []json.RawMessage `json:"edges"`
	}
	if err := decode(answer, &made); err != nil {
		return err
	}
	nodes := items(made.Nodes, func(w wireNode) (model.Entity, bool) { return w.entity(group) })
	for _, e := range nodes {
		if _, known := b.names.get(group, e.SourceID, b.Now()); known {
			sum.seen[e.SourceID] = true
		}
	}
	for _, e := range b.entities(group, made.Nodes) {
		if !sum.seen[e.SourceID] && !e.CreatedAt.Before(sum.since) {
			sum.EntitiesMade++
			sum.EntitiesNew[e.ID] = true
		}
		sum.seen[e.SourceID] = true
	}
	for j, f := range factsIn(group, made.Edges) {
		if j == 0 {
			sum.note(i, &f, false)
		} else if !f.InvalidAt.IsZero() {
			sum.Invalidated++
		}
	}
	return nil
}

// note counts a fact that is there now.
func (s *factsSum) note(i int, f *model.Fact, known bool) {
	s.Ids[i] = f.ID
	if known || s.seen[f.SourceID] || f.CreatedAt.Before(s.since) {
		s.Unchanged++
	} else {
		s.Created++
		s.New[f.ID] = true
	}
	s.seen[f.SourceID] = true
}
