package compact_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"almanac/projections/compact"
)

// No data of any shape makes a formatter panic or exceed its limits, whatever the operation.
func FuzzFormatOutput(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		sections := map[string]string{}
		for _, section := range txtar.Parse(text).Files {
			sections[section.Name] = strings.TrimSpace(string(section.Data))
		}
		if len(sections["data"]) < 2_000 {
			f.Add(sections["operation"], sections["data"], "query", 1+i%9, 20+i%200, 50+i)
		}
	}
	for _, text := range hostile {
		quoted, err := json.Marshal(text)
		if err != nil {
			f.Fatal(err)
		}
		for _, data := range []string{`{"nodes":[{"name":%,"entity_type":%,"summary":%,"id":%}]}`,
			`{"facts":[{"name":%,"fact":%},{"source":{"name":%},"relation":%}]}`, `{"error":%}`, `{"message":%,"status":%}`,
			`{"uuid":%,"name":%,"success":true}`, `{%:[%,{}]}`, `[{"id":%,"text":%,"name":%}]`} {
			for _, operation := range []string{"search_nodes", "search_facts", "add_memory", "emails", "tasks"} {
				f.Add(operation, strings.ReplaceAll(data, "%", string(quoted)), text, 2, 40, 50)
			}
		}
	}
	f.Add("taskBoard", `{"counts":{"today":-5,"overdue":9223372036854775807}}`, "", 20, 120, 0)
	f.Add("get_status", `{"entity_count":1e308,"episode_count":-1}`, "", 20, 120, 50)
	f.Add("events", `[{"start":{"date":"0000-00-00"},"end":{"dateTime":"x"}},null,{"attendees":[null]}]`, "", 20, 120, 0)
	f.Add("tasks", `[{"recurrence":{"type":"MONTHLY"}},{"recurrence":{"type":"WEEKLY","days":[""]}},{"reminder":"PT0S"}]`,
		"", 20, 120, 0)
	registry := compact.NewRegistry()
	operations := registry.Operations()
	f.Fuzz(func(t *testing.T, operation, data, query string, lines, width, tokens int) {
		if len(data) > 20_000 {
			return
		}
		o := setting{MaxLines: 1 + abs(lines)%100, MaxLineLength: 20 + abs(width)%500, Query: query}.options(t)
		if tokens != 0 {
			o.MaxTokens = 50 + abs(tokens)%2_000
		}
		if lines%2 == 0 {
			o.At.Locale = "he"
		}
		o.CollectMetrics = true
		names := []string{operation, operations[abs(lines+width+tokens)%len(operations)]}
		for _, name := range names {
			result := registry.FormatOutput(t.Context(), name, []byte(data), o)
			if json.Valid([]byte(data)) {
				hold(t, o, result)
			}
			if again := registry.FormatOutput(t.Context(), name, []byte(data), o); again != result {
				t.Errorf("the same data is written in two ways:\n%s\n%s", result.Output, again.Output)
			}
			if !result.UsedFallback || o.MaxTokens > 0 || !json.Valid([]byte(data)) {
				continue
			}
			if before, after := plain(t, data), plain(t, result.Output); before != after {
				t.Errorf("a fallback says something else:\n%s\n%s", before, after)
			}
		}
	})
}

// plain is JSON in its one form.
func plain(t *testing.T, data string) string {
	t.Helper()
	var value any
	decoder := json.NewDecoder(strings.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		t.Errorf("%v: %s", err, data)
	}
	out, err := json.Marshal(value)
	if err != nil {
		t.Error(err)
	}
	return string(out)
}

func abs(n int) int {
	if n < 0 {
		return -(n + 1)
	}
	return n
}
