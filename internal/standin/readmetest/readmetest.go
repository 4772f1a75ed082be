// Package readmetest holds the README of a stand-in against its tests.
//
// It promises that a behaviour which the README numbers is pinned by a test, and that every test pins such a behaviour.
package readmetest

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Check reads README.md and the tests of the working folder. It wants at least so many numbered behaviours, each with
// the next number, a mark that the evidence's pattern fits, and names of tests that exist; and every test to be named,
// but for TestMain and those whose names begin with TestReadme.
func Check(t *testing.T, evidence string, least int) {
	t.Helper()
	declared := declaredTests(t)
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	numbered := regexp.MustCompile(`^(\d+)\. `)
	named := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`")
	mark := regexp.MustCompile(evidence)
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
			if !declared[test[1]] {
				t.Errorf("behaviour %d names %s, which is not there", count, test[1])
			}
		}
	}
	if count < least {
		t.Errorf("only %d behaviours were read", count)
	}
	for name := range declared {
		if !told[name] && !strings.HasPrefix(name, "TestReadme") && name != "TestMain" {
			t.Errorf("%s pins a behaviour that the README does not number", name)
		}
	}
}

func declaredTests(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	function := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	declared := map[string]bool{}
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range function.FindAllStringSubmatch(string(source), -1) {
			declared[found[1]] = true
		}
	}
	return declared
}
