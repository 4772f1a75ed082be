package projections_test

import (
	"errors"
	"sync"
	"testing"

	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/when"
)

// Whoever asks, and from however many goroutines, a group reads once for each name; what a reader did not bring back is
// an error for all.
func TestAGroupReadsOnce(t *testing.T) {
	t.Parallel()
	group := projections.GroupOf([]int{1, 2, 3})
	reads := 0
	sum := func(items []int) (int, error) {
		reads++
		return items[0] + items[1] + items[2], nil
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if got, err := projections.ReadOnce(group, "sum", sum); got != 6 || err != nil {
				t.Errorf("%d, %v", got, err)
			}
		})
	}
	all.Wait()
	if reads != 1 {
		t.Errorf("%d reads", reads)
	}
	failed := errors.New("no")
	for range 2 {
		if _, err := projections.ReadOnce(group, "failing",
			func([]int) (string, error) { return "", failed }); !errors.Is(err, failed) {
			t.Error(err)
		}
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = projections.ReadOnce(group, "panicking", func([]int) (string, error) { panic("reader") })
	}()
	if _, err := projections.ReadOnce(group, "panicking", func([]int) (string, error) { return "x", nil }); err == nil {
		t.Error("what was not read is no error")
	}
}

// Entities of a page stand beside each other, as the sources of its facts do; one that stands alone stands beside
// itself.
func TestBeside(t *testing.T) {
	t.Parallel()
	at := projections.NewMoment(when.Moment{})
	id := func(n byte) model.ID { return model.ID{Kind: model.KindEntity, UUID: model.UUID{n}} }
	views := projections.EntitiesAt([]model.Entity{{ID: id(1)}, {ID: id(2)}}, at)
	if views[0].Group() != views[1].Group() || len(views[0].Group().Items()) != 2 {
		t.Error("the entities of a page do not stand beside each other")
	}
	facts := projections.FactsAt([]model.Fact{{Source: model.Entity{ID: id(1)}, Target: model.Entity{ID: id(3)}},
		{Source: model.Entity{ID: id(2)}, Target: model.Entity{ID: id(3)}}}, at)
	if facts[0].Group() != facts[1].Group() || facts[0].Source().Group() != facts[1].Source().Group() ||
		facts[0].Source().Group() == facts[0].Target().Group() {
		t.Error("the ends of facts do not stand beside each other")
	}
	if alone := projections.EntitiesAt([]model.Entity{{ID: id(4)}}, at)[0]; len(alone.Group().Items()) != 1 ||
		alone.Group().Items()[0] != id(4) {
		t.Error("an entity alone does not stand beside itself")
	}
	if fact := facts[0].WithNewEnds(true, false); !fact.Source().ItemContext().IsNew || fact.Target().ItemContext().IsNew {
		t.Error("the wrong end is new")
	}
}
