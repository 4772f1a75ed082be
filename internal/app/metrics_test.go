package app

import (
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"almanac/internal/config"
)

var (
	quoted   = regexp.MustCompile("`([^`]+)`")
	describe = regexp.MustCompile(`fqName: "(almanac_[a-z_]+)"`)
)

// docs/running.md names every metric that a server may expose, every reason for which it counts a refusal, and no
// others.
func TestTheManualNamesTheMetrics(t *testing.T) {
	t.Parallel()
	manual, err := os.ReadFile("../../docs/running.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(manual), "\n## Metrics\n")
	section, _, _ = strings.Cut(section, "\n## ")
	section, reasons, _ := strings.Cut(section, "\n### Reasons of refusals\n")
	named, reasonsNamed := map[string]bool{}, map[string]bool{}
	for _, word := range quoted.FindAllStringSubmatch(section, -1) {
		if strings.HasPrefix(word[1], "almanac_") {
			named[word[1]] = true
		}
	}
	for line := range strings.Lines(reasons) {
		if row := strings.Split(line, "|"); len(row) == 4 {
			for _, word := range quoted.FindAllStringSubmatch(row[1], -1) {
				reasonsNamed[word[1]] = true
			}
		}
	}

	exposed, reasonsExposed := map[string]bool{}, map[string]bool{}
	common := []string{"ALMANAC_EMBEDDING_MODEL=made-up", "ALMANAC_EMBEDDING_DIMENSIONS=8", "ALMANAC_CHAT_MODEL=made-up",
		"ALMANAC_OPENAI_BASE_URL=http://127.0.0.1:9/v1", "ALMANAC_TOKEN_KEY=" + strings.Repeat("k", config.MinSecret)}
	for _, more := range []string{"ALMANAC_GRAPHITI_URL=http://127.0.0.1:9/mcp/", "ALMANAC_LOCALE=en"} {
		settings, err := config.Load(nil, slices.Concat(common, []string{more, "ALMANAC_DATA_DIR=" + t.TempDir()}))
		if err != nil {
			t.Fatal(err)
		}
		s, err := New(t.Context(), Options{Settings: settings, Log: slog.New(slog.DiscardHandler),
			Base: &url.URL{Scheme: "http", Host: "127.0.0.1:8080"}})
		if err != nil {
			t.Fatal(err)
		}
		described := make(chan *prometheus.Desc)
		go func() {
			s.observeHTTP.Registry.Describe(described)
			close(described)
		}()
		for one := range described {
			if name := describe.FindStringSubmatch(one.String()); name != nil {
				exposed[name[1]] = true
			}
		}
		families, err := s.observeHTTP.Registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		for _, family := range families {
			if family.GetName() == "almanac_refused_total" {
				for _, one := range family.GetMetric() {
					reasonsExposed[one.GetLabel()[0].GetValue()] = true
				}
			}
		}
		if err := s.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for what, sets := range map[string][2]map[string]bool{"metrics": {named, exposed},
		"reasons": {reasonsNamed, reasonsExposed}} {
		manual, program := slices.Sorted(maps.Keys(sets[0])), slices.Sorted(maps.Keys(sets[1]))
		if len(program) == 0 || !slices.Equal(manual, program) {
			t.Errorf("%s: %s", what, difference(manual, program))
		}
	}
}

// difference says what stands in one of two lists alone.
func difference(manual, program []string) string {
	alone := func(one, other []string) []string {
		return slices.DeleteFunc(slices.Clone(one), func(word string) bool { return slices.Contains(other, word) })
	}
	return fmt.Sprintf("in the manual alone %q, in the program alone %q", alone(manual, program), alone(program, manual))
}
