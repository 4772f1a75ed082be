package resolvers

import (
	"reflect"
	"strings"
	"testing"

	"almanac/graph"
)

// Each payload of a mutation with compact text says what is counted of it, by fields that it has.
func TestPayloadsAreCounted(t *testing.T) {
	t.Parallel()
	payloads := map[string]reflect.Type{}
	root := reflect.TypeFor[graph.ResolverRoot]()
	for i := range root.NumMethod() {
		finder := root.Method(i)
		compact, has := finder.Type.Out(0).MethodByName("Compact")
		if name, ok := strings.CutSuffix(finder.Name, "Payload"); ok && has {
			payloads[name] = compact.Type.In(1).Elem()
		}
	}
	if len(payloads) < 60 {
		t.Fatalf("%d payloads with compact text were found", len(payloads))
	}
	delete(payloads, "AgentChat") // its text follows the tool that was used
	for name, payload := range payloads {
		counts, known := payloadCounts[name]
		if !known {
			t.Errorf("%s is not in payloadCounts", name)
		}
		for counted := range strings.FieldsSeq(counts) {
			_, field, _ := strings.Cut(counted, ":")
			if _, has := payload.FieldByName(field); !has {
				t.Errorf("%s has no field %q, which payloadCounts counts", name, field)
			}
		}
	}
	for name := range payloadCounts {
		if payloads[name] == nil {
			t.Errorf("payloadCounts names %s, which has no compact text", name)
		}
	}
}
