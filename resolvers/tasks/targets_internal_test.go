package tasks

import (
	"context"
	"fmt"
	"testing"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/naming"
)

// fixedNames is a store whose user has open tasks that do not change.
type fixedNames struct {
	store.Store

	tasks []model.Task
}

func (f fixedNames) TaskTexts(context.Context, model.UserID) ([]model.Task, error) {
	return f.tasks, nil
}

func (f fixedNames) ChangeHead(context.Context, model.UserID) (int64, error) { return 1, nil }

// manyNames are the names of as many open tasks as may be named by text; one of them is about a zebra.
func manyNames(t testing.TB) candidates {
	t.Helper()
	texts := [...]string{"Call the dentist about number %d", "לקנות חלב ולחם בדרך הביתה, מספר %d",
		"Send Dana the slides, %d"}
	tasks := make([]model.Task, model.MaxOpenTasks)
	for i := range tasks {
		n := len(tasks) - i
		tasks[i] = model.Task{ID: model.UUID{byte(n >> 16), byte(n >> 8), byte(n)}, Category: "Home",
			Text: fmt.Sprintf(texts[i%len(texts)], i)}
	}
	tasks[40_000].Text = "Feed the zebra"
	names, err := (&namesCache{}).TaskNames(t.Context(), fixedNames{tasks: tasks}, model.UserID{})
	if err != nil {
		t.Fatal(err)
	}
	return candidates{kind: model.KindTask, tasks: names, label: func(int) string { return "" }}
}

// TestATaskIsNamedAmongMany: what shares no word with a text costs no allocation.
func TestATaskIsNamedAmongMany(t *testing.T) {
	all := manyNames(t)
	for text, want := range map[string]naming.Outcome{"feed zebra": naming.Found, "giraffe": naming.None} {
		var got naming.Decision[model.UUID]
		allocations := testing.AllocsPerRun(3, func() {
			got = all.decide(naming.New(text, naming.Task), naming.Rules{})
		})
		if got.Outcome != want || allocations > 1_000 {
			t.Errorf("%q: outcome %v, want %v, by %v allocations", text, got.Outcome, want, allocations)
		}
		if want == naming.Found && all.tasks.At(got.Matches[0].Index).Text != "Feed the zebra" {
			t.Errorf("%q: the place is that of another", text)
		}
	}
}

// BenchmarkNamed names one of 50,000 open tasks by a text, when their names are kept.
func BenchmarkNamed(b *testing.B) {
	all := manyNames(b)
	for _, text := range []string{"feed zebra", "giraffe", "number 777"} {
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				all.decide(naming.New(text, naming.Task), naming.Rules{})
			}
		})
	}
}
