package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"almanac/internal/config"
)

// deployed are the files by which the program is run elsewhere.
func deployed(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob("deploy/*")
	if err != nil || len(names) < 5 {
		t.Fatalf("%v %v", names, err)
	}
	texts := map[string]string{}
	for _, name := range append(names, "compose.yaml", "Dockerfile", "Makefile") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(text)
	}
	return texts
}

// Every setting and command that the files for deployment name is one of the program's.
func TestDeploymentNamesWhatThereIs(t *testing.T) {
	known := map[string]bool{"ALMANAC_TEST_DATABASE_URL": true} // of the tests
	for _, s := range config.Settings() {
		known[s.Variable()] = true
	}
	commands := []string{"serve", "token", "health", "migrate"}
	settings, command := regexp.MustCompile(`ALMANAC_[A-Z_]*[A-Z]`),
		regexp.MustCompile(`almanac (?:almanac |-- almanac )?(serve|[a-z]+ (?:create|list))`)
	named, run := 0, 0
	for name, text := range deployed(t) {
		for _, setting := range settings.FindAllString(text, -1) {
			named++
			if !known[setting] {
				t.Errorf("%s names the setting %s, which does not exist", name, setting)
			}
		}
		for _, found := range command.FindAllStringSubmatch(text, -1) {
			run++
			if word, _, _ := strings.Cut(found[1], " "); !slices.Contains(commands, word) {
				t.Errorf("%s runs %q", name, found[0])
			}
		}
		if strings.HasSuffix(name, ".yaml") {
			decoder := yaml.NewDecoder(strings.NewReader(text), yaml.Strict())
			for documents := 0; ; documents++ {
				var value map[string]any
				err := decoder.Decode(&value)
				if errors.Is(err, io.EOF) && documents > 0 {
					break
				}
				if err != nil || len(value) == 0 {
					t.Fatalf("%s, document %d: %v", name, documents, err)
				}
			}
		}
	}
	if named < 15 || run < 5 {
		t.Errorf("only %d settings and %d commands were found; has their form changed?", named, run)
	}
}

// The program is built in the same way everywhere.
func TestBuildsAgree(t *testing.T) {
	texts := deployed(t)
	tool, err := os.ReadFile("tools/release/main.go")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"Makefile": texts["Makefile"], "Dockerfile": texts["Dockerfile"],
		"tools/release": string(tool)} {
		for _, want := range []string{"-trimpath", "-s -w -X main.built=", "CGO_ENABLED=0", "=all=-dwarf=false"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s builds without %s", name, want)
			}
		}
	}
}
