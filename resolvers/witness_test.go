package resolvers_test

import (
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"almanac/graph"
)

// TestScriptsDryAndByID runs every script once more, looked at by two witnesses.
//
// Every mutation is sent twice: with @dryRun, and then as the script has it. The dry run leaves every row of the store
// as it is and asks no remote system for a change; the real run then does what it said. Each mutation of the schema
// must stand in some script.
//
// An id is one object's: no two types of all the scripts' answers share one. What a query has answered resolves by node
// to the same object, as does what a mutation has answered unless it is gone. Each type that is a Node must be there.
func TestScriptsDryAndByID(t *testing.T) {
	files, err := filepath.Glob("testdata/api/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	schema := graph.NewPlannedSchema(graph.Config{}).Schema()
	for _, open := range harnesses() {
		t.Run(open.name, func(t *testing.T) {
			seen := &seenIDs{schema: schema, types: map[string]string{}, resolved: map[string]int{}}
			ran := &ranDry{fields: map[string]bool{}}
			var scripts atomic.Int64
			t.Run("scripts", func(t *testing.T) {
				for _, file := range files {
					name := strings.TrimSuffix(filepath.Base(file), ".txtar")
					t.Run(name, func(t *testing.T) {
						t.Parallel()
						runScriptWith(t, file, open, &witnesses{ids: idWitness{all: seen}, dry: rehearsal{file: name, ran: ran}})
						scripts.Add(1)
					})
				}
			})
			if t.Failed() || int(scripts.Load()) < len(files) { // some were left out by -run
				return
			}
			for _, possible := range schema.GetPossibleTypes(schema.Types["Node"]) {
				if seen.resolved[possible.Name] == 0 && !slices.Contains(streamed, possible.Name) {
					t.Errorf("no script has a %s that was resolved by its id", possible.Name)
				}
			}
			for _, field := range schema.Mutation.Fields {
				if !ran.fields[field.Name] {
					t.Errorf("no script has an example of %s that was compared with its dry run", field.Name)
				}
			}
		})
	}
}

// witnesses send the dry run of what a script sends, and add ids to what the script itself sends.
type witnesses struct {
	ids idWitness
	dry rehearsal
}

// before returns what is sent instead of ask.
func (w *witnesses) before(s *script, ask request) request {
	w.dry.send(s, ask)
	return w.ids.before(s, ask)
}

// after returns the answer that the script goes on with.
func (w *witnesses) after(s *script, ask request, raw []byte) []byte {
	raw = w.ids.after(s, ask, raw)
	w.dry.compare(s, ask, raw)
	return raw
}
