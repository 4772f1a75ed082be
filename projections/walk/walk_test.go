package walk_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections/walk"
)

func entity(n int) model.ID {
	return model.ID{Kind: model.KindEntity, UUID: model.UUID{1, byte(n >> 8), byte(n)}}
}

// graph is some facts between numbered entities.
type graph struct {
	facts []model.Fact
	// asked are the sizes of the frontiers asked about.
	asked []int
	// most, if above 0, is how many facts a step gives at most.
	most int
}

// link adds a fact that was kept so many minutes after noon.
func (g *graph) link(from, to, minute int) {
	g.facts = append(g.facts, model.Fact{
		ID:       model.ID{Kind: model.KindFact, UUID: model.UUID{2, byte(len(g.facts) >> 8), byte(len(g.facts))}},
		Relation: "KNOWS", Source: named(from), Target: named(to),
		CreatedAt: time.Date(2026, 11, 21, 12, minute, 0, 0, time.UTC),
	})
}

func named(n int) model.Entity { return model.Entity{ID: entity(n), Name: fmt.Sprint("e", n)} }

// around answers as a base does, but in the order of the facts, so that the walk has to put them in order itself.
func (g *graph) around(entities []model.ID, perEntity, limit int) (facts []model.Fact, more bool, err error) {
	if perEntity < 1 || perEntity > limit || limit != model.MaxFactsAStep || len(entities) == 0 {
		return nil, false, fmt.Errorf("asked for %d of each of %d, %d in all", perEntity, len(entities), limit)
	}
	g.asked = append(g.asked, len(entities))
	if g.most > 0 {
		limit = g.most
	}
	sorted := slices.Clone(g.facts)
	slices.SortFunc(sorted, newest)
	for _, fact := range sorted {
		if slices.Contains(entities, fact.Source.ID) || slices.Contains(entities, fact.Target.ID) {
			facts = append(facts, fact)
		}
	}
	if len(facts) > limit {
		facts, more = facts[:limit], true
	}
	slices.SortFunc(facts, func(a, b model.Fact) int { return slices.Compare(a.ID.UUID[:], b.ID.UUID[:]) })
	return facts, more, nil
}

func newest(a, b model.Fact) int {
	if order := b.CreatedAt.Compare(a.CreatedAt); order != 0 {
		return order
	}
	return slices.Compare(b.ID.UUID[:], a.ID.UUID[:])
}

// reached writes an answer as "name/distance by minute".
func reached(found []walk.Reached) []string {
	out := []string{}
	for _, one := range found {
		out = append(out, fmt.Sprintf("%s/%d by %d", one.Entity.Name, one.Distance, one.Via.CreatedAt.Minute()))
	}
	return out
}

func TestNeighbours(t *testing.T) {
	t.Parallel()
	star := func(g *graph) {
		g.link(0, 1, 5)
		g.link(2, 0, 9) // walked against its direction
		g.link(0, 1, 7) // the newer of two
		g.link(0, 0, 59)
		g.link(1, 3, 1)
		g.link(2, 3, 30)
		g.link(3, 4, 2)
		g.link(4, 5, 3) // too far
		g.link(1, 2, 40)
	}
	for _, c := range []struct {
		name         string
		build        func(*graph)
		depth, first int
		want         []string
		truncated    bool
		steps        int
	}{
		{"nothing around", func(*graph) {}, 3, 10, nil, false, 1},
		{"only itself", func(g *graph) { g.link(0, 0, 1) }, 3, 10, nil, false, 1},
		{"one step, newest first, by the newest fact", star, 1, 10, []string{"e2/1 by 9", "e1/1 by 7"}, false, 1},
		{"three steps", star, 3, 10, []string{"e2/1 by 9", "e1/1 by 7", "e3/2 by 30", "e4/3 by 2"}, false, 3},
		{"no deeper than the limit", star, 9, 10, []string{"e2/1 by 9", "e1/1 by 7", "e3/2 by 30", "e4/3 by 2"}, false, 3},
		{"more than were asked for", star, 3, 1, []string{"e2/1 by 9"}, true, 1},
		{"exactly as many as were asked for, and more behind", star, 2, 2, []string{"e2/1 by 9", "e1/1 by 7"}, true, 2},
		{"exactly as many as were asked for, and no more", star, 1, 2, []string{"e2/1 by 9", "e1/1 by 7"}, false, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := &graph{}
			c.build(g)
			found, truncated, err := walk.Neighbours(entity(0), c.depth, c.first, g.around)
			if err != nil || !slices.Equal(reached(found), c.want) || truncated != c.truncated || len(g.asked) != c.steps {
				t.Errorf("got %q, truncated %v, %v in %d steps, want %q, %v in %d", reached(found), truncated, err, len(g.asked),
					c.want, c.truncated, c.steps)
			}
		})
	}
}

