package events

import (
	"slices"
	"testing"

	"almanac/graph/model"
)

// What was made is told although a copy that was being made has left it uncertain: that tells of nothing that it reads.
func TestWhatWasMadeIsToldNow(t *testing.T) {
	t.Parallel()
	uncertain, certain := model.UUID{1}, model.UUID{2}
	changes := []model.Change{
		{ID: uncertain, Operation: model.OperationCreated},
		{ID: uncertain, Operation: model.OperationUpdated},
		{ID: uncertain, Operation: model.OperationDeleted},
		{ID: certain, Operation: model.OperationUpdated},
	}
	got := toldNow(changes, map[model.UUID]bool{uncertain: true})
	if want := []model.Change{changes[0], changes[3]}; !slices.Equal(got, want) {
		t.Errorf("told are %v, want %v", got, want)
	}
	if got := toldNow(changes, nil); !slices.Equal(got, changes) {
		t.Errorf("where nothing is uncertain told are %v", got)
	}
}
