package record

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/quick"
	"time"

	"almanac/graph/model"
)

// TestMembersAreWhatJSONDecodes holds the reader of members against encoding/json for records of every kind, with texts
// that have quotes, backslashes, brackets and controls in them.
func TestMembersAreWhatJSONDecodes(t *testing.T) {
	t.Parallel()
	texts := []string{"", `"`, `\`, `\"`, `a\`, "},{", "]", "\n\x00", "<&>", "שלום", "\u2028", `","x":[`}
	random := rand.New(rand.NewPCG(1, 2))
	text := func() string { return texts[random.IntN(len(texts))] + texts[random.IntN(len(texts))] }
	for range 300 {
		at := time.Unix(random.Int64N(1<<32), random.Int64N(1e9)).UTC()
		for _, record := range []any{
			&model.Task{
				Text: text(), Category: text(), DueAt: at, Recurrence: &model.Recurrence{Time: text()},
				Subtasks: []model.Subtask{{Text: text()}, {Text: text()}}, Completions: []model.TaskCompletion{{}},
			},
			&model.Task{}, &model.List{Name: text()}, &model.Memory{Content: text(), Metadata: text()}, &model.Settings{},
			&Entity{Entity: model.Entity{Name: text()}}, &model.Episode{Content: text()},
			&model.Fact{Sentence: text(), Source: model.Entity{Name: text()}},
		} {
			compare(t, record)
			compareWhole(t, record)
		}
	}
}

// compareWhole holds the hash of a record that is not taken apart against that of one that is.
func compareWhole(t *testing.T, record any) {
	t.Helper()
	for _, by := range []layout{
		tasks{}.layout(), lists{}.layout(), memories{}.layout(), settings{}.layout(), entities{}.layout(), facts{}.layout(),
		episodes{}.layout(), {left: []string{"Text"}, fixed: []string{"ID"}},
	} {
		parts, err := split(record, by)
		if err != nil {
			continue // a list of one kind is no list in another
		}
		whole, is, err := by.wholeOf(record)
		if err != nil || is && whole != by.whole(parts) {
			t.Errorf("the hash of %+v is %s (%v), want %s", record, whole, err, by.whole(parts))
		}
		if task, isTask := record.(*model.Task); isTask && by.lists["Subtasks"] != "" && is != (len(task.Subtasks) == 0) {
			t.Errorf("a task with %d subtasks need not be taken apart: %t", len(task.Subtasks), is)
		}
	}
}

// TestMembersOfAnyRecord is the same for any values of a record's type.
func TestMembersOfAnyRecord(t *testing.T) {
	t.Parallel()
	type inner struct {
		A []string
		B map[string]string
		C *int
	}
	type outer struct {
		Text, Other string
		Number      float64
		Is          bool
		Inner       inner
		Inners      []inner
	}
	if err := quick.Check(func(value outer) bool { compare(t, value); return !t.Failed() }, nil); err != nil {
		t.Error(err)
	}
}

func compare(t *testing.T, record any) {
	t.Helper()
	written, err := json.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	var decoded Parts
	if err := json.Unmarshal(written, &decoded); err != nil {
		t.Fatal(err)
	}
	if read := partsOf(written); !maps.EqualFunc(read, decoded, slices.Equal[json.RawMessage]) {
		t.Errorf("%s is read as %s", written, read)
	}
}
