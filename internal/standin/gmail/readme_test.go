package gmail_test

import (
	"bufio"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestReadmeNamesItsTests wants every numbered behaviour to have the next number, evidence, and tests that exist.
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
	readme, err := os.Open("README.md")
	if err != nil {
		t.Fatal(err)
	}
	defer readme.Close()
	numbered := regexp.MustCompile(`^(\d+)\. `)
	named := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`")
	mark := regexp.MustCompile(`\[[DGRMS]\]`)
	count, told := 0, map[string]bool{}
	for lines := bufio.NewScanner(readme); lines.Scan(); {
		line := lines.Text()
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
	if count < 60 {
		t.Errorf("only %d behaviours were read", count)
	}
	for name := range there {
		if !told[name] && !strings.HasPrefix(name, "TestReadme") && name != "TestMain" {
			t.Errorf("%s pins a behaviour that the README does not number", name)
		}
	}
}