func TestTooManyFactsAreSaid(t *testing.T) {
	t.Parallel()
	g := &graph{most: 2}
	for n := 1; n <= 3; n++ {
		g.link(0, n, n)
	}
	found, truncated, err := walk.Neighbours(entity(0), 1, 10, g.around)
	if want := []string{"e3/1 by 3", "e2/1 by 2"}; err != nil || !truncated || !slices.Equal(reached(found), want) {
		t.Errorf("got %q, truncated %v, %v", reached(found), truncated, err)
	}
	if way, truncated, err := walk.Path(entity(1), entity(2), 6, g.around); err != nil || way == nil || truncated {
		t.Errorf("the end with few facts finds the way: %v, truncated %v, %v", way, truncated, err)
	}
}

func TestFailuresComeThrough(t *testing.T) {
	t.Parallel()
	away := errors.New("away")
	fails := func([]model.ID, int, int) ([]model.Fact, bool, error) { return nil, false, away }
	if _, _, err := walk.Neighbours(entity(0), 1, 1, fails); !errors.Is(err, away) {
		t.Errorf("neighbours: %v", err)
	}
	if _, _, err := walk.Path(entity(0), entity(1), 1, fails); !errors.Is(err, away) {
		t.Errorf("path: %v", err)
	}
}

// told writes a way as its entities with the minutes of its facts between them.
func told(way *walk.Way) string {
	if way == nil {
		return "none"
	}
	out := way.Entities[0].Name
	for i, fact := range way.Facts {
		out += fmt.Sprintf(" -%d- %s", fact.CreatedAt.Minute(), way.Entities[i+1].Name)
	}
	return out
}

func TestPath(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		build   func(*graph)
		from    int
		to      int
		longest int
		want    string
	}{
		{"to itself", func(*graph) {}, 0, 0, 1, ""},
		{"none", func(g *graph) { g.link(0, 1, 1); g.link(2, 3, 1) }, 0, 3, 6, "none"},
		{"one fact", func(g *graph) { g.link(0, 1, 1) }, 0, 1, 1, "e0 -1- e1"},
		{"against its direction", func(g *graph) { g.link(1, 0, 1) }, 0, 1, 1, "e0 -1- e1"},
		{"the newer of two facts", func(g *graph) { g.link(1, 0, 1); g.link(0, 1, 2) }, 0, 1, 6, "e0 -2- e1"},
		{"the shorter, though it is old", func(g *graph) { g.link(0, 1, 50); g.link(1, 2, 50); g.link(0, 2, 1) }, 0, 2, 6,
			"e0 -1- e2"},
		{"the newest first fact decides", func(g *graph) {
			g.link(0, 1, 10)
			g.link(1, 3, 10)
			g.link(0, 2, 11)
			g.link(2, 3, 1)
		}, 0, 3, 6, "e0 -11- e2 -1- e3"},
		{"then the second", func(g *graph) {
			g.link(0, 1, 30)
			g.link(1, 2, 1)
			g.link(1, 3, 2)
			g.link(2, 4, 9)
			g.link(3, 4, 8)
		}, 0, 4, 6, "e0 -30- e1 -2- e3 -8- e4"},
		{"loops lead nowhere", func(g *graph) { g.link(0, 0, 9); g.link(0, 1, 1); g.link(1, 1, 9); g.link(1, 2, 2) }, 0, 2, 6,
			"e0 -1- e1 -2- e2"},
		{"exactly as long as it may be", func(g *graph) {
			for n := range 6 {
				g.link(n, n+1, n)
			}
		}, 0, 6, 6, "e0 -0- e1 -1- e2 -2- e3 -3- e4 -4- e5 -5- e6"},
		{"longer than it may be", func(g *graph) {
			for n := range 6 {
				g.link(n, n+1, n)
			}
		}, 0, 6, 5, "none"},
		{"never longer than the limit", func(g *graph) {
			for n := range 7 {
				g.link(n, n+1, n)
			}
		}, 0, 7, 99, "none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := &graph{}
			c.build(g)
			way, truncated, err := walk.Path(entity(c.from), entity(c.to), c.longest, g.around)
			if err != nil || truncated || told(way) != c.want {
				t.Errorf("got %s, truncated %v, %v, want %s", told(way), truncated, err, c.want)
			}
			if len(g.asked) > c.longest || len(g.asked) > model.MaxPathLength {
				t.Errorf("it took %d steps", len(g.asked))
			}
		})
	}
}

