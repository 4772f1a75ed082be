package app

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"almanac/graph/model"
	"almanac/internal/clock"
	standin "almanac/internal/standin/openai"
	"almanac/projections/when"
)

// TestPlanner: the model of the settings is asked about what the grammar does not understand, with the key, and all
// of it is counted; without a model nothing is sent.
func TestPlanner(t *testing.T) {
	models := standin.New(standin.Options{Key: OpenAIKey})
	server := httptest.NewServer(models)
	t.Cleanup(server.Close)
	at := when.Moment{Now: time.Date(2026, time.November, 22, 8, 0, 0, 0, time.UTC), Zone: time.UTC, Locale: "en",
		WeekStart: model.Sunday}
	const understood, not = "Schedule a meeting tomorrow at 2pm", "zebras, umm, whatever folks"
	for _, c := range []struct {
		name     string
		settings []string
		// byModel: the second sentence is planned.
		byModel bool
		asked   int
		counted [3]string
	}{
		{name: "no model", settings: []string{"ALMANAC_OPENAI_API_KEY=" + OpenAIKey},
			counted: [3]string{"grammar", "refused", ""}},
		{
			name: "a model", settings: []string{"ALMANAC_OPENAI_BASE_URL=" + server.URL + "/v1",
				"ALMANAC_OPENAI_API_KEY=" + OpenAIKey, "ALMANAC_CHAT_MODEL=gpt-5-mini"},
			byModel: true, asked: 1, counted: [3]string{"model", "planned", "search"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := len(models.Requests())
			s, registry := bareServer(t, settingsOf(t, c.settings...), clock.System{})
			planner, err := s.newPlanner()
			if err != nil {
				t.Fatal(err)
			}
			if made, err := planner.Plan(t.Context(), understood, at); err != nil || made.ByModel || made.Create == nil {
				t.Errorf("%+v %v", made, err)
			}
			made, err := planner.Plan(t.Context(), not, at)
			if made.ByModel != c.byModel || (err == nil) != c.byModel ||
				c.byModel && made.Search.Query != "zebras," && made.Search.Query != "zebras" {
				t.Errorf("%+v %v", made, err)
			}
			asked := 0
			for _, request := range models.Requests()[before:] {
				if request.Status == http.StatusOK {
					asked++
				}
			}
			if asked != c.asked {
				t.Errorf("asked %d times", asked)
			}
			if first, second := sentencesCounted(t, registry, "grammar", "planned", "create"),
				sentencesCounted(t, registry, c.counted[0], c.counted[1], c.counted[2]); first != 1 || second != 1 {
				t.Errorf("counted %v and %v", first, second)
			}
		})
	}
}

// sentencesCounted is how many sentences were counted with these labels.
func sentencesCounted(t *testing.T, registry *prometheus.Registry, planner, outcome, tool string) float64 {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			labels := map[string]string{}
			for _, label := range metric.GetLabel() {
				labels[label.GetName()] = label.GetValue()
			}
			if family.GetName() == "almanac_agent_sentences_total" && labels["planner"] == planner &&
				labels["outcome"] == outcome && labels["tool"] == tool {
				return metric.GetCounter().GetValue()
			}
		}
	}
	return 0
}
