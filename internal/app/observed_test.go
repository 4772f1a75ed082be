package app

import (
	"encoding/json"
	"log/slog"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/prometheus/client_golang/prometheus"

	"almanac/internal/config"
)

var (
	described  = regexp.MustCompile(`fqName: "([a-z_]+)".*variableLabels: \{([^}]*)\}`)
	promName   = regexp.MustCompile(`\b((?:almanac|go|process)_[a-z0-9_]+)\s*(?:\{([^}]*)\})?`)
	promBy     = regexp.MustCompile(`\b(?:by|without|on) \(([^)]*)\)`)
	matcher    = regexp.MustCompile(`([a-z_]+)\s*(?:=~|!~|!=|=)\s*"`)
	legendUses = regexp.MustCompile(`\{\{\s*\$?(?:labels\.)?([a-z]+)\s*\}\}`)
)

// query is one expression of the dashboard or of an alert, with the labels that its texts show.
type query struct{ where, expr, texts string }

// alerts are the rules of deploy/alerts.yaml.
func alerts(t *testing.T) (queries []query, names []string) {
	t.Helper()
	text, err := os.ReadFile("../../deploy/alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Groups []struct {
			Name  string `yaml:"name"`
			Rules []struct {
				Alert       string            `yaml:"alert"`
				Expr        string            `yaml:"expr"`
				For         string            `yaml:"for"`
				Labels      map[string]string `yaml:"labels"`
				Annotations map[string]string `yaml:"annotations"`
			} `yaml:"rules"`
		} `yaml:"groups"`
	}
	if err := yaml.UnmarshalWithOptions(text, &file, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	for _, group := range file.Groups {
		for _, rule := range group.Rules {
			queries = append(queries, query{rule.Alert, rule.Expr, rule.Annotations["summary"]})
			names = append(names, rule.Alert)
			if rule.Annotations["summary"] == "" || rule.Labels["severity"] == "" {
				t.Errorf("%s has no summary or no severity", rule.Alert)
			}
		}
	}
	return queries, names
}

// panels are the expressions of deploy/grafana-dashboard.json.
func panels(t *testing.T) (queries []query) {
	t.Helper()
	text, err := os.ReadFile("../../deploy/grafana-dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr, LegendFormat string }
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	for _, panel := range file.Panels {
		for _, target := range panel.Targets {
			queries = append(queries, query{panel.Title, target.Expr, target.LegendFormat})
		}
	}
	return queries
}

// metricLabels are the labels of each metric that a server may expose.
func metricLabels(t *testing.T) map[string]map[string]bool {
	t.Helper()
	settings, err := config.Load(nil, []string{"ALMANAC_EMBEDDING_MODEL=made-up", "ALMANAC_EMBEDDING_DIMENSIONS=8",
		"ALMANAC_CHAT_MODEL=made-up", "ALMANAC_OPENAI_BASE_URL=http://127.0.0.1:9/v1", "ALMANAC_DATA_DIR=" + t.TempDir(),
		"ALMANAC_TOKEN_KEY=" + strings.Repeat("k", config.MinSecret)})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(t.Context(), Options{Settings: settings, Log: slog.New(slog.DiscardHandler),
		Base: &url.URL{Scheme: "http", Host: "127.0.0.1:8080"}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	of := map[string]map[string]bool{}
	all := make(chan *prometheus.Desc)
	go func() {
		s.observeHTTP.Registry.Describe(all)
		close(all)
	}()
	for one := range all {
		found := described.FindStringSubmatch(one.String())
		if found == nil {
			continue
		}
		labels := map[string]bool{}
		for label := range strings.SplitSeq(found[2], ",") {
			labels[strings.TrimPrefix(strings.TrimSpace(label), "c(")] = true
		}
		of[found[1]] = labels
	}
	return of
}

// Every metric and every label that the dashboard and the alerts name is one that /metrics has; the runbook has a
// section for each alert, and for no others.
func TestTheDashboardAndTheAlerts(t *testing.T) {
	t.Parallel()
	known := metricLabels(t)
	rules, names := alerts(t)
	graphs := panels(t)
	if len(rules) < 10 || len(graphs) < 20 {
		t.Fatalf("only %d rules and %d graphs", len(rules), len(graphs))
	}
	for _, q := range append(rules, graphs...) {
		checkQuery(t, known, q)
	}
	manual, err := os.ReadFile("../../docs/running.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string]bool{}
	for _, heading := range regexp.MustCompile(`(?m)^### (Almanac[A-Za-z]+)$`).FindAllStringSubmatch(string(manual), -1) {
		sections[heading[1]] = true
	}
	for _, name := range names {
		if !sections[name] {
			t.Errorf("docs/running.md has no section on the alert %s", name)
		}
		delete(sections, name)
	}
	for name := range sections {
		t.Errorf("docs/running.md has a section on %s, which is no alert", name)
	}
}

func checkQuery(t *testing.T, known map[string]map[string]bool, q query) {
	t.Helper()
	if strings.Count(q.expr, "(") != strings.Count(q.expr, ")") ||
		strings.Count(q.expr, "{") != strings.Count(q.expr, "}") || strings.Count(q.expr, `"`)%2 != 0 {
		t.Errorf("%s: brackets or quotes that do not match: %s", q.where, q.expr)
	}
	labels := map[string]bool{"instance": true, "job": true}
	found := promName.FindAllStringSubmatch(q.expr, -1)
	if len(found) == 0 && !strings.HasPrefix(q.expr, "up{") {
		t.Errorf("%s names no metric: %s", q.where, q.expr)
	}
	for _, metric := range found {
		name := metric[1]
		of, there := known[name]
		for _, suffix := range []string{"_bucket", "_sum", "_count"} {
			if base, cut := strings.CutSuffix(name, suffix); cut && !there {
				if of, there = known[base]; there && suffix == "_bucket" {
					labels["le"] = true
				}
			}
		}
		if !there {
			t.Errorf("%s: there is no metric %s", q.where, name)
			continue
		}
		for label := range of {
			labels[label] = true
		}
		for _, one := range matcher.FindAllStringSubmatch(metric[2], -1) {
			if !of[one[1]] && one[1] != "instance" && one[1] != "job" {
				t.Errorf("%s: %s has no label %s", q.where, name, one[1])
			}
		}
	}
	for _, group := range promBy.FindAllStringSubmatch(q.expr, -1) {
		for label := range strings.SplitSeq(group[1], ",") {
			if label = strings.TrimSpace(label); !labels[label] {
				t.Errorf("%s: there is no label %s to group by", q.where, label)
			}
		}
	}
	for _, label := range legendUses.FindAllStringSubmatch(q.texts, -1) {
		if !labels[label[1]] && label[1] != "value" {
			t.Errorf("%s: there is no label %s to show", q.where, label[1])
		}
	}
}