// distances are those of all entities by the plainest way there is.
func (g *graph) distances(from int) map[model.ID]int {
	known := map[model.ID]int{entity(from): 0}
	for grown := true; grown; {
		grown = false
		for _, fact := range g.facts {
			for _, pair := range [][2]model.ID{{fact.Source.ID, fact.Target.ID}, {fact.Target.ID, fact.Source.ID}} {
				near, ok := known[pair[0]]
				if far, seen := known[pair[1]]; ok && (!seen || far > near+1) {
					known[pair[1]] = near + 1
					grown = true
				}
			}
		}
	}
	return known
}

// best returns the best way by trying all.
func (g *graph) best(from, to, length int) *walk.Way {
	distance := g.distances(to)
	way := &walk.Way{Entities: []model.Entity{named(from)}}
	at := entity(from)
	for left := length; left > 0; left-- {
		var step *model.Fact
		var next model.Entity
		for i, fact := range g.facts {
			for _, pair := range [][2]model.Entity{{fact.Source, fact.Target}, {fact.Target, fact.Source}} {
				far, ok := distance[pair[1].ID]
				if pair[0].ID == at && ok && far == left-1 && (step == nil || newest(fact, *step) < 0) {
					step, next = &g.facts[i], pair[1]
				}
			}
		}
		way.Facts, way.Entities, at = append(way.Facts, *step), append(way.Entities, next), next.ID
	}
	return way
}

func TestRandomGraphs(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 400 {
		g := &graph{}
		entities := 2 + random.IntN(14)
		for range random.IntN(2 * entities) {
			g.link(random.IntN(entities), random.IntN(entities), random.IntN(20))
		}
		from, to := random.IntN(entities), random.IntN(entities)
		known := g.distances(from)
		want := "none"
		if length, ok := known[entity(to)]; ok && length <= model.MaxPathLength {
			want = told(g.best(from, to, length))
		}
		if from == to {
			want = ""
		}
		way, truncated, err := walk.Path(entity(from), entity(to), model.MaxPathLength, g.around)
		if err != nil || truncated || told(way) != want {
			t.Fatalf("round %d, from %d to %d: got %s, %v, want %s", round, from, to, told(way), err, want)
		}

		found, truncated, err := walk.Neighbours(entity(from), 3, 100, g.around)
		if err != nil || truncated {
			t.Fatalf("round %d: truncated %v, %v", round, truncated, err)
		}
		within := 0
		for _, distance := range known {
			if distance > 0 && distance <= 3 {
				within++
			}
		}
		if len(found) != within {
			t.Fatalf("round %d: %d neighbours, want %d", round, len(found), within)
		}
		for i, one := range found {
			if known[one.Entity.ID] != one.Distance {
				t.Fatalf("round %d: %s is %d away, not %d", round, one.Entity.Name, known[one.Entity.ID], one.Distance)
			}
			if i > 0 && found[i-1].Distance == one.Distance && newest(found[i-1].Via, one.Via) > 0 {
				t.Fatalf("round %d: %s comes before what is newer", round, found[i-1].Entity.Name)
			}
		}
		few, truncated, err := walk.Neighbours(entity(from), 3, 3, g.around)
		if err != nil || truncated != (within > 3) || !slices.Equal(reached(few), reached(found[:min(3, len(found))])) {
			t.Fatalf("round %d: the first three are %q of %q, truncated %v, %v", round, reached(few), reached(found), truncated,
				err)
		}
	}
}

func TestManyEntitiesShareAStep(t *testing.T) {
	t.Parallel()
	g := &graph{}
	for n := 1; n <= 500; n++ {
		g.link(0, n, 0)
	}
	var each []int
	_, _, err := walk.Neighbours(entity(0), 2, 1000,
		func(entities []model.ID, perEntity, limit int) ([]model.Fact, bool, error) {
			each = append(each, perEntity)
			return g.around(entities, perEntity, limit)
		})
	if err != nil || !slices.Equal(each, []int{model.MaxFactsAStep, 16}) {
		t.Errorf("asked for %d of each, %v", each, err)
	}
}
