package httpapi_test

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/httpapi"
	"almanac/internal/httpapi/engine"
)

// Usage is counted by operation, client and version, from either pair of headers and from connection_init, and by what
// is deprecated.
func TestUsage(t *testing.T) {
	d, server := transports(t, nil)
	for _, header := range []map[string]string{
		{"apollographql-client-name": "web", "apollographql-client-version": "1.2.3"},
		{"graphql-client-name": "phone app", "graphql-client-version": "7 \u05d0"}, {},
	} {
		d.do(call{body: `{"query":"query Board{hello}"}`, header: header})
	}
	d.do(call{body: `{"query":"query Broken{nothing}"}`})
	d.do(
		call{
			body:   `{"query":"query Old($x:Boolean){person(id:1){...f}} fragment f on Person{nickname(short:$x) nickname(short:$x)}"}`,
			header: map[string]string{"graphql-client-name": "web"}})
	d.do(call{body: `{"query":"{people{nodes{nickname}}}"}`})
	everyWay(t, server, "noa", map[string]any{"query": "query Everywhere{hello}"})
	text := d.do(call{method: "GET", path: "/metrics"}).Body.String()
	for _, want := range []string{
		`almanac_operation_uses_total{client="web",operation="Board",version="1.2.3"} 1`,
		`almanac_operation_uses_total{client="phone_app",operation="Board",version="7__"} 1`,
		`almanac_operation_uses_total{client="none",operation="Board",version="none"} 1`,
		`almanac_operation_uses_total{client="none",operation="none",version="none"} 1`,
		`almanac_operation_uses_total{client="none",operation="Everywhere",version="none"} 3`,
		`almanac_operation_uses_total{client="socket",operation="Everywhere",version="9"} 1`,
		`almanac_deprecated_uses_total{client="web",field="Person.nickname",version="none"} 1`,
		`almanac_deprecated_uses_total{client="web",field="Person.nickname(short:)",version="none"} 1`,
		`almanac_deprecated_uses_total{client="none",field="Person.nickname",version="none"} 1`,
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(text, "Broken") {
		t.Error("a refused document is counted")
	}
	if t.Failed() {
		for line := range strings.Lines(text) {
			if strings.Contains(line, "_uses_total{") {
				t.Log(line)
			}
		}
	}
}

// No client can make the metrics grow beyond their bound, nor write into them what is no name.
func TestUsageIsBounded(t *testing.T) {
	metrics := httpapi.NewMetrics()
	for i := range 5_000 {
		metrics.Used(engine.Usage{Operation: fmt.Sprint("Q", i), Client: fmt.Sprint("c", i%7),
			Version: "\"}\n" + strings.Repeat("x", 10_000), Deprecated: []string{"Person.nickname"}})
		metrics.Used(engine.Usage{Operation: "Q", Client: fmt.Sprint("v", i), Deprecated: []string{"Person.other"}})
	}
	families, err := metrics.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, family := range families {
		if !strings.HasSuffix(family.GetName(), "_uses_total") {
			continue
		}
		for _, one := range family.GetMetric() {
			count[family.GetName()]++
			for _, label := range one.GetLabel() {
				if value := label.GetValue(); len(value) > 64 || strings.ContainsAny(value, "\"\n{} ") {
					t.Errorf("%s: %q", label.GetName(), value)
				}
				if label.GetValue() == "other" && one.GetCounter().GetValue() > 3_000 {
					count["beyond"]++
				}
			}
		}
	}
	if n := count["almanac_operation_uses_total"]; n != 1_001 {
		t.Errorf("%d series of operations", n)
	}
	if n := count["almanac_deprecated_uses_total"]; n < 1_001 || n > 1_002 {
		t.Errorf("%d series of deprecated fields", n)
	}
	if count["beyond"] == 0 {
		t.Error("what is beyond the bound is not counted")
	}
}
