package exa_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestReadmeNamesItsTests wants every numbered behaviour to have the next number, evidence, and tests that exist, and
// every test to be named.
func TestReadmeNamesItsTests(t *testing.T) {
	t.Parallel()
	there := map[string]bool{}
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range declared.FindAllStringSubmatch(string(source), -1) {
			there[found[1]] = true
		}
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	numbered, named, mark := regexp.MustCompile(`^(\d+)\. `), regexp.MustCompile("`((?:Test|Fuzz)\\w+)`"),
		regexp.MustCompile(`\[[DJOS]\]`)
	count, told := 0, map[string]bool{}
	for line := range strings.SplitSeq(string(readme), "\n") {
		number := numbered.FindStringSubmatch(line)
		if number == nil {
			continue
		}
		if count++; number[1] != strconv.Itoa(count) {
			t.Errorf("behaviour %s stands where %d should", number[1], count)
		}
		if !mark.MatchString(line) {
			t.Errorf("behaviour %d has no evidence", count)
		}
		tests := named.FindAllStringSubmatch(line, -1)
		if len(tests) == 0 {
			t.Errorf("behaviour %d names no test", count)
		}
		for _, test := range tests {
			told[test[1]] = true
			if !there[test[1]] {
				t.Errorf("behaviour %d names %s, which is not there", count, test[1])
			}
		}
	}
	if count < 50 {
		t.Errorf("only %d behaviours were read", count)
	}
	for name := range there {
		if !told[name] && !strings.HasPrefix(name, "TestReadme") {
			t.Errorf("%s pins a behaviour that the README does not number", name)
		}
	}
}
